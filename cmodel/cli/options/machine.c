/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/result_file.h"
#include "cli/options/cli.h"
#include "config/derived.h"
#include "config/keys.h"
#include "config/files.h"

/* Follows a name, which must not claim values that a file or --set changed. */
#define CHANGES "+changes"
#define OVERRIDES "+overrides"

enum {
    OPTION_PRESET = 0x200,
    OPTION_SCHEME,
    OPTION_ISSUE,
    OPTION_L1,
    OPTION_L2,
    OPTION_DRAM,
    OPTION_CONFIG,
    OPTION_SET,
    OPTION_PLUGIN
};

/* clang-format off */
#define PRESET_HELP {NULL, 0, NULL, 0, "The machine; later options below override, but a scheme and a part that contradict it are refused:", 1}, \
    {"preset", OPTION_PRESET, "NAME", 0, "machine of a paper; `warpmem list presets` (default " MACHINE_PRESET ")", 1}
#define SCHEME_HELP {"scheme", OPTION_SCHEME, "NAME[+NAME]", 0, "a paper's mechanisms; `warpmem list schemes` (default baseline)", 2}
#define PARTS_HELP \
    {"issue", OPTION_ISSUE, "NAME[+NAME]", 0, "the warp scheduler only: lrr, gto, oldest, swl:4, ...", 3}, \
    {"l1", OPTION_L1, "NAME[+NAME]", 0, "the L1 and its front only: mrpb, off, 8mb, ...", 3}, \
    {"l2", OPTION_L2, "NAME[+NAME]", 0, "the L2 only: medic, wbyp, perfect, xor, ...", 3}, \
    {"dram", OPTION_DRAM, "NAME[+NAME]", 0, "the DRAM only: wms", 3}
#define PLUGIN_HELP {"plugin", OPTION_PLUGIN, "FILE.so", 0, "your own policies, each selected as a scheme by its name; docs/extending.md", 5}
#define KEYS_HELP \
    {"config", OPTION_CONFIG, "FILE", 0, "keys, as `config show` prints them, over --preset or the file's base = PRESET; or a result of run --json", 4}, \
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
    case OPTION_PLUGIN: {
        struct config_error e;
        return plugins_load(o->plugins, arg, &e) ? 0 : cli_bad("%s", e.text);
    }
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {PRESET_HELP, SCHEME_HELP, PARTS_HELP,
                                             KEYS_HELP,   PLUGIN_HELP, {0}};
static const struct argp_option options_no_scheme[] = {
    PRESET_HELP, PARTS_HELP, KEYS_HELP, PLUGIN_HELP, {0}};
static const struct argp_option options_keys[] = {PRESET_HELP, KEYS_HELP, {0}};
const struct argp machine_argp = {.options = options, .parser = parse_machine_option};
const struct argp machine_argp_no_scheme = {.options = options_no_scheme,
                                            .parser = parse_machine_option};
const struct argp machine_argp_keys = {.options = options_keys, .parser = parse_machine_option};

bool machine_options_init(struct machine_options *o, int argc) {
    size_t room = (size_t)argc + 1;
    *o = (struct machine_options){.configs = calloc(room, sizeof *o->configs),
                                  .sets = calloc(room, sizeof *o->sets),
                                  .plugins = calloc(1, sizeof *o->plugins)};
    if (o->configs && o->sets && o->plugins) {
        return true;
    }
    machine_options_free(o);
    return false;
}

void machine_options_free(struct machine_options *o) {
    free(o->configs);
    free(o->sets);
    if (o->plugins) {
        plugins_unload(o->plugins);
    }
    free(o->plugins);
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

/* What --config files say, layer upon layer, and the result of a run if one of them is that. */
struct config_files {
    struct config_layer layer;
    struct result_file result; /* json NULL: none is */
};

static bool read_config_file(struct config_files *f, const char *path, struct config_error *e) {
    if (!result_file_is(path)) {
        return config_layer_file(&f->layer, path, e);
    }
    return result_file_read(&f->result, path, e) && result_file_layer(&f->result, &f->layer, e);
}

/* A result has its scheme and its preset, and gives every key. */
static bool result_is_alone(const struct result_file *r, const struct machine_options *o,
                            const char *preset, const char *scheme, struct config_error *e) {
    const struct {
        const char *option, *given;
    } parts[] = {{"scheme", scheme}, {"issue", o->issue}, {"l1", o->l1},
                 {"l2", o->l2},      {"dram", o->dram},   {"preset", preset}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].given) {
            return config_fail(e,
                               "--%s %.40s: %.200s is a result, which has its preset and scheme: "
                               "must not be given; --set changes keys",
                               parts[i].option, parts[i].given, r->path);
        }
    }
    return o->config_count == 1 ||
           config_fail(e,
                       "--config %.200s: a result is a whole machine: must be the only "
                       "--config; --set changes keys",
                       r->path);
}

