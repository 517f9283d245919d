/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/figures.h"

#include <stdio.h>
#include <string.h>

#define MILLION UINT64_C(1000000)
#define PJ_PER_JOULE UINT64_C(1000000000000)

/* clang-format off */
#define L1_READS {"l1.read_hits", "l1.read_pending_hits", "l1.read_misses", "l1.read_bypasses"}
#define L2_LOOKUPS {"l2.read_hits", "l2.read_pending_hits", "l2.read_misses", "l2.write_hits", "l2.write_pending_hits", \
    "l2.write_misses", "l2.atomic_hits", "l2.atomic_pending_hits", "l2.atomic_misses"}

#define L2_FAILS {"l2.fail_associativity", "l2.fail_mshr_full", "l2.fail_mshr_merge", "l2.fail_miss_queue", "l2.fail_reply_queue"}
#define L2_READS {"l2.read_hits", "l2.read_pending_hits", "l2.read_misses", "l2.bypass_reads"}
#define INSNS {"core.thread_instructions"}

static const struct figure figures[] = {
    {"ipc_warp", "warp instructions a core cycle", "all cores together", FIGURE_PER_CYCLE, {"core.warp_instructions"}, {0}},
    {"ipc_thread", "thread instructions a core cycle", "all cores together", FIGURE_PER_CYCLE, {"core.thread_instructions"}, {0}},
    {"warp_fairness", "of the most served warp's instructions",
     "the least served one of its CTA has issued when the first of its warps has issued all",
     FIGURE_RATIO, {"core.fewest_issued"}, {"core.most_issued"}},
    {"scheduler_fairness", "of the most served scheduler's instructions", "the same of the schedulers, for the warps of the CTA",
     FIGURE_RATIO, {"core.scheduler_fewest_issued"}, {"core.scheduler_most_issued"}},
    {"l1_hit_rate", "of reads", "line valid", FIGURE_RATIO, {"l1.read_hits"}, L1_READS},
    {"l1_pending_rate", "of reads", "line on its way", FIGURE_RATIO, {"l1.read_pending_hits"}, L1_READS},
    {"l1_miss_rate", "of reads", "line fetched", FIGURE_RATIO, {"l1.read_misses"}, L1_READS},
    {"l1_bypass_rate", "of reads", "sent on without a line", FIGURE_RATIO, {"l1.read_bypasses"}, L1_READS},
    {"l2_hit_rate", "of requests", "line valid", FIGURE_RATIO, {"l2.read_hits", "l2.write_hits", "l2.atomic_hits"}, L2_LOOKUPS},
    {"l2_pending_rate", "of requests", "line being fetched",
     FIGURE_RATIO, {"l2.read_pending_hits", "l2.write_pending_hits", "l2.atomic_pending_hits"}, L2_LOOKUPS},
    {"l2_miss_rate", "of requests", "line neither valid nor being fetched; without bypassing requests",
     FIGURE_RATIO, {"l2.read_misses", "l2.write_misses", "l2.atomic_misses"}, L2_LOOKUPS},
    {"l2_bypass_rate", "of reads", "sent to the DRAM without the L2 (MeDiC 4.2)", FIGURE_RATIO, {"l2.bypass_reads"}, L2_READS},
    /* MRPB figure 4: per thread instruction, as its simulator counts; the 17 M to 3.7 G of section
     * 4 are not warp instructions. */
    {"mpki", "accesses a thousand thread instructions", "L1 misses that took a line", FIGURE_PER_KILO, {"l1.read_misses", "l1.write_misses"}, INSNS},
    {"mpki_intra_warp", "accesses a thousand thread instructions", "L1 misses that evict a line of their own warp",
     FIGURE_PER_KILO, {"l1.misses_intra_warp"}, INSNS},
    {"mpki_cross_warp", "accesses a thousand thread instructions", "L1 misses that evict a line of another warp of their CTA",
     FIGURE_PER_KILO, {"l1.misses_cross_warp"}, INSNS},
    {"mpki_cross_block", "accesses a thousand thread instructions", "L1 misses that evict a line of another CTA",
     FIGURE_PER_KILO, {"l1.misses_cross_block"}, INSNS},
    {"row_hit_rate", "of requests", "no row was opened for it", FIGURE_RATIO, {"dram.row_hits"}, {"dram.reads", "dram.writes"}},
    {"memory_latency", "core cycles", "mean of reads, from leaving the L1 to the reply", FIGURE_RATIO, {"core.read_latency_cycles"}, {"core.read_replies"}},
    {"load_latency", "core cycles", "mean of loads with a register, from issue to the last data",
     FIGURE_RATIO, {"core.load_latency_cycles"}, {"core.load_latency_loads"}},
    {"divergence_penalty", "core cycles", "mean of loads that all hit in the L2, from the first reply to the last",
     FIGURE_RATIO, {"core.divergence_cycles"}, {"core.all_hit_loads"}},
    {"l2_queue_delay", "L2 cycles", "mean of requests, from the end of their port to their bank's access", FIGURE_RATIO, {"l2.queue_delay"}, {"l2.requests"}},
    {"l2_bank_use", "of the banks' L2 cycles", "each request takes l2.bank_interval", FIGURE_L2_BUSY, {"l2.requests"}, {0}},
    {"l2_refused_rate", "of the banks' L2 cycles", "a request waited, refused", FIGURE_L2, L2_FAILS, {0}},
    {"noc_request_use", "of the partitions' port cycles", "a flit of a request", FIGURE_NOC_REQUEST, {"noc.request_flits"}, {0}},
    {"noc_reply_use", "of the partitions' port cycles", "a flit of a reply", FIGURE_NOC_REPLY, {"noc.reply_flits"}, {0}},
    {"blp", "banks", "bank-level parallelism: banks with a request, while there is any", FIGURE_RATIO, {"dram.bank_cycles"}, {"dram.busy_cycles"}},
    {"bus_use", "of the DRAM's data cycles", "data on the bus", FIGURE_BUS, {"dram.data_cycles"}, {0}},
    {"dram_gb_per_s", "10^9 bytes a second", "read and written", FIGURE_RATE, {"dram.read_bytes", "dram.write_bytes"}, {0}},
    {"gpu_power", "watts", "mean of the whole GPU", FIGURE_POWER, {"energy.gpu_total"}, {0}},
    {"energy_efficiency", "thread instructions a core cycle and joule", "IPC over the energy of the whole GPU (MeDiC 5)",
     FIGURE_PER_JOULE, INSNS, {"energy.gpu_total"}},
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
    static const char *const below[] = {
        [FIGURE_RATIO] = " / ",
        [FIGURE_PER_KILO] = " x 1000 / ",
        [FIGURE_PER_CYCLE] = " / cycles",
        [FIGURE_BUS] = " / (DRAM cycles x channels)",
        [FIGURE_L2] = " / (L2 cycles x l2.partitions x l2.banks)",
        [FIGURE_L2_BUSY] = " x l2.bank_interval / (L2 cycles x l2.partitions x l2.banks)",
        [FIGURE_NOC_REQUEST] = " / (NoC cycles x l2.partitions x l2.ports)",
        [FIGURE_NOC_REPLY] = " / (NoC cycles x l2.partitions x l2.reply_ports)",
        [FIGURE_RATE] = " / (cycles / core clock)",
        [FIGURE_POWER] = " / (cycles / core clock)",
        [FIGURE_PER_JOULE] = " / cycles / "};
    size_t used = add_sum(buf, size, 0, f->above);
    if (used < size) {
        used += (size_t)snprintf(buf + used, size - used, "%s", below[f->kind]);
    }
    if (f->below[0]) {
        add_sum(buf, size, used, f->below);
    }
    return buf;
}

