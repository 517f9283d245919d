// SPDX-License-Identifier: Apache-2.0
// A property of one bank of wm_row_prefetch, so that a proof by parts asks for each bank by itself:
// a solver that has to count the lines of all banks at once has no answer at the paper's size.
`default_nettype none

module row_prefetch_bank_props (
    input wire started,
    input wire count_fits
);
    always @* begin
        if (started) begin
            // A row's count never exceeds its lines, so it does not wrap.
            count_in_range: assert (count_fits);
        end
    end
endmodule

`default_nettype wire
