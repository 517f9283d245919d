/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mdb.h"

void mdb_init(struct mdb *m, const struct config *config) {
    *m = (struct mdb){.config = config};
}

/* Warps of the largest CTA in the core, or its CTAs: as many as can be told apart. */
static unsigned count_resident(const struct mdb *m, bool by_ctas) {
    unsigned most = by_ctas ? m->ctas : 0;
    for (unsigned cta = 0; cta < MDB_CTAS_MAX && !by_ctas; cta++) {
        most = m->live[cta] && m->begun[cta] > most ? m->begun[cta] : most;
    }
    return most < MDB_NUMBERS_MAX ? most : MDB_NUMBERS_MAX;
}

/* The first warp or CTA that goes round the L1. */
static unsigned first_passing(const struct mdb *m, bool by_ctas) {
    if (m->config->mdb.bypass == MDB_BYPASS_LIMIT) {
        return m->config->mdb.limit;
    }
    unsigned among = count_resident(m, by_ctas), count = m->config->mdb.count;
    return !count ? MDB_NUMBERS_MAX : among > count ? among - count : 0;
}

static void find_passing(struct mdb *m) {
    m->passing = 0;
    if (m->config->mdb.bypass == MDB_BYPASS_OFF) {
        return;
    }
    bool by_ctas = m->config->mdb.level == MDB_LEVEL_CTAS ||
                   (m->config->mdb.level == MDB_LEVEL_AUTO && m->ctas > 1);
    unsigned first = first_passing(m, by_ctas);
    if (first == MDB_NUMBERS_MAX) {
        return;
    }
    for (uint64_t left = m->live_warps; left; left &= left - 1) {
        unsigned w = (unsigned)__builtin_ctzll(left);
        if ((by_ctas ? m->cta[w] : m->number[w]) >= first) {
            m->passing |= left & -left;
        }
    }
}

void mdb_begin_warp(struct mdb *m, unsigned warp, unsigned cta_slot, unsigned number) {
    m->ctas += !m->live[cta_slot];
    m->begun[cta_slot] = (uint8_t)(number + 1); /* warps begin in order, all in one cycle */
    m->live[cta_slot]++;
    m->live_warps |= UINT64_C(1) << warp;
    m->number[warp] = (uint8_t)number;
    m->cta[warp] = (uint8_t)cta_slot;
    find_passing(m);
}

void mdb_end_warp(struct mdb *m, unsigned warp) {
    m->live_warps &= ~(UINT64_C(1) << warp);
    if (!--m->live[m->cta[warp]]) {
        m->ctas--;
        find_passing(m);
    }
}
