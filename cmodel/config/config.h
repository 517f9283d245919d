/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's parameters. Every key stands once, in the lists below, with its range, unit and
 * meaning, or the words and constants of its values; the struct, the enums, the parser, `warpmem
 * config show` and the messages come from them. Values come from presets (config/presets/) alone.
 */
#ifndef WARPMEM_CONFIG_CONFIG_H
#define WARPMEM_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/mrpb_modes.h"

#define CONFIG_TEXT 96 /* room for the value of a T key with its '\0' */

/* clang-format off */

/* A row is a key. U(key, min, max, unit, meaning): an unsigned number. P: one that is a power of two.
 * E(key, V(CONSTANT, "word") ..., meaning): a choice, with a word in files and a constant in code for
 * each value. S: a choice whose constants another row or header has. T(key, meaning): a text without
 * blanks. */

#define OFF_ON(V) V(false, "off") V(true, "on")
#define INDEX_VALUES(V) V(INDEX_MODULO, "modulo") V(INDEX_XOR, "xor") V(INDEX_XOR_ALL, "xor-all") V(INDEX_FERMI, "fermi")
#define L1_WRITE_VALUES(V) V(L1_WRITE_EVICT, "evict") V(L1_WRITE_THROUGH, "through") V(L1_WRITE_BACK, "back")

#define CLOCK_KEYS(U, P, E, S, T, V) \
    U(core, 1000, 10000000, "kHz", "core cycle: a whole warp issues in one (shader clock x SIMD width / 32)") \
    U(noc,  1000, 10000000, "kHz", "interconnect: one flit a port a cycle") \
    U(l2,   1000, 10000000, "kHz", "memory partitions and L2 banks") \
    U(dram, 1000, 10000000, "kHz", "DRAM commands")

#define CORE_KEYS(U, P, E, S, T, V) \
    U(count,           1, 128,     "cores",     "cores (SMs)") \
    P(simd_width,      1, 32,      "lanes",     "an instruction takes 32 / this cycles of its scheduler and pipeline; a power of two") \
    U(threads,        32, 2048,    "threads",   "resident threads a core") \
    U(warps,           1, 64,      "warps",     "resident warps a core") \
    U(ctas,            1, 32,      "CTAs",      "resident CTAs a core") \
    U(cta_threads,    32, 1024,    "threads",   "threads a CTA may have; a launch with more is refused") \
    U(registers,    1024, 1048576, "registers", "32-bit registers a core") \
    U(shared_bytes,    0, 1048576, "bytes",     "shared memory a core") \
    U(shared_banks,    1, 64,      "banks",     "shared memory banks, 4 bytes wide") \
    U(shared_latency,  1, 256,     "cycles",    "from a shared-memory access to its data") \
    U(schedulers,      1, 4,       "schedulers", "warp w belongs to scheduler w mod this; each issues one warp instruction a cycle") \
    U(operand_latency, 1, 32,      "cycles",    "from issue to the function unit or the load/store unit (operand collection)") \
    U(sp_units,        1, 8,       "units",     "pipelines for integer, single and double precision") \
    U(sfu_units,       1, 8,       "units",     "pipelines for division and transcendental functions")

#define ISSUE_KEYS(U, P, E, S, T, V) \
    E(scheduler, V(SCHEDULER_LRR, "lrr") V(SCHEDULER_GTO, "gto") V(SCHEDULER_OLDEST, "oldest") V(SCHEDULER_TWO_LEVEL, "two-level") \
      V(SCHEDULER_CTA_AWARE, "cta-aware") V(SCHEDULER_CTA_LOCALITY, "cta-aware-locality") V(SCHEDULER_CTA_BLP, "cta-aware-locality-blp"), \
      "two-level: fetch groups (MICRO 2011); cta-...: of CTAs (OWL 4)") \
    E(arbitration, V(ARBITRATION_FIXED, "fixed") V(ARBITRATION_ROTATING, "rotating"), \
      "which scheduler is asked first for the load/store unit and pipelines: always the first; another one in each cycle") \
    U(group_warps,        1, 64, "warps", "two-level: warps of a fetch group") \
    U(warp_limit,         0, 64, "warps", "warps a scheduler picks from, the oldest that no barrier holds (SWL, MICRO 2012); 0: all") \
    U(inflight_per_warp,  0, 1,  "instructions", "1: the next instruction of a warp issues after the one before has ended; 0: when the scoreboard lets it") \
    T(policy, "policy that --plugin FILE brings, beside the others; -: none")

