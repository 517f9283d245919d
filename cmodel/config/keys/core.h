/* SPDX-License-Identifier: Apache-2.0
 *
 * A core (SM).
 */
/* clang-format off */

SECTION(core)
U(count, 1, 192, "cores", "cores (SMs)")
P(simd_width, 1, 32, "lanes", "an instruction takes 32 / this cycles of its scheduler and pipeline; a power of two")
U(threads, 32, 2048, "threads", "resident threads a core")
U(warps, 1, 64, "warps", "resident warps a core")
U(ctas, 1, 32, "CTAs", "resident CTAs a core", D(8, "simulator"))
E(dispatch, V(DISPATCH_ROOM, "room") V(DISPATCH_TURN, "turn"),
  "core that gets the next CTA: the next one with room; the one behind the last, when it has room",
  D(room, "simulator"))
U(cta_threads, 32, 1024, "threads", "threads a CTA may have; a launch with more is refused")
U(registers, 1024, 1048576, "registers", "32-bit registers a core")
U(shared_bytes, 0, 1048576, "bytes", "shared memory a core")
T(carveout,
  "sizes of shared memory, KB, a/b/...: a launch gets the least that limits no CTAs, and the L1 the rest of both; -: both stay",
  D(-, "simulator: none before release 4"))
U(shared_banks, 1, 64, "banks", "shared memory banks, 4 bytes wide")
U(shared_latency, 1, 256, "cycles", "from a shared-memory access to its data",
  D(3, "simulator: the load/store pipeline has 3 stages"))
U(schedulers, 1, 4, "schedulers", "warp w belongs to scheduler w mod this; each issues one warp instruction a cycle")
U(operand_latency, 1, 32, "cycles", "from issue to the function unit or load/store unit (operand collection)",
  D(4, "chosen: issue, collector, register read, dispatch: a cycle each in the simulator's pipeline"))
IDLE_WHILE(c->alu.pipes == ALU_PIPES_SCHEDULER, "alu.pipes=scheduler")
U(sp_units, 1, 8, "units", "pipelines for integer, single and double precision")
U(sfu_units, 1, 8, "units", "pipelines for division and transcendental functions",
  D(1, "simulator"))
IDLE_END
E(memory_stall, V(MEMORY_STALL_MEMORY, "memory") V(MEMORY_STALL_ALL, "all"),
  "while the load/store unit sends an instruction's accesses: when it is full, memory instructions wait; no warp issues",
  D(memory, "simulator: pipelines of their own; up to release 2.1.2b it had one pipeline, in order"))
END(core)
