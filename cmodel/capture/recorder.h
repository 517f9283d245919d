/* SPDX-License-Identifier: Apache-2.0
 *
 * Records the threads of one warp or CTA: each thread's blocks, and after each block an address
 * for each of its accesses, in order. The streams are cut where threads wait for each other, and
 * capture/aligner.h makes warps' records of each piece.
 */
#ifndef WARPMEM_CAPTURE_RECORDER_H
#define WARPMEM_CAPTURE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDER_THREADS_MAX 1024
/* Words of all streams together: 4 GiB. */
#define RECORDER_WORDS_MAX ((size_t)1 << 29)

/* A word: its kind in the upper 3 bits (the number of a space, or a block), and a block's number or
 * an address. */
#define RECORDER_KIND_SHIFT 61
#define RECORDER_BLOCK UINT64_C(7)
#define RECORDER_ADDRESS_MAX ((UINT64_C(1) << RECORDER_KIND_SHIFT) - 1)

struct thread_stream {
    uint64_t *words;
    size_t count, room;
    size_t limit; /* recorder_put() appends below it without a look at anything else */
};

struct recorder {
    struct thread_stream thread[RECORDER_THREADS_MAX];
    size_t words; /* total capacity of the streams */
    size_t words_max;
    size_t first_limit; /* of an empty stream: its owner wants to look at it there */
};

/** recorder_init() - @words_max: RECORDER_WORDS_MAX, or less. No stream has a first limit. */
void recorder_init(struct recorder *r, size_t words_max);
void recorder_free(struct recorder *r);

/** recorder_clear() - drop the reports of threads @first to @first + @count - 1. */
void recorder_clear(struct recorder *r, unsigned first, unsigned count);

/** recorder_grow() - raise a stream's limit: to its room, and if it is there, by more room. False:
 * out of memory, or over words_max. */
bool recorder_grow(struct recorder *r, struct thread_stream *s);

/** recorder_keep() - move the streams that have words to @to, and leave empty ones.
 * recorder_return(): move them back. */
void recorder_keep(struct recorder *r, struct thread_stream *to, unsigned count);
void recorder_return(struct recorder *r, struct thread_stream *from, unsigned count);

/** recorder_put() - append a word of a thread. False: as recorder_grow(). */
static inline bool recorder_put(struct recorder *r, struct thread_stream *s, uint64_t kind,
                                uint64_t value) {
    if (s->count == s->limit && !recorder_grow(r, s)) {
        return false;
    }
    s->words[s->count++] = kind << RECORDER_KIND_SHIFT | value;
    return true;
}

static inline bool recorder_put_block(struct recorder *r, struct thread_stream *s, uint32_t block) {
    return recorder_put(r, s, RECORDER_BLOCK, block);
}

/** recorder_put_access() - @space: enum memory_space. @address: at most RECORDER_ADDRESS_MAX. */
static inline bool recorder_put_access(struct recorder *r, struct thread_stream *s, unsigned space,
                                       uint64_t address) {
    return recorder_put(r, s, space, address);
}

#endif
