/* SPDX-License-Identifier: Apache-2.0
 *
 * wavediff: the first time and the signals in which two FST dumps differ.
 */
#include <argp.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/wave/wave_stream.h"

enum { LIST_MAX = 64, SHOWN_MAX = 40 };

struct map {
    char *a;
    const char *b; /* in the same memory */
    size_t a_length, b_length;
};

struct arguments {
    const char *file[2];
    struct map maps[LIST_MAX];
    const char *ignore[LIST_MAX];
    unsigned map_count, ignore_count, file_count;
    uint64_t from, to;
    bool self, common, x_matches;
};

/* Matches the scope `path` or, without the top scope, its end; returns the rest behind it, or
 * NULL. */
static const char *path_below_scope(const char *name, const char *path, size_t length) {
    if (strncmp(name, path, length) == 0 && name[length] == '.') {
        return name + length + 1;
    }
    const char *dot = strchr(name, '.');
    if (dot && strncmp(dot + 1, path, length) == 0 && dot[1 + length] == '.') {
        return dot + length + 2;
    }
    return NULL;
}

static bool is_ignored_signal(const struct arguments *a, const char *name) {
    const char *last = strrchr(name, '.');
    last = last ? last + 1 : name;
    for (unsigned i = 0; i < a->ignore_count; i++) {
        if (fnmatch(a->ignore[i], name, 0) == 0 || fnmatch(a->ignore[i], last, 0) == 0) {
            return true;
        }
    }
    return false;
}

static char *key_of(const struct arguments *a, const char *name, bool is_b, unsigned map) {
    if (is_ignored_signal(a, name)) {
        return NULL;
    }
    if (a->map_count == 0) {
        return need_memory(strdup(name));
    }
    const struct map *m = &a->maps[map];
    const char *rest = is_b ? path_below_scope(name, m->b, m->b_length)
                            : path_below_scope(name, m->a, m->a_length);
    if (!rest) {
        return NULL;
    }
    size_t size = strlen(rest) + 16;
    char *key = need_memory(malloc(size));
    snprintf(key, size, "%u:%s", map, rest);
    return key;
}

static int by_key(const void *x, const void *y) {
    const struct signal *a = x, *b = y;
    return strcmp(a->key, b->key);
}

static void choose_signals(struct dump *d, const struct arguments *a, bool is_b) {
    /* A signal has one entry for each map that names its scope, or one entry if none does. */
    unsigned maps = a->map_count ? a->map_count : 1;
    d->signals = need_memory(calloc(d->all_count * maps + 1, sizeof *d->signals));
    for (size_t i = 0; i < d->all_count * maps; i++) {
        struct signal s = d->all[i / maps];
        s.key = key_of(a, s.name, is_b, (unsigned)(i % maps));
        if (s.key) {
            d->signals[d->count++] = s;
        }
    }
    if (d->count) {
        qsort(d->signals, d->count, sizeof *d->signals, by_key);
    }
}

struct pair {
    const struct signal *a, *b;
    struct pair *next_a, *next_b; /* the next pair with the same handle in that file: aliases */
};

/* Pairs signals by key and names those without a partner. Returns their number, if they matter. */
static size_t make_pairs(const struct arguments *arg, struct dump *a, struct dump *b,
                         struct pair **pairs, size_t *count) {
    size_t alone = 0, i = 0, j = 0;
    *pairs = need_memory(calloc(a->count + 1, sizeof **pairs));
    while (i < a->count || j < b->count) {
        int order = i == a->count ? 1 : j == b->count ? -1 : by_key(&a->signals[i], &b->signals[j]);
        if (order == 0 && a->signals[i].bits == b->signals[j].bits) {
            (*pairs)[(*count)++] = (struct pair){&a->signals[i++], &b->signals[j++], NULL, NULL};
            continue;
        }
        if (arg->common && order != 0) {
            *(order < 0 ? &i : &j) += 1;
            continue;
        }
        if (alone++ < SHOWN_MAX) {
            const struct signal *s = order <= 0 ? &a->signals[i] : &b->signals[j];
            if (order == 0) {
                printf("%s has %" PRIu32 " bits in %s, %s has %" PRIu32 " in %s\n", s->name,
                       s->bits, a->path, b->signals[j].name, b->signals[j].bits, b->path);
            } else {
                printf("only in %s: %s\n",
                       arg->self ? (order < 0 ? "c" : "rtl") : (order < 0 ? a->path : b->path),
                       s->name);
            }
        }
        i += order <= 0;
        j += order >= 0;
    }
    if (alone > SHOWN_MAX) {
        printf("... and %zu more signals\n", alone - SHOWN_MAX);
    }
    return alone;
}

