/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/shell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { OUTPUT_MAX = 1 << 20 };

const char *setting_or(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

int run_shell(char **output, const char *format, ...) {
    char command[4096];
    size_t length = 0;
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    FILE *pipe = popen(command, "r");
    *output = calloc(1, OUTPUT_MAX);
    if (!pipe || !*output) {
        abort();
    }
    for (size_t n; (n = fread(*output + length, 1, OUTPUT_MAX - 1 - length, pipe)) > 0;) {
        length += n;
    }
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *scratch_path(const char *name) {
    const char *dir = setting_or("COSIM_TMP", "build/cosim");
    size_t size = strlen(dir) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path) {
        abort();
    }
    (void)mkdir("build", 0777);
    (void)mkdir(dir, 0777);
    snprintf(path, size, "%s/%s", dir, name);
    return path;
}

void write_shell_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        abort();
    }
}
