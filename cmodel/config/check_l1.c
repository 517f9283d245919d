/* SPDX-License-Identifier: Apache-2.0 */
#include "config/check_l1.h"

#include "config/check_parts.h"
#include "config/derived.h"
#include "config/keys.h"

#define L1_BYTES_MAX (UINT64_C(64) << 20) /* MRPB's largest ideal cache (figure 5) has 48 MB */
/* Limits of the block l1/shadow_tags, in whose ranges the L1 must be. */
#define SHADOW_SETS_MAX 64
#define SHADOW_WAYS_MAX 8
#define PDP_WAYS_MAX 64

static bool check_l1_writes(const struct config *c, struct config_error *e) {
    bool global_stays = c->l1.global_write == L1_WRITE_BACK;
    if (!c->l1.cache || c->l1.perfect) {
        return true;
    }
    if (c->l1.miss_queue < 2 && (global_stays || c->l1.local_write == L1_WRITE_BACK)) {
        return config_fail(
            e,
            "l1.miss_queue = %u with %s = back: must be at least 2, for a dirty victim and "
            "the miss that evicts it",
            c->l1.miss_queue, global_stays ? "l1.global_write" : "l1.local_write");
    }
    bool local_stays = c->l1.local_write == L1_WRITE_BACK;
    if ((c->l1.sectors || c->l1.allocate == L1_ALLOCATE_FILL) && (global_stays || local_stays)) {
        return config_fail(e,
                           "%s with %s = back: must be evict or through, for lines there are never "
                           "dirty",
                           c->l1.sectors ? "l1.sectors = on" : "l1.allocate = fill",
                           global_stays ? "l1.global_write" : "l1.local_write");
    }
    /* Local data die with their kernel; global data would be lost. */
    if (c->l1.at_launch == AT_LAUNCH_INVALIDATE && global_stays) {
        return config_fail(
            e, "l1.at_launch = invalidate with l1.global_write = back: dirty lines would "
               "be lost; must be l1.at_launch = keep, or another l1.global_write");
    }
    return true;
}

/* The block has 2 to 64 queues; the keys that say how many end at 64 by themselves. */
static bool check_mrpb_queues(const struct config *c, struct config_error *e) {
    if (config_mrpb_queues(c) >= 2) {
        return true;
    }
    switch (c->mrpb.signature) {
    case MRPB_SIGNATURE_BLOCK:
        return config_fail(
            e,
            "l1.front = mrpb and mrpb.signature = block with core.ctas = %u: core.ctas must "
            "be 2..32",
            c->core.ctas);
    case MRPB_SIGNATURE_IN_BLOCK_WARP:
        return config_fail(
            e,
            "l1.front = mrpb and mrpb.signature = in-block-warp with core.cta_threads = %u: "
            "core.cta_threads must be 33..1024, two warps or more",
            c->core.cta_threads);
    default:
        return config_fail(e, "l1.front = mrpb with core.warps = %u: core.warps must be 2..64",
                           c->core.warps);
    }
}

/* With writes that stay (l1.global_write = back) the buffer is legal: its bypass follows a look-up
 * that missed, so there is no dirty copy but one that left through the same miss queue before. */
static bool check_mrpb(const struct config *c, struct config_error *e) {
    if (c->mrpb.depth == 1) {
        return config_fail(e, "mrpb.depth = 1: must be 0, for queues without bound, or 2..64");
    }
    if (c->l1.front && !c->l1.cache) {
        bool on = c->l1.front == L1_FRONT_MRPB;
        return config_fail(
            e, "l1.front = %s with l1.cache = off: %s; must be l1.front = none or l1.cache = on",
            on ? "mrpb" : "slot", on ? "the buffer needs a cache" : "there is no cache to bypass");
    }
    if (c->l1.front && c->l1.front_latency) {
        return config_fail(e,
                           "l1.front_latency = %u with l1.front = %s: must be 0, for one queue "
                           "alone stands before the L1",
                           c->l1.front_latency, c->l1.front == L1_FRONT_MRPB ? "mrpb" : "slot");
    }
    return c->l1.front != L1_FRONT_MRPB || check_mrpb_queues(c, e);
}

static const char *mdb_bypass_word(const struct config *c) {
    static const char *const words[] = {
        [MDB_BYPASS_OFF] = "off",       [MDB_BYPASS_LIMIT] = "limit",
        [MDB_BYPASS_COUNT] = "count",   [MDB_BYPASS_LOCAL] = "local",
        [MDB_BYPASS_GLOBAL] = "global", [MDB_BYPASS_CONTROL] = "control"};
    return words[c->mdb.bypass];
}

/* The generator's shadow tags have one in eight of the L1's sets, and its ways. */
static bool check_mdb_generator(const struct config *c, struct config_error *e) {
    const char *bypass = mdb_bypass_word(c);
    if (c->mdb.bypass != MDB_BYPASS_LOCAL && c->mdb.bypass != MDB_BYPASS_GLOBAL &&
        c->mdb.bypass != MDB_BYPASS_CONTROL) {
        return true;
    }
    if (c->l1.sets < 8 * 2 || c->l1.sets > 8 * SHADOW_SETS_MAX) {
        return config_fail(e, "l1.sets = %u with mdb.bypass = %s: must be 16..%u", c->l1.sets,
                           bypass, 8 * SHADOW_SETS_MAX);
    }
    if (c->l1.ways < 2 || c->l1.ways > SHADOW_WAYS_MAX) {
        return config_fail(e, "l1.ways = %u with mdb.bypass = %s: must be 2..%u", c->l1.ways,
                           bypass, SHADOW_WAYS_MAX);
    }
    return c->mdb.bypass != MDB_BYPASS_GLOBAL || c->mdb.watched < c->core.count ||
           config_fail(e, "mdb.watched = %u: must be below core.count = %u", c->mdb.watched,
                       c->core.count);
}

