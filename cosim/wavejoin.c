/* SPDX-License-Identifier: Apache-2.0
 *
 * wavejoin joins FST dumps of one run in one file, because GTKWave shows only one: a block's ports
 * and the inside of its Verilog, or several blocks.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fstapi.h>

#include "cli/wave/wave_stream.h"
#include "cosim/fst_file.h"

enum { FILES_MAX = 64, DEPTH_MAX = 256 };

/* One file, and its handles in the joined one. */
struct input {
    const char *name; /* scope in place of its own top one; NULL: that stays */
    struct dump dump;
    fstHandle *to;  /* by its handle */
    size_t differs; /* its handle of top.differs, which wave.h describes; 0: none */
};

struct arguments {
    char *file[FILES_MAX];
    unsigned count;
    const char *output;
    bool list;
};

/* --- scopes and signals ----------------------------------------------------------------------- */

/* The scopes that are open in the joined file, as "a.b.c". */
struct scopes {
    void *fst;
    char *open[DEPTH_MAX];
    unsigned depth;
};

static void close_scopes(struct scopes *s, unsigned depth) {
    while (s->depth > depth) {
        fstWriterSetUpscope(s->fst);
        free(s->open[--s->depth]);
    }
}

/* Opens the scopes of @path but for its last part, which it returns: the signal's name. */
static const char *enter_scopes(struct scopes *s, const char *path) {
    unsigned depth = 0;
    const char *dot;
    for (; (dot = strchr(path, '.')); path = dot + 1, depth++) {
        const size_t length = (size_t)(dot - path);
        if (depth < s->depth && strlen(s->open[depth]) == length &&
            !memcmp(s->open[depth], path, length)) {
            continue;
        }
        close_scopes(s, depth);
        if (depth == DEPTH_MAX) {
            die_with_message("%s: more than %d scopes deep", path, DEPTH_MAX);
        }
        s->open[s->depth++] = need_memory(strndup(path, length));
        fstWriterSetScope(s->fst, FST_ST_VCD_MODULE, s->open[depth], NULL);
    }
    close_scopes(s, depth);
    return path;
}

/* The signal's path in the joined file; the caller frees it. */
static char *joined_path(const struct input *in, const struct signal *s) {
    const char *rest = in->name ? strchr(s->name, '.') : NULL;
    const size_t size = strlen(s->name) + (in->name ? strlen(in->name) : 0) + 2;
    char *path = need_memory(malloc(size));
    if (in->name) {
        snprintf(path, size, "%s.%s", in->name, rest ? rest + 1 : s->name);
    } else {
        snprintf(path, size, "%s", s->name);
    }
    return path;
}

static bool is_differs(const struct signal *s) {
    const char *dot = strchr(s->name, '.');
    return dot && s->bits == 1 && !strcmp(dot + 1, "differs");
}

static void declare_signals_of(struct input *in, struct scopes *scopes) {
    struct dump *d = &in->dump;
    in->to = need_memory(calloc(d->handles + 1, sizeof *in->to));
    for (size_t i = 0; i < d->all_count; i++) {
        const struct signal *s = &d->all[i];
        char *path = joined_path(in, s), *full;
        const char *name = enter_scopes(scopes, path);
        const size_t size = strlen(name) + (s->range ? strlen(s->range) : 0) + 2;
        full = need_memory(malloc(size));
        snprintf(full, size, "%s%s%s", name, s->range ? " " : "", s->range ? s->range : "");
        const fstHandle made = fstWriterCreateVar(scopes->fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                                                  s->bits, full, in->to[s->handle]);
        if (!in->to[s->handle]) {
            in->to[s->handle] = made;
        }
        if (is_differs(s)) {
            in->differs = s->handle;
        }
        free(full);
        free(path);
    }
}

