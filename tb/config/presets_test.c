/* SPDX-License-Identifier: Apache-2.0
 *
 * The presets against the configuration tables of the papers, number by number, in the papers' own
 * units.
 */
#include "config/preset.h"

#include <stdlib.h>
#include <string.h>

#include "config/derived.h"
#include "config/keys.h"
#include "config/preset_texts.h"

/* clang-format off */

/* The tables' values of single keys. A star: every preset whose name begins like that. */
static const struct {
    const char *preset, *key, *value, *source;
} tables[] = {
    {"c2050-*", "core.count", "14", "MRPB table 1"},
    {"c2050-*", "core.schedulers", "2", "MRPB table 1: 2 round-robin warp schedulers"},
    {"c2050-*", "issue.scheduler", "lrr", "MRPB table 1: 2 round-robin warp schedulers"},
    {"c2050-*", "core.threads", "1536", "MRPB table 1"},
    {"c2050-*", "core.warps", "48", "MRPB table 1"},
    {"c2050-*", "core.ctas", "8", "MRPB table 1: 8 blocks"},
    {"c2050-*", "core.cta_threads", "1024", "MRPB table 1: per-block limit"},
    {"c2050-*", "mrpb.signature", "warp", "MRPB table 4 and section 5.1"},
    {"c2050-*", "mrpb.drain", "fixed", "MRPB table 4 and section 5.2"},
    {"c2050-*", "mrpb.flush", "on", "MRPB table 4 and section 5.3"},
    {"c2050-*", "mrpb.depth", "8", "MRPB table 4 and section 5.3"},
    {"c2050-*", "mrpb.latency", "5", "MRPB section 5.3"},
    {"c2050-*", "mrpb.bypass", "associativity", "MRPB table 4 and section 5.4"},
    {"c2050-*", "l1.mshrs", "32", "MRPB table 1"},
    {"c2050-s", "l1.ways", "4", "MRPB table 1"},
    {"c2050-l", "l1.ways", "6", "MRPB table 1"},
    {"c2050-*", "l1.line_bytes", "128", "MRPB table 1"},
    {"c2050-*", "l1.global_write", "evict", "MRPB table 1"},
    {"c2050-s", "core.shared_bytes", "49152", "MRPB table 1: 48KB"},
    {"c2050-l", "core.shared_bytes", "16384", "MRPB table 1: 16KB"},
    {"c2050-*", "l2.partitions", "6", "MRPB table 1: 6 x 128KB"},
    {"c2050-*", "l2.ways", "16", "MRPB table 1"},
    {"c2050-*", "l2.line_bytes", "128", "MRPB table 1"},
    {"c2050-*", "l2.write", "back", "MRPB table 1"},
    {"c2050-*", "noc.header_bytes", "8", "MRPB table 1: 8-byte reads, 136-byte writes"},
    {"c2050-*", "l1.front", "none", "MRPB section 5: the baseline"},

    {"gtx480", "core.count", "15", "MeDiC table I"},
    {"gtx480", "l2.partitions", "6", "MeDiC table I"},
    {"gtx480", "issue.scheduler", "gto", "MeDiC table I"},
    {"gtx480", "l1.ways", "4", "MeDiC table I"},
    {"gtx480", "l1.hit_latency", "1", "MeDiC table I: 1 cycle latency"},
    {"gtx480", "l2.ways", "16", "MeDiC table I"},
    {"gtx480", "l2.banks", "2", "MeDiC table I: 2 cache banks per memory partition"},
    {"gtx480", "l2.ports", "2", "MeDiC table I: 2 interconnect ports per memory partition"},
    {"gtx480", "l2.hit_latency", "10", "MeDiC table I: 10 cycle latency"},
    {"gtx480", "l2.arbiter_latency", "1", "MeDiC section 5: an extra cycle"},
    {"gtx480", "l2.write", "through", "MeDiC section 4.2"},
    {"gtx480", "dram.banks", "8", "MeDiC table I: 8 banks per rank"},
    {"gtx480", "dram.burst", "8", "MeDiC table I: burst length 8"},

    {"gtx480-mdb", "core.count", "15", "MDB table 1"},
    {"gtx480-mdb", "core.simd_width", "32", "MDB table 1"},
    {"gtx480-mdb", "core.schedulers", "2", "MDB table 1: 2 warp schedulers"},
    {"gtx480-mdb", "issue.scheduler", "gto", "MDB section 7.2 b (table 1: round-robin)"},
    {"gtx480-mdb", "core.threads", "1536", "MDB table 1"},
    {"gtx480-mdb", "core.warps", "48", "MDB table 1"},
    {"gtx480-mdb", "core.ctas", "8", "MDB table 1: 8 thread blocks"},
    {"gtx480-mdb", "l1.mshrs", "32", "MDB table 1"},
    {"gtx480-mdb", "l1.miss_queue", "8", "MDB table 1"},
    {"gtx480-mdb", "l1.line_bytes", "128", "MDB table 1"},
    {"gtx480-mdb", "l1.ways", "4", "MDB table 1"},
    {"gtx480-mdb", "l1.index", "xor", "MDB section 3"},
    {"gtx480-mdb", "l2.index", "xor", "MDB section 7"},
    {"gtx480-mdb", "l1.global_write", "through", "MDB table 1: WTWN"},
    {"gtx480-mdb", "l1.write_miss", "around", "MDB table 1: WTWN"},
    {"gtx480-mdb", "core.shared_bytes", "49152", "MDB table 1: 48KB"},
    {"gtx480-mdb", "core.shared_banks", "32", "MDB table 1"},
    {"gtx480-mdb", "l2.partitions", "6", "MDB table 1"},
    {"gtx480-mdb", "l2.line_bytes", "128", "MDB table 1"},
    {"gtx480-mdb", "l2.ways", "16", "MDB table 1"},
    {"gtx480-mdb", "l2.write", "back", "MDB table 1: WBWA"},
    {"gtx480-mdb", "l2.write_miss", "fetch", "MDB table 1: WBWA"},
    {"gtx480-mdb", "noc.flit_bytes", "32", "MDB table 1: 32B channel width"},

    {"quadro-owl", "core.count", "28", "OWL table 1"},
    {"quadro-owl", "core.threads", "1024", "OWL table 1"},
    {"quadro-owl", "core.shared_bytes", "32768", "OWL table 1: 32KB"},
    {"quadro-owl", "core.registers", "32768", "OWL table 1, which prints 32684"},
    {"quadro-owl", "l1.ways", "8", "OWL table 1"},
    {"quadro-owl", "l1.line_bytes", "64", "OWL table 1"},
    {"quadro-owl", "l1.ports", "2", "GPGPU-Sim 2.1.2b: cache_port_per_bank 2"},
    {"quadro-owl", "l1.mshrs", "32", "OWL table 1: 32 MSHRs/core"},
    {"quadro-owl", "l1.global_write", "back", "OWL section 2.1"},
    {"quadro-owl", "texture.ways", "4", "OWL table 1"},
    {"quadro-owl", "texture.line_bytes", "64", "OWL table 1"},
    {"quadro-owl", "constant.ways", "4", "OWL table 1"},
    {"quadro-owl", "constant.line_bytes", "64", "OWL table 1"},
    {"quadro-owl", "l2.ways", "16", "OWL table 1"},
    {"quadro-owl", "l2.line_bytes", "64", "OWL table 1"},
    {"quadro-owl", "l2.write", "back", "OWL section 2.1"},
    {"quadro-owl", "issue.scheduler", "lrr", "OWL table 1: round-robin among ready warps"},
    {"quadro-owl", "noc.topology", "mesh", "OWL table 1"},
    {"quadro-owl", "noc.flit_bytes", "32", "OWL table 1: 32B channel width"},
    {"quadro-owl", "l2.partitions", "8", "OWL table 1: 8 MCs"},
    {"quadro-owl", "dram.queue", "128", "OWL table 1: maximum 128 requests/MC"},
    {"quadro-owl", "dram.banks", "4", "OWL table 1: 4 DRAM banks/MC"},
    {"quadro-owl", "dram.row_bytes", "2048", "OWL table 1: 2KB row size"},
    {"quadro-owl", "dram.cl", "10", "OWL table 1"},
    {"quadro-owl", "dram.rp", "10", "OWL table 1"},
    {"quadro-owl", "dram.rc", "35", "OWL table 1"},
    {"quadro-owl", "dram.ras", "25", "OWL table 1"},
    {"quadro-owl", "dram.rcd", "12", "OWL table 1"},
    {"quadro-owl", "dram.rrd", "8", "OWL table 1"},
    {"quadro-owl", "dram.cdlr", "6", "OWL table 1"},
    {"quadro-owl", "dram.wr", "11", "OWL table 1"},

    {"quadro-daws", "core.count", "30", "DAWS table 1"},
    {"quadro-daws", "core.threads", "1024", "DAWS table 1"},
    {"quadro-daws", "core.warps", "32", "DAWS section 7.1: limits from 1 to 32"},
    {"quadro-daws", "core.registers", "16384", "DAWS table 1"},
    {"quadro-daws", "core.shared_bytes", "16384", "DAWS table 1: 16KB"},
    {"quadro-daws", "texture.line_bytes", "64", "DAWS table 1"},
    {"quadro-daws", "texture.ways", "16", "DAWS table 1"},
    {"quadro-daws", "l2.partitions", "8", "DAWS table 1: memory channels"},
    {"quadro-daws", "l1.line_bytes", "128", "DAWS table 1"},
    {"quadro-daws", "l1.ways", "8", "DAWS table 1"},
    {"quadro-daws", "l1.steps", "2", "CCWS: shmem_warp_parts 2"},
    {"quadro-daws", "l2.line_bytes", "128", "DAWS table 1"},
    {"quadro-daws", "l2.ways", "8", "DAWS table 1"},
    {"quadro-daws", "dram.queue", "32", "DAWS table 1: request queue capacity"},
    {"quadro-daws", "dram.bus_bytes", "8", "DAWS table 1: 8 bytes a cycle"},
    {"quadro-daws", "dram.cl", "10", "DAWS table 1"},
    {"quadro-daws", "dram.rp", "10", "DAWS table 1"},
    {"quadro-daws", "dram.rc", "35", "DAWS table 1"},
    {"quadro-daws", "dram.ras", "25", "DAWS table 1"},
    {"quadro-daws", "dram.rcd", "12", "DAWS table 1"},
    {"quadro-daws", "dram.rrd", "8", "DAWS table 1"},
    {"quadro-daws", "issue.scheduler", "gto", "DAWS section 7.1"},
    {"quadro-daws", "ccws.base", "100", "DAWS table 3: base locality score"},
    {"quadro-daws", "ccws.k", "8", "DAWS table 3: K_throttle"},
    {"quadro-daws", "l1.coalesce_parts", "1", "7.2: SPMV-Vector's loads are converged"},
    {"quadro-daws", "l1.victim_sets", "2", "DAWS table 3: 16 entries a warp, 8-way"},
    {"quadro-daws", "l1.victim_ways", "8", "DAWS table 3: 8-way"},
};

