/* SPDX-License-Identifier: Apache-2.0
 * argp with one-line messages: the fault, its place, and the allowed values. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options/cli.h"

#define HELP_OPTION 'h'
#define LINE_MAX_TEXT 2048

static void print_line(FILE *out, const char *format, va_list args) {
    char text[LINE_MAX_TEXT], shown[LINE_MAX_TEXT];
    vsnprintf(text, sizeof text, format, args);
    if (out == stderr) {
        fflush(stdout);
    }
    fprintf(out, "warpmem: %s\n", text_shown(shown, sizeof shown, text));
}

int cli_error(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line(stderr, format, args);
    va_end(args);
    return status;
}

int cli_error_to(FILE *out, int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line(out ? out : stderr, format, args);
    va_end(args);
    return status;
}

error_t cli_bad(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_line(stderr, format, args);
    va_end(args);
    return ECANCELED; /* argp's own errors end in EINVAL: cli_parse() distinguishes them by this */
}

bool cli_number(const char *text, unsigned long long max, unsigned long long *value) {
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? "0123456789abcdefABCDEF" : "0123456789";
    const char *start = hex ? text + 2 : text;
    if (!*start || start[strspn(start, digits)]) {
        return false;
    }
    errno = 0;
    *value = strtoull(start, NULL, hex ? 16 : 10);
    return !errno && *value <= max;
}

struct parse {
    void *input;
    bool help;
    int next; /* argp's position when it failed */
};

static error_t parse_root(int key, char *arg, struct argp_state *state) {
    struct parse *p = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = p->input; return 0;
    case HELP_OPTION: p->help = true; return ECANCELED;
    case ARGP_KEY_ERROR: p->next = state->next; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Options that a typed name matches. */
struct option_search {
    const char *name;
    size_t length;
    const struct argp_option *exact;
    const struct argp_option *prefix[2];
    unsigned prefixes;
    struct text_nearest near;
};

static void search_options(const struct argp *argp, struct option_search *s) {
    const struct argp_option *o = argp->options;
    for (; o && (o->name || o->key || o->doc); o++) {
        if (!o->name) {
            continue;
        }
        if (!strncmp(o->name, s->name, s->length)) {
            if (!o->name[s->length]) {
                s->exact = o;
            }
            if (s->prefixes < 2) {
                s->prefix[s->prefixes] = o;
            }
            s->prefixes++;
        }
        text_nearest_offer(&s->near, o->name);
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++) {
        search_options(c->argp, s);
    }
}

/* @arg: "--name" or "--name=value"; @name: room for the name, which the result points to. */
static struct option_search search_name(const struct argp *argp, const char *arg,
                                        char name[TEXT_SHOWN]) {
    struct option_search s = {.name = name, .length = strcspn(arg + 2, "=")};
    snprintf(name, TEXT_SHOWN, "%.*s", (int)(s.length < 60 ? s.length : 60), arg + 2);
    s.length = strlen(name);
    text_nearest_init(&s.near, name);
    search_options(argp, &s);
    return s;
}

static bool short_takes_value(const struct argp *argp, int key) {
    const struct argp_option *o = argp->options;
    for (; o && (o->name || o->key || o->doc); o++) {
        if (o->key == key) {
            return o->arg;
        }
    }
    for (const struct argp_child *c = argp->children; c && c->argp; c++) {
        if (short_takes_value(c->argp, key)) {
            return true;
        }
    }
    return false;
}

/* getopt takes any unambiguous prefix of a name: --dram would mean --dram-log, and a script would
 * change its meaning once an option of that name exists. */
static bool named_in_full(const struct argp *argp, int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *arg = argv[i];
        char name[TEXT_SHOWN];
        if (arg[0] == '-' && arg[1] != '-') {
            i += arg[1] && !arg[2] && short_takes_value(argp, arg[1]);
        } else if (!strncmp(arg, "--", 2)) {
            struct option_search s = search_name(argp, arg, name);
            if (!s.exact && s.prefixes == 1) {
                cli_bad("--%s: no such option; did you mean --%s?", name, s.prefix[0]->name);
                return false;
            }
            i += s.exact && s.exact->arg && !strchr(arg, '=');
        }
    }
    return true;
}

/* argp says only that an option is wrong, so this finds the reason. */
static void explain_long(const struct argp *argp, const char *command, const char *arg) {
    char name[TEXT_SHOWN];
    struct option_search s = search_name(argp, arg, name);
    const struct argp_option *o = s.exact;
    if (o && o->arg) {
        cli_bad("--%s: needs a value: --%s %s", o->name, o->name, o->arg);
    } else if (o) {
        cli_bad("--%s: takes no value", o->name);
    } else if (s.prefixes > 1) {
        cli_bad("--%s: may mean --%s or --%s", name, s.prefix[0]->name, s.prefix[1]->name);
    } else if (s.near.best) {
        cli_bad("--%s: no such option; did you mean --%s?", name, s.near.best);
    } else {
        cli_bad("--%s: no such option; `%s --help` lists them", name, command);
    }
}

static void explain_bad_option(const struct argp *argp, const char *command, int argc, char **argv,
                               int next) {
    const char *before = next > 0 && next <= argc ? argv[next - 1] : "";
    const char *arg = before[0] == '-' && before[1] ? before : next < argc ? argv[next] : before;
    if (!strncmp(arg, "--", 2)) {
        explain_long(argp, command, arg);
    } else {
        cli_bad("%.60s: no such option; `%s --help` lists them", arg, command);
    }
}

enum cli_parsed cli_parse(const struct argp *argp, const char *name, int argc, char **argv,
                          void *input) {
    static const struct argp_option help[] = {
        {"help", HELP_OPTION, NULL, 0, "print this", -1},
        {0},
    };
    struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    struct argp root = {.options = help,
                        .parser = parse_root,
                        .args_doc = argp->args_doc,
                        .doc = argp->doc,
                        .children = children};
    struct argp options_only = *argp; /* its texts are in root: argp would print them twice */
    options_only.args_doc = NULL;
    options_only.doc = NULL;
    children[0].argp = &options_only;
    struct parse p = {.input = input};
    char shown[TEXT_SHOWN];
    snprintf(shown, sizeof shown, "%s", name);
    if (!named_in_full(&root, argc, argv)) {
        return CLI_REJECTED;
    }
    error_t error =
        argp_parse(&root, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &p);
    if (p.help) {
        argp_help(&root, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, shown);
        return CLI_HELPED;
    }
    if (error == EINVAL) {
        explain_bad_option(&root, name, argc, argv, p.next);
    } else if (error && error != ECANCELED) {
        cli_bad("%s: %s", name, strerror(error));
    }
    return error ? CLI_REJECTED : CLI_PARSED;
}
