/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a DRAM command log (cmodel/dram/log.h describes the format) and accepts it or names the
 * first illegal pair of commands. The rules are those of legality.h; no code of the model is used.
 */
#ifndef WARPMEM_COSIM_DRAMCHECK_H
#define WARPMEM_COSIM_DRAMCHECK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/legality.h"
#include "cosim/line_history.h"
#include "dram/log.h"

enum { DRAMCHECK_LEGAL, DRAMCHECK_ILLEGAL, DRAMCHECK_BAD_FILE };
enum { DRAMCHECK_LINE = 512, DRAMCHECK_CHANNELS = 192 };

struct dramcheck {
    const char *name;
    uint64_t line, commands;
    unsigned channels;
    bool line_order;
    struct legality *channel;
    struct line_history *lines; /* of each channel */
    FILE *out, *err;
};

static const char *const dramcheck_command[DRAM_COMMANDS] = {"activate", "read", "write",
                                                             "precharge", "refresh"};

__attribute__((format(printf, 2, 3))) static inline int dramcheck_bad(struct dramcheck *k,
                                                                      const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(k->err, "%s:%" PRIu64 ": ", k->name, k->line);
    vfprintf(k->err, format, args);
    fputc('\n', k->err);
    va_end(args);
    return DRAMCHECK_BAD_FILE;
}

/* Read a field of digits, ended by @end; NULL: not such a field. */
static inline char *dramcheck_number(char *at, char end, uint64_t most, uint64_t *value) {
    *value = 0;
    if (*at < '0' || *at > '9') {
        return NULL;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (digit > most || *value > (most - digit) / 10) {
            return NULL;
        }
        *value = *value * 10 + digit;
    }
    return *at == end ? at + 1 : NULL;
}

/* "<tab>key=number" at *at, which moves on. */
static inline bool dramcheck_key(char **at, const char *key, unsigned least, unsigned most,
                                 unsigned *value) {
    size_t length = strlen(key);
    uint64_t number;
    if (**at != '\t' || strncmp(*at + 1, key, length) || (*at)[1 + length] != '=') {
        return false;
    }
    char *from = *at + length + 2, *end = from + strspn(from, "0123456789"), after = *end;
    *end = '\0';
    bool good = dramcheck_number(from, '\0', most, &number) && number >= least;
    *end = after;
    *at = end;
    *value = (unsigned)number;
    return good;
}

/* @word at *at, which moves on. */
static inline bool dramcheck_word(char **at, const char *word) {
    const size_t length = strlen(word);
    bool found = !strncmp(*at, word, length);
    *at += found ? length : 0;
    return found;
}

