/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_PARTITION_H
#define WARPMEM_L2_PARTITION_H

#include <stdio.h>

#include "base/clock.h"
#include "base/now.h"
#include "base/ring.h"
#include "base/stats.h"
#include "base/unit_set.h"
#include "config/config.h"
#include "l2/bank.h"
#include "l2/front.h"

/* A port: the ROP pipeline, a request a stage; its head is before the arbiter. */
struct l2_port {
    struct ring rop;
    bool blocked;           /* its head's bank has no room */
    uint64_t blocked_since; /* L2 cycle */
};

/* A reply port: the replies of its banks on their way into the interconnect. */
struct l2_reply_port {
    struct ring queue;
    struct ring *to_noc; /* the interconnect's input, in flits */
    unsigned input;      /* its number among the interconnect's inputs */
    uint32_t banks;      /* those whose replies leave through it, a bit each */
    unsigned next;       /* bank whose turn it is */
};

/**
 * struct l2_partition - memory partition: ports, arbiter, banks, queues to and from its DRAM
 * channel and to the interconnect (MeDiC section 5).
 *
 * The low bits of a line's number in the partition choose its bank. Each L2 cycle the arbiter takes
 * at most one request from a port and gives at most one to a bank: the head of a port goes to its
 * bank's queue if that has room, else it blocks its port. The port examined first is the L2 cycle's
 * number modulo the ports; a port that was passed over for a bank comes first there, so that no
 * beat between that number and the bank's interval starves it. (The order of the banks has no
 * effect, as a port shows one head: where banks compete, for the way to the DRAM and for a reply
 * queue, they take turns.)
 *
 * Where requests bypass, have their warps' class or may take no line (l2_policies_sort()), the
 * block l2/bypass is between ports and arbiter and takes a cycle; nothing is done ahead of time
 * then.
 * With l2.bypass_at = port it is before the pipelines of the ports instead: requests that bypass do
 * not pass them, and the others leave the block into the pipelines, with the same total delay.
 * A request that bypasses takes its turn with the banks on the way to the DRAM. With two DRAM
 * queues each queue has a way of its own, in the banks too. In a cycle one request leaves, first
 * one for the high queue. There are as many more return places as the high queue holds, which reads
 * for the low queue leave free (config_dram_returns). So after the banks no low request delays a
 * high one (MeDiC 4.4, footnote 5). In a bank it can: a request that the bank refuses, because its
 * low way or its MSHRs are full, is the head of the bank's queue and blocks those after it. With
 * medic.writes = low the high way is for reads alone; a write of a mostly-hit warp that finds its
 * bank's low way full then blocks the bank's queue, as every request for that way does.
 *
 * Order of one line's requests. On one way they come to the channel in order. There, writes stay in
 * order, and a read may pass an older write, as the first request whose command is legal goes first
 * (dram/one_queue.h), with one queue too. Requests on different ways pass each other freely:
 *
 * - medic.writes = class: all requests of a warp use one way while its class stays. Between warps
 *   of different classes a write may pass an older write, even with a fence between them: a fence
 *   waits for the bank's acknowledgement, not for the DRAM. The line is then older in the DRAM than
 *   in the L2.
 * - low: writes of all classes share a way, so the DRAM ends with the last write. A read of a
 *   mostly-hit warp may pass an older write, its own too, and an atomic's read an older atomic's.
 * - A miss's own fetch and write may come in either order: the MSHR has the bytes for the fill.
 *
 * A timing model is not affected: values are those of the program's order, and a write that is on
 * its way keeps no line here. A chip compares a read with the lines of the writes between bank and
 * DRAM, and lets it wait for a matching one, or sends it after that; with class, writes too.
 *
 * A reply goes from a bank's output through its reply port's queue into the interconnect, one for
 * each cycle and port; it passes an empty queue. Bank b has port b mod l2.reply_ports: as in
 * GPGPU-Sim, where each slice of the L2 replies by itself, and replies of a line stay in order.
 *
 * Order within a cycle: the banks, the way to the DRAM, replies, the arbiter, the ports.
 */
