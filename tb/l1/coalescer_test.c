/* SPDX-License-Identifier: Apache-2.0
 *
 * Coalescing and bank conflicts against counting byte by byte.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/request.h"
#include "l1/coalescer.h"

#define ALL 0xffffffffu
enum { LINE = 128 };
#define BASE UINT64_C(0x80000000)

static struct insn load_of_width(unsigned width) {
    return (struct insn){
        .op = OP_LOAD, .width = (uint8_t)width, .dst = 1, .src = {REG_NONE, REG_NONE, REG_NONE}};
}

/* The instruction as it comes out of a warp's stream; the stream lives until the next call. */
static struct warp_op operation_from_stream(unsigned width, uint32_t active,
                                            const uint64_t *address) {
    static struct warp_stream s;
    static struct insn insn;
    static const struct kernel_code code = {
        .name = "test", .insns = &insn, .insn_count = 1, .registers = 1, .shared_bytes = 0};
    struct warp_cursor c;
    struct warp_op op;
    insn = load_of_width(width);
    warp_stream_clear(&s);
    assert_true(warp_stream_put_memory(&s, 0, active, address));
    warp_cursor_open(&c, &s, &code);
    assert_true(warp_cursor_next(&c, &op));
    return op;
}

static struct warp_op strided_operation(unsigned width, uint64_t base, int64_t stride) {
    uint64_t address[WARP_SIZE];
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        address[lane] = base + lane * (uint64_t)stride;
    }
    return operation_from_stream(width, ALL, address);
}

TEST(neighbouring_words_are_one_whole_line) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE, 4);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 1);
    assert_true(a[0].line == BASE / LINE && a[0].words == ALL && line_access_full(&a[0], ALL));
    assert_int_equal(line_access_sectors(&a[0]), 15);
}

/* MRPB 2.2, figure 2: the lanes of a warp read one column of A[2048][2048]. */
TEST(a_column_of_atax_is_32_lines_in_lane_order) {
    enum { NY = 2048, I = 77 };
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + I * 4, NY * 4);
    assert_int_equal(coalesce_accesses(&op, LINE, a), WARP_SIZE);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        assert_true(a[lane].line == (BASE + I * 4 + lane * NY * 4) / LINE);
        assert_true(a[lane].words == 1u << (I % 32));
        assert_int_equal(line_access_sectors(&a[lane]), 1 << I % 32 / 8);
    }
}

TEST(a_broadcast_is_one_access_of_one_sector) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + 100, 0);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 1);
    assert_true(a[0].words == 1u << 25 && line_access_sectors(&a[0]) == 8);
}

TEST(wide_lanes_take_a_line_for_each_128_bytes) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct warp_op op = strided_operation(width, BASE, width);
        assert_int_equal(coalesce_accesses(&op, LINE, a), WARP_SIZE * width / LINE);
        for (unsigned i = 0; i < WARP_SIZE * width / LINE; i++) {
            assert_true(a[i].line == BASE / LINE + i && line_access_full(&a[i], ALL));
        }
    }
}

TEST(bytes_and_halfwords_never_make_a_whole_line) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    for (unsigned width = 1; width <= 2; width++) {
        struct warp_op op =
            strided_operation(width, BASE, 4); /* every word of the line is touched, in part */
        assert_int_equal(coalesce_accesses(&op, LINE, a), 1);
        assert_true(a[0].words == ALL);
        assert_false(line_access_full(&a[0], ALL));
    }
}

TEST(a_warp_that_begins_in_mid_line_takes_two_lines) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + 64, 4);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 2);
    assert_true(a[0].line == BASE / LINE && a[0].words == 0xffff0000);
    assert_true(a[1].line == BASE / LINE + 1 && a[1].words == 0x0000ffff);
}

TEST(descending_addresses_give_descending_lines) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + 31 * LINE, -LINE);
    assert_int_equal(coalesce_accesses(&op, LINE, a), WARP_SIZE);
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        assert_true(a[i].line == BASE / LINE + 31 - i);
    }
}

