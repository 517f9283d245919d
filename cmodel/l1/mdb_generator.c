/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mdb_generator.h"

#include <assert.h>
#include <stddef.h>

struct bpg_params mdb_generator_params(const struct config *config) {
    return (struct bpg_params){.CALCULATORS = BPG_CALCULATORS_MAX,
                               .SET_BITS = (unsigned)__builtin_ctz(config->l1.sets),
                               .WAYS = config->l1.ways,
                               .LINE_BITS = 44,
                               .TAG_BITS = 32,
                               .INTERVAL = config->mdb.interval,
                               .HIT_BITS = config->mdb.hit_bits,
                               .FAIL_BITS = config->mdb.fail_bits,
                               .COUNT_BITS = config->mdb.fail_bits, /* the most in a cycle */
                               .HITS_SHIFT = config->mdb.hits_shift,
                               .E_64THS = config->mdb.e_64ths,
                               .RESCALE = config->mdb.rescale};
}

bool mdb_generator_init(struct mdb_generator *g, const struct config *config, const char *where,
                        const struct build *build) {
    struct bpg_params params = mdb_generator_params(config);
    *g = (struct mdb_generator){.config = config, .alarm = build->alarm};
    g->told[0].limit = BPG_CALCULATORS_MAX;
    g->by_ctas = config->mdb.level == MDB_LEVEL_CTAS;
    return block_make(build, &bpg_block, &params, where, &g->cycle, &g->block);
}

void mdb_generator_destroy(struct mdb_generator *g) {
    block_unmake(&g->block);
}

static void tell_limit(struct mdb_generator *g, unsigned limit) {
    bool worked_out = g->cycle != g->cleared_at;
    g->stats.limits[limit - 1] += worked_out;
    g->newest = (g->newest + 1) % MDB_TOLD_MAX;
    g->told[g->newest] =
        (struct mdb_told){.at = g->cycle, .limit = (uint8_t)limit, .by_ctas = g->by_ctas};
}

/* The outputs of the block's cycle. */
static struct bpg_out look_at_block(struct mdb_generator *g, const struct bpg_in *in) {
    struct bpg_out out;
    g->block.comb(g->block.self, in, &out);
    if (out.limit_new && g->told[g->newest].at != g->cycle) {
        tell_limit(g, out.limit);
    }
    return out;
}

static void step_block(struct mdb_generator *g, const struct bpg_in *in,
                       const struct bpg_out *out) {
    if (!g->block.step(g->block.self, in, out)) {
        alarm_ring(g->alarm, ALARM_BLOCK_DIFFERS);
    }
    g->cycle++;
}

/* Steps the block up to @cycle with idle inputs. */
static struct bpg_out run_to_cycle(struct mdb_generator *g, uint64_t cycle) {
    static const struct bpg_in idle;
    for (;;) {
        struct bpg_out out = look_at_block(g, &idle);
        if (g->cycle >= cycle) {
            return out;
        }
        if (g->block.quiet(g->block.self, &idle)) {
            g->cycle = cycle;
            return out;
        }
        step_block(g, &idle, &out);
    }
}

static bool counts_ctas(const struct mdb_generator *g, const struct mdb_load *load) {
    return g->config->mdb.level == MDB_LEVEL_CTAS ||
           (g->config->mdb.level == MDB_LEVEL_AUTO && load->ctas > 1);
}

static unsigned clip_to_width(uint64_t value, unsigned bound) {
    return value < bound ? (unsigned)value : bound;
}

void mdb_generator_load(struct mdb_generator *g, const struct mdb_load *load, uint64_t fails,
                        uint64_t cycle) {
    struct bpg_out out = run_to_cycle(g, cycle);
    assert(g->cycle == cycle);
    struct bpg_in in = {.acc_valid = true,
                        .acc_line = load->line & ((UINT64_C(1) << 44) - 1),
                        .acc_set = (uint16_t)load->set,
                        .fail_count =
                            (uint16_t)clip_to_width(fails, (1u << g->config->mdb.fail_bits) - 1)};
    if (out.first && counts_ctas(g, load) != g->by_ctas) {
        g->by_ctas = !g->by_ctas;
        in.clear = true;
        g->stats.level_changes++;
    }
    unsigned number = g->by_ctas ? load->cta_slot : load->warp;
    in.acc_number = load->local ? 0 : (uint8_t)clip_to_width(number, BPG_CALCULATORS_MAX);
    in.resident =
        (uint8_t)clip_to_width(g->by_ctas ? load->ctas : load->warps, BPG_CALCULATORS_MAX);
    g->stats.accesses += !in.clear; /* the block drops this one */
    step_block(g, &in, &out);
    g->cleared_at = in.clear ? g->cycle : g->cleared_at;
}

void mdb_generator_clear(struct mdb_generator *g, uint64_t cycle) {
    struct bpg_out out = run_to_cycle(g, cycle);
    assert(g->cycle == cycle);
    struct bpg_in in = {.clear = true};
    g->stats.clears++;
    step_block(g, &in, &out);
    g->cleared_at = g->cycle;
}

struct mdb_told mdb_generator_limit(struct mdb_generator *g, uint64_t cycle) {
    run_to_cycle(g, cycle);
    unsigned i = g->newest;
    while (g->told[i].at > cycle && i != (g->newest + 1) % MDB_TOLD_MAX) {
        i = (i - 1) % MDB_TOLD_MAX;
    }
    return g->told[i];
}

bool mdb_generator_register_stats(const struct mdb_generator *g, struct stats *s) {
#define LIMIT(n, who) \
    { \
        {"mdb.limit_" #n, "limits", "computed: " who, "MDB 6", STAT_SUM}, \
            offsetof(struct mdb_generator_stats, limits[n - 1]) \
    }
    static const struct stat_member members[] = {
        {{"mdb.loads", "accesses", "loads that a bypassing parameter generator counted", "MDB 6",
          STAT_SUM},
         offsetof(struct mdb_generator_stats, accesses)},
        LIMIT(1, "one warp, or CTA, uses the L1"),
        LIMIT(2, "two warps, or CTAs, use the L1"),
        LIMIT(3, "three use it"),
        LIMIT(4, "four use it"),
        LIMIT(5, "five use it"),
        LIMIT(6, "six use it"),
        LIMIT(7, "seven use it"),
        LIMIT(8, "all use it"),
        {{"mdb.clears", "clears", "of a generator, because another kernel began", "model",
          STAT_SUM},
         offsetof(struct mdb_generator_stats, clears)},
        {{"mdb.level_changes", "changes", "of a generator from warps to CTAs or back", "MDB 5.2",
          STAT_SUM},
         offsetof(struct mdb_generator_stats, level_changes)},
    };
#undef LIMIT
    return stats_register_members(s, members, sizeof members / sizeof *members, &g->stats);
}
