/* SPDX-License-Identifier: Apache-2.0
 *
 * The accesses of the MARS programs, beside the measurements of the suite's own inputs.
 */
#include <math.h>

#include "workloads/mars/iix.h"

#include "workloads/mars_records.h"

enum { GLOBAL = SPACE_GLOBAL };

/* The lines of the log, 10,000 of them. */
TEST(lines_of_the_log_are_as_long_as_the_suites) {
    struct program p;
    records_open("pvc", &p, SIZE_SMALL);
    const struct mars *m = p.self;
    const struct mars_pair *value = m->call[0].in.values.data;
    const unsigned n = m->call[0].in.count;
    int32_t low = INT32_MAX, high = 0;
    unsigned sum = 0;
    assert_int_equal(n, 10000);
    for (unsigned i = 0; i < n; i++) {
        low = value[i].x < low ? value[i].x : low;
        high = value[i].x > high ? value[i].x : high;
        sum += (unsigned)value[i].x;
    }
    print_message("lines of %d .. %d bytes\n", (int)low, (int)high);
    is_near(ratio_of(sum, n), 50.09, 0.05, "bytes a line");
    assert_true(low >= 43 && low <= 46); /* 44 in the suite's; of one line in thousands */
    assert_int_equal(high, 53);
    workload_close(workload_find("pvc"), &p);
}

/* Loads of one byte of pvc_map in its code: the hash of the line, 12 + 8 bytes that are emitted,
 * the search for the end of the page, of the address, the hash of the page, 12 bytes emitted. */
enum { LINE_HASH = 0, PAGE_SCAN = 21, PAGE_HASH = 23 };

TEST(pvc_reads_its_lines_of_the_cache_again_and_again) {
    static struct probe probe[] = {
        {"pvc_map", OP_LOAD, GLOBAL, 1, LINE_HASH, 0, .ops = 0},
        {"pvc_map", OP_LOAD, GLOBAL, 1, PAGE_SCAN, 1, .ops = 0},
        {"pvc_map", OP_LOAD, GLOBAL, 1, PAGE_HASH, 1, .ops = 0},
    };
    struct program p;
    probe_run("pvc", SIZE_SMALL, &p, probe, 3);
    const struct probe *line = &probe[0], *page = &probe[1], *again = &probe[2];
    is_near(ratio_of(line->ops, line->warps), 52.1, 0.2, "line: iterations a warp");
    is_near(ratio_of(line->lanes, line->ops), 30.8, 0.1, "line: lanes");
    is_near(ratio_of(line->lines, line->ops), 12.83, 0.1, "line: lines an access");
    is_near(ratio_of(line->distinct, line->warps), 13.5, 0.1, "line: different lines a warp");
    /* 33 where one of 24 pages in 1024 is there: by the hash, which depends on where the digits
     * are, these are less evenly spread than at random (32.53). */
    is_near(ratio_of(page->ops, page->warps), 32.5, 0.25, "page: iterations a warp");
    is_near(ratio_of(page->lanes, page->ops), 31.4, 0.2, "page: lanes");
    /* Two lanes may have the same of 3900 lines in all. */
    is_near(ratio_of(page->lines, page->ops), 31.3, 0.25, "page: lines an access");
    is_near(ratio_of(page->distinct, page->warps), 39.6, 0.5, "page: different lines a warp");
    assert_int_equal(again->ops, page->ops);
    assert_int_equal(again->lines, page->lines);
    workload_close(workload_find("pvc"), &p);
}

struct widths {
    unsigned lanes[2][SPACE_COUNT][17];
};

static void count_map_widths(void *self, const struct place *at) {
    struct widths *w = self;
    const struct insn *i = at->op->insn;
    static const char map[] = "_map";
    const char *name = at->what->code->name;
    if (insn_is_memory(i) && strcmp(name + strlen(name) - strlen(map), map) == 0) {
        w->lanes[i->op == OP_STORE][i->space][i->width] += record_lanes(at);
    }
}

