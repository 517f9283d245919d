/* SPDX-License-Identifier: Apache-2.0
 *
 * memc: the hash against published values, the server's memory against memcached's rules, and what
 * the records say against the keys alone.
 */
#include <math.h>

#include "workloads/ccws/lookup3.h"
#include "workloads/ccws/memc.h"
#include "workloads/rodinia_records.h"

#define SEED 1

TEST(the_hash_is_lookup3) {
    static const uint8_t text[] = "Four score and seven years ago";
    assert_int_equal(lookup3(text, 0, 0), 0xdeadbeef);
    assert_int_equal(lookup3(text, 0, 0xdeadbeef), 0xbd5b7dde);
    assert_int_equal(lookup3(text, 30, 0), 0x17770551);
    assert_int_equal(lookup3(text, 30, 1), 0xcd628161);
}

static uint64_t load_from_heap(const struct memc_store *m, uint64_t address, unsigned offset,
                               unsigned size) {
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)m->heap.data + (address - m->heap.address) + offset, size);
    return value;
}

/* The chunk sizes that memcached -vv prints: a quarter more each, in units of 8. */
static unsigned chunk_for(unsigned bytes) {
    static const unsigned sizes[] = {96,  120, 152, 192, 240,  304,  384,
                                     480, 600, 752, 944, 1184, 1480, 1856};
    unsigned i = 0;
    while (sizes[i] < bytes) {
        i++;
    }
    return sizes[i];
}

TEST(each_item_is_in_the_chain_of_its_hash) {
    struct program p;
    records_open("memc", &p, SIZE_TINY);
    const struct memc_store *m = &((struct memc *)p.self)->store;
    const uint64_t *table = m->table.data;
    unsigned items = 0;
    assert_int_equal(m->items, memc_parameters.load * (double)m->table.count);
    for (unsigned place = 0; place < m->table.count; place++) {
        for (uint64_t it = table[place]; it; it = load_from_heap(m, it, ITEM_CHAIN, 8), items++) {
            const unsigned bytes = (unsigned)load_from_heap(m, it, ITEM_KEY_BYTES, 1);
            const uint8_t *key = (const uint8_t *)m->heap.data + (it - m->heap.address) + 48 + 8;
            assert_int_equal(lookup3(key, bytes, 0) % m->table.count, place);
            assert_int_equal(it % 8, 0);
        }
    }
    assert_int_equal(items, m->items);
    workload_close(workload_find("memc"), &p);
}

TEST(items_lie_in_chunks_of_their_class) {
    struct program p;
    records_open("memc", &p, SIZE_TINY);
    const struct memc_store *m = &((struct memc *)p.self)->store;
    for (unsigned i = 0; i < m->items; i++) {
        const uint64_t at = m->item[i].address, in_page = (at - m->heap.address) % (1 << 20);
        const unsigned bytes = (unsigned)(48 + 8 + load_from_heap(m, at, ITEM_KEY_BYTES, 1) + 1 +
                                          load_from_heap(m, at, ITEM_SUFFIX_BYTES, 1) +
                                          load_from_heap(m, at, ITEM_BYTES, 4));
        const uint64_t next = load_from_heap(m, at, ITEM_NEXT, 8),
                       class = load_from_heap(m, at, ITEM_CLASS, 1);
        assert_int_equal(in_page % chunk_for(bytes), 0);
        if (next) { /* of the list of its class, linked both ways */
            assert_int_equal(load_from_heap(m, next, ITEM_PREV, 8), at);
            assert_int_equal(load_from_heap(m, next, ITEM_CLASS, 1), class);
        }
    }
    workload_close(workload_find("memc"), &p);
}

TEST(requests_follow_the_parameters) {
    struct program p;
    records_open("memc", &p, SIZE_SMALL);
    const struct memc_store *m = &((struct memc *)p.self)->store;
    unsigned hits = 0, first = 0, first_100 = 0;
    double all = 0, weight_100 = 0;
    for (unsigned i = 1; i <= m->items; i++) {
        all += pow(i, -0.99);
        weight_100 += i <= 100 ? pow(i, -0.99) : 0;
    }
    for (unsigned r = 0; r < m->requests; r++) {
        const uint8_t *text = (const uint8_t *)m->request.data + (size_t)r * 252;
        uint8_t key[MEMC_KEY_MAX];
        const bool stored = m->asked[r] != MEMC_NEVER_STORED;
        const unsigned bytes = memc_key(SEED, stored ? m->asked[r] : (uint64_t)m->items + r, key);
        assert_memory_equal(text, "get ", 4);
        assert_memory_equal(text + 4, key, bytes);
        assert_memory_equal(text + 4 + bytes, "\r\n", 2);
        hits += stored;
        first += m->asked[r] == 0;
        first_100 += m->asked[r] < 100;
    }
    print_message("hits %.3f of the requests; of these the first item %.4f (%.4f), the first 100 "
                  "%.3f (%.3f)\n",
                  (double)hits / m->requests, (double)first / hits, 1 / all,
                  (double)first_100 / hits, weight_100 / all);
    /* Four standard deviations. */
    assert_true(fabs((double)hits / m->requests - 0.814) < 4 * sqrt(0.814 * 0.186 / m->requests));
    assert_true(fabs(first - hits / all) < 4 * sqrt(hits / all));
    assert_true(fabs(first_100 - hits * weight_100 / all) < 4 * sqrt(hits * weight_100 / all));
    workload_close(workload_find("memc"), &p);
}

/* Loads, in the order of the code. */
enum {
    COMMAND,
    CHARACTER,
    W0,
    W1,
    W2,
    TAIL_0,
    TAIL_1,
    TAIL_2,
    FIRST,
    ITEM_BYTES_LOAD,
    FLAGS,
    OWN,
    OTHER,
    CHAIN,
    EXPIRES,
    TIME,
    LENGTH,
    LOAD_KINDS
};

