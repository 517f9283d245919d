// SPDX-License-Identifier: Apache-2.0
// wm_row_prefetch: prefetches the rest of an open DRAM row into the L2 before the row is closed.
//
// Channels   act, pre, col: the controller opens a row; closes one; serves a demand's line.
//            pf: a line to prefetch.  hold: banks whose row must stay open in this cycle.
// Timing     a line that is chosen in cycle n is offered from n + 1 until pf_ready_i; the next one
//            is chosen in the cycle of pf_ready_i. act, col and the comparison of pending_i in
//            cycle n take effect in n + 1; an arrival of n changes the average from n + 2.
// Choice     a bank can go on if it is open, not wanted, has a line left and RULE allows it. Of
//            these the one after the last chosen bank is chosen, and in it the lowest line.
// Rules      RULE 1 stops at a demand for another row of the bank. RULE 2, once it has begun a row,
//            does not stop before LOWER lines of it, or HIGHER lines while fewer demands wait than
//            on average. It begins while no demand waits for another row; with START 1, always.
// Same cycle a line leaves its row, and counts, as it is chosen. So the next choice need not know
//            the offer, which holds its own bank open. A choice whose row is closed in its cycle
//            is dropped with the rest of that row.
// Limits     BANKS and LINES 2 to 64, powers of two, ROW_BITS 1 to 32, LOWER and HIGHER up to 64,
//            THRESHOLD up to 127, AVERAGE_SHIFT 2 to 8 (checked at elaboration). act names a closed
//            bank, pre an open bank that hold_o does not name, col an open and wanted bank.
// Cost       BANKS * (LINES + LINES / 8 + ROW_BITS + clog2(LINES + 1) + 4) + clog2(LINES)
//            flip-flops, and AVERAGE_SHIFT + 17 for the average.
// Source     OWL, ASPLOS 2013, section 4.4. See cmodel/dram/row_prefetch.h.
// Twins      cmodel/dram/row_prefetch.c  tb/dram/row_prefetch_test.c
//            tb/dram/row_prefetch_props.v  waves/dram/row_prefetch.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_row_prefetch #(
    parameter integer BANKS         = 4,  // banks of the channel, a power of two
    parameter integer LINES         = 32, // cache lines of a row, a power of two
    parameter integer ROW_BITS      = 32, // bits of a row number
    parameter integer RULE          = 2,  // 1: stop at a demand for another row; 2: at least LOWER
                                          // or HIGHER lines
    parameter integer LOWER         = 8,  // lines of a row that are offered whatever waits
    parameter integer HIGHER        = 16, // the same while few demands wait
    parameter integer THRESHOLD     = 0,  // few: fewer than this; 0: fewer than their average
    parameter integer AVERAGE_SHIFT = 4,  // the average moves by a 2^this-th of the difference
    parameter integer WRITTEN       = 0,  // rows that are opened for a write are prefetched too
    parameter integer START         = 0   // a row's first line: 0: only while no demand waits for
                                          // another row; 1: whatever waits
) (
    input  wire                     clk_i,       // clock
    input  wire                     rst_i,       // synchronous; no row is known, the average is 0
    input  wire [BANKS-1:0]         open_i,      // banks with an open row
    input  wire [BANKS-1:0]         wanted_i,    // of these, a demand waits for the open row
    input  wire [BANKS-1:0]         other_i,     // of these, a demand waits for another row
    input  wire [7:0]               pending_i,   // demands that wait in the channel
    output wire                     pf_valid_o,  // a line is to be prefetched
    output wire [$clog2(BANKS)-1:0] pf_bank_o,   // its bank
    output wire [ROW_BITS-1:0]      pf_row_o,    // its row
    output wire [$clog2(LINES)-1:0] pf_line_o,   // its line within the row
    output wire [BANKS-1:0]         hold_o,      // banks whose row is not to be closed
    input  wire                     act_valid_i, // late: a row is opened
    input  wire [$clog2(BANKS)-1:0] act_bank_i,  // late: its bank
    input  wire [ROW_BITS-1:0]      act_row_i,   // late: its number
    input  wire                     act_write_i, // late: for a write
    input  wire                     pre_valid_i, // late: a row is closed
    input  wire [$clog2(BANKS)-1:0] pre_bank_i,  // late: its bank
    input  wire                     col_valid_i, // late: a demand's last column command
    input  wire [$clog2(BANKS)-1:0] col_bank_i,  // late: its bank
    input  wire [$clog2(LINES)-1:0] col_line_i,  // late: its line within the row
    input  wire                     arrival_i,   // late: one more demand comes
    input  wire                     pf_ready_i   // late: the offered line is taken at this edge
);
    localparam integer BANK_BITS  = $clog2(BANKS);
    localparam integer LINE_BITS  = $clog2(LINES);
    localparam integer GROUP      = LINES < 8 ? LINES : 8; // lines that are looked at together
    localparam integer GROUPS     = LINES / GROUP;
    localparam integer COUNT_BITS = $clog2(LINES + 1);
    localparam [BANKS-1:0] BANK_0 = 1;
    localparam [LINES-1:0] LINE_0 = 1;

    generate
        if (BANKS < 2 || BANKS > 64 || (1 << BANK_BITS) != BANKS || LINES < 2 || LINES > 64 ||
            (1 << LINE_BITS) != LINES || ROW_BITS < 1 || ROW_BITS > 32 || RULE < 1 || RULE > 2 ||
            LOWER < 0 || LOWER > 64 || HIGHER < 0 || HIGHER > 64 || THRESHOLD < 0 ||
            THRESHOLD > 127 || AVERAGE_SHIFT < 2 || AVERAGE_SHIFT > 8 || WRITTEN < 0 ||
            WRITTEN > 1 || START < 0 || START > 1) begin : g_illegal
            wm_row_prefetch_parameters_out_of_range illegal ();
        end
    endgenerate

    // Helpers of banks: the number of a marked one; its line; its row.
    `WM_NUMBER_OF(bank_of, BANKS, BANK_BITS)

    // Helpers of lines: the lowest one of a group; its number; the first group with one.
    `WM_LOWEST_OF(lowest_of, GROUP)

    `WM_NUMBER_OF(number_of, GROUP, LINE_BITS)
    `WM_LOWEST_OF(first_of, GROUPS)

    `WM_WORD_OF(line_of, BANKS, LINE_BITS)

    // The first line of each group.
    function [GROUPS*LINE_BITS-1:0] first_lines(input unused);
        integer i;
        for (i = 0; i < GROUPS; i = i + 1) begin
            first_lines[i*LINE_BITS +: LINE_BITS] = i[LINE_BITS-1:0] << $clog2(GROUP);
        end
    endfunction
    localparam [GROUPS*LINE_BITS-1:0] FIRST_LINE = first_lines(1'b0);

    `WM_WORD_OF(row_of, BANKS, ROW_BITS)

    wire [BANKS-1:0] opened = (BANK_0 << act_bank_i) & {BANKS{act_valid_i}};
    wire [BANKS-1:0] closed = (BANK_0 << pre_bank_i) & {BANKS{pre_valid_i}};
    wire [BANKS-1:0] served = (BANK_0 << col_bank_i) & {BANKS{col_valid_i}};
    wire [LINES-1:0] column = LINE_0 << col_line_i;

    // --- the rows ----------------------------------------------------------------------------
    // Flags mark the groups with a line, and the banks, so that no path goes through all lines of a
    // row. A reset, or a row that is not prefetched, clears the flags alone. Each bank has a
    // process of its own, because one process over the lines of all banks takes the tools long.
    reg  [BANKS*ROW_BITS-1:0]   row_q;
    reg  [BANKS*LINES-1:0]      left_q;  // neither served nor chosen, if the group has any
    reg  [BANKS*GROUPS-1:0]     group_q; // groups with such a line
    reg  [BANKS-1:0]            any_q;   // banks with such a group
    wire [BANKS*LINE_BITS-1:0]  line;    // the lowest line of each bank
    wire [BANKS-1:0]            chosen;  // the bank whose line is offered next
    wire                        fresh = WRITTEN != 0 || !act_write_i; // an opened row has all lines

    // A bank that is served is wanted, so no line of it is chosen.
    genvar g;
    generate
        for (g = 0; g < BANKS; g = g + 1) begin : g_bank
            wire [LINES-1:0]  left   = left_q[g*LINES +: LINES];
            wire [GROUPS-1:0] groups = group_q[g*GROUPS +: GROUPS];
            wire [GROUPS-1:0] first  = first_of(groups);

            reg  [LINES-1:0]     left_d;
            reg  [GROUPS-1:0]    groups_left, groups_then; // without a choice and with it
            reg  [LINE_BITS-1:0] lowest_line;
            reg  [GROUP-1:0]     lines, lowest, unserved;  // of a group

            integer k;
            always @* begin
                lines       = {GROUP{1'b0}};
                lowest      = {GROUP{1'b0}};
                unserved    = {GROUP{1'b0}};
                lowest_line = {LINE_BITS{1'b0}};
                groups_then = groups;
                for (k = 0; k < GROUPS; k = k + 1) begin
                    lines    = left[k*GROUP +: GROUP];
                    lowest   = lowest_of(lines);
                    unserved = lines & ~(column[k*GROUP +: GROUP] & {GROUP{served[g]}});
                    if (first[k]) begin
                        lowest_line = lowest_line | number_of(lowest) |
                                      FIRST_LINE[k*LINE_BITS +: LINE_BITS];
                        groups_then[k] = |(lines & ~lowest);
                    end
                    groups_left[k] = groups[k] && |unserved;
                    left_d[k*GROUP +: GROUP] = {GROUP{opened[g]}} |
                        (unserved & ~(lowest & {GROUP{first[k] && chosen[g]}}));
                end
            end

            assign line[g*LINE_BITS +: LINE_BITS] = lowest_line;

            // Both outcomes are computed, so that the late choice only selects one.
            wire [GROUPS-1:0] groups_0 = rst_i     ? {GROUPS{1'b0}} :
                                         opened[g] ? {GROUPS{fresh}} : groups_left;
            wire [GROUPS-1:0] groups_1 = rst_i     ? {GROUPS{1'b0}} :
                                         opened[g] ? {GROUPS{fresh}} : groups_then;

            always @(posedge clk_i) begin
                left_q[g*LINES +: LINES]    <= left_d;
                group_q[g*GROUPS +: GROUPS] <= chosen[g] ? groups_1 : groups_0;
                any_q[g]                    <= chosen[g] ? |groups_1 : |groups_0;
                if (opened[g]) begin
                    row_q[g*ROW_BITS +: ROW_BITS] <= act_row_i;
                end
            end
        end
    endgenerate

    // --- the rule ----------------------------------------------------------------------------
    wire [BANKS-1:0] ready = open_i & ~wanted_i & any_q;
    wire [BANKS-1:0] forced; // banks whose row gets lines whatever waits
    wire             some;   // they get any, if nothing else waits

    // The counts of lines; the average times 2^AVERAGE_SHIFT; and its change by an arrival, an edge
    // later.
    localparam integer SUM_BITS = 8 + AVERAGE_SHIFT;
    wire [BANKS*COUNT_BITS-1:0] counts;
    wire [SUM_BITS-1:0]         sum;
    wire [8:0]                  move; // signed

    generate
        if (RULE == 1) begin : g_stop
            assign forced = {BANKS{1'b0}};
            assign some   = 1'b1;
            assign counts = {(BANKS*COUNT_BITS){1'b0}};
            assign sum    = {SUM_BITS{1'b0}};
            assign move   = 9'd0;
            wire unused_average = &{1'b0, pending_i, arrival_i, counts, sum, move};
        end else begin : g_least
            localparam [7:0] LOWER_LINES  = LOWER[7:0];
            localparam [7:0] HIGHER_LINES = HIGHER[7:0];

            wire few; // fewer demands wait than on average

            if (THRESHOLD != 0) begin : g_threshold
                assign few = pending_i < THRESHOLD[7:0];
                assign sum  = {SUM_BITS{1'b0}};
                assign move = 9'd0;
                wire unused_arrival = &{1'b0, arrival_i, sum, move};
            end else begin : g_average
                reg  [SUM_BITS-1:0] sum_q, sum_d;
                reg  [8:0]          move_q, move_d;
                wire [7:0]          average = sum[SUM_BITS-1:AVERAGE_SHIFT];

                assign sum  = sum_q;
                assign move = move_q;
                assign few  = {pending_i, {AVERAGE_SHIFT{1'b0}}} < sum;

                always @* begin
                    sum_d  = sum + {{AVERAGE_SHIFT{move[8]}}, move[7:0]};
                    move_d = {1'b0, pending_i} - {1'b0, average};
                    if (rst_i) begin
                        sum_d = {SUM_BITS{1'b0}};
                    end
                    if (rst_i || !arrival_i) begin
                        move_d = 9'd0;
                    end
                end

                always @(posedge clk_i) begin
                    sum_q  <= sum_d;
                    move_q <= move_d;
                end
            end

            // Is a count below the lines that a row gets whatever waits? LOWER and HIGHER are
            // arguments because tools warn of a comparison with the constant 0.
            function is_below(input [7:0] count, input is_few, input [7:0] lower,
                              input [7:0] higher);
                is_below = is_few ? count < higher : count < lower;
            endfunction

            wire none_is_below = is_below(8'd0, few, LOWER_LINES, HIGHER_LINES);

            reg  [BANKS*COUNT_BITS-1:0] count_q; // lines chosen since the row was opened
            reg  [BANKS-1:0]            forced_q;
            reg                         some_q;

            for (g = 0; g < BANKS; g = g + 1) begin : g_count
                wire [COUNT_BITS-1:0] count = counts[g*COUNT_BITS +: COUNT_BITS];
                wire [COUNT_BITS-1:0] up    = count + 1'b1;

                always @(posedge clk_i) begin
                    count_q[g*COUNT_BITS +: COUNT_BITS] <= chosen[g] ? up : count;
                    forced_q[g] <= chosen[g] ? is_below({{(8-COUNT_BITS){1'b0}}, up}, few,
                                                        LOWER_LINES, HIGHER_LINES)
                                             : is_below({{(8-COUNT_BITS){1'b0}}, count}, few,
                                                        LOWER_LINES, HIGHER_LINES) &&
                                               (START != 0 || |count);
                    if (opened[g]) begin
                        count_q[g*COUNT_BITS +: COUNT_BITS] <= {COUNT_BITS{1'b0}};
                        forced_q[g] <= START != 0 && none_is_below;
                    end
                end
            end

            always @(posedge clk_i) begin
                some_q <= none_is_below;
            end

            assign forced = forced_q;
            assign some   = some_q;
            assign counts = count_q;
        end
    endgenerate

    // --- the offer ---------------------------------------------------------------------------
    reg  [BANKS-1:0]     offer_q, offer_d; // its bank; none without one
    reg  [LINE_BITS-1:0] line_q, line_d;
    wire [BANKS-1:0]     next;             // the bank in turn, if the offer is taken
    wire                 free = !pf_valid_o || pf_ready_i;
    wire                 unused_next_valid;
    wire [BANK_BITS-1:0] unused_next_index;

    wm_round_robin_arbiter #(.REQUESTERS(BANKS)) turn (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .req_valid_i(ready & (forced | (~other_i & {BANKS{some}}))),
        .grant_valid_o(unused_next_valid),
        .grant_oh_o(next),
        .grant_index_o(unused_next_index),
        .grant_taken_i(free)
    );

    assign chosen = next & {BANKS{free}};

    always @* begin
        offer_d = offer_q;
        line_d  = line_q;
        if (free) begin
            offer_d = next & ~closed;
            line_d  = line_of(line, next);
        end
        if (rst_i) begin
            offer_d = {BANKS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        offer_q <= offer_d;
        line_q  <= line_d;
    end

    assign pf_valid_o = |offer_q;
    assign pf_bank_o  = bank_of(offer_q);
    assign pf_row_o   = row_of(row_q, offer_q);
    assign pf_line_o  = line_q;
    assign hold_o     = (ready & forced) | offer_q;
endmodule

`default_nettype wire
