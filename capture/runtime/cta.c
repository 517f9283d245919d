/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/cta.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/fibre.h"
#include "runtime/kept.h"
#include "runtime/meeting.h"
#include "kernel/insn.h"

struct cta_threads cta_threads;

static struct fibre fibre[THREADS_MAX];
static unsigned fibre_count;
static struct fibre *now; /* the fibre that runs */
static jmp_buf end_of_thread;
static unsigned threads_ended; /* of a CTA whose threads share a stack */

/* The launch: */
static void **arguments_of_launch;
static void (*call_of_launch)(void **arguments);
static bool has_own_stacks;
static size_t dynamic_shared_of_launch;

static void make_fibres(unsigned count) {
    for (; fibre_count < count; fibre_count++) {
        if (!fibre_init(&fibre[fibre_count])) {
            capture_fail("no memory for the stacks of %u threads", count);
        }
    }
}

void cta_prepare(void (*call)(void **arguments), void **arguments, bool own_stacks,
                 size_t dynamic_shared) {
    call_of_launch = call;
    arguments_of_launch = arguments;
    has_own_stacks = own_stacks;
    dynamic_shared_of_launch = dynamic_shared;
    cta_threads.count = running.block.x * running.block.y * running.block.z;
    make_fibres(own_stacks ? cta_threads.count : 1);
}

bool cta_has_own_stacks(void) {
    return has_own_stacks;
}

static void select_thread(unsigned t) {
    const struct size3 b = running.block;
    running.thread = (struct size3){t % b.x, t / b.x % b.y, t / b.x / b.y};
}

/* --- threads that share a stack --- */

static void end_own_stack(void) {
    cta_threads.state[now - fibre] = THREAD_ENDED;
    fibre_wait(now);
}

/* If it waited, it has the stack as its own. The kernels' local memory lies above the frame of the
 * caller, whose size is then no matter of this function. */
static __attribute__((noinline)) void end_one_of_all(void) {
    if (has_own_stacks) {
        end_own_stack();
    }
    const unsigned t = threads_ended++;
    if (t % WARP_SIZE == WARP_SIZE - 1 || t == cta_threads.count - 1) {
        recording_align(t / WARP_SIZE);
    }
}

/* All threads, on one stack; the warps are aligned as they end. The first one that waits gets this
 * stack as its own. */
static void run_all_threads(void) {
    threads_ended = 0;
    if (setjmp(end_of_thread)) { /* it has failed */
        end_one_of_all();
    }
    while (threads_ended < cta_threads.count) {
        select_thread(threads_ended);
        recording_select(threads_ended, now->stack, FIBRE_STACK_BYTES);
        call_of_launch(arguments_of_launch);
        end_one_of_all();
    }
    fibre_wait(now);
}

static void run_one_thread(void) {
    call_of_launch(arguments_of_launch);
    end_own_stack();
}

static void start_threads(unsigned first) {
    for (unsigned t = first; t < cta_threads.count; t++) {
        cta_threads.state[t] = THREAD_RUNS;
        fibre_start(&fibre[t], run_one_thread);
    }
}

static void exchange_stacks(struct fibre *a, struct fibre *b) {
    const struct fibre was = *a;
    *a = *b;
    *b = was;
}

/* The running thread keeps the stack, those before it have ended, and the others get stacks. */
static void give_own_stacks(void) {
    const unsigned t = threads_ended;
    make_fibres(cta_threads.count);
    exchange_stacks(&fibre[0], &fibre[t]);
    now = &fibre[t];
    for (unsigned before = 0; before < t; before++) {
        cta_threads.state[before] = THREAD_ENDED;
    }
    start_threads(t + 1);
    has_own_stacks = true;
    recording_own_streams(t);
}

void cta_end_thread(void) {
    if (!has_own_stacks) {
        longjmp(end_of_thread, 1);
    }
    for (;;) { /* nothing resumes it */
        end_own_stack();
    }
}

/* --- states --- */

unsigned cta_running_thread(void) {
    return (unsigned)(now - fibre);
}

void cta_wait_in(enum thread_state s) {
    cta_threads.state[now - fibre] = (uint8_t)s;
    fibre_wait(now);
}

void cta_yield(void) {
    if (!has_own_stacks) {
        give_own_stacks();
    }
    cta_wait_in(THREAD_SPINS);
}

void launch_meet(void) {
    spin_note_meeting(cta_running_thread());
    cta_wait_in(THREAD_AT_MEETING);
}

