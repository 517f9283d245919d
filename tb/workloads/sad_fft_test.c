/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil sad and fft: launches, where the sums lie, lines of named accesses, and that the results
 * mean something: the smallest sum is at the motion of the frame, the numbers are the transform.
 */
#include <math.h>

#include "workloads/parboil/sad.h"
#include "workloads/rodinia_records.h"

#include "workloads/access_record.h"

/* --- Sums of absolute differences. --- */

enum { WIDE = 11, HIGH = 9, MACROS = WIDE * HIGH };

TEST(sad_launches_are_the_suites) {
    struct shape s[3];
    assert_int_equal(launch_shapes("sad", SIZE_PAPER_OWL, s, 3), 3);
    is_shape(&s[0], 44, 36, 61, 1);
    is_shape(&s[1], WIDE, HIGH, 32, 4);
    is_shape(&s[2], WIDE, HIGH, 32, 1);
}

TEST(sad_takes_nine_megabytes_and_2224_shared_bytes) {
    struct program p;
    const struct launch *l;
    records_open("sad", &p, SIZE_PAPER_OWL);
    const struct sad *k = p.self;
    assert_int_equal(k->sad.count, 41 * 1096 * MACROS);
    assert_true(p.next_launch(p.self, &l));
    assert_int_equal(l->code->shared_bytes, 32 + 2192);
    workload_close(workload_find("sad"), &p);
}

/* CTA (17, 6): macroblock (4, 1), in it the block of column 1 and row 2. */
TEST(a_cta_stores_274_words_at_its_blocks_place) {
    struct warp_record r = record_warp("sad", SIZE_PAPER_OWL, 0, 6 * 44 + 17, 0);
    struct program p;
    records_open("sad", &p, SIZE_PAPER_OWL);
    const struct sad *k = p.self;
    const uint64_t place =
        k->sad.address + (25 * MACROS + (1 * WIDE + 4) * 16 + 4 * 2 + 1) * UINT64_C(1096) * 2;
    unsigned words = 0;
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 9);
    for (unsigned i = 0; i < 9; i++) {
        const struct access *a = &r.access[STORES][SPACE_GLOBAL][i];
        assert_true(a->lines == 2 || a->lines == 3 || i == 8);
        for (unsigned j = 0; j < a->lanes; j++, words++) {
            assert_int_equal(a->address[j], place + 8 * words);
        }
    }
    assert_int_equal(words, 274);
    workload_close(workload_find("sad"), &p);
    forget_record(&r);
}

/* Six trips of three positions: 24 texels, 16 pixels of the block and 3 sums each. */
TEST(a_thread_takes_18_positions_three_at_a_time) {
    struct warp_record r[2] = {record_warp("sad", SIZE_TINY, 0, 5, 0),
                               record_warp("sad", SIZE_TINY, 0, 5, 1)};
    for (unsigned w = 0; w < 2; w++) {
        assert_int_equal(r[w].count[LOADS][SPACE_TEXTURE], 6 * 24);
        assert_int_equal(r[w].count[STORES][SPACE_SHARED], 6 * 3 + (w == 0));
        assert_int_equal(r[w].count[LOADS][SPACE_SHARED], 6 * 16 + (w == 0 ? 9 : 0));
        assert_int_equal(r[w].barriers, 2);
        assert_int_equal(r[w].count[LOADS][SPACE_GLOBAL], w == 0);
        /* 1089 positions leave 9 for the last of the 61 threads. */
        for (unsigned i = 0; i < 6 * 24; i++) {
            assert_int_equal(r[w].access[LOADS][SPACE_TEXTURE][i].lanes, w == 0       ? 32
                                                                         : i < 3 * 24 ? 29
                                                                                      : 28);
        }
    }
    const struct access *frame = &r[0].access[LOADS][SPACE_GLOBAL][0];
    assert_int_equal(frame->lanes, 16);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(frame->address[i] - frame->address[0], i / 4 * 48 * 2 + i % 4 * 2);
    }
    forget_record(&r[0]);
    forget_record(&r[1]);
    r[0] = record_warp("sad", SIZE_PAPER_OWL, 0, 100, 0);
    assert_int_equal(r[0].access[LOADS][SPACE_GLOBAL][0].lines, 4);
    forget_record(&r[0]);
}

