// SPDX-License-Identifier: Apache-2.0
// What wm_warp_type promises, for one arbitrary warp of lane 0, lookup port 0 and update port 0;
// the others are the same text. A reference counts each update at once, as it leaves its queue.
// What the stages, the memories (tb/common/sram_1r1w_formal.v) and the answers hold must follow.
// The boundary has its own: tb/l2/warp_type_boundary_props.v.
// Source: Ausavarungnirun et al., PACT 2015; the sections stand at the rules.
`default_nettype none

// The head is made of the port list of wm_warp_type: scripts/house/props.py.
`BEGIN_warp_type_props
    localparam WARP_BITS   = $clog2(WARPS);
    localparam ENTRIES     = (WARPS + LANES - 1) / LANES;
    localparam WORDS       = ENTRIES < 2 ? 2 : ENTRIES;
    localparam INDEX_BITS  = $clog2(WORDS);
    localparam KIND_BITS   = GENERATION_BITS > 0 ? GENERATION_BITS : 1;
    localparam STORED_BITS = COUNTER_BITS - 1;
    localparam TERM_BITS   = STORED_BITS + 5;
    localparam UPDATE_BITS = GENERATION_BITS + 1 + WARP_BITS;
    localparam ENTRY_BITS  = GENERATION_BITS + 1 + 2 * STORED_BITS;
    localparam TYPE_BITS   = GENERATION_BITS + 3;
    localparam SUM_BITS    = $clog2(UPDATES + LOOKUPS + 1);
    localparam MOST_BITS   = (WINDOW > SUM_BITS ? WINDOW : SUM_BITS) + 1;

    // The state inside, of lane 0 and of the ports 0.
    (* hierconn *) wire                           \dut.sweeping_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.sweep_q ;
    (* hierconn *) wire [UPDATES-1:0]             \dut.offered ;
    (* hierconn *) wire [UPDATES-1:0]             \dut.taken ;
    (* hierconn *) wire [LANES*UPDATES-1:0]       \dut.grants ;
    (* hierconn *) wire [UPDATES*UPDATE_BITS-1:0] \dut.heads ;
    (* hierconn *) wire [$clog2(QUEUE+1)-1:0]     \dut.g_update[0].waiting.count_q ;
    (* hierconn *) wire                           \dut.g_update[0].waiting.full_q ;
    (* hierconn *) wire                           \dut.g_lane[0].read_q ;
    (* hierconn *) wire                           \dut.g_lane[0].read_hit_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].read_index_q ;
    (* hierconn *) wire [KIND_BITS-1:0]           \dut.g_lane[0].read_kind_q ;
    (* hierconn *) wire                           \dut.g_lane[0].count_q ;
    (* hierconn *) wire                           \dut.g_lane[0].count_hit_q ;
    (* hierconn *) wire                           \dut.g_lane[0].count_again_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].count_index_q ;
    (* hierconn *) wire [KIND_BITS-1:0]           \dut.g_lane[0].count_kind_q ;
    (* hierconn *) wire                           \dut.g_lane[0].stored_known ;
    (* hierconn *) wire [STORED_BITS-1:0]         \dut.g_lane[0].stored_accesses ;
    (* hierconn *) wire [STORED_BITS-1:0]         \dut.g_lane[0].stored_hits ;
    (* hierconn *) wire [KIND_BITS-1:0]           \dut.g_lane[0].stored_kind ;
    (* hierconn *) wire [ENTRY_BITS-1:0]          \dut.g_lane[0].entry ;
    (* hierconn *) wire                           \dut.g_lane[0].multiply_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].multiply_index_q ;
    (* hierconn *) wire [KIND_BITS-1:0]           \dut.g_lane[0].multiply_kind_q ;
    (* hierconn *) wire                           \dut.g_lane[0].known_q ;
    (* hierconn *) wire [STORED_BITS-1:0]         \dut.g_lane[0].accesses_q ;
    (* hierconn *) wire [STORED_BITS-1:0]         \dut.g_lane[0].hits_q ;
    (* hierconn *) wire                           \dut.g_lane[0].compare_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].compare_index_q ;
    (* hierconn *) wire [KIND_BITS-1:0]           \dut.g_lane[0].compare_kind_q ;
    (* hierconn *) wire                           \dut.g_lane[0].compare_known_q ;
    (* hierconn *) wire                           \dut.g_lane[0].compare_all_q ;
    (* hierconn *) wire [TERM_BITS-1:0]           \dut.g_lane[0].hits_20_q ;
    (* hierconn *) wire [TERM_BITS-1:0]           \dut.g_lane[0].hit_bound_q ;
    (* hierconn *) wire [TERM_BITS-1:0]           \dut.g_lane[0].miss_bound_q ;
    (* hierconn *) wire [SUM_BITS-1:0]            \dut.accesses_q ;
    (* hierconn *) wire [SUM_BITS-1:0]            \dut.no_hits_q ;
    (* hierconn *) wire [SUM_BITS-1:0]            \dut.bypasses_q ;
    (* hierconn *) wire [SUM_BITS-1:0]            \dut.sum_requests_q ;
    (* hierconn *) wire [SUM_BITS-1:0]            \dut.sum_misses_q ;
    (* hierconn *) wire [WINDOW-1:0]              \dut.requests_q ;
    (* hierconn *) wire [WINDOW-1:0]              \dut.misses_q ;
    (* hierconn *) wire                           \dut.ended_q ;
    (* hierconn *) wire [MOST_BITS-1:0]           \dut.window_q ;
    (* hierconn *) wire [MOST_BITS-1:0]           \dut.least_q ;
    (* hierconn *) wire                           \dut.excess_valid_q ;
    (* hierconn *) wire [MOST_BITS-1:0]           \dut.excess_q ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].counters.watch_addr ;
    (* hierconn *) wire [ENTRY_BITS-1:0]          \dut.g_lane[0].counters.watch_data ;
    (* hierconn *) wire                           \dut.g_lane[0].counters.wr_watched ;
    (* hierconn *) wire                           \dut.g_lane[0].counters.rd_watched ;
    (* hierconn *) wire [INDEX_BITS-1:0]          \dut.g_lane[0].g_copy[0].types.watch_addr ;
    (* hierconn *) wire [TYPE_BITS-1:0]           \dut.g_lane[0].g_copy[0].types.watch_data ;
    (* hierconn *) wire                           \dut.g_lane[0].g_copy[0].types.wr_watched ;
    (* hierconn *) wire                           \dut.g_lane[0].g_copy[0].types.rd_watched ;

    // The warp, which is in lane 0, and its word there.
    (* anyconst *) wire [WARP_BITS-1:0] warp;
    wire [INDEX_BITS-1:0] index = warp[WARP_BITS-1 -: INDEX_BITS];
    wire wipe = rst_i || clear_i;
    reg  started = 1'b0;
    always @(posedge clk_i) begin
        started <= 1'b1;
    end
    integer p;
    always @* begin
        assume (warp < WARPS && warp % LANES == 0);
        assume (\dut.g_lane[0].counters.watch_addr == index);
        assume (\dut.g_lane[0].g_copy[0].types.watch_addr == index);
        for (p = 0; p < UPDATES; p = p + 1) begin
            assume (!upd_valid_i[p] || upd_warp_i[p*WARP_BITS +: WARP_BITS] < WARPS);
        end
        for (p = 0; p < LOOKUPS; p = p + 1) begin
            assume (!look_valid_i[p] || look_warp_i[p*WARP_BITS +: WARP_BITS] < WARPS);
        end
        if (!started) begin
            assume (rst_i);
        end
    end

    // The update of a stage is the warp's.
    wire mine_read  = \dut.g_lane[0].read_q && \dut.g_lane[0].read_index_q == index;
    wire mine_count = \dut.g_lane[0].count_q && \dut.g_lane[0].count_index_q == index;
    wire writes_multiply = \dut.g_lane[0].multiply_q && \dut.g_lane[0].multiply_index_q == index;
    wire writes_compare  = \dut.g_lane[0].compare_q && \dut.g_lane[0].compare_index_q == index;

    // Reference: the counters after every update that has been read; those before the last of them.
    // seen: updates of this generation, up to PROFILE.
    reg [STORED_BITS-1:0] hits, accesses, before_hits, before_accesses;
    reg [7:0]             seen, before_seen;
    reg [KIND_BITS-1:0]   kind, before_kind;
    wire known        = seen == PROFILE;
    wire before_known = before_seen == PROFILE;
    wire same = kind == \dut.g_lane[0].read_kind_q ;
    wire [COUNTER_BITS-1:0] next_accesses = (same ? accesses : 0) + 1;
    wire [COUNTER_BITS-1:0] next_hits     = (same ? hits : 0) + \dut.g_lane[0].read_hit_q ;
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
    reg                      was_wiped;
    wire swept = left == 0 || \dut.sweep_q > index;

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
        .accesses_q(\dut.accesses_q ),
        .no_hits_q(\dut.no_hits_q ),
        .bypasses_q(\dut.bypasses_q ),
        .sum_requests_q(\dut.sum_requests_q ),
        .sum_misses_q(\dut.sum_misses_q ),
        .requests_q(\dut.requests_q ),
        .misses_q(\dut.misses_q ),
        .ended_q(\dut.ended_q ),
        .window_q(\dut.window_q ),
        .least_q(\dut.least_q ),
        .excess_valid_q(\dut.excess_valid_q ),
        .excess_q(\dut.excess_q )
    );

    reg [UPDATE_BITS-1:0]    update;
    reg [UPDATES-1:0]        asks;
    reg [UPDATES-1:0]        taken_by_lanes;
    wire [UPDATES-1:0]       grants = \dut.grants [UPDATES-1:0];
    always @* begin
        taken_by_lanes = 0;
        for (p = 0; p < LANES; p = p + 1) begin
            taken_by_lanes = taken_by_lanes | \dut.grants [p*UPDATES +: UPDATES];
        end
        update = 0;
        for (p = 0; p < UPDATES; p = p + 1) begin
            if (\dut.grants [p]) begin
                update = \dut.heads [p*UPDATE_BITS +: UPDATE_BITS];
            end
            asks[p] = \dut.offered [p] && \dut.heads [p*UPDATE_BITS +: WARP_BITS] % LANES == 0;
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
            kind            <= \dut.g_lane[0].read_kind_q ;
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

        asked       <= look_valid_i[0] && look_warp_i[WARP_BITS-1:0] == warp;
        asked_known <= now_known && left == 0 &&
                       (GENERATION_BITS == 0 || look_generation_i[KIND_BITS-1:0] == now_kind);
        asked_class <= now_class;
        left        <= left == 0 ? 0 : left - 1;
        inside      <= inside + (upd_valid_i[0] && upd_ready_o[0]) - \dut.taken [0];
        granted     <= \dut.grants [UPDATES-1:0] != 0;
        granted_update <= update;
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
        end
    end

    // Of a chain of stages: what was known before an update is known after the one before it.
    wire known_1 = compare ? compare_known : type_known;
    wire known_2 = multiply ? multiply_known : known_1;
    wire known_3 = mine_count ? known : known_2;
    wire [KIND_BITS-1:0] kind_1 = compare ? compare_kind : type_kind;
    wire [KIND_BITS-1:0] kind_2 = multiply ? multiply_kind : kind_1;
    wire [ENTRY_BITS-1:0] word        = {kind, known, accesses, hits};
    wire [ENTRY_BITS-1:0] before_word = {before_kind, before_known, before_accesses, before_hits};
    wire [ENTRY_BITS-1:0] last_word   = {\dut.g_lane[0].multiply_kind_q , \dut.g_lane[0].known_q ,
                                         \dut.g_lane[0].accesses_q , \dut.g_lane[0].hits_q };
    wire [ENTRY_BITS-1:0] stored_word = {\dut.g_lane[0].stored_kind , \dut.g_lane[0].stored_known ,
                                         \dut.g_lane[0].stored_accesses ,
                                         \dut.g_lane[0].stored_hits };

    always @* begin
        if (started) begin
            // 4.1: a lookup in the last cycle finds what the reference knows, and its class; ...
            if (asked) begin
                known_is_right: assert (look_known_o[0] == asked_known);
                if (look_known_o[0]) begin
                    class_is_right: assert (look_class_o[1:0] == asked_class);
                end
            end
            // ... what is not known counts as balanced; nothing is known in the sweep.
            if (!look_known_o[0]) begin
                unknown_is_balanced: assert (look_class_o[1:0] == 2'd1);
            end
            if (left != 0) begin
                nothing_known_in_sweep: assert (look_known_o == 0);
            end
            // A type is known only after PROFILE accesses.
            if (GENERATION_BITS == 0 && asked && look_known_o[0]) begin
                known_after_profile: assert (seen == PROFILE);
            end
            if (GENERATION_BITS == 0 && asked && asked_known) begin
                known_counters: assert (known);
            end
            // 6.5: hits never exceed accesses. (That their top bits are never set is their width.)
            hits_among_accesses: assert (hits <= accesses);
            // A port takes an update exactly while fewer than QUEUE are inside.
            inside_in_range: assert (inside <= QUEUE);
            ready_is_room: assert (upd_ready_o[0] == (inside < QUEUE));
            // A lane takes one of those that are offered and lie in it, whenever there is one, but
            // none in the sweep; ...
            one_at_a_time: assert ((grants & (grants - 1'b1)) == 0);
            only_those_that_ask: assert ((grants & ~asks) == 0);
            takes_while_offered: assert ((grants != 0) == (asks != 0 && left == 0));
            leaves_when_taken: assert (\dut.taken == taken_by_lanes);
            // ... and this update is the next to be counted.
            taken_is_read: assert (\dut.g_lane[0].read_q == granted);
            if (granted) begin
                taken_unchanged: assert (
                    \dut.g_lane[0].read_index_q == granted_update[WARP_BITS-1 -: INDEX_BITS] &&
                    \dut.g_lane[0].read_hit_q == granted_update[WARP_BITS] &&
                    (GENERATION_BITS == 0 ||
                     \dut.g_lane[0].read_kind_q == granted_update[UPDATE_BITS-1 -: KIND_BITS]));
            end
            // After a clear every word is emptied in WORDS cycles.
            sweep_ends: assert (left <= WORDS && \dut.sweeping_q == (left != 0));
            // The memories are never asked for the word that is written at the same edge.
            no_read_of_counters_being_written: assert (
                !(\dut.g_lane[0].counters.wr_watched && \dut.g_lane[0].counters.rd_watched ));
            no_read_of_a_type_being_written: assert (
                !(\dut.g_lane[0].g_copy[0].types.wr_watched &&
                  \dut.g_lane[0].g_copy[0].types.rd_watched ));

            // The state inside, which makes the induction close.
            if (left != 0) begin
                sweep_place: assert (\dut.sweep_q == WORDS - left);
                sweep_has_no_updates: assert (
                    !\dut.g_lane[0].read_q && !\dut.g_lane[0].count_q &&
                    !\dut.g_lane[0].multiply_q && !\dut.g_lane[0].compare_q && !granted &&
                    !multiply && !compare && word == 0 && !type_known && type_kind == 0);
            end
            queue_count: assert (\dut.g_update[0].waiting.count_q == inside &&
                                 \dut.g_update[0].waiting.full_q == (inside == QUEUE));
            offered_is_inside: assert (!\dut.offered [0] || inside != 0);
            seen_in_range: assert (seen <= PROFILE && (known || seen == accesses));
            if (GENERATION_BITS == 0) begin
                never_forgets: assert (!(multiply && multiply_was && !multiply_known) &&
                                       !(compare && compare_was && !compare_known) &&
                                       !(mine_count && before_known && !known) &&
                                       (!asked_known || type_known));
                // What entered a stage before the reset may be anything there.
                no_generation: assert (!\dut.g_lane[0].read_kind_q && !kind &&
                                       !(mine_count && before_kind) && !type_kind &&
                                       !(multiply && multiply_kind) && !(compare && compare_kind) &&
                                       !(\dut.g_lane[0].count_q && \dut.g_lane[0].count_kind_q ));
            end
            if (mine_count) begin
                before_in_range: assert (before_seen <= PROFILE && before_hits <= before_accesses &&
                                         (before_known || before_seen == before_accesses));
                count_stage: assert (\dut.g_lane[0].entry == word);
                count_kind: assert (\dut.g_lane[0].count_kind_q == kind);
                count_reads: assert (stored_word == before_word);
                counters_before: assert (\dut.g_lane[0].counters.watch_data == before_word);
                count_news: assert (count_decides ==
                                    (known && (FOLLOW || !before_known || before_kind != kind)));
            end else if (swept) begin
                counters_in_memory: assert (\dut.g_lane[0].counters.watch_data == word);
            end
            if (mine_count) begin
                chain_count: assert (before_known == known_2 && before_kind == kind_2);
            end else begin
                chain_idle: assert (known == known_2 && kind == kind_2);
            end
            if (multiply) begin
                chain_multiply: assert (multiply_was == known_1);
                multiply_place: assert (\dut.g_lane[0].multiply_index_q == index);
                multiply_writes: assert (\dut.g_lane[0].multiply_q ==
                                         (multiply_decides || (multiply_was && !multiply_known)));
                multiply_word: assert (last_word == {multiply_kind, multiply_known,
                                                     multiply_accesses, multiply_hits});
                multiply_in_range: assert (multiply_hits <= multiply_accesses);
                multiply_decision: assert (!multiply_decides || multiply_known);
                multiply_knows: assert (!multiply_known || multiply_was || multiply_decides);
                multiply_keeps: assert (multiply_decides || !multiply_known ||
                                        multiply_kind == kind_1);
            end
            multiply_of_others: assert (!writes_multiply || multiply);
            if (compare) begin
                chain_compare: assert (compare_was == type_known);
                compare_place: assert (\dut.g_lane[0].compare_index_q == index);
                compare_writes: assert (\dut.g_lane[0].compare_q ==
                                        (compare_decides || (compare_was && !compare_known)));
                compare_word: assert (
                    \dut.g_lane[0].compare_known_q == compare_known &&
                    (GENERATION_BITS == 0 || \dut.g_lane[0].compare_kind_q == compare_kind) &&
                    \dut.g_lane[0].compare_all_q == (compare_hits == compare_accesses) &&
                    \dut.g_lane[0].hits_20_q == 20 * compare_hits &&
                    \dut.g_lane[0].hit_bound_q == HIT_20THS * compare_accesses &&
                    \dut.g_lane[0].miss_bound_q == compare_boundary * compare_accesses);
                compare_decision: assert (!compare_decides || compare_known);
                compare_knows: assert (!compare_known || compare_was || compare_decides);
                compare_keeps: assert (compare_decides || !compare_known ||
                                       compare_kind == type_kind);
            end
            compare_of_others: assert (!writes_compare || compare);
            if (swept) begin
                type_in_memory: assert (
                    \dut.g_lane[0].g_copy[0].types.watch_data [2] == type_known &&
                    (!type_known || \dut.g_lane[0].g_copy[0].types.watch_data ==
                                    {type_kind, 1'b1, type_class}));
            end
        end
        miss_warp_known:
            cover (started && look_known_o[0] && look_class_o[1:0] == 2'd0 && hits != 0);
        // So many of the warp's accesses hit that a lookup calls it one that hits.
        shows_hit_warp_known: cover (started && look_known_o[0] && look_class_o[1:0] == 2'd2);
        learned_by_accesses_in_a_row:
            cover (started && mine_count && \dut.g_lane[0].count_again_q && known && !before_known);
        counts_halved: cover (started && mine_read && next_halves && known);
        compared_and_known:
            cover (started && asked && compare && look_known_o[0] && !look_valid_i[0]);
        forgotten: cover (started && was_wiped && type_known == 0);
    end
endmodule

`default_nettype wire
