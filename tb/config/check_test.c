/* SPDX-License-Identifier: Apache-2.0
 *
 * Combinations of keys: what is refused names each key that takes part and what is allowed; what is
 * next to it is legal.
 */
#include "config/preset.h"

#include <ctype.h>
#include <string.h>

#include "config/keys.h"

#define SETS_MAX 5

struct combination {
    const char *preset; /* NULL: c2050-s */
    const char *set[SETS_MAX];
    const char *message; /* the whole line; NULL: legal */
};

/* Each "section.key" of a message must be a key, and each "section.key = word" a value of it: they
 * stand in messages as plain text. */
static void check_keys_of_message(const char *message) {
    for (const char *at = message; *at;
         at += strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_.-"), at += !!*at) {
        char section[16], name[32], word[CONFIG_TEXT];
        int parts = sscanf(at, "%15[a-z0-9].%31[a-z0-9_] = %95[a-z-]", section, name, word);
        if (parts < 2 || !isalpha((unsigned char)*at) || !isalpha((unsigned char)*name)) {
            continue;
        }
        struct config c = base_preset();
        int key = config_key_find(section, name);
        if (key < 0 ||
            (parts == 3 && strcmp(word, "-") && !config_value_put(&c, (unsigned)key, word))) {
            fail_msg("%s.%s%s%s: no such key or value: %s", section, name, parts == 3 ? " = " : "",
                     parts == 3 ? word : "", message);
        }
    }
}

static void check_combination(const struct combination *t) {
    struct config c = named_preset(t->preset ? t->preset : "c2050-s");
    struct config_error e;
    for (unsigned i = 0; i < SETS_MAX && t->set[i]; i++) {
        if (!config_set(&c, t->set[i], &e)) {
            fail_msg("%s", e.text);
        }
    }
    bool legal = config_check(&c, &e);
    if (!t->message) {
        if (!legal) {
            fail_msg("%s: refused: %s", t->set[0], e.text);
        }
        return;
    }
    if (legal) {
        fail_msg("accepted: %s", t->message);
    }
    assert_string_equal(e.text, t->message);
    check_keys_of_message(t->message);
}

#define CHECK_ALL(...) \
    do { \
        static const struct combination all[] = {__VA_ARGS__}; \
        (void)state; \
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) { \
            check_combination(&all[i]); \
        } \
    } while (0)

/* clang-format off */

#define REUSE_ALONE \
    "medic.reuse = bloom without l2.bypass = warp-type: there is no such bypass to override; must be medic.reuse = off or " \
    "l2.bypass = warp-type"

TEST(policies_by_the_warp_need_what_they_build_on) {
    CHECK_ALL(
        {NULL, {"l2.bypass=warp-type"}, "l2.bypass = warp-type with l2.write = back: the DRAM would lack data of lines in the L2 (MeDiC 4.2); "
         "must be l2.bypass = off or l2.write = through"},
        {NULL, {"l2.bypass=pc", "l2.write=through"}, NULL},
        {"gtx480", {"l2.bypass=warp-type"}, NULL},
        {"gtx480", {"l2.bypass=all", "l2.perfect=on"}, "l2.bypass = all with l2.perfect = on: every request hits; must be l2.bypass = off or l2.perfect = off"},
        {"gtx480", {"l2.insertion=warp-type", "medic.insertion=place", "medic.hit_class=raise"},
         "medic.hit_class = raise with medic.insertion = place: lines have no type there; must be medic.hit_class = keep"},
        {"gtx480", {"l2.insertion=warp-type", "medic.insertion=place"}, NULL},
        {"gtx480", {"medic.reuse=bloom"}, REUSE_ALONE},
        {"gtx480", {"medic.reuse=bloom", "l2.bypass=all"}, REUSE_ALONE},
        {"gtx480", {"medic.reuse=bloom", "l2.bypass=warp-type"}, NULL},
        {"gtx480", {"medic.writes=low"}, NULL}, /* as the others of [medic] where nothing asks for them */
        {"gtx480", {"l2.insertion=warp-type", "l2.ways=65"}, "l2.ways = 65: must be at most 64 where l2.insertion is not lru"},
        {"gtx480", {"l2.insertion=warp-type", "l2.ways=64"}, NULL},
        {"gtx480", {"medic.mostly_hit=72"}, "medic.mostly_hit = 72: must be a multiple of 5"},
        {"gtx480", {"medic.mostly_miss=70"}, "medic.mostly_miss = 70: must be below medic.mostly_hit = 70"},
        {"gtx480", {"medic.counter_bits=5"}, "medic.profile = 30: must be below half of what medic.counter_bits = 5 count, 16"},
        {"gtx480", {"medic.counter_bits=6"}, NULL},
        {"gtx480", {"l2.bypass=warp-type", "l2.banks=16"}, "l2.banks = 16: 6 partitions of them must be at most 64 banks a table of warp types (medic.table)"},
        {"gtx480", {"l2.bypass=warp-type", "l2.banks=16", "medic.table=partition"}, NULL},
        {"gtx480", {"pcbyp.entries=100"}, "pcbyp.entries = 100: must be a power of two"});
}