static bool pick_preset(struct machine *m, const struct config_files *f, const char *preset,
                        struct config_error *e) {
    struct config_error why;
    const struct config_layer *l = &f->layer;
    if (preset && *l->base && strcmp(preset, l->base)) {
        return config_fail(e, "%s: base = %s: must be the given preset, %.80s", l->base_place,
                           l->base, preset);
    }
    m->preset = f->result.json ? f->result.base
                : preset       ? preset
                : *l->base     ? l->base
                               : MACHINE_PRESET;
    if (!config_preset(&m->config, m->preset, &why) || !preset_about(m)) {
        return f->result.json ? config_fail(e, "%.200s: %.280s", f->result.path, why.text)
                              : config_fail(e, "%s", why.text);
    }
    m->base = m->config;
    return true;
}

/* The option that gave each key another value than @before. */
static void note_changes(struct machine *m, const struct config *before, enum machine_by by) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!config_key_same(before, &m->config, i)) {
            m->by[i] = (unsigned char)by;
        }
    }
}

static const char *const by_names[] = {
    [BY_PRESET] = "preset", [BY_SCHEME] = "scheme", [BY_FILE] = "config", [BY_SET] = "set"};

const char *machine_by_name(enum machine_by by) {
    return by_names[by];
}

bool machine_differs(const struct machine *m, unsigned i) {
    return !config_key_same(&m->base, &m->config, i);
}

void machine_note_sweep(struct machine *m) {
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!strcmp(config_key_text(i, key), m->sweep)) {
            m->by[i] = BY_SCHEME;
        }
    }
}

unsigned machine_changes(const struct machine *m) {
    unsigned count = 0;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        count += machine_differs(m, i) && m->by[i] != BY_SCHEME;
    }
    return count;
}

/* The place that a policy of this name fills; POLICY_PLACE_COUNT: there is none of that name. */
static unsigned place_of_policy(const struct machine_options *o, const char *name) {
    unsigned place = 0;
    while (place < POLICY_PLACE_COUNT && !plugins_find(o->plugins, place, name, NULL) &&
           !named_policy_row_exists(place, name)) {
        place++;
    }
    return place;
}

/* The policies among the names of a scheme; *others: the rest, joined by '+'. */
static bool pick_policies(struct machine *m, const struct machine_options *o, const char *names,
                          char *others, size_t size, struct config_error *e) {
    *others = '\0';
    for (const char *at = names; at; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL) {
        char name[CONFIG_TEXT];
        size_t length = strcspn(at, "+"), used = strlen(others);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        unsigned place =
            length < sizeof name ? place_of_policy(o, name) : (unsigned)POLICY_PLACE_COUNT;
        if (place == POLICY_PLACE_COUNT) {
            snprintf(others + used, size - used, "%s%.*s", used ? "+" : "", (int)length, at);
        } else if (config_names_policy(policy_place_word(&m->config, place))) {
            return config_fail(e, "%.60s and %.60s: two policies for one place: must be one",
                               policy_place_word(&m->config, place), name);
        } else {
            policy_place_fill(&m->config, place, name);
        }
    }
    return true;
}

/* The scheme's name in reports: the named policies behind the others. */
static void label_scheme(struct machine *m, const struct scheme_selection *picked) {
    scheme_label(picked, m->scheme);
    bool alone = !picked->count;
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        const char *word = policy_place_word(&m->config, place);
        if (config_names_policy(word)) {
            size_t used = alone ? 0 : strlen(m->scheme);
            snprintf(m->scheme + used, sizeof m->scheme - used, "%s%s", alone ? "" : "+", word);
            alone = false;
        }
    }
}

