// SPDX-License-Identifier: Apache-2.0
// The properties of wm_daws_loads. Source: DAWS, MICRO 2013, 5.1.1, 5.1.2, 5.2.2.
//
// The scan is followed entry by entry: while its loop is not marked again, what it has seen is what
// the table has. Answers are compared with a reference that asks all loops at once and multiplies.
`default_nettype none

// The head, with dut and started, is made from wm_daws_loads: python/warpmem/tools/props.py.
`BEGIN_daws_loads_props
    localparam LANE_BITS  = $clog2(LANES + 1);
    localparam LOOP_BITS  = $clog2(LOOPS);
    localparam GROUP_BITS = $clog2(ENTRIES);
    localparam COUNT_BITS = $clog2(ENTRIES + 1);
    localparam PLACE_BITS = PC_BITS - CODE_BITS;
    localparam PART       = COUNT_BITS + 2;
    localparam [ENTRIES-1:0] ENTRY_0 = 1;

    reg was_reset;
    always @(posedge clk_i) begin
        was_reset <= rst_i;
    end

    always @* begin
        assume (ask_warp_i < WARPS && ask_lanes_i <= LANES && class_lanes_i <= LANES &&
                class_accesses_i <= LANES && write_group_i < ENTRIES);
    end

    // --- the table ---

    integer i, j;
    (* anyconst *) wire [GROUP_BITS-1:0] u; // two loads
    (* anyconst *) wire [GROUP_BITS-1:0] v;
    always @* begin
        assume (u < v && v < ENTRIES);
    end
    wire                  u_valid = dut.load_valid_q[u], v_valid = dut.load_valid_q[v];
    wire [LOOP_BITS-1:0]  u_loop  = dut.load_loop_q[u*LOOP_BITS +: LOOP_BITS];
    wire [LOOP_BITS-1:0]  v_loop  = dut.load_loop_q[v*LOOP_BITS +: LOOP_BITS];
    wire [GROUP_BITS-1:0] u_group = dut.load_group_q[u*GROUP_BITS +: GROUP_BITS];
    wire [GROUP_BITS-1:0] v_group = dut.load_group_q[v*GROUP_BITS +: GROUP_BITS];
    wire signed [3:0]     v_count = dut.load_count_q[v*4 +: 4];

    // Any two loads have different names or loops. Groups have numbers of entries.
    reg loads_right, groups_right, homes_right;
    always @* begin
        loads_right  = 1'b1;
        homes_right  = 1'b1;
        groups_right = 1'b1;
        for (j = 0; j < ENTRIES; j = j + 1) begin
            groups_right = groups_right && (!dut.load_valid_q[j] ||
                dut.load_group_q[j*GROUP_BITS +: GROUP_BITS] < ENTRIES);
            homes_right  = homes_right && (!dut.load_valid_q[j] ||
                dut.loop_valid_q[dut.load_loop_q[j*LOOP_BITS +: LOOP_BITS]]);
            for (i = 0; i < j; i = i + 1) begin
                loads_right = loads_right &&
                    (!dut.load_valid_q[i] || !dut.load_valid_q[j] ||
                     dut.load_pc_q[i*PC_BITS +: PC_BITS] !=
                         dut.load_pc_q[j*PC_BITS +: PC_BITS] ||
                     dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] !=
                         dut.load_loop_q[j*LOOP_BITS +: LOOP_BITS]);
            end
        end
    end

    // Any two loops differ, and the second knows whether it is below the first.
    reg                   loops_right, fits_right, pair_knows;
    reg [PC_BITS-1:0]     p_pc, q_pc;
    always @* begin
        loops_right = 1'b1;
        fits_right  = 1'b1;
        for (j = 1; j < LOOPS; j = j + 1) begin
            for (i = 0; i < j; i = i + 1) begin
                p_pc       = dut.loop_pc_q[i*PC_BITS +: PC_BITS];
                q_pc       = dut.loop_pc_q[j*PC_BITS +: PC_BITS];
                pair_knows = p_pc != q_pc && dut.loop_below_q[j*LOOPS+i] ==
                    (q_pc[PLACE_BITS-1:0] < p_pc[PLACE_BITS-1:0]);
                loops_right = loops_right &&
                    (pair_knows || !dut.loop_valid_q[i] || !dut.loop_valid_q[j]);
                fits_right  = fits_right &&
                    (pair_knows || !dut.ask_fits1_q[i] || !dut.ask_fits1_q[j]);
            end
        end
    end

    // Requests under way, against the table as it is: the loop of a change, by its place or none.
    reg     fits1_right, fits2_right, hits2_right, sign1_right, sign2_right, below_right;
    reg     joins_right, pair_right, pair2_right;
    reg     is_loop, is_load;
    always @* begin
        fits1_right = 1'b1;
        fits2_right = 1'b1;
        sign1_right = 1'b1;
        sign2_right = 1'b1;
        below_right = 1'b1;
        pair_right  = 1'b1;
        for (i = 0; i < LOOPS; i = i + 1) begin
            is_loop     = dut.loop_valid_q[i];
            // Not found, but there: it was made since.
            fits1_right = fits1_right && (dut.fits1_q[i]
                ? is_loop && dut.loop_pc_q[i*PC_BITS +: PC_BITS] == dut.loop1_q
                : dut.made_q[0] || !is_loop ||
                  dut.loop_pc_q[i*PC_BITS +: PC_BITS] != dut.loop1_q);
            fits2_right = fits2_right && (dut.fits2_q[i]
                ? is_loop && dut.loop_pc_q[i*PC_BITS +: PC_BITS] == dut.loop2_q &&
                  dut.place2_q == i && dut.found2_q
                : dut.made_q != 0 || !is_loop ||
                  dut.loop_pc_q[i*PC_BITS +: PC_BITS] != dut.loop2_q);
            sign1_right = sign1_right && (!dut.sign_fits1_q[i] || is_loop);
            sign2_right = sign2_right && (!dut.sign_fits2_q[i] || is_loop);
            pair_right  = pair_right && (!dut.pair_fits1_q[i] || is_loop);
            below_right = below_right && (dut.made_q != 0 || !is_loop || dut.below2_q[i] ==
                (dut.loop2_q[PLACE_BITS-1:0] < dut.loop_pc_q[i*PC_BITS +: PLACE_BITS]));
        end
        hits2_right = 1'b1;
        joins_right = 1'b1;
        pair2_right = 1'b1;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            is_load     = dut.load_valid_q[i] && dut.found2_q &&
                dut.load_pc_q[i*PC_BITS +: PC_BITS] == dut.pc2_q &&
                dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] == dut.place2_q;
            hits2_right = hits2_right &&
                (dut.hits2_q[i] ? is_load : !is_load || dut.made_q[0]);
            is_load     = dut.load_valid_q[i] &&
                dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] == dut.join_place_q;
            joins_right = joins_right &&
                (dut.join_loop_q[i] ? is_load : !is_load || dut.made_q[0]);
            pair2_right = pair2_right &&
                (!(dut.a_hits2_q[i] || dut.b_hits2_q[i]) || (dut.load_valid_q[i] &&
                    dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] == dut.pair_place2_q));
        end
    end

    always @* begin
        if (started) begin
            // Entries and loops fill from the first one on.
            loads_are_the_first: assert (
                (dut.load_valid_q & (dut.load_valid_q + 1'b1)) == 0);
            loops_are_the_first: assert (
                (dut.loop_valid_q & (dut.loop_valid_q + 1'b1)) == 0);
            // Each load is of a loop that has a place.
            a_load_has_its_loop: assert (homes_right);
            // No loop and no load of a loop is there twice.
            loops_differ_and_know_those_before: assert (loops_right);
            loads_differ: assert (loads_right);
            groups_are_of_entries: assert (groups_right &&
                (!dut.change1_q || dut.group1_q < ENTRIES) &&
                (!dut.change2_q || dut.group2_q < ENTRIES) &&
                (!dut.pair3_q ||
                    (dut.a_group3_q < ENTRIES && dut.b_group3_q < ENTRIES)) &&
                (!dut.joins_q || dut.older_q < ENTRIES));
            one_place_of_a_paired_load: assert (!dut.pair2_q ||
                ((dut.a_hits2_q & (dut.a_hits2_q - 1'b1)) == 0 &&
                 (dut.b_hits2_q & (dut.b_hits2_q - 1'b1)) == 0));
            places_of_changes: assert (!dut.change1_q || fits1_right);
            places_of_changed_loops: assert (!dut.change2_q || fits2_right);
            found_loops_have_a_place: assert (dut.found2_q == (dut.fits2_q != 0));
            places_of_changed_loads: assert (!dut.change2_q || hits2_right);
            order_of_changed_loops: assert (!dut.change2_q || below_right);
            places_of_signs: assert ((!dut.sign1_q || sign1_right) &&
                                     (!dut.sign2_q || sign2_right));
            one_place_of_a_loop: assert (
                (!dut.change1_q || (dut.fits1_q & (dut.fits1_q - 1'b1)) == 0) &&
                (!dut.change2_q || (dut.fits2_q & (dut.fits2_q - 1'b1)) == 0) &&
                (!dut.pair1_q || (dut.pair_fits1_q & (dut.pair_fits1_q - 1'b1)) == 0));
            places_of_pairs: assert (!dut.pair1_q || pair_right);
            loops_of_pairs_are_there: assert (
                (!dut.pair2_q || (dut.a_hits2_q == 0 && dut.b_hits2_q == 0) ||
                 dut.loop_valid_q[dut.pair_place2_q]) &&
                (!dut.pair3_q || dut.loop_valid_q[dut.pair_place3_q]) &&
                (!dut.joins_q || dut.loop_valid_q[dut.join_place_q]));
            places_of_paired_loads: assert (!dut.pair2_q || pair2_right);
            joined_loads_are_of_the_loop: assert (!dut.joins_q || joins_right);
            both_polarities: assert (dut.not_younger_q == ~dut.younger_q);
            the_older_group_is_lower: assert (!dut.joins_q || dut.older_q < dut.younger_q);
            kinds_of_hits: assert (!dut.change2_q ||
                (dut.up_hits2_q ==
                     (dut.hits2_q & {ENTRIES{dut.up2_q && !dut.write2_q}}) &&
                 dut.down_hits2_q ==
                     (dut.hits2_q & {ENTRIES{dut.down2_q && !dut.write2_q}}) &&
                 dut.write_hits2_q == (dut.hits2_q & {ENTRIES{dut.write2_q}})));
            no_hits_without_a_change: assert (dut.change2_q || dut.load_valid_q == 0 ||
                (dut.up_hits2_q | dut.down_hits2_q | dut.write_hits2_q) == 0);
            up_or_down: assert (!(dut.change1_q && dut.up1_q && dut.down1_q) &&
                                !(dut.change2_q && dut.up2_q && dut.down2_q));
        end
    end

    // The classes and groups of a cycle ago.
    reg                  known_before, wrote_v, wrote_u, both_before;
    reg signed [3:0]     count_before;
    reg                  same_before, moved_up, moved_down, made_before;
    always @(posedge clk_i) begin
        known_before <= v_valid && !rst_i && !clear_i;
        both_before  <= u_valid && v_valid && u_loop == v_loop && !rst_i && !clear_i;
        same_before  <= u_group == v_group;
        count_before <= v_count;
        wrote_v      <= dut.change2_q && dut.write2_q && dut.hits2_q[v];
        wrote_u      <= dut.change2_q && dut.write2_q && dut.hits2_q[u];
        moved_up     <= dut.change2_q && !dut.write2_q && dut.hits2_q[v] && dut.up2_q;
        moved_down   <= dut.change2_q && !dut.write2_q && dut.hits2_q[v] && dut.down2_q;
        made_before  <= dut.made_q[0];
    end
    always @* begin
        if (started && !was_reset) begin
            // 5.2.2: a counter moves by one, and stays at its ends.
            if (known_before && !wrote_v) begin
                counters_saturate: assert (v_count ==
                    (moved_up && count_before != 7 ? count_before + 1 :
                     moved_down && count_before != -8 ? count_before - 1 : count_before));
            end
            // 5.2.2: loads that are one group stay one, unless a profile is written.
            if (both_before && same_before && !wrote_u && !wrote_v && !made_before) begin
                groups_stay_together: assert (u_group == v_group);
            end
        end
    end

    // A class of three cycles ago, and the table before and after it.
    reg       full, full_before;
    always @* begin
        full = dut.load_valid_q[ENTRIES-1] || dut.loop_valid_q[LOOPS-1];
    end
    always @(posedge clk_i) begin
        full_before <= full;
    end
    always @* begin
        if (started) begin
            // Only a full table refuses.
            a_full_table_refuses: assert (!refused_o || (full_before && full));
        end
    end

    // Inputs, delayed until they change the table.
    reg                  came1, came2, came_write1, came_write2, came_diverged1, came_diverged2;
    reg                  came_up1, came_up2, came_down1, came_down2;
    reg                  came_sign1, came_sign2, came_positive1, came_positive2;
    reg [PC_BITS-1:0]    came_loop1, came_loop2, came_pc1, came_pc2;
    reg [GROUP_BITS-1:0] came_group1, came_group2;
    always @(posedge clk_i) begin
        came1          <= (class_valid_i || write_valid_i) && !clear_i && !rst_i;
        came_write1    <= write_valid_i;
        came_diverged1 <= write_diverged_i;
        came_up1       <= class_lanes_i > 2 && class_accesses_i > 2;
        came_down1     <= class_lanes_i > 2 && class_accesses_i <= 2;
        came_loop1     <= write_valid_i ? write_loop_i : class_loop_i;
        came_pc1       <= write_valid_i ? write_pc_i : class_pc_i;
        came_group1    <= write_group_i;
        came_sign1     <= sign_valid_i && !clear_i && !rst_i;
        came_positive1 <= sign_positive_i;
        came2          <= came1 && !clear_i && !rst_i;
        came_write2    <= came_write1;
        came_diverged2 <= came_diverged1;
        came_up2       <= came_up1;
        came_down2     <= came_down1;
        came_loop2     <= came_loop1;
        came_pc2       <= came_pc1;
        came_group2    <= came_group1;
        came_sign2     <= came_sign1 && !clear_i && !rst_i;
        came_positive2 <= came_positive1;
    end
    // 5.2.2: groups are joined only of two loads that have entries.
    reg             both_found;
    reg [LOOPS-1:0] turned_off; // 5.2.1: loops of which a sign has said that they have no locality
    always @(posedge clk_i) begin
        both_found <= dut.pair2_q && dut.a_hits2_q != 0 && dut.b_hits2_q != 0;
        turned_off <= dut.sign_fits2_q &
            {LOOPS{came_sign2 && !came_positive2 && !rst_i && !clear_i}};
    end
    always @* begin
        if (started) begin
            a_pair_needs_both_loads: assert (!dut.pair3_q || both_found);
            a_loop_without_locality_is_off: assert ((dut.loop_positive_q & turned_off) == 0);
        end
    end

    // The load that changes has an entry in the next cycle, if there is room; its class is there.
    reg                  settled, settles_class, settles_write, settles_diverged, was_full;
    reg                  negative;
    reg [PC_BITS-1:0]    settled_loop, settled_pc;
    reg [GROUP_BITS-1:0] settled_group;
    always @(posedge clk_i) begin
        settled          <= came2 && !rst_i && !clear_i;
        settles_write    <= came_write2;
        settles_diverged <= came_diverged2;
        settled_loop     <= came_loop2;
        settled_pc       <= came_pc2;
        settled_group    <= came_group2;
        was_full         <= full;
        negative         <= came_sign2 && !came_positive2;
        settles_class    <= dut.made_q == 0;
    end
    reg                  has_entry, has_positive, has_class;
    always @* begin
        has_entry    = 1'b0;
        has_positive = 1'b0;
        has_class    = 1'b0;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            for (j = 0; j < LOOPS; j = j + 1) begin
                if (dut.load_valid_q[i] && dut.loop_valid_q[j] &&
                    dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] == j &&
                    dut.load_pc_q[i*PC_BITS +: PC_BITS] == settled_pc &&
                    dut.loop_pc_q[j*PC_BITS +: PC_BITS] == settled_loop) begin
                    has_entry    = 1'b1;
                    has_positive = has_positive || dut.loop_positive_q[j];
                    has_class    = has_class ||
                        (dut.load_count_q[i*4 +: 4] == (settles_diverged ? 4'b0111 : 4'b1000) &&
                         dut.load_group_q[i*GROUP_BITS +: GROUP_BITS] == settled_group);
                end
            end
        end
    end
    always @* begin
        if (started) begin
            changes_follow: assert (dut.change1_q == came1 && (!came1 ||
                (dut.write1_q == came_write1 && dut.loop1_q == came_loop1 &&
                 dut.pc1_q == came_pc1 && dut.diverged1_q == came_diverged1 &&
                 dut.group1_q == came_group1 && dut.up1_q == came_up1 &&
                 dut.down1_q == came_down1)));
            changes_follow_on: assert (dut.change2_q == came2 && (!came2 ||
                (dut.write2_q == came_write2 && dut.loop2_q == came_loop2 &&
                 dut.pc2_q == came_pc2 && dut.diverged2_q == came_diverged2 &&
                 dut.group2_q == came_group2 && dut.up2_q == came_up2 &&
                 dut.down2_q == came_down2)));
            signs_follow: assert (dut.sign1_q == came_sign1 && dut.sign2_q == came_sign2 &&
                (!came_sign1 || dut.positive1_q == came_positive1) &&
                (!came_sign2 || dut.positive2_q == came_positive2));
            // 5.2.2: a load of a sampling warp, or of a profile, has an entry, unless the table is
            // full or another one was made within two cycles; and its loop predicts.
            if (settled && settles_class) begin
                a_load_has_an_entry: assert (has_entry || refused_o);
                refused_if_it_has_none: assert (!refused_o || !has_entry);
            end
            if (settled && has_entry && settles_class && !negative) begin
                its_loop_predicts: assert (has_positive);
            end
            if (settled && has_entry && settles_class && settles_write) begin
                a_profile_says_its_class: assert (has_class);
            end
        end
    end

    // --- the scan ---

    // Groups of the scanned loop, of all entries and of the first ones, and how many there are.
    reg [ENTRIES-1:0]    groups, groups_diverged, part_groups, part_diverged;
    reg [7:0]            diverged_count, converged_count, seen_diverged, seen_converged;
    reg                  of_loop, is_diverged, read_right;
    reg [ENTRIES-1:0]    group_bit;
    always @* begin
        groups          = {ENTRIES{1'b0}};
        groups_diverged = {ENTRIES{1'b0}};
        part_groups     = {ENTRIES{1'b0}};
        part_diverged   = {ENTRIES{1'b0}};
        read_right      = 1'b1;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            of_loop     = dut.load_valid_q[i] &&
                dut.load_loop_q[i*LOOP_BITS +: LOOP_BITS] == dut.scan_place_q;
            is_diverged = $signed(dut.load_count_q[i*4 +: 4]) > 1;
            for (j = 0; j < ENTRIES; j = j + 1) begin
                if (of_loop && dut.load_group_q[i*GROUP_BITS +: GROUP_BITS] == j) begin
                    groups[j]          = 1'b1;
                    groups_diverged[j] = groups_diverged[j] || is_diverged;
                    // Entries before the one in the register: read two cycles ago and more.
                    if ((dut.scan_at_q >> (i + 2)) != 0) begin
                        part_groups[j]   = 1'b1;
                        part_diverged[j] = part_diverged[j] || is_diverged;
                    end
                end
            end
            group_bit = ENTRY_0 << dut.load_group_q[i*GROUP_BITS +: GROUP_BITS];
            if (dut.scan_at_q[i+1]) begin
                read_right = dut.in_loop1_q == of_loop && (!of_loop ||
                    (dut.is_diverged1_q == is_diverged && dut.scan_group1_q == group_bit));
            end
        end
        diverged_count  = 0;
        converged_count = 0;
        seen_diverged   = 0;
        seen_converged  = 0;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            diverged_count  = diverged_count + groups_diverged[i];
            converged_count = converged_count + (groups[i] && !groups_diverged[i]);
            seen_diverged   = seen_diverged + dut.seen_diverged_q[i];
            seen_converged  = seen_converged + (dut.seen_q[i] && !dut.seen_diverged_q[i]);
        end
    end
    // A loop has at most as many groups as entries.
    reg numbers_right;
    always @* begin
        numbers_right = 1'b1;
        for (i = 0; i < LOOPS; i = i + 1) begin
            numbers_right = numbers_right && (!(dut.loop_valid_q[i] ||
                                                (dut.ask1_q && dut.ask_fits1_q[i])) ||
                (dut.loop_triple_q[i*PART +: PART] ==
                     3 * dut.loop_diverged_q[i*COUNT_BITS +: COUNT_BITS] &&
                 dut.loop_diverged_q[i*COUNT_BITS +: COUNT_BITS] +
                     dut.loop_converged_q[i*COUNT_BITS +: COUNT_BITS] <= ENTRIES));
        end
    end
    wire fresh = (dut.marked_q & dut.scan_loop_q) == 0; // its loop has not changed
    reg  was_fresh;
    always @(posedge clk_i) begin
        was_fresh <= fresh;
    end
    // A loop that changes is marked; those that are scanned or marked have a place.
    always @* begin
        if (started) begin
            one_entry_is_scanned: assert ((dut.scan_at_q & (dut.scan_at_q - 1'b1)) == 0 &&
                                          dut.scans_q == (dut.scan_at_q != 0));
            // A scan does not outlive a change of its loop: it ends with it, or breaks.
            a_change_breaks_the_scan: assert (
                !dut.scans_q || dut.scan_at_q[0] || was_fresh);
            one_loop_is_scanned: assert (!dut.scans_q || (dut.scan_place_q < LOOPS &&
                dut.scan_loop_q == 1 << dut.scan_place_q));
            loops_of_scans_are_there: assert ((dut.marked_q & ~dut.loop_valid_q) == 0 &&
                (!dut.scans_q || dut.loop_valid_q[dut.scan_place_q]));
            if (dut.scans_q && fresh) begin
                what_is_read_is_of_the_table: assert (read_right);
                what_was_read_is_of_the_table: assert (
                    dut.seen_q == part_groups && dut.seen_diverged_q == part_diverged);
            end
            if (dut.scans_q) begin
                seen_diverged_groups_are_counted: assert (
                    {1'b0, dut.scan_diverged_q} + dut.more_diverged2_q == seen_diverged);
                seen_converged_groups_are_counted: assert (
                    {1'b0, dut.scan_converged_q} + dut.more_converged2_q ==
                    seen_converged + dut.less_converged2_q);
                a_group_counts_in_one_way: assert (
                    !(dut.more_converged2_q && dut.more_diverged2_q) &&
                    (!dut.less_converged2_q || dut.more_diverged2_q));
                all_is_counted_at_the_end: assert (!dut.scan_at_q[ENTRIES+2] ||
                    !(dut.more_converged2_q || dut.more_diverged2_q));
                a_group_is_read: assert (!dut.in_loop1_q || (dut.scan_group1_q != 0 &&
                    (dut.scan_group1_q & (dut.scan_group1_q - 1'b1)) == 0));
                diverged_groups_are_seen: assert ((dut.seen_diverged_q & ~dut.seen_q) == 0);
                nothing_is_read_at_first: assert (!dut.scan_at_q[0] ||
                    (dut.seen_q == 0 && !dut.in_loop1_q));
                nothing_is_read_behind_the_last: assert (
                    !(dut.scan_at_q[ENTRIES+1] || dut.scan_at_q[ENTRIES+2]) ||
                    !dut.in_loop1_q);
                as_many_as_entries: assert (
                    dut.scan_diverged_q + dut.scan_converged_q <= ENTRIES);
                triple_is_three_times: assert (dut.scan_triple_q == 3 * dut.scan_diverged_q);
            end
            // 5.1.1: each group counts once, as diverged if one of its loads is.
            if (dut.ends && fresh) begin
                groups_of_the_loop_are_counted: assert (
                    dut.scan_diverged_q == diverged_count &&
                    dut.scan_converged_q == converged_count);
            end
            numbers_of_loops: assert (numbers_right);
        end
    end

    // --- answers ---

    reg                  known, fits;
    reg [PC_BITS-1:0]    loop;
    reg                  asked1, known1, asked2, known2, asked3, known3, held1;
    reg [PC_BITS-1:0]    loop1, loop2, loop3;
    reg [$clog2(WARPS)-1:0] warp1, warp2, warp3;
    reg [LANE_BITS-1:0]  lanes1;
    reg [15:0]           lines, lines2, lines3, product;
    always @* begin
        known = 1'b0;
        loop  = {PC_BITS{1'b0}};
        for (i = 0; i < LOOPS; i = i + 1) begin
            fits = dut.loop_valid_q[i] && dut.loop_positive_q[i] && (ask_near_i
                ? dut.loop_pc_q[i*PC_BITS +: PC_BITS] >= ask_pc_i &&
                  dut.loop_pc_q[i*PC_BITS+PLACE_BITS +: CODE_BITS] ==
                      ask_pc_i[PC_BITS-1:PLACE_BITS]
                : dut.loop_pc_q[i*PC_BITS +: PC_BITS] == ask_pc_i);
            if (fits && (!known || dut.loop_pc_q[i*PC_BITS +: PC_BITS] < loop)) begin
                known = 1'b1;
                loop  = dut.loop_pc_q[i*PC_BITS +: PC_BITS];
            end
        end
        // The groups of the loop, a cycle later.
        lines = 16'd0;
        held1 = !known1;
        for (i = 0; i < LOOPS; i = i + 1) begin
            if (known1 && dut.ask_fits1_q[i] &&
                dut.loop_pc_q[i*PC_BITS +: PC_BITS] == loop1) begin
                held1 = 1'b1;
                lines = lanes1 * dut.loop_diverged_q[i*COUNT_BITS +: COUNT_BITS] +
                    (lanes1 > 2 ? 2 : lanes1) * dut.loop_converged_q[i*COUNT_BITS +: COUNT_BITS];
            end
        end
        product = dut.few2_q + dut.part2_q[0 +: PART] + 4 * dut.part2_q[PART +: PART] +
            16 * dut.part2_q[2*PART +: PART];
    end
    always @(posedge clk_i) begin
        asked1 <= ask_valid_i && !rst_i;
        known1 <= known;
        loop1  <= loop;
        warp1  <= ask_warp_i;
        lanes1 <= ask_lanes_i;
        asked2 <= asked1 && !rst_i;
        known2 <= known1;
        loop2  <= loop1;
        warp2  <= warp1;
        lines2 <= lines;
        asked3 <= asked2 && !rst_i;
        known3 <= known2;
        loop3  <= loop2;
        warp3  <= warp2;
        lines3 <= lines2;
    end

    // The loop that a known ask has found, still where it was.
    reg lowest_right, answer_right, same_code;
    always @* begin
        lowest_right = 1'b1;
        answer_right = known2 == (dut.answers2_q != 0);
        same_code    = 1'b1;
        for (i = 0; i < LOOPS; i = i + 1) begin
            if (dut.ask_fits1_q[i]) begin
                lowest_right = lowest_right && dut.loop_pc_q[i*PC_BITS +: PC_BITS] >= loop1;
                same_code    = same_code &&
                    dut.loop_pc_q[i*PC_BITS+PLACE_BITS +: CODE_BITS] ==
                        loop1[PC_BITS-1:PLACE_BITS];
            end
            if (dut.answers2_q[i]) begin
                answer_right = answer_right && dut.loop_pc_q[i*PC_BITS +: PC_BITS] == loop2;
            end
        end
    end
    always @* begin
        if (started) begin
            asks_follow: assert (dut.ask1_q == asked1 && dut.ask2_q == asked2 &&
                (!asked1 || (dut.ask_warp1_q == warp1 && dut.ask_lanes1_q == lanes1)) &&
                (!asked2 || dut.ask_warp2_q == warp2));
            if (asked1) begin
                loops_that_fit_are_ordered: assert (fits_right);
                loops_that_fit_stay: assert ((dut.ask_fits1_q & ~dut.loop_valid_q) == 0 ||
                                             (!dut.change1_q && !dut.change2_q));
                loops_that_fit_are_held: assert (held1 && known1 == (dut.ask_fits1_q != 0) &&
                                                 lowest_right && same_code && lanes1 <= LANES);
            end
            if (asked2) begin
                the_lowest_loop_answers: assert (answer_right &&
                    (dut.answers2_q & (dut.answers2_q - 1'b1)) == 0);
                the_product_follows: assert (!known2 ||
                                             (product == lines2 && lines2 <= LANES * ENTRIES));
            end
            // An answer comes three cycles after each ask, and only then.
            an_answer_for_each_ask: assert (ans_valid_o == asked3);
            if (asked3) begin
                // 5.1.1, 5.1.2: of the loop, or the next one of the code; a line a lane for each
                // diverged group, two for each other one, but never more than lanes.
                answers_are_of_the_warp: assert (ans_warp_o == warp3);
                answers_are_known: assert (ans_known_o == known3);
                if (known3) begin
                    answers_are_of_the_loop: assert (ans_loop_o == loop3);
                    answers_are_the_lines: assert (ans_lines_o == lines3);
                    over_is_more_than_the_l1: assert (ans_over_o == (lines3 > LINES));
                end
            end
        end
    end

    always @(posedge clk_i) begin
        shows_an_answer_of_a_detected_loop: cover (started && !rst_i && ans_known_o &&
                                                   ans_lines_o > 2 && !dut.write2_q);
        groups_are_joined: cover (started && !rst_i && dut.joins_q);
        a_table_is_full: cover (started && !rst_i && refused_o);
        a_scan_breaks: cover (started && !rst_i && dut.scans_q && !fresh);
    end
endmodule

`default_nettype wire