TEST(bypassing_by_instruction_has_a_table_of_its_own) {
    CHECK_ALL(
        {"gtx480", {"l2.bypass=pc"}, NULL},
        {"gtx480", {"l2.bypass=pc", "l2.insertion=warp-type"},
         "l2.bypass = pc with l2.insertion = warp-type: one table decides, of instructions or of warps; "
         "must be another l2.bypass, or l2.insertion not warp-type and dram.queues = one"},
        {"gtx480", {"l2.bypass=pc", "dram.queues=two"},
         "l2.bypass = pc with dram.queues = two: one table decides, of instructions or of warps; "
         "must be another l2.bypass, or l2.insertion not warp-type and dram.queues = one"},
        {"gtx480", {"l2.bypass=pc", "l1.front=mrpb"},
         "l2.bypass = pc with l1.front = mrpb: the buffer's request headers bear no instruction; must be another l2.bypass, or l1.front = none or slot"},
        {"gtx480", {"l2.bypass=pc", "l1.front=slot"}, NULL},
        {"gtx480", {"l2.bypass=pc", "pcbyp.entries=2"}, "medic.lanes = 4 with l2.bypass = pc: must be at most pcbyp.entries = 2"},
        {"gtx480", {"l2.bypass=pc", "pcbyp.entries=4"}, NULL},
        {"gtx480", {"l2.bypass=pc", "pcbyp.counter_bits=5"},
         "medic.profile = 30 with l2.bypass = pc: must be below half of what pcbyp.counter_bits = 5 count, 16"},
        {"gtx480", {"pcbyp.counter_bits=5"}, NULL},
        {"gtx480", {"l2.bypass=pc", "l2.ports=4", "l2.banks=16"},
         "l2.banks = 16: 6 partitions of them must be at most 64 banks a table of warp types (medic.table)"});
}

TEST(sizes_are_powers_of_two) {
    CHECK_ALL(
        {NULL, {"core.simd_width=12"}, "core.simd_width = 12: must be a power of two"},
        {NULL, {"core.simd_width=8"}, NULL},
        {NULL, {"l1.sets=33"}, "l1.sets = 33: must be a power of two"},
        {NULL, {"l1.line_bytes=96"}, "l1.line_bytes = 96: must be a power of two"},
        {NULL, {"texture.sets=3"}, "texture.sets = 3: must be a power of two"},
        {NULL, {"texture.line_bytes=96"}, "texture.line_bytes = 96: must be a power of two"},
        {NULL, {"constant.sets=3"}, "constant.sets = 3: must be a power of two"},
        {NULL, {"constant.line_bytes=48"}, "constant.line_bytes = 48: must be a power of two"},
        {NULL, {"l2.sets=48"}, "l2.sets = 48: must be a power of two"},
        {NULL, {"l2.banks=3"}, "l2.banks = 3: must be a power of two"},
        {NULL, {"l2.banks=4"}, NULL},
        {"gtx480", {"l2.reply_ports=3"}, "l2.reply_ports = 3: must be a power of two"},
        {NULL, {"l2.line_bytes=192"}, "l2.line_bytes = 192: must be a power of two"},
        {NULL, {"dram.banks=12"}, "dram.banks = 12: must be a power of two"},
        {NULL, {"dram.bank_groups=3"}, "dram.bank_groups = 3: must be a power of two"},
        {NULL, {"dram.row_bytes=3000"}, "dram.row_bytes = 3000: must be a power of two"});
}

TEST(threads_fit_into_warps_and_warps_into_schedulers) {
    CHECK_ALL(
        {NULL, {"core.threads=1537"}, "core.threads = 1537: must be at most 32 * core.warps = 1536"},
        {NULL, {"core.warps=1", "core.threads=32"}, "core.warps = 1: must be at least core.schedulers = 2"},
        {NULL, {"core.warps=1", "core.threads=32", "core.schedulers=1"}, NULL});
}

