/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump: each warp, what it waits for, and where its accesses are. Runs are cut in the cycle in
 * which they are there.
 */
#include "config/preset.h"
#include "core/core.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_LOAD, I_USE, I_WORK, I_CHAIN, I_STORE, I_BARRIER, I_TEXTURE, INSNS };

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO),    [I_USE] = ALU(2, 1, REG_NONE, REG_NONE),
    [I_WORK] = ALU(3, NO),     [I_CHAIN] = ALU(3, 3, REG_NONE, REG_NONE),
    [I_STORE] = STORE(NO),     [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_TEXTURE] = LOAD(1, NO),
};

/* Warp 0 loads and uses; the others work. */
WARP_WRITER(load_and_work) {
    if (warp == 0) {
        put_lines(s, I_LOAD, 0x1000, 3);
        put_insn(s, I_USE);
    }
    for (unsigned i = 0; i < 3; i++) {
        put_insn(s, i ? I_CHAIN : I_WORK);
    }
}

/* One load, of one line. */
WARP_WRITER(load_a_line) {
    put_whole_line(s, I_LOAD, 0x1000);
    put_insn(s, I_USE);
}

/* A line twice, then another. */
WARP_WRITER(load_again_and_another) {
    for (unsigned i = 0; i < 3; i++) {
        put_whole_line(s, I_LOAD, i < 2 ? 0x1000 : 0x2000);
        put_insn(s, I_USE);
    }
}

/* Warps 0 and 2 go to the barrier at once, the others load and use first. */
WARP_WRITER(barrier_or_load) {
    if (warp % 2) {
        load_a_line(user, launch, cta, warp, s);
    }
    put_insn(s, I_BARRIER);
}

/* A texture's line for each warp. */
WARP_WRITER(load_texture) {
    put_whole_line(s, I_TEXTURE, 0x1000 + warp);
    put_insn(s, I_USE);
}

static struct config one_scheduler_one_partition(void) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = c.l2.partitions = 1;
    return c;
}

typedef void warp_function(void *, unsigned, unsigned, unsigned, struct warp_stream *);

/* The dump of warps that run @what after @cycles, to be freed; NULL: the run has ended before. */
static char *dump_of(const struct config *c, warp_function *what, unsigned warps, uint64_t cycles,
                     bool stores) {
    struct hand_program p;
    char error[256], *text;
    size_t size;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, warps * WARP_SIZE);
    p.warp = what;
    p.insns[I_TEXTURE].space = SPACE_TEXTURE;
    p.insns[I_CHAIN] = stores ? p.insns[I_STORE] : p.insns[I_CHAIN];
    struct gpu *g = gpu_create(c, &(struct gpu_options){.max_cycles = cycles}, error, sizeof error);
    assert_non_null(g);
    enum gpu_status status = gpu_run(g, &p.program);
    if (status == GPU_COMPLETE) {
        gpu_destroy(g);
        return NULL;
    }
    assert_int_equal(status, GPU_LIMIT);
    FILE *out = open_memstream(&text, &size);
    gpu_dump(g, out);
    fclose(out);
    gpu_destroy(g);
    return text;
}

