/* SPDX-License-Identifier: Apache-2.0
 *
 * kmeans, lud, nw, pathfinder and their variants without textures or shared memory: what their
 * accesses look like, counted from the records of single CTAs without a machine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/access_record.h"
#include "workloads/rodinia_records.h"
#include "workloads/host.h"

static const char *const names[] = {"kmeans",      "kmeans-136",   "kmeans-global",
                                    "lud",         "lud-unshared", "nw",
                                    "nw-unshared", "pathfinder",   "pathfinder-unshared"};
enum { NAMES = sizeof names / sizeof *names };

/* --- kmeans --- */

TEST(kmeans_launches_a_square_of_blocks) {
    struct shape s[8];
    /* The inversion and two iterations. */
    assert_int_equal(launch_shapes("kmeans", SIZE_PAPER_MRPB, s, 8), 3);
    is_shape(&s[0], 841, 1, 256, 1); /* 800 blocks, rounded up to a square */
    is_shape(&s[1], 29, 29, 256, 1);
    assert_int_equal(launch_shapes("kmeans-global", SIZE_PAPER_MRPB, s, 8), 2);
    is_shape(&s[0], 29, 29, 256, 1);
}

TEST(kmeans_inverts_uncoalesced_to_coalesced) {
    struct warp_record r = record_warp("kmeans", SIZE_SMALL, 0, 3, 5);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 34);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 34);
    for (unsigned f = 0; f < 34; f++) {
        const struct access *load = &r.access[LOADS][SPACE_GLOBAL][f];
        assert_int_equal(load->lines, 32);
        assert_true(load->address[1] - load->address[0] == 136);
        assert_int_equal(r.access[STORES][SPACE_GLOBAL][f].lines, 1);
    }
    assert_int_equal(footprint_of_accesses(r.access[LOADS][SPACE_GLOBAL], 34),
                     34); /* 32 points, 4352 bytes */
    forget_record(&r);
}

/* 494,020 points are 4 more than whole warps, and a row of a feature ends 16 bytes into a line: the
 * first row and every eighth begin with a line, warps straddle the lines of the other 29. */
TEST(kmeans_straddles_lines_where_rows_begin_inside_one) {
    static const struct workload_expectation texture = {
        /* 15488 warps reach three guards, 15439 have points: 206 and 1240 an iteration. */
        .warp_instructions = 15488 * 11 + 15439 * (206 + 2 * 1240),
        .thread_instructions = 15488 * 11 * 32 + 494020 * (206 + 2 * 1240),
        .global_read_accesses = 494020 * 34,
        .global_write_accesses = 5 * 15439 + 29 * (2 * 15438 + 1) + 2 * 15439};
    /* A point: 5 instructions, and 5 clusters of 9 and 34 features of 10 (7 with textures). */
    static const struct workload_expectation global = {
        .warp_instructions = 15488 * 4 + 15439 * (5 + 5 * (9 + 34 * 10)),
        .thread_instructions = 15488 * 4 * 32 + 494020 * (5 + 5 * (9 + 34 * 10)),
        .global_read_accesses = 170 * (494020 + 15439),
        .global_write_accesses = 15439};
    struct program p;
    struct workload_expectation e;
    struct warp_record r = record_warp("kmeans", SIZE_PAPER_OWL, 0, 1929, 5), last;
    for (unsigned f = 0; f < 34; f++) {
        assert_int_equal(r.access[STORES][SPACE_GLOBAL][f].lines, f % 8 == 0 ? 1 : 2);
    }
    forget_record(&r);
    last = record_warp("kmeans", SIZE_PAPER_OWL, 0, 1929, 6); /* its 4 points */
    assert_int_equal(last.access[LOADS][SPACE_GLOBAL][1].lines, 4);
    assert_int_equal(last.access[STORES][SPACE_GLOBAL][1].lines, 1);
    forget_record(&last);
    assert_null(workload_open(workload_find("kmeans"), &p, SIZE_PAPER_OWL, 1));
    workload_expect(workload_find("kmeans"), &p, 128, &e);
    assert_memory_equal(&e, &texture, sizeof e);
    workload_close(workload_find("kmeans"), &p);
    assert_null(workload_open(workload_find("kmeans-global"), &p, SIZE_PAPER_DAWS, 1));
    workload_expect(workload_find("kmeans-global"), &p, 128, &e);
    assert_memory_equal(&e, &global, sizeof e);
    workload_close(workload_find("kmeans-global"), &p);
}

