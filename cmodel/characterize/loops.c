/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/loops.h"

#include <stdlib.h>
#include <string.h>

bool loops_init(struct loops *l, unsigned insns) {
    *l = (struct loops){.of = malloc((insns + 1) * sizeof *l->of)};
    for (unsigned i = 0; l->of && i < insns; i++) {
        l->of[i] = -1;
    }
    return l->of;
}

void loops_destroy(struct loops *l) {
    free(l->loop);
    free(l->of);
    *l = (struct loops){0};
}

void loop_walk_begin(struct loop_walk *w) {
    w->depth = w->deeper = 0;
}

void loop_walk_destroy(struct loop_walk *w) {
    for (unsigned i = 0; i < LOOP_DEPTH_MAX; i++) {
        line_map_destroy(&w->open[i].map);
        free(w->open[i].line);
    }
    *w = (struct loop_walk){0};
}

/* Returns the loop that the instruction begins; -1: out of memory. */
static int loop_of(struct loops *l, unsigned insn) {
    int *of = &l->of[insn];
    if (*of < 0) {
        struct loop *more = realloc(l->loop, (l->count + 1) * sizeof *more);
        if (!more) {
            return -1;
        }
        l->loop = more;
        l->loop[l->count] = (struct loop){.insn = insn};
        *of = (int)l->count++;
    }
    return *of;
}

static bool enter_loop(struct loops *l, struct loop_walk *w, const struct warp_op *op,
                       unsigned insn) {
    int loop = loop_of(l, insn);
    if (loop < 0) {
        return false;
    }
    l->loop[loop].entries[__builtin_popcount(op->active)]++;
    if (w->depth == LOOP_DEPTH_MAX) {
        w->deeper++;
        return true;
    }
    struct open_loop *o = &w->open[w->depth++];
    o->loop = loop;
    o->trip = 0;
    line_map_clear(&o->map);
    return true;
}

/* A file may hold markers that no loop wrote, so an end without a begin is ignored. */
bool loops_mark(struct loops *l, struct loop_walk *w, const struct warp_op *op, unsigned insn) {
    if (op->insn->op == OP_LOOP_BEGIN) {
        return enter_loop(l, w, op, insn);
    }
    if (w->deeper) {
        w->deeper -= op->insn->op == OP_LOOP_END;
    } else if (w->depth && op->insn->op == OP_LOOP_ITERATION) {
        struct open_loop *o = &w->open[w->depth - 1];
        o->trip++;
        l->loop[o->loop].trips[__builtin_popcount(op->active)]++;
    } else if (w->depth) {
        w->depth--;
    }
    return true;
}

/* Returns the load's place in the loop; LOOP_LOADS_MAX: none is left. */
static unsigned load_in_loop(struct loop *l, unsigned insn) {
    unsigned i = 0;
    while (i < l->loads && l->load[i].insn != insn) {
        i++;
    }
    if (i == l->loads && i < LOOP_LOADS_MAX) {
        l->load[l->loads++].insn = insn;
    }
    return i;
}

/* Returns the loads that have touched the line in this trip. *local: one more if that or the last
 * trip has touched it. */
static uint32_t touch_loop_line(struct loop *l, const struct open_loop *o, struct loop_line *line,
                                bool fresh, uint32_t bit, unsigned *local) {
    uint32_t others = 0;
    *local += !fresh && line->last + 1 >= o->trip;
    if (!fresh && line->last == o->trip) {
        l->this_trip++;
        others = line->loads;
        line->loads |= bit;
    } else {
        if (!fresh) {
            l->last_trip += line->last + 1 == o->trip;
            l->earlier += line->last + 1 != o->trip;
            l->live_lines += o->trip - line->last; /* it lived in each trip in between */
        }
        l->trip_lines++;
        *line = (struct loop_line){.last = o->trip, .loads = bit};
    }
    return others & ~bit;
}

static void count_load(struct loop_load *load, const struct warp_op *op, const struct accesses *a,
                       uint32_t others, unsigned local) {
    load->executions++;
    load->local += local > 0;
    load->mostly_local += 2 * local > a->count;
    load->accesses += a->count;
    load->local_accesses += local;
    if (__builtin_popcount(op->active) > 2) {
        load->diverged += a->made > 2;
        load->converged += a->made <= 2;
    }
    for (; others; others &= others - 1) {
        load->repeats[__builtin_ctz(others)]++;
    }
}

bool loops_load(struct loops *l, struct loop_walk *w, const struct warp_op *op, unsigned insn,
                const struct accesses *a) {
    if (!w->depth) {
        return true;
    }
    struct open_loop *o = &w->open[w->depth - 1];
    struct loop *loop = &l->loop[o->loop];
    unsigned index = load_in_loop(loop, insn);
    uint32_t bit = index < LOOP_LOADS_MAX ? UINT32_C(1) << index : 0, others = 0;
    unsigned local = 0;
    for (unsigned i = 0; i < a->count; i++) {
        uint32_t number;
        bool fresh;
        if (!line_map_put(&o->map, a->list[i].line, &number, &fresh) ||
            !line_map_room(&o->map, &o->line, &o->room, sizeof *o->line)) {
            return false;
        }
        others |= touch_loop_line(loop, o, &o->line[number], fresh, bit, &local);
    }
    loop->accesses += a->count;
    if (bit) {
        count_load(&loop->load[index], op, a, others, local);
    }
    return true;
}

uint64_t loop_sum(const uint64_t by_lanes[WARP_SIZE + 1]) {
    uint64_t sum = 0;
    for (unsigned i = 0; i <= WARP_SIZE; i++) {
        sum += by_lanes[i];
    }
    return sum;
}

bool loop_has_locality(const struct loop *l) {
    uint64_t executions = 0, local = 0;
    for (unsigned i = 0; i < l->loads; i++) {
        executions += l->load[i].executions;
        local += l->load[i].local;
    }
    return 2 * local > executions;
}

bool loop_load_diverged(const struct loop_load *l) {
    return l->diverged > l->converged;
}

void loop_groups(const struct loop *l, unsigned group[LOOP_LOADS_MAX]) {
    for (unsigned i = 0; i < l->loads; i++) {
        group[i] = i;
    }
    for (unsigned i = 0; i < l->loads; i++) {
        for (unsigned other = 0; other < l->loads; other++) {
            if (2 * l->load[i].repeats[other] <= l->load[i].executions) {
                continue;
            }
            unsigned a = group[i], b = group[other], first = a < b ? a : b;
            for (unsigned k = 0; k < l->loads; k++) {
                group[k] = group[k] == a || group[k] == b ? first : group[k];
            }
        }
    }
}

unsigned loop_footprint(const struct loop *l, unsigned lanes) {
    unsigned group[LOOP_LOADS_MAX], sum = 0;
    bool diverged[LOOP_LOADS_MAX] = {false};
    loop_groups(l, group);
    for (unsigned i = 0; i < l->loads; i++) {
        diverged[group[i]] |= loop_load_diverged(&l->load[i]);
    }
    for (unsigned i = 0; i < l->loads; i++) {
        if (group[i] == i) {
            sum += lanes < 2 ? lanes : diverged[i] ? lanes : 2;
        }
    }
    return sum;
}

uint64_t loop_footprint_sum(const struct loop *l) {
    uint64_t sum = 0;
    for (unsigned lanes = 1; lanes <= WARP_SIZE; lanes++) {
        sum += l->trips[lanes] * loop_footprint(l, lanes);
    }
    return sum;
}
