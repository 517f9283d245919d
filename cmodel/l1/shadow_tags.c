/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/shadow_tags.h"

#include <string.h>

bool shadow_tags_init(struct shadow_tags *s, const struct shadow_tags_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    return true;
}

void shadow_tags_destroy(struct shadow_tags *s) {
    (void)s;
}

void shadow_tags_comb(const struct shadow_tags *s, const struct shadow_tags_in *in,
                      struct shadow_tags_out *out) {
    (void)in;
    out->hit_valid = s->flight_valid[0];
    out->hit = s->flight_hit[0];
}

/* The line becomes the most recent one of its set. Return: it was there. */
static bool use_line(struct shadow_tags *s, unsigned array, unsigned set, uint32_t tag) {
    uint32_t *stack = s->tag[array][set];
    uint8_t *lines = &s->lines[array][set];
    unsigned at = 0;
    while (at < *lines && stack[at] != tag) {
        at++;
    }
    bool hit = at < *lines;
    if (!hit) {
        *lines += *lines < s->params.WAYS;
        at = *lines - 1u;
    }
    memmove(stack + 1, stack, at * sizeof *stack);
    stack[0] = tag;
    return hit;
}

void shadow_tags_step(struct shadow_tags *s, const struct shadow_tags_in *in,
                      const struct shadow_tags_out *out) {
    (void)out;
    const unsigned last = SHADOW_TAGS_LATENCY - 1;
    if (in->rst) {
        memset(s->lines, 0, sizeof s->lines);
        memset(s->flight_valid, 0, sizeof s->flight_valid);
        memset(s->flight_hit, 0, sizeof s->flight_hit);
        return;
    }
    for (unsigned i = 0; i < last; i++) {
        s->flight_valid[i] = s->flight_valid[i + 1];
        s->flight_hit[i] = s->flight_hit[i + 1];
    }
    unsigned hit = 0;
    if (in->acc_valid) {
        for (unsigned array = in->acc_first; array < s->params.ARRAYS; array++) {
            hit |= (unsigned)use_line(s, array, in->acc_set, in->acc_tag) << array;
        }
    }
    s->flight_valid[last] = in->acc_valid;
    s->flight_hit[last] = (uint8_t)hit;
}

static bool tags_in_flight(const struct shadow_tags *s) {
    return s->flight_valid[0] || s->flight_valid[1] || s->flight_valid[2];
}

static bool is_empty(const struct shadow_tags *s) {
    static const uint8_t none[SHADOW_TAGS_SETS_MAX];
    for (unsigned array = 0; array < s->params.ARRAYS; array++) {
        if (memcmp(s->lines[array], none, s->params.SETS) != 0) {
            return false;
        }
    }
    return true;
}

bool shadow_tags_quiet(const struct shadow_tags *s, const struct shadow_tags_in *in) {
    return in->rst ? !tags_in_flight(s) && is_empty(s) : !in->acc_valid && !tags_in_flight(s);
}
