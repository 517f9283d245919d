/* SPDX-License-Identifier: Apache-2.0 */
#include "config/schemes.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "config/keys.h"

/* clang-format off */
/* A key or a constant that is not in the lists of config/config.h does not compile. */
#define NONE {NULL, 0, false}
#define KEY(member) {#member, offsetof(struct config, member), false}
#define NEEDED_KEY(member) {#member, offsetof(struct config, member), true}
#define SET(member, value) {KEY(member), value, {NONE, NONE}, NONE, false}
#define ELSE(member, value) {KEY(member), value, {NONE, NONE}, NONE, true}
#define PRODUCT(member, a, b, number) {KEY(member), number, {KEY(a), KEY(b)}, NONE, false}
#define COPY(member, from) {KEY(member), 1, {KEY(from), NONE}, NONE, false}
#define QUOTIENT(member, number, by) {KEY(member), number, {NONE, NONE}, KEY(by), false}

#define MRPB_QUEUES \
    SET(l1.front, L1_FRONT_MRPB), SET(mrpb.signature, MRPB_SIGNATURE_WARP), SET(mrpb.drain, MRPB_DRAIN_FIXED), \
    SET(mrpb.flush, true), SET(mrpb.depth, 8), SET(mrpb.latency, 5)
#define MRPB_ON {MRPB_QUEUES, SET(mrpb.bypass, MRPB_BYPASS_ASSOCIATIVITY)}
#define MRPB_REORDER {MRPB_QUEUES, SET(mrpb.bypass, MRPB_BYPASS_OFF)}
#define MRPB_SLOT {SET(l1.front, L1_FRONT_SLOT), SET(mrpb.bypass, MRPB_BYPASS_ASSOCIATIVITY)}
#define MRPB_SLOT_ALL {SET(l1.front, L1_FRONT_SLOT), SET(mrpb.bypass, MRPB_BYPASS_ALL)}
#define MDB_WARPS {SET(mdb.bypass, MDB_BYPASS_COUNT), SET(mdb.level, MDB_LEVEL_WARPS)}
#define MDB_CTAS {SET(mdb.bypass, MDB_BYPASS_COUNT), SET(mdb.level, MDB_LEVEL_CTAS)}
#define PDP {SET(l1.replacement, L1_REPLACEMENT_PDP), SET(pdp.distance, 0)}
#define PDP_FIXED {SET(l1.replacement, L1_REPLACEMENT_PDP)}
#define CBWT {SET(l1.replacement, L1_REPLACEMENT_PDP), SET(pdp.distance, 0), SET(pdp.bypass, PDP_BYPASS_MISS), ELSE(issue.scheduler, SCHEDULER_GTO)}
#define MDB_BY(who) {SET(mdb.bypass, who), SET(mdb.level, MDB_LEVEL_AUTO)}
#define L1_64WAY {QUOTIENT(l1.sets, 256, l1.line_bytes), SET(l1.ways, 64)}
#define L1_20K {QUOTIENT(l1.sets, 4096, l1.line_bytes), SET(l1.ways, 5)}
#define L1_ONE_SET {SET(l1.sets, 1), PRODUCT(l1.ways, l1.sets, l1.ways, 1)}
#define L1_ONE_SET_1024X {SET(l1.sets, 1), PRODUCT(l1.ways, l1.sets, l1.ways, 1024)}
#define LRR {SET(issue.scheduler, SCHEDULER_LRR)}
#define GTO {SET(issue.scheduler, SCHEDULER_GTO)}
#define ELSE_GTO {ELSE(issue.scheduler, SCHEDULER_GTO)}
#define GTY {SET(issue.scheduler, SCHEDULER_GTY)}
#define OLDEST {SET(issue.scheduler, SCHEDULER_OLDEST)}
#define TWO_LEVEL {SET(issue.scheduler, SCHEDULER_TWO_LEVEL)}
#define CTA_AWARE {SET(issue.scheduler, SCHEDULER_CTA_AWARE)}
#define BLP_GROUPS SET(issue.scheduler, SCHEDULER_CTA_BLP)
#define CTA_LOCALITY {SET(issue.scheduler, SCHEDULER_CTA_LOCALITY)}
#define CTA_BLP {BLP_GROUPS}
#define OWL_PREFETCH SET(owl.prefetch, OWL_PREFETCH_LEAST)
#define OWL {BLP_GROUPS, OWL_PREFETCH}
#define OWL_CONTROL \
    {BLP_GROUPS, COPY(owl.least_warps, core.warps), OWL_PREFETCH, SET(owl.lower, 0), SET(owl.higher, 0)}