/* Macroblock (3, 2), warp 3: its lower right 8 x 8 pixels. Two sums a word. */
TEST(larger_blocks_are_made_of_four_in_18_trips) {
    static const unsigned in[] = {0, 548, 2192, 2740};
    struct warp_record r = record_warp("sad", SIZE_PAPER_OWL, 1, 2 * WIDE + 3, 3);
    struct program p;
    records_open("sad", &p, SIZE_PAPER_OWL);
    const struct sad *k = p.self;
    const unsigned macro = 2 * WIDE + 3;
    const uint64_t from = k->sad.address + (25 * MACROS + macro * 16 + 8 + 2) * UINT64_C(2192);
    const unsigned out[] = {17 * MACROS + macro * 8 + 4 + 2, 17 * MACROS + macro * 8 + 4 + 3,
                            9 * MACROS + macro * 8 + 4 + 1, 9 * MACROS + macro * 8 + 6 + 1,
                            5 * MACROS + macro * 4 + 2 + 1};
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 18 * 4);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 18 * 5);
    for (unsigned i = 0; i < 18 * 4; i++) {
        const struct access *a = &r.access[LOADS][SPACE_GLOBAL][i];
        assert_int_equal(a->address[0], from + 4 * in[i % 4] + i / 4 * 128);
        assert_int_equal(a->lanes, i / 4 < 17 ? 32 : 1);
        assert_true(a->lines <= 2);
    }
    for (unsigned i = 0; i < 18 * 5; i++) {
        const struct access *a = &r.access[STORES][SPACE_GLOBAL][i];
        assert_int_equal(a->address[0], k->sad.address + out[i % 5] * UINT64_C(2192) + i / 5 * 128);
        assert_true(a->lines <= 2);
    }
    workload_close(workload_find("sad"), &p);
    forget_record(&r);
}

/* A macroblock whose pixels all moved the same way, from within the frame before, is found there:
 * its smallest sum is at that position. */
TEST(the_smallest_sum_says_where_a_block_comes_from) {
    struct program p;
    unsigned found[2] = {0}, all[2] = {0};
    records_open("sad", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    const struct sad *k = p.self;
    const uint16_t *sad = k->sad.data;
    for (int macro = 0; macro < MACROS; macro++) {
        const int x = macro % WIDE * 16, y = macro / WIDE * 16;
        const bool middle = x >= 44 && x + 16 <= 132 && y >= 36 && y + 16 <= 108;
        const bool around = x + 16 <= 44 || x >= 132 || y + 16 <= 36 || y >= 108;
        const int dx = middle ? SAD_MIDDLE_X : SAD_REST_X, dy = middle ? SAD_MIDDLE_Y : SAD_REST_Y;
        if ((!middle && !around) || x + dx < 0 || x + dx > 160 || y + dy < 0 || y + dy > 128) {
            continue;
        }
        unsigned best = 0;
        for (unsigned at = 0; at < SAD_POSITIONS; at++) {
            best =
                sad[macro * SAD_PADDED + (int)at] < sad[macro * SAD_PADDED + (int)best] ? at : best;
        }
        all[middle]++;
        found[middle] += (int)best == (dy + 16) * 33 + dx + 16;
        assert_true(sad[macro * SAD_PADDED + (int)best] <= 256); /* the noise: one a pixel */
    }
    print_message("motion of %u of %u blocks in the middle, %u of %u around\n", found[1], all[1],
                  found[0], all[0]);
    assert_true(all[0] > 30 && all[1] > 10);
    assert_true(found[0] == all[0] && found[1] == all[1]);
    workload_close(workload_find("sad"), &p);
}

/* 32 sums, 36 bytes apart, of which the first is anywhere in a line: 9.7 lines. */
TEST(sad_base_loads_pixels_together_and_stores_sums_apart) {
    struct warp_record r = record_warp("sad-base", SIZE_PAPER_OWL, 0, 6 * 44 + 17, 0);
    struct shape s[3];
    assert_int_equal(launch_shapes("sad-base", SIZE_PAPER_OWL, s, 3), 3);
    is_shape(&s[0], 44, 36, 61, 1);
    assert_int_equal(r.barriers, 0);
    assert_int_equal(r.count[LOADS][SPACE_SHARED] + r.count[STORES][SPACE_SHARED], 0);
    assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 18 * 16);
    assert_int_equal(r.count[LOADS][SPACE_TEXTURE], 18 * 16);
    assert_int_equal(r.count[STORES][SPACE_GLOBAL], 18);
    for (unsigned i = 0; i < 18 * 16; i++) {
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lines, 1);
        assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lanes, 32);
    }
    for (unsigned i = 0; i < 18; i++) {
        const struct access *a = &r.access[STORES][SPACE_GLOBAL][i];
        assert_true(a->lines == 9 || a->lines == 10);
        assert_int_equal(a->address[1] - a->address[0], 36);
        assert_int_equal(a->address[0], r.access[STORES][SPACE_GLOBAL][0].address[0] + 2 * i);
    }
    forget_record(&r);
}

TEST(sad_wrong_results_are_seen) {
    expect_wrong_bit_seen("sad", 2, 2 * 17, "sad[17]");
    expect_wrong_bit_seen("sad", 2, 2 * (41 * 9 * 1096 - 8), "sad[404416]");
    for (int launch = 0; launch < 3; launch++) {
        expect_left_out_seen("sad", launch);
    }
    expect_any_order("sad");
    expect_wrong_bit_seen("sad-base", 2, 2 * 17, "sad[17]");
    for (int launch = 0; launch < 3; launch++) {
        expect_left_out_seen("sad-base", launch);
    }
    expect_any_order("sad-base");
}

