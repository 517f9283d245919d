/* SPDX-License-Identifier: Apache-2.0
 *
 * The constant cache: read only; a warp's distinct words one after another.
 */
/* clang-format off */

SECTION(constant)
P(sets, 1, 4096, "sets", "sets, a power of two")
U(ways, 1, 64, "ways", "lines a set", D(2, "simulator"))
P(line_bytes, 32, 128, "bytes", "line size, a power of two", D(64, "simulator"))
U(hit_latency, 1, 256, "cycles", "from the access to its data in the register, for a hit",
  D(1, "chosen: as the L1"))
U(mshrs, 1, 256, "entries", "miss status holding registers", D(2, "simulator"))
U(mshr_merge, 1, 256, "accesses", "accesses that one MSHR can hold", D(32, "simulator"))
U(miss_queue, 1, 256, "requests", "requests that wait for the interconnect", D(4, "simulator"))
END(constant)
