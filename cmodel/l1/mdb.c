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

static bool make_mdb(void *state, const struct l1_policy_view *view, const struct build *build) {
    static const struct warp_bypass_params params = {.NUMBERS = MDB_NUMBERS_MAX};
    const struct config *config = view->config;
    struct mdb *m = state;
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    *m = (struct mdb){.config = config, .idle = true};
    find_fixed_limit(m);
    if (has_generator(config, view->core)) {
        m->generator = calloc(1, sizeof *m->generator);
        if (!m->generator || !mdb_generator_init(m->generator, config, where, build)) {
            return false;
        }
        m->teller = config->mdb.bypass == MDB_BYPASS_LOCAL ? m->generator : NULL;
    }
    return block_make(build, &warp_bypass_block, &params, where, &view->cycle, &m->bypass);
}

static void destroy_mdb(void *state) {
    struct mdb *m = state;
    if (m->generator) {
        mdb_generator_destroy(m->generator);
        free(m->generator);
        m->generator = NULL;
    }
    block_unmake(&m->bypass);
}

/* With mdb.bypass = global all use the limit of one core's generator. */
static void follow_watched_core(void *state, void *const *states) {
    struct mdb *m = state;
    if (m->config->mdb.bypass == MDB_BYPASS_GLOBAL) {
        m->teller = ((const struct mdb *)states[m->config->mdb.watched])->generator;
    }
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
    unsigned among = by_ctas ? m->ctas : m->warps;
    among = among < MDB_NUMBERS_MAX ? among : MDB_NUMBERS_MAX;
    return among > c->mdb.count ? among - c->mdb.count : 0;
}

static void find_fixed_limit(struct mdb *m) {
    m->fixed.by_ctas = m->config->mdb.level == MDB_LEVEL_CTAS ||
                       (m->config->mdb.level == MDB_LEVEL_AUTO && m->ctas > 1);
    m->fixed.limit = (uint8_t)first_to_bypass(m, m->fixed.by_ctas);
}

static void begin_warp_of_mdb(struct mdb *m, unsigned warp, unsigned cta_slot, unsigned number) {
    m->ctas += !m->live[cta_slot];
    m->begun[cta_slot] = (uint8_t)(number + 1); /* warps begin in order, all in one cycle */
    m->warps = number + 1 > m->warps ? number + 1 : m->warps;
    m->live[cta_slot]++;
    m->number[warp] = (uint8_t)number;
    m->cta[warp] = (uint8_t)cta_slot;
    find_fixed_limit(m);
}

static void end_warp_of_mdb(struct mdb *m, unsigned warp) {
    if (!--m->live[m->cta[warp]]) {
        m->ctas--;
        m->warps = 0;
        for (unsigned cta = 0; cta < MDB_CTAS_MAX; cta++) {
            m->warps = m->live[cta] && m->begun[cta] > m->warps ? m->begun[cta] : m->warps;
        }
        find_fixed_limit(m);
    }
}