static bool find_policies(struct machine *m, const struct machine_options *o,
                          struct config_error *e) {
#define FIND_PLUGIN(place, kind, row_at) \
    m->policies.place = plugins_find(o->plugins, POLICY_PLACE_##place, m->config.place.policy, \
                                     &m->policy_from[POLICY_PLACE_##place]);
    memset(m->policy_from, 0, sizeof m->policy_from);
    POLICY_PLACES(FIND_PLUGIN)
#undef FIND_PLUGIN
    char own[256] = "";
    const char *name, *about;
    unsigned place = named_policies_find(&m->policies, &m->config);
    for (unsigned i = 0; (name = named_policy_row(place, i, &about)); i++) {
        text_list(own, sizeof own, name);
    }
    return place == POLICY_PLACE_COUNT ||
           config_fail(e,
                       "%s = %s: no plug-in has this policy: must be -%s%s or that of a "
                       "--plugin FILE",
                       policy_place_key(place), policy_place_word(&m->config, place),
                       *own ? ", " : "", own);
}

/* Policies that keys ask for, and those that l1.policy and l2.policy name. */
static bool check_policies_together(const struct machine *m, struct config_error *e) {
    const struct build build = {.error = e->text, .error_size = sizeof e->text};
    return l1_policy_fits(&m->config, m->policies.l1, &build) &&
           l2_policy_fits(&m->config, m->policies.l2, &build);
}

static bool apply_schemes(struct machine *m, struct scheme_selection *picked,
                          const struct machine_options *o, const char *scheme,
                          struct config_error *e) {
    char *others = scheme ? malloc(strlen(scheme) + 1) : NULL;
    if (scheme && !others) {
        return config_fail(e, "out of memory");
    }
    bool good = !scheme || pick_policies(m, o, scheme, others, strlen(scheme) + 1, e);
    if (good && scheme && (*others || !*scheme)) {
        good = scheme_pick(picked, NULL, others, e);
    }
    if (picked->refused_unknown) {
        plugins_explain(o->plugins, e);
    }
    free(others);
    if (!good || (o->issue && !scheme_pick(picked, "issue", o->issue, e)) ||
        (o->l1 && !scheme_pick(picked, "l1", o->l1, e)) ||
        (o->l2 && !scheme_pick(picked, "l2", o->l2, e)) ||
        (o->dram && !scheme_pick(picked, "dram", o->dram, e)) ||
        !scheme_apply(picked, &m->config, e)) {
        return false;
    }
    note_changes(m, &m->base, BY_SCHEME);
    m->sweep = scheme_sweep(picked);
    return true;
}

/* The key of a result's sweep; it has the preset's value again. */
static bool repeat_sweep(struct machine *m, const struct result_file *r, struct config_error *e) {
    const struct scheme *s;
    for (unsigned i = 0; r->sweep && (s = scheme_at(i)); i++) {
        if (s->sweep.text && !strcmp(s->sweep.text, r->sweep)) {
            m->sweep = s->sweep.text;
            config_key_copy(&m->config, &m->base, config_key_at_offset(s->sweep.offset));
            return true;
        }
    }
    return !r->sweep ||
           config_fail(e, "%.200s: no scheme tries values of %.60s", r->path, r->sweep);
}

/* The machine of a result: its keys, and which options gave them, as it says. */
static bool repeat_machine(struct machine *m, const struct result_file *r, struct config_error *e) {
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const char *name = result_file_by(r, config_key_text(i, key));
        for (unsigned by = BY_SCHEME; by <= BY_SET; by++) {
            if (machine_differs(m, i) && name && !strcmp(name, by_names[by])) {
                m->by[i] = (unsigned char)by;
            }
        }
    }
    snprintf(m->scheme, sizeof m->scheme, "%s", r->scheme);
    return repeat_sweep(m, r, e);
}

/* Refuses a key that is both swept and set: one of the two values would be ignored. */
static bool swept_is_free(const struct machine *m, struct config_error *e) {
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; m->sweep && i < CONFIG_KEYS; i++) {
        if (!strcmp(config_key_text(i, key), m->sweep) && machine_differs(m, i)) {
            snprintf(e->text, sizeof e->text, "%s: scheme %.100s tries its values: must not be set",
                     key, m->scheme);
            return false;
        }
    }
    return true;
}

static bool apply_files(struct machine *m, const struct config_files *f, struct config_error *e) {
    const struct config before = m->config;
    config_layer_apply(&f->layer, &m->config);
    note_changes(m, &before, BY_FILE);
    return !f->result.json || repeat_machine(m, &f->result, e);
}