TEST(limits_and_groups_lie_within_the_core) {
    CHECK_ALL(
        {NULL, {"issue.warp_limit=49"}, "issue.warp_limit = 49: must be at most core.warps = 48"},
        {NULL, {"issue.warp_limit=48"}, NULL},
        {"quadro-daws", {"issue.scheduler=two-level", "issue.group_warps=33"},
         "issue.group_warps = 33 with issue.scheduler = two-level: must be at most core.warps = 32"},
        {"quadro-daws", {"issue.scheduler=two-level", "issue.group_warps=32"}, NULL},
        {"quadro-owl", {"issue.scheduler=cta-aware-locality", "owl.least_warps=33"},
         "owl.least_warps = 33 with a cta-aware issue.scheduler: must be at most core.warps = 32"},
        {"quadro-owl", {"issue.scheduler=cta-aware", "owl.least_warps=32"}, NULL},
        {"quadro-daws", {"daws.mode=profiled", "issue.warp_limit=2"},
         "daws.mode is on with issue.warp_limit = 2: two issue policies; must be daws.mode = off or issue.warp_limit = 0"},
        {"quadro-daws", {"daws.mode=profiled", "l1.sets=65536", "l1.ways=2", "l1.line_bytes=32"},
         "l1.sets * l1.ways = 65536 * 2: must be at most 65536 where daws.mode is on"},
        {"quadro-daws", {"daws.mode=profiled", "l1.sets=65536", "l1.ways=1", "l1.line_bytes=32"}, NULL},
        {"quadro-daws", {"daws.mode=profiled", "issue.scheduler=two-level"},
         "daws.mode is on with a two-level or cta-aware issue.scheduler: two issue policies; must be daws.mode = off or "
         "issue.scheduler = lrr, gto or oldest"},
        {"quadro-daws", {"daws.mode=profiled", "issue.scheduler=cta-aware"},
         "daws.mode is on with a two-level or cta-aware issue.scheduler: two issue policies; must be daws.mode = off or "
         "issue.scheduler = lrr, gto or oldest"},
        {"quadro-daws", {"ccws.mode=on", "issue.warp_limit=2"},
         "ccws.mode is on with issue.warp_limit = 2: two issue policies; must be ccws.mode = off or issue.warp_limit = 0"},
        {"quadro-daws", {"ccws.mode=on", "issue.scheduler=two-level"},
         "ccws.mode is on with a two-level or cta-aware issue.scheduler: two issue policies; must be ccws.mode = off or "
         "issue.scheduler = lrr, gto or oldest"},
        {"quadro-daws", {"ccws.mode=on", "daws.mode=profiled"},
         "ccws.mode is on with daws.mode: two issue policies; must be ccws.mode = off or daws.mode = off"},
        {"c2050-s", {"ccws.mode=on", "core.warps=64", "core.threads=2048", "ccws.base=1023"}, NULL},
        {"quadro-daws", {"ccws.mode=on", "issue.scheduler=oldest", "l1.front=mrpb", "dram.queues=two"}, NULL},
        {"quadro-daws", {"daws.mode=profiled", "issue.scheduler=oldest", "l1.front=mrpb", "dram.queues=two"}, NULL},
        {"quadro-owl", {"owl.prefetch=least", "dram.queues=two"},
         "owl.prefetch is on with dram.queues = two: the queues' block closes rows by its own rules; must be "
         "owl.prefetch = off or dram.queues = one"},
        {"quadro-owl", {"owl.prefetch=stop", "dram.refi=5000", "dram.rfc=100"},
         "owl.prefetch is on with dram.refi above 0: a refresh closes rows that are being prefetched; must be "
         "owl.prefetch = off or dram.refi = 0"},
        {"quadro-owl", {"owl.prefetch=stop", "l2.perfect=on"},
         "owl.prefetch is on with l2.perfect = on: a perfect L2 reads no row; must be owl.prefetch = off or "
         "l2.perfect = off"},
        {"quadro-owl", {"owl.prefetch=least", "owl.lower=33"},
         "owl.lower = 33: must be at most 32 where owl.prefetch is on"},
        {"gtx480", {"owl.prefetch=least", "dram.row_bytes=128"},
         "dram.row_bytes / l2.line_bytes = 1: must be at least 2 where owl.prefetch is on"},
        {"quadro-owl", {"owl.prefetch=least", "l2.mshrs=1"},
         "l2.mshrs = 1: must be at least 2 where owl.prefetch is on"},
        {"quadro-owl", {"owl.prefetch=least", "owl.lower=32", "owl.higher=0"}, NULL},
        {"quadro-daws", {"issue.group_warps=33"}, NULL});
}

TEST(warp_types_are_of_4096_warps_at_most) {
    CHECK_ALL(
        {"gtx480", {"l2.insertion=warp-type", "core.count=64", "core.warps=64", "core.threads=2048"}, NULL},
        {"gtx480", {"l2.insertion=warp-type", "core.count=65", "core.warps=64", "core.threads=2048"},
         "core.count * core.warps = 65 * 64: must be at most 4096 where decisions are by warp type (l2.bypass, l2.insertion, dram.queues)"});
}

TEST(sectors_and_streaming_are_of_caches_that_are_never_dirty) {
    CHECK_ALL(
        {"gtx480-mdb", {"l1.sectors=on"}, "l1.sectors = on with l1.local_write = back: must be evict or through, for lines there are never dirty"},
        {"gtx480-mdb", {"l1.allocate=fill", "l1.local_write=evict", "l1.global_write=back"},
         "l1.allocate = fill with l1.global_write = back: must be evict or through, for lines there are never dirty"},
        {"gtx480-mdb", {"l1.sectors=on", "l1.allocate=fill", "l1.local_write=through"}, NULL},
        {"gtx480-mdb", {"l1.sectors=on", "l1.local_write=through", "l1.replacement=pdp"},
         "l1.replacement = pdp with l1.sectors = on: the policy is for whole lines that are taken at a miss; must be l1.replacement = lru"},
        {"gtx480-mdb", {"l1.allocate=fill", "l1.local_write=through", "l1.replacement=pdp"},
         "l1.replacement = pdp with l1.allocate = fill: the policy is for whole lines that are taken at a miss; must be l1.replacement = lru"},
        {"gtx480", {"l2.sectors=on"}, NULL}, /* write-through */
        {"v100", {"l1.sectors=off", "l2.sectors=off"}, NULL});
}