/* Values derived from several keys. KB as the tables print them; MB/s of all channels; the tables'
 * clocks in MHz. */
static const struct machine {
    const char *preset;
    unsigned l1_kb, texture_kb, constant_kb, l2_kb; /* the L2: of all partitions */
    unsigned shader_mhz, simd, noc_mhz, dram_mhz;   /* noc: 0: not in a table */
    unsigned dram_mb_per_s;
} machines[] = {
    {"c2050-s",     16, 12, 8,  768, 1150, 16,    0, 750, 144000},
    {"c2050-l",     48, 12, 8,  768, 1150, 16,    0, 750, 144000},
    {"gtx480",      16, 12, 8,  768, 1400, 16,    0, 837, 160704},
    {"gtx480-mdb",  16, 12, 8,  768, 1400, 16, 1400, 924, 177408},
    {"quadro-owl",  32,  8, 8, 4096, 1300,  8,  650, 800, 102400},
    {"quadro-daws", 32, 32, 8, 1024, 1300,  8,  650, 800, 102400},
};
enum { MACHINES = sizeof machines / sizeof *machines };

/* clang-format on */

static bool of_preset(const char *pattern, const char *name) {
    size_t length = strcspn(pattern, "*");
    return pattern[length] ? !strncmp(pattern, name, length) : !strcmp(pattern, name);
}

