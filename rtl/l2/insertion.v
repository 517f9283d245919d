// SPDX-License-Identifier: Apache-2.0
// wm_insertion: replacement state of one L2 bank, with warp types: which line of a set is evicted,
// and between which others a new one is put.
//
// Channels   free, held, victim: of the current set.  touch, insert: an access uses a way of it.
//            read: the next set to be current.
// Timing     a set that is read in cycle n is current from n + 1 until the next read. victim_o is
//            of the same cycle as free_i and held_i. touch and insert count from the next cycle.
//            A bank that inserts at victim_o in its cycle has the sum of the paths to victim_o and
//            from way_i for its clock, about one and a half of the block's own.
// Victim     the lowest free way; else, of those not held, the least recently used of the lowest
//            class: all pairs of ways are compared by {class, recency} at once.
// Same cycle insert before touch; both change the set that was current when read_i comes with them,
//            and are seen if it is the same one that is read.
// Limits     SETS 1 to 4096, a power of two; WAYS 1 to 64; RAISE 0 or 1 (checked at elaboration).
//            way_i below WAYS with touch_i or insert_i, set_i below SETS with read_i.
// Cost       SETS * WAYS * (2 + clog2(WAYS)) bits of SRAM (2 a line more than LRU), none where SETS
//            is 1; WAYS * (2 + clog2(WAYS)) + SETS + clog2(SETS) + 1 flip-flops.
// Source     Ausavarungnirun et al. (MeDiC), PACT 2015, sections 4.3 and 6.5.
// Twins      cmodel/l2/insertion.c  tb/l2/insertion_test.c  tb/l2/insertion_props.v
//            waves/l2/insertion.gtkw
`default_nettype none

module wm_insertion #(
    parameter SETS  = 32, // sets of the bank, a power of two
    parameter WAYS  = 16, // lines a set
    parameter RAISE = 0   // 1: a touch raises its line to the class of the warp
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
    localparam WAY_BITS   = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam SET_BITS   = SETS > 1 ? $clog2(SETS) : 1;
    localparam KEY_BITS   = 2 + WAY_BITS; // a way's class, and below it its recency
    localparam STATE_BITS = WAYS * KEY_BITS;
    localparam LAST_WAY   = WAYS - 1;
    localparam [WAY_BITS-1:0] NEWEST = LAST_WAY[WAY_BITS-1:0]; // recency of the last one used
    localparam [WAYS-1:0]     WAY_0  = 1;
    localparam [SETS-1:0]     SET_0  = 1;

    generate
        if (SETS < 1 || SETS > 4096 || (SETS & (SETS - 1)) != 0 || WAYS < 1 || WAYS > 64 ||
            RAISE < 0 || RAISE > 1) begin : g_illegal
            wm_insertion_parameters_out_of_range illegal ();
        end
    endgenerate

    // The lowest class, and recency as the number of the way.
    function [STATE_BITS-1:0] reset_state(input unused);
        integer w;
        begin
            for (w = 0; w < WAYS; w = w + 1) begin
                reset_state[w*KEY_BITS +: KEY_BITS] = {2'b00, w[WAY_BITS-1:0]};
            end
        end
    endfunction

    // Marks each way that has a set one below it, in log2 steps.
    function [WAYS-1:0] set_below(input [WAYS-1:0] ways);
        integer reach;
        begin
            set_below = ways << 1;
            for (reach = 1; reach < WAYS; reach = reach * 2) begin
                set_below = set_below | (set_below << reach);
            end
        end
    endfunction

    // The number of one way.
    function [WAY_BITS-1:0] index_of(input [WAYS-1:0] way_oh);
        integer w;
        begin
            index_of = {WAY_BITS{1'b0}};
            for (w = 0; w < WAYS; w = w + 1) begin
                index_of = index_of | (w[WAY_BITS-1:0] & {WAY_BITS{way_oh[w]}});
            end
        end
    endfunction

    localparam [STATE_BITS-1:0] RESET_STATE = reset_state(1'b0);

    // The current set; its state stands in state_q if it has changed since it was read, or had
    // never been written, else at the memory's output.
    reg [SET_BITS-1:0]   set_q, set_d;
    reg                  own_q, own_d;
    reg [STATE_BITS-1:0] state_q, state_d;
    reg [SETS-1:0]       written_q, written_d; // since the reset

    wire [STATE_BITS-1:0] word;
    wire [STATE_BITS-1:0] state = own_q ? state_q : word;

    // Every way is compared with every other one. A way is beaten if it is held, or if a way that
    // is not held precedes it. All keys differ, so one way is left, unless all are held.
    reg [WAYS-1:0] beaten;
    reg            precedes;
    integer        a, b;
    always @* begin
        beaten   = held_i;
        precedes = 1'b0;
        for (a = 0; a < WAYS; a = a + 1) begin
            for (b = a + 1; b < WAYS; b = b + 1) begin
                precedes  = state[a*KEY_BITS +: KEY_BITS] < state[b*KEY_BITS +: KEY_BITS];
                beaten[b] = beaten[b] || (precedes && !held_i[a]);
                beaten[a] = beaten[a] || (!precedes && !held_i[b]);
            end
        end
    end

    wire            some_free = |free_i;
    wire [WAYS-1:0] free_oh   = free_i & ~set_below(free_i);

    assign victim_o       = index_of(some_free ? free_oh : ~beaten);
    assign victim_valid_o = some_free || !(&held_i);

    // The state after this cycle's access: its way moves above all more recently used ones.
    wire [WAYS-1:0]       way_oh = WAY_0 << way_i;
    reg  [WAY_BITS-1:0]   used;
    reg  [STATE_BITS-1:0] used_state;
    reg  [1:0]            line_class;
    reg  [WAY_BITS-1:0]   recency;
    integer               w;
    always @* begin
        used = {WAY_BITS{1'b0}};
        for (w = 0; w < WAYS; w = w + 1) begin
            used = used | (state[w*KEY_BITS +: WAY_BITS] & {WAY_BITS{way_oh[w]}});
        end
        for (w = 0; w < WAYS; w = w + 1) begin
            {line_class, recency} = state[w*KEY_BITS +: KEY_BITS];
            if (way_oh[w]) begin
                recency = NEWEST;
                if (insert_i || (RAISE != 0 && line_class_i > line_class)) begin
                    line_class = line_class_i;
                end
            end else if (recency > used) begin
                recency = recency - 1'b1;
            end
            used_state[w*KEY_BITS +: KEY_BITS] = {line_class, recency};
        end
    end

    wire            uses    = touch_i || insert_i;
    wire            changes = read_i && set_i != set_q;
    wire            writes  = uses && !rst_i;
    wire [SETS-1:0] set_oh  = SET_0 << set_q;

    always @* begin
        set_d     = set_q;
        own_d     = own_q;
        state_d   = state_q;
        written_d = written_q;
        if (uses) begin
            own_d     = 1'b1;
            state_d   = used_state;
            written_d = written_q | set_oh;
        end
        if (changes) begin
            set_d   = set_i;
            own_d   = !written_q[set_i];
            state_d = RESET_STATE;
        end
        if (rst_i) begin
            set_d     = {SET_BITS{1'b0}};
            own_d     = 1'b1;
            state_d   = RESET_STATE;
            written_d = {SETS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        set_q     <= set_d;
        own_q     <= own_d;
        state_q   <= state_d;
        written_q <= written_d;
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
