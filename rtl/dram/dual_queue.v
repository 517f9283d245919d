// SPDX-License-Identifier: Apache-2.0
// wm_dual_queue: two request queues of a DRAM controller, high for mostly-hit warps and low for all
// others. Each is FR-FCFS; high goes first.
//
// Channels   high, low: a request enters its queue.  cmd: the command that is issued.
//            *_ok: banks in which a command is legal LEAD = 2 cycles from now.
// Timing     a request that enters in cycle n is a candidate from n + 1. One of the candidates of n
//            is chosen in n + 1 and issued in n + 2. Column commands are issued every second cycle
//            at most, row commands in the cycles between. The state in n + 1 includes commands of
//            n.
// Choice     the high queue serves the banks for which it holds a request, the low queue all
//            others. In each bank the hits of that queue are column candidates; if there are none,
//            its requests are candidates for a row command. The oldest candidate of the first
//            nonempty class is issued: high column, high row, low column, low row.
// Row first  all hits are column candidates, and no other request for the bank of a hit is one. The
//            classes are: high column, low column, high row, low row.
// Turn       the low queue's oldest request gets a turn after BOUND high column commands, until it
//            leaves. It alone is served in its bank; while its row is open, columns of the other
//            direction wait; while it is a candidate, the low queue goes before the high one.
// Same cycle the column command being issued hides column candidates, a row command hides row
//            candidates. A choice for the bank of the command being issued is dropped, because the
//            masks did not include that command. ready ignores departures and the other queue.
// Limits     2 <= DEPTH <= 128, BANKS 2 to 64, a power of two, ROW_BITS 1 to 32, BURST_BITS 1 to 4,
//            TAG_BITS 1 to 64, BOUND at most 255, ROW_FIRST 0 or 1 (checked at elaboration); bursts
//            at least 1. *_ok describes the banks after this cycle's command: no read is legal in a
//            closed bank.
// Cost       2 * DEPTH * (BANKS + ROW_BITS + BURST_BITS + TAG_BITS + 9) + BANKS * (ROW_BITS + 4) +
//            4 * DEPTH / (DEPTH > 16 ? 8 : 4) + clog2(BOUND + 1) flip-flops and the command.
// Source     Ausavarungnirun et al., PACT 2015, section 4.4. See cmodel/dram/dual_queue.h.
// Twins      cmodel/dram/dual_queue.c  tb/dram/dual_queue_test.c  tb/dram/dual_queue_props.v
//            waves/dram/dual_queue.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_dual_queue #(
    parameter integer DEPTH      = 16, // requests each queue holds
    parameter integer BANKS      = 8,  // banks of the channel, a power of two
    parameter integer ROW_BITS   = 16, // bits of a row number
    parameter integer BURST_BITS = 2,  // bits of a number of bursts
    parameter integer TAG_BITS   = 8,  // bits that name a request
    parameter integer BOUND      = 0,  // high columns that pass the oldest low request; 0: no turns
    parameter integer ROW_FIRST  = 0   // 1: hits of both queues before another row
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_i,          // synchronous; queues empty, all rows closed
    input  wire                     high_valid_i,   // a request of a mostly-hit warp asks to enter
    input  wire [$clog2(BANKS)-1:0] high_bank_i,    // its bank
    input  wire [ROW_BITS-1:0]      high_row_i,     // its row
    input  wire                     high_write_i,   // it is a write
    input  wire [BURST_BITS-1:0]    high_bursts_i,  // its column commands, 1 or more
    input  wire [TAG_BITS-1:0]      high_tag_i,     // its name
    output wire                     high_ready_o,   // it enters at this edge if high_valid_i
    input  wire                     low_valid_i,    // another request asks to enter
    input  wire [$clog2(BANKS)-1:0] low_bank_i,     // its bank
    input  wire [ROW_BITS-1:0]      low_row_i,      // its row
    input  wire                     low_write_i,    // it is a write
    input  wire [BURST_BITS-1:0]    low_bursts_i,   // its column commands, 1 or more
    input  wire [TAG_BITS-1:0]      low_tag_i,      // its name
    output wire                     low_ready_o,    // it enters at this edge if low_valid_i
    output wire                     cmd_valid_o,    // a command is issued in this cycle
    output wire [1:0]               cmd_kind_o,     // 0 column, 1 activate, 2 precharge
    output wire [$clog2(BANKS)-1:0] cmd_bank_o,     // its bank
    output wire [ROW_BITS-1:0]      cmd_row_o,      // the row of its request
    output wire                     cmd_high_o,     // for a request of the high queue
    output wire                     cmd_last_o,     // a column command, the last of its request
    output wire [TAG_BITS-1:0]      cmd_tag_o,      // name of its request
    input  wire [BANKS-1:0]         read_ok_i,      // late: banks in which a read is legal in
                                                    // LEAD cycles, after this cycle's command
    input  wire [BANKS-1:0]         write_ok_i,     // late: the same for a write
    input  wire [BANKS-1:0]         precharge_ok_i, // late: the same for closing an open row
    input  wire [BANKS-1:0]         activate_ok_i   // late: the same for opening one
);
    localparam integer BANK_BITS = $clog2(BANKS);
    localparam integer GROUP     = DEPTH > 16 ? 8 : 4; // places that are read out together
    localparam integer GROUPS    = (DEPTH + GROUP - 1) / GROUP;
    localparam integer PLACES    = GROUPS * GROUP;
    localparam integer LOW       = 0;
    localparam integer HIGH      = 1;
    localparam integer NAME_BITS = TAG_BITS + ROW_BITS;  // tag, row
    localparam integer WORD_BITS = NAME_BITS + BANKS;    // name, bank: one-hot
    localparam integer HALF      = ROW_BITS / 2;
    localparam integer LOWER     = HALF < 1 ? 1 : HALF;  // bits of a row's lower half

    generate
        if (DEPTH < 2 || DEPTH > 128 || BANKS < 2 || BANKS > 64 || (1 << BANK_BITS) != BANKS ||
            ROW_BITS < 1 || ROW_BITS > 32 || BURST_BITS < 1 || BURST_BITS > 4 ||
            TAG_BITS < 1 || TAG_BITS > 64 || BOUND < 0 || BOUND > 255 ||
            ROW_FIRST < 0 || ROW_FIRST > 1) begin : g_illegal
            wm_dual_queue_parameters_out_of_range illegal ();
        end
    endgenerate

    // A queue keeps its requests in the order of age, the oldest in place 0: bit p of a vector of
    // places belongs to the request with p older ones.

    // Moves places: an entry of `up` takes the bit of the next younger one.
    function [DEPTH-1:0] move(input [DEPTH-1:0] places, input [DEPTH-1:0] up);
        move = (places & ~up) | ((places >> 1) & up);
    endfunction

    // The places, padded to whole groups.
    function [PLACES-1:0] place_all(input [DEPTH-1:0] places);
        begin
            place_all = {PLACES{1'b0}};
            place_all[DEPTH-1:0] = places;
        end
    endfunction

    // Keeps the oldest given entry of each group.
    function [DEPTH-1:0] oldest_of(input [DEPTH-1:0] entries);
        integer p;
        reg     older;
        begin
            older = 1'b0;
            for (p = 0; p < DEPTH; p = p + 1) begin
                older        = older && p % GROUP != 0;
                oldest_of[p] = entries[p] && !older;
                older        = older || entries[p];
            end
        end
    endfunction

    // Marks the groups with one of the given entries.
    function [GROUPS-1:0] groups_of(input [DEPTH-1:0] entries);
        integer p;
        begin
            groups_of = {GROUPS{1'b0}};
            for (p = 0; p < DEPTH; p = p + 1) begin
                groups_of[p / GROUP] = groups_of[p / GROUP] || entries[p];
            end
        end
    endfunction

    // Keeps the first of the given groups.
    `WM_LOWEST_OF(first_of, GROUPS)

    // Marks each place from the oldest of the given group on.
    function [DEPTH-1:0] from_place(input [DEPTH-1:0] oldest, input [GROUPS-1:0] group);
        integer p;
        reg     in_group, after;
        begin
            in_group = 1'b0;
            after    = 1'b0;
            for (p = 0; p < DEPTH; p = p + 1) begin
                in_group      = oldest[p] || (in_group && p % GROUP != 0);
                from_place[p] = after || (in_group && group[p / GROUP]);
                after         = after || (p % GROUP == GROUP - 1 && group[p / GROUP]);
            end
        end
    endfunction

    // Reads the marked one of a group's words.
    `WM_WORD_OF(read_place, GROUP, WORD_BITS)

    // Reads the marked group's word.
    `WM_WORD_OF(read_group, GROUPS, WORD_BITS)

    // Marks the banks of the given entries.
    `WM_WORD_OF(banks_of, DEPTH, BANKS)

    // The mark of a bank number, and the number of a marked bank.
    function [BANKS-1:0] bank_oh(input [BANK_BITS-1:0] bank);
        bank_oh = {{(BANKS-1){1'b0}}, 1'b1} << bank;
    endfunction

    `WM_NUMBER_OF(bank_of, BANKS, BANK_BITS)

    reg                       cmd_valid_q, cmd_valid_d;
    reg                       columns_q, columns_d;     // the command is for a column,
    reg                       activates_q, activates_d; // opens a row,
    reg                       closes_q, closes_d;       // closes one,
    reg                       rows_q, rows_d;           // does either
    reg                       cmd_high_q, cmd_high_d;
    reg                       cmd_last_q, cmd_last_d;
    reg  [NAME_BITS-1:0]      cmd_name_q, cmd_name_d;
    reg  [BANKS-1:0]          cmd_bank_q, cmd_bank_d;   // one-hot
    reg  [BANKS-1:0]          open_q, open_d;           // banks with an open row
    reg  [BANKS*ROW_BITS-1:0] open_row_q;               // that row, bank by bank

    wire [ROW_BITS-1:0] cmd_row = cmd_name_q[ROW_BITS-1:0];
    // The bank of the issued command; of an activate; of a precharge. None without one.
    wire [BANKS-1:0]    issued  = cmd_bank_q & {BANKS{cmd_valid_q}};
    wire [BANKS-1:0]    opened  = cmd_bank_q & {BANKS{activates_q}};
    wire [BANKS-1:0]    closed  = cmd_bank_q & {BANKS{closes_q}};
    wire [BANKS-1:0]    row_ok  = (open_q & precharge_ok_i) | (~open_q & activate_ok_i);

    always @* begin
        open_d = (open_q | opened) & ~closed;
        if (rst_i) begin
            open_d = {BANKS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        open_q <= open_d;
    end

    genvar q, b, g, p;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : g_open_row
            always @(posedge clk_i) begin
                if (opened[b]) begin
                    open_row_q[b*ROW_BITS +: ROW_BITS] <= cmd_row;
                end
            end
        end
    endgenerate

    // Signals of both queues: low is 0, high is 1.
    wire [1:0]              enter_valid = {high_valid_i, low_valid_i};
    wire [2*BANK_BITS-1:0]  enter_bank  = {high_bank_i, low_bank_i};
    wire [2*ROW_BITS-1:0]   enter_row   = {high_row_i, low_row_i};
    wire [1:0]              enter_write = {high_write_i, low_write_i};
    wire [2*BURST_BITS-1:0] enter_bursts = {high_bursts_i, low_bursts_i};
    wire [2*TAG_BITS-1:0]   enter_tag   = {high_tag_i, low_tag_i};
    wire [1:0]              full;
    wire [BANKS-1:0]        high_banks;  // banks with a high request
    wire [2*BANKS-1:0]      served;      // banks that this queue serves
    wire [BANKS-1:0]        low_hits;    // banks with a low hit; but see low_found
    wire                    low_found;   // a low hit that was just found
    wire [1:0]              any_column, any_row; // such a candidate may be chosen
    wire [1:0]              use_column, use_row; // and is: no queue before it has any
    // With ROW_FIRST a low column candidate goes before a high row candidate.
    wire                    low_hit_goes = ROW_FIRST != 0 && any_column[LOW];
    wire [2*WORD_BITS-1:0]  chosen;      // name and bank of the chosen request, else zeros
    // The choice may be issued, because the command being issued is for another bank: a column; the
    // last column of its request; a row command. And: the bank of the row command is open.
    wire [1:0]              free_column, free_last, free_row, row_open;

    // The low queue's oldest request: it exists; is a hit after this cycle's command; is a write;
    // was a column or row candidate in the last cycle; leaves with the command being issued.
    wire oldest_taken, oldest_hits, oldest_write, oldest_column, oldest_row, oldest_leaves;
    wire [BANKS-1:0] oldest_bank; // its bank, one-hot
    wire [BANKS-1:0] turn_bank;   // the same if it has the turn
    wire             has_turn;
    wire             reads_wait, writes_wait; // columns of the other direction wait for the turn
    wire [BANKS-1:0] read_ok, write_ok;
    localparam integer PASSED_BITS = BOUND < 1 ? 1 : $clog2(BOUND + 1);
    wire [PASSED_BITS-1:0] passed; // high columns since the oldest low request is that, up to BOUND

    generate
        if (BOUND == 0) begin : g_no_turns
            assign served     = {{BANKS{1'b1}}, ~high_banks};
            assign use_column = {any_column[HIGH],
                                 any_column[LOW] && !any_column[HIGH] &&
                                 (low_hit_goes || !any_row[HIGH])};
            assign use_row    = {any_row[HIGH] && !any_column[HIGH] && !low_hit_goes,
                                 any_row[LOW] && !any_column[LOW] && !any_column[HIGH] &&
                                 !any_row[HIGH]};
            assign read_ok    = read_ok_i;
            assign write_ok   = write_ok_i;
            assign turn_bank  = {BANKS{1'b0}};
            assign has_turn   = 1'b0;
            assign {reads_wait, writes_wait} = 2'b00;
            assign passed     = 1'b0;
            wire unused_turns = &{1'b0, oldest_taken, oldest_hits, oldest_write, oldest_column,
                                  oldest_row, oldest_leaves, oldest_bank, passed, turn_bank,
                                  has_turn, reads_wait, writes_wait};
        end else begin : g_turns
            localparam [PASSED_BITS-1:0] ALL = BOUND[PASSED_BITS-1:0];
            reg [PASSED_BITS-1:0] passed_q, passed_d;
            reg                   turn_q, turn_d; // passed is ALL
            // A hit that has the turn makes the other direction wait.
            reg                   reads_wait_q, reads_wait_d;
            reg                   writes_wait_q, writes_wait_d;
            always @* begin
                passed_d = passed;
                if (columns_q && cmd_high_q && oldest_taken && !turn_q) begin
                    passed_d = passed + 1'b1;
                end
                if (oldest_leaves || rst_i) begin
                    passed_d = {PASSED_BITS{1'b0}};
                end
                turn_d        = passed_d == ALL;
                reads_wait_d  = turn_d && oldest_hits && oldest_write;
                writes_wait_d = turn_d && oldest_hits && !oldest_write;
            end
            always @(posedge clk_i) begin
                passed_q      <= passed_d;
                turn_q        <= turn_d;
                reads_wait_q  <= reads_wait_d;
                writes_wait_q <= writes_wait_d;
            end
            wire low_first    = turn_q && ((oldest_column && !columns_q) || // it is a candidate
                                           (oldest_row && !rows_q));
            wire low_goes     = low_first || (!any_column[HIGH] &&
                                              (low_hit_goes || !any_row[HIGH]));
            assign served     = {~turn_bank, ~high_banks | turn_bank};
            assign use_column = {any_column[HIGH] && !low_first, any_column[LOW] && low_goes};
            assign use_row    = {any_row[HIGH] && !any_column[HIGH] && !low_hit_goes &&
                                 !low_first,
                                 any_row[LOW] && !any_column[LOW] && low_goes};
            assign read_ok    = read_ok_i & {BANKS{!reads_wait}};
            assign write_ok   = write_ok_i & {BANKS{!writes_wait}};
            assign turn_bank  = oldest_bank & {BANKS{turn_q}};
            assign has_turn   = turn_q;
            assign {reads_wait, writes_wait} = {reads_wait_q, writes_wait_q};
            assign passed     = passed_q;
        end
    endgenerate

    generate
        for (q = 0; q < 2; q = q + 1) begin : g_queue
            reg  [DEPTH-1:0]            taken_q, taken_d; // places with a request
            reg  [DEPTH*NAME_BITS-1:0]  name_q;           // place by place, as all words below
            reg  [DEPTH*BANKS-1:0]      bank_q;           // one-hot; zeros where no request is
            reg  [DEPTH*BURST_BITS-1:0] bursts_q;
            reg  [DEPTH-1:0]            write_q;
            reg  [DEPTH-1:0]            hit_q, hit_d;     // its row is open; but see fresh_q
            reg  [BANKS-1:0]            hit_banks_q, hit_banks_d; // banks with one in hit_q
            // After an activate: requests for its bank; those among them whose row has the same
            // upper half; those with the same lower half. A request in both joins hit_q.
            reg  [DEPTH-1:0]            fresh_q, fresh_d;
            reg  [DEPTH-1:0]            upper_q, upper_d;
            reg  [DEPTH-1:0]            lower_q, lower_d;
            // Candidates of the last cycle: the oldest of each group; groups with one; any.
            reg  [DEPTH-1:0]            column_q, column_d;
            reg  [DEPTH-1:0]            row_q, row_d;
            reg  [GROUPS-1:0]           column_group_q, column_group_d;
            reg  [GROUPS-1:0]           row_group_q, row_group_d;
            reg                         any_column_q, any_column_d;
            reg                         any_row_q, any_row_d;
            reg  [DEPTH-1:0]            from_q, from_d;     // places from the issued column's on
            reg                         issues_q, issues_d; // a column command of this queue
            reg                         leaves_q, leaves_d; // with it a request leaves

            // --- the command being issued, and the request that enters ---
            wire [DEPTH-1:0]     issued_oh  = from_q & ~(from_q << 1) & {DEPTH{issues_q}};
            wire [DEPTH-1:0]     up         = from_q & {DEPTH{leaves_q}};
            wire [DEPTH-1:0]     going_oh   = up & ~(up << 1); // it leaves
            // The bank of the issued column, if its request stays, which is a hit there.
            wire [BANKS-1:0]     stays      = cmd_bank_q & {BANKS{issues_q && !leaves_q}};
            wire [DEPTH-1:0]     next_taken = taken_q >> 1;
            wire [DEPTH-1:0]     oldest_oh  = {{(DEPTH-1){1'b0}}, 1'b1};
            wire [DEPTH-1:0]     first_free = ~taken_q & ((taken_q << 1) | oldest_oh);
            wire [DEPTH-1:0]     youngest   = taken_q & ~next_taken;
            wire                 enters     = enter_valid[q] && !taken_q[DEPTH-1];
            wire                 follows    = enters && leaves_q; // into the place that gets free
            wire                 joins      = enter_valid[q] && !leaves_q; // into a free one
            wire [DEPTH-1:0]     enters_oh  = (youngest & {DEPTH{follows}}) |
                                              (first_free & {DEPTH{joins}});
            // Places whose request changes.
            wire [DEPTH-1:0]     moves      = (up & taken_q) | (first_free & {DEPTH{joins}});
            wire [BANKS-1:0]     bank_in    = bank_oh(enter_bank[q*BANK_BITS +: BANK_BITS]);
            wire [ROW_BITS-1:0]  row_in     = enter_row[q*ROW_BITS +: ROW_BITS];
            wire [NAME_BITS-1:0] name_in    = {enter_tag[q*TAG_BITS +: TAG_BITS], row_in};

            // --- each bank ---
            // Each bank compares its open row, because selecting one row first takes too long.
            wire [BANKS-1:0] enters_open; // the bank that the new one is for, if its row is open
            for (b = 0; b < BANKS; b = b + 1) begin : g_bank
                assign enters_open[b] = open_q[b] && !closed[b] && bank_in[b] &&
                                        open_row_q[b*ROW_BITS +: ROW_BITS] == row_in;
            end
            wire [DEPTH-1:0] found     = upper_q & lower_q;
            wire             any_found = |found;
            wire [DEPTH-1:0] hit       = hit_q | found;
            wire [BANKS-1:0] any_hit;
            // With ROW_FIRST hits of the low queue are served in every bank.
            wire [BANKS-1:0] for_hits  = ROW_FIRST != 0 && q == LOW ? {BANKS{1'b1}} :
                                         served[q*BANKS +: BANKS];
            wire [BANKS-1:0] reads     = for_hits & read_ok;
            wire [BANKS-1:0] writes    = for_hits & write_ok;
            wire [BANKS-1:0] rows      = served[q*BANKS +: BANKS] & row_ok & ~any_hit;
            // A hit that was just found keeps its bank's other requests from closing the row.
            wire [DEPTH-1:0] found_with;
            if (q == LOW && BOUND != 0) begin : g_turn
                assign any_hit    = (turn_bank & {BANKS{hit_q[0]}}) | (~turn_bank & hit_banks_q);
                assign found_with = {{(DEPTH-1){any_found}}, has_turn ? found[0] : any_found};
            end else if (q == HIGH && ROW_FIRST != 0) begin : g_row_first
                assign any_hit    = hit_banks_q | low_hits;
                assign found_with = {DEPTH{any_found || low_found}};
            end else begin : g_no_turn
                assign any_hit    = hit_banks_q;
                assign found_with = {DEPTH{any_found}};
            end
            if (q == HIGH) begin : g_high
                reg  [BANKS-1:0] banks_q, banks_d; // with a request
                always @* begin
                    banks_d = banks_of(bank_q, ~issued_oh) | stays | (bank_in & {BANKS{enters}});
                    if (rst_i) begin
                        banks_d = {BANKS{1'b0}};
                    end
                end
                always @(posedge clk_i) begin
                    banks_q <= banks_d;
                end
                assign high_banks = banks_q;
            end

            // --- each place ---
            wire [DEPTH-1:0] opening, closing; // requests for the bank of an activate, a precharge
            wire [DEPTH-1:0] upper, lower;     // rows like the command's
            wire [DEPTH-1:0] may_read, may_write, may_row;
            wire [DEPTH-1:0] last;             // with one burst left
            wire [PLACES*WORD_BITS-1:0] words;
            for (p = 0; p < PLACES; p = p + 1) begin : g_place
                if (p < DEPTH) begin : g_taken
                    localparam integer YOUNGER = p < DEPTH - 1 ? p + 1 : p;
                    wire [NAME_BITS-1:0]  name = name_q[p*NAME_BITS +: NAME_BITS];
                    wire [BANKS-1:0]      bank = bank_q[p*BANKS +: BANKS];
                    wire [BURST_BITS-1:0] left = bursts_q[p*BURST_BITS +: BURST_BITS];
                    wire [BANKS-1:0]      able; // its bank, if it may be a candidate there
                    if (q == LOW && BOUND != 0 && p > 0) begin : g_behind
                        assign able = bank & ~turn_bank;
                    end else begin : g_able
                        assign able = bank;
                    end
                    assign opening[p]   = |(bank & opened);
                    assign closing[p]   = |(bank & closed);
                    assign upper[p]     = name[ROW_BITS-1:HALF] == cmd_row[ROW_BITS-1:HALF];
                    assign lower[p]     = name[LOWER-1:0] == cmd_row[LOWER-1:0];
                    assign may_read[p]  = |(able & reads);
                    assign may_write[p] = |(able & writes);
                    assign may_row[p]   = |(able & rows);
                    assign last[p]      = left == {{(BURST_BITS-1){1'b0}}, 1'b1};
                    assign words[p*WORD_BITS +: WORD_BITS] = {name, bank};
                    always @(posedge clk_i) begin
                        if (moves[p]) begin
                            name_q[p*NAME_BITS +: NAME_BITS] <= next_taken[p] ?
                                name_q[YOUNGER*NAME_BITS +: NAME_BITS] : name_in;
                            write_q[p] <= next_taken[p] ? write_q[YOUNGER] : enter_write[q];
                        end
                        if (moves[p] || issued_oh[p]) begin
                            bursts_q[p*BURST_BITS +: BURST_BITS] <= !moves[p] ? left - 1'b1 :
                                next_taken[p] ? bursts_q[YOUNGER*BURST_BITS +: BURST_BITS] :
                                enter_bursts[q*BURST_BITS +: BURST_BITS];
                        end
                        if (rst_i) begin
                            bank_q[p*BANKS +: BANKS] <= {BANKS{1'b0}};
                        end else if (moves[p]) begin
                            bank_q[p*BANKS +: BANKS] <= next_taken[p] ?
                                bank_q[YOUNGER*BANKS +: BANKS] : bank_in & {BANKS{enters}};
                        end
                    end
                end else begin : g_none
                    assign words[p*WORD_BITS +: WORD_BITS] = {WORD_BITS{1'b0}};
                end
            end
            wire enters_fresh = |(bank_in & opened);
            wire enters_upper = enters_fresh &&
                                row_in[ROW_BITS-1:HALF] == cmd_row[ROW_BITS-1:HALF];
            wire enters_lower = row_in[LOWER-1:0] == cmd_row[LOWER-1:0];

            // --- candidates, where they stand in the next cycle ---
            wire [DEPTH-1:0] columns      = hit & ~going_oh &
                                            ((may_read & ~write_q) | (may_write & write_q));
            wire [DEPTH-1:0] waits        = fresh_q & found_with;
            wire [DEPTH-1:0] columns_next = move(columns, up);
            wire [DEPTH-1:0] rows_next    = move(may_row, up) & ~move(waits, up);

            // --- choice: the oldest ---
            // Each group reads out its column candidate and its row candidate while the choice
            // among all groups is made.
            assign any_column[q] = any_column_q && !columns_q;
            assign any_row[q]    = any_row_q && !rows_q;
            wire [PLACES-1:0] column_oh    = place_all(column_q);
            wire [PLACES-1:0] row_oh       = place_all(row_q);
            wire [GROUPS-1:0] column_first = first_of(column_group_q);
            wire [GROUPS-1:0] row_first    = first_of(row_group_q);
            wire [GROUPS-1:0] column_last  = groups_of(column_q & last);
            wire [GROUPS-1:0] column_free, row_free;
            wire [GROUPS*WORD_BITS-1:0] column_words, row_words;
            for (g = 0; g < GROUPS; g = g + 1) begin : g_group
                wire [GROUP*WORD_BITS-1:0] own = words[g*GROUP*WORD_BITS +: GROUP*WORD_BITS];
                wire [WORD_BITS-1:0] column = read_place(own, column_oh[g*GROUP +: GROUP]);
                wire [WORD_BITS-1:0] row    = read_place(own, row_oh[g*GROUP +: GROUP]);
                assign column_words[g*WORD_BITS +: WORD_BITS] = column;
                assign row_words[g*WORD_BITS +: WORD_BITS]    = row;
                assign column_free[g] = !(|(column[BANKS-1:0] & issued));
                assign row_free[g]    = !(|(row[BANKS-1:0] & issued));
            end
            wire [WORD_BITS-1:0] column_word = read_group(column_words, column_first);
            wire [WORD_BITS-1:0] row_word    = read_group(row_words, row_first);
            assign chosen[q*WORD_BITS +: WORD_BITS] = (column_word & {WORD_BITS{use_column[q]}}) |
                                                      (row_word & {WORD_BITS{use_row[q]}});
            assign free_column[q] = use_column[q] && |(column_first & column_free);
            assign free_last[q]   = use_column[q] && |(column_first & column_free & column_last);
            assign free_row[q]    = use_row[q] && |(row_first & row_free);
            assign row_open[q]    = |(row_word[BANKS-1:0] & open_q);

            always @* begin
                taken_d        = move(taken_q, up) | enters_oh;
                hit_d          = (move(hit, up) & ~closing) | (enters_oh & {DEPTH{|enters_open}});
                hit_banks_d    = (banks_of(bank_q, hit & ~issued_oh) & ~closed) | stays |
                                 (enters_open & {BANKS{enters}});
                // No request moves up in the cycle of an activate.
                fresh_d        = opening | (enters_oh & {DEPTH{enters_fresh}});
                upper_d        = (upper & opening) | (enters_oh & {DEPTH{enters_upper}});
                lower_d        = (lower & taken_q) | (enters_oh & {DEPTH{enters_lower}});
                column_d       = oldest_of(columns_next);
                row_d          = oldest_of(rows_next);
                column_group_d = groups_of(columns_next);
                row_group_d    = groups_of(rows_next);
                any_column_d   = |columns;
                any_row_d      = |(may_row & ~going_oh & ~waits);
                from_d         = from_place(column_q, column_first);
                issues_d       = free_column[q];
                leaves_d       = free_last[q];
                if (rst_i) begin
                    taken_d        = {DEPTH{1'b0}};
                    hit_d          = {DEPTH{1'b0}};
                    hit_banks_d    = {BANKS{1'b0}};
                    fresh_d        = {DEPTH{1'b0}};
                    upper_d        = {DEPTH{1'b0}};
                    column_d       = {DEPTH{1'b0}};
                    row_d          = {DEPTH{1'b0}};
                    column_group_d = {GROUPS{1'b0}};
                    row_group_d    = {GROUPS{1'b0}};
                    any_column_d   = 1'b0;
                    any_row_d      = 1'b0;
                    issues_d       = 1'b0;
                    leaves_d       = 1'b0;
                end
            end

            always @(posedge clk_i) begin
                taken_q        <= taken_d;
                hit_q          <= hit_d;
                hit_banks_q    <= hit_banks_d;
                fresh_q        <= fresh_d;
                upper_q        <= upper_d;
                lower_q        <= lower_d;
                column_q       <= column_d;
                row_q          <= row_d;
                column_group_q <= column_group_d;
                row_group_q    <= row_group_d;
                any_column_q   <= any_column_d;
                any_row_q      <= any_row_d;
                from_q         <= from_d;
                issues_q       <= issues_d;
                leaves_q       <= leaves_d;
            end

            assign full[q] = taken_q[DEPTH-1];
            if (q == LOW) begin : g_oldest
                assign low_hits      = hit_banks_q;
                assign low_found     = any_found;
                wire unused_hits     = &{1'b0, low_hits, low_found}; // without ROW_FIRST
                assign oldest_taken  = taken_q[0];
                assign oldest_hits   = (hit[0] && !closing[0]) ||
                                       (upper[0] && lower[0] && opening[0]);
                assign oldest_write  = write_q[0];
                assign oldest_column = column_q[0];
                assign oldest_row    = row_q[0];
                assign oldest_leaves = leaves_q && from_q[0];
                assign oldest_bank   = bank_q[BANKS-1:0];
            end
        end
    endgenerate

    always @* begin
        columns_d   = |free_column;
        rows_d      = |free_row;
        activates_d = |(free_row & ~row_open);
        closes_d    = |(free_row & row_open);
        if (rst_i) begin
            columns_d   = 1'b0;
            rows_d      = 1'b0;
            activates_d = 1'b0;
            closes_d    = 1'b0;
        end
        cmd_valid_d = columns_d || rows_d;
        cmd_high_d  = use_column[HIGH] || use_row[HIGH];
        cmd_last_d  = |free_last;
        {cmd_name_d, cmd_bank_d} = chosen[HIGH*WORD_BITS +: WORD_BITS] |
                                   chosen[LOW*WORD_BITS +: WORD_BITS];
    end

    always @(posedge clk_i) begin
        cmd_valid_q <= cmd_valid_d;
        columns_q   <= columns_d;
        activates_q <= activates_d;
        closes_q    <= closes_d;
        rows_q      <= rows_d;
        cmd_high_q  <= cmd_high_d;
        cmd_last_q  <= cmd_last_d;
        cmd_name_q  <= cmd_name_d;
        cmd_bank_q  <= cmd_bank_d;
    end

    assign high_ready_o = !full[HIGH];
    assign low_ready_o  = !full[LOW];
    assign cmd_valid_o  = cmd_valid_q;
    assign cmd_kind_o   = {closes_q, activates_q}; // 0 column, 1 activate, 2 precharge
    assign cmd_bank_o   = bank_of(cmd_bank_q);
    assign cmd_row_o    = cmd_row;
    assign cmd_high_o   = cmd_high_q;
    assign cmd_last_o   = cmd_last_q;
    assign cmd_tag_o    = cmd_name_q[NAME_BITS-1 -: TAG_BITS];
endmodule

`default_nettype wire
