/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a kernel's CTAs one after another, and a CTA's threads one after another up to the next
 * barrier. Without a barrier all threads use one stack. CTAs of a whole grid take turns at its
 * barriers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/capture.h"
#include "runtime/check.h"
#include "runtime/children.h"
#include "runtime/cooperative.h"
#include "runtime/fault.h"
#include "runtime/fibre.h"
#include "runtime/hold.h"
#include "runtime/meeting.h"
#include "kernel/insn.h"

struct running_thread running;
const struct kernel *running_kernel;

bool launch_errors_return;
_Atomic enum launch_fault launch_failed;
static jmp_buf end_of_launch, end_of_thread;
static bool has_failed_thread;
static unsigned threads_ended; /* of a CTA without barriers */
static _Thread_local bool is_here;

static struct fibre fibre[THREADS_MAX];
static unsigned fibre_count;
static struct fibre *now; /* the fibre that runs */
static enum thread_state {
    THREAD_RUNS,
    THREAD_AT_BARRIER,
    THREAD_AT_TILE,    /* at a barrier of some warps, or one with a number */
    THREAD_AT_WORD,    /* until bits of a word have another value */
    THREAD_AT_GRID,    /* at a barrier of the grid */
    THREAD_AT_MEETING, /* of its warp: runtime/meeting.h */
    THREAD_ENDED
} state[THREADS_MAX];
static struct tile { unsigned first, count; } tile[THREADS_MAX];
static struct awaited {
    const volatile uint32_t *word;
    uint32_t mask, value;
} awaited[THREADS_MAX];
static void **arguments_of_launch;
static void (*call_of_launch)(void **arguments);
static unsigned threads_of_cta;
static int brought_to_barrier, sum_of_barrier;

static void make_fibres(unsigned count) {
    for (; fibre_count < count; fibre_count++) {
        if (!fibre_init(&fibre[fibre_count])) {
            capture_fail("no memory for the stacks of %u threads", count);
        }
    }
}

static void select_thread(unsigned t) {
    const struct size3 b = running.block;
    running.thread = (struct size3){t % b.x, t / b.x % b.y, t / b.x / b.y};
}

static void end_one_of_all(void) {
    const unsigned t = threads_ended++;
    if (t % WARP_SIZE == WARP_SIZE - 1 || t == threads_of_cta - 1) {
        recording_align(t / WARP_SIZE);
    }
}

/* All threads, on one stack; the warps are aligned as they end. */
static void run_all_threads(void) {
    threads_ended = 0;
    if (setjmp(end_of_thread)) { /* it has failed */
        end_one_of_all();
    }
    while (threads_ended < threads_of_cta) {
        select_thread(threads_ended);
        recording_select(threads_ended, now->stack, FIBRE_STACK_BYTES);
        call_of_launch(arguments_of_launch);
        end_one_of_all();
    }
    fibre_wait(now);
}

static void run_without_barriers(void) {
    now = &fibre[0];
    fibre_start(now, run_all_threads);
    fibre_resume(now);
}

static void run_one_thread(void) {
    call_of_launch(arguments_of_launch);
    state[now - fibre] = THREAD_ENDED;
    fibre_wait(now);
}

/* Where a kernel calls __syncthreads() or barrier(). */
void __wm_barrier(void);
void __wm_barrier(void) {
    state[now - fibre] = THREAD_AT_BARRIER;
    fibre_wait(now);
}

/* Where a tile of several warps waits, those with threads @first to @first + @count - 1. */
void __wm_tile_barrier(unsigned first, unsigned count);
void __wm_tile_barrier(unsigned first, unsigned count) {
    tile[now - fibre] = (struct tile){first, count};
    state[now - fibre] = THREAD_AT_TILE;
    fibre_wait(now);
}

/* PTX's barrier with a number, of the first @count threads that come; 0: of the CTA's. */
void __wm_barrier_numbered(unsigned number, unsigned count);
void __wm_barrier_numbered(unsigned number, unsigned count) {
    __wm_tile_barrier(THREADS_MAX + number, count);
}

/* Where a thread would read a word until its bits @mask are no longer @value. */
void __wm_barrier_await(const volatile uint32_t *word, uint32_t mask, uint32_t value);
void __wm_barrier_await(const volatile uint32_t *word, uint32_t mask, uint32_t value) {
    awaited[now - fibre] = (struct awaited){word, mask, value};
    state[now - fibre] = THREAD_AT_WORD;
    fibre_wait(now);
}

/* The second barrier of this_grid().sync(). */
void __wm_grid_barrier(void);
void __wm_grid_barrier(void) {
    state[now - fibre] = THREAD_AT_GRID;
    fibre_wait(now);
}

