/* SPDX-License-Identifier: Apache-2.0
 *
 * Lonestar dmr without a machine: its input, launches, what cavities and accesses look like, and
 * that the check sees what is wrong with a mesh.
 */
#include "rodinia_records.h"

#include "workloads/lonestar/dmr_refine.h"

/* --- The input. --- */

TEST(the_input_is_a_delaunay_triangulation) {
    struct program p;
    records_open("dmr", &p, SIZE_TINY);
    const struct dmr *k = p.self;
    const int32_t *element = k->element.data;
    const double *x = k->node_x.data, *y = k->node_y.data;
    const int32_t nodes = dmr_count(&k->nodes), elements = dmr_count(&k->elements);
    double area = 0.0;
    assert_int_equal(nodes, 4 + 4 * 6 + 40);
    assert_int_equal(elements, 2 * nodes - 2);
    for (int32_t e = 0; e < elements; e++) {
        const int32_t *n = &element[3 * e];
        if (n[2] == DMR_NONE) {
            continue;
        }
        const struct dmr_point a = {x[n[0]], y[n[0]]}, b = {x[n[1]], y[n[1]]},
                               c = {x[n[2]], y[n[2]]}, o = dmr_circumcentre(a, b, c);
        for (int32_t i = 0; i < nodes; i++) {
            assert_true(dmr_distance(o, (struct dmr_point){x[i], y[i]}) >=
                        dmr_distance(o, a) * (1 - 1e-9));
        }
        area += dmr_turn(a, b, c) / 2;
    }
    assert_true(area > 1 - 1e-12 && area < 1 + 1e-12);
    workload_close(workload_find("dmr"), &p);
}

/* --- The launches. --- */

struct shapes {
    unsigned last, checks, refines, parts; /* a refine's parts: its barriers cut it into four */
};

static void note_shape(void *self, const struct place *at) {
    struct shapes *s = self;
    if (at->cta || at->warp || at->launch + 1 == s->last) {
        return;
    }
    s->last = at->launch + 1;
    if (at->what->code->together) {
        assert_int_equal(at->what->grid[0], 30);
        assert_int_equal(at->what->block[0], 64);
        s->parts++;
    } else {
        assert_int_equal(at->what->grid[0], 15);
        assert_int_equal(at->what->block[0], 512);
        s->checks++;
    }
}

/* --- What the records of a whole run hold, by instruction. --- */

struct counts {
    uint64_t ops, lanes, lines;
};

struct tally {
    struct shapes shapes;
    struct counts refine[DMR_REFINE_INSNS];
};

static unsigned index_of(const struct place *at) {
    return (unsigned)(at->op->insn - at->what->code->insns);
}

static void tally_refinement(void *self, const struct place *at) {
    struct tally *t = self;
    note_shape(&t->shapes, at);
    if (at->what->code->together) {
        struct counts *c = &t->refine[index_of(at)];
        c->ops++;
        c->lanes += record_lanes(at);
        c->lines += insn_is_memory(at->op->insn) ? record_lines(at) : 0;
    }
}

static int tally_small_mesh(void **state) {
    static struct tally t;
    struct program p;
    records_open("dmr", &p, SIZE_SMALL);
    const struct dmr *k = p.self;
    const int32_t nodes = dmr_count(&k->nodes);
    records_run(&p, (struct run_order){.skipped = -1}, tally_refinement, &t);
    assert_null(workload_check(workload_find("dmr"), &p));
    /* A node a cavity that was won. */
    assert_int_equal(t.refine[TAKE_NODE].lanes, dmr_count(&k->nodes) - nodes);
    workload_close(workload_find("dmr"), &p);
    *state = &t;
    return 0;
}

static double mean_of_tally(uint64_t sum, uint64_t of) {
    return (double)sum / (double)of;
}

TEST(a_round_is_a_check_and_a_refine_of_three_barriers) {
    const struct shapes *s = &((const struct tally *)*state)->shapes;
    const struct counts *c = ((const struct tally *)*state)->refine;
    const unsigned refines = s->checks - 1;
    assert_true(refines >= 10 && refines < 100); /* tens of rounds */
    /* An item a thread needs three cuts. */
    assert_int_equal(s->parts, refines + c[SYNC_1_RAISE].ops / 30 * 3);
    assert_int_equal(c[SYNC_1_RAISE].ops, c[SYNC_3_RAISE].ops);
    /* Each CTA but the first waits in a round of loads of its flag, the first in one of all. */
    assert_int_equal(c[SYNC_2_WAIT_LOAD].lanes, c[SYNC_2_RAISE].ops / 30 * 29);
    assert_int_equal(c[SYNC_2_SPIN_LOAD].lanes, c[SYNC_2_RAISE].ops);
    assert_int_equal(c[SYNC_2_LOWER_STORE].lanes, c[SYNC_2_RAISE].ops);
}

/* A node of a triangulation has six neighbours on average (Euler), so that a cavity has six edges
 * and four elements; those that are typical have up to ten and eight. */