static const char *value_of_signal(const struct dump *d, const struct signal *s) {
    const char *v = d->value[s->handle];
    return v && *v ? v : NULL;
}

static bool pair_differs(const struct arguments *arg, const struct dump *a, const struct dump *b,
                         const struct pair *p) {
    const char *va = value_of_signal(a, p->a), *vb = value_of_signal(b, p->b);
    if (arg->x_matches && va && vb) {
        for (; *va && *vb; va++, vb++) {
            if (*va != *vb && *va != 'x' && *vb != 'x') {
                return true;
            }
        }
        return false;
    }
    if (va && vb) {
        return strcmp(va, vb) != 0;
    }
    const char *v = va ? va : vb; /* never written is all x */
    return v && !arg->x_matches && v[strspn(v, "xX")] != '\0';
}

/* Prints binary digits as hexadecimal where that loses nothing; a very long value as both its
 * ends. */
static void print_value(const char *digits, int width) {
    char text[64] = "x";
    size_t n = digits ? strlen(digits) : 0, used = 0;
    if (n > 4 && strspn(digits, "01") == n && n <= 4 * (sizeof text - 4)) {
        used = (size_t)snprintf(text, sizeof text, "0x");
        for (size_t i = 0, nibble = 0; i < n; i++) {
            nibble = nibble << 1 | (size_t)(digits[i] - '0');
            if ((n - 1 - i) % 4 == 0) {
                text[used++] = "0123456789abcdef"[nibble & 15];
                nibble = 0;
            }
        }
        text[used] = '\0';
    } else if (n && digits[strspn(digits, "x")]) {
        if (n <= 40) {
            snprintf(text, sizeof text, "%s", digits);
        } else {
            snprintf(text, sizeof text, "%.20s..%s", digits, digits + n - 20);
        }
    }
    printf("  %-*s", width, text);
}

static const char *unit_of(int64_t exponent) {
    static const char *const units[] = {"s",     "100ms", "10ms", "ms",    "100us", "10us", "us",
                                        "100ns", "10ns",  "ns",   "100ps", "10ps",  "ps"};
    return exponent <= 0 && exponent >= -12 ? units[-exponent] : "units";
}

static size_t report_difference(const struct arguments *arg, const struct dump *a,
                                const struct dump *b, const struct pair *pairs, size_t count,
                                uint64_t time) {
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (!pair_differs(arg, a, b, &pairs[i]) || ++wrong > SHOWN_MAX) {
            continue;
        }
        if (wrong == 1) {
            printf("first difference at %" PRIu64 " %s\n", time, unit_of(a->exponent));
            printf("  %-32s  %-18s  %s\n", "signal", arg->map_count ? arg->maps[0].a : a->path,
                   arg->map_count ? arg->maps[0].b : b->path);
        }
        printf("  %-32s", pairs[i].a->name);
        print_value(value_of_signal(a, pairs[i].a), 18);
        print_value(value_of_signal(b, pairs[i].b), 0);
        printf("\n");
    }
    if (wrong > SHOWN_MAX) {
        printf("  ... and %zu more signals\n", wrong - SHOWN_MAX);
    }
    return wrong;
}

struct comparison {
    const struct arguments *arg;
    struct dump *a, *b;
    struct pair *pairs;
    size_t count;
    struct pair **by_a, **by_b; /* by handle: its first pair */
};

