/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA SDK's programs and jpeg: launches, and what their accesses look like, counted from the
 * records of single CTAs without a machine.
 */
#include "workloads/rodinia_records.h"

#include <math.h>

#include "workloads/access_record.h"

/* The loads or stores of one space, of one warp. */
#define EACH_ACCESS(a, r, kind, space) \
    for (const struct access *a = (r).access[kind][space]; \
         a && a < (r).access[kind][space] + (r).count[kind][space]; a++)

static void is_code(const char *name, unsigned launch, unsigned shared_bytes) {
    struct program p;
    const struct launch *l;
    records_open(name, &p, SIZE_TINY);
    for (unsigned i = 0; i <= launch; i++) {
        assert_true(p.next_launch(p.self, &l));
    }
    assert_int_equal(l->code->shared_bytes, shared_bytes);
    workload_close(workload_find(name), &p);
}

static int64_t distance_of_accesses(const struct access *a, const struct access *b) {
    return (int64_t)(b->address[0] - a->address[0]);
}

/* --- cons --- */

TEST(cons_launches_rows_then_columns) {
    struct shape s[4];
    assert_int_equal(launch_shapes("cons", SIZE_PAPER_MEDIC, s, 4), 2);
    is_shape(&s[0], 24, 768, 16, 4);
    is_shape(&s[1], 192, 48, 16, 8);
    is_code("cons", 0, 2560);
    is_code("cons", 1, 5184);
}

/* 1536 x 1536 pixels, 12 and 96 CTAs a row: an inner one, one at the left or upper end, one at the
 * other. */
TEST(cons_loads_two_half_lines) {
    static const struct {
        unsigned launch, cta, loads;
        int64_t step; /* bytes to the next load */
        unsigned lines;
    } cases[] = {
        /* 640 bytes from the middle of a line on. */
        {0, 12 * 5 + 3, 10, 64, 2 * 6}, {0, 12 * 5, 9, 64, 2 * 5},
        {0, 12 * 5 + 11, 9, 64, 2 * 5}, {1, 96 * 5 + 3, 10, 8 * 1536 * 4, 2 * 10},
        {1, 3, 9, 8 * 1536 * 4, 2 * 9}, {1, 96 * 23 + 3, 9, 8 * 1536 * 4, 2 * 9},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct warp_record r = record_warp("cons", SIZE_SMALL, cases[i].launch, cases[i].cta, 1);
        const struct access *load = r.access[LOADS][SPACE_GLOBAL];
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], cases[i].loads);
        EACH_ACCESS(a, r, LOADS, SPACE_GLOBAL) {
            assert_int_equal(a->lanes, 32);
            assert_int_equal(a->lines, 2);
            assert_true(a->address[15] - a->address[0] == 60);
            assert_true(a->address[16] - a->address[0] == 1536 * 4);
        }
        for (unsigned j = 0; j < 7; j++) {
            assert_true(distance_of_accesses(&load[j], &load[j + 1]) == cases[i].step);
        }
        assert_int_equal(footprint_of_accesses(load, cases[i].loads), cases[i].lines);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], 8);
        EACH_ACCESS(a, r, STORES, SPACE_GLOBAL) {
            assert_int_equal(a->lines, 2);
        }
        assert_int_equal(r.barriers, 1);
        forget_record(&r);
    }
}

TEST(cons_multiplies_17_taps_a_pixel) {
    for (unsigned launch = 0; launch < 2; launch++) {
        struct warp_record r = record_warp("cons", SIZE_SMALL, launch, 500, 0);
        assert_int_equal(r.count[LOADS][SPACE_CONSTANT], 8 * 17);
        assert_int_equal(r.count[LOADS][SPACE_SHARED], 8 * 17);
        assert_int_equal(r.count[STORES][SPACE_SHARED], 10);
        EACH_ACCESS(a, r, LOADS, SPACE_CONSTANT) {
            assert_int_equal(distinct_values(a->address, a->lanes, 4, UINT64_MAX), 1);
        }
        /* Rows of 160 words lie in the same banks; of 81, all but one lane has its own. */
        EACH_ACCESS(a, r, LOADS, SPACE_SHARED) {
            assert_int_equal(a->ways, 2);
        }
        forget_record(&r);
    }
}

