/* SPDX-License-Identifier: Apache-2.0 */
#include "config/check_parts.h"

#include "config/keys.h"

bool key_at_most(struct config_error *e, const char *key, unsigned value, const char *limit_key,
                 unsigned limit) {
    return value <= limit ||
           config_fail(e, "%s = %u: must be at most %s = %u", key, value, limit_key, limit);
}

bool key_at_least(struct config_error *e, const char *key, unsigned value, const char *limit_key,
                  unsigned limit) {
    return value >= limit ||
           config_fail(e, "%s = %u: must be at least %s = %u", key, value, limit_key, limit);
}

bool key_multiple_of(struct config_error *e, const char *key, unsigned value,
                     const char *divisor_key, unsigned divisor) {
    return value % divisor == 0 || config_fail(e, "%s = %u: must be a multiple of %s = %u", key,
                                               value, divisor_key, divisor);
}

bool key_multiple_of_5(struct config_error *e, const char *key, unsigned value) {
    return value % 5 == 0 || config_fail(e, "%s = %u: must be a multiple of 5", key, value);
}

bool key_at_most_where(struct config_error *e, const char *key, unsigned value, unsigned limit,
                       const char *where) {
    return value <= limit ||
           config_fail(e, "%s = %u: must be at most %u where %s", key, value, limit, where);
}

bool key_at_least_where(struct config_error *e, const char *key, unsigned value, unsigned limit,
                        const char *where) {
    return value >= limit ||
           config_fail(e, "%s = %u: must be at least %u where %s", key, value, limit, where);
}

/* Fermi's hash is a table of address bits, measured for its two L1s. */
bool check_fermi_index(struct config_error *e, const char *cache, unsigned index, unsigned sets) {
    if (index == INDEX_FERMI && sets != 32 && sets != 64) {
        return config_fail(e, "%s.index = fermi with %s.sets = %u: %s.sets must be 32 or 64", cache,
                           cache, sets, cache);
    }
    return true;
}
