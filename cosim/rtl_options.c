/* SPDX-License-Identifier: Apache-2.0
 * Verilog in the machine: the options of warpmem-rtl that need it. */
#define _GNU_SOURCE /* program_invocation_name */
#include "cli/options/rtl_options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/blocks.h"
#include "cli/output.h"
#include "cosim/mismatch.h"
#include "cosim/socket.h"

#define CYCLES_MAX (1ull << 53)

enum { RULES_MAX = 32, NAME_MAX_TEXT = 64, WAVE_WORDS_MAX = 32 };

/* The words of an option: "--rtl=VALUE", or "--rtl" and "VALUE". */
struct option_words {
    const char *first, *second; /* NULL: none */
};

/* One --rtl, --lockstep or --record. */
struct rule {
    char which[NAME_MAX_TEXT]; /* "l1/mrpb", "l1/mrpb@sm0" */
    enum socket_mode mode;
    const char *record;
    struct option_words words;
    char *waves_tail; /* see struct socket_options */
};

struct rtl_choice {
    struct rule rule[RULES_MAX];
    unsigned rules;
    const char *wave, *wave_inside;
    unsigned long long wave_from, wave_cycles;
    char **argv; /* the command, for the report of a difference */
    int argc;
    const char *wave_word[WAVE_WORDS_MAX]; /* of argv: the options of waves and their values */
    unsigned wave_words;
    char *again, *waves_head, *mismatch_dir;
    struct socket_factory *sockets;
};

static bool is_instance(const struct rule *r) {
    return strchr(r->which, '@');
}

static bool names_block(const char *which, const char *block) {
    size_t length = strcspn(which, "@");
    return strlen(block) == length && !memcmp(block, which, length);
}

/* NULL: there is no such block. */
static const struct block_row *row_of(const char *which) {
    const struct block_row *row;
    for (unsigned i = 0; (row = block_row_at(i)); i++) {
        if (names_block(which, row->block->name)) {
            return row;
        }
    }
    return NULL;
}

#define WHOLE_L2 "l2"

/* "sm3", "sm3s0", "p1", "p1b0", "l2": the numbers of a name that the machine gives a block; false:
 * it is none. */
static bool instance_numbers(enum block_stands place, const char *name, unsigned number[2]) {
    char again[NAME_MAX_TEXT];
    number[0] = number[1] = 0;
    switch (place) {
    case BLOCK_CORE:
        (void)sscanf(name, "sm%9u", &number[0]);
        snprintf(again, sizeof again, "sm%u", number[0]);
        break;
    case BLOCK_SCHEDULER:
        (void)sscanf(name, "sm%9us%9u", &number[0], &number[1]);
        snprintf(again, sizeof again, "sm%us%u", number[0], number[1]);
        break;
    case BLOCK_PARTITION:
        (void)sscanf(name, "p%9u", &number[0]);
        snprintf(again, sizeof again, "p%u", number[0]);
        break;
    case BLOCK_BANK:
        (void)sscanf(name, "p%9ub%9u", &number[0], &number[1]);
        snprintf(again, sizeof again, "p%ub%u", number[0], number[1]);
        break;
    case BLOCK_TABLE:
        return !strcmp(name, WHOLE_L2) || instance_numbers(BLOCK_PARTITION, name, number);
    case BLOCK_PART: return false;
    }
    return !strcmp(name, again);
}

static bool instance_exists(const char *which, const struct config *c, char *error, size_t size) {
    const char *at = strchr(which, '@');
    enum block_stands place = row_of(which)->stands;
    unsigned number[2];
    if (!at) {
        return true;
    }
    (void)instance_numbers(place, at + 1, number);
    if (place == BLOCK_TABLE) {
        bool shared = c->medic.table == MEDIC_TABLE_SHARED;
        if (shared != !strcmp(at + 1, WHOLE_L2)) {
            snprintf(error, size, "%s: no such table: must be %s (medic.table = %s)", which,
                     shared ? WHOLE_L2 : "that of a partition, as in @p0",
                     shared ? "shared" : "partition");
            return false;
        }
        place = shared ? place : BLOCK_PARTITION;
    }
    if (place == BLOCK_CORE && number[0] >= c->core.count) {
        snprintf(error, size, "%s: no such core: must be sm0..sm%u (core.count = %u)", which,
                 c->core.count - 1, c->core.count);
        return false;
    }
    if (place == BLOCK_SCHEDULER &&
        (number[0] >= c->core.count || number[1] >= c->core.schedulers)) {
        snprintf(
            error, size,
            "%s: no such scheduler: must be sm0s0..sm%us%u (core.count = %u, core.schedulers = "
            "%u)",
            which, c->core.count - 1, c->core.schedulers - 1, c->core.count, c->core.schedulers);
        return false;
    }
    if (place == BLOCK_PARTITION && number[0] >= c->l2.partitions) {
        snprintf(error, size, "%s: no such partition: must be p0..p%u (l2.partitions = %u)", which,
                 c->l2.partitions - 1, c->l2.partitions);
        return false;
    }
    if (place == BLOCK_BANK && (number[0] >= c->l2.partitions || number[1] >= c->l2.banks)) {
        snprintf(error, size,
                 "%s: no such bank: must be p0b0..p%ub%u (l2.partitions = %u, l2.banks = %u)",
                 which, c->l2.partitions - 1, c->l2.banks - 1, c->l2.partitions, c->l2.banks);
        return false;
    }
    return true;
}

