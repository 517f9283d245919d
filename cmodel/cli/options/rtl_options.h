/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that need Verilated blocks. cosim/rtl_options.c implements them in warpmem-rtl;
 * cli/options/no_rtl_options.c, in warpmem, refuses them and names warpmem-rtl.
 */
#ifndef WARPMEM_CLI_OPTIONS_RTL_OPTIONS_H
#define WARPMEM_CLI_OPTIONS_RTL_OPTIONS_H

#include "cli/options/cli.h"

/** cli_rtl_blocks() - this program's implementation, with or without Verilog. */
const struct cli_blocks *cli_rtl_blocks(void);

enum {
    RTL_OPTION_RTL = 0x300,
    RTL_OPTION_LOCKSTEP,
    RTL_OPTION_RECORD,
    RTL_OPTION_WAVE,
    RTL_OPTION_WAVE_INSIDE,
    RTL_OPTION_WAVE_FROM,
    RTL_OPTION_WAVE_CYCLES,
};

/* clang-format off */
#define RTL_OPTIONS \
    {NULL, 0, NULL, 0, "Verilog in the machine (warpmem-rtl only):", 20}, \
    {"rtl", RTL_OPTION_RTL, "PLACE/BLOCK[@WHERE]", 0, "Verilog for the C block, everywhere or only in smN, smNsM, pN, pNbM or l2; see `list blocks`", 20}, \
    {"lockstep", RTL_OPTION_LOCKSTEP, "PLACE/BLOCK[@WHERE]", 0, "C block and Verilog, compared in every cycle; the first difference ends the run", 20}, \
    {"record", RTL_OPTION_RECORD, "PLACE/BLOCK@WHERE=FILE", 0, "write the block's inputs to FILE, for make lockstep REPLAY=FILE", 20}, \
    {"wave", RTL_OPTION_WAVE, "FILE", 0, "FST of the ports (both sides in lockstep) of the first instance that --rtl and --lockstep name", 20}, \
    {"wave-inside", RTL_OPTION_WAVE_INSIDE, "FILE", 0, "FST of the inside of its Verilog", 20}, \
    {"wave-from", RTL_OPTION_WAVE_FROM, "N", 0, "first core cycle in both (default 0)", 20}, \
    {"wave-cycles", RTL_OPTION_WAVE_CYCLES, "N", 0, "number of core cycles in both (default: to the end)", 20}
/* clang-format on */

#endif
