/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/explain.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "cli/report/figures.h"
#include "config/derived.h"
#include "config/keys.h"

enum { BAR = 40, EVIDENCE = 3 };

/* A part that is busy for this share of its time, in millionths, is saturated: all parts before it,
 * back to the cores, wait for it (back-pressure). */
#define SATURATED 666667

/* Advice against a class of cycles. */
struct remedy {
    const char *evidence[EVIDENCE]; /* counters, figures and keys that show it */
    const char *advice;
};

struct class {
    const char *counter, *label;
    const char *what; /* after "a core" */
    struct remedy remedy;
};

/* clang-format off */
/* The first class is work; the rest are in the order in which a request travels. */
static const struct class classes[] = {
    {"core.issue_cycles", "issued", "issued an instruction",
     {{"ipc_warp"}, "the instructions themselves are the limit: only fewer of them, or more schedulers (core.schedulers), help"}},
    {"core.wait_pipeline", "pipeline busy", "had a warp ready whose pipeline or scheduler was busy",
     {{"core.arithmetic"}, "core.sp_units, core.sfu_units, alu.pipes and the alu.*_interval keys"}},
    {"core.descheduled_cycles", "held by the policy", "had a warp ready that the issue policy held",
     {{"l1_hit_rate"}, "more warps at once (scheme gto), unless the L1 then thrashes (best-swl tries it)"}},
    {"core.wait_result", "dependency", "waited for results of arithmetic",
     {{"ipc_warp"}, "more warps a core (registers, CTAs) or shorter alu.* latencies"}},
    {"core.wait_load_store", "load/store unit", "waited for a load/store unit that sent one access after another",
     {{"core.loads", "core.stores"}, "better coalescing in the kernel: each access is a cycle"}},
    {"core.wait_l1_refused", "L1 refusals", "waited for an access that the L1 refused", {{0}, NULL}},
    {"core.wait_l1", "L1", "waited for loads that were on their way through the load/store unit and the L1",
     {{"l1_hit_rate"}, "l1.hit_latency, l1.fill_latency, and better coalescing in the kernel"}},
    {"core.wait_noc_request", "NoC request", "waited for requests on their way to the L2",
     {{"noc.request_flits", "l1_miss_rate"}, "fewer misses (l1.ways, scheme mrpb or best-swl), or wider ports (noc.flit_bytes)"}},
    {"core.wait_l2_queue", "L2 queue", "waited for requests before an L2 bank",
     {{"l2_queue_delay", "l2_bank_use"}, "more l2.banks, a shorter l2.bank_interval, or fewer accesses beyond the L1"}},
    {"core.wait_l2_bank", "L2 bank", "waited for requests in an L2 bank and its queues",
     {{"l2_hit_rate", "l2.hit_latency"}, "l2.hit_latency, not a queue: more warps a core hide it, a higher L1 hit rate avoids it"}},
    {"core.wait_dram_queue", "DRAM queue", "waited for requests in a DRAM controller's queue",
     {{"bus_use", "row_hit_rate", "l2_hit_rate"},
      "more L2 hits (l2.sets) or reuse of rows (--dram row-prefetch); more channels (l2.partitions) if the bus is full"}},
    {"core.wait_dram_service", "DRAM service", "waited for the DRAM to deliver data",
     {{"row_hit_rate", "bus_use", "l2_hit_rate"},
      "more requests under way (warps, l1.mshrs), or more reuse of rows and cache hits: schemes mrpb, best-swl"}},
    {"core.wait_noc_reply", "NoC reply", "waited for replies on their way back",
     {{"noc.reply_flits", "l1_miss_rate"}, "wider or faster ports (noc.flit_bytes, clock.noc), or fewer misses"}},
    {"core.wait_unresolved", "memory, open", "waited for loads whose data had not come when a CTA started or the run ended",
     {{"l1_miss_rate"}, "as for the other classes of memory, to which these cycles belong: the place of the data is known only when they arrive"}},
    {"core.wait_sync", "barrier, fence", "had all warps at barriers and fences",
     {{"core.barriers", "core.fences"}, "more CTAs a core, so that others work meanwhile"}},
    {"core.wait_end", "end of CTA", "waited for writes of warps that had ended",
     {{"core.stores"}, "more CTAs a core, so that others work meanwhile"}},
    {"core.no_warp_cycles", "no warp", "had no warp",
     {{"core.ctas", "gpu.launches"}, "a larger input (--size): the launches have too few CTAs for core.count cores, or end unevenly"}},
};

