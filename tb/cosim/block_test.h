/* SPDX-License-Identifier: Apache-2.0
 *
 * Test program of a block: its unit tests, then lockstep on every parameter set. It defines
 * block_stimulus; each TEST() of its files registers itself.
 *
 * Without arguments: all of it. --help lists the options of single runs (`make lockstep`, `make
 * waves`).
 */
#ifndef WARPMEM_COSIM_BLOCK_TEST_H
#define WARPMEM_COSIM_BLOCK_TEST_H

#include "base/unit_tests.h"
#include "cosim/lockstep.h"

/** block_stimulus - drives the block whose Verilog is linked in. */
extern const struct stimulus block_stimulus;

/**
 * block_test_main() - see above.
 * Return: exit code: 0 passed, 1 failed, 2 wrong arguments or files.
 */
int block_test_main(int argc, char **argv);
TEST_FRAME(block_test_main)

#endif
