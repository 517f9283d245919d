/* SPDX-License-Identifier: Apache-2.0
 *
 * MSHRs: merging, the order of waking, when an entry is free again.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/mshr.h"

static struct request request_numbered(uint64_t id) {
    return (struct request){.line = id};
}

static unsigned allocate_numbered(struct mshr_file *m, uint64_t id) {
    struct request r = request_numbered(id);
    return mshr_allocate(m, &r);
}

static void merge_numbered(struct mshr_file *m, unsigned entry, uint64_t id) {
    struct request r = request_numbered(id);
    mshr_merge(m, entry, &r);
}

TEST(requests_of_an_entry_wake_in_the_order_of_arrival) {
    CLOSED_BY(mshr_destroy) struct mshr_file m;
    assert_true(mshr_init(&m, 2, 3));
    unsigned entry = allocate_numbered(&m, 1);
    merge_numbered(&m, entry, 2);
    merge_numbered(&m, entry, 3);
    assert_false(mshr_ready(&m));
    mshr_fill(&m, entry);
    for (uint64_t id = 1; id <= 3; id++) {
        assert_true(mshr_ready(&m));
        assert_true(mshr_first(&m)->line == id);
        assert_int_equal(mshr_wake(&m), id == 3);
    }
    assert_false(mshr_ready(&m));
}

TEST(entries_wake_in_the_order_of_their_fills) {
    CLOSED_BY(mshr_destroy) struct mshr_file m;
    assert_true(mshr_init(&m, 3, 2));
    unsigned a = allocate_numbered(&m, 1), b = allocate_numbered(&m, 2),
             c = allocate_numbered(&m, 3);
    merge_numbered(&m, a, 4);
    mshr_fill(&m, c);
    mshr_fill(&m, a);
    mshr_fill(&m, b);
    static const uint64_t order[] = {3, 1, 4, 2};
    for (unsigned i = 0; i < 4; i++) {
        assert_true(mshr_first(&m)->line == order[i]);
        mshr_wake(&m);
    }
}

TEST(an_entry_holds_merge_requests_with_its_first) {
    enum { MERGE = 4 };
    CLOSED_BY(mshr_destroy) struct mshr_file m;
    assert_true(mshr_init(&m, 1, MERGE));
    unsigned entry = allocate_numbered(&m, 0);
    for (unsigned i = 1; i < MERGE; i++) {
        assert_true(mshr_can_merge(&m, entry));
        merge_numbered(&m, entry, i);
    }
    assert_false(mshr_can_merge(&m, entry));
}

TEST(an_entry_of_one_request_merges_nothing) {
    CLOSED_BY(mshr_destroy) struct mshr_file m;
    assert_true(mshr_init(&m, 1, 1));
    assert_false(mshr_can_merge(&m, allocate_numbered(&m, 0)));
}

TEST(an_entry_is_free_after_its_last_wake_not_at_its_fill) {
    CLOSED_BY(mshr_destroy) struct mshr_file m;
    assert_true(mshr_init(&m, 1, 2));
    unsigned entry = allocate_numbered(&m, 1);
    merge_numbered(&m, entry, 2);
    assert_false(mshr_has_free(&m));
    mshr_fill(&m, entry);
    assert_false(mshr_has_free(&m));
    assert_false(mshr_wake(&m));
    assert_false(mshr_has_free(&m));
    assert_true(mshr_wake(&m));
    assert_true(mshr_has_free(&m));
    assert_int_equal(allocate_numbered(&m, 3), entry);
    assert_true(mshr_can_merge(&m, entry));
}

/* The reference: entries as lists, fills as one long list. */
enum { ENTRIES_MAX = 150, MERGE_MAX = 8, FILLS = 200000 };

struct naive_mshrs {
    struct {
        bool used, filled;
        uint64_t id[MERGE_MAX];
        unsigned count, woken;
    } entry[ENTRIES_MAX];
    unsigned fill[FILLS], first, last; /* entries in the order of their fills */
    unsigned free;
};

static void naive_wake(struct naive_mshrs *n, struct mshr_file *m) {
    unsigned entry = n->fill[n->first];
    assert_true(mshr_first(m)->line == n->entry[entry].id[n->entry[entry].woken]);
    bool done = ++n->entry[entry].woken == n->entry[entry].count;
    assert_int_equal(mshr_wake(m), done);
    if (done) {
        n->entry[entry].used = false;
        n->first++;
        n->free++;
    }
}

TEST(random_streams_agree_with_lists) {
    static const struct {
        unsigned entries, merge;
    } shape[] = {{1, 1}, {1, 8}, {3, 2}, {16, 8}, {5, 1}, {150, 2}};
    static struct naive_mshrs n;
    for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
        struct rng rng = seeded_rng(k);
        CLOSED_BY(mshr_destroy) struct mshr_file m;
        unsigned none_free = 0;
        memset(&n, 0, sizeof n);
        n.free = shape[k].entries;
        assert_true(mshr_init(&m, shape[k].entries, shape[k].merge));
        for (uint64_t id = 0; id < FILLS; id++) {
            unsigned entry = rng_below(&rng, shape[k].entries);
            assert_int_equal(mshr_has_free(&m), n.free != 0);
            assert_int_equal(mshr_ready(&m), n.first != n.last);
            none_free += n.free == 0;
            if (n.free && rng_chance(&rng, 1, 2)) {
                unsigned got = allocate_numbered(&m, id);
                for (unsigned lower = 0; lower < got; lower++) {
                    assert_true(n.entry[lower].used);
                }
                assert_true(got < shape[k].entries && !n.entry[got].used);
                n.entry[got].used = true;
                n.entry[got].filled = false;
                n.entry[got].id[0] = id;
                n.entry[got].count = 1;
                n.entry[got].woken = 0;
                n.free--;
            }
            if (n.entry[entry].used && !n.entry[entry].filled) {
                assert_int_equal(mshr_can_merge(&m, entry), n.entry[entry].count < shape[k].merge);
                if (mshr_can_merge(&m, entry) && rng_chance(&rng, 2, 3)) {
                    merge_numbered(&m, entry, id);
                    n.entry[entry].id[n.entry[entry].count++] = id;
                } else if (rng_chance(&rng, 1, 2)) {
                    mshr_fill(&m, entry);
                    n.entry[entry].filled = true;
                    n.fill[n.last++] = entry;
                }
            }
            if (n.first != n.last && rng_chance(&rng, 1, 2)) {
                naive_wake(&n, &m);
            }
        }
        assert_true(none_free > 1000 && n.first > 1000);
    }
}
