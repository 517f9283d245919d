/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE 1 /* realpath(), flock() */
#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define TEMPORARY ".tmp"
#define TEMPORARY_TAIL TEMPORARY "XXXXXX"
#define MKSTEMP_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

bool output_is_stdout(const char *path) {
    return path && !strcmp(path, "-");
}

static bool fail_output(struct config_error *e, const char *path, int error) {
    char shown[TEXT_SHOWN * 4];
    snprintf(e->text, sizeof e->text, "%s: cannot be written: %s",
             *path ? text_shown(shown, sizeof shown, path) : "(empty name)", strerror(error));
    return false;
}

/* Returns the path of a file that does not exist yet; the caller frees it. NULL: in no folder. */
static char *future_path(const char *path) {
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = parent ? realpath(parent, NULL) : NULL, *text = NULL;
    const char *name = slash ? slash + 1 : path;
    if (real) {
        size_t size = strlen(real) + strlen(name) + 2;
        text = malloc(size);
        if (text) {
            snprintf(text, size, "%s/%s", real, name);
        }
    }
    free(parent);
    free(real);
    return text;
}

/* One file under two names is one file. */
static bool same_output_file(const char *a, const char *b) {
    struct stat sa, sb;
    if (!strcmp(a, b)) {
        return true;
    }
    if (output_is_stdout(a) || output_is_stdout(b)) {
        return false;
    }
    bool a_there = !stat(a, &sa), b_there = !stat(b, &sb);
    if (a_there || b_there) {
        return a_there && b_there && S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev &&
               sa.st_ino == sb.st_ino;
    }
    char *pa = future_path(a), *pb = future_path(b);
    bool same = pa && pb && !strcmp(pa, pb);
    free(pa);
    free(pb);
    return same;
}

static bool check_writable(const struct output_wish *w, struct config_error *e) {
    struct stat st;
    struct output o;
    if (output_is_stdout(w->path)) {
        return true;
    }
    if (!stat(w->path, &st) && !S_ISREG(st.st_mode)) { /* opening a pipe waits for its reader */
        return S_ISDIR(st.st_mode)     ? fail_output(e, w->path, EISDIR)
               : access(w->path, W_OK) ? fail_output(e, w->path, errno)
                                       : true;
    }
    if (!output_open(&o, w->path, e)) {
        return false;
    }
    output_abandon(&o);
    return true;
}