TEST(a_carveout_is_of_an_l1_that_is_empty_between_kernels) {
    CHECK_ALL(
        {"v100", {"core.carveout=-"}, NULL},
        {"v100", {"core.carveout=8"}, NULL},
        {"v100", {"core.carveout=0/8/128"}, NULL}, /* at most core.shared_bytes */
        {"v100", {"core.carveout=8/8"},
         "core.carveout = 8/8: must be - or sizes in KB that grow, with / between them, at most 15: 0/8/16"},
        {"v100", {"core.carveout=8/"},
         "core.carveout = 8/: must be - or sizes in KB that grow, with / between them, at most 15: 0/8/16"},
        {"v100", {"core.carveout=8,16"},
         "core.carveout = 8,16: must be - or sizes in KB that grow, with / between them, at most 15: 0/8/16"},
        {"v100", {"core.carveout=12345678"},
         "core.carveout = 12345678: must be - or sizes in KB that grow, with / between them, at most 15: 0/8/16"},
        {"v100", {"core.carveout=1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16"},
         "core.carveout = 1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16: must be - or sizes in KB that grow, with / between them, at most 15: 0/8/16"},
        {"v100", {"l1.allocate=miss"},
         "core.carveout = 0/8/16/32/64/96: needs l1.allocate = fill and l1.at_launch = invalidate, so that the L1 is empty between two kernels"},
        {"gtx480", {"core.carveout=0/16"},
         "core.carveout = 0/16: needs l1.allocate = fill and l1.at_launch = invalidate, so that the L1 is empty between two kernels"});
}

TEST(capacities_end_at_64_megabytes) {
    CHECK_ALL(
        {NULL, {"l1.sets=1", "l1.ways=524288"}, NULL},
        {NULL, {"l1.sets=2", "l1.ways=262145"},
         "l1.sets * l1.ways * l1.line_bytes = 2 * 262145 * 128: must be at most 67108864 bytes"},
        {NULL, {"l2.sets=65536", "l2.ways=8"}, NULL},
        {NULL, {"l2.sets=65536", "l2.ways=8", "l2.banks=2"},
         "l2.banks * l2.sets * l2.ways * l2.line_bytes = 2 * 65536 * 8 * 128: must be at most 67108864 bytes"},
        {NULL, {"l2.sets=65536", "l2.ways=8", "l2.line_bytes=256"},
         "l2.banks * l2.sets * l2.ways * l2.line_bytes = 1 * 65536 * 8 * 256: must be at most 67108864 bytes"});
}

TEST(fermis_hash_is_of_32_or_64_sets_of_128_bytes) {
    CHECK_ALL(
        {NULL, {"l1.index=fermi"}, NULL},
        {NULL, {"l1.index=fermi", "l1.sets=64"}, NULL},
        {NULL, {"l1.index=fermi", "l1.sets=16"}, "l1.index = fermi with l1.sets = 16: l1.sets must be 32 or 64"},
        {NULL, {"l1.index=fermi", "l1.sets=128"}, "l1.index = fermi with l1.sets = 128: l1.sets must be 32 or 64"},
        {NULL, {"l1.index=fermi", "l1.line_bytes=64"}, "l1.index = fermi with l1.line_bytes = 64: l1.line_bytes must be 128"},
        {NULL, {"l2.index=fermi"}, NULL},
        {NULL, {"l2.index=fermi", "l2.sets=128"}, "l2.index = fermi with l2.sets = 128: l2.sets must be 32 or 64"});
}

TEST(lines_lie_within_a_line_of_the_l2) {
    CHECK_ALL(
        {NULL, {"l2.line_bytes=64"}, "l1.line_bytes = 128: must be at most l2.line_bytes = 64"},
        {NULL, {"l2.line_bytes=64", "l1.line_bytes=64"}, "texture.line_bytes = 128: must be at most l2.line_bytes = 64"},
        {"quadro-owl", {"constant.line_bytes=128"}, "constant.line_bytes = 128: must be at most l2.line_bytes = 64"},
        {NULL, {"l2.line_bytes=64", "l1.line_bytes=64", "texture.line_bytes=32"}, NULL},
        {NULL, {"l2.line_bytes=256"}, NULL});
}

TEST(a_dirty_victim_needs_a_second_place_in_the_miss_queue) {
    CHECK_ALL(
        {NULL, {"l1.miss_queue=1"},
         "l1.miss_queue = 1 with l1.local_write = back: must be at least 2, for a dirty victim and the miss that evicts it"},
        {NULL, {"l1.miss_queue=1", "l1.local_write=evict", "l1.global_write=back"},
         "l1.miss_queue = 1 with l1.global_write = back: must be at least 2, for a dirty victim and the miss that evicts it"},
        {NULL, {"l1.miss_queue=1", "l1.local_write=through"}, NULL},
        {NULL, {"l1.miss_queue=1", "l1.cache=off"}, NULL},
        {NULL, {"l1.miss_queue=1", "l1.perfect=on"}, NULL},
        {NULL, {"l1.miss_queue=2", "l1.global_write=back"}, NULL});
}

TEST(whole_lines_taken_at_a_miss_are_fetched_again) {
    CHECK_ALL({NULL, {"l1.pending_hit=fetch"}, NULL},
              {"v100", {"l1.sectors=on", "l1.pending_hit=fetch"},
               "l1.pending_hit = fetch with l1.sectors = on: must be merge, for only whole lines "
               "that are taken at a miss are fetched again"},
              {"v100", {"l1.sectors=off", "l1.allocate=fill", "l1.pending_hit=fetch"},
               "l1.pending_hit = fetch with l1.allocate = fill: must be merge, for only whole lines "
               "that are taken at a miss are fetched again"});
}

