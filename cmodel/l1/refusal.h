/* SPDX-License-Identifier: Apache-2.0
 *
 * An access that its cache has refused. Its retries are not evaluated but counted: the cause cannot
 * change before a resource that the access may wait for does, and the code that changes it sets
 * `retry`.
 */
#ifndef WARPMEM_L1_REFUSAL_H
#define WARPMEM_L1_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

/* Reasons to retry a refused access. */
enum refusal_retry {
    RETRY_NEVER = 0,
    RETRY_BYPASS = 1, /* it may bypass now */
    RETRY_ROOM = 2,   /* a miss queue has room */
    RETRY_CHANGE = 4, /* another resource that it may wait for has changed */
};

struct refusal {
    unsigned cause;  /* of its cache's results, a failure; 0: none */
    uint8_t retry;   /* of enum refusal_retry, all that apply */
    uint64_t since;  /* core cycle before which its retries have been counted */
    uint64_t *fails; /* counters by cause */
};

/** refusal_count() - count the retries since the last refusal, one for each core cycle before
 * @cycle. */
static inline void refusal_count(struct refusal *r, uint64_t cycle) {
    if (r->cause) {
        r->fails[r->cause] += cycle - r->since;
        r->since = cycle;
    }
}

/** refusal_may_try() - should the access be tried, because it was not refused, or a resource has
 * changed? */
static inline bool refusal_may_try(struct refusal *r, uint64_t cycle) {
    if (r->cause) {
        if (!r->retry) {
            return false;
        }
        refusal_count(r, cycle);
    }
    r->retry = RETRY_NEVER;
    return true;
}

/** refusal_begin() - the access is refused in @cycle. */
static inline void refusal_begin(struct refusal *r, unsigned cause, uint64_t cycle) {
    r->cause = cause;
    r->since = cycle;
}

/** refusal_is_only_bypass() - would a new look-up be refused for the same cause, but may the access
 * bypass now? */
static inline bool refusal_is_only_bypass(const struct refusal *r) {
    return r->retry & RETRY_BYPASS && !(r->retry & RETRY_CHANGE);
}

#endif
