// SPDX-License-Identifier: Apache-2.0
// Properties of wm_warp_type, for one arbitrary warp, in any lane and bank, one arbitrary
// update port and one arbitrary lookup port. A reference counts each update at once, as
// it leaves its port. The stages, the memories (tb/common/sram_1r1w_formal.v) and
// the answers must follow. The boundary has its own:
// tb/l2/warp_type_boundary_props.v. Source: Ausavarungnirun et al., PACT 2015; the
// sections stand at the rules.
`default_nettype none

// The head, with dut and started, is made from wm_warp_type: python/warpmem/tools/props.py.
`BEGIN_warp_type_props
    localparam WARP_BITS   = $clog2(WARPS);
    localparam ENTRIES     = (WARPS + LANES - 1) / LANES;
    localparam WORDS       = ENTRIES < 2 ? 2 : ENTRIES;
    localparam INDEX_BITS  = $clog2(WORDS);
    localparam KIND_BITS   = GENERATION_BITS > 0 ? GENERATION_BITS : 1;
    localparam COUNT_BITS  = $clog2(QUEUE + 1);
    localparam STORED_BITS = COUNTER_BITS - 1;
    localparam TERM_BITS   = STORED_BITS + 5;
    localparam UPDATE_BITS = GENERATION_BITS + 1 + WARP_BITS;
    localparam ENTRY_BITS  = GENERATION_BITS + 1 + 2 * STORED_BITS;
    localparam TYPE_BITS   = GENERATION_BITS + 3;
    localparam BANKS       = WORDS * TYPE_BITS >= 2048 || WORDS <= 32 ? 1 :
                             WORDS <= 64 ? 2 : WORDS <= 128 ? 4 : WORDS <= 256 ? 8 :
                             WORDS <= 512 ? 16 : 32;
    localparam SUM_BITS    = $clog2(UPDATES + LOOKUPS + 1);
    localparam MOST_BITS   = (WINDOW > SUM_BITS ? WINDOW : SUM_BITS) + 1;
    localparam COPY_BITS   = 2 + TYPE_BITS; // of what is looked at in a copy's bank

    // The warp, its lane, its word there; the ports.
    (* anyconst *) wire [WARP_BITS-1:0] warp;
    (* anyconst *) wire [5:0]           port;
    (* anyconst *) wire [5:0]           look;
    wire [2:0]            lane  = warp % LANES;
    wire [INDEX_BITS-1:0] index = warp[WARP_BITS-1 -: INDEX_BITS];
    wire [4:0]            bank  = index % BANKS;

    // Of every port and lane; whether it is as it must be.
    wire [LANES*4*TERM_BITS-1:0]             bounds;     // of many, of few hits
    wire [LANES*LOOKUPS*BANKS*COPY_BITS-1:0] copies;
    wire [UPDATES*UPDATE_BITS-1:0]           head_words; // of each port, what a lane can take
    wire [UPDATES-1:0]                       head_valid;
    wire [UPDATES-1:0]                       holds;      // that is not in the queue any more
    wire [UPDATES*COUNT_BITS-1:0]            queued;
    wire [UPDATES-1:0]                       port_right;
    wire [LANES-1:0]                         lane_right;
    genvar i, j, k;
    generate
        for (i = 0; i < UPDATES; i = i + 1) begin : g_update
            wire [LANES-1:0]       waited_lane = dut.g_update[i].waited_lane_q;
            wire [UPDATE_BITS-1:0] waited      = dut.g_update[i].waited_q;
            wire [COUNT_BITS-1:0]  count       = dut.g_update[i].waiting.count_q;
            wire                   waits       = dut.g_update[i].waits_q;
            wire                   offered     = dut.g_update[i].offered;
            assign holds[i] = waits && !dut.was_taken[i] && !dut.sweeping_q;
            assign head_valid[i] = !dut.sweeping_q && (holds[i] || offered);
            assign head_words[i*UPDATE_BITS +: UPDATE_BITS] =
                holds[i] ? waited : dut.g_update[i].oldest;
            assign queued[i*COUNT_BITS +: COUNT_BITS] = count;
            // In a sweep nothing waits outside the queue; else what waits asks its lane.
            assign port_right[i] =
                (dut.sweeping_q ? waits && waited_lane == 0 : waits == (waited_lane != 0)) &&
                (waited_lane == 0 || waited_lane == 1 << waited[WARP_BITS-1:0] % LANES) &&
                (!dut.taken[i] || waits && !(dut.sweeping_q && offered)) &&
                dut.g_update[i].waiting.full_q == (count == QUEUE) &&
                count + holds[i] <= QUEUE && (!offered || count != 0);
        end
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            if (FOLLOW != 0) begin : g_follows
                assign bounds[i*4*TERM_BITS +: 4*TERM_BITS] =
                    {dut.g_lane[i].g_follows.hit_bound_q, dut.g_lane[i].g_follows.miss_bound_q};
            end else begin : g_is_kept
                assign bounds[i*4*TERM_BITS +: 4*TERM_BITS] = 0;
            end
            // In a sweep the stages are empty. A type is written to its bank.
            assign lane_right[i] =
                (!dut.sweeping_q || !dut.g_lane[i].read_q && !dut.g_lane[i].count_q &&
                                    !dut.g_lane[i].multiply_q && !dut.g_lane[i].compare_q) &&
                dut.g_lane[i].write_bank_q ==
                    (dut.g_lane[i].write_q ? 1 << dut.g_lane[i].write_index_q % BANKS : 0);
            always @* begin
                assume (dut.g_lane[i].counters.watch_addr == index);
            end
            for (j = 0; j < LOOKUPS; j = j + 1) begin : g_copy
                for (k = 0; k < BANKS; k = k + 1) begin : g_bank
                    assign copies[((i*LOOKUPS+j)*BANKS+k)*COPY_BITS +: COPY_BITS] =
                        {dut.g_lane[i].g_copy[j].g_bank[k].types.wr_watched,
                         dut.g_lane[i].g_copy[j].g_bank[k].types.rd_watched,
                         dut.g_lane[i].g_copy[j].g_bank[k].types.watch_data};
                    always @* begin
                        assume (dut.g_lane[i].g_copy[j].g_bank[k].types.watch_addr ==
                                index / BANKS);
                    end
                end
            end
        end
    endgenerate

    // The state of the warp's lane.
    reg                   read_q, read_hit;
    reg [UPDATE_BITS-1:0] read_update;
    reg [INDEX_BITS-1:0]  read_index;
    reg [KIND_BITS-1:0]   read_kind;
    reg                   count_q, count_again_q;
    reg [INDEX_BITS-1:0]  count_index_q;
    reg [KIND_BITS-1:0]   count_kind_q;
    reg                   stored_known;
    reg [STORED_BITS-1:0] stored_accesses, stored_hits;
    reg [KIND_BITS-1:0]   stored_kind;
    reg [ENTRY_BITS-1:0]  entry;
    reg                   multiply_q, known_q, full_q;
    reg [INDEX_BITS-1:0]  multiply_index_q;
    reg [KIND_BITS-1:0]   multiply_kind_q;
    reg [STORED_BITS-1:0] accesses_q, hits_q;
    reg                   compare_q, compare_known_q, compare_all_q;
    reg [INDEX_BITS-1:0]  compare_index_q;
    reg [KIND_BITS-1:0]   compare_kind_q;
    reg [TERM_BITS-1:0]   hits_20_q, hit_sum, hit_carry, miss_sum, miss_carry;
    reg                   write_q;
    reg [INDEX_BITS-1:0]  write_index_q;
    reg [TYPE_BITS-1:0]   write_type_q, types_data;
    reg [ENTRY_BITS-1:0]  counters_data;
    reg                   counters_written, counters_read, types_written, types_read;
    // Of the lanes, copies and ports the chosen ones. (Selections by comparison: shifts by a
    // variable of so many bits cost the solver more.)
    reg                   enters, taken_port, held, headed, looks, look_known, ready;
    reg [COUNT_BITS-1:0]  in_queue;
    reg [UPDATE_BITS-1:0] head_word;
    reg [KIND_BITS-1:0]   looks_kind;
    reg [1:0]             look_class;
    reg [UPDATES-1:0]     grants, taken_by_lanes;
    integer               a, b, c;
    always @* begin
        {read_q, read_hit, read_update, read_index, read_kind,
         count_q, count_again_q, count_index_q, count_kind_q, entry,
         stored_known, stored_accesses, stored_hits, stored_kind,
         multiply_q, known_q, full_q, multiply_index_q, multiply_kind_q, accesses_q, hits_q,
         compare_q, compare_known_q, compare_all_q, compare_index_q, compare_kind_q,
         hits_20_q, hit_sum, hit_carry, miss_sum, miss_carry,
         write_q, write_index_q, write_type_q, counters_written, counters_read, counters_data,
         types_written, types_read, types_data, grants, taken_by_lanes} = 0;
        for (a = 0; a < LANES; a = a + 1) begin
            taken_by_lanes = taken_by_lanes | dut.grants[a*UPDATES +: UPDATES];
            if (lane == a) begin
                grants           = dut.grants[a*UPDATES +: UPDATES];
                read_q           = dut.g_lane[a].read_q;
                read_hit         = dut.g_lane[a].update[WARP_BITS];
                read_update      = dut.g_lane[a].update;
                read_index       = dut.g_lane[a].read_index;
                read_kind        = dut.g_lane[a].read_kind;
                count_q          = dut.g_lane[a].count_q;
                count_again_q    = dut.g_lane[a].count_again_q;
                count_index_q    = dut.g_lane[a].count_index_q;
                count_kind_q     = dut.g_lane[a].count_kind_q;
                entry            = dut.g_lane[a].entry;
                stored_known     = dut.g_lane[a].stored_known;
                stored_accesses  = dut.g_lane[a].stored_accesses;
                stored_hits      = dut.g_lane[a].stored_hits;
                stored_kind      = dut.g_lane[a].stored_kind;
                multiply_q       = dut.g_lane[a].multiply_q;
                known_q          = dut.g_lane[a].known_q;
                full_q           = dut.g_lane[a].full_q;
                multiply_index_q = dut.g_lane[a].multiply_index_q;
                multiply_kind_q  = dut.g_lane[a].multiply_kind_q;
                accesses_q       = dut.g_lane[a].accesses_q;
                hits_q           = dut.g_lane[a].hits_q;
                compare_q        = dut.g_lane[a].compare_q;
                compare_known_q  = dut.g_lane[a].compare_known_q;
                compare_all_q    = dut.g_lane[a].compare_all_q;
                compare_index_q  = dut.g_lane[a].compare_index_q;
                compare_kind_q   = dut.g_lane[a].compare_kind_q;
                hits_20_q        = dut.g_lane[a].hits_20_q;
                write_q          = dut.g_lane[a].write_q;
                write_index_q    = dut.g_lane[a].write_index_q;
                write_type_q     = dut.g_lane[a].write_type_q;
                counters_written = dut.g_lane[a].counters.wr_watched;
                counters_read    = dut.g_lane[a].counters.rd_watched;
                counters_data    = dut.g_lane[a].counters.watch_data;
                {hit_sum, hit_carry, miss_sum, miss_carry} =
                    bounds[a*4*TERM_BITS +: 4*TERM_BITS];
                for (b = 0; b < LOOKUPS; b = b + 1) begin
                    for (c = 0; c < BANKS; c = c + 1) begin
                        if (look == b && bank == c) begin
                            {types_written, types_read, types_data} =
                                copies[((a*LOOKUPS+b)*BANKS+c)*COPY_BITS +: COPY_BITS];
                        end
                    end
                end
            end
        end
        {enters, taken_port, held, headed, ready, in_queue, head_word} = 0;
        for (a = 0; a < UPDATES; a = a + 1) begin
            if (port == a) begin
                ready      = upd_ready_o[a];
                enters     = upd_valid_i[a] && upd_ready_o[a];
                taken_port = taken_by_lanes[a];
                held       = holds[a];
                headed     = head_valid[a];
                in_queue   = queued[a*COUNT_BITS +: COUNT_BITS];
                head_word  = head_words[a*UPDATE_BITS +: UPDATE_BITS];
            end
        end
        {looks, looks_kind, look_class, look_known} = 0;
        for (a = 0; a < LOOKUPS; a = a + 1) begin
            if (look == a) begin
                looks      = look_valid_i[a] && look_warp_i[a*WARP_BITS +: WARP_BITS] == warp;
                looks_kind = look_generation_i[a*KIND_BITS +: KIND_BITS];
                look_class = look_class_o[a*2 +: 2];
                look_known = look_known_o[a];
            end
        end
    end
    wire wipe = rst_i || clear_i;
    integer p;
    always @* begin
        assume (warp < WARPS && port < UPDATES && look < LOOKUPS);
        for (p = 0; p < UPDATES; p = p + 1) begin
            assume (!upd_valid_i[p] || upd_warp_i[p*WARP_BITS +: WARP_BITS] < WARPS);
        end
        for (p = 0; p < LOOKUPS; p = p + 1) begin
            assume (!look_valid_i[p] || look_warp_i[p*WARP_BITS +: WARP_BITS] < WARPS);
        end
    end

    // The update of a stage is the warp's.
    wire mine_read  = read_q && read_index == index;
    wire mine_count = count_q && count_index_q == index;
    wire writes_multiply = multiply_q && multiply_index_q == index;
    wire writes_compare  = compare_q && compare_index_q == index;
    wire writes_type     = write_q && write_index_q == index;

    // Reference: the counters after every update that has been read; those before the last of them.
    // seen: updates of this generation, up to PROFILE.
    reg [STORED_BITS-1:0] hits, accesses, before_hits, before_accesses;
    reg [7:0]             seen, before_seen;
    reg [KIND_BITS-1:0]   kind, before_kind;
    wire known        = seen == PROFILE;
    wire before_known = before_seen == PROFILE;
    wire same = kind == read_kind;
    wire [COUNTER_BITS-1:0] next_accesses = (same ? accesses : 0) + 1;
    wire [COUNTER_BITS-1:0] next_hits     = (same ? hits : 0) + read_hit;
    wire next_halves = next_accesses >= 1 << (COUNTER_BITS - 1);
    wire [7:0] next_seen = !same ? 1 : known ? seen : seen + 1;

    // The same update in the stages behind: is it the warp's, what was and is known, and does it
    // determine the type.
    reg multiply, multiply_was, multiply_known, multiply_decides, count_decides;
    reg compare, compare_was, compare_known, compare_decides;
    reg [STORED_BITS-1:0] multiply_hits, multiply_accesses, compare_hits, compare_accesses;
    reg [KIND_BITS-1:0]   multiply_kind, compare_kind;
    reg [4:0]             compare_boundary;
    wire [1:0] compare_class =
        compare_hits == compare_accesses                        ? 2'd3 :
        20 * compare_hits >= HIT_20THS * compare_accesses       ? 2'd2 :
        20 * compare_hits <= compare_boundary * compare_accesses ? 2'd0 : 2'd1;
    // The type.
    reg                 type_known;
    reg [1:0]           type_class;
    reg [KIND_BITS-1:0] type_kind;
    wire                now_known = compare ? compare_known : type_known;
    wire [KIND_BITS-1:0] now_kind = compare ? compare_kind : type_kind;
    wire [1:0]          now_class = compare && compare_decides ? compare_class : type_class;

    // The last cycle's lookup and grants; how long the sweep goes on; updates in the queue.
    reg                      asked;
    reg                      asked_known;
    reg [1:0]                asked_class;
    reg [INDEX_BITS:0]       left;
    reg [$clog2(QUEUE+1):0]  inside;
    reg                      granted;
    reg [UPDATE_BITS-1:0]    granted_update;
    // The port's head, if it was not taken.
    reg                      had_head;
    reg [UPDATE_BITS-1:0]    had_word;
    reg                      was_wiped;
    wire swept = left == 0 || dut.sweep_q > index;
    // The sweep of the types is a cycle behind.
    reg  was_swept;
    wire type_swept = left != 0 ? dut.sweep_q > index + 1 : !was_swept || index != WORDS - 1;

    // Sums of the groups of ports.
    localparam UPDATE_GROUPS = (UPDATES + 6) / 7;
    localparam LOOKUP_GROUPS = (LOOKUPS + 6) / 7;
    reg [7:0] counted_accesses, counted_no_hits, counted_bypasses;
    wire      groups_right = (dut.accesses_q >> UPDATE_GROUPS * 3) == 0 &&
                             (dut.no_hits_q >> UPDATE_GROUPS * 3) == 0 &&
                             (dut.bypasses_q >> LOOKUP_GROUPS * 3) == 0;
    always @* begin
        counted_accesses = 0;
        counted_no_hits  = 0;
        counted_bypasses = 0;
        for (p = 0; p < 10; p = p + 1) begin
            counted_accesses = counted_accesses + dut.accesses_q[p*3 +: 3];
            counted_no_hits  = counted_no_hits + dut.no_hits_q[p*3 +: 3];
            counted_bypasses = counted_bypasses + dut.bypasses_q[p*3 +: 3];
        end
    end

    // 4.2: the boundary, in a file of its own.
    warp_type_boundary_props #(
        .UPDATES(UPDATES),
        .LOOKUPS(LOOKUPS),
        .MISS_20THS(MISS_20THS),
        .MOVES(MOVES),
        .WINDOW(WINDOW),
        .SUM_BITS(SUM_BITS),
        .MOST_BITS(MOST_BITS)
    ) moving (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .clear_i(clear_i),
        .started(started),
        .upd_valid_i(upd_valid_i),
        .upd_hit_i(upd_hit_i),
        .bypassed_i(bypassed_i),
        .boundary_o(boundary_o),
        .accesses_q(counted_accesses),
        .no_hits_q(counted_no_hits),
        .bypasses_q(counted_bypasses),
        .sum_requests_q(dut.sum_requests_q),
        .sum_misses_q(dut.sum_misses_q),
        .requests_q(dut.requests_q),
        .misses_q(dut.misses_q),
        .ended_q(dut.ended_q),
        .window_q(dut.window_q),
        .last_window_q(dut.last_window_q),
        .least_q(dut.least_q),
        .excess_valid_q(dut.excess_valid_q),
        .excess_q(dut.excess_q)
    );

    generate
        if (MOVES == 3) begin : g_mean_props
            warp_type_mean_props #(.MOST_BITS(MOST_BITS)) of_windows (
                .clk_i(clk_i),
                .rst_i(rst_i),
                .clear_i(clear_i),
                .started(started),
                .ended_q(dut.ended_q),
                .window_q(dut.window_q),
                .least_q(dut.least_q),
                .tally_q(dut.g_mean.tally_q),
                .divisor_q(dut.g_mean.divisor_q),
                .tally_misses_q(dut.g_mean.tally_misses_q),
                .dividend_q(dut.g_mean.dividend_q),
                .left_q({{(32-$clog2(MOST_BITS+2)){1'b0}}, dut.g_mean.left_q})
            );
        end
    endgenerate

    reg [UPDATE_BITS-1:0]    update;
    reg [UPDATES-1:0]        asks;
    always @* begin
        update = 0;
        for (p = 0; p < UPDATES; p = p + 1) begin
            if (grants[p]) begin
                update = head_words[p*UPDATE_BITS +: UPDATE_BITS];
            end
            asks[p] = head_valid[p] && head_words[p*UPDATE_BITS +: WARP_BITS] % LANES == lane;
        end
    end

    always @(posedge clk_i) begin
        if (mine_read) begin
            before_hits     <= hits;
            before_accesses <= accesses;
            before_seen     <= seen;
            before_kind     <= kind;
            hits            <= next_halves ? next_hits / 2 : next_hits;
            accesses        <= next_halves ? next_accesses / 2 : next_accesses;
            seen            <= next_seen;
            kind            <= read_kind;
            count_decides   <= next_seen == PROFILE && (FOLLOW || !same || !known);
        end
        multiply          <= mine_count;
        multiply_was      <= before_known;
        multiply_known    <= known;
        multiply_decides  <= count_decides;
        multiply_hits     <= hits;
        multiply_accesses <= accesses;
        multiply_kind     <= kind;
        compare           <= multiply;
        compare_was       <= multiply_was;
        compare_known     <= multiply_known;
        compare_decides   <= multiply_decides;
        compare_hits      <= multiply_hits;
        compare_accesses  <= multiply_accesses;
        compare_kind      <= multiply_kind;
        compare_boundary  <= boundary_o;
        type_known        <= now_known;
        type_class        <= now_class;
        type_kind         <= now_kind;

        asked       <= looks;
        asked_known <= now_known && left == 0 &&
                       (GENERATION_BITS == 0 || looks_kind == now_kind);
        asked_class <= now_class;
        left        <= left == 0 ? 0 : left - 1;
        inside      <= inside + enters - taken_port;
        granted     <= grants != 0;
        granted_update <= update;
        had_head    <= headed && !taken_port;
        had_word    <= head_word;
        was_swept   <= left != 0;
        was_wiped   <= wipe;
        if (wipe) begin
            hits        <= 0;
            accesses    <= 0;
            seen        <= 0;
            kind        <= 0;
            multiply    <= 0;
            compare     <= 0;
            type_known  <= 0;
            type_kind   <= 0;
            asked_known <= 0;
            left        <= WORDS;
            inside      <= 0;
            granted     <= 0;
            had_head    <= 0;
            was_swept   <= 0;
        end
    end

    // Of a chain of stages: what was known before an update is known after the one before it.
    wire known_1 = compare ? compare_known : type_known;
    wire known_2 = multiply ? multiply_known : known_1;
    wire [KIND_BITS-1:0] kind_1 = compare ? compare_kind : type_kind;
    wire [KIND_BITS-1:0] kind_2 = multiply ? multiply_kind : kind_1;
    wire [ENTRY_BITS-1:0] word        = {kind, known, accesses, hits};
    wire [ENTRY_BITS-1:0] before_word = {before_kind, before_known, before_accesses, before_hits};
    wire [ENTRY_BITS-1:0] last_word   = {multiply_kind_q, known_q, accesses_q, hits_q};
    wire [ENTRY_BITS-1:0] stored_word = {stored_kind, stored_known, stored_accesses, stored_hits};

    // 4.1: a lookup in the last cycle finds what the reference knows, and its class; ... (A question
    // for each port: of all at once the solver needs more than its 20 s at the paper's size.)
    generate
        for (i = 0; i < LOOKUPS; i = i + 1) begin : g_answer
            always @* begin
                if (started && asked && look == i) begin
                    assert (look_known_o[i] == asked_known);
                    if (look_known_o[i]) begin
                        assert (look_class_o[i*2 +: 2] == asked_class);
                    end
                end
            end
        end
    endgenerate

    always @* begin
        if (started) begin
            // ... what is not known counts as balanced; nothing is known in the sweep.
            if (!look_known) begin
                unknown_is_balanced: assert (look_class == 2'd1);
            end
            if (left != 0) begin
                nothing_known_in_sweep: assert (look_known_o == 0);
            end
            // A type is known only after PROFILE accesses.
            if (GENERATION_BITS == 0 && asked && look_known) begin
                known_after_profile: assert (seen == PROFILE);
            end
            if (GENERATION_BITS == 0 && asked && asked_known) begin
                known_counters: assert (known);
            end
            // 6.5: hits never exceed accesses. (That their top bits are never set is their width.)
            hits_among_accesses: assert (hits <= accesses);
            // A port takes an update exactly while fewer than QUEUE are inside.
            inside_in_range: assert (inside <= QUEUE);
            ready_is_room: assert (ready == (inside < QUEUE));
            // A lane takes one of those that are offered and lie in it, whenever there is one, but
            // none in the sweep; ...
            one_at_a_time: assert ((grants & (grants - 1'b1)) == 0);
            only_those_that_ask: assert ((grants & ~asks) == 0);
            takes_while_offered: assert ((grants != 0) == (asks != 0 && left == 0));
            if (had_head) begin
                stays_until_taken: assert (headed && head_word == had_word);
            end
            // ... and this update is the next to be counted.
            taken_is_read: assert (read_q == granted);
            if (granted) begin
                taken_unchanged: assert (
                    read_update == granted_update &&
                    read_index == granted_update[WARP_BITS-1 -: INDEX_BITS] &&
                    (GENERATION_BITS == 0 ||
                     read_kind == granted_update[UPDATE_BITS-1 -: KIND_BITS]));
            end
            // After a clear every word is emptied in WORDS cycles.
            sweep_ends: assert (left <= WORDS && dut.sweeping_q == (left != 0));
            // The memories are never asked for the word that is written at the same edge.
            no_read_of_counters_being_written: assert (!(counters_written && counters_read));
            no_read_of_a_type_being_written: assert (!(types_written && types_read));

            // The state inside, which makes the induction close.
            if (left != 0) begin
                sweep_place: assert (dut.sweep_q == WORDS - left);
                sweep_of_types: assert (write_q == (left != WORDS) &&
                                        (!write_q || write_index_q + 1 == dut.sweep_q));
                sweep_has_no_updates: assert (
                    !granted && !multiply && !compare && word == 0 && !type_known &&
                    type_kind == 0);
            end
            lanes_right: assert (&lane_right);
            groups_without_ports: assert (groups_right);
            taken_twice: assert (dut.taken == dut.was_taken);
            ports_right: assert (&port_right);
            inside_counted: assert (inside == in_queue + held);
            seen_in_range: assert (seen <= PROFILE && (known || seen == accesses));
            if (GENERATION_BITS == 0) begin
                never_forgets: assert (!(multiply && multiply_was && !multiply_known) &&
                                       !(compare && compare_was && !compare_known) &&
                                       !(mine_count && before_known && !known) &&
                                       (!asked_known || type_known));
                // A stage that was entered before the reset may hold any value.
                no_generation: assert (!read_kind && !kind &&
                                       !(mine_count && before_kind) && !type_kind &&
                                       !(multiply && multiply_kind) && !(compare && compare_kind) &&
                                       !(count_q && count_kind_q));
            end
            if (count_again_q && count_q) begin
                full_counter: assert (full_q == &accesses_q);
            end
            if (mine_count) begin
                before_in_range: assert (before_seen <= PROFILE && before_hits <= before_accesses &&
                                         (before_known || before_seen == before_accesses));
                count_stage: assert (entry == word);
                count_kind: assert (count_kind_q == kind);
                count_reads: assert (stored_word == before_word);
                counters_before: assert (counters_data == before_word);
                count_news: assert (count_decides ==
                                    (known && (FOLLOW || !before_known || before_kind != kind)));
                count_once: assert (FOLLOW || !count_decides || accesses == PROFILE);
            end else if (swept) begin
                counters_in_memory: assert (counters_data == word);
            end
            if (mine_count) begin
                chain_count: assert (before_known == known_2 && before_kind == kind_2);
            end else begin
                chain_idle: assert (known == known_2 && kind == kind_2);
            end
            if (multiply) begin
                chain_multiply: assert (multiply_was == known_1);
                multiply_place: assert (multiply_index_q == index);
                multiply_writes: assert (multiply_q ==
                                         (multiply_decides || (multiply_was && !multiply_known)));
                multiply_word: assert (last_word == {multiply_kind, multiply_known,
                                                     multiply_accesses, multiply_hits});
                multiply_in_range: assert (multiply_hits <= multiply_accesses);
                multiply_decision: assert (!multiply_decides || multiply_known);
                multiply_once: assert (FOLLOW || !multiply_decides || multiply_accesses == PROFILE);
                multiply_knows: assert (!multiply_known || multiply_was || multiply_decides);
                multiply_keeps: assert (multiply_decides || !multiply_known ||
                                        multiply_kind == kind_1);
            end
            multiply_of_others: assert (!writes_multiply || multiply);
            if (compare) begin
                chain_compare: assert (compare_was == type_known);
                compare_place: assert (compare_index_q == index);
                compare_writes: assert (compare_q ==
                                        (compare_decides || (compare_was && !compare_known)));
                compare_word: assert (
                    compare_known_q == compare_known &&
                    (GENERATION_BITS == 0 || compare_kind_q == compare_kind) &&
                    hits_20_q == 20 * compare_hits);
                compare_bounds: assert (FOLLOW ?
                    compare_all_q == (compare_hits == compare_accesses) &&
                    {1'b0, hit_sum} + hit_carry == HIT_20THS * compare_accesses &&
                    {1'b0, miss_sum} + miss_carry == compare_boundary * compare_accesses :
                    compare_all_q == (compare_hits == PROFILE) &&
                    dut.profile_bound_q == compare_boundary * PROFILE);
                compare_once: assert (FOLLOW || !compare_decides || compare_accesses == PROFILE);
                compare_decision: assert (!compare_decides || compare_known);
                compare_knows: assert (!compare_known || compare_was || compare_decides);
                compare_keeps: assert (compare_decides || !compare_known ||
                                       compare_kind == type_kind);
            end
            compare_of_others: assert (!writes_compare || compare);
            if (left == 0 && was_swept) begin
                sweep_of_last_type: assert (write_q && write_index_q == WORDS - 1);
            end
            // A written value is the warp's type; without one the memory has it.
            if (writes_type) begin
                type_being_written: assert (
                    write_type_q[2] == type_known &&
                    (!type_known || write_type_q == {type_kind, 1'b1, type_class}));
            end else if (type_swept) begin
                type_in_memory: assert (
                    types_data[2] == type_known &&
                    (!type_known || types_data == {type_kind, 1'b1, type_class}));
            end
        end
        miss_warp_known:
            cover (started && look_known && look_class == 2'd0 && hits != 0);
        // So many of the warp's accesses hit that a lookup calls it one that hits.
        shows_hit_warp_known: cover (started && look_known && look_class == 2'd2);
        learned_by_accesses_in_a_row:
            cover (started && mine_count && count_again_q && known && !before_known);
        counts_halved: cover (started && mine_read && next_halves && known);
        compared_and_known:
            cover (started && asked && compare && look_known && !looks);
        forgotten: cover (started && was_wiped && type_known == 0);
    end
endmodule

`default_nettype wire