/* An option that has no effect is a mistake: say so before the run. */
static bool fits_machine(const struct rule *r, const struct config *c,
                         const struct named_policies *p, char *error, size_t size) {
    const struct block_row *row = row_of(r->which);
    if (!row->present(c, p)) {
        snprintf(error, size, "%s: is not in this machine: needs %s", r->which, row->needs);
        return false;
    }
    return instance_exists(r->which, c, error, size);
}

/* Names of instances in words, by place. */
static const struct {
    const char *what, *form, *first;
} instances[] = {[BLOCK_CORE] = {"core", "smN", "sm0"},
                 [BLOCK_SCHEDULER] = {"scheduler", "smNsM", "sm0s0"},
                 [BLOCK_PARTITION] = {"partition", "pN", "p0"},
                 [BLOCK_BANK] = {"bank", "pNbM", "p0b0"},
                 [BLOCK_TABLE] = {"table", "l2 or pN", "l2"}};

static bool instance_well_formed(const char *which) {
    const char *at = strchr(which, '@');
    unsigned number[2];
    return !at || instance_numbers(row_of(which)->stands, at + 1, number);
}

static error_t add_rule(struct rtl_choice *c, const char *option, const char *which, size_t length,
                        enum socket_mode mode, const char *record) {
    char shown[TEXT_SHOWN];
    struct rule *r = &c->rule[c->rules];
    if (c->rules == RULES_MAX) {
        return cli_bad("%s: at most %d of --rtl, --lockstep and --record", option, RULES_MAX);
    }
    snprintf(r->which, sizeof r->which, "%.*s", (int)length, which);
    if (length >= sizeof r->which || !row_of(r->which)) {
        return cli_bad("%s %s: must be a block that `warpmem list blocks` names, or "
                       "BLOCK@WHERE with smN, smNsM, pN, pNbM or l2",
                       option, text_shown(shown, sizeof shown, which));
    }
    if (row_of(r->which)->stands == BLOCK_PART) {
        return cli_bad("%s %s: stands only inside other blocks; make lockstep BLOCK= runs it alone",
                       option, r->which);
    }
    if (!instance_well_formed(r->which)) {
        enum block_stands place = row_of(r->which)->stands;
        return cli_bad("%s %s: must name the %s as %s, as in @%s", option,
                       text_shown(shown, sizeof shown, which), instances[place].what,
                       instances[place].form, instances[place].first);
    }
    if (record && !is_instance(r)) {
        return cli_bad("%s %s: must name one instance, as in %s@%s=FILE", option,
                       text_shown(shown, sizeof shown, which), r->which,
                       instances[row_of(r->which)->stands].first);
    }
    for (unsigned i = 0; i < c->rules; i++) {
        if (!strcmp(c->rule[i].which, r->which) && !c->rule[i].record == !record) {
            return cli_bad("%s %s: named twice", option, r->which);
        }
    }
    r->mode = mode;
    r->record = record;
    c->rules++;
    return 0;
}

static error_t add_record(struct rtl_choice *c, const char *arg) {
    char shown[TEXT_SHOWN];
    const char *equals = strchr(arg, '=');
    if (!equals) {
        return cli_bad("--record %s: must be PLACE/BLOCK@WHERE=FILE",
                       text_shown(shown, sizeof shown, arg));
    }
    return add_rule(c, "--record", arg, (size_t)(equals - arg), SOCKET_C, equals + 1);
}

static error_t set_cycles(const char *option, const char *arg, unsigned long long *cycles) {
    char shown[TEXT_SHOWN];
    return cli_number(arg, CYCLES_MAX, cycles)
               ? 0
               : cli_bad("%s %s: must be 0..%llu", option, text_shown(shown, sizeof shown, arg),
                         CYCLES_MAX);
}

static error_t check_together(const struct rtl_choice *c) {
    bool verilog = false;
    for (unsigned i = 0; i < c->rules; i++) {
        verilog |= c->rule[i].mode != SOCKET_C;
    }
    if ((c->wave || c->wave_inside) && !verilog) {
        return cli_bad("%s: needs --rtl or --lockstep to say of which block",
                       c->wave ? "--wave" : "--wave-inside");
    }
    if ((c->wave_from || c->wave_cycles) && !c->wave && !c->wave_inside) {
        return cli_bad("--wave-from, --wave-cycles: need --wave or --wave-inside");
    }
    return 0;
}

