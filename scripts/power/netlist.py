# SPDX-License-Identifier: Apache-2.0
"""A block's netlist as Verilog that Verilator simulates: the gates as expressions, the memories as arrays, and around them the
block's own head, which counts what a run asks of it."""
import os
import re

from area import synthesis
from area.memory import address_bits
from warpmem.tools.house import ToolFailed, read, write_whole

HEAD = re.compile(r"^(module wm_\w+ #\(\n.*?\n\) \(\n(.*?)\n\);)", re.S | re.M)
FINAL = "power of"  # begins the lines that a run prints at its end
WORD = 64


def _expression(net):
    """Of a net's name, maybe with a bit: an identifier with other characters is escaped."""
    name, bracket, bit = net.partition("[") if re.search(r"\[-?\d+\]$", net) else (net, "", "")
    if bracket:
        name, bracket, bit = net.rpartition("[")
    return (name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"\\{name} ") + bracket + bit


def _counters(nets):
    """Verilog that counts the changes of each net from one clock edge to the next, when all has settled. The counts of a word's
    nets lie in 32 planes: plane k has bit k of each, so that adding the changes is one carry of a word."""
    words = (len(nets) + WORD - 1) // WORD
    parts = [f"""    reg [{WORD - 1}:0] power_planes [0:{32 * words - 1}];
    integer power_plane;
    initial for (power_plane = 0; power_plane < {32 * words}; power_plane = power_plane + 1) power_planes[power_plane] = 0;
"""]
    for word in range(words):
        part = nets[word * WORD:(word + 1) * WORD]
        parts.append(f"""    wire [{WORD - 1}:0] power_{word} = {{{WORD - len(part)}'d0, {', '.join(map(_expression, reversed(part)))}}};
    reg [{WORD - 1}:0] power_before_{word} = 0;
    always @(posedge clk_i) begin : power_count_{word}
        reg [{WORD - 1}:0] carry, both;
        integer plane;
        carry = power_{word} ^ power_before_{word};
        power_before_{word} <= power_{word};
        plane = {32 * word};
        while (carry != 0) begin
            both = power_planes[plane] & carry;
            power_planes[plane] = power_planes[plane] ^ carry;
            carry = both;
            plane = plane + 1;
        end
    end
""".replace(f"{{{0}'d0, ", "{"))
    parts.append(f"""    integer power_net, power_bit;
    reg [31:0] power_changes;
    final for (power_net = 0; power_net < {len(nets)}; power_net = power_net + 1) begin
        for (power_bit = 0; power_bit < 32; power_bit = power_bit + 1)
            power_changes[power_bit] = power_planes[power_net / {WORD} * 32 + power_bit][power_net % {WORD}];
        $display("{FINAL} net %0d %0d", power_net, power_changes);
    end
endmodule
""")
    return "".join(parts)


def _memory(size):
    return f"""module {size.macro} (input clk_i, input wr_en_i, input [{address_bits(size) - 1}:0] wr_addr_i,
    input [{size.bits - 1}:0] wr_data_i, input rd_en_i, input [{address_bits(size) - 1}:0] rd_addr_i,
    output reg [{size.bits - 1}:0] rd_data_o);
    reg [{size.bits - 1}:0] words [0:{size.words - 1}];
    reg [63:0] writes = 0, reads = 0;
    always @(posedge clk_i) begin
        if (wr_en_i) words[wr_addr_i] <= wr_data_i;
        if (rd_en_i) rd_data_o <= words[rd_addr_i];
        writes <= writes + {{63'd0, wr_en_i}};
        reads <= reads + {{63'd0, rd_en_i}};
    end
    final $display("{FINAL} {size.words} {size.bits} %0d reads %0d writes", reads, writes);
endmodule
"""


def write_simulated(block, top, netlist, nets, library, request, work):
    """Return: its path. @netlist: synthesis.Netlist. @nets: names in it, of those whose changes are counted. @request: a
    Verilog expression of the ports, a bit for each request."""
    head = HEAD.search(re.sub(r"//[^\n]*", "", read(f"rtl/{block}.v")))
    if not head:
        raise ToolFailed(f"rtl/{block}.v: has no head \"module {top} #(...) (...);\"")
    ports = re.findall(r"(?:input|output)\s+(?:wire|reg)\s*(?:\[[^\n]*\])?\s*(\w+)\s*,?[ ]*(?:\n|$)", head.group(2))
    gates, stubs = os.path.join(work, "gates.v"), os.path.join(work, "stubs.v")
    write_whole(stubs, "\n".join(re.sub(r"(?s)output reg (.*?)\);.*?endmodule", r"output \1); endmodule",
                                        "(* blackbox *) " + _memory(size)) for size in set(netlist.sizes) if size.is_macro))
    synthesis.yosys([f"read_verilog {stubs}", f"read_liberty -ignore_miss_func {library.path}", f"read_verilog {netlist.verilog}",
                     f"hierarchy -top {top}", "proc", "flatten", f"rename {top} gates", f"write_verilog -noattr {gates}"],
                    work, "gates", top)
    found = re.search(r"^module gates\(.*?^endmodule\n", read(gates), re.S | re.M)
    if not found:
        raise ToolFailed(f"{top}: Yosys wrote no flat netlist ({gates})")
    # A trace of all nets would take most of the compiler's time. A register whose bits depend on each other is no loop.
    text = ("/* verilator tracing_off */\n/* verilator lint_off UNOPTFLAT */\n"
            + found.group(0).rpartition("endmodule")[0] + _counters(nets)
            + "/* verilator lint_on UNOPTFLAT */\n/* verilator tracing_on */\n")
    path = os.path.join(work, f"{top}.v")
    write_whole(path, f"""{head.group(1)}
    gates gates ({', '.join(f'.{name}({name})' for name in ports)});
    wire [63:0] request = {request};
    reg [63:0] cycles = 0, requests = 0;
    always @(posedge clk_i) begin
        cycles <= cycles + 64'd1;
        requests <= requests + {{57'd0, {' + '.join(f"{{6'd0, request[{i}]}}" for i in range(64))}}};
    end
    final $display("{FINAL} run %0d cycles %0d requests", cycles, requests);
endmodule
{text}
{''.join(_memory(size) for size in sorted(set(netlist.sizes), key=lambda s: s.macro) if size.is_macro)}""")
    return path
