/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys that --set gives and that change nothing on the machine, as another key switches them off.
 */
#ifndef WARPMEM_CLI_OPTIONS_IDLE_KEYS_H
#define WARPMEM_CLI_OPTIONS_IDLE_KEYS_H

#include "cli/options/machine.h"

/** tell_idle_keys() - warn about each. It is no error, because compare may have other schemes on
 * which they have an effect. */
void tell_idle_keys(const struct machine_options *o, const struct machine *m);

#endif
