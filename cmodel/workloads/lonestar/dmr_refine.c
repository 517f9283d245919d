/* SPDX-License-Identifier: Apache-2.0
 *
 * dmr's second kernel: each thread finds its bad triangle's cavity and claims it, in three steps
 * that all threads of the grid take together; a thread that got all of it replaces it by new
 * triangles.
 */
#include "workloads/lonestar/dmr_refine.h"

static const struct insn insns[] = {DMR_REFINE(INSN_ROW)};
static const struct kernel_code code = {.name = "dmr_refine",
                                        .insns = insns,
                                        .insn_count = sizeof insns / sizeof *insns,
                                        .registers = 63,
                                        .local_bytes = DMR_LOCAL_BYTES,
                                        .local_ctas =
                                            DMR_CORES * 8, /* MeDiC table I: 8 CTAs a core */
                                        .together = true};
_Static_assert(R_REGISTERS <= 63, "the registers that the code names");

void dmr_each(struct simt *s, struct refine *r, unsigned first, const struct buffer *list,
              unsigned base, unsigned step, const int32_t *count, dmr_visit *visit, unsigned then) {
    int32_t at[DMR_THREADS] = {0}, member[DMR_THREADS];
    struct simt_mask some;
    SIMT_LOOP(s, first) {
        simt_alu(s, first + DMR_EACH_COMPARE);
        SIMT_WHERE(s, some, t, at[t] < count[t]);
        simt_while(s, first + DMR_EACH_BRANCH, &some);
        simt_alu(s, first + DMR_EACH_ADDRESS);
        simt_load(s, first + DMR_EACH_MEMBER, member, list,
                  (struct element){.base = base, .scale = step, .lane = at});
        visit(s, r, member, then);
        SIMT_ALU(s, first + DMR_EACH_NEXT, t) {
            at[t]++;
        }
    }
}

/* All members of the cavity, then all elements beyond its boundary. */
static void each_claimed(struct simt *s, struct refine *r, unsigned cells, unsigned edges,
                         dmr_visit *visit, unsigned cell, unsigned edge) {
    dmr_each(s, r, cells, &r->cavity, 0, 1, r->cells, visit, cell);
    dmr_each(s, r, edges, &r->boundary, 2, 4, r->edges, visit, edge);
}

/* A thread's number in the grid. */
static int32_t number(const struct simt *s, unsigned t) {
    return (int32_t)(s->cta[0] * DMR_THREADS + t);
}

static void claim(struct simt *s, struct refine *r, const int32_t *member, unsigned then) {
    int32_t id[DMR_THREADS];
    simt_alu(s, then);
    SIMT_EACH(s, t) {
        id[t] = number(s, t);
    }
    simt_store(s, then + 1, id, &r->k->owner, element_lane(member));
}

static void contest(struct simt *s, struct refine *r, const int32_t *member, unsigned then) {
    int32_t id[DMR_THREADS], owner[DMR_THREADS];
    struct simt_mask others;
    simt_alu(s, then);
    simt_load(s, then + 1, owner, &r->k->owner, element_lane(member));
    SIMT_ALU(s, then + 2, t) {
        id[t] = number(s, t);
    }
    SIMT_WHERE(s, others, t, owner[t] != id[t]);
    SIMT_IF(s, then + 3, &others) {
        simt_atomic(s, then + 4, SIMT_MIN, NULL, id, NULL, &r->k->owner, element_lane(member));
    }
}

static void verify(struct simt *s, struct refine *r, const int32_t *member, unsigned then) {
    int32_t owner[DMR_THREADS];
    simt_alu(s, then);
    simt_load(s, then + 1, owner, &r->k->owner, element_lane(member));
    SIMT_ALU(s, then + 2, t) {
        r->again[t] |= owner[t] != number(s, t);
    }
}

/* --- The barrier across the grid. --- */