#define CCWS_KEYS(U, P, E, S, T, V) \
    S(mode, OFF_ON(V), "on: while warps lose lines of the L1, only those that lose most may issue loads that look it up (MICRO 2012)") \
    U(base,       1, 1023, "points",  "score of a warp that has lost nothing lately, and its share of the cutoff (DAWS table 3)") \
    U(k,          1, 255,  "times",   "K_throttle: weight of a lost line against an issued instruction (DAWS table 3)") \
    U(count_bits, 11, 31,  "bits",    "of the counts of lost lines, times ccws.k, and of issued instructions; both halve when one is half full")

#define OWL_KEYS(U, P, E, S, T, V) \
    U(least_warps, 1, 64, "warps", "of a group of CTAs, where the core has as many (OWL 4.1, 5.2)") \
    E(life, V(OWL_LIFE_LAST, "last") V(OWL_LIFE_SLOT, "slot") V(OWL_LIFE_GENERATION, "generation"), \
      "a CTA that starts later goes behind all groups; into its slot's; behind all, and as many as the first CTAs are grouped as those") \
    E(blocked, V(OWL_BLOCKED_BEYOND_L1, "beyond-l1") V(OWL_BLOCKED_ISSUED, "issued"), \
      "cta-aware: a warp holds its group until it waits for data from beyond the L1, to which all its accesses are known; for any load") \
    E(prefetch, V(OWL_PREFETCH_OFF, "off") V(OWL_PREFETCH_STOP, "stop") V(OWL_PREFETCH_LEAST, "least"), \
      "lines of open DRAM rows into the L2: no; until a request for another row waits; at least a number of them (OWL 4.4)") \
    U(lower,         0, 64,  "lines",    "asked for of a row, whatever waits; 0: the row gets no line") \
    U(higher,        0, 64,  "lines",    "the same while fewer requests wait than owl.threshold") \
    U(threshold,     0, 127, "requests", "in the channel's queue; 0: their running average") \
    U(average_shift, 2, 8,   "bits",     "the average moves by a difference shifted right by so much, at each arrival") \
    E(claim, V(OWL_CLAIM_EARLY, "early") V(OWL_CLAIM_LATE, "late"), \
      "a prefetch takes its L2 line before it is read, or is dropped; when its data is there") \
    E(prefetched, V(OWL_PREFETCHED_RECENT, "recent") V(OWL_PREFETCHED_LAST, "last"), \
      "a prefetched line is its L2 set's most recently used one; its least") \
    S(written_rows, OFF_ON(V), "prefetch of rows that were opened for a write")

/* Divergence-aware warp scheduling (MICRO 2013). */
#define DAWS_KEYS(U, P, E, S, T, V) \
    E(mode, V(DAWS_OFF, "off") V(DAWS_PROFILED, "profiled") V(DAWS_DETECTED, "detected"), \
      "loads are held whose warps' predicted footprints do not fit: no; by a profile of loads (5.1); by what loads do (5.2)") \
    E(lanes, V(DAWS_LANES_ACTIVE, "active") V(DAWS_LANES_ALL, "all"), \
      "a prediction is for: the lanes that begin the trip; all, without control flow awareness (7.1)") \
    U(factor,  1, 100, "percent", "of the L1's lines that footprints may fill (kAssocFactor, 7.3)") \
    E(latency, V(DAWS_LATENCY_NONE, "0") V(DAWS_LATENCY_BLOCK, "block"), \
      "from a loop marker to the mask that follows it: a cycle, in C alone; as many as issue/daws_footprint takes") \
    E(sum, V(DAWS_SUM_ALL, "all") V(DAWS_SUM_FIT, "fit"), \
      "a warp is held by the footprints of: all older warps; those that are not held") \
    E(mark, V(DAWS_MARK_ISSUE, "issue") V(DAWS_MARK_FETCH, "fetch"), \
      "a loop's begin and trip count: when their first instruction issues; when it is the warp's next") \
    S(outside, OFF_ON(V), "on: a load outside loops counts as one of the next loop while a warp is in a loop (5.1.2)") \
    E(locality, V(DAWS_LOCALITY_LOAD, "load") V(DAWS_LOCALITY_MAJORITY, "majority") V(DAWS_LOCALITY_ACCESS, "access"), \
      "detected: a loop's counter goes up by a load any of whose accesses had intra-warp locality; most of which; by an access") \
    U(counter_bits, 2, 16, "bits", "detected: of a loop's counter, signed (5.2.1)")

