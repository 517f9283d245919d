/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing (DAC 2016): the warps, or CTAs where a core has several, that bypass the
 * L1; the sections are its. From interval on, the keys are the generator's.
 */
/* clang-format off */

SECTION(mdb)
E(bypass, V(MDB_BYPASS_OFF, "off") V(MDB_BYPASS_LIMIT, "limit") V(MDB_BYPASS_COUNT, "count")
  V(MDB_BYPASS_LOCAL, "local") V(MDB_BYPASS_GLOBAL, "global") V(MDB_BYPASS_CONTROL, "control"),
  "round the L1 go: none; all behind mdb.limit; the last mdb.count; as a generator a core finds; or one; none",
  D(off, "the baseline"))
IDLE_WHILE(c->mdb.bypass == MDB_BYPASS_OFF, "mdb.bypass=off (--scheme mdb-local)")
E(level, V(MDB_LEVEL_AUTO, "auto") V(MDB_LEVEL_WARPS, "warps") V(MDB_LEVEL_CTAS, "ctas"),
  "what is counted: CTAs where several are resident, else warps; warps by their number in the CTA; CTAs by slot",
  D(auto, "section 6: one CTA a core, its warps; more, CTAs"))
U(limit, 1, 8, "warps or CTAs", "that use the L1; 8: all", D(8, "all use the L1"))
U(count, 0, 7, "warps or CTAs", "that go round it, of 8 or of as many as are resident, whichever is less",
  D(0, "nobody goes round it"))
U(interval, 24, 65536, "accesses", "from one limit to the next", D(1000, "section 6"))
U(hit_bits, 4, 16, "bits", "of a counter of hits", D(10, "section 6"))
U(fail_bits, 4, 16, "bits", "of the counter of reservation failures", D(12, "section 6"))
E(failures, V(MDB_FAILURES_CYCLE, "cycle") V(MDB_FAILURES_ACCESS, "access"),
  "what counts as a reservation failure: each cycle in which the L1 refuses an access; each access that it refuses",
  D(access, "chosen: by each retry cycle programs that stream bypass, and lose what merges in MSHRs (docs/mdb_machine.md)"))
U(hits_shift, 0, 4, "log2", "of what a hit in the sampled sets, one in eight, stands for",
  D(3, "chosen: one set in eight is sampled (section 6), and hits are weighed against failures of all"))
U(e_64ths, 0, 64, "64ths", "weight of a failure against a hit (E of MDB 5.3)",
  D(32, "section 5.3: 0.5"))
S(rescale, OFF_ON(V),
  "on: failures counted under a limit are scaled to no bypassing before they are scaled to another limit",
  D(off, "section 5.2 does not say at which limit failures are counted; as they come"))
E(at_launch, V(MDB_AT_LAUNCH_KERNEL, "kernel") V(MDB_AT_LAUNCH_CLEAR, "clear") V(MDB_AT_LAUNCH_KEEP, "keep"),
  "at a launch counters and limit begin anew: if its kernel is another one; always; never",
  D(kernel, "chosen: history is of the kernel"))
U(watched, 0, 255, "core", "whose generator the others ask, with mdb.bypass = global",
  D(0, "section 6: one SM"))
U(broadcast, 0, 1000, "core cycles", "until they all know its limit",
  D(32, "chosen: not on the critical path (section 6)"))
IDLE_END
END(mdb)
