/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/prefetcher.h"

#include <stdlib.h>
#include <string.h>

#include "config/derived.h"
#include "dram/channel_commands.h"

static struct row_prefetch_params choose_prefetch_params(const struct config *config) {
    return (struct row_prefetch_params){
        .BANKS = config->dram.banks,
        .LINES = config_row_lines(config),
        .ROW_BITS = 32,
        .RULE = config->owl.prefetch == OWL_PREFETCH_STOP ? 1 : 2,
        .LOWER = config->owl.lower,
        .HIGHER = config->owl.higher,
        .THRESHOLD = config->owl.threshold,
        .AVERAGE_SHIFT = config->owl.average_shift,
        .WRITTEN = config->owl.written_rows,
    };
}

struct dram_prefetcher *prefetcher_create(struct dram_channel *d, const struct build *build) {
    struct row_prefetch_params params = choose_prefetch_params(d->config);
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    struct dram_prefetcher *f = calloc(1, sizeof *f);
    if (!f) {
        build_refused(build, "out of memory");
        return NULL;
    }
    if (!block_make(build, &row_prefetch_block, &params, where, &f->cycle, &f->block)) {
        free(f);
        return NULL;
    }
    return f;
}

void prefetcher_destroy(struct dram_prefetcher *f) {
    if (f) {
        block_unmake(&f->block);
    }
    free(f);
}

/* A claim for a line of the bank is sent. */
static void begin_line(struct dram_prefetcher *f, unsigned bank) {
    f->lines++;
    f->lines_of[bank]++;
    f->lines_in |= UINT64_C(1) << bank;
}

/* The line has been read, or the L2 has refused it. */
static void end_line(struct dram_prefetcher *f, unsigned bank) {
    f->lines--;
    if (--f->lines_of[bank] == 0) {
        f->lines_in &= ~(UINT64_C(1) << bank);
    }
}

bool prefetcher_begin(struct dram_channel *d, uint64_t wanted, uint64_t other,
                      const struct now *now) {
    struct dram_prefetcher *f = d->prefetcher;
    const uint64_t held = f->held;
    f->cycle = now->cycle;
    f->event = (struct prefetcher_event){0};
    f->in = (struct row_prefetch_in){.open = d->open_banks,
                                     .wanted = wanted & d->open_banks,
                                     .other = other & d->open_banks,
                                     .pending = (uint8_t)d->count};
    f->block.comb(f->block.self, &f->in, &f->out);
    f->held = f->out.hold | f->lines_in;
    return f->held != held;
}

void prefetcher_note_activate(struct dram_prefetcher *f, const struct dram_entry *e) {
    f->event = (struct prefetcher_event){.activated = true,
                                         .write = entry_is_write(e),
                                         .local = e->request.local,
                                         .bank = e->at.bank};
    f->row_line[e->at.bank] = e->request.local;
}

void prefetcher_note_precharge(struct dram_prefetcher *f, unsigned bank) {
    f->event = (struct prefetcher_event){.closed = true, .bank = bank};
}

void prefetcher_note_finished(struct dram_prefetcher *f, const struct dram_entry *e) {
    f->event =
        (struct prefetcher_event){.finished = true, .local = e->request.local, .bank = e->at.bank};
}

/* The offered line as a request of its own. */
static struct request claim_of_offer(const struct dram_channel *d, const struct now *now) {
    const struct dram_prefetcher *f = d->prefetcher;
    uint64_t local = dram_map_line_beside(&d->map, f->row_line[f->out.pf_bank], f->out.pf_line);
    return (struct request){.kind = REQUEST_READ,
                            .local = local,
                            .born = now->time,
                            .partition = (uint8_t)d->partition,
                            .bytes = (uint16_t)d->config->l2.line_bytes,
                            .l2_class = L2_CLASS_BALANCED};
}