static bool resolve_counters(const char *const *names, const struct stats *s, size_t *at,
                             unsigned *count) {
    for (*count = 0; *count < FIGURE_COUNTERS && names[*count]; (*count)++) {
        if (!stats_find(s, names[*count], &at[*count])) {
            return false;
        }
    }
    return true;
}

bool figure_resolve(struct figure_ref *r, const struct figure *f, const struct stats *s) {
    r->figure = f;
    return resolve_counters(f->above, s, r->above, &r->above_count) &&
           resolve_counters(f->below, s, r->below, &r->below_count);
}

uint64_t figure_ratio(uint64_t a, uint64_t b) {
    if (!b) {
        return 0;
    }
    /* Divides digit by digit: a run's cycles times a clock, times a million, is more than 64
     * bits. */
    uint64_t quotient = a / b, rest = a % b;
    for (uint64_t digit = 1; digit < MILLION; digit *= 10) {
        rest *= 10;
        quotient = quotient * 10 + rest / b;
        rest %= b;
    }
    return quotient + (rest >= b - rest);
}

static uint64_t sum_counters(const size_t *at, unsigned count, const uint64_t *values) {
    uint64_t total = 0;
    for (unsigned i = 0; i < count; i++) {
        total += values[at[i]];
    }
    return total;
}

