/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what is said --- */

static struct {
    int out, err; /* the real ones, while others stand in their place */
    bool on;
} hush;

/* The sanitizers', where there are some. */
__attribute__((weak)) void __sanitizer_set_report_fd(void *fd);
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void report_to(intptr_t fd) {
    if (__sanitizer_set_report_fd) {
        __sanitizer_set_report_fd((void *)fd);
    }
}

/* The sanitizers keep the place of reports by process: a child that sets none makes files. */
void fuzz_child(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM, SIGXFSZ};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
    }
    report_to(STDERR_FILENO);
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(NULL);
    }
}

static void replace_stream(int fd, const char *name) {
    int file = open(fuzz_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fuzz_check(file >= 0 && dup2(file, fd) == fd, "no room in %s", fuzz_folder());
    close(file);
}

void fuzz_hush(void) {
    fflush(NULL);
    hush.out = dup(STDOUT_FILENO);
    hush.err = dup(STDERR_FILENO);
    report_to(hush.err);
    replace_stream(STDOUT_FILENO, "out");
    replace_stream(STDERR_FILENO, "err");
    hush.on = true;
}

void fuzz_speak(void) {
    fflush(NULL);
    dup2(hush.out, STDOUT_FILENO);
    dup2(hush.err, STDERR_FILENO);
    close(hush.out);
    close(hush.err);
    report_to(STDERR_FILENO);
    hush.on = false;
}

char *fuzz_said(void) {
    enum { MOST = 1 << 16 };
    char *text = malloc(MOST);
    FILE *f = fopen(fuzz_path("err"), "rb");
    fuzz_check(text && f, "stderr has gone");
    size_t length = fread(text, 1, MOST - 1, f);
    fclose(f);
    text[length] = '\0';
    fuzz_check(!length || text[length - 1] == '\n', "half a line on stderr: %s", text);
    text[length ? length - 1 : 0] = '\0';
    return text;
}

void fuzz_fail(const char *format, ...) {
    va_list args;
    if (hush.on) {
        fuzz_speak();
    }
    va_start(args, format);
    fputs("fuzz: broken promise: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void fuzz_one_line(const char *text) {
    fuzz_check(*text, "a message without a word");
    if (getenv("FUZZ_TELL")) {
        fprintf(stderr, "says: %s\n", text);
    }
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        fuzz_check(byte >= 0x20 && byte != 0x7f, "byte 0x%02x in the message: %s", byte, text);
    }
}

/* --- the folder --- */

enum { FOLDER_MAX = 256, PATH_MAX_BYTES = 512, PATHS = 5 };

static char folder[FOLDER_MAX];
static pid_t owner; /* children that readers start do not remove it */

/* Nothing makes folders in it. */
void fuzz_clean(void) {
    char path[PATH_MAX_BYTES + 256];
    DIR *d = opendir(fuzz_folder());
    fuzz_check(d, "%s has gone", folder);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            fuzz_check(!unlink(path), "%s cannot be removed", path);
        }
    }
    closedir(d);
}

static void remove_folder(void) {
    if (*folder && getpid() == owner) {
        fuzz_clean();
        rmdir(folder);
        *folder = '\0';
    }
}

const char *fuzz_folder(void) {
    if (!*folder) {
        const char *in = getenv("TMPDIR");
        int length =
            snprintf(folder, sizeof folder, "%s/warpmem_fuzz_XXXXXX", in && *in ? in : "/tmp");
        fuzz_check(length < FOLDER_MAX && mkdtemp(folder), "no folder %s", folder);
        owner = getpid();
        atexit(remove_folder);
    }
    return folder;
}

const char *fuzz_path(const char *name) {
    static char paths[PATHS][PATH_MAX_BYTES];
    static unsigned next;
    char *path = paths[next++ % PATHS];
    int length = snprintf(path, PATH_MAX_BYTES, "%s/%s", fuzz_folder(), name);
    fuzz_check(length < PATH_MAX_BYTES, "a long name: %s", name);
    return path;
}

const char *fuzz_save(const char *name, const void *bytes, size_t size) {
    const char *path = fuzz_path(name);
    FILE *f = fopen(path, "wb");
    fuzz_check(f && (!size || fwrite(bytes, 1, size, f) == size) && !fclose(f),
               "%s cannot be written", path);
    return path;
}

void fuzz_left(const char *const *names, unsigned count) {
    DIR *d = opendir(fuzz_folder());
    fuzz_check(d, "%s has gone", folder);
    for (struct dirent *e; (e = readdir(d));) {
        bool known = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
        for (unsigned i = 0; i < count; i++) {
            known |= !strcmp(e->d_name, names[i]);
        }
        fuzz_check(known, "a file was left behind: %s", e->d_name);
    }
    closedir(d);
}

char *fuzz_text(struct fuzz_bytes *b) {
    const uint8_t *zero = b->left ? memchr(b->at, '\0', b->left) : NULL, *at;
    size_t length = fuzz_take(b, zero ? (size_t)(zero - b->at) : b->left, &at);
    char *text = malloc(length + 1);
    fuzz_check(text, "out of memory");
    if (length) {
        memcpy(text, at, length);
    }
    text[length] = '\0';
    (void)fuzz_byte(b);
    return text;
}
