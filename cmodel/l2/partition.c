/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/partition.h"

#include <stdlib.h>

#include "config/derived.h"
#include "l2/partition_parts.h"
#include "l2/prefetch.h"

static void choose_cycle(struct l2_partition *p) {
    p->evaluate = p->front.sorts                   ? l2_partition_cycle_sorted
                  : p->pooled                      ? l2_partition_cycle_pooled
                  : p->banks == 1 && p->ports == 1 ? l2_partition_cycle_of_one
                  : p->banks == 2 && p->ports == 2 && p->reply_ports == 1
                      ? l2_partition_cycle_of_two
                      : l2_partition_cycle_of_many;
    if (config_has_row_prefetch(p->config)) {
        p->evaluate_requests = p->evaluate;
        p->evaluate = l2_partition_cycle_with_claims;
    }
}

/* A single bank shares with none. A fill that is answered ahead of time would free its MSHR too
 * early for other banks. */
static void share_mshrs(struct l2_partition *p) {
    p->pooled = p->banks > 1 && p->config->l2.mshr_pool == L2_MSHR_POOL_PARTITION;
    p->pool =
        (struct l2_mshr_pool){.free = p->config->l2.mshrs, .bank = p->bank, .banks = p->banks};
    for (unsigned i = 0; p->pooled && i < p->banks; i++) {
        p->bank[i].pool = &p->pool;
        p->bank[i].wakes_ahead = false;
    }
}

/* No request moves ahead of time if requests are sorted or claims come: any may then come
 * between. Nor does one if hardware sees each request at its cycle. */
static void only_in_time(struct l2_partition *p) {
    p->sends_ahead = p->gives_ahead = p->replies_ahead = false;
    for (unsigned i = 0; i < p->banks; i++) {
        p->bank[i].wakes_ahead = false;
    }
}

static bool make_queues(struct l2_partition *p) {
    const struct config *config = p->config;
    p->bank = calloc(p->banks, sizeof *p->bank);
    bool ok = p->bank && ring_init(&p->claims, PREFETCHER_LINES_MAX);
    for (unsigned i = 0; ok && i < p->reply_ports; i++) {
        ok = ring_init(&p->reply[i].queue, config->l2.reply_queue);
    }
    for (unsigned i = 0; ok && i < p->ports; i++) {
        ok = ring_init(&p->port[i].rop, config->l2.rop_latency);
    }
    for (unsigned i = 0; ok && i < p->banks; i++) {
        ok = l2_bank_init(&p->bank[i], config, p->channel, i);
        reply_port_of(p, &p->bank[i])->banks |= UINT32_C(1) << i;
    }
    return ok;
}

bool l2_partition_init(struct l2_partition *p, const struct config *config, unsigned number,
                       const struct l2_periods *period, const struct l2_policy_kind *named,
                       const struct build *build) {
    const struct l2_policy_view view = {.config = config,
                                        .partition = number,
                                        .banks = config->l2.banks,
                                        .ports = config->l2.ports,
                                        .sets = config->l2.sets,
                                        .ways = config->l2.ways,
                                        .core_period = period->core,
                                        .l2_period = period->l2};
    *p = (struct l2_partition){.config = config,
                               .dram_period = period->dram,
                               .ports = config->l2.ports,
                               .banks = config->l2.banks,
                               .reply_ports = config->l2.reply_ports,
                               .reads = config_dram_returns(config),
                               /* A bank's next access must not miss the place: it takes two. */
                               .sends_ahead = config->l2.miss_queue > 2,
                               .gives_ahead = true,
                               .replies_ahead = true,
                               .channel = number};
    if (!make_queues(p)) {
        return build_refused(build, "out of memory");
    }
    if (!l2_policies_make(&p->policies, &view, &p->bank->tags, named, build) ||
        !l2_front_init(&p->front, &p->policies, build)) {
        return false;
    }
    share_mshrs(p);
    choose_cycle(p);
    for (unsigned i = 0; i < p->banks; i++) {
        l2_bank_attach(&p->bank[i], &p->policies, &p->front.types);
    }
    if (build->factory && l2_front_arbitrates(&p->front)) {
        p->gives_ahead = false; /* an arbiter in another's hands sees every request */
    }
    if (p->front.sorts || config_has_row_prefetch(config) || build->in_time) {
        only_in_time(p);
    }
    return true;
}

