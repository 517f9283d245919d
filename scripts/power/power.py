# SPDX-License-Identifier: Apache-2.0
"""Power: OpenSTA gives the power of each gate if its output toggles in every cycle and if it never does; its net's activity
lies between. Memories have CACTI's energy of a read and a write."""
import dataclasses
import os
import re

from area.synthesis import run
from warpmem.tools.house import ToolFailed

MILLI = 1e3


@dataclasses.dataclass
class Gate:
    """Watt. still: inside at no toggle of an output, which in a flip-flop is the clock's pin; toggling: more at one toggle in
    each cycle, inside and in what it drives; leakage."""
    still: float
    toggling: float
    leakage: float


def gates_of(netlist, library, macros, period_ns, work):
    """{instance: Gate}. OpenSTA reckons with one activity of all nets, twice; between these power is a straight line."""
    script = [f"read_liberty {path}" for path in [library.path, *macros]]
    script += [f"read_verilog {netlist.verilog}", f"link_design {netlist.top}",
               f"create_clock -name clk -period {period_ns:.6f} [get_ports clk_i]", "set inputs {}",
               "foreach port [all_inputs] { if {[get_property $port full_name] != \"clk_i\"} { lappend inputs $port } }",
               "set_input_delay 0 -clock clk $inputs", "set_output_delay 0 -clock clk [all_outputs]",
               f"set_driving_cell -lib_cell {library.driver().name} $inputs",
               "foreach activity {0 1} { set_power_activity -global -activity $activity -duty 0.5",
               "sta::design_power [sta::cmd_corner]",
               "foreach gate [get_cells *] { puts \"gate [get_property $gate full_name] $activity "
               "[sta::instance_power $gate [sta::cmd_corner]]\" } }"]
    tcl, log = (os.path.join(work, "power." + kind) for kind in ("tcl", "log"))
    with open(tcl, "w", encoding="utf-8") as file:
        file.write("\n".join(script) + "\n")
    text = run(["sta", "-exit", tcl], log, netlist.top)
    error = re.search(r"^Error.*", text, re.M)
    if error:
        raise ToolFailed(f"{netlist.top}: {error.group()} ({log})")
    figures = {}
    for name, activity, inside, switching, leakage in re.findall(
            r"^gate (\S+) ([01]) (\S+) (\S+) (\S+) \S+$", text, re.M):
        figures.setdefault(name.replace("\\", ""), {})[activity] = (float(inside), float(switching), float(leakage))
    if not figures:
        raise ToolFailed(f"{netlist.top}: OpenSTA says no gate's power ({log})")
    return {name: Gate(both["0"][0] + both["0"][1], sum(both["1"][:2]) - sum(both["0"][:2]), both["0"][2])
            for name, both in figures.items()}


def of_gates(netlist, gates, library, activity):
    """mW: (clock pins, toggles, leakage)."""
    nets = {}
    for (instance, pin), net in netlist.outputs.items():
        nets.setdefault(instance, []).append(net)
    clock = toggles = leakage = 0.0
    for instance, gate in gates.items():
        cell = library.cells.get(netlist.kinds.get(instance))
        if not cell:
            continue  # a memory
        counts = [activity.toggles[net] for net in nets.get(instance, ())]
        share = sum(counts) / len(counts) / activity.cycles if counts else 0.0
        clock += gate.still
        toggles += gate.toggling * share
        leakage += gate.leakage
    return clock * MILLI, toggles * MILLI, leakage * MILLI


def of_memories(activity, estimates, period_ns):
    """mW: (reads and writes, leakage). Energy in nJ over time in ns is W."""
    nanojoule = leakage = 0.0
    for words, bits, reads, writes in activity.memories:
        estimate = estimates[words, bits]
        nanojoule += reads * estimate.read_nj + writes * estimate.write_nj
        leakage += estimate.leak_mw
    return nanojoule / (activity.cycles * period_ns) * MILLI, leakage
