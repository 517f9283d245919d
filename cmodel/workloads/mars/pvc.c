/* SPDX-License-Identifier: Apache-2.0
 *
 * MARS PageViewCount (PVC): of a log of lines "<page> TAB <address> TAB <cookie>" the different
 * lines, and of these the accesses of each page; two calls of the framework. The first hashes the
 * lines, sorts by hash, and reduces each group of equal lines to one; a thread's line is 50 bytes
 * long and the next thread's follows it, so that a warp reads the same 13 lines of the cache in
 * each of some 50 iterations. The second cuts the lines at their TABs, hashes the page and sorts
 * again; its records are in the order of the first call's hashes, each in its own line of the
 * cache, and of two records of the same page the sort compares the pages byte by byte.
 *
 * The log is generated as the suite's own generator does; that it holds a line twice is next to
 * impossible, and the check relies on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/mars/pvc.h"
#include "workloads/workloads.h"

#define PAGES 1024
#define LINE_BYTES 64

/* Lines. The papers run the suite's programs, whose default is 1,000,000, up to a number of
 * instructions (OWL: 1e9 of threads): here as many as make a whole run of about that length. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 1000,
    [SIZE_SMALL] = 10000,
    [SIZE_PAPER_MEDIC] = 100000,
    [SIZE_PAPER_OWL] = 100000,
};

/* A line of the log, ended by NUL. Return: bytes, the NUL included. */
static unsigned make_line(char *line, uint64_t *seed) {
    const unsigned page = host_random(seed) % PAGES;
    unsigned address[4];
    for (unsigned i = 0; i < 4; i++) {
        address[i] = host_random(seed) % 256;
    }
    const unsigned cookie = host_random(seed) % 1000;
    return 1 + (unsigned)snprintf(line, LINE_BYTES,
                                  "http://www.abcdefg.com/%u.html\t%u.%u.%u.%u\t%u", page,
                                  address[0], address[1], address[2], address[3], cookie);
}

static bool fill(struct pvc *k, unsigned lines) {
    char line[LINE_BYTES];
    uint64_t state = k->seed, bytes = 0;
    for (unsigned i = 0; i < lines; i++) {
        bytes += make_line(line, &state);
    }
    if (!mars_alloc(&k->mars, &k->file, bytes, 1) ||
        !mars_alloc_input(&k->mars, lines, MARS_TEXT_KEY, PVC_VALUE)) {
        return false;
    }
    struct mars_text_key *key = k->mars.call[0].in.keys.data;
    struct mars_pair *value = k->mars.call[0].in.values.data;
    char *at = k->file.data;
    state = k->seed;
    for (unsigned i = 0; i < lines; i++) {
        const unsigned length = make_line(line, &state);
        memcpy(at, line, length);
        key[i] = (struct mars_text_key){(uint32_t)k->file.address,
                                        (int32_t)(at - (char *)k->file.data), 0};
        value[i] = (struct mars_pair){(int32_t)length, 0};
        at += length;
    }
    return true;
}

static bool pvc_open(void *self, enum workload_size size, uint64_t seed) {
    struct pvc *k = self;
    k->seed = seed;
    if (!fill(k, sizes[size])) {
        return false;
    }
    mars_open(&k->mars, &pvc_app);
    return true;
}

/* The records that plain C makes of the log. */
struct expected {
    struct mars_expected *lines, *unique, *pages;
    char *log, *cut; /* as generated, and as the second call leaves it */
};

static void expect_record(struct mars_expected *to, struct mars_text_key key, int32_t x,
                          int32_t y) {
    const struct mars_pair value = {x, y};
    memcpy(to->bytes, &key, sizeof key);
    memcpy(to->bytes + sizeof key, &value, sizeof value);
}

