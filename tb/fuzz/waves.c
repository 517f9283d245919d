/* SPDX-License-Identifier: Apache-2.0
 * wavediff, the whole program. The first byte says with which options, and what the rest is: two
 * FST files, which a child reads with GTKWave's reader as always; or, with STREAM, what a child
 * that has gone mad may send (that reader trusts its input, so its process may send anything). */
#define _GNU_SOURCE /* wait4() */
#define WAVES_HOOKS_MADE_HERE
#include "fuzz/waves_hooks.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/resource.h>

#include "fuzz/fuzz.h"

/* Bits of the first byte. */
enum { STREAM = 1, SELF = 2, COMMON = 4, X_MATCHES = 8, IGNORE = 16, TIMES = 32, MAP = 64 };

/* Limits on reading one file. */
enum { CHILD_SECONDS = 5, CHILD_MB = 512, ASKED_MB = 64, CHILDREN = 2, HELD_MAX = 4096 };

static struct {
    jmp_buf end;
    int status;
    bool stream, is_child;
    unsigned opened; /* of the files */
    void *memory[HELD_MAX];
    FILE *file[CHILDREN];
    pid_t child[CHILDREN];
    unsigned memories, files, children;
} hooks;

static void *hold_memory(void *memory) {
    fuzz_check(hooks.memories < HELD_MAX, "more than %d pieces of memory", HELD_MAX);
    if (memory) {
        hooks.memory[hooks.memories++] = memory;
    }
    return memory;
}

static void let_go(void *memory) {
    for (unsigned i = 0; memory && i < hooks.memories; i++) {
        if (hooks.memory[i] == memory) {
            hooks.memory[i] = hooks.memory[--hooks.memories];
            return;
        }
    }
    fuzz_check(!memory, "memory is freed that was not given");
}

/* Inputs are small: who asks for much believes what they say. */
static size_t modest_size(size_t size) {
    fuzz_check(size >> 20 < ASKED_MB, "asks for %zu MB", size >> 20);
    return size;
}

void *hook_malloc(size_t size) {
    return hold_memory(malloc(modest_size(size)));
}

void *hook_calloc(size_t count, size_t size) {
    return hold_memory(calloc(1, modest_size(count * size)));
}

void *hook_realloc(void *memory, size_t size) {
    let_go(memory);
    return hold_memory(realloc(memory, modest_size(size)));
}

char *hook_strdup(const char *text) {
    return hold_memory(strdup(text));
}

void hook_free(void *memory) {
    let_go(memory);
    free(memory);
}

FILE *hook_fdopen(int fd, const char *mode) {
    FILE *f = fdopen(fd, mode);
    if (f && *mode == 'r') {
        fuzz_check(hooks.files < CHILDREN, "more files than there are");
        hooks.file[hooks.files++] = f;
    }
    return f;
}

int hook_fclose(FILE *file) {
    for (unsigned i = 0; i < hooks.files; i++) {
        hooks.file[i] = hooks.file[i] == file ? NULL : hooks.file[i];
    }
    return fclose(file);
}

