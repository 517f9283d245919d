/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/study/sweep.h"
#include "config/derived.h"

#define MILLION UINT64_C(1000000)

static double percent_of_total(uint64_t part, uint64_t whole) {
    return (double)figure_ratio(part, whole) * 1e-4;
}

/* Names of the registry that the short report adds up or relates. */
struct figures {
    uint64_t reads, hits, pending, misses, bypasses;
    uint64_t dram_bytes, dram_commands, row_hits;
};

static struct figures figures_of(const struct stats *s) {
    struct figures f = {
        .hits = stats_get(s, "l1.read_hits"),
        .pending = stats_get(s, "l1.read_pending_hits"),
        .misses = stats_get(s, "l1.read_misses"),
        .bypasses = stats_get(s, "l1.read_bypasses"),
        .row_hits = stats_get(s, "dram.row_hits"),
    };
    f.reads = f.hits + f.pending + f.misses + f.bypasses;
    f.dram_bytes = stats_get(s, "dram.read_bytes") + stats_get(s, "dram.write_bytes");
    f.dram_commands = stats_get(s, "dram.reads") + stats_get(s, "dram.writes");
    return f;
}

static uint64_t value_or_0(const struct stats *s, const char *name) {
    size_t i;
    return stats_find(s, name, &i) ? stats_value(s, i) : 0;
}

/* Counters of a cache's accesses of one kind. */
struct looked_up {
    const char *title, *what, *hits, *pending, *misses;
};

static void short_looked_up(const struct stats *st, const struct looked_up *l, FILE *out) {
    uint64_t hits = value_or_0(st, l->hits), pending = value_or_0(st, l->pending);
    uint64_t misses = value_or_0(st, l->misses), all = hits + pending + misses;
    if (all) {
        fprintf(out, "%-13s %s %" PRIu64 ": hits %.1f %%, pending hits %.1f %%, misses %.1f %%\n",
                l->title, l->what, all, percent_of_total(hits, all), percent_of_total(pending, all),
                percent_of_total(misses, all));
    }
}

#define LOOKED_UP(title, what, counter) \
    { title, what, counter "hits", counter "pending_hits", counter "misses" }

/* Prints writes that end in the L1, and first-level caches of other spaces. */
static void short_spaces(const struct stats *st, FILE *out) {
    static const struct looked_up spaces[] = {
        LOOKED_UP("L1 writes", "kept", "l1.write_"),
        LOOKED_UP("L1 local", "reads", "l1.local_read_"),
        LOOKED_UP("L1 constant", "reads", "constant."),
        LOOKED_UP("L1 texture", "reads", "texture."),
    };
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        short_looked_up(st, &spaces[i], out);
    }
    if (value_or_0(st, "shared.instructions")) {
        fprintf(out,
                "shared        instructions %" PRIu64 ", cycles of bank conflicts %" PRIu64 "\n",
                value_or_0(st, "shared.instructions"), value_or_0(st, "shared.conflict_cycles"));
    }
}

static void short_l2(const struct stats *st, FILE *out) {
    static const struct looked_up kinds[] = {
        LOOKED_UP("L2", "reads", "l2.read_"),
        LOOKED_UP("L2", "writes", "l2.write_"),
        LOOKED_UP("L2", "atomics", "l2.atomic_"),
        LOOKED_UP("L2", "write-backs of L1s", "l2.l1_writeback_"),
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        short_looked_up(st, &kinds[i], out);
    }
    uint64_t reads = value_or_0(st, "l2.bypass_reads"), writes = value_or_0(st, "l2.bypass_writes");
    if (reads + writes) {
        fprintf(out, "L2 bypasses   reads %" PRIu64 ", writes %" PRIu64 "\n", reads, writes);
    }
}

/* Returns a figure of the table. False: the machine lacks its counters, or nothing was counted. */
static bool figure_double(const struct session *s, const char *name, double *value) {
    struct figure_ref ref;
    uint64_t millionths;
    if (!figure_resolve(&ref, figure_find(name), s->stats) ||
        !figure_value(&ref, s->values, s->cycles, &s->machine->config, &millionths)) {
        return false;
    }
    *value = (double)millionths * 1e-6;
    return true;
}

static void short_figures(const struct session *s, FILE *out) {
    double latency, parallelism, bus;
    if (figure_double(s, "memory_latency", &latency)) {
        fprintf(out, "latency       %.0f core cycles, mean of the reads beyond the L1\n", latency);
    }
    if (figure_double(s, "blp", &parallelism) && figure_double(s, "bus_use", &bus)) {
        fprintf(out, "parallelism   %.2f DRAM banks of a channel at work; bus use %.1f %%\n",
                parallelism, bus * 100);
    }
    fprintf(
        out,
        "energy        %.3f mJ to move data: L1 %.1f %%, NoC %.1f %%, L2 %.1f %%, DRAM %.1f %%\n",
        (double)stats_get(s->stats, "energy.total") * 1e-9,
        percent_of_total(stats_get(s->stats, "energy.l1"), stats_get(s->stats, "energy.total")),
        percent_of_total(stats_get(s->stats, "energy.noc"), stats_get(s->stats, "energy.total")),
        percent_of_total(stats_get(s->stats, "energy.l2"), stats_get(s->stats, "energy.total")),
        percent_of_total(stats_get(s->stats, "energy.dram"), stats_get(s->stats, "energy.total")));
}

