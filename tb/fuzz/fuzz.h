/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzing: what the targets share. A target takes any bytes, gives them to one reader of files or
 * words, and checks what that promises: an answer or a message of one line. The same function runs
 * under libFuzzer (fuzz_main.c) and, on the kept files, as a plain test (corpus_test.c).
 */
#ifndef WARPMEM_TB_FUZZ_H
#define WARPMEM_TB_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct fuzz_target - one reader.
 * @name:  also of its corpus, tb/fuzz/corpus/<name>/, and of its dictionary, <name>.dict
 * @run:   must come back, leave nothing behind, and depend on these bytes alone
 */
struct fuzz_target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
};

/* A target is one file, tb/fuzz/<name>.c, and one line here. */
#define FUZZ_TARGETS(T) \
    T(config) \
    T(result) \
    T(words) T(wtr) T(import) T(text_trace) T(dramlog) T(stimulus) T(waves) T(command) T(machine)
#define FUZZ_DECLARE(name) extern const struct fuzz_target fuzz_##name;
FUZZ_TARGETS(FUZZ_DECLARE)

/** fuzz_fail() - what was promised does not hold: says so and aborts, which every way of running
 * takes for a finding. */
__attribute__((format(printf, 1, 2), noreturn)) void fuzz_fail(const char *format, ...);

/** fuzz_check() - the same unless @holds. */
#define fuzz_check(holds, ...) ((holds) ? (void)0 : fuzz_fail(__VA_ARGS__))

/** fuzz_one_line() - fails unless @text is what a user may be told: something, in one line of what
 * can be printed. Bytes above 0x7f may be letters. */
void fuzz_one_line(const char *text);

/** fuzz_folder() - a folder of this process, empty at first and removed at its end. */
const char *fuzz_folder(void);
/** fuzz_clean() - the same folder, emptied. */
void fuzz_clean(void);
/** fuzz_path() - of a file in it; valid until four more were asked for. */
const char *fuzz_path(const char *name);
/** fuzz_save() - these bytes in a file of it. Return: its path, as of fuzz_path(). */
const char *fuzz_save(const char *name, const void *bytes, size_t size);
/** fuzz_left() - fails if the folder has a file that none of the @count names is. */
void fuzz_left(const char *const *names, unsigned count);

/** fuzz_hush() - until fuzz_speak(), stdout and stderr go into the files `out` and `err` of the
 * folder; what fuzz_fail() and sanitizers say does not. */
void fuzz_hush(void);
void fuzz_speak(void);
/** fuzz_child() - to be called in a child whose end, however it comes, is told by its status alone:
 * sanitizers and libFuzzer then report nothing in it but on its stderr. */
void fuzz_child(void);
/** fuzz_said() - what `err` has, the end of its last line cut off. Return: allocated. */
char *fuzz_said(void);

/* Bytes that are taken from the front. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

/** fuzz_byte(), fuzz_u16(), fuzz_u32() - 0 where there are none. */
static inline unsigned fuzz_byte(struct fuzz_bytes *b) {
    if (!b->left) {
        return 0;
    }
    b->left--;
    return *b->at++;
}

static inline unsigned fuzz_u16(struct fuzz_bytes *b) {
    unsigned low = fuzz_byte(b);
    return low | fuzz_byte(b) << 8;
}

static inline uint32_t fuzz_u32(struct fuzz_bytes *b) {
    uint32_t low = fuzz_u16(b);
    return low | (uint32_t)fuzz_u16(b) << 16;
}

/** fuzz_take() - up to @size bytes. Return: how many. */
static inline size_t fuzz_take(struct fuzz_bytes *b, size_t size, const uint8_t **at) {
    size = size < b->left ? size : b->left;
    *at = b->at;
    b->at += size;
    b->left -= size;
    return size;
}

/** fuzz_text() - the bytes up to the next zero, which is passed over. Return: allocated. */
char *fuzz_text(struct fuzz_bytes *b);

#endif
