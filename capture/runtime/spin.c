/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/spin.h"

#include <stdlib.h>

#include "runtime/recording_now.h"
#include "runtime/spin_internal.h"
#include "runtime/spin_state.h"

/* A thread is looked at when it has recorded so many words, then after twice as many each time. */
#define LOOK_FIRST ((size_t)512)
#define LOOK_STEP_MAX ((size_t)64 << 10)
#define WINDOW ((size_t)16 << 10)   /* words in which equal iterations are searched */
#define ITERATIONS_RECORDED 3       /* that must be equal */
#define ITERATIONS_WATCHED 4        /* likewise, with what they read */
#define ITERATIONS_KEPT 1           /* in the trace, of those that were in vain */
#define LONG_RUN ((size_t)16 << 20) /* words, or blocks: other threads run first */
#define GRANT_FIRST ((size_t)4 << 10)

struct spin_cta *spin_now;
unsigned long long spin_wait_count;

static size_t least_size(size_t a, size_t b) {
    return a < b ? a : b;
}

static void set_lane(uint32_t *lanes, unsigned thread, bool on) {
    const uint32_t lane = UINT32_C(1) << thread % WARP_SIZE;
    uint32_t *word = &lanes[thread / WARP_SIZE];
    *word = on ? *word | lane : *word & ~lane;
}

/* --- a thread --- */

size_t spin_first_limit(void) {
    return spin_now->rounds.mode == ROUNDS_WATCH ? 0 : LOOK_FIRST;
}

static size_t look_of(const struct spin *s) {
    return s->look_at ? s->look_at : LOOK_FIRST;
}

static void look_later(struct spin *spin, size_t count, size_t step) {
    spin->period = 0;
    spin->step = step;
    spin->look_at = count + step;
}

static void look_after_twice(struct spin *spin, size_t count) {
    look_later(spin, count, least_size(spin->step ? 2 * spin->step : LOOK_FIRST, LOOK_STEP_MAX));
}

size_t spin_limit(unsigned thread, const struct thread_stream *s) {
    const struct spin *spin = &spin_now->thread[thread];
    return spin_now->rounds.mode == ROUNDS_WATCH || spin->period
               ? s->count
               : least_size(s->room, look_of(spin));
}

/* Others can change only global and shared memory. */
static bool reads_for_others(const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const unsigned kind = spin_kind_of_word(words[i]);
        if (kind == SPACE_GLOBAL || kind == SPACE_SHARED) {
            return true;
        }
    }
    return false;
}

/* Words of an iteration; 0: the last ones are not equal, or read nothing that changes. */
static size_t find_period(const uint64_t *words, size_t count) {
    const size_t window = least_size(count, WINDOW);
    const uint64_t *last = words + count - 1;
    size_t compared = 0;
    for (size_t period = 1; period * ITERATIONS_RECORDED <= window && compared < WINDOW; period++) {
        if (last[-(ptrdiff_t)period] != *last) {
            continue;
        }
        const size_t equal = (ITERATIONS_RECORDED - 1) * period;
        size_t i = 1;
        while (i < equal && *(last - i) == *(last - i - period)) {
            i++;
        }
        if (i == equal) {
            return reads_for_others(last + 1 - period, period) ? period : 0;
        }
        compared += i;
    }
    return 0;
}

/* A thread that records nothing is looked at for a short time, and the next time is later. */
static bool ends_look(struct spin *spin, size_t count) {
    const uint32_t gap = recording_now.here->gap;
    if (recording_is_on() || spin_now->rounds.mode == ROUNDS_WATCH ||
        count < least_size(WINDOW, gap / 4)) {
        return false;
    }
    spin->look_at = spin->step = 0;
    recording_end_look();
    return true;
}

/* It repeats nothing that is known, but perhaps waits in a long loop: once in a while the others
 * run first. */
static bool has_run_long(const struct spin *spin, size_t count) {
    return count / LONG_RUN != (count - least_size(count, spin->step)) / LONG_RUN;
}

/* No iteration was found. */
static bool look_again(struct spin *spin, size_t count) {
    spin->exact = false;
    if (ends_look(spin, count)) {
        return recording_now.here->gap >= LONG_RUN;
    }
    const bool yields = has_run_long(spin, count);
    look_after_twice(spin, count);
    return yields;
}

static bool watch_word(struct spin *spin, const struct thread_stream *s,
                       const struct spin_report *r) {
    const size_t place = spin->checked % spin->period;
    if (r->word != s->words[s->count - spin->period]) {
        look_after_twice(spin, s->count);
        return false;
    }
    if (!place) {
        const uint64_t state = spin_state_hash();
        if (spin->checked == ITERATIONS_WATCHED * spin->period) {
            return true;
        }
        spin->exact = state && (!spin->checked || (spin->exact && state == spin->state));
        spin->state = state;
        spin->index = 0;
    }
    if (r->at) {
        const struct seen now = spin_seen_by(r);
        if (spin->checked < spin->period) {
            spin_list_seen(&spin->list, now);
            spin->exact &= !now.of_host;
        } else if (spin->list.seen[spin->index].value != now.value) { /* by its own store */
            look_after_twice(spin, s->count);
            return false;
        }
        spin->index++;
    }
    spin->checked++;
    return false;
}

