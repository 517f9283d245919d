/* SPDX-License-Identifier: Apache-2.0
 *
 * The address map against the simulator's formula, and that it is a bijection.
 */
#include "base/seeded.h"

#include <string.h>

#include "config/preset.h"
#include "dram/address.h"
#include "dram/random_map.h"

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
} shapes[] = {{6, 256, 16, 4, 4096}, {1, 128, 1, 1, 128},    {8, 256, 8, 1, 2048},
              {5, 384, 4, 4, 512},   {80, 256, 16, 4, 1024}, {32, 65536, 64, 16, 65536}};

TEST(every_line_has_one_place_and_every_place_one_line) {
    enum { LOCALS = 3 * 65536 / LINE };
    for (unsigned i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
        static bool taken[80][LOCALS];
        struct config c = base_preset();
        struct dram_map m;
        unsigned k = i / 2;
        c.l2.partitions = shapes[k].partitions;
        c.dram.channel_bytes = shapes[k].channel_bytes;
        c.dram.channel_hash = i % 2;
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

/* A stride of as many channels meets one of them without a hash; with it, each about as often. */
TEST(a_hash_spreads_strides_over_the_channels) {
    static const unsigned channels[] = {6, 64, 80};
    enum { LINES = 8192 };
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned power = 0; power < 6; power++) {
            struct config c = base_preset();
            struct dram_map m;
            unsigned count[80] = {0}, most = 0, met = 0;
            uint64_t local;
            c.l2.partitions = channels[i];
            c.dram.channel_hash = true;
            assert_legal(&c);
            dram_map_init(&m, &c);
            for (uint64_t line = 0; line < LINES; line++) {
                uint64_t address = line * c.dram.channel_bytes * channels[i] << power;
                unsigned *of = &count[dram_map_partition(&m, address, &local)];
                met += !(*of)++;
                most = *of > most ? *of : most;
            }
            assert_int_equal(met, channels[i]);
            assert_true(most <= 4 * LINES / channels[i]);
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

/* --- dram.address_map --- */

static void put_address_map(struct config *c, const char *text) {
    memset(c->dram.address_map, 0, sizeof c->dram.address_map);
    strcpy(c->dram.address_map, text);
    assert_legal(c);
}

/* The value of a letter's bits: from the first letter of the text to the last. Bits above the text
 * are the row's. */
static uint64_t value_of_letter(const char *text, char letter, uint64_t address) {
    unsigned letters = (unsigned)strlen(text);
    uint64_t value = letter == 'R' ? address >> letters : 0;
    for (unsigned i = 0; i < letters; i++) {
        if (text[i] == letter) {
            value = value << 1 | (address >> (letters - 1 - i) & 1);
        }
    }
    return value;
}

TEST(an_address_map_names_each_bit) {
    struct config c = base_preset(); /* 16 banks, rows of 4096 bytes, lines of 128 */
    struct dram_map m;
    put_address_map(&c, "RBRBCCBCCBCCSSSSSS");
    dram_map_init(&m, &c);
    static const struct {
        uint64_t address, row;
        unsigned bank;
    } places[] = {
        {0, 0, 0},         {0x80, 0, 0},
        {0x100, 0, 1},     {0x200, 0, 0},
        {0x400, 0, 0},     {0x800, 0, 2},
        {0x1000, 0, 0},    {0x4000, 0, 4},
        {0x8000, 1, 0},    {0x10000, 0, 8},
        {0x20000, 2, 0},   {0x40000, 4, 0},
        {0x28000, 3, 0},   {0x1ffff, 1, 15},
        {0xfffff, 15, 15}, {UINT64_C(1) << 47, UINT64_C(1) << 31, 0},
    };
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        struct dram_address at = dram_map_local(&m, places[i].address / LINE);
        assert_true(at.row == places[i].row);
        assert_int_equal(at.bank, places[i].bank);
        assert_int_equal(at.group, places[i].bank / 4);
    }
}

TEST(the_text_of_the_usual_order_is_the_usual_map) {
    struct rng rng = seeded_rng(2);
    for (unsigned rows = 1; rows <= 20; rows += 19) {
        struct config c = base_preset();
        struct dram_map usual, same;
        char text[CONFIG_TEXT] = "";
        dram_map_init(&usual, &c);
        memset(text, 'R', rows);
        put_address_map(&c, strcat(text, "BBBBCCCCCCSSSSSS"));
        dram_map_init(&same, &c);
        for (unsigned i = 0; i < 10000; i++) {
            uint64_t local = rng_next(&rng) >> (23 + rng_below(&rng, 20));
            struct dram_address a = dram_map_local(&usual, local), b = dram_map_local(&same, local);
            assert_true(a.row == b.row && a.bank == b.bank && a.group == b.group);
        }
    }
}

/* Rows, banks and columns against the letters one by one; no two lines have the same place. */
TEST(random_address_maps_are_what_their_letters_say) {
    struct rng rng = seeded_rng(3);
    unsigned given = 0;
    for (unsigned k = 0; k < 400; k++) {
        struct config c = base_preset();
        const struct config *shape = &c;
        struct dram_map m;
        c.dram.banks = shapes[k % 5].banks;
        c.dram.bank_groups = shapes[k % 5].groups;
        c.dram.row_bytes = shapes[k % 5].row_bytes;
        c.dram.group_bits = rng_below(&rng, 2);
        random_address_map(&rng, &c);
        assert_legal(&c);
        if (strcmp(c.dram.address_map, "-") == 0) {
            continue;
        }
        given++;
        dram_map_init(&m, &c);
        for (unsigned i = 0; i < 200; i++) {
            uint64_t local = rng_next(&rng) >> (20 + rng_below(&rng, 40));
            uint64_t address = local * LINE;
            struct dram_address at = dram_map_local(&m, local);
            unsigned bank = (unsigned)value_of_letter(shape->dram.address_map, 'B', address),
                     groups = c.dram.bank_groups;
            assert_true(at.row == value_of_letter(shape->dram.address_map, 'R', address));
            assert_int_equal(at.bank, bank);
            assert_int_equal(at.group, c.dram.group_bits == GROUP_BITS_LOW
                                           ? bank % groups
                                           : bank / (c.dram.banks / groups));
        }
    }
    assert_true(given > 100);
}

TEST(an_address_map_gives_every_line_a_place_of_its_own) {
    enum { LINES = 1 << 13 };
    struct rng rng = seeded_rng(4);
    for (unsigned k = 0; k < 20; k++) {
        static bool taken[LINES];
        struct config c = base_preset();
        struct dram_map m;
        do {
            random_address_map(&rng, &c);
        } while (strcmp(c.dram.address_map, "-") == 0);
        dram_map_init(&m, &c);
        memset(taken, 0, sizeof taken);
        for (unsigned local = 0; local < LINES; local++) {
            struct dram_address at = dram_map_local(&m, local);
            uint64_t column = value_of_letter(c.dram.address_map, 'C', (uint64_t)local * LINE) / 2;
            uint64_t place = (at.row * c.dram.banks + at.bank) * (c.dram.row_bytes / LINE) + column;
            assert_true(place < LINES && !taken[place]);
            taken[place] = true;
        }
    }
}
