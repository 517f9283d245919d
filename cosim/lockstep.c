/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/lockstep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/heap.h"
#include "cosim/pair.h"
#include "cosim/record.h"

enum { HELD_CYCLES = 3, HOLD_ONE_IN = 16, PATIENCE = 16 };
enum { RESET_MOST = 4, GAP_MOST = 3, AGAIN_ONE_IN = 4 };

/* A stimulus requests a reset in one cycle. Here it lasts 1 to RESET_MOST cycles, and another may
 * follow after a gap of 1 to GAP_MOST. */
struct resets {
    const struct port_desc *port; /* NULL: the block has none */
    struct rng rng;
    unsigned left, again_in;               /* cycles */
    uint64_t of_length[RESET_MOST], again; /* how many there were */
};

struct run {
    struct pair pair;
    const struct stimulus *stimulus;
    const struct lockstep_options *options;
    FILE *out;
    struct rng rng; /* the stimulus' own */
    struct rng
        hold_rng; /* garbage on late inputs, and when to hold: the stimulus does not see it */
    struct resets resets;
    void *self; /* the stimulus' state */
    unsigned points;
    struct stimulus_reader *reader;
    struct stimulus_writer *writer;
    void *wanted;  /* struct X_in with the final late inputs of a held or replayed cycle */
    unsigned hold; /* cycles for which the inputs are still held */
    void *held_c, *held_rtl, *held_state;
    struct heap_part part[HEAP_PARTS_MAX]; /* what the C block's state points to */
    void *held_part[HEAP_PARTS_MAX];
    unsigned parts;
    uint64_t held_mask;
    char error[512];
    struct lockstep_result result;
};

static struct lockstep_now now_of(struct run *r, uint64_t cycle) {
    return (struct lockstep_now){r->pair.ports.params, r->pair.state, &r->rng, cycle};
}

static bool is_late(const struct port_table *t) {
    for (unsigned i = 0; i < t->in_count; i++) {
        if (t->in[i].late) {
            return true;
        }
    }
    return false;
}

/* Late inputs must not matter yet, so they get any values. */
static void scramble_late(struct run *r) {
    const struct port_table *t = &r->pair.ports;
    for (unsigned i = 0; i < t->in_count; i++) {
        if (t->in[i].late) {
            uint64_t any = rng_next(&r->hold_rng);
            port_set(&t->in[i], r->pair.in, &any);
        }
    }
}

static void copy_late(struct run *r) {
    const struct port_table *t = &r->pair.ports;
    for (unsigned i = 0; i < t->in_count; i++) {
        if (t->in[i].late) {
            memcpy((char *)r->pair.in + t->in[i].offset, (char *)r->wanted + t->in[i].offset,
                   t->in[i].type_size);
        }
    }
}

/* Initialize the C block anew, and see what it allocates: quiet means that none of it changes. */
static bool watch_state(struct run *r) {
    struct pair *p = &r->pair;
    p->block->destroy(p->state);
    heap_watch_begin();
    bool good = p->block->init(p->state, p->ports.params);
    r->parts = heap_watch_end(r->part);
    if (r->parts > HEAP_PARTS_MAX) {
        r->parts = HEAP_PARTS_MAX;
        good = false;
    }
    for (unsigned i = 0; good && i < r->parts; i++) {
        r->held_part[i] = malloc(r->part[i].size + 1);
        good = r->held_part[i];
    }
    return good;
}

static void keep_state(struct run *r) {
    memcpy(r->held_state, r->pair.state, r->pair.block->state_size);
    for (unsigned i = 0; i < r->parts; i++) {
        memcpy(r->held_part[i], r->part[i].at, r->part[i].size);
    }
}

static bool is_state_kept(const struct run *r) {
    bool same = memcmp(r->held_state, r->pair.state, r->pair.block->state_size) == 0;
    for (unsigned i = 0; i < r->parts; i++) {
        same = same && memcmp(r->held_part[i], r->part[i].at, r->part[i].size) == 0;
    }
    return same;
}

