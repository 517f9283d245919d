# SPDX-License-Identifier: Apache-2.0
"""The head of a block's properties, made of the port list of its Verilog."""
import re


def head_of(verilog, short):
    """Verilog that defines `BEGIN_<short>_props: module <short>_props with the block's parameters and inputs, the outputs as
    wires, and the block in it as dut. verilog: the block's text; one without a port list gets no such macro."""
    text = re.sub(r"//[^\n]*", "", verilog)
    found = re.search(rf"module wm_{short} #\(\n(.*?)\n\) \(\n(.*?)\n\);", text, re.S)
    if not found:
        return ""
    parameters = re.findall(r"parameter (?:integer )?(\w+)", found.group(1))
    ports = re.findall(r"(input|output)\s+(?:wire|reg)\s*(\[[^\n]*\])?\s*(\w+)\s*,?[ ]*(?:\n|$)", found.group(2))
    inputs = [f"input wire {width} {name}" for way, width, name in ports if way == "input"]
    outputs = [f"wire {width} {name};" for way, width, name in ports if way == "output"]
    lines = (f"module {short}_props #({found.group(1)}) ({', '.join(inputs)});", *outputs,
             f"wm_{short} #({', '.join(f'.{name}({name})' for name in parameters)}) dut",
             f"({', '.join(f'.{name}({name})' for _, _, name in ports)});")
    return f"`define BEGIN_{short}_props {' '.join(' '.join(lines).split())}\n"
