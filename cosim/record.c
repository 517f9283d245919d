/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum {
    VERSION = 1,
    HEADER = 20,
    CHUNK = 1 << 16,
    PACKED_MAX = CHUNK + CHUNK / 8 + 64, /* above zlib's bound for a chunk */
    DESCRIPTION_MAX = 1 << 16,
    DELTA_BYTES_MAX = 10,
};

static const char magic[8] = "WARPSTIM";

static void fail_record(char *error, size_t size, const char *path, const char *format, ...) {
    int n = snprintf(error, size, "%s: ", path);
    if (n >= 0 && (size_t)n < size) {
        va_list list;
        va_start(list, format);
        vsnprintf(error + n, size - (size_t)n, format, list);
        va_end(list);
    }
}

static void put_u32(unsigned char *to, uint32_t v) {
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(v >> 8 * i);
    }
}

static uint32_t get_u32(const unsigned char *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static size_t record_bytes(const struct port_table *ports) {
    size_t bytes = 0;
    for (unsigned i = 0; i < ports->in_count; i++) {
        bytes += (port_bits(&ports->in[i]) + 7) / 8;
    }
    return bytes;
}

/* The description that files of these ports have; NULL: out of memory or too long. */
static char *describe_record(const struct port_table *ports) {
    char *text = malloc(DESCRIPTION_MAX);
    if (!text) {
        return NULL;
    }
    int n = snprintf(text, DESCRIPTION_MAX, "block %s\n", ports->block->name);
    for (unsigned i = 0; i < ports->block->param_count && n < DESCRIPTION_MAX; i++) {
        n += snprintf(text + n, (size_t)(DESCRIPTION_MAX - n), "param %s %u\n",
                      ports->block->params[i].name, ports->params[i]);
    }
    for (unsigned i = 0; i < ports->in_count && n < DESCRIPTION_MAX; i++) {
        n += snprintf(text + n, (size_t)(DESCRIPTION_MAX - n), "%s %s %u x %u\n",
                      ports->in[i].late ? "late" : "in", ports->in[i].name, ports->in[i].count,
                      ports->in[i].bits);
    }
    if (n >= DESCRIPTION_MAX || record_bytes(ports) + DELTA_BYTES_MAX > CHUNK) {
        free(text);
        return NULL;
    }
    return text;
}

struct stimulus_writer {
    const struct port_table *ports;
    FILE *file;
    char *path, *temporary;
    uint64_t *words;
    size_t record, used;
    uint64_t count, last;
    bool failed;
    unsigned char raw[CHUNK], packed[PACKED_MAX];
};

static void writer_free(struct stimulus_writer *w) {
    free(w->path);
    free(w->temporary);
    free(w->words);
    free(w);
}

struct stimulus_writer *stimulus_writer_open(const char *path, const struct port_table *ports,
                                             char *error, size_t size) {
    struct stimulus_writer *w = calloc(1, sizeof *w);
    char *text = describe_record(ports);
    if (w) {
        w->ports = ports;
        w->record = record_bytes(ports);
        w->words = calloc(ports->words_max + 1, sizeof *w->words);
        w->path = malloc(strlen(path) + 1);
        w->temporary = malloc(strlen(path) + 6);
    }
    if (!w || !text || !w->words || !w->path || !w->temporary) {
        fail_record(error, size, path, "out of memory");
        goto failed;
    }
    sprintf(w->path, "%s", path);
    sprintf(w->temporary, "%s.part", path);
    w->file = fopen(w->temporary, "wb");
    if (!w->file) {
        fail_record(error, size, path, "cannot write: %s", strerror(errno));
        goto failed;
    }
    unsigned char header[HEADER];
    size_t length = strlen(text);
    memcpy(header, magic, 8);
    put_u32(header + 8, VERSION);
    put_u32(header + 12, (uint32_t)length);
    put_u32(header + 16, (uint32_t)crc32(0, (const Bytef *)text, (uInt)length));
    w->failed =
        fwrite(header, 1, HEADER, w->file) != HEADER || fwrite(text, 1, length, w->file) != length;
    free(text);
    return w;
failed:
    free(text);
    if (w) {
        writer_free(w);
    }
    return NULL;
}

static void flush_record(struct stimulus_writer *w) {
    uLongf packed = PACKED_MAX;
    unsigned char header[12];
    if (w->used == 0 || w->failed) {
        return;
    }
    if (compress2(w->packed, &packed, w->raw, w->used, 1) != Z_OK) {
        w->failed = true;
        return;
    }
    put_u32(header, (uint32_t)w->used);
    put_u32(header + 4, (uint32_t)packed);
    put_u32(header + 8, (uint32_t)crc32(0, w->packed, (uInt)packed));
    w->failed = fwrite(header, 1, sizeof header, w->file) != sizeof header ||
                fwrite(w->packed, 1, packed, w->file) != packed;
    w->used = 0;
}

bool stimulus_write(struct stimulus_writer *w, uint64_t cycle, const void *in) {
    if (w->used + w->record + DELTA_BYTES_MAX > CHUNK) {
        flush_record(w);
    }
    uint64_t delta = cycle - w->last;
    do {
        w->raw[w->used++] = (unsigned char)((delta & 0x7f) | (delta > 0x7f ? 0x80 : 0));
        delta >>= 7;
    } while (delta);
    for (unsigned i = 0; i < w->ports->in_count; i++) {
        const struct port_desc *port = &w->ports->in[i];
        port_get(port, in, w->words);
        for (unsigned b = 0; b < (port_bits(port) + 7) / 8; b++) {
            w->raw[w->used++] = (unsigned char)(w->words[b / 8] >> 8 * (b % 8));
        }
    }
    w->last = cycle;
    w->count++;
    return !w->failed;
}

bool stimulus_writer_close(struct stimulus_writer *w, char *error, size_t size) {
    if (!w) {
        return true;
    }
    unsigned char end[12] = {0};
    flush_record(w);
    put_u32(end + 4, (uint32_t)w->count);
    put_u32(end + 8, (uint32_t)(w->count >> 32));
    bool good = !w->failed && fwrite(end, 1, sizeof end, w->file) == sizeof end;
    good = fclose(w->file) == 0 && good;
    good = good && rename(w->temporary, w->path) == 0;
    if (!good) {
        fail_record(error, size, w->path, "cannot write: %s", strerror(errno));
        remove(w->temporary);
    }
    writer_free(w);
    return good;
}

struct stimulus_reader {
    const struct port_table *ports;
    FILE *file;
    char *path;
    uint64_t *words;
    size_t record, used, size;
    uint64_t count, last;
    unsigned char raw[CHUNK], packed[PACKED_MAX];
};

/* Reads header and description; NULL and error if they are not whole. */
static char *read_description(FILE *file, const char *path, char *error, size_t size) {
    unsigned char header[HEADER];
    size_t n = fread(header, 1, HEADER, file);
    if (n < 8 || memcmp(header, magic, 8) != 0) {
        fail_record(error, size, path,
                    "byte 0: no recorded stimulus (it must begin with WARPSTIM)");
        return NULL;
    }
    if (n < HEADER) {
        fail_record(error, size, path, "byte %zu: cut off in the header", n);
        return NULL;
    }
    if (get_u32(header + 8) != VERSION) {
        fail_record(error, size, path, "byte 8: version %" PRIu32 ", this program reads %d",
                    get_u32(header + 8), VERSION);
        return NULL;
    }
    uint32_t length = get_u32(header + 12);
    if (length > DESCRIPTION_MAX) {
        fail_record(error, size, path, "byte 12: a description of %" PRIu32 " bytes, at most %d",
                    length, DESCRIPTION_MAX);
        return NULL;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        fail_record(error, size, path, "out of memory");
        return NULL;
    }
    n = fread(text, 1, length, file);
    text[n] = '\0';
    if (n < length) {
        fail_record(error, size, path, "byte %zu: cut off in the description", HEADER + n);
    } else if (crc32(0, (const Bytef *)text, length) != get_u32(header + 16) ||
               strlen(text) != length) {
        fail_record(error, size, path, "byte %d: the description is damaged (CRC-32)", HEADER);
    } else {
        return text;
    }
    free(text);
    return NULL;
}

bool stimulus_file_params(const char *path, const struct block *block, unsigned *params,
                          char *error, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_record(error, size, path, "cannot read: %s", strerror(errno));
        return false;
    }
    char *text = read_description(file, path, error, size);
    fclose(file);
    if (!text) {
        return false;
    }
    char *rest = text, *line = strtok_r(text, "\n", &rest);
    bool good = line && strncmp(line, "block ", 6) == 0 && strcmp(line + 6, block->name) == 0;
    if (!good) {
        fail_record(error, size, path, "recorded from %s, not from %s",
                    line && strncmp(line, "block ", 6) == 0 ? line + 6 : "no block", block->name);
    }
    for (unsigned i = 0; good && i < block->param_count; i++) {
        char name[64];
        line = strtok_r(NULL, "\n", &rest);
        good = line && sscanf(line, "param %63s %u", name, &params[i]) == 2 &&
               strcmp(name, block->params[i].name) == 0;
        if (!good) {
            fail_record(error, size, path, "recorded with other parameters: %s is missing",
                        block->params[i].name);
        }
    }
    free(text);
    return good;
}

