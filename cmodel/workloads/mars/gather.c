/* SPDX-License-Identifier: Apache-2.0
 *
 * After the sort values and keys are copied into the order of the directory, then the groups of
 * equal keys are written.
 */
#include "workloads/mars/mars.h"

#define BLOCK 512
#define COPY_BLOCK 128
#define GRID 512

enum {
    R_ID,
    R_PREDICATE,
    R_ADDRESS,
    R_ENTRY,
    R_PIECE,
    R_SIZE,
    R_FROM,
    R_TO,
    R_BYTE,
    REGISTERS = 11
};

/* clang-format off */

#define HEAD(I, N) \
    I(ALU, N##_ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, N##_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, N##_GUARD, R_PREDICATE) \
    I(ALU, N##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ID)

#define PIECES(I) \
    HEAD(I, PIECES) \
    I(LOAD, PIECES_LOAD, SPACE_GLOBAL, 16, R_ENTRY, R_ADDRESS) \
    I(ALU, PIECES_TO, OP_INT_MAD, R_TO, R_ID) \
    I(STORE, PIECES_STORE_AT, SPACE_GLOBAL, 4, R_ENTRY, R_TO) \
    I(STORE, PIECES_STORE_SIZE, SPACE_GLOBAL, 4, R_ENTRY, R_TO)
SIMT_CODE(mars_get_pieces, PIECES, .registers = REGISTERS);

#define SIZES(I) \
    HEAD(I, SIZES) \
    I(LOAD, SIZES_LOAD, SPACE_GLOBAL, 8, R_PIECE, R_ADDRESS) \
    I(ALU, SIZES_TO, OP_INT_MAD, R_TO, R_ID) \
    I(STORE, SIZES_STORE, SPACE_GLOBAL, 4, R_PIECE, R_TO)
SIMT_CODE(mars_get_sizes, SIZES, .registers = REGISTERS);

#define COPY(I) \
    HEAD(I, COPY) \
    I(LOAD, COPY_LOAD_PIECE, SPACE_GLOBAL, 8, R_PIECE, R_ADDRESS) \
    I(ALU, COPY_SUM_ADDRESS, OP_INT_MAD, R_TO, R_ID) \
    I(LOAD, COPY_LOAD_SUM, SPACE_GLOBAL, 4, R_SIZE, R_TO) \
    I(ALU, COPY_FROM, OP_INT_ADD, R_FROM, R_PIECE) \
    I(ALU, COPY_TO, OP_INT_ADD, R_TO, R_SIZE) \
    I(LOOP, COPY_BYTES) \
    I(LOAD, COPY_LOAD, SPACE_GLOBAL, 1, R_BYTE, R_FROM) \
    I(STORE, COPY_STORE, SPACE_GLOBAL, 1, R_BYTE, R_TO) \
    I(ALU, COPY_NEXT_FROM, OP_INT_ADD, R_FROM, R_FROM) \
    I(ALU, COPY_NEXT_TO, OP_INT_ADD, R_TO, R_TO) \
    I(ALU, COPY_COMPARE, OP_INT_ADD, R_PREDICATE, R_FROM, R_PIECE) \
    I(BRANCH, COPY_AGAIN, R_PREDICATE) \
    I(STORE, COPY_STORE_PIECE, SPACE_GLOBAL, 8, R_SIZE, R_ADDRESS)
SIMT_CODE(mars_copy_chunks, COPY, .registers = REGISTERS);

#define SET(I) \
    HEAD(I, SET) \
    I(LOAD, SET_LOAD, SPACE_GLOBAL, 16, R_ENTRY, R_ADDRESS) \
    I(ALU, SET_FROM, OP_INT_MAD, R_FROM, R_ID) \
    I(LOAD, SET_LOAD_PIECE, SPACE_GLOBAL, 8, R_PIECE, R_FROM) \
    I(ALU, SET_ENTRY, OP_INT_ADD, R_ENTRY, R_ENTRY, R_PIECE) \
    I(STORE, SET_STORE, SPACE_GLOBAL, 16, R_ENTRY, R_ADDRESS)
SIMT_CODE(mars_set_pieces, SET, .registers = REGISTERS);

#define FIRST(I) \
    HEAD(I, FIRST) \
    I(LOAD, FIRST_LOAD_START, SPACE_GLOBAL, 4, R_SIZE, R_ADDRESS) \
    I(LOAD, FIRST_LOAD_RANK, SPACE_GLOBAL, 4, R_TO, R_ADDRESS) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_SIZE) \
    I(BRANCH, FIRST_BRANCH, R_PREDICATE) \
    I(ALU, FIRST_TO, OP_INT_MAD, R_TO, R_TO) \
    I(STORE, FIRST_STORE, SPACE_GLOBAL, 4, R_ID, R_TO)
SIMT_CODE(mars_write_boundary, FIRST, .registers = REGISTERS);

#define RANGE(I) \
    HEAD(I, RANGE) \
    I(LOAD, RANGE_LOAD_FIRST, SPACE_GLOBAL, 4, R_FROM, R_ADDRESS) \
    I(LOAD, RANGE_LOAD_NEXT, SPACE_GLOBAL, 4, R_TO, R_ADDRESS) \
    I(ALU, RANGE_TO, OP_INT_MAD, R_ADDRESS, R_ID) \
    I(ALU, RANGE_PAIR, OP_INT_ADD, R_FROM, R_FROM, R_TO) \
    I(STORE, RANGE_STORE, SPACE_GLOBAL, 8, R_FROM, R_ADDRESS)
SIMT_CODE(mars_set_boundary, RANGE, .registers = REGISTERS);

enum { HEAD(INSN_INDEX, HEAD) }; /* the first instructions of all of them */

/* clang-format on */

/* The id, the guard's comparison, and the threads that have an entry. */
static int64_t find_inside(struct simt *s, const struct mars *m, unsigned count,
                           struct simt_mask *inside) {
    const int64_t first = m->first + mars_thread(s);
    simt_alus(s, HEAD_ID, HEAD_GUARD_COMPARE);
    SIMT_WHERE(s, *inside, t, first + t < count);
    return first;
}

/* pieces[i] = where the entry's value is and how long, or its key. */
static void get_pieces(struct simt *s, const struct mars *m, bool of_keys) {
    const struct mars_group *g = &mars_now(m)->group;
    const struct buffer words = mars_words(&g->pieces);
    struct mars_entry entry[SIMT_THREADS];
    int32_t at[SIMT_THREADS], size[SIMT_THREADS];
    struct simt_mask inside;
    const int64_t first = find_inside(s, m, g->sorted.count, &inside);
    SIMT_IF(s, PIECES_GUARD, &inside) {
        simt_alu(s, PIECES_ADDRESS);
        simt_load(s, PIECES_LOAD, entry, &g->sorted.entries, element_x(first, 1));
        simt_alu(s, PIECES_TO);
        SIMT_EACH(s, t) {
            at[t] = of_keys ? entry[t].key_at : entry[t].value_at;
            size[t] = of_keys ? entry[t].key_size : entry[t].value_size;
        }
        simt_store(s, PIECES_STORE_AT, at, &words, element_x(2 * first, 2));
        simt_store(s, PIECES_STORE_SIZE, size, &words, element_x(2 * first + 1, 2));
    }
}

static void get_keys(struct simt *s, const void *arguments) {
    get_pieces(s, arguments, true);
}

static void get_values(struct simt *s, const void *arguments) {
    get_pieces(s, arguments, false);
}

static void get_sizes(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_group *g = &mars_now(m)->group;
    struct mars_pair piece[SIMT_THREADS];
    int32_t size[SIMT_THREADS];
    struct simt_mask inside;
    const int64_t first = find_inside(s, m, g->sorted.count, &inside);
    SIMT_IF(s, SIZES_GUARD, &inside) {
        simt_alu(s, SIZES_ADDRESS);
        simt_load(s, SIZES_LOAD, piece, &g->pieces, element_x(first, 1));
        SIMT_ALU(s, SIZES_TO, t) {
            size[t] = piece[t].y;
        }
        simt_store(s, SIZES_STORE, size, &g->sizes, element_x(first, 1));
    }
}

/* for (b = 0; b < size; b++) to[sum + b] = from[at + b]; pieces[i] = where it is now. */
static void copy(struct simt *s, const struct mars *m, const struct buffer *from,
                 const struct buffer *to) {
    const struct mars_group *g = &mars_now(m)->group;
    struct mars_pair piece[SIMT_THREADS];
    int32_t at[SIMT_THREADS], sum[SIMT_THREADS], done[SIMT_THREADS];
    uint8_t byte[SIMT_THREADS];
    struct simt_mask inside, left;
    const int64_t first = find_inside(s, m, g->sorted.count, &inside);
    SIMT_IF(s, COPY_GUARD, &inside) {
        simt_alu(s, COPY_ADDRESS);
        simt_load(s, COPY_LOAD_PIECE, piece, &g->pieces, element_x(first, 1));
        simt_alu(s, COPY_SUM_ADDRESS);
        simt_load(s, COPY_LOAD_SUM, sum, &g->sums, element_x(first, 1));
        simt_alus(s, COPY_FROM, COPY_TO);
        SIMT_EACH(s, t) {
            at[t] = piece[t].x;
            piece[t].x = sum[t];
            done[t] = 0;
        }
        SIMT_LOOP(s, COPY_BYTES) {
            simt_load(s, COPY_LOAD, byte, from, element_lane(at));
            simt_store(s, COPY_STORE, byte, to, element_lane(sum));
            simt_alus(s, COPY_NEXT_FROM, COPY_COMPARE);
            SIMT_EACH(s, t) {
                at[t]++;
                sum[t]++;
                done[t]++;
            }
            SIMT_WHERE(s, left, t, done[t] < piece[t].y);
            simt_while(s, COPY_AGAIN, &left);
        }
        simt_store(s, COPY_STORE_PIECE, piece, &g->pieces, element_x(first, 1));
    }
}

static void copy_keys(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_call *c = mars_now(m);
    copy(s, m, &c->out[MARS_MAP].records.keys, &c->group.sorted.keys);
}

static void copy_values(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_call *c = mars_now(m);
    copy(s, m, &c->out[MARS_MAP].records.values, &c->group.sorted.values);
}

static void set_pieces(struct simt *s, const struct mars *m, bool of_keys) {
    const struct mars_group *g = &mars_now(m)->group;
    struct mars_entry entry[SIMT_THREADS];
    struct mars_pair piece[SIMT_THREADS];
    struct simt_mask inside;
    const int64_t first = find_inside(s, m, g->sorted.count, &inside);
    SIMT_IF(s, SET_GUARD, &inside) {
        simt_alu(s, SET_ADDRESS);
        simt_load(s, SET_LOAD, entry, &g->sorted.entries, element_x(first, 1));
        simt_alu(s, SET_FROM);
        simt_load(s, SET_LOAD_PIECE, piece, &g->pieces, element_x(first, 1));
        SIMT_ALU(s, SET_ENTRY, t) {
            *(of_keys ? &entry[t].key_at : &entry[t].value_at) = piece[t].x;
            *(of_keys ? &entry[t].key_size : &entry[t].value_size) = piece[t].y;
        }
        simt_store(s, SET_STORE, entry, &g->sorted.entries, element_x(first, 1));
    }
}

static void set_keys(struct simt *s, const void *arguments) {
    set_pieces(s, arguments, true);
}

static void set_values(struct simt *s, const void *arguments) {
    set_pieces(s, arguments, false);
}

/* if (start[i]) first[rank[i]] = i; */
static void write_boundary(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_group *g = &mars_now(m)->group;
    int32_t start[SIMT_THREADS], rank[SIMT_THREADS], entry[SIMT_THREADS];
    struct simt_mask inside, starts;
    const int64_t first = find_inside(s, m, g->sorted.count, &inside);
    SIMT_IF(s, FIRST_GUARD, &inside) {
        simt_alu(s, FIRST_ADDRESS);
        simt_load(s, FIRST_LOAD_START, start, &g->start, element_x(first, 1));
        simt_load(s, FIRST_LOAD_RANK, rank, &g->rank, element_x(first, 1));
        simt_alu(s, FIRST_COMPARE);
        SIMT_WHERE(s, starts, t, start[t]);
        SIMT_IF(s, FIRST_BRANCH, &starts) {
            SIMT_ALU(s, FIRST_TO, t) {
                entry[t] = (int32_t)(first + t);
            }
            simt_store(s, FIRST_STORE, entry, &g->first, element_lane(rank));
        }
    }
}

/* range[g] = {first[g], first[g + 1]}; */
static void set_boundary(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_group *g = &mars_now(m)->group;
    struct mars_pair range[SIMT_THREADS];
    int32_t from[SIMT_THREADS], to[SIMT_THREADS];
    struct simt_mask inside;
    const int64_t first = find_inside(s, m, g->count, &inside);
    SIMT_IF(s, RANGE_GUARD, &inside) {
        simt_alu(s, RANGE_ADDRESS);
        simt_load(s, RANGE_LOAD_FIRST, from, &g->first, element_x(first, 1));
        simt_load(s, RANGE_LOAD_NEXT, to, &g->first, element_x(first + 1, 1));
        simt_alus(s, RANGE_TO, RANGE_PAIR);
        SIMT_EACH(s, t) {
            range[t] = (struct mars_pair){from[t], to[t]};
        }
        simt_store(s, RANGE_STORE, range, &g->range, element_x(first, 1));
    }
}

bool mars_launch_entries(struct mars *m, unsigned i, unsigned n, unsigned threads,
                         const struct kernel_code *code, simt_kernel *kernel,
                         struct host_launch *out) {
    m->first = i * GRID * threads;
    *out = (struct host_launch){{code, {GRID, 1, 1}, {threads, 1, 1}}, kernel};
    return m->first < n;
}

bool mars_launch_pieces(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, BLOCK, &mars_get_pieces_code,
                               what == MARS_KEYS ? get_keys : get_values, out);
}

bool mars_launch_sizes(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, BLOCK, &mars_get_sizes_code,
                               get_sizes, out);
}

bool mars_launch_copy(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, COPY_BLOCK,
                               &mars_copy_chunks_code, what == MARS_KEYS ? copy_keys : copy_values,
                               out);
}

bool mars_launch_set(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, BLOCK, &mars_set_pieces_code,
                               what == MARS_KEYS ? set_keys : set_values, out);
}

bool mars_launch_firsts(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, BLOCK,
                               &mars_write_boundary_code, write_boundary, out);
}

bool mars_launch_ranges(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return mars_launch_entries(m, i, mars_now(m)->group.count, BLOCK, &mars_set_boundary_code,
                               set_boundary, out);
}
