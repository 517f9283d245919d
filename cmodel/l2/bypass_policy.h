/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose requests bypass the L2, and of which class they are: what l2.bypass chooses between, in
 * front of the block l2/bypass, which only carries it out.
 */
#ifndef WARPMEM_L2_BYPASS_POLICY_H
#define WARPMEM_L2_BYPASS_POLICY_H

#include "base/request.h"
#include "config/config.h"

/* What the block is told of a request. It bypasses if its class is known and the lowest. */
struct l2_verdict {
    enum l2_class l2_class;
    bool known;
};

/** l2_bypass_keeps() - @r stands at the end of its port: it must not bypass, whatever its class. */
static inline bool l2_bypass_keeps(const struct config *config, const struct request *r) {
    (void)r;
    return config->l2.bypass == L2_BYPASS_OFF;
}

/** l2_bypass_verdict() - on @r, which entered in the last cycle. @type: of its warp, looked up in
 * that cycle; balanced and not known where the machine has no table. */
static inline struct l2_verdict l2_bypass_verdict(const struct config *config,
                                                  const struct request *r, struct l2_verdict type) {
    (void)r;
    return config->l2.bypass == L2_BYPASS_ALL ? (struct l2_verdict){L2_CLASS_MISS, true} : type;
}

#endif
