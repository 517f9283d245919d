/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's warp types (PACT 2015, whose sections are cited), used if l2.bypass, l2.insertion or
 * dram.queues select them. With l2.bypass = pc instructions have types instead of warps.
 */
/* clang-format off */

SECTION(medic)
E(table, V(MEDIC_TABLE_SHARED, "shared") V(MEDIC_TABLE_PARTITION, "partition"),
  "warp types: one table of the whole L2, or one a partition",
  D(shared, "section 6.5: 5.1 kB is the size of one table for all partitions"))
U(period, 1000, 100000000, "core cycles", "from reset to reset of the counters and types",
  D(100000, "section 4.1"))
U(profile, 1, 255, "requests", "requests of a warp after a reset until its type is known and it may bypass",
  D(30, "section 4.1"))
IDLE_WHILE(!config_may_have_table(c), "no policy uses warp types (--scheme medic)")
E(counts, V(MEDIC_COUNTS_ALL, "all") V(MEDIC_COUNTS_READS, "reads"),
  "requests in hit ratios and miss rate: all; those that return data, reads and atomics",
  D(all, "section 4.1: \"the total number of cache hits and cache accesses for the warp\""))
IDLE_END
U(counter_bits, 4, 16, "bits", "width of a warp's hit and access counters; both are halved before the accesses overflow",
  D(10, "section 6.5"))
U(mostly_hit, 5, 100, "percent", "least hit ratio of a mostly-hit warp; a multiple of 5",
  D(70, "section 3.1"))
U(mostly_miss, 0, 95, "percent", "largest hit ratio of a mostly-miss warp; a multiple of 5",
  D(20, "section 3.1"))
E(boundary, V(MEDIC_BOUNDARY_FIXED, "fixed") V(MEDIC_BOUNDARY_MOVES, "moves") V(MEDIC_BOUNDARY_KEPT, "kept") V(MEDIC_BOUNDARY_FOLLOW, "follow"),
  "mostly_miss is fixed; falls 5 points for 5 more of the miss rate (4.2) than: the period's least; the run's; the last period's",
  D(follow, "section 4.2, footnote 3: \"increase in cache miss rate\", from period to period; a minimum of windows only falls, by chance too"))
U(window, 4, 20, "log2 requests", "length of the windows whose miss rate moves the boundary",
  D(10, "chosen: 1024 requests resolve 5 points of the miss rate, and come soon"))
E(types, V(MEDIC_TYPES_KEEP, "keep") V(MEDIC_TYPES_FOLLOW, "follow"),
  "a warp's type: fixed at the end of its profile, or following its counters",
  D(keep, "section 4.1: determined at the end of profiling, and stored"))
E(at_warp, V(MEDIC_AT_WARP_KEEP, "keep") V(MEDIC_AT_WARP_CLEAR, "clear"),
  "counters and type of a warp slot when another warp enters it",
  D(keep, "section 4.1 names only the periodic reset; warps of BP and HS end before a profile (docs/medic_readings.md)"))
P(lanes, 1, 8, "lanes", "parts of a table, each with one update a cycle; a power of two",
  D(4, "chosen: four updates a cycle are more than the interconnect delivers"))
U(update_queue, 2, 16, "updates", "updates that wait at a port of a table; more are lost", D(4, "chosen"))
E(stores, V(MEDIC_STORES_BANK, "bank") V(MEDIC_STORES_DIRECT, "direct"),
  "writes of a bypassing warp: go to the bank, update a present line and allocate none; or go to the DRAM directly (7; incoherent)",
  D(bank, "chosen: coherent; section 4.2 does not say how a bypassing store updates a line of the L2"))
E(writes, V(MEDIC_WRITES_CLASS, "class") V(MEDIC_WRITES_LOW, "low"),
  "with dram.queues = two, the queue of writes: that of their warp's reads; the low one, because no warp waits for them",
  D(class, "section 4.4: \"each memory request is tagged\""))
E(hit_class, V(MEDIC_HIT_CLASS_KEEP, "keep") V(MEDIC_HIT_CLASS_RAISE, "raise"),
  "with l2.insertion = warp-type, a line's type when a warp of a higher type hits it",
  D(keep, "section 4.3: a block has the type of the warp that inserted it"))
E(insertion, V(MEDIC_INSERTION_CLASS, "class") V(MEDIC_INSERTION_PLACE, "place"),
  "with l2.insertion = warp-type, the victim: LRU of the lowest type; plain LRU, in which the warp's type gives a new line its position",
  D(place, "section 4.3: \"insert the block closer to the MRU position\"; class has many more misses, which figure 13 excludes"))
E(reuse, V(MEDIC_REUSE_OFF, "off") V(MEDIC_REUSE_BLOOM, "bloom"),
  "bloom: a line that bypassed or was evicted recently, by a filter of the sizes in [eaf], does not bypass (MeDiC-reuse, 6.4)",
  D(off, "scheme medic-reuse turns it on"))
END(medic)