#define CCWS {ELSE(issue.scheduler, SCHEDULER_GTO), SET(ccws.mode, true)}
#define DAWS_PROFILED_SCHEME {SET(daws.mode, DAWS_PROFILED), SET(daws.lanes, DAWS_LANES_ACTIVE), ELSE(issue.scheduler, SCHEDULER_GTO)}
#define DAWS_DETECTED_SCHEME {SET(daws.mode, DAWS_DETECTED), SET(daws.lanes, DAWS_LANES_ACTIVE), ELSE(issue.scheduler, SCHEDULER_GTO)}
#define DAWS_BLIND_SCHEME {SET(daws.mode, DAWS_DETECTED), SET(daws.lanes, DAWS_LANES_ALL), ELSE(issue.scheduler, SCHEDULER_GTO)}
#define PERFECT_L1 {SET(l1.cache, true), SET(l1.perfect, true)}
#define L2_BASELINE {SET(l2.perfect, false), SET(l2.bypass, L2_BYPASS_OFF), SET(l2.allocation, L2_ALLOCATION_ALL), SET(l2.insertion, L2_INSERTION_LRU)}
#define PERFECT_L2 {SET(l2.perfect, true)}
#define ROTATING {SET(issue.arbitration, ARBITRATION_ROTATING)}
#define LIMIT KEY(issue.warp_limit)
#define WIP SET(l2.insertion, L2_INSERTION_WARP_TYPE)
#define WMS SET(dram.queues, DRAM_QUEUES_TWO)
#define WMS_ROW_FIRST {WMS, SET(dram.high, DRAM_HIGH_ROW_FIRST)}
#define WBYP SET(l2.bypass, L2_BYPASS_WARP_TYPE)
#define EAF {SET(l2.insertion, L2_INSERTION_EAF)}
#define TOKENS {SET(l2.allocation, L2_ALLOCATION_TOKENS)}
#define RANDOM {SET(l2.bypass, L2_BYPASS_RANDOM)}
#define BY_PC {SET(l2.bypass, L2_BYPASS_PC)}
#define MEDIC {WIP, WMS, WBYP, SET(medic.reuse, MEDIC_REUSE_OFF)}
#define MEDIC_REUSE {WIP, WMS, WBYP, SET(medic.reuse, MEDIC_REUSE_BLOOM)}

