/* SPDX-License-Identifier: Apache-2.0
 * What becomes of single lines of a text trace, and which files are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <inttypes.h>
#include <lzma.h>

#include "trace/import_bench.h"

#define SHARED UINT64_C(0x7f3000000000)
#define LOCAL UINT64_C(0x7f3001000000)
#define HEAD \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 64\n-nregs = 8\n" \
    "-shmem base_addr = 0x7f3000000000\n-local mem base_addr = 0x7f3001000000\n" \
    "-accelsim tracer version = 4\n"
#define BLOCK(insts, lines) \
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " insts "\n" lines "#END_TB\n"

/* One kernel of one thread block whose warp 0 has been read back. */
struct lines_bench {
    struct import_bench b;
    struct wtr_reader *reader;
    struct cta_trace *trace;
    struct warp_cursor cursor;
};

static void open_lines(struct lines_bench *l, const char *text) {
    const struct launch *launch;
    bench_open(&l->b);
    bench_file(&l->b, "kernel-1.traceg", text);
    bench_list(&l->b, "kernel-1.traceg\n");
    if (bench_import(&l->b) != ACCELSIM_GOOD) {
        fail_msg("%s", l->b.import->error);
    }
    l->reader = bench_reader(&l->b);
    l->trace = cta_trace_create();
    struct program p = wtr_reader_program(l->reader);
    assert_true(p.next_launch(p.self, &launch) && p.run_cta(p.self, 0, l->trace));
    warp_cursor_open(&l->cursor, &l->trace->warp[0], launch->code);
}

static void close_lines(struct lines_bench *l) {
    struct warp_op op;
    assert_false(warp_cursor_next(&l->cursor, &op));
    cta_trace_destroy(l->trace);
    wtr_reader_close(l->reader);
    bench_close(&l->b);
}

static struct warp_op next(struct lines_bench *l, unsigned op_wanted, uint32_t active) {
    struct warp_op op;
    assert_true(warp_cursor_next(&l->cursor, &op));
    assert_int_equal(op.insn->op, op_wanted);
    assert_int_equal(op.active, active);
    return op;
}

static void want_address(const struct warp_op *op, unsigned space, unsigned lane, uint64_t wanted) {
    uint64_t address[WARP_SIZE];
    warp_op_addresses(op, address);
    assert_int_equal(op->insn->space, space);
    if (address[lane] != wanted) {
        fail_msg("lane %u: 0x%" PRIx64 " instead of 0x%" PRIx64, lane, address[lane], wanted);
    }
}

static void an_unknown_opcode_runs_as_an_addition_and_is_counted(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, HEAD BLOCK("4", "0000 f 1 R3 FROB.X 2 R4 R255 0 0\n"
                                   "0008 f 1 R5 NEW 0 4 0 0x1 0x2 0x3 0x4 0\n"
                                   "0000 3 1 R3 FROB.X 2 R4 R255 0 0\n0010 f 0 EXIT 0 0 0\n"));
    struct warp_op op = next(&l, OP_INT_ADD, 0xf);
    assert_int_equal(op.insn->dst, 3);
    assert_int_equal(op.insn->src[0], 4);
    assert_int_equal(op.insn->src[1], REG_NONE); /* R255 is no register */
    assert_int_equal(next(&l, OP_INT_ADD, 0xf).form, ADDRESS_NONE);
    next(&l, OP_INT_ADD, 0x3);
    next(&l, OP_BRANCH, 0xf);
    const struct accelsim_notes *n = &l.b.import->notes;
    assert_int_equal(n->unknown_count, 2);
    assert_string_equal(n->unknown[0].opcode, "FROB");
    assert_int_equal(n->unknown[0].count, 2);
    assert_string_equal(n->unknown[1].opcode, "NEW");
    assert_int_equal(n->unknown[1].count, 1);
    close_lines(&l);
}

