// SPDX-License-Identifier: Apache-2.0
// The properties of wm_daws_sampling, for one arbitrary loop. Source: DAWS, MICRO 2013, 5.2, 5.2.1.
//
// A reference follows the loop through the ports: whether it has a place, which warp samples it,
// its counter. The table must agree, and the answers must be the reference's.
`default_nettype none

// The head, with dut and started, is made from wm_daws_sampling: python/warpmem/tools/props.py.
`BEGIN_daws_sampling_props
    localparam WARP_BITS  = $clog2(WARPS);
    localparam PLACE_BITS = $clog2(LOOPS);
    localparam [COUNTER_BITS-1:0] MOST  = {1'b0, {COUNTER_BITS-1{1'b1}}};
    localparam [COUNTER_BITS-1:0] LEAST = {NEGATIVE != 0, {COUNTER_BITS-1{1'b0}}};

    (* anyconst *) wire [PC_BITS-1:0] x; // the loop

    always @* begin
        assume (!mark_valid_i || mark_warp_i < WARPS);
    end

    // The loop, as the ports show it.
    wire mine     = mark_valid_i && mark_pc_i == x;
    wire begins   = mine && mark_kind_i == 3'd0;
    wire asks     = mine && (mark_kind_i == 3'd0 || mark_kind_i == 3'd1 || mark_kind_i == 3'd3);
    wire full     = &dut.used_q;
    reg                    known, sampled;
    reg [WARP_BITS-1:0]    warp;
    reg [PLACE_BITS-1:0]   place;
    reg [COUNTER_BITS-1:0] counter;
    wire takes    = begins && !known && mark_lanes_i > 2 && !full;
    wire resumes  = begins && known && !sampled && mark_lanes_i > 1;
    wire ends     = sampled && mark_valid_i && mark_warp_i == warp &&
                    (mark_kind_i == 3'd4 || (mine && mark_kind_i == 3'd2));
    wire fed      = known && feed_valid_i && feed_loop_i == place;
    wire positive = !counter[COUNTER_BITS-1] && counter != 0;

    reg [PLACE_BITS:0] count; // places with a loop
    integer            i;
    always @* begin
        count = 0;
        for (i = 0; i < LOOPS; i = i + 1) begin
            count = count + dut.used_q[i];
        end
    end
    always @(posedge clk_i) begin
        if (takes) begin
            known   <= 1'b1;
            place   <= count[PLACE_BITS-1:0];
            counter <= 0;
        end
        if (takes || resumes) begin
            sampled <= 1'b1;
            warp    <= mark_warp_i;
        end
        if (ends) begin
            sampled <= 1'b0;
        end
        if (fed && feed_local_i && counter != MOST) begin
            counter <= counter + 1'b1;
        end
        if (fed && !feed_local_i && counter != LEAST) begin
            counter <= counter - 1'b1;
        end
        if (rst_i) begin
            known   <= 1'b0;
            sampled <= 1'b0;
        end
    end

    // The last cycle's mark.
    reg asked, told, any_mark, samples_then, positive_then, refused_then;
    always @(posedge clk_i) begin
        asked         <= asks && !rst_i;
        told          <= mine && !asks && !rst_i;
        any_mark      <= mark_valid_i && !rst_i;
        samples_then  <= takes || resumes || (known && sampled && warp == mark_warp_i);
        positive_then <= known && positive;
        refused_then  <= begins && !known && full && mark_lanes_i > 2;
    end

    reg in_order, clean, alone, there;
    always @* begin
        in_order = 1'b1; // places are taken from the lowest on
        clean    = 1'b1; // a place without a loop has no counter and shows 0
        alone    = 1'b1; // no other place has the loop
        there    = 1'b0;
        for (i = 0; i < LOOPS; i = i + 1) begin
            if (i > 0) begin
                in_order = in_order && (dut.used_q[i-1] || !dut.used_q[i]);
            end
            if (!dut.used_q[i]) begin
                clean = clean &&
                        dut.counter_q[i*COUNTER_BITS +: COUNTER_BITS] == 0 && !positive_o[i] &&
                        loop_pc_o[i*PC_BITS +: PC_BITS] == 0;
            end else if (dut.pc_q[i*PC_BITS +: PC_BITS] == x) begin
                alone = alone && known && place == i;
                there = 1'b1;
            end
        end
    end

    always @* begin
        if (started) begin
            // 5.2: the answer is whether the warp samples the loop once its mark has counted: the
            // first with more than two lanes, after it the next that enters with two or more.
            if (asked) begin
                the_sampling_warp_is_told: assert (ans_samples_o == samples_then);
                a_loop_keeps_its_place: assert (!ans_samples_o || ans_loop_o == place);
                // 5.2.1: locality is a positive counter.
                locality_is_told: assert (!ans_samples_o || ans_positive_o == positive_then);
                refused_is_a_full_table: assert (ans_refused_o == refused_then);
            end
            nobody_asked: assert (!told || (!ans_samples_o && !ans_refused_o));
            no_answer_without_a_mark: assert (any_mark || (!ans_samples_o && !ans_refused_o));
            if (known) begin
                positive_is_a_positive_counter: assert (positive_o[place] == positive);
                places_show_their_loops: assert (loop_pc_o[place*PC_BITS +: PC_BITS] == x);
            end

            // The table follows the reference.
            the_loop_has_one_place: assert (alone && there == known);
            places_are_in_order: assert (in_order && clean);
            if (known) begin
                its_place_exists: assert (place < LOOPS && dut.used_q[place]);
                its_warp_follows: assert (dut.sampled_q[place] == sampled &&
                    (!sampled || dut.warp_q[place*WARP_BITS +: WARP_BITS] == warp));
                its_counter_follows: assert (
                    dut.counter_q[place*COUNTER_BITS +: COUNTER_BITS] == counter);
            end
            a_new_loop_has_no_warp: assert (known || !sampled);
            if (asked) begin
                its_match_follows: assert (!ans_samples_o || dut.same_pc_q == 0 ?
                                           !ans_samples_o || dut.free_q == place :
                                           dut.same_pc_q == {{LOOPS-1{1'b0}}, 1'b1} << place);
            end
        end
    end

    always @(posedge clk_i) begin
        shows_a_loop_with_locality: cover (started && asked && ans_samples_o && ans_positive_o);
        another_warp_samples: cover (started && asked && ans_samples_o && known && sampled &&
                                     warp == 1 && positive);
        refused: cover (started && asked && ans_refused_o);
    end
endmodule

`default_nettype wire
