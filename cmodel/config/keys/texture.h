/* SPDX-License-Identifier: Apache-2.0
 *
 * The texture cache. It hides latency in order: every access waits in a FIFO until its line has
 * arrived.
 */
/* clang-format off */

SECTION(texture)
P(sets, 1, 4096, "sets", "sets, a power of two")
U(ways, 1, 64, "ways", "lines a set")
P(line_bytes, 32, 128, "bytes", "line size, a power of two")
S(sectors, OFF_ON(V), "on: a line is valid by 32-byte sectors, and a miss fetches only those that it needs",
  D(off, "simulator: whole lines"))
U(fifo, 1, 4096, "accesses", "accesses between the tags and the data", D(128, "simulator"))
U(request_queue, 1, 256, "requests", "requests that wait for the interconnect", D(4, "simulator"))
U(reorder, 1, 4096, "lines", "lines under way or waiting for their turn", D(128, "simulator"))
U(hit_latency, 1, 256, "cycles", "from the tags to the data in the register, for a hit in an empty FIFO",
  D(2, "chosen: a cycle for the tags, one for the data after the FIFO"))
END(texture)
