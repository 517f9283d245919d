// SPDX-License-Identifier: Apache-2.0
// wm_mrpb: memory request prioritization buffer: queues of requests before the L1, one a signature,
// and a drain policy that chooses between them.
//
// Channels   enq: a coalesced request enters.  deq: the outbound buffer offers one to the cache.
// Timing     entered in cycle n, a request is selectable from n + LATENCY - PIPE, chosen in some
//            cycle c, read from the memory in c + PIPE - 1 or later, offered from the cycle after;
//            PIPE is 3, less where LATENCY is below 5. One a cycle in every stage. An entry's place
//            is free 2 cycles after its read. With FLUSH a write enters an empty queue, unstored,
//            and is selectable from n + 2, before all entries: offered from n + 2 + PIPE.
// Choice     a write that waits; else the queue that refused a read in the last cycle and has no
//            place coming (rule 1), or refused a write because it holds something (rule 2); else
//            by DRAIN. Nothing while PIPE requests are chosen and not read. See cmodel/l1/mrpb.h.
// Same cycle no choice looks at deq_ready_i or at the enqueue of its cycle; deq_ready_i counts
//            before the stalls. enq_ready_o depends on enq_queue_i and enq_write_i of its cycle.
// Limits     QUEUES and DEPTH 2 to 64, DATA_BITS 1 to 256, LATENCY 3 to 18, DRAIN 0 to 5, FLUSH 0
//            or 1, BYPASS 0 to 2 (checked at elaboration); enq_queue_i below QUEUES while
//            enq_valid_i.
// Cost       QUEUES * 2^clog2(DEPTH) words in SRAM, 8 more with FLUSH; a queue 2 * clog2(DEPTH) +
//            2 * clog2(DEPTH + 1) + 6 flip-flops, DATA_BITS and about 150 others.
// Source     Jia, Shaw, Martonosi, HPCA 2014, sections 3.1 to 3.5, 5.3 and 6, table 4.
// Twins      cmodel/l1/mrpb.c  tb/l1/mrpb_test.c  tb/l1/mrpb_props.v  waves/l1/mrpb.gtkw
`default_nettype none

module wm_mrpb #(
    parameter QUEUES    = 48, // request queues, one a signature
    parameter DEPTH     = 8,  // entries a queue
    parameter DATA_BITS = 64, // bits of a request header
    parameter LATENCY   = 5,  // cycles from entering to the first offer to the cache
    parameter DRAIN     = 0,  // 0 fixed order, 1 round-robin, 2 longest first; 3 to 5 greedy so
    parameter FLUSH     = 1,  // 1: full queues first, writes pass unstored; 0: writes queue
    parameter BYPASS    = 1   // 0 never, 1 after deq_assoc_stall_i, 2 after deq_stall_i
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
    localparam PIPE        = LATENCY < 5 ? LATENCY - 2 : 3;
    localparam STAGES      = LATENCY - PIPE - 1; // of the delay line
    localparam BASIC       = DRAIN % 3;
    localparam GREEDY      = DRAIN > 2;
    localparam FLUSHES     = FLUSH != 0;
    localparam QUEUE_BITS  = $clog2(QUEUES);
    localparam SLOT_BITS   = $clog2(DEPTH);
    localparam LENGTH_BITS = $clog2(DEPTH + 1);
    localparam PLANES      = SLOT_BITS * QUEUES;
    localparam LENGTHS     = LENGTH_BITS * QUEUES;
    localparam WORD_BITS   = DATA_BITS + (FLUSHES ? 0 : 1);
    localparam [QUEUES-1:0] NO_QUEUE = {QUEUES{1'b0}};
    localparam [QUEUES-1:0] QUEUE_0  = {{(QUEUES-1){1'b0}}, 1'b1};

    // Writes that pass: a ring of eight words behind the queues, of which WRITES are used at once.
    localparam       PASS_BITS   = FLUSHES ? 3 : 2; // without, nobody uses them
    localparam       WRITES      = PIPE + 2;
    localparam       FIRST_WRITE = ((QUEUES << SLOT_BITS) + 7) / 8 * 8;
    localparam       WORDS       = FLUSHES ? FIRST_WRITE + 8 : QUEUES << SLOT_BITS;
    localparam       ADDR_BITS   = $clog2(WORDS);
    localparam [2:0] MOST_WRITES = WRITES[2:0];
    localparam [1:0] MOST_PICKS  = PIPE[1:0];
    localparam [PIPE-1:0] LIST_0 = 1;
    localparam [LENGTH_BITS-1:0] ONE         = {{(LENGTH_BITS-1){1'b0}}, 1'b1};
    localparam [LENGTH_BITS-1:0] ALL_BUT_ONE = DEPTH[LENGTH_BITS-1:0] - ONE;
    localparam [LENGTH_BITS-1:0] TWO         = ONE << 1;
    // A request on its way: a write or not, its queue, its slot of the queue or the ring.
    localparam PLACE_BITS   = SLOT_BITS < PASS_BITS ? PASS_BITS : SLOT_BITS;
    localparam REQUEST_BITS = 1 + QUEUE_BITS + PLACE_BITS;

    generate
        if (QUEUES < 2 || QUEUES > 64 || DEPTH < 2 || DEPTH > 64 ||
            DATA_BITS < 1 || DATA_BITS > 256 || LATENCY < 3 || LATENCY > 18 ||
            DRAIN < 0 || DRAIN > 5 || FLUSH < 0 || FLUSH > 1 ||
            BYPASS < 0 || BYPASS > 2) begin : g_illegal
            wm_mrpb_parameters_out_of_range illegal ();
        end
    endgenerate

    // Slots and lengths, one a queue, are kept as bit planes: bits [b * QUEUES +: QUEUES] are bit b
    // of every queue's number. So an operation on all queues is one vector operation, and a one-hot
    // vector enables it.

    // Moves the slots of the given queues on by one. Each queue has a power of two of slots.
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

    // Marks each queue with a requester below it, in log2 steps.
    function [QUEUES-1:0] asked_below(input [QUEUES-1:0] asks);
        integer reach;
        begin
            asked_below = asks << 1;
            for (reach = 1; reach < QUEUES; reach = reach * 2) begin
                asked_below = asked_below | (asked_below << reach);
            end
        end
    endfunction

    // The number of one queue.
    function [QUEUE_BITS-1:0] index_of(input [QUEUES-1:0] queue_oh);
        integer q;
        begin
            index_of = {QUEUE_BITS{1'b0}};
            for (q = 0; q < QUEUES; q = q + 1) begin
                index_of = index_of | (q[QUEUE_BITS-1:0] & {QUEUE_BITS{queue_oh[q]}});
            end
        end
    endfunction

    // State of the queues: the next slot to choose and to fill; places taken; selectable entries
    // before the last choice. Flags hold the conditions that arrive late: a queue is full, holds
    // an entry, has a selectable entry, has a place coming.
    reg [PLANES-1:0]  head_q, head_d;
    reg [PLANES-1:0]  tail_q, tail_d;
    reg [LENGTHS-1:0] stored_q, stored_d;
    reg [LENGTHS-1:0] ripe_q, ripe_d;
    reg [QUEUES-1:0]  full_q, full_d;
    reg [QUEUES-1:0]  nonempty_q, nonempty_d;
    reg [QUEUES-1:0]  ready_q, ready_d;
    reg [QUEUES-1:0]  coming_q, coming_d;

    // Requests that entered: the delay line, youngest in the lowest bits; a write that passes; the
    // word that is on its way to the memory.
    reg [STAGES-1:0]            delay_valid_q, delay_valid_d;
    reg [STAGES*QUEUE_BITS-1:0] delay_queue_q, delay_queue_d;
    reg                         entered_write_q, entered_write_d;
    reg [WORD_BITS-1:0]         entered_word_q;

    // The request that the cache refused in the last cycle.
    reg [QUEUES-1:0] refused_q, refused_d;
    reg              refused_write_q;

    // Writes that pass: those inside (but for the one that just entered) and those not chosen yet;
    // where the next one comes and the next one goes; their queues. They wait for a read.
    reg [2:0]              writes_q, writes_d;
    reg [2:0]              waiting_q, waiting_d;
    reg [2:0]              pass_tail_q, pass_tail_d;
    reg [2:0]              pass_head_q, pass_head_d;
    reg [8*QUEUE_BITS-1:0] pass_queue_q, pass_queue_d;
    reg                    hold_q, hold_d;

    // The choice of the last cycle; how many are chosen and not read, and whether one more may be.
    reg              picked_q, picked_write_q;
    reg [QUEUES-1:0] picked_oh_q, picked_oh_d;
    reg [1:0]        picks_q, picks_d;
    reg              go_q, go_d;

    // Requests that were looked up and not read, the oldest in the lowest bits.
    reg [PIPE-1:0]              list_valid_q, list_valid_d;
    reg [PIPE*REQUEST_BITS-1:0] list_q, list_d;

    // Outbound buffer; its data are the memory's output register.
    reg                  offered_q, offered_d;
    reg                  offered_write_q, offered_write_d;
    reg                  offered_bypass_q, offered_bypass_d;
    reg [QUEUE_BITS-1:0] offered_queue_q, offered_queue_d;

    // An entry was read in the last cycle.
    reg                  freed_q, freed_d;

    // Enqueue
    wire              passes     = FLUSHES && enq_write_i;
    wire [QUEUES-1:0] enq_oh     = QUEUE_0 << enq_queue_i;
    wire              write_room = !hold_q && writes_q + {2'b00, entered_write_q} < MOST_WRITES;
    // This runs queue by queue, because the answer of enq_ready_o comes late.
    wire [QUEUES-1:0] enters_oh  = enq_oh & ~full_q & {QUEUES{enq_valid_i && !passes}};

    assign enq_ready_o = passes ? !(|(enq_oh & nonempty_q)) && write_room : !(|(enq_oh & full_q));

    wire [QUEUE_BITS-1:0] entered_queue = delay_queue_q[QUEUE_BITS-1:0];
    wire [QUEUES-1:0]     entered_slots = QUEUE_0 << entered_queue;
    wire [QUEUES-1:0]     entered_oh    = entered_slots & {QUEUES{delay_valid_q[0]}};
    wire [QUEUE_BITS-1:0] ripe_queue    = delay_queue_q[(STAGES-1)*QUEUE_BITS +: QUEUE_BITS];
    wire [QUEUES-1:0]     ripened_oh    = (QUEUE_0 << ripe_queue) &
                                          {QUEUES{delay_valid_q[STAGES-1]}};
    wire [QUEUES-1:0]     freed_oh      = (QUEUE_0 << offered_queue_q) & {QUEUES{freed_q}};

    // The choice computes every candidate at once and selects one of them late.
    wire [QUEUES-1:0] prefer;    // the queues that the policy looks at first
    wire [QUEUES-1:0] again;     // greedy: the one that it chose last
    wire [QUEUES-1:0] flush_oh   = ready_q & refused_q & ({QUEUES{refused_write_q}} | ~coming_q);
    wire [QUEUES-1:0] again_oh   = ready_q & again;
    wire [QUEUES-1:0] first      = ready_q & prefer;
    wire [QUEUES-1:0] below      = asked_below(ready_q);
    wire [QUEUES-1:0] first_below = asked_below(first);
    wire              write_waits = FLUSHES && waiting_q != 3'd0;
    wire              some_ready = |ready_q;
    wire              flushes    = FLUSHES && |flush_oh;
    wire              stays      = GREEDY && |again_oh;
    wire              prefers    = BASIC != 0 && |first;
    wire              by_policy  = go_q && !write_waits && !flushes;
    wire              take_again = by_policy && stays;
    wire              take_first = by_policy && !stays && prefers;
    wire              take_low   = by_policy && !stays && !prefers;
    wire [QUEUES-1:0] policy_oh  = (again_oh & {QUEUES{take_again}}) |
                                   (first & ~first_below & {QUEUES{take_first}}) |
                                   (ready_q & ~below & {QUEUES{take_low}});
    wire              pick_write = go_q && write_waits;
    wire              pick       = go_q && (write_waits || some_ready);

    // State of the policy.
    generate
        if (BASIC == 1) begin : g_round_robin
            // The turn as a thermometer: ones above the queue that it chose last.
            reg [QUEUES-1:0] turn_q, turn_d;
            always @* begin
                turn_d = turn_q;
                if (by_policy && some_ready && !stays) begin
                    turn_d = prefers ? first_below : below;
                end
                turn_d = turn_d & {QUEUES{!rst_i}};
            end
            always @(posedge clk_i) turn_q <= turn_d;
            assign prefer = turn_q;
        end else if (BASIC == 2) begin : g_longest
            // Finds the lengths that are reached (bit i: i + 1), then the queues with the greatest.
            reg [LENGTHS-1:0]     length_q;
            reg [DEPTH-1:0]       reached_q, reached_d;
            reg [QUEUES-1:0]      longest_q, longest_d;
            reg [LENGTH_BITS-1:0] top;
            reg [QUEUES-1:0]      at_least;
            integer n;
            always @* begin
                at_least = NO_QUEUE;
                for (n = DEPTH; n > 0; n = n - 1) begin
                    at_least = at_least | of_length(ripe_q, n[LENGTH_BITS-1:0]);
                    reached_d[n-1] = |at_least;
                end
                top = {LENGTH_BITS{1'b0}};
                for (n = 1; n <= DEPTH; n = n + 1) begin
                    if (reached_q[n-1]) begin
                        top = n[LENGTH_BITS-1:0];
                    end
                end
                longest_d = of_length(length_q, top);
                reached_d = reached_d & {DEPTH{!rst_i}};
                longest_d = longest_d | {QUEUES{rst_i}};
            end
            always @(posedge clk_i) begin
                length_q  <= ripe_q & {LENGTHS{!rst_i}};
                reached_q <= reached_d;
                longest_q <= longest_d;
            end
            assign prefer = longest_q;
        end else begin : g_fixed
            assign prefer = NO_QUEUE;
        end
        if (GREEDY) begin : g_greedy
            reg [QUEUES-1:0] chosen_q;
            always @(posedge clk_i) begin
                if (rst_i || (by_policy && some_ready)) begin
                    chosen_q <= policy_oh & {QUEUES{!rst_i}};
                end
            end
            assign again = chosen_q;
        end else begin : g_not_greedy
            assign again = NO_QUEUE;
        end
    endgenerate

    // Looks up the choice of the last cycle, or of this one where LATENCY is 3.
    wire                    look       = PIPE == 1 ? pick : picked_q;
    wire                    look_write = PIPE == 1 ? pick_write : picked_write_q;
    wire [QUEUES-1:0]       look_oh    = PIPE == 1 ? picked_oh_d : picked_oh_q;
    reg  [REQUEST_BITS-1:0] found;
    always @* begin
        found = {REQUEST_BITS{1'b0}};
        found[REQUEST_BITS-1] = look_write;
        if (look_write) begin
            found[PLACE_BITS +: QUEUE_BITS] = pass_queue_q[pass_head_q*QUEUE_BITS +: QUEUE_BITS];
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
            wr_addr[QUEUE_BITS+SLOT_BITS-1:0] = {entered_queue, slot_of(entered_slots, tail_q)};
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
    wire [QUEUES-1:0] single = of_length(ripe_q, ONE) | (of_length(ripe_q, TWO) & picked_oh_q);
    always @* begin
        stored_d   = count(stored_q, enters_oh, freed_oh);
        full_d     = ~freed_oh & (full_q | (enters_oh & of_length(stored_q, ALL_BUT_ONE)));
        nonempty_d = enters_oh | (nonempty_q & ~(freed_oh & of_length(stored_q, ONE)));
        tail_d     = move(tail_q, entered_oh);
        head_d     = move(head_q, look_oh);
        ripe_d     = count(ripe_q, ripened_oh, picked_oh_q);
        refused_d  = enq_oh & {QUEUES{FLUSHES && enq_valid_i}} &
                     (enq_write_i ? nonempty_q : full_q & ~freed_oh);

        picked_oh_d = policy_oh | (flush_oh & {QUEUES{go_q && !write_waits && flushes}});
        ready_d     = ripened_oh | (ready_q & ~(picked_oh_d & single));
        coming_d    = picked_oh_d | (coming_q & ~freed_oh);
        picks_d     = picks_q + {1'b0, pick} - {1'b0, read};
        go_d        = picks_d != MOST_PICKS;
        hold_d      = pick_write && some_ready;

        delay_valid_d    = delay_valid_q << 1;
        delay_valid_d[0] = enq_valid_i && enq_ready_o && !passes;
        delay_queue_d    = delay_queue_q << QUEUE_BITS;
        delay_queue_d[QUEUE_BITS-1:0] = enq_queue_i;
        entered_write_d  = enq_valid_i && enq_ready_o && passes;

        writes_d     = writes_q + {2'b00, entered_write_q} - {2'b00, read_write};
        waiting_d    = waiting_q + {2'b00, entered_write_q} - {2'b00, pick_write};
        pass_tail_d  = pass_tail_q + {2'b00, entered_write_q};
        pass_head_d  = pass_head_q + {2'b00, look && look_write};
        pass_queue_d = pass_queue_q;
        if (entered_write_q) begin
            pass_queue_d[pass_tail_q*QUEUE_BITS +: QUEUE_BITS] = entered_queue;
        end

        list_valid_d = read ? all_valid >> 1 : all_valid;
        list_d       = read ? all >> REQUEST_BITS : all;

        freed_d          = read && !read_write;
        offered_d        = read || (offered_q && !deq_ready_i);
        offered_write_d  = read ? due_write : offered_write_q;
        offered_queue_d  = read ? due_queue : offered_queue_q;
        offered_bypass_d = offered_q && !deq_ready_i && !offered_write &&
                           (offered_bypass_q || stall);
        if (rst_i) begin
            {head_d, tail_d}          = {2*PLANES{1'b0}};
            {stored_d, ripe_d}        = {2*LENGTHS{1'b0}};
            full_d                    = NO_QUEUE;
            {nonempty_d, ready_d}     = {2{NO_QUEUE}};
            {refused_d, coming_d}     = {2{NO_QUEUE}};
            picked_oh_d               = NO_QUEUE;
            {picks_d, go_d}           = {2'd0, 1'b1};
            delay_valid_d             = {STAGES{1'b0}};
            {entered_write_d, hold_d} = 2'b00;
            waiting_d                 = 3'd0;
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
        coming_q         <= coming_d;
        delay_valid_q    <= delay_valid_d;
        delay_queue_q    <= delay_queue_d;
        entered_write_q  <= entered_write_d;
        refused_q        <= refused_d;
        refused_write_q  <= enq_write_i;
        writes_q         <= writes_d;
        waiting_q        <= waiting_d;
        pass_tail_q      <= pass_tail_d;
        pass_head_q      <= pass_head_d;
        pass_queue_q     <= pass_queue_d;
        hold_q           <= hold_d;
        picked_q         <= pick && !rst_i;
        picked_write_q   <= pick_write && !rst_i;
        picked_oh_q      <= picked_oh_d;
        picks_q          <= picks_d;
        go_q             <= go_d;
        list_valid_q     <= list_valid_d;
        list_q           <= list_d;
        offered_q        <= offered_d;
        offered_write_q  <= offered_write_d;
        offered_bypass_q <= offered_bypass_d;
        offered_queue_q  <= offered_queue_d;
        freed_q          <= freed_d;
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