/* PVC at tiny, both calls: 12 + 8 and 12 + 4 bytes emitted, the 4 from shared memory. */
TEST(emit_copies_a_record_byte_by_byte) {
    struct program p;
    static struct widths w;
    records_open("pvc", &p, SIZE_TINY);
    const struct mars *m = p.self;
    const unsigned n = m->call[0].in.count;
    unsigned line = 0, page = 0, address = 0;
    records_run(&p, (struct run_order){.skipped = -1}, count_map_widths, &w);
    for (unsigned i = 0; i < n; i++) {
        const struct mars_pair *value = m->call[0].in.values.data;
        const struct mars_text_key *key = m->call[1].in.keys.data;
        const int32_t *address_at = (int32_t *)m->call[1].out[MARS_MAP].records.values.data;
        const char *text = (const char *)m->host.memory.block[0] + address_at[i];
        line += (unsigned)value[i].x;
        page += (unsigned)(address_at[i] - key[i].offset);
        address += (unsigned)strlen(text) + 2; /* from the NUL before to the TAB behind */
    }
    /* The line hashed; the page searched and hashed; the address searched. */
    assert_int_equal(w.lanes[0][GLOBAL][1], line + 2 * page + address + n * (20 + 12));
    assert_int_equal(w.lanes[0][SPACE_SHARED][1], n * 4);
    assert_int_equal(w.lanes[1][GLOBAL][1], n * (20 + 16) + n * 2); /* two TABs become NULs */
    /* A call: the thread's first entry and the record's, then the entry's and the one before. */
    assert_int_equal(w.lanes[0][GLOBAL][16], 2 * n * (2 + 2));
    assert_int_equal(w.lanes[1][GLOBAL][16], 2 * n * (1 + 1));
    assert_int_equal(w.lanes[0][GLOBAL][8], 2 * n);
    assert_int_equal(w.lanes[1][GLOBAL][8], 2 * n);
    /* Sums: 3 in the head, 2 + 2 in EMIT; key and value: 3 words, and the line's length. */
    assert_int_equal(w.lanes[0][GLOBAL][4], 2 * n * (3 + 4 + 3) + n);
    assert_int_equal(w.lanes[1][GLOBAL][4], 2 * n * (1 + 1)); /* hash, records so far */
    workload_close(workload_find("pvc"), &p);
}

/* Rows of 512 bytes: the second row's loads are in 32 lines, of 8 sets of 32. */
TEST(ssc_reads_32_rows_that_meet_in_few_sets) {
    static struct probe probe[] = {
        {"ssc_map", OP_LOAD, GLOBAL, 16, 2, 0, .ops = 0},
        {"ssc_map", OP_LOAD, GLOBAL, 16, 3, 0, .ops = 0},
    };
    struct program p;
    probe_run("ssc", SIZE_SMALL, &p, probe, 2);
    const unsigned d = 256, warps = d * (d - 1) / 2 / WARP_SIZE;
    const struct mars *m = p.self;
    const int32_t(*pair)[4] = m->call[0].in.values.data;
    unsigned first = 0, second = 0;
    for (unsigned w = 0; w < warps; w++) {
        bool row[2][256] = {{false}};
        for (unsigned l = 0; l < WARP_SIZE; l++) {
            const int32_t *at = pair[w * WARP_SIZE + l];
            first += !row[0][at[0]];
            second += !row[1][at[1]];
            row[0][at[0]] = row[1][at[1]] = true;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(probe[i].warps, warps);
        assert_int_equal(probe[i].ops, warps * 128 / 4);
        assert_int_equal(probe[i].lanes, probe[i].ops * WARP_SIZE);
    }
    assert_int_equal(probe[0].lines, first * 32);
    assert_int_equal(probe[1].lines, second * 32);
    /* The first warp's first load, then those of 7 more in the same lines. */
    assert_int_equal(probe[1].distinct, second * 4);
    print_message("first row %.2f lines, second %.2f\n", ratio_of(first, warps),
                  ratio_of(second, warps));
    assert_true(second > warps * 31 && first < warps * 2);
    workload_close(workload_find("ssc"), &p);
}

struct row_sets {
    unsigned loads, fewest, most;
};

/* Sets of 32 that a whole warp's load of the second row meets. */
static void count_sets(void *self, const struct place *at) {
    struct row_sets *c = self;
    const struct insn *i = at->op->insn;
    uint64_t address[WARP_SIZE];
    bool set[32] = {false};
    unsigned sets = 0, loads = 0;
    if (strcmp(at->what->code->name, "ssc_map") != 0 || i->op != OP_LOAD || i->width != 16) {
        return;
    }
    for (const struct insn *before = at->what->code->insns; before < i; before++) {
        loads += before->op == OP_LOAD && before->width == 16;
    }
    /* Behind two loads of directories and the first row's; a warp with one first row has 32. */
    if (loads != 3 || at->cta > 0 || at->warp > 0) {
        return;
    }
    warp_op_addresses(at->op, address);
    for (unsigned l = 0; l < WARP_SIZE; l++) {
        sets += !set[address[l] / LINE_BYTES % 32];
        set[address[l] / LINE_BYTES % 32] = true;
    }
    c->loads++;
    c->fewest = sets < c->fewest ? sets : c->fewest;
    c->most = sets > c->most ? sets : c->most;
}

/* Rows of 128 numbers are 4 lines apart: a load of 32 of them meets each fourth set. */
TEST(ssc_rows_are_in_a_quarter_of_the_sets) {
    struct program p;
    struct row_sets c = {.fewest = 32};
    records_open("ssc", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_sets, &c);
    assert_int_equal(c.loads, 128 / 4);
    assert_int_equal(c.fewest, 32 / 4);
    assert_int_equal(c.most, 32 / 4);
    workload_close(workload_find("ssc"), &p);
}

static int by_descending_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (y > x) - (y < x);
}

