/* SPDX-License-Identifier: Apache-2.0
 *
 * The request and the reply network.
 */
/* clang-format off */

SECTION(noc)
E(topology, V(NOC_CROSSBAR, "crossbar") V(NOC_MESH, "mesh"),
  "one crossbar a direction, or a 2D mesh with XY routing a direction",
  D(crossbar, "simulator: a one-stage butterfly"))
T(nodes,
  "mesh: the nodes, row by row separated by /: c core, p memory partition, . nothing; - for a crossbar",
  D(-, "no map: a crossbar"))
U(flit_bytes, 4, 256, "bytes", "flit size = port width", D(32, "simulator"))
U(header_bytes, 0, 64, "bytes", "header of every packet",
  D(8, "simulator: 8 bytes before the data"))
U(hop_latency, 1, 256, "cycles", "from the last flit's crossing to the far buffer; mesh: latency of each hop",
  D(4, "chosen: channel, allocation, switch, channel: a cycle each; the simulator's router has no delays"))
IDLE_WHILE(c->noc.topology == NOC_MESH, "noc.topology=mesh")
S(virtual_outputs, OFF_ON(V),
  "on: packets of an input wait by receiver, so that one whose receiver is busy holds up none for others",
  D(off, "simulator: one queue an input, of which the head moves"))
IDLE_END
U(router_flits, 1, 4096, "flits", "mesh: buffer of a router's input port; the largest packet must fit",
  D(8, "simulator: one virtual channel of 8 flits; used only by a mesh"))
/* The simulator's virtual channel of 8 flits streams packets through; here a packet moves as a whole, so the buffers
 * must hold those that come and go at once for a port to stay busy, as there. */
U(input_flits, 1, 4096, "flits", "buffer of an input port; the largest packet must fit",
  D(16, "chosen: three line packets of 5 flits, one of them crossing"))
U(output_flits, 1, 4096, "flits", "buffer of an output port; the largest packet must fit",
  D(40, "chosen: eight line packets, the packets that a core's response queue takes in the simulator"))
END(noc)
