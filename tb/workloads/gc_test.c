/* SPDX-License-Identifier: Apache-2.0
 *
 * gc: the heap against its parameters, and what the records say against a search of its own.
 */
#include <math.h>

#include "workloads/ccws/gc_heap.h"
#include "workloads/rodinia_records.h"

#define OBJECTS (1 << 17) /* of SIZE_SMALL */
#define SEED 1
#define BASE 0x1000
#define LEVELS_MAX 64

struct heap {
    struct gc_heap h;
    uint64_t *memory;
    uint32_t *object; /* by place */
};

static struct heap make_heap(void) {
    struct heap t;
    assert_true(gc_heap_create(&t.h, OBJECTS, SEED));
    const uint32_t units = gc_heap_units(&t.h);
    t.memory = calloc(units, GC_UNIT);
    t.object = malloc(units * sizeof *t.object);
    gc_heap_fill(&t.h, BASE, t.memory);
    memset(t.object, 0xff, units * sizeof *t.object);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        t.object[t.h.place[i]] = i;
    }
    return t;
}

static void forget_heap(struct heap *t) {
    gc_heap_destroy(&t->h);
    free(t->memory);
    free(t->object);
}

/* The object that field @f of object @i refers to, UINT32_MAX: none. */
static uint32_t child_of_object(const struct heap *t, uint32_t i, unsigned f) {
    const uint64_t reference = t->memory[t->h.place[i] + GC_HEADER_UNITS + f];
    return reference ? t->object[(reference - BASE) / GC_UNIT] : UINT32_MAX;
}

static bool is_about(double count, double of, double percent) {
    return fabs(count - of * percent / 100) < 4 * sqrt(of * percent / 100);
}

TEST(the_heap_follows_the_parameters) {
    struct heap t = make_heap();
    unsigned kind[3] = {0}, dead = 0, references = 0, nulls = 0, near = 0, near_kind = 0;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const unsigned fields = t.h.fields[i], units = t.h.place[i + 1] - t.h.place[i];
        kind[(fields > 3) + (fields > 8)]++;
        assert_true(fields >= 1 && fields <= 256 && (fields <= 8 || fields >= 16));
        assert_true(units * 8 >= 32 && units >= 2 + fields && units <= 2 + fields + 4);
        assert_int_equal(((uint32_t *)&t.memory[t.h.place[i]])[GC_FIELDS], fields);
        dead += !t.h.alive[i];
        for (unsigned f = 0; f < fields; f++, references++) {
            const uint32_t to = child_of_object(&t, i, f);
            const bool null = t.memory[t.h.place[i] + 2 + f] == 0;
            assert_true(null || to < OBJECTS);
            assert_true(null || !t.h.alive[i] || t.h.alive[to]);
            nulls += null;
            /* Count the dead, whose targets are not moved to the living. */
            near_kind += !null && !t.h.alive[i];
            near += !null && !t.h.alive[i] && llabs((int64_t)t.h.place[to] - t.h.place[i]) < 1024;
        }
    }
    print_message("%u objects of %.0f bytes and %.1f references, %.0f %% dead\n", OBJECTS,
                  8.0 * gc_heap_units(&t.h) / OBJECTS, (double)references / OBJECTS,
                  100.0 * dead / OBJECTS);
    assert_true(is_about(kind[0], OBJECTS, 70) && is_about(kind[1], OBJECTS, 25));
    assert_true(is_about(kind[2], OBJECTS, 5) && is_about(dead, OBJECTS, 50));
    assert_true(is_about(nulls, references, 12));
    assert_true(near > near_kind * 0.59 && near < near_kind * 0.61);
    /* A part's number and a place share a word. */
    assert_true(gc_heap_units(&t.h) < 1u << GC_PLACE_BITS && gc_parts(256) <= 16);
    forget_heap(&t);
}

struct level {
    unsigned work, objects, references, children;
};

