/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared host side of the built-in workloads: device memory, the SIMT engine, a list of
 * launches that run one after another, and the comparison of results.
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

/* The next launch of a program whose host side decides at run time, or has more launches than the
 * list holds. @step counts from 0, and launch @step - 1 has finished, so its results can be read.
 * False: there is none. @self: the workload's structure. */
typedef bool host_step(void *self, unsigned step, struct host_launch *out);

/* The first member of a workload's structure, which its kernels get as their arguments. */
struct host {
    struct device_memory memory;
    struct device_memory kept; /* memory of host_array() */
    struct simt *simt;
    struct simt_grid *grid;                         /* of launches whose CTAs wait for each other */
    struct host_launch launches[HOST_LAUNCHES_MAX]; /* a list, or with step the current one */
    unsigned launch_count, launched;
    host_step *step; /* NULL: the list */
    bool ended;      /* the step function has returned false; it is not called again */
    char message[HOST_MESSAGE_BYTES];
};

/**
 * host_open() - allocate a workload's zeroed structure, and fill in the program.
 * @bytes: size of the structure, whose first member is struct host
 * Return: the structure, which the program's self then points to; NULL when out of memory.
 */
void *host_open(struct program *p, size_t bytes);
/** host_close() - free the device memory and the structure; a program that was never opened
 * (self is NULL) is fine. */
void host_close(struct program *p);
/** host_array() - a zeroed array of the host side, freed by host_close(); NULL: out of memory. */
void *host_array(struct host *h, uint64_t count, unsigned width);

/* An array in device memory, to be allocated. */
struct host_buffer {
    struct buffer *buffer;
    uint64_t count;
    unsigned width; /* bytes an element */
};

/**
 * host_alloc() - allocate zeroed device memory for each row of a table, in its order.
 * @table: ends with a row without buffer
 * Return: false when out of memory.
 */
bool host_alloc(struct device_memory *m, const struct host_buffer *table);
/** HOST_ALLOC() - the same of the rows given: HOST_ALLOC(m, {&k->a, n, 4}, {&k->b, n, 4}). */
#define HOST_ALLOC(m, ...) host_alloc(m, (const struct host_buffer[]){__VA_ARGS__, {0}})

/** host_add_launch() - append a launch to the list. */
void host_add_launch(struct host *h, const struct host_launch *launch);
/** HOST_ADD_LAUNCH() - the same, written out: HOST_ADD_LAUNCH(h, {&code, grid, block}, kernel). */
#define HOST_ADD_LAUNCH(h, ...) host_add_launch(h, &(struct host_launch){__VA_ARGS__})

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
 * host_comparison - compare a result with plain C's, bit for bit.
 * @name: of the array, for the message
 * @expected: elements of the type that @result has
 * Return: NULL when equal, else the first difference; valid until the next call.
 */
typedef const char *host_comparison(struct host *h, const char *name, const struct buffer *result,
                                    const void *expected);
host_comparison host_compare;        /* of floats */
host_comparison host_compare_int;    /* of integers, of the width of the elements (1 to 16) */
host_comparison host_compare_double; /* of doubles */

#endif
