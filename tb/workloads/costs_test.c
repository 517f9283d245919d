/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of what runs cost, against the list of workloads and what their records are.
 */
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/costs.h"
#include "workloads/workload.h"

TEST(every_size_of_every_workload_has_its_cost) {
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        for (unsigned size = 0; size < SIZE_COUNT; size++) {
            const struct workload_cost *c = workload_cost(w, size);
            if (!w->size_text[size] != !c) {
                fail_msg("%s %s: scripts/measure_workloads.py --missing writes its row", w->name,
                         workload_size_name(size));
            }
            if (c && (!c->launches || !c->warp_instructions || !c->accesses || c->seconds <= 0)) {
                fail_msg("%s %s: a row with nothing in it", w->name, workload_size_name(size));
            }
        }
    }
}

TEST(every_cost_is_of_a_workload_once) {
    for (const struct workload_cost *c = workload_costs; c->workload; c++) {
        const struct workload *w = workload_find(c->workload);
        bool there = false;
        for (unsigned size = 0; w && size < SIZE_COUNT; size++) {
            there |= strcmp(workload_size_name(size), c->size) == 0 && workload_cost(w, size) == c;
        }
        if (!there) {
            fail_msg("%s %s: no such workload and size, or twice", c->workload, c->size);
        }
    }
}

/* A changed workload with its old row. */
TEST(tiny_rows_are_what_the_workloads_record) {
    const struct workload *w;
    struct cta_trace *t = cta_trace_create();
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        const struct workload_cost *c = workload_cost(w, SIZE_TINY);
        struct warp_stream_counts counts = {0};
        uint64_t launches = 0;
        struct program p;
        const struct launch *l;
        size_t offset;
        assert_null(workload_open(w, &p, SIZE_TINY, 1));
        for (; p.next_launch(p.self, &l); launches++) {
            for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
                assert_true(p.run_cta(p.self, cta, t));
                for (unsigned k = 0; k < t->warp_count; k++) {
                    assert_null(warp_stream_check(&t->warp[k], l->code, &counts, &offset));
                }
            }
        }
        workload_close(w, &p);
        if (!c || c->launches != launches || c->warp_instructions != counts.warp_instructions) {
            fail_msg("%s: scripts/measure_workloads.py %s renews its rows", w->name, w->name);
        }
    }
    cta_trace_destroy(t);
}