/* Takes the changes of this time and lists the pairs they touch; true: too many to list. */
static bool take_changes_of_time(struct dump *d, uint64_t time, const struct comparison *c,
                                 struct pair **touched, size_t *count) {
    bool is_a = d == c->a;
    while (!d->ended && d->time == time) {
        struct pair *p = is_a ? c->by_a[d->handle] : c->by_b[d->handle];
        for (; p; p = is_a ? p->next_a : p->next_b) {
            if (*count < c->count) {
                touched[(*count)++] = p;
            }
        }
        dump_apply(d);
        dump_next(d);
    }
    return *count == c->count;
}

static void index_pairs(struct comparison *c) {
    c->by_a = need_memory(calloc(c->a->handles + 1, sizeof *c->by_a));
    c->by_b = need_memory(calloc(c->b->handles + 1, sizeof *c->by_b));
    for (size_t i = 0; i < c->count; i++) {
        struct pair *p = &c->pairs[i];
        p->next_a = c->by_a[p->a->handle];
        c->by_a[p->a->handle] = p;
        p->next_b = c->by_b[p->b->handle];
        c->by_b[p->b->handle] = p;
    }
}

/* Takes all changes of both files in order; true at the first difference, which it prints. */
static bool compare_dumps(struct comparison *c, uint64_t end) {
    const struct arguments *arg = c->arg;
    struct dump *a = c->a, *b = c->b;
    struct pair **touched = need_memory(calloc(c->count, sizeof *touched));
    bool begun = false; /* every pair was looked at once */
    bool different = false;
    index_pairs(c);
    dump_next(a);
    dump_next(b);
    while (!different) {
        uint64_t time = a->time < b->time ? a->time : b->time;
        if (!begun && (time > arg->from || time > end)) {
            begun = true;
            different = report_difference(arg, a, b, c->pairs, c->count, arg->from) > 0;
        }
        if (different || time > end || (a->ended && b->ended)) {
            break;
        }
        size_t count = 0;
        bool look = take_changes_of_time(a, time, c, touched, &count);
        look = take_changes_of_time(b, time, c, touched, &count) || look ||
               (!begun && time >= arg->from);
        begun = begun || time >= arg->from;
        for (size_t i = 0; i < count && !look; i++) {
            look = pair_differs(arg, a, b, touched[i]);
        }
        different = begun && look && report_difference(arg, a, b, c->pairs, c->count, time) > 0;
    }
    free(touched);
    free(c->by_a);
    free(c->by_b);
    return different;
}

/* --- arguments -------------------------------------------------------------------------------- */

enum { SELF = 256, FROM, TO, COMMON, X_MATCHES };

/* clang-format off */
static const struct argp_option options[] = {
    {"map", 'm', "A=B", 0,
     "Compare scope A of the first file with scope B of the second, and nothing else but other maps",
     0},
    {"self", SELF, NULL, 0, "One file: compare its scope c with its scope rtl", 0},
    {"from", FROM, "T", 0, "Ignore what is before time T", 0},
    {"to", TO, "T", 0, "Stop after time T; both files must reach it", 0},
    {"ignore", 'i', "NAME", 0,
     "Leave out signals of this name (the last part or the whole; * and ? match)", 0},
    {"common", COMMON, NULL, 0, "Signals and times that only one file has are no difference", 0},
    {"x-matches", X_MATCHES, NULL, 0, "x in one file matches any value in the other", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

/* clang-format on */

static uint64_t time_argument(struct argp_state *state, const char *text) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (errno || *end || end == text || *text == '-') {
        argp_failure(state, TROUBLE, 0, "\"%s\" is no time", text);
    }
    return n;
}

static void add_map(struct argp_state *state, struct arguments *a, const char *text) {
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || !equal[1] || a->map_count == LIST_MAX) {
        argp_failure(state, TROUBLE, 0, "--map %s: wanted is SCOPE=SCOPE, at most %d times", text,
                     LIST_MAX);
    }
    char *scope = need_memory(strdup(text));
    scope[equal - text] = '\0';
    a->maps[a->map_count++] =
        (struct map){scope, scope + (equal - text) + 1, (size_t)(equal - text), strlen(equal + 1)};
}