/* __syncthreads_count(): the sum of what the threads bring. */
int __wm_barrier_count(int brings);
int __wm_barrier_count(int brings) {
    brought_to_barrier += brings;
    __wm_barrier();
    return sum_of_barrier;
}

void launch_meet(void) {
    state[now - fibre] = THREAD_AT_MEETING;
    fibre_wait(now);
}

unsigned launch_lane(void) {
    return (unsigned)(now - fibre) % WARP_SIZE;
}

static void resume_thread(unsigned t) {
    now = &fibre[t];
    select_thread(t);
    recording_select(t, now->stack, FIBRE_STACK_BYTES);
    fibre_resume(now);
}

/* Lanes that are in a state, a bit each. */
static uint32_t lanes_in(unsigned warp, enum thread_state wanted) {
    uint32_t lanes = 0;
    for (unsigned l = 0; l < WARP_SIZE && warp * WARP_SIZE + l < threads_of_cta; l++) {
        lanes |= (uint32_t)(state[warp * WARP_SIZE + l] == wanted) << l;
    }
    return lanes;
}

/* Runs all lanes of a warp to their next barrier or end. */
static void run_warp(unsigned warp) {
    uint32_t lanes;
    while ((lanes = lanes_in(warp, THREAD_RUNS))) {
        for (; lanes; lanes &= lanes - 1) {
            resume_thread(warp * WARP_SIZE + (unsigned)__builtin_ctz(lanes));
        }
        const uint32_t waiting = lanes_in(warp, THREAD_AT_MEETING);
        uint32_t go = waiting ? meeting_release(waiting, lanes_in(warp, THREAD_ENDED)) : 0;
        if (waiting && !go && !lanes_in(warp, THREAD_RUNS)) {
            capture_fail("kernel %s, CTA %u,%u,%u, warp %u: lanes wait for others that do not come "
                         "to a shuffle or vote",
                         running_kernel->name, running.cta.x, running.cta.y, running.cta.z, warp);
        }
        for (; go; go &= go - 1) {
            state[warp * WARP_SIZE + (unsigned)__builtin_ctz(go)] = THREAD_RUNS;
        }
    }
}

static void start_threads(void) {
    for (unsigned t = 0; t < threads_of_cta; t++) {
        state[t] = THREAD_RUNS;
        fibre_start(&fibre[t], run_one_thread);
    }
}

static unsigned threads_in(enum thread_state wanted) {
    unsigned count = 0;
    for (unsigned t = 0; t < threads_of_cta; t++) {
        count += state[t] == wanted;
    }
    return count;
}

static void change_state(unsigned first, unsigned end, enum thread_state from,
                         enum thread_state to) {
    for (unsigned t = first; t < end; t++) {
        state[t] = state[t] == from ? to : state[t];
    }
}

static unsigned end_of_tile(const struct tile *t) {
    return t->first + t->count < threads_of_cta ? t->first + t->count : threads_of_cta;
}

/* Threads at a barrier with a number wait for its count. */
static bool release_numbered(const struct tile *of) {
    unsigned here = 0;
    const unsigned wanted = of->count ? of->count : threads_of_cta - threads_in(THREAD_ENDED),
                   number = of->first;
    for (unsigned t = 0; t < threads_of_cta; t++) {
        here += state[t] == THREAD_AT_TILE && tile[t].first == number;
    }
    for (unsigned t = 0; here >= wanted && t < threads_of_cta; t++) {
        state[t] = state[t] == THREAD_AT_TILE && tile[t].first == number ? THREAD_RUNS : state[t];
    }
    return here >= wanted;
}

/* All of its threads wait at its barrier, or have ended. */
static bool is_whole_tile(const struct tile *of) {
    for (unsigned t = of->first; t < end_of_tile(of); t++) {
        bool here = state[t] == THREAD_AT_TILE && tile[t].count == of->count;
        if (!here && state[t] != THREAD_ENDED) {
            return false;
        }
    }
    return true;
}

static bool release_waiting(void) {
    bool any = false;
    for (unsigned t = 0; t < threads_of_cta; t++) {
        const struct awaited *a = &awaited[t];
        if (state[t] == THREAD_AT_WORD && (*a->word & a->mask) != a->value) {
            state[t] = THREAD_RUNS;
            any = true;
        } else if (state[t] == THREAD_AT_TILE && tile[t].first >= THREADS_MAX) {
            any |= release_numbered(&tile[t]);
        } else if (state[t] == THREAD_AT_TILE && is_whole_tile(&tile[t])) {
            change_state(tile[t].first, end_of_tile(&tile[t]), THREAD_AT_TILE, THREAD_RUNS);
            any = true;
        }
    }
    return any;
}

