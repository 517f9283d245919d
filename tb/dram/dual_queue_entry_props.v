// SPDX-License-Identifier: Apache-2.0
// A property of one entry of a queue of wm_dual_queue, so that a proof by parts asks for each entry by itself: for all at once a
// solver has no answer at the paper's size.
`default_nettype none

module dual_queue_entry_props (
    input wire started,
    input wire hit_is_right
);
    always @* begin
        if (started) begin
            hit_means_open: assert (hit_is_right);
        end
    end
endmodule

`default_nettype wire
