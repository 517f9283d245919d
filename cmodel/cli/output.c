/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

bool output_is_stdout(const char *path) {
    return path && !strcmp(path, "-");
}

static bool fail(struct config_error *e, const char *path, int error) {
    char shown[TEXT_SHOWN * 4];
    snprintf(e->text, sizeof e->text, "%s: cannot be written: %s",
             *path ? text_shown(shown, sizeof shown, path) : "(empty name)", strerror(error));
    return false;
}

bool output_check(const char *path, struct config_error *e) {
    struct stat st;
    if (output_is_stdout(path)) {
        return true;
    }
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) { /* opening a pipe would wait for its reader */
        return S_ISDIR(st.st_mode)  ? fail(e, path, EISDIR)
               : access(path, W_OK) ? fail(e, path, errno)
                                    : true;
    }
    struct output o;
    if (!output_open(&o, path, e)) {
        return false;
    }
    output_abandon(&o);
    return true;
}

/* mkstemp() makes files private; give them what open() would. */
static void usual_mode(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
}

static int open_temporary(struct output *o) {
    size_t size = strlen(o->target) + sizeof ".tmpXXXXXX";
    o->temporary = malloc(size);
    if (!o->temporary) {
        return ENOMEM;
    }
    snprintf(o->temporary, size, "%s.tmpXXXXXX", o->target);
    int fd = mkstemp(o->temporary);
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

static void forget(struct output *o) {
    free(o->path);
    free(o->target);
    free(o->temporary);
    *o = (struct output){0};
}

bool output_open(struct output *o, const char *path, struct config_error *e) {
    struct stat st;
    *o = (struct output){.path = strdup(path)};
    if (!o->path) {
        return fail(e, path, ENOMEM);
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
        return fail(e, path, error);
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
        fail(e, o->path, error);
        output_abandon(o);
        return false;
    }
    forget(o);
    return true;
}

void output_abandon(struct output *o) {
    if (o->file && o->file != stdout) {
        fclose(o->file);
    }
    if (o->temporary) {
        unlink(o->temporary);
    }
    forget(o);
}
