/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/pvc.h"
#include "workloads/mars/reduce.h"

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
        size[t] = phase[t] ? PVC_LAST_VALUE : PVC_VALUE;
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
              &(struct mars_source){&in->values, r->value_at, PVC_VALUE});
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
              &(struct mars_source){&bytes, scratch_at, PVC_LAST_VALUE});
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

const struct mars_app pvc_app = {
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
    .reduced = {MARS_TEXT_KEY, PVC_VALUE},
};
