// SPDX-License-Identifier: Apache-2.0
// The properties of wm_ccws. Source: Rogers et al., MICRO 2012; DAWS, MICRO 2013, section 4 and
// table 3.
//
// The divider and the sorter are followed from their begin to their end: their proofs, of few warps
// and few bits, look back as many cycles as they take.
`default_nettype none

// The head is made of the port list of wm_ccws: scripts/house/props.py.
`BEGIN_ccws_props
    localparam ID_BITS   = $clog2(WARPS);
    localparam PLACES    = 1 << ID_BITS;
    localparam STAGES    = ID_BITS * (ID_BITS + 1) / 2;
    localparam ROUND     = STAGES + ID_BITS + 2;
    localparam STEPS     = 2 * SCORE_BITS + 3;
    localparam STEP_BITS = $clog2(STEPS + 1);
    localparam SUM_BITS  = SCORE_BITS + ID_BITS + 1;
    localparam FEW       = PLACES <= 4 && COUNT_BITS <= 10; // small enough to look back

    (* hierconn *) wire [WARPS-1:0]            \dut.counted_q ;
    (* hierconn *) wire [WARPS-1:0]            \dut.taken_q ;
    (* hierconn *) wire                        \dut.taken_launch_q ;
    (* hierconn *) wire [WARPS*ID_BITS-1:0]    \dut.rank_q ;
    (* hierconn *) wire [WARPS*SCORE_BITS-1:0] \dut.score_q ;
    (* hierconn *) wire [SCORE_BITS-1:0]       \dut.cutoff_q ;
    (* hierconn *) wire [COUNT_BITS-1:0]       \dut.lost_count_q ;
    (* hierconn *) wire [COUNT_BITS-1:0]       \dut.issued_count_q ;
    (* hierconn *) wire [STEP_BITS-1:0]        \dut.step_q ;
    (* hierconn *) wire [SCORE_BITS-1:0]       \dut.score_new_q ;
    (* hierconn *) wire                        \dut.begins ;
    (* hierconn *) wire                        \dut.sets ;
    (* hierconn *) wire                        \dut.takes ;
    (* hierconn *) wire [ROUND-1:0]            \dut.round_q ; // [ROUND:1] there
    (* hierconn *) wire [WARPS-1:0]            \dut.scattered ;

    reg started = 1'b0;
    reg was_reset;
    always @(posedge clk_i) begin
        started   <= 1'b1;
        was_reset <= rst_i;
    end

    always @* begin
        assume (lost_warp_i < WARPS && issued_i <= ISSUES);
        if (!started) begin
            assume (rst_i);
        end
    end

    // Live warps, ages.
    integer            i, j;
    reg [ID_BITS:0]    live_count;
    reg [WARPS-1:0]    ages;
    reg                above_base;
    always @* begin
        live_count = 0;
        ages       = {WARPS{1'b0}};
        above_base = 1'b1;
        for (i = 0; i < WARPS; i = i + 1) begin
            live_count = live_count + \dut.counted_q [i];
            above_base = above_base && \dut.score_q [i*SCORE_BITS +: SCORE_BITS] >= BASE;
            for (j = 0; j < WARPS; j = j + 1) begin
                ages[j] = ages[j] || \dut.rank_q [i*ID_BITS +: ID_BITS] == j;
            end
        end
    end

    reg [WARPS-1:0] entered;
    always @(posedge clk_i) begin
        entered <= \dut.taken_q & {WARPS{\dut.taken_launch_q }};
    end

    always @* begin
        if (started) begin
            // Table 3: the cutoff is BASE for each live warp.
            cutoff_is_base_a_warp: assert (\dut.cutoff_q == live_count * BASE);
            // Ages are 0 to WARPS - 1, each once.
            each_age_once: assert (&ages);
            // No score falls below BASE, and none is set below it.
            scores_are_base_at_least: assert (above_base);
            new_score_is_base_at_least: assert (!\dut.sets || \dut.score_new_q >= BASE);
            // One slot at most changes in a cycle.
            one_slot_changes: assert ((\dut.taken_q & (\dut.taken_q - 1'b1)) == 0);
            a_launch_is_of_a_slot: assert (!\dut.taken_launch_q || \dut.taken_q != 0);
            // A warp that comes is free to load.
            a_new_warp_may_load: assert ((entered & ~can_load_o) == 0);
            // Nobody is held after a reset.
            nobody_is_held_after_a_reset: assert (!was_reset || &can_load_o);
            one_round_is_under_way: assert ((\dut.round_q & (\dut.round_q - 1'b1)) == 0);
            the_divider_ends: assert (\dut.step_q <= STEPS);
        end
    end

    // The divider: the counts and the cutoff of its begin.
    reg [COUNT_BITS-1:0] lost_then, issued_then;
    reg [SCORE_BITS-1:0] cutoff_then;
    always @(posedge clk_i) begin
        if (\dut.begins ) begin
            lost_then   <= \dut.lost_count_q ;
            issued_then <= \dut.issued_count_q ;
            cutoff_then <= \dut.cutoff_q ;
        end
    end
    wire [COUNT_BITS+SCORE_BITS-1:0] product  = lost_then * cutoff_then;
    wire [COUNT_BITS+SCORE_BITS-1:0] quotient = issued_then == 0 ? 0 : product / issued_then;
    wire [COUNT_BITS+SCORE_BITS-1:0] bounded  =
        lost_then >= issued_then ? cutoff_then : quotient;

    // The sorter: the scores, ages and warps that it took.
    reg [WARPS*SCORE_BITS-1:0] scores;
    reg [WARPS*ID_BITS-1:0]    ranks;
    reg [WARPS-1:0]            live;
    reg [SCORE_BITS-1:0]       bound;
    always @(posedge clk_i) begin
        if (\dut.takes ) begin
            scores <= \dut.score_q ;
            ranks  <= \dut.rank_q ;
            live   <= \dut.counted_q ;
            bound  <= \dut.cutoff_q ;
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

    // Both are followed only where the proof has seen their begin: so many cycles ago at most.
    reg [STEP_BITS-1:0] steps;
    reg [ROUND:0]       rounds;
    always @(posedge clk_i) begin
        steps  <= \dut.begins ? 1 : steps == 0 || steps == STEPS ? 0 : steps + 1'b1;
        rounds <= \dut.takes ? 1 : rounds == 0 || rounds == ROUND ? 0 : rounds + 1'b1;
        if (rst_i) begin
            steps  <= 0;
            rounds <= 0;
        end
    end

    generate
        if (FEW) begin : g_few
            always @* begin
                if (started) begin
                    steps_are_counted: assert (steps == \dut.step_q );
                    rounds_are_counted: assert (
                        \dut.round_q == (rounds == 0 ? 0 : 1 << (rounds - 1)));
                    // DAWS 4: lost K cutoff / issued, the cutoff at most and BASE at least.
                    if (\dut.sets ) begin
                        the_score_is_the_quotient: assert (
                            \dut.score_new_q == (bounded < BASE ? BASE : bounded));
                    end
                    // DAWS 4: held are the warps before whom the scores reach the cutoff, ...
                    if (\dut.round_q [ROUND-1]) begin
                        held_are_those_beyond_the_cutoff: assert (\dut.scattered == held);
                        // ... so that of live warps one at least may load.
                        one_may_load: assert (live == 0 || (live & ~held) != 0);
                    end
                end
            end
        end
    endgenerate

    always @(posedge clk_i) begin
        shows_a_warp_held_by_the_score_of_another: cover (started && !rst_i && !(&can_load_o));
        held_and_free_again: cover (started && !rst_i && \dut.round_q [ROUND-1] &&
                                    !(&can_load_o) && \dut.scattered == 0);
    end
endmodule

`default_nettype wire