TEST(a_launch_does_not_drop_dirty_global_data) {
    CHECK_ALL(
        {"quadro-owl", {"l1.at_launch=invalidate"},
         "l1.at_launch = invalidate with l1.global_write = back: dirty lines would be lost; must be "
         "l1.at_launch = keep, or another l1.global_write"},
        {"quadro-owl", {"l1.at_launch=invalidate", "l1.global_write=through"}, NULL},
        {NULL, {"l1.at_launch=invalidate"}, NULL});
}

TEST(what_stands_before_a_cache_needs_one) {
    CHECK_ALL(
        {NULL, {"l1.cache=off"}, NULL},
        {NULL, {"l1.cache=off", "l1.front=mrpb"},
         "l1.front = mrpb with l1.cache = off: the buffer needs a cache; must be l1.front = none or l1.cache = on"},
        {NULL, {"l1.cache=off", "l1.front=slot"},
         "l1.front = slot with l1.cache = off: there is no cache to bypass; must be l1.front = none or l1.cache = on"},
        {NULL, {"l1.cache=off", "l1.perfect=on"},
         "l1.perfect = on with l1.cache = off: there is nothing to hit in; must be l1.perfect = off or l1.cache = on"},
        {NULL, {"l1.perfect=on", "l1.front=mrpb"}, NULL},
        {"gtx480", {"l1.front_latency=5", "l1.front=mrpb"},
         "l1.front_latency = 5 with l1.front = mrpb: must be 0, for one queue alone stands before the "
         "L1"},
        {"gtx480", {"l1.front_latency=64", "l1.front=slot"},
         "l1.front_latency = 64 with l1.front = slot: must be 0, for one queue alone stands before "
         "the L1"},
        {"gtx480", {"l1.front_latency=64", "l1.cache=off"}, NULL},
        {"quadro-owl", {"l1.front=mrpb"}, NULL},
        {"gtx480-mdb", {"mdb.bypass=limit", "l1.global_write=back"},
         "mdb.bypass = limit with l1.global_write = back: bypassing reads would miss data that "
         "stay there; must be mdb.bypass = off, or l1.global_write = evict or through"},
        {"gtx480-mdb", {"mdb.bypass=count", "l1.cache=off"},
         "mdb.bypass = count with l1.cache = off: there is no cache to bypass; must be mdb.bypass = off or l1.cache = on"},
        {"gtx480-mdb", {"mdb.bypass=limit", "l1.perfect=on"},
         "mdb.bypass = limit with l1.perfect = on: every access hits; must be one of them off"},
        {"gtx480-mdb", {"mdb.bypass=limit", "l1.front=mrpb"}, NULL});
}

TEST(mdbs_generator_needs_sets_to_sample_and_a_core_to_watch) {
    CHECK_ALL(
        {"gtx480-mdb", {"mdb.bypass=local", "l1.sets=8"},
         "l1.sets = 8 with mdb.bypass = local: must be 16..512"},
        {"gtx480-mdb", {"mdb.bypass=control", "l1.sets=1024"},
         "l1.sets = 1024 with mdb.bypass = control: must be 16..512"},
        {"gtx480-mdb", {"mdb.bypass=global", "l1.ways=1"},
         "l1.ways = 1 with mdb.bypass = global: must be 2..8"},
        {"gtx480-mdb", {"mdb.bypass=local", "l1.ways=9"},
         "l1.ways = 9 with mdb.bypass = local: must be 2..8"},
        {"gtx480-mdb", {"mdb.bypass=limit", "l1.sets=8", "l1.ways=1"}, NULL},
        {"gtx480-mdb", {"mdb.bypass=global", "mdb.watched=15"},
         "mdb.watched = 15: must be below core.count = 15"},
        {"gtx480-mdb", {"mdb.bypass=global", "mdb.watched=14", "l1.sets=16", "l1.ways=8"}, NULL},
        {"gtx480-mdb", {"mdb.bypass=local", "mdb.watched=15", "l1.sets=512"}, NULL},
        {"gtx480-mdb", {"mdb.bypass=local", "l1.front=mrpb", "mrpb.bypass=all"},
         "mdb.bypass = local with l1.front = mrpb and mrpb.bypass = all: what would stall bypasses "
         "already; must be mrpb.bypass = off or associativity"},
        {"gtx480-mdb", {"mdb.bypass=count", "l1.front=slot", "mrpb.bypass=all"},
         "mdb.bypass = count with l1.front = slot and mrpb.bypass = all: what would stall bypasses "
         "already; must be mrpb.bypass = off or associativity"},
        {"gtx480-mdb", {"mdb.bypass=local", "l1.front=mrpb", "mrpb.bypass=associativity"}, NULL});
}

