/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of the programs whose keys are places in a text: a key is {buffer, offset, hash},
 * and a string ends with a NUL.
 */
#ifndef WARPMEM_WORKLOADS_MARS_TEXT_H
#define WARPMEM_WORKLOADS_MARS_TEXT_H

#include "workloads/mars/check.h"
#include "workloads/mars/sort.h"

/* Pointers have 32 bits: the record is 12 bytes. */
struct mars_text_key {
    uint32_t file; /* address of a buffer in device memory */
    int32_t offset;
    uint32_t hash;
};
enum { MARS_KEY_FILE, MARS_KEY_OFFSET, MARS_KEY_HASH, MARS_KEY_WORDS };
#define MARS_TEXT_KEY 12

enum {
    MARS_R_TEXT = MARS_R_APP, /* address of the string */
    MARS_R_OFFSET,
    MARS_R_LENGTH,
    MARS_R_HASH,
    MARS_R_CHAR,
    MARS_R_SHIFTED,
    MARS_R_OTHER, /* of the second string */
    MARS_R_OTHER_OFFSET,
    MARS_R_OTHER_CHAR,
    MARS_TEXT_R_APP,
};

/* clang-format off */

/* hash = length; for each byte: hash = (hash << 4) ^ (hash >> 28) ^ byte; */
#define MARS_HASH(I, N) \
    I(ALU, N##_SEED, OP_INT_ADD, MARS_R_HASH, MARS_R_LENGTH) \
    I(LOOP, N##_BYTES) \
    I(LOAD, N##_LOAD, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_TEXT) \
    I(ALU, N##_LEFT, OP_INT_ADD, MARS_R_SHIFTED, MARS_R_HASH) \
    I(ALU, N##_RIGHT, OP_INT_ADD, MARS_R_HASH, MARS_R_HASH) \
    I(ALU, N##_XOR, OP_INT_ADD, MARS_R_HASH, MARS_R_HASH, MARS_R_SHIFTED) \
    I(ALU, N##_XOR_BYTE, OP_INT_ADD, MARS_R_HASH, MARS_R_HASH, MARS_R_CHAR) \
    I(ALU, N##_NEXT, OP_INT_ADD, MARS_R_TEXT, MARS_R_TEXT) \
    I(ALU, N##_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_TEXT, MARS_R_LENGTH) \
    I(BRANCH, N##_AGAIN, MARS_R_PREDICATE)

/* By hash; where that is equal, by the strings. */
#define MARS_TEXT_COMPARE(I, N) \
    I(LOAD, N##_LOAD_HASH_A, SPACE_GLOBAL, 4, MARS_R_HASH, MARS_R_A_KEY) \
    I(LOAD, N##_LOAD_HASH_B, SPACE_GLOBAL, 4, MARS_R_CHAR, MARS_R_B_KEY) \
    I(ALU, N##_ORDER, OP_INT_ADD, MARS_R_ORDER, MARS_R_HASH, MARS_R_CHAR) \
    I(ALU, N##_EQUAL, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_HASH, MARS_R_CHAR) \
    I(BRANCH, N##_EQUAL_BRANCH, MARS_R_PREDICATE) \
    I(LOAD, N##_LOAD_FILE_A, SPACE_GLOBAL, 4, MARS_R_TEXT, MARS_R_A_KEY) \
    I(LOAD, N##_LOAD_OFFSET_A, SPACE_GLOBAL, 4, MARS_R_OFFSET, MARS_R_A_KEY) \
    I(LOAD, N##_LOAD_FILE_B, SPACE_GLOBAL, 4, MARS_R_OTHER, MARS_R_B_KEY) \
    I(LOAD, N##_LOAD_OFFSET_B, SPACE_GLOBAL, 4, MARS_R_OTHER_OFFSET, MARS_R_B_KEY) \
    I(ALU, N##_TEXT_A, OP_INT_ADD, MARS_R_TEXT, MARS_R_TEXT, MARS_R_OFFSET) \
    I(ALU, N##_TEXT_B, OP_INT_ADD, MARS_R_OTHER, MARS_R_OTHER, MARS_R_OTHER_OFFSET) \
    I(LOOP, N##_BYTES) \
    I(LOAD, N##_LOAD_A, SPACE_GLOBAL, 1, MARS_R_CHAR, MARS_R_TEXT) \
    I(LOAD, N##_LOAD_B, SPACE_GLOBAL, 1, MARS_R_OTHER_CHAR, MARS_R_OTHER) \
    I(ALU, N##_NEXT_A, OP_INT_ADD, MARS_R_TEXT, MARS_R_TEXT) \
    I(ALU, N##_NEXT_B, OP_INT_ADD, MARS_R_OTHER, MARS_R_OTHER) \
    I(ALU, N##_DIFFER, OP_INT_ADD, MARS_R_ORDER, MARS_R_CHAR, MARS_R_OTHER_CHAR) \
    I(ALU, N##_GO_ON, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_CHAR, MARS_R_ORDER) \
    I(BRANCH, N##_AGAIN, MARS_R_PREDICATE)

/* clang-format on */

/**
 * mars_text_at() - which byte of @text a key's buffer and offset mean.
 */
static inline int32_t mars_text_at(const struct buffer *text, uint32_t file, int32_t offset) {
    return (int32_t)(file - (uint32_t)text->address) + offset;
}

/**
 * mars_hash() - of @length bytes of @text, a thread, at least 1.
 * @at: the first of the instructions MARS_HASH
 * @from: the first byte
 */
void mars_hash(struct simt *s, unsigned at, const struct buffer *text, const int32_t *from,
               const int32_t *length, int32_t *hash);
/** mars_text_compare() - the comparison of such keys. @at: the first of MARS_TEXT_COMPARE. */
void mars_text_compare(struct simt *s, unsigned at, const struct buffer *text,
                       const struct buffer *keys, const struct mars_entry *a,
                       const struct mars_entry *b, int32_t *order);

/** struct mars_text - for checks in plain C: the text of which the keys are. */
struct mars_text {
    const struct buffer *buffer;
    const char *bytes; /* of that buffer, when the keys were sorted */
};
/** mars_text_order() - a mars_order, whose self is a struct mars_text. */
mars_order mars_text_order;
/** mars_text_hash() - in plain C. */
uint32_t mars_text_hash(const char *from, unsigned length);

#endif