/* --- scp --- */

TEST(scp_reads_each_line_once) {
    struct shape s[2];
    assert_int_equal(launch_shapes("scp", SIZE_PAPER_MEDIC, s, 2), 1);
    is_shape(&s[0], 128, 1, 256, 1);
    is_code("scp", 0, 4096);
    for (unsigned warp = 0; warp < 2; warp++) {
        struct warp_record r = record_warp("scp", SIZE_PAPER_MEDIC, 0, 5, warp);
        const struct access *load = r.access[LOADS][SPACE_GLOBAL];
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 2 * (16 + 16));
        EACH_ACCESS(a, r, LOADS, SPACE_GLOBAL) {
            assert_int_equal(a->lanes, 32);
            assert_int_equal(a->lines, 1);
        }
        assert_int_equal(footprint_of_accesses(load, 64), 64);
        assert_true(distance_of_accesses(&load[0], &load[2]) == 4096); /* the next of a sum */
        assert_true(distance_of_accesses(&load[0], &load[8]) == 1024); /* the next sum */
        assert_true(distance_of_accesses(&load[0], &load[32]) ==
                    128 * 16384); /* the block's next pair */
        assert_int_equal(r.barriers, 2 * 10);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], warp == 0 ? 2 : 0);
        /* Halves of 512 (twice), 256, 128, 64 for warp 0 and 1; 32 .. 1 for warp 0. */
        const unsigned halves = warp == 0 ? 2 + 3 + 6 : 2 + 3;
        assert_int_equal(r.count[STORES][SPACE_SHARED], 2 * (4 + halves));
        assert_int_equal(r.count[LOADS][SPACE_SHARED], 2 * (2 * halves + (warp == 0)));
        forget_record(&r);
    }
}

TEST(scp_global_keeps_its_sums_in_4_kb_a_block) {
    is_code("scp-global", 0, 0);
    struct warp_record a = record_warp("scp-global", SIZE_PAPER_MDB, 0, 5, 0);
    struct warp_record b = record_warp("scp-global", SIZE_PAPER_MDB, 0, 6, 0);
    assert_int_equal(a.count[LOADS][SPACE_SHARED] + a.count[STORES][SPACE_SHARED], 0);
    assert_int_equal(a.count[LOADS][SPACE_GLOBAL], 64 + 2 * (2 * 11 + 1));
    assert_int_equal(a.count[STORES][SPACE_GLOBAL], 2 * (4 + 11) + 2);
    assert_int_equal(a.barriers, 20);
    const struct access *store = a.access[STORES][SPACE_GLOBAL];
    for (unsigned i = 0; i < 15; i++) { /* of the first pair */
        assert_int_equal(store[i].lines, 1);
        assert_true(distance_of_accesses(&store[i], &b.access[STORES][SPACE_GLOBAL][i]) == 4096);
    }
    forget_record(&a);
    forget_record(&b);
}

/* --- The histograms. --- */

TEST(histograms_launch_a_count_and_a_merge) {
    struct shape s[4];
    assert_int_equal(launch_shapes("hst-64", SIZE_PAPER, s, 4), 2);
    is_shape(&s[0], 4370, 1, 64, 1);
    is_shape(&s[1], 64, 1, 256, 1);
    assert_int_equal(launch_shapes("hst-global", SIZE_PAPER_MDB, s, 4), 2);
    is_shape(&s[0], 4370, 1, 64, 1);
    is_shape(&s[1], 64, 1, 256, 1);
    assert_int_equal(launch_shapes("hst-global", SIZE_TINY, s, 4), 2);
    is_shape(&s[0], 5, 1, 64, 1); /* 64 KB */
    assert_int_equal(launch_shapes("hst-256", SIZE_PAPER, s, 4), 2);
    is_shape(&s[0], 240, 1, 192, 1);
    is_shape(&s[1], 256, 1, 256, 1);
    is_code("hst-64", 0, 4096);
    is_code("hst-64", 1, 1024);
    is_code("hst-global", 0, 0);
    is_code("hst-global", 1, 0);
    is_code("hst-256", 0, 6144);
    is_code("hst-256", 1, 1024);
}

