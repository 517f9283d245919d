/* SPDX-License-Identifier: Apache-2.0
 *
 * Values derived from several keys.
 */
#ifndef WARPMEM_CONFIG_DERIVED_H
#define WARPMEM_CONFIG_DERIVED_H

#include <string.h>

#include "config/config.h"

/** config_peak_dram_bytes_per_s() - peak bandwidth of all data buses together. */
uint64_t config_peak_dram_bytes_per_s(const struct config *c);

/** config_l1_bytes() - capacity of one core's L1. config_l2_bytes() - of all L2 partitions
 * together. */
uint64_t config_l1_bytes(const struct config *c);
uint64_t config_l2_bytes(const struct config *c);

#define CARVEOUTS_MAX 16

/** config_carveouts() - sizes of core.carveout up to core.shared_bytes, in bytes, and
 * core.shared_bytes itself. Return: their number; 0: core.carveout is - or is no such list. */
unsigned config_carveouts(const struct config *c, uint64_t bytes[CARVEOUTS_MAX]);
/** config_carveout_ways() - ways of the L1 that this much shared memory leaves. */
unsigned config_carveout_ways(const struct config *c, uint64_t shared_bytes);

/** config_l2_mshrs() - MSHRs of a partition. */
static inline unsigned config_l2_mshrs(const struct config *c) {
    return c->l2.mshrs * (c->l2.mshr_pool == L2_MSHR_POOL_BANK ? c->l2.banks : 1);
}

/** config_largest_line() - the largest data of a write, or of a read's reply. */
unsigned config_largest_line(const struct config *c);

/** config_mrpb_queues() - queues of the MRPB: the values that its signature can have (MRPB 5.1). */
unsigned config_mrpb_queues(const struct config *c);

/** config_dram_returns() - limit of a partition's reads that are in the DRAM or wait for the L2:
 * dram.return_queue, which covers the latency, plus the size of the high queue if there is one. */
static inline unsigned config_dram_returns(const struct config *c) {
    return c->dram.return_queue + (c->dram.queues == DRAM_QUEUES_TWO ? c->dram.queue : 0);
}

#define TWO_QUEUES_DEPTH_MAX 128 /* requests that each of two DRAM queues can hold */

/** config_refresh_and_column() - upper bound in DRAM cycles from a refresh's due time to the first
 * column command after it; dram.refi must be greater. */
unsigned config_refresh_and_column(const struct config *c);

/** config_names_policy() - is this value of a key PLACE.policy a name? */
static inline bool config_names_policy(const char *word) {
    return strcmp(word, "-");
}

/** config_has_cta_groups() - is issue.scheduler one of OWL's (issue/cta_groups.h)? */
static inline bool config_has_cta_groups(const struct config *c) {
    return c->issue.scheduler == SCHEDULER_CTA_AWARE ||
           c->issue.scheduler == SCHEDULER_CTA_LOCALITY || c->issue.scheduler == SCHEDULER_CTA_BLP;
}

/** config_has_daws() - do predicted footprints hold warps (issue/daws/throttle.h)? */
static inline bool config_has_daws(const struct config *c) {
    return c->daws.mode != DAWS_OFF;
}

/** config_has_warp_arbiter() - does the scheduler choose among groups (issue/warp_arbiter.h)? */
static inline bool config_has_warp_arbiter(const struct config *c) {
    return c->issue.scheduler == SCHEDULER_TWO_LEVEL || config_has_cta_groups(c);
}

/** config_warp_line() - bytes of the lines in which the lanes of a warp coalesce; 0: parts of it do
 * so by themselves. */
static inline unsigned config_warp_line(const struct config *c) {
    return c->l1.coalesce_parts > 1 ? 0 : c->l1.line_bytes;
}

/** config_has_victim_tags() - does the L1 have victim tags (l1/victim_tags.h)? */
static inline bool config_has_victim_tags(const struct config *c) {
    return c->l1.victim_tags == L1_VICTIM_TAGS_WATCH || c->ccws.mode ||
           c->daws.mode == DAWS_DETECTED;
}

/** config_l1_takes_one() - the MRPB and MDB's generator are blocks that take one access a cycle. */
static inline bool config_l1_takes_one(const struct config *c) {
    const bool generator = c->mdb.bypass == MDB_BYPASS_LOCAL ||
                           c->mdb.bypass == MDB_BYPASS_GLOBAL ||
                           c->mdb.bypass == MDB_BYPASS_CONTROL;
    return c->l1.front == L1_FRONT_MRPB || generator;
}

