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
    free(r->row);
    *r = (struct rows){.key = NO_KEY};
}

/* A CTA that has not accessed the row yet; the row has another's, which came before. */
static void join(struct row *row, uint32_t cta) {
    if (row->last + 1 == cta) {
        row->beside += row->run == 1 ? 2 : 1;
        row->run++;
    } else {
        row->run = 1;
    }
    row->last = cta;
    row->ctas++;
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
        join(row, cta);
    }
    return true;
}

void rows_end(struct rows *r, struct row_counts *c) {
    c->rows += r->map.count;
    for (uint32_t i = 0; i < r->map.count; i++) {
        c->ctas += r->row[i].ctas;
        c->shares += (double)r->row[i].beside / r->row[i].ctas;
        c->histogram[32 - __builtin_clz(r->row[i].ctas)]++;
    }
    line_map_clear(&r->map);
    r->key = NO_KEY;
}

void rows_add(struct row_counts *to, const struct row_counts *c) {
    to->rows += c->rows;
    to->ctas += c->ctas;
    to->shares += c->shares;
    for (unsigned i = 0; i < sizeof c->histogram / sizeof *c->histogram; i++) {
        to->histogram[i] += c->histogram[i];
    }
}
