// SPDX-License-Identifier: Apache-2.0
// wm_warp_arbiter: selects a scheduler's next warp: first a group of warps, then a warp in it.
//
// Channels   ready, unstalled, group_warps: the warps in this cycle.  grant: the one to issue.
// Timing     combinational from ready, unstalled and group_warps to grant. The turn moves at the
//            edge of a cycle with grant_valid_o and grant_taken_i. With PIPELINE the chosen place
//            is a register: it follows the inputs of the cycle before, and the turn as of this
//            cycle, so unstalled has no effect on grant in its own cycle.
// Group      loose: the first place with a ready warp. STRICT: the first with an unstalled warp; if
//            none of its warps is ready, there is no grant. First counts from place 0 or, with
//            ROTATE, in a circle from the place that was taken last, itself included.
// Warp       WITHIN 0: the group's first ready warp after the warp that was taken last, in a circle
//            of all warps. WITHIN 1: the group's lowest ready warp.
// Same cycle GREEDY: the warp that was taken last goes before any group if it is ready.
// Tree       binary trees hand up a request, the first warp and its number together, without a
//            scan. The ready warps below a node are known for each place before the place is
//            chosen.
// Limits     WARPS 2 to 64, GROUPS 1 to 64, the others 0 or 1 (checked at elaboration). No warp is
//            in two groups.
// Cost       WARPS flip-flops for round-robin or GREEDY, GROUPS each for ROTATE and PIPELINE.
// Source     OWL, ASPLOS 2013, sections 4.1 to 4.3. See cmodel/issue/warp_arbiter.h.
// Twins      cmodel/issue/warp_arbiter.c  tb/issue/warp_arbiter_test.c
//            tb/issue/warp_arbiter_props.v  waves/issue/warp_arbiter.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

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
    localparam integer LEAVES     = 1 << WARP_BITS;        // of a tree of warps
    localparam integer TREES      = WITHIN == 0 ? 2 : 1;   // all warps, those after the last one
    localparam integer BY_PLACE   = 2;                     // least level of such nodes, see g_asks

    generate
        if (WARPS < 2 || WARPS > 64 || GROUPS < 1 || GROUPS > 64 || WITHIN < 0 || WITHIN > 1 ||
            GREEDY < 0 || GREEDY > 1 || STRICT < 0 || STRICT > 1 || ROTATE < 0 || ROTATE > 1 ||
            PIPELINE < 0 || PIPELINE > 1) begin : g_illegal
            wm_warp_arbiter_parameters_out_of_range illegal ();
        end
    endgenerate

    // Marks the places behind the first marked one.
    function [GROUPS-1:0] places_behind(input [GROUPS-1:0] places);
        integer i;
        for (i = 0; i < GROUPS; i = i + 1) begin
            places_behind[i] = |(places & ~({GROUPS{1'b1}} << i));
        end
    endfunction

    // The first marked place in a circle that begins with the lowest mark of `from`.
    function [GROUPS-1:0] first_place(input [GROUPS-1:0] places, input [GROUPS-1:0] from);
        reg [GROUPS-1:0] later;
        begin
            later       = places & from;
            first_place = |later ? later & ~places_behind(later)
                                 : places & ~places_behind(places);
        end
    endfunction

    // Marks the places whose group has one of these warps.
    function [GROUPS-1:0] places_of(input [GROUPS*WARPS-1:0] warps, input [WARPS-1:0] some);
        integer i;
        for (i = 0; i < GROUPS; i = i + 1) begin
            places_of[i] = |(warps[i*WARPS +: WARPS] & some);
        end
    endfunction

    // Numbers of a marked warp and place.
    `WM_NUMBER_OF(number_of_warp, WARPS, WARP_BITS)

    `WM_NUMBER_OF(number_of_place, GROUPS, GROUP_BITS)

    wire             taken = grant_valid_o && grant_taken_i;
    wire [WARPS-1:0] above; // the warps above the one that was taken last; all if none was

    // --- the greedy warp ---------------------------------------------------------------------
    // `above` is a thermometer code; its first step marks the last warp.
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
            assign then_from = taken ? grant_place | places_behind(grant_place) : from_q;

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
    // Two binary trees find the first ready warp: one of all warps, one of those after the warp
    // that was taken last. A node hands up together: whether one asks, the first that does, its
    // number, and the warps behind it. A node knows its ready warps for each place before the place
    // is chosen, so it asks as soon as that is known; the two lowest levels are fast without that.
    // A loose arbiter chooses the first place with a ready warp, and places without one do not
    // matter. So a place listens if no place before it holds, and the choice need not be known.
    wire [GROUPS-1:0] listens = PIPELINE != 0 || STRICT != 0 || ROTATE != 0
                              ? place : ~places_behind(holding);

    genvar t, l, n, g;
    generate
        for (t = 0; t < TREES; t = t + 1) begin : g_tree
            for (l = 0; l <= WARP_BITS; l = l + 1) begin : g_level
                localparam integer NODES = LEAVES >> l;
                localparam integer SPAN  = 1 << l;
                localparam integer HALF  = SPAN / 2;
                wire [NODES-1:0]           asks;   // ready, in the chosen group
                wire [LEAVES-1:0]          first;  // below its node
                wire [LEAVES-1:0]          behind; // the first below its node
                wire [NODES*WARP_BITS-1:0] number; // of the first, within the node
                wire unused_node = &{1'b0, asks, first, behind, number};

                for (n = 0; n < NODES; n = n + 1) begin : g_node
                    wire [GROUPS-1:0] ready; // below the node, in the place's group
                    wire unused_ready = &{1'b0, ready};
                    if (l > 0) begin : g_ready
                        assign ready = g_level[l-1].g_node[2*n].ready |
                                       g_level[l-1].g_node[2*n+1].ready;
                    end else if (n < WARPS) begin : g_warp
                        for (g = 0; g < GROUPS; g = g + 1) begin : g_place
                            assign ready[g] = ready_i[n] && group_warps_i[g*WARPS+n] &&
                                              (t == 0 || above[n]);
                        end
                    end else begin : g_no_warp
                        assign ready = {GROUPS{1'b0}};
                    end

                    if (l == 0 && t > 0) begin : g_later
                        assign asks[n] = n < WARPS && g_tree[0].g_level[0].asks[n] &&
                                         above[n < WARPS ? n : 0];
                    end else if (l > 0 && l < BY_PLACE) begin : g_either
                        assign asks[n] = g_level[l-1].asks[2*n] || g_level[l-1].asks[2*n+1];
                    end else begin : g_asks
                        assign asks[n] = |(ready & listens);
                    end

                    if (l == 0) begin : g_leaf
                        assign first[n]                         = asks[n];
                        assign behind[n]                        = 1'b0;
                        assign number[n*WARP_BITS +: WARP_BITS] = {WARP_BITS{1'b0}};
                    end else begin : g_inner
                        wire left = g_level[l-1].asks[2*n];
                        assign first[n*SPAN +: SPAN] =
                            g_level[l-1].first[n*SPAN +: SPAN] & {{HALF{!left}}, {HALF{1'b1}}};
                        assign behind[n*SPAN +: SPAN] =
                            g_level[l-1].behind[n*SPAN +: SPAN] | {{HALF{left}}, {HALF{1'b0}}};
                        for (g = 0; g < WARP_BITS; g = g + 1) begin : g_bit
                            if (g < l - 1) begin : g_handed_up
                                assign number[n*WARP_BITS+g] =
                                    left ? g_level[l-1].number[2*n*WARP_BITS+g]
                                         : g_level[l-1].number[(2*n+1)*WARP_BITS+g];
                            end else begin : g_own
                                assign number[n*WARP_BITS+g] = g == l - 1 && !left;
                            end
                        end
                    end
                end
            end
        end
    endgenerate

    // The warps after the last one go first, if one of them asks.
    wire [WARPS-1:0]     winner;
    wire [WARPS-1:0]     past;   // behind it
    wire [WARP_BITS-1:0] number;

    generate
        if (WITHIN == 0) begin : g_turn
            wire             none_later = !g_tree[1].g_level[WARP_BITS].asks;
            wire [WARPS-1:0] all        = {WARPS{none_later}};
            assign winner = g_tree[1].g_level[WARP_BITS].first[WARPS-1:0] |
                            (g_tree[0].g_level[WARP_BITS].first[WARPS-1:0] & all);
            assign past   = g_tree[1].g_level[WARP_BITS].behind[WARPS-1:0] |
                            (g_tree[0].g_level[WARP_BITS].behind[WARPS-1:0] & all);
            assign number = none_later ? g_tree[0].g_level[WARP_BITS].number
                                       : g_tree[1].g_level[WARP_BITS].number;
        end else begin : g_lowest
            assign winner = g_tree[0].g_level[WARP_BITS].first[WARPS-1:0];
            assign past   = g_tree[0].g_level[WARP_BITS].behind[WARPS-1:0];
            assign number = g_tree[0].g_level[WARP_BITS].number;
        end
    endgenerate

    generate
        if (WITHIN == 0 || GREEDY != 0) begin : g_last
            reg [WARPS-1:0] above_q;
            assign above = above_q;

            if (PIPELINE != 0) begin : g_any
                // Without a grant no warp stands behind it. So the new marks need not wait for
                // grant_valid_o, which is known last; only the old ones do.
                always @(posedge clk_i) begin
                    if (rst_i) begin
                        above_q <= {WARPS{1'b1}};
                    end else begin
                        above_q <= (past & {WARPS{grant_taken_i && !greedy}}) |
                                   (above_q & ~{WARPS{taken && !greedy}});
                    end
                end
            end else begin : g_granted
                always @(posedge clk_i) begin
                    if (rst_i) begin
                        above_q <= {WARPS{1'b1}};
                    end else if (taken && !greedy) begin
                        above_q <= past;
                    end
                end
            end
        end else begin : g_no_last
            assign above = {WARPS{1'b1}};
            wire unused_past = &{1'b0, past, greedy, taken};
        end
    endgenerate

    assign grant_oh_o    = greedy ? greedy_oh : winner;
    assign grant_place   = greedy ? greedy_place : place;
    assign grant_valid_o = greedy || g_tree[0].g_level[WARP_BITS].asks;
    assign grant_warp_o  = greedy ? number_of_warp(greedy_oh) : number;
    assign grant_group_o = number_of_place(grant_place);
endmodule

`default_nettype wire
