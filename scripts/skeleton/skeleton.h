/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_PLACE_SKELETON_H
#define WARPMEM_PLACE_SKELETON_H

#include "place/skeleton_ports.h"

/**
 * struct skeleton - holds one word between two channels.
 *
 * A word enters while none is inside. It is offered from the next cycle on, and leaves when it is
 * taken; the next one enters in the cycle after that. Verilog twin:
 * rtl/place/skeleton.v.
 */
struct skeleton {
    struct skeleton_params params;
    bool full;
    uint64_t data;
};

/** skeleton_init() - params in the ranges of SKELETON_PARAMS. Always true. */
bool skeleton_init(struct skeleton *s, const struct skeleton_params *params);
void skeleton_destroy(struct skeleton *s);
/** skeleton_comb() - the outputs of this cycle; late inputs are not read. */
void skeleton_comb(const struct skeleton *s, const struct skeleton_in *in,
                   struct skeleton_out *out);
/** skeleton_step() - the clock edge; out as comb gave it for this very in. */
void skeleton_step(struct skeleton *s, const struct skeleton_in *in,
                   const struct skeleton_out *out);
/** skeleton_quiet() - with these inputs held, neither state nor outputs ever change. */
bool skeleton_quiet(const struct skeleton *s, const struct skeleton_in *in);

#endif
