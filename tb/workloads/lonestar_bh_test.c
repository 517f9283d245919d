/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: bodies and forces beside physics, launches, and what its records say of walking,
 * locking and waiting.
 */
#include <math.h>

#include "workloads/lonestar/bh_plain.h"
#include "workloads/rodinia_records.h"

#define BODIES 640 /* of tiny */
#define STEPS 2
#define LAUNCHES (1 + 8 * STEPS)

/* Launches of a step, from 1 on. */
enum { BOX = 1, CLEAR_1, TREE, CLEAR_2, SUM, SORT, FORCE, MOVE };

/* --- The bodies and the method. --- */

/* Plummer's model, of a scale of 3 pi / 16: half of the mass lies within 1.305 scales (of 99.9 % of
 * it within a little less), and the kinetic energy is 1/4. */
TEST(bodies_follow_the_plummer_model) {
    struct bh_plain p;
    const double scale = 3 * 3.14159265358979 / 16, half = pow(0.4995, -2.0 / 3) - 1;
    double kinetic = 0, centre[3] = {0};
    unsigned within = 0;
    assert_true(bh_plain_open(&p, 30000));
    bh_generate(&p, 1);
    for (int32_t i = 0; i < p.bodies; i++) {
        double radius = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            radius += (double)p.pos[axis][i] * (double)p.pos[axis][i];
            kinetic += (double)p.vel[axis][i] * (double)p.vel[axis][i] / 2 / p.bodies;
            centre[axis] += (double)p.pos[axis][i] / p.bodies;
        }
        within += radius < scale * scale / half;
    }
    print_message("half the mass has %u of 30000 bodies, kinetic energy %.4f\n", within, kinetic);
    assert_true(fabs(within - 15000.0) < 4 * sqrt(30000) / 2);
    assert_true(fabs(kinetic - 0.25) < 0.005);
    for (unsigned axis = 0; axis < 3; axis++) {
        assert_true(fabs(centre[axis]) < 0.05);
    }
    bh_plain_close(&p);
}

/* The device's results equal plain C's bit for bit; this is about what plain C computes. A cell
 * that is taken as one is seen under less than half a radian; the error of an acceleration is some
 * tenths of a percent then, and a wrong tree's or a wrong sum's would be near one. */
TEST(forces_are_those_of_a_direct_sum) {
    struct bh_plain p, before;
    double worst = 0, mean = 0;
    assert_true(bh_plain_open(&p, 3000) && bh_plain_open(&before, 3000));
    bh_generate(&p, 1);
    bh_generate(&before, 1);
    bh_plain_step(&p, 0);
    for (int32_t i = 0; i < p.bodies; i++) {
        double acc[3] = {0}, error = 0, size = 0;
        for (int32_t j = 0; j < p.bodies; j++) {
            double d[3], square = (double)BH_EPS_SQUARED;
            for (unsigned axis = 0; axis < 3; axis++) {
                d[axis] = (double)before.pos[axis][j] - (double)before.pos[axis][i];
                square += d[axis] * d[axis];
            }
            for (unsigned axis = 0; axis < 3; axis++) {
                acc[axis] += d[axis] / (p.bodies * square * sqrt(square));
            }
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            const double difference = acc[axis] - (double)p.acc[axis][i];
            error += difference * difference;
            size += acc[axis] * acc[axis];
        }
        error = sqrt(error / size);
        worst = error > worst ? error : worst;
        mean += error / p.bodies;
    }
    print_message("against a direct sum: mean error %.5f, greatest %.5f\n", mean, worst);
    assert_true(mean > 1e-7 && mean < 0.005); /* 0 would be a direct sum */
    assert_true(worst < 0.1);
    bh_plain_close(&p);
    bh_plain_close(&before);
}

/* --- Launches. --- */