static const struct scheme schemes[] = {
    {NULL, "baseline", "the preset as it is, without a memory request prioritization buffer", {SET(l1.front, L1_FRONT_NONE)}, NONE, NONE},
    {NULL, "mrpb", "MRPB as in HPCA 2014, table 4: 8 entries a queue, 5 cycles, bypass on associativity stalls", MRPB_ON, NONE, NONE},
    {NULL, "mrpb-reorder", "the same without bypassing (MRPB 5.1 to 5.3 and, with other keys of [mrpb], figures 8 to 12)", MRPB_REORDER, NONE, NONE},
    {NULL, "mrpb-bypass", "bypass on associativity stalls without queues (MRPB 5.4, figure 13)", MRPB_SLOT, NONE, NONE},
    {NULL, "mrpb-bypass-all", "bypass on all stalls without queues (MRPB 5.4, figure 13)", MRPB_SLOT_ALL, NONE, NONE},
    {NULL, "gto", "greedy-then-oldest warp schedulers; combines with others: mrpb+gto", GTO, NONE, NONE},
    {NULL, "rr", "round-robin warp schedulers (OWL 2.1, MRPB 5.7)", LRR, NONE, NONE},
    {NULL, "oldest", "oldest warp first (DAWS 7.1)", OLDEST, NONE, NONE},
    {NULL, "gty", "greedy-then-youngest warp schedulers: NVIDIA's GPUs since Turing (arXiv 2503.20481)", GTY, NONE, NONE},
    {NULL, "two-level", "two-level warp schedulers: fetch groups (MICRO 2011; OWL 5.1, MDB 7.2)", TWO_LEVEL, NONE, NONE},
    {NULL, "cta-aware", "groups of CTAs take turns when all their warps wait for memory (OWL 4.1)", CTA_AWARE, NONE, NONE},
    {NULL, "cta-aware-locality", "the first group of CTAs goes whenever it can (OWL 4.2)", CTA_LOCALITY, NONE, NONE},
    {NULL, "cta-aware-locality-blp", "the same with another group first on each core (OWL 4.3)", CTA_BLP, NONE, NONE},
    {NULL, "owl", "the same with prefetch of the rest of open DRAM rows (OWL 4)", OWL, NONE, NONE},
    {NULL, "owl-control", "owl without its decisions: one group, no line prefetched", OWL_CONTROL, NONE, NONE},
    {NULL, "swl", "static warp limiting on GTO, or with +rr on that (MICRO 2012; DAWS 3.3): swl:4, or with --set issue.warp_limit=4", ELSE_GTO, LIMIT, NONE},
    {NULL, "best-swl", "swl with the fastest limit, found by trying all; on GTO, or with +rr, --issue lrr (DAWS 3.3, 7.1, MDB 7)", ELSE_GTO, NONE, LIMIT},
    {NULL, "ccws", "cache-conscious warp scheduling on GTO, or with +rr on that: warps that lose most may load (MICRO 2012; DAWS 7.1)", CCWS, NONE, NONE},
    {NULL, "daws-profiled", "only warps whose loops fit the L1 may load; --profile FILE classifies loads (DAWS 5.1)", DAWS_PROFILED_SCHEME, NONE, NONE},
    {NULL, "daws-detected", "the same with loads classified at run time (DAWS 5.2)", DAWS_DETECTED_SCHEME, NONE, NONE},
    {NULL, "daws-no-control-flow", "daws-detected as if all lanes were active in each trip (DAWS 7.1)", DAWS_BLIND_SCHEME, NONE, NONE},
    {NULL, "perfect-l1", "every access hits in its first-level cache (PMEM of OWL 5.1)", PERFECT_L1, NONE, NONE},
    {NULL, "perfect-l2", "every request hits in the L2 (OWL 5.1)", PERFECT_L2, NONE, NONE},
    {NULL, "l1-64way", "an L1 of 16 KB, 64 ways (MRPB 5.8)", L1_64WAY, NONE, NONE},
    {NULL, "l1-20k-5way", "an L1 of 20 KB, 5 ways (MRPB 6)", L1_20K, NONE, NONE},
    {NULL, "fully-associative", "the L1's capacity in one set (MRPB figure 5, second bar)", L1_ONE_SET, NONE, NONE},
    {NULL, "fully-associative-1024x", "1024 times the L1's capacity in one set (MRPB figure 5, third bar)", L1_ONE_SET_1024X, NONE, NONE},
    {NULL, "medic", "MeDiC as in PACT 2015: wbyp, wip and wms together", MEDIC, NONE, NONE},
    {NULL, "wbyp", "requests of mostly-miss warps bypass the L2 (MeDiC 4.2)", {WBYP}, NONE, NONE},
    {NULL, "wip", "L2 lines of mostly-miss warps are evicted first, of mostly-hit warps last (MeDiC 4.3)", {WIP}, NONE, NONE},
    {NULL, "wms", "DRAM requests of mostly-hit warps have their own queue, always first (MeDiC 4.4)", {WMS}, NONE, NONE},
    {NULL, "wms-row-first", "the same, but after hits of open rows: the authors' later simulator", WMS_ROW_FIRST, NONE, NONE},
    {NULL, "medic-reuse", "medic, but lines that a Bloom filter has seen do not bypass (MeDiC 6.4)", MEDIC_REUSE, NONE, NONE},
    {NULL, "eaf", "evicted-address filter: decides which lines are inserted as most recently used (PACT 2012; MeDiC 5)", EAF, NONE, NONE},
    {NULL, "pcal", "misses of warps without a token allocate no L2 line: pcal:96 (HPCA 2015; MeDiC 5)", TOKENS, KEY(pcal.tokens), NONE},
    {NULL, "rand", "a percentage of the warps, chosen at random, bypasses the L2: rand:50 (MeDiC 5)", RANDOM, KEY(rand.percent), NONE},
    {NULL, "pc-byp", "requests of instructions that mostly miss bypass the L2 (MeDiC 5)", BY_PC, NONE, NONE},
    {NULL, "mdb-w", "the last M of a CTA's warps bypass the L1: mdb-w:5 (MDB 4, figure 3)", MDB_WARPS, KEY(mdb.count), NONE},
    {NULL, "mdb-b", "the last M of a core's CTAs bypass the L1: mdb-b:3 (MDB 4)", MDB_CTAS, KEY(mdb.count), NONE},
    {NULL, "mdb-local", "a generator in each core decides how many warps or CTAs use the L1 (MDB 6)", MDB_BY(MDB_BYPASS_LOCAL), NONE, NONE},
    {NULL, "mdb-global", "the generator of one core decides for all (MDB 6, G-BPG)", MDB_BY(MDB_BYPASS_GLOBAL), NONE, NONE},
    {NULL, "mdb-control", "mdb-local without its decisions: no warp bypasses the L1", MDB_BY(MDB_BYPASS_CONTROL), NONE, NONE},
    {NULL, "pdp", "L1 lines are protected for a sampled distance; reads bypass if all lines are (MICRO 2012; MDB 7.1)", PDP, NONE, NONE},
    {NULL, "pdp-fixed", "the same for a fixed distance: pdp-fixed:32", PDP_FIXED, NEEDED_KEY(pdp.distance), NONE},
    {NULL, "cbwt-best", "pdp, whose bypasses take MSHRs, with the fastest limit of swl, found by trying all of them (MICRO 2014; MDB 7.1)", CBWT, NONE, LIMIT},
    {"issue", "lrr", "loose round-robin warp schedulers", LRR, NONE, NONE},
    {"issue", "gto", "greedy-then-oldest warp schedulers", GTO, NONE, NONE},
    {"issue", "oldest", "oldest warp first", OLDEST, NONE, NONE},
    {"issue", "gty", "greedy, then the youngest warp: NVIDIA's GPUs since Turing (arXiv 2503.20481)", GTY, NONE, NONE},
    {"issue", "two-level", "fetch groups of issue.group_warps warps", TWO_LEVEL, NONE, NONE},
    {"issue", "cta-aware", "groups of CTAs take turns (OWL 4.1)", CTA_AWARE, NONE, NONE},
    {"issue", "cta-aware-locality", "the first group of CTAs goes whenever it can (OWL 4.2)", CTA_LOCALITY, NONE, NONE},
    {"issue", "cta-aware-locality-blp", "the same with another group first on each core (OWL 4.3)" , CTA_BLP, NONE, NONE},
    {"issue", "rotating", "schedulers of a core take turns to go first", ROTATING, NONE, NONE},
    {"issue", "swl", "static warp limiting on GTO, or on a named scheduler: swl:4", ELSE_GTO, LIMIT, NONE},
    {"issue", "best-swl", "the same with the best limit, found by a sweep", ELSE_GTO, NONE, LIMIT},
    {"issue", "ccws", "warps that lose most lines may load, on GTO or on a named scheduler (MICRO 2012)", CCWS, NONE, NONE},
    {"issue", "daws-profiled", "warps held by their loops' lines, with loads classified by --profile FILE (DAWS 5.1)", DAWS_PROFILED_SCHEME, NONE, NONE},
    {"issue", "daws-detected", "the same with loads classified at run time (DAWS 5.2)", DAWS_DETECTED_SCHEME, NONE, NONE},
    {"issue", "daws-no-control-flow", "daws-detected as if all lanes were active (DAWS 7.1)", DAWS_BLIND_SCHEME, NONE, NONE},
    {"l1", "baseline", "no buffer before the L1", {SET(l1.front, L1_FRONT_NONE)}, NONE, NONE},
    {"l1", "mrpb", "MRPB as in HPCA 2014, table 4", MRPB_ON, NONE, NONE},
    {"l1", "off", "no L1 data cache (MDB figure 2)", {SET(l1.cache, false), SET(l1.front, L1_FRONT_NONE)}, NONE, NONE},
    {"l1", "perfect", "every access hits in its first-level cache (PMEM of OWL 5.1)", PERFECT_L1, NONE, NONE},
    {"l1", "8mb", "8 MB, 4 ways (MDB figure 2)", {QUOTIENT(l1.sets, 2097152, l1.line_bytes), SET(l1.ways, 4)}, NONE, NONE},
    {"l1", "16kb-64way", "16 KB, 64 ways (MRPB 5.8)", L1_64WAY, NONE, NONE},
    {"l1", "20kb-5way", "20 KB, 5 ways (MRPB 6)", L1_20K, NONE, NONE},
    {"l1", "fully-associative", "the same capacity in one set (MRPB figure 5, second bar)", L1_ONE_SET, NONE, NONE},
    {"l1", "fully-associative-1024x", "1024 times the capacity in one set (MRPB figure 5)", L1_ONE_SET_1024X, NONE, NONE},
    {"l1", "modulo", "set index: low line-address bits (MDB figure 2)", {SET(l1.index, INDEX_MODULO)}, NONE, NONE},
    {"l1", "xor", "set index: bitwise XOR (MDB 3)", {SET(l1.index, INDEX_XOR)}, NONE, NONE},
    {"l1", "xor-all", "set index: XOR of all groups of bits", {SET(l1.index, INDEX_XOR_ALL)}, NONE, NONE},
    {"l1", "fermi", "set index: the hash of Fermi's hardware", {SET(l1.index, INDEX_FERMI)}, NONE, NONE},
    {"l2", "baseline", "the preset's L2: not ideal, no policy by warp type", L2_BASELINE, NONE, NONE},
    {"l2", "perfect", "every request hits in the L2 (OWL 5.1)", PERFECT_L2, NONE, NONE},
    {"l2", "wbyp", "requests of mostly-miss warps bypass (MeDiC 4.2)", {WBYP}, NONE, NONE},
    {"l2", "wip", "lines are evicted by their warp's type first (MeDiC 4.3)", {WIP}, NONE, NONE},
    {"l2", "medic", "wbyp and wip (MeDiC 4)", {WBYP, WIP, SET(medic.reuse, MEDIC_REUSE_OFF)}, NONE, NONE},
    {"l2", "medic-reuse", "the same with a Bloom filter (MeDiC 6.4)", {WBYP, WIP, SET(medic.reuse, MEDIC_REUSE_BLOOM)}, NONE, NONE},
    {"l2", "eaf", "evicted-address filter (PACT 2012)", EAF, NONE, NONE},
    {"l2", "pcal", "only warps with a token allocate lines (HPCA 2015)", TOKENS, KEY(pcal.tokens), NONE},
    {"l2", "rand", "random warps bypass (MeDiC 5)", RANDOM, KEY(rand.percent), NONE},
    {"l2", "pc-byp", "instructions that mostly miss bypass (MeDiC 5)", BY_PC, NONE, NONE},
    {"l2", "xor", "set index: bitwise XOR (MDB 7)", {SET(l2.index, INDEX_XOR)}, NONE, NONE},
    {"l2", "xor-all", "set index: XOR of all groups of bits", {SET(l2.index, INDEX_XOR_ALL)}, NONE, NONE},
    {"dram", "baseline", "one request queue", {SET(dram.queues, DRAM_QUEUES_ONE)}, NONE, NONE},
    {"dram", "row-prefetch", "prefetch the rest of open rows into the L2 (OWL 4.4)", {OWL_PREFETCH}, NONE, NONE},
    {"dram", "wms", "two request queues: mostly-hit warps first (MeDiC 4.4)", {WMS}, NONE, NONE},
    {"dram", "wms-row-first", "the same, but hits of open rows before another row", WMS_ROW_FIRST, NONE, NONE},
};
/* clang-format on */
enum { SCHEMES = sizeof schemes / sizeof *schemes };

