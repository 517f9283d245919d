// SPDX-License-Identifier: Apache-2.0
// gddr_model: the DRAM behind wm_memory_channel: it stores data, and complains of each command that
// breaks a rule of cosim/legality.h. The distances are worked out here from the keys of [dram].
//
// Words that were never written hold a pattern of their address. There is room for the bursts of
// 2^STORE_BITS lines; two lines of one place are an error.
`default_nettype none

module gddr_model #(
    parameter integer BANKS = 8, GROUPS = 4, LOW_GROUPS = 0, ROW_BITS = 16, COLUMN_BITS = 6,
    parameter integer ADDRESS_BITS = 16, DATA_BITS = 256, BURST = 2, STORE_BITS = 17,
    parameter integer CL = 12, WL = 4, RCD = 12, RP = 12, RAS = 28, RC = 40, RRD = 6, CCD = 2,
    parameter integer CCDL = 3, RTPL = 2, CDLR = 5, WR = 12, FAW = 0, AW32 = 0
) (
    input  wire                     clk_i,
    input  wire                     rst_i,
    input  wire                     cs_n_i, ras_n_i, cas_n_i, we_n_i,
    input  wire [$clog2(BANKS)-1:0] bank_i,
    input  wire [ADDRESS_BITS-1:0]  address_i,
    input  wire                     wrdata_en_i,
    input  wire [DATA_BITS-1:0]     wrdata_i,
    input  wire [DATA_BITS/8-1:0]   wrdata_mask_i,
    input  wire                     rddata_en_i,
    output reg  [DATA_BITS-1:0]     rddata_o,
    output reg  [31:0]              errors_o
);
    localparam integer BURST_BITS = ROW_BITS + $clog2(BANKS) + COLUMN_BITS; // of a burst's number
    localparam integer RCD_WRITE  = RCD > WL + 1 ? RCD - WL - 1 : 1;
    localparam integer TO_WRITE   = CL + BURST + 2 > WL + 1 ? CL + BURST + 2 - WL : 1;
    localparam integer TO_READ    = WL + BURST + CDLR;
    localparam integer READ_OPEN  = GROUPS > 1 && RTPL > BURST ? RTPL : BURST;
    localparam integer WRITE_OPEN = WL + BURST + WR;
    localparam integer NEVER      = -100000;

    integer cycle, activates, b, k;
    integer activate_at [0:BANKS-1], read_at [0:BANKS-1], write_at [0:BANKS-1];
    integer close_at [0:BANKS-1], activated [0:31];
    reg                  is_open [0:BANKS-1];
    reg [ROW_BITS-1:0]   row [0:BANKS-1];
    reg [63:0]           bus; // cycles from now on in which data are on the bus
    // The data on the bus, by the cycle's low bits.
    reg                  reads [0:63], writes [0:63];
    reg [BURST_BITS-1:0] burst [0:63];
    integer              beat [0:63];
    // The store, a place a burst.
    reg [DATA_BITS*BURST-1:0] store [0:(1<<STORE_BITS)-1];
    reg [BURST_BITS:0]        owner [0:(1<<STORE_BITS)-1]; // number and 1: it is written

    function [DATA_BITS-1:0] unwritten(input [BURST_BITS-1:0] number, input integer at);
        integer w;
        for (w = 0; w < DATA_BITS / 32; w = w + 1)
            unwritten[32*w +: 32] = (32'h9e3779b1 * {{(32-BURST_BITS){1'b0}}, number}) ^
                                    (32'h85ebca6b * (at * (DATA_BITS / 32) + w));
    endfunction

    task broken(input [8*32-1:0] rule);
        begin
            $display("gddr: cycle %0d bank %0d: %0s", cycle, bank_i, rule);
            errors_o = errors_o + 1;
        end
    endtask

    function same_group(input integer one, input integer other);
        same_group = LOW_GROUPS != 0 ? one % GROUPS == other % GROUPS
                                     : one / (BANKS / GROUPS) == other / (BANKS / GROUPS);
    endfunction

    task activate;
        begin
            if (is_open[bank_i]) broken("activate of an open bank");
            if (cycle < activate_at[bank_i] + RC) broken("tRC");
            if (cycle < close_at[bank_i] + RP) broken("tRP");
            for (b = 0; b < BANKS; b = b + 1)
                if (b != bank_i && cycle < activate_at[b] + RRD) broken("tRRD");
            if (FAW != 0 && activates >= 4 && cycle < activated[(activates - 4) % 32] + FAW)
                broken("tFAW");
            if (AW32 != 0 && activates >= 32 && cycle < activated[activates % 32] + AW32)
                broken("t32AW");
            activated[activates % 32] = cycle;
            activates = activates + 1;
            activate_at[bank_i] = cycle;
            is_open[bank_i] = 1;
            row[bank_i] = address_i[ROW_BITS-1:0];
        end
    endtask

    task column(input write);
        begin
            if (!is_open[bank_i]) broken("column of a closed bank");
            if (cycle < activate_at[bank_i] + (write ? RCD_WRITE : RCD)) broken("tRCD");
            for (b = 0; b < BANKS; b = b + 1) begin
                if (cycle < read_at[b] + CCD || cycle < write_at[b] + CCD) broken("tCCD");
                if (same_group(b, bank_i) &&
                    (cycle < read_at[b] + CCDL || cycle < write_at[b] + CCDL)) broken("tCCDL");
                if (write && cycle < read_at[b] + TO_WRITE) broken("tRTW");
                if (!write && cycle < write_at[b] + TO_READ) broken("tWTR");
            end
            for (k = 0; k < BURST; k = k + 1) begin
                if (bus[(write ? WL : CL) + k]) broken("data bus");
                bus[(write ? WL : CL) + k] = 1;
                reads[(cycle + (write ? WL : CL) + k) % 64] = !write;
                writes[(cycle + (write ? WL : CL) + k) % 64] = write;
                burst[(cycle + (write ? WL : CL) + k) % 64] =
                    {row[bank_i], bank_i, address_i[COLUMN_BITS-1:0]};
                beat[(cycle + (write ? WL : CL) + k) % 64] = k;
            end
            if (write) write_at[bank_i] = cycle; else read_at[bank_i] = cycle;
        end
    endtask

    task close;
        begin
            if (!is_open[bank_i]) broken("precharge of a closed bank");
            if (cycle < activate_at[bank_i] + RAS) broken("tRAS");
            if (cycle < read_at[bank_i] + READ_OPEN) broken("tRTP");
            if (cycle < write_at[bank_i] + WRITE_OPEN) broken("tWR");
            close_at[bank_i] = cycle;
            is_open[bank_i] = 0;
        end
    endtask

    // A burst gets its place with the pattern at the first access.
    task find(input [BURST_BITS-1:0] number);
        integer at;
        begin
            at = number[STORE_BITS-1:0];
            if (owner[at] === {BURST_BITS+1{1'b0}}) begin
                owner[at] = {number, 1'b1};
                for (b = 0; b < BURST; b = b + 1)
                    store[at][b*DATA_BITS +: DATA_BITS] = unwritten(number, b);
            end
            if (owner[at] !== {number, 1'b1}) broken("no room for this burst");
        end
    endtask

    task move_data;
        begin
            if (wrdata_en_i !== writes[cycle % 64]) broken("wrdata_en");
            if (rddata_en_i !== reads[cycle % 64]) broken("rddata_en");
            if (writes[cycle % 64]) begin
                find(burst[cycle % 64]);
                for (b = 0; b < DATA_BITS / 8; b = b + 1)
                    if (!wrdata_mask_i[b])
                        store[burst[cycle % 64][STORE_BITS-1:0]]
                             [beat[cycle % 64]*DATA_BITS + 8*b +: 8] = wrdata_i[8*b +: 8];
            end
            writes[cycle % 64] = 0;
            reads[cycle % 64] = 0;
        end
    endtask

    initial begin
        errors_o = 0;
        cycle = 0;
        activates = 0;
        bus = 0;
        rddata_o = 0;
        for (b = 0; b < BANKS; b = b + 1) begin
            activate_at[b] = NEVER;
            read_at[b] = NEVER;
            write_at[b] = NEVER;
            close_at[b] = NEVER;
            is_open[b] = 0;
        end
        for (b = 0; b < 64; b = b + 1) begin
            reads[b] = 0;
            writes[b] = 0;
        end
        for (b = 0; b < 1 << STORE_BITS; b = b + 1) owner[b] = 0;
    end

    always @(posedge clk_i) begin
        if (!rst_i) move_data;
        if (!rst_i && !cs_n_i)
            case ({ras_n_i, cas_n_i, we_n_i})
            3'b011: activate;
            3'b101: column(0);
            3'b100: column(1);
            3'b010: close;
            default: broken("no such command");
            endcase
        bus = bus >> 1;
        cycle = cycle + 1;
        if (reads[cycle % 64]) begin
            find(burst[cycle % 64]);
            rddata_o <= store[burst[cycle % 64][STORE_BITS-1:0]]
                             [beat[cycle % 64]*DATA_BITS +: DATA_BITS];
        end else rddata_o <= {DATA_BITS{1'bx}};
    end
endmodule

`default_nettype wire
