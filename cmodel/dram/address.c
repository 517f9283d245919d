/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/address.h"

#include "base/tag_array.h"
#include "config/address_mask.h"

static unsigned log2_of(unsigned power_of_two) {
    return (unsigned)__builtin_ctz(power_of_two);
}

void dram_map_init(struct dram_map *m, const struct config *config) {
    unsigned banks = log2_of(config->dram.banks);
    m->partitions = config->l2.partitions;
    m->reciprocal = UINT64_MAX / m->partitions + 1;
    m->channel_bytes = config->dram.channel_bytes;
    /* As many bits as number the channels. */
    m->hash_bits = config->dram.channel_hash && m->partitions > 1
                       ? 32 - (unsigned)__builtin_clz(m->partitions - 1)
                       : 0;
    m->line_shift = log2_of(config->l2.line_bytes);
    m->bank_shift = log2_of(config->dram.row_bytes) - m->line_shift;
    m->bank_mask = config->dram.banks - 1;
    m->row_shift = m->bank_shift + banks;
    struct address_mask mask;
    struct config_error ignored; /* the text has been checked */
    bool given =
        address_mask_given(config) && address_mask_parse(&mask, config->dram.address_map, &ignored);
    m->row_bits = given ? mask.row >> m->line_shift : 0;
    m->bank_bits = given ? mask.bank >> m->line_shift : 0;
    m->column_bits = given ? ~(m->row_bits | m->bank_bits) & (UINT64_MAX >> m->line_shift)
                           : (UINT64_C(1) << m->bank_shift) - 1;
    for (unsigned bank = 0; bank < config->dram.banks; bank++) {
        bool high = config->dram.group_bits == GROUP_BITS_HIGH;
        m->group[bank] = (uint8_t)(high ? bank >> (banks - log2_of(config->dram.bank_groups))
                                        : bank % config->dram.bank_groups);
    }
}

/* The channel of a round's first chunk. */
static unsigned turn_of_round(const struct dram_map *m, uint64_t round) {
    uint64_t hash = tag_fold(round, m->hash_bits) & ((1u << m->hash_bits) - 1);
    return (unsigned)hash % m->partitions;
}

unsigned dram_map_turned(const struct dram_map *m, uint64_t round, unsigned place) {
    return (place + turn_of_round(m, round)) % m->partitions;
}

unsigned dram_map_turned_back(const struct dram_map *m, uint64_t round, unsigned partition) {
    return (partition + m->partitions - turn_of_round(m, round)) % m->partitions;
}

uint64_t dram_map_gather(uint64_t local, uint64_t mask) {
    uint64_t gathered = 0;
    for (unsigned count = 0; mask;) {
        uint64_t lowest = mask & -mask, run = mask & ~(mask + lowest);
        gathered |= (local & run) >> __builtin_ctzll(run) << count;
        count += (unsigned)__builtin_popcountll(run);
        mask &= ~run;
    }
    return gathered;
}
