/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/warp_type.h"

#include <stdlib.h>
#include <string.h>

#include "base/request.h"

/* For each bit of a mask, which becomes 0. */
#define FOR_EACH_BIT(bit, mask) \
    for (unsigned bit; (mask) && (bit = (unsigned)__builtin_ctzll(mask), true); (mask) &= (mask)-1)

enum { BOUNDARY_KEPT = 2, BOUNDARY_FOLLOWS }; /* of MOVES */

static uint64_t port_bit(unsigned port) {
    return UINT64_C(1) << port;
}

static void forget_boundary(struct warp_type *s) {
    s->boundary = (uint8_t)s->params.MISS_20THS;
    memset(s->fresh, 0, sizeof s->fresh);
    memset(s->older, 0, sizeof s->older);
    s->requests = s->misses = 0;
    s->least = UINT32_MAX;
    s->has_ended = s->has_excess = false;
    s->tally = s->tally_misses = s->divides = 0;
}

/* The counters are emptied at once: none is read before its turn in the sweep. */
static void forget_warps(struct warp_type *s) {
    memset(s->entry, 0, s->params.WARPS * sizeof *s->entry);
    memset(s->type, 0, s->params.WARPS * sizeof *s->type);
    s->sweep = s->words;
    s->look_known = s->waiting = s->full = s->offered = 0;
    memset(s->look_class, L2_CLASS_BALANCED, sizeof s->look_class);
    memset(s->count, 0, sizeof s->count);
    memset(s->first, 0, sizeof s->first);
    memset(s->flying, 0, sizeof s->flying);
}

bool warp_type_init(struct warp_type *s, const struct warp_type_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    s->ports = ~UINT64_C(0) >> (64 - params->UPDATES);
    s->top = (uint16_t)(1u << (params->COUNTER_BITS - 1));
    s->words = warp_type_words(params);
    s->entry = calloc(params->WARPS, sizeof *s->entry);
    s->type = calloc(params->WARPS, sizeof *s->type);
    if (!s->entry || !s->type) {
        warp_type_destroy(s);
        return false;
    }
    forget_warps(s);
    forget_boundary(s);
    return true;
}

void warp_type_destroy(struct warp_type *s) {
    free(s->entry);
    free(s->type);
    memset(s, 0, sizeof *s);
}

void warp_type_comb(const struct warp_type *s, const struct warp_type_in *in,
                    struct warp_type_out *out) {
    (void)in;
    out->upd_ready = s->ports & ~s->full;
    out->look_known = s->look_known;
    out->boundary = s->boundary;
    memcpy(out->look_class, s->look_class, sizeof s->look_class);
}

static unsigned class_of_flight(const struct warp_type *s, const struct warp_type_flight *f) {
    unsigned hits = 20u * f->hits, accesses = f->accesses;
    return f->hits == f->accesses                   ? L2_CLASS_ALL_HIT
           : hits >= s->params.HIT_20THS * accesses ? L2_CLASS_HIT
           : hits <= s->boundary * accesses         ? L2_CLASS_MISS
                                                    : L2_CLASS_BALANCED;
}

/* The counters with one more access. */
static void count_access(struct warp_type *s, struct warp_type_flight *f) {
    struct warp_type_entry *e = &s->entry[f->warp];
    bool knew = e->known;
    if (e->generation != f->generation) {
        *e = (struct warp_type_entry){.generation = f->generation};
    }
    e->accesses++;
    e->hits += f->hit;
    bool reaches = !e->known && e->accesses == s->params.PROFILE;
    if (e->accesses == s->top) {
        e->accesses >>= 1;
        e->hits >>= 1;
    }
    f->writes = reaches || (s->params.FOLLOW && e->known) || (knew && !e->known);
    e->known |= reaches;
    f->known = e->known;
    f->hits = e->hits;
    f->accesses = e->accesses;
}

