/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs that access the same DRAM row (OWL 4.3, table 4). The paper does not say whether CTAs of
 * different launches count together. Both are counted: launch by launch, because launches do not
 * overlap, with the mean over the rows of all launches and the mean over the launches; and over the
 * whole run, where CTAs of equal number are one.
 */
#ifndef WARPMEM_CHARACTERIZE_ROWS_H
#define WARPMEM_CHARACTERIZE_ROWS_H

#include "characterize/line_map.h"
#include "dram/address.h"

/* A row that has been accessed. */
struct row {
    uint32_t last, run;    /* the last CTA, and the number of consecutive CTAs up to it */
    uint32_t ctas, beside; /* CTAs; those of them whose neighbour in number is among them */
};

/* Pairs of row and CTA are counted over the whole run up to this limit, which bounds the memory. */
#define ROWS_PAIRS_MAX (UINT32_C(1) << 23)

/* The rows of one launch, and the pairs of all. Initially only the DRAM is set; the rest is
 * zero. */
struct rows {
    struct dram_map dram;
    struct line_map map; /* by channel, bank and row */
    struct row *row;
    uint32_t room;
    uint64_t key; /* of the last access, and its number: most accesses repeat it */
    uint32_t number;
    struct line_map run_rows, run_pairs; /* of the whole run; rows again by channel, bank, row */
    uint64_t *run_pair;                  /* the pair: row's number, CTA */
    uint32_t run_room;
    bool run_full; /* there are more than ROWS_PAIRS_MAX */
};

/**
 * struct row_counts - sums over the rows of all launches.
 * @shares: for each row the share of its CTAs that have a neighbour in number among them: 1 for
 *          CTAs 1, 2, 3, 4; 0 for a row with one CTA
 * @launches: those that access a row; for each the mean of ctas and of shares over its rows, added
 *            up: @launch_ctas, @launch_shares
 * @histogram: rows by the number of their CTAs: 1, 2-3, 4-7, ...
 */
struct row_counts {
    uint64_t rows, ctas;
    double shares;
    uint64_t launches;
    double launch_ctas, launch_shares;
    uint64_t histogram[33];
};

void rows_init(struct rows *r, const struct config *config);
void rows_destroy(struct rows *r);
/** rows_touch() - @cta: not less than at the previous call. False: out of memory. */
bool rows_touch(struct rows *r, uint64_t address, uint32_t cta);
/** rows_end() - the launch has ended: add its rows and remove them. */
void rows_end(struct rows *r, struct row_counts *c);
/** rows_run() - counts of the whole run so far; c->rows is 0 if there are too many pairs. False:
 * out of memory. */
bool rows_run(const struct rows *r, struct row_counts *c);
void rows_add(struct row_counts *to, const struct row_counts *c);

#endif