static bool set_up_run(struct run *r, const struct rtl_block *rtl) {
    const struct lockstep_options *o = r->options;
    const struct block *block = rtl->block;
    if (!pair_init(&r->pair, rtl, o->seed)) {
        snprintf(r->error, sizeof r->error, "%s: out of memory", block->name);
        return false;
    }
    rng_seed(&r->rng, o->seed);
    rng_seed(&r->hold_rng, ~o->seed);
    rng_seed(&r->resets.rng, o->seed + 1);
    r->resets.port = port_find(r->pair.ports.in, r->pair.ports.in_count, "rst");
    r->wanted = calloc(1, block->in_size);
    r->held_c = calloc(1, block->out_size);
    r->held_rtl = calloc(1, block->out_size);
    r->held_state = calloc(1, block->state_size);
    r->self = calloc(1, r->stimulus && r->stimulus->size ? r->stimulus->size : 1);
    if (!r->wanted || !r->held_c || !r->held_rtl || !r->held_state || !r->self || !watch_state(r)) {
        snprintf(r->error, sizeof r->error, "%s: out of memory", block->name);
        return false;
    }
    while (r->stimulus && r->stimulus->points && r->stimulus->points[r->points]) {
        r->points++;
    }
    if (r->points > LOCKSTEP_POINTS_MAX || (!r->stimulus && !o->replay)) {
        snprintf(r->error, sizeof r->error, "%s: %s", block->name,
                 r->points ? "too many coverage points" : "no stimulus");
        return false;
    }
    if (o->replay &&
        !(r->reader = stimulus_reader_open(o->replay, &r->pair.ports, r->error, sizeof r->error))) {
        return false;
    }
    if (o->record &&
        !(r->writer = stimulus_writer_open(o->record, &r->pair.ports, r->error, sizeof r->error))) {
        return false;
    }
    struct wave_options wave = {.c = true, .rtl = true, .from = o->wave_from, .to = o->wave_to};
    return pair_wave_open(&r->pair, o->wave, o->rtl_wave, &wave, r->error, sizeof r->error);
}

static bool tear_down(struct run *r, uint64_t last_cycle) {
    bool good = true;
    if (r->pair.rtl_self && !pair_wave_close(&r->pair, last_cycle, r->error, sizeof r->error)) {
        good = false;
    }
    const char *coverage = r->options->coverage;
    if (good && coverage && !r->pair.rtl->coverage_write(r->pair.rtl_self, coverage)) {
        snprintf(r->error, sizeof r->error, "%s: cannot write, or built without coverage",
                 coverage);
        good = false;
    }
    good = stimulus_writer_close(r->writer, r->error, sizeof r->error) && good;
    stimulus_reader_close(r->reader);
    pair_destroy(&r->pair);
    free(r->self);
    free(r->wanted);
    free(r->held_c);
    free(r->held_rtl);
    free(r->held_state);
    for (unsigned i = 0; i < r->parts; i++) {
        free(r->held_part[i]);
    }
    return good;
}

/* The reset input of this cycle: of the stimulus, or of one that goes on or comes again. */
static void drive_reset(struct resets *s, void *in) {
    if (!s->port) {
        return;
    }
    bool *rst = (bool *)((char *)in + s->port->offset);
    bool begins = *rst || s->again_in == 1;
    s->again_in -= s->again_in > 0;
    if (begins && !s->left) {
        s->left = 1 + rng_below(&s->rng, RESET_MOST);
        s->of_length[s->left - 1]++;
        s->again += !*rst;
        s->again_in =
            rng_chance(&s->rng, 1, AGAIN_ONE_IN) ? s->left + 1 + rng_below(&s->rng, GAP_MOST) : 0;
    }
    *rst = s->left > 0;
    s->left -= s->left > 0;
}

/* The stimulus resets now and then: were there resets of each length, and some right after others?
 * NULL: yes; else what is missing. */
