/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/import.h"

#include <sys/stat.h>

#include "base/text.h"

enum import_status import_failure(struct import *i, const struct text_lines *lines) {
    if (lines && text_lines_error(lines)) {
        snprintf(i->error, sizeof i->error, "%s", text_lines_error(lines));
        return IMPORT_BAD_INPUT;
    }
    if (wtr_writer_error(i->writer)) {
        snprintf(i->error, sizeof i->error, "%s", wtr_writer_error(i->writer));
        return IMPORT_FAILED;
    }
    if (*i->stop) {
        return IMPORT_STOPPED;
    }
    snprintf(i->error, sizeof i->error, "out of memory");
    return IMPORT_FAILED;
}

struct text_lines *import_open(struct import *i, const char *path) {
    struct stat in, out;
    if (!i->output || stat(path, &in) || stat(i->output, &out) || in.st_dev != out.st_dev ||
        in.st_ino != out.st_ino) {
        return text_lines_open(path, i->error);
    }
    char shown[TEXT_LINES_ERROR / 2];
    snprintf(i->error, sizeof i->error, "%s: is read and would be written: must be another file",
             text_shown(shown, sizeof shown, path));
    return NULL;
}