const struct scheme *scheme_at(unsigned i) {
    return i < SCHEMES ? &schemes[i] : NULL;
}

static bool same_scheme_place(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

#define NAME_TEXT 64 /* room for a name and its number */

/* "swl:4" */
static const char *full_name(const struct scheme_selection *s, unsigned k, char buf[NAME_TEXT]) {
    if (s->numbered[k]) {
        snprintf(buf, NAME_TEXT, "%s:%u", s->pick[k]->name, s->number[k]);
    } else {
        snprintf(buf, NAME_TEXT, "%s", s->pick[k]->name);
    }
    return buf;
}

/* A pick's name in messages: "scheme mrpb", "--l1 mrpb". */
static const char *pick_title(const struct scheme_selection *s, unsigned k,
                              char buf[CONFIG_KEY_TEXT]) {
    char name[NAME_TEXT];
    const char *place = s->pick[k]->place;
    snprintf(buf, CONFIG_KEY_TEXT, "%s%s %s", place ? "--" : "", place ? place : "scheme",
             full_name(s, k, name));
    return buf;
}

/* The i-th value that pick k sets, its number last. NULL past the end. */
static const struct scheme_value *picked_value(const struct scheme_selection *s, unsigned k,
                                               unsigned i, struct scheme_value *numbered) {
    const struct scheme *p = s->pick[k];
    unsigned fixed = 0;
    while (p->values[fixed].key.text) {
        fixed++;
    }
    if (i < fixed) {
        return &p->values[i];
    }
    if (i > fixed || !s->numbered[k]) {
        return NULL;
    }
    *numbered = (struct scheme_value){.key = p->number, .number = s->number[k]};
    return numbered;
}

const char *scheme_value_text(const struct scheme_value *v, char buf[SCHEME_VALUE_TEXT]) {
    struct config scratch = {0};
    char number[CONFIG_KEY_TEXT];
    unsigned key = config_key_at_offset(v->key.offset);
    memcpy((char *)&scratch + v->key.offset, &v->number, sizeof v->number);
    config_value_text(&scratch, key, number);
    if (v->times[0].text) {
        snprintf(buf, SCHEME_VALUE_TEXT, "%s=%s%s%s%s%s", v->key.text, v->times[0].text,
                 v->times[1].text ? "*" : "", v->times[1].text ? v->times[1].text : "",
                 v->number != 1 ? "*" : "", v->number != 1 ? number : "");
    } else {
        snprintf(buf, SCHEME_VALUE_TEXT, "%s=%s%s%s", v->key.text, number, v->per.text ? "/" : "",
                 v->per.text ? v->per.text : "");
    }
    return buf;
}

static bool unknown_scheme(const char *place, const char *name, struct config_error *e) {
    char shown[TEXT_SHOWN], list[320] = "";
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (unsigned i = 0; i < SCHEMES; i++) {
        if (same_scheme_place(place, schemes[i].place)) {
            text_nearest_offer(&near, schemes[i].name);
            text_list(list, sizeof list, schemes[i].name);
        }
    }
    text_shown(shown, sizeof shown, name);
    snprintf(e->text, sizeof e->text, "%s%s %s: there is none of that name; %s%s%s",
             place ? "--" : "", place ? place : "scheme", *shown ? shown : "(nothing)",
             near.best ? "did you mean " : "must be one of ", near.best ? near.best : list,
             near.best ? "?" : "");
    return false;
}

/* Do picks a and b of the selection set one key to different values? */
static bool picks_contradict(const struct scheme_selection *s, unsigned a, unsigned b,
                             struct config_error *e) {
    char first[CONFIG_KEY_TEXT], second[CONFIG_KEY_TEXT], text[2][SCHEME_VALUE_TEXT];
    struct scheme_value numbered[2];
    const struct scheme_value *x, *y;
    for (unsigned i = 0; (x = picked_value(s, a, i, &numbered[0])); i++) {
        for (unsigned k = 0; (y = picked_value(s, b, k, &numbered[1])); k++) {
            if (x->key.offset == y->key.offset && x->yields == y->yields &&
                strcmp(scheme_value_text(x, text[0]), scheme_value_text(y, text[1]))) {
                return !config_fail(e, "%s and %s cannot be combined: %s against %s",
                                    pick_title(s, a, first), pick_title(s, b, second), text[0],
                                    text[1]);
            }
        }
    }
    return false;
}

/* Gives the last pick the number after the colon. */
static bool take_scheme_number(struct scheme_selection *s, const char *number,
                               struct config_error *e) {
    char shown[TEXT_SHOWN], allowed[CONFIG_ALLOWED_TEXT], title_text[CONFIG_KEY_TEXT];
    unsigned k = s->count - 1;
    const struct scheme *p = s->pick[k];
    text_shown(shown, sizeof shown, number);
    pick_title(s, k, title_text);
    if (!p->number.text) {
        snprintf(e->text, sizeof e->text, "%s:%s: must be %s, which bears no number", title_text,
                 shown, p->name);
        return false;
    }
    struct config scratch = {0};
    unsigned key = config_key_at_offset(p->number.offset);
    if (!config_value_put(&scratch, key, number)) {
        snprintf(e->text, sizeof e->text, "%s:%s: the number is %s, and must be %s", title_text,
                 shown, p->number.text, config_allowed_text(key, allowed));
        return false;
    }
    s->numbered[k] = true;
    s->number[k] = config_key_number(&scratch, key);
    return true;
}

/* Refuses the last pick, with a message, if it lacks a number that it needs, or has 0. */
static bool check_needed_number(const struct scheme_selection *s, struct config_error *e) {
    char title_text[CONFIG_KEY_TEXT];
    unsigned k = s->count - 1;
    const struct scheme *p = s->pick[k];
    if (s->numbered[k] ? s->number[k] != 0 : !p->number.needed) {
        return true;
    }
    return config_fail(e, "%s: must be %s:N, N = %s from 1 to %u", pick_title(s, k, title_text),
                       p->name, p->number.text,
                       config_key_at(config_key_at_offset(p->number.offset))->max);
}

static bool pick_scheme(struct scheme_selection *s, const char *place, const char *name,
                        struct config_error *e) {
    size_t length = strcspn(name, ":");
    for (unsigned i = 0; i < SCHEMES; i++) {
        const struct scheme *new = &schemes[i];
        if (!same_scheme_place(place, new->place) || strlen(new->name) != length ||
            strncmp(name, new->name, length) != 0) {
            continue;
        }
        if (s->count == SCHEME_PICKS_MAX) {
            snprintf(e->text, sizeof e->text, "%s: at most %d names can be combined", name,
                     SCHEME_PICKS_MAX);
            return false;
        }
        unsigned k = s->count++;
        s->pick[k] = new;
        s->numbered[k] = false;
        if (name[length] && !take_scheme_number(s, name + length + 1, e)) {
            return false;
        }
        if (!check_needed_number(s, e)) {
            return false;
        }
        for (unsigned earlier = 0; earlier < k; earlier++) {
            if (picks_contradict(s, earlier, k, e)) {
                return false;
            }
        }
        return true;
    }
    s->refused_unknown = true;
    return unknown_scheme(place, name, e);
}

bool scheme_pick(struct scheme_selection *s, const char *place, const char *names,
                 struct config_error *e) {
    for (;;) {
        char name[TEXT_SHOWN];
        size_t length = strcspn(names, "+");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name),
                 names);
        if (!pick_scheme(s, place, name, e)) {
            return false;
        }
        if (!names[length]) {
            return true;
        }
        names += length + 1;
    }
}

