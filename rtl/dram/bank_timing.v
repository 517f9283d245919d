// SPDX-License-Identifier: Apache-2.0
// wm_bank_timing: which commands the DRAM's timing allows in each bank of a channel.
//
// Channels   cmd: the command of this cycle.  The masks: a bit a bank.
// Timing     the masks of cycle n include the command of n, and say what is legal in n + LEAD if
//            no command is issued in between.
// Counters   each rule counts down from its command: a bank's row, read, write and activate, a
//            group's columns, and the whole channel's columns, reads, writes and activates. Each
//            activate starts one of four and of 32 counters for the windows.
// Limits     2 <= BANKS <= 64, 1 <= GROUPS <= 16 and <= BANKS: powers of two. LEAD 1 or 2,
//            times 1 to 511, windows to 4095 (checked at elaboration). cmd is legal.
// Cost       4 * BANKS + GROUPS + 4 counters of clog2(longest time + 2) bits, BANKS flip-flops,
//            and with windows 4 and 32 counters of theirs.
// Source     GPGPU-Sim's rules as cmodel/dram/timing.h derives them; JEDEC for the windows.
// Twins      cmodel/dram/bank_timing.c
//            tb/dram/bank_timing_test.c
//            tb/dram/bank_timing_props.v
//            waves/dram/bank_timing.gtkw
`default_nettype none

module wm_bank_timing #(
    parameter integer BANKS          = 16, // banks of the channel, a power of two
    parameter integer GROUPS         = 4,  // bank groups, a power of two
    parameter integer LOW_GROUPS     = 0,  // 1: the bank's low bits are its group; 0: its high bits
    parameter integer LEAD           = 2,  // cycles from the masks to the command that they allow
    parameter integer RCD_READ       = 12, // activate to read
    parameter integer RCD_WRITE      = 7,  // activate to write
    parameter integer COLUMN         = 2,  // column to column command
    parameter integer COLUMN_GROUP   = 3,  // the same in a bank group, COLUMN or more
    parameter integer READ_TO_WRITE  = 12, // read to write
    parameter integer WRITE_TO_READ  = 11, // write to read
    parameter integer READ_TO_CLOSE  = 2,  // read to precharge, same bank
    parameter integer WRITE_TO_CLOSE = 18, // write to precharge, same bank
    parameter integer RAS            = 28, // activate to precharge, same bank
    parameter integer RP             = 12, // precharge to activate, same bank
    parameter integer RC             = 40, // activate to activate, same bank
    parameter integer RRD            = 6,  // activate to activate, other bank
    parameter integer FAW            = 0,  // window of at most 4 activates; 0: none
    parameter integer AW32           = 0   // window of at most 32 activates; 0: none
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_i,          // synchronous: all banks closed, all legal
    input  wire                     cmd_valid_i,    // a command is issued; it is legal
    input  wire [1:0]               cmd_kind_i,     // 0 column, 1 activate, 2 precharge
    input  wire                     cmd_write_i,    // of a column command: it is a write
    input  wire [BANKS-1:0]         cmd_bank_oh_i,  // its bank, one-hot
    output wire [BANKS-1:0]         open_o,         // banks with an open row, after this command
    output wire [BANKS-1:0]         read_ok_o,      // a read is legal in LEAD cycles
    output wire [BANKS-1:0]         write_ok_o,     // the same for a write
    output wire [BANKS-1:0]         precharge_ok_o, // for closing the row of an open bank
    output wire [BANKS-1:0]         activate_ok_o   // for opening a row in a closed bank
);
    function integer larger(input integer a, input integer b);
        larger = a > b ? a : b;
    endfunction

    function integer smaller(input integer a, input integer b);
        smaller = a < b ? a : b;
    endfunction

    localparam integer LONGEST   =
        larger(larger(larger(RCD_READ, RCD_WRITE), larger(COLUMN, COLUMN_GROUP)),
               larger(larger(larger(READ_TO_WRITE, WRITE_TO_READ),
                             larger(READ_TO_CLOSE, WRITE_TO_CLOSE)),
                      larger(larger(RAS, RP), larger(RC, larger(RRD, LEAD)))));
    localparam integer SHORTEST  =
        smaller(smaller(smaller(RCD_READ, RCD_WRITE), smaller(COLUMN, COLUMN_GROUP)),
                smaller(smaller(smaller(READ_TO_WRITE, WRITE_TO_READ),
                                smaller(READ_TO_CLOSE, WRITE_TO_CLOSE)),
                        smaller(smaller(RAS, RP), smaller(RC, RRD))));
    localparam integer TIME_BITS = $clog2(LONGEST + 2); // LEAD is not its most
    localparam [1:0]   ACTIVATE  = 2'd1;
    localparam [1:0]   PRECHARGE = 2'd2;

    generate
        if (BANKS < 2 || BANKS > 64 || (BANKS & (BANKS - 1)) != 0 || GROUPS < 1 || GROUPS > 16 ||
            (GROUPS & (GROUPS - 1)) != 0 || GROUPS > BANKS || LOW_GROUPS < 0 || LOW_GROUPS > 1 ||
            LEAD < 1 || LEAD > 2 || SHORTEST < 1 || LONGEST > 511 || FAW < 0 || FAW > 4095 ||
            AW32 < 0 ||
            AW32 > 4095) begin : g_illegal
            wm_bank_timing_parameters_out_of_range illegal ();
        end
    endgenerate

    // A counter after a cycle, the later of two, and one that lets a command pass in LEAD cycles.
    function [TIME_BITS-1:0] counted(input [TIME_BITS-1:0] left);
        counted = left == {TIME_BITS{1'b0}} ? left : left - 1'b1;
    endfunction
    function [TIME_BITS-1:0] later(input [TIME_BITS-1:0] a, input [TIME_BITS-1:0] b);
        later = a > b ? a : b;
    endfunction
    function passes(input [TIME_BITS-1:0] left);
        passes = left <= LEAD[TIME_BITS-1:0];
    endfunction
    function integer group_of(input integer bank);
        group_of = LOW_GROUPS != 0 ? bank % GROUPS : bank / (BANKS / GROUPS);
    endfunction

    reg [BANKS-1:0]            open_q, open_d;
    reg [BANKS*TIME_BITS-1:0]  row_q, row_d;           // to the bank's row command
    reg [BANKS*TIME_BITS-1:0]  activate_q, activate_d; // RC, to an activate
    reg [BANKS*TIME_BITS-1:0]  read_q, read_d;         // RCD
    reg [BANKS*TIME_BITS-1:0]  write_q, write_d;
    reg [GROUPS*TIME_BITS-1:0] group_q, group_d;       // to a column command
    reg [TIME_BITS-1:0]        column_q, column_d;     // of the channel, from here on
    reg [TIME_BITS-1:0]        reads_q, reads_d;
    reg [TIME_BITS-1:0]        writes_q, writes_d;
    reg [TIME_BITS-1:0]        activates_q, activates_d;

    wire column   = cmd_valid_i && cmd_kind_i != ACTIVATE && cmd_kind_i != PRECHARGE;
    wire activate = cmd_valid_i && cmd_kind_i == ACTIVATE;
    wire close    = cmd_valid_i && cmd_kind_i == PRECHARGE;
    wire windows_pass;

    // The command comes late in the cycle: counters, and whether they let a command pass, are ready
    // for each command that may come, and it selects among them. _d is after the edge.
    reg [BANKS-1:0]     row_ok, reads_here, writes_here;
    reg [GROUPS-1:0]    group_ok;
    reg                 column_ok, reads_ok, writes_ok, activates_ok;
    reg [TIME_BITS-1:0] left, closed, written, read;
    integer b;
    always @* begin
        open_d       = open_q;
        column_ok    = column ? passes(COLUMN[TIME_BITS-1:0]) : passes(column_q);
        column_d     = column ? counted(COLUMN[TIME_BITS-1:0]) : counted(column_q);
        activates_ok = activate ? passes(RRD[TIME_BITS-1:0]) : passes(activates_q);
        activates_d  = activate ? counted(RRD[TIME_BITS-1:0]) : counted(activates_q);
        written      = later(reads_q, WRITE_TO_READ[TIME_BITS-1:0]);
        read         = later(writes_q, READ_TO_WRITE[TIME_BITS-1:0]);
        reads_ok     = column && cmd_write_i ? passes(written) : passes(reads_q);
        reads_d      = column && cmd_write_i ? counted(written) : counted(reads_q);
        writes_ok    = column && !cmd_write_i ? passes(read) : passes(writes_q);
        writes_d     = column && !cmd_write_i ? counted(read) : counted(writes_q);
        for (b = 0; b < GROUPS; b = b + 1) begin
            left = group_q[b*TIME_BITS +: TIME_BITS];
            group_ok[b] = passes(left);
            group_d[b*TIME_BITS +: TIME_BITS] = counted(left);
        end
        for (b = 0; b < BANKS; b = b + 1) begin
            left    = row_q[b*TIME_BITS +: TIME_BITS];
            closed  = later(activate_q[b*TIME_BITS +: TIME_BITS], RP[TIME_BITS-1:0]);
            written = later(left, WRITE_TO_CLOSE[TIME_BITS-1:0]);
            read    = later(left, READ_TO_CLOSE[TIME_BITS-1:0]);
            row_ok[b]      = passes(left);
            reads_here[b]  = passes(read_q[b*TIME_BITS +: TIME_BITS]);
            writes_here[b] = passes(write_q[b*TIME_BITS +: TIME_BITS]);
            row_d[b*TIME_BITS +: TIME_BITS]      = counted(left);
            activate_d[b*TIME_BITS +: TIME_BITS] = counted(activate_q[b*TIME_BITS +: TIME_BITS]);
            read_d[b*TIME_BITS +: TIME_BITS]     = counted(read_q[b*TIME_BITS +: TIME_BITS]);
            write_d[b*TIME_BITS +: TIME_BITS]    = counted(write_q[b*TIME_BITS +: TIME_BITS]);
            if (cmd_bank_oh_i[b]) begin
                if (activate) begin
                    open_d[b]      = 1'b1;
                    row_ok[b]      = passes(RAS[TIME_BITS-1:0]);
                    reads_here[b]  = passes(RCD_READ[TIME_BITS-1:0]);
                    writes_here[b] = passes(RCD_WRITE[TIME_BITS-1:0]);
                    row_d[b*TIME_BITS +: TIME_BITS]      = counted(RAS[TIME_BITS-1:0]);
                    activate_d[b*TIME_BITS +: TIME_BITS] = counted(RC[TIME_BITS-1:0]);
                    read_d[b*TIME_BITS +: TIME_BITS]     = counted(RCD_READ[TIME_BITS-1:0]);
                    write_d[b*TIME_BITS +: TIME_BITS]    = counted(RCD_WRITE[TIME_BITS-1:0]);
                end
                if (close) begin
                    open_d[b] = 1'b0;
                    row_ok[b] = passes(closed);
                    row_d[b*TIME_BITS +: TIME_BITS] = counted(closed);
                end
                if (column) begin
                    row_ok[b] = cmd_write_i ? passes(written) : passes(read);
                    row_d[b*TIME_BITS +: TIME_BITS] = cmd_write_i ? counted(written)
                                                                  : counted(read);
                    group_ok[group_of(b)] = passes(COLUMN_GROUP[TIME_BITS-1:0]);
                    group_d[group_of(b)*TIME_BITS +: TIME_BITS] =
                        counted(COLUMN_GROUP[TIME_BITS-1:0]);
                end
            end
        end
    end

    // In the bank of this cycle's row command the open row is another one. Elsewhere it is that
    // before the command, which is known early.
    reg [BANKS-1:0] read_ok, write_ok, precharge_ok, activate_ok;
    integer         m;
    always @* begin
        for (m = 0; m < BANKS; m = m + 1) begin
            read_ok[m]      = open_q[m];
            write_ok[m]     = open_q[m];
            precharge_ok[m] = open_q[m];
            activate_ok[m]  = !open_q[m];
            if (cmd_bank_oh_i[m] && (activate || close)) begin
                read_ok[m]      = activate;
                write_ok[m]     = activate;
                precharge_ok[m] = activate;
                activate_ok[m]  = close;
            end
            activate_ok[m]  = activate_ok[m] && row_ok[m] && activates_ok && windows_pass;
            precharge_ok[m] = precharge_ok[m] && row_ok[m];
            read_ok[m]      = read_ok[m] && column_ok && reads_ok && reads_here[m] &&
                              group_ok[group_of(m)];
            write_ok[m]     = write_ok[m] && column_ok && writes_ok && writes_here[m] &&
                              group_ok[group_of(m)];
        end
    end

    always @(posedge clk_i) begin
        open_q      <= open_d;
        row_q       <= row_d;
        activate_q  <= activate_d;
        read_q      <= read_d;
        write_q     <= write_d;
        group_q     <= group_d;
        column_q    <= column_d;
        reads_q     <= reads_d;
        writes_q    <= writes_d;
        activates_q <= activates_d;
        if (rst_i) begin
            open_q      <= {BANKS{1'b0}};
            row_q       <= {BANKS*TIME_BITS{1'b0}};
            activate_q  <= {BANKS*TIME_BITS{1'b0}};
            read_q      <= {BANKS*TIME_BITS{1'b0}};
            write_q     <= {BANKS*TIME_BITS{1'b0}};
            group_q     <= {GROUPS*TIME_BITS{1'b0}};
            column_q    <= {TIME_BITS{1'b0}};
            reads_q     <= {TIME_BITS{1'b0}};
            writes_q    <= {TIME_BITS{1'b0}};
            activates_q <= {TIME_BITS{1'b0}};
        end
    end

    // Windows of 4 and of 32 activates: each starts a counter, in the place of the oldest of them.
    wire [1:0] window_passes;
    assign windows_pass = &window_passes;
    genvar w;
    generate
        for (w = 0; w < 2; w = w + 1) begin : g_window
            localparam integer PLACES     = w == 0 ? 4 : 32;
            localparam integer WINDOW     = w == 0 ? FAW : AW32;
            localparam integer PLACE_BITS = $clog2(PLACES);
            localparam integer BITS       = $clog2(larger(WINDOW, LEAD) + 2);
            if (WINDOW == 0) begin : g_none
                assign window_passes[w] = 1'b1;
            end else begin : g_some
                reg [PLACES*BITS-1:0] left_q, left_d;
                reg [PLACE_BITS-1:0]  next_q;
                wire [PLACE_BITS-1:0] next = activate ? next_q + 1'b1 : next_q;

                integer i;
                always @* begin
                    left_d = left_q;
                    for (i = 0; i < PLACES; i = i + 1) begin
                        if (activate && next_q == i[PLACE_BITS-1:0]) begin
                            left_d[i*BITS +: BITS] = WINDOW[BITS-1:0];
                        end
                    end
                end
                always @(posedge clk_i) begin
                    next_q <= next;
                    for (i = 0; i < PLACES; i = i + 1) begin
                        left_q[i*BITS +: BITS] <= left_d[i*BITS +: BITS] == {BITS{1'b0}} ?
                                                  {BITS{1'b0}} : left_d[i*BITS +: BITS] - 1'b1;
                    end
                    if (rst_i) begin
                        next_q <= {PLACE_BITS{1'b0}};
                        left_q <= {PLACES*BITS{1'b0}};
                    end
                end
                assign window_passes[w] = left_d[next*BITS +: BITS] <= LEAD[BITS-1:0];
            end
        end
    endgenerate

    assign open_o         = open_d;
    assign read_ok_o      = read_ok;
    assign write_ok_o     = write_ok;
    assign precharge_ok_o = precharge_ok;
    assign activate_ok_o  = activate_ok;
endmodule

`default_nettype wire
