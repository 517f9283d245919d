/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs that access the same DRAM row (OWL 4.3, table 4), of one launch: CTAs of different launches
 * do not run at the same time.
 */
#ifndef WARPMEM_CHARACTERIZE_ROWS_H
#define WARPMEM_CHARACTERIZE_ROWS_H

#include "characterize/line_map.h"
#include "dram/address.h"

/* A row that has been accessed. */
struct row {
    uint32_t last, run;    /* the last CTA, and how many without a gap there have been up to it */
    uint32_t ctas, beside; /* CTAs; those of them whose neighbour in number is among them */
};

/* Zeroed but for the map: nothing accessed yet. */
struct rows {
    struct dram_map dram;
    struct line_map map; /* by channel, bank and row */
    struct row *row;
    uint32_t room;
    uint64_t key; /* of the access before, and its number: most follow each other */
    uint32_t number;
};

/**
 * struct row_counts - sums over the rows of all launches.
 * @shares: of each row the share of its CTAs that have a neighbour in number among them: 1 of CTAs
 *          1, 2, 3, 4; 0 of a row that one CTA accesses alone
 * @histogram: rows by the number of their CTAs: 1, 2-3, 4-7, ...
 */
struct row_counts {
    uint64_t rows, ctas;
    double shares;
    uint64_t histogram[33];
};

void rows_init(struct rows *r, const struct config *config);
void rows_destroy(struct rows *r);
/** rows_touch() - @cta: not less than at the call before. False: out of memory. */
bool rows_touch(struct rows *r, uint64_t address, uint32_t cta);
/** rows_end() - the launch is over: add its rows and forget them. */
void rows_end(struct rows *r, struct row_counts *c);
void rows_add(struct row_counts *to, const struct row_counts *c);

#endif
