/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle of a channel whose scheduler does no more than choose.
 */
#include <string.h>

#include "dram/channel_commands.h"
#include "dram/run_ahead.h"
#include "dram/scheduler.h"

/* First cycle in which the entry's next command is legal. */
static uint64_t command_cycle(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_banks *b = &d->banks;
    if (!entry_hits(d, e)) {
        return banks_row_cycle(b, e->at.bank);
    }
    return later_time(b->column_at,
                      banks_column_cycle(b, e->at.bank, e->at.group, entry_is_write(e)));
}

/* The requests with a legal command go into the view. Return: the first cycle in which another one
 * has one. */
static uint64_t show_ready_requests(const struct dram_channel *d, struct dram_view *v) {
    uint64_t next = NEVER;
    memset(v->ready, 0, sizeof v->ready);
    for (unsigned i = 0; i < d->count; i++) {
        const struct dram_entry *e = dram_view_request(v, i);
        if (entry_hits(d, e) && is_held(d, i)) {
            continue;
        }
        uint64_t at = command_cycle(d, e);
        v->ready[i / 64] |= (uint64_t)(at <= v->cycle) << i % 64;
        next = at > v->cycle ? earlier_time(next, at) : next;
    }
    return next;
}

static void tell_event(struct dram_channel *d, struct dram_view *v, struct dram_event event) {
    v->count = d->count;
    event.entry = &d->entry[event.slot];
    if (d->scheduler.kind->tell) {
        d->scheduler.kind->tell(d->scheduler.state, v, &event);
    }
}

/* Asks for a choice. DRAM_NO_POSITION: none, or the answer was wrong and the alarm rings. */
static unsigned ask_for_position(const struct dram_channel *d, const struct dram_view *v) {
    const struct dram_scheduler *s = &d->scheduler;
    unsigned position = s->kind->choose(s->state, v), again = position;
    bool same_state = true;
    if (s->copy) {
        memcpy(s->copy, s->state, s->kind->state_size);
        again = s->kind->choose(s->state, v);
        same_state = !memcmp(s->copy, s->state, s->kind->state_size);
    }
    if (!same_state || again != position) {
        alarm_ring_text(d->alarm, ALARM_PLUGIN,
                        "scheduler %.60s, partition %u: choose() %s when it is asked again",
                        s->kind->name, d->partition,
                        same_state ? "gives another request" : "changes its state");
    } else if (position != DRAM_NO_POSITION &&
               (position >= v->count || !dram_view_is_ready(v, position))) {
        alarm_ring_text(d->alarm, ALARM_PLUGIN,
                        "scheduler %.60s, partition %u: choose() gives request %u of %u: must be "
                        "one whose command is legal",
                        s->kind->name, d->partition, position, v->count);
    }
    return d->alarm->cause ? DRAM_NO_POSITION : position;
}

/* The next command of the request. */
static void issue_chosen(struct dram_channel *d, struct dram_view *v, unsigned position,
                         const struct now *now) {
    struct dram_event event = {.slot = d->order[position]};
    struct dram_entry *e = &d->entry[event.slot];
    if (entry_hits(d, e)) {
        event.command = entry_is_write(e) ? DRAM_WRITE : DRAM_READ;
        issue_burst(d, e, now);
        event.left = !e->bursts_left;
    } else {
        event.command = issue_row_command(d, e, now) ? DRAM_ACTIVATE : DRAM_PRECHARGE;
    }
    if (event.left) {
        retire_request(d, position, now);
    }
    tell_event(d, v, event);
}

/* It asks in each cycle in which a request has come, or one more command is legal. */
static uint64_t step_chooser(struct dram_channel *d, const struct now *now) {
    struct dram_scheduler *s = &d->scheduler;
    struct dram_view v = {.channel = d, .cycle = now->cycle};
    bool enters = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    if (d->alarm->cause) {
        return NEVER;
    }
    if (enters) {
        accept_request(d, &d->in, now);
        tell_event(d, &v, (struct dram_event){.slot = d->order[d->count - 1], .entered = true});
    }
    if (!enters && !d->poll && now->cycle < s->ask_at) {
        return s->ask_at;
    }
    v.count = d->count;
    uint64_t next = show_ready_requests(d, &v);
    bool some = v.ready[0] | v.ready[1] | v.ready[2] | v.ready[3];
    unsigned position = some ? ask_for_position(d, &v) : DRAM_NO_POSITION;
    if (position != DRAM_NO_POSITION) {
        issue_chosen(d, &v, position, now);
        next = d->count ? now->cycle + 1 : NEVER; /* one command a cycle */
    } else if (some && s->kind->next_change) {
        next = earlier_time(next, s->kind->next_change(s->state, &v));
    }
    s->ask_at = next;
    return next;
}

uint64_t chooser_cycle(struct dram_channel *d, const struct now *now) {
    return run_channel_ahead(d, now, step_chooser);
}
