/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/ccws/lookup3.h"
#include "workloads/ccws/memc.h"

#define BLOCK MEMC_BLOCK
#define GET_WORD 0x20746567 /* "get " */

enum {
    R_REQUEST,
    R_PREDICATE,
    R_ADDRESS,
    R_WORD,
    R_KEY,
    R_KEY_END,
    R_CHARACTER,
    R_KEY_BYTES,
    R_A,
    R_B,
    R_C,
    R_LEFT,
    R_W0,
    R_W1,
    R_W2,
    R_TABLE,
    R_ITEM,
    R_ITEM_KEY,
    R_ITEM_BYTES,
    R_FLAGS,
    R_AT,
    R_OTHER,
    R_FOUND,
    R_EXPIRES,
    R_TIME,
    R_NOW,
    R_LENGTH,
    R_OUT
};

#define GET(I) \
    I(ALU, REQUEST, OP_INT_MAD, R_REQUEST, REG_NONE) \
    I(ALU, COMPARE_REQUEST, OP_INT_ADD, R_PREDICATE, R_REQUEST) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, REQUEST_ADDRESS, OP_INT_MAD, R_ADDRESS, R_REQUEST) \
    I(ALU, NO_ITEM, OP_INT_ADD, R_FOUND, REG_NONE) \
    I(ALU, NO_LENGTH, OP_INT_ADD, R_LENGTH, REG_NONE) \
    I(LOAD, LOAD_COMMAND, SPACE_GLOBAL, 4, R_WORD, R_ADDRESS) \
    I(ALU, IS_GET, OP_INT_ADD, R_PREDICATE, R_WORD) \
    I(BRANCH, GET_BRANCH, R_PREDICATE) \
    /* The end of the key. */ \
    I(ALU, KEY, OP_INT_ADD, R_KEY, R_ADDRESS) \
    I(ALU, SCAN_FIRST, OP_INT_ADD, R_KEY_END, R_KEY) \
    I(LOOP, SCAN) \
    I(LOAD, LOAD_CHARACTER, SPACE_GLOBAL, 1, R_CHARACTER, R_KEY_END) \
    I(ALU, IS_RETURN, OP_INT_ADD, R_PREDICATE, R_CHARACTER) \
    I(BRANCH, SCAN_BRANCH, R_PREDICATE) \
    I(ALU, SCAN_NEXT, OP_INT_ADD, R_KEY_END, R_KEY_END) \
    I(ALU, KEY_BYTES, OP_INT_ADD, R_KEY_BYTES, R_KEY_END, R_KEY) \
    /* The hash. */ \
    I(ALU, HASH_A, OP_INT_ADD, R_A, R_KEY_BYTES) \
    I(ALU, HASH_B, OP_INT_ADD, R_B, R_A) \
    I(ALU, HASH_C, OP_INT_ADD, R_C, R_A) \
    I(ALU, HASH_LEFT, OP_INT_ADD, R_LEFT, R_KEY_BYTES) \
    I(ALU, HASH_AT, OP_INT_ADD, R_AT, R_KEY) \
    I(LOOP, HASH) \
    I(ALU, HASH_COMPARE, OP_INT_ADD, R_PREDICATE, R_LEFT) \
    I(BRANCH, HASH_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_W0, SPACE_GLOBAL, 4, R_W0, R_AT) \
    I(LOAD, LOAD_W1, SPACE_GLOBAL, 4, R_W1, R_AT) \
    I(LOAD, LOAD_W2, SPACE_GLOBAL, 4, R_W2, R_AT) \
    I(ALU, ADD_W0, OP_INT_ADD, R_A, R_A, R_W0) \
    I(ALU, ADD_W1, OP_INT_ADD, R_B, R_B, R_W1) \
    I(ALU, ADD_W2, OP_INT_ADD, R_C, R_C, R_W2) \
    I(ALU, MIX, OP_INT_ADD, R_C, R_A, R_B, R_C) \
    I(ALU, HASH_NEXT_LEFT, OP_INT_ADD, R_LEFT, R_LEFT) \
    I(ALU, HASH_NEXT_AT, OP_INT_ADD, R_AT, R_AT) \
    I(LOAD, LOAD_TAIL_0, SPACE_GLOBAL, 4, R_W0, R_AT) \
    I(ALU, TAIL_1_COMPARE, OP_INT_ADD, R_PREDICATE, R_LEFT) \
    I(BRANCH, TAIL_1_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_TAIL_1, SPACE_GLOBAL, 4, R_W1, R_AT) \
    I(ALU, TAIL_2_COMPARE, OP_INT_ADD, R_PREDICATE, R_LEFT) \
    I(BRANCH, TAIL_2_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_TAIL_2, SPACE_GLOBAL, 4, R_W2, R_AT) \
    I(ALU, TAIL_0_MASK, OP_INT_ADD, R_W0, R_W0, R_LEFT) \
    I(ALU, TAIL_0_ADD, OP_INT_ADD, R_A, R_A, R_W0) \
    I(ALU, TAIL_1_MASK, OP_INT_ADD, R_W1, R_W1, R_LEFT) \
    I(ALU, TAIL_1_ADD, OP_INT_ADD, R_B, R_B, R_W1) \
    I(ALU, TAIL_2_MASK, OP_INT_ADD, R_W2, R_W2, R_LEFT) \
    I(ALU, TAIL_2_ADD, OP_INT_ADD, R_C, R_C, R_W2) \
    I(ALU, FINAL, OP_INT_ADD, R_C, R_A, R_B, R_C) \
    /* The chain. */ \
    I(ALU, PLACE, OP_INT_ADD, R_TABLE, R_C) \
    I(ALU, PLACE_ADDRESS, OP_INT_MAD, R_TABLE, R_TABLE) \
    I(LOAD, LOAD_FIRST, SPACE_GLOBAL, 8, R_ITEM, R_TABLE) \
    I(ALU, EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM) \
    I(BRANCH, EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, CHAIN) \
    I(LOAD, LOAD_KEY_BYTES, SPACE_GLOBAL, 1, R_ITEM_BYTES, R_ITEM) \
    I(ALU, BYTES_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM_BYTES, R_KEY_BYTES) \
    I(BRANCH, BYTES_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_FLAGS, SPACE_GLOBAL, 1, R_FLAGS, R_ITEM) \
    I(ALU, CAS_BYTES, OP_INT_ADD, R_FLAGS, R_FLAGS) \
    I(ALU, ITEM_KEY, OP_INT_ADD, R_ITEM_KEY, R_ITEM, R_FLAGS) \
    I(ALU, COMPARE_FIRST, OP_INT_ADD, R_AT, R_KEY) \
    I(LOOP, COMPARE) \
    I(LOAD, LOAD_OWN, SPACE_GLOBAL, 1, R_CHARACTER, R_AT) \
    I(LOAD, LOAD_OTHER, SPACE_GLOBAL, 1, R_OTHER, R_ITEM_KEY) \
    I(ALU, DIFFER, OP_INT_ADD, R_PREDICATE, R_CHARACTER, R_OTHER) \
    I(BRANCH, DIFFER_BRANCH, R_PREDICATE) \
    I(ALU, COMPARE_NEXT, OP_INT_ADD, R_AT, R_AT) \
    I(ALU, COMPARE_NEXT_OTHER, OP_INT_ADD, R_ITEM_KEY, R_ITEM_KEY) \
    I(ALU, COMPARE_LAST, OP_INT_ADD, R_PREDICATE, R_AT, R_KEY_END) \
    I(BRANCH, COMPARE_BRANCH, R_PREDICATE) \
    I(ALU, MATCH, OP_INT_ADD, R_FOUND, R_PREDICATE, R_ITEM) \
    I(BRANCH, MATCH_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_NEXT, SPACE_GLOBAL, 8, R_ITEM, R_ITEM) \
    I(ALU, NEXT_COMPARE, OP_INT_ADD, R_PREDICATE, R_ITEM) \
    I(BRANCH, NEXT_BRANCH, R_PREDICATE) \
    /* The item found: its expiry, time and length. */ \
    I(ALU, FOUND_COMPARE, OP_INT_ADD, R_PREDICATE, R_FOUND) \
    I(BRANCH, FOUND_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_EXPIRES, SPACE_GLOBAL, 4, R_EXPIRES, R_FOUND) \
    I(ALU, EXPIRED_COMPARE, OP_INT_ADD, R_PREDICATE, R_EXPIRES) \
    I(BRANCH, EXPIRED_BRANCH, R_PREDICATE) \
    I(ALU, FORGET, OP_INT_ADD, R_FOUND, REG_NONE) \
    I(LOAD, LOAD_TIME, SPACE_GLOBAL, 4, R_TIME, R_FOUND) \
    I(LOAD, LOAD_LENGTH, SPACE_GLOBAL, 4, R_LENGTH, R_FOUND) \
    I(ALU, NOW, OP_INT_ADD, R_NOW, REG_NONE) \
    I(ALU, TIME_COMPARE, OP_INT_ADD, R_PREDICATE, R_TIME, R_NOW) \
    I(BRANCH, TIME_BRANCH, R_PREDICATE) \
    I(STORE, STORE_TIME, SPACE_GLOBAL, 4, R_NOW, R_FOUND) \
    I(ALU, OUT_FOUND, OP_INT_MAD, R_OUT, R_REQUEST) \
    I(STORE, STORE_FOUND, SPACE_GLOBAL, 8, R_FOUND, R_OUT) \
    I(ALU, OUT_LENGTH, OP_INT_MAD, R_OUT, R_REQUEST) \
    I(STORE, STORE_LENGTH, SPACE_GLOBAL, 4, R_LENGTH, R_OUT)