/* Latency and initiation interval of each arithmetic instruction, in core cycles. */
#define ALU_KEYS(U, P, E, S, T, V) \
    U(int_add, 1, 1024, "cycles", "latency") U(int_add_interval, 1, 256, "cycles", "initiation interval") \
    U(int_max, 1, 1024, "cycles", "latency") U(int_max_interval, 1, 256, "cycles", "initiation interval") \
    U(int_mul, 1, 1024, "cycles", "latency") U(int_mul_interval, 1, 256, "cycles", "initiation interval") \
    U(int_mad, 1, 1024, "cycles", "latency") U(int_mad_interval, 1, 256, "cycles", "initiation interval") \
    U(int_div, 1, 1024, "cycles", "latency") U(int_div_interval, 1, 256, "cycles", "initiation interval") \
    U(fp_add,  1, 1024, "cycles", "latency") U(fp_add_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_max,  1, 1024, "cycles", "latency") U(fp_max_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_mul,  1, 1024, "cycles", "latency") U(fp_mul_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_mad,  1, 1024, "cycles", "latency") U(fp_mad_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_div,  1, 1024, "cycles", "latency") U(fp_div_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_add,  1, 1024, "cycles", "latency") U(dp_add_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_max,  1, 1024, "cycles", "latency") U(dp_max_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_mul,  1, 1024, "cycles", "latency") U(dp_mul_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_mad,  1, 1024, "cycles", "latency") U(dp_mad_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_div,  1, 1024, "cycles", "latency") U(dp_div_interval,  1, 256, "cycles", "initiation interval") \
    U(sfu,     1, 1024, "cycles", "latency") U(sfu_interval,     1, 256, "cycles", "initiation interval")

#define L1_KEYS(U, P, E, S, T, V) \
    S(cache, OFF_ON(V), "off: no L1 data cache, every access goes on") \
    S(perfect, OFF_ON(V), "on: every access of any space hits in its first-level cache (OWL's PMEM)") \
    P(sets,         1, 65536, "sets",    "sets, a power of two") \
    U(ways,         1, 524288, "ways",   "lines a set") \
    P(line_bytes,  32, 128,   "bytes",   "line size, a power of two") \
    E(index, INDEX_VALUES(V), "set index: low bits of the line; XOR as many above; XOR all groups; Fermi's hash, 32 or 64 sets of 128 bytes") \
    E(global_write, L1_WRITE_VALUES(V), "a write to global memory that hits: evicts the line and goes on; writes it and goes on; writes it") \
    S(local_write, L1_WRITE_VALUES(V), "the same for local memory") \
    S(sectors, OFF_ON(V), "on: a line is valid by 32-byte sectors, and a miss fetches those that it wants") \
    E(allocate, V(L1_ALLOCATE_MISS, "miss") V(L1_ALLOCATE_FILL, "fill"), \
      "a read that misses takes its line: at once; with its data (streaming), so that no set is full of lines that wait") \
    E(write_miss, V(L1_WRITE_MISS_AROUND, "around") V(L1_WRITE_MISS_FETCH, "fetch"), \
      "where writes stay (back): a write that misses goes on, or takes a line and fetches it") \
    E(replacement, V(L1_REPLACEMENT_LRU, "lru") V(L1_REPLACEMENT_PDP, "pdp"), \
      "the victim: the least recently used line; of those past their protecting distance, else a read bypasses (MICRO 2012)") \
    U(front_latency, 0, 64,   "cycles",  "from the load/store unit to the tags, through a queue of as many places; 0: none") \
    U(hit_latency,  1, 256,   "cycles",  "from the access to its data in the register, for a hit") \
    U(fill_latency, 1, 256,   "cycles",  "from waking a waiting access to its data in the register") \
    U(mshrs,        1, 1024,  "entries", "miss status holding registers") \
    U(mshr_merge,   1, 256,   "accesses", "accesses one MSHR can hold") \
    U(miss_queue,   1, 256,   "requests", "requests that wait for the interconnect") \
    E(at_launch, V(AT_LAUNCH_KEEP, "keep") V(AT_LAUNCH_INVALIDATE, "invalidate"), "its valid lines when a kernel is launched") \
    E(bypass_reply, V(BYPASS_REPLY_SEGMENT, "segment") V(BYPASS_REPLY_LINE, "line"), \
      "data of a bypassing read's reply: the coalesced 32-byte segments, or the line") \
    E(mrpb, V(L1_MRPB_OFF, "off") V(L1_MRPB_ON, "on") V(L1_MRPB_SLOT, "slot"), \
      "memory request prioritization buffer before the L1 (HPCA 2014); slot: its bypassing without its queues (5.4)") \
    E(victim_tags, V(L1_VICTIM_TAGS_OFF, "off") V(L1_VICTIM_TAGS_WATCH, "watch"), \
      "tags of lines that each warp has lost (DAWS 4): off where nobody needs them; counted in any scheme") \
    P(victim_sets, 1, 8,   "sets",    "of a warp's victim tags, a power of two") \
    U(victim_ways, 1, 16,  "lines",   "of such a set")

