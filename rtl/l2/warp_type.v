// SPDX-License-Identifier: Apache-2.0
// wm_warp_type: table of warp types: counts L2 hits and accesses of each warp, and says from them
// how its requests are to be treated.
//
// Channels   upd: accesses of the L2 banks.  look: requests whose warps' types are wanted.
//            bypassed: requests that go round the L2.  clear: a period ends.
// Timing     a lookup is answered in the next cycle. In an idle table an access in cycle n counts
//            for lookups from n + 6: two cycles in its port's queue, then read, count, multiply,
//            compare; each lane takes one a cycle, of the ports in turn. The boundary moves in the
//            fifth cycle after the last of its window. For WORDS cycles after a clear no update
//            leaves its queue: the memories are emptied word by word.
// Same cycle clear and reset before everything, what comes with them is dropped; but with MOVES 2
//            a clear is nothing to the boundary, and what comes with it counts there. A lookup sees
//            the type that is written at its edge. upd_ready_o is room, whether or not one leaves;
//            an access that finds none is lost for its warp, and counts for the boundary.
// Limits     as checked at elaboration; warps below WARPS while their port is valid.
// Cost       WORDS = WARPS / LANES, rounded up, at least 2. SRAM: a lane WORDS * (2 * COUNTER_BITS
//            - 1 + GENERATION_BITS) bits of counters, and a copy of the types for each lookup port,
//            WORDS * (3 + GENERATION_BITS): by default 4 x 12 x 180 x 3 bits, unless a flow merges
//            copies of equal contents. Each update port has a wm_fifo of QUEUE words.
// Source     Ausavarungnirun et al., PACT 2015 (MeDiC), sections 3.1, 4.1, 4.2 and 6.5.
// Twins      cmodel/l2/warp_type.c  tb/l2/warp_type_test.c  tb/l2/warp_type_props.v
//            waves/l2/warp_type.gtkw
`default_nettype none

module wm_warp_type #(
    parameter WARPS           = 720, // warp slots of all cores
    parameter UPDATES         = 12,  // update ports
    parameter LOOKUPS         = 12,  // lookup ports
    parameter LANES           = 4,   // parts of the table: warp w lies in part w mod LANES
    parameter QUEUE           = 4,   // updates that wait at a port
    parameter COUNTER_BITS    = 10,  // of hits and accesses; the top bit is never stored
    parameter PROFILE         = 30,  // accesses until the type is known
    parameter HIT_20THS       = 14,  // mostly-hit: hits of 20 accesses at least
    parameter MISS_20THS      = 4,   // mostly-miss: hits of 20 accesses at most, at first
    parameter MOVES           = 1,   // 1: that boundary falls with the hit rate; 2: over clears
    parameter WINDOW          = 10,  // log2 of the requests between two looks at the miss rate
    parameter FOLLOW          = 0,   // 0: the type is kept until the clear; 1: it follows
    parameter GENERATION_BITS = 0    // bits that tell a slot's warps apart
) (
    input  wire                             clk_i,            // clock
    input  wire                             rst_i,            // synchronous; empties everything
    input  wire                             clear_i,          // a period ends: types and counters
    input  wire [UPDATES-1:0]               upd_valid_i,      // accesses, a bit a port
    input  wire [UPDATES*$clog2(WARPS)-1:0] upd_warp_i,       // their warps
    input  wire [UPDATES*(GENERATION_BITS > 0 ? GENERATION_BITS : 1)-1:0] // their
                                            upd_generation_i, // warps' generations
    input  wire [UPDATES-1:0]               upd_hit_i,        // they were hits
    output wire [UPDATES-1:0]               upd_ready_o,      // ports whose queue has room
    input  wire [LOOKUPS-1:0]               look_valid_i,     // types are wanted, a bit a port
    input  wire [LOOKUPS*$clog2(WARPS)-1:0] look_warp_i,      // of these warps
    input  wire [LOOKUPS*(GENERATION_BITS > 0 ? GENERATION_BITS : 1)-1:0] // their
                                            look_generation_i, // generations
    output wire [LOOKUPS*2-1:0]             look_class_o,     // of the last cycle's lookups
    output wire [LOOKUPS-1:0]               look_known_o,     // of these, those that are known
    input  wire [LOOKUPS-1:0]               bypassed_i,       // requests that bypass, a bit a port
    output wire [4:0]                       boundary_o        // of mostly-miss, in 20ths
);
    localparam WARP_BITS   = $clog2(WARPS);
    localparam ENTRIES     = (WARPS + LANES - 1) / LANES;
    localparam WORDS       = ENTRIES < 2 ? 2 : ENTRIES;
    localparam INDEX_BITS  = $clog2(WORDS);
    localparam KIND_BITS   = GENERATION_BITS > 0 ? GENERATION_BITS : 1; // of a generation's port
    localparam STORED_BITS = COUNTER_BITS - 1;                          // of a counter
    localparam TERM_BITS   = STORED_BITS + 5;                           // of a counter times 20
    // A generation comes first in its word, so that a word without is a part of it.
    localparam UPDATE_BITS = GENERATION_BITS + 1 + WARP_BITS;           // generation, hit, warp
    localparam ENTRY_BITS  = GENERATION_BITS + 1 + 2 * STORED_BITS;     // known, accesses, hits
    localparam TYPE_BITS   = GENERATION_BITS + 3;                       // known, class
    localparam SUM_BITS    = $clog2(UPDATES + LOOKUPS + 1);             // of a cycle's requests
    localparam MOST_BITS   = (WINDOW > SUM_BITS ? WINDOW : SUM_BITS) + 1; // of a window's misses
    localparam MOST_LANE   = LANES - 1;
    localparam MOST_WORD   = WORDS - 1;
    localparam [WARP_BITS-1:0]   LANE_MASK  = MOST_LANE[WARP_BITS-1:0];
    localparam [INDEX_BITS-1:0]  LAST_WORD  = MOST_WORD[INDEX_BITS-1:0];
    localparam [STORED_BITS-1:0] PROFILED   = PROFILE[STORED_BITS-1:0];
    localparam [4:0]             HIT_BOUND  = HIT_20THS[4:0];
    localparam [4:0]             MISS_BOUND = MISS_20THS[4:0];
    localparam [1:0] CLASS_MISS = 2'd0, CLASS_BALANCED = 2'd1, CLASS_HIT = 2'd2, CLASS_ALL = 2'd3;

    generate
        if (WARPS < 2 || WARPS > 4096 || UPDATES < 1 || UPDATES > 64 || LOOKUPS < 1 ||
            LOOKUPS > 64 || LANES < 1 || LANES > 8 || (LANES & (LANES - 1)) != 0 ||
            LANES > WARPS || QUEUE < 2 || QUEUE > 16 || COUNTER_BITS < 4 || COUNTER_BITS > 16 ||
            PROFILE < 1 || PROFILE > 255 || PROFILE >= 1 << (COUNTER_BITS - 1) ||
            HIT_20THS < 1 || HIT_20THS > 20 || MISS_20THS < 0 || MISS_20THS >= HIT_20THS ||
            MOVES < 0 || MOVES > 2 || WINDOW < 4 || WINDOW > 20 || FOLLOW < 0 || FOLLOW > 1 ||
            GENERATION_BITS < 0 || GENERATION_BITS > 4) begin : g_illegal
            wm_warp_type_parameters_out_of_range illegal ();
        end
    endgenerate

    // A warp's entry in its lane is named by its upper bits, INDEX_BITS of them. (Where a lane has
    // one entry that is a bit too many, but the same one for all warps of the lane.)
    wire wipe = rst_i || clear_i;

    // The words that a clear has not reached yet: from sweep_q on, while sweeping_q.
    reg                  sweeping_q, sweeping_d;
    reg [INDEX_BITS-1:0] sweep_q, sweep_d;

    always @* begin
        sweeping_d = sweeping_q && sweep_q != LAST_WORD;
        sweep_d    = sweep_q + 1'b1;
        if (wipe) begin
            sweeping_d = 1'b1;
            sweep_d    = {INDEX_BITS{1'b0}};
        end
    end
    always @(posedge clk_i) begin
        sweeping_q <= sweeping_d;
        sweep_q    <= sweep_d;
    end

    // Queues of updates.
    wire [UPDATES-1:0]             offered;
    wire [UPDATES-1:0]             taken;
    wire [UPDATES*UPDATE_BITS-1:0] heads;

    genvar port;
    generate
        for (port = 0; port < UPDATES; port = port + 1) begin : g_update
            wire [UPDATE_BITS-1:0]       update;
            wire [$clog2(QUEUE + 1)-1:0] unused_count;
            assign update[WARP_BITS:0] = {upd_hit_i[port], upd_warp_i[port*WARP_BITS +: WARP_BITS]};
            if (GENERATION_BITS > 0) begin : g_generation
                assign update[UPDATE_BITS-1 -: KIND_BITS] =
                    upd_generation_i[port*KIND_BITS +: KIND_BITS];
            end
            wm_fifo #(.DEPTH(QUEUE), .DATA_BITS(UPDATE_BITS)) waiting (
                .clk_i(clk_i),
                .rst_i(wipe),
                .enq_valid_i(upd_valid_i[port]),
                .enq_data_i(update),
                .enq_ready_o(upd_ready_o[port]),
                .deq_valid_o(offered[port]),
                .deq_data_o(heads[port*UPDATE_BITS +: UPDATE_BITS]),
                .deq_ready_i(taken[port]),
                .count_o(unused_count)
            );
        end
        if (GENERATION_BITS == 0) begin : g_no_generation
            wire unused_generation = &{1'b0, upd_generation_i, look_generation_i};
        end
    endgenerate

    // Lanes: from the queues' heads to the types.
    wire [LANES*UPDATES-1:0]           grants;
    wire [LOOKUPS*LANES*TYPE_BITS-1:0] answers; // of each lane to each lookup of the last cycle

    genvar lane, look;
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
            // The port whose update the lane takes.
            reg [UPDATES-1:0]     asks;
            reg [UPDATE_BITS-1:0] update;
            wire [UPDATES-1:0]    grant_oh;
            integer p;
            always @* begin
                for (p = 0; p < UPDATES; p = p + 1) begin
                    asks[p] = offered[p] && !sweeping_q &&
                        (heads[p*UPDATE_BITS +: WARP_BITS] & LANE_MASK) == lane[WARP_BITS-1:0];
                end
                update = {UPDATE_BITS{1'b0}};
                for (p = 0; p < UPDATES; p = p + 1) begin
                    update = update |
                        (heads[p*UPDATE_BITS +: UPDATE_BITS] & {UPDATE_BITS{grant_oh[p]}});
                end
            end
            if (UPDATES > 1) begin : g_turns
                wire                       unused_valid;
                wire [$clog2(UPDATES)-1:0] unused_index;
                wm_round_robin_arbiter #(.REQUESTERS(UPDATES)) turns (
                    .clk_i(clk_i),
                    .rst_i(wipe),
                    .req_valid_i(asks),
                    .grant_valid_o(unused_valid),
                    .grant_oh_o(grant_oh),
                    .grant_index_o(unused_index),
                    .grant_taken_i(1'b1)
                );
            end else begin : g_alone
                assign grant_oh = asks;
            end
            assign grants[lane*UPDATES +: UPDATES] = grant_oh;

            // Read: its counters, unless they are written at this edge.
            reg                  read_q, read_hit_q;
            reg [INDEX_BITS-1:0] read_index_q;
            reg [KIND_BITS-1:0]  read_kind_q;
            wire [KIND_BITS-1:0] kind; // generation, of the update that is taken
            // Count
            reg                  count_q, count_hit_q, count_again_q;
            reg [INDEX_BITS-1:0] count_index_q;
            reg [KIND_BITS-1:0]  count_kind_q;
            // Multiply: the counters with the update; a new type is to be written.
            reg                   multiply_q;
            reg [INDEX_BITS-1:0]  multiply_index_q;
            reg [KIND_BITS-1:0]   multiply_kind_q;
            reg                   known_q;
            reg [STORED_BITS-1:0] accesses_q, hits_q;
            // Compare
            reg                  compare_q, compare_known_q, compare_all_q;
            reg [INDEX_BITS-1:0] compare_index_q;
            reg [KIND_BITS-1:0]  compare_kind_q;
            reg [TERM_BITS-1:0]  hits_20_q, hit_bound_q, miss_bound_q;

            wire read_again = count_q && count_index_q == read_index_q;

            // The entry, from the memory or from the update before this one.
            wire [ENTRY_BITS-1:0]  read_entry;
            wire                   stored_known;
            wire [STORED_BITS-1:0] stored_accesses, stored_hits;
            wire [KIND_BITS-1:0]   stored_kind;
            assign {stored_known, stored_accesses, stored_hits} = count_again_q
                ? {known_q, accesses_q, hits_q} : read_entry[2*STORED_BITS:0];

            // One more access. An access counter that would set its top bit is halved, with hits.
            wire                   same     = stored_kind == count_kind_q;
            wire [STORED_BITS-1:0] accesses = stored_accesses & {STORED_BITS{same}};
            wire [STORED_BITS-1:0] hits     = stored_hits & {STORED_BITS{same}};
            wire                   knew     = stored_known && same;
            wire [STORED_BITS:0]   more_accesses = {1'b0, accesses} + 1'b1;
            wire [STORED_BITS:0]   more_hits = {1'b0, hits} + {{STORED_BITS{1'b0}}, count_hit_q};
            wire                   halve    = &accesses;
            wire [STORED_BITS-1:0] accesses_d = halve ? more_accesses[STORED_BITS:1]
                                                      : more_accesses[STORED_BITS-1:0];
            wire [STORED_BITS-1:0] hits_d     = halve ? more_hits[STORED_BITS:1]
                                                      : more_hits[STORED_BITS-1:0];
            wire                   profiled = !knew && more_accesses == {1'b0, PROFILED};
            wire                   known_d  = knew || profiled;
            wire                   news     = profiled || (FOLLOW != 0 && knew) ||
                                              (stored_known && !known_d);

            wire [ENTRY_BITS-1:0] entry;
            assign entry[2*STORED_BITS:0] = {known_d, accesses_d, hits_d};
            wm_sram_1r1w #(.WORDS(WORDS), .DATA_BITS(ENTRY_BITS)) counters (
                .clk_i(clk_i),
                .wr_en_i(count_q || sweeping_q),
                .wr_addr_i(sweeping_q ? sweep_q : count_index_q),
                .wr_data_i(entry & {ENTRY_BITS{!sweeping_q}}),
                .rd_en_i(read_q && !read_again),
                .rd_addr_i(read_index_q),
                .rd_data_o(read_entry)
            );

            // Type
            wire [1:0] class_of =
                compare_all_q ? CLASS_ALL : hits_20_q >= hit_bound_q ? CLASS_HIT :
                hits_20_q <= miss_bound_q ? CLASS_MISS : CLASS_BALANCED;
            wire [TYPE_BITS-1:0] type_now;
            assign type_now[2:0] = {compare_known_q, class_of};

            if (GENERATION_BITS > 0) begin : g_generation
                assign kind        = update[UPDATE_BITS-1 -: KIND_BITS];
                assign stored_kind = count_again_q ? multiply_kind_q
                                                   : read_entry[ENTRY_BITS-1 -: KIND_BITS];
                assign entry[ENTRY_BITS-1 -: KIND_BITS] = count_kind_q;
                assign type_now[TYPE_BITS-1 -: KIND_BITS] = compare_kind_q;
            end else begin : g_no_generation
                wire unused_kind = compare_kind_q;
                assign kind        = 1'b0;
                assign stored_kind = 1'b0;
            end

            always @(posedge clk_i) begin
                read_q           <= |grant_oh && !wipe;
                read_hit_q       <= update[WARP_BITS];
                read_index_q     <= update[WARP_BITS-1 -: INDEX_BITS];
                read_kind_q      <= kind;
                count_q          <= read_q && !wipe;
                count_again_q    <= read_again;
                count_hit_q      <= read_hit_q;
                count_index_q    <= read_index_q;
                count_kind_q     <= read_kind_q;
                multiply_q       <= count_q && news && !wipe;
                multiply_index_q <= count_index_q;
                multiply_kind_q  <= count_kind_q;
                known_q          <= known_d;
                accesses_q       <= accesses_d;
                hits_q           <= hits_d;
                compare_q        <= multiply_q && !wipe;
                compare_index_q  <= multiply_index_q;
                compare_kind_q   <= multiply_kind_q;
                compare_known_q  <= known_q;
                compare_all_q    <= hits_q == accesses_q;
                hits_20_q        <= {1'b0, hits_q, 4'd0} + {3'd0, hits_q, 2'd0};
                hit_bound_q      <= {5'd0, accesses_q} * {{STORED_BITS{1'b0}}, HIT_BOUND};
                miss_bound_q     <= {5'd0, accesses_q} * {{STORED_BITS{1'b0}}, boundary_o};
            end

            // A copy of the types for each lookup port. What is written at the edge of a lookup
            // is kept for its answer.
            reg [TYPE_BITS-1:0] written_q;
            always @(posedge clk_i) begin
                written_q <= type_now;
            end
            for (look = 0; look < LOOKUPS; look = look + 1) begin : g_copy
                wire [WARP_BITS-1:0]  warp  = look_warp_i[look*WARP_BITS +: WARP_BITS];
                wire [INDEX_BITS-1:0] index = warp[WARP_BITS-1 -: INDEX_BITS];
                wire                  asked = look_valid_i[look] && !sweeping_q &&
                                              (warp & LANE_MASK) == lane[WARP_BITS-1:0];
                wire                  fresh = compare_q && compare_index_q == index;
                wire [TYPE_BITS-1:0]  read_type;
                reg                   asked_q, fresh_q;
                always @(posedge clk_i) begin
                    asked_q <= asked && !wipe;
                    fresh_q <= fresh;
                end
                wm_sram_1r1w #(.WORDS(WORDS), .DATA_BITS(TYPE_BITS)) types (
                    .clk_i(clk_i),
                    .wr_en_i(compare_q || sweeping_q),
                    .wr_addr_i(sweeping_q ? sweep_q : compare_index_q),
                    .wr_data_i(type_now & {TYPE_BITS{!sweeping_q}}),
                    .rd_en_i(asked && !fresh),
                    .rd_addr_i(index),
                    .rd_data_o(read_type)
                );
                assign answers[(look*LANES+lane)*TYPE_BITS +: TYPE_BITS] =
                    (fresh_q ? written_q : read_type) & {TYPE_BITS{asked_q}};
            end
        end
    endgenerate

    // An update leaves its queue with a lane's grant; its warp is of one lane.
    reg [UPDATES-1:0] granted;
    integer l;
    always @* begin
        granted = {UPDATES{1'b0}};
        for (l = 0; l < LANES; l = l + 1) begin
            granted = granted | grants[l*UPDATES +: UPDATES];
        end
    end
    assign taken = granted;

    // Answers come from the lane that was asked.
    generate
        for (look = 0; look < LOOKUPS; look = look + 1) begin : g_look
            reg [TYPE_BITS-1:0] answer;
            wire                same;
            integer a;
            always @* begin
                answer = {TYPE_BITS{1'b0}};
                for (a = 0; a < LANES; a = a + 1) begin
                    answer = answer | answers[(look*LANES+a)*TYPE_BITS +: TYPE_BITS];
                end
            end
            if (GENERATION_BITS > 0) begin : g_generation
                reg [KIND_BITS-1:0] kind_q;
                always @(posedge clk_i) begin
                    kind_q <= look_generation_i[look*KIND_BITS +: KIND_BITS];
                end
                assign same = answer[TYPE_BITS-1 -: KIND_BITS] == kind_q;
            end else begin : g_no_generation
                assign same = 1'b1;
            end
            assign look_known_o[look] = answer[2] && same;
            assign look_class_o[look*2 +: 2] = look_known_o[look] ? answer[1:0] : CLASS_BALANCED;
        end
    endgenerate

    // The boundary. Without MOVES nothing is counted, and synthesis removes all of this.
    // Counts the ones of up to 64 ports; SUM_BITS are enough. (One bit more avoids empty padding.)
    function [SUM_BITS-1:0] ones(input [64:0] ports);
        integer i;
        begin
            ones = {SUM_BITS{1'b0}};
            for (i = 0; i < 65; i = i + 1) begin
                ones = ones + {{(SUM_BITS-1){1'b0}}, ports[i]};
            end
        end
    endfunction
    wire [UPDATES-1:0] accesses = upd_valid_i & {UPDATES{MOVES != 0}};
    wire [LOOKUPS-1:0] bypasses = bypassed_i & {LOOKUPS{MOVES != 0}};
    wire [UPDATES-1:0] no_hits  = accesses & ~upd_hit_i;

    // Counts of a cycle: ones of the ports, then sums.
    reg [SUM_BITS-1:0]   accesses_q, no_hits_q, bypasses_q;
    reg [SUM_BITS-1:0]   sum_requests_q, sum_misses_q;
    // Counts of the window so far; misses never exceed requests.
    reg [WINDOW-1:0]     requests_q, misses_q;
    wire [MOST_BITS-1:0] requests = {{(MOST_BITS-WINDOW){1'b0}}, requests_q} +
                                    {{(MOST_BITS-SUM_BITS){1'b0}}, sum_requests_q};
    wire [MOST_BITS-1:0] misses   = {{(MOST_BITS-WINDOW){1'b0}}, misses_q} +
                                    {{(MOST_BITS-SUM_BITS){1'b0}}, sum_misses_q};
    wire                 ends     = |requests[MOST_BITS-1:WINDOW];
    // A window's misses, their excess over the least, and that excess in 20ths of a window.
    reg                  ended_q, excess_valid_q;
    reg [MOST_BITS-1:0]  window_q, least_q, excess_q;
    wire                 rises    = window_q > least_q;
    wire [MOST_BITS+4:0] twenty   = {1'b0, excess_q, 4'd0} + {3'd0, excess_q, 2'd0};
    wire [MOST_BITS+4-WINDOW:0] steps = twenty[MOST_BITS+4:WINDOW];
    wire [WINDOW-1:0]    unused_fraction = twenty[WINDOW-1:0];
    wire                 to_nothing = |steps[MOST_BITS+4-WINDOW:5] || steps[4:0] > MISS_BOUND;
    reg [4:0]            boundary_q;
    wire                 forgets  = rst_i || (clear_i && MOVES != 2);

    always @(posedge clk_i) begin
        accesses_q     <= ones({{(65-UPDATES){1'b0}}, accesses});
        no_hits_q      <= ones({{(65-UPDATES){1'b0}}, no_hits});
        bypasses_q     <= ones({{(65-LOOKUPS){1'b0}}, bypasses});
        sum_requests_q <= accesses_q + bypasses_q;
        sum_misses_q   <= no_hits_q + bypasses_q;
        requests_q     <= requests[WINDOW-1:0];
        misses_q       <= misses[WINDOW-1:0] & {WINDOW{!ends}};
        ended_q        <= ends;
        window_q       <= misses;
        excess_valid_q <= ended_q;
        excess_q       <= (window_q - least_q) & {MOST_BITS{rises}};
        if (ended_q && !rises) begin
            least_q <= window_q;
        end
        if (excess_valid_q) begin
            boundary_q <= to_nothing ? 5'd0 : MISS_BOUND - steps[4:0];
        end
        if (forgets) begin
            accesses_q     <= {SUM_BITS{1'b0}};
            no_hits_q      <= {SUM_BITS{1'b0}};
            bypasses_q     <= {SUM_BITS{1'b0}};
            sum_requests_q <= {SUM_BITS{1'b0}};
            sum_misses_q   <= {SUM_BITS{1'b0}};
            requests_q     <= {WINDOW{1'b0}};
            misses_q       <= {WINDOW{1'b0}};
            ended_q        <= 1'b0;
            excess_valid_q <= 1'b0;
            least_q        <= {MOST_BITS{1'b1}};
            boundary_q     <= MISS_BOUND;
        end
    end
    assign boundary_o = MOVES != 0 ? boundary_q : MISS_BOUND;
endmodule

`default_nettype wire