unsigned launch_lane(void) {
    return (unsigned)(now - fibre) % WARP_SIZE;
}

unsigned cta_threads_in(enum thread_state s) {
    unsigned count = 0;
    for (unsigned t = 0; t < cta_threads.count; t++) {
        count += cta_threads.state[t] == s;
    }
    return count;
}

void cta_change_state(unsigned first, unsigned end, enum thread_state from, enum thread_state to) {
    for (unsigned t = first; t < end; t++) {
        if (cta_threads.state[t] == from) {
            cta_threads.state[t] = (uint8_t)to;
        }
    }
}

/* --- warps --- */

static void resume_thread(unsigned t) {
    now = &fibre[t];
    select_thread(t);
    recording_select(t, now->stack, FIBRE_STACK_BYTES);
    fibre_resume(now);
}

/* Lanes that are in a state, a bit each. */
static uint32_t lanes_in(unsigned warp, enum thread_state wanted) {
    uint32_t lanes = 0;
    for (unsigned l = 0; l < WARP_SIZE && warp * WARP_SIZE + l < cta_threads.count; l++) {
        lanes |= (uint32_t)(cta_threads.state[warp * WARP_SIZE + l] == wanted) << l;
    }
    return lanes;
}

/* Runs all lanes of a warp to their next barrier or end, or until they wait in a loop. */
static void run_warp(unsigned warp) {
    uint32_t lanes;
    meeting_select(warp);
    while ((lanes = lanes_in(warp, THREAD_RUNS))) {
        for (; lanes; lanes &= lanes - 1) {
            resume_thread(warp * WARP_SIZE + (unsigned)__builtin_ctz(lanes));
        }
        const uint32_t waiting = lanes_in(warp, THREAD_AT_MEETING);
        uint32_t go = waiting ? meeting_release(waiting, lanes_in(warp, THREAD_ENDED)) : 0;
        if (waiting && !go && !lanes_in(warp, THREAD_RUNS) && !lanes_in(warp, THREAD_SPINS)) {
            capture_fail("kernel %s, CTA %u,%u,%u, warp %u: lanes wait for others that do not come "
                         "to a shuffle or vote",
                         running_kernel->name, running.cta.x, running.cta.y, running.cta.z, warp);
        }
        for (; go; go &= go - 1) {
            cta_threads.state[warp * WARP_SIZE + (unsigned)__builtin_ctz(go)] = THREAD_RUNS;
        }
    }
}

/* Its records are made when all lanes have come to a barrier, or ended. */
static void run_warps(void) {
    struct cta_threads *c = &cta_threads;
    for (unsigned warp = 0; warp * WARP_SIZE < c->count; warp++) {
        if (lanes_in(warp, THREAD_RUNS)) {
            run_warp(warp);
            c->aligns[warp] = true;
        }
        if (c->aligns[warp] && !lanes_in(warp, THREAD_SPINS) &&
            !lanes_in(warp, THREAD_AT_MEETING)) {
            recording_align(warp);
            c->aligns[warp] = false;
        }
    }
}

/* Those that wait in a loop, and for which something has changed. */
static bool resume_spinning(void) {
    bool any = false;
    for (unsigned t = 0; t < cta_threads.count; t++) {
        if (cta_threads.state[t] == THREAD_SPINS && spin_is_over(t)) {
            recording_continue_thread(t);
            cta_threads.state[t] = THREAD_RUNS;
            any = true;
        }
    }
    return any;
}

static _Noreturn void fail_barrier(void) {
    capture_fail("kernel %s, CTA %u,%u,%u: threads wait for others that do not come to a barrier, "
                 "a tile or the grid",
                 running_kernel->name, running.cta.x, running.cta.y, running.cta.z);
}

/* Runs the CTA until it ends or waits. */
static enum cta_end run_threads(void) {
    for (;;) {
        run_warps();
        if (barriers_release_some() || resume_spinning()) {
            continue;
        }
        const unsigned at_barrier = cta_threads_in(THREAD_AT_BARRIER),
                       at_grid = cta_threads_in(THREAD_AT_GRID);
        if (cta_threads_in(THREAD_SPINS) || barriers_await_device(&cta_threads, false)) {
            return CTA_WAITS;
        }
        if (cta_threads_in(THREAD_AT_TILE) || cta_threads_in(THREAD_AT_WORD) ||
            (at_barrier && at_grid)) {
            fail_barrier();
        }
        if (!at_barrier) {
            return at_grid ? CTA_AT_GRID : CTA_ENDED;
        }
        if (spin_end_round()) {
            cta_threads.rounds_wait = true;
            return CTA_WAITS;
        }
        barriers_release_cta();
    }
}

