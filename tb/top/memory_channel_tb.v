// SPDX-License-Identifier: Apache-2.0
// Test of rtl/top/memory_channel.v, without C: for Icarus and Verilator.
//
//   +border=FILE   replays a file of `warpmem run --record-border`: requests, returns come in the
//                  recorded cycles; each command must be the recorded one, in its cycle
//   +cycles=N      stops after N cycles of it
//   +seed=N        random requests for few lines instead, for +cycles=N; returns stall for long
//
// In both, gddr_model stands behind the command bus, and each read must return what the requests
// before it have left of its line. The last line of a good run begins with "pass".
`default_nettype none

module tb;
    parameter integer DEPTH = 16, BANKS = 8, GROUPS = 4, LOW_GROUPS = 0, ROW_BITS = 16;
    parameter integer COLUMN_BITS = 5, BANK_MASK = 0, COLUMN_MASK = 0;
    parameter integer DATA_BITS = 256, BURST = 2, BURSTS = 2, TAG_BITS = 10;
    parameter integer ORDER = 1, PORTS = 2, REQUESTS = 120, LATENCY = 119, RETURNS = 105;
    parameter integer CL = 12, WL = 4, RCD_READ = 12, RCD_WRITE = 7, COLUMN = 2, COLUMN_GROUP = 3;
    parameter integer READ_TO_WRITE = 12, WRITE_TO_READ = 11, READ_TO_CLOSE = 2;
    parameter integer WRITE_TO_CLOSE = 18, RAS = 28, RP = 12, RC = 40, RRD = 6, FAW = 0, AW32 = 0;
    parameter integer RCD = 12, CCD = 2, CCDL = 3, RTPL = 2, CDLR = 5, WR = 12; // of gddr_model
    localparam integer LINE_BITS = ROW_BITS + $clog2(BANKS) + COLUMN_BITS;
    localparam integer BYTES = DATA_BITS / 8 * BURST * BURSTS, PART = BYTES / BURSTS;
    localparam integer PLACE_BITS = BURSTS > 1 ? $clog2(BURSTS) : 1;
    localparam integer ADDRESS_BITS =
        ROW_BITS > COLUMN_BITS + PLACE_BITS ? ROW_BITS : COLUMN_BITS + PLACE_BITS;
    localparam integer STORED = LINE_BITS < 16 ? LINE_BITS : 16; // bits: lines that it has room for
    localparam integer NEVER = 2147483647;

    // --- the channel and its DRAM ---
    reg                          clk = 0, rst = 1, req_valid = 0, req_write = 0;
    reg  [LINE_BITS-1:0]         req_line = 0;
    reg  [PLACE_BITS-1:0]        req_first = 0;
    reg  [$clog2(BURSTS+1)-1:0]  req_bursts = 1;
    reg  [TAG_BITS-1:0]          req_tag = 0;
    reg  [8*BYTES-1:0]           req_data = 0;
    reg  [BYTES-1:0]             req_bytes = 0;
    reg  [PORTS-1:0]             ret_ready = 0;
    wire                         req_ready, cs_n, ras_n, cas_n, we_n, wrdata_en, rddata_en;
    wire [PORTS-1:0]             ret_valid;
    wire [PORTS*TAG_BITS-1:0]    ret_tag;
    wire [PORTS*8*BYTES-1:0]     ret_data;
    wire [$clog2(BANKS)-1:0]     bank;
    wire [ADDRESS_BITS-1:0]      address;
    wire [DATA_BITS-1:0]         wrdata, rddata;
    wire [DATA_BITS/8-1:0]       wrdata_mask;
    wire [31:0]                  errors;

    wm_memory_channel #(
        .DEPTH(DEPTH), .BANKS(BANKS), .GROUPS(GROUPS), .LOW_GROUPS(LOW_GROUPS),
        .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS), .BANK_MASK(BANK_MASK),
        .COLUMN_MASK(COLUMN_MASK), .DATA_BITS(DATA_BITS), .BURST(BURST), .BURSTS(BURSTS),
        .TAG_BITS(TAG_BITS), .ORDER(ORDER), .PORTS(PORTS), .REQUESTS(REQUESTS),
        .LATENCY(LATENCY), .RETURNS(RETURNS), .CL(CL), .WL(WL), .RCD_READ(RCD_READ),
        .RCD_WRITE(RCD_WRITE), .COLUMN(COLUMN), .COLUMN_GROUP(COLUMN_GROUP),
        .READ_TO_WRITE(READ_TO_WRITE), .WRITE_TO_READ(WRITE_TO_READ),
        .READ_TO_CLOSE(READ_TO_CLOSE), .WRITE_TO_CLOSE(WRITE_TO_CLOSE), .RAS(RAS), .RP(RP),
        .RC(RC), .RRD(RRD), .FAW(FAW), .AW32(AW32)
    ) channel (
        .clk_i(clk), .rst_i(rst), .req_valid_i(req_valid), .req_line_i(req_line),
        .req_write_i(req_write), .req_first_i(req_first), .req_bursts_i(req_bursts),
        .req_tag_i(req_tag), .req_data_i(req_data), .req_bytes_i(req_bytes),
        .req_ready_o(req_ready), .ret_valid_o(ret_valid), .ret_tag_o(ret_tag),
        .ret_data_o(ret_data), .ret_ready_i(ret_ready), .dfi_cs_n_o(cs_n), .dfi_ras_n_o(ras_n),
        .dfi_cas_n_o(cas_n), .dfi_we_n_o(we_n), .dfi_bank_o(bank), .dfi_address_o(address),
        .dfi_wrdata_en_o(wrdata_en), .dfi_wrdata_o(wrdata), .dfi_wrdata_mask_o(wrdata_mask),
        .dfi_rddata_en_o(rddata_en), .dfi_rddata_i(rddata));

    gddr_model #(
        .BANKS(BANKS), .GROUPS(GROUPS), .LOW_GROUPS(LOW_GROUPS), .ROW_BITS(ROW_BITS),
        .COLUMN_BITS(COLUMN_BITS + (BURSTS > 1 ? PLACE_BITS : 0)), .ADDRESS_BITS(ADDRESS_BITS),
        .DATA_BITS(DATA_BITS), .BURST(BURST), .STORE_BITS(STORED + (BURSTS > 1 ? PLACE_BITS : 0)),
        .CL(CL), .WL(WL), .RCD(RCD), .RP(RP), .RAS(RAS), .RC(RC), .RRD(RRD), .CCD(CCD),
        .CCDL(CCDL), .RTPL(RTPL), .CDLR(CDLR), .WR(WR), .FAW(FAW), .AW32(AW32)
    ) dram (
        .clk_i(clk), .rst_i(rst), .cs_n_i(cs_n), .ras_n_i(ras_n), .cas_n_i(cas_n), .we_n_i(we_n),
        .bank_i(bank), .address_i(address), .wrdata_en_i(wrdata_en), .wrdata_i(wrdata),
        .wrdata_mask_i(wrdata_mask), .rddata_en_i(rddata_en), .rddata_o(rddata),
        .errors_o(errors));

    // --- state of the test ---
    reg  [8*1024-1:0]  file, dump;
    reg                replays, lost;
    integer            cycle, first, limit, seed, failures = 0;
    integer            commands = 0, fetches = 0, stores = 0, returns = 0, full = 0, credits = 0;
    integer            behind = 0; // cycles in which an old request waits for the scheduler
    // The next event of each sort in the recording: its cycle, kind and numbers.
    integer            requests_fd, commands_fd, returns_fd;
    integer            ask_at, ask_line, ask_first, ask_bursts, ask_kind;
    integer            cmd_at, cmd_bank, cmd_row, cmd_column, cmd_kind;
    integer            take_at, take_port, take_line;
    localparam integer FETCH = 0, STORE = 1, ACTIVATE = 2, READ = 3, WRITE = 4, PRECHARGE = 5;
    localparam integer RETURN = 6, NONE = 7;

    reg [8*BYTES-1:0]   store [0:(1<<STORED)-1];    // lines after all accepted requests
    reg [LINE_BITS:0]   owner [0:(1<<STORED)-1];    // number and 1: it is there
    reg [8*BYTES-1:0]   wanted [0:(1<<TAG_BITS)-1]; // by the tag of a read
    reg [LINE_BITS-1:0] line_of [0:(1<<TAG_BITS)-1];
    integer             first_of [0:(1<<TAG_BITS)-1], bursts_of [0:(1<<TAG_BITS)-1];
    reg                 waits [0:(1<<TAG_BITS)-1];
    reg [PORTS-1:0]     offered = 0; // last cycle, and not taken
    reg [TAG_BITS-1:0]  free_tag = 0;
    reg [PORTS-1:0]     taken;
    integer             taken_line [0:PORTS-1]; // of the returns in this cycle
    integer             i, p, kind, at, tag, rest = 100; // cycles after the recording

    task fail(input [8*40-1:0] why);
        begin
            $display("FAILED cycle %0d: %0s", cycle, why);
            failures = failures + 1;
        end
    endtask

    // The next line of one of the three sorts.
    task next_event(input integer fd, input integer low, input integer high, output integer time_of,
                    output integer what, output integer a, output integer b, output integer c);
        reg [8*12-1:0] word;
        begin
            what = NONE;
            while (what == NONE) begin
                if ($fscanf(fd, "%d %s %d %d %d", time_of, word, a, b, c) != 5) begin
                    what = low;
                    time_of = NEVER;
                end else begin
                    what = word == "fetch" ? FETCH : word == "store" ? STORE :
                           word == "activate" ? ACTIVATE : word == "read" ? READ :
                           word == "write" ? WRITE : word == "precharge" ? PRECHARGE : RETURN;
                    if (what < low || what > high) what = NONE;
                end
            end
        end
    endtask
    task next_request;
        next_event(requests_fd, FETCH, STORE, ask_at, ask_kind, ask_line, ask_first, ask_bursts);
    endtask
    task next_command;
        next_event(commands_fd, ACTIVATE, PRECHARGE, cmd_at, cmd_kind, cmd_bank, cmd_row,
                   cmd_column);
    endtask
    task next_return;
        next_event(returns_fd, RETURN, RETURN, take_at, kind, take_port, take_line, i);
    endtask

    // Row, bank and column of a line, one behind the other.
    function [LINE_BITS-1:0] place_of(input [LINE_BITS-1:0] line);
        integer bit_of, row, bank, column;
        begin
            place_of = line;
            row = COLUMN_BITS + $clog2(BANKS);
            bank = COLUMN_BITS;
            column = 0;
            for (bit_of = 0; BANK_MASK != 0 && bit_of < LINE_BITS; bit_of = bit_of + 1)
                if (BANK_MASK[bit_of]) begin
                    place_of[bank] = line[bit_of];
                    bank = bank + 1;
                end else if (COLUMN_MASK[bit_of]) begin
                    place_of[column] = line[bit_of];
                    column = column + 1;
                end else begin
                    place_of[row] = line[bit_of];
                    row = row + 1;
                end
        end
    endfunction

    function [31:0] mixed(input [31:0] value);
        begin
            mixed = (value ^ (value >> 16)) * 32'h7feb352d;
            mixed = (mixed ^ (mixed >> 15)) * 32'h846ca68b;
            mixed = mixed ^ (mixed >> 16);
        end
    endfunction

    // --- a cycle's end: commands, requests, returns ---
    task check_command;
        begin
            kind = !ras_n && cas_n ? (we_n ? ACTIVATE : PRECHARGE) : we_n ? READ : WRITE;
            if (cs_n ? cmd_at == cycle
                     : cmd_at != cycle || kind != cmd_kind || bank != cmd_bank ||
                       (kind == ACTIVATE && address != cmd_row) ||
                       ((kind == READ || kind == WRITE) && address != cmd_column)) begin
                $display("%0s bank %0d address %0d, not %0d bank %0d row %0d column %0d in %0d",
                         cs_n ? "none" : kind == ACTIVATE ? "activate" : kind == READ ? "read" :
                         kind == WRITE ? "write" : "precharge", bank, address, cmd_kind, cmd_bank,
                         cmd_row, cmd_column, cmd_at);
                fail("another command");
            end
            if (!cs_n) next_command;
        end
    endtask

    task accept;
        begin
            at = req_line[STORED-1:0];
            if (owner[at] === {LINE_BITS+1{1'b0}}) begin
                owner[at] = {req_line, 1'b1};
                for (i = 0; i < BURSTS; i = i + 1)
                    for (p = 0; p < PART / 4; p = p + 1)
                        store[at][8*(i*PART + 4*p) +: 32] =
                            (32'h9e3779b1 * (place_of(req_line) * BURSTS + i)) ^ (32'h85ebca6b * p);
            end
            if (owner[at] !== {req_line, 1'b1}) fail("no room for this line");
            if (req_write) begin
                stores = stores + 1;
                for (i = req_first * PART; i < (req_first + req_bursts) * PART; i = i + 1)
                    if (req_bytes[i]) store[at][8*i +: 8] = req_data[8*i +: 8];
            end else begin
                fetches = fetches + 1;
                if (fetches - returns > RETURNS) fail("a read has no place for its return");
                waits[req_tag] = 1;
                wanted[req_tag] = store[at];
                line_of[req_tag] = req_line;
                first_of[req_tag] = req_first;
                bursts_of[req_tag] = req_bursts;
            end
        end
    endtask

    task check_return(input integer port);
        begin
            tag = ret_tag[port*TAG_BITS +: TAG_BITS];
            returns = returns + 1;
            if (waits[tag] !== 1'b1) fail("a return that nobody waits for");
            else if (replays && line_of[tag] != taken_line[port]) fail("another line is returned");
            else
                for (i = first_of[tag] * PART; i < (first_of[tag] + bursts_of[tag]) * PART;
                     i = i + 1)
                    if (ret_data[8*(port*BYTES + i) +: 8] !== wanted[tag][8*i +: 8] && !lost) begin
                        lost = 1;
                        $display("line %0d byte %0d: %h, must be %h", line_of[tag], i,
                                 ret_data[8*(port*BYTES + i) +: 8], wanted[tag][8*i +: 8]);
                        fail("wrong data");
                    end
            lost = 0;
            waits[tag] = 0;
        end
    endtask

    // --- the next cycle's inputs ---
    task ask(input write, input integer line, input integer from, input integer count);
        begin
            req_valid <= 1;
            req_write <= write;
            req_line <= line;
            req_first <= from;
            req_bursts <= count;
            for (i = 0; i < 1 << TAG_BITS && waits[free_tag]; i = i + 1) free_tag = free_tag + 1'b1;
            req_tag <= free_tag;
            free_tag = free_tag + 1'b1;
            for (i = 0; i < BYTES / 4; i = i + 1) req_data[32*i +: 32] <= mixed(cycle * 64 + i);
            for (i = 0; i < BYTES; i = i + 1) // one write of four is of some bytes
                req_bytes[i] <= cycle % 4 != 0 || mixed(cycle * 256 + i) % 2 == 0;
        end
    endtask

    task replay_inputs;
        begin
            req_valid <= 0;
            // A faster L2 may have two in a cycle: then the second comes in the next one.
            if (ask_at <= cycle) begin
                ask(ask_kind == STORE, ask_line, ask_first, ask_bursts);
                next_request;
            end
            taken = 0;
            while (take_at <= cycle && !taken[take_port]) begin
                taken[take_port] = 1;
                taken_line[take_port] = take_line;
                next_return;
            end
            ret_ready <= taken;
        end
    endtask

    // Requests come in bursts and stop; returns stop for longer than all places last.
    task random_inputs;
        begin
            if (!req_valid || req_ready) begin
                req_valid <= 0;
                if (cycle < limit && (cycle % 4096 < 2048 || mixed(cycle + seed) % 16 == 0)) begin
                    i = mixed(cycle * 3 + seed) % BURSTS;
                    ask(mixed(cycle * 5 + seed) % (cycle % 8192 < 4096 ? 4 : 2) == 0,
                        mixed(cycle * 7 + seed) % (cycle % 1024 < 512 ? 8 : 1 << (COLUMN_BITS + 5)),
                        i, 1 + mixed(cycle * 9 + seed) % (BURSTS - i));
                end
            end
            for (i = 0; i < PORTS; i = i + 1)
                ret_ready[i] <= cycle >= limit ||
                                (cycle % 2048 > 700 && mixed(cycle * 11 + i) % 4 != 0);
        end
    endtask

    initial begin
        replays = $value$plusargs("border=%s", file);
        if (!$value$plusargs("cycles=%d", limit)) limit = NEVER;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if ($value$plusargs("dump=%s", dump)) begin
            $dumpfile(dump);
            $dumpvars(0, tb);
        end
        for (i = 0; i < 1 << STORED; i = i + 1) owner[i] = 0;
        for (i = 0; i < 1 << TAG_BITS; i = i + 1) waits[i] = 0;
        lost = 0;
        cmd_at = NEVER;
        ask_at = 4;
        take_at = NEVER;
        if (replays) begin
            requests_fd = $fopen(file, "r");
            commands_fd = $fopen(file, "r");
            returns_fd = $fopen(file, "r");
            if (requests_fd == 0) begin
                $display("FAILED: cannot read the recording");
                $finish;
            end
            i = $fgets(file, requests_fd) + $fgets(file, commands_fd) + $fgets(file, returns_fd);
            next_request;
            next_command;
            next_return;
        end
        first = ask_at - 4;
        cycle = first;
        if (limit != NEVER) limit = first + limit;
    end

    always #5 clk = !clk;

    always @(posedge clk) begin
        if (cycle > first + 1) begin
            if (replays) check_command;
            if (!cs_n) commands = commands + 1;
            if (req_valid && req_ready) accept;
            else if (req_valid && replays) fail("a request is refused");
            else if (req_valid && !req_write && channel.credit_q == 0) credits = credits + 1;
            else if (req_valid) full = full + 1;
            if (channel.due && !channel.sched_ready) behind = behind + 1;
            if (channel.comes && channel.busy_q[channel.id_q]) fail("an id is given twice");
            for (at = 0; at < PORTS; at = at + 1) begin
                if (offered[at] && !ret_valid[at]) fail("a return is withdrawn");
                if (ret_ready[at] && ret_valid[at]) check_return(at);
                else if (ret_ready[at] && replays) fail("a return is late or lost");
            end
            offered = ret_valid & ~ret_ready;
        end
        cycle = cycle + 1;
        rst <= cycle < first + 2;
        if (cycle >= first + 4) begin
            if (replays) replay_inputs; else random_inputs;
        end
        if (replays ? ask_at == NEVER && cmd_at == NEVER && take_at == NEVER
                    : cycle > limit && !req_valid && returns == fetches) rest = rest - 1;
        if (failures != 0 || errors != 0) begin
            $display("FAILED after %0d cycles", cycle - first);
            $finish;
        end else if (cycle == (replays ? limit : limit + 4000) || rest == 0) begin
            if (limit == NEVER || !replays)
                if (returns != fetches) fail("not all reads have returned");
            if (commands == 0 || returns == 0) fail("nothing was compared");
            if (!replays && (full == 0 || credits == 0 || behind == 0)) fail("nothing was full");
            $write("%0s  memory_channel  %0d cycles, %0d commands%0s, %0d reads, %0d writes, ",
                   failures == 0 ? "pass" : "FAILED", cycle - first, commands,
                   replays ? " as recorded" : "", fetches, stores);
            $display("%0d returns with their data; full: scheduler %0d, requests %0d, returns %0d",
                     returns, behind, full, credits);
            $finish;
        end
    end
endmodule

`default_nettype wire
