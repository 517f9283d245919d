/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain.h"

#include <inttypes.h>
#include <string.h>

#include "cli/figures.h"
#include "config/derived.h"

enum { BAR = 40, EVIDENCE = 3 };

/* What attacks a class of cycles. */
struct remedy {
    const char *evidence[EVIDENCE]; /* counters and figures that show it */
    const char *advice;
};

struct class {
    const char *counter, *label;
    const char *what; /* behind "a core" */
    struct remedy remedy;
};

/* clang-format off */
/* The first is work; the rest in the order in which a request travels. */
static const struct class classes[] = {
    {"core.issue_cycles", "issued", "issued an instruction",
     {{"ipc_warp"}, "the instructions themselves are the limit: only fewer of them, or more schedulers (core.schedulers), help"}},
    {"core.wait_pipeline", "pipeline busy", "had a warp ready whose pipeline or scheduler was busy",
     {{"core.arithmetic"}, "core.sp_units, core.sfu_units and the alu.*_interval keys"}},
    {"core.descheduled_cycles", "held by the policy", "had a warp ready that the issue policy held",
     {{"l1_hit_rate"}, "a higher issue.warp_limit, unless the L1 then thrashes (scheme best-swl finds out)"}},
    {"core.wait_result", "dependency", "waited for results of arithmetic",
     {{"ipc_warp"}, "more warps a core (registers, CTAs) or shorter alu.* latencies"}},
    {"core.wait_load_store", "load/store unit", "waited for a load/store unit that sent one access after another",
     {{"core.loads", "core.stores"}, "better coalescing in the kernel: each access is a cycle"}},
    {"core.wait_l1_refused", "L1 refusals", "waited behind an access that the L1 refused", {{0}, NULL}},
    {"core.wait_l1", "L1", "waited for loads that were on their way through the load/store unit and the L1",
     {{"l1_hit_rate"}, "l1.hit_latency, l1.fill_latency, and better coalescing in the kernel"}},
    {"core.wait_noc_request", "NoC request", "waited for requests on their way to the L2",
     {{"noc.request_flits", "l1_miss_rate"}, "fewer misses (l1.ways, scheme mrpb or best-swl), or wider ports (noc.flit_bytes)"}},
    {"core.wait_l2_queue", "L2 queue", "waited for requests in front of an L2 bank",
     {{"l2_hit_rate", "l2.fail_mshr_full"}, "more l2.banks, a shorter l2.bank_interval, or fewer L1 misses"}},
    {"core.wait_l2_bank", "L2 bank", "waited for requests in an L2 bank and its queues",
     {{"l2_hit_rate", "l2.fail_reply_queue"}, "l2.hit_latency, l2.reply_queue, or fewer L1 misses"}},
    {"core.wait_dram_queue", "DRAM queue", "waited for requests in a DRAM controller's queue",
     {{"bus_use", "row_hit_rate", "l2_hit_rate"},
      "what makes the L2 hit more often (l2.sets) or rows be reused; more channels (l2.partitions) if the bus is full"}},
    {"core.wait_dram_service", "DRAM service", "waited for the DRAM to deliver data",
     {{"row_hit_rate", "bus_use", "l2_hit_rate"},
      "more requests under way (warps, l1.mshrs), or what makes rows be reused and caches hit: schemes mrpb, best-swl"}},
    {"core.wait_noc_reply", "NoC reply", "waited for replies on their way back",
     {{"noc.reply_flits", "l1_miss_rate"}, "wider or faster ports (noc.flit_bytes, clock.noc), or fewer misses"}},
    {"core.wait_unresolved", "memory, open", "waited for loads whose data had not come when a CTA started or the run ended",
     {{"l1_miss_rate"}, "a longer run"}},
    {"core.wait_sync", "barrier, fence", "had all warps at barriers and fences",
     {{"core.barriers", "core.fences"}, "more CTAs a core, so that others work meanwhile"}},
    {"core.wait_end", "end of CTA", "waited for writes of warps that had ended",
     {{"core.stores"}, "more CTAs a core, so that others work meanwhile"}},
    {"core.no_warp_cycles", "no warp", "had no warp",
     {{"core.ctas"}, "a larger input (--size): the launches have too few CTAs for core.count cores, or end unevenly"}},
};

/* Why the L1 refused: the largest cause decides the remedy. */
static const struct remedy refusals[] = {
    {{"l1.fail_associativity", "l1_hit_rate"},
     "every line of the set waited for its fill: scheme mrpb sends such reads on, l1.ways gives room, best-swl lets fewer warps in"},
    {{"l1.fail_mshr_full", "l1_hit_rate"}, "more l1.mshrs, or fewer warps at once (scheme best-swl)"},
    {{"l1.fail_mshr_merge", "l1_pending_rate"}, "more accesses an MSHR: l1.mshr_merge"},
    {{"l1.fail_miss_queue", "noc.request_flits"}, "the interconnect takes requests too slowly: l1.miss_queue, noc.flit_bytes, clock.noc"},
};
/* clang-format on */
enum { CLASSES = sizeof classes / sizeof *classes };

static uint64_t value_of(const struct session *s, const char *counter) {
    size_t at;
    return stats_find(s->stats, counter, &at) ? s->values[at] : 0;
}