/* Groups of scores that are no further apart than 1e-7 from one to the next, some not equal. */
TEST(ssc_groups_what_is_nearly_equal) {
    struct program p;
    probe_run("ssc", SIZE_SMALL, &p, NULL, 0);
    const struct mars *m = p.self;
    const struct mars_group *g = &m->call[0].group;
    const float *score = g->sorted.keys.data;
    const struct mars_pair *range = g->range.data;
    unsigned unequal = 0;
    for (unsigned i = 0; i < g->count; i++) {
        for (int32_t at = range[i].x + 1; at < range[i].y; at++) {
            assert_true(fabs((double)score[at] - (double)score[at - 1]) < 1e-7);
            unequal += score[at] != score[at - 1];
        }
        assert_true(i == 0 || score[range[i].x - 1] - score[range[i].x] > 1e-7f);
    }
    print_message("%u scores in %u groups, %u times not equal\n", g->sorted.count, g->count,
                  unequal);
    assert_true(unequal > 100);
    workload_close(workload_find("ssc"), &p);
}

/* The network with a comparison that is no order still comes within it of the sorted scores. */
TEST(ssc_sorts_to_within_its_tolerance) {
    struct program p;
    probe_run("ssc", SIZE_SMALL, &p, NULL, 0);
    const struct mars *m = p.self;
    const struct mars_records *r = &m->call[0].group.sorted;
    const float *score = r->keys.data;
    float *sorted = malloc(r->count * sizeof *sorted);
    double worst = 0;
    memcpy(sorted, score, r->count * sizeof *sorted);
    qsort(sorted, r->count, sizeof *sorted, by_descending_value);
    for (unsigned i = 0; i < r->count; i++) {
        worst = fabs((double)(sorted[i] - score[i])) > worst ? fabs((double)(sorted[i] - score[i]))
                                                             : worst;
    }
    print_message("scores %.4f .. %.4f, off by %.3g at most\n", (double)sorted[0],
                  (double)sorted[r->count - 1], worst);
    assert_true(worst < 1e-6);
    assert_true(sorted[0] - sorted[r->count - 1] > 0.1f);
    free(sorted);
    workload_close(workload_find("ssc"), &p);
}

/* Loads of one byte of iix_count: the walk, the search for "href", the link. */
enum { WALK = 0, HREF = 1, LINK = 2 };

static unsigned count_occurrences(const char *text, size_t bytes, const char *of) {
    unsigned count = 0;
    for (size_t i = 0; i + strlen(of) <= bytes; i++) {
        count += memcmp(text + i, of, strlen(of)) == 0;
    }
    return count;
}

