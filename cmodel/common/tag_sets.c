/* SPDX-License-Identifier: Apache-2.0 */
#include "common/tag_sets.h"

#include <assert.h>
#include <string.h>

static const enum tag_index index_of[] = {TAG_INDEX_MODULO, TAG_INDEX_XOR, TAG_INDEX_XOR_ALL};

bool tag_sets_init(struct tag_sets *s, const struct tag_sets_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    return tag_array_init(&s->tags, 1u << params->SET_BITS, params->WAYS, index_of[params->INDEX]);
}

void tag_sets_destroy(struct tag_sets *s) {
    tag_array_destroy(&s->tags);
    memset(s, 0, sizeof *s);
}

void tag_sets_comb(const struct tag_sets *s, const struct tag_sets_in *in,
                   struct tag_sets_out *out) {
    const struct tag_array *t = &s->tags;
    out->found = out->room = false;
    if (!in->look) {
        return;
    }
    const unsigned set = tag_set_of(t, in->line);
    const int way = tag_find(t, set, in->line), victim = tag_victim_but(t, set, in->held);
    if (way != TAG_NO_WAY) {
        out->found = true;
        out->way = (uint8_t)way;
        out->dirty = tag_is_dirty(t, set, way);
    }
    if (victim != TAG_NO_WAY) {
        out->room = true;
        out->victim = (uint8_t)victim;
        out->victim_live = tag_is_valid(t, set, victim);
        out->victim_line = tag_line(t, set, victim);
        out->victim_dirty = tag_is_dirty(t, set, victim);
    }
}

static void update_tags(struct tag_array *t, const struct tag_sets_in *in) {
    const unsigned set = tag_set_of(t, in->line);
    const int way = in->update_way;
    assert(in->update_take ? tag_find(t, set, in->line) == TAG_NO_WAY && !(in->held >> way & 1) &&
                                 !in->update_drop
                           : tag_is_valid(t, set, way));
    if (in->update_drop) {
        tag_invalidate(t, set, way);
        return;
    }
    if (in->update_take) {
        tag_insert(t, set, way, in->line);
    } else if (in->update_newest) {
        tag_touch(t, set, way);
    }
    if (in->update_oldest) {
        tag_demote(t, set, way);
    }
    if (in->update_clean) {
        tag_clean(t, set, way);
    }
    if (in->update_dirty) {
        tag_set_dirty(t, set, way);
    }
}

void tag_sets_step(struct tag_sets *s, const struct tag_sets_in *in,
                   const struct tag_sets_out *out) {
    (void)out;
    assert(in->rst || !in->look || !s->params.EARLY || in->line == s->ahead);
    s->ahead = s->params.EARLY ? in->ahead_line : 0;
    if (in->rst || in->clear) {
        tag_invalidate_valid(&s->tags);
    } else if (in->look && in->update) {
        update_tags(&s->tags, in);
    }
}

bool tag_sets_quiet(const struct tag_sets *s, const struct tag_sets_in *in) {
    return !in->rst && !in->clear && !(in->look && in->update) &&
           (!s->params.EARLY || s->ahead == in->ahead_line);
}
