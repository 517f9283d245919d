/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/characterize_report.h"

enum { BAR = 40, TITLE = 20 };

static double percent_of_count(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double mean_of(uint64_t sum, uint64_t count) {
    return count ? (double)sum / (double)count : 0;
}

/* Prints a line of a histogram, unless it is empty. The title appears once. */
static void print_bar(FILE *out, const char **title, const char *label, uint64_t part,
                      uint64_t whole) {
    static const char full[BAR + 1] = "########################################";
    if (!part) {
        return;
    }
    int length = (int)(percent_of_count(part, whole) * BAR / 100 + 0.5);
    fprintf(out, "  %-*s%13s |%-*.*s| %5.1f %%  %" PRIu64 "\n", TITLE, *title, label, BAR, length,
            full, percent_of_count(part, whole), part);
    *title = "";
}

static uint64_t sum_of(const uint64_t *counts, unsigned first, unsigned last) {
    uint64_t sum = 0;
    for (unsigned i = first; i <= last; i++) {
        sum += counts[i];
    }
    return sum;
}

static const char *range_text(char *text, size_t size, unsigned first, unsigned last) {
    if (first == last) {
        snprintf(text, size, "%u", first);
    } else {
        snprintf(text, size, "%u-%u", first, last);
    }
    return text;
}

/* Prints bars of counts[i], i in the ranges that end at the given numbers; the first begins at
 * 1. */
static void print_bars(FILE *out, const char *title, const uint64_t *counts, const unsigned *ends,
                       unsigned ranges) {
    char label[32];
    uint64_t whole = sum_of(counts, 1, ends[ranges - 1]);
    for (unsigned i = 0; i < ranges; i++) {
        unsigned first = i ? ends[i - 1] + 1 : 1;
        print_bar(out, &title, range_text(label, sizeof label, first, ends[i]),
                  sum_of(counts, first, ends[i]), whole);
    }
}

static void text_instructions(const struct kernel_counts *k, FILE *out) {
    static const unsigned ends[] = {4, 8, 12, 16, 20, 24, 28, 31, 32};
    const struct lane_counts *l = &k->lanes;
    fprintf(out,
            "  %-*swarps %" PRIu64 ", threads %" PRIu64 "; arithmetic %.1f %%, branches %.1f %%\n",
            TITLE, "instructions", l->warp_instructions, l->thread_instructions,
            percent_of_count(l->arithmetic, l->warp_instructions),
            percent_of_count(l->branches, l->warp_instructions));
    fprintf(out,
            "  %-*sdivergent branches %" PRIu64 " of %" PRIu64 " (%.1f %%), barriers %" PRIu64
            ", fences %" PRIu64 "\n",
            TITLE, "", l->divergent_branches, l->branches,
            percent_of_count(l->divergent_branches, l->branches), l->barriers, l->fences);
    print_bars(out, "active lanes", l->lanes, ends, sizeof ends / sizeof *ends);
}

static void text_memory(const struct kernel_counts *k, FILE *out) {
    static const unsigned ends[] = {1, 2, 4, 8, 16, 24, 31, 32, LINES_MAX};
    static const char *const titles[] = {"lines a load", "lines a store", "accesses an atomic"};
    const struct line_counts *l = &k->lines;
    const char *title = "memory";
    uint64_t all = 0, accesses = 0;
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
            uint64_t n = l->instructions[space][kind];
            all += n;
            accesses += l->accesses[space][kind];
            if (n) {
                fprintf(out, "  %-*s%8s %-6s %12" PRIu64 " instructions", TITLE, title,
                        character_space[space], character_kind[kind], n);
                if (space != SPACE_SHARED) {
                    fprintf(out, " %12" PRIu64 " accesses, %.2f each", l->accesses[space][kind],
                            mean_of(l->accesses[space][kind], n));
                }
                fputc('\n', out);
                title = "";
            }
        }
    }
    fprintf(out, "  %-*s%.2f a memory instruction, %.2f an access\n", TITLE, "arithmetic",
            mean_of(k->lanes.arithmetic, all), mean_of(k->lanes.arithmetic, accesses));
    for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
        print_bars(out, titles[kind], l->histogram[kind], ends, sizeof ends / sizeof *ends);
    }
}

