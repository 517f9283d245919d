/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/meeting.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/capture.h"
#include "runtime/matrix.h"
#include "kernel/insn.h"

enum meeting_kind {
    MEET_SYNC,
    MEET_ACTIVE,
    MEET_ALL,
    MEET_ANY,
    MEET_UNIFORM,
    MEET_BALLOT,
    MEET_INDEX,
    MEET_UP,
    MEET_DOWN,
    MEET_XOR,
    MEET_MATCH_ANY,
    MEET_MATCH_ALL,
    MEET_ADD,
    MEET_UNSIGNED_MIN,
    MEET_UNSIGNED_MAX,
    MEET_MIN,
    MEET_MAX,
    MEET_AND,
    MEET_OR,
    MEET_EXCLUSIVE_OR,
    MEET_MATRIX,
    MEET_ROWS,
};

#define ROW_MAX 17 /* words of a place: instrument/active.h */

/* Each lane passes a value and gets a result. */
struct brought {
    enum meeting_kind kind;
    uint64_t value;
    uint32_t mask, result;
    uint32_t lane, clamp; /* of a shuffle: PTX's b and c */
};

/* Lanes of one warp run at a time, while others may wait for a lane that waits in a loop. */
static struct meetings {
    struct brought brought[WARP_SIZE];
    uint32_t place[WARP_SIZE][ROW_MAX]; /* of the lanes that ask which are active */
} meetings[THREADS_MAX / WARP_SIZE];

/* Those of the warp that runs. */
static struct brought *brought = meetings->brought;
static uint32_t (*place)[ROW_MAX] = meetings->place;

void meeting_select(unsigned warp) {
    brought = meetings[warp].brought;
    place = meetings[warp].place;
}

void *meeting_memory(size_t *bytes) {
    *bytes = sizeof meetings;
    return meetings;
}

/* PTX 9.7.8.6: the lane that a shuffle reads; its own where that is outside its segment. */
static unsigned source_lane(const struct brought *b, unsigned lane, bool *is_inside) {
    const unsigned segment = b->clamp >> 8 & 31, bound = b->clamp & 31, by = b->lane & 31;
    const int last = (int)((lane & segment) | (bound & ~segment & 31));
    int from = (int)lane;
    bool inside = true;
    switch (b->kind) {
    case MEET_UP:
        from = (int)lane - (int)by;
        inside = from >= last;
        break;
    case MEET_DOWN:
        from = (int)(lane + by);
        inside = from <= last;
        break;
    case MEET_XOR:
        from = (int)(lane ^ by);
        inside = from <= last;
        break;
    default: from = (int)((lane & segment) | (by & ~segment & 31)); inside = from <= last;
    }
    *is_inside = inside;
    return inside ? (unsigned)from : lane;
}

/* The second result of PTX's shfl. @way: up, down, bfly, idx. */
unsigned __wm_ptx_shuffle_inside(unsigned way, unsigned by, unsigned clamp);
unsigned __wm_ptx_shuffle_inside(unsigned way, unsigned by, unsigned clamp) {
    static const enum meeting_kind kinds[] = {MEET_UP, MEET_DOWN, MEET_XOR, MEET_INDEX};
    const unsigned lane = launch_lane();
    const struct brought b = {.kind = kinds[way & 3], .lane = by, .clamp = clamp};
    bool inside;
    source_lane(&b, lane, &inside);
    return inside;
}

/* Those of the lanes that brought the same value. */
static uint32_t lanes_with(uint64_t value, uint32_t here) {
    uint32_t same = 0;
    for (uint32_t l = here; l; l &= l - 1) {
        const unsigned other = (unsigned)__builtin_ctz(l);
        same |= (uint32_t)(brought[other].value == value) << other;
    }
    return same;
}

static uint32_t reduced_pair(enum meeting_kind kind, uint32_t a, uint32_t b) {
    switch (kind) {
    case MEET_ADD: return a + b;
    case MEET_UNSIGNED_MIN: return a < b ? a : b;
    case MEET_UNSIGNED_MAX: return a < b ? b : a;
    case MEET_MIN: return (int32_t)a < (int32_t)b ? a : b;
    case MEET_MAX: return (int32_t)a < (int32_t)b ? b : a;
    case MEET_AND: return a & b;
    case MEET_OR: return a | b;
    default: return a ^ b;
    }
}

