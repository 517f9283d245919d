/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory spaces through a whole machine: one warp, every cycle and counter worked out by hand.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "l1/front_mrpb.h"
#include "l1/load_store.h"

enum { I_ACCESS, I_USE, I_FENCE, I_STORE, I_BEGIN, I_ITERATION, I_END, I_ATOMIC, INSNS };
enum { FIRST = 1000 };

/* The one warp's instructions and results. */
typedef void script_function(struct warp_stream *s);

WARP_WRITER(run_warp) {
    (*(script_function **)user)(s);
}

static struct config space_core(void) {
    struct config c = base_preset();
    c.core.count = 1;
    return c;
}

static void run_script_to_any_end(struct machine_run *r, const struct config *c, unsigned space,
                                  unsigned op, script_function *script) {
    struct insn table[INSNS] = {
        LOAD(1, NO),           ALU(NO, 1, REG_NONE, REG_NONE), SIMPLE(OP_FENCE),    STORE(NO),
        SIMPLE(OP_LOOP_BEGIN), SIMPLE(OP_LOOP_ITERATION),      SIMPLE(OP_LOOP_END), LOAD(1, NO)};
    struct hand_program p;
    assert_legal(c);
    table[I_ACCESS].space = (uint8_t)space;
    table[I_ACCESS].op = (uint8_t)op;
    table[I_STORE].space = (uint8_t)space;
    table[I_ATOMIC].op = OP_ATOMIC;
    hand_open(&p, table, INSNS, 1, WARP_SIZE);
    p.code.shared_bytes = 1024;
    p.warp = run_warp;
    p.user = &script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
}

static void run_space_script(struct machine_run *r, const struct config *c, unsigned space,
                             unsigned op, script_function *script) {
    run_script_to_any_end(r, c, space, op, script);
    assert_complete(r);
}

/* From the issue of the nth access to the issue of what uses it. */
static uint64_t access_latency(const struct machine_run *r, unsigned nth) {
    return issued_at(r, 0, 0, 8 * I_USE, nth) - issued_at(r, 0, 0, 8 * I_ACCESS, nth);
}

/* Each of two accesses to the same word of all lanes, after it has been fetched. */
static void one_word_three_times(struct warp_stream *s) {
    for (unsigned i = 0; i < 3; i++) {
        assert_true(warp_stream_put_affine(s, I_ACCESS, ALL_LANES, FIRST * 128, 0));
        put_insn(s, I_USE);
    }
}

TEST(a_texture_hit_takes_its_latency) {
    for (unsigned hit_latency = 1; hit_latency < 30; hit_latency += 7) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct config c = space_core();
        c.texture.hit_latency = hit_latency;
        run_space_script(&r, &c, SPACE_TEXTURE, OP_LOAD, one_word_three_times);
        assert_true(access_latency(&r, 2) == c.core.operand_latency + hit_latency);
        assert_true(run_counter(&r, "texture.accesses") == 3 &&
                    run_counter(&r, "texture.hits") == 2);
        assert_true(run_counter(&r, "texture.misses") == 1 && run_counter(&r, "l2.requests") == 1);
        assert_true(run_counter(&r, "l1.global_read_accesses") == 0);
    }
}

TEST(a_constant_hit_takes_its_latency) {
    for (unsigned hit_latency = 1; hit_latency < 30; hit_latency += 7) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct config c = space_core();
        c.constant.hit_latency = hit_latency;
        run_space_script(&r, &c, SPACE_CONSTANT, OP_LOAD, one_word_three_times);
        assert_true(access_latency(&r, 2) == c.core.operand_latency + hit_latency);
        assert_true(run_counter(&r, "constant.accesses") == 3 &&
                    run_counter(&r, "constant.hits") == 2);
        assert_true(run_counter(&r, "constant.misses") == 1 && run_counter(&r, "l2.requests") == 1);
    }
}

static void words_of_two_lines(struct warp_stream *s) {
    for (unsigned i = 0; i < 2; i++) {
        assert_true(warp_stream_put_affine(s, I_ACCESS, ALL_LANES, FIRST * 128, 4));
        put_insn(s, I_USE);
    }
}

TEST(distinct_constants_go_one_a_cycle) {
    struct config c = space_core();
    RUN_BY(run_space_script, r, &c, SPACE_CONSTANT, OP_LOAD, words_of_two_lines);
    assert_int_equal(run_counter(&r, "constant.accesses"), 2 * WARP_SIZE);
    assert_int_equal(run_counter(&r, "constant.misses"), 128 / c.constant.line_bytes);
    assert_true(access_latency(&r, 1) ==
                c.core.operand_latency + WARP_SIZE - 1 + c.constant.hit_latency);
}

/* Fermi: a local store that hits ends in the cache; its line goes to the L2 when another takes its
 * place. */
