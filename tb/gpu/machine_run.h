/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a whole machine and what it left: status, cycles, every counter, and its events.
 */
#ifndef WARPMEM_TB_MACHINE_RUN_H
#define WARPMEM_TB_MACHINE_RUN_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "base/clock.h"
#include "gpu/gpu.h"

enum { COUNTERS_MAX = 8192 };

struct machine_run {
    enum gpu_status status;
    uint64_t cycles;
    char broken[256]; /* law of conservation that does not hold, "" */
    char message[256];
    char *dump, *events;  /* text; to be freed by machine_run_free() */
    uint64_t core_period; /* time units, as in the events */
    size_t counters;
    const char *name[COUNTERS_MAX]; /* static storage of the units */
    uint64_t value[COUNTERS_MAX];
};

/** run_test_machine() - build, run, read, destroy. @want_events: fill r->events. */
static inline void run_test_machine(struct machine_run *r, const struct config *c,
                                    const struct gpu_options *options, struct program *p,
                                    bool want_events) {
    struct gpu_options o = *options;
    const unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram};
    uint64_t period[4];
    char error[256];
    size_t size;
    *r = (struct machine_run){0};
    assert_true(clock_periods(khz, 4, period));
    r->core_period = period[0];
    o.events = want_events ? open_memstream(&r->events, &size) : NULL;
    struct gpu *g = gpu_create(c, &o, error, sizeof error);
    if (!g) {
        fail_msg("%s", error);
    }
    struct stats *s = stats_create();
    assert_true(s && gpu_register_stats(g, s) && stats_count(s) <= COUNTERS_MAX);
    r->status = gpu_run(g, p);
    r->cycles = gpu_cycles(g);
    snprintf(r->message, sizeof r->message, "%s", gpu_message(g));
    if (r->status == GPU_COMPLETE) {
        const char *broken = gpu_conserved(g);
        snprintf(r->broken, sizeof r->broken, "%s", broken ? broken : "");
    }
    if (r->status == GPU_STUCK) {
        FILE *dump = open_memstream(&r->dump, &size);
        gpu_dump(g, dump);
        fclose(dump);
    }
    for (r->counters = 0; r->counters < stats_count(s); r->counters++) {
        r->name[r->counters] = stats_at(s, r->counters)->name;
        r->value[r->counters] = stats_value(s, r->counters);
    }
    stats_destroy(s);
    gpu_destroy(g);
    if (o.events) {
        fclose(o.events);
    }
}

static inline void machine_run_free(struct machine_run *r) {
    free(r->dump);
    free(r->events);
    r->dump = r->events = NULL;
}

static inline uint64_t run_counter(const struct machine_run *r, const char *name) {
    for (size_t i = 0; i < r->counters; i++) {
        if (!strcmp(r->name[i], name)) {
            return r->value[i];
        }
    }
    fail_msg("there is no counter %s", name);
    return 0;
}

static inline void assert_complete(const struct machine_run *r) {
    if (r->status != GPU_COMPLETE || r->broken[0]) {
        fail_msg("status %d: %s%s", (int)r->status, r->message, r->broken);
    }
}

/** RUN_BY() - declares @r and calls @function(&r, ...), which runs a machine; the end of the scope
 * frees it. RUN() - by run_test_machine(), to the program's end. */
#define RUN_BY(function, r, ...) \
    CLOSED_BY(machine_run_free) struct machine_run r; \
    function(&r, __VA_ARGS__)
#define RUN(r, ...) \
    RUN_BY(run_test_machine, r, __VA_ARGS__); \
    assert_complete(&r)

/** assert_same_run() - cycles and every counter equal. */
static inline void assert_same_run(const struct machine_run *a, const struct machine_run *b,
                                   const char *what) {
    if (a->status != b->status || a->cycles != b->cycles || a->counters != b->counters) {
        fail_msg("%s: status %d and %d, cycles %" PRIu64 " and %" PRIu64, what, (int)a->status,
                 (int)b->status, a->cycles, b->cycles);
    }
    for (size_t i = 0; i < a->counters; i++) {
        if (a->value[i] != b->value[i]) {
            fail_msg("%s: %s is %" PRIu64 " and %" PRIu64, what, a->name[i], a->value[i],
                     b->value[i]);
        }
    }
}

/** event_time() - time of the @nth event (from 0) that begins with @what; fails the test when there
 * was none. event_at() - its core cycle. */
static inline uint64_t event_time(const struct machine_run *r, const char *what, unsigned nth) {
    for (const char *line = r->events; line && *line; line = strchr(line, '\n') + 1) {
        char *rest;
        uint64_t time = strtoull(line, &rest, 10);
        if (!strncmp(rest + 1, what, strlen(what)) && nth-- == 0) {
            return time;
        }
    }
    fail_msg("there was no event: %s", what);
    return 0;
}

static inline uint64_t event_at(const struct machine_run *r, const char *what, unsigned nth) {
    return event_time(r, what, nth) / r->core_period;
}

/** issued_at() - core cycle in which instruction @pc of a warp of a core issued for the @nth time.
 */
static inline uint64_t issued_at(const struct machine_run *r, unsigned sm, unsigned warp,
                                 unsigned pc, unsigned nth) {
    char what[64];
    snprintf(what, sizeof what, "sm%u issue warp %u pc %u\n", sm, warp, pc);
    return event_at(r, what, nth);
}

#endif