/* Reasons for which the L1 refused: the largest cause decides the remedy. */
static const struct remedy refusals[] = {
    {{"l1.fail_associativity", "l1_hit_rate"},
     "every line of the set waited for its fill: with scheme mrpb such reads bypass, with mdb-local all of some warps or CTAs, "
     "l1.ways adds room, best-swl limits the warps"},
    {{"l1.fail_mshr_full", "l1_hit_rate"}, "more l1.mshrs, or fewer warps at once (scheme best-swl) or in the L1 (mdb-local)"},
    {{"l1.fail_mshr_merge", "l1_pending_rate"}, "more accesses an MSHR: l1.mshr_merge"},
    {{"l1.fail_miss_queue", "noc_request_use", "l1.atomics"},
     "requests leave too slowly: l1.miss_queue, noc.flit_bytes, clock.noc; "
     "if the ports are little used, a hot line stalls them, as atomics on one word do"},
    {{"l1.fail_round", "mdb.bypass", "noc_request_use"},
     "bypassing accesses leave too slowly: l1.miss_queue, noc.flit_bytes, clock.noc, or more warps or CTAs that use the L1 (mdb.limit)"},
};

/* Reasons for which the L2 refused, likewise. */
static const struct remedy l2_refusals[] = {
    {{"l2.fail_associativity", "l2_hit_rate"}, "every line of the set waited for its fill: l2.ways, or l2.index = xor (--l2 xor)"},
    {{"l2.fail_mshr_full", "l2.mshrs", "dram.latency"}, "more l2.mshrs, which misses hold from the bank to the fill, or a shorter dram.latency"},
    {{"l2.fail_mshr_merge", "l2_pending_rate"}, "more requests an MSHR: l2.mshr_merge"},
    {{"l2.fail_miss_queue", "bus_use"}, "the DRAM takes misses too slowly: dram.queue, dram.return_queue, l2.miss_queue"},
    {{"l2.fail_reply_queue", "noc_reply_use"}, "the interconnect takes replies too slowly: noc.flit_bytes, clock.noc, l2.reply_ports, l2.reply_queue"},
};

/* Latencies that no queue causes. */
static const struct remedy rop_latency = {
    {"l2_queue_delay", "l2.rop_latency"}, "the fixed l2.rop_latency, hardly a queue: more warps a core hide it, fewer accesses beyond the L1 avoid it"};
static const struct remedy dram_latency = {
    {"l2_hit_rate", "dram.latency"},
    "the fixed dram.latency of each read that misses, hardly a queue: more warps a core hide it, a higher L2 hit rate (l2.sets) avoids it"};

/* A warp or scheduler starves if it has issued less than this share, in millionths, of the most
 * served one's instructions. */
#define STARVED 500000

static const struct starvation {
    const char *fairness; /* figure */
    const char *what;     /* before "of the most" */
    struct remedy remedy;
} by_order = {"scheduler_fairness", "the least served scheduler has issued",
              {{"issue.arbitration", "core.schedulers"},
               "the first scheduler goes first in each cycle, and its warps take the load/store "
               "unit: issue.arbitration = rotating (--issue rotating)"}},
  by_age = {"warp_fairness", "the least served one has issued",
            {{"issue.scheduler", "l1_hit_rate"},
             "older warps go first: nothing, where the L1 holds the data of a few warps alone; "
             "else issue.scheduler = lrr, which serves all alike"}};

/* Parts that can be saturated. The nearest to the DRAM comes first, because a part that is held up
 * refuses the requests that come to it. */
