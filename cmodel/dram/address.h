/* SPDX-License-Identifier: Apache-2.0
 *
 * The place of an address: its channel, then row, bank and column within it.
 *
 * Consecutive channel_bytes go to channel 0, 1, ...; the rest of the address, counted within the
 * channel, is from the top: row, bank, column, or bit by bit according to dram.address_map. In both
 * cases the bank's top or low bits are its group (dram.group_bits).
 *
 * With dram.channel_hash = on each round over all channels begins with another channel, because
 * strides would else hit one channel only. The groups of bits of the round's number are added to
 * give that channel (an XOR would need a power of two of channels).
 */
#ifndef WARPMEM_DRAM_ADDRESS_H
#define WARPMEM_DRAM_ADDRESS_H

#include "base/request.h"
#include "config/config.h"

#define DRAM_BANKS_MAX 64

struct dram_address {
    uint64_t row;
    unsigned bank, group;
};

struct dram_map {
    uint64_t reciprocal; /* 2^64 / partitions, rounded up */
    unsigned partitions, channel_bytes, line_shift;
    unsigned hash_bits; /* of a group; 0: no hash */
    unsigned row_shift, bank_mask, bank_shift;
    uint64_t row_bits, bank_bits;  /* in a local line's number, by dram.address_map; 0: default */
    uint64_t column_bits;          /* the other bits: the line within its row */
    uint8_t group[DRAM_BANKS_MAX]; /* of each bank */
};

void dram_map_init(struct dram_map *m, const struct config *config);

/** dram_map_turned() - with dram.channel_hash: the channel of chunk number @place of a round.
 * dram_map_turned_back() - the inverse. */
__attribute__((pure, cold)) unsigned dram_map_turned(const struct dram_map *m, uint64_t round,
                                                     unsigned place);
__attribute__((pure, cold)) unsigned dram_map_turned_back(const struct dram_map *m, uint64_t round,
                                                          unsigned partition);

/** dram_map_partition() - partition of a byte address; *local: the number of its L2 line there. */
static inline unsigned dram_map_partition(const struct dram_map *m, uint64_t address,
                                          uint64_t *local) {
    uint64_t chunk = address / m->channel_bytes, round;
    if (chunk >> 48 || m->partitions == 1) {
        round = chunk / m->partitions;
    } else { /* chunk * (reciprocal - 2^64 / partitions) stays below 2^64 / partitions */
        round = (uint64_t)((unsigned __int128)chunk * m->reciprocal >> 64);
    }
    *local = (round * m->channel_bytes + address % m->channel_bytes) >> m->line_shift;
    unsigned place = (unsigned)(chunk - round * m->partitions);
    return __builtin_expect(m->hash_bits, 0) ? dram_map_turned(m, round, place) : place;
}

/** dram_map_address() - the inverse: first byte of a partition's local line. */
static inline uint64_t dram_map_address(const struct dram_map *m, unsigned partition,
                                        uint64_t local) {
    uint64_t byte = local << m->line_shift, round = byte / m->channel_bytes;
    unsigned place = m->hash_bits ? dram_map_turned_back(m, round, partition) : partition;
    return (round * m->partitions + place) * m->channel_bytes + byte % m->channel_bytes;
}

/** dram_map_gather() - the bits of @local in @mask, packed together, the lowest first. */
__attribute__((const, cold)) uint64_t dram_map_gather(uint64_t local, uint64_t mask);

/** dram_map_local() - row and bank of a partition's local line. */
static inline struct dram_address dram_map_local(const struct dram_map *m, uint64_t local) {
    unsigned bank = (unsigned)(local >> m->bank_shift) & m->bank_mask;
    uint64_t row = local >> m->row_shift;
    if (__builtin_expect(m->row_bits, 0)) {
        bank = (unsigned)dram_map_gather(local, m->bank_bits);
        row = dram_map_gather(local, m->row_bits);
    }
    return (struct dram_address){.row = row, .bank = bank, .group = m->group[bank]};
}

/** dram_map_column() - a local line's number within its row. dram_map_line_beside() - the local
 * line with this number in the row of @local. */
static inline unsigned dram_map_column(const struct dram_map *m, uint64_t local) {
    return (unsigned)dram_map_gather(local, m->column_bits);
}
static inline uint64_t dram_map_line_beside(const struct dram_map *m, uint64_t local,
                                            unsigned column) {
    uint64_t line = local & ~m->column_bits;
    for (uint64_t left = m->column_bits; left; left &= left - 1, column >>= 1) {
        line |= column & 1 ? left & -left : 0;
    }
    return line;
}

#endif