/* --- Fourier transforms. --- */

TEST(fft_launches_are_the_suites) {
    struct shape s[8];
    assert_int_equal(launch_shapes("fft", SIZE_PAPER_OWL, s, 8), 1);
    is_shape(&s[0], 1024, 1, 128, 1);
    assert_int_equal(launch_shapes("fft-base", SIZE_PAPER_OWL, s, 8), 8);
    for (unsigned i = 0; i < 8; i++) {
        is_shape(&s[i], 1024, 1, 128, 1);
    }
}

/* Stores of numbers 2 apart meet in banks by twos, until 32 lie one behind another. */
TEST(fft_exchanges_through_shared_memory_in_eight_stages) {
    for (unsigned warp = 0; warp < 4; warp++) {
        struct warp_record r = record_warp("fft", SIZE_TINY, 0, 9, warp);
        assert_int_equal(r.barriers, 2 * 8);
        assert_int_equal(r.count[LOADS][SPACE_GLOBAL], 2);
        assert_int_equal(r.count[STORES][SPACE_GLOBAL], 2);
        for (unsigned i = 0; i < 2; i++) {
            const struct access *in = &r.access[LOADS][SPACE_GLOBAL][i];
            const struct access *out = &r.access[STORES][SPACE_GLOBAL][i];
            assert_int_equal(in->lines, 2);
            assert_int_equal(in->address[0] % 0x80000000, (9 * 256 + 128 * i + 32 * warp) * 8);
            assert_memory_equal(in->address, out->address, sizeof in->address);
        }
        assert_int_equal(r.count[LOADS][SPACE_SHARED], 4 * 8);
        assert_int_equal(r.count[STORES][SPACE_SHARED], 4 * 8);
        for (unsigned i = 0; i < 4 * 8; i++) {
            assert_int_equal(r.access[LOADS][SPACE_SHARED][i].ways, 1);
            assert_int_equal(r.access[STORES][SPACE_SHARED][i].ways, i / 4 < 5 ? 2 : 1);
        }
        forget_record(&r);
    }
}

TEST(fft_base_stores_four_lines_until_16_numbers_are_together) {
    for (unsigned stage = 0; stage < 8; stage++) {
        struct warp_record r = record_warp("fft-base", SIZE_TINY, stage, 3, 1);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(r.access[LOADS][SPACE_GLOBAL][i].lines, 2);
            assert_int_equal(r.access[STORES][SPACE_GLOBAL][i].lines, stage < 4 ? 4 : 2);
            assert_int_equal(r.access[STORES][SPACE_GLOBAL][i].lanes, 32);
        }
        /* From one array to the other, and back in the next stage. */
        const bool up = r.access[STORES][SPACE_GLOBAL][0].address[0] >
                        r.access[LOADS][SPACE_GLOBAL][0].address[0];
        assert_int_equal(up, stage % 2 == 0);
        forget_record(&r);
    }
}

/* X[k] = sum of x[n] e^(-2 pi i k n / 256), in double. */
static void check_transform(const char *name) {
    struct program p;
    float in[2 * 256];
    double worst = 0;
    records_open(name, &p, SIZE_TINY);
    struct host *h = p.self;
    const float *data = h->memory.block[0];
    const unsigned batch = 5 * 2 * 256;
    memcpy(in, data + batch, sizeof in);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    for (unsigned k = 0; k < 256; k++) {
        double re = 0, im = 0;
        for (unsigned n = 0; n < 256; n++) {
            const double angle = -2 * acos(-1) * (k * n % 256) / 256;
            re += in[2 * n] * cos(angle) - in[2 * n + 1] * sin(angle);
            im += in[2 * n] * sin(angle) + in[2 * n + 1] * cos(angle);
        }
        worst = fmax(worst, fabs(re - data[batch + 2 * k]));
        worst = fmax(worst, fabs(im - data[batch + 2 * k + 1]));
    }
    print_message("%s: at most %g from the sum\n", name, worst);
    assert_true(worst > 0 && worst < 3e-5);
    workload_close(workload_find(name), &p);
}

TEST(fft_computes_the_transform) {
    check_transform("fft");
    check_transform("fft-base");
}

TEST(fft_wrong_results_are_seen) {
    expect_wrong_bit_seen("fft", 0, 8 * 17, "data[17]");
    expect_wrong_bit_seen("fft-base", 0, 8 * 17, "data[17]");
    expect_left_out_seen("fft", 0);
    for (int launch = 0; launch < 8; launch++) {
        expect_left_out_seen("fft-base", launch);
    }
    expect_any_order("fft");
    expect_any_order("fft-base");
}
