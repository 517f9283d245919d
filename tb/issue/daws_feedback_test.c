/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads with intra-warp locality, by each reading (DAWS 5.2.1).
 */
#include "base/unit_tests.h"

#include "issue/daws/feedback.h"

static struct daws_feedback feedback_by(enum daws_judge judge) {
    struct daws_feedback f;
    daws_feedback_init(&f, judge);
    return f;
}

static void follow_load(struct daws_feedback *f, unsigned warp, bool wanted, uint32_t loop,
                        uint32_t pc, unsigned accesses) {
    uint32_t number = daws_feedback_load(f, warp, pc, accesses);
    if (wanted) {
        daws_feedback_want(f, warp, number, loop);
    }
}

/* An access of a line that no access before it has. */
static const struct daws_flight *access_another_line(struct daws_feedback *f, unsigned warp,
                                                     bool local, uint64_t cycle, uint64_t lost_at) {
    return daws_feedback_access(f, warp, 1000 + cycle, local, cycle, lost_at);
}

/* The judgement by @cycle: '+', '-', or '.' for none. */
static char judged_by(struct daws_feedback *f, uint64_t cycle) {
    uint32_t loop;
    bool local;
    if (!daws_feedback_judge(f, cycle, &loop, &local)) {
        return '.';
    }
    assert_int_equal(loop, 7);
    return local ? '+' : '-';
}

TEST(a_load_is_judged_a_cycle_after_its_last_access_5_2_1) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    follow_load(&f, 3, true, 7, 70, 2);
    access_another_line(&f, 3, true, 100, 101);
    assert_int_equal(judged_by(&f, 101), '.');
    const struct daws_flight *load = access_another_line(&f, 3, false, 105, 106);
    assert_true(load->pc == 70 && load->loop == 7 && load->wanted);
    assert_int_equal(judged_by(&f, 105), '.');
    assert_int_equal(judged_by(&f, 106), '+');
    assert_int_equal(judged_by(&f, 107), '.'); /* once */
}

TEST(a_load_without_a_local_access_counts_down_5_2_1) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    follow_load(&f, 3, true, 7, 70, 1);
    access_another_line(&f, 3, false, 100, 101);
    assert_int_equal(judged_by(&f, 101), '-');
}

TEST(lost_locality_counts_as_captured_5_2_1) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    follow_load(&f, 3, true, 7, 70, 1);
    access_another_line(&f, 3, false, 100, 101);
    daws_feedback_lost(&f, 3, 101);
    assert_int_equal(judged_by(&f, 101), '+');
    /* Of an access that is not its load's last. */
    follow_load(&f, 3, true, 7, 70, 2);
    access_another_line(&f, 3, false, 200, 201);
    daws_feedback_lost(&f, 3, 201);
    assert_int_equal(judged_by(&f, 201), '.');
    access_another_line(&f, 3, false, 202, 203);
    assert_int_equal(judged_by(&f, 203), '+');
    /* Of another warp, or another cycle. */
    follow_load(&f, 3, true, 7, 70, 1);
    access_another_line(&f, 3, false, 300, 301);
    daws_feedback_lost(&f, 4, 301);
    daws_feedback_lost(&f, 3, 302);
    assert_int_equal(judged_by(&f, 302), '-');
}

TEST(by_majority_most_accesses_decide) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_MAJORITY);
    for (unsigned local = 0; local <= 4; local++) {
        follow_load(&f, 3, true, 7, 70, 4);
        for (unsigned i = 0; i < 4; i++) {
            access_another_line(&f, 3, i < local, 100 * local + i, 100 * local + i + 1);
        }
        assert_int_equal(judged_by(&f, 100 * local + 4), local > 2 ? '+' : '-');
    }
}

TEST(by_access_each_is_judged) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_ACCESS);
    follow_load(&f, 3, true, 7, 70, 3);
    access_another_line(&f, 3, true, 100, 101);
    assert_int_equal(judged_by(&f, 101), '+');
    access_another_line(&f, 3, false, 101, 102);
    daws_feedback_lost(&f, 3, 102);
    assert_int_equal(judged_by(&f, 102), '+');
    access_another_line(&f, 3, false, 102, 103);
    assert_int_equal(judged_by(&f, 103), '-');
}

TEST(accesses_belong_to_the_loads_of_their_warp_in_order) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    follow_load(&f, 3, true, 7, 70, 1);
    follow_load(&f, 4, true, 7, 80, 2);
    follow_load(&f, 3, false, 0, 71, 1); /* of a warp that samples no loop */
    follow_load(&f, 3, true, 7, 72, 1);
    assert_int_equal(access_another_line(&f, 4, false, 1, 2)->pc, 80);
    assert_int_equal(access_another_line(&f, 3, false, 2, 3)->pc, 70);
    assert_int_equal(judged_by(&f, 3), '-');
    assert_int_equal(access_another_line(&f, 3, true, 3, 4)->pc, 71);
    assert_int_equal(judged_by(&f, 4), '.');
    assert_int_equal(access_another_line(&f, 3, false, 4, 5)->pc, 72);
    assert_int_equal(access_another_line(&f, 4, false, 5, 6)->pc, 80);
}

