// SPDX-License-Identifier: Apache-2.0
// wm_warp_type: table of warp types: counts L2 hits and accesses of each warp, and derives from
// them how its requests are to be treated.
//
// Channels   upd: accesses of the L2 banks.  look: requests whose warps' types are wanted.
//            bypassed: requests that bypass the L2.  clear: a period ends.
// Timing     a lookup is answered in the next cycle. In an idle table an access in cycle n counts
//            for lookups from n + 6: it spends two cycles in its port's queue, then read, count,
//            multiply and compare; each lane takes one a cycle, of the ports in turn. (A type is
//            written in the cycle after; lookups of that cycle get it from the stages.) The
//            boundary moves in the fifth cycle after the last of its window. For WORDS cycles after
//            a clear the memories are emptied word by word, and no update leaves its queue.
// Same cycle clear and reset go before everything, and inputs of their cycle are dropped. But with
//            MOVES 2, 3 a clear does not reset the boundary, and inputs of its cycle count there. A
//            lookup sees the type that is written at its edge. upd_ready_o means room, whether or
//            not an update leaves; an access without room is lost for its warp, and counts for the
//            boundary.
// Limits     as checked at elaboration; warps below WARPS while their port is valid.
// Cost       WORDS = WARPS / LANES, rounded up, at least 2. SRAM: a lane WORDS * (2 * COUNTER_BITS
//            - 1 + GENERATION_BITS) bits of counters, and a copy of the types for each lookup port,
//            WORDS * (3 + GENERATION_BITS): by default 4 x 12 x 180 x 3 bits, unless a flow merges
//            copies of equal contents. A copy of less than 2048 bits is in 2 to 32 banks of equal
//            size, where it has more than 32 words. An update port has a wm_fifo of QUEUE words
//            and a register behind it. By default 4973 flip-flops, where equal banks are merged:
//            2208 of the types, 1152 of what each port reads of them, 528 of the queues.
// Source     Ausavarungnirun et al., PACT 2015 (MeDiC), sections 3.1, 4.1, 4.2 and 6.5.
// Twins      cmodel/l2/warp_type.c  tb/l2/warp_type_test.c  tb/l2/warp_type_props.v
//            waves/l2/warp_type.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_warp_type #(
    parameter integer WARPS           = 720, // warp slots of all cores
    parameter integer UPDATES         = 12,  // update ports
    parameter integer LOOKUPS         = 12,  // lookup ports
    parameter integer LANES           = 4,   // parts of the table: warp w lies in part w mod LANES
    parameter integer QUEUE           = 4,   // updates that wait at a port
    parameter integer COUNTER_BITS    = 10,  // of hits and accesses; the top bit is never stored
    parameter integer PROFILE         = 30,  // accesses until the type is known
    parameter integer HIT_20THS       = 14,  // mostly-hit: hits of 20 accesses at least
    parameter integer MISS_20THS      = 4,   // mostly-miss: hits of 20 accesses at most, at first
    parameter integer MOVES           = 3,   // that falls: 1 with the hit rate; 2 over clears; 3
                                             // below that of the last period
    parameter integer WINDOW          = 10,  // log2 of the requests between looks at the miss rate
    parameter integer FOLLOW          = 0,   // 0: the type is kept until the clear; 1: it follows
    parameter integer GENERATION_BITS = 0    // bits that tell a slot's warps apart
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
    localparam integer WARP_BITS   = $clog2(WARPS);
    localparam integer LANE_BITS   = LANES > 1 ? $clog2(LANES) : 1;
    localparam integer ENTRIES     = (WARPS + LANES - 1) / LANES;
    localparam integer WORDS       = ENTRIES < 2 ? 2 : ENTRIES;
    localparam integer INDEX_BITS  = $clog2(WORDS);
    localparam integer KIND_BITS   = GENERATION_BITS > 0 ? GENERATION_BITS : 1; // of its port
    localparam integer COUNT_BITS  = $clog2(QUEUE + 1);
    localparam integer STORED_BITS = COUNTER_BITS - 1;                      // of a counter
    localparam integer TERM_BITS   = STORED_BITS + 5;                       // of a counter times 20
    // The generation is the top of a word, so that a word without one is a part of it.
    localparam integer UPDATE_BITS = GENERATION_BITS + 1 + WARP_BITS;       // generation, hit, warp
    localparam integer ENTRY_BITS  = GENERATION_BITS + 1 + 2 * STORED_BITS; // known, accesses, hits
    localparam integer TYPE_BITS   = GENERATION_BITS + 3;                   // known, class
    // A copy of the types that is too small for a memory macro is read like flip-flops, by a
    // selection. Banks of up to 32 words keep it short; the answer's cycle selects the bank.
    localparam integer BANKS       = WORDS * TYPE_BITS >= 2048 || WORDS <= 32 ? 1 :
                                     WORDS <= 64 ? 2 : WORDS <= 128 ? 4 : WORDS <= 256 ? 8 :
                                     WORDS <= 512 ? 16 : 32;
    localparam integer BANK_BITS   = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam integer BANK_WORDS  = (WORDS + BANKS - 1) / BANKS;
    localparam integer PLACE_BITS  = $clog2(BANK_WORDS);                    // of a word in its bank
    localparam integer SUM_BITS    = $clog2(UPDATES + LOOKUPS + 1);         // of a cycle's requests
    localparam integer MOST_BITS   = (WINDOW > SUM_BITS ? WINDOW : SUM_BITS) + 1; // of its misses
    localparam integer SHORT       = 2 * (UPDATES + LOOKUPS) > 1 << WINDOW ? 1 : 0; // windows
    localparam integer TALLY_BITS  = 10;                                    // of a period's windows
    localparam integer LEFT_BITS   = $clog2(MOST_BITS + 2);                 // of a division
    localparam integer MEAN_CYCLES = MOST_BITS + 1;
    localparam integer MOST_LANE   = LANES - 1;
    localparam integer MOST_BANK   = BANKS - 1;
    localparam integer MOST_WORD   = WORDS - 1;
    localparam integer MOST_WAITS  = QUEUE - 1;
    localparam integer LAST_UNSEEN = PROFILE - 1;
    localparam integer HIT_LEAST   = HIT_20THS * PROFILE;
    localparam [LANE_BITS-1:0]   LANE_MASK  = MOST_LANE[LANE_BITS-1:0];
    localparam [BANK_BITS-1:0]   BANK_MASK  = MOST_BANK[BANK_BITS-1:0];
    localparam [COUNT_BITS-1:0]  FULL        = QUEUE[COUNT_BITS-1:0];
    localparam [COUNT_BITS-1:0]  ALMOST_FULL = MOST_WAITS[COUNT_BITS-1:0];
    localparam [INDEX_BITS-1:0]  LAST_WORD  = MOST_WORD[INDEX_BITS-1:0];
    localparam [STORED_BITS-1:0] PROFILED   = PROFILE[STORED_BITS-1:0];
    localparam [STORED_BITS-1:0] ALMOST_ALL = {{(STORED_BITS-1){1'b1}}, 1'b0};
    localparam [STORED_BITS-1:0] UNPROFILED = LAST_UNSEEN[STORED_BITS-1:0];
    localparam [4:0]             HIT_BOUND  = HIT_20THS[4:0];
    localparam [4:0]             MISS_BOUND = MISS_20THS[4:0];
    localparam [TERM_BITS-1:0]   HIT_TERM   = HIT_LEAST[TERM_BITS-1:0];
    localparam [1:0] CLASS_MISS = 2'd0, CLASS_BALANCED = 2'd1, CLASS_HIT = 2'd2, CLASS_ALL = 2'd3;

    generate
        if (WARPS < 2 || WARPS > 4096 || UPDATES < 1 || UPDATES > 64 || LOOKUPS < 1 ||
            LOOKUPS > 64 || LANES < 1 || LANES > 8 || (LANES & (LANES - 1)) != 0 ||
            LANES > WARPS || QUEUE < 2 || QUEUE > 16 || COUNTER_BITS < 4 || COUNTER_BITS > 16 ||
            PROFILE < 1 || PROFILE > 255 || PROFILE >= 1 << (COUNTER_BITS - 1) ||
            HIT_20THS < 1 || HIT_20THS > 20 || MISS_20THS < 0 || MISS_20THS >= HIT_20THS ||
            MOVES < 0 || MOVES > 3 || WINDOW < 4 || WINDOW > 20 || FOLLOW < 0 || FOLLOW > 1 ||
            GENERATION_BITS < 0 || GENERATION_BITS > 4) begin : g_illegal
            wm_warp_type_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_WORD_OF(update_of, UPDATES, UPDATE_BITS)

    // The upper INDEX_BITS bits of a warp name its entry in its lane. (Where a lane has one entry,
    // this is a bit too many, but the same bit for all warps of the lane.)
    wire wipe = rst_i || clear_i;

    // A clear has not yet reached the words from sweep_q on, while sweeping_q.
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

    // Queues of updates. A port's head is the update that waited for a lane in the last cycle and
    // was not taken, else the oldest in the queue. So each cycle begins with the knowledge whether
    // a queue gives its oldest, and lanes have the whole cycle for their choice.
    wire [UPDATES*LANES-1:0]       asks;    // of each port: the lane that its head lies in
    // Ports whose head was taken in the last cycle, twice in registers: one copy for the lanes'
    // next choice, which is a long path, and one for all else.
    reg [UPDATES-1:0]              taken;
    reg [UPDATES-1:0]              was_taken;
    wire [UPDATES*UPDATE_BITS-1:0] waited;  // heads of the last cycle

    genvar port, lane, look, bank;
    generate
        for (port = 0; port < UPDATES; port = port + 1) begin : g_update
            wire [UPDATE_BITS-1:0]       update, oldest;
            wire                         offered;
            wire [COUNT_BITS-1:0]        count;
            wire                         unused_room;
            reg [LANES-1:0]              waited_lane_q; // one-hot; zero: none waited
            reg [UPDATE_BITS-1:0]        waited_q;
            reg                          waits_q;       // one waited; or nothing may, in a sweep
            wire                         stays = waits_q && !was_taken[port];
            wire [LANE_BITS-1:0]         oldest_lane = oldest[LANE_BITS-1:0] & LANE_MASK;
            assign update[WARP_BITS:0] = {upd_hit_i[port], upd_warp_i[port*WARP_BITS +: WARP_BITS]};
            if (GENERATION_BITS > 0) begin : g_generation
                assign update[UPDATE_BITS-1 -: KIND_BITS] =
                    upd_generation_i[port*KIND_BITS +: KIND_BITS];
            end
            assign upd_ready_o[port] = count != FULL &&
                !(stays && !sweeping_q && count == ALMOST_FULL);
            wm_fifo #(.DEPTH(QUEUE), .DATA_BITS(UPDATE_BITS)) waiting (
                .clk_i(clk_i),
                .rst_i(wipe),
                .enq_valid_i(upd_valid_i[port] && upd_ready_o[port]),
                .enq_data_i(update),
                .enq_ready_o(unused_room),
                .deq_valid_o(offered),
                .deq_data_o(oldest),
                .deq_ready_i(!stays),
                .count_o(count)
            );
            for (lane = 0; lane < LANES; lane = lane + 1) begin : g_ask
                wire next = offered && oldest_lane == lane[LANE_BITS-1:0];
                assign asks[port*LANES+lane] = (next && (taken[port] || !waits_q)) ||
                                               (waited_lane_q[lane] && !taken[port]);
            end
            always @(posedge clk_i) begin
                waits_q       <= sweeping_d || (!sweeping_q && (stays || offered));
                waited_lane_q <= asks[port*LANES +: LANES] & {LANES{!wipe}};
                if (!stays) begin
                    waited_q <= oldest;
                end
            end
            assign waited[port*UPDATE_BITS +: UPDATE_BITS] = waited_q;
        end
        if (GENERATION_BITS == 0) begin : g_no_generation
            wire unused_generation = &{1'b0, upd_generation_i, look_generation_i};
        end
    endgenerate

    // The mostly-miss boundary for types that are determined once, by the access that completes the
    // profile. (Types that follow have products of their own in the lanes.)
    reg [TERM_BITS-1:0] profile_bound_q;
    always @(posedge clk_i) begin
        profile_bound_q <= {5'd0, PROFILED} * {{STORED_BITS{1'b0}}, boundary_o};
    end

    // A counter times a number of 5 bits, as two rows whose sum is the product.
    function [2*TERM_BITS-1:0] two_rows(input [STORED_BITS-1:0] counter, input [4:0] times);
        integer i;
        reg [TERM_BITS-1:0] row, sum, carry, both;
        begin
            sum   = {TERM_BITS{1'b0}};
            carry = {TERM_BITS{1'b0}};
            for (i = 0; i < 5; i = i + 1) begin
                row   = ({5'd0, counter} & {TERM_BITS{times[i]}}) << i;
                both  = (row & sum) | (row & carry) | (sum & carry);
                sum   = row ^ sum ^ carry;
                carry = both << 1;
            end
            two_rows = {sum, carry};
        end
    endfunction

    // Is the sum of two rows at least a term (more than it, without a tie)?
    function reaches(input [2*TERM_BITS-1:0] rows, input [TERM_BITS-1:0] term, input tie);
        reg [TERM_BITS:0] sum, carry, minus, sign;
        begin
            {sum[TERM_BITS-1:0], carry[TERM_BITS-1:0]} = rows;
            sum[TERM_BITS]   = 1'b0;
            carry[TERM_BITS] = 1'b0;
            minus            = ~{1'b0, term};
            sign             = (sum ^ carry ^ minus) + {{TERM_BITS{1'b0}}, tie} +
                               (((sum & carry) | (sum & minus) | (carry & minus)) << 1);
            reaches          = !sign[TERM_BITS];
        end
    endfunction

    // A counter, with one added or not: a bit flips if one is added and all bits below it are set.
    function [STORED_BITS:0] grown(input [STORED_BITS-1:0] counter, input one);
        integer i, j;
        reg     below;
        begin
            grown = {1'b0, counter};
            for (i = 0; i <= STORED_BITS; i = i + 1) begin
                below = one;
                for (j = 0; j < i; j = j + 1) begin
                    below = below && counter[j];
                end
                grown[i] = grown[i] ^ below;
            end
        end
    endfunction

    // Lanes: from the ports' heads to the types.
    wire [LANES*UPDATES-1:0]                 grants, last_grants;
    wire [LOOKUPS*LANES*BANKS*TYPE_BITS-1:0] stored; // what the last cycle's lookups have read
    // Types that were compared in the last cycle and are being written; those of the cycle before;
    // and the lookups of them in the cycle in which they are compared, or written.
    wire [LANES*TYPE_BITS-1:0]               new_types, last_types;
    wire [LOOKUPS*LANES-1:0]                 is_new, is_last;

    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : g_lane
            // The port whose head the lane takes.
            wire [UPDATES-1:0] lane_asks, grant_oh;
            reg [UPDATES-1:0]  grant_q;
            for (port = 0; port < UPDATES; port = port + 1) begin : g_ask
                assign lane_asks[port] = asks[port*LANES+lane];
            end
            if (UPDATES > 1) begin : g_turns
                wire                       unused_valid;
                wire [$clog2(UPDATES)-1:0] unused_index;
                wm_round_robin_arbiter #(.REQUESTERS(UPDATES)) turns (
                    .clk_i(clk_i),
                    .rst_i(wipe),
                    .req_valid_i(lane_asks),
                    .grant_valid_o(unused_valid),
                    .grant_oh_o(grant_oh),
                    .grant_index_o(unused_index),
                    .grant_taken_i(1'b1)
                );
            end else begin : g_alone
                assign grant_oh = lane_asks;
            end
            assign grants[lane*UPDATES +: UPDATES] = grant_oh;
            assign last_grants[lane*UPDATES +: UPDATES] = grant_q;

            // Read: its counters, unless they are written at this edge.
            reg                   read_q;
            wire [UPDATE_BITS-1:0] update = update_of(waited, grant_q);
            wire [INDEX_BITS-1:0] read_index = update[WARP_BITS-1 -: INDEX_BITS];
            wire [KIND_BITS-1:0]  read_kind; // generation
            // Count
            reg                  count_q, count_hit_q, count_again_q;
            reg [INDEX_BITS-1:0] count_index_q;
            reg [KIND_BITS-1:0]  count_kind_q;
            // Multiply: the counters with the update; a new type is to be written.
            reg                   multiply_q;
            reg [INDEX_BITS-1:0]  multiply_index_q;
            reg [KIND_BITS-1:0]   multiply_kind_q;
            reg                   known_q, full_q; // full: all bits of the accesses are set
            reg [STORED_BITS-1:0] accesses_q, hits_q;
            // Compare
            reg                  compare_q, compare_known_q, compare_all_q;
            reg [INDEX_BITS-1:0] compare_index_q;
            reg [KIND_BITS-1:0]  compare_kind_q;
            reg [TERM_BITS-1:0]  hits_20_q;
            wire                 many_hits, few_hits;
            // Write: the type, or a word that a clear empties.
            reg                  write_q;
            reg [BANKS-1:0]      write_bank_q; // one-hot; zero: nothing
            reg [INDEX_BITS-1:0] write_index_q;
            reg [TYPE_BITS-1:0]  write_type_q, written_type_q;

            wire read_again = count_q && count_index_q == read_index;

            // The entry, from the memory or from the update before this one.
            wire [ENTRY_BITS-1:0]  read_entry;
            wire                   stored_known;
            wire [STORED_BITS-1:0] stored_accesses, stored_hits;
            wire [KIND_BITS-1:0]   stored_kind;
            assign {stored_known, stored_accesses, stored_hits} = count_again_q
                ? {known_q, accesses_q, hits_q} : read_entry[2*STORED_BITS:0];

            // One more access. An access counter that would set its top bit is halved, with hits:
            // of the accesses only the new top bit is left then.
            // A word of the sweep is empty.
            wire                   same = GENERATION_BITS == 0 || stored_kind == count_kind_q;
            wire                   full = count_again_q ? full_q
                                                        : &read_entry[STORED_BITS +: STORED_BITS];
            wire                   goes_on = same && !sweeping_q;
            wire                   begins  = !same && !sweeping_q;
            wire                   halves  = full && goes_on;
            wire                   grows   = !full && goes_on;
            wire [STORED_BITS:0]   more_accesses = grown(stored_accesses, 1'b1);
            wire [STORED_BITS:0]   more_hits     = grown(stored_hits, count_hit_q);
            wire                   unused_carry  = more_accesses[STORED_BITS];
            wire [STORED_BITS-1:0] accesses_d =
                (more_accesses[STORED_BITS-1:0] & {STORED_BITS{goes_on}}) |
                {halves, {(STORED_BITS-2){1'b0}}, begins};
            wire [STORED_BITS-1:0] hits_d = (more_hits[STORED_BITS:1] & {STORED_BITS{halves}}) |
                                            (more_hits[STORED_BITS-1:0] & {STORED_BITS{grows}}) |
                                            {{(STORED_BITS-1){1'b0}}, count_hit_q && begins};
            wire                   knew = stored_known && same;
            wire                   profiled = same
                ? !stored_known && stored_accesses == UNPROFILED : PROFILE == 1;
            wire                   known_d  = knew || profiled;
            wire                   news     = profiled || (FOLLOW != 0 && knew) ||
                                              (stored_known && !known_d);

            wire [ENTRY_BITS-1:0] entry;
            assign entry[2*STORED_BITS:0] = {known_d && !sweeping_q, accesses_d, hits_d};
            wm_sram_1r1w #(.WORDS(WORDS), .DATA_BITS(ENTRY_BITS)) counters (
                .clk_i(clk_i),
                .wr_en_i(count_q || sweeping_q),
                .wr_addr_i(sweeping_q ? sweep_q : count_index_q),
                .wr_data_i(entry),
                .rd_en_i(read_q && !read_again),
                .rd_addr_i(read_index),
                .rd_data_o(read_entry)
            );

            // Type: all the terms are of the counters with the update, in 20ths of an access.
            if (FOLLOW != 0) begin : g_follows
                reg [2*TERM_BITS-1:0] hit_bound_q, miss_bound_q; // two rows each
                wire                  unused_profile_bound = &{1'b0, profile_bound_q};
                always @(posedge clk_i) begin
                    compare_all_q <= hits_q == accesses_q;
                    hit_bound_q   <= two_rows(accesses_q, HIT_BOUND);
                    miss_bound_q  <= two_rows(accesses_q, boundary_o);
                end
                assign many_hits = !reaches(hit_bound_q, hits_20_q, 1'b0);
                assign few_hits  = reaches(miss_bound_q, hits_20_q, 1'b1);
            end else begin : g_is_kept
                always @(posedge clk_i) begin
                    compare_all_q <= hits_q == PROFILED;
                end
                assign many_hits = hits_20_q >= HIT_TERM;
                assign few_hits  = hits_20_q <= profile_bound_q;
            end
            wire [1:0] class_of = compare_all_q ? CLASS_ALL : many_hits ? CLASS_HIT :
                                  few_hits ? CLASS_MISS : CLASS_BALANCED;
            wire [TYPE_BITS-1:0] type_now;
            wire                  writes        = (compare_q || sweeping_q) && !wipe;
            wire [INDEX_BITS-1:0] write_index_d = sweeping_q ? sweep_q : compare_index_q;
            assign type_now[2:0] = {compare_known_q, class_of};

            if (GENERATION_BITS > 0) begin : g_generation
                assign read_kind   = update[UPDATE_BITS-1 -: KIND_BITS];
                assign stored_kind = count_again_q ? multiply_kind_q
                                                   : read_entry[ENTRY_BITS-1 -: KIND_BITS];
                assign entry[ENTRY_BITS-1 -: KIND_BITS] = count_kind_q & {KIND_BITS{!sweeping_q}};
                assign type_now[TYPE_BITS-1 -: KIND_BITS] = compare_kind_q;
            end else begin : g_no_generation
                wire unused_kind = &{1'b0, compare_kind_q, stored_kind};
                assign read_kind   = 1'b0;
                assign stored_kind = 1'b0;
            end

            always @(posedge clk_i) begin
                grant_q          <= grant_oh;
                read_q           <= |lane_asks && !wipe;
                count_q          <= read_q && !wipe;
                count_again_q    <= read_again;
                count_hit_q      <= update[WARP_BITS];
                count_index_q    <= read_index;
                count_kind_q     <= read_kind;
                multiply_q       <= count_q && news && !wipe;
                multiply_index_q <= count_index_q;
                multiply_kind_q  <= count_kind_q;
                known_q          <= known_d;
                accesses_q       <= accesses_d;
                full_q           <= same && stored_accesses == ALMOST_ALL;
                hits_q           <= hits_d;
                compare_q        <= multiply_q && !wipe;
                compare_index_q  <= multiply_index_q;
                compare_kind_q   <= multiply_kind_q;
                compare_known_q  <= known_q;
                hits_20_q        <= {1'b0, hits_q, 4'd0} + {3'd0, hits_q, 2'd0};
                write_q          <= writes;
                write_index_q    <= write_index_d;
                write_type_q     <= type_now & {TYPE_BITS{!sweeping_q}};
                written_type_q   <= write_type_q;
            end
            for (bank = 0; bank < BANKS; bank = bank + 1) begin : g_write
                always @(posedge clk_i) begin
                    write_bank_q[bank] <=
                        writes && (write_index_d[BANK_BITS-1:0] & BANK_MASK) == bank[BANK_BITS-1:0];
                end
            end
            assign new_types[lane*TYPE_BITS +: TYPE_BITS]  = write_type_q;
            assign last_types[lane*TYPE_BITS +: TYPE_BITS] = written_type_q;

            // A copy of the types for each lookup port.
            for (look = 0; look < LOOKUPS; look = look + 1) begin : g_copy
                wire [WARP_BITS-1:0]  warp  = look_warp_i[look*WARP_BITS +: WARP_BITS];
                wire [INDEX_BITS-1:0] index = warp[WARP_BITS-1 -: INDEX_BITS];
                wire                  asked = look_valid_i[look] &&
                                              (warp[LANE_BITS-1:0] & LANE_MASK) ==
                                              lane[LANE_BITS-1:0];
                assign is_new[look*LANES+lane]  = asked && compare_q && compare_index_q == index;
                assign is_last[look*LANES+lane] = asked && write_q && write_index_q == index;
                // Waves leave the copies out: all hold what write_type_q wrote, and they are two
                // thirds of the largest model.
                /* verilator tracing_off */
                for (bank = 0; bank < BANKS; bank = bank + 1) begin : g_bank
                    wm_sram_1r1w #(.WORDS(BANK_WORDS), .DATA_BITS(TYPE_BITS)) types (
                        .clk_i(clk_i),
                        .wr_en_i(write_bank_q[bank]),
                        .wr_addr_i(write_index_q[INDEX_BITS-1 -: PLACE_BITS]),
                        .wr_data_i(write_type_q),
                        .rd_en_i(asked && !is_last[look*LANES+lane] &&
                                 (index[BANK_BITS-1:0] & BANK_MASK) == bank[BANK_BITS-1:0]),
                        .rd_addr_i(index[INDEX_BITS-1 -: PLACE_BITS]),
                        .rd_data_o(stored[((look*LANES+lane)*BANKS+bank)*TYPE_BITS +: TYPE_BITS])
                    );
                end
                /* verilator tracing_on */
            end
        end
    endgenerate

    // A lane's grant takes a head; its warp is of one lane. The lanes' next choice sees the heads
    // that no even lane and those that no odd lane has taken: a gate before these registers and one
    // behind them are shorter than all lanes together before a single register.
    reg [UPDATES-1:0] even_refuse_q, odd_refuse_q;
    reg [UPDATES-1:0] even_takes, odd_takes;
    always @* begin : take
        integer l;
        even_takes = {UPDATES{1'b0}};
        odd_takes  = {UPDATES{1'b0}};
        was_taken  = {UPDATES{1'b0}};
        for (l = 0; l < LANES; l = l + 1) begin
            even_takes = even_takes | (grants[l*UPDATES +: UPDATES] & {UPDATES{l % 2 == 0}});
            odd_takes  = odd_takes | (grants[l*UPDATES +: UPDATES] & {UPDATES{l % 2 == 1}});
            was_taken  = was_taken | last_grants[l*UPDATES +: UPDATES];
        end
        taken = ~(even_refuse_q & odd_refuse_q);
    end
    always @(posedge clk_i) begin
        even_refuse_q <= ~even_takes;
        odd_refuse_q  <= ~odd_takes;
    end

    // An answer comes from the lane that was asked: from its memory, or from a type that is not yet
    // in the memory.
    generate
        for (look = 0; look < LOOKUPS; look = look + 1) begin : g_look
            reg                  asked_q, new_q, last_q;
            reg [LANE_BITS-1:0]  lane_q;
            reg [BANK_BITS-1:0]  bank_q;
            always @(posedge clk_i) begin
                asked_q <= look_valid_i[look] && !sweeping_q && !wipe;
                new_q   <= |is_new[look*LANES +: LANES];
                last_q  <= |is_last[look*LANES +: LANES];
                lane_q  <= look_warp_i[look*WARP_BITS +: LANE_BITS] & LANE_MASK;
                bank_q  <= look_warp_i[(look+1)*WARP_BITS-INDEX_BITS +: BANK_BITS] & BANK_MASK;
            end
            reg [TYPE_BITS-1:0] answer;
            wire                same;
            always @* begin : choose
                integer             a, b;
                reg [TYPE_BITS-1:0] of_lane;
                answer = {TYPE_BITS{1'b0}};
                for (a = 0; a < LANES; a = a + 1) begin
                    of_lane = {TYPE_BITS{1'b0}};
                    for (b = 0; b < BANKS; b = b + 1) begin
                        of_lane = of_lane | ({TYPE_BITS{bank_q == b[BANK_BITS-1:0]}} &
                            stored[((look*LANES+a)*BANKS+b)*TYPE_BITS +: TYPE_BITS]);
                    end
                    of_lane = new_q ? new_types[a*TYPE_BITS +: TYPE_BITS] :
                              last_q ? last_types[a*TYPE_BITS +: TYPE_BITS] : of_lane;
                    answer = answer |
                        (of_lane & {TYPE_BITS{asked_q && lane_q == a[LANE_BITS-1:0]}});
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
    // Counts the ones of 7 ports, with four full adders.
    function [2:0] ones(input [6:0] ports);
        reg [1:0] low, high, both;
        begin
            low  = {1'b0, ports[0]} + {1'b0, ports[1]} + {1'b0, ports[2]};
            high = {1'b0, ports[3]} + {1'b0, ports[4]} + {1'b0, ports[5]};
            both = {1'b0, low[0]} + {1'b0, high[0]} + {1'b0, ports[6]};
            ones = {{1'b0, low[1]} + {1'b0, high[1]} + {1'b0, both[1]}, both[0]};
        end
    endfunction
    // Adds 10 such counts of updates and 10 of lookups, as a tree.
    function [7:0] total(input [29:0] of_updates, input [29:0] of_lookups);
        integer     i, half;
        reg [127:0] sums;
        begin
            sums = 128'd0;
            for (i = 0; i < 10; i = i + 1) begin
                sums[i*8 +: 8] = {5'd0, of_updates[i*3 +: 3]} + {5'd0, of_lookups[i*3 +: 3]};
            end
            for (half = 8; half > 0; half = half / 2) begin
                for (i = 0; i < half; i = i + 1) begin
                    sums[i*8 +: 8] = sums[i*8 +: 8] + sums[(i+half)*8 +: 8];
                end
            end
            total = sums[7:0];
        end
    endfunction
    // A window's count plus a cycle's sum; the carry only selects among the upper bits.
    function [MOST_BITS-1:0] more(input [WINDOW-1:0] count, input [SUM_BITS-1:0] sum);
        reg [MOST_BITS-1:0]        all;
        reg [MOST_BITS-1:SUM_BITS] upper;
        reg                        carry;
        begin
            all   = {{(MOST_BITS-WINDOW){1'b0}}, count};
            upper = all[MOST_BITS-1:SUM_BITS];
            {carry, all[SUM_BITS-1:0]} = {1'b0, all[SUM_BITS-1:0]} + {1'b0, sum};
            more  = {carry ? upper + 1'b1 : upper, all[SUM_BITS-1:0]};
        end
    endfunction
    wire [69:0] accesses, no_hits, bypasses; // of ports, with MOVES
    assign accesses = {{(70-UPDATES){1'b0}}, upd_valid_i & {UPDATES{MOVES != 0}}};
    assign no_hits  = accesses & ~{{(70-UPDATES){1'b0}}, upd_hit_i};
    assign bypasses = {{(70-LOOKUPS){1'b0}}, bypassed_i & {LOOKUPS{MOVES != 0}}};

    // Counts of a cycle: ones of each 7 ports, then sums.
    reg [29:0]           accesses_q, no_hits_q, bypasses_q;
    wire [7:0]           all_requests = total(accesses_q, bypasses_q);
    wire [7:0]           all_misses   = total(no_hits_q, bypasses_q);
    wire                 unused_sums  = &{1'b0, all_requests, all_misses};
    reg [SUM_BITS-1:0]   sum_requests_q, sum_misses_q;
    // Counts of the window so far; misses never exceed requests.
    reg [WINDOW-1:0]     requests_q, misses_q;
    wire [MOST_BITS-1:0] requests = more(requests_q, sum_requests_q);
    wire [MOST_BITS-1:0] misses   = more(misses_q, sum_misses_q);
    wire                 ends     = |requests[MOST_BITS-1:WINDOW];
    // A window's misses; their excess over the least number (negative: they are the least); and the
    // excess in 20ths of a window. The least number changes a cycle after the comparison; with many
    // ports a window may end right behind, and it uses the new number (SHORT).
    reg                  ended_q, excess_valid_q;
    reg [MOST_BITS-1:0]  window_q, last_window_q, least_q;
    reg [MOST_BITS:0]    excess_q;
    wire                 falls    = MOVES != 3 && excess_valid_q && excess_q[MOST_BITS];
    wire [MOST_BITS-1:0] least    = SHORT != 0 && falls ? last_window_q : least_q;
    wire [MOST_BITS+4:0] twenty   = {1'b0, excess_q[MOST_BITS-1:0], 4'd0} +
                                    {3'd0, excess_q[MOST_BITS-1:0], 2'd0};
    wire [MOST_BITS+4-WINDOW:0] steps = twenty[MOST_BITS+4:WINDOW];
    wire [WINDOW-1:0]    unused_fraction = twenty[WINDOW-1:0];
    wire                 to_nothing = |steps[MOST_BITS+4-WINDOW:5] || steps[4:0] > MISS_BOUND;
    reg [4:0]            boundary_q;
    wire                 forgets  = rst_i || (clear_i && MOVES < 2);

    // With MOVES 3 the mean of the last period's windows is in the place of the least: a division
    // of a bit a cycle, which begins as the period ends.
    wire                 has_mean;
    wire [MOST_BITS-1:0] mean;
    generate
        if (MOVES == 3) begin : g_mean
            reg [TALLY_BITS-1:0]            tally_q, divisor_q;
            reg [MOST_BITS+TALLY_BITS-1:0]  tally_misses_q, dividend_q; // and the quotient
            reg [LEFT_BITS-1:0]             left_q;
            wire [TALLY_BITS:0]             more_windows = {1'b0, tally_q} + 1'b1;
            wire                            halves = more_windows[TALLY_BITS];
            wire [MOST_BITS:0]              low = {1'b0, tally_misses_q[MOST_BITS-1:0]} +
                                                  {1'b0, window_q};
            wire [TALLY_BITS-1:0]           high = tally_misses_q[MOST_BITS +: TALLY_BITS];
            wire [MOST_BITS+TALLY_BITS-1:0] more_misses =
                {low[MOST_BITS] ? high + 1'b1 : high, low[MOST_BITS-1:0]};
            wire [TALLY_BITS-1:0]           tally = !ended_q ? tally_q :
                halves ? more_windows[TALLY_BITS:1] : more_windows[TALLY_BITS-1:0];
            wire [MOST_BITS+TALLY_BITS-1:0] tally_misses = !ended_q ? tally_misses_q :
                halves ? more_misses >> 1 : more_misses;
            wire [TALLY_BITS:0]             rest = dividend_q[MOST_BITS-1 +: TALLY_BITS + 1];
            wire [TALLY_BITS+1:0]           less = {1'b0, rest} - {2'd0, divisor_q};
            wire                            fits = !less[TALLY_BITS+1];
            wire                            unused_top = less[TALLY_BITS];
            always @(posedge clk_i) begin
                tally_q        <= tally;
                tally_misses_q <= tally_misses;
                if (left_q != 0) begin
                    left_q     <= left_q - 1'b1;
                    dividend_q <= {fits ? less[TALLY_BITS-1:0] : rest[TALLY_BITS-1:0],
                                   dividend_q[MOST_BITS-2:0], fits};
                end
                if (clear_i) begin
                    tally_q        <= {TALLY_BITS{1'b0}};
                    tally_misses_q <= {(MOST_BITS+TALLY_BITS){1'b0}};
                    if (tally != 0) begin
                        dividend_q <= tally_misses;
                        divisor_q  <= tally;
                        left_q     <= MEAN_CYCLES[LEFT_BITS-1:0];
                    end
                end
                if (rst_i) begin
                    tally_q        <= {TALLY_BITS{1'b0}};
                    tally_misses_q <= {(MOST_BITS+TALLY_BITS){1'b0}};
                    left_q         <= {LEFT_BITS{1'b0}};
                end
            end
            assign has_mean = left_q == 1;
            assign mean     = dividend_q[MOST_BITS-1:0];
        end else begin : g_least
            assign has_mean = 1'b0;
            assign mean     = {MOST_BITS{1'b0}};
        end
    endgenerate

    always @(posedge clk_i) begin : count
        integer g;
        for (g = 0; g < 10; g = g + 1) begin
            accesses_q[g*3 +: 3] <= ones(accesses[g*7 +: 7]);
            no_hits_q[g*3 +: 3]  <= ones(no_hits[g*7 +: 7]);
            bypasses_q[g*3 +: 3] <= ones(bypasses[g*7 +: 7]);
        end
        sum_requests_q <= all_requests[SUM_BITS-1:0];
        sum_misses_q   <= all_misses[SUM_BITS-1:0];
        requests_q     <= requests[WINDOW-1:0];
        misses_q       <= misses[WINDOW-1:0] & {WINDOW{!ends}};
        ended_q        <= ends;
        window_q       <= misses;
        excess_valid_q <= ended_q;
        excess_q       <= {1'b0, window_q} - {1'b0, least};
        last_window_q  <= window_q;
        if (falls) begin
            least_q <= last_window_q;
        end
        if (has_mean) begin
            least_q <= mean;
        end
        if (excess_valid_q) begin
            boundary_q <= excess_q[MOST_BITS] ? MISS_BOUND :
                          to_nothing ? 5'd0 : MISS_BOUND - steps[4:0];
        end
        if (forgets) begin
            accesses_q     <= 30'd0;
            no_hits_q      <= 30'd0;
            bypasses_q     <= 30'd0;
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
