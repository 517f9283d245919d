// SPDX-License-Identifier: Apache-2.0
// Properties of wm_return_queue. Memory: tb/common/sram_1r1w_formal.v.
`default_nettype none

// The head, with dut and started, is made from wm_return_queue: python/warpmem/tools/props.py.
`BEGIN_return_queue_props
    localparam COUNT_BITS = $clog2(DEPTH + 1);
    localparam SLOT_BITS = $clog2(DEPTH);

    wire [SLOT_BITS-1:0] watch_slot = dut.memory.memory.watch_addr;

    // The words inside as the ports tell, and one arbitrary word of them: how many are ahead of it.
    (* anyseq *) wire pick;
    reg [COUNT_BITS-1:0] inside;
    reg                  tracked;
    reg [COUNT_BITS-1:0] ahead;
    reg [DATA_BITS-1:0]  data;
    reg                  refused; // in the last cycle
    reg [DATA_BITS-1:0]  refused_data;

    wire leaves = deq_valid_o && deq_ready_i;
    wire stored = dut.memory.enq_valid_i; // the word that enters goes into the memory
    // A word that enters is picked, if it is that slot's when it goes into the memory.
    wire picks  = enq_valid_i && !tracked && pick && (!stored || dut.memory.memory.wr_watched);

    always @* begin
        assume (watch_slot < DEPTH);
        // The credits of the channel.
        assume (!enq_valid_i || inside < DEPTH);
    end

    always @(posedge clk_i) begin
        inside <= inside + enq_valid_i - leaves;
        if (tracked && leaves) begin
            tracked <= ahead != 0;
            ahead   <= ahead - 1'b1;
        end
        if (picks) begin
            tracked <= !(leaves && inside == 0);
            ahead   <= inside - leaves;
            data    <= enq_data_i;
        end
        refused      <= deq_valid_o && !deq_ready_i;
        refused_data <= deq_data_o;
        if (rst_i) begin
            inside  <= 0;
            tracked <= 1'b0;
            refused <= 1'b0;
        end
    end

    // The memory's words; the place of the tracked one among them and its slot.
    wire [COUNT_BITS-1:0] behind_cnt = dut.memory.count_q;
    wire                  behind     = dut.memory.offered_q;
    wire [SLOT_BITS+1:0]  reach      = dut.memory.head_q + behind_cnt - behind;
    wire [COUNT_BITS-1:0] place      = ahead - dut.full_q;
    wire [SLOT_BITS+1:0]  slot       = dut.memory.head_q + place - behind;
    wire [COUNT_BITS:0]   all        = behind_cnt + dut.full_q;
    wire                  in_register = tracked && dut.full_q && ahead == 0;
    wire                  in_offer   = tracked && !in_register && behind && place == 0;

    always @* begin
        if (started) begin
            // The queue always has room: nothing is lost.
            room: assert (inside <= DEPTH && (!stored || !dut.memory.full_q));
            // A word is offered in each cycle in which one is inside or enters.
            oldest_is_offered: assert (deq_valid_o == (inside != 0 || enq_valid_i));
            // An offer that is not taken stays as it is.
            if (refused) begin
                offer_is_stable: assert (deq_valid_o && deq_data_o == refused_data);
            end
            // The arbitrary word is never lost, and comes out unchanged when those ahead have left.
            if (tracked) begin
                nothing_lost: assert (ahead < inside);
                if (ahead == 0) begin
                    order_and_data: assert (deq_data_o == data);
                end
            end
            // So does a word that finds the queue empty, at once.
            if (inside == 0 && enq_valid_i) begin
                at_once: assert (deq_data_o == enq_data_i);
            end
            // The memory is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (!(dut.memory.memory.wr_watched && dut.memory.memory.rd_watched));

            // The state inside, which makes the induction close.
            count_is_inside: assert (all == inside && behind_cnt <= DEPTH);
            no_gap: assert (behind_cnt == 0 || dut.full_q || behind);
            offer_is_inside: assert (!behind || behind_cnt != 0);
            full_flag: assert (dut.memory.full_q == (behind_cnt == DEPTH));
            pointers_in_range: assert (dut.memory.head_q < DEPTH && dut.memory.tail_q < DEPTH);
            head_and_tail_apart:
                assert (dut.memory.tail_q == reach || dut.memory.tail_q + DEPTH == reach);
            if (in_register) begin
                tracked_in_register: assert (dut.word_q == data);
            end
            if (in_offer) begin
                tracked_in_offer: assert (dut.behind_data == data);
            end
            if (tracked && !in_register && !in_offer) begin
                tracked_in_its_slot: assert (watch_slot == slot || watch_slot + DEPTH == slot);
                tracked_in_memory: assert (dut.memory.memory.watch_data == data);
            end
        end
        full: cover (started && inside == DEPTH);
        through_the_memory: cover (started && in_offer && leaves && data != 0);
        shows_past_the_register:
            cover (started && inside == 0 && enq_valid_i && leaves && data != 0);
    end
endmodule

`default_nettype wire
