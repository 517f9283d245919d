/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid whose CTAs are live together, and wait for each other at barriers of the grid.
 */
#ifndef WARPMEM_RUNTIME_COOPERATIVE_H
#define WARPMEM_RUNTIME_COOPERATIVE_H

#include <stdbool.h>

/** cooperative_begin() - a launch begins; its barriers' counter is in device memory. False: no
 * memory is left. */
bool cooperative_begin(void);
void cooperative_end(void);

#endif
