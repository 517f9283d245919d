/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia's image diffusions, flow solver, clustering and particle filter, without a machine: the
 * launches, the shapes of their loads, the properties of their inputs, and that each result array
 * is compared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/host.h"
#include "workloads/rodinia/cfd.h"
#include "workloads/common/lines.h"
#include "workloads/rodinia/srad.h"
#include "workloads/rodinia_records.h"
#include "workloads/workload.h"

#define SEED 1
#define LINE 128

/* Launches without their CTAs: counts and shapes. */
TEST(the_launches_are_those_of_the_programs) {
    static const struct {
        const char *name;
        enum workload_size size;
        unsigned launches, grid[2], block[2]; /* of the first */
        unsigned other, other_grid;           /* another launch, and how many CTAs it has */
    } cases[] = {
        {"srad-v2", SIZE_PAPER_MRPB, 4, {64, 64}, {16, 16}, 3, 4096},
        {"srad-v2-unshared", SIZE_PAPER_MRPB, 4, {64, 64}, {16, 16}, 3, 4096},
        {"srad-v1", SIZE_PAPER_OWL, 252, {450, 1}, {512, 1}, 3, 1}, /* 2 + 5 * 50 */
        {"cfd", SIZE_PAPER_OWL, 7, {506, 1}, {192, 1}, 6, 506},
        {"streamcluster", SIZE_SMALL, 3, {128, 1}, {512, 1}, 2, 128},
        {"particlefilter-naive", SIZE_PAPER_OWL, 9, {8, 1}, {128, 1}, 8, 8},
        {"particlefilter-float", SIZE_PAPER_MDB, 36, {2, 1}, {512, 1}, 35, 2}, /* 4 * 9 */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p;
        const struct launch *l;
        unsigned count = 0;
        records_open(cases[i].name, &p, cases[i].size);
        for (; p.next_launch(p.self, &l); count++) {
            if (count == 0) {
                assert_memory_equal(l->grid, cases[i].grid, sizeof cases[i].grid);
                assert_memory_equal(l->block, cases[i].block, sizeof cases[i].block);
            } else if (count == cases[i].other) {
                assert_int_equal(launch_ctas(l), cases[i].other_grid);
            }
        }
        assert_int_equal(count, cases[i].launches);
        workload_close(workload_find(cases[i].name), &p);
    }
}

/* The @number-th load of global memory of a warp; its addresses, those of active lanes together.
 * Returns the lanes. */
static unsigned load_of(const struct cta_trace *t, unsigned warp, const struct kernel_code *code,
                        unsigned number, uint64_t byte[WARP_SIZE]) {
    struct warp_cursor c;
    struct warp_op op;
    warp_cursor_open(&c, &t->warp[warp], code);
    while (warp_cursor_next(&c, &op)) {
        if (op.insn->op == OP_LOAD && op.insn->space == SPACE_GLOBAL && number-- == 0) {
            uint64_t address[WARP_SIZE];
            unsigned lanes = 0;
            warp_op_addresses(&op, address);
            for (uint32_t m = op.active; m; m &= m - 1) {
                byte[lanes++] = address[__builtin_ctz(m)];
            }
            return lanes;
        }
    }
    fail_msg("no such load");
    return 0;
}

/* Runs launches 0 to @launch, the last one only up to CTA @cta, whose records are left. */
static const struct launch *run_to(struct program *p, unsigned launch, unsigned cta,
                                   struct cta_trace *t) {
    const struct launch *l = NULL;
    for (unsigned i = 0; i <= launch; i++) {
        assert_true(p->next_launch(p->self, &l));
        const unsigned count = i < launch ? launch_ctas(l) : cta + 1;
        for (unsigned j = 0; j < count; j++) {
            assert_true(p->run_cta(p->self, j, t));
        }
    }
    return l;
}