TEST(iix_records_are_like_the_samples) {
    static struct probe probe[] = {
        {"iix_count", OP_LOAD, GLOBAL, 1, WALK, 0, .ops = 0},
        {"iix_count", OP_LOAD, GLOBAL, 1, HREF, 0, .ops = 0},
        {"iix_count", OP_LOAD, GLOBAL, 1, LINK, 0, .ops = 0},
    };
    struct program p;
    probe_run("iix", SIZE_SMALL, &p, probe, 3);
    const struct iix *k = p.self;
    const struct mars_call *c = &k->mars.call[0];
    const int32_t(*value)[3] = c->in.values.data;
    const int32_t *links = c->out[MARS_MAP].count[MARS_RECORDS].data;
    unsigned bytes = 0, longest = 0, found = 0, most = 0, none = 0, link_bytes = 0;
    for (unsigned i = 0; i < c->in.count; i++) {
        bytes += (unsigned)value[i][1];
        longest = (unsigned)value[i][1] > longest ? (unsigned)value[i][1] : longest;
        found += (unsigned)links[i];
        none += links[i] == 0;
        most = (unsigned)links[i] > most ? (unsigned)links[i] : most;
    }
    is_near(ratio_of(bytes, c->in.count), 1196, 12, "bytes a record");
    is_near(ratio_of(found, c->in.count), 2.29, 0.1, "links a record");
    is_near(ratio_of(none, c->in.count), 0.29, 0.02, "without");
    assert_int_equal(most, 7);
    assert_true(longest > 2800 && longest <= 2919);
    const struct mars_text_key *key = c->out[MARS_MAP].records.keys.data;
    assert_int_equal(c->out[MARS_MAP].records.count, found);
    for (unsigned i = 0; i < found; i++) {
        link_bytes += (unsigned)strlen((const char *)k->file.data +
                                       mars_text_at(&k->file, key[i].file, key[i].offset));
    }
    is_near(ratio_of(link_bytes, found), 25, 0.5, "bytes a link");
    /* The walk leaves out the rest of "href" and of the link; some tags are nearly one. */
    const unsigned near = count_occurrences(k->text, k->file.count, "<a href=top>");
    const unsigned hidden = count_occurrences(k->text, k->file.count, "<a hidden>");
    assert_true(near > 1000 && hidden > 1000);
    assert_int_equal(probe[0].lanes, bytes - 3 * (found + near) - link_bytes);
    assert_int_equal(probe[1].lanes, 4 * (found + near) + 2 * hidden);
    assert_int_equal(probe[2].lanes, link_bytes + found);
    /* Lanes are a kilobyte apart. */
    assert_int_equal(probe[0].lines, probe[0].lanes);
    workload_close(workload_find("iix"), &p);
}

/* The branch of lanes in text is the third instruction behind the walk's load. */
static void count_text(void *self, const struct place *at) {
    unsigned *lanes = self;
    const struct insn *i = at->what->code->insns;
    if (strcmp(at->what->code->name, "iix_count") != 0) {
        return;
    }
    while (!(i->op == OP_LOAD && i->width == 1)) {
        i++;
    }
    lanes[0] += at->op->insn == i ? record_lanes(at) : 0;
    lanes[1] += at->op->insn == i + 3 ? record_lanes(at) : 0;
    lanes[2] += record_is_arithmetic(at) ? record_lanes(at) : 0;
}

TEST(nearly_all_lanes_of_iix_are_in_text) {
    struct program p;
    unsigned lanes[3] = {0};
    records_open("iix", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_text, lanes);
    print_message("%.1f %% in text\n", 100 * ratio_of(lanes[1], lanes[0]));
    assert_true(lanes[1] > lanes[0] * 0.95 && lanes[1] < lanes[0] * 0.999);
    /* A byte: address, branch by state, state by character, next; the rest a record or a link. */
    print_message("%.2f arithmetic a byte\n", ratio_of(lanes[2], lanes[0]));
    assert_true(lanes[2] > 8 * lanes[0] && lanes[2] < 9 * lanes[0]);
    workload_close(workload_find("iix"), &p);
}