SIMT_CODE(memc_get, GET, .registers = 30);

/* A CTA's threads, between the steps below. Indices are those of bytes. */
struct threads {
    int32_t key[BLOCK]; /* in request */
    int32_t key_bytes[BLOCK];
    struct lookup3 hash[BLOCK];
    uint64_t item[BLOCK], found[BLOCK];
    int32_t length[BLOCK];
};

/* An item's member as an element of a view of the heap. */
static struct element member(const struct memc *k, const uint64_t *item, unsigned offset,
                             unsigned width, int32_t *index, const struct simt *s) {
    SIMT_EACH(s, t) {
        index[t] = (int32_t)((item[t] - k->store.heap.address + offset) / width);
    }
    return element_lane(index);
}

/* for (end = key; *end != '\r'; end++); */
static void scan(struct simt *s, const struct memc *k, struct threads *v) {
    int32_t end[BLOCK];
    uint8_t character[BLOCK];
    struct simt_mask more;
    simt_alu(s, KEY);
    SIMT_ALU(s, SCAN_FIRST, t) {
        end[t] = v->key[t];
    }
    SIMT_LOOP(s, SCAN) {
        simt_load(s, LOAD_CHARACTER, character, &k->store.request, element_lane(end));
        simt_alu(s, IS_RETURN);
        SIMT_WHERE(s, more, t, character[t] != '\r');
        simt_while(s, SCAN_BRANCH, &more);
        SIMT_ALU(s, SCAN_NEXT, t) {
            end[t]++;
        }
    }
    SIMT_ALU(s, KEY_BYTES, t) {
        v->key_bytes[t] = end[t] - v->key[t];
    }
}

