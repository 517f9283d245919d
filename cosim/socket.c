/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/socket.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/pair.h"
#include "cosim/record.h"

struct socket {
    struct pair pair;
    struct rtl_block rtl; /* with the block that the machine gave */
    struct socket_options options;
    struct socket_counts counts, *total;
    struct stimulus_writer *writer;
    const uint64_t *cycle;
    char where[64];
    void *cut;          /* struct X_in */
    uint64_t written;   /* cycle + 1 that was settled last, 0: none */
    uint64_t failed_at; /* cycle of the failure */
    bool failed, reported;
};

static void socket_comb(void *self, const void *in, void *out) {
    struct socket *s = self;
    struct pair *p = &s->pair;
    memcpy(p->in, in, p->block->in_size);
    if (s->options.mode != SOCKET_RTL || !s->options.no_quiet) {
        p->block->comb(p->state, p->in, p->c_out);
    }
    if (s->options.mode != SOCKET_C) {
        p->rtl->comb(p->rtl_self, p->in, p->rtl_out);
    }
    memcpy(out, s->options.mode == SOCKET_RTL ? p->rtl_out : p->c_out, p->block->out_size);
}

/* The inputs of this cycle are final: record, compare, draw. Once a cycle. */
static void settle_inputs(struct socket *s, const void *in) {
    struct pair *p = &s->pair;
    uint64_t cycle = *s->cycle;
    if (s->failed || s->written == cycle + 1) {
        return;
    }
    s->written = cycle + 1;
    s->counts.cycles++;
    memcpy(p->in, in, p->block->in_size);

    if (s->options.mode == SOCKET_LOCKSTEP) {
        enum lockstep_status status = pair_settle(p, cycle);
        memcpy(s->cut, in, p->block->in_size);
        ports_cut(&p->ports, s->cut, false);
        if (memcmp(s->cut, in, p->block->in_size) != 0) {
            status = LOCKSTEP_MISMATCH;
            p->failure.left = "rtl";
            p->failure.right = "c";
            p->failure.a = p->rtl_out;
            p->failure.b = p->c_out;
            p->failure.note = "the machine drives an input beyond its port's width";
        }
        s->failed = status != LOCKSTEP_PASS;
    } else {
        const void *out = s->options.mode == SOCKET_RTL ? p->rtl_out : p->c_out;
        if (p->wave) {
            wave_cycle(p->wave, cycle, p->in, p->c_out, p->rtl_out,
                       p->block->compared(p->ports.params, out), 0);
        }
        if (s->options.mode == SOCKET_RTL) {
            pair_inner_wave(p, cycle);
            p->rtl->comb(p->rtl_self, p->in, p->rtl_out);
        }
    }
    s->failed_at = cycle;
}

static void report_lost_file(struct socket *s, const char *error) {
    fprintf(s->options.out, "%s: %s\n", s->where, error);
    s->counts.file_error = true;
}

static void close_files(struct socket *s) {
    char error[512];
    uint64_t last = s->written ? s->written - 1 : 0;
    if (!stimulus_writer_close(s->writer, error, sizeof error)) {
        report_lost_file(s, error);
    }
    s->writer = NULL;
    if (!pair_wave_close(&s->pair, last, error, sizeof error)) {
        report_lost_file(s, error);
    }
}

/* "HEAD --lockstep l1/mrpb@sm0 --wave FILE --wave-from N --wave-cycles M TAIL" */
static void write_waves(const struct socket *s, FILE *out) {
    const struct socket_options *o = &s->options;
    const char *block = s->pair.block->name;
    uint64_t from = s->failed_at < HISTORY_CYCLES / 2 ? 0 : s->failed_at - HISTORY_CYCLES / 2;
    char path[PATH_MAX];
    fprintf(out, "%s --lockstep %s@%s --wave ", o->waves_head, block, s->where);
    mismatch_word(out, mismatch_path(path, sizeof path, o->mismatch_dir, block, s->where, ".fst"));
    fprintf(out, " --wave-from %" PRIu64 " --wave-cycles %d%s", from, 2 * HISTORY_CYCLES,
            o->waves_tail);
}

