// SPDX-License-Identifier: Apache-2.0
// wm_memory_channel: a DRAM controller: requests for lines in, DRAM commands out, read data back.
//
// Channels   req: a request for some bursts of a line; the line is a number within the channel.
//            ret: PORTS queues of read data; the low bits of the line choose the queue.
//            dfi: the DRAM, named as in DFI: cs_n, ras_n, cas_n, we_n, bank, address are the
//            command: activate 0011 with the row, read 0101 and write 0100 with the column in
//            bursts, precharge of one bank 0010, none 1xxx. wrdata with its mask (1: the byte
//            stays) from WL cycles after a write, BURST cycles long, with wrdata_en; rddata is
//            sampled from CL cycles after a read, as long, with rddata_en.
// Timing     a request accepted in cycle n takes part in the choice of commands of n + LATENCY, if
//            the scheduler has room. The last data of a read come CL + BURST - 1 cycles after its
//            last command; it is offered at ret in the next cycle.
// Commands   those of cmodel/dram/one_queue.c, cycle for cycle. Requests for one line are served in
//            order (ORDER). There is no refresh, as in the presets gtx480 and c2050-s: a DRAM that
//            forgets needs one between rst_i's.
// Credits    a read is accepted only while a place in ret is free for it, because the DRAM cannot
//            wait. req_ready_o therefore depends on req_write_i. A place is free from the cycle
//            after its line has left.
// Limits     CL >= WL >= 2, COLUMN >= BURST, LATENCY >= 4, BURSTS 1 to 8, BANKS 2 to 64 (checked at
//            elaboration), others as in wm_fr_fcfs, wm_bank_timing, wm_fifo. req_first_i +
//            req_bursts_i is at most BURSTS, req_bursts_i at least 1.
// Parameters the defaults are preset gtx480's. RETURNS is dram.return_queue + PORTS.
// Cost       SRAM: REQUESTS lines with their masks, RETURNS lines for each port, IDS lines for
//            writes and for reads between their bursts; flip-flops: those of the scheduler,
//            LATENCY, PORTS lines and a burst.
// Source     as wm_fr_fcfs. Replayed against the C model: tb/top/memory_channel_tb.v
// Twins      cmodel/dram/channel.h  cmodel/dram/border.h  tb/top/memory_channel_tb.v
//            waves/top/memory_channel.gtkw
`default_nettype none
`ifndef WM_ONEHOT
`include "onehot.vh"
`endif

