/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory partition under random traffic, before a DRAM that answers in any order and late.
 */
#include "base/sectors.h"
#include "l2/insertion.h"
#include "l2/partition_bench.h"

enum { FLIGHT = 256, IDS = 200000 };

struct hostile {
    struct {
        struct request r;
        uint64_t at;
    } flight[FLIGHT];
    unsigned flying;
    uint64_t asked, answered, silent; /* silent: write-backs, which nobody answers */
    uint64_t reads, high, writes, written, hash;
    uint64_t lowered; /* writes of mostly-hit warps that went low */
    uint64_t by_port[L2_PORTS_MAX];
    uint8_t *open; /* by identity: asked and not answered */
};

/* Results of a run. */
struct outcome {
    uint64_t hash, conflicts, lost, high, lowered, last_port;
    struct l2_types_stats looked;
    struct l2_stats stats;
};

static struct request random_request(const struct bench *b, struct rng *rng, uint64_t id) {
    static const uint8_t kinds[] = {REQUEST_READ,      REQUEST_READ,    REQUEST_READ,
                                    REQUEST_WRITE,     REQUEST_WRITE,   REQUEST_ATOMIC,
                                    REQUEST_WRITEBACK, REQUEST_PREFETCH};
    struct request r = {.line = id, .local = rng_below(rng, 60), .born = b->now};
    /* Some warps ask for few lines, others for many. */
    r.core = (uint8_t)rng_below(rng, b->config.core.count);
    r.warp = (uint16_t)rng_below(rng, b->config.core.warps);
    r.generation = rng_below(rng, 4) & 3;
    r.pc = r.warp;
    r.local = r.warp & 1 ? r.local % 5 : r.local;
    r.kind = kinds[rng_below(rng, sizeof kinds)];
    r.full = !request_reads(&r) && rng_chance(rng, 1, 2);
    r.bytes = (uint16_t)(r.full ? b->config.l2.line_bytes : 32);
    if (b->config.l2.sectors) {
        r.sectors = (uint8_t)(1 + rng_below(rng, 15));
        r.bytes = (uint16_t)sectors_bytes(r.sectors);
    }
    r.l2_class = (uint8_t)rng_below(rng, L2_CLASS_ALL_HIT + 1);
    return r;
}

static void take_any_answer(struct bench *b, struct hostile *h, unsigned port) {
    const struct request *r = answer_seen_at(b, port);
    assert_true(r->local % b->config.l2.banks % b->config.l2.reply_ports == port);
    h->by_port[port]++;
    assert_true(r->line < h->asked && h->open[r->line] && r->kind != REQUEST_WRITEBACK);
    h->open[r->line] = 0;
    for (unsigned i = 0; i < REQUEST_STAMPS; i++) {
        h->hash = (h->hash ^ r->stamp[i]) * UINT64_C(0x100000001b3);
    }
    /* Each place after the one before; those that it saw. */
    assert_true(r->stamp[STAMP_PORT] && r->stamp[STAMP_PORT] < r->stamp[STAMP_BANK] &&
                r->stamp[STAMP_BANK] < r->stamp[STAMP_REPLY]);
    assert_true(!r->stamp[STAMP_DATA] || (r->stamp[STAMP_BANK] <= r->stamp[STAMP_DATA] &&
                                          r->stamp[STAMP_DATA] < r->stamp[STAMP_REPLY]));
    h->hash =
        (h->hash ^ (r->line * 3 + r->kind + b->now * 7 + r->l2_hit)) * UINT64_C(0x100000001b3);
    h->answered++;
    take_answer_at(b, port);
}

