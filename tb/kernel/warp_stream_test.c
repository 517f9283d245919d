/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/rng.h"
#include "kernel/launch.h"
#include "kernel/warp_stream.h"

#define FULL 0xffffffffu

/* Only the places of the instructions matter here. */
static const struct insn table[WARP_STREAM_INSNS_MAX];
static const struct kernel_code code = {.name = "test",
                                        .insns = table,
                                        .insn_count = WARP_STREAM_INSNS_MAX,
                                        .registers = 0,
                                        .shared_bytes = 0};

/* Puts one access, takes it back, compares the addresses. Returns what was decoded; *bytes is
 * what it took. */
static struct warp_op access_again(uint32_t active, const uint64_t address[WARP_SIZE],
                                   size_t *bytes) {
    struct warp_stream s = {0};
    warp_stream_clear(&s);
    assert_true(warp_stream_put_memory(&s, 7, active, address));
    struct warp_cursor c;
    struct warp_op op;
    warp_cursor_open(&c, &s, &code);
    assert_true(warp_cursor_next(&c, &op));
    assert_ptr_equal(op.insn, &table[7]);
    assert_int_equal(op.active, active);
    uint64_t got[WARP_SIZE];
    memset(got, 0x5a, sizeof got);
    warp_op_addresses(&op, got);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        assert_true(got[lane] == (active >> lane & 1 ? address[lane] : 0x5a5a5a5a5a5a5a5a));
    }
    assert_false(warp_cursor_next(&c, &op));
    *bytes = s.size;
    warp_stream_free(&s);
    return op;
}

static void affine_addresses(uint64_t address[WARP_SIZE], uint64_t base, int64_t stride) {
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        address[lane] = base + lane * (uint64_t)stride;
    }
}

TEST(a_coalesced_access_takes_six_bytes) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    affine_addresses(address, 0x80001000, 4);
    struct warp_op op = access_again(FULL, address, &bytes);
    assert_int_equal(op.form, ADDRESS_AFFINE);
    assert_true(op.base == 0x80001000 && op.stride == 4);
    assert_int_equal(bytes, 6);
}

TEST(a_broadcast_takes_six_bytes) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    affine_addresses(address, 0x80001000, 0);
    assert_int_equal(access_again(FULL, address, &bytes).stride, 0);
    assert_int_equal(bytes, 6);
}

TEST(a_walk_down_a_column_takes_eight_bytes) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    affine_addresses(address, 0x80001000, 8192);
    assert_int_equal(access_again(FULL, address, &bytes).stride, 8192);
    assert_int_equal(bytes, 8);
}

TEST(a_negative_stride_is_affine) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    affine_addresses(address, 0x80001000, -4);
    struct warp_op op = access_again(FULL, address, &bytes);
    assert_int_equal(op.form, ADDRESS_AFFINE);
    assert_true(op.stride == -4);
    assert_int_equal(bytes, 8);
}

TEST(a_base_below_zero_is_affine) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    affine_addresses(address, (uint64_t)-64, 32); /* lanes 0 and 1 would be below address 0 */
    struct warp_op op = access_again(FULL << 2, address, &bytes);
    assert_int_equal(op.form, ADDRESS_AFFINE);
    assert_true(op.base == (uint64_t)-64 && op.stride == 32);
}

TEST(strides_at_the_limits_of_each_form_come_back) {
    static const int64_t strides[] = {INT16_MAX, INT16_MAX + 1, INT16_MIN, INT16_MIN - 1,
                                      INT32_MAX, INT32_MIN,     INT64_MAX, INT64_MIN};
    static const uint64_t bases[] = {0, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
    for (unsigned i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        for (unsigned j = 0; j < sizeof bases / sizeof bases[0]; j++) {
            uint64_t address[WARP_SIZE];
            size_t bytes;
            affine_addresses(address, bases[j], strides[i]);
            struct warp_op op = access_again(FULL, address, &bytes);
            assert_int_equal(op.form, ADDRESS_AFFINE);
            assert_true(op.base == bases[j] && op.stride == strides[i]);
        }
    }
}

TEST(a_single_lane_is_a_broadcast) {
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t address[WARP_SIZE];
        size_t bytes;
        affine_addresses(address, 0x80001000, 12345);
        struct warp_op op = access_again(1u << lane, address, &bytes);
        assert_int_equal(op.form, ADDRESS_AFFINE);
        assert_true(op.base == address[lane] && op.stride == 0);
    }
}

