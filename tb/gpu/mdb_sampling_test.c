/* SPDX-License-Identifier: Apache-2.0
 *
 * MDB's sampling (DAC 2016, section 6): the limits that a generator finds from one set in eight,
 * beside those from all sets, of the same accesses and failures in runs of the machine.
 */
#include "base/seeded.h"

#include <stdlib.h>
#include <string.h>

#include "base/long_test.h"
#include "config/preset.h"
#include "gpu/machine_run.h"
#include "l1/bpg.h"
#include "workloads/workload.h"

enum { SETS = 32, WAYS = 4, NUMBERS = BPG_CALCULATORS_MAX };

/* A C block, and beside it the tags of the whole cache. */
struct watched_bpg {
    struct bpg block;
    uint64_t line[NUMBERS][SETS][WAYS]; /* the most recent first; 0: none */
    uint64_t hits[NUMBERS];
    unsigned whole_limit; /* of the interval whose sampled hits are on their way */
    struct sampling *sum;
};

struct sampling {
    struct block_factory base;
    unsigned intervals, same, near;
};

static bool use_whole_line(struct watched_bpg *w, unsigned array, unsigned set, uint64_t line) {
    uint64_t *stack = w->line[array][set];
    unsigned at = 0;
    while (at < WAYS - 1 && stack[at] != line) {
        at++;
    }
    bool hit = stack[at] == line;
    memmove(stack + 1, stack, at * sizeof *stack);
    stack[0] = line;
    return hit;
}

/* MDB 5.3 with hits of all sets, in floating point. */
static unsigned whole_limit_of(const struct watched_bpg *w, uint32_t fails, unsigned among) {
    unsigned best = 0;
    double best_value = 0;
    for (unsigned l = 1; l <= NUMBERS; l++) {
        double part = l < among ? (double)l / among : 1;
        double value = (double)w->hits[l - 1] - fails * part * part * part / 2;
        if (!best || value >= best_value) {
            best = l;
            best_value = value;
        }
    }
    return best >= among ? NUMBERS : best;
}

static void clear_whole_tags(struct watched_bpg *w) {
    memset(w->line, 0, sizeof w->line);
    memset(w->hits, 0, sizeof w->hits);
}

static void watched_comb(void *self, const void *in, void *out) {
    bpg_comb(&((struct watched_bpg *)self)->block, in, out);
}

static bool watched_quiet(void *self, const void *in) {
    return bpg_quiet(&((struct watched_bpg *)self)->block, in);
}

static bool watched_step(void *self, const void *inputs, const void *out) {
    struct watched_bpg *w = self;
    const struct bpg_in *in = inputs;
    bool last_hit = w->block.end[0];
    bpg_step(&w->block, in, out);
    if (in->rst || in->clear) {
        clear_whole_tags(w);
        return true;
    }
    if (last_hit) {
        int off = (int)w->block.next_limit - (int)w->whole_limit;
        w->sum->intervals++;
        w->sum->same += !off;
        w->sum->near += abs(off) <= 1;
    }
    for (unsigned i = in->acc_number; in->acc_valid && i < NUMBERS; i++) {
        w->hits[i] += use_whole_line(w, i, in->acc_set, in->acc_line);
    }
    if (in->acc_valid && !w->block.accesses) {
        w->whole_limit = whole_limit_of(w, w->block.base_fails, w->block.base_resident);
        for (unsigned i = 0; i < NUMBERS; i++) {
            w->hits[i] /= 2;
        }
    }
    return true;
}

static bool make_watched(const struct build *build, const struct block *block, const void *params,
                         const char *where, const uint64_t *cycle,
                         struct block_instance *instance) {
    (void)where, (void)cycle;
    if (strcmp(block->name, bpg_block.name)) {
        return block_make_in_c(build, block, params, instance);
    }
    struct watched_bpg *w = calloc(1, sizeof *w);
    w->sum = (struct sampling *)build->factory;
    *instance = (struct block_instance){.self = w,
                                        .comb = watched_comb,
                                        .step = watched_step,
                                        .quiet = watched_quiet,
                                        .destroy = free};
    return bpg_init(&w->block, params);
}

static struct sampling sample_program(const char *name, unsigned index) {
    struct sampling s = {.base.make = make_watched};
    const struct workload *w = workload_find(name);
    struct machine_run r;
    struct program p;
    struct config_error e;
    struct config c;
    assert_true(config_preset(&c, "gtx480-mdb", &e));
    c.l1.index = index;
    c.mdb.bypass = MDB_BYPASS_LOCAL;
    assert_legal(&c);
    assert_null(workload_open(w, &p, is_long_test() ? SIZE_SMALL : SIZE_TINY, 1));
    run_test_machine(&r, &c, &(struct gpu_options){.blocks = &s.base}, &p, false);
    assert_complete(&r);
    workload_close(w, &p);
    print_message("%s, %s: %u intervals, the same limit in %.2f, one off at most in %.2f\n", name,
                  index == INDEX_XOR ? "xor" : "xor-all", s.intervals, (double)s.same / s.intervals,
                  (double)s.near / s.intervals);
    return s;
}

/* One off at most is three limits of eight by lot. With one group of bits in its index,
 * streamcluster's lines lie in few sets, and those that are sampled say less than that. */
TEST(mdb6_four_sets_of_32_find_the_limits_of_all) {
    static const char *const names[] = {"atax", "kmeans-global", "streamcluster"};
    for (unsigned i = 0; i < 3; i++) {
        struct sampling xor = sample_program(names[i], INDEX_XOR);
        struct sampling all = sample_program(names[i], INDEX_XOR_ALL);
        assert_true(xor.intervals >= 20 && all.intervals >= 20);
        assert_true(2 * all.near >= all.intervals);
        assert_true(i == 2 || 2 * xor.near >= xor.intervals);
        assert_true(i == 2 || 5 * all.same >= 3 * all.intervals);
    }
}