/* GTKWave would show two scopes of one name as one, with signals of both. */
static void refuse_equal_tops(const struct input *in, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++) {
            char *a = joined_path(&in[i], &in[i].dump.all[0]);
            char *b = joined_path(&in[k], &in[k].dump.all[0]);
            a[strcspn(a, ".")] = b[strcspn(b, ".")] = '\0';
            if (!strcmp(a, b)) {
                die_with_message("%s and %s both have the scope %s: name them, as in "
                                 "sm0=%s sm1=%s",
                                 in[k].dump.path, in[i].dump.path, a, in[k].dump.path,
                                 in[i].dump.path);
            }
            free(a);
            free(b);
        }
    }
}

/* --- changes ---------------------------------------------------------------------------------- */

static bool any_differs(const struct input *in, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const char *value = in[i].differs ? in[i].dump.value[in[i].differs] : NULL;
        if (value && *value == '1') {
            return true;
        }
    }
    return false;
}

/* Writes the changes of all files in the order of time, and at its end the last of their times. */
static void join_changes(void *fst, struct input *in, unsigned count, fstHandle differs) {
    uint64_t end = 0;
    int shown = -1;
    for (unsigned i = 0; i < count; i++) {
        dump_next(&in[i].dump);
        end = in[i].dump.last > end ? in[i].dump.last : end;
    }
    for (;;) {
        uint64_t time = UINT64_MAX;
        for (unsigned i = 0; i < count; i++) {
            time = in[i].dump.time < time ? in[i].dump.time : time;
        }
        if (time == UINT64_MAX) {
            break;
        }
        fstWriterEmitTimeChange(fst, time);
        for (unsigned i = 0; i < count; i++) {
            struct dump *d = &in[i].dump;
            while (!d->ended && d->time == time) {
                const uint32_t handle = d->handle;
                dump_apply(d);
                if (in[i].to[handle]) {
                    fstWriterEmitValueChange(fst, in[i].to[handle], d->value[handle]);
                }
                dump_next(d);
            }
        }
        const int now = any_differs(in, count);
        if (differs && now != shown) {
            fstWriterEmitValueChange(fst, differs, now ? "1" : "0");
            shown = now;
        }
    }
    fstWriterEmitTimeChange(fst, end);
}

static void *open_joined(const char *path) {
    if (!fst_file_has_room(path, FST_ROOM_TO_OPEN)) {
        die_with_message("%s: cannot write: a wave needs %d bytes of its disk free", path,
                         FST_ROOM_TO_OPEN);
    }
    void *fst = fstWriterCreate(path, 1);
    if (!fst) {
        die_with_message("%s: cannot write: %s", path, strerror(errno));
    }
    fstWriterSetPackType(fst, FST_WR_PT_LZ4);
    fstWriterSetDate(fst, ""); /* the same run gives the same file */
    fstWriterSetVersion(fst, "warpmem");
    return fst;
}

/* The writer's file and the one beside it, which an early end would leave. */
static char *unfinished[2];

static void remove_unfinished(void) {
    for (unsigned i = 0; i < 2 && unfinished[i]; i++) {
        remove(unfinished[i]);
    }
}

static void join_files(struct input *in, unsigned count, const char *output) {
    const size_t size = strlen(output) + sizeof ".part";
    char *temporary = need_memory(malloc(size));
    unsigned with_differs = 0;
    snprintf(temporary, size, "%s.part", output);
    unfinished[0] = temporary;
    unfinished[1] = need_memory(malloc(size + sizeof ".hier"));
    snprintf(unfinished[1], size + sizeof ".hier", "%s.hier", temporary);
    atexit(remove_unfinished);
    struct scopes scopes = {.fst = open_joined(temporary)};
    fstWriterSetTimescale(scopes.fst, (int)in[0].dump.exponent);
    for (unsigned i = 0; i < count; i++) {
        declare_signals_of(&in[i], &scopes);
        with_differs += in[i].differs != 0;
    }
    close_scopes(&scopes, 0);
    fstHandle differs = 0;
    if (with_differs > 1) {
        differs = fstWriterCreateVar(scopes.fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1,
                                     enter_scopes(&scopes, "any.differs"), 0);
        close_scopes(&scopes, 0);
    }
    join_changes(scopes.fst, in, count, differs);
    fst_file_make_room(temporary);
    fstWriterClose(scopes.fst);
    if (!fst_file_publish(temporary, output)) {
        die_with_message("%s: cannot write all of the wave (disk full?); no file is left", output);
    }
    free(unfinished[1]);
    free(temporary);
    unfinished[0] = unfinished[1] = NULL;
}

