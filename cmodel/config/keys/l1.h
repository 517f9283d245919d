/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1 data cache.
 */
/* clang-format off */

SECTION(l1)
S(cache, OFF_ON(V), "off: no L1 data cache, every access goes to the L2",
  D(on, "the papers' GPUs have one; part --l1 off turns it off"))
S(perfect, OFF_ON(V), "on: every access of any space hits in its first-level cache (OWL's PMEM)",
  D(off, "no ideal cache; scheme perfect-l1 turns it on"))
P(sets, 1, 65536, "sets", "sets, a power of two")
U(ways, 1, 524288, "ways", "lines a set")
P(line_bytes, 32, 128, "bytes", "line size, a power of two")
E(index, INDEX_VALUES(V),
  "set index: the line's low bits; XOR the next group of bits; XOR all groups; Fermi's hash, 32 or 64 sets of 128 bytes",
  D(modulo, "simulator: linear"))
E(global_write, L1_WRITE_VALUES(V),
  "a write hit in global memory: evicts the line and writes the L2; writes both; writes the line only",
  D(evict, "simulator: global data write-evict"))
S(local_write, L1_WRITE_VALUES(V), "the same for local memory",
  D(back, "simulator: local data write-back"))
S(sectors, OFF_ON(V), "on: a line is valid by 32-byte sectors, and a miss fetches only those that it needs",
  D(off, "simulator: none before release 4"))
IDLE_WHILE(c->l1.coalesce_parts > 1, "l1.coalesce_parts=2, whose segments atomics have too")
E(atomics, V(L1_ATOMICS_WORDS, "words") V(L1_ATOMICS_SECTORS, "sectors"),
  "a warp's atomic makes: for lanes on one word a request each; for lanes of half a warp in one 32-byte sector one request, which the L2 combines",
  D(words, "simulator: lanes on one word go one after another (Fermi)"))
IDLE_END
E(allocate, V(L1_ALLOCATE_MISS, "miss") V(L1_ALLOCATE_FILL, "fill"),
  "a read miss allocates its line: at once; when its data arrive (streaming), so waiting lines never fill a set",
  D(miss, "simulator: allocate on miss"))
E(write_miss, V(L1_WRITE_MISS_AROUND, "around") V(L1_WRITE_MISS_FETCH, "fetch") V(L1_WRITE_MISS_MASK, "mask"),
  "a write miss: goes to the L2; write-back: takes a line and fetches it; write-through with sectors: takes one for its bytes, and goes on",
  D(around, "simulator: no write-allocate"))
E(replacement, V(L1_REPLACEMENT_LRU, "lru") V(L1_REPLACEMENT_PDP, "pdp"),
  "the victim: the least recently used line; the same among lines past their protecting distance, else a read bypasses (MICRO 2012)",
  D(lru, "simulator"))
U(front_latency, 0, 64, "cycles", "from the load/store unit to the tags, through a queue of this capacity; 0: none",
  D(0, "simulator: none before release 4"))
P(coalesce_parts, 1, 2, "parts",
  "of a warp whose lanes coalesce: 1, the warp; 2, each half by itself, in segments of 32 times a lane's bytes up to 128",
  D(1, "Fermi's rule; 2 is that of compute capability 1.3"))
U(steps, 1, 4, "steps", "of the load/store unit in a core cycle: each takes a reply, an access and sends a request; MRPB and MDB: one access a cycle",
  D(1, "simulator: one, but for GPUs whose core clock it divides by 4"))
U(ports, 1, 4, "accesses", "of one instruction that the L1 takes in a step, of which one at most leaves it; MRPB, MDB and front_latency: one",
  D(1, "simulator: one; up to release 2.1.2b two"))
U(hit_latency, 1, 256, "cycles", "from the access to its data in the register, for a hit",
  D(1, "chosen: a cycle, as in the papers that give it"))
U(fill_latency, 1, 256, "cycles", "from waking a waiting access to its data in the register",
  D(1, "chosen: a waiting access goes to the registers in the cycle after the fill"))
U(mshrs, 1, 1024, "entries", "miss status holding registers")
U(mshr_merge, 1, 256, "accesses", "accesses one MSHR can hold")
E(pending_hit, V(L1_PENDING_MERGE, "merge") V(L1_PENDING_FETCH, "fetch"),
  "a read of a line that is on its way: joins its MSHR; takes an MSHR and fetches the line again",
  D(merge, "simulator: its MSHRs merge; up to release 2.1.2b, only on request"))
U(miss_queue, 1, 256, "requests", "requests that wait for the interconnect")
E(at_launch, V(AT_LAUNCH_KEEP, "keep") V(AT_LAUNCH_INVALIDATE, "invalidate"),
  "valid lines when a kernel is launched",
  D(keep, "simulator: no flush between kernels"))
E(bypass_reply, V(BYPASS_REPLY_SEGMENT, "segment") V(BYPASS_REPLY_LINE, "line"),
  "data in the reply to a bypassing read: the coalesced 32-byte segments, or the line",
  D(segment, "simulator: the reply to a bypassing read carries the coalesced segments"))
E(front, V(L1_FRONT_NONE, "none") V(L1_FRONT_MRPB, "mrpb") V(L1_FRONT_SLOT, "slot"),
  "stage before the L1: none; the memory request prioritization buffer (HPCA 2014); its bypassing without its queues (5.4)",
  D(none, "the baseline; scheme mrpb selects the buffer"))
T(policy, "policy by its name, in warpmem or in --plugin FILE, together with those that keys select; -: none",
  D(-, "none"))
E(victim_tags, V(L1_VICTIM_TAGS_OFF, "off") V(L1_VICTIM_TAGS_WATCH, "watch"),
  "tags of lines that each warp has lost (DAWS 4): off unless a policy needs them; counted in any scheme",
  D(off, "the baseline; scheme ccws needs them"))
IDLE_WHILE(!config_has_victim_tags(c), "l1.victim_tags=off and no policy needs them (--scheme ccws)")
P(victim_sets, 1, 8, "sets", "sets of a warp's victim tags, a power of two",
  D(2, "DAWS table 3: 16 entries a warp, 8-way"))
U(victim_ways, 1, 16, "lines", "ways of a set of victim tags", D(8, "DAWS table 3"))
E(victim_hit, V(L1_VICTIM_HIT_KEEP, "keep") V(L1_VICTIM_HIT_FREE, "free"),
  "victim tags: a hit keeps its entry until later evictions replace it; frees it, because the line returns to the L1",
  D(keep, "CCWS as released"))
IDLE_END
END(l1)
