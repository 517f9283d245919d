// SPDX-License-Identifier: Apache-2.0
// wm_ccws: cache-conscious warp scheduling: scores of lost locality, and the warps that may load.
//
// Channels   lost: a warp has missed on a line that it had lost.  issued: warp instructions of this
//            cycle.  live: slots whose warp has instructions left.  launch: slots into which a warp
//            comes.  ticks: time passes.  can_load: warps that may issue a load.
// Timing     a slot waits after a launch or a change of live. The lowest waiting slot is taken, one
//            in five cycles, and changes in the fourth cycle after. The score of a lost line is
//            ready 9 * SCORE_BITS + 10 cycles after the divider has begun. A round takes all scores
//            in the cycle after they have changed, if none is under way; can_load follows after two
//            cycles for each turn of the sorter and one for each warp that is added.
// Same cycle a launch goes before a new score, a new score before a tick; a line that is lost in
//            the cycle counts after them.
// Divider    it works out lost * K * cutoff / issued, a bit of the cutoff at a time: the rest
//            doubles, lost * K is added where the bit is 1, and the rest is reduced after both.
//            Both factors of issued * score have CUTOFFS in them, a shift: so lost * K stays below
//            the divisor where the score stays below the bound. Else the result is the bound.
// Sorter     it sorts WARPS entries, filled up to a power of two: the highest score first, among
//            equal ones the oldest. The wiring is the same for all turns, with half as many
//            comparators as places. One adder then adds the places in turn (docs/area.md says why).
// Limits     WARPS 2 to 64; BASE 1 to 1023; K 1 to 255; SCORE_BITS 2 to 20; COUNT_BITS 11 to 31;
//            ISSUES 1 to 4; CUTOFFS 1, 2, 4, 8 or 16; WARPS * BASE * CUTOFFS below 2^SCORE_BITS
//            (checked at elaboration). lost_warp_i below WARPS, issued_i up to ISSUES.
// Cost       flip-flops: for each warp 2 * SCORE_BITS + 3 * clog2(WARPS) + 13; 7 * COUNT_BITS,
//            7 * SCORE_BITS, 3 * clog2(CUTOFFS) and some sixty.
// Source     Rogers et al., MICRO 2012; DAWS, MICRO 2013, section 4 and table 3.
// Twins      cmodel/issue/ccws.c  tb/issue/ccws_test.c  tb/issue/ccws_props.v
//            waves/issue/ccws.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_ccws #(
    parameter integer WARPS      = 32,  // of the core
    parameter integer BASE       = 100, // score of a warp that has lost nothing lately
    parameter integer K          = 8,   // weight of a lost line
    parameter integer SCORE_BITS = 15,  // of a score
    parameter integer COUNT_BITS = 24,  // of the counts
    parameter integer ISSUES     = 2,   // instructions a cycle at most
    parameter integer CUTOFFS    = 8    // bound of a score
) (
    input  wire                          clk_i,        // clock
    input  wire                          rst_i,        // synchronous; no warp, no counts
    input  wire                          lost_valid_i, // a lost line
    input  wire [$clog2(WARPS)-1:0]      lost_warp_i,  // of this warp
    input  wire [$clog2(ISSUES + 1)-1:0] issued_i,     // instructions
    input  wire [WARPS-1:0]              live_i,       // slots with a warp
    input  wire [WARPS-1:0]              launch_i,     // slots into which one comes
    input  wire                          ticks_i,      // scores above BASE fall by 1
    output wire [WARPS-1:0]              can_load_o    // warps that may issue a load
);
    localparam integer ID_BITS = $clog2(WARPS);
    localparam integer LEVELS  = ID_BITS;
    localparam integer PLACES  = 1 << LEVELS; // of the sorter
    localparam integer READ_BITS  = SCORE_BITS + ID_BITS + 1;
    localparam integer ENTRY_BITS = READ_BITS + ID_BITS;
    localparam integer ISSUE_BITS = $clog2(ISSUES + 1);
    localparam integer HALF_BITS  = SCORE_BITS / 2; // of a score
    localparam integer TOP_HALF   = SCORE_BITS - HALF_BITS;
    localparam integer LOW_BITS   = 9; // of a count: twice K and more
    localparam integer MID_BITS   = (COUNT_BITS - LOW_BITS + 1) / 2;
    localparam integer HIGH_BITS  = COUNT_BITS > 10 ? COUNT_BITS - LOW_BITS - MID_BITS : 1;
    localparam integer SHIFT      = $clog2(CUTOFFS);
    localparam integer REST_BITS  = COUNT_BITS + SHIFT + 1; // of the divider's rest
    localparam integer PART_BITS  = (REST_BITS + 2) / 3;
    localparam integer TOP_BITS   = REST_BITS - 2 * PART_BITS;
    localparam integer STEPS      = 9 * SCORE_BITS + 9; // of the divider
    localparam integer STEP_BITS  = $clog2(STEPS + 1);
    localparam integer LAST_BIT_IS = STEPS - 3;
    localparam integer VALUE_IS    = STEPS - 2; // the quotient, or the cutoff
    localparam integer BOUND_IS    = STEPS - 1; // BASE at least
    localparam integer LESS_IS     = (1 << SCORE_BITS) - BASE;
    localparam [SCORE_BITS-1:0] BASE_SCORE = BASE[SCORE_BITS-1:0];
    localparam [SCORE_BITS-1:0] LESS_BASE  = LESS_IS[SCORE_BITS-1:0];
    localparam [LOW_BITS-1:0]   WEIGHT     = K[LOW_BITS-1:0];
    localparam [HALF_BITS-1:0]  LOW_1      = 1;
    localparam [WARPS-1:0]      WARP_0     = 1;
    localparam integer          YOUNGEST_IS = WARPS - 1;
    localparam [ID_BITS-1:0]    YOUNGEST   = YOUNGEST_IS[ID_BITS-1:0];
    localparam [STEP_BITS-1:0]  CARRY_STEP = 1;
    localparam [STEP_BITS-1:0]  CARRIED_STEP = 2;
    localparam [STEP_BITS-1:0]  FIRST_STEP = 3;
    localparam [STEP_BITS-1:0]  FULL_STEP  = 6;
    localparam [STEP_BITS-1:0]  LAST_BIT   = LAST_BIT_IS[STEP_BITS-1:0];
    localparam [STEP_BITS-1:0]  VALUE_STEP = VALUE_IS[STEP_BITS-1:0];
    localparam [STEP_BITS-1:0]  BOUND_STEP = BOUND_IS[STEP_BITS-1:0];
    localparam [LEVELS-1:0]     FIRST_MERGE = 1;
    localparam integer          LAST_TURN_IS = 1 << (LEVELS - 1);
    localparam [LEVELS-1:0]     LAST_TURN  = LAST_TURN_IS[LEVELS-1:0];

    generate
        if (WARPS < 2 || WARPS > 64 || BASE < 1 || BASE > 1023 || K < 1 || K > 255 ||
            SCORE_BITS < 2 || SCORE_BITS > 20 || COUNT_BITS < 11 || COUNT_BITS > 31 ||
            ISSUES < 1 || ISSUES > 4 || CUTOFFS < 1 || CUTOFFS > 16 ||
            (CUTOFFS & (CUTOFFS - 1)) != 0 || WARPS * BASE * CUTOFFS >= 1 << SCORE_BITS)
        begin : g_illegal
            wm_ccws_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_WORD_OF(rank_of, WARPS, ID_BITS)

    // --- slots that change ---

    reg [WARPS-1:0] live_q, launching_q, counted_q;
    reg [WARPS-1:0] waiting_q;
    reg [WARPS-1:0] taken_q;                     // one-hot
    reg [WARPS-1:0] younger_q;                   // than the slot that is taken
    reg             picks_q, reads_q, compares_q, changes_q; // in this cycle; none: it waits
    reg             taken_live_q, taken_launch_q, taken_counted_q;
    reg [ID_BITS-1:0]       taken_rank_q;
    reg [WARPS*ID_BITS-1:0] rank_q; // by age, the oldest 0
    reg [SCORE_BITS-1:0]    cutoff_q;

    wire [WARPS-1:0] waiting = launching_q | (live_q ^ counted_q);
    wire             idle    = !picks_q && !reads_q && !compares_q && !changes_q;
    wire [WARPS-1:0] lowest;
    wire             enter   = changes_q && taken_launch_q;
    wire [WARPS-1:0] enters  = taken_q & {WARPS{enter}};
    wire [WARPS-1:0] looked  = taken_q & {WARPS{reads_q}};
    wire [WARPS-1:0] changed = taken_q & {WARPS{changes_q}};
    wire             comes   = taken_live_q && !taken_counted_q;
    wire             goes    = !taken_live_q && taken_counted_q;

    wire               unused_valid;
    wire [ID_BITS-1:0] unused_index;
    wm_priority_encoder #(.REQUESTERS(WARPS)) encoder (
        .req_valid_i(waiting_q),
        .grant_valid_o(unused_valid),
        .grant_oh_o(lowest),
        .grant_index_o(unused_index)
    );

    always @(posedge clk_i) begin
        waiting_q       <= waiting;
        if (reads_q) begin
            taken_rank_q    <= rank_of(rank_q, taken_q);
            taken_live_q    <= |(taken_q & live_q);
            taken_launch_q  <= |(taken_q & launching_q);
            taken_counted_q <= |(taken_q & counted_q);
        end
        if (rst_i) begin
            live_q      <= {WARPS{1'b0}};
            launching_q <= {WARPS{1'b0}};
            counted_q   <= {WARPS{1'b0}};
            taken_q     <= {WARPS{1'b0}};
            picks_q     <= 1'b0;
            reads_q     <= 1'b0;
            compares_q  <= 1'b0;
            changes_q   <= 1'b0;
            cutoff_q    <= {SCORE_BITS{1'b0}};
        end else begin
            live_q      <= live_i;
            launching_q <= (launching_q & ~looked) | launch_i;
            if (picks_q) begin
                taken_q <= lowest;
            end
            picks_q     <= idle && waiting != {WARPS{1'b0}};
            reads_q     <= picks_q;
            compares_q  <= reads_q;
            changes_q   <= compares_q;
            counted_q   <= (counted_q & ~changed) | (changed & {WARPS{taken_live_q}});
            if (changes_q && (comes || goes)) begin
                cutoff_q <= cutoff_q + (comes ? BASE_SCORE : LESS_BASE);
            end
        end
    end

    genvar w;
    generate
        for (w = 0; w < WARPS; w = w + 1) begin : g_age
            localparam integer       AGE_IS = w;
            localparam [ID_BITS-1:0] AGE    = AGE_IS[ID_BITS-1:0];
            wire [ID_BITS-1:0] rank = rank_q[w*ID_BITS +: ID_BITS];
            always @(posedge clk_i) begin
                younger_q[w] <= rank > taken_rank_q;
                if (rst_i) begin
                    rank_q[w*ID_BITS +: ID_BITS] <= AGE;
                end else if (enters[w]) begin
                    rank_q[w*ID_BITS +: ID_BITS] <= YOUNGEST;
                end else if (enter && younger_q[w]) begin
                    rank_q[w*ID_BITS +: ID_BITS] <= rank - 1'b1;
                end
            end
        end
    endgenerate

    // --- counts ---

    // Lost lines and instructions, each in three parts. A part adds the carry of the part below in
    // the next cycle. Carries are so far apart that halving keeps one at most.
    wire [2*COUNT_BITS-1:0] count;   // 0: lines, 1: instructions; without what is carried
    wire [3:0]              carries; // into the middle and the high part
    wire [1:0]              half_full;
    wire                    halve = |half_full;
    genvar c;
    generate
        for (c = 0; c < 2; c = c + 1) begin : g_count
            reg  [LOW_BITS-1:0]  low_q;
            reg  [MID_BITS-1:0]  mid_q;
            reg  [HIGH_BITS-1:0] high_q;
            reg                  mid_carry_q, high_carry_q;
            wire [LOW_BITS-1:0]  adds = c == 1 ? {{(LOW_BITS-ISSUE_BITS){1'b0}}, issued_i} :
                                        lost_valid_i ? WEIGHT : {LOW_BITS{1'b0}};
            wire [LOW_BITS:0] whole = {1'b0, low_q} + {1'b0, adds};
            wire [LOW_BITS:0] half  =
                {1'b0, mid_q[0] ^ mid_carry_q, low_q[LOW_BITS-1:1]} + {1'b0, adds};
            wire [MID_BITS:0] mid   = {1'b0, mid_q} + {{MID_BITS{1'b0}}, mid_carry_q};
            wire [MID_BITS-1:0] mid_half = (mid_q >> 1) |
                {high_q[0] ^ high_carry_q, {(MID_BITS-1){1'b0}}};
            always @(posedge clk_i) begin
                low_q        <= halve ? half[LOW_BITS-1:0] : whole[LOW_BITS-1:0];
                mid_carry_q  <=
                    halve ? half[LOW_BITS] || (mid_q[0] && mid_carry_q) : whole[LOW_BITS];
                mid_q        <= halve ? mid_half : mid[MID_BITS-1:0];
                high_carry_q <= halve ? high_q[0] && high_carry_q : mid[MID_BITS];
                high_q       <= halve ? high_q >> 1 :
                                        high_q + {{(HIGH_BITS-1){1'b0}}, high_carry_q};
                if (rst_i || cutoff_q == {SCORE_BITS{1'b0}}) begin // no warp is counted
                    low_q        <= {LOW_BITS{1'b0}};
                    mid_carry_q  <= 1'b0;
                    mid_q        <= {MID_BITS{1'b0}};
                    high_carry_q <= 1'b0;
                    high_q       <= {HIGH_BITS{1'b0}};
                end
            end
            assign count[c*COUNT_BITS +: COUNT_BITS] = {high_q, mid_q, low_q};
            assign carries[2*c +: 2] = {high_carry_q, mid_carry_q};
            assign half_full[c] = high_q[HIGH_BITS-1];
        end
    endgenerate

    // --- the divider ---

    reg [WARPS-1:0]      lost_q;
    reg [STEP_BITS-1:0]  step_q;  // 0: it waits
    reg [8:0]            phase_q; // of a bit, one-hot
    reg                  adding_q; // in its second operation
    reg [COUNT_BITS-1:0] divided_q, divisor_q;
    reg  [1:0]           divided_carry_q, divisor_carry_q; // into the middle and the high part
    reg [REST_BITS-1:0]  rest_q;
    reg [PART_BITS:0]    part_1_q, part_2_q; // of a difference or sum: bits, and what they carry
    reg [TOP_BITS:0]     part_3_q;           // the highest, and the sign
    reg [SCORE_BITS-1:0] bits_q, quotient_q; // of the cutoff, the highest first, in a circle
    reg                  full_q;             // divided is not below the divisor: the bound
    reg [SCORE_BITS-1:0] score_new_q;

    wire [MID_BITS:0]    divided_mid  =
        {1'b0, divided_q[LOW_BITS +: MID_BITS]} + {{MID_BITS{1'b0}}, divided_carry_q[0]};
    wire [MID_BITS:0]    divisor_mid  =
        {1'b0, divisor_q[LOW_BITS +: MID_BITS]} + {{MID_BITS{1'b0}}, divisor_carry_q[0]};
    wire [HIGH_BITS-1:0] divided_high = divided_q[COUNT_BITS-1 -: HIGH_BITS] +
                                        {{(HIGH_BITS-1){1'b0}}, divided_carry_q[1]};
    wire [HIGH_BITS-1:0] divisor_high = divisor_q[COUNT_BITS-1 -: HIGH_BITS] +
                                        {{(HIGH_BITS-1){1'b0}}, divisor_carry_q[1]};

    wire begins = step_q == {STEP_BITS{1'b0}} && lost_q != {WARPS{1'b0}};
    reg  sets_q;
    wire [REST_BITS-1:0] divisor = {{(SHIFT+1){1'b0}}, divisor_q} << SHIFT;
    wire [REST_BITS-1:0] addend  =
        {{(SHIFT+1){1'b0}}, divided_q & {COUNT_BITS{bits_q[SCORE_BITS-1]}}};
    wire [PART_BITS-1:0] part_1    = rest_q[PART_BITS-1:0];
    wire [PART_BITS-1:0] part_2    = rest_q[2*PART_BITS-1:PART_BITS];
    wire [TOP_BITS-1:0]  part_3    = rest_q[REST_BITS-1:2*PART_BITS];
    wire [PART_BITS:0]   less_1    = {1'b0, part_1} - {1'b0, divisor[PART_BITS-1:0]};
    wire [PART_BITS:0]   less_2    = {1'b0, part_2} - {1'b0, divisor[2*PART_BITS-1:PART_BITS]};
    wire [TOP_BITS:0]    less_3    = {1'b0, part_3} - {1'b0, divisor[REST_BITS-1:2*PART_BITS]};
    wire [PART_BITS:0]   more_1    = {1'b0, part_1} + {1'b0, addend[PART_BITS-1:0]};
    wire [PART_BITS:0]   more_2    = {1'b0, part_2} + {1'b0, addend[2*PART_BITS-1:PART_BITS]};
    wire [TOP_BITS:0]    more_3    = {1'b0, part_3} + {1'b0, addend[REST_BITS-1:2*PART_BITS]};
    // The borrow or carry of the middle part, in the next cycle.
    wire                 one_1     = part_1_q[PART_BITS];
    wire                 borrow_2  =
        part_2_q[PART_BITS] || (one_1 && part_2_q[PART_BITS-1:0] == {PART_BITS{1'b0}});
    wire                 carry_2   = part_2_q[PART_BITS] || (one_1 && &part_2_q[PART_BITS-1:0]);
    wire                 reaches   = !part_3_q[TOP_BITS] &&
        !(borrow_2 && part_3_q[TOP_BITS-1:0] == {TOP_BITS{1'b0}});
    // These registers follow while the parts keep their values.
    reg                  borrow_2_q, carry_2_q, reaches_q;
    wire [REST_BITS-1:0] less      = {
        borrow_2_q ? part_3_q[TOP_BITS-1:0] - 1'b1 : part_3_q[TOP_BITS-1:0],
        part_2_q[PART_BITS-1:0] - {{(PART_BITS-1){1'b0}}, one_1}, part_1_q[PART_BITS-1:0]};
    wire [REST_BITS-1:0] more      = {
        carry_2_q ? part_3_q[TOP_BITS-1:0] + 1'b1 : part_3_q[TOP_BITS-1:0],
        part_2_q[PART_BITS-1:0] + {{(PART_BITS-1){1'b0}}, one_1}, part_1_q[PART_BITS-1:0]};
    wire [REST_BITS-1:0]  rest_less  = reaches_q ? less : rest_q;
    wire [SCORE_BITS-1:0] quotient_1 = quotient_q + 1'b1;

    always @(posedge clk_i) begin
        sets_q <= step_q == BOUND_STEP && !rst_i;
        if (rst_i || sets_q) begin
            step_q <= {STEP_BITS{1'b0}};
        end else if (begins || step_q != {STEP_BITS{1'b0}}) begin
            step_q <= step_q + 1'b1;
        end
    end

    always @(posedge clk_i) begin
        if (step_q == {STEP_BITS{1'b0}}) begin
            divided_q       <= count[0 +: COUNT_BITS];
            divided_carry_q <= carries[1:0];
            divisor_q       <= count[COUNT_BITS +: COUNT_BITS];
            divisor_carry_q <= carries[3:2];
            bits_q          <= cutoff_q << SHIFT;
        end
        if (step_q == CARRY_STEP || step_q == CARRIED_STEP) begin
            divided_q[COUNT_BITS-1:LOW_BITS] <= {divided_high, divided_mid[MID_BITS-1:0]};
            divided_carry_q                  <= {divided_mid[MID_BITS], 1'b0};
            divisor_q[COUNT_BITS-1:LOW_BITS] <= {divisor_high, divisor_mid[MID_BITS-1:0]};
            divisor_carry_q                  <= {divisor_mid[MID_BITS], 1'b0};
        end
        // Without a conditional, because Yosys would select before a single adder.
        part_1_q <= ({(PART_BITS+1){adding_q}} & more_1) | ({(PART_BITS+1){!adding_q}} & less_1);
        part_2_q <= ({(PART_BITS+1){adding_q}} & more_2) | ({(PART_BITS+1){!adding_q}} & less_2);
        part_3_q <= ({(TOP_BITS+1){adding_q}} & more_3) | ({(TOP_BITS+1){!adding_q}} & less_3);
        borrow_2_q <= borrow_2;
        carry_2_q  <= carry_2;
        reaches_q  <= reaches;
        // A bit takes three steps of three cycles: the doubled rest less the divisor; plus the
        // lines where the bit is 1; less the divisor again.
        phase_q  <= {phase_q[7:0], step_q == FULL_STEP || (phase_q[8] && step_q != LAST_BIT)} &
                    {9{!rst_i}};
        adding_q <= phase_q[2] || phase_q[3];
        if (step_q == FIRST_STEP) begin
            rest_q <= {{(SHIFT+1){1'b0}}, divided_q};
        end
        if (step_q == FULL_STEP) begin
            full_q     <= reaches_q;
            rest_q     <= {REST_BITS{1'b0}};
            quotient_q <= {SCORE_BITS{1'b0}};
        end
        if (phase_q[2]) begin
            rest_q     <= rest_less;
            quotient_q <= {quotient_q[SCORE_BITS-2:0], reaches_q};
        end
        if (phase_q[5]) begin
            rest_q <= more;
        end
        if (phase_q[8]) begin
            rest_q     <= {rest_less[REST_BITS-2:0], 1'b0};
            quotient_q <= reaches_q ? quotient_1 : quotient_q;
            bits_q     <= {bits_q[SCORE_BITS-2:0], bits_q[SCORE_BITS-1]};
        end
        if (step_q == VALUE_STEP) begin
            score_new_q <= full_q ? bits_q : quotient_q;
        end else if (score_new_q < BASE_SCORE) begin
            score_new_q <= BASE_SCORE;
        end
    end

    // --- scores ---

    reg  [WARPS*SCORE_BITS-1:0] score_q;
    reg  [WARPS-1:0]            borrow_q; // the low half is 0
    wire [WARPS-1:0]            falling;  // above BASE
    wire                        falls = ticks_i && falling != {WARPS{1'b0}};
    generate
        for (w = 0; w < WARPS; w = w + 1) begin : g_score
            wire [HALF_BITS-1:0] low  = score_q[w*SCORE_BITS +: HALF_BITS];
            wire [TOP_HALF-1:0]  high = score_q[w*SCORE_BITS+HALF_BITS +: TOP_HALF];
            assign falling[w] = {high, low} != BASE_SCORE;
            always @(posedge clk_i) begin
                if (rst_i || enters[w]) begin
                    score_q[w*SCORE_BITS +: SCORE_BITS] <= BASE_SCORE;
                    borrow_q[w] <= BASE_SCORE[HALF_BITS-1:0] == {HALF_BITS{1'b0}};
                end else if (sets_q && lost_q[w]) begin
                    score_q[w*SCORE_BITS +: SCORE_BITS] <= score_new_q;
                    borrow_q[w] <= score_new_q[HALF_BITS-1:0] == {HALF_BITS{1'b0}};
                end else if (ticks_i && falling[w]) begin
                    score_q[w*SCORE_BITS +: SCORE_BITS] <=
                        {high - {{(TOP_HALF-1){1'b0}}, borrow_q[w]}, low - 1'b1};
                    borrow_q[w] <= low == LOW_1;
                end
            end
        end
    endgenerate

    always @(posedge clk_i) begin
        if (rst_i) begin
            lost_q <= {WARPS{1'b0}};
        end else begin
            lost_q <= (lost_q & ~enters & ~{WARPS{sets_q}}) |
                      (lost_valid_i ? WARP_0 << lost_warp_i : {WARPS{1'b0}});
        end
    end

    // --- the round: take the scores, sort them, add them up ---

    reg              stale_q; // what was taken is no longer so
    reg              busy_q, takes_q, sorting_q, moves_q;
    reg [LEVELS-1:0] merge_q, turn_q; // one-hot: lists of 2, 4, ... become one; bits in turn
    reg [WARPS-1:0]  scan_q;          // one-hot: the place that is read
    reg [2:0]        after_q;         // cycles after the last one
    wire ends   = after_q[2];
    wire starts = stale_q && (!busy_q || ends) && !rst_i;
    wire sorted = moves_q && merge_q[LEVELS-1] && turn_q[LEVELS-1];
    always @(posedge clk_i) begin
        if (rst_i) begin
            stale_q   <= 1'b0;
            busy_q    <= 1'b0;
            takes_q   <= 1'b0;
            sorting_q <= 1'b0;
            moves_q   <= 1'b0;
            scan_q    <= {WARPS{1'b0}};
            after_q   <= 3'b000;
        end else begin
            stale_q   <= changes_q || falls || sets_q || (stale_q && !takes_q);
            busy_q    <= starts || (busy_q && !ends);
            takes_q   <= starts;
            sorting_q <= takes_q || (sorting_q && !sorted);
            moves_q   <= sorting_q && !moves_q;
            scan_q    <= {scan_q[WARPS-2:0], sorted};
            after_q   <= {after_q[1:0], scan_q[WARPS-1]};
        end
        if (takes_q) begin
            merge_q <= FIRST_MERGE;
            turn_q  <= LAST_TURN;
        end else if (moves_q) begin
            merge_q <= turn_q[LEVELS-1] ? merge_q << 1 : merge_q;
            turn_q  <= turn_q << 1 | {{(LEVELS-1){1'b0}}, turn_q[LEVELS-1]};
        end
    end

    // A move is a perfect shuffle: the place's bits rotate, so that pair i, places 2 i and 2 i + 1,
    // holds entries of which bit 0, LEVELS - 1, ..., 1, 0, ... of the number differs. A merge of
    // lists of 2^m to lists twice as long compares in the last m turns of LEVELS. (Bitonic sort,
    // Stone 1971.) The lists that bit m of an entry's number marks are sorted upwards.
    reg [LEVELS:1] upwards; // by bit - 1 of the pair
    reg            compares;
    integer m, n;
    always @* begin
        upwards  = {LEVELS{1'b0}};
        compares = 1'b0;
        for (m = 1; m <= LEVELS; m = m + 1) begin
            for (n = 1; n <= m; n = n + 1) begin
                compares   = compares || (merge_q[m-1] && turn_q[LEVELS-1-m+n]);
                upwards[n] = upwards[n] || (m < LEVELS && merge_q[m-1] && turn_q[LEVELS-1-m+n]);
            end
        end
    end

    wire [PLACES*ENTRY_BITS-1:0] first; // of each slot: rank, score, slot, live
    reg  [PLACES*ENTRY_BITS-1:0] entry_q;
    reg  [PLACES/2-1:0]          load_q, straight_q, crossed_q; // what a pair does in this cycle
    genvar p;
    generate
        for (p = 0; p < PLACES; p = p + 1) begin : g_first
            localparam integer       SLOT_IS = p;
            localparam [ID_BITS-1:0] SLOT    = SLOT_IS[ID_BITS-1:0];
            if (p < WARPS) begin : g_warp
                assign first[p*ENTRY_BITS +: ENTRY_BITS] = {
                    rank_q[p*ID_BITS +: ID_BITS],
                    score_q[p*SCORE_BITS +: SCORE_BITS] & {SCORE_BITS{counted_q[p]}}, SLOT,
                    counted_q[p]};
            end else begin : g_nobody
                assign first[p*ENTRY_BITS +: ENTRY_BITS] = {
                    {ID_BITS{1'b1}}, {SCORE_BITS{1'b0}}, SLOT, 1'b0};
            end
        end

        for (p = 0; p < PLACES / 2; p = p + 1) begin : g_pair
            localparam integer        PAIR_IS = 2 * p;
            localparam [LEVELS:0]     PAIR    = PAIR_IS[LEVELS:0];
            localparam integer        EVEN_TO = 4 * p % PLACES + 4 * p / PLACES;
            localparam integer        ODD_TO  = (4 * p + 2) % PLACES + (4 * p + 2) / PLACES;
            wire [ENTRY_BITS-1:0] even = entry_q[2*p*ENTRY_BITS +: ENTRY_BITS];
            wire [ENTRY_BITS-1:0] odd  = entry_q[(2*p+1)*ENTRY_BITS +: ENTRY_BITS];
            wire odd_first = {odd[1+ID_BITS +: SCORE_BITS], ~odd[READ_BITS +: ID_BITS]} >
                             {even[1+ID_BITS +: SCORE_BITS], ~even[READ_BITS +: ID_BITS]};
            wire exchanges = compares && odd_first != |(upwards & PAIR[LEVELS:1]);
            always @(posedge clk_i) begin
                // Each looks at itself, or Yosys would make one of them that drives all places.
                load_q[p]     <= starts && !load_q[p];
                straight_q[p] <= sorting_q && !moves_q && !exchanges;
                crossed_q[p]  <= sorting_q && !moves_q && exchanges;
                if (load_q[p]) begin
                    entry_q[EVEN_TO*ENTRY_BITS +: ENTRY_BITS] <=
                        first[EVEN_TO*ENTRY_BITS +: ENTRY_BITS];
                    entry_q[ODD_TO*ENTRY_BITS +: ENTRY_BITS]  <=
                        first[ODD_TO*ENTRY_BITS +: ENTRY_BITS];
                end else if (straight_q[p] || crossed_q[p]) begin
                    entry_q[EVEN_TO*ENTRY_BITS +: ENTRY_BITS] <= crossed_q[p] ? odd : even;
                    entry_q[ODD_TO*ENTRY_BITS +: ENTRY_BITS]  <= crossed_q[p] ? even : odd;
                end
            end
        end
    endgenerate

    // Places in order: the numbers are rotated once after 1 + LEVELS (LEVELS - 1) moves.
    reg [READ_BITS-1:0]  read, read_q; // without the rank
    reg [SCORE_BITS-1:0] bound_q, sum_q; // the scores before read_q
    reg [ID_BITS-1:0]    slot_q;
    reg                  beyond_q; // the scores before it reach the bound
    reg [WARPS-1:0]      held_q, scattered_q;
    wire [SCORE_BITS:0]  sum = {1'b0, sum_q} + {1'b0, read_q[READ_BITS-1 -: SCORE_BITS]};
    integer q;
    always @* begin
        read = {READ_BITS{1'b0}};
        for (q = 0; q < WARPS; q = q + 1) begin
            read = read | (entry_q[(2 * q % PLACES + 2 * q / PLACES)*ENTRY_BITS +: READ_BITS] &
                           {READ_BITS{scan_q[q]}});
        end
    end

    always @(posedge clk_i) begin
        read_q   <= read;
        slot_q   <= read_q[1 +: ID_BITS];
        beyond_q <= read_q[0] && sum_q >= bound_q;
        if (takes_q) begin
            bound_q     <= cutoff_q;
            sum_q       <= {SCORE_BITS{1'b0}};
            scattered_q <= {WARPS{1'b0}};
        end else begin
            sum_q       <= sum[SCORE_BITS-1:0] | {SCORE_BITS{sum[SCORE_BITS]}};
            scattered_q <= scattered_q | ({{(WARPS-1){1'b0}}, beyond_q} << slot_q);
        end
        if (rst_i) begin
            held_q <= {WARPS{1'b0}};
        end else begin
            held_q <= (ends ? scattered_q : held_q) & ~enters;
        end
    end

    assign can_load_o = ~held_q;
endmodule

`default_nettype wire
