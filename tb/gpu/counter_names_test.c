/* SPDX-License-Identifier: Apache-2.0
 *
 * Each name of the registry reads the counter that its unit's tests work out by hand, and no other
 * does: what those tests prove is what reports say.
 */
#include "config/preset.h"
#include "dram/fr_fcfs_rare.h"
#include "gpu/machine.h"
#include "gpu/machine_run.h"

enum { NAMES_MAX = 512, MORE = 1000003 };

struct named {
    const char *name;
    uint64_t *counter;
    const char *also; /* a second name, the sum over both spaces */
};

static struct gpu *make_gpu_of(struct config c, struct stats **s) {
    char error[256];
    struct gpu *g = gpu_create(&c, &(struct gpu_options){0}, error, sizeof error);
    *s = stats_create();
    assert_true(g && gpu_register_stats(g, *s) && stats_count(*s) <= NAMES_MAX);
    return g;
}

static struct gpu *make_gpu(struct stats **s) {
    struct config c = base_preset();
    c.l1.front = L1_FRONT_MRPB;
    c.dram.refi = 1590;
    c.dram.rfc = 55;
    c.dram.write_drain = true;
    return make_gpu_of(c, s);
}

/* Adds to the counter; exactly its name, or its two names, must show that. */
static void check_one(const struct stats *s, const struct named *n) {
    uint64_t before[NAMES_MAX];
    unsigned changed = 0;
    for (size_t i = 0; i < stats_count(s); i++) {
        before[i] = stats_value(s, i);
    }
    *n->counter += MORE;
    for (size_t i = 0; i < stats_count(s); i++) {
        const char *name = stats_at(s, i)->name;
        bool mine = !strcmp(name, n->name) || (n->also && !strcmp(name, n->also));
        if (stats_value(s, i) != before[i] + (mine ? MORE : 0)) {
            fail_msg("%s changed by %" PRIu64 " with the counter of %s", name,
                     stats_value(s, i) - before[i], n->name);
        }
        changed += mine;
    }
    assert_int_equal(changed, n->also ? 2 : 1);
    *n->counter -= MORE;
}

static void check_all(const struct stats *s, const struct named *n, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        check_one(s, &n[i]);
    }
}
#define CHECK_ALL(s, table) check_all(s, table, sizeof table / sizeof *table)