TEST(every_number_of_the_papers_tables_stands_in_its_preset) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *name;
        unsigned presets = 0;
        for (unsigned p = 0; (name = config_preset_name(p, NULL)); p++) {
            char section[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT];
            const char *dot = strchr(tables[i].key, '.');
            if (!of_preset(tables[i].preset, name)) {
                continue;
            }
            struct config c = named_preset(name);
            snprintf(section, sizeof section, "%.*s", (int)(dot - tables[i].key), tables[i].key);
            int key = config_key_find(section, dot + 1);
            assert_true(key >= 0);
            config_value_text(&c, (unsigned)key, value);
            if (strcmp(value, tables[i].value)) {
                fail_msg("%s: %s = %s, but %s by %s", name, tables[i].key, value, tables[i].value,
                         tables[i].source);
            }
            presets++;
        }
        assert_int_equal(presets, strchr(tables[i].preset, '*') ? 2 : 1);
    }
}

TEST(caches_have_the_tables_capacities) {
    for (unsigned i = 0; i < MACHINES; i++) {
        const struct machine *m = &machines[i];
        struct config c = named_preset(m->preset);
        assert_int_equal(config_l1_bytes(&c), m->l1_kb * 1024);
        assert_int_equal(config_l2_bytes(&c), m->l2_kb * 1024);
        assert_int_equal(c.texture.sets * c.texture.ways * c.texture.line_bytes,
                         m->texture_kb * 1024);
        assert_int_equal(c.constant.sets * c.constant.ways * c.constant.line_bytes,
                         m->constant_kb * 1024);
    }
}

