// SPDX-License-Identifier: Apache-2.0
// The properties of wm_daws_footprint. Source: DAWS, MICRO 2013, 5.1 to 5.1.3.
//
// A round is compared, level by level, with the sums of the rows that it took, which have all
// their bits. These are sums by halves; of few warps the sum row by row is compared with them.
`default_nettype none

// The head, with dut and started, is made from wm_daws_footprint: python/warpmem/tools/props.py.
`BEGIN_daws_footprint_props
    localparam WARP_BITS = $clog2(WARPS);
    localparam LINE_BITS = $clog2(LINES + 2);
    localparam ROUND     = WARP_BITS + 1;
    localparam NEST_BITS = 4;
    localparam PLACES    = 1 << WARP_BITS;
    localparam LIMIT     = LINES * PERCENT / 100;
    localparam SUM_BITS  = LINE_BITS + WARP_BITS + 1;
    localparam CALM      = 2 * ROUND + 2; // cycles in which the mask follows what is there
    localparam CALM_BITS = $clog2(CALM + 1);
    localparam FEW       = WARPS <= 5 && LINE_BITS <= 4;

    wire [ROUND-1:0] round = dut.round_q; // [ROUND:1] there

    reg was_reset;
    always @(posedge clk_i) begin
        was_reset <= rst_i;
    end

    always @* begin
        assume (mark_warp_i < WARPS && mark_lanes_i <= LANES && near_lanes_i <= LANES);
        assume (ans_lines_i <= LINES);
    end

    wire moves_any = dut.launching_q != 0 || dut.taken_q || dut.found_q || dut.moves_q;
    wire [WARP_BITS-1:0] ans_warp = dut.stage_warp_q[3*WARP_BITS +: WARP_BITS];

    // Rows and their slots, and the warps in a loop.
    integer         i, j;
    reg [WARPS-1:0] slots, alone, loops, leaves, finds, matches;
    reg             bounded, inside, nearby;
    always @* begin
        slots   = {WARPS{1'b0}};
        alone   = {WARPS{1'b1}};
        inside  = 1'b1;
        nearby  = 1'b1;
        bounded = 1'b1;
        for (i = 0; i < WARPS; i = i + 1) begin
            loops[i]   = dut.nest_q[i*NEST_BITS +: NEST_BITS] != 0;
            finds[i]   = dut.slot_q[i*WARP_BITS +: WARP_BITS] == dut.found_warp_q;
            leaves[i]  = dut.slot_q[i*WARP_BITS +: WARP_BITS] == dut.moves_warp_q;
            matches[i] = dut.slot_q[i*WARP_BITS +: WARP_BITS] == ans_warp;
            bounded    = bounded && (!dut.has_q[i] ||
                         (dut.lines_q[i*LINE_BITS +: LINE_BITS] <= LINES &&
                          dut.lines_q[i*LINE_BITS +: LINE_BITS] != 0));
            for (j = 0; j < WARPS; j = j + 1) begin
                if (dut.slot_q[i*WARP_BITS +: WARP_BITS] == j) begin
                    slots[j] = 1'b1;
                end
                if (j != i && dut.slot_q[i*WARP_BITS +: WARP_BITS] ==
                              dut.slot_q[j*WARP_BITS +: WARP_BITS]) begin
                    alone[i] = 1'b0;
                end
            end
            inside = inside && dut.inside_q[dut.slot_q[i*WARP_BITS +: WARP_BITS]] ==
                               (dut.has_q[i] && !dut.far_q[i]);
            nearby = nearby && dut.nearby_q[dut.slot_q[i*WARP_BITS +: WARP_BITS]] ==
                               (dut.has_q[i] && dut.far_q[i]);
        end
    end

    // Rows by four: is the found one among them?
    reg [(WARPS+3)/4-1:0] four;
    always @* begin
        four = 0;
        for (i = 0; i < WARPS; i = i + 1) begin
            four[i / 4] = four[i / 4] || finds[i];
        end
    end

    // The state of the last cycle.
    reg [WARPS-1:0] launched, waited, ended, held_before;
    reg             moved;
    always @(posedge clk_i) begin
        held_before <= dut.held_q;
        moved       <= moves_any;
        launched <= launch_i;
        waited   <= waits_i;
        ended    <= exit_i;
    end

    // The rows that a round took: their lines, those of warps outside loops while one is inside.
    reg [WARPS*LINE_BITS-1:0] lines;
    reg [WARPS*LINE_BITS-1:0] taken;
    always @* begin
        for (i = 0; i < WARPS; i = i + 1) begin
            lines[i*LINE_BITS +: LINE_BITS] = dut.lines_q[i*LINE_BITS +: LINE_BITS] &
                {LINE_BITS{dut.has_q[i] && (|dut.inside_q || !dut.far_q[i])}};
        end
    end
    always @(posedge clk_i) begin
        if (dut.takes) begin
            taken <= lines;
        end
        if (rst_i) begin
            taken <= {WARPS*LINE_BITS{1'b0}};
        end
    end

    // 5.1: a row is held if its lines and those of all before it are more than the effective size,
    // and, by the block's own rule against deadlock, some are before it.
    function [WARPS-1:0] rows_held(input [WARPS*LINE_BITS-1:0] of_rows);
        reg [SUM_BITS-1:0]  before;
        reg [LINE_BITS-1:0] own;
        integer             r;
        begin
            before = 0;
            for (r = 0; r < WARPS; r = r + 1) begin
                own          = of_rows[r*LINE_BITS +: LINE_BITS];
                rows_held[r] = own != 0 && before != 0 && before + own > LIMIT;
                before       = before + own;
            end
        end
    endfunction

    // The rows that a round took, level by level. Of each row: is one with lines before it in its
    // block, is one in its block, the sum up to it in its block, the sum of its block. As in the
    // hardware the first row has BIAS more for all others; here no sum saturates.
    localparam [SUM_BITS-1:0] BIAS = (1 << LINE_BITS) - 1 - LIMIT;
    reg [WARPS-1:0]           has, older; // each has lines; one before it has
    reg [PLACES-1:0]          earlier, block, earlier_next, block_next, earlier_at, block_at;
    reg [PLACES*SUM_BITS-1:0] sum, whole, sum_next, whole_next;
    reg [SUM_BITS-1:0]        upto, all;
    reg [PLACES-1:0]          adds_up; // the hardware's sums are these
    reg                       follows;
    reg [WARPS-1:0]           must; // rows that are held
    integer                   k, place, other;
    always @* begin
        sum     = {PLACES*SUM_BITS{1'b0}};
        for (i = 0; i < WARPS; i = i + 1) begin
            has[i]   = taken[i*LINE_BITS +: LINE_BITS] != 0;
            older[i] = (has & ~({WARPS{1'b1}} << i)) != 0;
            sum[i*SUM_BITS +: LINE_BITS] = taken[i*LINE_BITS +: LINE_BITS];
        end
        whole   = sum;
        whole[0 +: SUM_BITS] = sum[0 +: SUM_BITS] + BIAS;
        earlier = {PLACES{1'b0}};
        block   = {PLACES{1'b0}};
        block[WARPS-1:0] = has;
        follows = 1'b1;
        adds_up = {PLACES{1'b1}};
        for (k = 0; k < ROUND; k = k + 1) begin
            // Row i stands where its lowest k bits have become the highest.
            for (i = 0; i < PLACES; i = i + 1) begin
                place             = (i >> k) | ((i << (WARP_BITS - k)) & (PLACES - 1));
                earlier_at[place] = earlier[i];
                block_at[place]   = block[i];
                upto = sum[i*SUM_BITS +: SUM_BITS];
                all  = whole[i*SUM_BITS +: SUM_BITS];
                if (round[k] && (
                    dut.sum_q[place*LINE_BITS +: LINE_BITS] != upto[LINE_BITS-1:0] ||
                    dut.sum_over_q[place] != |upto[SUM_BITS-1:LINE_BITS] ||
                    dut.total_q[place*LINE_BITS +: LINE_BITS] != all[LINE_BITS-1:0] ||
                    dut.total_over_q[place] != |all[SUM_BITS-1:LINE_BITS])) begin
                    adds_up[i] = 1'b0;
                end
            end
            follows = follows && (!round[k] ||
                                  (dut.older_q == earlier_at && dut.block_q == block_at));
            if (k < WARP_BITS) begin
                for (i = 0; i < PLACES; i = i + 1) begin
                    other           = i ^ (1 << k); // in the other half of the block
                    earlier_next[i] = earlier[i] || ((i >> k) % 2 == 1 && block[other]);
                    block_next[i]   = block[i] || block[other];
                    sum_next[i*SUM_BITS +: SUM_BITS] = sum[i*SUM_BITS +: SUM_BITS] +
                        ((i >> k) % 2 == 1 ? whole[other*SUM_BITS +: SUM_BITS] : {SUM_BITS{1'b0}});
                    whole_next[i*SUM_BITS +: SUM_BITS] = whole[i*SUM_BITS +: SUM_BITS] +
                                                         whole[other*SUM_BITS +: SUM_BITS];
                end
                earlier = earlier_next;
                block   = block_next;
                sum     = sum_next;
                whole   = whole_next;
            end
        end
        for (i = 0; i < WARPS; i = i + 1) begin
            must[i] = has[i] && older[i] && sum[i*SUM_BITS +: SUM_BITS] > BIAS + LIMIT;
        end
    end

    // The rows of the last round that has ended, and which of them are held.
    reg [WARPS*LINE_BITS-1:0] ended_rows;
    reg [WARPS-1:0]           must_be;
    always @(posedge clk_i) begin
        if (round[ROUND-1] && !moves_any) begin
            ended_rows <= taken;
            must_be    <= must;
        end
        if (rst_i) begin
            ended_rows <= {WARPS*LINE_BITS{1'b0}};
            must_be    <= {WARPS{1'b0}};
        end
    end

    // Cycles in which no entry has changed, and those until the mask has followed.
    reg [CALM_BITS-1:0] calm, due;
    wire changes = dut.acts || dut.moves_q ||
                   (dut.clear & (dut.inside_q | dut.nearby_q)) != 0;
    always @(posedge clk_i) begin
        calm <= rst_i || changes || moves_any || launch_i != 0 ? 0 : calm == CALM ? calm
                                                                              : calm + 1'b1;
    end
    always @* begin
        due = dut.stale_q ? ROUND + 1 : 0;
        for (k = 0; k < ROUND; k = k + 1) begin
            if (round[k]) begin
                due = ROUND - k + (dut.stale_q ? ROUND : 0);
            end
        end
    end
    // No round is due, and none under way.
    wire settled = !dut.stale_q && round == 0 && !moves_any;

    // Since a round has ended, or the reset, no row has moved: the mask is that round's.
    reg kept;
    always @(posedge clk_i) begin
        kept <= rst_i || (!moves_any && launch_i == 0 && (kept || round[ROUND-1]));
    end

    // Age. A launched slot is taken (the lowest first: proven of wm_priority_encoder), and is the
    // youngest three cycles later; no other moves. Of two slots the one that moved last is younger.
    (* anyconst *) wire [WARP_BITS-1:0] one, two;
    reg [WARPS-1:0]     came;    // have been launched since they were taken
    reg                 younger; // one is younger than two
    reg [WARP_BITS-1:0] row_of_one, row_of_two;
    reg                 some_came, was_taken, was_found;
    reg [WARP_BITS-1:0] taken_before, found_before;
    always @* begin
        assume (one < WARPS && two < WARPS && one != two);
    end
    always @(posedge clk_i) begin
        came         <= (came & ~(dut.taken_q ? 1 << dut.taken_warp_q: 0)) | launch_i;
        some_came    <= (came & ~(dut.taken_q ? 1 << dut.taken_warp_q: 0)) != 0;
        was_taken    <= dut.taken_q;
        taken_before <= dut.taken_warp_q;
        was_found    <= dut.found_q;
        found_before <= dut.found_warp_q;
        if (dut.moves_q && dut.moves_warp_q == one) begin
            younger <= 1'b1;
        end else if (dut.moves_q && dut.moves_warp_q == two) begin
            younger <= 1'b0;
        end
        if (dut.behind_q[row_of_one]) begin
            row_of_one <= dut.moves_warp_q == one ? WARPS - 1 : row_of_one - 1'b1;
        end
        if (dut.behind_q[row_of_two]) begin
            row_of_two <= dut.moves_warp_q == two ? WARPS - 1 : row_of_two - 1'b1;
        end
        if (rst_i) begin
            row_of_one <= one;
            row_of_two <= two;
            came    <= {WARPS{1'b0}};
            younger <= one > two;
        end
    end

    always @* begin
        if (started) begin
            rows_are_by_age: assert (younger == (row_of_one > row_of_two));
            the_row_of_one: assert (dut.slot_q[row_of_one*WARP_BITS +: WARP_BITS] == one);
            the_row_of_two: assert (dut.slot_q[row_of_two*WARP_BITS +: WARP_BITS] == two);
            those_rows_exist: assert (row_of_one < WARPS && row_of_two < WARPS);
            launched_slots_wait: assert (dut.launching_q == came);
            one_of_them_is_taken: assert (was_reset || (dut.taken_q == some_came &&
                (!dut.taken_q || came[dut.taken_warp_q])));
            the_taken_one_is_found: assert (was_reset || (dut.found_q == was_taken &&
                (!was_taken || dut.found_warp_q == taken_before)));
            the_found_one_moves: assert (was_reset || (dut.moves_q == was_found &&
                (!was_found || dut.moves_warp_q == found_before)));
            the_marks_nesting: assert (!dut.mark_q || dut.mark_nest_q ==
                dut.nest_q[dut.mark_warp_q *NEST_BITS +: NEST_BITS]);
            // A warp is in a loop exactly while it has begun more than it has ended.
            in_loop_is_depth: assert (dut.in_loop_q == loops && in_loop_o == loops);
            // The bits of each slot say what its row has.
            inside_is_of_its_row: assert (inside);
            nearby_is_of_its_row: assert (nearby);
            some_warp_is_inside: assert (dut.any == |dut.inside_q);
            footprints_are_bounded: assert (bounded);
            // 5.1: a warp that waits at a barrier has no footprint; nor has one that has ended.
            no_footprint_at_a_barrier: assert (
                (waited & (dut.inside_q | dut.nearby_q)) == 0 || was_reset);
            no_footprint_after_the_end: assert (
                (ended & (dut.inside_q | dut.nearby_q)) == 0 || was_reset);
            // A warp that comes has no footprint and is free to load.
            a_new_warp_is_free: assert (
                (launched & (dut.inside_q | dut.nearby_q | loops | dut.held_q)) == 0 ||
                was_reset);
            nobody_is_held_after_a_reset: assert (!was_reset || (&can_load_o && in_loop_o == 0));
            // One load outside loops is chosen.
            one_is_chosen: assert (dut.chosen_oh_q ==
                                   (dut.chosen_q ? 1 << dut.chosen_warp_q: 0));
            // Places that are compared a cycle ahead are those of the rows.
            the_row_that_is_found: assert (!dut.found_q || dut.finds_q == finds);
            the_four_rows_that_have_it: assert (!dut.found_q || four == dut.four_q);
            the_row_that_moves: assert (!dut.moves_q || dut.leaves_q == leaves);
            none_is_taken_twice_on_end: assert (!dut.found_q || (
                (!dut.taken_q || dut.taken_warp_q != dut.found_warp_q) &&
                (!dut.moves_q || dut.moves_warp_q != dut.found_warp_q)));
            the_slot_that_was_taken: assert (dut.taken_oh_q ==
                                             (dut.taken_q ? 1 << dut.taken_warp_q: 0));
            // The row of the slot that moves, and each one behind it.
            rows_behind_move: assert (dut.behind_q == ({WARPS{dut.moves_q}} &
                                                       (leaves | (dut.behind_q << 1))));
            the_row_of_the_answer: assert (dut.match_q == matches || was_reset);
            the_last_stage_is_one_thing: assert (!(dut.asks3_q && dut.ends3_q));
            nothing_waits_after_a_reset: assert (!was_reset || (dut.stage_q == 0 &&
                !dut.asks3_q && !dut.ends3_q && !dut.begins3_q));
            slots_that_move_are_known: assert (dut.moving_q == moves_any );
            taken_slots_exist: assert ((!dut.taken_q || dut.taken_warp_q < WARPS) &&
                                       (!dut.found_q || dut.found_warp_q < WARPS) &&
                                       (!dut.moves_q || dut.moves_warp_q < WARPS));
            stages_are_of_warps: assert (
                (!dut.stage_q[0] || dut.stage_warp_q[0*WARP_BITS +: WARP_BITS] < WARPS) &&
                (!dut.stage_q[1] || dut.stage_warp_q[1*WARP_BITS +: WARP_BITS] < WARPS) &&
                (!dut.stage_q[2] || dut.stage_warp_q[2*WARP_BITS +: WARP_BITS] < WARPS) &&
                (!(dut.asks3_q || dut.ends3_q || dut.begins3_q) || dut.stage_warp_q[3*WARP_BITS +: WARP_BITS] < WARPS));
            marks_are_of_warps: assert (!dut.mark_q || dut.mark_warp_q < WARPS);
            // One round is under way, or none.
            one_round_is_under_way: assert ((round & (round - 1'b1)) == 0);
            levels_are_added: assert (dut.adds_q == |round[WARP_BITS-1:0]);
            rounds_begin_at_their_end: assert (
                dut.may_q == (round == 0 || round[ROUND-1]));
            // A change that no round has seen makes another one due.
            seen_or_due: assert (dut.stale_q || moves_any || lines == taken);
            // Rows before a row, and of its block, are known to have lines exactly if they do.
            older_rows_have_lines_where_they_do: assert (moves_any || follows);
            rows_that_count: assert (round == 0 || moves_any || dut.counted_q == has);
            ended_rounds_are_of_the_rows: assert (!settled || ended_rows == taken);
            the_mask_is_kept: assert (!settled || kept);
            // The mask stays while rows move, as the round knows them by their old places.
            the_mask_stays_while_rows_move: assert (!moved || was_reset ||
                dut.held_q == (held_before & ~launched));
            // A target is asked for if it lies beyond the mark.
            targets_are_compared: assert (
                dut.new_beyond_q == (dut.target_new_q > dut.mark_pc_q));
            targets_are_ahead: assert (!dut.ask_target_q || was_reset ||
                dut.ask_target_pc_q > dut.ask_pc_q);
            // It is so when nothing has changed for two rounds.
            the_mask_follows: assert (calm == 0 || moves_any || due == 0 || calm + due <= CALM);
            it_has_followed: assert (calm != CALM || settled || moves_any);
        end
    end

    // A row each, as a solver is quicker with many small questions.
    genvar r;
    generate
        for (r = 0; r < PLACES; r = r + 1) begin : g_place
            always @* begin
                if (started) begin
                    assert (moves_any || adds_up[r]); // at the level that the round is at
                end
            end
        end
        for (r = 0; r < WARPS; r = r + 1) begin : g_row
            always @* begin
                if (started) begin
                    // Each slot has a row, and no other row has it. A solver is bad at the counting
                    // by which the second follows from the first.
                    assert (slots[r]);
                    assert (alone[r]);
                    // A slot gets what its row has; a step to what follows.
                    assert (!alone[r] || dut.scattered[dut.slot_q[r*WARP_BITS +: WARP_BITS]] ==
                                          dut.beyond[r]);
                    assert (!round[ROUND-1] || !follows || !adds_up[r] ||
                            dut.counted_q != has || dut.beyond[r] == must[r]);
                    // 5.1: of the rows that the last round took exactly those are held whose lines
                    // with those of all before them are more than the effective size; not the
                    // first with lines, by the block's own rule. Where no round is due, rows are
                    // as that round took them (seen_or_due, ended_rounds_are_of_the_rows). Then
                    // the oldest warp with a footprint may load, as may each without one, and so
                    // the oldest that waits for nothing, as a footprint ends at a barrier: there
                    // is no deadlock.
                    assert (!kept || dut.held_q[dut.slot_q[r*WARP_BITS +: WARP_BITS]] ==
                                     must_be[r]);
                end
            end
        end
    endgenerate

    generate
        if (FEW) begin : g_few
            always @* begin
                if (started) begin
                    sums_by_halves_are_sums_by_rows: assert (must == rows_held(taken));
                    the_mask_is_of_the_rows: assert (must_be == rows_held(ended_rows));
                end
            end
        end
    endgenerate

    always @(posedge clk_i) begin
        shows_a_warp_held_until_the_older_loop_ends: cover (
            started && !rst_i && round[ROUND-1] && dut.held_q != 0 &&
            dut.scattered == 0 && !moves_any && dut.inside_q != 0);
        a_warp_outside_loops_is_held: cover (
            started && !rst_i && (dut.held_q & dut.nearby_q) != 0);
        a_footprint_moves: cover (started && dut.moves_q && dut.inside_q != 0);
    end
endmodule

`default_nettype wire
