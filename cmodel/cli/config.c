/* SPDX-License-Identifier: Apache-2.0
 * warpmem config: print a machine, or check a file of keys. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "cli/options/machine.h"
#include "config/derived.h"
#include "config/preset_texts.h"

static const char doc[] =
    "Print a preset with every key, its range and meaning, or check a file of keys."
    "\v"
    "--config accepts the output of show. Precedence: preset < scheme and its parts < "
    "--config files in order < --set in order. A file that begins with base = PRESET overrides "
    "that preset; --preset is then not needed. With name = NAME it gives the machine a name.";

enum { OPTION_SOURCES = 0x300 };
static const struct argp_option options[] = {
    {"sources", OPTION_SOURCES, NULL, 0,
     "show: print the origin of each value, in place of its range and meaning", 0},
    {0}};

struct config_options {
    struct machine_options machine;
    char *word[2]; /* show NAME, check FILE */
    unsigned words;
    bool sources;
};

static error_t parse_config_option(int key, char *arg, struct argp_state *state) {
    struct config_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case OPTION_SOURCES: o->sources = true; return 0;
    case ARGP_KEY_ARG:
        if (o->words == 2) {
            return cli_bad("config: %s: one word too many", text_shown(shown, sizeof shown, arg));
        }
        o->word[o->words++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int show_preset(struct config_options *o) {
    struct config_error e;
    struct machine m;
    if (o->machine.preset && strcmp(o->machine.preset, o->word[1])) {
        return cli_error(CLI_BAD_INPUT, "config show: two presets: name one, or leave --preset");
    }
    o->machine.preset = o->word[1];
    if (!machine_make(&m, &o->machine, NULL, NULL, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    uint64_t peak = config_peak_dram_bytes_per_s(&m.config);
    printf("; %s: %s\n; scheme %s, config %016" PRIx64 "\n", m.preset, m.about, m.scheme,
           config_hash(&m.config));
    printf("; L1 %" PRIu64 " KiB a core, L2 %" PRIu64 " KiB, DRAM %" PRIu64 ".%" PRIu64
           " GB/s at most\n\n",
           config_l1_bytes(&m.config) / 1024, config_l2_bytes(&m.config) / 1024,
           peak / UINT64_C(1000000000), peak / UINT64_C(100000000) % 10);
    if (o->sources) {
        preset_print_sources(&m.config, m.preset, stdout);
    } else {
        config_print(&m.config, stdout);
    }
    return CLI_OK;
}

static int check_config_file(struct config_options *o) {
    struct config_error e;
    struct machine m;
    char shown[TEXT_SHOWN * 4];
    o->machine.configs[o->machine.config_count++] = o->word[1];
    if (!machine_make(&m, &o->machine, NULL, NULL, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    printf("%s: correct; over preset %s it gives config %016" PRIx64 "\n",
           text_shown(shown, sizeof shown, o->word[1]), m.preset, config_hash(&m.config));
    return CLI_OK;
}

static int run_config(struct config_options *o) {
    char shown[TEXT_SHOWN];
    bool is_show = o->words && !strcmp(o->word[0], "show");
    bool is_check = o->words && !strcmp(o->word[0], "check");
    if (!is_show && !is_check) {
        return cli_error(CLI_BAD_INPUT, "config%s%s: must be show PRESET or check FILE",
                         o->words ? " " : "",
                         o->words ? text_shown(shown, sizeof shown, o->word[0]) : "");
    }
    if (o->words < 2) {
        return cli_error(CLI_BAD_INPUT, "config %s: needs %s", o->word[0],
                         is_show ? "a preset's name; `warpmem list presets` lists them" : "a file");
    }
    if (o->sources && !is_show) {
        return cli_error(CLI_BAD_INPUT, "config check: --sources is for show");
    }
    return is_show ? show_preset(o) : check_config_file(o);
}

int cli_config(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        options, parse_config_option, "show PRESET\ncheck FILE", doc, children, NULL, NULL};
    struct config_options o = {0};
    (void)blocks;
    if (!machine_options_init(&o.machine, argc + 1)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem config", argc, argv, &o);
    int status = parsed == CLI_PARSED   ? run_config(&o)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    return status;
}