TEST(names_of_a_core) {
    struct stats *s;
    struct gpu *g = make_gpu(&s);
    struct core_stats *c = &g->core[0].stats;
    struct stall_stats *t = &g->core[0].stall.stats;
    struct warp_types *types = &g->core[0].warp_types;
    const struct named names[] = {
        {"core.warp_instructions", &c->warp_instructions, NULL},
        {"core.thread_instructions", &c->thread_instructions, NULL},
        {"core.lanes_1_4", &c->lanes[0], NULL},
        {"core.lanes_5_8", &c->lanes[1], NULL},
        {"core.lanes_29_32", &c->lanes[7], NULL},
        {"core.integer_lanes", &c->integer_lanes, NULL},
        {"core.float_lanes", &c->float_lanes, NULL},
        {"core.arithmetic", &c->arithmetic, NULL},
        {"core.loads", &c->loads, NULL},
        {"core.stores", &c->stores, NULL},
        {"core.atomics", &c->atomics, NULL},
        {"core.barriers", &c->barriers, NULL},
        {"core.fences", &c->fences, NULL},
        {"core.ctas", &c->ctas, NULL},
        {"core.most_ctas", &c->most_ctas, NULL},
        {"core.most_cta_warps", &c->most_cta_warps, NULL},
        {"core.issue_cycles", &c->issue_cycles, NULL},
        {"core.requests_sent", &c->requests_sent, NULL},
        {"core.replies_received", &c->replies_received, NULL},
        {"noc.reply_data_packets", &c->data_replies, NULL},
        {"noc.reply_ack_packets", &c->ack_replies, NULL},
        {"core.no_warp_cycles", &t->wait[STALL_NO_WARP], NULL},
        {"core.wait_pipeline", &t->wait[STALL_PIPELINE], NULL},
        {"core.descheduled_cycles", &t->wait[STALL_DESCHEDULED], NULL},
        {"core.wait_load_store", &t->wait[STALL_LOAD_STORE], NULL},
        {"core.wait_l1_refused", &t->wait[STALL_REFUSED], NULL},
        {"core.wait_result", &t->wait[STALL_RESULT], NULL},
        {"core.wait_l1", &t->wait[STALL_L1], NULL},
        {"core.wait_noc_request", &t->wait[STALL_NOC_REQUEST], NULL},
        {"core.wait_l2_queue", &t->wait[STALL_L2_QUEUE], NULL},
        {"core.wait_l2_bank", &t->wait[STALL_L2_BANK], NULL},
        {"core.wait_dram_queue", &t->wait[STALL_DRAM_QUEUE], NULL},
        {"core.wait_dram_service", &t->wait[STALL_DRAM_SERVICE], NULL},
        {"core.wait_noc_reply", &t->wait[STALL_NOC_REPLY], NULL},
        {"core.wait_sync", &t->wait[STALL_SYNC], NULL},
        {"core.wait_end", &t->wait[STALL_END], NULL},
        {"core.wait_unresolved", &t->wait[STALL_UNRESOLVED], NULL},
        {"core.memory_block_cycles", &t->memory_block_cycles, NULL},
        {"core.barrier_warp_cycles", &t->barrier_warp_cycles, NULL},
        {"core.fence_warp_cycles", &t->fence_warp_cycles, NULL},
        {"core.read_replies", &t->read_replies, NULL},
        {"core.read_latency_cycles", &t->read_latency, NULL},
        {"core.read_latency_max", &t->read_latency_max, NULL},
        {"core.load_latency_loads", &t->loads, NULL},
        {"core.load_latency_cycles", &t->load_latency, NULL},
        {"core.load_latency_max", &t->load_latency_max, NULL},
        {"core.all_hit_loads", &t->all_hit_loads, NULL},
        {"core.divergence_cycles", &t->divergence, NULL},
        {"core.divergence_max", &t->divergence_max, NULL},
        {"core.queue_divergence_cycles", &t->queue_divergence, NULL},
        {"core.queue_divergence_max", &t->queue_divergence_max, NULL},
        {"core.loads_all_hit", &types->stats.loads[WARP_ALL_HIT], NULL},
        {"core.loads_mostly_hit", &types->stats.loads[WARP_MOSTLY_HIT], NULL},
        {"core.loads_balanced", &types->stats.loads[WARP_BALANCED], NULL},
        {"core.loads_mostly_miss", &types->stats.loads[WARP_MOSTLY_MISS], NULL},
        {"core.loads_all_miss", &types->stats.loads[WARP_ALL_MISS], NULL},
        {"core.warps_all_hit", &types->stats.warps[WARP_ALL_HIT], NULL},
        {"core.warps_mostly_hit", &types->stats.warps[WARP_MOSTLY_HIT], NULL},
        {"core.warps_balanced", &types->stats.warps[WARP_BALANCED], NULL},
        {"core.warps_mostly_miss", &types->stats.warps[WARP_MOSTLY_MISS], NULL},
        {"core.warps_all_miss", &types->stats.warps[WARP_ALL_MISS], NULL},
    };
    CHECK_ALL(s, names);
    stats_destroy(s);
    gpu_destroy(g);
}