static char *dump_at(const struct config *c, unsigned warps, uint64_t cycles, bool stores) {
    char *text = dump_of(c, load_and_work, warps, cycles, stores);
    assert_non_null(text);
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

TEST(a_load_is_followed_from_the_unit_to_its_partition) {
    struct config c = one_scheduler_one_partition();
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

/* In each cycle between the L1 and the reply some place is told, and all of these are. */
static void check_whole_way(const struct config *c, warp_function *what, const char *const *places,
                            unsigned count) {
    bool seen[16] = {false};
    uint64_t first = 1 + c->core.operand_latency, cycle = first;
    char *text;
    assert_true(count <= sizeof seen / sizeof *seen);
    for (; (text = dump_of(c, what, 1, cycle, false)); cycle++) {
        if (strstr(text, "waits for a load (1") && !strstr(text, "      -> ")) {
            fail_msg("cycle %" PRIu64 " of the load has no place:\n%s", cycle, text);
        }
        for (unsigned i = 0; i < count; i++) {
            seen[i] = seen[i] || strstr(text, places[i]);
        }
        free(text);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!seen[i]) {
            fail_msg("no dump says: %s", places[i]);
        }
    }
    assert_true(cycle > first + c->l2.rop_latency);
}

TEST(no_cycle_of_a_load_is_without_a_place) {
    static const char *const crossbar[] = {
        "number 1 of 1 in sm0, miss queue",
        "number 1 of 1 in sm0, requests",
        "  interconnect, sm0\n    requests         1 entries",
        "number 1 of 1 in partition 0, queue\n", /* one ring with its only port */
        "its line 0x1000 is in an MSHR of partition 0, bank 0\n",
        "number 1 of 1 in partition 0, to the DRAM",
        "number 1 of 1 in partition 0, DRAM queue, for bank ",
        "number 1 of 1 in partition 0, from the DRAM",
        "number 1 of 1 in partition 0, to the NoC",
        "number 1 of 1 in sm0, replies",
        "its line 0x1000 is in an MSHR of the L1\n"};
    static const char *const hit[] = {"number 1 of 1 in partition 0, output",
                                      "number 1 of 1 in partition 0, to the NoC"};
    static const char *const mesh[] = {
        "number 1 of 1 in node 1 of the request mesh, to partition 0",
        "number 1 of 1 in node 2 of the request mesh, to partition 0",
        "number 1 of 1 in node 1 of the reply mesh, to sm0",
        "  reply mesh, node 0, from east: 1 packets"};
    struct config c = one_scheduler_one_partition();
    check_whole_way(&c, load_a_line, crossbar, sizeof crossbar / sizeof *crossbar);
    c.l1.cache = false;
    check_whole_way(&c, load_again_and_another, hit, sizeof hit / sizeof *hit);
    c.l1.cache = true;
    c.noc.topology = NOC_MESH;
    c.noc.router_flits = 40;
    snprintf(c.noc.nodes, sizeof c.noc.nodes, "c.p");
    check_whole_way(&c, load_a_line, mesh, sizeof mesh / sizeof *mesh);
}

TEST(the_ways_round_a_bank_and_past_the_low_queue_have_places) {
    static const char *const round[] = {
        "number 1 of 1 in partition 0, ROP",
        "its line 0x1000 is in partition 0, bypass of port 0\n",
        "number 1 of 1 in partition 0, to the DRAM\n",
        "number 1 of 1 in partition 0, DRAM queue, for bank ",
        "number 1 of 1 in partition 0, from the DRAM",
    };
    static const char *const past[] = {
        "its line 0x2000 is in partition 0, bypass of port 0\n",
        "its line 0x2000 is number 1 of 1 in partition 0, queue\n",
        "its line 0x2000 is number 1 of 1 in partition 0, to the DRAM, high\n",
        "its line 0x2000 is number 1 of 1 in partition 0, DRAM queue, for bank ",
    };
    struct config c = one_scheduler_one_partition();
    c.l1.cache = false;
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.bypass_at = L2_BYPASS_AT_ARBITER;
    c.l2.bypass = L2_BYPASS_ALL;
    check_whole_way(&c, load_a_line, round, sizeof round / sizeof *round);
    c.l2.bypass = L2_BYPASS_OFF;
    c.dram.queues = DRAM_QUEUES_TWO;
    c.medic.profile = 2; /* of which one hits: */
    c.medic.mostly_hit = 50;
    check_whole_way(&c, load_again_and_another, past, sizeof past / sizeof *past);
}

/* Two replies, and room for one of them in the core's buffer. */
TEST(a_crossbar_tells_whose_head_waits_for_whom) {
    struct config c = one_scheduler_one_partition();
    bool seen = false;
    char *text;
    c.noc.output_flits = 5;
    for (uint64_t cycle = 1; (text = dump_of(&c, load_and_work, 1, cycle, false)); cycle++) {
        if (strstr(text, "  reply crossbar, from partition 0: head waits for its turn or for room "
                         "at sm0\n")) {
            assert_non_null(strstr(text, " in partition 0, to the NoC\n"));
            seen = true;
        }
        free(text);
    }
    assert_true(seen);
}

TEST(a_texture_access_is_told_by_its_turn) {
    struct config c = one_scheduler_one_partition();
    FREED char *text = dump_of(&c, load_texture, 2, 60, false);
    const char *part = text ? strstr(text, "warp  1 waits for a load") : NULL;
    assert_non_null(part);
    assert_non_null(strstr(part, "      -> number 2 of 2 in sm0, texture FIFO\n"));
    assert_non_null(strstr(part, "      -> its line 0x1001 is number "));
}

TEST(a_barrier_names_the_warps_that_have_not_come) {
    struct config c = one_scheduler_one_partition();
    FREED char *text = dump_of(&c, barrier_or_load, 4, 30, false);
    assert_non_null(text);
    const char *wanted = "warp  2 waits for barrier (0 accesses outstanding)\n"
                         "      -> has not come there: warp 1, 3\n";
    if (!strstr(text, wanted)) {
        fail_msg("the dump does not say: %s\n%s", wanted, text);
    }
}

TEST(an_access_that_the_l1_refuses_is_told_with_its_cause) {
    struct config c = one_scheduler_one_partition();
    c.l1.mshrs = 1;
    check_says(&c, 1, 3 + c.core.operand_latency,
               "-> 1 in the load/store unit, whose first access waits for an MSHR\n");
}

TEST(a_warp_that_a_policy_holds_is_told_so) {
    struct config c = one_scheduler_one_partition();
    check_says(&c, 2, 4, "warp  1 waits for a result");
    c.issue.warp_limit = 1;
    check_says(&c, 2, 4, "warp  1 waits for its turn: held by SWL");
    c.issue.warp_limit = 0;
    c.issue.scheduler = SCHEDULER_TWO_LEVEL;
    c.issue.group_warps = 1;
    check_says(&c, 2, 4, "warp  1 waits for its turn: other fetch group");
}

TEST(a_warp_whose_instruction_is_in_flight_is_told_so) {
    struct config c = one_scheduler_one_partition();
    c.issue.inflight_per_warp = 1;
    c.core.operand_latency = 20;
    FREED char *text = dump_at(&c, 2, 24 + 20, true); /* its store is on its way to the unit */
    assert_non_null(strstr(text, "warp  1 waits for its turn, or its last instruction"));
}
