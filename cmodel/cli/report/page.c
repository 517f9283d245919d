/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/json_build.h"
#include "cli/report/plot.h"
#include "cli/report/result_json.h"

bool page_possible(struct config_error *e) {
    return plot_script_works(PLOT_COMPARE, "--html", e);
}

/* The contents of the file. NULL: out of memory, or not UTF-8. */
static json_t *text_json(FILE *file) {
    long size = !fflush(file) && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    rewind(file);
    json_t *json = text && fread(text, 1, (size_t)size, file) == (size_t)size
                       ? json_stringn(text, (size_t)size)
                       : NULL;
    free(text);
    return json;
}

/* NULL: it could not be drawn. */
static json_t *picture_json(json_t *points) {
    FILE *svg = tmpfile();
    json_t *json = svg && plot_run(PLOT_COMPARE, ".svg", points, svg) ? text_json(svg) : NULL;
    if (svg) {
        fclose(svg);
    }
    return json;
}

static json_t *table_json(const struct columns *columns) {
    FILE *table = tmpfile();
    json_t *json = NULL;
    if (table) {
        columns_print_table(columns, '\t', table);
        json = text_json(table);
        fclose(table);
    }
    return json;
}

static json_t *command_json(char **words, int count) {
    json_t *json = json_pack("[s, s]", "warpmem", "compare");
    for (int i = 1; i < count; i++) {
        append_element(&json, json_string(words[i]));
    }
    return json;
}

/* "warpmem compare: atax, mvt and 3 more" */
static json_t *title_text(const json_t *points) {
    enum { NAMED = 4 };
    char names[400] = "";
    unsigned count = 0;
    size_t i, used = 0;
    const char *before = "";
    json_t *row;
    json_array_foreach(json_object_get(points, "rows"), i, row) {
        const char *name = json_string_value(json_object_get(row, "workload"));
        if (!name || !strcmp(name, before)) {
            continue; /* rows of a workload stand together */
        }
        before = name;
        if (count++ < NAMED) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.80s",
                                     count > 1 ? ", " : "", name);
        }
    }
    return count > NAMED ? json_sprintf("warpmem compare: %s and %u more", names, count - NAMED)
                         : json_sprintf("warpmem compare: %s", names);
}

/* "warpmem 0.1.0, commit 0123..., modified"; NULL: out of memory. */
static json_t *program_text(void) {
    json_t *program = result_program_json();
    const char *version = json_string_value(json_object_get(program, "version")),
               *commit = json_string_value(json_object_get(program, "commit"));
    json_t *text =
        json_sprintf("warpmem %s%s%s%s", version, commit ? ", commit " : "", commit ? commit : "",
                     json_is_true(json_object_get(program, "modified")) ? ", modified" : "");
    json_decref(program);
    return text;
}

bool page_write(const char *path, json_t *points, const struct columns *columns, char **words,
                int count, struct config_error *e) {
    struct output out;
    json_t *picture = points ? picture_json(points) : NULL;
    if (!picture) {
        json_decref(points);
        return config_fail(e, "--html: the picture could not be drawn");
    }
    json_t *document = json_pack("{s:o?, s:[{s:s, s:[[s, o]], s:o?, s:o?}], s:o?}", "title",
                                 title_text(points), "sections", "heading", "Speedups", "pictures",
                                 "Cycles under a machine's first scheme over those of each scheme",
                                 picture, "table", table_json(columns), "repeat",
                                 command_json(words, count), "foot", program_text());
    bool good = (document || config_fail(e, "out of memory")) && output_open(&out, path, e);
    if (good && !plot_run(PLOT_PAGE, ".html", document, out.file)) {
        output_abandon(&out);
        good = config_fail(e, "--html: the page could not be made");
    } else if (good) {
        good = output_commit(&out, e);
    }
    json_decref(document);
    json_decref(points);
    return good;
}