TEST(a_step_is_eight_launches_of_the_suites_grids) {
    static const struct {
        const char *name;
        unsigned ctas, threads;
    } launches[] = {{"bh_initialize", 1, 1},       {"bh_bounding_box", 3 * 15, 512},
                    {"bh_clear_1", 15, 1024},      {"bh_build_tree", 3 * 15, 512},
                    {"bh_clear_2", 15, 1024},      {"bh_summarize", 6 * 15, 128},
                    {"bh_sort", 6 * 15, 64},       {"bh_force", 5 * 15, 256},
                    {"bh_integrate", 1 * 15, 1024}};
    struct program p;
    const struct launch *l;
    unsigned count = 0;
    records_open("bh", &p, SIZE_TINY);
    for (; p.next_launch(p.self, &l); count++) {
        const unsigned i = count ? (count - 1) % 8 + 1 : 0;
        assert_string_equal(l->code->name, launches[i].name);
        assert_int_equal(launch_ctas(l), launches[i].ctas);
        assert_int_equal(launch_threads(l), launches[i].threads);
        assert_int_equal(l->code->together, i == TREE || i == SUM || i == SORT);
        /* A core has 32768 registers, given out by 64 a warp, and as many CTAs as the grid has for
         * each core. */
        const unsigned resident = launches[i].ctas / 15;
        assert_true((l->code->registers * 32 + 63) / 64 * 64 * launch_warps(l) * resident <= 32768);
        assert_true(l->code->shared_bytes * resident <= 48 * 1024);
    }
    assert_int_equal(count, LAUNCHES);
    workload_close(workload_find("bh"), &p);
}

TEST(there_are_two_nodes_a_body_and_1024_a_core) {
    static const struct {
        enum workload_size size;
        int32_t bodies, nodes;
    } sizes[] = {{SIZE_TINY, BODIES, 1024 * 15 - 1},
                 {SIZE_SMALL, 6000, 1024 * 15 - 1},
                 {SIZE_PAPER_MEDIC, 30000, 60000 - 1},
                 {SIZE_PAPER_MDB, 30000, 60000 - 1}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct program p;
        records_open("bh", &p, sizes[i].size);
        const struct bh *k = p.self;
        assert_int_equal(k->bodies, sizes[i].bodies);
        assert_int_equal(k->nodes, sizes[i].nodes);
        assert_int_equal(k->child.count, 8 * (k->nodes + 1));
        workload_close(workload_find("bh"), &p);
    }
}

/* --- Forces. --- */

enum { FORCE_BODY = 3, FORCE_CHILD = 7, FORCE_X, FORCE_Y, FORCE_Z, FORCE_MASS };

#define WARPS (BODIES / WARP_SIZE)
#define TREE_LINES 8192 /* of all nodes' children */

struct walks {
    unsigned children[WARPS], nodes[WARPS], taken[WARPS];
    bool touched[WARPS][TREE_LINES];
    uint64_t first_line;
};

static bool of_tree(const struct place *at) {
    return record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_CHILD) ||
           record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_X) ||
           record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_Y) ||
           record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_Z) ||
           record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_MASS);
}

static void count_walk(void *self, const struct place *at) {
    struct walks *w = self;
    const unsigned warp = at->cta * 256 / WARP_SIZE + at->warp;
    if (at->launch != FORCE || at->op->insn->op != OP_LOAD || !of_tree(at)) {
        return;
    }
    uint64_t address[WARP_SIZE];
    warp_op_addresses(at->op, address);
    assert_true(warp < WARPS);
    assert_int_equal(at->op->active, UINT32_MAX);
    for (unsigned i = 1; i < WARP_SIZE; i++) {
        assert_true(address[i] == address[0]); /* one word for all lanes */
    }
    w->nodes[warp] += record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_X);
    w->taken[warp] += record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_MASS);
    if (record_is(at, OP_LOAD, SPACE_GLOBAL, FORCE_CHILD)) {
        const uint64_t line = address[0] / LINE_BYTES - w->first_line;
        assert_true(line < TREE_LINES);
        w->touched[warp][line] = true;
        w->children[warp]++;
    }
}

/* Lines of the children that two successive warps touch: lines of both, of either. */
static double in_common(const struct walks *w) {
    unsigned both = 0, either = 0;
    for (unsigned i = 1; i < WARPS; i++) {
        for (unsigned line = 0; line < TREE_LINES; line++) {
            both += w->touched[i][line] && w->touched[i - 1][line];
            either += w->touched[i][line] || w->touched[i - 1][line];
        }
    }
    return (double)both / either;
}

TEST(a_warp_walks_the_tree_as_one_with_a_word_a_load) {
    static struct walks w;
    struct program p;
    records_open("bh", &p, SIZE_TINY);
    w.first_line = ((const struct bh *)p.self)->child.address / LINE_BYTES;
    records_run(&p, (struct run_order){.skipped = -1}, count_walk, &w);
    workload_close(workload_find("bh"), &p);
    double nodes = 0, children = 0, taken = 0;
    for (unsigned i = 0; i < WARPS; i++) {
        assert_true(w.taken[i] < w.nodes[i] && w.nodes[i] < w.children[i]);
        assert_true(w.taken[i] >= WARP_SIZE); /* itself and its neighbours at least */
        nodes += w.nodes[i];
        children += w.children[i];
        taken += w.taken[i];
    }
    print_message("a warp: %.0f children, %.0f nodes of which %.0f taken; %.2f in common\n",
                  children / WARPS, nodes / WARPS, taken / WARPS, in_common(&w));
    assert_true(nodes / WARPS > 200 && nodes / WARPS < 2000);
    assert_true(in_common(&w) > 0.7);
}

