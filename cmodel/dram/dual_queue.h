/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_DRAM_DUAL_QUEUE_H
#define WARPMEM_DRAM_DUAL_QUEUE_H

#include "dram/dual_queue_ports.h"

/* Cycles between the masks that make a command legal and its issue. */
#define DUAL_QUEUE_LEAD 2

/* Cycles from a request's arrival to its first command if nothing delays it. */
#define DUAL_QUEUE_LATENCY (1 + DUAL_QUEUE_LEAD)

enum dual_queue_side { DUAL_QUEUE_LOW, DUAL_QUEUE_HIGH, DUAL_QUEUE_SIDES };

enum dram_queue_command {
    DRAM_QUEUE_COLUMN,    /* a burst of the request: a read or a write */
    DRAM_QUEUE_ACTIVATE,  /* opens the request's row in its bank */
    DRAM_QUEUE_PRECHARGE, /* closes another row there */
};

/* One bit a request, by age: bit 0 is the oldest. */
__extension__ typedef unsigned __int128 dual_queue_mask;

struct dual_queue_entry {
    uint64_t tag;
    uint32_t row;
    uint8_t bank;
    uint8_t bursts; /* remaining column commands */
};

/** struct dual_queue_list - one of the two queues. */
struct dual_queue_list {
    struct dual_queue_entry entry[DUAL_QUEUE_DEPTH_MAX]; /* oldest first */
    unsigned count;
    dual_queue_mask in_bank[DUAL_QUEUE_BANKS_MAX];
    dual_queue_mask hit;         /* the row is open */
    dual_queue_mask write;       /* it is a write */
    dual_queue_mask column, row; /* candidates of the last cycle */
    uint64_t banks;              /* banks with a request */
};