/* The L2's answer to the oldest claim. Return: true if there was one. */
static bool take_claims_answer(struct dram_channel *d, const struct now *now) {
    struct dram_prefetcher *f = d->prefetcher;
    struct ring_entry *e = ring_head(&d->answers, now->time);
    if (!e) {
        return false;
    }
    struct dram_address at = dram_map_local(&d->map, e->request.local);
    if (e->request.unclaimed) {
        end_line(f, at.bank);
    } else {
        unsigned place = f->claimed_count++;
        f->claimed[place] = (struct dram_entry){.request = e->request,
                                                .at = at,
                                                .bursts_left = d->timing.bursts,
                                                .served = true}; /* a prefetch counts in no
                                                                    request's wait */
        request_stamp(&f->claimed[place].request, STAMP_DRAM, now->time);
    }
    ring_pop(&d->answers, now->time);
    return true;
}

/* Takes the block's offer: asks the L2 for the line. */
static void ask_l2(struct dram_channel *d, const struct now *now) {
    struct dram_prefetcher *f = d->prefetcher;
    if (!f->out.pf_valid || f->lines == PREFETCHER_LINES_MAX) {
        return;
    }
    struct request claim = claim_of_offer(d, now);
    ring_push(d->claims, &claim, now_next_edge(now), 1);
    clock_wake_at(d->l2_clock, d->partition, now->time, now_next_edge(now));
    begin_line(f, f->out.pf_bank);
    f->in.pf_ready = true;
}

/* The claimed line for which a column command is legal, the oldest of several; claimed_count: none.
 * A line that has begun is finished first. */
static unsigned find_readable_line(const struct dram_channel *d, uint64_t cycle) {
    const struct dram_prefetcher *f = d->prefetcher;
    unsigned found = f->claimed_count;
    for (unsigned i = f->claimed_count; i-- && d->column_at <= cycle;) {
        const struct dram_entry *e = &f->claimed[i];
        bool begun = e->bursts_left < d->timing.bursts;
        found = column_cycle(d, e->at.bank, false) <= cycle ? i : begun ? f->claimed_count : found;
        if (begun) {
            return found;
        }
    }
    return found;
}

/* The next column command for a claimed line, if one is legal. Return: it was issued. */
static bool read_claimed_line(struct dram_channel *d, const struct now *now) {
    struct dram_prefetcher *f = d->prefetcher;
    unsigned place = find_readable_line(d, now->cycle);
    struct dram_entry *e = &f->claimed[place];
    if (place == f->claimed_count) {
        return false;
    }
    assert(entry_hits(d, e));
    if (e->bursts_left == d->timing.bursts) {
        request_stamp(&e->request, STAMP_SERVICE, now->time);
    }
    issue_burst(d, e, now);
    if (--e->bursts_left == 0) {
        return_data(d, &e->request, now);
        d->stats.prefetches++;
        d->stats.read_bytes += d->config->l2.line_bytes;
        end_line(f, e->at.bank);
        f->claimed_count--;
        memmove(e, e + 1, (f->claimed_count - place) * sizeof *e);
    }
    return true;
}

uint64_t prefetcher_end(struct dram_channel *d, bool idle, bool arrival, const struct now *now) {
    struct dram_prefetcher *f = d->prefetcher;
    const struct prefetcher_event *event = &f->event;
    if (f->failed) {
        return NEVER;
    }
    f->in.act_valid = event->activated;
    f->in.act_bank = (uint8_t)event->bank;
    f->in.act_row = event->activated ? (uint32_t)d->bank[event->bank].row : 0;
    f->in.act_write = event->write;
    f->in.pre_valid = event->closed;
    f->in.pre_bank = (uint8_t)event->bank;
    f->in.col_valid = event->finished;
    f->in.col_bank = (uint8_t)event->bank;
    f->in.col_line = event->finished ? (uint8_t)dram_map_column(&d->map, event->local) : 0;
    f->in.arrival = arrival;
    bool read = idle && read_claimed_line(d, now);
    bool answered = take_claims_answer(d, now);
    ask_l2(d, now);
    bool quiet = f->block.quiet(f->block.self, &f->in);
    if ((d->poll || !quiet) && !f->block.step(f->block.self, &f->in, &f->out)) {
        f->failed = true;
        alarm_ring(d->alarm, ALARM_BLOCK_DIFFERS);
        return NEVER;
    }
    f->busy = !quiet || f->lines;
    bool next = !quiet || !idle || read || arrival || answered || f->claimed_count;
    return next ? now_next_edge(now) : ring_next(&d->answers);
}
