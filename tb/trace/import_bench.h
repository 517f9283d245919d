/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of text traces, imported into a file beside them.
 */
#ifndef WARPMEM_TB_TRACE_IMPORT_BENCH_H
#define WARPMEM_TB_TRACE_IMPORT_BENCH_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/accelsim_import.h"
#include "trace/text_trace.h"
#include "trace/wtr_reader.h"

struct import_bench {
    char folder[64], list[128], output[128];
    struct import *import; /* of the last bench_import() */
    struct accelsim_notes notes;
    atomic_int stop;
    bool named;        /* struct import's */
    unsigned progress; /* calls */
};

static inline const char *bench_path(const struct import_bench *b, const char *file,
                                     char path[256]) {
    snprintf(path, 256, "%s/%s", b->folder, file);
    return path;
}

static inline void import_bench_open(struct import_bench *b) {
    *b = (struct import_bench){.folder = "/tmp/warpmem_import_XXXXXX"};
    assert_non_null(mkdtemp(b->folder));
    snprintf(b->list, sizeof b->list, "%s/kernelslist.g", b->folder);
    snprintf(b->output, sizeof b->output, "%s/out.wtr", b->folder);
    b->import = calloc(1, sizeof *b->import);
}

static inline void bench_close(struct import_bench *b) {
    char path[512];
    DIR *d = opendir(b->folder);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", b->folder, e->d_name);
        remove(path);
    }
    closedir(d);
    rmdir(b->folder);
    free(b->import);
}

static inline void bench_file(const struct import_bench *b, const char *file, const char *text) {
    char path[256];
    FILE *f = fopen(bench_path(b, file, path), "wb");
    assert_true(f && fwrite(text, 1, strlen(text), f) == strlen(text));
    fclose(f);
}

__attribute__((format(printf, 2, 3))) static inline void bench_list(const struct import_bench *b,
                                                                    const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bench_file(b, "kernelslist.g", text);
}

static inline void bench_progress(void *user, uint64_t done, uint64_t total) {
    struct import_bench *b = user;
    assert_true(done <= total);
    b->progress++;
}

/* Imports the list, or a text trace. */
static inline enum import_status bench_import_by(struct import_bench *b, const char *path,
                                                 bool text) {
    struct wtr_origin origin = {"imported", "-", 0};
    FILE *out = fopen(b->output, "wb"), *spool = tmpfile();
    assert_true(out && spool);
    struct wtr_writer *w = wtr_writer_create(out, &origin);
    assert_non_null(w);
    memset(&b->notes, 0, sizeof b->notes);
    *b->import = (struct import){.path = path,
                                 .writer = w,
                                 .named = b->named,
                                 .spool = spool,
                                 .stop = &b->stop,
                                 .progress = bench_progress,
                                 .progress_user = b};
    enum import_status status =
        text ? text_trace_import(b->import) : accelsim_import(b->import, &b->notes);
    wtr_writer_destroy(w);
    fclose(spool);
    assert_int_equal(fclose(out), 0);
    return status;
}

static inline enum import_status bench_import(struct import_bench *b) {
    return bench_import_by(b, b->list, false);
}

static inline struct wtr_reader *bench_reader(const struct import_bench *b) {
    char error[1024];
    struct wtr_reader *r = wtr_reader_open(b->output, error, sizeof error);
    if (!r) {
        fail_msg("%s", error);
    }
    return r;
}

#endif