/* A core cycle issues a warp of 32 over a SIMD of 16 or 8 lanes. */
TEST(clocks_are_the_tables) {
    for (unsigned i = 0; i < MACHINES; i++) {
        const struct machine *m = &machines[i];
        struct config c = named_preset(m->preset);
        assert_int_equal(c.clock.core * (32 / m->simd), m->shader_mhz * 1000);
        assert_int_equal(c.core.simd_width, 32);
        assert_int_equal(c.clock.noc, m->noc_mhz ? m->noc_mhz * 1000 : 2 * c.clock.core);
        assert_int_equal(c.clock.l2, m->simd == 16 ? c.clock.core : 2 * c.clock.core);
        assert_int_equal(c.clock.dram, m->dram_mhz * 1000);
    }
}

TEST(dram_can_move_what_the_tables_say) {
    for (unsigned i = 0; i < MACHINES; i++) {
        struct config c = named_preset(machines[i].preset);
        assert_true(config_peak_dram_bytes_per_s(&c) ==
                    machines[i].dram_mb_per_s * UINT64_C(1000000));
    }
}

/* MRPB 5.1: 48 queues by warp, 32 by in-block warp, 8 by block. */
TEST(signatures_have_the_papers_queues) {
    static const unsigned queues[] = {[MRPB_SIGNATURE_WARP] = 48,
                                      [MRPB_SIGNATURE_IN_BLOCK_WARP] = 32,
                                      [MRPB_SIGNATURE_BLOCK] = 8};
    struct config c = named_preset("c2050-s");
    for (unsigned i = 0; i < 3; i++) {
        c.mrpb.signature = i;
        assert_int_equal(config_mrpb_queues(&c), queues[i]);
    }
}

