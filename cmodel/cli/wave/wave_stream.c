/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* program_invocation_short_name */
#endif
#include "cli/wave/wave_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstapi.h>
#include <zlib.h>

enum { NAME_MAX_BYTES = 1 << 16, BITS_MAX = 1 << 24 };

/* Limits of the child's memory: GTKWave's reader believes every size in a file. deflate makes at
 * most 1032 bytes of one, and the reader's tables have up to 50 for a signal of a byte. */
#define CHILD_BYTES (UINT64_C(256) << 20)
#define CHILD_BYTES_PER_BYTE (UINT64_C(1032) * 50)

/* Limits of the child's processor time, before the first change and between so many changes: the
 * reader searches for the end of a name even where a file has none, while a small file may well
 * hold changes for minutes. The data that deflate makes of one byte cost 0.1 ms at 10 MB/s, and the
 * reader is faster. */
enum { CHILD_SECONDS = 3, CHILD_BYTES_A_SECOND = 10000, CHANGES_A_LIMIT = 1 << 20 };

void die_with_message(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(TROUBLE);
}

void *need_memory(void *memory) {
    if (!memory) {
        die_with_message("out of memory");
    }
    return memory;
}

/*
 * The child: one file as a stream of records.
 *
 * 'V' handle bits length name   a signal       'T' first last exponent   after all signals
 * 'C' time handle length value  a change       'E' the end
 */

static void send_to_parent(FILE *pipe, const void *data, size_t size) {
    if (fwrite(data, 1, size, pipe) != size) {
        _exit(TROUBLE); /* the reader is gone */
    }
}

static void send_numbers(FILE *pipe, char type, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t numbers[3] = {a, b, c};
    send_to_parent(pipe, &type, 1);
    send_to_parent(pipe, numbers, sizeof numbers);
}

struct child {
    FILE *pipe;
    uint32_t *bits;   /* by handle */
    uint64_t seconds; /* processor time allowed without a change */
    unsigned changes; /* sent since that was set */
};

/* This sets the soft limit alone, because we could not raise the hard one again; SIGXCPU comes at
 * it. */
static void bound_time(uint64_t seconds) {
    struct rusage use = {0};
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    (void)getrusage(RUSAGE_SELF, &use);
    (void)getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = (rlim_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) + seconds;
    (void)setrlimit(RLIMIT_CPU, &limit); /* refused where there is a lower one: just as good */
}

static void count_change(struct child *c) {
    if (++c->changes == CHANGES_A_LIMIT) {
        c->changes = 0;
        bound_time(c->seconds);
    }
}

static void send_change(void *user, uint64_t time, fstHandle handle, const unsigned char *value) {
    struct child *c = user;
    count_change(c);
    send_numbers(c->pipe, 'C', time, handle, c->bits[handle]);
    send_to_parent(c->pipe, value, c->bits[handle]);
}

static void send_text_change(void *user, uint64_t time, fstHandle handle,
                             const unsigned char *value, uint32_t length) {
    struct child *c = user;
    count_change(c);
    send_numbers(c->pipe, 'C', time, handle, length);
    send_to_parent(c->pipe, value, length);
}

/* The limit adds to the memory that is mapped already, which with a sanitizer is nearly all there
 * is. */
static void bound_memory(uint64_t file_bytes) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu", &pages) != 1) {
        _exit(TROUBLE);
    }
    fclose(f);
    uint64_t bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + CHILD_BYTES +
                     CHILD_BYTES_PER_BYTE * file_bytes;
    const struct rlimit memory = {bytes, bytes}, core = {0, 0}; /* its end is no surprise */
    (void)setrlimit(RLIMIT_AS, &memory); /* refused where there is a lower one: just as good */
    (void)setrlimit(RLIMIT_CORE, &core);
}

