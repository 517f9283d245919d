/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bypass_policy.h"

#include "l2/draw.h"

bool l2_policy_init(struct l2_policy *p, const struct config *config) {
    *p = (struct l2_policy){.config = config};
    return (config->l2.allocation != L2_ALLOCATION_TOKENS ||
            tokens_init(&p->tokens, config->core.count * config->core.warps,
                        config->pcal.tokens)) &&
           (config->medic.reuse != MEDIC_REUSE_BLOOM ||
            address_filter_init(&p->recent, config->eaf.bits, config->eaf.hashes,
                                config->eaf.addresses));
}

void l2_policy_destroy(struct l2_policy *p) {
    tokens_destroy(&p->tokens);
    address_filter_destroy(&p->recent);
}

void l2_policy_clock(struct l2_policy *p, uint64_t core_period, uint64_t l2_period) {
    p->l2_period = l2_period;
    p->lot_period = p->config->medic.period * core_period;
    p->epoch_period = p->config->pcal.epoch * core_period;
}

static bool is_warp_drawn(const struct l2_policy *p, const struct request *r, uint64_t cycle) {
    return draw_bypasses(cycle * p->l2_period / p->lot_period, l2_policy_warp(p->config, r),
                         p->config->rand.percent);
}

bool l2_policy_keeps(const struct l2_policy *p, const struct request *r, uint64_t cycle) {
    switch (p->config->l2.bypass) {
    case L2_BYPASS_OFF: return true;
    case L2_BYPASS_RANDOM: return !is_warp_drawn(p, r, cycle);
    default:
        return p->config->medic.reuse == MEDIC_REUSE_BLOOM &&
               address_filter_knows(&p->recent, r->local);
    }
}

struct l2_verdict l2_policy_verdict(const struct l2_policy *p, const struct request *r,
                                    struct l2_verdict type, uint64_t cycle) {
    unsigned bypass = p->config->l2.bypass;
    bool bypasses =
        bypass == L2_BYPASS_ALL || (bypass == L2_BYPASS_RANDOM && is_warp_drawn(p, r, cycle));
    return bypasses ? (struct l2_verdict){L2_CLASS_MISS, true} : type;
}

bool l2_policy_allocates(struct l2_policy *p, const struct request *r, uint64_t cycle) {
    if (p->config->l2.allocation != L2_ALLOCATION_TOKENS) {
        return true;
    }
    /* No warp has used the cache in the epochs between. After two without a use all epochs are
     * alike. */
    uint64_t epoch = cycle * p->l2_period / p->epoch_period;
    for (unsigned i = 0; i < 2 && p->epoch != epoch; i++) {
        p->epoch = i ? epoch : p->epoch + 1;
        tokens_epoch(&p->tokens);
    }
    return tokens_use(&p->tokens, l2_policy_warp(p->config, r));
}
