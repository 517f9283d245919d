#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/peer_dram.sh and the driver behind it, with a DRAMsim3 of 30 lines: one request at a
time, TICKS cycles a read, twice as many a write."""
import os
import subprocess

from test_house import ROOT, House, main

TICKS = 5
HEADER = """
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
namespace dramsim3 {
struct MemorySystem {
    std::string folder;
    std::function<void(uint64_t)> read;
    uint64_t address = 0, acts = 0, reads = 0, writes = 0;
    unsigned left = 0;
    bool write = false;
    bool WillAcceptTransaction(uint64_t, bool) const { return left == 0; }
    bool AddTransaction(uint64_t a, bool w) { address = a; write = w; left = w ? 2 * TICKS : TICKS; return true; }
    void ClockTick() {
        if (!left || --left) return;
        acts += address % 128 == 0;
        if (write) { writes++; } else { reads++; read(address); }
    }
    void PrintStats() const {
        std::ofstream(folder + "/dramsim3.txt") << "num_act_cmds = " << acts << " # a\\nnum_read_cmds = " << reads
            << " # r\\nnum_write_cmds = " << writes << " # w\\nnum_cycles = 7 # c\\n";
    }
    void ResetStats() { acts = reads = writes = 0; }
};
MemorySystem *GetMemorySystem(const std::string &, const std::string &, std::function<void(uint64_t)>, std::function<void(uint64_t)>);
}
"""
SOURCE = """#include "dramsim3.h"
dramsim3::MemorySystem *dramsim3::GetMemorySystem(const std::string &, const std::string &folder,
        std::function<void(uint64_t)> read, std::function<void(uint64_t)>) {
    auto *m = new MemorySystem; m->folder = folder; m->read = read; return m;
}
"""
# Two streams: four reads, two of them with an activate; three requests that end in a write.
STREAMS = f"""#!/bin/sh
touch "$1/gtx480.ini"
printf '0 r\\n40 r\\n80 r\\nc0 r\\n' >"$1/0.stream"
printf '0 r\\n40 w\\n80 w\\n' >"$1/1.stream"
printf 'reads\\t11\\t1\\t{4 * TICKS - 1}\\t2\\nwrites\\t12\\t1\\t13\\t2\\n'
"""


class PeerDram(House):
    def peer_dram(self, peer, code=0):
        done = subprocess.run([os.path.join(ROOT, "scripts/peer_dram.sh"), self.path("b"), peer], cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def fake(self, streams=STREAMS):
        self.write("peer/src/dramsim3.h", HEADER.replace("TICKS", str(TICKS)))
        self.write("peer/src/all.cpp", SOURCE)
        self.program("b/dram_streams", streams)
        subprocess.run(["c++", "-std=c++11", "-shared", "-fPIC", self.path("peer/src/all.cpp"), "-o",
                        self.path("peer/libdramsim3.so")], check=True)

    def test_without_a_peer_it_says_so_and_passes(self):
        for peer in ("", self.path("nowhere"), self.path("")):
            self.assertIn(f"skipped: no DRAMsim3 in PEER={peer}", self.peer_dram(peer))

    def test_a_library_without_its_header_is_no_peer(self):
        self.fake()
        os.remove(self.path("peer/src/dramsim3.h"))
        self.assertIn("skipped: no DRAMsim3", self.peer_dram(self.path("peer")))

    def test_cycles_and_activates_stand_beside_ours(self):
        self.fake()
        lines = self.peer_dram(self.path("peer")).splitlines()
        self.assertEqual(lines[2].split(), ["reads", str(4 * TICKS - 1), "2", str(4 * TICKS - 1), "2", "11", "1"])
        self.assertEqual(lines[3].split(), ["writes", str(5 * TICKS - 1), "2", "13", "2", "12", "1"])
        self.assertTrue(lines[4].startswith("1 of 2 streams"), lines[4])

    def test_a_stream_that_is_none_fails(self):
        self.fake(STREAMS.replace("80 w", "no"))
        self.assertIn("no stream", self.peer_dram(self.path("peer"), code=1))


main()