/* All updates that have left their queues, one stage further. */
static void move_flights(struct warp_type *s) {
    unsigned place = s->turn;
    for (unsigned stage = 1; stage <= WARP_TYPE_STAGES; stage++, place--) {
        place %= WARP_TYPE_STAGES;
        unsigned lanes = s->flying[place];
        FOR_EACH_BIT(lane, lanes) {
            struct warp_type_flight *f = &s->flight[place][lane];
            if (stage == 2) {
                count_access(s, f);
            } else if (stage == 3) {
                f->l2_class = (uint8_t)class_of_flight(s, f);
            } else if (stage == 4 && f->writes) {
                s->type[f->warp] = (struct warp_type_type){f->l2_class, f->generation, f->known};
            }
        }
    }
    s->turn = (s->turn + 1) % WARP_TYPE_STAGES;
    s->flying[s->turn] = 0;
}

static void look_up_types(struct warp_type *s, const struct warp_type_in *in) {
    uint64_t last = s->look_known, ports = in->look_valid;
    FOR_EACH_BIT(old, last) {
        s->look_class[old] = L2_CLASS_BALANCED;
    }
    s->look_known = 0;
    FOR_EACH_BIT(port, ports) {
        const struct warp_type_type *t = &s->type[in->look_warp[port]];
        bool same = !s->params.GENERATION_BITS || t->generation == in->look_generation[port];
        if (t->known && same) {
            s->look_known |= port_bit(port);
            s->look_class[port] = t->l2_class;
        }
    }
}

/* A lane takes the oldest update of a port. */
static void take_update(struct warp_type *s, unsigned lane, unsigned port) {
    const struct warp_type_update *u = &s->queue[port][s->head[port]];
    struct warp_type_flight *f = &s->flight[s->turn][lane];
    f->warp = u->warp;
    f->generation = u->generation;
    f->hit = u->hit;
    s->flying[s->turn] |= (uint8_t)(1u << lane);
    s->first[lane] = port + 1 == s->params.UPDATES ? 0 : (uint8_t)(port + 1);
    s->head[port] = s->head[port] + 1u == s->params.QUEUE ? 0 : s->head[port] + 1;
    s->full &= ~port_bit(port);
    if (--s->count[port] == 0) {
        s->waiting &= ~port_bit(port);
    }
}

/* Each lane takes one of the updates that are offered. */
static void grant_lanes(struct warp_type *s) {
    uint64_t asks[WARP_TYPE_LANES_MAX] = {0}, offered = s->offered;
    unsigned lanes = 0;
    FOR_EACH_BIT(port, offered) {
        unsigned lane = s->queue[port][s->head[port]].warp & (s->params.LANES - 1);
        asks[lane] |= port_bit(port);
        lanes |= 1u << lane;
    }
    FOR_EACH_BIT(lane, lanes) {
        uint64_t ahead = asks[lane] >> s->first[lane] << s->first[lane];
        take_update(s, lane, (unsigned)__builtin_ctzll(ahead ? ahead : asks[lane]));
    }
}

static void enter_updates(struct warp_type *s, const struct warp_type_in *in, uint64_t ports) {
    s->waiting |= ports;
    FOR_EACH_BIT(port, ports) {
        unsigned slot = s->head[port] + s->count[port];
        slot = slot < s->params.QUEUE ? slot : slot - s->params.QUEUE;
        struct warp_type_update *u = &s->queue[port][slot];
        u->warp = in->upd_warp[port];
        u->generation = s->params.GENERATION_BITS ? in->upd_generation[port] : 0;
        u->hit = in->upd_hit >> port & 1;
        if (++s->count[port] == s->params.QUEUE) {
            s->full |= port_bit(port);
        }
    }
}

/* Mostly few of many ports, and then this is faster than the library's popcount. */
static unsigned count_ones(uint64_t ports) {
    unsigned count = 0;
    for (; ports; ports &= ports - 1) {
        count++;
    }
    return count;
}