/* The texture cache hides latency in order: every access waits in a FIFO until its line is there. */
#define TEXTURE_KEYS(U, P, E, S, T, V) \
    P(sets,          1, 4096,  "sets",    "sets, a power of two") \
    U(ways,          1, 64,    "ways",    "lines a set") \
    P(line_bytes,   32, 128,   "bytes",   "line size, a power of two") \
    U(fifo,          1, 4096,  "accesses", "accesses between the tags and the data") \
    U(request_queue, 1, 256,   "requests", "requests that wait for the interconnect") \
    U(reorder,       1, 4096,  "lines",   "lines under way or waiting for their turn") \
    U(hit_latency,   1, 256,   "cycles",  "from the tags to the data in the register, for a hit in an empty FIFO")

/* The constant cache: read only; a warp's distinct words one after another. */
#define CONSTANT_KEYS(U, P, E, S, T, V) \
    P(sets,          1, 4096,  "sets",    "sets, a power of two") \
    U(ways,          1, 64,    "ways",    "lines a set") \
    P(line_bytes,   32, 128,   "bytes",   "line size, a power of two") \
    U(hit_latency,   1, 256,   "cycles",  "from the access to its data in the register, for a hit") \
    U(mshrs,         1, 256,   "entries", "miss status holding registers") \
    U(mshr_merge,    1, 256,   "accesses", "accesses one MSHR can hold") \
    U(miss_queue,    1, 256,   "requests", "requests that wait for the interconnect")

#define MRPB_KEYS(U, P, E, S, T, V) \
    S(signature, MRPB_SIGNATURE_VALUES(V), "a request's queue: its warp slot; its warp's number in the CTA; its CTA slot") \
    S(drain, MRPB_DRAIN_VALUES(V), "which queue drains; greedy: until it is empty") \
    S(flush, OFF_ON(V), "on: a full queue drains first, a write empties its queue and is not stored; off: writes queue too") \
    U(depth,   0, 64, "entries", "requests a queue holds, 2 or more; 0: without bound, in C alone") \
    U(latency, 3, 18, "cycles",  "from enqueue to the first sight of it by the cache; a write that passes, 5 at most") \
    S(bypass, MRPB_BYPASS_VALUES(V), "a read that misses bypasses where it lacks: nothing; a line in its set; that, an MSHR, or room in it")

/* Model-driven bypassing: the warps, or CTAs where a core has several, that bypass the L1. From
 * interval on, the keys are the generator's. */
#define MDB_KEYS(U, P, E, S, T, V) \
    E(bypass, V(MDB_BYPASS_OFF, "off") V(MDB_BYPASS_LIMIT, "limit") V(MDB_BYPASS_COUNT, "count") \
      V(MDB_BYPASS_LOCAL, "local") V(MDB_BYPASS_GLOBAL, "global") V(MDB_BYPASS_CONTROL, "control"), \
      "round the L1 go: none; all behind mdb.limit; the last mdb.count; as a generator a core finds; or one; none") \
    E(level, V(MDB_LEVEL_AUTO, "auto") V(MDB_LEVEL_WARPS, "warps") V(MDB_LEVEL_CTAS, "ctas"), \
      "what is counted: CTAs where several are resident, else warps; warps by their number in the CTA; CTAs by slot") \
    U(limit,   1, 8, "warps or CTAs", "that use the L1; 8: all") \
    U(count,   0, 7, "warps or CTAs", "that go round it, of 8 or of as many as are resident, whichever is less") \
    U(interval, 24, 65536, "accesses", "from one limit to the next") \
    U(hit_bits,  4, 16, "bits", "of a counter of hits") \
    U(fail_bits, 4, 16, "bits", "of the counter of reservation failures") \
    E(failures, V(MDB_FAILURES_CYCLE, "cycle") V(MDB_FAILURES_ACCESS, "access"), \
      "what counts as a reservation failure: each cycle in which the L1 refuses an access; each access that it refuses") \
    U(hits_shift, 0, 4, "log2", "of what a hit in the sampled sets, one in eight, stands for") \
    U(e_64ths, 0, 64, "64ths", "weight of a failure against a hit (E of MDB 5.3)") \
    S(rescale, OFF_ON(V), "on: failures counted under a limit are scaled to no bypassing before they are scaled to another limit") \
    E(at_launch, V(MDB_AT_LAUNCH_KERNEL, "kernel") V(MDB_AT_LAUNCH_CLEAR, "clear") V(MDB_AT_LAUNCH_KEEP, "keep"), \
      "at a launch counters and limit begin anew: if its kernel is another one; always; never") \
    U(watched,  0, 255, "core", "whose generator the others ask, with mdb.bypass = global") \
    U(broadcast, 0, 1000, "core cycles", "until they all know its limit")

