/* SPDX-License-Identifier: Apache-2.0 */
#include "config/schemes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/keys.h"

/* clang-format off */
#define MRPB_QUEUES "l1.mrpb=on", "mrpb.signature=warp", "mrpb.drain=fixed", "mrpb.flush=on", "mrpb.depth=8", "mrpb.latency=5"
#define MRPB_ON {MRPB_QUEUES, "mrpb.bypass=associativity"}
#define MRPB_REORDER {MRPB_QUEUES, "mrpb.bypass=off"}
#define MRPB_BYPASS {"l1.mrpb=slot", "mrpb.bypass=associativity"}
#define MRPB_BYPASS_ALL {"l1.mrpb=slot", "mrpb.bypass=all"}
#define L1_64WAY {"l1.sets=256/l1.line_bytes", "l1.ways=64"}
#define L1_20K {"l1.sets=4096/l1.line_bytes", "l1.ways=5"}
#define L1_ONE_SET {"l1.sets=1", "l1.ways=l1.sets*l1.ways"}
#define L1_ONE_SET_1024X {"l1.sets=1", "l1.ways=l1.sets*l1.ways*1024"}
#define LRR {"issue.scheduler=lrr"}
#define GTO {"issue.scheduler=gto"}
#define ELSE_GTO {"?issue.scheduler=gto"}
#define OLDEST {"issue.scheduler=oldest"}
#define TWO_LEVEL {"issue.scheduler=two-level"}
#define PERFECT_L1 {"l1.cache=on", "l1.perfect=on"}
#define L2_BASELINE {"l2.perfect=off", "l2.bypass=off", "l2.allocation=all", "l2.insertion=lru"}
#define PERFECT_L2 {"l2.perfect=on"}
#define LIMIT "issue.warp_limit"
#define WIP "l2.insertion=warp-type"
#define WMS "dram.queues=two"
#define WBYP "l2.bypass=warp-type"
#define MEDIC {WIP, WMS, WBYP, "medic.reuse=off"}
#define MEDIC_REUSE {WIP, WMS, WBYP, "medic.reuse=bloom"}

