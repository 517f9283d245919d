// SPDX-License-Identifier: Apache-2.0
// wm_round_robin_arbiter: grants one requester, each in turn.
//
// Channels   req: a bit a requester.  grant: the winner, one-hot and as index; taken when used.
// Timing     combinational from req to grant; the turn moves at the edge where a grant is taken.
// Turn       a winner that is taken becomes the last in turn, and the requester after it the first.
//            A grant that is not taken moves nothing; it follows req, so it may still change.
// Progress   a steady requester is granted after at most REQUESTERS - 1 taken grants of others.
// Tree       each node has a turn of its own and chooses one of its four inputs: the first that
//            asks above its last choice, else the lowest that asks. Only the nodes on the way to
//            the last winner use their turns; all others choose the lowest. So no scan is longer
//            than four, and a node's turn depends on neither the winner nor the nodes above.
// Limits     2 <= REQUESTERS <= 64 (checked at elaboration).
// Cost       REQUESTERS - 1 flip-flops: a node with n inputs in use has n - 1. Synthesis removes
//            the others, which are constant or never read.
// Twins      cmodel/common/round_robin_arbiter.c  tb/common/round_robin_arbiter_test.c
//            tb/common/round_robin_arbiter_props.v
`default_nettype none

module wm_round_robin_arbiter #(
    parameter integer REQUESTERS = 8 // requesters
) (
    input  wire                          clk_i,         // clock
    input  wire                          rst_i,         // synchronous; requester 0 first in turn
    input  wire [REQUESTERS-1:0]         req_valid_i,   // requesters that ask
    output wire                          grant_valid_o, // one of them asks
    output wire [REQUESTERS-1:0]         grant_oh_o,    // the winner; zero if none asks
    output wire [$clog2(REQUESTERS)-1:0] grant_index_o, // the same as a number; zero if none asks
    input  wire                          grant_taken_i  // late: the winner is served at this edge
);
    localparam integer INDEX_BITS = $clog2(REQUESTERS);

    // Node n has the inputs 4n to 4n + 3, and its output is the input LEAVES + n of the node above.
    // The first inputs are the requesters; the output of the last node is the root.
    localparam integer LEAVES = REQUESTERS > 16 ? 64 : REQUESTERS > 4 ? 16 : 4;
    localparam integer NODES  = (LEAVES - 1) / 3;
    localparam integer ROOT   = LEAVES + NODES - 1;

    generate
        if (REQUESTERS < 2 || REQUESTERS > 64) begin : g_illegal
            wm_round_robin_arbiter_parameters_out_of_range illegal ();
        end
    endgenerate

    // For each node: its inputs 1 to 3 that are above its last choice. All zeros mean that it chose
    // input 3.
    reg [3*NODES-1:0] turn_q;

    // Marks the lowest of four.
    function [3:0] lowest(input [3:0] some);
        lowest = {some[3] && some[2:0] == 3'd0, some[2] && some[1:0] == 2'd0,
                  some[1] && !some[0], some[0]};
    endfunction

    // Marks the inputs 1 to 3 that are above the lowest marked one of 0 to 2.
    function [2:0] above(input [2:0] some);
        above = {some[2:0] != 3'd0, some[1:0] != 2'd0, some[0]};
    endfunction

    // Bits of an index that the nodes below this one have made.
    function integer bits_below(input integer node);
        bits_below = node < LEAVES / 4 ? 0 : node < LEAVES / 4 + LEAVES / 16 ? 2 : 4;
    endfunction

    // Marks the inputs without a requester.
    function [ROOT:0] inputs_without(input unused);
        integer i;
        begin
            for (i = 0; i <= ROOT; i = i + 1) begin
                inputs_without[i] = i < LEAVES ? i >= REQUESTERS : inputs_without[4*(i-LEAVES)];
            end
        end
    endfunction
    localparam [ROOT:0] WITHOUT = inputs_without(1'b0);

    // {valid, index, one-hot, the turn after it} of the grant.
    function [INDEX_BITS+REQUESTERS+3*NODES:0] grant(input [REQUESTERS-1:0] req,
                                                     input [3*NODES-1:0]    marks);
        reg [ROOT:0]         asks;
        reg [ROOT:0]         later;   // above the last choice of its node
        reg [ROOT:0]         last;    // the last choice of its node
        reg [ROOT:0]         on_way;  // to the last winner
        reg [ROOT:0]         ahead;   // one after the last winner asks; holds on its way
        reg [ROOT:0]         chosen;
        reg [ROOT:0]         granted;
        reg [6*(ROOT+1)-1:0] index;   // of the chosen requester below, two bits a level
        reg [3*NODES-1:0]    after;
        reg [3:0]            four, first, among, low;
        reg                  by_turn;
        integer              n;
        begin
            later        = WITHOUT;
            last         = {(ROOT+1){1'b0}};
            on_way       = {(ROOT+1){1'b0}};
            on_way[ROOT] = 1'b1;
            for (n = NODES - 1; n >= 0; n = n - 1) begin
                later[4*n +: 4]  = later[4*n +: 4] | {marks[3*n +: 3], 1'b0};
                last[4*n +: 4]   = {1'b1, later[4*n+1 +: 3]} & ~later[4*n +: 4];
                on_way[4*n +: 4] = last[4*n +: 4] & {4{on_way[LEAVES+n]}};
            end
            asks   = {{(ROOT+1-REQUESTERS){1'b0}}, req};
            ahead  = {(ROOT+1){1'b0}};
            chosen = {(ROOT+1){1'b0}};
            index  = {6*(ROOT+1){1'b0}};
            for (n = 0; n < NODES; n = n + 1) begin
                four  = asks[4*n +: 4];
                first = (four & later[4*n +: 4]) | (last[4*n +: 4] & ahead[4*n +: 4]);
                asks[LEAVES+n]  = |four;
                ahead[LEAVES+n] = |first;
                by_turn = on_way[LEAVES+n] && ahead[LEAVES+n];
                if (n == NODES - 1) begin
                    // The root learns last whether one is ahead, so it selects one of two results.
                    low = by_turn ? lowest(first) : lowest(four);
                    after[3*n +: 3] = by_turn ? above(first[2:0]) : above(four[2:0]);
                end else begin
                    // The same choice, in the form that gives the fastest gates.
                    among = bits_below(n) != 0 ? four & (first | {4{!by_turn}})
                          : by_turn ? first : four;
                    low = lowest(among);
                    after[3*n +: 3] = above(among[2:0]);
                end
                chosen[4*n +: 4] = low;
                index[6*(LEAVES+n) +: 6] =
                    ({6{low[0]}} & index[24*n +: 6]) | ({6{low[1]}} & index[24*n+6 +: 6]) |
                    ({6{low[2]}} & index[24*n+12 +: 6]) | ({6{low[3]}} & index[24*n+18 +: 6]);
                index[6*(LEAVES+n)+bits_below(n) +: 2] = {low[3] || low[2], low[3] || low[1]};
            end
            granted       = {(ROOT+1){1'b0}};
            granted[ROOT] = 1'b1;
            for (n = NODES - 1; n >= 0; n = n - 1) begin
                granted[4*n +: 4] = chosen[4*n +: 4] & {4{granted[LEAVES+n]}};
            end
            grant = {asks[ROOT], index[6*ROOT +: INDEX_BITS], granted[REQUESTERS-1:0], after};
        end
    endfunction

    wire [3*NODES-1:0] after; // the turns, when the winner is served
    assign {grant_valid_o, grant_index_o, grant_oh_o, after} = grant(req_valid_i, turn_q);

    always @(posedge clk_i) begin
        if (rst_i) begin
            turn_q <= {3*NODES{1'b0}};
        end else if (grant_taken_i && grant_valid_o) begin
            turn_q <= after;
        end
    end
endmodule

`default_nettype wire
