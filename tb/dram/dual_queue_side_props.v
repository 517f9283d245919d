// SPDX-License-Identifier: Apache-2.0
// Properties of one of the two queues of wm_dual_queue; dual_queue_props is around it.
`default_nettype none

module dual_queue_side_props #(
    parameter HIGH       = 0,
    parameter ROW_FIRST  = 0,
    parameter DEPTH      = 16,
    parameter BANKS      = 8,
    parameter ROW_BITS   = 16,
    parameter BURST_BITS = 2,
    parameter TAG_BITS   = 8,
    parameter BANK_BITS  = $clog2(BANKS),
    parameter NAME_BITS  = TAG_BITS + ROW_BITS,
    parameter GROUP      = DEPTH > 16 ? 8 : 4,
    parameter GROUPS     = (DEPTH + GROUP - 1) / GROUP
) (
    input wire                        clk_i,
    input wire                        rst_i,
    input wire                        started,
    input wire                        enter_valid,
    input wire                        enter_ready,
    input wire [BANK_BITS-1:0]        enter_bank,
    input wire [ROW_BITS-1:0]         enter_row,
    input wire                        enter_write,
    input wire [BURST_BITS-1:0]       enter_bursts,
    input wire [TAG_BITS-1:0]         enter_tag,
    input wire                        cmd_valid_o,
    input wire [1:0]                  cmd_kind_o,
    input wire [BANK_BITS-1:0]        cmd_bank_o,
    input wire [ROW_BITS-1:0]         cmd_row_o,
    input wire                        cmd_high_o,
    input wire                        cmd_last_o,
    input wire [TAG_BITS-1:0]         cmd_tag_o,
    input wire [BANKS-1:0]            read_ok_i,
    input wire [BANKS-1:0]            write_ok_i,
    input wire [BANKS-1:0]            precharge_ok_i,
    input wire [BANKS-1:0]            activate_ok_i,
    input wire [BANKS-1:0]            read_ok_1,
    input wire [BANKS-1:0]            write_ok_1,
    input wire [BANKS-1:0]            precharge_ok_1,
    input wire [BANKS-1:0]            activate_ok_1,
    input wire [BANKS-1:0]            read_ok_2,
    input wire [BANKS-1:0]            write_ok_2,
    input wire [BANKS-1:0]            open,
    input wire [ROW_BITS*BANKS-1:0]   open_rows,
    input wire [BANKS-1:0]            high_banks,
    input wire [BANKS-1:0]            high_banks_1,
    input wire                        high_could_1,
    input wire                        high_column_could_1,
    input wire                        low_column_could_1,
    input wire [BANKS-1:0]            low_hit_banks,
    input wire [BANKS-1:0]            hit_banks_1, // wanted then, for which no row is closed now
    input wire [BANKS-1:0]            turn_bank,
    input wire [BANKS-1:0]            turn_bank_1,
    input wire                        reads_wait,
    input wire                        writes_wait,
    input wire                        reads_wait_1,
    input wire                        writes_wait_1,
    input wire                        low_first_1,
    input wire                        was_activate,
    input wire [BANK_BITS-1:0]        was_bank,
    input wire [BANKS-1:0]            cmd_bank_oh,
    // The queue's state: bit i of a vector is the entry with i older ones.
    input wire [DEPTH-1:0]            taken_here,
    input wire [DEPTH-1:0]            write_here,
    input wire [DEPTH-1:0]            hit_here,
    input wire [DEPTH-1:0]            hit_of_before,
    input wire [BANKS-1:0]            hit_banks,
    input wire [DEPTH-1:0]            fresh_here,
    input wire [DEPTH-1:0]            upper_here,
    input wire [DEPTH-1:0]            lower_here,
    input wire [DEPTH-1:0]            column_here,
    input wire [DEPTH-1:0]            row_here,
    input wire [DEPTH-1:0]            column_oh,
    input wire [DEPTH-1:0]            row_oh,
    input wire [GROUPS-1:0]           column_group,
    input wire [GROUPS-1:0]           row_group,
    input wire                        any_column,
    input wire                        any_row,
    input wire [DEPTH-1:0]            from_here,
    input wire                        issues,
    input wire                        leaves,
    input wire [DEPTH*NAME_BITS-1:0]  name,
    input wire [DEPTH*BANKS-1:0]      banks,
    input wire [DEPTH*BURST_BITS-1:0] bursts,
    output wire [BANKS-1:0]           present,
    output wire [BANKS-1:0]           banks_with_hit,
    output wire                       issued_write,
    output wire                       could_go,
    output wire                       column_could_go
);
    localparam COUNT_BITS = $clog2(DEPTH + 1);
    localparam [DEPTH-1:0] PLACE_0 = 1;
    localparam [BANKS-1:0] BANK_0  = 1;
    wire is_column    = cmd_valid_o && cmd_kind_o == 2'd0;
    wire is_activate  = cmd_valid_o && cmd_kind_o == 2'd1;
    wire is_precharge = cmd_valid_o && cmd_kind_o == 2'd2;
    genvar i, j;
    wire [DEPTH-1:0] issued_oh  = from_here & ~(from_here << 1) & {DEPTH{issues}};
    // Banks that this queue serves, and served in the last cycle.
    wire [BANKS-1:0] served   = HIGH ? ~turn_bank : ~high_banks | turn_bank;
    wire [BANKS-1:0] served_1 = HIGH ? ~turn_bank_1 : ~high_banks_1 | turn_bank_1;
    // Hits of the low queue are served wherever they are, with ROW_FIRST.
    wire [BANKS-1:0] hits_served   = ROW_FIRST && !HIGH ? {BANKS{1'b1}} : served;
    wire [BANKS-1:0] hits_served_1 = ROW_FIRST && !HIGH ? {BANKS{1'b1}} : served_1;

    // Each entry.
    localparam HALF  = ROW_BITS / 2;
    localparam LOWER = HALF < 1 ? 1 : HALF;
    wire [DEPTH-1:0] right_bank, right_fresh, right_bursts, right_column, right_row;
    wire [DEPTH-1:0] right_issue, right_oldest;
    for (i = 0; i < DEPTH; i = i + 1) begin : g_entry
        wire [NAME_BITS-1:0]  own  = name[i*NAME_BITS +: NAME_BITS];
        wire [BANKS-1:0]      bank = banks[i*BANKS +: BANKS];
        wire [BURST_BITS-1:0] left = bursts[i*BURST_BITS +: BURST_BITS];
        wire [ROW_BITS-1:0]   row  = own[ROW_BITS-1:0];
        reg  [ROW_BITS-1:0]   open_row;
        integer n;
        always @* begin
            open_row = {ROW_BITS{1'b0}};
            for (n = 0; n < BANKS; n = n + 1) begin
                open_row = open_row | (open_rows[n*ROW_BITS +: ROW_BITS] & {ROW_BITS{bank[n]}});
            end
        end
        assign right_bank[i] = taken_here[i] == |bank && (bank & (bank - 1'b1)) == {BANKS{1'b0}};
        wire same = |(bank & open) && open_row == row;
        dual_queue_entry_props entry (
            .started(started),
            .hit_is_right(hit_here[i] == same && hit_of_before[i] == (same && !fresh_here[i]))
        );
        assign right_fresh[i] = fresh_here[i] == (was_activate && bank[was_bank]) &&
            upper_here[i] == (fresh_here[i] && row[ROW_BITS-1:HALF] == open_row[ROW_BITS-1:HALF]) &&
            (!fresh_here[i] || lower_here[i] == (row[LOWER-1:0] == open_row[LOWER-1:0]));
        assign right_bursts[i] = !taken_here[i] || left != {BURST_BITS{1'b0}};
        assign right_column[i] = !column_here[i] || (taken_here[i] && hit_here[i] &&
            |(bank & (write_here[i] ? write_ok_1 : read_ok_1) & hits_served_1));
        assign right_row[i] = !row_here[i] || (taken_here[i] &&
            |(bank & ((open & precharge_ok_1) | (~open & activate_ok_1)) & served_1 &
              (turn_bank_1 | ~hit_banks_1)));
        assign right_issue[i] = !issued_oh[i] || (taken_here[i] && hit_here[i] &&
            own == {cmd_tag_o, cmd_row_o} && bank == cmd_bank_oh &&
            cmd_last_o == (left == {{(BURST_BITS-1){1'b0}}, 1'b1}) &&
            |(bank & (write_here[i] ? write_ok_2 : read_ok_2)));
        // The oldest candidate of its group.
        localparam [DEPTH-1:0] OLDER = ((PLACE_0 << i) - 1'b1) &
                                       ~((PLACE_0 << (i / GROUP * GROUP)) - 1'b1);
        assign right_oldest[i] = column_oh[i] == (column_here[i] && (column_here & OLDER) == 0) &&
                                 row_oh[i] == (row_here[i] && (row_here & OLDER) == 0);
    end
    wire [GROUPS-1:0] right_group;
    for (i = 0; i < GROUPS; i = i + 1) begin : g_group
        localparam [DEPTH-1:0] OWN = ((PLACE_0 << (GROUP - 1)) * 2 - 1'b1) << (i * GROUP);
        assign right_group[i] = column_group[i] == |(column_here & OWN) &&
                                row_group[i] == |(row_here & OWN);
    end
    wire [DEPTH*BANKS-1:0] in_bank = banks;
    wire [BANKS-1:0] right_hit_banks;
    for (j = 0; j < BANKS; j = j + 1) begin : g_present
        wire [DEPTH-1:0] entries;
        for (i = 0; i < DEPTH; i = i + 1) begin : g_in_bank
            assign entries[i] = in_bank[i*BANKS + j];
        end
        assign present[j] = |entries;
        assign banks_with_hit[j] = |(entries & hit_here);
        assign right_hit_banks[j] = hit_banks[j] == |(entries & hit_of_before);
    end
    assign issued_write = |(issued_oh & write_here);
    assign column_could_go = |column_here && !is_column;
    assign could_go = column_could_go ||
                         (|row_here && !is_activate && !is_precharge);

    // The requests inside as the ports tell, and an arbitrary one of them: its place.
    (* anyseq *) wire pick;
    reg [COUNT_BITS-1:0]  inside;
    reg                   tracked;
    reg [DEPTH-1:0]       place_oh;
    reg [BANK_BITS-1:0]   bank;
    reg [ROW_BITS-1:0]    row;
    reg                   kind;
    reg [BURST_BITS-1:0]  left;
    reg [TAG_BITS-1:0]    tag;
    wire enters = enter_valid && enter_ready;
    wire gone   = is_column && cmd_high_o == HIGH && cmd_last_o;
    wire its    = tracked && |(issued_oh & place_oh);
    wire passed = leaves && |(from_here & (place_oh >> 1)); // an older one leaves
    wire [COUNT_BITS-1:0] stay = inside - gone;

    // Its candidature by the rules: a hit that may go; or a row for it, where its bank is
    // this queue's to serve and has no hit. In the bank of a turn the oldest low one stands alone.
    wire [DEPTH-1:0] hits_of_bank;
    for (i = 0; i < DEPTH; i = i + 1) begin : g_hits
        assign hits_of_bank[i] = hit_here[i] && in_bank[i*BANKS + bank];
    end
    wire [ROW_BITS-1:0] row_of_bank;
    for (j = 0; j < ROW_BITS; j = j + 1) begin : g_row_of_bank
        wire [BANKS-1:0] of_banks;
        for (i = 0; i < BANKS; i = i + 1) begin : g_of_bank
            assign of_banks[i] = open_rows[i*ROW_BITS + j] && bank == i;
        end
        assign row_of_bank[j] = |of_banks;
    end
    wire alone  = turn_bank[bank];
    wire first  = !alone || place_oh[0];
    wire kept   = ROW_FIRST && HIGH && low_hit_banks[bank]; // its row, for a low request
    wire may_column = tracked && first && hits_served[bank] && open[bank] && row_of_bank == row &&
                      (kind ? write_ok_i[bank] && !writes_wait : read_ok_i[bank] && !reads_wait);
    wire may_row = tracked && first && served[bank] && !kept &&
                   (alone ? !hit_here[0] : hits_of_bank == {DEPTH{1'b0}}) &&
                   (open[bank] ? precharge_ok_i[bank] : activate_ok_i[bank]);
    reg column_1, row_1;      // so in the last cycle, and still here
    reg column_2, row_2;      // and chosen from in the last cycle: not hidden, not dropped
    reg oldest_2;             // with nobody older
    reg [DEPTH-1:0] place_2;  // at that choice
    always @(posedge clk_i) begin
        inside <= stay + enters;
        if (tracked) begin
            if (passed) begin
                place_oh <= place_oh >> 1;
            end
            if (its) begin
                left    <= left - 1'b1;
                tracked <= left != 1;
            end
        end
        column_1 <= may_column && !(its && left == 1);
        row_1    <= may_row;
        column_2 <= column_1 && !is_column;
        row_2    <= row_1 && !its && !is_activate && !is_precharge;
        oldest_2 <= place_oh[0] && !(cmd_valid_o && cmd_bank_o == bank);
        place_2  <= place_oh;
        if (!tracked && enters && pick) begin
            tracked  <= 1'b1;
            place_oh <= PLACE_0 << stay;
            bank     <= enter_bank;
            row      <= enter_row;
            kind     <= enter_write;
            left     <= enter_bursts;
            tag      <= enter_tag;
        end
        if (rst_i) begin
            inside   <= 0;
            tracked  <= 1'b0;
            column_1 <= 1'b0;
            row_1    <= 1'b0;
            column_2 <= 1'b0;
            row_2    <= 1'b0;
        end
    end
    reg [NAME_BITS-1:0]  own;
    reg [BANKS-1:0]      own_bank;
    reg [BURST_BITS-1:0] own_left;
    integer m;
    always @* begin
        own      = {NAME_BITS{1'b0}};
        own_bank = {BANKS{1'b0}};
        own_left = {BURST_BITS{1'b0}};
        for (m = 0; m < DEPTH; m = m + 1) begin
            own      = own | (name[m*NAME_BITS +: NAME_BITS] & {NAME_BITS{place_oh[m]}});
            own_bank = own_bank | (banks[m*BANKS +: BANKS] & {BANKS{place_oh[m]}});
            own_left = own_left | (bursts[m*BURST_BITS +: BURST_BITS] & {BURST_BITS{place_oh[m]}});
        end
    end

    always @* begin
        if (started) begin
            // A request enters exactly while fewer than DEPTH of its own queue are inside:
            // a full low queue never blocks high.
            ready_exactly_below_depth: assert (enter_ready == (inside < DEPTH));
            count_in_range: assert (inside <= DEPTH && (!gone || inside != 0));
            // Nothing is lost, doubled or changed: the arbitrary request stands at its
            // place by age, with the bursts that were not issued yet.
            if (tracked) begin
                at_its_place: assert (|(place_oh & taken_here) &&
                                      (place_oh & (place_oh - 1'b1)) == {DEPTH{1'b0}});
                unchanged: assert (own == {tag, row} && own_bank == BANK_0 << bank &&
                                   own_left == left && |(write_here & place_oh) == kind);
                bursts_left: assert (left != {BURST_BITS{1'b0}});
                // It is a candidate exactly as the rules say.
                column_candidate: assert (|(column_here & place_oh) == column_1);
                row_candidate: assert (|(row_here & place_oh) == row_1);
            end
            if (!tracked) begin
                nobody_no_candidate: assert (!column_1 && !row_1);
            end
            // Its column command bears its name, and says whether it is the last.
            if (its) begin
                own_command: assert (is_column && cmd_high_o == HIGH && cmd_bank_o == bank &&
                                     cmd_row_o == row && cmd_tag_o == tag &&
                                     cmd_last_o == (left == 1));
            end
            // FR: while it could be read, its queue issues no row command; FCFS: nor a
            // column command of a younger request.
            if (column_2) begin
                hits_first: assert (!(cmd_valid_o && cmd_high_o == HIGH) || is_column);
                hits_oldest_first: assert (!issues || |(from_here & place_2));
                // The oldest one goes, if it is not held up: progress.
                if (oldest_2 && (HIGH ? !low_first_1 : low_first_1 ||
                                 !(ROW_FIRST ? high_column_could_1 : high_could_1))) begin
                    oldest_hit_goes: assert (its);
                end
            end
            if (row_2 && HIGH && !low_first_1 && !(ROW_FIRST && low_column_could_1)) begin
                high_row_before_low: assert (!cmd_valid_o || cmd_high_o);
                if (oldest_2) begin
                    oldest_conflict_goes: assert (is_column || (cmd_tag_o == tag &&
                        cmd_bank_o == bank && cmd_row_o == row) || !cmd_valid_o);
                end
            end
            // High first: while a high one could go, none of low is issued. The turn first: while
            // its request could go, none of high.
            if (low_first_1) begin
                turn_before_high: assert (!cmd_valid_o || !cmd_high_o);
            end
            if (column_2 && HIGH && !low_first_1) begin
                high_column_before_low: assert (!cmd_valid_o || cmd_high_o);
            end

            // The state inside, which makes the induction close.
            in_order_of_age: assert ((taken_here & (taken_here + 1'b1)) == {DEPTH{1'b0}});
            as_many: assert (taken_here == (PLACE_0 << inside) - 1'b1 ||
                             (inside == DEPTH && &taken_here));
            one_bank_each: assert (&right_bank);
            fresh_after_an_activate: assert (&right_fresh);
            hit_banks_known: assert (&right_hit_banks);
            oldest_of_each_group: assert (&right_oldest && &right_group);
            any_known: assert (any_column == |column_here && any_row == |row_here);
            some_bursts: assert (&right_bursts);
            column_is_legal: assert (&right_column);
            no_waiting_read: assert (!reads_wait_1 || (column_here & ~write_here) == 0);
            no_waiting_write: assert (!writes_wait_1 || (column_here & write_here) == 0);
            row_is_legal: assert (&right_row);
            issue_is_legal: assert (&right_issue);
            issue_is_command: assert (issues == (is_column && cmd_high_o == HIGH));
            leave_is_last: assert (leaves == gone);
            if (issues) begin
                one_issued: assert (issued_oh != {DEPTH{1'b0}} &&
                                    (issued_oh & (issued_oh - 1'b1)) == {DEPTH{1'b0}});
                from_there_on: assert ((~from_here & (~from_here + 1'b1)) == {DEPTH{1'b0}});
            end
        end
        // The last burst of a request that an older one of its queue stands before.
        shows_row_hit_before_an_older:
            cover (started && tracked && its && left == 1 && kind && place_oh[1]);
        // One leaves a full queue as another asks to enter: it waits for the next cycle.
        full_and_still_asked: cover (started && inside == DEPTH && enter_valid && gone);
        full_queue_gives_one:
            cover (started && is_column && cmd_high_o == HIGH && cmd_last_o && inside == DEPTH);
    end
endmodule

`default_nettype wire