/* One instruction, lanes in three spaces: one record a space, shared and local by offset. */
static void generic_addresses_are_told_apart_by_the_windows(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l,
               HEAD BLOCK("2", "0000 7 1 R3 LD.E 1 R4 4 0 0x7f3000000010 0x5000 0x7f3001000020 0\n"
                               "0008 1 0 ST.E 2 R4 R3 4 0 0x7f3000000044 0\n"));
    struct warp_op op = next(&l, OP_LOAD, 2);
    want_address(&op, SPACE_GLOBAL, 1, 0x5000);
    assert_int_equal(op.insn->pc, 0);
    op = next(&l, OP_LOAD, 4);
    assert_int_equal(op.insn->space, SPACE_LOCAL);
    assert_int_equal(op.insn->pc, 1 << ACCELSIM_PC_BITS); /* a PC is unique in the code */
    op = next(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 0x10);
    op = next(&l, OP_STORE, 1);
    want_address(&op, SPACE_SHARED, 0, 0x44);
    close_lines(&l);
}

static void without_windows_generic_addresses_are_global(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n"
                   "-accelsim tracer version = 3\n" BLOCK("1", "0000 1 1 R3 LD 1 R4 4 0 0x10\n"));
    struct warp_op op = next(&l, OP_LOAD, 1);
    want_address(&op, SPACE_GLOBAL, 0, 0x10);
    close_lines(&l);
}

static void atomics_go_to_the_l2_or_to_the_banks(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, HEAD BLOCK("5", "0000 1 1 R3 ATOMG.E.ADD.64 2 R4 R6 8 0 0x5000 0\n"
                                   "0008 1 0 RED.E.ADD 2 R4 R6 4 0 0x5000 0\n"
                                   "0010 1 1 R3 ATOMS.ADD 2 R4 R6 4 0 0x20 0\n"
                                   "0018 1 1 R3 ATOM.E.CAS 3 R4 R6 R7 4 0 0x5004 0\n"
                                   "0018 1 1 R3 ATOM.E.CAS 3 R4 R6 R7 4 0 0x7f3000000008 0\n"));
    struct warp_op op = next(&l, OP_ATOMIC, 1);
    assert_int_equal(op.insn->width, 8);
    assert_int_equal(op.insn->dst, 3);
    want_address(&op, SPACE_GLOBAL, 0, 0x5000);
    op = next(&l, OP_ATOMIC, 1);
    assert_int_equal(op.insn->dst, REG_NONE);
    op = next(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 0x20);
    op = next(&l, OP_ATOMIC, 1);
    want_address(&op, SPACE_GLOBAL, 0, 0x5004);
    op = next(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 8);
    assert_int_equal(op.insn->dst, 3);
    close_lines(&l);
}

static void a_copy_to_shared_memory_is_a_store_and_a_load(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l,
               HEAD BLOCK("2", "0000 3 0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 0x40 16 0\n"
                               "0000 3 0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 0x7f5000000000 16 0\n"));
    struct warp_op op = next(&l, OP_STORE, 3);
    want_address(&op, SPACE_SHARED, 1, 0x50);
    op = next(&l, OP_LOAD, 3);
    want_address(&op, SPACE_GLOBAL, 1, UINT64_C(0x7f5000000010));
    assert_int_equal(op.insn->width, 16);
    assert_int_equal(op.insn->dst, REG_NONE);
    close_lines(&l);
}

/* Lanes' words are neighbours; each warp has a frame of what all of them use: here bytes 0x10 to
 * 0x38, that is 0x30 in whole units of 16. */
static void local_memory_is_interleaved(void **state) {
    (void)state;
    const uint64_t base = UINT64_C(1) << 44, low = 0xfffd10, frame = 0x30 * WARP_SIZE;
    struct lines_bench l;
    open_lines(&l, HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
                        "0000 ffffffff 0 STL 2 R1 R6 4 1 0xfffd10 0 0\n"
                        "0008 f 1 R3 LDL.64 1 R1 8 1 0xfffd30 0 0\n"
                        "0010 2 1 R3 LDL.U8 1 R1 1 0 0x7f3001fffd17 0\n"
                        "warp = 1\ninsts = 1\n0000 1 0 STL 2 R1 R6 4 0 0xfffd14 0\n#END_TB\n");
    struct warp_op op = next(&l, OP_STORE, UINT32_MAX);
    want_address(&op, SPACE_LOCAL, 0, base);
    want_address(&op, SPACE_LOCAL, 31, base + 31 * 4);
    op = next(&l, OP_LOAD, 0xf);
    want_address(&op, SPACE_LOCAL, 3, base + (0xfffd30 - low) * WARP_SIZE + 3 * 8);
    op = next(&l, OP_LOAD, 2);
    want_address(&op, SPACE_LOCAL, 1, base + 4 * WARP_SIZE + 1 * 4 + 3);
    struct warp_cursor second;
    warp_cursor_open(&second, &l.trace->warp[1], l.cursor.code);
    assert_true(warp_cursor_next(&second, &op));
    want_address(&op, SPACE_LOCAL, 0, base + frame + 4 * WARP_SIZE);
    close_lines(&l);
}

