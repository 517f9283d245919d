/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's parameters. Every key stands once, in the lists below, with its range, unit and
 * meaning; the struct, the parser, `warpmem config show` and the messages come from them. There are
 * no defaults: a preset gives every key.
 */
#ifndef WARPMEM_CONFIG_CONFIG_H
#define WARPMEM_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* clang-format off */

/* U(key, min, max, unit, meaning): an unsigned number. E(key, "first|second", meaning): a choice;
 * the value is its position in the text. */

#define CLOCK_KEYS(U, E) \
    U(core, 1000, 10000000, "kHz", "core cycle: a whole warp issues in one (shader clock x SIMD width / 32)") \
    U(noc,  1000, 10000000, "kHz", "interconnect: one flit a port a cycle") \
    U(l2,   1000, 10000000, "kHz", "memory partitions and L2 banks") \
    U(dram, 1000, 10000000, "kHz", "DRAM commands")

#define CORE_KEYS(U, E) \
    U(count,           1, 64,      "cores",     "cores (SMs)") \
    U(threads,        32, 2048,    "threads",   "resident threads a core") \
    U(warps,           1, 64,      "warps",     "resident warps a core") \
    U(ctas,            1, 32,      "CTAs",      "resident CTAs a core") \
    U(registers,    1024, 1048576, "registers", "32-bit registers a core") \
    U(shared_bytes,    0, 1048576, "bytes",     "shared memory a core") \
    U(shared_banks,    1, 64,      "banks",     "shared memory banks, 4 bytes wide") \
    U(shared_latency,  1, 256,     "cycles",    "from a shared-memory access to its data") \
    U(schedulers,      1, 4,       "schedulers", "warp w belongs to scheduler w mod this; each issues one warp instruction a cycle") \
    U(operand_latency, 1, 32,      "cycles",    "from issue to the function unit or the load/store unit (operand collection)") \
    U(sp_units,        1, 8,       "units",     "pipelines for integer, single and double precision") \
    U(sfu_units,       1, 8,       "units",     "pipelines for division and transcendental functions")

#define ISSUE_KEYS(U, E) \
    E(scheduler, "lrr|gto", "warp scheduler: loose round-robin, or greedy then oldest")

/* Latency and initiation interval of each arithmetic instruction, in core cycles. */
#define ALU_KEYS(U, E) \
    U(int_add, 1, 1024, "cycles", "latency") U(int_add_interval, 1, 256, "cycles", "initiation interval") \
    U(int_max, 1, 1024, "cycles", "latency") U(int_max_interval, 1, 256, "cycles", "initiation interval") \
    U(int_mul, 1, 1024, "cycles", "latency") U(int_mul_interval, 1, 256, "cycles", "initiation interval") \
    U(int_mad, 1, 1024, "cycles", "latency") U(int_mad_interval, 1, 256, "cycles", "initiation interval") \
    U(int_div, 1, 1024, "cycles", "latency") U(int_div_interval, 1, 256, "cycles", "initiation interval") \
    U(fp_add,  1, 1024, "cycles", "latency") U(fp_add_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_max,  1, 1024, "cycles", "latency") U(fp_max_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_mul,  1, 1024, "cycles", "latency") U(fp_mul_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_mad,  1, 1024, "cycles", "latency") U(fp_mad_interval,  1, 256, "cycles", "initiation interval") \
    U(fp_div,  1, 1024, "cycles", "latency") U(fp_div_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_add,  1, 1024, "cycles", "latency") U(dp_add_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_max,  1, 1024, "cycles", "latency") U(dp_max_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_mul,  1, 1024, "cycles", "latency") U(dp_mul_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_mad,  1, 1024, "cycles", "latency") U(dp_mad_interval,  1, 256, "cycles", "initiation interval") \
    U(dp_div,  1, 1024, "cycles", "latency") U(dp_div_interval,  1, 256, "cycles", "initiation interval") \
    U(sfu,     1, 1024, "cycles", "latency") U(sfu_interval,     1, 256, "cycles", "initiation interval")

#define L1_KEYS(U, E) \
    U(sets,         1, 65536, "sets",    "sets, a power of two") \
    U(ways,         1, 64,    "ways",    "lines a set") \
    U(line_bytes, 128, 128,   "bytes",   "line size") \
    E(index, "modulo|xor", "set index: low line-address bits, or those XOR the bits above them") \
    U(hit_latency,  1, 256,   "cycles",  "from the access to its data in the register, for a hit") \
    U(fill_latency, 1, 256,   "cycles",  "from waking a waiting access to its data in the register") \
    U(mshrs,        1, 256,   "entries", "miss status holding registers") \
    U(mshr_merge,   1, 256,   "accesses", "accesses one MSHR can hold") \
    U(miss_queue,   1, 256,   "requests", "requests that wait for the interconnect") \
    E(at_launch, "keep|invalidate", "its valid lines when a kernel is launched") \
    E(bypass_reply, "segment|line", "data of a bypassing read's reply: the coalesced 32-byte segments, or the line") \
    E(mrpb, "off|on", "memory request prioritization buffer before the L1 (HPCA 2014)")

#define MRPB_KEYS(U, E) \
    U(depth,   2, 64, "entries", "reads a queue holds") \
    U(latency, 3, 18, "cycles",  "from enqueue to the cache's first sight of the request") \
    E(bypass, "off|associativity", "which stalls of a read let it bypass the cache")

#define NOC_KEYS(U, E) \
    U(flit_bytes,    4, 256,  "bytes",  "flit size = port width") \
    U(header_bytes,  0, 64,   "bytes",  "header of every packet") \
    U(hop_latency,   1, 256,  "cycles", "from the last flit's crossing to the far buffer") \
    U(input_flits,   1, 4096, "flits",  "buffer of an input port; the largest packet must fit") \
    U(output_flits,  1, 4096, "flits",  "buffer of an output port; the largest packet must fit")