/* Protecting distances, with l1.replacement = pdp. */
#define PDP_KEYS(U, P, E, S, T, V) \
    U(distance, 0, 256, "accesses", "to a line's set, for which it is protected after its last use; 0: found by sampling") \
    U(interval, 64, 1000000, "accesses", "of the L1, after which the distance is found anew")

#define NOC_KEYS(U, P, E, S, T, V) \
    E(topology, V(NOC_CROSSBAR, "crossbar") V(NOC_MESH, "mesh"), "one crossbar a direction, or a 2D mesh with XY routing a direction") \
    T(nodes, "mesh: what stands where, row by row with / between them: c core, p memory partition, . nothing; - for a crossbar") \
    U(flit_bytes,    4, 256,  "bytes",  "flit size = port width") \
    U(header_bytes,  0, 64,   "bytes",  "header of every packet") \
    U(hop_latency,   1, 256,  "cycles", "from the last flit's crossing to the far buffer; mesh: of each hop") \
    U(router_flits,  1, 4096, "flits",  "mesh: buffer of a router's input port; the largest packet must fit") \
    U(input_flits,   1, 4096, "flits",  "buffer of an input port; the largest packet must fit") \
    U(output_flits,  1, 4096, "flits",  "buffer of an output port; the largest packet must fit")

#define L2_KEYS(U, P, E, S, T, V) \
    U(partitions,    1, 80,    "partitions", "memory partitions, one DRAM channel each") \
    U(ports,         1, 4,     "ports",   "interconnect ports of a partition, for requests") \
    P(reply_ports,   1, 4,     "ports",   "the same for replies, a power of two; those of bank b leave by port b mod this") \
    P(banks,         1, 16,    "banks",   "banks of a partition, a power of two; consecutive lines go to consecutive banks") \
    S(perfect, OFF_ON(V), "on: every request hits") \
    P(sets,          1, 65536, "sets",    "sets a bank, a power of two") \
    U(ways,          1, 524288, "ways",   "lines a set") \
    P(line_bytes,   32, 256,   "bytes",   "line size, a power of two; not less than that of any first-level cache") \
    S(index, INDEX_VALUES(V), "set index, as of the L1") \
    S(sectors, OFF_ON(V), "on: a line is valid and dirty by 32-byte sectors, and only those that are wanted move to and from the DRAM") \
    E(write, V(L2_WRITE_BACK, "back") V(L2_WRITE_THROUGH, "through"), "writes stay until their line is evicted, or go on to the DRAM as well") \
    E(write_miss, V(L2_WRITE_MISS_FETCH, "fetch") V(L2_WRITE_MISS_PARTIAL, "partial") V(L2_WRITE_MISS_AROUND, "around"), \
      "a write that misses: fetches its line; the same unless it writes all of it; goes to the DRAM without a line") \
    E(bypass, V(L2_BYPASS_OFF, "off") V(L2_BYPASS_ALL, "all") V(L2_BYPASS_WARP_TYPE, "warp-type") V(L2_BYPASS_RANDOM, "random") V(L2_BYPASS_PC, "pc"), \
      "reads past the L2: none; all; of mostly-miss warps (MeDiC 4.2); of warps by lot; of instructions that miss") \
    E(bypass_at, V(L2_BYPASS_AT_ARBITER, "arbiter") V(L2_BYPASS_AT_PORT, "port"), \
      "where requests leave that bypass: before the bank arbiter (MeDiC 4.2); before l2.rop_latency") \
    E(allocation, V(L2_ALLOCATION_ALL, "all") V(L2_ALLOCATION_TOKENS, "tokens"), \
      "whose misses take lines: everybody's; those of warps with a token ([pcal], HPCA 2015)") \
    E(insertion, V(L2_INSERTION_LRU, "lru") V(L2_INSERTION_WARP_TYPE, "warp-type") V(L2_INSERTION_EAF, "eaf"), \
      "the victim: LRU; LRU of the lowest warp type (MeDiC 4.3); LRU, lines no filter knows coming in low (PACT 2012)") \
    U(rop_latency,   1, 4096,  "cycles",  "from the interconnect's port to the bank arbiter, L2 cycles") \
    U(arbiter_latency, 1, 64,  "cycles",  "through port and arbiter into the bank's queue") \
    U(queue,         1, 1024,  "requests", "requests that wait for a bank") \
    U(bank_interval, 1, 256,   "cycles",  "from a bank's access to its next") \
    U(hit_latency,   1, 256,   "cycles",  "from the bank's access to its output, for a hit") \
    U(fill_latency,  1, 256,   "cycles",  "from waking a waiting request to the bank's output") \
    U(mshrs,         1, 256,   "entries", "miss status holding registers, of each of l2.mshr_pool") \
    E(mshr_pool, V(L2_MSHR_POOL_BANK, "bank") V(L2_MSHR_POOL_PARTITION, "partition"), \
      "l2.mshrs belong to: each bank; each partition, whose banks share them") \
    U(mshr_merge,    1, 256,   "requests", "requests one MSHR can hold") \
    U(miss_queue,    2, 256,   "requests", "requests of a bank that wait for the DRAM; a miss with a dirty victim takes two places") \
    U(reply_queue,   1, 1024,  "replies", "replies of a partition that wait for the interconnect") \
    T(policy, "replacement policy that --plugin FILE brings, in place of LRU; -: none")

