/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of Verilated blocks in one program. Compiled with RTL_TABLE, a file of RTL_BLOCK(symbol)
 * lines that the build writes.
 */
#include "cosim/rtl_block.h"

#define RTL_BLOCK(symbol) extern const struct rtl_block symbol;
#include RTL_TABLE
#undef RTL_BLOCK

#define RTL_BLOCK(symbol) &symbol,
static const struct rtl_block *const all[] = {
#include RTL_TABLE
};

const struct rtl_block *const *rtl_blocks(unsigned *count) {
    *count = sizeof all / sizeof *all;
    return all;
}