/* Lines that warp 1 touches: of a middle CTA where the edges of an image differ. */
TEST(loads_touch_the_lines_that_the_programs_touch) {
    static const struct {
        const char *name;
        unsigned launch, cta, load, lanes, lines;
    } cases[] = {
        /* 32 x 1024 pixels are 64 x 2 CTAs; not one at an edge but for top or bottom. North row: 16
         * floats for both rows of the warp; west: a word a row; the tile: two rows of 64 bytes. */
        {"srad-v2", 0, 5, 0, 32, 1},
        {"srad-v2", 0, 5, 3, 32, 2},
        {"srad-v2", 0, 5, 5, 32, 2},
        {"srad-v2-unshared", 0, 5, 0, 32, 2},
        /* West of tile 4 begins in the line before, of tile 5 it does not. */
        {"srad-v2-unshared", 0, 4, 3, 32, 4},
        {"srad-v2-unshared", 0, 5, 3, 32, 2},
        /* The second reduction: elements 2 KB apart, of 40 CTAs those of the last 8. */
        {"srad-v1", 2, 5, 0, 32, 1},
        {"srad-v1", 3, 0, 0, 8, 8},
        /* Behind 16 dimensions, weights and costs of points of 32 bytes. */
        {"streamcluster", 0, 0, 0, 32, 1},
        {"streamcluster", 0, 0, 1, 32, 1},
        {"streamcluster", 0, 0, 32, 32, 8},
        {"streamcluster", 0, 0, 33, 32, 8},
        /* u is 8 bytes a lane, CDF the same element for all. */
        {"particlefilter-naive", 0, 0, 0, 32, 2},
        {"particlefilter-naive", 0, 0, 1, 32, 1},
        {"cfd", 1, 3, 0, 32, 1},
        /* Behind 2 loads of a particle, 3 of each of two moves, 4 for each of 69 offsets: indices
         * in rows of 276 bytes, then the pixels. */
        {"particlefilter-float", 0, 0, 2 + 6 + 4 * 69, 32, 32},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program p;
        struct cta_trace *t = cta_trace_create();
        uint64_t byte[WARP_SIZE];
        records_open(cases[i].name, &p, SIZE_TINY);
        const struct launch *l = run_to(&p, cases[i].launch, cases[i].cta, t);
        const unsigned lanes = load_of(t, 1, l->code, cases[i].load, byte);
        assert_int_equal(lanes, cases[i].lanes);
        assert_int_equal(lines_of(byte, lanes, LINE), cases[i].lines);
        workload_close(workload_find(cases[i].name), &p);
        cta_trace_destroy(t);
    }
}

/* OWL table 4: next to no row of DRAM, 2 KB, is shared by CTAs that follow each other. */
TEST(ctas_of_streamcluster_have_rows_of_dram_for_themselves) {
    struct program p;
    struct cta_trace *t = cta_trace_create();
    const struct launch *l;
    uint64_t byte[WARP_SIZE];
    records_open("streamcluster", &p, SIZE_SMALL);
    assert_true(p.next_launch(p.self, &l));
    for (unsigned cta = 0; cta < launch_ctas(l); cta += 9) {
        assert_true(p.run_cta(p.self, cta, t));
        /* Dimensions 0 and 5: x's element is loaded in between. */
        for (unsigned load = 0; load <= 10; load += 10) {
            load_of(t, 0, l->code, load, byte);
            assert_int_equal(byte[0] % 2048, 0);
            load_of(t, 15, l->code, load, byte);
            assert_int_equal(byte[31] % 2048, 2044);
        }
    }
    workload_close(workload_find("streamcluster"), &p);
    cta_trace_destroy(t);
}