TEST(lanes_with_a_gap_are_affine_when_the_stride_is_whole) {
    uint64_t address[WARP_SIZE] = {[3] = 100, [6] = 112};
    size_t bytes;
    struct warp_op op = access_again(1 << 3 | 1 << 6, address, &bytes);
    assert_int_equal(op.form, ADDRESS_AFFINE);
    assert_true(op.base == 88 && op.stride == 4);
    address[6] = 113;
    assert_int_equal(access_again(1 << 3 | 1 << 6, address, &bytes).form, ADDRESS_LIST);
}

TEST(one_lane_out_of_step_makes_a_list) {
    uint64_t address[WARP_SIZE];
    size_t bytes;
    for (unsigned lane = 2; lane < WARP_SIZE; lane++) {
        affine_addresses(address, 0x80001000, 4);
        address[lane] += 1;
        assert_int_equal(access_again(FULL, address, &bytes).form, ADDRESS_LIST);
    }
}

/* 2 header, 8 lowest address, 1 form of the distances. */
TEST(a_list_takes_as_many_bytes_a_lane_as_its_spread_needs) {
    static const struct {
        uint64_t spread;
        unsigned bytes;
    } cases[] = {
        {255, 1},        {256 * 4, 1}, /* shifted right: all are multiples of 4 */
        {256 + 1, 2},    {65535 * 4, 2},      {65536 + 1, 4},
        {UINT32_MAX, 4}, {1ull << 32 | 1, 8}, {UINT64_MAX, 8},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t address[WARP_SIZE] = {0};
        size_t bytes;
        address[5] = cases[i].spread;
        assert_int_equal(access_again(FULL, address, &bytes).form, ADDRESS_LIST);
        assert_int_equal(bytes, 2 + 8 + 1 + WARP_SIZE * cases[i].bytes);
    }
}

TEST(an_instruction_with_the_same_lanes_takes_one_byte) {
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    warp_stream_clear(&s);
    assert_true(warp_stream_put(&s, 127, FULL));
    assert_int_equal(s.size, 1);
    assert_true(warp_stream_put(&s, 128, FULL));
    assert_int_equal(s.size, 1 + 2);
    assert_true(warp_stream_put(&s, 1, 0xff));
    assert_int_equal(s.size, 1 + 2 + 6);
    assert_true(warp_stream_put(&s, 1, 0xff));
    assert_int_equal(s.size, 1 + 2 + 6 + 1);
}

TEST(the_end_stays_the_end) {
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    struct warp_cursor c;
    struct warp_op op;
    warp_cursor_open(&c, &s, &code); /* never written */
    assert_false(warp_cursor_next(&c, &op));
    assert_true(warp_stream_put(&s, 5, 1)); /* never cleared */
    warp_cursor_open(&c, &s, &code);
    assert_true(warp_cursor_next(&c, &op));
    assert_int_equal(op.active, 1);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(warp_cursor_next(&c, &op));
    }
    warp_stream_clear(&s);
    warp_cursor_open(&c, &s, &code);
    assert_false(warp_cursor_next(&c, &op));
}

/* Two bytes name 2048 instructions, three all of them. */
TEST(a_long_header_grows_at_2048) {
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    warp_stream_clear(&s);
    assert_true(warp_stream_put(&s, 2047, FULL));
    assert_int_equal(s.size, 2);
    assert_true(warp_stream_put(&s, 2048, FULL));
    assert_int_equal(s.size, 2 + 3);
    assert_true(warp_stream_put_affine(&s, 65535, 0xff, 0x1000, 4));
    assert_int_equal(s.size, 2 + 3 + 3 + 4 + 4);
}

/* Number 0 adds, 1 loads, 2 opens a loop. */
static const struct insn three[] = {
    {.op = OP_INT_ADD}, {.op = OP_LOAD, .width = 4}, {.op = OP_LOOP_BEGIN}};
static const struct kernel_code three_code = {
    .name = "three", .insns = three, .insn_count = 3, .registers = 1, .shared_bytes = 0};

