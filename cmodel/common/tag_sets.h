/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_TAG_SETS_H
#define WARPMEM_COMMON_TAG_SETS_H

#include "base/tag_array.h"
#include "common/tag_sets_ports.h"

/**
 * struct tag_sets - the tags of a set-associative cache as hardware: base/tag_array.h, a cycle at
 * a time.
 *
 * A cycle looks up one line, and changes one way of its set at its end. Which lines of the set are
 * still to come (reserved in base/tag_array.h) is the user's to know: its MSHRs have their ways, so
 * a fill changes nothing here. With EARLY the set is read from memories in the cycle before, for
 * the line of ahead_line; what that cycle changes in the same set is seen.
 *
 * Verilog twin: rtl/common/tag_sets.v.
 */
struct tag_sets {
    struct tag_sets_params params;
    struct tag_array tags; /* nothing is reserved in it */
    uint64_t ahead;        /* with EARLY: the line that this cycle may look up */
};

/** tag_sets_init() - allocate and reset; params in the ranges of the list. False: out of memory.
 */
bool tag_sets_init(struct tag_sets *s, const struct tag_sets_params *params);
void tag_sets_destroy(struct tag_sets *s);
/** tag_sets_comb() - the outputs of this cycle; late inputs are not read. */
void tag_sets_comb(const struct tag_sets *s, const struct tag_sets_in *in,
                   struct tag_sets_out *out);
/** tag_sets_step() - the clock edge, with the outputs that comb gave for the same input. */
void tag_sets_step(struct tag_sets *s, const struct tag_sets_in *in,
                   const struct tag_sets_out *out);
/** tag_sets_quiet() - with these inputs held, neither state nor outputs ever change. */
bool tag_sets_quiet(const struct tag_sets *s, const struct tag_sets_in *in);

#endif
