# SPDX-License-Identifier: Apache-2.0
"""Nsight Compute: the metrics of our counters, its command, and the comma-separated text that it writes with --page raw.

The text begins after lines such as "==PROF== ...": a line of column names, a line of units, then a line a launch. Numbers have commas
between thousands. The names of metrics are those of Volta to Hopper (compute capability 7.0 to 9.0); where one has changed, several are asked for, and a
metric that this GPU's ncu does not know is left out.
"""
import csv
import io
import os
import re
import subprocess

from silicon.programs import Failed

# (counter, metrics that are added up, others for the same if these are unknown)
METRICS = (
    ("cycles", ("sm__cycles_elapsed.avg",), ()),
    ("dram_reads", ("dram__sectors_read.sum",), ()),
    ("dram_writes", ("dram__sectors_write.sum",), ()),
    ("l2_read_hits", ("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",), ()),
    ("l2_read_misses", ("lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum",), ()),
    ("l2_write_hits", ("lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum",), ()),
    ("l2_write_misses", ("lts__t_sectors_srcunit_tex_op_write_lookup_miss.sum",), ()),
    ("l1_read_hits", ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",), ()),
    ("l1_read_misses", ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",), ()),
    ("l1_write_hits", ("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",), ()),
    ("l1_write_misses", ("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_miss.sum",), ()),
    ("shared_accesses", ("smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum"),
     ("sm__sass_inst_executed_op_shared_ld.sum", "sm__sass_inst_executed_op_shared_st.sum")),
    ("constant_accesses", ("idc__requests.sum",), ()),
    ("warp_instructions", ("smsp__inst_executed.sum",), ()),
)
# Pipelines whose share of busy cycles is averaged: AccelWattch's duty cycle.
PIPES = tuple(f"sm__pipe_{name}_cycles_active.sum" for name in ("alu", "fma", "fp64", "shared", "tensor"))
MACHINE = ("sm__cycles_elapsed.sum", "sm__cycles_elapsed.avg.per_second", "dram__cycles_elapsed.avg.per_second", "dram__bytes.sum.peak_sustained")
COUNTERS = tuple(name for name, *_ in METRICS)
NO_PERMISSION = ("ncu may not read the GPU's counters (ERR_NVGPUCTRPERM): run this as root, or let all users: options nvidia "
                 "NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, and load the driver again")
UNKNOWN = re.compile(r"[Ff]ailed to find metric[s]? (?:regex:)?['\"]?([\w.]+)|[Mm]etric ['\"]?([\w.]+)['\"]? (?:is not|was not|not) (?:found|available|supported)")


def wanted_metrics(unknown=()):
    names = [name for _, first, others in METRICS for name in (first if not set(first) & set(unknown) else others)]
    return [name for name in dict.fromkeys([*names, *PIPES, *MACHINE]) if name not in unknown]


def words_of(ncu, metrics, log, program):
    """A profiler's command: caches emptied and clocks held before each launch, every kernel, what the tool says into a file."""
    return [ncu, "--csv", "--page", "raw", "--print-kernel-base", "function", "--cache-control", "all", "--clock-control", "base",
            "--target-processes", "all", "--metrics", ",".join(metrics), "--log-file", log, *program]


def number_of(text):
    """Of a cell; None: n/a."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def launches_in(text):
    """[(kernel, {metric: number})] in the order of the launches. Failed: the text has none."""
    lines = text.splitlines()
    begin = next((at for at, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        raise Failed("ncu wrote no table of launches")
    rows = list(csv.reader(io.StringIO("\n".join(lines[begin:]))))
    head, found = rows[0], []
    if "Kernel Name" not in head:
        raise Failed('ncu\'s table has no column "Kernel Name"')
    for row in rows[1:]:
        if len(row) == len(head) and row[0].strip().isdecimal():  # the second line has units
            cells = dict(zip(head, row))
            name = re.match(r"(?:void\s+)?([\w:~]+)", cells["Kernel Name"])
            found.append((name.group(1) if name else cells["Kernel Name"],
                          {metric: value for metric, cell in cells.items() if "__" in metric and (value := number_of(cell)) is not None}))
    if not found:
        raise Failed("ncu profiled no launch")
    return found


def counts_of(metrics):
    """{counter: number} of a launch; a counter whose metrics are missing is left out."""
    counts = {}
    for counter, *choices in METRICS:
        names = next((names for names in choices if names and set(names) <= set(metrics)), None)
        if names:
            counts[counter] = sum(metrics[name] for name in names)
    pipes = [metrics[name] for name in PIPES if name in metrics]
    if pipes and metrics.get("sm__cycles_elapsed.sum"):
        counts["pipeline_duty"] = sum(pipes) / len(pipes) / metrics["sm__cycles_elapsed.sum"]
    return counts


def profile(ncu, log, program, seconds):
    """(launches_in() of a program's run, what the program printed). Metrics that ncu does not know are left out."""
    unknown = []
    while True:
        words = words_of(ncu, wanted_metrics(unknown), log, program)
        if os.path.exists(log):
            os.remove(log)
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"{os.path.basename(program[0])}: ncu did not end in {seconds} s") from None
        except OSError as error:
            raise Failed(f"{ncu}: {error.strerror}") from None
        said = ""
        if os.path.exists(log):
            with open(log, encoding="utf-8", errors="replace") as file:
                said = file.read()
        everything = said + done.stdout + done.stderr
        if "ERR_NVGPUCTRPERM" in everything:
            raise Failed(NO_PERMISSION)
        names = [name for match in UNKNOWN.finditer(everything) for name in match.groups() if name and name not in unknown]
        if names and set(names) & set(wanted_metrics(unknown)):
            unknown += names
            continue
        if done.returncode:
            problem = next((line for line in everything.splitlines() if "==ERROR==" in line or "FAIL" in line), f"exit status {done.returncode}")
            raise Failed(f"{os.path.basename(program[0])}: {problem.strip()}")
        return launches_in(said), done.stdout
