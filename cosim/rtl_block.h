/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilated blocks behind one table. cosim/glue.cpp makes an entry a block and parameter set;
 * the build collects them (tb/rules.mk), so rtl_blocks() lists the blocks in this program.
 */
#ifndef WARPMEM_COSIM_RTL_BLOCK_H
#define WARPMEM_COSIM_RTL_BLOCK_H

#include "base/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct rtl_block - the Verilog of a block with one parameter set.
 * @create:  power on, with random values in uninitialised state; NULL: out of memory
 * @comb:    set all inputs, settle, read all outputs. May be called again with other inputs
 * @edge:    one clock cycle ends: the edge with the inputs of the last comb. cycle gives the time
 *           of waves
 * @wave_open: make edge() write the inside of the block into an FST file; false: cannot
 * @wave_close: end that file; without one it does nothing
 * @coverage_write: Verilator coverage; false: not built with coverage, or cannot
 */
struct rtl_block {
    const struct block *block;
    const struct param_set *set;
    void *(*create)(uint64_t seed);
    void (*destroy)(void *self);
    void (*comb)(void *self, const void *in, void *out);
    void (*edge)(void *self, uint64_t cycle);
    bool (*wave_open)(void *self, const char *path);
    void (*wave_close)(void *self);
    bool (*coverage_write)(void *self, const char *path);
};

/** rtl_blocks() - every block and set in this program. */
const struct rtl_block *const *rtl_blocks(unsigned *count);
/** rtl_block_find() - the Verilog of a block with this set's name, or NULL. */
const struct rtl_block *rtl_block_find(const char *block, const char *set);
/** rtl_block_matching() - the Verilog of a block with these parameter values, or NULL. */
const struct rtl_block *rtl_block_matching(const struct block *block, const void *params);

/* Time units of waves a cycle, in nanoseconds. */
enum { WAVE_CYCLE = 10 };

#ifdef __cplusplus
}
#endif

#endif
