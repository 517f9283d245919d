/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: Summarization, from the leaves to the root: a cell's mass, centre of mass and
 * bodies, as soon as its children have theirs. A thread's cells lie a grid apart; it goes five
 * times over those that are ready, then waits for each. The mass of a cell is -1 until it is done.
 *
 * CTAs take turns after a thread has read its children and after it has written its cell, so
 * that in each round all CTAs read, then all write: cells of one height at a time.
 */
#include "workloads/lonestar/bh_cells_code.h"

#define STRIDE (BH_SUM_CTAS * BH_SUM_BLOCK)

/* A thread's cell, and what it knows of its children. */
struct sum {
    int32_t cell[SIMT_THREADS];
    int32_t missing[SIMT_THREADS];   /* children without a mass */
    struct buffer child, child_mass; /* shared, child i of all threads behind child i - 1's */
    float mass[SIMT_THREADS];
};

static struct element shared_at(unsigned i) {
    return element_x((int64_t)i * BH_SUM_BLOCK, 1);
}

/* The mass of child @i, a cell, goes to shared memory. @has: those who have one. */
static void fetch_mass(struct simt *s, const struct bh *k, struct sum *a, unsigned first,
                       unsigned i, const int32_t *child, struct simt_mask *has) {
    float mass[SIMT_THREADS];
    simt_alu(s, first);
    simt_load(s, first + 1, mass, &k->mass, element_lane(child));
    simt_store(s, first + 2, mass, &a->child_mass, shared_at(i));
    simt_alu(s, first + 3);
    SIMT_WHERE(s, *has, t, mass[t] >= 0);
}

/* Child @i goes to shared memory. @cell: those whose child is a cell. */
static void fetch(struct simt *s, const struct bh *k, struct sum *a, unsigned first, unsigned i,
                  int32_t *child, struct simt_mask *cell) {
    int32_t at[SIMT_THREADS];
    SIMT_ALU(s, first, t) {
        at[t] = a->cell[t] * 8 + (int32_t)i;
    }
    simt_load(s, first + 1, child, &k->child, element_lane(at));
    simt_alu(s, first + 2);
    simt_store(s, first + 3, child, &a->child, shared_at(i));
    simt_alu(s, first + 4);
    SIMT_WHERE(s, *cell, t, child[t] >= k->bodies);
}

/* The sums, in either of the two places of the code: SUM(EARLY), SUM(LATE). */
static void sum_child(struct simt *s, const struct bh *k, struct sum *a, unsigned at, unsigned i,
                      float sum[3][SIMT_THREADS], int32_t *count) {
    int32_t child[SIMT_THREADS], more[SIMT_THREADS];
    float mass[SIMT_THREADS], x[3][SIMT_THREADS];
    struct simt_mask some, cell;

    simt_alu(s, at + EARLY_SHARED);
    simt_load(s, at + EARLY_LOAD, child, &a->child, shared_at(i));
    simt_alu(s, at + EARLY_SOME_COMPARE);
    SIMT_WHERE(s, some, t, child[t] >= 0);
    SIMT_IF(s, at + EARLY_SOME_BRANCH, &some) {
        simt_alus(s, at + EARLY_ADDRESS, at + EARLY_CELL_COMPARE);
        SIMT_WHERE(s, cell, t, child[t] >= k->bodies);
        SIMT_IF(s, at + EARLY_CELL_BRANCH, &cell) {
            simt_load(s, at + EARLY_CELL_MASS, mass, &a->child_mass, shared_at(i));
            simt_load(s, at + EARLY_CELL_COUNT, more, &k->count, element_lane(child));
            SIMT_ALU(s, at + EARLY_CELL_ADD, t) {
                count[t] += more[t];
            }
        }
        SIMT_ELSE(s) {
            simt_load(s, at + EARLY_BODY_MASS, mass, &k->mass, element_lane(child));
            SIMT_ALU(s, at + EARLY_BODY_ADD, t) {
                count[t]++;
            }
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            simt_load(s, at + EARLY_LOAD_X + axis, x[axis], &k->pos[axis], element_lane(child));
        }
        SIMT_ALU(s, at + EARLY_MASS, t) {
            a->mass[t] += mass[t];
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            SIMT_ALU(s, at + EARLY_X + axis, t) {
                sum[axis][t] += x[axis][t] * mass[t];
            }
        }
    }
}

