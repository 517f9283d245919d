/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetch of what is left of an open DRAM row (OWL 4.4) in a machine of one core, one partition
 * and one bank: from the row through the L2's claim to the request that finds the line.
 */
#include "config/derived.h"
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_LOAD, I_USE, I_STORE, I_WAIT, INSNS };

static const struct insn table[INSNS] = {
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(2, 1),
    [I_STORE] = STORE(NO),
    [I_WAIT] = ALU(REG_NONE, NO),
};

enum { LINES = 16, BANKS = 4, ROW_BYTES = LINES * LINE_BYTES };

static struct config one_channel(unsigned prefetch) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = 1;
    c.l2.partitions = c.l2.banks = c.l2.ports = 1;
    c.dram.banks = BANKS;
    c.dram.bank_groups = 1;
    c.dram.row_bytes = ROW_BYTES;
    c.dram.channel_bytes = 1 << 20;
    c.owl.prefetch = prefetch;
    return c;
}

/* Line @line of row @row of bank 0. */
static uint64_t line_in_row(unsigned row, unsigned line) {
    return (uint64_t)row * BANKS * LINES + line;
}

static void put_waits(struct warp_stream *s, unsigned count) {
    while (count--) {
        put_insn(s, I_WAIT);
    }
}

/* Letters: "0" to "f" load that line of row 0 and use it, after "+" of row 1, after "-" of row 0
 * again; "s" stores the next one; "." and "," wait. */
WARP_WRITER(follow_row_script) {
    const char *const *script = user;
    unsigned row = 0;
    unsigned insn = I_LOAD;
    for (const char *at = script[warp]; *at; at++) {
        if (*at == '+' || *at == '-') {
            row = *at == '+';
        } else if (*at == 's') {
            insn = I_STORE;
        } else if (*at == '.') {
            put_waits(s, 100);
        } else if (*at == ',') {
            put_waits(s, 10);
        } else {
            char digit[2] = {*at, '\0'};
            put_whole_line(s, insn, line_in_row(row, (unsigned)strtoul(digit, NULL, 16)));
            if (insn == I_LOAD) {
                put_insn(s, I_USE);
            }
            insn = I_LOAD;
        }
    }
}

static void run_row_script(struct machine_run *r, const struct config *c, unsigned warps,
                           const char *const *script) {
    struct hand_program p;
    assert_legal(c);
    hand_open(&p, table, INSNS, 1, warps * WARP_SIZE);
    p.warp = follow_row_script;
    p.user = (void *)(uintptr_t)script;
    run_test_machine(r, c, &(struct gpu_options){0}, &p.program, true);
    assert_complete(r);
}

