/* SPDX-License-Identifier: Apache-2.0
 *
 * Sockets: places of a machine that hold a hardware block as C, as Verilog, or as both in lockstep.
 *
 *     struct socket_factory *sockets = socket_factory_create();
 *     struct socket_options options = {.mode = SOCKET_LOCKSTEP};
 *     if (!socket_factory_rule(sockets, "l1/mrpb@sm0", &options, error, sizeof error)) ...  exit 2
 *     gpu_options.blocks = socket_factory_blocks(sockets);
 *     ... run the machine, destroy it ...
 *     bool good = socket_factory_finish(sockets, stderr);     a line a rule: the comparisons
 *     socket_factory_destroy(sockets);
 *
 * Instances that no rule names are plain C blocks.
 */
#ifndef WARPMEM_COSIM_SOCKET_H
#define WARPMEM_COSIM_SOCKET_H

#include <stdint.h>
#include <stdio.h>

#include "base/block.h"

/**
 * enum socket_mode - the implementation in the block's place.
 * @SOCKET_C:        the C block; useful with a recording or waves
 * @SOCKET_RTL:      the Verilog gives every output; the C block runs beside it only to answer
 *                   quiet()
 * @SOCKET_LOCKSTEP: both, every output compared in every cycle in which the machine calls the block
 */
enum socket_mode { SOCKET_C, SOCKET_RTL, SOCKET_LOCKSTEP };

/**
 * struct socket_options - zero is a good default for each member.
 * @seed:     of the random power-on state of the Verilog
 * @no_quiet: quiet() is always false, so the Verilog is clocked in every cycle and runs without any
 *            C block
 * @record:   write the inputs to this file (cosim/record.h)
 * @wave:     write an FST of the ports; with SOCKET_LOCKSTEP of both sides
 * @rtl_wave: write an FST of the inside of the Verilog
 * @wave_from, @wave_to: cycles [from, to) in them; to 0: to the end
 * @mismatch_dir: folder for the last 16 cycles, NULL: build/mismatch
 * @again:    the command that repeats this run, for the report; NULL: none
 * @waves_head, @waves_tail: both ends of a command that repeats it with waves. The report inserts
 *            " --lockstep", for the failed instance, and the wave options. NULL: none
 * @out:      reports; NULL: stderr
 *
 * Files belong to one instance: the first that a rule makes.
 */
struct socket_options {
    enum socket_mode mode;
    uint64_t seed;
    bool no_quiet;
    const char *record, *wave, *rtl_wave;
    uint64_t wave_from, wave_to;
    const char *mismatch_dir, *again, *waves_head, *waves_tail;
    FILE *out;
};

/** struct socket_counts - sums over the instances of a rule. */
struct socket_counts {
    unsigned instances;
    uint64_t cycles;   /* in which the block was called with all inputs final */
    uint64_t edges;    /* of them, those that clocked it: the others were quiet */
    uint64_t compared; /* outputs */
    unsigned failed;   /* instances that differed */
    bool file_error;
};

/**
 * socket_make() - one instance.
 * @where:  its name in reports, "sm0"; @cycle: its clock, read at each call. Both outlive the
 *          instance
 * @counts: the counts are added here when the instance ends; NULL: not wanted
 * Return: false: no Verilog with these parameters, or a file or memory failed: error (size bytes)
 * has the reason in one line.
 */
bool socket_make(const struct block *block, const void *params, const char *where,
                 const uint64_t *cycle, const struct socket_options *options,
                 struct socket_counts *counts, struct block_instance *instance, char *error,
                 size_t size);

struct socket_factory;

/** socket_factory_create() - NULL: out of memory. */
struct socket_factory *socket_factory_create(void);
/**
 * socket_factory_rule() - "l1/mrpb" (all instances) or "l1/mrpb@sm3"; the first rule that fits an
 * instance counts. Strings in *options must outlive the factory. False: unknown block, or too many
 * rules, with a message in error.
 */
bool socket_factory_rule(struct socket_factory *f, const char *which,
                         const struct socket_options *options, char *error, size_t size);
/** socket_factory_blocks() - for struct gpu_options and block_make(). */
struct block_factory *socket_factory_blocks(struct socket_factory *f);
/**
 * socket_factory_finish() - a line a rule, after the machine was destroyed.
 * Return: false if an instance differed, a file could not be written, a rule fitted no instance or
 * one that was never called, or a lockstep compared nothing.
 */
bool socket_factory_finish(struct socket_factory *f, FILE *out);
void socket_factory_destroy(struct socket_factory *f);

#endif