/* Runs the CTA to its end, or to a barrier of the grid. Return: true if it waits there. */
static bool run_with_barriers(void) {
    for (brought_to_barrier = 0;;) {
        for (unsigned warp = 0; warp * WARP_SIZE < threads_of_cta; warp++) {
            if (lanes_in(warp, THREAD_RUNS)) {
                run_warp(warp);
                recording_align(warp);
            }
        }
        if (release_waiting()) {
            continue;
        }
        const unsigned at_barrier = threads_in(THREAD_AT_BARRIER),
                       at_grid = threads_in(THREAD_AT_GRID);
        if (threads_in(THREAD_AT_TILE) || threads_in(THREAD_AT_WORD) || (at_barrier && at_grid)) {
            capture_fail("kernel %s, CTA %u,%u,%u: threads wait for others that do not come to a "
                         "barrier, a tile or the grid",
                         running_kernel->name, running.cta.x, running.cta.y, running.cta.z);
        }
        if (!at_barrier) {
            return at_grid;
        }
        sum_of_barrier = brought_to_barrier;
        brought_to_barrier = 0;
        change_state(0, threads_of_cta, THREAD_AT_BARRIER, THREAD_RUNS);
    }
}

bool launch_is_possible(struct size3 g, struct size3 b, size_t dynamic_shared) {
    const uint64_t threads = (uint64_t)b.x * b.y * b.z,
                   ctas = (uint64_t)g.x * g.y <= INT32_MAX ? (uint64_t)g.x * g.y * g.z : 0;
    return threads && threads <= THREADS_MAX && b.x <= THREADS_MAX && b.y <= THREADS_MAX &&
           b.z <= 64 && ctas && ctas <= INT32_MAX && dynamic_shared <= MODULE_DYNAMIC_SHARED;
}

static void select_cta(unsigned cta) {
    const struct size3 g = running.grid;
    running.cta = (struct size3){cta % g.x, cta / g.x % g.y, cta / g.x / g.y};
}

static unsigned ctas_of_grid(void) {
    return running.grid.x * running.grid.y * running.grid.z;
}

static void run_ctas(bool recorded) {
    for (unsigned cta = 0; cta < ctas_of_grid(); cta++) {
        select_cta(cta);
        const bool takes = recorded && recording_takes_cta(cta);
        if (takes) {
            recording_begin_cta(cta);
        }
        if (running_kernel->has_barrier) {
            start_threads();
            run_with_barriers();
        } else {
            run_without_barriers();
        }
        if (takes) {
            recording_end_cta();
        }
    }
}

unsigned launch_cta(void) {
    return running.cta.x + running.grid.x * (running.cta.y + running.grid.y * running.cta.z);
}

bool launch_is_here(void) {
    return is_here;
}

/* The others run to their ends, so that the trace has the whole launch; then the launch fails. */
static _Noreturn void end_failed_thread(void) {
    has_failed_thread = true;
    if (!running_kernel->has_barrier) {
        longjmp(end_of_thread, 1);
    }
    for (;;) { /* nothing resumes it */
        state[now - fibre] = THREAD_ENDED;
        fibre_wait(now);
    }
}

void launch_fail(enum launch_fault why, const char *format, ...) {
    va_list args;
    va_start(args, format);
    capture_warn(format, args);
    va_end(args);
    if (launch_errors_return && recording_wanted() && why == LAUNCH_ASSERTED) {
        end_failed_thread();
    }
    if (!launch_errors_return || recording_wanted()) {
        _exit(1);
    }
    launch_failed = why;
    longjmp(end_of_launch, 1);
}

/* A CTA begins, or continues behind a barrier of the grid. Return: true if it waits at one. */
static bool run_kept_cta(struct kept_cta *k, unsigned cta, bool begins, bool takes) {
    bool waits[THREADS_MAX];
    if (begins) {
        start_threads();
    } else {
        cooperative_return(k, fibre, waits, threads_of_cta);
        for (unsigned t = 0; t < threads_of_cta; t++) {
            state[t] = waits[t] ? THREAD_RUNS : THREAD_ENDED;
        }
    }
    if (takes && begins) {
        recording_begin_cta(cta);
    } else if (takes) {
        recording_return_cta(cta);
    }
    if (run_with_barriers()) {
        for (unsigned t = 0; t < threads_of_cta; t++) {
            waits[t] = state[t] == THREAD_AT_GRID;
        }
        cooperative_keep(k, fibre, waits, threads_of_cta);
        recording_keep_cta();
        return true;
    }
    if (takes) {
        recording_end_cta();
    }
    return false;
}

