/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC (PACT 2015) figure 1: what one load of eight threads waits for, by which of its requests
 * hit in the L2, in a machine in which nothing else is under way.
 */
#include "base/clock.h"
#include "config/packets.h"
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { THREADS = 8, CHANNEL_LINES = 2, ALL_HIT = 0xff };
enum { I_WARM, I_WARM_USE, I_LOAD, I_USE, INSNS };

#define FIRST_LINE 0x100000

/* Each thread's line lies in a partition of its own, and every reply is one flit: the requests
 * leave one a cycle, and none meets another before it is back. */
static struct config one_flit_machine(void) {
    struct config c = base_preset();
    c.clock.core = c.clock.noc = c.clock.l2 = c.clock.dram = 1000000;
    c.core.count = 1;
    c.l1.cache = false;
    c.l2.partitions = THREADS;
    c.dram.channel_bytes = CHANNEL_LINES * LINE_BYTES;
    c.noc.flit_bytes = 256;
    return c;
}

static void touch_lines_of_threads(struct warp_stream *s, unsigned index, uint32_t threads) {
    if (threads) {
        assert_true(warp_stream_put_affine(s, index, threads, FIRST_LINE * LINE_BYTES,
                                           CHANNEL_LINES * LINE_BYTES));
        put_insn(s, index + 1);
    }
}

struct threads {
    uint32_t load, hit; /* masks */
};

WARP_WRITER(write_divergent_warp) {
    const struct threads *t = user;
    touch_lines_of_threads(s, I_WARM, t->hit); /* brings the lines that are to hit */
    touch_lines_of_threads(s, I_LOAD, t->load);
}

/* Core cycles from the issue of the load of these threads to that of the instruction that needs
 * it. */
static uint64_t stall_in(const struct config *c, uint32_t load, uint32_t hit) {
    static const struct insn table[INSNS] = {
        LOAD(0, NO),
        ALU(10, 0, REG_NONE, REG_NONE),
        LOAD(1, NO),
        ALU(11, 1, REG_NONE, REG_NONE),
    };
    struct threads t = {load, hit};
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.warp = write_divergent_warp;
    p.user = &t;
    RUN(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_int_equal(run_counter(&r, "l2.read_hits"), __builtin_popcount(load & hit));
    uint64_t cycles = issued_at(&r, 0, 0, 8 * I_USE, 0) - issued_at(&r, 0, 0, 8 * I_LOAD, 0);
    return cycles;
}

static uint64_t stall_of_loads(uint32_t load, uint32_t hit) {
    const struct config c = one_flit_machine();
    return stall_in(&c, load, hit);
}

/* By request: thread i's leaves i cycles after the first, and is back when a lone one would be. */
static uint64_t slowest_request(uint32_t hit, uint64_t of_hit, uint64_t of_miss) {
    uint64_t last = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        last = later_time(last, i + (hit >> i & 1 ? of_hit : of_miss));
    }
    return last;
}

TEST(a_load_waits_for_its_slowest_request) {
    const uint64_t of_hit = stall_of_loads(1, 1), of_miss = stall_of_loads(1, 0);
    assert_true(of_miss > of_hit + THREADS);
    for (uint32_t hit = 0; hit <= ALL_HIT; hit++) {
        assert_int_equal(stall_of_loads(ALL_HIT, hit), slowest_request(hit, of_hit, of_miss));
    }
}

/* Figure 1a and c: seven of eight hit, and the warp stalls as if none had; with that one as a hit
 * it stalls for a hit. */
TEST(test_1_one_miss_costs_a_mostly_hit_warp_all_it_has_of_the_cache) {
    const uint64_t all_hit = stall_of_loads(ALL_HIT, ALL_HIT),
                   all_miss = stall_of_loads(ALL_HIT, 0);
    const uint64_t saved = stall_of_loads(1, 0) - stall_of_loads(1, 1);
    const uint32_t last = 1u << (THREADS - 1);
    assert_int_equal(stall_of_loads(ALL_HIT, ALL_HIT & ~last), all_miss);
    assert_int_equal(all_miss - all_hit, saved);
}

/* Figure 1b and d: two of eight hit; as misses they stall the warp no longer. */
TEST(test_1_the_hits_of_a_mostly_miss_warp_are_worth_nothing) {
    const uint64_t all_miss = stall_of_loads(ALL_HIT, 0);
    for (unsigned first = 0; first + 2 < THREADS; first++) {
        assert_int_equal(stall_of_loads(ALL_HIT, 3u << first), all_miss);
    }
}

/* Figure 1d: what bypasses leaves out the port's pipeline, the arbiter, the bank's miss queue and
 * its MSHR, a cycle each, for one in the block that sorts it out; and asks for its own 32 bytes. */
TEST(test_1_an_all_miss_warp_that_bypasses_stalls_for_less) {
    struct config c = one_flit_machine();
    const unsigned burst_bytes = c.dram.bus_bytes * c.dram.burst;
    const unsigned bursts = LINE_BYTES / burst_bytes;
    assert_true(burst_bytes >= SECTOR_BYTES && c.l2.arbiter_latency == 1);
    c.l2.write = L2_WRITE_THROUGH;
    const uint64_t before = stall_in(&c, ALL_HIT, 0);
    c.l2.bypass = L2_BYPASS_ALL;
    assert_int_equal(before - stall_in(&c, ALL_HIT, 0),
                     c.l2.rop_latency + 3 - 1 + (bursts - 1) * c.dram.ccdl);
}
