/* SPDX-License-Identifier: Apache-2.0
 *
 * MARS SimilarityScore (SSC, also SS): the cosine of the angle between each two of D documents,
 * which are rows of F numbers, sorted from the most to the least similar. A thread a pair: (0,1),
 * (0,2), ... (1,2), ...: the first row is the same for nearly all lanes of a warp, the second is
 * another in each lane, and rows are a power of two apart: 32 lines that fall into few sets of a
 * cache that is indexed by bits of the address, each used in 8 iterations, and all read again by
 * the warps of the next first rows.
 *
 * Scores that differ by less than 1e-7 count as equal, as in the program. This comparison is no
 * order (a may equal b, b c, but a not c), so the check runs the same network in plain C.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/mars/check.h"
#include "workloads/mars/sort.h"
#include "workloads/workloads.h"

#define KEY 4    /* bytes of a key: a pointer of 32 bits to the matrix; emitted: the score */
#define VALUE 16 /* of a value: {first, second document, F, -} */
#define SCORED 8 /* of an emitted one: the two documents */
#define QUAD 4   /* numbers a load */
#define EQUAL 1e-7f

/* The suite's script takes 1024 documents of 256 numbers, and MARS' paper (PACT 2008) 512, 1024 and
 * 2048 of 128, the least of which is a run of 5e8 instructions of threads: OWL stops after 1e9. */
static const struct {
    unsigned documents, features;
} sizes[] = {
    [SIZE_TINY] = {48, 128},
    [SIZE_SMALL] = {256, 128},
    [SIZE_PAPER_MEDIC] = {512, 128},
    [SIZE_PAPER_OWL] = {512, 128},
};

struct ssc {
    struct mars mars;
    struct buffer matrix; /* in loads of QUAD numbers */
    unsigned documents, features;
};

struct quad {
    float x[QUAD];
};

enum {
    R_MATRIX = MARS_R_APP,
    R_FIRST,
    R_SECOND,
    R_FEATURES,
    R_QUAD_A,
    R_QUAD_B,
    R_DOT,
    R_NORM_A,
    R_NORM_B,
    R_LEFT,
    R_SCRATCH,
    REGISTERS,
};

