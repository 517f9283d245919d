/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing waits for ever: on every preset with the smallest queues there are, a mix of every space,
 * atomics, fences, barriers and divergent warps on a few lines runs to its end, and no warp waits
 * longer for what it has asked for than serving everybody's requests one after another would take.
 */
#include "config/packets.h"
#include "config/preset.h"
#include "cosim/rng.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { CTAS = 6, WARPS = 2, STEPS = 192, LANES = 4, REGION_LINES = 400, SEEDS = 2 };
enum {
    I_GLOBAL,
    I_LOCAL,
    I_SHARED,
    I_TEXTURE,
    I_CONSTANT,
    I_ATOMIC,
    LOADS,
    I_STORE = LOADS,
    I_LOCAL_STORE,
    I_SHARED_STORE,
    MEMORY,
    I_FENCE = MEMORY,
    I_BARRIER,
    I_USE,
    INSNS = I_USE + LOADS
};

static const struct insn table[INSNS] = {
    [I_GLOBAL] = LOAD(0, NO),
    [I_LOCAL] = LOAD(1, NO),
    [I_SHARED] = LOAD(2, NO),
    [I_TEXTURE] = LOAD(3, NO),
    [I_CONSTANT] = LOAD(4, NO),
    [I_ATOMIC] = LOAD(5, NO),
    [I_STORE] = STORE(NO),
    [I_LOCAL_STORE] = STORE(NO),
    [I_SHARED_STORE] = STORE(NO),
    [I_FENCE] = SIMPLE(OP_FENCE),
    [I_BARRIER] = SIMPLE(OP_BARRIER),
    [I_USE + I_GLOBAL] = ALU(10, 0, NO, NO),
    [I_USE + I_LOCAL] = ALU(11, 1, NO, NO),
    [I_USE + I_SHARED] = ALU(12, 2, NO, NO),
    [I_USE + I_TEXTURE] = ALU(13, 3, NO, NO),
    [I_USE + I_CONSTANT] = ALU(14, 4, NO, NO),
    [I_USE + I_ATOMIC] = ALU(15, 5, NO, NO),
};

/* One memory instruction after another, each waited for: a load by its use, a store by a fence. */
WARP_WRITER(write_hostile_warp) {
    struct rng rng;
    rng_seed(&rng, *(const uint64_t *)user * 100 + cta * WARPS + warp);
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned index = rng_below(&rng, MEMORY), kind = rng_below(&rng, 3);
        bool shared = index == I_SHARED || index == I_SHARED_STORE;
        unsigned first = 0;
        uint32_t lanes = 0;
        uint64_t address[WARP_SIZE];
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            unsigned line = kind == 0 || !lane ? rng_below(&rng, REGION_LINES) : first + lane;
            first = lane ? first : line;
            address[lane] = kind == 2 ? first * 128 : line % REGION_LINES * 128;
            address[lane] = shared ? lane * 128 % 1024 : address[lane] + 0x80000000;
        }
        for (unsigned k = 0; k < LANES; k++) {
            lanes |= 1u << rng_below(&rng, WARP_SIZE);
        }
        assert_true(warp_stream_put_memory(s, index, lanes, address));
        put_insn(s, index < LOADS ? I_USE + index : I_FENCE);
        if (i % 16 == 15) {
            put_insn(s, I_BARRIER);
        }
    }
}

static struct config smallest_queues(const char *preset_name) {
    struct config c = named_preset(preset_name);
    c.core.count = c.core.count <= 32 ? c.core.count : 4; /* or a warp has few turns */
    c.core.ctas = 1;
    c.l1.mshrs = c.l1.mshr_merge = 1;
    c.l1.miss_queue = 2; /* where writes stay, the smallest */
    c.texture.fifo = c.texture.request_queue = c.texture.reorder = 1;
    c.constant.mshrs = c.constant.mshr_merge = c.constant.miss_queue = 1;
    c.noc.input_flits = c.noc.output_flits = c.noc.router_flits = packet_flits(&c, c.l2.line_bytes);
    c.l2.queue = c.l2.mshrs = c.l2.mshr_merge = c.l2.reply_queue = 1;
    c.l2.miss_queue = 2;
    c.dram.queue = c.dram.return_queue = 1;
    /* Evictions, of dirty lines too. */
    c.l1.sets = c.l2.sets = c.texture.sets = c.constant.sets = 2;
    c.l1.ways = c.l2.ways = c.texture.ways = c.constant.ways = 2;
    assert_legal(&c);
    return c;
}

/* "sm1 issue warp 2 pc 24": false, if the line says something else. */
static bool parse_issue(const char *line, unsigned *sm, unsigned *warp, unsigned *pc) {
    static const char *const before[] = {"sm", " issue warp ", " pc "};
    unsigned *const number[] = {sm, warp, pc};
    for (unsigned i = 0; i < 3; i++) {
        char *rest;
        if (strncmp(line, before[i], strlen(before[i]))) {
            return false;
        }
        *number[i] = (unsigned)strtoul(line + strlen(before[i]), &rest, 10);
        line = rest;
    }
    return true;
}

/* The longest time, in core cycles, between a memory instruction's issue and that of the next
 * instruction of its warp, which waits for it, or, of a store, that of the one after its fence. */
