// SPDX-License-Identifier: Apache-2.0
// wm_bpg: bypassing parameter generator: how many warps, or CTAs, use the L1.
//
// Channels   acc: an access that the cache takes, or that bypasses it.  fail: failures since the
//            last edge.  limit: how many use the cache; CALCULATORS: all do.
// Behaviour  calculator i counts the hits in shadow tag array i. After every INTERVAL accesses the
//            limit becomes the L of 1 to CALCULATORS with the most adjusted hits,
//                hits * 2^HITS_SHIFT - failures * (L/N)^3 * E,
//            the largest L of equal ones; then all counters are halved (cmodel/l1/bpg.h).
// Timing     if an interval's last access is in cycle c, the failures are copied at its edge, and
//            the hits at that of c + 3, when the last access's own have come. From c + 2 on a
//            calculator a cycle passes seven stages: one reads the weight from a table; one works
//            out its product with the failures as some terms; one subtracts these from the hits,
//            which leaves two terms; two add these; two find the best so far. limit_o follows in
//            c + CALCULATORS + 9.
// Same cycle clear goes before all else; fail_count_i before an access that ends its interval. The
//            end of an interval halves the counters after they have counted its cycle.
// Limits     cmodel/l1/bpg_ports.h (checked at elaboration). An interval is longer than the
//            pipeline, so at most one limit is on its way.
// Cost       wm_shadow_tags; flip-flops: CALCULATORS * (2 * HIT_BITS + 1) + 2 * FAIL_BITS +
//            clog2(INTERVAL) + the stages, some 150 at the paper's parameters.
// Source     MDB, DAC 2016, sections 5.3 and 6, figure 5.
// Twins      cmodel/l1/bpg.c  tb/l1/bpg_test.c  tb/l1/bpg_props.v  waves/l1/bpg.gtkw
`default_nettype none

module wm_bpg #(
    parameter integer CALCULATORS = 8,    // warps or CTAs that are counted separately
    parameter integer SET_BITS    = 5,    // bits of the cache's set number
    parameter integer WAYS        = 4,    // ways of the cache
    parameter integer LINE_BITS   = 44,   // bits of a line number
    parameter integer TAG_BITS    = 32,   // bits of a tag
    parameter integer INTERVAL    = 1000, // accesses from one limit to the next
    parameter integer HIT_BITS    = 10,   // bits of a hit counter
    parameter integer FAIL_BITS   = 12,   // bits of the counter of failures
    parameter integer COUNT_BITS  = 12,   // bits of the failures of one cycle
    parameter integer HITS_SHIFT  = 3,    // log2 of the weight of a sampled hit
    parameter integer E_64THS     = 32,   // weight of a failure against a hit
    parameter integer RESCALE     = 0     // 1: failures were counted at the limit in force
) (
    input  wire                               clk_i,        // clock
    input  wire                               rst_i,        // synchronous
    input  wire                               clear_i,      // all begins anew
    input  wire                               acc_valid_i,  // an access
    input  wire [$clog2(CALCULATORS+1)-1:0]   acc_number_i, // its warp or CTA
    input  wire [LINE_BITS-1:0]               acc_line_i,   // its line's number
    input  wire [SET_BITS-1:0]                acc_set_i,    // the line's set in the cache
    input  wire [COUNT_BITS-1:0]              fail_count_i, // reservation failures
    input  wire [$clog2(CALCULATORS+1)-1:0]   resident_i,   // warps or CTAs in the core (N)
    output wire                               first_o,      // the next access begins an interval
    output wire [$clog2(CALCULATORS+1)-1:0]   limit_o,      // that use the cache (L)
    output wire                               limit_new_o   // it was computed, or cleared
);
    localparam integer SAMPLED_BITS  = 3;  // sets that are 0 modulo 8 are sampled
    localparam integer FRACTION_BITS = 15; // of a value: weights are 512ths, E is in 64ths
    localparam integer NUMBER_BITS   = $clog2(CALCULATORS + 1);
    localparam integer INDEX_BITS    = $clog2(CALCULATORS);
    localparam integer ACC_BITS      = $clog2(INTERVAL);
    localparam integer LAST_IS       = INTERVAL - 1;
    localparam [ACC_BITS-1:0]    LAST = LAST_IS[ACC_BITS-1:0];
    localparam [NUMBER_BITS-1:0] ALL  = CALCULATORS[NUMBER_BITS-1:0];
    localparam [NUMBER_BITS-1:0] ONE  = 1;

    generate
        if (CALCULATORS < 2 || CALCULATORS > 8 || SET_BITS < 4 || SET_BITS > 9 || WAYS < 2 ||
            WAYS > 8 || LINE_BITS < 10 || LINE_BITS > 58 || TAG_BITS < 1 || TAG_BITS > 32 ||
            INTERVAL < 24 || INTERVAL > 65536 || HIT_BITS < 4 || HIT_BITS > 16 ||
            FAIL_BITS < 4 || FAIL_BITS > 16 || COUNT_BITS < 1 || COUNT_BITS > 16 ||
            HITS_SHIFT < 0 || HITS_SHIFT > 4 || E_64THS < 0 || E_64THS > 64 || RESCALE < 0 ||
            RESCALE > 1) begin : g_illegal
            wm_bpg_parameters_out_of_range illegal ();
        end
    endgenerate

    // 512 * (part / whole)^3, rounded to the nearest, times E.
    function integer weight_of(input integer part, input integer whole);
        weight_of = (part * part * part * 512 + whole * whole * whole / 2) /
                    (whole * whole * whole) * E_64THS;
    endfunction

    localparam integer MOST_WEIGHT  = weight_of(RESCALE != 0 ? CALCULATORS : 1, 1);
    localparam integer WEIGHT_BITS  = MOST_WEIGHT > 0 ? $clog2(MOST_WEIGHT + 1) : 1;
    localparam integer PRODUCT_BITS = FAIL_BITS + WEIGHT_BITS;
    localparam integer HITS_BITS    = HIT_BITS + HITS_SHIFT + FRACTION_BITS;
    localparam integer VALUE_BITS   = (PRODUCT_BITS > HITS_BITS ? PRODUCT_BITS : HITS_BITS) + 1;
    // A number for each part and whole, from 1 on.
    localparam integer TABLE_BITS   = CALCULATORS * CALCULATORS * 32;

    function [TABLE_BITS-1:0] weight_table(input unused);
        integer part, whole;
        begin
            weight_table = {TABLE_BITS{1'b0}};
            for (part = 1; part <= CALCULATORS; part = part + 1) begin
                for (whole = 1; whole <= CALCULATORS; whole = whole + 1) begin
                    weight_table[((part-1)*CALCULATORS+whole-1)*32 +: 32] =
                        RESCALE != 0 || part <= whole ? weight_of(part, whole) : 0;
                end
            end
        end
    endfunction
    localparam [TABLE_BITS-1:0] WEIGHTS = weight_table(1'b0);

    wire rst = rst_i || clear_i;

    // --- the interval ------------------------------------------------------------------------
    reg [ACC_BITS-1:0]    accesses_q, accesses_d; // of this interval
    reg [FAIL_BITS-1:0]   fails_q, fails_d;
    reg [NUMBER_BITS-1:0] resident_q, resident_d; // N of this interval
    reg [FAIL_BITS-1:0]   base_fails_q;           // of the last one
    reg [NUMBER_BITS-1:0] base_resident_q;
    reg [2:0]             ends_q;                 // its last access is in the tags

    wire ends = acc_valid_i && accesses_q == LAST;

    localparam integer SUM_BITS = (FAIL_BITS > COUNT_BITS ? FAIL_BITS : COUNT_BITS) + 1;
    wire [SUM_BITS-1:0]  fail_sum = {{(SUM_BITS-FAIL_BITS){1'b0}}, fails_q} +
                                    {{(SUM_BITS-COUNT_BITS){1'b0}}, fail_count_i};
    wire [FAIL_BITS-1:0] fails    = fail_sum[FAIL_BITS-1:0] |
                                    {FAIL_BITS{|fail_sum[SUM_BITS-1:FAIL_BITS]}};

    assign first_o = accesses_q == {ACC_BITS{1'b0}};

    always @* begin
        accesses_d = accesses_q;
        fails_d    = ends ? fails >> 1 : fails;
        resident_d = resident_q;
        if (acc_valid_i) begin
            accesses_d = ends ? {ACC_BITS{1'b0}} : accesses_q + 1'b1;
            if (first_o) begin
                resident_d = resident_i > ALL ? ALL : resident_i < ONE ? ONE : resident_i;
            end
        end
        if (rst) begin
            accesses_d = {ACC_BITS{1'b0}};
            fails_d    = {FAIL_BITS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        accesses_q <= accesses_d;
        fails_q    <= fails_d;
        resident_q <= resident_d;
        ends_q     <= rst ? 3'd0 : {ends_q[1:0], ends};
        if (ends) begin
            base_fails_q    <= fails;
            base_resident_q <= resident_q;
        end
    end

    // --- hits --------------------------------------------------------------------------------
    localparam integer PADDED_BITS = LINE_BITS + TAG_BITS;
    wire [PADDED_BITS-1:0] padded_line = {{TAG_BITS{1'b0}}, acc_line_i};
    wire [CALCULATORS-1:0] hit;
    wire                   hit_valid;
    wire                   sampled = acc_valid_i && acc_number_i < ALL &&
                                     acc_set_i[SAMPLED_BITS-1:0] == {SAMPLED_BITS{1'b0}};
    wire unused_line = ^{padded_line[PADDED_BITS-1:SET_BITS+TAG_BITS], padded_line[SET_BITS-1:0]};

    wm_shadow_tags #(
        .ARRAYS(CALCULATORS),
        .SETS(1 << (SET_BITS - SAMPLED_BITS)),
        .WAYS(WAYS),
        .TAG_BITS(TAG_BITS)
    ) tags (
        .clk_i(clk_i),
        .rst_i(rst),
        .acc_valid_i(sampled),
        .acc_set_i(acc_set_i[SET_BITS-1:SAMPLED_BITS]),
        .acc_tag_i(padded_line[SET_BITS +: TAG_BITS]),
        .acc_first_i(acc_number_i[INDEX_BITS-1:0]),
        .hit_valid_o(hit_valid),
        .hit_o(hit)
    );

    // A token follows the interval whose limit is on its way: bit k is set in cycle c + 4 + k, in
    // which calculator k + 1 enters the third stage. The first two stages need no hits.
    localparam integer STAGES = CALCULATORS + 5;
    reg  [STAGES-1:0]               token_q;
    reg  [CALCULATORS*HIT_BITS-1:0] hits_q, hits_d;
    reg  [CALCULATORS*HIT_BITS-1:0] base_hits_q; // the lowest is that of the third stage
    wire [CALCULATORS*HIT_BITS-1:0] hits;        // with those of this cycle

    genvar i;
    generate
        for (i = 0; i < CALCULATORS; i = i + 1) begin : g_calculator
            wire [HIT_BITS-1:0] count  = hits_q[i*HIT_BITS +: HIT_BITS];
            wire                counts = hit_valid && hit[i] && !(&count);
            assign hits[i*HIT_BITS +: HIT_BITS] =
                count + {{(HIT_BITS-1){1'b0}}, counts};
        end
    endgenerate

    integer c;
    always @* begin
        hits_d = hits;
        if (ends_q[2]) begin
            for (c = 0; c < CALCULATORS; c = c + 1) begin
                hits_d[c*HIT_BITS +: HIT_BITS] = hits[c*HIT_BITS +: HIT_BITS] >> 1;
            end
        end
        if (rst) begin
            hits_d = {(CALCULATORS*HIT_BITS){1'b0}};
        end
    end

    always @(posedge clk_i) begin
        hits_q  <= hits_d;
        token_q <= rst ? {STAGES{1'b0}} : {token_q[STAGES-2:0], ends_q[2]};
        base_hits_q <= ends_q[2] ? hits : base_hits_q >> HIT_BITS;
    end

    // --- adjusted hits -----------------------------------------------------------------------
    // First stage: the weight of the calculator's L, at most N. It is that for N, or with RESCALE
    // for the number that used the cache while the failures were counted.
    reg  [NUMBER_BITS-1:0] limit_q, limit_d;
    reg                    limit_new_q, limit_new_d;
    wire [NUMBER_BITS-1:0] among = base_resident_q;
    wire [NUMBER_BITS-1:0] whole = RESCALE != 0 && limit_q < among ? limit_q : among;
    reg  [CALCULATORS-1:0] among_oh_q, among_oh_d, whole_oh_q, whole_oh_d; // bit n - 1 for n
    reg  [CALCULATORS-1:0] enters, part_oh;
    reg  [WEIGHT_BITS-1:0] weight_q, weight_d;

    integer l, n;
    always @* begin
        for (n = 0; n < CALCULATORS; n = n + 1) begin
            among_oh_d[n] = among == n[NUMBER_BITS-1:0] + ONE;
            whole_oh_d[n] = whole == n[NUMBER_BITS-1:0] + ONE;
        end
        enters[1:0] = ends_q[2:1];
        for (l = 2; l < CALCULATORS; l = l + 1) begin
            enters[l] = token_q[l-2];
        end
        weight_d = {WEIGHT_BITS{1'b0}};
        for (l = 0; l < CALCULATORS; l = l + 1) begin
            part_oh[l] = (enters[l] && |(among_oh_q >> l)) ||
                         (among_oh_q[l] && |(enters >> l));
            for (n = 0; n < CALCULATORS; n = n + 1) begin
                if (part_oh[l] && whole_oh_q[n]) begin
                    weight_d = weight_d | WEIGHTS[(l*CALCULATORS+n)*32 +: WEIGHT_BITS];
                end
            end
        end
    end

    // Second and third stage: a row for each bit of the failures. Each level turns three rows into
    // two with the same sum. After three levels the rows are negated, and the hits are added.
    localparam integer LEVELS    = 3;
    localparam integer ROWS      = rows_after(FAIL_BITS, LEVELS);
    localparam integer MORE      = 4; // levels: enough for seven rows
    localparam integer ROUND_UPS = ROWS; // ~x is -x - 1; only waves and proofs need it
    localparam [HITS_BITS-HIT_BITS-1:0] ROUND_UP = ROUND_UPS[HITS_BITS-HIT_BITS-1:0];

    function integer rows_after(input integer rows, input integer levels);
        integer level;
        begin
            rows_after = rows;
            for (level = 0; level < levels; level = level + 1) begin
                rows_after = rows_after - rows_after / 3;
            end
        end
    endfunction

    function [2*VALUE_BITS-1:0] two_of_three(input [3*VALUE_BITS-1:0] rows);
        reg [VALUE_BITS-1:0] x, y, z, carry;
        begin
            {x, y, z}    = rows;
            carry        = ((x & y) | (x & z) | (y & z)) << 1;
            two_of_three = {carry, x ^ y ^ z};
        end
    endfunction

    wire [FAIL_BITS*VALUE_BITS-1:0] products;
    reg  [ROWS*VALUE_BITS-1:0]      rows_q;
    reg  [2*VALUE_BITS-1:0]         halves_q;
    wire [(ROWS+1)*VALUE_BITS-1:0]  terms =
        {{(VALUE_BITS-HITS_BITS){1'b0}}, base_hits_q[HIT_BITS-1:0], ROUND_UP, ~rows_q};

    genvar k, r;
    generate
        for (r = 0; r < FAIL_BITS; r = r + 1) begin : g_product
            wire [VALUE_BITS-1:0] weight = {{(VALUE_BITS-WEIGHT_BITS){1'b0}}, weight_q};
            assign products[r*VALUE_BITS +: VALUE_BITS] =
                (weight << r) & {VALUE_BITS{base_fails_q[r]}};
        end
        for (k = 0; k <= LEVELS; k = k + 1) begin : g_level
            localparam integer COUNT = rows_after(FAIL_BITS, k);
            wire [COUNT*VALUE_BITS-1:0] row;
            if (k == 0) begin : g_first
                assign row = products;
            end else begin : g_next
                localparam integer ABOVE = rows_after(FAIL_BITS, k - 1);
                for (r = 0; r < ABOVE / 3; r = r + 1) begin : g_three
                    assign row[2*r*VALUE_BITS +: 2*VALUE_BITS] =
                        two_of_three(g_level[k-1].row[3*r*VALUE_BITS +: 3*VALUE_BITS]);
                end
                for (r = ABOVE / 3 * 3; r < ABOVE; r = r + 1) begin : g_left
                    assign row[(r-ABOVE/3)*VALUE_BITS +: VALUE_BITS] =
                        g_level[k-1].row[r*VALUE_BITS +: VALUE_BITS];
                end
            end
        end
        for (k = 0; k <= MORE; k = k + 1) begin : g_more
            localparam integer COUNT = rows_after(ROWS + 1, k);
            wire [COUNT*VALUE_BITS-1:0] row;
            if (k == 0) begin : g_first
                assign row = terms;
            end else begin : g_next
                localparam integer ABOVE = rows_after(ROWS + 1, k - 1);
                for (r = 0; r < ABOVE / 3; r = r + 1) begin : g_three
                    assign row[2*r*VALUE_BITS +: 2*VALUE_BITS] =
                        two_of_three(g_more[k-1].row[3*r*VALUE_BITS +: 3*VALUE_BITS]);
                end
                for (r = ABOVE / 3 * 3; r < ABOVE; r = r + 1) begin : g_left
                    assign row[(r-ABOVE/3)*VALUE_BITS +: VALUE_BITS] =
                        g_more[k-1].row[r*VALUE_BITS +: VALUE_BITS];
                end
            end
        end
    endgenerate

    // Fourth and fifth stage: the sum; its upper half adds the carry a cycle later.
    localparam integer LOW_BITS  = VALUE_BITS / 2 + 2;
    localparam integer HIGH_BITS = VALUE_BITS - LOW_BITS;
    reg [LOW_BITS:0]            low_q;
    reg [HIGH_BITS-1:0]         high_q;
    reg signed [VALUE_BITS-1:0] value_q;

    // Sixth stage: compares the next value with the one in the seventh stage and with the best
    // before that. Seventh stage: keeps the value if it is the best so far.
    reg signed [VALUE_BITS-1:0] last_value_q;
    reg signed [VALUE_BITS-1:0] best_value_q;
    reg                         better_q;
    reg [NUMBER_BITS-1:0]       best_q;
    reg [NUMBER_BITS-1:0]       number;
    wire                        beats_last = value_q >= last_value_q;
    wire                        beats_best = value_q >= best_value_q;

    always @* begin
        number = {NUMBER_BITS{1'b0}};
        for (n = 0; n < CALCULATORS; n = n + 1) begin
            if (token_q[n+4]) begin
                number = number | (n[NUMBER_BITS-1:0] + ONE);
            end
        end
        limit_d     = limit_q;
        limit_new_d = clear_i && !rst_i;
        if (token_q[STAGES-1]) begin
            limit_d     = best_q >= among ? ALL : best_q;
            limit_new_d = !rst_i;
        end
        if (rst) begin
            limit_d = ALL;
        end
    end

    always @(posedge clk_i) begin
        among_oh_q  <= among_oh_d;
        whole_oh_q  <= whole_oh_d;
        weight_q    <= weight_d;
        rows_q      <= g_level[LEVELS].row;
        halves_q    <= g_more[MORE].row;
        low_q       <= {1'b0, halves_q[LOW_BITS-1:0]} + {1'b0, halves_q[VALUE_BITS +: LOW_BITS]};
        high_q      <= halves_q[LOW_BITS +: HIGH_BITS] +
                       halves_q[VALUE_BITS+LOW_BITS +: HIGH_BITS];
        value_q     <= {high_q + {{(HIGH_BITS-1){1'b0}}, low_q[LOW_BITS]}, low_q[LOW_BITS-1:0]};
        limit_q     <= limit_d;
        limit_new_q <= limit_new_d;

        last_value_q <= value_q;
        better_q     <= token_q[3] || (better_q ? beats_last : beats_best);
        if (better_q) begin
            best_value_q <= last_value_q;
            best_q       <= number;
        end
    end

    assign limit_o     = limit_q;
    assign limit_new_o = limit_new_q;
endmodule

`default_nettype wire