TEST(unaligned_lanes_can_take_two_lines_each) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + LINE - 2, 2 * LINE);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 2 * WARP_SIZE);
    for (unsigned i = 0; i < 2 * WARP_SIZE; i++) {
        assert_true(a[i].line == BASE / LINE + i);
        assert_true(a[i].words == (i % 2 ? 1u : 1u << 31));
    }
}

/* 128 bytes from byte 2 on: neither of the two lines is written whole. */
TEST(an_unaligned_row_makes_no_whole_line) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + 2, 4);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 2);
    assert_false(line_access_full(&a[0], ALL));
    assert_false(line_access_full(&a[1], ALL));
}

/* 31 lanes touch every word of the line and cross no border, but leave the first and last two bytes
 * out. */
TEST(unaligned_lanes_within_a_line_do_not_make_it_whole) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    uint64_t address[WARP_SIZE];
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        address[lane] = BASE + 2 + 4 * lane;
    }
    struct warp_op op = operation_from_stream(4, ALL >> 1, address);
    assert_int_equal(coalesce_accesses(&op, LINE, a), 1);
    assert_true(a[0].words == ALL);
    assert_false(line_access_full(&a[0], ALL));
}

/* The reference: bytes, lane after lane. */
struct naive_line {
    uint64_t line;
    bool byte[LINE];
};

static unsigned naive_coalesce(unsigned line_bytes, unsigned width, uint32_t active,
                               const uint64_t *address, struct naive_line *out) {
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        for (unsigned b = 0; active >> lane & 1 && b < width; b++) {
            uint64_t at = address[lane] + b;
            unsigned i = 0;
            while (i < count && out[i].line != at / line_bytes) {
                i++;
            }
            if (i == count) {
                memset(&out[count], 0, sizeof out[count]);
                out[count++].line = at / line_bytes;
            }
            out[i].byte[at % line_bytes] = true;
        }
    }
    return count;
}

static void compare_with_naive_line(const struct line_access *a, const struct naive_line *n,
                                    unsigned line_bytes, bool aligned) {
    uint32_t words = 0;
    uint8_t sectors = 0;
    bool full = true;
    for (unsigned b = 0; b < line_bytes; b++) {
        words |= (uint32_t)n->byte[b] << b / 4;
        sectors = (uint8_t)(sectors | n->byte[b] << b / SECTOR_BYTES);
        full &= n->byte[b];
    }
    assert_true(a->line == n->line && a->words == words && line_access_sectors(a) == sectors);
    if (aligned) {
        assert_int_equal(line_access_full(a, line_words(line_bytes)), full);
    } else if (line_access_full(a, line_words(line_bytes))) {
        /* A write of a line that is not whole must fetch it. */
        assert_true(full);
    }
}

/* Patterns that coalesce well, badly and by chance. */
static void some_addresses(struct rng *rng, unsigned width, bool aligned, uint64_t *address) {
    unsigned kind = rng_below(rng, 4), range = 1 + rng_below(rng, 40), align = aligned ? width : 1;
    uint64_t base = BASE + rng_below(rng, 8 * LINE) / align * align;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        switch (kind) {
        case 0: address[lane] = base + lane * width; break;
        case 1: address[lane] = base + (31 - lane) * width; break;
        case 2: address[lane] = base + rng_below(rng, range * LINE) / align * align; break;
        default: address[lane] = base + rng_below(rng, WARP_SIZE) * width; break;
        }
    }
}

static uint32_t some_lanes(struct rng *rng) {
    uint32_t lanes = rng_chance(rng, 1, 2) ? ALL : (uint32_t)rng_next(rng);
    return lanes ? lanes : 1;
}

static void against_bytes(bool aligned, uint64_t stream) {
    struct rng rng = seeded_rng(stream);
    unsigned whole = 0;
    for (unsigned i = 0; i < 60000; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        struct naive_line n[COALESCER_ACCESSES_MAX];
        uint64_t address[WARP_SIZE];
        unsigned width = 1u << rng_below(&rng, 5), line_bytes = 32u << rng_below(&rng, 3);
        uint32_t active = some_lanes(&rng);
        some_addresses(&rng, width, aligned, address);
        struct warp_op op = operation_from_stream(width, active, address);
        unsigned count = naive_coalesce(line_bytes, width, active, address, n);
        assert_int_equal(coalesce_accesses(&op, line_bytes, a), count);
        for (unsigned k = 0; k < count; k++) {
            compare_with_naive_line(&a[k], &n[k], line_bytes, aligned && width >= 4);
            whole += line_access_full(&a[k], line_words(line_bytes));
        }
    }
    assert_true(whole > 1000);
}