/* More loads than are kept: their accesses are counted, and nothing is judged of them. */
TEST(loads_behind_a_full_list_are_passed_over) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    unsigned judged = 0;
    for (unsigned i = 0; i < DAWS_FEEDBACK_LOADS + 5; i++) {
        follow_load(&f, 3, true, 7, 70 + i, 2);
    }
    for (unsigned i = 0; i < 2 * (DAWS_FEEDBACK_LOADS + 5); i++) {
        access_another_line(&f, 3, true, i, i + 1);
        judged += judged_by(&f, i + 1) == '+';
    }
    assert_int_equal(judged, DAWS_FEEDBACK_LOADS - 1);
    follow_load(&f, 3, true, 7, 90, 1);
    assert_int_equal(access_another_line(&f, 3, true, 1000, 1001)->pc, 90);
    assert_int_equal(judged_by(&f, 1001), '+');
}

TEST(a_load_is_wanted_from_its_answer_on) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    uint32_t number = daws_feedback_load(&f, 3, 70, 2);
    uint32_t other = daws_feedback_load(&f, 3, 71, 1);
    assert_true(number && other && number != other);
    access_another_line(&f, 3, true, 100, 101);
    daws_feedback_want(&f, 3, number, 7);
    daws_feedback_want(&f, 4, other, 7); /* another warp's */
    assert_true(access_another_line(&f, 3, false, 101, 102)->wanted);
    assert_int_equal(judged_by(&f, 102), '+'); /* by the access before the answer too */
    assert_false(access_another_line(&f, 3, false, 103, 104)->wanted);
    daws_feedback_want(&f, 3, number, 7); /* all its accesses are over */
    assert_int_equal(judged_by(&f, 104), '.');
}

/* Misses that wait for the victim tags: each hit belongs to the miss that was to be told then. */
TEST(a_load_waits_for_the_victim_hits_of_its_misses) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_MAJORITY);
    follow_load(&f, 3, true, 7, 70, 3);
    access_another_line(&f, 3, false, 100, 102);
    access_another_line(&f, 3, false, 100, 103);
    access_another_line(&f, 3, false, 101, 105);
    follow_load(&f, 4, true, 7, 71, 1);
    access_another_line(&f, 4, true, 101, 0);
    daws_feedback_lost(&f, 3, 102);
    daws_feedback_lost(&f, 3, 104); /* of nobody */
    assert_int_equal(judged_by(&f, 104), '.');
    daws_feedback_lost(&f, 3, 105);
    assert_int_equal(judged_by(&f, 105), '+'); /* two of three */
    assert_int_equal(judged_by(&f, 105), '+'); /* of warp 4, behind them */
    assert_int_equal(judged_by(&f, 106), '.');
}

TEST(an_access_that_finds_no_place_takes_the_oldests) {
    struct daws_feedback f = feedback_by(DAWS_JUDGE_LOAD);
    for (unsigned i = 0; i <= DAWS_FEEDBACK_WAITING; i++) {
        follow_load(&f, i % DAWS_FEEDBACK_WARPS, true, 7, 70, 1);
        access_another_line(&f, i % DAWS_FEEDBACK_WARPS, i > 0, 100, 0);
    }
    assert_int_equal(f.refused, 1);
    for (unsigned i = 0; i < DAWS_FEEDBACK_WAITING; i++) {
        assert_int_equal(judged_by(&f, 101), '+');
    }
    assert_int_equal(judged_by(&f, 101), '.');
}

/* Half warps make two accesses of one line. */
TEST(a_load_that_repeats_its_own_line_has_no_locality) {
    static const char judgements[] = {
        [DAWS_JUDGE_LOAD] = '-', [DAWS_JUDGE_MAJORITY] = '-', [DAWS_JUDGE_ACCESS] = '.'};
    for (enum daws_judge by = DAWS_JUDGE_LOAD; by <= DAWS_JUDGE_ACCESS; by++) {
        struct daws_feedback f = feedback_by(by);
        follow_load(&f, 3, true, 7, 70, 2);
        daws_feedback_access(&f, 3, 50, false, 100, 0);
        assert_int_equal(judged_by(&f, 101), by == DAWS_JUDGE_ACCESS ? '-' : '.');
        daws_feedback_access(&f, 3, 50, true, 102, 0);
        assert_int_equal(judged_by(&f, 103), judgements[by]);
        /* A later load of the line has. */
        follow_load(&f, 3, true, 7, 70, 2);
        daws_feedback_access(&f, 3, 50, true, 200, 0);
        daws_feedback_access(&f, 3, 50, true, 201, 0);
        assert_int_equal(judged_by(&f, 202), '+');
    }
}
