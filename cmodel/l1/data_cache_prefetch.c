/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefetches into a data cache, and what becomes of the lines that they bring.
 */
#include "l1/data_cache_parts.h"
#include "l1/policies.h"

void l1_use_prefetched(struct l1_data_cache *c, unsigned set, int way) {
    struct line_owner *owner = owner_of(c, set, way);
    c->stats.prefetch.useful += owner->prefetched;
    owner->prefetched = false;
}

void l1_lose_prefetched(struct l1_data_cache *c, unsigned set, int way) {
    struct line_owner *owner = owner_of(c, set, way);
    c->stats.prefetch.useless += owner->prefetched;
    owner->prefetched = false;
}

void l1_merge_into_prefetch(struct l1_data_cache *c, unsigned mshr) {
    c->stats.prefetch.late +=
        mshr_only(&c->mshrs, mshr)->kind == REQUEST_PREFETCH && mshr_waiting(&c->mshrs, mshr) == 1;
}

unsigned l1_fill_mshr(struct l1_data_cache *c, unsigned mshr, unsigned set, int way) {
    if (mshr_only(&c->mshrs, mshr)->kind != REQUEST_PREFETCH) {
        mshr_fill(&c->mshrs, mshr);
        return 0;
    }
    if (mshr_waiting(&c->mshrs, mshr) > 1) { /* the accesses that have merged into it */
        mshr_fill_behind_first(&c->mshrs, mshr);
        return 0;
    }
    owner_of(c, set, way)->prefetched = true;
    mshr_release(&c->mshrs, mshr);
    return L1_FILL_FREES_MSHR;
}

unsigned l1_fill_prefetching(struct l1_data_cache *c, const struct request *reply) {
    unsigned set = tag_set_of(&c->tags, reply->line);
    tag_fill(&c->tags, set, (int)reply->l1_way);
    c->reply[reply->l1_mshr] = *reply;
    c->stats.fills++;
    return (set == c->accessed_set ? L1_FILL_IN_SET : 0) |
           l1_fill_mshr(c, reply->l1_mshr, set, (int)reply->l1_way);
}

void l1_lose_all_prefetched(struct l1_data_cache *c) {
    for (unsigned set = 0; set < c->tags.sets; set++) {
        for (int way = 0; way < (int)c->tags.ways; way++) {
            l1_lose_prefetched(c, set, way);
        }
    }
}

uint64_t l1_data_cache_unused(const struct l1_data_cache *c) {
    uint64_t unused = 0;
    for (size_t i = 0; c->prefetches && i < (size_t)c->tags.sets * c->tags.ways; i++) {
        unused += c->owner[i].prefetched;
    }
    return unused;
}

/* The way of the victim; TAG_NO_WAY: none, or the cache takes lines with their data. */
static int victim_of_prefetch(const struct l1_data_cache *c, unsigned set) {
    int way = c->takes_at_fill ? TAG_NO_WAY
              : c->chooser     ? l1_policies_ask_victim(c->chooser)
                               : tag_victim(&c->tags, set);
    return way < 0 ? TAG_NO_WAY : way;
}

bool l1_data_cache_prefetch(struct l1_data_cache *c, struct request *r, const struct now *now) {
    unsigned set = tag_set_of(&c->tags, r->line);
    if (tag_find(&c->tags, set, r->line) != TAG_NO_WAY ||
        (c->takes_at_fill && sectors_on_way(c->sectors, r->line, c->all_sectors))) {
        return false; /* it is there, or under way */
    }
    int victim = victim_of_prefetch(c, set);
    bool dirty = victim != TAG_NO_WAY && tag_is_dirty(&c->tags, set, victim);
    if ((victim == TAG_NO_WAY && !c->takes_at_fill) || !mshr_has_free(&c->mshrs) ||
        ring_room(&c->miss_queue, now->time) < 1u + dirty) {
        return false;
    }
    r->born = now->time;
    r->bytes = c->line_bytes;
    r->sectors = c->all_sectors;
    if (dirty) {
        l1_write_back(c, set, victim, r, now);
    }
    r->l1_way = (uint32_t)victim;
    r->l1_mshr = (uint16_t)mshr_allocate(&c->mshrs, r);
    if (!c->takes_at_fill) {
        l1_take_line(c, set, victim, r, 0, r->l1_mshr);
    }
    if (c->sectors) {
        c->trip[r->l1_mshr] = 0;
        sectors_begin_fetch(c->sectors, r->l1_mshr, r->line, r->sectors);
    }
    if (c->sectors && !c->takes_at_fill) {
        c->sectors->fetches[place_of_line(c, set, victim)]++;
    }
    ring_push(&c->miss_queue, r, now_next_edge(now), 1);
    c->stats.prefetch.issued++;
    c->prefetched = r->line;
    return true;
}

bool l1_prefetch_register_stats(const struct l1_prefetch_stats *prefetch, struct stats *s) {
#define PREFETCH_STAT(member, meaning) \
    { \
        {"l1.prefetch_" #member, "prefetches", meaning, "model", STAT_SUM}, \
            offsetof(struct l1_prefetch_stats, member) \
    }
    static const struct stat_member members[] = {
        PREFETCH_STAT(issued, "prefetches of the L1's policies that fetch a line"),
        PREFETCH_STAT(dropped, "prefetches whose line was there or under way, or that lacked a "
                               "line of the set, an MSHR or a place in a queue"),
        PREFETCH_STAT(useful, "prefetches whose line was there when an access first used it"),
        PREFETCH_STAT(late, "prefetches whose line was under way when an access first used it"),
        PREFETCH_STAT(useless, "prefetches whose line left unused"),
    };
#undef PREFETCH_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, prefetch);
}
