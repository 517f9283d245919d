/* SPDX-License-Identifier: Apache-2.0
 *
 * The address map against the simulator's formula, and that it is a bijection.
 */
#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "dram/address.h"

#define LINE 128

/*
 * simulator_defaults of the Fermi files: channel = (address >> 8) mod 6; in what is left of the
 * address the row is bits 27..16, the bank 15..12, the column 11..6, and 5..0 lie inside a burst.
 */
TEST(a_fermi_address_is_taken_apart_as_its_simulator_does) {
    struct config c = base_preset();
    struct dram_map m;
    struct rng rng = seeded_rng(0);
    dram_map_init(&m, &c);
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t address = rng_next(&rng) >> (24 + rng_below(&rng, 20)), local;
        uint64_t rest = (address >> 8) / 6 << 8 | (address & 0xff);
        assert_int_equal(dram_map_partition(&m, address, &local), (address >> 8) % 6);
        assert_true(local == rest / LINE);
        struct dram_address at = dram_map_local(&m, local);
        assert_int_equal(at.bank, rest >> 12 & 15);
        assert_true(at.row == rest >> 16);
        assert_int_equal(at.group,
                         (rest >> 12 & 15) >> 2); /* of four groups: the bank's upper bits */
    }
}

TEST(a_channel_gets_channel_bytes_in_a_row) {
    struct config c = base_preset();
    struct dram_map m;
    c.dram.channel_bytes = 1024;
    dram_map_init(&m, &c);
    for (uint64_t line = 0; line < 1000; line++) {
        uint64_t local;
        assert_int_equal(dram_map_partition(&m, line * LINE, &local),
                         line * LINE / 1024 % c.l2.partitions);
    }
}

static const struct {
    unsigned partitions, channel_bytes, banks, groups, row_bytes;
} shapes[] = {{6, 256, 16, 4, 4096},
              {1, 128, 1, 1, 128},
              {8, 256, 8, 1, 2048},
              {5, 384, 4, 4, 512},
              {32, 65536, 64, 16, 65536}};

TEST(every_line_has_one_place_and_every_place_one_line) {
    enum { LOCALS = 3 * 65536 / LINE };
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        static bool taken[32][LOCALS];
        struct config c = base_preset();
        struct dram_map m;
        c.l2.partitions = shapes[k].partitions;
        c.dram.channel_bytes = shapes[k].channel_bytes;
        assert_legal(&c);
        dram_map_init(&m, &c);
        memset(taken, 0, sizeof taken);
        unsigned a_channel = shapes[k].channel_bytes / LINE,
                 locals = LOCALS / a_channel * a_channel;
        for (uint64_t line = 0; line < (uint64_t)locals * shapes[k].partitions; line++) {
            uint64_t local;
            unsigned partition = dram_map_partition(&m, line * LINE, &local);
            assert_true(partition < shapes[k].partitions && local < locals &&
                        !taken[partition][local]);
            taken[partition][local] = true;
            assert_true(dram_map_address(&m, partition, local) == line * LINE);
        }
    }
}

TEST(a_local_line_is_row_bank_column_from_the_top) {
    struct rng rng = seeded_rng(1);
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct config c = base_preset();
        struct dram_map m;
        c.dram.banks = shapes[k].banks;
        c.dram.bank_groups = shapes[k].groups;
        c.dram.row_bytes = shapes[k].row_bytes;
        c.dram.group_bits = k & 1 ? GROUP_BITS_LOW : GROUP_BITS_HIGH;
        assert_legal(&c);
        dram_map_init(&m, &c);
        for (unsigned i = 0; i < 10000; i++) {
            unsigned columns = shapes[k].row_bytes / LINE, bank = rng_below(&rng, shapes[k].banks);
            uint64_t row = rng_next(&rng) >> 34, column = rng_below(&rng, columns);
            struct dram_address at =
                dram_map_local(&m, (row * shapes[k].banks + bank) * columns + column);
            assert_true(at.row == row && at.bank == bank);
            assert_int_equal(at.group, k & 1 ? bank % shapes[k].groups
                                             : bank / (shapes[k].banks / shapes[k].groups));
        }
    }
}
