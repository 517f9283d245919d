/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank_replacement.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "l2/bank.h"

static struct l2_replacement *make_replacement(const struct config *config, const char *where,
                                               const struct build *build) {
    const struct insertion_params params = {
        .SETS = config->l2.sets,
        .WAYS = config->l2.ways,
        .RAISE = config->medic.hit_class == MEDIC_HIT_CLASS_RAISE,
        .PLACE = config->medic.insertion == MEDIC_INSERTION_PLACE};
    struct l2_replacement *p = calloc(1, sizeof *p);
    if (!p) {
        build_refused(build, "out of memory");
        return NULL;
    }
    p->alarm = build->alarm;
    if (!block_make(build, &insertion_block, &params, where, &p->cycle, &p->block)) {
        free(p);
        return NULL;
    }
    return p;
}

void l2_replacement_destroy(struct l2_replacement *p) {
    if (p) {
        block_unmake(&p->block);
        free(p);
    }
}

static uint64_t mask_of_ways(const struct tag_array *tags) {
    return UINT64_MAX >> (TAG_WAYS_SMALL - tags->ways);
}

/* The ways of the set that was read last; after the reset it is set 0. */
static void show_set_to_block(struct l2_replacement *p, const struct tag_array *tags) {
    const struct tag_set *s = &tags->set[p->set];
    p->in = (struct insertion_in){.free = ~(s->valid | s->reserved) & mask_of_ways(tags),
                                  .held = s->reserved};
    p->block.comb(p->block.self, &p->in, &p->out);
}

/* The end of the block's cycle. */
static void step_replacement_block(struct l2_replacement *p) {
    if (!p->block.quiet(p->block.self, &p->in) && !p->block.step(p->block.self, &p->in, &p->out)) {
        alarm_ring(p->alarm, ALARM_BLOCK_DIFFERS);
    }
}

static void read_set_of_line(struct l2_replacement *p, const struct tag_array *tags,
                             uint64_t line) {
    p->set = tag_set_of(tags, line);
    p->in.read = true;
    p->in.set = p->set;
    p->ready = true;
}

void l2_replacement_read(struct l2_replacement *p, const struct tag_array *tags, uint64_t line,
                         uint64_t cycle) {
    p->cycle = cycle;
    p->in = (struct insertion_in){.held = mask_of_ways(tags)}; /* no request needs a victim */
    p->block.comb(p->block.self, &p->in, &p->out);
    read_set_of_line(p, tags, line);
    step_replacement_block(p);
}

void l2_replacement_look(struct l2_replacement *p, const struct tag_array *tags,
                         const struct request *r, uint64_t line, uint64_t cycle) {
    p->cycle = cycle;
    assert(p->set == tag_set_of(tags, line));
    p->line = line;
    p->way = tag_find(tags, p->set, line);
    show_set_to_block(p, tags);
    p->victim = p->out.victim_valid ? (int)p->out.victim : TAG_NO_WAY;
    p->in.line_class = r->l2_class;
}

static bool has_line(const struct l2_replacement *p, const struct tag_array *tags, int way) {
    const struct tag_set *s = &tags->set[p->set];
    return ((s->valid | s->reserved) & tag_bit(way)) && tag_line(tags, p->set, way) == p->line;
}

void l2_replacement_accessed(struct l2_replacement *p, const struct tag_array *tags, bool taken,
                             bool more, uint64_t next) {
    if (taken) {
        p->in.touch = p->way != TAG_NO_WAY;
        p->in.insert = !p->in.touch && p->victim != TAG_NO_WAY && has_line(p, tags, p->victim);
        p->in.way = (uint8_t)(p->in.touch ? p->way : p->in.insert ? p->victim : 0);
        p->ready = false;
        if (more) {
            read_set_of_line(p, tags, next);
        }
    }
    step_replacement_block(p);
}

bool l2_bank_take_policy(struct l2_bank *b, const struct l2_replacement_kind *kind,
                         const struct build *build) {
    const struct l2_replacement_view view = {.config = b->config,
                                             .partition = b->partition,
                                             .bank = b->number,
                                             .sets = b->tags.sets,
                                             .ways = b->tags.ways};
    b->replacer = l2_replacer_create(kind, &view, build);
    b->plain = false;
    return b->replacer;
}

/* A perfect L2 evicts nothing. */
bool l2_bank_make_blocks(struct l2_bank *b, const struct build *build) {
    char where[24];
    b->plain = !b->has_high && !b->filters;
    if (b->config->l2.insertion != L2_INSERTION_WARP_TYPE || b->config->l2.perfect) {
        return true;
    }
    snprintf(where, sizeof where, "p%ub%u", b->partition, b->number);
    b->replacement = make_replacement(b->config, where, build);
    b->plain = false;
    return b->replacement;
}
