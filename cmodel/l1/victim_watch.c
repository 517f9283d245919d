/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/victim_watch.h"

#include <stdio.h>
#include <stdlib.h>

struct victim_tags_params victim_watch_params(const struct config *config) {
    return (struct victim_tags_params){.WARPS = config->core.warps > 1 ? config->core.warps : 2,
                                       .SETS = config->l1.victim_sets,
                                       .WAYS = config->l1.victim_ways,
                                       .LINE_BITS = 32,
                                       .FREES = config->l1.victim_hit == L1_VICTIM_HIT_FREE};
}

struct victim_watch *victim_watch_create(const struct config *config, unsigned core,
                                         const struct build *build) {
    const struct victim_tags_params params = victim_watch_params(config);
    char where[16];
    snprintf(where, sizeof where, "sm%u", core);
    struct victim_watch *v = calloc(1, sizeof *v);
    if (!v) {
        build_refused(build, "out of memory");
        return NULL;
    }
    v->alarm = build->alarm;
    if (!block_make(build, &victim_tags_block, &params, where, &v->cycle, &v->block)) {
        free(v);
        return NULL;
    }
    return v;
}

void victim_watch_destroy(struct victim_watch *v) {
    if (v) {
        block_unmake(&v->block);
        free(v);
    }
}

/* The inputs of the block's cycle that come from a queue. */
static void put_next_clear(struct victim_watch *v) {
    v->in.clear_valid = v->clearing != 0;
    v->in.clear_warp = v->clearing ? (uint8_t)__builtin_ctzll(v->clearing) : 0;
}

static void take_next_input(struct victim_watch *v) {
    v->in = (struct victim_tags_in){0};
    if (v->waiting) {
        v->in = v->waits[v->head];
        v->head = (v->head + 1) % VICTIM_WAITING;
        v->waiting--;
    }
}

bool victim_watch_next_hit(struct victim_watch *v, uint64_t cycle, struct victim_hit *hit) {
    while (v->busy) {
        put_next_clear(v);
        v->block.comb(v->block.self, &v->in, &v->out);
        if (v->out.hit_valid && !v->told) {
            *hit = (struct victim_hit){.cycle = v->cycle, .warp = v->out.hit_warp};
            v->told = true;
            v->stats.hits++;
            return true;
        }
        if (v->cycle >= cycle) {
            return false;
        }
        if (!v->waiting && v->block.quiet(v->block.self, &v->in)) {
            v->busy = false;
            break;
        }
        if (!v->block.step(v->block.self, &v->in, &v->out)) {
            alarm_ring(v->alarm, ALARM_BLOCK_DIFFERS);
        }
        v->clearing &= v->clearing - 1;
        take_next_input(v);
        v->told = false;
        v->cycle++;
    }
    victim_watch_rest(v, cycle);
    return false;
}

/* The inputs of the block's cycle @after cycles after the current one. */
static struct victim_tags_in *input_after(struct victim_watch *v, unsigned after) {
    return after ? &v->waits[(v->head + after - 1) % VICTIM_WAITING] : &v->in;
}

/* The cycle for what comes behind @taken, the last one's; NULL: the queue is full. */
static struct victim_tags_in *find_victim_cycle(struct victim_watch *v, bool taken) {
    v->busy = true;
    if (!taken) {
        return input_after(v, v->waiting);
    }
    if (v->waiting == VICTIM_WAITING) {
        v->stats.refused++;
        return NULL;
    }
    struct victim_tags_in *in = input_after(v, ++v->waiting);
    *in = (struct victim_tags_in){0};
    return in;
}

/* A cycle has one look-up, which the block does before its eviction: an eviction that waits leaves
 * no cycle to a later look-up. */
uint64_t victim_watch_miss(struct victim_watch *v, unsigned warp, uint64_t line) {
    const struct victim_tags_in *last = input_after(v, v->waiting);
    struct victim_tags_in *in =
        find_victim_cycle(v, last->look_valid || (v->waiting && last->evict_valid));
    v->stats.misses++;
    if (!in) {
        return 0;
    }
    in->look_valid = true;
    in->look_warp = (uint8_t)warp;
    in->look_line = (uint32_t)line;
    return v->cycle + v->waiting + 1;
}

void victim_watch_evict(struct victim_watch *v, unsigned warp, uint64_t line) {
    struct victim_tags_in *in = find_victim_cycle(v, input_after(v, v->waiting)->evict_valid);
    v->stats.evictions++;
    if (in) {
        in->evict_valid = true;
        in->evict_warp = (uint8_t)warp;
        in->evict_line = (uint32_t)line;
    }
}

void victim_watch_clear(struct victim_watch *v, uint64_t warps) {
    for (unsigned i = 1; i <= v->waiting; i++) {
        struct victim_tags_in *in = input_after(v, i);
        in->look_valid &= !(warps >> in->look_warp & 1);
        in->evict_valid &= !(warps >> in->evict_warp & 1);
    }
    v->clearing |= warps;
    v->busy = true;
}

bool victim_watch_register_stats(const struct victim_watch *v, struct stats *s) {
    static const struct stat_member members[] = {
        {{"l1.victim_lines", "lines",
          "evicted to make room, and entered into their warp's victim tags", "DAWS 4, 5.2",
          STAT_SUM},
         offsetof(struct victim_watch_stats, evictions)},
        {{"l1.victim_looks", "accesses", "read misses that were looked up in the victim tags",
          "DAWS 4, 5.2", STAT_SUM},
         offsetof(struct victim_watch_stats, misses)},
        {{"l1.victim_hits", "accesses",
          "read misses on a line that their warp had fetched and lost: lost intra-warp locality",
          "DAWS 4, figure 11", STAT_SUM},
         offsetof(struct victim_watch_stats, hits)},
        {{"l1.victim_refused", "times",
          "that a full queue before the victim tags refused a miss or an eviction", "model",
          STAT_SUM},
         offsetof(struct victim_watch_stats, refused)},
    };
    return stats_register_members(s, members, sizeof members / sizeof *members, &v->stats);
}
