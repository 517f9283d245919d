/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 data cache under random accesses and fills in any order, against its definition over lists.
 */
#include "l1/data_cache_bench.h"

/* The reference: the definitions, one by one, over lists. */
enum { LINES = 24, FLIGHT = 64 };

struct naive {
    unsigned ways, mshrs, merge, queue;
    unsigned write[2]; /* policy of global and of local memory */
    bool fetch;
    struct {
        bool used, valid, dirty;
        uint64_t line, last_use;
        unsigned waiting;
    } way[16][4];
    unsigned busy_mshrs, queued;
    uint64_t writebacks;
};

/* Room for @count requests, which then stand in the queue. */
static bool naive_send(struct naive *n, unsigned count) {
    bool room = n->queued + count <= n->queue;
    n->queued += room ? count : 0;
    n->writebacks += room && count == 2;
    return room;
}

static enum l1_result naive_fetch(struct naive *n, unsigned set, uint64_t line, bool bypass,
                                  bool dirties, uint64_t time) {
    int empty = -1, oldest = -1;
    for (unsigned w = 0; w < n->ways; w++) {
        empty = !n->way[set][w].used ? (int)w : empty;
        if (n->way[set][w].used && n->way[set][w].valid &&
            (oldest < 0 || n->way[set][w].last_use < n->way[set][oldest].last_use)) {
            oldest = (int)w;
        }
    }
    int victim = empty >= 0 ? empty : oldest;
    if (victim < 0 && bypass) {
        return naive_send(n, 1) ? L1_BYPASS : L1_FAIL_MISS_QUEUE;
    }
    if (victim < 0) {
        return L1_FAIL_ASSOCIATIVITY;
    }
    if (n->busy_mshrs == n->mshrs) {
        return L1_FAIL_MSHR_FULL;
    }
    if (!naive_send(n, empty < 0 && n->way[set][victim].dirty ? 2 : 1)) {
        return L1_FAIL_MISS_QUEUE;
    }
    n->busy_mshrs++;
    n->way[set][victim].used = true;
    n->way[set][victim].valid = false;
    n->way[set][victim].dirty = dirties;
    n->way[set][victim].line = line;
    n->way[set][victim].last_use = time;
    n->way[set][victim].waiting = 1;
    return dirties ? L1_WRITE_DONE : L1_MISS;
}

/* A write that goes on, or an atomic. */
static enum l1_result naive_on(struct naive *n, unsigned set, int found, bool atomic, bool evicts) {
    bool copy = evicts && found >= 0 && n->way[set][found].valid;
    if (!naive_send(n, copy && n->way[set][found].dirty ? 2 : 1)) {
        return L1_FAIL_MISS_QUEUE;
    }
    if (copy) {
        n->way[set][found].used = false;
    }
    return atomic ? L1_ATOMIC : L1_WRITE;
}

static enum l1_result naive_access(struct naive *n, unsigned set, uint64_t line, unsigned kind,
                                   bool local, bool uncached, bool bypass, uint64_t time) {
    int found = -1;
    for (unsigned w = 0; w < n->ways; w++) {
        found = n->way[set][w].used && n->way[set][w].line == line ? (int)w : found;
    }
    bool valid = found >= 0 && n->way[set][found].valid, write = kind == REQUEST_WRITE;
    unsigned policy = n->write[local];
    if (uncached) {
        bool waits = found >= 0 && !valid && n->way[set][found].dirty;
        enum l1_result result = waits ? L1_FAIL_MSHR_MERGE : naive_on(n, set, found, false, true);
        return result == L1_WRITE ? L1_BYPASS : result;
    }
    if (kind == REQUEST_ATOMIC || (write && policy == L1_WRITE_EVICT)) {
        return naive_on(n, set, found, !write, true);
    }
    if (write && (policy == L1_WRITE_THROUGH || (found < 0 && !n->fetch))) {
        enum l1_result result = naive_on(n, set, found, false, false);
        if (result == L1_WRITE && valid) {
            n->way[set][found].last_use = time;
        }
        return result;
    }
    if (found < 0) {
        return naive_fetch(n, set, line, bypass, write, time);
    }
    if (!valid && n->way[set][found].waiting == n->merge) {
        return L1_FAIL_MSHR_MERGE;
    }
    n->way[set][found].last_use = time;
    n->way[set][found].waiting++;
    n->way[set][found].dirty |= write;
    return write ? L1_WRITE_DONE : valid ? L1_HIT : L1_PENDING_HIT;
}

static void naive_fill(struct naive *n, unsigned set, uint64_t line, unsigned woken) {
    for (unsigned w = 0; w < n->ways; w++) {
        if (n->way[set][w].used && n->way[set][w].line == line) {
            assert_false(n->way[set][w].valid);
            assert_int_equal(n->way[set][w].waiting, woken);
            n->way[set][w].valid = true;
            n->busy_mshrs--;
            return;
        }
    }
    fail();
}

