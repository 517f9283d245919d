/* SPDX-License-Identifier: Apache-2.0
 *
 * MARS InvertedIndex (IIX): finds the links "<a href="..."" of HTML pages and groups them. A record
 * is the part of a page from one newline to the first one over a kilobyte after it. Both
 * MapperCount and Mapper walk through it with an automaton, a byte an iteration: the lanes of a
 * warp are in 32 different lines of the cache, each of which is read in 128 iterations, and a lane
 * at a tag diverges from the others. The Mapper puts a NUL after each link and hashes it; the sort
 * compares links byte by byte where the hashes are equal.
 *
 * The pages are generated (mars/iix_pages.h), four files of equal numbers of records; there are
 * 1024 different links. EMIT holds a barrier, and threads emit different numbers of records, which
 * CUDA leaves undefined: here, as in the papers' simulator, a warp waits there until all others
 * that have not ended have come to a barrier as well.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/mars/iix.h"
#include "workloads/mars/iix_pages.h"
#include "workloads/workloads.h"

#define FILES 4
#define PAST_END 4 /* bytes that the search for "href" may read behind a file */

/* Records, a multiple of FILES. The largest of the sample's files makes 17,409: 68 CTAs, which on
 * OWL's 28 cores are two or three each, and fit their L1s. OWL stops after 4e8 instructions of
 * threads, and its round-robin thrashes; 224 CTAs, eight a core, have 6.2e8 in their first
 * launch. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 272,
    [SIZE_SMALL] = 4096,
    [SIZE_PAPER_MEDIC] = 17408,
    [SIZE_PAPER_OWL] = 57344,
};

/* Cuts a file into records: each ends with the first newline behind IIX_BLOCK bytes. Return: their
 * number. */
static unsigned cut(struct iix *k, unsigned from, size_t start, size_t end, int32_t number) {
    struct mars_text_key *key = k->mars.call[0].in.keys.data;
    int32_t *value = k->mars.call[0].in.values.data;
    unsigned records = from;
    for (size_t at = start; at < end; records++) {
        const size_t first = at;
        at += IIX_BLOCK;
        while (at < end && k->text[at++] != '\n') {}
        key[records] = (struct mars_text_key){(uint32_t)(k->file.address + start), 0, 0};
        value[3 * records] = (int32_t)(first - start);
        value[3 * records + 1] = (int32_t)(at - first);
        value[3 * records + 2] = number;
    }
    return records - from;
}

/* The files' bytes, each in device memory as if it had been allocated by itself. */
static bool fill(struct iix *k, unsigned records, uint64_t seed) {
    size_t start[FILES], end[FILES], at = 0;
    k->text = host_array(&k->mars.host,
                         (uint64_t)records * IIX_RECORD_MAX + FILES * DEVICE_MEMORY_ALIGN, 1);
    if (!k->text) {
        return false;
    }
    for (unsigned i = 0; i < FILES; i++) {
        start[i] = at;
        end[i] = at + iix_pages_generate(k->text + at, records / FILES, &seed);
        at = (end[i] + PAST_END + DEVICE_MEMORY_ALIGN) / DEVICE_MEMORY_ALIGN * DEVICE_MEMORY_ALIGN;
    }
    if (!mars_alloc(&k->mars, &k->file, at, 1) ||
        !mars_alloc_input(&k->mars, records, MARS_TEXT_KEY, IIX_VALUE)) {
        return false;
    }
    memcpy(k->file.data, k->text, at);
    unsigned found = 0;
    for (unsigned i = 0; i < FILES; i++) {
        found += cut(k, found, start[i], end[i], (int32_t)i);
    }
    return found == records;
}

static bool iix_open(void *self, enum workload_size size, uint64_t seed) {
    struct iix *k = self;
    if (!fill(k, sizes[size], seed)) {
        return false;
    }
    mars_open(&k->mars, &iix_app);
    return true;
}

/* The first link from @at on, up to @end: @at moves to the quote behind it. */
static bool next_link(const char *text, size_t *at, size_t end, size_t *link) {
    for (size_t i = *at; i < end; i++) {
        if (text[i] != '<') {
            continue;
        }
        i += 1 + strspn(text + i + 1, " ");
        if (i >= end || text[i] != 'a') {
            continue;
        }
        i += 1 + strspn(text + i + 1, " ");
        if (i >= end || strncmp(text + i, "href", 4) != 0) {
            continue;
        }
        i += 4 + strspn(text + i + 4, " =");
        if (i + 1 < end && text[i] == '"') {
            *link = i + 1;
            *at = *link + strcspn(text + *link, "\"");
            return true;
        }
    }
    return false;
}

/* All links in the order of the records; @cut: the text with a NUL behind each. @e: NULL: only
 * count. */
static unsigned find_links(const struct iix *k, char *cut_text, struct mars_expected *e) {
    const struct mars_call *c = &k->mars.call[0];
    const struct mars_text_key *key = c->in.keys.data;
    const int32_t *value = c->in.values.data;
    unsigned found = 0;
    for (unsigned i = 0; i < c->in.count; i++, value += 3) {
        const size_t start = key[i].file - (uint32_t)k->file.address;
        const size_t end = start + (size_t)value[0] + (size_t)value[1];
        size_t at = start + (size_t)value[0], link;
        for (; next_link(k->text, &at, end, &link); at++, found++) {
            if (e) {
                const struct mars_text_key emitted = {
                    key[i].file, (int32_t)(link - start),
                    mars_text_hash(k->text + link, (unsigned)(at - link))};
                cut_text[at] = 0;
                memcpy(e[found].bytes, &emitted, sizeof emitted);
                memcpy(e[found].bytes + sizeof emitted, &value[2], IIX_LAST_VALUE);
            }
        }
    }
    return found;
}

static const char *check_links(struct iix *k, char *cut_text, struct mars_expected *e, unsigned n) {
    struct mars *m = &k->mars;
    const struct mars_call *c = &m->call[0];
    memcpy(cut_text, k->text, k->file.count);
    find_links(k, cut_text, e);
    const char *error = mars_check_records(m, "links", &c->out[MARS_MAP].records, e, n,
                                           MARS_TEXT_KEY, IIX_LAST_VALUE);
    if (!error) {
        error = host_compare_int(&m->host, "file", &k->file, cut_text);
    }
    const struct mars_text text = {&k->file, cut_text};
    return error ? error
                 : mars_check_sorted(m, c, e, n, MARS_TEXT_KEY, IIX_LAST_VALUE, mars_text_order,
                                     &text);
}

static const char *iix_check(void *self) {
    struct iix *k = self;
    const unsigned n = find_links(k, NULL, NULL);
    char *cut_text = calloc(k->file.count, 1);
    struct mars_expected *expected = calloc(n, sizeof *expected);
    const char *error =
        cut_text && expected ? check_links(k, cut_text, expected, n) : "out of memory";
    free(cut_text);
    free(expected);
    return error;
}

const struct workload workload_iix = {
    .name = "iix",
    .suite = "mars",
    .about = "links of HTML pages: 32 lines a warp, each read in 128 iterations",
    .size_text = {[SIZE_TINY] = "272 records, 0.3 MB",
                  [SIZE_SMALL] = "4096 records, 4.9 MB",
                  [SIZE_PAPER_MEDIC] = "17408 records, 20.8 MB",
                  [SIZE_PAPER_OWL] = "57344 records, 68.6 MB"},
    .bytes = sizeof(struct iix),
    .open = iix_open,
    .check = iix_check,
};
