/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules that several parts of config_check() use. Each returns false with a message in *e that
 * names every key involved.
 */
#ifndef WARPMEM_CONFIG_CHECK_PARTS_H
#define WARPMEM_CONFIG_CHECK_PARTS_H

#include "config/config.h"

/* @limit_key, @divisor_key: a key, or the name of a value derived from keys. @where: the values of
 * other keys under which the rule holds. */
bool key_at_most(struct config_error *e, const char *key, unsigned value, const char *limit_key,
                 unsigned limit);
bool key_at_least(struct config_error *e, const char *key, unsigned value, const char *limit_key,
                  unsigned limit);
bool key_multiple_of(struct config_error *e, const char *key, unsigned value,
                     const char *divisor_key, unsigned divisor);
bool key_multiple_of_5(struct config_error *e, const char *key, unsigned value);
bool key_at_most_where(struct config_error *e, const char *key, unsigned value, unsigned limit,
                       const char *where);
bool key_at_least_where(struct config_error *e, const char *key, unsigned value, unsigned limit,
                        const char *where);

/** check_fermi_index() - @cache: "l1" or "l2". */
bool check_fermi_index(struct config_error *e, const char *cache, unsigned index, unsigned sets);

#endif
