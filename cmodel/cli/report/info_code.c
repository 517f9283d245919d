/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/info_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wtr.h"

#define SOURCE_COLUMNS 88 /* of a source line that are shown */

/* --- source files --- */

/* The lines of a file, which the user may have or not. */
struct shown_file {
    bool tried;
    char **lines;
    uint32_t count;
};

static void read_lines(struct shown_file *f, const char *path) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    f->tried = true;
    while (file && (length = getline(&line, &room, file)) >= 0) {
        char **grown = realloc(f->lines, (f->count + 1) * sizeof *grown);
        if (!grown) {
            break;
        }
        f->lines = grown;
        line[strcspn(line, "\r\n")] = '\0';
        f->lines[f->count] = strdup(line + strspn(line, " \t"));
        f->count += f->lines[f->count] != NULL;
    }
    free(line);
    if (file) {
        fclose(file);
    }
}

static const char *text_of_line(struct shown_file *f, const char *path, uint32_t line) {
    if (!f->tried) {
        read_lines(f, path);
    }
    return line && line <= f->count ? f->lines[line - 1] : "";
}

static void free_files(struct shown_file *files, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (uint32_t k = 0; k < files[i].count; k++) {
            free(files[i].lines[k]);
        }
        free(files[i].lines);
    }
    free(files);
}

/* --- text --- */

static void write_operation(char *to, size_t room, const struct insn *i) {
    size_t used = (size_t)snprintf(to, room, "%s", wtr_op_name(i->op));
    if (insn_is_memory(i)) {
        used += (size_t)snprintf(to + used, room - used, " %s %u%s", wtr_space_name(i->space),
                                 i->width, i->uncached ? " uncached" : "");
    }
    if (i->dst != REG_NONE) {
        used += (size_t)snprintf(to + used, room - used, " r%u <-", i->dst);
    }
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        if (i->src[s] != REG_NONE) {
            used += (size_t)snprintf(to + used, room - used, " r%u", i->src[s]);
        }
    }
}

static const char *last_of_path(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The line, with a file other than the first, and its text where it is another one than before. */
static void print_place(const struct kernel_code *c, unsigned n, struct shown_file *files) {
    const struct kernel_source *s = c->source;
    const struct source_line *at = &s->lines[n], *before = n ? at - 1 : NULL;
    const bool same = before && before->line == at->line && before->file == at->file;
    if (insn_is_marker(&c->insns[n]) || !at->line) {
        return;
    }
    printf("  %5" PRIu32, at->line);
    const char *text = same ? "" : text_of_line(&files[at->file], s->files[at->file], at->line);
    if (!same && (at->file || *text)) {
        printf("  %s%s%.*s", at->file ? last_of_path(s->files[at->file]) : "", at->file ? ": " : "",
               SOURCE_COLUMNS, text);
    }
}

void info_print_code(const struct kernel_code *c) {
    struct shown_file *files = c->source ? calloc(c->source->file_count, sizeof *files) : NULL;
    printf("kernel %s: %u instructions, %u registers, %u shared bytes; %s\n", c->name,
           c->insn_count, c->registers, c->shared_bytes,
           c->source ? c->source->files[0] : "its source is not in the trace");
    for (unsigned n = 0; n < c->insn_count; n++) {
        char operation[128];
        write_operation(operation, sizeof operation, &c->insns[n]);
        if (insn_is_marker(&c->insns[n])) { /* has no place in memory */
            printf("%10s  %s", "", operation);
        } else {
            char pc[16];
            snprintf(pc, sizeof pc, "0x%" PRIx32, c->insns[n].pc);
            printf("%10s  %-*s", pc, files && c->source->lines[n].line ? 32 : 0, operation);
        }
        if (files) {
            print_place(c, n, files);
        }
        putchar('\n');
    }
    free_files(files, files ? c->source->file_count : 0);
}

/* --- JSON --- */

static json_t *code_insn_json(const struct kernel_code *c, unsigned n) {
    const struct insn *i = &c->insns[n];
    json_t *json =
        json_pack("{s:I, s:s}", "pc", (json_int_t)i->pc, "operation", wtr_op_name(i->op));
    json_t *reads = json_array();
    if (insn_is_memory(i)) {
        json_object_set_new(json, "space", json_string(wtr_space_name(i->space)));
        json_object_set_new(json, "bytes", json_integer(i->width));
        json_object_set_new(json, "uncached", json_boolean(i->uncached));
    }
    if (i->dst != REG_NONE) {
        json_object_set_new(json, "writes", json_integer(i->dst));
    }
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        if (i->src[s] != REG_NONE) {
            json_array_append_new(reads, json_integer(i->src[s]));
        }
    }
    json_object_set_new(json, "reads", reads);
    if (c->source && c->source->lines[n].line) {
        json_object_set_new(json, "file", json_string(c->source->files[c->source->lines[n].file]));
        json_object_set_new(json, "line", json_integer(c->source->lines[n].line));
    }
    return json;
}

json_t *info_code_json(const struct kernel_code *c) {
    json_t *insns = json_array();
    for (unsigned n = 0; n < c->insn_count; n++) {
        json_array_append_new(insns, code_insn_json(c, n));
    }
    return json_pack("{s:s, s:i, s:i, s:o}", "kernel", c->name, "registers", (int)c->registers,
                     "shared_bytes", (int)c->shared_bytes, "instructions", insns);
}