/* The first call: every line, by its hash; that none is there twice, each has phase 1 at last. */
static const char *check_lines(struct pvc *k, struct expected *e) {
    struct mars *m = &k->mars;
    const struct mars_call *c = &m->call[0];
    uint64_t state = k->seed;
    int32_t at = 0;
    for (unsigned i = 0; i < c->in.count; i++) {
        const unsigned length = make_line(e->log + at, &state);
        const struct mars_text_key key = {(uint32_t)k->file.address, at,
                                          mars_text_hash(e->log + at, length)};
        expect_record(&e->lines[i], key, (int32_t)length, 0);
        at += (int32_t)length;
    }
    const char *error = mars_check_records(m, "lines", &c->out[MARS_MAP].records, e->lines,
                                           c->in.count, MARS_TEXT_KEY, PVC_VALUE);
    for (unsigned i = 0; i < c->in.count; i++) {
        e->lines[i].bytes[MARS_TEXT_KEY + 4] = 1;
    }
    const struct mars_text text = {&k->file, e->log};
    return error ? error
                 : mars_check_sorted(m, c, e->lines, c->in.count, MARS_TEXT_KEY, PVC_VALUE,
                                     mars_text_order, &text);
}

/* The second: of the lines in their order by now, each cut in three, by its page. */
static const char *check_pages(struct pvc *k, struct expected *e) {
    struct mars *m = &k->mars;
    const struct mars_call *c = &m->call[1];
    const struct mars_records *sorted = &m->call[0].group.sorted;
    const unsigned n = sorted->count;
    memcpy(e->cut, e->log, k->file.count);
    for (unsigned i = 0; i < n; i++) {
        struct mars_text_key key;
        memcpy(&key, (const uint8_t *)sorted->keys.data + i * sizeof key, sizeof key);
        const size_t page = strcspn(e->log + key.offset, "\t") + 1;
        const size_t address = strcspn(e->log + key.offset + page, "\t") + 1;
        const unsigned length =
            (unsigned)(page + address + strlen(e->log + key.offset + page + address)) + 1;
        e->cut[key.offset + (int32_t)page - 1] = 0;
        e->cut[key.offset + (int32_t)(page + address) - 1] = 0;
        key.hash = mars_text_hash(e->cut + key.offset, (unsigned)page);
        expect_record(&e->unique[i], key, (int32_t)length, 1);
        expect_record(&e->pages[i], key, key.offset + (int32_t)page, 0);
    }
    const char *error = mars_check_records(m, "unique", &m->call[0].out[MARS_REDUCE].records,
                                           e->unique, n, MARS_TEXT_KEY, PVC_VALUE);
    if (!error) {
        error = host_compare_int(&m->host, "file", &k->file, e->cut);
    }
    if (!error) {
        error = mars_check_records(m, "pages", &c->out[MARS_MAP].records, e->pages, n,
                                   MARS_TEXT_KEY, PVC_LAST_VALUE);
    }
    const struct mars_text text = {&k->file, e->cut};
    return error ? error
                 : mars_check_sorted(m, c, e->pages, n, MARS_TEXT_KEY, PVC_LAST_VALUE,
                                     mars_text_order, &text);
}

static const char *pvc_check(void *self) {
    struct pvc *k = self;
    const unsigned n = k->mars.call[0].in.count;
    struct expected e = {calloc(n, sizeof *e.lines), calloc(n, sizeof *e.lines),
                         calloc(n, sizeof *e.lines), calloc(k->file.count + LINE_BYTES, 1),
                         calloc(k->file.count, 1)};
    const char *error = "out of memory";
    if (e.lines && e.unique && e.pages && e.log && e.cut) {
        error = check_lines(k, &e);
        error = error ? error : check_pages(k, &e);
    }
    free(e.lines);
    free(e.unique);
    free(e.pages);
    free(e.log);
    free(e.cut);
    return error;
}

const struct workload workload_pvc = {
    .name = "pvc",
    .suite = "mars",
    .about = "page views counted: MapReduce over lines of text, 13 lines a warp read 50 times",
    .size_text = {[SIZE_TINY] = "1000 lines",
                  [SIZE_SMALL] = "10000 lines",
                  [SIZE_PAPER_MEDIC] = "100000 lines (suite: 1000000)",
                  [SIZE_PAPER_OWL] = "100000 lines (suite: 1000000)"},
    .bytes = sizeof(struct pvc),
    .open = pvc_open,
    .check = pvc_check,
};
