/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/sort.h"

#include <string.h>

#define NETWORK_MAX (1u << 18) /* entries that are sorted without the kernels of chunks */
#define CHUNK (1u << 16)       /* entries a launch of those */

/* Places of the instructions: of the heads in the kernel's code, of the tails from the end of the
 * code, and of what is in several kernels behind the first of it. */
/* clang-format off */
enum { MARS_SORT_HEAD(INSN_INDEX) SORT_KEYS };
enum { MARS_SORT_TAIL(INSN_INDEX) SORT_TAIL };
enum { MARS_CHUNK_HEAD(INSN_INDEX) CHUNK_KEYS };
enum { MARS_CHUNK_TAIL(INSN_INDEX) CHUNK_TAIL };
enum { MARS_BOUNDARY_HEAD(INSN_INDEX) BOUNDARY_KEYS };
enum { MARS_BOUNDARY_TAIL(INSN_INDEX) BOUNDARY_TAIL };
enum { MARS_ORDER(INSN_INDEX, ORDER) };
enum { MARS_SWAP(INSN_INDEX, STEP) };

#define INIT(I) \
    I(ALU, INIT_ID, OP_INT_MAD, MARS_R_ID, REG_NONE) \
    I(ALU, INIT_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(ALU, INIT_VALUE, OP_INT_ADD, MARS_R_ENTRY, REG_NONE) \
    I(STORE, INIT_STORE, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_ADDRESS)
SIMT_CODE(mars_sort_init, INIT, .registers = 8);
/* clang-format on */

static void init(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    struct mars_entry none[SIMT_THREADS];
    simt_alus(s, INIT_ID, INIT_VALUE);
    SIMT_EACH(s, t) {
        none[t] = (struct mars_entry){MARS_NO_KEY, MARS_NO_KEY, MARS_NO_KEY, MARS_NO_KEY};
    }
    simt_store(s, INIT_STORE, none, &mars_now(m)->group.padded, element_x(mars_thread(s), 1));
}

static unsigned tail_of(const struct simt *s, unsigned count) {
    return s->launch->code->insn_count - count;
}

/* Below, equal or above zero. @at: of MARS_ORDER, @at_keys: of the program's comparison. */
static void find_order(struct simt *s, const struct mars *m, unsigned at, unsigned at_keys,
                       const struct buffer *keys, const struct mars_entry *a,
                       const struct mars_entry *b, int32_t *order) {
    struct simt_mask keyed;
    simt_alus(s, at + ORDER_PAD_A, at + ORDER_PAD_EITHER);
    SIMT_EACH(s, t) {
        order[t] = (a[t].key_at != MARS_NO_KEY) - (b[t].key_at != MARS_NO_KEY);
    }
    SIMT_WHERE(s, keyed, t, a[t].key_at != MARS_NO_KEY && b[t].key_at != MARS_NO_KEY);
    SIMT_IF(s, at + ORDER_PAD_BRANCH, &keyed) {
        simt_alus(s, at + ORDER_KEY_A, at + ORDER_KEY_B);
        m->app->compare(s, m, at_keys, keys, a, b, order);
    }
}

/* The pairs that are out of order: entry @first + t goes up where its bit @k is clear. */
static void find_wrong(struct simt *s, unsigned at, const int32_t *order, int64_t first, unsigned k,
                       struct simt_mask *wrong) {
    simt_alus(s, at + STEP_DIRECTION, at + STEP_WRONG);
    SIMT_WHERE(s, *wrong, t, ((first + t) & k) == 0 ? order[t] > 0 : order[t] < 0);
}

/* if (partner > i) compare entries i and partner = i ^ j, and exchange them if need be. */
static void sort(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_group *g = &mars_now(m)->group;
    const int64_t first = mars_thread(s);
    const unsigned tail = tail_of(s, SORT_TAIL);
    struct mars_entry a[SIMT_THREADS], b[SIMT_THREADS];
    int32_t partner[SIMT_THREADS], order[SIMT_THREADS];
    struct simt_mask lower, wrong;

    simt_alus(s, SORT_ID, SORT_GUARD_COMPARE);
    SIMT_EACH(s, t) {
        partner[t] = (int32_t)((first + t) ^ m->sort_j);
    }
    SIMT_WHERE(s, lower, t, partner[t] > first + t);
    SIMT_IF(s, SORT_GUARD, &lower) {
        simt_alus(s, SORT_A_ADDRESS, SORT_B_ADDRESS);
        simt_load(s, SORT_LOAD_A, a, &g->padded, element_x(first, 1));
        simt_load(s, SORT_LOAD_B, b, &g->padded, element_lane(partner));
        find_order(s, m, SORT_PAD_A, SORT_KEYS, &g->padded_keys, a, b, order);
        find_wrong(s, tail + SORT_DIRECTION, order, first, m->sort_k, &wrong);
        SIMT_IF(s, tail + SORT_SWAP, &wrong) {
            simt_store(s, tail + SORT_STORE_A, b, &g->padded, element_x(first, 1));
            simt_store(s, tail + SORT_STORE_B, a, &g->padded, element_lane(partner));
        }
    }
}

/* One step of sort_chunk(): of the CTA's entries the one at t and its partner. */
static void chunk_step(struct simt *s, const struct mars *m, const struct buffer *shared,
                       unsigned k, unsigned j) {
    const int64_t first = m->first + mars_thread(s);
    const unsigned tail = tail_of(s, CHUNK_TAIL);
    struct mars_entry a[SIMT_THREADS], b[SIMT_THREADS];
    int32_t partner[SIMT_THREADS], order[SIMT_THREADS];
    struct simt_mask lower, wrong;
    simt_alus(s, CHUNK_PARTNER, CHUNK_GUARD_COMPARE);
    SIMT_EACH(s, t) {
        partner[t] = (int32_t)(t ^ j);
    }
    SIMT_WHERE(s, lower, t, (t ^ j) > t);
    SIMT_IF(s, CHUNK_GUARD, &lower) {
        simt_alu(s, CHUNK_PARTNER_PLACE);
        simt_load(s, CHUNK_LOAD_A, a, shared, element_x(0, 1));
        simt_load(s, CHUNK_LOAD_B, b, shared, element_lane(partner));
        find_order(s, m, CHUNK_PAD_A, CHUNK_KEYS, &mars_now(m)->group.padded_keys, a, b, order);
        find_wrong(s, tail + CHUNK_DIRECTION, order, first, k, &wrong);
        SIMT_IF(s, tail + CHUNK_SWAP, &wrong) {
            simt_store(s, tail + CHUNK_STORE_A, b, shared, element_x(0, 1));
            simt_store(s, tail + CHUNK_STORE_B, a, shared, element_lane(partner));
        }
    }
}

/* All steps within 256 entries: sort_k = 0: those of k = 2 .. 256; else the last of that k. */
static void sort_chunk(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct buffer *padded = &mars_now(m)->group.padded;
    const struct buffer shared = simt_shared(s, 0, MARS_BLOCK, 16);
    const int64_t first = m->first + mars_thread(s);
    const unsigned tail = tail_of(s, CHUNK_TAIL);
    struct mars_entry entry[SIMT_THREADS];
    unsigned k = m->sort_k ? m->sort_k : 2, j = m->sort_k ? MARS_BLOCK / 2 : 1;

    simt_alus(s, CHUNK_ID, CHUNK_ADDRESS);
    simt_load(s, CHUNK_LOAD, entry, padded, element_x(first, 1));
    simt_alu(s, CHUNK_PLACE);
    simt_store(s, CHUNK_SHARE, entry, &shared, element_x(0, 1));
    simt_barrier(s, CHUNK_BARRIER);
    SIMT_FOR(s, CHUNK_STEPS, step, m->sort_k ? 8 : 36) {
        chunk_step(s, m, &shared, k, j);
        simt_barrier(s, tail + CHUNK_STEP_BARRIER);
        simt_alus(s, tail + CHUNK_NEXT, tail + CHUNK_AGAIN);
        k = j > 1 ? k : 2 * k;
        j = j > 1 ? j / 2 : k / 2;
    }
    simt_load(s, tail + CHUNK_UNSHARE, entry, &shared, element_x(0, 1));
    simt_store(s, tail + CHUNK_STORE, entry, padded, element_x(first, 1));
}

/* start[i] = i == 0 || key of entry i - 1 != key of entry i; */
static void boundary(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_group *g = &mars_now(m)->group;
    const int64_t first = m->first + mars_thread(s);
    const unsigned tail = tail_of(s, BOUNDARY_TAIL);
    struct mars_entry a[SIMT_THREADS], b[SIMT_THREADS];
    int32_t order[SIMT_THREADS];
    struct simt_mask inside, behind;
    simt_alus(s, BOUNDARY_ID, BOUNDARY_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < g->sorted.count);
    SIMT_IF(s, BOUNDARY_GUARD, &inside) {
        SIMT_EACH(s, t) {
            order[t] = 1;
        }
        simt_alus(s, BOUNDARY_FIRST_COMPARE, BOUNDARY_STARTS);
        SIMT_WHERE(s, behind, t, first + t > 0);
        SIMT_IF(s, BOUNDARY_FIRST, &behind) {
            simt_alu(s, BOUNDARY_ADDRESS);
            simt_load(s, BOUNDARY_LOAD_A, a, &g->sorted.entries, element_x(first, 1));
            simt_load(s, BOUNDARY_LOAD_B, b, &g->sorted.entries, element_x(first - 1, 1));
            find_order(s, m, BOUNDARY_PAD_A, BOUNDARY_KEYS, &g->sorted.keys, a, b, order);
        }
        SIMT_ALU(s, tail + BOUNDARY_DIFFERS, t) {
            order[t] = order[t] != 0;
        }
        simt_alu(s, tail + BOUNDARY_START_ADDRESS);
        simt_store(s, tail + BOUNDARY_STORE, order, &g->start, element_x(first, 1));
    }
}

static bool launch_step(struct mars *m, unsigned k, unsigned j, struct host_launch *out) {
    m->sort_k = k;
    m->sort_j = j;
    *out = (struct host_launch){
        {m->app->sort_code, {mars_now(m)->group.power / MARS_BLOCK, 1, 1}, {MARS_BLOCK, 1, 1}},
        sort};
    return true;
}

static bool launch_chunk(struct mars *m, unsigned k, unsigned chunk, struct host_launch *out) {
    m->sort_k = k;
    m->first = chunk * CHUNK;
    *out = (struct host_launch){
        {m->app->chunk_code, {CHUNK / MARS_BLOCK, 1, 1}, {MARS_BLOCK, 1, 1}}, sort_chunk};
    return true;
}

/* The whole network, a launch a step. */
static bool launch_network(struct mars *m, unsigned i, struct host_launch *out) {
    for (unsigned k = 2; k <= mars_now(m)->group.power; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            if (i-- == 0) {
                return launch_step(m, k, j, out);
            }
        }
    }
    return false;
}