/* --- Building, summing up, sorting. --- */

enum { TREE_X = 4, TREE_TRY = 7, TREE_DOWN = 8 }; /* loads of the code */
enum { TREE_FILL, TREE_LOCK, TREE_CELL, TREE_DEPTH };
enum { SUM_WAIT_MASS = 9, SUM_AGAIN = 12 };

struct builds {
    unsigned bodies, tries, descents, atomics[4], starts, waits, again, uncached[LAUNCHES];
    unsigned cached[LAUNCHES];
};

static bool atomic_is(const struct place *at, unsigned n) {
    return record_is(at, OP_ATOMIC, SPACE_GLOBAL, n);
}

static void count_build(void *self, const struct place *at) {
    struct builds *b = self;
    const unsigned lanes = record_lanes(at);
    if (at->op->insn->op == OP_LOAD && at->op->insn->space == SPACE_GLOBAL) {
        b->uncached[at->launch] += at->op->insn->uncached;
        b->cached[at->launch] += !at->op->insn->uncached;
    }
    if (at->launch == TREE) {
        b->bodies += record_is(at, OP_LOAD, SPACE_GLOBAL, TREE_X) ? lanes : 0;
        b->tries += record_is(at, OP_LOAD, SPACE_GLOBAL, TREE_TRY) ? lanes : 0;
        b->descents += record_is(at, OP_LOAD, SPACE_GLOBAL, TREE_DOWN) ? lanes : 0;
        for (unsigned i = 0; i < 4; i++) {
            b->atomics[i] += atomic_is(at, i) ? lanes : 0;
        }
    }
    b->waits +=
        at->launch == SUM && record_is(at, OP_LOAD, SPACE_GLOBAL, SUM_WAIT_MASS) ? lanes : 0;
    b->again += at->launch == SUM && record_is(at, OP_LOAD, SPACE_GLOBAL, SUM_AGAIN) ? lanes : 0;
    b->starts += at->launch == SORT && record_is(at, OP_LOAD, SPACE_GLOBAL, 1) ? lanes : 0;
}

/* Counts of cells looked at, when those of one height are done at a time, then those of one depth.
 * Five passes, then the waiting loop; and again at children that were not there. */
struct looks {
    unsigned waits, again, starts;
};

/* Return: the cell's height; 1: it has bodies only. */
static unsigned count_looks(const struct bh_plain *p, int32_t cell, unsigned depth,
                            struct looks *l) {
    unsigned height = 1, child[8] = {0};
    for (unsigned o = 0; o < 8; o++) {
        if (p->cell[cell].child[o] >= p->bodies) {
            child[o] = count_looks(p, p->cell[cell].child[o] - p->bodies, depth + 1, l);
            height = child[o] + 1 > height ? child[o] + 1 : height;
        }
    }
    l->starts += depth + 1;
    l->waits += height > 6 ? height - 5 : 1;
    for (unsigned look = 2; 5 + look <= height; look++) {
        for (unsigned o = 0; o < 8; o++) {
            l->again += child[o] > 5 + look - 2;
        }
    }
    return height;
}

TEST(threads_meet_locks_and_wait_for_each_other) {
    struct builds b = {0};
    struct looks l = {0};
    struct program p;
    struct bh_plain plain;
    records_open("bh", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_build, &b);
    workload_close(workload_find("bh"), &p);
    assert_true(bh_plain_open(&plain, BODIES));
    bh_generate(&plain, 1);
    bh_plain_step(&plain, 0);
    const unsigned cells = (unsigned)plain.cells, height = count_looks(&plain, 0, 0, &l);
    print_message("%u cells, depth %d\nbuilding: %u tries, %u steps down, %u to fill, %u to lock, "
                  "%u new cells\nsumming up: %u looks in the waiting loop, %u at a child again\n"
                  "sorting: %u looks\n",
                  cells, plain.max_depth, b.tries, b.descents, b.atomics[TREE_FILL],
                  b.atomics[TREE_LOCK], b.atomics[TREE_CELL], b.waits, b.again, b.starts);
    assert_int_equal(b.bodies, BODIES);
    assert_int_equal(b.atomics[TREE_CELL], cells - 1); /* but the root */
    assert_int_equal(b.atomics[TREE_DEPTH], 15 * 3 * 512);
    /* Bodies that do not find their place at the first try: of others' locks, or because another
     * filled the child first. */
    assert_true(b.tries > 2 * BODIES);
    assert_true(b.atomics[TREE_FILL] + b.atomics[TREE_LOCK] > BODIES);
    assert_true(b.atomics[TREE_FILL] + b.atomics[TREE_LOCK] < b.tries);
    /* A thread has one cell at most. */
    assert_true(height > 7 && l.again > 0);
    assert_int_equal(b.waits, l.waits);
    assert_int_equal(b.again, l.again);
    assert_int_equal(b.starts, l.starts);
    bh_plain_close(&plain);
}

