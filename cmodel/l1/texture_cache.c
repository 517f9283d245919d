/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/texture_cache.h"

#include <assert.h>
#include <stdlib.h>

#include "base/sectors.h"

bool texture_cache_init(struct texture_cache *c, const struct config *config) {
    unsigned sets = config->texture.sets, ways = config->texture.ways;
    *c = (struct texture_cache){.fifo_size = config->texture.fifo,
                                .reorder_size = config->texture.reorder,
                                .line_bytes = (uint16_t)config->texture.line_bytes,
                                .perfect = config->l1.perfect};
    c->asked = calloc((size_t)sets * ways, sizeof *c->asked);
    c->fifo = calloc(c->fifo_size, sizeof *c->fifo);
    c->reorder = calloc(c->reorder_size, sizeof *c->reorder);
    c->sectors = config->texture.sectors ? calloc((size_t)sets * ways, sizeof *c->sectors) : NULL;
    return (c->sectors || !config->texture.sectors) &&
           tag_array_init(&c->tags, sets, ways, TAG_INDEX_MODULO) &&
           ring_init(&c->requests, config->texture.request_queue) && c->asked && c->fifo &&
           c->reorder;
}

void texture_cache_destroy(struct texture_cache *c) {
    tag_array_destroy(&c->tags);
    ring_destroy(&c->requests);
    free(c->asked);
    free(c->sectors);
    free(c->fifo);
    free(c->reorder);
    c->asked = NULL;
    c->sectors = NULL;
    c->fifo = NULL;
    c->reorder = NULL;
}

static unsigned wrap_index(unsigned at, unsigned size) {
    return at < size ? at : at - size;
}

static uint16_t *asked_count(struct texture_cache *c, unsigned set, int way) {
    return &c->asked[set * c->tags.ways + (unsigned)way];
}

/* Those of the access that its line lacks; they are asked for now. */
static uint8_t take_missing_sectors(struct texture_cache *c, unsigned set, int way,
                                    const struct request *access) {
    uint8_t *there = &c->sectors[set * c->tags.ways + (unsigned)way],
            missing = access->sectors & (uint8_t) ~*there;
    *there |= missing;
    return missing;
}

/* Looks the line up. A miss allocates a line and requests it, or the sectors that it needs. Return:
 * true for a hit. */
static bool look_up_texture_line(struct texture_cache *c, const struct request *access,
                                 const struct now *now) {
    unsigned set = tag_set_of(&c->tags, access->line);
    int way = tag_find(&c->tags, set, access->line);
    struct request r = *access;
    if (way == TAG_NO_WAY) {
        way = tag_victim(&c->tags, set);
        tag_insert(&c->tags, set, way, r.line);
        if (c->sectors) {
            c->sectors[set * c->tags.ways + (unsigned)way] = 0;
            r.sectors = take_missing_sectors(c, set, way, access);
        }
    } else {
        tag_touch(&c->tags, set, way);
        r.sectors = c->sectors ? take_missing_sectors(c, set, way, access) : 0;
        if (!r.sectors) {
            *(*asked_count(c, set, way) ? &c->stats.pending_hits : &c->stats.hits) += 1;
            return true;
        }
    }
    r.kind = REQUEST_READ;
    r.unit = UNIT_TEXTURE;
    r.born = now->time;
    r.bytes = c->sectors ? (uint16_t)sectors_bytes(r.sectors) : c->line_bytes;
    r.l1_way = (uint32_t)way;
    r.l1_mshr = (uint16_t)wrap_index(c->reorder_head + c->reorder_count++, c->reorder_size);
    c->reorder[r.l1_mshr].arrived = false;
    *asked_count(c, set, way) = (uint16_t)(r.l1_mshr + 1);
    ring_push(&c->requests, &r, now_next_edge(now), 1);
    c->stats.misses++;
    return false;
}

enum texture_result texture_cache_access(struct texture_cache *c, const struct request *r,
                                         const struct now *now) {
    if (c->fifo_count == c->fifo_size) {
        return TEXTURE_FAIL_FIFO;
    }
    if (!ring_room(&c->requests, now->time)) {
        return TEXTURE_FAIL_REQUEST_QUEUE;
    }
    if (c->reorder_count == c->reorder_size) {
        return TEXTURE_FAIL_REORDER;
    }
    bool hit = c->perfect;
    c->stats.hits += hit;
    hit = hit || look_up_texture_line(c, r, now);
    c->fifo[wrap_index(c->fifo_head + c->fifo_count++, c->fifo_size)] = (struct texture_access){
        .entered = now->cycle, .warp = r->warp, .reg = r->reg, .miss = !hit};
    c->stats.accesses++;
    return TEXTURE_TAKEN;
}

void texture_cache_fill(struct texture_cache *c, const struct request *reply) {
    struct texture_line *line = &c->reorder[reply->l1_mshr];
    uint16_t *waits = asked_count(c, tag_set_of(&c->tags, reply->line), (int)reply->l1_way);
    assert(!line->arrived);
    line->arrived = true;
    line->reply = *reply;
    /* Another miss may have taken the line over by now. */
    *waits = *waits == reply->l1_mshr + 1 ? 0 : *waits;
}

struct texture_access texture_cache_take(struct texture_cache *c, const struct request **cause) {
    struct texture_access a = c->fifo[c->fifo_head];
    *cause = NULL;
    if (a.miss) {
        *cause = &c->reorder[c->reorder_head].reply;
        c->reorder_head = wrap_index(c->reorder_head + 1, c->reorder_size);
        c->reorder_count--;
    }
    c->fifo_head = wrap_index(c->fifo_head + 1, c->fifo_size);
    c->fifo_count--;
    return a;
}

void texture_cache_invalidate(struct texture_cache *c) {
    tag_invalidate_valid(&c->tags);
}

bool texture_cache_idle(const struct texture_cache *c) {
    return !c->fifo_count && !c->reorder_count && !c->requests.count;
}

bool texture_cache_register_stats(const struct texture_cache *c, struct stats *s) {
#define TEXTURE_STAT(name, member, unit, meaning, source) \
    { {"texture." name, unit, meaning, source, STAT_SUM}, offsetof(struct texture_stats, member) }
    static const struct stat_member members[] = {
        TEXTURE_STAT("accesses", accesses, "accesses", "lines that texture instructions touched",
                     "OWL table 1"),
        TEXTURE_STAT("hits", hits, "accesses", "lines that were present", "OWL table 1"),
        TEXTURE_STAT("pending_hits", pending_hits, "accesses",
                     "lines that had been requested and had not arrived", "model"),
        TEXTURE_STAT("misses", misses, "accesses", "lines that were absent and were requested",
                     "OWL table 1"),
        TEXTURE_STAT("fail_fifo", fails[TEXTURE_FAIL_FIFO], "core cycles",
                     "an access waited: the FIFO before the data is full", "model"),
        TEXTURE_STAT("fail_request_queue", fails[TEXTURE_FAIL_REQUEST_QUEUE], "core cycles",
                     "an access waited: request queue full", "model"),
        TEXTURE_STAT("fail_reorder", fails[TEXTURE_FAIL_REORDER], "core cycles",
                     "an access waited: reorder buffer full", "model"),
    };
#undef TEXTURE_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &c->stats);
}