#define L2_KEYS(U, E) \
    U(partitions,    1, 32,    "partitions", "memory partitions, one DRAM channel each") \
    U(sets,          1, 65536, "sets",    "sets a partition, a power of two") \
    U(ways,          1, 64,    "ways",    "lines a set") \
    U(rop_latency,   1, 4096,  "cycles",  "from the interconnect to the L2 queue, L2 cycles") \
    U(queue,         1, 1024,  "requests", "requests that wait for the bank, behind the ROP pipeline") \
    U(hit_latency,   1, 256,   "cycles",  "from the bank's access to the reply queue, for a hit") \
    U(fill_latency,  1, 256,   "cycles",  "from waking a waiting request to the reply queue") \
    U(mshrs,         1, 256,   "entries", "miss status holding registers") \
    U(mshr_merge,    1, 256,   "requests", "requests one MSHR can hold") \
    U(miss_queue,    2, 256,   "requests", "requests that wait for the DRAM; a miss with a dirty victim takes two places") \
    E(write_fetch, "always|partial", "write misses that fetch their line: all, or those that do not write all of it") \
    U(reply_queue,   1, 1024,  "replies", "replies that wait for the interconnect")

#define DRAM_KEYS(U, E) \
    U(latency,        1, 4096,  "cycles",  "constant part before the controller's queue, DRAM cycles") \
    U(queue,          1, 64,    "requests", "requests the FR-FCFS scheduler sees") \
    U(return_queue,   1, 1024,  "requests", "reads in the DRAM or waiting for the L2") \
    U(channel_bytes,  128, 65536, "bytes", "consecutive bytes of one channel") \
    U(bus_bytes,      1, 64,    "bytes",   "data bus: bytes a beat") \
    U(beats,          1, 8,     "beats",   "data beats a command cycle (data/command ratio)") \
    U(burst,          1, 64,    "beats",   "burst length") \
    U(banks,          1, 64,    "banks",   "banks a channel, a power of two") \
    U(bank_groups,    1, 16,    "groups",  "bank groups a channel, a power of two") \
    U(row_bytes,      128, 65536, "bytes", "row of a bank, a power of two") \
    U(cl,             1, 255,   "cycles",  "read command to data") \
    U(wl,             1, 255,   "cycles",  "write command to data") \
    U(rcd,            1, 255,   "cycles",  "activate to column command") \
    U(rp,             1, 255,   "cycles",  "precharge to activate, same bank") \
    U(ras,            1, 255,   "cycles",  "activate to precharge, same bank") \
    U(rc,             1, 255,   "cycles",  "activate to activate, same bank") \
    U(rrd,            1, 255,   "cycles",  "activate to activate, other bank") \
    U(ccd,            1, 255,   "cycles",  "column to column command") \
    U(ccdl,           1, 255,   "cycles",  "column to column command, same bank group") \
    U(rtpl,           1, 255,   "cycles",  "read to precharge, same bank, with bank groups") \
    U(cdlr,           1, 255,   "cycles",  "end of write data to read command (tWTR)") \
    U(wr,             1, 255,   "cycles",  "end of write data to precharge, same bank")

#define CONFIG_SECTIONS(S) \
    S(clock, CLOCK_KEYS) S(core, CORE_KEYS) S(issue, ISSUE_KEYS) S(alu, ALU_KEYS) S(l1, L1_KEYS) S(mrpb, MRPB_KEYS) \
    S(noc, NOC_KEYS) S(l2, L2_KEYS) S(dram, DRAM_KEYS)

/* clang-format on */

enum { SCHEDULER_LRR, SCHEDULER_GTO };
enum { INDEX_MODULO, INDEX_XOR };
enum { AT_LAUNCH_KEEP, AT_LAUNCH_INVALIDATE };
enum { WRITE_FETCH_ALWAYS, WRITE_FETCH_PARTIAL };
enum { BYPASS_REPLY_SEGMENT, BYPASS_REPLY_LINE };
enum { MRPB_BYPASS_OFF, MRPB_BYPASS_ASSOCIATIVITY };

#define CONFIG_U(key, min, max, unit, meaning) unsigned key;
#define CONFIG_E(key, choices, meaning) unsigned key;
#define CONFIG_SECTION(name, KEYS) \
    struct { \
        KEYS(CONFIG_U, CONFIG_E) \
    } name;

struct config {
    CONFIG_SECTIONS(CONFIG_SECTION)
};

/* A message for the user: what, where, what is allowed; one line. */
struct config_error {
    char text[512];
};

/** config_preset() - fill *c from an embedded preset. False with a message when there is none of
 * that name. */
bool config_preset(struct config *c, const char *name, struct config_error *e);
/** config_preset_name() - the i-th preset's name and its first comment line; NULL past the end. */
const char *config_preset_name(unsigned i, const char **about);
/** config_file() - override from an INI file: unknown keys, ranges and duplicates are errors with
 * file and line. */
bool config_file(struct config *c, const char *path, struct config_error *e);
/** config_set() - override one key from "section.key=value". */
bool config_set(struct config *c, const char *assignment, struct config_error *e);
/** config_check() - combinations: what no single range can say. To be called last. */
bool config_check(const struct config *c, struct config_error *e);
/** config_print() - every key as INI with unit and meaning as comments. */
void config_print(const struct config *c, FILE *out);
/** config_hash() - of all keys and values, 64-bit FNV-1a over "section.key=value\n" in the order
 * of the lists. */
uint64_t config_hash(const struct config *c);

#endif
