#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The L1 against an LRU cache that shares no code with the model: a warp with one instruction in flight loads and stores lines
by lot; each access must hit or miss as the LRU cache says, in order. The binary is in $WARPMEM_BUILD, or build."""
import collections
import os
import random
import subprocess

from test_house import ROOT, House, main

BINARY = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"), "warpmem")
LINE, BASE = 128, 0x10000000
HEAD = """-kernel name = lines
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 16
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007f3000000000
-local mem base_addr = 0x00007f3001000000
-nvbit version = 1.5.5
-accelsim tracer version = 4

#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]

#BEGIN_TB

thread block = 0,0,0

warp = 0
"""


def modulo(address, sets):
    return address // LINE % sets


def xor(address, sets):
    line = address // LINE
    return (line ^ line // sets) % sets


def fermi(address, sets):
    """Nugteren and others, HPCA 2014: five bits of the byte address over the low five of the line; of 64 sets bit 12 is the top."""
    def bit(i):
        return address >> i & 1
    low = [bit(7) ^ bit(13), bit(8) ^ bit(14), bit(9) ^ bit(15), bit(10) ^ bit(17), bit(11) ^ bit(19)]
    return sum(b << i for i, b in enumerate(low)) + (32 * bit(12) if sets == 64 else 0)


def lru(accesses, index, sets, ways):
    """hit, miss or write of each: a write takes its line out, and goes on (write-evict)."""
    cache = [collections.OrderedDict() for _ in range(sets)]
    for write, address in accesses:
        of_set, line = cache[index(address, sets)], address // LINE
        if write:
            of_set.pop(line, None)
            yield "write", line
        elif line in of_set:
            of_set.move_to_end(line)
            yield "hit", line
        else:
            if len(of_set) == ways:
                of_set.popitem(last=False)
            of_set[line] = True
            yield "miss", line


class Lru(House):
    def accesses(self, count, lines, seed):
        """A third near the last one, a third anew in a small region, the others anywhere."""
        draw, last, found = random.Random(seed), 0, []
        for _ in range(count):
            near, small = (last + draw.randrange(8)) % lines, draw.randrange(max(1, lines // 8))
            last = draw.choice((near, small, draw.randrange(lines)))
            found.append((draw.randrange(12) == 0, BASE + last * LINE))
        return found

    def events(self, accesses, keys):
        text = [HEAD, f"insts = {len(accesses) + 1}\n"]
        for i, (write, address) in enumerate(accesses):
            what = "0 STG.E 2 R4 R9" if write else "1 R9 LDG.E 1 R4"
            text.append(f"{16 * i:04x} ffffffff {what} 4 1 0x{address:x} 4 0 \n")
        text.append(f"{16 * len(accesses):04x} ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n")
        self.write("kernel-1.traceg", "".join(text))
        kernels = self.write("kernelslist.g", "kernel-1.traceg\n")
        for words in (["import", kernels, "-o", self.path("t.wtr")],
                      ["run", self.path("t.wtr"), "--preset", "gtx480", "--no-progress", "--events", self.path("events"),
                       *(word for key in ["issue.inflight_per_warp=1", "l1.global_write=evict", *keys] for word in ("--set", key))]):
            done = subprocess.run([BINARY, *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        for line in self.read("events").splitlines():
            words = line.split()
            if words[2].startswith("l1-"):
                yield words[2][3:], int(words[-1], 16)

    def check(self, index, sets, ways, lines, count=8000):
        for seed in range(2):
            accesses = self.accesses(count, lines, seed)
            ours = list(self.events(accesses, [f"l1.index={index.__name__}", f"l1.sets={sets}", f"l1.ways={ways}"]))
            theirs = list(lru(accesses, index, sets, ways))
            self.assertEqual(len(ours), count)
            self.assertGreater(sum(result == "hit" for result, _ in theirs), count // 20)
            self.assertGreater(sum(result == "miss" for result, _ in theirs), count // 5)
            wrong = [i for i in range(count) if ours[i] != theirs[i]]
            self.assertEqual(wrong, [], f"first: {ours[wrong[0]]}, LRU says {theirs[wrong[0]]}" if wrong else "")

    def test_modulo(self):
        self.check(modulo, 32, 4, 600)
        self.check(modulo, 8, 3, 100)
        self.check(modulo, 1, 16, 60)

    def test_fermis_hash(self):
        self.check(fermi, 32, 4, 1000)
        self.check(fermi, 64, 6, 5000)

    def test_xor(self):
        self.check(xor, 32, 4, 4000)


if __name__ == "__main__":
    main()