/* Decisions by warp type, used if l2.bypass, l2.insertion or dram.queues select them. With
 * l2.bypass = pc an instruction takes a warp's place. */
#define MEDIC_KEYS(U, P, E, S, T, V) \
    E(table, V(MEDIC_TABLE_SHARED, "shared") V(MEDIC_TABLE_PARTITION, "partition"), "warp types: one table of the whole L2, or one a partition") \
    U(period,      1000, 100000000, "core cycles", "from reset to reset of the counters and types") \
    U(profile,        1, 255, "requests", "of a warp after a reset, until its type is known and it may bypass") \
    E(counts, V(MEDIC_COUNTS_ALL, "all") V(MEDIC_COUNTS_READS, "reads"), \
      "requests that hit ratios and miss rate are of: all; those that bring data, reads and atomics") \
    U(counter_bits,   4, 16,  "bits",     "of a warp's hit and access counters; both are halved before the accesses overflow") \
    U(mostly_hit,     5, 100, "percent",  "hits of a mostly-hit warp at least; a multiple of 5") \
    U(mostly_miss,    0, 95,  "percent",  "hits of a mostly-miss warp at most; a multiple of 5") \
    E(boundary, V(MEDIC_BOUNDARY_FIXED, "fixed") V(MEDIC_BOUNDARY_MOVES, "moves") V(MEDIC_BOUNDARY_KEPT, "kept"), \
      "mostly_miss stays; falls by 5 points for each 5 of the miss rate above its least of the period (MeDiC 4.2); of the run") \
    U(window,         4, 20,  "log2 requests", "length of the windows whose miss rate moves the boundary") \
    E(types, V(MEDIC_TYPES_KEEP, "keep") V(MEDIC_TYPES_FOLLOW, "follow"), \
      "a warp's type: as found at the end of its profile, or as its counters change") \
    E(at_warp, V(MEDIC_AT_WARP_KEEP, "keep") V(MEDIC_AT_WARP_CLEAR, "clear"), "counters and type of a warp slot when another warp comes into it") \
    P(lanes,          1, 8,   "lanes",    "parts of a table, each with one update a cycle; a power of two") \
    U(update_queue,   2, 16,  "updates",  "that wait at a port of a table; more are lost") \
    E(stores, V(MEDIC_STORES_BANK, "bank") V(MEDIC_STORES_DIRECT, "direct"), \
      "writes of a bypassing warp: to the bank, into a line that is there, and take none; or to the DRAM unseen (7; incoherent)") \
    E(writes, V(MEDIC_WRITES_CLASS, "class") V(MEDIC_WRITES_LOW, "low"), \
      "with dram.queues = two, the queue of writes: that of their warp's reads; the low one, as nobody waits for them") \
    E(hit_class, V(MEDIC_HIT_CLASS_KEEP, "keep") V(MEDIC_HIT_CLASS_RAISE, "raise"), \
      "with l2.insertion = warp-type, a line's type when a warp of a higher one hits it") \
    E(insertion, V(MEDIC_INSERTION_CLASS, "class") V(MEDIC_INSERTION_PLACE, "place"), \
      "with l2.insertion = warp-type, the victim: LRU of the lowest type; plain LRU, which a new line enters at its warp's place") \
    E(reuse, V(MEDIC_REUSE_OFF, "off") V(MEDIC_REUSE_BLOOM, "bloom"), \
      "bloom: what bypassed or was evicted lately, by a filter of the sizes in [eaf], does not bypass (MeDiC-reuse, 6.4)")

