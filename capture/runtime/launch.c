/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a kernel's CTAs one after another, and a CTA's threads one after another up to the next
 * barrier. Without a barrier all threads use one stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/capture.h"
#include "runtime/check.h"
#include "runtime/fault.h"
#include "runtime/fibre.h"
#include "runtime/meeting.h"
#include "kernel/insn.h"

struct running_thread running;
const struct kernel *running_kernel;

bool launch_errors_return;
enum launch_fault launch_failed;
static jmp_buf end_of_launch;

static struct fibre fibre[THREADS_MAX];
static unsigned fibre_count;
static struct fibre *now; /* the fibre that runs */
static enum thread_state {
    THREAD_RUNS,
    THREAD_AT_BARRIER,
    THREAD_AT_MEETING, /* of its warp: runtime/meeting.h */
    THREAD_ENDED
} state[THREADS_MAX];
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

/* All threads, on one stack; the warps are aligned as they end. */
static void run_all_threads(void) {
    for (unsigned t = 0; t < threads_of_cta; t++) {
        select_thread(t);
        recording_select(t, now->stack, FIBRE_STACK_BYTES);
        call_of_launch(arguments_of_launch);
        if (t % WARP_SIZE == WARP_SIZE - 1 || t == threads_of_cta - 1) {
            recording_align(t / WARP_SIZE);
        }
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

static void run_with_barriers(void) {
    unsigned left = threads_of_cta;
    for (unsigned t = 0; t < threads_of_cta; t++) {
        state[t] = THREAD_RUNS;
        fibre_start(&fibre[t], run_one_thread);
    }
    while (left) {
        left = 0;
        brought_to_barrier = 0;
        for (unsigned warp = 0; warp * WARP_SIZE < threads_of_cta; warp++) {
            run_warp(warp);
            recording_align(warp);
        }
        sum_of_barrier = brought_to_barrier;
        for (unsigned t = 0; t < threads_of_cta; t++) {
            left += state[t] == THREAD_AT_BARRIER;
            state[t] = state[t] == THREAD_AT_BARRIER ? THREAD_RUNS : state[t];
        }
    }
}

bool launch_is_possible(struct size3 g, struct size3 b, size_t dynamic_shared) {
    const uint64_t threads = (uint64_t)b.x * b.y * b.z,
                   ctas = (uint64_t)g.x * g.y <= INT32_MAX ? (uint64_t)g.x * g.y * g.z : 0;
    return threads && threads <= THREADS_MAX && b.x <= THREADS_MAX && b.y <= THREADS_MAX &&
           b.z <= 64 && ctas && ctas <= INT32_MAX && dynamic_shared <= MODULE_DYNAMIC_SHARED;
}

static void run_ctas(void (*call)(void **arguments), bool recorded) {
    const struct size3 grid = running.grid;
    const unsigned ctas = grid.x * grid.y * grid.z;
    call_of_launch = call;
    for (unsigned cta = 0; cta < ctas; cta++) {
        running.cta = (struct size3){cta % grid.x, cta / grid.x % grid.y, cta / grid.x / grid.y};
        const bool takes = recorded && recording_takes_cta(cta);
        if (takes) {
            recording_begin_cta(cta);
        }
        if (running_kernel->has_barrier) {
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

void launch_fail(enum launch_fault why, const char *format, ...) {
    va_list args;
    va_start(args, format);
    capture_warn(format, args);
    va_end(args);
    if (!launch_errors_return || recording_wanted()) {
        _exit(1);
    }
    launch_failed = why;
    longjmp(end_of_launch, 1);
}

bool launch_run(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                size_t dynamic_shared) {
    if (!launch_is_possible(grid, block, dynamic_shared)) {
        return false;
    }
    const bool recorded = recording_begin_launch(k, grid, block, dynamic_shared);
    running = (struct running_thread){.block = block, .grid = grid};
    running_kernel = k;
    arguments_of_launch = arguments;
    threads_of_cta = block.x * block.y * block.z;
    make_fibres(k->has_barrier ? threads_of_cta : 1);
    fault_watch();
    if (setjmp(end_of_launch)) { /* from a thread's stack, which is given up */
        running_kernel = NULL;
        return true;
    }
    if (recorded && check_is_wanted()) {
        check_begin_plain();
        run_ctas(k->plain, false);
        check_end_plain();
    }
    run_ctas(k->call, recorded);
    if (recorded && check_is_wanted()) {
        check_results(k);
    }
    running_kernel = NULL;
    if (recorded) {
        recording_end_launch();
    }
    return true;
}

/* --- special registers, by the names that CUDA's code and OpenCL's have --- */

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
REGISTER(laneid, (running.thread.x +
                  running.block.x * (running.thread.y + running.block.y * running.thread.z)) %
                     WARP_SIZE)
