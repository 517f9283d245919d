/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/sp_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_bias(const void *a, const void *b) {
    const struct sp_candidate *x = a, *y = b;
    int32_t i, j; /* of floats that are not negative, in the same order; NaN has a place too */
    memcpy(&i, &x->bias, sizeof i);
    memcpy(&j, &y->bias, sizeof j);
    return i != j ? (i > j) - (i < j) : (x->variable > y->variable) - (x->variable < y->variable);
}

void sp_sort(struct sp_candidate *list, int32_t length) {
    qsort(list, (size_t)length, sizeof *list, by_bias);
}

static bool allocate(const struct sp *k, struct sp_plain *p) {
    const size_t edges = (size_t)k->edges, variables = (size_t)k->variables;
    *p = (struct sp_plain){
        .eta = calloc(edges, sizeof(float)),
        .pi_0 = calloc(edges, sizeof(float)),
        .pi_s = calloc(edges, sizeof(float)),
        .pi_u = calloc(edges, sizeof(float)),
        .bias = calloc(variables, sizeof(float)),
        .value = calloc(variables, 1),
        .var_sat = calloc(variables, 1),
        .clause_sat = calloc((size_t)k->clauses, 1),
        .changed = calloc(edges, 1),
        .list = calloc(variables, sizeof(int32_t)),
    };
    return p->eta && p->pi_0 && p->pi_s && p->pi_u && p->bias && p->value && p->var_sat &&
           p->clause_sat && p->changed && p->list;
}

void sp_plain_free(struct sp_plain *p) {
    free(p->eta);
    free(p->pi_0);
    free(p->pi_s);
    free(p->pi_u);
    free(p->bias);
    free(p->value);
    free(p->var_sat);
    free(p->clause_sat);
    free(p->changed);
    free(p->list);
}

/* The messages to variable @v from its clauses but @but: the products of 1 - eta over those in
 * which it is negated, over the others, over all. */
static void hear(const struct sp *k, const struct sp_plain *p, int32_t v, int32_t but,
                 float product[3]) {
    const int32_t *row = k->var_row.data, *edge = k->var_edge.data, *clause = k->clause_of.data;
    const uint8_t *bar = k->bar.data;
    product[0] = product[1] = product[2] = 1;
    for (int32_t at = row[v]; at < row[v + 1]; at++) {
        const int32_t e = edge[at], b = clause[e];
        if (!p->clause_sat[b] && b != but) {
            product[bar[e]] *= 1 - p->eta[e];
            product[2] *= 1 - p->eta[e];
        }
    }
}

static bool is_open(const struct sp *k, const struct sp_plain *p, int32_t e) {
    const int32_t *clause = k->clause_of.data, *variable = k->var_of.data;
    return !p->clause_sat[clause[e]] && !p->var_sat[variable[e]];
}

static void all_pi(const struct sp *k, struct sp_plain *p) {
    const int32_t *clause = k->clause_of.data, *variable = k->var_of.data;
    const uint8_t *bar = k->bar.data;
    for (int32_t e = 0; e < k->edges; e++) {
        if (is_open(k, p, e)) {
            float product[3];
            hear(k, p, variable[e], clause[e], product);
            const float same = product[bar[e]], opposite = product[!bar[e]];
            p->pi_0[e] = product[2];
            p->pi_s[e] = (1 - same) * opposite;
            p->pi_u[e] = (1 - opposite) * same;
        }
    }
}

/* Edges 3 a, 3 a + 1, 3 a + 2 are clause a's. */
static void all_eta(const struct sp *k, struct sp_plain *p) {
    const int32_t *variable = k->var_of.data;
    p->max_eps = 0;
    for (int32_t e = 0; e < k->edges; e++) {
        p->changed[e] = 0;
        if (is_open(k, p, e)) {
            float eta = 1;
            for (int32_t o = e / SP_LITERALS * SP_LITERALS; o <= e || o % SP_LITERALS; o++) {
                if (variable[o] != variable[e] && !p->var_sat[variable[o]]) {
                    eta *= p->pi_u[o] / (p->pi_0[o] + p->pi_s[o] + p->pi_u[o]);
                }
            }
            const float difference = fabsf(eta - p->eta[e]);
            p->max_eps = difference > p->max_eps ? difference : p->max_eps;
            p->changed[e] = difference > 0;
            p->eta[e] = eta;
        }
    }
}