/* The first CTA's threads wait for the flags of all, then take them back. */
static void gather_flags(struct simt *s, const struct dmr *k, unsigned first) {
    int32_t flag[DMR_THREADS], zero[DMR_THREADS] = {0};
    struct simt_mask some;
    simt_alu(s, first + (SYNC_1_FIRST_PEER - SYNC_1_FENCE));
    SIMT_FOR(s, first + (SYNC_1_PEERS - SYNC_1_FENCE), i, k->refine_ctas / DMR_THREADS + 1) {
        simt_alu(s, first + (SYNC_1_PEERS_COMPARE - SYNC_1_FENCE));
        SIMT_WHERE(s, some, t, i * DMR_THREADS + t < k->refine_ctas);
        simt_while(s, first + (SYNC_1_PEERS_BRANCH - SYNC_1_FENCE), &some);
        simt_alu(s, first + (SYNC_1_PEER_ADDRESS - SYNC_1_FENCE));
        SIMT_LOOP(s, first + (SYNC_1_SPIN - SYNC_1_FENCE)) {
            simt_load(s, first + (SYNC_1_SPIN_LOAD - SYNC_1_FENCE), flag, &k->flag,
                      element_x(i * DMR_THREADS, 1));
            simt_alu(s, first + (SYNC_1_SPIN_COMPARE - SYNC_1_FENCE));
            SIMT_WHERE(s, some, t, !flag[t]);
            simt_while(s, first + (SYNC_1_SPIN_BRANCH - SYNC_1_FENCE), &some);
        }
        simt_alu(s, first + (SYNC_1_PEERS_NEXT - SYNC_1_FENCE));
    }
    simt_barrier(s, first + (SYNC_1_ALL - SYNC_1_FENCE));
    simt_alus(s, first + (SYNC_1_LOWER_PEER - SYNC_1_FENCE), first + (SYNC_1_ZERO - SYNC_1_FENCE));
    SIMT_FOR(s, first + (SYNC_1_LOWER - SYNC_1_FENCE), i, k->refine_ctas / DMR_THREADS + 1) {
        simt_alu(s, first + (SYNC_1_LOWER_COMPARE - SYNC_1_FENCE));
        SIMT_WHERE(s, some, t, i * DMR_THREADS + t < k->refine_ctas);
        simt_while(s, first + (SYNC_1_LOWER_BRANCH - SYNC_1_FENCE), &some);
        simt_alu(s, first + (SYNC_1_LOWER_ADDRESS - SYNC_1_FENCE));
        simt_store(s, first + (SYNC_1_LOWER_STORE - SYNC_1_FENCE), zero, &k->flag,
                   element_x(i * DMR_THREADS, 1));
        simt_alu(s, first + (SYNC_1_LOWER_NEXT - SYNC_1_FENCE));
    }
}

/* The launch is cut where all flags are up: the first CTA finds them so in one round, and the
 * others find theirs taken back. @first: of DMR_SYNC */
static void sync(struct simt *s, const struct dmr *k, unsigned first) {
    int32_t flag[DMR_THREADS] = {1};
    struct simt_mask some;
    simt_alu(s, first);
    simt_barrier(s, first + (SYNC_1_ARRIVE - SYNC_1_FENCE));
    SIMT_WHERE(s, some, t, t == 0);
    SIMT_IF(s, first + (SYNC_1_RAISE_BRANCH - SYNC_1_FENCE), &some) {
        simt_alu(s, first + (SYNC_1_RAISE_ADDRESS - SYNC_1_FENCE));
        simt_store(s, first + (SYNC_1_RAISE - SYNC_1_FENCE), flag, &k->flag, element_at(s->cta[0]));
    }
    simt_grid_barrier(s);
    simt_alu(s, first + (SYNC_1_FIRST_BRANCH - SYNC_1_FENCE));
    if (s->cta[0] == 0) {
        gather_flags(s, k, first);
    } else {
        SIMT_WHERE(s, some, t, t == 0);
        SIMT_IF(s, first + (SYNC_1_WAIT_BRANCH - SYNC_1_FENCE), &some) {
            SIMT_LOOP(s, first + (SYNC_1_WAIT - SYNC_1_FENCE)) {
                simt_load(s, first + (SYNC_1_WAIT_LOAD - SYNC_1_FENCE), flag, &k->flag,
                          element_at(s->cta[0]));
                simt_alu(s, first + (SYNC_1_WAIT_COMPARE - SYNC_1_FENCE));
                SIMT_WHERE(s, some, t, flag[t]);
                simt_while(s, first + (SYNC_1_WAIT_AGAIN - SYNC_1_FENCE), &some);
            }
        }
    }
    simt_barrier(s, first + (SYNC_1_LEAVE - SYNC_1_FENCE));
}

/* --- A round: an item a thread. --- */

