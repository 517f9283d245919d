/* SPDX-License-Identifier: Apache-2.0
 * warpmem characterize: analyse the memory accesses of a workload. */
#include <stdlib.h>

#include "base/text.h"
#include "cli/report/characterize_count.h"
#include "cli/report/plot.h"
#include "cli/report/characterize_report.h"
#include "cli/report/result_json.h"
#include "cli/signals.h"

enum {
    OPTION_SIZE = 0x3a0,
    OPTION_SEED,
    OPTION_MAX_INSN,
    OPTION_NO_PROGRESS,
    OPTION_JSON,
    OPTION_PLOT
};

/* clang-format off */
static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The input:", 10},
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size, as for run (default small)", 10},
    {"seed", OPTION_SEED, "N", 0, "seed of the generated inputs (default 1)", 10},
    {"max-insn", OPTION_MAX_INSN, "N", 0, "stop with the CTA that reaches N thread instructions; results are marked incomplete", 10},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 10},
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all of it as JSON", 15},
    {"plot", OPTION_PLOT, "PICTURE", 0, "a picture of it: .png, .svg or .pdf", 15},
    {0},
};
static const char doc[] =
    "Analyse the memory accesses of a workload (WHAT: a name that `warpmem list workloads` prints) or a trace (WHAT: a file "
    "that has a '/' in its name or ends in .wtr), for each kernel and for the whole program, without timing. The machine "
    "decides the size of lines, the L1, the number of CTAs in a core, and the place of an address in DRAM."
    "\v"
    "Definitions:\n\n"
    "access: in global and local memory a line of the L1 that an instruction touches; in texture memory a line of that cache; "
    "in constant memory a distinct word. Lanes of an atomic that change the same word make an access each.\n\n"
    "divergent branch: the record that follows the branch in its warp has fewer active lanes, all of them from the branch's. "
    "A branch that all lanes or none take is not divergent.\n\n"
    "uncached: a load of global memory that the L1 does not serve (ld.cg, volatile).\n\n"
    "footprint: distinct lines of global and local memory that the program, or one warp, touches.\n\n"
    "reuse distance: number of other lines touched since the line was touched last; an LRU cache of n lines hits if it is "
    "below n. Touches are the loads, stores and atomics of global and local memory in one launch. Own warp: among lines that "
    "the warp itself touches. On a core: among lines that all its warps touch in turn, split by the warp that touched the line "
    "before; 'so far' is the share that a cache of that many lines would hit.\n\n"
    "in turn: CTA i goes to core i modulo the cores; a core holds as many as fit and takes the next when one ends; each warp "
    "executes one memory instruction (except shared memory) in its turn, and waits at barriers.\n\n"
    "CTAs a row: distinct CTAs of a launch that access a DRAM row, mean over the rows of all launches; consecutive: the share "
    "of a row's CTAs whose neighbour in number accesses it too, mean over the rows (OWL table 4).\n\n"
    "L1s without time: misses of the machine's L1, texture and constant cache if each line arrived at once. All in turn, as "
    "above; the others have CTAs in groups of at least 8 warps (OWL's algorithm 1). Miss: a group's warps in turn until each "
    "waits for lines, then the next group; old: the group with the oldest CTA that can continue; lines arrive when a miss "
    "finds no free MSHR or no warp can continue. End: a group's warps in turn until its CTAs have ended.\n\n"
    "loops: a trip is an iteration of a warp. lines: distinct lines that the loop's own loads touch in a trip (not those of "
    "loops inside it); live: lines touched up to a trip and again after it; predicted: DAWS 5.1.1, in which a diverged load "
    "counts a line for each lane that begins the trip, another load two, and loads that touch the same lines count once; "
    "this, last, older: accesses to lines touched before in the same trip, the one before, an older one.\n\n"
    "For example:\n"
    "  warpmem characterize atax\n"
    "  warpmem characterize kmeans-global --preset quadro-daws --json kmeans.json --plot kmeans.png";
/* clang-format on */

struct options {
    struct machine_options machine;
    struct session_options session;
    char *what;
    const char *json, *plot;
};

static error_t parse_characterize_option(int key, char *arg, struct argp_state *state) {
    struct options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case OPTION_SIZE: return session_parse_size(&o->session, arg);
    case OPTION_SEED: return session_parse_seed(&o->session, arg);
    case OPTION_MAX_INSN:
        if (!cli_number(arg, UINT64_MAX, &o->session.max_insn) || !o->session.max_insn) {
            return cli_bad("--max-insn %s: must be 1 or more",
                           text_shown(shown, sizeof shown, arg));
        }
        return 0;
    case OPTION_NO_PROGRESS: o->session.no_progress = true; return 0;
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_PLOT: o->plot = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad(
            "characterize: needs a workload's name; `warpmem list workloads` lists them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool draw_plot(const struct options *o, json_t *json, struct config_error *e) {
    struct output out;
    if (!output_open(&out, o->plot, e)) {
        return false;
    }
    if (plot_draw(PLOT_CHARACTER, json, &out, e)) {
        return output_commit(&out, e);
    }
    output_abandon(&out);
    return false;
}

static int write_character(const struct options *o, const struct machine *m, struct characterize *c,
                           bool complete) {
    struct config_error e = {"out of memory"};
    struct output out;
    json_t *json = o->json || o->plot ? character_json(c, &o->session, m, complete) : NULL;
    int status = json || !(o->json || o->plot) ? CLI_OK : cli_error(CLI_FAILED, "%s", e.text);
    if (!output_is_stdout(o->json)) {
        character_text(c, &o->session, m, complete, stdout);
        fflush(stdout); /* before messages about files, each of which fails alone */
    }
    if (json && o->json &&
        !(output_open(&out, o->json, &e) && result_write(json_incref(json), &out, &e))) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    if (json && o->plot && !draw_plot(o, json, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    json_decref(json);
    return status;
}

static bool check_character_outputs(const struct options *o, struct config_error *e) {
    const struct output_wish wishes[] = {{"--json", o->json, false}, {"--plot", o->plot, true}};
    return output_spares(wishes, 2, o->session.trace.path, e) && output_check(wishes, 2, e) &&
           (!o->plot || plot_possible(PLOT_CHARACTER, o->plot, e));
}

static int run_characterize(struct options *o) {
    struct config_error e;
    struct machine machine;
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    if (!machine_make(&machine, &o->machine, NULL, NULL, &e) || !check_character_outputs(o, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    signals_catch();
    struct characterize *c = characterize_create(&machine.config);
    if (!c) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    bool complete = false;
    int status = count_program(&o->session, &machine, c, &complete);
    if (status == CLI_OK) {
        status = write_character(o, &machine, c, complete);
    }
    characterize_destroy(c);
    return status;
}

int cli_characterize(int argc, char **argv, const struct cli_blocks *blocks) {
    const struct argp_child children[] = {{&machine_argp_keys, 0, NULL, 0}, {0}};
    const struct argp argp = {options, parse_characterize_option, "WHAT", doc, children, NULL,
                              NULL};
    struct options o = {0};
    (void)blocks;
    session_options_init(&o.session);
    if (!machine_options_init(&o.machine, argc)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem characterize", argc, argv, &o);
    int status = parsed == CLI_PARSED   ? run_characterize(&o)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    return status;
}