static uint64_t big_endian(const uint8_t bytes[8]) {
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

/*
 * A section: a byte of type, a length that counts its own 8 bytes, and what is in it. The first is
 * the header, whose next 16 bytes, the times, are 0 until the writer closes the file; until then
 * the section that it is at has the type FST_BL_SKIP and no length.
 */
enum { TYPE_BYTES = 1, LENGTH_BYTES = 8, HEAD_BYTES = TYPE_BYTES + LENGTH_BYTES, TIME_BYTES = 16 };

static bool sections_fit(gzFile file, uint64_t end) {
    static const uint8_t no_time[TIME_BYTES];
    uint8_t head[HEAD_BYTES + TIME_BYTES];
    bool is_open = false;
    for (uint64_t at = 0, length; at < end; at += TYPE_BYTES + length) {
        const int bytes = at == 0 ? sizeof head : HEAD_BYTES;
        if (gzseek(file, (z_off_t)at, SEEK_SET) < 0 ||
            gzread(file, head, (unsigned)bytes) != bytes) {
            return false;
        }
        if (at == 0) {
            is_open = memcmp(head + HEAD_BYTES, no_time, sizeof no_time) == 0;
        }
        length = big_endian(head + TYPE_BYTES);
        /* A writer that was killed while it closed the file leaves one that goes beyond the end. */
        bool ahead = length == 0 || (length > end - at - TYPE_BYTES && length < INT64_MAX / 2);
        if (is_open && head[0] == FST_BL_SKIP && ahead) {
            return true;
        }
        if (length < LENGTH_BYTES || length > end - at - TYPE_BYTES ||
            (at == 0 && head[0] != FST_BL_HDR)) {
            return false;
        }
    }
    return end > 0;
}

/* GTKWave's reader adds up the lengths of sections without a check, and at a length of 2^64 - n
 * it loops for ever. A wrapper around the file (of the type FST_BL_ZWRAPPER: length,
 * bytes inside, gzip) is unpacked; zlib reads other contents unchanged. The file stays open
 * until this process ends. */
static bool sections_are_whole(const char *path) {
    uint8_t wrapper[HEAD_BYTES + 8];
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st)) {
        return false;
    }
    bool wrapped = read(fd, wrapper, sizeof wrapper) == sizeof wrapper;
    wrapped = wrapped && wrapper[0] == FST_BL_ZWRAPPER;
    if (lseek(fd, wrapped ? (off_t)sizeof wrapper : 0, SEEK_SET) < 0) {
        return false;
    }
    gzFile file = gzdopen(fd, "rb");
    return file &&
           sections_fit(file, wrapped ? big_endian(wrapper + HEAD_BYTES) : (uint64_t)st.st_size);
}

static void send_file(const char *path, FILE *pipe) {
    struct stat st;
    if (stat(path, &st)) {
        _exit(TROUBLE);
    }
    struct child c = {.pipe = pipe,
                      .seconds = CHILD_SECONDS + (uint64_t)st.st_size / CHILD_BYTES_A_SECOND};
    bound_memory((uint64_t)st.st_size);
    bound_time(c.seconds);
    void *fst = sections_are_whole(path) ? fstReaderOpen(path) : NULL;
    if (!fst) {
        _exit(TROUBLE);
    }
    c.bits = need_memory(calloc((size_t)fstReaderGetMaxHandle(fst) + 1, sizeof *c.bits));
    for (struct fstHier *h; (h = fstReaderIterateHier(fst));) {
        if (h->htyp == FST_HT_SCOPE) {
            fstReaderPushScope(fst, h->u.scope.name, NULL);
        } else if (h->htyp == FST_HT_UPSCOPE) {
            fstReaderPopScope(fst);
        } else if (h->htyp == FST_HT_VAR && h->u.var.handle <= fstReaderGetMaxHandle(fst)) {
            int scope_length = 0;
            const char *scope = fstReaderGetCurrentFlatScope(fst);
            scope_length = fstReaderGetCurrentScopeLen(fst);
            size_t length = (size_t)scope_length + (scope_length > 0) + h->u.var.name_length;
            c.bits[h->u.var.handle] = h->u.var.length;
            send_numbers(pipe, 'V', h->u.var.handle, h->u.var.length, length);
            if (scope_length > 0) {
                send_to_parent(pipe, scope, (size_t)scope_length);
                send_to_parent(pipe, ".", 1);
            }
            send_to_parent(pipe, h->u.var.name, h->u.var.name_length);
        }
    }
    send_numbers(pipe, 'T', fstReaderGetStartTime(fst), fstReaderGetEndTime(fst),
                 (uint64_t)(int64_t)fstReaderGetTimescale(fst));
    fstReaderSetFacProcessMaskAll(fst);
    if (!fstReaderIterBlocks2(fst, send_change, send_text_change, &c, NULL)) {
        _exit(TROUBLE);
    }
    send_to_parent(pipe, "E", 1);
    if (fflush(pipe) != 0) {
        _exit(TROUBLE);
    }
    _exit(0);
}

/* --- the parent ------------------------------------------------------------------------------- */