void l2_partition_attach(struct l2_partition *p, struct warp_table *table, unsigned first_update,
                         unsigned first_lookup) {
    p->front.types.table = table;
    p->front.types.first_update = first_update;
    p->front.types.first_lookup = first_lookup;
}

void l2_partition_launch(struct l2_partition *p, uint64_t cycle) {
    if (p->policies.events & L2_POLICY_EVENT(L2_POLICY_LAUNCHED)) {
        p->policies.view.cycle = cycle;
        l2_policies_tell(&p->policies, &(struct l2_policy_event){.kind = L2_POLICY_LAUNCHED});
    }
}

bool l2_partition_join(struct l2_partition *p) {
    unsigned seen_early = p->bank->reads_ahead; /* a request, for its set */
    p->joined =
        p->gives_ahead && p->ports == 1 && p->banks == 1 && p->config->l2.queue > 1 + seen_early;
    return !p->joined || l2_bank_join_port(p->bank);
}

void l2_partition_destroy(struct l2_partition *p) {
    for (unsigned i = 0; p->bank && i < p->banks; i++) {
        l2_bank_destroy(&p->bank[i]);
    }
    for (unsigned i = 0; i < p->ports; i++) {
        ring_destroy(&p->port[i].rop);
    }
    ring_destroy(&p->claims);
    for (unsigned i = 0; i < p->reply_ports; i++) {
        ring_destroy(&p->reply[i].queue);
    }
    l2_front_destroy(&p->front);
    l2_policies_destroy(&p->policies);
    free(p->bank);
}

void l2_partition_wire(struct l2_partition *p, struct ring *from_dram, const uint64_t *seen_at,
                       FILE *events) {
    for (unsigned i = 0; i < p->banks; i++) {
        p->bank[i].from_dram = &from_dram[i];
        p->bank[i].seen_at = seen_at;
        p->bank[i].events = events;
    }
}

void l2_partition_wire_replies(struct l2_partition *p, struct ring *inputs,
                               struct unit_set *sending) {
    p->replying = sending;
    for (unsigned i = 0; i < p->reply_ports; i++) {
        unsigned input = p->channel * p->reply_ports + i;
        p->reply[i].to_noc = &inputs[input];
        p->reply[i].input = input;
    }
}

void l2_partition_settle(struct l2_partition *p, uint64_t cycle) {
    for (unsigned i = 0; i < p->banks; i++) {
        struct l2_bank *b = &p->bank[i];
        l2_bank_settle(b, cycle);
        unsigned after_port = p->config->l2.arbiter_latency + b->reads_ahead;
        unsigned stages = after_port + (p->front.sorts && !p->front.early);
        b->stats.pipeline_delay = b->stats.requests * stages;
        b->stats.queue_wait = b->stats.delay - b->stats.pipeline_delay;
        b->stats.bank_wait = b->stats.delay - b->stats.at_port_end - b->stats.requests * after_port;
    }
    for (unsigned i = 0; i < p->ports; i++) {
        if (p->port[i].blocked) {
            p->conflicts += cycle - p->port[i].blocked_since;
            p->port[i].blocked_since = cycle;
        }
    }
}

bool l2_partition_idle(const struct l2_partition *p) {
    bool idle = !l2_partition_replies(p) && !p->dram_reads && !p->front.count && !p->claims.count;
    for (unsigned i = 0; idle && i < p->ports; i++) {
        idle = !p->port[i].rop.count;
    }
    for (unsigned i = 0; idle && i < p->banks; i++) {
        idle = l2_bank_idle(&p->bank[i]);
    }
    return idle;
}
