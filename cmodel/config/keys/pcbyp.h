/* SPDX-License-Identifier: Apache-2.0
 *
 * Bypassing by instruction, with which MeDiC is compared (section 5).
 */
/* clang-format off */

SECTION(pcbyp)
P(entries, 2, 4096, "entries",
  "size of the hashed table of instructions, a power of two; otherwise as [medic] with a fixed boundary",
  D(256, "chosen"))
U(counter_bits, 4, 16, "bits", "width of its hit and access counters", D(10, "chosen: as MeDiC's"))
END(pcbyp)