static const char *missing_reset(const struct resets *s) {
    uint64_t all = 0;
    bool each = true;
    for (unsigned i = 0; i < RESET_MOST; i++) {
        all += s->of_length[i];
        each = each && s->of_length[i];
    }
    return !all || (each && s->again) ? NULL
           : each                     ? "resets right after others"
                                      : "resets of each length, 1 to 4 cycles";
}

/* Inputs of this cycle, from the stimulus, the recording or held; late ones end up in r->wanted if
 * they are known by now. 1: go on, 0: the recording ends, -1: it is damaged. */
static int drive_early_inputs(struct run *r, uint64_t *cycle) {
    struct pair *p = &r->pair;
    if (r->hold) {
        return 1;
    }
    if (r->reader) {
        int more = stimulus_read(r->reader, cycle, r->wanted, r->error, sizeof r->error);
        memcpy(p->in, r->wanted, p->block->in_size);
        return more;
    }
    struct lockstep_now now = now_of(r, *cycle);
    r->stimulus->early(r->self, &now, p->in);
    drive_reset(&r->resets, p->in);
    ports_cut(&p->ports, p->in, false);
    return 1;
}

static void drive_late_inputs(struct run *r, uint64_t cycle) {
    struct pair *p = &r->pair;
    if (r->hold || r->reader) {
        copy_late(r);
        return;
    }
    if (r->stimulus->late) {
        struct lockstep_now now = now_of(r, cycle);
        r->stimulus->late(r->self, &now, p->c_out, p->in);
        ports_cut(&p->ports, p->in, true);
    } else {
        scramble_late(r);
    }
}

static enum lockstep_status not_quiet(struct run *r, const char *side, const char *note,
                                      const void *before, const void *after, uint64_t differ) {
    r->pair.failure =
        (struct pair_failure){LOCKSTEP_QUIET, "before", side, note, before, after, differ};
    return LOCKSTEP_QUIET;
}

/* In a held cycle nothing may have changed. */
static enum lockstep_status check_held(struct run *r) {
    struct pair *p = &r->pair;
    uint64_t differ = ports_differ(&p->ports, r->held_c, p->c_out, r->held_mask & p->mask);
    if (differ || r->held_mask != p->mask) {
        return not_quiet(r, "c",
                         "x_quiet() was true, but a step with the same inputs changed the "
                         "outputs of the C block",
                         r->held_c, p->c_out, differ);
    }
    differ = ports_differ(&p->ports, r->held_rtl, p->rtl_out, r->held_mask);
    if (differ) {
        return not_quiet(r, "rtl",
                         "x_quiet() was true, but a clock edge with the same inputs "
                         "changed the outputs of the Verilog",
                         r->held_rtl, p->rtl_out, differ);
    }
    if (!p->block->quiet(p->state, p->in)) {
        return not_quiet(r, "c",
                         "x_quiet() was true and is not any more after a step with the "
                         "same inputs",
                         r->held_c, p->c_out, 0);
    }
    return LOCKSTEP_PASS;
}

/* Before an edge: is the block quiet, and shall its inputs be held to see whether that is true? */
static void consider_hold(struct run *r) {
    struct pair *p = &r->pair;
    if (r->hold || r->reader || !rng_chance(&r->hold_rng, 1, HOLD_ONE_IN) ||
        !p->block->quiet(p->state, p->in)) {
        return;
    }
    r->hold = HELD_CYCLES + 1;
    r->held_mask = p->mask;
    memcpy(r->wanted, p->in, p->block->in_size);
    memcpy(r->held_c, p->c_out, p->block->out_size);
    memcpy(r->held_rtl, p->rtl_out, p->block->out_size);
}