TEST(kmeans_fetches_features_and_reads_constant_centres) {
    struct warp_record r = record_warp("kmeans", SIZE_SMALL, 1, 3, 5);
    assert_int_equal(r.count[LOADS][SPACE_TEXTURE], 5 * 34);
    assert_int_equal(r.count[LOADS][SPACE_CONSTANT], 5 * 34);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 0);
    for (unsigned i = 0; i < 5 * 34; i++) {
        const struct access *x = &r.access[LOADS][SPACE_TEXTURE][i];
        const struct access *c = &r.access[LOADS][SPACE_CONSTANT][i];
        assert_int_equal(x->lines, 1);
        assert_int_equal(distinct_values(c->address, c->lanes, 1, UINT64_MAX), 1);
        assert_true(c->address[0] - r.access[LOADS][SPACE_CONSTANT][0].address[0] == 4 * i);
        /* Feature i % 34 of all points, then the next. */
        assert_true(x->address[0] - r.access[LOADS][SPACE_TEXTURE][0].address[0] ==
                    i % 34 * 40960 * 4);
    }
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 1);
    forget_record(&r);
}

/* A warp's points have so many @lines, the centres included. */
static void walks_its_own_lines(const char *name, unsigned features, unsigned lines) {
    struct warp_record r = record_warp(name, SIZE_SMALL, 0, 3, 5);
    const struct access *a = r.access[LOADS][SPACE_GLOBAL];
    assert_int_equal(r.count[LOADS][SPACE_TEXTURE] + r.count[LOADS][SPACE_CONSTANT], 0);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 2 * 5 * features);
    for (unsigned i = 0; i < 5 * features; i++) {
        assert_int_equal(a[2 * i].lines, 32);
        assert_int_equal(a[2 * i + 1].lines, 1); /* of the centre */
        assert_true(a[2 * i].address[0] - a[0].address[0] == i % features * 4);
    }
    assert_int_equal(footprint_of_accesses(a, 2 * 5 * features), lines);
    /* 8 arithmetic instructions an inner iteration. */
    assert_int_equal(r.arithmetic, 4 + 3 + 5 * (9 + features * 8) + 1);
    forget_record(&r);
}

TEST(kmeans_global_walks_its_own_lines_five_times) {
    walks_its_own_lines("kmeans-global", 34, 34 + 6);    /* the centres are 680 bytes: 6 lines */
    walks_its_own_lines("kmeans-136", 136, 4 * 34 + 22); /* 2720 bytes: 22 lines */
}

/* --- lud --- */

TEST(lud_launches_three_kernels_a_step) {
    static const char *const variants[] = {"lud", "lud-unshared"};
    for (unsigned v = 0; v < 2; v++) {
        struct shape s[128];
        assert_int_equal(launch_shapes(variants[v], SIZE_PAPER_MRPB, s, 128), 94);
        for (unsigned d = 0; d < 31; d++) {
            is_shape(&s[3 * d], 1, 1, 16, 1);
            is_shape(&s[3 * d + 1], 31 - d, 1, 32, 1);
            is_shape(&s[3 * d + 2], 31 - d, 31 - d, 16, 16);
        }
        is_shape(&s[93], 1, 1, 16, 1);
    }
}

