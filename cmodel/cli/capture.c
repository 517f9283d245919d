/* SPDX-License-Identifier: Apache-2.0
 * warpmem capture: run a program that warpmem-cc has compiled, and keep its trace. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "trace/wtr_reader.h"

enum {
    OPTION_LAUNCHES = 0x3a0,
    OPTION_KERNELS,
    OPTION_CTAS,
    OPTION_NAME,
    OPTION_RECONVERGE,
    OPTION_CHECK,
    OPTION_CORES,
};

/* clang-format off */
static const struct argp_option options[] = {
    {"output", 'o', "FILE.wtr", 0, "the trace to write; it appears whole or not at all", 1},
    {"name", OPTION_NAME, "NAME", 0, "its name in reports (default: the program's)", 2},
    {"kernels", OPTION_KERNELS, "A,B", 0, "record only launches of these kernels, named without their parameters: spmv, or scan<float, 2>", 2},
    {"max-launches", OPTION_LAUNCHES, "N", 0, "record only the first N launches; the others run unrecorded", 2},
    {"ctas", OPTION_CTAS, "N", 0, "record only the first N CTAs of each launch", 2},
    {"cores", OPTION_CORES, "N", 0, "multiprocessors of the device that the program sees, by which some programs size their grids (default: 16)", 2},
    {"check", OPTION_CHECK, NULL, 0, "run each launch again without recording, and compare the memory after both", 2},
    {"reconverge", OPTION_RECONVERGE, "smallest|stack", 0, "where diverged lanes meet: by the code's order (default), or at the post-dominator", 2},
    {0},
};
static const char doc[] =
    "Run a CUDA or OpenCL program without a GPU and record its kernels, warp by warp, as a trace file. A CUDA program must be "
    "compiled with warpmem-cc, which takes nvcc's common options and needs only clang; an OpenCL program needs no change."
    "\v"
    "The program's output and exit status are its own. A program that ends early leaves no file. docs/capture.md describes how "
    "capture works, the supported features, and the differences from a GPU.\n\n"
    "For example:\n"
    "  warpmem-cc spmv.cu -o spmv\n"
    "  warpmem capture -o spmv.wtr -- ./spmv 4096\n"
    "  warpmem compare spmv.wtr --preset quadro-daws --schemes gto,ccws,swl:2";
/* clang-format on */

/* The child exits as a shell does when a command is not there. */
enum { NOT_RUN = 127 };

struct capture_options {
    const char *output, *name, *kernels, *launches, *ctas, *rule, *check, *cores;
    char **program; /* and its arguments */
};

static error_t take_count(const char *option, char *arg, const char **to) {
    unsigned long long value;
    char shown[TEXT_SHOWN];
    if (!cli_number(arg, INT64_MAX, &value) || !value) {
        return cli_bad("%s %s: must be a number of 1 or more", option,
                       text_shown(shown, sizeof shown, arg));
    }
    *to = arg;
    return 0;
}

static error_t parse_capture_option(int key, char *arg, struct argp_state *state) {
    struct capture_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case 'o': o->output = arg; return 0;
    case OPTION_NAME: o->name = arg; return 0;
    case OPTION_KERNELS: o->kernels = arg; return 0;
    case OPTION_CHECK: o->check = "1"; return 0;
    case OPTION_LAUNCHES: return take_count("--max-launches", arg, &o->launches);
    case OPTION_CTAS: return take_count("--ctas", arg, &o->ctas);
    case OPTION_CORES: {
        unsigned long long value;
        o->cores = arg;
        return cli_number(arg, 1024, &value) && value
                   ? 0
                   : cli_bad("--cores %s: must be a number from 1 to 1024",
                             text_shown(shown, sizeof shown, arg));
    }
    case OPTION_RECONVERGE:
        o->rule = arg;
        return !strcmp(arg, "smallest") || !strcmp(arg, "stack")
                   ? 0
                   : cli_bad("--reconverge %s: must be smallest or stack",
                             text_shown(shown, sizeof shown, arg));
    case ARGP_KEY_ARG:
        return cli_bad("capture: %s: the program must come after --",
                       text_shown(shown, sizeof shown, arg));
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char *plain_program_name(const struct capture_options *o) {
    const char *slash = strrchr(o->program[0], '/');
    return o->name ? o->name : slash ? slash + 1 : o->program[0];
}

/* The folder of this program and @name, if it is there and can be a part of a list. */
static bool find_own_folder(const char *name, char folder[static 2 * PATH_MAX]) {
    static const char *const places[] = {"", "../lib/warpmem/"};
    char own[PATH_MAX];
    if (!realpath("/proc/self/exe", own)) {
        return false;
    }
    *strrchr(own, '/') = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, 2 * PATH_MAX, "%s/%s%s", own, places[i], name);
        if (!access(folder, X_OK) && !strpbrk(folder, ":;")) {
            return true;
        }
    }
    return false;
}

/* A program that calls OpenCL, or is linked with -lcudart, gets ours, wherever the system has one
 * or none. They are in the folder of this program, in a build and if installed. */
