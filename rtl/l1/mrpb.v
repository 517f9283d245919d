// SPDX-License-Identifier: Apache-2.0
// wm_mrpb: memory request prioritization buffer: queues of requests before the L1, one a signature,
// and a drain policy that chooses between them.
//
// Channels   enq: a coalesced request enters.  deq: the outbound buffer offers one to the cache.
// Timing     a request that enters in cycle n is selectable from n + LATENCY - PIPE. If it is
//            chosen in cycle c, it is read from the memory in c + PIPE - 1 or later and offered
//            from the cycle after. PIPE is 3, less where LATENCY is below 5. Every stage takes a
//            request a cycle. The place of an entry is free 2 cycles after its read. With FLUSH a
//            write enters an empty queue without being stored, and is selectable from n + 2, before
//            all entries: it is offered from n + 2 + PIPE, which is n + LATENCY up to LATENCY 5,
//            and n + 5 above.
// Choice     first a write that waits. Then the queue that in the last cycle refused a read and has
//            no place coming (rule 1), or refused a write because it is not empty (rule 2). Then
//            DRAIN decides. None is chosen while PIPE chosen requests are not yet read. See
//            cmodel/l1/mrpb.h.
// Same cycle the choice depends on neither deq_ready_i nor the enqueue of its cycle; deq_ready_i
//            goes before the stalls. enq_ready_o depends on enq_queue_i and enq_write_i of its
//            cycle.
// Limits     QUEUES and DEPTH 2 to 64, DATA_BITS 1 to 256, LATENCY 3 to 18, DRAIN 0 to 5, FLUSH 0
//            or 1, BYPASS 0 to 2 (checked at elaboration); enq_queue_i below QUEUES while
//            enq_valid_i.
// Cost       QUEUES * 2^clog2(DEPTH) words in SRAM, 8 more with FLUSH. Flip-flops: for each queue
//            2 * clog2(DEPTH) + 2 * clog2(DEPTH + 1) + 9, for four queues 3 more, DATA_BITS and
//            about 110 others; round-robin, greed and longest first add 1 to 3 + clog2(DEPTH + 1)
//            for each queue.
// Source     Jia, Shaw, Martonosi, HPCA 2014, sections 3.1 to 3.5, 5.3 and 6, table 4.
// Twins      cmodel/l1/mrpb.c  tb/l1/mrpb_test.c  tb/l1/mrpb_props.v  waves/l1/mrpb.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_mrpb #(
    parameter integer QUEUES    = 48, // request queues, one a signature
    parameter integer DEPTH     = 8,  // entries a queue
    parameter integer DATA_BITS = 64, // bits of a request header
    parameter integer LATENCY   = 5,  // cycles of an entry from entering to its first offer
    parameter integer DRAIN     = 0,  // 0 fixed, 1 round-robin, 2 longest first; 3 to 5 greedy so
    parameter integer FLUSH     = 1,  // 1: full queues first, writes pass unstored; 0: writes queue
    parameter integer BYPASS    = 1   // 0 never, 1 after deq_assoc_stall_i, 2 after deq_stall_i
) (
    input  wire                      clk_i,             // clock
    input  wire                      rst_i,             // synchronous; empties everything
    input  wire                      enq_valid_i,       // a coalesced request asks to enter
    input  wire [$clog2(QUEUES)-1:0] enq_queue_i,       // its signature: the queue
    input  wire                      enq_write_i,       // it is a write
    input  wire [DATA_BITS-1:0]      enq_data_i,        // its header
    output wire                      enq_ready_o,       // it enters at this edge if enq_valid_i
    output wire                      deq_valid_o,       // the cache is offered a request
    output wire [$clog2(QUEUES)-1:0] deq_queue_o,       // the queue it came through
    output wire                      deq_write_o,       // it is a write
    output wire                      deq_bypass_o,      // refused so: it need not take a line
    output wire [DATA_BITS-1:0]      deq_data_o,        // its header
    input  wire                      deq_ready_i,       // late: the cache takes it at this edge
    input  wire                      deq_stall_i,       // late: refused, a resource is missing
    input  wire                      deq_assoc_stall_i  // late: refused, all lines await fills
);
    localparam integer PIPE        = LATENCY < 5 ? LATENCY - 2 : 3;
    localparam integer STAGES      = LATENCY - PIPE - 1; // of the delay line, ...
    localparam integer LINE        = STAGES > 1 ? STAGES - 1 : 1; // ... and of its numbers
    localparam integer BASIC       = DRAIN % 3;
    localparam         GREEDY      = DRAIN > 2;
    localparam         FLUSHES     = FLUSH != 0;
    localparam integer QUEUE_BITS  = $clog2(QUEUES);
    localparam integer SLOT_BITS   = $clog2(DEPTH);
    localparam integer LENGTH_BITS = $clog2(DEPTH + 1);
    localparam integer PLANES      = SLOT_BITS * QUEUES;
    localparam integer LENGTHS     = LENGTH_BITS * QUEUES;
    localparam integer WORD_BITS   = DATA_BITS + (FLUSHES ? 0 : 1);
    localparam [QUEUES-1:0] NO_QUEUE = {QUEUES{1'b0}};

    // Groups of queues; the last one may be smaller.
    localparam integer      GROUP_BITS = 2;
    localparam integer      GROUP      = 1 << GROUP_BITS;
    localparam integer      GROUPS     = (QUEUES + GROUP - 1) / GROUP;
    localparam [GROUPS-1:0] NO_GROUP   = {GROUPS{1'b0}};
    localparam [GROUPS-1:0] GROUP_0    = 1;
    localparam [GROUP-1:0]  COLUMN_0   = 1;
    localparam [GROUPS-1:0] LOWER_HALF = (GROUP_0 << (GROUPS + 1) / 2) - GROUP_0;
    localparam [GROUPS-1:0] UPPER_HALF = ~LOWER_HALF;

    // A ring of eight words behind the queues holds writes that pass, WRITES of them at once.
    localparam integer PASS_BITS   = FLUSHES ? 3 : 2; // without, nobody uses them
    localparam integer WRITES      = PIPE + 2;
    localparam integer FIRST_WRITE = ((QUEUES << SLOT_BITS) + 7) / 8 * 8;
    localparam integer WORDS       = FLUSHES ? FIRST_WRITE + 8 : QUEUES << SLOT_BITS;
    localparam integer ADDR_BITS   = $clog2(WORDS);
    localparam [2:0]        MOST_WRITES = WRITES[2:0];
    localparam [1:0]        MOST_PICKS  = PIPE[1:0];
    localparam [PIPE-1:0]   LIST_0      = 1;
    localparam [WRITES-1:0] PASS_0      = 1;
    localparam [LENGTH_BITS-1:0] ONE         = {{(LENGTH_BITS-1){1'b0}}, 1'b1};
    localparam [LENGTH_BITS-1:0] TWO         = ONE << 1;
    localparam [LENGTH_BITS-1:0] ALL_BUT_ONE = DEPTH[LENGTH_BITS-1:0] - ONE;
    localparam [LENGTH_BITS-1:0] ALL_BUT_TWO = ALL_BUT_ONE - ONE;
    // A request on its way: write, queue, slot in the queue or the ring.
    localparam integer PLACE_BITS   = SLOT_BITS < PASS_BITS ? PASS_BITS : SLOT_BITS;
    localparam integer REQUEST_BITS = 1 + QUEUE_BITS + PLACE_BITS;

    generate
        if (QUEUES < 2 || QUEUES > 64 || DEPTH < 2 || DEPTH > 64 ||
            DATA_BITS < 1 || DATA_BITS > 256 || LATENCY < 3 || LATENCY > 18 ||
            DRAIN < 0 || DRAIN > 5 || FLUSH < 0 || FLUSH > 1 ||
            BYPASS < 0 || BYPASS > 2) begin : g_illegal
            wm_mrpb_parameters_out_of_range illegal ();
        end
    endgenerate

    // Slots and lengths of the queues are stored as bit planes: bits [b * QUEUES +: QUEUES] are bit
    // b of every queue's number. So an operation on all queues is one vector operation, and a
    // one-hot vector enables it for one of them.

    // Advances the slots of the given queues. The slots of a queue are a power of two.
    function [PLANES-1:0] move(input [PLANES-1:0] slot, input [QUEUES-1:0] queues);
        reg [QUEUES-1:0] carry;
        integer b;
        begin
            carry = queues;
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                move[b*QUEUES +: QUEUES] = slot[b*QUEUES +: QUEUES] ^ carry;
                carry = carry & slot[b*QUEUES +: QUEUES];
            end
        end
    endfunction

    // The slot of one queue.
    function [SLOT_BITS-1:0] slot_of(input [QUEUES-1:0] queue_oh, input [PLANES-1:0] slot);
        integer b;
        begin
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                slot_of[b] = |(queue_oh & slot[b*QUEUES +: QUEUES]);
            end
        end
    endfunction

    // Adds one in some queues, subtracts one in others.
    function [LENGTHS-1:0] count(input [LENGTHS-1:0] length, input [QUEUES-1:0] more,
                                 input [QUEUES-1:0] less);
        reg [QUEUES-1:0] carry;
        reg [QUEUES-1:0] borrow;
        integer b;
        begin
            carry  = more & ~less;
            borrow = less & ~more;
            for (b = 0; b < LENGTH_BITS; b = b + 1) begin
                count[b*QUEUES +: QUEUES] = length[b*QUEUES +: QUEUES] ^ (carry | borrow);
                carry  = carry & length[b*QUEUES +: QUEUES];
                borrow = borrow & ~length[b*QUEUES +: QUEUES];
            end
        end
    endfunction

    // Marks the queues of this length.
    function [QUEUES-1:0] of_length(input [LENGTHS-1:0] length, input [LENGTH_BITS-1:0] wanted);
        integer b;
        begin
            of_length = {QUEUES{1'b1}};
            for (b = 0; b < LENGTH_BITS; b = b + 1) begin
                of_length = of_length & ~(length[b*QUEUES +: QUEUES] ^ {QUEUES{wanted[b]}});
            end
        end
    endfunction

    // Marks each queue with a requester below it in its group.
    function [QUEUES-1:0] asked_below(input [QUEUES-1:0] asks);
        integer q, below;
        begin
            asked_below = NO_QUEUE;
            for (q = 0; q < QUEUES; q = q + 1) begin
                for (below = q / GROUP * GROUP; below < q; below = below + 1) begin
                    asked_below[q] = asked_below[q] | asks[below];
                end
            end
        end
    endfunction

    // Marks the groups with a requester.
    function [GROUPS-1:0] groups_of(input [QUEUES-1:0] asks);
        integer q;
        begin
            groups_of = {GROUPS{1'b0}};
            for (q = 0; q < QUEUES; q = q + 1) begin
                groups_of[q/GROUP] = groups_of[q/GROUP] | asks[q];
            end
        end
    endfunction

    // Marks all queues of these groups.
    function [QUEUES-1:0] queues_of(input [GROUPS-1:0] groups);
        integer q;
        begin
            for (q = 0; q < QUEUES; q = q + 1) begin
                queues_of[q] = groups[q/GROUP];
            end
        end
    endfunction

    // Marks each group above a marked one.
    function [GROUPS-1:0] groups_above(input [GROUPS-1:0] asks);
        integer g, below;
        begin
            groups_above = {GROUPS{1'b0}};
            for (g = 0; g < GROUPS; g = g + 1) begin
                for (below = 0; below < g; below = below + 1) begin
                    groups_above[g] = groups_above[g] | asks[below];
                end
            end
        end
    endfunction

    // Marks each group above a marked one of its half.
    function [GROUPS-1:0] above_in_half(input [GROUPS-1:0] asks);
        above_in_half = (groups_above(asks & LOWER_HALF) & LOWER_HALF) |
                        groups_above(asks & UPPER_HALF);
    endfunction

    // Drops the upper half if the lower one asks.
    function [GROUPS-1:0] lowest_half(input [GROUPS-1:0] groups, input lower_asks);
        lowest_half = groups & ~(UPPER_HALF & {GROUPS{lower_asks}});
    endfunction

    // The mark of a queue's group; of its column, the place in the group; of all queues of a
    // column.
    function [GROUPS-1:0] group_of(input [QUEUE_BITS-1:0] queue);
        group_of = GROUP_0 << (queue >> GROUP_BITS);
    endfunction

    function [GROUP-1:0] column_of(input [QUEUE_BITS-1:0] queue);
        column_of = COLUMN_0 << (queue ^ (queue >> GROUP_BITS << GROUP_BITS));
    endfunction

    function [QUEUES-1:0] queues_in(input [GROUP-1:0] column);
        integer q;
        begin
            for (q = 0; q < QUEUES; q = q + 1) begin
                queues_in[q] = column[q%GROUP];
            end
        end
    endfunction

    // The candidate of each group: the greedy one, else the lowest of the first ones, else of all.
    function [QUEUES-1:0] candidates(input [QUEUES-1:0] greedy, input [QUEUES-1:0] first,
                                     input [QUEUES-1:0] all);
        candidates = greedy |
                     (first & ~asked_below(first) & ~queues_of(groups_of(greedy))) |
                     (all & ~asked_below(all) & ~queues_of(groups_of(greedy | first)));
    endfunction

    // The number of one queue.
    `WM_NUMBER_OF(index_of, QUEUES, QUEUE_BITS)

    // State of the queues: the next slot to choose and to fill; taken places before the last entry
    // entered; selectable entries before the last choice. Flags hold the late conditions: a queue
    // is full, holds an entry, has a selectable entry, has exactly one, or will get a place.
    reg [PLANES-1:0]  head_q, head_d;
    reg [PLANES-1:0]  tail_q, tail_d;
    reg [LENGTHS-1:0] stored_q, stored_d;
    reg [LENGTHS-1:0] ripe_q, ripe_d;
    reg [QUEUES-1:0]  full_q, full_d;
    reg [QUEUES-1:0]  nonempty_q, nonempty_d;
    reg [QUEUES-1:0]  ready_q, ready_d;
    reg [QUEUES-1:0]  single_q, single_d;
    reg [QUEUES-1:0]  coming_q, coming_d;

    // Requests that entered: the delay line, youngest in the lowest bits, with the queue and group
    // of its last stage decoded; a write that passes; the word on its way to the memory.
    reg [STAGES-1:0]          delay_valid_q, delay_valid_d;
    reg [LINE*QUEUE_BITS-1:0] delay_queue_q, delay_queue_d;
    reg [QUEUES-1:0]          ripened_q, ripened_d;
    reg [GROUPS-1:0]          ripened_group_q, ripened_group_d;
    reg                       entered_write_q, entered_write_d;
    reg [WORD_BITS-1:0]       entered_word_q;

    // The last cycle has prepared the choice of this one: the queue that flushes, if one does;
    // whether the policy chooses; its candidate in each group; the lowest group of each half with a
    // selectable entry, and with one in a queue that the policy prefers; whether there is such a
    // group in the lower half, and in any; the group of the greedy queue.
    reg [QUEUES-1:0] flush_q, flush_d;
    reg              policy_q, policy_d;
    reg [QUEUES-1:0] candidate_q, candidate_d;
    reg [GROUPS-1:0] low_group_q, low_group_d;
    reg [GROUPS-1:0] first_group_q, first_group_d;
    reg [GROUPS-1:0] greedy_group_q, greedy_group_d;
    reg              low_half_q, low_half_d;
    reg              first_half_q, first_half_d;
    reg              prefers_q, prefers_d;
    reg              stays_q, stays_d;

    // Writes that pass: those inside, without the one that just entered, and those not chosen yet;
    // the places of the next one to enter and to leave; the queues of those that were not looked
    // up, the oldest in the lowest bits.
    reg [2:0]                   writes_q, writes_d;
    reg [2:0]                   waiting_q, waiting_d;
    reg [2:0]                   pass_tail_q, pass_tail_d;
    reg [2:0]                   pass_head_q, pass_head_d;
    reg [WRITES-1:0]            pass_valid_q, pass_valid_d;
    reg [WRITES*QUEUE_BITS-1:0] pass_queue_q, pass_queue_d;
    reg                         hold_q, hold_d;

    // The choice of the last cycle; the number of chosen requests that were not read; one more may
    // be chosen.
    reg              picked_q, picked_write_q;
    reg [QUEUES-1:0] picked_oh_q, picked_oh_d;
    reg [1:0]        picks_q, picks_d;
    reg              go_q, go_d;

    // Requests that were looked up and not read, the oldest in the lowest bits.
    reg [PIPE-1:0]              list_valid_q, list_valid_d;
    reg [PIPE*REQUEST_BITS-1:0] list_q, list_d;

    // Outbound buffer; its data are the memory's output register.
    reg                  offered_q, offered_d;
    reg                  offered_bypass_q, offered_bypass_d;
    reg                  offered_write_q;
    reg [QUEUE_BITS-1:0] offered_queue_q;

    // An entry was read in the last cycle; its queue as group and column.
    reg              freed_q, freed_d;
    reg [GROUPS-1:0] freed_group_q, freed_group_d;
    reg [GROUP-1:0]  freed_column_q;

    // Enqueue
    wire              passes      = FLUSHES && enq_write_i;
    wire [GROUPS-1:0] enq_group   = group_of(enq_queue_i);
    wire [QUEUES-1:0] enq_columns = queues_in(column_of(enq_queue_i));
    wire [QUEUES-1:0] enq_oh      = queues_of(enq_group) & enq_columns;
    wire [GROUPS-1:0] full        = groups_of(full_q & enq_columns);
    wire [GROUPS-1:0] nonempty    = groups_of(nonempty_q & enq_columns);
    wire              write_room  = !hold_q && writes_q + {2'b00, entered_write_q} < MOST_WRITES;
    // The loops are over queues and groups, because enq_ready_o is known late.
    wire [QUEUES-1:0] enters_oh    = enq_oh & ~full_q & {QUEUES{enq_valid_i && !passes}};
    wire [GROUPS-1:0] enters_group = enq_group & ~full & {GROUPS{enq_valid_i && !passes}};

    assign enq_ready_o = passes ? !(|(enq_group & nonempty)) && write_room
                                : !(|(enq_group & full));

    wire [QUEUE_BITS-1:0] entered_queue = delay_queue_q[QUEUE_BITS-1:0];
    wire [QUEUE_BITS-1:0] last_queue    = delay_queue_q[(LINE-1)*QUEUE_BITS +: QUEUE_BITS];
    wire [QUEUES-1:0]     last_oh       = queues_of(group_of(last_queue) &
                                                    {GROUPS{delay_valid_q[LINE-1]}}) &
                                          queues_in(column_of(last_queue));
    wire [QUEUES-1:0]     entered_oh    = STAGES == 1 ? ripened_q
                                        : queues_of(group_of(entered_queue) &
                                                    {GROUPS{delay_valid_q[0]}}) &
                                          queues_in(column_of(entered_queue));
    wire [QUEUES-1:0]     freed_oh      = queues_of(freed_group_q) & queues_in(freed_column_q);

    // The choice: a write that waits, else a flush, else the candidate of one group.
    wire              write_waits = FLUSHES && waiting_q != 3'd0;
    wire              pick_write  = go_q && write_waits;
    wire              some_ready  = |low_group_q;
    wire              pick        = go_q && (write_waits || some_ready);
    wire              by_policy   = policy_q && some_ready;
    wire [GROUPS-1:0] group_oh    =
        GREEDY && stays_q       ? greedy_group_q :
        BASIC != 0 && prefers_q ? lowest_half(first_group_q, first_half_q)
                                : lowest_half(low_group_q, low_half_q);
    wire [GROUPS-1:0] taken       = group_oh & {GROUPS{policy_q}};
    wire [QUEUES-1:0] policy_oh   = candidate_q & queues_of(taken);

    // The next cycle's candidates are computed for three outcomes of this one, for each group: the
    // policy takes this group's candidate (taken), takes that of another (passed), or chooses
    // nothing (kept). So the late choice only selects.
    wire [QUEUES-1:0] taken_old    = ready_q & ~(candidate_q & single_q);
    wire [QUEUES-1:0] kept_old     = ready_q & ~(flush_q & single_q);
    wire [QUEUES-1:0] taken_ready  = taken_old | ripened_q;
    wire [QUEUES-1:0] kept_ready   = kept_old | ripened_q; // of a passed group, too
    wire [GROUPS-1:0] taken_some   = groups_of(taken_old) | ripened_group_q;
    wire [GROUPS-1:0] kept_some    = groups_of(kept_old) | ripened_group_q;
    wire [QUEUES-1:0] taken_prefer; // the queues that the policy will look at first
    wire [QUEUES-1:0] kept_prefer;
    wire [QUEUES-1:0] passed_prefer;
    wire [QUEUES-1:0] again;        // greedy: the one that it chose last
    wire [QUEUES-1:0] taken_first  = taken_ready & taken_prefer;
    wire [QUEUES-1:0] kept_first   = kept_ready & kept_prefer;
    wire [GROUPS-1:0] later;        // round-robin: the groups above the chosen one
    wire [GROUPS-1:0] passed_first = BASIC == 1 ? kept_some & later : groups_of(kept_first);
    wire [QUEUES-1:0] taken_greedy = GREEDY ? taken_ready & candidate_q : NO_QUEUE;
    wire [QUEUES-1:0] kept_greedy  = kept_ready & again;
    wire [QUEUES-1:0] taken_next   = candidates(taken_greedy, taken_first, taken_ready);
    wire [QUEUES-1:0] kept_next    = candidates(kept_greedy, kept_first, kept_ready);
    wire [QUEUES-1:0] passed_next  = candidates(NO_QUEUE, kept_ready & passed_prefer, kept_ready);

    // State of the policy.
    wire [GROUPS-1:0] some_d  = (taken_some & taken) | (kept_some & ~taken);
    wire [GROUPS-1:0] first_d = (groups_of(taken_first) & taken) |
                                ((by_policy ? passed_first : groups_of(kept_first)) & ~taken);
    generate
        if (BASIC == 1) begin : g_round_robin
            // The turn is a thermometer code: ones above the queue that the policy chose last.
            reg  [QUEUES-1:0] turn_q;
            reg  [GROUPS-1:0] low_above_q, first_above_q; // groups above one of their half
            wire [QUEUES-1:0] above = asked_below(candidate_q);
            assign later =
                GREEDY && stays_q ? groups_above(greedy_group_q) :
                prefers_q         ? first_above_q | (UPPER_HALF & {GROUPS{first_half_q}})
                                  : low_above_q | (UPPER_HALF & {GROUPS{low_half_q}});
            always @(posedge clk_i) begin
                if (rst_i || by_policy) begin
                    turn_q <= (queues_of(later) | (above & queues_of(group_oh))) & {QUEUES{!rst_i}};
                end
                low_above_q   <= above_in_half(some_d);
                first_above_q <= above_in_half(first_d);
            end
            // Among passed groups all queues of the later groups go first, so the lowest of all is
            // the lowest preferred one.
            assign taken_prefer  = above;
            assign kept_prefer   = turn_q;
            assign passed_prefer = NO_QUEUE;
        end else if (BASIC == 2) begin : g_longest
            // Finds the greatest length, then the queues of that length.
            reg  [LENGTHS-1:0]     length_q;
            reg  [LENGTH_BITS-1:0] top_q, top_d;
            wire [QUEUES-1:0]      longest = of_length(length_q, top_q);
            always @* begin : find_top
                integer n;
                top_d = {LENGTH_BITS{1'b0}};
                for (n = 1; n <= DEPTH; n = n + 1) begin
                    if (|of_length(ripe_q, n[LENGTH_BITS-1:0])) begin
                        top_d = n[LENGTH_BITS-1:0];
                    end
                end
                top_d = top_d & {LENGTH_BITS{!rst_i}};
            end
            always @(posedge clk_i) begin
                length_q <= ripe_q & {LENGTHS{!rst_i}};
                top_q    <= top_d;
            end
            assign taken_prefer  = longest;
            assign kept_prefer   = longest;
            assign passed_prefer = longest;
            assign later         = NO_GROUP;
        end else begin : g_fixed
            assign taken_prefer  = NO_QUEUE;
            assign kept_prefer   = NO_QUEUE;
            assign passed_prefer = NO_QUEUE;
            assign later         = NO_GROUP;
        end
        if (GREEDY) begin : g_greedy
            reg [QUEUES-1:0] chosen_q;
            always @(posedge clk_i) begin
                if (rst_i || by_policy) begin
                    chosen_q <= policy_oh & {QUEUES{!rst_i}};
                end
            end
            assign again = chosen_q;
        end else begin : g_not_greedy
            assign again = NO_QUEUE;
        end
    endgenerate

    // Rules 1 and 2 for the next cycle: queues that flush if they refuse the request, whether or
    // not this cycle chooses from them (flush_still), or only if it does not (flush_now). So the
    // number of the queue is known before the choice.
    wire              refuses     = FLUSHES && enq_valid_i &&
                                    (enq_write_i || !freed_q || offered_queue_q != enq_queue_i);
    wire [QUEUES-1:0] flush_still = {QUEUES{enq_write_i}} & nonempty_q &
                                    (ripened_q | (ready_q & ~single_q));
    wire [QUEUES-1:0] flush_now   = (enq_write_i ? nonempty_q : full_q & ~coming_q) &
                                    (ripened_q | ready_q) & ~flush_q;
    wire [GROUPS-1:0] unless_taken = groups_of(enq_columns & flush_now & candidate_q);
    wire [GROUPS-1:0] anyway       = groups_of(enq_columns &
                                               (flush_still | (flush_now & ~candidate_q)));
    wire              flushes      = refuses &&
                                     |(enq_group & (anyway | (unless_taken & ~taken)));

    // Looks up the choice of the last cycle, or of this one where LATENCY is 3.
    wire                    look       = PIPE == 1 ? pick : picked_q;
    wire                    look_write = PIPE == 1 ? pick_write : picked_write_q;
    wire [QUEUES-1:0]       look_oh    = PIPE == 1 ? picked_oh_d : picked_oh_q;
    reg  [REQUEST_BITS-1:0] found;
    always @* begin
        found = {REQUEST_BITS{1'b0}};
        found[REQUEST_BITS-1] = look_write;
        if (look_write) begin
            found[PLACE_BITS +: QUEUE_BITS] = pass_queue_q[QUEUE_BITS-1:0];
            found[PASS_BITS-1:0]            = pass_head_q[PASS_BITS-1:0];
        end else begin
            found[PLACE_BITS +: QUEUE_BITS] = index_of(look_oh);
            found[SLOT_BITS-1:0]            = slot_of(look_oh, head_q);
        end
    end

    // The list, with what was looked up behind it; its first request is read. With PIPE below 3
    // that may be the one that was just looked up.
    wire [PIPE-1:0]              first_free = ~list_valid_q & ((list_valid_q << 1) | LIST_0);
    wire [PIPE-1:0]              all_valid  = list_valid_q | (first_free & {PIPE{look}});
    wire [PIPE*REQUEST_BITS-1:0] all;
    genvar i;
    generate
        for (i = 0; i < PIPE; i = i + 1) begin : g_list
            assign all[i*REQUEST_BITS +: REQUEST_BITS] =
                list_valid_q[i] ? list_q[i*REQUEST_BITS +: REQUEST_BITS] : found;
        end
    endgenerate

    // The queues of the writes that pass, with the one that just entered behind them.
    wire                         pass_moves = look && look_write;
    wire [WRITES-1:0]            pass_free  = ~pass_valid_q & ((pass_valid_q << 1) | PASS_0);
    wire [WRITES-1:0]            pass_valid = pass_valid_q |
                                              (pass_free & {WRITES{entered_write_q}});
    wire [WRITES*QUEUE_BITS-1:0] pass_queue;
    generate
        for (i = 0; i < WRITES; i = i + 1) begin : g_pass
            assign pass_queue[i*QUEUE_BITS +: QUEUE_BITS] =
                pass_valid_q[i] ? pass_queue_q[i*QUEUE_BITS +: QUEUE_BITS] : entered_queue;
        end
    endgenerate

    wire                    due        = PIPE == 3 ? list_valid_q[0] : all_valid[0];
    wire [REQUEST_BITS-1:0] request    = PIPE == 3 ? list_q[REQUEST_BITS-1:0]
                                                   : all[REQUEST_BITS-1:0];
    wire                    due_write  = request[REQUEST_BITS-1];
    wire [QUEUE_BITS-1:0]   due_queue  = request[PLACE_BITS +: QUEUE_BITS];
    wire                    read       = due && (!offered_q || deq_ready_i);
    wire                    read_write = read && due_write;

    // The memory.
    reg [ADDR_BITS-1:0] wr_addr;
    reg [ADDR_BITS-1:0] rd_addr;
    always @* begin
        wr_addr = FIRST_WRITE[ADDR_BITS-1:0];
        rd_addr = FIRST_WRITE[ADDR_BITS-1:0];
        if (entered_write_q) begin
            wr_addr[PASS_BITS-1:0] = pass_tail_q[PASS_BITS-1:0];
        end else begin
            wr_addr = {ADDR_BITS{1'b0}};
            wr_addr[QUEUE_BITS+SLOT_BITS-1:0] = {entered_queue, slot_of(entered_oh, tail_q)};
        end
        if (due_write) begin
            rd_addr[PASS_BITS-1:0] = request[PASS_BITS-1:0];
        end else begin
            rd_addr = {ADDR_BITS{1'b0}};
            rd_addr[QUEUE_BITS+SLOT_BITS-1:0] = {due_queue, request[SLOT_BITS-1:0]};
        end
    end

    wire [WORD_BITS-1:0] read_word;
    wm_sram_1r1w #(.WORDS(WORDS), .DATA_BITS(WORD_BITS)) entries (
        .clk_i(clk_i),
        .wr_en_i(delay_valid_q[0] || entered_write_q),
        .wr_addr_i(wr_addr),
        .wr_data_i(entered_word_q),
        .rd_en_i(read),
        .rd_addr_i(rd_addr),
        .rd_data_o(read_word)
    );

    // Outputs
    wire offered_write = FLUSHES ? offered_write_q : read_word[WORD_BITS-1];
    wire stall = BYPASS == 1 ? deq_assoc_stall_i : BYPASS == 2 && deq_stall_i;
    wire [1:0] unused_stalls = {deq_assoc_stall_i, deq_stall_i};
    assign deq_valid_o  = offered_q;
    assign deq_queue_o  = offered_queue_q;
    assign deq_write_o  = offered_write;
    assign deq_bypass_o = offered_bypass_q;
    assign deq_data_o   = read_word[DATA_BITS-1:0];

    // Next state. An entry that is the last selectable one leaves its queue without one.
    wire [QUEUES-1:0] last_place = (of_length(stored_q, ALL_BUT_ONE) & ~entered_oh) |
                                   (of_length(stored_q, ALL_BUT_TWO) & entered_oh);
    wire [QUEUES-1:0] last_entry = of_length(stored_q, ONE) & ~entered_oh;
    wire [QUEUES-1:0] two_ripe   = (of_length(ripe_q, TWO) & ~picked_oh_q) |
                                   (of_length(ripe_q, TWO | ONE) & picked_oh_q);
    // No write waits and one more may be chosen.
    wire              policy_may = go_d && !entered_write_q &&
                                   (waiting_q == 3'd0 || (waiting_q == 3'd1 && go_q));
    always @* begin
        stored_d   = count(stored_q, entered_oh, freed_oh);
        full_d     = ~freed_oh & (full_q | (enters_oh & last_place));
        nonempty_d = enters_oh | (nonempty_q & ~(freed_oh & last_entry));
        tail_d     = move(tail_q, entered_oh);
        head_d     = move(head_q, look_oh);
        ripe_d     = count(ripe_q, ripened_q, picked_oh_q);

        picked_oh_d = policy_oh | flush_q;
        ready_d     = ripened_q | (ready_q & ~(picked_oh_d & single_q));
        single_d    = (single_q & ~(ripened_q ^ picked_oh_d)) | (ripened_q & ~ready_q) |
                      (two_ripe & picked_oh_d & ~ripened_q);
        coming_d    = picked_oh_d | (coming_q & ~freed_oh);
        picks_d     = picks_q + {1'b0, pick} - {1'b0, read};
        go_d        = read || !(picks_q == MOST_PICKS || (picks_q == MOST_PICKS - 2'd1 && pick));
        hold_d      = pick_write && some_ready;

        flush_d        = enq_oh & {QUEUES{refuses && policy_may}} &
                         (flush_still | (flush_now & ~policy_oh));
        policy_d       = policy_may && !flushes;
        candidate_d    = (taken_next & queues_of(taken)) |
                         ((by_policy ? passed_next : kept_next) & ~queues_of(taken));
        low_group_d    = some_d & ~above_in_half(some_d);
        low_half_d     = |(some_d & LOWER_HALF);
        first_group_d  = first_d & ~above_in_half(first_d);
        first_half_d   = |(first_d & LOWER_HALF);
        prefers_d      = |first_d;
        greedy_group_d = (groups_of(taken_greedy) & taken) |
                         (groups_of(kept_greedy) & {GROUPS{!by_policy}});
        stays_d        = |greedy_group_d;

        delay_valid_d    = delay_valid_q << 1;
        delay_valid_d[0] = enq_valid_i && enq_ready_o && !passes;
        delay_queue_d    = delay_queue_q << QUEUE_BITS;
        delay_queue_d[QUEUE_BITS-1:0] = enq_queue_i;
        ripened_d        = STAGES == 1 ? enters_oh : last_oh;
        ripened_group_d  = STAGES == 1 ? enters_group : groups_of(last_oh);
        entered_write_d  = enq_valid_i && enq_ready_o && passes;

        writes_d     = writes_q + {2'b00, entered_write_q} - {2'b00, read_write};
        waiting_d    = waiting_q + {2'b00, entered_write_q} - {2'b00, pick_write};
        pass_tail_d  = pass_tail_q + {2'b00, entered_write_q};
        pass_head_d  = pass_head_q + {2'b00, pass_moves};
        pass_valid_d = pass_moves ? pass_valid >> 1 : pass_valid;
        pass_queue_d = pass_moves ? pass_queue >> QUEUE_BITS : pass_queue;

        list_valid_d = read ? all_valid >> 1 : all_valid;
        list_d       = read ? all >> REQUEST_BITS : all;

        freed_d          = read && !read_write;
        freed_group_d    = group_of(due_queue) & {GROUPS{freed_d}};
        offered_d        = read || (offered_q && !deq_ready_i);
        offered_bypass_d = offered_q && !deq_ready_i && !offered_write &&
                           (offered_bypass_q || stall);
        if (rst_i) begin
            {head_d, tail_d}          = {2*PLANES{1'b0}};
            {stored_d, ripe_d}        = {2*LENGTHS{1'b0}};
            full_d                    = NO_QUEUE;
            {nonempty_d, ready_d}     = {2{NO_QUEUE}};
            {single_d, coming_d}      = {2{NO_QUEUE}};
            {picked_oh_d, ripened_d}  = {2{NO_QUEUE}};
            {flush_d, candidate_d}    = {2{NO_QUEUE}};
            {low_group_d, first_group_d, greedy_group_d} = {3{NO_GROUP}};
            {low_half_d, first_half_d}       = 2'b00;
            {prefers_d, stays_d, policy_d}   = 3'b001;
            {ripened_group_d, freed_group_d} = {2{NO_GROUP}};
            {picks_d, go_d}           = {2'd0, 1'b1};
            delay_valid_d             = {STAGES{1'b0}};
            {entered_write_d, hold_d} = 2'b00;
            waiting_d                 = 3'd0;
            pass_valid_d              = {WRITES{1'b0}};
            {writes_d, pass_tail_d, pass_head_d}   = 9'd0;
            list_valid_d              = {PIPE{1'b0}};
            {freed_d, offered_d, offered_bypass_d} = 3'b000;
        end
    end

    always @(posedge clk_i) begin
        head_q           <= head_d;
        tail_q           <= tail_d;
        stored_q         <= stored_d;
        ripe_q           <= ripe_d;
        full_q           <= full_d;
        nonempty_q       <= nonempty_d;
        ready_q          <= ready_d;
        single_q         <= single_d;
        coming_q         <= coming_d;
        delay_valid_q    <= delay_valid_d;
        delay_queue_q    <= delay_queue_d;
        ripened_q        <= ripened_d;
        ripened_group_q  <= ripened_group_d;
        entered_write_q  <= entered_write_d;
        flush_q          <= flush_d;
        policy_q         <= policy_d;
        candidate_q      <= candidate_d;
        low_group_q      <= low_group_d;
        first_group_q    <= first_group_d;
        greedy_group_q   <= greedy_group_d;
        low_half_q       <= low_half_d;
        first_half_q     <= first_half_d;
        prefers_q        <= prefers_d;
        stays_q          <= stays_d;
        writes_q         <= writes_d;
        waiting_q        <= waiting_d;
        pass_tail_q      <= pass_tail_d;
        pass_head_q      <= pass_head_d;
        pass_valid_q     <= pass_valid_d;
        hold_q           <= hold_d;
        picked_q         <= pick && !rst_i;
        picked_write_q   <= pick_write && !rst_i;
        picked_oh_q      <= picked_oh_d;
        picks_q          <= picks_d;
        go_q             <= go_d;
        list_valid_q     <= list_valid_d;
        offered_q        <= offered_d;
        offered_bypass_q <= offered_bypass_d;
        freed_q          <= freed_d;
        freed_group_q    <= freed_group_d;
        if (pass_moves || entered_write_q) begin
            pass_queue_q <= pass_queue_d;
        end
        if (look || read) begin
            list_q <= list_d;
        end
        if (read) begin
            offered_write_q <= due_write;
            offered_queue_q <= due_queue;
            freed_column_q  <= column_of(due_queue);
        end
    end
    generate
        if (FLUSHES) begin : g_header_only
            always @(posedge clk_i) entered_word_q <= enq_data_i;
        end else begin : g_with_write
            always @(posedge clk_i) entered_word_q <= {enq_write_i, enq_data_i};
        end
    endgenerate
endmodule

`default_nettype wire