static const char *check_bytes(const uint8_t *bytes, size_t size, size_t *offset,
                               struct warp_stream_counts *counts) {
    struct warp_stream s = {0};
    warp_stream_clear(&s);
    memcpy(warp_stream_extend(&s, size), bytes, size);
    *counts = (struct warp_stream_counts){0};
    const char *wrong = warp_stream_check(&s, &three_code, counts, offset);
    warp_stream_free(&s);
    return wrong;
}

TEST(a_check_counts_what_it_accepts) {
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    struct warp_stream_counts counts = {1, 1, 1}; /* added to */
    size_t offset;
    uint64_t address[WARP_SIZE] = {7, 1, 99, 5};
    warp_stream_clear(&s);
    assert_true(warp_stream_put(&s, 2, FULL) && warp_stream_put(&s, 0, FULL) &&
                warp_stream_put_memory(&s, 1, 0xf, address) &&
                warp_stream_put_affine(&s, 1, 0xf, 1 << 20, 4) && warp_stream_put(&s, 0, 0xf));
    assert_null(warp_stream_check(&s, &three_code, &counts, &offset));
    assert_int_equal(counts.warp_instructions, 1 + 4);
    assert_int_equal(counts.thread_instructions, 1 + 32 + 3 * 4);
    assert_int_equal(counts.memory_instructions, 1 + 2);
}

TEST(a_check_refuses_what_no_writer_writes) {
    static const struct {
        uint8_t bytes[16];
        unsigned size, offset;
        const char *what;
    } bad[] = {
        {{0, 3}, 2, 1, "lacks"},
        {{0x80, 3}, 2, 0, "lacks"},
        {{0xf0, 0xff, 0xff}, 3, 0, "lacks"},
        {{1}, 1, 0, "memory instruction"},
        {{0x90, 0, 1, 2, 3, 4}, 6, 0, "memory instruction"},
        {{0x92, 2, 1, 2, 3, 4}, 6, 0, "lacks"},
        {{0x90, 2, 1, 2, 3, 4}, 6, 0, "memory instruction"},
        {{0x98, 1, 0, 0, 0, 0, 4, 0, 0, 0}, 10, 0, "active lane"},
        {{0xe0, 1}, 2, 0, "form"},
        {{0xf7, 1, 0}, 3, 0, "form"},
        {{0, 0, 0x80}, 3, 2, "beyond"},
        {{0xf0, 1}, 2, 0, "beyond"},
        {{0x88, 0, 1, 0, 0}, 5, 0, "beyond"},
        {{0x90, 1, 1, 0, 0}, 5, 0, "beyond"},
        {{0xb0, 1, 1, 0, 0, 0, 4}, 7, 0, "beyond"},
        {{0xc0, 1, 1, 0, 0, 0, 4, 0, 0, 0, 0}, 11, 0, "beyond"},
        {{0xd0, 1, 1, 0, 0, 0, 0, 0, 0, 0}, 10, 0, "beyond"},
        {{0xd8, 1, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 9}, 16, 0, "beyond"},
    };
    size_t offset;
    struct warp_stream_counts counts;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *wrong = check_bytes(bad[i].bytes, bad[i].size, &offset, &counts);
        if (!wrong || !strstr(wrong, bad[i].what) || offset != bad[i].offset) {
            fail_msg("%zu: %s, at %zu", i, wrong ? wrong : "good", offset);
        }
    }
    /* The last of them with the number of lanes that its bytes are for. */
    static const uint8_t one_lane[] = {0xd8, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 9, 9};
    assert_null(check_bytes(one_lane, sizeof one_lane, &offset, &counts));
}

TEST(a_cta_trace_is_created_empty) {
    struct cta_trace *t = cta_trace_create();
    assert_non_null(t);
    for (unsigned w = 0; w < CTA_WARPS_MAX; w++) {
        assert_int_equal(t->warp[w].size, 0);
        assert_true(warp_stream_put(&t->warp[w], w, FULL));
    }
    cta_trace_destroy(t);
    cta_trace_destroy(NULL);
}

/* --- Random records. --- */

#define RECORDS 20000

struct reference {
    unsigned index;
    uint32_t active;
    bool memory;
    uint64_t address[WARP_SIZE];
};

/* As many small numbers as large ones. */
static uint64_t any_size(struct rng *rng) {
    unsigned shift = rng_below(rng, 64);
    return rng_next(rng) >> shift;
}

