/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/cli.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

static const char usage[] =
    "Usage: warpmem COMMAND [OPTION...]\n"
    "A cycle-level model of a GPU's memory system.\n"
    "\n"
    "  run WHAT                    run a workload or a trace, check its results, report\n"
    "  compare WHAT --schemes A,B  run workloads under several schemes: one table\n"
    "  characterize WHAT           analyse the memory accesses of a workload or a trace, untimed\n"
    "  profile WHAT -o FILE        profile the loads in loops, for run --scheme daws-profiled\n"
    "  trace WHAT -o FILE.wtr      record a workload, for runs without its computation\n"
    "  capture -o FILE.wtr -- PROGRAM\n"
    "                              run a CUDA or OpenCL program without a GPU, and record it\n"
    "  import INPUT -o FILE.wtr    convert text traces of Accel-Sim or of a script\n"
    "  info FILE                   print the contents of a trace\n"
    "  workload-data NAME DIR      write a workload's arrays, for your own program\n"
    "  list workloads|suites|schemes|presets|keys|stats|blocks\n"
    "                              print these lists\n"
    "  config show PRESET          print a machine: every key, its range and meaning\n"
    "  config check FILE           check a file of keys\n"
    "  version                     print the version\n"
    "  help [COMMAND]              print this, or a command's options\n"
    "\n"
    "For example: warpmem compare atax --schemes baseline,mrpb\n"
    "`warpmem-rtl` has the same commands and contains the Verilog (run --rtl, --lockstep).\n"
    "Exit status: 0 good, 1 a check failed or the machine is stuck, 2 bad input,\n"
    "128 + N after signal N: SIGHUP, SIGINT, SIGTERM, SIGXFSZ.\n";

struct command {
    const char *name;
    int (*run)(int argc, char **argv, const struct cli_blocks *blocks);
};

static const struct command commands[] = {{"run", cli_run},
                                          {"compare", cli_compare},
                                          {"list", cli_list},
                                          {"config", cli_config},
                                          {"trace", cli_trace},
                                          {"import", cli_import},
                                          {"capture", cli_capture},
                                          {"info", cli_info},
                                          {"characterize", cli_characterize},
                                          {"profile", cli_profile},
                                          {"workload-data", cli_workload_data}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name) {
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (!strcmp(commands[i].name, name)) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name) {
    char shown[TEXT_SHOWN];
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (unsigned i = 0; i < COMMANDS; i++) {
        text_nearest_offer(&near, commands[i].name);
    }
    text_nearest_offer(&near, "version");
    text_nearest_offer(&near, "help");
    text_shown(shown, sizeof shown, *name ? name : "(empty name)");
    if (near.best) {
        return cli_error(CLI_BAD_INPUT, "%s: no such command; did you mean %s?", shown, near.best);
    }
    return cli_error(CLI_BAD_INPUT, "%s: no such command; `warpmem help` lists them", shown);
}

static int run_help(int argc, char **argv, const struct cli_blocks *blocks) {
    if (argc < 2) {
        fputs(usage, stdout);
        return CLI_OK;
    }
    const struct command *command = find_command(argv[1]);
    if (!command) {
        return unknown_command(argv[1]);
    }
    char option[] = "--help", *words[] = {argv[1], option, NULL};
    return command->run(2, words, blocks);
}

static int dispatch_command(int argc, char **argv, const struct cli_blocks *blocks) {
    if (argc < 2) {
        return cli_error(CLI_BAD_INPUT, "needs a command; `warpmem help` lists them");
    }
    const char *name = argv[1];
    if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        return run_help(argc - 1, argv + 1, blocks);
    }
    if (!strcmp(name, "version") || !strcmp(name, "--version") || !strcmp(name, "-V")) {
        printf("warpmem " WARPMEM_VERSION "%s\n", blocks->open ? " with Verilog blocks" : "");
        return CLI_OK;
    }
    const struct command *command = find_command(name);
    return command ? command->run(argc - 1, argv + 1, blocks) : unknown_command(name);
}

int cli_main(int argc, char **argv, const struct cli_blocks *blocks) {
    int status = dispatch_command(argc, argv, blocks);
    errno = 0;
    if (fflush(stdout) || ferror(stdout)) {
        return cli_error(status ? status : CLI_FAILED, "stdout: cannot be written: %s",
                         strerror(errno ? errno : EIO));
    }
    return status;
}
