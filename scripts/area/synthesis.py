# SPDX-License-Identifier: Apache-2.0
"""Gates: a block and its parameters through Yosys and ABC to a netlist of the library's cells."""
import collections
import dataclasses
import glob
import json
import os
import re
import subprocess

from area import memory
from warpmem.tools.house import ToolFailed
from warpmem.tools.modules import parts_of

LOADS = 2  # inputs of a buffer that every output drives
# Yosys's own script for ABC saves area before it maps (scorr, dc2), which makes a chain of a tree whose parts it finds again
# in one another, and maps for area (&nf). This one does neither.
FOR_SPEED = "+strash;dch,-f;map,{D};buffer;upsize,{D};dnsize,{D};stime,-p"


@dataclasses.dataclass
class Netlist:
    """verilog: path of the netlist. cells: counts by type, macros included. drives: by (instance, output pin) the name
    in the source of the net behind it, "" when it has none. outputs: by the same, the net's name in the netlist. kinds: the
    type of each instance."""
    verilog: str
    top: str
    cells: collections.Counter
    sizes: list
    drives: dict
    outputs: dict
    kinds: dict


def run(arguments, log, what):
    """Runs a tool, its output into the file @log."""
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(arguments, stdout=file, stderr=subprocess.STDOUT, check=False)
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if done.returncode:
        said = next((line for line in text.splitlines() if "ERROR" in line or "Error" in line), "")
        raise ToolFailed(f"{what}: {arguments[0]} ended with {done.returncode}: {said or 'see its log'} ({log})")
    return text


def yosys(commands, work, name, what):
    """Runs commands; script and log stay in the folder @work. Return: path of the log."""
    script = os.path.join(work, name + ".ys")
    with open(script, "w", encoding="utf-8") as file:
        file.write("\n".join(commands) + "\n")
    log = os.path.join(work, name + ".log")
    run(["yosys", "-q", "-l", log, "-s", script], os.path.join(work, name + ".out"), what)
    return log


def sources(top):
    """The block's file, its parts and the common ones. With the others yosys would number cells otherwise, from which ABC makes
    other gates: a block's clock would change by some 5 % with each block that is added."""
    own = glob.glob(f"rtl/*/{top.removeprefix('wm_')}.v")
    paths = sorted({*glob.glob("rtl/common/*.v*"), *own, *(part for path in own for part in parts_of(path))})
    return [path for path in paths if path != "rtl/common/sram_1r1w.v"]


def hierarchy(top, parameters):
    sets = "".join(f" -chparam {name} {value}" for name, value in parameters.items())
    return f"hierarchy -check -top {top}{sets}"


def memories(top, parameters, work):
    """Sizes of the wm_sram_1r1w inside, by the names of their instances; "" is the block itself."""
    if top == "wm_sram_1r1w":
        return {"": memory.Size(parameters["WORDS"], parameters["DATA_BITS"])}
    path = os.path.join(work, "memories.v")
    with open(path, "w", encoding="utf-8") as file:
        file.write(memory.OPEN)
    found = os.path.join(work, "memories.json")
    yosys([f"read_verilog {' '.join(sources(top))}", f"read_verilog {path}", hierarchy(top, parameters),
           "proc", "flatten", "opt_clean", f"write_json {found}"], work, "memories", top)
    with open(found, encoding="utf-8") as file:
        cells = json.load(file)["modules"][top]["cells"]
    return {name: memory.Size(int(cell["parameters"]["WORDS"], 2), int(cell["parameters"]["DATA_BITS"], 2))
            for name, cell in cells.items() if cell["type"] == "wm_sram_1r1w"}


def synthesize(top, parameters, library, sizes, period_ns, work, for_speed=False):
    """@period_ns: the clock period that ABC sizes the gates for. Return: Netlist."""
    wrapper = os.path.join(work, "memory.v")
    constraint = os.path.join(work, "abc.constr")
    netlist = os.path.join(work, "netlist.v")
    found, named = os.path.join(work, "netlist.json"), os.path.join(work, "names.json")
    driver = library.driver()
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(memory.wrapper(set(sizes)))
    with open(constraint, "w", encoding="utf-8") as file:
        file.write(f"set_driving_cell {driver.name}\nset_load {driver.input_capacitance * LOADS:.4f}\n")
    abc = f"abc -D {period_ns * 1000:.0f} -liberty {library.path} -constr {constraint}"
    yosys([f"read_liberty -lib -ignore_miss_func {library.path}",
           f"read_verilog {' '.join(sources(top))} {wrapper}", hierarchy(top, parameters),
           f"synth -top {top} -flatten", f"dfflibmap -liberty {library.path}",
           f"{abc} -script {FOR_SPEED}" if for_speed else abc,
           "setundef -zero", "opt_clean", "check -assert", f"write_json {named}", "opt_clean -purge",
           # OpenSTA reads no concatenation on the left of an assignment.
           f"write_verilog -noattr -noexpr -nohex -simple-lhs {netlist}",
           # Once more, for the names that the netlist gives to instances.
           "design -reset", f"read_liberty -lib -ignore_miss_func {library.path}", f"read_verilog {wrapper}",
           "delete wm_sram_1r1w", f"read_verilog {netlist}", f"hierarchy -top {top}", f"write_json {found}"],
          work, "synthesis", top)
    with open(found, encoding="utf-8") as file:
        module = json.load(file)["modules"][top]
    with open(named, encoding="utf-8") as file:
        aliases = _best_names(json.load(file)["modules"][top])
    names = {bit: aliases.get(name, name) for name, bit in _bits(module)}
    nets = {}
    for name, net in module["netnames"].items():
        for i, bit in enumerate(net["bits"]):
            nets.setdefault(bit, f"{name}[{i + net.get('offset', 0)}]" if len(net["bits"]) > 1 else name)
    drives, outputs = {}, {}
    for instance, cell in module["cells"].items():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"].get(pin) == "output" and len(bits) == 1:
                drives[instance, pin] = names.get(bits[0], "")
                outputs[instance, pin] = nets.get(bits[0], "")
    kinds = {instance: cell["type"] for instance, cell in module["cells"].items()}
    return Netlist(netlist, top, collections.Counter(kinds.values()), sizes, drives, outputs, kinds)


def _bits(module):
    """(name, bit) of every bit of a net that the source names."""
    for name, net in module["netnames"].items():
        if net.get("hide_name") or re.fullmatch(r"_\d+_", name):
            continue
        for i, bit in enumerate(net["bits"]):
            yield (f"{name}[{i + net.get('offset', 0)}]" if len(net["bits"]) > 1 else name), bit


def _best_names(module):
    """For each name of a net the one to show: a register's (_q), else the shortest."""
    by_bit = collections.defaultdict(list)
    for name, bit in _bits(module):
        by_bit[bit].append(name)
    best = {}
    for names in by_bit.values():
        shown = min(names, key=lambda text: (not re.search(r"_q(\[\d+\])?$", text), len(text), text))
        best.update(dict.fromkeys(names, shown))
    return best
