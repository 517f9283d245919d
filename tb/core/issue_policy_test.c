/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedulers and issue policies in a machine of one core, cycle by cycle.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum {
    I_FIRST,
    I_CHAIN,
    I_LOAD,
    I_USE,
    I_STORE,
    I_SFU,
    I_BARRIER,
    I_HINT,
    I_ATOMIC,
    I_FREE,
    INSNS
};

static const struct insn table[INSNS] = {
    [I_FIRST] = ALU(1, NO),
    [I_CHAIN] = ALU(1, 1, REG_NONE, REG_NONE),
    [I_LOAD] = LOAD(2, NO),
    [I_USE] = ALU(3, 2, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),
    [I_SFU] = SIMPLE(OP_SFU),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_HINT] = LOAD(REG_NONE, NO),
    [I_ATOMIC] = {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = 2, .src = NO_REGS},
    [I_FREE] = ALU(REG_NONE, NO),
};

/* Letters: an instruction of the table each, from 'a'. */
#define A0 "a"
#define AC "b"
#define LD "c"
#define US "d"
#define ST "e"
#define SF "f"
#define BA "g"
#define HI "h"
#define AT "i"
#define FR "j"
#define FR8 FR FR FR FR FR FR FR FR

WARP_WRITER(follow_policy_script) {
    const char *const *script = user;
    for (const char *at = script[warp]; *at; at++) {
        unsigned i = (unsigned)(*at - 'a');
        if (insn_is_memory(&table[i])) {
            put_whole_line(s, i, 1000 + 16 * warp + i);
        } else {
            put_insn(s, i);
        }
    }
}

static struct config one_scheduler_of(unsigned scheduler) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = 1;
    c.issue.scheduler = scheduler;
    return c;
}

static void run_policy_script(struct machine_run *r, const struct config *c, unsigned warps,
                              const char *const *script) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, warps * WARP_SIZE);
    p.warp = follow_policy_script;
    p.user = (void *)(uintptr_t)script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

/* The warps of a core that issue in cycles 1, 2, ...: a digit each, '.' where none does. */
static const char *issue_order(const struct machine_run *r, unsigned core, unsigned cycles,
                               char *text) {
    memset(text, '.', cycles);
    text[cycles] = '\0';
    for (const char *line = r->events; line && *line; line = strchr(line, '\n') + 1) {
        char *rest;
        uint64_t cycle = strtoull(line, &rest, 10) / r->core_period;
        unsigned sm, warp;
        if (sscanf(rest, " sm%u issue warp %u", &sm, &warp) == 2 && sm == core && cycle <= cycles) {
            text[cycle - 1] = (char)('0' + warp);
        }
    }
    return text;
}

static void check_order(const struct config *c, unsigned warps, const char *const *script,
                        const char *wanted) {
    struct machine_run r;
    char text[128];
    run_policy_script(&r, c, warps, script);
    assert_string_equal(issue_order(&r, 0, (unsigned)strlen(wanted), text), wanted);
    machine_run_free(&r);
}

/* --- base orders --- */

static const char *const three[] = {FR A0 AC, A0 AC A0, A0 AC A0};

TEST(loose_round_robin_turns_gto_stays_oldest_goes_back) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    c.core.operand_latency = c.alu.int_add = 1; /* a result after two cycles */
    /* LRR: one after another; each first result is there when its turn comes. */
    check_order(&c, 3, three, "012012012");
    /* GTO: warp 0 issues twice and waits a cycle for its result, which 1 takes; then that waits and
     * 0, the oldest, is back and ends. 1 and 2 wait for a result after each of theirs. */
    c.issue.scheduler = SCHEDULER_GTO;
    check_order(&c, 3, three, "00101212.2");
}

TEST(oldest_first_has_no_greed) {
    /* Warp 1 issues while 0 waits for its result; then 0 is preferred, though 1 issued last. */
    static const char *const script[] = {A0 AC FR FR, FR FR FR FR};
    struct config c = one_scheduler_of(SCHEDULER_OLDEST);
    c.core.operand_latency = c.alu.int_add = 1;
    check_order(&c, 2, script, "01000111");
    c.issue.scheduler = SCHEDULER_GTO;
    check_order(&c, 2, script, "01111000");
}

/* --- two schedulers that share a unit --- */