static const struct part {
    const char *use; /* figure */
    const char *what; /* before "of the time" */
    struct remedy remedy; /* without advice: as for the L2's refusals */
} parts[] = {
    {"bus_use", "The DRAM's data buses were taken",
     {{"dram_gb_per_s", "row_hit_rate", "l2_hit_rate"},
      "fewer bytes (more hits in L1 and L2), or a wider or faster DRAM (l2.partitions, clock.dram); more requests at once gain little"}},
    {"noc_reply_use", "The ports from the partitions to the interconnect were taken",
     {{"noc.reply_flits", "l1_miss_rate"}, "fewer misses, or more, wider or faster ports (l2.reply_ports, noc.flit_bytes, clock.noc)"}},
    {"noc_request_use", "The ports from the interconnect to the partitions were taken",
     {{"noc.request_flits", "l1_miss_rate", "l1.global_write_accesses"},
      "fewer misses and writes beyond the L1, or more, wider or faster ports (l2.ports, noc.flit_bytes, clock.noc)"}},
    {"l2_bank_use", "The L2 banks were taken",
     {{"l2_queue_delay", "l2.bank_interval"}, "more l2.banks, a shorter l2.bank_interval, or fewer accesses beyond the L1"}},
    {"l2_refused_rate", "The L2 banks had refused the request at their head", {{0}, NULL}},
};
/* clang-format on */
enum { WORK = 0, HELD = 2, CLASSES = sizeof classes / sizeof *classes, NO_WARP = CLASSES - 1 };

static uint64_t counter_value(const struct session *s, const char *counter) {
    size_t at;
    return stats_find(s->stats, counter, &at) ? s->values[at] : 0;
}

/* Prints "l2.rop_latency = 120", or nothing if there is no such key. */
static void print_key(const struct session *s, const char *name, const char *before, FILE *out) {
    char section[CONFIG_KEY_TEXT], text[CONFIG_KEY_TEXT];
    const char *dot = strchr(name, '.');
    snprintf(section, sizeof section, "%.*s", dot ? (int)(dot - name) : 0, name);
    int i = dot ? config_key_find(section, dot + 1) : -1;
    if (i >= 0) {
        fprintf(out, "%s%s = %s", before, name,
                config_value_text(&s->machine->config, (unsigned)i, text));
    }
}

/* Returns the value in millionths. False: the machine lacks a counter of it, or the divisor is
 * 0. */
static bool figure_millionths(const struct session *s, const char *name, uint64_t *value) {
    struct figure_ref ref;
    return figure_resolve(&ref, figure_find(name), s->stats) &&
           figure_value(&ref, s->values, s->cycles, &s->machine->config, value);
}

/* Prints "l1_hit_rate = 2.9 %" or "l1.fail_associativity = 8543515", or nothing if the machine
 * lacks it. */
static void print_evidence(const struct session *s, const char *name, const char *before,
                           FILE *out) {
    const struct figure *f = figure_find(name);
    uint64_t value;
    size_t at;
    if (!f && stats_find(s->stats, name, &at)) {
        fprintf(out, "%s%s = %" PRIu64, before, name, s->values[at]);
    } else if (!f) {
        print_key(s, name, before, out);
    } else if (figure_millionths(s, name, &value)) {
        bool share = !strncmp(f->unit, "of ", 3);
        fprintf(out, share ? "%s%s = %.1f %%" : "%s%s = %.3f", before, name,
                (double)value * (share ? 1e-4 : 1e-6));
    }
}

static double percent_of_cycles(uint64_t part, uint64_t whole) {
    return (double)figure_ratio(part, whole) * 1e-4;
}

static void print_class(const char *label, uint64_t cycles, uint64_t all, FILE *out) {
    char bar[BAR + 1];
    uint64_t length = all ? (cycles * BAR + all / 2) / all : 0;
    memset(bar, '#', BAR);
    bar[length < BAR ? length : BAR] = '\0';
    fprintf(out, "%-20s %14" PRIu64 "  %5.1f %%  %s\n", label, cycles,
            percent_of_cycles(cycles, all), bar);
}

