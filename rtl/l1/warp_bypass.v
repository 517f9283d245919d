// SPDX-License-Identifier: Apache-2.0
// wm_warp_bypass: does an access bypass the L1?
//
// Channels   acc: an access.  limit: how many warps or CTAs use the cache.
// Timing     combinational.
// Rule       the loads and stores of the warps or CTAs behind the first `limit` bypass the cache.
//            Local memory never does, because the cache may hold the only copy. Atomics and
//            uncached loads have a path of their own. With a limit of NUMBERS nothing bypasses.
// Limits     2 <= NUMBERS <= 8 (checked at elaboration); acc_number_i and limit_i up to NUMBERS.
// Cost       no flip-flops; a comparison of clog2(NUMBERS + 1) bits.
// Source     MDB, DAC 2016, sections 2.2 and 6.
// Twins      cmodel/l1/warp_bypass.c  tb/l1/warp_bypass_test.c  tb/l1/warp_bypass_props.v
//            waves/l1/warp_bypass.gtkw
`default_nettype none

module wm_warp_bypass #(
    parameter integer NUMBERS = 8 // warps or CTAs that are told apart
) (
    input  wire [$clog2(NUMBERS+1)-1:0] acc_number_i,   // its warp or CTA; NUMBERS: one behind all
    input  wire                         acc_atomic_i,   // it is an atomic
    input  wire                         acc_local_i,    // it is of local memory
    input  wire                         acc_uncached_i, // the program keeps it out of the cache
    input  wire [$clog2(NUMBERS+1)-1:0] limit_i,        // that use the cache; NUMBERS: all
    output wire                         bypass_o        // it bypasses the cache
);
    localparam integer                 NUMBER_BITS = $clog2(NUMBERS + 1);
    localparam [NUMBER_BITS-1:0]       ALL         = NUMBERS[NUMBER_BITS-1:0];

    generate
        if (NUMBERS < 2 || NUMBERS > 8) begin : g_illegal
            wm_warp_bypass_parameters_out_of_range illegal ();
        end
    endgenerate

    wire own_path = acc_atomic_i || acc_local_i || acc_uncached_i;

    assign bypass_o = acc_number_i >= limit_i && limit_i < ALL && !own_path;
endmodule

`default_nettype wire