/* The bytes of the tail's word @i, of which what lies behind the key is masked off. */
static uint32_t tail_word(int32_t word, int i, int32_t left) {
    const int32_t bytes = left - 4 * i;
    const uint32_t mask =
        bytes >= 4 ? UINT32_MAX : (UINT32_C(1) << 8 * (bytes > 0 ? bytes : 0)) - 1;
    return (uint32_t)word & mask;
}

/* The last 1 to 12 bytes: as many whole words as hold some of them. */
static void hash_tail(struct simt *s, const struct memc *k, struct threads *v, const int32_t *at,
                      const int32_t *left) {
    const struct buffer *words = &k->store.request_words;
    struct element place = {.base = 0, .scale = 1, .lane = at};
    int32_t w[3][BLOCK] = {{0}};
    struct simt_mask more;
    simt_load(s, LOAD_TAIL_0, w[0], words, place);
    place.base = 1;
    simt_alu(s, TAIL_1_COMPARE);
    SIMT_WHERE(s, more, t, left[t] > 4);
    SIMT_IF(s, TAIL_1_BRANCH, &more) {
        simt_load(s, LOAD_TAIL_1, w[1], words, place);
    }
    place.base = 2;
    simt_alu(s, TAIL_2_COMPARE);
    SIMT_WHERE(s, more, t, left[t] > 8);
    SIMT_IF(s, TAIL_2_BRANCH, &more) {
        simt_load(s, LOAD_TAIL_2, w[2], words, place);
    }
    simt_alus(s, TAIL_0_MASK, TAIL_2_ADD);
    SIMT_EACH(s, t) {
        v->hash[t].a += tail_word(w[0][t], 0, left[t]);
        v->hash[t].b += tail_word(w[1][t], 1, left[t]);
        v->hash[t].c += tail_word(w[2][t], 2, left[t]);
    }
}