static void tally_window(struct warp_type *s) {
    s->tally++;
    s->tally_misses += s->ended;
    if (s->tally >> WARP_TYPE_TALLY_BITS) {
        s->tally >>= 1;
        s->tally_misses >>= 1;
    }
}

/* A period ends. */
static void begin_mean(struct warp_type *s) {
    if (s->tally) {
        s->mean = s->tally_misses / s->tally;
        s->divides = warp_type_mean_cycles(&s->params);
    }
    s->tally = s->tally_misses = 0;
}

/* Requests and misses on their way to the boundary; the last stage first. */
static void move_boundary(struct warp_type *s, const struct warp_type_in *in) {
    unsigned most = s->params.MISS_20THS;
    if (s->has_excess) {
        uint64_t steps = (uint64_t)20 * s->excess >> s->params.WINDOW;
        s->boundary = steps < most ? (uint8_t)(most - steps) : 0;
    }
    s->has_excess = s->has_ended;
    if (s->has_ended) {
        s->excess = s->ended > s->least ? s->ended - s->least : 0;
        if (s->params.MOVES == BOUNDARY_FOLLOWS) {
            tally_window(s);
        } else {
            s->least = s->ended < s->least ? s->ended : s->least;
        }
    }
    if (s->divides && --s->divides == 0) {
        s->least = s->mean;
    }
    s->requests += s->older[0];
    s->misses += s->older[1];
    s->has_ended = s->requests >> s->params.WINDOW;
    if (s->has_ended) {
        s->ended = s->misses;
        s->misses = 0;
        s->requests &= (1u << s->params.WINDOW) - 1;
    }
    memcpy(s->older, s->fresh, sizeof s->older);
    unsigned bypasses = count_ones(in->bypassed);
    s->fresh[0] = (uint16_t)(bypasses + count_ones(in->upd_valid));
    s->fresh[1] = (uint16_t)(bypasses + count_ones(in->upd_valid & ~in->upd_hit));
}

/* Is a request or a miss on its way to the boundary? */
static bool boundary_at_work(const struct warp_type *s) {
    return s->fresh[0] || s->older[0] || s->has_ended || s->has_excess || s->divides;
}

static bool any_update_flies(const struct warp_type *s) {
    uint32_t all;
    _Static_assert(sizeof all == sizeof s->flying, "one load");
    memcpy(&all, s->flying, sizeof all);
    return all != 0;
}

/* The edge of a cycle that neither resets nor clears, for all but the boundary. */
static void step_warps(struct warp_type *s, const struct warp_type_in *in,
                       const struct warp_type_out *out) {
    if (any_update_flies(s)) {
        move_flights(s);
    }
    if (s->look_known | in->look_valid) {
        look_up_types(s, in);
    }
    if (s->sweep) {
        s->sweep--;
    } else if (s->offered) {
        grant_lanes(s);
    }
    s->offered = s->waiting;
    if (in->upd_valid) {
        enter_updates(s, in, in->upd_valid & out->upd_ready);
    }
}

void warp_type_step(struct warp_type *s, const struct warp_type_in *in,
                    const struct warp_type_out *out) {
    if (in->rst || in->clear) {
        forget_warps(s);
        if (in->rst || s->params.MOVES < BOUNDARY_KEPT) {
            forget_boundary(s);
            return;
        }
    } else {
        step_warps(s, in, out);
    }
    if (s->params.MOVES && ((in->upd_valid | in->bypassed) || boundary_at_work(s))) {
        move_boundary(s, in);
    }
    if (in->clear && s->params.MOVES == BOUNDARY_FOLLOWS) {
        begin_mean(s);
    }
}

bool warp_type_quiet(const struct warp_type *s, const struct warp_type_in *in) {
    return !in->rst && !in->clear && !in->upd_valid && !in->look_valid && !in->bypassed &&
           !s->waiting && !s->offered && !s->look_known && !s->sweep && !any_update_flies(s) &&
           !boundary_at_work(s);
}
