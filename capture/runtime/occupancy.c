/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/occupancy.h"

#include "include/warpmem_attributes.h"
#include "kernel/insn.h"

/* Units of a core's allocation in a GPU of capability 7.0. */
#define REGISTER_UNIT 256 /* of a warp */
#define WARP_UNIT 4

unsigned occupancy_shared_bytes = 98304; /* of capability 7.0 */

static unsigned rounded_up(unsigned n, unsigned unit) {
    return (n + unit - 1) / unit * unit;
}

static unsigned least_of(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Registers are LLVM's, not nvcc's, so one CTA always fits. */
unsigned occupancy_by_threads(struct kernel *k, unsigned threads) {
    const unsigned warps = rounded_up(threads, WARP_SIZE) / WARP_SIZE;
    const unsigned of_warp = rounded_up(kernel_registers(k) * WARP_SIZE, REGISTER_UNIT);
    const unsigned by_registers = WARPMEM_REGISTERS_PER_CORE / (of_warp ? of_warp : REGISTER_UNIT) /
                                  WARP_UNIT * WARP_UNIT / warps;
    return least_of(
        least_of(WARPMEM_THREADS_PER_CORE / WARP_SIZE / warps, by_registers ? by_registers : 1),
        WARPMEM_BLOCKS_PER_CORE);
}

unsigned occupancy_of_core(struct kernel *k, unsigned threads, size_t shared) {
    kernel_prepare(k);
    const size_t all = shared + k->shared_bytes;
    if (threads > THREADS_MAX || all > occupancy_shared_bytes) {
        return 0;
    }
    const unsigned bytes = rounded_up((unsigned)all, OCCUPANCY_SHARED_UNIT);
    const unsigned most = occupancy_by_threads(k, threads);
    return bytes ? least_of(most, occupancy_shared_bytes / bytes) : most;
}
