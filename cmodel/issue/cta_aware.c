/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTA-aware schedulers of OWL (4.1 to 4.3): the block issue/cta_groups forms the groups of
 * issue/policy.h.
 *
 * With cta-aware, groups take turns in a circle, and the group that issued keeps the core until all
 * its warps are blocked, like a fetch group. With locality and blp, the first group in the order
 * goes first whenever it can, so a better group takes over as soon as one of its warps is ready
 * (figure 4 B).
 */
#include <string.h>

#include "config/derived.h"
#include "issue/cta_groups.h"
#include "issue/policy.h"

struct started_cta {
    uint8_t slot;
    uint64_t warps;
};

struct cta_aware {
    struct block_instance block;
    struct alarm *alarm;
    uint64_t cycle;          /* of the block; its Verilog reads it */
    struct cta_groups_in in; /* of that cycle */
    struct cta_groups_out out;
    unsigned waiting; /* CTAs that have started and are not grouped, oldest first */
    struct started_cta started[CTA_GROUPS_MAX];
};

static struct cta_groups_params choose_group_params(const struct config *c) {
    return (struct cta_groups_params){
        .CTAS = c->core.ctas > 1 ? c->core.ctas : 2,
        .WARPS = c->core.warps > 1 ? c->core.warps : 2,
        .MIN_WARPS = c->owl.least_warps,
        .PRIORITY = c->issue.scheduler == SCHEDULER_CTA_AWARE      ? CTA_GROUPS_RR
                    : c->issue.scheduler == SCHEDULER_CTA_LOCALITY ? CTA_GROUPS_LOCALITY
                                                                   : CTA_GROUPS_BLP,
        .LIFE = c->owl.life == OWL_LIFE_LAST   ? CTA_GROUPS_LAST
                : c->owl.life == OWL_LIFE_SLOT ? CTA_GROUPS_SLOT
                                               : CTA_GROUPS_GENERATION};
}

static bool make_cta_groups(void *state, const struct policy_view *view,
                            const struct build *build) {
    struct cta_aware *a = state;
    struct cta_groups_params params = choose_group_params(view->config);
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    a->alarm = build->alarm;
    return block_make(build, &cta_groups_block, &params, where, &a->cycle, &a->block);
}

static void destroy_cta_groups(void *state) {
    struct cta_aware *a = state;
    block_unmake(&a->block);
}

static void init_cta_aware(void *state, const struct policy_view *view,
                           struct issue_policy *masks) {
    struct cta_groups_params params = choose_group_params(view->config);
    (void)state;
    masks->groups = params.CTAS;
    masks->strict = masks->rotates = params.PRIORITY == CTA_GROUPS_RR;
}

/* The outputs of the block's cycle. */
static void look_at_groups(struct cta_aware *a) {
    a->in.start_valid = a->waiting > 0;
    a->in.start_slot = a->waiting ? a->started[0].slot : 0;
    a->in.start_warps = a->waiting ? a->started[0].warps : 0;
    a->block.comb(a->block.self, &a->in, &a->out);
}

static void drop_started_cta(struct cta_aware *a, unsigned i) {
    a->waiting--;
    memmove(&a->started[i], &a->started[i + 1], (a->waiting - i) * sizeof a->started[0]);
}

/* Steps the block up to @cycle with its inputs. */
static void run_groups_to(struct cta_aware *a, uint64_t cycle) {
    look_at_groups(a);
    while (a->cycle < cycle) {
        if (a->block.quiet(a->block.self, &a->in)) {
            a->cycle = cycle;
            return;
        }
        if (!a->block.step(a->block.self, &a->in, &a->out)) {
            alarm_ring(a->alarm, ALARM_BLOCK_DIFFERS);
        }
        if (a->in.start_valid && a->out.start_ready) {
            drop_started_cta(a, 0);
        }
        a->in = (struct cta_groups_in){0};
        a->cycle++;
        look_at_groups(a);
    }
}

/* A CTA that ends before it is grouped never is. */
static void end_cta_in_groups(struct cta_aware *a, const struct policy_event *event) {
    for (unsigned i = 0; i < a->waiting; i++) {
        if (a->started[i].slot == event->cta) {
            drop_started_cta(a, i);
            return;
        }
    }
    a->in.end_warps |= event->warps;
}

static void tell_cta_groups(void *state, const struct policy_view *view,
                            const struct policy_event *event, struct issue_policy *masks) {
    struct cta_aware *a = state;
    (void)masks;
    run_groups_to(a, event->cycle);
    switch (event->kind) {
    case POLICY_LAUNCHED:
        a->in.launch_valid = true;
        a->in.launch_warps = (uint8_t)event->cta_warps;
        a->in.launch_ctas = (uint8_t)event->ctas;
        a->in.core = (uint8_t)view->core;
        break;
    case POLICY_CTA_STARTED:
        a->started[a->waiting++] =
            (struct started_cta){.slot = (uint8_t)event->cta, .warps = event->warps};
        break;
    default: end_cta_in_groups(a, event);
    }
    look_at_groups(a);
}

static void refresh_cta_groups(void *state, const struct policy_view *view,
                               struct issue_policy *masks) {
    struct cta_aware *a = state;
    run_groups_to(a, view->cycle);
    for (unsigned i = 0; i < masks->groups; i++) {
        masks->group_warps[i] = a->out.group_warps[i];
    }
    /* An old CTA's group may still have the warps of one that waits for its own. */
    for (unsigned i = 0; a->out.formed && i < a->waiting; i++) {
        masks->can_issue &= ~a->started[i].warps;
    }
    masks->unstalled &=
        view->going &
        ~(view->config->owl.blocked == OWL_BLOCKED_BEYOND_L1 ? view->waiting : view->blocked);
}

static uint64_t next_move_of_groups(const void *state) {
    const struct cta_aware *a = state;
    return a->block.quiet(a->block.self, &a->in) ? UINT64_MAX : a->cycle + 1;
}

const struct policy_kind policy_cta_aware = {.name = "cta-aware",
                                             .wanted = config_has_cta_groups,
                                             .state_size = sizeof(struct cta_aware),
                                             .events = POLICY_EVENT(POLICY_LAUNCHED) |
                                                       POLICY_EVENT(POLICY_CTA_STARTED) |
                                                       POLICY_EVENT(POLICY_CTA_ENDED),
                                             .sees_waiting = true,
                                             .make = make_cta_groups,
                                             .destroy = destroy_cta_groups,
                                             .init = init_cta_aware,
                                             .tell = tell_cta_groups,
                                             .refresh = refresh_cta_groups,
                                             .next_change = next_move_of_groups,
                                             .holds = "its CTA is not in a group yet",
                                             .outranks = "its turn: other group of CTAs"};
