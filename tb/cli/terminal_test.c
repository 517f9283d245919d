/* SPDX-License-Identifier: Apache-2.0
 * Output to a terminal: the progress line, which is erased at the end. */
#define _GNU_SOURCE /* posix_openpt() and its like */
#include "cli/command.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

#define PATIENCE 60000 /* milliseconds for what a busy computer shows late */

static unsigned lines_in(const char *seen) {
    unsigned lines = 0;
    for (const char *at = seen; (at = strstr(at, "\r\x1b[K")); at++) {
        lines++;
    }
    return lines;
}

/* Runs a command whose stderr is a terminal of some columns until it has shown so many progress
 * lines, at most for so many milliseconds, then with a signal. Return: the terminal's input, which
 * the caller frees. */
static char *on_terminal(const struct fixture *x, const char *line, unsigned short columns,
                         unsigned lines, int milliseconds, int *status) {
    char words[1024], *argv[ARGS] = {(char *)x->binary}, *seen = calloc(1, 1 << 16);
    unsigned argc = 1;
    size_t size = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *w = strtok(words, " "); w && argc < ARGS - 1; w = strtok(NULL, " ")) {
        argv[argc++] = word_of(x, w);
    }
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
    struct winsize window = {.ws_col = columns, .ws_row = 24};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &window), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
        dup2(slave, STDERR_FILENO);
        freopen("/dev/null", "w", stdout);
        alarm(TIMEOUT);
        execv(x->binary, argv);
        _exit(127);
    }
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (bool killed = false; waitpid(child, status, WNOHANG) == 0;) {
        struct pollfd p = {.fd = master, .events = POLLIN};
        if (poll(&p, 1, 20) > 0 && p.revents & POLLIN && size < (1 << 16) - 4096) {
            ssize_t n = read(master, seen + size, 4095);
            size += n > 0 ? (size_t)n : 0;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        int spent =
            (int)((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000);
        if (!killed && (spent > milliseconds || lines_in(seen) >= lines)) {
            killed = true;
            kill(child, SIGINT);
        }
    }
    struct pollfd rest = {.fd = master, .events = POLLIN};
    while (poll(&rest, 1, 0) > 0 && rest.revents & POLLIN && size < (1 << 16) - 4096) {
        ssize_t n = read(master, seen + size, 4095);
        if (n <= 0) {
            break;
        }
        size += (size_t)n;
    }
    close(master);
    return seen;
}

COMMAND_TEST(a_run_shows_its_progress) {
    int status;
    FREED char *seen = on_terminal(x, "run WORKLOAD --size paper", 200, 5, PATIENCE, &status);
    static const char *const parts[] = {" %, ",      " s left, launch 1 of ", " CTAs, ",
                                        " cycles, ", " kcycles/s, ",          " s"};
    char *line = strstr(seen, "\r\x1b[K");
    assert_non_null(line);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(line, parts[i], "progress");
    }
    /* The line is gone before the message that ends the run. */
    char *message = strstr(seen, "warpmem: ");
    assert_non_null(message);
    assert_int_equal(strncmp(message - 4, "\r\x1b[K", 4), 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
}

COMMAND_TEST(a_limited_run_says_what_is_left) {
    int status;
    /* All blocks of atax are resident and end together: its blocks foretell nothing. */
    FREED char *seen = on_terminal(x, "run atax --size paper:mrpb --max-cycles 900000000", 200, 5,
                                   PATIENCE, &status);
    assert_printed(seen, " s left, launch 1 of 2, 0 of 8 CTAs", "--max-cycles");
}

COMMAND_TEST(a_trace_says_how_long_it_is) {
    int status;
    free(run_good_command(x, "trace atax --size small -o atax.wtr"));
    FREED char *seen = on_terminal(x, "run atax.wtr", 200, 5, PATIENCE, &status);
    assert_printed(seen, " %, ", "a trace");
    assert_printed(seen, " s left, launch 1 of 2, ", "a trace");
}

/* It cannot take a line back. */
COMMAND_TEST(a_dumb_terminal_sees_no_progress) {
    int status;
    char *before = getenv("TERM");
    FREED char *term = before ? strdup(before) : NULL;
    setenv("TERM", "dumb", 1);
    FREED char *seen = on_terminal(x, "run WORKLOAD --size paper", 80, UINT_MAX, 700, &status);
    term ? setenv("TERM", term, 1) : unsetenv("TERM");
    assert_null(strstr(seen, "\x1b"));
}

COMMAND_TEST(a_comparison_shows_how_many_runs_are_done) {
    int status;
    FREED char *seen =
        on_terminal(x, "compare WORKLOAD --size paper --schemes baseline,mrpb,gto --jobs 2", 200, 5,
                    PATIENCE, &status);
    static const char *const parts[] = {": 0 of 3 runs done, ", " kcycles/s, ", "; baseline ",
                                        " %, mrpb "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_printed(seen, parts[i], "compare");
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 130);
}

COMMAND_TEST(what_is_read_through_shows_its_part) {
    int status;
    FREED char *seen =
        on_terminal(x, "characterize WORKLOAD --size paper", 200, 3, PATIENCE, &status);
    char *line = strstr(seen, "\r\x1b[K");
    assert_non_null(line);
    assert_printed(line, " %, ", "characterize");
    assert_printed(line, " s left", "characterize");
}

COMMAND_TEST(a_line_is_cut_to_the_terminals_width) {
    int status;
    char *seen = on_terminal(x, "run WORKLOAD --size paper", 30, 5, PATIENCE, &status);
    unsigned lines = 0;
    for (char *at = seen; (at = strstr(at, "\r\x1b[K")); lines++) {
        at += 4;
        if (!strncmp(at, "warpmem", 7)) {
            break; /* no progress line */
        }
        assert_true(strcspn(at, "\r") < 30);
    }
    assert_true(lines > 1);
    free(seen);
}

COMMAND_TEST(a_user_can_switch_it_off) {
    int status;
    FREED char *seen =
        on_terminal(x, "run WORKLOAD --size paper --no-progress", 80, UINT_MAX, 700, &status);
    assert_null(strstr(seen, "\x1b"));
    free(seen);
    seen =
        on_terminal(x, "compare WORKLOAD --size paper --no-progress", 80, UINT_MAX, 700, &status);
    assert_null(strstr(seen, "\x1b"));
}