/* Chooses the remedy whose first counter is largest. */
static const struct remedy *remedy_with_most(const struct session *s, const struct remedy *of,
                                             unsigned count) {
    const struct remedy *worst = of;
    for (unsigned i = 1; i < count; i++) {
        if (counter_value(s, of[i].evidence[0]) > counter_value(s, worst->evidence[0])) {
            worst = &of[i];
        }
    }
    return worst;
}

static const struct remedy *l1_remedy(const struct session *s) {
    return remedy_with_most(s, refusals, sizeof refusals / sizeof *refusals);
}

static const struct remedy *l2_remedy(const struct session *s) {
    return remedy_with_most(s, l2_refusals, sizeof l2_refusals / sizeof *l2_refusals);
}

/* Chooses the remedy by the larger part of the time from the port to the bank: fixed latency or
 * queue. */
static const struct remedy *l2_queue_remedy(const struct session *s, const struct remedy *queue) {
    uint64_t requests = counter_value(s, "l2.requests"), delay = counter_value(s, "l2.queue_delay");
    const struct remedy *refused = l2_remedy(s);
    return delay < requests * s->machine->config.l2.rop_latency ? &rop_latency
           : counter_value(s, refused->evidence[0])             ? refused
                                                                : queue;
}

/* Chooses the remedy by the larger latency in the bank and beside the DRAM: that of the reads that
 * miss, or of all. */
static const struct remedy *l2_bank_remedy(const struct session *s, const struct remedy *bank) {
    const struct config *c = &s->machine->config;
    uint64_t misses = counter_value(s, "l2.read_misses") + counter_value(s, "l2.read_pending_hits");
    uint64_t reads = misses + counter_value(s, "l2.read_hits");
    uint64_t in_dram = misses * c->dram.latency * c->clock.l2;
    return in_dram > reads * c->l2.hit_latency * c->clock.dram ? &dram_latency : bank;
}

static const struct remedy *remedy_of(const struct session *s, const struct class *c) {
    return !c->remedy.advice                           ? l1_remedy(s)
           : !strcmp(c->counter, "core.wait_l2_queue") ? l2_queue_remedy(s, &c->remedy)
           : !strcmp(c->counter, "core.wait_l2_bank")  ? l2_bank_remedy(s, &c->remedy)
                                                       : &c->remedy;
}

/* Prints how the machine's policies hold fewer warps: "a higher daws.factor, ". */
static void print_policies_advice(const struct session *s, FILE *out) {
    assert(!strcmp(classes[HELD].counter, "core.descheduled_cycles"));
    const struct policy_kind *kinds[POLICY_KINDS_MAX + 1];
    unsigned count = machine_policies(s->machine, kinds);
    for (unsigned i = 0; i < count; i++) {
        if (kinds[i]->advice) {
            fprintf(out, "%s, ", kinds[i]->advice);
        }
    }
}

static void print_remedy(const struct session *s, const struct remedy *r, FILE *out) {
    for (unsigned i = 0; i < EVIDENCE && r->evidence[i]; i++) {
        print_evidence(s, r->evidence[i], i ? ", " : ": ", out);
    }
    fprintf(out, ".\n              What attacks it: ");
    if (r == &classes[HELD].remedy) {
        print_policies_advice(s, out);
    }
    fprintf(out, "%s.\n", r->advice);
}

static void print_share(const struct session *s, const struct class *c, const char *title,
                        uint64_t all, FILE *out) {
    fprintf(out, "%s In %.1f %% of the core cycles a core %s", title,
            percent_of_cycles(counter_value(s, c->counter), all), c->what);
}

static void print_verdict(const struct session *s, const struct class *c, const char *title,
                          uint64_t all, FILE *out) {
    print_share(s, c, title, all, out);
    print_remedy(s, remedy_of(s, c), out);
}