/* A machine changes on purpose alone. Two tests pin it: by the defaults of the keys, where a new
 * one may be missing, and by a hash over the values that the preset's own files give. */
static const char defaults[] =
    "core.ctas=8 core.dispatch=room core.shared_latency=3 core.operand_latency=4 core.sfu_units=1 "
    "l2.dirty_ways=0 core.memory_stall=memory core.carveout=- alu.pipes=shared "
    "issue.arbitration=fixed issue.group_warps=8 issue.warp_limit=0 issue.inflight_per_warp=0 "
    "issue.policy=- owl.least_warps=8 owl.life=slot owl.blocked=beyond-l1 owl.prefetch=off "
    "owl.lower=8 owl.higher=16 owl.threshold=0 owl.average_shift=4 owl.claim=early "
    "owl.prefetched=last owl.written_rows=off owl.start=idle ccws.mode=off ccws.base=100 ccws.k=8 "
    "ccws.clamp=8 ccws.count_bits=24 daws.mode=off daws.lanes=active daws.factor=60 "
    "daws.latency=block daws.sum=all daws.mark=issue daws.outside=on daws.locality=load "
    "daws.repeat=any daws.counter_bits=8 daws.counter_floor=least "
    "l1.cache=on l1.perfect=off l1.index=modulo l1.global_write=evict l1.local_write=back "
    "l1.sectors=off l1.allocate=miss l1.write_miss=around l1.replacement=lru l1.front_latency=0 "
    "l1.atomics=words l1.coalesce_parts=1 l1.steps=1 l1.ports=1 l1.hit_latency=1 "
    "l1.fill_latency=1 l1.pending_hit=merge "
    "l1.at_launch=keep l1.bypass_reply=segment l1.front=none "
    "l1.victim_tags=off l1.victim_sets=2 l1.victim_ways=8 l1.victim_hit=keep texture.fifo=128 "
    "texture.request_queue=4 texture.reorder=128 texture.hit_latency=2 constant.ways=2 "
    "constant.line_bytes=64 constant.hit_latency=1 constant.mshrs=2 constant.mshr_merge=32 "
    "constant.miss_queue=4 mrpb.signature=warp mrpb.drain=fixed mrpb.flush=on mrpb.depth=8 "
    "mrpb.latency=5 mrpb.bypass=associativity mdb.bypass=off mdb.level=auto mdb.limit=8 "
    "mdb.count=0 mdb.interval=1000 mdb.hit_bits=10 mdb.fail_bits=12 mdb.failures=access "
    "mdb.hits_shift=3 mdb.e_64ths=32 mdb.rescale=off mdb.at_launch=kernel mdb.watched=0 "
    "mdb.broadcast=32 pdp.distance=0 pdp.interval=8192 noc.topology=crossbar noc.nodes=- "
    "noc.flit_bytes=32 noc.header_bytes=8 noc.hop_latency=4 noc.router_flits=8 noc.input_flits=16 "
    "noc.output_flits=40 l2.ports=1 l2.reply_ports=1 l2.banks=1 l2.perfect=off l2.index=modulo "
    "l2.sectors=off l2.bypass=off l2.bypass_at=port l2.allocation=all l2.insertion=lru "
    "l2.arbiter_latency=1 l2.queue=8 l2.bank_interval=1 l2.hit_latency=1 l2.fill_latency=1 "
    "l2.mshr_pool=bank l2.miss_queue=4 l2.reply_queue=8 l2.policy=- dram.queues=one "
    "dram.high=always dram.queue_share=own dram.low_bound=0 dram.channel_hash=off "
    "dram.bus_bytes=8 dram.group_bits=high dram.address_map=- dram.row_hit_cap=0 dram.faw=0 "
    "dram.aw32=0 dram.refi=0 dram.rfc=0 dram.write_drain=off dram.write_high=14 dram.write_low=8 "
    "medic.table=shared medic.period=100000 medic.profile=30 medic.counts=all "
    "medic.counter_bits=10 medic.mostly_hit=70 medic.mostly_miss=20 medic.boundary=follow "
    "medic.window=10 medic.types=keep medic.at_warp=keep medic.lanes=4 medic.update_queue=4 "
    "medic.stores=bank medic.writes=class medic.hit_class=keep medic.insertion=place "
    "medic.reuse=off pcal.tokens=96 pcal.epoch=100000 rand.percent=50 pcbyp.entries=256 "
    "pcbyp.counter_bits=10 eaf.bits=8192 eaf.hashes=4 eaf.addresses=1024 eaf.bimodal=64";

