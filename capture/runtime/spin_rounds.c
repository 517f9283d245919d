/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs that wait in a loop whose iterations have barriers.
 */
#include <string.h>

#include "runtime/spin_internal.h"
#include "runtime/spin_state.h"

#define ROUNDS_FIRST 64 /* rounds before they are looked at, then after twice as many each time */
#define ROUNDS_SOON 4   /* the same behind a wait */
#define ROUNDS_PROBED (ROUND_PERIODS + 1)

void spin_note_in_round(unsigned thread, const struct thread_stream *s,
                        const struct spin_report *r) {
    struct rounds *of = &spin_now->rounds;
    uint64_t *hash = &of->hash[of->done];
    *hash = spin_mix_hash(spin_mix_hash(*hash, thread), r->word);
    if (!s->count) {
        const uint64_t state = spin_state_hash();
        of->exact &= state != 0;
        of->state[of->done] = spin_mix_hash(of->state[of->done], state);
    }
    if (r->at) {
        const struct seen now = spin_seen_by(r);
        *hash = spin_mix_hash(*hash, now.value);
        of->exact &= !now.of_host;
        if (!now.own) {
            spin_list_seen(&of->list, now);
        }
    }
}

bool spin_watches_rounds(void) {
    return spin_now->rounds.mode == ROUNDS_WATCH;
}

void spin_note_piece(unsigned warp, const struct thread_stream *streams) {
    struct rounds *r = &spin_now->rounds;
    if (r->mode != ROUNDS_PROBE) {
        return;
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        for (size_t i = 0; i < streams[lane].count; i++) {
            r->hash[r->done] =
                spin_mix_hash(r->hash[r->done], streams[lane].words[i] + warp * WARP_SIZE + lane);
        }
    }
}

static void begin_rounds(struct rounds *r, enum rounds_mode mode) {
    r->mode = mode;
    r->done = 0;
    r->exact = true;
    r->list.count = 0;
    memset(r->hash, 0, sizeof r->hash);
    memset(r->state, 0, sizeof r->state);
    if (mode == ROUNDS_WATCH) {
        recording_mark();
    }
    recording_look_at_all(mode == ROUNDS_WATCH);
}

static void probe_rounds_later(struct rounds *r, size_t step) {
    const bool watched = r->mode != ROUNDS_PROBE;
    r->mode = ROUNDS_RUN;
    r->step = step;
    r->next = r->count + step;
    if (watched) {
        recording_look_at_all(false);
    }
}

static bool are_rounds_equal(const uint64_t *hash, unsigned period) {
    for (unsigned i = period; i < ROUND_ITERATIONS * period; i++) {
        if (hash[i] != hash[i - period]) {
            return false;
        }
    }
    return true;
}

/* One of the last rounds was like one before. */
static bool may_be_periodic(const struct rounds *r) {
    const uint64_t *last = &r->hash[ROUNDS_PROBED - 1];
    for (unsigned period = 1; period <= ROUND_PERIODS; period++) {
        if (*last == *(last - period)) {
            return true;
        }
    }
    return false;
}

/* The watched rounds, from the first one on, are those of a loop that waits. */
static bool do_rounds_wait(struct rounds *r) {
    const unsigned period = r->done / ROUND_ITERATIONS;
    if (r->done % ROUND_ITERATIONS || !are_rounds_equal(r->hash, period)) {
        return false;
    }
    r->exact &= are_rounds_equal(r->state, period);
    r->waits_from = r->first[r->done - period];
    return r->list.count > r->waits_from;
}

bool spin_end_round(void) {
    struct rounds *r = &spin_now->rounds;
    r->count++;
    if (r->mode == ROUNDS_RUN) {
        if (r->count >= (r->next ? r->next : ROUNDS_FIRST)) {
            begin_rounds(r, recording_is_on() ? ROUNDS_PROBE : ROUNDS_WATCH);
        }
        return false;
    }
    r->first[++r->done] = r->list.count;
    if (r->mode == ROUNDS_WATCH && do_rounds_wait(r)) {
        r->mode = ROUNDS_WAIT;
        return true;
    }
    const size_t later = r->step ? 2 * r->step : ROUNDS_FIRST;
    if (r->done == ROUNDS_PROBED && !may_be_periodic(r)) {
        probe_rounds_later(r, later);
    } else if (r->done == ROUNDS_PROBED && r->mode == ROUNDS_PROBE) {
        begin_rounds(r, ROUNDS_WATCH);
    } else if (r->done == ROUNDS_WATCHED) {
        probe_rounds_later(r, later);
    }
    return false;
}

bool spin_rounds_are_over(void) {
    struct rounds *r = &spin_now->rounds;
    if (!spin_has_changed(&r->list, r->waits_from, false)) {
        return false;
    }
    spin_wait_count++;
    recording_cut();
    r->grant = 0;
    probe_rounds_later(r, ROUNDS_SOON);
    return true;
}

bool spin_grant_rounds(void) {
    struct rounds *r = &spin_now->rounds;
    if (r->exact) {
        return false;
    }
    r->grant = r->grant ? 2 * r->grant : ROUNDS_FIRST;
    probe_rounds_later(r, r->grant);
    return true;
}
