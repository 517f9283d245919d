/* SPDX-License-Identifier: Apache-2.0 */
#include "config/mesh_map.h"

#include <string.h>

static bool place_on_node(struct mesh_map *m, char letter, unsigned node) {
    switch (letter) {
    case 'c': m->core[m->cores++] = (uint8_t)node; return true;
    case 'p': m->partition[m->partitions++] = (uint8_t)node; return true;
    default: return letter == '.';
    }
}

bool mesh_map_parse(struct mesh_map *m, const char *text, struct config_error *e) {
    *m = (struct mesh_map){.columns = (unsigned)strcspn(text, "/")};
    unsigned node = 0;
    for (const char *row = text;;) {
        unsigned length = (unsigned)strcspn(row, "/");
        m->rows++;
        if (length != m->columns || !length) {
            snprintf(
                e->text, sizeof e->text,
                "noc.nodes = %s: row %u has %u nodes; rows must have equal lengths, at least 1",
                text, m->rows, length);
            return false;
        }
        if (node + length > MESH_NODES_MAX) {
            snprintf(e->text, sizeof e->text, "noc.nodes = %s: must have at most %u nodes", text,
                     MESH_NODES_MAX);
            return false;
        }
        for (unsigned i = 0; i < length; i++) {
            if (!place_on_node(m, row[i], node++)) {
                snprintf(e->text, sizeof e->text,
                         "noc.nodes = %s: row %u, node %u: must be c (core), p (partition) or .",
                         text, m->rows, i + 1);
                return false;
            }
        }
        if (!row[length]) {
            return true;
        }
        row += length + 1;
    }
}

bool mesh_check(const struct config *c, struct config_error *e) {
    struct mesh_map m;
    if (!mesh_map_parse(&m, c->noc.nodes, e)) {
        return false;
    }
    if (m.cores != c->core.count || m.partitions != c->l2.partitions) {
        bool cores = m.cores != c->core.count;
        snprintf(e->text, sizeof e->text, "noc.nodes = %s: has %u %s; %s = %u must be the same",
                 c->noc.nodes, cores ? m.cores : m.partitions, cores ? "cores" : "partitions",
                 cores ? "core.count" : "l2.partitions", cores ? c->core.count : c->l2.partitions);
        return false;
    }
    return true;
}
