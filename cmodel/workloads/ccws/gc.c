/* SPDX-License-Identifier: Apache-2.0
 *
 * Garbage collection, the mark phase (GC of CCWS and DAWS): a thread an object of the frontier, a
 * launch a level. A thread loads its object's header, then walks the object's references. Each one
 * that is not null leads to a header anywhere: the thread reads its mark, and the first thread to
 * set it puts the object in the next frontier. A lane's references are adjacent, 16 a line, so a
 * warp reuses a line a lane, beside scattered marks; lanes drop out as their objects end. Arrays
 * are split among threads.
 *
 * Neither program nor heap of the papers is public: the shape is that of a parallel tracing
 * collector with a queue, the heap is made by gc_parameters. The papers' number of objects is
 * unknown.
 */
#include "workloads/ccws/gc_heap.h"
#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256

static const uint32_t sizes[] = {
    [SIZE_TINY] = 1 << 14,
    [SIZE_SMALL] = 1 << 17,
    [SIZE_PAPER_DAWS] = 1 << 20,
};

struct gc {
    struct host host;
    struct gc_heap objects;
    uint32_t frontier; /* work of this level */
    unsigned in;       /* which queue they are in */
    struct buffer heap, heap_words;
    struct buffer queue[2]; /* places of objects, and parts of them */
    struct buffer tail;     /* how many the next level has */
};

enum {
    R_T,
    R_PREDICATE,
    R_ADDRESS,
    R_PLACE,
    R_PART,
    R_OBJECT,
    R_FIELDS,
    R_FIELD,
    R_END,
    R_REFERENCE,
    R_MARK_ADDRESS,
    R_MARK,
    R_OLD,
    R_POSITION,
    R_CHILD,
    R_CHILD_FIELDS,
    R_PARTS,
    R_OUT
};

#define MARK(I) \
    I(ALU, THREAD, OP_INT_MAD, R_T, REG_NONE) \
    I(ALU, COMPARE_THREAD, OP_INT_ADD, R_PREDICATE, R_T) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, IN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_T) \
    I(LOAD, LOAD_IN, SPACE_GLOBAL, 4, R_PLACE, R_ADDRESS) \
    I(ALU, PART, OP_INT_ADD, R_PART, R_PLACE) \
    I(ALU, PLACE, OP_INT_ADD, R_PLACE, R_PLACE) \
    I(ALU, OBJECT, OP_INT_MAD, R_OBJECT, R_PLACE) \
    I(LOAD, LOAD_FIELDS, SPACE_GLOBAL, 4, R_FIELDS, R_OBJECT) \
    I(ALU, FIRST_FIELD, OP_INT_MAD, R_FIELD, R_PART, R_OBJECT) \
    I(ALU, END, OP_INT_MAD, R_END, R_FIELDS, R_OBJECT) \
    I(ALU, END_OF_PART, OP_INT_ADD, R_PART, R_FIELD) \
    I(ALU, LEAST_END, OP_INT_MAX, R_END, R_END, R_PART) \
    I(ALU, COMPARE_EMPTY, OP_INT_ADD, R_PREDICATE, R_FIELD, R_END) \
    I(BRANCH, SKIP_EMPTY, R_PREDICATE) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_REFERENCE, SPACE_GLOBAL, 8, R_REFERENCE, R_FIELD) \
    I(ALU, COMPARE_NULL, OP_INT_ADD, R_PREDICATE, R_REFERENCE) \
    I(BRANCH, NULL_BRANCH, R_PREDICATE) \
    I(ALU, MARK_ADDRESS, OP_INT_ADD, R_MARK_ADDRESS, R_REFERENCE) \
    I(LOAD, LOAD_MARK, SPACE_GLOBAL, 4, R_MARK, R_MARK_ADDRESS) \
    I(ALU, COMPARE_MARK, OP_INT_ADD, R_PREDICATE, R_MARK) \
    I(BRANCH, MARK_BRANCH, R_PREDICATE) \
    I(ATOMIC, SET_MARK, R_OLD, R_MARK_ADDRESS, R_MARK) \
    I(ALU, COMPARE_OLD, OP_INT_ADD, R_PREDICATE, R_OLD) \
    I(BRANCH, OLD_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_CHILD_FIELDS, SPACE_GLOBAL, 4, R_CHILD_FIELDS, R_REFERENCE) \
    I(ALU, ROUND_PARTS, OP_INT_ADD, R_PARTS, R_CHILD_FIELDS) \
    I(ALU, PARTS, OP_INT_ADD, R_PARTS, R_PARTS) \
    I(ALU, TAIL_ADDRESS, OP_INT_ADD, R_OUT, REG_NONE) \
    I(ATOMIC, TAKE_POSITION, R_POSITION, R_OUT, R_PARTS) \
    I(ALU, CHILD_OFFSET, OP_INT_ADD, R_CHILD, R_REFERENCE) \
    I(ALU, CHILD_PLACE, OP_INT_ADD, R_CHILD, R_CHILD) \
    I(ALU, OUT_ADDRESS, OP_INT_MAD, R_OUT, R_POSITION) \
    I(LOOP, PUSH) \
    I(STORE, STORE_OUT, SPACE_GLOBAL, 4, R_CHILD, R_OUT) \
    I(ALU, NEXT_PART, OP_INT_ADD, R_CHILD, R_CHILD) \
    I(ALU, NEXT_OUT, OP_INT_ADD, R_OUT, R_OUT) \
    I(ALU, PARTS_LEFT, OP_INT_ADD, R_PARTS, R_PARTS) \
    I(ALU, COMPARE_PARTS, OP_INT_ADD, R_PREDICATE, R_PARTS) \
    I(BRANCH, PUSH_BRANCH, R_PREDICATE) \
    I(ALU, NEXT_FIELD, OP_INT_ADD, R_FIELD, R_FIELD) \
    I(ALU, COMPARE_FIELD, OP_INT_ADD, R_PREDICATE, R_FIELD, R_END) \
    I(BRANCH, AGAIN, R_PREDICATE)
