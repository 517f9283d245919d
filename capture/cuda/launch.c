/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a kernel's CTAs one after another, and a CTA's threads one after another up to the next
 * barrier. Without a barrier all threads use one stack.
 */
#include <stdio.h>
#include <string.h>

#include "cuda/capture.h"
#include "cuda/fibre.h"
#include "kernel/insn.h"

struct running_thread running;
const struct kernel *running_kernel;

static struct fibre fibre[THREADS_MAX];
static unsigned fibre_count;
static struct fibre *now; /* the fibre that runs */
static bool ended[THREADS_MAX];
static void **arguments_of_launch;
static unsigned threads_of_cta;

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
        running_kernel->call(arguments_of_launch);
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
    running_kernel->call(arguments_of_launch);
    ended[now - fibre] = true;
    fibre_wait(now);
}

/* Where a kernel calls __syncthreads(). */
void wm_nvvm_barrier0(void);
void wm_nvvm_barrier0(void) {
    fibre_wait(now);
}

static void run_with_barriers(void) {
    unsigned left = threads_of_cta;
    for (unsigned t = 0; t < threads_of_cta; t++) {
        ended[t] = false;
        fibre_start(&fibre[t], run_one_thread);
    }
    while (left) {
        left = 0;
        for (unsigned t = 0; t < threads_of_cta; t++) {
            if (!ended[t]) {
                now = &fibre[t];
                select_thread(t);
                recording_select(t, now->stack, FIBRE_STACK_BYTES);
                fibre_resume(now);
                left += !ended[t];
            }
            if (t % WARP_SIZE == WARP_SIZE - 1 || t == threads_of_cta - 1) {
                recording_align(t / WARP_SIZE);
            }
        }
    }
}

static bool is_launch(struct size3 g, struct size3 b, size_t dynamic_shared) {
    const uint64_t threads = (uint64_t)b.x * b.y * b.z,
                   ctas = (uint64_t)g.x * g.y <= INT32_MAX ? (uint64_t)g.x * g.y * g.z : 0;
    return threads && threads <= THREADS_MAX && b.x <= THREADS_MAX && b.y <= THREADS_MAX &&
           b.z <= 64 && ctas && ctas <= INT32_MAX && dynamic_shared <= MODULE_DYNAMIC_SHARED;
}

bool launch_run(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                size_t dynamic_shared) {
    if (!is_launch(grid, block, dynamic_shared)) {
        return false;
    }
    const bool recorded = recording_begin_launch(k, grid, block, dynamic_shared);
    const unsigned ctas = grid.x * grid.y * grid.z;
    running = (struct running_thread){.block = block, .grid = grid};
    running_kernel = k;
    arguments_of_launch = arguments;
    threads_of_cta = block.x * block.y * block.z;
    make_fibres(k->has_barrier ? threads_of_cta : 1);
    for (unsigned cta = 0; cta < ctas; cta++) {
        running.cta = (struct size3){cta % grid.x, cta / grid.x % grid.y, cta / grid.x / grid.y};
        const bool takes = recorded && recording_takes_cta(cta);
        if (takes) {
            recording_begin_cta(cta);
        }
        if (k->has_barrier) {
            run_with_barriers();
        } else {
            run_without_barriers();
        }
        if (takes) {
            recording_end_cta();
        }
    }
    running_kernel = NULL;
    if (recorded) {
        recording_end_launch();
    }
    return true;
}

/* --- special registers --- */

#define REGISTER(name, value) \
    int wm_nvvm_read_ptx_sreg_##name(void); \
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