/* Returns the class with the most cycles, two classes excepted. */
static const struct class *worst_of(const struct session *s, const struct class *but,
                                    const struct class *nor) {
    const struct class *worst = NULL;
    for (unsigned i = 0; i < CLASSES; i++) {
        const struct class *c = &classes[i];
        if (c != but && c != nor && counter_value(s, c->counter) &&
            (!worst || counter_value(s, c->counter) > counter_value(s, worst->counter))) {
            worst = c;
        }
    }
    return worst;
}

static const struct part *saturated_part(const struct session *s, uint64_t *use) {
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (figure_millionths(s, parts[i].use, use) && *use >= SATURATED) {
            return &parts[i];
        }
    }
    return NULL;
}

static void print_part(const struct session *s, const struct part *p, uint64_t use,
                       const char *title, FILE *out) {
    fprintf(out, "%s %s %.1f %% of the time", title, p->what, (double)use * 1e-4);
    print_remedy(s, p->remedy.advice ? &p->remedy : l2_remedy(s), out);
}

/* Adds a second cause when the first is a lack of work, or is work. If a part is saturated, the
 * waits at the cores follow from it. */
static void print_verdicts(const struct session *s, uint64_t all, uint64_t unknown, FILE *out) {
    const struct class *idle = &classes[NO_WARP], *work = &classes[WORK];
    const struct class *worst = worst_of(s, NULL, NULL);
    uint64_t use = 0;
    if (!worst || counter_value(s, worst->counter) < unknown) {
        fprintf(out, "Bottleneck    cannot be told: most cycles have no class\n");
        return;
    }
    const struct part *part = saturated_part(s, &use);
    bool first = worst == idle || worst == work;
    if (part && !first) {
        print_part(s, part, use, "Bottleneck   ", out);
        print_share(s, worst, "Seen as      ", all, out);
        fprintf(out, ".\n");
        return;
    }
    print_verdict(s, worst, "Bottleneck   ", all, out);
    const struct class *next = first ? worst_of(s, idle, work) : NULL;
    if (part) {
        print_part(s, part, use, "Then         ", out);
    } else if (next) {
        print_verdict(s, next, "Then         ", all, out);
    }
}

/* Names the schedulers or warps that lag behind, if the machine has a cause for it: the schedulers'
 * order, or an order of the warps. Programs of different lengths let warps lag behind too. */
static void print_starvation(const struct session *s, FILE *out) {
    const struct config *c = &s->machine->config;
    const struct starvation *const causes[] = {
        c->issue.arbitration == ARBITRATION_FIXED ? &by_order : NULL,
        c->issue.scheduler != SCHEDULER_LRR ? &by_age : NULL};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t share;
        if (causes[i] && figure_millionths(s, causes[i]->fairness, &share) && share < STARVED) {
            fprintf(out, "Starvation    When the first warp of a CTA ends, %s %.1f %% of the most",
                    causes[i]->what, (double)share * 1e-4);
            print_remedy(s, &causes[i]->remedy, out);
            return;
        }
    }
}

static void print_peaks(const struct session *s, FILE *out) {
    const struct config *c = &s->machine->config;
    double peak = (double)config_peak_dram_bytes_per_s(c) * 1e-9;
    uint64_t value;
    if (figure_millionths(s, "memory_latency", &value)) {
        fprintf(out, "Latency       %.0f core cycles, mean of %" PRIu64 " reads beyond the L1\n",
                (double)value * 1e-6, counter_value(s, "core.read_replies"));
    }
    if (figure_millionths(s, "dram_gb_per_s", &value)) {
        double used = (double)value * 1e-6;
        fprintf(out, "DRAM          %.1f of %.1f GB/s, %.1f %%\n", used, peak,
                peak > 0 ? used / peak * 100 : 0.0);
    }
    fprintf(out,
            "L1 MSHRs      %u a core; %" PRIu64 " cycles in which an access waited for one, all "
            "cores\n",
            c->l1.mshrs, counter_value(s, "l1.fail_mshr_full"));
}

void explain_session(const struct session *s, FILE *out) {
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
    print_starvation(s, out);
}
