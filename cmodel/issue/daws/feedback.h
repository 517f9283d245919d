/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory system's feedback of Detected-DAWS (MICRO 2013, 5.2.1): finds the load of each access,
 * and judges whether a load had intra-warp locality, captured (its warp had fetched the line) or
 * lost (a victim hit). A warp's accesses reach the L1 in the order of its loads, so counts are
 * enough. A victim hit is known a cycle after its miss, or later where the miss waits for the
 * victim tags; so accesses wait here in their order, and a load is judged a cycle after its last
 * access or when it is known that this one lost no line.
 */
#ifndef WARPMEM_ISSUE_DAWS_FEEDBACK_H
#define WARPMEM_ISSUE_DAWS_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

#define DAWS_FEEDBACK_WARPS 64
#define DAWS_FEEDBACK_LOADS 16   /* loads followed per warp; further ones are not judged */
#define DAWS_FEEDBACK_WAITING 64 /* accesses of loads to be judged; the oldest gives way */

/* A load is judged by any of its accesses, by most of them, or each access by itself. */
enum daws_judge { DAWS_JUDGE_LOAD, DAWS_JUDGE_MAJORITY, DAWS_JUDGE_ACCESS };

/* A load whose accesses have not all reached the L1. @number: its own; 0: it can no longer be
 * named.
 * @wanted: to be judged, as a load of @loop. @line: of the last access, where one has @begun.
 * @accesses: but for those that repeat the line before. */
struct daws_flight {
    bool wanted, begun;
    uint32_t number, loop, pc;
    unsigned left, accesses, local;
    uint64_t line;
};

/* An access that may still become a victim hit: then it does in cycle @lost_at (0: it cannot).
 * @from: the first cycle in which that is known. @local: accesses with locality, it among them and
 *        those of its load before that were not wanted. @ends: the last of its load. @repeats: to
 *        the line of its load's access before: the other half of the warp, no use again */
struct daws_waiting_access {
    uint64_t from, lost_at;
    bool own_local, ends, repeats;
    uint8_t warp;
    unsigned local, accesses;
    uint32_t loop;
};

struct daws_feedback {
    enum daws_judge judge;
    uint32_t loads; /* so far */
    struct daws_flights {
        unsigned head, count;
        struct daws_flight load[DAWS_FEEDBACK_LOADS];
    } warp[DAWS_FEEDBACK_WARPS];
    struct daws_flight last; /* of the last access */
    unsigned head, waiting;
    struct daws_waiting_access access[DAWS_FEEDBACK_WAITING];
    unsigned local[DAWS_FEEDBACK_WARPS]; /* of the warp's load whose accesses leave */
    uint64_t refused;                    /* accesses that gave way to another one */
};

void daws_feedback_init(struct daws_feedback *f, enum daws_judge judge);
/** daws_feedback_load() - the warp has issued a load or an atomic of global or local memory.
 * Return: its number; 0: it is not followed. */
uint32_t daws_feedback_load(struct daws_feedback *f, unsigned warp, uint32_t pc, unsigned accesses);
/** daws_feedback_want() - judge the warp's load of this number as a load of @loop, if it has
 * accesses left. */
void daws_feedback_want(struct daws_feedback *f, unsigned warp, uint32_t number, uint32_t loop);
/** daws_feedback_access() - the L1 has taken an access of such a load to @line in @cycle. @local:
 * the warp had fetched its line; @lost_at: a victim hit of it would be told in that cycle; 0: none
 * can be. Return: the load of the access, valid until the next call. */
const struct daws_flight *daws_feedback_access(struct daws_feedback *f, unsigned warp,
                                               uint64_t line, bool local, uint64_t cycle,
                                               uint64_t lost_at);
/** daws_feedback_lost() - a victim hit of the warp is told in @cycle. */
void daws_feedback_lost(struct daws_feedback *f, unsigned warp, uint64_t cycle);
/** daws_feedback_judge() - true if a judgement is ready by @cycle: a load of *loop is *local. One a
 * cycle. */
bool daws_feedback_judge(struct daws_feedback *f, uint64_t cycle, uint32_t *loop, bool *local);

#endif