/* MRPB figure 3, for an L1 of 32 sets of 128 bytes. */
TEST(the_16_rows_of_a_srad_tile_meet_in_one_set) {
    struct program p;
    struct cta_trace *t = cta_trace_create();
    records_open("srad-v2", &p, SIZE_TINY);
    const struct launch *l = run_to(&p, 0, 5, t);
    uint64_t row[16];
    for (unsigned w = 0; w < 8; w++) {
        uint64_t byte[WARP_SIZE];
        /* In the upper CTAs the load of the image's first row comes in between. */
        assert_int_equal(load_of(t, w, l->code, 5, byte), WARP_SIZE);
        row[2 * w] = byte[0] / LINE;
        row[2 * w + 1] = byte[16] / LINE;
    }
    for (unsigned i = 1; i < 16; i++) {
        assert_int_equal(row[i] % 32, row[0] % 32);
        assert_int_equal(row[i] - row[i - 1], 1024 * 4 / LINE);
    }
    workload_close(workload_find("srad-v2"), &p);
    cta_trace_destroy(t);
}

TEST(cfd_elements_are_neighbours_of_each_other) {
    const struct cfd_mesh m = {{5, 4, 3}, 360};
    int32_t nb[4 * 360];
    float normal[12 * 360], volume[360];
    unsigned wall = 0, far = 0;
    assert_int_equal(cfd_mesh_fill(&m, SEED, nb, normal, volume), 0);
    for (int32_t i = 0; i < 360; i++) {
        float sum[3] = {0};
        for (unsigned f = 0; f < 4; f++) {
            const int32_t other = nb[i + f * 360];
            unsigned back = 0;
            wall += other == CFD_WALL;
            far += other == CFD_FAR_FIELD;
            assert_true(other >= CFD_FAR_FIELD && other < 360 && other != i);
            for (unsigned g = 0; g < 4 && other >= 0; g++) {
                if (nb[other + g * 360] == i) {
                    back++;
                    for (unsigned d = 0; d < 3; d++) { /* the same face, seen from there */
                        assert_true(normal[other + (g + 4 * d) * 360] ==
                                    -normal[i + (f + 4 * d) * 360]);
                    }
                }
            }
            assert_int_equal(back, other >= 0);
            for (unsigned d = 0; d < 3; d++) {
                sum[d] += normal[i + (f + 4 * d) * 360];
            }
        }
        assert_true(sum[0] == 0.0f && sum[1] == 0.0f && sum[2] == 0.0f); /* closed */
    }
    /* Two triangles a square of the surface: 5 x 4 below, the other five sides open. */
    assert_int_equal(wall, 2 * 5 * 4);
    assert_int_equal(far, 2 * (5 * 4 + 2 * 5 * 3 + 2 * 4 * 3));
}

/* The arithmetic that kernel and check share, by hand. A pixel of 1 under one of 2: gradient 1,
 * Laplacian 1, q^2 = (1/2 - 1/16) / (1 + 1/4)^2 = 0.28, and with q0^2 = 0.25 c = 1 / (1 + 0.03 /
 * 0.3125). */
TEST(the_arithmetic_of_srad_gives_the_figures_worked_out_by_hand) {
    const float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    assert_float_equal(srad_coefficient(1, 1, 0, 0, 0, 0.25f), 1 / 1.096, 1e-6);
    assert_true(srad_coefficient(1, 0, 0, 0, 0, 0.25f) == 1.0f);    /* flat: clamped */
    assert_true(srad_coefficient(1, 9, -9, 9, -9, 0.01f) < 0.001f); /* an edge stops it */
    assert_true(srad_update(1.0f, 0.5f, 0.25f, 0.25f, ones) == 1.0f + 0.125f * 1.5f);
}

/* Through a face between equal flows goes what goes through one to an equal far field: along x
 * mass rho u, momentum rho u^2 + p, energy u (E + p). */
