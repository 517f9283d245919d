/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct param_set *block_set_matching(const struct block *block, const void *params) {
    size_t size = block->param_count * sizeof(unsigned);
    for (unsigned i = 0; i < block->set_count; i++) {
        if (memcmp(block->sets[i].values, params, size) == 0) {
            return &block->sets[i];
        }
    }
    return NULL;
}

const struct param_desc *block_params_error(const struct block *block, const void *params) {
    for (unsigned i = 0; i < block->param_count; i++) {
        unsigned value = block_param_value(params, i);
        bool in_range = value >= block->params[i].min && value <= block->params[i].max;
        if (!in_range && !(block->takes_in_c && block->takes_in_c(i, value))) {
            return &block->params[i];
        }
    }
    return NULL;
}

const char *block_params_text(const struct block *block, const void *params, char *text,
                              size_t size) {
    size_t used = 0;
    if (size) {
        text[0] = '\0';
    }
    for (unsigned i = 0; i < block->param_count && used < size; i++) {
        if (i >= block_verilog_params(block) && !block_param_value(params, i)) {
            continue;
        }
        int n = snprintf(text + used, size - used, "%s%s=%u", i ? " " : "", block->params[i].name,
                         block_param_value(params, i));
        used += n > 0 ? (size_t)n : 0;
    }
    return text;
}

/* The C block as an instance, which is its state. comb, step and quiet are the block's own
 * functions without a wrapper, because a core calls them in most cycles. */
struct c_instance {
    const struct block *block;
    _Alignas(max_align_t) unsigned char state[];
};

static struct c_instance *instance_of(void *self) {
    return (struct c_instance *)((unsigned char *)self - offsetof(struct c_instance, state));
}

static void c_destroy(void *self) {
    struct c_instance *c = instance_of(self);
    c->block->destroy(self);
    free(c);
}

bool block_make_in_c(const struct build *build, const struct block *block, const void *params,
                     struct block_instance *instance) {
    struct c_instance *c = calloc(1, sizeof *c + block->state_size);
    if (!c || !block->init(c->state, params)) {
        free(c);
        return build_refused(build, "%s: out of memory", block->name);
    }
    c->block = block;
    *instance = (struct block_instance){c->state,  block->comb, block->step,  block->quiet,
                                        c_destroy, block->skip, block->steady};
    return true;
}

bool block_make(const struct build *build, const struct block *block, const void *params,
                const char *where, const uint64_t *cycle, struct block_instance *instance) {
    *instance = (struct block_instance){0};
    const struct param_desc *wrong = block_params_error(block, params);
    if (wrong) {
        return build_refused(build, "%s: %s must be %u to %u (%s)", block->name, wrong->name,
                             wrong->min, wrong->max, wrong->meaning);
    }
    if (!build->factory) {
        return block_make_in_c(build, block, params, instance);
    }
    return build->factory->make(build, block, params, where, cycle, instance);
}

bool block_is_named(const struct build *build, const struct block *block) {
    const struct block_factory *factory = build->factory;
    return factory && factory->names && factory->names(factory, block);
}

bool block_pass(struct block_instance *instance, const void *in, void *out, uint64_t cycles,
                uint64_t *cycle) {
    uint64_t steady = instance->steady ? instance->steady(instance->self, in) : 1;
    cycles = cycles < steady ? cycles : steady;
    if (instance->skip) {
        instance->skip(instance->self, in, cycles);
        *cycle += cycles;
    }
    for (; !instance->skip && cycles; cycles--) {
        if (!instance->step(instance->self, in, out)) {
            return false;
        }
        ++*cycle;
        if (cycles > 1) {
            instance->comb(instance->self, in, out);
        }
    }
    instance->comb(instance->self, in, out);
    return true;
}

void block_unmake(struct block_instance *instance) {
    if (instance->destroy) {
        instance->destroy(instance->self);
    }
    *instance = (struct block_instance){0};
}