TEST(names_of_the_first_level_caches) {
    struct stats *s;
    struct gpu *g = make_gpu(&s);
    struct load_store *u = &g->core[0].load_store;
    struct l1_stats *l = &u->cache.stats, *k = &u->constant.stats;
    struct l1_space_stats *global = &l->space[0], *local = &l->space[1];
    struct texture_stats *t = &u->texture.stats;
    const struct named names[] = {
        {"l1.global_read_accesses", &global->reads, NULL},
        {"l1.local_read_accesses", &local->reads, NULL},
        {"l1.global_write_accesses", &global->writes, NULL},
        {"l1.local_write_accesses", &local->writes, NULL},
        {"l1.global_read_hits", &global->read_hits, "l1.read_hits"},
        {"l1.local_read_hits", &local->read_hits, "l1.read_hits"},
        {"l1.global_read_pending_hits", &global->read_pending_hits, "l1.read_pending_hits"},
        {"l1.local_read_pending_hits", &local->read_pending_hits, "l1.read_pending_hits"},
        {"l1.global_read_misses", &global->read_misses, "l1.read_misses"},
        {"l1.local_read_misses", &local->read_misses, "l1.read_misses"},
        {"l1.global_read_bypasses", &global->read_bypasses, "l1.read_bypasses"},
        {"l1.local_read_bypasses", &local->read_bypasses, "l1.read_bypasses"},
        {"l1.write_hits", &global->write_hits, NULL},
        {"l1.write_pending_hits", &local->write_pending_hits, NULL},
        {"l1.write_misses", &global->write_misses, NULL},
        {"l1.uncached_reads", &l->uncached, NULL},
        {"l1.atomics", &l->atomics, NULL},
        {"l1.refetches", &l->refetches, NULL},
        {"l1.write_evicts", &l->write_evicts, NULL},
        {"l1.writebacks", &l->writebacks, NULL},
        {"l1.fail_associativity", &l->fails[L1_FAIL_ASSOCIATIVITY], NULL},
        {"l1.fail_mshr_full", &l->fails[L1_FAIL_MSHR_FULL], NULL},
        {"l1.fail_mshr_merge", &l->fails[L1_FAIL_MSHR_MERGE], NULL},
        {"l1.fail_miss_queue", &l->fails[L1_FAIL_MISS_QUEUE], NULL},
        {"l1.fills", &l->fills, NULL},
        {"l1.evictions", &l->evictions, NULL},
        {"l1.misses_cold", &l->reuse.cold, NULL},
        {"l1.misses_freed", &l->reuse.freed, NULL},
        {"l1.misses_intra_warp", &l->reuse.intra_warp, NULL},
        {"l1.misses_cross_warp", &l->reuse.cross_warp, NULL},
        {"l1.misses_cross_block", &l->reuse.cross_block, NULL},
        {"l1.hits_intra_warp", &l->reuse.hits_intra_warp, NULL},
        {"l1.hits_inter_warp", &l->reuse.hits_inter_warp, NULL},
        {"l1.hits_this_trip", &l->reuse.hits_this_trip, NULL},
        {"l1.hits_last_trip", &l->reuse.hits_last_trip, NULL},
        {"l1.hits_other_trip", &l->reuse.hits_other_trip, NULL},
        {"constant.accesses", &k->space[0].reads, NULL},
        {"constant.hits", &k->space[0].read_hits, NULL},
        {"constant.pending_hits", &k->space[0].read_pending_hits, NULL},
        {"constant.misses", &k->space[0].read_misses, NULL},
        {"constant.fail_associativity", &k->fails[L1_FAIL_ASSOCIATIVITY], NULL},
        {"constant.fail_mshr_full", &k->fails[L1_FAIL_MSHR_FULL], NULL},
        {"constant.fail_mshr_merge", &k->fails[L1_FAIL_MSHR_MERGE], NULL},
        {"constant.fail_miss_queue", &k->fails[L1_FAIL_MISS_QUEUE], NULL},
        {"texture.accesses", &t->accesses, NULL},
        {"texture.hits", &t->hits, NULL},
        {"texture.pending_hits", &t->pending_hits, NULL},
        {"texture.misses", &t->misses, NULL},
        {"texture.fail_fifo", &t->fails[TEXTURE_FAIL_FIFO], NULL},
        {"texture.fail_request_queue", &t->fails[TEXTURE_FAIL_REQUEST_QUEUE], NULL},
        {"texture.fail_reorder", &t->fails[TEXTURE_FAIL_REORDER], NULL},
        {"shared.instructions", &u->stats.shared_instructions, NULL},
        {"shared.bank_cycles", &u->stats.shared_bank_cycles, NULL},
        {"shared.conflict_cycles", &u->stats.shared_conflict_cycles, NULL},
        {"l1.lines_01", &u->stats.lines[1], NULL},
        {"l1.lines_02", &u->stats.lines[2], NULL},
        {"l1.lines_32", &u->stats.lines[WARP_SIZE], NULL},
    };
    CHECK_ALL(s, names);
    stats_destroy(s);
    gpu_destroy(g);
}

