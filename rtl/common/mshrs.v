// SPDX-License-Identifier: Apache-2.0
// wm_mshrs: miss status holding registers; who waits for which line, and wakes in which order.
//
// Channels   put: a request waits for a line, in a new entry or in the line's.  fill: a line has
//            come.  wake: the requests of filled entries are offered, one after the other.
// Timing     a fill of cycle n is offered from n + 1, behind those before it; one request a cycle.
// Same cycle wake, then fill, then put: an entry that a cycle frees can be taken in it, so
//            put_ready_o and new_* see wake_ready_i and the fill.
// Names      a memory holds them. Its next word is read at the edge at which the offer changes.
// Limits     2 <= ENTRIES <= 64, 1 <= MERGE <= 32, 1 <= TAG_BITS <= 64 (checked at elaboration).
//            Users merge into no filled entry, fill none twice, and skip only the first of several.
// Cost       ENTRIES * MERGE * TAG_BITS bits of SRAM, and about ENTRIES * (2 * clog2(MERGE + 1) +
//            clog2(ENTRIES) + 2) flip-flops.
// Source     ours: the order of a cycle and the lowest free entry are the C model's.
// Twins      cmodel/common/mshrs.c  tb/common/mshrs_test.c  tb/common/mshrs_props.v
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_mshrs #(
    parameter integer ENTRIES  = 32, // registers: lines that are being fetched
    parameter integer MERGE    = 8,  // requests an entry holds
    parameter integer TAG_BITS = 16  // bits that name a request
) (
    input  wire                         clk_i,        // clock
    input  wire                         rst_i,        // synchronous; all entries are free
    output wire                         wake_valid_o, // a request whose line has come is offered
    output wire [$clog2(ENTRIES)-1:0]   wake_entry_o, // its entry
    output wire [TAG_BITS-1:0]          wake_tag_o,   // its name
    output wire                         wake_last_o,  // the entry's last: it frees the entry
    input  wire                         wake_ready_i, // it is taken at this edge if wake_valid_o
    input  wire                         fill_valid_i, // a line has come
    input  wire [$clog2(ENTRIES)-1:0]   fill_entry_i, // its entry, taken and not filled
    input  wire                         fill_skip_i,  // nobody waits for the first of its several
    input  wire                         fill_drop_i,  // nobody waits for any: free at once
    input  wire                         put_valid_i,  // a request waits for a line
    input  wire                         put_merge_i,  // with put_valid_i: for that of put_entry_i
    input  wire [$clog2(ENTRIES)-1:0]   put_entry_i,  // taken and not filled, with put_merge_i
    input  wire [TAG_BITS-1:0]          put_tag_i,    // its name
    output wire                         put_ready_o,  // it enters at this edge if put_valid_i
    output wire                         new_valid_o,  // an entry is free, after wake and fill
    output wire [$clog2(ENTRIES)-1:0]   new_entry_o,  // the lowest: taken without put_merge_i
    output wire [$clog2(ENTRIES+1)-1:0] free_count_o  // free entries when the cycle begins
);
    localparam integer ENTRY_BITS = $clog2(ENTRIES);
    localparam integer FREE_BITS  = $clog2(ENTRIES + 1);
    localparam integer COUNT_BITS = $clog2(MERGE + 1);
    localparam integer SLOTS      = ENTRIES * MERGE;
    localparam integer SLOT_BITS  = $clog2(SLOTS);
    localparam integer FILL_BITS  = COUNT_BITS + 1 + ENTRY_BITS;
    localparam integer LAST_PLACE = ENTRIES - 1;
    localparam [ENTRY_BITS-1:0] LAST = LAST_PLACE[ENTRY_BITS-1:0];
    localparam [COUNT_BITS-1:0] FULL = MERGE[COUNT_BITS-1:0];
    localparam [COUNT_BITS-1:0] NONE = {COUNT_BITS{1'b0}};
    localparam [COUNT_BITS-1:0] ONE  = NONE + 1'b1;
    localparam [FREE_BITS-1:0]  ALL  = ENTRIES[FREE_BITS-1:0];

    generate
        if (ENTRIES < 2 || ENTRIES > 64 || MERGE < 1 || MERGE > 32 || TAG_BITS < 1 ||
            TAG_BITS > 64) begin : g_illegal
            wm_mshrs_parameters_out_of_range illegal ();
        end
    endgenerate

    reg [ENTRIES-1:0]            free_q;
    reg [FREE_BITS-1:0]          free_count_q;
    reg [ENTRIES*COUNT_BITS-1:0] waiting_q;      // requests of each entry
    // The entry whose requests are offered, and those filled behind it: {left, skip, entry}.
    reg                          front_valid_q;
    reg [ENTRY_BITS-1:0]         front_entry_q;
    reg [COUNT_BITS-1:0]         front_next_q;   // the offered one's place in its entry
    reg [COUNT_BITS-1:0]         front_left_q;   // requests still to be woken
    reg [ENTRIES*FILL_BITS-1:0]  ring_q;
    reg [ENTRY_BITS-1:0]         ring_head_q, ring_tail_q;
    reg [FREE_BITS-1:0]          ring_count_q;

    `WM_LOWEST_OF(lowest_of, ENTRIES)
    `WM_NUMBER_OF(number_of, ENTRIES, ENTRY_BITS)

    function [ENTRIES-1:0] mark_of(input valid, input [ENTRY_BITS-1:0] entry);
        integer i;
        for (i = 0; i < ENTRIES; i = i + 1) begin
            mark_of[i] = valid && entry == i[ENTRY_BITS-1:0];
        end
    endfunction

    function [ENTRY_BITS-1:0] place_behind(input [ENTRY_BITS-1:0] place);
        place_behind = place == LAST ? {ENTRY_BITS{1'b0}} : place + 1'b1;
    endfunction

    // The word of the memory for the request at a place in its entry.
    function [SLOT_BITS-1:0] slot_of(input [ENTRY_BITS-1:0] entry, input [COUNT_BITS-1:0] place);
        reg [SLOT_BITS-1:0] base, offset;
        integer             i;
        begin
            base   = {SLOT_BITS{1'b0}};
            offset = {SLOT_BITS{1'b0}};
            for (i = 0; i < ENTRY_BITS; i = i + 1) begin
                base[i] = entry[i];
            end
            for (i = 0; i < COUNT_BITS; i = i + 1) begin
                offset[i] = place[i];
            end
            slot_of = base * MERGE[SLOT_BITS-1:0] + offset;
        end
    endfunction

    // 1. Wake, and 2. fill.
    wire wakes  = front_valid_q && wake_ready_i;
    wire frees  = wakes && wake_last_o;
    wire drops  = fill_valid_i && fill_drop_i;
    wire filled = fill_valid_i && !fill_drop_i;

    // 3. Put.
    wire [ENTRIES-1:0] now_free = free_q | mark_of(frees, front_entry_q) |
                                  mark_of(drops, fill_entry_i);
    wire [ENTRIES-1:0] lowest   = lowest_of(now_free);
    wire [COUNT_BITS-1:0] merged = waiting_q[put_entry_i*COUNT_BITS +: COUNT_BITS];
    wire takes  = put_valid_i && !put_merge_i && put_ready_o;
    wire merges = put_valid_i && put_merge_i && put_ready_o;

    // The next entry to be offered: the oldest of the ring, or the one that is filled now.
    wire                  moves_on   = !front_valid_q || frees;
    wire                  from_ring  = moves_on && ring_count_q != {FREE_BITS{1'b0}};
    wire                  from_fill  = moves_on && !from_ring && filled;
    wire                  into_ring  = filled && !from_fill;
    wire [FILL_BITS-1:0]  oldest     = ring_q[ring_head_q*FILL_BITS +: FILL_BITS];
    wire [ENTRY_BITS-1:0] next_entry = from_ring ? oldest[ENTRY_BITS-1:0] : fill_entry_i;
    wire                  next_skip  = from_ring ? oldest[ENTRY_BITS] : fill_skip_i;
    wire [COUNT_BITS-1:0] skipped    = next_skip ? ONE : NONE;
    wire [COUNT_BITS-1:0] left       = waiting_q[fill_entry_i*COUNT_BITS +: COUNT_BITS] -
                                       (fill_skip_i ? ONE : NONE);

    integer n;
    always @(posedge clk_i) begin
        free_q       <= now_free & ~(takes ? lowest : {ENTRIES{1'b0}});
        free_count_q <= free_count_q + {{(FREE_BITS-1){1'b0}}, frees} +
                        {{(FREE_BITS-1){1'b0}}, drops} - {{(FREE_BITS-1){1'b0}}, takes};
        for (n = 0; n < ENTRIES; n = n + 1) begin
            if (takes && lowest[n]) begin
                waiting_q[n*COUNT_BITS +: COUNT_BITS] <= ONE;
            end else if (merges && put_entry_i == n[ENTRY_BITS-1:0]) begin
                waiting_q[n*COUNT_BITS +: COUNT_BITS] <= merged + 1'b1;
            end
        end
        if (moves_on) begin
            front_valid_q <= from_ring || from_fill;
            front_entry_q <= next_entry;
            front_next_q  <= skipped;
            front_left_q  <= from_ring ? oldest[ENTRY_BITS+1 +: COUNT_BITS] : left;
        end else if (wakes) begin
            front_next_q <= front_next_q + 1'b1;
            front_left_q <= front_left_q - 1'b1;
        end
        if (from_ring) begin
            ring_head_q <= place_behind(ring_head_q);
        end
        if (into_ring) begin
            ring_q[ring_tail_q*FILL_BITS +: FILL_BITS] <= {left, fill_skip_i, fill_entry_i};
            ring_tail_q <= place_behind(ring_tail_q);
        end
        ring_count_q <= ring_count_q + {{(FREE_BITS-1){1'b0}}, into_ring} -
                        {{(FREE_BITS-1){1'b0}}, from_ring};
        if (rst_i) begin
            free_q        <= {ENTRIES{1'b1}};
            free_count_q  <= ALL;
            front_valid_q <= 1'b0;
            ring_head_q   <= {ENTRY_BITS{1'b0}};
            ring_tail_q   <= {ENTRY_BITS{1'b0}};
            ring_count_q  <= {FREE_BITS{1'b0}};
        end
    end

    wm_sram_1r1w #(.WORDS(SLOTS), .DATA_BITS(TAG_BITS)) names (
        .clk_i(clk_i),
        .wr_en_i(takes || merges),
        .wr_addr_i(put_merge_i ? slot_of(put_entry_i, merged)
                               : slot_of(new_entry_o, NONE)),
        .wr_data_i(put_tag_i),
        .rd_en_i(from_ring || from_fill || (wakes && !frees)),
        .rd_addr_i(moves_on ? slot_of(next_entry, skipped)
                            : slot_of(front_entry_q, front_next_q + 1'b1)),
        .rd_data_o(wake_tag_o)
    );

    assign wake_valid_o = front_valid_q;
    assign wake_entry_o = front_entry_q;
    assign wake_last_o  = front_left_q == ONE;
    assign new_valid_o  = now_free != {ENTRIES{1'b0}};
    assign put_ready_o  = put_merge_i ? merged != FULL : new_valid_o;
    assign new_entry_o  = number_of(lowest);
    assign free_count_o = free_count_q;
endmodule

`default_nettype wire
