// SPDX-License-Identifier: Apache-2.0
// The properties of wm_shadow_tags, for one arbitrary set, one arbitrary array, and two arbitrary
// tags. Memory: tb/common/sram_1r1w_formal.v. Source: MDB, DAC 2016, section 6.
//
// The accesses of cycles 1 to 3 are followed from the ports. The state of the set is what the
// memory holds, or no lines: that which the access in cycle 2 finds, and the one in cycle 3 left.
`default_nettype none

// The head, with dut and started, is made from wm_shadow_tags: python/warpmem/tools/props.py.
`BEGIN_shadow_tags_props
    localparam SET_BITS   = $clog2(SETS);
    localparam AGE_BITS   = $clog2(WAYS);
    localparam ARRAY_BITS = ARRAYS > 1 ? $clog2(ARRAYS) : 1;
    localparam WAY_BITS   = 1 + AGE_BITS + TAG_BITS;
    localparam PART       = WAYS * WAY_BITS; // of one array
    localparam WORD_BITS  = ARRAYS * PART;
    localparam PARTS      = (TAG_BITS + 5) / 6;
    localparam ALL_SLICES = ARRAYS * WAYS * ((TAG_BITS + 15) / 16);

    wire [SET_BITS-1:0] watch = dut.memory.watch_addr;
    (* anyconst *) wire [ARRAY_BITS-1:0] array;
    (* anyconst *) wire [TAG_BITS-1:0]   x;
    (* anyconst *) wire [TAG_BITS-1:0]   y;

    always @* begin
        assume (watch < SETS && array < ARRAYS && x != y);
        assume (!acc_valid_i || (acc_set_i < SETS && acc_first_i < ARRAYS));
    end

    // The accesses of cycles 1, 2 and 3 as the ports tell.
    reg                  valid1, valid2, valid3;
    reg [SET_BITS-1:0]   set1, set2, set3;
    reg [TAG_BITS-1:0]   tag1, tag2;
    reg [ARRAY_BITS-1:0] first1, first2, first3;
    always @(posedge clk_i) begin
        valid1 <= acc_valid_i && !rst_i;
        valid2 <= valid1 && !rst_i;
        valid3 <= valid2 && !rst_i;
        if (acc_valid_i) begin
            {set1, tag1, first1} <= {acc_set_i, acc_tag_i, acc_first_i};
        end
        {set2, tag2, first2} <= {set1, tag1, first1};
        {set3, first3}       <= {set2, first2};
    end
    wire [ARRAYS-1:0] sees1 = {ARRAYS{1'b1}} << first1;
    wire [ARRAYS-1:0] sees2 = {ARRAYS{1'b1}} << first2;
    wire [ARRAYS-1:0] sees3 = {ARRAYS{1'b1}} << first3;
    wire              near  = valid2 && set2 == set1;
    wire              far   = !near && valid3 && set3 == set1;

    // The set as the access in cycle 2 finds it; tags count where there is a line.
    wire                 written = dut.written_q[watch];
    wire [WORD_BITS-1:0] no_lines;
    wire [WORD_BITS-1:0] word = written ? dut.memory.watch_data: no_lines;
    wire [WORD_BITS-1:0] counts;  // bits of a word that must be right
    // The array has this part of the word, and takes part in the access of cycle 2 or not.
    wire [PART-1:0]      part = word >> array * PART;
    wire                 uses = valid2 && set2 == watch && sees2[array];
    genvar g;
    generate
        for (g = 0; g < ARRAYS * WAYS; g = g + 1) begin : g_way
            localparam [AGE_BITS-1:0] AGE = g % WAYS;
            assign no_lines[g*WAY_BITS +: WAY_BITS] = {1'b0, AGE, {TAG_BITS{1'b0}}};
            assign counts[g*WAY_BITS +: WAY_BITS] =
                {{(1+AGE_BITS){1'b1}}, {TAG_BITS{word[g*WAY_BITS+TAG_BITS+AGE_BITS]}}};
        end
    endgenerate

    // In cycle 2 each array has this tag, and knows this about each way's tag.
    wire [ARRAYS*TAG_BITS-1:0] expected_tag;
    wire [ARRAYS*WAYS-1:0]     same_right;
    wire [ARRAYS*WAYS-1:0]     oldest_right;
    wire [WORD_BITS-1:0]       word2; // of the access, with the tags that replaced others in it
    generate
        for (g = 0; g < ARRAYS; g = g + 1) begin : g_array
            assign expected_tag[g*TAG_BITS +: TAG_BITS] = tag2 & {TAG_BITS{sees2[g]}};
        end
        for (g = 0; g < ARRAYS * WAYS; g = g + 1) begin : g_same
            assign word2[g*WAY_BITS +: WAY_BITS] =
                {dut.word2_q[g*WAY_BITS+TAG_BITS +: AGE_BITS+1],
                 dut.replaced2_q[g] ? dut.tag3_q[g/WAYS*TAG_BITS +: TAG_BITS] :
                                       dut.word2_q[g*WAY_BITS +: TAG_BITS]};
            assign same_right[g] = (&dut.same2_q[g*PARTS +: PARTS] || dut.again2_q[g]) ==
                                   (sees2[g/WAYS] && word2[(g+1)*WAY_BITS-1] &&
                                    word2[g*WAY_BITS +: TAG_BITS] == tag2);
            assign oldest_right[g] =
                dut.oldest2_q[g] ==
                (sees2[g/WAYS] && word2[g*WAY_BITS+TAG_BITS +: AGE_BITS] == WAYS - 1);
        end
    endgenerate

    reg [WAYS-1:0]     ages;         // those that some way has
    reg                order;        // no line is older than a way without one
    reg                once;         // no two ways have the same line
    reg                has_x, has_y, hits;
    reg [AGE_BITS-1:0] age_x, age_y;
    reg                full;
    integer            i, j;
    reg [AGE_BITS-1:0] age_i, age_j;
    reg [TAG_BITS-1:0] tag_i, tag_j;
    reg                line_i, line_j;
    always @* begin
        ages  = {WAYS{1'b0}};
        order = 1'b1;
        once  = 1'b1;
        full  = 1'b1;
        {has_x, has_y, hits} = 3'd0;
        {age_x, age_y}       = {(2*AGE_BITS){1'b0}};
        for (i = 0; i < WAYS; i = i + 1) begin
            {line_i, age_i, tag_i} = part[i*WAY_BITS +: WAY_BITS];
            full = full && line_i;
            for (j = 0; j < WAYS; j = j + 1) begin
                ages[j] = ages[j] || age_i == j;
                {line_j, age_j, tag_j} = part[j*WAY_BITS +: WAY_BITS];
                order = order && !(line_i && !line_j && age_i > age_j);
                once  = once && !(i != j && line_i && line_j && tag_i == tag_j);
            end
            if (line_i && tag_i == x) begin
                has_x = 1'b1;
                age_x = age_x | age_i;
            end
            if (line_i && tag_i == y) begin
                has_y = 1'b1;
                age_y = age_y | age_i;
            end
            hits = hits || (line_i && tag_i == tag2);
        end
    end

    // The ports tell of the array's accesses to the set: whether x was used since the reset, how
    // many came since then, up to WAYS, and whether x was used after y. uses3 to gone3 are of the
    // access that has its hits in cycle 3.
    reg              x_used, y_used, x_newer;
    reg [AGE_BITS:0] since_x;
    reg              uses3, hits3, sure3, new3, gone3;
    always @(posedge clk_i) begin
        uses3 <= uses && !rst_i;
        hits3 <= hits;
        sure3 <= tag2 == x && x_used && since_x < WAYS;
        new3  <= tag2 == x && !x_used;
        gone3 <= tag2 == x && x_used && !has_x;
        if (uses) begin
            since_x <= since_x == WAYS ? since_x : since_x + 1'b1;
            if (tag2 == x) begin
                x_used  <= 1'b1;
                since_x <= 0;
                x_newer <= 1'b1;
            end
            if (tag2 == y) begin
                y_used  <= 1'b1;
                x_newer <= 1'b0;
            end
        end
        if (rst_i) begin
            x_used <= 1'b0;
            y_used <= 1'b0;
        end
    end

    // The last cycle's access took x from the set, and y stayed.
    reg was_here, had_both;
    always @(posedge clk_i) begin
        was_here <= started && !rst_i;
        had_both <= has_x && has_y;
    end

    always @* begin
        if (started) begin
            // Each access has its hits three cycles later, unless a reset comes between.
            hits_in_their_cycle: assert (hit_valid_o == valid3);
            // An array hits exactly if it sees the access and has its line.
            hit_if_there: assert (!uses3 || hit_o[array] == hits3);
            no_hit_unseen: assert (!valid3 || sees3[array] || !hit_o[array]);
            // A line hits that was used at most WAYS - 1 accesses before, and none that never was.
            recent_line_hits: assert (!(uses3 && sure3) || hit_o[array]);
            unused_line_misses: assert (!(uses3 && new3) || !hit_o[array]);
            // The ages of a set are a permutation; ways without a line are the oldest.
            each_age_once: assert (&ages);
            no_line_behind_none: assert (order);
            // A line is in a set of an array once.
            line_is_there_once: assert (once);
            // Ages are the order of the last uses.
            age_is_order: assert (!(has_x && has_y) || (age_x < age_y) == x_newer);
            // So of two lines the one that was used last stays the longer.
            later_used_stays: assert (!(was_here && had_both && has_y && !has_x) || !x_newer);

            // Invariants. The accesses inside are those that came.
            first_is_told: assert (dut.valid1_q == valid1 && dut.valid2_q == valid2 );
            if (valid1) begin
                access_1: assert (dut.set1_q == set1 && dut.tag1_q == tag1 &&
                                  dut.sees1_q == sees1 && first1 < ARRAYS);
                near_1: assert ((dut.near_own1_q | dut.near_not1_q) ==
                                {ALL_SLICES{near}});
                far_1: assert ((dut.far_own1_q | dut.far_not1_q) == {ALL_SLICES{far}});
                fresh_1: assert (dut.fresh1_q == (!near && !far && !dut.written_q[set1]));
                read_1: assert (set1 != watch || near || far || !written ||
                                dut.read == dut.memory.watch_data);
            end
            if (valid2) begin
                access_2: assert (dut.set2_q == set2 && dut.sees2_q == sees2 &&
                                  first2 < ARRAYS);
                tag_2: assert (dut.tag2_q == expected_tag);
                same_2: assert (&same_right);
                oldest_2: assert (&oldest_right);
                word_2: assert (set2 != watch || ((word2 ^ word) & counts) == 0);
            end
            if (valid3) begin
                word_3: assert (set3 != watch || (written && dut.used3_q == word));
                first_3: assert (first3 < ARRAYS);
            end
            // The record of x and y holds of the set.
            x_was_used: assert (!has_x || x_used);
            y_was_used: assert (!has_y || y_used);
            nothing_used_unwritten: assert (written || !(x_used || y_used));
            recent_is_young: assert (!(x_used && since_x < WAYS) || (has_x && age_x <= since_x));
            since_in_range: assert (!x_used || since_x <= WAYS);
            uses_in_flight: assert (!uses3 || valid3);
        end
        // A set that was full, and its lines hit an access a cycle.
        shows_hits_in_a_row: cover (started && valid1 && valid2 && valid3 && near && full &&
                                    set3 == watch && uses3 && hit_o[array] && uses && hits);
        evicted_line_misses: cover (started && uses3 && !hit_o[array] && gone3);
        // Array i + 1 need not hit where array i does.
        lower_array_hits_alone: cover (started && hit_valid_o &&
                                       (ARRAYS == 1 || (hit_o[0] && !hit_o[ARRAYS-1])));
        miss_fills_a_set: cover (started && uses && !hits && !full && has_x);
    end
endmodule

`default_nettype wire
