# SPDX-License-Identifier: Apache-2.0
"""Shared part of the tests of scripts/repro: a small paper, and a fake warpmem (fake_warpmem.sh).

Program starts and the disk cost most of the time: so the runner runs in
forks of this process, which has its modules loaded, except where signals
are sent to it; the fake is a shell script; and results are kept in memory.
"""
import json
import os
import shlex
import shutil
import sys
import tempfile
import traceback

import test_house
from repro import __main__ as RUNNER
from warpmem.tools import house

HERE = os.path.dirname(os.path.abspath(__file__))
RUNNER.draw.load()


def memory():
    """A folder of memory from which programs may run; None, the usual one, where there is none."""
    try:
        return None if os.statvfs("/dev/shm").f_flag & os.ST_NOEXEC else "/dev/shm"
    except OSError:
        return None


SETS = """# comment
set	paper	class	workload	label	counterpart
four	p	A	a	a	-
four	p	A	b	b	a
four	p	B	c	c	-
four	p	B	d	d	-
pair	p	A	b	b	a
"""
VARIANTS = """name	options	note
base	--scheme baseline	-
buffer	--scheme buffer --set k=1	-
swl	--scheme best-swl --swl-limits 1,2	-
"""
CLAIMS = """id	section	metric	mean	workloads	presets	variant	reference	against	value	unit	note
gain	1	ipc_speedup	geometric	four	s	buffer	base	same	2	x	-
never	1	ipc_speedup	min	four	s|l	buffer	base	same	1	x_lower_bound	-
each	1	ipc_speedup	geometric-each	four	s|l	buffer	swl	same	1	x_lower_bound	-
misses	1	l1_misses_change	arithmetic	four	s	buffer	base	same	-0.5	fraction	-
gap	1	performance_change	single	pair	s	base	base	counterpart	-0.2	fraction	-
clock	1	clock_45nm	-	-	-	l1/x	QUEUES=4	-	2	GHz	-
sram	1	sram	-	-	-	l1/x	QUEUES=4	-	3	kB_upper_bound	-
"""
FIGURES = """[fig1]
title = Bars
section = 1
kind = bars
metric = ipc_speedup
mean = geometric
panels =
    S: four@s
reference = base
series =
    buffer: buffer
published =
    S | buffer | 2.5
"""


class House(test_house.House):
    """A folder with the fake, its plan and a small paper `p`."""
    PREFIX, PLACE = "repro test ", memory()

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(HERE, "fake_warpmem.sh"), self.path("warpmem"))
        os.chmod(self.path("warpmem"), 0o755)
        for name, text in (("data/workload_sets.tsv", SETS), ("data/variants/p.tsv", VARIANTS),
                           ("data/claims/p.tsv", CLAIMS), ("data/figures/p.ini", FIGURES)):
            self.write(name, text)
        self.plan = {"workloads": ["a", "b", "c", "d"], "refused": "", "cycles": {}, "stats": {},
                     "wrong": {}, "papers": {}, "kernels": {}, "more": {}, "asked": {}}

    def write_plan(self):
        """The plan that fake_warpmem.sh reads."""
        plan = self.plan
        names = [f"{w}=tiny,small,{plan['papers'].get(w, 'paper:p')}" for w in plan["workloads"]]
        lines = [f"workloads={shlex.quote(' '.join(names))}", f"refused={plan['refused']}", "plan() {", "    case $1 in"]
        for name in sorted({n for of in ("cycles", "stats", "wrong", "kernels", "more", "asked") for n in plan[of]}):
            values = {counter.partition("l1.")[2]: value for counter, value in plan["stats"].get(name, {}).items()}
            values.update((key, plan[of][name]) for key, of in (("cycles", "cycles"), ("wrong", "wrong")) if name in plan[of])
            values.update((of, shlex.quote(plan[of][name])) for of in ("kernels", "more", "asked") if name in plan[of])
            lines.append(f"    {shlex.quote(name)}) " + " ".join(f"{key}={value}" for key, value in values.items()) + " ;;")
        self.write("plan.sh", "\n".join(lines + ["    esac", "}", ""]))

    def words(self, *more):
        self.write_plan()
        return ["--build", self.folder, "--data", self.path("data"), "--size", "tiny", *more]

    def repro(self, *more, code=0):
        words = self.words(*more)
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if child == 0:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                status = 70
                try:
                    status = house.code_of("repro", RUNNER.main, words, own_codes=True)
                except BaseException:  # as Python would end
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            err.seek(0)
            said, complaints = out.read(), err.read()
        self.assertEqual(status, code, said + complaints)
        return said, complaints

    def calls(self):
        """Runs since the last call of this."""
        try:
            lines = sorted(self.read("calls").splitlines())
            os.remove(self.path("calls"))
            return lines
        except FileNotFoundError:
            return []

    def kept(self):
        folder = self.path("repro/runs")
        return [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".json")]

    def claims(self, stem="claims"):
        return {row["claim"]: row for row in self.table(f"repro/p/tiny/{stem}.tsv")}

    def kernels(self, run, **kernels):
        """The kernels in a run's output: name=(instructions, cycles), or a list of these."""
        rows = [{"name": name, "launches": 1, "thread_instructions": i, "cycles": c}
                for name, of in kernels.items() for i, c in (of if isinstance(of, list) else [of])]
        self.plan["kernels"][run] = f'"kernels": {json.dumps(rows)}, '

    def counts(self, run, **counters):
        """More statistics of a run: __ stands for the point."""
        members = {name.replace("__", "."): value for name, value in counters.items()}
        self.plan["more"][run] = json.dumps(members)[1:-1] + ", "

    def speedups(self, **factors):
        """Cycles of the buffer on machine s, by workload."""
        for workload, cycles in factors.items():
            self.plan["cycles"][f"{workload} s --scheme buffer --set k=1"] = cycles