TEST(hst_64_loads_four_lines_and_counts_sixteen_bytes) {
    struct warp_record r = record_warp("hst-64", SIZE_PAPER, 0, 7, 1);
    const struct access *load = r.access[LOADS][SPACE_GLOBAL];
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 15);
    EACH_ACCESS(a, r, LOADS, SPACE_GLOBAL) {
        assert_int_equal(a->lines, 4);
    }
    assert_true(distance_of_accesses(&load[0], &load[1]) == 4370 * 64 * 16);
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 15 * 16 + 64);
    assert_int_equal(r.count[STORES][SPACE_SHARED], 16 + 15 * 16);
    assert_int_equal(r.barriers, 2);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 1);
    assert_int_equal(r.access[STORES][SPACE_GLOBAL]->lines, 1);
    /* Thread t's counters: byte (t % 16) * 4 + t / 16 of a bin's 64. */
    for (unsigned i = 0; i < 15 * 16; i++) {
        const struct access *a = &r.access[STORES][SPACE_SHARED][16 + i];
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(a->address[lane] % 64, lane % 16 * 4 + (32 + lane) / 16);
        }
    }
    /* A bin is 16 words, and half a warp begins at 16 different ones: for as many banks. */
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(r.access[LOADS][SPACE_SHARED][15 * 16 + i].ways, 2);
    }
    forget_record(&r);
}

/* 4370 partial histograms of 64 bins: 17 of each thread, one more of the first 18. */
TEST(merging_64_bins_reads_a_line_a_lane) {
    for (unsigned warp = 0; warp < 2; warp++) {
        struct warp_record r = record_warp("hst-64", SIZE_PAPER, 1, 40, warp);
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], warp == 0 ? 18 : 17);
        for (unsigned i = 0; i < r.count[LOADS][SPACE_GLOBAL]; i++) {
            const struct access *a = &r.access[LOADS][SPACE_GLOBAL][i];
            assert_int_equal(a->lines, i < 17 ? 32 : 18);
            assert_int_equal(a->sets, 16);
            assert_true(a->address[1] - a->address[0] == 256);
        }
        assert_int_equal(r.barriers, 8);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], warp == 0 ? 1 : 0);
        forget_record(&r);
    }
}

TEST(merging_256_bins_reads_a_line_a_lane_in_four_sets) {
    for (unsigned warp = 6; warp < 8; warp++) {
        struct warp_record r = record_warp("hst-256", SIZE_PAPER, 1, 40, warp);
        const struct access *a = r.access[LOADS][SPACE_GLOBAL];
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 1);
        assert_int_equal(a->lines, warp == 6 ? 32 : 16); /* 240 partial histograms */
        assert_int_equal(a->sets, 4);
        assert_true(a->address[1] - a->address[0] == 1024);
        forget_record(&r);
    }
}

/* The L1's view of hst-global: 32 lanes draw among the table's 32 lines, of which 32 (1 - (31 /
 * 32)^32) = 20.4 are drawn. */