static void a_line_without_lanes_is_left_out(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, HEAD BLOCK("3", "0000 00000000 1 R3 LDG.E 1 R4 4 1 0x0 0 0\n"
                                   "0008 1 0 BRA 0 0 5\n0010 0 0 EXIT 0 0 0\n"));
    next(&l, OP_BRANCH, 1);
    assert_int_equal(l.b.import->notes.no_lane, 2);
    close_lines(&l);
}

static void a_memory_instruction_without_addresses_runs_as_an_addition(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, HEAD BLOCK("2", "0000 1 1 R3 TEX.SCR.LL 2 R4 R5 0 0\n"
                                   "0008 1 1 R3 LDG.E.ENL2.256 1 R4 32 0 0x100 0\n"));
    struct warp_op op = next(&l, OP_INT_ADD, 1);
    assert_int_equal(op.insn->dst, 3);
    assert_int_equal(l.b.import->notes.without_addresses, 1);
    op = next(&l, OP_LOAD, 1);
    assert_int_equal(op.insn->width, 16);
    assert_int_equal(l.b.import->notes.cut, 1);
    close_lines(&l);
}

/* Offsets of called functions begin at 0 again. */
static void instructions_of_one_pc_stay_apart(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l, HEAD BLOCK("4", "0010 1 1 R3 FADD 2 R4 R5 0 0\n0010 1 1 R3 FMUL 2 R4 R5 0 0\n"
                                   "0010 1 1 R9 FADD 2 R4 R5 0 0\n0010 1 1 R3 FADD 2 R4 R5 0 0\n"));
    assert_int_equal(next(&l, OP_FP_ADD, 1).insn->pc, 0x10);
    assert_int_equal(next(&l, OP_FP_MUL, 1).insn->pc, 0x01000010);
    assert_int_equal(next(&l, OP_FP_ADD, 1).insn->pc, 0x02000010);
    assert_int_equal(next(&l, OP_FP_ADD, 1).insn->pc, 0x10);
    assert_int_equal(l.b.import->notes.same_pc, 2);
    close_lines(&l);
}

static void barriers_wait_and_arrivals_do_not(void **state) {
    (void)state;
    struct lines_bench l;
    open_lines(&l,
               HEAD BLOCK("4", "0000 1 0 BAR.SYNC.DEFER_BLOCKING 1 R7 0 0\n0008 1 0 BAR.ARV 0 0 0\n"
                               "0010 1 0 MEMBAR.SC.GPU 0 0 0\n0018 1 1 R6 BRX 0 0 0\n"));
    assert_int_equal(next(&l, OP_BARRIER, 1).insn->src[0], 7);
    next(&l, OP_INT_ADD, 1);
    next(&l, OP_FENCE, 1);
    struct warp_op op = next(&l, OP_BRANCH, 1);
    assert_int_equal(op.insn->dst,
                     REG_NONE); /* its first operand is read, whatever the line says */
    assert_int_equal(op.insn->src[0], 6);
    close_lines(&l);
}

/* A file of the bench, one line that is refused. */
struct bad_file {
    const char *text, *where, *what;
};

static void refuse(const struct bad_file *bad, const char *list, const char *file) {
    struct import_bench b;
    bench_open(&b);
    bench_list(&b, "kernel-1.traceg\n");
    if (file) {
        bench_file(&b, file, bad->text);
    }
    if (list) {
        bench_file(&b, "kernelslist.g", list);
    }
    enum accelsim_status status = bench_import(&b);
    const char *error = b.import->error;
    if (status != ACCELSIM_BAD_INPUT || !strstr(error, bad->where) || !strstr(error, bad->what) ||
        strchr(error, '\n')) {
        fail_msg("%s\nstatus %d: %s\nwanted %s %s", bad->text, status, error, bad->where,
                 bad->what);
    }
    bench_close(&b);
}

