/* SPDX-License-Identifier: Apache-2.0
 *
 * The applications that the papers are measured with: here by the names that they have here, each
 * at the paper's size. Written down from the papers' tables, apart from data/workload_sets.tsv.
 */
#include <stdio.h>
#include <string.h>

#include "base/unit_tests.h"
#include "base/long_test.h"
#include "workloads/workload.h"

#define SEED 1

/* Names between spaces. */
static const struct {
    enum workload_size size;
    const char *apps;
} papers[] = {
    /* Table II, and SSSP of its figures. */
    {SIZE_PAPER_MEDIC, "ispass-nn cons scp backprop hotspot streamcluster iix pvc pvr ssc "
                       "lonestar-bfs-worklist bh dmr mst sp sssp"},
    /* Table 2: high contention, then low. */
    {SIZE_PAPER_MDB, "particlefilter-float streamcluster bh hst-global syr2k kmeans-global gesummv "
                     "atax mvt bicg "
                     "scp-global covar lud srad-v2 fdtd 2dconv"},
    /* Table 2: the 19 of type 1, then those of type 2 that are here. */
    {SIZE_PAPER_OWL, "sad pvc ssc ispass-bfs mum cfd kmeans scp fwt iix parboil-spmv jpeg bfs-64k "
                     "streamcluster fft srad-v2 wp pvr backprop "
                     "cons srad-v1 hotspot ispass-nn particlefilter-naive lud"},
    /* Table 2, and the other version of its case study. */
    {SIZE_PAPER_DAWS, "bfs-1m memc spmv-scalar gc kmeans-136 "
                      "nw backprop hotspot lud srad-v2 spmv-vector"},
    /* Tables 2 and 3, and gramschm of its figures. */
    {SIZE_PAPER_MRPB, "2dconv 2mm 3dconv 3mm fdtd gemm atax bicg gesummv mvt syr2k syrk "
                      "backprop bfs-64k bfs-1m gaussian hotspot kmeans lud nw pathfinder srad-v2 "
                      "gramschm"},
};

TEST(programs_have_the_sizes_of_the_papers_that_use_them) {
    for (unsigned i = 0; i < sizeof papers / sizeof *papers; i++) {
        for (const char *name = papers[i].apps; *name; name += strspn(name, " ")) {
            char text[32];
            const size_t length = strcspn(name, " ");
            snprintf(text, sizeof text, "%.*s", (int)length, name);
            const struct workload *w = workload_find(text);
            if (!w || !w->size_text[papers[i].size]) {
                fail_msg("%s: has no size %s", text, workload_size_name(papers[i].size));
            }
            name += length;
        }
    }
}

static bool is_anothers_input(const struct workload *w, unsigned size) {
    for (unsigned i = SIZE_PAPER; i < size; i++) {
        if (w->size_text[i] && strcmp(w->size_text[i], w->size_text[size]) == 0) {
            return true;
        }
    }
    return false;
}

TEST(programs_begin_at_each_input_of_the_papers) {
    if (!is_long_test()) {
        skip();
    }
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        for (unsigned size = SIZE_PAPER; size < SIZE_COUNT; size++) {
            struct program p;
            const struct launch *l;
            if (!w->size_text[size] || is_anothers_input(w, size)) {
                continue;
            }
            const char *error = workload_open(w, &p, (enum workload_size)size, SEED);
            if (error) {
                fail_msg("%s, %s: %s", w->name, w->size_text[size], error);
            }
            assert_true(p.next_launch(p.self, &l));
            assert_true(launch_ctas(l) >= 1 && launch_warps(l) >= 1);
            workload_close(w, &p);
        }
    }
}

/* First launches: threads, by the sizes that the texts name. */
TEST(the_inputs_are_as_large_as_the_texts_say) {
    static const struct {
        const char *name;
        enum workload_size size;
        unsigned launches, threads; /* of the program; of its first launch */
    } cases[] = {
        {"atax", SIZE_PAPER_MDB, 2, 4096},
        {"bicg", SIZE_PAPER_MDB, 2, 4096},
        {"mvt", SIZE_PAPER_MDB, 2, 4096},
        {"gesummv", SIZE_PAPER_MDB, 1, 4096},
        {"syr2k", SIZE_PAPER_MDB, 1, 256 * 256},
        {"2dconv", SIZE_PAPER_MDB, 1, 4096 * 4096},
        {"fdtd", SIZE_PAPER_MDB, 3 * 8, 2048 * 2048},
        {"streamcluster", SIZE_PAPER_MEDIC, 16, 65536},
        {"backprop", SIZE_PAPER_DAWS, 2, 65536 * 16},
        {"hotspot", SIZE_PAPER_OWL, 1, 43 * 43 * 256}, /* 512 / 12 tiles, rounded up */
        {"srad-v2", SIZE_PAPER_MDB, 4, 2048 * 2048},
        {"srad-v2", SIZE_PAPER_DAWS, 2, 2048 * 2048},
        {"lud", SIZE_PAPER_DAWS, 3 * (256 / 16 - 1) + 1, 16},
        {"nw", SIZE_PAPER_DAWS, 2 * (2048 / 16) - 1, 16},
        {"kmeans", SIZE_PAPER_OWL, 3, 44 * 44 * 256}, /* 1930 CTAs, rounded up to a square */
        /* 20 in a run; here no point changes, and the host stops. */
        {"kmeans-global", SIZE_PAPER_MDB, 2, 4 * 4 * 256},
        {"kmeans-global", SIZE_PAPER_DAWS, 1, 44 * 44 * 256},
        {"kmeans-136", SIZE_PAPER_DAWS, 1, 11 * 11 * 256}, /* 112 CTAs, rounded up to a square */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct workload *w = workload_find(cases[i].name);
        struct program p;
        const struct launch *l;
        unsigned launches = 0;
        assert_null(workload_open(w, &p, cases[i].size, SEED));
        for (; p.next_launch(p.self, &l); launches++) {
            const unsigned threads = launch_ctas(l) * l->block[0] * l->block[1] * l->block[2];
            if (launches == 0 && threads != cases[i].threads) {
                fail_msg("%s: %u threads, must be %u", w->name, threads, cases[i].threads);
            }
        }
        if (launches != cases[i].launches) {
            fail_msg("%s: %u launches, must be %u", w->name, launches, cases[i].launches);
        }
        workload_close(w, &p);
    }
}
