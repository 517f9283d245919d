# SPDX-License-Identifier: Apache-2.0
"""One proof: Yosys makes a design of a block and its properties, a solver answers.

  induction  for all time: DEPTH cycles from power-on, then DEPTH cycles imply the next (z3)
  parts      the same, the step asked for each assertion by itself (parts.py)
  bits       the same on bits, all asked for each assertion by itself (ABC; bits.py)
  pdr        for all time: property directed reachability on bits (ABC)
  bounded    the first DEPTH cycles from power-on (z3)
  cover      every cover is reached within DEPTH cycles (z3)
All but cover also find a run of the block within its assumptions, because where there is none everything holds.
"""
import os
import re
import subprocess
import time

from formal import bits, solver, traces
from formal.jobs import verilog_files
from warpmem.tools.block_tests import path_of
from warpmem.tools.house import ToolFailed, read, write_whole
from warpmem.tools.props import head_of, inside_of, inside_script

HERE = os.path.dirname(os.path.abspath(__file__))
FEW_CYCLES = 8    # after which an error's proof tries another way
ALIVE_CYCLES = 4  # of that run: the reset and what comes after it
PASSED, FAILED, NO_ANSWER = "passed", "failed", "no answer"
COUNTED = ("assert", "cover", "assume")
COUNT_FILE = "count-{}.txt"
NAMES_FILE = "assertions.txt"
FIRST_SECONDS = 20  # of bits, for the first way to answer a question


def parameters_of(job):
    return "".join(f" -chparam {name} {value}" for name, value in job.parameters)


def script_of(job, files, folder):
    """For Yosys."""
    drop = "-assert" if job.method == "cover" else "-cover"
    counts = "\n".join(f"tee -q -o {os.path.join(folder, COUNT_FILE.format(kind))} select -count t:${kind}" for kind in COUNTED)
    # Undefined at power-on is any value. With all its freedom (without keepdc) opt would choose one that pleases it.
    smt2 = f"""memory -nordff -nomap; opt -keepdc; setundef -undriven -anyseq
async2sync; dffunmap; opt_clean
{counts}
write_smt2 -wires {os.path.join(folder, 'design.smt2')}
"""
    if job.method in ("pdr", "bits"):
        # the properties start with no past; everything else starts with any value
        smt2 = f"""design -push-copy
{smt2}design -pop
memory; opt -keepdc; setundef -undriven -anyseq
async2sync; dffunmap; simplemap; techmap; opt -fast -keepdc; dffunmap; abc -g AND -fast; opt_clean
tee -q -o {os.path.join(folder, NAMES_FILE)} select -list t:$assert
write_aiger -I -B -zinit {os.path.join(folder, 'design.aig')}
"""
    if job.method == "bits":
        # `initial` properties would be assumed again in the first cycle of the step, which is any cycle
        smt2 += f"select -assert-none t:$initstate\nsetattr -unset init w:*\nwrite_aiger -I -B -zinit {os.path.join(folder, 'free.aig')}\n"
    return f"""read_verilog -Irtl/common -formal -defer {' '.join(files)}
hierarchy -check -top {job.short}_props{parameters_of(job)}
proc; flatten
# a name inside the block that is not there with the planted error
select -assert-none w:* a:hierconn %i
chformal {drop} -remove
opt -keepdc
{smt2}"""


