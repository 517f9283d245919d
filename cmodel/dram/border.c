/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/border.h"

#include <inttypes.h>

#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/log.h"

/* The DRAM cycle of the first edge at or after a time. Edges are the multiples of the period. */
static uint64_t border_cycle_of(uint64_t time, const struct now *now) {
    return (time + now->period - 1) / now->period + now->cycle - now->time / now->period;
}

static unsigned bursts_of(const struct dram_channel *d, const struct request *r) {
    const struct dram_timing *t = &d->banks.timing;
    return moves_own_bytes(d, r) ? dram_timing_bursts(t, r->bytes) : t->bursts;
}

/* The first burst of the line that the request moves: the model knows no more than their number, so
 * this is that of its first sector if as many follow. */
static unsigned first_burst(const struct dram_channel *d, const struct request *r) {
    const struct dram_timing *t = &d->banks.timing;
    unsigned sector = r->sectors ? (unsigned)__builtin_ctz(r->sectors) : 0;
    unsigned first = sector * SECTOR_BYTES >> t->burst_shift, last = t->bursts - bursts_of(d, r);
    return first < last ? first : last;
}

static void write_requests(struct dram_border *b, const struct dram_channel *d,
                           const struct now *now) {
    const struct ring *r = &d->in;
    for (; b->written != r->head + r->count; b->written++) {
        const struct ring_entry *e = &r->entries[b->written & r->mask];
        fprintf(b->out, "%" PRIu64 "\t%s\t%" PRIu64 "\t%u\t%u\n",
                border_cycle_of(e->visible_at, now) - d->config->dram.latency,
                e->request.kind == REQUEST_READ ? "fetch" : "store", e->request.local,
                first_burst(d, &e->request), bursts_of(d, &e->request));
    }
}

/* Return: does a queue hold more? Then the L2 may take it before the next cycle. */
static bool write_returns(struct dram_border *b, const struct dram_channel *d,
                          const struct now *now) {
    bool more = false;
    for (unsigned i = 0; i < d->config->l2.banks; i++) {
        const struct ring *r = &d->out[i];
        for (; b->taken[i] != r->head; b->taken[i]++) {
            fprintf(b->out, "%" PRIu64 "\treturn\t%u\t%" PRIu64 "\t0\n",
                    border_cycle_of(r->freed_at, now), i,
                    r->entries[b->taken[i] & r->mask].request.local);
        }
        more |= r->count > 0;
    }
    return more;
}

static void write_border_command(void *user, uint64_t cycle, enum dram_command command,
                                 unsigned bank, uint64_t row, const struct dram_entry *column) {
    static const char *const name[] = {"activate", "read", "write", "precharge"};
    const struct dram_channel *d = user;
    const struct dram_border *b = d->border;
    uint64_t burst = 0;
    if (column) {
        const struct request *r = &column->request;
        burst = (uint64_t)dram_map_column(&d->map, r->local) * d->banks.timing.bursts +
                first_burst(d, r) + bursts_of(d, r) - column->bursts_left;
    }
    fprintf(b->out, "%" PRIu64 "\t%s\t%u\t%" PRIu64 "\t%" PRIu64 "\n", cycle, name[command], bank,
            row, burst);
    if (b->log) {
        b->log(b->log_user, cycle, command, bank, row, column);
    }
}

/* Called in each cycle while read data waits for the L2: a ring knows only its latest pop. */
static uint64_t cycle_of_recorded(struct dram_channel *d, const struct now *now) {
    struct dram_border *b = d->border;
    write_requests(b, d, now);
    write_returns(b, d, now);
    uint64_t next = b->cycle(d, now);
    return write_returns(b, d, now) ? earlier_time(next, now_next_edge(now)) : next;
}

static void write_border_header(FILE *out, const struct dram_channel *d) {
    const struct config *c = d->config;
    const struct dram_timing *t = &d->banks.timing;
    const struct {
        const char *name;
        unsigned value;
    } words[] = {
        {"DEPTH", c->dram.queue},
        {"BANKS", c->dram.banks},
        {"GROUPS", c->dram.bank_groups},
        {"LOW_GROUPS", c->dram.group_bits == GROUP_BITS_LOW},
        {"COLUMN_BITS", (unsigned)__builtin_ctz(config_row_lines(c))},
        {"BANK_MASK", (unsigned)d->map.bank_bits},
        {"COLUMN_MASK", d->map.row_bits ? (unsigned)d->map.column_bits : 0},
        {"DATA_BITS", c->dram.bus_bytes * c->dram.beats * 8},
        {"BURST", t->burst_cycles},
        {"BURSTS", t->bursts},
        {"ORDER", c->dram.line_order},
        {"PORTS", c->l2.banks},
        {"REQUESTS", d->in.capacity},
        {"LATENCY", c->dram.latency},
        /* A fill frees its place in the cycle in which the L2 uses it again; the Verilog a cycle
         * later. */
        {"RETURNS", config_dram_returns(c) + c->l2.banks},
        {"CL", t->cl},
        {"WL", t->wl},
        {"RCD_READ", t->rcd_read},
        {"RCD_WRITE", t->rcd_write},
        {"COLUMN", t->column},
        {"COLUMN_GROUP", t->column_group},
        {"READ_TO_WRITE", t->read_to_write},
        {"WRITE_TO_READ", t->write_to_read},
        {"READ_TO_CLOSE", t->read_to_precharge},
        {"WRITE_TO_CLOSE", t->write_to_precharge},
        {"RAS", t->ras},
        {"RP", t->rp},
        {"RC", t->rc},
        {"RRD", t->rrd},
        {"FAW", t->faw},
        {"AW32", t->aw32},
        {"RCD", c->dram.rcd},
        {"CCD", c->dram.ccd},
        {"CCDL", c->dram.ccdl},
        {"RTPL", c->dram.rtpl},
        {"CDLR", c->dram.cdlr},
        {"WR", c->dram.wr},
    };
    fprintf(out, DRAM_BORDER_MAGIC);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        fprintf(out, "\t%s=%u", words[i].name, words[i].value);
    }
    fputc('\n', out);
}

void dram_border_attach(struct dram_border *b, struct dram_channel *d, FILE *out) {
    *b = (struct dram_border){
        .out = out, .cycle = d->scheduler.cycle, .log = d->log, .log_user = d->log_user};
    d->border = b;
    d->scheduler.cycle = cycle_of_recorded;
    d->log = write_border_command;
    d->log_user = d;
    write_border_header(out, d);
}