/* The same network, with the steps that stay within 256 entries in shared memory. */
static bool launch_chunked(struct mars *m, unsigned i, struct host_launch *out) {
    const unsigned power = mars_now(m)->group.power, chunks = power / CHUNK;
    if (i < chunks) {
        return launch_chunk(m, 0, i, out);
    }
    i -= chunks;
    for (unsigned k = 2 * MARS_BLOCK; k <= power; k *= 2, i -= chunks) {
        for (unsigned j = k / 2; j >= MARS_BLOCK; j /= 2) {
            if (i-- == 0) {
                return launch_step(m, k, j, out);
            }
        }
        if (i < chunks) {
            return launch_chunk(m, k, i, out);
        }
    }
    return false;
}

bool mars_launch_sort(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    const struct mars_group *g = &mars_now(m)->group;
    const struct mars_records *unsorted = &mars_now(m)->out[MARS_MAP].records;
    if (i == 0) {
        *out = (struct host_launch){
            {&mars_sort_init_code, {g->power / MARS_POWER_MIN, 1, 1}, {MARS_POWER_MIN, 1, 1}},
            init};
        return true;
    }
    if (i == 1) {
        memcpy(g->padded.data, unsorted->entries.data, unsorted->count * sizeof(struct mars_entry));
    }
    return g->power > NETWORK_MAX ? launch_chunked(m, i - 1, out) : launch_network(m, i - 1, out);
}

bool mars_launch_starts(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return mars_launch_entries(m, i, mars_now(m)->group.sorted.count, MARS_POWER_MIN,
                               m->app->boundary_code, boundary, out);
}
