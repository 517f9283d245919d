/* SPDX-License-Identifier: Apache-2.0
 * What --explain says of a run with counters of our choice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cli/report/explain.h"
#include "config/preset.h"

enum { COUNTERS = 16 };

struct given {
    const char *name;
    uint64_t value;
};

/* The text for 100 cycles of 14 cores; the caller frees it. */
static char *explained_of(const struct config *c, const struct given *given, unsigned count) {
    struct stat_desc descs[COUNTERS];
    uint64_t values[COUNTERS];
    struct machine machine = {.config = *c};
    struct session s = {.machine = &machine, .cycles = 100, .values = values};
    char *text = calloc(1, 1 << 14);
    s.stats = stats_create();
    for (unsigned i = 0; i < count; i++) {
        descs[i] = (struct stat_desc){given[i].name, "core cycles", "", "model", STAT_SUM};
        values[i] = given[i].value;
        assert_true(stats_register(s.stats, &descs[i], &values[i]));
    }
    FILE *f = fmemopen(text, 1 << 14, "w");
    explain_session(&s, f);
    fclose(f);
    stats_destroy(s.stats);
    return text;
}

static char *explained_text(const struct given *given, unsigned count) {
    struct config c = base_preset();
    return explained_of(&c, given, count);
}

static void assert_has_text(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in\n%s", part, text);
    }
}

TEST(each_class_has_cycles_share_and_bar) {
    FREED char *text = explained_text((struct given[]){{"core.issue_cycles", 350},
                                                       {"core.wait_dram_service", 700},
                                                       {"core.no_warp_cycles", 350}},
                                      3);
    assert_has_text(text, "\nissued                          350   25.0 %  ##########\n");
    assert_has_text(text, "\nDRAM service                    700   50.0 %  ####################\n");
    assert_has_text(text, "\nall cores                      1400  100.0 %  ");
    assert_has_text(
        text,
        "Bottleneck    In 50.0 % of the core cycles a core waited for the DRAM to deliver data");
    assert_true(strstr(text, "\nissued") < strstr(text, "\nDRAM service"));
    assert_true(strstr(text, "\nDRAM service") < strstr(text, "\nno warp"));
    assert_null(strstr(text, "not told apart"));
}

TEST(the_largest_cause_of_refusals_decides_the_remedy) {
    static const struct {
        const char *counter, *advice;
    } causes[] = {{"l1.fail_associativity", "scheme mrpb"},
                  {"l1.fail_mshr_full", "l1.mshrs"},
                  {"l1.fail_mshr_merge", "l1.mshr_merge"},
                  {"l1.fail_miss_queue", "l1.miss_queue"},
                  {"l1.fail_round", "mdb.limit"}};
    enum { CAUSES = sizeof causes / sizeof *causes };
    for (unsigned worst = 0; worst < CAUSES; worst++) {
        struct given given[CAUSES + 1] = {{"core.wait_l1_refused", 1400}};
        char shown[80];
        for (unsigned i = 0; i < CAUSES; i++) {
            given[i + 1] = (struct given){causes[i].counter, i == worst ? 60 : 50};
        }
        FREED char *text = explained_text(given, CAUSES + 1);
        snprintf(shown, sizeof shown, "refused: %s = 60", causes[worst].counter);
        assert_has_text(text, shown);
        assert_has_text(strstr(text, "What attacks it"), causes[worst].advice);
    }
}

TEST(behind_a_lack_of_work_stands_the_next_cause) {
    FREED char *text = explained_text((struct given[]){{"core.issue_cycles", 100},
                                                       {"core.wait_l2_queue", 300},
                                                       {"core.no_warp_cycles", 1000},
                                                       {"core.ctas", 28},
                                                       {"gpu.launches", 7}},
                                      5);
    assert_has_text(text, "Bottleneck    In 71.4 % of the core cycles a core had no warp");
    assert_has_text(text, " had no warp: core.ctas = 28, gpu.launches = 7.\n");
    assert_has_text(
        text, "Then          In 21.4 % of the core cycles a core waited for requests before an");
}

/* 100 core cycles of a machine whose clocks are one, with 6 channels and as many banks and ports:
 * 600 of each part's cycles. */
static struct config even_machine(void) {
    struct config c = base_preset();
    c.clock.noc = c.clock.l2 = c.clock.dram = c.clock.core;
    c.l2.partitions = 6;
    c.l2.banks = c.l2.ports = c.l2.bank_interval = 1;
    return c;
}

enum { BUSY_PARTS = 5 };

/* The parts' counters, nearest to the DRAM first; the last is one of the L2's refusals. */
static const struct given idle_parts[] = {
    {"core.wait_l1_refused", 1400}, {"dram.data_cycles", 399},      {"noc.reply_flits", 399},
    {"noc.request_flits", 399},     {"l2.requests", 399},           {"l2.fail_mshr_full", 300},
    {"l2.fail_associativity", 99},  {"l2.fail_mshr_merge", 0},      {"l2.fail_miss_queue", 0},
    {"l2.fail_reply_queue", 0},     {"l1.fail_associativity", 1400}};
enum { IDLE_PARTS = sizeof idle_parts / sizeof *idle_parts };

/* Two thirds of the time are the limit; whoever waits for the part refuses what comes to it, so
 * that the one nearest to the DRAM is the cause. */
