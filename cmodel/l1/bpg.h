/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_BPG_H
#define WARPMEM_L1_BPG_H

#include "l1/bpg_ports.h"
#include "l1/shadow_tags.h"

/* Cycles from an interval's last access to the first with its limit at the output: the hits, the
 * copy, one calculator a cycle through five registers, and the output's register. */
#define BPG_LATENCY(calculators) (SHADOW_TAGS_LATENCY + (calculators) + 6)

/**
 * struct bpg - the bypassing parameter generator: the number of warps, or CTAs, that use the L1.
 *
 * MDB (DAC 2016), section 6, figure 5. Calculator i counts the hits that the L1 would have if only
 * the warps or CTAs 0 to i used it (l1/shadow_tags, in the sets that are 0 modulo 8); one counter
 * counts the reservation failures. After every INTERVAL accesses the limit L becomes the number of
 * warps with the most adjusted hits (5.3),
 *
 *     hits * 2^HITS_SHIFT - failures * (L/N)^3 * E,
 *
 * or the largest of several with the most, with N warps or CTAs resident in the interval's first
 * access. (L/N)^3 is a table of 512ths, rounded to the nearest; with L above N it is 1. A limit of
 * N or more means no bypass: it is CALCULATORS. With RESCALE the failures were counted while
 * min(limit, N) warps used the cache, and (L/N)^3 becomes (L/min(limit, N))^3, L at most N. At the
 * interval's end all counters are halved, so that history fades; they stay at their largest value
 * when they would overflow. Events while a limit is computed, BPG_LATENCY cycles, count for the
 * next interval.
 *
 * Order in a cycle: fail_count is counted, then the access ends its interval, then the counters
 * are halved. Hits are counted when they come out of the tags; each belongs to the interval of its
 * access. clear is a reset except that limit_new reports it. Verilog twin:
 * rtl/l1/bpg.v.
 */
struct bpg {
    struct bpg_params params;
    struct shadow_tags tags;
    uint32_t accesses; /* of this interval */
    uint32_t fails;
    uint32_t hits[BPG_CALCULATORS_MAX];
    uint8_t resident; /* N of this interval */
    uint8_t limit;
    bool limit_new;
    bool end[SHADOW_TAGS_LATENCY]; /* an interval's last access is that far from the tags' output */
    /* The counts of the finished interval are kept until its limit is at the output. */
    uint32_t base_fails;
    uint8_t base_resident;
    uint8_t next_limit; /* computed after its last hit */
    uint8_t left;       /* cycles until it becomes the limit; 0: none is pending */
};

/** bpg_init() - params in the ranges of BPG_PARAMS. Always true. */
bool bpg_init(struct bpg *s, const struct bpg_params *params);
void bpg_destroy(struct bpg *s);
/** bpg_comb() - the outputs of this cycle; they do not depend on its inputs. */
void bpg_comb(const struct bpg *s, const struct bpg_in *in, struct bpg_out *out);
/** bpg_step() - the clock edge; @out is the output of bpg_comb() for this @in. */
void bpg_step(struct bpg *s, const struct bpg_in *in, const struct bpg_out *out);
/** bpg_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bpg_quiet(const struct bpg *s, const struct bpg_in *in);

/** bpg_weight() - 512 * (@part / @whole)^3, rounded to the nearest: 1 to 8 each. */
unsigned bpg_weight(unsigned part, unsigned whole);

#endif
