/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1 data cache.
 */
/* clang-format off */

SECTION(l1)
S(cache, OFF_ON(V), "off: no L1 data cache, every access goes on",
  D(on, "the papers' GPUs have one; part --l1 off turns it off"))
S(perfect, OFF_ON(V), "on: every access of any space hits in its first-level cache (OWL's PMEM)",
  D(off, "no ideal cache; scheme perfect-l1 turns it on"))
P(sets, 1, 65536, "sets", "sets, a power of two")
U(ways, 1, 524288, "ways", "lines a set")
P(line_bytes, 32, 128, "bytes", "line size, a power of two")
E(index, INDEX_VALUES(V),
  "set index: low bits of the line; XOR as many above; XOR all groups; Fermi's hash, 32 or 64 sets of 128 bytes",
  D(modulo, "simulator: linear"))
E(global_write, L1_WRITE_VALUES(V),
  "a write to global memory that hits: evicts the line and goes on; writes it and goes on; writes it",
  D(evict, "simulator: global data write-evict"))
S(local_write, L1_WRITE_VALUES(V), "the same for local memory",
  D(back, "simulator: local data write-back"))
S(sectors, OFF_ON(V), "on: a line is valid by 32-byte sectors, and a miss fetches those that it wants",
  D(off, "simulator: none before release 4"))
E(allocate, V(L1_ALLOCATE_MISS, "miss") V(L1_ALLOCATE_FILL, "fill"),
  "a read that misses takes its line: at once; with its data (streaming), so that no set is full of lines that wait",
  D(miss, "simulator: allocate on miss"))
E(write_miss, V(L1_WRITE_MISS_AROUND, "around") V(L1_WRITE_MISS_FETCH, "fetch"),
  "where writes stay (back): a write that misses goes on, or takes a line and fetches it",
  D(around, "simulator: no write-allocate"))
E(replacement, V(L1_REPLACEMENT_LRU, "lru") V(L1_REPLACEMENT_PDP, "pdp"),
  "the victim: the least recently used line; of those past their protecting distance, else a read bypasses (MICRO 2012)",
  D(lru, "simulator"))
U(front_latency, 0, 64, "cycles", "from the load/store unit to the tags, through a queue of as many places; 0: none",
  D(0, "simulator: none before release 4"))
U(hit_latency, 1, 256, "cycles", "from the access to its data in the register, for a hit",
  D(1, "chosen: a cycle, as the papers that say it"))
U(fill_latency, 1, 256, "cycles", "from waking a waiting access to its data in the register",
  D(1, "chosen: a waiting access goes to the registers in the cycle after the fill"))
U(mshrs, 1, 1024, "entries", "miss status holding registers")
U(mshr_merge, 1, 256, "accesses", "accesses one MSHR can hold")
U(miss_queue, 1, 256, "requests", "requests that wait for the interconnect")
E(at_launch, V(AT_LAUNCH_KEEP, "keep") V(AT_LAUNCH_INVALIDATE, "invalidate"),
  "its valid lines when a kernel is launched",
  D(keep, "simulator: no flush between kernels"))
E(bypass_reply, V(BYPASS_REPLY_SEGMENT, "segment") V(BYPASS_REPLY_LINE, "line"),
  "data of a bypassing read's reply: the coalesced 32-byte segments, or the line",
  D(segment, "simulator: a bypassing read's reply carries what was coalesced"))
E(front, V(L1_FRONT_NONE, "none") V(L1_FRONT_MRPB, "mrpb") V(L1_FRONT_SLOT, "slot"),
  "before the L1: nothing; the memory request prioritization buffer (HPCA 2014); its bypassing without its queues (5.4)",
  D(none, "the baseline; scheme mrpb puts the buffer there"))
E(victim_tags, V(L1_VICTIM_TAGS_OFF, "off") V(L1_VICTIM_TAGS_WATCH, "watch"),
  "tags of lines that each warp has lost (DAWS 4): off where nobody needs them; counted in any scheme",
  D(off, "the baseline; scheme ccws has them"))
IDLE_WHILE(!config_has_victim_tags(c), "l1.victim_tags=off and nobody needs them (--scheme ccws)")
P(victim_sets, 1, 8, "sets", "of a warp's victim tags, a power of two",
  D(2, "DAWS table 3: 16 entries a warp, 8-way"))
U(victim_ways, 1, 16, "lines", "of such a set", D(8, "DAWS table 3"))
IDLE_END
END(l1)
