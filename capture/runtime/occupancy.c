/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/occupancy.h"

#include "kernel/insn.h"

/* As compute capability 7.0 gives them out: registers of a warp, and shared memory of a CTA. */
#define REGISTER_UNIT 256u
#define SHARED_UNIT ((size_t)256)

static size_t rounded(size_t amount, size_t unit) {
    return (amount + unit - 1) / unit * unit;
}

static unsigned least(unsigned a, size_t b) {
    return b < a ? (unsigned)b : a;
}

unsigned occupancy_ctas(struct kernel *k, unsigned threads, size_t dynamic_shared) {
    const unsigned warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    kernel_prepare(k);
    const size_t registers = rounded((size_t)kernel_registers(k) * WARP_SIZE, REGISTER_UNIT),
                 shared = rounded(k->shared_bytes + dynamic_shared, SHARED_UNIT);
    if (!warps) {
        return 0;
    }
    unsigned ctas = least(DEVICE_CTAS, DEVICE_THREADS / WARP_SIZE / warps);
    ctas = shared ? least(ctas, DEVICE_SHARED / shared) : ctas;
    return registers ? least(ctas, DEVICE_REGISTERS / registers / warps) : ctas;
}
