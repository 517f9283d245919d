/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/cta_groups.h"

#include <string.h>

static void reset_cta_groups(struct cta_groups *s) {
    const struct cta_groups_params p = s->p;
    *s = (struct cta_groups){.p = p, .groups = 1};
}

bool cta_groups_init(struct cta_groups *s, const struct cta_groups_params *p) {
    s->p = *p;
    reset_cta_groups(s);
    return true;
}

void cta_groups_destroy(struct cta_groups *s) {
    (void)s;
}

void cta_groups_comb(const struct cta_groups *s, const struct cta_groups_in *in,
                     struct cta_groups_out *out) {
    *out =
        (struct cta_groups_out){.formed = s->phase == CTA_GROUPS_FORMED,
                                .start_ready = s->phase == CTA_GROUPS_FORMED && !in->launch_valid &&
                                               s->start != CTA_GROUPS_START_TAKEN,
                                .groups = (uint8_t)s->groups};
    for (unsigned i = 0; i < s->p.CTAS; i++) {
        out->group_warps[i] = s->group[i].warps;
    }
    if (!out->formed) {
        out->group_warps[0] = ~UINT64_C(0) >> (64 - s->p.WARPS);
    }
}

/* --- a launch --- */

static void begin_launch(struct cta_groups *s, const struct cta_groups_in *in) {
    const struct cta_groups_params p = s->p;
    *s = (struct cta_groups){.p = p,
                             .phase = CTA_GROUPS_SIZE,
                             .cta_warps = in->launch_warps,
                             .ctas = in->launch_ctas ? in->launch_ctas : 1,
                             .core = in->core};
}

/* The next generation has so many CTAs. Its first group has rank (0 - core) mod groups with blp,
 * whose phase leaves core mod groups in rest, else 0. */
static void begin_generation(struct cta_groups *s, unsigned ctas) {
    s->generation_ctas = ctas;
    s->begun = s->index = s->inside = 0;
    s->rank = s->rest ? s->groups - s->rest : 0;
}

/* A CTA has its number; computes the next one's. Slots beyond the first CTAs belong to the last
 * group. */
static void count_numbered_cta(struct cta_groups *s) {
    s->begins = s->p.LIFE != CTA_GROUPS_SLOT && ++s->begun == s->generation_ctas;
    if (s->begins) {
        begin_generation(s, s->p.LIFE == CTA_GROUPS_LAST ? s->size : s->ctas); /* last: a group */
    } else if (++s->inside == s->size && s->index + 1 < s->groups) {
        s->index++;
        s->inside = 0;
        s->rank = s->rank + 1 == s->groups ? 0 : s->rank + 1;
    }
}

static void begin_forming_phase(struct cta_groups *s, enum cta_groups_phase phase) {
    s->phase = phase;
    s->step = 0;
}

/* A cycle of a launch's computation. */
static void form_groups(struct cta_groups *s) {
    switch (s->phase) {
    case CTA_GROUPS_SIZE:
        s->size++;
        s->warps += s->cta_warps;
        if (s->warps >= s->p.MIN_WARPS || s->size == s->ctas) {
            s->rest = s->ctas;
            begin_forming_phase(s, CTA_GROUPS_DIVIDE);
        }
        break;
    case CTA_GROUPS_DIVIDE:
        if (s->rest >= s->size) {
            s->rest -= s->size;
            s->groups++;
        } else {
            s->rest = 0;
            begin_forming_phase(s, s->p.PRIORITY == CTA_GROUPS_BLP ? CTA_GROUPS_TURN
                                                                   : CTA_GROUPS_NUMBER);
        }
        break;
    case CTA_GROUPS_TURN:
        s->rest = 2 * s->rest + (s->core >> (CTA_GROUPS_CORE_BITS - 1 - s->step) & 1);
        s->rest -= s->rest >= s->groups ? s->groups : 0;
        if (++s->step == CTA_GROUPS_CORE_BITS) {
            begin_forming_phase(s, CTA_GROUPS_NUMBER);
        }
        break;
    case CTA_GROUPS_NUMBER:
        begin_generation(s, s->ctas);
        begin_forming_phase(s, s->p.LIFE == CTA_GROUPS_SLOT ? CTA_GROUPS_TABLE : CTA_GROUPS_FORMED);
        break;
    case CTA_GROUPS_TABLE:
        s->rank_of_slot[s->step] = (uint8_t)s->rank;
        count_numbered_cta(s);
        if (++s->step == s->p.CTAS) {
            begin_forming_phase(s, CTA_GROUPS_FORMED);
        }
        break;
    case CTA_GROUPS_FORMED: break;
    }
}

