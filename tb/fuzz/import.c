/* SPDX-License-Identifier: Apache-2.0
 * Accel-Sim's text traces. A byte of how, then texts with a zero between them: the list of kernels,
 * and the files that it may name, kernel-1.traceg and kernel-2.traceg. The imported trace must be a
 * good trace file, and run. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/promises.h"
#include "trace/accelsim_import.h"
#include "trace/accelsim_writer.h"
#include "trace/wtr_writer.h"

/* Bits of the first byte; the others choose the machine. */
enum { PACKED = 1, RAW = 2, MACHINE = 2 };

static void no_progress(void *user, uint64_t done, uint64_t total) {
    (void)user;
    fuzz_check(done <= total, "%" PRIu64 " of %" PRIu64 " bytes are done", done, total);
}

static void save_text(const char *name, struct fuzz_bytes *b, bool packed) {
    char *text = fuzz_text(b);
    fuzz_check(accelsim_save(fuzz_path(name), text, strlen(text), packed), "%s", name);
    free(text);
}

static void run_import_target(const uint8_t *data, size_t size) {
    static const struct wtr_origin origin = {"any", "-", 0};
    struct fuzz_bytes b = {data, size};
    atomic_int stop = 0;
    unsigned how = fuzz_byte(&b);
    save_text("kernelslist.g", &b, false);
    if (how & RAW) { /* damaged xz, mostly */
        fuzz_save("kernel-1.traceg", b.at, b.left);
        fuzz_save("kernel-2.traceg", "", 0);
    } else {
        save_text("kernel-1.traceg", &b, how & PACKED);
        save_text("kernel-2.traceg", &b, false);
    }
    const char *path = fuzz_path("any.wtr"), *list = fuzz_path("kernelslist.g");
    FILE *out = fopen(path, "wb"), *spool = fopen(fuzz_path("spool"), "wb+");
    struct import *i = calloc(1, sizeof *i);
    struct accelsim_notes *notes = calloc(1, sizeof *notes);
    fuzz_check(out && spool && i && notes, "no room in %s", fuzz_folder());
    *i = (struct import){.path = list,
                         .output = path,
                         .writer = wtr_writer_create(out, &origin),
                         .spool = spool,
                         .stop = &stop,
                         .progress = no_progress};
    enum import_status status = accelsim_import(i, notes);
    wtr_writer_destroy(i->writer);
    fclose(out);
    fclose(spool);
    if (status == IMPORT_GOOD) {
        fuzz_check(promise_trace(path, how >> MACHINE), "imported, and no good trace file");
    } else {
        fuzz_check(status == IMPORT_BAD_INPUT, "status %d: %s", (int)status, i->error);
        fuzz_one_line(i->error);
    }
    free(notes);
    free(i);
}

const struct fuzz_target fuzz_import = {"import", run_import_target};