/* clang-format off */
#define COUNT(I) MARS_COUNT_HEAD(I) MARS_COUNT_EMIT(I, COUNT_EMIT)
#define PRODUCT(I, N) \
    I(ALU, N##_DOT, OP_FP_MAD, R_DOT, R_QUAD_A, R_QUAD_B, R_DOT) \
    I(ALU, N##_NORM_A, OP_FP_MAD, R_NORM_A, R_QUAD_A, R_QUAD_A, R_NORM_A) \
    I(ALU, N##_NORM_B, OP_FP_MAD, R_NORM_B, R_QUAD_B, R_QUAD_B, R_NORM_B)
#define MAP(I) \
    MARS_MAP_HEAD(I) \
    I(LOAD, MAP_LOAD_MATRIX, SPACE_GLOBAL, 4, R_MATRIX, MARS_R_KEY) \
    I(LOAD, MAP_LOAD_FIRST_DOCUMENT, SPACE_GLOBAL, 4, R_FIRST, MARS_R_VALUE) \
    I(LOAD, MAP_LOAD_SECOND_DOCUMENT, SPACE_GLOBAL, 4, R_SECOND, MARS_R_VALUE) \
    I(LOAD, MAP_LOAD_FEATURES, SPACE_GLOBAL, 4, R_FEATURES, MARS_R_VALUE) \
    I(ALU, MAP_ROW_A, OP_INT_MAD, MARS_R_A_KEY, R_FIRST, R_FEATURES, R_MATRIX) \
    I(ALU, MAP_ROW_B, OP_INT_MAD, MARS_R_B_KEY, R_SECOND, R_FEATURES, R_MATRIX) \
    I(ALU, MAP_DOT, OP_FP_ADD, R_DOT, REG_NONE) \
    I(ALU, MAP_NORM_A, OP_FP_ADD, R_NORM_A, REG_NONE) \
    I(ALU, MAP_NORM_B, OP_FP_ADD, R_NORM_B, REG_NONE) \
    I(LOOP, MAP_QUADS) \
    I(LOAD, MAP_LOAD_A, SPACE_GLOBAL, 16, R_QUAD_A, MARS_R_A_KEY) \
    I(LOAD, MAP_LOAD_B, SPACE_GLOBAL, 16, R_QUAD_B, MARS_R_B_KEY) \
    PRODUCT(I, MAP_0) PRODUCT(I, MAP_1) PRODUCT(I, MAP_2) PRODUCT(I, MAP_3) \
    I(ALU, MAP_NEXT_A, OP_INT_ADD, MARS_R_A_KEY, MARS_R_A_KEY) \
    I(ALU, MAP_NEXT_B, OP_INT_ADD, MARS_R_B_KEY, MARS_R_B_KEY) \
    I(ALU, MAP_COMPARE, OP_INT_ADD, R_LEFT, MARS_R_A_KEY) \
    I(BRANCH, MAP_AGAIN, R_LEFT) \
    I(ALU, MAP_ROOT_A, OP_SFU, R_NORM_A, R_NORM_A) \
    I(ALU, MAP_ROOT_B, OP_SFU, R_NORM_B, R_NORM_B) \
    I(ALU, MAP_NORMS, OP_FP_MUL, R_NORM_A, R_NORM_A, R_NORM_B) \
    I(ALU, MAP_SCORE, OP_FP_DIV, R_DOT, R_DOT, R_NORM_A) \
    I(ALU, MAP_SCRATCH, OP_INT_MAD, MARS_R_KEY, REG_NONE) \
    I(ALU, MAP_SCRATCH_VALUE, OP_INT_ADD, MARS_R_VALUE, MARS_R_KEY) \
    I(STORE, MAP_SHARE_SCORE, SPACE_SHARED, 4, R_DOT, MARS_R_KEY) \
    I(STORE, MAP_SHARE_FIRST, SPACE_SHARED, 4, R_FIRST, MARS_R_VALUE) \
    I(STORE, MAP_SHARE_SECOND, SPACE_SHARED, 4, R_SECOND, MARS_R_VALUE) \
    MARS_EMIT(I, MAP_EMIT, MARS_BYTES_4, SPACE_SHARED, MARS_BYTES_8, SPACE_SHARED)
#define COMPARE(I, N) \
    I(LOAD, N##_LOAD_A, SPACE_GLOBAL, 4, R_DOT, MARS_R_A_KEY) \
    I(LOAD, N##_LOAD_B, SPACE_GLOBAL, 4, R_NORM_B, MARS_R_B_KEY) \
    I(ALU, N##_DIFFERENCE, OP_FP_ADD, R_NORM_A, R_DOT, R_NORM_B) \
    I(ALU, N##_EQUAL, OP_FP_MAX, MARS_R_PREDICATE, R_NORM_A) \
    I(ALU, N##_SIGN, OP_FP_MAX, MARS_R_ORDER, R_NORM_A) \
    I(ALU, N##_ORDER, OP_INT_ADD, MARS_R_ORDER, MARS_R_ORDER, MARS_R_PREDICATE)
#define SORT(I) MARS_SORT(I, COMPARE)
#define CHUNK(I) MARS_CHUNK(I, COMPARE)
#define BOUNDARY(I) MARS_BOUNDARY(I, COMPARE)
SIMT_CODE(ssc_count, COUNT, .registers = REGISTERS);
SIMT_CODE(ssc_map, MAP, .registers = REGISTERS, .shared_bytes = MARS_BLOCK * MARS_SCRATCH_BYTES);
SIMT_CODE(ssc_sort, SORT, .registers = REGISTERS);
SIMT_CODE(ssc_sort_chunk, CHUNK, .registers = REGISTERS, .shared_bytes = MARS_CHUNK_SHARED_BYTES);
SIMT_CODE(ssc_boundary, BOUNDARY, .registers = REGISTERS);
enum { COMPARE(INSN_INDEX, COMPARE) };
/* clang-format on */

static const struct ssc *self(const struct mars *m) {
    return (const struct ssc *)m;
}

static void count(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    int32_t size[SIMT_THREADS];
    (void)in;
    SIMT_EACH(s, t) {
        size[t] = SCORED;
    }
    mars_count_emit(s, &mars_now(m)->out[MARS_MAP], COUNT_EMIT_KEYS_ADDRESS, KEY, size);
}

/* The rows' products, a load of each an iteration. @a, @b: the first load of each row. */
static void multiply(struct simt *s, const struct ssc *k, unsigned quads, int32_t *a, int32_t *b,
                     float *score) {
    struct quad x[SIMT_THREADS], y[SIMT_THREADS];
    float norm_a[SIMT_THREADS], norm_b[SIMT_THREADS];
    SIMT_EACH(s, t) {
        score[t] = norm_a[t] = norm_b[t] = 0;
    }
    SIMT_FOR(s, MAP_QUADS, q, quads) {
        simt_load(s, MAP_LOAD_A, x, &k->matrix, element_lane(a));
        simt_load(s, MAP_LOAD_B, y, &k->matrix, element_lane(b));
        simt_alus(s, MAP_0_DOT, MAP_AGAIN);
        SIMT_EACH(s, t) {
            for (unsigned i = 0; i < QUAD; i++) {
                score[t] += x[t].x[i] * y[t].x[i];
                norm_a[t] += x[t].x[i] * x[t].x[i];
                norm_b[t] += y[t].x[i] * y[t].x[i];
            }
            a[t]++;
            b[t]++;
        }
    }
    simt_alus(s, MAP_ROOT_A, MAP_SCORE);
    SIMT_EACH(s, t) {
        score[t] /= sqrtf(norm_a[t]) * sqrtf(norm_b[t]);
    }
}

static void map(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    const struct ssc *k = self(m);
    const struct mars_records *r = &mars_now(m)->in;
    const struct buffer keys = mars_words(&r->keys), values = mars_words(&r->values);
    const struct buffer scratch = mars_scratch(s, 4), bytes = mars_scratch(s, 1);
    int32_t key[SIMT_THREADS], value[SIMT_THREADS], matrix[SIMT_THREADS], first[SIMT_THREADS],
        second[SIMT_THREADS], features[SIMT_THREADS], a[SIMT_THREADS], b[SIMT_THREADS];
    float score[SIMT_THREADS];
    SIMT_EACH(s, t) {
        key[t] = in[t].key_at / 4;
        value[t] = in[t].value_at / 4;
    }
    struct element word = element_lane(value);
    simt_load(s, MAP_LOAD_MATRIX, matrix, &keys, element_lane(key));
    simt_load(s, MAP_LOAD_FIRST_DOCUMENT, first, &values, word);
    word.base = 1;
    simt_load(s, MAP_LOAD_SECOND_DOCUMENT, second, &values, word);
    word.base = 2;
    simt_load(s, MAP_LOAD_FEATURES, features, &values, word);
    simt_alus(s, MAP_ROW_A, MAP_NORM_B);
    SIMT_EACH(s, t) {
        const int32_t start =
            (int32_t)(((uint32_t)matrix[t] - (uint32_t)k->matrix.address) / sizeof(struct quad));
        a[t] = start + first[t] * features[t] / QUAD;
        b[t] = start + second[t] * features[t] / QUAD;
    }
    multiply(s, k, k->features / QUAD, a, b, score);
    simt_alus(s, MAP_SCRATCH, MAP_SCRATCH_VALUE);
    SIMT_EACH(s, t) {
        key[t] = (int32_t)t * MARS_SCRATCH_BYTES;
        value[t] = key[t] + KEY;
    }
    simt_store(s, MAP_SHARE_SCORE, score, &scratch, element_x(0, MARS_SCRATCH_BYTES / 4));
    simt_store(s, MAP_SHARE_FIRST, first, &scratch, element_x(1, MARS_SCRATCH_BYTES / 4));
    simt_store(s, MAP_SHARE_SECOND, second, &scratch, element_x(2, MARS_SCRATCH_BYTES / 4));
    mars_emit(s, m, MAP_EMIT_BARRIER, &(struct mars_source){&bytes, key, KEY},
              &(struct mars_source){&bytes, value, SCORED});
}

/* The most similar first. */
static int32_t order_of(float a, float b) {
    return fabsf(a - b) < EQUAL ? 0 : a > b ? -1 : 1;
}

static void compare(struct simt *s, const struct mars *m, unsigned at, const struct buffer *keys,
                    const struct mars_entry *a, const struct mars_entry *b, int32_t *order) {
    const struct buffer words = mars_words(keys);
    int32_t at_a[SIMT_THREADS], at_b[SIMT_THREADS];
    float score_a[SIMT_THREADS], score_b[SIMT_THREADS];
    (void)m;
    SIMT_EACH(s, t) {
        at_a[t] = a[t].key_at / 4;
        at_b[t] = b[t].key_at / 4;
    }
    simt_load(s, at + COMPARE_LOAD_A, score_a, &words, element_lane(at_a));
    simt_load(s, at + COMPARE_LOAD_B, score_b, &words, element_lane(at_b));
    simt_alus(s, at + COMPARE_DIFFERENCE, at + COMPARE_ORDER);
    SIMT_EACH(s, t) {
        order[t] = order_of(score_a[t], score_b[t]);
    }
}

static const struct mars_app app = {
    .count_code = &ssc_count_code,
    .map_code = &ssc_map_code,
    .count = count,
    .map = map,
    .sort_code = &ssc_sort_code,
    .chunk_code = &ssc_sort_chunk_code,
    .boundary_code = &ssc_boundary_code,
    .compare = compare,
    .calls = 1,
};

static bool fill(struct ssc *k, uint64_t seed) {
    const unsigned d = k->documents, pairs = d * (d - 1) / 2;
    if (!mars_alloc(&k->mars, &k->matrix, d * k->features / QUAD, sizeof(struct quad)) ||
        !mars_alloc_input(&k->mars, pairs, KEY, VALUE)) {
        return false;
    }
    float *matrix = k->matrix.data;
    for (unsigned i = 0; i < d * k->features; i++) {
        matrix[i] = (float)(host_random(&seed) % 100);
    }
    uint32_t *key = k->mars.call[0].in.keys.data;
    int32_t *value = k->mars.call[0].in.values.data;
    for (unsigned i = 0; i < d; i++) {
        for (unsigned j = i + 1; j < d; j++, value += 4) {
            *key++ = (uint32_t)k->matrix.address;
            value[0] = (int32_t)i;
            value[1] = (int32_t)j;
            value[2] = (int32_t)k->features;
        }
    }
    return true;
}

static bool ssc_open(void *self, enum workload_size size, uint64_t seed) {
    struct ssc *k = self;
    k->documents = sizes[size].documents;
    k->features = sizes[size].features;
    if (!fill(k, seed)) {
        return false;
    }
    mars_open(&k->mars, &app);
    return true;
}

static float score_of(const struct ssc *k, unsigned i, unsigned j) {
    const float *a = (const float *)k->matrix.data + i * k->features;
    const float *b = (const float *)k->matrix.data + j * k->features;
    float dot = 0, norm_a = 0, norm_b = 0;
    for (unsigned f = 0; f < k->features; f++) {
        dot += a[f] * b[f];
        norm_a += a[f] * a[f];
        norm_b += b[f] * b[f];
    }
    return dot / (sqrtf(norm_a) * sqrtf(norm_b));
}

static float score_in(const struct mars_expected *e) {
    float score;
    memcpy(&score, e->bytes, sizeof score);
    return score;
}

/* The bitonic network over records, in front of which there are as many without a score as make
 * their number a power of two: numbers of records, -1: without. */
static void sort_numbers(const struct mars_expected *e, int32_t *number, uint32_t power) {
    for (uint32_t k = 2; k <= power; k *= 2) {
        for (uint32_t j = k / 2; j > 0; j /= 2) {
            for (uint32_t i = 0; i < power; i++) {
                const uint32_t p = i ^ j;
                const int32_t a = number[i], b = number[p];
                const int32_t order = a < 0 || b < 0 ? (a >= 0) - (b >= 0)
                                                     : order_of(score_in(&e[a]), score_in(&e[b]));
                if (p > i && (i & k ? order < 0 : order > 0)) {
                    number[i] = b;
                    number[p] = a;
                }
            }
        }
    }
}

static int most_similar(const void *unused, const uint8_t *a, const uint8_t *b) {
    float x, y;
    (void)unused;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return order_of(x, y);
}

/* @sorted: room for as many records; @number: for a power of two. */
static const char *check_scores(struct ssc *k, unsigned n, struct mars_expected *e,
                                struct mars_expected *sorted, int32_t *number, uint32_t power) {
    struct mars *m = &k->mars;
    const struct mars_call *c = &m->call[0];
    unsigned at = 0;
    for (unsigned i = 0; i < k->documents; i++) {
        for (unsigned j = i + 1; j < k->documents; j++, at++) {
            const float score = score_of(k, i, j);
            const struct mars_pair pair = {(int32_t)i, (int32_t)j};
            memcpy(e[at].bytes, &score, KEY);
            memcpy(e[at].bytes + KEY, &pair, SCORED);
        }
    }
    const char *error =
        mars_check_records(m, "scores", &c->out[MARS_MAP].records, e, n, KEY, SCORED);
    for (uint32_t i = 0; i < power; i++) {
        number[i] = i < n ? (int32_t)i : -1;
    }
    sort_numbers(e, number, power);
    for (unsigned i = 0; i < n; i++) {
        sorted[i] = e[number[power - n + i]];
    }
    if (!error) {
        error = mars_check_records(m, "sorted", &c->group.sorted, sorted, n, KEY, SCORED);
    }
    return error ? error : mars_check_ranges(m, &c->group, KEY, most_similar, NULL);
}

static const char *ssc_check(void *self) {
    struct ssc *k = self;
    const unsigned n = k->mars.call[0].in.count;
    uint32_t power = MARS_POWER_MIN;
    while (power < n) {
        power *= 2;
    }
    struct mars_expected *e = calloc(n, sizeof *e), *sorted = calloc(n, sizeof *sorted);
    int32_t *number = calloc(power, sizeof *number);
    const char *error =
        e && sorted && number ? check_scores(k, n, e, sorted, number, power) : "out of memory";
    free(e);
    free(sorted);
    free(number);
    return error;
}

const struct workload workload_ssc = {
    .name = "ssc",
    .suite = "mars",
    .about = "similarity of all pairs of documents: 32 rows a warp, a power of two apart",
    .size_text = {[SIZE_TINY] = "48 documents of 128 numbers",
                  [SIZE_SMALL] = "256 documents of 128 numbers",
                  [SIZE_PAPER_MEDIC] = "512 documents of 128 numbers (suite: 1024 of 256)",
                  [SIZE_PAPER_OWL] = "512 documents of 128 numbers (suite: 1024 of 256)"},
    .bytes = sizeof(struct ssc),
    .open = ssc_open,
    .check = ssc_check,
};
