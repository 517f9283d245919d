/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers of a CTA, of some of its warps, and of the grid.
 */
#include "runtime/cta_threads.h"
#include "runtime/memory.h"

/* Where a kernel calls __syncthreads() or barrier(). */
void __wm_barrier(void);
void __wm_barrier(void) {
    cta_wait_in(THREAD_AT_BARRIER);
}

/* Where a tile of several warps waits, those with threads @first to @first + @count - 1. */
void __wm_tile_barrier(unsigned first, unsigned count);
void __wm_tile_barrier(unsigned first, unsigned count) {
    cta_threads.tile[cta_running_thread()] = (struct cta_tile){first, count};
    cta_wait_in(THREAD_AT_TILE);
}

/* PTX's barrier with a number, of the first @count threads that come; 0: of the CTA's. */
void __wm_barrier_numbered(unsigned number, unsigned count);
void __wm_barrier_numbered(unsigned number, unsigned count) {
    __wm_tile_barrier(THREADS_MAX + number, count);
}

/* Where a thread would read a word until its bits @mask are no longer @value. */
void __wm_barrier_await(const volatile uint32_t *word, uint32_t mask, uint32_t value);
void __wm_barrier_await(const volatile uint32_t *word, uint32_t mask, uint32_t value) {
    cta_threads.awaited[cta_running_thread()] = (struct awaited_word){word, mask, value};
    cta_wait_in(THREAD_AT_WORD);
}

/* The second barrier of this_grid().sync(). */
void __wm_grid_barrier(void);
void __wm_grid_barrier(void) {
    cta_wait_in(THREAD_AT_GRID);
}

/* __syncthreads_count(): the sum of what the threads bring. */
int __wm_barrier_count(int brings);
int __wm_barrier_count(int brings) {
    cta_threads.brought_to_barrier += brings;
    __wm_barrier();
    return cta_threads.sum_of_barrier;
}

void barriers_release_cta(void) {
    struct cta_threads *c = &cta_threads;
    c->sum_of_barrier = c->brought_to_barrier;
    c->brought_to_barrier = 0;
    cta_change_state(0, c->count, THREAD_AT_BARRIER, THREAD_RUNS);
}

static unsigned end_of_tile(const struct cta_tile *t) {
    return t->first + t->count < cta_threads.count ? t->first + t->count : cta_threads.count;
}

static bool waits_at_number(unsigned t, unsigned number) {
    return cta_threads.state[t] == THREAD_AT_TILE && cta_threads.tile[t].first == number;
}

/* Threads at a barrier with a number wait for its count. */
static bool release_numbered(const struct cta_tile *of) {
    struct cta_threads *c = &cta_threads;
    unsigned here = 0;
    const unsigned wanted = of->count ? of->count : c->count - cta_threads_in(THREAD_ENDED),
                   number = of->first;
    for (unsigned t = 0; t < c->count; t++) {
        here += waits_at_number(t, number);
    }
    for (unsigned t = 0; here >= wanted && t < c->count; t++) {
        if (waits_at_number(t, number)) {
            c->state[t] = THREAD_RUNS;
        }
    }
    return here >= wanted;
}

/* All of its threads wait at its barrier, or have ended. */
static bool is_whole_tile(const struct cta_tile *of) {
    const struct cta_threads *c = &cta_threads;
    for (unsigned t = of->first; t < end_of_tile(of); t++) {
        bool here = c->state[t] == THREAD_AT_TILE && c->tile[t].count == of->count;
        if (!here && c->state[t] != THREAD_ENDED) {
            return false;
        }
    }
    return true;
}

static bool has_word_changed(const struct awaited_word *a) {
    return (*a->word & a->mask) != a->value;
}

bool barriers_release_some(void) {
    struct cta_threads *c = &cta_threads;
    bool any = false;
    for (unsigned t = 0; t < c->count; t++) {
        if (c->state[t] == THREAD_AT_WORD && has_word_changed(&c->awaited[t])) {
            c->state[t] = THREAD_RUNS;
            any = true;
        } else if (c->state[t] == THREAD_AT_TILE && c->tile[t].first >= THREADS_MAX) {
            any |= release_numbered(&c->tile[t]);
        } else if (c->state[t] == THREAD_AT_TILE && is_whole_tile(&c->tile[t])) {
            cta_change_state(c->tile[t].first, end_of_tile(&c->tile[t]), THREAD_AT_TILE,
                             THREAD_RUNS);
            any = true;
        }
    }
    return any;
}

bool barriers_await_device(const struct cta_threads *c, bool changed) {
    for (unsigned t = 0; t < c->count; t++) {
        const void *word = (const void *)(uintptr_t)c->awaited[t].word;
        if (c->state[t] == THREAD_AT_WORD && (memory_is_device(word) || variable_at(word)) &&
            (!changed || has_word_changed(&c->awaited[t]))) {
            return true;
        }
    }
    return false;
}
