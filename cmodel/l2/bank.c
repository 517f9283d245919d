/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank.h"

#include <stdlib.h>

#include "config/derived.h"
#include "l2/bank_parts.h"

bool l2_bank_init(struct l2_bank *b, const struct config *config, unsigned partition,
                  unsigned number) {
    *b = (struct l2_bank){.config = config,
                          .number = number,
                          .partition = partition,
                          .wakes_ahead = true,
                          .has_high = config->dram.queues == DRAM_QUEUES_TWO,
                          .writes_low = config_writes_go_low(config),
                          .local_shift = (unsigned)__builtin_ctz(config->l2.banks),
                          .through = config->l2.write == L2_WRITE_THROUGH};
    b->places = config->l2.queue + config->l2.arbiter_latency - 1;
    b->fill = calloc(config->l2.mshrs, sizeof *b->fill);
    /* The arbiter's stages hold a request each when the queue is full. The output holds the answers
     * that are on their way at one a cycle, and the one whose room can be used a cycle later. */
    unsigned hit = config->l2.hit_latency, fill = config->l2.fill_latency;
    if (!b->fill ||
        !tag_array_init(&b->tags, config->l2.sets, config->l2.ways,
                        (enum tag_index)config->l2.index) ||
        !mshr_init(&b->mshrs, config->l2.mshrs, config->l2.mshr_merge) ||
        !ring_init(&b->queue, b->places) || !ring_init(&b->miss_queue, config->l2.miss_queue) ||
        (b->has_high && !ring_init(&b->high_queue, config->l2.miss_queue)) ||
        !ring_init(&b->output, (hit > fill ? hit : fill) + 1)) {
        return false;
    }
    b->dirty_ways = b->through ? 0 : config->l2.dirty_ways;
    b->masks = config->l2.sectors && config->l2.write_miss == L2_WRITE_MISS_MASK;
    if (config->l2.sectors) {
        b->sectors = sectors_create(config->l2.sets * config->l2.ways, config->l2.mshrs);
        if (!b->sectors) {
            return false;
        }
    }
    b->port_end = calloc(b->queue.mask + 1, sizeof *b->port_end);
    if (config_has_row_prefetch(config)) {
        b->prefetched = calloc((size_t)config->l2.sets * config->l2.ways, sizeof *b->prefetched);
        if (!b->prefetched) {
            return false;
        }
    }
    b->hears_uses = b->prefetched;
    b->plain = !b->has_high && !b->sectors;
    return b->port_end;
}

void l2_bank_attach(struct l2_bank *b, struct l2_policies *policies, struct l2_types *types) {
    const struct l2_policy_row *order = policies->order;
    b->types = types->of ? types : NULL;
    b->hears_accesses = types->of || policies->events & L2_POLICY_EVENT(L2_POLICY_ACCESSED);
    if (order || policies->events & L2_BANK_EVENTS) {
        b->policies = policies;
        b->reads_ahead = order && order->kind->begin_cycle;
        b->hears_uses |= (policies->events & L2_POLICY_EVENT(L2_POLICY_TOUCHED)) != 0;
        b->plain = false;
    }
}

bool l2_bank_join_port(struct l2_bank *b) {
    ring_destroy(&b->queue);
    free(b->port_end);
    b->port_end = NULL;
    if (!ring_init(&b->queue, b->places + b->config->l2.rop_latency)) {
        return false;
    }
    b->port_end = calloc(b->queue.mask + 1, sizeof *b->port_end);
    return b->port_end;
}

void l2_bank_destroy(struct l2_bank *b) {
    free(b->fill);
    free(b->port_end);
    free(b->prefetched);
    sectors_destroy(b->sectors);
    tag_array_destroy(&b->tags);
    mshr_destroy(&b->mshrs);
    ring_destroy(&b->queue);
    ring_destroy(&b->miss_queue);
    ring_destroy(&b->high_queue);
    ring_destroy(&b->output);
}

/* @held: data from the DRAM cannot be accepted. */
static inline __attribute__((always_inline)) uint64_t next_stalled(const struct l2_bank *b,
                                                                   uint64_t time, bool held) {
    if ((b->refused != L2_ACCEPTED && l2_bank_may_go_on(b)) ||
        (mshr_ready(&b->mshrs) &&
         (!ring_is_full(&b->output) || !is_answered(mshr_first(&b->mshrs))))) {
        return time + 1;
    }
    uint64_t next = held ? NEVER : ring_next(b->from_dram);
    if (b->refused == L2_ACCEPTED) {
        uint64_t access = later_time(ring_next(&b->queue), b->free_at);
        next = access < next ? access : next;
    }
    return next;
}

uint64_t l2_bank_next_stalled(const struct l2_bank *b, uint64_t time) {
    return next_stalled(b, time, false);
}

uint64_t l2_bank_next_held(const struct l2_bank *b, uint64_t time) {
    return next_stalled(b, time, true);
}

void l2_bank_settle(struct l2_bank *b, uint64_t cycle) {
    count_refused_cycles(b, cycle);
    if (b->queue.count > b->places) {
        count_held(b, cycle, false);
    }
}

bool l2_bank_idle(const struct l2_bank *b) {
    return !b->queue.count && !b->miss_queue.count && !b->high_queue.count && !b->output.count &&
           b->mshrs.free_count == b->mshrs.entries && !tag_reserved_count(&b->tags);
}