/** config_l1_accesses() - steps of a core cycle in which the load/store unit may send accesses.
 * config_l1_ports() - accesses of a step; one too where a queue hands them to the L1. */
static inline unsigned config_l1_accesses(const struct config *c) {
    return config_l1_takes_one(c) ? 1 : c->l1.steps;
}
static inline unsigned config_l1_ports(const struct config *c) {
    return config_l1_takes_one(c) || c->l1.front_latency ? 1 : c->l1.ports;
}

/** config_row_lines() - L2 lines of a DRAM row. */
static inline unsigned config_row_lines(const struct config *c) {
    return c->dram.row_bytes / c->l2.line_bytes;
}

/* Lines of a channel with an unanswered claim, or with a granted one that is not read yet: an
 * answer takes about as many DRAM cycles, and under either rule a request for another row waits for
 * as many lines. */
#define PREFETCHER_LINES_MAX 4
#define PREFETCHED_QUEUE_MAX 128    /* waiting requests that the prefetcher averages */
#define PREFETCHED_ROW_LINES_MAX 64 /* L2 lines of a row, where owl.prefetch is on */
#define L2_POLICY_WAYS_MAX 64       /* ways of an L2 that does not evict by LRU alone */
#define MEDIC_PORTS_MAX 64          /* lookup ports, and update ports, of a table of warp types */

/** config_has_row_prefetch() - does the DRAM bring lines of open rows into the L2 (OWL 4.4)? */
static inline bool config_has_row_prefetch(const struct config *c) {
    return c->owl.prefetch != OWL_PREFETCH_OFF;
}

/** config_stores_bypass() - do stores that bypass the L2 go to the DRAM even if the L2 has their
 * line? */
static inline bool config_stores_bypass(const struct config *c) {
    return c->medic.stores == MEDIC_STORES_DIRECT;
}

/** config_writes_go_low() - do all writes go to the low one of two DRAM queues? */
static inline bool config_writes_go_low(const struct config *c) {
    return c->medic.writes == MEDIC_WRITES_LOW;
}

/** config_has_fr_fcfs() - can the block dram/fr_fcfs schedule the DRAM's queue? Rare features of
 * dram/fr_fcfs_rare.h are in C alone, and so is the order of a line's requests and prefetches. */
static inline bool config_has_fr_fcfs(const struct config *c) {
    return c->dram.queues == DRAM_QUEUES_ONE && !c->dram.write_drain && !c->dram.refi &&
           !c->dram.row_hit_cap && c->dram.queue >= 2 && c->dram.queue <= 64 &&
           c->dram.banks >= 2 && c->dram.latency >= 2 &&
           !(c->dram.line_order && config_has_row_prefetch(c));
}

/** config_has_warp_types() - does any policy use the warps' types? */
static inline bool config_has_warp_types(const struct config *c) {
    return c->l2.bypass == L2_BYPASS_WARP_TYPE || c->l2.insertion == L2_INSERTION_WARP_TYPE ||
           c->dram.queues == DRAM_QUEUES_TWO;
}

/** config_has_table() - does the machine have tables of hit ratios (l2/warp_type)? They count
 * warps, or with l2.bypass = pc instructions. */
static inline bool config_has_table(const struct config *c) {
    return config_has_warp_types(c) || c->l2.bypass == L2_BYPASS_PC;
}

/** config_has_l2_sorting() - do requests pass the block l2/bypass, because they may bypass, have a
 * class, or may not allocate a line? */
static inline bool config_has_l2_sorting(const struct config *c) {
    return c->l2.bypass != L2_BYPASS_OFF || c->l2.allocation != L2_ALLOCATION_ALL ||
           config_has_warp_types(c);
}

/** config_may_have_table(), config_may_have_sorting() - the same, or may the policy of l2.policy
 * need it? */
static inline bool config_may_have_table(const struct config *c) {
    return config_has_table(c) || config_names_policy(c->l2.policy);
}

static inline bool config_may_have_sorting(const struct config *c) {
    return config_has_l2_sorting(c) || config_names_policy(c->l2.policy);
}

/** config_bypasses_at_port() - is the block l2/bypass before the pipelines of the ports? */
static inline bool config_bypasses_at_port(const struct config *c) {
    return config_has_l2_sorting(c) && c->l2.bypass_at == L2_BYPASS_AT_PORT;
}

#endif
