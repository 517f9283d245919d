/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory partitions' ports and the L2.
 */
/* clang-format off */

SECTION(l2)
U(partitions, 1, 192, "partitions", "memory partitions, one DRAM channel each")
U(ports, 1, 4, "ports", "interconnect ports of a partition, for requests",
  D(1, "simulator: one slice a channel"))
P(reply_ports, 1, 4, "ports", "the same for replies, a power of two; replies of bank b use port b mod this",
  D(1, "simulator: one slice a channel; in MeDiC (section 5) one reply queue, filled by the banks in turn"))
P(banks, 1, 16, "banks", "banks of a partition, a power of two; consecutive lines go to consecutive banks",
  D(1, "simulator: one slice a channel"))
S(perfect, OFF_ON(V), "on: every request hits",
  D(off, "no ideal cache; scheme perfect-l2 turns it on"))
P(sets, 1, 65536, "sets", "sets a bank, a power of two")
U(ways, 1, 524288, "ways", "lines a set")
P(line_bytes, 32, 256, "bytes", "line size, a power of two; not less than that of any first-level cache")
S(index, INDEX_VALUES(V), "set index, as in the L1", D(modulo, "simulator: linear"))
S(sectors, OFF_ON(V),
  "on: a line is valid and dirty by 32-byte sectors, and only needed sectors move to and from the DRAM",
  D(off, "simulator: none before release 4"))
E(write, V(L2_WRITE_BACK, "back") V(L2_WRITE_THROUGH, "through"),
  "writes reach the DRAM when their line is evicted, or at once")
E(write_miss, V(L2_WRITE_MISS_FETCH, "fetch") V(L2_WRITE_MISS_PARTIAL, "partial") V(L2_WRITE_MISS_AROUND, "around")
  V(L2_WRITE_MISS_MASK, "mask"),
  "a write miss: fetches its line; not if it writes all of it; goes on without a line; fetches on a read of bytes it lacks")
U(dirty_ways, 0, 524288, "ways",
  "l2.write=back: ways of a set that may be dirty; a write beyond them writes the least recently used dirty line back, which stays; 0: all",
  D(0, "simulator: a dirty line waits for its eviction"))
E(bypass, V(L2_BYPASS_OFF, "off") V(L2_BYPASS_ALL, "all") V(L2_BYPASS_WARP_TYPE, "warp-type")
  V(L2_BYPASS_RANDOM, "random") V(L2_BYPASS_PC, "pc"),
  "reads that bypass the L2: none; all; of mostly-miss warps (MeDiC 4.2); of random warps; of instructions that miss",
  D(off, "the baseline; schemes wbyp, medic, rand, pc-byp turn it on"))
IDLE_WHILE(!config_may_have_sorting(c), "l2.bypass=off (--scheme wbyp)")
E(bypass_at, V(L2_BYPASS_AT_ARBITER, "arbiter") V(L2_BYPASS_AT_PORT, "port"),
  "place at which bypassing requests leave: before the bank arbiter (MeDiC 4.2); before l2.rop_latency",
  D(port, "MeDiC 4.2: a bypass avoids \"L2 queuing latencies entirely\"; its authors' later simulator (CMU-SAFARI/Mosaic)"))
IDLE_END
E(allocation, V(L2_ALLOCATION_ALL, "all") V(L2_ALLOCATION_TOKENS, "tokens"),
  "misses that allocate lines: all; those of warps with a token ([pcal], HPCA 2015)",
  D(all, "the baseline; scheme pcal turns it on"))
E(insertion, V(L2_INSERTION_LRU, "lru") V(L2_INSERTION_WARP_TYPE, "warp-type") V(L2_INSERTION_EAF, "eaf"),
  "the victim: LRU; LRU of the lowest warp type (MeDiC 4.3); LRU, with lines unknown to a filter inserted low (PACT 2012)",
  D(lru, "the baseline; schemes wip, medic and eaf turn it on"))
U(rop_latency, 1, 4096, "cycles", "from the interconnect's port to the bank arbiter, L2 cycles")
U(arbiter_latency, 1, 64, "cycles", "through port and arbiter into the bank's queue",
  D(1, "chosen: one port and one bank need no arbitration; a register"))
U(queue, 1, 1024, "requests", "requests that wait for a bank",
  D(8, "simulator: partition queues 8:8:8:8"))
U(bank_interval, 1, 256, "cycles", "from a bank's access to its next",
  D(1, "simulator: pipelined, one access an L2 cycle"))
U(hit_latency, 1, 256, "cycles", "from the bank's access to its output, for a hit",
  D(1, "chosen: the ROP latency covers the pipeline before the bank"))
U(fill_latency, 1, 256, "cycles", "from waking a waiting request to the bank's output",
  D(1, "chosen: the ROP latency covers the pipeline before the bank"))
U(mshrs, 1, 256, "entries", "miss status holding registers of each l2.mshr_pool")
IDLE_WHILE(c->l2.banks == 1, "l2.banks=1")
E(mshr_pool, V(L2_MSHR_POOL_BANK, "bank") V(L2_MSHR_POOL_PARTITION, "partition"),
  "l2.mshrs belong to: each bank; each partition, whose banks share them",
  D(bank, "MeDiC 5 divides the cache into banks and does not mention MSHRs. Simulators share them in a slice, mostly of one bank"))
IDLE_END
U(mshr_merge, 1, 256, "requests", "requests one MSHR can hold")
U(miss_queue, 2, 256, "requests",
  "requests of a bank that wait for the DRAM; a miss with a dirty victim takes two entries",
  D(4, "simulator"))
U(reply_queue, 1, 1024, "replies", "replies of a partition that wait for the interconnect",
  D(8, "simulator: partition queues 8:8:8:8"))
T(policy, "a policy in addition to those of other keys, from --plugin FILE or `list schemes`; -: none", D(-, "none"))
END(l2)