static void put_libraries_in_front(void) {
    static const char *const names[] = {"warpmem-cuda/lib64", "warpmem-opencl"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char folder[2 * PATH_MAX], list[4 * PATH_MAX];
        const char *before = getenv("LD_LIBRARY_PATH");
        if (find_own_folder(names[i], folder)) {
            snprintf(list, sizeof list, "%s%s%s", folder, before && *before ? ":" : "",
                     before ? before : "");
            setenv("LD_LIBRARY_PATH", list, 1);
        }
    }
}

/* In the child. */
static void run_captured(const struct capture_options *o, const char *path) {
    const struct {
        const char *name, *value;
    } variables[] = {{"WARPMEM_CAPTURE", path},
                     {"WARPMEM_CAPTURE_NAME", plain_program_name(o)},
                     {"WARPMEM_CAPTURE_KERNELS", o->kernels},
                     {"WARPMEM_CAPTURE_LAUNCHES", o->launches},
                     {"WARPMEM_CAPTURE_CTAS", o->ctas},
                     {"WARPMEM_CAPTURE_CHECK", o->check},
                     {"WARPMEM_CAPTURE_CORES", o->cores},
                     {"WARPMEM_CAPTURE_RECONVERGE", o->rule}};
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++) {
        if (variables[i].value) {
            setenv(variables[i].name, variables[i].value, 1);
        } else {
            unsetenv(variables[i].name);
        }
    }
    put_libraries_in_front();
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing would stop it if its parent were killed */
    execvp(o->program[0], o->program);
    cli_error(CLI_BAD_INPUT, "%s: cannot be run: %s", o->program[0], strerror(errno));
    _exit(NOT_RUN);
}

/* The program's exit status as a shell has it; *normal: it ended by itself. */
static int wait_for_program(pid_t child, bool *normal) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            *normal = false;
            return CLI_FAILED;
        }
        if (*signals_flag()) {
            kill(child, (int)*signals_flag());
        }
    }
    *normal = WIFEXITED(status);
    return *normal ? WEXITSTATUS(status) : CLI_SIGNAL + WTERMSIG(status);
}

/* The launches of a whole trace; 0: it is none. */
static uint64_t count_launches(const char *path, uint64_t *warp_instructions) {
    char error[1024];
    struct wtr_item item = {0};
    uint64_t launches = 0;
    struct wtr_reader *r = wtr_reader_open(path, error, sizeof error);
    while (r && wtr_reader_item(r, &item)) {
        if (item.kind == WTR_ITEM_END) {
            launches = item.launches;
            *warp_instructions = item.totals.warp_instructions;
        }
    }
    wtr_reader_close(r);
    return launches;
}

static int keep_trace(const struct capture_options *o, struct output *out, int status,
                      bool normal) {
    struct config_error e;
    uint64_t warp_instructions = 0;
    const uint64_t launches = normal ? count_launches(out->temporary, &warp_instructions) : 0;
    if (!launches) {
        output_abandon(out);
        if (status == NOT_RUN) {
            return CLI_BAD_INPUT; /* the child has said why */
        }
        if (!normal) {
            return cli_error(status, "capture: %s ended by signal %d: no trace is written",
                             o->program[0], status - CLI_SIGNAL);
        }
        return cli_error(status ? status : CLI_FAILED,
                         "capture: %s wrote no trace: must be compiled with warpmem-cc or use "
                         "OpenCL, launch a kernel%s, and end normally",
                         o->program[0], o->kernels ? " of --kernels" : "");
    }
    if (!output_commit(out, &e)) {
        return cli_error(CLI_FAILED, "%s", e.text);
    }
    fprintf(stderr, "warpmem: capture: %s: %" PRIu64 " launches, %" PRIu64 " warp instructions\n",
            o->output, launches, warp_instructions);
    return status;
}

static int run_capture(const struct capture_options *o) {
    struct config_error e;
    struct output out;
    bool normal = true;
    const struct output_wish wish = {"-o", o->output, true};
    if (!o->output) {
        return cli_error(CLI_BAD_INPUT, "capture: needs a file to write: -o FILE.wtr");
    }
    if (!o->program || !*o->program) {
        return cli_error(CLI_BAD_INPUT, "capture: needs a program after --: capture -o FILE.wtr "
                                        "-- ./program");
    }
    signals_catch();
    if (!output_check(&wish, 1, &e) || !output_open(&out, o->output, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        run_captured(o, out.temporary);
    }
    if (child < 0) {
        output_abandon(&out);
        return cli_error(CLI_FAILED, "capture: %s", strerror(errno));
    }
    int status = wait_for_program(child, &normal);
    return keep_trace(o, &out, status, normal);
}

int cli_capture(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp argp = {
        options, parse_capture_option, "-- PROGRAM [ARGUMENT...]", doc, NULL, NULL, NULL};
    struct capture_options o = {0};
    int own = 1;
    (void)blocks;
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    o.program = own < argc ? &argv[own + 1] : NULL;
    if (own < argc) {
        argv[own] = NULL; /* the options end here */
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem capture", own, argv, &o);
    return parsed == CLI_PARSED ? run_capture(&o) : parsed == CLI_HELPED ? CLI_OK : CLI_BAD_INPUT;
}
