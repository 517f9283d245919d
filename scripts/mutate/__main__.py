#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plants errors in the hardware blocks, Verilog and C, and demands that their tests and proofs find them.

Each mutant goes through lockstep, the block's unit tests and its properties until something finds it; those that nothing
finds must be proven equal to the original, or they count as survivors. A block fails under 95 % of
killed / (all - equivalent). Results go to BUILD/mutate: scores.tsv, scores.json, survivors.txt, and a list a block.
"""
import argparse
import json
import os
import signal
import sys

sys.dont_write_bytecode = True
import report  # noqa: E402
import stages  # noqa: E402
from common import BadInput, ToolFailed, hash_files, hash_of, read, tool_files, write_whole  # noqa: E402
from netlist import Block  # noqa: E402
from simulate import dependencies  # noqa: E402
from store import only_one  # noqa: E402

SIDES = {"verilog": stages.verilog, "c": stages.c_model}
HERE = os.path.dirname(os.path.abspath(__file__))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)


def number(low, high):
    def check(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text}: must be {low}..{high}")
        return int(text)
    return check


def parse(arguments, blocks):
    parser = Parser(prog="mutate", description=__doc__.splitlines()[0], epilog=__doc__.split("\n\n", 1)[1],
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="folder of the build; results in BUILD/mutate (build)")
    parser.add_argument("--block", action="append", choices=list(blocks), metavar="PLACE/NAME", help="only this one (all)")
    parser.add_argument("--side", choices=list(SIDES), help="only mutants of the Verilog or of the C model (both)")
    parser.add_argument("--mutants", type=number(1, 5000), default=210, help="of a block's Verilog, over all its sets (210)")
    parser.add_argument("--c-mutants", type=number(1, 5000), default=100, help="of a block's C, at most (100)")
    parser.add_argument("--seed", type=number(0, 2**31 - 1), default=1, help="which of all possible mutants (1)")
    parser.add_argument("--jobs", type=number(1, 1024), default=os.cpu_count(), help="at once (all cores)")
    return parser.parse_args(arguments)


def known_blocks():
    """Block: its parameter sets, of blocks.tsv."""
    lines = [line for line in read(os.path.join(HERE, "blocks.tsv")).splitlines() if line and not line.startswith("#")]
    return {name: sets.split(",") for name, sets in (line.split("\t") for line in lines[1:])}


def key_of(block, side, options):
    """Of everything that a block's result depends on: with the same key it is not worked out again."""
    files = [*dependencies(block), block.properties, "tb/common/sram_1r1w_formal.v", "tb/formal.txt", "tb/rules.mk",
             *tool_files()]
    listed = f"tb/{block.name}_equivalent.txt"
    if os.path.exists(listed):
        files.append(listed)
    chosen = [options.mutants, ",".join(block.sets)] if side == "verilog" else [options.c_mutants]
    return hash_of(hash_files(files), side, *map(str, chosen), str(options.seed))


def one(block, side, options):
    """The row of one side of a block: kept, or worked out now."""
    path = os.path.join(block.work, f"{side}.json")
    key = key_of(block, side, options)
    row = report.kept(path, key)
    if row is None:
        print(f"mutate  {block.name} {side}", file=sys.stderr, flush=True)
        fates, ran, seconds, processors = stages.timed(SIDES[side], block, options)
        row = report.row_of(block, side, fates, ran, seconds, processors)
        write_whole(path, json.dumps(dict(row, key=key), indent=1) + "\n")
    return row


def main(arguments):
    blocks = known_blocks()
    options = parse(arguments, blocks)
    folder = os.path.join(options.build, "mutate")
    lock = only_one(folder)
    rows, failed = [], []
    for name in options.block or blocks:
        block = Block(name, blocks[name], os.path.join(folder, name.replace("/", "_")))
        for label in block.sets:
            os.makedirs(block.path(label), exist_ok=True)
        for side in [options.side] if options.side else SIDES:
            try:
                rows.append(one(block, side, options))
            except ToolFailed as error:
                # The other blocks' results are worth having all the same.
                failed.append(f"mutate: {name} {side}: {error}")
                print(failed[-1], file=sys.stderr, flush=True)
                continue
            print(report.line(rows[-1]), flush=True)
    report.write(folder, rows, options.block or options.side or failed)
    lock.close()
    for message in failed:
        print(message, file=sys.stderr)
    return report.verdict(rows, folder) or bool(failed)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        sys.exit(main(sys.argv[1:]))
    except (BadInput, ToolFailed) as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        sys.exit(2 if isinstance(problem, BadInput) else 1)
    except KeyboardInterrupt:
        print("mutate: stopped; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
