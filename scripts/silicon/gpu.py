# SPDX-License-Identifier: Apache-2.0
"""Measures the NVIDIA GPU of this computer by the programs of examples/silicon, for a comparison with warpmem.

scripts/silicon/measure needs the CUDA toolkit's nvcc and Nsight Compute's ncu. In OUT it writes NAME.tsv, the counters of each kernel in
the form of data/silicon/gv100.tsv, for `make silicon SUITES=examples TABLE=OUT/NAME.tsv PRESET=...`; NAME.micro.tsv, the
microbenchmarks; and NAME.ini, a draft of a preset: an existing one with this GPU's clocks, multiprocessors and latencies. The tables'
first line has GPU, driver and date. NAME is the GPU's, in lower case.
"""
import datetime
import glob
import os
import re
import shutil
import subprocess

from silicon import micro, ncu
from silicon.counters import mean_of
from silicon.programs import ROOT, Failed, call, keys_of
from warpmem.tools.house import BadInput, Parser, number, tsv, write_whole
from warpmem.tools.work import Progress

EXAMPLES = {"stores": ("4194304",), "walsh": ("4194304",), "multiply": ("512",), "tree_search": ("65536", "4"), "layer": ("65536",),
            "stencil": ("1024", "2"), "quasirandom": ("1048576",), "reduction": ("4194304",)}
COLUMNS = ("suite", "program", "arguments", "kernel", *ncu.COUNTERS, "pipeline_duty")
PLACES = {"nvcc": ("/usr/local/cuda/bin/nvcc",),
          "ncu": ("/usr/local/cuda/bin/ncu", "/opt/nvidia/nsight-compute/*/ncu", "/usr/local/NVIDIA-Nsight-Compute*/ncu")}
HOW = {"nvcc": "the CUDA toolkit has it", "ncu": "Nsight Compute has it, which comes with the CUDA toolkit"}
BASES = (("9.", "h100"), ("8.", "a100"), ("7.", "v100"))  # a preset by compute capability
QUERY = ("name", "driver_version", "compute_cap")


def options_of(arguments):
    p = Parser("measure", __doc__, allow_abbrev=False)
    for tool, how in HOW.items():
        p.add_argument("--" + tool, metavar="PROGRAM", help=f"(default: in PATH or where NVIDIA puts it); {how}")
    p.add_argument("--arch", help="of the programs, such as sm_80 (default: the GPU's)")
    p.add_argument("--out", default="measured", help="folder of results (default %(default)s)")
    p.add_argument("--only", help="only these programs: A,B (default: all)")
    p.add_argument("--timeout", type=number(1, 1000000), default=1800, help="seconds for each program under ncu (default %(default)s)")
    p.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    p.add_build("folder of warpmem, for the draft preset (build)")
    return p.parse_args(arguments)


def find_tool(options, name):
    given = getattr(options, name)
    found = shutil.which(given or name) or next((path for place in PLACES[name] for path in sorted(glob.glob(place)) if not given), None)
    if not found and not options.dry_run:
        raise BadInput(f"--{name} {given}: is not there" if given else f"{name}: not found; {HOW[name]}; --{name}=PROGRAM names it")
    return found or given or name


def describe_gpu():
    """{name, driver_version, compute_cap} of the first GPU."""
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=" + ",".join(QUERY), "--format=csv,noheader"], capture_output=True, text=True, check=False)
    except OSError:
        raise BadInput("no NVIDIA GPU: there is no nvidia-smi, which NVIDIA's driver installs; --dry-run prints the commands") from None
    line = (done.stdout.strip().splitlines() or [""])[0]
    cells = [cell.strip() for cell in line.split(",")]
    if done.returncode or len(cells) != len(QUERY):
        said = (done.stdout + done.stderr).strip().splitlines()
        raise BadInput(f"no NVIDIA GPU: nvidia-smi says: {(said or ['nothing'])[0]}; --dry-run prints the commands")
    return dict(zip(QUERY, cells))


