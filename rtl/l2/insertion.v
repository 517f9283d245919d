// SPDX-License-Identifier: Apache-2.0
// wm_insertion: replacement state of one L2 bank, with warp types: which line of a set is evicted,
// and between which others a new one is put.
//
// Channels   free, held, victim: of the current set.  touch, insert: an access uses a way of it.
//            read: the next set to be current.
// Timing     a set that is read in cycle n is current from n + 1 until the next read. victim_o
//            answers free_i and held_i in the same cycle. touch and insert count from the next
//            cycle. A bank that inserts at victim_o in the same cycle has the path to victim_o and
//            the path from way_i in one clock, about one and a half of the block's own.
// Victim     the lowest free way. Without one, the first way in the order of eviction that is not
//            held: the least recently used of the lowest class.
// State      a set has a class for each way, and a bit for each pair of ways that says which goes
//            first, by class and then by age. An access makes its way the newest, so it decides
//            that way's pairs by class alone, and no other pair.
// Place      PLACE 1: classes stay 0, so the pairs are an LRU order. line_class_i says at which
//            place a new line enters it: first (mostly-miss), behind the WAYS / 2 first ones
//            (balanced), or last. The number of ways before each is counted from the state of the
//            set.
// Same cycle insert goes before touch. With read_i both change the set that was current until then;
//            a read of the same set sees the change.
// Limits     SETS 1 to 4096, a power of two; WAYS 1 to 64; RAISE, PLACE 0 or 1 (checked at
//            elaboration).
//            way_i below WAYS with touch_i or insert_i, set_i below SETS with read_i.
// Cost       SETS * (2 * WAYS + WAYS * (WAYS - 1) / 2) bits of SRAM, none where SETS is 1: 2 a line
//            more than LRU with a bit a pair. As many flip-flops as one set has bits, and
//            WAYS + SETS + clog2(SETS). A number of recency in place of the pairs takes less SRAM,
//            96 in place of 152 bits a set of 16 ways, and a longer cycle. With PLACE 1 the bits of
//            the classes exist and stay 0, and the counts make the cycle longer.
// Source     Ausavarungnirun et al. (MeDiC), PACT 2015, sections 4.3 and 6.5.
// Twins      cmodel/l2/insertion.c  tb/l2/insertion_test.c  tb/l2/insertion_props.v
//            waves/l2/insertion.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_insertion #(
    parameter integer SETS  = 32, // sets of the bank, a power of two
    parameter integer WAYS  = 16, // lines a set
    parameter integer RAISE = 0,  // 1: a touch raises its line to the class of the warp
    parameter integer PLACE = 0   // 1: the class is a new line's place in the LRU order, no more
) (
    input  wire                                    clk_i,          // clock
    input  wire                                    rst_i,          // synchronous; set 0, lowest way
                                                                   // least recently used
    input  wire [WAYS-1:0]                         free_i,         // ways without a line
    input  wire [WAYS-1:0]                         held_i,         // ways that must not be evicted
    output wire                                    victim_valid_o, // a way can be taken
    output wire [(WAYS > 1 ? $clog2(WAYS) : 1)-1:0] victim_o,      // this one
    input  wire                                    touch_i,        // late: a hit uses way_i
    input  wire                                    insert_i,       // late: a new line takes way_i
    input  wire [(WAYS > 1 ? $clog2(WAYS) : 1)-1:0] way_i,         // late
    input  wire [1:0]                              line_class_i,   // late: class of the warp
    input  wire                                    read_i,         // late: set_i is current next
    input  wire [(SETS > 1 ? $clog2(SETS) : 1)-1:0] set_i          // late
);
    localparam integer WAY_BITS   = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam integer SET_BITS   = SETS > 1 ? $clog2(SETS) : 1;
    localparam integer STATE_BITS = 2 * WAYS + WAYS * (WAYS - 1) / 2;
    localparam integer ENCODED    = WAYS > 1 ? WAYS : 2; // ways that wm_priority_encoder sees
    localparam [WAYS-1:0] WAY_0   = 1;
    localparam [SETS-1:0] SET_0   = 1;
    localparam integer RANK_BITS  = $clog2(WAYS + 1);
    localparam integer HALF       = WAYS / 2;

    generate
        if (SETS < 1 || SETS > 4096 || (SETS & (SETS - 1)) != 0 || WAYS < 1 || WAYS > 64 ||
            RAISE < 0 || RAISE > 1 || PLACE < 0 || PLACE > 1) begin : g_illegal
            wm_insertion_parameters_out_of_range illegal ();
        end
    endgenerate

    // Where the state of a way begins: its class, and behind it a bit for each lower way, which is
    // set if that one precedes this one.
    function integer state_of(input integer way);
        state_of = 2 * way + way * (way - 1) / 2;
    endfunction

    // The lowest class, and lower ways precede higher ones.
    function [STATE_BITS-1:0] reset_state(input unused);
        integer w;
        begin
            reset_state = {STATE_BITS{1'b1}};
            for (w = 0; w < WAYS; w = w + 1) begin
                reset_state[state_of(w) +: 2] = 2'd0;
            end
        end
    endfunction

    // The number of one way.
    `WM_NUMBER_OF(index_of, WAYS, WAY_BITS)

    // The number of bits that are set.
    function [RANK_BITS-1:0] count_of(input [WAYS-1:0] ways);
        integer w;
        begin
            count_of = {RANK_BITS{1'b0}};
            for (w = 0; w < WAYS; w = w + 1) begin
                count_of = count_of + {{(RANK_BITS-1){1'b0}}, ways[w]};
            end
        end
    endfunction

    localparam [STATE_BITS-1:0] RESET_STATE = reset_state(1'b0);

    // The current set. The state of a way is in state_q if it may have changed since the set was
    // read, or if the set was never written; else it is at the memory's output.
    reg [SET_BITS-1:0]   set_q, set_d;
    reg [WAYS-1:0]       own_q, own_d;
    reg [STATE_BITS-1:0] state_q;
    reg [SETS-1:0]       written_q, written_d; // since the reset

    wire [STATE_BITS-1:0] word;
    wire [STATE_BITS-1:0] state;
    wire [STATE_BITS-1:0] used_state; // after this cycle's access
    wire                  uses   = touch_i || insert_i;
    wire [WAYS-1:0]       way_oh = (WAY_0 << way_i) & {WAYS{uses}};
    wire [WAYS-1:0]       reached;    // ways whose class is not above line_class_i
    wire [WAYS-1:0]       beaten;     // held, or one that is not held precedes it

    // A used way is the newest, so the ways before it are those whose class is not above its own:
    // the reached ones with a new class; with its old class, those that were before it and those of
    // the same class. A raised class is the higher one of the two.
    // With PLACE all classes are 0: a touched way has all others before it, an inserted one the
    // first half of the order, or all, or none.
    genvar g, h;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            localparam integer FIRST = 2 * g + g * (g - 1) / 2; // state_of(g)
            wire [1:0]      line_class = state[FIRST +: 2];
            wire [WAYS-1:0] rivals;

            assign state[FIRST +: g+2] = own_q[g] ? state_q[FIRST +: g+2] : word[FIRST +: g+2];
            // The memory is late, so both classes are compared and one result is selected.
            assign reached[g] = own_q[g] ? state_q[FIRST +: 2] <= line_class_i
                                         : word[FIRST +: 2] <= line_class_i;

            if (PLACE != 0) begin : g_count
                wire [WAYS-1:0]      older; // the ways that precede it
                wire [RANK_BITS-1:0] rank = count_of(older);
                // Are these fewer than half of all, and so without one of them, the used way?
                wire                 low         = rank < HALF[RANK_BITS-1:0];
                wire                 low_without = rank <= HALF[RANK_BITS-1:0];
                assign older[g] = 1'b0;
            end
            assign rivals[g]  = held_i[g];
            assign beaten[g]  = |rivals;
            if (PLACE != 0) begin : g_no_class
                wire unused_reached = reached[g];
                assign used_state[FIRST +: 2] = line_class;
            end else begin : g_new_class
                assign used_state[FIRST +: 2] =
                    way_oh[g] && (insert_i || (RAISE != 0 && reached[g])) ? line_class_i
                                                                          : line_class;
            end
            for (h = 0; h < g; h = h + 1) begin : g_pair
                wire precedes = state[FIRST+2+h];
                wire h_first;
                wire g_first;
                if (PLACE != 0) begin : g_place
                    wire h_low = precedes ? g_way[h].g_count.low : g_way[h].g_count.low_without;
                    wire g_low = precedes ? g_count.low_without : g_count.low;
                    wire last  = !insert_i || line_class_i[1];
                    assign h_first = last || (line_class_i[0] && h_low);
                    assign g_first = last || (line_class_i[0] && g_low);
                    assign g_count.older[h]          = precedes;
                    assign g_way[h].g_count.older[g] = !precedes;
                end else begin : g_class
                    wire by_new   = insert_i || RAISE != 0;
                    wire by_old   = !insert_i;
                    wire same     = g_way[h].line_class == line_class;
                    assign h_first = (by_old && (precedes || same)) || (by_new && reached[h]);
                    assign g_first = (by_old && (!precedes || same)) || (by_new && reached[g]);
                end

                assign rivals[h]          = precedes && !held_i[h];
                assign g_way[h].rivals[g] = !precedes && !held_i[g];
                assign used_state[FIRST+2+h] =
                    way_oh[g] ? h_first : way_oh[h] ? !g_first : precedes;
            end
        end
    endgenerate

    wire                some_free;
    wire [WAY_BITS-1:0] free_way;
    wire [ENCODED-1:0]  unused_free_oh;
    wm_priority_encoder #(.REQUESTERS(ENCODED)) lowest_free (
        .req_valid_i({{(ENCODED-WAYS){1'b0}}, free_i}),
        .grant_valid_o(some_free),
        .grant_oh_o(unused_free_oh),
        .grant_index_o(free_way)
    );

    assign victim_o       = some_free ? free_way : index_of(~beaten);
    assign victim_valid_o = some_free || !(&held_i);

    wire            changes = read_i && set_i != set_q;
    wire            writes  = uses && !rst_i;
    wire [SETS-1:0] set_oh  = SET_0 << set_q;

    always @* begin
        set_d     = set_q;
        own_d     = own_q;
        written_d = written_q;
        if (uses) begin
            // The state of lower ways has no bit of this one. They stay where they stand, so that
            // each way has a flip-flop of its own for it: one for all would drive the whole state.
            own_d     = own_q | {WAYS{1'b1}} << way_i;
            written_d = written_q | set_oh;
        end
        if (changes) begin
            set_d = set_i;
            own_d = {WAYS{!written_q[set_i]}};
        end
        if (rst_i) begin
            set_d     = {SET_BITS{1'b0}};
            own_d     = {WAYS{1'b1}};
            written_d = {SETS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        set_q     <= set_d;
        own_q     <= own_d;
        written_q <= written_d;
        // A read of the current set loads its state again: it is known too late for an enable.
        if (rst_i || read_i || uses) begin
            state_q <= rst_i || changes ? RESET_STATE : used_state;
        end
    end

    // The current set is written and another one is read: never the same word at the same edge.
    generate
        if (SETS > 1) begin : g_memory
            wm_sram_1r1w #(.WORDS(SETS), .DATA_BITS(STATE_BITS)) memory (
                .clk_i(clk_i),
                .wr_en_i(writes),
                .wr_addr_i(set_q),
                .wr_data_i(used_state),
                .rd_en_i(changes),
                .rd_addr_i(set_i),
                .rd_data_o(word)
            );
        end else begin : g_no_memory
            assign word = {STATE_BITS{1'b0}};
            wire unused_writes = writes;
        end
    endgenerate
endmodule

`default_nettype wire
