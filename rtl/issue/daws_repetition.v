// SPDX-License-Identifier: Apache-2.0
// wm_daws_repetition: finds loads that access the same line in the same trip of a sampling warp.
//
// Channels   probe: an access of a sampling warp.  pair: another load has put its line there.
//            clear: the warp begins a trip or has ended, and its lines are forgotten.
// Majority   with MAJORITY a counter of the load in stage 5 counts its pairs up and its other
//            accesses down; the last access shows the load's pair if the counter is above 0.
// Timing     a probe and a clear may come in every cycle; the pair comes five cycles after its
//            probe. Each finds the state that earlier cycles left.
// Same cycle the clear goes before the probe: the warp's marker issued a cycle ago.
// Stages     0 reads the tags of the set; 1 compares them; 2 finds the way with the line, or the
//            one that the line takes; 3 writes line and order of use; 4 writes the load with its
//            line, or reads it; 5 shows the pair.
// Hazards    a probe's tags do not include the writes of the three probes before it. So its line is
//            compared with theirs in the pipeline (same), and the nearest result counts for the
//            ways that they wrote (fresh). Valid bits lack the writes of the two probes before, the
//            order of use that of the one before; both are added as they are read.
// Limits     WARPS 2 to 64; SETS 2, 4, 8 or 16; WAYS 2 to 16; LINE_BITS 5 to 32; PC_BITS 1 to 24;
//            MAJORITY 0 or 1 (checked at elaboration). Warps below WARPS.
// Cost       SETS * WAYS * (LINE_BITS - clog2(SETS) + clog2(WARPS) + PC_BITS) bits of memory;
//            flip-flops: SETS * (WAYS * (clog2(WARPS) + 1) + WAYS * (WAYS - 1) / 2), 3 * LINE_BITS,
//            4 * clog2(WARPS), 5 * PC_BITS, 2 * SETS, clog2(SETS), 5 * WAYS, clog2(WAYS), 14.
//            Memories of so few words are flip-flops too. With MAJORITY PC_BITS + 14 more.
// Source     DAWS, MICRO 2013, 5.2.2, table 4.
// Twins      cmodel/issue/daws_repetition.c  tb/issue/daws_repetition_test.c
//            tb/issue/daws_repetition_props.v  waves/issue/daws_repetition.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_daws_repetition #(
    parameter integer WARPS     = 32, // of the core
    parameter integer SETS      = 8,  // the low bits of a line choose
    parameter integer WAYS      = 8,  // lines of a set
    parameter integer LINE_BITS = 32, // of a line's number
    parameter integer PC_BITS   = 16, // of a load's name
    parameter integer MAJORITY  = 0   // 1: most accesses of a load make its pair, 0: any
) (
    input  wire                     clk_i,         // clock
    input  wire                     rst_i,         // synchronous; there are no lines
    input  wire                     probe_valid_i, // an access of a sampling warp
    input  wire [$clog2(WARPS)-1:0] probe_warp_i,  // the warp
    input  wire [LINE_BITS-1:0]     probe_line_i,  // its line
    input  wire [PC_BITS-1:0]       probe_pc_i,    // its load
    input  wire                     probe_last_i,  // the last access of the load
    input  wire                     clear_valid_i, // lines of a warp are forgotten
    input  wire [$clog2(WARPS)-1:0] clear_warp_i,  // of this warp
    output wire                     pair_valid_o,  // two loads have accessed one line
    output wire [PC_BITS-1:0]       pair_a_o,      // the later
    output wire [PC_BITS-1:0]       pair_b_o       // the earlier
);
    localparam integer WARP_BITS = $clog2(WARPS);
    localparam integer SET_BITS  = $clog2(SETS);
    localparam integer WAY_BITS  = $clog2(WAYS);
    localparam integer TAG_BITS  = WARP_BITS + LINE_BITS - SET_BITS;
    localparam integer ENTRIES   = SETS * WAYS;
    localparam integer PAIRS     = WAYS * (WAYS - 1) / 2; // of ways of a set
    localparam [WAYS-1:0] WAY_0  = 1;

    generate
        if (WARPS < 2 || WARPS > 64 || (SETS != 2 && SETS != 4 && SETS != 8 && SETS != 16) ||
            WAYS < 2 || WAYS > 16 || LINE_BITS < 5 || LINE_BITS > 32 || PC_BITS < 1 ||
            PC_BITS > 24 || MAJORITY < 0 || MAJORITY > 1) begin : g_illegal
            wm_daws_repetition_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_WORD_OF(order_of, SETS, PAIRS)
    `WM_NUMBER_OF(way_of, WAYS, WAY_BITS)

    reg [ENTRIES-1:0]           valid_q, valid_d; // entries with a line
    reg [ENTRIES*WARP_BITS-1:0] warp_q, warp_d;   // whose it is; the tags have it too
    reg [SETS*PAIRS-1:0]        later_q, later_d; // of two ways: the lower one was used later

    // Stages of a probe. near and same: the probe one, two or three stages on is of the same set,
    // of the same line and warp.
    reg                 probe1_q, probe2_q;
    reg [WARP_BITS-1:0] warp1_q, warp2_q, warp3_q;
    reg [LINE_BITS-1:0] line1_q, line2_q, line3_q;
    reg [PC_BITS-1:0]   pc1_q, pc2_q, pc3_q, pc4_q, pc5_q;
    reg                 near2_1_q, same2_1_q; // in stage 1, of the probe that was in stage 2
    reg                 near3_1_q, same3_1_q; // in stage 1, of the probe that was in stage 3
    reg                 near2_q, same2_q;     // in stage 2, of the probe that was in stage 2
    reg [SETS-1:0]      is_set2_q, is_set3_q; // one-hot
    reg [WAYS-1:0]      match2_q;
    reg [WAYS-1:0]      valid2_q; // ways of its set with a line, but for the probe before
    reg                 hit3_q, hit4_q, hit5_q, probe3_q;
    reg [SET_BITS-1:0]  set4_q;
    reg [WAY_BITS-1:0]  way4_q;
    reg                 kept3_q;  // its line has not been cleared
    reg [WAYS-1:0]      way3_q, wrote3_q, wrote4_q; // touched; written, one-hot or none
    reg                 clear1_q;
    reg [WARP_BITS-1:0] clear_warp1_q;

    wire [SET_BITS-1:0] set0 = probe_line_i[SET_BITS-1:0];
    wire [SET_BITS-1:0] set1 = line1_q[SET_BITS-1:0];
    wire [SET_BITS-1:0] set2 = line2_q[SET_BITS-1:0];
    wire [SET_BITS-1:0] set3 = line3_q[SET_BITS-1:0];
    wire [TAG_BITS-1:0] tag0 = {probe_warp_i, probe_line_i[LINE_BITS-1:SET_BITS]};
    wire [TAG_BITS-1:0] tag1 = {warp1_q, line1_q[LINE_BITS-1:SET_BITS]};
    wire [TAG_BITS-1:0] tag2 = {warp2_q, line2_q[LINE_BITS-1:SET_BITS]};
    wire [TAG_BITS-1:0] tag3 = {warp3_q, line3_q[LINE_BITS-1:SET_BITS]};

    wire [WAYS*TAG_BITS-1:0] read;
    reg  [WAYS-1:0]          equal;
    wire [WAYS-1:0] fresh3 = {WAYS{near3_1_q}} & wrote4_q; // by the probe three before
    wire [WAYS-1:0] fresh2 = {WAYS{near2_1_q}} & wrote3_q; // two before
    wire [WAYS-1:0] fresh1 = {WAYS{near2_q}} & wrote3_q;   // the one before
    wire [WAYS-1:0] match1 = (equal & ~fresh3 & ~fresh2) |
                             (fresh3 & ~fresh2 & {WAYS{same3_1_q}}) |
                             (fresh2 & {WAYS{same2_1_q}});
    wire [WAYS-1:0] match2 = (match2_q & ~fresh1) | (fresh1 & {WAYS{same2_q}});

    // A line counts from stage 3 on: the next probe sees it in its stage 2, the one after in stage
    // 1.
    reg  [ENTRIES-1:0] cleared;
    reg  [WAYS-1:0]    valid1;
    wire               keeps2 = !(clear1_q && warp2_q == clear_warp1_q);
    wire               keeps3 = kept3_q && !(clear1_q && warp3_q == clear_warp1_q);
    wire [WAYS-1:0]    valid2 = (valid2_q & ~fresh1) | (fresh1 & {WAYS{kept3_q}});
    wire [PAIRS-1:0]   later2 = order_of(later_q, is_set2_q);
    wire [PAIRS-1:0]   later3 = order_of(later_q, is_set3_q);
    reg [PAIRS-1:0] touched2, touched3; // the order once stage 3's way is the last used
    reg [WAYS-1:0]  oldest;             // the least recently used way
    wire [WAYS-1:0] hits   = match2 & valid2;
    wire            hit2   = |hits;
    wire [WAYS-1:0] room   = ~valid2 & (valid2 + WAY_0); // the lowest way without a line
    wire [WAYS-1:0] victim = &valid2 ? oldest : room;
    wire [WAYS-1:0] writes = victim & {WAYS{probe2_q && !hit2}};

    wire touches2 = probe3_q && near2_q; // the probe before, of the same set

    wire [PC_BITS-1:0]  loaded;

    integer a, b, c, d, i, j, k, s, w;
    always @* begin
        for (w = 0; w < WAYS; w = w + 1) begin
            equal[w] = read[w*TAG_BITS +: TAG_BITS] == tag1;
        end
        for (d = 0; d < ENTRIES; d = d + 1) begin
            cleared[d] = clear1_q && warp_q[d*WARP_BITS +: WARP_BITS] == clear_warp1_q;
        end
        valid1 = {WAYS{1'b0}};
        for (s = 0; s < SETS; s = s + 1) begin
            valid1 = valid1 | ({WAYS{set1 == s[SET_BITS-1:0]}} & valid_q[s*WAYS +: WAYS] &
                               ~cleared[s*WAYS +: WAYS]);
        end
    end
    always @* begin
        touched2 = later2;
        touched3 = later3;
        c        = 0;
        for (a = 0; a < WAYS; a = a + 1) begin
            for (b = a + 1; b < WAYS; b = b + 1) begin
                touched2[c] = (later2[c] || (touches2 && way3_q[a])) && !(touches2 && way3_q[b]);
                touched3[c] = (later3[c] || way3_q[a]) && !way3_q[b];
                c = c + 1;
            end
        end
    end
    always @* begin
        oldest = {WAYS{1'b1}};
        k      = 0;
        for (i = 0; i < WAYS; i = i + 1) begin
            for (j = i + 1; j < WAYS; j = j + 1) begin
                oldest[i] = oldest[i] && !touched2[k];
                oldest[j] = oldest[j] && touched2[k];
                k = k + 1;
            end
        end
    end

    integer e, f, g;
    always @* begin
        valid_d = valid_q;
        warp_d  = warp_q;
        later_d = later_q;
        for (e = 0; e < SETS; e = e + 1) begin
            if (probe3_q && is_set3_q[e]) begin
                later_d[e*PAIRS +: PAIRS] = touched3;
            end
            for (f = e * WAYS; f < e * WAYS + WAYS; f = f + 1) begin
                if (cleared[f]) begin
                    valid_d[f] = 1'b0;
                end
                if (is_set3_q[e] && wrote3_q[f - e*WAYS]) begin
                    valid_d[f] = keeps3;
                    warp_d[f*WARP_BITS +: WARP_BITS] = warp3_q;
                end
            end
        end
        if (rst_i) begin
            valid_d = {ENTRIES{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        valid_q       <= valid_d;
        warp_q        <= warp_d;
        later_q       <= later_d;
        clear1_q      <= clear_valid_i && !rst_i;
        clear_warp1_q <= clear_warp_i;
        probe1_q      <= probe_valid_i && !rst_i;
        warp1_q       <= probe_warp_i;
        line1_q       <= probe_line_i;
        pc1_q         <= probe_pc_i;
        near2_1_q     <= set0 == set2;
        same2_1_q     <= tag0 == tag2;
        near3_1_q     <= set0 == set3;
        same3_1_q     <= tag0 == tag3;
        probe2_q      <= probe1_q && !rst_i;
        warp2_q       <= warp1_q;
        line2_q       <= line1_q;
        pc2_q         <= pc1_q;
        near2_q       <= set1 == set2;
        same2_q       <= tag1 == tag2;
        match2_q      <= match1;
        valid2_q      <= (valid1 & ~fresh2) | (fresh2 & {WAYS{keeps3}});
        for (g = 0; g < SETS; g = g + 1) begin
            is_set2_q[g] <= set1 == g[SET_BITS-1:0];
        end
        probe3_q      <= probe2_q && !rst_i;
        hit3_q        <= probe2_q && hit2 && !rst_i;
        is_set3_q     <= is_set2_q;
        warp3_q       <= warp2_q;
        line3_q       <= line2_q;
        way3_q        <= hit2 ? hits : victim;
        wrote3_q      <= writes & {WAYS{!rst_i}};
        kept3_q       <= keeps2;
        pc3_q         <= pc2_q;
        hit4_q        <= hit3_q && !rst_i;
        wrote4_q      <= wrote3_q & {WAYS{!rst_i}};
        set4_q        <= set3;
        way4_q        <= way_of(way3_q);
        pc4_q         <= pc3_q;
        hit5_q        <= hit4_q && !rst_i;
        pc5_q         <= pc4_q;
    end

    wire pair5 = hit5_q && loaded != pc5_q;
    assign pair_a_o = pc5_q;
    generate
        if (MAJORITY != 0) begin : g_majority
            localparam [6:0] MOST  = 7'h3f; // 63
            localparam [6:0] LEAST = 7'h40; // -64
            reg               probe4_q, probe5_q;
            reg [5:1]         last_q;
            reg [6:0]         votes_q; // signed
            reg [PC_BITS-1:0] other_q; // of the last pair
            wire [6:0] more = votes_q == MOST ? votes_q : votes_q + 1'b1;
            wire [6:0] less = votes_q == LEAST ? votes_q : votes_q - 1'b1;
            // The counter with this access is above 0.
            wire       most = pair5 ? !votes_q[6] : !votes_q[6] && votes_q[5:1] != 5'd0;
            always @(posedge clk_i) begin
                probe4_q <= probe3_q && !rst_i;
                probe5_q <= probe4_q && !rst_i;
                last_q   <= {last_q[4:1], probe_last_i};
                if (rst_i || (probe5_q && last_q[5])) begin
                    votes_q <= 7'd0;
                end else if (probe5_q) begin
                    votes_q <= pair5 ? more : less;
                end
                if (pair5) begin
                    other_q <= loaded;
                end
            end
            assign pair_valid_o = probe5_q && last_q[5] && most;
            assign pair_b_o     = pair5 ? loaded : other_q;
        end else begin : g_any
            wire unused_last = probe_last_i;
            assign pair_valid_o = pair5;
            assign pair_b_o     = loaded;
        end
    endgenerate

    // A tag that is read as it is written is not used: fresh.
    genvar v;
    generate
        for (v = 0; v < WAYS; v = v + 1) begin : g_way
            wm_sram_1r1w #(.WORDS(SETS), .DATA_BITS(TAG_BITS)) tags (
                .clk_i(clk_i),
                .wr_en_i(wrote3_q[v]),
                .wr_addr_i(set3),
                .wr_data_i(tag3),
                .rd_en_i(probe_valid_i),
                .rd_addr_i(set0),
                .rd_data_o(read[v*TAG_BITS +: TAG_BITS])
            );
        end
    endgenerate

    // A probe reads or writes it.
    wm_sram_1r1w #(.WORDS(SETS << WAY_BITS), .DATA_BITS(PC_BITS)) loads (
        .clk_i(clk_i),
        .wr_en_i(|wrote4_q),
        .wr_addr_i({set4_q, way4_q}),
        .wr_data_i(pc4_q),
        .rd_en_i(hit4_q),
        .rd_addr_i({set4_q, way4_q}),
        .rd_data_o(loaded)
    );
endmodule

`default_nettype wire
