# SPDX-License-Identifier: Apache-2.0
"""Line, branch and toggle coverage of a block's Verilog, from the files that its lockstep runs wrote.

A block's file is measured by its own lockstep alone: what a block instantiates is another block with a lockstep of its
own. Points of all parameter sets are united:
  line    a line of the source that some set has; covered if it ran in one set
  branch  an alternative of if, else or case in the source; covered if it was taken in one set
  toggle  a bit of a signal, each copy that `generate` makes by itself; a bit that only the large set has must toggle
          there. Verilator counts changes, not directions, and at power-on one change may be its own initial value
          becoming the design's; so a bit is covered after three changes in one set, which are at least one up and down.
Verilator gives no points to the parameters, to assignments outside of always (their signals toggle), and none for toggle
  - to signals wider than --coverage-max-width (cosim/model.mk): a vector that is fails here; a memory with more bits,
    words times width, may be so, as lockstep compares what is read of it;
  - to signals that are declared in generate blocks (Verilator 5.006): their lines and branches count. The report names them.
"""
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

from house import ToolFailed

TOGGLES = 3
POINT = re.compile(r"C '(.*)' (\d+)$")


class File:
    """Counts of one Verilog file, united over the sets."""

    def __init__(self, path):
        self.path = path
        self.lines = defaultdict(int)     # line -> times
        self.branches = defaultdict(int)  # (line, column, alternative) -> times
        self.toggles = defaultdict(int)   # (line, bit) -> changes
        self.generated = set()            # names of signals in generate blocks, which toggle unseen

    def kinds(self):
        """kind -> {point: covered}; a point begins with its line."""
        return {"line": {(line,): count > 0 for line, count in self.lines.items()},
                "branch": {point: count > 0 for point, count in self.branches.items()},
                "toggle": {point: count >= TOGGLES for point, count in self.toggles.items()}}


def points(path):
    """(fields by their letters, count) of a coverage file."""
    with open(path, encoding="utf-8") as file:
        if not file.readline().startswith("# SystemC::Coverage-3"):
            raise ToolFailed(f"{path}: not a coverage file of Verilator")
        for line in file:
            match = POINT.match(line)
            if not match:
                raise ToolFailed(f"{path}: a line that is no coverage point: {line.strip()[:60]}")
            fields = dict(part.split("\2", 1) for part in match[1].split("\1") if part)
            yield fields, int(match[2])


def lines_of(text):
    """"53-57,80" as numbers."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def add(file, path, top):
    """One set's counts."""
    for fields, count in points(path):
        if fields["f"] != file.path:
            continue
        line, kind = int(fields["l"]), fields["page"].partition("/")[0]
        if kind == "v_toggle":
            inside = fields["h"].partition(top)[2].lstrip(".")
            bit = f"{inside}.{fields['o']}" if inside else fields["o"]
            file.toggles[line, bit] = max(file.toggles[line, bit], count)
            continue
        if kind not in ("v_line", "v_branch"):
            raise ToolFailed(f"{path}: a kind of coverage point that is not known: {kind}")
        for covered in lines_of(fields.get("S", fields["l"])):
            file.lines[covered] += count
        if kind == "v_branch" or fields["o"] != "block":
            file.branches[line, int(fields["n"]), fields["o"]] += count


def signals_of(path):
    """(vectors of the module itself, signals in its generate blocks): names in what Verilator says of a set's Verilog. Neither
    has integers, which are counters of loops, nor memories; a name that begins with __V is Verilator's own."""
    module = next(module for module in ElementTree.parse(path).getroot().iter("module") if module.get("topModule"))

    def declared(scope):
        return {var.get("name") for var in scope.findall("var") if var.get("vartype") == "logic"
                and not {"param", "localparam"} & set(var.keys()) and not var.get("name").startswith("__V")}

    inside, scopes = set(), module.findall("begin")
    while scopes:
        scope = scopes.pop()
        inside |= declared(scope)
        scopes += scope.findall("begin")
    return declared(module), inside


def measure(block, paths):
    """The block's File. paths: of each of its sets, the coverage file, and Verilator's XML of the Verilog."""
    name = os.path.basename(block)
    file = File(f"rtl/{block}.v")
    for path, xml in paths:
        add(file, path, "wm_" + name)
        vectors, inside = signals_of(xml)
        lost = vectors - {fields["o"].partition("[")[0] for fields, _ in points(path)
                          if fields["page"].startswith("v_toggle") and fields["h"].endswith("wm_" + name)}
        if lost:
            raise ToolFailed(f"{file.path}: Verilator counts no toggles of {', '.join(sorted(lost))} with the parameters of {xml}; "
                         "is one wider than --coverage-max-width in cosim/model.mk?")
        file.generated |= inside
    # Another Verilator may count them.
    file.generated -= {bit.rpartition(".")[2].partition("[")[0] for _, bit in file.toggles if "." in bit}
    if not file.lines and not file.toggles:
        raise ToolFailed(f"{file.path}: its lockstep wrote no coverage points of it")
    return file


def unseen(files):
    """Signals of these files that toggle coverage does not see, as text."""
    lines = [f"{file.path}: {len(file.generated)}: {', '.join(sorted(file.generated))}\n" for file in files if file.generated]
    return "".join(["\nSignals in generate blocks, of which Verilator counts no toggles:\n", *lines]) if lines else ""


def reached(output):
    """The functional coverage points of a lockstep run: (cycles, outputs compared, {point: count})."""
    for line in output.splitlines():
        if line.startswith("pass ") and "  reached: " in line:
            head, _, tail = line.partition("  reached: ")
            # A name may have commas too.
            counts = {name: int(count) for name, count in re.findall(r"(.+?) (\d+)(?:, |$)", tail)}
            cycles = re.search(r" (\d+) cycles ", head + " ")
            compared = re.search(r" (\d+) outputs compared", head)
            return int(cycles[1]), int(compared[1]), counts
    raise ToolFailed("a lockstep run without a line that says what it reached")