static uint64_t longest_wait(const struct machine_run *r) {
    static uint64_t issued[CLOCK_UNITS_MAX][64]; /* of a warp's memory instruction, 0: none */
    uint64_t longest = 0;
    memset(issued, 0, sizeof issued);
    for (const char *line = r->events; line && *line; line = strchr(line, '\n') + 1) {
        char *rest;
        unsigned sm, warp, pc;
        uint64_t time = strtoull(line, &rest, 10);
        if (!parse_issue(rest + 1, &sm, &warp, &pc) || pc / 8 == I_FENCE) {
            continue;
        }
        uint64_t *at = &issued[sm][warp];
        longest = *at && time - *at > longest ? time - *at : longest;
        *at = pc / 8 < MEMORY ? time : 0;
    }
    return longest / r->core_period;
}

/*
 * FR-FCFS and greedy schedulers promise no bound. This is what a warp would wait for if everybody
 * were served before it, one after another, once: more is starvation. All warps together have at
 * most an access for each lane outstanding. In the worst case each goes to one DRAM bank, whose row
 * must be closed and opened for it, for a dirty victim of the L2 and for one of the L1 that takes
 * another line of the L2, with another victim: three writes and two reads. Its way there and back
 * comes once each, with nothing in flight at the same time.
 */
static uint64_t everybody_one_after_another(const struct config *c) {
    const struct config *k = c;
    double row = k->dram.rp + k->dram.rcd + k->dram.ras + k->dram.wl + k->dram.wr + k->dram.cl +
                 k->dram.cdlr +
                 (double)k->l2.line_bytes / (k->dram.bus_bytes * k->dram.burst) * k->dram.ccdl;
    double hops = k->noc.topology == NOC_MESH ? 11 : 1; /* of 6 x 6, corner to corner */
    double noc = 2 * (hops * k->noc.hop_latency + packet_flits(k, k->l2.line_bytes));
    double l2 = k->l2.rop_latency + k->l2.arbiter_latency + k->l2.hit_latency + k->l2.fill_latency +
                k->l2.bank_interval;
    double each = 5 * row * k->clock.core / k->clock.dram +
                  2 * (double)k->dram.latency * k->clock.core / k->clock.dram +
                  2 * noc * k->clock.core / k->clock.noc + 2 * l2 * k->clock.core / k->clock.l2;
    return (uint64_t)(CTAS * WARPS * LANES * each);
}

static void run_hostile(struct machine_run *r, const struct config *c, uint64_t seed,
                        const struct gpu_options *options, bool want_events) {
    struct hand_program p;
    hand_open(&p, table, INSNS, CTAS, WARPS * WARP_SIZE);
    p.insns[I_LOCAL].space = p.insns[I_LOCAL_STORE].space = SPACE_LOCAL;
    p.insns[I_SHARED].space = p.insns[I_SHARED_STORE].space = SPACE_SHARED;
    p.insns[I_TEXTURE].space = SPACE_TEXTURE;
    p.insns[I_CONSTANT].space = SPACE_CONSTANT;
    p.insns[I_ATOMIC].op = OP_ATOMIC;
    p.code.shared_bytes = 1024;
    p.warp = write_hostile_warp;
    p.user = &seed;
    run_test_machine(r, c, options, &p.program, want_events);
    assert_complete(r);
}

TEST(the_smallest_queues_serve_everybody_in_time) {
    const char *name;
    for (unsigned n = 0; (name = config_preset_name(n, NULL)); n++) {
        struct config c = smallest_queues(name);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            CLOSED_BY(machine_run_free) struct machine_run r;
            c.l1.front = seed == SEEDS ? L1_FRONT_MRPB
                                       : L1_FRONT_NONE; /* the last with the buffer before the L1 */
            run_hostile(&r, &c, seed, &(struct gpu_options){.watchdog_cycles = 200000}, true);
            uint64_t longest = longest_wait(&r), bound = everybody_one_after_another(&c);
            print_message("%-11s %8" PRIu64 " core cycles; longest wait %6" PRIu64
                          ", everybody one after another %7" PRIu64 "\n",
                          name, r.cycles, longest, bound);
            assert_true(bound < r.cycles / 2); /* else it would say nothing */
            if (longest > bound) {
                fail_msg("%s: a warp waited for %" PRIu64 " of %" PRIu64 " core cycles", name,
                         longest, bound);
            }
        }
    }
}

/* The preset as it is, and with the smallest queues. */
TEST(a_hostile_mix_counts_the_same_however_it_is_evaluated) {
    static const struct gpu_options ways[] = {{.poll = true}, {.reverse = true}};
    const char *name;
    for (unsigned n = 0; (name = config_preset_name(n, NULL)); n++) {
        for (unsigned small = 0; small < 2; small++) {
            struct config c = smallest_queues(name);
            struct config_error e;
            struct machine_run first, other;
            assert_true(small || config_preset(&c, name, &e));
            run_hostile(&first, &c, SEEDS + 1, &(struct gpu_options){0}, false);
            for (unsigned way = 0; way < 2; way++) {
                run_hostile(&other, &c, SEEDS + 1, &ways[way], false);
                assert_same_run(&first, &other, name);
            }
        }
    }
}