SIMT_CODE(gc_mark, MARK, .registers = 20);

/* Words of the headers of the lanes' objects. */
static struct element header(const int32_t *place, unsigned word) {
    return (struct element){.base = word, .scale = GC_UNIT / 4, .lane = place};
}

/* for (at = tail += parts; parts; parts--) out[at++] = the next part of child */
static void push(struct simt *s, const struct gc *k, int32_t *child) {
    int32_t fields[BLOCK], parts[BLOCK], at[BLOCK];
    struct simt_mask mask;
    simt_load(s, LOAD_CHILD_FIELDS, fields, &k->heap_words, header(child, GC_FIELDS));
    simt_alu(s, ROUND_PARTS);
    SIMT_ALU(s, PARTS, t) {
        parts[t] = (int32_t)gc_parts((uint32_t)fields[t]);
    }
    simt_alu(s, TAIL_ADDRESS);
    simt_atomic(s, TAKE_POSITION, SIMT_ADD, at, parts, NULL, &k->tail, element_at(0));
    simt_alus(s, CHILD_OFFSET, OUT_ADDRESS);
    SIMT_LOOP(s, PUSH) {
        simt_store(s, STORE_OUT, child, &k->queue[!k->in], element_lane(at));
        SIMT_EACH(s, t) {
            child[t] = (int32_t)((uint32_t)child[t] + (UINT32_C(1) << GC_PLACE_BITS));
            at[t]++;
            parts[t]--;
        }
        simt_alus(s, NEXT_PART, COMPARE_PARTS);
        SIMT_WHERE(s, mask, t, parts[t] > 0);
        simt_while(s, PUSH_BRANCH, &mask);
    }
}

/* if (!mark[child] && !cas(&mark[child], 0, 1)) push(child); */
static void mark_children(struct simt *s, const struct gc *k, const uint64_t *reference) {
    int32_t child[BLOCK], mark[BLOCK], zero[BLOCK] = {0}, one[BLOCK], old[BLOCK];
    struct simt_mask mask;
    SIMT_ALU(s, MARK_ADDRESS, t) {
        child[t] = (int32_t)((reference[t] - k->heap.address) / GC_UNIT);
        one[t] = 1;
    }
    simt_load(s, LOAD_MARK, mark, &k->heap_words, header(child, GC_MARK));
    simt_alu(s, COMPARE_MARK);
    SIMT_WHERE(s, mask, t, mark[t] == 0);
    SIMT_IF(s, MARK_BRANCH, &mask) {
        simt_atomic(s, SET_MARK, SIMT_CAS, old, one, zero, &k->heap_words, header(child, GC_MARK));
        simt_alu(s, COMPARE_OLD);
        SIMT_WHERE(s, mask, t, old[t] == 0);
        SIMT_IF(s, OLD_BRANCH, &mask) {
            push(s, k, child);
        }
    }
}