static void write_replay(const struct socket *s, FILE *out) {
    fprintf(out, "make lockstep BLOCK=%s REPLAY=", s->pair.block->name);
    mismatch_word(out, s->options.record);
}

/* What `write` writes; the caller frees it. NULL: out of memory, and the report lacks a line. */
static char *line_written_by(const struct socket *s,
                             void (*write)(const struct socket *s, FILE *out)) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        write(s, out);
        fclose(out);
    }
    return text;
}

static void report_socket(struct socket *s) {
    if (s->reported) {
        return;
    }
    s->reported = true;
    char *waves = s->options.waves_head ? line_written_by(s, write_waves) : NULL;
    char *replay = s->options.record ? line_written_by(s, write_replay) : NULL;
    s->pair.instance = s->where;
    s->pair.replay = replay;
    close_files(s);
    pair_report(&s->pair, s->options.out, s->failed_at, s->where, waves, s->options.again,
                s->options.mismatch_dir);
    s->pair.replay = NULL;
    free(waves);
    free(replay);
}

static bool socket_step(void *self, const void *in, const void *out) {
    struct socket *s = self;
    struct pair *p = &s->pair;
    uint64_t cycle = *s->cycle;
    if (s->writer) {
        s->counts.file_error |= !stimulus_write(s->writer, cycle, in);
    }
    settle_inputs(s, in);
    if (s->failed) {
        report_socket(s);
        return false;
    }
    s->counts.edges++;
    switch (s->options.mode) {
    case SOCKET_C: p->block->step(p->state, in, out); break;
    case SOCKET_LOCKSTEP: pair_edge(p, cycle); break;
    case SOCKET_RTL:
        if (s->options.no_quiet) {
            p->rtl->edge(p->rtl_self, cycle);
        } else {
            pair_edge(p, cycle);
        }
        break;
    }
    return true;
}

/* True: the machine will not call the block until an input changes, so this is what waves show
 * until then. A failure makes it false, so that socket_step() is called and can say so. */
static bool socket_quiet(void *self, const void *in) {
    struct socket *s = self;
    if (s->options.no_quiet || !s->pair.block->quiet(s->pair.state, in)) {
        return false;
    }
    settle_inputs(s, in);
    return !s->failed;
}

/* Of the C side, which is at the same cycle as the Verilog. */
static uint64_t socket_steady(void *self, const void *in) {
    struct socket *s = self;
    const struct block *block = s->pair.block;
    return s->options.no_quiet || !block->steady ? 1 : block->steady(s->pair.state, in);
}

static void socket_destroy(void *self) {
    struct socket *s = self;
    close_files(s);
    if (s->total) {
        s->total->instances++;
        s->total->cycles += s->counts.cycles;
        s->total->edges += s->counts.edges;
        s->total->compared += s->pair.compared;
        s->total->failed += s->failed;
        s->total->file_error |= s->counts.file_error;
    }
    pair_destroy(&s->pair);
    free(s->cut);
    free(s);
}

/* Only the C side of a pair. */
static bool c_init(struct pair *p, const struct block *block, const void *params) {
    void *state = calloc(1, block->state_size);
    p->block = block;
    p->in = calloc(1, block->in_size);
    p->c_out = calloc(1, block->out_size);
    p->rtl_out = calloc(1, block->out_size);
    if (!state || !p->in || !p->c_out || !p->rtl_out ||
        !port_table_init(&p->ports, block, params) || !block->init(state, params)) {
        free(state);
        return false;
    }
    p->state = state;
    return true;
}

static bool open_files(struct socket *s, char *error, size_t size) {
    const struct socket_options *o = &s->options;
    struct wave_options wave = {.c = o->mode != SOCKET_RTL,
                                .rtl = o->mode != SOCKET_C,
                                .from = o->wave_from,
                                .to = o->wave_to};
    if (o->record && !(s->writer = stimulus_writer_open(o->record, &s->pair.ports, error, size))) {
        return false;
    }
    return pair_wave_open(&s->pair, o->wave, o->mode == SOCKET_C ? NULL : o->rtl_wave, &wave, error,
                          size);
}