static const struct scheme schemes[] = {
    {NULL, "baseline", "no memory request prioritization buffer", {"l1.mrpb=off"}, NULL, NULL},
    {NULL, "mrpb", "MRPB as in HPCA 2014, table 4: 8 entries a queue, 5 cycles, bypass on associativity stalls", MRPB_ON, NULL, NULL},
    {NULL, "mrpb-reorder", "the same without bypassing (MRPB 5.1 to 5.3 and, with other keys of [mrpb], figures 8 to 12)", MRPB_REORDER, NULL, NULL},
    {NULL, "mrpb-bypass", "bypass on associativity stalls without queues (MRPB 5.4, figure 13)", MRPB_BYPASS, NULL, NULL},
    {NULL, "mrpb-bypass-all", "bypass on all stalls without queues (MRPB 5.4, figure 13)", MRPB_BYPASS_ALL, NULL, NULL},
    {NULL, "gto", "greedy-then-oldest warp schedulers; combines with others: mrpb+gto", GTO, NULL, NULL},
    {NULL, "rr", "round-robin warp schedulers (OWL 2.1, MRPB 5.7)", LRR, NULL, NULL},
    {NULL, "oldest", "oldest warp first (DAWS 7.1)", OLDEST, NULL, NULL},
    {NULL, "two-level", "two-level warp schedulers: fetch groups (MICRO 2011; OWL 5.1, MDB 7.2)", TWO_LEVEL, NULL, NULL},
    {NULL, "swl", "static warp limiting on GTO, or with +rr on that (MICRO 2012; DAWS 3.3): swl:4, or with --set issue.warp_limit=4", ELSE_GTO, LIMIT, NULL},
    {NULL, "best-swl", "swl with the fastest limit, found by trying all; on GTO, or with +rr, --issue lrr (DAWS 3.3, 7.1, MDB 7)", ELSE_GTO, NULL, LIMIT},
    {NULL, "perfect-l1", "every access hits in its first-level cache (PMEM of OWL 5.1)", PERFECT_L1, NULL, NULL},
    {NULL, "perfect-l2", "every request hits in the L2 (OWL 5.1)", PERFECT_L2, NULL, NULL},
    {NULL, "l1-64way", "an L1 of 16 KB, 64 ways (MRPB 5.8)", L1_64WAY, NULL, NULL},
    {NULL, "l1-20k-5way", "an L1 of 20 KB, 5 ways (MRPB 6)", L1_20K, NULL, NULL},
    {NULL, "fully-associative", "the L1's capacity in one set (MRPB figure 5, second bar)", L1_ONE_SET, NULL, NULL},
    {NULL, "fully-associative-1024x", "1024 times the L1's capacity in one set (MRPB figure 5, third bar)", L1_ONE_SET_1024X, NULL, NULL},
    {NULL, "medic", "MeDiC as in PACT 2015: wbyp, wip and wms together", MEDIC, NULL, NULL},
    {NULL, "wbyp", "requests of mostly-miss warps go to the DRAM without the L2 (MeDiC 4.2)", {WBYP}, NULL, NULL},
    {NULL, "wip", "L2 lines of mostly-miss warps are evicted first, of mostly-hit warps last (MeDiC 4.3)", {WIP}, NULL, NULL},
    {NULL, "wms", "DRAM requests of mostly-hit warps in a queue of their own, always first (MeDiC 4.4)", {WMS}, NULL, NULL},
    {NULL, "medic-reuse", "medic, but lines that a Bloom filter has seen do not bypass (MeDiC 6.4)", MEDIC_REUSE, NULL, NULL},
    {NULL, "eaf", "evicted-address filter: which lines are inserted most recently used (PACT 2012; MeDiC 5)", {"l2.insertion=eaf"}, NULL, NULL},
    {NULL, "pcal", "misses of warps without a token take no L2 line: pcal:96 (HPCA 2015; MeDiC 5)", {"l2.allocation=tokens"}, "pcal.tokens", NULL},
    {NULL, "rand", "a percentage of the warps, drawn by lot, bypasses the L2: rand:50 (MeDiC 5)", {"l2.bypass=random"}, "rand.percent", NULL},
    {NULL, "pc-byp", "requests of instructions that mostly miss bypass the L2 (MeDiC 5)", {"l2.bypass=pc"}, NULL, NULL},
    {"issue", "lrr", "loose round-robin warp schedulers", LRR, NULL, NULL},
    {"issue", "gto", "greedy-then-oldest warp schedulers", GTO, NULL, NULL},
    {"issue", "oldest", "oldest warp first", OLDEST, NULL, NULL},
    {"issue", "two-level", "fetch groups of issue.group_warps warps", TWO_LEVEL, NULL, NULL},
    {"issue", "swl", "static warp limiting on GTO, or on a scheduler that is named: swl:4", ELSE_GTO, LIMIT, NULL},
    {"issue", "best-swl", "the same with the best limit, found by a sweep", ELSE_GTO, NULL, LIMIT},
    {"l1", "baseline", "no buffer before the L1", {"l1.mrpb=off"}, NULL, NULL},
    {"l1", "mrpb", "MRPB as in HPCA 2014, table 4", MRPB_ON, NULL, NULL},
    {"l1", "off", "no L1 data cache (MDB figure 2)", {"l1.cache=off", "l1.mrpb=off"}, NULL, NULL},
    {"l1", "perfect", "every access hits in its first-level cache (PMEM of OWL 5.1)", PERFECT_L1, NULL, NULL},
    {"l1", "8mb", "8 MB, 4 ways (MDB figure 2)", {"l1.sets=2097152/l1.line_bytes", "l1.ways=4"}, NULL, NULL},
    {"l1", "16kb-64way", "16 KB, 64 ways (MRPB 5.8)", L1_64WAY, NULL, NULL},
    {"l1", "20kb-5way", "20 KB, 5 ways (MRPB 6)", L1_20K, NULL, NULL},
    {"l1", "fully-associative", "the same capacity in one set (MRPB figure 5, second bar)", L1_ONE_SET, NULL, NULL},
    {"l1", "fully-associative-1024x", "1024 times the capacity in one set (MRPB figure 5)", L1_ONE_SET_1024X, NULL, NULL},
    {"l1", "modulo", "set index: low line-address bits (MDB figure 2)", {"l1.index=modulo"}, NULL, NULL},
    {"l1", "xor", "set index: bitwise XOR (MDB 3)", {"l1.index=xor"}, NULL, NULL},
    {"l1", "fermi", "set index: the hash of Fermi's hardware", {"l1.index=fermi"}, NULL, NULL},
    {"l2", "baseline", "the L2 of the preset: no ideal one, no policy by the warp", L2_BASELINE, NULL, NULL},
    {"l2", "perfect", "every request hits in the L2 (OWL 5.1)", PERFECT_L2, NULL, NULL},
    {"l2", "wbyp", "requests of mostly-miss warps bypass (MeDiC 4.2)", {WBYP}, NULL, NULL},
    {"l2", "wip", "lines are evicted by their warp's type first (MeDiC 4.3)", {WIP}, NULL, NULL},
    {"l2", "medic", "wbyp and wip (MeDiC 4)", {WBYP, WIP, "medic.reuse=off"}, NULL, NULL},
    {"l2", "medic-reuse", "the same with a Bloom filter (MeDiC 6.4)", {WBYP, WIP, "medic.reuse=bloom"}, NULL, NULL},
    {"l2", "eaf", "evicted-address filter (PACT 2012)", {"l2.insertion=eaf"}, NULL, NULL},
    {"l2", "pcal", "only warps with a token take lines (HPCA 2015)", {"l2.allocation=tokens"}, "pcal.tokens", NULL},
    {"l2", "rand", "warps drawn by lot bypass (MeDiC 5)", {"l2.bypass=random"}, "rand.percent", NULL},
    {"l2", "pc-byp", "instructions that mostly miss bypass (MeDiC 5)", {"l2.bypass=pc"}, NULL, NULL},
    {"l2", "xor", "set index: bitwise XOR (MDB 7)", {"l2.index=xor"}, NULL, NULL},
    {"dram", "baseline", "one request queue", {"dram.queues=one"}, NULL, NULL},
    {"dram", "wms", "two request queues: mostly-hit warps first (MeDiC 4.4)", {WMS}, NULL, NULL},
};
/* clang-format on */
enum { SCHEMES = sizeof schemes / sizeof *schemes };

