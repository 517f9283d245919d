// SPDX-License-Identifier: Apache-2.0
// What wm_mrpb promises, seen from its ports, for one arbitrary queue. Memory:
// tb/common/sram_1r1w_formal.v. Source: Jia et al., HPCA 2014; the sections stand at the rules.
`default_nettype none

module mrpb_props #(
    parameter QUEUES     = 48,
    parameter DEPTH      = 8,
    parameter DATA_BITS  = 64,
    parameter LATENCY    = 5
) (
    input wire                  clk_i,
    input wire                  rst_i,
    input wire                  enq_valid_i,
    input wire [$clog2(QUEUES)-1:0] enq_queue_i,
    input wire                  enq_write_i,
    input wire [DATA_BITS-1:0]  enq_data_i,
    input wire                  deq_ready_i,
    input wire                  deq_assoc_stall_i
);
    localparam QUEUE_BITS = $clog2(QUEUES);
    localparam SLOT_BITS = $clog2(DEPTH);
    localparam STAGES    = LATENCY - 2;
    localparam BITS      = $clog2(DEPTH + STAGES + 2) + 2; // of every number below

    wire                  enq_ready_o;
    wire                  deq_valid_o;
    wire [QUEUE_BITS-1:0] deq_queue_o;
    wire                  deq_write_o;
    wire                  deq_bypass_o;
    wire [DATA_BITS-1:0]  deq_data_o;
    wm_mrpb #(
        .QUEUES(QUEUES),
        .DEPTH(DEPTH),
        .DATA_BITS(DATA_BITS),
        .LATENCY(LATENCY)
    ) dut (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .enq_valid_i(enq_valid_i),
        .enq_queue_i(enq_queue_i),
        .enq_write_i(enq_write_i),
        .enq_data_i(enq_data_i),
        .enq_ready_o(enq_ready_o),
        .deq_valid_o(deq_valid_o),
        .deq_queue_o(deq_queue_o),
        .deq_write_o(deq_write_o),
        .deq_bypass_o(deq_bypass_o),
        .deq_data_o(deq_data_o),
        .deq_ready_i(deq_ready_i),
        .deq_assoc_stall_i(deq_assoc_stall_i)
    );

    // The state inside, for the invariants that make the induction close.
    (* hierconn *) wire [SLOT_BITS*QUEUES-1:0]  \dut.head_q ;
    (* hierconn *) wire [SLOT_BITS*QUEUES-1:0]  \dut.tail_q ;
    (* hierconn *) wire [SLOT_BITS*QUEUES-1:0]  \dut.unripe_q ;
    (* hierconn *) wire [QUEUES-1:0]            \dut.full_q ;
    (* hierconn *) wire [QUEUES-1:0]            \dut.nonempty_q ;
    (* hierconn *) wire [QUEUES-1:0]            \dut.selectable_q ;
    (* hierconn *) wire [STAGES-1:0]            \dut.delay_valid_q ;
    (* hierconn *) wire [STAGES*QUEUE_BITS-1:0] \dut.delay_queue_q ;
    (* hierconn *) wire [QUEUES-1:0]            \dut.selected_oh ;
    (* hierconn *) wire                         \dut.read_valid_q ;
    (* hierconn *) wire                         \dut.read_bypass_q ;
    (* hierconn *) wire [QUEUE_BITS-1:0]        \dut.read_queue_q ;
    (* hierconn *) wire                         \dut.write0_valid_q ;
    (* hierconn *) wire [QUEUE_BITS-1:0]        \dut.write0_queue_q ;
    (* hierconn *) wire [DATA_BITS-1:0]         \dut.write0_data_q ;
    (* hierconn *) wire                         \dut.write1_valid_q ;
    (* hierconn *) wire [QUEUE_BITS-1:0]        \dut.write1_queue_q ;
    (* hierconn *) wire [DATA_BITS-1:0]         \dut.write1_data_q ;
    (* hierconn *) wire [QUEUE_BITS+SLOT_BITS-1:0] \dut.entries.watch_addr ;
    (* hierconn *) wire [DATA_BITS-1:0]         \dut.entries.watch_data ;
    (* hierconn *) wire                         \dut.entries.wr_watched ;
    (* hierconn *) wire                         \dut.entries.rd_watched ;

    // One arbitrary queue, and one arbitrary slot of it.
    wire [QUEUE_BITS-1:0] queue;
    wire [SLOT_BITS-1:0]  slot;
    assign {queue, slot} = \dut.entries.watch_addr ;

    reg started = 1'b0;
    always @(posedge clk_i) begin
        started <= 1'b1;
    end

    always @* begin
        assume (queue < QUEUES && slot < DEPTH);
        assume (!enq_valid_i || enq_queue_i < QUEUES);
        if (!started) begin
            assume (rst_i);
        end
    end

    // What passes the ports.
    wire enters      = enq_valid_i && enq_ready_o;
    wire leaves      = deq_valid_o && deq_ready_i;
    wire waits       = enq_valid_i && !enq_ready_o;
    wire mine         = enq_queue_i == queue;
    wire read_enters  = enters && !enq_write_i && mine;
    wire read_offer   = deq_valid_o && !deq_write_o && deq_queue_o == queue;
    wire read_leaves  = read_offer && deq_ready_i;
    wire write_enters = enters && enq_write_i;
    wire write_leaves = leaves && deq_write_o;

    // The queue's reads as the ports tell: how many are inside (offered or stored), and since when.
    reg [BITS-1:0]   inside;
    reg [STAGES-1:0] entered_ago; // bit i: one entered i + 1 cycles ago
    reg [BITS-1:0]   young;       // stored, but not selectable yet
    wire [BITS-1:0]  stored = inside - read_offer;
    wire [BITS-1:0]  ripe   = stored - young;
    integer i;
    always @* begin
        young = 0;
        for (i = 0; i < STAGES; i = i + 1) begin
            young = young + entered_ago[i];
        end
    end

    // One arbitrary read of the queue: how many are ahead of it.
    (* anyseq *) wire pick;
    reg                 tracked;
    reg [BITS-1:0]      ahead;
    reg [DATA_BITS-1:0] data;
    wire                tracked_offered = tracked && read_offer && ahead == 0;

    // The writes of all queues that are inside, and one arbitrary write of the queue: how many of
    // them are ahead of it, and how many reads of the queue that entered before it are inside.
    (* anyseq *) wire write_pick;
    reg [1:0]           writes;
    reg                 write_tracked;
    reg [1:0]           writes_ahead;
    reg [DATA_BITS-1:0] write_data;
    reg [BITS-1:0]      older;
    wire [1:0]          writes_stay = writes - write_leaves;

    // The offered read was refused for associativity.
    reg refused_assoc;

    // There is room to select one: nothing stays in the outbound buffer after this edge.
    wire room  = writes_stay == 0 && (!deq_valid_o || deq_ready_i);
    wire flush = waits && \dut.selectable_q [enq_queue_i];

    // The last cycle.
    reg was_reset, was_refused, was_room, was_ripe, was_staying;
    reg was_rule_1, was_rule_2, was_rule_3, was_other;
    reg                  was_write, was_bypass;
    reg [QUEUE_BITS-1:0] was_queue;
    reg [DATA_BITS-1:0]  was_data;

    always @(posedge clk_i) begin
        inside      <= inside + read_enters - read_leaves;
        entered_ago <= {entered_ago, read_enters};
        if (tracked && read_leaves) begin
            tracked <= ahead != 0;
            ahead   <= ahead - 1'b1;
        end
        if (!tracked && read_enters && pick && \dut.entries.wr_watched ) begin
            tracked <= 1'b1;
            ahead   <= inside - read_leaves;
            data    <= enq_data_i;
        end

        writes <= writes_stay + write_enters;
        if (write_tracked && write_leaves) begin
            write_tracked <= writes_ahead != 0;
            writes_ahead  <= writes_ahead - 1'b1;
        end
        if (read_leaves && older != 0) begin
            older <= older - 1'b1;
        end
        if (!write_tracked && write_enters && mine && write_pick) begin
            write_tracked <= 1'b1;
            writes_ahead  <= writes_stay;
            write_data    <= enq_data_i;
            older         <= inside - read_leaves;
        end

        refused_assoc <= deq_valid_o && !deq_write_o && !deq_ready_i &&
                         (refused_assoc || deq_assoc_stall_i);

        was_reset   <= rst_i;
        was_refused <= deq_valid_o && !deq_ready_i;
        was_room    <= room;
        was_ripe    <= ripe != 0;
        was_staying <= writes_stay != 0;
        was_rule_1  <= room && waits && mine && !enq_write_i && stored == DEPTH && ripe != 0;
        was_rule_2  <= room && waits && mine && enq_write_i && stored != 0 && ripe != 0;
        was_rule_3  <= room && !flush && ripe != 0;
        was_other   <= room && flush && !mine;
        was_write   <= deq_write_o;
        was_bypass  <= deq_bypass_o;
        was_queue   <= deq_queue_o;
        was_data    <= deq_data_o;

        if (rst_i) begin
            inside        <= 0;
            entered_ago   <= 0;
            tracked       <= 1'b0;
            writes        <= 0;
            write_tracked <= 1'b0;
            refused_assoc <= 1'b0;
            was_refused   <= 1'b0;
            was_room      <= 1'b0;
            was_ripe      <= 1'b0;
            was_staying   <= 1'b0;
            was_rule_1    <= 1'b0;
            was_rule_2    <= 1'b0;
            was_rule_3    <= 1'b0;
            was_other     <= 1'b0;
        end
    end

    // Properties of the ports.
    always @* begin
        if (started) begin
            // After a reset nothing is offered.
            if (was_reset) begin
                reset_empties: assert (!deq_valid_o && inside == 0);
            end
            // The cache never sees a queue that does not exist.
            if (deq_valid_o) begin
                queue_exists: assert (deq_queue_o < QUEUES);
            end

            // 3.1: a read enters while its queue holds fewer than DEPTH.
            // 3.3 rule 2: a write enters when its queue is empty and a write slot is free.
            if (mine && !enq_write_i) begin
                read_enters_unless_full: assert (enq_ready_o == (stored < DEPTH));
            end
            if (mine && enq_write_i) begin
                write_enters_empty_queue: assert (enq_ready_o == (stored == 0 && writes < 2));
            end

            // 3.2, 3.3: the arbitrary read is never lost, ...
            if (tracked) begin
                nothing_lost: assert (ahead < inside);
            end
            // ... and is offered unchanged when those ahead have left: no reordering, no copy.
            if (tracked_offered) begin
                order_and_data: assert (deq_data_o == data);
            end
            // Nothing is offered that did not enter.
            if (read_offer) begin
                offered_read_is_inside: assert (inside != 0);
            end

            // No write is offered that did not enter; none is lost, ...
            if (deq_valid_o && deq_write_o) begin
                offered_write_is_inside: assert (writes != 0);
            end
            if (writes != 0) begin
                write_not_lost: assert (deq_valid_o);
            end
            if (write_tracked) begin
                write_behind_those_ahead: assert (writes_ahead < writes);
                if (deq_write_o && writes_ahead == 0) begin
                    // ... it comes out unchanged when those ahead have left, ...
                    write_unchanged: assert (deq_queue_o == queue && deq_data_o == write_data);
                    // ... never overtakes an earlier read of its queue, ...
                    write_behind_earlier_reads: assert (older == 0);
                end
                // ... and is never overtaken by a later one.
                if (read_offer) begin
                    write_before_later_reads: assert (older != 0);
                end
            end
            // While a write stays nothing is selected, of whatever queue: a read that is offered
            // then was offered before.
            if (was_staying && deq_valid_o && !deq_write_o) begin
                no_selection_past_a_write: assert (was_refused && !was_write);
            end
            // 3.5: the cache has an offer in each cycle that could have one.
            if (was_ripe) begin
                never_idle: assert (deq_valid_o);
            end

            // 3.3 rule 1: a read that finds its queue full: that queue is drained next.
            if (was_rule_1) begin
                rule_1: assert (read_offer);
            end
            // 3.3 rule 2: a write that finds its queue not empty: that queue is drained next.
            if (was_rule_2) begin
                rule_2: assert (read_offer);
            end
            // 3.3 rule 3: else the lowest queue, and always one if there is one.
            if (was_rule_3) begin
                rule_3: assert (deq_valid_o && !deq_write_o && deq_queue_o <= queue);
            end
            // A flush drains no other queue; nothing is selected in less than LATENCY - 1 cycles.
            if (was_room && read_offer) begin
                flush_excludes_others: assert (!was_other);
                latency_is_kept: assert (was_ripe);
            end

            // An offer that is not taken stays as it is; only the bypass flag may rise.
            if (was_refused) begin
                offer_is_stable:
                    assert (deq_valid_o && deq_write_o == was_write && deq_queue_o == was_queue &&
                            deq_data_o == was_data && (deq_bypass_o || !was_bypass));
            end
            // 3.4: bypass exactly for a read that was refused for associativity; never for a write.
            if (deq_valid_o) begin
                bypass_after_refusal_only: assert (deq_bypass_o == refused_assoc);
                write_never_bypasses: assert (!(deq_bypass_o && deq_write_o));
            end

            // One entry at most is selected.
            selection_one_hot:
                assert ((\dut.selected_oh & (\dut.selected_oh - 1'b1)) == {QUEUES{1'b0}});
            // The SRAM is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (!(\dut.entries.wr_watched && \dut.entries.rd_watched ));
        end
    end

    // Invariants: the state of the arbitrary queue is what the ports tell.
    reg [SLOT_BITS-1:0] head, tail, unripe;
    reg [STAGES-1:0]    delayed;
    always @* begin
        for (i = 0; i < STAGES; i = i + 1) begin
            delayed[i] = \dut.delay_valid_q [i] &&
                         \dut.delay_queue_q [i*QUEUE_BITS +: QUEUE_BITS] == queue;
        end
        for (i = 0; i < SLOT_BITS; i = i + 1) begin
            head[i]   = \dut.head_q [i * QUEUES + queue];
            tail[i]   = \dut.tail_q [i * QUEUES + queue];
            unripe[i] = \dut.unripe_q [i * QUEUES + queue];
        end
    end
    wire [BITS-1:0] reach      = head + stored;
    wire [BITS-1:0] ripe_reach = head + ripe;
    wire [BITS-1:0] place      = head + ahead - read_offer;

    always @* begin
        if (started) begin
            counts_in_range: assert (stored <= DEPTH && young <= stored);
            full_is_depth: assert (\dut.full_q [queue] == (stored == DEPTH));
            nonempty_is_stored: assert (\dut.nonempty_q [queue] == (stored != 0));
            selectable_is_ripe: assert (\dut.selectable_q [queue] == (ripe != 0));
            slots_in_range: assert (head < DEPTH && tail < DEPTH && unripe < DEPTH);
            tail_behind_stored: assert (tail == reach || tail + DEPTH == reach);
            unripe_behind_ripe: assert (unripe == ripe_reach || unripe + DEPTH == ripe_reach);
            delay_line_holds_the_young: assert (delayed == entered_ago);
            if (tracked && !tracked_offered) begin
                tracked_in_its_slot: assert (slot == place || slot + DEPTH == place);
                tracked_in_memory: assert (\dut.entries.watch_data == data);
            end
            buffer_is_the_offer:
                assert (deq_valid_o == (\dut.read_valid_q || \dut.write0_valid_q ));
            write_slots_hold_the_writes: assert (\dut.write0_valid_q == (writes >= 1) &&
                                                 \dut.write1_valid_q == (writes == 2) &&
                                                 writes <= 2);
            if (\dut.write0_valid_q ) begin
                write_queue_exists: assert (\dut.write0_queue_q < QUEUES);
            end
            if (\dut.write1_valid_q ) begin
                second_write_queue_exists: assert (\dut.write1_queue_q < QUEUES);
            end
            if (write_tracked && writes_ahead == 0) begin
                first_slot_holds_it: assert (\dut.write0_queue_q == queue &&
                                             \dut.write0_data_q == write_data);
            end
            if (write_tracked && writes_ahead == 1) begin
                second_slot_holds_it: assert (\dut.write1_queue_q == queue &&
                                              \dut.write1_data_q == write_data);
            end
            if (write_tracked) begin
                only_the_offered_read_is_older: assert (older == read_offer);
            end
            bypass_only_with_a_read: assert (!\dut.read_bypass_q || \dut.read_valid_q );
        end
    end

    // Each of these states is reachable.
    reg seen_full, seen_rule_2_full, seen_second, write_drained;
    always @(posedge clk_i) begin
        seen_full        <= !rst_i && (seen_full || (waits && !enq_write_i && mine && room));
        seen_rule_2_full <= !rst_i && (waits && mine && enq_write_i &&
                                       (seen_rule_2_full || stored == DEPTH));
        seen_second      <= !rst_i && write_tracked && (seen_second || writes_ahead == 1);
        write_drained    <= !rst_i && write_tracked && writes_ahead == 0 && write_leaves;
    end
    always @* begin
        // rule 1 prefers the highest queue to a selectable lower one
        cover (started && was_rule_1 && queue == QUEUES - 1 && \dut.selectable_q [0]);
        // a write has emptied a full queue and enters
        cover (started && seen_rule_2_full && enters && enq_write_i);
        // two writes wait behind a read
        cover (started && writes == 2 && deq_valid_o && !deq_write_o && !deq_ready_i);
        // the tracked write leaves after the one before it, and a read of its queue follows
        cover (started && seen_second && was_write && write_drained && read_offer);
        // at one edge a write enters, the only one inside leaves and a read is selected
        cover (started && write_enters && write_leaves && \dut.selected_oh != {QUEUES{1'b0}});
        // a refused read leaves with bypass
        cover (started && leaves && deq_bypass_o);
        // a tracked read leaves after the pointers have wrapped
        cover (started && seen_full && tracked_offered && deq_ready_i && slot == 0);
        // one queue takes a read and gives one at the same edge
        cover (started && read_enters && \dut.selected_oh [queue]);
    end
endmodule

`default_nettype wire
