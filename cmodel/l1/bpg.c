/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/bpg.h"

#include <string.h>

#define WEIGHT_BITS 9 /* a weight is in 512ths */
#define E_BITS 6      /* E is in 64ths */

static struct shadow_tags_params tag_params(const struct bpg_params *p) {
    return (struct shadow_tags_params){.ARRAYS = p->CALCULATORS,
                                       .SETS = 1u << (p->SET_BITS - BPG_SAMPLED_BITS),
                                       .WAYS = p->WAYS,
                                       .TAG_BITS = p->TAG_BITS};
}

static void reset_bpg(struct bpg *s) {
    struct bpg_params params = s->params;
    struct shadow_tags_params tags = tag_params(&params);
    memset(s, 0, sizeof *s);
    s->params = params;
    s->limit = (uint8_t)params.CALCULATORS;
    shadow_tags_init(&s->tags, &tags);
}

bool bpg_init(struct bpg *s, const struct bpg_params *params) {
    s->params = *params;
    reset_bpg(s);
    return true;
}

void bpg_destroy(struct bpg *s) {
    shadow_tags_destroy(&s->tags);
}

void bpg_comb(const struct bpg *s, const struct bpg_in *in, struct bpg_out *out) {
    (void)in;
    out->first = !s->accesses;
    out->limit = s->limit;
    out->limit_new = s->limit_new;
}

unsigned bpg_weight(unsigned part, unsigned whole) {
    unsigned cube = whole * whole * whole;
    return ((part * part * part << WEIGHT_BITS) + cube / 2) / cube;
}

static unsigned capped_at(unsigned value, unsigned bound) {
    return value < bound ? value : bound;
}

/* The limit after an interval, whose failures are s->base_fails, from the hits until now. */
static unsigned best_limit(const struct bpg *s) {
    const struct bpg_params *p = &s->params;
    unsigned among = s->base_resident, best = 0;
    unsigned whole = p->RESCALE ? capped_at(s->limit, among) : among;
    int64_t best_value = 0;
    for (unsigned l = 1; l <= p->CALCULATORS; l++) {
        uint64_t weight = (uint64_t)bpg_weight(capped_at(l, among), whole) * p->E_64THS;
        int64_t value = ((int64_t)s->hits[l - 1] << (p->HITS_SHIFT + WEIGHT_BITS + E_BITS)) -
                        (int64_t)(s->base_fails * weight);
        if (!best || value >= best_value) {
            best = l;
            best_value = value;
        }
    }
    return best >= among ? p->CALCULATORS : best;
}

/* The hits of the access of three cycles ago, and the end of its interval. */
static void count_hits(struct bpg *s, const struct shadow_tags_out *tags, bool ends) {
    const uint32_t most = (1u << s->params.HIT_BITS) - 1;
    for (unsigned i = 0; tags->hit_valid && i < s->params.CALCULATORS; i++) {
        s->hits[i] += tags->hit >> i & 1 && s->hits[i] < most;
    }
    if (ends) {
        s->next_limit = (uint8_t)best_limit(s);
        s->left = (uint8_t)(BPG_LATENCY(s->params.CALCULATORS) - SHADOW_TAGS_LATENCY - 1);
        for (unsigned i = 0; i < s->params.CALCULATORS; i++) {
            s->hits[i] >>= 1;
        }
    }
}

/* Return: the access is its interval's last. */
static bool count_bpg_access(struct bpg *s, const struct bpg_in *in) {
    const struct bpg_params *p = &s->params;
    s->fails = capped_at(s->fails + in->fail_count, (1u << p->FAIL_BITS) - 1);
    if (!in->acc_valid) {
        return false;
    }
    if (!s->accesses) {
        s->resident = (uint8_t)capped_at(in->resident ? in->resident : 1, p->CALCULATORS);
    }
    if (++s->accesses < p->INTERVAL) {
        return false;
    }
    s->base_fails = s->fails;
    s->base_resident = s->resident;
    s->accesses = 0;
    s->fails >>= 1;
    return true;
}

static bool is_sampled(const struct bpg *s, const struct bpg_in *in) {
    return in->acc_valid && in->acc_number < s->params.CALCULATORS &&
           !(in->acc_set & ((1u << BPG_SAMPLED_BITS) - 1));
}

static struct shadow_tags_in access_to_tags(const struct bpg *s, const struct bpg_in *in) {
    uint32_t mask = (uint32_t)((UINT64_C(1) << s->params.TAG_BITS) - 1);
    return (struct shadow_tags_in){.acc_valid = true,
                                   .acc_set = (uint8_t)(in->acc_set >> BPG_SAMPLED_BITS),
                                   .acc_tag = (uint32_t)(in->acc_line >> s->params.SET_BITS) & mask,
                                   .acc_first = in->acc_number};
}

void bpg_step(struct bpg *s, const struct bpg_in *in, const struct bpg_out *out) {
    (void)out;
    if (in->rst || in->clear) {
        reset_bpg(s);
        s->limit_new = !in->rst;
        return;
    }
    struct shadow_tags_in tags_in = {0};
    struct shadow_tags_out tags_out;
    if (is_sampled(s, in)) {
        tags_in = access_to_tags(s, in);
    }
    s->limit_new = s->left == 1;
    if (s->left && !--s->left) {
        s->limit = s->next_limit;
    }
    shadow_tags_comb(&s->tags, &tags_in, &tags_out);
    count_hits(s, &tags_out, s->end[0]);
    shadow_tags_step(&s->tags, &tags_in, &tags_out);
    for (unsigned i = 0; i + 1 < SHADOW_TAGS_LATENCY; i++) {
        s->end[i] = s->end[i + 1];
    }
    s->end[SHADOW_TAGS_LATENCY - 1] = count_bpg_access(s, in);
}

bool bpg_quiet(const struct bpg *s, const struct bpg_in *in) {
    static const struct shadow_tags_in none;
    if (in->rst || in->clear || in->acc_valid || s->limit_new || s->left || s->end[0] ||
        s->end[1] || s->end[2]) {
        return false;
    }
    bool counts = in->fail_count && s->fails < (1u << s->params.FAIL_BITS) - 1;
    return !counts && shadow_tags_quiet(&s->tags, &none);
}