const struct scheme *scheme_at(unsigned i) {
    return i < SCHEMES ? &schemes[i] : NULL;
}

static bool same_place(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

#define NAME_TEXT 64 /* room for a name and its number */
#define ASSIGNMENT_TEXT (CONFIG_KEY_TEXT + 24)

/* "swl:4" */
static const char *full_name(const struct scheme_selection *s, unsigned k, char buf[NAME_TEXT]) {
    if (s->numbered[k]) {
        snprintf(buf, NAME_TEXT, "%s:%u", s->pick[k]->name, s->number[k]);
    } else {
        snprintf(buf, NAME_TEXT, "%s", s->pick[k]->name);
    }
    return buf;
}

/* How messages name a pick: "scheme mrpb", "--l1 mrpb". */
static const char *title(const struct scheme_selection *s, unsigned k, char buf[CONFIG_KEY_TEXT]) {
    char name[NAME_TEXT];
    const char *place = s->pick[k]->place;
    snprintf(buf, CONFIG_KEY_TEXT, "%s%s %s", place ? "--" : "", place ? place : "scheme",
             full_name(s, k, name));
    return buf;
}

/* The i-th thing that pick k sets, its number last. NULL past the end. */
static const char *assignment(const struct scheme_selection *s, unsigned k, unsigned i,
                              char buf[ASSIGNMENT_TEXT]) {
    const struct scheme *p = s->pick[k];
    unsigned fixed = 0;
    while (p->assignments[fixed]) {
        fixed++;
    }
    if (i < fixed) {
        return p->assignments[i];
    }
    if (i > fixed || !s->numbered[k]) {
        return NULL;
    }
    snprintf(buf, ASSIGNMENT_TEXT, "%s=%u", p->number, s->number[k]);
    return buf;
}

static bool unknown(const char *place, const char *name, struct config_error *e) {
    char shown[TEXT_SHOWN], list[320] = "";
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (unsigned i = 0; i < SCHEMES; i++) {
        if (same_place(place, schemes[i].place)) {
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
static bool contradict(const struct scheme_selection *s, unsigned a, unsigned b,
                       struct config_error *e) {
    char first[CONFIG_KEY_TEXT], second[CONFIG_KEY_TEXT], buf[2][ASSIGNMENT_TEXT];
    const char *x, *y;
    for (unsigned i = 0; (x = assignment(s, a, i, buf[0])); i++) {
        for (unsigned k = 0; (y = assignment(s, b, k, buf[1])); k++) {
            size_t key = strcspn(x, "=");
            if (!strncmp(x, y, key + 1) && strcmp(x, y)) {
                snprintf(e->text, sizeof e->text, "%s and %s cannot be combined: %s against %s",
                         title(s, a, first), title(s, b, second), x, y);
                return true;
            }
        }
    }
    return false;
}

static unsigned key_number(const char *key) {
    char section[CONFIG_KEY_TEXT];
    size_t length = strcspn(key, ".");
    snprintf(section, sizeof section, "%.*s", (int)length, key);
    return (unsigned)config_key_find(section, key + length + 1);
}

/* Gives the last pick the number that stands behind the colon. */
static bool take_number(struct scheme_selection *s, const char *number, struct config_error *e) {
    char shown[TEXT_SHOWN], allowed[CONFIG_ALLOWED_TEXT], title_text[CONFIG_KEY_TEXT];
    unsigned k = s->count - 1;
    const struct scheme *p = s->pick[k];
    text_shown(shown, sizeof shown, number);
    title(s, k, title_text);
    if (!p->number) {
        snprintf(e->text, sizeof e->text, "%s:%s: must be %s, which bears no number", title_text,
                 shown, p->name);
        return false;
    }
    struct config scratch = {0};
    char value[CONFIG_KEY_TEXT];
    unsigned key = key_number(p->number);
    if (!config_value_put(&scratch, key, number)) {
        snprintf(e->text, sizeof e->text, "%s:%s: the number is %s, and must be %s", title_text,
                 shown, p->number, config_allowed_text(key, allowed));
        return false;
    }
    s->numbered[k] = true;
    s->number[k] = (unsigned)strtoul(config_value_text(&scratch, key, value), NULL, 10);
    return true;
}

static bool pick_one(struct scheme_selection *s, const char *place, const char *name,
                     struct config_error *e) {
    size_t length = strcspn(name, ":");
    for (unsigned i = 0; i < SCHEMES; i++) {
        const struct scheme *new = &schemes[i];
        if (!same_place(place, new->place) || strlen(new->name) != length ||
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
        if (name[length] && !take_number(s, name + length + 1, e)) {
            return false;
        }
        for (unsigned earlier = 0; earlier < k; earlier++) {
            if (contradict(s, earlier, k, e)) {
                return false;
            }
        }
        return true;
    }
    return unknown(place, name, e);
}

bool scheme_pick(struct scheme_selection *s, const char *place, const char *names,
                 struct config_error *e) {
    for (;;) {
        char name[TEXT_SHOWN];
        size_t length = strcspn(names, "+");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name),
                 names);
        if (!pick_one(s, place, name, e)) {
            return false;
        }
        if (!names[length]) {
            return true;
        }
        names += length + 1;
    }
}

/* The value of a term, a number or a key of @c. */
static uint64_t term(const struct config *c, const char *text, size_t length) {
    char word[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (*word < '0' || *word > '9') {
        config_value_text(c, key_number(word), value);
        return strtoull(value, NULL, 10);
    }
    return strtoull(word, NULL, 10);
}

/* "l1.ways=l1.sets*l1.ways": works the value out with those of the preset. */
static const char *work_out(const struct config *preset, const char *text,
                            char buf[ASSIGNMENT_TEXT]) {
    const char *at = strchr(text, '=') + 1;
    if (!strpbrk(at, "*/")) {
        return text;
    }
    size_t length = strcspn(at, "*/");
    uint64_t value = term(preset, at, length);
    while (at[length]) {
        char operator= at[length];
        at += length + 1;
        length = strcspn(at, "*/");
        uint64_t next = term(preset, at, length);
        value = operator== '*' ? value * next : value / next;
    }
    snprintf(buf, ASSIGNMENT_TEXT, "%.*s=%" PRIu64, (int)strcspn(text, "="), text, value);
    return buf;
}

/* Those that give way to other picks, or the rest. */
static bool apply(const struct scheme_selection *s, bool yielding, const struct config *preset,
                  struct config *c, struct config_error *e) {
    char buf[ASSIGNMENT_TEXT], worked_out[ASSIGNMENT_TEXT];
    for (unsigned k = 0; k < s->count; k++) {
        const char *a;
        for (unsigned i = 0; (a = assignment(s, k, i, buf)); i++) {
            if ((*a == '?') == yielding &&
                !config_set(c, work_out(preset, a + yielding, worked_out), e)) {
                return false;
            }
        }
    }
    return true;
}

bool scheme_apply(const struct scheme_selection *s, struct config *c, struct config_error *e) {
    const struct config preset = *c;
    return apply(s, true, &preset, c, e) && apply(s, false, &preset, c, e);
}

const char *scheme_sweep(const struct scheme_selection *s) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->pick[i]->sweep) {
            return s->pick[i]->sweep;
        }
    }
    return NULL;
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

/* Does the scheme, with or without a number, set the key? */
static bool sets_key(const struct scheme *s, const char *key) {
    size_t length = strlen(key);
    for (const char *const *a = s->assignments; *a; a++) {
        if (!strncmp(*a, key, length) && (*a)[length] == '=') {
            return true;
        }
    }
    return s->number && !strcmp(s->number, key);
}

bool scheme_keys_differ(const struct config *a, const struct config *b) {
    char text[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        config_key_text(i, text);
        for (unsigned k = 0; k < SCHEMES && !config_key_same(a, b, i); k++) {
            if (sets_key(&schemes[k], text)) {
                return true;
            }
        }
    }
    return false;
}