static void assert_models_agree(struct config c, uint64_t stream, bool everything) {
    struct rng rng = seeded_rng(stream);
    struct naive n = {.ways = c.l1.ways,
                      .mshrs = c.l1.mshrs,
                      .merge = c.l1.mshr_merge,
                      .queue = c.l1.miss_queue,
                      .write = {c.l1.global_write, c.l1.local_write},
                      .fetch = c.l1.write_miss == L1_WRITE_MISS_FETCH};
    struct request flight[FLIGHT];
    unsigned flying = 0, uncached = 0, results[L1_RESULTS] = {0};
    CLOSED_BY(close_cache_bench) struct bench b;
    open_bench_of(&b, &c);
    for (unsigned step = 1; step < 100000; step++) {
        unsigned kind = rng_below(&rng, 100);
        uint64_t line = rng_below(&rng, LINES);
        unsigned set = tag_set_of(&b.cache.tags, line);
        b.now++;
        if (kind < 75) {
            struct request r = {.line = line,
                                .sectors = 1,
                                .kind = kind < 20   ? REQUEST_WRITE
                                        : kind < 25 ? REQUEST_ATOMIC
                                                    : REQUEST_READ,
                                .local_space = kind % 3 == 0 && (kind < 20 || kind >= 25),
                                .uncached = kind >= 37 && kind < 42 && kind % 3,
                                .may_bypass = kind >= 25 && kind < 40};
            enum l1_result want =
                naive_access(&n, set, line, r.kind, r.local_space, r.uncached, r.may_bypass, step);
            uncached += r.uncached && want == L1_BYPASS;
            assert_int_equal(
                l1_data_cache_access(&b.cache, &r, 0, &(struct now){.time = b.now, .period = 7}),
                want);
            results[want]++;
        } else if (kind < 90 && n.queued && flying < FLIGHT) {
            flight[flying] = sent_by_cache(&b);
            flying += flight[flying].kind == REQUEST_READ && !flight[flying].bypasses;
            n.queued--;
        } else if (flying) { /* any order of replies */
            unsigned i = rng_below(&rng, flying);
            struct request r = flight[i];
            flight[i] = flight[--flying];
            naive_fill(&n, tag_set_of(&b.cache.tags, r.line), r.line, fill_and_wake(&b, &r));
        }
    }
    bool all_stay = n.fetch && n.write[0] == L1_WRITE_BACK, none_stay = n.write[1] != L1_WRITE_BACK;
    for (unsigned i = 0; everything && i < L1_RESULTS; i++) {
        bool never = i == L1_WRITE ? all_stay : i == L1_WRITE_DONE && none_stay;
        assert_true(never ? !results[i] : results[i] > 100);
    }
    const struct l1_space_stats *s = b.cache.stats.space;
    uint64_t reads = s[0].reads + s[1].reads, writes = s[0].writes + s[1].writes;
    assert_true(reads == (uint64_t)results[L1_HIT] + results[L1_PENDING_HIT] + results[L1_MISS] +
                             results[L1_BYPASS]);
    assert_true(s[0].read_hits + s[1].read_hits == results[L1_HIT]);
    assert_true(s[0].read_pending_hits + s[1].read_pending_hits == results[L1_PENDING_HIT]);
    assert_true(s[0].read_misses + s[1].read_misses == results[L1_MISS]);
    assert_true(s[0].read_bypasses + s[1].read_bypasses == results[L1_BYPASS]);
    assert_true(writes == (uint64_t)results[L1_WRITE] + results[L1_WRITE_DONE]);
    assert_true(s[0].write_hits + s[0].write_pending_hits + s[0].write_misses + s[1].write_hits +
                    s[1].write_pending_hits + s[1].write_misses ==
                results[L1_WRITE_DONE]);
    assert_true(b.cache.stats.uncached == uncached && (uncached > 100 || !everything));
    assert_true(b.cache.stats.atomics == results[L1_ATOMIC]);
    assert_true(b.cache.stats.writebacks == n.writebacks);
    assert_true(n.writebacks > 100 || n.write[1] != L1_WRITE_BACK || !everything);
}

TEST(random_accesses_agree_with_the_definitions) {
    static const struct {
        unsigned sets, ways, mshrs, merge, queue, index;
    } shape[] = {
        {1, 1, 1, 1, 1, INDEX_MODULO}, {4, 2, 3, 2, 2, INDEX_XOR}, {2, 4, 6, 3, 4, INDEX_MODULO}};
    static const struct {
        unsigned global, local, miss;
    } policy[] = {
        {L1_WRITE_EVICT, L1_WRITE_EVICT, L1_WRITE_MISS_AROUND},
        {L1_WRITE_THROUGH, L1_WRITE_THROUGH, L1_WRITE_MISS_FETCH}, /* fetches where writes stay */
        {L1_WRITE_EVICT, L1_WRITE_BACK, L1_WRITE_MISS_AROUND},     /* Fermi */
        {L1_WRITE_BACK, L1_WRITE_BACK, L1_WRITE_MISS_FETCH},       /* OWL */
        {L1_WRITE_THROUGH, L1_WRITE_BACK, L1_WRITE_MISS_AROUND},
    };
    for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
        for (unsigned i = 0; i < sizeof policy / sizeof *policy; i++) {
            struct config c = base_preset();
            bool back = policy[i].local == L1_WRITE_BACK;
            c.l1.sets = shape[k].sets;
            c.l1.ways = shape[k].ways;
            c.l1.mshrs = shape[k].mshrs;
            c.l1.mshr_merge = shape[k].merge;
            c.l1.miss_queue = back && shape[k].queue < 2 ? 2 : shape[k].queue;
            c.l1.index = shape[k].index;
            c.l1.global_write = policy[i].global;
            c.l1.local_write = policy[i].local;
            c.l1.write_miss = policy[i].miss;
            /* A set of one line is full before its MSHR is the limit. */
            assert_models_agree(c, 5 * k + i, k > 0);
        }
    }
}
