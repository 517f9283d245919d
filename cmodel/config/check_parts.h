/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of config_check(), one a unit of the machine. Each returns false with a message in *e that
 * names every key that takes part.
 */
#ifndef WARPMEM_CONFIG_CHECK_PARTS_H
#define WARPMEM_CONFIG_CHECK_PARTS_H

#include "config/config.h"
#include "config/keys.h"

/** key_at_most() - @limit_key: a key, or the name of a value derived from keys. */
bool key_at_most(struct config_error *e, const char *key, unsigned value, const char *limit_key,
                 unsigned limit);

/** check_fermi_index() - @cache: "l1" or "l2". */
bool check_fermi_index(struct config_error *e, const char *cache, unsigned index, unsigned sets);

/** check_l1() - the L1 data cache, MRPB and MDB. */
bool check_l1(const struct config *c, struct config_error *e);

#endif
