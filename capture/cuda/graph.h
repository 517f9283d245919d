/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: calls that were kept instead of run, by a stream's capture or node by node. A launch runs
 * the nodes in the order in which they were added, as far as the dependencies allow it.
 */
#ifndef WARPMEM_CUDA_GRAPH_H
#define WARPMEM_CUDA_GRAPH_H

#include <stdbool.h>

#include "cuda/copy.h"
#include "cuda/stream.h"

struct graph;

/** graph_begin_capture() - NULL: out of memory. */
struct graph *graph_begin_capture(void);
/** graph_end_capture() - false: it was invalidated, and is destroyed. */
bool graph_end_capture(struct graph *g);
/** graph_is_captured() - true from graph_begin_capture() to graph_invalidate() or the end. */
bool graph_is_captured(const struct graph *g);
void graph_invalidate(struct graph *g);
/** graph_add_copy(), _launch(), _function() - the error, which is noted. */
int graph_add_copy(struct graph *g, const struct copy *c);
int graph_add_launch(struct graph *g, const struct launch_call *c);
int graph_add_function(struct graph *g, void (*function)(void *), void *data);
/** graph_add_allocation() - *p: the address in each run. graph_add_release() - frees it. */
int graph_add_allocation(struct graph *g, void **p, size_t bytes);
int graph_add_release(struct graph *g, void *p);

#endif