/* Level by level over all objects, without a queue. Return: levels. */
static unsigned search_objects_by_sweeps(const struct heap *t, struct level *level,
                                         unsigned *marked) {
    int *at = malloc(OBJECTS * sizeof *at);
    uint32_t *root = malloc(OBJECTS * sizeof *root);
    unsigned levels = 0;
    memset(at, -1, OBJECTS * sizeof *at);
    memset(level, 0, LEVELS_MAX * sizeof *level);
    gc_roots(&t->h, root);
    for (uint32_t i = 0; i < gc_root_count(&t->h); i++) {
        assert_int_equal(at[t->object[root[i]]], -1); /* roots differ */
        at[t->object[root[i]]] = 0;
    }
    *marked = 0;
    for (bool some = true; some; levels += some) {
        struct level *l = &level[levels];
        some = false;
        for (uint32_t i = 0; i < OBJECTS; i++) {
            const unsigned fields = at[i] == (int)levels ? t->h.fields[i] : 0;
            some |= fields > 0;
            l->objects += fields > 0;
            l->work += (fields + 15) / 16;
            l->references += fields;
            for (unsigned f = 0; f < fields; f++) {
                const uint32_t to = child_of_object(t, i, f);
                l->children += to != UINT32_MAX;
                if (to != UINT32_MAX && at[to] < 0) {
                    at[to] = (int)levels + 1;
                }
            }
        }
        *marked += l->objects;
    }
    free(at);
    free(root);
    return levels;
}

struct counts {
    struct level level[LEVELS_MAX];
    unsigned pushed[LEVELS_MAX], met[LEVELS_MAX];
    unsigned trips, lanes, lines, marks, mark_lines, entries, entry_lanes;
    bool inside;
};

/* Loads in the order of the code: work, fields, reference, mark, fields of the child. */
static void count_gc_loads(void *self, const struct place *at) {
    struct counts *c = self;
    struct level *l = &c->level[at->launch];
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, 0)) {
        l->work += record_lanes(at);
        c->inside = false;
    } else if (record_is(at, OP_LOAD, SPACE_GLOBAL, 2)) {
        l->references += record_lanes(at);
        c->trips++;
        c->lanes += record_lanes(at);
        c->lines += record_lines(at);
        c->entries += !c->inside;
        c->entry_lanes += c->inside ? 0 : record_lanes(at);
        c->inside = true;
    } else if (record_is(at, OP_LOAD, SPACE_GLOBAL, 3)) {
        l->children += record_lanes(at);
        c->marks += record_lanes(at);
        c->mark_lines += record_lines(at);
    } else if (record_is(at, OP_LOAD, SPACE_GLOBAL, 4)) {
        c->met[at->launch] += record_lanes(at);
    } else if (record_is(at, OP_STORE, SPACE_GLOBAL, 0)) {
        c->pushed[at->launch] += record_lanes(at);
    }
}

TEST(each_level_walks_all_references_of_its_objects) {
    static struct counts c;
    struct level expected[LEVELS_MAX];
    struct program p;
    struct heap t = make_heap();
    unsigned marked;
    const unsigned levels = search_objects_by_sweeps(&t, expected, &marked);
    records_open("gc", &p, SIZE_SMALL);
    assert_int_equal(records_run(&p, (struct run_order){.skipped = -1}, count_gc_loads, &c),
                     levels);
    for (unsigned i = 0; i < levels; i++) {
        print_message("level %u: %u objects, %u references\n", i, expected[i].objects,
                      expected[i].references);
        assert_int_equal(c.level[i].work, expected[i].work);
        assert_int_equal(c.level[i].references, expected[i].references);
        assert_int_equal(c.level[i].children, expected[i].children);
        assert_int_equal(c.met[i], expected[i + 1].objects);
        assert_int_equal(c.pushed[i], expected[i + 1].work);
    }
    assert_true(marked > OBJECTS * 45 / 100 && marked < OBJECTS * 55 / 100);
    print_message("a reference: %.1f lanes, %.1f lines; a mark: %.2f lines a lane; into the loop "
                  "%.1f lanes\n",
                  (double)c.lanes / c.trips, (double)c.lines / c.trips,
                  (double)c.mark_lines / c.marks, (double)c.entry_lanes / c.entries);
    /* Both loads of the loop are what DAWS calls diverged: nearly a line a lane. */
    assert_true(c.lines > 0.9 * c.lanes && c.mark_lines > 0.8 * c.marks);
    workload_close(workload_find("gc"), &p);
    forget_heap(&t);
}

TEST(the_marks_do_not_depend_on_the_order_of_ctas) {
    struct program p;
    records_open("gc", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1, .descending = true}, NULL, NULL);
    assert_null(workload_check(workload_find("gc"), &p));
    workload_close(workload_find("gc"), &p);
}

TEST(a_wrong_bit_or_a_level_left_out_fails_the_check) {
    expect_wrong_bit_seen("gc", 0, 4 * GC_CLASS, "heap[0] is ");
    expect_wrong_bit_seen("gc", 0, 4 * GC_MARK, "heap[1] is ");
    expect_left_out_seen("gc", 0);
    expect_left_out_seen("gc", 1);
}
