/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/coalescer.h"

#include <string.h>

#include "base/request.h"

/* Words of a line from the first to the last byte offset. */
static uint32_t word_mask(unsigned first, unsigned last) {
    return (uint32_t)((UINT64_C(2) << last / 4) - (UINT64_C(1) << first / 4));
}

/* The accesses found so far. */
struct found {
    struct line_access *accesses;
    unsigned count;
    uint64_t highest; /* of the lines found */
};

static void add_line_access(struct found *f, uint64_t line, uint32_t words, bool narrow) {
    /* Lanes mostly touch the line of the lane before, or go on to higher addresses. */
    unsigned i = f->count && line > f->highest ? 0 : f->count;
    while (i > 0) {
        if (f->accesses[--i].line == line) {
            f->accesses[i].words |= words;
            f->accesses[i].narrow |= narrow;
            return;
        }
    }
    f->accesses[f->count++] = (struct line_access){.line = line, .words = words, .narrow = narrow};
    f->highest = line > f->highest ? line : f->highest;
}

/* Lanes a line or more apart: each has lines of its own. False: they are not, or not aligned. */
static inline __attribute__((always_inline)) bool coalesce_column(const struct warp_op *op,
                                                                  uint32_t active,
                                                                  unsigned line_bytes,
                                                                  struct line_access *accesses,
                                                                  unsigned *count) {
    unsigned width = op->insn->width, shift = (unsigned)__builtin_ctz(line_bytes);
    if (op->form != ADDRESS_AFFINE || op->stride < (int64_t)line_bytes || width < 4 ||
        (op->base | (uint64_t)op->stride) % width) {
        return false;
    }
    uint32_t touched = (UINT32_C(1) << width / 4) - 1;
    uint64_t base = op->base, stride = (uint64_t)op->stride;
    unsigned found = 0;
    for (uint32_t lanes = active; lanes; lanes &= lanes - 1) {
        uint64_t address = base + stride * (unsigned)__builtin_ctz(lanes);
        accesses[found].line = address >> shift;
        accesses[found].words = touched << (address & (line_bytes - 1)) / 4;
        accesses[found++].narrow = false;
    }
    *count = found;
    return true;
}

/* Lanes of a word each, side by side or all the same one. False: they are not, or not aligned. */
static inline __attribute__((always_inline)) bool coalesce_row(const struct warp_op *op,
                                                               uint32_t active, unsigned line_bytes,
                                                               struct line_access *accesses,
                                                               unsigned *count) {
    unsigned line_words = line_bytes / 4, shift = (unsigned)__builtin_ctz(line_bytes), found = 0;
    if (op->form != ADDRESS_AFFINE || op->insn->width != 4 || op->base % 4 ||
        (op->stride != 4 && op->stride)) {
        return false;
    }
    uint64_t line = op->base >> shift, all = UINT64_MAX >> (64 - line_words);
    uint64_t words = (uint64_t)(op->stride ? active : 1) << (op->base & (line_bytes - 1)) / 4;
    for (; words; words >>= line_words, line = (line + 1) & UINT64_MAX >> shift) {
        if (words & all) {
            accesses[found++] =
                (struct line_access){.line = line, .words = (uint32_t)(words & all)};
        }
    }
    *count = found;
    return true;
}

/* Adds what a lane touches of a line to the accesses found. */
typedef void touch_function(struct found *, uint64_t line, uint32_t words, bool narrow);

static inline __attribute__((always_inline)) unsigned coalesce_with(const struct warp_op *op,
                                                                    uint32_t active,
                                                                    unsigned line_bytes,
                                                                    struct line_access *accesses,
                                                                    touch_function *touch_line) {
    unsigned count;
    if ((touch_line == add_line_access && coalesce_row(op, active, line_bytes, accesses, &count)) ||
        coalesce_column(op, active, line_bytes, accesses, &count)) {
        return count;
    }
    struct found found = {.accesses = accesses};
    uint64_t address[WARP_SIZE];
    unsigned width = op->insn->width, shift = (unsigned)__builtin_ctz(line_bytes),
             inside = line_bytes - 1;
    warp_op_addresses(op, address);
    for (uint32_t lanes = active; lanes; lanes &= lanes - 1) {
        uint64_t first = address[__builtin_ctz(lanes)], last = first + width - 1;
        uint64_t line = first >> shift;
        if (last >> shift == line) {
            touch_line(&found, line, word_mask(first & inside, last & inside),
                       width < 4 || first % 4);
        } else {
            /* Not aligned to its width: the first and last words are touched in part. */
            touch_line(&found, line, word_mask(first & inside, inside), true);
            touch_line(&found, line + 1, word_mask(0, last & inside), true);
        }
    }
    return found.count;
}

unsigned coalesce_accesses(const struct warp_op *op, unsigned line_bytes,
                           struct line_access *accesses) {
    return line_bytes == 128 ? coalesce_with(op, op->active, 128, accesses,
                                             add_line_access) /* the most frequent */
                             : coalesce_with(op, op->active, line_bytes, accesses, add_line_access);
}

static void touch_apart(struct found *f, uint64_t line, uint32_t words, bool narrow) {
    for (unsigned i = 0; i < f->count; i++) {
        if (f->accesses[i].line == line && !(f->accesses[i].words & words)) {
            f->accesses[i].words |= words;
            f->accesses[i].narrow |= narrow;
            return;
        }
    }
    f->accesses[f->count++] = (struct line_access){.line = line, .words = words, .narrow = narrow};
}