static enum lockstep_status lockstep_one_cycle(struct run *r, uint64_t cycle, bool late_inputs) {
    struct pair *p = &r->pair;
    if (late_inputs) {
        scramble_late(r);
    }
    pair_comb(p);
    if (late_inputs) {
        drive_late_inputs(r, cycle);
    }
    bool held = r->hold != 0;
    enum lockstep_status status = pair_settle(p, cycle);
    if (r->writer && !stimulus_write(r->writer, cycle, p->in)) {
        return LOCKSTEP_ERROR;
    }
    if (status == LOCKSTEP_PASS && held) {
        status = check_held(r);
        r->result.held++;
    } else if (status == LOCKSTEP_PASS && r->stimulus && r->stimulus->cover) {
        struct lockstep_now now = now_of(r, cycle);
        r->stimulus->cover(r->self, &now, p->in, p->c_out, r->result.counts);
    }
    consider_hold(r);
    if (r->hold) {
        keep_state(r);
    }
    pair_edge(p, cycle);
    if (r->hold) {
        r->hold--;
        if (status == LOCKSTEP_PASS && !is_state_kept(r)) {
            status = not_quiet(r, "c",
                               "x_quiet() was true, but a step changed the C block's "
                               "state",
                               p->c_out, p->c_out, 0);
        }
    }
    return status;
}

static bool all_points_covered(const struct run *r) {
    for (unsigned i = 0; i < r->points; i++) {
        if (!r->result.counts[i] &&
            !(r->stimulus->unreachable && r->stimulus->unreachable(r->pair.ports.params, i))) {
            return false;
        }
    }
    return !missing_reset(&r->resets);
}

/* Names the points that are wrong; true if none is. */
static bool coverage_good(struct run *r, const char *context) {
    bool good = true;
    for (unsigned i = 0; i < r->points; i++) {
        bool unreachable =
            r->stimulus->unreachable && r->stimulus->unreachable(r->pair.ports.params, i);
        uint64_t count = r->result.counts[i];
        if (unreachable && count) {
            fprintf(r->out,
                    "UNCOVERED %s  %s  \"%s\" is called unreachable, but was reached %" PRIu64
                    " times\n",
                    r->pair.block->name, context, r->stimulus->points[i], count);
            good = false;
        } else if (!unreachable && !count && !r->options->exact && !r->reader) {
            fprintf(r->out, "UNCOVERED %s  %s  \"%s\" was never reached in %" PRIu64 " cycles\n",
                    r->pair.block->name, context, r->stimulus->points[i], r->result.cycles);
            good = false;
        }
    }
    const char *missing = r->options->exact || r->reader ? NULL : missing_reset(&r->resets);
    if (missing) {
        fprintf(r->out, "UNCOVERED %s  %s  there were never %s in %" PRIu64 " cycles\n",
                r->pair.block->name, context, missing, r->result.cycles);
    }
    return good && !missing;
}

static void report_mismatch(struct run *r, uint64_t cycle, const char *context) {
    const struct lockstep_options *o = r->options;
    const char *block = r->pair.block->name, *set = r->pair.rtl->set->name;
    char waves[512], again[512], source[300];
    if (o->replay) {
        snprintf(source, sizeof source, "REPLAY=%s", o->replay);
    } else {
        snprintf(source, sizeof source, "SEED=0x%" PRIx64, o->seed);
    }
    uint64_t from = cycle < HISTORY_CYCLES / 2 ? 0 : cycle - HISTORY_CYCLES / 2;
    snprintf(waves, sizeof waves,
             "make waves BLOCK=%s SET=%s %s FROM=%" PRIu64 " CYCLES=%" PRIu64
             "      (opens at cycle %" PRIu64 ")",
             block, set, source, from, cycle + 1, from);
    snprintf(again, sizeof again, "make lockstep BLOCK=%s SET=%s %s CYCLES=%" PRIu64, block, set,
             source, cycle + 1);
    pair_report(&r->pair, r->out, cycle, context, waves, again, o->mismatch_dir);
}

static void print_all_points(const struct run *r) {
    for (unsigned i = 0; i < r->points; i++) {
        fprintf(r->out, "%s %s %" PRIu64, i ? "," : "  reached:", r->stimulus->points[i],
                r->result.counts[i]);
    }
}

