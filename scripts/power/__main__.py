# SPDX-License-Identifier: Apache-2.0
"""Power of the hardware blocks at work: mW, and pJ per request.

Section [power] of tb/PLACE/BLOCK.tests names a run of the machine. The inputs of one instance in that run are recorded; the
block's netlist replays them in lockstep with the C model while its nets' toggles are counted; OpenSTA and the cell
library give the energy of these, CACTI's recorded results that of the memories. Not counted: wires, the clock
tree, glitches within a cycle, and the drivers of the inputs. The clock toggles in every cycle; nothing gates it.
"""
import dataclasses
import json
import os

from area import memory, synthesis
from area.blocks import DATA, parameters_of, text_of, top_of
from area.liberty import Library
from area.measure import TARGET_GHZ, scale_of
from power import activity, netlist as simulated, power
from warpmem.tools.block_table import area_sets
from warpmem.tools.block_tests import blocks_with, lines_of, path_of
from warpmem.tools.house import BadInput, Parser, ToolFailed, aligned, command, only_one, run_tool, tsv, write_whole
from warpmem.tools.work import Progress

DEFAULT_LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
COLUMNS = {
    "block": "place/name",
    "parameters": "of the set that machines have",
    "library": "standard cells",
    "conditions": "process, voltage and temperature of these",
    "run": "warpmem run ..., and the instance",
    "ghz": "the block's clock in that machine",
    "cycles": "of the run",
    "requests": "in these",
    "request": "what one is",
    "clock_mw": "clock pins of the flip-flops, toggling in every cycle",
    "cells_mw": "gates and flip-flops, by their toggles",
    "cells_leakage_mw": "leakage of these",
    "sram_mw": "reads and writes of the memories",
    "sram_leakage_mw": "leakage of these",
    "total_mw": "all five",
    "pj_a_request": "total over requests",
    "paper": "what the paper has",
}


@dataclasses.dataclass
class Plan:
    """A block's section [power]. run: words behind `warpmem run`; where: the instance; set: its parameter set; clock: key of the
    section clock; request: Verilog of the ports, a bit for each; paper: its figures, or none."""
    block: str
    run: str
    where: str
    set: str
    clock: str
    request: str
    paper: str = ""


def plan_of(block):
    path, lines = path_of(block), lines_of(block, "power")
    if not lines:
        raise BadInput(f"--block {block}: {path} has no section [power], a run in which it is at work; there are "
                       f"{', '.join(blocks_with('power'))}")
    words = {}
    for number, line in lines:
        name, _, value = line.partition(" ")
        if name not in Plan.__annotations__ or name in words or name == "block" or not value.strip():
            raise BadInput(f"{path}:{number}: must be once each run, where, set, clock, request, maybe paper, with its value")
        words[name] = value.strip()
    missing = [name for name in Plan.__annotations__ if name not in (*words, "block", "paper")]
    if missing:
        raise BadInput(f"{path}: section [power] has no {', '.join(missing)}")
    return Plan(block, **words)


def ghz_of(plan, build):
    """The clock of that machine."""
    words = [word for word in plan.run.split() if word.startswith("--")]
    run = plan.run.split()
    preset = run[run.index("--preset") + 1] if "--preset" in words else "c2050-s"
    for line in command([os.path.join(build, "warpmem"), "config", "show", preset]).splitlines():
        if line.split()[:2] == [plan.clock, "="]:
            return int(line.split()[2]) / 1e6
        if line.startswith("[") and line != "[clock]":
            break
    raise BadInput(f"{path_of(plan.block)}: clock {plan.clock}: must be a key of [clock] of {preset}")