static struct option_words option_words_of(const struct argp_state *state, const char *arg) {
    char **end = state->argv + state->next;
    return end[-1] == arg ? (struct option_words){end[-2], arg}
                          : (struct option_words){end[-1], NULL};
}

static void remember_wave(struct rtl_choice *c, const struct option_words *words) {
    if (c->wave_words + 2 <= WAVE_WORDS_MAX) {
        c->wave_word[c->wave_words++] = words->first;
        c->wave_word[c->wave_words++] = words->second;
    }
}

static error_t parse_option(struct rtl_choice *c, int key, char *arg) {
    switch (key) {
    case RTL_OPTION_RTL: return add_rule(c, "--rtl", arg, strlen(arg), SOCKET_RTL, NULL);
    case RTL_OPTION_LOCKSTEP:
        return add_rule(c, "--lockstep", arg, strlen(arg), SOCKET_LOCKSTEP, NULL);
    case RTL_OPTION_RECORD: return add_record(c, arg);
    case RTL_OPTION_WAVE: c->wave = arg; return 0;
    case RTL_OPTION_WAVE_INSIDE: c->wave_inside = arg; return 0;
    case RTL_OPTION_WAVE_FROM: return set_cycles("--wave-from", arg, &c->wave_from);
    default: return set_cycles("--wave-cycles", arg, &c->wave_cycles);
    }
}

static error_t parse_rtl_option(int key, char *arg, struct argp_state *state) {
    struct rtl_choice *c = state->input;
    if (key == ARGP_KEY_INIT) {
        c->argv = state->argv;
        c->argc = state->argc;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        return check_together(c);
    }
    if (key < RTL_OPTION_RTL || key > RTL_OPTION_WAVE_CYCLES) {
        return ARGP_ERR_UNKNOWN;
    }
    struct option_words words = option_words_of(state, arg);
    unsigned rules = c->rules;
    error_t error = parse_option(c, key, arg);
    if (key >= RTL_OPTION_WAVE) {
        remember_wave(c, &words);
    } else if (c->rules > rules) {
        c->rule[rules].words = words;
    }
    return error;
}

static bool rtl_output_wish(const void *options, unsigned i, struct output_wish *wish) {
    const struct rtl_choice *c = options;
    if (i < 2) {
        *wish = i ? (struct output_wish){"--wave-inside", c->wave_inside, true}
                  : (struct output_wish){"--wave", c->wave, true};
        return true;
    }
    i -= 2;
    if (i < c->rules) {
        *wish = (struct output_wish){"--record", c->rule[i].record, true};
    }
    return i < c->rules;
}

/*
 * The first socket rule that fits an instance counts, so a recording takes over the mode of the
 * rule that it would hide: that of the same instance, else that of the whole block.
 */
static void merge_records(struct rtl_choice *c) {
    for (unsigned i = 0; i < c->rules; i++) {
        struct rule *record = &c->rule[i];
        size_t block = strcspn(record->which, "@");
        for (unsigned k = 0; record->record && k < c->rules; k++) {
            struct rule *r = &c->rule[k];
            if (r->record || strncmp(r->which, record->which, block)) {
                continue;
            }
            if (!strcmp(r->which, record->which)) {
                r->record = record->record;
                record->which[0] = '\0'; /* merged */
                break;
            }
            if (!r->which[block]) {
                record->mode = r->mode;
            }
        }
    }
}

static bool is_wave_word(const struct rtl_choice *c, const char *word) {
    for (unsigned i = 0; i < c->wave_words; i++) {
        if (c->wave_word[i] == word) {
            return true;
        }
    }
    return false;
}

/* Words of the command behind "run". @without: leave out waves and this rule, unless it names the
 * whole block; NULL: all of them. */
static void write_words(const struct rtl_choice *c, const struct rule *without, FILE *out) {
    bool drop_rule = without && is_instance(without);
    for (int i = 1; i < c->argc; i++) {
        const char *word = c->argv[i];
        if ((without && is_wave_word(c, word)) ||
            (drop_rule && (word == without->words.first || word == without->words.second))) {
            continue;
        }
        fputc(' ', out);
        mismatch_word(out, word);
    }
}

static void write_head(FILE *out) {
    mismatch_word(out, program_invocation_name);
    fputs(" run", out);
}

