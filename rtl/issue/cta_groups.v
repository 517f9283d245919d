// SPDX-License-Identifier: Apache-2.0
// wm_cta_groups: groups the CTAs of a core and orders the groups.
//
// Channels   launch: a kernel launch begins.  start: a CTA has started and is to be grouped.
//            end_warps: warps of CTAs that end.  group_warps: the group in each place.
// Timing     the groups of a launch in cycle n are worked out from n + 1, in at most CTAS + 9
//            cycles, CTAS more with LIFE 1. Until then all warps are one group, and no start is
//            taken. Ends of n show in group_warps_o in n + 2. A start that is taken in n gets its
//            place in n + 1, in which no other start is taken, and shows in n + 3.
// Groups     a group has n CTAs, the least number with at least MIN_WARPS warps, and no more than
//            the core's first N CTAs; the rest of N / n joins the last group. LIFE says how later
//            CTAs are grouped.
// Order      PRIORITY 0: a group takes the first empty place and keeps it. PRIORITY 1 and 2: older
//            generations go first, and within one the group with the lower rank. The rank is the
//            group's number with 1, (number - core) mod groups with 2. Groups move up or down by a
//            place to make room for a new one.
// Same cycle an end counts before a start. But a place that it empties takes a group only from the
//            next cycle's start on, because the flag of empty places is a register. A CTA that is
//            taken in n may end in n + 1: it never shows. A reset and a launch clear the warps
//            alone; the flags follow in the next cycle, and no start comes in less than five.
// Limits     CTAS 2 to 32, WARPS 2 to 64, MIN_WARPS 1 to 64 (checked at elaboration). A launch
//            begins when no CTA is resident, and no CTA starts before the first launch. A slot's
//            next CTA starts in a later cycle than the one in which the last one has ended.
// Cost       CTAS * (WARPS + RANK_BITS + 6) + 2 WARPS flip-flops and about 45 more; with LIFE 1
//            CTAS * RANK_BITS besides. RANK_BITS is log2 of CTAS.
// Source     Jog et al., ASPLOS 2013, sections 4.1 to 4.3, algorithm 1.
// Twins      cmodel/issue/cta_groups.c  tb/issue/cta_groups_test.c  tb/issue/cta_groups_props.v
//            waves/issue/cta_groups.gtkw
`default_nettype none

module wm_cta_groups #(
    parameter integer CTAS      = 8,  // CTAs that are resident at once, and places of groups
    parameter integer WARPS     = 32, // warps of the core
    parameter integer MIN_WARPS = 8,  // least warps of a group, where the first CTAs have as many
    parameter integer PRIORITY  = 2,  // order of the groups: see above
    parameter integer LIFE      = 1   // later CTAs: 0 groups behind all others; 1 the group of
                                      // their slot; 2 grouped as the first ones
) (
    input  wire                         clk_i,          // clock
    input  wire                         rst_i,          // synchronous; no group
    input  wire                         launch_valid_i, // a launch begins
    input  wire [$clog2(WARPS+1)-1:0]   launch_warps_i, // warps of each of its CTAs
    input  wire [$clog2(CTAS+1)-1:0]    launch_ctas_i,  // CTAs that the core gets as it begins
    input  wire [5:0]                   core_i,         // number of the core
    input  wire                         start_valid_i,  // a CTA is to be grouped
    input  wire [$clog2(CTAS)-1:0]      start_slot_i,   // its slot
    input  wire [WARPS-1:0]             start_warps_i,  // its warps
    output wire                         start_ready_o,  // it is taken
    input  wire [WARPS-1:0]             end_warps_i,    // warps of CTAs that end
    output wire                         formed_o,       // the launch has its groups
    output wire [$clog2(CTAS+1)-1:0]    groups_o,       // groups of its first CTAs
    output wire [CTAS*WARPS-1:0]        group_warps_o   // warps of the group in each place
);
    localparam integer RANK_BITS  = $clog2(CTAS);
    localparam integer COUNT_BITS = $clog2(CTAS + 1);
    localparam integer K_BITS     = $clog2(WARPS + 1);
    localparam integer SUM_BITS   = $clog2(MIN_WARPS + WARPS) + 1;
    localparam integer CORE_BITS  = 6;
    localparam integer STEP_BITS  = RANK_BITS > 3 ? RANK_BITS : 3;
    localparam [COUNT_BITS-1:0] ONE = 1;

    generate
        if (CTAS < 2 || CTAS > 32 || WARPS < 2 || WARPS > 64 || MIN_WARPS < 1 || MIN_WARPS > 64 ||
            PRIORITY < 0 || PRIORITY > 2 || LIFE < 0 || LIFE > 2) begin : g_illegal
            wm_cta_groups_parameters_out_of_range illegal ();
        end
    endgenerate

    // --- a launch is worked out --------------------------------------------------------------
    localparam [2:0] FORMED = 3'd0; // it has its groups
    localparam [2:0] SIZE   = 3'd1; // CTAs of a group: one more a cycle
    localparam [2:0] DIVIDE = 3'd2; // groups: one more a cycle
    localparam [2:0] TURN   = 3'd3; // core mod groups: a bit of core a cycle
    localparam [2:0] NUMBER = 3'd4; // the first CTA's number and rank
    localparam [2:0] TABLE  = 3'd5; // the rank of each slot's group: a slot a cycle


    reg  [2:0]            phase_q, phase_d;
    reg  [STEP_BITS-1:0]  step_q, step_d;
    reg  [K_BITS-1:0]     k_q;
    reg  [COUNT_BITS-1:0] ctas_q;              // N
    reg  [CORE_BITS-1:0]  core_q, core_d;      // the bits that are left
    reg  [COUNT_BITS-1:0] size_q, size_d;      // n
    reg  [SUM_BITS-1:0]   sum_q, sum_d;        // warps of so many CTAs
    reg  [COUNT_BITS-1:0] groups_q, groups_d;
    reg  [COUNT_BITS-1:0] rest_q, rest_d;      // of N / n; then of core / groups
    wire                  numbered = phase_q == NUMBER;

    wire [COUNT_BITS-1:0] size_up = size_q + ONE;
    wire [SUM_BITS-1:0]   sum_up  = sum_q + {{(SUM_BITS-K_BITS){1'b0}}, k_q};
    wire [COUNT_BITS:0]   twice   = {rest_q, core_q[CORE_BITS-1]};
    wire [COUNT_BITS:0]   less    = twice - {1'b0, groups_q};
    wire                  unused_less = less[COUNT_BITS];

    always @* begin
        phase_d  = phase_q;
        step_d   = {STEP_BITS{1'b0}};
        core_d   = core_q;
        size_d   = size_q;
        sum_d    = sum_q;
        groups_d = groups_q;
        rest_d   = rest_q;
        case (phase_q)
            SIZE: begin
                size_d = size_up;
                sum_d  = sum_up;
                rest_d = ctas_q;
                if (sum_up >= MIN_WARPS[SUM_BITS-1:0] || size_up == ctas_q) begin
                    phase_d = DIVIDE;
                end
            end
            DIVIDE: begin
                if (rest_q >= size_q) begin
                    rest_d   = rest_q - size_q;
                    groups_d = groups_q + ONE;
                end else begin
                    rest_d  = {COUNT_BITS{1'b0}};
                    phase_d = PRIORITY == 2 ? TURN : NUMBER;
                end
            end
            TURN: begin
                step_d = step_q + 1'b1;
                core_d = core_q << 1;
                rest_d = twice >= {1'b0, groups_q} ? less[COUNT_BITS-1:0] : twice[COUNT_BITS-1:0];
                if (step_q == CORE_BITS[STEP_BITS-1:0] - 1'b1) begin
                    step_d  = {STEP_BITS{1'b0}};
                    phase_d = NUMBER;
                end
            end
            NUMBER: phase_d = LIFE == 1 ? TABLE : FORMED;
            TABLE: begin
                step_d = step_q + 1'b1;
                if (step_q == CTAS[STEP_BITS-1:0] - 1'b1) begin
                    phase_d = FORMED;
                end
            end
            default: phase_d = FORMED;
        endcase
        if (launch_valid_i) begin
            phase_d  = SIZE;
            core_d   = core_i;
            size_d   = {COUNT_BITS{1'b0}};
            sum_d    = {SUM_BITS{1'b0}};
            groups_d = {COUNT_BITS{1'b0}};
        end
        if (rst_i) begin
            phase_d  = FORMED;
            groups_d = ONE;
        end
    end

    always @(posedge clk_i) begin
        phase_q  <= phase_d;
        step_q   <= step_d;
        core_q   <= core_d;
        size_q   <= size_d;
        sum_q    <= sum_d;
        groups_q <= groups_d;
        rest_q   <= rest_d;
        if (launch_valid_i) begin
            k_q    <= launch_warps_i;
            ctas_q <= launch_ctas_i == {COUNT_BITS{1'b0}} ? ONE : launch_ctas_i;
        end
    end

    // --- the next CTA's number, and the rank of its group --------------------------------------
    // Numbers count down to 1. In the last group room wraps round and is not used.
    reg  [COUNT_BITS-1:0] more_q, more_d;     // groups of its generation from its own on
    reg  [COUNT_BITS-1:0] room_q, room_d;     // CTAs of its group from it on
    reg  [RANK_BITS-1:0]  rank_q, rank_d;
    wire                  opens;              // the CTA after the next begins a generation
    wire                  taken = start_valid_i && start_ready_o;
    wire                  counts = LIFE == 1 ? phase_q == TABLE : taken;

    // The rank of a generation's first group; rest has core mod groups then.
    wire [COUNT_BITS-1:0] first_of_all = rest_q == {COUNT_BITS{1'b0}} ? {COUNT_BITS{1'b0}}
                                                                      : groups_q - rest_q;
    wire [COUNT_BITS:0]   rank_up = {{(COUNT_BITS+1-RANK_BITS){1'b0}}, rank_q} + {1'b0, ONE};
    wire                  unused_first = &{1'b0, first_of_all};

    always @* begin
        more_d = more_q;
        room_d = room_q;
        rank_d = rank_q;
        if (counts) begin
            room_d = room_q - ONE;
            if (room_q == ONE && more_q != ONE) begin
                more_d = more_q - ONE;
                room_d = size_q;
                rank_d = rank_up == {1'b0, groups_q} ? {RANK_BITS{1'b0}} : rank_up[RANK_BITS-1:0];
            end
        end
        if (numbered || opens) begin
            more_d = LIFE == 0 && opens ? ONE : groups_q;
            room_d = size_q;
            rank_d = PRIORITY == 2 && (numbered || LIFE == 2) ? first_of_all[RANK_BITS-1:0]
                                                              : {RANK_BITS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        more_q <= more_d;
        room_q <= room_d;
        rank_q <= rank_d;
    end

    // --- what comes in a cycle -----------------------------------------------------------------
    reg                    start_q;     // taken in the last cycle: its place is found
    reg  [WARPS-1:0]       start_warps_q;
    reg  [RANK_BITS-1:0]   start_rank_q;
    reg  [WARPS-1:0]       end_q;
    wire                   begins;      // the CTA that is taken begins a generation
    wire                   start_begins; // the CTA that was taken in the last cycle did
    wire [COUNT_BITS-1:0]  coming;      // CTAs of the generation from the next one on
    wire [CTAS*RANK_BITS-1:0] slot_ranks;
    wire [RANK_BITS-1:0]   rank;        // of the CTA that is taken
    wire                   clear = rst_i || launch_valid_i;

    assign start_ready_o = phase_q == FORMED && !launch_valid_i && !start_q;

    always @(posedge clk_i) begin
        start_q <= taken && !rst_i;
        end_q   <= end_warps_i;
        if (taken) begin
            start_warps_q <= start_warps_i;
            start_rank_q  <= rank;
        end
    end

    generate
        if (LIFE == 1) begin : g_slot
            reg [CTAS*RANK_BITS-1:0] rank_of_slot_q;
            integer                  s;

            always @(posedge clk_i) begin
                for (s = 0; s < CTAS; s = s + 1) begin
                    if (phase_q == TABLE && step_q == s[STEP_BITS-1:0]) begin
                        rank_of_slot_q[s*RANK_BITS +: RANK_BITS] <= rank_q;
                    end
                end
            end

            assign slot_ranks   = rank_of_slot_q;
            assign rank         = slot_ranks[start_slot_i*RANK_BITS +: RANK_BITS];
            assign opens        = 1'b0;
            assign begins       = 1'b0;
            assign start_begins = 1'b0;
            assign coming       = {COUNT_BITS{1'b0}};
            wire unused_begins  = &{1'b0, begins, start_begins, coming};
        end else begin : g_generations
            reg [COUNT_BITS-1:0] coming_q;
            reg                  begins_q, start_begins_q;

            assign coming = coming_q;
            assign opens  = taken && coming == ONE;

            always @(posedge clk_i) begin
                if (numbered || opens) begin
                    coming_q <= LIFE == 0 && opens ? size_q : ctas_q;
                end else if (taken) begin
                    coming_q <= coming - ONE;
                end
                if (taken) begin
                    begins_q <= opens;
                end
                start_begins_q <= taken && begins;
            end

            assign rank         = rank_q;
            assign begins       = begins_q;
            assign start_begins = start_begins_q;
            assign slot_ranks   = {(CTAS*RANK_BITS){1'b0}};
            wire unused_slot    = &{1'b0, start_slot_i, slot_ranks};
        end
    endgenerate

    // --- the groups ------------------------------------------------------------------------------
    // A place keeps its group, takes that from below or above, adds the CTA, or gets the new group.
    // One cycle decides which, and the next one does it.
    reg  [CTAS*WARPS-1:0]     warps_q;
    reg  [CTAS-1:0]           used_q;    // places with a group, whose warps may all end right now
    reg  [CTAS*RANK_BITS-1:0] ranks_q;
    wire [CTAS-1:0]           newest;    // of the newest generation, that of the CTA included

    wire [CTAS-1:0]           same;      // the CTA's group
    wire [CTAS-1:0]           above;     // of its generation with a higher rank
    wire [CTAS-1:0]           past_hole; // the first empty place, or one after it
    wire [CTAS-1:0]           fresh, from_below, from_above; // if it needs a new group
    reg  [CTAS-1:0]           same_q, fresh_q;
    wire [CTAS-1:0]           below, above_it; // the last two in the cycle after
    reg                       makes_q;   // it needs one

    wire [CTAS*WARPS-1:0]     left;      // without the warps that end
    wire [CTAS-1:0]           any_left;
    wire [WARPS-1:0]          start_left = start_warps_q & ~end_q;
    wire                      any_start  = |start_left;

    genvar g;
    generate
        for (g = 0; g < CTAS; g = g + 1) begin : g_place
            wire [RANK_BITS-1:0] its_rank = ranks_q[g*RANK_BITS +: RANK_BITS];

            assign left[g*WARPS +: WARPS] = warps_q[g*WARPS +: WARPS] & ~end_q;
            assign any_left[g]  = |left[g*WARPS +: WARPS];
            assign same[g]      = used_q[g] && newest[g] && its_rank == start_rank_q;
            assign above[g]     = used_q[g] && newest[g] && its_rank > start_rank_q;
            assign past_hole[g] = !(&used_q[g:0]);
        end

        if (PRIORITY == 0) begin : g_places
            assign fresh      = past_hole & ~(past_hole << 1);
            assign from_below = {CTAS{1'b0}};
            assign from_above = {CTAS{1'b0}};
            assign below      = {CTAS{1'b0}};
            assign above_it   = {CTAS{1'b0}};
            wire unused_order = &{1'b0, above, from_below, from_above};
        end else begin : g_order
            wire [CTAS:0]   behind; // the groups in this place and those after it come after
            wire [CTAS-1:0] ahead = used_q & ~above;
            reg  [CTAS-1:0] below_q, above_q;

            for (g = 0; g < CTAS; g = g + 1) begin : g_behind
                assign behind[g] = !(|ahead[CTAS-1:g]);
            end
            assign behind[CTAS] = 1'b1;
            for (g = 0; g < CTAS; g = g + 1) begin : g_move
                if (g == 0) begin : g_first
                    assign from_below[g] = 1'b0;
                    assign fresh[g] = behind[g] || (behind[g+1] && past_hole[g]);
                end else begin : g_other
                    assign from_below[g] = behind[g-1] && !past_hole[g-1];
                    assign fresh[g] = behind[g] ? !behind[g-1] && !past_hole[g-1]
                                                : behind[g+1] && past_hole[g];
                end
                if (g == CTAS - 1) begin : g_last
                    assign from_above[g] = 1'b0;
                end else begin : g_next
                    assign from_above[g] = past_hole[g] && !behind[g+1];
                end
            end

            always @(posedge clk_i) begin
                below_q <= from_below;
                above_q <= from_above;
            end
            assign below    = below_q;
            assign above_it = above_q;
        end

        always @(posedge clk_i) begin
            makes_q <= start_q && !clear && same == {CTAS{1'b0}};
            same_q  <= same & {CTAS{start_q && !clear}};
            fresh_q <= fresh;
        end

        for (g = 0; g < CTAS; g = g + 1) begin : g_warps
            localparam integer BELOW = g == 0 ? 0 : g - 1;
            localparam integer ABOVE = g == CTAS - 1 ? g : g + 1;
            wire is_new      = makes_q && fresh_q[g];
            wire takes_below = makes_q && below[g];
            wire takes_above = makes_q && above_it[g];
            wire joins       = is_new || same_q[g];
            wire keeps       = !(is_new || takes_below || takes_above);

            always @(posedge clk_i) begin
                warps_q[g*WARPS +: WARPS] <=
                    ((left[g*WARPS +: WARPS] & {WARPS{keeps}}) |
                     (left[BELOW*WARPS +: WARPS] & {WARPS{takes_below}}) |
                     (left[ABOVE*WARPS +: WARPS] & {WARPS{takes_above}}) |
                     (start_left & {WARPS{joins}})) & {WARPS{!clear}};
                used_q[g] <= (keeps && any_left[g]) || (takes_below && any_left[BELOW]) ||
                             (takes_above && any_left[ABOVE]) || (joins && any_start);
                ranks_q[g*RANK_BITS +: RANK_BITS] <=
                    is_new      ? start_rank_q :
                    takes_below ? ranks_q[BELOW*RANK_BITS +: RANK_BITS] :
                    takes_above ? ranks_q[ABOVE*RANK_BITS +: RANK_BITS] :
                                  ranks_q[g*RANK_BITS +: RANK_BITS];
            end

            if (LIFE == 1) begin : g_one_generation
                assign newest[g] = 1'b1;
            end else begin : g_newest
                reg newest_q;

                assign newest[g] = newest_q && !start_begins;
                always @(posedge clk_i) begin
                    newest_q <= is_new      ? 1'b1 :
                                takes_below ? newest[BELOW] :
                                takes_above ? newest[ABOVE] : newest[g];
                end
            end
        end
    endgenerate

    assign formed_o = phase_q == FORMED;
    assign groups_o = groups_q;
    assign group_warps_o[WARPS-1:0]          = warps_q[WARPS-1:0] | {WARPS{phase_q != FORMED}};
    assign group_warps_o[CTAS*WARPS-1:WARPS] = warps_q[CTAS*WARPS-1:WARPS];
endmodule

`default_nettype wire