def chosen_programs(options):
    """[(name, source, arguments)]; microbenchmarks last."""
    programs = [(name, os.path.join(ROOT, "examples", "silicon", name + ".cu"), words) for name, words in EXAMPLES.items()]
    programs += [(name, os.path.join(micro.FOLDER, name + ".cu"), ()) for name in micro.NAMES]
    names = [name for name, *_ in programs]
    wanted = options.only.split(",") if options.only else names
    for name in wanted:
        if name not in names:
            raise BadInput(f"--only {name}: must be of {', '.join(names)}")
    return [program for program in programs if program[0] in wanted]


def commands_of(options, tools, arch, name, source, words):
    """(compilation, the program's words, its log)"""
    binary, log = os.path.join(options.out, "programs", name), os.path.join(options.out, "logs", name + ".csv")
    return [tools["nvcc"], "-O2", "-std=c++14", "-arch=" + arch, "-o", binary, source], [binary, *words], log


def measure_program(options, commands):
    """(launches, printed)"""
    compilation, program, log = commands
    for path in (program[0], log):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    call(compilation, None, options.timeout)
    return ncu.profile(options.ncu, log, program, options.timeout)


def rows_of(name, words, launches):
    """A row a kernel: the mean of its launches."""
    by_kernel, rows = {}, []
    for kernel, metrics in launches:
        by_kernel.setdefault(kernel, []).append(ncu.counts_of(metrics))
    for kernel, counts in by_kernel.items():
        common = [{key: one[key] for key in one if all(key in other for other in counts)} for one in counts]
        mean = mean_of(common)
        cells = [format(mean[column], ".3f" if column == "pipeline_duty" else ".0f") if column in mean else "" for column in COLUMNS[4:]]
        rows.append(["warpmem", name, " ".join(words), kernel, *cells])
    return rows


def micro_rows(name, launches, printed):
    cycles = {number_: metrics.get("sm__cycles_elapsed.avg") for number_, (_, metrics) in enumerate(launches, 1)}
    found = [(m.name, f"{m.value(cycles):.3f}", m.unit) for m in micro.measures_in(printed)]
    if not found:
        raise Failed(f"{name}: prints no measure")
    return found


def machine_of(launches):
    """{multiprocessors, core: Hz, dram: Hz} by a launch's metrics; what is missing is left out."""
    metrics = launches[-1][1]
    found = {}
    if metrics.get("sm__cycles_elapsed.avg") and metrics.get("sm__cycles_elapsed.sum"):
        found["multiprocessors"] = round(metrics["sm__cycles_elapsed.sum"] / metrics["sm__cycles_elapsed.avg"])
    for key, metric in (("core", "sm__cycles_elapsed.avg.per_second"), ("dram", "dram__cycles_elapsed.avg.per_second")):
        if metrics.get(metric):
            found[key] = metrics[metric]
    return found


# The rows of the draft: a measure, the key that takes its difference to the base's, and the measures whose differences it must not take twice.
LATENCIES = (("shared_latency", "core.shared_latency", ()), ("l1_latency", "l1.hit_latency", ()), ("l2_latency", "l2.rop_latency", ()),
             ("dram_latency", "dram.latency", ("l2_latency",)))


