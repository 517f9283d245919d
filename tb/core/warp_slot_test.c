/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC 4.1 in a machine: what the L2 knows of a warp when another one comes into its slot.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

/* CTA i runs in core i, and one CTA at a time: the first to end is that of core 0, so the fifth
 * comes into its slot. Their numbers differ by the cores, and are the same modulo four. */
enum { CORES = 4, PROFILE = 3, OLD_LOADS = 5, NEW_LOADS = 7, LONG = 20000 };
enum { I_LOAD, I_USE, I_WORK, INSNS };

_Static_assert(OLD_LOADS > PROFILE && NEW_LOADS > PROFILE, "both bypass once they are known");

static void write_long_work(struct warp_stream *s) {
    for (unsigned i = 0; i < LONG; i++) {
        put_insn(s, I_WORK);
    }
}

/* One after the other, of lines that nobody has asked for. */
static void write_missing_loads(struct warp_stream *s, unsigned cta, unsigned loads) {
    for (unsigned i = 0; i < loads; i++) {
        put_whole_line(s, I_LOAD, 1000 * (cta + 1) + i);
        put_insn(s, I_USE);
    }
}

WARP_WRITER(put_cta) {
    if (cta % CORES) {
        write_long_work(s);
    } else {
        write_missing_loads(s, cta, cta ? NEW_LOADS : OLD_LOADS);
    }
}

/* Return: reads that bypassed. */
static uint64_t run_and_count_bypasses(unsigned at_warp) {
    static const struct insn table[INSNS] = {
        LOAD(0, NO),
        ALU(10, 0, REG_NONE, REG_NONE),
        ALU(11, NO),
    };
    struct config c = base_preset();
    struct hand_program p;
    c.core.count = CORES;
    c.core.ctas = 1;
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.bypass = L2_BYPASS_WARP_TYPE;
    c.medic.profile = PROFILE;
    c.medic.period = 1000000;
    c.medic.boundary = MEDIC_BOUNDARY_FIXED;
    c.medic.at_warp = at_warp;
    assert_legal(&c);
    hand_open(&p, table, INSNS, CORES + 1, WARP_SIZE);
    p.warp = put_cta;
    RUN(r, &c, &(struct gpu_options){0}, &p.program, true);
    /* Both missed in core 0, all they asked for, and in its only slot. */
    assert_int_equal(run_counter(&r, "core.loads"), OLD_LOADS + NEW_LOADS);
    assert_int_equal(run_counter(&r, "core.loads_all_miss"), OLD_LOADS + NEW_LOADS);
    issued_at(&r, 0, 0, 8 * I_LOAD, OLD_LOADS + NEW_LOADS - 1);
    uint64_t reads = run_counter(&r, "l2.bypass_reads");
    return reads;
}

TEST(with_clear_a_slots_new_warp_has_a_profile_of_its_own) {
    assert_int_equal(run_and_count_bypasses(MEDIC_AT_WARP_CLEAR),
                     OLD_LOADS - PROFILE + NEW_LOADS - PROFILE);
}

TEST(with_keep_a_slots_new_warp_is_known_at_once) {
    assert_int_equal(run_and_count_bypasses(MEDIC_AT_WARP_KEEP), OLD_LOADS - PROFILE + NEW_LOADS);
}