static void short_memory(const struct session *s, FILE *out) {
    const struct config *c = &s->machine->config;
    const struct stats *st = s->stats;
    struct figures f = figures_of(st);
    double seconds = (double)s->cycles / ((double)c->clock.core * 1e3);
    fprintf(out,
            "L1 reads      %" PRIu64
            ": hits %.1f %%, pending hits %.1f %%, misses %.1f %%, bypasses "
            "%.1f %%\n",
            f.reads, percent_of_total(f.hits, f.reads), percent_of_total(f.pending, f.reads),
            percent_of_total(f.misses, f.reads), percent_of_total(f.bypasses, f.reads));
    fprintf(out,
            "L1 refusals   associativity %" PRIu64 ", MSHRs full %" PRIu64 ", merge limit %" PRIu64
            ", miss queue %" PRIu64 "\n",
            stats_get(st, "l1.fail_associativity"), stats_get(st, "l1.fail_mshr_full"),
            stats_get(st, "l1.fail_mshr_merge"), stats_get(st, "l1.fail_miss_queue"));
    short_spaces(st, out);
    short_l2(st, out);
    fprintf(out, "NoC           request flits %" PRIu64 ", reply flits %" PRIu64 "\n",
            stats_get(st, "noc.request_flits"), stats_get(st, "noc.reply_flits"));
    fprintf(out,
            "DRAM          read %" PRIu64 " bytes, write %" PRIu64
            " bytes; row hits %.1f %%; %.1f of %.1f GB/s\n",
            stats_get(st, "dram.read_bytes"), stats_get(st, "dram.write_bytes"),
            percent_of_total(f.row_hits, f.dram_commands),
            seconds > 0 ? (double)f.dram_bytes / seconds * 1e-9 : 0.0,
            (double)config_peak_dram_bytes_per_s(c) * 1e-9);
    short_figures(s, out);
}

enum { LINE_COLUMNS = 100 };

/* Prints "core.count=2 (14), ..." of the keys that the preset has otherwise, changed by the scheme
 * or by anything else. */
static void report_differences(const struct machine *m, const char *title, bool by_scheme,
                               FILE *out) {
    char key[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT], base[CONFIG_KEY_TEXT];
    char text[3 * CONFIG_KEY_TEXT + 8];
    int column = 0;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!machine_differs(m, i) || (m->by[i] == BY_SCHEME) != by_scheme) {
            continue;
        }
        int length =
            snprintf(text, sizeof text, "%s=%s (%s)", config_key_text(i, key),
                     config_value_text(&m->config, i, value), config_value_text(&m->base, i, base));
        if (column && column + 2 + length <= LINE_COLUMNS) {
            column += fprintf(out, ", %s", text);
        } else {
            fputs(column ? ",\n" : "", out);
            column = fprintf(out, "%-13s %s", column ? "" : title, text);
        }
    }
    fputs(column ? "\n" : "", out);
}

static void report_machine(const struct machine *m, FILE *out) {
    bool named = strcmp(m->name, m->preset) != 0;
    fprintf(out, "machine       %s%s%s: %s\n", m->name, named ? ", based on " : "",
            named ? m->preset : "", m->about);
    report_differences(m, "  differs in", false, out);
    fprintf(out, "scheme        %s, config %016" PRIx64 "\n", m->scheme, config_hash(&m->config));
    report_differences(m, "  sets", true, out);
}

static void report_sweep(const struct session *s, FILE *out) {
    const struct sweep *sweep = s->sweep;
    unsigned ran = 0;
    for (unsigned i = 0; sweep && i < sweep->count; i++) {
        ran += sweep->run[i].ran;
    }
    if (sweep && sweep->best < sweep->count) {
        fprintf(out, "sweep         %s = %u: fewest cycles of %u runs\n", sweep->key,
                sweep->run[sweep->best].value, ran);
    } else if (sweep) {
        fprintf(out, "sweep         %s: none of %u runs came to its end\n", sweep->key, ran);
    }
}