/* The schemes that MeDiC is compared with (section 5). */
#define PCAL_KEYS(U, P, E, S, T, V) \
    U(tokens,         0, 4096, "warps",   "with a token: that may take lines of a partition") \
    U(epoch,       1000, 100000000, "core cycles", "after which tokens are granted anew")
#define RAND_KEYS(U, P, E, S, T, V) \
    U(percent,        0, 100, "percent",  "of the warps, to bypass; drawn anew every medic.period")
#define PCBYP_KEYS(U, P, E, S, T, V) \
    P(entries,        2, 4096, "entries", "of the table of instructions, a power of two; they hash to it; else as [medic], the boundary fixed") \
    U(counter_bits,   4, 16,  "bits",     "of its hit and access counters")
/* The filters of l2.insertion = eaf, a share of the partition's for each bank, and of medic.reuse =
 * bloom, one a partition. */
#define EAF_KEYS(U, P, E, S, T, V) \
    P(bits,          64, 16777216, "bits", "of a partition's Bloom filter, of l2.insertion = eaf and of medic.reuse = bloom; a power of two") \
    U(hashes,         1, 8,   "functions", "hash functions") \
    U(addresses,      1, 1048576, "addresses", "inserted, after which either filter is cleared") \
    U(bimodal,        1, 1024, "misses",  "l2.insertion = eaf: of lines that the filter does not know one in so many comes in as most recently used")

#define DRAM_KEYS(U, P, E, S, T, V) \
    U(latency,        1, 4096,  "cycles",  "constant part before the controller's queue, DRAM cycles") \
    U(queue,          1, 256,   "requests", "requests the FR-FCFS scheduler sees; of each queue where there are two") \
    E(queues, V(DRAM_QUEUES_ONE, "one") V(DRAM_QUEUES_TWO, "two"), \
      "two: requests of mostly-hit warps in a queue of their own, always first (MeDiC 4.4)") \
    E(high, V(DRAM_HIGH_ALWAYS, "always") V(DRAM_HIGH_ROW_FIRST, "row-first"), \
      "with two queues the high one goes first: always; when another row is to be opened, hits of open rows before that") \
    E(queue_share, V(DRAM_QUEUE_SHARE_OWN, "own") V(DRAM_QUEUE_SHARE_COMMON, "common"), \
      "with two queues dram.queue is: the places of each; those of both together, 128 of a kind at most, high ones enter first") \
    U(low_bound,      0, 255,   "column commands", "with two queues: so many of the high one pass the low one's oldest request; 0: any number, the paper's") \
    U(return_queue,   1, 1024,  "requests", "reads in the DRAM or waiting for the L2; with two queues as many more as dram.queue") \
    U(channel_bytes,  128, 65536, "bytes", "consecutive bytes of one channel") \
    S(channel_hash, OFF_ON(V), "on: the next channel is not always the next one: a hash of the address above turns their order") \
    U(bus_bytes,      1, 64,    "bytes",   "data bus: bytes a beat") \
    U(beats,          1, 8,     "beats",   "data beats a command cycle (data/command ratio)") \
    U(burst,          1, 64,    "beats",   "burst length") \
    P(banks,          1, 64,    "banks",   "banks a channel, a power of two") \
    P(bank_groups,    1, 16,    "groups",  "bank groups a channel, a power of two") \
    E(group_bits, V(GROUP_BITS_HIGH, "high") V(GROUP_BITS_LOW, "low"), \
      "bits of the bank's number that are its group's: the high ones, neighbours are in a group; the low ones, they are not") \
    P(row_bytes,      128, 65536, "bytes", "row of a bank, a power of two") \
    T(address_map, "bits of an address within its channel, the highest first: R row, B bank, C column, S byte in a burst; -: row, bank, column") \
    U(row_hit_cap,    0, 255,   "column commands", "to an open row, then the bank's oldest request goes before row hits (DRAMsim3: 4); 0: no cap") \
    U(cl,             1, 255,   "cycles",  "read command to data") \
    U(wl,             1, 255,   "cycles",  "write command to data") \
    U(rcd,            1, 255,   "cycles",  "activate to column command") \
    U(rp,             1, 255,   "cycles",  "precharge to activate, same bank") \
    U(ras,            1, 255,   "cycles",  "activate to precharge, same bank") \
    U(rc,             1, 255,   "cycles",  "activate to activate, same bank") \
    U(rrd,            1, 255,   "cycles",  "activate to activate, other bank") \
    U(faw,            0, 4095,  "cycles",  "window of at most 4 activates (tFAW), where longer than 4 rrd; 0: none") \
    U(aw32,           0, 4095,  "cycles",  "window of at most 32 activates (t32AW), where longer than 8 faw and 32 rrd; 0: none") \
    U(ccd,            1, 255,   "cycles",  "column to column command") \
    U(ccdl,           1, 255,   "cycles",  "column to column command, same bank group") \
    U(rtpl,           1, 255,   "cycles",  "read to precharge, same bank, with bank groups") \
    U(cdlr,           1, 255,   "cycles",  "end of write data to read command (tWTR)") \
    U(wr,             1, 255,   "cycles",  "end of write data to precharge, same bank") \
    U(refi,           0, 1048576, "cycles", "from one due time of an all-bank refresh to the next (tREFI); 0, with rfc = 0: no refresh") \
    U(rfc,            0, 4095,  "cycles",  "refresh to the next command (tRFC)") \
    S(write_drain, OFF_ON(V), "on: reads first, and writes in batches: from write_high that wait until write_low are left, or while no read waits") \
    U(write_high,     1, 128,   "requests", "write_drain: waiting writes that begin a batch") \
    U(write_low,      0, 127,   "requests", "write_drain: waiting writes that are left when a batch ends")

