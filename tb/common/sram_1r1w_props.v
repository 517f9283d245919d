// SPDX-License-Identifier: Apache-2.0
// What wm_sram_1r1w promises, for one arbitrary word.
`default_nettype none

module sram_1r1w_props #(
    parameter WORDS     = 384,
    parameter DATA_BITS = 64
) (
    input wire                 clk_i,
    input wire                 wr_en_i,
    input wire [$clog2(WORDS)-1:0] wr_addr_i,
    input wire [DATA_BITS-1:0] wr_data_i,
    input wire                 rd_en_i,
    input wire [$clog2(WORDS)-1:0] rd_addr_i
);
    localparam ADDR_BITS = $clog2(WORDS);
    wire [DATA_BITS-1:0] rd_data_o;
    wm_sram_1r1w #(.WORDS(WORDS), .DATA_BITS(DATA_BITS)) dut (
        .clk_i(clk_i),
        .wr_en_i(wr_en_i),
        .wr_addr_i(wr_addr_i),
        .wr_data_i(wr_data_i),
        .rd_en_i(rd_en_i),
        .rd_addr_i(rd_addr_i),
        .rd_data_o(rd_data_o)
    );

    (* anyconst *) wire [ADDR_BITS-1:0] addr;
    (* anyconst *) wire [DATA_BITS-1:0] data;
    reg written = 1'b0;  // the word holds data
    reg shown   = 1'b0;  // the output register must show data
    reg held    = 1'b0;  // nothing was read at the last edge
    reg [DATA_BITS-1:0] last;

    always @* begin
        assume (addr < WORDS && wr_addr_i < WORDS && rd_addr_i < WORDS);
    end

    // When the word holds data, its history says so: it is read back through the port below.
    always @(posedge clk_i) begin
        if (wr_en_i && wr_addr_i == addr) begin
            written <= wr_data_i == data;
        end
        if (rd_en_i) begin
            shown <= rd_addr_i == addr && written && !(wr_en_i && wr_addr_i == addr);
        end
        held <= !rd_en_i;
        last <= rd_data_o;
    end

    always @* begin
        // A word reads as it was written last, from the cycle after the read on.
        if (shown) begin
            read_shows_what_was_written: assert (rd_data_o == data);
        end
        // Without a read the output does not change.
        if (held) begin
            output_holds_between_reads: assert (rd_data_o == last);
        end
        // A word is written, read, and stays at the output.
        shows_word_read_back: cover (shown && held && data != {DATA_BITS{1'b0}});
        last_word_read: cover (shown && !held && addr == WORDS - 1);
    end
endmodule

`default_nettype wire
