/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of runtime/spin.h: spin.c looks at threads, spin_rounds.c at CTAs, spin_seen.c keeps what
 * they read.
 */
#ifndef WARPMEM_RUNTIME_SPIN_INTERNAL_H
#define WARPMEM_RUNTIME_SPIN_INTERNAL_H

#include "runtime/capture.h"
#include "runtime/spin.h"
#include "kernel/insn.h"

/* Rounds are the times that a CTA comes to a barrier. */
#define ROUND_PERIODS 3    /* rounds of an iteration, at most */
#define ROUND_ITERATIONS 3 /* that must be equal */
#define ROUNDS_WATCHED (ROUND_PERIODS * ROUND_ITERATIONS)

/* An access, and a hash of what it found. */
struct seen {
    const char *at;
    uint32_t bytes;
    bool own;     /* of the CTA: shared or local memory */
    bool of_host; /* another thread of the host may write it */
    uint64_t value;
};
struct seen_list {
    struct seen *seen;
    size_t count, room;
};

/* A thread. Counts are words of its stream. */
struct spin {
    size_t period;         /* words of an iteration; 0: none is watched */
    size_t checked, index; /* watched so far; accesses of this iteration */
    size_t step, look_at;  /* 0: as at first */
    size_t grant;          /* the last one */
    bool exact;            /* registers and stack are equal in each iteration */
    bool over;
    bool met; /* in an iteration, the others of its warp */
    uint64_t state;
    struct seen_list list;
};

/* Watched rounds are slow, so first the words of some recorded ones are compared. */
enum rounds_mode { ROUNDS_RUN, ROUNDS_PROBE, ROUNDS_WATCH, ROUNDS_WAIT };
struct rounds {
    enum rounds_mode mode;
    size_t count, next, step; /* 0: as at first */
    size_t grant;
    unsigned done;
    uint64_t hash[ROUNDS_WATCHED + 1], state[ROUNDS_WATCHED + 1];
    size_t first[ROUNDS_WATCHED + 1]; /* in the list */
    size_t waits_from;
    bool exact;
    struct seen_list list;
};

struct spin_cta {
    struct spin thread[THREADS_MAX];
    uint32_t touched[THREADS_MAX / WARP_SIZE], waiting[THREADS_MAX / WARP_SIZE];
    struct rounds rounds;
};

/* The running CTA's. */
extern struct spin_cta *spin_now;

extern unsigned long long spin_wait_count; /* until now */

/** spin_mix_hash() - of what was hashed before and @value; another value gives another hash. */
static inline uint64_t spin_mix_hash(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static inline unsigned spin_kind_of_word(uint64_t word) {
    return (unsigned)(word >> RECORDER_KIND_SHIFT);
}

/** spin_seen_by() - an access, and what it finds now. */
struct seen spin_seen_by(const struct spin_report *r);
/** spin_list_seen() - append. */
void spin_list_seen(struct seen_list *l, struct seen s);
/** spin_has_changed() - an access from number @from on would find something else. @away: its CTA
 * does not run, so that its own memory is elsewhere, and as it was. */
bool spin_has_changed(const struct seen_list *l, size_t from, bool away);

/** spin_note_in_round() - a thread's report, while all are looked at. */
void spin_note_in_round(unsigned thread, const struct thread_stream *s,
                        const struct spin_report *r);

#endif
