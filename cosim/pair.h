/* SPDX-License-Identifier: Apache-2.0
 *
 * A C block and its Verilog side by side, a cycle at a time. The lockstep runner and the machine's
 * socket both drive one:
 *
 *     in = ...                    every input; late ones may hold anything
 *     pair_comb(p)                outputs of both in c_out and rtl_out
 *     in.late = ...
 *     pair_settle(p, cycle)       checks late inputs, compares; LOCKSTEP_PASS or the fault
 *     pair_edge(p, cycle)
 */
#ifndef WARPMEM_COSIM_PAIR_H
#define WARPMEM_COSIM_PAIR_H

#include "cosim/lockstep.h"
#include "cosim/mismatch.h"
#include "cosim/wave.h"

/**
 * struct pair - one block in lockstep.
 * @in: struct X_in, written by the driver; bits above the widths must be cut off (ports_cut)
 * @c_out, @rtl_out: struct X_out of this cycle
 * @mask: outputs that are compared in this cycle
 * @instance, @replay: set by a machine's socket for the report (struct mismatch); else NULL, and
 *                     the report has the name of the parameter set
 * @rtl_wave: the wave of the inside of the Verilog is open, under the name @rtl_wave_part
 * @rtl_wave_lost: that wave could not be written
 */
struct pair {
    struct port_table ports;
    const struct block *block;
    const struct rtl_block *rtl;
    void *rtl_self, *state;
    void *in, *c_out, *rtl_out;
    void *c_late, *rtl_late;
    uint64_t mask;
    uint64_t cycles, compared;
    const char *instance, *replay;
    struct history history;
    struct wave *wave;
    bool rtl_wave, rtl_wave_lost;
    uint64_t wave_from, wave_to;
    const char *wave_path, *rtl_wave_path;
    char *rtl_wave_part;
    struct pair_failure {
        enum lockstep_status status;
        const char *left, *right, *note;
        const void *a, *b;
        uint64_t differ;
    } failure;
};

/** pair_init() - make both sides and reset them. False: out of memory. */
bool pair_init(struct pair *p, const struct rtl_block *rtl, uint64_t seed);
/** pair_destroy() - end everything; waves are closed first with pair_wave_close. */
void pair_destroy(struct pair *p);
/** pair_wave_open() - write waves; paths may be NULL. False: error (size bytes) has the reason. */
bool pair_wave_open(struct pair *p, const char *wave, const char *rtl_wave,
                    const struct wave_options *options, char *error, size_t size);
/** pair_wave_close() - false: a wave cannot be written and is removed; error (size bytes) names
 * it. */
bool pair_wave_close(struct pair *p, uint64_t last_cycle, char *error, size_t size);

/**
 * pair_inner_wave() - before an edge: begin the waves of the inside of the Verilog in their first
 * cycle.
 */
void pair_inner_wave(struct pair *p, uint64_t cycle);

void pair_comb(struct pair *p);
enum lockstep_status pair_settle(struct pair *p, uint64_t cycle);
void pair_edge(struct pair *p, uint64_t cycle);

/** pair_report() - print the failure of the last pair_settle (or of the driver, in p->failure). */
void pair_report(const struct pair *p, FILE *out, uint64_t cycle, const char *context,
                 const char *waves, const char *again, const char *dir);

/** rtl_power_on() - two cycles of reset with all other inputs zero; blocks without rst: nothing. */
void rtl_power_on(const struct rtl_block *rtl, void *rtl_self, const struct port_table *ports,
                  void *in, void *out);

#endif