#define CONFIG_SECTIONS(S) \
    S(clock, CLOCK_KEYS) S(core, CORE_KEYS) S(issue, ISSUE_KEYS) S(owl, OWL_KEYS) S(ccws, CCWS_KEYS) S(daws, DAWS_KEYS) \
    S(alu, ALU_KEYS) S(l1, L1_KEYS) \
    S(texture, TEXTURE_KEYS) S(constant, CONSTANT_KEYS) S(mrpb, MRPB_KEYS) S(mdb, MDB_KEYS) S(pdp, PDP_KEYS) \
    S(noc, NOC_KEYS) S(l2, L2_KEYS) S(dram, DRAM_KEYS) \
    S(medic, MEDIC_KEYS) S(pcal, PCAL_KEYS) S(rand, RAND_KEYS) S(pcbyp, PCBYP_KEYS) S(eaf, EAF_KEYS)

/* clang-format on */

#define CONFIG_NOTHING(...)
#define CONFIG_CONSTANT(constant, word) constant,
#define CONFIG_ENUM(key, values, meaning) enum { values };
#define CONFIG_ENUMS(name, KEYS) \
    KEYS(CONFIG_NOTHING, CONFIG_NOTHING, CONFIG_ENUM, CONFIG_NOTHING, CONFIG_NOTHING, \
         CONFIG_CONSTANT)
CONFIG_SECTIONS(CONFIG_ENUMS)

#define CONFIG_U(key, min, max, unit, meaning) unsigned key;
#define CONFIG_E(key, values, meaning) unsigned key;
#define CONFIG_T(key, meaning) char key[CONFIG_TEXT];
#define CONFIG_SECTION(name, KEYS) \
    struct { \
        KEYS(CONFIG_U, CONFIG_U, CONFIG_E, CONFIG_E, CONFIG_T, CONFIG_CONSTANT) \
    } name;

struct config {
    CONFIG_SECTIONS(CONFIG_SECTION)
};

/* A message for the user: what, where, what is allowed; one line. */
struct config_error {
    char text[512];
};

/** config_preset() - fill *c from an embedded preset. False with a message when there is none of
 * that name. */
bool config_preset(struct config *c, const char *name, struct config_error *e);
/** config_preset_name() - the i-th preset's name and its first comment line; NULL past the end. */
const char *config_preset_name(unsigned i, const char **about);
/** config_file() - override from an INI file: unknown keys, ranges and duplicates are errors with
 * file and line. `base = PRESET` before its first section overrides that preset instead. */
bool config_file(struct config *c, const char *path, struct config_error *e);
/** config_set() - override one key from "section.key=value". */
bool config_set(struct config *c, const char *assignment, struct config_error *e);
/** config_check() - check combinations of keys, which no single range can express. Call it last. */
bool config_check(const struct config *c, struct config_error *e);
/** config_print() - every key as INI with unit and meaning as comments. */
void config_print(const struct config *c, FILE *out);
/** config_print_section() - "[section]" where key i is its section's first. */
void config_print_section(unsigned i, FILE *out);
/** config_hash() - of all keys and values, 64-bit FNV-1a over "section.key=value\n" in the order
 * of the lists. */
uint64_t config_hash(const struct config *c);

#endif