/* --- CTAs --- */

static void select_cta(unsigned cta) {
    const struct size3 g = running.grid;
    running.cta = (struct size3){cta % g.x, cta / g.x % g.y, cta / g.x / g.y};
}

static enum cta_end end_run(enum cta_end end) {
    if (end == CTA_ENDED) {
        recording_end_cta();
    }
    return end;
}

enum cta_end cta_begin(unsigned cta, bool recorded) {
    struct cta_threads *c = &cta_threads;
    select_cta(cta);
    recording_begin_cta(cta, recorded, has_own_stacks);
    for (unsigned warp = 0; warp * WARP_SIZE < c->count; warp++) {
        c->aligns[warp] = false;
    }
    c->brought_to_barrier = 0;
    c->rounds_wait = false;
    if (has_own_stacks) {
        start_threads(0);
        return end_run(run_threads());
    }
    now = &fibre[0];
    fibre_start(now, run_all_threads);
    fibre_resume(now);
    if (has_own_stacks) { /* since now */
        c->aligns[cta_running_thread() / WARP_SIZE] = true;
        return end_run(run_threads());
    }
    return end_run(CTA_ENDED);
}

/* Nothing has changed, and threads may run on for a while. */
static void grant_threads(void) {
    for (unsigned t = 0; t < cta_threads.count; t++) {
        if (cta_threads.state[t] == THREAD_SPINS && spin_grant(t)) {
            recording_continue_thread(t);
            cta_threads.state[t] = THREAD_RUNS;
        }
    }
}

enum cta_end cta_continue(struct kept_cta *k, bool released, bool granted) {
    kept_restore(k, fibre, dynamic_shared_of_launch);
    select_cta(k->cta);
    spin_return(k->spin);
    k->spin = NULL;
    recording_return_cta(k->cta, k->recorded, k->recording);
    if (released) {
        cta_change_state(0, cta_threads.count, THREAD_AT_GRID, THREAD_RUNS);
    }
    if (cta_threads.rounds_wait) {
        cta_threads.rounds_wait = !(granted ? spin_grant_rounds() : spin_rounds_are_over());
        if (cta_threads.rounds_wait) {
            return CTA_WAITS;
        }
        barriers_release_cta();
    } else if (granted) {
        grant_threads();
    }
    return end_run(run_threads());
}

struct kept_cta *cta_keep(struct kept_cta *old) {
    struct kept_cta *k = old ? old : calloc(1, sizeof *k);
    if (!k) {
        capture_fail("kernel %s: no memory for the CTAs that wait for others",
                     running_kernel->name);
    }
    k->cta = launch_cta();
    k->recorded = recording_is_on();
    kept_save(k, fibre, dynamic_shared_of_launch);
    k->spin = spin_keep();
    k->recording = recording_keep_cta(k->recording);
    return k;
}

void cta_drop_kept(struct kept_cta *k) {
    if (k) {
        spin_drop(k->spin);
        recording_drop_kept(k->recording);
        free(k->bytes);
        free(k);
    }
}

/* The first thread that waits in a loop, or at the barrier of one. */
void cta_fail_hang(struct kept_cta *k, const char *others) {
    unsigned t = 0, line;
    kept_restore(k, fibre, dynamic_shared_of_launch);
    spin_return(k->spin);
    recording_return_cta(k->cta, k->recorded, k->recording);
    select_cta(k->cta);
    const enum thread_state wanted = cta_threads.rounds_wait ? THREAD_AT_BARRIER : THREAD_SPINS;
    while (t < cta_threads.count && cta_threads.state[t] != wanted) {
        t++;
    }
    if (t == cta_threads.count) {
        fail_barrier();
    }
    recording_select(t, fibre[t].stack, FIBRE_STACK_BYTES);
    const char *file = recording_place(&line);
    capture_fail("%s:%u or near: kernel %s, CTA %u, thread %u: waits in a loop for ever: no thread "
                 "that runs changes what it reads%s",
                 file, line, running_kernel->name, k->cta, t, others);
}

bool cta_may_continue(const struct kept_cta *k) {
    return spin_other_is_over(k->spin) || barriers_await_device(&k->threads, true);
}

bool cta_can_be_granted(const struct kept_cta *k) {
    return spin_other_can_be_granted(k->spin);
}
