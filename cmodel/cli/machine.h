/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that select the machine: preset, then scheme and parts, then --config files, then
 * --set.
 */
#ifndef WARPMEM_CLI_MACHINE_H
#define WARPMEM_CLI_MACHINE_H

#include <argp.h>

#include "config/config.h"
#include "config/schemes.h"

#define MACHINE_PRESET "c2050-s"

struct machine_options {
    const char *preset; /* NULL: MACHINE_PRESET */
    const char *scheme, *issue, *l1, *l2, *dram;
    char **configs, **sets; /* as many as arguments can be */
    unsigned config_count, set_count;
};

/* --preset --scheme --issue --l1 --l2 --dram --config --set; input: struct machine_options. */
extern const struct argp machine_argp;
/* The same without --scheme, for commands that take several. */
extern const struct argp machine_argp_no_scheme;
/* --preset --config --set alone, for commands that time nothing. */
extern const struct argp machine_argp_keys;

/** machine_options_init() - for a command line of argc arguments. False: out of memory. */
bool machine_options_init(struct machine_options *o, int argc);
void machine_options_free(struct machine_options *o);

/** struct machine - a configuration and its names in reports. */
struct machine {
    struct config config;
    const char *preset, *about;
    const char *sweep; /* key of which the scheme tries all values; NULL: none */
    char scheme[SCHEME_LABEL + 16];
};

/**
 * machine_make() - the configuration that the options describe, checked.
 * @preset, @scheme: in place of o->preset, o->scheme; NULL: that
 * Return: false with a message. If m->scheme was empty, it stays so, except where all names exist
 * and only their combination is refused: that message names neither preset nor scheme.
 */
bool machine_make(struct machine *m, const struct machine_options *o, const char *preset,
                  const char *scheme, struct config_error *e);

#endif