/* The neighbours at one time, drawn from that time alone. */
static void drive_neighbours(struct bench *b, struct hostile *h, uint64_t stream, uint64_t until) {
    struct rng rng = seeded_rng(stream * 1000000 + b->now);
    unsigned phase =
        (unsigned)(b->now / 1500 % 4); /* slow DRAM, slow interconnect, both, neither */
    /* Few requests, which all move ahead of time, or as many as there is room for. */
    unsigned seldom = b->now / 6000 % 2 ? 10 : 2;
    for (unsigned port = 0; port < b->config.l2.ports; port++) {
        if (b->now < until && ring_room(&b->requests[port], b->now) &&
            rng_chance(&rng, 1, seldom)) {
            struct request r = random_request(b, &rng, h->asked);
            h->open[h->asked++] = r.kind != REQUEST_WRITEBACK;
            h->silent += r.kind == REQUEST_WRITEBACK;
            ask_port(b, port, &r);
        }
    }
    for (unsigned port = 0; port < b->config.l2.reply_ports; port++) {
        if (answer_seen_at(b, port) && rng_chance(&rng, 1, phase & 1 ? 12 : 2)) {
            take_any_answer(b, h, port);
        }
    }
    struct ring *way = rng_chance(&rng, 1, 2) && dram_seen_on(b, &b->to_dram_high)
                           ? &b->to_dram_high
                           : &b->to_dram;
    if (dram_seen_on(b, way) && h->flying < FLIGHT && rng_chance(&rng, 1, phase & 2 ? 10 : 2)) {
        struct request r = dram_take_from(b, way);
        bool mostly_hit = b->config.dram.queues == DRAM_QUEUES_TWO && r.l2_class >= L2_CLASS_HIT;
        bool high = mostly_hit && (request_reads(&r) || !b->config.medic.writes);
        assert_true(high == (way == &b->to_dram_high));
        h->high += high;
        h->lowered += mostly_hit && !high;
        h->hash = (h->hash ^ (r.local * 3 + r.kind + b->now * 7)) * UINT64_C(0x100000001b3);
        if (request_reads(&r)) {
            h->flight[h->flying].at = b->now + rng_below(&rng, rng_chance(&rng, 1, 8) ? 400 : 40);
            h->flight[h->flying].at |= seldom > 2 ? 15 : 0; /* some come together */
            request_stamp(&r, STAMP_DRAM, b->now);
            request_stamp(&r, STAMP_SERVICE, b->now);
            h->flight[h->flying++].r = r;
            h->reads++;
        } else {
            assert_int_equal(r.kind, REQUEST_WRITEBACK);
            h->writes++;
            h->written += r.bytes;
        }
    }
    unsigned back = 0;
    for (unsigned i = 0; i < b->config.l2.banks; i++) {
        back += b->from_dram[i].count;
    }
    assert_true(h->flying + back <= config_dram_returns(&b->config));
    for (unsigned i = 0; i < h->flying; i++) { /* in any order, one after the other */
        if (h->flight[i].at <= b->now) {
            dram_answer(b, &h->flight[i].r);
            h->flight[i] = h->flight[--h->flying];
            break;
        }
    }
}

/* What MeDiC is compared with, in the place of a part of it or beside it. */
static void draw_compared_policies(struct rng *rng, struct config *c) {
    c->eaf.bits = 64;
    c->eaf.hashes = 1 + rng_below(rng, 3);
    c->eaf.addresses = 1 + rng_below(rng, 40);
    c->eaf.bimodal = 1 + rng_below(rng, 8);
    c->pcal.tokens = rng_below(rng, 12);
    c->pcal.epoch = 1000;
    c->rand.percent = rng_below(rng, 101);
    c->l2.allocation = rng_chance(rng, 1, 4) ? L2_ALLOCATION_TOKENS : L2_ALLOCATION_ALL;
    if (c->l2.bypass == L2_BYPASS_WARP_TYPE) {
        c->medic.reuse = rng_below(rng, 2);
    } else if (c->l2.bypass && rng_chance(rng, 1, 2)) {
        c->l2.bypass = L2_BYPASS_RANDOM;
    }
    if (rng_chance(rng, 1, 4)) {
        c->l2.insertion = L2_INSERTION_EAF;
    }
    if (c->l2.bypass == L2_BYPASS_ALL && !config_has_warp_types(c)) {
        c->l2.bypass = L2_BYPASS_PC;
        c->pcbyp.entries = 8u << rng_below(rng, 4);
        c->pcbyp.counter_bits = c->medic.counter_bits;
    }
}

