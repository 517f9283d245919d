/* SPDX-License-Identifier: Apache-2.0 Verilog in the machine: compiled into warpmem-rtl alone, with
 * -Itb. */
#include "cli/rtl_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/machine_blocks.h"
#include "cli/output.h"
#include "contract/socket.h"

#define CYCLES_MAX (1ull << 53)

enum { RULES_MAX = 32, NAME_MAX_TEXT = 64, AGAIN_TEXT = 1024 };

/* One --rtl, --lockstep or --record. */
struct rule {
    char which[NAME_MAX_TEXT]; /* "l1/mrpb", "l1/mrpb@sm0" */
    enum socket_mode mode;
    const char *record;
};

struct rtl_choice {
    struct rule rule[RULES_MAX];
    unsigned rules;
    const char *wave, *wave_inside;
    unsigned long long wave_from, wave_cycles;
    char again[AGAIN_TEXT];
    struct socket_factory *sockets;
};

static bool is_instance(const struct rule *r) {
    return strchr(r->which, '@');
}

static bool names_block(const char *which, const char *block) {
    size_t length = strcspn(which, "@");
    return strlen(block) == length && !memcmp(block, which, length);
}

#define OR_NAMES(name, PARAMS, about, needs, present) || names_block(which, name)
static bool block_exists(const char *which) {
    return false MACHINE_BLOCKS(OR_NAMES);
}

/* An option that has no effect is a mistake: say so before the run. */
static bool fits_machine(const struct rule *r, const struct config *c, char *error, size_t size) {
    const char *at = strchr(r->which, '@');
#define FAIL_IF_ABSENT(name, PARAMS, about, needs, present) \
    if (names_block(r->which, name) && !(present)) { \
        snprintf(error, size, "%s: is not in this machine: needs %s", r->which, needs); \
        return false; \
    }
    MACHINE_BLOCKS(FAIL_IF_ABSENT)
    if (at && strtoul(at + 3, NULL, 10) >= c->core.count) {
        snprintf(error, size, "%s: no such core: must be sm0..sm%u (core.count = %u)", r->which,
                 c->core.count - 1, c->core.count);
        return false;
    }
    return true;
}

/* "@sm3": a name that the machine gives a core's blocks. */
static bool instance_well_formed(const char *which) {
    const char *at = strchr(which, '@');
    unsigned long long core;
    return !at || (!strncmp(at, "@sm", 3) && strncmp(at + 3, "0x", 2) &&
                   cli_number(at + 3, 63, &core) && (at[3] != '0' || !at[4]));
}

