/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of hardware blocks, the only list of them: a new block is one row here. The build,
 * scripts (python/warpmem/tools/block_table.py), `warpmem list blocks` and the fuzzer read it.
 * Everything else about a block is in its own files, which are found by its name.
 */
#ifndef WARPMEM_CLI_BLOCKS_H
#define WARPMEM_CLI_BLOCKS_H

#include <stdbool.h>

#include "base/block.h"
#include "gpu/named_policies.h"

/* The place of a block's instances, which gives their names: sm0, sm0s0, p0, p0b0. A table of the
 * whole L2 is called l2, that of a partition p0. PART: only inside other blocks. */
/* clang-format off */
enum block_stands { BLOCK_CORE, BLOCK_SCHEDULER, BLOCK_PARTITION, BLOCK_BANK,
                    BLOCK_TABLE, BLOCK_PART };

/* B(place, name, parameter set for `make area`, place of its instances, parameter sets of machines,
 * which warpmem-rtl is built with, meaning, the setting that it needs as text, and the same as an
 * expression of struct config *c and struct named_policies *p). The first five are in a row's first line. */
#define BLOCKS(B) \
    B(common, priority_encoder, queues, PART, "", \
      "grants the lowest requester", "a block around it", false) \
    B(common, round_robin_arbiter, most, PART, "", \
      "grants requesters in turn", "a block around it", false) \
    B(common, sram_1r1w, queues, PART, "", \
      "memory with a read and a write port", "a block around it", false) \
    B(common, fifo, deep, PART, "", \
      "queue in a memory", "a block around it", false) \
    B(common, mshrs, machine, PART, "", \
      "who waits for which line, and wakes in which order (miss status holding registers)", "a block around it", false) \
    B(common, tag_sets, gtx480, PART, "", \
      "which way of a set has a line, and which one gives way (tags of a cache)", "a block around it", false) \
    B(issue, cta_groups, paper, CORE, "paper locality turns generation", \
      "groups of CTAs and their order, one in each core", \
      "issue.scheduler=cta-aware or another of OWL (--scheme owl)", config_has_cta_groups(c)) \
    B(issue, warp_arbiter, paper, SCHEDULER, "paper turns two_level", \
      "chooses the warp that issues, in groups of warps; one a scheduler", \
      "issue.scheduler=two-level, cta-aware or another of OWL (--scheme owl)", \
      config_has_warp_arbiter(c)) \
    B(issue, ccws, paper, CORE, "paper bounded dual", \
      "scores of lost locality, and warps that may load, one in each core", "ccws.mode=on (--scheme ccws)", \
      c->ccws.mode) \
    B(issue, daws_sampling, paper, CORE, "paper stops warps48", \
      "sampling warp and locality of each loop, one in each core", \
      "daws.mode=detected (--scheme daws-detected)", c->daws.mode == DAWS_DETECTED) \
    B(issue, daws_repetition, paper, CORE, "paper warps48 majority", \
      "loads that access one line in one trip, one in each core", \
      "daws.mode=detected (--scheme daws-detected)", c->daws.mode == DAWS_DETECTED) \
    B(issue, daws_footprint, paper, CORE, "paper warps48", \
      "predicted footprints of warps, and warps that may load, one in each core", \
      "daws.mode=profiled or detected (--scheme daws-detected)", config_has_daws(c)) \
    B(issue, daws_loads, paper, CORE, "paper warps48", \
      "classes of the loads in loops, and predictions, one in each core", \
      "daws.mode=profiled or detected (--scheme daws-detected)", config_has_daws(c)) \
    B(l1, mrpb, paper, CORE, "paper in_turn long_queue no_flush", \
      "memory request prioritization buffer, one in each core", "l1.front=mrpb (--scheme mrpb)", \
      c->l1.front == L1_FRONT_MRPB) \
    B(l1, shadow_tags, paper, PART, "", \
      "tags of the L1 as if only some warps used it", "a block around it", false) \
    B(l1, bpg, paper, CORE, "machine kb32 as_counted", \
      "bypassing parameter generator, one in each core", \
      "mdb.bypass=local, global or control (--scheme mdb-local)", \
      c->mdb.bypass == MDB_BYPASS_LOCAL || c->mdb.bypass == MDB_BYPASS_GLOBAL || \
          c->mdb.bypass == MDB_BYPASS_CONTROL) \
    B(l1, warp_bypass, paper, CORE, "paper", \
      "decides which accesses bypass the L1, one in each core", "mdb.bypass other than off (--scheme mdb-local)", \
      c->mdb.bypass != MDB_BYPASS_OFF) \
    B(l1, victim_tags, paper, CORE, "paper frees warps48", \
      "tags of the lines that each warp has lost, one in each core", \
      "l1.victim_tags=watch or ccws.mode=on (--scheme ccws)", config_has_victim_tags(c)) \
    B(l2, warp_type, paper, TABLE, "paper partition kept quarters", \
      "table of warp types, of the L2 or of each partition", \
      "l2.bypass=warp-type or pc, l2.insertion=warp-type or dram.queues=two (--scheme medic)", \
      config_has_table(c) || (p->l2 && p->l2->types)) \
    B(l2, bypass, paper, PARTITION, "paper direct", \
      "bypassing at the ports of a partition, one in each", \
      "l2.bypass other than off, l2.allocation=tokens, or warp types (--scheme medic)", \
      config_has_l2_sorting(c) || l2_policy_sorts(p->l2)) \
    B(l2, bank_arbiter, paper, PARTITION, "paper banks24 banks48", \
      "arbiter between ports and banks, one in each partition", "l2.ports=2 or more, or l2/bypass", \
      c->l2.ports > 1 || config_has_l2_sorting(c) || l2_policy_sorts(p->l2)) \
    B(l2, insertion, paper, BANK, "paper way17 raise place", \
      "replacement state with warp types, one in each L2 bank", \
      "l2.insertion=warp-type (--scheme wip)", \
      c->l2.insertion == L2_INSERTION_WARP_TYPE && !c->l2.perfect) \
    B(dram, dual_queue, paper, PARTITION, "machine turns rows", \
      "two request queues of a DRAM controller, one in each partition", \
      "dram.queues=two (--scheme wms)", c->dram.queues == DRAM_QUEUES_TWO) \
    B(dram, row_prefetch, paper, PARTITION, "paper stop", \
      "prefetcher of open rows, one in each partition", \
      "owl.prefetch other than off (--scheme owl)", c->owl.prefetch != OWL_PREFETCH_OFF) \
    B(dram, bank_timing, gddr5, PARTITION, "gtx480 gtx480_two c2050 owl", \
      "which commands the timing of the DRAM allows in each bank, one in each partition", \
      "dram.queues=two, or the machine of dram/fr_fcfs", \
      c->dram.queues == DRAM_QUEUES_TWO || (config_has_fr_fcfs(c) && !p->dram)) \
    B(dram, fr_fcfs, paper, PARTITION, "gtx480 ordered c2050 owl", \
      "request queue of a DRAM controller: first ready, first come first served, one in each partition", \
      "dram.queues=one, dram.queue=2..64, dram.latency=2.., no dram.policy, and neither refresh, write_drain, row_hit_cap nor prefetch with line_order", \
      config_has_fr_fcfs(c) && !p->dram)

/* clang-format on */

/** struct block_row - a row of the table. @sets: of machines, one space between two names. */
struct block_row {
    const struct block *block;
    enum block_stands stands;
    const char *sets, *about, *needs;
    bool (*present)(const struct config *c, const struct named_policies *p);
};

/** block_row_at() - the i-th row; NULL: there are no more. */
const struct block_row *block_row_at(unsigned i);
/** block_row_has_set() - true if machines have the parameter set. */
bool block_row_has_set(const struct block_row *row, const char *set);

#endif
