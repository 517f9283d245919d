// SPDX-License-Identifier: Apache-2.0
// wm_fr_fcfs: the request queue of a DRAM controller; first ready, first come first served.
//
// Channels   req: a request arrives.  cmd: the command that is issued.  hold: banks to keep open.
//            *_ok: banks in which a command is legal in the next cycle (bank_timing, LEAD = 1).
// Timing     a request that arrives in cycle n takes part from n + 1 on, or when fewer than DEPTH
//            do, and may have its first command then. The choice in n is by the masks of n - 1, and
//            by the queue after the commands up to n - 1.
// Choice     the oldest hit whose column command is legal; else the oldest request whose bank's row
//            command is legal: an activate of a closed bank, or a precharge of one whose open row
//            no request that takes part wants and hold does not name.
// Order      with ORDER a request has no column command while an older one of its line is inside,
//            if one of the two is a write. It is a hit all the same.
// Same cycle ready ignores departures: a place is free in the cycle after a request's last command.
// Places     DEPTH + 1: a request keeps its place from its arrival on, and the youngest takes no
//            part while all are taken. A bit for each pair of places says which came first, and
//            one whether both want the same row of a bank, so an activate finds its hits at once.
//            The cycle between arrival and choice is for these comparisons.
// Limits     2 <= DEPTH <= 64, BANKS 2 to 64, a power of two, ROW_BITS 1 to 32, COLUMN_BITS 1 to
//            16, BURST_BITS 1 to 4, TAG_BITS 1 to 64, ORDER 0 or 1 (checked at elaboration); bursts
//            at least 1. *_ok describes the banks after this cycle's command: no read is legal in a
//            closed bank.
// Cost       with PLACES = DEPTH + 1:
//            PLACES * (BANKS + clog2(BANKS) + ROW_BITS + BURST_BITS + TAG_BITS + 5) +
//            PLACES * (PLACES - 1) + BANKS * (ROW_BITS + 6) + 1 flip-flops; ORDER: PLACES *
//            (COLUMN_BITS + 1) + PLACES * (PLACES - 1) / 2 more.
// Source     Rixner et al., ISCA 2000; the order of banks is GPGPU-Sim's. See dram/fr_fcfs.h.
// Twins      cmodel/dram/fr_fcfs.c  tb/dram/fr_fcfs_test.c  tb/dram/fr_fcfs_props.v
//            waves/dram/fr_fcfs.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_fr_fcfs #(
    parameter integer DEPTH       = 16, // requests that the queue holds
    parameter integer BANKS       = 8,  // banks of the channel, a power of two
    parameter integer ROW_BITS    = 16, // bits of a row number
    parameter integer COLUMN_BITS = 5,  // bits of a line's number within its row
    parameter integer BURST_BITS  = 2,  // bits of a number of bursts
    parameter integer TAG_BITS    = 8,  // bits that name a request
    parameter integer ORDER       = 0   // 1: no request passes an older one of its line
) (
    input  wire                     clk_i,          // clock
    input  wire                     rst_i,          // synchronous: empty, all closed, all legal
    input  wire                     req_valid_i,    // a request arrives, if req_ready_o
    input  wire [$clog2(BANKS)-1:0] req_bank_i,     // its bank
    input  wire [ROW_BITS-1:0]      req_row_i,      // its row
    input  wire [COLUMN_BITS-1:0]   req_column_i,   // its line within the row
    input  wire                     req_write_i,    // it is a write
    input  wire [BURST_BITS-1:0]    req_bursts_i,   // its column commands, 1 or more
    input  wire [TAG_BITS-1:0]      req_tag_i,      // its name
    output wire                     req_ready_o,    // it arrives at this edge if req_valid_i
    input  wire [BANKS-1:0]         hold_i,         // banks whose open row is not closed
    output wire                     cmd_valid_o,    // a command is issued in this cycle
    output wire [1:0]               cmd_kind_o,     // 0 column, 1 activate, 2 precharge
    output wire [$clog2(BANKS)-1:0] cmd_bank_o,     // its bank
    output wire [BANKS-1:0]         cmd_bank_oh_o,  // the same, one-hot
    output wire [ROW_BITS-1:0]      cmd_row_o,      // the row of its request
    output wire                     cmd_write_o,    // its request is a write
    output wire [BURST_BITS-1:0]    cmd_bursts_o,   // columns left of its request, with this one
    output wire                     cmd_last_o,     // a column command, the last of its request
    output wire [TAG_BITS-1:0]      cmd_tag_o,      // name of its request
    input  wire [BANKS-1:0]         read_ok_i,      // late: banks in which a read is legal in the
                                                    // next cycle, after this cycle's command
    input  wire [BANKS-1:0]         write_ok_i,     // late: the same for a write
    input  wire [BANKS-1:0]         precharge_ok_i, // late: the same for closing an open row
    input  wire [BANKS-1:0]         activate_ok_i   // late: the same for opening one
);
    localparam integer BANK_BITS = $clog2(BANKS);
    localparam integer PLACES    = DEPTH + 1;
    // Tag, row, bank in both forms (one-hot below), write.
    localparam integer WORD_BITS = TAG_BITS + BANK_BITS + ROW_BITS + BANKS + 1;
    localparam [BURST_BITS-1:0] ONE = {{(BURST_BITS-1){1'b0}}, 1'b1};

    generate
        if (DEPTH < 2 || DEPTH > 64 || BANKS < 2 || BANKS > 64 || (1 << BANK_BITS) != BANKS ||
            ROW_BITS < 1 || ROW_BITS > 32 || COLUMN_BITS < 1 || COLUMN_BITS > 16 ||
            BURST_BITS < 1 || BURST_BITS > 4 || TAG_BITS < 1 || TAG_BITS > 64 || ORDER < 0 ||
            ORDER > 1) begin : g_illegal
            wm_fr_fcfs_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_LOWEST_OF(lowest_of, PLACES)
    `WM_WORD_OF(word_of, PLACES, WORD_BITS)
    `WM_WORD_OF(bursts_of, PLACES, BURST_BITS)

    reg [PLACES-1:0]           valid_q, valid_d; // places with a request
    reg                        full_q, full_d;   // all of them
    reg [PLACES-1:0]           newest_q;         // place of the request that came last
    reg [PLACES-1:0]           hit_q, hit_d;     // its row is open, and not since the last cycle
    reg [PLACES-1:0]           opens_q, opens_d; // its activate was in the last cycle
    reg [PLACES-1:0]           held_q;           // an older one of its line is inside
    reg [PLACES*WORD_BITS-1:0] word_q;           // place by place, as the burst counts
    reg [PLACES*BURST_BITS-1:0] bursts_q;
    reg [BANKS-1:0]            open_q, open_d;   // banks with an open row
    reg [BANKS*ROW_BITS-1:0]   open_row_q;       // that row, bank by bank
    reg [BANKS-1:0]            kept_q, kept_d;   // banks with a hit that takes part
    // Bank of the last request, if it has not taken part and its row was open when it came.
    reg [BANKS-1:0]            wish_q, wish_d;
    reg [BANKS-1:0]            read_q, write_q, row_q; // banks in which a command is legal now

    // A bit for each pair of places: [a * PLACES + b] of place a and place b. Only the bits with
    // a < b are read, so synthesis drops the others.
    reg  [PLACES*PLACES-1:0] precedes_q; // a came earlier than b
    reg  [PLACES*PLACES-1:0] same_q;     // both want the same row of the same bank
    reg  [PLACES*PLACES-1:0] waits_q;    // the younger one waits for the older one
    // A whole row for each place, from these bits. By loops, because a Verilated model would have a
    // variable for each pair that has a wire, four thousand at DEPTH = 64.
    function [PLACES*PLACES-1:0] all_pairs(input [PLACES*PLACES-1:0] upper, input inverted,
                                           input with_itself);
        integer i, j;
        for (i = 0; i < PLACES; i = i + 1) begin
            all_pairs[i*PLACES + i] = with_itself;
            for (j = i + 1; j < PLACES; j = j + 1) begin
                all_pairs[i*PLACES + j] = upper[i*PLACES + j];
                all_pairs[j*PLACES + i] = upper[i*PLACES + j] ^ inverted;
            end
        end
    endfunction
    wire [PLACES*PLACES-1:0] precedes = all_pairs(precedes_q, 1'b1, 1'b0);
    wire [PLACES*PLACES-1:0] same     = all_pairs(same_q, 1'b0, 1'b1);
    wire [PLACES*PLACES-1:0] waits    = ORDER != 0 ? all_pairs(waits_q, 1'b0, 1'b0)
                                                   : {PLACES*PLACES{1'b0}};

    // --- each place ---
    wire [PLACES-1:0]       write;
    wire [PLACES*COLUMN_BITS-1:0] line; // with ORDER: within the row
    wire [PLACES-1:0]       last;   // with one burst left
    wire [PLACES-1:0]       closed; // its bank has no open row
    wire [PLACES-1:0]       hit;    // its row is open
    wire [PLACES-1:0]       held;   // an older one of its line stays inside
    wire [PLACES-1:0]       more;   // another request wants its row
    wire [PLACES-1:0]       column, column_oh; // candidates for a column, the oldest of them
    wire [PLACES-1:0]       row, row_oh;       // the same for a row command

    // --- the request that arrives ---
    wire                 comes     = req_valid_i && !full_q;
    wire [PLACES-1:0]    place     = lowest_of(~valid_q) & {PLACES{comes}};
    wire [BANKS-1:0]     new_bank  = {{(BANKS-1){1'b0}}, 1'b1} << req_bank_i;
    wire [WORD_BITS-1:0] new_word  = {req_tag_i, req_bank_i, req_row_i, new_bank, req_write_i};
    wire [BANKS-1:0]     new_hits;  // its bank, if its row is open there
    wire [PLACES-1:0]    new_same;  // places that want the same row
    wire [PLACES-1:0]    new_waits; // and the same line, for which it waits

    // --- the choice ---
    wire [PLACES-1:0]    active      = valid_q & ~(newest_q & {PLACES{full_q}}); // they take part
    wire [BANKS-1:0]     rows        = row_q & ~kept_q & ~(hold_i & open_q);
    wire                 any_column  = |column;
    wire                 any_row     = |row;
    // The winner of each kind is read before it is known which kind wins.
    wire [WORD_BITS-1:0] column_word = word_of(word_q, column_oh);
    wire [WORD_BITS-1:0] row_word    = word_of(word_q, row_oh);
    wire [WORD_BITS-1:0] chosen      = column_word | (row_word & {WORD_BITS{!any_column}});
    wire [BANKS-1:0]     cmd_bank    = chosen[1 +: BANKS];

    // --- what becomes of the requests ---
    wire [PLACES-1:0] leaves    = column_oh & last;
    wire [PLACES-1:0] opens     = row_oh & closed; // if no column command is issued
    wire              activates = |opens && !any_column;
    wire              closes    = any_row && !(|opens) && !any_column;
    wire [BANKS-1:0]  opened    = cmd_bank & {BANKS{activates}};
    // A row is closed although the request that does not take part wants it.
    wire [BANKS-1:0]  wish       = full_q ? wish_q : new_hits & {BANKS{comes}};
    wire              wish_ends = closes && |(row_word[1 +: BANKS] & wish);

    genvar a, b;
    generate
        for (b = 0; b < BANKS; b = b + 1) begin : g_bank
            assign new_hits[b] = new_bank[b] && open_q[b] &&
                                 open_row_q[b*ROW_BITS +: ROW_BITS] == req_row_i;
            always @(posedge clk_i) begin
                if (!open_q[b]) begin // read while it is open: the last one is its activate's
                    open_row_q[b*ROW_BITS +: ROW_BITS] <= row_word[1 + BANKS +: ROW_BITS];
                end
            end
        end

        for (a = 0; a < PLACES; a = a + 1) begin : g_place
            // Without its tag.
            wire [WORD_BITS-TAG_BITS-1:0] word = word_q[a*WORD_BITS +: WORD_BITS - TAG_BITS];
            wire [BURST_BITS-1:0]   bursts = bursts_q[a*BURST_BITS +: BURST_BITS];
            wire [BANKS-1:0]        mine = word[1 +: BANKS];
            localparam [PLACES-1:0] SELF = {{(PLACES-1){1'b0}}, 1'b1} << a;
            // Places that this one came after; of others that want its row.
            wire [PLACES-1:0]       older  = ~precedes[a*PLACES +: PLACES] & ~SELF;
            wire [PLACES-1:0]       others = same[a*PLACES +: PLACES] & valid_q & ~SELF;
            assign write[a]      = word[0];
            assign last[a]       = bursts == ONE;
            assign closed[a]     = !(|(mine & open_q));
            assign held[a]       = |(older & waits[a*PLACES +: PLACES] & valid_q & ~leaves);
            assign more[a]       = |others;
            assign column[a]     = active[a] && hit[a] && !held_q[a] &&
                                   (write[a] ? |(mine & write_q) : |(mine & read_q));
            assign row[a]        = active[a] && |(mine & rows);
            assign column_oh[a]  = column[a] && !(|(column & older));
            assign row_oh[a]     = row[a] && !(|(row & older));
            assign hit[a]        = hit_q[a] || |(opens_q & same[a*PLACES +: PLACES]);
            assign new_same[a]   = valid_q[a] && word[1 + BANKS +: ROW_BITS + BANK_BITS] ==
                                                 {req_bank_i, req_row_i};
            always @(posedge clk_i) begin
                if (place[a]) begin
                    word_q[a*WORD_BITS +: WORD_BITS] <= new_word;
                end
                if (place[a] || column_oh[a]) begin
                    bursts_q[a*BURST_BITS +: BURST_BITS] <= place[a] ? req_bursts_i : bursts - 1'b1;
                end
                precedes_q[a*PLACES +: PLACES] <= place[a] ? {PLACES{1'b0}} :
                    precedes_q[a*PLACES +: PLACES] | place;
                same_q[a*PLACES +: PLACES] <= place[a] ? new_same :
                    (same_q[a*PLACES +: PLACES] & ~place) | (place & {PLACES{new_same[a]}});
                waits_q[a*PLACES +: PLACES] <= place[a] ? new_waits :
                    (waits_q[a*PLACES +: PLACES] & ~place) | (place & {PLACES{new_waits[a]}});
            end
            if (ORDER != 0) begin : g_line
                reg [COLUMN_BITS-1:0] line_q;
                always @(posedge clk_i) begin
                    if (place[a]) begin
                        line_q <= req_column_i;
                    end
                end
                assign line[a*COLUMN_BITS +: COLUMN_BITS] = line_q;
                assign new_waits[a] = new_same[a] && line_q == req_column_i &&
                                      (write[a] || req_write_i);
            end else begin : g_any_line
                assign line[a*COLUMN_BITS +: COLUMN_BITS] = {COLUMN_BITS{1'b0}};
                assign new_waits[a] = 1'b0;
            end
        end
    endgenerate
    wire unused_lines = &{1'b0, req_column_i, line}; // without ORDER

    always @* begin
        valid_d = (valid_q & ~leaves) | place;
        full_d  = &(valid_q | place) && !(|leaves);
        hit_d   = (hit & ~leaves & ~place & ~(newest_q & {PLACES{full_q && wish_ends}})) |
                  (place & {PLACES{|new_hits && !wish_ends}});
        opens_d = opens & {PLACES{!any_column}};
        open_d  = (open_q | opened) & ~(cmd_bank & {BANKS{closes}});
        wish_d  = wish & ~(row_word[1 +: BANKS] & {BANKS{closes}});
        // A hit that leaves alone keeps its bank's row no more; all others take part then.
        kept_d  = (kept_q & ~(column_word[1 +: BANKS] & {BANKS{|(leaves & ~more)}})) | opened |
                  (wish_d & {BANKS{!full_d}});
        if (rst_i) begin
            valid_d = {PLACES{1'b0}};
            full_d  = 1'b0;
            hit_d   = {PLACES{1'b0}};
            opens_d = {PLACES{1'b0}};
            open_d  = {BANKS{1'b0}};
            kept_d  = {BANKS{1'b0}};
            wish_d = {BANKS{1'b0}};
        end
    end

    always @(posedge clk_i) begin
        valid_q <= valid_d;
        hit_q   <= hit_d;
        opens_q <= opens_d;
        open_q  <= open_d;
        kept_q  <= kept_d;
        wish_q  <= wish_d;
        read_q  <= read_ok_i & {BANKS{!rst_i}};
        write_q <= write_ok_i & {BANKS{!rst_i}};
        row_q   <= precharge_ok_i | activate_ok_i | {BANKS{rst_i}};
        full_q  <= full_d;
        held_q  <= (held & ~place) | (place & {PLACES{|(new_waits & ~leaves)}});
        if (comes) begin
            newest_q <= place;
        end
    end

    assign req_ready_o   = !full_q;
    assign cmd_valid_o   = any_column || any_row;
    assign cmd_kind_o    = {closes, activates};
    assign cmd_bank_o    = chosen[1 + BANKS + ROW_BITS +: BANK_BITS];
    assign cmd_bank_oh_o = cmd_bank;
    assign cmd_row_o     = chosen[1 + BANKS +: ROW_BITS];
    assign cmd_write_o   = chosen[0];
    assign cmd_bursts_o  = bursts_of(bursts_q, column_oh);
    assign cmd_last_o    = |leaves;
    assign cmd_tag_o     = chosen[WORD_BITS-1 -: TAG_BITS];
endmodule

`default_nettype wire
