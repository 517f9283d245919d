/* SPDX-License-Identifier: Apache-2.0
 * The header of a kernel's file: "-name = value" lines. */
#include "trace/accelsim_kernel.h"

#include <stdlib.h>
#include <string.h>

#define VERSION_MIN 3
#define VERSION_MAX 5

/* The value, if the line is this "-name = value". */
static const char *header_value(const char *line, const char *name) {
    size_t length = strlen(name);
    if (strncmp(line, name, length)) {
        return NULL;
    }
    const char *at = line + length;
    at += strspn(at, " ");
    return *at == '=' ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool header_number(struct text_lines *t, const char *name, const char *value, uint64_t most,
                          unsigned *to) {
    uint64_t n;
    if (!accelsim_unsigned(&value, most, &n) || value[strspn(value, " ")]) {
        return text_lines_fail(t, "%s: must be 0..%llu", name, (unsigned long long)most);
    }
    *to = (unsigned)n;
    return true;
}

static bool header_address(struct text_lines *t, const char *name, const char *value,
                           uint64_t *to) {
    return (accelsim_hex(&value, to) && !value[strspn(value, " ")]) ||
           text_lines_fail(t, "%s: must be a hexadecimal address", name);
}

static bool header_triple(struct text_lines *t, const char *name, const char *value, uint64_t most,
                          unsigned to[3]) {
    uint64_t product = 1;
    const char *at = value;
    bool good = *at == '(';
    for (unsigned i = 0; good && i < 3; i++) {
        char *end;
        unsigned long long n = at[1] >= '0' && at[1] <= '9' ? strtoull(at + 1, &end, 10) : 0;
        good = n >= 1 && n <= most && *end == (i == 2 ? ')' : ',');
        if (good) {
            product *= n; /* at most 2^31 times 2^31 */
            good = product <= most;
            to[i] = (unsigned)n;
            at = end;
        }
    }
    return good || text_lines_fail(t, "%s: must be (x,y,z) with 1..%llu in all", name,
                                   (unsigned long long)most);
}

static void keep_name(struct accelsim_header *h, const char *value) {
    snprintf(h->name, sizeof h->name, "%s", value);
    for (char *p = h->name; *p; p++) {
        *p = *p >= 0x20 && *p < 0x7f ? *p : '?';
    }
    h->has_name = true;
}

static bool take_header_line(struct accelsim_header *h, struct text_lines *t, const char *line) {
    const char *v;
    if ((v = header_value(line, "-kernel name"))) {
        keep_name(h, v);
        return true;
    }
    if ((v = header_value(line, "-grid dim"))) {
        h->has_grid = true;
        return header_triple(t, "grid dim", v, WTR_CTAS_MAX, h->grid);
    }
    if ((v = header_value(line, "-block dim"))) {
        h->has_block = true;
        return header_triple(t, "block dim", v, CTA_WARPS_MAX * WARP_SIZE, h->block);
    }
    if ((v = header_value(line, "-shmem base_addr"))) {
        return header_address(t, "shmem base_addr", v, &h->shared_base);
    }
    if ((v = header_value(line, "-local mem base_addr"))) {
        return header_address(t, "local mem base_addr", v, &h->local_base);
    }
    if ((v = header_value(line, "-shmem"))) {
        return header_number(t, "shmem", v, WTR_SHARED_MAX, &h->shared_bytes);
    }
    if ((v = header_value(line, "-nregs"))) {
        return header_number(t, "nregs", v, WTR_REGISTERS_MAX, &h->registers);
    }
    if ((v = header_value(line, "-enable lineinfo"))) {
        return header_number(t, "enable lineinfo", v, 1, &h->line_numbers);
    }
    if ((v = header_value(line, "-accelsim tracer version"))) {
        h->has_version = true;
        if (!header_number(t, "accelsim tracer version", v, 1000, &h->version)) {
            return false;
        }
        return (h->version >= VERSION_MIN && h->version <= VERSION_MAX) ||
               text_lines_fail(t, "tracer version %u: must be %d..%d", h->version, VERSION_MIN,
                               VERSION_MAX);
    }
    return true; /* kernel id, binary version, cuda stream, nvbit version, what is to come */
}

static bool header_complete(const struct accelsim_header *h, struct text_lines *t) {
    const char *missing = !h->has_name      ? "-kernel name"
                          : !h->has_grid    ? "-grid dim"
                          : !h->has_block   ? "-block dim"
                          : !h->has_version ? "-accelsim tracer version"
                                            : NULL;
    return !missing || text_lines_fail(t, "no \"%s\" so far: must come before #BEGIN_TB", missing);
}

bool accelsim_header_read(struct accelsim_header *h, struct text_lines *t) {
    const char *line;
    size_t length;
    *h = (struct accelsim_header){0};
    while (text_lines_next(t, &line, &length)) {
        if (!strcmp(line, "#BEGIN_TB")) {
            return header_complete(h, t);
        }
        if (*line == '-' && !take_header_line(h, t, line)) {
            return false;
        }
        if (*line >= '0' && *line <= '9') {
            return text_lines_fail(t, ACCELSIM_UNPROCESSED);
        }
        if (*line && *line != '-' && *line != '#') {
            return text_lines_fail(t,
                                   "not a line of the head: must be \"-name = value\", #BEGIN_TB "
                                   "or a comment (#)");
        }
    }
    return text_lines_fail(t, "the file ends in its head: must have #BEGIN_TB");
}
