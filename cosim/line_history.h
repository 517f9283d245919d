/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks dram.line_order in the column commands of one channel: no request passes an older one of
 * its line, if one of the two is a write. Requests are numbered in the order in which their channel
 * took them in.
 */
#ifndef WARPMEM_COSIM_LINE_HISTORY_H
#define WARPMEM_COSIM_LINE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The youngest requests of a line that have had a command: their numbers plus one; 0: none. */
struct line_record {
    uint64_t line, read, write;
};

/* A hash table of records, at most half full; all zero is an empty one. */
struct line_history {
    struct line_record *record;
    uint64_t size, used; /* size is a power of two */
};

static inline void line_history_destroy(struct line_history *h) {
    free(h->record);
    *h = (struct line_history){0};
}

/* The record of the line, or a free one. */
static inline struct line_record *line_history_find(const struct line_history *h, uint64_t line) {
    uint64_t at = line * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    while ((h->record[at & (h->size - 1)].read | h->record[at & (h->size - 1)].write) &&
           h->record[at & (h->size - 1)].line != line) {
        at++;
    }
    return &h->record[at & (h->size - 1)];
}

static inline bool line_history_grow(struct line_history *h) {
    struct line_history larger = {.size = h->size ? 2 * h->size : 1024, .used = h->used};
    larger.record = calloc(larger.size, sizeof *larger.record);
    for (uint64_t i = 0; larger.record && i < h->size; i++) {
        if (h->record[i].read | h->record[i].write) {
            *line_history_find(&larger, h->record[i].line) = h->record[i];
        }
    }
    if (larger.record) {
        free(h->record);
        *h = larger;
    }
    return larger.record;
}

/**
 * line_history_add() - a column command of request @number for @line.
 * @passed: becomes the number of a younger request that went before it although one of the two is a
 *          write, plus one; 0: none did
 * Return: false: out of memory.
 */
static inline bool line_history_add(struct line_history *h, uint64_t line, uint64_t number,
                                    bool write, uint64_t *passed) {
    if (2 * h->used >= h->size && !line_history_grow(h)) {
        return false;
    }
    struct line_record *r = line_history_find(h, line);
    h->used += !(r->read | r->write);
    r->line = line;
    *passed = r->write > number + 1 ? r->write : write && r->read > number + 1 ? r->read : 0;
    uint64_t *youngest = write ? &r->write : &r->read;
    *youngest = *youngest > number + 1 ? *youngest : number + 1;
    return true;
}

#endif