static void sum_up(struct simt *s, const struct bh *k, struct sum *a, unsigned at) {
    float sum[3][SIMT_THREADS], inverse[SIMT_THREADS];
    int32_t count[SIMT_THREADS];
    struct simt_mask inside;
    unsigned i = 0;

    simt_alus(s, at + EARLY_MASS_ZERO, at + EARLY_ZERO);
    SIMT_EACH(s, t) {
        a->mass[t] = sum[0][t] = sum[1][t] = sum[2][t] = 0;
        count[t] = 0;
    }
    SIMT_LOOP(s, at + EARLY_CHILDREN) {
        simt_alu(s, at + EARLY_COMPARE);
        SIMT_WHERE(s, inside, t, i < 8);
        simt_while(s, at + EARLY_BRANCH, &inside);
        if (simt_any(s)) {
            sum_child(s, k, a, at, i, sum, count);
            simt_alu(s, at + EARLY_NEXT);
        }
        i++;
    }
    simt_alu(s, at + EARLY_OWN_ADDRESS);
    simt_store(s, at + EARLY_STORE_COUNT, count, &k->count, element_lane(a->cell));
    SIMT_ALU(s, at + EARLY_INVERSE, t) {
        inverse[t] = 1 / a->mass[t];
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, at + EARLY_CENTRE_X + 2 * axis, t) {
            sum[axis][t] *= inverse[t];
        }
        simt_store(s, at + EARLY_STORE_X + 2 * axis, sum[axis], &k->pos[axis],
                   element_lane(a->cell));
    }
}

/* Lanes that find a child without mass leave off. @ready: the others. */
static void look(struct simt *s, const struct bh *k, struct sum *a, struct simt_mask *ready) {
    int32_t child[SIMT_THREADS], found[SIMT_THREADS];
    struct simt_mask inside, cell, has, missing;
    unsigned i = 0;

    SIMT_ALU(s, LOOK_ZERO, t) {
        found[t] = 0;
    }
    SIMT_LOOP(s, LOOK_CHILDREN) {
        simt_alu(s, LOOK_COMPARE);
        SIMT_WHERE(s, inside, t, i < 8);
        simt_while(s, LOOK_BRANCH, &inside);
        if (simt_any(s)) {
            fetch(s, k, a, LOOK_ADDRESS, i, child, &cell);
            SIMT_IF(s, LOOK_CELL_BRANCH, &cell) {
                fetch_mass(s, k, a, LOOK_MASS_ADDRESS, i, child, &has);
                SIMT_WHERE(s, missing, t, !(has.warp[t / WARP_SIZE] >> t % WARP_SIZE & 1));
                SIMT_IF(s, LOOK_MASS_BRANCH, &missing) {
                    simt_break(s);
                }
            }
            SIMT_ALU(s, LOOK_NEXT, t) {
                found[t]++;
            }
        }
        i++;
    }
    simt_alu(s, PASS_READY_COMPARE);
    SIMT_WHERE(s, *ready, t, found[t] == 8);
}

static void first_cells(struct simt *s, const int32_t *bottom, int32_t *cell) {
    SIMT_EACH(s, t) {
        cell[t] = bottom[t] / WARP_SIZE * WARP_SIZE + (int32_t)(s->cta[0] * BH_SUM_BLOCK + t);
        cell[t] += cell[t] < bottom[t] ? STRIDE : 0;
    }
}

