/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/machine.h"

#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "config/layer.h"

enum {
    OPTION_PRESET = 0x200,
    OPTION_SCHEME,
    OPTION_ISSUE,
    OPTION_L1,
    OPTION_L2,
    OPTION_DRAM,
    OPTION_CONFIG,
    OPTION_SET
};

/* clang-format off */
#define PRESET_HELP {NULL, 0, NULL, 0, "The machine; what stands further down overrides, but a scheme and a part that contradict it are refused:", 1}, \
    {"preset", OPTION_PRESET, "NAME", 0, "machine of a paper; `warpmem list presets` (default " MACHINE_PRESET ")", 1}
#define SCHEME_HELP {"scheme", OPTION_SCHEME, "NAME[+NAME]", 0, "what a paper adds to it; `warpmem list schemes` (default baseline)", 2}
#define PARTS_HELP \
    {"issue", OPTION_ISSUE, "NAME[+NAME]", 0, "the warp scheduler only: lrr, gto, oldest, swl:4, ...", 3}, \
    {"l1", OPTION_L1, "NAME[+NAME]", 0, "the L1 and what stands before it only: mrpb, off, 8mb, ...", 3}, \
    {"l2", OPTION_L2, "NAME[+NAME]", 0, "the L2 only: medic, wbyp, perfect, xor, ...", 3}, \
    {"dram", OPTION_DRAM, "NAME[+NAME]", 0, "the DRAM only: wms", 3}
#define KEYS_HELP \
    {"config", OPTION_CONFIG, "FILE", 0, "INI file of keys, over the preset or one it inherits; `warpmem config show " MACHINE_PRESET "` prints them all", 4}, \
    {"set", OPTION_SET, "SECTION.KEY=VALUE", 0, "one key, as in --set l1.ways=8", 5}
/* clang-format on */

static error_t parse_machine_option(int key, char *arg, struct argp_state *state) {
    struct machine_options *o = state->input;
    switch (key) {
    case OPTION_PRESET: o->preset = arg; return 0;
    case OPTION_SCHEME: o->scheme = arg; return 0;
    case OPTION_ISSUE: o->issue = arg; return 0;
    case OPTION_L1: o->l1 = arg; return 0;
    case OPTION_L2: o->l2 = arg; return 0;
    case OPTION_DRAM: o->dram = arg; return 0;
    case OPTION_CONFIG: o->configs[o->config_count++] = arg; return 0;
    case OPTION_SET: o->sets[o->set_count++] = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {PRESET_HELP, SCHEME_HELP, PARTS_HELP, KEYS_HELP, {0}};
static const struct argp_option options_no_scheme[] = {PRESET_HELP, PARTS_HELP, KEYS_HELP, {0}};
static const struct argp_option options_keys[] = {PRESET_HELP, KEYS_HELP, {0}};
const struct argp machine_argp = {.options = options, .parser = parse_machine_option};
const struct argp machine_argp_no_scheme = {.options = options_no_scheme,
                                            .parser = parse_machine_option};
const struct argp machine_argp_keys = {.options = options_keys, .parser = parse_machine_option};

bool machine_options_init(struct machine_options *o, int argc) {
    size_t room = (size_t)argc + 1;
    *o = (struct machine_options){.configs = calloc(room, sizeof *o->configs),
                                  .sets = calloc(room, sizeof *o->sets)};
    if (o->configs && o->sets) {
        return true;
    }
    machine_options_free(o);
    return false;
}

void machine_options_free(struct machine_options *o) {
    free(o->configs);
    free(o->sets);
    *o = (struct machine_options){0};
}

/* Names the option that caused a message of config_set() or scheme_pick(). */
static bool about_option(struct config_error *e, const char *option) {
    struct config_error old = *e;
    snprintf(e->text, sizeof e->text, "%s: %.480s", option, old.text);
    return false;
}

static bool preset_about(struct machine *m) {
    const char *name;
    for (unsigned i = 0; (name = config_preset_name(i, &m->about)); i++) {
        if (!strcmp(name, m->preset)) {
            m->preset = name;
            return true;
        }
    }
    return false;
}

/* Refuses a key that is both swept and set: one of the two values would be ignored. */
static bool swept_is_free(const struct machine *m, const struct config *base,
                          struct config_error *e) {
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; m->sweep && i < CONFIG_KEYS; i++) {
        if (!strcmp(config_key_text(i, key), m->sweep) && !config_key_same(base, &m->config, i)) {
            snprintf(e->text, sizeof e->text, "%s: scheme %.100s tries its values: must not be set",
                     key, m->scheme);
            return false;
        }
    }
    return true;
}

bool machine_make(struct machine *m, const struct machine_options *o, const char *preset,
                  const char *scheme, struct config_error *e) {
    struct scheme_selection picked = {0};
    struct config_layer files = {0};
    scheme = scheme ? scheme : o->scheme;
    preset = preset ? preset : o->preset;
    for (unsigned i = 0; i < o->config_count; i++) {
        if (!config_layer_file(&files, o->configs[i], e)) {
            return false;
        }
    }
    if (preset && *files.parent && strcmp(preset, files.parent)) {
        snprintf(e->text, sizeof e->text,
                 "%s: inherit = %s: must be the preset that is named, %.80s", files.parent_place,
                 files.parent, preset);
        return false;
    }
    m->preset = preset ? preset : *files.parent ? files.parent : MACHINE_PRESET;
    if (!config_preset(&m->config, m->preset, e) || !preset_about(m)) {
        return false;
    }
    const struct config base = m->config;
    if ((scheme && !scheme_pick(&picked, NULL, scheme, e)) ||
        (o->issue && !scheme_pick(&picked, "issue", o->issue, e)) ||
        (o->l1 && !scheme_pick(&picked, "l1", o->l1, e)) ||
        (o->l2 && !scheme_pick(&picked, "l2", o->l2, e)) ||
        (o->dram && !scheme_pick(&picked, "dram", o->dram, e)) ||
        !scheme_apply(&picked, &m->config, e)) {
        return false;
    }
    struct config selected = m->config;
    config_layer_apply(&files, &m->config);
    for (unsigned i = 0; i < o->set_count; i++) {
        if (!config_set(&m->config, o->sets[i], e)) {
            return about_option(e, "--set");
        }
    }
    m->sweep = scheme_sweep(&picked);
    scheme_label(&picked, m->scheme);
    if (!swept_is_free(m, &base, e) || !scheme_number_given(&picked, &m->config, e)) {
        return false;
    }
    if (scheme_keys_differ(&selected, &m->config)) {
        strcat(m->scheme, "+overrides"); /* the label must not claim what a file or --set undid */
    }
    return config_check(&m->config, e);
}
