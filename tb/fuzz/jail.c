/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "fuzz/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "fuzz/promises.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

enum { CYCLES_MAX = 300, MACHINES_MAX = 4 };

static bool closed;
static unsigned machines; /* since it was closed */

void jail_close(void) {
    closed = true;
    machines = 0;
}

void jail_open(void) {
    closed = false;
}

/* --- files --- */

/* In the folder itself, which has no others in it, whatever way the path takes to it. */
static bool is_inside_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = parent ? realpath(parent, NULL) : NULL, *folder = realpath(fuzz_folder(), NULL);
    bool same = real && folder && !strcmp(real, folder);
    struct stat st;
    free(parent);
    free(real);
    free(folder);
    return same && (lstat(path, &st) || !S_ISLNK(st.st_mode));
}

/* Devices that give or take without end, and without anybody at the other end. */
static bool is_device(const char *path) {
    return !strcmp(path, "/dev/null") || !strcmp(path, "/dev/zero") || !strcmp(path, "/dev/full");
}

static bool is_allowed_path(const char *path) {
    if (!closed || is_inside_folder(path) || is_device(path)) {
        return true;
    }
    errno = EACCES;
    return false;
}

/* clang-format off */
#define WRAP_FOPEN(name) \
    FILE *__real_##name(const char *path, const char *mode); \
    FILE *__wrap_##name(const char *path, const char *mode); \
    FILE *__wrap_##name(const char *path, const char *mode) { \
        return is_allowed_path(path) ? __real_##name(path, mode) : NULL; \
    }
#define WRAP_MKSTEMP(name) \
    int __real_##name(char *path); \
    int __wrap_##name(char *path); \
    int __wrap_##name(char *path) { \
        return is_allowed_path(path) ? __real_##name(path) : -1; \
    }
#define WRAP_PATH(name) \
    int __real_##name(const char *path); \
    int __wrap_##name(const char *path); \
    int __wrap_##name(const char *path) { \
        return is_allowed_path(path) ? __real_##name(path) : -1; \
    }
WRAP_FOPEN(fopen)
WRAP_FOPEN(fopen64)
WRAP_MKSTEMP(mkstemp)
WRAP_MKSTEMP(mkstemp64)
WRAP_PATH(unlink)
WRAP_PATH(remove)
WRAP_PATH(rmdir)
/* clang-format on */

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
    return is_allowed_path(from) && is_allowed_path(to) ? __real_rename(from, to) : -1;
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode) {
    (void)mode;
    errno = EACCES;
    return closed ? -1 : __real_mkdir(path, mode);
}

/* --- processes and signals --- */

pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void) {
    errno = EAGAIN;
    return closed ? -1 : __real_fork();
}

/* The fuzzer has handlers of its own. */
void __real_signals_catch(void);
void __wrap_signals_catch(void);
void __wrap_signals_catch(void) {
    if (!closed) {
        __real_signals_catch();
    }
}

/* --- work --- */

struct gpu *__real_gpu_create(const struct config *c, const struct gpu_options *o, char *error,
                              size_t size);
struct gpu *__wrap_gpu_create(const struct config *c, const struct gpu_options *o, char *error,
                              size_t size);
struct gpu *__wrap_gpu_create(const struct config *c, const struct gpu_options *o, char *error,
                              size_t size) {
    struct gpu_options less = *o;
    if (!closed) {
        return __real_gpu_create(c, o, error, size);
    }
    /* Threads of a sweep count together: which of them is refused does not matter. */
    if (!promise_small(c) || __atomic_fetch_add(&machines, 1, __ATOMIC_RELAXED) >= MACHINES_MAX) {
        snprintf(error, size, "left out: too much for a fuzzer");
        return NULL;
    }
    if (!less.max_cycles || less.max_cycles > CYCLES_MAX) {
        less.max_cycles = CYCLES_MAX;
    }
    return __real_gpu_create(c, &less, error, size);
}

/* Left out: too much for a fuzzer. */
static bool open_none(void *self, enum workload_size size, uint64_t seed) {
    (void)self, (void)size, (void)seed;
    return false;
}

const struct workload *__real_workload_find(const char *name);

static bool open_vecadd(void *self, enum workload_size size, uint64_t seed) {
    (void)size;
    return __real_workload_find("vecadd")->open(self, SIZE_TINY, seed);
}

const struct workload *__wrap_workload_find(const char *name);
const struct workload *__wrap_workload_find(const char *name) {
    static struct workload small; /* a command has one */
    const struct workload *w = __real_workload_find(name);
    if (!closed || !w) {
        return w;
    }
    small = *w;
    small.open = strcmp(name, "vecadd") ? open_none : open_vecadd;
    return &small;
}
