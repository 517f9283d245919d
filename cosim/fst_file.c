/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/fst_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <fstapi.h>

/* A section: a byte of its kind, then its length, which counts its own eight bytes. */
enum { LENGTH_BYTES = 8 };

/* Bytes: what stdio still holds of the hierarchy when the writer is closed, many times over. */
enum { ROOM_TO_CLOSE = 1 << 16 };

bool fst_file_has_room(const char *path, uint64_t bytes) {
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash && (size_t)(slash - path) < sizeof folder) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    }
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0) {
        return true; /* opening the file will give the reason */
    }
    return disk.f_bavail > bytes / disk.f_frsize;
}

void fst_file_make_room(const char *temporary) {
    if (!fst_file_has_room(temporary, ROOM_TO_CLOSE) && truncate(temporary, 0) != 0) {
        remove(temporary);
    }
}

static bool read_section(FILE *in, int *kind, uint64_t *length) {
    *kind = getc(in);
    *length = 0;
    for (unsigned i = 0; i < LENGTH_BYTES; i++) {
        int byte = getc(in);
        if (byte == EOF) {
            return false;
        }
        *length = *length << 8 | (unsigned)byte;
    }
    return *length >= LENGTH_BYTES;
}

static bool has_all_sections(FILE *in, long size) {
    bool header = false, geometry = false, hierarchy = false;
    long at = 0;
    while (at < size) {
        int kind;
        uint64_t length;
        if (fseek(in, at, SEEK_SET) != 0 || !read_section(in, &kind, &length) ||
            length > (uint64_t)(size - at - 1)) {
            return false;
        }
        header |= kind == FST_BL_HDR;
        geometry |= kind == FST_BL_GEOM;
        hierarchy |= kind == FST_BL_HIER || kind == FST_BL_HIER_LZ4 || kind == FST_BL_HIER_LZ4DUO;
        if (kind == FST_BL_SKIP) { /* the writer did not get to its end */
            return false;
        }
        at += 1 + (long)length;
    }
    return header && geometry && hierarchy;
}

bool fst_file_is_whole(const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) {
        return false;
    }
    long size = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    bool whole = has_all_sections(in, size);
    fclose(in);
    return whole;
}

bool fst_file_publish(const char *temporary, const char *path) {
    bool good = fst_file_is_whole(temporary) && rename(temporary, path) == 0;
    if (!good) {
        remove(temporary);
    }
    return good;
}
