/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that nodes of graphs allocate. Its address is known before the graph runs and is the same
 * in each run, so the memory is kept as long as a graph has the node or it has not been freed.
 */
#ifndef WARPMEM_CUDA_GRAPH_MEMORY_H
#define WARPMEM_CUDA_GRAPH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct graph_memory;

/** graph_memory_make() - for a new node. NULL: out of memory. */
struct graph_memory *graph_memory_make(size_t bytes);
void *graph_memory_address(const struct graph_memory *m);
/** graph_memory_share() - one more node of a copied graph; graph_memory_drop(): one less. */
struct graph_memory *graph_memory_share(struct graph_memory *m);
void graph_memory_drop(struct graph_memory *m);
/** graph_memory_begin() - the node runs. False: the last run's memory has not been freed. */
bool graph_memory_begin(struct graph_memory *m);
/** graph_memory_end() - a node or the program frees the address. False: it is of no such memory, or
 * not in use. */
bool graph_memory_end(const void *address);
/** graph_memory_has() - true if a node allocates the address. */
bool graph_memory_has(const void *address);

#endif
