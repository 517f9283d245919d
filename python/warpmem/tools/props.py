# SPDX-License-Identifier: Apache-2.0
"""The head of a block's properties, made from its Verilog: parameters, ports, the block as dut, and what is inside it.

Properties name what is inside by its place: dut.memory.watch_addr, dut.g_lane[i].read_q. To Yosys this is a wire of the
properties' own, with the attribute hierconn, which `flatten` makes one with that inside.
"""
import re

PLACE = re.compile(r"\bdut((?:\.\w+(?:\[[^][]*\](?=\.))?)+)")  # the last index, of a bit, is not part of it


def inside_script(files, short, parameters, path):
    """For Yosys: writes the block with these parameters, and all below it, for inside_of()."""
    return f"""read_verilog -Irtl/common -formal -defer {' '.join(files)}
hierarchy -check -top wm_{short}{parameters}
rename -top dut
write_rtlil {path}
"""


def inside_of(rtlil, properties):
    """Verilog that declares what the properties name inside the block, each as wide as it is there. rtlil: of inside_script()."""
    modules = {name: (re.findall(r"^  wire (.*?)\\(\S+)$", body, re.M), re.findall(r"^  cell (\S+) \\(\S+)$", body, re.M))
               for name, body in re.findall(r"^module (\S+)\n(.*?)^end$", rtlil, re.M | re.S)}

    def wires(module, place):
        for options, name in modules[module][0]:
            of = {key: int(number) for key, number in re.findall(r"(width|offset) (\d+)", options)}
            low = of.get("offset", 0)
            yield place + name, f"[{low + of.get('width', 1) - 1}:{low}]"
        for kind, name in modules[module][1]:
            if kind in modules:
                yield from wires(kind, f"{place}{name}.")

    def of_any_index(name):
        return re.sub(r"\[[^][]*\]", "[]", name)
    named = {of_any_index(name[1:]) for name in PLACE.findall(re.sub(r"//[^\n]*", "", properties))}
    return " ".join(f"(* hierconn *) wire {bits} \\dut.{name} ;" for name, bits in wires("\\dut", "") if of_any_index(name) in named)


def head_of(verilog, short, inside):
    """Verilog that defines `BEGIN_<short>_props: module <short>_props with the block's parameters and inputs, the outputs as
    wires, a clock, the block in it as dut, and what inside_of() says; `started` is 0 in the first cycle, in which the block is reset.
    verilog: the block's text; one without a port list gets no such macro."""
    text = re.sub(r"//[^\n]*", "", verilog)
    found = re.search(rf"module wm_{short} #\(\n(.*?)\n\) \(\n(.*?)\n\);", text, re.S)
    if not found:
        return ""
    parameters = re.findall(r"parameter (?:integer )?(\w+)", found.group(1))
    ports = re.findall(r"(input|output)\s+(?:wire|reg)\s*(\[[^\n]*\])?\s*(\w+)\s*,?[ ]*(?:\n|$)", found.group(2))
    clock = [("input", "", "clk_i")] if not any(name == "clk_i" for _, _, name in ports) else []
    inputs = [f"input wire {width} {name}" for way, width, name in [*clock, *ports] if way == "input"]
    outputs = [f"wire {width} {name};" for way, width, name in ports if way == "output"]
    begin = "reg started = 1'b0; always @(posedge clk_i) started <= 1'b1; always @* if (!started) assume (rst_i);"
    lines = (f"module {short}_props #({found.group(1)}) ({', '.join(inputs)});", *outputs,
             f"wm_{short} #({', '.join(f'.{name}({name})' for name in parameters)}) dut",
             f"({', '.join(f'.{name}({name})' for _, _, name in ports)});", inside,
             begin if any(name == "rst_i" for _, _, name in ports) else "")
    return f"`define BEGIN_{short}_props {' '.join(' '.join(lines).split())}\n"