static void text_footprint(const struct kernel_counts *k, unsigned line_bytes, FILE *out) {
    const struct footprint *f = &k->footprint;
    fprintf(out, "  %-*s%" PRIu32 " lines, %.2f MB; a warp %.1f lines, at most %" PRIu32 "\n",
            TITLE, "footprint", f->lines.count, (double)f->lines.count * line_bytes * 1e-6,
            mean_of(f->warp_lines, f->warps), f->warp_most);
}

static uint64_t touches_of_lines(const struct reuse_counts *r) {
    uint64_t all = r->first + r->far;
    for (unsigned by = 0; by < REUSE_BY_COUNT; by++) {
        all += sum_of(r->near[by], 0, REUSE_BUCKETS - 1);
    }
    return all;
}

static const char *distance_text(char *text, size_t size, unsigned bucket) {
    unsigned first = reuse_bucket_least(bucket);
    return range_text(text, size, first, bucket < 2 ? first : 2 * first - 1);
}

static void text_own_reuse(const struct kernel_counts *k, FILE *out) {
    const char *title = "reuse, own warp";
    char label[32];
    uint64_t all = touches_of_lines(&k->own);
    print_bar(out, &title, "first", k->own.first, all);
    for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
        print_bar(out, &title, distance_text(label, sizeof label, i), k->own.near[0][i], all);
    }
    print_bar(out, &title, "farther", k->own.far, all);
}

/* Prints the hit rate of a cache of so many lines beside the classes. */
static void text_core_reuse(const struct kernel_counts *k, FILE *out) {
    const struct reuse_counts *r = &k->core;
    char label[32];
    uint64_t all = touches_of_lines(r), so_far = 0;
    if (!all) {
        return;
    }
    fprintf(out, "  %-*s%13s %10s %10s %10s %10s\n", TITLE, "reuse on a core", "distance",
            "same warp", "same CTA", "other CTA", "so far");
    for (unsigned i = 0; i < REUSE_BUCKETS; i++) {
        uint64_t here = r->near[0][i] + r->near[1][i] + r->near[2][i];
        so_far += here;
        if (here) {
            fprintf(out, "  %-*s%13s %8.1f %% %8.1f %% %8.1f %% %8.1f %%\n", TITLE, "",
                    distance_text(label, sizeof label, i), percent_of_count(r->near[0][i], all),
                    percent_of_count(r->near[1][i], all), percent_of_count(r->near[2][i], all),
                    percent_of_count(so_far, all));
        }
    }
    fprintf(out, "  %-*s%13s %8.1f %%; first touches %.1f %%\n", TITLE, "", "farther",
            percent_of_count(r->far, all), percent_of_count(r->first, all));
}

static void text_rows(const struct kernel_counts *k, FILE *out) {
    if (k->rows.rows) {
        fprintf(out, "  %-*s%" PRIu64 "; CTAs a row %.2f; consecutive CTAs %.1f %% of them\n",
                TITLE, "DRAM rows", k->rows.rows, mean_of(k->rows.ctas, k->rows.rows),
                100 * k->rows.shares / (double)k->rows.rows);
    }
}

static void text_replay(const struct kernel_counts *k, FILE *out) {
    static const char *const names[] = {"all in turn", "groups, miss", "groups, old",
                                        "groups, end"};
    const char *title = "L1s without time";
    uint64_t before = replay_misses(&k->replay[ORDER_ROUND_ROBIN]);
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        const struct replay_counts *r = &k->replay[i];
        uint64_t all = r->reads + r->writes + r->texture + r->constant, misses = replay_misses(r);
        if (all) {
            fprintf(out, "  %-*s%13s  misses %.2f %% of %" PRIu64 ", %+.1f %%\n", TITLE, title,
                    names[i], percent_of_count(misses, all), all,
                    percent_of_count(misses, before) - (before ? 100 : 0));
            title = "";
        }
    }
}

static void text_counts(const struct kernel_counts *k, unsigned line_bytes, FILE *out) {
    text_instructions(k, out);
    text_memory(k, out);
    text_footprint(k, line_bytes, out);
    text_own_reuse(k, out);
    text_core_reuse(k, out);
    text_rows(k, out);
    text_replay(k, out);
}