struct l2_partition {
    const struct config *config;
    uint64_t dram_period;
    uint64_t dram_early; /* time before a request is visible, at which the channel wakes for it */
    unsigned ports, banks, reply_ports;
    struct l2_port port[L2_PORTS_MAX];
    struct l2_bank *bank;
    struct l2_mshr_pool pool; /* with l2.mshr_pool = partition, of several banks */
    bool pooled;
    struct l2_policies policies;
    struct l2_front front;
    uint64_t (*evaluate)(struct l2_partition *p, const struct now *now, bool poll);
    uint64_t (*evaluate_requests)(struct l2_partition *p, const struct now *now,
                                  bool poll); /* with claims: the rest of the cycle */
    /* Without competition, a request that is certain to move is moved ahead of time and becomes
     * visible at its usual time. Only host time differs (tb/l2/partition_random_test.c). */
    bool joined;      /* one port, one bank: pipeline and queue are one ring (l2_partition_join) */
    bool sends_ahead; /* a miss alone in all queues for which the DRAM has room */
    bool gives_ahead; /* a request into its bank's queue, with empty pipelines before it */
    bool replies_ahead; /* a fill's reply that no other can precede or accompany */
    /* If joined, it may take a request as late as its access, as long as the port has so much room
     * left (struct network). */
    uint64_t lag, taken_at; /* 0: it takes them at once; time at which it took the last */
    uint32_t lag_room;
    uint64_t replied_at; /* time until which a reply that left ahead of time has the turn */
    struct l2_reply_port reply[L2_PORTS_MAX];
    unsigned next_miss, next_high; /* banks whose turn it is */
    unsigned dram_reads;           /* reads between a miss queue and the L2 again */
    unsigned reads;                /* its limit: config_dram_returns() */
    /* Neighbours, wired by the machine. */
    struct ring *requests[L2_PORTS_MAX]; /* from the interconnect */
    struct unit_set *replying;           /* the interconnect's inputs with a packet */
    struct ring *to_dram, *to_dram_high; /* the second: with two DRAM queues */
    struct ring claims;   /* of the channel's prefetcher, if there is one (l2/prefetch.h) */
    struct ring *answers; /* to it */
    struct clock_domain *noc_clock, *dram_clock;
    unsigned request_network, reply_network; /* units of the NoC clock */
    unsigned channel;                        /* unit of the DRAM clock */
    uint64_t conflicts; /* L2 cycles in which a port waited for a full bank queue */
};

/** struct l2_periods - time units of a cycle of each clock. */
struct l2_periods {
    uint64_t core, l2, dram;
};

/** l2_partition_init() - set up partition @number with its policies and hardware blocks; the caller
 * sets its neighbours. Partition i is "pi" for the blocks, its bank j "pibj". @named: the policy of
 * l2.policy; NULL: none. False: refused. */
bool l2_partition_init(struct l2_partition *p, const struct config *config, unsigned number,
                       const struct l2_periods *period, const struct l2_policy_kind *named,
                       const struct build *build);
void l2_partition_destroy(struct l2_partition *p);

/** l2_partition_join() - before the run: with one port and one bank, pass requests through one ring
 * instead of two. A queue of one place cannot be joined, because it is empty between two requests;
 * nor can a queue of two if the bank looks at the next request while it takes one. False: out of
 * memory. */
bool l2_partition_join(struct l2_partition *p);

/** l2_partition_attach() - connect it to a table of types, at its first ports: before the run, if
 * p->policies.types are not of nothing. */
void l2_partition_attach(struct l2_partition *p, struct warp_table *table, unsigned first_update,
                         unsigned first_lookup);

/** l2_partition_wire() - @from_dram: a return queue for each bank. @seen_at: the time at which the
 * counters are read next. @events: may be NULL. */
void l2_partition_wire(struct l2_partition *p, struct ring *from_dram, const uint64_t *seen_at,
                       FILE *events);

/** l2_partition_wire_replies() - @inputs: those of the reply network; partition i has those of its
 * reply ports from i times their number on. @sending: the mask of those with a packet. */
void l2_partition_wire_replies(struct l2_partition *p, struct ring *inputs,
                               struct unit_set *sending);

/**
 * l2_partition_cycle() - one L2 cycle.
 * @poll: retry a refused request even without a change
 * Return: time at which it has work again; NEVER: when woken.
 */
static inline uint64_t l2_partition_cycle(struct l2_partition *p, const struct now *now,
                                          bool poll) {
    return p->evaluate(p, now, poll);
}

/** l2_partition_launch() - a launch begins, before L2 cycle @cycle. */
void l2_partition_launch(struct l2_partition *p, uint64_t cycle);

/** l2_partition_take_late() - take the requests that the ports would have taken before @now without
 * the lag: before its queues are inspected. */
void l2_partition_take_late(struct l2_partition *p, const struct now *now);

/** l2_partition_settle() - count the retries before @cycle, and divide the delays: before
 * statistics are read. */
void l2_partition_settle(struct l2_partition *p, uint64_t cycle);

/** l2_partition_idle() - no request inside. */
bool l2_partition_idle(const struct l2_partition *p);

/** l2_partition_replies() - replies in its queues to the interconnect. */
static inline unsigned l2_partition_replies(const struct l2_partition *p) {
    unsigned count = 0;
    for (unsigned i = 0; i < p->reply_ports; i++) {
        count += p->reply[i].queue.count;
    }
    return count;
}

/** l2_partition_totals() - the sum of its banks' counters (of the longest delay the maximum). */
struct l2_stats l2_partition_totals(const struct l2_partition *p);

bool l2_partition_register_stats(const struct l2_partition *p, struct stats *s);
/** l2_partition_register_l1_prefetches() - where the L1s prefetch. */
bool l2_partition_register_l1_prefetches(const struct l2_partition *p, struct stats *s);

#endif
