# SPDX-License-Identifier: Apache-2.0
"""Clock: OpenSTA over a netlist, the slowest path of each kind, and that path in words."""
import dataclasses
import os
import re

from area.synthesis import LOADS, run
from warpmem.tools.house import ToolFailed

PERIOD_NS = 1000.0  # far above any path: slack then gives the delay

# Kind of path: from, to.
GROUPS = {
    "register to register": ("[all_registers -clock_pins]", "[all_registers -data_pins]"),
    "input to register": ("[all_inputs]", "[all_registers -data_pins]"),
    "register to output": ("[all_registers -clock_pins]", "[all_outputs]"),
    "input to output": ("[all_inputs]", "[all_outputs]"),
}


@dataclasses.dataclass
class Step:
    """One cell of a path. delay, time in ns; net: the source's name of the net that it drives, else ""."""
    cell: str
    instance: str
    pin: str
    delay: float
    time: float
    fanout: int
    net: str


@dataclasses.dataclass
class Path:
    """delay: the least clock period for this path alone, setup included."""
    kind: str
    start: str
    end: str
    setup: float
    delay: float
    steps: list

    @property
    def levels(self):
        """Gates between the ends."""
        return max(0, len(self.steps) - 1) if self.kind.startswith("register") else len(self.steps)


def slowest(paths):
    """Of all kinds."""
    return max((found[0] for found in paths.values() if found), key=lambda path: path.delay)


def slowest_paths(netlist, library, macros, combinational, work, count=3, corner=""):
    """Paths by kind, the slowest first, up to @count of each. @macros: paths of Liberty files. @corner: names its files."""
    driver = library.driver()
    clock = "" if combinational else "[get_ports clk_i]"
    script = [f"read_liberty {path}" for path in [library.path, *macros]]
    script += [f"read_verilog {netlist.verilog}", f"link_design {netlist.top}",
               f"create_clock -name clk -period {PERIOD_NS} {clock}", "set inputs {}", "foreach port [all_inputs] {",
               "if {[get_property $port full_name] != \"clk_i\"} { lappend inputs $port } }",
               "set_input_delay 0 -clock clk $inputs", "set_output_delay 0 -clock clk [all_outputs]",
               f"set_load {driver.input_capacitance * LOADS:.4f} [all_outputs]",
               f"set_driving_cell -lib_cell {driver.name} $inputs"]
    for i, (start, end) in enumerate(GROUPS.values()):
        if combinational and i < len(GROUPS) - 1:
            continue
        start = start.replace("[all_inputs]", "$inputs")
        script += [f'puts "== {i}"', f"report_checks -digits 4 -group_count {count} -from {start} -to {end} "
                                     "-fields {slew capacitance net input_pin}"]
    name = f"timing_{corner}" if corner else "timing"
    tcl, log = (os.path.join(work, f"{name}.{kind}") for kind in ("tcl", "log"))
    with open(tcl, "w", encoding="utf-8") as file:
        file.write("\n".join(script) + "\n")
    text = run(["sta", "-exit", tcl], log, netlist.top)
    error = re.search(r"^Error.*", text, re.M)
    if error:
        raise ToolFailed(f"{netlist.top}: {error.group()} ({log})")
    paths = {}
    for section in re.split(r"^== ", text, flags=re.M)[1:]:
        kind = list(GROUPS)[int(section.split("\n", 1)[0])]
        found = [_path(kind, part, netlist) for part in re.split(r"^(?=Startpoint: )", section, flags=re.M)[1:]]
        paths[kind] = sorted((p for p in found if p), key=lambda p: -p.delay)
    if not any(paths.values()):
        raise ToolFailed(f"{netlist.top}: OpenSTA reports no path ({log})")
    return paths


STEP = re.compile(r"^\s*(?:[\d.]+\s+)?(?:[\d.]+\s+)?(-?[\d.]+)\s+(-?[\d.]+)\s+[v^]\s+(\S+)/(\S+)\s+\((\S+)\)\s*$")
NET = re.compile(r"^\s*(\d+)\s+[\d.]+\s+(\S+)\s+\(net\)\s*$")


def _path(kind, text, netlist):
    slack = re.search(r"(-?[\d.]+)\s+slack", text)
    if not slack:
        return None
    setup = re.search(r"(-?[\d.]+)\s+[\d.]+\s+library setup time", text)
    lines = text.split("data arrival time", 1)[0].splitlines()
    steps, fanout = [], 0
    for i, line in enumerate(lines):
        match = STEP.match(line)
        if not match:
            continue
        delay, time, instance, pin, cell = match.groups()
        if i + 1 < len(lines) and NET.match(lines[i + 1]):  # an output pin
            fanout = int(NET.match(lines[i + 1]).group(1))
            steps.append(Step(cell, instance, pin, float(delay), float(time), fanout, netlist.drives.get((instance, pin), "")))
    ends = re.findall(r"^(?:Startpoint|Endpoint): (\S+)", text, re.M)
    return Path(kind, _end(ends[0], netlist), _end(ends[1], netlist), -float(setup.group(1)) if setup else 0.0,
                PERIOD_NS - float(slack.group(1)), steps)


def _end(name, netlist):
    """A port, a memory, or the register's name in the source."""
    return next((net for (instance, _), net in netlist.drives.items() if instance == name and net), name)


def describe(path):
    """The path as a table, for an engineer who will mend it."""
    lines = [f"{path.kind}: {path.delay:.3f} ns, {path.levels} gates, from {path.start} to {path.end}",
             "     time   delay  fanout  cell         drives"]
    before = 0.0
    for step in path.steps:
        lines.append(f"  {step.time:7.3f} {step.time - before:7.3f}  {step.fanout:6d}  {step.cell:<12} "
                     f"{step.net or step.instance}")
        before = step.time
    lines.append(f"  {path.delay:7.3f} {path.setup:7.3f}          setup of {path.end}")
    if path.steps:
        slowest = max(path.steps, key=lambda s: s.fanout)
        lines.append(f"  largest fan-out {slowest.fanout} at {slowest.net or slowest.instance}; "
                     f"{path.delay / max(1, len(path.steps)):.3f} ns a stage")
    return "\n".join(lines)
