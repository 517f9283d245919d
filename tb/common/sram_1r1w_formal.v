// SPDX-License-Identifier: Apache-2.0
// The memory wrapper as proofs of other blocks see it: what wm_sram_1r1w promises and no more.
//
// Only one arbitrary word is remembered; every other word, and whatever is called undefined, reads
// as anything at all. So what is proven with it holds for every macro that keeps the promise, and a
// proof costs one word instead of a memory. tb/common/sram_1r1w_props.v proves the promise for the
// module in rtl/. A proof learns the word's address from watch_addr, its value from watch_data.
`default_nettype none

module wm_sram_1r1w #(
    parameter WORDS     = 384,
    parameter DATA_BITS = 64
) (
    input  wire                 clk_i,
    input  wire                 wr_en_i,
    input  wire [$clog2(WORDS)-1:0] wr_addr_i,
    input  wire [DATA_BITS-1:0] wr_data_i,
    input  wire                 rd_en_i,
    input  wire [$clog2(WORDS)-1:0] rd_addr_i,
    output wire [DATA_BITS-1:0] rd_data_o
);
    localparam ADDR_BITS = $clog2(WORDS);
    (* anyconst *) wire [ADDR_BITS-1:0] watch_addr;
    (* anyseq *)   wire [DATA_BITS-1:0] anything;
    reg                 [DATA_BITS-1:0] watch_data;
    reg                 [DATA_BITS-1:0] rd_data_q;

    wire wr_watched = wr_en_i && wr_addr_i == watch_addr;
    wire rd_watched = rd_en_i && rd_addr_i == watch_addr;

    always @(posedge clk_i) begin
        if (wr_watched) begin
            watch_data <= wr_data_i;
        end
        if (rd_en_i) begin
            rd_data_q <= rd_watched && !wr_watched ? watch_data : anything;
        end
    end

    assign rd_data_o = rd_data_q;
endmodule

`default_nettype wire
