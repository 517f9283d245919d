// SPDX-License-Identifier: Apache-2.0
// Properties of wm_sram_1r1w, for one arbitrary word.
`default_nettype none

// The head, with dut, is made from wm_sram_1r1w: python/warpmem/tools/props.py.
`BEGIN_sram_1r1w_props
    localparam ADDR_BITS = $clog2(WORDS);

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
