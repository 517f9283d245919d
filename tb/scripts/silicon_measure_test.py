#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""scripts/silicon/measure without a GPU: nvcc, ncu and nvidia-smi are programs of this test, and ncu's text is written by hand after the
format that Nsight Compute documents for --csv --page raw. No profiler has printed it."""
import os
import subprocess

from silicon import counters, ncu
from silicon.programs import Failed
from test_house import ROOT, SCRIPTS, House, main

MEASURE = os.path.join(SCRIPTS, "silicon", "measure")
HEAD = '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"'
UNITS = '"","","","","","","","","","",""'
TWO_LAUNCHES = f"""==PROF== Connected to process 4711 (/tmp/stores)
==PROF== Profiling "fill_rows" - 0: 0%....50%....100% - 4 passes
==PROF== Disconnected from process 4711
{HEAD},"dram__sectors_read.sum","sm__cycles_elapsed.avg","sm__cycles_elapsed.sum","smsp__inst_executed_op_shared_ld.sum","smsp__inst_executed_op_shared_st.sum","sm__pipe_alu_cycles_active.sum","sm__pipe_fma_cycles_active.sum"
{UNITS},"sector","cycle","cycle","inst","inst","cycle","cycle"
"0","4711","stores","127.0.0.1","void fill_rows<float, 2>(unsigned int *, unsigned int)","1","7","(256, 1, 1)","(65, 64, 1)","0","8.0","1,048,576","12,345.50","1,333,314","10","20","266,662.8","133,331.4"
"1","4711","stores","127.0.0.1","other","1","7","(256, 1, 1)","(65, 64, 1)","0","8.0","7","100","10,800","n/a","5","0","0"
"""
# Stands for ncu: every metric of every launch has a value that the test knows. LAUNCHES: kernels by program.
NCU = '''#!/usr/bin/python3
import os, sys
LAUNCHES = {"stores": ["fill_rows"], "walsh": ["transform_tile", "transform_far", "transform_far"], "chase": ["chase"] * 8}
words = sys.argv[1:]
log, metrics = words[words.index("--log-file") + 1], words[words.index("--metrics") + 1].split(",")
program = os.path.basename(words[words.index("--log-file") + 2])
if os.environ.get("UNKNOWN") in metrics:
    sys.exit("==ERROR== Failed to find metric " + os.environ["UNKNOWN"])
if os.environ.get("PERMISSION"):
    open(log, "w").write("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters")
    sys.exit(1)
if program == "chase":
    for at, (name, each) in enumerate([("l1_latency", 40), ("l2_latency", 260), ("dram_latency", 480), ("shared_latency", 29)]):
        print("measure", name, "cycles", 10, 2 * at + 1, 2 * at + 2, sep="\\t")
CYCLES = [1000, 1400, 1000, 3600, 1000, 5800, 1000, 1290]
def value(metric, at):
    special = {"sm__cycles_elapsed.avg": CYCLES[at], "sm__cycles_elapsed.sum": 132 * CYCLES[at], "sm__cycles_elapsed.avg.per_second": 1.98e9,
               "dram__cycles_elapsed.avg.per_second": 2.6e9}
    return special.get(metric, 1000 * (at + 1))
with open(log, "w") as file:
    file.write("==PROF== Connected\\n")
    file.write('"ID","Process ID","Kernel Name",' + ",".join(f'"{m}"' for m in metrics) + "\\n" + '"","","",' + ",".join('""' for m in metrics) + "\\n")
    for at, kernel in enumerate(LAUNCHES[program]):
        file.write(f'"{at}","1","{kernel}",' + ",".join(f'"{value(m, at):,}"' for m in metrics) + "\\n")
'''
SMI = '#!/bin/sh\necho "NVIDIA H100 SXM5 80GB, 550.54.15, 9.0"\n'


class Reading(House):
    def test_ncus_table_gives_the_counters_of_each_launch(self):
        launches = ncu.launches_in(TWO_LAUNCHES)
        self.assertEqual([kernel for kernel, _ in launches], ["fill_rows", "other"])
        first, second = (ncu.counts_of(metrics) for _, metrics in launches)
        self.assertEqual((first["dram_reads"], first["cycles"], first["shared_accesses"]), (1048576, 12345.5, 30))
        self.assertAlmostEqual(first["pipeline_duty"], (0.2 + 0.1) / 2)
        self.assertNotIn("shared_accesses", second)  # one of its metrics is n/a
        for text in ("", "==ERROR== nothing", HEAD + "\n" + UNITS + "\n", '"ID","Metric Name"\n"0","x"\n'):
            with self.assertRaises(Failed):
                ncu.launches_in(text)

    def test_a_metric_with_another_name_is_asked_for_by_it(self):
        self.assertIn("smsp__inst_executed_op_shared_ld.sum", ncu.wanted_metrics())
        names = ncu.wanted_metrics(["smsp__inst_executed_op_shared_ld.sum", "idc__requests.sum"])
        self.assertIn("sm__sass_inst_executed_op_shared_ld.sum", names)
        self.assertFalse({"smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum", "idc__requests.sum"} & set(names))


class Measuring(House):
    def setUp(self):
        super().setUp()
        for name, text in (("nvcc", '#!/bin/sh\necho "$@" >>nvcc.log\n'), ("ncu", NCU), ("nvidia-smi", SMI)):
            self.program("bin/" + name, text)

    def measure(self, *words, path=None, **env):
        done = subprocess.run([MEASURE, "--build", self.path("none"), *words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "PATH": path or self.path("bin") + ":" + os.environ["PATH"], **env})
        return done.returncode, done.stdout, done.stderr

    def test_kernels_and_microbenchmarks_become_tables(self):
        code, out, err = self.measure("--only", "stores,walsh,chase", UNKNOWN="idc__requests.sum")
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("-arch=sm_90", self.read("nvcc.log"))
        rows = counters.gpu_rows(self.path("measured/nvidia-h100-sxm5-80gb.tsv"))
        self.assertEqual([(row["suite"], row["program"], row["arguments"], row["kernel"]) for row in rows],
                         [("warpmem", "stores", "4194304", "fill_rows"), ("warpmem", "walsh", "4194304", "transform_tile"),
                          ("warpmem", "walsh", "4194304", "transform_far")])
        far = rows[2]["counts"]
        self.assertEqual((far["dram_reads"], far["shared_accesses"], far["cycles"]), (2500, 5000, 1200))  # means of launches 2 and 3
        self.assertNotIn("constant_accesses", far)
        self.assertIn("driver 550.54.15", self.read("measured/nvidia-h100-sxm5-80gb.tsv").splitlines()[0])
        values = {row["measure"]: row["value"] for row in self.table("measured/nvidia-h100-sxm5-80gb.micro.tsv")}
        self.assertEqual(values, {"l1_latency": "40.000", "l2_latency": "260.000", "dram_latency": "480.000", "shared_latency": "29.000"})

    def test_a_draft_takes_the_differences_of_latencies_to_the_base(self):
        from silicon import gpu
        keys = {"core.shared_latency": "15", "l1.hit_latency": "24", "l2.rop_latency": "122", "dram.latency": "102", "clock.core": "1000", "clock.dram": "500"}
        text = gpu.draft_of(keys, "v100", {"name": "H"}, {"multiprocessors": 132, "core": 1.98e9},
                            {"l1_latency": 40, "l2_latency": 260, "dram_latency": 480}, {"l1_latency": 28, "l2_latency": 193, "dram_latency": 375})
        self.write("draft.ini", text)
        for line in ("base = v100", "count = 132 ;", "core = 1980000 ;", "hit_latency = 36 ;", "rop_latency = 189 ;", "latency = 121 ;"):
            self.assertIn("\n" + line, text)

    def test_what_is_missing_is_named(self):
        self.one_line(self.measure("--only", "stores", PERMISSION="1"), "ERR_NVGPUCTRPERM", 1)
        self.one_line(self.measure("--ncu", "/none/ncu"), "--ncu /none/ncu: is not there")
        self.one_line(self.measure("--only", "nothing"), "--only nothing: must be of stores, walsh")
        self.program("bin/nvidia-smi", "#!/bin/sh\necho 'No devices were found'\nexit 6\n")
        self.one_line(self.measure(), "no NVIDIA GPU: nvidia-smi says: No devices were found")
        os.remove(self.path("bin/nvidia-smi"))
        self.one_line(self.measure(path=self.path("bin") + ":/usr/bin:/bin"), "no NVIDIA GPU: there is no nvidia-smi")

    def test_a_dry_run_prints_the_commands_alone(self):
        code, out, _ = self.measure("--dry-run", "--arch", "sm_80")
        lines = out.splitlines()
        self.assertEqual((code, len(lines)), (0, 2 * (8 + 5)))
        self.assertTrue(lines[0].endswith("-arch=sm_80 -o measured/programs/stores " + os.path.join(ROOT, "examples/silicon/stores.cu")))
        self.assertIn("--cache-control all", lines[1])
        self.assertEqual(os.listdir(self.folder), ["bin"])


if __name__ == "__main__":
    main()
