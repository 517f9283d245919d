/* SPDX-License-Identifier: Apache-2.0
 *
 * System calls that fail once: linked into a program with --wrap (tb/rules.mk), for
 * faults_test.c.
 *
 * FAULT=n: the call from the n-th place that calls one of these functions fails, where a place is a
 * path of PLACE_DEPTH calls; the file FAULT_NOTE, which must not be there, appears when it does.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_DEPTH = 4, OWN_DEPTH = 2, PLACES = 1 << 14 };

struct place {
    void *caller[PLACE_DEPTH];
};

static struct {
    pthread_mutex_t lock;
    unsigned wanted, seen;
    FILE *failed; /* a stream that an operation failed on */
    struct place places[PLACES];
} faults = {.lock = PTHREAD_MUTEX_INITIALIZER};

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

static void stop_faults(void) {
    faults.wanted = 0;
}

/* Calls after main() do not fail, as those that write coverage counts. */
static __attribute__((constructor)) void begin_faults(void) {
    const char *fault = getenv("FAULT");
    void *one[1];
    (void)backtrace(one, 1); /* loads what it needs */
    faults.wanted = fault ? (unsigned)strtoul(fault, NULL, 10) : 0;
    json_set_alloc_funcs(__wrap_malloc, free);
    atexit(stop_faults);
}

static bool is_new(const struct place *p) {
    for (unsigned i = 0; i < faults.seen; i++) {
        if (!memcmp(&faults.places[i], p, sizeof *p)) {
            return false;
        }
    }
    return true;
}

static bool is_failing_call(void) {
    void *calls[OWN_DEPTH + PLACE_DEPTH] = {0};
    struct place p;
    bool now = false;
    if (!faults.wanted) {
        return false;
    }
    (void)backtrace(calls, OWN_DEPTH + PLACE_DEPTH);
    memcpy(p.caller, calls + OWN_DEPTH, sizeof p.caller);
    pthread_mutex_lock(&faults.lock);
    if (faults.wanted && faults.seen < PLACES && is_new(&p)) {
        faults.places[faults.seen++] = p;
        now = faults.seen == faults.wanted;
    }
    if (now) {
        int note = open(getenv("FAULT_NOTE"), O_CREAT | O_EXCL | O_WRONLY, 0600);
        faults.wanted = 0;
        now = note >= 0; /* once in all: not in a process and in its child */
        close(note);
    }
    pthread_mutex_unlock(&faults.lock);
    return now;
}

/* result name(parameters), which gives `bad` and sets errno when it fails. */
#define FAULTY(result, name, parameters, arguments, bad, error) \
    result __real_##name parameters; \
    result __wrap_##name parameters; \
    __attribute__((noinline)) result __wrap_##name parameters { \
        if (is_failing_call()) { \
            errno = error; \
            return bad; \
        } \
        return __real_##name arguments; \
    }

FAULTY(void *, malloc, (size_t bytes), (bytes), NULL, ENOMEM)
FAULTY(void *, calloc, (size_t count, size_t bytes), (count, bytes), NULL, ENOMEM)
FAULTY(void *, realloc, (void *old, size_t bytes), (old, bytes), NULL, ENOMEM)
FAULTY(char *, strdup, (const char *text), (text), NULL, ENOMEM)
FAULTY(char *, strndup, (const char *text, size_t length), (text, length), NULL, ENOMEM)
FAULTY(char *, realpath, (const char *path, char *to), (path, to), NULL, ENOMEM)
FAULTY(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)
FAULTY(FILE *, open_memstream, (char **text, size_t *size), (text, size), NULL, ENOMEM)
FAULTY(FILE *, tmpfile, (void), (), NULL, ENOSPC)
FAULTY(FILE *, freopen, (const char *path, const char *mode, FILE *f), (path, mode, f), NULL,
       ENOENT)
FAULTY(void *, ZSTD_createCCtx, (void), (), NULL, ENOMEM)
FAULTY(void *, ZSTD_createDCtx, (void), (), NULL, ENOMEM)
FAULTY(int, pipe, (int ends[2]), (ends), -1, EMFILE)
FAULTY(pid_t, fork, (void), (), -1, EAGAIN)
FAULTY(int, dup2, (int from, int to), (from, to), -1, EMFILE)
FAULTY(int, mkstemp, (char *path), (path), -1, ENOSPC)
FAULTY(int, rename, (const char *from, const char *to), (from, to), -1, ENOSPC)
FAULTY(int, pthread_create,
       (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *self),
       (thread, attributes, body, self), EAGAIN, EAGAIN)

/* Streams, whose error stays until they are closed. */
#define FAULTY_STREAM(result, name, parameters, arguments, bad) \
    result __real_##name parameters; \
    result __wrap_##name parameters; \
    __attribute__((noinline)) result __wrap_##name parameters { \
        if (is_failing_call()) { \
            faults.failed = f; \
            errno = EIO; \
            return bad; \
        } \
        return __real_##name arguments; \
    }

FAULTY_STREAM(size_t, fread, (void *to, size_t bytes, size_t count, FILE *f), (to, bytes, count, f),
              0)
FAULTY_STREAM(size_t, fwrite, (const void *from, size_t bytes, size_t count, FILE *f),
              (from, bytes, count, f), 0)
FAULTY_STREAM(int, fflush, (FILE * f), (f), EOF)
FAULTY_STREAM(int, fseeko, (FILE * f, off_t to, int from), (f, to, from), -1)

int __real_ferror(FILE *f);
int __wrap_ferror(FILE *f);
int __wrap_ferror(FILE *f) {
    return f == faults.failed || __real_ferror(f);
}

int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);
__attribute__((noinline)) int __wrap_fclose(FILE *f) {
    bool bad = is_failing_call();
    int result = __real_fclose(f);
    faults.failed = faults.failed == f ? NULL : faults.failed;
    errno = bad ? EIO : errno;
    return bad ? EOF : result;
}
