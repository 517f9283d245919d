/* SPDX-License-Identifier: Apache-2.0
 *
 * The expected counts of LonestarGPU sp, from the formula and from plain C's run over it. Warps are
 * counted a CTA at a time, all at the same edge of their lists.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/lonestar/sp_plain.h"
#include "workloads/common/lines.h"

#define WARPS (SP_BLOCK / WARP_SIZE)

struct counter {
    const struct sp *k;
    const struct sp_plain *p;
    struct workload_expectation *e;
    unsigned line_bytes;
    uint8_t *sat;   /* clauses that are satisfied while decimate runs */
    int32_t places; /* given away in the list of update_bias */
};

/* Some threads of a CTA. */
struct lanes {
    uint32_t warp[WARPS];
};

static void count(struct counter *c, const struct lanes *l, unsigned instructions) {
    for (unsigned w = 0; w < WARPS; w++) {
        c->e->warp_instructions += l->warp[w] ? instructions : 0;
        c->e->thread_instructions += instructions * (unsigned)__builtin_popcount(l->warp[w]);
    }
}

/* Lines of the elements @index + @plus of the lanes. */
static uint64_t lines(const struct counter *c, const struct lanes *l, const int32_t *index,
                      int32_t plus, unsigned width) {
    uint64_t all = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        struct line_set set = {.count = 0};
        for (uint32_t m = l->warp[w]; m; m &= m - 1) {
            const unsigned t = w * WARP_SIZE + (unsigned)__builtin_ctz(m);
            line_set_add(&set, (uint64_t)(index[t] + plus), width, c->line_bytes);
        }
        all += set.count;
    }
    return all;
}

/* read(): so many loads of the same elements. */
static void read(struct counter *c, const struct lanes *l, unsigned loads, const int32_t *index,
                 unsigned width) {
    c->e->global_read_accesses += loads * lines(c, l, index, 0, width);
}

static void write(struct counter *c, const struct lanes *l, unsigned stores, const int32_t *index,
                  unsigned width) {
    c->e->global_write_accesses += stores * lines(c, l, index, 0, width);
}

#define WHERE(out, in, t, condition) \
    for (unsigned t = ((out) = (struct lanes){{0}}, 0); t < SP_BLOCK; t++) \
        if ((in).warp[t / WARP_SIZE] >> t % WARP_SIZE & 1) \
    (out).warp[t / WARP_SIZE] |= (uint32_t) !!(condition) << t % WARP_SIZE

static bool any(const struct lanes *l) {
    uint32_t all = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        all |= l->warp[w];
    }
    return all != 0;
}

static struct lanes everybody(void) {
    struct lanes l;
    memset(&l, 0xff, sizeof l);
    return l;
}

/* --- An edge of each lane's list. --- */

/* @e: the edges; @a: each lane's own clause in calc_pi, else -1; @own: its own edge, NULL: none. */
static void hear_edge(struct counter *c, const struct lanes *in, const int32_t *e, const int32_t *a,
                      const int32_t *own) {
    struct lanes counts;
    int32_t b[SP_BLOCK];
    for (unsigned t = 0; t < SP_BLOCK; t++) {
        b[t] = e[t] / SP_LITERALS;
    }
    count(c, in, own ? 6 : 5);
    read(c, in, 1, e, 4);
    read(c, in, 1, b, 1);
    WHERE(counts, *in, t, !c->p->clause_sat[b[t]] && b[t] != a[t]);
    count(c, &counts, own ? 11 : 10);
    read(c, &counts, 2, e, 4);
    read(c, &counts, 1, e, 1);
    if (own) {
        read(c, &counts, 1, own, 1);
    }
}

/* @i: each lane's own variable. */
static void warn_edge(struct counter *c, const struct lanes *in, const int32_t *e,
                      const int32_t *i) {
    const int32_t *variable = c->k->var_of.data;
    struct lanes some, open;
    int32_t j[SP_BLOCK];
    for (unsigned t = 0; t < SP_BLOCK; t++) {
        j[t] = variable[e[t]];
    }
    count(c, in, 3);
    read(c, in, 1, e, 4);
    WHERE(some, *in, t, j[t] != i[t]);
    count(c, &some, 4);
    read(c, &some, 1, j, 1);
    WHERE(open, some, t, !c->p->var_sat[j[t]]);
    count(c, &open, 7);
    read(c, &open, 3, e, 4);
}