static void random_record(struct rng *rng, struct reference *r, uint32_t *active) {
    if (rng_chance(rng, 1, 3)) { /* lanes change now and then; never none */
        uint32_t lanes = (uint32_t)rng_next(rng);
        *active = rng_chance(rng, 1, 4)   ? FULL
                  : rng_chance(rng, 1, 3) ? 1u << lanes % WARP_SIZE
                                          : lanes | 1u << lanes % WARP_SIZE;
    }
    static const unsigned limits[] = {128, 2048, WARP_STREAM_INSNS_MAX};
    r->index = rng_below(rng, limits[rng_below(rng, 3)]);
    r->memory = rng_chance(rng, 1, 2);
    r->active = r->memory || rng_chance(rng, 3, 4) ? *active : 0; /* predicated off */
    uint64_t base = any_size(rng);
    int64_t stride = (int64_t)any_size(rng);
    affine_addresses(r->address, base,
                     rng_chance(rng, 1, 2) ? stride : (int64_t)(0 - (uint64_t)stride));
    unsigned kind = rng_below(rng, 6);
    if (kind < 2) {
        affine_addresses(r->address, base, kind * 4);
    }
    if (kind >= 4) {
        unsigned narrow = rng_below(rng, 64), shift = rng_below(rng, 4);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            r->address[lane] = base + (rng_next(rng) >> narrow << shift);
        }
    }
}

TEST(random_records_come_back) {
    struct rng rng;
    rng_seed(&rng, 1);
    FREED struct reference *reference = calloc(RECORDS, sizeof *reference);
    assert_non_null(reference);
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    unsigned seen[3] = {0};
    /* The second time in a buffer that has been used. */
    for (unsigned round = 0; round < 2; round++) {
        uint32_t active = FULL;
        warp_stream_clear(&s);
        for (unsigned i = 0; i < RECORDS; i++) {
            struct reference *r = &reference[i];
            random_record(&rng, r, &active);
            assert_true(r->memory ? warp_stream_put_memory(&s, r->index, r->active, r->address)
                                  : warp_stream_put(&s, r->index, r->active));
        }
        struct warp_cursor c;
        struct warp_op op;
        warp_cursor_open(&c, &s, &code);
        for (unsigned i = 0; i < RECORDS; i++) {
            const struct reference *r = &reference[i];
            assert_true(warp_cursor_next(&c, &op));
            assert_ptr_equal(op.insn, &table[r->index]);
            assert_int_equal(op.active, r->active);
            assert_int_equal(op.form != ADDRESS_NONE, r->memory);
            seen[op.form]++;
            uint64_t address[WARP_SIZE];
            warp_op_addresses(&op, address);
            for (uint32_t m = r->memory ? r->active : 0; m; m &= m - 1) {
                unsigned lane = (unsigned)__builtin_ctz(m);
                assert_true(address[lane] == r->address[lane]);
            }
        }
        assert_false(warp_cursor_next(&c, &op));
    }
    for (unsigned form = 0; form < 3; form++) {
        assert_true(seen[form] > RECORDS / 10);
    }
    print_message("%u records without an address, %u affine, %u lists\n", seen[0], seen[1],
                  seen[2]);
}

/* A writer that knows base and stride need not list the addresses. */
TEST(put_affine_means_the_same) {
    struct rng rng;
    rng_seed(&rng, 2);
    CLOSED_BY(warp_stream_free) struct warp_stream listed = {0}, known = {0};
    warp_stream_clear(&listed);
    warp_stream_clear(&known);
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t address[WARP_SIZE];
        uint64_t base = any_size(&rng);
        int64_t stride = (int64_t)any_size(&rng);
        affine_addresses(address, base, stride);
        assert_true(warp_stream_put_memory(&listed, i, FULL >> i % 31, address));
        assert_true(warp_stream_put_affine(&known, i, FULL >> i % 31, base, stride));
    }
    assert_int_equal(listed.size, known.size);
    assert_memory_equal(listed.bytes, known.bytes, known.size);
}

/* NULL would say that there is no memory. */
TEST(room_for_nothing_is_a_place) {
    CLOSED_BY(warp_stream_free) struct warp_stream s = {0};
    warp_stream_clear(&s);
    assert_non_null(warp_stream_extend(&s, 0));
    assert_int_equal(s.size, 0);
}