/* The thread's object, and its part of the references: places @field to @end - 1. */
static void take_work(struct simt *s, const struct gc *k, int32_t *field, int32_t *end) {
    const int64_t first = (int64_t)s->cta[0] * BLOCK; /* of thread 0 */
    const int32_t split = (int32_t)gc_parameters.split;
    int32_t work[BLOCK], place[BLOCK], fields[BLOCK];
    simt_alu(s, IN_ADDRESS);
    simt_load(s, LOAD_IN, work, &k->queue[k->in], element_x(first, 1));
    simt_alus(s, PART, OBJECT);
    SIMT_EACH(s, t) {
        place[t] = work[t] & ((1 << GC_PLACE_BITS) - 1);
    }
    simt_load(s, LOAD_FIELDS, fields, &k->heap_words, header(place, GC_FIELDS));
    simt_alus(s, FIRST_FIELD, COMPARE_EMPTY);
    SIMT_EACH(s, t) {
        const int32_t before = (int32_t)((uint32_t)work[t] >> GC_PLACE_BITS) * split;
        const int32_t left = fields[t] - before;
        field[t] = place[t] + GC_HEADER_UNITS + before;
        end[t] = field[t] + (left < split ? left : split);
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct gc *k = arguments;
    const uint32_t first = s->cta[0] * BLOCK; /* of thread 0 */
    int32_t field[BLOCK], end[BLOCK];
    uint64_t reference[BLOCK];
    struct simt_mask mask;

    simt_alus(s, THREAD, COMPARE_THREAD);
    SIMT_WHERE(s, mask, t, first + t < k->frontier);
    SIMT_IF(s, GUARD, &mask) {
        take_work(s, k, field, end);
        SIMT_WHERE(s, mask, t, field[t] < end[t]);
        SIMT_IF(s, SKIP_EMPTY, &mask) {
            SIMT_LOOP(s, EACH) {
                simt_load(s, LOAD_REFERENCE, reference, &k->heap, element_lane(field));
                simt_alu(s, COMPARE_NULL);
                SIMT_WHERE(s, mask, t, reference[t] != 0);
                SIMT_IF(s, NULL_BRANCH, &mask) {
                    mark_children(s, k, reference);
                }
                SIMT_ALU(s, NEXT_FIELD, t) {
                    field[t]++;
                }
                simt_alu(s, COMPARE_FIELD);
                SIMT_WHERE(s, mask, t, field[t] < end[t]);
                simt_while(s, AGAIN, &mask);
            }
        }
    }
}

/* while (frontier) { tail = 0; mark; frontier = tail; } */
static bool gc_step(void *self, unsigned step, struct host_launch *out) {
    struct gc *k = self;
    uint32_t *tail = k->tail.data;
    if (step > 0) {
        k->in = !k->in;
        k->frontier = *tail;
    }
    *tail = 0;
    *out = (struct host_launch){
        .launch = {&gc_mark_code, {(k->frontier + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}},
        .kernel = kernel,
    };
    return k->frontier > 0;
}

/* The roots' own marks, and the first frontier, with the second queue as scratch. */
static void put_roots(struct gc *k) {
    const uint32_t roots = gc_root_count(&k->objects), *root = k->queue[1].data;
    uint32_t *work = k->queue[0].data, *words = k->heap_words.data;
    gc_roots(&k->objects, k->queue[1].data);
    for (uint32_t i = 0; i < roots; i++) {
        uint32_t *object = words + (size_t)root[i] * (GC_UNIT / 4);
        object[GC_MARK] = 1;
        for (uint32_t part = 0; part < gc_parts(object[GC_FIELDS]); part++) {
            work[k->frontier++] = part << GC_PLACE_BITS | root[i];
        }
    }
}

static void gc_release(void *self) {
    struct gc *k = self;
    gc_heap_destroy(&k->objects);
}

static bool gc_open(void *self, enum workload_size size, uint64_t seed) {
    struct gc *k = self;
    const struct gc_heap *h = &k->objects;
    if (!gc_heap_create(&k->objects, sizes[size], seed) ||
        !HOST_ALLOC(&k->host.memory, {&k->heap, gc_heap_units(h), GC_UNIT},
                    {&k->queue[0], gc_work_max(h), 4}, {&k->queue[1], gc_work_max(h), 4},
                    {&k->tail, 1, 4})) {
        return false;
    }
    k->heap_words = k->heap;
    k->heap_words.width = 4;
    k->heap_words.count = 2 * k->heap.count;
    gc_heap_fill(h, k->heap.address, k->heap.data);
    put_roots(k);
    host_set_step(&k->host, gc_step);
    return true;
}

/* The order of the threads decides an object's queue and place, but not the marks: the whole heap
 * must equal the one that a walk with a stack makes. */
static const struct workload_result results[] = {INTEGERS("heap", gc, heap_words), {0}};

static bool gc_plain(void *self, void *const expected[]) {
    const struct gc *k = self;
    gc_heap_fill(&k->objects, k->heap.address, expected[0]);
    return gc_reach(&k->objects, k->heap.address, expected[0]);
}

const struct workload workload_gc = {
    .name = "gc",
    .suite = "ccws",
    .about = "marking a heap: each lane its object's references, and marks anywhere",
    .size_text = {[SIZE_TINY] = "16 Ki objects",
                  [SIZE_SMALL] = "128 Ki objects",
                  [SIZE_PAPER_DAWS] = "1 Mi objects"},
    .bytes = sizeof(struct gc),
    .open = gc_open,
    .results = results,
    .plain = gc_plain,
    /* .expect: the order within a level decides which lanes find an object unmarked. */
    .release = gc_release,
};