/* hashlittle(key, key_bytes, 0) */
static void hash(struct simt *s, const struct memc *k, struct threads *v) {
    int32_t at[BLOCK], left[BLOCK], w[3][BLOCK]; /* at: word */
    struct simt_mask more;
    simt_alus(s, HASH_A, HASH_AT);
    SIMT_EACH(s, t) {
        v->hash[t] = lookup3_start((uint32_t)v->key_bytes[t], 0);
        left[t] = v->key_bytes[t];
        at[t] = v->key[t] / 4;
    }
    SIMT_LOOP(s, HASH) {
        simt_alu(s, HASH_COMPARE);
        SIMT_WHERE(s, more, t, left[t] > 12);
        simt_while(s, HASH_BRANCH, &more);
        for (unsigned i = 0; i < 3; i++) {
            simt_load(s, LOAD_W0 + i, w[i], &k->store.request_words,
                      (struct element){.base = i, .scale = 1, .lane = at});
        }
        simt_alus(s, ADD_W0, ADD_W2);
        simt_work(s, MIX, LOOKUP3_MIX_OPERATIONS);
        SIMT_EACH(s, t) {
            v->hash[t].a += (uint32_t)w[0][t];
            v->hash[t].b += (uint32_t)w[1][t];
            v->hash[t].c += (uint32_t)w[2][t];
            lookup3_mix(&v->hash[t]);
            left[t] -= 12;
            at[t] += 3;
        }
        simt_alus(s, HASH_NEXT_LEFT, HASH_NEXT_AT);
    }
    hash_tail(s, k, v, at, left);
    simt_work(s, FINAL, LOOKUP3_FINAL_OPERATIONS);
    SIMT_EACH(s, t) {
        lookup3_final(&v->hash[t]);
    }
}

/* for (i = 0; i < key_bytes && key[i] == item_key[i]; i++); @equal: bytes */
static void compare_keys(struct simt *s, const struct memc *k, const struct threads *v,
                         int32_t *equal) {
    int32_t index[BLOCK], own[BLOCK], other[BLOCK];
    uint8_t flags[BLOCK], a[BLOCK], b[BLOCK];
    struct simt_mask more;
    simt_load(s, LOAD_FLAGS, flags, &k->store.heap, member(k, v->item, ITEM_FLAGS, 1, index, s));
    simt_alus(s, CAS_BYTES, COMPARE_FIRST);
    SIMT_EACH(s, t) {
        const uint64_t header = v->item[t] - k->store.heap.address + ITEM_HEADER_BYTES;
        other[t] = (int32_t)header + (flags[t] & ITEM_HAS_CAS ? ITEM_CAS_BYTES : 0);
        own[t] = v->key[t];
        equal[t] = 0;
    }
    SIMT_LOOP(s, COMPARE) {
        simt_load(s, LOAD_OWN, a, &k->store.request, element_lane(own));
        simt_load(s, LOAD_OTHER, b, &k->store.heap, element_lane(other));
        simt_alu(s, DIFFER);
        SIMT_WHERE(s, more, t, a[t] == b[t]);
        simt_while(s, DIFFER_BRANCH, &more);
        SIMT_EACH(s, t) {
            own[t]++;
            other[t]++;
            equal[t]++;
        }
        simt_alus(s, COMPARE_NEXT, COMPARE_LAST);
        SIMT_WHERE(s, more, t, equal[t] < v->key_bytes[t]);
        simt_while(s, COMPARE_BRANCH, &more);
    }
}

/* for (item = table[hash & mask]; item; item = item->chain) if (its key is this) break; */
static void walk_chain(struct simt *s, const struct memc *k, struct threads *v) {
    int32_t index[BLOCK], equal[BLOCK];
    uint8_t key_bytes[BLOCK];
    struct simt_mask mask;
    simt_alus(s, PLACE, PLACE_ADDRESS);
    SIMT_EACH(s, t) {
        index[t] = (int32_t)(v->hash[t].c & (k->store.table.count - 1));
    }
    simt_load(s, LOAD_FIRST, v->item, &k->store.table, element_lane(index));
    simt_alu(s, EMPTY_COMPARE);
    SIMT_WHERE(s, mask, t, v->item[t] != 0);
    SIMT_IF(s, EMPTY_BRANCH, &mask) {
        SIMT_LOOP(s, CHAIN) {
            SIMT_EACH(s, t) {
                equal[t] = -1;
            }
            simt_load(s, LOAD_KEY_BYTES, key_bytes, &k->store.heap,
                      member(k, v->item, ITEM_KEY_BYTES, 1, index, s));
            simt_alu(s, BYTES_COMPARE);
            SIMT_WHERE(s, mask, t, key_bytes[t] == v->key_bytes[t]);
            SIMT_IF(s, BYTES_BRANCH, &mask) {
                compare_keys(s, k, v, equal);
            }
            SIMT_ALU(s, MATCH, t) {
                v->found[t] = equal[t] == v->key_bytes[t] ? v->item[t] : 0;
            }
            SIMT_WHERE(s, mask, t, v->found[t] == 0);
            simt_while(s, MATCH_BRANCH, &mask);
            simt_load(s, LOAD_NEXT, v->item, &k->store.heap_longs,
                      member(k, v->item, ITEM_CHAIN, 8, index, s));
            simt_alu(s, NEXT_COMPARE);
            SIMT_WHERE(s, mask, t, v->item[t] != 0);
            simt_while(s, NEXT_BRANCH, &mask);
        }
    }
}

