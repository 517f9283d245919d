# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node with two slots on loopback, for tests: munged, slurmctld and slurmd of Debian, started and ended here."""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = {"munged": "munge", "slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client"}
SLOTS, START_SECONDS = 2, 60
CONFIG = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=1
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
MaxArraySize=10
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 CPUs={slots} State=UNKNOWN
PartitionName=all Nodes=one Default=YES MaxTime=INFINITE State=UP
"""


def program(name):
    """Its path, /usr/sbin too, which is in no user's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def lacking():
    """Packages that are not installed."""
    return sorted({package for name, package in PROGRAMS.items() if not program(name)})


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder, self.daemons = folder, {}
        for name in ("", "state", "spool"):
            os.makedirs(self.path(name), exist_ok=True)
        self.env = {**os.environ, "SLURM_CONF": self.path("slurm.conf")}
        with open(self.path("slurm.conf"), "w", encoding="utf-8") as file:
            file.write(CONFIG.format(folder=folder, host=socket.gethostname().partition(".")[0], user=pwd.getpwuid(os.getuid()).pw_name,
                                     ports=free_ports(2), slots=SLOTS))
        with open(os.open(self.path("munge.key"), os.O_CREAT | os.O_WRONLY, 0o400), "wb") as file:
            file.write(os.urandom(1024))

    def path(self, name):
        return os.path.join(self.folder, name)

    def begin(self, name, *words):
        with open(self.path(name + ".out"), "ab") as out:
            self.daemons[name] = subprocess.Popen([program(name), *words], env=self.env, stdin=subprocess.DEVNULL, stdout=out,
                                                  stderr=out, start_new_session=True)

    def begin_node(self):
        self.begin("slurmd", "-D", "-N", "one")

    def begin_controller(self):
        self.begin("slurmctld", "-D")

    def start(self):
        self.begin("munged", "-F", "--force", *(f"--{kind}={self.path('munge.' + end)}" for kind, end in (
            ("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))))
        self.wait_for(lambda: os.path.exists(self.path("munge.socket")), "munged")
        self.begin_controller()
        self.begin_node()
        self.wait_for(lambda: "idle" in self.said("sinfo", "-h", "-o", "%T"), "the node")

    def said(self, *words):
        return subprocess.run(words, env=self.env, capture_output=True, text=True, check=False).stdout

    def wait_for(self, what, name):
        begun = time.monotonic()
        while not what():
            if time.monotonic() - begun > START_SECONDS:
                raise RuntimeError(f"{name} did not start:\n{self.last_lines()}")
            time.sleep(0.2)

    def last_lines(self):
        """The end of each log."""
        lines = []
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".out")):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    lines += [f"{name}: {line}" for line in file.read().splitlines()[-8:]]
        return "\n".join(lines)

    def kill(self, name):
        """As a computer that fails: with all that it runs."""
        daemon = self.daemons.pop(name)
        if name == "slurmd":
            self.end_steps()
        daemon.kill()
        daemon.wait()

    def end_steps(self):
        """Kills what the node runs: slurmstepd and the tasks' scripts."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    ours = f"SLURM_CONF={self.path('slurm.conf')}".encode() in file.read()
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    command = file.read()
                if (ours and b"slurm" in command and b"slurmstepd" in command) or (ours and b"/task.sh" in command):
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                continue

    def stop(self):
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.daemons:
                self.kill(name)
