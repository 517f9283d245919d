/* SPDX-License-Identifier: Apache-2.0
 *
 * MARS PageViewCount (PVC): of a log of lines "<page> TAB <address> TAB <cookie>" the different
 * lines, and of these the accesses of each page; two calls of the framework. The first hashes the
 * lines, sorts by hash, and reduces each group of equal lines to one; a thread's line is 50 bytes
 * long and the next thread's is behind it, so that the 13 lines of the cache that a warp reads are
 * read in each of some 50 iterations. The second cuts the lines at their TABs, hashes the page and
 * sorts again; its records are in the order of the first call's hashes, each in a line of the cache
 * of its own, and of two records of the same page the sort compares the pages byte by byte.
 *
 * The log is generated as the suite's own generator does; that it holds a line twice is next to
 * impossible, and the check relies on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/mars/reduce.h"
#include "workloads/mars/text.h"
#include "workloads/workloads.h"

#define PAGES 1024
#define LINE_BYTES 64
#define VALUE 8      /* bytes of a value of the first call: {length of the line, phase} */
#define LAST_VALUE 4 /* of the second: where the address is */

/* Lines. The suite's default is 1,000,000. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 1000,
    [SIZE_SMALL] = 10000,
    [SIZE_PAPER_MEDIC] = 100000,
    [SIZE_PAPER_OWL] = 100000,
};

struct pvc {
    struct mars mars;
    struct buffer file;
    uint64_t seed;
};

enum {
    R_PHASE = MARS_TEXT_R_APP,
    R_SCRATCH,
    REGISTERS,
};

/* clang-format off */
#define COUNT(I) \
    MARS_COUNT_HEAD(I) \
    I(LOAD, COUNT_LOAD_PHASE, SPACE_GLOBAL, 4, R_PHASE, MARS_R_VALUE) \
    I(ALU, COUNT_PHASE_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, R_PHASE) \
    I(ALU, COUNT_SELECT, OP_INT_ADD, MARS_R_VALUE, MARS_R_PREDICATE) \
    MARS_COUNT_EMIT(I, COUNT_EMIT)
