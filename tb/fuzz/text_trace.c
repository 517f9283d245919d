/* SPDX-License-Identifier: Apache-2.0
 * warpmem's own text traces. A first byte chooses the machine; the rest is the text. The imported
 * trace must be a good trace file, and run. */
#include "fuzz/fuzz.h"

#include <inttypes.h>

#include "fuzz/promises.h"
#include "trace/text_trace.h"

static void check_text_progress(void *user, uint64_t done, uint64_t total) {
    (void)user;
    fuzz_check(done <= total, "%" PRIu64 " of %" PRIu64 " bytes are done", done, total);
}

static void run_text_trace_target(const uint8_t *data, size_t size) {
    static const struct wtr_origin origin = {"any", "-", 0};
    struct fuzz_bytes b = {data, size};
    atomic_int stop = 0;
    unsigned machine = fuzz_byte(&b);
    fuzz_save("t.txt", b.at, b.left);
    const char *path = fuzz_path("any.wtr");
    FILE *out = fopen(path, "wb"), *spool = fopen(fuzz_path("spool"), "wb+");
    fuzz_check(out && spool, "no room in %s", fuzz_folder());
    struct import i = {.path = fuzz_path("t.txt"),
                       .output = path,
                       .writer = wtr_writer_create(out, &origin),
                       .spool = spool,
                       .stop = &stop,
                       .progress = check_text_progress};
    enum import_status status = text_trace_import(&i);
    wtr_writer_destroy(i.writer);
    fclose(out);
    fclose(spool);
    if (status == IMPORT_GOOD) {
        fuzz_check(promise_trace(path, machine), "imported, and no good trace file");
    } else {
        fuzz_check(status == IMPORT_BAD_INPUT, "status %d: %s", (int)status, i.error);
        fuzz_one_line(i.error);
    }
}

const struct fuzz_target fuzz_text_trace = {"text_trace", run_text_trace_target};