int hook_pipe(int ends[2]) {
    if (!hooks.stream) {
        return pipe(ends);
    }
    ends[0] = open(fuzz_path(hooks.opened++ ? "b.fst" : "a.fst"), O_RDONLY);
    ends[1] = open("/dev/null", O_WRONLY);
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

static void in_child(void) {
    const struct rlimit cpu = {CHILD_SECONDS, CHILD_SECONDS + 1}, core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    fuzz_child();
}

pid_t hook_fork(void) {
    fuzz_check(hooks.children < CHILDREN, "more children than files");
    pid_t child = hooks.stream ? 1 : fork();
    if (child == 0) {
        hooks.is_child = true;
        in_child();
        return 0;
    }
    if (child > 0) { /* -1 would be everybody to who ends it */
        hooks.child[hooks.children++] = child;
    }
    return child;
}

/* GTKWave's reader ends the program that it is in, when it does not go on. */
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap_exit(int status) {
    if (hooks.is_child) {
        _exit(status);
    }
    __real_exit(status);
}

int hook_kill(pid_t child, int number) {
    return hooks.stream ? 0 : kill(child, number);
}

/* A child that dies without waiting leaves its own children to be waited for at the end of the
 * call. */
static int wait_for(pid_t child) {
    struct rusage use;
    int status = 0;
    if (wait4(child, &status, 0, &use) == child) {
        fuzz_check(use.ru_utime.tv_sec + use.ru_stime.tv_sec < CHILD_SECONDS,
                   "reading took more than %d s", CHILD_SECONDS);
        fuzz_check(use.ru_maxrss >> 10 < CHILD_MB, "reading took %ld MB", use.ru_maxrss >> 10);
    }
    return status;
}

pid_t hook_waitpid(pid_t child, int *status, int options) {
    (void)options;
    *status = 0;
    for (unsigned i = 0; i < hooks.children && !hooks.stream; i++) {
        if (hooks.child[i] == child) {
            hooks.child[i] = 0;
            *status = wait_for(child);
        }
    }
    return child;
}

void hook_exit(int status) {
    if (hooks.is_child) {
        _exit(status);
    }
    hooks.status = status;
    longjmp(hooks.end, 1);
}

static void clean_up(void) {
    for (unsigned i = 0; i < hooks.files; i++) {
        if (hooks.file[i]) {
            fclose(hooks.file[i]);
        }
    }
    for (unsigned i = 0; i < hooks.children && !hooks.stream; i++) {
        if (hooks.child[i]) {
            kill(hooks.child[i], SIGKILL);
            (void)wait_for(hooks.child[i]);
        }
    }
    while (hooks.memories) {
        free(hooks.memory[--hooks.memories]);
    }
}

static int call_wavediff(unsigned how, char *words) {
    char *argv[] = {"wavediff", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    char a[512], b[512], map[] = "top.c=rtl", times[] = "--from=1";
    int argc = 1;
    snprintf(a, sizeof a, "%s", fuzz_path("a.fst"));
    snprintf(b, sizeof b, "%s", fuzz_path("b.fst"));
    if (how & COMMON) {
        argv[argc++] = "--common";
    }
    if (how & X_MATCHES) {
        argv[argc++] = "--x-matches";
    }
    if (how & TIMES) {
        argv[argc++] = times;
    }
    if (how & IGNORE) {
        argv[argc++] = "--ignore";
        argv[argc++] = words;
    }
    if (how & MAP) {
        argv[argc++] = "--map";
        argv[argc++] = map;
    }
    argv[argc++] = how & SELF ? "--self" : a;
    argv[argc++] = how & SELF ? a : b;
    return wavediff_main(argc, argv);
}

/* In a function of its own: nothing of its caller is lost when setjmp() comes back. */
static void until_exit(unsigned how, char *words) {
    if (!setjmp(hooks.end)) {
        hooks.status = call_wavediff(how, words);
    }
}

static void check_wavediff_said(int status) {
    char *text = fuzz_said();
    fuzz_check(status >= 0 && status <= 2, "exit status %d", status);
    fuzz_check((status == 2) == (*text != '\0'), "exit status %d: %s", status, text);
    if (*text) {
        fuzz_one_line(text);
    }
    free(text);
}

static void run_waves_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    const uint8_t *first;
    unsigned how = fuzz_byte(&b);
    char *words = fuzz_text(&b);
    size_t length = fuzz_take(&b, fuzz_u16(&b), &first);
    fuzz_save("a.fst", first, length);
    fuzz_save("b.fst", b.at, b.left);
    memset(&hooks, 0, sizeof hooks);
    hooks.stream = how & STREAM;
    fuzz_hush();
    until_exit(how, words);
    fuzz_speak();
    clean_up();
    check_wavediff_said(hooks.status);
    free(words);
}

const struct fuzz_target fuzz_waves = {"waves", run_waves_target};
