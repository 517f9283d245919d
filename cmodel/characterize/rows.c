/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/rows.h"

#include <stdlib.h>

#define NO_KEY UINT64_MAX

void rows_init(struct rows *r, const struct config *config) {
    *r = (struct rows){.key = NO_KEY};
    dram_map_init(&r->dram, config);
}

void rows_destroy(struct rows *r) {
    line_map_destroy(&r->map);
    line_map_destroy(&r->run_rows);
    line_map_destroy(&r->run_pairs);
    free(r->row);
    free(r->run_pair);
    *r = (struct rows){.key = NO_KEY};
}

/* The CTA has not accessed the row yet; another one, which came before, has. */
static void add_cta_to_row(struct row *row, uint32_t cta) {
    if (row->last + 1 == cta) {
        row->beside += row->run == 1 ? 2 : 1;
        row->run++;
    } else {
        row->run = 1;
    }
    row->last = cta;
    row->ctas++;
}

static uint64_t pair_of(uint32_t row, uint32_t cta) {
    return (uint64_t)row << 32 | cta;
}

/* The CTA accesses the row for the first time in this launch. */
static bool note_pair(struct rows *r, uint64_t key, uint32_t cta) {
    uint32_t row, number;
    bool fresh;
    r->run_full |= r->run_pairs.count == ROWS_PAIRS_MAX;
    if (r->run_full) {
        return true;
    }
    if (!line_map_put(&r->run_rows, key, &row, &fresh) ||
        !line_map_put(&r->run_pairs, pair_of(row, cta), &number, &fresh) ||
        !line_map_room(&r->run_pairs, &r->run_pair, &r->run_room, sizeof *r->run_pair)) {
        return false;
    }
    r->run_pair[number] = pair_of(row, cta);
    return true;
}

bool rows_touch(struct rows *r, uint64_t address, uint32_t cta) {
    uint64_t local, key;
    unsigned partition = dram_map_partition(&r->dram, address, &local);
    struct dram_address at = dram_map_local(&r->dram, local);
    bool fresh = false;
    key = (at.row * (r->dram.bank_mask + 1) + at.bank) * r->dram.partitions + partition;
    if (key != r->key) {
        if (!line_map_put(&r->map, key, &r->number, &fresh) ||
            !line_map_room(&r->map, &r->row, &r->room, sizeof *r->row)) {
            return false;
        }
        r->key = key;
    }
    struct row *row = &r->row[r->number];
    if (fresh) {
        *row = (struct row){.last = cta, .run = 1, .ctas = 1};
    } else if (row->last != cta) {
        add_cta_to_row(row, cta);
    } else {
        return true;
    }
    return note_pair(r, key, cta);
}

static void count_row_sharing(struct row_counts *c, const struct row *row, uint32_t rows) {
    c->rows += rows;
    for (uint32_t i = 0; i < rows; i++) {
        c->ctas += row[i].ctas;
        c->shares += (double)row[i].beside / row[i].ctas;
        c->histogram[32 - __builtin_clz(row[i].ctas)]++;
    }
}

void rows_end(struct rows *r, struct row_counts *c) {
    struct row_counts one = {0};
    count_row_sharing(&one, r->row, r->map.count);
    if (one.rows) {
        one.launches = 1;
        one.launch_ctas = (double)one.ctas / (double)one.rows;
        one.launch_shares = one.shares / (double)one.rows;
        rows_add(c, &one);
    }
    line_map_clear(&r->map);
    r->key = NO_KEY;
}

bool rows_run(const struct rows *r, struct row_counts *c) {
    struct row *row = calloc((size_t)r->run_rows.count + 1, sizeof *row);
    *c = (struct row_counts){0};
    for (uint32_t i = 0; row && !r->run_full && i < r->run_pairs.count; i++) {
        uint64_t pair = r->run_pair[i];
        uint32_t cta = (uint32_t)pair, number;
        struct row *at = &row[pair >> 32];
        at->ctas++;
        at->beside += (cta && line_map_find(&r->run_pairs, pair - 1, &number)) ||
                      (cta < UINT32_MAX && line_map_find(&r->run_pairs, pair + 1, &number));
    }
    if (row && !r->run_full) {
        count_row_sharing(c, row, r->run_rows.count);
    }
    bool good = row;
    free(row);
    return good;
}

void rows_add(struct row_counts *to, const struct row_counts *c) {
    to->rows += c->rows;
    to->ctas += c->ctas;
    to->shares += c->shares;
    to->launches += c->launches;
    to->launch_ctas += c->launch_ctas;
    to->launch_shares += c->launch_shares;
    for (unsigned i = 0; i < sizeof c->histogram / sizeof *c->histogram; i++) {
        to->histogram[i] += c->histogram[i];
    }
}