/* The first line in which the description differs from what these ports have. */
static void explain_difference(const char *path, const char *found, const char *wanted, char *error,
                               size_t size) {
    while (*found && *found == *wanted) {
        const char *f = strchr(found, '\n'), *w = strchr(wanted, '\n');
        if (!f || !w || f - found != w - wanted ||
            strncmp(found, wanted, (size_t)(f - found)) != 0) {
            break;
        }
        found = f + 1;
        wanted = w + 1;
    }
    fail_record(error, size, path,
                "recorded from other ports: it has \"%.*s\", this block has \"%.*s\"",
                (int)strcspn(found, "\n"), found, (int)strcspn(wanted, "\n"), wanted);
}

void stimulus_reader_close(struct stimulus_reader *r) {
    if (r) {
        if (r->file) {
            fclose(r->file);
        }
        free(r->path);
        free(r->words);
        free(r);
    }
}

struct stimulus_reader *stimulus_reader_open(const char *path, const struct port_table *ports,
                                             char *error, size_t size) {
    char *wanted = describe_record(ports), *found = NULL;
    struct stimulus_reader *r = calloc(1, sizeof *r);
    if (r) {
        r->ports = ports;
        r->record = record_bytes(ports);
        r->words = calloc(ports->words_max + 1, sizeof *r->words);
        r->path = malloc(strlen(path) + 1);
    }
    if (!r || !wanted || !r->words || !r->path) {
        fail_record(error, size, path, "out of memory");
        goto failed;
    }
    sprintf(r->path, "%s", path);
    r->file = fopen(path, "rb");
    if (!r->file) {
        fail_record(error, size, path, "cannot read: %s", strerror(errno));
        goto failed;
    }
    found = read_description(r->file, path, error, size);
    if (!found) {
        goto failed;
    }
    if (strcmp(found, wanted) != 0) {
        explain_difference(path, found, wanted, error, size);
        goto failed;
    }
    free(found);
    free(wanted);
    return r;
failed:
    free(found);
    free(wanted);
    stimulus_reader_close(r);
    return NULL;
}