TEST(hst_global_changes_20_lines_a_byte_of_a_table_of_32) {
    struct warp_record r = record_warp("hst-global", SIZE_SMALL, 0, 7, 1);
    struct warp_record other = record_warp("hst-global", SIZE_SMALL, 0, 8, 1);
    const struct access *load = r.access[LOADS][SPACE_GLOBAL];
    const struct access *store = &r.access[STORES][SPACE_GLOBAL][16];
    unsigned lines = 0;
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 15 * 17 + 64);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 16 + 15 * 16 + 1);
    assert_int_equal(r.count[LOADS][SPACE_SHARED] + r.count[STORES][SPACE_SHARED], 0);
    for (unsigned i = 0; i < 15; i++, load += 17, store += 16) {
        assert_int_equal(load[0].lines, 4);
        for (unsigned j = 0; j < 16; j++) {
            assert_memory_equal(load[1 + j].address, store[j].address, sizeof store->address);
            lines += store[j].lines;
        }
    }
    assert_in_range(lines * 10 / 240, 200, 208);
    const struct access *changes = r.access[STORES][SPACE_GLOBAL];
    assert_int_equal(footprint_of_accesses(changes, 16 + 240), 32);
    assert_true(distance_of_accesses(&changes[0], &other.access[STORES][SPACE_GLOBAL][0]) == 4096);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(load[i].lines, 16); /* a bin a lane */
    }
    forget_record(&r);
    forget_record(&other);
}

/* A turn is a load, a store and a load. The first is everybody's, and each has fewer lanes. Among
 * 32 bytes of 256 values two are equal with probability 0.86, three with 0.07: 1.93 turns. */
TEST(hst_256_takes_turns_where_bytes_meet) {
    struct warp_record r = record_warp("hst-256", SIZE_SMALL, 0, 7, 4);
    const struct access *load = r.access[LOADS][SPACE_SHARED];
    const unsigned words = r.count[LOADS][SPACE_GLOBAL], bytes = 4 * words;
    const unsigned turns = r.count[STORES][SPACE_SHARED] - 8;
    assert_int_equal(words, 8 * 1024 * 1024 / 4 / 46080 + 1);
    EACH_ACCESS(a, r, LOADS, SPACE_GLOBAL) {
        assert_int_equal(a->lines, 1);
    }
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 2 * turns + 6);
    assert_in_range(turns * 100 / bytes, 180, 206);
    unsigned first = 0;
    for (unsigned i = 0; i < turns; i++) {
        assert_true(load[2 * i].lanes == 32 || load[2 * i].lanes < load[2 * i - 2].lanes);
        assert_int_equal(load[2 * i].lanes, load[2 * i + 1].lanes);
        first += load[2 * i].lanes == 32;
        for (unsigned lane = 0; lane < load[2 * i].lanes; lane++) { /* the table of warp 4 */
            assert_int_equal(load[2 * i].address[lane] / 1024, 4);
        }
    }
    assert_int_equal(first, bytes);
    forget_record(&r);
}

TEST(hst_atomic_changes_8_lines_a_byte) {
    struct warp_record r = record_warp("hst-atomic", SIZE_SMALL, 1, 7, 4);
    unsigned lines = 0;
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 4 * r.count[LOADS][SPACE_GLOBAL]);
    EACH_ACCESS(a, r, STORES, SPACE_GLOBAL) {
        assert_int_equal(a->lanes, 32);
        lines += a->lines;
    }
    /* 8 (1 - (7 / 8)^32) = 7.9 */
    assert_in_range(lines * 10 / r.count[STORES][SPACE_GLOBAL], 76, 80);
    assert_int_equal(
        footprint_of_accesses(r.access[STORES][SPACE_GLOBAL], r.count[STORES][SPACE_GLOBAL]), 8);
    forget_record(&r);
}

/* --- fwt --- */

