// SPDX-License-Identifier: Apache-2.0
// Properties of wm_priority_encoder.
`default_nettype none

// The head, with dut, is made from wm_priority_encoder: scripts/house/props.py.
`BEGIN_priority_encoder_props
    localparam INDEX_BITS = $clog2(REQUESTERS);

    (* anyconst *) wire [INDEX_BITS-1:0] one;
    always @* begin
        assume (one < REQUESTERS);
    end

    always @* begin
        // There is a grant exactly when somebody asks.
        grant_iff_request: assert (grant_valid_o == (req_valid_i != 0));
        // The grant is one-hot, or zero when nobody asks.
        grant_one_hot: assert ((grant_oh_o & (grant_oh_o - 1'b1)) == 0);
        grant_one_when_valid: assert (grant_valid_o == (grant_oh_o != 0));
        // Only a requester is granted, and nobody below it asks.
        if (grant_oh_o[one]) begin
            grant_to_requester: assert (req_valid_i[one]);
            index_is_the_granted: assert (grant_index_o == one);
        end
        if (req_valid_i[one]) begin
            lowest_wins: assert (grant_valid_o && grant_index_o <= one);
        end
        // Without a grant the index is zero.
        if (!grant_valid_o) begin
            index_zero_without_grant: assert (grant_index_o == 0);
        end
        highest_alone: cover (grant_oh_o[REQUESTERS-1]);
        // The lowest wins against the highest.
        shows_lowest_wins: cover (grant_oh_o[0] && req_valid_i[REQUESTERS-1]);
    end
endmodule

`default_nettype wire
