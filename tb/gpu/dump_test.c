/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump: each warp, what it waits for, and where its accesses are. Runs are cut in the cycle in
 * which they are there.
 */
#include "config/preset.h"
#include "gpu/core.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_LOAD, I_USE, I_WORK, I_CHAIN, I_STORE, INSNS };

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO), [I_USE] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_WORK] = ALU(3, NO),  [I_CHAIN] = ALU(3, 3, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),
};

/* Warp 0 loads and uses; the others work. */
static void load_and_work(void *user, unsigned launch, unsigned cta, unsigned warp,
                          struct warp_stream *s) {
    (void)user, (void)launch, (void)cta;
    if (warp == 0) {
        put_lines(s, I_LOAD, 0x1000, 3);
        put(s, I_USE);
    }
    for (unsigned i = 0; i < 3; i++) {
        put(s, i ? I_CHAIN : I_WORK);
    }
}

static struct config one_scheduler(void) {
    struct config c = preset();
    c.core.count = c.core.schedulers = c.l2.partitions = 1;
    return c;
}

/* The dump after @cycles; to be freed. */
static char *dump_at(const struct config *c, unsigned warps, uint64_t cycles, bool stores) {
    struct hand_program p;
    char error[256], *text;
    size_t size;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, warps * WARP_SIZE);
    p.warp = load_and_work;
    p.insns[I_CHAIN] = stores ? p.insns[I_STORE] : p.insns[I_CHAIN];
    struct gpu *g = gpu_create(c, &(struct gpu_options){.max_cycles = cycles}, error, sizeof error);
    assert_non_null(g);
    assert_int_equal(gpu_run(g, &p.program), GPU_LIMIT);
    FILE *out = open_memstream(&text, &size);
    gpu_dump(g, out);
    fclose(out);
    gpu_destroy(g);
    return text;
}

static void check_says(const struct config *c, unsigned warps, uint64_t cycles,
                       const char *wanted) {
    char *text = dump_at(c, warps, cycles, false);
    if (!strstr(text, wanted)) {
        fail_msg("the dump does not say: %s\n%s", wanted, text);
    }
    free(text);
}

static void a_load_is_followed_from_the_unit_to_its_partition(void **state) {
    (void)state;
    struct config c = one_scheduler();
    uint64_t first = 1 + c.core.operand_latency; /* cycle of its first access */
    check_says(&c, 1, first - 1,
               "warp  0 waits for a load (2 accesses outstanding)\n"
               "      -> 2 in the load/store unit\n");
    check_says(&c, 1, first,
               "      -> 1 in the load/store unit\n"
               "      -> its line 0x1000 is number 1 of 1 in sm0, miss queue\n");
    check_says(&c, 1, first + 1, "-> its line 0x1000 is number 1 of 1 in sm0, requests\n");
    check_says(&c, 1, first + 2 + c.noc.hop_latency + c.l2.rop_latency / 2,
               "-> its line 0x1000 is number 1 of 2 in partition 0, ");
}

static void an_access_that_the_l1_refuses_is_told_with_its_cause(void **state) {
    (void)state;
    struct config c = one_scheduler();
    c.l1.mshrs = 1;
    check_says(&c, 1, 3 + c.core.operand_latency,
               "-> 1 in the load/store unit, whose first access waits for an MSHR\n");
}

static void a_warp_that_a_policy_holds_is_told_so(void **state) {
    (void)state;
    struct config c = one_scheduler();
    check_says(&c, 2, 4, "warp  1 waits for a result");
    c.issue.warp_limit = 1;
    check_says(&c, 2, 4, "warp  1 waits for its turn: held by SWL");
    c.issue.warp_limit = 0;
    c.issue.scheduler = SCHEDULER_TWO_LEVEL;
    c.issue.group_warps = 1;
    check_says(&c, 2, 4, "warp  1 waits for its turn: other fetch group");
}

static void a_warp_whose_instruction_is_in_flight_is_told_so(void **state) {
    (void)state;
    struct config c = one_scheduler();
    c.issue.inflight_per_warp = 1;
    c.core.operand_latency = 20;
    char *text = dump_at(&c, 2, 24 + 20, true); /* its store is on its way to the unit */
    assert_non_null(strstr(text, "warp  1 waits for its turn, or its last instruction"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_is_followed_from_the_unit_to_its_partition),
        cmocka_unit_test(an_access_that_the_l1_refuses_is_told_with_its_cause),
        cmocka_unit_test(a_warp_that_a_policy_holds_is_told_so),
        cmocka_unit_test(a_warp_whose_instruction_is_in_flight_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
