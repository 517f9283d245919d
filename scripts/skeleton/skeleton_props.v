// SPDX-License-Identifier: Apache-2.0
// Properties of wm_skeleton.
`default_nettype none

// The head, with dut and started, is made from wm_skeleton: python/warpmem/tools/props.py.
`BEGIN_skeleton_props
    // The word that entered last, while it has not left.
    reg                 inside;
    reg [DATA_BITS-1:0] word;
    always @(posedge clk_i) begin
        if (in_valid_i && in_ready_o) begin
            inside <= 1'b1;
            word   <= in_data_i;
        end else if (out_valid_o && out_ready_i) begin
            inside <= 1'b0;
        end
        if (rst_i) begin
            inside <= 1'b0;
        end
    end

    always @* begin
        if (started) begin
            // Nothing is lost or doubled: a word is offered from its entry until it is taken.
            offered_while_inside: assert (out_valid_o == inside);
            // Another one enters while none is inside.
            enters_where_none_is: assert (in_ready_o == !inside);
            // It leaves as it entered.
            if (inside) begin
                word_is_kept: assert (out_data_o == word);
            end
        end
        shows_a_word_that_leaves: cover (started && inside && out_ready_i && word != 0);
        one_waits_outside: cover (started && inside && in_valid_i && out_ready_i);
    end
endmodule

`default_nettype wire
