// SPDX-License-Identifier: Apache-2.0
// Properties of wm_fifo. Memory: tb/common/sram_1r1w_formal.v.
`default_nettype none

// The head, with dut and started, is made from wm_fifo: python/warpmem/tools/props.py.
`BEGIN_fifo_props
    localparam COUNT_BITS = $clog2(DEPTH + 1);
    localparam SLOT_BITS = $clog2(DEPTH);

    wire [SLOT_BITS-1:0] watch_slot = dut.memory.watch_addr;

    always @* begin
        assume (watch_slot < DEPTH);
    end

    wire enters = enq_valid_i && enq_ready_o;
    wire leaves = deq_valid_o && deq_ready_i;

    // The words inside as the ports tell, and one arbitrary word of them: how many are ahead of it.
    (* anyseq *) wire pick;
    reg [COUNT_BITS-1:0] inside;
    reg                  tracked;
    reg                  was_last;  // of a full queue
    reg [COUNT_BITS-1:0] ahead;
    reg [DATA_BITS-1:0]  data;
    // The last cycle.
    reg                  refused, waiting;
    reg [DATA_BITS-1:0]  refused_data;

    always @(posedge clk_i) begin
        inside <= inside + enters - leaves;
        if (tracked && leaves) begin
            tracked <= ahead != 0;
            ahead   <= ahead - 1'b1;
        end
        if (!tracked && enters && pick && dut.memory.wr_watched) begin
            tracked  <= 1'b1;
            ahead    <= inside - leaves;
            was_last <= inside - leaves == DEPTH - 1;
            data     <= enq_data_i;
        end
        refused      <= deq_valid_o && !deq_ready_i;
        refused_data <= deq_data_o;
        waiting      <= inside != leaves;
        if (rst_i) begin
            inside  <= 0;
            tracked <= 1'b0;
            refused <= 1'b0;
            waiting <= 1'b0;
        end
    end

    // Slot of the word that has so many ahead of it. The head points behind the offered word.
    wire [SLOT_BITS+1:0] stored = inside - deq_valid_o;
    wire [SLOT_BITS+1:0] reach  = dut.head_q + stored;
    wire [SLOT_BITS+1:0] place  = dut.head_q + ahead - deq_valid_o;
    wire                 tracked_offered = tracked && deq_valid_o && ahead == 0;

    always @* begin
        if (started) begin
            // The count is right, and never beyond DEPTH.
            count_in_range: assert (inside <= DEPTH);
            count_is_inside: assert (count_o == inside);
            // A word can enter exactly while fewer than DEPTH are inside.
            full_exactly_at_depth: assert (enq_ready_o == (inside < DEPTH));
            // Nothing is offered that did not enter.
            offer_is_inside: assert (!deq_valid_o || inside != 0);
            // Something is offered exactly when something was inside before the edge and stayed.
            oldest_is_offered: assert (deq_valid_o == waiting);
            // An offer that is not taken stays as it is.
            if (refused) begin
                offer_is_stable: assert (deq_valid_o && deq_data_o == refused_data);
            end
            // The arbitrary word is never lost, ...
            if (tracked) begin
                nothing_lost: assert (ahead < inside);
            end
            // ... and comes out unchanged when those ahead of it have left: no reordering, no copy.
            if (tracked_offered) begin
                order_and_data: assert (deq_data_o == data);
            end
            // The memory is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (!(dut.memory.wr_watched && dut.memory.rd_watched));

            // The state inside, which makes the induction close.
            full_flag: assert (dut.full_q == (inside == DEPTH));
            pointers_in_range: assert (dut.head_q < DEPTH && dut.tail_q < DEPTH);
            head_and_tail_apart:
                assert (dut.tail_q == reach || dut.tail_q + DEPTH == reach);
            if (tracked && !tracked_offered) begin
                tracked_in_its_slot:
                    assert (watch_slot == place || watch_slot + DEPTH == place);
                tracked_in_memory: assert (dut.memory.watch_data == data);
            end
        end
        full: cover (started && inside == DEPTH && deq_valid_o);
        leaves_the_first_slot:
            cover (started && tracked_offered && deq_ready_i && watch_slot == 0 && data != 0);
        one_enters_one_leaves: cover (started && inside == DEPTH - 1 && enters && leaves);
        head_wraps: cover (started && dut.head_q == DEPTH - 1 && leaves && inside == 2);
        // The word that filled the queue comes out after all others, as it was.
        shows_last_of_a_full_queue:
            cover (started && tracked_offered && was_last && deq_ready_i && data != 0);
    end
endmodule

`default_nettype wire
