// SPDX-License-Identifier: Apache-2.0
// wm_warp_arbiter: which warp of a scheduler issues: first a group of warps, then one of it.
//
// Channels   ready, unstalled, group_warps: the warps in this cycle.  grant: the one to issue.
// Timing     combinational from ready, unstalled and group_warps to grant; what is taken last moves
//            at the edge of a cycle with grant_valid_o and grant_taken_i. PIPELINE 1: the place is
//            a register, chosen by the inputs of the cycle before and by what was taken last as of
//            this cycle; so unstalled does not act on grant in its own cycle.
// Group      loose: the first place with a ready warp. STRICT: the first with an unstalled warp; if
//            none of it is ready, there is no grant. First counts from place 0 or, with ROTATE, in
//            a circle from the place that was taken last, itself included.
// Warp       WITHIN 0: the first ready one of the group after the warp that was taken last, in a
//            circle of all warps. 1: the lowest ready one.
// Same cycle GREEDY: the warp that was taken last, if it is ready, before any group.
// Limits     WARPS 2 to 64, GROUPS 1 to 64, the others 0 or 1 (checked at elaboration). No warp is
//            in two groups.
// Cost       WARPS flip-flops for round-robin or GREEDY, GROUPS each for ROTATE and PIPELINE.
// Source     OWL, ASPLOS 2013, sections 4.1 to 4.3. See cmodel/issue/warp_arbiter.h.
// Twins      cmodel/issue/warp_arbiter.c  tb/issue/warp_arbiter_test.c
//            tb/issue/warp_arbiter_props.v  waves/issue/warp_arbiter.gtkw
`default_nettype none

module wm_warp_arbiter #(
    parameter integer WARPS    = 32, // warps of the scheduler
    parameter integer GROUPS   = 8,  // places of groups, the first has the highest priority
    parameter integer WITHIN   = 0,  // in a group: 0: round-robin; 1: the lowest warp
    parameter integer GREEDY   = 0,  // the warp that was taken last goes on while it is ready
    parameter integer STRICT   = 0,  // a group is left when it has: 0: no ready warp;
                                     // 1: no unstalled one
    parameter integer ROTATE   = 0,  // the first place is: 0: place 0; 1: the one that was taken
                                     // last
    parameter integer PIPELINE = 0   // the group is chosen by the inputs of: 0: the cycle; 1: the
                                     // one before
) (
    input  wire                     clk_i,         // clock
    input  wire                     rst_i,         // synchronous; no warp was taken last
    input  wire [WARPS-1:0]         ready_i,       // warps that can issue in this cycle
    input  wire [WARPS-1:0]         unstalled_i,   // strict: warps that hold their group
    input  wire [GROUPS*WARPS-1:0]  group_warps_i, // the warps of each place's group
    output wire                     grant_valid_o, // a warp is to issue
    output wire [WARPS-1:0]         grant_oh_o,    // the warp, one-hot
    output wire [$clog2(WARPS)-1:0] grant_warp_o,  // its number
    output wire [(GROUPS > 1 ? $clog2(GROUPS) : 1)-1:0] grant_group_o, // its group's place
    input  wire                     grant_taken_i  // late: it issues at this edge
);
    localparam integer WARP_BITS  = $clog2(WARPS);
    localparam integer GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;

    generate
        if (WARPS < 2 || WARPS > 64 || GROUPS < 1 || GROUPS > 64 || WITHIN < 0 || WITHIN > 1 ||
            GREEDY < 0 || GREEDY > 1 || STRICT < 0 || STRICT > 1 || ROTATE < 0 || ROTATE > 1 ||
            PIPELINE < 0 || PIPELINE > 1) begin : g_illegal
            wm_warp_arbiter_parameters_out_of_range illegal ();
        end
    endgenerate

    // Marks all that stand above the lowest of some.
    function [WARPS-1:0] warps_above(input [WARPS-1:0] warps);
        integer step;
        begin
            warps_above = warps << 1;
            for (step = 1; step < WARPS; step = step * 2) begin
                warps_above = warps_above | (warps_above << step);
            end
        end
    endfunction

    function [GROUPS-1:0] places_above(input [GROUPS-1:0] places);
        integer step;
        begin
            places_above = places << 1;
            for (step = 1; step < GROUPS; step = step * 2) begin
                places_above = places_above | (places_above << step);
            end
        end
    endfunction

    // The first of some places in a circle that begins with the lowest of those marked in from.
    function [GROUPS-1:0] first_place(input [GROUPS-1:0] places, input [GROUPS-1:0] from);
        reg [GROUPS-1:0] later;
        begin
            later       = places & from;
            first_place = |later ? later & ~places_above(later)
                                 : places & ~places_above(places);
        end
    endfunction

    // The warps of the marked place's group.
    function [WARPS-1:0] warps_of(input [GROUPS*WARPS-1:0] warps, input [GROUPS-1:0] place);
        integer i;
        begin
            warps_of = {WARPS{1'b0}};
            for (i = 0; i < GROUPS; i = i + 1) begin
                warps_of = warps_of | (warps[i*WARPS +: WARPS] & {WARPS{place[i]}});
            end
        end
    endfunction

    // Marks the places whose group has one of some warps.
    function [GROUPS-1:0] places_of(input [GROUPS*WARPS-1:0] warps, input [WARPS-1:0] some);
        integer i;
        for (i = 0; i < GROUPS; i = i + 1) begin
            places_of[i] = |(warps[i*WARPS +: WARPS] & some);
        end
    endfunction

    // Numbers of a marked warp and place.
    function [WARP_BITS-1:0] number_of_warp(input [WARPS-1:0] one);
        integer i;
        begin
            number_of_warp = {WARP_BITS{1'b0}};
            for (i = 0; i < WARPS; i = i + 1) begin
                number_of_warp = number_of_warp | (i[WARP_BITS-1:0] & {WARP_BITS{one[i]}});
            end
        end
    endfunction

    function [GROUP_BITS-1:0] number_of_place(input [GROUPS-1:0] one);
        integer i;
        begin
            number_of_place = {GROUP_BITS{1'b0}};
            for (i = 0; i < GROUPS; i = i + 1) begin
                number_of_place = number_of_place | (i[GROUP_BITS-1:0] & {GROUP_BITS{one[i]}});
            end
        end
    endfunction

    wire             taken = grant_valid_o && grant_taken_i;
    wire [WARPS-1:0] above; // the warps above the one that was taken last; all if none was

    // --- the greedy warp ---------------------------------------------------------------------
    // None is above itself, the others in steps: it is where the marks begin.
    wire              greedy;
    wire [WARPS-1:0]  greedy_oh;
    wire [GROUPS-1:0] greedy_place;

    generate
        if (GREEDY != 0) begin : g_greedy
            assign greedy_oh    = ready_i & ~above & {1'b1, above[WARPS-1:1]};
            assign greedy_place = places_of(group_warps_i, greedy_oh);
            assign greedy       = |greedy_place;
        end else begin : g_not_greedy
            assign greedy_oh    = {WARPS{1'b0}};
            assign greedy_place = {GROUPS{1'b0}};
            assign greedy       = 1'b0;
        end
    endgenerate

    // --- the group ---------------------------------------------------------------------------
    wire [GROUPS-1:0] holding = places_of(group_warps_i, STRICT != 0 ? unstalled_i : ready_i);
    wire [GROUPS-1:0] from;        // the places from the one that was taken last upwards
    wire [GROUPS-1:0] place;       // of the chosen group; none if there is none
    wire [GROUPS-1:0] grant_place;
    wire [GROUPS-1:0] then_from;   // from, at the next edge

    generate
        if (ROTATE != 0) begin : g_rotate
            reg  [GROUPS-1:0] from_q;
            assign from      = from_q;
            assign then_from = taken ? grant_place | places_above(grant_place) : from_q;

            always @(posedge clk_i) begin
                from_q <= rst_i ? {GROUPS{1'b1}} : then_from;
            end
        end else begin : g_from_0
            assign from      = {GROUPS{1'b1}};
            assign then_from = {GROUPS{1'b1}};
        end

        if (PIPELINE != 0) begin : g_pipeline
            reg [GROUPS-1:0] place_q;
            assign place = place_q;

            always @(posedge clk_i) begin
                place_q <= rst_i ? {GROUPS{1'b0}} : first_place(holding, then_from);
            end
            wire unused_from = &{1'b0, from};
        end else begin : g_at_once
            assign place = first_place(holding, from);
            wire unused_from = &{1'b0, then_from};
        end

        if (STRICT == 0) begin : g_loose
            wire unused_unstalled = &{1'b0, unstalled_i};
        end
    endgenerate

    // --- the warp ----------------------------------------------------------------------------
    wire [WARPS-1:0] warps      = ready_i & warps_of(group_warps_i, place);
    wire [WARPS-1:0] later      = warps & above;
    wire             by_turn    = WITHIN == 0 && |later;
    wire [WARPS-1:0] past_later = warps_above(later);
    wire [WARPS-1:0] past_warps = warps_above(warps);
    wire [WARPS-1:0] past       = by_turn ? past_later : past_warps; // above the winner

    generate
        if (WITHIN == 0 || GREEDY != 0) begin : g_last
            reg [WARPS-1:0] above_q;
            assign above = above_q;

            always @(posedge clk_i) begin
                if (rst_i) begin
                    above_q <= {WARPS{1'b1}};
                end else if (taken && !greedy) begin
                    above_q <= past;
                end
            end
        end else begin : g_no_last
            assign above = {WARPS{1'b1}};
            wire unused_past = &{1'b0, past, greedy, taken};
        end
    endgenerate

    assign grant_oh_o    = greedy  ? greedy_oh            :
                           by_turn ? later & ~past_later  : warps & ~past_warps;
    assign grant_place   = greedy ? greedy_place : place;
    assign grant_valid_o = greedy || |warps;
    assign grant_warp_o  = number_of_warp(grant_oh_o);
    assign grant_group_o = number_of_place(grant_place);
endmodule

`default_nettype wire
