/* SPDX-License-Identifier: Apache-2.0
 *
 * capture --check: each recorded launch runs first without reports, on the same memory; both runs
 * must leave the same memory.
 */
#ifndef WARPMEM_RUNTIME_CHECK_H
#define WARPMEM_RUNTIME_CHECK_H

#include <stdbool.h>

#include "runtime/capture.h"

/** check_is_wanted() - true with `warpmem capture --check`. */
bool check_is_wanted(void);
/** check_begin_plain() - begin a launch without reports: save memory. It prints nothing. */
void check_begin_plain(void);
/** check_end_plain() - end it: save its results, and restore memory. */
void check_end_plain(void);
/** check_results() - the launch with reports has ended: end the program if a result differs. */
void check_results(const struct kernel *k);
/** check_launches() - number of equal launches. */
unsigned long long check_launches(void);

#endif