/* --- starts and ends --- */

/* Does a group come before another one of the newest generation, with this rank? */
static bool comes_before(const struct cta_group *g, unsigned rank) {
    return g->warps && !(g->newest && g->rank > rank);
}

/* The place of the started CTA's group, and the empty place up to which others make room for it. */
static void find_place(struct cta_groups *s) {
    const unsigned ctas = s->p.CTAS;
    unsigned at = 0, empty = 0;
    for (unsigned i = 0; s->start_begins && i < ctas; i++) {
        s->group[i].newest = false;
    }
    while (at < ctas &&
           !(s->group[at].warps && s->group[at].newest && s->group[at].rank == s->start_rank)) {
        at++;
    }
    while (empty < ctas - 1 && s->group[empty].warps) {
        empty++;
    }
    s->empty = empty;
    s->joins = at < ctas;
    if (!s->joins && s->p.PRIORITY == CTA_GROUPS_RR) {
        at = empty;
    } else if (!s->joins) {
        while (at && !comes_before(&s->group[at - 1], s->start_rank)) {
            at--;
        }
    }
    s->at = at;
}

/* The started CTA goes into its place. */
static void put_into_place(struct cta_groups *s) {
    struct cta_group *to = &s->group[s->at], *empty = &s->group[s->empty];
    if (!s->joins) {
        if (empty >= to) {
            memmove(to + 1, to, (size_t)(empty - to) * sizeof *to);
        } else {
            to--;
            memmove(empty, empty + 1, (size_t)(to - empty) * sizeof *to);
        }
        *to = (struct cta_group){.rank = (uint8_t)s->start_rank, .newest = true};
    }
    to->warps |= s->start_warps;
}

void cta_groups_step(struct cta_groups *s, const struct cta_groups_in *in,
                     const struct cta_groups_out *out) {
    if (in->rst) {
        reset_cta_groups(s);
        return;
    }
    if (in->launch_valid) {
        begin_launch(s, in);
        return;
    }
    const uint64_t ended = s->end_warps;
    if (s->start == CTA_GROUPS_START_PLACED) {
        put_into_place(s);
        s->start = CTA_GROUPS_NO_START;
    } else if (s->start == CTA_GROUPS_START_TAKEN) {
        find_place(s);
        s->start = CTA_GROUPS_START_PLACED;
    }
    for (unsigned i = 0; i < s->p.CTAS; i++) {
        s->group[i].warps &= ~ended;
    }
    s->end_warps = in->end_warps;
    if (in->start_valid && out->start_ready) {
        s->start = CTA_GROUPS_START_TAKEN;
        s->start_warps = in->start_warps;
        s->start_begins = s->begins;
        if (s->p.LIFE == CTA_GROUPS_SLOT) {
            s->start_rank = s->rank_of_slot[in->start_slot];
        } else {
            s->start_rank = s->rank;
            count_numbered_cta(s);
        }
    }
    form_groups(s);
}

bool cta_groups_quiet(const struct cta_groups *s, const struct cta_groups_in *in) {
    return s->phase == CTA_GROUPS_FORMED && !in->rst && !in->launch_valid && !in->start_valid &&
           !in->end_warps && s->start == CTA_GROUPS_NO_START && !s->end_warps;
}
