// SPDX-License-Identifier: Apache-2.0
// The properties of wm_bpg, with wm_shadow_tags inside, whose hits are left free. Memory:
// tb/common/sram_1r1w_formal.v. Source: MDB, DAC 2016, sections 5.3 and 6.
//
// An interval is followed from its last access to its limit by its age in cycles; calculator k is
// in a stage at an age of k more than calculator 0. The values stand here as the paper has them.
`default_nettype none

// The head, with dut and started, is made from wm_bpg: python/warpmem/tools/props.py.
`BEGIN_bpg_props
    localparam NUMBER_BITS   = $clog2(CALCULATORS + 1);
    localparam LATENCY       = CALCULATORS + 9;
    localparam HITS_SCALE    = HITS_SHIFT + 15;
    localparam HITS_BITS     = HIT_BITS + HITS_SCALE;
    localparam MOST_WEIGHT   = RESCALE ? CALCULATORS * CALCULATORS * CALCULATORS * 512 * E_64THS
                                       : 512 * E_64THS;
    localparam WEIGHT_BITS   = MOST_WEIGHT > 0 ? $clog2(MOST_WEIGHT + 1) : 1;
    localparam PRODUCT_BITS  = FAIL_BITS + WEIGHT_BITS;
    localparam VALUE_BITS    = (PRODUCT_BITS > HITS_BITS ? PRODUCT_BITS : HITS_BITS) + 1;
    localparam LOW_BITS      = VALUE_BITS / 2 + 2;
    localparam ROWS_1        = FAIL_BITS - FAIL_BITS / 3;
    localparam ROWS_2        = ROWS_1 - ROWS_1 / 3;
    localparam ROWS          = ROWS_2 - ROWS_2 / 3;
    localparam MOST_FAILS    = (1 << FAIL_BITS) - 1;
    localparam MOST_HITS     = (1 << HIT_BITS) - 1;

    // The interval as the ports tell: its accesses, failures, N; the age of the one that ended.
    reg [16:0]                     accesses;
    reg [16:0]                     fails;
    reg [NUMBER_BITS-1:0]          resident;
    reg [5:0]                      age;
    // The interval that ended has these failures, N, limit at its end, and hits.
    reg [16:0]                     base_fails;
    reg [NUMBER_BITS-1:0]          among, was_limit;
    reg [CALCULATORS*HIT_BITS-1:0] base_hits;
    reg                            was_clear, was_reset;
    wire [17:0] sum  = fails + fail_count_i;
    wire [16:0] told = sum > MOST_FAILS ? MOST_FAILS : sum;
    wire        ends = acc_valid_i && accesses == INTERVAL - 1;
    always @(posedge clk_i) begin
        was_clear <= clear_i && !rst_i;
        was_reset <= rst_i;
        fails     <= told;
        age       <= age == 0 || age == LATENCY ? 0 : age + 1'b1;
        if (acc_valid_i) begin
            accesses <= ends ? 0 : accesses + 1'b1;
            if (accesses == 0) begin
                resident <= resident_i == 0 ? 1 : resident_i > CALCULATORS ? CALCULATORS
                                                                           : resident_i;
            end
        end
        if (ends) begin
            age        <= 1;
            fails      <= told / 2;
            base_fails <= told;
            among      <= resident;
        end
        if (rst_i || clear_i) begin
            accesses <= 0;
            fails    <= 0;
            age      <= 0;
        end
    end

    // An arbitrary calculator, and its hits.
    (* anyconst *) wire [NUMBER_BITS-1:0] one;
    reg  [16:0] hits;
    wire [16:0] hits_told = hits + (dut.hit_valid && dut.hit[one] && hits != MOST_HITS);
    wire [CALCULATORS*HIT_BITS-1:0] copied;
    genvar g;
    generate
        for (g = 0; g < CALCULATORS; g = g + 1) begin : g_hits
            wire [HIT_BITS-1:0] count = dut.hits_q[g*HIT_BITS +: HIT_BITS];
            assign copied[g*HIT_BITS +: HIT_BITS] =
                count + (dut.hit_valid && dut.hit[g] && count != MOST_HITS);
        end
    endgenerate
    always @(posedge clk_i) begin
        hits <= age == 3 ? hits_told / 2 : hits_told;
        if (rst_i || clear_i) begin
            hits <= 0;
        end
        if (age == 3) begin
            base_hits <= copied;
        end
        if (age < 2) begin
            was_limit <= limit_o;
        end
    end
    always @* begin
        assume (one < CALCULATORS);
    end

    // With RESCALE: how many used the cache while the failures were counted.
    wire [NUMBER_BITS-1:0] failed_at = RESCALE && was_limit < among ? was_limit : among;

    // 512 * (part / whole)^3 rounded to the nearest, times E: part is k + 1, N at most; whole is at.
    function [WEIGHT_BITS-1:0] weight_of(input [5:0] k, input [5:0] n, input [5:0] at);
        integer part, whole;
        begin
            weight_of = {WEIGHT_BITS{1'b0}};
            for (part = 1; part <= CALCULATORS; part = part + 1) begin
                for (whole = 1; whole <= CALCULATORS; whole = whole + 1) begin
                    if ((RESCALE || part <= whole) && part == (k + 1 < n ? k + 1 : n) &&
                        whole == at) begin
                        weight_of = (2 * part * part * part * 512 + whole * whole * whole) /
                                    (2 * whole * whole * whole) * E_64THS;
                    end
                end
            end
        end
    endfunction
    function [VALUE_BITS-1:0] product_of(input [5:0] k);
        product_of = weight_of(k, among, failed_at) * base_fails[FAIL_BITS-1:0];
    endfunction
    function [VALUE_BITS-1:0] hits_of(input [5:0] k);
        reg [CALCULATORS*HIT_BITS-1:0] shifted;
        begin
            shifted = base_hits >> k * HIT_BITS;
            hits_of = shifted[HIT_BITS-1:0];
        end
    endfunction

    // Calculator 0 is in the register behind the first stage at an age of 3.
    wire [5:0]                  k_weight = age - 3;
    wire [5:0]                  k_rows   = age - 4;
    wire [5:0]                  k_halves = age - 5;
    wire [5:0]                  k_sum    = age - 6;
    wire [5:0]                  k_value  = age - 7;
    wire [5:0]                  k_last   = age - 8;
    // A value is worked out once and goes with its calculator from stage to stage, so that the
    // solver has one product to compare, not one a stage.
    reg [VALUE_BITS-1:0]        product, after_rows, after_halves, after_sum;
    reg signed [VALUE_BITS-1:0] last;
    always @(posedge clk_i) begin
        product      <= product_of(k_weight);
        after_rows   <= (hits_of(k_rows) << HITS_SCALE) - product;
        after_halves <= after_rows;
        after_sum    <= after_halves;
        last         <= after_sum;
    end
    // The best of those before the last one.
    reg signed [VALUE_BITS-1:0] best_value;
    reg [NUMBER_BITS-1:0]       best;
    wire better = age == 8 || last >= best_value;
    always @(posedge clk_i) begin
        if (age >= 8 && age < 8 + CALCULATORS && better) begin
            best_value <= last;
            best       <= k_last + 1;
        end
    end

    reg [VALUE_BITS-1:0] row_sum;
    integer              i;
    always @* begin
        row_sum = {VALUE_BITS{1'b0}};
        for (i = 0; i < ROWS; i = i + 1) begin
            row_sum = row_sum + dut.rows_q[i*VALUE_BITS +: VALUE_BITS];
        end
    end
    wire [VALUE_BITS-1:0] halves_sum = dut.halves_q[VALUE_BITS-1:0] +
                                       dut.halves_q[2*VALUE_BITS-1:VALUE_BITS];
    wire [VALUE_BITS-1:0] low_high   = {dut.high_q, {LOW_BITS{1'b0}}} + dut.low_q;

    // Each stage by itself, in every cycle: its registers have what the stage before says. A wrong bit shows at once here, and
    // at the limit only where two values nearly tie.
    (* anyconst *) wire [NUMBER_BITS-1:0] some_among, some_whole;
    wire [CALCULATORS+6:0]               tokens = {dut.token_q, dut.ends_q[2:1]};
    reg  [CALCULATORS-1:0]               entered, among_then, whole_then; // bit n - 1 for n
    reg  [CALCULATORS*HIT_BITS-1:0]      hits_to_be;
    reg                                  some_weight; // of the table: of any two factors of the paper's bits ABC had no answer
    reg  [VALUE_BITS-1:0]                product_to_be, value_to_be, sum_to_be, carried_to_be;
    always @(posedge clk_i) begin
        entered       <= tokens[CALCULATORS-1:0];
        among_then    <= dut.among_oh_q;
        whole_then    <= dut.whole_oh_q;
        hits_to_be    <= dut.ends_q[2] ? copied : dut.base_hits_q >> HIT_BITS;
        some_weight   <= dut.weight_q == weight_of(one, some_among, some_whole);
        product_to_be <= weight_of(one, some_among, some_whole) * dut.base_fails_q;
        value_to_be   <= ({{(VALUE_BITS-HIT_BITS){1'b0}}, dut.base_hits_q[HIT_BITS-1:0]} << HITS_SCALE) - row_sum;
        sum_to_be     <= halves_sum;
        carried_to_be <= low_high;
    end
    always @* begin
        assume (some_among >= 1 && some_among <= CALCULATORS && some_whole >= 1 && some_whole <= CALCULATORS);
        if (started) begin
            hits_move_down: assert (dut.base_hits_q == hits_to_be);
            nobody_has_no_weight: assert (entered != 0 || dut.weight_q == 0);
            one_has_its_weight: assert (entered != 1 << one || among_then != 1 << (some_among - 1) ||
                                        whole_then != 1 << (some_whole - 1) ||
                                        (!RESCALE && some_among != some_whole) ||
                                        dut.weight_q == weight_of(one, some_among, some_whole));
            rows_are_the_product: assert (!some_weight || row_sum == product_to_be);
            halves_are_the_value: assert (halves_sum == value_to_be);
            halves_are_added: assert (low_high == sum_to_be);
            the_carry_is_added: assert (dut.value_q == carried_to_be);
        end
    end

    // The last cycle.
    reg [NUMBER_BITS-1:0] last_limit;
    reg [FAIL_BITS-1:0]   last_fails;
    reg [HIT_BITS-1:0]    last_hits;
    reg                   was_end, was_copy;
    reg [1:0]             limits; // since the reset, up to three
    always @(posedge clk_i) begin
        last_limit <= limit_o;
        last_fails <= dut.fails_q;
        last_hits  <= dut.hits_q[one*HIT_BITS +: HIT_BITS];
        was_end    <= ends;
        was_copy   <= age == 3;
        limits     <= limits == 3 ? limits : limits + limit_new_o;
        if (rst_i) begin
            limits <= 0;
        end
    end
    wire counts_on = started && !was_clear && !was_reset;

    always @* begin
        if (started) begin
            // At least one uses the cache, and CALCULATORS are all.
            limit_in_range: assert (limit_o >= 1 && limit_o <= CALCULATORS);
            // A limit is new as many cycles after its interval's last access as said, or cleared.
            new_in_its_cycle: assert (limit_new_o == (was_clear || age == LATENCY));
            // It changes in no other cycle, but for a reset.
            changes_are_told: assert (limit_o == last_limit || limit_new_o || was_reset);
            // It is that of the most adjusted hits, of equals the largest; all of those resident
            // are all.
            limit_is_best: assert (age != LATENCY ||
                                   limit_o == (best >= among ? CALCULATORS : best));
            cleared_is_all: assert (!was_clear || limit_o == CALCULATORS);
            // The next access is the first of its interval, or is not.
            first_is_told: assert (first_o == (accesses == 0));
            // Counters never wrap.
            failures_never_fall: assert (!counts_on || was_end || dut.fails_q >= last_fails);
            hits_never_fall: assert (!counts_on || was_copy ||
                                     dut.hits_q[one*HIT_BITS +: HIT_BITS] >= last_hits);
            // They are what came, halved at each interval's end.
            failures_are_counted: assert (dut.fails_q == fails);
            hits_are_counted: assert (dut.hits_q[one*HIT_BITS +: HIT_BITS] == hits);

            // Invariants: the interval.
            accesses_are_counted: assert (dut.accesses_q == accesses && accesses < INTERVAL);
            resident_is_kept: assert (accesses == 0 ||
                                      (dut.resident_q == resident && resident >= 1 &&
                                       resident <= CALCULATORS));
            fails_in_range: assert (fails <= MOST_FAILS && hits <= MOST_HITS);
            age_in_range: assert (age <= LATENCY && (age == 0 || accesses < age));
            token_is_age: assert ({dut.token_q, dut.ends_q} ==
                                  (age == 0 || age == LATENCY ? 0 : 1 << (age - 1)));
        end
        if (started && age >= 1) begin
            base_is_kept: assert (dut.base_fails_q == base_fails && base_fails <= MOST_FAILS &&
                                  dut.base_resident_q == among && among >= 1 &&
                                  among <= CALCULATORS);
            limit_is_kept: assert (age < 2 || age == LATENCY || was_limit == limit_o);
            was_limit_in_range: assert (age < 2 || (was_limit >= 1 && was_limit <= CALCULATORS));
            hits_are_kept: assert (age < 4 || age >= 4 + CALCULATORS ||
                                   dut.base_hits_q == base_hits >> (age - 4) * HIT_BITS);
            among_is_told: assert (age < 2 || dut.among_oh_q == 1 << (among - 1));
            whole_is_told: assert (age < 2 || age == LATENCY ||
                                   dut.whole_oh_q == 1 << (failed_at - 1));
            // The stages.
            stage_1: assert (k_weight >= CALCULATORS || dut.weight_q == weight_of(k_weight, among, failed_at));
            stage_2: assert (k_rows >= CALCULATORS || row_sum == product);
            stage_3: assert (k_halves >= CALCULATORS || halves_sum == after_rows);
            stage_4: assert (k_sum >= CALCULATORS || low_high == after_halves);
            stage_5: assert (k_value >= CALCULATORS || dut.value_q == after_sum);
            stage_6: assert (k_last >= CALCULATORS ||
                             (dut.last_value_q == last && dut.better_q == better));
            stage_7: assert (age < 9 || age >= LATENCY ||
                             (dut.best_q == best && dut.best_value_q == best_value));
            best_in_range: assert (age < 9 || (best >= 1 && best <= CALCULATORS));
        end
        // A limit of one, worked out.
        shows_a_limit_of_one: cover (started && age == LATENCY && limit_o == 1);
        limit_of_all: cover (started && age == LATENCY && limit_o == CALCULATORS);
        clear_on_the_way: cover (started && was_clear && accesses == 0 && last_limit == 1);
    end
endmodule

`default_nettype wire
