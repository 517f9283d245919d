/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, events and launches in the program's order: each has ended when its call returns, unless
 * its stream captures a graph.
 */
#ifndef WARPMEM_CUDA_STREAM_H
#define WARPMEM_CUDA_STREAM_H

#include "runtime/capture.h"

struct graph;

/** stream_graph() - the graph that the stream captures; NULL: none. */
struct graph *stream_graph(const void *stream);
/** stream_end_capture() - of all streams that capture @g. */
void stream_end_capture(const struct graph *g);

/* A launch with its arguments. */
struct launch_call {
    struct kernel *kernel;
    struct size3 grid, block;
    size_t shared;
    void **arguments;
    bool whole; /* cooperative: its CTAs are live together */
};

/** launch_call_run() - the error, which is noted. */
int launch_call_run(const struct launch_call *c);

#endif
