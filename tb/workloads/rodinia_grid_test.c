/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia backprop, gaussian, hotspot and nn: launches, active lanes and lines of the papers'
 * inputs, worked out by hand.
 */
#include "workloads/rodinia_records.h"

/* Counts of all records of one load or store: records by lanes and by lines. */
struct count {
    unsigned op, space, n; /* the n-th of the kernel's */
    int launch;            /* -1: of all launches */
    uint64_t records, lanes, lines, by_lanes[WARP_SIZE + 1], by_lines[WARP_SIZE + 1];
};

#define COUNT(OP, SPACE, N, LAUNCH) \
    { .op = (OP), .space = SPACE_##SPACE, .n = (N), .launch = (LAUNCH) }
#define COUNTS_MAX 12

struct counts {
    struct count c[COUNTS_MAX];
    uint64_t arithmetic[2][2]; /* launch 0 and 1: of the first warps of CTAs 0 and 1 */
    uint64_t barriers[2];      /* of the first warp of CTA 0 */
    uint64_t shared;           /* accesses */
};

static void count_record(void *self, const struct place *at) {
    struct counts *all = self;
    if (at->launch < 2 && at->warp == 0 && at->cta < 2) {
        all->arithmetic[at->launch][at->cta] += record_is_arithmetic(at);
        all->barriers[at->launch] += at->cta == 0 && at->op->insn->op == OP_BARRIER;
    }
    all->shared += insn_is_memory(at->op->insn) && at->op->insn->space == SPACE_SHARED;
    for (struct count *c = all->c; c < all->c + COUNTS_MAX; c++) {
        if ((c->launch < 0 || c->launch == (int)at->launch) &&
            record_is(at, c->op, c->space, c->n)) {
            const unsigned lines = record_lanes(at) ? record_lines(at) : 0;
            c->records++;
            c->lanes += record_lanes(at);
            c->lines += lines;
            c->by_lanes[record_lanes(at)]++;
            c->by_lines[lines]++;
        }
    }
}

static unsigned count_whole_program(const char *name, enum workload_size size, struct counts *c,
                                    struct program *p) {
    records_open(name, p, size);
    return records_run(p, (struct run_order){.skipped = -1}, count_record, c);
}

static void expect_launch(const struct launch *l, unsigned grid_x, unsigned grid_y,
                          unsigned block_x, unsigned block_y, unsigned registers, unsigned shared) {
    assert_int_equal(l->grid[0], grid_x);
    assert_int_equal(l->grid[1], grid_y);
    assert_int_equal(l->block[0], block_x);
    assert_int_equal(l->block[1], block_y);
    assert_int_equal(l->code->registers, registers);
    assert_int_equal(l->code->shared_bytes, shared);
}

TEST(launches_have_the_suites_shapes) {
    static const struct {
        const char *name;
        enum workload_size size;
        unsigned launch, grid_x, grid_y, block_x, block_y, registers, shared;
    } cases[] = {
        {"backprop", SIZE_PAPER_MRPB, 0, 1, 4096, 16, 16, 20, 1088},
        {"backprop", SIZE_PAPER_MRPB, 1, 1, 4096, 16, 16, 28, 0},
        {"backprop-unshared", SIZE_PAPER_MRPB, 0, 1, 4096, 16, 16, 20, 0},
        {"gaussian", SIZE_PAPER_MRPB, 0, 1, 1, 512, 1, 15, 0},
        {"gaussian", SIZE_PAPER_MRPB, 413, 52, 52, 4, 4, 16, 0},
        {"hotspot", SIZE_PAPER_MRPB, 0, 43, 43, 16, 16, 35, 3072},
        {"hotspot-unshared", SIZE_PAPER_MRPB, 1, 32, 32, 16, 16, 35, 0},
        {"nn", SIZE_PAPER, 0, 168, 1, 256, 1, 12, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p;
        const struct launch *l;
        records_open(cases[i].name, &p, cases[i].size);
        for (unsigned j = 0; j <= cases[i].launch; j++) {
            assert_true(p.next_launch(p.self, &l));
        }
        expect_launch(l, cases[i].grid_x, cases[i].grid_y, cases[i].block_x, cases[i].block_y,
                      cases[i].registers, cases[i].shared);
        workload_close(workload_find(cases[i].name), &p);
    }
}

/* A tile of 16 x 16: half of each warp adds, then 4, 2 and 1 of the 8 warps do, 16 lanes each. */
TEST(backprop_streams_two_lines_a_warp_and_adds_in_a_tree) {
    struct program p;
    const uint64_t ctas = 4096, warps = ctas * 8;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 0, 0),    /* input */
                             COUNT(OP_LOAD, GLOBAL, 1, 0),    /* weights */
                             COUNT(OP_STORE, SHARED, 3, 0),   /* sums */
                             COUNT(OP_STORE, GLOBAL, 0, 0),   /* weights */
                             COUNT(OP_STORE, GLOBAL, 1, 0),   /* partial sums */
                             COUNT(OP_LOAD, GLOBAL, 1, 1),    /* input */
                             COUNT(OP_LOAD, GLOBAL, 3, 1),    /* weights */
                             COUNT(OP_STORE, GLOBAL, 1, 1),   /* old weights */
                             COUNT(OP_STORE, GLOBAL, 3, 1)}}; /* old weights of the bias */
    assert_int_equal(count_whole_program("backprop", SIZE_PAPER_MRPB, &k, &p), 2);
    assert_int_equal(k.c[0].by_lanes[2], warps);
    assert_int_equal(k.c[1].by_lanes[32], warps);
    assert_int_equal(k.c[1].by_lines[2], warps); /* 33 floats */
    assert_int_equal(k.c[2].by_lanes[16], ctas * (8 + 4 + 2 + 1));
    assert_int_equal(k.c[2].records, ctas * (8 + 4 + 2 + 1));
    assert_int_equal(k.c[3].by_lanes[32], warps);
    assert_int_equal(k.c[4].lanes, ctas * 16);
    assert_int_equal(k.c[5].by_lanes[32], warps);
    assert_int_equal(k.c[5].lines, warps * 17 / 16); /* 2 words, once in 16 in two lines */
    assert_int_equal(k.c[6].by_lines[2], warps);
    assert_int_equal(k.c[7].by_lines[2], warps);
    assert_int_equal(k.c[8].records, 1);
    assert_int_equal(k.c[8].lanes, 16);
    /* Barriers: 4 and one a round; all of the second launch's arithmetic in CTA 0 only. */
    assert_int_equal(k.barriers[0], 8);
    assert_int_equal(k.barriers[1], 1);
    assert_int_equal(k.arithmetic[0][1], 7 + 13 + 4 * 9 + 1);
    assert_int_equal(k.arithmetic[1][0], 34);
    assert_int_equal(k.arithmetic[1][1], 34 - 12);
    const struct host *h = p.self;
    /* 65537 inputs, 17, 65537 rows of 17 weights, 65536 sums, 17, the weights before. */
    assert_int_equal(h->memory.used - 4456704, 262400 + 256 + 4456704 + 262144 + 256 + 4456704);
    workload_close(workload_find("backprop"), &p);
}

