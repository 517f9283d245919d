/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_DRAM_FR_FCFS_H
#define WARPMEM_DRAM_FR_FCFS_H

#include "dram/dual_queue.h"
#include "dram/fr_fcfs_choice.h"
#include "dram/fr_fcfs_ports.h"

struct fr_fcfs_entry {
    uint64_t tag;
    uint32_t row;
    uint16_t column;
    uint8_t bursts; /* remaining column commands */
};

/* A request that has arrived and does not take part yet. */
struct fr_fcfs_arrival {
    bool valid, write;
    uint8_t bank;
    struct fr_fcfs_entry entry;
};

/**
 * struct fr_fcfs - the request queue of a DRAM controller: first ready, first come first served.
 *
 * The block dram/bank_timing beside it (LEAD 1) knows the DRAM's timing. In each cycle n its masks
 * of banks state the commands that are legal in n + 1; they include the command of n. A bank that
 * is closed after n is in none of read_ok, write_ok and precharge_ok, an open one not in
 * activate_ok.
 *
 * Cycle behaviour, the same in both.
 *
 * - Arrival. A request that arrives in cycle n takes part in the choice from n + 1 on, or from the
 *   first later cycle at whose beginning fewer than DEPTH do; until then the next one is refused.
 *   So its row is compared before it matters. A request is held until its last column command is
 *   issued, and its place is free in the cycle after.
 * - Choice in n, by the masks of n - 1: the oldest hit whose column command is legal. If there is
 *   none: the oldest request whose bank's row command is legal, an activate of a closed bank or a
 *   precharge of one whose open row no request that takes part wants and hold does not name. A hit
 *   is a request whose row is open in its bank. Rows stay open.
 * - Issue in n: cmd_*. A column command is one burst; cmd_bursts are those left of its request, it
 *   included, and cmd_last marks the last one.
 *   cmd_row is the row of its request, even if another one is closed for it. A command takes effect
 *   in n + 1.
 * - With ORDER a request has no column command while an older one of its line is inside, if one of
 *   the two is a write. It is a hit all the same, and its row may be opened for it.
 *
 * Source: Rixner et al., ISCA 2000, and GPGPU-Sim's order of banks; see dram/one_queue.h, which is
 * the same queue on the cycles in which something happens.
 * Verilog twin: rtl/dram/fr_fcfs.v.
 */
struct fr_fcfs {
    struct fr_fcfs_params params;
    struct fr_fcfs_positions at;
    struct fr_fcfs_arrival arrival;
    struct fr_fcfs_entry entry[FR_FCFS_DEPTH_MAX]; /* oldest first */
    unsigned count;
    uint64_t open; /* banks with an open row */
    uint32_t open_row[FR_FCFS_BANKS_MAX];
    uint64_t read_ok, write_ok, row_ok; /* banks in which a command is legal now */
};

/** fr_fcfs_init() - @params: in the ranges of the port list. Return: true. */
bool fr_fcfs_init(struct fr_fcfs *s, const struct fr_fcfs_params *params);
/** fr_fcfs_destroy() - it owns no memory. */
void fr_fcfs_destroy(struct fr_fcfs *s);
/** fr_fcfs_comb() - outputs of this cycle; the masks are not read. */
void fr_fcfs_comb(const struct fr_fcfs *s, const struct fr_fcfs_in *in, struct fr_fcfs_out *out);
/** fr_fcfs_step() - the clock edge. */
void fr_fcfs_step(struct fr_fcfs *s, const struct fr_fcfs_in *in, const struct fr_fcfs_out *out);
/** fr_fcfs_quiet() - with these inputs held, nothing changes. */
bool fr_fcfs_quiet(const struct fr_fcfs *s, const struct fr_fcfs_in *in);

#endif
