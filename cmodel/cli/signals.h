/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGINT and SIGTERM end a run early, with the statistics so far. A second signal ends the program
 * immediately.
 */
#ifndef WARPMEM_CLI_SIGNALS_H
#define WARPMEM_CLI_SIGNALS_H

#include <stdatomic.h>

/** signals_catch() - from now on the two signals set the flag. */
void signals_catch(void);
/** signals_flag() - the number of the signal that came, 0: none. */
const atomic_int *signals_flag(void);

#endif