static void store_and_evict(struct warp_stream *s) {
    put_whole_line(s, I_ACCESS, FIRST);
    put_insn(s, I_USE);
    put_whole_line(s, I_STORE, FIRST);
    put_insn(s, I_FENCE);
    put_whole_line(s, I_ACCESS, FIRST + 1);
    put_insn(s, I_USE);
}

TEST(a_dirty_local_line_is_written_back_once) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct config c = space_core();
    c.l1.sets = c.l1.ways = 1;
    run_space_script(&r, &c, SPACE_LOCAL, OP_LOAD, store_and_evict);
    assert_true(run_counter(&r, "l1.writebacks") == 1 && run_counter(&r, "l1.write_hits") == 1);
    assert_true(run_counter(&r, "l1.local_write_accesses") == 1);
    assert_int_equal(run_counter(&r, "l2.requests"), 3); /* two reads and the line */
    assert_int_equal(run_counter(&r, "core.replies_received"), 2);
    /* Nothing to wait for: the fence holds the warp no longer than the store takes to the cache. */
    uint64_t stored = event_at(&r, "sm0 l1-write-done", 0);
    assert_true(issued_at(&r, 0, 0, 8 * I_ACCESS, 1) == stored + 1);
}

static void read_change_read(struct warp_stream *s) {
    put_whole_line(s, I_ACCESS, FIRST);
    put_insn(s, I_USE);
    put_whole_line(s, I_ATOMIC, FIRST);
    put_insn(s, I_USE);
    put_whole_line(s, I_ACCESS, FIRST);
    put_insn(s, I_USE);
}

TEST(an_atomic_goes_to_the_l2_and_its_old_value_to_the_register) {
    struct config c = space_core();
    RUN_BY(run_space_script, r, &c, SPACE_GLOBAL, OP_LOAD, read_change_read);
    assert_true(run_counter(&r, "l1.atomics") == 1 && run_counter(&r, "l1.write_evicts") == 1);
    assert_true(run_counter(&r, "l1.read_misses") == 2 && run_counter(&r, "l1.fills") == 2);
    assert_true(run_counter(&r, "core.replies_received") == 3);
    /* Its user waited for the reply of the atomic, which is the second. */
    uint64_t replied = event_at(&r, "sm0 reply", 1);
    assert_true(issued_at(&r, 0, 0, 8 * I_USE, 1) == replied + c.l1.fill_latency);
}

/* MRPB 5.5: L2-to-L1 traffic in packets; two reads and an atomic are answered with data, two stores
 * are acknowledged. */
static void change_and_store(struct warp_stream *s) {
    read_change_read(s);
    put_whole_line(s, I_STORE, FIRST);
    put_whole_line(s, I_STORE, FIRST + 1);
}

TEST(replies_with_data_and_acknowledgements_are_counted_apart) {
    struct config c = space_core();
    RUN_BY(run_space_script, r, &c, SPACE_GLOBAL, OP_LOAD, change_and_store);
    assert_int_equal(run_counter(&r, "noc.reply_data_packets"), 3);
    assert_int_equal(run_counter(&r, "noc.reply_ack_packets"), 2);
    assert_int_equal(run_counter(&r, "noc.reply_packets"), 5);
}

static void read_far(struct warp_stream *s) {
    put_whole_line(s, I_ACCESS, UINT64_C(1) << FRONT_MRPB_LINE_BITS);
    put_insn(s, I_USE);
}

TEST(an_address_without_room_in_the_mrpbs_header_is_refused) {
    for (unsigned mrpb = L1_FRONT_NONE; mrpb <= L1_FRONT_SLOT; mrpb++) {
        struct config c = space_core();
        CLOSED_BY(machine_run_free) struct machine_run r;
        c.l1.front = mrpb;
        run_script_to_any_end(&r, &c, SPACE_GLOBAL, OP_LOAD, read_far);
        assert_int_equal(r.status, mrpb == L1_FRONT_MRPB ? GPU_DOES_NOT_FIT : GPU_COMPLETE);
        if (mrpb == L1_FRONT_MRPB) {
            assert_string_equal(r.message, "kernel by_hand: an address has more than 51 bits, the "
                                           "most that a request header of l1.front = mrpb has room "
                                           "for");
        }
    }
}

static void all_lanes_on_one_word(struct warp_stream *s) {
    assert_true(warp_stream_put_affine(s, I_ATOMIC, ALL_LANES, FIRST * 128, 0));
    put_insn(s, I_USE);
}

TEST(an_atomic_of_all_lanes_on_one_word_is_32_requests) {
    struct config c = space_core();
    RUN_BY(run_space_script, r, &c, SPACE_GLOBAL, OP_LOAD, all_lanes_on_one_word);
    assert_true(run_counter(&r, "l1.atomics") == WARP_SIZE &&
                run_counter(&r, "l2.requests") == WARP_SIZE);
    assert_int_equal(run_counter(&r, "l1.lines_32"), 1);
}

