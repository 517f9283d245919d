// SPDX-License-Identifier: Apache-2.0
// wm_daws_loads: the loads of loops, their classes and groups, and the lines of a warp's trip.
//
// Channels   ask, ans: a warp is at a loop or before one; its lines.  class: a load of a sampling
//            warp has issued.  pair: two loads have accessed one line.  sign: a loop has locality
//            or none.  write: a load of a profile.  clear: no entries.  refused: a table is full.
// Timing     one of each may come in every cycle. An ask finds the loops that fit, then the lowest
//            of them and its groups, then the product; ans_lines comes three cycles after it. A
//            class and a write find the loop's place, then the load's place, and change the table
//            three cycles after. A pair finds the loop's place, the loads' places, their groups and
//            which is older, and then changes the table. A sign waits so that it goes with the
//            class of its cycle.
// Scan       it counts the groups of a loop that has changed, an entry a cycle, the loop with the
//            lowest place first. A change of the loop stops the scan, and it begins again.
// Same cycle sign goes after class, because it knows later loads; write before class and pair,
//            because no warp runs then; the end of a scan before a change of its loop, which marks
//            the loop again.
// Making     a new entry depends on the look-ups of its loop and its load. So no entry is made in
//            the two cycles after one was made, whose look-ups did not see it. The load comes
//            again.
// Limits     WARPS 2 to 64; LANES 4 to 32; ENTRIES 2 to 64; LOOPS 2 to 16; PC_BITS 3 to 32;
//            CODE_BITS 1 to 16, below PC_BITS; LINES 1 to 2048 (checked at elaboration). Warps
//            below WARPS, lanes and accesses up to LANES, groups below ENTRIES.
// Cost       flip-flops: for each entry PC_BITS + clog2(LOOPS) + clog2(ENTRIES) + 10; for each loop
//            PC_BITS + 2 * clog2(ENTRIES + 1) + LOOPS / 2 + 12; 7 * PC_BITS and some hundred.
// Source     DAWS, MICRO 2013, 4.2, 5.1, 5.1.1, 5.1.2, 5.2.2.
// Twins      cmodel/issue/daws_loads.c  tb/issue/daws_loads_test.c  tb/issue/daws_loads_props.v
//            waves/issue/daws_loads.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_daws_loads #(
    parameter integer WARPS     = 32,  // of the core
    parameter integer LANES     = 32,  // of a warp
    parameter integer ENTRIES   = 32,  // loads
    parameter integer LOOPS     = 8,   // loops of them
    parameter integer PC_BITS   = 24,  // of a name: number of a code, and a place in it
    parameter integer CODE_BITS = 8,   // of its number
    parameter integer LINES     = 256  // of the L1
) (
    input  wire                         clk_i,            // clock
    input  wire                         rst_i,            // synchronous; no entries
    input  wire                         ask_valid_i,      // a warp is at a loop or before one
    input  wire [$clog2(WARPS)-1:0]     ask_warp_i,       // which
    input  wire [PC_BITS-1:0]           ask_pc_i,         // the loop, or the load before it
    input  wire [$clog2(LANES + 1)-1:0] ask_lanes_i,      // its active lanes
    input  wire                         ask_near_i,       // the load before it
    input  wire                         class_valid_i,    // a load has issued
    input  wire [PC_BITS-1:0]           class_loop_i,     // in this loop
    input  wire [PC_BITS-1:0]           class_pc_i,       // which
    input  wire [$clog2(LANES + 1)-1:0] class_lanes_i,    // with so many lanes
    input  wire [$clog2(LANES + 1)-1:0] class_accesses_i, // and accesses
    input  wire                         pair_valid_i,     // two loads access one line
    input  wire [PC_BITS-1:0]           pair_loop_i,      // in this loop
    input  wire [PC_BITS-1:0]           pair_a_i,         // one
    input  wire [PC_BITS-1:0]           pair_b_i,         // the other
    input  wire                         sign_valid_i,     // a loop's counter has moved
    input  wire [PC_BITS-1:0]           sign_loop_i,      // which
    input  wire                         sign_positive_i,  // it has locality
    input  wire                         write_valid_i,    // a load of a profile
    input  wire [PC_BITS-1:0]           write_loop_i,     // in this loop
    input  wire [PC_BITS-1:0]           write_pc_i,       // which
    input  wire                         write_diverged_i, // its class
    input  wire [$clog2(ENTRIES)-1:0]   write_group_i,    // its group
    input  wire                         clear_i,          // no entries
    output wire                         ans_valid_o,      // an answer
    output wire [$clog2(WARPS)-1:0]     ans_warp_o,       // for this warp
    output wire                         ans_known_o,      // there is a loop
    output wire [PC_BITS-1:0]           ans_loop_o,       // which
    output wire [$clog2(LANES * ENTRIES + 1)-1:0] ans_lines_o, // lines of a trip
    output wire                         ans_over_o,       // more than the L1 has
    output wire                         refused_o         // a table is full
);
    localparam integer WARP_BITS  = $clog2(WARPS);
    localparam integer LANE_BITS  = $clog2(LANES + 1);
    localparam integer LOOP_BITS  = $clog2(LOOPS);
    localparam integer GROUP_BITS = $clog2(ENTRIES);
    localparam integer COUNT_BITS = $clog2(ENTRIES + 1);
    localparam integer PART       = COUNT_BITS + 2; // bits of three times a count
    localparam integer LINE_BITS  = $clog2(LANES * ENTRIES + 1);
    localparam integer PLACE_BITS = PC_BITS - CODE_BITS;
    localparam integer WIDE       = 16; // holds LINES and every prediction
    localparam [WIDE-1:0]       ALL_LINES = LINES[WIDE-1:0];
    localparam [LANE_BITS-1:0]  TWO       = 2;
    localparam [LOOPS-1:0]      LOOP_0    = 1;
    localparam [ENTRIES-1:0]    ENTRY_0   = 1;
    localparam [PLACE_BITS-1:0] HIGH      = {PLACE_BITS{1'b1}} << PLACE_BITS / 2; // half of a place
    localparam [3:0]            MOST      = 4'b0111; // of a counter
    localparam [3:0]            LEAST     = 4'b1000;

    generate
        if (WARPS < 2 || WARPS > 64 || LANES < 4 || LANES > 32 || ENTRIES < 2 || ENTRIES > 64 ||
            LOOPS < 2 || LOOPS > 16 || PC_BITS < 3 || PC_BITS > 32 || CODE_BITS < 1 ||
            CODE_BITS > 16 || CODE_BITS >= PC_BITS || LINES < 1 || LINES > 2048) begin : g_illegal
            wm_daws_loads_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_NUMBER_OF(place_of, LOOPS, LOOP_BITS)
    `WM_WORD_OF(pc_of, LOOPS, PC_BITS)
    `WM_WORD_OF(group_of, ENTRIES, GROUP_BITS)

    // --- the table ---

    reg [ENTRIES-1:0]            load_valid_q; // the first ones
    reg [ENTRIES*PC_BITS-1:0]    load_pc_q;
    reg [ENTRIES*LOOP_BITS-1:0]  load_loop_q;  // its place
    reg [ENTRIES*GROUP_BITS-1:0] load_group_q, load_group_d;
    reg [ENTRIES*4-1:0]          load_count_q, load_count_d; // of divergence, signed
    reg [LOOPS-1:0]              loop_valid_q; // the first ones
    reg [LOOPS-1:0]              loop_positive_q;
    reg [LOOPS*PC_BITS-1:0]      loop_pc_q;
    reg [LOOPS*COUNT_BITS-1:0]   loop_diverged_q, loop_converged_q; // groups
    reg [LOOPS*PART-1:0] loop_triple_q; // three times the diverged ones
    reg [LOOPS*LOOPS-1:0]        loop_below_q; // [l][m], m before l: l is below m, if of one code

    wire [ENTRIES-1:0] next_load = ~load_valid_q & {load_valid_q[ENTRIES-2:0], 1'b1};
    wire [LOOPS-1:0]   next_loop = ~loop_valid_q & {loop_valid_q[LOOPS-2:0], 1'b1};

    reg [ENTRIES-1:0] diverged; // counters above 1
    integer           i;
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            diverged[i] = !load_count_q[i*4+3] && (load_count_q[i*4+2] || load_count_q[i*4+1]);
        end
    end

    // --- the places of loops ---

    wire [PC_BITS-1:0] change_loop = write_valid_i ? write_loop_i : class_loop_i;

    reg [LOOPS-1:0] change_fits, pair_fits, sign_fits;
    integer         l;
    always @* begin
        for (l = 0; l < LOOPS; l = l + 1) begin
            change_fits[l] = loop_valid_q[l] && loop_pc_q[l*PC_BITS +: PC_BITS] == change_loop;
            pair_fits[l]   = loop_valid_q[l] && loop_pc_q[l*PC_BITS +: PC_BITS] == pair_loop_i;
            sign_fits[l]   = loop_valid_q[l] && loop_pc_q[l*PC_BITS +: PC_BITS] == sign_loop_i;
        end
    end

    // --- the places of loads: what came in the last cycle ---

    reg                  change1_q, write1_q, diverged1_q, up1_q, down1_q;
    reg [PC_BITS-1:0]    loop1_q, pc1_q;
    reg [GROUP_BITS-1:0] group1_q;
    reg [LOOPS-1:0]      fits1_q;
    reg                  pair1_q;
    reg [PC_BITS-1:0]    a1_q, b1_q;
    reg [LOOPS-1:0]      pair_fits1_q;
    reg                  sign1_q, positive1_q;
    reg [LOOPS-1:0]      sign_fits1_q;

    wire moves = class_lanes_i > TWO;
    always @(posedge clk_i) begin
        change1_q     <= (class_valid_i || write_valid_i) && !clear_i && !rst_i;
        write1_q      <= write_valid_i;
        diverged1_q   <= write_diverged_i;
        up1_q         <= moves && class_accesses_i > TWO;
        down1_q       <= moves && !(class_accesses_i > TWO);
        loop1_q       <= change_loop;
        pc1_q         <= write_valid_i ? write_pc_i : class_pc_i;
        group1_q      <= write_group_i;
        fits1_q       <= change_fits;
        pair1_q       <= pair_valid_i && !clear_i && !rst_i;
        a1_q          <= pair_a_i;
        b1_q          <= pair_b_i;
        pair_fits1_q  <= pair_fits;
        sign1_q       <= sign_valid_i && !clear_i && !rst_i;
        positive1_q   <= sign_positive_i;
        sign_fits1_q  <= sign_fits;
    end

    wire                 found1      = |fits1_q;
    wire                 pair_found1 = |pair_fits1_q;
    wire [LOOP_BITS-1:0] place1      = place_of(fits1_q);
    wire [LOOP_BITS-1:0] pair_place1 = place_of(pair_fits1_q);
    reg [ENTRIES-1:0]   hits, a_hits, b_hits;
    reg [PLACE_BITS-1:0] its_place;
    reg [LOOPS-1:0]     below; // the loop's place in the code is below those
    always @* begin
        for (l = 0; l < LOOPS; l = l + 1) begin
            its_place = loop_pc_q[l*PC_BITS +: PLACE_BITS];
            below[l]  = (loop1_q[PLACE_BITS-1:0] & HIGH) < (its_place & HIGH) ||
                ((loop1_q[PLACE_BITS-1:0] & HIGH) == (its_place & HIGH) &&
                 (loop1_q[PLACE_BITS-1:0] & ~HIGH) < (its_place & ~HIGH));
        end
        for (i = 0; i < ENTRIES; i = i + 1) begin
            hits[i]   = load_valid_q[i] && found1 &&
                load_pc_q[i*PC_BITS +: PC_BITS] == pc1_q &&
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] == place1;
            a_hits[i] = load_valid_q[i] && pair_found1 &&
                load_pc_q[i*PC_BITS +: PC_BITS] == a1_q &&
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] == pair_place1;
            b_hits[i] = load_valid_q[i] && pair_found1 &&
                load_pc_q[i*PC_BITS +: PC_BITS] == b1_q &&
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] == pair_place1;
        end
    end

    // --- the groups of a pair ---

    reg                  pair2_q;
    reg [ENTRIES-1:0]    a_hits2_q, b_hits2_q;
    reg [LOOP_BITS-1:0]  pair_place2_q;
    reg                  pair3_q;
    reg [GROUP_BITS-1:0] a_group3_q, b_group3_q;
    reg [LOOP_BITS-1:0]  pair_place3_q;
    reg                  joins_q;
    reg [GROUP_BITS-1:0] older_q, younger_q, not_younger_q; // both polarities: half the load each
    reg [LOOP_BITS-1:0]  join_place_q;
    reg [ENTRIES-1:0]    join_loop_q; // loads of its loop
    wire                 a_is_older = a_group3_q < b_group3_q;
    wire [GROUP_BITS-1:0] a_group = group_of(load_group_q, a_hits2_q);
    wire [GROUP_BITS-1:0] b_group = group_of(load_group_q, b_hits2_q);
    always @(posedge clk_i) begin
        pair2_q       <= pair1_q && !clear_i && !rst_i;
        a_hits2_q     <= a_hits;
        b_hits2_q     <= b_hits;
        pair_place2_q <= pair_place1;
        pair3_q       <= pair2_q && |a_hits2_q && |b_hits2_q && !clear_i && !rst_i;
        a_group3_q    <= a_group;
        b_group3_q    <= b_group;
        pair_place3_q <= pair_place2_q;
        joins_q       <= pair3_q && a_group3_q != b_group3_q && !clear_i && !rst_i;
        older_q       <= a_is_older ? a_group3_q : b_group3_q;
        younger_q     <= a_is_older ? b_group3_q : a_group3_q;
        not_younger_q <= ~(a_is_older ? b_group3_q : a_group3_q);
        join_place_q  <= pair_place3_q;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            join_loop_q[i] <= load_valid_q[i] &&
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] == pair_place3_q;
        end
    end

    // --- changes of the table ---

    reg                  change2_q, write2_q, diverged2_q, up2_q, down2_q, found2_q;
    reg [PC_BITS-1:0]    loop2_q, pc2_q;
    reg [GROUP_BITS-1:0] group2_q;
    reg [LOOPS-1:0]      fits2_q, below2_q;
    reg [LOOP_BITS-1:0]  place2_q;
    reg [ENTRIES-1:0]    hits2_q, up_hits2_q, down_hits2_q, write_hits2_q;
    reg                  sign2_q, positive2_q;
    reg [LOOPS-1:0]      sign_fits2_q;
    reg [1:0]            made_q; // an entry was, in the last cycle, and in the one before
    reg                  refused_q;
    always @(posedge clk_i) begin
        change2_q    <= change1_q && !clear_i && !rst_i;
        write2_q     <= write1_q;
        diverged2_q  <= diverged1_q;
        up2_q        <= up1_q;
        down2_q      <= down1_q;
        found2_q     <= found1;
        loop2_q      <= loop1_q;
        pc2_q        <= pc1_q;
        group2_q     <= group1_q;
        fits2_q      <= fits1_q;
        below2_q     <= below;
        place2_q     <= place1;
        hits2_q      <= hits;
        up_hits2_q   <= hits & {ENTRIES{change1_q && !write1_q && up1_q}};
        down_hits2_q <= hits & {ENTRIES{change1_q && !write1_q && down1_q}};
        write_hits2_q <= hits & {ENTRIES{change1_q && write1_q}};
        sign2_q      <= sign1_q && !clear_i && !rst_i;
        positive2_q  <= positive1_q;
        sign_fits2_q <= sign_fits1_q;
    end

    wire room  = !load_valid_q[ENTRIES-1] && (found2_q || !loop_valid_q[LOOPS-1]);
    wire hit   = change2_q && |hits2_q;
    wire fresh = change2_q && !(|hits2_q) && made_q == 2'b00;
    wire makes = fresh && room;
    wire makes_loop = makes && !found2_q;

    reg [LOOP_BITS-1:0] loop_place; // of the new entry
    always @* begin
        loop_place = place2_q;
        for (l = 0; l < LOOPS; l = l + 1) begin
            if (!found2_q && next_loop[l]) begin
                loop_place = l[LOOP_BITS-1:0];
            end
        end
    end
    wire [LOOPS-1:0] changed_loop = found2_q ? fits2_q : next_loop;

    wire [3:0] first_count =
        write2_q ? (diverged2_q ? MOST : LEAST) : {{3{down2_q}}, up2_q | down2_q};

    // The next free entry and loop are written before it is known whether they are taken.
    reg [ENTRIES-1:0] turns; // other class
    always @* begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            turns[i] = (up_hits2_q[i] && load_count_q[i*4 +: 4] == 4'd1) ||
                (down_hits2_q[i] && load_count_q[i*4 +: 4] == 4'd2);
            load_count_d[i*4 +: 4] = load_count_q[i*4 +: 4];
            if (next_load[i] || write_hits2_q[i]) begin
                load_count_d[i*4 +: 4] = first_count;
            end else if (up_hits2_q[i] && load_count_q[i*4 +: 4] != MOST) begin
                load_count_d[i*4 +: 4] = load_count_q[i*4 +: 4] + 4'd1;
            end else if (down_hits2_q[i] && load_count_q[i*4 +: 4] != LEAST) begin
                load_count_d[i*4 +: 4] = load_count_q[i*4 +: 4] - 4'd1;
            end
            load_group_d[i*GROUP_BITS +: GROUP_BITS] = load_group_q[i*GROUP_BITS +: GROUP_BITS];
            if (joins_q && join_loop_q[i] && (i % 2 == 0
                    ? load_group_q[i*GROUP_BITS +: GROUP_BITS] == younger_q
                    : ~load_group_q[i*GROUP_BITS +: GROUP_BITS] == not_younger_q)) begin
                load_group_d[i*GROUP_BITS +: GROUP_BITS] = older_q;
            end
            if (next_load[i] || write_hits2_q[i]) begin
                load_group_d[i*GROUP_BITS +: GROUP_BITS] = write2_q ? group2_q : i[GROUP_BITS-1:0];
            end
        end
    end

    wire [LOOPS-1:0] marks =
        (changed_loop & {LOOPS{makes || (hit && write2_q) || (change2_q && |turns)}}) |
        ({LOOPS{joins_q}} & (LOOP_0 << join_place_q));

    always @(posedge clk_i) begin
        load_count_q <= load_count_d;
        load_group_q <= load_group_d;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            if (next_load[i] && change2_q) begin
                load_pc_q[i*PC_BITS +: PC_BITS]       <= pc2_q;
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] <= loop_place;
            end
        end
        for (l = 0; l < LOOPS; l = l + 1) begin
            if (next_loop[l] && change2_q) begin
                loop_pc_q[l*PC_BITS +: PC_BITS] <= loop2_q;
                loop_below_q[l*LOOPS +: LOOPS]  <= below2_q;
            end
        end
        loop_positive_q <= (loop_positive_q | (changed_loop & {LOOPS{hit || makes}}) |
                            (sign_fits2_q & {LOOPS{sign2_q && positive2_q}})) &
            ~(sign_fits2_q & {LOOPS{sign2_q && !positive2_q}});
        if (rst_i || clear_i) begin
            load_valid_q <= {ENTRIES{1'b0}};
            loop_valid_q <= {LOOPS{1'b0}};
            made_q       <= 2'b00;
            refused_q    <= 1'b0;
        end else begin
            load_valid_q <= load_valid_q | (next_load & {ENTRIES{makes}});
            loop_valid_q <= loop_valid_q | (next_loop & {LOOPS{makes_loop}});
            made_q       <= {made_q[0], makes};
            refused_q    <= fresh && !room;
        end
    end
    assign refused_o = refused_q;

    // --- the scan ---

    reg [LOOPS-1:0]      marked_q;
    reg [LOOPS-1:0]      scan_loop_q; // one-hot
    reg [LOOP_BITS-1:0]  scan_place_q;
    reg                  scans_q;
    reg [ENTRIES+2:0]    scan_at_q;    // one-hot: the entry, and three cycles behind the last one
    reg                  in_loop1_q, is_diverged1_q; // the entry of the last cycle
    reg [ENTRIES-1:0]    scan_group1_q;              // one-hot
    reg [ENTRIES-1:0]    seen_q, seen_diverged_q;    // groups
    reg [COUNT_BITS-1:0] scan_diverged_q, scan_converged_q;
    reg [PART-1:0]       scan_triple_q;

    wire [LOOPS-1:0] lowest = marked_q & (~marked_q + LOOP_0);
    wire begins = !scans_q && marked_q != {LOOPS{1'b0}};
    wire breaks = scans_q && |(marked_q & scan_loop_q);
    wire ends   = scan_at_q[ENTRIES+2] && !clear_i;

    wire [LOOP_BITS-1:0]  lowest_place = place_of(lowest);
    wire [GROUP_BITS-1:0] read_group   = group_of(load_group_q, scan_at_q[ENTRIES-1:0]);
    reg                   read_in_loop, read_diverged;
    always @* begin
        read_in_loop  = 1'b0;
        read_diverged = 1'b0;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            read_in_loop  = read_in_loop || (scan_at_q[i] && load_valid_q[i] &&
                load_loop_q[i*LOOP_BITS +: LOOP_BITS] == scan_place_q);
            read_diverged = read_diverged || (scan_at_q[i] && diverged[i]);
        end
    end

    wire was_seen          = |(seen_q & scan_group1_q);
    wire was_seen_diverged = |(seen_diverged_q & scan_group1_q);
    reg  more_diverged2_q, more_converged2_q, less_converged2_q; // of the entry before that

    always @(posedge clk_i) begin
        in_loop1_q     <= read_in_loop;
        is_diverged1_q <= read_diverged;
        scan_group1_q  <= ENTRY_0 << read_group;
        more_diverged2_q  <= scans_q && in_loop1_q && is_diverged1_q && !was_seen_diverged;
        more_converged2_q <= scans_q && in_loop1_q && !is_diverged1_q && !was_seen;
        // It counted as converged.
        less_converged2_q <=
            scans_q && in_loop1_q && is_diverged1_q && !was_seen_diverged && was_seen;
        if (begins) begin
            scan_loop_q      <= lowest;
            scan_place_q     <= lowest_place;
            seen_q           <= {ENTRIES{1'b0}};
            seen_diverged_q  <= {ENTRIES{1'b0}};
            scan_diverged_q  <= {COUNT_BITS{1'b0}};
            scan_converged_q <= {COUNT_BITS{1'b0}};
            scan_triple_q    <= {PART{1'b0}};
        end else if (scans_q) begin
            seen_q           <= seen_q | (scan_group1_q & {ENTRIES{in_loop1_q}});
            seen_diverged_q  <=
                seen_diverged_q | (scan_group1_q & {ENTRIES{in_loop1_q && is_diverged1_q}});
            scan_diverged_q  <= scan_diverged_q + {{(COUNT_BITS-1){1'b0}}, more_diverged2_q};
            scan_triple_q    <=
                scan_triple_q + {{COUNT_BITS{1'b0}}, more_diverged2_q, more_diverged2_q};
            scan_converged_q <= scan_converged_q +
                {{(COUNT_BITS-1){less_converged2_q}}, less_converged2_q || more_converged2_q};
        end
        for (l = 0; l < LOOPS; l = l + 1) begin
            if (next_loop[l]) begin
                loop_diverged_q[l*COUNT_BITS +: COUNT_BITS]  <= {COUNT_BITS{1'b0}};
                loop_converged_q[l*COUNT_BITS +: COUNT_BITS] <= {COUNT_BITS{1'b0}};
                loop_triple_q[l*PART +: PART] <= {PART{1'b0}};
            end else if (ends && scan_loop_q[l]) begin
                loop_diverged_q[l*COUNT_BITS +: COUNT_BITS]  <= scan_diverged_q;
                loop_converged_q[l*COUNT_BITS +: COUNT_BITS] <= scan_converged_q;
                loop_triple_q[l*PART +: PART] <= scan_triple_q;
            end
        end
        if (rst_i || clear_i) begin
            marked_q  <= {LOOPS{1'b0}};
            scan_at_q <= {(ENTRIES+3){1'b0}};
            scans_q   <= 1'b0;
        end else begin
            marked_q  <= (marked_q & ~(lowest & {LOOPS{begins}})) | marks;
            scan_at_q <= {scan_at_q[ENTRIES+1:0] & {(ENTRIES+2){!breaks}}, begins};
            scans_q   <= begins || (scans_q && !scan_at_q[ENTRIES+2] && !breaks);
        end
    end

    // --- asks ---

    reg [LOOPS-1:0] ask_fits;
    always @* begin
        for (l = 0; l < LOOPS; l = l + 1) begin
            ask_fits[l] = loop_valid_q[l] && loop_positive_q[l] &&
                loop_pc_q[l*PC_BITS+PLACE_BITS +: CODE_BITS] == ask_pc_i[PC_BITS-1:PLACE_BITS] &&
                (loop_pc_q[l*PC_BITS +: PLACE_BITS] == ask_pc_i[PLACE_BITS-1:0] ||
                 (ask_near_i && loop_pc_q[l*PC_BITS +: PLACE_BITS] > ask_pc_i[PLACE_BITS-1:0]));
        end
    end

    reg                 ask1_q;
    reg [WARP_BITS-1:0] ask_warp1_q;
    reg [LANE_BITS-1:0] ask_lanes1_q;
    reg [LOOPS-1:0]     ask_fits1_q;

    reg [LOOPS-1:0] others;  // fit and are lower
    reg [LOOPS-1:0] answers; // one-hot
    integer         m;
    always @* begin
        for (l = 0; l < LOOPS; l = l + 1) begin
            for (m = 0; m < LOOPS; m = m + 1) begin
                others[m] = ask_fits1_q[m] && m != l &&
                    (m > l ? loop_below_q[m*LOOPS+l] : !loop_below_q[l*LOOPS+m]);
            end
            answers[l] = ask_fits1_q[l] && !(|others);
        end
    end

    // The product: each two bits of the lanes select 0 to 3 times the diverged groups. It is formed
    // for each loop while the answering one is chosen.
    wire [5:0]           lanes1 = {{(6-LANE_BITS){1'b0}}, ask_lanes1_q};
    reg [3*PART-1:0]     part, part2_q;
    reg [COUNT_BITS:0]   few, few2_q; // of the converged groups
    reg [PART-1:0]       its_part;
    reg [COUNT_BITS:0]   its_few;
    integer              d;
    always @* begin
        part = {(3*PART){1'b0}};
        few  = {(COUNT_BITS+1){1'b0}};
        for (l = 0; l < LOOPS; l = l + 1) begin
            for (d = 0; d < 3; d = d + 1) begin
                its_part = ({PART{lanes1[2*d +: 2] == 2'd1}} &
                            {2'b00, loop_diverged_q[l*COUNT_BITS +: COUNT_BITS]}) |
                    ({PART{lanes1[2*d +: 2] == 2'd2}} &
                     {1'b0, loop_diverged_q[l*COUNT_BITS +: COUNT_BITS], 1'b0}) |
                    ({PART{lanes1[2*d +: 2] == 2'd3}} & loop_triple_q[l*PART +: PART]);
                part[d*PART +: PART] = part[d*PART +: PART] | ({PART{answers[l]}} & its_part);
            end
            its_few = ({(COUNT_BITS+1){lanes1[5:1] != 5'd0}} &
                       {loop_converged_q[l*COUNT_BITS +: COUNT_BITS], 1'b0}) |
                ({(COUNT_BITS+1){lanes1 == 6'd1}} &
                 {1'b0, loop_converged_q[l*COUNT_BITS +: COUNT_BITS]});
            few = few | ({(COUNT_BITS+1){answers[l]}} & its_few);
        end
    end

    reg [LOOPS-1:0]     answers2_q;
    reg                 ask2_q;
    reg [WARP_BITS-1:0] ask_warp2_q;

    reg                 ans_valid_q, ans_known_q;
    reg [WARP_BITS-1:0] ans_warp_q;
    reg [PC_BITS-1:0]   ans_loop_q;
    reg [LINE_BITS-1:0] ans_lines_q;

    wire [WIDE-1:0] lines = {{(WIDE-COUNT_BITS-1){1'b0}}, few2_q} +
        {{(WIDE-COUNT_BITS-2){1'b0}}, part2_q[0 +: PART]} +
        {{(WIDE-COUNT_BITS-4){1'b0}}, part2_q[PART +: PART], 2'b00} +
        {{(WIDE-COUNT_BITS-6){1'b0}}, part2_q[2*PART +: PART], 4'b0000};

    always @(posedge clk_i) begin
        ask1_q       <= ask_valid_i && !rst_i;
        ask_warp1_q  <= ask_warp_i;
        ask_lanes1_q <= ask_lanes_i;
        ask_fits1_q  <= ask_fits;
        ask2_q       <= ask1_q && !rst_i;
        ask_warp2_q  <= ask_warp1_q;
        answers2_q   <= answers;
        part2_q      <= part;
        few2_q       <= few;
        ans_valid_q  <= ask2_q && !rst_i;
        ans_known_q  <= ask2_q && |answers2_q;
        ans_warp_q   <= ask_warp2_q;
        ans_loop_q   <= pc_of(loop_pc_q, answers2_q);
        ans_lines_q  <= lines[LINE_BITS-1:0];
    end

    wire unused_lines = &{1'b0, lines[WIDE-1:LINE_BITS]};
    wire [WIDE-1:0] wide_lines = {{(WIDE-LINE_BITS){1'b0}}, ans_lines_q};
    assign ans_valid_o = ans_valid_q;
    assign ans_warp_o  = ans_warp_q;
    assign ans_known_o = ans_known_q;
    assign ans_loop_o  = ans_loop_q;
    assign ans_lines_o = ans_lines_q;
    assign ans_over_o  = wide_lines > ALL_LINES;
endmodule

`default_nettype wire