TEST(the_busy_part_nearest_to_the_dram_is_the_bottleneck) {
    static const char *const says[BUSY_PARTS] = {
        "Bottleneck    The DRAM's data buses were taken 66.7 % of the time",
        "Bottleneck    The ports from the partitions to the interconnect were taken 66.7 %",
        "Bottleneck    The ports from the interconnect to the partitions were taken 66.7 %",
        "Bottleneck    The L2 banks were taken 66.7 % of the time",
        "Bottleneck    The L2 banks had refused the request at their head 66.7 % of the time: "
        "l2.fail_mshr_full = 301, l2.mshrs = 32"};
    struct config c = even_machine();
    for (unsigned first = 0; first < BUSY_PARTS; first++) {
        struct given given[IDLE_PARTS];
        memcpy(given, idle_parts, sizeof given);
        for (unsigned i = first; i < BUSY_PARTS; i++) {
            given[1 + i].value++; /* 400 of 600 */
        }
        FREED char *text = explained_of(&c, given, IDLE_PARTS);
        assert_has_text(text, says[first]);
        assert_has_text(text,
                        "Seen as       In 100.0 % of the core cycles a core waited for an access");
        assert_null(strstr(text, "scheme mrpb"));
    }
}

TEST(a_part_that_is_not_busy_leaves_the_blame_where_the_cycles_are) {
    struct config c = even_machine();
    FREED char *text = explained_of(&c, idle_parts, IDLE_PARTS);
    assert_has_text(text,
                    "Bottleneck    In 100.0 % of the core cycles a core waited for an access");
    assert_has_text(text, "scheme mrpb");
}

TEST(behind_work_stands_the_busy_part) {
    struct config c = even_machine();
    FREED char *text = explained_of(&c,
                                    (struct given[]){{"core.issue_cycles", 1000},
                                                     {"core.wait_l1", 400},
                                                     {"dram.data_cycles", 500}},
                                    3);
    assert_has_text(text,
                    "Bottleneck    In 71.4 % of the core cycles a core issued an instruction");
    assert_has_text(text, "Then          The DRAM's data buses were taken 83.3 % of the time");
}

/* The same class of cycles is the fixed latency before the banks, or their refusals, or a queue. */
TEST(in_front_of_the_l2_latency_refusal_and_queue_are_told_apart) {
    struct config c = even_machine();
    struct given given[] = {{"core.wait_l2_queue", 1400},
                            {"l2.requests", 10},
                            {"l2.queue_delay", 10 * (uint64_t)c.l2.rop_latency - 1},
                            {"l2.fail_mshr_full", 7},
                            {"l2.fail_associativity", 0}};
    FREED char *text = explained_of(&c, given, 5);
    assert_has_text(
        text, "l2.rop_latency = 119.\n              What attacks it: the fixed l2.rop_latency");
    free(text);
    given[2].value++;
    text = explained_of(&c, given, 5);
    assert_has_text(text, "before an L2 bank: l2.fail_mshr_full = 7, l2.mshrs = 32");
    free(text);
    given[3].value = 0;
    text = explained_of(&c, given, 5);
    assert_has_text(text, "What attacks it: more l2.banks");
}

/* Of 10 reads one misses: its latency against ten times the bank's. */
TEST(in_the_l2_the_longer_of_two_latencies_is_named) {
    struct config c = even_machine();
    const struct given given[] = {{"core.wait_l2_bank", 1400},
                                  {"l2.read_hits", 9},
                                  {"l2.read_misses", 1},
                                  {"l2.read_pending_hits", 0}};
    c.l2.hit_latency = 10;
    c.dram.latency = 101;
    FREED char *text = explained_of(&c, given, 4);
    assert_has_text(text, "dram.latency = 101.\n");
    free(text);
    c.dram.latency = 100;
    text = explained_of(&c, given, 4);
    assert_has_text(text, "l2.hit_latency = 10.\n");
}

TEST(cycles_without_a_class_are_shown_and_forbid_a_verdict) {
    FREED char *text = explained_text((struct given[]){{"core.issue_cycles", 200}}, 1);
    assert_has_text(text, "\nnot told apart                 1200   85.7 %  ");
    assert_has_text(text, "Bottleneck    cannot be told");
}

TEST(who_starves_is_named_with_the_cause) {
    struct config c = base_preset();
    const struct given given[] = {{"core.issue_cycles", 1400},
                                  {"core.most_issued", 1000},
                                  {"core.fewest_issued", 300},
                                  {"core.scheduler_most_issued", 1000},
                                  {"core.scheduler_fewest_issued", 499}};
    c.issue.scheduler = SCHEDULER_GTO;
    FREED char *order = explained_of(&c, given, 5);
    assert_has_text(order, "Starvation    When the first warp of a CTA ends, the least served "
                           "scheduler has issued 49.9 % of the most: issue.arbitration = fixed");
    assert_has_text(order, "What attacks it: the first scheduler goes first");
    c.issue.arbitration = ARBITRATION_ROTATING;
    FREED char *age = explained_of(&c, given, 5);
    assert_has_text(age,
                    "the least served one has issued 30.0 % of the most: issue.scheduler = gto");
    c.issue.scheduler = SCHEDULER_LRR; /* then their programs differ in length */
    FREED char *neither = explained_of(&c, given, 5);
    assert_null(strstr(neither, "Starvation"));
}
