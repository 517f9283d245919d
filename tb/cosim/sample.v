// SPDX-License-Identifier: Apache-2.0
// wm_sample: accumulators with a port of every kind, on which the lockstep framework tests itself.
//
// Channels   add: a number a lane, and a word.  sum: accumulators and last word; restart when taken.
// Timing     an addition in cycle n shows in n + 1.
// Limits     any sizes of at least 1.
// Twins      tb/cosim/sample.c
`default_nettype none

module wm_sample #(
    parameter LANES     = 4,
    parameter LANE_BITS = 5,
    parameter WORD_BITS = 100
) (
    input  wire                       clk_i,
    input  wire                       rst_i,
    input  wire                       add_valid_i,
    input  wire [LANES*LANE_BITS-1:0] add_lane_i,
    input  wire [WORD_BITS-1:0]       add_word_i,
    output wire                       any_carry_o,
    output wire                       sum_valid_o,
    output wire [LANES*LANE_BITS-1:0] sum_lane_o,
    output wire [WORD_BITS-1:0]       sum_word_o,
    input  wire                       sum_ready_i  // late
);
    reg [LANES*LANE_BITS-1:0] lane_q;
    reg [WORD_BITS-1:0]       word_q;
    reg                       valid_q;

    wire taken = valid_q && sum_ready_i;

    wire [LANES-1:0]           carry;
    wire [LANES*LANE_BITS-1:0] sum;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            assign {carry[i], sum[i*LANE_BITS+:LANE_BITS]} =
                {1'b0, lane_q[i*LANE_BITS+:LANE_BITS]} + {1'b0, add_lane_i[i*LANE_BITS+:LANE_BITS]};
        end
    endgenerate

    always @(posedge clk_i) begin
        if (rst_i) begin
            valid_q <= 1'b0;
            lane_q  <= {LANES*LANE_BITS{1'b0}};
        end else begin
            valid_q <= !taken && (valid_q || add_valid_i);
            if (taken) begin
                lane_q <= {LANES*LANE_BITS{1'b0}};
            end else if (add_valid_i) begin
                lane_q <= sum;
            end
            if (add_valid_i) begin
                word_q <= add_word_i;
            end
        end
    end

    assign any_carry_o = add_valid_i && |carry;
    assign sum_valid_o = valid_q;
    assign sum_lane_o  = lane_q;
    assign sum_word_o  = word_q;
endmodule

`default_nettype wire