TEST(aligned_accesses_agree_with_bytes) {
    against_bytes(true, 1);
}

TEST(unaligned_accesses_agree_with_bytes) {
    against_bytes(false, 2);
}

/* OWL table 1: lines of 64 bytes. */
TEST(halves_of_a_warp_take_the_same_line_one_after_the_other) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE, 4);
    assert_int_equal(coalesce_parts(&op, LINE, 1, false, a), 1);
    assert_int_equal(coalesce_parts(&op, LINE, 2, false, a), 2);
    assert_true(a[0].line == BASE / LINE && a[0].words == 0xffff);
    assert_true(a[1].line == BASE / LINE && a[1].words == 0xffff0000);
    op = strided_operation(4, BASE, LINE);
    assert_int_equal(coalesce_parts(&op, LINE, 2, false, a), WARP_SIZE);
}

/* Compute capability 1.3: segments of 32 bytes for bytes, 64 for two bytes. */
TEST(narrow_lanes_take_an_access_a_segment) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(1, BASE + 32, 3);
    assert_int_equal(coalesce_parts(&op, LINE, 2, false, a), 4);
    assert_true(a[0].line == BASE / LINE && a[0].words == 0xff00 && a[1].words == 0xf0000);
}

/* The accesses of each half are those that bytes give, in segments. */
TEST(random_halves_agree_with_bytes) {
    struct rng rng = seeded_rng(9);
    for (unsigned i = 0; i < 20000; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        struct naive_line n[COALESCER_ACCESSES_MAX];
        uint64_t address[WARP_SIZE];
        unsigned width = 1u << rng_below(&rng, 5), line_bytes = 32u << rng_below(&rng, 3);
        unsigned segment = 32 * width < 128 ? 32 * width : 128, count = 0;
        uint32_t active = some_lanes(&rng);
        segment = segment < line_bytes ? segment : line_bytes;
        some_addresses(&rng, width, rng_chance(&rng, 1, 2), address);
        struct warp_op op = operation_from_stream(width, active, address);
        for (unsigned half = 0; half < 2; half++) {
            const uint32_t lanes = active & 0xffffu << 16 * half;
            count += naive_coalesce(segment, width, lanes, address, n + count);
        }
        assert_int_equal(coalesce_parts(&op, line_bytes, 2, false, a), count);
        for (unsigned k = 0; k < count; k++) {
            const unsigned at = (unsigned)(n[k].line * segment % line_bytes);
            assert_true(a[k].line == n[k].line * segment / line_bytes);
            a[k].words >>= at / 4;
            a[k].line = n[k].line;
            compare_with_naive_line(&a[k], &n[k], segment, false);
        }
    }
}

TEST(neighbouring_words_take_a_line_for_each_line_size) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    for (unsigned line_bytes = 32; line_bytes <= 128; line_bytes *= 2) {
        struct warp_op op = strided_operation(4, BASE, 4);
        assert_int_equal(coalesce_accesses(&op, line_bytes, a), 4 * WARP_SIZE / line_bytes);
        for (unsigned i = 0; i < 4 * WARP_SIZE / line_bytes; i++) {
            assert_true(a[i].line == BASE / line_bytes + i &&
                        line_access_full(&a[i], line_words(line_bytes)));
        }
    }
}

TEST(lanes_of_an_atomic_on_one_word_go_one_after_another) {
    struct line_access a[COALESCER_ACCESSES_MAX];
    struct warp_op op = strided_operation(4, BASE + 100, 0);
    assert_int_equal(coalesce_atomic(&op, LINE, false, a), WARP_SIZE);
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        assert_true(a[i].line == BASE / LINE && a[i].words == 1u << 25);
    }
    op = strided_operation(4, BASE, 4);
    assert_int_equal(coalesce_atomic(&op, LINE, false, a), 1); /* each its own word */
}

