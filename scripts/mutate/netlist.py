# SPDX-License-Identifier: Apache-2.0
"""Mutants of a block's Verilog: Yosys elaborates it with one parameter set and changes one bit of one cell.

All mutants of a set go into one netlist, each under a value of the input `mutsel`, so that a block is Verilated once.
Only cells of the block's own module are changed, the connections of its instances among them: blocks below it have
mutants of their own.
"""
import glob
import os
import re

from mutate.tools import yosys
from warpmem.tools.house import ToolFailed, command, read, write_if_changed, write_whole
from warpmem.tools.modules import parts_of
from warpmem.tools.props import head_of, inside_of, inside_script

SELECT_BITS = 16


class Mutant:
    """One change. number: the value of mutsel, from 1; change: Yosys' command without the control."""

    def __init__(self, number, label, change):
        self.number, self.set, self.change = number, label, change
        field = dict(re.findall(r"-(mode|cell|port|portbit|ctrlbit|wire|wirebit) (\S+)", change))
        places = re.findall(r"-src (\S+?):(\d+)\.\S*", change)
        # The last is the cell's own, those before it are of the wires it drives.
        self.file, line = ([p for p in places if p[1] != "0"] or [("", "0")])[-1]
        self.line = int(line)
        self.lines = sorted({int(n) for _, n in places} - {0})
        self.cell, self.port, self.bit = field["cell"].lstrip("\\"), field["port"], int(field["portbit"])
        kind = re.match(r"\$[a-z_]+", field["cell"])
        control = f" by bit {field['ctrlbit']}" if "ctrlbit" in field else ""
        cell = kind.group(0)[1:] if kind else field["cell"].lstrip("\\")
        self.what = f"{field['mode']}{control} at {cell} {field['port']}[{field['portbit']}]"
        if "wire" in field:
            self.what += " = " + field["wire"].lstrip("\\") + f"[{field['wirebit']}]"
        # Kept results find their mutant by this.
        self.id = f"{label}: {change}"

    def command(self, module, control):
        """The change, of a module with this name; control: of all mutants in one netlist, chosen by mutsel."""
        words = re.sub(r" -(wire|wirebit|src) \S+", "", self.change)
        words = re.sub(r"-module \S+", "-module " + module, words)
        return "mutate" + (f" -ctrl mutsel {SELECT_BITS} {self.number} " if control else " ") + words


def full(path):
    return path.removesuffix(".il") + ".full.il"


