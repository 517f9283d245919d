// SPDX-License-Identifier: Apache-2.0
// wm_fifo: first in, first out, on a memory with one read and one write port.
//
// Channels   enq: a word enters.  deq: the oldest word leaves.  count: the words inside.
// Timing     a word that enters an empty FIFO in cycle n is offered from n + 2, because it passes
//            through the memory and its output register. One word a cycle enters and leaves; with
//            DEPTH 2 it is two words in three cycles.
// Same cycle enq_ready_o ignores deq_ready_i: a full FIFO takes the next word in the cycle after
//            one has left.
// Limits     2 <= DEPTH <= 4096, any number; DATA_BITS >= 1 (checked at elaboration).
// Cost       DEPTH * DATA_BITS bits of SRAM, 2 * clog2(DEPTH) + clog2(DEPTH + 1) + 2 flip-flops.
// Twins      cmodel/common/fifo.c  tb/common/fifo_test.c  tb/common/fifo_props.v
`default_nettype none

module wm_fifo #(
    parameter integer DEPTH     = 8, // words
    parameter integer DATA_BITS = 64 // bits of a word
) (
    input  wire                       clk_i,       // clock
    input  wire                       rst_i,       // synchronous; empties it
    input  wire                       enq_valid_i, // a word wants to enter
    input  wire [DATA_BITS-1:0]       enq_data_i,  // the word
    output wire                       enq_ready_o, // it enters at this edge if enq_valid_i
    output wire                       deq_valid_o, // a word is offered
    output wire [DATA_BITS-1:0]       deq_data_o,  // the oldest word
    input  wire                       deq_ready_i, // late: it leaves at this edge if deq_valid_o
    output wire [$clog2(DEPTH+1)-1:0] count_o      // words inside, the offered one included
);
    localparam integer          SLOT_BITS  = $clog2(DEPTH);
    localparam integer          COUNT_BITS = $clog2(DEPTH + 1);
    localparam integer          LAST_SLOT  = DEPTH - 1;
    localparam [SLOT_BITS-1:0]  LAST       = LAST_SLOT[SLOT_BITS-1:0];
    localparam [COUNT_BITS-1:0] FULL       = DEPTH[COUNT_BITS-1:0];

    generate
        if (DEPTH < 2 || DEPTH > 4096 || DATA_BITS < 1) begin : g_illegal
            wm_fifo_parameters_out_of_range illegal ();
        end
    endgenerate

    reg [SLOT_BITS-1:0]  head_q, head_d;       // the next word to read from the memory
    reg [SLOT_BITS-1:0]  tail_q, tail_d;       // the next place to write
    reg [COUNT_BITS-1:0] count_q, count_d;
    reg                  full_q, full_d;
    reg                  offered_q, offered_d; // the memory's output register holds the oldest word

    wire enters = enq_valid_i && !full_q;
    wire leaves = offered_q && deq_ready_i;
    // Is there a word in the memory? The count includes the offered one.
    wire waits  = count_q[COUNT_BITS-1:1] != {(COUNT_BITS-1){1'b0}} || (count_q[0] && !offered_q);
    wire read   = waits && (!offered_q || deq_ready_i);

    always @* begin
        head_d    = head_q;
        tail_d    = tail_q;
        count_d   = count_q;
        offered_d = offered_q;
        if (enters) begin
            tail_d = tail_q == LAST ? {SLOT_BITS{1'b0}} : tail_q + 1'b1;
        end
        if (read) begin
            head_d = head_q == LAST ? {SLOT_BITS{1'b0}} : head_q + 1'b1;
        end
        if (enters && !leaves) begin
            count_d = count_q + 1'b1;
        end else if (leaves && !enters) begin
            count_d = count_q - 1'b1;
        end
        if (read) begin
            offered_d = 1'b1;
        end else if (leaves) begin
            offered_d = 1'b0;
        end
        if (rst_i) begin
            head_d    = {SLOT_BITS{1'b0}};
            tail_d    = {SLOT_BITS{1'b0}};
            count_d   = {COUNT_BITS{1'b0}};
            offered_d = 1'b0;
        end
        full_d = count_d == FULL;
    end

    always @(posedge clk_i) begin
        head_q    <= head_d;
        tail_q    <= tail_d;
        count_q   <= count_d;
        full_q    <= full_d;
        offered_q <= offered_d;
    end

    wm_sram_1r1w #(.WORDS(DEPTH), .DATA_BITS(DATA_BITS)) memory (
        .clk_i(clk_i),
        .wr_en_i(enters),
        .wr_addr_i(tail_q),
        .wr_data_i(enq_data_i),
        .rd_en_i(read),
        .rd_addr_i(head_q),
        .rd_data_o(deq_data_o)
    );

    assign enq_ready_o = !full_q;
    assign deq_valid_o = offered_q;
    assign count_o     = count_q;
endmodule

`default_nettype wire