static void everything_once(struct warp_stream *s) {
    put_lines(s, I_ACCESS, FIRST, ALL_LANES);
    put_insn(s, I_USE);
    put_lines(s, I_STORE, FIRST, 7);
    put_whole_line(s, I_ATOMIC, FIRST);
    put_insn(s, I_FENCE);
}

/* OWL's PMEM: nothing leaves the core, and each access takes one cycle. */
TEST(nothing_leaves_a_core_with_perfect_caches) {
    static const unsigned spaces[] = {SPACE_GLOBAL, SPACE_LOCAL, SPACE_TEXTURE, SPACE_CONSTANT};
    for (unsigned i = 0; i < 4; i++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct config c = space_core();
        bool writes = spaces[i] <= SPACE_LOCAL;
        c.l1.perfect = 1;
        run_space_script(&r, &c, spaces[i], OP_LOAD,
                         writes ? everything_once : one_word_three_times);
        assert_true(run_counter(&r, "core.requests_sent") == 0 &&
                    run_counter(&r, "l2.requests") == 0);
        unsigned hit_latency = writes                       ? c.l1.hit_latency + WARP_SIZE - 1
                               : spaces[i] == SPACE_TEXTURE ? c.texture.hit_latency
                                                            : c.constant.hit_latency;
        assert_true(access_latency(&r, 0) == c.core.operand_latency + hit_latency);
        assert_int_equal(run_counter(&r, "l1.lines_32"), writes);
        assert_int_equal(run_counter(&r, "l1.lines_03"), writes);
        assert_int_equal(run_counter(&r, "l1.lines_01"), writes);
    }
}

/* MDB figure 2: no L1. */
TEST(without_an_l1_every_access_goes_to_the_l2) {
    CLOSED_BY(machine_run_free) struct machine_run r;
    struct config c = space_core();
    c.l1.cache = 0;
    run_space_script(&r, &c, SPACE_GLOBAL, OP_LOAD, one_word_three_times);
    assert_true(run_counter(&r, "l1.read_bypasses") == 3 && run_counter(&r, "l2.read_hits") == 2);
    assert_int_equal(run_counter(&r, "l1.read_hits") + run_counter(&r, "l1.read_misses"), 0);
}

/* A loop of three trips; each reads a line twice, and the first of the trip before. */
static void a_loop(struct warp_stream *s) {
    put_insn(s, I_BEGIN);
    for (unsigned trip = 0; trip < 3; trip++) {
        put_insn(s, I_ITERATION);
        put_whole_line(s, I_ACCESS, FIRST + trip);
        put_insn(s, I_USE);
        put_whole_line(s, I_ACCESS, FIRST + trip);
        put_insn(s, I_USE);
        if (trip) {
            put_whole_line(s, I_ACCESS, FIRST + trip - 1);
            put_insn(s, I_USE);
        }
    }
    put_insn(s, I_END);
    put_whole_line(s, I_ACCESS, FIRST);
    put_insn(s, I_USE);
}

TEST(loop_markers_number_the_trips_of_hits) {
    for (unsigned mrpb = 0; mrpb < 2; mrpb++) {
        CLOSED_BY(machine_run_free) struct machine_run r;
        struct config c = space_core();
        c.l1.front = mrpb;
        run_space_script(&r, &c, SPACE_GLOBAL, OP_LOAD, a_loop);
        assert_true(run_counter(&r, "l1.hits_this_trip") == 3);
        assert_true(run_counter(&r, "l1.hits_last_trip") == 2);
        assert_true(run_counter(&r, "l1.hits_other_trip") == 1);
        assert_true(run_counter(&r, "l1.hits_intra_warp") == 6 &&
                    run_counter(&r, "l1.misses_cold") == 3);
    }
}

static void a_shared_atomic(struct warp_stream *s) {
    assert_true(warp_stream_put_affine(s, I_ACCESS, ALL_LANES, 0, 0));
    put_insn(s, I_USE);
}

TEST(a_shared_atomic_takes_a_cycle_for_each_lane_on_the_word) {
    for (unsigned atomic = 0; atomic < 2; atomic++) {
        struct config c = space_core();
        RUN_BY(run_space_script, r, &c, SPACE_SHARED, atomic ? OP_ATOMIC : OP_LOAD,
               a_shared_atomic);
        unsigned conflicts = atomic ? WARP_SIZE - 1 : 0;
        assert_true(access_latency(&r, 0) ==
                    c.core.operand_latency + conflicts + c.core.shared_latency);
        assert_int_equal(run_counter(&r, "shared.conflict_cycles"), conflicts);
        assert_int_equal(run_counter(&r, "core.requests_sent"), 0);
    }
}