/* An item that has expired is none; another is stamped, unless it was a short time ago. */
static void take(struct simt *s, const struct memc *k, struct threads *v) {
    const struct buffer *words = &k->store.heap_words;
    const int32_t now = (int32_t)memc_parameters.now;
    int32_t index[BLOCK], expires[BLOCK], time[BLOCK], stamp[BLOCK];
    struct simt_mask mask;
    simt_load(s, LOAD_EXPIRES, expires, words, member(k, v->found, ITEM_EXPIRES, 4, index, s));
    simt_alu(s, EXPIRED_COMPARE);
    SIMT_WHERE(s, mask, t, expires[t] != 0 && expires[t] <= now);
    SIMT_IF(s, EXPIRED_BRANCH, &mask) {
        SIMT_ALU(s, FORGET, t) {
            v->found[t] = 0;
        }
    }
    SIMT_ELSE(s) {
        simt_load(s, LOAD_TIME, time, words, member(k, v->found, ITEM_TIME, 4, index, s));
        simt_load(s, LOAD_LENGTH, v->length, words, member(k, v->found, ITEM_BYTES, 4, index, s));
        SIMT_ALU(s, NOW, t) {
            stamp[t] = now;
        }
        simt_alu(s, TIME_COMPARE);
        SIMT_WHERE(s, mask, t, time[t] < now - (int32_t)memc_parameters.touch_after);
        SIMT_IF(s, TIME_BRANCH, &mask) {
            simt_store(s, STORE_TIME, stamp, words, member(k, v->found, ITEM_TIME, 4, index, s));
        }
    }
}

static void get(struct simt *s, const void *arguments) {
    const struct memc *k = arguments;
    const int64_t request = (int64_t)s->cta[0] * BLOCK; /* of thread 0 */
    const int64_t words = k->store.request_bytes / 4;
    struct threads v;
    int32_t command[BLOCK];
    struct simt_mask mask;

    simt_alus(s, REQUEST, COMPARE_REQUEST);
    SIMT_WHERE(s, mask, t, request + t < k->store.requests);
    SIMT_IF(s, GUARD, &mask) {
        SIMT_EACH(s, t) {
            v.key[t] = (int32_t)((request + t) * 4 * words) + MEMC_COMMAND_BYTES;
            v.found[t] = 0;
            v.length[t] = 0;
        }
        simt_alus(s, REQUEST_ADDRESS, NO_LENGTH);
        simt_load(s, LOAD_COMMAND, command, &k->store.request_words,
                  element_x(request * words, words));
        simt_alu(s, IS_GET);
        SIMT_WHERE(s, mask, t, command[t] == GET_WORD);
        SIMT_IF(s, GET_BRANCH, &mask) {
            scan(s, k, &v);
            hash(s, k, &v);
            walk_chain(s, k, &v);
            simt_alu(s, FOUND_COMPARE);
            SIMT_WHERE(s, mask, t, v.found[t] != 0);
            SIMT_IF(s, FOUND_BRANCH, &mask) {
                take(s, k, &v);
            }
        }
        simt_alu(s, OUT_FOUND);
        simt_store(s, STORE_FOUND, v.found, &k->found, element_x(request, 1));
        simt_alu(s, OUT_LENGTH);
        simt_store(s, STORE_LENGTH, v.length, &k->length, element_x(request, 1));
    }
}

void memc_launch(struct memc *k) {
    HOST_ADD_LAUNCH(&k->host, {&memc_get_code, {k->store.requests / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                    get);
}