static error_t add_rule(struct rtl_choice *c, const char *option, const char *which, size_t length,
                        enum socket_mode mode, const char *record) {
    char shown[TEXT_SHOWN];
    struct rule *r = &c->rule[c->rules];
    if (c->rules == RULES_MAX) {
        return cli_bad("%s: at most %d of --rtl, --lockstep and --record", option, RULES_MAX);
    }
    snprintf(r->which, sizeof r->which, "%.*s", (int)length, which);
    if (length >= sizeof r->which || !block_exists(r->which) || !instance_well_formed(r->which)) {
        return cli_bad("%s %s: must be a block that `warpmem list blocks` names, or BLOCK@smN",
                       option, text_shown(shown, sizeof shown, which));
    }
    if (record && !is_instance(r)) {
        return cli_bad("%s %s: must name one instance, as in %s@sm0=FILE", option,
                       text_shown(shown, sizeof shown, which), r->which);
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
    struct config_error e;
    char shown[TEXT_SHOWN];
    const char *equals = strchr(arg, '=');
    if (!equals) {
        return cli_bad("--record %s: must be PLACE/BLOCK@smN=FILE",
                       text_shown(shown, sizeof shown, arg));
    }
    error_t error = add_rule(c, "--record", arg, (size_t)(equals - arg), SOCKET_C, equals + 1);
    if (!error && !output_check(equals + 1, &e)) {
        return cli_bad("--record: %s", e.text);
    }
    return error;
}

static error_t set_file(const char *option, const char *arg, const char **file) {
    struct config_error e;
    if (output_is_stdout(arg)) {
        return cli_bad("%s -: must be a file", option);
    }
    *file = arg;
    return output_check(arg, &e) ? 0 : cli_bad("%s: %s", option, e.text);
}

static error_t set_cycles(const char *option, const char *arg, unsigned long long *cycles) {
    char shown[TEXT_SHOWN];
    return cli_number(arg, CYCLES_MAX, cycles)
               ? 0
               : cli_bad("%s %s: must be 0..%llu", option, text_shown(shown, sizeof shown, arg),
                         CYCLES_MAX);
}

/* For the report of a difference: the command as it was typed. */
static void remember_command(struct rtl_choice *c, int argc, char **argv) {
    size_t used = (size_t)snprintf(c->again, sizeof c->again, "warpmem-rtl");
    for (int i = 0; i < argc && used < sizeof c->again; i++) {
        used += (size_t)snprintf(c->again + used, sizeof c->again - used, " %s", argv[i]);
    }
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

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct rtl_choice *c = state->input;
    switch (key) {
    case ARGP_KEY_INIT: remember_command(c, state->argc, state->argv); return 0;
    case RTL_OPTION_RTL: return add_rule(c, "--rtl", arg, strlen(arg), SOCKET_RTL, NULL);
    case RTL_OPTION_LOCKSTEP:
        return add_rule(c, "--lockstep", arg, strlen(arg), SOCKET_LOCKSTEP, NULL);
    case RTL_OPTION_RECORD: return add_record(c, arg);
    case RTL_OPTION_WAVE: return set_file("--wave", arg, &c->wave);
    case RTL_OPTION_WAVE_INSIDE: return set_file("--wave-inside", arg, &c->wave_inside);
    case RTL_OPTION_WAVE_FROM: return set_cycles("--wave-from", arg, &c->wave_from);
    case RTL_OPTION_WAVE_CYCLES: return set_cycles("--wave-cycles", arg, &c->wave_cycles);
    case ARGP_KEY_END: return check_together(c);
    default: return ARGP_ERR_UNKNOWN;
    }
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

static bool add_socket_rules(struct rtl_choice *c, bool instances, struct socket_options *waves,
                             char *error, size_t size) {
    for (unsigned i = 0; i < c->rules; i++) {
        const struct rule *r = &c->rule[i];
        if (!*r->which || is_instance(r) != instances) {
            continue;
        }
        struct socket_options o = {.mode = r->mode, .record = r->record, .again = c->again};
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

static bool open_sockets(void *options, const struct config *config, struct block_factory **factory,
                         char *error, size_t size) {
    struct rtl_choice *c = options;
    if (!c->rules) {
        return true;
    }
    for (unsigned i = 0; i < c->rules; i++) {
        if (!fits_machine(&c->rule[i], config, error, size)) {
            return false;
        }
    }
    c->sockets = socket_factory_create();
    if (!c->sockets) {
        snprintf(error, size, "out of memory");
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
        socket_factory_destroy(c->sockets);
        return false;
    }
    *factory = socket_factory_blocks(c->sockets);
    return true;
}

static bool close_sockets(void *options, FILE *out) {
    struct rtl_choice *c = options;
    bool good = !out || socket_factory_finish(c->sockets, out);
    socket_factory_destroy(c->sockets);
    c->sockets = NULL;
    return good;
}

static const struct argp_option options[] = {RTL_OPTIONS, {0}};
static const struct argp argp = {.options = options, .parser = parse};
static const struct cli_blocks blocks = {.argp = &argp,
                                         .options_size = sizeof(struct rtl_choice),
                                         .open = open_sockets,
                                         .close = close_sockets};

const struct cli_blocks *cli_rtl_blocks(void) {
    return &blocks;
}
