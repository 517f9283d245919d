/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core_arbiter.h"

#include <stdlib.h>
#include <string.h>

struct core_arbiters *core_arbiters_create(struct core *c, const struct build *build) {
    const struct issue_policy *masks = &c->policies.masks;
    const struct warp_arbiter_params params = {
        .WARPS = c->config->core.warps > 1 ? c->config->core.warps : 2,
        .GROUPS = masks->groups,
        .STRICT = masks->strict,
        .ROTATE = masks->rotates};
    struct core_arbiters *a = calloc(1, sizeof *a);
    if (!a) {
        build_refused(build, "out of memory");
        return NULL;
    }
    a->alarm = build->alarm;
    for (unsigned s = 0; s < c->config->core.schedulers; s++) {
        char where[24];
        snprintf(where, sizeof where, "sm%us%u", c->id, s);
        if (!block_make(build, &warp_arbiter_block, &params, where, &c->cycle, &a->block[s])) {
            core_arbiters_destroy(a);
            return NULL;
        }
        a->schedulers++;
    }
    return a;
}

void core_arbiters_destroy(struct core_arbiters *a) {
    for (unsigned s = 0; a && s < a->schedulers; s++) {
        block_unmake(&a->block[s]);
    }
    free(a);
}

bool core_arbiter_choose(const struct core *c, unsigned scheduler, uint64_t candidates) {
    struct core_arbiters *a = c->arbiters;
    const struct issue_policy *masks = &c->policies.masks;
    const uint64_t mine = c->scheduler[scheduler].mine;
    struct warp_arbiter_in *in = &a->in[scheduler];
    struct warp_arbiter_out *out = &a->out[scheduler];
    in->ready = candidates & mine;
    /* A warp that a policy holds does not count as unstalled: its group would keep the turn and
     * never issue. */
    in->unstalled = masks->strict ? policy_allowed(masks, masks->unstalled & mine, c->memory_next,
                                                   c->cached_load_next)
                                  : 0;
    memcpy(in->group_warps, masks->group_warps, masks->groups * sizeof in->group_warps[0]);
    a->block[scheduler].comb(a->block[scheduler].self, in, out);
    return out->grant_valid;
}

unsigned core_arbiter_take(struct core *c, unsigned scheduler) {
    struct core_arbiters *a = c->arbiters;
    struct block_instance *block = &a->block[scheduler];
    a->in[scheduler].grant_taken = true;
    if (!block->step(block->self, &a->in[scheduler], &a->out[scheduler])) {
        alarm_ring(a->alarm, ALARM_BLOCK_DIFFERS);
    }
    a->in[scheduler].grant_taken = false;
    return a->out[scheduler].grant_warp;
}
