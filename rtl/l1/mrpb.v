// SPDX-License-Identifier: Apache-2.0
// wm_mrpb: memory request prioritization buffer: queues of reads before the L1, one a warp, the
// lowest queue first.
//
// Channels   enq: a coalesced request enters.  deq: the outbound buffer offers one to the cache.
// Timing     a read that enters in cycle n can be selected from n + LATENCY - 1 and is offered from
//            n + LATENCY; a write enters when its queue is empty and the second of two write slots
//            is free, and is offered from n + 1, behind what the outbound buffer holds by then.
// Selection  one entry a cycle, when neither read nor write stays in the outbound buffer: from the
//            queue that the waiting read finds full or the waiting write finds not empty (flush),
//            else from the lowest queue that has a selectable entry.
// Same cycle nothing is selected while a write stays, because a later read of its warp would
//            overtake it; a read selected as a write enters goes before it: it is of another
//            queue, because the queue of that write is empty; the place of a selected entry is free
//            in the next cycle; deq_ready_i counts before deq_assoc_stall_i.
// Limits     QUEUES and DEPTH 2 to 64, DATA_BITS 1 to 256, LATENCY 3 to 18 (checked at
//            elaboration); enq_queue_i below QUEUES while enq_valid_i.
// Cost       QUEUES * 2^clog2(DEPTH) words of DATA_BITS in SRAM, QUEUES * (3 * clog2(DEPTH) + 3)
//            + (LATENCY - 2) * (clog2(QUEUES) + 1) + 2 * DATA_BITS + 3 * clog2(QUEUES) + 4
//            flip-flops.
// Source     Jia, Shaw, Martonosi, HPCA 2014, sections 3.1 to 3.5 and 6, table 4 (bold).
// Twins      cmodel/l1/mrpb.c  tb/l1/mrpb_test.c  tb/l1/mrpb_props.v  waves/l1/mrpb.gtkw
`default_nettype none

module wm_mrpb #(
    parameter QUEUES    = 48, // request queues, one a warp slot
    parameter DEPTH     = 8,  // entries a queue
    parameter DATA_BITS = 64, // bits of a request header
    parameter LATENCY   = 5   // cycles from entering to the first offer to the cache
) (
    input  wire                      clk_i,             // clock
    input  wire                      rst_i,             // synchronous; empties everything
    input  wire                      enq_valid_i,       // a coalesced request asks to enter
    input  wire [$clog2(QUEUES)-1:0] enq_queue_i,       // its signature: the queue of its warp
    input  wire                      enq_write_i,       // it is a write: its queue empties first
    input  wire [DATA_BITS-1:0]      enq_data_i,        // its header
    output wire                      enq_ready_o,       // it enters at this edge if enq_valid_i
    output wire                      deq_valid_o,       // the cache is offered a request
    output wire [$clog2(QUEUES)-1:0] deq_queue_o,       // the queue it came through
    output wire                      deq_write_o,       // it is a write
    output wire                      deq_bypass_o,      // refused so: it need not take a line
    output wire [DATA_BITS-1:0]      deq_data_o,        // its header
    input  wire                      deq_ready_i,       // late: the cache takes it at this edge
    input  wire                      deq_assoc_stall_i  // late: refused, all lines await fills
);
    localparam                 QUEUE_BITS = $clog2(QUEUES);
    localparam                 SLOT_BITS  = $clog2(DEPTH);
    localparam                 LAST_SLOT  = DEPTH - 1;
    localparam [SLOT_BITS-1:0] LAST       = LAST_SLOT[SLOT_BITS-1:0];
    localparam                 STAGES     = LATENCY - 2;
    localparam [QUEUES-1:0]    NO_QUEUE   = {QUEUES{1'b0}};
    localparam [QUEUES-1:0]    QUEUE_0    = {{(QUEUES-1){1'b0}}, 1'b1};

    generate
        if (QUEUES < 2 || QUEUES > 64 || DEPTH < 2 || DEPTH > 64 ||
            DATA_BITS < 1 || DATA_BITS > 256 ||
            LATENCY < 3 || LATENCY > 18) begin : g_illegal
            wm_mrpb_parameters_out_of_range illegal ();
        end
    endgenerate

    // Slot pointers, one a queue, are kept as bit planes: bits [b * QUEUES +: QUEUES] are bit b of
    // every queue's pointer. So an operation on all queues is one vector operation, and a one-hot
    // vector enables it.
    localparam PLANES = SLOT_BITS * QUEUES;

    // Every pointer, one slot further.
    function [PLANES-1:0] next_slot(input [PLANES-1:0] slot);
        reg [QUEUES-1:0] carry;
        reg [QUEUES-1:0] at_last;
        integer b;
        begin
            carry   = {QUEUES{1'b1}};
            at_last = {QUEUES{1'b1}};
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                at_last = at_last & (slot[b*QUEUES +: QUEUES] ^ {QUEUES{!LAST[b]}});
            end
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                next_slot[b*QUEUES +: QUEUES] = (slot[b*QUEUES +: QUEUES] ^ carry) & ~at_last;
                carry = carry & slot[b*QUEUES +: QUEUES];
            end
        end
    endfunction

    // The queues whose two pointers are equal.
    function [QUEUES-1:0] equal(input [PLANES-1:0] x, input [PLANES-1:0] y);
        integer b;
        begin
            equal = {QUEUES{1'b1}};
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                equal = equal & ~(x[b*QUEUES +: QUEUES] ^ y[b*QUEUES +: QUEUES]);
            end
        end
    endfunction

    // The pointer of one queue.
    function [SLOT_BITS-1:0] slot_of(input [QUEUES-1:0] queue_oh, input [PLANES-1:0] slot);
        integer b;
        begin
            for (b = 0; b < SLOT_BITS; b = b + 1) begin
                slot_of[b] = |(queue_oh & slot[b*QUEUES +: QUEUES]);
            end
        end
    endfunction

    // Queues: the slot of the oldest entry, of the next entry to come, and of the oldest entry that
    // is not selectable yet; the queues that hold DEPTH entries, an entry, a selectable entry.
    reg [PLANES-1:0] head_q, head_d;
    reg [PLANES-1:0] tail_q, tail_d;
    reg [PLANES-1:0] unripe_q, unripe_d;
    reg [QUEUES-1:0] full_q, full_d;
    reg [QUEUES-1:0] nonempty_q, nonempty_d;
    reg [QUEUES-1:0] selectable_q, selectable_d;

    // Outbound buffer: a read, whose data are the SRAM's output register, and two writes, the older
    // one in slot 0. With one slot a write could enter only every second cycle, because enq_ready_o
    // does not look at deq_ready_i.
    reg                  read_valid_q, read_valid_d;
    reg                  read_bypass_q, read_bypass_d;
    reg [QUEUE_BITS-1:0] read_queue_q, read_queue_d;
    reg                  write0_valid_q, write0_valid_d;
    reg [QUEUE_BITS-1:0] write0_queue_q, write0_queue_d;
    reg [DATA_BITS-1:0]  write0_data_q, write0_data_d;
    reg                  write1_valid_q, write1_valid_d;
    reg [QUEUE_BITS-1:0] write1_queue_q, write1_queue_d;
    reg [DATA_BITS-1:0]  write1_data_q, write1_data_d;

    // Delay line: the queues that were entered, until their entries become selectable; the youngest
    // in the lowest bits.
    reg [STAGES-1:0]            delay_valid_q, delay_valid_d;
    reg [STAGES*QUEUE_BITS-1:0] delay_queue_q, delay_queue_d;

    // Enqueue
    wire [QUEUES-1:0] enq_oh         = QUEUE_0 << enq_queue_i;
    wire              enq_full       = |(enq_oh & full_q);
    wire              enq_nonempty   = |(enq_oh & nonempty_q);
    wire              enq_selectable = |(enq_oh & selectable_q);
    wire              enters         = enq_valid_i && enq_ready_o;
    wire              enters_queue   = enters && !enq_write_i;
    wire [QUEUES-1:0] entered_oh     = enq_oh & {QUEUES{enters_queue}};

    assign enq_ready_o = enq_write_i ? !enq_nonempty && !write1_valid_q : !enq_full;

    // Selection
    wire                  lowest_valid;
    wire [QUEUES-1:0]     lowest_oh;
    wire [QUEUE_BITS-1:0] lowest_queue;
    wm_priority_encoder #(.REQUESTERS(QUEUES)) drain (
        .req_valid_i(selectable_q),
        .grant_valid_o(lowest_valid),
        .grant_oh_o(lowest_oh),
        .grant_index_o(lowest_queue)
    );

    wire                  flush        = enq_valid_i && !enq_ready_o && enq_selectable;
    wire [QUEUES-1:0]     pick_oh      = flush ? enq_oh : lowest_oh;
    wire [QUEUE_BITS-1:0] pick_queue   = flush ? enq_queue_i : lowest_queue;
    wire                  write_leaves = deq_write_o && deq_ready_i;
    wire                  write_stays  = write_leaves ? write1_valid_q : write0_valid_q;
    wire                  room         = !write_stays && (!read_valid_q || deq_ready_i);
    wire                  select       = lowest_valid && room;
    wire [QUEUES-1:0]     selected_oh  = pick_oh & {QUEUES{select}};

    wire [DATA_BITS-1:0] read_data;
    wm_sram_1r1w #(.WORDS(QUEUES << SLOT_BITS), .DATA_BITS(DATA_BITS)) entries (
        .clk_i(clk_i),
        .wr_en_i(enters_queue),
        .wr_addr_i({enq_queue_i, slot_of(enq_oh, tail_q)}),
        .wr_data_i(enq_data_i),
        .rd_en_i(select),
        .rd_addr_i({pick_queue, slot_of(pick_oh, head_q)}),
        .rd_data_o(read_data)
    );

    // Queues: an entry becomes selectable when it leaves the delay line.
    wire [STAGES:0]                  delay_valid = {delay_valid_q, enters_queue};
    wire [(STAGES+1)*QUEUE_BITS-1:0] delay_queue = {delay_queue_q, enq_queue_i};
    wire [QUEUE_BITS-1:0]            ripe_queue  = delay_queue[STAGES*QUEUE_BITS +: QUEUE_BITS];
    wire [QUEUES-1:0]                ripened_oh  = (QUEUE_0 << ripe_queue) &
                                                   {QUEUES{delay_valid[STAGES]}};

    wire [PLANES-1:0] head_next    = next_slot(head_q);
    wire [PLANES-1:0] tail_next    = next_slot(tail_q);
    wire [PLANES-1:0] unripe_next  = next_slot(unripe_q);
    wire [PLANES-1:0] head_moves   = {SLOT_BITS{selected_oh}};
    wire [PLANES-1:0] tail_moves   = {SLOT_BITS{entered_oh}};
    wire [PLANES-1:0] unripe_moves = {SLOT_BITS{ripened_oh}};

    always @* begin
        head_d        = (head_q & ~head_moves) | (head_next & head_moves);
        tail_d        = (tail_q & ~tail_moves) | (tail_next & tail_moves);
        unripe_d      = (unripe_q & ~unripe_moves) | (unripe_next & unripe_moves);
        full_d        = ~selected_oh & (full_q | (entered_oh & equal(tail_next, head_q)));
        nonempty_d    = entered_oh | (nonempty_q & ~(selected_oh & equal(head_next, tail_q)));
        selectable_d  = ripened_oh | (selectable_q & ~(selected_oh & equal(head_next, unripe_q)));
        delay_valid_d = delay_valid[STAGES-1:0];
        delay_queue_d = delay_queue[STAGES*QUEUE_BITS-1:0];
        if (rst_i) begin
            head_d        = {PLANES{1'b0}};
            tail_d        = {PLANES{1'b0}};
            unripe_d      = {PLANES{1'b0}};
            full_d        = NO_QUEUE;
            nonempty_d    = NO_QUEUE;
            selectable_d  = NO_QUEUE;
            delay_valid_d = {STAGES{1'b0}};
        end
    end

    // Outbound buffer: the read leaves before the writes.
    always @* begin
        read_valid_d   = read_valid_q;
        read_bypass_d  = read_bypass_q;
        read_queue_d   = read_queue_q;
        write0_valid_d = write0_valid_q;
        write0_queue_d = write0_queue_q;
        write0_data_d  = write0_data_q;
        write1_valid_d = write1_valid_q;
        write1_queue_d = write1_queue_q;
        write1_data_d  = write1_data_q;
        if (read_valid_q) begin
            read_valid_d  = !deq_ready_i;
            read_bypass_d = !deq_ready_i && (read_bypass_q || deq_assoc_stall_i);
        end
        if (write_leaves) begin
            write0_valid_d = write1_valid_q;
            write0_queue_d = write1_queue_q;
            write0_data_d  = write1_data_q;
            write1_valid_d = 1'b0;
        end
        if (select) begin
            read_valid_d = 1'b1;
            read_queue_d = pick_queue;
        end
        if (enters && enq_write_i) begin
            if (write_stays) begin
                write1_valid_d = 1'b1;
                write1_queue_d = enq_queue_i;
                write1_data_d  = enq_data_i;
            end else begin
                write0_valid_d = 1'b1;
                write0_queue_d = enq_queue_i;
                write0_data_d  = enq_data_i;
            end
        end
        if (rst_i) begin
            read_valid_d   = 1'b0;
            read_bypass_d  = 1'b0;
            write0_valid_d = 1'b0;
            write1_valid_d = 1'b0;
        end
    end

    assign deq_valid_o  = read_valid_q || write0_valid_q;
    assign deq_queue_o  = read_valid_q ? read_queue_q : write0_queue_q;
    assign deq_write_o  = !read_valid_q && write0_valid_q;
    assign deq_bypass_o = read_bypass_q;
    assign deq_data_o   = read_valid_q ? read_data : write0_data_q;

    always @(posedge clk_i) begin
        head_q         <= head_d;
        tail_q         <= tail_d;
        unripe_q       <= unripe_d;
        full_q         <= full_d;
        nonempty_q     <= nonempty_d;
        selectable_q   <= selectable_d;
        delay_valid_q  <= delay_valid_d;
        delay_queue_q  <= delay_queue_d;
        read_valid_q   <= read_valid_d;
        read_bypass_q  <= read_bypass_d;
        read_queue_q   <= read_queue_d;
        write0_valid_q <= write0_valid_d;
        write0_queue_q <= write0_queue_d;
        write0_data_q  <= write0_data_d;
        write1_valid_q <= write1_valid_d;
        write1_queue_q <= write1_queue_d;
        write1_data_q  <= write1_data_d;
    end
endmodule

`default_nettype wire
