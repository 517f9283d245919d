/* SPDX-License-Identifier: Apache-2.0
 * A trace that was changed and still reads well is a program like any other: the machine runs it to
 * an end, whatever it does to memory. */
#include <stdio.h>

#include "base/unit_tests.h"
#include "config/preset.h"
#include "cosim/rng.h"
#include "gpu/gpu.h"
#include "trace/wtr_bench.h"

enum { ROUNDS = 1500, CYCLES_MAX = 200000 };

static enum gpu_status run_file(const struct config *c, struct wtr_reader *r) {
    char error[256];
    struct gpu_options options = {.max_cycles = CYCLES_MAX, .watchdog_cycles = 1 << 16};
    struct gpu *g = gpu_create(c, &options, error, sizeof error);
    struct program p = wtr_reader_program(r);
    assert_non_null(g);
    enum gpu_status status = gpu_run(g, &p);
    if (status == GPU_COMPLETE) {
        assert_null(gpu_conserved(g));
    }
    gpu_destroy(g);
    return status;
}

/* A few bytes of one block; the checksum is right again. */
static struct bytes change_block(struct rng *rng, const struct bytes *good, unsigned n) {
    FREED struct block_view *v = malloc(sizeof *v);
    assert_true(block_at(good, n, v));
    for (unsigned i = 1 + rng_below(rng, 4); i; i--) {
        unsigned at = rng_below(rng, (unsigned)v->size);
        v->payload[at] =
            (uint8_t)(rng_chance(rng, 1, 2) ? rng_next(rng)
                                            : v->payload[at] ^ UINT32_C(1) << rng_below(rng, 8));
    }
    struct bytes changed = with_block(good, n, v->type, v->payload, v->size);
    return changed;
}

FILE_TEST(a_changed_trace_runs_to_an_end) {
    static const unsigned blocks[] = {B_CODE, B_LAUNCH, B_CTAS, B_CTAS, B_CODE_2, B_CTAS_3};
    struct config c = base_preset();
    struct rng rng;
    unsigned ends[8] = {0}, broken = 0;
    c.core.count = 2;
    assert_legal(&c);
    rng_seed(&rng, 17);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct bytes changed = change_block(&rng, &b->good, blocks[rng_below(&rng, 6)]);
        save_bytes(b->path, &changed, changed.size);
        free(changed.at);
        struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
        assert_non_null(r);
        enum gpu_status status = run_file(&c, r);
        if (wtr_reader_error(r)) {
            broken++;
        } else {
            assert_true(status == GPU_COMPLETE || status == GPU_LIMIT ||
                        status == GPU_DOES_NOT_FIT);
            ends[status]++;
        }
        wtr_reader_close(r);
    }
    assert_true(broken > ROUNDS / 10 && ends[GPU_COMPLETE] > ROUNDS / 20);
    print_message("%u refused, %u ran to their end, %u to the limit, %u do not fit\n", broken,
                  ends[GPU_COMPLETE], ends[GPU_LIMIT], ends[GPU_DOES_NOT_FIT]);
}