TEST(what_other_threads_store_is_loaded_past_the_l1) {
    struct builds b = {0};
    struct program p;
    records_open("bh", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_build, &b);
    workload_close(workload_find("bh"), &p);
    assert_true(b.uncached[TREE] > 0 && b.cached[TREE] == 0);
    assert_true(b.uncached[SUM] > 0 && b.cached[SUM] > 0);   /* children stay as they are */
    assert_true(b.uncached[SORT] > 0 && b.cached[SORT] > 0); /* starts */
    assert_true(b.uncached[BOX] == 0 && b.uncached[MOVE] == 0);
    /* radius and depth once a CTA, depth once a warp, step once a warp of bodies */
    assert_int_equal(b.uncached[FORCE], 75 * 2 + 75 * 8 + WARPS);
}

struct strides {
    unsigned in_order, children, full;
};

static void count_strides(void *self, const struct place *at) {
    struct strides *c = self;
    const bool global = insn_is_memory(at->op->insn) && at->op->insn->space == SPACE_GLOBAL;
    const unsigned kernel = at->launch ? (at->launch - 1) % 8 + 1 : 0;
    if (global && (kernel == CLEAR_1 || kernel == CLEAR_2 || kernel == MOVE || kernel == BOX)) {
        assert_int_equal(record_lines(at), 1);
        c->in_order++;
    }
    if (kernel == SUM && record_is(at, OP_LOAD, SPACE_GLOBAL, 2)) {
        c->children++;
        if (at->op->active == UINT32_MAX) {
            assert_int_equal(record_lines(at), 8); /* 32 cells of 8 children of 4 bytes */
            c->full++;
        }
    }
}

TEST(arrays_are_gone_through_in_order_and_children_32_bytes_apart) {
    struct strides c = {0};
    struct program p;
    records_open("bh", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, count_strides, &c);
    workload_close(workload_find("bh"), &p);
    /* All children but the bodies' and the root's, a line a warp, are cleared in each step. */
    assert_true(c.in_order > STEPS * (8 * (1024 * 15 - 1 - BODIES) / WARP_SIZE));
    assert_true(c.children > 100 && c.full > 10);
}

/* --- The check is checked. --- */

TEST(wrong_bh_results_are_seen) {
    const unsigned root = 4 * (1024 * 15 - 1);
    const struct {
        unsigned block, byte;
        const char *says;
    } wrong[] = {{0, 8 * root, "tree["},   {0, 8 * root + 28, "tree["}, {1, root, "tree["},
                 {2, root - 4, "tree["},   {3, root - 8, "tree["},      {4, 4 * 17, "sort[17]"},
                 {5, 0, "step[0]"},        {6, 0, "bottom[0]"},         {7, 0, "maxdepth[0]"},
                 {8, 0, "blkcnt[0]"},      {9, 0, "error[0]"},          {10, 0, "radius[0]"},
                 {11, 4 * 17, "posx[17]"}, {11, root, "tree["},         {12, 4 * 17, "velx[17]"},
                 {13, 4 * 17, "accx[17]"}, {16, 4 * 17, "posy[17]"},    {17, 4 * 17, "vely[17]"},
                 {18, 4 * 17, "accy[17]"}, {21, 4 * 17, "posz[17]"},    {22, 4 * 17, "velz[17]"},
                 {23, 4 * 17, "accz[17]"}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_wrong_bit_seen("bh", wrong[i].block, wrong[i].byte, wrong[i].says);
    }
}

/* Only launches of the last step: without a root and empty children, building the tree need not
 * end. */
TEST(left_out_bh_launches_are_seen) {
    static const int launches[] = {TREE, CLEAR_2, SUM, SORT, FORCE, MOVE};
    expect_left_out_seen("bh", 0);
    for (unsigned i = 0; i < sizeof launches / sizeof *launches; i++) {
        expect_left_out_seen("bh", 8 + launches[i]);
    }
}
