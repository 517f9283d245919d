// SPDX-License-Identifier: Apache-2.0
// wm_round_robin_arbiter: grants one requester, each in turn.
//
// Channels   req: a bit a requester.  grant: the winner, one-hot and as index; taken when used.
// Timing     combinational from req to grant; the turn moves at the edge where a grant is taken.
// Turn       a taken winner becomes the last in turn, the requester after it the first. A grant
//            that is not taken moves nothing; it follows req, so it may change until it is taken.
// Progress   whoever keeps asking is granted after at most REQUESTERS - 1 taken grants of others.
// Limits     2 <= REQUESTERS <= 64 (checked at elaboration).
// Cost       REQUESTERS - 1 flip-flops (the lowest bit of the turn is constant), two encoders; they
//            and the next turn have the same scans.
// Twins      cmodel/common/round_robin_arbiter.c  tb/common/round_robin_arbiter_test.c
//            tb/common/round_robin_arbiter_props.v
`default_nettype none

module wm_round_robin_arbiter #(
    parameter REQUESTERS = 8 // requesters
) (
    input  wire                          clk_i,         // clock
    input  wire                          rst_i,         // synchronous; requester 0 first in turn
    input  wire [REQUESTERS-1:0]         req_valid_i,   // who asks
    output wire                          grant_valid_o, // somebody asks
    output wire [REQUESTERS-1:0]         grant_oh_o,    // the winner; zero if nobody asks
    output wire [$clog2(REQUESTERS)-1:0] grant_index_o, // the same as a number; zero if nobody asks
    input  wire                          grant_taken_i  // late: the winner is served at this edge
);
    localparam INDEX_BITS = $clog2(REQUESTERS);

    generate
        if (REQUESTERS < 2 || REQUESTERS > 64) begin : g_illegal
            wm_round_robin_arbiter_parameters_out_of_range illegal ();
        end
    endgenerate

    // The turn as a thermometer: ones from the first in turn upwards. All zeros: requester 0.
    reg [REQUESTERS-1:0] turn_q;
    reg [REQUESTERS-1:0] turn_d;

    wire                  ahead_valid;
    wire [REQUESTERS-1:0] ahead_oh;
    wire [INDEX_BITS-1:0] ahead_index;
    wm_priority_encoder #(.REQUESTERS(REQUESTERS)) ahead (
        .req_valid_i(req_valid_i & turn_q),
        .grant_valid_o(ahead_valid),
        .grant_oh_o(ahead_oh),
        .grant_index_o(ahead_index)
    );

    wire [REQUESTERS-1:0] lowest_oh;
    wire [INDEX_BITS-1:0] lowest_index;
    wm_priority_encoder #(.REQUESTERS(REQUESTERS)) lowest (
        .req_valid_i(req_valid_i),
        .grant_valid_o(grant_valid_o),
        .grant_oh_o(lowest_oh),
        .grant_index_o(lowest_index)
    );

    assign grant_oh_o    = ahead_valid ? ahead_oh : lowest_oh;
    assign grant_index_o = ahead_valid ? ahead_index : lowest_index;

    // Marks each requester with another one below it, in log2 steps, as in wm_priority_encoder.
    function [REQUESTERS-1:0] asked_below(input [REQUESTERS-1:0] req);
        integer reach;
        begin
            asked_below = req << 1;
            for (reach = 1; reach < REQUESTERS; reach = reach * 2) begin
                asked_below = asked_below | (asked_below << reach);
            end
        end
    endfunction

    // The next turn has ones above the winner, that is, above the lowest of some requesters. So it
    // is known together with the winner; a scan from the winner on would come later.
    wire [REQUESTERS-1:0] above_ahead  = asked_below(req_valid_i & turn_q);
    wire [REQUESTERS-1:0] above_lowest = asked_below(req_valid_i);

    always @* begin
        turn_d = turn_q;
        if (grant_taken_i && grant_valid_o) begin
            turn_d = ahead_valid ? above_ahead : above_lowest;
        end
        if (rst_i) begin
            turn_d = {REQUESTERS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        turn_q <= turn_d;
    end
endmodule

`default_nettype wire
