/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host sides of the built-in workloads share: device memory, the SIMT engine, a list of
 * launches that run one
 * after another, and the comparison of results.
 */
#ifndef WARPMEM_WORKLOADS_HOST_H
#define WARPMEM_WORKLOADS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/device_memory.h"
#include "kernel/launch.h"
#include "kernel/simt.h"
#include "kernel/simt_grid.h"

#define HOST_LAUNCHES_MAX 8
#define HOST_MESSAGE_BYTES 160

struct host_launch {
    struct launch launch;
    simt_kernel *kernel;
};

/* The next launch of a program whose host side decides as it goes along, or has more launches than
 * the list takes: @step counts from 0, and launch @step - 1 has finished, so that its results can
 * be read. False: there is none. @self: the workload's own structure. */
typedef bool host_step(void *self, unsigned step, struct host_launch *out);

/* The first member of a workload's own structure, which is what its kernels get as arguments. */
struct host {
    struct device_memory memory;
    struct simt *simt;
    struct simt_grid *grid;                         /* of launches whose CTAs wait for each other */
    struct host_launch launches[HOST_LAUNCHES_MAX]; /* a list, or with step the current one */
    unsigned launch_count, launched;
    host_step *step; /* NULL: the list */
    bool ended;      /* the step has said so, and is not asked again */
    char message[HOST_MESSAGE_BYTES];
};

/**
 * host_open() - allocate a workload's structure, zeroed, and fill in the program.
 * @bytes: size of the structure, whose first member is struct host
 * Return: the structure, which the program's self then points to; NULL when out of memory.
 */
void *host_open(struct program *p, size_t bytes);
/** host_close() - free the device memory and the structure; a program that was never opened
 * (self is NULL) is fine. */
void host_close(struct program *p);
/** host_add_launch() - append a launch to the list. */
void host_add_launch(struct host *h, const struct host_launch *launch);

/** host_set_step() - launches come from a function instead of the list. */
void host_set_step(struct host *h, host_step *step);

/** host_row_lines() - lines that a warp touches with aligned, consecutive elements of 4 bytes. */
static inline uint64_t host_row_lines(unsigned line_bytes) {
    return WARP_SIZE * 4 / line_bytes;
}

/** host_random() - the next of a reproducible sequence of numbers (splitmix64). */
uint64_t host_random(uint64_t *state);

/** host_uniform() - the next number of the same sequence, uniform in [0, 1), of 24 bits. */
float host_uniform(uint64_t *state);

/**
 * host_compare() - a result of floats against plain C's, bit for bit.
 * @name: of the array, for the message
 * Return: NULL when equal, else what differs first; valid until the next call.
 */
const char *host_compare(struct host *h, const char *name, const struct buffer *result,
                         const float *expected);
/** host_compare_int() - the same of integers, of the width of @result's elements (1, 2, 4, 8). */
const char *host_compare_int(struct host *h, const char *name, const struct buffer *result,
                             const void *expected);
/** host_compare_double() - the same of doubles. */
const char *host_compare_double(struct host *h, const char *name, const struct buffer *result,
                                const double *expected);

#endif