bool spin_must_yield(unsigned thread, struct thread_stream *s, const struct spin_report *r) {
    struct spin *spin = &spin_now->thread[thread];
    bool yields = false;
    set_lane(spin_now->touched, thread, true);
    if (spin_now->rounds.mode == ROUNDS_WATCH) {
        spin_note_in_round(thread, s, r);
    }
    if (spin->period) {
        yields = watch_word(spin, s, r);
    } else if (s->count >= look_of(spin)) {
        spin->period = find_period(s->words, s->count);
        spin->checked = spin->list.count = 0;
        spin->met = false;
        yields = spin->period ? watch_word(spin, s, r) : look_again(spin, s->count);
    }
    if (yields) {
        set_lane(spin_now->waiting, thread, true);
    }
    return yields;
}

bool spin_is_over(unsigned thread) {
    struct spin *spin = &spin_now->thread[thread];
    return spin->over = spin_has_changed(&spin->list, 0, false);
}

/* The equal iterations at the end, but for those that are kept. */
static size_t words_of_wait(const struct spin *spin, const struct thread_stream *s) {
    const uint64_t *last = s->words + s->count - 1;
    size_t equal = spin->period;
    while (equal < s->count && *(last - equal) == *(last - equal + spin->period)) {
        equal++;
    }
    return (equal / spin->period - ITERATIONS_KEPT) * spin->period;
}

bool spin_continue(unsigned thread, struct thread_stream *s) {
    struct spin *spin = &spin_now->thread[thread];
    set_lane(spin_now->waiting, thread, false);
    if (!spin->over) {
        look_later(spin, s->count, spin->step ? spin->step : LOOK_FIRST);
        return false;
    }
    spin_wait_count++;
    s->count -= spin->period && !spin->met ? words_of_wait(spin, s) : 0;
    spin->over = false;
    spin->grant = 0;
    look_later(spin, s->count, LOOK_FIRST);
    return true;
}

void spin_note_meeting(unsigned thread) {
    spin_now->thread[thread].met = true;
}

bool spin_grant(unsigned thread) {
    struct spin *spin = &spin_now->thread[thread];
    if (spin->exact) {
        return false;
    }
    spin->over = false;
    spin->grant = spin->grant ? least_size(2 * spin->grant, LONG_RUN) : GRANT_FIRST;
    spin->step = spin->grant;
    return true;
}

/* --- CTAs --- */

static void forget_thread(struct spin *spin) {
    spin->period = spin->step = spin->look_at = spin->grant = 0;
    spin->over = false;
}

void spin_end_piece(unsigned warp) {
    for (uint32_t l = spin_now->touched[warp]; l; l &= l - 1) {
        forget_thread(&spin_now->thread[warp * WARP_SIZE + (unsigned)__builtin_ctz(l)]);
    }
    spin_now->touched[warp] = spin_now->waiting[warp] = 0;
}

bool spin_has_looked(unsigned warp) {
    return spin_now->touched[warp];
}

static struct spin_cta *new_spin_cta(void) {
    struct spin_cta *c = calloc(1, sizeof *c);
    if (!c) {
        capture_fail("kernel %s: no memory for what its threads wait for", running_kernel->name);
    }
    return c;
}

void spin_begin_cta(void) {
    spin_now = spin_now ? spin_now : new_spin_cta();
    for (unsigned warp = 0; warp < THREADS_MAX / WARP_SIZE; warp++) {
        spin_end_piece(warp);
    }
    const struct seen_list list = spin_now->rounds.list;
    spin_now->rounds = (struct rounds){.list = list};
}

void spin_drop(struct spin_cta *c) {
    for (unsigned t = 0; c && t < THREADS_MAX; t++) {
        free(c->thread[t].list.seen);
    }
    if (c) {
        free(c->rounds.list.seen);
        free(c);
    }
}

struct spin_cta *spin_keep(void) {
    struct spin_cta *kept = spin_now;
    spin_now = NULL;
    return kept;
}

void spin_return(struct spin_cta *c) {
    spin_drop(spin_now);
    spin_now = c;
}

bool spin_other_is_over(const struct spin_cta *c) {
    if (c->rounds.mode == ROUNDS_WAIT) {
        return spin_has_changed(&c->rounds.list, c->rounds.waits_from, true);
    }
    for (unsigned warp = 0; warp < THREADS_MAX / WARP_SIZE; warp++) {
        for (uint32_t l = c->waiting[warp]; l; l &= l - 1) {
            const unsigned t = warp * WARP_SIZE + (unsigned)__builtin_ctz(l);
            if (spin_has_changed(&c->thread[t].list, 0, true)) {
                return true;
            }
        }
    }
    return false;
}

unsigned long long spin_waits(void) {
    return spin_wait_count;
}

bool spin_other_can_be_granted(const struct spin_cta *c) {
    if (c->rounds.mode == ROUNDS_WAIT) {
        return !c->rounds.exact;
    }
    for (unsigned warp = 0; warp < THREADS_MAX / WARP_SIZE; warp++) {
        for (uint32_t l = c->waiting[warp]; l; l &= l - 1) {
            if (!c->thread[warp * WARP_SIZE + (unsigned)__builtin_ctz(l)].exact) {
                return true;
            }
        }
    }
    return false;
}
