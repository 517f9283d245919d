// SPDX-License-Identifier: Apache-2.0
// Properties of wm_mshrs. Memory: tb/common/sram_1r1w_formal.v.
`default_nettype none

// The head, with dut and started, is made from wm_mshrs: python/warpmem/tools/props.py.
`BEGIN_mshrs_props
    localparam ENTRY_BITS = $clog2(ENTRIES);
    localparam FREE_BITS  = $clog2(ENTRIES + 1);
    localparam COUNT_BITS = $clog2(MERGE + 1);
    localparam SLOT_BITS  = $clog2(ENTRIES * MERGE);

    // One arbitrary entry, as the ports tell: is it taken, is it filled, how many requests it has and
    // how many of them are done.
    (* anyconst *) wire [ENTRY_BITS-1:0] watched;
    reg                  taken, filled;
    reg [COUNT_BITS-1:0] count, done;
    reg [FREE_BITS-1:0]  ahead;        // entries that were filled before it and are not free yet
    // All entries.
    reg [ENTRIES-1:0]    all_taken, all_filled;
    reg [FREE_BITS-1:0]  number_taken, number_filled;

    wire wakes  = wake_valid_o && wake_ready_i;
    wire frees  = wakes && wake_last_o;
    wire drops  = fill_valid_i && fill_drop_i;
    wire fills  = fill_valid_i && !fill_drop_i;
    wire takes  = put_valid_i && !put_merge_i && put_ready_o;
    wire merges = put_valid_i && put_merge_i && put_ready_o;

    // Users promise this.
    always @* begin
        assume (watched < ENTRIES && dut.names.watch_addr < ENTRIES * MERGE);
        assume (!fill_valid_i || (fill_entry_i < ENTRIES && all_taken[fill_entry_i] &&
                                  !all_filled[fill_entry_i]));
        assume (!put_merge_i || (put_valid_i && put_entry_i < ENTRIES && all_taken[put_entry_i] &&
                                 !all_filled[put_entry_i]));
        assume (!(put_merge_i && fill_valid_i && fill_entry_i == put_entry_i));
        // Only an entry of several requests skips its first: the watched one, and any other.
        assume (!(fills && fill_skip_i && fill_entry_i == watched) || count > 1);
        assume (!(fills && fill_skip_i) || dut.waiting_q[fill_entry_i*COUNT_BITS +: COUNT_BITS] > 1);
    end

    // One arbitrary request of the watched entry.
    (* anyseq *) wire pick;
    reg                  tracked;
    reg [COUNT_BITS-1:0] place;
    reg [TAG_BITS-1:0]   name;

    integer i;
    always @(posedge clk_i) begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            if ((frees && wake_entry_o == i) || (drops && fill_entry_i == i)) begin
                all_taken[i]  <= 1'b0;
                all_filled[i] <= 1'b0;
            end else if (fills && fill_entry_i == i) begin
                all_filled[i] <= 1'b1;
            end
            if (takes && new_entry_o == i) begin
                all_taken[i]  <= 1'b1;
                all_filled[i] <= 1'b0;
            end
        end
        number_taken  <= number_taken - frees - drops + takes;
        number_filled <= number_filled - frees + fills;
        if (wakes && wake_entry_o == watched) begin
            done <= done + 1'b1;
            if (tracked && done == place) begin
                tracked <= 1'b0;
            end
            if (wake_last_o) begin
                taken  <= 1'b0;
                filled <= 1'b0;
            end
        end
        if (frees && filled) begin
            ahead <= ahead - 1'b1;
        end
        if (fill_valid_i && fill_entry_i == watched) begin
            filled <= fills;
            taken  <= fills;
            done   <= fill_skip_i;
            ahead  <= number_filled - frees;
            if (fill_drop_i || (fill_skip_i && place == 0)) begin
                tracked <= 1'b0;
            end
        end
        if (merges && put_entry_i == watched) begin
            count <= count + 1'b1;
        end
        if (takes && new_entry_o == watched) begin
            taken   <= 1'b1;
            filled  <= 1'b0;
            count   <= 1;
            tracked <= 1'b0;
        end
        if ((merges && put_entry_i == watched) || (takes && new_entry_o == watched)) begin
            if ((!tracked || takes) && pick && dut.names.wr_watched) begin
                tracked <= 1'b1;
                place   <= takes ? 0 : count;
                name    <= put_tag_i;
            end
        end
        if (rst_i) begin
            all_taken     <= 0;
            all_filled    <= 0;
            number_taken  <= 0;
            number_filled <= 0;
            taken         <= 1'b0;
            filled        <= 1'b0;
            tracked       <= 1'b0;
        end
    end

    wire offered  = wake_valid_o && wake_entry_o == watched;
    wire now_free = !taken || (offered && frees) || (drops && fill_entry_i == watched);

    always @* begin
        if (started) begin
            // Taken and free entries are all there are.
            none_is_lost: assert (free_count_o + number_taken == ENTRIES);
            // A request takes a free entry, the lowest.
            takes_a_free_entry: assert (!(new_valid_o && new_entry_o == watched) || now_free);
            takes_the_lowest: assert (!now_free || (new_valid_o && new_entry_o <= watched));
            // It enters exactly if there is one, or if its line's entry has room.
            enters_if_an_entry_is_free: assert (put_merge_i || put_ready_o == new_valid_o);
            if (put_merge_i && put_entry_i == watched) begin
                enters_if_there_is_room: assert (put_ready_o == (count < MERGE));
            end
            // Something is offered exactly while a filled entry waits.
            offers_while_one_waits: assert (wake_valid_o == (number_filled != 0));
            if (offered) begin
                // Only filled entries wake, and those before it have left.
                offers_a_filled_entry: assert (taken && filled);
                in_the_order_of_fills: assert (ahead == 0);
                // The last of its requests frees it.
                last_is_told: assert (wake_last_o == (done + 1 == count));
            end
            if (filled && ahead == 0) begin
                oldest_is_offered: assert (offered);
            end
            // The request is woken with its own name, in its turn.
            if (offered && tracked && done == place) begin
                name_is_kept: assert (wake_tag_o == name);
            end
            if (tracked) begin
                none_is_passed_over: assert (taken && place < count && (!filled || done <= place));
            end
            // The memory is never asked for the word that is written at the same edge.
            no_read_of_a_word_being_written:
                assert (!(dut.names.wr_watched && dut.names.rd_watched));

            // The state inside, which makes the induction close.
            entry_as_told: assert (dut.free_q[watched] == !taken && all_taken[watched] == taken);
            fill_as_told: assert (all_filled[watched] == filled && (taken || !filled));
            if (taken) begin
                count_as_told: assert (dut.waiting_q[watched*COUNT_BITS +: COUNT_BITS] == count);
                count_in_range: assert (count >= 1 && count <= MERGE);
            end
        end
        all_are_filled: cover (started && number_filled == ENTRIES);
        the_last_of_a_full_entry: cover (started && offered && wake_last_o && count == MERGE && name != 0 && tracked);
        takes_what_it_frees: cover (started && takes && number_taken == ENTRIES && frees);
    end
endmodule

`default_nettype wire
