/* SPDX-License-Identifier: Apache-2.0
 *
 * The host side of a call of the framework: its allocations, copies and launches, in order.
 */
#include <string.h>

#include "workloads/mars/mars.h"

typedef bool mars_begin(struct mars *m, unsigned what);

bool mars_alloc(struct mars *m, struct buffer *b, uint64_t count, unsigned width) {
    m->failed |= !device_memory_alloc(&m->host.memory, b, count, width);
    return !m->failed;
}

bool mars_alloc_input(struct mars *m, unsigned n, unsigned key_size, unsigned value_size) {
    struct mars_records *in = &m->call[0].in;
    in->count = n;
    if (!mars_alloc(m, &in->keys, (uint64_t)n * key_size, 1) ||
        !mars_alloc(m, &in->values, (uint64_t)n * value_size, 1) ||
        !mars_alloc(m, &in->entries, n, sizeof(struct mars_entry))) {
        return false;
    }
    struct mars_entry *entry = in->entries.data;
    for (unsigned i = 0; i < n; i++) {
        entry[i] = (struct mars_entry){(int32_t)(i * key_size), (int32_t)key_size,
                                       (int32_t)(i * value_size), (int32_t)value_size};
    }
    return true;
}

/* Counters a thread, of as many threads as there are records or groups. */
static bool begin_count(struct mars *m, unsigned what) {
    struct mars_call *c = &m->call[m->now];
    struct mars_output *o = &c->out[what];
    const unsigned n = what == MARS_MAP ? c->in.count : c->group.count;
    o->threads = (n + MARS_BLOCK - 1) / MARS_BLOCK * MARS_BLOCK;
    for (unsigned i = 0; i < MARS_COUNTS; i++) {
        if (!mars_alloc(m, &o->count[i], o->threads, 4) ||
            !mars_alloc(m, &o->sum[i], o->threads, 4)) {
            return false;
        }
    }
    return o->threads > 0;
}

static bool begin_scan(struct mars *m, const struct buffer *in, const struct buffer *out,
                       unsigned n) {
    m->failed |= !scan_open(&m->scan, &m->host.memory, in, out, n);
    return !m->failed;
}

static bool begin_sum_of(struct mars *m, unsigned what) {
    const struct mars_output *o = &mars_now(m)->out[what / MARS_COUNTS];
    return begin_scan(m, &o->count[what % MARS_COUNTS], &o->sum[what % MARS_COUNTS], o->threads);
}

/* The sum of all: of the last element and what is before it. */
static unsigned total(const struct buffer *count, const struct buffer *sum, unsigned n) {
    return n ? (unsigned)(((int32_t *)count->data)[n - 1] + ((int32_t *)sum->data)[n - 1]) : 0;
}

static bool begin_emit(struct mars *m, unsigned what) {
    struct mars_output *o = &m->call[m->now].out[what];
    unsigned all[MARS_COUNTS];
    for (unsigned i = 0; i < MARS_COUNTS; i++) {
        all[i] = total(&o->count[i], &o->sum[i], o->threads);
    }
    if (all[MARS_RECORDS] == 0 || !mars_alloc(m, &o->records.keys, all[MARS_KEYS], 1) ||
        !mars_alloc(m, &o->records.values, all[MARS_VALUES], 1) ||
        !mars_alloc(m, &o->around, all[MARS_RECORDS] + MARS_AROUND + 1,
                    sizeof(struct mars_entry)) ||
        !mars_alloc(m, &o->written, o->threads, sizeof(struct mars_pair)) ||
        !mars_alloc(m, &o->emitted, o->threads, 4)) {
        return false;
    }
    const unsigned front = MARS_AROUND * sizeof(struct mars_entry);
    o->records.count = all[MARS_RECORDS];
    o->records.entries = o->around;
    o->records.entries.address += front;
    o->records.entries.data = (uint8_t *)o->around.data + front;
    o->records.entries.count -= MARS_AROUND;
    return true;
}

static bool begin_sort(struct mars *m, unsigned what) {
    (void)what;
    struct mars_call *c = &m->call[m->now];
    struct mars_group *g = &c->group;
    g->power = MARS_POWER_MIN;
    while (g->power < c->out[MARS_MAP].records.count) {
        g->power *= 2;
    }
    g->padded_keys = c->out[MARS_MAP].records.keys;
    return mars_alloc(m, &g->padded, g->power, sizeof(struct mars_entry));
}

/* The padding, which the sort has brought to the front, is left behind. */
static bool begin_gather(struct mars *m, unsigned what) {
    (void)what;
    struct mars_call *c = &m->call[m->now];
    struct mars_group *g = &c->group;
    const struct mars_records *unsorted = &c->out[MARS_MAP].records;
    const unsigned n = unsorted->count;
    g->sorted.count = n;
    if (!mars_alloc(m, &g->sorted.entries, n, sizeof(struct mars_entry)) ||
        !mars_alloc(m, &g->sorted.values, unsorted->values.count, 1) ||
        !mars_alloc(m, &g->sorted.keys, unsorted->keys.count, 1) ||
        !mars_alloc(m, &g->pieces, n, sizeof(struct mars_pair)) ||
        !mars_alloc(m, &g->sizes, n, 4) || !mars_alloc(m, &g->sums, n, 4)) {
        return false;
    }
    const struct mars_entry *padded = g->padded.data;
    memcpy(g->sorted.entries.data, padded + (g->power - n), n * sizeof *padded);
    return true;
}

