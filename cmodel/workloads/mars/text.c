/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/text.h"

#include <string.h>

/* clang-format off */
enum { MARS_HASH(INSN_INDEX, HASH) };
enum { MARS_TEXT_COMPARE(INSN_INDEX, TEXT) };
/* clang-format on */

void mars_hash(struct simt *s, unsigned at, const struct buffer *text, const int32_t *from,
               const int32_t *length, int32_t *hash) {
    int32_t i[SIMT_THREADS], end[SIMT_THREADS];
    uint8_t byte[SIMT_THREADS];
    struct simt_mask left;
    SIMT_ALU(s, at + HASH_SEED, t) {
        i[t] = from[t];
        end[t] = from[t] + length[t];
        hash[t] = length[t];
    }
    SIMT_LOOP(s, at + HASH_BYTES) {
        simt_load(s, at + HASH_LOAD, byte, text, element_lane(i));
        simt_alus(s, at + HASH_LEFT, at + HASH_COMPARE);
        SIMT_EACH(s, t) {
            const uint32_t h = (uint32_t)hash[t];
            hash[t] = (int32_t)(h << 4 ^ h >> 28 ^ byte[t]);
            i[t]++;
        }
        SIMT_WHERE(s, left, t, i[t] < end[t]);
        simt_while(s, at + HASH_AGAIN, &left);
    }
}

/* Word @word of the key of each entry. */
static void load_word(struct simt *s, unsigned index, const struct buffer *words,
                      const struct mars_entry *entry, unsigned word, int32_t *to) {
    int32_t at[SIMT_THREADS];
    SIMT_EACH(s, t) {
        at[t] = entry[t].key_at / 4 + (int32_t)word;
    }
    simt_load(s, index, to, words, element_lane(at));
}

/* Byte by byte until they differ or end. */
static void compare_strings(struct simt *s, unsigned at, const struct buffer *text, int32_t *a,
                            int32_t *b, int32_t *order) {
    uint8_t byte_a[SIMT_THREADS], byte_b[SIMT_THREADS];
    struct simt_mask left;
    SIMT_LOOP(s, at + TEXT_BYTES) {
        simt_load(s, at + TEXT_LOAD_A, byte_a, text, element_lane(a));
        simt_load(s, at + TEXT_LOAD_B, byte_b, text, element_lane(b));
        simt_alus(s, at + TEXT_NEXT_A, at + TEXT_GO_ON);
        SIMT_EACH(s, t) {
            a[t]++;
            b[t]++;
            order[t] = byte_a[t] - byte_b[t];
        }
        SIMT_WHERE(s, left, t, order[t] == 0 && byte_a[t] != 0);
        simt_while(s, at + TEXT_AGAIN, &left);
    }
}

void mars_text_compare(struct simt *s, unsigned at, const struct buffer *text,
                       const struct buffer *keys, const struct mars_entry *a,
                       const struct mars_entry *b, int32_t *order) {
    const struct buffer words = mars_words(keys);
    int32_t hash_a[SIMT_THREADS], hash_b[SIMT_THREADS], file_a[SIMT_THREADS], file_b[SIMT_THREADS],
        from_a[SIMT_THREADS], from_b[SIMT_THREADS];
    struct simt_mask equal;
    load_word(s, at + TEXT_LOAD_HASH_A, &words, a, MARS_KEY_HASH, hash_a);
    load_word(s, at + TEXT_LOAD_HASH_B, &words, b, MARS_KEY_HASH, hash_b);
    simt_alus(s, at + TEXT_ORDER, at + TEXT_EQUAL);
    SIMT_EACH(s, t) {
        order[t] = (hash_a[t] > hash_b[t]) - (hash_a[t] < hash_b[t]);
    }
    SIMT_WHERE(s, equal, t, order[t] == 0);
    SIMT_IF(s, at + TEXT_EQUAL_BRANCH, &equal) {
        load_word(s, at + TEXT_LOAD_FILE_A, &words, a, MARS_KEY_FILE, file_a);
        load_word(s, at + TEXT_LOAD_OFFSET_A, &words, a, MARS_KEY_OFFSET, from_a);
        load_word(s, at + TEXT_LOAD_FILE_B, &words, b, MARS_KEY_FILE, file_b);
        load_word(s, at + TEXT_LOAD_OFFSET_B, &words, b, MARS_KEY_OFFSET, from_b);
        simt_alus(s, at + TEXT_TEXT_A, at + TEXT_TEXT_B);
        SIMT_EACH(s, t) {
            from_a[t] = mars_text_at(text, (uint32_t)file_a[t], from_a[t]);
            from_b[t] = mars_text_at(text, (uint32_t)file_b[t], from_b[t]);
        }
        compare_strings(s, at, text, from_a, from_b, order);
    }
}

uint32_t mars_text_hash(const char *from, unsigned length) {
    uint32_t hash = length;
    for (unsigned i = 0; i < length; i++) {
        hash = hash * 16 ^ hash / (1u << 28) ^ (unsigned char)from[i];
    }
    return hash;
}

int mars_text_order(const void *self, const uint8_t *a, const uint8_t *b) {
    const struct mars_text *text = self;
    struct mars_text_key x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    if (x.hash != y.hash) {
        return (int32_t)x.hash > (int32_t)y.hash ? 1 : -1;
    }
    return strcmp(text->bytes + mars_text_at(text->buffer, x.file, x.offset),
                  text->bytes + mars_text_at(text->buffer, y.file, y.offset));
}