static struct config random_l2_config(struct rng *rng) {
    struct config c = partition_config();
    c.l2.ports = 1 + rng_below(rng, L2_PORTS_MAX);
    c.l2.ports = rng_chance(rng, 1, 3) ? 1 : c.l2.ports;
    c.l2.banks = rng_chance(rng, 1, 3) ? 1 : 1u << rng_below(rng, 5);
    c.l2.bank_interval = rng_chance(rng, 1, 2) ? 1 : 1 + rng_below(rng, 12);
    c.l2.arbiter_latency = 1 + rng_below(rng, 3);
    c.l2.write = rng_below(rng, 2);
    c.l2.write_miss = rng_below(rng, 3);
    c.l2.perfect = rng_chance(rng, 1, 12);
    c.l2.index = rng_below(rng, 2);
    c.l2.line_bytes = rng_chance(rng, 1, 2) ? 256 : 128;
    c.l2.sets = 1u << rng_below(rng, 4);
    c.l2.ways = 1 + rng_below(rng, 3);
    c.l2.mshrs = 1 + rng_below(rng, 6);
    c.l2.mshr_pool = rng_below(rng, 2);
    c.l2.bypass_at = rng_below(rng, 2);
    c.l2.mshr_merge = 1 + rng_below(rng, 3);
    c.l2.miss_queue = 2 + rng_below(rng, 3);
    c.l2.reply_queue = 1 + rng_below(rng, 3);
    c.l2.queue = 1 + rng_below(rng, 4);
    c.l2.rop_latency = 1 + rng_below(rng, 12);
    c.l2.hit_latency = 1 + rng_below(rng, 10);
    c.l2.fill_latency = 1 + rng_below(rng, 4);
    c.noc.input_flits = packet_flits(&c, 256) + rng_below(rng, 6);
    c.dram.latency = 1 + rng_below(rng, 20);
    c.dram.return_queue = 1 + rng_below(rng, 10);
    c.core.count = 2;
    c.core.warps = 4;
    c.core.threads = 128;
    c.core.cta_threads = 128;
    c.dram.queue = 2 + rng_below(rng, 3);
    c.dram.queues = rng_chance(rng, 1, 3) ? DRAM_QUEUES_TWO : DRAM_QUEUES_ONE;
    c.medic.period = 1000;
    c.medic.lanes = 1u << rng_below(rng, 3);
    c.medic.update_queue = 2 + rng_below(rng, 3);
    c.medic.counter_bits = 4 + rng_below(rng, 4);
    c.medic.profile = 1 + rng_below(rng, 7);
    c.medic.window = 4 + rng_below(rng, 3);
    c.medic.types = rng_below(rng, 2);
    c.medic.at_warp = rng_below(rng, 2);
    c.medic.mostly_miss = 20 + 5 * rng_below(rng, 8);
    c.medic.mostly_hit = 65;
    c.medic.stores = rng_below(rng, 2);
    if (c.l2.write == L2_WRITE_THROUGH && !c.l2.perfect && rng_chance(rng, 2, 3)) {
        c.l2.bypass = rng_chance(rng, 1, 3) ? L2_BYPASS_ALL : L2_BYPASS_WARP_TYPE;
    }
    c.l2.partitions = 4; /* a table of warp types is told of at most 64 banks */
    c.l2.insertion = rng_chance(rng, 1, 2) ? L2_INSERTION_LRU : L2_INSERTION_WARP_TYPE;
    unsigned lines = rng_below(rng, 3); /* raised, placed, or neither */
    c.medic.hit_class = lines == 1 ? MEDIC_HIT_CLASS_RAISE : MEDIC_HIT_CLASS_KEEP;
    c.medic.insertion = lines == 2 ? MEDIC_INSERTION_PLACE : MEDIC_INSERTION_CLASS;
    c.medic.writes = rng_below(rng, 2);
    c.medic.counts = rng_below(rng, 2);
    draw_compared_policies(rng, &c);
    c.l2.reply_ports = 1u << rng_below(rng, 3);
    c.l2.reply_ports = c.l2.reply_ports < c.l2.banks ? c.l2.reply_ports : c.l2.banks;
    c.l2.sectors = rng_chance(rng, 1, 2);
    return c;
}