TEST(fwt_launches_22_kernels) {
    struct shape s[32];
    assert_int_equal(launch_shapes("fwt", SIZE_PAPER_OWL, s, 32), 22);
    for (unsigned i = 0; i < 22; i++) {
        if (i == 14) {
            is_shape(&s[i], 128, 1, 256, 1);
        } else if ((i > 14 ? i - 1 : i) % 7 == 6) {
            is_shape(&s[i], 4096, 1, 512, 1);
        } else {
            is_shape(&s[i], 8192, 1, 256, 1); /* though the parts get shorter */
        }
    }
    assert_int_equal(launch_shapes("fwt", SIZE_TINY, s, 32), 10);
    is_shape(&s[0], 32, 1, 256, 1);
    is_shape(&s[2], 16, 1, 512, 1);
    is_code("fwt", 0, 0);
    is_code("fwt", 2, 8192);
}

/* The strides for 2^19 values: 2^17 apart, then 2^15, 2^13, 2^11, the last 8 KB. */
TEST(fwt_strides_by_powers_of_two) {
    for (unsigned launch = 0; launch < 4; launch++) {
        struct warp_record r = record_warp("fwt", SIZE_SMALL, launch, 9, 3);
        const struct access *load = r.access[LOADS][SPACE_GLOBAL];
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 4);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], 4);
        for (unsigned i = 0; i < 4; i++) {
            const struct access *store = &r.access[STORES][SPACE_GLOBAL][i];
            assert_int_equal(load[i].lines, 1);
            assert_true(distance_of_accesses(&load[0], &load[i]) ==
                        (int64_t)i * (4 << (17 - 2 * launch)));
            assert_memory_equal(load[i].address, store->address, sizeof store->address);
            /* All in one set of an L1 of 32. */
            assert_true(load[i].address[0] / LINE % 32 == load[0].address[0] / LINE % 32);
        }
        assert_int_equal(r.count[LOADS][SPACE_SHARED], 0);
        forget_record(&r);
    }
}

TEST(fwt_ends_a_part_in_shared_memory) {
    struct warp_record r = record_warp("fwt", SIZE_SMALL, 4, 9, 3);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 4);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lines, 1);
    }
    assert_int_equal(r.barriers, 5 + 1 + 1);
    /* Five stages of four, one of two for two pairs, and the way in and out. */
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 5 * 4 + 2 * 2 + 4);
    assert_int_equal(r.count[STORES][SPACE_SHARED], 4 + 5 * 4 + 2 * 2);
    /* Strides of 512, 128, 32, 8, 2: eight lanes, then two lie side by side, then four rows on. */
    static const unsigned ways[] = {1, 1, 1, 4, 4, 2};
    for (unsigned stage = 0; stage < 6; stage++) {
        assert_int_equal(r.access[LOADS][SPACE_SHARED][stage * 4].ways, ways[stage]);
    }
    forget_record(&r);
    r = record_warp("fwt", SIZE_SMALL, 10, 9, 3); /* the product: 16 rounds of 128 x 256 threads */
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 2 * 16);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 16);
    forget_record(&r);
}

/* --- jpeg --- */

TEST(jpeg_loads_a_line_and_shares_without_conflicts) {
    struct shape s[2];
    assert_int_equal(launch_shapes("jpeg", SIZE_TINY, s, 2), 1); /* 512 x 512 */
    const struct shape expected = {{16, 32, 1}, {8, 4, 2}};
    assert_memory_equal(&s[0], &expected, sizeof expected);
    is_code("jpeg", 0, 2112);
    struct warp_record r = record_warp("jpeg", SIZE_TINY, 0, 37, 1);
    struct warp_record next = record_warp("jpeg", SIZE_TINY, 0, 38, 1);
    const struct access *load = r.access[LOADS][SPACE_GLOBAL];
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 8);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(load[i].lines, 1);
        assert_int_equal(r.access[STORES][SPACE_GLOBAL][i].lines, 1);
        assert_true(distance_of_accesses(&load[0], &load[i]) == (int64_t)i * 2048);
        assert_int_equal(
            distinct_values(r.access[LOADS][SPACE_CONSTANT][i].address, 32, 1, UINT64_MAX), 8);
    }
    assert_true(distance_of_accesses(&load[0], &next.access[LOADS][SPACE_GLOBAL][0]) == 128);
    assert_int_equal(r.count[LOADS][SPACE_CONSTANT], 8);
    assert_int_equal(r.count[LOADS][SPACE_SHARED], 3 * 8);
    assert_int_equal(r.count[STORES][SPACE_SHARED], 3 * 8);
    EACH_ACCESS(a, r, LOADS, SPACE_SHARED) {
        assert_int_equal(a->ways, 1);
    }
    assert_int_equal(r.barriers, 0);
    forget_record(&r);
    forget_record(&next);
}