/* CTA after CTA, and in each the sums of its threads in pairs 256, 128, ... 1 apart: floats are
 * added in the order in which the kernels add them. */
static float add_up(const struct sp *k, const struct sp_plain *p) {
    float sum = 0;
    for (int32_t cta = 0; cta < SP_CTAS; cta++) {
        float thread[SP_BLOCK] = {0};
        for (int32_t v = 0; v < k->variables; v++) {
            if (v / SP_BLOCK % SP_CTAS == cta && !p->var_sat[v]) {
                thread[v % SP_BLOCK] += p->bias[v];
            }
        }
        for (int32_t apart = 256; apart > 0; apart /= 2) {
            for (int32_t t = 0; t < apart && t + apart < SP_BLOCK; t++) {
                thread[t] += thread[t + apart];
            }
        }
        sum += thread[0];
    }
    return sum;
}

static void all_bias(const struct sp *k, struct sp_plain *p) {
    p->length = 0;
    for (int32_t v = 0; v < k->variables; v++) {
        if (!p->var_sat[v]) {
            float product[3];
            hear(k, p, v, -1, product);
            const float plus = (1 - product[0]) * product[1], minus = (1 - product[1]) * product[0];
            const float total = plus + minus + product[2];
            p->bias[v] = fabsf(plus / total - minus / total);
            p->value[v] = plus / total > minus / total;
            p->list[p->length++] = v;
        }
    }
    p->sum = add_up(k, p);
}

static bool sort(const struct sp *k, struct sp_plain *p) {
    struct sp_candidate *list = calloc((size_t)k->variables, sizeof *list);
    if (!list) {
        return false;
    }
    for (int32_t i = 0; i < p->length; i++) {
        list[i] = (struct sp_candidate){p->bias[p->list[i]], p->list[i]};
    }
    sp_sort(list, p->length);
    for (int32_t i = 0; i < p->length; i++) {
        p->list[i] = list[i].variable;
    }
    free(list);
    p->fix_count = sp_share(p->length);
    p->fix_first = p->length - p->fix_count;
    return true;
}

static void fix(const struct sp *k, struct sp_plain *p) {
    const int32_t *variable = k->var_of.data;
    const uint8_t *bar = k->bar.data;
    for (int32_t i = p->fix_first; i < p->length; i++) {
        p->var_sat[p->list[i]] = 1;
        for (int32_t e = 0; e < k->edges; e++) {
            if (variable[e] == p->list[i] && bar[e] != p->value[p->list[i]]) {
                p->clause_sat[e / SP_LITERALS] = 1;
            }
        }
    }
}

static void nobody(void *self, const struct sp_plain *p, const struct host_launch *launch) {
    (void)self;
    (void)p;
    (void)launch;
}

bool sp_plain_run(const struct sp *k, struct sp_plain *p, sp_seen *seen, void *self) {
    if (!allocate(k, p)) {
        return false;
    }
    seen = seen ? seen : nobody;
    memcpy(p->eta, k->first_eta, (size_t)k->edges * sizeof *p->eta);
    for (unsigned round = 0; round < k->rounds_max; round++) {
        unsigned pairs = 0;
        do {
            all_pi(k, p);
            seen(self, p, &sp_pi);
            all_eta(k, p);
            seen(self, p, &sp_eta);
        } while (p->max_eps > SP_EPSILON && ++pairs < sp_pairs_max(k, round));
        all_bias(k, p);
        seen(self, p, &sp_bias);
        if (p->sum / (float)p->length < SP_PARAMAGNETIC) {
            break;
        }
        if (!sort(k, p)) {
            return false;
        }
        seen(self, p, &sp_decimate);
        fix(k, p);
    }
    return true;
}