/* The preset's value of a key; 1 without one. */
static uint64_t preset_factor(const struct config *preset, struct scheme_key k) {
    return k.text ? config_key_number(preset, config_key_at_offset(k.offset)) : 1;
}

/* Sets the value, computed from those of the preset. */
static bool set_scheme_value(const struct config *preset, const struct scheme_value *v,
                             struct config *c, struct config_error *e) {
    char text[SCHEME_VALUE_TEXT];
    if (!v->times[0].text && !v->per.text) {
        return config_set(c, scheme_value_text(v, text), e);
    }
    uint64_t value = v->number * preset_factor(preset, v->times[0]) *
                     preset_factor(preset, v->times[1]) / preset_factor(preset, v->per);
    snprintf(text, sizeof text, "%s=%" PRIu64, v->key.text, value);
    return config_set(c, text, e);
}

/* Applies the picks that give way to others, or the rest. */
static bool apply_picks(const struct scheme_selection *s, bool yielding,
                        const struct config *preset, struct config *c, struct config_error *e) {
    struct scheme_value numbered;
    for (unsigned k = 0; k < s->count; k++) {
        const struct scheme_value *v;
        for (unsigned i = 0; (v = picked_value(s, k, i, &numbered)); i++) {
            if (v->yields == yielding && !set_scheme_value(preset, v, c, e)) {
                return false;
            }
        }
    }
    return true;
}