/* Points that these parameters make impossible have no count. */
static void print_rarest_point(const struct run *r) {
    unsigned reached = 0, rarest = 0;
    for (unsigned i = 0; i < r->points; i++) {
        uint64_t count = r->result.counts[i];
        if (count && (!reached || count < r->result.counts[rarest])) {
            rarest = i;
        }
        reached += count != 0;
    }
    if (reached) {
        fprintf(r->out, "  %u points reached, the rarest %" PRIu64 " times: %s", reached,
                r->result.counts[rarest], r->stimulus->points[rarest]);
    }
}

static void print_pass(struct run *r, const char *context) {
    char params[1024];
    fprintf(r->out, "pass  %-22s %s  %s  %" PRIu64 " cycles  %" PRIu64 " outputs compared",
            r->pair.block->name, context,
            block_params_text(r->pair.block, r->pair.ports.params, params, sizeof params),
            r->result.cycles, r->result.compared);
    fprintf(r->out, "  held quiet %" PRIu64, r->result.held);
    if (r->options->all_points) {
        print_all_points(r);
    } else {
        print_rarest_point(r);
    }
    fprintf(r->out, "\n");
}

/* A random run is long enough. */
static bool is_long_enough(const struct run *r, uint64_t cycle) {
    uint64_t least = r->options->cycles ? r->options->cycles : LOCKSTEP_CYCLES;
    return cycle >= least &&
           (r->options->exact || cycle / PATIENCE >= least || all_points_covered(r));
}

static enum lockstep_status loop_over_cycles(struct run *r, uint64_t *last) {
    const struct lockstep_options *o = r->options;
    bool late_inputs = is_late(&r->pair.ports);
    if (r->stimulus && r->stimulus->start && !r->reader) {
        struct lockstep_now now = now_of(r, 0);
        r->stimulus->start(r->self, &now);
    }
    for (uint64_t cycle = 0; r->reader || !is_long_enough(r, cycle); cycle++) {
        int more = drive_early_inputs(r, &cycle);
        if (more < 0) {
            return LOCKSTEP_ERROR;
        }
        if (more == 0 || (r->reader && o->cycles && cycle >= o->cycles)) {
            break;
        }
        *last = cycle;
        enum lockstep_status status = lockstep_one_cycle(r, cycle, late_inputs);
        if (status != LOCKSTEP_PASS) {
            return status;
        }
    }
    return LOCKSTEP_PASS;
}

struct lockstep_result lockstep_run(const struct rtl_block *rtl, const struct stimulus *stimulus,
                                    const struct lockstep_options *options) {
    struct run r = {.stimulus = stimulus, .options = options};
    r.out = options->out ? options->out : stdout;
    char context[512];
    if (options->replay) {
        snprintf(context, sizeof context, "replay %s  set %s", options->replay, rtl->set->name);
    } else {
        snprintf(context, sizeof context, "seed 0x%" PRIx64 "  set %s", options->seed,
                 rtl->set->name);
    }

    uint64_t last = 0;
    enum lockstep_status status =
        set_up_run(&r, rtl) ? loop_over_cycles(&r, &last) : LOCKSTEP_ERROR;
    r.result.cycles = r.pair.cycles;
    r.result.compared = r.pair.compared;
    if (status == LOCKSTEP_MISMATCH || status == LOCKSTEP_LATE || status == LOCKSTEP_QUIET) {
        report_mismatch(&r, last, context);
    } else if (status == LOCKSTEP_PASS && r.result.compared == 0) {
        fprintf(r.out, "NOTHING COMPARED %s  %s  in %" PRIu64 " cycles\n", rtl->block->name,
                context, r.result.cycles);
        status = LOCKSTEP_NOTHING;
    } else if (status == LOCKSTEP_PASS && !coverage_good(&r, context)) {
        status = LOCKSTEP_UNCOVERED;
    }
    if (status == LOCKSTEP_PASS) {
        print_pass(&r, context);
    }
    if (!tear_down(&r, last) || status == LOCKSTEP_ERROR) {
        fprintf(stderr, "%s\n", r.error[0] ? r.error : "lockstep: cannot write");
        status = LOCKSTEP_ERROR;
    }
    r.result.status = status;
    return r.result;
}
