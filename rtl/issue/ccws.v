// SPDX-License-Identifier: Apache-2.0
// wm_ccws: cache-conscious warp scheduling: scores of lost locality, a cutoff, and who may load.
//
// Channels   lost: a warp has missed on a line that it had lost.  issued: warp instructions of this
//            cycle.  live: slots whose warp has instructions left.  launch: slots into which a warp
//            comes.  ticks: time passes.  can_load: warps that may issue a load.
// Timing     a slot that launch or a change of live names waits; of those that wait the lowest is
//            taken, one a cycle, and changed in the next cycle. A lost line's score is there
//            2 * SCORE_BITS + 4 cycles after the divider has begun. The sorter takes all scores in
//            a cycle in which they have changed and it is free, and can_load follows ROUND + 1
//            cycles later: a stage of odd-even merge sort, or a level of the prefix sum, a cycle,
//            then the comparison and the scatter.
// Same cycle a launch before a new score before a tick; a lost line of the cycle counts after them.
// Divider    lost K cutoff / issued, bit by bit of the cutoff: the rest doubles in one cycle, and
//            takes the bit's lost K in the next. lost K of issued and more is the cutoff.
// Sorter     WARPS entries, up to a power of two: the highest score first, of equal ones the
//            oldest. Each reads its partner in a stage; the same paths serve the sum.
// Limits     WARPS 2 to 64; BASE 1 to 1023; K 1 to 255; SCORE_BITS 2 to 16; COUNT_BITS 10 to 31;
//            ISSUES 1 to 4; WARPS * BASE below 2^SCORE_BITS (checked at elaboration). lost_warp_i
//            below WARPS, issued_i up to ISSUES.
// Cost       flip-flops: for each warp 2 * (SCORE_BITS + clog2(WARPS)) + clog2(WARPS) + 8; 6 *
//            COUNT_BITS, 6 * SCORE_BITS, ROUND and some twenty.
// Source     Rogers et al., MICRO 2012; DAWS, MICRO 2013, section 4 and table 3.
// Twins      cmodel/issue/ccws.c  tb/issue/ccws_test.c  tb/issue/ccws_props.v
//            waves/issue/ccws.gtkw
`default_nettype none

module wm_ccws #(
    parameter integer WARPS      = 32,  // of the core
    parameter integer BASE       = 100, // score of a warp that has lost nothing lately
    parameter integer K          = 8,   // weight of a lost line
    parameter integer SCORE_BITS = 12,  // of a score
    parameter integer COUNT_BITS = 24,  // of the counts
    parameter integer ISSUES     = 2    // instructions a cycle at most
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
    localparam integer STAGES  = LEVELS * (LEVELS + 1) / 2;
    localparam integer ROUND   = STAGES + LEVELS + 2;
    localparam integer STEPS   = 2 * SCORE_BITS + 3; // of the divider
    localparam integer STEP_BITS = $clog2(STEPS + 1);
    localparam integer VALUE   = 2 * SCORE_BITS + 1; // a step: the quotient, or the cutoff
    localparam [SCORE_BITS-1:0] BASE_SCORE = BASE[SCORE_BITS-1:0];
    localparam [COUNT_BITS-1:0] WEIGHT     = K[COUNT_BITS-1:0];
    localparam [WARPS-1:0]      WARP_0     = 1;
    localparam integer          YOUNGEST_IS = WARPS - 1;
    localparam [ID_BITS-1:0]    YOUNGEST   = YOUNGEST_IS[ID_BITS-1:0];
    localparam [STEP_BITS-1:0]  LAST_STEP  = STEPS[STEP_BITS-1:0];
    localparam [STEP_BITS-1:0]  VALUE_STEP = VALUE[STEP_BITS-1:0];

    generate
        if (WARPS < 2 || WARPS > 64 || BASE < 1 || BASE > 1023 || K < 1 || K > 255 ||
            SCORE_BITS < 2 || SCORE_BITS > 16 || COUNT_BITS < 10 || COUNT_BITS > 31 ||
            ISSUES < 1 || ISSUES > 4 || WARPS * BASE >= 1 << SCORE_BITS) begin : g_illegal
            wm_ccws_parameters_out_of_range illegal ();
        end
    endgenerate

    // --- slots that change ---

    reg [WARPS-1:0] live_q, launching_q, counted_q;
    reg [WARPS-1:0] taken_q; // one-hot; none: no slot was taken in the last cycle
    reg             taken_live_q, taken_launch_q;
    reg [WARPS*ID_BITS-1:0] rank_q, rank_d; // by age, the oldest 0
    reg [SCORE_BITS-1:0]    cutoff_q;

    wire [WARPS-1:0] waiting = (launching_q | (live_q ^ counted_q)) & ~taken_q;
    wire [WARPS-1:0] lowest  = waiting & (~waiting + WARP_0);
    wire             changes = |taken_q;
    wire [WARPS-1:0] enters  = taken_q & {WARPS{taken_launch_q}};
    wire             counted = |(taken_q & counted_q);

    reg [ID_BITS-1:0] taken_rank;
    integer i;
    always @* begin
        taken_rank = {ID_BITS{1'b0}};
        for (i = 0; i < WARPS; i = i + 1) begin
            taken_rank = taken_rank | ({ID_BITS{taken_q[i]}} & rank_q[i*ID_BITS +: ID_BITS]);
        end
        rank_d = rank_q;
        for (i = 0; i < WARPS; i = i + 1) begin
            if (enters[i]) begin
                rank_d[i*ID_BITS +: ID_BITS] = YOUNGEST;
            end else if (taken_launch_q && rank_q[i*ID_BITS +: ID_BITS] > taken_rank) begin
                rank_d[i*ID_BITS +: ID_BITS] = rank_q[i*ID_BITS +: ID_BITS] - 1'b1;
            end
            if (rst_i) begin
                rank_d[i*ID_BITS +: ID_BITS] = i[ID_BITS-1:0];
            end
        end
    end

    always @(posedge clk_i) begin
        rank_q         <= rank_d;
        taken_live_q   <= |(lowest & live_q);
        taken_launch_q <= |(lowest & launching_q) && !rst_i;
        if (rst_i) begin
            live_q      <= {WARPS{1'b0}};
            launching_q <= {WARPS{1'b0}};
            counted_q   <= {WARPS{1'b0}};
            taken_q     <= {WARPS{1'b0}};
            cutoff_q    <= {SCORE_BITS{1'b0}};
        end else begin
            live_q      <= live_i;
            launching_q <= (launching_q & ~lowest) | launch_i;
            taken_q     <= lowest;
            counted_q   <= (counted_q & ~taken_q) | (taken_q & {WARPS{taken_live_q}});
            if (changes && taken_live_q && !counted) begin
                cutoff_q <= cutoff_q + BASE_SCORE;
            end
            if (changes && !taken_live_q && counted) begin
                cutoff_q <= cutoff_q - BASE_SCORE;
            end
        end
    end

    // --- counts ---

    reg [COUNT_BITS-1:0] lost_count_q, issued_count_q;
    wire halve = lost_count_q[COUNT_BITS-1] || issued_count_q[COUNT_BITS-1];
    wire [COUNT_BITS-1:0] lost_base   = halve ? lost_count_q >> 1 : lost_count_q;
    wire [COUNT_BITS-1:0] issued_base = halve ? issued_count_q >> 1 : issued_count_q;
    always @(posedge clk_i) begin
        if (rst_i || counted_q == {WARPS{1'b0}}) begin
            lost_count_q   <= {COUNT_BITS{1'b0}};
            issued_count_q <= {COUNT_BITS{1'b0}};
        end else begin
            lost_count_q   <= lost_base + (lost_valid_i ? WEIGHT : {COUNT_BITS{1'b0}});
            issued_count_q <=
                issued_base + {{(COUNT_BITS - $clog2(ISSUES + 1)){1'b0}}, issued_i};
        end
    end

    // --- the divider ---

    reg [WARPS-1:0]      lost_q;
    reg [STEP_BITS-1:0]  step_q; // 0: it waits
    reg [COUNT_BITS-1:0] divided_q, divisor_q, missing_q, rest_q; // missing: divisor - divided
    reg [SCORE_BITS-1:0] bits_q, quotient_q; // of the cutoff, the highest first, in a circle
    reg                  full_q;             // divided is not below the divisor
    reg [SCORE_BITS-1:0] score_new_q;

    wire begins = step_q == {STEP_BITS{1'b0}} && lost_q != {WARPS{1'b0}};
    wire sets   = step_q == LAST_STEP;
    wire [COUNT_BITS:0] difference = {1'b0, divisor_q} - {1'b0, divided_q};
    wire                doubles    = step_q[0];
    wire [COUNT_BITS+1:0] less_divisor = {1'b0, rest_q, 1'b0} - {2'b00, divisor_q};
    wire [COUNT_BITS:0]   less_missing = {1'b0, rest_q} - {1'b0, missing_q};
    wire                  doubled_reaches = !less_divisor[COUNT_BITS+1];
    wire                  reaches      = !less_missing[COUNT_BITS] && bits_q[SCORE_BITS-1];
    wire [SCORE_BITS-1:0] quotient_1   = quotient_q + 1'b1;

    always @(posedge clk_i) begin
        if (rst_i || sets) begin
            step_q <= {STEP_BITS{1'b0}};
        end else if (begins || step_q != {STEP_BITS{1'b0}}) begin
            step_q <= step_q + 1'b1;
        end
        if (step_q == {{(STEP_BITS-1){1'b0}}, 1'b1}) begin
            missing_q <= difference[COUNT_BITS-1:0];
            full_q    <= difference[COUNT_BITS] || divisor_q == divided_q;
        end
        if (step_q == {STEP_BITS{1'b0}}) begin
            divided_q  <= lost_count_q;
            divisor_q  <= issued_count_q;
            rest_q     <= {COUNT_BITS{1'b0}};
            quotient_q <= {SCORE_BITS{1'b0}};
            bits_q     <= cutoff_q;
        end else if (doubles) begin
            rest_q     <=
                doubled_reaches ? less_divisor[COUNT_BITS-1:0] : {rest_q[COUNT_BITS-2:0], 1'b0};
            quotient_q <= {quotient_q[SCORE_BITS-2:0], doubled_reaches};
        end else begin
            rest_q     <= reaches                ? less_missing[COUNT_BITS-1:0] :
                          bits_q[SCORE_BITS-1] ? rest_q + divided_q : rest_q;
            quotient_q <= reaches ? quotient_1 : quotient_q;
            bits_q     <= {bits_q[SCORE_BITS-2:0], bits_q[SCORE_BITS-1]};
        end
        if (step_q == VALUE_STEP) begin
            score_new_q <= full_q ? bits_q : quotient_q;
        end else if (score_new_q < BASE_SCORE) begin
            score_new_q <= BASE_SCORE;
        end
    end

    // --- scores ---

    reg [WARPS*SCORE_BITS-1:0] score_q, score_d;
    reg                        falls; // a score does
    always @* begin
        falls   = 1'b0;
        score_d = score_q;
        for (i = 0; i < WARPS; i = i + 1) begin
            if (rst_i || enters[i]) begin
                score_d[i*SCORE_BITS +: SCORE_BITS] = BASE_SCORE;
            end else if (sets && lost_q[i]) begin
                score_d[i*SCORE_BITS +: SCORE_BITS] = score_new_q;
            end else if (ticks_i && score_q[i*SCORE_BITS +: SCORE_BITS] != BASE_SCORE) begin
                score_d[i*SCORE_BITS +: SCORE_BITS] = score_q[i*SCORE_BITS +: SCORE_BITS] - 1'b1;
            end
            if (ticks_i && score_q[i*SCORE_BITS +: SCORE_BITS] != BASE_SCORE) begin
                falls = 1'b1;
            end
        end
    end

    always @(posedge clk_i) begin
        score_q <= score_d;
        if (rst_i) begin
            lost_q <= {WARPS{1'b0}};
        end else begin
            lost_q <= (lost_q & ~enters & ~{WARPS{sets}}) |
                      (lost_valid_i ? WARP_0 << lost_warp_i : {WARPS{1'b0}});
        end
    end

    // --- the sorter ---

    reg [ROUND:1] round_q; // one-hot: cycles since the scores were taken; none: it waits
    reg           stale_q; // what it took is no longer so
    wire          takes = stale_q && (round_q[ROUND] || round_q == {ROUND{1'b0}});
    always @(posedge clk_i) begin
        if (rst_i) begin
            round_q <= {ROUND{1'b0}};
            stale_q <= 1'b0;
        end else begin
            round_q <= {round_q[ROUND-1:1], takes};
            stale_q <= changes || falls || sets || (stale_q && !takes);
        end
    end

    reg [PLACES*SCORE_BITS-1:0] place_score_q; // then the sum of it and all before
    reg [PLACES*ID_BITS-1:0]    place_rank_q, place_slot_q;
    reg [PLACES-1:0]            place_live_q;
    reg [SCORE_BITS-1:0]        bound_q;
    reg [PLACES-1:0]            beyond_q; // the scores before it reach the bound

    localparam integer ENTRY_BITS = SCORE_BITS + 2 * ID_BITS + 1;

    // Batcher's odd-even merge sort (Knuth, 5.2.2, M) merges lists of 2^k with strides of 2^k and
    // then 2^(k-1) to 1: stride 2^l has stage k (k + 1) / 2 + k - l + 1. Place p is the lower of a
    // pair, to which the higher score goes, if its bit l is 0 in the first stride of a merge, and
    // 1 in the others.
    genvar p, l, k;
    generate
        for (p = 0; p < PLACES; p = p + 1) begin : g_place
            wire [ENTRY_BITS-1:0] own = {place_score_q[p*SCORE_BITS +: SCORE_BITS],
                                         place_rank_q[p*ID_BITS +: ID_BITS],
                                         place_slot_q[p*ID_BITS +: ID_BITS], place_live_q[p]};
            // What it may be compared with or adds: of each stride, while it is so.
            wire [LEVELS*ENTRY_BITS-1:0] seen;
            wire [LEVELS-1:0]            is_lower, is_upper, adds;
            for (l = 0; l < LEVELS; l = l + 1) begin : g_stride
                localparam integer STRIDE = 1 << l;
                localparam integer ODD    = p / STRIDE % 2;
                wire [ENTRY_BITS-1:0] above, below;
                wire [LEVELS-1:l]     lower, upper; // in the merge of lists of 2^k
                for (k = l; k < LEVELS; k = k + 1) begin : g_merge
                    localparam integer WITHIN = p % (2 << k);
                    localparam integer FIRST  = k == l ? 1 : 0;
                    wire now = round_q[k * (k + 1) / 2 + k - l + 1];
                    assign lower[k] = ODD != FIRST && WITHIN + STRIDE < 2 << k && now;
                    assign upper[k] = ODD == FIRST && WITHIN >= STRIDE && now;
                end
                assign is_lower[l] = |lower;
                assign is_upper[l] = |upper;
                assign adds[l]     = p >= STRIDE && round_q[STAGES+1+l];
                if (p + STRIDE < PLACES) begin : g_above
                    assign above = g_place[p+STRIDE].own;
                end else begin : g_none_above
                    assign above = {ENTRY_BITS{1'b0}};
                end
                if (p >= STRIDE) begin : g_below
                    assign below = g_place[p-STRIDE].own;
                end else begin : g_none_below
                    assign below = {ENTRY_BITS{1'b0}};
                end
                assign seen[l*ENTRY_BITS +: ENTRY_BITS] = ({ENTRY_BITS{is_lower[l]}} & above) |
                    ({ENTRY_BITS{is_upper[l] || adds[l]}} & below);
            end
            reg [ENTRY_BITS-1:0] other;
            integer m;
            always @* begin
                other = {ENTRY_BITS{1'b0}};
                for (m = 0; m < LEVELS; m = m + 1) begin
                    other = other | seen[m*ENTRY_BITS +: ENTRY_BITS];
                end
            end
            wire [SCORE_BITS-1:0] own_score   = own[ENTRY_BITS-1 -: SCORE_BITS];
            wire [SCORE_BITS-1:0] other_score = other[ENTRY_BITS-1 -: SCORE_BITS];
            wire [ID_BITS-1:0]    own_rank    = own[1+ID_BITS +: ID_BITS];
            wire [ID_BITS-1:0]    other_rank  = other[1+ID_BITS +: ID_BITS];
            wire other_first = {other_score, ~other_rank} > {own_score, ~own_rank};
            wire swaps = other_first ? |is_lower : |is_upper;
            wire [SCORE_BITS:0] sum = {1'b0, own_score} + {1'b0, other_score};

            wire [SCORE_BITS-1:0] taken_score;
            wire [ID_BITS-1:0]    taken_age;
            wire                  taken_live;
            if (p < WARPS) begin : g_warp
                assign taken_score =
                    counted_q[p] ? score_q[p*SCORE_BITS +: SCORE_BITS] : {SCORE_BITS{1'b0}};
                assign taken_age   = rank_q[p*ID_BITS +: ID_BITS];
                assign taken_live  = counted_q[p];
            end else begin : g_nobody
                assign taken_score = {SCORE_BITS{1'b0}};
                assign taken_age   = {ID_BITS{1'b1}};
                assign taken_live  = 1'b0;
            end

            always @(posedge clk_i) begin
                if (takes) begin
                    place_score_q[p*SCORE_BITS +: SCORE_BITS] <= taken_score;
                    place_rank_q[p*ID_BITS +: ID_BITS]        <= taken_age;
                    place_slot_q[p*ID_BITS +: ID_BITS]        <= p[ID_BITS-1:0];
                    place_live_q[p]                           <= taken_live;
                end else begin
                    if (|adds) begin
                        place_score_q[p*SCORE_BITS +: SCORE_BITS] <=
                            sum[SCORE_BITS-1:0] | {SCORE_BITS{sum[SCORE_BITS]}};
                    end else if (swaps) begin
                        place_score_q[p*SCORE_BITS +: SCORE_BITS] <= other_score;
                    end
                    if (swaps) begin
                        place_rank_q[p*ID_BITS +: ID_BITS] <= other_rank;
                        place_slot_q[p*ID_BITS +: ID_BITS] <= other[1 +: ID_BITS];
                        place_live_q[p]                    <= other[0];
                    end
                end
                if (p == 0) begin
                    beyond_q[p] <= 1'b0;
                end else begin
                    beyond_q[p] <= place_live_q[p] &&
                        place_score_q[(p > 0 ? p - 1 : 0)*SCORE_BITS +: SCORE_BITS] >= bound_q;
                end
            end
        end
    endgenerate

    // --- who is held ---

    reg [WARPS-1:0] held_q, scattered;
    integer q;
    always @* begin
        scattered = {WARPS{1'b0}};
        for (q = 0; q < PLACES; q = q + 1) begin
            scattered = scattered |
                ({{(WARPS-1){1'b0}}, beyond_q[q]} << place_slot_q[q*ID_BITS +: ID_BITS]);
        end
    end

    always @(posedge clk_i) begin
        if (takes) begin
            bound_q <= cutoff_q;
        end
        if (rst_i) begin
            held_q <= {WARPS{1'b0}};
        end else begin
            held_q <= (round_q[ROUND] ? scattered : held_q) & ~enters;
        end
    end

    assign can_load_o = ~held_q;
endmodule

`default_nettype wire