static inline int dramcheck_header(struct dramcheck *k, char *text) {
    struct config c = {0};
    char *at = text + strlen(DRAM_LOG_MAGIC);
    if (strncmp(text, DRAM_LOG_MAGIC, strlen(DRAM_LOG_MAGIC))) {
        return dramcheck_bad(k, "must begin with \"%s\"", DRAM_LOG_MAGIC);
    }
    if (!dramcheck_key(&at, "channels", 1, DRAMCHECK_CHANNELS, &k->channels)) {
        return dramcheck_bad(k, "header: channels=1..%d must follow", DRAMCHECK_CHANNELS);
    }
#define READ_KEY(key) \
    if (!dramcheck_key(&at, #key, 1, 255, &c.dram.key)) { \
        return dramcheck_bad(k, "header: %s=1..255 must follow", #key); \
    }
    DRAM_LOG_KEYS(READ_KEY)
#undef READ_KEY
#define READ_WINDOW(key) \
    if (!dramcheck_key(&at, #key, 0, 1048576, &c.dram.key)) { \
        return dramcheck_bad(k, "header: %s=0..1048576 must follow", #key); \
    }
    DRAM_LOG_WINDOWS(READ_WINDOW)
#undef READ_WINDOW
    if (dramcheck_word(&at, "\tgroup_bits=high")) {
        c.dram.group_bits = GROUP_BITS_HIGH;
    } else if (dramcheck_word(&at, "\tgroup_bits=low")) {
        c.dram.group_bits = GROUP_BITS_LOW;
    } else {
        return dramcheck_bad(k, "header: group_bits=high or low must follow");
    }
    k->line_order = !strcmp(at, "\tline_order=on");
    if (!k->line_order && strcmp(at, "\tline_order=off")) {
        return dramcheck_bad(k, "header: line_order=on or off must follow, and nothing else");
    }
    if (c.dram.banks > DRAM_BANKS_MAX || c.dram.banks % c.dram.bank_groups ||
        c.dram.burst % c.dram.beats) {
        return dramcheck_bad(k,
                             "header: at most %d banks, a multiple of bank_groups; burst must "
                             "be a multiple of beats",
                             DRAM_BANKS_MAX);
    }
    k->channel = calloc(k->channels, sizeof *k->channel);
    k->lines = calloc(k->channels, sizeof *k->lines);
    if (!k->channel || !k->lines) {
        return dramcheck_bad(k, "out of memory");
    }
    for (unsigned i = 0; i < k->channels; i++) {
        legality_init(&k->channel[i], &c);
    }
    return DRAMCHECK_LEGAL;
}

static inline void dramcheck_print(const struct dramcheck *k, const struct legality_command *c) {
    fprintf(k->out, "  line %" PRIu64 ": cycle %" PRIu64 " %s bank %u row %" PRIu64 "\n", c->line,
            c->cycle, dramcheck_command[c->command], c->bank, c->row);
}

static inline int dramcheck_illegal(const struct dramcheck *k, unsigned channel, enum rule rule,
                                    const struct legality_command *now) {
    const struct legality *l = &k->channel[channel];
    fprintf(k->out, "illegal: channel %u breaks %s", channel, legality_rule_name[rule]);
    if (l->required) {
        fprintf(k->out, ": %" PRIu64 " cycles required, %" PRIu64 " found", l->required, l->actual);
    }
    fputc('\n', k->out);
    if (l->before.is) {
        dramcheck_print(k, &l->before);
    }
    dramcheck_print(k, now);
    return DRAMCHECK_ILLEGAL;
}

static inline int dramcheck_line(struct dramcheck *k, char *text) {
    uint64_t channel, cycle, bank, row, line = 0, number = 0, passed = 0;
    unsigned command = 0;
    char *at = dramcheck_number(text, '\t', k->channels - 1, &channel);
    if (!at) {
        return dramcheck_bad(k, "channel: must be 0..%u and a tab", k->channels - 1);
    }
    at = dramcheck_number(at, '\t', UINT64_MAX / 2, &cycle);
    if (!at) {
        return dramcheck_bad(k, "DRAM cycle: must be a number and a tab");
    }
    while (command < DRAM_COMMANDS &&
           (strncmp(at, dramcheck_command[command], strlen(dramcheck_command[command])) ||
            at[strlen(dramcheck_command[command])] != '\t')) {
        command++;
    }
    if (command == DRAM_COMMANDS) {
        return dramcheck_bad(
            k, "command: must be activate, read, write, precharge or refresh and a tab");
    }
    struct legality *l = &k->channel[channel];
    at = dramcheck_number(at + strlen(dramcheck_command[command]) + 1, '\t', l->c.dram.banks - 1,
                          &bank);
    if (!at) {
        return dramcheck_bad(k, "bank: must be 0..%u and a tab", l->c.dram.banks - 1);
    }
    const bool ordered = k->line_order && (command == DRAM_READ || command == DRAM_WRITE);
    at = dramcheck_number(at, ordered ? '\t' : '\0', UINT64_MAX, &row);
    if (!at) {
        return dramcheck_bad(k, "row: must be a number and %s",
                             ordered ? "a tab" : "the end of the line");
    }
    if (ordered && (!(at = dramcheck_number(at, '\t', UINT64_MAX, &line)) ||
                    !dramcheck_number(at, '\0', UINT64_MAX / 2, &number))) {
        return dramcheck_bad(k, "line and request: must be two numbers and the end of the line");
    }
    if (l->latest.is && cycle < l->latest.cycle) {
        return dramcheck_bad(
            k, "DRAM cycle %" PRIu64 ": channel %" PRIu64 " was at %" PRIu64 " already", cycle,
            channel, l->latest.cycle);
    }
    l->line = k->line;
    struct legality_command now = {k->line,        cycle, row, (enum dram_command)command,
                                   (unsigned)bank, true};
    enum rule broken = legality_check(l, cycle, (enum dram_command)command, (unsigned)bank, row);
    k->commands++;
    if (ordered &&
        !line_history_add(&k->lines[channel], line, number, command == DRAM_WRITE, &passed)) {
        return dramcheck_bad(k, "out of memory");
    }
    if (broken == LEGAL && passed) {
        fprintf(k->out,
                "illegal: channel %" PRIu64 " breaks line order: request %" PRIu64
                " went before request %" PRIu64 " of its line\n",
                channel, passed - 1, number);
        dramcheck_print(k, &now);
        return DRAMCHECK_ILLEGAL;
    }
    return broken == LEGAL ? DRAMCHECK_LEGAL
                           : dramcheck_illegal(k, (unsigned)channel, broken, &now);
}

/** dramcheck_log() - check the log in @in. Return: the exit status; results go to @out, faults of
 * the file to @err. */
static inline int dramcheck_log(FILE *in, const char *name, FILE *out, FILE *err) {
    struct dramcheck k = {.name = name, .out = out, .err = err};
    char text[DRAMCHECK_LINE];
    int status = DRAMCHECK_LEGAL;
    while (status == DRAMCHECK_LEGAL && fgets(text, sizeof text, in)) {
        size_t length = strlen(text);
        k.line++;
        if (!length || text[length - 1] != '\n') {
            status = dramcheck_bad(&k, length + 1 == sizeof text
                                           ? "longer than any line of a log"
                                           : "the line has no end: the log is cut off");
            break;
        }
        text[length - 1] = '\0';
        status = k.line == 1 ? dramcheck_header(&k, text) : dramcheck_line(&k, text);
    }
    if (status == DRAMCHECK_LEGAL && !k.commands) {
        k.line++;
        status = dramcheck_bad(&k, "no command: nothing was checked");
    }
    if (status == DRAMCHECK_LEGAL) {
        fprintf(out, "legal: %" PRIu64 " commands on %u channels\n", k.commands, k.channels);
    }
    for (unsigned i = 0; k.lines && i < k.channels; i++) {
        line_history_destroy(&k.lines[i]);
    }
    free(k.lines);
    free(k.channel);
    return status;
}

#endif
