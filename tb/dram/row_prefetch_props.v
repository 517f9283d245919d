// SPDX-License-Identifier: Apache-2.0
// Promises of wm_row_prefetch (OWL, ASPLOS 2013, section 4.4). The controller around it keeps to
// its side: see `assume`.
`default_nettype none

// The head, with dut and started, is made from wm_row_prefetch: python/warpmem/tools/props.py.
`BEGIN_row_prefetch_props
    localparam BANK_BITS  = $clog2(BANKS);
    localparam LINE_BITS  = $clog2(LINES);
    localparam COUNT_BITS = $clog2(LINES + 1);
    localparam GROUP      = LINES < 8 ? LINES : 8; // lines that are looked at together
    localparam GROUPS     = LINES / GROUP;
    localparam SUM_BITS   = 8 + AVERAGE_SHIFT;
    localparam LEAVES     = BANKS > 16 ? 64 : BANKS > 4 ? 16 : 4;
    localparam [BANKS-1:0] BANK_0 = 1;
    localparam [LINES-1:0] LINE_0 = 1;

    // An arbitrary line of an arbitrary bank.
    (* anyconst *) wire [BANK_BITS-1:0] one_bank;
    (* anyconst *) wire [LINE_BITS-1:0] one_line;

    // The rule in the words of the paper and of cmodel/dram/row_prefetch.h, on its own account.
    reg [BANKS-1:0]          open;  // banks with an open row
    reg [BANKS-1:0]          known; // of which the row was opened since the reset
    reg [BANKS*ROW_BITS-1:0] row;
    reg [BANKS*LINES-1:0]    left;  // lines whose bits are not set
    reg [BANKS*8-1:0]        count; // lines that were taken
    reg [BANK_BITS-1:0]      last;  // the bank that was chosen last
    reg                      few;
    reg signed [19:0]        sum, move;
    reg                      valid; // what is to be offered
    reg [BANK_BITS-1:0]      bank;
    reg [LINE_BITS-1:0]      line;
    reg                      sent;  // that line of that bank went to the L2 since its row was opened

    wire              takes   = pf_valid_o && pf_ready_i;
    wire              free    = !pf_valid_o || pf_ready_i;
    wire [7:0]        least   = few ? HIGHER : LOWER;
    wire signed [19:0] average = sum >>> AVERAGE_SHIFT;
    wire              few_now = THRESHOLD != 0 ? pending_i < THRESHOLD
                                               : ({12'd0, pending_i} << AVERAGE_SHIFT) < sum;

    // Once this cycle's line is taken: lines, counts, the banks that may go on, the choice.
    reg [BANKS*LINES-1:0] then_left;
    reg [BANKS*8-1:0]     then_count;
    reg [BANKS-1:0]       may, held;
    reg                   found;
    reg [BANK_BITS-1:0]   found_bank;
    reg [LINE_BITS-1:0]   found_line;
    reg [LINES-1:0]       found_left;

    function [LINE_BITS-1:0] lowest_line(input [LINES-1:0] lines);
        integer i;
        begin
            lowest_line = 0;
            for (i = LINES - 1; i >= 0; i = i - 1) begin
                if (lines[i]) begin
                    lowest_line = i;
                end
            end
        end
    endfunction

    function [7:0] number_in(input [LINES-1:0] lines);
        integer i;
        begin
            number_in = 0;
            for (i = 0; i < LINES; i = i + 1) begin
                number_in = number_in + lines[i];
            end
        end
    endfunction

    integer b;
    always @* begin
        for (b = 0; b < BANKS; b = b + 1) begin
            then_left[b*LINES +: LINES] = left[b*LINES +: LINES] &
                ~((LINE_0 << pf_line_o) & {LINES{takes && pf_bank_o == b}});
            then_count[b*8 +: 8] = count[b*8 +: 8] + (takes && pf_bank_o == b);
            may[b] = open_i[b] && !wanted_i[b] && then_left[b*LINES +: LINES] != 0 &&
                     (RULE == 1 ? !other_i[b]
                                : least != 0 && (!other_i[b] ||
                                                 (then_count[b*8 +: 8] < least &&
                                                  (START || then_count[b*8 +: 8] != 0))));
            held[b] = (pf_valid_o && pf_bank_o == b) ||
                      (RULE == 2 && open_i[b] && !wanted_i[b] && left[b*LINES +: LINES] != 0 &&
                       count[b*8 +: 8] < least && (START || count[b*8 +: 8] != 0));
        end
        found      = may != 0;
        found_bank = last;
        for (b = BANKS; b >= 1; b = b - 1) begin
            if (may[(last + b) % BANKS]) begin
                found_bank = (last + b) % BANKS;
            end
        end
        found_left = then_left >> found_bank * LINES;
        found_line = lowest_line(found_left);
    end

    always @(posedge clk_i) begin
        left  <= then_left;
        count <= then_count;
        few   <= few_now;
        sum   <= sum + move;
        move  <= arrival_i ? $signed({12'd0, pending_i}) - average : 0;
        if (takes && pf_bank_o == one_bank && pf_line_o == one_line) begin
            sent <= 1'b1;
        end
        if (free) begin
            valid <= found && !(pre_valid_i && pre_bank_i == found_bank);
            bank  <= found_bank;
            line  <= found_line;
            last  <= found_bank;
        end
        if (col_valid_i) begin
            left[col_bank_i*LINES + col_line_i] <= 1'b0;
        end
        if (pre_valid_i) begin
            open[pre_bank_i] <= 1'b0;
        end
        if (act_valid_i) begin
            open[act_bank_i]                     <= 1'b1;
            known[act_bank_i]                    <= 1'b1;
            row[act_bank_i*ROW_BITS +: ROW_BITS] <= act_row_i;
            left[act_bank_i*LINES +: LINES] <= act_write_i && !WRITTEN ? 0 : {LINES{1'b1}};
            count[act_bank_i*8 +: 8]             <= 8'd0;
            if (act_bank_i == one_bank) begin
                sent <= 1'b0;
            end
        end
        if (rst_i) begin
            known <= 0;
            left  <= 0;
            valid <= 1'b0;
            last  <= BANKS - 1;
            few   <= 1'b0;
            sum   <= 0;
            move  <= 0;
        end
    end

    // The offer and its bank's state a cycle ago.
    reg                 was_free, was_rst, was_may, was_open, was_wanted, was_left;
    reg                 was_offered;
    reg [BANK_BITS-1:0] was_bank;
    reg [LINE_BITS-1:0] was_line;
    always @(posedge clk_i) begin
        was_free    <= free;
        was_rst     <= rst_i;
        was_offered <= pf_valid_o;
        was_bank    <= pf_bank_o;
        was_line    <= pf_line_o;
        // The arbitrary line and its bank, with what is taken in that cycle.
        was_open    <= open_i[one_bank];
        was_wanted  <= wanted_i[one_bank];
        was_left    <= then_left[one_bank*LINES + one_line];
    end

    always @* begin
        assume (open_i == open);
        assume ((wanted_i & ~open_i) == 0);
        assume ((other_i & ~open_i) == 0);
        assume (!act_valid_i || !open[act_bank_i]);
        assume (!pre_valid_i || (open[pre_bank_i] && !hold_o[pre_bank_i]));
        assume (!col_valid_i || wanted_i[col_bank_i]);
    end

    // The state inside: lines without the offered one, which counts already.
    wire [BANKS-1:0] offered = valid ? BANK_0 << bank : 0;
    reg [BANKS*LINES-1:0] inside;
    reg [BANKS-1:0] flags_right, lines_right, counts_right, forced_right, rows_right, no_wrap;
    reg [BANKS-1:0] unknown_empty;
    integer i;
    always @* begin
        for (i = 0; i < BANKS; i = i + 1) begin
            flags_right[i] = dut.any_q[i] == (dut.group_q[i*GROUPS +: GROUPS] != 0);
        end
        for (i = 0; i < BANKS * LINES; i = i + 1) begin
            inside[i] = dut.left_q[i] && dut.group_q[i/GROUP];
        end
        for (i = 0; i < BANKS * GROUPS; i = i + 1) begin
            flags_right[i/GROUPS] = flags_right[i/GROUPS] &&
                (!(dut.group_q[i]) || dut.left_q[i*GROUP +: GROUP] != 0);
        end
        for (i = 0; i < BANKS; i = i + 1) begin
            unknown_empty[i] = known[i] || left[i*LINES +: LINES] == 0;
            lines_right[i] = !open[i] || inside[i*LINES +: LINES] ==
                (left[i*LINES +: LINES] & ~((LINE_0 << line) & {LINES{offered[i]}}));
            counts_right[i] = RULE == 1 || !open[i] || !known[i] ||
                dut.counts[i*COUNT_BITS +: COUNT_BITS] == count[i*8 +: 8] + offered[i];
            no_wrap[i] = !open[i] || !known[i] ||
                count[i*8 +: 8] + offered[i] + number_in(inside[i*LINES +: LINES]) <= LINES;
            forced_right[i] = RULE == 1 || !open[i] || !known[i] ||
                dut.forced[i] == (count[i*8 +: 8] + offered[i] < least &&
                                  (START || count[i*8 +: 8] + offered[i] != 0));
            rows_right[i] = !open[i] || !known[i] ||
                dut.row_q[i*ROW_BITS +: ROW_BITS] == row[i*ROW_BITS +: ROW_BITS];
        end
    end

    genvar g;
    generate
        for (g = 0; g < BANKS; g = g + 1) begin : g_bank
            row_prefetch_bank_props promise (
                .started(started),
                .count_fits(no_wrap[g])
            );
        end
    endgenerate

    // The nodes of the arbiter on the way to the last bank hold marks of their inputs above it
    // (tb/common/round_robin_arbiter_props.v).
    function turn_is_right(input integer first_node, input [5:0] last_below, input integer level);
        reg [5:0] node;
        reg [2:0] marks, without;
        integer   k;
        begin
            node  = last_below >> 2;
            marks = dut.turn.turn_q >> 3 * (first_node + node);
            for (k = 1; k < 4; k = k + 1) begin
                without[k-1] = (4 * node + k) << 2 * level >= BANKS;
            end
            turn_is_right = (marks | without) == (3'b111 << last_below[1:0] | without);
        end
    endfunction
    wire [5:0] last_place = last;

    always @* begin
        if (started) begin
            // Exactly the line is offered that the rules choose.
            offer_is_the_choice: assert (pf_valid_o == valid);
            if (pf_valid_o) begin
                offer_of_chosen_bank: assert (pf_bank_o == bank);
                offer_of_chosen_line: assert (pf_line_o == line);
                offer_of_open_row: assert (open[pf_bank_o] && known[pf_bank_o] &&
                    pf_row_o == ((row >> pf_bank_o * ROW_BITS) & {ROW_BITS{1'b1}}));
                // The bank of the offer is held.
                hold_has_the_offer: assert (hold_o[pf_bank_o]);
            end
            // Held is what the rules name, and nothing else.
            hold_is_right: assert (hold_o == held);
            hold_of_open_banks: assert ((hold_o & ~open) == 0);
            // An offer stands until it is taken.
            if (was_offered && !was_free && !was_rst) begin
                offer_stands: assert (pf_valid_o && pf_bank_o == was_bank && pf_line_o == was_line);
            end
            // A new offer is of a line whose bit was not set, in an open bank that was not wanted.
            if (pf_valid_o && pf_bank_o == one_bank && pf_line_o == one_line && was_free) begin
                chosen_where_free: assert (was_open && !was_wanted && was_left);
            end
            // No line of a row goes to the L2 twice between two activates of its bank.
            if (pf_valid_o && pf_bank_o == one_bank && pf_line_o == one_line) begin
                no_line_twice: assert (!sent);
            end
            // The average stays within its bits, and no difference is more than half of the way to
            // an end, which the one of an arrival in the next cycle may take too.
            sum_in_range: assert (sum >= 0 && sum < (256 <<< AVERAGE_SHIFT));
            move_in_range: assert (2 * move <= (256 <<< AVERAGE_SHIFT) - 1 - sum &&
                                   -2 * move <= sum);

            // The state inside, which makes the induction close.
            sent_is_not_left: assert (!sent || !known[one_bank] ||
                                      !left[one_bank*LINES + one_line]);
            flags_inside: assert (&flags_right);
            lines_inside: assert (&lines_right);
            counts_inside: assert (&counts_right);
            forced_inside: assert (&forced_right);
            rows_inside: assert (&rows_right);
            unknown_has_no_line: assert (&unknown_empty);
            offer_inside: assert (dut.offer_q == offered);
            if (RULE == 2) begin
                some_inside: assert (known == 0 || dut.some == (least != 0));
                if (THRESHOLD == 0) begin
                    average_inside: assert (dut.sum == sum[SUM_BITS-1:0] &&
                                            dut.move == move[8:0] && move < 256 && move >= -256);
                end
            end
            turn_of_fours: assert (turn_is_right(0, last_place, 0));
            if (LEAVES > 4) begin
                turn_of_sixteens: assert (turn_is_right(LEAVES / 4, last_place >> 2, 1));
            end
            if (LEAVES > 16) begin
                turn_of_all: assert (turn_is_right(LEAVES / 4 + LEAVES / 16, last_place >> 4, 2));
            end
        end
        // The last line of a row, after all others.
        shows_whole_row: cover (started && pf_valid_o && pf_line_o == LINES - 1 &&
                                count[pf_bank_o*8 +: 8] == LINES - 1);
        last_bank_of_several: cover (started && pf_valid_o && pf_bank_o == BANKS - 1 && &open &&
                                     was_free && was_offered && was_bank != BANKS - 1);
        demand_takes_the_offered_line:
            cover (started && pf_valid_o && !pf_ready_i && col_valid_i && col_bank_i == pf_bank_o &&
                   col_line_i == pf_line_o && left[pf_bank_o*LINES + pf_line_o]);
        choice_dropped: cover (started && free && found && pre_valid_i && pre_bank_i == found_bank);
    end
endmodule

`default_nettype wire