TEST(protecting_distances_need_lines_that_are_replaced) {
    CHECK_ALL(
        {"gtx480-mdb", {"l1.replacement=pdp", "l1.cache=off"},
         "l1.replacement = pdp with l1.cache = off: no line is replaced; must be l1.replacement = lru"},
        {"gtx480-mdb", {"l1.replacement=pdp", "l1.perfect=on"},
         "l1.replacement = pdp with l1.perfect = on: no line is replaced; must be l1.replacement = lru"},
        {"gtx480-mdb", {"l1.replacement=pdp", "l1.ways=65"},
         "l1.ways = 65 with l1.replacement = pdp: must be 1..64"},
        {"gtx480-mdb", {"l1.replacement=pdp", "l1.ways=64"}, NULL});
}

TEST(mrpb_needs_two_queues) {
    CHECK_ALL(
        {NULL, {"core.warps=1", "core.threads=32", "core.schedulers=1", "l1.front=mrpb"},
         "l1.front = mrpb with core.warps = 1: core.warps must be 2..64"},
        {NULL, {"core.warps=2", "core.threads=32", "l1.front=mrpb"}, NULL},
        {NULL, {"core.ctas=1", "l1.front=mrpb"}, NULL},
        {NULL, {"core.ctas=1", "mrpb.signature=block"}, NULL},
        {NULL, {"core.ctas=1", "mrpb.signature=block", "l1.front=slot"}, NULL},
        {NULL, {"core.ctas=1", "mrpb.signature=block", "l1.front=mrpb"},
         "l1.front = mrpb and mrpb.signature = block with core.ctas = 1: core.ctas must be 2..32"},
        {NULL, {"core.cta_threads=33", "mrpb.signature=in-block-warp", "l1.front=mrpb"}, NULL},
        {NULL, {"core.cta_threads=32", "mrpb.signature=in-block-warp", "l1.front=mrpb"},
         "l1.front = mrpb and mrpb.signature = in-block-warp with core.cta_threads = 32: core.cta_threads must be 33..1024, two warps or more"});
}

TEST(a_queue_of_one_entry_is_refused) {
    CHECK_ALL(
        {NULL, {"mrpb.depth=1"}, "mrpb.depth = 1: must be 0, for queues without bound, or 2..64"},
        {NULL, {"mrpb.depth=0"}, NULL},
        {NULL, {"mrpb.depth=2"}, NULL});
}

TEST(buffers_hold_the_largest_packet) {
    CHECK_ALL(
        {NULL, {"noc.input_flits=4"},
         "noc.input_flits = 4: must be at least 5 flits, a line of 128 bytes behind its header in flits "
         "(noc.header_bytes = 8, noc.flit_bytes = 32)"},
        {NULL, {"noc.output_flits=4"},
         "noc.output_flits = 4: must be at least 5 flits, a line of 128 bytes behind its header in flits "
         "(noc.header_bytes = 8, noc.flit_bytes = 32)"},
        {NULL, {"noc.input_flits=5", "noc.output_flits=5", "noc.router_flits=1"}, NULL},
        {NULL, {"noc.flit_bytes=8"},
         "noc.input_flits = 16: must be at least 17 flits, a line of 128 bytes behind its header in flits "
         "(noc.header_bytes = 8, noc.flit_bytes = 8)"},
        /* The largest line of the three caches, not of the L1 alone. */
        {NULL, {"l1.line_bytes=64", "noc.input_flits=4"},
         "noc.input_flits = 4: must be at least 5 flits, a line of 128 bytes behind its header in flits "
         "(noc.header_bytes = 8, noc.flit_bytes = 32)"},
        {"quadro-owl", {"noc.router_flits=2"},
         "noc.router_flits = 2: must be at least 3 flits, the largest packet, where noc.topology = mesh "
         "(noc.header_bytes = 8, noc.flit_bytes = 32)"},
        {"quadro-owl", {"noc.router_flits=3", "noc.input_flits=3", "noc.output_flits=3"}, NULL});
}

TEST(a_map_belongs_to_a_mesh) {
    CHECK_ALL(
        {NULL, {"noc.nodes=cp"}, "noc.nodes = cp: must be - where noc.topology = crossbar"},
        {"quadro-owl", {"noc.nodes=-"},
         "noc.nodes = -: must be a map of core.count = 28 cores and l2.partitions = 8 partitions where "
         "noc.topology = mesh"});
}

TEST(a_crossbar_has_as_many_ports_as_its_partitions) {
    CHECK_ALL({NULL, {"l2.partitions=32", "l2.ports=4"}, NULL});
}

TEST(each_reply_port_has_a_bank_and_an_input_of_the_network) {
    CHECK_ALL(
        {NULL, {"l2.reply_ports=2"}, "l2.reply_ports = 2: must be at most l2.banks = 1"},
        {"gtx480", {"l2.reply_ports=4"}, "l2.reply_ports = 4: must be at most l2.banks = 2"},
        {"gtx480", {"l2.reply_ports=2"}, NULL},
        {"gtx480", {"l2.reply_ports=4", "l2.banks=4"}, NULL},
        {"quadro-owl", {"l2.reply_ports=2", "l2.banks=2"}, NULL}, /* a mesh */
        {NULL, {"l2.partitions=32", "l2.banks=2", "l2.reply_ports=2"}, NULL},
        {NULL, {"l2.partitions=64", "l2.banks=2", "l2.reply_ports=2"}, NULL},
        {NULL, {"l2.partitions=49", "l2.banks=4", "l2.reply_ports=4"}, "l2.partitions * l2.reply_ports = 49 * 4: must be at most 192"},
        {"quadro-owl",
         {"l2.partitions=17", "l2.banks=4", "l2.reply_ports=4", "noc.nodes=ccccccccc/ccccccccc/ccccccccc/cpppppppp/ppppppppp"},
         "l2.partitions * l2.reply_ports = 17 * 4: must be at most 64 where noc.topology = mesh"});
}

