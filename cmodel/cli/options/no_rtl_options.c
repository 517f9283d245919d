/* SPDX-License-Identifier: Apache-2.0
 * warpmem has no Verilog and refers to warpmem-rtl. Linked instead of cosim/rtl_options.c. */
#include "cli/options/rtl_options.h"

static error_t refuse_rtl_option(int key, char *arg, struct argp_state *state) {
    (void)arg;
    (void)state;
    if (key < RTL_OPTION_RTL || key > RTL_OPTION_WAVE_CYCLES) {
        return ARGP_ERR_UNKNOWN;
    }
    return cli_bad("--rtl, --lockstep, --record, --wave: this program has no Verilog in it; use "
                   "warpmem-rtl (make build/warpmem-rtl), which takes the same command");
}

static const struct argp_option options[] = {RTL_OPTIONS, {0}};
static const struct argp argp = {.options = options, .parser = refuse_rtl_option};
static const struct cli_blocks blocks = {.argp = &argp};

const struct cli_blocks *cli_rtl_blocks(void) {
    return &blocks;
}