/* All CTAs up to a barrier of the grid, then all to the next one. */
static void run_whole_grid(bool recorded) {
    const unsigned ctas = ctas_of_grid();
    struct kept_cta *kept = calloc(ctas, sizeof *kept);
    unsigned waiting = ctas;
    if (!kept) {
        capture_fail("kernel %s: no memory for %u CTAs together", running_kernel->name, ctas);
    }
    for (bool begins = true; waiting; begins = false) {
        waiting = 0;
        for (unsigned cta = 0; cta < ctas; cta++) {
            select_cta(cta);
            waiting += run_kept_cta(&kept[cta], cta, begins, recorded && recording_takes_cta(cta));
        }
        if (waiting && waiting < ctas) {
            capture_fail("kernel %s: %u CTAs wait for the grid, but %u have ended",
                         running_kernel->name, waiting, ctas - waiting);
        }
    }
    for (unsigned cta = 0; cta < ctas; cta++) {
        free(kept[cta].bytes);
    }
    free(kept);
}

static void run_grid(void (*call)(void **arguments), bool recorded, bool whole) {
    call_of_launch = call;
    if (whole) {
        run_whole_grid(recorded);
    } else {
        run_ctas(recorded);
    }
}

/* @whole: CTAs may wait for each other. */
static void run_launch(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                       size_t dynamic_shared, bool whole) {
    const bool recorded = recording_begin_launch(k, grid, block, dynamic_shared);
    running = (struct running_thread){.block = block, .grid = grid};
    running_kernel = k;
    is_here = true;
    arguments_of_launch = arguments;
    threads_of_cta = block.x * block.y * block.z;
    whole &= k->has_barrier;
    if (recorded && whole) {
        recording_keep_ctas();
    }
    make_fibres(k->has_barrier ? threads_of_cta : 1);
    fault_watch();
    if (setjmp(end_of_launch)) { /* from a thread's stack, which is given up */
        running_kernel = NULL;
        is_here = false;
        children_drop();
        return;
    }
    if (recorded && check_is_wanted()) {
        check_begin_plain();
        run_grid(k->plain, false, whole);
        children_drop();
        check_end_plain();
    }
    run_grid(k->call, recorded, whole);
    if (recorded && check_is_wanted()) {
        check_results(k);
    }
    running_kernel = NULL;
    is_here = false;
    if (recorded) {
        recording_end_launch();
    }
    if (has_failed_thread) {
        launch_failed = LAUNCH_ASSERTED;
    }
}

bool launch_run(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                size_t dynamic_shared) {
    HOLD_DEVICE;
    if (!launch_is_possible(grid, block, dynamic_shared)) {
        return false;
    }
    run_launch(k, grid, block, arguments, dynamic_shared, false);
    children_run();
    return true;
}

bool launch_run_whole(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                      size_t dynamic_shared) {
    HOLD_DEVICE;
    if (!cooperative_begin(dynamic_shared)) {
        return false;
    }
    run_launch(k, grid, block, arguments, dynamic_shared, true);
    cooperative_end();
    children_run();
    return true;
}

/* --- special registers, by the names that CUDA's code and OpenCL's have --- */

static unsigned lane_of_thread(void) {
    const struct size3 t = running.thread, b = running.block;
    return (t.x + b.x * (t.y + b.y * t.z)) % WARP_SIZE;
}

#define REGISTER(name, value) \
    int wm_nvvm_read_ptx_sreg_##name(void); \
    int __wm_sreg_##name(void) __attribute__((alias("wm_nvvm_read_ptx_sreg_" #name))); \
    int wm_nvvm_read_ptx_sreg_##name(void) { \
        return (int)(value); \
    }
REGISTER(tid_x, running.thread.x)
REGISTER(tid_y, running.thread.y)
REGISTER(tid_z, running.thread.z)
REGISTER(ntid_x, running.block.x)
REGISTER(ntid_y, running.block.y)
REGISTER(ntid_z, running.block.z)
REGISTER(ctaid_x, running.cta.x)
REGISTER(ctaid_y, running.cta.y)
REGISTER(ctaid_z, running.cta.z)
REGISTER(nctaid_x, running.grid.x)
REGISTER(nctaid_y, running.grid.y)
REGISTER(nctaid_z, running.grid.z)
REGISTER(warpsize, WARP_SIZE)
REGISTER(laneid, lane_of_thread())
REGISTER(lanemask_lt, (1u << lane_of_thread()) - 1)