static void bad_lines_are_named_with_line_and_byte(void **state) {
    (void)state;
#define LINE(text) HEAD BLOCK("1", text "\n"), "kernel-1.traceg:13 (byte "
    static const struct bad_file bad[] = {
        {"", "kernel-1.traceg:1 (byte 0)", "#BEGIN_TB"},
        {"hello\n", ":1 (byte 0)", "-name = value"},
        {HEAD, ":9 ", "#BEGIN_TB"},
        {"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n#BEGIN_TB\n", ":4 ",
         "tracer version"},
        {"-kernel name = k\n-block dim = (64,1,1)\n#BEGIN_TB\n", ":3 ", "-grid dim"},
        {"-accelsim tracer version = 2\n", ":1 ", "must be 3..5"},
        {"-accelsim tracer version = 6\n", ":1 ", "must be 3..5"},
        {"-accelsim tracer version = x\n", ":1 ", "0..1000"},
        {"-grid dim = (0,1,1)\n", ":1 ", "1..2147483647"},
        {"-grid dim = (65536,65536,1)\n", ":1 ", "1..2147483647"},
        {"-grid dim = (1,1)\n", ":1 ", "(x,y,z)"},
        {"-grid dim = 99999999999999999999999,1,1)\n", ":1 ", "(x,y,z)"},
        {"-block dim = (1025,1,1)\n", ":1 ", "1..1024"},
        {"-nregs = -1\n", ":1 ", "0..65535"},
        {"-shmem = 9999999999\n", ":1 ", "0..268435456"},
        {"-shmem base_addr = zero\n", ":1 ", "hexadecimal"},
        {HEAD "#BEGIN_TB\nwarp = 0\n", ":10 ", "thread block"},
        {HEAD "#BEGIN_TB\nthread block = 1,0,0\n", ":10 ", "below 1,1,1"},
        {HEAD "#BEGIN_TB\nthread block = 0,0\n", ":10 ", "below 1,1,1"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\n#BEGIN_TB\n", ":11 ", "warp = N"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n", ":11 ", "0..1"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = x\n", ":12 ", "insts = N"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\nwarp = 0\n", ":13 ",
         "second time"},
        {HEAD "#BEGIN_TB\nthread block = 0,0,0\n", ":11 ", "#END_TB"},
        {HEAD BLOCK("2", "0 1 0 EXIT 0 0 0\n"), ":14 ", "must be 2"},
        {HEAD BLOCK("0", "0 1 0 EXIT 0 0 0\n"), ":13 ", "#END_TB"},
        {HEAD BLOCK("0", ""), ":14 ", "no instruction"},
        {HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n") "more\n", ":15 ", "#BEGIN_TB"},
        {HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n") BLOCK("0", ""), ":19 ", "more thread blocks"},
        {LINE("xyz 1 0 EXIT 0 0"), "PC"},
        {LINE("1000000 1 0 EXIT 0 0"), "PC"},
        {LINE("0 123456789 0 EXIT 0 0"), "active lanes"},
        {LINE("0 1 2 R1 R2 EXIT 0 0"), "0 or 1"},
        {LINE("0 1 1 EXIT 0 0"), "R0..R255"},
        {LINE("0 1 1 R256 MOV 0 0"), "R0..R255"},
        {LINE("0 1 0"), "opcode"},
        {LINE("0 1 0 MOV 9 R1 0"), "0..8"},
        {LINE("0 1 0 MOV 2 R1 0"), "R0..R255"},
        {LINE("0 1 0 MOV 0 x"), "memory width"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4 3 0x0 0x0"), "0 (list)"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4"), "0 (list)"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4 0 0x10"), "each active lane"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4 0 0x10 q"), "each active lane"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4 0 0x10 0x11111111111111111"), "each active lane"},
        {LINE("0 3 1 R3 LDG.E 1 R4 4 1 0x10"), "base and stride"},
        {LINE("0 5 1 R3 LDG.E 1 R4 4 1 0x10 4"), "without a gap"},
        {LINE("0 7 1 R3 LDG.E 1 R4 4 2 0x10 4"), "difference"},
        {LINE("0 1 0 EXIT 0 0 0 0"), "behind the immediate"},
        {LINE("0 1 0 EXIT 0 0 zero"), "must be a number"},
        {LINE("0 1 1 R3 ATOM.ADD 1 R4 4 0 0x7f3001000000"), "local memory"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuse(&bad[i], NULL, "kernel-1.traceg");
    }
    char where[64];
    snprintf(where, sizeof where, ":13 (byte %zu): ",
             strlen(HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"));
    refuse(&(struct bad_file){HEAD BLOCK("1", "q\n"), where, "PC"}, NULL, "kernel-1.traceg");
    refuse(&(struct bad_file){"no file", "kernel-1.traceg", "No such file"}, NULL, NULL);
    refuse(&(struct bad_file){"bad list", "kernelslist.g:2 (byte 1)", "kernel-N.traceg"},
           "\nrm -rf\n", NULL);
    refuse(&(struct bad_file){"bad copy", "kernelslist.g:1 ", "ADDRESS,BYTES"}, "MemcpyHtoD,12\n",
           NULL);
    refuse(&(struct bad_file){"bad copy", "kernelslist.g:1 ", "ADDRESS,BYTES"},
           "MemcpyHtoD,0x12,many\n", NULL);
    refuse(&(struct bad_file){"no list", "kernelslist.g:3 (byte 2)", "empty list"}, "\n\n", NULL);
}

static void thread_blocks_must_be_all_there_once(void **state) {
    (void)state;
#define TWO \
    "-kernel name = k\n-grid dim = (1,2,1)\n-block dim = (1,1,1)\n-accelsim tracer version = 3\n"
#define AT(n) "#BEGIN_TB\nthread block = 0," n ",0\nwarp = 0\ninsts = 1\n0 1 0 EXIT 0 0\n#END_TB\n"
    refuse(&(struct bad_file){TWO AT("1"), "kernel-1.traceg", "thread block 0,0,0 is there never"},
           NULL, "kernel-1.traceg");
    refuse(&(struct bad_file){TWO AT("0"), "kernel-1.traceg", "thread block 0,1,0 is there never"},
           NULL, "kernel-1.traceg");
    refuse(&(struct bad_file){TWO AT("1") AT("1"), "kernel-1.traceg", "0,0,0 is there never"}, NULL,
           "kernel-1.traceg");
    refuse(&(struct bad_file){TWO AT("0") AT("0"), "kernel-1.traceg", "0,0,0 is there twice"}, NULL,
           "kernel-1.traceg");
}

static void a_line_has_a_longest_length(void **state) {
    (void)state;
    char *text = malloc(TEXT_LINE_MAX + 64);
    for (unsigned over = 0; over < 2; over++) {
        size_t length = TEXT_LINE_MAX + over;
        memset(text, 'x', length);
        memcpy(text, "-kernel name = ", 15);
        memcpy(text + length, "\nbad\n", 6);
        refuse(&(struct bad_file){text, over ? ":1 (byte 0)" : ":2 (byte 65537)",
                                  over ? "more than 65536" : "-name = value"},
               NULL, "kernel-1.traceg");
    }
    free(text);
}

/* A good kernel as xz, cut and changed at every byte. */
static void damaged_xz_is_refused(void **state) {
    (void)state;
    static const char text[] = HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n");
    uint8_t packed[1024];
    size_t used = 0;
    struct import_bench b;
    char path[256];
    unsigned refused = 0;
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                             sizeof text - 1, packed, &used, sizeof packed),
                     LZMA_OK);
    bench_open(&b);
    bench_list(&b, "kernel-1.traceg\n");
    for (size_t i = 0; i <= 2 * used; i++) {
        FILE *f = fopen(bench_path(&b, "kernel-1.traceg", path), "wb");
        packed[i % used] ^= i > used ? 0x55 : 0;
        assert_int_equal(fwrite(packed, 1, i < used ? i : used, f), i < used ? i : used);
        packed[i % used] ^= i > used ? 0x55 : 0;
        fclose(f);
        enum accelsim_status status = bench_import(&b);
        assert_int_equal(status, i == used ? ACCELSIM_GOOD : ACCELSIM_BAD_INPUT);
        refused += status == ACCELSIM_BAD_INPUT;
    }
    assert_int_equal(refused, 2 * used);
    bench_close(&b);
}

static void an_import_can_be_stopped(void **state) {
    (void)state;
    struct import_bench b;
    bench_open(&b);
    b.stop = 15;
    bench_file(&b, "kernel-1.traceg", HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n"));
    bench_list(&b, "kernel-1.traceg\n");
    assert_int_equal(bench_import(&b), ACCELSIM_STOPPED);
    assert_true(b.progress > 0);
    bench_close(&b);
}

static void the_table_of_opcodes_is_good(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        unsigned op, space, width;
    } some[] = {
        {"LDG.E.64.STRONG.GPU", OP_LOAD, SPACE_GLOBAL, 8},
        {"STS.U8", OP_STORE, SPACE_SHARED, 1},
        {"LDSM.16.M88.4", OP_LOAD, SPACE_SHARED, 16},
        {"IMAD", OP_INT_MAD, 0, 0},
        {"MUFU.EX2", OP_SFU, 0, 0},
        {"HMMA.16816.F32", OP_FP_MAD, 0, 0},
        {"BAR.RED.POPC", OP_BARRIER, 0, 0},
        {"BAR.ARV", OP_INT_ADD, 0, 0},
        {"EXIT", OP_BRANCH, 0, 0},
        {"VIMNMX", OP_INT_MAX, 0, 0},
        {"LDL.LU.128", OP_LOAD, SPACE_LOCAL, 16},
        {"RED.E.ADD.F16x2", OP_ATOMIC, 0x80, 4},
    };
    unsigned line, count = 0;
    struct opcodes *o = opcodes_create(opcodes_text, &line);
    assert_non_null(o);
    for (const struct opcode *one, *before = NULL; (one = opcodes_at(o, count)); count++) {
        assert_true(!before || strcmp(before->name, one->name) < 0); /* once each */
        before = one;
    }
    assert_true(count > 250);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const struct opcode *one = opcodes_find(o, some[i].opcode);
        if (!one || one->op != some[i].op || one->space != some[i].space) {
            fail_msg("%s", some[i].opcode);
        }
        if (some[i].width) {
            assert_int_equal(one->width ? one->width : opcode_width(some[i].opcode), some[i].width);
        }
    }
    assert_null(opcodes_find(o, "LDGX"));
    assert_null(opcodes_find(o, ""));
    opcodes_destroy(o);
    static const char *const bad[] = {"LDG\tload\tglobal",       "LDG\tload\t-\t-",
                                      "LDG\tlift\tglobal\t-",    "IADD\tint_add\tglobal\t-",
                                      "LDG\tload\tnowhere\t-",   "LDG\tload\tglobal\t3",
                                      "\tload\tglobal\t-",       "A\tloop_begin\t-\t-",
                                      "LDG\tload\tglobal\t-\t-", "LDG\tload\tglobal\t32"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, "# table\n%s\n", bad[i]);
        assert_null(opcodes_create(text, &line));
        assert_int_equal(line, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_opcode_runs_as_an_addition_and_is_counted),
        cmocka_unit_test(generic_addresses_are_told_apart_by_the_windows),
        cmocka_unit_test(without_windows_generic_addresses_are_global),
        cmocka_unit_test(atomics_go_to_the_l2_or_to_the_banks),
        cmocka_unit_test(a_copy_to_shared_memory_is_a_store_and_a_load),
        cmocka_unit_test(local_memory_is_interleaved),
        cmocka_unit_test(a_line_without_lanes_is_left_out),
        cmocka_unit_test(a_memory_instruction_without_addresses_runs_as_an_addition),
        cmocka_unit_test(instructions_of_one_pc_stay_apart),
        cmocka_unit_test(barriers_wait_and_arrivals_do_not),
        cmocka_unit_test(bad_lines_are_named_with_line_and_byte),
        cmocka_unit_test(thread_blocks_must_be_all_there_once),
        cmocka_unit_test(a_line_has_a_longest_length),
        cmocka_unit_test(damaged_xz_is_refused),
        cmocka_unit_test(an_import_can_be_stopped),
        cmocka_unit_test(the_table_of_opcodes_is_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