class Block:
    """A block of the Makefile's list; everything made of it goes to `work`."""

    def __init__(self, name, sets, work):
        self.name, self.sets, self.work = name, sets, work
        self.short = os.path.basename(name)
        self.verilog = f"rtl/{name}.v"
        # With parts, as scripts/formal takes them.
        self.properties = [f"tb/{name}_props.v", *sorted(glob.glob(f"tb/{name}_*_props.v"))]
        found = {line.split()[0]: line.split()[1:] for line in command(["scripts/block_params.sh", name]).splitlines()}
        missing = [label for label in sets if label not in found]
        if missing:
            raise ToolFailed(f"{name}: its port list has no parameter set {', '.join(missing)}")
        self.values = {label: dict(pair.split("=") for pair in found[label]) for label in sets}

    def path(self, *parts):
        return os.path.join(self.work, *parts)

    def sources(self, abstract):
        """Verilog files: the block, its properties, the blocks below; abstract: memories by their promise alone."""
        files = [self.verilog, *self.properties, *parts_of(self.verilog)]
        for name in sorted(os.listdir("rtl/common")):
            path = f"rtl/common/{name}"
            if path == self.verilog or not name.endswith(".v"):
                continue
            memory = name == "sram_1r1w.v" and abstract
            files.append("tb/common/sram_1r1w_formal.v" if memory else path)
        return files

    def elaborate(self, label, abstract):
        """The design as RTLIL text, the block's module in it called wm_dut. Mutants change this, and nothing else.

        Beside it, as .full.il, with what its parameters leave unused: the properties may name it.
        """
        parameters = "".join(f" -chparam {name} {value}" for name, value in self.values[label].items())
        made = self.path(label, "abstract.il" if abstract else "whole.il")
        head, inside = self.path(label, "head.v"), self.path(label, "inside.il")
        files = self.sources(abstract)
        yosys(inside_script([file for file in files if file not in self.properties], self.short, parameters, inside),
              self.path(label, "inside.ys"))
        properties = "".join(map(read, self.properties))
        write_whole(head, head_of(read(self.verilog), self.short, inside_of(read(inside), properties)))
        yosys(f"""read_verilog -Irtl/common -formal -defer {' '.join([head, *files])}
hierarchy -check -top {self.short}_props{parameters}
proc; opt_expr
write_rtlil {full(made)}
opt_clean
write_rtlil {made}
""", self.path(label, "elaborate.ys"))
        for path in (made, full(made)):
            text = read(path)
            names = re.findall(rf"^module (\S*\\wm_{self.short}\S*)$", text, re.M)
            if len(names) != 1:
                raise ToolFailed(f"{self.name}: {len(names)} modules of the block where one was expected: {names}")
            # Cells of the module bear its name in theirs, so whole words only.
            write_whole(path, re.sub(r"(?m)^(module | *cell )" + re.escape(names[0]) + r"(?=\s)",
                                     lambda found: found.group(1) + r"\wm_dut", text))
        return made

    def mutants(self, wanted, seed):
        """That many, spread evenly over the sets and in each of them over the source, as Yosys samples."""
        result = []
        for index, label in enumerate(self.sets):
            design = self.elaborate(label, True)
            listed = self.path(label, "list")
            left = wanted - len(result)
            share = -(-left // (len(self.sets) - index))
            # Some of them will be of clocks: no proof sees those, and any test does.
            yosys(f"read_rtlil {design}\nmutate -list {share + share // 10 + 5} -seed {seed} -o {listed} wm_dut\n",
                  self.path(label, "list.ys"))
            lines = [li for li in read(listed).splitlines() if not re.search(r" -port (CLK|clk_i) ", li)]
            for line in lines[:share]:
                result.append(Mutant(len(result) + 1, label, line.replace("mutate ", "", 1).strip()))
        return result

    def simulation(self, mutants):
        """One Verilog file with every set's netlist in it, behind the block's own port list."""
        text = read(self.verilog)
        head = re.search(rf"module wm_{self.short}\b.*?\n\);\n", text, re.S)
        if not head:
            raise ToolFailed(f"{self.verilog}: no port list that ends with a line );")
        netlists, chosen = [], []
        for label in self.sets:
            netlists.append(self.netlist(label, [m for m in mutants if m.set == label]))
            same = " && ".join(f"{name} == {value}" for name, value in self.values[label].items())
            ports = re.search(r"\(([^)]*)\);", netlists[-1]).group(1).split(",")
            wires = ", ".join(f".{port.strip()} ({port.strip().lstrip(chr(92))})" for port in ports)
            chosen.append(f"if ({same}) begin : g_{label}\n    netlist_{label} netlist ({wires});\nend\n")
        made = self.path("mutants.v")
        write_if_changed(made, f"""// All mutants of {self.verilog}; WARPMEM_MUTANT in the environment says which, 0 is none.
`default_nettype none
{head.group(0)}
reg [{SELECT_BITS - 1}:0] mutsel;
initial mutsel = $c32("(std::getenv(\\"WARPMEM_MUTANT\\") ? std::atoi(std::getenv(\\"WARPMEM_MUTANT\\")) : 0)");
generate
{''.join(chosen)}endgenerate
endmodule
`default_nettype wire
/* verilator tracing_off */
{''.join(netlists)}""")
        return made

    def netlist(self, label, mutants):
        whole = self.elaborate(label, False)
        made = self.path(label, "netlist.v")
        changes = "".join(m.command("wm_dut", True) + "\n" for m in mutants)
        # Words are split where their bits have different drivers: Verilator must not see a word that depends on itself
        # because of the one bit that a mutant takes out of it.
        # The mutants name cells of the abstract design's block; memories come from the other.
        yosys(f"""read_rtlil {self.path(label, 'abstract.il')}
select wm_dut; write_rtlil -selected {self.path(label, 'dut.il')}
design -reset
read_rtlil {full(self.path(label, 'abstract.il'))}
select wm_dut; write_rtlil -selected {full(self.path(label, 'dut.il'))}
design -reset
read_rtlil {whole}
delete wm_dut {self.short}_props
read_rtlil {self.path(label, 'dut.il')}
{changes}hierarchy -check -top wm_dut
flatten; opt_clean
splitnets -driver -ports
rename wm_dut netlist_{label}
write_verilog -noattr {made}
""", self.path(label, "netlist.ys"))
        return read(made)