TEST(cavities_have_4_elements_and_6_edges_and_more) {
    const struct counts *c = ((const struct tally *)*state)->refine;
    const uint64_t cavities = c[WALK_FROM].lanes;
    const double cells = mean_of_tally(c[CLAIM_CELL].lanes, cavities);
    const double edges = mean_of_tally(c[CLAIM_EDGE].lanes, cavities);
    print_message("%.2f elements, %.2f edges a cavity; %.1f %% of cavities are won\n", cells, edges,
                  100 * mean_of_tally(c[TAKE_NODE].lanes, cavities));
    assert_true(cells > 3.5 && cells < 8);
    assert_true(edges > 5.5 && edges < 10);
    /* A cavity of triangles in the plane, without a node inside, has two edges more. */
    assert_true(edges - cells > 1.5 && edges - cells < 2.1);
    /* All that was claimed is verified; won cavities are filled with a triangle an edge. */
    assert_int_equal(c[VERIFY_CELL_OWNER].lanes, c[CLAIM_CELL].lanes);
    assert_int_equal(c[VERIFY_EDGE_OWNER].lanes, c[CLAIM_EDGE].lanes);
    assert_int_equal(c[FILL_ELEMENT_0].lanes, c[OUTER_STORE].lanes);
    /* All pairs of a cavity's new elements; two links of each to others. */
    assert_true(c[LEFT_ELEMENT_0].lanes > 2 * c[LINK_LEFT_STORE].lanes);
}

TEST(gathers_touch_a_line_a_lane) {
    const struct counts *c = ((const struct tally *)*state)->refine;
    static const unsigned gathers[] = {CIRCLE_A_X,        CIRCLE_B_Y, OTHER_ELEMENT_0,
                                       CELL_NEIGHBOURS_1, CLAIM_CELL, EDGE_OTHER_2};
    for (unsigned i = 0; i < sizeof gathers / sizeof *gathers; i++) {
        assert_true(c[gathers[i]].lanes > 2 * c[gathers[i]].ops);
        assert_true(mean_of_tally(c[gathers[i]].lines, c[gathers[i]].lanes) > 0.75);
    }
    /* Divergence: few lanes in the middle of the search, most at its start. */
    assert_true(mean_of_tally(c[MEMBER_STORE].lanes, c[MEMBER_STORE].ops) <
                0.7 * mean_of_tally(c[START_0].lanes, c[START_0].ops));
    print_message("in-circle tests have %.1f lanes, starts %.1f\n",
                  mean_of_tally(c[CIRCLE_A_X].lanes, c[CIRCLE_A_X].ops),
                  mean_of_tally(c[START_0].lanes, c[START_0].ops));
}

TEST(local_lists_are_one_line_where_lanes_agree) {
    const struct counts *c = ((const struct tally *)*state)->refine;
    static const unsigned in_step[] = {START_STORE, KNOWN_LOAD,  LOAD_CELL,          LISTED_A,
                                       LISTED_B,    FILL_LOAD_3, CLAIM_CELLS_MEMBER, DELETE_MEMBER};
    for (unsigned i = 0; i < sizeof in_step / sizeof *in_step; i++) {
        assert_true(c[in_step[i]].ops > 0);
        assert_int_equal(c[in_step[i]].lines, c[in_step[i]].ops);
    }
    /* Each lane appends to a list of its own length. */
    assert_true(c[MEMBER_STORE].lines > 1.2 * (double)c[MEMBER_STORE].ops);
    assert_true(c[EDGE_STORE_0].lines > 1.5 * (double)c[EDGE_STORE_0].ops);
}

TEST(an_in_circle_test_is_40_double_operations) {
    const struct counts *c = ((const struct tally *)*state)->refine;
    assert_int_equal(c[CIRCLE_SIDE].ops + c[CIRCLE_SQUARE].ops + c[CIRCLE_CHAIN].ops,
                     40 * c[CIRCLE_A_X].ops);
}

/* The first check_triangles looks at all, and pushes exactly the bad ones. */
struct pushes {
    unsigned lanes, listed;
};

static void note_push(void *self, const struct place *at) {
    struct pushes *n = self;
    if (at->launch == 0 && at->op->insn->op == OP_ATOMIC) {
        *(at->op->insn->dst == REG_NONE ? &n->listed : &n->lanes) += record_lanes(at);
    }
}

TEST(the_first_check_lists_the_bad_triangles) {
    struct program p;
    struct pushes n = {0, 0};
    unsigned bad = 0;
    records_open("dmr", &p, SIZE_TINY);
    const struct dmr *k = p.self;
    for (int32_t e = 0; e < dmr_count(&k->elements); e++) {
        const int32_t *node = (const int32_t *)k->element.data + 3 * e;
        double least = 4.0; /* angle, by the law of cosines */
        for (unsigned i = 0; i < 3 && node[2] != DMR_NONE; i++) {
            struct dmr_point q[3];
            for (unsigned j = 0; j < 3; j++) {
                q[j].x = ((const double *)k->node_x.data)[node[(i + j) % 3]];
                q[j].y = ((const double *)k->node_y.data)[node[(i + j) % 3]];
            }
            const double a = dmr_distance(q[0], q[1]), b = dmr_distance(q[1], q[2]),
                         c = dmr_distance(q[2], q[0]);
            least = fmin(least, acos((a * a + b * b - c * c) / (2 * a * b)));
        }
        bad += least < acos(-1.0) / 6;
    }
    records_run(&p, (struct run_order){.skipped = -1}, note_push, &n);
    assert_true(bad > 10);
    assert_int_equal(n.lanes, bad);
    assert_int_equal(n.listed, 15 * 512); /* all threads add their counts */
    workload_close(workload_find("dmr"), &p);
}