static error_t parse_wavediff_option(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case 'm': add_map(state, a, arg); break;
    case SELF: a->self = true; break;
    case FROM: a->from = time_argument(state, arg); break;
    case TO: a->to = time_argument(state, arg); break;
    case 'h': argp_state_help(state, stdout, ARGP_HELP_STD_HELP); break;
    case COMMON: a->common = true; break;
    case X_MATCHES: a->x_matches = true; break;
    case 'i':
        if (a->ignore_count == LIST_MAX) {
            argp_failure(state, TROUBLE, 0, "--ignore: at most %d times", LIST_MAX);
        }
        a->ignore[a->ignore_count++] = arg;
        break;
    case ARGP_KEY_ARG:
        if (a->file_count == 2) {
            argp_error(state, "more than two files");
        }
        a->file[a->file_count++] = arg;
        break;
    case ARGP_KEY_END:
        if (a->file_count != (a->self ? 1u : 2u)) {
            argp_error(state, a->self ? "--self takes one file" : "two files are needed");
        }
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        options,
        parse_wavediff_option,
        "A.fst B.fst\n--self X.fst",
        "The first time and the signals in which two FST dumps differ.\v"
        "Exit: 0 equal, 1 different (also if only one file has a signal or goes on), 2 error.\n"
        "Scopes may be named without the top one: --map c=rtl. Times are in the files' unit.",
        NULL,
        NULL,
        NULL};
    struct arguments arg = {.to = UINT64_MAX};
    argp_err_exit_status = TROUBLE;
    argp_parse(&argp, argc, argv, 0, NULL, &arg);
    if (arg.self) {
        arg.file[1] = arg.file[0];
        if (arg.map_count == 0) {
            arg.maps[arg.map_count++] = (struct map){need_memory(strdup("c")), "rtl", 1, 3};
        }
    }

    struct dump a = {0}, b = {0};
    dump_open(&a, arg.file[0]);
    dump_open(&b, arg.file[1]);
    choose_signals(&a, &arg, false);
    choose_signals(&b, &arg, true);
    if (a.exponent != b.exponent) {
        die_with_message("%s counts time in %s, %s in %s", a.path, unit_of(a.exponent), b.path,
                         unit_of(b.exponent));
    }

    struct pair *pairs;
    size_t count = 0;
    size_t alone = make_pairs(&arg, &a, &b, &pairs, &count);
    if (count == 0) {
        die_with_message("%s and %s have no signal in common", a.path, b.path);
    }
    uint64_t end = a.last < b.last ? a.last : b.last;
    if (arg.to != UINT64_MAX && arg.to > end) {
        die_with_message("%s ends at %" PRIu64 ", before --to %" PRIu64,
                         a.last < b.last ? a.path : b.path, end, arg.to);
    }
    end = arg.to < end ? arg.to : end;
    if (a.last != b.last && end && arg.to > end) {
        end--; /* the shorter file ends here, so the longer one's changes at this time have no
                  counterpart */
    }
    struct comparison c = {&arg, &a, &b, pairs, count, NULL, NULL};
    bool different = compare_dumps(&c, end);
    if (!different && a.last != b.last && arg.to == UINT64_MAX && !arg.common) {
        printf("equal before %" PRIu64 ", but %s ends at %" PRIu64 " and %s at %" PRIu64 "\n",
               end + 1, a.path, a.last, b.path, b.last);
        different = true;
    } else if (!different) {
        printf("%s: %zu signals from %" PRIu64 " to %" PRIu64 " %s, %" PRIu64 " changes\n",
               alone ? "equal where both have a signal" : "equal", count,
               arg.from > a.first ? arg.from : a.first, end, unit_of(a.exponent), a.changes);
    }
    dump_close(&a);
    dump_close(&b);
    free(pairs);
    for (unsigned i = 0; i < arg.map_count; i++) {
        free(arg.maps[i].a);
    }
    return different || alone ? DIFFERENT : EQUAL;
}