static void text_loops(const struct kernel_counts *k, FILE *out) {
    if (k->loops.count) {
        fprintf(out, "  %-*s%8s %10s %10s %7s %9s %9s %9s %7s %7s %7s\n", TITLE, "loops", "pc",
                "entries", "trips each", "lanes", "lines", "live", "predicted", "this", "last",
                "older");
    }
    for (unsigned i = 0; i < k->loops.count; i++) {
        const struct loop *l = &k->loops.loop[i];
        uint64_t trips = loop_sum(l->trips), entries = loop_sum(l->entries), lanes = 0;
        for (unsigned n = 1; n <= WARP_SIZE; n++) {
            lanes += n * l->trips[n];
        }
        fprintf(out,
                "  %-*s%8" PRIu32 " %10" PRIu64
                " %10.1f %7.1f %9.1f %9.1f %9.1f %5.1f %% %5.1f %% %5.1f %%\n",
                TITLE, "", k->code.insns[l->insn].pc, entries, mean_of(trips, entries),
                mean_of(lanes, trips), mean_of(l->trip_lines, trips), mean_of(l->live_lines, trips),
                mean_of(loop_footprint_sum(l), trips), percent_of_count(l->this_trip, l->accesses),
                percent_of_count(l->last_trip, l->accesses),
                percent_of_count(l->earlier, l->accesses));
    }
}

static void text_memory_instructions(const struct kernel_counts *k, FILE *out) {
    const char *title = "each instruction";
    for (unsigned i = 0; i < k->code.insn_count; i++) {
        const struct insn *insn = &k->code.insns[i];
        const struct static_access *s = &k->insn[i];
        if (!insn_is_memory(insn) || !s->executions) {
            continue;
        }
        if (*title) {
            fprintf(out, "  %-*s%8s %-6s %-8s %5s %12s %9s %9s %6s\n", TITLE, title, "pc", "kind",
                    "space", "width", "executions", "lanes", "accesses", "most");
            title = "";
        }
        fprintf(out, "  %-*s%8" PRIu32 " %-6s %-8s %5u %12" PRIu64 " %9.2f %9.2f %6u%s\n", TITLE,
                "", insn->pc, character_kind[access_kind(insn)], character_space[insn->space],
                insn->width, s->executions, mean_of(s->lanes, s->executions),
                mean_of(s->accesses, s->executions), s->most, insn->uncached ? "  uncached" : "");
    }
}

static void text_head(const char *what, const struct kernel_counts *k, FILE *out) {
    char shown[256], threads[32];
    fprintf(out,
            "\n%s: %" PRIu64 " launch%s, %" PRIu64 " CTA%s of %s threads, %" PRIu64
            " warp%s; a core holds %s%u CTA%s\n",
            text_shown(shown, sizeof shown, what), k->launches, k->launches == 1 ? "" : "es",
            k->ctas, k->ctas == 1 ? "" : "s",
            range_text(threads, sizeof threads, k->block_least, k->block_most), k->warps,
            k->warps == 1 ? "" : "s", k->block_least == k->block_most ? "" : "at most ",
            k->resident_most, k->resident_most == 1 ? "" : "s");
}

void character_text(struct characterize *c, const struct session_options *o,
                    const struct machine *m, bool complete, FILE *out) {
    unsigned bytes = m->config.l1.line_bytes, lines = m->config.l1.sets * m->config.l1.ways;
    fprintf(out, "%s %s, seed %llu, on %s: lines of %u bytes, %u of them in an L1, %u cores\n",
            o->workload->name, o->size_text, o->seed, m->name, bytes, lines, m->config.core.count);
    if (!complete) {
        fprintf(out, "only the first %llu thread instruction%s, and the rest of the CTA\n",
                o->max_insn, o->max_insn == 1 ? "" : "s");
    }
    if (characterize_kernel(c, 1)) {
        const struct kernel_counts *total = characterize_total(c);
        text_head("the whole program", total, out);
        text_counts(total, bytes, out);
    }
    for (unsigned i = 0; characterize_kernel(c, i); i++) {
        const struct kernel_counts *k = characterize_kernel(c, i);
        text_head(k->code.name, k, out);
        text_counts(k, bytes, out);
        text_loops(k, out);
        text_memory_instructions(k, out);
    }
}