/* Once over the thread's cells. */
static void pass(struct simt *s, const struct bh *k, struct sum *a) {
    struct simt_mask inside, to_do, ready;
    float mass[SIMT_THREADS];

    SIMT_LOOP(s, PASS) {
        bool turned = false;
        simt_alu(s, PASS_COMPARE);
        SIMT_WHERE(s, inside, t, a->cell[t] <= k->nodes);
        simt_while(s, PASS_BRANCH, &inside);
        simt_alu(s, PASS_MASS_ADDRESS);
        simt_load(s, PASS_LOAD_MASS, mass, &k->mass, element_lane(a->cell));
        simt_alu(s, PASS_TO_DO_COMPARE);
        SIMT_WHERE(s, to_do, t, mass[t] < 0);
        SIMT_IF(s, PASS_TO_DO_BRANCH, &to_do) {
            look(s, k, a, &ready);
            simt_turn(s);
            turned = true;
            SIMT_IF(s, PASS_READY_BRANCH, &ready) {
                sum_up(s, k, a, 0);
                simt_alu(s, EARLY_FENCE);
                simt_store(s, EARLY_STORE_MASS, a->mass, &k->mass, element_lane(a->cell));
            }
        }
        if (!turned) {
            simt_turn(s);
        }
        SIMT_ALU(s, PASS_NEXT, t) {
            a->cell[t] += STRIDE;
        }
        simt_turn(s);
    }
}

/* For a cell that the thread comes to: all children, and the masses that are there. */
static void look_first(struct simt *s, const struct bh *k, struct sum *a) {
    int32_t child[SIMT_THREADS];
    struct simt_mask inside, cell, has;
    unsigned i = 0;

    SIMT_ALU(s, WAIT_EIGHT, t) {
        a->missing[t] = 8;
    }
    simt_alu(s, FIRST_ZERO);
    SIMT_LOOP(s, FIRST_CHILDREN) {
        simt_alu(s, FIRST_COMPARE);
        SIMT_WHERE(s, inside, t, i < 8);
        simt_while(s, FIRST_BRANCH, &inside);
        if (simt_any(s)) {
            fetch(s, k, a, FIRST_ADDRESS, i, child, &cell);
            SIMT_WHERE(s, has, t, child[t] < k->bodies);
            SIMT_IF(s, FIRST_CELL_BRANCH, &cell) {
                struct simt_mask more;
                fetch_mass(s, k, a, FIRST_MASS_ADDRESS, i, child, &more);
                for (unsigned w = 0; w < s->warps; w++) {
                    has.warp[w] |= more.warp[w];
                }
            }
            SIMT_IF(s, FIRST_MASS_BRANCH, &has) {
                SIMT_ALU(s, FIRST_MINUS, t) {
                    a->missing[t]--;
                }
            }
            simt_alu(s, FIRST_NEXT);
        }
        i++;
    }
}

/* Again: the masses that were not there. */
static void look_again(struct simt *s, const struct bh *k, struct sum *a) {
    int32_t child[SIMT_THREADS];
    float old[SIMT_THREADS];
    struct simt_mask inside, cell, has, not_yet;
    unsigned i = 0;

    SIMT_ALU(s, WAIT_EIGHT_2, t) {
        a->missing[t] = 8;
    }
    simt_alu(s, AGAIN_ZERO);
    SIMT_LOOP(s, AGAIN_CHILDREN) {
        simt_alu(s, AGAIN_COMPARE);
        SIMT_WHERE(s, inside, t, i < 8);
        simt_while(s, AGAIN_BRANCH, &inside);
        if (simt_any(s)) {
            simt_alu(s, AGAIN_SHARED);
            simt_load(s, AGAIN_LOAD, child, &a->child, shared_at(i));
            simt_alu(s, AGAIN_CELL_COMPARE);
            SIMT_WHERE(s, cell, t, child[t] >= k->bodies);
            SIMT_WHERE(s, has, t, child[t] < k->bodies);
            SIMT_IF(s, AGAIN_CELL_BRANCH, &cell) {
                struct simt_mask more, old_has;
                simt_load(s, AGAIN_LOAD_OLD, old, &a->child_mass, shared_at(i));
                simt_alu(s, AGAIN_OLD_COMPARE);
                SIMT_WHERE(s, not_yet, t, !(old[t] >= 0));
                SIMT_WHERE(s, old_has, t, old[t] >= 0);
                more = (struct simt_mask){{0}};
                SIMT_IF(s, AGAIN_OLD_BRANCH, &not_yet) {
                    fetch_mass(s, k, a, AGAIN_MASS_ADDRESS, i, child, &more);
                }
                for (unsigned w = 0; w < s->warps; w++) {
                    has.warp[w] |= more.warp[w] | old_has.warp[w];
                }
            }
            SIMT_IF(s, AGAIN_MASS_BRANCH, &has) {
                SIMT_ALU(s, AGAIN_MINUS, t) {
                    a->missing[t]--;
                }
            }
            simt_alu(s, AGAIN_NEXT);
        }
        i++;
    }
}