TEST(two_dram_queues_need_what_their_block_has) {
    CHECK_ALL(
        {NULL, {"dram.queue=1"}, NULL},
        {NULL, {"dram.queues=two", "dram.queue=129"},
         "dram.queue = 129: must be at most 128 where dram.queues = two with dram.queue_share = own"},
        {NULL, {"dram.queues=two", "dram.queue=256", "dram.queue_share=common"}, NULL},
        {NULL, {"dram.queue=256"}, NULL},
        {NULL, {"dram.queues=two", "dram.queue=1"}, "dram.queue = 1: must be at least 2 where dram.queues = two"},
        {NULL, {"dram.queues=two", "dram.queue=2"}, NULL},
        {NULL, {"dram.queues=two", "dram.banks=1", "dram.bank_groups=1"}, "dram.banks = 1: must be at least 2 where dram.queues = two"},
        {NULL, {"dram.bus_bytes=1"}, NULL},
        {NULL, {"dram.queues=two", "dram.bus_bytes=1"}, "l2.line_bytes / (dram.bus_bytes * dram.burst) = 16: must be at most 15 where dram.queues = two"},
        {NULL, {"dram.queues=two", "dram.bus_bytes=2"}, NULL},
        {NULL, {"dram.row_hit_cap=4"}, NULL},
        {NULL, {"dram.queues=two", "dram.row_hit_cap=4"},
         "dram.row_hit_cap = 4 with dram.queues = two: the block of two queues closes a row only when no request wants it "
         "(MeDiC 4.4); must be dram.row_hit_cap = 0 or dram.queues = one"});
}

TEST(dram_bursts_rows_and_channels_fit_lines) {
    CHECK_ALL(
        {NULL, {"dram.banks=2"}, "dram.bank_groups = 4: must be at most dram.banks = 2"},
        {NULL, {"l2.line_bytes=256", "dram.row_bytes=128"}, "dram.row_bytes = 128: must be at least l2.line_bytes = 256"},
        {NULL, {"dram.row_bytes=128"}, NULL},
        {NULL, {"dram.channel_bytes=200"}, "dram.channel_bytes = 200: must be a multiple of l2.line_bytes = 128"},
        {NULL, {"dram.channel_bytes=384"}, NULL},
        {NULL, {"l2.line_bytes=256", "dram.channel_bytes=384"}, "dram.channel_bytes = 384: must be a multiple of l2.line_bytes = 256"},
        {NULL, {"dram.burst=32"}, "dram.bus_bytes * dram.burst = 8 * 32: must divide l2.line_bytes = 128"},
        {NULL, {"dram.bus_bytes=6"}, "dram.bus_bytes * dram.burst = 6 * 8: must divide l2.line_bytes = 128"},
        {NULL, {"dram.burst=32", "l2.line_bytes=256", "dram.ccd=8", "dram.ccdl=8"}, NULL},
        {NULL, {"dram.beats=3"}, "dram.burst = 8: must be a multiple of dram.beats = 3"});
}

