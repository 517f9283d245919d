/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: with --check a kernel runs twice. runtime/grid.h runs its CTAs, runtime/cta.h the
 * threads of one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/warpmem_attributes.h"
#include "runtime/capture.h"
#include "runtime/check.h"
#include "runtime/children.h"
#include "runtime/cooperative.h"
#include "runtime/cta.h"
#include "runtime/fault.h"
#include "runtime/grid.h"
#include "runtime/hold.h"
#include "runtime/occupancy.h"
#include "runtime/spin.h"
#include "kernel/insn.h"

struct running_thread running;
const struct kernel *running_kernel;

bool launch_errors_return;
_Atomic enum launch_fault launch_failed;
static jmp_buf end_of_launch;
static bool has_failed_thread;
static struct kernel *kernel_of_launch;
static size_t shared_of_launch; /* dynamic */
static bool is_whole;           /* its CTAs are live together */
static _Thread_local bool is_here;

bool launch_is_possible(struct size3 g, struct size3 b, size_t dynamic_shared) {
    const uint64_t threads = (uint64_t)b.x * b.y * b.z,
                   ctas = (uint64_t)g.x * g.y <= INT32_MAX ? (uint64_t)g.x * g.y * g.z : 0;
    return threads && threads <= THREADS_MAX && b.x <= THREADS_MAX && b.y <= THREADS_MAX &&
           b.z <= 64 && ctas && ctas <= INT32_MAX && dynamic_shared <= MODULE_DYNAMIC_SHARED;
}

unsigned launch_cta(void) {
    return running.cta.x + running.grid.x * (running.cta.y + running.grid.y * running.cta.z);
}

bool launch_is_here(void) {
    return is_here;
}

void launch_fail(enum launch_fault why, const char *format, ...) {
    va_list args;
    va_start(args, format);
    capture_warn(format, args);
    va_end(args);
    if (launch_errors_return && recording_wanted() && why == LAUNCH_ASSERTED) {
        has_failed_thread = true; /* the others run to their ends, so that the trace has them */
        cta_end_thread();
    }
    if (!launch_errors_return || recording_wanted()) {
        _exit(1);
    }
    launch_failed = why;
    longjmp(end_of_launch, 1);
}

/* CTAs that the device holds at once. Those of a whole grid all fit. */
static unsigned residents_of_launch(void) {
    const struct size3 b = running.block;
    return is_whole ? UINT32_MAX
                    : recording_cores(WARPMEM_CORES) *
                          occupancy_of_core(kernel_of_launch, b.x * b.y * b.z, shared_of_launch);
}

static void run_grid(void (*call)(void **arguments), void **arguments, bool recorded) {
    struct kernel *k = kernel_of_launch;
    cta_prepare(call, arguments, k->own_stacks, shared_of_launch);
    grid_run(recorded, residents_of_launch);
    k->own_stacks = cta_has_own_stacks();
}

/* With --check the kernel runs again without reports, where the order of its threads does not
 * change: if some have waited for others, it would not end. */
static void run_checked(struct kernel *k, void **arguments) {
    const unsigned long long waits = spin_waits();
    check_begin();
    run_grid(k->call, arguments, true);
    if (spin_waits() != waits) {
        check_skip();
        return;
    }
    check_begin_plain();
    children_put_aside();
    run_grid(k->plain, arguments, false);
    children_drop();
    children_take_back();
    check_end_plain(k);
}

static void run_launch(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                       size_t dynamic_shared) {
    const bool recorded = recording_begin_launch(k, grid, block, dynamic_shared);
    running = (struct running_thread){.block = block, .grid = grid};
    running_kernel = kernel_of_launch = k;
    shared_of_launch = dynamic_shared;
    is_here = true;
    fault_watch();
    if (setjmp(end_of_launch)) { /* from a thread's stack, which is given up */
        running_kernel = NULL;
        is_here = false;
        grid_drop();
        children_drop();
        return;
    }
    if (recorded && check_is_wanted()) {
        run_checked(k, arguments);
    } else {
        run_grid(k->call, arguments, recorded);
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
    is_whole = false;
    run_launch(k, grid, block, arguments, dynamic_shared);
    children_run();
    return true;
}

bool launch_run_whole(struct kernel *k, struct size3 grid, struct size3 block, void **arguments,
                      size_t dynamic_shared) {
    HOLD_DEVICE;
    if (!cooperative_begin()) {
        return false;
    }
    is_whole = true;
    run_launch(k, grid, block, arguments, dynamic_shared);
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
