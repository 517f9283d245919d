// SPDX-License-Identifier: Apache-2.0
// wm_return_queue: first in, first out, and a word that finds the queue empty is offered at once.
//
// Channels   enq: a word enters; there must be room.  deq: the oldest word leaves.
// Timing     a word is offered from the cycle in which it enters, if all before it have left; else
//            from the cycle after the one before it leaves. One word a cycle enters and leaves.
// Register   it holds the oldest word, and hides the two cycles that one takes through the memory:
//            a word goes into the memory only while the register or the memory holds another one.
// Limits     DEPTH as wm_fifo; whoever fills the queue counts its free places.
// Cost       DEPTH * DATA_BITS bits of SRAM, DATA_BITS + 1 flip-flops and those of wm_fifo.
// Twins      none: part of rtl/top/memory_channel.v  tb/top/return_queue_props.v
`default_nettype none

module wm_return_queue #(
    parameter integer DEPTH     = 105, // words
    parameter integer DATA_BITS = 64   // bits of a word
) (
    input  wire                 clk_i,       // clock
    input  wire                 rst_i,       // synchronous; empties it
    input  wire                 enq_valid_i, // a word enters
    input  wire [DATA_BITS-1:0] enq_data_i,  // the word
    output wire                 deq_valid_o, // a word is offered
    output wire [DATA_BITS-1:0] deq_data_o,  // the oldest word
    input  wire                 deq_ready_i  // late: it leaves at this edge if deq_valid_o
);
    localparam integer COUNT_BITS = $clog2(DEPTH + 1);

    reg                  full_q; // the register holds a word
    reg  [DATA_BITS-1:0] word_q;
    wire                 behind; // the memory offers one
    wire [DATA_BITS-1:0] behind_data;
    wire [COUNT_BITS-1:0] behind_cnt;
    wire                 unused_ready;

    wire free        = !full_q || deq_ready_i;  // the register takes another word
    wire behind_goes = behind && free;          // to the register, or out past it
    wire behind_fill = behind_goes && (full_q || !deq_ready_i);
    wire behind_none = behind_cnt == {COUNT_BITS{1'b0}} ||
                       (behind_cnt == {{(COUNT_BITS-1){1'b0}}, 1'b1} && behind_goes);
    wire passes      = !full_q && behind_cnt == {COUNT_BITS{1'b0}} && deq_ready_i;
    wire enq_fill    = enq_valid_i && !passes && free && !behind_fill && behind_none;

    always @(posedge clk_i) begin
        full_q <= (full_q && !deq_ready_i) || behind_fill || enq_fill;
        if (behind_fill) begin
            word_q <= behind_data;
        end else if (enq_fill) begin
            word_q <= enq_data_i;
        end
        if (rst_i) begin
            full_q <= 1'b0;
        end
    end

    wm_fifo #(.DEPTH(DEPTH), .DATA_BITS(DATA_BITS)) memory (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .enq_valid_i(enq_valid_i && !passes && !enq_fill),
        .enq_data_i(enq_data_i),
        .enq_ready_o(unused_ready),
        .deq_valid_o(behind),
        .deq_data_o(behind_data),
        .deq_ready_i(free),
        .count_o(behind_cnt)
    );

    assign deq_valid_o = full_q || behind ||
                         (enq_valid_i && behind_cnt == {COUNT_BITS{1'b0}});
    assign deq_data_o  = full_q ? word_q : behind ? behind_data : enq_data_i;
endmodule

`default_nettype wire