static void check_partition_counts(const struct bench *b, const struct hostile *h,
                                   const struct l2_stats *s) {
    uint64_t sum = 0, delays = 0, silent = s->bypasses[REQUEST_WRITEBACK], bypasses = 0;
    uint64_t around = 0; /* of requests that take no line wherever they miss */
    for (unsigned kind = 0; kind < L2_KINDS; kind++) {
        bypasses += s->bypasses[kind];
        around += kind == REQUEST_READ || kind == REQUEST_PREFETCH ? 0 : s->no_allocate[kind];
        for (unsigned what = 0; what < L2_OUTCOMES; what++) {
            sum += s->outcome[kind][what];
            silent += kind == REQUEST_WRITEBACK ? s->outcome[kind][what] : 0;
        }
    }
    for (unsigned bin = 0; bin < L2_DELAY_BINS; bin++) {
        delays += s->delay_log2[bin];
    }
    assert_true(s->requests + bypasses == h->asked);
    assert_true(sum == s->requests && delays == s->requests);
    assert_true(silent == h->silent && s->replies == h->asked - h->silent);
    assert_true(h->reads == s->fetches + s->returns);
    assert_true(s->returns == s->bypasses[REQUEST_READ] + s->bypasses[REQUEST_PREFETCH] +
                                  s->no_allocate[REQUEST_READ] + s->no_allocate[REQUEST_PREFETCH] +
                                  s->no_allocate[REQUEST_ATOMIC]);
    assert_true(h->writes == s->writebacks + s->write_throughs + s->write_arounds +
                                 s->bypasses[REQUEST_WRITE] + s->bypasses[REQUEST_WRITEBACK]);
    bool all = b->config.l2.allocation == L2_ALLOCATION_ALL;
    assert_true(!s->bypasses[REQUEST_ATOMIC] && (b->config.l2.bypass || !bypasses));
    assert_true(b->config.l2.bypass || !all || !around);
    assert_true(!all || !(s->no_allocate[REQUEST_READ] + s->no_allocate[REQUEST_PREFETCH]));
    assert_true(b->config.medic.stores ||
                bypasses == s->bypasses[REQUEST_READ] + s->bypasses[REQUEST_PREFETCH]);
    assert_true(b->config.l2.write == L2_WRITE_BACK ? !s->write_throughs : !s->writebacks);
    assert_true(b->config.l2.write_miss == L2_WRITE_MISS_AROUND || s->write_arounds == around);
    assert_true(b->config.l2.write_miss == L2_WRITE_MISS_PARTIAL || !s->full_line_writes);
    assert_true(!b->config.l2.perfect || !(h->reads + h->writes));
    bool sorts = config_has_l2_sorting(&b->config), early = config_bypasses_at_port(&b->config);
    assert_true(sorts == b->p.front.sorts && early == b->p.front.early);
    unsigned least = b->config.l2.arbiter_latency + (sorts && !early);
    assert_true(s->delay >= least * s->requests);
    unsigned stages = least + b->p.bank->reads_ahead;
    assert_true(s->pipeline_delay == stages * s->requests && s->delay >= s->pipeline_delay);
    assert_true(s->queue_wait + s->pipeline_delay == s->delay);
    assert_true(s->bank_wait <= s->queue_wait);
}

/* The tags note each use too: the block's order of ways is that of the notes, ways that were never
 * used first. Where lines enter it at places of their own, it is another one. */
static void check_recency(const struct l2_bank *b, const struct insertion *block) {
    if (!block || block->params.PLACE) {
        return;
    }
    for (unsigned set = 0; set < b->tags.sets; set++) {
        uint64_t last = 0;
        for (unsigned place = 0; place < b->tags.ways; place++) {
            unsigned way = insertion_way_at(block, set, place);
            uint64_t used = b->tags.used[set * b->tags.ways + way];
            assert_true(used ? used > last : !last);
            last = used;
        }
    }
}

/* Makes the C blocks, and keeps those of the banks. */
struct keeping_factory {
    struct block_factory base;
    const struct insertion *of_bank[L2_BANKS_MAX];
};

static bool make_and_keep(const struct build *build, const struct block *block, const void *params,
                          const char *where, const uint64_t *cycle,
                          struct block_instance *instance) {
    struct keeping_factory *f = (struct keeping_factory *)build->factory;
    unsigned bank;
    (void)cycle;
    bool made = block_make_in_c(build, block, params, instance);
    if (sscanf(where, "p0b%u", &bank) == 1) {
        f->of_bank[bank] = instance->self;
    }
    return made;
}

static struct outcome run_random_partition(unsigned stream, bool poll, bool plain,
                                           bool neighbours_first, uint64_t *evaluations) {
    static uint8_t open[IDS];
    struct rng rng = seeded_rng(stream);
    struct bench b = {.config = random_l2_config(&rng), .poll = poll, .plain = plain};
    struct hostile h = {.open = open};
    struct keeping_factory keeping = {.base = {make_and_keep}};
    /* Else an arbiter in another's hands would see every request in its cycle. */
    b.factory = b.config.l2.insertion == L2_INSERTION_WARP_TYPE ? &keeping.base : NULL;
    open_partition_bench(&b, 1 + rng_below(&rng, 3));
    memset(open, 0, sizeof open);
    uint64_t until = b.now + 20000, waiting = 1;
    while (b.now < until || waiting || b.to_dram.count || b.to_dram_high.count || h.flying ||
           !l2_partition_idle(&b.p)) {
        assert_true(b.now < until + 300000); /* everything is answered */
        b.now++;
        bool evaluated = is_partition_due(&b);
        if (evaluated && !neighbours_first) {
            evaluate_partition(&b);
        }
        drive_neighbours(&b, &h, stream, until);
        if (evaluated && neighbours_first) {
            evaluate_partition(&b);
        }
        waiting = 0;
        for (unsigned port = 0; port < b.config.l2.ports; port++) {
            waiting += b.requests[port].count;
        }
        for (unsigned port = 0; port < b.config.l2.reply_ports; port++) {
            waiting += b.replies[port].count;
        }
    }
    assert_true(h.asked == h.answered + h.silent && h.asked > 200);
    l2_partition_settle(&b.p, b.l2.cycle);
    if (b.table.alarm) {
        warp_table_settle(&b.table, b.l2.cycle);
    }
    struct outcome o = {.hash = h.hash,
                        .conflicts = held_port_cycles(&b),
                        .lost = b.table.updates_lost,
                        .high = h.high,
                        .lowered = h.lowered,
                        .last_port = h.by_port[L2_PORTS_MAX - 1],
                        .looked = b.p.front.types.stats,
                        .stats = partition_totals(&b)};
    check_partition_counts(&b, &h, &o.stats);
    for (unsigned i = 0; i < b.config.l2.banks; i++) {
        check_recency(&b.p.bank[i], keeping.of_bank[i]);
    }
    *evaluations += b.evaluations;
    close_partition_bench(&b);
    return o;
}

