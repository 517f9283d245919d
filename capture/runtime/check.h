/* SPDX-License-Identifier: Apache-2.0
 *
 * capture --check: each recorded launch runs a second time without reports, on the same memory;
 * both runs must leave the same memory.
 */
#ifndef WARPMEM_RUNTIME_CHECK_H
#define WARPMEM_RUNTIME_CHECK_H

#include <stdbool.h>

#include "runtime/capture.h"

/** check_is_wanted() - true with `warpmem capture --check`. */
bool check_is_wanted(void);
/** check_begin() - a launch begins: save memory. */
void check_begin(void);
/** check_skip() - it has ended, and cannot run again. */
void check_skip(void);
/** check_begin_plain() - it has ended, and runs again without reports, on the memory that it began
 * with: save its results. It prints nothing. */
void check_begin_plain(void);
/** check_end_plain() - it has ended again: end the program if a result differs. */
void check_end_plain(const struct kernel *k);
/** check_launches() - number of equal launches, and of those that were not compared. */
unsigned long long check_launches(void);
unsigned long long check_launches_skipped(void);

#endif