static bool begin_sum_of_sizes(struct mars *m, unsigned what) {
    (void)what;
    const struct mars_group *g = &mars_now(m)->group;
    return begin_scan(m, &g->sizes, &g->sums, g->sorted.count);
}

static bool begin_starts(struct mars *m, unsigned what) {
    (void)what;
    struct mars_group *g = &m->call[m->now].group;
    return mars_alloc(m, &g->start, g->sorted.count, 4) &&
           mars_alloc(m, &g->rank, g->sorted.count, 4);
}

static bool begin_ranks(struct mars *m, unsigned what) {
    (void)what;
    const struct mars_group *g = &mars_now(m)->group;
    return begin_scan(m, &g->start, &g->rank, g->sorted.count);
}

/* The host writes where the last group ends. */
static bool begin_firsts(struct mars *m, unsigned what) {
    (void)what;
    struct mars_group *g = &m->call[m->now].group;
    g->count = total(&g->start, &g->rank, g->sorted.count);
    if (g->count == 0 || !mars_alloc(m, &g->first, g->count + 1, 4) ||
        !mars_alloc(m, &g->range, g->count, sizeof(struct mars_pair))) {
        return false;
    }
    ((int32_t *)g->first.data)[g->count] = (int32_t)g->sorted.count;
    return true;
}

static void scan(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    scan_run(s, &m->scan);
}

static bool launch_scan(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    out->kernel = scan;
    return scan_launch(&m->scan, i, &out->launch);
}

static const struct {
    mars_begin *begin; /* NULL: nothing to do before */
    mars_launch *launch;
    unsigned what;
} phases[] = {
    {begin_count, mars_launch_count, MARS_MAP},
    {begin_sum_of, launch_scan, MARS_MAP *MARS_COUNTS + MARS_KEYS},
    {begin_sum_of, launch_scan, MARS_MAP *MARS_COUNTS + MARS_VALUES},
    {begin_sum_of, launch_scan, MARS_MAP *MARS_COUNTS + MARS_RECORDS},
    {begin_emit, mars_launch_map, MARS_MAP},
    {begin_sort, mars_launch_sort, 0},
    {begin_gather, mars_launch_pieces, MARS_VALUES},
    {NULL, mars_launch_sizes, MARS_VALUES},
    {begin_sum_of_sizes, launch_scan, MARS_VALUES},
    {NULL, mars_launch_copy, MARS_VALUES},
    {NULL, mars_launch_set, MARS_VALUES},
    {NULL, mars_launch_pieces, MARS_KEYS},
    {NULL, mars_launch_sizes, MARS_KEYS},
    {begin_sum_of_sizes, launch_scan, MARS_KEYS},
    {NULL, mars_launch_copy, MARS_KEYS},
    {NULL, mars_launch_set, MARS_KEYS},
    {begin_starts, mars_launch_starts, 0},
    {begin_ranks, launch_scan, 0},
    {begin_firsts, mars_launch_firsts, 0},
    {NULL, mars_launch_ranges, 0},
    /* For a call that reduces: */
    {begin_count, mars_launch_reduce_count, MARS_REDUCE},
    {begin_sum_of, launch_scan, MARS_REDUCE *MARS_COUNTS + MARS_KEYS},
    {begin_sum_of, launch_scan, MARS_REDUCE *MARS_COUNTS + MARS_VALUES},
    {begin_sum_of, launch_scan, MARS_REDUCE *MARS_COUNTS + MARS_RECORDS},
    {begin_emit, mars_launch_reduce, MARS_REDUCE},
};
enum { PHASES = sizeof phases / sizeof *phases, GROUP_PHASES = 20 };

/* After the last launch of a call: the next goes over what it has reduced. */
static bool next_call(struct mars *m) {
    if (m->now + 1 >= m->app->calls) {
        return false;
    }
    m->call[m->now + 1].in = m->call[m->now].out[MARS_REDUCE].records;
    m->now++;
    m->phase = 0;
    return true;
}

static bool mars_step(void *self, unsigned step, struct host_launch *out) {
    struct mars *m = self;
    (void)step;
    do {
        const bool reduces = m->app->reduce && m->now == 0;
        for (; m->phase < (reduces ? PHASES : GROUP_PHASES); m->phase++, m->step = 0) {
            const unsigned what = phases[m->phase].what;
            if (m->step == 0 && phases[m->phase].begin && !phases[m->phase].begin(m, what)) {
                m->phase = PHASES;
                return false;
            }
            if (phases[m->phase].launch(m, what, m->step++, out)) {
                return true;
            }
        }
    } while (next_call(m));
    return false;
}

void mars_open(struct mars *m, const struct mars_app *app) {
    m->app = app;
    host_set_step(&m->host, mars_step);
}
