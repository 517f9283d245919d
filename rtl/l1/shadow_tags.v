// SPDX-License-Identifier: Apache-2.0
// wm_shadow_tags: tags without data, as the L1 would hold them if only some warps or CTAs used it.
//
// Channels   acc: an access to a set, which array acc_first_i and those above it see.  hit: the
//            arrays that saw it and had its line.
// Timing     an access may come in every cycle; its hits come three cycles later. Cycle 0 reads the
//            memory; cycle 1 compares its output, or a newer word, and takes it into a register;
//            cycle 2 works out hits and the set's next word, and writes it; cycle 3 shows the hits.
// Forwarding each access sees the result of those before it. The access a cycle before is still
//            looked up while the word is chosen. The access two cycles before was written at the
//            edge of the read, so its word is kept in a register. Older ones are in the memory.
// State      a way has a valid bit, an age and a tag. The ages of a set in an array are 0 to
//            WAYS - 1, each once, and ways without a line are the oldest; so the victim is the way
//            of age WAYS - 1. A set that was not written since the reset has no lines.
// Limits     ARRAYS 1 to 8; SETS 2 to 64; WAYS 2 to 8; TAG_BITS 1 to 32 (checked at elaboration).
//            acc_set_i below SETS, acc_first_i below ARRAYS.
// Cost       SETS * ARRAYS * WAYS * (1 + clog2(WAYS) + TAG_BITS) bits of SRAM; flip-flops of two of
//            its words, of 2 * ARRAYS + 1 tags, 17 for each way with 32 bits of a tag, and
//            SETS + 2 * clog2(SETS) + 3 * ARRAYS + 4. In the 45 nm cells of NangateOpenCellLibrary
//            0.0280 mm2 without the SRAM and 1.48 GHz at the defaults.
// Source     MDB, DAC 2016, section 6 and figure 5.
// Twins      cmodel/l1/shadow_tags.c  tb/l1/shadow_tags_test.c  tb/l1/shadow_tags_props.v
//            waves/l1/shadow_tags.gtkw
`default_nettype none

module wm_shadow_tags #(
    parameter integer ARRAYS   = 8, // which see the accesses of more and more warps or CTAs
    parameter integer SETS     = 4, // of an array: those of the cache that are sampled
    parameter integer WAYS     = 4, // of a set, those of the cache
    parameter integer TAG_BITS = 32 // bits of a tag
) (
    input  wire                                         clk_i,       // clock
    input  wire                                         rst_i,       // synchronous; all are empty
    input  wire                                         acc_valid_i, // an access to a sampled set
    input  wire [$clog2(SETS)-1:0]                      acc_set_i,   // its set among the sampled
    input  wire [TAG_BITS-1:0]                          acc_tag_i,   // its line's tag
    input  wire [(ARRAYS > 1 ? $clog2(ARRAYS) : 1)-1:0] acc_first_i, // the first array to see it
    output wire                                         hit_valid_o, // three cycles after an access
    output wire [ARRAYS-1:0]                            hit_o        // arrays that had its line
);
    localparam integer        SET_BITS  = $clog2(SETS);
    localparam integer        AGE_BITS  = $clog2(WAYS);
    localparam integer        WAY_BITS  = 1 + AGE_BITS + TAG_BITS; // {valid, age, tag}
    localparam integer        ALL_WAYS  = ARRAYS * WAYS;
    localparam integer        WORD_BITS = ALL_WAYS * WAY_BITS;
    localparam integer        OLDEST_IS = WAYS - 1;
    localparam [AGE_BITS-1:0] OLDEST    = OLDEST_IS[AGE_BITS-1:0];
    localparam [AGE_BITS-1:0] NEXT_OLDEST = OLDEST - 1'b1;
    localparam [SETS-1:0]     SET_0     = 1;

    generate
        if (ARRAYS < 1 || ARRAYS > 8 || SETS < 2 || SETS > 64 || WAYS < 2 || WAYS > 8 ||
            TAG_BITS < 1 || TAG_BITS > 32) begin : g_illegal
            wm_shadow_tags_parameters_out_of_range illegal ();
        end
    endgenerate

    // The accesses of cycles 1, 2 and 3. An array that does not see the access in cycle 2 has a tag
    // of zeros; the last array sees all.
    reg                       valid1_q, valid2_q, valid3_q;
    reg [SET_BITS-1:0]        set1_q, set2_q;
    reg [TAG_BITS-1:0]        tag1_q;
    reg [ARRAYS*TAG_BITS-1:0] tag2_q, tag2_d, tag3_q;
    reg [ARRAYS-1:0]          sees1_q, sees2_q;
    // The place of cycle 1's word if it is not in the memory. One flip-flop for all would drive the
    // whole word, so each slice of a way has two. They depend on bits of the tag (own, not), so
    // that synthesis does not merge them with those of other slices.
    localparam integer SLICE_BITS = 16; // of a tag; a way's state goes with the last slice
    localparam integer SLICES     = (TAG_BITS + SLICE_BITS - 1) / SLICE_BITS; // of a way
    localparam integer ALL_SLICES = ALL_WAYS * SLICES;
    reg [ALL_SLICES-1:0] near_own1_q, near_not1_q; // being worked out in this cycle
    reg [ALL_SLICES-1:0] far_own1_q, far_not1_q;   // worked out in the last one
    reg                  fresh1_q; // nowhere: the set was never written
    reg [SETS-1:0]       written_q, written_d; // since the reset

    wire [WORD_BITS-1:0] read;    // the memory's output
    wire [WORD_BITS-1:0] word1;   // of the access in cycle 1
    reg  [WORD_BITS-1:0] word2_q; // of the access in cycle 2, ...
    wire [WORD_BITS-1:0] used;    // ... after it
    reg  [WORD_BITS-1:0] used3_q; // the same of the access in cycle 3
    wire [ALL_WAYS-1:0] oldest1;   // the oldest ways of arrays that see the access
    reg  [ALL_WAYS-1:0] oldest2_q; // the same in cycle 2
    // Ways with the tag of the access in cycle 3 in place of that in word2_q: it is known too late
    // to go into all bits of the word.
    wire [ALL_WAYS-1:0] replaced1;
    reg  [ALL_WAYS-1:0] replaced2_q;
    wire [ALL_WAYS-1:0] again1;   // such ways with the very tag of the access behind it
    reg  [ALL_WAYS-1:0] again2_q; // the same in cycle 2
    wire [ARRAYS-1:0]   hit;
    reg  [ARRAYS-1:0]   hit3_q;

    // Cycle 1 compares the tag of the access with those in its word, in parts. The last part is
    // equal only where there is a line, the array sees the access, and the tag is not replaced in
    // the same cycle (again1 covers that).
    localparam integer PART_BITS = 6;
    localparam integer PARTS     = (TAG_BITS + PART_BITS - 1) / PART_BITS;
    wire [ALL_WAYS*PARTS-1:0] same1;
    reg  [ALL_WAYS*PARTS-1:0] same2_q;

    function [PARTS-1:0] same_parts(input [TAG_BITS-1:0] one, input [TAG_BITS-1:0] other);
        integer b;
        begin
            same_parts = {PARTS{1'b1}};
            for (b = 0; b < TAG_BITS; b = b + 1) begin
                if (one[b] != other[b]) begin
                    same_parts[b/PART_BITS] = 1'b0;
                end
            end
        end
    endfunction
    wire same_as_last = tag2_q[(ARRAYS-1)*TAG_BITS +: TAG_BITS] == tag1_q;

    wire [ARRAYS-1:0] sees = {ARRAYS{1'b1}} << acc_first_i;

    wire near  = valid1_q && set1_q == acc_set_i;
    wire far   = !near && valid2_q && set2_q == acc_set_i;
    wire fresh = !near && !far && !written_q[acc_set_i];

    reg [ALL_SLICES-1:0] spread;

    integer i;
    always @* begin
        for (i = 0; i < ALL_SLICES; i = i + 1) begin
            spread[i] = acc_tag_i[i/SLICES%TAG_BITS] ^
                        (i % SLICES != 0 && acc_tag_i[(i/SLICES+1)%TAG_BITS]);
        end
        written_d = written_q;
        if (valid2_q) begin
            written_d = written_q | SET_0 << set2_q;
        end
        if (rst_i) begin
            written_d = {SETS{1'b0}};
        end
        for (i = 0; i < ARRAYS; i = i + 1) begin
            tag2_d[i*TAG_BITS +: TAG_BITS] = tag1_q & {TAG_BITS{sees1_q[i]}};
        end
    end

    always @(posedge clk_i) begin
        valid1_q  <= acc_valid_i && !rst_i;
        valid2_q  <= valid1_q && !rst_i;
        valid3_q  <= valid2_q && !rst_i;
        written_q <= written_d;
        if (acc_valid_i) begin
            set1_q   <= acc_set_i;
            tag1_q   <= acc_tag_i;
            sees1_q  <= sees;
        end
        fresh1_q    <= fresh;
        near_own1_q <= {ALL_SLICES{near}} & spread;
        near_not1_q <= {ALL_SLICES{near}} & ~spread;
        far_own1_q  <= {ALL_SLICES{far}} & spread;
        far_not1_q  <= {ALL_SLICES{far}} & ~spread;
        set2_q  <= set1_q;
        tag2_q  <= tag2_d;
        tag3_q  <= tag2_q;
        sees2_q <= sees1_q;
        word2_q <= word1;
        used3_q <= used;

        oldest2_q   <= oldest1;
        same2_q     <= same1;
        again2_q    <= again1;
        replaced2_q <= replaced1;
        hit3_q      <= hit;
    end

    assign hit_valid_o = valid3_q;
    assign hit_o       = hit3_q;

    genvar a, w, v, b;
    generate
        for (a = 0; a < ARRAYS; a = a + 1) begin : g_array
            wire [TAG_BITS-1:0] its_tag = tag2_q[a*TAG_BITS +: TAG_BITS];
            wire [WAYS-1:0]     match;
            assign hit[a] = |match;
            for (w = 0; w < WAYS; w = w + 1) begin : g_way
                localparam integer WAY   = a * WAYS + w;
                localparam integer FIRST = WAY * WAY_BITS;
                localparam integer STATE = FIRST + TAG_BITS;
                localparam [AGE_BITS:0] NO_LINE = w;

                // Cycle 2. The used way becomes the youngest, and the younger ones age by one.
                // Without a hit the used way is the oldest, so all others age.
                wire                valid = word2_q[STATE+AGE_BITS];
                wire [AGE_BITS-1:0] age   = word2_q[STATE +: AGE_BITS];
                wire [TAG_BITS-1:0] tag   =
                    replaced2_q[WAY] ? tag3_q[a*TAG_BITS +: TAG_BITS] : word2_q[FIRST +: TAG_BITS];
                wire [WAYS-1:0]     older; // ways that are older than this one
                wire                takes = oldest2_q[WAY] && !hit[a];
                wire                grows = sees2_q[a] && (match & ~older) == {WAYS{1'b0}};

                assign match[w] = &same2_q[WAY*PARTS +: PARTS] || again2_q[WAY];
                for (v = 0; v < WAYS; v = v + 1) begin : g_other
                    assign older[v] = g_array[a].g_way[v].age > age;
                end
                assign used[FIRST +: WAY_BITS] =
                    {valid || takes,
                     match[w] || takes ? {AGE_BITS{1'b0}} : grows ? age + 1'b1 : age,
                     takes ? its_tag : tag};

                // Cycle 1. The hit or miss of the access in cycle 2 is known late. So its tag is
                // compared beside the one that it would replace, and enters the word in cycle 2
                // (replaced2_q). A set without lines may have any tags.
                wire [SLICES-1:0]   uses     = near_own1_q[WAY*SLICES +: SLICES] |
                                               near_not1_q[WAY*SLICES +: SLICES];
                wire [SLICES-1:0]   copies   = far_own1_q[WAY*SLICES +: SLICES] |
                                               far_not1_q[WAY*SLICES +: SLICES];
                wire                in_use   = uses[SLICES-1];
                wire                in_copy  = copies[SLICES-1];
                assign replaced1[WAY] = in_use && takes;
                wire                old_line =
                    in_use   ? valid :
                    in_copy  ? used3_q[STATE+AGE_BITS] : !fresh1_q && read[STATE+AGE_BITS];
                wire [TAG_BITS-1:0] old_tag;
                for (b = 0; b < TAG_BITS; b = b + 1) begin : g_bit
                    assign old_tag[b] = uses[b/SLICE_BITS]   ? tag[b] :
                                        copies[b/SLICE_BITS] ? used3_q[FIRST+b] : read[FIRST+b];
                end
                wire [PARTS-1:0]    last_part = {PARTS{1'b1}} << (PARTS - 1);
                assign word1[FIRST +: TAG_BITS] = old_tag;
                assign same1[WAY*PARTS +: PARTS] =
                    same_parts(old_tag, tag1_q) &
                    ~(old_line && sees1_q[a] && !replaced1[WAY] ? {PARTS{1'b0}} : last_part);
                assign again1[WAY] = replaced1[WAY] && same_as_last && sees1_q[a];
                assign oldest1[WAY] = sees1_q[a] &&
                    (in_use   ? (grows ? age == NEXT_OLDEST : age == OLDEST && !match[w]) :
                     in_copy  ? used3_q[STATE +: AGE_BITS] == OLDEST :
                     fresh1_q ? w == OLDEST_IS : read[STATE +: AGE_BITS] == OLDEST);
                assign word1[STATE +: AGE_BITS+1] =
                    in_use   ? used[STATE +: AGE_BITS+1] :
                    in_copy  ? used3_q[STATE +: AGE_BITS+1] :
                    fresh1_q ? NO_LINE : read[STATE +: AGE_BITS+1];
            end
        end
    endgenerate

    // A read of the word that is written at the same edge is not used: far.
    wm_sram_1r1w #(.WORDS(SETS), .DATA_BITS(WORD_BITS)) memory (
        .clk_i(clk_i),
        .wr_en_i(valid2_q),
        .wr_addr_i(set2_q),
        .wr_data_i(used),
        .rd_en_i(acc_valid_i),
        .rd_addr_i(acc_set_i),
        .rd_data_o(read)
    );
endmodule

`default_nettype wire