def measure(plan, library, estimator, options, work):
    """A row by the names of COLUMNS."""
    parameters, top = parameters_of(plan.block, plan.set, ""), top_of(plan.block)
    scale, ghz = scale_of(library, options.node), ghz_of(plan, options.build)
    macros, estimates = [], {}
    sizes = list(synthesis.memories(top, parameters, work).values())
    for size in {size for size in sizes if size.is_macro}:
        estimates[size.words, size.bits] = estimate = estimator.estimate(size, "1r1w")
        path = os.path.join(work, size.macro + ".lib")
        write_whole(path, memory.liberty(size, estimate, scale.delay, estimate.area_mm2 * 1e6 * scale.area))
        macros.append(path)
    gates = synthesis.synthesize(top, parameters, library, sizes, scale.delay / TARGET_GHZ, work)
    stimulus = activity.record(plan, options.build, work)
    nets = sorted(set(gates.outputs.values()) - {""})
    verilog = simulated.write_simulated(plan.block, top, gates, nets, library, plan.request, work)
    done = activity.replay(plan, verilog, nets, stimulus, options.build, options.jobs, work)
    if not done.requests:
        raise ToolFailed(f"{path_of(plan.block)}: the run has no request: {plan.request}")
    write_whole(os.path.join(work, "activity.tsv"), tsv([{"net": "in the netlist", "changes": f"in {done.cycles} cycles"},
                                                         *done.toggles.items()]))
    clock, toggles, leakage = power.of_gates(gates, power.gates_of(gates, library, macros, 1 / ghz, work), library, done)
    sram, sram_leakage = power.of_memories(done, estimates, 1 / ghz)
    total = clock + toggles + leakage + sram + sram_leakage
    return {"block": plan.block, "parameters": text_of(parameters), "library": library.name, "conditions": library.conditions,
            "nm": scale.nm, "run": f"{plan.run}, {plan.where}", "ghz": ghz, "cycles": done.cycles, "requests": done.requests,
            "request": plan.request, "clock_mw": clock, "cells_mw": toggles, "cells_leakage_mw": leakage, "sram_mw": sram,
            "sram_leakage_mw": sram_leakage, "total_mw": total, "pj_a_request": total * done.cycles / ghz / done.requests,
            "paper": plan.paper}


def parse(arguments):
    parser = Parser("power", __doc__)
    parser.add_build("folder for power/power.tsv and each block's files; has warpmem-rtl (build)")
    parser.add_argument("--liberty", default=DEFAULT_LIBERTY, help="standard cells (Debian's osu018, of 180 nm)")
    parser.add_argument("--node", type=int, help="nm of --liberty, where data/area/scaling.tsv does not know it")
    parser.add_argument("--block", action="append", metavar="PLACE/NAME", help="only this one (all that have a run)")
    parser.add_jobs()
    return parser.parse_args(arguments)


def _figure(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main(arguments):
    options = parse(arguments)
    if len(options.liberty.split()) != 1:
        raise BadInput(f"LIBERTY={options.liberty}: Yosys and OpenSTA read no path with blanks")
    library = Library(options.liberty)
    plans = [plan_of(block) for block in options.block or
             [block for block in area_sets() if lines_of(block, "power")]]
    estimator = memory.Estimator(os.path.join(DATA, "cacti.tsv"))
    folder = os.path.join(options.build, "power")
    lock = only_one(folder, "make power")
    progress, rows = Progress("power", [plan.block for plan in plans]), []
    for plan in plans:
        work = os.path.join(folder, plan.block)
        os.makedirs(work, exist_ok=True)
        progress.say(f"; {plan.block} ...")
        row = measure(plan, library, estimator, options, work)
        write_whole(os.path.join(work, "power.json"), json.dumps(row, indent=1) + "\n")
        progress.step(plan.block, worked=True)
        rows.append(row)
    shown = {"block": "block", "ghz": "GHz", "requests": "requests", "cycles": "cycles", "clock_mw": "clock pins mW",
             "cells_mw": "gates mW", "sram_mw": "SRAM mW", "cells_leakage_mw": "leakage mW", "sram_leakage_mw": "SRAM leakage mW",
             "total_mw": "total mW", "pj_a_request": "pJ a request"}
    print("\n".join(aligned([list(shown.values()), *([_figure(row[key]) for key in shown] for row in rows)])) + "\n")
    for row in rows:
        print(f"{row['block']}: {row['parameters']}\n  {row['run']}; a request: {row['request']}")
        if row["paper"]:
            print(f"  the paper: {row['paper']}")
    print(f"\n{rows[0]['library']}, {rows[0]['conditions']}, {rows[0]['nm']} nm; memories: CACTI at 45 nm, 77 C.\n"
          "Not counted: wires, the clock's tree, glitches, what drives the inputs. No clock is gated.")
    if not options.block:
        table = os.path.join(folder, "power.tsv")
        write_whole(table, tsv([COLUMNS, *([_figure(row[key]) for key in COLUMNS] for row in rows)]))
        print(f"Written: {table}, {folder}/PLACE/BLOCK/activity.tsv (each net's changes).")
    lock.close()


if __name__ == "__main__":
    run_tool("power", main)
