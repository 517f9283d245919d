// SPDX-License-Identifier: Apache-2.0
// wm_daws_footprint: predicted footprints of warps in loops, their sum, and warps that may load.
//
// Channels   mark: an instruction with a loop's marker, or a load, has issued.  near: warps before
//            a load, and PC and lanes of the one that is chosen.  ask, ans: the table of loads.
//            waits, launch, exit: barriers, slots.  load: the loop of a load.
// Timing     a mark is looked at in the next cycle and asks in the one after. The answer comes
//            three cycles later, and its row has it in the next cycle. A round takes all rows, adds
//            in log2(WARPS) levels, compares and scatters; the next one begins in its last cycle.
// Rows       rows stand in the order of age, each with its slot, so that the sum gathers nothing. A
//            slot that is launched moves to the end, and the rows behind it move up, three cycles
//            after it was taken from the waiting ones.
// Memories   a mark reads target; a begin writes stack and a load reads it; one mark a cycle does
//            one of them. A target that is written as it is read is forwarded (fresh).
// Same cycle exit goes before mark, mark before launch, and barrier before answer: nothing is left
//            of a warp that has ended or waits. A mark asks before a load outside loops, because it
//            has issued.
// Limits     WARPS 2 to 64; LANES 4 to 32; LINES 1 to 65536; PERCENT 1 to 100; DEPTH 2 to 8;
//            PC_BITS 3 to 32 (checked at elaboration). Warps below WARPS; answers
//            of up to LINES unless over.
// Cost       (DEPTH up to a power of two) * WARPS * PC_BITS and WARPS * PC_BITS bits of memory;
//            flip-flops: WARPS * (log2(WARPS) + 3 * log2(LINES + 2) + 25), 4 * PC_BITS, 100.
// Source     DAWS, MICRO 2013, 5.1 to 5.1.3.
// Twins      cmodel/issue/daws_footprint.c  tb/issue/daws_footprint_test.c
//            tb/issue/daws_footprint_props.v  waves/issue/daws_footprint.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_daws_footprint #(
    parameter integer WARPS   = 32,  // of the core
    parameter integer LANES   = 32,  // of a warp
    parameter integer LINES   = 256, // of the L1
    parameter integer PERCENT = 60,  // of them, the effective cache size
    parameter integer DEPTH   = 4,   // loops in each other whose PCs an entry has
    parameter integer PC_BITS = 24   // of a loop or load
) (
    input  wire                         clk_i,        // clock
    input  wire                         rst_i,        // synchronous; no warp is in a loop
    input  wire                         mark_valid_i, // an instruction has issued that is
    input  wire [1:0]                   mark_kind_i,  // of begin, trip, end; a load
    input  wire [$clog2(WARPS)-1:0]     mark_warp_i,  // its warp
    input  wire [PC_BITS-1:0]           mark_pc_i,    // the loop
    input  wire [$clog2(LANES+1)-1:0]   mark_lanes_i, // active lanes
    input  wire [WARPS-1:0]             near_i,       // warps before a load
    input  wire [WARPS-1:0]             waits_i,      // at a barrier
    input  wire [WARPS-1:0]             launch_i,     // slots into which a warp comes
    input  wire [WARPS-1:0]             exit_i,       // warps that have ended
    output wire                         near_valid_o, // a load outside loops is to be asked for
    output wire [$clog2(WARPS)-1:0]     near_warp_o,  // whose
    input  wire [PC_BITS-1:0]           near_pc_i,    // its PC
    input  wire [$clog2(LANES+1)-1:0]   near_lanes_i, // its active lanes
    output wire                         ask_valid_o,  // a question to the table of loads
    output wire [$clog2(WARPS)-1:0]     ask_warp_o,   // the warp
    output wire [PC_BITS-1:0]           ask_pc_o,     // the loop, or the load before it
    output wire [$clog2(LANES+1)-1:0]   ask_lanes_o,  // active lanes
    output wire                         ask_near_o,   // it is outside loops
    input  wire                         ans_known_i,  // the answer to what was asked 3 cycles ago
    input  wire [PC_BITS-1:0]           ans_loop_i,   // of this loop
    input  wire [$clog2(LINES+2)-1:0]   ans_lines_i,  // lines of a trip
    input  wire                         ans_over_i,   // more than LINES
    output wire [WARPS-1:0]             can_load_o,   // may issue a load
    output wire [WARPS-1:0]             in_loop_o,    // are in a loop
    output wire                         load_valid_o, // two cycles after a load
    output wire                         load_found_o, // it was in a loop
    output wire [PC_BITS-1:0]           load_loop_o   // in this one
);
    localparam integer WARP_BITS  = $clog2(WARPS);
    localparam integer LANE_BITS  = $clog2(LANES + 1);
    localparam integer LINE_BITS  = $clog2(LINES + 2); // a sum saturates above LINES
    localparam integer LEVELS     = WARP_BITS;
    localparam integer ROUND      = LEVELS + 1;
    localparam integer PLACE_BITS = $clog2(DEPTH);
    localparam integer NEST_BITS  = 4; // of the number of loops that a warp is in
    localparam integer LIMIT_IS   = LINES * PERCENT / 100;
    localparam integer DEEPEST_IS = DEPTH - 1;
    localparam integer ENDED_IS   = DEPTH;
    localparam integer BIAS_IS    = (1 << LINE_BITS) - 1 - LIMIT_IS;
    localparam [LINE_BITS-1:0]  BIAS    = BIAS_IS[LINE_BITS-1:0];
    localparam [PLACE_BITS-1:0] DEEPEST = DEEPEST_IS[PLACE_BITS-1:0];
    localparam [NEST_BITS-1:0]  ROOM    = ENDED_IS[NEST_BITS-1:0];
    localparam [WARPS-1:0]      WARP_0  = 1;
    localparam [WARPS-1:0]      ALL_8   = {WARPS{1'b1}} >> (WARPS > 8 ? WARPS - 8 : 0);
    localparam [1:0]            BEGIN = 2'd0, TRIP = 2'd1, END = 2'd2, LOAD = 2'd3;

    generate
        if (WARPS < 2 || WARPS > 64 || LANES < 4 || LANES > 32 || LINES < 1 || LINES > 65536 ||
            PERCENT < 1 || PERCENT > 100 || DEPTH < 2 || DEPTH > 8 || PC_BITS < 3 ||
            PC_BITS > 32) begin : g_illegal
            wm_daws_footprint_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_WORD_OF(nest_of, WARPS, NEST_BITS)
    `WM_WORD_OF(lines_of, WARPS, LINE_BITS)

    wire [WARPS-1:0] ends  = exit_i | launch_i;
    wire [WARPS-1:0] clear = ends | waits_i;

    // --- marks ---

    reg                 mark_q;
    reg [1:0]           mark_kind_q;
    reg [WARP_BITS-1:0] mark_warp_q;
    reg [PC_BITS-1:0]   mark_pc_q;
    reg [LANE_BITS-1:0] mark_lanes_q;

    reg [WARPS*NEST_BITS-1:0] nest_q, nest_d; // loops that each warp is in
    reg [WARPS-1:0]           in_loop_q, in_loop_d;
    reg [NEST_BITS-1:0]       mark_nest_q, mark_nest_d; // of the mark's warp
    reg [NEST_BITS-1:0]       nest_new;                 // when the mark has been looked at
    reg                       lives;          // the mark's warp does not end in this cycle
    reg [WARPS-1:0]           come_oh;        // the warp of the mark that comes
    wire                      exits = |(come_oh & exit_i); // which ends
    reg                       has_target;
    reg [WARPS-1:0]           targets_q;
    reg [WARPS-1:0]           mark_oh;

    wire marks  = mark_q && lives;
    wire enters = marks && mark_kind_q == BEGIN;
    wire leaves = marks && mark_kind_q == END;
    wire asks   = marks && (mark_kind_q == BEGIN || mark_kind_q == TRIP);

    integer i;
    always @* begin
        mark_oh    = WARP_0 << mark_warp_q;
        come_oh    = WARP_0 << mark_warp_i;
        lives      = (mark_oh & ends) == {WARPS{1'b0}};
        has_target = |(mark_oh & targets_q);
        nest_new   = mark_nest_q;
        if (mark_kind_q == BEGIN && mark_nest_q != {NEST_BITS{1'b1}}) begin
            nest_new = mark_nest_q + 1'b1;
        end else if (mark_kind_q == END && mark_nest_q != {NEST_BITS{1'b0}}) begin
            nest_new = mark_nest_q - 1'b1;
        end
        nest_d    = nest_q;
        in_loop_d = in_loop_q;
        for (i = 0; i < WARPS; i = i + 1) begin
            if (mark_q && mark_oh[i]) begin
                nest_d[i*NEST_BITS +: NEST_BITS] = nest_new;
                in_loop_d[i] = (in_loop_q[i] || mark_kind_q == BEGIN) &&
                               !(mark_kind_q == END && mark_nest_q[NEST_BITS-1:1] == 0);
            end
            if (ends[i] || rst_i) begin
                nest_d[i*NEST_BITS +: NEST_BITS] = {NEST_BITS{1'b0}};
                in_loop_d[i] = 1'b0;
            end
        end
        // The table is read as the mark comes; the result of the mark before is forwarded.
        mark_nest_d = nest_of(nest_q, come_oh);
        if (mark_q && mark_warp_q == mark_warp_i) begin
            mark_nest_d = nest_new;
        end
        if ((come_oh & ends) != {WARPS{1'b0}}) begin
            mark_nest_d = {NEST_BITS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        mark_q       <= mark_valid_i && !exits && !rst_i;
        mark_kind_q  <= mark_kind_i;
        mark_warp_q  <= mark_warp_i;
        mark_pc_q    <= mark_pc_i;
        mark_lanes_q <= mark_lanes_i;
        mark_nest_q  <= mark_nest_d;
        nest_q       <= nest_d;
        in_loop_q    <= in_loop_d;
    end

    // --- the loops of each warp, for its loads ---

    wire [PLACE_BITS-1:0] below  = mark_nest_q[PLACE_BITS-1:0] - 1'b1;
    wire [PLACE_BITS-1:0] inner  = mark_nest_q > ROOM ? DEEPEST : below;
    wire                  loads  = marks && mark_kind_q == LOAD;
    reg                   load_valid_q, load_found_q;

    wm_sram_1r1w #(.WORDS(WARPS << PLACE_BITS), .DATA_BITS(PC_BITS)) stack (
        .clk_i(clk_i),
        .wr_en_i(enters && mark_nest_q < ROOM),
        .wr_addr_i({mark_warp_q, mark_nest_q[PLACE_BITS-1:0]}),
        .wr_data_i(mark_pc_q),
        .rd_en_i(loads),
        .rd_addr_i({mark_warp_q, inner}),
        .rd_data_o(load_loop_o)
    );

    always @(posedge clk_i) begin
        load_valid_q <= loads && !rst_i;
        load_found_q <= loads && !rst_i && mark_nest_q != {NEST_BITS{1'b0}};
    end
    assign load_valid_o = load_valid_q;
    assign load_found_o = load_found_q;
    assign in_loop_o    = in_loop_q;

    // --- loads outside loops ---

    reg [WARPS-1:0] inside_q, nearby_q; // footprints of the loop that a warp is in, of the next one
    reg [WARPS-1:0] asked_q;            // for their next load
    reg [WARPS-1:0] want_q;             // wanted a footprint in the last cycle
    reg             chosen_q;           // one of them is
    reg [WARPS-1:0] chosen_oh_q;        // so
    reg [WARP_BITS-1:0] chosen_warp_q;
    localparam integer EIGHTS = (WARPS + 7) / 8;
    reg [EIGHTS-1:0] some_q;            // of eight warps each, one is in inside_q
    wire             any   = |some_q;
    wire [WARPS-1:0] wants = near_i & ~(in_loop_q | nearby_q | asked_q);
    wire [WARPS-1:0] goes  = chosen_oh_q & wants & {WARPS{!mark_q}};
    wire             near  = |goes;
    wire             holds = chosen_q && mark_q;
    wire [WARPS-1:0] lowest_want;
    wire [WARP_BITS-1:0] lowest_want_warp;
    wire             some_want;

    wm_priority_encoder #(.REQUESTERS(WARPS)) choose (
        .req_valid_i(want_q & ~chosen_oh_q),
        .grant_valid_o(some_want),
        .grant_oh_o(lowest_want),
        .grant_index_o(lowest_want_warp)
    );

    always @(posedge clk_i) begin
        if (!holds) begin
            chosen_warp_q <= lowest_want_warp;
        end
        if (rst_i) begin
            asked_q     <= {WARPS{1'b0}};
            want_q      <= {WARPS{1'b0}};
            chosen_q    <= 1'b0;
            chosen_oh_q <= {WARPS{1'b0}};
        end else begin
            asked_q <= (asked_q | goes) & near_i & ~ends;
            want_q  <= wants & {WARPS{any}} & ~goes;
            if (!holds) begin
                chosen_q    <= some_want;
                chosen_oh_q <= lowest_want;
            end
        end
    end
    wire near_lives = (chosen_oh_q & ends) == {WARPS{1'b0}};
    assign near_valid_o = chosen_q && !mark_q;
    assign near_warp_o  = chosen_warp_q;

    // --- questions ---

    // Questions that wait for their answer; stage 0 is the question itself.
    reg [2:0]             stage_q, stage_asks_q, stage_begins_q;
    reg [3:0]             stage_near_q;
    reg [4*WARP_BITS-1:0] stage_warp_q;
    reg                   ask_target_q; // of the target, not of the mark's or the load's PC
    reg [PC_BITS-1:0]     ask_pc_q, ask_target_pc_q;
    reg [LANE_BITS-1:0]   ask_lanes_q;

    wire [PC_BITS-1:0] target_read;
    reg                fresh_q;      // it was written as it was read
    reg  [PC_BITS-1:0] target_new_q; // so
    reg                new_beyond_q; // it is larger than the mark's PC
    wire               beyond_mark = fresh_q ? new_beyond_q : target_read > mark_pc_q;
    wire               targets     = mark_kind_q == TRIP && has_target && beyond_mark;

    // A stage is dropped with its warp.
    reg  [2:0] stage_lives;
    always @* begin
        for (i = 0; i < 3; i = i + 1) begin
            stage_lives[i] = ((WARP_0 << stage_warp_q[i*WARP_BITS +: WARP_BITS]) & ends) ==
                             {WARPS{1'b0}};
        end
    end

    wire outermost = leaves && nest_new == {NEST_BITS{1'b0}};
    always @(posedge clk_i) begin
        stage_q        <= {stage_q[1:0] & stage_lives[1:0],
                           asks || outermost || (near && near_lives)} & {3{!rst_i}};
        stage_asks_q   <= {stage_asks_q[1:0], asks || near};
        stage_near_q   <= {stage_near_q[2:0], near};
        stage_begins_q <= {stage_begins_q[1:0], enters};
        stage_warp_q   <= {stage_warp_q[3*WARP_BITS-1:0], near ? chosen_warp_q : mark_warp_q};
        ask_target_q    <= targets && !near;
        ask_target_pc_q <= fresh_q ? target_new_q : target_read;
        ask_pc_q        <= near ? near_pc_i : mark_pc_q;
        ask_lanes_q     <= near ? near_lanes_i : mark_lanes_q;
    end
    assign ask_valid_o = stage_q[0] && stage_asks_q[0];
    assign ask_warp_o  = stage_warp_q[WARP_BITS-1:0];
    assign ask_pc_o    = ask_target_q ? ask_target_pc_q : ask_pc_q; // the comparison fills a cycle
    assign ask_lanes_o = ask_lanes_q;
    assign ask_near_o  = stage_near_q[0];

    // --- answers ---

    wire [WARP_BITS-1:0] ans_warp = stage_warp_q[3*WARP_BITS +: WARP_BITS];
    wire [WARPS-1:0]     ans_oh   = WARP_0 << ans_warp;
    reg  asks3_q, ends3_q, begins3_q; // stage 3: a question, the end of an outermost loop, a begin
    wire known    = asks3_q && ans_known_i;
    wire finds    = known && !stage_near_q[3];   // a target
    wire not_near = begins3_q && !ans_known_i;   // a footprint outside ends
    wire acts     = known || ends3_q || (not_near && |(ans_oh & nearby_q));
    wire counts   = known && !ans_over_i && ans_lines_i != {LINE_BITS{1'b0}};
    always @(posedge clk_i) begin
        asks3_q   <= stage_q[2] && stage_lives[2] && stage_asks_q[2] && !rst_i;
        ends3_q   <= stage_q[2] && stage_lives[2] && !stage_asks_q[2] && !rst_i;
        begins3_q <= stage_q[2] && stage_lives[2] && stage_begins_q[2] && !rst_i;
    end

    wm_sram_1r1w #(.WORDS(WARPS), .DATA_BITS(PC_BITS)) target_table (
        .clk_i(clk_i),
        .wr_en_i(finds),
        .wr_addr_i(ans_warp),
        .wr_data_i(ans_loop_i),
        .rd_en_i(mark_valid_i),
        .rd_addr_i(mark_warp_i),
        .rd_data_o(target_read)
    );

    wire [WARPS-1:0] inside_d = ((inside_q & ~(ans_oh & {WARPS{known || ends3_q}})) |
                                 (ans_oh & {WARPS{counts && !stage_near_q[3]}})) &
                                ~(clear | {WARPS{rst_i}});
    always @(posedge clk_i) begin
        for (i = 0; i < EIGHTS; i = i + 1) begin
            some_q[i] <= |(inside_d & (ALL_8 << 8 * i));
        end
        inside_q     <= inside_d;
        fresh_q      <= finds && ans_warp == mark_warp_i;
        target_new_q <= ans_loop_i;
        new_beyond_q <= ans_loop_i > mark_pc_i;
        if (rst_i) begin
            targets_q <= {WARPS{1'b0}};
            nearby_q  <= {WARPS{1'b0}};
        end else begin
            targets_q <= ((targets_q & ~(ans_oh & {WARPS{ends3_q}})) |
                          (ans_oh & {WARPS{finds}})) & ~ends;
            nearby_q  <= ((nearby_q & ~(ans_oh & {WARPS{known || ends3_q || not_near}})) |
                          (ans_oh & {WARPS{counts && stage_near_q[3]}})) & ~clear;
        end
    end

    // --- rows, the oldest warp's first ---

    reg [WARPS-1:0]     launching_q;            // slots that are yet to become the youngest
    reg                 taken_q, found_q, moves_q; // one that was taken; its row is known; it moves
    reg [WARP_BITS-1:0] taken_warp_q, found_warp_q, moves_warp_q;
    reg                 moving_q;               // something of that is under way
    reg [WARPS-1:0]     taken_oh_q;             // the one that was taken, no longer to be taken
    wire [WARPS-1:0]    waiting = launching_q & ~taken_oh_q;
    wire [WARPS-1:0]    lowest;
    wire [WARP_BITS-1:0] lowest_warp;
    wire                some_launching;

    wm_priority_encoder #(.REQUESTERS(WARPS)) take (
        .req_valid_i(waiting),
        .grant_valid_o(some_launching),
        .grant_oh_o(lowest),
        .grant_index_o(lowest_warp)
    );

    always @(posedge clk_i) begin
        launching_q  <= rst_i ? {WARPS{1'b0}} : waiting | launch_i;
        taken_oh_q   <= rst_i ? {WARPS{1'b0}} : lowest;
        taken_q      <= some_launching && !rst_i;
        taken_warp_q <= lowest_warp;
        found_q      <= taken_q && !rst_i;
        found_warp_q <= taken_warp_q;
        moves_q      <= found_q && !rst_i;
        moves_warp_q <= found_warp_q;
        moving_q     <= (some_launching || taken_q || found_q || launch_i != {WARPS{1'b0}}) &&
                        !rst_i;
    end

    // Comparisons of rows are made ahead: the row with the slot that was taken, then the rows at or
    // behind it, and the row with the warp of the answer. A comparison moves with its row.
    reg [WARPS*WARP_BITS-1:0] slot_q, slot_d;
    reg [WARPS*LINE_BITS-1:0] lines_q, lines_kept, lines_d;
    reg [WARPS-1:0]           has_q, has_kept, has_d; // its lines are a footprint
    reg [WARPS-1:0]           far_q, far_kept, far_d; // of the next loop
    localparam integer FOURS = (WARPS + 3) / 4;
    reg [WARPS-1:0]           finds_q, finds_d; // has the slot that was taken
    reg [FOURS-1:0]           four_q, four_d;   // so has one of four rows
    reg [WARPS-1:0]           leaves_q, leaves_d, match_q, match_d, is_taken, is_next;
    reg [WARPS-1:0]           behind_q, behind_d; // has the slot that moves, or is behind it
    reg [WARPS:0]             at_or_behind;
    reg [LINE_BITS-1:0]       moved_lines;
    reg                       moved_has, moved_far, moved_write;
    reg [WARPS-1:0]           writes;

    wire                 ans_moves = ans_warp == moves_warp_q;
    wire                 moved_clear = |((WARP_0 << moves_warp_q) & clear);
    wire [WARP_BITS-1:0] next_warp = stage_warp_q[2*WARP_BITS +: WARP_BITS];

    integer f;
    always @* begin
        for (i = 0; i < WARPS; i = i + 1) begin
            is_taken[i] = slot_q[i*WARP_BITS +: WARP_BITS] == taken_warp_q;
            is_next[i]  = slot_q[i*WARP_BITS +: WARP_BITS] == next_warp;
        end
        slot_d   = slot_q;
        finds_d  = is_taken;
        leaves_d = finds_q;
        match_d  = is_next;
        for (i = 0; i < WARPS; i = i + 1) begin
            if (behind_q[i] && i == WARPS - 1) begin
                slot_d[i*WARP_BITS +: WARP_BITS] = moves_warp_q;
                finds_d[i]  = moves_warp_q == taken_warp_q;
                leaves_d[i] = 1'b0; // none is taken in two cycles on end
                match_d[i]  = moves_warp_q == next_warp;
            end else if (behind_q[i]) begin
                slot_d[i*WARP_BITS +: WARP_BITS] =
                    slot_q[(i < WARPS - 1 ? i + 1 : i)*WARP_BITS +: WARP_BITS];
                finds_d[i]  = is_taken[i < WARPS - 1 ? i + 1 : i];
                leaves_d[i] = finds_q[i < WARPS - 1 ? i + 1 : i];
                match_d[i]  = is_next[i < WARPS - 1 ? i + 1 : i];
            end
        end
        // Rows at or behind the one of finds_q, where they stand then.
        at_or_behind[WARPS] = 1'b1;
        for (i = 0; i < WARPS; i = i + 1) begin
            at_or_behind[i] = |(four_q & ~({FOURS{1'b1}} << i / 4));
            for (f = i / 4 * 4; f <= i; f = f + 1) begin
                at_or_behind[i] = at_or_behind[i] || finds_q[f];
            end
        end
        four_d = {FOURS{1'b0}};
        for (i = 0; i < WARPS; i = i + 1) begin
            four_d[i / 4] = four_d[i / 4] || finds_d[i];
        end
        for (i = 0; i < WARPS; i = i + 1) begin
            behind_d[i] = at_or_behind[behind_q[i] ? i + 1 : i];
        end
    end

    always @* begin
        moved_lines = lines_of(lines_q, leaves_q);
        moved_has   = |(has_q & leaves_q);
        moved_far   = |(far_q & leaves_q);
        for (i = 0; i < WARPS; i = i + 1) begin
            writes[i] = match_q[i] && (known || ends3_q || (not_near && far_q[i]));
            lines_kept[i*LINE_BITS +: LINE_BITS] =
                writes[i] ? ans_lines_i : lines_q[i*LINE_BITS +: LINE_BITS];
            has_kept[i] = ((has_q[i] && !writes[i]) || (match_q[i] && counts)) &&
                          !clear[slot_q[i*WARP_BITS +: WARP_BITS]];
            far_kept[i] = writes[i] ? stage_near_q[3] : far_q[i];
        end
        moved_write = ans_moves && (known || ends3_q || (not_near && moved_far));
        moved_lines = moved_write ? ans_lines_i : moved_lines;
        moved_has   = (moved_write ? counts : moved_has) && !moved_clear;
        moved_far   = moved_write ? stage_near_q[3] : moved_far;
        lines_d     = lines_kept;
        has_d       = has_kept;
        far_d       = far_kept;
        for (i = 0; i < WARPS; i = i + 1) begin
            if (behind_q[i]) begin
                lines_d[i*LINE_BITS +: LINE_BITS] = i == WARPS - 1 ? moved_lines :
                    lines_kept[(i < WARPS - 1 ? i + 1 : i)*LINE_BITS +: LINE_BITS];
                has_d[i] = i == WARPS - 1 ? moved_has : has_kept[i < WARPS - 1 ? i + 1 : i];
                far_d[i] = i == WARPS - 1 ? moved_far : far_kept[i < WARPS - 1 ? i + 1 : i];
            end
        end
        if (rst_i) begin
            has_d = {WARPS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        slot_q   <= slot_d;
        lines_q  <= lines_d;
        has_q    <= has_d;
        far_q    <= far_d;
        finds_q  <= finds_d;
        four_q   <= four_d;
        leaves_q <= leaves_d;
        behind_q <= behind_d & {WARPS{found_q && !rst_i}};
        match_q  <= match_d;
        if (rst_i) begin
            for (i = 0; i < WARPS; i = i + 1) begin
                slot_q[i*WARP_BITS +: WARP_BITS] <= i[WARP_BITS-1:0];
            end
        end
    end

    // --- the sum ---

    reg [ROUND:1] round_q; // one-hot: cycles since the rows were taken; none: it waits
    reg           may_q;   // it waits, or ends in this cycle
    reg           stale_q;
    wire          takes = stale_q && may_q && !moving_q;
    wire          stays = may_q && !takes; // it waits in the next cycle too
    always @(posedge clk_i) begin
        if (rst_i) begin
            round_q <= {ROUND{1'b0}};
            may_q   <= 1'b1;
            stale_q <= 1'b0;
        end else begin
            round_q <= moving_q ? {ROUND{1'b0}} : {round_q[ROUND-1:1], takes};
            may_q   <= moving_q || stays || round_q[ROUND-1];
            stale_q <= acts || moves_q || |(clear & (inside_q | nearby_q)) || (stale_q && !takes);
        end
    end

    // A level adds the total of a block's lower half to each row of its upper half; both halves get
    // the total of the block. At each level the lowest bit of a place becomes the highest, so that
    // the halves stand side by side; after the last level places are as before. The first row
    // begins with an offset such that a sum has a carry exactly if it does not fit.
    localparam integer PLACES = 1 << LEVELS;
    reg [PLACES*LINE_BITS-1:0] sum_q, sum_d;     // of a row and those before it in its block
    reg [PLACES*LINE_BITS-1:0] total_q, total_d; // of its block
    reg [PLACES-1:0]           sum_over_q, sum_over_d, total_over_q, total_over_d; // more than bits
    reg [PLACES-1:0]           older_q, older_d; // a row before it in its block has lines
    reg [PLACES-1:0]           block_q, block_d; // a row of its block has some
    reg [WARPS-1:0]            counted_q;        // it has lines
    reg                        adds_q;           // a level is added
    wire [WARPS-1:0]           counted = has_q & ({WARPS{any}} | ~far_q);
    reg                        total_carry, sum_carry;
    reg [LINE_BITS-1:0]        total, sum;
    integer                    p;
    always @* begin
        sum_d        = sum_q;
        sum_over_d   = sum_over_q;
        total_d      = total_q;
        total_over_d = total_over_q;
        older_d      = older_q;
        block_d      = block_q;
        for (p = 0; p < PLACES; p = p + 2) begin
            {total_carry, total} = {1'b0, total_q[p*LINE_BITS +: LINE_BITS]} +
                                   {1'b0, total_q[(p+1)*LINE_BITS +: LINE_BITS]};
            {sum_carry, sum}     = {1'b0, total_q[p*LINE_BITS +: LINE_BITS]} +
                                   {1'b0, sum_q[(p+1)*LINE_BITS +: LINE_BITS]};
            total_carry = total_carry || total_over_q[p] || total_over_q[p+1];
            sum_carry   = sum_carry || total_over_q[p] || sum_over_q[p+1];
            // Place p becomes p / 2, and place p + 1 the same in the upper half.
            sum_d[p/2*LINE_BITS +: LINE_BITS]              = sum_q[p*LINE_BITS +: LINE_BITS];
            sum_d[(p+PLACES)/2*LINE_BITS +: LINE_BITS]     = sum;
            sum_over_d[p/2]                                = sum_over_q[p];
            sum_over_d[(p+PLACES)/2]                       = sum_carry;
            total_d[p/2*LINE_BITS +: LINE_BITS]            = total;
            total_d[(p+PLACES)/2*LINE_BITS +: LINE_BITS]   = total;
            total_over_d[p/2]                              = total_carry;
            total_over_d[(p+PLACES)/2]                     = total_carry;
            older_d[p/2]                                   = older_q[p];
            older_d[(p+PLACES)/2]                          = older_q[p+1] || block_q[p];
            block_d[p/2]                                   = block_q[p] || block_q[p+1];
            block_d[(p+PLACES)/2]                          = block_q[p] || block_q[p+1];
        end
        if (takes) begin
            sum_d        = {PLACES*LINE_BITS{1'b0}};
            sum_over_d   = {PLACES{1'b0}};
            total_over_d = {PLACES{1'b0}};
            older_d      = {PLACES{1'b0}};
            block_d      = {PLACES{1'b0}};
            block_d[WARPS-1:0] = counted;
            for (i = 0; i < WARPS; i = i + 1) begin
                sum_d[i*LINE_BITS +: LINE_BITS] = lines_q[i*LINE_BITS +: LINE_BITS] &
                    {LINE_BITS{counted[i]}};
            end
            total_d = sum_d;
            {total_over_d[0], total_d[0 +: LINE_BITS]} =
                counted[0] ? {1'b0, lines_q[0 +: LINE_BITS]} + {1'b0, BIAS} : {1'b0, BIAS};
        end
    end

    reg [WARPS-1:0] beyond; // rows that do not fit
    reg [WARPS-1:0] held_q, scattered;
    always @* begin
        for (i = 0; i < WARPS; i = i + 1) begin
            beyond[i] = counted_q[i] && older_q[i] && sum_over_q[i]; // not the oldest
        end
        scattered = {WARPS{1'b0}};
        for (i = 0; i < WARPS; i = i + 1) begin
            scattered = scattered |
                ((WARP_0 << slot_q[i*WARP_BITS +: WARP_BITS]) & {WARPS{beyond[i]}});
        end
    end

    always @(posedge clk_i) begin
        adds_q <= (takes || (round_q << 2) != {ROUND{1'b0}}) && !moving_q && !rst_i;
        if (takes) begin
            counted_q <= counted;
        end
        if (takes || adds_q) begin
            sum_q        <= sum_d;
            sum_over_q   <= sum_over_d;
            total_q      <= total_d;
            total_over_q <= total_over_d;
            older_q      <= older_d;
            block_q      <= block_d;
        end
        if (rst_i) begin
            held_q <= {WARPS{1'b0}};
        end else begin
            held_q <= (round_q[ROUND] && !moving_q ? scattered : held_q) & ~launch_i;
        end
    end

    assign can_load_o = ~held_q;
endmodule

`default_nettype wire
