/* SPDX-License-Identifier: Apache-2.0
 *
 * A random connected graph for bfs: each edge in both directions, lists in random order.
 */
#ifndef WARPMEM_WORKLOADS_COMMON_GRAPH_H
#define WARPMEM_WORKLOADS_COMMON_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* Undirected edges a node, on average, as in the suites' graphs. */
#define GRAPH_EDGES_A_NODE 3

/**
 * graph_generate() - a random tree plus random edges, without loops and without double edges.
 * @nodes: at least 16, and above 2 * @edges_a_node
 * @edges_a_node: undirected edges a node, on average; at least 1
 * @index: of each node, two numbers: where its list starts, and how long it is
 * @neighbour: the lists, 2 * @edges_a_node * @nodes numbers
 * Return: false when out of memory.
 */
bool graph_generate(uint32_t nodes, uint32_t edges_a_node, uint64_t seed, int32_t *index,
                    int32_t *neighbour);

#endif