/* Each coefficient alone is its wave by the definition: the first 64 blocks have one each. */
TEST(jpeg_makes_waves_of_coefficients) {
    const double pi = 3.14159265358979323846;
    struct program p;
    records_open("jpeg", &p, SIZE_TINY);
    const struct host *h = p.self;
    float *coefficient = h->memory.block[0];
    const float *pixel = h->memory.block[1];
    const int16_t *quantiser = h->memory.block[2];
    memset(coefficient, 0, sizeof(float) * 512 * 512);
    for (unsigned i = 0; i < 64; i++) { /* block (i, 0) has coefficient (i % 8, i / 8) */
        coefficient[i / 8 * 512 + i * 8 + i % 8] = 3.0f;
    }
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    for (unsigned i = 0; i < 64 * 64; i++) {
        const unsigned u = i / 64 % 8, v = i / 64 / 8, x = i % 8, y = i / 8 % 8;
        const double scale = (u ? 1.0 : sqrt(0.5)) * (v ? 1.0 : sqrt(0.5)) / 4.0;
        const double value = 3.0 * quantiser[v * 8 + u] * scale * cos((2 * x + 1) * u * pi / 16.0) *
                             cos((2 * y + 1) * v * pi / 16.0);
        assert_true(fabs(value - (double)pixel[y * 512 + i / 64 * 8 + x]) < 1e-4);
    }
    workload_close(workload_find("jpeg"), &p);
}

/* --- The checks are checked. --- */

TEST(any_sdk_launch_left_out_fails_the_check) {
    static const struct {
        const char *name;
        int launches;
    } programs[] = {{"cons", 2},    {"scp", 1},        {"scp-global", 1},
                    {"fwt", 10},    {"hst-64", 2},     {"hst-global", 2},
                    {"hst-256", 2}, {"hst-atomic", 2}, {"jpeg", 1}};
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
        for (int launch = 0; launch < programs[i].launches; launch++) {
            expect_left_out_seen(programs[i].name, launch);
        }
        expect_any_order(programs[i].name);
    }
}

TEST(a_wrong_bit_in_an_sdk_result_fails_the_check) {
    expect_wrong_bit_seen("cons", 1, 17 * 4, "rows[17] is ");
    expect_wrong_bit_seen("cons", 2, 17 * 4, "result[17] is ");
    expect_wrong_bit_seen("scp", 2, 17 * 4, "c[17] is ");
    expect_wrong_bit_seen("scp-global", 2, 17 * 4, "c[17] is ");
    expect_wrong_bit_seen("hst-64", 1, 17 * 4, "partial[17] is ");
    expect_wrong_bit_seen("hst-64", 2, 17 * 4, "result[17] is ");
    expect_wrong_bit_seen("hst-global", 2, 17 * 4, "result[17] is ");
    expect_wrong_bit_seen("hst-256", 1, 17 * 4, "partial[17] is ");
    expect_wrong_bit_seen("hst-256", 2, 17 * 4, "result[17] is ");
    expect_wrong_bit_seen("hst-atomic", 1, 17 * 4, "result[17] is ");
    expect_wrong_bit_seen("fwt", 0, 17 * 4, "data[17] is ");
    expect_wrong_bit_seen("fwt", 1, 17 * 4, "kernel[17] is ");
    expect_wrong_bit_seen("jpeg", 1, 17 * 4, "pixel[17] is ");
}