TEST(lud_walks_columns_of_the_diagonal_with_8_way_conflicts) {
    struct warp_record r = record_warp("lud", SIZE_PAPER_MRPB, 0, 0, 0);
    const struct access *load = r.access[LOADS][SPACE_SHARED];
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 16);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 15);
    assert_int_equal(r.barriers, 1 + 15 * 2);
    unsigned at = 0;
    for (unsigned i = 0; i < 15; i++) {
        const unsigned lanes = 15 - i, ways = (lanes + 1) / 2; /* a stride of 16 words */
        for (unsigned j = 0; j < i; j++, at += 3) {
            assert_int_equal(load[at].lanes, lanes);
            assert_int_equal(load[at].ways, ways);
            assert_int_equal(load[at + 1].ways, ways);
            assert_int_equal(load[at + 2].ways, 1);
        }
        assert_int_equal(load[at].ways, ways); /* the division */
        assert_int_equal(load[at + 1].ways, 1);
        at += 2;
        for (unsigned j = 0; j <= i; j++, at += 3) {
            assert_int_equal(load[at].ways * load[at + 1].ways * load[at + 2].ways, 1);
        }
    }
    assert_int_equal(load[0].ways, 8);
    assert_int_equal(r.count[LOADS][SPACE_SHARED], at + 15);
    forget_record(&r);
}

TEST(lud_perimeter_conflicts_in_its_column_half) {
    struct warp_record r = record_warp("lud", SIZE_PAPER_MRPB, 1, 7, 0);
    const struct access *load = r.access[LOADS][SPACE_SHARED];
    /* 24 rows of each half, 31 stored. */
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 48);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 31);
    for (unsigned i = 0; i < 48; i++) {
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lanes, 16);
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lines, 1);
    }
    for (unsigned i = 0; i < 120 * 3; i++) {
        assert_int_equal(load[i].ways, 1);
    }
    unsigned at = 120 * 3;
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned j = 0; j < i; j++, at += 3) {
            assert_int_equal(load[at].ways, 8);
            assert_int_equal(load[at + 1].ways, 8);
            assert_int_equal(load[at + 2].ways, 1);
        }
        assert_int_equal(load[at].ways, 8);
        at += 2;
    }
    forget_record(&r);
}

TEST(lud_internal_reads_two_rows_a_warp) {
    struct warp_record r = record_warp("lud", SIZE_PAPER_MRPB, 2, 40, 3);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lines, 2);
    }
    assert_int_equal(r.access[STORES][SPACE_GLOBAL][0].lines, 2);
    assert_int_equal(r.arithmetic, 50);
    assert_int_equal(r.barriers, 1);
    for (unsigned i = 0; i < 32; i++) {
        const struct access *a = &r.access[LOADS][SPACE_SHARED][i];
        assert_int_equal(distinct_values(a->address, 32, 4, UINT64_MAX), i % 2 ? 16 : 2);
        assert_int_equal(a->ways, 1);
    }
    forget_record(&r);
}

TEST(lud_unshared_walks_columns_of_16_lines_in_two_sets) {
    struct warp_record r = record_warp("lud-unshared", SIZE_PAPER_MRPB, 1, 7, 0);
    const struct access *load = r.access[LOADS][SPACE_GLOBAL];
    assert_int_equal(r.count[LOADS][SPACE_SHARED] + r.barriers, 0);
    /* The row half: a sum and two factors a step; then the column half, and a pivot. */
    unsigned at = 15 + 2 * 120;
    for (unsigned i = 0; i < at; i++) {
        assert_int_equal(load[i].lines, 1);
    }
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(load[at].lines, 16);
        assert_int_equal(load[at++].sets, 2);
        for (unsigned j = 0; j < i; j++, at += 2) {
            assert_int_equal(load[at].lines, 16);
            assert_int_equal(load[at + 1].lines, 1);
        }
        assert_int_equal(load[at++].lines, 1);
    }
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], at);
    forget_record(&r);
}

/* --- nw --- */

TEST(nw_launches_antidiagonals_of_tiles) {
    static const char *const variants[] = {"nw", "nw-unshared"};
    for (unsigned v = 0; v < 2; v++) {
        struct shape s[256];
        assert_int_equal(launch_shapes(variants[v], SIZE_PAPER_MRPB, s, 256), 255);
        for (unsigned i = 0; i < 255; i++) {
            is_shape(&s[i], i < 128 ? i + 1 : 255 - i, 1, 16, 1);
        }
    }
}

