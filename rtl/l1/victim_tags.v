// SPDX-License-Identifier: Apache-2.0
// wm_victim_tags: tags of the lines that each warp has lost, the last WAYS of each set.
//
// Channels   evict: the cache has evicted a line.  look: an access has missed; hit: its warp had
//            lost that line, and with FREES frees it.  clear: another warp comes into a slot.
// Timing     each of the three may come in every cycle; hit comes a cycle after look. A look sees
//            the evictions and clears of earlier cycles.
// Same cycle look goes before evict, evict before clear: an access looks before it evicts, and
//            nothing is left of a warp that has ended.
// Memory     each way has a memory with a word for each warp and set, so that an eviction writes
//            its line without reading the others. A look reads the ways in its cycle. An eviction
//            writes in the next cycle, so that a look in its own cycle still sees the replaced
//            line. The look of the next cycle reads at the edge of that write; it compares its line
//            with the register instead (fresh).
// Freeing    hits are known late in their cycle. With FREES their ways are free from the next cycle
//            on, and the look in between leaves them out itself (near).
// Limits     WARPS 2 to 64; SETS 1, 2, 4 or 8; WAYS 1 to 16; LINE_BITS 4 to 32; FREES 0 or 1
//            (checked at elaboration). Warps below WARPS.
// Cost       WARPS * SETS * WAYS * LINE_BITS bits of SRAM; flip-flops: WARPS * SETS * (WAYS +
//            clog2(WAYS)), 2 * LINE_BITS, 4 * WAYS, 3 * clog2(WARPS * SETS), 2 * clog2(WARPS), 5.
// Source     Rogers et al., MICRO 2012; DAWS, MICRO 2013, section 4 and table 3.
// Twins      cmodel/l1/victim_tags.c  tb/l1/victim_tags_test.c  tb/l1/victim_tags_props.v
//            waves/l1/victim_tags.gtkw
`default_nettype none

module wm_victim_tags #(
    parameter integer WARPS     = 32, // of the core, each with tags of its own
    parameter integer SETS      = 2,  // of a warp; the low bits of a line choose
    parameter integer WAYS      = 8,  // lines of a set
    parameter integer LINE_BITS = 32, // of a line's number
    parameter integer FREES     = 0   // 1: a hit frees its way
) (
    input  wire                     clk_i,         // clock
    input  wire                     rst_i,         // synchronous; there are no lines
    input  wire                     evict_valid_i, // a line was evicted
    input  wire [$clog2(WARPS)-1:0] evict_warp_i,  // whose
    input  wire [LINE_BITS-1:0]     evict_line_i,  // which
    input  wire                     look_valid_i,  // an access has missed
    input  wire [$clog2(WARPS)-1:0] look_warp_i,   // whose
    input  wire [LINE_BITS-1:0]     look_line_i,   // its line
    input  wire                     clear_valid_i, // a warp comes
    input  wire [$clog2(WARPS)-1:0] clear_warp_i,  // into this slot
    output wire                     hit_valid_o,   // the last cycle's look: it was lost
    output wire [$clog2(WARPS)-1:0] hit_warp_o     // by this warp
);
    localparam integer WARP_BITS = $clog2(WARPS);
    localparam integer SET_BITS  = $clog2(SETS); // 0 with one set
    localparam integer ROWS      = WARPS * SETS; // sets of warps
    localparam integer ROW_BITS  = WARP_BITS + SET_BITS;
    localparam integer NEXT_BITS = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam integer LAST_IS   = WAYS - 1;
    localparam [NEXT_BITS-1:0] LAST_WAY = LAST_IS[NEXT_BITS-1:0];
    localparam [WAYS-1:0]      WAY_0    = 1;

    generate
        if (WARPS < 2 || WARPS > 64 || (SETS != 1 && SETS != 2 && SETS != 4 && SETS != 8) ||
            WAYS < 1 || WAYS > 16 || LINE_BITS < 4 || LINE_BITS > 32 || FREES < 0 ||
            FREES > 1) begin : g_illegal
            wm_victim_tags_parameters_out_of_range illegal ();
        end
    endgenerate

    wire [ROW_BITS-1:0] look_row, evict_row;
    generate
        if (SET_BITS > 0) begin : g_rows
            assign look_row  = {look_warp_i, look_line_i[SET_BITS-1:0]};
            assign evict_row = {evict_warp_i, evict_line_i[SET_BITS-1:0]};
        end else begin : g_row
            assign look_row  = look_warp_i;
            assign evict_row = evict_warp_i;
        end
    endgenerate

    reg [ROWS*WAYS-1:0]      valid_q, valid_d; // ways with a line
    reg [ROWS*NEXT_BITS-1:0] next_q, next_d;   // the way of the next line

    // Inputs of the last cycle.
    reg                 look1_q, evict1_q, clear1_q;
    reg [WARP_BITS-1:0] look_warp1_q, clear_warp1_q;
    reg [ROW_BITS-1:0]  look_row1_q, evict_row1_q;
    reg [LINE_BITS-1:0] look_line1_q, evict_line1_q;
    reg [NEXT_BITS-1:0] evict_next1_q; // its way
    reg [WAYS-1:0]      ways1_q, ways1_d; // of the look's set, with a line, but for near1_q
    reg                 near1_q;          // the look of the cycle before it was of the same set
    reg [WAYS-1:0]      fresh1_q;         // the way that was written as it was read
    reg                 same1_q;          // its line is the one that is looked for

    // The look of two cycles ago: its row, the ways that it has hit, and the one that the eviction
    // of its own cycle has replaced.
    reg [ROW_BITS-1:0]  look_row2_q;
    reg [WAYS-1:0]      match2_q, replaced2_q;

    wire [WAYS*LINE_BITS-1:0] read;
    reg  [WAYS-1:0]           equal;    // its line is the one that is looked for
    reg  [WAYS-1:0]           looks_at; // ways whose line counts, known early in the cycle
    reg  [WAYS-1:0]           match;
    wire [WAYS-1:0]           free2 = FREES != 0 ? match2_q & ~replaced2_q : {WAYS{1'b0}};
    wire [WAYS-1:0]           evict_way1 = WAY_0 << evict_next1_q;
    wire [NEXT_BITS-1:0]      after1 =
        evict_next1_q == LAST_WAY ? {NEXT_BITS{1'b0}} : evict_next1_q + 1'b1;

    reg [NEXT_BITS-1:0] next;      // of the eviction's set
    reg [WAYS-1:0]      read_ways; // of the look's set, before what came in the last cycle

    wire near_next  = evict1_q && evict_row1_q == evict_row;
    wire near_free  = look_row2_q == look_row;
    wire near_evict = evict1_q && evict_row1_q == look_row;
    wire replaces   = evict1_q && evict_row1_q == look_row1_q; // in the look's own cycle
    wire near_clear = clear1_q && clear_warp1_q == look_warp_i;

    integer w, r;
    always @* begin
        looks_at = {WAYS{look1_q}} & ways1_q & ~({WAYS{near1_q}} & free2);
        for (w = 0; w < WAYS; w = w + 1) begin
            equal[w] = read[w*LINE_BITS +: LINE_BITS] == look_line1_q;
        end
        match = (looks_at & ~fresh1_q & equal) | (looks_at & fresh1_q & {WAYS{same1_q}});
        next      = {NEXT_BITS{1'b0}};
        read_ways = {WAYS{1'b0}};
        for (r = 0; r < ROWS; r = r + 1) begin
            next      = next |
                ({NEXT_BITS{evict_row == r[ROW_BITS-1:0]}} & next_q[r*NEXT_BITS +: NEXT_BITS]);
            read_ways = read_ways |
                ({WAYS{look_row == r[ROW_BITS-1:0]}} & valid_q[r*WAYS +: WAYS]);
        end
        ways1_d = ((read_ways & ~({WAYS{near_free}} & free2)) |
                   ({WAYS{near_evict}} & evict_way1)) & ~{WAYS{near_clear}};

        valid_d = valid_q;
        next_d  = next_q;
        for (r = 0; r < ROWS; r = r + 1) begin
            if (look_row2_q == r[ROW_BITS-1:0]) begin
                valid_d[r*WAYS +: WAYS] = valid_q[r*WAYS +: WAYS] & ~free2;
            end
            if (evict1_q && evict_row1_q == r[ROW_BITS-1:0]) begin
                valid_d[r*WAYS +: WAYS] = valid_d[r*WAYS +: WAYS] | evict_way1;
            end
            if (rst_i || (clear1_q && clear_warp1_q == r[ROW_BITS-1:SET_BITS])) begin
                valid_d[r*WAYS +: WAYS] = {WAYS{1'b0}};
            end
            if (evict1_q && evict_row1_q == r[ROW_BITS-1:0]) begin
                next_d[r*NEXT_BITS +: NEXT_BITS] = after1;
            end
        end
        if (rst_i) begin
            next_d = {ROWS*NEXT_BITS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        valid_q       <= valid_d;
        next_q        <= next_d;
        look1_q       <= look_valid_i && !rst_i;
        evict1_q      <= evict_valid_i && !rst_i;
        clear1_q      <= clear_valid_i; // with a reset it clears nothing
        look_warp1_q  <= look_warp_i;
        clear_warp1_q <= clear_warp_i;
        look_row1_q   <= look_row;
        evict_row1_q  <= evict_row;
        look_line1_q  <= look_line_i;
        evict_line1_q <= evict_line_i;
        evict_next1_q <= near_next ? after1 : next;
        ways1_q       <= ways1_d;
        fresh1_q      <= {WAYS{near_evict}} & evict_way1;
        same1_q       <= evict_line1_q == look_line_i;
        near1_q       <= look1_q && look_row1_q == look_row;
        look_row2_q   <= look_row1_q;
        match2_q      <= match;
        replaced2_q   <= {WAYS{replaces}} & evict_way1;
    end

    assign hit_valid_o = |match;
    assign hit_warp_o  = look_warp1_q;

    // A read of the word that is written at the same edge is not used: fresh.
    genvar v;
    generate
        for (v = 0; v < WAYS; v = v + 1) begin : g_way
            wm_sram_1r1w #(.WORDS(ROWS), .DATA_BITS(LINE_BITS)) memory (
                .clk_i(clk_i),
                .wr_en_i(evict1_q && evict_way1[v]),
                .wr_addr_i(evict_row1_q),
                .wr_data_i(evict_line1_q),
                .rd_en_i(look_valid_i),
                .rd_addr_i(look_row),
                .rd_data_o(read[v*LINE_BITS +: LINE_BITS])
            );
        end
    endgenerate
endmodule

`default_nettype wire
