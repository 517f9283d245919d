/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU mst: its forest beside what is known of the suite's rmat12.sym, and what its records
 * say: rounds, finds, who waits at the barriers across the grid.
 */
#include "workloads/lonestar/mst.h"
#include "workloads/rodinia_records.h"

#define ROUNDS_MAX 16
#define ACCESSES_MAX 24
#define CTAS 60 /* 15 cores of 4 */

/* The parts of a round, by the name of their code. */
enum part { INITCS, INIT, ELEMIN, ELEMIN2, VERIFY, UNIFY, PARTS };
static const char *const names[PARTS] = {"mst_initcs",  "mst_init",   "mst_elemin",
                                         "mst_elemin2", "mst_verify", "mst_unify"};

static enum part part_of(const struct launch *l) {
    unsigned i = 0;
    while (i < PARTS && strcmp(l->code->name, names[i]) != 0) {
        i++;
    }
    assert_true(i < PARTS);
    return i;
}

struct tally {
    uint64_t launches, ctas;
    /* Lanes, by number of the load, store or atomic in the code. */
    uint64_t loads[ACCESSES_MAX], stores[ACCESSES_MAX], atomics[ACCESSES_MAX];
    uint64_t atomic_ops[ACCESSES_MAX], atomic_lines[ACCESSES_MAX];
    uint64_t uncached, uncached_ops, fences, barriers;
};

struct rounds {
    struct tally part[ROUNDS_MAX][PARTS];
    unsigned round, last_launch, launches;
};

static unsigned number_of(const struct place *at) {
    const struct insn *in = at->op->insn;
    unsigned n = 0;
    for (const struct insn *i = at->what->code->insns; i < in; i++) {
        n += i->op == in->op && i->space == in->space;
    }
    assert_true(n < ACCESSES_MAX);
    return n;
}

static void take_mst_round(void *self, const struct place *at) {
    struct rounds *r = self;
    const enum part part = part_of(at->what);
    const struct insn *in = at->op->insn;
    const unsigned lanes = record_lanes(at);
    if (at->launch != r->last_launch || r->launches == 0) {
        r->round += part == INIT;
        r->last_launch = at->launch;
        r->launches++;
        assert_true(r->round < ROUNDS_MAX);
        r->part[r->round][part].launches++;
        r->part[r->round][part].ctas = launch_ctas(at->what);
    }
    struct tally *t = &r->part[r->round][part];
    if (in->op == OP_LOAD && in->uncached) {
        t->uncached += lanes;
        t->uncached_ops++;
    }
    t->fences += in->op == OP_FENCE;
    t->barriers += in->op == OP_BARRIER;
    if (in->op == OP_LOAD) {
        t->loads[number_of(at)] += lanes;
    }
    if (in->op == OP_STORE) {
        t->stores[number_of(at)] += lanes;
    }
    if (in->op == OP_ATOMIC) {
        const unsigned n = number_of(at);
        t->atomics[n] += lanes;
        t->atomic_ops[n]++;
        t->atomic_lines[n] += record_lines(at);
    }
}

static struct rounds *rounds_of(const char *name, enum workload_size size, struct program *p) {
    struct rounds *r = calloc(1, sizeof *r);
    records_open(name, p, size);
    records_run(p, (struct run_order){.skipped = -1}, take_mst_round, r);
    assert_null(workload_check(workload_find(name), p));
    return r;
}

static uint32_t first_word_of(const struct buffer *b) {
    return *(const uint32_t *)b->data;
}

/* The suite's: 154 components, 3942 edges of the forest, of 4096 nodes. */
TEST(the_forest_of_rmat12_is_as_large_as_the_suites) {
    struct program p;
    struct rounds *r = rounds_of("mst", SIZE_PAPER_MEDIC, &p);
    const struct mst *k = p.self;
    print_message("rmat12.sym: %u components, %u edges of weight %u, %u rounds, %u launches\n",
                  first_word_of(&k->ncomponents), first_word_of(&k->count),
                  first_word_of(&k->mstwt), r->round, r->launches);
    assert_int_equal(first_word_of(&k->count) + first_word_of(&k->ncomponents), 4096);
    assert_in_range(first_word_of(&k->count), 3942 - 40, 3942 + 40);
    workload_close(workload_find("mst"), &p);
    free(r);
}

/* Each round leaves at most half of the components that have edges out; the last one none. */
TEST(rounds_are_logarithmic_and_their_launches_in_order) {
    static const char *const programs[] = {"mst", "mst-grid"};
    for (unsigned i = 0; i < 2; i++) {
        struct program p;
        struct rounds *r = rounds_of(programs[i], SIZE_TINY, &p);
        const struct mst *k = p.self;
        const uint32_t n = k->graph.nodes;
        assert_int_equal(r->part[0][INITCS].launches, 1);
        assert_in_range(r->round, 3, 13);
        for (unsigned j = 1; j <= r->round; j++) {
            const struct tally *t = r->part[j];
            for (unsigned part = INIT; part <= VERIFY; part++) {
                assert_int_equal(t[part].launches, 1);
                assert_int_equal(t[part].ctas, (n + 1023) / 1024);
            }
            /* Cut at two barriers; and again as long as unions were refused. The components around
             * a hub that are above its boss all want to be its parent, and one succeeds each
             * time. */
            assert_int_equal(t[UNIFY].launches % 3, 0);
            assert_in_range(t[UNIFY].launches / 3, 1, 16);
            assert_int_equal(t[UNIFY].ctas, CTAS);
            print_message("%s, round %u: unify %u times\n", programs[i], j,
                          (unsigned)t[UNIFY].launches / 3);
        }
        workload_close(workload_find(programs[i]), &p);
        free(r);
    }
}

