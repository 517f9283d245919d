// SPDX-License-Identifier: Apache-2.0
// wm_sram_1r1w: memory with one read and one write port; no other module describes one.
//
// Channels   wr: writes a word.  rd: reads a word into the output register.
// Timing     a word written at an edge can be read from the next edge on; rd_data_o shows the word
//            from the cycle after rd_en_i and holds it until the next rd_en_i.
// Undefined  a word before it is written; rd_data_o before the first read, and after a read of the
//            word that is written at the same edge. Macros differ in this case, so each module
//            with a memory proves that it never happens.
// Replace    on a chip or an FPGA, put a module of this name and these ports around a memory macro.
//            The area scripts count SRAM bits for it, not flip-flops.
// Limits     2 <= WORDS <= 65536, DATA_BITS >= 1 (checked at elaboration); addresses below WORDS.
//            No reset.
// Cost       WORDS * DATA_BITS bits of memory.
// Twins      cmodel/common/sram_1r1w.c  tb/common/sram_1r1w_test.c
//            tb/common/sram_1r1w_props.v
`default_nettype none

module wm_sram_1r1w #(
    parameter integer WORDS     = 384, // words
    parameter integer DATA_BITS = 64   // bits of a word
) (
    input  wire                     clk_i,     // clock
    input  wire                     wr_en_i,   // write at this edge
    input  wire [$clog2(WORDS)-1:0] wr_addr_i, // this word
    input  wire [DATA_BITS-1:0]     wr_data_i, // with this value
    input  wire                     rd_en_i,   // read at this edge
    input  wire [$clog2(WORDS)-1:0] rd_addr_i, // this word
    output wire [DATA_BITS-1:0]     rd_data_o  // the word read last
);
    generate
        if (WORDS < 2 || WORDS > 65536 || DATA_BITS < 1) begin : g_illegal
            wm_sram_1r1w_parameters_out_of_range illegal ();
        end
    endgenerate

    reg [DATA_BITS-1:0] words [0:WORDS-1];
    reg [DATA_BITS-1:0] rd_data_q;

    always @(posedge clk_i) begin
        if (wr_en_i) begin
            words[wr_addr_i] <= wr_data_i;
        end
        if (rd_en_i) begin
            rd_data_q <= words[rd_addr_i];
        end
    end

    assign rd_data_o = rd_data_q;
endmodule

`default_nettype wire
