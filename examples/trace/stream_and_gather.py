#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a kernel as a text trace: each warp streams through its own row and gathers words from a shared table.

    examples/trace/stream_and_gather.py | build/warpmem import --format text - -o gather.wtr
    build/warpmem compare gather.wtr --schemes baseline,mrpb
"""
import random

CTAS, WARPS, ROUNDS, TABLE, ROWS = 30, 4, 64, 1 << 28, 1 << 29
words = random.Random(1)
print(f"warpmem-trace 1\nkernel registers 16 shared 0 name gather\nlaunch grid {CTAS} block {32 * WARPS}")
for cta in range(CTAS):
    for warp in range(WARPS):
        print(f"warp {cta} {warp}")
        for i in range(ROUNDS):
            row = ROWS + ((cta * WARPS + warp) * ROUNDS + i) * 128
            table = ",".join(str(TABLE + 4 * words.randrange(8192)) for _ in range(32))
            print(f"0x00 ffffffff load global 4 dst=1 src=0 @{row}+4")  # the lanes' words are neighbours
            print(f"0x08 ffffffff load global 4 dst=2 src=1 @{table}")  # an address a lane
            print("0x10 ffffffff fp_mad dst=3 src=2,3")
