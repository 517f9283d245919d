/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing (DAC 2016), whose sections are cited: the warps, or CTAs where a core has
 * several, that bypass the L1. From interval on, the keys are the generator's.
 */
/* clang-format off */

SECTION(mdb)
E(bypass, V(MDB_BYPASS_OFF, "off") V(MDB_BYPASS_LIMIT, "limit") V(MDB_BYPASS_COUNT, "count")
  V(MDB_BYPASS_LOCAL, "local") V(MDB_BYPASS_GLOBAL, "global") V(MDB_BYPASS_CONTROL, "control"),
  "bypass the L1: none; all after mdb.limit; the last mdb.count; by a generator a core; by one for all; none",
  D(off, "the baseline"))
IDLE_WHILE(c->mdb.bypass == MDB_BYPASS_OFF, "mdb.bypass=off (--scheme mdb-local)")
E(level, V(MDB_LEVEL_AUTO, "auto") V(MDB_LEVEL_WARPS, "warps") V(MDB_LEVEL_CTAS, "ctas"),
  "unit of the limit: CTAs if several are resident, else warps; warps by their number in the CTA; CTAs by slot",
  D(auto, "section 6: warps with one CTA a core, else CTAs"))
U(limit, 1, 8, "warps or CTAs", "number that uses the L1; 8: all", D(8, "all use the L1"))
U(count, 0, 7, "warps or CTAs", "number that bypasses the L1, of 8 or of the resident ones if these are fewer",
  D(0, "none bypasses"))
U(interval, 24, 65536, "accesses", "from one limit to the next", D(1000, "section 6"))
U(hit_bits, 4, 16, "bits", "width of a counter of hits", D(10, "section 6"))
U(fail_bits, 4, 16, "bits", "width of the counter of reservation failures", D(12, "section 6"))
E(failures, V(MDB_FAILURES_CYCLE, "cycle") V(MDB_FAILURES_ACCESS, "access"),
  "a reservation failure is: each cycle in which the L1 refuses an access; each access that it refuses",
  D(access, "chosen: if each retry cycle counted, streaming programs would bypass and lose merges in MSHRs (docs/mdb_machine.md)"))
U(hits_shift, 0, 4, "log2", "weight of a hit in the sampled sets, one in eight",
  D(3, "chosen: one set in eight is sampled (section 6), and hits are weighed against failures of all sets"))
U(e_64ths, 0, 64, "64ths", "weight of a failure against a hit (E of MDB 5.3)",
  D(32, "section 5.3: 0.5"))
S(rescale, OFF_ON(V),
  "on: failures counted under a limit are scaled to no bypassing before they are scaled to another limit",
  D(off, "section 5.2 does not name the limit under which failures are counted; no scaling"))
E(at_launch, V(MDB_AT_LAUNCH_KERNEL, "kernel") V(MDB_AT_LAUNCH_CLEAR, "clear") V(MDB_AT_LAUNCH_KEEP, "keep"),
  "a launch resets counters and limit: if its kernel is another one; always; never",
  D(kernel, "chosen: the history belongs to the kernel"))
U(watched, 0, 255, "core", "core whose generator decides for all, with mdb.bypass = global",
  D(0, "section 6: one SM"))
U(broadcast, 0, 1000, "core cycles", "delay until all cores have its limit",
  D(32, "chosen: not on the critical path (section 6)"))
IDLE_END
END(mdb)
