// SPDX-License-Identifier: Apache-2.0
// wm_skeleton: holds one word between two channels.
//
// Channels   in: a word enters.  out: it is offered until it is taken.
// Timing     a word accepted in cycle n is offered from n+1; the next one enters when it has left.
// Limits     1 <= DATA_BITS <= 64 (checked at elaboration).
// Cost       DATA_BITS + 1 flip-flops.
// Source     none yet: paper and section, or the reason why the choice is ours.
// Twins      cmodel/place/skeleton.c
//            tb/place/skeleton_test.c
//            tb/place/skeleton_props.v
//            waves/place/skeleton.gtkw
`default_nettype none

module wm_skeleton #(
    parameter integer DATA_BITS = 32 // bits of a word
) (
    input  wire                 clk_i,       // clock
    input  wire                 rst_i,       // synchronous; no word is inside
    input  wire                 in_valid_i,  // a word asks to enter
    input  wire [DATA_BITS-1:0] in_data_i,   // the word
    output wire                 in_ready_o,  // it enters
    output wire                 out_valid_o, // a word is inside
    output wire [DATA_BITS-1:0] out_data_o,  // that word
    input  wire                 out_ready_i  // late: it leaves at this edge
);
    generate
        if (DATA_BITS < 1 || DATA_BITS > 64) begin : g_illegal
            wm_skeleton_parameters_out_of_range illegal ();
        end
    endgenerate

    reg                 full_q;
    reg [DATA_BITS-1:0] data_q;

    wire enters = in_valid_i && !full_q;
    wire leaves = full_q && out_ready_i;

    always @(posedge clk_i) begin
        if (rst_i) begin
            full_q <= 1'b0;
        end else if (enters) begin
            full_q <= 1'b1;
            data_q <= in_data_i;
        end else if (leaves) begin
            full_q <= 1'b0;
        end
    end

    assign in_ready_o  = !full_q;
    assign out_valid_o = full_q;
    assign out_data_o  = data_q;
endmodule

`default_nettype wire
