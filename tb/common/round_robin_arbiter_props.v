// SPDX-License-Identifier: Apache-2.0
// Properties of wm_round_robin_arbiter.
`default_nettype none

// The head, with dut and started, is made from wm_round_robin_arbiter: python/warpmem/tools/props.py.
`BEGIN_round_robin_arbiter_props
    localparam INDEX_BITS = $clog2(REQUESTERS);

    // One arbitrary requester, and for how many taken grants of others it has been asking in vain.
    (* anyconst *) wire [INDEX_BITS-1:0] one;
    reg [INDEX_BITS-1:0] first;  // in turn, as the rule says
    reg [INDEX_BITS:0]   waited;

    // A requester's distance behind the first in turn.
    function [INDEX_BITS:0] distance(input [INDEX_BITS-1:0] who);
        distance = who >= first ? {1'b0, who} - first : REQUESTERS + {1'b0, who} - first;
    endfunction

    always @(posedge clk_i) begin
        if (grant_valid_o && grant_taken_i) begin
            first <= grant_index_o == REQUESTERS - 1 ? 0 : grant_index_o + 1'b1;
        end
        if (!req_valid_i[one] || (grant_oh_o[one] && grant_taken_i)) begin
            waited <= 0;
        end else if (grant_valid_o && grant_taken_i) begin
            waited <= waited + 1'b1;
        end
        if (rst_i) begin
            first  <= 0;
            waited <= 0;
        end
    end

    // The state inside, which makes the induction close: the nodes on the way to the last winner,
    // level by level, hold marks of their inputs above it; inputs without a requester aside.
    localparam LEAVES = REQUESTERS > 16 ? 64 : REQUESTERS > 4 ? 16 : 4;
    wire [5:0] last = first == 0 ? REQUESTERS - 1 : first - 1'b1;

    function turn_is_right(input integer first_node, input [5:0] last_below, input integer level);
        reg [5:0] node;
        reg [2:0] turn, without;
        integer   i;
        begin
            node = last_below >> 2;
            turn = dut.turn_q >> 3 * (first_node + node);
            for (i = 1; i < 4; i = i + 1) begin
                without[i-1] = (4 * node + i) << 2 * level >= REQUESTERS;
            end
            turn_is_right = (turn | without) == (3'b111 << last_below[1:0] | without);
        end
    endfunction

    always @* begin
        assume (one < REQUESTERS);
    end

    always @* begin
        if (started) begin
            // The turn is a place, and the state means that place.
            first_in_range: assert (first < REQUESTERS);
            turn_of_fours: assert (turn_is_right(0, last, 0));
            if (LEAVES > 4) begin
                turn_of_sixteens: assert (turn_is_right(LEAVES / 4, last >> 2, 1));
            end
            if (LEAVES > 16) begin
                turn_of_all: assert (turn_is_right(LEAVES / 4 + LEAVES / 16, last >> 4, 2));
            end
            // There is a grant exactly when somebody asks, it is one-hot, and the index is its own.
            grant_iff_request: assert (grant_valid_o == (req_valid_i != 0));
            grant_one_hot: assert ((grant_oh_o & (grant_oh_o - 1'b1)) == 0);
            grant_one_when_valid: assert (grant_valid_o == (grant_oh_o != 0));
            if (grant_oh_o[one]) begin
                grant_to_requester: assert (req_valid_i[one]);
                index_is_the_granted: assert (grant_index_o == one);
            end
            // Nobody who asks stands between the first in turn and the winner.
            if (req_valid_i[one]) begin
                next_in_turn_wins: assert (distance(grant_index_o) <= distance(one));
            end
            // A steady requester is granted after at most REQUESTERS - 1 taken grants of others.
            no_starvation: assert (waited <= REQUESTERS - 1);
            waiting_brings_nearer: assert (waited == 0 || waited + distance(one) <= REQUESTERS - 1);
        end
        // One that was passed over by all others gets its turn.
        shows_turn_comes:
            cover (started && waited == REQUESTERS - 1 && grant_oh_o[one] && grant_taken_i);
        turn_wraps:
            cover (started && first == REQUESTERS - 1 && grant_index_o == 0 && grant_valid_o);
    end
endmodule

`default_nettype wire
