/* SPDX-License-Identifier: Apache-2.0
 *
 * capture --check: each recorded launch runs first without reports, on the same memory, and must
 * leave there what it leaves with them.
 */
#ifndef WARPMEM_RUNTIME_CHECK_H
#define WARPMEM_RUNTIME_CHECK_H

#include <stdbool.h>

#include "runtime/capture.h"

/** check_is_wanted() - by `warpmem capture --check`. */
bool check_is_wanted(void);
/** check_begin_plain() - a launch without reports begins: memory is kept as it is. It prints
 * nothing. */
void check_begin_plain(void);
/** check_end_plain() - it has ended: its results are kept, and memory is as before. */
void check_end_plain(void);
/** check_results() - the launch with reports has ended: ends the program if a result differs. */
void check_results(const struct kernel *k);
/** check_launches() - how many were equal. */
unsigned long long check_launches(void);

#endif
