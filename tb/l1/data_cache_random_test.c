/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 data cache under random accesses and fills in any order, against its definition over lists.
 */
#include "l1/data_cache_bench.h"

/* The reference: the definitions, one by one, over lists. */
enum { LINES = 24, FLIGHT = 64 };

struct naive {
    unsigned ways, mshrs, merge, queue;
    struct {
        bool used, valid;
        uint64_t line, last_use;
        unsigned waiting;
    } way[16][4];
    unsigned busy_mshrs, queued;
};

static enum l1_result naive_access(struct naive *n, unsigned set, uint64_t line, bool write,
                                   bool bypass, uint64_t time) {
    int found = -1, empty = -1, oldest = -1;
    for (unsigned w = 0; w < n->ways; w++) {
        found = n->way[set][w].used && n->way[set][w].line == line ? (int)w : found;
        empty = !n->way[set][w].used ? (int)w : empty;
        if (n->way[set][w].used && n->way[set][w].valid &&
            (oldest < 0 || n->way[set][w].last_use < n->way[set][oldest].last_use)) {
            oldest = (int)w;
        }
    }
    bool room = n->queued < n->queue;
    if (write) {
        n->queued += room;
        if (room && found >= 0 && n->way[set][found].valid) {
            n->way[set][found].used = false;
        }
        return room ? L1_WRITE : L1_FAIL_MISS_QUEUE;
    }
    if (found >= 0 && (n->way[set][found].valid || n->way[set][found].waiting < n->merge)) {
        n->way[set][found].last_use = time;
        n->way[set][found].waiting++;
        return n->way[set][found].valid ? L1_HIT : L1_PENDING_HIT;
    }
    if (found >= 0) {
        return L1_FAIL_MSHR_MERGE;
    }
    int victim = empty >= 0 ? empty : oldest;
    if (victim < 0 && bypass) {
        n->queued += room;
        return room ? L1_BYPASS : L1_FAIL_MISS_QUEUE;
    }
    if (victim < 0) {
        return L1_FAIL_ASSOCIATIVITY;
    }
    if (n->busy_mshrs == n->mshrs) {
        return L1_FAIL_MSHR_FULL;
    }
    if (!room) {
        return L1_FAIL_MISS_QUEUE;
    }
    n->queued++;
    n->busy_mshrs++;
    n->way[set][victim].used = true;
    n->way[set][victim].valid = false;
    n->way[set][victim].line = line;
    n->way[set][victim].last_use = time;
    n->way[set][victim].waiting = 1;
    return L1_MISS;
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

static void random_accesses_agree_with_the_definitions(void **state) {
    (void)state;
    static const struct {
        unsigned sets, ways, mshrs, merge, queue, index;
    } shape[] = {
        {1, 1, 1, 1, 1, INDEX_MODULO}, {4, 2, 3, 2, 2, INDEX_XOR}, {2, 4, 6, 3, 4, INDEX_MODULO}};
    for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
        struct rng rng = seeded(k);
        struct naive n = {
            shape[k].ways, shape[k].mshrs, shape[k].merge, shape[k].queue, {{{0}}}, 0, 0};
        struct request flight[FLIGHT];
        unsigned flying = 0, results[L1_RESULTS] = {0};
        struct bench b;
        open_bench(&b, shape[k].sets, shape[k].ways, shape[k].mshrs, shape[k].merge,
                   shape[k].queue);
        b.cache.tags.index = shape[k].index == INDEX_XOR ? TAG_INDEX_XOR : TAG_INDEX_MODULO;
        for (unsigned step = 1; step < 100000; step++) {
            unsigned kind = rng_below(&rng, 100);
            uint64_t line = rng_below(&rng, LINES);
            unsigned set = tag_set_of(&b.cache.tags, line);
            b.now++;
            if (kind < 75) {
                bool write = kind < 10, bypass = kind >= 10 && kind < 20;
                enum l1_result want = naive_access(&n, set, line, write, bypass, step);
                assert_int_equal(access_line(&b, line, write, bypass, 1), want);
                results[want]++;
            } else if (kind < 90 && n.queued && flying < FLIGHT) {
                flight[flying] = sent(&b);
                flying += flight[flying].kind == REQUEST_READ && !flight[flying].bypasses;
                n.queued--;
            } else if (flying) { /* any order of replies */
                unsigned i = rng_below(&rng, flying);
                struct request r = flight[i];
                flight[i] = flight[--flying];
                naive_fill(&n, tag_set_of(&b.cache.tags, r.line), r.line, fill(&b, &r));
            }
        }
        for (unsigned i = 0; i < L1_RESULTS;
             i++) { /* a set of one line is full before its MSHR is the limit */
            assert_true(results[i] > 100 ||
                        (k == 0 && (i == L1_FAIL_MSHR_FULL || i == L1_PENDING_HIT)));
        }
        const struct l1_stats *s = &b.cache.stats;
        assert_true(s->reads ==
                    s->read_hits + s->read_pending_hits + s->read_misses + s->read_bypasses);
        assert_true(s->read_hits == results[L1_HIT] &&
                    s->read_pending_hits == results[L1_PENDING_HIT]);
        assert_true(s->read_misses == results[L1_MISS] && s->read_bypasses == results[L1_BYPASS]);
        assert_true(s->writes == results[L1_WRITE]);
        close_bench(&b);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses_agree_with_the_definitions),
    };
    return RUN_SEEDED(argc, argv, tests);
}
