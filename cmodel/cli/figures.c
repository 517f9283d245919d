/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/figures.h"

#include <stdio.h>
#include <string.h>

#define MILLION UINT64_C(1000000)

/* clang-format off */
#define L1_READS {"l1.read_hits", "l1.read_pending_hits", "l1.read_misses", "l1.read_bypasses"}
#define L2_LOOKUPS {"l2.read_hits", "l2.read_pending_hits", "l2.read_misses", "l2.write_hits", "l2.write_pending_hits", \
    "l2.write_misses", "l2.atomic_hits", "l2.atomic_pending_hits", "l2.atomic_misses"}

static const struct figure figures[] = {
    {"ipc_warp", "warp instructions a core cycle", "all cores together", FIGURE_PER_CYCLE, {"core.warp_instructions"}, {0}},
    {"ipc_thread", "thread instructions a core cycle", "all cores together", FIGURE_PER_CYCLE, {"core.thread_instructions"}, {0}},
    {"l1_hit_rate", "of reads", "line valid", FIGURE_RATIO, {"l1.read_hits"}, L1_READS},
    {"l1_pending_rate", "of reads", "line on its way", FIGURE_RATIO, {"l1.read_pending_hits"}, L1_READS},
    {"l1_miss_rate", "of reads", "line fetched", FIGURE_RATIO, {"l1.read_misses"}, L1_READS},
    {"l1_bypass_rate", "of reads", "sent on without a line", FIGURE_RATIO, {"l1.read_bypasses"}, L1_READS},
    {"l2_hit_rate", "of requests", "line valid", FIGURE_RATIO, {"l2.read_hits", "l2.write_hits", "l2.atomic_hits"}, L2_LOOKUPS},
    {"row_hit_rate", "of requests", "no row was opened for it", FIGURE_RATIO, {"dram.row_hits"}, {"dram.reads", "dram.writes"}},
    {"memory_latency", "core cycles", "mean of reads, from leaving the L1 to the reply", FIGURE_RATIO, {"core.read_latency_cycles"}, {"core.read_replies"}},
    {"blp", "banks", "bank-level parallelism: banks with a request, while there is any", FIGURE_RATIO, {"dram.bank_cycles"}, {"dram.busy_cycles"}},
    {"bus_use", "of the DRAM's data cycles", "data on the bus", FIGURE_BUS, {"dram.data_cycles"}, {0}},
    {"dram_gb_per_s", "10^9 bytes a second", "read and written", FIGURE_RATE, {"dram.read_bytes", "dram.write_bytes"}, {0}},
};
/* clang-format on */
enum { FIGURES = sizeof figures / sizeof *figures };

const struct figure *figure_at(unsigned i) {
    return i < FIGURES ? &figures[i] : NULL;
}

const struct figure *figure_find(const char *name) {
    for (unsigned i = 0; i < FIGURES; i++) {
        if (!strcmp(figures[i].name, name)) {
            return &figures[i];
        }
    }
    return NULL;
}

static size_t add_sum(char *buf, size_t size, size_t used, const char *const *names) {
    bool many = names[1];
    for (unsigned i = 0; i < FIGURE_COUNTERS && names[i] && used < size; i++) {
        used += (size_t)snprintf(buf + used, size - used, "%s%s",
                                 i      ? " + "
                                 : many ? "("
                                        : "",
                                 names[i]);
    }
    if (many && used < size) {
        used += (size_t)snprintf(buf + used, size - used, ")");
    }
    return used;
}

const char *figure_formula(const struct figure *f, char *buf, size_t size) {
    static const char *const below[] = {[FIGURE_RATIO] = " / ",
                                        [FIGURE_PER_CYCLE] = " / cycles",
                                        [FIGURE_BUS] = " / (DRAM cycles x channels)",
                                        [FIGURE_RATE] = " / (cycles / core clock)"};
    size_t used = add_sum(buf, size, 0, f->above);
    if (used < size) {
        used += (size_t)snprintf(buf + used, size - used, "%s", below[f->kind]);
    }
    if (f->below[0]) {
        add_sum(buf, size, used, f->below);
    }
    return buf;
}

static bool resolve(const char *const *names, const struct stats *s, size_t *at, unsigned *count) {
    for (*count = 0; *count < FIGURE_COUNTERS && names[*count]; (*count)++) {
        if (!stats_find(s, names[*count], &at[*count])) {
            return false;
        }
    }
    return true;
}

bool figure_resolve(struct figure_ref *r, const struct figure *f, const struct stats *s) {
    r->figure = f;
    return resolve(f->above, s, r->above, &r->above_count) &&
           resolve(f->below, s, r->below, &r->below_count);
}

uint64_t figure_ratio(uint64_t a, uint64_t b) {
    return b ? a / b * MILLION + (a % b * MILLION + b / 2) / b : 0;
}

static uint64_t sum(const size_t *at, unsigned count, const uint64_t *values) {
    uint64_t total = 0;
    for (unsigned i = 0; i < count; i++) {
        total += values[at[i]];
    }
    return total;
}

bool figure_value(const struct figure_ref *r, const uint64_t *values, uint64_t cycles,
                  const struct config *c, uint64_t *millionths) {
    uint64_t above = sum(r->above, r->above_count, values), below = cycles;
    switch (r->figure->kind) {
    case FIGURE_RATIO: below = sum(r->below, r->below_count, values); break;
    case FIGURE_PER_CYCLE: break;
    case FIGURE_BUS: /* DRAM cycles = core cycles x the clocks' ratio */
        above *= c->clock.core;
        below *= (uint64_t)c->clock.dram * c->l2.partitions;
        break;
    case FIGURE_RATE: /* kHz and 10^9 make millionths: bytes / cycles x kHz */
        *millionths = below ? above / below * c->clock.core +
                                  (above % below * c->clock.core + below / 2) / below
                            : 0;
        return below;
    }
    *millionths = figure_ratio(above, below);
    return below;
}