/* --- The check. --- */

static void run_tiny_mesh(struct program *p) {
    records_open("dmr", p, SIZE_TINY);
    records_run(p, (struct run_order){.skipped = -1}, NULL, NULL);
    assert_null(workload_check(workload_find("dmr"), p));
}

/* A bit at a time of each array, undone again. */
TEST(a_wrong_bit_in_each_result_fails_the_check) {
    struct program p;
    run_tiny_mesh(&p);
    struct dmr *k = p.self;
    int32_t there = 0; /* a triangle of the result */
    const int32_t *element = k->element.data;
    while (((uint8_t *)k->is_deleted.data)[there] || element[3 * there + 2] == DMR_NONE) {
        there++;
    }
    const struct {
        const struct buffer *b;
        int32_t at;
    } bits[] = {{&k->node_x, 0},
                {&k->node_y, 40},
                {&k->node_x, dmr_count(&k->nodes) - 1},
                {&k->node_y, dmr_count(&k->nodes) - 1},
                {&k->element, 3 * there},
                {&k->element, 3 * there + 2},
                {&k->neighbour, 3 * there + 1},
                {&k->is_deleted, there},
                {&k->is_deleted, 0},
                {&k->is_bad, there},
                {&k->nodes, 0},
                {&k->elements, 0},
                {&k->bad, 0}};
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++) {
        uint8_t *byte = (uint8_t *)bits[i].b->data + (size_t)bits[i].at * bits[i].b->width;
        *byte ^= 1;
        assert_non_null(workload_check(workload_find("dmr"), &p));
        *byte ^= 1;
        assert_null(workload_check(workload_find("dmr"), &p));
    }
    workload_close(workload_find("dmr"), &p);
}

/* The message names the fault and its element. */
TEST(a_wrong_mesh_is_described) {
    struct program p;
    run_tiny_mesh(&p);
    struct dmr *k = p.self;
    const struct workload *w = workload_find("dmr");
    int32_t *element = k->element.data, *neighbour = k->neighbour.data, *nodes = k->nodes.data;
    const uint8_t *deleted = k->is_deleted.data;
    int32_t triangle = 0, segment = 0, first = 0;
    while (deleted[triangle] || element[3 * triangle + 2] == DMR_NONE) {
        triangle++;
    }
    while (deleted[segment] || element[3 * segment + 2] != DMR_NONE) {
        segment++;
    }

    int32_t corner = element[3 * triangle];
    element[3 * triangle] = element[3 * triangle + 1];
    element[3 * triangle + 1] = corner;
    assert_non_null(strstr(workload_check(w, &p), "is not counterclockwise"));
    element[3 * triangle + 1] = element[3 * triangle];
    element[3 * triangle] = corner;

    while (neighbour[3 * segment + first] != DMR_NONE) {
        first++;
    }
    neighbour[3 * segment + first] = segment == 0; /* another element, far away or not */
    assert_non_null(strstr(workload_check(w, &p), "is a segment with more than one neighbour"));
    neighbour[3 * segment + first] = DMR_NONE;

    int32_t count = *nodes;
    *nodes = (int32_t)k->node_x.count + 1;
    assert_non_null(strstr(workload_check(w, &p), "more nodes or elements than there is room for"));
    *nodes = count;
    assert_null(workload_check(w, &p));
    workload_close(w, &p);
}

TEST(a_launch_left_out_leaves_bad_triangles) {
    expect_left_out_seen("dmr", 0);
}

TEST(the_code_of_refine_is_sound) {
    struct program p;
    const struct launch *l;
    struct cta_trace *t = cta_trace_create();
    records_open("dmr", &p, SIZE_TINY);
    assert_true(p.next_launch(p.self, &l));
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        assert_true(p.run_cta(p.self, cta, t));
    }
    assert_true(p.next_launch(p.self, &l));
    const struct kernel_code *code = l->code;
    bool written[REG_COUNT] = {false};
    assert_true(code->together);
    assert_int_equal(code->local_bytes, 5120);
    assert_int_equal(32768 / (code->registers * 64), 8); /* CTAs a core */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < code->insn_count; i++) {
            const struct insn *in = &code->insns[i];
            assert_true(in->dst == REG_NONE || in->dst < code->registers);
            written[in->dst == REG_NONE ? 0 : in->dst] = true;
            for (unsigned j = 0; pass && j < INSN_SOURCES_MAX; j++) {
                assert_true(in->src[j] == REG_NONE || written[in->src[j]]);
            }
        }
    }
    workload_close(workload_find("dmr"), &p);
    cta_trace_destroy(t);
}

TEST_GROUP(tally_small_mesh, NULL)
