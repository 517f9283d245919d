/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/core_policy.h"

#include "gpu/core_issue.h"

static bool has_groups(const struct core *c) {
    return c->config->issue.scheduler == SCHEDULER_TWO_LEVEL;
}

void core_policy_init(struct core *c) {
    policy_init(&c->policy);
    c->limited = c->config->issue.warp_limit || has_groups(c);
    if (has_groups(c)) {
        c->policy.strict = true;
        for (unsigned s = 0; s < c->config->core.schedulers; s++) {
            two_level_init(&c->two_level[s], c->scheduler[s].mine, c->config->issue.group_warps);
            two_level_classify(&c->two_level[s], &c->policy);
        }
    }
}

static void limit_warps(struct core *c, uint64_t eligible) {
    if (eligible == c->swl_eligible) {
        return;
    }
    c->swl_eligible = eligible;
    c->policy.can_issue = 0;
    for (unsigned s = 0; s < c->config->core.schedulers; s++) {
        c->policy.can_issue |=
            swl_allowed(eligible & c->scheduler[s].mine, c->config->issue.warp_limit, c->age);
    }
}

void core_policy_refresh(struct core *c) {
    uint64_t going = c->live & ~(c->ended | c->at_barrier | c->at_fence);
    if (c->config->issue.warp_limit) {
        limit_warps(c, going);
    }
    if (has_groups(c)) {
        c->policy.unstalled = going & ~c->scoreboard.blocked;
        /* A load that may still hit the L1 is no long-latency operation. */
        for (uint64_t left = going & c->scoreboard.blocked; left; left &= left - 1) {
            unsigned w = (unsigned)__builtin_ctzll(left);
            if (!core_is_beyond_l1(c, w)) {
                c->policy.unstalled |= left & -left;
            }
        }
    }
}

void core_policy_issued(struct core *c, unsigned scheduler, unsigned warp) {
    if (has_groups(c) && two_level_issued(&c->two_level[scheduler], warp)) {
        two_level_classify(&c->two_level[scheduler], &c->policy);
    }
}

const char *core_policy_reason(const struct core *c, unsigned warp) {
    uint64_t mine = UINT64_C(1) << warp;
    if (!c->limited) {
        return NULL;
    }
    if (!(c->policy.can_issue & mine)) {
        return "its turn: held by SWL";
    }
    const struct warp_scheduler *s = &c->scheduler[warp % c->config->core.schedulers];
    if (policy_allowed(&c->policy, s->mine, c->scoreboard.ready, c->memory_next) & mine) {
        return NULL;
    }
    return "its turn: other fetch group";
}
