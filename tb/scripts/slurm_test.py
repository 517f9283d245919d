#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of runs through Slurm, on a cluster of one node with two slots that they start and end (slurm_cluster.py)."""
import os
import signal
import subprocess
import sys
import tempfile
import time

from test_house import BUILD, SCRIPTS, TOOL, House, main
from slurm_cluster import Cluster, lacking

# A program that runs shell commands as tasks, as repro does, and says how each ended.
RUNNER = """from warpmem.tools import house, slurm
slurm.POLL_SECONDS, slurm.GONE_SECONDS = 0.3, 1
def run(_):
    for name, ended in slurm.Slurm({folder!r}, final=(0, 2)).work({commands!r}):
        text = house.read(ended.out).strip() if ended.code is not None else ended.reason
        print(name, ended.code, text, flush=True)
    return 0
house.run_tool("runner", run, own_codes=True)
"""


class OnACluster(House):
    PREFIX = "slurm test "

    def setUp(self):
        """A cluster each: what one test kills is not the next one's."""
        super().setUp()
        if lacking():
            raise RuntimeError(f"needs {' '.join(lacking())}: scripts/setup.sh installs them")
        place = tempfile.TemporaryDirectory(prefix="slurm-test-", ignore_cleanup_errors=True)  # no blanks, which slurm.conf cannot have
        self.addCleanup(place.cleanup)
        self.cluster = Cluster(place.name)
        self.addCleanup(self.cluster.stop)
        self.cluster.start()

    def begin(self, commands):
        """{name: shell command}, in the background."""
        self.write("runner.py", RUNNER.format(folder=self.path("slurm"),
                                              commands={name: ["sh", "-c", text] for name, text in commands.items()}))
        return subprocess.Popen([sys.executable, "-B", self.path("runner.py")], env={**self.cluster.env, "PYTHONPATH": SCRIPTS}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_all(self, commands, code=0):
        """({name: its line}, what was complained of)"""
        return self.end(self.begin(commands), code)

    def end(self, child, code=0):
        out, err = child.communicate(timeout=100)
        self.assertEqual(child.returncode, code, out + err)
        return {line.split()[0]: line.partition(" ")[2] for line in out.splitlines()}, err

    def queue(self):
        return self.cluster.said("squeue", "-h", "-r", "-o", "%j %K %T").splitlines()

    def wait_for(self, what):
        begun = time.monotonic()
        while not what():
            self.assertLess(time.monotonic() - begun, 60)
            time.sleep(0.1)

    def counting(self, name, then):
        """A command that notes that it ran."""
        return f"echo ran >>'{self.path(name)}'; {then}"

    def runs(self, name):
        return len(self.read(name).splitlines())


class Tasks(OnACluster):
    def test_more_tasks_than_an_array_takes(self):
        found, said = self.run_all({f"t{i}": f"echo $(({i} * {i})) \"a  b\"" for i in range(14)})  # MaxArraySize is 10
        self.assertEqual(found, {f"t{i}": f"0 {i * i} a  b" for i in range(14)})
        self.assertEqual(said, "")
        self.assertEqual(os.listdir(self.path("slurm/arrays")), [])

    def test_what_failed_is_submitted_once_more(self):
        found, said = self.run_all({"bad": self.counting("bad", "exit 3"), "refused": self.counting("refused", "exit 2"),
                                    "luck": self.counting("luck", f"[ $(wc -l <'{self.path('luck')}') = 2 ] && echo well"),
                                    "good": self.counting("good", "echo fine")})
        self.assertEqual(found, {"bad": "3 ", "refused": "2 ", "luck": "0 well", "good": "0 fine"})
        self.assertEqual([self.runs(name) for name in ("bad", "refused", "luck", "good")], [2, 1, 2, 1])
        self.assertIn("slurm: bad: exit status 3: submitted once more", said)

    def test_a_task_that_a_user_cancels_is_not_run_again(self):
        child = self.begin({"long": self.counting("long", "sleep 100"), "short": "echo fine"})
        self.wait_for(lambda: any("RUNNING" in line for line in self.queue()) and os.path.exists(self.path("long")))
        job = next(line.split()[0] for line in self.queue())
        self.wait_for(lambda: os.path.exists(self.path("slurm/tasks/short/code")))
        self.cluster.said("scancel", f"--name={job}")
        found, _ = self.end(child)
        self.assertEqual(found, {"long": "None CANCELLED", "short": "0 fine"})
        self.assertEqual(self.runs("long"), 1)

    def test_interrupt_cancels_the_arrays(self):
        child = self.begin({f"t{i}": "sleep 100" for i in range(4)})
        self.wait_for(lambda: sum("RUNNING" in line for line in self.queue()) == 2)
        child.send_signal(signal.SIGINT)
        self.end(child, code=130)
        self.wait_for(lambda: not self.queue())
        self.assertEqual(os.listdir(self.path("slurm/arrays")), [])

    def test_tasks_go_on_when_the_shell_died(self):
        for ending in (signal.SIGHUP, signal.SIGKILL):
            name = f"on{ending}"
            commands = {f"{name}-{i}": self.counting(f"{name}-{i}", f"sleep {i}; echo {i}") for i in range(4)}
            child = self.begin(commands)
            self.wait_for(lambda: os.path.exists(self.path(f"{name}-1")))
            child.send_signal(ending)
            child.communicate(timeout=60)
            self.assertTrue(self.queue())
            found, _ = self.run_all(commands)  # while some are queued
            self.assertEqual(found, {f"{name}-{i}": f"0 {i}" for i in range(4)})
            self.assertEqual([self.runs(n) for n in commands], [1, 1, 1, 1])
            found, _ = self.run_all(commands)  # from their files
            self.assertEqual(len(found), 4)
            self.assertEqual([self.runs(n) for n in commands], [1, 1, 1, 1])

    def test_a_controller_that_is_away_is_waited_for(self):
        child = self.begin({"t": "sleep 3; echo fine"})
        self.wait_for(lambda: any("RUNNING" in line for line in self.queue()))
        self.cluster.kill("slurmctld")
        time.sleep(1)
        self.cluster.begin_controller()
        self.assertEqual(self.end(child)[0], {"t": "0 fine"})

    def test_a_node_that_dies(self):
        child = self.begin({"t": self.counting("t", f"[ $(wc -l <'{self.path('t')}') = 2 ] || sleep 100; echo fine")})
        self.wait_for(lambda: os.path.exists(self.path("t")))
        self.cluster.kill("slurmd")
        self.wait_for(lambda: "down" in self.cluster.said("sinfo", "-h", "-o", "%T"))
        self.cluster.begin_node()
        found, said = self.end(child)
        self.assertEqual(found, {"t": "0 fine"})
        self.assertIn("NODE_FAIL: submitted once more", said)

    def test_a_full_disk(self):
        """The folder of tasks has no room for what a task prints."""
        os.makedirs(self.path("slurm"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", self.path("slurm")], capture_output=True, check=False).returncode:
            self.skipTest("needs the right to mount")
        try:
            found, said = self.run_all({"big": "head -c 100000 /dev/zero || exit 7", "good": "echo fine"}, code=0)
            self.assertEqual(found["good"], "0 fine")
            self.assertRegex(found["big"], "^(7|None)")
            self.assertIn("submitted once more", said)
        finally:
            subprocess.run(["umount", self.path("slurm")], check=False)


class Repro(OnACluster):
    def repro(self, folder, *more, path=None, code=0):
        env = {**self.cluster.env, **({"PATH": path} if path else {})}
        done = subprocess.run([TOOL, "repro", "--build", BUILD, "--dir", self.path(folder),
                               "--paper", "mrpb", "--claim", "unshared-gap-base", "--size", "tiny", *more],
                              env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_results_are_those_of_this_computer(self):
        self.repro("local")
        self.repro("away", "--engine", "slurm")
        name = "mrpb/tiny/unshared-gap-base"
        self.assertEqual(self.read(f"local/{name}.txt"), self.read(f"away/{name}.txt"))
        self.assertNotIn("not available", self.read(f"away/{name}.txt"))
        self.assertEqual(os.listdir(self.path("away/slurm/tasks")), [])
        self.assertEqual(sorted(os.listdir(self.path("local/runs"))), sorted(os.listdir(self.path("away/runs"))))
        self.assertIn("0 to run", self.repro("away", "--engine", "slurm").stderr)

    def test_wrong_input(self):
        self.assertIn("--launch and --engine slurm", self.repro("a", "--engine", "slurm", "--launch", "x", code=2).stderr)
        self.assertIn("must be one of local, slurm", self.repro("a", "--engine", "slum", code=2).stderr)
        self.assertIn("sbatch: not found", self.repro("a", "--engine", "slurm", path="/nothing", code=2).stderr)


class Compare(OnACluster):
    WORDS = ("atax", "mvt", "--size", "tiny", "--schemes", "gto,best-swl", "--swl-limits", "2,4")

    def command(self, *more, words=WORDS):
        return [os.path.join(BUILD, "warpmem"), "compare", *words, *more]

    def compare(self, *more, code=0, words=WORDS):
        done = subprocess.run(self.command(*more, words=words), env=self.cluster.env, cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=100)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_the_table_is_that_of_this_computer(self):
        local = self.compare("--tsv", "-").stdout
        away = self.compare("--tsv", "-", "--json", "away.json", "--engine", "slurm", "--keep", "kept")
        self.assertEqual((away.stdout, away.stderr), (local, ""))
        self.assertEqual(len(self.json("away.json")["rows"]), 4)
        self.assertEqual(len(os.listdir(self.path("kept/runs"))), 6)
        self.assertEqual(os.listdir(self.path("kept/slurm/tasks")), [])
        # Kept results serve both engines.
        again = self.compare("--tsv", "-", "--keep", "kept")
        self.assertEqual((again.stdout, again.stderr), (local, "warpmem: 6 of 6 results come from kept\n"))
        os.remove(self.path(os.path.join("kept", "runs", os.listdir(self.path("kept/runs"))[0])))
        again = self.compare("--tsv", "-", "--engine", "slurm", "--keep", "kept")
        self.assertEqual((again.stdout, again.stderr), (local, "warpmem: 5 of 6 results come from kept\n"))

    def test_a_run_that_fails_is_a_row_with_its_reason(self):
        words = ("mst", "--size", "tiny", "--schemes", "baseline", "--presets", "quadro-daws,c2050-s,quadro-owl", "--tsv", "-")
        local = self.compare(words=words, code=1)
        away = self.compare("--engine", "slurm", "--keep", "kept", words=words, code=1)
        self.assertIn("mst", local.stdout)
        rows = [[line.split("\t")[:3] for line in done.stdout.splitlines()] for done in (local, away)]
        self.assertEqual(*rows)
        for line in away.stderr.splitlines():
            if not line.startswith("slurm: "):
                self.assertRegex(line, r"^warpmem: mst .*; .*kept/slurm/tasks/[0-9a-f]{16}$")

    def test_words_behind_the_options(self):
        away = self.compare("--engine", "slurm", "--keep", "kept", "--size", "tiny", "--tsv", "-", "--", "atax", words=())
        self.assertEqual(away.stdout, self.compare("--size", "tiny", "--tsv", "-", words=("atax",)).stdout)

    def test_interrupt_cancels_and_the_same_command_goes_on(self):
        words = ("atax", "--size", "small", "--sweep", "l1.mshrs=8,16,24,32", "--engine", "slurm", "--keep", "kept", "--tsv", "-")
        for ending, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            child = subprocess.Popen(self.command(words=words), env=self.cluster.env, cwd=self.folder, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
            self.wait_for(lambda: any("RUNNING" in line for line in self.queue()))
            child.send_signal(ending)
            out, err = child.communicate(timeout=60)
            self.assertEqual(child.returncode, code, out + err)
            self.assertIn("the same command goes on from here", err)
            self.wait_for(lambda: not self.queue())
        self.assertEqual(self.compare(words=words).stdout, self.compare("--tsv", "-", words=words[:5]).stdout)

    def test_tasks_go_on_when_the_shell_died(self):
        words = ("atax", "--size", "small", "--schemes", "gto,mrpb", "--engine", "slurm", "--keep", "kept")
        child = subprocess.Popen(self.command(words=words), env=self.cluster.env, cwd=self.folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.wait_for(lambda: any("RUNNING" in line for line in self.queue()))
        child.send_signal(signal.SIGHUP)
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 129)
        self.wait_for(lambda: len(os.listdir(self.path("kept/runs"))) == 2)
        self.assertEqual(self.compare(words=words).stderr, "warpmem: 2 of 2 results come from kept\n")

    def test_wrong_input(self):
        self.one_line(self.ended("--engine", "slurm"), "--engine slurm: needs --keep FOLDER")
        self.one_line(self.ended("--engine", "slum"), "--engine slum: must be local or slurm")
        self.one_line(self.ended("--keep", "kept", "--task", "6"), "--task 6: there are 6 runs")
        self.one_line(self.ended("--engine", "slurm", "--keep", "kept", path="/nothing"), "warpmem compare: sbatch: not found")

    def ended(self, *more, path=None):
        env = {**self.cluster.env, **({"PATH": path} if path else {})}
        done = subprocess.run(self.command(*more), env=env, cwd=self.folder, capture_output=True, text=True, check=False, timeout=100)
        return done.returncode, done.stdout, done.stderr


if __name__ == "__main__":
    main()
