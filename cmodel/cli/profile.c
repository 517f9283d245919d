/* SPDX-License-Identifier: Apache-2.0
 * warpmem profile: write the loads of a workload's loops for Profiled-DAWS (DAWS 5.1). */
#include <inttypes.h>

#include "base/text.h"
#include "cli/report/characterize_count.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "issue/daws/profile.h"

enum { OPTION_SIZE = 0x3c0, OPTION_SEED, OPTION_MAX_INSN, OPTION_NO_PROGRESS };

/* clang-format off */
static const struct argp_option options[] = {
    {"output", 'o', "FILE|-", 0, "the profile; appears whole or not at all, - is stdout", 5},
    {NULL, 0, NULL, 0, "The input, which should differ from that of the runs:", 10},
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size, as for run (default small)", 10},
    {"seed", OPTION_SEED, "N", 0, "seed of the generated inputs (default 1)", 10},
    {"max-insn", OPTION_MAX_INSN, "N", 0, "stop with the CTA that reaches N thread instructions", 10},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 10},
    {0},
};
static const char doc[] =
    "Write a profile of a workload (WHAT: a name that `warpmem list workloads` prints) or a trace (WHAT: a file that has a '/' "
    "in its name or ends in .wtr): for each kernel the loads in loops with locality, their divergence, and the groups that "
    "touch the same lines. `warpmem run WHAT --scheme daws-profiled --profile FILE` reads it (DAWS 5.1). It is text and may be "
    "edited: docs/daws_profile.md."
    "\v"
    "For example:\n"
    "  warpmem profile spmv-scalar --size tiny --seed 2 --preset quadro-daws -o spmv.profile\n"
    "  warpmem run spmv-scalar --preset quadro-daws --scheme daws-profiled --profile spmv.profile";
/* clang-format on */

struct options {
    struct machine_options machine;
    struct session_options session;
    char *what;
    const char *output;
};

static error_t parse_profile_option(int key, char *arg, struct argp_state *state) {
    struct options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case 'o': o->output = arg; return 0;
    case OPTION_SIZE: return session_parse_size(&o->session, arg);
    case OPTION_SEED: return session_parse_seed(&o->session, arg);
    case OPTION_MAX_INSN:
        if (!cli_number(arg, UINT64_MAX, &o->session.max_insn) || !o->session.max_insn) {
            return cli_bad("--max-insn %s: must be 1 or more",
                           text_shown(shown, sizeof shown, arg));
        }
        return 0;
    case OPTION_NO_PROGRESS: o->session.no_progress = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad("profile: needs a workload's name; `warpmem list workloads` lists them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The mean, rounded up, so that a small one is not 0. */
static unsigned mean_of_executions(uint64_t sum, uint64_t executions) {
    return (unsigned)((sum + executions - 1) / executions);
}

/* The loads of a loop; as comments where the loop has no locality. Groups count from @first.
 * Return: the next loop's first group. */
static unsigned print_loop_loads(const struct kernel_counts *k, const struct loop *l,
                                 unsigned first, FILE *out) {
    unsigned group[LOOP_LOADS_MAX];
    uint64_t executions = 0, local = 0;
    for (unsigned i = 0; i < l->loads; i++) {
        executions += l->load[i].executions;
        local += l->load[i].local;
    }
    fprintf(out,
            "# loop %" PRIu32 ": %" PRIu64 " of %" PRIu64
            " loads touch a line of this trip or the last\n",
            k->code.insns[l->insn].pc, local, executions);
    loop_groups(l, group);
    for (unsigned i = 0; i < l->loads; i++) {
        const struct loop_load *load = &l->load[i];
        const struct static_access *insn = &k->insn[load->insn];
        fprintf(out, "%sload %" PRIu32 " %" PRIu32 " %s %u %u %u\n",
                loop_has_locality(l) ? "" : "# ", k->code.insns[l->insn].pc,
                k->code.insns[load->insn].pc, loop_load_diverged(load) ? "diverged" : "converged",
                first + group[i], mean_of_executions(insn->lanes, insn->executions),
                mean_of_executions(insn->accesses, insn->executions));
    }
    return loop_has_locality(l) ? first + l->loads : first;
}

static void print_profile(const struct options *o, const struct machine *m,
                          const struct characterize *c, FILE *out) {
    const struct kernel_counts *k;
    fprintf(out, "%s\n# %s %s, seed %llu, on %s\n# load LOOP PC CLASS GROUP LANES LINES\n",
            DAWS_PROFILE_FIRST_LINE, o->session.workload->name, o->session.size_text,
            o->session.seed, m->name);
    for (unsigned i = 0; (k = characterize_kernel(c, i)); i++) {
        unsigned group = 0;
        fprintf(out, "\nkernel %016" PRIx64 " %s\n", daws_code_hash(&k->code), k->code.name);
        for (unsigned loop = 0; loop < k->loops.count; loop++) {
            if (k->loops.loop[loop].loads) {
                group = print_loop_loads(k, &k->loops.loop[loop], group, out);
            }
        }
    }
    fprintf(out, "\nend\n");
}

static int write_profile_file(const struct options *o, const struct machine *m,
                              const struct characterize *c) {
    struct config_error e;
    struct output out;
    if (!output_open(&out, o->output, &e)) {
        return cli_error(CLI_FAILED, "%s", e.text);
    }
    print_profile(o, m, c, out.file);
    return output_commit(&out, &e) ? CLI_OK : cli_error(CLI_FAILED, "%s", e.text);
}

static int run_profile_command(struct options *o) {
    struct config_error e;
    struct machine machine;
    const struct output_wish wish = {"-o", o->output, false};
    if (!o->output) {
        return cli_error(CLI_BAD_INPUT, "profile: needs -o FILE, the profile to write");
    }
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    if (!machine_make(&machine, &o->machine, NULL, NULL, &e) ||
        !output_spares(&wish, 1, o->session.trace.path, &e) || !output_check(&wish, 1, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    signals_catch();
    struct characterize *c = characterize_create(&machine.config);
    if (!c) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    bool complete;
    int status = count_program(&o->session, &machine, c, &complete);
    if (status == CLI_OK) {
        status = write_profile_file(o, &machine, c);
    }
    characterize_destroy(c);
    return status;
}

int cli_profile(int argc, char **argv, const struct cli_blocks *blocks) {
    const struct argp_child children[] = {{&machine_argp_keys, 0, NULL, 0}, {0}};
    const struct argp argp = {options, parse_profile_option, "WHAT", doc, children, NULL, NULL};
    struct options o = {0};
    (void)blocks;
    session_options_init(&o.session);
    if (!machine_options_init(&o.machine, argc)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem profile", argc, argv, &o);
    int status = parsed == CLI_PARSED   ? run_profile_command(&o)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    return status;
}
