/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs a DRAM row, with the example of OWL 4.3. Rows of quadro-owl are 2 KB of consecutive bytes.
 */
#include "characterize/hand_made.h"

#include "characterize/rows.h"

enum { ROW = 2048 };

static void start_rows(struct rows *r) {
    struct config c = preset_named("quadro-owl");
    assert_int_equal(c.dram.row_bytes, ROW);
    rows_init(r, &c);
}

static void touch_row(struct rows *r, unsigned row, const uint32_t *ctas, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        assert_true(rows_touch(r, BASE + row * ROW + i * 64, ctas[i]));
    }
}

#define TOUCH(rows, row, ...) \
    touch_row(rows, row, (const uint32_t[]){__VA_ARGS__}, \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* "if a row is accessed by CTAs 1, 2, 3, and 4, its consecutive CTA row sharing percentage is
 * deemed to be 100%" */
TEST(owl_4_3_ctas_1_to_4_are_all_consecutive) {
    CLOSED_BY(rows_destroy) struct rows r;
    struct row_counts c = {0};
    start_rows(&r);
    TOUCH(&r, 0, 1, 1, 2, 3, 4, 4);
    rows_end(&r, &c);
    assert_int_equal(c.rows, 1);
    assert_int_equal(c.ctas, 4);
    assert_true(c.shares == 1);
}

TEST(a_share_is_that_of_ctas_with_a_neighbour) {
    static const struct {
        uint32_t cta[5];
        unsigned count;
        double share;
    } cases[] = {
        {{1}, 1, 0},
        {{1, 3, 5}, 3, 0},
        {{1, 2, 8, 9}, 4, 1},
        {{1, 2, 4, 8}, 4, .5},
        {{0, 5, 6, 7, 9}, 5, 3. / 5},
        {{0, 1}, 2, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CLOSED_BY(rows_destroy) struct rows r;
        struct row_counts c = {0}, run;
        start_rows(&r);
        touch_row(&r, 7, cases[i].cta, cases[i].count);
        rows_end(&r, &c);
        assert_int_equal(c.ctas, cases[i].count);
        assert_true(c.shares == cases[i].share);
        assert_true(rows_run(&r, &run)); /* one launch is the whole run */
        assert_int_equal(run.ctas, cases[i].count);
        assert_true(run.shares == cases[i].share);
    }
}

/* Table 4's streamcluster, 1 % and 2: of 128 rows 127 belong to one CTA and one to all 128. */
TEST(a_mean_goes_over_the_rows) {
    CLOSED_BY(rows_destroy) struct rows r;
    struct row_counts c = {0};
    start_rows(&r);
    for (uint32_t cta = 0; cta < 128; cta++) {
        TOUCH(&r, 0, cta);
        if (cta) {
            TOUCH(&r, cta, cta);
        }
    }
    rows_end(&r, &c);
    assert_int_equal(c.rows, 128);
    assert_int_equal(c.ctas, 128 + 127);
    assert_true(c.shares == 1);
    assert_int_equal(c.histogram[1], 127);
    assert_int_equal(c.histogram[8], 1); /* 128-255 */
}

TEST(launches_count_apart_and_a_run_takes_them_together) {
    CLOSED_BY(rows_destroy) struct rows r;
    struct row_counts c = {0}, run;
    start_rows(&r);
    TOUCH(&r, 3, 0, 9);
    rows_end(&r, &c);
    TOUCH(&r, 3, 0, 1);
    TOUCH(&r, 4, 5);
    rows_end(&r, &c);
    assert_int_equal(c.rows, 3);
    assert_int_equal(c.ctas, 5);
    assert_true(c.shares == 1); /* 0 + 1 + 0 */
    rows_end(&r, &c);           /* a launch without an access has no mean */
    assert_int_equal(c.launches, 2);
    assert_true(c.launch_ctas == 2 + 1.5);
    assert_true(c.launch_shares == 0 + .5);
    assert_true(rows_run(&r, &run));
    assert_int_equal(run.rows, 2);
    assert_int_equal(run.ctas, 4); /* 0, 1, 9; 5 */
    assert_true(run.shares == 2. / 3);
}

/* Channels of 8 KB: rows of one number in two channels, and in two banks, are different rows. */
TEST(a_row_is_of_its_bank_and_channel) {
    CLOSED_BY(rows_destroy) struct rows r;
    struct row_counts c = {0};
    start_rows(&r);
    for (unsigned i = 0; i < 64; i++) {
        TOUCH(&r, i, 0);
        assert_true(rows_touch(&r, BASE + i * ROW + ROW - 1, 0));
    }
    rows_end(&r, &c);
    assert_int_equal(c.rows, 64);
}
