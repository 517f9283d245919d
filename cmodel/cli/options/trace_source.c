/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/trace_source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "trace/text_trace.h"
#include "trace/wtr_reader.h"

bool trace_source_is(const char *word) {
    size_t length = strlen(word);
    return strchr(word, '/') || (length >= 4 && !strcmp(word + length - 4, ".wtr"));
}

/* A trace has no results; the counts are compared with those of the recording. */
static const char *check_trace_results(void *self) {
    (void)self;
    return NULL;
}

static void expect_trace_counts(const void *self, unsigned line_bytes,
                                struct workload_expectation *e) {
    (void)line_bytes;
    const struct wtr_totals *t = wtr_reader_totals(self);
    *e = (struct workload_expectation){t->warp_instructions, t->thread_instructions,
                                       WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN};
}

static void close_trace(void *self) {
    wtr_reader_close(self);
}

/* Accel-Sim's "kernelslist.g". */
static bool is_list_of_traces(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    return !strncmp(name, "kernelslist", strlen("kernelslist")) ||
           (length >= 2 && !strcmp(name + length - 2, ".g"));
}

bool trace_source_is_text(const char *path) {
    char first[sizeof TEXT_TRACE_MAGIC] = "";
    struct stat st;
    FILE *f = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL; /* no pipe */
    bool is = f && fread(first, 1, sizeof first - 1, f) && !strcmp(first, TEXT_TRACE_MAGIC);
    if (f) {
        fclose(f);
    }
    return is;
}

bool trace_source_open(struct trace_source *t, const char *path, char error[TRACE_SOURCE_ERROR]) {
    char shown[TEXT_SHOWN];
    struct stat st;
    if (!stat(path, &st) && S_ISFIFO(st.st_mode)) { /* its writer is gone after the first reading */
        snprintf(error, TRACE_SOURCE_ERROR, "%s: a pipe: must be a file, which is opened twice",
                 text_shown(shown, sizeof shown, path));
        return false;
    }
    struct wtr_reader *r = wtr_reader_open(path, error, TRACE_SOURCE_ERROR);
    if (!r) {
        size_t used = strlen(error);
        if (is_list_of_traces(path)) {
            snprintf(error + used, TRACE_SOURCE_ERROR - used,
                     "; `warpmem import` makes a trace of Accel-Sim's list");
        } else if (trace_source_is_text(path)) {
            snprintf(error + used, TRACE_SOURCE_ERROR - used,
                     "; `warpmem import --format text` makes a trace of this text");
        }
        return false;
    }
    *t = (struct trace_source){.path = path, .origin = *wtr_reader_origin(r)};
    wtr_reader_close(r);
    snprintf(t->about, sizeof t->about, "replay of %s", text_shown(shown, sizeof shown, path));
    t->workload = (struct workload){
        .name = t->origin.workload,
        .suite = "trace",
        .about = t->about,
        .size_text = {[SIZE_SMALL] = t->about},
        .check = check_trace_results,
        .expect = expect_trace_counts,
        .release = close_trace,
    };
    return true;
}

const char *trace_source_start(const struct trace_source *t, struct program *p,
                               char error[TRACE_SOURCE_ERROR]) {
    struct wtr_reader *r = wtr_reader_open(t->path, error, TRACE_SOURCE_ERROR);
    if (!r) {
        return error;
    }
    if (t->launch) {
        wtr_reader_only(r, t->launch);
    }
    *p = wtr_reader_program(r);
    return NULL;
}

void trace_source_length(const struct trace_source *t, uint64_t *warp_instructions,
                         uint64_t *launches) {
    char error[TRACE_SOURCE_ERROR];
    struct wtr_item item;
    struct wtr_reader *r = wtr_reader_open(t->path, error, sizeof error);
    while (r && wtr_reader_item(r, &item)) {
        if (item.kind == WTR_ITEM_END) {
            *warp_instructions = item.totals.warp_instructions;
            *launches = item.launches;
        }
    }
    if (r) {
        wtr_reader_close(r);
    }
}

const char *trace_source_broken(const struct trace_source *t, const struct program *p) {
    return t->path && p->self ? wtr_reader_error(p->self) : NULL;
}