/* At the first CTA of a launch a generator continues or starts again (mdb.at_launch). */
static void begin_cta_of_mdb(struct mdb *m, uint32_t kernel, uint64_t cycle) {
    bool other = m->kernel && kernel != m->kernel;
    m->idle = false;
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
static struct mdb_told limit_in_force(const struct mdb *m, uint64_t cycle) {
    static const struct mdb_told all = {.limit = MDB_NUMBERS_MAX};
    if (!m->teller) {
        return m->fixed;
    }
    unsigned late = m->config->mdb.bypass == MDB_BYPASS_GLOBAL ? m->config->mdb.broadcast : 0;
    return cycle < late ? all : mdb_generator_limit(m->teller, cycle - late);
}

static bool mdb_bypasses(const void *state, const struct l1_policy_view *view,
                         const struct l1_policy_access *access) {
    const struct mdb *m = state;
    struct mdb_told told = limit_in_force(m, view->cycle);
    unsigned number = told.by_ctas ? m->cta[access->warp] : m->number[access->warp];
    struct warp_bypass_in in = {.acc_number =
                                    (uint8_t)(number < MDB_NUMBERS_MAX ? number : MDB_NUMBERS_MAX),
                                .acc_atomic = access->kind == REQUEST_ATOMIC,
                                .acc_local = access->local,
                                .acc_uncached = access->uncached,
                                .limit = told.limit};
    struct warp_bypass_out out;
    m->bypass.comb(m->bypass.self, &in, &out);
    (void)m->bypass.quiet(m->bypass.self, &in); /* the block has no edge; waves show the cycle */
    return out.bypass;
}

/* Reservation failures of all causes until now: those of the access at hand have been counted. */
static uint64_t sum_failures(const struct l1_policy_view *view) {
    uint64_t sum = 0;
    for (unsigned cause = L1_FAILS; cause < L1_RESULTS; cause++) {
        sum += view->fails[cause];
    }
    return sum;
}

static void take_access_of_mdb(struct mdb *m, const struct l1_policy_view *view,
                               const struct l1_policy_event *e) {
    const struct l1_policy_access *a = e->access;
    m->refused += e->refused && !e->bypasses;
    if (!m->generator || a->kind != REQUEST_READ || a->uncached) {
        return;
    }
    struct mdb_load load = {.line = a->line,
                            .set = a->set,
                            .warp = m->number[a->warp],
                            .cta_slot = m->cta[a->warp],
                            .local = a->local,
                            .warps = m->warps,
                            .ctas = m->ctas};
    uint64_t fails = sum_failures(view);
    uint64_t counted =
        m->config->mdb.failures == MDB_FAILURES_CYCLE ? fails - m->fails_seen : m->refused;
    m->fails_seen = fails;
    m->refused = 0;
    mdb_generator_load(m->generator, &load, counted, view->cycle);
}

static void end_launch_of_mdb(struct mdb *m, unsigned core) {
    const struct config *c = m->config;
    m->unwatched += m->idle && c->mdb.bypass == MDB_BYPASS_GLOBAL && core == c->mdb.watched;
    m->idle = true;
}

static void tell_mdb(void *state, const struct l1_policy_view *view,
                     const struct l1_policy_event *e, struct l1_prefetches *prefetches) {
    (void)prefetches;
    struct mdb *m = state;
    switch (e->kind) {
    case L1_POLICY_LAUNCHED: m->new_launch = true; return;
    case L1_POLICY_LAUNCH_ENDED: end_launch_of_mdb(m, view->core); return;
    case L1_POLICY_CTA_STARTED: begin_cta_of_mdb(m, e->kernel, view->cycle); return;
    case L1_POLICY_WARP_BEGUN: begin_warp_of_mdb(m, e->warp, e->cta_slot, e->number); return;
    case L1_POLICY_WARP_ENDED: end_warp_of_mdb(m, e->warp); return;
    default: take_access_of_mdb(m, view, e); return;
    }
}

static bool mdb_is_wanted(const struct config *config) {
    return config->mdb.bypass != MDB_BYPASS_OFF;
}

static size_t size_of_mdb(const struct l1_policy_view *view) {
    (void)view;
    return sizeof(struct mdb);
}

static bool register_mdb(const void *state, struct stats *s) {
    static const struct stat_desc unwatched = {
        "mdb.unwatched_launches", "launches",
        "with mdb.bypass = global, those in which core mdb.watched had no CTA", "MDB 6", STAT_SUM};
    static const struct mdb none;
    static const struct mdb_generator no_generator;
    const struct mdb *m = state ? state : &none;
    return stats_register(s, &unwatched, &m->unwatched) &&
           mdb_generator_register_stats(m->generator ? m->generator : &no_generator, s);
}

const struct l1_policy_kind l1_policy_mdb = {
    .name = "mdb",
    .about = "warps or CTAs behind a limit bypass the L1 (MDB, DAC 2016)",
    .wanted = mdb_is_wanted,
    .state_size = size_of_mdb,
    .events = L1_POLICY_EVENT(L1_POLICY_LAUNCHED) | L1_POLICY_EVENT(L1_POLICY_LAUNCH_ENDED) |
              L1_POLICY_EVENT(L1_POLICY_CTA_STARTED) | L1_POLICY_EVENT(L1_POLICY_WARP_BEGUN) |
              L1_POLICY_EVENT(L1_POLICY_WARP_ENDED) | L1_POLICY_EVENT(L1_POLICY_TAKEN),
    .make = make_mdb,
    .destroy = destroy_mdb,
    .join = follow_watched_core,
    .bypasses = mdb_bypasses,
    .tell = tell_mdb,
    .register_stats = register_mdb};
