/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_WARP_BYPASS_H
#define WARPMEM_L1_WARP_BYPASS_H

#include "l1/warp_bypass_ports.h"

/**
 * struct warp_bypass - does an access bypass the L1? It has no state.
 *
 * MDB (DAC 2016), sections 2.2 and 6: the loads and stores of the warps or CTAs after the first
 * `limit` bypass the L1. Local memory always uses the L1, which may hold the only copy; atomics and
 * uncached loads have a path of their own. Verilog twin: rtl/l1/warp_bypass.v.
 */
struct warp_bypass {
    struct warp_bypass_params params;
};

/** warp_bypass_init() - params in the ranges of WARP_BYPASS_PARAMS. Always true. */
bool warp_bypass_init(struct warp_bypass *s, const struct warp_bypass_params *params);
void warp_bypass_destroy(struct warp_bypass *s);
/** warp_bypass_comb() - the outputs of this cycle. */
void warp_bypass_comb(const struct warp_bypass *s, const struct warp_bypass_in *in,
                      struct warp_bypass_out *out);
/** warp_bypass_step() - does nothing. */
void warp_bypass_step(struct warp_bypass *s, const struct warp_bypass_in *in,
                      const struct warp_bypass_out *out);
/** warp_bypass_quiet() - always true. */
bool warp_bypass_quiet(const struct warp_bypass *s, const struct warp_bypass_in *in);

#endif