module wm_memory_channel #(
    parameter integer DEPTH          = 16,  // requests that the scheduler chooses among
    parameter integer BANKS          = 8,   // banks of the channel, a power of two
    parameter integer GROUPS         = 4,   // bank groups, a power of two
    parameter integer LOW_GROUPS     = 0,   // 1: the bank's low bits are its group; 0: high bits
    parameter integer ROW_BITS       = 16,  // bits of a row number
    parameter integer COLUMN_BITS    = 5,   // bits of a line's number within its row
    parameter integer BANK_MASK      = 0,   // bits of a line that are its bank; 0: next ones
    parameter integer COLUMN_MASK    = 0,   // those that are its column; 0: the lowest
    parameter integer DATA_BITS      = 256, // data of a cycle, both edges of its data clocks
    parameter integer BURST          = 2,   // cycles of a burst
    parameter integer BURSTS         = 2,   // bursts of a line
    parameter integer TAG_BITS       = 8,   // bits that name a read
    parameter integer ORDER          = 1,   // 1: no request passes an older one of its line
    parameter integer PORTS          = 2,   // return queues, a power of two
    parameter integer REQUESTS       = 120, // requests before the scheduler, and two more
    parameter integer LATENCY        = 119, // cycles from the port to the scheduler
    parameter integer RETURNS        = 105, // reads inside, those that wait at ret included
    parameter integer CL             = 12,  // read command to data
    parameter integer WL             = 4,   // write command to data
    parameter integer RCD_READ       = 12,  // activate to read
    parameter integer RCD_WRITE      = 7,   // activate to write
    parameter integer COLUMN         = 2,   // column to column command
    parameter integer COLUMN_GROUP   = 3,   // the same in a bank group
    parameter integer READ_TO_WRITE  = 12,  // read to write
    parameter integer WRITE_TO_READ  = 11,  // write to read
    parameter integer READ_TO_CLOSE  = 2,   // read to precharge, same bank
    parameter integer WRITE_TO_CLOSE = 18,  // write to precharge, same bank
    parameter integer RAS            = 28,  // activate to precharge, same bank
    parameter integer RP             = 12,  // precharge to activate, same bank
    parameter integer RC             = 40,  // activate to activate, same bank
    parameter integer RRD            = 6,   // activate to activate, other bank
    parameter integer FAW            = 0,   // window of at most 4 activates; 0: none
    parameter integer AW32           = 0,   // window of at most 32 activates; 0: none
    // The rest follows from those above:
    parameter integer LINE_BITS      = ROW_BITS + $clog2(BANKS) + COLUMN_BITS, // of a line's number
    parameter integer BYTES          = DATA_BITS / 8 * BURST * BURSTS,         // bytes of a line
    parameter integer PLACE_BITS     = BURSTS > 1 ? $clog2(BURSTS) : 1, // of a burst in its line
    parameter integer ADDRESS_BITS   =                                  // of dfi_address_o
        ROW_BITS > COLUMN_BITS + PLACE_BITS ? ROW_BITS : COLUMN_BITS + PLACE_BITS
) (
    input  wire                        clk_i,             // clock of the DRAM's commands
    input  wire                        rst_i,             // synchronous: empty, all banks closed
    input  wire                        req_valid_i,       // a request asks to enter
    input  wire [LINE_BITS-1:0]        req_line_i,        // its line
    input  wire                        req_write_i,       // it is a write
    input  wire [PLACE_BITS-1:0]       req_first_i,       // its first burst in the line
    input  wire [$clog2(BURSTS+1)-1:0] req_bursts_i,      // its bursts
    input  wire [TAG_BITS-1:0]         req_tag_i,         // name of a read
    input  wire [8*BYTES-1:0]          req_data_i,        // data of a write, at their place
    input  wire [BYTES-1:0]            req_bytes_i,       // bytes that it writes
    output wire                        req_ready_o,       // it enters at this edge if req_valid_i
    output wire [PORTS-1:0]            ret_valid_o,       // a read's data are offered
    output wire [PORTS*TAG_BITS-1:0]   ret_tag_o,         // its name
    output wire [PORTS*8*BYTES-1:0]    ret_data_o,        // its line; only its bursts are defined
    input  wire [PORTS-1:0]            ret_ready_i,       // late: it leaves if ret_valid_o
    output wire                        dfi_cs_n_o,        // 0: a command
    output wire                        dfi_ras_n_o,       // row strobe
    output wire                        dfi_cas_n_o,       // column strobe
    output wire                        dfi_we_n_o,        // write enable
    output wire [$clog2(BANKS)-1:0]    dfi_bank_o,        // bank of the command
    output wire [ADDRESS_BITS-1:0]     dfi_address_o,     // row of an activate, column
    output wire                        dfi_wrdata_en_o,   // write data are on the bus
    output wire [DATA_BITS-1:0]        dfi_wrdata_o,      // write data
    output wire [DATA_BITS/8-1:0]      dfi_wrdata_mask_o, // 1: the byte is not written
    output wire                        dfi_rddata_en_o,   // read data are sampled at this edge
    input  wire [DATA_BITS-1:0]        dfi_rddata_i       // read data
);
    localparam integer BURST_BITS = $clog2(BURSTS + 1);
    localparam integer BANK_BITS  = $clog2(BANKS);
    localparam integer PORT_BITS  = PORTS > 1 ? $clog2(PORTS) : 1;
    localparam integer LINE       = 8 * BYTES;
    localparam integer PART       = DATA_BITS * BURST; // bits of a burst
    // A request keeps its id from before the scheduler to the last of its data.
    localparam integer HOLD       = CL + BURST - 1;    // cycles from the last command to these
    localparam integer IDS        = DEPTH + 3 + (HOLD - 1) / COLUMN;
    localparam integer ID_BITS    = $clog2(IDS);
    localparam integer WORD_BITS  =
        LINE + BYTES + TAG_BITS + BURST_BITS + PLACE_BITS + 1 + LINE_BITS; // of a request
    localparam integer NAME_BITS  = PORT_BITS + TAG_BITS;
    localparam integer KEY_BITS   = PLACE_BITS + COLUMN_BITS + ID_BITS; // the scheduler's tag
    localparam integer STEP_BITS  = 3 + PLACE_BITS + ID_BITS;

    generate
        if (WL < 2 || CL < WL || BURST < 1 || COLUMN < BURST || LATENCY < 4 || BURSTS < 1 ||
            BURSTS > 8 || BANKS < 2 || PORTS < 1 || (1 << $clog2(PORTS)) != PORTS ||
            RETURNS < 2) begin : g_illegal
            wm_memory_channel_parameters_out_of_range illegal ();
        end
    endgenerate

    `WM_LOWEST_OF(lowest_of, IDS)
    `WM_NUMBER_OF(number_of, IDS, ID_BITS)

    // --- requests wait, at least LATENCY cycles ---
    localparam integer WAIT_BITS   = $clog2(REQUESTS + 2);
    localparam integer CREDIT_BITS = $clog2(RETURNS + PORTS + 1);
    localparam [WAIT_BITS-1:0]   NONE_WAIT = {WAIT_BITS{1'b0}};
    localparam [CREDIT_BITS-1:0] NO_CREDIT = {CREDIT_BITS{1'b0}};

    reg [LATENCY-2:0]     way_q;    // requests by their age
    reg [WAIT_BITS-1:0]   wait_cnt; // those that are old enough
    reg [CREDIT_BITS-1:0] credit_q; // free places at ret
    reg                   head_q;   // the oldest one is before the scheduler
    wire                  room, offered, enters, sched_ready;
    wire [$clog2(REQUESTS+1)-1:0] unused_requests;
    wire [WORD_BITS-1:0]  word;
    // It arrives at the scheduler in the cycle before that in which it takes part.
    wire                  due     = way_q[LATENCY-2] || wait_cnt != NONE_WAIT;
    wire                  accepts = req_valid_i && req_ready_o;
    wire [PORTS-1:0]      leaving = ret_valid_o & ret_ready_i;

    assign req_ready_o = room && (req_write_i || credit_q != NO_CREDIT);
    assign enters      = due && head_q && sched_ready;

    function [CREDIT_BITS-1:0] count_of(input [PORTS-1:0] marks);
        integer i;
        begin
            count_of = NO_CREDIT;
            for (i = 0; i < PORTS; i = i + 1) begin
                count_of = count_of + {{(CREDIT_BITS-1){1'b0}}, marks[i]};
            end
        end
    endfunction

    always @(posedge clk_i) begin
        way_q    <= {way_q[LATENCY-3:0], accepts};
        wait_cnt <= wait_cnt + {{(WAIT_BITS-1){1'b0}}, way_q[LATENCY-2]} -
                    {{(WAIT_BITS-1){1'b0}}, enters};
        credit_q <= credit_q + count_of(leaving) -
                    {{(CREDIT_BITS-1){1'b0}}, accepts && !req_write_i};
        if (rst_i) begin
            way_q    <= {(LATENCY-1){1'b0}};
            wait_cnt <= NONE_WAIT;
            credit_q <= RETURNS[CREDIT_BITS-1:0];
        end
    end

    wm_fifo #(.DEPTH(REQUESTS), .DATA_BITS(WORD_BITS)) requests (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .enq_valid_i(accepts),
        .enq_data_i({req_data_i, req_bytes_i, req_tag_i, req_bursts_i, req_first_i, req_write_i,
                     req_line_i}),
        .enq_ready_o(room),
        .deq_valid_o(offered),
        .deq_data_o(word),
        .deq_ready_i(!head_q || enters),
        .count_o(unused_requests)
    );

    // The oldest one is in registers, because a large memory is slow; its data have left it.
    reg  [ID_BITS-1:0]     id_q; // of the request that comes next into these registers: free
    reg  [LINE_BITS-1:0]   line_q;
    reg                    write_q;
    reg  [PLACE_BITS-1:0]  end_q; // the place behind its last burst
    reg  [BURST_BITS-1:0]  bursts_q;
    reg  [ID_BITS-1:0]     head_id_q;
    wire                   comes = offered && (!head_q || enters);
    wire [LINE_BITS-1:0]   line;
    wire                   write;
    wire [PLACE_BITS-1:0]  first;
    wire [BURST_BITS-1:0]  bursts;
    wire [TAG_BITS-1:0]    tag;
    wire [LINE+BYTES-1:0]  data; // with the mask
    wire [ROW_BITS-1:0]    row;
    wire [BANK_BITS-1:0]   bank;
    wire [COLUMN_BITS-1:0] column;
    wire [PORT_BITS-1:0]   port = PORTS > 1 ? line[0 +: PORT_BITS] : {PORT_BITS{1'b0}};
    assign {data, tag, bursts, first, write, line} = word;
    always @(posedge clk_i) begin
        head_q <= (comes || (head_q && !enters)) && !rst_i;
        if (comes) begin
            line_q    <= line;
            write_q   <= write;
            end_q     <= first + bursts[PLACE_BITS-1:0];
            bursts_q  <= bursts;
            head_id_q <= id_q;
        end
    end

    wm_address_map #(
        .BANKS(BANKS), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS), .BANK_MASK(BANK_MASK),
        .COLUMN_MASK(COLUMN_MASK)
    ) map (
        .line_i(line_q),
        .row_o(row),
        .bank_o(bank),
        .column_o(column)
    );

    // --- ids ---
    reg  [IDS-1:0]     busy_q, busy_d;
    wire               ends; // all data of a request have passed
    wire [ID_BITS-1:0] ends_id;
    integer            n;
    always @* begin
        busy_d = busy_q;
        for (n = 0; n < IDS; n = n + 1) begin
            if (comes && id_q == n[ID_BITS-1:0]) begin
                busy_d[n] = 1'b1;
            end
            if (ends && ends_id == n[ID_BITS-1:0]) begin
                busy_d[n] = 1'b0;
            end
        end
        if (rst_i) begin
            busy_d = {IDS{1'b0}};
        end
    end
    always @(posedge clk_i) begin
        busy_q <= busy_d;
        id_q   <= number_of(lowest_of(~busy_d));
    end

    // --- commands ---
    wire                cmd_valid, cmd_write, cmd_last;
    wire [1:0]          cmd_kind;
    wire [BANK_BITS-1:0] cmd_bank;
    wire [BANKS-1:0]    cmd_bank_oh;
    wire [BURST_BITS-1:0] cmd_bursts;
    wire [ROW_BITS-1:0] cmd_row;
    wire [KEY_BITS-1:0] cmd_key;
    wire [BANKS-1:0]    read_ok, write_ok, precharge_ok, activate_ok, unused_open;

    wm_fr_fcfs #(
        .DEPTH(DEPTH), .BANKS(BANKS), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS),
        .BURST_BITS(BURST_BITS), .TAG_BITS(KEY_BITS), .ORDER(ORDER)
    ) scheduler (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .req_valid_i(due && head_q),
        .req_bank_i(bank),
        .req_row_i(row),
        .req_column_i(column),
        .req_write_i(write_q),
        .req_bursts_i(bursts_q),
        .req_tag_i({end_q, column, head_id_q}),
        .req_ready_o(sched_ready),
        .hold_i({BANKS{1'b0}}),
        .cmd_valid_o(cmd_valid),
        .cmd_kind_o(cmd_kind),
        .cmd_bank_o(cmd_bank),
        .cmd_bank_oh_o(cmd_bank_oh),
        .cmd_row_o(cmd_row),
        .cmd_write_o(cmd_write),
        .cmd_bursts_o(cmd_bursts),
        .cmd_last_o(cmd_last),
        .cmd_tag_o(cmd_key),
        .read_ok_i(read_ok),
        .write_ok_i(write_ok),
        .precharge_ok_i(precharge_ok),
        .activate_ok_i(activate_ok)
    );

    wm_bank_timing #(
        .BANKS(BANKS), .GROUPS(GROUPS), .LOW_GROUPS(LOW_GROUPS), .LEAD(1), .RCD_READ(RCD_READ),
        .RCD_WRITE(RCD_WRITE), .COLUMN(COLUMN), .COLUMN_GROUP(COLUMN_GROUP),
        .READ_TO_WRITE(READ_TO_WRITE), .WRITE_TO_READ(WRITE_TO_READ),
        .READ_TO_CLOSE(READ_TO_CLOSE), .WRITE_TO_CLOSE(WRITE_TO_CLOSE), .RAS(RAS), .RP(RP),
        .RC(RC), .RRD(RRD), .FAW(FAW), .AW32(AW32)
    ) timing (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cmd_valid_i(cmd_valid),
        .cmd_kind_i(cmd_kind),
        .cmd_write_i(cmd_write),
        .cmd_bank_oh_i(cmd_bank_oh),
        .open_o(unused_open),
        .read_ok_o(read_ok),
        .write_ok_o(write_ok),
        .precharge_ok_o(precharge_ok),
        .activate_ok_o(activate_ok)
    );

    // --- bursts: the place of a column command's data in the line ---
    wire                   moves = cmd_valid && cmd_kind == 2'd0; // a column command
    wire [ID_BITS-1:0]     cmd_id;
    wire [COLUMN_BITS-1:0] cmd_column;
    wire [PLACE_BITS-1:0]  cmd_end, cmd_place;
    assign {cmd_end, cmd_column, cmd_id} = cmd_key;
    assign cmd_place = cmd_end - cmd_bursts[PLACE_BITS-1:0];
    wire unused_bursts = &{1'b0, cmd_bursts};

    wire [COLUMN_BITS+PLACE_BITS-1:0] cmd_address;
    assign cmd_address   = BURSTS > 1 ? {cmd_column, cmd_place}
                                      : {{PLACE_BITS{1'b0}}, cmd_column};
    assign dfi_cs_n_o    = !cmd_valid;
    assign dfi_ras_n_o   = moves;
    assign dfi_cas_n_o   = !moves;
    assign dfi_we_n_o    = moves ? !cmd_write : cmd_kind == 2'd1;
    assign dfi_bank_o    = cmd_bank;
    assign dfi_address_o =
        moves ? {{(ADDRESS_BITS - COLUMN_BITS - PLACE_BITS){1'b0}}, cmd_address} :
        cmd_kind == 2'd1 ? {{(ADDRESS_BITS - ROW_BITS){1'b0}}, cmd_row} : {ADDRESS_BITS{1'b0}};

    // --- column commands of the last cycles: [k] of k cycles ago ---
    reg  [HOLD*STEP_BITS-1:0]     steps_q;
    wire [(HOLD+1)*STEP_BITS-1:0] steps =
        {steps_q, moves, cmd_write, cmd_last, cmd_place, cmd_id};
    wire [HOLD:0]             step_reads, step_writes, step_last;
    wire [(HOLD+1)*PLACE_BITS-1:0] step_place;
    wire [(HOLD+1)*ID_BITS-1:0] step_id;
    always @(posedge clk_i) begin
        steps_q <= steps[HOLD*STEP_BITS-1:0];
        if (rst_i) begin
            steps_q <= {HOLD*STEP_BITS{1'b0}};
        end
    end
    genvar i, p;
    generate
        for (i = 0; i <= HOLD; i = i + 1) begin : g_step
            wire valid, is_write;
            assign {valid, is_write, step_last[i], step_place[i*PLACE_BITS +: PLACE_BITS],
                    step_id[i*ID_BITS +: ID_BITS]} = steps[i*STEP_BITS +: STEP_BITS];
            assign step_reads[i]  = valid && !is_write;
            assign step_writes[i] = valid && is_write;
        end
    endgenerate
    wire unused_steps = &{1'b0, step_id, step_place, step_last, step_reads, step_writes};
    assign ends    = (step_reads[HOLD] || step_writes[HOLD]) && step_last[HOLD];
    assign ends_id = step_id[HOLD*ID_BITS +: ID_BITS];

    // --- write data: from the request to the DRAM ---
    wire [LINE+BYTES-1:0]  written;
    reg  [BURST-1:0]       beat_oh_q;   // of the burst on the bus: its cycle
    reg  [PLACE_BITS-1:0]  out_place_q; // its place in the line
    reg  [DATA_BITS-1:0]   beat;
    reg  [DATA_BITS/8-1:0] beat_bytes;
    integer                k;
    always @* begin
        beat       = {DATA_BITS{1'b0}};
        beat_bytes = {DATA_BITS/8{1'b0}};
        for (k = 0; k < BURST; k = k + 1) begin
            if (beat_oh_q[k]) begin
                beat       = written[BYTES + out_place_q*PART + k*DATA_BITS +: DATA_BITS];
                beat_bytes = written[out_place_q*PART/8 + k*DATA_BITS/8 +: DATA_BITS/8];
            end
        end
    end
    always @(posedge clk_i) begin
        beat_oh_q <= beat_oh_q << 1;
        if (step_writes[WL-1]) begin
            beat_oh_q   <= {{(BURST-1){1'b0}}, 1'b1};
            out_place_q <= step_place[(WL-1)*PLACE_BITS +: PLACE_BITS];
        end
        if (rst_i) begin
            beat_oh_q <= {BURST{1'b0}};
        end
    end
    assign dfi_wrdata_en_o   = |beat_oh_q;
    assign dfi_wrdata_o      = beat;
    assign dfi_wrdata_mask_o = ~beat_bytes;

    wm_sram_1r1w #(.WORDS(IDS), .DATA_BITS(LINE + BYTES)) writes (
        .clk_i(clk_i),
        .wr_en_i(comes && write),
        .wr_addr_i(id_q),
        .wr_data_i(data),
        .rd_en_i(step_writes[WL-1]),
        .rd_addr_i(step_id[(WL-1)*ID_BITS +: ID_BITS]),
        .rd_data_o(written)
    );

    // --- read data: from the DRAM to ret ---
    // The last burst of a request stays in the register; those before it wait in memories.
    reg  [PART-1:0]       burst_q;
    reg                   done_q;  // a read's data are complete
    reg  [PLACE_BITS-1:0] place_q; // of its last burst
    wire [LINE-1:0]       returned;
    wire [NAME_BITS-1:0]  name;
    wire                  whole = step_reads[HOLD]; // a burst is complete at this edge
    wire [PLACE_BITS-1:0] whole_place = step_place[HOLD*PLACE_BITS +: PLACE_BITS];
    wire [PART-1:0]       whole_burst;
    wire                  unused_burst = &{1'b0, place_q, whole_burst}; // of one a line
    integer               b;
    always @(posedge clk_i) begin
        for (b = 0; b < BURST; b = b + 1) begin
            if (step_reads[CL + b]) begin
                burst_q[b*DATA_BITS +: DATA_BITS] <= dfi_rddata_i;
            end
        end
        done_q  <= whole && step_last[HOLD] && !rst_i;
        place_q <= whole_place;
    end
    assign dfi_rddata_en_o = |step_reads[CL +: BURST];

    wm_sram_1r1w #(.WORDS(IDS), .DATA_BITS(NAME_BITS)) names (
        .clk_i(clk_i),
        .wr_en_i(comes && !write),
        .wr_addr_i(id_q),
        .wr_data_i({port, tag}),
        .rd_en_i(whole && step_last[HOLD]),
        .rd_addr_i(ends_id),
        .rd_data_o(name)
    );
    generate
        if (BURST > 1) begin : g_beats
            assign whole_burst = {dfi_rddata_i, burst_q[PART-DATA_BITS-1:0]};
        end else begin : g_beat
            assign whole_burst = dfi_rddata_i;
        end
        for (p = 0; p < BURSTS; p = p + 1) begin : g_place
            if (p < BURSTS - 1) begin : g_early
                wire [PART-1:0] early;
                wm_sram_1r1w #(.WORDS(IDS), .DATA_BITS(PART)) bursts (
                    .clk_i(clk_i),
                    .wr_en_i(whole && !step_last[HOLD] && whole_place == p),
                    .wr_addr_i(ends_id),
                    .wr_data_i(whole_burst),
                    .rd_en_i(whole && step_last[HOLD]),
                    .rd_addr_i(ends_id),
                    .rd_data_o(early)
                );
                assign returned[p*PART +: PART] = place_q == p ? burst_q : early;
            end else begin : g_late
                assign returned[p*PART +: PART] = burst_q;
            end
        end
        for (i = 0; i < PORTS; i = i + 1) begin : g_port
            wm_return_queue #(.DEPTH(RETURNS), .DATA_BITS(TAG_BITS + LINE)) queue (
                .clk_i(clk_i),
                .rst_i(rst_i),
                .enq_valid_i(done_q && name[TAG_BITS +: PORT_BITS] == i),
                .enq_data_i({name[0 +: TAG_BITS], returned}),
                .deq_valid_o(ret_valid_o[i]),
                .deq_data_o({ret_tag_o[i*TAG_BITS +: TAG_BITS], ret_data_o[i*LINE +: LINE]}),
                .deq_ready_i(ret_ready_i[i])
            );
        end
    endgenerate
endmodule

`default_nettype wire