/* In the first round each node is its own boss: a find is an atomic and a store. Later it is two
 * hops, and atomics on few words. */
TEST(finds_get_longer_and_hot) {
    enum { SRC_CAS, END_CAS };            /* atomics of mst_elemin */
    enum { SRC_PARENT, END_PARENT = 10 }; /* loads: one, the degree, and two accessors between */
    struct program p;
    struct rounds *r = rounds_of("mst", SIZE_SMALL, &p);
    const struct mst *k = p.self;
    const uint32_t n = k->graph.nodes;
    const struct tally *first = &r->part[1][ELEMIN], *last = &r->part[r->round][ELEMIN];
    assert_int_equal(first->atomics[SRC_CAS], n);
    assert_int_equal(first->loads[SRC_PARENT], 0);
    assert_int_equal(first->loads[END_PARENT], 0);
    assert_int_equal(first->stores[0], n);
    for (unsigned i = 1; i <= r->round; i++) {
        const struct tally *t = &r->part[i][ELEMIN];
        assert_int_equal(t->atomics[SRC_CAS], n + t->loads[SRC_PARENT]);
        assert_int_equal(t->loads[2 + 3], k->graph.edges); /* each edge's weight */
        print_message("round %u: %llu lanes of finds of ends, %.1f lines each of %.1f lanes\n", i,
                      (unsigned long long)t->atomics[END_CAS],
                      (double)t->atomic_lines[END_CAS] / t->atomic_ops[END_CAS],
                      (double)t->atomics[END_CAS] / t->atomic_ops[END_CAS]);
    }
    /* Nearly all nodes have the same boss, which whole warps ask. */
    assert_true(last->loads[SRC_PARENT] > n * 9 / 10);
    assert_true(last->atomics[SRC_CAS] < 2 * n + n / 10);
    /* No edge leads out: all ends are looked up, in two hops. */
    assert_in_range(last->atomics[END_CAS], k->graph.edges * 19 / 10, k->graph.edges * 21 / 10);
    assert_int_equal(last->loads[END_PARENT] + k->graph.edges, last->atomics[END_CAS]);
    workload_close(workload_find("mst"), &p);
    free(r);
}

/* Two barriers a launch, of 60 CTAs of 12 warps. */
TEST(all_ctas_pass_the_barriers_of_the_grid) {
    struct program p;
    struct rounds *r = rounds_of("mst-grid", SIZE_TINY, &p);
    const struct mst *k = p.self;
    for (unsigned i = 1; i <= r->round; i++) {
        const struct tally *t = &r->part[i][UNIFY];
        const uint64_t passed = 2 * t->launches / 3;
        assert_int_equal(t->fences, passed * CTAS * 12);
        assert_int_equal(t->barriers, passed * (CTAS * 12 * 2 + 12)); /* three in the first CTA */
        /* The first CTA's threads look at all flags, the others' first threads at their own. */
        assert_int_equal(t->uncached, passed * (CTAS + CTAS - 1));
        assert_int_equal(t->uncached_ops, passed * (2 + CTAS - 1));
    }
    for (unsigned i = 0; i < CTAS; i++) {
        assert_int_equal(((const uint32_t *)k->flag.data)[i], 0); /* lowered again */
    }
    workload_close(workload_find("mst-grid"), &p);
    free(r);
}

TEST(hoisted_accessors_give_the_same_forest) {
    struct program p;
    struct rounds *plain = rounds_of("mst", SIZE_TINY, &p), *r = calloc(1, sizeof *r);
    workload_close(workload_find("mst"), &p);
    records_open("mst", &p, SIZE_TINY);
    struct mst *k = p.self;
    k->graph.hoist = true;
    records_run(&p, (struct run_order){.skipped = -1}, take_mst_round, r);
    assert_null(workload_check(workload_find("mst"), &p));
    assert_int_equal(r->round, plain->round);
    assert_int_equal(r->part[1][ELEMIN].loads[5], plain->part[1][ELEMIN].loads[5]);
    assert_true(r->part[1][ELEMIN].loads[2] <= k->graph.nodes);
    assert_int_equal(plain->part[1][ELEMIN].loads[2], k->graph.edges);
    assert_int_equal(r->part[1][ELEMIN].loads[6], 0); /* of the ends' accessor none is left */
    workload_close(workload_find("mst"), &p);
    free(plain);
    free(r);
}

TEST(wrong_mst_results_are_seen) {
    static const char *const programs[] = {"mst", "mst-grid"};
    for (unsigned i = 0; i < 2; i++) {
        expect_wrong_bit_seen(programs[i], 5, 4 * 17, "ele2comp[17]");
        expect_wrong_bit_seen(programs[i], 13, 0, "ncomponents[0]");
        expect_wrong_bit_seen(programs[i], 14, 0, "mstwt[0]");
        expect_wrong_bit_seen(programs[i], 15, 0, "count[0]");
        for (int launch = 0; launch < 6; launch++) {
            expect_left_out_seen(programs[i], launch);
        }
    }
}