/* The folder of this program as it was called, if that is where it is, else where it is. */
static void write_mismatch_dir(FILE *out) {
    const char *name = program_invocation_name, *slash = strrchr(name, '/');
    char exe[PATH_MAX], *called = NULL;
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[length < 0 ? 0 : length] = '\0';
    char *end = strrchr(exe, '/');
    if (end) {
        *end = '\0';
    }
    char *folder = slash ? strndup(name, slash > name ? (size_t)(slash - name) : 1) : NULL;
    called = folder ? realpath(folder, NULL) : NULL;
    bool same = called && !strcmp(called, exe);
    fprintf(out, "%s/mismatch", same || !end ? (folder ? folder : ".") : exe);
    free(folder);
    free(called);
}

enum text { AGAIN, HEAD, TAIL, MISMATCH_FOLDER };

/* False: out of memory. */
static bool make_text(const struct rtl_choice *c, enum text which, const struct rule *rule,
                      char **text) {
    size_t size;
    FILE *out = open_memstream(text, &size);
    if (!out) {
        return false;
    }
    switch (which) {
    case AGAIN:
        write_head(out);
        write_words(c, NULL, out);
        break;
    case HEAD: write_head(out); break;
    case TAIL: write_words(c, rule, out); break;
    case MISMATCH_FOLDER: write_mismatch_dir(out); break;
    }
    return !fclose(out);
}

static bool make_texts(struct rtl_choice *c) {
    bool good = make_text(c, AGAIN, NULL, &c->again) && make_text(c, HEAD, NULL, &c->waves_head) &&
                make_text(c, MISMATCH_FOLDER, NULL, &c->mismatch_dir);
    for (unsigned i = 0; good && i < c->rules; i++) {
        good = make_text(c, TAIL, &c->rule[i], &c->rule[i].waves_tail);
    }
    return good;
}

static bool add_socket_rules(struct rtl_choice *c, bool instances, struct socket_options *waves,
                             char *error, size_t size) {
    for (unsigned i = 0; i < c->rules; i++) {
        const struct rule *r = &c->rule[i];
        if (!*r->which || is_instance(r) != instances) {
            continue;
        }
        struct socket_options o = {.mode = r->mode,
                                   .record = r->record,
                                   .mismatch_dir = c->mismatch_dir,
                                   .again = c->again,
                                   .waves_head = c->waves_head,
                                   .waves_tail = r->waves_tail};
        if (r->mode != SOCKET_C) { /* waves belong to the first block with Verilog */
            o.wave = waves->wave;
            o.rtl_wave = waves->rtl_wave;
            o.wave_from = waves->wave_from;
            o.wave_to = waves->wave_to;
            *waves = (struct socket_options){0};
        }
        if (!socket_factory_rule(c->sockets, r->which, &o, error, size)) {
            return false;
        }
    }
    return true;
}

static void release_rtl_choice(struct rtl_choice *c) {
    socket_factory_destroy(c->sockets);
    c->sockets = NULL;
    for (unsigned i = 0; i < c->rules; i++) {
        free(c->rule[i].waves_tail);
        c->rule[i].waves_tail = NULL;
    }
    free(c->again);
    free(c->waves_head);
    free(c->mismatch_dir);
    c->again = c->waves_head = c->mismatch_dir = NULL;
}

static bool open_sockets(void *options, const struct config *config,
                         const struct named_policies *policies, struct block_factory **factory,
                         char *error, size_t size) {
    struct rtl_choice *c = options;
    if (!c->rules) {
        return true;
    }
    for (unsigned i = 0; i < c->rules; i++) {
        if (!fits_machine(&c->rule[i], config, policies, error, size)) {
            return false;
        }
    }
    c->sockets = socket_factory_create();
    if (!c->sockets || !make_texts(c)) {
        snprintf(error, size, "out of memory");
        release_rtl_choice(c);
        return false;
    }
    struct socket_options waves = {
        .wave = c->wave,
        .rtl_wave = c->wave_inside,
        .wave_from = c->wave_from,
        .wave_to = c->wave_cycles ? c->wave_from + c->wave_cycles : 0,
    };
    merge_records(c);
    if (!add_socket_rules(c, true, &waves, error, size) ||
        !add_socket_rules(c, false, &waves, error, size)) {
        release_rtl_choice(c);
        return false;
    }
    *factory = socket_factory_blocks(c->sockets);
    return true;
}

static bool close_sockets(void *options, FILE *out) {
    struct rtl_choice *c = options;
    bool good = !out || socket_factory_finish(c->sockets, out);
    release_rtl_choice(c);
    return good;
}

static const struct argp_option options[] = {RTL_OPTIONS, {0}};
static const struct argp argp = {.options = options, .parser = parse_rtl_option};
static const struct cli_blocks blocks = {.argp = &argp,
                                         .options_size = sizeof(struct rtl_choice),
                                         .result = rtl_output_wish,
                                         .open = open_sockets,
                                         .close = close_sockets};

const struct cli_blocks *cli_rtl_blocks(void) {
    return &blocks;
}
