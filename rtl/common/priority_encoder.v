// SPDX-License-Identifier: Apache-2.0
// wm_priority_encoder: grants the lowest of the requesters.
//
// Channels   req: one bit a requester.  grant: the lowest of them, as one-hot and as index.
// Timing     combinational.
// Tree       each node marks the lowest of its four inputs, and tells the node above whether one
//            asks and the number of the lowest. So the index is ready with the one-hot grant, and
//            no scan is longer than four; synthesis turns a longer scan into a slow chain.
// Limits     2 <= REQUESTERS <= 64 (checked at elaboration).
// Cost       no flip-flops; about 2 * log4(REQUESTERS) gates deep, of four inputs each.
// Twins      cmodel/common/priority_encoder.c  tb/common/priority_encoder_test.c
//            tb/common/priority_encoder_props.v
`default_nettype none

module wm_priority_encoder #(
    parameter integer REQUESTERS = 48 // the lowest wins
) (
    input  wire [REQUESTERS-1:0]         req_valid_i,   // requesters that ask
    output wire                          grant_valid_o, // one of them asks
    output wire [REQUESTERS-1:0]         grant_oh_o,    // the lowest that asks; zero if none asks
    output wire [$clog2(REQUESTERS)-1:0] grant_index_o  // the same as a number; zero if none asks
);
    localparam integer INDEX_BITS = $clog2(REQUESTERS);

    // Node n has the inputs 4n to 4n + 3, and its output is the input LEAVES + n of the node above.
    // The first inputs are the requesters; the output of the last node is the root.
    localparam integer LEAVES = REQUESTERS > 16 ? 64 : REQUESTERS > 4 ? 16 : 4;
    localparam integer NODES  = (LEAVES - 1) / 3;
    localparam integer ROOT   = LEAVES + NODES - 1;

    generate
        if (REQUESTERS < 2 || REQUESTERS > 64) begin : g_illegal
            wm_priority_encoder_parameters_out_of_range illegal ();
        end
    endgenerate

    // Marks the lowest of four.
    function [3:0] lowest(input [3:0] some);
        lowest = {some[3] && some[2:0] == 3'd0, some[2] && some[1:0] == 2'd0,
                  some[1] && !some[0], some[0]};
    endfunction

    // Bits of an index that the nodes below this one have made.
    function integer bits_below(input integer node);
        bits_below = node < LEAVES / 4 ? 0 : node < LEAVES / 4 + LEAVES / 16 ? 2 : 4;
    endfunction

    // {valid, index, one-hot} of the grant.
    function [INDEX_BITS+REQUESTERS:0] grant(input [REQUESTERS-1:0] req);
        reg [ROOT:0]         asks;
        reg [ROOT:0]         granted;
        reg [6*(ROOT+1)-1:0] index; // of the lowest requester below, two bits a level
        reg [3:0]            low;   // the lowest of the node
        integer              n;
        begin
            asks  = {{(ROOT+1-REQUESTERS){1'b0}}, req};
            index = {6*(ROOT+1){1'b0}};
            for (n = 0; n < NODES; n = n + 1) begin
                asks[LEAVES+n] = |asks[4*n +: 4];
                low = lowest(asks[4*n +: 4]);
                index[6*(LEAVES+n) +: 6] =
                    ({6{low[0]}} & index[24*n +: 6]) | ({6{low[1]}} & index[24*n+6 +: 6]) |
                    ({6{low[2]}} & index[24*n+12 +: 6]) | ({6{low[3]}} & index[24*n+18 +: 6]);
                index[6*(LEAVES+n)+bits_below(n) +: 2] = {low[3] || low[2], low[3] || low[1]};
            end
            granted       = {(ROOT+1){1'b0}};
            granted[ROOT] = 1'b1;
            for (n = NODES - 1; n >= 0; n = n - 1) begin
                granted[4*n +: 4] = lowest(asks[4*n +: 4]) & {4{granted[LEAVES+n]}};
            end
            grant = {asks[ROOT], index[6*ROOT +: INDEX_BITS], granted[REQUESTERS-1:0]};
        end
    endfunction

    assign {grant_valid_o, grant_index_o, grant_oh_o} = grant(req_valid_i);
endmodule

`default_nettype wire