bool scheme_apply(const struct scheme_selection *s, struct config *c, struct config_error *e) {
    const struct config preset = *c;
    return apply_picks(s, true, &preset, c, e) && apply_picks(s, false, &preset, c, e);
}

const char *scheme_sweep(const struct scheme_selection *s) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->pick[i]->sweep.text) {
            return s->pick[i]->sweep.text;
        }
    }
    return NULL;
}

bool scheme_number_given(const struct scheme_selection *s, const struct config *c,
                         struct config_error *e) {
    for (unsigned k = 0; k < s->count; k++) {
        const struct scheme *p = s->pick[k];
        char title_text[CONFIG_KEY_TEXT];
        unsigned key = p->number.text ? config_key_at_offset(p->number.offset) : 0;
        if (p->number.text && !s->numbered[k] && !config_key_number(c, key)) {
            return config_fail(e, "%s: must be %s:N, or with --set %s=N, N from 1 to %u",
                               pick_title(s, k, title_text), p->name, p->number.text,
                               config_key_at(key)->max);
        }
    }
    return true;
}

const char *scheme_label(const struct scheme_selection *s, char buf[SCHEME_LABEL]) {
    char name[NAME_TEXT];
    snprintf(buf, SCHEME_LABEL, "baseline");
    for (unsigned i = 0, used = 0; i < s->count && used < SCHEME_LABEL; i++) {
        const struct scheme *p = s->pick[i];
        used += (unsigned)snprintf(buf + used, SCHEME_LABEL - used, "%s%s%s%s", i ? "+" : "",
                                   p->place ? p->place : "", p->place ? ":" : "",
                                   full_name(s, i, name));
    }
    return buf;
}

/* Does the scheme, with or without a number, set key i? */
static bool sets_key(const struct scheme *s, unsigned i) {
    for (const struct scheme_value *v = s->values; v->key.text; v++) {
        if (config_key_at_offset(v->key.offset) == i) {
            return true;
        }
    }
    return s->number.text && config_key_at_offset(s->number.offset) == i;
}

bool scheme_keys_differ(const struct config *a, const struct config *b) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        for (unsigned k = 0; k < SCHEMES && !config_key_same(a, b, i); k++) {
            if (sets_key(&schemes[k], i)) {
                return true;
            }
        }
    }
    return false;
}
