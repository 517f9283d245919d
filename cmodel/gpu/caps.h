/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction caps (--max-insn, --max-insn-launch, --max-insn-per-kernel), in thread instructions.
 *
 * The first and the last are tested after a core edge, when every core has been evaluated, so they
 * take effect at the end of the first core cycle in which the sum has reached them, in any order of
 * evaluation. The cap of a run ends it there, as --max-cycles does. The cap of a kernel ends the
 * kernel: no further CTA of it starts, the instructions that resident warps have not issued are
 * dropped, outstanding accesses drain, and the next launch begins. The CTAs that the machine did
 * not run are computed nevertheless, so that later kernels read the right data: results are those
 * of the whole program, and the run is complete. gpu.capped_launches counts the kernels that were
 * cut.
 *
 * --max-insn-launch is tested when a launch has ended: if the run has reached it then, the
 * remaining launches do not run, outstanding accesses drain, and the run is incomplete. Machines
 * compared under it have executed the same instructions; under --max-insn each stops at another
 * point.
 */
#ifndef WARPMEM_GPU_CAPS_H
#define WARPMEM_GPU_CAPS_H

#include "gpu/machine.h"

static inline bool caps_wanted(const struct gpu *g) {
    return g->options.max_insn || g->options.max_insn_per_kernel;
}

/** caps_look() - test the caps after the core edge at @now. */
void caps_look(struct gpu *g, uint64_t now);

/** caps_end_run() - was the launch that has just ended the last to run, by max_insn_launch? */
bool caps_end_run(const struct gpu *g);

/** caps_launch() - a launch begins. */
void caps_launch(struct gpu *g);

/** caps_cut() - before the current core edge: cut the launch if it has reached its cap. False: out
 * of memory. */
bool caps_cut(struct gpu *g);

#endif