/* while (*p != TAB) p++; *p = NUL; */
#define CUT(I, N) \
    I(LOOP, N##_LOOP) \
    I(LOAD, N##_LOAD, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_OTHER) \
    I(ALU, N##_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_CHAR) \
    I(BRANCH, N##_AGAIN, MARS_R_PREDICATE) \
    I(ALU, N##_NEXT, OP_INT_ADD, MARS_R_OTHER, MARS_R_OTHER) \
    I(ALU, N##_NUL, OP_INT_ADD, MARS_R_CHAR, REG_NONE) \
    I(STORE, N##_STORE, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_OTHER)
#define MAP(I) \
    MARS_MAP_HEAD(I) \
    I(LOAD, MAP_LOAD_FILE, SPACE_GLOBAL, 4, MARS_R_TEXT, MARS_R_KEY) \
    I(LOAD, MAP_LOAD_OFFSET, SPACE_GLOBAL, 4, MARS_R_OFFSET, MARS_R_KEY) \
    I(LOAD, MAP_LOAD_PHASE, SPACE_GLOBAL, 4, R_PHASE, MARS_R_VALUE) \
    I(ALU, MAP_TEXT, OP_INT_ADD, MARS_R_TEXT, MARS_R_TEXT, MARS_R_OFFSET) \
    I(ALU, MAP_PHASE_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, R_PHASE) \
    I(BRANCH, MAP_PHASE_BRANCH, MARS_R_PREDICATE) \
    I(LOAD, LINE_LOAD_LENGTH, SPACE_GLOBAL, 4, MARS_R_LENGTH, MARS_R_VALUE) \
    MARS_HASH(I, LINE_HASH) \
    I(STORE, LINE_STORE_HASH, SPACE_GLOBAL, 4, MARS_R_HASH, MARS_R_KEY) \
    MARS_EMIT(I, LINE_EMIT, MARS_BYTES_12, SPACE_GLOBAL, MARS_BYTES_8, SPACE_GLOBAL) \
    I(ALU, PAGE_START, OP_INT_ADD, MARS_R_OTHER, MARS_R_TEXT) \
    CUT(I, PAGE_CUT) \
    I(ALU, PAGE_LENGTH, OP_INT_ADD, MARS_R_LENGTH, MARS_R_OTHER, MARS_R_TEXT) \
    CUT(I, ADDRESS_CUT) \
    I(ALU, PAGE_SCRATCH, OP_INT_MAD, R_SCRATCH, REG_NONE) \
    I(ALU, PAGE_ADDRESS, OP_INT_ADD, MARS_R_OFFSET, MARS_R_OFFSET, MARS_R_LENGTH) \
    I(STORE, PAGE_SHARE_ADDRESS, SPACE_SHARED, 4, MARS_R_OFFSET, R_SCRATCH) \
    MARS_HASH(I, PAGE_HASH) \
    I(STORE, PAGE_STORE_HASH, SPACE_GLOBAL, 4, MARS_R_HASH, MARS_R_KEY) \
    I(ALU, PAGE_VALUE, OP_INT_ADD, MARS_R_VALUE, R_SCRATCH) \
    MARS_EMIT(I, PAGE_EMIT, MARS_BYTES_12, SPACE_GLOBAL, MARS_BYTES_4, SPACE_SHARED)
#define SORT(I) MARS_SORT(I, MARS_TEXT_COMPARE)
#define CHUNK(I) MARS_CHUNK(I, MARS_TEXT_COMPARE)
#define BOUNDARY(I) MARS_BOUNDARY(I, MARS_TEXT_COMPARE)
#define UNIQUE(I) \
    I(ALU, UNIQUE_ONE, OP_INT_ADD, R_PHASE, REG_NONE) \
    I(STORE, UNIQUE_STORE_PHASE, SPACE_GLOBAL, 4, R_PHASE, MARS_R_VALUE)
#define REDUCE(I) MARS_REDUCE_CODE(I, UNIQUE, MARS_BYTES_12, MARS_BYTES_8)
SIMT_CODE(pvc_count, COUNT, .registers = REGISTERS);
SIMT_CODE(pvc_map, MAP, .registers = REGISTERS, .shared_bytes = MARS_BLOCK * MARS_SCRATCH_BYTES);
SIMT_CODE(pvc_sort, SORT, .registers = REGISTERS);
SIMT_CODE(pvc_sort_chunk, CHUNK, .registers = REGISTERS, .shared_bytes = MARS_CHUNK_SHARED_BYTES);
SIMT_CODE(pvc_boundary, BOUNDARY, .registers = REGISTERS);
SIMT_CODE(pvc_reduce_count, MARS_REDUCE_COUNT, .registers = REGISTERS);
SIMT_CODE(pvc_reduce, REDUCE, .registers = REGISTERS);
enum { CUT(INSN_INDEX, CUT) };
/* clang-format on */

static const struct pvc *self(const struct mars *m) {
    return (const struct pvc *)m;
}

static void count(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    const struct buffer values = mars_words(&mars_now(m)->in.values);
    int32_t at[SIMT_THREADS], phase[SIMT_THREADS], size[SIMT_THREADS];
    SIMT_EACH(s, t) {
        at[t] = in[t].value_at / 4;
    }
    simt_load(s, COUNT_LOAD_PHASE, phase, &values,
              (struct element){.base = 1, .scale = 1, .lane = at});
    simt_alus(s, COUNT_PHASE_COMPARE, COUNT_SELECT);
    SIMT_EACH(s, t) {
        size[t] = phase[t] ? LAST_VALUE : VALUE;
    }
    mars_count_emit(s, &mars_now(m)->out[MARS_MAP], COUNT_EMIT_KEYS_ADDRESS, MARS_TEXT_KEY, size);
}

/* A record while it is mapped, a thread: its words in the buffers of keys and of values, its bytes
 * there, its string. */
struct record {
    struct buffer keys, values;
    int32_t key[SIMT_THREADS], value[SIMT_THREADS];
    int32_t key_at[SIMT_THREADS], value_at[SIMT_THREADS];
    int32_t text[SIMT_THREADS], offset[SIMT_THREADS];
};

static struct element word(const int32_t *record, unsigned number) {
    return (struct element){.base = number, .scale = 1, .lane = record};
}

/* The first call: the hash of the line. */
static void map_line(struct simt *s, const struct mars *m, const struct record *r) {
    const struct mars_records *in = &mars_now(m)->in;
    int32_t length[SIMT_THREADS], hash[SIMT_THREADS];
    simt_load(s, LINE_LOAD_LENGTH, length, &r->values, word(r->value, 0));
    mars_hash(s, LINE_HASH_SEED, &self(m)->file, r->text, length, hash);
    simt_store(s, LINE_STORE_HASH, hash, &r->keys, word(r->key, MARS_KEY_HASH));
    mars_emit(s, m, LINE_EMIT_BARRIER, &(struct mars_source){&in->keys, r->key_at, MARS_TEXT_KEY},
              &(struct mars_source){&in->values, r->value_at, VALUE});
}

/* @at: of CUT; @p: where to start, then where the NUL is. */
static void cut(struct simt *s, unsigned at, const struct buffer *file, int32_t *p) {
    uint8_t byte[SIMT_THREADS];
    struct simt_mask other;
    SIMT_LOOP(s, at + CUT_LOOP) {
        simt_load(s, at + CUT_LOAD, byte, file, element_lane(p));
        simt_alu(s, at + CUT_COMPARE);
        SIMT_WHERE(s, other, t, byte[t] != '\t');
        simt_while(s, at + CUT_AGAIN, &other);
        SIMT_ALU(s, at + CUT_NEXT, t) {
            p[t]++;
        }
    }
    SIMT_ALU(s, at + CUT_NUL, t) {
        byte[t] = 0;
    }
    simt_store(s, at + CUT_STORE, byte, file, element_lane(p));
}

/* The second call: cuts the line, and the hash of the page, its NUL included. */
static void map_page(struct simt *s, const struct mars *m, const struct record *r) {
    const struct buffer *file = &self(m)->file;
    const struct buffer scratch = mars_scratch(s, 4), bytes = mars_scratch(s, 1);
    int32_t p[SIMT_THREADS], length[SIMT_THREADS], address[SIMT_THREADS], hash[SIMT_THREADS],
        scratch_at[SIMT_THREADS];
    SIMT_ALU(s, PAGE_START, t) {
        p[t] = r->text[t];
    }
    cut(s, PAGE_CUT_LOOP, file, p);
    SIMT_ALU(s, PAGE_LENGTH, t) {
        length[t] = p[t] + 1 - r->text[t];
    }
    cut(s, ADDRESS_CUT_LOOP, file, p);
    simt_alus(s, PAGE_SCRATCH, PAGE_ADDRESS);
    SIMT_EACH(s, t) {
        scratch_at[t] = (int32_t)t * MARS_SCRATCH_BYTES;
        address[t] = r->offset[t] + length[t];
    }
    simt_store(s, PAGE_SHARE_ADDRESS, address, &scratch, element_x(0, MARS_SCRATCH_BYTES / 4));
    mars_hash(s, PAGE_HASH_SEED, file, r->text, length, hash);
    simt_store(s, PAGE_STORE_HASH, hash, &r->keys, word(r->key, MARS_KEY_HASH));
    simt_alu(s, PAGE_VALUE);
    mars_emit(s, m, PAGE_EMIT_BARRIER,
              &(struct mars_source){&mars_now(m)->in.keys, r->key_at, MARS_TEXT_KEY},
              &(struct mars_source){&bytes, scratch_at, LAST_VALUE});
}

static void map(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    const struct mars_records *records = &mars_now(m)->in;
    struct record r;
    int32_t file[SIMT_THREADS], phase[SIMT_THREADS];
    struct simt_mask lines;
    r.keys = mars_words(&records->keys);
    r.values = mars_words(&records->values);
    SIMT_EACH(s, t) {
        r.key_at[t] = in[t].key_at;
        r.value_at[t] = in[t].value_at;
        r.key[t] = in[t].key_at / 4;
        r.value[t] = in[t].value_at / 4;
    }
    simt_load(s, MAP_LOAD_FILE, file, &r.keys, word(r.key, MARS_KEY_FILE));
    simt_load(s, MAP_LOAD_OFFSET, r.offset, &r.keys, word(r.key, MARS_KEY_OFFSET));
    simt_load(s, MAP_LOAD_PHASE, phase, &r.values, word(r.value, 1));
    simt_alus(s, MAP_TEXT, MAP_PHASE_COMPARE);
    SIMT_EACH(s, t) {
        r.text[t] = mars_text_at(&self(m)->file, (uint32_t)file[t], r.offset[t]);
    }
    SIMT_WHERE(s, lines, t, phase[t] == 0);
    SIMT_IF(s, MAP_PHASE_BRANCH, &lines) {
        map_line(s, m, &r);
    }
    SIMT_ELSE(s) {
        map_page(s, m, &r);
    }
}

static void compare(struct simt *s, const struct mars *m, unsigned at, const struct buffer *keys,
                    const struct mars_entry *a, const struct mars_entry *b, int32_t *order) {
    mars_text_compare(s, at, &self(m)->file, keys, a, b, order);
}

/* value.phase = 1; */
static void reduce(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    const struct buffer values = mars_words(&mars_now(m)->group.sorted.values);
    int32_t value[SIMT_THREADS], one[SIMT_THREADS];
    SIMT_ALU(s, UNIQUE_ONE, t) {
        value[t] = in[t].value_at / 4;
        one[t] = 1;
    }
    simt_store(s, UNIQUE_STORE_PHASE, one, &values, word(value, 1));
}

static const struct mars_app app = {
    .count_code = &pvc_count_code,
    .map_code = &pvc_map_code,
    .count = count,
    .map = map,
    .sort_code = &pvc_sort_code,
    .chunk_code = &pvc_sort_chunk_code,
    .boundary_code = &pvc_boundary_code,
    .compare = compare,
    .calls = 2,
    .reduce_count_code = &pvc_reduce_count_code,
    .reduce_code = &pvc_reduce_code,
    .reduce = reduce,
    .reduced = {MARS_TEXT_KEY, VALUE},
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
        !mars_alloc_input(&k->mars, lines, MARS_TEXT_KEY, VALUE)) {
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

static const char *pvc_open(struct program *p, enum workload_size size, uint64_t seed) {
    struct pvc *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    k->seed = seed;
    if (!fill(k, sizes[size])) {
        host_close(p);
        return "out of memory";
    }
    mars_open(&k->mars, &app);
    return NULL;
}

/* What plain C makes of the log. */
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
                                           c->in.count, MARS_TEXT_KEY, VALUE);
    for (unsigned i = 0; i < c->in.count; i++) {
        e->lines[i].bytes[MARS_TEXT_KEY + 4] = 1;
    }
    const struct mars_text text = {&k->file, e->log};
    return error ? error
                 : mars_check_sorted(m, c, e->lines, c->in.count, MARS_TEXT_KEY, VALUE,
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
                                           e->unique, n, MARS_TEXT_KEY, VALUE);
    if (!error) {
        error = host_compare_int(&m->host, "file", &k->file, e->cut);
    }
    if (!error) {
        error = mars_check_records(m, "pages", &c->out[MARS_MAP].records, e->pages, n,
                                   MARS_TEXT_KEY, LAST_VALUE);
    }
    const struct mars_text text = {&k->file, e->cut};
    return error ? error
                 : mars_check_sorted(m, c, e->pages, n, MARS_TEXT_KEY, LAST_VALUE, mars_text_order,
                                     &text);
}

static const char *pvc_check(const struct program *p) {
    struct pvc *k = p->self;
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
    .open = pvc_open,
    .check = pvc_check,
    .expect = mars_expect,
    .close = host_close,
};
