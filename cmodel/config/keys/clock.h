/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks.
 */
/* clang-format off */

SECTION(clock)
U(core, 1000, 10000000, "kHz", "core cycle: a whole warp issues in one (shader clock x SIMD width / 32)")
U(noc, 1000, 10000000, "kHz", "interconnect: one flit a port a cycle")
U(l2, 1000, 10000000, "kHz", "memory partitions and L2 banks")
U(dram, 1000, 10000000, "kHz", "DRAM commands")
END(clock)