static const struct rtl_block *choose_rtl(const struct block *block, const void *params,
                                          char *error, size_t size) {
    const struct rtl_block *rtl = rtl_block_matching(block, params);
    if (rtl) {
        return rtl;
    }
    char text[512];
    const struct param_set *set = block_set_matching(block, params);
    if (set) {
        snprintf(error, size,
                 "%s: its parameter set %s is not in this program: make build/warpmem-rtl builds "
                 "all sets that its row of cmodel/cli/blocks.h names",
                 block->name, set->name);
        return NULL;
    }
    int n = snprintf(error, size, "%s: no Verilog with %s in this program; there is:", block->name,
                     block_params_text(block, params, text, sizeof text));
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    for (unsigned i = 0; i < count && n > 0 && (size_t)n < size; i++) {
        if (strcmp(all[i]->block->name, block->name) == 0) {
            n += snprintf(error + n, size - (size_t)n, " (%s)",
                          block_params_text(block, all[i]->set->values, text, sizeof text));
        }
    }
    return NULL;
}

bool socket_make(const struct block *block, const void *params, const char *where,
                 const uint64_t *cycle, const struct socket_options *options,
                 struct socket_counts *counts, struct block_instance *instance, char *error,
                 size_t size) {
    const struct rtl_block *rtl = NULL;
    if (options->mode != SOCKET_C && !(rtl = choose_rtl(block, params, error, size))) {
        return false;
    }
    struct socket *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(error, size, "%s: out of memory", block->name);
        return false;
    }
    s->options = *options;
    s->options.out = options->out ? options->out : stderr;
    s->options.mismatch_dir = options->mismatch_dir ? options->mismatch_dir : MISMATCH_DIR;
    s->cycle = cycle;
    s->total = counts;
    s->cut = calloc(1, block->in_size);
    snprintf(s->where, sizeof s->where, "%s", where);
    uint64_t seed = options->seed;
    for (const char *c = where; *c; c++) {
        seed = seed * 31 + (unsigned char)*c;
    }
    if (rtl) {
        s->rtl = *rtl;
        s->rtl.block = block;
    }
    bool made =
        s->cut && (rtl ? pair_init(&s->pair, &s->rtl, seed) : c_init(&s->pair, block, params));
    if (!made) {
        snprintf(error, size, "%s: out of memory", block->name);
    }
    if (!made || !open_files(s, error, size)) {
        s->total = NULL;
        s->options.mode = rtl && s->pair.rtl ? s->options.mode : SOCKET_C;
        socket_destroy(s);
        return false;
    }
    *instance = (struct block_instance){
        s, socket_comb, socket_step, socket_quiet, socket_destroy, NULL, socket_steady};
    return true;
}

enum { RULES_MAX = 32 };

struct rule {
    char block[64], where[64]; /* where "": everywhere */
    struct socket_options options;
    struct socket_counts counts;
    unsigned made;
};

struct socket_factory {
    struct block_factory factory; /* first: this is what the machine holds */
    unsigned count;
    struct rule rules[RULES_MAX];
};

static bool make_socket_block(const struct build *build, const struct block *block,
                              const void *params, const char *where, const uint64_t *cycle,
                              struct block_instance *instance) {
    struct socket_factory *f = (struct socket_factory *)build->factory;
    for (unsigned i = 0; i < f->count; i++) {
        struct rule *rule = &f->rules[i];
        if (strcmp(rule->block, block->name) != 0 ||
            (rule->where[0] && strcmp(rule->where, where) != 0)) {
            continue;
        }
        struct socket_options options = rule->options;
        if (rule->made++) {
            options.record = options.wave = options.rtl_wave = NULL;
        }
        return socket_make(block, params, where, cycle, &options, &rule->counts, instance,
                           build->error, build->error_size);
    }
    return block_make_in_c(build, block, params, instance);
}