/* The segment in which lanes of this width coalesce. */
static unsigned coalescing_segment(unsigned width, unsigned line_bytes) {
    const unsigned bytes = width == 1 ? SECTOR_BYTES : width == 2 ? 2 * SECTOR_BYTES : 128;
    return bytes < line_bytes ? bytes : line_bytes;
}

/* Accesses of segments become accesses of the lines that hold them. */
static void place_segments(struct line_access *accesses, unsigned count, unsigned segment,
                           unsigned line_bytes) {
    const unsigned segments = line_bytes / segment;
    for (unsigned i = 0; i < count; i++) {
        const unsigned at = (unsigned)(accesses[i].line % segments);
        accesses[i].line /= segments;
        accesses[i].words <<= at * (segment / 4);
    }
}

/* Each half of the lanes by itself, in segments. */
static unsigned coalesce_halves(const struct warp_op *op, unsigned line_bytes, unsigned segment,
                                touch_function *touch_line, struct line_access *accesses) {
    static const uint32_t halves[] = {0xffff, 0xffff0000};
    unsigned count = 0;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t active = op->active & halves[i];
        struct line_access *its = accesses + count;
        if (active) {
            unsigned found = coalesce_with(op, active, segment, its, touch_line);
            place_segments(its, found, segment, line_bytes);
            count += found;
        }
    }
    return count;
}

unsigned coalesce_atomic(const struct warp_op *op, unsigned line_bytes, bool by_sector,
                         struct line_access *accesses) {
    return by_sector ? coalesce_halves(op, line_bytes, SECTOR_BYTES, add_line_access, accesses)
                     : coalesce_with(op, op->active, line_bytes, accesses, touch_apart);
}

unsigned coalesce_parts(const struct warp_op *op, unsigned line_bytes, unsigned parts,
                        bool atomics_by_sector, struct line_access *accesses) {
    const bool atomic = op->insn->op == OP_ATOMIC;
    if (parts > 1) {
        return coalesce_halves(op, line_bytes, coalescing_segment(op->insn->width, line_bytes),
                               atomic ? touch_apart : add_line_access, accesses);
    }
    return atomic ? coalesce_atomic(op, line_bytes, atomics_by_sector, accesses)
                  : coalesce_accesses(op, line_bytes, accesses);
}

unsigned coalesce_words(const struct warp_op *op, unsigned line_bytes,
                        struct line_access *accesses) {
    uint64_t address[WARP_SIZE];
    unsigned count = 0, shift = (unsigned)__builtin_ctz(line_bytes);
    warp_op_addresses(op, address);
    for (uint32_t lanes = op->active; lanes; lanes &= lanes - 1) {
        uint64_t first = address[__builtin_ctz(lanes)];
        for (uint64_t at = first & ~UINT64_C(3); at < first + op->insn->width; at += 4) {
            uint64_t line = at >> shift;
            uint32_t word = UINT32_C(1) << (at & (line_bytes - 1)) / 4;
            unsigned i = 0;
            while (i < count && (accesses[i].line != line || accesses[i].words != word)) {
                i++;
            }
            if (i == count) {
                accesses[count++] = (struct line_access){.line = line, .words = word};
            }
        }
    }
    return count;
}

unsigned segment_bytes(uint8_t sectors) {
    switch (sectors) {
    case 1:
    case 2:
    case 4:
    case 8: return SECTOR_BYTES;
    case 3:
    case 12: return 2 * SECTOR_BYTES;
    default: return 4 * SECTOR_BYTES;
    }
}

/* Words found so far, those of a bank in a list. */
struct bank_words {
    uint64_t word[5 * WARP_SIZE]; /* 16 bytes that are not aligned touch five */
    uint8_t next[5 * WARP_SIZE];  /* of the same bank, from 1; 0: none */
    uint8_t newest[SHARED_BANKS_MAX], in_bank[SHARED_BANKS_MAX];
    unsigned count, most;
};

static inline void add_bank_word(struct bank_words *b, uint64_t word, unsigned bank, bool shared) {
    for (unsigned i = shared ? b->newest[bank] : 0; i; i = b->next[i - 1]) {
        if (b->word[i - 1] == word) {
            return;
        }
    }
    b->word[b->count] = word;
    b->next[b->count++] = b->newest[bank];
    b->newest[bank] = (uint8_t)b->count;
    if (++b->in_bank[bank] > b->most) {
        b->most = b->in_bank[bank];
    }
}

/* Words side by side, a lane each. */
static inline bool is_row_of_words(const struct warp_op *op) {
    return op->form == ADDRESS_AFFINE && op->stride == 4 && op->insn->width == 4 && !(op->base % 4);
}

struct bank_cycles shared_bank_cycles(const struct warp_op *op, unsigned banks) {
    if (is_row_of_words(op) && banks >= WARP_SIZE) {
        return (struct bank_cycles){1, 1};
    }
    uint64_t address[WARP_SIZE];
    struct bank_words b;
    b.count = 0;
    b.most = 1;
    memset(b.newest, 0, banks);
    memset(b.in_bank, 0, banks);
    const bool shared = op->insn->op != OP_ATOMIC, power = !(banks & (banks - 1));
    warp_op_addresses(op, address);
    for (uint32_t lanes = op->active; lanes; lanes &= lanes - 1) {
        uint64_t first = address[__builtin_ctz(lanes)], last = (first + op->insn->width - 1) / 4;
        for (uint64_t word = first / 4; word <= last; word++) {
            add_bank_word(&b, word, (unsigned)(power ? word & (banks - 1) : word % banks), shared);
        }
    }
    return (struct bank_cycles){b.most, b.count > banks ? (b.count + banks - 1) / banks : 1};
}
