/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice of FR-FCFS, and the masks of positions that it reads. The block (dram/fr_fcfs.c) and
 * the scheduler that skips idle cycles (dram/one_queue.c) both call these functions. They differ in
 * the source of what is legal, so that is a function of theirs, constant in each call.
 *
 * A position is a request's place in the order of arrival: 0 is the oldest.
 */
#ifndef WARPMEM_DRAM_FR_FCFS_CHOICE_H
#define WARPMEM_DRAM_FR_FCFS_CHOICE_H

#include <string.h>

#include "dram/channel.h"

#define FR_FCFS_WORDS (DRAM_QUEUE_MAX / 64)
#define FR_FCFS_NO_POSITION DRAM_QUEUE_MAX

/* Functions of masks know the words that the queue needs, @words, as a constant, so that short
 * queues do not pay for long ones. */
#define FOR_ANY_QUEUE static inline __attribute__((always_inline))

struct fr_fcfs_positions {
    uint64_t hits[FR_FCFS_WORDS];       /* positions whose row is open */
    uint64_t writing[FR_FCFS_WORDS];    /* positions of writes */
    uint64_t kept_banks;                /* banks that must stay open: a request wants their row */
    uint8_t bank_of[DRAM_QUEUE_MAX];    /* bank of the request at a position */
    uint16_t hit_count[DRAM_BANKS_MAX]; /* requests of a bank whose row is open */
};

/** note_position_hit() - the request at a position wants the row that its bank has open. */
static inline void note_position_hit(struct fr_fcfs_positions *at, unsigned position,
                                     unsigned bank) {
    at->hits[position / 64] |= UINT64_C(1) << position % 64;
    at->hit_count[bank]++;
    at->kept_banks |= UINT64_C(1) << bank;
}

/** enter_position() - a request becomes the youngest. */
static inline void enter_position(struct fr_fcfs_positions *at, unsigned position, unsigned bank,
                                  bool write, bool hit) {
    if (write) {
        at->writing[position / 64] |= UINT64_C(1) << position % 64;
    }
    if (hit) {
        note_position_hit(at, position, bank);
    }
    at->bank_of[position] = (uint8_t)bank;
}

/* A mask of positions after the request at one of them has left. */
FOR_ANY_QUEUE void remove_position(uint64_t *mask, unsigned position, unsigned words) {
    unsigned word = words == 1 ? 0 : position / 64;
    uint64_t older = (UINT64_C(1) << position % 64) - 1;
    mask[word] = (mask[word] & older) | (mask[word] >> 1 & ~older);
    for (word++; word < words; word++) {
        mask[word - 1] |= mask[word] << 63;
        mask[word] >>= 1;
    }
}

/** leave_position() - a hit of @bank leaves, and @count requests are left. */
FOR_ANY_QUEUE void leave_position(struct fr_fcfs_positions *at, unsigned position, unsigned bank,
                                  unsigned count, unsigned words) {
    if (--at->hit_count[bank] == 0) {
        at->kept_banks &= ~(UINT64_C(1) << bank);
    }
    memmove(&at->bank_of[position], &at->bank_of[position + 1], count - position);
    remove_position(at->hits, position, words);
    remove_position(at->writing, position, words);
}

/**
 * oldest_legal_hit() - the oldest request whose column command may be issued.
 * @may: of a word of positions, those that may have one
 * @is_legal: is it legal in a bank?
 * Return: its position, or FR_FCFS_NO_POSITION
 */
FOR_ANY_QUEUE unsigned oldest_legal_hit(const struct fr_fcfs_positions *at, unsigned words,
                                        const void *of,
                                        uint64_t (*may)(const void *of, unsigned word),
                                        bool (*is_legal)(const void *of, unsigned bank,
                                                         bool write)) {
    for (unsigned word = 0; word < words; word++) {
        for (uint64_t columns = at->hits[word] & may(of, word); columns; columns &= columns - 1) {
            unsigned position = word * 64 + (unsigned)__builtin_ctzll(columns);
            if (is_legal(of, at->bank_of[position], at->writing[word] >> position % 64 & 1)) {
                return position;
            }
        }
    }
    return FR_FCFS_NO_POSITION;
}

/**
 * oldest_legal_row() - the oldest of @count requests whose row command may be issued.
 * @banks: those whose row command may be next: not one that is kept open
 * @is_legal: is the row command of the bank of the request at a position legal?
 * Return: its position, or FR_FCFS_NO_POSITION
 */
FOR_ANY_QUEUE unsigned oldest_legal_row(const struct fr_fcfs_positions *at, unsigned count,
                                        uint64_t banks, const void *of,
                                        bool (*is_legal)(const void *of, unsigned bank,
                                                         unsigned position)) {
    for (unsigned i = 0; i < count; i++) {
        unsigned bank = at->bank_of[i];
        if (banks >> bank & 1 && is_legal(of, bank, i)) {
            return i;
        }
    }
    return FR_FCFS_NO_POSITION;
}

#endif