def draft_of(keys, base, gpu, machine, theirs, ours):
    """Text of a preset: @base with this GPU's values. keys: of the base; theirs, ours: {latency: cycles} of the GPU and of the base."""
    values = {}
    if "multiprocessors" in machine:
        values["core.count"] = (machine["multiprocessors"], "measured")
    for clock in ("core", "noc", "l2"):
        if "core" in machine:
            values["clock." + clock] = (round(machine["core"] / 1000), "measured, the core's clock under the profiler, kHz")
    if "dram" in machine:
        values["clock.dram"] = (round(machine["dram"] / 1000), "measured under the profiler, kHz; check whether it counts both edges")
    ratio = float(keys["clock.dram"]) / float(keys["clock.core"])
    for name, key, inside in LATENCIES:
        if name in theirs and name in ours:
            more = theirs[name] - ours[name] - sum(theirs[part] - ours[part] for part in inside if part in theirs and part in ours)
            value = round(int(keys[key]) + more * (ratio if key == "dram.latency" else 1))
            values[key] = (max(value, 0), f"{theirs[name]:.1f} cycles measured, {ours[name]:.1f} here with {keys[key]}")
    text, sections = [f"; {gpu['name']}: a draft of scripts/silicon/measure, {base} with what was measured", f"base = {base}"], {}
    for key, (value, why) in values.items():
        section, name = key.split(".")
        sections.setdefault(section, []).append(f"{name} = {value} ; {why}")
    for section, lines in sections.items():
        text += ["", f"[{section}]", *lines]
    return "\n".join(text) + "\n"


def write_draft(options, path, gpu, machine, theirs):
    base = next((preset for start, preset in BASES if gpu["compute_cap"].startswith(start)), "v100")
    if not os.path.exists(os.path.join(options.build, "warpmem")):
        print(f"no draft preset: no {options.build}/warpmem; make builds it")
        return
    ours, _ = micro.measured(base, ["chase"], options.build, os.path.join(options.build, "silicon"), 1)
    write_whole(path, draft_of(keys_of(options.build, base), base, gpu, machine, theirs, {name: value for name, (value, _) in ours.items()}))
    print(f"{path}: a draft; warpmem run ... --config {path}")


def measure_all(options, tools, gpu):
    options.ncu = tools["ncu"]
    arch = options.arch or "sm_" + gpu["compute_cap"].replace(".", "")
    programs, rows, of_micro, machine, problems = chosen_programs(options), [], [], {}, []
    progress = Progress("measure", [name for name, *_ in programs])
    for name, source, words in programs:
        try:
            launches, printed = measure_program(options, commands_of(options, tools, arch, name, source, words))
            machine = machine or machine_of(launches)
            if name in micro.NAMES:
                of_micro += micro_rows(name, launches, printed)
            else:
                rows += rows_of(name, words, launches)
        except Failed as failed:
            if ncu.NO_PERMISSION in str(failed):  # no other program may either
                raise
            problems.append(f"{name}: {failed}")
        progress.step(name)
    return rows, of_micro, machine, problems


def write_all(options, gpu, rows, of_micro, machine):
    name = re.sub(r"[^a-z0-9]+", "-", gpu["name"].lower()).strip("-")
    path = os.path.join(options.out, name)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    about = f"# Counters of an {gpu['name']} (compute capability {gpu['compute_cap']}, driver {gpu['driver_version']}), {today}, by scripts/silicon/measure: means of launches.\n"
    write_whole(path + ".tsv", about + tsv([COLUMNS] + rows))
    print(f"{path}.tsv: {len(rows)} kernels")
    if of_micro:
        write_whole(path + ".micro.tsv", about + tsv([("measure", "value", "unit")] + of_micro))
        print(f"{path}.micro.tsv: {len(of_micro)} measurements")
        write_draft(options, path + ".ini", gpu, machine, {measure: float(value) for measure, value, _ in of_micro})


def main(arguments):
    options = options_of(arguments)
    tools = {name: find_tool(options, name) for name in HOW}
    if options.dry_run:
        for name, source, words in chosen_programs(options):
            compilation, program, log = commands_of(options, tools, options.arch or "native", name, source, words)
            print(" ".join(compilation) + "\n" + " ".join(ncu.words_of(tools["ncu"], ncu.wanted_metrics(), log, program)))
        return 0
    gpu = describe_gpu()
    rows, of_micro, machine, problems = measure_all(options, tools, gpu)
    if rows or of_micro:
        write_all(options, gpu, rows, of_micro, machine)
    for line in problems:
        print(f"failed: {line}")
    return 1 if problems else 0
