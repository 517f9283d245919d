/* SPDX-License-Identifier: Apache-2.0
 *
 * A C block of CTA groups with the test as its core. Each CTA has one warp here, that of its slot's
 * number: what the block knows of a CTA's warps is k of the launch, and their mask.
 */
#ifndef WARPMEM_TB_ISSUE_CTA_GROUPS_CASES_H
#define WARPMEM_TB_ISSUE_CTA_GROUPS_CASES_H

#include "base/unit_tests.h"
#include "issue/cta_groups.h"

enum { CASE_CTAS = 32 };

/** struct groups_case - a block, and @taken of the last cycle. */
struct groups_case {
    struct cta_groups block;
    bool taken;
};

/** tick_groups() - a cycle with these inputs. */
static inline void tick_groups(struct groups_case *c, struct cta_groups_in in) {
    struct cta_groups_out out;
    cta_groups_comb(&c->block, &in, &out);
    c->taken = in.start_valid && out.start_ready;
    cta_groups_step(&c->block, &in, &out);
}

static inline struct cta_groups_out groups_out(const struct groups_case *c) {
    struct cta_groups_in idle = {0};
    struct cta_groups_out out;
    cta_groups_comb(&c->block, &idle, &out);
    return out;
}

static inline void start_case_cta(struct groups_case *c, unsigned slot) {
    do {
        tick_groups(c, (struct cta_groups_in){.start_valid = true,
                                              .start_slot = (uint8_t)slot,
                                              .start_warps = UINT64_C(1) << slot});
    } while (!c->taken);
}

static inline void end_case_cta(struct groups_case *c, unsigned slot) {
    tick_groups(c, (struct cta_groups_in){.end_warps = UINT64_C(1) << slot});
}

static inline void settle_groups(struct groups_case *c) {
    tick_groups(c, (struct cta_groups_in){0});
    tick_groups(c, (struct cta_groups_in){0});
}

/** replace_case_cta() - the CTA in the slot ends, and another one starts there. */
static inline void replace_case_cta(struct groups_case *c, unsigned slot) {
    end_case_cta(c, slot);
    start_case_cta(c, slot);
    settle_groups(c);
}

/** launch_groups() - a launch of CTAs of @k warps, of which the core gets @n; its groups are
 * formed. Return: the cycles that it took. */
static inline unsigned launch_groups(struct groups_case *c, unsigned core, unsigned k, unsigned n) {
    unsigned cycles = 0;
    tick_groups(c, (struct cta_groups_in){.launch_valid = true,
                                          .launch_warps = (uint8_t)k,
                                          .launch_ctas = (uint8_t)n,
                                          .core = (uint8_t)core});
    for (; !groups_out(c).formed; cycles++) {
        tick_groups(c, (struct cta_groups_in){0});
    }
    return cycles;
}

/** form_ctas() - a core of CASE_CTAS slots after a launch, with its first @n CTAs in slots 0 to
 * @n - 1. */
static inline struct groups_case form_ctas(enum cta_groups_priority priority,
                                           enum cta_groups_life life, unsigned core, unsigned k,
                                           unsigned n, unsigned least) {
    struct groups_case c;
    const struct cta_groups_params p = {
        .CTAS = CASE_CTAS, .WARPS = 64, .MIN_WARPS = least, .PRIORITY = priority, .LIFE = life};
    assert_true(cta_groups_init(&c.block, &p));
    launch_groups(&c, core, k, n);
    for (unsigned slot = 0; slot < n; slot++) {
        start_case_cta(&c, slot);
    }
    settle_groups(&c);
    return c;
}

/** check_order_of_slots() - the groups in the order of their places, empty ones left out. */
static inline void check_order_of_slots(const struct groups_case *c, const char *slots) {
    const struct cta_groups_out out = groups_out(c);
    char order[3 * CASE_CTAS] = "", *end = order;
    for (unsigned i = 0; i < CASE_CTAS; i++) {
        for (unsigned slot = 0; slot < CASE_CTAS; slot++) {
            if (out.group_warps[i] >> slot & 1) {
                *end++ = (char)('0' + slot);
            }
        }
        *end = ' ';
        end += out.group_warps[i] != 0;
    }
    *end = '\0';
    assert_string_equal(order, slots);
}

#endif
