/* SPDX-License-Identifier: Apache-2.0
 *
 * noc.nodes as a map: the core or memory partition at each node of the mesh.
 */
#ifndef WARPMEM_CONFIG_MESH_MAP_H
#define WARPMEM_CONFIG_MESH_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

#define MESH_NODES_MAX 64

/** struct mesh_map - nodes, cores and partitions are numbered row by row. */
struct mesh_map {
    unsigned columns, rows;
    unsigned cores, partitions;
    uint8_t core[MESH_NODES_MAX];      /* node of each core */
    uint8_t partition[MESH_NODES_MAX]; /* node of each partition */
};

/** mesh_map_parse() - @text: rows of equal length with / between them; c core, p partition,
 * . nothing. False: *e has the message, in one line. */
bool mesh_map_parse(struct mesh_map *m, const char *text, struct config_error *e);

/** mesh_check() - does the map of a mesh have the machine's nodes? For config_check(). */
bool mesh_check(const struct config *c, struct config_error *e);

#endif
