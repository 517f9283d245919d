/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/children.h"

#include <stdlib.h>
#include <string.h>

#include "include/warpmem_attributes.h"
#include "include/warpmem_errors.h"
#include "runtime/capture.h"
#include "runtime/fault.h"
#include "runtime/memory.h"

#define DEPTH_MAX 24  /* CUDA's: of launches inside of launches */
#define TAIL_STREAM 3 /* cudaStreamTailLaunch */

/* A launch, or a copy or fill among them. */
struct child {
    struct child *next;
    struct kernel *kernel; /* NULL: a copy, or without @from a fill */
    struct size3 grid, block;
    size_t shared;
    void **arguments; /* the values are behind the pointers to them */
    void *to;
    const void *from;
    size_t bytes;
    int value;
};

static struct queue {
    struct child *first, **end;
} children, tails; /* tails: when all children have ended */
static struct queue children_aside, tails_aside;
static struct child *called; /* whose launch is not known yet */
static unsigned depth;
static struct {
    int error;
    unsigned cta;
    struct size3 thread;
} last;

static void *new_memory(size_t bytes) {
    void *p = calloc(1, bytes);
    if (!p) {
        capture_fail("kernel %s: no memory for what it launches", running_kernel->name);
    }
    return p;
}

static void put_last(struct queue *q, struct child *c) {
    if (!q->first) {
        q->end = &q->first;
    }
    *q->end = c;
    q->end = &c->next;
}

static void free_child(struct child *c) {
    if (c) {
        free(c->arguments);
        free(c);
    }
}

static void drop_queue(struct queue *q) {
    for (struct child *c = q->first, *next; c; c = next) {
        next = c->next;
        free_child(c);
    }
    q->first = NULL;
}

void children_drop(void) {
    drop_queue(&children);
    drop_queue(&tails);
    last.error = cudaSuccess;
}

void children_put_aside(void) {
    children_aside = children;
    tails_aside = tails;
    children.first = tails.first = NULL;
}

void children_take_back(void) {
    children = children_aside;
    tails = tails_aside;
}

static void run_queue(struct child *first) {
    for (struct child *c = first, *next; c; c = next) {
        next = c->next;
        if (launch_failed == LAUNCH_GOOD && c->kernel) {
            launch_run(c->kernel, c->grid, c->block, c->arguments, c->shared);
        } else if (launch_failed == LAUNCH_GOOD && c->from) {
            fault_move(c->to, c->from, c->bytes);
        } else if (launch_failed == LAUNCH_GOOD) {
            fault_fill(c->to, c->value, c->bytes);
        }
        free_child(c);
    }
}

void children_run(void) {
    struct child *first = children.first, *first_tail = tails.first;
    children.first = tails.first = NULL;
    last.error = cudaSuccess;
    if (first || first_tail) {
        depth++;
        run_queue(first);
        run_queue(first_tail);
        depth--;
    }
}

/* --- for kernels: capture/include/warpmem_children.h --- */

static int note_child(int error) {
    if (error) {
        last.error = error;
        last.cta = launch_cta();
        last.thread = running.thread;
    }
    return error;
}

int __wm_child_error(int forget);
int __wm_child_error(int forget) {
    const bool own =
        last.cta == launch_cta() && !memcmp(&last.thread, &running.thread, sizeof last.thread);
    const int error = own ? last.error : cudaSuccess;
    last.error = forget ? cudaSuccess : last.error;
    return error;
}

void __wm_child_arguments(const char *kernel, void **arguments);
void __wm_child_arguments(const char *kernel, void **arguments) {
    struct kernel *k = kernel_named(running_kernel->module, kernel);
    const uint32_t count = *k->sizes, *sizes = k->sizes + 1;
    size_t bytes = (count + 2) / 2 * 2 * sizeof(void *);
    for (uint32_t i = 0; i < count; i++) {
        bytes += (sizes[i] + 15) / 16 * 16;
    }
    free_child(called);
    called = new_memory(sizeof *called);
    called->kernel = k;
    called->arguments = new_memory(bytes);
    char *at = (char *)(called->arguments + (count + 2) / 2 * 2);
    for (uint32_t i = 0; i < count; i++) {
        called->arguments[i] = at;
        memcpy(at, arguments[i], sizes[i]);
        at += (sizes[i] + 15) / 16 * 16;
    }
}

void __wm_child_launch(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, size_t shared, void *stream);
void __wm_child_launch(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, size_t shared, void *stream) {
    const struct size3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    struct child *c = called;
    called = NULL;
    kernel_prepare(c->kernel);
    const size_t most = c->kernel->dynamic_shared_max
                            ? c->kernel->dynamic_shared_max
                            : WARPMEM_SHARED_PER_BLOCK - c->kernel->shared_bytes;
    const int error =
        grid_y > WARPMEM_GRID_YZ || grid_z > WARPMEM_GRID_YZ || !launch_is_possible(grid, block, 0)
            ? cudaErrorInvalidConfiguration
        : shared > most          ? cudaErrorInvalidValue
        : depth + 1 >= DEPTH_MAX ? cudaErrorLaunchMaxDepthExceeded
                                 : cudaSuccess;
    if (note_child(error)) {
        free_child(c);
        return;
    }
    c->grid = grid;
    c->block = block;
    c->shared = shared;
    put_last((uintptr_t)stream == TAIL_STREAM ? &tails : &children, c);
}

static bool is_good_range(const void *p, size_t bytes) {
    return memory_is_device(p) ? memory_has(p, bytes) : variable_at(p);
}

static int put_copy(struct child of) {
    if (!is_good_range(of.to, of.bytes) || (of.from && !is_good_range(of.from, of.bytes))) {
        return note_child(cudaErrorInvalidValue);
    }
    struct child *c = new_memory(sizeof *c);
    *c = of;
    put_last(&children, c);
    return cudaSuccess;
}

int __wm_child_copy(void *to, const void *from, size_t bytes);
int __wm_child_copy(void *to, const void *from, size_t bytes) {
    return from ? put_copy((struct child){.to = to, .from = from, .bytes = bytes})
                : note_child(cudaErrorInvalidValue);
}

int __wm_child_fill(void *to, int value, size_t bytes);
int __wm_child_fill(void *to, int value, size_t bytes) {
    return put_copy((struct child){.to = to, .value = value, .bytes = bytes});
}