#define RUN_SCRIPT(r, c, ...) \
    const char *const script_of_##r[] = {__VA_ARGS__}; \
    RUN_BY(run_row_script, r, c, sizeof script_of_##r / sizeof *script_of_##r, script_of_##r)

static uint64_t columns_of(const struct machine_run *r, const struct config *c, uint64_t lines) {
    unsigned bursts = LINE_BYTES / (c->dram.bus_bytes * c->dram.burst);
    return lines * bursts == run_counter(r, "dram.columns");
}

TEST(owl_4_4_the_rest_of_an_open_row_comes_into_the_l2) {
    for (unsigned prefetch = OWL_PREFETCH_STOP; prefetch <= OWL_PREFETCH_LEAST; prefetch++) {
        struct config c = one_channel(prefetch);
        RUN_SCRIPT(r, &c, "5..........0f");
        assert_int_equal(run_counter(&r, "dram.activates"), 1);
        assert_int_equal(run_counter(&r, "dram.reads"), 1);
        assert_int_equal(run_counter(&r, "dram.prefetches"), LINES - 1); /* each line once */
        assert_true(columns_of(&r, &c, LINES));
        assert_int_equal(run_counter(&r, "l2.read_hits"), 2);
        assert_int_equal(run_counter(&r, "l2.prefetches_used"), 2);
        assert_int_equal(run_counter(&r, "l2.prefetches_late"), 0);
    }
}

TEST(owl_figure_5_c_no_row_is_opened_twice) {
    static const char script[] = "0....+0....-8....+8....";
    struct config without = one_channel(OWL_PREFETCH_OFF), with = one_channel(OWL_PREFETCH_LEAST);
    RUN_SCRIPT(plain, &without, script);
    RUN_SCRIPT(r, &with, script);
    assert_int_equal(run_counter(&plain, "dram.activates"), 4);
    assert_int_equal(run_counter(&r, "dram.activates"), 2);
    assert_true(r.cycles < plain.cycles);
}

/* Warp 1 comes for the last line sooner and later: before its prefetch, while it is under way, and
 * when it is there. */
TEST(a_request_merges_with_the_prefetch_of_its_line) {
    unsigned late = 0, fetched = 0, found = 0;
    for (unsigned waits = 0; waits < 30; waits++) {
        struct config c = one_channel(OWL_PREFETCH_LEAST);
        char script[32] = "";
        memset(script, ',', waits);
        strcpy(script + waits, "f");
        RUN_SCRIPT(r, &c, "0", script);
        assert_int_equal(run_counter(&r, "dram.activates"), 1);
        assert_true(columns_of(&r, &c, LINES)); /* nothing is fetched twice */
        late += run_counter(&r, "l2.prefetches_late") == 1;
        fetched += run_counter(&r, "dram.reads") == 2;
        found += run_counter(&r, "l2.read_hits") == 1;
        assert_int_equal(late + fetched + found, waits + 1);
    }
    assert_true(late && fetched && found);
}

/* An L2 of one line, which is dirty or being fetched. */
TEST(no_dirty_line_gives_way_to_a_prefetch) {
    struct config c = one_channel(OWL_PREFETCH_LEAST);
    c.l2.sets = c.l2.ways = 1;
    c.l2.write_miss = L2_WRITE_MISS_FETCH;
    c.l1.global_write = L1_WRITE_EVICT;
    for (unsigned claim = OWL_CLAIM_EARLY; claim <= OWL_CLAIM_LATE; claim++) {
        c.owl.claim = claim;
        RUN_SCRIPT(r, &c, "s5..........5");
        assert_int_equal(run_counter(&r, "l2.writebacks"), 0);
        assert_int_equal(run_counter(&r, "l2.prefetches"), 0);
        assert_int_equal(run_counter(&r, "l2.prefetches_refused"), LINES - 1);
        assert_int_equal(run_counter(&r, "dram.prefetches"),
                         claim == OWL_CLAIM_LATE ? LINES - 1 : 0);
        assert_int_equal(run_counter(&r, "l2.read_hits"), 1);
    }
}

/* The only MSHR that is free is for requests. */
TEST(the_last_mshr_is_not_a_prefetchs) {
    struct config c = one_channel(OWL_PREFETCH_LEAST);
    c.l2.mshrs = 2;
    RUN_SCRIPT(r, &c, "0..........");
    assert_true(run_counter(&r, "l2.prefetches_refused") > 0);
    assert_true(run_counter(&r, "l2.prefetches") > 0);
    assert_int_equal(run_counter(&r, "l2.fail_mshr_full"), 0);
}

/* Cycle of the n-th activate of the channel. */
static uint64_t activated_at(const struct machine_run *r, unsigned n) {
    return event_time(r, "dram.0 activate", n);
}

/* Row 1 opens so long after row 0, if its request comes @waits later. */
static uint64_t wait_of_another_row(const struct config *c, unsigned waits) {
    char other[48] = "";
    memset(other, ',', waits);
    strcpy(other + waits, "+0");
    RUN_SCRIPT(r, c, "0..........", other);
    return activated_at(&r, 1) - activated_at(&r, 0);
}

/* A request for row 1 waits while row 0 is open: stop lets it go at once but for the lines that are
 * under way, least after so many lines. */
TEST(owl_4_4_the_rules_say_how_long_another_row_waits) {
    struct config off = one_channel(OWL_PREFETCH_OFF), stop = one_channel(OWL_PREFETCH_STOP),
                  least = one_channel(OWL_PREFETCH_LEAST);
    least.owl.lower = least.owl.higher = 8;
    least.owl.start = OWL_START_ANY;
    uint64_t without = wait_of_another_row(&off, 0), of_eight = wait_of_another_row(&least, 0);
    assert_true(wait_of_another_row(&stop, 0) == without && of_eight > without);
    least.owl.lower = least.owl.higher = 2;
    uint64_t of_two = wait_of_another_row(&least, 0);
    assert_true(of_two > without && of_two < of_eight);
}

/* "Regardless of whether or not a demand arrives" is said of the time after the first prefetch. */
TEST(owl_4_4_a_request_that_waits_already_is_not_kept_waiting) {
    struct config off = one_channel(OWL_PREFETCH_OFF), stop = one_channel(OWL_PREFETCH_STOP),
                  least = one_channel(OWL_PREFETCH_LEAST);
    unsigned kept = 0;
    least.owl.lower = least.owl.higher = LINES;
    assert_true(wait_of_another_row(&least, 0) == wait_of_another_row(&off, 0));
    for (unsigned waits = 1; waits < 30; waits++) {
        uint64_t stops = wait_of_another_row(&stop, waits);
        assert_true(wait_of_another_row(&least, waits) >= stops);
        kept += wait_of_another_row(&least, waits) > stops;
    }
    assert_true(kept > 1);
}

/* The request for row 1 comes sooner and later while row 0 is prefetched: by rule 1 it waits for
 * the reads of the lines that are under way, of the one offered, and the data of the last. */
TEST(owl_4_4_rule_1_waits_for_the_lines_under_way_alone) {
    struct config with = one_channel(OWL_PREFETCH_STOP), without = one_channel(OWL_PREFETCH_OFF);
    const unsigned bursts = LINE_BYTES / (with.dram.bus_bytes * with.dram.burst);
    const uint64_t most = (PREFETCHER_LINES_MAX + 1) * bursts * with.dram.ccd + with.dram.cl;
    uint64_t longest = 0;
    for (unsigned waits = 0; waits < 30; waits++) {
        char other[40] = "";
        memset(other, ',', waits);
        strcpy(other + waits, "+0");
        RUN_SCRIPT(r, &with, "0", other);
        RUN_SCRIPT(plain, &without, "0", other);
        uint64_t later = activated_at(&r, 1) - activated_at(&plain, 1);
        uint64_t period = r.core_period * with.clock.core / with.clock.dram;
        longest = later / period > longest ? later / period : longest;
        assert_true(later / period <= most);
    }
    assert_true(longest > bursts * with.dram.ccd); /* it did meet lines under way */
}

/* A line that nobody asks for goes first, where it is inserted last. */
TEST(a_prefetched_line_may_be_evicted_first) {
    for (unsigned where = OWL_PREFETCHED_RECENT; where <= OWL_PREFETCHED_LAST; where++) {
        struct config c = one_channel(OWL_PREFETCH_LEAST);
        c.l2.sets = 1;
        c.l2.ways = LINES + LINES / 4; /* four lines of row 1 find room beside row 0 */
        c.l1.sets = c.l1.ways = 1;
        c.owl.prefetched = where;
        RUN_SCRIPT(r, &c, "0..........+0..........-0");
        /* The others take the places of row 0, and that of line 0 where it is the oldest. */
        assert_int_equal(run_counter(&r, "l2.read_hits"), where == OWL_PREFETCHED_LAST);
        assert_true(run_counter(&r, "l2.prefetches_unused") >= LINES - LINES / 4 - 1);
    }
}

TEST(rows_opened_for_a_write_may_be_left_alone) {
    for (unsigned written = 0; written < 2; written++) {
        struct config c = one_channel(OWL_PREFETCH_LEAST);
        c.l2.write_miss = L2_WRITE_MISS_AROUND;
        c.owl.written_rows = written;
        RUN_SCRIPT(r, &c, "s0..........");
        assert_int_equal(run_counter(&r, "dram.writes"), 1);
        assert_int_equal(run_counter(&r, "dram.prefetches"), written ? LINES - 1 : 0);
    }
}
