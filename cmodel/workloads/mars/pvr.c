/* SPDX-License-Identifier: Apache-2.0
 *
 * MARS PageViewRank (PVR): sorts pages by their count of views. The host has parsed a text of lines
 * "http://www.abcdefg.com/<page>.html TAB <views>"; the records are the views (a random number of
 * 31 bits) and the offset of the line, 4 bytes each. Map copies them, so that the program is the
 * framework's sort: coalesced sweeps over the directory, and keys of 4 bytes that are looked up at
 * random as soon as the directory is no longer in the order of the keys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/mars/check.h"
#include "workloads/mars/sort.h"
#include "workloads/workloads.h"

#define SIZE 4 /* bytes of a key, and of a value */

/* Lines. The papers run the suite's programs, whose default is 1,000,000, up to a number of
 * instructions (OWL: 1e9 of threads): here as many as make a whole run longer than that. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 1000,
    [SIZE_SMALL] = 20000,
    [SIZE_PAPER_MEDIC] = 300000,
    [SIZE_PAPER_OWL] = 300000,
};

enum { R_RANK = MARS_R_APP, R_OFFSET, R_SCRATCH, REGISTERS };

/* clang-format off */
#define COUNT(I) MARS_COUNT_HEAD(I) MARS_COUNT_EMIT(I, COUNT_EMIT)
#define MAP(I) \
    MARS_MAP_HEAD(I) \
    I(LOAD, MAP_LOAD_RANK, SPACE_GLOBAL, 4, R_RANK, MARS_R_KEY) \
    I(LOAD, MAP_LOAD_OFFSET, SPACE_GLOBAL, 4, R_OFFSET, MARS_R_VALUE) \
    I(ALU, MAP_SCRATCH, OP_INT_MAD, MARS_R_KEY, REG_NONE) \
    I(ALU, MAP_SCRATCH_VALUE, OP_INT_ADD, MARS_R_VALUE, MARS_R_KEY) \
    I(STORE, MAP_SHARE_RANK, SPACE_SHARED, 4, R_RANK, MARS_R_KEY) \
    I(STORE, MAP_SHARE_OFFSET, SPACE_SHARED, 4, R_OFFSET, MARS_R_VALUE) \
    MARS_EMIT(I, MAP_EMIT, MARS_BYTES_4, SPACE_SHARED, MARS_BYTES_4, SPACE_SHARED)