TEST(names_of_the_interconnect_and_the_dram) {
    struct stats *s;
    struct gpu *g = make_gpu(&s);
    struct network_stats *q = &g->network[NETWORK_REQUEST].stats;
    struct network_stats *r = &g->network[NETWORK_REPLY].stats;
    struct dram_stats *d = &g->channel[1].stats;
    struct fr_fcfs_rare *rare = g->channel[1].scheduler.state;
    const struct named names[] = {
        {"noc.request_packets", &q->packets, NULL},
        {"noc.request_flits", &q->flits, NULL},
        {"noc.request_flit_hops", &q->flit_hops, NULL},
        {"noc.request_latency", &q->latency, NULL},
        {"noc.request_head_wait", &q->head_wait, NULL},
        {"noc.request_occupancy", &q->occupancy, NULL},
        {"noc.reply_packets", &r->packets, NULL},
        {"noc.reply_flits", &r->flits, NULL},
        {"noc.reply_flit_hops", &r->flit_hops, NULL},
        {"noc.reply_latency", &r->latency, NULL},
        {"noc.reply_head_wait", &r->head_wait, NULL},
        {"noc.reply_occupancy", &r->occupancy, NULL},
        {"dram.reads", &d->reads, NULL},
        {"dram.writes", &d->writes, NULL},
        {"dram.read_bytes", &d->read_bytes, NULL},
        {"dram.write_bytes", &d->write_bytes, NULL},
        {"dram.activates", &d->activates, NULL},
        {"dram.precharges", &d->precharges, NULL},
        {"dram.columns", &d->columns, NULL},
        {"dram.row_hits", &d->row_hits, NULL},
        {"dram.data_cycles", &d->data_cycles, NULL},
        {"dram.busy_cycles", &d->busy_cycles, NULL},
        {"dram.bank_cycles", &d->bank_cycles, NULL},
        {"dram.queue_cycles", &d->queue_cycles, NULL},
        {"dram.wait_cycles", &d->wait_cycles, NULL},
        {"dram.service_cycles", &d->service_cycles, NULL},
        {"dram.refreshes", &rare->refresh.refreshes, NULL},
        {"dram.refresh_cycles", &rare->refresh.refresh_cycles, NULL},
        {"dram.write_drains", &rare->write_drains, NULL},
    };
    CHECK_ALL(s, names);
    stats_destroy(s);
    gpu_destroy(g);
}

TEST(names_of_the_l2) {
    struct stats *s;
    struct gpu *g = make_gpu(&s);
    struct l2_stats *b = &g->partition[2].bank[0].stats;
    const struct named names[] = {
        {"l2.requests", &b->requests, "l2.p2b0.requests"},
        {"l2.queue_delay", &b->delay, "l2.p2b0.queue_delay"},
        {"l2.pipeline_delay", &b->pipeline_delay, NULL},
        {"l2.queue_wait", &b->queue_wait, NULL},
        {"l2.bank_wait", &b->bank_wait, NULL},
        {"l2.queue_delay_max", &b->delay_max, NULL},
        {"l2.queue_delay_ge_1", &b->delay_log2[0], NULL},
        {"l2.queue_delay_ge_256", &b->delay_log2[8], NULL},
        {"l2.queue_delay_ge_32768", &b->delay_log2[15], NULL},
        {"l2.read_hits", &b->outcome[REQUEST_READ][L2_HIT], NULL},
        {"l2.read_pending_hits", &b->outcome[REQUEST_READ][L2_PENDING_HIT], NULL},
        {"l2.read_misses", &b->outcome[REQUEST_READ][L2_MISS], NULL},
        {"l2.write_hits", &b->outcome[REQUEST_WRITE][L2_HIT], NULL},
        {"l2.write_pending_hits", &b->outcome[REQUEST_WRITE][L2_PENDING_HIT], NULL},
        {"l2.write_misses", &b->outcome[REQUEST_WRITE][L2_MISS], NULL},
        {"l2.atomic_hits", &b->outcome[REQUEST_ATOMIC][L2_HIT], NULL},
        {"l2.atomic_pending_hits", &b->outcome[REQUEST_ATOMIC][L2_PENDING_HIT], NULL},
        {"l2.atomic_misses", &b->outcome[REQUEST_ATOMIC][L2_MISS], NULL},
        {"l2.l1_writeback_hits", &b->outcome[REQUEST_WRITEBACK][L2_HIT], NULL},
        {"l2.l1_writeback_pending_hits", &b->outcome[REQUEST_WRITEBACK][L2_PENDING_HIT], NULL},
        {"l2.l1_writeback_misses", &b->outcome[REQUEST_WRITEBACK][L2_MISS], NULL},
        {"l2.fetches", &b->fetches, NULL},
        {"l2.full_line_write_misses", &b->full_line_writes, NULL},
        {"l2.write_throughs", &b->write_throughs, NULL},
        {"l2.write_arounds", &b->write_arounds, NULL},
        {"l2.writebacks", &b->writebacks, NULL},
        {"l2.cleanings", &b->cleanings, NULL},
        {"l2.replies", &b->replies, NULL},
        {"l2.fail_associativity", &b->fails[L2_FAIL_ASSOCIATIVITY], NULL},
        {"l2.fail_mshr_full", &b->fails[L2_FAIL_MSHR_FULL], NULL},
        {"l2.fail_mshr_merge", &b->fails[L2_FAIL_MSHR_MERGE], NULL},
        {"l2.fail_miss_queue", &b->fails[L2_FAIL_MISS_QUEUE], NULL},
        {"l2.fail_reply_queue", &b->fails[L2_FAIL_OUTPUT], NULL},
        {"l2.port_conflicts", &g->partition[2].conflicts, NULL},
        {"l2.port_conflicts", &g->partition[2].bank[0].held, NULL},
    };
    CHECK_ALL(s, names);
    stats_destroy(s);
    gpu_destroy(g);
}