void report_short(const struct session *s, FILE *out) {
    const struct session_options *o = s->options;
    uint64_t ipc = figure_ratio(s->thread_instructions, s->cycles);
    report_machine(s->machine, out);
    fprintf(out, "workload      %s %s (%s), seed %llu\n", o->workload->name, o->size_text,
            o->workload->size_text[o->size], o->seed);
    report_sweep(s, out);
    fprintf(out, "cycles        %" PRIu64 "%s\n", s->cycles, s->complete ? "" : " (incomplete)");
    if (session_capped(s->stats)) {
        fprintf(out, "capped        %" PRIu64 " launches cut at --max-insn-per-kernel %llu\n",
                session_capped(s->stats), o->max_insn_per_kernel);
    }
    fprintf(out, "instructions  warp %" PRIu64 ", thread %" PRIu64 "\n", s->warp_instructions,
            s->thread_instructions);
    fprintf(out, "IPC           %" PRIu64 ".%06" PRIu64 " thread instructions a core cycle\n",
            ipc / MILLION, ipc % MILLION);
    short_memory(s, out);
    fprintf(out, "%s: %s\n",
            o->trace.path ? "instructions equal the trace's totals" : "results equal plain C",
            s->complete ? "yes" : "not checked, incomplete");
}

void report_stats(const struct stats *stats, FILE *out) {
    int width = 0;
    for (size_t i = 0; i < stats_count(stats); i++) {
        int length = (int)strlen(stats_at(stats, i)->name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < stats_count(stats); i++) {
        const struct stat_desc *d = stats_at(stats, i);
        fprintf(out, "%-*s %14" PRIu64 " %s\n", width, d->name, stats_value(stats, i), d->unit);
    }
}

void report_kernels(const struct session *s, FILE *out) {
    int width = (int)strlen("kernel");
    for (unsigned i = 0; i < s->kernels.count; i++) {
        int length = (int)strlen(s->kernels.kernel[i].name);
        width = length > width ? length : width;
    }
    fprintf(out, "%-*s %9s %14s %14s %14s %14s\n", width, "kernel", "launches", "cycles",
            "warp insns", "thread insns", "IPC");
    for (unsigned i = 0; i < s->kernels.count; i++) {
        const struct gpu_kernel *k = &s->kernels.kernel[i];
        uint64_t ipc = figure_ratio(k->thread_instructions, k->cycles);
        fprintf(out,
                "%-*s %9" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %7" PRIu64
                ".%06" PRIu64 "%s\n",
                width, k->name, k->launches, k->cycles, k->warp_instructions,
                k->thread_instructions, ipc / MILLION, ipc % MILLION,
                !k->complete         ? " (incomplete)"
                : k->capped_launches ? " (capped)"
                                     : "");
    }
}

static void write_result_row(const char *name, const char *value, const char *unit, char between,
                             FILE *out) {
    output_field(name, between, out);
    fputc(between, out);
    output_field(value, between, out);
    fputc(between, out);
    output_field(unit, between, out);
    fputc('\n', out);
}

static void write_result_number(const char *name, uint64_t value, const char *unit, char between,
                                FILE *out) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    write_result_row(name, text, unit, between, out);
}

static void write_result_rows(const struct session *s, char between, FILE *out) {
    const struct session_options *o = s->options;
    uint64_t ipc = figure_ratio(s->thread_instructions, s->cycles);
    char hash[17], rate[32], key[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT];
    snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(&s->machine->config));
    snprintf(rate, sizeof rate, "%" PRIu64 ".%06" PRIu64, ipc / MILLION, ipc % MILLION);
    write_result_row("name", "value", "unit", between, out);
    write_result_row("workload", o->workload->name, "", between, out);
    write_result_row("size", o->size_text, "", between, out);
    write_result_number("seed", o->seed, "", between, out);
    write_result_row("machine", s->machine->name, "", between, out);
    write_result_row("base", s->machine->preset, "", between, out);
    write_result_row("scheme", s->machine->scheme, "", between, out);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (machine_differs(s->machine, i)) {
            write_result_row(config_key_text(i, key),
                             config_value_text(&s->machine->config, i, value), "key", between, out);
        }
    }
    write_result_row("config_hash", hash, "", between, out);
    write_result_row("complete", s->complete ? "true" : "false", "", between, out);
    write_result_number("cycles", s->cycles, "core cycles", between, out);
    write_result_number("warp_instructions", s->warp_instructions, "instructions", between, out);
    write_result_number("thread_instructions", s->thread_instructions, "instructions", between,
                        out);
    write_result_row("ipc", rate, "thread instructions a core cycle", between, out);
    for (size_t i = 0; i < stats_count(s->stats); i++) {
        const struct stat_desc *d = stats_at(s->stats, i);
        write_result_number(d->name, stats_value(s->stats, i), d->unit, between, out);
    }
}

void report_csv(const struct session *s, FILE *out) {
    write_result_rows(s, ',', out);
}

void report_tsv(const struct session *s, FILE *out) {
    write_result_rows(s, '\t', out);
}