/* @v: each lane's own variable, which has its value; what it satisfies is so for the next edge. */
static void fix_edge(struct counter *c, const struct lanes *in, const int32_t *e,
                     const int32_t *v) {
    const uint8_t *bar = c->k->bar.data;
    struct lanes open, is_true;
    int32_t b[SP_BLOCK];
    for (unsigned t = 0; t < SP_BLOCK; t++) {
        b[t] = e[t] / SP_LITERALS;
    }
    count(c, in, 5);
    read(c, in, 1, e, 4);
    read(c, in, 1, b, 1);
    WHERE(open, *in, t, !c->sat[b[t]]);
    count(c, &open, 4);
    read(c, &open, 1, e, 1);
    read(c, &open, 1, v, 1);
    WHERE(is_true, open, t, bar[e[t]] != c->p->value[v[t]]);
    count(c, &is_true, 2);
    write(c, &is_true, 1, b, 1);
    for (unsigned t = 0; t < SP_BLOCK; t++) {
        c->sat[b[t]] |= is_true.warp[t / WARP_SIZE] >> t % WARP_SIZE & 1;
    }
}

/* The lists of the lanes' clauses (in update_eta) or variables @node. @other: of hear_edge(),
 * warn_edge() or fix_edge(). */
static void walk(struct counter *c, struct lanes in, const struct host_launch *launch,
                 const int32_t *node, const int32_t *other, const int32_t *own) {
    const bool clause = launch == &sp_eta;
    const int32_t *row = clause ? c->k->clause_row.data : c->k->var_row.data;
    const int32_t *edge = clause ? c->k->clause_edge.data : c->k->var_edge.data;
    struct lanes left;
    count(c, &in, 6);
    read(c, &in, 2, node, 4);
    c->e->global_read_accesses += lines(c, &in, node, 1, 4);
    for (int32_t i = 0;; i++, in = left) {
        int32_t at[SP_BLOCK] = {0}, e[SP_BLOCK] = {0};
        count(c, &in, 2);
        WHERE(left, in, t, row[node[t]] + i < row[node[t] + 1]);
        if (!any(&left)) {
            return;
        }
        for (unsigned t = 0; t < SP_BLOCK; t++) {
            if (left.warp[t / WARP_SIZE] >> t % WARP_SIZE & 1) {
                at[t] = row[node[t]] + i;
                e[t] = edge[at[t]];
            }
        }
        count(c, &left, 4);
        read(c, &left, 1, at, 4);
        if (launch == &sp_eta) {
            warn_edge(c, &left, e, other);
        } else if (launch == &sp_decimate) {
            fix_edge(c, &left, e, other);
        } else {
            hear_edge(c, &left, e, other, own);
        }
    }
}

/* --- A CTA's elements from @first on, of the lanes @in that have one. --- */

static void pi_or_eta(struct counter *c, const struct lanes *in, int32_t first, bool pi) {
    const int32_t *variable = c->k->var_of.data;
    int32_t e[SP_BLOCK], a[SP_BLOCK] = {0}, j[SP_BLOCK] = {0};
    struct lanes open;
    for (int32_t t = 0; t < SP_BLOCK; t++) {
        e[t] = first + t;
        if (e[t] < c->k->edges) {
            a[t] = e[t] / SP_LITERALS;
            j[t] = variable[e[t]];
        }
    }
    count(c, in, 9 + 1);
    read(c, in, 2, e, 4);
    read(c, in, 1, a, 1);
    read(c, in, 1, j, 1);
    WHERE(open, *in, t, !c->p->clause_sat[a[t]] && !c->p->var_sat[j[t]]);
    if (!any(&open)) {
        return;
    }
    count(c, &open, pi ? 3 + 8 : 1 + 5);
    walk(c, open, pi ? &sp_pi : &sp_eta, pi ? j : a, pi ? a : j, pi ? e : NULL);
    read(c, &open, !pi, e, 4);
    write(c, &open, pi ? 3 : 1, e, 4);
}