class Proof:
    """Of one job, in a folder of its own. seconds: of processor time, for each program that is started."""

    def __init__(self, job, folder, seconds):
        self.job, self.folder, self.seconds = job, folder, seconds
        self.processor = 0.0
        self.text = ""
        self.unanswered = []  # assertions

    def run(self, words, seconds=None):
        """(exit code, what it said); it is added to the log. seconds: other than the proof's."""
        path = os.path.join(self.folder, "log")
        with open(path, "ab") as log:
            log.write(f"$ {' '.join(words)}\n".encode())
            log.flush()
            begin = log.tell()
            code, processor = solver.run(words, seconds or self.seconds, log)
        self.processor += processor
        with open(path, encoding="utf-8", errors="replace") as log:
            log.seek(begin)
            said = log.read()
        self.text += said
        return code, said

    def smt(self, *options):
        """The solver's answer: PASSED, FAILED or NO_ANSWER."""
        code, said = self.run(["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress", *options,
                               os.path.join(self.folder, "design.smt2")])
        status = re.search(r"Status: (\w+)", said)
        if status and (code, status.group(1)) in ((0, "PASSED"), (1, "FAILED")):
            return PASSED if code == 0 else FAILED
        if code < 0 or re.search(r"EOF|[Bb]roken ?[Pp]ipe", said):
            return NO_ANSWER  # the time was over
        raise ToolFailed(f"yosys-smtbmc: exit code {code}: {' | '.join(said.strip().splitlines()[-2:])}")

    def trace(self, name):
        return "--dump-vcd", os.path.join(self.folder, name + ".vcd")

    def alive(self):
        cycles = max(ALIVE_CYCLES, self.job.depth + 1)
        verdict = self.smt("--noincr", "-g", "-t", f"0:{cycles}:{cycles}")
        if verdict == FAILED:
            self.text += f"\nERROR: no run of {cycles} cycles within the assumptions\n"
        return verdict

    def pdr(self):
        code, said = self.run(["yosys-abc", "-c", f"read_aiger {os.path.join(self.folder, 'design.aig')}; fold; pdr"])
        if re.search(r"^Property proved", said, re.M):
            return PASSED
        if re.search(r"was asserted in frame", said):
            return FAILED
        if code < 0:
            return NO_ANSWER
        raise ToolFailed(f"yosys-abc: exit code {code}: {' | '.join(said.strip().splitlines()[-2:])}")

    def parts(self):
        """The step of the induction, an assertion at a time."""
        design, base, question = (os.path.join(self.folder, name) for name in ("design.smt2", "base.smt2", "part.smt2"))
        code, said = self.run([os.path.join(HERE, "..", "tool"), "formal.parts", design, str(self.job.depth), base])
        if code < 0:
            return NO_ANSWER
        if code:
            raise ToolFailed(f"parts.py: {said.strip()[-300:]}")
        verdict, common = PASSED, read(base)
        for term, _, name in (line.partition(" ") for line in said.splitlines()):
            write_whole(question, f"{common}(assert (not {term}))\n(check-sat)\n")
            code, said = self.run(["z3", question])
            answer = said.strip()
            if code < 0 or answer == "unknown":
                self.unanswered.append(name)
                verdict = NO_ANSWER
            elif answer == "sat":
                self.text += f"\nAssert failed in step: {name}\n"
                return FAILED
            elif answer != "unsat":
                raise ToolFailed(f"z3: exit code {code}: {answer[-300:]}")
        os.remove(base)
        return verdict

    def reaches(self, design, output, cycles):
        """Is an output of an AIGER design true in one of the first CYCLES cycles? None: no answer."""
        before = self.text  # ABC names outputs by numbers
        one = f"read_aiger {design}; fold; cone -s -O {output}"
        # The second one finds what is equal in the cycles first: slower where a question is easy.
        for how, seconds in ((f"bmc3 -F {cycles}", FIRST_SECONDS), (f"frames -F {cycles} -i; orpos; iprove", self.seconds)):
            code, said = self.run(["yosys-abc", "-c", f"{one}; {how}"], min(seconds, self.seconds))
            none = re.search(r"No output asserted in (\d+) frames", said)
            self.text = before
            if re.search(r"was asserted in frame|^SATISFIABLE", said, re.M):
                return True
            if (none and int(none.group(1)) >= cycles) or re.search(r"^UNSATISFIABLE", said, re.M):
                return False
            # The first one refuses a design without registers, and ends early where it has seen all states.
            if code >= 0 and not re.search(r"combinational networks|Explored all reachable states|^UNDECIDED", said, re.M):
                raise ToolFailed(f"yosys-abc: exit code {code}: {' | '.join(said.strip().splitlines()[-2:])}")
        return None

    def names(self):
        """Of the assertions in the order of AIGER's bad states."""
        return [traces.named(line) for line in read(os.path.join(self.folder, NAMES_FILE)).splitlines()]

    def each(self, design, cycles, where):
        """No assertion fails in the first CYCLES cycles of an AIGER design, asked one by one."""
        verdict = PASSED
        for output, name in enumerate(self.names()):
            fails = self.reaches(design, output, cycles)
            if fails:
                self.text += f"\nAssert failed in {where}: {name}\n"
                return FAILED
            if fails is None:
                self.unanswered.append(name)
                verdict = NO_ANSWER
        return verdict

    def bits(self):
        """The induction on bits, an assertion at a time."""
        depth, cycles = self.job.depth, max(ALIVE_CYCLES, self.job.depth + 1)
        design, free, step, run = (os.path.join(self.folder, name) for name in ("design.aig", "free.aig", "step.aig", "run.aig"))
        bits.write_run(design, run, cycles)
        last = bits.write_step(free, step, depth)
        if last != len(self.names()):
            raise ToolFailed(f"write_aiger: {last} bad states of {len(self.names())} assertions")
        verdict = self.each(design, depth, "base")
        if verdict != PASSED:
            if verdict == FAILED:
                self.smt(*self.base(depth))  # shows it
            return verdict
        for of, output, end in ((run, 0, cycles), (step, last, depth)):
            alive = self.reaches(of, output, end + 1)
            if not alive:
                self.text += "" if alive is None else f"\nERROR: no run of {end} cycles within the assumptions\n"
                return NO_ANSWER if alive is None else FAILED
        return self.each(step, depth + 1, "step")

    def base(self, depth):
        return "--noincr", "-t", str(depth), *self.trace("trace")

    def step(self, depth):
        # Fewer cycles imply less: they are not asked.
        return "--noincr", "-i", "-t", f"{depth}:{depth}", *self.trace("step")

    def steps(self):
        """Questions to the solvers, each a function; the first that is not PASSED decides."""
        base = self.base(self.job.depth)
        if self.job.method == "cover":
            return [lambda: self.smt("-c", "-t", str(self.job.depth), *self.trace("cover%"))]
        if self.job.method == "bounded":
            return [lambda: self.smt(*base), self.alive]
        if self.job.method == "pdr":
            return [self.pdr, self.alive]
        if self.job.method == "bits":
            return [self.bits]
        if self.job.method == "parts":
            return [lambda: self.smt(*base), self.alive, self.parts]
        return [lambda: self.smt(*base), self.alive, lambda: self.smt(*self.step(self.job.depth))]

    def count(self, kind):
        with open(os.path.join(self.folder, COUNT_FILE.format(kind)), encoding="utf-8") as file:
            return int(file.read().split()[0])

    def failures(self):
        """The properties that failed, or the error."""
        found = re.findall(r"Assert failed in [^ ]+ (.*)|Unreached cover statement at (.*)\.$|^(ERROR.*)|"
                           r"was asserted in (frame \d+)", self.text, re.M)
        return list(dict.fromkeys(traces.plain("".join(parts)).replace("frame", "an assertion, in cycle") for parts in found))

    def planted(self):
        """The block's file with the job's error in it."""
        path = os.path.join(self.folder, "mutant.v")
        name, edit = self.job.mutant
        done = subprocess.run(["sed", "-e", edit, self.job.verilog], text=True, capture_output=True, check=False)
        if done.returncode:
            raise ToolFailed(f"{self.job.title}: {done.stderr.strip()}")
        with open(self.job.verilog, encoding="utf-8") as file:
            if file.read() == done.stdout:
                raise ToolFailed(f"{path_of(self.job.block)}: {name}: its expression changes nothing")
        write_whole(path, done.stdout)
        return path

    def answer(self):
        """(verdict, failures) about the design as it is."""
        verdict = PASSED
        for step in self.steps():
            verdict = step()
            if verdict != PASSED:
                break
        return verdict, self.failures() if verdict == FAILED else self.unanswered

    def refuted(self):
        """(verdict, failures) of a planted error, which passes where an assertion fails that has a name: within some cycles
        of power-on, or in the step of the set's induction, which goes through without the error. Most errors show in few
        cycles, and each more makes the solver take half as long again, so the step comes before the rest of them."""
        job = self.job
        questions = [("", self.base(job.depth))]
        if job.step:
            questions = [("", self.base(min(job.depth, FEW_CYCLES))), (" in the step of its induction", self.step(job.step)),
                         *questions]
        verdict = PASSED
        for where, question in questions:
            verdict = self.smt(*question)
            if verdict == FAILED:
                failures = [name + where for name in self.failures()]
                if not failures:
                    raise ToolFailed(f"{job.title}: it fails, and no assertion is named")
                return PASSED, failures
        return (FAILED if verdict == PASSED else verdict), []

    def yosys(self, name, script):
        """A name that stands nowhere would be a new wire of any value."""
        path = os.path.join(self.folder, name)
        write_whole(path, script)
        code, said = self.run(["yosys", "-q", "-e", "is implicitly declared", "-s", path])
        if code:
            _, _, error = said.rpartition("ERROR: ")
            raise ToolFailed(f"yosys, exit code {code}: {' '.join(error.split())[:300]}")

    def make_design(self):
        job, (head, inside) = self.job, (os.path.join(self.folder, name) for name in ("head.v", "inside.il"))
        files = verilog_files(job)
        self.yosys("inside.ys", inside_script([file for file in files if file not in job.properties], job.short,
                                              parameters_of(job), inside))
        properties = "".join(map(read, job.properties))
        write_whole(head, head_of(read(job.verilog), job.short, inside_of(read(inside), properties)))
        if job.mutant:
            files[0] = self.planted()
        self.yosys("design.ys", script_of(job, [head, *files], self.folder))

    def perform(self):
        """The result, a dictionary."""
        begin = time.monotonic()
        self.make_design()
        properties = self.count("cover" if self.job.method == "cover" else "assert")
        if not properties:  # of a planted error, too: nothing refutes it
            verdict, failures = FAILED, ["there is nothing to prove"]
        else:
            verdict, failures = self.refuted() if self.job.mutant else self.answer()
        reached = traces.reached(self.text) if self.job.method == "cover" else {}
        return {"verdict": verdict, "properties": properties, "assumptions": self.count("assume"), "failures": failures,
                "covers": reached, "seconds": round(time.monotonic() - begin, 1), "processor_seconds": round(self.processor, 1)}
