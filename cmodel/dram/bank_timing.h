/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_DRAM_BANK_TIMING_H
#define WARPMEM_DRAM_BANK_TIMING_H

#include "dram/bank_timing_ports.h"
#include "dram/banks.h"

/**
 * struct bank_timing - DRAM timing as hardware: dram/banks.h, a cycle at a time.
 *
 * It sees the commands of a channel and says for each bank which commands are legal LEAD cycles
 * later, if none is issued in between. The masks include the command of their own cycle. With LEAD
 * 2 the command of the cycle between may forbid what they allow: who chooses from them drops that
 * (dram/dual_queue.h).
 * Verilog twin: rtl/dram/bank_timing.v.
 */
struct bank_timing {
    struct bank_timing_params params;
    struct dram_banks banks;
    uint64_t cycle; /* stands still while no time runs */
};

/** bank_timing_init() - @params: in the ranges of the port list. Return: true. */
bool bank_timing_init(struct bank_timing *s, const struct bank_timing_params *params);
/** bank_timing_destroy() - it owns no memory. */
void bank_timing_destroy(struct bank_timing *s);
/** bank_timing_comb() - the masks of this cycle. */
void bank_timing_comb(const struct bank_timing *s, const struct bank_timing_in *in,
                      struct bank_timing_out *out);
/** bank_timing_step() - the clock edge. */
void bank_timing_step(struct bank_timing *s, const struct bank_timing_in *in,
                      const struct bank_timing_out *out);
/** bank_timing_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bank_timing_quiet(const struct bank_timing *s, const struct bank_timing_in *in);

#endif