static void bias(struct counter *c, const struct lanes *in, int32_t first) {
    int32_t v[SP_BLOCK], none[SP_BLOCK], place[SP_BLOCK] = {0};
    struct lanes open;
    for (int32_t t = 0; t < SP_BLOCK; t++) {
        v[t] = first + t;
        none[t] = -1;
    }
    count(c, in, 4 + 1);
    read(c, in, 1, v, 1);
    WHERE(open, *in, t, !c->p->var_sat[v[t]]);
    for (unsigned t = 0; t < SP_BLOCK; t++) {
        place[t] = c->places;
        c->places += open.warp[t / WARP_SIZE] >> t % WARP_SIZE & 1;
    }
    if (!any(&open)) {
        return;
    }
    count(c, &open, 1 + 3 + 20);
    walk(c, open, &sp_bias, v, none, NULL);
    write(c, &open, 1, v, 4);
    write(c, &open, 1, v, 1);
    read(c, &open, 1, v, 4);
    write(c, &open, 2, place, 4);
}

static void fix(struct counter *c, const struct lanes *in, int32_t first) {
    int32_t at[SP_BLOCK], v[SP_BLOCK] = {0};
    for (int32_t t = 0; t < SP_BLOCK; t++) {
        at[t] = c->p->fix_first + first + t;
        v[t] = first + t < c->p->fix_count ? c->p->list[at[t]] : 0;
    }
    count(c, in, 5 + 1);
    read(c, in, 1, at, 4);
    write(c, in, 1, v, 1);
    walk(c, *in, &sp_decimate, v, v, NULL);
}

/* After a CTA's elements: update_eta's atomic of who has changed an edge, update_bias's sum. */
static void finish(struct counter *c, int32_t cta, const struct host_launch *launch) {
    const struct lanes all = everybody();
    struct lanes some;
    if (launch == &sp_eta) {
        bool changed[SP_BLOCK] = {false};
        for (int32_t e = 0; e < c->k->edges; e++) {
            if (e / SP_BLOCK % SP_CTAS == cta) {
                changed[e % SP_BLOCK] |= c->p->changed[e] != 0;
            }
        }
        count(c, &all, 2);
        WHERE(some, all, t, changed[t]);
        count(c, &some, 2);
    } else if (launch == &sp_bias) {
        count(c, &all, 3 + 9 * 5 + 2);
        for (unsigned apart = 256; apart > 0; apart /= 2) {
            WHERE(some, all, t, t < apart && t + apart < SP_BLOCK);
            count(c, &some, 3);
        }
        WHERE(some, all, t, t == 0);
        count(c, &some, 1);
    }
}

static void count_launch(void *self, const struct sp_plain *p, const struct host_launch *launch) {
    struct counter *c = self;
    const struct sp *k = c->k;
    const int32_t elements = launch == &sp_bias       ? k->variables
                             : launch == &sp_decimate ? p->fix_count
                                                      : k->edges;
    const struct lanes all = everybody();
    c->p = p;
    c->places = 0;
    memcpy(c->sat, p->clause_sat, (size_t)k->clauses);
    for (int32_t cta = 0; cta < SP_CTAS; cta++) {
        struct lanes in = all, inside;
        count(c, &all, launch == &sp_eta || launch == &sp_bias ? 2 : 1);
        for (int32_t first = cta * SP_BLOCK;; first += SP_THREADS, in = inside) {
            count(c, &in, 2);
            WHERE(inside, in, t, first + (int32_t)t < elements);
            if (!any(&inside)) {
                break;
            }
            if (launch == &sp_bias) {
                bias(c, &inside, first);
            } else if (launch == &sp_decimate) {
                fix(c, &inside, first);
            } else {
                pi_or_eta(c, &inside, first, launch == &sp_pi);
            }
        }
        finish(c, cta, launch);
    }
}

void sp_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct sp *k = self;
    struct sp_plain p = {0};
    struct counter c = {.k = k, .e = e, .line_bytes = line_bytes};
    c.sat = malloc((size_t)k->clauses);
    if (!c.sat || !sp_plain_run(k, &p, count_launch, &c)) {
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    free(c.sat);
    sp_plain_free(&p);
}