/* The tree in the weights: each sum is two loads and a store where the shared one is. */
TEST(backprop_unshared_adds_in_global_memory) {
    struct program p;
    const uint64_t ctas = 32;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 1, 0),   /* input */
                             COUNT(OP_LOAD, GLOBAL, 2, 0),   /* own row */
                             COUNT(OP_LOAD, GLOBAL, 3, 0),   /* another row */
                             COUNT(OP_STORE, GLOBAL, 1, 0),  /* sums */
                             COUNT(OP_LOAD, GLOBAL, 4, 0)}}; /* sums of two columns */
    assert_int_equal(count_whole_program("backprop-unshared", SIZE_TINY, &k, &p), 2);
    assert_int_equal(k.shared, 0);
    assert_int_equal(k.c[0].by_lanes[32], ctas * 8);
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(k.c[i].by_lanes[16], ctas * 15);
        assert_int_equal(k.c[i].records, ctas * 15);
    }
    assert_int_equal(k.c[4].by_lanes[2], ctas * 8);
    workload_close(workload_find("backprop-unshared"), &p);
}

/* Launch 2 c has a lane for each of the 207 - c rows below the pivot; launch 2 c + 1 has a cell
 * for each of them and of the 208 - c columns from the pivot's on. */
TEST(gaussian_touches_a_line_a_row) {
    struct program p;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 0, 0),      /* column */
                             COUNT(OP_LOAD, GLOBAL, 1, 0),      /* pivot */
                             COUNT(OP_STORE, GLOBAL, 0, 0),     /* factors */
                             COUNT(OP_LOAD, GLOBAL, 0, 1),      /* factors */
                             COUNT(OP_LOAD, GLOBAL, 2, 1),      /* cells */
                             COUNT(OP_STORE, GLOBAL, 0, 1),     /* cells */
                             COUNT(OP_STORE, GLOBAL, 1, 1),     /* right side */
                             COUNT(OP_LOAD, GLOBAL, 0, 412),    /* the last: one row, */
                             COUNT(OP_STORE, GLOBAL, 0, 413)}}; /* two columns */
    assert_int_equal(count_whole_program("gaussian", SIZE_PAPER_MRPB, &k, &p), 414);
    assert_int_equal(k.c[0].lanes, 207);
    assert_int_equal(k.c[0].lines, 207);
    assert_int_equal(k.c[1].lines, 7);
    assert_int_equal(k.c[2].lines, 207);
    assert_int_equal(k.c[3].records, 52 * 52);
    assert_int_equal(k.c[3].by_lines[4], 51 * 52);
    assert_int_equal(k.c[3].by_lines[3], 52); /* 207 rows */
    assert_int_equal(k.c[4].lanes, 207 * 208);
    assert_int_equal(k.c[4].by_lines[4], 51 * 52); /* pieces of 16 bytes, aligned */
    assert_int_equal(k.c[5].lanes, 207 * 208);
    assert_int_equal(k.c[6].lanes, 207);
    assert_int_equal(k.c[7].lanes, 1);
    assert_int_equal(k.c[8].lanes, 2);
    assert_int_equal(k.arithmetic[0][0], 22);
    assert_int_equal(k.arithmetic[1][0], 38);
    const struct host *h = p.self;
    assert_int_equal(h->memory.used, 173056 + 173056 + 1024);
    workload_close(workload_find("gaussian"), &p);
}