/* A look at the cell's children. @flag: set where it is done but for its mass. */
static void wait_once(struct simt *s, const struct bh *k, struct sum *a, int32_t *flag) {
    struct simt_mask some;
    simt_alu(s, WAIT_NEW_COMPARE);
    SIMT_WHERE(s, some, t, a->missing[t] == 0);
    SIMT_IF(s, WAIT_NEW_BRANCH, &some) {
        look_first(s, k, a);
    }
    SIMT_ELSE(s) {
        look_again(s, k, a);
    }
    simt_alu(s, WAIT_READY_COMPARE);
    SIMT_WHERE(s, some, t, a->missing[t] == 0);
    SIMT_IF(s, WAIT_READY_BRANCH, &some) {
        sum_up(s, k, a, LATE_MASS_ZERO - EARLY_MASS_ZERO);
        SIMT_ALU(s, LATE_FLAG, t) {
            flag[t] = 1;
        }
    }
}

static void summarize(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    int32_t bottom[SIMT_THREADS], flag[SIMT_THREADS];
    float mass[SIMT_THREADS];
    struct simt_mask some;
    struct sum a;
    a.child = simt_shared(s, 0, 8 * BH_SUM_BLOCK, sizeof(int32_t));
    a.child_mass =
        simt_shared(s, 8 * BH_SUM_BLOCK * sizeof(float), 8 * BH_SUM_BLOCK, sizeof(float));

    simt_alu(s, CELLS_BOTTOM_ADDRESS);
    simt_load(s, CELLS_BOTTOM, bottom, &k->bottom, element_at(0));
    simt_alus(s, CELLS_INDEX, CELLS_ALIGN);
    first_cells(s, bottom, a.cell);
    SIMT_FOR(s, PASSES, i, 5) {
        pass(s, k, &a);
        simt_alus(s, PASS_RESTART, PASSES_BRANCH);
        first_cells(s, bottom, a.cell);
    }
    simt_alus(s, WAIT_FLAG_ZERO, WAIT_MISSING_ZERO);
    SIMT_EACH(s, t) {
        flag[t] = a.missing[t] = 0;
    }
    SIMT_LOOP(s, WAIT) {
        simt_alu(s, WAIT_COMPARE);
        SIMT_WHERE(s, some, t, a.cell[t] <= k->nodes);
        simt_while(s, WAIT_BRANCH, &some);
        simt_alu(s, WAIT_MASS_ADDRESS);
        simt_load(s, WAIT_LOAD_MASS, mass, &k->mass, element_lane(a.cell));
        simt_alu(s, WAIT_DONE_COMPARE);
        SIMT_WHERE(s, some, t, mass[t] >= 0);
        SIMT_IF(s, WAIT_DONE_BRANCH, &some) {
            SIMT_ALU(s, WAIT_PASS_BY, t) {
                a.cell[t] += STRIDE;
            }
        }
        SIMT_ELSE(s) {
            wait_once(s, k, &a, flag);
        }
        simt_barrier(s, WAIT_MEET);
        simt_turn(s);
        simt_alu(s, WAIT_FLAG_COMPARE);
        SIMT_WHERE(s, some, t, flag[t]);
        SIMT_IF(s, WAIT_FLAG_BRANCH, &some) {
            simt_alu(s, LATE_MASS_ADDRESS);
            simt_store(s, LATE_STORE_MASS, a.mass, &k->mass, element_lane(a.cell));
            SIMT_ALU(s, WAIT_NEXT, t) {
                a.cell[t] += STRIDE;
            }
            SIMT_ALU(s, WAIT_FLAG_CLEAR, t) {
                flag[t] = 0;
            }
        }
        simt_turn(s);
    }
}

const struct host_launch bh_summarize = {
    .launch = {&bh_summarize_code, {BH_SUM_CTAS, 1, 1}, {BH_SUM_BLOCK, 1, 1}}, .kernel = summarize};
