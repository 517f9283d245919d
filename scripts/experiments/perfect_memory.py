#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The share of time that programs lose to memory, beside OWL table 2: PMEM and core inactive time.

PMEM: cycles over cycles when every access hits in the L1 (scheme perfect-l1), so the gain in IPC.
inactive: share of all cores' cycles in which no warp executes: none issued, and none is in a
scheduler that passes it to narrower lanes (core.wait_pipeline). Of the same total: memory: waiting
for a load, or for the load/store unit or the L1 to take an access; blocked: all warps of the core
wait for the L2 or DRAM (MemoryBlockCycles); no warp: none is resident (NoWarpCycles).
type: 1 where PMEM is 1.4 or more, the paper's line between its two types.
"""
import experiment


def work():
    p = experiment.parser(__doc__, "quadro-owl")
    p.add_argument("--max-insn", help="stop each run there, for sizes that take long")
    options = p.parse_args()
    limit = ("--max-insn", options.max_insn) if options.max_insn else ()
    rows = experiment.asked_for(options, experiment.paper_table("owl_apps"))

    def one(row):
        words = ("run", row["workload"], "--size", row["size"], "--preset", options.preset, *limit)
        real = experiment.run(options, *words)
        perfect = experiment.run(options, *words, "--scheme", "perfect-l1")
        return (real, perfect) if real and perfect else None

    table = []
    for row, found in experiment.all_of(options, rows, one):
        pmem = number = None
        paper = [experiment.number(row["pmem"]), experiment.number(row["core_inactive"])]
        shares = [None] * 4
        if found:
            real, perfect = found
            stats = real["stats"]
            total = sum(stats["core." + s] for s in CYCLES)
            pmem = real["cycles"] / perfect["cycles"]
            number = "1" if pmem >= 1.4 else "2"
            active = stats["core.issue_cycles"] + stats["core.wait_pipeline"]
            shares = [1 - active / total, sum(stats["core." + s] for s in MEMORY) / total,
                      stats["core.memory_block_cycles"] / total, stats["core.no_warp_cycles"] / total]
        table.append([row["app"], row["workload"], paper[0], pmem,
                      "1" if paper[0] and paper[0] >= 1.4 else "2", number, paper[1], *shares])
    return experiment.show(options, ["app", "workload", "paper PMEM", "PMEM", "paper type", "type",
                              "paper inactive", "inactive", "memory", "blocked", "no warp"], table)


MEMORY = ("wait_load_store", "wait_l1_refused", "wait_l1", "wait_noc_request", "wait_l2_queue",
          "wait_l2_bank", "wait_dram_queue", "wait_dram_service", "wait_noc_reply", "wait_unresolved")
CYCLES = ("issue_cycles", "no_warp_cycles", "wait_pipeline", "descheduled_cycles", "wait_result",
          "wait_sync", "wait_end", *MEMORY)

experiment.main(work)
