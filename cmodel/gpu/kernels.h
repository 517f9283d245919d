/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycles and instructions of each kernel of a run. Launches of equal name count together, as in
 * MeDiC's averages ("of each kernel of each application", section 5).
 *
 * Launches run one after another. A launch's cycles begin at the end of the launch before it, or at
 * the first cycle of the run, and end with the cycle in which its last CTA ended, or with the last
 * cycle of a run that is cut short. So the kernels' cycles and instructions add up to the run's:
 * writes that drain after the last CTA are in no kernel's cycles, nor in the run's (but in those of
 * a run that is interrupted meanwhile).
 */
#ifndef WARPMEM_GPU_KERNELS_H
#define WARPMEM_GPU_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/loads.h"

struct gpu_kernel {
    char *name;
    uint64_t launches;
    uint64_t capped_launches; /* of them: cut by max_insn_per_kernel */
    bool complete;            /* none of them was running when the run was cut short */
    uint64_t cycles, warp_instructions, thread_instructions;
    struct load_counts loads;
};

/* In the order of their first launches. Zeroed: none. */
struct gpu_kernels {
    struct gpu_kernel *kernel;
    unsigned count, room;
};

void gpu_kernels_free(struct gpu_kernels *k);

struct gpu;

/** gpu_take_kernels() - after gpu_run(): the caller owns and frees them; *g has none left. */
struct gpu_kernels gpu_take_kernels(struct gpu *g);

#endif