/* Warp 0 belongs to the first scheduler, warp 1 to the second. Cycle 1 is the second's turn. */
TEST(schedulers_are_asked_in_their_order_or_take_turns) {
    static const char *const memory[] = {HI HI HI, HI HI HI}, *const sums[] = {FR FR FR, FR FR FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    c.core.schedulers = 2;
    c.core.sp_units = 1;
    for (unsigned rotating = 0; rotating < 2; rotating++) {
        c.issue.arbitration = rotating ? ARBITRATION_ROTATING : ARBITRATION_FIXED;
        check_order(&c, 2, memory, rotating ? "101010" : "000111");
        check_order(&c, 2, sums, rotating ? "101010" : "000111");
    }
    c.core.schedulers = 3; /* cycles 2 and 5 are the turn of the third, which has no warp */
    check_order(&c, 2, memory, "100101");
}

/* Warps 0 and 2 belong to the first scheduler. */
TEST(progress_is_compared_when_the_first_warp_of_a_cta_ends) {
    static const char *const script[] = {FR FR FR FR, FR FR FR, FR FR FR, FR FR FR FR};
    struct config c = one_scheduler_of(SCHEDULER_GTO);
    c.core.schedulers = 2;
    c.core.sp_units = 1;
    for (unsigned rotating = 0; rotating < 2; rotating++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        char text[32];
        c.issue.arbitration = rotating ? ARBITRATION_ROTATING : ARBITRATION_FIXED;
        run_policy_script(&r, &c, 4, script);
        /* Fixed: warp 0 ends before another has begun. Rotating: warp 1 ends in cycle 5. */
        assert_string_equal(issue_order(&r, 0, 14, text),
                            rotating ? "10101030323232" : "00002221113333");
        assert_int_equal(run_counter(&r, "core.most_issued"), rotating ? 3 : 4);
        assert_int_equal(run_counter(&r, "core.fewest_issued"), 0);
        assert_int_equal(run_counter(&r, "core.scheduler_most_issued"), rotating ? 3 : 4);
        assert_int_equal(run_counter(&r, "core.scheduler_fewest_issued"), rotating ? 2 : 0);
    }
}

/* --- SWL --- */

TEST(swl_lets_the_oldest_issue_until_they_end) {
    static const char *const script[] = {FR FR, FR FR, FR FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    check_order(&c, 3, script, "012012");
    c.issue.warp_limit = 1;
    check_order(&c, 3, script, "001122");
    c.issue.warp_limit = 2;
    check_order(&c, 3, script, "010122");
    c.issue.warp_limit = 3;
    check_order(&c, 3, script, "012012");
}

/* Warp 1 is ready and held while 0 waits for its result: descheduled (DAWS figure 12). */
TEST(a_warp_that_swl_holds_is_descheduled) {
    static const char *const script[] = {A0 AC, FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.issue.warp_limit = 1;
    run_policy_script(&r, &c, 2, script);
    uint64_t result = c.core.operand_latency + c.alu.int_add;
    assert_true(issued_at(&r, 0, 0, 8 * I_CHAIN, 0) == 1 + result);
    assert_true(issued_at(&r, 0, 1, 8 * I_FREE, 0) == 2 + result);
    assert_true(run_counter(&r, "core.descheduled_cycles") == result - 1);
    assert_true(run_counter(&r, "core.wait_result") == 0);
}

TEST(a_warp_at_a_barrier_gives_its_place_to_the_next) {
    static const char *const script[] = {BA FR, BA FR, BA FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    c.issue.warp_limit = 1;
    check_order(&c, 3, script, "012012");
}

/* Its store is not answered, but it has no instruction left. */
TEST(a_warp_that_has_ended_gives_its_place_to_the_next) {
    static const char *const script[] = {ST, FR FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    c.issue.warp_limit = 1;
    check_order(&c, 2, script, "011");
    c.issue.warp_limit = 0;
    c.issue.scheduler = SCHEDULER_TWO_LEVEL;
    c.issue.group_warps = 1;
    check_order(&c, 2, script, "011");
}

TEST(the_limit_is_each_schedulers) {
    static const char *const script[] = {FR FR, FR FR, FR FR, FR FR};
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.schedulers = 2;
    c.issue.warp_limit = 1;
    run_policy_script(&r, &c, 4, script);
    for (unsigned w = 0; w < 4; w++) {
        assert_true(issued_at(&r, 0, w, 8 * I_FREE, 0) == (w < 2 ? 1 : 3));
    }
}

TEST(the_limit_combines_with_gto_and_oldest) {
    static const char *const script[] = {A0 AC, FR FR FR FR, FR};
    struct config c = one_scheduler_of(SCHEDULER_GTO);
    c.core.operand_latency = c.alu.int_add = 1;
    c.issue.warp_limit = 2;
    check_order(&c, 3, script, "0111102");
    c.issue.scheduler = SCHEDULER_OLDEST;
    check_order(&c, 3, script, "0101112");
}

/* --- two-level --- */

/* Warps 0 and 1 are a group, 2 and 3 the next. Warps 0 and 1 wait for a result, not for memory: the
 * scheduler waits with them. */
TEST(a_group_that_waits_for_results_keeps_the_scheduler) {
    static const char *const script[] = {A0 AC, A0 AC, FR, FR};
    struct config c = one_scheduler_of(SCHEDULER_TWO_LEVEL);
    c.issue.group_warps = 2;
    c.core.operand_latency = 2;
    c.alu.int_add = 3; /* issue 1 + 5 */
    check_order(&c, 4, script, "01...0123");
    c.issue.scheduler = SCHEDULER_LRR;
    check_order(&c, 4, script, "0123.01");
}

/* The loads leave the L1 in 1 and 2 + operand latency: then the group is stalled. When their data
 * comes the second group is still at work and goes on. */
TEST(groups_change_when_all_warps_are_stalled_on_memory) {
    static const char *const script[] = {LD US, LD US, A0 AC AC AC AC AC AC AC AC AC,
                                         A0 AC AC AC AC AC AC AC AC AC};
    struct config c = one_scheduler_of(SCHEDULER_TWO_LEVEL);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.issue.group_warps = 2;
    c.alu.int_add = 40;
    run_policy_script(&r, &c, 4, script);
    uint64_t out = 2 + c.core.operand_latency; /* the second load's access in the L1 */
    assert_true(issued_at(&r, 0, 2, 8 * I_FIRST, 0) == out);
    assert_true(issued_at(&r, 0, 3, 8 * I_FIRST, 0) == out + 1);
    uint64_t back = event_at(&r, "sm0 reply", 1), last = issued_at(&r, 0, 3, 8 * I_CHAIN, 8);
    assert_true(back < issued_at(&r, 0, 2, 8 * I_CHAIN, 7)); /* long before */
    assert_true(issued_at(&r, 0, 0, 8 * I_USE, 0) == last + 1);
    assert_true(issued_at(&r, 0, 1, 8 * I_USE, 0) == last + 2);
    assert_true(run_counter(&r, "core.descheduled_cycles") > 0);
}

/* A store is on its way to the DRAM, but the load behind it has yet to be shown to the L1. */
TEST(a_group_keeps_the_scheduler_until_its_load_has_been_shown_to_the_l1) {
    static const char *const script[] = {ST FR8 LD US, FR8};
    struct config c = one_scheduler_of(SCHEDULER_TWO_LEVEL);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.issue.group_warps = 1;
    c.core.operand_latency = 6;
    run_policy_script(&r, &c, 2, script);
    uint64_t load = issued_at(&r, 0, 0, 8 * I_LOAD, 0);
    assert_true(load > 1 + c.core.operand_latency);
    assert_true(issued_at(&r, 0, 1, 8 * I_FREE, 0) == load + c.core.operand_latency);
}

/* Three groups of 2, 2 and 1. */
TEST(the_last_group_may_be_smaller) {
    static const char *const script[] = {BA FR, BA FR, BA FR, BA FR, BA FR};
    struct config c = one_scheduler_of(SCHEDULER_TWO_LEVEL);
    c.issue.group_warps = 2;
    /* All wait at the barrier, a group after the other; the last one to come is the current one. */
    check_order(&c, 5, script, "0123440123");
}

/* --- groups of CTAs --- */

WARP_WRITER(follow_script_of_cta) {
    follow_policy_script(user, launch, 0, cta, s);
}

/* A CTA of one warp for each script, each a group. */
static struct config groups_of_one_cta(unsigned scheduler) {
    struct config c = one_scheduler_of(scheduler);
    c.owl.least_warps = 1;
    c.owl.life = OWL_LIFE_GENERATION; /* groups_stand_at() */
    return c;
}

static void run_cta_scripts(struct machine_run *r, const struct config *c, unsigned ctas,
                            const char *const *script) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, ctas, WARP_SIZE);
    p.warp = follow_script_of_cta;
    p.user = (void *)(uintptr_t)script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

#define FR64 FR8 FR8 FR8 FR8 FR8 FR8 FR8 FR8
#define FR512 FR64 FR64 FR64 FR64 FR64 FR64 FR64 FR64

enum { ORDER_MAX = 2048 };

/* While a launch is worked out all warps are one group, and then CTAs go into their groups: first
 * each script does FR64, and the cases look at what comes after. Return: the cycle from which the
 * groups of @n CTAs stand, which the core gets in the first cycle, and one more in each after. */
static uint64_t groups_stand_at(const struct config *c, unsigned n) {
    unsigned bits = c->issue.scheduler == SCHEDULER_CTA_BLP ? 6 : 0;
    uint64_t formed = 1 + 1 + 1 + n + 2 + bits; /* a CTA a group, n groups */
    return formed + 2 * (n - 1) + 3;
}

/* The warps of a core that issue from a cycle on, each as long as no other one does. */
static const char *turns_of_warps(const struct machine_run *r, unsigned core, uint64_t from,
                                  char *text) {
    char order[ORDER_MAX + 1];
    unsigned turns = 0;
    issue_order(r, core, ORDER_MAX, order);
    for (unsigned i = (unsigned)from - 1; i < ORDER_MAX; i++) {
        if (order[i] != '.' && (!turns || order[i] != text[turns - 1])) {
            text[turns++] = order[i];
        }
    }
    text[turns] = '\0';
    return text;
}

/* CTAs 1, 3, 5 and 7 of the figure are 0 to 3 here. The data of the first comes while the third is
 * at work. */
static const char *const figure_4[] = {FR64 LD US, FR64 LD US, FR64 FR512 FR512, FR64 FR8};

TEST(owl_figure_4_a_groups_take_turns_though_the_first_is_ready) {
    struct config c = groups_of_one_cta(SCHEDULER_CTA_AWARE);
    char text[ORDER_MAX + 1];
    RUN_BY(run_cta_scripts, r, &c, 4, figure_4);
    assert_string_equal(turns_of_warps(&r, 0, groups_stand_at(&c, 4), text), "012301");
    uint64_t third = issued_at(&r, 0, 2, 8 * I_FREE, 64 + 1023);
    assert_true(event_at(&r, "sm0 reply", 1) < third - 500);
    /* A load holds its group until its access is in the L1. */
    issue_order(&r, 0, ORDER_MAX, text);
    uint64_t load = issued_at(&r, 0, 0, 8 * I_LOAD, 0);
    for (uint64_t cycle = load + 1; cycle < load + c.core.operand_latency; cycle++) {
        assert_true(text[cycle - 1] == '.');
    }
    assert_true(text[load + c.core.operand_latency - 1] == '1');
    uint64_t fourth = issued_at(&r, 0, 3, 8 * I_FREE, 64 + 7);
    assert_true(issued_at(&r, 0, 0, 8 * I_USE, 0) == fourth + 1);
    assert_true(issued_at(&r, 0, 1, 8 * I_USE, 0) == fourth + 2);
}

TEST(owl_figure_4_b_the_first_group_is_back_in_the_cycle_of_its_data) {
    struct config c = groups_of_one_cta(SCHEDULER_CTA_LOCALITY);
    char text[ORDER_MAX + 1];
    RUN_BY(run_cta_scripts, r, &c, 4, figure_4);
    assert_string_equal(turns_of_warps(&r, 0, groups_stand_at(&c, 4), text), "01202123");
    for (unsigned cta = 0; cta < 2; cta++) {
        uint64_t data = event_at(&r, "sm0 reply", cta) + 1 + c.l1.fill_latency;
        assert_true(issued_at(&r, 0, cta, 8 * I_USE, 0) == data);
    }
    /* The second need not wait for the first one's access to leave the L1. */
    issue_order(&r, 0, ORDER_MAX, text);
    assert_true(text[issued_at(&r, 0, 0, 8 * I_LOAD, 0)] == '1');
    assert_true(text[issued_at(&r, 0, 1, 8 * I_LOAD, 0)] == '2');
}

/* The fifth CTA starts in the slot of the first, and has its turn behind the others. */
TEST(a_cta_in_a_slot_that_was_used_waits_for_its_turn) {
    static const char *const script[] = {FR64, FR64, FR64, FR64, FR64};
    static const unsigned life[] = {OWL_LIFE_LAST, OWL_LIFE_GENERATION};
    for (unsigned k = 0; k < 4; k++) {
        struct config c = groups_of_one_cta(k & 1 ? SCHEDULER_CTA_AWARE : SCHEDULER_CTA_LOCALITY);
        char text[ORDER_MAX + 1];
        c.core.ctas = 4;
        c.owl.life = life[k / 2];
        RUN_BY(run_cta_scripts, r, &c, 5, script);
        assert_string_equal(turns_of_warps(&r, 0, groups_stand_at(&c, 4), text), "01230");
    }
}

/* An issued load has left nothing for its group to do: it need not have left the L1. */
TEST(with_owl_blocked_issued_a_load_under_way_gives_up_the_turn) {
    struct config c = groups_of_one_cta(SCHEDULER_CTA_AWARE);
    char text[ORDER_MAX + 1];
    c.owl.blocked = OWL_BLOCKED_ISSUED;
    RUN_BY(run_cta_scripts, r, &c, 4, figure_4);
    issue_order(&r, 0, ORDER_MAX, text);
    assert_true(text[issued_at(&r, 0, 0, 8 * I_LOAD, 0)] == '1');
    assert_true(text[issued_at(&r, 0, 1, 8 * I_LOAD, 0)] == '2');
}

TEST(a_group_of_ctas_that_waits_for_results_keeps_the_core) {
    static const char *const script[] = {FR64 A0 AC, FR64 FR64};
    for (unsigned aware = 0; aware < 2; aware++) {
        struct config c = groups_of_one_cta(aware ? SCHEDULER_CTA_AWARE : SCHEDULER_CTA_LOCALITY);
        char text[ORDER_MAX + 1];
        RUN_BY(run_cta_scripts, r, &c, 2, script);
        uint64_t first = issued_at(&r, 0, 0, 8 * I_FIRST, 0),
                 result = first + c.core.operand_latency + c.alu.int_add;
        assert_true(issued_at(&r, 0, 0, 8 * I_CHAIN, 0) == result);
        assert_string_equal(turns_of_warps(&r, 0, groups_stand_at(&c, 2), text),
                            aware ? "01" : "0101");
        issue_order(&r, 0, ORDER_MAX, text);
        assert_true(text[first] == (aware ? '.' : '1'));
        assert_true(text[result] == '1');
    }
}

/* Algorithm 1 with blp: on core 1 the second group is first. */
TEST(another_group_is_first_on_the_next_core) {
    static const char *const script[] = {FR64, FR64, FR64, FR64};
    struct config c = groups_of_one_cta(SCHEDULER_CTA_BLP);
    char text[ORDER_MAX + 1];
    c.core.count = 2;
    RUN_BY(run_cta_scripts, r, &c, 4, script);
    assert_string_equal(turns_of_warps(&r, 0, groups_stand_at(&c, 2), text), "01");
    assert_string_equal(turns_of_warps(&r, 1, groups_stand_at(&c, 2), text), "10");
}

/* All warps are one group, and take turns, while the launch is worked out; then a warp does not
 * issue before its CTA has its group. */
TEST(a_cta_issues_until_the_groups_form_and_then_from_its_group) {
    static const char *const script[] = {FR64, FR64};
    struct config c = groups_of_one_cta(SCHEDULER_CTA_LOCALITY);
    char text[ORDER_MAX + 1];
    RUN_BY(run_cta_scripts, r, &c, 2, script);
    uint64_t stand = groups_stand_at(&c, 2), formed = stand - 5;
    issue_order(&r, 0, ORDER_MAX, text);
    assert_true(text[0] == '.'); /* the block hears of the launch */
    for (uint64_t cycle = 2; cycle < stand + 4; cycle++) {
        char wanted = cycle < formed ? (cycle % 2 ? '1' : '0') : cycle < formed + 3 ? '.' : '0';
        assert_true(text[cycle - 1] == wanted);
    }
}

/* --- one instruction of a warp in flight --- */

static struct config one_in_flight(void) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    c.issue.inflight_per_warp = 1;
    return c;
}

TEST(the_next_instruction_waits_for_the_result_of_the_one_before) {
    struct config c = one_in_flight();
    RUN_BY(run_policy_script, r, &c, 1, (const char *[]){FR SF FR});
    uint64_t sfu = 1 + c.core.operand_latency + c.alu.int_add;
    assert_true(issued_at(&r, 0, 0, 8 * I_SFU, 0) == sfu); /* though it needs nothing */
    assert_true(issued_at(&r, 0, 0, 8 * I_FREE, 1) == sfu + c.core.operand_latency + c.alu.sfu);
}

TEST(it_waits_for_all_data_of_a_load_or_atomic) {
    static const struct {
        const char *script;
        unsigned insn;
    } cases[] = {{LD FR, I_LOAD}, {AT FR, I_ATOMIC}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config c = one_in_flight();
        RUN_BY(run_policy_script, r, &c, 1, &cases[i].script);
        /* A fill is woken in the next cycle; an atomic's reply goes to the register by itself. */
        uint64_t data = event_at(&r, "sm0 reply", 0) + (cases[i].insn == I_LOAD);
        assert_true(issued_at(&r, 0, 0, 8 * I_FREE, 0) == data + c.l1.fill_latency);
    }
}

WARP_WRITER(put_store_of_many_lines) {
    put_lines(s, I_STORE, 1000, 0xff);
    put_insn(s, I_FREE);
}

TEST(it_waits_for_a_store_to_be_sent_not_for_its_answer) {
    struct config c = one_in_flight();
    struct hand_program p;
    c.l1.miss_queue = 8; /* the store's eight accesses */
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = put_store_of_many_lines;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_true(issued_at(&r, 0, 0, 8 * I_FREE, 0) == 1 + c.core.operand_latency + 8 - 1);
}

TEST(it_waits_for_the_answer_of_a_load_without_a_register) {
    struct config c = one_in_flight();
    RUN_BY(run_policy_script, r, &c, 1, (const char *[]){HI FR});
    assert_true(issued_at(&r, 0, 0, 8 * I_FREE, 0) == event_at(&r, "sm0 reply", 0) + 1);
}

TEST(other_warps_go_on) {
    struct config c = one_in_flight();
    check_order(&c, 3, (const char *[]){FR FR, FR FR, FR FR}, "012.....012");
    assert_true(c.core.operand_latency + c.alu.int_add == 8);
}

/* --- narrow pipelines --- */

TEST(an_instruction_takes_its_scheduler_for_32_over_width_cycles) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.simd_width = 8;
    check_order(&c, 2, (const char *[]){FR FR, FR FR}, "0...1...0...1");
    c.core.simd_width = 16;
    check_order(&c, 2, (const char *[]){FR FR, FR FR}, "0.1.0.1");
    c.core.simd_width = 1;
    run_policy_script(&r, &c, 2, (const char *[]){LD, FR});
    assert_true(issued_at(&r, 0, 1, 8 * I_FREE, 0) == 1 + WARP_SIZE); /* a load too */
    assert_true(run_counter(&r, "core.wait_pipeline") == WARP_SIZE - 1);
}

TEST(its_pipeline_is_taken_for_as_many_intervals) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.simd_width = 8;
    c.core.schedulers = 2;
    run_policy_script(&r, &c, 2, (const char *[]){SF, SF});
    assert_true(issued_at(&r, 0, 0, 8 * I_SFU, 0) == 1);
    assert_true(issued_at(&r, 0, 1, 8 * I_SFU, 0) == 1 + 4 * c.alu.sfu_interval);
}

/* Lane groups follow each other in the pipeline as in the instruction that needs them. */
TEST(a_results_latency_is_that_of_its_first_lanes) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    CLOSED_BY(machine_run_free) struct machine_run r;
    c.core.simd_width = 8;
    run_policy_script(&r, &c, 1, (const char *[]){A0 AC});
    assert_true(issued_at(&r, 0, 0, 8 * I_CHAIN, 0) == 1 + c.core.operand_latency + c.alu.int_add);
}

TEST(an_atomic_without_a_register_is_answered_before_its_warp_exits) {
    struct config c = one_scheduler_of(SCHEDULER_LRR);
    struct insn forgetful[INSNS];
    struct hand_program p;
    const char *const script[] = {AT FR};
    memcpy(forgetful, table, sizeof table);
    forgetful[I_ATOMIC].dst = REG_NONE;
    hand_open(&p, forgetful, INSNS, 1, WARP_SIZE);
    p.warp = follow_policy_script;
    p.user = (void *)(uintptr_t)script;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    assert_true(issued_at(&r, 0, 0, 8 * I_FREE, 0) == 2);
    assert_true(r.cycles >= event_at(&r, "sm0 reply", 0));
    assert_true(run_counter(&r, "core.atomics") == 1 && run_counter(&r, "core.loads") == 0);
}
