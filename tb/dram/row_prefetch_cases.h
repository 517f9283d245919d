/* SPDX-License-Identifier: Apache-2.0
 *
 * A row_prefetch with the test as its DRAM channel: which banks are open, and what waits for them.
 */
#ifndef WARPMEM_TB_DRAM_ROW_PREFETCH_CASES_H
#define WARPMEM_TB_DRAM_ROW_PREFETCH_CASES_H

#include "common/bench.h"
#include "cosim/block_test.h"
#include "dram/row_prefetch.h"

static inline struct row_prefetch_in *row_prefetch_in_of(const struct bench *b) {
    return b->pair.in;
}

static inline const struct row_prefetch_params *row_prefetch_params_of(const struct bench *b) {
    return (const struct row_prefetch_params *)b->pair.ports.params;
}

static inline const struct row_prefetch *row_prefetch_state_of(const struct bench *b) {
    return b->pair.state;
}

/** struct open_rows - banks with an open row, for which demands wait, for another row of which. */
struct open_rows {
    uint64_t open, wanted, other;
    uint8_t pending;
    bool refuses;                /* the offered line is not taken */
    struct row_prefetch_out out; /* of the last cycle */
};

/** tick_prefetcher() - one cycle, with more inputs set before it if need be. */
static inline void tick_prefetcher(struct bench *b, struct open_rows *c) {
    struct row_prefetch_in *in = row_prefetch_in_of(b);
    in->open = c->open;
    in->wanted = c->wanted & c->open;
    in->other = c->other & c->open;
    in->pending = c->pending;
    bench_comb(b);
    c->out = *(const struct row_prefetch_out *)b->pair.c_out;
    in->pf_ready = !c->refuses;
    assert_false(in->pre_valid && c->out.hold >> in->pre_bank & 1);
    bench_edge(b);
}

static inline void open_bank_row(struct bench *b, struct open_rows *c, unsigned bank, uint32_t row,
                                 bool write) {
    struct row_prefetch_in *in = row_prefetch_in_of(b);
    in->act_valid = true;
    in->act_bank = (uint8_t)bank;
    in->act_row = row;
    in->act_write = write;
    tick_prefetcher(b, c);
    c->open |= UINT64_C(1) << bank;
}

static inline void close_bank_row(struct bench *b, struct open_rows *c, unsigned bank) {
    row_prefetch_in_of(b)->pre_valid = true;
    row_prefetch_in_of(b)->pre_bank = (uint8_t)bank;
    tick_prefetcher(b, c);
    c->open &= ~(UINT64_C(1) << bank);
}

/** serve_demand_line() - a demand's last column command; its bank is wanted in that cycle. */
static inline void serve_demand_line(struct bench *b, struct open_rows *c, unsigned bank,
                                     unsigned line) {
    uint64_t wanted = c->wanted;
    row_prefetch_in_of(b)->col_valid = true;
    row_prefetch_in_of(b)->col_bank = (uint8_t)bank;
    row_prefetch_in_of(b)->col_line = (uint8_t)line;
    c->wanted |= UINT64_C(1) << bank;
    tick_prefetcher(b, c);
    c->wanted = wanted;
}

/** assert_offered() - the last cycle offered this line. */
static inline void assert_offered(const struct open_rows *c, unsigned bank, unsigned line) {
    assert_true(c->out.pf_valid);
    assert_int_equal(c->out.pf_bank, bank);
    assert_int_equal(c->out.pf_line, line);
}

/** make_few_wait() - from the next cycle on few demands wait, or many. Nothing is offered yet. */
static inline void make_few_wait(struct bench *b, struct open_rows *c, bool few) {
    for (unsigned i = 0; i < 4; i++) { /* so that their average is above 0 */
        c->pending = UINT8_MAX;
        row_prefetch_in_of(b)->arrival = true;
        tick_prefetcher(b, c);
    }
    c->pending = few ? 0 : UINT8_MAX;
    tick_prefetcher(b, c);
    tick_prefetcher(b, c);
    assert_int_equal(row_prefetch_state_of(b)->few, few);
}

/** make_lines_go() - the same such that a row gets lines. Return: how many, whatever waits. */
static inline unsigned make_lines_go(struct bench *b, struct open_rows *c) {
    const struct row_prefetch_params *p = row_prefetch_params_of(b);
    make_few_wait(b, c, p->LOWER == 0);
    return p->RULE == 1 ? 0 : p->LOWER ? p->LOWER : p->HIGHER;
}

#endif
