# SPDX-License-Identifier: Apache-2.0
"""Plants errors in the hardware blocks, Verilog and C, and demands that their tests and proofs find them.

Each mutant goes through lockstep, the block's unit tests and its properties until something finds it; those that nothing
finds must be proven equal to the original, or they count as survivors. A block fails under 95 % of
killed / (all - equivalent). Results go to BUILD/mutate: scores.tsv, scores.json, survivors.txt, and a list a block.
"""
import os
import sys

from mutate import prove, report, stages
from mutate.netlist import Block
from mutate.simulate import dependencies
from mutate.store import Spent
from mutate.tools import tool_files, versions
from warpmem.tools.block_table import area_sets
from warpmem.tools.block_tests import lines_of
from warpmem.tools.house import Parser, ToolFailed, hash_files, hash_of, number, only_one, run_tool
from warpmem.tools.work import keep, kept_result

SIDES = {"verilog": stages.verilog, "c": stages.c_model}
TOOLS = ("gcc", "python3-clang", "verilator", "yosys", "yosys-abc", "z3")


def parse(arguments, blocks):
    parser = Parser("mutate", __doc__)
    parser.add_build("folder of the build; results in BUILD/mutate (build)")
    parser.add_argument("--block", action="append", choices=list(blocks), metavar="PLACE/NAME", help="only this one (all)")
    parser.add_argument("--side", choices=list(SIDES), help="only mutants of the Verilog or of the C model (both)")
    parser.add_argument("--mutants", type=number(1, 5000), default=210, help="of a block's Verilog, over all its sets (210)")
    parser.add_argument("--c-mutants", type=number(1, 5000), default=100, help="of a block's C, at most (100)")
    parser.add_argument("--seed", type=number(0, 2**31 - 1), default=1, help="which of all possible mutants (1)")
    parser.add_jobs()
    return parser.parse_args(arguments)


def known_blocks():
    """Block: the parameter sets that its list of proofs marks."""
    return {name: prove.mutated_sets(name) for name in area_sets()}


def key_of(block, side, options):
    """Hash of all inputs of a block's result: with the same key it is not computed again."""
    files = [*dependencies(block), *block.properties, "tb/common/sram_1r1w_formal.v", "tb/rules.mk", *tool_files()]
    listed = repr([lines_of(block.name, section) for section in ("proofs", "equivalent")])
    chosen = [options.mutants, ",".join(block.sets)] if side == "verilog" else [options.c_mutants]
    return hash_of(hash_files(files), listed, side, *map(str, chosen), str(options.seed), versions(*TOOLS))


def one(block, side, options, place):
    """The row of one side of a block: kept, or worked out now. place: among all of this run."""
    key = key_of(block, side, options)
    row = kept_result(block.path(f"{side}.json"), key)
    if row is None:
        print(f"mutate  {block.name} {side}, {place}", file=sys.stderr, flush=True)
        spent = Spent(block.path(f"{side}.spent"), key)
        try:
            fates = SIDES[side](block, options, spent)
        finally:
            took = spent.all()
        row = report.row_of(block, side, options.mutants, fates, *took)
        keep(block.path(f"{side}.json"), key, row)
    return row


def kept_rows(blocks, folder, options):
    """All blocks' results that are up to date: of today's sources, tests, tools and options."""
    found = []
    for name, sets in blocks.items():
        for side in SIDES:
            block = Block(name, sets, os.path.join(folder, name.replace("/", "_")))
            row = os.path.exists(block.path(f"{side}.json")) and \
                kept_result(block.path(f"{side}.json"), key_of(block, side, options))
            found += [row] if row else []
    return found


def main(arguments):
    blocks = known_blocks()
    options = parse(arguments, blocks)
    folder = os.path.join(options.build, "mutate")
    lock = only_one(folder, "make mutate")
    rows, failed = [], []
    wanted = [(name, side) for name in options.block or blocks for side in ([options.side] if options.side else SIDES)]
    for index, (name, side) in enumerate(wanted, 1):
        block = Block(name, blocks[name], os.path.join(folder, name.replace("/", "_")))
        for label in block.sets:
            os.makedirs(block.path(label), exist_ok=True)
        try:
            rows.append(one(block, side, options, f"{index} of {len(wanted)}"))
        except ToolFailed as error:
            # The other blocks' results are worth having all the same.
            failed.append(f"mutate: {name} {side}: {error}")
            print(failed[-1], file=sys.stderr, flush=True)
            continue
        print(report.line(rows[-1]), flush=True)
    report.write(folder, kept_rows(blocks, folder, options))
    lock.close()
    for message in failed:
        print(message, file=sys.stderr)
    return report.verdict(rows, folder) or bool(failed)


if __name__ == "__main__":
    run_tool("mutate", main)