/* 43 tiles of 16 cover 688 cells a side, of which 2 are before the chip and 6 behind it: each of
 * the 12 x 12 cells a CTA stores is loaded 680^2 / 512^2 = 1.76 times. */
TEST(hotspot_loads_overlapping_tiles) {
    struct program p;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 0, 0), COUNT(OP_LOAD, GLOBAL, 1, 0),
                             COUNT(OP_LOAD, SHARED, 5, 0), /* power, in both steps */
                             COUNT(OP_STORE, GLOBAL, 0, 0)}};
    assert_int_equal(count_whole_program("hotspot", SIZE_PAPER_MRPB, &k, &p), 1);
    assert_int_equal(k.c[0].lanes, 680 * 680);
    assert_int_equal(k.c[1].lanes, 680 * 680);
    assert_int_equal(k.c[0].by_lines[2] + k.c[0].by_lines[4], k.c[0].records);
    /* The first step: 14 of each tile's 16, that is 688 - 2 * 43 a side, less 1 and 5. */
    assert_int_equal(k.c[2].lanes, 596 * 596 + 512 * 512);
    assert_int_equal(k.c[3].lanes, 512 * 512);
    /* Two barriers a step, but one in the last. No cell of CTA 0's first warp is on the chip. */
    assert_int_equal(k.barriers[0], 1 + 2 + 1);
    assert_int_equal(k.arithmetic[0][0], 33 + 56 + 2 * 8 + 1 + 1);
    const struct host *h = p.self;
    assert_int_equal(h->memory.used, 3 << 20);
    workload_close(workload_find("hotspot"), &p);
}

