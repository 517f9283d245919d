/* SPDX-License-Identifier: Apache-2.0
 *
 * Which DRAM banks the CTAs of two cores keep in use (OWL 4.3, figure 5 A and B): CTAs beside each
 * other use the same two banks.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { I_WORK, I_LOAD, INSNS = I_LOAD + 2 };

/* A register each: a load does not wait for the other one's data. */
static const struct insn table[INSNS] = {
    [I_WORK] = ALU(REG_NONE, NO), [I_LOAD] = LOAD(1, NO), [I_LOAD + 1] = LOAD(2, NO)};

enum { LINES = 16, BANKS = 4, CTAS = 4, FORMING = 64, LONG = 1024 };

static struct config two_cores(unsigned scheduler) {
    struct config c = base_preset();
    c.core.count = 2;
    c.core.schedulers = 1;
    c.issue.scheduler = scheduler;
    c.owl.least_warps = 1;
    c.l2.partitions = c.l2.banks = c.l2.ports = 1;
    c.dram.banks = BANKS;
    c.dram.bank_groups = 1;
    c.dram.row_bytes = LINES * LINE_BYTES;
    c.dram.channel_bytes = 1 << 20;
    assert_legal(&c);
    return c;
}

/* A CTA waits until the groups stand, loads a line of each of its two banks, and works on without
 * their data until long after both are there. CTAs 0 and 1 share rows of banks 0 and 1, CTAs 2 and
 * 3 those of banks 2 and 3. */
WARP_WRITER(load_from_two_banks) {
    for (unsigned i = 0; i < FORMING; i++) {
        put_insn(s, I_WORK);
    }
    for (unsigned i = 0; i < 2; i++) {
        put_whole_line(s, I_LOAD + i, (cta / 2 * 2 + i) * LINES + cta % 2);
    }
    for (unsigned i = 0; i < LONG; i++) {
        put_insn(s, I_WORK);
    }
}

/* Banks that have a row opened while the cores are at their first groups. */
static unsigned banks_of_first_groups(const struct config *c, uint64_t *activates) {
    struct hand_program p;
    hand_open(&p, table, INSNS, CTAS, WARP_SIZE);
    p.warp = load_from_two_banks;
    RUN(r, c, &(struct gpu_options){0}, &p.program, true);
    unsigned banks = 0;
    const uint64_t first = event_at(&r, "dram.0 activate", 0);
    *activates = run_counter(&r, "dram.activates");
    for (unsigned i = 0; i < *activates; i++) {
        banks += event_at(&r, "dram.0 activate", i) < first + LONG / 2;
    }
    return banks;
}

/* The cores begin with CTAs 0 and 1: two banks of four. */
TEST(owl_figure_5_a_by_locality_neighbours_share_two_banks) {
    struct config c = two_cores(SCHEDULER_CTA_LOCALITY);
    uint64_t activates;
    assert_int_equal(banks_of_first_groups(&c, &activates), 2);
    assert_int_equal(activates, BANKS);
}

/* They begin with CTAs 0 and 3: all four. The rows are opened once here, as nothing closes them
 * before the other two CTAs come. */
TEST(owl_figure_5_b_by_bank_level_parallelism_all_four_are_in_use) {
    struct config c = two_cores(SCHEDULER_CTA_BLP);
    uint64_t activates;
    assert_int_equal(banks_of_first_groups(&c, &activates), BANKS);
    assert_int_equal(activates, BANKS);
}