/* "l1_hit_rate 2.9 %", "l1.fail_associativity 8543515"; nothing if the machine lacks it. */
static void print_evidence(const struct session *s, const char *name, const char *before,
                           FILE *out) {
    const struct figure *f = figure_find(name);
    struct figure_ref ref;
    uint64_t value;
    size_t at;
    if (!f) {
        if (stats_find(s->stats, name, &at)) {
            fprintf(out, "%s%s = %" PRIu64, before, name, s->values[at]);
        }
    } else if (figure_resolve(&ref, f, s->stats) &&
               figure_value(&ref, s->values, s->cycles, &s->machine->config, &value)) {
        bool share = !strncmp(f->unit, "of ", 3);
        fprintf(out, share ? "%s%s = %.1f %%" : "%s%s = %.3f", before, name,
                (double)value * (share ? 1e-4 : 1e-6));
    }
}

static double percent(uint64_t part, uint64_t whole) {
    return (double)figure_ratio(part, whole) * 1e-4;
}

static void print_class(const char *label, uint64_t cycles, uint64_t all, FILE *out) {
    char bar[BAR + 1];
    uint64_t length = all ? (cycles * BAR + all / 2) / all : 0;
    memset(bar, '#', BAR);
    bar[length < BAR ? length : BAR] = '\0';
    fprintf(out, "%-20s %14" PRIu64 "  %5.1f %%  %s\n", label, cycles, percent(cycles, all), bar);
}

static const struct remedy *remedy_of(const struct session *s, const struct class *c) {
    const struct remedy *worst = &refusals[0];
    if (c->remedy.advice) {
        return &c->remedy;
    }
    for (unsigned i = 1; i < sizeof refusals / sizeof *refusals; i++) {
        if (value_of(s, refusals[i].evidence[0]) > value_of(s, worst->evidence[0])) {
            worst = &refusals[i];
        }
    }
    return worst;
}

static void print_verdict(const struct session *s, const struct class *c, const char *title,
                          uint64_t all, FILE *out) {
    const struct remedy *r = remedy_of(s, c);
    fprintf(out, "%s In %.1f %% of the core cycles a core %s", title,
            percent(value_of(s, c->counter), all), c->what);
    for (unsigned i = 0; i < EVIDENCE && r->evidence[i]; i++) {
        print_evidence(s, r->evidence[i], i ? ", " : ": ", out);
    }
    fprintf(out, ".\n              What attacks it: %s.\n", r->advice);
}

/* The class with the most cycles, but for one. */
static const struct class *worst_of(const struct session *s, const struct class *but) {
    const struct class *worst = NULL;
    for (unsigned i = 0; i < CLASSES; i++) {
        const struct class *c = &classes[i];
        if (c != but && value_of(s, c->counter) &&
            (!worst || value_of(s, c->counter) > value_of(s, worst->counter))) {
            worst = c;
        }
    }
    return worst;
}

/* A second cause is worth a word when the first is a lack of work, or is work. */
static void print_verdicts(const struct session *s, uint64_t all, uint64_t unknown, FILE *out) {
    const struct class *idle = &classes[CLASSES - 1], *work = &classes[0];
    const struct class *worst = worst_of(s, NULL);
    if (!worst || value_of(s, worst->counter) < unknown) {
        fprintf(out, "Bottleneck    cannot be told: most cycles have no class\n");
        return;
    }
    print_verdict(s, worst, "Bottleneck   ", all, out);
    const struct class *next = worst == idle || worst == work ? worst_of(s, worst) : NULL;
    if (next) {
        print_verdict(s, next, "Then         ", all, out);
    }
}

static void print_peaks(const struct session *s, FILE *out) {
    const struct config *c = &s->machine->config;
    double peak = (double)config_peak_dram_bytes_per_s(c) * 1e-9;
    struct figure_ref ref;
    uint64_t value;
    if (figure_resolve(&ref, figure_find("memory_latency"), s->stats) &&
        figure_value(&ref, s->values, s->cycles, c, &value)) {
        fprintf(out, "Latency       %.0f core cycles, mean of %" PRIu64 " reads beyond the L1\n",
                (double)value * 1e-6, value_of(s, "core.read_replies"));
    }
    if (figure_resolve(&ref, figure_find("dram_gb_per_s"), s->stats) &&
        figure_value(&ref, s->values, s->cycles, c, &value)) {
        double used = (double)value * 1e-6;
        fprintf(out, "DRAM          %.1f of %.1f GB/s, %.1f %%\n", used, peak,
                peak > 0 ? used / peak * 100 : 0.0);
    }
    fprintf(out,
            "L1 MSHRs      %u a core; %" PRIu64 " cycles in which an access waited for one, all "
            "cores\n",
            c->l1.mshrs, value_of(s, "l1.fail_mshr_full"));
}

void explain(const struct session *s, FILE *out) {
    uint64_t all = s->cycles * s->machine->config.core.count, known = 0;
    fprintf(out, "%-20s %14s  %7s\n", "where cycles went", "core cycles", "share");
    for (unsigned i = 0; i < CLASSES; i++) {
        size_t at;
        if (stats_find(s->stats, classes[i].counter, &at)) {
            print_class(classes[i].label, s->values[at], all, out);
            known += s->values[at];
        }
    }
    if (known < all) {
        print_class("not told apart", all - known, all, out);
    }
    print_class("all cores", all, all, out);
    fputc('\n', out);
    print_peaks(s, out);
    print_verdicts(s, all, known < all ? all - known : 0, out);
}