static bool check_mdb(const struct config *c, struct config_error *e) {
    const char *bypass = mdb_bypass_word(c);
    if (c->mdb.bypass == MDB_BYPASS_OFF) {
        return true;
    }
    if (!c->l1.cache) {
        return config_fail(e,
                           "mdb.bypass = %s with l1.cache = off: there is no cache to bypass; "
                           "must be mdb.bypass = off or l1.cache = on",
                           bypass);
    }
    if (c->l1.perfect) {
        return config_fail(e,
                           "mdb.bypass = %s with l1.perfect = on: every access hits; must be one "
                           "of them off",
                           bypass);
    }
    if (c->l1.global_write == L1_WRITE_BACK) {
        return config_fail(e,
                           "mdb.bypass = %s with l1.global_write = back: bypassing reads "
                           "would miss data that stay there; must be mdb.bypass = off, or "
                           "l1.global_write = evict or through",
                           bypass);
    }
    if (c->l1.front && c->mrpb.bypass == MRPB_BYPASS_ALL) {
        return config_fail(e,
                           "mdb.bypass = %s with l1.front = %s and mrpb.bypass = all: what would "
                           "stall bypasses already; must be mrpb.bypass = off or associativity",
                           bypass, c->l1.front == L1_FRONT_MRPB ? "mrpb" : "slot");
    }
    return check_mdb_generator(c, e);
}

/* Protecting distances need lines in the order of their use, which a wide set keeps otherwise. */
static bool check_pdp(const struct config *c, struct config_error *e) {
    if (c->l1.replacement != L1_REPLACEMENT_PDP) {
        return true;
    }
    if (!c->l1.cache || c->l1.perfect) {
        return config_fail(e,
                           "l1.replacement = pdp with %s: no line is replaced; must be "
                           "l1.replacement = lru",
                           c->l1.perfect ? "l1.perfect = on" : "l1.cache = off");
    }
    if (c->l1.sectors || c->l1.allocate == L1_ALLOCATE_FILL) {
        return config_fail(e,
                           "l1.replacement = pdp with %s: the policy is for whole lines that are "
                           "taken at a miss; must be l1.replacement = lru",
                           c->l1.sectors ? "l1.sectors = on" : "l1.allocate = fill");
    }
    return c->l1.ways <= PDP_WAYS_MAX ||
           config_fail(e, "l1.ways = %u with l1.replacement = pdp: must be 1..%u", c->l1.ways,
                       PDP_WAYS_MAX);
}

/* A refetch fills no line, and sectors of a line are fetched one by one. */
static bool check_pending_hit(const struct config *c, struct config_error *e) {
    const bool by_line = !c->l1.sectors && c->l1.allocate == L1_ALLOCATE_MISS;
    return by_line || c->l1.pending_hit == L1_PENDING_MERGE ||
           config_fail(e,
                       "l1.pending_hit = fetch with %s: must be merge, for only whole lines that "
                       "are taken at a miss are fetched again",
                       c->l1.sectors ? "l1.sectors = on" : "l1.allocate = fill");
}

/* The L1 changes its size between two kernels, when it is empty. */
static bool check_carveout(const struct config *c, struct config_error *e) {
    uint64_t bytes[CARVEOUTS_MAX];
    if (!strcmp(c->core.carveout, "-")) {
        return true;
    }
    if (!config_carveouts(c, bytes)) {
        return config_fail(e,
                           "core.carveout = %s: must be - or sizes in KB that grow, with / between "
                           "them, at most %u: 0/8/16",
                           c->core.carveout, CARVEOUTS_MAX - 1);
    }
    if (c->l1.allocate != L1_ALLOCATE_FILL || c->l1.at_launch != AT_LAUNCH_INVALIDATE) {
        return config_fail(e,
                           "core.carveout = %s: needs l1.allocate = fill and l1.at_launch = "
                           "invalidate, so that the L1 is empty between two kernels",
                           c->core.carveout);
    }
    return true;
}

bool check_l1(const struct config *c, struct config_error *e) {
    if (!check_fermi_index(e, "l1", c->l1.index, c->l1.sets)) {
        return false;
    }
    if (c->l1.index == INDEX_FERMI && c->l1.line_bytes != 128) {
        return config_fail(e, "l1.index = fermi with l1.line_bytes = %u: l1.line_bytes must be 128",
                           c->l1.line_bytes);
    }
    if (config_l1_bytes(c) > L1_BYTES_MAX) {
        return config_fail(
            e, "l1.sets * l1.ways * l1.line_bytes = %u * %u * %u: must be at most %llu bytes",
            c->l1.sets, c->l1.ways, c->l1.line_bytes, (unsigned long long)L1_BYTES_MAX);
    }
    if (c->l1.perfect && !c->l1.cache) {
        return config_fail(
            e, "l1.perfect = on with l1.cache = off: there is nothing to hit in; must be "
               "l1.perfect = off or l1.cache = on");
    }
    return check_carveout(c, e) && check_l1_writes(c, e) && check_pending_hit(c, e) &&
           check_pdp(c, e) && check_mrpb(c, e) && check_mdb(c, e);
}