static uint32_t reduced_value(enum meeting_kind kind, uint32_t here) {
    uint32_t result = (uint32_t)brought[__builtin_ctz(here)].value;
    for (uint32_t l = here & (here - 1); l; l &= l - 1) {
        result = reduced_pair(kind, result, (uint32_t)brought[__builtin_ctz(l)].value);
    }
    return result;
}

/* A shuffle from a lane that does not take part gives 0: PTX leaves it open, and sums over a part
 * of a warp rely on it. */
static uint32_t result_of(unsigned lane, uint32_t here) {
    const struct brought *b = &brought[lane];
    uint32_t ballot = 0;
    for (uint32_t l = here; l; l &= l - 1) {
        const unsigned other = (unsigned)__builtin_ctz(l);
        ballot |= (uint32_t)(brought[other].value != 0) << other;
    }
    switch (b->kind) {
    case MEET_SYNC: return 0;
    case MEET_MATRIX: matrix_multiply(lane); return 0;
    case MEET_ROWS: matrix_distribute(lane); return 0;
    case MEET_ALL: return ballot == here;
    case MEET_ANY: return ballot != 0;
    case MEET_UNIFORM: return ballot == 0 || ballot == here;
    case MEET_BALLOT: return ballot;
    case MEET_INDEX:
    case MEET_UP:
    case MEET_DOWN:
    case MEET_XOR: {
        bool inside;
        const unsigned from = source_lane(b, lane, &inside);
        return here >> from & 1 ? (uint32_t)brought[from].value : 0;
    }
    case MEET_MATCH_ANY: return lanes_with(b->value, here);
    case MEET_MATCH_ALL: return lanes_with(b->value, here) == here ? here : 0;
    default: return reduced_value(b->kind, here);
    }
}

/* Below 0: @a comes first in the code, or in an earlier iteration of a loop. Rows of one place have
 * one length, and a row that is another's beginning is that of the same place. */
static int compare_rows(const uint32_t *a, const uint32_t *b) {
    unsigned i = 0;
    while (i < ROW_MAX - 1 && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* Lanes that ask which are active wait for all that may still come. Then those that are first go on
 * together, as the aligner orders them. */
static uint32_t release_active(uint32_t waiting) {
    const uint32_t *first = NULL;
    uint32_t go = 0;
    for (uint32_t l = waiting; l; l &= l - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(l);
        if (brought[lane].kind != MEET_ACTIVE) {
            continue;
        }
        const int order = first ? compare_rows(place[lane], first) : -1;
        go = (order < 0 ? 0 : go) | (uint32_t)(order <= 0) << lane;
        first = order < 0 ? place[lane] : first;
    }
    for (uint32_t l = go; l; l &= l - 1) {
        brought[__builtin_ctz(l)].result = go;
    }
    return go;
}

uint32_t meeting_release(uint32_t waiting, uint32_t ended) {
    uint32_t go = 0;
    for (uint32_t l = waiting; l; l &= l - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(l);
        const struct brought *b = &brought[lane];
        if (b->kind == MEET_ACTIVE) {
            continue;
        }
        uint32_t here = 0;
        for (uint32_t o = waiting & b->mask; o; o &= o - 1) {
            const unsigned other = (unsigned)__builtin_ctz(o);
            here |= (uint32_t)(brought[other].kind == b->kind && brought[other].mask == b->mask)
                    << other;
        }
        if (!(b->mask & ~(here | ended)) || !(b->mask & ~here)) {
            brought[lane].result = result_of(lane, here);
            go |= UINT32_C(1) << lane;
        }
    }
    return go ? go : release_active(waiting);
}

/* Lanes beyond the end of the CTA's last warp are never there. */
static uint32_t present_lanes(void) {
    const struct size3 b = running.block;
    const unsigned threads = b.x * b.y * b.z,
                   t = running.thread.x + b.x * (running.thread.y + b.y * running.thread.z),
                   left = threads - t / WARP_SIZE * WARP_SIZE;
    return left < WARP_SIZE ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
}

static uint32_t meet(struct brought b) {
    const unsigned lane = launch_lane();
    b.mask &= present_lanes();
    b.mask |= UINT32_C(1) << lane;
    brought[lane] = b;
    launch_meet();
    return brought[lane].result;
}

#define SHUFFLE(name, meeting) \
    int wm_nvvm_shfl_sync_##name##_i32(int mask, int value, int lane, int clamp); \
    int wm_nvvm_shfl_sync_##name##_i32(int mask, int value, int lane, int clamp) { \
        return (int)meet((struct brought){.kind = (meeting), \
                                          .mask = (uint32_t)mask, \
                                          .value = (uint32_t)value, \
                                          .lane = (uint32_t)lane, \
                                          .clamp = (uint32_t)clamp}); \
    } \
    float wm_nvvm_shfl_sync_##name##_f32(int mask, float value, int lane, int clamp); \
    float wm_nvvm_shfl_sync_##name##_f32(int mask, float value, int lane, int clamp) { \
        int bits; \
        memcpy(&bits, &value, sizeof bits); \
        bits = wm_nvvm_shfl_sync_##name##_i32(mask, bits, lane, clamp); \
        memcpy(&value, &bits, sizeof bits); \
        return value; \
    }
