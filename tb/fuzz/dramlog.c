/* SPDX-License-Identifier: Apache-2.0
 * Logs of DRAM commands, as dramcheck reads them. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/dramcheck.h"

static void run_dramlog_target(const uint8_t *data, size_t size) {
    char *said = NULL, *wrong = NULL;
    size_t room;
    FILE *in = fopen(fuzz_save("any.log", data, size), "r"), *out = open_memstream(&said, &room),
         *err = open_memstream(&wrong, &room);
    fuzz_check(in && out && err, "out of memory");
    int status = dramcheck_log(in, "any.log", out, err);
    fclose(in);
    fclose(out);
    fclose(err);
    if (status == DRAMCHECK_BAD_FILE) {
        size_t length = strlen(wrong);
        fuzz_check(!*said && length && wrong[length - 1] == '\n', "\"%s\", \"%s\"", said, wrong);
        wrong[length - 1] = '\0';
        fuzz_one_line(wrong);
    } else {
        fuzz_check(!*wrong && !strncmp(said, status == DRAMCHECK_LEGAL ? "legal: " : "illegal: ",
                                       status == DRAMCHECK_LEGAL ? 7 : 9),
                   "status %d: \"%s\", \"%s\"", status, said, wrong);
    }
    free(said);
    free(wrong);
}

const struct fuzz_target fuzz_dramlog = {"dramlog", run_dramlog_target};