/* 16 banks, rows of 4096 bytes, bursts of 64. */
TEST(an_address_map_has_the_bits_of_the_dram) {
    CHECK_ALL(
        {NULL, {"dram.address_map=RBBBBCCCCCCSSSSSS"}, NULL},
        {NULL, {"dram.address_map=RCRBRBCBCBCCRCSSSSSS"}, NULL},
        {NULL, {"dram.address_map=RCRBRBCBCBCRCCSSSSSS", "dram.group_bits=low"}, NULL},
        {NULL, {"dram.address_map=RCCCCCCSSSSSS", "dram.banks=1", "dram.bank_groups=1"}, NULL},
        {NULL, {"dram.address_map=RBBBBS", "dram.row_bytes=128", "dram.bus_bytes=1", "dram.burst=8"},
         "dram.address_map = RBBBBS: has 1 S, must have 3: log2 of dram.bus_bytes * dram.burst = 8"},
        {NULL, {"dram.address_map=RXBBBCCCCCCSSSSSS"},
         "dram.address_map = RXBBBCCCCCCSSSSSS: letter 2 is X, must be R (row), B (bank), C (column) or S (byte within a burst)"},
        {NULL, {"dram.address_map=RBBBCCCCCCSSSSSS"}, "dram.address_map = RBBBCCCCCCSSSSSS: has 3 B, must have 4: log2 of dram.banks = 16"},
        {NULL, {"dram.address_map=RBBBBBCCCCCCSSSSSS"}, "dram.address_map = RBBBBBCCCCCCSSSSSS: has 5 B, must have 4: log2 of dram.banks = 16"},
        {NULL, {"dram.address_map=RBBBBCCCCCSSSSSS"},
         "dram.address_map = RBBBBCCCCCSSSSSS: has 5 C, must have 6: log2 of dram.row_bytes / (dram.bus_bytes * dram.burst) = 64"},
        {NULL, {"dram.address_map=RBBBBCCCCCCCSSSSS"},
         "dram.address_map = RBBBBCCCCCCCSSSSS: has 5 S, must have 6: log2 of dram.bus_bytes * dram.burst = 64"},
        {NULL, {"dram.address_map=BBBBRCCCCCCSSSSSS"},
         "dram.address_map = BBBBRCCCCCCSSSSSS: must begin with R, as all higher bits are the row's"},
        {NULL, {"dram.address_map=BBBBCCCCCCSSSSSS"},
         "dram.address_map = BBBBCCCCCCSSSSSS: must begin with R, as all higher bits are the row's"},
        {NULL, {"dram.address_map=RBBBBCCCCCSSSSSSC"}, "dram.address_map = RBBBBCCCCCSSSSSSC: S must be the last letters"},
        {NULL, {"dram.address_map=RBBBCCCCCCBSSSSSS"},
         "dram.address_map = RBBBCCCCCCBSSSSSS: its last 7 letters must be C and S, as a line (l2.line_bytes = 128) lies in one row"},
        {NULL, {"dram.address_map=RBBBCCCCCBCSSSSSS"}, NULL},
        {NULL, {"dram.address_map=RBBBCCCCCBCSSSSSS", "l2.line_bytes=256"},
         "dram.address_map = RBBBCCCCCBCSSSSSS: its last 8 letters must be C and S, as a line (l2.line_bytes = 256) lies in one row"},
        {NULL, {"dram.address_map=RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRBBBBCCCCCCSSSSSS"}, NULL},
        {NULL, {"dram.address_map=RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRBBBBCCCCCCSSSSSS"},
         "dram.address_map = RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRBBBBCCCCCCSSSSSS: has 49 letters, must have at most 48"});
}

TEST(dram_timing_is_consistent) {
    CHECK_ALL(
        {NULL, {"dram.rc=39"}, "dram.rc = 39: must be at least dram.ras + dram.rp = 40"},
        {NULL, {"dram.ccd=1"}, "dram.ccd = 1: must be at least dram.burst / dram.beats = 2"},
        {NULL, {"dram.ccdl=1"}, "dram.ccdl = 1: must be at least dram.ccd = 2"});
}

#define NOT_BOTH(refi, rfc) "dram.refi = " refi " with dram.rfc = " rfc ": must be both 0, for no refresh, or both above 0"

/* c2050-s: 28 of tRAS (above wl + 2 + wr = 18), 16 banks, tRC 40, rfc, tRC 40 again, and tRCD 12. */
TEST(a_refresh_leaves_time_for_requests) {
    CHECK_ALL(
        {NULL, {"dram.refi=1590"}, NOT_BOTH("1590", "0")},
        {NULL, {"dram.rfc=55"}, NOT_BOTH("0", "55")},
        {NULL, {"dram.refi=1590", "dram.rfc=55"}, NULL},
        {NULL, {"dram.refi=191", "dram.rfc=55"},
         "dram.refi = 191: must be above 191, the cycles of dram.rfc = 55, of closing dram.banks = 16 banks before it, "
         "and of opening a row and one column command after it"},
        {NULL, {"dram.refi=192", "dram.rfc=55"}, NULL},
        {NULL, {"dram.refi=192", "dram.rfc=55", "dram.aw32=300"},
         "dram.refi = 192: must be above 451, the cycles of dram.rfc = 55, of closing dram.banks = 16 banks before it, "
         "and of opening a row and one column command after it"},
        {"gtx480", {"dram.refi=1590", "dram.rfc=55", "dram.queues=two"},
         "dram.refi = 1590 with dram.queues = two: the queues' block knows the open rows from its own commands alone, and a "
         "refresh closes them; must be dram.refi = 0 or dram.queues = one"});
}

TEST(write_drain_has_watermarks_within_the_queue) {
    CHECK_ALL(
        {NULL, {"dram.write_drain=on"}, NULL},
        {NULL, {"dram.write_drain=on", "dram.write_low=14"}, "dram.write_low = 14: must be below dram.write_high = 14"},
        {NULL, {"dram.write_drain=on", "dram.write_low=13"}, NULL},
        {NULL, {"dram.write_drain=on", "dram.write_high=17"}, "dram.write_high = 17: must be at most dram.queue = 16"},
        {NULL, {"dram.write_drain=on", "dram.write_high=16", "dram.write_low=0"}, NULL},
        {NULL, {"dram.write_low=14"}, NULL}, /* as the others where nothing asks for them */
        {NULL, {"dram.write_high=17"}, NULL},
        {"gtx480", {"dram.write_drain=on", "dram.queues=two"},
         "dram.write_drain = on with dram.queues = two: requests are in two queues by their warps already; must be "
         "dram.write_drain = off or dram.queues = one"});
}

TEST(clocks_have_a_common_step) {
    CHECK_ALL(
        {NULL, {"clock.core=999983", "clock.noc=999979", "clock.l2=999961"},
         "clock.core, clock.noc, clock.l2, clock.dram = 999983, 999979, 999961, 750000: their least common multiple must "
         "be at most 2^40 kHz; round them to a common step"});
}

/* clang-format on */