/* Each line's words are touched as often as lanes touch them, by as many accesses as the most
 * wanted word needs. */
TEST(random_atomics_touch_each_word_once_an_access) {
    struct rng rng = seeded_rng(4);
    for (unsigned i = 0; i < 20000; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        uint64_t address[WARP_SIZE];
        unsigned wanted[512] = {0}, got[512] = {0}, most[16] = {0}, accesses[16] = {0};
        uint32_t active = some_lanes(&rng);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            unsigned word = rng_below(&rng, 1 + i % 512);
            address[lane] = 4 * word;
            if (active >> lane & 1 && ++wanted[word] > most[word / 32]) {
                most[word / 32] = wanted[word];
            }
        }
        struct warp_op op = operation_from_stream(4, active, address);
        unsigned count = coalesce_atomic(&op, LINE, false, a);
        for (unsigned k = 0; k < count; k++) {
            accesses[a[k].line]++;
            for (unsigned word = 0; word < 32; word++) {
                got[a[k].line * 32 + word] += a[k].words >> word & 1;
            }
        }
        assert_memory_equal(got, wanted, sizeof got);
        assert_memory_equal(accesses, most, sizeof most);
    }
}

/* 163,840 threads that add to one word made 10,240 L2 atomics on a QV100: two a warp. */
TEST(half_a_warp_shares_an_atomic_on_a_sector) {
    static const struct {
        unsigned width;
        uint64_t base;
        int64_t stride;
        unsigned accesses;
    } cases[] = {
        {4, 100, 0, 2},  /* one word for all */
        {4, 0, 4, 4},    /* four sectors, each of one half */
        {4, 16, 4, 6},   /* five, and both halves touch the third */
        {8, 0, 8, 8},    /* eight sectors of two lines */
        {4, 0, 128, 32}, /* a line each */
        {2, 30, 4, 6},   /* parts of words, across sectors */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        struct warp_op op =
            strided_operation(cases[i].width, BASE + cases[i].base, cases[i].stride);
        assert_int_equal(coalesce_atomic(&op, LINE, true, a), cases[i].accesses);
    }
}

/* Each half's accesses are its sectors, each once, with the words that its lanes touch. */
TEST(random_atomics_by_sector_touch_what_their_lanes_touch) {
    struct rng rng = seeded_rng(5);
    for (unsigned i = 0; i < 20000; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        uint64_t address[WARP_SIZE];
        unsigned count = 0, width = 1u << rng_below(&rng, 5);
        uint32_t active = some_lanes(&rng);
        some_addresses(&rng, width, i % 2, address);
        struct warp_op op = operation_from_stream(width, active, address);
        const unsigned made = coalesce_atomic(&op, LINE, true, a);
        for (uint32_t half = 0xffff; half; half <<= 16) {
            struct line_access whole[COALESCER_ACCESSES_MAX];
            if (!(active & half)) {
                continue;
            }
            op = operation_from_stream(width, active & half, address);
            const unsigned lines = coalesce_accesses(&op, LINE, whole), from = count;
            for (unsigned k = 0; k < lines; k++) {
                for (uint32_t sector = 0xff; sector; sector <<= 8) {
                    unsigned found = 0;
                    for (unsigned j = from; j < made; j++) {
                        found +=
                            a[j].line == whole[k].line && a[j].words == (whole[k].words & sector);
                    }
                    assert_true(!(whole[k].words & sector) || found > 0);
                }
                count += (unsigned)__builtin_popcount(line_access_sectors(&whole[k]));
            }
        }
        assert_int_equal(made, count);
    }
}

