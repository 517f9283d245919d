/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_MSHRS_H
#define WARPMEM_COMMON_MSHRS_H

#include "base/mshr.h"
#include "common/mshrs_ports.h"

/**
 * struct mshrs - miss status holding registers as hardware: base/mshr.h, a cycle at a time.
 *
 * In a cycle the offered request of a filled line is woken, then a line fills its entry, then a
 * request enters; so an entry that becomes free in a cycle can be taken in it. Entries are woken in
 * the order of their fills, one request a cycle, in the order in which they entered. A fill of
 * cycle n is offered from n + 1, behind those before it.
 *
 * The user finds the entry of a line (its tag array does so); it merges into no filled entry,
 * fills none twice, and skips only the first of several requests.
 * Verilog twin: rtl/common/mshrs.v.
 */
struct mshrs {
    struct mshrs_params params;
    struct mshr_file file; /* a request's name is its line */
};

/** mshrs_init() - allocate and reset; params in the ranges of the list. False: out of memory. */
bool mshrs_init(struct mshrs *s, const struct mshrs_params *params);
void mshrs_destroy(struct mshrs *s);
/** mshrs_comb() - the outputs of this cycle. */
void mshrs_comb(const struct mshrs *s, const struct mshrs_in *in, struct mshrs_out *out);
/** mshrs_step() - the clock edge, with the outputs that comb gave for the same input. */
void mshrs_step(struct mshrs *s, const struct mshrs_in *in, const struct mshrs_out *out);
/** mshrs_quiet() - with these inputs held, neither state nor outputs ever change. */
bool mshrs_quiet(const struct mshrs *s, const struct mshrs_in *in);

#endif