static bool socket_names_block(const struct block_factory *factory, const struct block *block) {
    const struct socket_factory *f = (const struct socket_factory *)factory;
    for (unsigned i = 0; i < f->count; i++) {
        if (!strcmp(f->rules[i].block, block->name)) {
            return true;
        }
    }
    return false;
}

struct socket_factory *socket_factory_create(void) {
    struct socket_factory *f = calloc(1, sizeof *f);
    if (f) {
        f->factory.make = make_socket_block;
        f->factory.names = socket_names_block;
    }
    return f;
}

/* Blocks whose requests the L2 may not move before their time. */
static bool is_beyond_l1(const char *block) {
    return !strncmp(block, "l2/", 3) || !strncmp(block, "dram/", 5);
}

bool socket_factory_rule(struct socket_factory *f, const char *which,
                         const struct socket_options *options, char *error, size_t size) {
    if (f->count == RULES_MAX) {
        snprintf(error, size, "%s: at most %d blocks can be named", which, RULES_MAX);
        return false;
    }
    struct rule *rule = &f->rules[f->count];
    size_t length = strcspn(which, "@");
    const char *where = which[length] ? which + length + 1 : "";
    if (length >= sizeof rule->block || strlen(where) >= sizeof rule->where ||
        (which[length] && !*where)) {
        snprintf(error, size, "%s: not of the form place/block or place/block@instance", which);
        return false;
    }
    memset(rule, 0, sizeof *rule);
    memcpy(rule->block, which, length);
    snprintf(rule->where, sizeof rule->where, "%s", where);
    rule->options = *options;

    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(all[i]->block->name, rule->block) == 0) {
            f->factory.in_time |= options->mode != SOCKET_C && is_beyond_l1(rule->block);
            f->count++;
            return true;
        }
    }
    int n = snprintf(error, size, "%s: its Verilog is not in this program, which has", rule->block);
    const char *last = "";
    for (unsigned i = 0; i < count && n > 0 && (size_t)n < size; i++) {
        if (strcmp(all[i]->block->name, last) != 0) {
            last = all[i]->block->name;
            n += snprintf(error + n, size - (size_t)n, " %s", last);
        }
    }
    if (n > 0 && (size_t)n < size) {
        snprintf(error + n, size - (size_t)n, "; make build/warpmem-rtl builds all");
    }
    return false;
}

struct block_factory *socket_factory_blocks(struct socket_factory *f) {
    return &f->factory;
}

bool socket_factory_finish(struct socket_factory *f, FILE *out) {
    static const char *const modes[] = {"c", "rtl", "lockstep"};
    bool good = true;
    for (unsigned i = 0; i < f->count; i++) {
        const struct rule *rule = &f->rules[i];
        const struct socket_counts *c = &rule->counts;
        fprintf(out, "%s %s%s%s  %u instance%s  %" PRIu64 " cycles, %" PRIu64 " of them clocked",
                modes[rule->options.mode], rule->block, rule->where[0] ? "@" : "", rule->where,
                c->instances, c->instances == 1 ? "" : "s", c->cycles, c->edges);
        if (rule->options.mode == SOCKET_LOCKSTEP) {
            fprintf(out, "  %" PRIu64 " outputs compared, %u instance%s differ%s", c->compared,
                    c->failed, c->failed == 1 ? "" : "s", c->failed == 1 ? "s" : "");
        }
        bool compares = rule->options.mode == SOCKET_LOCKSTEP;
        bool nothing = c->cycles == 0 || (compares && c->compared == 0);
        fprintf(out, "%s\n",
                c->instances == 0 ? ": the machine has no such instance"
                : !nothing        ? ""
                : compares        ? ": nothing was compared"
                                  : ": the block was never called");
        good = good && !nothing && !c->failed && !c->file_error;
    }
    return good;
}

void socket_factory_destroy(struct socket_factory *f) {
    free(f);
}
