// SPDX-License-Identifier: Apache-2.0
// wm_daws_sampling: the warp that samples each loop, and each loop's locality counter.
//
// Channels   mark: a warp has begun a loop (0), begun another trip (1), left the loop (2), issued a
//            load in it (3) or ended (4).  ans: the answer.  feed: a load has been judged.
// Timing     a mark and a feed may come in every cycle; the answer comes a cycle after its mark.
//            Each finds the state that earlier cycles left.
// Same cycle a mark and a feed are independent: one moves sampling warps, the other a counter.
// Answer     samples: the mark was a begin, trip or load of the warp that samples the loop now;
//            loop and positive are the loop's place and whether it had locality. refused: a new
//            loop found no place.
// Rules      the next warp that begins a free loop with two lanes or more samples it. A loop
//            without a place gets one when a warp begins it with three lanes or more. Places are
//            taken in order and kept. A counter saturates at its highest value, and at its lowest
//            or, without NEGATIVE, at 0.
// Limits     WARPS 2 to 64; LOOPS 2 to 16; COUNTER_BITS 2 to 16; PC_BITS 1 to 24; NEGATIVE 0
//            or 1 (checked at elaboration). Warps below WARPS.
// Cost       flip-flops: LOOPS * (PC_BITS + clog2(WARPS) + COUNTER_BITS + 3), clog2(LOOPS), 3.
// Source     DAWS, MICRO 2013, 5.2 and 5.2.1.
// Twins      cmodel/issue/daws_sampling.c  tb/issue/daws_sampling_test.c
//            tb/issue/daws_sampling_props.v  waves/issue/daws_sampling.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_daws_sampling #(
    parameter integer WARPS        = 32, // of the core
    parameter integer LOOPS        = 8,  // that have a place
    parameter integer COUNTER_BITS = 8,  // of a locality counter, signed
    parameter integer PC_BITS      = 24, // of a loop's name
    parameter integer NEGATIVE     = 1   // 1: a counter goes below 0; 0: it stops there
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_i,          // synchronous; there are no loops
    input  wire                     mark_valid_i,   // a warp has done something
    input  wire [2:0]               mark_kind_i,    // what
    input  wire [$clog2(WARPS)-1:0] mark_warp_i,    // which warp
    input  wire [PC_BITS-1:0]       mark_pc_i,      // the loop
    input  wire [5:0]               mark_lanes_i,   // active ones, of a begin
    input  wire                     feed_valid_i,   // a load of a sampling warp is judged
    input  wire [$clog2(LOOPS)-1:0] feed_loop_i,    // place of its loop
    input  wire                     feed_local_i,   // it had locality
    output wire                     ans_samples_o,  // the last mark: of the sampling warp
    output wire [$clog2(LOOPS)-1:0] ans_loop_o,     // the loop's place
    output wire                     ans_positive_o, // the loop had locality then
    output wire                     ans_refused_o,  // the last mark: a loop without a place
    output wire [LOOPS-1:0]         positive_o,     // loops with locality
    output wire [LOOPS*PC_BITS-1:0] loop_pc_o       // the loop of each place
);
    localparam integer WARP_BITS  = $clog2(WARPS);
    localparam integer PLACE_BITS = $clog2(LOOPS);
    localparam [2:0]   BEGIN = 3'd0, TRIP = 3'd1, END = 3'd2, LOAD = 3'd3, EXIT = 3'd4;
    localparam [COUNTER_BITS-1:0] MOST  = {1'b0, {COUNTER_BITS-1{1'b1}}};
    localparam [COUNTER_BITS-1:0] LEAST = NEGATIVE != 0 ? ~MOST : {COUNTER_BITS{1'b0}};

    generate
        if (WARPS < 2 || WARPS > 64 || LOOPS < 2 || LOOPS > 16 || COUNTER_BITS < 2 ||
            COUNTER_BITS > 16 || PC_BITS < 1 || PC_BITS > 24 || NEGATIVE < 0 || NEGATIVE > 1)
        begin : g_illegal
            wm_daws_sampling_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_NUMBER_OF(place_of, LOOPS, PLACE_BITS)

    reg [LOOPS-1:0]              used_q, used_d;       // places with a loop, the lowest ones
    reg [LOOPS-1:0]              sampled_q, sampled_d; // of these, with a sampling warp
    reg [LOOPS*WARP_BITS-1:0]    warp_q, warp_d;       // it
    reg [LOOPS*PC_BITS-1:0]      pc_q, pc_d;
    reg [LOOPS*COUNTER_BITS-1:0] counter_q, counter_d;
    reg                          samples_q, samples_d, was_positive_q, refused_q;
    reg [LOOPS-1:0]              same_pc_q;            // the last mark's loop; none:
    reg [PLACE_BITS-1:0]         free_q;               // the place that it could take

    wire is_begin = mark_valid_i && mark_kind_i == BEGIN;
    wire is_end   = mark_valid_i && mark_kind_i == END;
    wire is_exit  = mark_valid_i && mark_kind_i == EXIT;
    wire asks     = mark_valid_i &&
                    (mark_kind_i == BEGIN || mark_kind_i == TRIP || mark_kind_i == LOAD);
    wire two      = mark_lanes_i[5:1] != 5'd0;                      // lanes at least
    wire three    = mark_lanes_i[5:2] != 4'd0 || &mark_lanes_i[1:0];

    reg [LOOPS-1:0] same_pc;   // the mark's loop
    reg [LOOPS-1:0] same_warp; // sampled last by the mark's warp
    reg [LOOPS-1:0] positive;
    reg [LOOPS*PC_BITS-1:0] shown_pc;
    // All else is known before the names are compared, which is late in the cycle.
    wire [LOOPS-1:0] next   = ~used_q & {used_q[LOOPS-2:0], 1'b1}; // the first free place
    wire [LOOPS-1:0] could  = ~sampled_q & {LOOPS{is_begin && two}}; // be sampled, if it is this
    wire [LOOPS-1:0] is_own = (sampled_q & same_warp & {LOOPS{asks}}) | could;
    wire             is_new = is_begin && three;
    wire             found  = |same_pc;
    wire [LOOPS-1:0] first  = next & {LOOPS{is_new && !found}};
    // The first free place stores each mark's name and warp as those of a sampled loop, until a
    // loop takes it.
    wire [LOOPS-1:0] enters = next | (same_pc & could);

    integer l, m, n;
    reg                    feeds, ups, downs;
    reg [COUNTER_BITS-1:0] below;
    always @* begin
        for (m = 0; m < LOOPS; m = m + 1) begin
            same_pc[m]   = used_q[m] && pc_q[m*PC_BITS +: PC_BITS] == mark_pc_i;
            shown_pc[m*PC_BITS +: PC_BITS] =
                pc_q[m*PC_BITS +: PC_BITS] & {PC_BITS{used_q[m]}};
            same_warp[m] = warp_q[m*WARP_BITS +: WARP_BITS] == mark_warp_i;
            positive[m]  = !counter_q[m*COUNTER_BITS + COUNTER_BITS-1] &&
                           |counter_q[m*COUNTER_BITS +: COUNTER_BITS-1];
        end
    end

    always @* begin
        counter_d = counter_q;
        warp_d    = warp_q;
        pc_d      = pc_q;
        for (l = 0; l < LOOPS; l = l + 1) begin
            feeds = feed_valid_i && used_q[l] && feed_loop_i == l[PLACE_BITS-1:0];
            ups   = feeds && feed_local_i && counter_q[l*COUNTER_BITS +: COUNTER_BITS] != MOST;
            downs = feeds && !feed_local_i && counter_q[l*COUNTER_BITS +: COUNTER_BITS] != LEAST;
            // A bit flips when all bits below it are 1, or 0 on the way down.
            for (n = 0; n < COUNTER_BITS; n = n + 1) begin
                below = ~({COUNTER_BITS{1'b1}} << n);
                counter_d[l*COUNTER_BITS + n] = counter_q[l*COUNTER_BITS + n] ^
                    ((ups && &(counter_q[l*COUNTER_BITS +: COUNTER_BITS] | ~below)) ||
                     (downs && !(|(counter_q[l*COUNTER_BITS +: COUNTER_BITS] & below))));
            end
            if (enters[l]) begin
                warp_d[l*WARP_BITS +: WARP_BITS] = mark_warp_i;
            end
            if (next[l]) begin
                pc_d[l*PC_BITS +: PC_BITS] = mark_pc_i;
            end
        end
        used_d    = used_q | first;
        sampled_d = (sampled_q | enters) &
                    ~(same_warp & ({LOOPS{is_exit}} | ({LOOPS{is_end}} & same_pc)));
        samples_d = |(same_pc & is_own) || (is_new && !(&used_q) && !found);
        if (rst_i) begin
            used_d    = {LOOPS{1'b0}};
            counter_d = {LOOPS*COUNTER_BITS{1'b0}};
            samples_d = 1'b0;
        end
    end

    always @(posedge clk_i) begin
        used_q         <= used_d;
        sampled_q      <= sampled_d;
        warp_q         <= warp_d;
        pc_q           <= pc_d;
        counter_q      <= counter_d;
        samples_q      <= samples_d;
        same_pc_q      <= same_pc;
        free_q         <= place_of(next);
        was_positive_q <= |(same_pc & positive);
        refused_q      <= is_new && !found && &used_q && !rst_i;
    end

    assign ans_samples_o  = samples_q;
    assign ans_loop_o     = |same_pc_q ? place_of(same_pc_q) : free_q;
    assign ans_positive_o = was_positive_q;
    assign ans_refused_o  = refused_q;
    assign positive_o     = positive;
    assign loop_pc_o      = shown_pc;
endmodule

`default_nettype wire