SHUFFLE(idx, MEET_INDEX)
SHUFFLE(up, MEET_UP)
SHUFFLE(down, MEET_DOWN)
SHUFFLE(bfly, MEET_XOR)

#define VOTE(name, type, meeting) \
    type wm_nvvm_vote_##name##_sync(int mask, bool vote); \
    type wm_nvvm_vote_##name##_sync(int mask, bool vote) { \
        return (type)meet( \
            (struct brought){.kind = (meeting), .mask = (uint32_t)mask, .value = vote}); \
    }
VOTE(all, bool, MEET_ALL)
VOTE(any, bool, MEET_ANY)
VOTE(uni, bool, MEET_UNIFORM)
VOTE(ballot, int, MEET_BALLOT)

#define MATCH(name, meeting) \
    unsigned __wm_meet_match_##name(unsigned mask, unsigned long long value); \
    unsigned __wm_meet_match_##name(unsigned mask, unsigned long long value) { \
        return meet((struct brought){.kind = (meeting), .mask = mask, .value = value}); \
    }
MATCH(any, MEET_MATCH_ANY)
MATCH(all, MEET_MATCH_ALL)

#define REDUCE(name, type, meeting) \
    type __wm_meet_reduce_##name(unsigned mask, type value); \
    type __wm_meet_reduce_##name(unsigned mask, type value) { \
        return (type)meet( \
            (struct brought){.kind = (meeting), .mask = mask, .value = (uint32_t)value}); \
    }
REDUCE(add, unsigned, MEET_ADD)
REDUCE(umin, unsigned, MEET_UNSIGNED_MIN)
REDUCE(umax, unsigned, MEET_UNSIGNED_MAX)
REDUCE(min, int, MEET_MIN)
REDUCE(max, int, MEET_MAX)
REDUCE(and, unsigned, MEET_AND)
REDUCE(or, unsigned, MEET_OR)
REDUCE(xor, unsigned, MEET_EXCLUSIVE_OR)

void __wm_syncwarp(unsigned mask);
void __wm_syncwarp(unsigned mask) {
    meet((struct brought){.kind = MEET_SYNC, .mask = mask});
}

void meeting_of_matrices(bool rows) {
    meet((struct brought){.kind = rows ? MEET_ROWS : MEET_MATRIX, .mask = UINT32_MAX});
}

/* Its arguments are a row of instrument/active.h. */
unsigned __wm_meet_active(unsigned count, ...);
unsigned __wm_meet_active(unsigned count, ...) {
    uint32_t *to = place[launch_lane()];
    va_list row;
    va_start(row, count);
    for (unsigned i = 0; i < ROW_MAX; i++) {
        to[i] = i < count ? va_arg(row, unsigned) : 0;
    }
    va_end(row);
    return meet((struct brought){.kind = MEET_ACTIVE});
}
