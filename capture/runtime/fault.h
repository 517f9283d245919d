/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad addresses: signals during a kernel or a copy become messages and errors.
 */
#ifndef WARPMEM_RUNTIME_FAULT_H
#define WARPMEM_RUNTIME_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/** fault_watch() - take the signals from now on; those from elsewhere go where they went before. */
void fault_watch(void);
/** fault_move() - memmove(). False: an address is not the program's. */
bool fault_move(void *to, const void *from, size_t bytes);
/** fault_fill() - memset(), likewise. */
bool fault_fill(void *p, int value, size_t bytes);

#endif