static void die_of_damage(const struct dump *d) {
    int status = 0;
    kill(d->child, SIGKILL);
    waitpid(d->child, &status, 0);
    die_with_message(
        "%s: no FST file, or damaged%s", d->path,
        WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? ": reading it came to no end" : "");
}

static void receive_from_reader(struct dump *d, void *data, size_t size) {
    if (fread(data, 1, size, d->pipe) != size) {
        die_of_damage(d);
    }
}

static char receive_numbers(struct dump *d, uint64_t numbers[3]) {
    char type;
    receive_from_reader(d, &type, 1);
    if (type != 'E') {
        receive_from_reader(d, numbers, 3 * sizeof *numbers);
    }
    return type;
}

static void start_reader(struct dump *d, const char *path) {
    int ends[2];
    d->path = path;
    if (access(path, R_OK) != 0) {
        die_with_message("%s: cannot read: %s", path, strerror(errno));
    }
    if (pipe(ends) != 0 || (d->child = fork()) < 0) {
        die_with_message("cannot start a reader: %s", strerror(errno));
    }
    if (d->child == 0) {
        close(ends[0]);
        if (!freopen("/dev/null", "w", stderr)) {
            _exit(TROUBLE);
        }
        send_file(path, need_memory(fdopen(ends[1], "wb")));
    }
    close(ends[1]);
    d->pipe = need_memory(fdopen(ends[0], "rb"));
}

/* Handles come in order, each one new or an alias, so memory grows only with the signals that have
 * arrived. */
static bool is_next_handle(const struct dump *d, uint64_t handle) {
    return handle <= (d->handles ? d->handles : 1);
}

static void add_signal(struct dump *d, const uint64_t n[3]) {
    if (!is_next_handle(d, n[0]) || n[0] > UINT32_MAX - 1 || n[1] > BITS_MAX ||
        n[2] > NAME_MAX_BYTES) {
        die_of_damage(d);
    }
    if (d->all_count == d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 256;
        d->all = need_memory(realloc(d->all, d->capacity * sizeof *d->all));
    }
    struct signal *s = &d->all[d->all_count++];
    *s = (struct signal){.name = need_memory(calloc(1, (size_t)n[2] + 1)),
                         .handle = (uint32_t)n[0],
                         .bits = (uint32_t)n[1]};
    receive_from_reader(d, s->name, (size_t)n[2]);
    char *range = strstr(s->name, " [");
    if (range) {
        *range = '\0';
        s->range = range + 1;
    }
    d->handles = s->handle >= d->handles ? s->handle + (size_t)1 : d->handles;
}

void dump_open(struct dump *d, const char *path) {
    uint64_t n[3];
    char type;
    start_reader(d, path);
    while ((type = receive_numbers(d, n)) == 'V') {
        add_signal(d, n);
    }
    if (type != 'T') {
        die_of_damage(d);
    }
    d->first = n[0];
    d->last = n[1];
    d->exponent = (int64_t)n[2];
    d->value = need_memory(calloc(d->handles + 1, sizeof *d->value));
    d->length = need_memory(calloc(d->handles + 1, sizeof *d->length));
}

void dump_next(struct dump *d) {
    uint64_t n[3];
    char type = receive_numbers(d, n);
    if (type == 'E') {
        d->ended = true;
        d->time = UINT64_MAX;
        return;
    }
    if (type != 'C' || n[1] >= d->handles || n[2] > BITS_MAX) {
        die_of_damage(d);
    }
    d->time = n[0];
    d->handle = (uint32_t)n[1];
    d->bits = (uint32_t)n[2];
}

/* Takes the value of the waiting change. */
void dump_apply(struct dump *d) {
    char **value = &d->value[d->handle];
    if (!*value || d->length[d->handle] < d->bits) {
        *value = need_memory(realloc(*value, (size_t)d->bits + 1));
        d->length[d->handle] = d->bits;
    }
    receive_from_reader(d, *value, d->bits);
    (*value)[d->bits] = '\0';
    d->changes++;
}

void dump_close(struct dump *d) {
    int status;
    if (!d->ended) {
        kill(d->child, SIGKILL); /* the rest of the file does not matter any more */
    }
    waitpid(d->child, &status, 0);
    fclose(d->pipe);
    for (size_t i = 0; i < d->count; i++) {
        free(d->signals[i].key);
    }
    for (size_t i = 0; i < d->all_count; i++) {
        free(d->all[i].name);
    }
    for (size_t i = 0; i < d->handles; i++) {
        free(d->value[i]);
    }
    free(d->signals);
    free(d->all);
    free(d->value);
    free(d->length);
}