TEST(the_defaults_are_known) {
    for (const char *at = defaults; *at; at += strspn(at, " ")) {
        char section[CONFIG_KEY_TEXT], name[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT];
        assert_int_equal(sscanf(at, "%95[a-z0-9].%95[a-z0-9_]=%95s", section, name, value), 3);
        int key = config_key_find(section, name);
        const char *now = key >= 0 ? config_key_at((unsigned)key)->default_value : NULL;
        if (!now || strcmp(now, value)) {
            fail_msg("%s.%s: default %s, was %s", section, name, now ? now : "none", value);
        }
        at += strcspn(at, " ");
    }
}

/* FNV-1a over "section.key=value". */
static uint64_t given_hash(const char *preset) {
    static struct preset_source source[CONFIG_KEYS];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct config c;
    struct config_error e;
    assert_true(preset_parse(&c, source, preset_texts, preset, &e));
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        char key[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT], text[2 * CONFIG_KEY_TEXT];
        snprintf(text, sizeof text, "%s=%s", config_key_text(i, key),
                 config_value_text(&c, i, value));
        for (const char *p = text; source[i].file && *p; p++) {
            hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

TEST(what_presets_give_is_known) {
    static const struct {
        const char *preset;
        uint64_t hash;
    } known[] = {
        {"a100", UINT64_C(0x34dc9b2710c01ed9)},       {"c2050-l", UINT64_C(0x2332ebd4484608a7)},
        {"c2050-s", UINT64_C(0xf79e6c5dc2a896b7)},    {"gtx480-mdb", UINT64_C(0x67ba0c647097a430)},
        {"gtx480", UINT64_C(0xa5543e5fec5131bd)},     {"quadro-daws", UINT64_C(0xd41eac594bd3f284)},
        {"quadro-owl", UINT64_C(0x283029453e5a8473)}, {"v100", UINT64_C(0xb6e5c1b48ff579d3)},
        {"gv100", UINT64_C(0xf306c82d78b3a284)},      {"h100", UINT64_C(0x81809058eaa3ed20)}};
    unsigned changed = 0;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t hash = given_hash(known[i].preset);
        if (hash != known[i].hash) {
            print_error("%s: 0x%016llx\n", known[i].preset, (unsigned long long)hash);
            changed++;
        }
    }
    assert_int_equal(changed, 0);
    assert_null(config_preset_name(sizeof known / sizeof *known, NULL));
}

/* One chip at two clocks: only times of clock.dram differ. */
TEST(the_gv100_is_the_v100_with_the_clocks_of_its_counters) {
    struct config v = named_preset("v100"), g = named_preset("gv100");
    assert_int_equal(g.clock.core, 1447000); /* SM7_GV100 */
    assert_int_equal(g.clock.dram, 850000);  /* 870 GB/s */
    g.clock = v.clock;
    assert_memory_not_equal(&g.dram, &v.dram, sizeof v.dram);
    g.dram = v.dram;
    assert_memory_equal(&g, &v, sizeof v);
}

/* Table 1 gives them one column but for the L1 and what it leaves of the memory that they share. */
TEST(base_l_is_base_s_with_another_l1) {
    struct config s = named_preset("c2050-s"), l = named_preset("c2050-l");
    assert_int_equal(config_l1_bytes(&s) + s.core.shared_bytes, 64 * 1024);
    assert_int_equal(config_l1_bytes(&l) + l.core.shared_bytes, 64 * 1024);
    l.l1.sets = s.l1.sets;
    l.l1.ways = s.l1.ways;
    l.core.shared_bytes = s.core.shared_bytes;
    assert_memory_equal(&s, &l, sizeof s);
}

/* OWL table 1: 6x6, 28 cores and 8 controllers; where they stand: nodes along the rows. */
TEST(owls_mesh_is_the_map_of_its_simulator) {
    static const unsigned controllers[] = {3, 7, 10, 12, 23, 25, 28, 32};
    struct config c = named_preset("quadro-owl");
    unsigned node = 0, cores = 0, found = 0;
    for (const char *at = c.noc.nodes; *at; at++) {
        if (*at == '/') {
            assert_int_equal(node % 6, 0);
            continue;
        }
        if (*at == 'p') {
            assert_true(found < 8 && controllers[found] == node);
        }
        found += *at == 'p';
        cores += *at == 'c';
        node++;
    }
    assert_int_equal(node, 36);
    assert_int_equal(found, c.l2.partitions);
    assert_int_equal(cores, c.core.count);
}

/*
 * OWL 2.1: the minimum L2 miss latency is 120 core cycles. From a request's arrival at an idle
 * partition until its reply can leave, a bank closed: ROP and arbiter, a register each for the miss
 * queue and the MSHR, the fill; the DRAM's constant part, the row, the column commands, the data.
 * In units of 1 / (clock.l2 * clock.dram) kHz, so that nothing is rounded.
 */
static uint64_t unloaded_miss(const struct config *c) {
    uint64_t l2 = c->l2.rop_latency + c->l2.arbiter_latency + 1 + 1 + c->l2.fill_latency;
    unsigned bursts = c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst);
    uint64_t dram = c->dram.latency + c->dram.rcd + (bursts - 1) * c->dram.ccdl + c->dram.cl +
                    c->dram.burst / c->dram.beats;
    return l2 * c->clock.dram + dram * c->clock.l2;
}

