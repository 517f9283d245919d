/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/file_hash.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool file_hash(const char *path, uint64_t *hash, char *error, size_t size) {
    unsigned char part[1 << 16];
    char shown[TEXT_SHOWN];
    FILE *f = fopen(path, "rb");
    size_t count;
    *hash = 0;
    while (f && (count = fread(part, 1, sizeof part, f))) {
        *hash = lzma_crc64(part, count, *hash);
    }
    bool good = f && !ferror(f);
    if (!good) {
        snprintf(error, size, "%s: cannot be read: %s", text_shown(shown, sizeof shown, path),
                 strerror(errno));
    }
    if (f) {
        fclose(f);
    }
    return good;
}