/* The next chunk into raw: 1, 0 at the end, -1 if damaged. */
static int next_chunk(struct stimulus_reader *r, char *error, size_t size) {
    unsigned char header[12];
    long at = ftell(r->file);
    if (fread(header, 1, sizeof header, r->file) != sizeof header) {
        fail_record(error, size, r->path, "byte %ld: cut off", at);
        return -1;
    }
    uint32_t raw = get_u32(header), packed = get_u32(header + 4);
    if (raw == 0) {
        uint64_t count = packed | (uint64_t)get_u32(header + 8) << 32;
        if (count != r->count || fgetc(r->file) != EOF) {
            fail_record(error, size, r->path,
                        "byte %ld: the end says %" PRIu64 " records, found %" PRIu64, at, count,
                        r->count);
            return -1;
        }
        return 0;
    }
    if (raw > CHUNK || packed > PACKED_MAX) {
        fail_record(error, size, r->path, "byte %ld: a chunk of %" PRIu32 " bytes, at most %d", at,
                    raw, CHUNK);
        return -1;
    }
    uLongf length = raw;
    if (fread(r->packed, 1, packed, r->file) != packed) {
        fail_record(error, size, r->path, "byte %ld: the chunk is cut off", at);
        return -1;
    }
    if (crc32(0, r->packed, packed) != get_u32(header + 8) ||
        uncompress(r->raw, &length, r->packed, packed) != Z_OK || length != raw) {
        fail_record(error, size, r->path, "byte %ld: the chunk is damaged (CRC-32)", at);
        return -1;
    }
    r->used = 0;
    r->size = raw;
    return 1;
}

int stimulus_read(struct stimulus_reader *r, uint64_t *cycle, void *in, char *error, size_t size) {
    if (r->used == r->size) {
        int more = next_chunk(r, error, size);
        if (more <= 0) {
            return more;
        }
    }
    uint64_t delta = 0;
    unsigned shift = 0;
    bool more = true;
    while (more && r->used < r->size && shift < 64) {
        delta |= (uint64_t)(r->raw[r->used] & 0x7f) << shift;
        shift += 7;
        more = r->raw[r->used++] & 0x80;
    }
    if (more || r->size - r->used < r->record) {
        fail_record(error, size, r->path, "record %" PRIu64 " is cut off", r->count);
        return -1;
    }
    for (unsigned i = 0; i < r->ports->in_count; i++) {
        const struct port_desc *port = &r->ports->in[i];
        memset(r->words, 0, (port_bits(port) + 63) / 64 * sizeof *r->words);
        for (unsigned b = 0; b < (port_bits(port) + 7) / 8; b++) {
            r->words[b / 8] |= (uint64_t)r->raw[r->used++] << 8 * (b % 8);
        }
        port_set(port, in, r->words);
    }
    r->last += delta;
    r->count++;
    *cycle = r->last;
    return 1;
}