TEST(names_of_sectors) {
    struct stats *s;
    struct config c = base_preset();
    c.l1.sectors = c.l2.sectors = true;
    struct gpu *g = make_gpu_of(c, &s);
    struct l1_stats *l = &g->core[0].load_store.cache.stats;
    struct l2_stats *b = &g->partition[2].bank[0].stats;
    const struct named names[] = {
        {"l1.read_sector_misses", &l->sector_misses, NULL},
        {"l1.read_sector_joins", &l->sector_joins, NULL},
        {"l1.read_hit_sectors", &l->sectors.read_hits, NULL},
        {"l1.read_pending_sectors", &l->sectors.read_pending_hits, NULL},
        {"l1.read_miss_sectors", &l->sectors.read_misses, NULL},
        {"l1.write_hit_sectors", &l->sectors.write_hits, NULL},
        {"l1.write_miss_sectors", &l->sectors.write_misses, NULL},
        {"l2.sector_misses", &b->sector_misses, NULL},
        {"l2.sector_joins", &b->sector_joins, NULL},
        {"l2.read_hit_sectors", &b->sectors[REQUEST_READ][L2_HIT], NULL},
        {"l2.read_pending_sectors", &b->sectors[REQUEST_READ][L2_PENDING_HIT], NULL},
        {"l2.read_miss_sectors", &b->sectors[REQUEST_READ][L2_MISS], NULL},
        {"l2.write_hit_sectors", &b->sectors[REQUEST_WRITE][L2_HIT], NULL},
        {"l2.write_pending_sectors", &b->sectors[REQUEST_WRITE][L2_PENDING_HIT], NULL},
        {"l2.write_miss_sectors", &b->sectors[REQUEST_WRITE][L2_MISS], NULL},
        {"l2.atomic_hit_sectors", &b->sectors[REQUEST_ATOMIC][L2_HIT], NULL},
        {"l2.atomic_pending_sectors", &b->sectors[REQUEST_ATOMIC][L2_PENDING_HIT], NULL},
        {"l2.atomic_miss_sectors", &b->sectors[REQUEST_ATOMIC][L2_MISS], NULL},
    };
    CHECK_ALL(s, names);
    stats_destroy(s);
    gpu_destroy(g);
}

/* A word for the unit, a sentence for the meaning, a source, and a place before the dot. */
TEST(every_counter_is_described) {
    struct stats *s;
    struct gpu *g = make_gpu(&s);
    for (size_t i = 0; i < stats_count(s); i++) {
        const struct stat_desc *d = stats_at(s, i);
        assert_true(strspn(d->name, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(d->name));
        if (!strchr(d->name, '.') || strlen(d->unit) < 2 || !strchr(d->meaning, ' ') ||
            d->meaning[strlen(d->meaning) - 1] == '.' || strchr(d->meaning, '\n') || !*d->source ||
            !strncmp(d->meaning, "the same", 8) || strstr(d->meaning, "of them")) {
            fail_msg("%s (%s): %s [%s]", d->name, d->unit, d->meaning, d->source);
        }
    }
    stats_destroy(s);
    gpu_destroy(g);
}