static bool apply_sets(struct machine *m, const struct machine_options *o, struct config_error *e) {
    const struct config before = m->config;
    for (unsigned i = 0; i < o->set_count; i++) {
        if (!config_set(&m->config, o->sets[i], e)) {
            return about_option(e, "--set");
        }
    }
    note_changes(m, &before, BY_SET);
    return true;
}

/* A machine bears a name only while it is what has that name, but for the scheme.
 * @named: with the files, without --set */
static void name_machine(struct machine *m, const struct config_files *f,
                         const struct config *named) {
    const char *name = f->result.json   ? f->result.machine
                       : *f->layer.name ? f->layer.name
                                        : m->preset;
    bool changed =
        name == m->preset ? machine_changes(m) > 0 : memcmp(named, &m->config, sizeof *named);
    snprintf(m->name, sizeof m->name, "%.*s%s", CONFIG_NAME_TEXT, name,
             changed && !strstr(name, CHANGES) ? CHANGES : "");
}

static bool make_from_files(struct machine *m, const struct machine_options *o,
                            const struct config_files *f, const char *preset, const char *scheme,
                            struct config_error *e) {
    struct scheme_selection picked = {0};
    memset(m->by, BY_PRESET, sizeof m->by);
    m->sweep = NULL;
    if ((f->result.json && !result_is_alone(&f->result, o, preset, scheme, e)) ||
        !pick_preset(m, f, preset, e) || !apply_schemes(m, &picked, o, scheme, e)) {
        return false;
    }
    const struct config selected = m->config;
    if (!apply_files(m, f, e)) {
        return false;
    }
    const struct config named = m->config;
    if (!apply_sets(m, o, e)) {
        return false;
    }
    if (!f->result.json) {
        label_scheme(m, &picked);
    }
    if (!swept_is_free(m, e) || !scheme_number_given(&picked, &m->config, e)) {
        return false;
    }
    if (scheme_keys_differ(f->result.json ? &named : &selected, &m->config) &&
        !strstr(m->scheme, OVERRIDES)) {
        strncat(m->scheme, OVERRIDES, sizeof m->scheme - strlen(m->scheme) - 1);
    }
    name_machine(m, f, &named);
    return find_policies(m, o, e) && config_check(&m->config, e) && check_policies_together(m, e);
}

bool machine_make(struct machine *m, const struct machine_options *o, const char *preset,
                  const char *scheme, struct config_error *e) {
    struct config_files files = {0};
    bool good = true;
    for (unsigned i = 0; good && i < o->config_count; i++) {
        good = read_config_file(&files, o->configs[i], e);
    }
    good = good && make_from_files(m, o, &files, preset ? preset : o->preset,
                                   scheme ? scheme : o->scheme, e);
    result_file_close(&files.result);
    return good;
}

unsigned machine_policies(const struct machine *m,
                          const struct policy_kind *kinds[POLICY_KINDS_MAX + 1]) {
    unsigned count = policy_kinds_wanted(&m->config, kinds);
    if (m->policies.issue) {
        kinds[count++] = m->policies.issue;
    }
    return count;
}

const struct policy_kind *machine_reads_profile(const struct machine *m) {
    const struct policy_kind *kinds[POLICY_KINDS_MAX + 1];
    unsigned count = machine_policies(m, kinds);
    for (unsigned i = 0; i < count; i++) {
        if (kinds[i]->reads_profile && kinds[i]->reads_profile(&m->config)) {
            return kinds[i];
        }
    }
    return NULL;
}

void machine_tell_idle_keys(const struct machine *m, const struct machine_options *o) {
    char key[CONFIG_KEY_TEXT], shown[TEXT_SHOWN];
    for (unsigned set = 0; set < o->set_count; set++) {
        for (unsigned i = 0; i < CONFIG_KEYS; i++) {
            const char *reason = config_key_idle(&m->config, i), *text = o->sets[set];
            size_t length = strlen(config_key_text(i, key));
            if (reason && !strncmp(text, key, length) && strchr(" =", text[length])) {
                cli_error(CLI_OK, "--set %s: changes nothing while %s",
                          text_shown(shown, sizeof shown, text), reason);
            }
        }
    }
}
