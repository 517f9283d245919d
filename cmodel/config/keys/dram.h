/* SPDX-License-Identifier: Apache-2.0
 *
 * The DRAM controllers and the DRAM. Times are in cycles of clock.dram.
 */
/* clang-format off */

SECTION(dram)
U(latency, 1, 4096, "cycles", "constant part before the controller's queue, DRAM cycles")
U(queue, 1, 256, "requests", "capacity of the FR-FCFS scheduler's queue; with two queues of each")
S(line_order, OFF_ON(V),
  "on: a request does not pass an older one of its line, if one of them is a write",
  D(off, "simulator: its FR-FCFS compares no lines"))
E(queues, V(DRAM_QUEUES_ONE, "one") V(DRAM_QUEUES_TWO, "two"),
  "two: requests of mostly-hit warps have their own queue, always first (MeDiC 4.4)",
  D(one, "the baseline; schemes wms and medic turn it on"))
IDLE_WHILE(c->dram.queues == DRAM_QUEUES_ONE, "dram.queues=one (--scheme wms)")
E(high, V(DRAM_HIGH_ALWAYS, "always") V(DRAM_HIGH_ROW_FIRST, "row-first"),
  "with two queues the high one goes first: always; before another row is opened, but after hits of open rows",
  D(always, "MeDiC 4.4: always over the low queue; its authors' later simulator has row-first (CMU-SAFARI/Mosaic)"))
E(queue_share, V(DRAM_QUEUE_SHARE_OWN, "own") V(DRAM_QUEUE_SHARE_COMMON, "common"),
  "with two queues dram.queue is: the capacity of each; of both together, at most 128 of a kind, and high requests enter first",
  D(own, "MeDiC 4.4, footnote 5: a full low queue does not block high requests; its authors' later simulator: common (CMU-SAFARI/Mosaic)"))
U(low_bound, 0, 255, "column commands",
  "with two queues: number of high requests that may overtake the oldest low one; 0: any number, as in the paper",
  D(0, "MeDiC 4.4 bounds nothing: mostly-hit warps always first"))
IDLE_END
U(return_queue, 1, 1024, "requests",
  "reads in the DRAM or waiting for the L2; with two queues dram.queue more")
U(channel_bytes, 128, 65536, "bytes", "consecutive bytes of one channel")
S(channel_hash, OFF_ON(V),
  "on: a hash of higher address bits permutes the order of the channels",
  D(off, "simulator: none before release 4"))
U(bus_bytes, 1, 64, "bytes", "data bus: bytes a beat", D(8, "simulator: 2 chips x 4 B"))
U(beats, 1, 8, "beats", "data beats a command cycle (data/command ratio)")
U(burst, 1, 64, "beats", "burst length")
P(banks, 1, 64, "banks", "banks a channel, a power of two")
P(bank_groups, 1, 16, "groups", "bank groups a channel, a power of two")
E(group_bits, V(GROUP_BITS_HIGH, "high") V(GROUP_BITS_LOW, "low"),
  "bits of the bank's number that select its group: the high ones, so neighbours share a group; the low ones, so they do not",
  D(high, "simulator: its default until release 4"))
P(row_bytes, 128, 65536, "bytes", "row of a bank, a power of two")
T(address_map,
  "bits of an address within its channel, the highest first: R row, B bank, C column, S byte in a burst; -: row, bank, column",
  D(-, "simulator: its masks of the Fermi GPUs have row, bank, column, each in one piece"))
U(row_hit_cap, 0, 255, "column commands",
  "number to an open row after which the bank's oldest request precedes row hits (DRAMsim3: 4); 0: no cap",
  D(0, "simulator: its FR-FCFS has none; the released DRAMsim3 has 4 column commands"))
U(cl, 1, 255, "cycles", "read command to data")
U(wl, 1, 255, "cycles", "write command to data")
U(rcd, 1, 255, "cycles", "activate to column command")
U(rcd_write, 0, 255, "cycles", "activate to write command, as a data sheet's tRCDWR; 0: rcd - wl - 1, at least 1",
  D(0, "simulator: a write's data come wl later, so its command may come that much sooner"))
U(rp, 1, 255, "cycles", "precharge to activate, same bank")
U(ras, 1, 255, "cycles", "activate to precharge, same bank")
U(rc, 1, 255, "cycles", "activate to activate, same bank")
U(rrd, 1, 255, "cycles", "activate to activate, other bank")
U(faw, 0, 4095, "cycles", "window of at most 4 activates (tFAW), if longer than 4 rrd; 0: none",
  D(0, "simulator: it has no such rule"))
U(aw32, 0, 4095, "cycles", "window of at most 32 activates (t32AW), if longer than 8 faw and 32 rrd; 0: none",
  D(0, "simulator: it has no such rule"))
U(ccd, 1, 255, "cycles", "column to column command")
U(ccdl, 1, 255, "cycles", "column to column command, same bank group")
U(rtpl, 1, 255, "cycles", "read to precharge, same bank, with bank groups")
U(cdlr, 1, 255, "cycles", "end of write data to read command (tWTR)")
U(wr, 1, 255, "cycles", "end of write data to precharge, same bank")
/* In cycles of clock.dram. GDDR5: tREFI 1.9 us and tRFC 65 ns (DRAMsim3, configs/GDDR5_8Gb_x32.ini and GDDR5_1Gb_x32.ini), at
 * 837 MHz 1590 and 55. GDDR3: 3.9 us and 54 ns (Qimonda HYB18H512321AF, table 38), at 800 MHz 3120 and 44. DDR3: 7.8 us, and
 * 110 ns at 1 Gb, 160 ns at 2 Gb (JEDEC JESD79-3). */
U(refi, 0, 1048576, "cycles",
  "from one due time of an all-bank refresh to the next (tREFI); 0, with rfc = 0: no refresh",
  D(0, "simulator: no refresh"))
U(rfc, 0, 4095, "cycles", "refresh to the next command (tRFC)", D(0, "simulator: no refresh"))
S(write_drain, OFF_ON(V),
  "on: reads first; writes while no read waits, or in batches from write_high waiting writes down to write_low",
  D(off, "simulator: one queue of reads and writes by default (seperate_write_queue_enable)"))
U(write_high, 1, 128, "requests", "write_drain: waiting writes that begin a batch",
  D(14, "simulator: 28 of a write queue of 32; the same share of the smallest dram.queue of a preset, 16"))
U(write_low, 0, 127, "requests", "write_drain: waiting writes left at the end of a batch",
  D(8, "simulator: 16 of a write queue of 32"))
T(policy, "a scheduler in place of that of other keys, from --plugin FILE or `list schemes`; -: none", D(-, "none"))
END(dram)
