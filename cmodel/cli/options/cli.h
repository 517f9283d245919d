/* SPDX-License-Identifier: Apache-2.0
 *
 * The warpmem command: declarations that its parts share.
 */
#ifndef WARPMEM_CLI_OPTIONS_CLI_H
#define WARPMEM_CLI_OPTIONS_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/block.h"
#include "cli/output.h"
#include "config/config.h"
#include "gpu/named_policies.h"

#define WARPMEM_VERSION "0.1.0"

enum cli_exit {
    CLI_OK = 0,
    CLI_FAILED = 1,    /* a check failed, the machine is stuck, a result could not be written */
    CLI_BAD_INPUT = 2, /* an argument or an input file */
    CLI_SIGNAL = 128,  /* plus the signal's number: 130, 143 */
};

/**
 * struct cli_blocks - the options that put Verilog into the machine, and their functions.
 * @argp:  the options; the parser's input is the options struct
 * @options_size: bytes of it; zeroed before parsing
 * @result: the i-th file that the options name; false: there are no more. NULL: none
 * @open:  check the options against the machine and make a factory for one run; *factory stays NULL
 *         without options. False: bad input; error (size bytes) has the fault in one line. NULL:
 *         this program has no Verilog, and the parser refuses the options
 * @close: after the machine was destroyed: print a line per option to @out; NULL: print nothing.
 *         False: C and Verilog differed, or an option had no effect
 */
struct cli_blocks {
    const struct argp *argp;
    size_t options_size;
    bool (*result)(const void *options, unsigned i, struct output_wish *wish);
    bool (*open)(void *options, const struct config *config, const struct named_policies *policies,
                 struct block_factory **factory, char *error, size_t size);
    bool (*close)(void *options, FILE *out);
};

/**
 * cli_main() - the whole command. Return: the exit status, see enum cli_exit.
 */
int cli_main(int argc, char **argv, const struct cli_blocks *blocks);

/** cli_error() - one line on stderr, "warpmem: ...". Return: status. */
__attribute__((format(printf, 2, 3))) int cli_error(int status, const char *format, ...);

/** cli_error_to() - the same into a file, one per parallel run; NULL: stderr. */
__attribute__((format(printf, 3, 4))) int cli_error_to(FILE *out, int status, const char *format,
                                                       ...);

/** cli_bad() - the same for an argp parser. Its return value ends the parse silently. */
__attribute__((format(printf, 1, 2))) error_t cli_bad(const char *format, ...);

enum cli_parsed {
    CLI_PARSED,
    CLI_HELPED,   /* --help was printed */
    CLI_REJECTED, /* the message is printed */
};

/** cli_parse() - argp_parse() with one-line errors and --help. @name: in messages, "warpmem
 * run". */
enum cli_parsed cli_parse(const struct argp *argp, const char *name, int argc, char **argv,
                          void *input);

/** cli_number() - decimal or 0x digits alone; false outside 0..max. */
bool cli_number(const char *text, unsigned long long max, unsigned long long *value);

/* The subcommands; argv[0] is the subcommand's name. */
int cli_run(int argc, char **argv, const struct cli_blocks *blocks);
int cli_compare(int argc, char **argv, const struct cli_blocks *blocks);
int cli_list(int argc, char **argv, const struct cli_blocks *blocks);
int cli_characterize(int argc, char **argv, const struct cli_blocks *blocks);
int cli_profile(int argc, char **argv, const struct cli_blocks *blocks);
int cli_config(int argc, char **argv, const struct cli_blocks *blocks);
int cli_trace(int argc, char **argv, const struct cli_blocks *blocks);
int cli_capture(int argc, char **argv, const struct cli_blocks *blocks);
int cli_import(int argc, char **argv, const struct cli_blocks *blocks);
int cli_workload_data(int argc, char **argv, const struct cli_blocks *blocks);
int cli_info(int argc, char **argv, const struct cli_blocks *blocks);

#endif