/* --- arguments -------------------------------------------------------------------------------- */

enum { LIST = 256 };

/* clang-format off */
static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The joined dump; it appears whole or not at all", 0},
    {"list", LIST, NULL, 0, "Only print the signals of the files: path and bits, a line each", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};
/* clang-format on */

static error_t parse_wavejoin_option(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case 'o': a->output = arg; break;
    case LIST: a->list = true; break;
    case 'h': argp_state_help(state, stdout, ARGP_HELP_STD_HELP); break;
    case ARGP_KEY_ARG:
        if (a->count == FILES_MAX) {
            argp_error(state, "more than %d files", FILES_MAX);
        }
        a->file[a->count++] = arg;
        break;
    case ARGP_KEY_END:
        if (!a->count) {
            argp_error(state, "a file is needed");
        }
        if (!a->output == !a->list) {
            argp_error(state, "-o FILE or --list: one of the two");
        }
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* NAME=FILE, or FILE. */
static void open_input(struct input *in, char *word) {
    char *equals = strchr(word, '='), *slash = strchr(word, '/');
    if (equals && (!slash || equals < slash)) {
        *equals = '\0';
        in->name = word;
        word = equals + 1;
        if (!*in->name || strchr(in->name, '.')) {
            die_with_message("%s=%s: must be NAME=FILE, without a dot in the name", in->name, word);
        }
    }
    dump_open(&in->dump, word);
    if (!in->dump.all_count) {
        die_with_message("%s: has no signal", word);
    }
}

static void list_signals(const struct input *in, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (size_t k = 0; k < in[i].dump.all_count; k++) {
            char *path = joined_path(&in[i], &in[i].dump.all[k]);
            printf("%s\t%" PRIu32 "\n", path, in[i].dump.all[k].bits);
            free(path);
        }
    }
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        options,
        parse_wavejoin_option,
        "[NAME=]FILE.fst... -o JOINED.fst\n[NAME=]FILE.fst... --list",
        "Join FST dumps of one run, as GTKWave shows only one at a time.\v"
        "NAME is the scope of that file's signals, in place of its top one. Where several files "
        "have a signal `differs` below their top scope, any.differs is 1 while one of them is.\n"
        "Exit: 0 done, 2 error.\n"
        "For example:\n"
        "  warpmem-rtl run atax --scheme mrpb --lockstep l1/mrpb@sm0 --wave ports.fst "
        "--wave-inside inside.fst\n"
        "  wavejoin ports.fst inside.fst -o mrpb.fst",
        NULL,
        NULL,
        NULL};
    struct arguments arg = {0};
    static struct input in[FILES_MAX];
    argp_err_exit_status = TROUBLE;
    argp_parse(&argp, argc, argv, 0, NULL, &arg);
    for (unsigned i = 0; i < arg.count; i++) {
        open_input(&in[i], arg.file[i]);
        if (in[i].dump.exponent != in[0].dump.exponent) {
            die_with_message("%s and %s count time in different units", in[0].dump.path,
                             in[i].dump.path);
        }
    }
    refuse_equal_tops(in, arg.count);
    if (arg.list) {
        list_signals(in, arg.count);
    } else {
        join_files(in, arg.count, arg.output);
    }
    for (unsigned i = 0; i < arg.count; i++) {
        dump_close(&in[i].dump);
        free(in[i].to);
    }
    return EQUAL;
}
