/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mdb.h"

#include <stdio.h>
#include <stdlib.h>

/* A generator in this core: each has one, or the watched core alone. */
static bool has_generator(const struct config *config, unsigned core) {
    switch (config->mdb.bypass) {
    case MDB_BYPASS_LOCAL:
    case MDB_BYPASS_CONTROL: return true;
    case MDB_BYPASS_GLOBAL: return core == config->mdb.watched;
    default: return false;
    }
}

static void find_fixed_limit(struct mdb *m);

bool mdb_init(struct mdb *m, const struct config *config, unsigned core, const uint64_t *cycle,
              const struct build *build) {
    static const struct warp_bypass_params params = {.NUMBERS = MDB_NUMBERS_MAX};
    char where[16];
    snprintf(where, sizeof where, "sm%u", core);
    *m = (struct mdb){.config = config, .on = config->mdb.bypass != MDB_BYPASS_OFF, .cycle = cycle};
    if (!m->on) {
        return true;
    }
    find_fixed_limit(m);
    if (has_generator(config, core)) {
        m->generator = calloc(1, sizeof *m->generator);
        if (!m->generator || !mdb_generator_init(m->generator, config, where, build)) {
            return false;
        }
        m->teller = config->mdb.bypass == MDB_BYPASS_LOCAL ? m->generator : NULL;
    }
    return block_make(build, &warp_bypass_block, &params, where, cycle, &m->bypass);
}

void mdb_destroy(struct mdb *m) {
    if (m->generator) {
        mdb_generator_destroy(m->generator);
        free(m->generator);
        m->generator = NULL;
    }
    block_unmake(&m->bypass);
}

void mdb_follow(struct mdb *m, const struct mdb *watched) {
    m->teller = watched->generator;
}

/* Counts the warps of the largest CTA in the core. */
static unsigned most_warps(const struct mdb *m) {
    unsigned most = 0;
    for (unsigned cta = 0; cta < MDB_CTAS_MAX; cta++) {
        most = m->live[cta] && m->begun[cta] > most ? m->begun[cta] : most;
    }
    return most;
}

/* The first warp or CTA that bypasses the L1, where the configuration fixes it. */
static unsigned first_to_bypass(const struct mdb *m, bool by_ctas) {
    const struct config *c = m->config;
    if (c->mdb.bypass == MDB_BYPASS_LIMIT) {
        return c->mdb.limit;
    }
    if (c->mdb.bypass != MDB_BYPASS_COUNT || !c->mdb.count) {
        return MDB_NUMBERS_MAX;
    }
    unsigned among = by_ctas ? m->ctas : most_warps(m);
    among = among < MDB_NUMBERS_MAX ? among : MDB_NUMBERS_MAX;
    return among > c->mdb.count ? among - c->mdb.count : 0;
}

static void find_fixed_limit(struct mdb *m) {
    m->fixed.by_ctas = m->config->mdb.level == MDB_LEVEL_CTAS ||
                       (m->config->mdb.level == MDB_LEVEL_AUTO && m->ctas > 1);
    m->fixed.limit = (uint8_t)first_to_bypass(m, m->fixed.by_ctas);
}

void mdb_begin_warp(struct mdb *m, unsigned warp, unsigned cta_slot, unsigned number) {
    m->ctas += !m->live[cta_slot];
    m->begun[cta_slot] = (uint8_t)(number + 1); /* warps begin in order, all in one cycle */
    m->live[cta_slot]++;
    m->number[warp] = (uint8_t)number;
    m->cta[warp] = (uint8_t)cta_slot;
    find_fixed_limit(m);
}

void mdb_end_warp(struct mdb *m, unsigned warp) {
    if (!--m->live[m->cta[warp]]) {
        m->ctas--;
        find_fixed_limit(m);
    }
}

void mdb_begin_cta(struct mdb *m, uint32_t kernel, uint64_t cycle) {
    bool other = m->kernel && kernel != m->kernel;
    if (!m->generator || !m->new_launch) {
        return;
    }
    m->new_launch = false;
    m->kernel = kernel;
    if (m->config->mdb.at_launch == MDB_AT_LAUNCH_CLEAR ||
        (m->config->mdb.at_launch == MDB_AT_LAUNCH_KERNEL && other)) {
        mdb_generator_clear(m->generator, cycle);
    }
}

/* The limit and level that this core applies in @cycle. */
static struct mdb_told limit_in_force(struct mdb *m, uint64_t cycle) {
    static const struct mdb_told all = {.limit = MDB_NUMBERS_MAX};
    if (!m->teller) {
        return m->fixed;
    }
    unsigned late = m->config->mdb.bypass == MDB_BYPASS_GLOBAL ? m->config->mdb.broadcast : 0;
    return cycle < late ? all : mdb_generator_limit(m->teller, cycle - late);
}

bool mdb_goes_round(struct mdb *m, const struct request *r, uint64_t cycle) {
    struct mdb_told told = limit_in_force(m, cycle);
    unsigned number = told.by_ctas ? m->cta[r->warp] : m->number[r->warp];
    struct warp_bypass_in in = {.acc_number =
                                    (uint8_t)(number < MDB_NUMBERS_MAX ? number : MDB_NUMBERS_MAX),
                                .acc_atomic = r->kind == REQUEST_ATOMIC,
                                .acc_local = r->local_space,
                                .acc_uncached = r->uncached,
                                .limit = told.limit};
    struct warp_bypass_out out;
    m->bypass.comb(m->bypass.self, &in, &out);
    (void)m->bypass.quiet(m->bypass.self, &in); /* the block has no edge; waves show the cycle */
    return out.bypass;
}

void mdb_taken(struct mdb *m, const struct request *r, unsigned set, uint64_t fails, bool refused,
               uint64_t cycle) {
    m->refused += refused && !r->passes_l1;
    if (!m->generator || r->kind != REQUEST_READ || r->uncached) {
        return;
    }
    struct mdb_load load = {.line = r->line,
                            .set = set,
                            .warp = m->number[r->warp],
                            .cta_slot = m->cta[r->warp],
                            .local = r->local_space,
                            .warps = most_warps(m),
                            .ctas = m->ctas};
    uint64_t counted =
        m->config->mdb.failures == MDB_FAILURES_CYCLE ? fails - m->fails_seen : m->refused;
    m->fails_seen = fails;
    m->refused = 0;
    mdb_generator_load(m->generator, &load, counted, cycle);
}

bool mdb_register_stats(const struct mdb *m, struct stats *s) {
    static const struct mdb_generator none;
    return mdb_generator_register_stats(m->generator ? m->generator : &none, s);
}