TEST(nw_reads_rows_and_one_column) {
    for (unsigned launch = 5; launch < 300; launch += 200) { /* of either kernel */
        struct warp_record r = record_warp("nw", SIZE_PAPER_MRPB, launch, 3, 0);
        const struct access *load = r.access[LOADS][SPACE_GLOBAL];
        const unsigned corner = launch < 128 ? 0 : 16, row = launch < 128 ? 1 : 0;
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 1 + 16 + 1 + 1);
        assert_int_equal(load[corner].lanes, 1);
        for (unsigned i = row; i < row + 16; i++) {
            assert_int_equal(load[i].lanes, 16);
            assert_in_range(load[i].lines, 1, 2);
        }
        assert_int_equal(load[17].lines, 16);
        assert_true(load[17].address[1] - load[17].address[0] == 8196);
        assert_in_range(load[18].lines, 1, 2);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], 16);
        assert_int_equal(r.barriers, 34);
        forget_record(&r);
    }
}

TEST(nw_sweeps_with_8_way_conflicts) {
    struct warp_record r = record_warp("nw", SIZE_PAPER_MRPB, 5, 3, 0);
    const struct access *load = r.access[LOADS][SPACE_SHARED];
    const struct access *store = r.access[STORES][SPACE_SHARED];
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 31 * 4 + 16);
    for (unsigned round = 0; round < 31; round++, load += 4) {
        const unsigned lanes = round < 16 ? round + 1 : 31 - round;
        for (unsigned i = 0; i < 3; i++) { /* -16 words from a lane to the next */
            assert_int_equal(load[i].lanes, lanes);
            assert_int_equal(load[i].ways, (lanes + 1) / 2);
        }
        assert_int_equal(load[3].ways, 1); /* the score: -15 words */
        /* Behind the corner, 16 rows, column and row. */
        assert_int_equal(store[19 + round].ways, (lanes + 1) / 2);
    }
    forget_record(&r);
}

TEST(nw_unshared_meets_in_one_set) {
    struct warp_record r = record_warp("nw-unshared", SIZE_PAPER_MRPB, 5, 3, 0);
    const struct access *load = r.access[LOADS][SPACE_GLOBAL];
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 0);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 31 * 4);
    assert_int_equal(r.barriers, 31);
    for (unsigned i = 0; i < 31 * 4; i++) {
        const unsigned round = i / 4, lanes = round < 16 ? round + 1 : 31 - round;
        assert_int_equal(load[i].lines, lanes);
        assert_int_equal(load[i].sets, 1);
    }
    forget_record(&r);
}

/* --- pathfinder --- */

TEST(pathfinder_launches_twenty_rows) {
    static const char *const variants[] = {"pathfinder", "pathfinder-unshared"};
    for (unsigned v = 0; v < 2; v++) {
        struct shape s[8];
        assert_int_equal(launch_shapes(variants[v], SIZE_PAPER_MRPB, s, 8), 5);
        for (unsigned i = 0; i < 5; i++) {
            is_shape(&s[i], 463, 1, 256, 1);
        }
    }
}

TEST(pathfinder_loads_the_wall_between_barriers) {
    for (unsigned launch = 3; launch < 5; launch++) {
        const unsigned steps = launch == 3 ? 20 : 19;
        struct warp_record r = record_warp("pathfinder", SIZE_PAPER_MRPB, launch, 100, 4);
        const struct access *load = r.access[LOADS][SPACE_GLOBAL];
        assert_int_equal(r.barriers, 1 + steps + (steps - 1));
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 1 + steps);
        for (unsigned i = 1; i <= steps; i++) {
            assert_int_equal(load[i].lines, 2);
            assert_true(load[i].address[0] - load[1].address[0] == (i - 1) * 400000);
        }
        /* Three a step, one to copy but in the last, one at the end. */
        assert_int_equal(r.count[LOADS][SPACE_SHARED], 3 * steps + steps - 1 + 1);
        for (unsigned i = 0; i < r.count[LOADS][SPACE_SHARED]; i++) {
            assert_int_equal(r.access[LOADS][SPACE_SHARED][i].ways, 1);
        }
        forget_record(&r);
    }
}