static void assert_same_outcome(unsigned stream, const struct outcome *a, const struct outcome *b,
                                const char *what) {
    if (a->hash != b->hash || a->conflicts != b->conflicts || a->lost != b->lost ||
        a->high != b->high || a->lowered != b->lowered ||
        memcmp(&a->looked, &b->looked, sizeof a->looked) ||
        memcmp(&a->stats, &b->stats, sizeof a->stats)) {
        fail_msg("stream %u, %s: differs", stream, what);
    }
}

TEST(random_traffic_is_answered_once_at_the_same_times_however_it_is_evaluated) {
    enum { STREAMS = 400 };
    struct l2_stats sum = {0};
    struct l2_types_stats looked = {0};
    uint64_t *add = (uint64_t *)&sum, held = 0, lost = 0, high = 0, lowered = 0;
    uint64_t asleep = 0, polled = 0, plain = 0, other = 0, last_port = 0;
    for (unsigned stream = 0; stream < STREAMS; stream++) {
        struct outcome first = run_random_partition(stream, false, false, true, &asleep), next;
        next = run_random_partition(stream, true, false, true, &polled);
        assert_same_outcome(stream, &first, &next, "polled");
        next = run_random_partition(stream, false, false, false, &other);
        assert_same_outcome(stream, &first, &next, "partition before its neighbours");
        next = run_random_partition(stream, stream & 1, true, true, &plain);
        assert_same_outcome(stream, &first, &next, "nothing ahead of time");
        for (size_t i = 0; i < sizeof sum / sizeof *add; i++) {
            add[i] += ((const uint64_t *)&first.stats)[i];
        }
        held += first.conflicts;
        lost += first.lost;
        high += first.high;
        lowered += first.lowered;
        last_port += first.last_port;
        looked.unknown += first.looked.unknown;
        for (unsigned i = 0; i <= L2_CLASS_ALL_HIT; i++) {
            looked.looked[i] += first.looked.looked[i];
        }
    }
    for (unsigned i = 1; i < L2_REFUSALS; i++) {
        assert_true(sum.fails[i] > 1000);
    }
    for (unsigned kind = 0; kind < L2_KINDS; kind++) {
        for (unsigned what = 0; what < L2_OUTCOMES; what++) {
            assert_true(sum.outcome[kind][what] > 100);
        }
    }
    assert_true(sum.writebacks > 1000 && sum.write_throughs > 1000 && sum.write_arounds > 1000);
    assert_true(sum.bypasses[REQUEST_READ] > 1000 && sum.bypasses[REQUEST_WRITE] > 1000 &&
                sum.bypasses[REQUEST_WRITEBACK] > 1000);
    assert_true(sum.no_allocate[REQUEST_READ] > 1000 && sum.no_allocate[REQUEST_WRITE] > 1000 &&
                sum.no_allocate[REQUEST_ATOMIC] > 1000 &&
                sum.no_allocate[REQUEST_WRITEBACK] > 1000);
    assert_true(looked.unknown > 1000 && lost > 100 && high > 1000 && lowered > 1000);
    for (unsigned i = 0; i <= L2_CLASS_ALL_HIT; i++) {
        assert_true(looked.looked[i] > 1000);
    }
    assert_true(sum.full_line_writes > 100 && held > 1000 && last_port > 1000);
    assert_true(asleep < polled && other < polled);
}