TEST(constants_are_an_access_a_distinct_word) {
    static const struct {
        unsigned width;
        uint64_t base;
        int64_t stride;
        unsigned accesses;
    } cases[] = {
        {4, 0, 0, 1}, /* the same for all lanes: what constant memory is for */
        {4, 0, 4, 32},
        {1, 0, 1, 8},
        {8, 0, 0, 2},
        {16, 0, 16, 4 * WARP_SIZE},
        {16, 2, 20, COALESCER_ACCESSES_MAX},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct line_access a[COALESCER_ACCESSES_MAX];
        struct warp_op op =
            strided_operation(cases[i].width, BASE + cases[i].base, cases[i].stride);
        assert_int_equal(coalesce_words(&op, 64, a), cases[i].accesses);
        for (unsigned k = 0; k < cases[i].accesses; k++) {
            assert_int_equal(__builtin_popcount(a[k].words), 1);
            assert_true(a[k].line == (BASE + 4 * k) / 64 || cases[i].stride == 20);
        }
    }
}

TEST(lanes_of_a_shared_atomic_on_one_word_go_one_after_another) {
    static const struct {
        int64_t stride;
        unsigned load, atomic;
    } cases[] = {{0, 1, 32}, {4, 1, 1}, {8, 2, 2}, {128, 32, 32}, {1, 1, 4}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct warp_op op = strided_operation(1, 0, cases[i].stride);
        struct insn atomic = *op.insn;
        atomic.op = OP_ATOMIC;
        assert_int_equal(shared_bank_cycles(&op, 32).all, cases[i].load);
        op.insn = &atomic;
        assert_int_equal(shared_bank_cycles(&op, 32).all, cases[i].atomic);
    }
}

TEST(a_segment_is_the_smallest_aligned_one_with_all_sectors) {
    for (unsigned sectors = 1; sectors < 16; sectors++) {
        unsigned smallest = LINE;
        for (unsigned size = LINE; size >= SECTOR_BYTES; size /= 2) {
            unsigned many = size / SECTOR_BYTES, mask = (1u << many) - 1;
            for (unsigned at = 0; at < 4; at += many) {
                smallest = !(sectors & ~(mask << at)) && size < smallest ? size : smallest;
            }
        }
        assert_int_equal(segment_bytes((uint8_t)sectors), smallest);
    }
}

TEST(bank_conflicts_of_known_patterns) {
    enum { BANKS = 32 };
    static const struct {
        unsigned width;
        int64_t stride;
        unsigned cycles, least;
    } cases[] = {
        {4, 4, 1, 1},               /* a word a bank */
        {4, 8, 2, 1},               /* every second bank */
        {4, 4 * BANKS, 32, 1},      /* all in one bank */
        {4, 4 * (BANKS + 1), 1, 1}, /* the padded column */
        {4, 0, 1, 1},               /* one word for all */
        {1, 1, 1, 1},               /* four lanes share a word */
        {8, 8, 2, 2},               /* two words a lane: no conflict */
        {16, 16, 4, 4},
        {16, 32, 8, 4},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct warp_op op = strided_operation(cases[i].width, 0, cases[i].stride);
        struct bank_cycles got = shared_bank_cycles(&op, BANKS);
        assert_int_equal(got.all, cases[i].cycles);
        assert_int_equal(got.least, cases[i].least);
    }
}

static unsigned naive_conflicts(unsigned width, uint32_t active, const uint64_t *address,
                                unsigned banks) {
    static bool touched[1 << 16];
    unsigned most = 0;
    memset(touched, 0, sizeof touched);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        for (unsigned b = 0; active >> lane & 1 && b < width; b++) {
            touched[(address[lane] + b) / 4] = true;
        }
    }
    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned words = 0;
        for (unsigned word = bank; word < 1 << 12; word += banks) {
            words += touched[word];
        }
        most = words > most ? words : most;
    }
    return most;
}

TEST(random_bank_conflicts_agree_with_counting) {
    struct rng rng = seeded_rng(3);
    static const unsigned banks[] = {1, 3, 16, 32, 64};
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t address[WARP_SIZE];
        unsigned width = 1u << rng_below(&rng, 5), n = banks[rng_below(&rng, 5)];
        uint32_t active = some_lanes(&rng);
        some_addresses(&rng, width, true, address);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            address[lane] -= BASE;
        }
        struct warp_op op = operation_from_stream(width, active, address);
        assert_int_equal(shared_bank_cycles(&op, n).all,
                         naive_conflicts(width, active, address, n));
    }
}
