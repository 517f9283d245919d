/* SPDX-License-Identifier: Apache-2.0
 *
 * MapperCount and Mapper: the instructions that the framework puts around a program's own, and what
 * a program calls to emit a record.
 */
#ifndef WARPMEM_WORKLOADS_MARS_EMIT_H
#define WARPMEM_WORKLOADS_MARS_EMIT_H

#include "workloads/mars/mars.h"

/* Registers of all kernels that contain parts of a program. A kernel has as many as its code names:
 * no compiled numbers are known. */
enum {
    MARS_R_ID,
    MARS_R_PREDICATE,
    MARS_R_ENTRY,
    MARS_R_ADDRESS,
    MARS_R_SUM_KEYS,
    MARS_R_SUM_VALUES,
    MARS_R_KEY, /* addresses of the emitted record */
    MARS_R_VALUE,
    MARS_R_BYTE,
    MARS_R_WRITTEN,
    MARS_R_RECORD,
    MARS_R_BEFORE,
    MARS_R_A, /* in comparisons */
    MARS_R_B,
    MARS_R_A_KEY,
    MARS_R_B_KEY,
    MARS_R_ORDER,
    MARS_R_APP, /* the program's, from here on */
};

/* clang-format off */

#define MARS_COUNT_HEAD(I) \
    I(ALU, COUNT_ID, OP_INT_MAD, MARS_R_ID, REG_NONE) \
    I(ALU, COUNT_GUARD_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_ID) \
    I(BRANCH, COUNT_GUARD, MARS_R_PREDICATE) \
    I(ALU, COUNT_ENTRY_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(LOAD, COUNT_LOAD_ENTRY, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_ADDRESS) \
    I(ALU, COUNT_KEY, OP_INT_ADD, MARS_R_KEY, MARS_R_ENTRY) \
    I(ALU, COUNT_VALUE, OP_INT_ADD, MARS_R_VALUE, MARS_R_ENTRY)

#define MARS_COUNTER(I, NAME) \
    I(ALU, NAME##_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(LOAD, NAME##_LOAD, SPACE_GLOBAL, 4, MARS_R_WRITTEN, MARS_R_ADDRESS) \
    I(ALU, NAME##_ADD, OP_INT_ADD, MARS_R_WRITTEN, MARS_R_WRITTEN) \
    I(STORE, NAME##_STORE, SPACE_GLOBAL, 4, MARS_R_WRITTEN, MARS_R_ADDRESS)
#define MARS_COUNT_EMIT(I, N) \
    MARS_COUNTER(I, N##_KEYS) \
    MARS_COUNTER(I, N##_VALUES) \
    MARS_COUNTER(I, N##_RECORDS)

#define MARS_MAP_HEAD(I) \
    I(ALU, MAP_ID, OP_INT_MAD, MARS_R_ID, REG_NONE) \
    I(ALU, MAP_GUARD_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_ID) \
    I(BRANCH, MAP_GUARD, MARS_R_PREDICATE) \
    I(ALU, MAP_SUM_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(LOAD, MAP_LOAD_RECORD, SPACE_GLOBAL, 4, MARS_R_RECORD, MARS_R_ADDRESS) \
    I(ALU, MAP_FIRST_ADDRESS, OP_INT_MAD, MARS_R_WRITTEN, MARS_R_RECORD) \
    I(LOAD, MAP_LOAD_FIRST, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_WRITTEN) \
    I(LOAD, MAP_LOAD_SUM_KEYS, SPACE_GLOBAL, 4, MARS_R_SUM_KEYS, MARS_R_ADDRESS) \
    I(LOAD, MAP_LOAD_SUM_VALUES, SPACE_GLOBAL, 4, MARS_R_SUM_VALUES, MARS_R_ADDRESS) \
    I(ALU, MAP_FIRST, OP_INT_ADD, MARS_R_ENTRY, MARS_R_ENTRY, MARS_R_SUM_KEYS, MARS_R_SUM_VALUES) \
    I(STORE, MAP_STORE_FIRST, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_WRITTEN) \
    I(ALU, MAP_ENTRY_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(LOAD, MAP_LOAD_ENTRY, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_ADDRESS) \
    I(ALU, MAP_KEY, OP_INT_ADD, MARS_R_KEY, MARS_R_ENTRY) \
    I(ALU, MAP_VALUE, OP_INT_ADD, MARS_R_VALUE, MARS_R_ENTRY)

/* A record is copied byte by byte, in straight line. */
#define MARS_BYTE(I, N, b, space, from, to) \
    I(LOAD, N##_LOAD_##b, space, 1, MARS_R_BYTE, from) \
    I(STORE, N##_STORE_##b, SPACE_GLOBAL, 1, MARS_R_BYTE, to)
#define MARS_BYTES_4(I, N, space, from, to) \
    MARS_BYTE(I, N, 0, space, from, to) MARS_BYTE(I, N, 1, space, from, to) \
    MARS_BYTE(I, N, 2, space, from, to) MARS_BYTE(I, N, 3, space, from, to)
#define MARS_BYTES_8(I, N, space, from, to) \
    MARS_BYTES_4(I, N, space, from, to) MARS_BYTES_4(I, N##_4, space, from, to)
#define MARS_BYTES_12(I, N, space, from, to) \
    MARS_BYTES_8(I, N, space, from, to) MARS_BYTES_4(I, N##_8, space, from, to)

#define MARS_EMIT_BEGIN(I, N) \
    I(BARRIER, N##_BARRIER) \
    I(ALU, N##_ADDRESS, OP_INT_MAD, MARS_R_ADDRESS, MARS_R_ID) \
    I(LOAD, N##_LOAD_WRITTEN, SPACE_GLOBAL, 8, MARS_R_WRITTEN, MARS_R_ADDRESS) \
    I(LOAD, N##_LOAD_SUM_KEYS, SPACE_GLOBAL, 4, MARS_R_SUM_KEYS, MARS_R_ADDRESS) \
    I(LOAD, N##_LOAD_SUM_VALUES, SPACE_GLOBAL, 4, MARS_R_SUM_VALUES, MARS_R_ADDRESS) \
    I(ALU, N##_TO_KEY, OP_INT_ADD, MARS_R_SUM_KEYS, MARS_R_SUM_KEYS, MARS_R_WRITTEN) \
    I(ALU, N##_TO_VALUE, OP_INT_ADD, MARS_R_SUM_VALUES, MARS_R_SUM_VALUES, MARS_R_WRITTEN)
#define MARS_EMIT_END(I, N) \
    I(ALU, N##_WRITE_KEY, OP_INT_ADD, MARS_R_WRITTEN, MARS_R_WRITTEN) \
    I(ALU, N##_WRITE_VALUE, OP_INT_ADD, MARS_R_WRITTEN, MARS_R_WRITTEN) \
    I(STORE, N##_STORE_WRITTEN, SPACE_GLOBAL, 8, MARS_R_WRITTEN, MARS_R_ADDRESS) \
    I(LOAD, N##_LOAD_EMITTED, SPACE_GLOBAL, 4, MARS_R_RECORD, MARS_R_ADDRESS) \
    I(LOAD, N##_LOAD_RECORD, SPACE_GLOBAL, 4, MARS_R_BEFORE, MARS_R_ADDRESS) \
    I(ALU, N##_ENTRY_ADDRESS, OP_INT_MAD, MARS_R_WRITTEN, MARS_R_RECORD, MARS_R_BEFORE) \
    I(LOAD, N##_LOAD_ENTRY, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_WRITTEN) \
    I(LOAD, N##_LOAD_BEFORE, SPACE_GLOBAL, 16, MARS_R_BEFORE, MARS_R_WRITTEN) \
    I(ALU, N##_FIRST_COMPARE, OP_INT_ADD, MARS_R_PREDICATE, MARS_R_RECORD) \
    I(ALU, N##_BEHIND_KEY, OP_INT_ADD, MARS_R_BEFORE, MARS_R_BEFORE) \
    I(ALU, N##_BEHIND_VALUE, OP_INT_ADD, MARS_R_BEFORE, MARS_R_BEFORE) \
    I(ALU, N##_SELECT, OP_INT_ADD, MARS_R_ENTRY, MARS_R_ENTRY, MARS_R_BEFORE, MARS_R_PREDICATE) \
    I(STORE, N##_STORE_ENTRY, SPACE_GLOBAL, 16, MARS_R_ENTRY, MARS_R_WRITTEN) \
    I(ALU, N##_EMITTED, OP_INT_ADD, MARS_R_RECORD, MARS_R_RECORD) \
    I(STORE, N##_STORE_EMITTED, SPACE_GLOBAL, 4, MARS_R_RECORD, MARS_R_ADDRESS)
/* MARS_EMIT(I, N, MARS_BYTES_12, SPACE_GLOBAL, MARS_BYTES_8, SPACE_GLOBAL): from the addresses
 * in MARS_R_KEY and MARS_R_VALUE. */
#define MARS_EMIT(I, N, KEY, key_space, VALUE, value_space) \
    MARS_EMIT_BEGIN(I, N) \
    KEY(I, N##_KEY, key_space, MARS_R_KEY, MARS_R_SUM_KEYS) \
    VALUE(I, N##_VALUE, value_space, MARS_R_VALUE, MARS_R_SUM_VALUES) \
    MARS_EMIT_END(I, N)

/* clang-format on */

/* The bytes that a thread emits: from element at[t] of a buffer of bytes on. */
struct mars_source {
    const struct buffer *bytes;
    const int32_t *at;
    unsigned size;
};

/**
 * mars_count_emit() - MapperCount or ReducerCount counts a record.
 * @out: of the stage
 * @at: the first of the instructions MARS_COUNT_EMIT
 * @value_size: a thread
 */
void mars_count_emit(struct simt *s, const struct mars_output *out, unsigned at, int32_t key_size,
                     const int32_t *value_size);
/**
 * mars_emit() - Mapper emits a record.
 * @at: the first of the instructions MARS_EMIT
 */
void mars_emit(struct simt *s, const struct mars *m, unsigned at, const struct mars_source *key,
               const struct mars_source *value);
/** mars_scratch() - the threads' shared memory, in elements of @width bytes. */
struct buffer mars_scratch(struct simt *s, unsigned width);
/** mars_copy_bytes() - the instructions of MARS_BYTES_n, from @at on. */
void mars_copy_bytes(struct simt *s, unsigned at, const struct mars_source *from,
                     const struct buffer *to, const int32_t *to_at);

#endif