/* has = the item is a triangle that is still there and bad. */
static void fetch(struct simt *s, struct refine *r, unsigned rounds, unsigned round) {
    const struct dmr *k = r->k;
    int32_t item[DMR_THREADS], items[DMR_THREADS];
    uint8_t bad[DMR_THREADS], deleted[DMR_THREADS];
    struct simt_mask some;
    SIMT_ALU(s, ITEM, t) {
        item[t] = number(s, t) * (int32_t)rounds + (int32_t)round;
        r->has[t] = r->again[t] = 0;
        r->cells[t] = r->edges[t] = 0;
    }
    simt_alu(s, INDEX_ADDRESS);
    simt_load(s, LOAD_INDEX, items, &k->index[k->in], element_at(0));
    simt_alu(s, ITEM_COMPARE);
    SIMT_WHERE(s, some, t, item[t] < items[t]);
    SIMT_IF(s, ITEM_BRANCH, &some) {
        simt_alu(s, LIST_ADDRESS);
        simt_load(s, LOAD_LIST, r->element, &k->list[k->in], element_lane(item));
        simt_alu(s, FETCH_BAD_ADDRESS);
        simt_load(s, FETCH_BAD_LOAD, bad, &k->is_bad, element_lane(r->element));
        simt_alu(s, FETCH_DELETED_ADDRESS);
        simt_load(s, FETCH_DELETED_LOAD, deleted, &k->is_deleted, element_lane(r->element));
        SIMT_ALU(s, WORK_COMPARE, t) {
            r->has[t] = bad[t] && !deleted[t];
        }
        SIMT_WHERE(s, some, t, r->has[t]);
        SIMT_IF(s, WORK_BRANCH, &some) {
            dmr_find_centre(s, r);
            dmr_find_cavity(s, r);
        }
    }
}

/* Back to the list: who lost his cavity, and who refined another element than his own. */
static void push_again(struct simt *s, struct refine *r) {
    const struct dmr *k = r->k;
    int32_t one[DMR_THREADS], at[DMR_THREADS], room[DMR_THREADS];
    struct simt_mask some;
    SIMT_WHERE(s, some, t, r->again[t]);
    SIMT_IF(s, AGAIN_IF, &some) {
        SIMT_ALU(s, AGAIN_ADDRESS, t) {
            one[t] = 1;
        }
        simt_atomic(s, AGAIN_PLACE, SIMT_ADD, at, one, NULL, &k->index[k->out], element_at(0));
        simt_load(s, AGAIN_ROOM, room, &k->room[k->out], element_at(0));
        simt_alus(s, AGAIN_COMPARE, AGAIN_STORE_ADDRESS);
        simt_store(s, AGAIN_STORE, r->element, &k->list[k->out], element_lane(at));
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct dmr *k = arguments;
    struct refine r = {.k = k,
                       .cavity = simt_local(s, 0, DMR_CAVITY, 4),
                       .boundary = simt_local(s, DMR_CAVITY * 4, DMR_BOUNDARY, 4)};
    int32_t items[DMR_THREADS];
    struct simt_mask some;

    simt_alus(s, ID, ITEMS_ADDRESS);
    simt_load(s, LOAD_ITEMS, items, &k->index[k->in], element_at(0));
    simt_alus(s, ROUNDS, ROUND_FIRST);
    const unsigned threads = k->refine_ctas * DMR_THREADS;
    const unsigned rounds = ((unsigned)items[0] + threads - 1) / threads;
    SIMT_FOR(s, ROUND, round, rounds) {
        simt_alus(s, ROUND_COMPARE, ROUND_BRANCH);
        fetch(s, &r, rounds, round);
        SIMT_WHERE(s, some, t, r.has[t]);
        SIMT_IF(s, CLAIM_IF, &some) {
            each_claimed(s, &r, CLAIM_CELLS, CLAIM_EDGES, claim, CLAIM_CELL_ADDRESS,
                         CLAIM_EDGE_ADDRESS);
        }
        sync(s, k, SYNC_1_FENCE);
        SIMT_IF(s, CONTEST_IF, &some) {
            each_claimed(s, &r, CONTEST_CELLS, CONTEST_EDGES, contest, CONTEST_CELL_ADDRESS,
                         CONTEST_EDGE_ADDRESS);
        }
        sync(s, k, SYNC_2_FENCE);
        SIMT_IF(s, VERIFY_IF, &some) {
            each_claimed(s, &r, VERIFY_CELLS, VERIFY_EDGES, verify, VERIFY_CELL_ADDRESS,
                         VERIFY_EDGE_ADDRESS);
        }
        SIMT_WHERE(s, some, t, r.has[t] && !r.again[t]);
        SIMT_IF(s, UPDATE_IF, &some) {
            dmr_update(s, &r);
        }
        push_again(s, &r);
        sync(s, k, SYNC_3_FENCE);
        simt_alu(s, ROUND_NEXT);
    }
}

struct host_launch dmr_refine(const struct dmr *k) {
    return (struct host_launch){.launch = {&code, {k->refine_ctas, 1, 1}, {DMR_THREADS, 1, 1}},
                                .kernel = kernel};
}