/* Returns core cycles as cycles of @clock, times the core's clock: the count that they divide has
 * that factor too. */
static uint64_t in_cycles_of(unsigned clock, uint64_t cycles, unsigned units) {
    return cycles * clock * units;
}

bool figure_value(const struct figure_ref *r, const uint64_t *values, uint64_t cycles,
                  const struct config *c, uint64_t *millionths) {
    uint64_t above = sum_counters(r->above, r->above_count, values), below = cycles;
    const unsigned partitions = c->l2.partitions;
    switch (r->figure->kind) {
    case FIGURE_RATIO: below = sum_counters(r->below, r->below_count, values); break;
    case FIGURE_PER_KILO:
        above *= 1000;
        below = sum_counters(r->below, r->below_count, values);
        break;
    case FIGURE_PER_CYCLE: break;
    case FIGURE_BUS:
        above *= c->clock.core;
        below = in_cycles_of(c->clock.dram, cycles, partitions);
        break;
    case FIGURE_L2:
    case FIGURE_L2_BUSY:
        above *=
            (uint64_t)c->clock.core * (r->figure->kind == FIGURE_L2_BUSY ? c->l2.bank_interval : 1);
        below = in_cycles_of(c->clock.l2, cycles, partitions * c->l2.banks);
        break;
    case FIGURE_NOC_REQUEST:
        above *= c->clock.core;
        below = in_cycles_of(c->clock.noc, cycles, partitions * c->l2.ports);
        break;
    case FIGURE_NOC_REPLY:
        above *= c->clock.core;
        below = in_cycles_of(c->clock.noc, cycles, partitions * c->l2.reply_ports);
        break;
    case FIGURE_POWER: /* pJ and kHz make 10^-9 W */
        *millionths = below ? (uint64_t)(((unsigned __int128)above * c->clock.core + below * 500) /
                                         ((unsigned __int128)below * 1000))
                            : 0;
        return below;
    case FIGURE_PER_JOULE: {
        unsigned __int128 divisor =
            (unsigned __int128)cycles * sum_counters(r->below, r->below_count, values);
        *millionths =
            divisor ? (uint64_t)(((unsigned __int128)above * MILLION * PJ_PER_JOULE + divisor / 2) /
                                 divisor)
                    : 0;
        return divisor != 0;
    }
    case FIGURE_RATE: /* kHz and 10^9 make millionths: bytes / cycles x kHz */
        *millionths = below ? above / below * c->clock.core +
                                  (above % below * c->clock.core + below / 2) / below
                            : 0;
        return below;
    }
    *millionths = figure_ratio(above, below);
    return below;
}
