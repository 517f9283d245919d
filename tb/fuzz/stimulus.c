/* SPDX-License-Identifier: Apache-2.0
 * Recorded stimulus. The input begins with the name of a block, a space, the name of one of its
 * sets and a newline, so that a kept input means the same after a new row of the table. The next
 * byte says what the rest is: 0, the file; 1, the records of a chunk, which gets a right head and
 * checksums; else chunks of packed bytes with right checksums. */
#include "fuzz/fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/blocks.h"
#include "cosim/record.h"

enum { END_BYTES = 12, ERROR = 512 };

static void put_le32(FILE *f, uint32_t v) {
    for (unsigned i = 0; i < 4; i++) {
        fputc((int)(v >> 8 * i & 0xff), f);
    }
}

static void put_chunk(FILE *f, uint32_t raw, const void *packed, size_t size) {
    put_le32(f, raw);
    put_le32(f, (uint32_t)size);
    put_le32(f, (uint32_t)crc32(0, packed, (uInt)size));
    fwrite(packed, 1, size, f);
}

/* The head that a file of these ports has, from the writer: what it writes without a record. */
static FILE *begin_file(const char *path, const struct port_table *ports) {
    char error[ERROR];
    struct stimulus_writer *w = stimulus_writer_open(path, ports, error, sizeof error);
    fuzz_check(w && stimulus_writer_close(w, error, sizeof error), "%s", error);
    FILE *f = fopen(path, "rb+");
    fuzz_check(f && !fseek(f, -END_BYTES, SEEK_END), "%s cannot be read", path);
    return f;
}

static void seal_records(const char *path, const struct port_table *ports, struct fuzz_bytes *b,
                         bool pack) {
    FILE *f = begin_file(path, ports);
    uint32_t records = 0;
    while (b->left) {
        const uint8_t *at;
        records = fuzz_u16(b);
        uint32_t raw = fuzz_u16(b);
        size_t size = fuzz_take(b, fuzz_u16(b), &at);
        uLongf packed = compressBound(size);
        uint8_t *to = malloc(packed);
        fuzz_check(to && compress(to, &packed, at, size) == Z_OK, "out of memory");
        put_chunk(f, pack ? (uint32_t)size : raw, pack ? to : at, pack ? packed : size);
        free(to);
    }
    put_le32(f, 0); /* the end, with what may be the number of records */
    put_le32(f, records);
    put_le32(f, 0);
    fclose(f);
}

static void read_all_cycles(const char *path, const struct port_table *ports) {
    char error[ERROR] = "";
    void *in = calloc(1, ports->block->in_size);
    struct stimulus_reader *r = stimulus_reader_open(path, ports, error, sizeof error);
    uint64_t cycle = 0, last = 0;
    int more = -1;
    while (r && (more = stimulus_read(r, &cycle, in, error, sizeof error)) > 0) {
        last = cycle;
        ports_cut(ports, in, false);
    }
    (void)last;
    if (more < 0) {
        fuzz_one_line(error);
    }
    stimulus_reader_close(r);
    free(in);
}

static bool is_word_of_input(const uint8_t *text, size_t size, const char *word) {
    return size == strlen(word) && !memcmp(text, word, size);
}

/* An unknown name chooses by its length: a word that the fuzzer has spoiled leads somewhere. */
static const struct block *read_block_name(const uint8_t *text, size_t size) {
    unsigned rows = 0;
    const struct block_row *row;
    while ((row = block_row_at(rows))) {
        if (is_word_of_input(text, size, row->block->name)) {
            return row->block;
        }
        rows++;
    }
    return block_row_at((unsigned)(size % rows))->block;
}

static const struct param_set *read_set_name(const struct block *block, const uint8_t *text,
                                             size_t size) {
    for (unsigned i = 0; i < block->set_count; i++) {
        if (is_word_of_input(text, size, block->sets[i].name)) {
            return &block->sets[i];
        }
    }
    return &block->sets[size % block->set_count];
}

/* Up to the byte @end, which is skipped. */
static size_t take_word(struct fuzz_bytes *b, uint8_t end, const uint8_t **at) {
    const uint8_t *found = b->left ? memchr(b->at, end, b->left) : NULL;
    size_t size = fuzz_take(b, found ? (size_t)(found - b->at) : b->left, at);
    (void)fuzz_byte(b);
    return size;
}

static void run_stimulus_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    struct port_table ports;
    const uint8_t *text;
    size_t length = take_word(&b, ' ', &text);
    const struct block *block = read_block_name(text, length);
    length = take_word(&b, '\n', &text);
    const struct param_set *set = read_set_name(block, text, length);
    unsigned params[64] = {0}, how = fuzz_byte(&b);
    char error[ERROR] = "";
    fuzz_check(port_table_init(&ports, block, set->values), "too many parameters");
    const char *path = how ? fuzz_path("any.stim") : fuzz_save("any.stim", b.at, b.left);
    if (how) {
        seal_records(path, &ports, &b, how == 1);
    }
    if (!stimulus_file_params(path, block, params, error, sizeof error)) {
        fuzz_one_line(error);
    } else {
        fuzz_check(!how || !memcmp(params, set->values, block->param_count * sizeof *params),
                   "other parameters than were written");
    }
    read_all_cycles(path, &ports);
}

const struct fuzz_target fuzz_stimulus = {"stimulus", run_stimulus_target};
