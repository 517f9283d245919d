/* SPDX-License-Identifier: Apache-2.0
 *
 * The scan of arrays of any length: its sums, its launches, and what a CTA does.
 */
#include "workloads/common/scan.h"

#include "workloads/rodinia_records.h"

struct sums {
    struct host host;
    struct scan scan;
    struct buffer in, out;
};

static void scan_kernel(struct simt *s, const void *arguments) {
    const struct sums *k = arguments;
    scan_run(s, &k->scan);
}

static bool step_of_scan(void *self, unsigned i, struct host_launch *out) {
    struct sums *k = self;
    out->kernel = scan_kernel;
    return scan_launch(&k->scan, i, &out->launch);
}

static struct sums *open_sums(struct program *p, unsigned n) {
    struct sums *k = host_open(p, sizeof *k);
    assert_non_null(k);
    assert_true(device_memory_alloc(&k->host.memory, &k->in, n, 4));
    assert_true(device_memory_alloc(&k->host.memory, &k->out, n, 4));
    assert_true(scan_open(&k->scan, &k->host.memory, &k->in, &k->out, n));
    host_set_step(&k->host, step_of_scan);
    return k;
}

TEST(sums_are_exclusive_at_any_length) {
    static const unsigned lengths[] = {1,   2,   3,   31,   256,  257,  500,    511,
                                       512, 513, 769, 1024, 1300, 5120, 262144, 262145};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const unsigned n = lengths[i];
        struct program p;
        struct sums *k = open_sums(&p, n);
        int32_t *in = k->in.data, *out = k->out.data, sum = 0;
        uint64_t seed = n;
        for (unsigned j = 0; j < n; j++) {
            in[j] = (int32_t)(host_random(&seed) % 1000);
        }
        records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
        for (unsigned j = 0; j < n; j++) {
            if (out[j] != sum) {
                fail_msg("%u elements: sum[%u] is %d, not %d", n, j, (int)out[j], (int)sum);
            }
            sum += in[j];
        }
        host_close(&p);
    }
}

/* CTAs of each launch, and threads of each. */
static void expect_launches(unsigned n, const unsigned (*expected)[2], unsigned count) {
    struct program p;
    const struct launch *l;
    unsigned i = 0;
    open_sums(&p, n);
    for (; p.next_launch(p.self, &l); i++) {
        assert_true(i < count);
        assert_int_equal(launch_ctas(l), expected[i][0]);
        assert_int_equal(launch_threads(l), expected[i][1]);
    }
    assert_int_equal(i, count);
    host_close(&p);
}

/* 1953 whole CTAs and 256 elements; 1954 sums: 3 and 418; 4 sums. Back in the other direction. */
TEST(each_level_launches_its_whole_ctas_and_its_rest) {
    static const unsigned million[][2] = {{1953, 256}, {1, 128}, {3, 256},    {1, 256}, {1, 2},
                                          {3, 256},    {1, 256}, {1953, 256}, {1, 128}};
    static const unsigned hundred_thousand[][2] = {
        {195, 256}, {1, 128}, {1, 128}, {195, 256}, {1, 128}};
    static const unsigned even[][2] = {{2, 256}, {1, 1}, {2, 256}};
    static const unsigned one[][2] = {{1, 256}};
    expect_launches(1000192, million, 9);
    expect_launches(100096, hundred_thousand, 5);
    expect_launches(1024, even, 3);
    expect_launches(512, one, 1);
}

struct counts {
    unsigned barriers, global[2], shared[2];
    uint64_t highest; /* address in shared memory */
};

static void count_cta(void *self, const struct place *at) {
    struct counts *c = self;
    const struct insn *i = at->op->insn;
    if (at->launch > 0 || at->cta > 0) {
        return;
    }
    c->barriers += i->op == OP_BARRIER && at->warp == 0;
    if (insn_is_memory(i) && i->space == SPACE_SHARED) {
        uint64_t address[WARP_SIZE] = {0};
        warp_op_addresses(at->op, address);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            const bool above = at->op->active >> lane & 1 && address[lane] > c->highest;
            c->highest = above ? address[lane] : c->highest;
        }
    }
    if (insn_is_memory(i)) {
        (i->space == SPACE_GLOBAL ? c->global : c->shared)[i->op == OP_STORE] += record_lanes(at);
    }
}

struct branches {
    bool past;          /* the warp's first barrier, in front of which the elements are loaded */
    unsigned checks[2]; /* branches before: of warps of whole CTAs, of the rest */
};

static void count_checks(void *self, const struct place *at) {
    struct branches *c = self;
    const struct insn *i = at->op->insn;
    if (i->op == OP_BARRIER) {
        c->past = true;
    } else if (i == at->what->code->insns) {
        c->past = false;
    } else if (i->op == OP_BRANCH && !c->past) {
        c->checks[launch_ctas(at->what) == 1]++;
    }
}

/* 5 CTAs of 8 warps, and one of 4 for a rest of 200; their 6 sums: a warp. The launches that add
 * what is before are left aside: they have a branch of thread 0's. */
TEST(only_the_rest_is_checked_for_its_end) {
    struct program p;
    struct branches c = {0};
    struct cta_trace *t = cta_trace_create();
    struct place at = {0};
    open_sums(&p, 5 * 512 + 200);
    for (; at.launch < 3 && p.next_launch(p.self, &at.what); at.launch++) {
        for (at.cta = 0; at.cta < launch_ctas(at.what); at.cta++) {
            assert_true(p.run_cta(p.self, at.cta, t));
            for (at.warp = 0; at.warp < t->warp_count; at.warp++) {
                struct warp_cursor w;
                struct warp_op op;
                at.op = &op;
                warp_cursor_open(&w, &t->warp[at.warp], at.what->code);
                while (warp_cursor_next(&w, &op)) {
                    count_checks(&c, &at);
                }
            }
        }
    }
    cta_trace_destroy(t);
    assert_int_equal(c.checks[0], 0);
    assert_int_equal(c.checks[1], 4 + 1);
    host_close(&p);
}

/* A tree over 512 elements: 256 + 128 + ... + 1 = 511 pairs up and as many down. */
TEST(a_cta_walks_its_tree_up_and_down) {
    struct program p;
    struct counts c = {0};
    open_sums(&p, 1024);
    records_run(&p, (struct run_order){.skipped = -1}, count_cta, &c);
    assert_int_equal(c.barriers, 9 + 9 + 1);
    assert_int_equal(c.global[0], 512);
    assert_int_equal(c.global[1], 512 + 1);
    assert_int_equal(c.shared[0], 2 * 511 + 1 + 2 * 511 + 512);
    assert_int_equal(c.shared[1], 512 + 511 + 1 + 2 * 511);
    assert_int_equal(c.highest, (511 + 511 / 16) * 4); /* a word unused behind each 16 */
    host_close(&p);
}