struct counts {
    unsigned ops[LOAD_KINDS], lanes[LOAD_KINDS], lines[LOAD_KINDS];
};

static void count_memc_loads(void *self, const struct place *at) {
    struct counts *c = self;
    for (unsigned i = 0; i < LOAD_KINDS && at->op->insn->op == OP_LOAD; i++) {
        if (record_is(at, OP_LOAD, SPACE_GLOBAL, i)) {
            c->ops[i]++;
            c->lanes[i] += record_lanes(at);
            c->lines[i] += record_lines(at);
        }
    }
}

/* From the keys and from who asks for what: how often each load must happen. */
TEST(each_lane_reads_its_key_three_times) {
    static struct counts c;
    struct program p;
    unsigned scanned = 0, trips = 0, groups = 0, tails = 0, found = 0, matched = 0, valid = 0;
    records_open("memc", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, count_memc_loads, &c);
    const struct memc_store *m = &((struct memc *)p.self)->store;
    for (unsigned r = 0; r < m->requests; r += WARP_SIZE) {
        unsigned longest = 0;
        for (unsigned i = r; i < r + WARP_SIZE; i++) {
            uint8_t key[MEMC_KEY_MAX];
            const bool stored = m->asked[i] != MEMC_NEVER_STORED;
            const unsigned bytes =
                memc_key(SEED, stored ? m->asked[i] : (uint64_t)m->items + i, key);
            scanned += bytes + 1;
            groups += (bytes - 1) / 12;
            tails += ((bytes - 1) % 12 + 4) / 4;
            longest = bytes + 1 > longest ? bytes + 1 : longest;
            found += stored;
            matched += stored ? bytes : 0;
            valid += stored && !m->item[m->asked[i]].expires;
        }
        trips += longest;
    }
    assert_int_equal(c.ops[CHARACTER], trips);
    assert_int_equal(c.lanes[CHARACTER], scanned);
    assert_int_equal(c.lanes[W0], groups);
    assert_int_equal(c.lanes[W2], groups);
    assert_int_equal(c.lanes[TAIL_0], m->requests);
    assert_int_equal(c.lanes[TAIL_0] + c.lanes[TAIL_1] + c.lanes[TAIL_2], tails);
    assert_int_equal(c.lanes[FIRST], m->requests);
    assert_int_equal(c.lanes[EXPIRES], found);
    assert_int_equal(c.lanes[LENGTH], valid);
    /* Chains of one item on average: a hit passes half an item on its way, a miss one. */
    const double walked = found * 1.5 + (m->requests - found) * 1.0;
    assert_true(fabs(c.lanes[ITEM_BYTES_LOAD] - walked) < 0.05 * walked);
    /* All of the key of the one that is found, and the common beginning of the keys of others that
     * are as long: one in 16, 7 characters and one that differs. */
    assert_int_equal(c.lanes[OWN], c.lanes[OTHER]);
    const double others = (c.lanes[ITEM_BYTES_LOAD] - found) / 16.0;
    assert_true(fabs(c.lanes[FLAGS] - (found + others)) < 0.05 * found);
    assert_true(fabs(c.lanes[OWN] - (matched + 8 * others)) < 0.01 * matched);
    workload_close(workload_find("memc"), &p);
}

/* Sets of 32 in which requests begin. */
static unsigned sets_of_requests(const char *name) {
    struct program p;
    uint32_t sets = 0;
    records_open(name, &p, SIZE_TINY);
    const struct memc_store *m = &((struct memc *)p.self)->store;
    for (unsigned r = 0; r < m->requests; r++) {
        sets |= UINT32_C(1) << ((m->request.address + (uint64_t)r * m->request_bytes) / 128 % 32);
    }
    workload_close(workload_find(name), &p);
    return (unsigned)__builtin_popcount(sets);
}

TEST(requests_lie_in_all_sets_or_256_bytes_apart_in_half_of_them) {
    assert_int_equal(sets_of_requests("memc"), 32);
    assert_int_equal(sets_of_requests("memc-256"), 16);
}

/* Each request's text lies in a line of its own, items in lines anywhere. */
TEST(each_lane_has_lines_of_its_own) {
    static const char *const names[] = {
        "command",       "scan",   "word 0",  "word 1",     "word 2", "tail 0",
        "tail 1",        "tail 2", "table",   "key length", "flags",  "compare, own",
        "compare, item", "chain",  "expires", "time",       "length"};
    static struct counts c;
    struct program p;
    records_open("memc", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, count_memc_loads, &c);
    for (unsigned i = 0; i < LOAD_KINDS; i++) {
        print_message("%-14s %6u loads, %4.1f lanes, %4.1f lines\n", names[i], c.ops[i],
                      (double)c.lanes[i] / c.ops[i], (double)c.lines[i] / c.ops[i]);
    }
    assert_int_equal(c.lines[COMMAND], 32 * c.ops[COMMAND]);
    assert_int_equal(c.lines[CHARACTER], c.lanes[CHARACTER]);
    assert_int_equal(c.lines[OWN], c.lanes[OWN]);
    /* Hot items are asked for by several lanes. */
    assert_true(c.lines[OTHER] < c.lanes[OTHER] && c.lines[OTHER] * 10 > c.lanes[OTHER] * 8);
    workload_close(workload_find("memc"), &p);
}

TEST(a_wrong_bit_fails_the_check) {
    expect_wrong_bit_seen("memc", 0, 17 * 8 + 4, "found[17] is ");
    expect_wrong_bit_seen("memc", 1, 1023 * 4, "length[1023] is ");
    expect_wrong_bit_seen("memc", 4, ITEM_TIME, "time["); /* of the first chunk */
}
