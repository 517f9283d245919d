/* SPDX-License-Identifier: Apache-2.0
 * warpmem workload-data: write the device memory of a built-in workload before its first launch,
 * for a user's program with the same computation. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "workloads/host.h"

enum { OPTION_SIZE = 0x3c0, OPTION_SEED };

#define INDEX_FILE "arrays.tsv"

/* clang-format off */
static const struct argp_option options[] = {
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size, as for run (default small)", 1},
    {"seed", OPTION_SEED, "N", 0, "seed of the generated inputs (default 1)", 1},
    {0},
};
static const char doc[] =
    "Write the arrays that a built-in workload (NAME: as `warpmem list workloads` prints it) has in device memory before its first "
    "launch: a file 0.bin, 1.bin... each in the folder DIR, in the order of their allocation, and arrays.tsv, which lists them."
    "\v"
    "The columns of arrays.tsv: array, its number; address; bytes, of the allocation; file. Numbers are as x86 and ARM store "
    "them. Arrays that wait for results are there too, zeroed, so that a program which allocates all of them in this "
    "order has the same distances between them.\n\n"
    "For example: warpmem workload-data spmv-scalar data --size tiny";
/* clang-format on */

struct data_options {
    struct session_options session;
    const char *what, *folder;
};

static error_t parse_data_option(int key, char *arg, struct argp_state *state) {
    struct data_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case OPTION_SIZE: return session_parse_size(&o->session, arg);
    case OPTION_SEED: return session_parse_seed(&o->session, arg);
    case ARGP_KEY_ARG:
        if (o->folder) {
            return cli_bad("%s: too much: must be a workload's name and a folder",
                           text_shown(shown, sizeof shown, arg));
        }
        *(o->what ? &o->folder : &o->what) = arg;
        return 0;
    case ARGP_KEY_END:
        return o->folder ? 0
                         : cli_bad("workload-data: needs a workload's name and a folder: "
                                   "workload-data NAME DIR");
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Writes a file of the folder whole: @bytes of @data, or with NULL the list of arrays. */
static int write_data_file(const struct data_options *o, const char *name,
                           const struct device_memory *m, const void *data, size_t bytes) {
    char path[PATH_MAX];
    struct config_error e;
    struct output out;
    uint64_t address = DEVICE_MEMORY_BASE;
    snprintf(path, sizeof path, "%s/%s", o->folder, name);
    if (!output_open(&out, path, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    if (data) {
        fwrite(data, 1, bytes, out.file);
    } else {
        fputs("array\taddress\tbytes\tfile\n", out.file);
    }
    for (unsigned i = 0; !data && i < m->block_count; i++) {
        fprintf(out.file, "%u\t0x%" PRIx64 "\t%" PRIu64 "\t%u.bin\n", i, address, m->block_bytes[i],
                i);
        address += (m->block_bytes[i] + DEVICE_MEMORY_ALIGN - 1) / DEVICE_MEMORY_ALIGN *
                   DEVICE_MEMORY_ALIGN;
    }
    return output_commit(&out, &e) ? CLI_OK : cli_error(CLI_FAILED, "%s", e.text);
}

static int write_arrays(const struct data_options *o, const struct program *p) {
    const struct device_memory *m = &((const struct host *)p->self)->memory;
    int status = CLI_OK;
    if (mkdir(o->folder, 0777) && errno != EEXIST) {
        return cli_error(CLI_BAD_INPUT, "%s: cannot be made: %s", o->folder, strerror(errno));
    }
    for (unsigned i = 0; !status && i < m->block_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%u.bin", i);
        status = write_data_file(o, name, m, m->block[i], m->block_bytes[i]);
    }
    return status ? status : write_data_file(o, INDEX_FILE, m, NULL, 0);
}

static int run_workload_data(struct data_options *o) {
    struct session_options *s = &o->session;
    struct program program;
    if (!session_workload(s, o->what)) {
        return CLI_BAD_INPUT;
    }
    if (s->trace.path) {
        return cli_error(CLI_BAD_INPUT,
                         "%.200s: is a trace, which has no data: must be a "
                         "workload's name",
                         o->what);
    }
    signals_catch();
    const char *wrong = workload_open(s->workload, &program, s->size, s->seed);
    if (wrong) {
        return cli_error(CLI_FAILED, "%s %s: %s", s->workload->name, s->size_text, wrong);
    }
    int status = write_arrays(o, &program);
    workload_close(s->workload, &program);
    return status;
}

int cli_workload_data(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp argp = {options, parse_data_option, "NAME DIR", doc, NULL, NULL, NULL};
    struct data_options o = {0};
    (void)blocks;
    session_options_init(&o.session);
    enum cli_parsed parsed = cli_parse(&argp, "warpmem workload-data", argc, argv, &o);
    return parsed == CLI_PARSED   ? run_workload_data(&o)
           : parsed == CLI_HELPED ? CLI_OK
                                  : CLI_BAD_INPUT;
}
