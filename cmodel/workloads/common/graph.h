/* SPDX-License-Identifier: Apache-2.0
 *
 * A random connected graph for bfs: each edge in both directions, lists in random order.
 */
#ifndef WARPMEM_WORKLOADS_COMMON_GRAPH_H
#define WARPMEM_WORKLOADS_COMMON_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* Undirected edges a node, on average. */
#define GRAPH_EDGES_A_NODE 3

/**
 * graph_generate() - a random tree plus random edges, without loops and without double edges.
 * @nodes: at least 16
 * @index: of each node, two numbers: where its list starts, and how long it is
 * @neighbour: the lists, 2 * GRAPH_EDGES_A_NODE * @nodes numbers
 * Return: false when out of memory.
 */
bool graph_generate(uint32_t nodes, uint64_t seed, int32_t *index, int32_t *neighbour);

#endif
