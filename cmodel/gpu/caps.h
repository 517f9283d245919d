/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction caps (--max-insn, --max-insn-per-kernel), in thread instructions.
 *
 * Both are looked at after a core edge, when every core has been evaluated, so they fall at the end
 * of the first core cycle in which the sum has reached them, however units are evaluated. The cap
 * of a run ends it there, as --max-cycles does. The cap of a kernel ends the kernel: no CTA of it
 * starts any more, the instructions that resident warps have not issued are dropped, what is under
 * way drains, and the next launch begins. The CTAs that the machine did not run are computed
 * nevertheless, so that later kernels read the right data: results are those of the whole program,
 * and the run is complete. gpu.capped_launches counts the kernels that were cut.
 */
#ifndef WARPMEM_GPU_CAPS_H
#define WARPMEM_GPU_CAPS_H

#include "gpu/machine.h"

static inline bool caps_wanted(const struct gpu *g) {
    return g->options.max_insn || g->options.max_insn_per_kernel;
}

/** caps_look() - after the core edge at @now. */
void caps_look(struct gpu *g, uint64_t now);

/** caps_launch() - a launch begins. */
void caps_launch(struct gpu *g);

/** caps_cut() - before the core edge at hand: if the launch has reached its cap, cut it. False: out
 * of memory. */
bool caps_cut(struct gpu *g);

#endif