/**
 * struct dual_queue - the request queues of a DRAM controller: one for requests of mostly-hit and
 * all-hit warps (high), one for all others (low), each scheduled FR-FCFS, high always first.
 *
 * Source: Ausavarungnirun et al., PACT 2015, section 4.4. The paper gives no timing; this is a
 * pipeline of two stages, so that age order and row match fit into a cycle of the command clock.
 * Verilog twin: rtl/dram/dual_queue.v.
 *
 * The controller around it knows the DRAM's timing. In each cycle n its four masks of banks state
 * the commands that are legal in n + LEAD if none is issued in n + 1; they include the effect of
 * the command of n. A bank that is closed after n is in none of read_ok, write_ok and precharge_ok,
 * an open one not in activate_ok. The controller need not know the rows that the requests want.
 *
 * Cycle behaviour, the same in both. Each rule reads the state at the beginning of its cycle.
 *
 * - Arrival. A request that arrives in cycle n is a candidate from n + 1. A queue that holds DEPTH
 *   requests at the beginning of a cycle refuses; a request is held until its last column command
 *   is issued, and its place is free in the cycle after. The queues do not affect each other here.
 * - Open rows. The block knows them from the commands that it issues: a command of cycle n takes
 *   effect in n + 1. A hit is a request whose row is open in its bank.
 * - Candidates of cycle n, bank by bank (the banks choose alone, as in the authors' simulator):
 *   the queue that serves a bank is the high one if it holds a request for the bank, else the low
 *   one. If that queue holds a hit in the bank, each such hit is a candidate for a column command,
 *   if read_ok or write_ok names the bank. Else each of its requests for the bank is a candidate
 *   for a row command: activate if the bank is closed and activate_ok names it, precharge if it is
 *   open and precharge_ok does. So no row is closed that the serving queue wants, but high requests
 *   close a row that low ones want.
 * - Choice in n + 1, from the candidates of n: the oldest column candidate of the high queue, else
 *   its oldest row candidate, else the oldest column candidate of the low queue, else its oldest
 *   row candidate. While a column command is issued (in n + 1) no column candidate is chosen, while
 *   a row command is issued no row candidate, as the masks of n did not include it; and a
 *   choice for the bank of the command that is issued is dropped. A request that is not chosen, or
 *   is dropped, must become a candidate again.
 * - Issue in n + 2: cmd_*. A column command is one burst; cmd_last marks the request's last
 *   one. cmd_row is the row of its request, even if another one is closed for it.
 * - So a row hit that arrives in n is read in n + LATENCY; column commands are issued every second
 *   cycle at most (no DRAM of the papers takes them faster: two cycles of data a burst), row
 *   commands in the cycles between.
 *
 * Service of the low queue without BOUND: a bank serves it only while no high request is for that
 * bank, and in such banks its commands wait for those of all others. The paper sets no bound, nor
 * does this block: a stream of high requests to a bank starves the low ones there as long as it
 * lasts. The cores bound it: warps wait for their requests, so every stream ends, and when the last
 * high request of the bank has left, the low queue's next command for it is issued as soon as the
 * DRAM's timing allows, at the earliest LATENCY after the last high column command.
 *
 * With ROW_FIRST (not in the paper, whose scheduler "always selects" high requests; the rule of its
 * authors' later simulator, CMU-SAFARI/Mosaic, dram_sched.cc) the queues decide only which row is
 * opened next, and hits come first:
 *
 * - Candidates: each hit of either queue is a candidate for a column command, even if the high
 *   queue serves the bank; and while either queue holds a hit in a bank, none of its requests is a
 *   candidate for a row command.
 * - Choice: the oldest column candidate of the high queue, else of the low queue, else the oldest
 *   row candidate of the high queue, else of the low queue. (That simulator takes hits of a row in
 *   the order of their arrival, and the banks in turn.)
 *
 * With BOUND (not in the paper) there are turns:
 *
 * - Turn. A counter has the high column commands issued since the low queue's oldest request became
 *   its oldest; a command of cycle n counts from n + 1. At BOUND that request gets the turn, until
 *   its last column command is issued. Turns go to the oldest low request, because requests for
 *   other banks could otherwise use up the turns of one whose bank is busy; they last for all its
 *   bursts, because high requests could otherwise close its row between them.
 * - Candidates in a turn: its bank serves that request alone, neither high ones nor other low ones
 *   (whose hits might go on for ever too); other banks choose as usual. While its row is open no
 *   column command of the other direction (reads for a write) is a candidate, in any bank: each
 *   would delay the turnaround of the DRAM's bus.
 * - Choice in a turn: if that request is a candidate and is not hidden, the low queue chooses
 *   before the high one.
 * - Bound: BOUND high column commands to any bank precede the oldest low request, then at most
 *   one to its bank, which was a candidate before the turn. From then on its precharge, its
 *   activate and its columns are each issued as soon as the DRAM's timing allows, after commands
 *   that are already in the pipeline. So the last high column command to its bank comes at most
 *   two cycles after the one that began the turn. The request waits for the DRAM timings of its
 *   bank, for one turnaround of the bus, and for one activate, one precharge and one burst of
 *   others. A request with k older low ones waits for k + 1 turns at most, whatever the high queue
 *   holds.
 *
 * - bursts is at least 1; a bank is below BANKS.
 */
struct dual_queue {
    struct dual_queue_params params;
    struct dual_queue_list list[DUAL_QUEUE_SIDES];
    unsigned passed; /* high column commands since the oldest low request became so, up to BOUND */
    uint64_t open;   /* banks with an open row */
    uint32_t open_row[DUAL_QUEUE_BANKS_MAX];
    /* The command of this cycle. */
    struct dual_queue_out cmd;
    unsigned position; /* of its request */
};

/** dual_queue_init() - @params: in the ranges of the port list. Return: true. */
bool dual_queue_init(struct dual_queue *s, const struct dual_queue_params *params);
/** dual_queue_destroy() - it owns no memory. */
void dual_queue_destroy(struct dual_queue *s);

/** dual_queue_comb() - outputs of this cycle; none depends on an input. */
void dual_queue_comb(const struct dual_queue *s, const struct dual_queue_in *in,
                     struct dual_queue_out *out);
/** dual_queue_step() - the clock edge. */
void dual_queue_step(struct dual_queue *s, const struct dual_queue_in *in,
                     const struct dual_queue_out *out);
/** dual_queue_quiet() - with these inputs held, nothing changes. */
bool dual_queue_quiet(const struct dual_queue *s, const struct dual_queue_in *in);

#endif
