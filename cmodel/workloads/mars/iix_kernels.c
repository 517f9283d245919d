/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/iix.h"

#define HREF 4 /* bytes of "href" */

enum { IN_TEXT, IN_TAG, IN_A, IN_HREF, IN_LINK };

enum {
    R_STATE = MARS_TEXT_R_APP,
    R_AT,
    R_END,
    R_FILE,
    R_HREF,
    REGISTERS,
};

/* clang-format off */

#define STATE(I, N) \
    I(ALU, N##_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, R_STATE) \
    I(BRANCH, N##_BRANCH, MARS_R_PREDICATE)
#define TEST(I, N) \
    I(ALU, N##_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_CHAR) \
    I(ALU, N##_STATE, OP_INT_ADD, R_STATE, R_STATE, MARS_R_PREDICATE)
/* From the record to the end of the branches that look for a link; a link's end. */
#define WALK_HEAD(I, N) \
    I(LOAD, N##_LOAD_OFFSET, SPACE_GLOBAL, 4, R_AT, MARS_R_VALUE) \
    I(LOAD, N##_LOAD_FILE, SPACE_GLOBAL, 4, R_FILE, MARS_R_KEY) \
    I(LOAD, N##_LOAD_SIZE, SPACE_GLOBAL, 4, R_END, MARS_R_VALUE) \
    I(ALU, N##_END, OP_INT_ADD, R_END, R_END, R_AT) \
    I(ALU, N##_STATE, OP_INT_ADD, R_STATE, REG_NONE) \
    I(LOOP, N##_BYTES) \
    I(ALU, N##_ADDRESS, OP_INT_ADD, MARS_R_ADDRESS, R_AT, R_FILE) \
    I(LOAD, N##_LOAD, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_ADDRESS) \
    STATE(I, N##_IN_TEXT) \
    TEST(I, N##_TAG) \
    STATE(I, N##_IN_TAG) \
    TEST(I, N##_TAG_A) \
    TEST(I, N##_TAG_SPACE) \
    STATE(I, N##_IN_A) \
    I(ALU, N##_H_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_CHAR) \
    I(BRANCH, N##_H_BRANCH, MARS_R_PREDICATE) \
    I(ALU, N##_HREF_START, OP_INT_ADD, R_HREF, R_AT) \
    I(LOOP, N##_HREF) \
    I(ALU, N##_HREF_ADDRESS, OP_INT_ADD, MARS_R_ADDRESS, R_HREF, R_FILE) \
    I(LOAD, N##_HREF_LOAD, SPACE_GLOBAL, 1, MARS_R_OTHER_CHAR, MARS_R_ADDRESS) \
    I(ALU, N##_HREF_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_OTHER_CHAR) \
    I(BRANCH, N##_HREF_SAME, MARS_R_PREDICATE) \
    I(ALU, N##_HREF_NEXT, OP_INT_ADD, R_HREF, R_HREF) \
    I(ALU, N##_HREF_LIMIT, OP_INT_ADD, MARS_R_PREDICATE, R_HREF) \
    I(BRANCH, N##_HREF_AGAIN, MARS_R_PREDICATE) \
    I(ALU, N##_HREF_STATE, OP_INT_ADD, R_STATE, R_HREF, R_AT) \
    I(ALU, N##_HREF_SKIP, OP_INT_ADD, R_AT, R_AT, R_HREF) \
    TEST(I, N##_A_SPACE) \
    STATE(I, N##_IN_HREF) \
    TEST(I, N##_HREF_SPACE) \
    TEST(I, N##_HREF_QUOTE) \
    I(ALU, N##_LINK_START, OP_INT_ADD, MARS_R_OFFSET, R_AT) \
    I(LOOP, N##_LINK) \
    I(ALU, N##_LINK_ADDRESS, OP_INT_ADD, MARS_R_ADDRESS, R_AT, R_FILE) \
    I(LOAD, N##_LINK_LOAD, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_ADDRESS) \
    I(ALU, N##_LINK_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_CHAR) \
    I(BRANCH, N##_LINK_AGAIN, MARS_R_PREDICATE) \
    I(ALU, N##_LINK_NEXT, OP_INT_ADD, R_AT, R_AT)
#define WALK_TAIL(I, N) \
    I(ALU, N##_LINK_DONE, OP_INT_ADD, R_STATE, REG_NONE) \
    I(ALU, N##_NEXT, OP_INT_ADD, R_AT, R_AT) \
    I(ALU, N##_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, R_AT, R_END) \
    I(BRANCH, N##_AGAIN, MARS_R_PREDICATE)

#define COUNT(I) \
    MARS_COUNT_HEAD(I) WALK_HEAD(I, COUNT) MARS_COUNT_EMIT(I, COUNT_EMIT) WALK_TAIL(I, COUNT)
#define MAP(I) \
    MARS_MAP_HEAD(I) WALK_HEAD(I, MAP) \
    I(ALU, MAP_NUL, OP_INT_ADD, MARS_R_CHAR, REG_NONE) \
    I(STORE, MAP_STORE_NUL, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_ADDRESS) \
    I(STORE, MAP_STORE_OFFSET, SPACE_GLOBAL, 4, MARS_R_OFFSET, MARS_R_KEY) \
    I(ALU, MAP_TEXT, OP_INT_ADD, MARS_R_TEXT, MARS_R_OFFSET, R_FILE) \
    I(ALU, MAP_LENGTH, OP_INT_ADD, MARS_R_LENGTH, R_AT, MARS_R_OFFSET) \
    MARS_HASH(I, MAP_HASH) \
    I(STORE, MAP_STORE_HASH, SPACE_GLOBAL, 4, MARS_R_HASH, MARS_R_KEY) \
    MARS_EMIT(I, MAP_EMIT, MARS_BYTES_12, SPACE_GLOBAL, MARS_BYTES_4, SPACE_GLOBAL) \
    WALK_TAIL(I, MAP)
#define SORT(I) MARS_SORT(I, MARS_TEXT_COMPARE)
#define CHUNK(I) MARS_CHUNK(I, MARS_TEXT_COMPARE)
#define BOUNDARY(I) MARS_BOUNDARY(I, MARS_TEXT_COMPARE)
SIMT_CODE(iix_count, COUNT, .registers = REGISTERS);
SIMT_CODE(iix_map, MAP, .registers = REGISTERS, .shared_bytes = MARS_BLOCK * MARS_SCRATCH_BYTES);
SIMT_CODE(iix_sort, SORT, .registers = REGISTERS);
SIMT_CODE(iix_sort_chunk, CHUNK, .registers = REGISTERS, .shared_bytes = MARS_CHUNK_SHARED_BYTES);
SIMT_CODE(iix_boundary, BOUNDARY, .registers = REGISTERS);
/* The walk in both kernels: its head behind the first of it, its tail from the end of the code. */
enum { WALK_HEAD(INSN_INDEX, WALK) };
enum { WALK_TAIL(INSN_INDEX, TAIL) TAIL_COUNT };

/* clang-format on */

static const struct iix *self(const struct mars *m) {
    return (const struct iix *)m;
}

/* A walk through a record, a thread; bytes as indices into the buffer of all files. */
struct walk {
    int32_t key[SIMT_THREADS], value[SIMT_THREADS]; /* words */
    int32_t key_at[SIMT_THREADS], value_at[SIMT_THREADS];
    int32_t file[SIMT_THREADS], at[SIMT_THREADS], end[SIMT_THREADS], state[SIMT_THREADS];
    int32_t link[SIMT_THREADS]; /* where one starts that ends at at */
    uint8_t byte[SIMT_THREADS];
};

typedef void found(struct simt *s, const struct mars *m, const struct walk *w);

static struct element word(const int32_t *record, unsigned number) {
    return (struct element){.base = number, .scale = 1, .lane = record};
}

/* The 'h' of an 'a' tag: is it the first of "href"? Then go on behind that. */
static void match_href(struct simt *s, unsigned at, const struct buffer *file, struct walk *w) {
    int32_t i[SIMT_THREADS];
    uint8_t byte[SIMT_THREADS];
    struct simt_mask same, left;
    SIMT_ALU(s, at + WALK_HREF_START, t) {
        i[t] = 0;
    }
    SIMT_LOOP(s, at + WALK_HREF) {
        int32_t from[SIMT_THREADS];
        SIMT_EACH(s, t) {
            from[t] = w->at[t] + i[t];
        }
        simt_alu(s, at + WALK_HREF_ADDRESS);
        simt_load(s, at + WALK_HREF_LOAD, byte, file, element_lane(from));
        simt_alu(s, at + WALK_HREF_COMPARE);
        SIMT_WHERE(s, same, t, byte[t] == (uint8_t) "href"[i[t]]);
        simt_while(s, at + WALK_HREF_SAME, &same);
        SIMT_ALU(s, at + WALK_HREF_NEXT, t) {
            i[t]++;
        }
        simt_alu(s, at + WALK_HREF_LIMIT);
        SIMT_WHERE(s, left, t, i[t] < HREF);
        simt_while(s, at + WALK_HREF_AGAIN, &left);
    }
    simt_alus(s, at + WALK_HREF_STATE, at + WALK_HREF_SKIP);
    SIMT_EACH(s, t) {
        w->state[t] = i[t] == HREF ? IN_HREF : IN_TEXT;
        w->at[t] += i[t] == HREF ? HREF - 1 : 0;
    }
}

/* Behind "<a": more of the tag, or not a link. */
static void in_a(struct simt *s, unsigned at, const struct buffer *file, struct walk *w) {
    struct simt_mask h;
    simt_alu(s, at + WALK_H_COMPARE);
    SIMT_WHERE(s, h, t, w->byte[t] == 'h');
    SIMT_IF(s, at + WALK_H_BRANCH, &h) {
        match_href(s, at, file, w);
    }
    SIMT_ELSE(s) {
        simt_alus(s, at + WALK_A_SPACE_COMPARE, at + WALK_A_SPACE_STATE);
        SIMT_EACH(s, t) {
            w->state[t] = w->byte[t] == ' ' ? IN_A : IN_TEXT;
        }
    }
}

/* The link ends at the next quote. The kernel decides what to do with it. */
static void in_link(struct simt *s, const struct mars *m, unsigned at, struct walk *w,
                    found *with_link) {
    const unsigned tail = s->launch->code->insn_count - TAIL_COUNT;
    struct simt_mask inside;
    SIMT_ALU(s, at + WALK_LINK_START, t) {
        w->link[t] = w->at[t];
    }
    SIMT_LOOP(s, at + WALK_LINK) {
        simt_alu(s, at + WALK_LINK_ADDRESS);
        simt_load(s, at + WALK_LINK_LOAD, w->byte, &self(m)->file, element_lane(w->at));
        simt_alu(s, at + WALK_LINK_COMPARE);
        SIMT_WHERE(s, inside, t, w->byte[t] != '"');
        simt_while(s, at + WALK_LINK_AGAIN, &inside);
        SIMT_ALU(s, at + WALK_LINK_NEXT, t) {
            w->at[t]++;
        }
    }
    with_link(s, m, w);
    SIMT_ALU(s, tail + TAIL_LINK_DONE, t) {
        w->state[t] = IN_TEXT;
    }
}

/* One byte, of the lanes that are not in text: a branch a state. */
static void in_markup(struct simt *s, const struct mars *m, unsigned at, struct walk *w,
                      found *with_link) {
    struct simt_mask in;
    simt_alu(s, at + WALK_IN_TAG_COMPARE);
    SIMT_WHERE(s, in, t, w->state[t] == IN_TAG);
    SIMT_IF(s, at + WALK_IN_TAG_BRANCH, &in) {
        simt_alus(s, at + WALK_TAG_A_COMPARE, at + WALK_TAG_SPACE_STATE);
        SIMT_EACH(s, t) {
            w->state[t] = w->byte[t] == 'a' ? IN_A : w->byte[t] == ' ' ? IN_TAG : IN_TEXT;
        }
    }
    SIMT_ELSE(s) {
        simt_alu(s, at + WALK_IN_A_COMPARE);
        SIMT_WHERE(s, in, t, w->state[t] == IN_A);
        SIMT_IF(s, at + WALK_IN_A_BRANCH, &in) {
            in_a(s, at, &self(m)->file, w);
        }
        SIMT_ELSE(s) {
            simt_alu(s, at + WALK_IN_HREF_COMPARE);
            SIMT_WHERE(s, in, t, w->state[t] == IN_HREF);
            SIMT_IF(s, at + WALK_IN_HREF_BRANCH, &in) {
                simt_alus(s, at + WALK_HREF_SPACE_COMPARE, at + WALK_HREF_QUOTE_STATE);
                SIMT_EACH(s, t) {
                    const uint8_t c = w->byte[t];
                    w->state[t] = c == ' ' || c == '=' ? IN_HREF : c == '"' ? IN_LINK : IN_TEXT;
                }
            }
            SIMT_ELSE(s) {
                in_link(s, m, at, w, with_link);
            }
        }
    }
}

/* The record of each thread, byte by byte. @at: of WALK_HEAD. */
static void walk(struct simt *s, const struct mars *m, unsigned at, const struct mars_entry *in,
                 struct walk *w, found *with_link) {
    const struct mars_records *records = &mars_now(m)->in;
    const struct buffer keys = mars_words(&records->keys), values = mars_words(&records->values);
    const struct buffer *file = &self(m)->file;
    const unsigned tail = s->launch->code->insn_count - TAIL_COUNT;
    int32_t pointer[SIMT_THREADS];
    struct simt_mask text, left;
    SIMT_EACH(s, t) {
        w->key_at[t] = in[t].key_at;
        w->key[t] = in[t].key_at / 4;
        w->value_at[t] = in[t].value_at;
        w->value[t] = in[t].value_at / 4;
    }
    simt_load(s, at + WALK_LOAD_OFFSET, w->at, &values, word(w->value, 0));
    simt_load(s, at + WALK_LOAD_FILE, pointer, &keys, word(w->key, MARS_KEY_FILE));
    simt_load(s, at + WALK_LOAD_SIZE, w->end, &values, word(w->value, 1));
    simt_alus(s, at + WALK_END, at + WALK_STATE);
    SIMT_EACH(s, t) {
        w->file[t] = mars_text_at(file, (uint32_t)pointer[t], 0);
        w->at[t] += w->file[t];
        w->end[t] += w->at[t];
        w->state[t] = IN_TEXT;
    }
    SIMT_LOOP(s, at + WALK_BYTES) {
        simt_alu(s, at + WALK_ADDRESS);
        simt_load(s, at + WALK_LOAD, w->byte, file, element_lane(w->at));
        simt_alu(s, at + WALK_IN_TEXT_COMPARE);
        SIMT_WHERE(s, text, t, w->state[t] == IN_TEXT);
        SIMT_IF(s, at + WALK_IN_TEXT_BRANCH, &text) {
            simt_alus(s, at + WALK_TAG_COMPARE, at + WALK_TAG_STATE);
            SIMT_EACH(s, t) {
                w->state[t] = w->byte[t] == '<' ? IN_TAG : IN_TEXT;
            }
        }
        SIMT_ELSE(s) {
            in_markup(s, m, at, w, with_link);
        }
        SIMT_ALU(s, tail + TAIL_NEXT, t) {
            w->at[t]++;
        }
        simt_alu(s, tail + TAIL_COMPARE);
        SIMT_WHERE(s, left, t, w->at[t] < w->end[t]);
        simt_while(s, tail + TAIL_AGAIN, &left);
    }
}

static void count_link(struct simt *s, const struct mars *m, const struct walk *w) {
    int32_t size[SIMT_THREADS];
    (void)w;
    SIMT_EACH(s, t) {
        size[t] = IIX_LAST_VALUE;
    }
    mars_count_emit(s, &mars_now(m)->out[MARS_MAP], COUNT_EMIT_KEYS_ADDRESS, MARS_TEXT_KEY, size);
}

static void count(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    struct walk w;
    walk(s, m, COUNT_LOAD_OFFSET, in, &w, count_link);
}

/* Ends the link's string and emits it, with the file's number. */
static void emit_link(struct simt *s, const struct mars *m, const struct walk *w) {
    const struct mars_records *in = &mars_now(m)->in;
    const struct buffer *file = &self(m)->file, keys = mars_words(&in->keys);
    int32_t offset[SIMT_THREADS], length[SIMT_THREADS], hash[SIMT_THREADS], number[SIMT_THREADS];
    uint8_t nul[SIMT_THREADS];
    SIMT_ALU(s, MAP_NUL, t) {
        nul[t] = 0;
    }
    simt_store(s, MAP_STORE_NUL, nul, file, element_lane(w->at));
    SIMT_EACH(s, t) {
        offset[t] = w->link[t] - w->file[t];
    }
    simt_store(s, MAP_STORE_OFFSET, offset, &keys, word(w->key, MARS_KEY_OFFSET));
    simt_alus(s, MAP_TEXT, MAP_LENGTH);
    SIMT_EACH(s, t) {
        length[t] = w->at[t] - w->link[t];
        number[t] = w->value_at[t] + 8;
    }
    mars_hash(s, MAP_HASH_SEED, file, w->link, length, hash);
    simt_store(s, MAP_STORE_HASH, hash, &keys, word(w->key, MARS_KEY_HASH));
    mars_emit(s, m, MAP_EMIT_BARRIER, &(struct mars_source){&in->keys, w->key_at, MARS_TEXT_KEY},
              &(struct mars_source){&in->values, number, IIX_LAST_VALUE});
}

static void map(struct simt *s, const struct mars *m, const struct mars_entry *in) {
    struct walk w;
    walk(s, m, MAP_LOAD_OFFSET, in, &w, emit_link);
}

static void compare(struct simt *s, const struct mars *m, unsigned at, const struct buffer *keys,
                    const struct mars_entry *a, const struct mars_entry *b, int32_t *order) {
    mars_text_compare(s, at, &self(m)->file, keys, a, b, order);
}

const struct mars_app iix_app = {
    .count_code = &iix_count_code,
    .map_code = &iix_map_code,
    .count = count,
    .map = map,
    .sort_code = &iix_sort_code,
    .chunk_code = &iix_sort_chunk_code,
    .boundary_code = &iix_boundary_code,
    .compare = compare,
    .calls = 1,
};
