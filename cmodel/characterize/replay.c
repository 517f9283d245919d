/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/replay.h"

static enum tag_index replay_tag_index(unsigned key) {
    return key == INDEX_MODULO    ? TAG_INDEX_MODULO
           : key == INDEX_XOR     ? TAG_INDEX_XOR
           : key == INDEX_XOR_ALL ? TAG_INDEX_XOR_ALL
                                  : TAG_INDEX_FERMI;
}

bool replay_init(struct replay *r, const struct config *config) {
    *r = (struct replay){.config = config};
    return tag_array_init(&r->tags, config->l1.sets, config->l1.ways,
                          replay_tag_index(config->l1.index)) &&
           tag_array_init(&r->texture, config->texture.sets, config->texture.ways,
                          TAG_INDEX_MODULO) &&
           tag_array_init(&r->constant, config->constant.sets, config->constant.ways,
                          TAG_INDEX_MODULO);
}

void replay_destroy(struct replay *r) {
    if (r->config) {
        tag_array_destroy(&r->tags);
        tag_array_destroy(&r->texture);
        tag_array_destroy(&r->constant);
    }
    *r = (struct replay){0};
}

void replay_launch(struct replay *r) {
    if (r->config->l1.at_launch == AT_LAUNCH_INVALIDATE) {
        tag_invalidate_valid(&r->tags);
    }
}

/* Looks the line up and makes it the one used last, on a miss only with @allocate. */
static bool replay_look_up_line(struct tag_array *t, uint64_t line, bool allocate) {
    unsigned set = tag_set_of(t, line);
    int way = tag_find(t, set, line);
    if (way != TAG_NO_WAY) {
        tag_touch(t, set, way);
        return true;
    }
    if (allocate) {
        tag_insert(t, set, tag_victim(t, set), line);
    }
    return false;
}

static void replay_evict_line(struct tag_array *t, uint64_t line) {
    unsigned set = tag_set_of(t, line);
    int way = tag_find(t, set, line);
    if (way != TAG_NO_WAY) {
        tag_invalidate(t, set, way);
    }
}

static void replay_write_line(struct replay *r, struct replay_counts *c, unsigned policy,
                              uint64_t line) {
    if (policy == L1_WRITE_EVICT) {
        replay_evict_line(&r->tags, line);
    } else if (policy == L1_WRITE_THROUGH) {
        replay_look_up_line(&r->tags, line, false);
    } else {
        c->writes++;
        c->write_misses +=
            !replay_look_up_line(&r->tags, line, r->config->l1.write_miss == L1_WRITE_MISS_FETCH);
    }
}

static unsigned replay_read_lines(struct tag_array *t, const struct accesses *a, uint64_t *reads,
                                  uint64_t *read_misses) {
    unsigned misses = 0;
    for (unsigned i = 0; i < a->count; i++) {
        misses += !replay_look_up_line(t, a->list[i].line, true);
    }
    *reads += a->count;
    *read_misses += misses;
    return misses;
}

unsigned replay_access(struct replay *r, struct replay_counts *c, const struct insn *insn,
                       const struct accesses *a) {
    if (insn->space == SPACE_TEXTURE) {
        return replay_read_lines(&r->texture, a, &c->texture, &c->texture_misses);
    }
    if (insn->space == SPACE_CONSTANT) {
        return replay_read_lines(&r->constant, a, &c->constant, &c->constant_misses);
    }
    if (!access_in_l1(insn)) {
        for (unsigned i = 0; i < a->count; i++) {
            replay_evict_line(&r->tags, a->list[i].line);
        }
        return a->count;
    }
    if (insn->op == OP_LOAD) {
        return replay_read_lines(&r->tags, a, &c->reads, &c->read_misses);
    }
    for (unsigned i = 0; i < a->count; i++) {
        replay_write_line(r, c,
                          insn->space == SPACE_LOCAL ? r->config->l1.local_write
                                                     : r->config->l1.global_write,
                          a->list[i].line);
    }
    return 0; /* no warp waits for a store */
}

void replay_add(struct replay_counts *to, const struct replay_counts *c) {
    to->reads += c->reads;
    to->read_misses += c->read_misses;
    to->writes += c->writes;
    to->write_misses += c->write_misses;
    to->texture += c->texture;
    to->texture_misses += c->texture_misses;
    to->constant += c->constant;
    to->constant_misses += c->constant_misses;
}