TEST(the_arithmetic_of_cfd_gives_the_figures_worked_out_by_hand) {
    /* p = 0.4 (E - u^2 rho / 2) = 0.4 * (4.5 - 2) = 1 */
    const float v[CFD_VARIABLES] = {1.0f, 2.0f, 0.0f, 0.0f, 4.5f}, along_x[3] = {0.5f, 0.0f, 0.0f};
    const struct cfd_flow here = cfd_flow(v);
    float far[CFD_CONSTANTS], interior[CFD_VARIABLES] = {0}, open[CFD_VARIABLES] = {0};
    float wall[CFD_VARIABLES] = {0};
    memcpy(far, v, sizeof v);
    for (unsigned i = 0; i < 12; i++) {
        far[CFD_VARIABLES + i] = here.flux[1 + i / 3][i % 3];
    }
    cfd_interior_face(&here, v, along_x, interior);
    cfd_far_face(&here, far, along_x, open);
    cfd_wall_face(&here, along_x, wall);
    const float expected[CFD_VARIABLES] = {0.5f * 2.0f, 0.5f * (4.0f + 1.0f), 0.0f, 0.0f,
                                           0.5f * 2.0f * (4.5f + 1.0f)};
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        assert_float_equal(interior[m], expected[m], 1e-5);
        assert_float_equal(open[m], expected[m], 1e-5);
        assert_float_equal(wall[m], m == 1 ? 0.5 : 0.0, 1e-5);
    }
    assert_float_equal(cfd_step_factor(v, 4.0f), 0.5 / (2 * (2 + 1.1832160)), 1e-6);
}

/* Nearer than the nearest of 10 random centres is one point in eleven, more where the candidate is
 * in the middle of the cube. */
TEST(most_points_of_streamcluster_stay) {
    struct program p;
    struct cta_trace *t = cta_trace_create();
    unsigned moved = 0;
    records_open("streamcluster", &p, SIZE_TINY);
    const struct launch *l = run_to(&p, 0, 15, t); /* all 16 CTAs */
    assert_int_equal(launch_ctas(l), 16);
    struct host *h = p.self;
    for (unsigned i = 0; i < 8192; i++) {
        moved += ((uint8_t *)h->memory.block[1])[i];
    }
    assert_in_range(moved, 8192 / 50, 8192 / 4);
    workload_close(workload_find("streamcluster"), &p);
    cta_trace_destroy(t);
}

TEST(a_wrong_bit_in_any_result_fails_the_check) {
    static const struct {
        const char *name;
        unsigned block, word; /* of the result, in the order of allocation, and the word changed */
        const char *says;
    } results[] = {
        {"srad-v2", 0, 2000, "J[2000] is "},
        {"srad-v2", 1, 2000, "C[2000] is "},
        {"srad-v2", 2, 17, "E[17] is "},
        {"srad-v2", 3, 17, "W[17] is "},
        {"srad-v2", 4, 17, "S[17] is "},
        {"srad-v2", 5, 17, "N[17] is "},
        {"srad-v2-unshared", 0, 2000, "J[2000] is "},
        {"srad-v1", 0, 17, "I[17] is "},
        {"srad-v1", 5, 17, "sums[17] is "},
        {"srad-v1", 6, 17, "sums2[17] is "},
        {"srad-v1", 7, 17, "dN[17] is "},
        {"srad-v1", 11, 17, "c[17] is "},
        {"cfd", 3, 17, "variables[17] is "},
        {"cfd", 5, 17, "fluxes[17] is "},
        {"cfd", 6, 17, "step_factors[17] is "},
        {"streamcluster", 4, 17, "work[17] is "},
        {"streamcluster", 1, 4, "switch[16] is "},
        {"streamcluster", 2, 14, "points[7] is "},
        {"particlefilter-naive", 2, 34, "xj[17] is "},
        {"particlefilter-naive", 3, 34, "yj[17] is "},
        {"particlefilter-float", 2, 34, "xj[17] is "},
        {"particlefilter-float", 4, 34, "CDF[17] is "},
        {"particlefilter-float", 7, 34, "weights[17] is "},
        {"particlefilter-float", 10, 17, "ind[17] is "},
        {"particlefilter-float", 11, 17, "seed[17] is "},
        {"particlefilter-float", 12, 0, "partial_sums[0] is "},
    };
    for (unsigned i = 0; i < sizeof results / sizeof *results; i++) {
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * results[i].word,
                              results[i].says);
    }
}
