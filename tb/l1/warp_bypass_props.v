// SPDX-License-Identifier: Apache-2.0
// The properties of wm_warp_bypass. Source: MDB, DAC 2016, sections 2.2 and 6.
`default_nettype none

// The head, with dut, is made from wm_warp_bypass: scripts/house/props.py.
`BEGIN_warp_bypass_props
    always @* begin
        assume (acc_number_i <= NUMBERS && limit_i <= NUMBERS);
    end

    wire plain = !acc_atomic_i && !acc_local_i && !acc_uncached_i;

    always @* begin
        // With a limit of all nobody goes round the cache.
        if (limit_i == NUMBERS) begin
            nobody_at_the_limit_of_all: assert (!bypass_o);
        end
        // Warps or CTAs below the limit use the cache.
        if (acc_number_i < limit_i) begin
            below_the_limit_stays: assert (!bypass_o);
        end
        // The loads and stores of those behind it go round.
        if (limit_i < NUMBERS && acc_number_i >= limit_i && plain) begin
            behind_the_limit_goes_round: assert (bypass_o);
        end
        // An access with a path of its own never does.
        if (!plain) begin
            own_path_stays: assert (!bypass_o);
        end
        shows_first_behind_the_limit: cover (bypass_o && acc_number_i == limit_i && limit_i == 1);
        behind_all_that_are_told_apart: cover (bypass_o && acc_number_i == NUMBERS);
        local_behind_the_limit: cover (acc_local_i && !acc_atomic_i && !acc_uncached_i &&
                                       limit_i < NUMBERS && acc_number_i > limit_i);
    end
endmodule

`default_nettype wire
