/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/rtl_options.h"

int main(int argc, char **argv) {
    return cli_main(argc, argv, cli_rtl_blocks());
}
