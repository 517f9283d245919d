/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/sample_stimulus.h"

#include <stdlib.h>

#include "cosim/sample.h"

static const char *const points[] = {"added", "taken", "carry", NULL};

static void sample_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct sample_in *in = input;
    (void)self;
    in->rst = rng_chance(now->rng, 1, 200);
    in->add_valid = rng_chance(now->rng, 1, 2);
    for (unsigned i = 0; i < SAMPLE_LANES_MAX; i++) {
        in->add_lane[i] = (uint16_t)rng_next(now->rng);
    }
    for (unsigned i = 0; i < SAMPLE_WORD_WORDS; i++) {
        in->add_word[i] = rng_next(now->rng);
    }
}

static void sample_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                               void *input) {
    const struct sample_out *out = output;
    (void)self;
    ((struct sample_in *)input)->sum_ready = out->sum_valid && rng_chance(now->rng, 1, 4);
}

static void sample_count_points(void *self, const struct lockstep_now *now, const void *input,
                                const void *output, uint64_t *counts) {
    const struct sample_in *in = input;
    const struct sample_out *out = output;
    (void)self;
    (void)now;
    counts[SAMPLE_ADDED] += in->add_valid;
    counts[SAMPLE_TAKEN] += out->sum_valid && in->sum_ready;
    counts[SAMPLE_CARRY] += out->any_carry;
}

const struct stimulus sample_stimulus = {
    .points = points,
    .early = sample_early_inputs,
    .late = sample_late_inputs,
    .cover = sample_count_points,
};

const struct rtl_block *sample_rtl(const char *set) {
    const struct rtl_block *rtl = rtl_block_find("cosim/sample", set);
    if (!rtl) {
        fprintf(stderr, "the sample block has no set %s\n", set);
        abort();
    }
    return rtl;
}

char *text_of_file(FILE *file) {
    long size = ftell(file);
    char *text = calloc(1, (size_t)size + 1);
    rewind(file);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        abort();
    }
    fclose(file);
    return text;
}
