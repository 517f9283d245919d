/* SPDX-License-Identifier: Apache-2.0
 *
 * noc.nodes: what it says, and what is told when it is wrong.
 */
#include "config/preset.h"

#include <string.h>

#include "config/mesh_map.h"

TEST(nodes_are_numbered_row_by_row) {
    struct mesh_map m;
    struct config_error e;
    assert_true(mesh_map_parse(&m, "c.p/ppc", &e));
    assert_true(m.columns == 3 && m.rows == 2 && m.cores == 2 && m.partitions == 3);
    assert_true(m.core[0] == 0 && m.core[1] == 5);
    assert_true(m.partition[0] == 2 && m.partition[1] == 3 && m.partition[2] == 4);
    assert_true(mesh_map_parse(&m, "c/p", &e) && m.columns == 1 && m.rows == 2);
    assert_true(mesh_map_parse(
        &m, "cccccccc/cccccccc/cccccccc/cccccccc/pppppppp/pppppppp/pppppppp/pppppppp", &e));
    assert_true(m.cores == 32 && m.partitions == 32);
}

/* OWL table 1: 6 x 6, 28 cores, 8 memory controllers. */
TEST(the_mesh_of_owl_is_legal) {
    struct config c = base_preset();
    c.noc.topology = NOC_MESH;
    c.core.count = 28;
    c.l2.partitions = 8;
    strcpy(c.noc.nodes, "cpccpc/cccccc/pccccp/pccccp/cccccc/cpccpc");
    assert_legal(&c);
}

TEST(what_is_wrong_is_told_in_one_line) {
    static const struct {
        const char *nodes;
        unsigned topology, cores, partitions, router_flits;
        const char *wanted;
    } wrong[] = {
        {"cp/", NOC_MESH, 1, 1, 8, "row 2 has 0 nodes"},
        {"", NOC_MESH, 1, 1, 8, "row 1 has 0 nodes"},
        {"/cp", NOC_MESH, 1, 1, 8, "row 1 has 0 nodes"},
        {"cp/c", NOC_MESH, 2, 1, 8, "row 2 has 1 nodes; rows must have equal lengths"},
        {"cp/cx", NOC_MESH, 2, 1, 8, "row 2, node 2: must be c (core), p (partition) or ."},
        {"-", NOC_MESH, 2, 1, 8, "noc.nodes = -: must be a map of core.count = 2 cores"},
        {"cccccccccccccccc/cccccccccccccccc/cccccccccccccccc/cccccccccccccccp/p...............",
         NOC_MESH, 63, 2, 8, "must have at most 64 nodes"},
        {"cpp", NOC_MESH, 2, 2, 8, "has 1 cores; core.count = 2 must be the same"},
        {"cpp", NOC_MESH, 1, 3, 8, "has 2 partitions; l2.partitions = 3 must be the same"},
        {"cp", NOC_MESH, 1, 1, 4, "noc.router_flits = 4: must be at least 5 flits"},
        {"cp", NOC_CROSSBAR, 1, 1, 8, "noc.nodes = cp: must be - where noc.topology = crossbar"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct config c = base_preset();
        struct config_error e;
        strcpy(c.noc.nodes, wrong[i].nodes);
        c.noc.topology = wrong[i].topology;
        c.core.count = wrong[i].cores;
        c.l2.partitions = wrong[i].partitions;
        c.noc.router_flits = wrong[i].router_flits;
        assert_false(config_check(&c, &e));
        if (!strstr(e.text, wrong[i].wanted) || strchr(e.text, '\n')) {
            fail_msg("%s: %s", wrong[i].nodes, e.text);
        }
    }
}