/* Lanes s + 1 .. 254 - s compute in step s: of warp 0 lanes 20 .. 31 are left in step 19. */
TEST(pathfinder_gives_up_a_column_a_step) {
    struct warp_record r = record_warp("pathfinder", SIZE_PAPER_MRPB, 0, 100, 0);
    for (unsigned i = 1; i <= 20; i++) {
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lanes, 32 - i);
    }
    assert_int_equal(r.access[STORES][SPACE_GLOBAL][0].lanes, 12);
    /* 20 steps of 14 arithmetic instructions but for the copy's and the loop's in the last. */
    assert_int_equal(r.arithmetic, 5 + 1 + 1 + 20 * 14 - 3 + 1 + 1);
    forget_record(&r);
}

TEST(pathfinder_unshared_keeps_two_rows_a_block) {
    struct warp_record a = record_warp("pathfinder-unshared", SIZE_PAPER_MRPB, 0, 100, 4);
    struct warp_record b = record_warp("pathfinder-unshared", SIZE_PAPER_MRPB, 0, 101, 4);
    const unsigned stores = a.count[STORES][SPACE_GLOBAL];
    assert_int_equal(a.count[LOADS][SPACE_SHARED], 0);
    assert_int_equal(a.barriers, 40);
    assert_int_equal(a.count[LOADS][SPACE_GLOBAL], 1 + 20 * 4 + 19 + 1);
    assert_int_equal(stores, 1 + 20 + 19 + 1);
    for (unsigned i = 0; i + 1 < stores; i++) { /* all but the row that the launch leaves */
        const struct access *x = &a.access[STORES][SPACE_GLOBAL][i];
        assert_int_equal(x->lines, 1);
        assert_true(b.access[STORES][SPACE_GLOBAL][i].address[0] - x->address[0] == 2048);
    }
    assert_int_equal(footprint_of_accesses(a.access[STORES][SPACE_GLOBAL], stores - 1), 2);
    forget_record(&a);
    forget_record(&b);
}

/* --- The checks are checked. --- */

TEST(any_tiles_launch_left_out_fails_the_check) {
    for (unsigned i = 0; i < NAMES; i++) {
        const struct workload *w = workload_find(names[i]);
        int launches = 1;
        for (int skipped = -1; skipped < launches; skipped++) {
            struct program p;
            assert_null(workload_open(w, &p, SIZE_TINY, 2));
            const int ran =
                (int)records_run(&p, (struct run_order){.skipped = skipped}, NULL, NULL);
            launches = skipped < 0 ? ran : launches;
            assert_true((workload_check(w, &p) == NULL) == (skipped < 0));
            workload_close(w, &p);
        }
        assert_true(launches > 1);
    }
}

TEST(a_wrong_bit_in_a_tiles_result_fails_the_check) {
    static const struct {
        const char *name;
        unsigned block; /* of the result, in the order of allocation */
        const char *says;
    } results[] = {{"kmeans", 0, "flipped[17] is "},
                   {"kmeans", 2, "membership[17] is "},
                   {"kmeans-global", 1, "membership[17] "},
                   {"kmeans-136", 1, "membership[17] "},
                   {"lud", 0, "m[17] is "},
                   {"lud-unshared", 0, "m[17] is "},
                   {"nw", 1, "matrix[17] is "},
                   {"nw-unshared", 1, "matrix[17] is "},
                   {"pathfinder", 0, "cost[17] is "},
                   {"pathfinder", 1, "cost before[17] "},
                   {"pathfinder-unshared", 0, "cost[17] "},
                   {"pathfinder-unshared", 1, "cost before[17] "}};
    for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++) {
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * 17, results[i].says);
    }
}
