// SPDX-License-Identifier: Apache-2.0
// The properties of wm_daws_repetition, for one arbitrary set, one way of it, one line of a warp
// and one load. Memories: tb/common/sram_1r1w_formal.v. Source: DAWS, MICRO 2013, 5.2.2, table 4.
//
// A reference of the set does at once, in their order, what clear and probe of a cycle do, three
// cycles after they came: when the registers do. The pipeline must follow it.
`default_nettype none

// The head, with dut and started, is made from wm_daws_repetition: python/warpmem/tools/props.py.
`BEGIN_daws_repetition_props
    localparam WARP_BITS = $clog2(WARPS);
    localparam SET_BITS  = $clog2(SETS);
    localparam WAY_BITS  = $clog2(WAYS);
    localparam TAG_BITS  = WARP_BITS + LINE_BITS - SET_BITS;
    localparam PAIRS     = WAYS * (WAYS - 1) / 2;
    localparam AGE_BITS  = $clog2(WAYS + 1);
    localparam [WAYS-1:0] WAY_0 = 1;

    (* anyconst *) wire [SET_BITS-1:0]  watch;
    (* anyconst *) wire [WAY_BITS-1:0]  way; // of the set, whose load is looked at
    (* anyconst *) wire [LINE_BITS-1:0] x;   // a line of the set,
    (* anyconst *) wire [WARP_BITS-1:0] its; // of this warp
    (* anyconst *) wire [PC_BITS-1:0]   y;   // a load
    wire [TAG_BITS-1:0] x_tag = {its, x[LINE_BITS-1:SET_BITS]};

    wire [WAYS*TAG_BITS-1:0] stored; // what the memories have of the set
    wire [WAYS-1:0]          watched;
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            assign stored[g*TAG_BITS +: TAG_BITS] = dut.g_way[g].tags.watch_data;
            assign watched[g] = dut.g_way[g].tags.watch_addr == watch;
        end
    endgenerate

    always @* begin
        assume (&watched && dut.loads.watch_addr == {watch, way});
        assume (way < WAYS && its < WARPS && x[SET_BITS-1:0] == watch);
        assume (!probe_valid_i || probe_warp_i < WARPS);
        assume (!clear_valid_i || clear_warp_i < WARPS);
    end

    // Inputs of so many cycles ago: probes (v) with warp, line and load, and clears.
    reg                 v1, v2, v3, v4, v5, c1, c2, c3;
    reg [WARP_BITS-1:0] w1, w2, w3, w4, cw1, cw2, cw3;
    reg [LINE_BITS-1:0] l1, l2, l3, l4, l5;
    reg [PC_BITS-1:0]   p1, p2, p3, p4, p5;
    always @(posedge clk_i) begin
        {v1, v2, v3, v4, v5} <= rst_i ? 5'd0 : {probe_valid_i, v1, v2, v3, v4};
        {c1, c2, c3}         <= rst_i ? 3'd0 : {clear_valid_i, c1, c2};
        {w1, w2, w3, w4}     <= {probe_warp_i, w1, w2, w3};
        {cw1, cw2, cw3}      <= {clear_warp_i, cw1, cw2};
        {l1, l2, l3, l4, l5} <= {probe_line_i, l1, l2, l3, l4};
        {p1, p2, p3, p4, p5} <= {probe_pc_i, p1, p2, p3, p4};
    end
    wire [SET_BITS-1:0] s1 = l1[SET_BITS-1:0], s2 = l2[SET_BITS-1:0], s3 = l3[SET_BITS-1:0],
                        s4 = l4[SET_BITS-1:0], s5 = l5[SET_BITS-1:0];
    wire [TAG_BITS-1:0] t1 = {w1, l1[LINE_BITS-1:SET_BITS]}, t2 = {w2, l2[LINE_BITS-1:SET_BITS]},
                        t3 = {w3, l3[LINE_BITS-1:SET_BITS]}, t4 = {w4, l4[LINE_BITS-1:SET_BITS]};

    // The reference: the set after all that came more than three cycles ago.
    reg [WAYS-1:0]          valid;
    reg [WAYS*TAG_BITS-1:0] tag;
    reg [WAYS*AGE_BITS-1:0] age; // 0: the last used
    reg [PC_BITS-1:0]       pc;  // of the way that is looked at
    reg [WAYS-1:0] left, has, used; // once cleared; the probe's line; its way or the one it takes
    reg [WAYS-1:0] cleared2, cleared3;
    reg            hit, chosen;
    reg [AGE_BITS-1:0] old;
    integer        i, j, k;
    always @* begin
        for (i = 0; i < WAYS; i = i + 1) begin
            cleared2[i] = c2 && tag[i*TAG_BITS + LINE_BITS - SET_BITS +: WARP_BITS] == cw2;
            cleared3[i] = c3 && tag[i*TAG_BITS + LINE_BITS - SET_BITS +: WARP_BITS] == cw3;
            left[i]     = valid[i] && !cleared3[i];
            has[i]      = left[i] && tag[i*TAG_BITS +: TAG_BITS] == t3;
        end
        hit    = |has;
        chosen = 1'b0;
        used   = has;
        for (i = 0; i < WAYS; i = i + 1) begin
            if (!hit && !chosen && (&left ? age[i*AGE_BITS +: AGE_BITS] == WAYS - 1 : !left[i]))
            begin
                used[i] = 1'b1;
                chosen  = 1'b1;
            end
        end
        old = 0;
        for (i = 0; i < WAYS; i = i + 1) begin
            old = old | ({AGE_BITS{used[i]}} & age[i*AGE_BITS +: AGE_BITS]);
        end
    end
    wire here3 = v3 && s3 == watch;
    always @(posedge clk_i) begin
        valid <= left | ({WAYS{here3}} & used);
        for (i = 0; i < WAYS; i = i + 1) begin
            if (here3 && used[i]) begin
                age[i*AGE_BITS +: AGE_BITS] <= 0;
                tag[i*TAG_BITS +: TAG_BITS] <= t3;
            end else if (here3 && age[i*AGE_BITS +: AGE_BITS] < old) begin
                age[i*AGE_BITS +: AGE_BITS] <= age[i*AGE_BITS +: AGE_BITS] + 1'b1;
            end
            if (rst_i) begin
                age[i*AGE_BITS +: AGE_BITS] <= i;
            end
        end
        if (here3 && !hit && used[way]) begin
            pc <= p3;
        end
        if (rst_i) begin
            valid <= {WAYS{1'b0}};
        end
    end

    // The pair of an access alone, and the counter of its load's accesses (MAJORITY).
    wire pair5 = dut.pair5;
    reg                last1, last2, last3, last4, last5;
    integer            votes; // of the accesses that came more than five cycles ago
    wire               last_now = v5 && last5;
    wire signed [31:0] counted = votes + (pair5 ? 1 : -1);
    reg                some;  // the load has a pair,
    reg  [PC_BITS-1:0] other; // last with this one
    always @(posedge clk_i) begin
        {last1, last2, last3, last4, last5} <= {probe_last_i, last1, last2, last3, last4};
        if (rst_i || last_now) begin
            votes <= 0;
            some  <= 1'b0;
        end else if (v5) begin
            votes <= counted > 63 ? 63 : counted < -64 ? -64 : counted;
            some  <= some || pair5;
        end
        if (v5 && pair5) begin
            other <= dut.loaded;
        end
    end

    // Answers to the probes in stages 4 and 5.
    reg            hit4, hit5, here4, here5;
    reg [WAYS-1:0] used4, used5;
    reg [PC_BITS-1:0] pc5;
    always @(posedge clk_i) begin
        {here4, here5} <= rst_i ? 2'd0 : {here3, here4};
        {hit4, hit5}   <= {hit, hit4};
        {used4, used5} <= {used, used4};
        pc5            <= pc;
    end
    wire [WAYS-1:0] wrote3 = {WAYS{here3 && !hit}} & used, wrote4 = {WAYS{here4 && !hit4}} & used4;

    // The ports tell of line x: it has been accessed since its warp was cleared, by load y; and so
    // many accesses of the set have come after it, up to WAYS.
    reg                there, by_y;
    reg [AGE_BITS-1:0] after;
    wire               x_clears = c3 && cw3 == its, x_probes = v3 && w3 == its && l3 == x;
    always @(posedge clk_i) begin
        there <= x_probes || (there && !x_clears);
        by_y  <= (x_probes && p3 == y) || (by_y && !x_clears);
        if (here3) begin
            after <= x_probes ? 0 : after == WAYS ? after : after + 1'b1;
        end
        if (rst_i) begin
            there <= 1'b0;
            by_y  <= 1'b0;
            after <= 0;
        end
    end
    reg x4, x5, by_y4, by_y5;
    always @(posedge clk_i) begin
        {x4, x5}       <= rst_i ? 2'd0 : {x_probes, x4};
        {by_y4, by_y5} <= {by_y && !x_clears, by_y4};
    end

    reg ages_differ, order_follows, warps_follow, lines_follow, x_follows, one_way, x_is_young;
    always @* begin
        ages_differ   = 1'b1;
        order_follows = 1'b1;
        one_way       = 1'b1;
        k = 0;
        for (i = 0; i < WAYS; i = i + 1) begin
            ages_differ = ages_differ && age[i*AGE_BITS +: AGE_BITS] < WAYS;
            for (j = i + 1; j < WAYS; j = j + 1) begin
                ages_differ = ages_differ &&
                    age[i*AGE_BITS +: AGE_BITS] != age[j*AGE_BITS +: AGE_BITS];
                one_way = one_way && !(valid[i] && valid[j] &&
                    tag[i*TAG_BITS +: TAG_BITS] == tag[j*TAG_BITS +: TAG_BITS]);
                if (valid[i] && valid[j]) begin
                    order_follows = order_follows && dut.later_q[watch*PAIRS + k] ==
                        (age[i*AGE_BITS +: AGE_BITS] < age[j*AGE_BITS +: AGE_BITS]);
                end
                k = k + 1;
            end
        end
        warps_follow = 1'b1;
        lines_follow = 1'b1;
        x_follows    = 1'b1;
        x_is_young   = 1'b0;
        for (i = 0; i < WAYS; i = i + 1) begin
            if (valid[i]) begin
                warps_follow = warps_follow &&
                    dut.warp_q[(watch*WAYS + i)*WARP_BITS +: WARP_BITS] ==
                    tag[i*TAG_BITS + LINE_BITS - SET_BITS +: WARP_BITS];
                lines_follow = lines_follow &&
                    stored[i*TAG_BITS +: TAG_BITS] == tag[i*TAG_BITS +: TAG_BITS];
                if (tag[i*TAG_BITS +: TAG_BITS] == x_tag) begin
                    x_follows  = x_follows && there && (i != way || pc != y || by_y);
                    x_is_young = age[i*AGE_BITS +: AGE_BITS] <= after;
                end
            end
        end
    end

    reg reads_follow, matches_follow, last_is_there;
    always @* begin
        reads_follow   = 1'b1;
        matches_follow = 1'b1;
        last_is_there  = 1'b1;
        for (i = 0; i < WAYS; i = i + 1) begin
            if (valid[i] && !wrote4[i]) begin
                reads_follow = reads_follow &&
                    dut.read[i*TAG_BITS +: TAG_BITS] == tag[i*TAG_BITS +: TAG_BITS];
            end
            if (used4[i]) begin
                last_is_there = last_is_there && tag[i*TAG_BITS +: TAG_BITS] == t4;
            end
            if (valid[i] && !wrote3[i]) begin
                matches_follow = matches_follow &&
                    dut.match2_q[i] == (tag[i*TAG_BITS +: TAG_BITS] == t2);
            end
        end
    end

    wire [WAYS-1:0] valid_now = dut.valid_q[watch*WAYS +: WAYS];
    always @* begin
        if (started) begin
            // 5.2.2: an access that finds its line in the set, as LRU leaves it, makes a pair with
            // the load that put it there, if that is another one.
            if (here5 && (!hit5 || used5[way])) begin
                pairs_are_those_of_the_set: assert (pair5 == (hit5 && pc5 != p5));
                a_pair_names_both_loads: assert (
                    !pair5 || (pair_a_o == p5 && pair_b_o == pc5));
            end
            no_pair_without_an_access: assert (v5 || !pair_valid_o);
            // Any access shows its pair, or the last one that of most accesses of its load.
            a_vote_decides: assert (
                pair_valid_o == (MAJORITY != 0 ? last_now && counted > 0 : pair5));
            if (MAJORITY != 0) begin
                a_vote_is_for_a_pair: assert (votes >= -64 && votes <= 63 && (votes <= 0 || some));
                a_vote_names_the_last_pair: assert (
                    !pair_valid_o || pair_b_o == (pair5 ? dut.loaded : other));
            end
            // The other load has accessed that very line for that very warp in this trip.
            if (x5 && used5[way]) begin
                a_pair_is_of_one_trip: assert (!pair5 || pair_b_o != y || by_y5);
            end
            // Table 4: a line is found while fewer than WAYS accesses of the set have come since.
            if (x_probes) begin
                the_last_lines_are_found: assert (!there || x_clears || after >= WAYS || hit);
            end

            // The reference, of the ports.
            x_is_there: assert (x_follows && (!there || after >= WAYS || x_is_young));
            a_line_has_one_way: assert (one_way);
            ages_are_an_order: assert (ages_differ && after <= WAYS);

            // Registers and memories follow the reference.
            valid_ways_follow: assert (valid_now == (valid & ~cleared2 & ~cleared3));
            warps_of_entries_follow: assert (warps_follow);
            order_of_use_follows: assert (order_follows);
            the_memories_have_the_lines: assert (lines_follow);
            the_memory_has_the_load: assert (!valid[way] ||
                (wrote4[way] ? pc == p4 : pc == dut.loads.watch_data));
            clears_follow: assert (dut.clear1_q == c1 && (!c1 || dut.clear_warp1_q == cw1));
            stages_follow: assert (
                dut.probe1_q == v1 && dut.probe2_q == v2 && dut.probe3_q == v3 &&
                (!v1 || (dut.warp1_q == w1 && dut.line1_q == l1 && dut.pc1_q == p1)) &&
                (!v2 || (dut.warp2_q == w2 && dut.line2_q == l2 && dut.pc2_q == p2)) &&
                (!v3 || (dut.warp3_q == w3 && dut.line3_q == l3 && dut.pc3_q == p3)) &&
                (!v4 || dut.pc4_q == p4));
            sets_follow: assert (
                (!v2 || dut.is_set2_q == {{SETS-1{1'b0}}, 1'b1} << s2) &&
                (!v3 || dut.is_set3_q == {{SETS-1{1'b0}}, 1'b1} << s3) &&
                (!v4 || dut.set4_q == s4));
            meetings_follow: assert (
                (!v1 || !v3 || (dut.near2_1_q == (s1 == s3) && dut.same2_1_q == (t1 == t3))) &&
                (!v1 || !v4 || (dut.near3_1_q == (s1 == s4) && dut.same3_1_q == (t1 == t4))) &&
                (!v2 || !v3 || (dut.near2_q == (s2 == s3) && dut.same2_q == (t2 == t3))));
            nothing_is_made_up: assert (
                (v3 || (!dut.hit3_q && dut.wrote3_q == 0)) &&
                (v4 || (!dut.hit4_q && dut.wrote4_q == 0)) && (v5 || !dut.hit5_q));
            if (v1 && s1 == watch) begin
                what_is_read_is_the_lines: assert (reads_follow);
            end
            if (v2 && s2 == watch) begin
                matches_are_those_of_the_set: assert (matches_follow);
                valid_ways_are_those_of_the_set: assert (dut.valid2_q == valid_now);
            end
            if (here3) begin
                the_way_is_chosen: assert (dut.hit3_q == hit && dut.way3_q == used &&
                                           dut.wrote3_q == wrote3);
                a_clear_behind_is_seen: assert (dut.kept3_q == !(c2 && cw2 == w3));
            end
            if (here4) begin
                the_way_is_kept: assert (dut.hit4_q == hit4 && dut.wrote4_q == wrote4 &&
                                         used4 == WAY_0 << dut.way4_q);
            end
            it_is_the_set: assert (here4 == (v4 && s4 == watch) && here5 == (v5 && s5 == watch));
            it_is_the_line: assert (x4 == (v4 && w4 == its && l4 == x) && (!x5 || here5));
            if (x5 && hit5 && used5[way]) begin
                its_load_was_there: assert (pc5 != y || by_y5);
            end
            if (here5) begin
                hits_are_kept: assert (dut.hit5_q == hit5 && used5 != 0);
            end
            if (here4 && hit4 && x4) begin
                a_hit_is_of_its_line: assert (!used4[way] || pc != y || by_y4);
            end
            if (here4) begin
                the_line_is_there: assert (last_is_there && |(used4 & valid));
            end
        end
    end

    generate
        if (MAJORITY != 0) begin : g_votes
            always @* begin
                if (started) begin
                    votes_follow: assert (dut.g_majority.votes_q == votes[6:0] &&
                        (!some || dut.g_majority.other_q == other));
                    lasts_follow: assert (
                        dut.g_majority.probe4_q == v4 && dut.g_majority.probe5_q == v5 &&
                        (!v1 || dut.g_majority.last_q[1] == last1) &&
                        (!v2 || dut.g_majority.last_q[2] == last2) &&
                        (!v3 || dut.g_majority.last_q[3] == last3) &&
                        (!v4 || dut.g_majority.last_q[4] == last4) &&
                        (!v5 || dut.g_majority.last_q[5] == last5));
                end
            end
            always @(posedge clk_i) begin
                a_vote_ends_without_a_pair: cover (started && pair_valid_o && !pair5);
                a_vote_is_even: cover (started && last_now && counted == 0 && pair5);
            end
        end
    endgenerate

    reg the_line_came_last; // the probe in stage 5 found what the one before it had put there
    always @(posedge clk_i) begin
        the_line_came_last <= here4 && here5 && !hit5 && hit4 && used4 == used5;
    end
    always @(posedge clk_i) begin
        shows_two_loads_of_one_line: cover (started && pair_valid_o && x5 && !rst_i);
        pair_a_cycle_after_its_line: cover (started && pair_valid_o && the_line_came_last);
        a_line_leaves_a_full_set: cover (started && here3 && !hit && &left && used[WAYS-1]);
    end
endmodule

`default_nettype wire
