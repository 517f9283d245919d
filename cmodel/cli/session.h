/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of one workload on one machine, with all checks at its end.
 */
#ifndef WARPMEM_CLI_SESSION_H
#define WARPMEM_CLI_SESSION_H

#include <argp.h>
#include <time.h>

#include "base/stats.h"
#include "cli/options/cli.h"
#include "cli/options/machine.h"
#include "cli/report/series.h"
#include "cli/options/trace_source.h"
#include "cli/report/warp_series.h"
#include "gpu/gpu.h"
#include "gpu/kernels.h"
#include "workloads/workload.h"

/* Options of every run, of one machine or of several. */
struct session_options {
    const struct workload *workload;
    const char *size_text; /* "tiny", "small", "paper:mrpb" */
    enum workload_size size;
    bool size_given, seed_given;
    struct trace_source trace; /* the workload, where it comes from a file */
    unsigned long long seed, max_cycles, max_insn, max_insn_launch, max_insn_per_kernel, launch;
    struct daws_profile *profile; /* --profile; NULL: none */
    uint64_t profile_hash;        /* of its file */
    const char *wanted_by;        /* name of the result that the run repeats; NULL: none */
    uint64_t wanted_hash;         /* of the inputs, in that result */
    unsigned long long
        warps_interval; /* a kept result has --warps with this interval; 0: without */
    bool poll, reverse, in_time, no_progress;
    bool times;       /* the JSON has the run's times */
    bool hash_inputs; /* the result has the inputs' hash */
};

/* --size --seed --max-cycles --max-insn --max-insn-launch --max-insn-per-kernel --launch --profile
 * --poll --reverse --in-time --no-progress --times; input: struct session_options. */
extern const struct argp session_argp;

void session_options_init(struct session_options *o);
void session_options_free(struct session_options *o);
/** session_parse_size() and the others - values of --size, --seed, --profile. Return: as for
 * argp. */
error_t session_parse_size(struct session_options *o, const char *arg);
error_t session_parse_seed(struct session_options *o, const char *arg);
error_t session_parse_profile(struct session_options *o, const char *path);
/** session_workload() - find the workload, or the trace file: a name that has a '/' or ends in
 * .wtr. Parse the size options first. False: the message is printed. */
bool session_workload(struct session_options *o, const char *name);

/** session_length() - approximate warp instructions and launches of the workload; 0: unknown. */
void session_length(const struct session_options *o, uint64_t *warp_instructions,
                    uint64_t *launches);

struct sweep;

/* The result of a run, without its machine and workload. */
struct session {
    const struct session_options *options;
    const struct machine *machine;
    bool complete;
    uint64_t cycles, warp_instructions, thread_instructions;
    uint64_t input_hash;
    time_t began;
    double wall_seconds, processor_seconds;
    const struct sweep *sweep; /* the sweep whose best run this is; NULL: no sweep */
    struct stats *stats;       /* at the end of the run; NULL: nothing may be written */
    uint64_t *values;          /* one of each counter, in the order of the registry */
    struct gpu_kernels kernels;
    char *warps; /* lines of --warps of a kept result; NULL: none */
};

/* Optional inputs of a run; zeroed: none. */
struct session_extras {
    const char *title; /* the run's name in messages; NULL: the workload's */
    FILE *said;        /* gets the messages; NULL: stderr */
    FILE *events, *dram_log, *border;
    struct series *series;     /* out and interval set */
    struct warp_series *warps; /* the same */
    /* As in struct gpu_options; NULL: the session prints its own progress line. */
    void (*progress)(void *user, const struct gpu_progress *now);
    void *progress_user;
    const struct cli_blocks *blocks; /* Verilog in the machine, or NULL */
    void *block_options;
};

/**
 * session_run() - run and check. Messages are printed. Several may run at once.
 * @x: NULL: none
 * Return: CLI_OK: success, even if --max-cycles or another limit cut the run. Else the exit status;
 * session->stats is not NULL if it has incomplete statistics to write.
 */
int session_run(struct session *s, const struct session_options *o, const struct machine *m,
                const struct session_extras *x);
/** session_note() - the reason, in a few words, why the scheme of a complete result had no effect;
 * NULL: it may have had one. */
const char *session_note(const struct session *s);
/** session_capped() - number of launches that --max-insn-per-kernel cut. */
uint64_t session_capped(const struct stats *stats);
/** session_end() - free the statistics. */
void session_end(struct session *s);

#endif