#define COMPARE(I, N) \
    I(LOAD, N##_LOAD_A, SPACE_GLOBAL, 4, R_RANK, MARS_R_A_KEY) \
    I(LOAD, N##_LOAD_B, SPACE_GLOBAL, 4, R_OFFSET, MARS_R_B_KEY) \
    I(ALU, N##_GREATER, OP_INT_ADD, MARS_R_ORDER, R_RANK, R_OFFSET) \
    I(ALU, N##_ORDER, OP_INT_ADD, MARS_R_ORDER, R_RANK, R_OFFSET, MARS_R_ORDER)
#define SORT(I) MARS_SORT(I, COMPARE)
#define CHUNK(I) MARS_CHUNK(I, COMPARE)
#define BOUNDARY(I) MARS_BOUNDARY(I, COMPARE)
SIMT_CODE(pvr_count, COUNT, .registers = REGISTERS);
SIMT_CODE(pvr_map, MAP, .registers = REGISTERS, .shared_bytes = MARS_BLOCK * MARS_SCRATCH_BYTES);
SIMT_CODE(pvr_sort, SORT, .registers = REGISTERS);
SIMT_CODE(pvr_sort_chunk, CHUNK, .registers = REGISTERS, .shared_bytes = MARS_CHUNK_SHARED_BYTES);
SIMT_CODE(pvr_boundary, BOUNDARY, .registers = REGISTERS);
enum { COMPARE(INSN_INDEX, COMPARE) };
/* clang-format on */

static void count(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    int32_t size[SIMT_THREADS];
    (void)in;
    SIMT_EACH(s, t) {
        size[t] = SIZE;
    }
    mars_count_emit(s, &mars_now(m)->out[MARS_MAP], COUNT_EMIT_KEYS_ADDRESS, SIZE, size);
}

static void map(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    const struct mars_records *r = &mars_now(m)->in;
    const struct buffer keys = mars_words(&r->keys), values = mars_words(&r->values);
    const struct buffer scratch = mars_scratch(s, 4), bytes = mars_scratch(s, 1);
    int32_t key[SIMT_THREADS], value[SIMT_THREADS], rank[SIMT_THREADS], offset[SIMT_THREADS];
    SIMT_EACH(s, t) {
        key[t] = in[t].key_at / 4;
        value[t] = in[t].value_at / 4;
    }
    simt_load(s, MAP_LOAD_RANK, rank, &keys, element_lane(key));
    simt_load(s, MAP_LOAD_OFFSET, offset, &values, element_lane(value));
    simt_alus(s, MAP_SCRATCH, MAP_SCRATCH_VALUE);
    SIMT_EACH(s, t) {
        key[t] = (int32_t)t * MARS_SCRATCH_BYTES;
        value[t] = key[t] + SIZE;
    }
    simt_store(s, MAP_SHARE_RANK, rank, &scratch, element_x(0, MARS_SCRATCH_BYTES / 4));
    simt_store(s, MAP_SHARE_OFFSET, offset, &scratch, element_x(1, MARS_SCRATCH_BYTES / 4));
    mars_emit(s, m, MAP_EMIT_BARRIER, &(struct mars_source){&bytes, key, SIZE},
              &(struct mars_source){&bytes, value, SIZE});
}

/* The highest first. */
static void compare(struct simt *s, const struct mars *m, unsigned at, const struct buffer *keys,
                    const struct mars_entry *a, const struct mars_entry *b, int32_t *order) {
    const struct buffer words = mars_words(keys);
    int32_t at_a[SIMT_THREADS], at_b[SIMT_THREADS], rank_a[SIMT_THREADS], rank_b[SIMT_THREADS];
    (void)m;
    SIMT_EACH(s, t) {
        at_a[t] = a[t].key_at / 4;
        at_b[t] = b[t].key_at / 4;
    }
    simt_load(s, at + COMPARE_LOAD_A, rank_a, &words, element_lane(at_a));
    simt_load(s, at + COMPARE_LOAD_B, rank_b, &words, element_lane(at_b));
    simt_alus(s, at + COMPARE_GREATER, at + COMPARE_ORDER);
    SIMT_EACH(s, t) {
        order[t] = (rank_b[t] > rank_a[t]) - (rank_b[t] < rank_a[t]);
    }
}

static const struct mars_app app = {
    .count_code = &pvr_count_code,
    .map_code = &pvr_map_code,
    .count = count,
    .map = map,
    .sort_code = &pvr_sort_code,
    .chunk_code = &pvr_sort_chunk_code,
    .boundary_code = &pvr_boundary_code,
    .compare = compare,
    .calls = 1,
};

static bool pvr_open(void *self, enum workload_size size, uint64_t seed) {
    struct mars *k = self;
    if (!mars_alloc_input(k, sizes[size], SIZE, SIZE)) {
        return false;
    }
    int32_t *rank = k->call[0].in.keys.data, *offset = k->call[0].in.values.data;
    for (int32_t i = 0, at = 0; i < (int32_t)sizes[size]; i++) {
        char line[64];
        const unsigned page = host_random(&seed) % 1024;
        rank[i] = (int32_t)(host_random(&seed) >> 33);
        offset[i] = at;
        at += snprintf(line, sizeof line, "http://www.abcdefg.com/%u.html\t%d\n", page, rank[i]);
    }
    mars_open(k, &app);
    return true;
}

static int descending(const void *self, const uint8_t *a, const uint8_t *b) {
    int32_t x, y;
    (void)self;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (y > x) - (y < x);
}

/* Emitted is what came in. */
static const char *pvr_check(void *self) {
    struct mars *k = self;
    const struct mars_call *c = &k->call[0];
    struct mars_expected *expected = calloc(c->in.count, sizeof *expected);
    if (!expected) {
        return "out of memory";
    }
    for (unsigned i = 0; i < c->in.count; i++) {
        memcpy(expected[i].bytes, (uint8_t *)c->in.keys.data + i * SIZE, SIZE);
        memcpy(expected[i].bytes + SIZE, (uint8_t *)c->in.values.data + i * SIZE, SIZE);
    }
    const char *error = mars_check_records(k, "emitted", &c->out[MARS_MAP].records, expected,
                                           c->in.count, SIZE, SIZE);
    if (!error) {
        error = mars_check_sorted(k, c, expected, c->in.count, SIZE, SIZE, descending, NULL);
    }
    free(expected);
    return error;
}

const struct workload workload_pvr = {
    .name = "pvr",
    .suite = "mars",
    .about = "page views ranked: MapReduce that is all sort, keys of 4 bytes at random",
    .size_text = {[SIZE_TINY] = "1000 lines",
                  [SIZE_SMALL] = "20000 lines",
                  [SIZE_PAPER_MEDIC] = "300000 lines (suite: 1000000)",
                  [SIZE_PAPER_OWL] = "300000 lines (suite: 1000000)"},
    .bytes = sizeof(struct mars),
    .open = pvr_open,
    .check = pvr_check,
};
