// SPDX-License-Identifier: Apache-2.0
// Properties of wm_tag_sets, of one arbitrary set. Memory: tb/common/sram_1r1w_formal.v.
`default_nettype none

// The head, with dut and started, is made from wm_tag_sets: python/warpmem/tools/props.py.
`BEGIN_tag_sets_props
    localparam WAY_BITS = $clog2(WAYS);
    localparam TAG_BITS = LINE_BITS - SET_BITS;
    localparam PAIRS    = WAYS * (WAYS - 1) / 2;
    localparam FOLDED   = INDEX == 0 ? SET_BITS : INDEX == 1 ? 2 * SET_BITS : LINE_BITS;

    function [SET_BITS-1:0] set_of(input [LINE_BITS-1:0] line);
        integer b;
        begin
            set_of = 0;
            for (b = 0; b < FOLDED && b < LINE_BITS; b = b + 1) begin
                set_of[b % SET_BITS] = set_of[b % SET_BITS] ^ line[b];
            end
        end
    endfunction

    // The arbitrary set, as the ports tell: its lines, whether they are dirty, and for each two ways,
    // first * WAYS + second, whether the first was used after the second.
    (* anyconst *) wire [SET_BITS-1:0] watch;
    reg [WAYS-1:0]           live, dirty;
    reg [WAYS*LINE_BITS-1:0] lines;
    reg [WAYS*WAYS-1:0]      later;
    reg [LINE_BITS-1:0]      shown; // by ahead_line_i, in the cycle before

    wire here    = look_i && set_of(line_i) == watch;
    wire changes = here && update_i;
    wire takes   = changes && update_take_i;

    // Users promise this.
    always @* begin
        assume (EARLY == 0 || !look_i || line_i == shown);
        assume (!look_i || (held_i & ~dut.live) == 0);
        if (look_i && update_i) begin
            assume (update_way_i < WAYS && !(update_take_i && update_drop_i));
            assume (update_take_i ? !found_o && !held_i[update_way_i] : dut.live[update_way_i]);
        end
    end

    integer i, j, k;
    always @(posedge clk_i) begin
        shown <= ahead_line_i;
        if (changes && update_drop_i) begin
            live[update_way_i] <= 1'b0;
        end else if (changes) begin
            if (takes) begin
                live[update_way_i] <= 1'b1;
                lines[update_way_i*LINE_BITS +: LINE_BITS] <= line_i;
            end
            if (update_dirty_i || takes || update_clean_i) begin
                dirty[update_way_i] <= update_dirty_i;
            end
            if (takes || update_newest_i || update_oldest_i) begin
                for (i = 0; i < WAYS; i = i + 1) begin
                    if (i != update_way_i) begin
                        later[update_way_i*WAYS+i] <= !update_oldest_i;
                        later[i*WAYS+update_way_i] <= update_oldest_i;
                    end
                end
            end
        end
        if (rst_i || clear_i) begin
            live <= 0;
        end
    end

    // The module's memories of the set, and whether it has read them.
    wire [WAYS*TAG_BITS-1:0] kept_tags;
    wire [PAIRS+WAYS-1:0]    kept_state;
    wire                     is_read;
    generate
        if (EARLY != 0) begin : g_early
            assign kept_state = dut.g_early.states.watch_data;
            assign kept_tags  = dut.g_early.set_tags.watch_data;
            assign is_read    = set_of(shown) == watch;
            always @* begin
                assume (dut.g_early.states.watch_addr == watch);
                assume (dut.g_early.set_tags.watch_addr == watch);
                no_read_of_a_word_being_written: assert (!(
                    dut.g_early.states.wr_watched && dut.g_early.states.rd_watched) && !(
                    dut.g_early.set_tags.wr_watched && dut.g_early.set_tags.rd_watched));
            end
        end else begin : g_flops
            assign kept_state = dut.g_flops.states_q[watch*(PAIRS+WAYS) +: PAIRS+WAYS];
            assign kept_tags  = dut.g_flops.tags_q[watch*WAYS*TAG_BITS +: WAYS*TAG_BITS];
            assign is_read    = here;
        end
    endgenerate

    // Ways that may give way.
    wire [WAYS-1:0] free = ~live, candidates = live & ~held_i;
    reg  [WAYS-1:0] has_it;
    always @* begin
        for (i = 0; i < WAYS; i = i + 1) begin
            has_it[i] = live[i] && lines[i*LINE_BITS +: LINE_BITS] == line_i;
        end
    end

    // Where the state inside differs, of the ways that have a line; and rules of each two or three.
    reg order_broken, tag_lost, dirt_lost, order_lost, tag_misread, dirt_misread, order_misread;
    reg other_set, same_line, free_passed, later_passed;
    always @* begin
        order_broken = 1'b0;
        tag_lost     = 1'b0;
        dirt_lost    = 1'b0;
        order_lost   = 1'b0;
        tag_misread  = 1'b0;
        dirt_misread = 1'b0;
        order_misread = 1'b0;
        other_set    = 1'b0;
        same_line    = 1'b0;
        free_passed  = 1'b0;
        later_passed = 1'b0;
        for (i = 0; i < WAYS; i = i + 1) begin
            free_passed  = free_passed || (free[i] && !(free[victim_o] && victim_o <= i));
            later_passed = later_passed || (candidates[i] && i != victim_o &&
                                            !later[i*WAYS+victim_o]);
            if (live[i]) begin
                other_set    = other_set || set_of(lines[i*LINE_BITS +: LINE_BITS]) != watch;
                tag_lost     = tag_lost || kept_tags[i*TAG_BITS +: TAG_BITS] !=
                                           lines[i*LINE_BITS+SET_BITS +: TAG_BITS];
                tag_misread  = tag_misread || dut.tags[i*TAG_BITS +: TAG_BITS] !=
                                              lines[i*LINE_BITS+SET_BITS +: TAG_BITS];
                dirt_lost    = dirt_lost || kept_state[PAIRS+i] != dirty[i];
                dirt_misread = dirt_misread || dut.state[PAIRS+i] != dirty[i];
            end
            for (j = 0; j < WAYS; j = j + 1) begin
                if (i < j && live[i] && live[j]) begin
                    same_line     = same_line || lines[i*LINE_BITS +: LINE_BITS] ==
                                                 lines[j*LINE_BITS +: LINE_BITS];
                    order_broken  = order_broken || later[i*WAYS+j] == later[j*WAYS+i];
                    order_lost    = order_lost || kept_state[j*(j-1)/2+i] != later[i*WAYS+j];
                    order_misread = order_misread || dut.state[j*(j-1)/2+i] != later[i*WAYS+j];
                end
                for (k = 0; k < WAYS; k = k + 1) begin
                    if (i != j && j != k && i != k && live[i] && live[j] && live[k]) begin
                        order_broken = order_broken || (later[i*WAYS+j] && later[j*WAYS+k] &&
                                                        !later[i*WAYS+k]);
                    end
                end
            end
        end
    end

    always @* begin
        if (started && here) begin
            // A line is found exactly where it was taken and not dropped since.
            found_if_there: assert (found_o == (has_it != 0));
            if (found_o) begin
                in_its_way: assert (way_o < WAYS && has_it[way_o]);
                dirty_is_told: assert (dirty_o == dirty[way_o]);
            end
            // A way without a line gives way, the lowest; else the least recently used that is not held.
            room_while_one_can: assert (room_o == (free != 0 || candidates != 0));
            if (room_o) begin
                victim_in_range: assert (victim_o < WAYS);
                free_ways_come_first: assert (victim_live_o == (free == 0));
                lowest_free_way: assert (!free_passed);
                least_recently_used: assert (!victim_live_o || !later_passed);
                if (victim_live_o) begin
                    victim_is_not_held: assert (candidates[victim_o]);
                    victims_line_is_told:
                        assert (victim_line_o == lines[victim_o*LINE_BITS +: LINE_BITS]);
                    victims_dirt_is_told: assert (victim_dirty_o == dirty[victim_o]);
                end
            end
        end
        if (started) begin
            // The state inside, which makes the induction close.
            lives_as_told: assert (dut.live_q[watch*WAYS +: WAYS] == live);
            lives_are_read: assert (!is_read || dut.live == live);
            lines_are_of_the_set: assert (!other_set);
            lines_differ: assert (!same_line);
            order_is_one: assert (!order_broken);
            is_kept: assert (!tag_lost && !dirt_lost && !order_lost);
            is_read_as_kept: assert (!is_read || !(tag_misread || dirt_misread || order_misread));
        end
        shows_a_full_set: cover (started && here && free == 0 && !found_o && room_o && victim_dirty_o && held_i != 0);
        all_are_held: cover (started && here && !room_o);
    end
endmodule

`default_nettype wire
