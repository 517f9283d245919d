/* SPDX-License-Identifier: Apache-2.0
 *
 * The MARS framework and its programs: launches, results, and that wrong ones are seen.
 */
#include "workloads/mars/mars.h"

#include "workloads/rodinia_records.h"

static const char *const programs[] = {"iix", "pvc", "pvr", "ssc"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* --- The sort's launches. --- */

struct sort_launches {
    unsigned init, steps, unit, part;
};

/* The launches that sort a directory of @n entries; none of them runs. */
static struct sort_launches launches_of(unsigned n) {
    static const struct kernel_code step = {.name = "step"}, chunk = {.name = "chunk"};
    const struct mars_app app = {.sort_code = &step, .chunk_code = &chunk};
    static struct mars_entry entry;
    struct mars m = {.app = &app};
    struct mars_group *g = &m.call[0].group;
    struct sort_launches l = {0};
    struct host_launch out;
    for (g->power = MARS_POWER_MIN; g->power < n;) {
        g->power *= 2;
    }
    g->padded.data = m.call[0].out[MARS_MAP].records.entries.data = &entry;
    for (unsigned i = 0; mars_launch_sort(&m, 0, i, &out); i++) {
        const struct kernel_code *code = out.launch.code;
        l.steps += code == &step;
        l.unit += code == &chunk && m.sort_k == 0;
        l.part += code == &chunk && m.sort_k > 0;
        l.init += code != &step && code != &chunk;
        assert_int_equal(launch_ctas(&out.launch) * launch_threads(&out.launch),
                         code == &chunk ? 65536 : g->power);
    }
    return l;
}

TEST(the_sort_launches_a_kernel_a_step) {
    static const struct {
        unsigned n, steps, unit, part;
    } sorts[] = {
        {10000, 105, 0, 0},  {65536, 136, 0, 0},  {100000, 153, 0, 0},    {131072, 153, 0, 0},
        {262144, 171, 0, 0}, {523776, 66, 8, 88}, {1000000, 78, 16, 192},
    };
    for (unsigned i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        const struct sort_launches l = launches_of(sorts[i].n);
        assert_int_equal(l.init, 1);
        assert_int_equal(l.steps, sorts[i].steps);
        assert_int_equal(l.unit, sorts[i].unit);
        assert_int_equal(l.part, sorts[i].part);
    }
}

struct launch_counts {
    unsigned sort, chunk, scan, all, last;
};

static void count_launch(void *self, const struct place *at) {
    struct launch_counts *c = self;
    const char *name = at->what->code->name;
    if (c->all && c->last == at->launch) {
        return;
    }
    c->all++;
    c->last = at->launch;
    c->sort += strcmp(name, "pvr_sort") == 0;
    c->chunk += strcmp(name, "pvr_sort_chunk") == 0;
    c->scan += strncmp(name, "scan_", 5) == 0;
}

/* 300,000 records: 2^19 entries; 1172 CTAs of threads, so 586 blocks to scan, no rest, and 74
 * behind the first 512 of their sums; sizes and starts, 585 blocks and a rest of 480. */
TEST(a_large_directory_is_sorted_in_chunks) {
    struct program p;
    struct launch_counts c = {0};
    records_open("pvr", &p, SIZE_PAPER_MEDIC);
    const struct mars *m = p.self;
    assert_int_equal(m->call[0].in.count, 300000);
    records_run(&p, (struct run_order){.skipped = -1}, count_launch, &c);
    assert_int_equal(c.sort, 66);
    assert_int_equal(c.chunk, 8 + 88);
    const unsigned threads = 1 + (1 + 1) + 1 + (1 + 1) + 1, entries = 2 + 2 + 1 + 2 + 2;
    assert_int_equal(c.scan, 3 * threads + 3 * entries);
    /* Two launches a sweep over more than 262,144 entries (65,536 for the copies: 5); all of them
     * are groups of their own: 4 * 2 sweeps and 5 for values and keys each, 3 for groups. */
    assert_int_equal(c.all, 2 + c.scan + 1 + 66 + 96 + 2 * (3 * 2 + 5) + 3 * 2);
    assert_null(workload_check(workload_find("pvr"), &p));
    workload_close(workload_find("pvr"), &p);
}

/* --- Results. --- */

TEST(groups_are_as_many_as_keys) {
    struct program p;
    records_open("pvc", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    const struct mars *m = p.self;
    assert_int_equal(m->now, 1);
    assert_int_equal(m->call[0].group.count, 10000);
    assert_int_equal(m->call[1].in.count, 10000);
    /* There are 1024 pages, each left out with (1 - 1/1024)^10000. */
    assert_true(m->call[1].group.count > 1020 && m->call[1].group.count <= 1024);
    assert_null(workload_check(workload_find("pvc"), &p));
    workload_close(workload_find("pvc"), &p);
}

/* A bit of the last byte, so that a check which stops early sees nothing. */
static void expect_seen(const char *name, struct program *p, const struct buffer *b) {
    uint8_t *last = (uint8_t *)b->data + b->count * b->width - 1;
    assert_null(workload_check(workload_find(name), p));
    *last ^= 1;
    assert_non_null(workload_check(workload_find(name), p));
    *last ^= 1;
}

TEST(wrong_mars_results_are_seen) {
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct program p;
        records_open(programs[i], &p, SIZE_TINY);
        records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
        struct mars *m = p.self;
        for (unsigned call = 0; call <= m->now; call++) {
            const struct mars_call *c = &m->call[call];
            expect_seen(programs[i], &p, &c->out[MARS_MAP].records.keys);
            expect_seen(programs[i], &p, &c->out[MARS_MAP].records.values);
            expect_seen(programs[i], &p, &c->group.sorted.keys);
            expect_seen(programs[i], &p, &c->group.sorted.values);
            expect_seen(programs[i], &p, &c->group.sorted.entries);
            expect_seen(programs[i], &p, &c->group.range);
        }
        if (m->now == 1) {
            expect_seen(programs[i], &p, &m->call[0].out[MARS_REDUCE].records.keys);
            expect_seen(programs[i], &p, &m->call[0].out[MARS_REDUCE].records.values);
        }
        workload_close(workload_find(programs[i]), &p);
    }
}

/* Two sorted records that have changed their places, with keys that differ. */
TEST(a_wrong_order_is_seen) {
    struct program p;
    records_open("pvr", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    struct mars *m = p.self;
    int32_t *key = m->call[0].group.sorted.keys.data, *value = m->call[0].group.sorted.values.data;
    const int32_t was[] = {key[500], value[500]};
    key[500] = key[501];
    value[500] = value[501];
    key[501] = was[0];
    value[501] = was[1];
    assert_string_equal(workload_check(workload_find("pvr"), &p),
                        "sorted: record 500 is before a smaller one");
    workload_close(workload_find("pvr"), &p);
}

struct first_of {
    const char *kernel;
    int launch;
};

static void find_first(void *self, const struct place *at) {
    struct first_of *f = self;
    if (f->launch < 0 && strcmp(at->what->code->name, f->kernel) == 0) {
        f->launch = (int)at->launch;
    }
}

/* Those without which what follows has no pointers out of its buffers. */
TEST(left_out_mars_launches_are_seen) {
    static const struct {
        const char *name, *kernel;
    } left_out[] = {
        {"pvr", "pvr_count"},         {"pvr", "pvr_map"},          {"pvr", "pvr_sort"},
        {"pvr", "mars_get_pieces"},   {"pvr", "mars_get_sizes"},   {"pvr", "mars_copy_chunks"},
        {"pvr", "mars_set_pieces"},   {"pvr", "pvr_boundary"},     {"pvr", "mars_write_boundary"},
        {"pvr", "mars_set_boundary"}, {"pvc", "pvc_reduce_count"}, {"iix", "iix_count"},
    };
    for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        struct program p;
        struct first_of f = {left_out[i].kernel, -1};
        records_open(left_out[i].name, &p, SIZE_TINY);
        records_run(&p, (struct run_order){.skipped = -1}, find_first, &f);
        workload_close(workload_find(left_out[i].name), &p);
        assert_true(f.launch >= 0);
        expect_left_out_seen(left_out[i].name, f.launch);
    }
}

TEST(ctas_of_mars_run_in_any_order) {
    for (unsigned i = 0; i < PROGRAMS; i++) {
        expect_any_order(programs[i]);
    }
}

/* --- The tables, of launches that depend on the results of those before. --- */

static void check_mars_table(void *self, const struct place *at) {
    const struct kernel_code *code = at->what->code;
    const struct kernel_code **last = self;
    bool written[REG_COUNT] = {false};
    if (*last == code) {
        return;
    }
    *last = code;
    for (unsigned i = 0; i < code->insn_count; i++) {
        const struct insn *in = &code->insns[i];
        assert_true(in->dst == REG_NONE || in->dst < code->registers);
        if (in->dst != REG_NONE) {
            written[in->dst] = true;
        }
        assert_true(insn_is_marker(in) || in->pc == i * INSN_BYTES);
        assert_true(!insn_is_memory(in) || (in->op == OP_LOAD) == (in->dst != REG_NONE));
    }
    for (unsigned i = 0; i < code->insn_count; i++) {
        for (unsigned j = 0; j < INSN_SOURCES_MAX; j++) {
            const unsigned source = code->insns[i].src[j];
            if (source != REG_NONE && !written[source]) {
                fail_msg("%s: instruction %u reads register %u, which none writes", code->name, i,
                         source);
            }
        }
    }
}

TEST(tables_write_what_they_read) {
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct program p;
        const struct kernel_code *last = NULL;
        records_open(programs[i], &p, SIZE_TINY);
        records_run(&p, (struct run_order){.skipped = -1}, check_mars_table, &last);
        workload_close(workload_find(programs[i]), &p);
    }
}