TEST(owls_minimum_l2_miss_latency_is_120_core_cycles) {
    struct config c = named_preset("quadro-owl");
    uint64_t wanted = UINT64_C(120) * c.clock.l2 / c.clock.core * c.clock.dram;
    assert_int_equal(c.clock.l2 % c.clock.core, 0);
    /* dram.latency is the largest that does not exceed it. */
    assert_true(unloaded_miss(&c) <= wanted);
    c.dram.latency++;
    assert_true(unloaded_miss(&c) > wanted);
}

/* Table 1: at most 128 requests a controller. To stand in its queue they must have an MSHR and a
 * place for their return, beside those that fill the constant part before it at the data bus's
 * rate. */
TEST(owls_l2_can_fill_the_controllers_queue) {
    struct config c = named_preset("quadro-owl");
    unsigned line = c.l2.line_bytes / (c.dram.bus_bytes * c.dram.burst) * c.dram.ccd;
    unsigned under_way = c.dram.queue + (c.dram.latency + line - 1) / line;
    assert_int_equal(c.dram.queue, 128);
    assert_true(c.l2.mshrs * c.l2.banks >= under_way);
    assert_true(c.dram.return_queue >= under_way);
    /* Every core may wait for the same line. */
    assert_true(c.l2.mshr_merge >= c.core.count);
}

/* The simulator's constant part in core cycles, and the requests that its queues hold to cover
 * it. */
TEST(constant_dram_latencies_are_the_simulators) {
    static const struct {
        const char *preset;
        unsigned core_cycles, requests;
    } rows[] = {{"c2050-s", 100, 130},
                {"gtx480", 100, 119},
                {"gtx480-mdb", 100, 132},
                {"quadro-daws", 30, 74}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct config c = named_preset(rows[i].preset);
        uint64_t cycles = (uint64_t)rows[i].core_cycles * c.clock.dram / c.clock.core;
        assert_int_equal(c.dram.latency, cycles);
        assert_int_equal(c.dram.queue + c.dram.return_queue, rows[i].requests);
    }
}
