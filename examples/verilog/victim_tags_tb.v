// SPDX-License-Identifier: Apache-2.0
// A stand-alone testbench for a hardware block, with Icarus Verilog or Verilator:
//
//   $ iverilog -g2005 -o tb $(make -s rtl-files BLOCK=l1/victim_tags) examples/verilog/victim_tags_tb.v && ./tb
//   $ verilator --binary --timing -Wno-DECLFILENAME --top tb $(make -s rtl-files BLOCK=l1/victim_tags) \
//         examples/verilog/victim_tags_tb.v && obj_dir/Vtb
//
// Warp 3 loses line 77 to another warp and misses it later: the victim tags report that it had it.
module tb;
    localparam RESET = 3, EVICTED = 10, MISSED = 15, END = 20;
    reg clk = 0;
    integer cycle = 0;
    wire hit_valid;
    wire [4:0] hit_warp;

    wm_victim_tags #(.WARPS(32), .SETS(2), .WAYS(8), .LINE_BITS(32)) tags (
        .clk_i(clk),
        .rst_i(cycle < RESET),
        .evict_valid_i(cycle == EVICTED),
        .evict_warp_i(5'd3),
        .evict_line_i(32'd77),
        .look_valid_i(cycle == MISSED),
        .look_warp_i(5'd3),
        .look_line_i(32'd77),
        .clear_valid_i(1'b0),
        .clear_warp_i(5'd0),
        .hit_valid_o(hit_valid),
        .hit_warp_o(hit_warp));

    always #5 clk = !clk;
    always @(posedge clk) begin
        cycle <= cycle + 1;
        if (hit_valid) $display("cycle %0d: warp %0d had the line that it looked for", cycle, hit_warp);
        if (cycle == END) $finish;
    end
endmodule
