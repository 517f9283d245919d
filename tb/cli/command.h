/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of the warpmem command from outside: run it in an empty folder, look at what it printed and
 * left.
 */
#ifndef WARPMEM_TB_CLI_COMMAND_H
#define WARPMEM_TB_CLI_COMMAND_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unit_tests.h"

/* The program to test, from the folder of the build. */
#ifndef COMMAND_PROGRAM
#define COMMAND_PROGRAM "warpmem"
#endif

enum { ARGS = 24, TIMEOUT = 300 };

/* The output of one command; tests run in a folder of their own, output goes to its neighbour. */
struct printed {
    int status;
    char *out, *err;
};

struct fixture {
    char binary[4096], folder[64], prints[64];
    char project[2048]; /* where the test program was started */
    /* One whose tiny runs end at once and whose small ones take a second. */
    const char *workload;
    bool verilog; /* the binary has Verilog blocks */
};

static inline char *read_whole_file(const char *path) {
    FILE *f = fopen(path, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    if (!f) {
        fail_msg("%s: %s", path, strerror(errno));
    }
    for (size_t n; (n = fread(text + size, 1, room - size - 1, f));) {
        size += n;
        if (room - size < 2048) {
            text = realloc(text, room *= 2);
        }
    }
    text[size] = '\0';
    fclose(f);
    return text;
}

static inline void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

/* The words that stand for others in a command line. */
static inline char *word_of(const struct fixture *x, char *word) {
    return !strcmp(word, "WORKLOAD") ? (char *)x->workload : !strcmp(word, "EMPTY") ? "" : word;
}

/* Splits at blanks; WORKLOAD becomes the workload's name. */
static inline pid_t start_command(const struct fixture *x, const char *line) {
    char words[2048], *argv[ARGS] = {(char *)x->binary}, out[80], err[80];
    unsigned argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w && argc < ARGS - 1; w = strtok(NULL, " ")) {
        argv[argc++] = word_of(x, w);
    }
    snprintf(out, sizeof out, "%s/out", x->prints);
    snprintf(err, sizeof err, "%s/err", x->prints);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool full = strstr(line, "--full-stdout"); /* not an option: the harness's word */
        if (full) {
            argc--;
        }
        argv[argc] = NULL;
        freopen(full ? "/dev/full" : out, "w", stdout);
        freopen(err, "w", stderr);
        alarm(TIMEOUT);
        execv(x->binary, argv);
        _exit(127);
    }
    return child;
}

static inline struct printed finish_command(const struct fixture *x, pid_t child) {
    char out[80], err[80];
    int status;
    waitpid(child, &status, 0);
    snprintf(out, sizeof out, "%s/out", x->prints);
    snprintf(err, sizeof err, "%s/err", x->prints);
    return (struct printed){WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
                            read_whole_file(out), read_whole_file(err)};
}

static inline struct printed run_command(const struct fixture *x, const char *line) {
    return finish_command(x, start_command(x, line));
}

static inline void drop_printed(struct printed *p) {
    free(p->out);
    free(p->err);
}

static inline void assert_printed(const char *text, const char *part, const char *line) {
    if (!strstr(text, part)) {
        fail_msg("%s\n\"%s\" is not in \"%s\"", line, part, text);
    }
}

/* Runs and wants success with nothing on stderr; the caller frees what it printed. */
static inline char *run_good_command(const struct fixture *x, const char *line) {
    struct printed p = run_command(x, line);
    if (p.status || *p.err) {
        fail_msg("%s\nexit %d: %s", line, p.status, p.err);
    }
    free(p.err);
    return p.out;
}

static inline unsigned count_files(const char *folder) {
    unsigned count = 0;
    DIR *d = opendir(folder);
    while (readdir(d)) {
        count++;
    }
    closedir(d);
    return count - 2;
}

static void remove_files_in(const char *folder) {
    char path[512];
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            remove(path);
        }
    }
    closedir(d);
}

static int start_empty(void **state) {
    struct fixture *x = *state;
    remove_files_in(x->folder);
    return chdir(x->folder);
}

static void learn_binary(struct fixture *x) {
    FREED char *version = run_good_command(x, "version");
    x->workload = "2dconv";
    x->verilog = strstr(version, "Verilog");
}

/* argv[1] is the binary, else the program of the same build, which is two folders above. */
static int run_tests_of_command(int argc, char **argv) {
    static struct fixture x = {.folder = "/tmp/warpmem_cli_XXXXXX",
                               .prints = "/tmp/warpmem_cli_XXXXXX"};
    char beside[2048];
    char *slash = strrchr(argv[0], '/');
    snprintf(beside, sizeof beside, "%.*s../../" COMMAND_PROGRAM,
             slash ? (int)(slash - argv[0] + 1) : 0, argv[0]);
    const char *binary = argc > 1 ? argv[1] : beside;
    bool absolute = *binary == '/';
    if (!getcwd(x.project, sizeof x.project)) {
        perror("getcwd");
        return 2;
    }
    snprintf(x.binary, sizeof x.binary, "%s%s%s", absolute ? "" : x.project, absolute ? "" : "/",
             binary);
    if (access(x.binary, X_OK)) {
        fprintf(stderr, "usage: %s WARPMEM: %s: %s\n", argv[0], x.binary, strerror(errno));
        return 2;
    }
    if (!mkdtemp(x.folder) || !mkdtemp(x.prints)) {
        perror(x.folder);
        return 2;
    }
    learn_binary(&x);
    int failed = unit_tests_run(&x);
    remove_files_in(x.folder);
    remove_files_in(x.prints);
    rmdir(x.folder);
    rmdir(x.prints);
    return failed;
}
TEST_FRAME(run_tests_of_command)

/** COMMAND_TEST() - a test of the fixture @x, whose folder is empty. */
#define COMMAND_TEST(name) TEST_OF(name, start_empty, NULL, const struct fixture *x)

#endif