TEST(hotspot_unshared_reads_five_points_and_gives_the_same) {
    struct program p, q;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 0, -1), COUNT(OP_LOAD, GLOBAL, 1, -1),
                             COUNT(OP_LOAD, GLOBAL, 3, -1), COUNT(OP_LOAD, GLOBAL, 5, -1)}};
    struct counts other = {0};
    assert_int_equal(count_whole_program("hotspot-unshared", SIZE_PAPER_MRPB, &k, &p), 2);
    assert_int_equal(k.shared, 0);
    const uint64_t warps = 2 * 512 * 512 / 32;
    assert_int_equal(k.c[0].by_lines[2], warps);
    assert_int_equal(k.c[1].by_lines[1], warps / 256); /* the last two rows' southern one */
    assert_int_equal(k.c[1].by_lines[2], warps - warps / 256);
    /* East of half of the tiles' columns is another line, but of the last one nothing is. */
    assert_int_equal(k.c[2].by_lines[4], warps / 32 * 15);
    assert_int_equal(k.c[2].by_lines[2], warps / 32 * 17);
    assert_int_equal(k.c[3].by_lines[2], warps);
    count_whole_program("hotspot", SIZE_PAPER_MRPB, &other, &q);
    const struct host *direct = p.self, *tiled = q.self;
    assert_memory_equal(direct->memory.block[0], tiled->memory.block[1], 1 << 20);
    workload_close(workload_find("hotspot"), &q);
    workload_close(workload_find("hotspot-unshared"), &p);
}

/* 42764 records are 1336 warps and 12 lanes. */
TEST(nn_loads_the_same_two_lines_twice) {
    struct program p;
    struct counts k = {.c = {COUNT(OP_LOAD, GLOBAL, 0, 0), COUNT(OP_LOAD, GLOBAL, 1, 0),
                             COUNT(OP_STORE, GLOBAL, 0, 0)}};
    assert_int_equal(count_whole_program("nn", SIZE_PAPER, &k, &p), 1);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(k.c[i].by_lines[2], 1336);
        assert_int_equal(k.c[i].by_lanes[12], 1);
        assert_int_equal(k.c[i].records, 1337);
    }
    assert_int_equal(k.c[2].lines, 1337);
    assert_int_equal(k.arithmetic[0][0], 17);
    workload_close(workload_find("nn"), &p);
}

TEST(ctas_of_rodinia_run_in_any_order) {
    static const char *const names[] = {"backprop", "backprop-unshared", "gaussian",
                                        "hotspot",  "hotspot-unshared",  "nn"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        expect_any_order(names[i]);
    }
}

TEST(wrong_rodinia_results_are_seen) {
    static const struct {
        const char *name;
        unsigned block; /* in the order of allocation */
        const char *says;
    } results[] = {
        {"backprop", 2, "w[17]"},           {"backprop", 3, "partial[17]"},
        {"backprop", 5, "old_w[17]"},       {"backprop", 6, "forward[17]"},
        {"backprop-unshared", 2, "w[17]"},  {"backprop-unshared", 3, "partial[17]"},
        {"backprop-unshared", 5, "old_w["}, {"backprop-unshared", 6, "forward[17]"},
        {"gaussian", 0, "m[17]"},           {"gaussian", 1, "a[17]"},
        {"gaussian", 2, "b[17]"},           {"hotspot", 1, "temperature[17]"},
        {"nn", 1, "distance[17]"},          {"hotspot-unshared", 0, "temperature[17]"},
    };
    for (unsigned i = 0; i < sizeof results / sizeof *results; i++) {
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * 17, results[i].says);
    }
}

TEST(launches_left_out_are_seen) {
    for (int launch = 0; launch < 2; launch++) {
        expect_left_out_seen("backprop", launch);
        expect_left_out_seen("backprop-unshared", launch);
        expect_left_out_seen("hotspot-unshared", launch);
    }
    for (int launch = 0; launch < 8; launch++) {
        expect_left_out_seen("gaussian", launch);
    }
}
