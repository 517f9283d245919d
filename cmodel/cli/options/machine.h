/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that select the machine: preset, then scheme and parts, then --config files, then
 * --set.
 */
#ifndef WARPMEM_CLI_OPTIONS_MACHINE_H
#define WARPMEM_CLI_OPTIONS_MACHINE_H

#include <argp.h>

#include "cli/options/plugins.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/layer.h"
#include "config/schemes.h"

#define MACHINE_PRESET "c2050-s"

struct machine_options {
    const char *preset; /* NULL: MACHINE_PRESET */
    const char *scheme, *issue, *l1, *l2, *dram;
    char **configs, **sets; /* room for every argument */
    unsigned config_count, set_count;
    struct plugins *plugins;
};

/* --preset --scheme --issue --l1 --l2 --dram --config --set --plugin; input: struct
 * machine_options. */
extern const struct argp machine_argp;
/* The same without --scheme, for commands that take several. */
extern const struct argp machine_argp_no_scheme;
/* --preset --config --set alone, for untimed commands. */
extern const struct argp machine_argp_keys;

/** machine_options_init() - for a command line of argc arguments. False: out of memory. */
bool machine_options_init(struct machine_options *o, int argc);
void machine_options_free(struct machine_options *o);

/* The option that changed a key's value from the preset's. */
enum machine_by { BY_PRESET, BY_SCHEME, BY_FILE, BY_SET };

/** struct machine - a configuration and its names in reports. */
struct machine {
    struct config config;
    const char *preset, *about; /* its base */
    const char *sweep;          /* key of which the scheme tries all values; NULL: none */
    char scheme[SCHEME_LABEL + 16];
    /* The preset's if only the scheme changes it; the --config file's name; else PRESET+changes. */
    char name[CONFIG_NAME_TEXT + 16];
    struct config base;            /* the preset's */
    unsigned char by[CONFIG_KEYS]; /* enum machine_by */
    /* The policies of plug-ins, which belong to the options, and their plug-ins; NULL: none. */
    struct named_policies policies;
    const struct loaded_plugin *policy_from[POLICY_PLACE_COUNT];
};

/** machine_by_name() - "scheme", "config", "set". */
const char *machine_by_name(enum machine_by by);
/** machine_differs() - true if the value of key @i differs from the preset's. */
bool machine_differs(const struct machine *m, unsigned i);
/** machine_note_sweep() - the scheme has set the swept key. */
void machine_note_sweep(struct machine *m);
/** machine_changes() - keys that a file or --set has changed. */
unsigned machine_changes(const struct machine *m);

/**
 * machine_make() - make and check the configuration that the options describe.
 * @preset, @scheme: replace o->preset, o->scheme unless NULL
 * Return: false with a message. If m->scheme was empty, it stays so, unless all names exist and
 * only their combination is refused: that message names neither preset nor scheme.
 */
bool machine_make(struct machine *m, const struct machine_options *o, const char *preset,
                  const char *scheme, struct config_error *e);

/** machine_policies() - the issue policies of the machine: the configuration's, then a plug-in's.
 * Return: their number. */
unsigned machine_policies(const struct machine *m,
                          const struct policy_kind *kinds[POLICY_KINDS_MAX + 1]);
/** machine_reads_profile() - the policy that needs --profile FILE; NULL: none. */
const struct policy_kind *machine_reads_profile(const struct machine *m);

/** machine_tell_idle_keys() - warn about each key of --set that has no effect because another key
 * switches it off. This is no error, because it may have an effect with other schemes of
 * compare. */
void machine_tell_idle_keys(const struct machine *m, const struct machine_options *o);

#endif
