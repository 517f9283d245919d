// SPDX-License-Identifier: Apache-2.0
// wm_tag_sets: tags of sets of lines; which way has a line, and which one gives way.
//
// Channels   look: one line is looked up.  update: one way of its set changes at the edge.
//            ahead: with EARLY the line that the next cycle may look up.
// Timing     outputs in the cycle of look_i. With EARLY the set is read from memories at the edge
//            before, at the address of ahead_line_i; a change of the same set at that edge is seen.
// Order      a bit for each pair of ways: the lower one was used later. The victim is the lowest
//            way without a line, else the way that was used before all others that are not held.
// Held       lines that are still to come are the user's to know, whose MSHRs have their ways: so a
//            fill changes nothing here.
// Limits     1 <= SET_BITS <= 10, 2 <= WAYS <= 16, 12 <= LINE_BITS <= 48, INDEX and EARLY as in the
//            port list (checked at elaboration). A line is taken where no way has it; ways without
//            a line are not held and change by update_take_i alone.
// Cost       a flip-flop a line; with EARLY two memories, of WAYS * (LINE_BITS - SET_BITS) and of
//            WAYS * (WAYS + 1) / 2 bits a set, and a set's word of each and WAYS + 2 flip-flops;
//            without it flip-flops in place of the memories.
// Source     ours: replacement and order of ways are those of the C model's tag array.
// Twins      cmodel/common/tag_sets.c  tb/common/tag_sets_test.c
//            tb/common/tag_sets_props.v
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_tag_sets #(
    parameter integer SET_BITS  = 5,  // clog2 of the sets
    parameter integer WAYS      = 16, // lines of a set
    parameter integer LINE_BITS = 32, // bits of a line's number
    parameter integer INDEX     = 0,  // 0: low bits; 1: XOR as many above; 2: XOR all such groups
    parameter integer EARLY     = 1   // 1: tags and order in memories, read a cycle before
) (
    input  wire                    clk_i,           // clock
    input  wire                    rst_i,           // synchronous; no way has a line
    input  wire                    clear_i,         // drops all lines; none is to come
    input  wire                    look_i,          // this line is looked up
    input  wire [LINE_BITS-1:0]    line_i,          // with EARLY ahead_line_i of the cycle before
    input  wire [WAYS-1:0]         held_i,          // ways of its set whose lines are to come
    output wire                    found_o,         // a way has the line
    output wire [$clog2(WAYS)-1:0] way_o,           // that way
    output wire                    dirty_o,         // its line is dirty
    output wire                    room_o,          // the set has a victim
    output wire [$clog2(WAYS)-1:0] victim_o,        // that way
    output wire                    victim_live_o,   // it has a line
    output wire [LINE_BITS-1:0]    victim_line_o,   // that line
    output wire                    victim_dirty_o,  // it is dirty
    input  wire [LINE_BITS-1:0]    ahead_line_i,    // late: the next cycle may look it up
    input  wire                    update_i,        // late: with look_i, a way changes
    input  wire [$clog2(WAYS)-1:0] update_way_i,    // late: that way
    input  wire                    update_take_i,   // late: it gets the line, clean and newest
    input  wire                    update_drop_i,   // late: it loses its line
    input  wire                    update_newest_i, // late: most recently used
    input  wire                    update_oldest_i, // late: least recently used, over the others
    input  wire                    update_clean_i,  // late: its line becomes clean
    input  wire                    update_dirty_i   // late: dirty, over update_take_i and _clean_i
);
    localparam integer SETS       = 1 << SET_BITS;
    localparam integer TAG_BITS   = LINE_BITS - SET_BITS;
    localparam integer GROUPS     = INDEX == 0 ? 0 : INDEX == 1 ? 1 : (TAG_BITS - 1) / SET_BITS + 1;
    localparam integer PAIRS      = WAYS * (WAYS - 1) / 2;
    localparam integer STATE_BITS = PAIRS + WAYS; // order, then dirty
    localparam integer WAY_BITS   = $clog2(WAYS);

    generate
        if (SET_BITS < 1 || SET_BITS > 10 || WAYS < 2 || WAYS > 16 || LINE_BITS < 12 ||
            LINE_BITS > 48 || INDEX < 0 || INDEX > 2 || EARLY < 0 || EARLY > 1) begin : g_illegal
            wm_tag_sets_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_LOWEST_OF(lowest_of, WAYS)
    `WM_NUMBER_OF(number_of, WAYS, WAY_BITS)

    // The index's part beside a line's low bits, from the bits above them.
    function [SET_BITS-1:0] hash_of(input [TAG_BITS-1:0] tag);
        integer g, i;
        begin
            hash_of = {SET_BITS{1'b0}};
            for (g = 0; g < GROUPS; g = g + 1) begin
                for (i = 0; i < SET_BITS; i = i + 1) begin
                    if (g * SET_BITS + i < TAG_BITS) begin
                        hash_of[i] = hash_of[i] ^ tag[g*SET_BITS+i];
                    end
                end
            end
        end
    endfunction

    // The ways that were used after a way, of one set's order.
    function [WAYS-1:0] later_than(input [PAIRS-1:0] order, input [WAY_BITS-1:0] way);
        integer i, j;
        begin
            later_than = {WAYS{1'b0}};
            for (j = 1; j < WAYS; j = j + 1) begin
                for (i = 0; i < j; i = i + 1) begin
                    if (way == j[WAY_BITS-1:0]) begin
                        later_than[i] = order[j*(j-1)/2+i];
                    end
                    if (way == i[WAY_BITS-1:0]) begin
                        later_than[j] = !order[j*(j-1)/2+i];
                    end
                end
            end
        end
    endfunction

    // The same order with one way used after, or before, all others.
    function [PAIRS-1:0] moved(input [PAIRS-1:0] order, input [WAY_BITS-1:0] way, input last);
        integer i, j;
        begin
            moved = order;
            for (j = 1; j < WAYS; j = j + 1) begin
                for (i = 0; i < j; i = i + 1) begin
                    if (way == j[WAY_BITS-1:0]) begin
                        moved[j*(j-1)/2+i] = !last;
                    end
                    if (way == i[WAY_BITS-1:0]) begin
                        moved[j*(j-1)/2+i] = last;
                    end
                end
            end
        end
    endfunction

    // --- look-up
    wire [TAG_BITS-1:0]   tag = line_i[LINE_BITS-1:SET_BITS];
    wire [SET_BITS-1:0]   set = line_i[SET_BITS-1:0] ^ hash_of(tag);
    wire [WAYS*TAG_BITS-1:0] tags;  // of the set
    wire [STATE_BITS-1:0] state;    // of the set
    reg  [SETS*WAYS-1:0]  live_q;   // a way has a line
    wire [WAYS-1:0]       live;     // of the set
    wire [PAIRS-1:0]      order = state[PAIRS-1:0];
    wire [WAYS-1:0]       dirty = state[PAIRS +: WAYS];

    reg  [WAYS-1:0] match, oldest;
    wire [WAYS-1:0] candidates = live & ~held_i;
    integer         w;
    always @* begin
        for (w = 0; w < WAYS; w = w + 1) begin
            match[w]  = live[w] && tags[w*TAG_BITS +: TAG_BITS] == tag;
            oldest[w] = candidates[w] &&
                        (candidates & ~(later_than(order, w[WAY_BITS-1:0]) |
                                        ({{(WAYS-1){1'b0}}, 1'b1} << w))) == {WAYS{1'b0}};
        end
    end

    wire            full   = live == {WAYS{1'b1}};
    wire [WAYS-1:0] chosen = full ? oldest : lowest_of(~live);

    wire [TAG_BITS-1:0] victim_tag = tags[victim_o*TAG_BITS +: TAG_BITS];

    assign found_o        = look_i && match != {WAYS{1'b0}};
    assign way_o          = number_of(match);
    assign dirty_o        = (match & dirty) != {WAYS{1'b0}};
    assign room_o         = look_i && chosen != {WAYS{1'b0}};
    assign victim_o       = number_of(chosen);
    assign victim_live_o  = full;
    assign victim_line_o  = {victim_tag, set ^ hash_of(victim_tag)};
    assign victim_dirty_o = (chosen & dirty) != {WAYS{1'b0}};

    // --- update
    wire            updates = look_i && update_i && !rst_i && !clear_i;
    wire            takes   = updates && update_take_i;
    wire [WAYS-1:0] mark    = {{(WAYS-1){1'b0}}, 1'b1} << update_way_i;
    wire            moves   = update_take_i || update_newest_i || update_oldest_i;
    wire [WAYS-1:0] cleaned = dirty & ~(update_take_i || update_clean_i || update_drop_i ?
                                        mark : {WAYS{1'b0}});
    wire [STATE_BITS-1:0] next_state = {
        cleaned | (update_dirty_i && !update_drop_i ? mark : {WAYS{1'b0}}),
        moves && !update_drop_i ? moved(order, update_way_i, !update_oldest_i) : order};

    reg [WAYS*TAG_BITS-1:0] next_tags;
    always @* begin
        next_tags = tags;
        for (w = 0; w < WAYS; w = w + 1) begin
            if (mark[w]) begin
                next_tags[w*TAG_BITS +: TAG_BITS] = tag;
            end
        end
    end

    wire [WAYS-1:0] next_live = takes ? live | mark :
                                updates && update_drop_i ? live & ~mark : live;
    integer n;
    always @(posedge clk_i) begin
        if (updates) begin
            live_q[set*WAYS +: WAYS] <= next_live;
        end
        if (rst_i || clear_i) begin
            for (n = 0; n < SETS; n = n + 1) begin
                live_q[n*WAYS +: WAYS] <= {WAYS{1'b0}};
            end
        end
    end

    generate
        if (EARLY == 1) begin : g_early
            wire [SET_BITS-1:0] ahead = ahead_line_i[SET_BITS-1:0] ^
                                        hash_of(ahead_line_i[LINE_BITS-1:SET_BITS]);
            wire same = ahead == set; // the set that changes is read: its word passes the memory

            reg [WAYS-1:0] set_live_q;
            always @(posedge clk_i) begin
                set_live_q <= rst_i || clear_i ? {WAYS{1'b0}} :
                              updates && same  ? next_live    : live_q[ahead*WAYS +: WAYS];
            end
            assign live = set_live_q;

            reg                  state_passed_q;
            reg [STATE_BITS-1:0] state_q;
            wire [STATE_BITS-1:0] state_read;
            always @(posedge clk_i) begin
                state_passed_q <= updates && same;
                state_q        <= next_state;
            end
            wm_sram_1r1w #(.WORDS(SETS), .DATA_BITS(STATE_BITS)) states (
                .clk_i(clk_i),
                .wr_en_i(updates),
                .wr_addr_i(set),
                .wr_data_i(next_state),
                .rd_en_i(!(updates && same)),
                .rd_addr_i(ahead),
                .rd_data_o(state_read)
            );
            assign state = state_passed_q ? state_q : state_read;

            reg                      tags_passed_q;
            reg [WAYS*TAG_BITS-1:0]  tags_q;
            wire [WAYS*TAG_BITS-1:0] tags_read;
            always @(posedge clk_i) begin
                tags_passed_q <= takes && same;
                tags_q        <= next_tags;
            end
            wm_sram_1r1w #(.WORDS(SETS), .DATA_BITS(WAYS * TAG_BITS)) set_tags (
                .clk_i(clk_i),
                .wr_en_i(takes),
                .wr_addr_i(set),
                .wr_data_i(next_tags),
                .rd_en_i(!(takes && same)),
                .rd_addr_i(ahead),
                .rd_data_o(tags_read)
            );
            assign tags = tags_passed_q ? tags_q : tags_read;
        end else begin : g_flops
            wire unused = &{1'b0, ahead_line_i};
            assign live = live_q[set*WAYS +: WAYS];
            reg [SETS*STATE_BITS-1:0] states_q;
            assign state = states_q[set*STATE_BITS +: STATE_BITS];
            always @(posedge clk_i) begin
                if (updates) begin
                    states_q[set*STATE_BITS +: STATE_BITS] <= next_state;
                end
            end
            reg [SETS*WAYS*TAG_BITS-1:0] tags_q;
            assign tags = tags_q[set*WAYS*TAG_BITS +: WAYS*TAG_BITS];
            always @(posedge clk_i) begin
                if (takes) begin
                    tags_q[set*WAYS*TAG_BITS +: WAYS*TAG_BITS] <= next_tags;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
