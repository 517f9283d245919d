/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "opencl/build.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 256
#define LOG_BYTES_MAX ((size_t)4 << 20)
#define NOT_RUN 127

/* The folder of a build, which is removed with its contents. */
struct workplace {
    char folder[256], source[320], module[320], log[320];
};

static bool make_workplace(struct workplace *w) {
    static unsigned builds; /* the file's name is the kernel's source in the trace's messages */
    const char *top = getenv("TMPDIR");
    snprintf(w->folder, sizeof w->folder, "%.200s/warpmem_cl_XXXXXX", top && *top ? top : "/tmp");
    if (!mkdtemp(w->folder)) {
        return false;
    }
    snprintf(w->source, sizeof w->source, "%s/program%u.cl", w->folder, ++builds);
    snprintf(w->module, sizeof w->module, "%s/module", w->folder);
    snprintf(w->log, sizeof w->log, "%s/log", w->folder);
    return true;
}

static bool write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "we");
    return f && (fputs(text, f) >= 0) & !fclose(f);
}

/* A header's name may have folders. False: it leaves the build's folder, or cannot be written. */
static bool write_header(const struct workplace *w, const char *name, const char *text) {
    char path[PATH_MAX];
    if (name[0] == '/' || strstr(name, "..") ||
        snprintf(path, sizeof path, "%s/%s", w->folder, name) >= (int)sizeof path) {
        return false;
    }
    for (char *slash = strchr(path + strlen(w->folder) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return write_text(path, text);
}

static bool fill_workplace(const struct workplace *w, const char *source,
                           const struct build_headers *headers) {
    bool good = write_text(w->source, source);
    for (unsigned i = 0; good && headers && i < headers->count; i++) {
        good = write_header(w, headers->names[i], headers->texts[i]);
    }
    return good;
}

/* --- the command --- */

/* warpmem-cc is in the folder of this library, in a build and if installed. */
static const char *find_compiler(char *path, size_t room) {
    static const char *const places[] = {"../warpmem-cc", "../../../bin/warpmem-cc"};
    static const char here; /* the loader knows the library of an address in it */
    Dl_info self;
    char own[PATH_MAX];
    if (!dladdr(&here, &self) || !self.dli_fname || !realpath(self.dli_fname, own)) {
        return "warpmem-cc";
    }
    *strrchr(own, '/') = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        if (snprintf(path, room, "%s/%s", own, places[i]) < (int)room && !access(path, X_OK)) {
            return path;
        }
    }
    return "warpmem-cc";
}

/* Words are parted by blanks; quotes keep them together. They go into @text, which grows no longer.
 * Return: their count, or -1: too many, or a quote that does not end. */
static int split_options(char *text, char **words, int room) {
    int count = 0;
    for (char *at = text; *at;) {
        at += strspn(at, " \t\n\r");
        if (!*at) {
            break;
        }
        if (count == room) {
            return -1;
        }
        char *to = words[count++] = at;
        bool quoted = false;
        for (; *at && (quoted || !strchr(" \t\n\r", *at)); at++) {
            if (*at == '"') {
                quoted = !quoted;
            } else {
                *to++ = *at;
            }
        }
        if (quoted) {
            return -1;
        }
        at += *at != '\0';
        *to = '\0';
    }
    return count;
}

__attribute__((noreturn)) static void run_in_child(const char *program, char **words,
                                                   const char *log) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0) {
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
    }
    unsetenv("LD_PRELOAD"); /* it is the program's, not Python's */
    unsetenv("WARPMEM_CAPTURE");
    execvp(program, words);
    _exit(NOT_RUN);
}

static enum build_result run_compiler(const struct workplace *w, const char *options) {
    char path[PATH_MAX], *text = strdup(options);
    char *words[WORDS_MAX + 8] = {"warpmem-cc",      "-c", (char *)w->source, "-o",
                                  (char *)w->module, "-I", (char *)w->folder};
    int status = 0, count = text ? split_options(text, words + 7, WORDS_MAX) : -1;
    if (count < 0) {
        free(text);
        return BUILD_BAD_OPTIONS;
    }
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        run_in_child(find_compiler(path, sizeof path), words, w->log);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    free(text);
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == NOT_RUN) {
        return BUILD_NO_COMPILER;
    }
    return WEXITSTATUS(status) == 0   ? BUILD_GOOD
           : WEXITSTATUS(status) == 2 ? BUILD_BAD_OPTIONS
                                      : BUILD_FAILED;
}

/* --- the log --- */

static char *read_log(const struct workplace *w) {
    FILE *f = fopen(w->log, "re");
    char *log = calloc(1, LOG_BYTES_MAX);
    if (f && log) {
        log[fread(log, 1, LOG_BYTES_MAX - 1, f)] = '\0';
    }
    if (f) {
        fclose(f);
    }
    if (!log) {
        return NULL;
    }
    /* The folder says nothing to the program's user. */
    const size_t length = strlen(w->folder);
    for (char *at = log; (at = strstr(at, w->folder));) {
        memmove(at, at + length + 1, strlen(at + length + 1) + 1);
    }
    char *shrunk = realloc(log, strlen(log) + 1);
    return shrunk ? shrunk : log;
}

/* A program may keep to itself why its kernels are not there. */
static void say_first_line(const char *log) {
    const char *wrong = strstr(log, "error:");
    while (wrong && wrong > log && wrong[-1] != '\n') {
        wrong--;
    }
    wrong = wrong ? wrong : log;
    fprintf(stderr, "warpmem capture: kernels of OpenCL C were not built: %.*s\n",
            (int)strcspn(wrong, "\n"), wrong);
}

static void remove_folder(const char *folder) {
    pid_t child = fork();
    if (!child) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(NOT_RUN);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

enum build_result build_module(const char *source, const char *options,
                               const struct build_headers *headers, struct module **module,
                               char **log) {
    struct workplace w;
    if (!make_workplace(&w)) {
        *log = strdup("no folder for temporary files");
        return BUILD_FAILED;
    }
    enum build_result result = BUILD_FAILED;
    if (fill_workplace(&w, source, headers)) {
        result = run_compiler(&w, options);
    }
    if (result == BUILD_GOOD) {
        *module = module_add_file(w.module);
    }
    *log = read_log(&w);
    if (result != BUILD_GOOD) {
        say_first_line(*log ? *log : "");
    }
    remove_folder(w.folder);
    return result;
}
