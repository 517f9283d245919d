/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of one workload on one machine, with everything that must hold at its end.
 */
#ifndef WARPMEM_CLI_SESSION_H
#define WARPMEM_CLI_SESSION_H

#include <argp.h>

#include "base/stats.h"
#include "cli/cli.h"
#include "cli/machine.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

/* What every run can be told, of one machine or of several. */
struct session_options {
    const struct workload *workload;
    const char *size_text; /* "tiny", "small", "paper" */
    enum workload_size size;
    unsigned long long seed, max_cycles;
    bool poll, reverse, no_progress;
};

/* --size --seed --max-cycles --poll --reverse --no-progress; input: struct session_options. */
extern const struct argp session_argp;

void session_options_init(struct session_options *o);
/** session_workload() - find the workload; false: the message is printed. */
bool session_workload(struct session_options *o, const char *name);

/* A run that has ended. The counters live in gpu: they are valid until session_end(). */
struct session {
    const struct session_options *options;
    const struct machine *machine;
    enum gpu_status status;
    bool complete;
    uint64_t cycles, warp_instructions, thread_instructions;
    char blocks_text[512]; /* what the Verilog in the machine did; "": there was none */
    struct gpu *gpu;
    struct stats *stats;
    struct program program;
    bool program_open;
    const struct cli_blocks *blocks;
    struct block_factory *factory;
};

/**
 * session_run() - run and check. Messages are printed.
 * @events: event trace, or NULL
 * @blocks, @block_options: Verilog in the machine, or NULL
 * Return: CLI_OK: the statistics are good, if incomplete for --max-cycles. CLI_SIGNAL + n, CLI_FAILED with
 * session->stats: incomplete statistics that may be written. Without: there is nothing to write.
 */
int session_run(struct session *s, const struct session_options *o, const struct machine *m,
                FILE *events, const struct cli_blocks *blocks, void *block_options);
void session_end(struct session *s);

#endif
