// SPDX-License-Identifier: Apache-2.0
// Properties of wm_mrpb, for one arbitrary queue and one arbitrary word of its memory
// (tb/common/sram_1r1w_formal.v). Source: Jia et al., HPCA 2014; the sections stand at the rules.
`default_nettype none

// The head, with dut and started, is made from wm_mrpb: python/warpmem/tools/props.py.
`BEGIN_mrpb_props
    localparam PIPE         = LATENCY < 5 ? LATENCY - 2 : 3;
    localparam STAGES       = LATENCY - PIPE - 1;
    localparam LINE         = STAGES > 1 ? STAGES - 1 : 1;
    localparam WRITES       = PIPE + 2;
    localparam GROUP        = 4;
    localparam GROUPS       = (QUEUES + GROUP - 1) / GROUP;
    localparam LOWER        = (GROUPS + 1) / 2; // groups in the lower half
    localparam BASIC        = DRAIN % 3;
    localparam GREEDY       = DRAIN > 2;
    localparam QUEUE_BITS   = $clog2(QUEUES);
    localparam SLOT_BITS    = $clog2(DEPTH);
    localparam SLOTS        = 1 << SLOT_BITS; // DEPTH of them are used at once
    localparam LENGTH_BITS  = $clog2(DEPTH + 1);
    localparam PASS_BITS    = FLUSH ? 3 : 2;
    localparam FIRST_WRITE  = ((QUEUES << SLOT_BITS) + 7) / 8 * 8;
    localparam WORD_BITS    = DATA_BITS + (FLUSH ? 0 : 1);
    localparam PLACE_BITS   = SLOT_BITS < PASS_BITS ? PASS_BITS : SLOT_BITS;
    localparam REQUEST_BITS = 1 + QUEUE_BITS + PLACE_BITS;
    localparam BITS         = $clog2(SLOTS + STAGES + 8) + 2; // of every number below

    // One arbitrary queue, and one arbitrary slot: of it, or of the ring of writes that pass.
    (* anyconst *) wire [QUEUE_BITS-1:0] queue;
    (* anyconst *) wire                  in_ring;
    (* anyconst *) wire [PLACE_BITS-1:0] slot;
    always @* begin
        assume (queue < QUEUES);
        assume (in_ring ? FLUSH && slot < 8 : slot < SLOTS);
        assume (dut.entries.watch_addr == (in_ring ? FIRST_WRITE + slot
                                                   : (queue << SLOT_BITS) + slot));
        assume (!enq_valid_i || enq_queue_i < QUEUES);
    end

    // Requests at the ports. An entry is a stored request: with FLUSH a read, else also a write.
    wire enters       = enq_valid_i && enq_ready_o;
    wire mine         = enq_queue_i == queue;
    wire passes       = FLUSH && enq_write_i;
    wire offers_pass  = FLUSH && deq_valid_o && deq_write_o;
    wire entry_enters = enters && !passes && mine;
    wire entry_offer  = deq_valid_o && !offers_pass && deq_queue_o == queue;
    wire entry_leaves = entry_offer && deq_ready_i;
    wire write_enters = enters && passes;
    wire write_leaves = offers_pass && deq_ready_i;
    reg  was_refused;
    wire fresh        = deq_valid_o && !was_refused; // read from the memory in the last cycle

    // The queue's entries as the ports tell: how many are inside (offered, too), how many places
    // they take, and which entered lately.
    reg [BITS-1:0]   inside;
    reg [STAGES-1:0] entered_ago; // bit i: one entered i + 1 cycles ago
    wire [BITS-1:0]  stored = inside - (entry_offer && !fresh);

    // One arbitrary entry of the queue: how many are ahead of it, and since when it is inside.
    (* anyseq *) wire pick;
    reg                 tracked;
    reg [BITS-1:0]      ahead;
    reg [WORD_BITS-1:0] data;
    reg [4:0]           age;
    wire                tracked_offered = tracked && entry_offer && ahead == 0;

    // Writes that pass, of all queues; and one arbitrary one of the queue: how many writes are
    // ahead of it, and how many entries of the queue that entered before it are inside.
    reg [3:0]           writes;
    reg                 write_tracked;
    reg [3:0]           writes_ahead;
    reg [DATA_BITS-1:0] write_data;
    reg [BITS-1:0]      older;
    wire                write_offered = write_tracked && offers_pass && writes_ahead == 0;
    wire [3:0]          writes_stored = writes - offers_pass; // not read yet

    // The last cycle.
    reg was_reset, was_stalled, was_bypass, was_write, was_due;
    reg was_rule_1, was_enq_write;
    reg                  was_mine_refused_read, was_mine_refused_write, was_held;
    reg [QUEUE_BITS-1:0] was_queue;
    reg [DATA_BITS-1:0]  was_data;
    wire stall = BYPASS == 1 ? deq_assoc_stall_i : BYPASS == 2 && deq_stall_i;

    // The state of the queue inside.
    reg [SLOT_BITS-1:0]   head, tail;
    reg [LENGTH_BITS-1:0] stored_inside, ripe_seen;
    reg [STAGES-1:0]      delayed;
    reg [BITS-1:0]        young;
    reg [BITS-1:0]        listed, listed_writes, list_length; // of the list: mine, writes, all
    integer i;
    always @* begin
        young = 0;
        for (i = 0; i < STAGES; i = i + 1) begin
            delayed[i] = i == STAGES - 1 ? dut.ripened_q[queue] : dut.delay_valid_q[i] &&
                         dut.delay_queue_q[(i%LINE)*QUEUE_BITS +: QUEUE_BITS] == queue;
            young = young + delayed[i];
        end
        for (i = 0; i < SLOT_BITS; i = i + 1) begin
            head[i] = dut.head_q[i * QUEUES + queue];
            tail[i] = dut.tail_q[i * QUEUES + queue];
        end
        for (i = 0; i < LENGTH_BITS; i = i + 1) begin
            stored_inside[i] = dut.stored_q[i * QUEUES + queue];
            ripe_seen[i]     = dut.ripe_q[i * QUEUES + queue];
        end
        listed        = 0;
        listed_writes = 0;
        list_length   = 0;
        for (i = 0; i < PIPE; i = i + 1) begin
            if (dut.list_valid_q[i]) begin
                list_length = list_length + 1'b1;
                if (dut.list_q[(i+1)*REQUEST_BITS-1]) begin
                    listed_writes = listed_writes + 1'b1;
                end else if (dut.list_q[i*REQUEST_BITS+PLACE_BITS +: QUEUE_BITS] ==
                                 queue) begin
                    listed = listed + 1'b1;
                end
            end
        end
    end
    wire            looks       = PIPE > 1 && dut.picked_oh_q[queue]; // chosen, not looked up
    wire            looks_write = PIPE > 1 && dut.picked_write_q;
    wire [BITS-1:0] ripe        = ripe_seen - dut.picked_oh_q[queue];

    // Choices. Rule 3 is consulted if no write waits and no flush is due.
    wire may_choose = dut.go_q && dut.waiting_q == 0 && !rst_i;
    wire [QUEUES-1:0] flush_now  = dut.flush_q;
    wire [QUEUES-1:0] chosen_oh  = dut.picked_oh_d;
    wire              by_policy  = may_choose && !(FLUSH && flush_now != 0);
    wire              stays      = GREEDY && (dut.ready_q & dut.again) != 0;
    // Of the longest queues the choice was prepared a cycle before it is made.
    reg  [QUEUES-1:0] was_prefer;
    wire [QUEUES-1:0] prefer     = BASIC == 2 ? was_prefer : dut.kept_prefer;
    wire              first_due  = (dut.ready_q & prefer) != 0;
    wire              higher     = chosen_oh >> queue > 1; // one above the queue is chosen

    always @(posedge clk_i) begin
        inside      <= inside + entry_enters - entry_leaves;
        entered_ago <= {entered_ago, entry_enters};
        age         <= age == 31 ? age : age + 1'b1;
        if (tracked && entry_leaves) begin
            tracked <= ahead != 0;
            ahead   <= ahead - 1'b1;
        end
        if (!tracked && entry_enters && pick && !in_ring &&
            ((tail + delayed[0] - slot) & (SLOTS - 1)) == 0) begin
            tracked <= 1'b1;
            ahead   <= inside - entry_leaves;
            data    <= FLUSH ? enq_data_i : {enq_write_i, enq_data_i};
            age     <= 1;
        end

        writes <= writes + write_enters - write_leaves;
        if (write_tracked && write_leaves) begin
            write_tracked <= writes_ahead != 0;
            writes_ahead  <= writes_ahead - 1'b1;
        end
        if (entry_leaves && older != 0) begin
            older <= older - 1'b1;
        end
        if (!write_tracked && write_enters && mine && pick && in_ring &&
            ((dut.pass_tail_q + dut.entered_write_q) & 7) == slot) begin
            write_tracked <= 1'b1;
            writes_ahead  <= writes - write_leaves;
            write_data    <= enq_data_i;
            older         <= inside - entry_leaves;
        end

        was_reset   <= rst_i;
        was_prefer  <= dut.kept_prefer | {QUEUES{rst_i}};
        was_enq_write <= enq_write_i;
        was_refused <= deq_valid_o && !deq_ready_i;
        was_stalled <= deq_valid_o && !deq_write_o && !deq_ready_i && (was_stalled || stall);
        was_due     <= (PIPE == 3 ? list_length : dut.picks_q) != 0 &&
                       (!deq_valid_o || deq_ready_i);
        was_write   <= deq_write_o;
        was_bypass  <= deq_bypass_o;
        was_queue   <= deq_queue_o;
        was_data    <= deq_data_o;
        was_rule_1  <= by_policy == 0 && !was_enq_write && chosen_oh[queue];
        was_held    <= dut.pick_write && dut.ready_q != 0;
        was_mine_refused_read  <= FLUSH && enq_valid_i && !enq_ready_o && mine && !enq_write_i;
        was_mine_refused_write <= FLUSH && enq_valid_i && !enq_ready_o && mine && enq_write_i &&
                                  stored != 0;

        if (rst_i) begin
            inside        <= 0;
            entered_ago   <= 0;
            tracked       <= 1'b0;
            writes        <= 0;
            write_tracked <= 1'b0;
            was_refused   <= 1'b0;
            was_stalled   <= 1'b0;
            was_due       <= 1'b0;
            was_rule_1    <= 1'b0;
            was_held      <= 1'b0;
            was_mine_refused_read  <= 1'b0;
            was_mine_refused_write <= 1'b0;
        end
    end

    // Properties of the ports.
    always @* begin
        if (started) begin
            // After a reset nothing is offered.
            if (was_reset) begin
                reset_empties: assert (!deq_valid_o && inside == 0 && writes == 0);
            end
            // The cache never sees an entry of a queue that does not exist.
            if (deq_valid_o && !offers_pass) begin
                queue_exists: assert (deq_queue_o < QUEUES);
            end
            // 3.1: an entry enters while its queue has a place.
            if (mine && !passes) begin
                entry_enters_unless_full: assert (enq_ready_o == (stored < DEPTH));
            end
            // 3.3 rule 2: a write enters when its queue is empty and there is room for a write.
            if (mine && passes) begin
                write_enters_empty_queue:
                    assert (enq_ready_o == (stored == 0 && writes_stored < PIPE + 2 && !was_held));
            end

            // 3.2, 3.3: the arbitrary entry is never lost, ...
            if (tracked) begin
                nothing_lost: assert (ahead < inside);
            end
            // ... and is offered unchanged when those ahead have left: no reordering, no copy; ...
            if (tracked_offered) begin
                order_and_data: assert (deq_data_o == data[DATA_BITS-1:0]);
                kind_is_kept: assert (deq_write_o == (!FLUSH && data[WORD_BITS-1]));
                // ... no sooner than LATENCY cycles after it entered.
                latency_is_kept: assert (age >= LATENCY);
            end
            // Nothing is offered that did not enter.
            if (entry_offer) begin
                offered_entry_is_inside: assert (inside != 0);
            end
            if (offers_pass) begin
                offered_write_is_inside: assert (writes != 0);
            end
            // The arbitrary write comes out unchanged when those ahead have left, ...
            if (write_tracked) begin
                write_not_lost: assert (writes_ahead < writes);
            end
            if (write_offered) begin
                write_unchanged: assert (deq_queue_o == queue && deq_data_o == write_data);
                // ... never overtakes an earlier read of its queue, ...
                write_behind_earlier_reads: assert (older == 0);
            end
            // ... and is never overtaken by a later one.
            if (write_tracked && entry_offer) begin
                write_before_later_reads: assert (older != 0);
            end

            // An offer that is not taken stays as it is; only the bypass flag may rise.
            if (was_refused) begin
                offer_is_stable:
                    assert (deq_valid_o && deq_write_o == was_write && deq_queue_o == was_queue &&
                            deq_data_o == was_data && (deq_bypass_o || !was_bypass));
            end
            // 3.5: what was looked up is offered as soon as the outbound buffer is free.
            if (was_due) begin
                never_idle: assert (deq_valid_o);
            end
            // 3.4: bypass exactly for a read that was refused for the cause; never for a write.
            if (deq_valid_o) begin
                bypass_after_refusal_only: assert (deq_bypass_o == was_stalled);
                write_never_bypasses: assert (!(deq_bypass_o && deq_write_o));
            end

            // Choices: one at most; as soon as one is possible; writes first; none without place.
            choice_one_hot: assert ((chosen_oh & (chosen_oh - 1'b1)) == 0);
            choice_is_ready: assert (!chosen_oh[queue] || ripe != 0);
            if (may_choose && ripe != 0) begin
                something_is_chosen: assert (chosen_oh != 0);
            end
            if (!may_choose) begin
                nothing_past_a_write: assert (chosen_oh == 0);
            end
            write_is_chosen: assert (dut.pick_write == (dut.go_q && dut.waiting_q != 0));
            no_more_than_pipe: assert (dut.go_q == (dut.picks_q < PIPE));
            // 3.3 rule 1: the queue that a read finds full gives one, if none is on its way.
            if (was_mine_refused_read && may_choose && ripe != 0 && stored == DEPTH &&
                listed == 0 && !looks && !dut.freed_q) begin
                rule_1: assert (chosen_oh[queue]);
            end
            if (was_rule_1 && by_policy == 0 && !was_enq_write && may_choose) begin
                rule_1_drains_one: assert (!chosen_oh[queue]);
            end
            // 3.3 rule 2: the queue that a write finds not empty gives all that it has.
            if (was_mine_refused_write && may_choose && ripe != 0) begin
                rule_2: assert (chosen_oh[queue]);
            end
            // No flush without a refusal.
            if (flush_now[queue] && FLUSH) begin
                flush_after_refusal: assert (was_mine_refused_read || was_mine_refused_write);
            end
            // 3.3: greedy empties a queue; fixed order and ties go to the lowest.
            if (by_policy && stays) begin
                greedy_stays: assert (chosen_oh == (dut.ready_q & dut.again));
            end
            if (by_policy && !stays && ripe != 0 && (!first_due || prefer[queue])) begin
                lowest_first: assert (!higher);
            end
            if (by_policy && !stays && first_due) begin
                preferred_first: assert ((chosen_oh & ~prefer) == 0);
            end

            // The memory is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (rst_i || !(dut.entries.wr_watched && dut.entries.rd_watched));
        end
    end

    // Preference of the policies.
    generate
        if (BASIC == 1) begin : g_round_robin
            reg [QUEUE_BITS-1:0] last; // the queue that the policy chose last
            integer q;
            always @(posedge clk_i) begin
                for (q = 0; q < QUEUES; q = q + 1) begin
                    if (by_policy && chosen_oh[q]) begin
                        last <= q;
                    end
                end
                if (rst_i) begin
                    last <= QUEUES - 1;
                end
            end
            always @* begin
                if (started) begin
                    turn_is_above_the_last: assert (prefer[queue] == (queue > last));
                end
            end
        end else if (BASIC == 2) begin : g_longest
            // Another arbitrary queue; the lengths of both as they were seen two cycles ago.
            (* anyconst *) wire [QUEUE_BITS-1:0] other;
            reg [LENGTH_BITS-1:0] mine_1, mine_2, other_0, other_1, other_2;
            integer b;
            // The assertion ripe_in_range held for every queue a cycle ago.
            reg [LENGTH_BITS*QUEUES-1:0] lengths_1;
            reg [LENGTH_BITS-1:0]        length;
            integer q;
            always @* begin
                assume (other < QUEUES);
                for (b = 0; b < LENGTH_BITS; b = b + 1) begin
                    other_0[b] = dut.ripe_q[b * QUEUES + other];
                end
                for (q = 0; q < QUEUES; q = q + 1) begin
                    for (b = 0; b < LENGTH_BITS; b = b + 1) begin
                        length[b] = lengths_1[b * QUEUES + q];
                    end
                    assume (length <= DEPTH);
                end
            end
            always @(posedge clk_i) begin
                lengths_1 <= dut.ripe_q & {LENGTH_BITS*QUEUES{started}};
                mine_1  <= rst_i ? 0 : ripe_seen;
                mine_2  <= rst_i ? 0 : mine_1;
                other_1 <= rst_i ? 0 : other_0;
                other_2 <= rst_i ? 0 : other_1;
            end
            always @* begin
                if (started) begin
                    somebody_is_longest: assert (prefer != 0);
                    if (prefer[queue]) begin
                        nobody_is_longer: assert (mine_2 >= other_2);
                        equals_are_equal: assert (mine_2 != other_2 || prefer[other]);
                    end
                end
            end
        end else begin : g_fixed
            always @* begin
                if (started) begin
                    fixed_prefers_nobody: assert (prefer == 0);
                end
            end
        end
        if (GREEDY) begin : g_greedy
            reg [QUEUES-1:0] last_oh; // the queue that the policy chose last
            always @(posedge clk_i) begin
                if (rst_i) begin
                    last_oh <= 0;
                end else if (by_policy && chosen_oh != 0) begin
                    last_oh <= chosen_oh;
                end
            end
            always @* begin
                if (started) begin
                    greed_for_the_last: assert (dut.again == last_oh);
                    greed_one_hot: assert ((last_oh & (last_oh - 1'b1)) == 0);
                end
            end
        end
    endgenerate

    // The choice, told again: of each group the greedy queue, the lowest preferred one, the lowest.
    localparam [QUEUES-1:0] ONE_QUEUE = 1;
    function [GROUPS-1:0] marked(input [QUEUES-1:0] queues);
        integer q;
        begin
            marked = 0;
            for (q = 0; q < QUEUES; q = q + 1) begin
                if (queues[q]) begin
                    marked[q/GROUP] = 1'b1;
                end
            end
        end
    endfunction
    function [GROUPS-1:0] lowest_of_halves(input [GROUPS-1:0] groups);
        integer g;
        reg     lower, upper;
        begin
            lower = 1'b0;
            upper = 1'b0;
            for (g = 0; g < GROUPS; g = g + 1) begin
                lowest_of_halves[g] = groups[g] && !(g < LOWER ? lower : upper);
                if (g < LOWER) begin
                    lower = lower || groups[g];
                end else begin
                    upper = upper || groups[g];
                end
            end
        end
    endfunction
    wire [QUEUES-1:0] ready_first  = dut.ready_q & prefer & {QUEUES{BASIC != 0}};
    wire [QUEUES-1:0] ready_greedy = dut.ready_q & dut.again & {QUEUES{GREEDY}};
    wire [GROUPS-1:0] some         = marked(dut.ready_q);
    wire [GROUPS-1:0] some_first   = marked(ready_first);
    wire [GROUPS-1:0] some_greedy  = marked(ready_greedy);
    wire [GROUPS-1:0] best         = stays ? some_greedy : first_due ? some_first : some;
    wire [GROUPS-1:0] best_group   = best & (~best + 1'b1);
    wire              may          = dut.go_q && dut.waiting_q == 0;
    reg  [QUEUES-1:0] candidate;
    reg  [GROUPS-1:0] found; // groups that have theirs
    integer c;
    always @* begin
        candidate = ready_greedy;
        found     = some_greedy;
        for (c = 0; c < QUEUES; c = c + 1) begin
            if (ready_first[c] && !found[c/GROUP]) begin
                candidate[c]     = 1'b1;
                found[c/GROUP] = 1'b1;
            end
        end
        for (c = 0; c < QUEUES; c = c + 1) begin
            if (dut.ready_q[c] && !found[c/GROUP]) begin
                candidate[c]     = 1'b1;
                found[c/GROUP] = 1'b1;
            end
        end
    end

    // Invariants: the state of the arbitrary queue is what the ports tell.
    // Places from the head, which stands at the oldest one that was not looked up.
    wire [BITS-1:0] behind_head = looks + ripe + young - delayed[0];
    wire [BITS-1:0] place       = ahead - entry_offer; // of the tracked one, the oldest place is 0
    wire [BITS-1:0] reach       = head + SLOTS - listed + place;
    wire [BITS-1:0] tail_reach  = head + behind_head;
    wire [3:0]      write_place = writes_ahead - offers_pass;
    wire            in_delay    = delayed[0] && ahead + 1'b1 == inside;
    reg             delay_exists;
    reg [BITS-1:0]  longer_young; // in the delay line for longer than the tracked one
    always @* begin
        longer_young = 0;
        delay_exists = 1'b1;
        for (i = 0; i < STAGES; i = i + 1) begin
            delay_exists = delay_exists && (!dut.delay_valid_q[i] || i == LINE ||
                dut.delay_queue_q[(i%LINE)*QUEUE_BITS +: QUEUE_BITS] < QUEUES);
            longer_young = longer_young + (delayed[i] && i >= age);
        end
    end
    reg [BITS-1:0]  nth, nth_write;
    reg [BITS-1:0]  wanted;
    reg             gapless, writes_ok, entries_ok, tracked_ok, exist;
    always @* begin
        nth        = 0;
        nth_write  = 0;
        wanted     = 0;
        gapless    = 1'b1;
        writes_ok  = 1'b1;
        entries_ok = 1'b1;
        tracked_ok = 1'b1;
        exist      = 1'b1;
        if (started) begin
            places_add_up: assert (stored == young + ripe + looks + listed + dut.freed_q *
                                   (entry_offer && fresh));
            stored_is_counted: assert (stored_inside + delayed[0] == stored && stored <= DEPTH);
            ripe_in_range: assert (ripe_seen <= DEPTH && ripe_seen >= dut.picked_oh_q[queue]);
            full_is_depth: assert (dut.full_q[queue] == (stored == DEPTH));
            nonempty_is_stored: assert (dut.nonempty_q[queue] == (stored != 0));
            ready_is_ripe: assert (dut.ready_q[queue] == (ripe != 0));
            single_is_one: assert (dut.single_q[queue] == (ripe == 1));
            coming_is_on_its_way: assert (!dut.coming_q[queue] || looks || listed != 0 ||
                                          (dut.freed_q && entry_offer));
            chosen_is_coming: assert (!dut.picked_oh_q[queue] || dut.coming_q[queue]);
            freed_is_fresh: assert (dut.freed_q == (fresh && !offers_pass));
            tail_behind_stored: assert (((tail - tail_reach) & (SLOTS - 1)) == 0);
            delay_line_of_queues: assert (delay_exists);
            delay_line_holds_the_young: assert (delayed == entered_ago);
            ripened_is_one: assert ((dut.ripened_q & (dut.ripened_q - 1'b1)) == 0 &&
                                    dut.delay_valid_q[STAGES-1] == (dut.ripened_q != 0));
            if (STAGES == 1 && dut.delay_valid_q[0]) begin
                ripened_is_entered: assert (dut.ripened_q ==
                                            ONE_QUEUE << dut.delay_queue_q[QUEUE_BITS-1:0]);
            end
            ripened_in_its_group: assert (dut.ripened_group_q == marked(dut.ripened_q));
            freed_is_offered: assert (dut.freed_oh ==
                (dut.freed_q ? ONE_QUEUE << deq_queue_o : {QUEUES{1'b0}}));

            // The prepared choice.
            flush_is_due: assert (dut.flush_q[queue] ==
                (may && dut.ready_q[queue] && (was_mine_refused_write ||
                 (was_mine_refused_read && stored == DEPTH && !dut.coming_q[queue]))));
            flush_one_hot: assert ((dut.flush_q & (dut.flush_q - 1'b1)) == 0 &&
                                   (dut.flush_q & ~dut.ready_q) == 0 &&
                                   (FLUSH || dut.flush_q == 0));
            policy_chooses: assert (dut.policy_q == (may &&
                                                       dut.flush_q == 0));
            candidates_are_so: assert (dut.candidate_q == candidate);
            low_groups: assert (dut.low_group_q == lowest_of_halves(some) &&
                                dut.low_half_q == (some[LOWER-1:0] != 0));
            first_groups: assert (dut.first_group_q == lowest_of_halves(some_first) &&
                                  dut.first_half_q == (some_first[LOWER-1:0] != 0) &&
                                  dut.prefers_q == (some_first != 0));
            greedy_groups: assert (dut.greedy_group_q == some_greedy &&
                                   dut.stays_q == (some_greedy != 0));
            if (BASIC == 1 && some != 0) begin
                later_groups: assert (dut.later == (~best_group & ~(best_group - 1'b1)));
            end
            hold_is_held: assert (dut.hold_q == was_held);

            // The list and what is chosen.
            picks_add_up: assert (dut.picks_q == list_length + (PIPE > 1 && dut.picked_q) &&
                                  dut.picks_q <= PIPE);
            picked_one_hot:
                assert ((dut.picked_oh_q & (dut.picked_oh_q - 1'b1)) == 0);
            picked_is_one: assert (dut.picked_q ==
                                   (dut.picked_oh_q != 0 || dut.picked_write_q));
            picked_either: assert (!dut.picked_write_q || dut.picked_oh_q == 0);
            for (i = 0; i < PIPE; i = i + 1) begin
                if (i > 0) begin
                    gapless = gapless && (dut.list_valid_q[i-1] || !dut.list_valid_q[i]);
                end
                if (dut.list_valid_q[i]) begin
                    if (dut.list_q[(i+1)*REQUEST_BITS-1]) begin
                        wanted = dut.pass_head_q + 8 - listed_writes + nth_write;
                        writes_ok = writes_ok && FLUSH &&
                            ((dut.list_q[i*REQUEST_BITS +: PLACE_BITS] - wanted) & 7) == 0 &&
                            dut.list_q[i*REQUEST_BITS +: PLACE_BITS] < 8;
                        if (write_tracked && write_place == nth_write) begin
                            tracked_ok = tracked_ok && nth == 0 &&
                                dut.list_q[i*REQUEST_BITS+PLACE_BITS +: QUEUE_BITS] == queue;
                        end
                        nth_write = nth_write + 1'b1;
                    end else begin
                        exist = exist &&
                            dut.list_q[i*REQUEST_BITS+PLACE_BITS +: QUEUE_BITS] < QUEUES;
                    end
                    if (!dut.list_q[(i+1)*REQUEST_BITS-1] &&
                        dut.list_q[i*REQUEST_BITS+PLACE_BITS +: QUEUE_BITS] == queue) begin
                        wanted = head + SLOTS - listed + nth;
                        entries_ok = entries_ok &&
                            dut.list_q[i*REQUEST_BITS +: PLACE_BITS] < SLOTS &&
                            ((dut.list_q[i*REQUEST_BITS +: PLACE_BITS] - wanted) &
                             (SLOTS - 1)) == 0;
                        nth = nth + 1'b1;
                    end
                end
            end
            list_of_queues: assert (exist);
            list_without_gap: assert (gapless);
            writes_in_list: assert (writes_ok);
            entries_in_list: assert (entries_ok);
            tracked_write_in_list: assert (tracked_ok);

            // The tracked entry.
            if (tracked && !tracked_offered) begin
                tracked_in_its_slot: assert (((slot - reach) & (SLOTS - 1)) == 0);
                tracked_data: assert ((in_delay ? dut.entered_word_q
                                                : dut.entries.watch_data) == data);
                tracked_age: assert (
                    place < listed         ? age >= STAGES + (PIPE == 1 ? 2 : 3) :
                    place < listed + looks ? age >= STAGES + 2 :
                    place < listed + looks + ripe ? age >= STAGES + 1 :
                    age <= STAGES && delayed[age-1] &&
                    place == listed + looks + ripe + longer_young);
            end
            if (tracked) begin
                tracked_not_in_ring: assert (!in_ring);
            end

            // Writes that pass.
            writes_add_up: assert (writes_stored == dut.writes_q + dut.entered_write_q &&
                                   writes_stored <= PIPE + 2 && (FLUSH || writes == 0));
            waiting_add_up: assert (dut.writes_q == dut.waiting_q + looks_write + listed_writes);
            pass_queues_add_up: assert (dut.pass_valid_q ==
                ((1 << (dut.waiting_q + looks_write)) - 1));
            ring_holds_them: assert (dut.pass_tail_q ==
                ((dut.pass_head_q + looks_write + dut.waiting_q) & 7));
            if (dut.entered_write_q && dut.delay_queue_q[QUEUE_BITS-1:0] == queue) begin
                write_entered_alone: assert (stored == 0);
            end
            one_entered: assert (!dut.entered_write_q || !dut.delay_valid_q[0]);
            if (write_tracked) begin
                tracked_in_ring: assert (in_ring);
                only_the_offered_is_older: assert (older == (entry_offer && older != 0));
            end
            if (write_tracked && !write_offered) begin
                if (dut.entered_write_q && writes_ahead + 1'b1 == writes) begin
                    entered_write_data:
                        assert (dut.entered_word_q[DATA_BITS-1:0] == write_data &&
                                dut.delay_queue_q[QUEUE_BITS-1:0] == queue &&
                                dut.pass_tail_q == slot);
                end else begin
                    ring_write_data:
                        assert (dut.entries.watch_data[DATA_BITS-1:0] == write_data &&
                                ((dut.pass_head_q - listed_writes + write_place - slot) & 7) == 0);
                    // Until it is looked up, no entry of its queue is.
                    if (write_place >= listed_writes) begin
                        no_entry_past_the_write: assert (listed == 0 && !looks);
                        queue_of_the_write:
                            assert (write_place - listed_writes < WRITES &&
                                    dut.pass_queue_q[(write_place - listed_writes) * QUEUE_BITS
                                                       +: QUEUE_BITS] == queue);
                    end
                end
            end
            bypass_only_with_an_offer: assert (!deq_bypass_o || deq_valid_o);
        end
    end

    // Each of these states is reachable.
    reg seen_full, seen_rule_2_full, seen_second;
    always @(posedge clk_i) begin
        seen_full        <= !rst_i && (seen_full || stored == DEPTH);
        seen_rule_2_full <= !rst_i && (was_mine_refused_write &&
                                       (seen_rule_2_full || stored == DEPTH));
        seen_second      <= !rst_i && write_tracked && (seen_second || writes_ahead == 1);
    end
    always @* begin
        // a tracked entry leaves after its queue was full
        leaves_after_full:
            cover (started && seen_full && tracked_offered && deq_ready_i && slot == 0);
        // as much is chosen as may be, and the cache takes one
        as_much_as_may_be: cover (started && !dut.go_q && deq_valid_o && deq_ready_i);
        // one queue takes an entry and gives one at the same edge
        one_enters_one_leaves: cover (started && entry_enters && chosen_oh[queue]);
    end
    generate
        if (FLUSH) begin : g_flush_covers
            always @* begin
                // rule 1 prefers the highest queue to a ready lower one
                rule_1_highest_first:
                    cover (started && !by_policy && !was_enq_write &&
                           chosen_oh[QUEUES-1] && dut.ready_q[0]);
                // the flush: a write has emptied a full queue and enters
                shows_flush: cover (started && seen_rule_2_full && write_enters && mine);
                // the tracked write leaves after the one before it
                writes_in_order: cover (started && seen_second && write_offered && deq_ready_i);
                // a write is chosen before a read
                write_before_read: cover (started && dut.pick_write && dut.ready_q[queue]);
            end
        end
        if (BYPASS != 0) begin : g_bypass_covers
            always @* begin
                // a refused read leaves with bypass
                leaves_with_bypass:
                    cover (started && deq_valid_o && deq_ready_i && deq_bypass_o);
            end
        end
        if (GREEDY) begin : g_greedy_covers
            always @* begin
                // greed keeps a lower queue waiting
                greed: cover (started && by_policy && stays && chosen_oh[queue] && queue != 0 &&
                              dut.ready_q[0]);
            end
        end
    endgenerate
endmodule

`default_nettype wire
