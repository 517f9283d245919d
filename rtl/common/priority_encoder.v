// SPDX-License-Identifier: Apache-2.0
// wm_priority_encoder: grants the lowest of the requesters.
//
// Channels   req: one bit a requester.  grant: the lowest of them, as one-hot and as index.
// Timing     combinational.
// Limits     2 <= REQUESTERS <= 64 (checked at elaboration).
// Cost       no flip-flops; about 2 * log2(REQUESTERS) gates deep.
// Twins      cmodel/common/priority_encoder.c  tb/common/priority_encoder_test.c
//            tb/common/priority_encoder_props.v
`default_nettype none

module wm_priority_encoder #(
    parameter REQUESTERS = 48 // the lowest wins
) (
    input  wire [REQUESTERS-1:0]         req_valid_i,   // who asks
    output wire                          grant_valid_o, // somebody asks
    output wire [REQUESTERS-1:0]         grant_oh_o,    // the lowest that asks; zero if nobody
    output wire [$clog2(REQUESTERS)-1:0] grant_index_o  // the same as a number; zero if nobody
);
    localparam INDEX_BITS = $clog2(REQUESTERS);

    generate
        if (REQUESTERS < 2 || REQUESTERS > 64) begin : g_illegal
            wm_priority_encoder_parameters_out_of_range illegal ();
        end
    endgenerate

    // Marks each requester with another one below it, in log2 steps: the carry chain of x & -x
    // would take as many steps as there are requesters.
    function [REQUESTERS-1:0] asked_below(input [REQUESTERS-1:0] req);
        integer reach;
        begin
            asked_below = req << 1;
            for (reach = 1; reach < REQUESTERS; reach = reach * 2) begin
                asked_below = asked_below | (asked_below << reach);
            end
        end
    endfunction

    assign grant_oh_o    = req_valid_i & ~asked_below(req_valid_i);
    assign grant_valid_o = |req_valid_i;

    // Marks the requesters whose number has the given bit set.
    function [REQUESTERS-1:0] numbers_with_bit(input integer index_bit);
        integer i;
        begin
            for (i = 0; i < REQUESTERS; i = i + 1) begin
                numbers_with_bit[i] = (i >> index_bit) % 2 == 1;
            end
        end
    endfunction

    genvar b;
    generate
        for (b = 0; b < INDEX_BITS; b = b + 1) begin : g_index
            localparam [REQUESTERS-1:0] NUMBERS = numbers_with_bit(b);
            assign grant_index_o[b] = |(grant_oh_o & NUMBERS);
        end
    endgenerate
endmodule

`default_nettype wire
