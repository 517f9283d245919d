/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as a library: ATAX on a Tesla C2050 whose L1 has 2, 4 and 8 ways. Out of the tree, with
 * warpmem installed:
 *
 *     cc -std=c11 -D_POSIX_C_SOURCE=200809L l1_ways.c $(pkg-config --cflags --libs warpmem) \
 *         -o l1_ways && ./l1_ways
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/stats.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

/* Run a workload to its end and print its cycles. False with a message. */
static bool run_workload(const struct config *config, const struct workload *workload) {
    struct program program;
    struct gpu_options options = {0};
    char error[256];
    const char *wrong = workload_open(workload, &program, SIZE_TINY, 1);
    struct gpu *gpu = gpu_create(config, &options, error, sizeof error);
    struct stats *stats = stats_create();
    bool good = !wrong && gpu && stats && gpu_register_stats(gpu, stats);
    if (good) {
        good = gpu_run(gpu, &program) == GPU_COMPLETE && !workload_check(workload, &program);
        printf("%4u ways: %8" PRIu64 " cycles, %" PRIu64 " read hits in the L1\n", config->l1.ways,
               gpu_cycles(gpu), stats_get(stats, "l1.read_hits"));
    } else {
        fprintf(stderr, "%s\n", wrong ? wrong : gpu ? "out of memory" : error);
    }
    stats_destroy(stats);
    if (gpu) {
        gpu_destroy(gpu);
    }
    workload_close(workload, &program);
    return good;
}

int main(void) {
    static const char *const ways[] = {"l1.ways=2", "l1.ways=4", "l1.ways=8"};
    for (unsigned i = 0; i < 3; i++) {
        struct config config;
        struct config_error e;
        if (!config_preset(&config, "c2050-s", &e) || !config_set(&config, ways[i], &e) ||
            !config_check(&config, &e)) {
            fprintf(stderr, "%s\n", e.text);
            return 2;
        }
        if (!run_workload(&config, workload_find("atax"))) {
            return 1;
        }
    }
    return 0;
}
