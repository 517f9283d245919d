/* SPDX-License-Identifier: Apache-2.0
 *
 * main() of a block's test program: its unit tests, then lockstep on every parameter set.
 *
 *     int main(int argc, char **argv) {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(the_oldest_word_leaves_first)};
 *         return block_test_main(argc, argv, &stimulus, tests, sizeof tests / sizeof *tests);
 *     }
 *
 * Without arguments: all of it. --help lists the options of single runs (`make lockstep`, `make
 * waves`).
 */
#ifndef WARPMEM_CONTRACT_BLOCK_TEST_H
#define WARPMEM_CONTRACT_BLOCK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/lockstep.h"

/**
 * block_test_main() - see above. The block is the one whose Verilog is linked in.
 * Return: exit code: 0 passed, 1 failed, 2 wrong arguments or files.
 */
int block_test_main(int argc, char **argv, const struct stimulus *stimulus,
                    const struct CMUnitTest *tests, size_t count);

#endif
