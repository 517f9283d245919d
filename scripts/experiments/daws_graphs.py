#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The gain of DAWS on breadth-first search by its graph (DAWS 7.1: the paper names no graph, and its best static limit is 5 warps).

examples/capture/bfs.cu is captured on each graph, NODES:DEGREE:GRAPH:TEST as its words are: TEST is whether start and end of a
node's list stay in registers (kept) or each trip of the loop loads them (again), as PCs 400 and 408 of the paper's figure 5 do.

Of the loop, from the trace alone, means of a trip: lanes, lines touched, lines that DAWS predicts. Over gto, in cycles: 8mb: with
an L1 of 8 MB; swl: the fastest static limit of warps, and limit: which; ccws, detected, blind: of CCWS, Detected-DAWS, and that
without control flow awareness. Traces are in BUILD/graphs.
"""
import os
import subprocess

import experiment
from house import BadInput
from work import Progress, in_parallel

GRAPHS = ("131072:2:random:kept", "131072:6:random:kept", "131072:6:random:again", "131072:6:directed:again", "131072:6:skewed:again",
          "32768:6:near:again", "131072:12:random:kept", "131072:12:random:again", "65536:24:random:kept", "65536:24:random:again",
          "65536:24:skewed:again", "65536:48:random:again")
LIMITS = "2,3,4,5,6,8,10,12,16"
SCHEMES = {"gto": ("--scheme", "gto"), "8mb": ("--scheme", "gto", "--l1", "8mb"),
           "swl": ("--scheme", "best-swl", "--swl-limits", LIMITS), "ccws": ("--scheme", "ccws"),
           "detected": ("--scheme", "daws-detected"), "blind": ("--scheme", "daws-no-control-flow")}


def search_program(options):
    """bfs.cu, compiled."""
    folder = os.path.join(options.build, "graphs")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "bfs")
    source = os.path.join(experiment.ROOT, "examples", "capture", "bfs.cu")
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        compiler = os.path.join(options.build, "warpmem-cc")
        try:
            done = subprocess.run([compiler, source, "-o", program], check=False)
        except OSError as error:
            raise BadInput(f"{compiler}: {error.strerror}; make builds it") from None
        if done.returncode:
            raise BadInput(f"{source}: {compiler} does not compile it")
    return program


def trace_of(options, program, graph):
    """The path of the graph's trace; recorded unless it is there."""
    words = graph.split(":")
    if len(words) != 4:
        raise BadInput(f"{graph}: must be NODES:DEGREE:GRAPH:TEST, for example {GRAPHS[0]}")
    trace = os.path.join(options.build, "graphs", "-".join(words) + ".wtr")
    if not os.path.exists(trace) or os.path.getmtime(trace) < os.path.getmtime(program):
        done = experiment.call(options, "capture", "-o", trace, "--", program, *words)
        if done.returncode:
            raise BadInput(f"{graph}: {(done.stderr + done.stdout).strip()[-200:]}")
    return trace


def loop_of(data):
    """The loop with the most trips."""
    return max((loop for kernel in data["kernels"] for loop in kernel["loops"]), key=lambda loop: loop["trips"])


def line_of(graph, data, results):
    loop = loop_of(data)
    lanes = sum(count * lanes for lanes, count in enumerate(loop["trips_by_lanes"], 1))
    cells = [*graph.split(":"), lanes / loop["trips"], loop["trip_lines"] / loop["trips"], loop["footprint_lines"] / loop["trips"],
             results["gto"]["cycles"]]
    for name in list(SCHEMES)[1:]:
        cells.append(results["gto"]["cycles"] / results[name]["cycles"])
        cells += [results[name]["sweep"]["best"]] if name == "swl" else []
    return cells


def work():
    options = experiment.parser(__doc__, "quadro-daws").parse_args()
    program = search_program(options)
    graphs = options.workload or GRAPHS
    traces = {graph: trace_of(options, program, graph) for graph in graphs}

    def one(graph):
        data = experiment.run(options, "characterize", traces[graph], "--preset", options.preset)
        results = {name: experiment.run(options, "run", traces[graph], "--preset", options.preset, *words, "--jobs", "1")
                   for name, words in SCHEMES.items()}
        return (data, results) if data and all(results.values()) else None

    progress, found = Progress("graphs", graphs, options.jobs, quiet=float("inf")), {}
    for graph, of in in_parallel(one, graphs, options.jobs):
        found[graph] = of
        progress.step(graph)
    lines = [line_of(graph, *found[graph]) for graph in graphs if found[graph]]
    return experiment.show(options, ["nodes", "degree", "graph", "test", "lanes", "lines", "predicted", "gto", *list(SCHEMES)[1:3],
                                     "limit", *list(SCHEMES)[3:]], lines)


experiment.main(work)
