// SPDX-License-Identifier: Apache-2.0
// The properties of wm_ccws. Source: Rogers et al., MICRO 2012; DAWS, MICRO 2013, section 4 and
// table 3.
//
// The counts are those of a plain counter; the divider keeps an equation from step to step. The
// round is followed from its begin to its end: its proof, of few warps, looks back as many cycles
// as it takes.
`default_nettype none

// The head, with dut and started, is made from wm_ccws: python/warpmem/tools/props.py.
`BEGIN_ccws_props
    localparam ID_BITS   = $clog2(WARPS);
    localparam PLACES    = 1 << ID_BITS;
    localparam TURNS     = ID_BITS * (ID_BITS - 1) + 1; // of the sorter
    localparam ROUND     = 2 * TURNS + WARPS + 4;
    localparam STEPS     = 9 * SCORE_BITS + 9;
    localparam STEP_BITS = $clog2(STEPS + 1);
    localparam SUM_BITS  = SCORE_BITS + ID_BITS + 1;
    localparam LOW_BITS  = 9;
    localparam MID_BITS  = (COUNT_BITS - LOW_BITS + 1) / 2;
    localparam SHIFT     = $clog2(CUTOFFS);
    localparam PRODUCT   = COUNT_BITS + SHIFT + SCORE_BITS + 2;
    localparam FEW       = PLACES <= 4; // small enough to look back

    reg was_reset;
    always @(posedge clk_i) begin
        was_reset <= rst_i;
    end

    always @* begin
        assume (lost_warp_i < WARPS && issued_i <= ISSUES);
    end

    // Live warps, ages.
    integer            i, j;
    reg [ID_BITS:0]    live_count;
    reg [WARPS-1:0]    ages;
    reg [ID_BITS-1:0]  taken_rank;
    reg [WARPS-1:0]    younger;
    reg                above_base;
    reg                borrows_at_zero;
    always @* begin
        live_count = 0;
        ages       = {WARPS{1'b0}};
        taken_rank = 0;
        above_base = 1'b1;
        borrows_at_zero = 1'b1;
        for (i = 0; i < WARPS; i = i + 1) begin
            live_count = live_count + dut.counted_q[i];
            above_base = above_base && dut.score_q[i*SCORE_BITS +: SCORE_BITS] >= BASE;
            borrows_at_zero = borrows_at_zero && dut.borrow_q[i] ==
                              (dut.score_q[i*SCORE_BITS +: SCORE_BITS / 2] == 0);
            if (dut.taken_q[i]) begin
                taken_rank = taken_rank | dut.rank_q[i*ID_BITS +: ID_BITS];
            end
            younger[i] = dut.rank_q[i*ID_BITS +: ID_BITS] > dut.taken_rank_q;
            for (j = 0; j < WARPS; j = j + 1) begin
                ages[j] = ages[j] || dut.rank_q[i*ID_BITS +: ID_BITS] == j;
            end
        end
    end

    reg [WARPS-1:0] entered;
    always @(posedge clk_i) begin
        entered <= dut.taken_q & {WARPS{dut.changes_q && dut.taken_launch_q}};
    end

    always @* begin
        if (started) begin
            // Table 3: the cutoff is BASE for each live warp.
            cutoff_is_base_a_warp: assert (dut.cutoff_q == live_count * BASE);
            // Ages are 0 to WARPS - 1, each once.
            each_age_once: assert (&ages);
            // No score falls below BASE, and none is set below it.
            scores_are_base_at_least: assert (above_base);
            low_half_of_a_score_borrows_at_zero: assert (borrows_at_zero);
            new_score_is_base_at_least: assert (!dut.sets_q || dut.score_new_q >= BASE);
            // One slot at most changes in a cycle, and as it was read.
            one_slot_changes: assert ((dut.taken_q & (dut.taken_q - 1'b1)) == 0);
            a_slot_changes: assert (
                !(dut.reads_q || dut.compares_q || dut.changes_q) || dut.taken_q != 0);
            one_thing_is_done_with_it: assert (
                dut.picks_q + dut.reads_q + dut.compares_q + dut.changes_q <= 3'd1);
            what_was_read_holds: assert (!(dut.compares_q || dut.changes_q) ||
                (dut.taken_rank_q == taken_rank &&
                 dut.taken_counted_q == |(dut.taken_q & dut.counted_q)));
            younger_ones_are_known: assert (!dut.changes_q || dut.younger_q == younger);
            // A warp that comes is free to load.
            a_new_warp_may_load: assert (was_reset || (entered & ~can_load_o) == 0);
            // Nobody is held after a reset.
            nobody_is_held_after_a_reset: assert (!was_reset || &can_load_o);
            the_divider_ends: assert (dut.step_q <= STEPS);
            it_sets_the_score_last: assert (dut.sets_q == (dut.step_q == STEPS));
        end
    end

    // The counts: plain ones, that halve when a top bit was set two cycles before.
    reg [COUNT_BITS-1:0] lost, issued;
    reg                  was_full, halves;
    wire full = lost[COUNT_BITS-1] || issued[COUNT_BITS-1];
    always @(posedge clk_i) begin
        lost     <= (halves ? lost >> 1 : lost) + (lost_valid_i ? K : 0);
        issued   <= (halves ? issued >> 1 : issued) + issued_i;
        was_full <= full && !halves;
        halves   <= was_full && !halves;
        if (rst_i || dut.counted_q == 0) begin
            lost     <= 0;
            issued   <= 0;
            was_full <= 1'b0;
            halves   <= 1'b0;
        end
    end
    function [COUNT_BITS:0] whole(input [COUNT_BITS-1:0] count, input [1:0] carries);
        whole = count + (carries[0] << LOW_BITS) + (carries[1] << (LOW_BITS + MID_BITS));
    endfunction
    always @* begin
        if (started) begin
            lost_lines_are_counted: assert (
                whole(dut.count[0 +: COUNT_BITS], dut.carries[1:0]) == lost);
            instructions_are_counted: assert (
                whole(dut.count[COUNT_BITS +: COUNT_BITS], dut.carries[3:2]) == issued);
            // DAWS 4 says nothing of it; the block does as its C twin.
            counts_halve_two_cycles_after_a_top_bit: assert (dut.halve == halves);
        end
    end

    // The divider: the counts of its begin, and the highest score, CUTOFFS cutoffs.
    reg [COUNT_BITS-1:0] lost_then, issued_then;
    reg [SCORE_BITS-1:0] most_then;
    always @(posedge clk_i) begin
        if (dut.begins) begin
            lost_then   <= lost;
            issued_then <= issued;
            most_then  <= dut.cutoff_q << SHIFT;
        end
    end
    wire [PRODUCT-1:0] limit = issued_then << SHIFT; // the score is highest * lost / limit

    localparam FIRST = 7; // step of the first bit
    wire [STEP_BITS-1:0] bit_step = dut.step_q - FIRST;
    wire [STEP_BITS-1:0] bits     = bit_step / 9; // that are divided
    wire                 in_bits  = dut.step_q >= FIRST && bits < SCORE_BITS;
    wire                 divided  = dut.step_q == STEPS - 2; // the quotient is there
    wire [SCORE_BITS-1:0] prefix  = most_then >> (SCORE_BITS - bits);
    wire [PRODUCT-1:0] most = (1 << bits) - 1;
    wire is_full = lost_then >= limit;
    // The quotient, what the bits of the highest score so far are times the lines, and the quotient times
    // the limit: by adding, as no solver multiplies well.
    reg [SCORE_BITS-1:0] most_bits, quotient;
    reg [PRODUCT-1:0]    lines_sum, taken;
    wire [PRODUCT-1:0]   bit_lines = dut.bits_q[SCORE_BITS-1] ? lost_then : 0;
    wire                 reaches   = dut.rest_q >= limit;
    wire [PRODUCT-1:0]   takes     = reaches ? limit : 0;
    always @(posedge clk_i) begin
        if (dut.step_q == FIRST - 1) begin
            most_bits <= 0;
            quotient    <= 0;
            lines_sum   <= 0;
            taken       <= 0;
        end
        if (dut.phase_q[2]) begin
            quotient <= 2 * quotient + reaches;
            taken    <= 2 * taken + takes;
        end
        if (dut.phase_q[8]) begin
            quotient    <= quotient + reaches;
            taken       <= taken + takes;
            most_bits <= {most_bits, dut.bits_q[SCORE_BITS-1]};
            lines_sum   <= 2 * lines_sum + bit_lines;
        end
    end
    wire [PRODUCT-1:0] twice = 2 * lines_sum;
    wire [PRODUCT-1:0] rest  = dut.rest_q;
    wire [SCORE_BITS-1:0] ratio = is_full ? most_then : quotient;
    always @* begin
        if (started) begin
            bits_are_in_step: assert (dut.phase_q == (in_bits ? 1 << (bit_step % 9) : 0));
            if (dut.step_q == 1 || dut.step_q == 2) begin
                lines_are_taken: assert (
                    whole(dut.divided_q, dut.divided_carry_q) == lost_then);
                instructions_are_taken: assert (
                    whole(dut.divisor_q, dut.divisor_carry_q) == issued_then);
            end
            if (dut.step_q == 2) begin
                one_carry_is_left: assert (!dut.divided_carry_q[0] && !dut.divisor_carry_q[0]);
            end
            if (dut.step_q >= 3) begin
                both_are_divided: assert (
                    dut.divided_q == lost_then && dut.divisor_q == issued_then);
            end
            if (dut.step_q != 0 && dut.step_q < FIRST) begin
                the_highest_is_taken: assert (dut.bits_q == most_then);
            end
            if (dut.step_q >= 4 && dut.step_q < FIRST) begin
                it_begins_with_the_lines: assert (dut.rest_q == lost_then);
            end
            if (in_bits || divided) begin
                the_bits_so_far: assert (most_bits == prefix);
                sums_do_not_wrap: assert (lines_sum <= (most << COUNT_BITS) - most);
                full_at_lines_of_the_limit: assert (dut.full_q == is_full);
                the_highest_goes_round: assert (
                    dut.bits_q == (most_then << bits | most_then >> (SCORE_BITS - bits)));
            end
            // quotient = bits of the highest x lines / limit, from step to step.
            if (!is_full) begin
                if (dut.phase_q[2:0] != 0 || divided) begin
                    before_a_bit: assert (twice == 2 * taken + rest && rest < 2 * limit);
                end
                if (dut.phase_q[5:3] != 0) begin
                    doubled: assert (
                        taken <= twice && twice - taken == rest && rest < limit);
                end
                if (dut.phase_q[8:6] != 0) begin
                    with_the_bit: assert (
                        taken <= twice + bit_lines &&
                        twice + bit_lines - taken == rest && rest < 2 * limit);
                end
                if (in_bits || divided) begin
                    the_quotient: assert (dut.quotient_q == quotient);
                end
            end
            // DAWS 4: lost K cutoff / issued, CUTOFFS cutoffs at most and BASE at least.
            if (dut.step_q == STEPS - 1) begin
                the_score_is_the_quotient: assert (dut.score_new_q == ratio);
            end
            if (dut.sets_q) begin
                the_score_is_base_at_least: assert (
                    dut.score_new_q == (ratio < BASE ? BASE : ratio));
            end
        end
    end

    // The round: the scores, ages and warps that it took.
    reg [WARPS*SCORE_BITS-1:0] scores;
    reg [WARPS*ID_BITS-1:0]    ranks;
    reg [WARPS-1:0]            live;
    reg [SCORE_BITS-1:0]       bound;
    always @(posedge clk_i) begin
        if (dut.takes_q) begin
            scores <= dut.score_q;
            ranks  <= dut.rank_q;
            live   <= dut.counted_q;
            bound  <= dut.cutoff_q;
        end
    end
    reg [SUM_BITS-1:0] before; // scores of the warps that come before one
    reg [WARPS-1:0]    held;
    always @* begin
        for (i = 0; i < WARPS; i = i + 1) begin
            before = 0;
            for (j = 0; j < WARPS; j = j + 1) begin
                if (live[j] && (scores[j*SCORE_BITS +: SCORE_BITS] >
                                    scores[i*SCORE_BITS +: SCORE_BITS] ||
                                (scores[j*SCORE_BITS +: SCORE_BITS] ==
                                     scores[i*SCORE_BITS +: SCORE_BITS] &&
                                 ranks[j*ID_BITS +: ID_BITS] < ranks[i*ID_BITS +: ID_BITS]))) begin
                    before = before + scores[j*SCORE_BITS +: SCORE_BITS];
                end
            end
            held[i] = live[i] && before >= bound;
        end
    end

    localparam ROUND_BITS = $clog2(ROUND + 2);
    reg [ROUND_BITS-1:0] round; // its cycles
    always @(posedge clk_i) begin
        round <= rst_i ? 0 : dut.starts ? 1 : round == 0 || round == ROUND ? 0 : round + 1'b1;
    end
    localparam SCAN = 2 * TURNS + 2; // the first cycle of it
    wire                  sorts = round >= 2 && round < SCAN;
    wire [ROUND_BITS-1:0] turn  = (round - 2) / 2 + ID_BITS - 1;
    always @* begin
        if (started) begin
            a_round_is_under_way: assert (dut.busy_q == (round != 0) && round <= ROUND);
            it_takes_first: assert (dut.takes_q == (round == 1));
            all_places_are_loaded: assert (dut.load_q == {(PLACES/2){round == 1}});
            then_it_sorts: assert (dut.sorting_q == sorts);
            every_other_cycle_it_moves: assert (dut.moves_q == (sorts && round[0]));
            it_merges_in_turn: assert (!sorts || (dut.merge_q == 1 << (turn / ID_BITS) &&
                                                  dut.turn_q == 1 << (turn % ID_BITS)));
            then_it_scans: assert (dut.scan_q ==
                (round < SCAN || round >= SCAN + WARPS ? 0 : 1 << (round - SCAN)));
            then_it_ends: assert (dut.after_q ==
                (round < SCAN + WARPS ? 0 : 1 << (round - SCAN - WARPS)));
        end
    end

    generate
        if (FEW) begin : g_few
            always @* begin
                if (started) begin
                    // DAWS 4: held are the warps before whom the scores reach the cutoff, ...
                    if (dut.ends) begin
                        held_are_those_beyond_the_cutoff: assert (dut.scattered_q == held);
                        // ... so that of live warps one at least may load.
                        one_may_load: assert (live == 0 || (live & ~held) != 0);
                    end
                end
            end
        end
    endgenerate

    // A warp is held 50 cycles after the reset at the earliest, too many for a solver that may choose
    // all inputs of each. So the covers are of the run with a story: all warps come and stay, nothing
    // is issued, then one line is lost, and time passes while a warp is held. Assertions are proven
    // with and without it.
    (* anyconst *) reg story;
    reg                lost_before;
    always @(posedge clk_i) begin
        lost_before <= !rst_i && (lost_before || lost_valid_i);
    end
    always @* begin
        if (story && started) begin
            assume (!rst_i && &live_i && launch_i == 0 && issued_i == 0);
            assume (lost_warp_i == 0 && lost_valid_i == (!lost_before && &dut.counted_q));
            assume (ticks_i == !(&can_load_o));
        end
    end

    always @(posedge clk_i) begin
        shows_a_warp_held_by_the_score_of_another: cover (story && started && !(&can_load_o));
        held_and_free_again: cover (story && started && dut.ends &&
                                    !(&can_load_o) && dut.scattered_q == 0);
    end
endmodule

`default_nettype wire