/* Only files are renamed into place: a rename would replace a device. */
static bool is_file(const char *path) {
    struct stat st;
    return !output_is_stdout(path) &&
           (stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

bool output_check(const struct output_wish *wishes, unsigned count, struct config_error *e) {
    char shown[TEXT_SHOWN * 4];
    for (unsigned i = 0; i < count; i++) {
        const struct output_wish *w = &wishes[i];
        for (unsigned k = 0; w->path && k < i; k++) {
            if (wishes[k].path && same_output_file(w->path, wishes[k].path)) {
                snprintf(e->text, sizeof e->text, "%s %s: is also %s: each needs a file of its own",
                         w->option, text_shown(shown, sizeof shown, w->path), wishes[k].option);
                return false;
            }
        }
        if (w->path && w->file && !is_file(w->path)) {
            snprintf(e->text, sizeof e->text, "%s %s: must be a file", w->option,
                     text_shown(shown, sizeof shown, w->path));
            return false;
        }
        if (w->path && !check_writable(w, e)) {
            struct config_error why = *e;
            snprintf(e->text, sizeof e->text, "%s %.400s", w->option, why.text);
            return false;
        }
    }
    return true;
}

bool output_spares(const struct output_wish *wishes, unsigned count, const char *input,
                   struct config_error *e) {
    char shown[TEXT_SHOWN * 4];
    for (unsigned i = 0; input && i < count; i++) {
        const char *path = wishes[i].path;
        if (path && !output_is_stdout(path) && same_output_file(path, input)) {
            snprintf(e->text, sizeof e->text, "%s %s: is read: must be another file",
                     wishes[i].option, text_shown(shown, sizeof shown, path));
            return false;
        }
    }
    return true;
}

/* mkstemp() makes files private; this gives them the mode of open(). */
static void usual_mode(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
}

/* Removes temporary files of this target that no program writes any more, as kill -9 leaves them:
 * a program that writes one has it locked. */
static void remove_left_temporaries(const char *target) {
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    char *folder = slash ? strndup(target, (size_t)(slash - target) + 1) : strdup("./");
    DIR *dir = folder ? opendir(folder) : NULL;
    struct dirent *entry;
    const size_t length = strlen(name);
    while (dir && (entry = readdir(dir))) {
        const char *left = entry->d_name;
        if (strncmp(left, name, length) || strncmp(left + length, TEMPORARY, strlen(TEMPORARY)) ||
            strlen(left) != length + sizeof TEMPORARY_TAIL - 1 ||
            strspn(left + length + strlen(TEMPORARY), MKSTEMP_LETTERS) != 6) {
            continue;
        }
        int fd = openat(dirfd(dir), left, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB)) {
            unlinkat(dirfd(dir), left, 0);
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(folder);
}

/* Makes the file and locks it. Another program may have removed it between the two. */
static int make_temporary(char *path) {
    const size_t length = strlen(path);
    struct stat st;
    for (;;) {
        memcpy(path + length - strlen("XXXXXX"), "XXXXXX", strlen("XXXXXX"));
        int fd = mkstemp(path);
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st) || st.st_nlink) {
            return fd;
        }
        close(fd);
    }
}

static int open_temporary(struct output *o) {
    size_t size = strlen(o->target) + sizeof TEMPORARY_TAIL;
    remove_left_temporaries(o->target);
    o->temporary = malloc(size);
    if (!o->temporary) {
        return ENOMEM;
    }
    snprintf(o->temporary, size, "%s" TEMPORARY_TAIL, o->target);
    int fd = make_temporary(o->temporary);
    if (fd < 0) {
        int error = errno;
        free(o->temporary);
        o->temporary = NULL;
        return error;
    }
    usual_mode(fd);
    o->file = fdopen(fd, "w");
    if (!o->file) {
        int error = errno;
        close(fd);
        return error;
    }
    return 0;
}

static void forget_output(struct output *o) {
    free(o->path);
    free(o->target);
    free(o->temporary);
    *o = (struct output){0};
}

bool output_open(struct output *o, const char *path, struct config_error *e) {
    struct stat st;
    *o = (struct output){.path = strdup(path)};
    if (!o->path) {
        return fail_output(e, path, ENOMEM);
    }
    if (output_is_stdout(path)) {
        o->file = stdout;
        return true;
    }
    int error = 0;
    bool exists = !stat(path, &st);
    if (exists && S_ISDIR(st.st_mode)) {
        error = EISDIR;
    } else if (exists && access(path, W_OK)) {
        error = errno; /* rename() would replace a file that its owner protects */
    } else if (exists && !S_ISREG(st.st_mode)) {
        o->file = fopen(path, "w");
        error = o->file ? 0 : errno;
    } else if (!*path || path[strlen(path) - 1] == '/') {
        error = *path ? EISDIR : ENOENT;
    } else {
        o->target = exists ? realpath(path, NULL) : strdup(path); /* a link stays a link */
        error = o->target ? open_temporary(o) : errno;
    }
    if (error) {
        output_abandon(o);
        return fail_output(e, path, error);
    }
    return true;
}

bool output_commit(struct output *o, struct config_error *e) {
    int error = 0;
    if (fflush(o->file) || ferror(o->file)) {
        error = errno ? errno : EIO;
    }
    if (o->file != stdout && fclose(o->file) && !error) {
        error = errno;
    }
    o->file = NULL;
    if (!error && o->target && rename(o->temporary, o->target)) {
        error = errno;
    }
    if (error) {
        fail_output(e, o->path, error);
        output_abandon(o);
        return false;
    }
    forget_output(o);
    return true;
}

void output_abandon(struct output *o) {
    if (o->file && o->file != stdout) {
        fclose(o->file);
    }
    if (o->temporary) {
        unlink(o->temporary);
    }
    forget_output(o);
}

void output_field(const char *text, char between, FILE *out) {
    if (between != ',' || !strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        fprintf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    }
    fputc('"', out);
}
