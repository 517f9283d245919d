/* SPDX-License-Identifier: Apache-2.0
 *
 * Bypassing by instruction, which MeDiC is compared with (section 5).
 */
/* clang-format off */

SECTION(pcbyp)
P(entries, 2, 4096, "entries",
  "of the table of instructions, a power of two; they hash to it; else as [medic], the boundary fixed",
  D(256, "chosen"))
U(counter_bits, 4, 16, "bits", "of its hit and access counters", D(10, "chosen: as MeDiC's"))
END(pcbyp)
