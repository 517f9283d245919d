/* SPDX-License-Identifier: Apache-2.0
 * The import of single lines of a text trace. */
#include <inttypes.h>
#include <stdio.h>

#include "base/unit_tests.h"
#include "trace/import_bench.h"

#define HEAD HEAD_OF("4")
#define HEAD_OF(version) \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 64\n-nregs = 8\n" \
    "-shmem base_addr = 0x7f3000000000\n-local mem base_addr = 0x7f3001000000\n" \
    "-accelsim tracer version = " version "\n"
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
    import_bench_open(&l->b);
    bench_file(&l->b, "kernel-1.traceg", text);
    bench_list(&l->b, "kernel-1.traceg\n");
    if (bench_import(&l->b) != IMPORT_GOOD) {
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

#define LINES(l, text) \
    CLOSED_BY(close_lines) struct lines_bench l; \
    open_lines(&l, text)

static struct warp_op next_wanted_op(struct lines_bench *l, unsigned op_wanted, uint32_t active) {
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

TEST(an_unknown_opcode_runs_as_an_addition_and_is_counted) {
    LINES(l, HEAD BLOCK("4", "0000 f 1 R3 FROB.X 2 R4 R255 0 0\n"
                             "0008 f 1 R5 NEW 0 4 0 0x1 0x2 0x3 0x4 0\n"
                             "0000 3 1 R3 FROB.X 2 R4 R255 0 0\n0010 f 0 EXIT 0 0 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_INT_ADD, 0xf);
    assert_int_equal(op.insn->dst, 3);
    assert_int_equal(op.insn->src[0], 4);
    assert_int_equal(op.insn->src[1], REG_NONE); /* R255 is no register */
    assert_int_equal(next_wanted_op(&l, OP_INT_ADD, 0xf).form, ADDRESS_NONE);
    next_wanted_op(&l, OP_INT_ADD, 0x3);
    next_wanted_op(&l, OP_BRANCH, 0xf);
    const struct accelsim_notes *n = &l.b.notes;
    assert_int_equal(n->unknown_count, 2);
    assert_string_equal(n->unknown[0].opcode, "FROB");
    assert_int_equal(n->unknown[0].count, 2);
    assert_string_equal(n->unknown[1].opcode, "NEW");
    assert_int_equal(n->unknown[1].count, 1);
}

/* One instruction, lanes in three spaces: one record a space, shared and local by offset. */
TEST(generic_addresses_are_told_apart_by_the_windows) {
    LINES(l, HEAD BLOCK("2", "0000 7 1 R3 LD.E 1 R4 4 0 0x7f3000000010 0x5000 0x7f3001000020 0\n"
                             "0008 1 0 ST.E 2 R4 R3 4 0 0x7f3000000044 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_LOAD, 2);
    want_address(&op, SPACE_GLOBAL, 1, 0x5000);
    assert_int_equal(op.insn->pc, 0);
    op = next_wanted_op(&l, OP_LOAD, 4);
    assert_int_equal(op.insn->space, SPACE_LOCAL);
    assert_int_equal(op.insn->pc, 1 << ACCELSIM_PC_BITS); /* a PC is unique in the code */
    op = next_wanted_op(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 0x10);
    op = next_wanted_op(&l, OP_STORE, 1);
    want_address(&op, SPACE_SHARED, 0, 0x44);
}

TEST(without_windows_generic_addresses_are_global) {
    LINES(l, "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n"
             "-accelsim tracer version = 3\n" BLOCK("1", "0000 1 1 R3 LD 1 R4 4 0 0x10\n"));
    struct warp_op op = next_wanted_op(&l, OP_LOAD, 1);
    want_address(&op, SPACE_GLOBAL, 0, 0x10);
}

TEST(atomics_go_to_the_l2_or_to_the_banks) {
    LINES(l, HEAD BLOCK("5", "0000 1 1 R3 ATOMG.E.ADD.64 2 R4 R6 8 0 0x5000 0\n"
                             "0008 1 0 RED.E.ADD 2 R4 R6 4 0 0x5000 0\n"
                             "0010 1 1 R3 ATOMS.ADD 2 R4 R6 4 0 0x20 0\n"
                             "0018 1 1 R3 ATOM.E.CAS 3 R4 R6 R7 4 0 0x5004 0\n"
                             "0018 1 1 R3 ATOM.E.CAS 3 R4 R6 R7 4 0 0x7f3000000008 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_ATOMIC, 1);
    assert_int_equal(op.insn->width, 8);
    assert_int_equal(op.insn->dst, 3);
    want_address(&op, SPACE_GLOBAL, 0, 0x5000);
    op = next_wanted_op(&l, OP_ATOMIC, 1);
    assert_int_equal(op.insn->dst, REG_NONE);
    op = next_wanted_op(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 0x20);
    op = next_wanted_op(&l, OP_ATOMIC, 1);
    want_address(&op, SPACE_GLOBAL, 0, 0x5004);
    op = next_wanted_op(&l, OP_LOAD, 1);
    want_address(&op, SPACE_SHARED, 0, 8);
    assert_int_equal(op.insn->dst, 3);
}

TEST(a_copy_to_shared_memory_is_a_store_and_a_load) {
    LINES(l, HEAD BLOCK("2", "0000 3 0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 0x40 16 0\n"
                             "0000 3 0 LDGSTS.E.BYPASS.128 2 R4 R6 16 1 0x7f5000000000 16 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_STORE, 3);
    want_address(&op, SPACE_SHARED, 1, 0x50);
    op = next_wanted_op(&l, OP_LOAD, 3);
    want_address(&op, SPACE_GLOBAL, 1, UINT64_C(0x7f5000000010));
    assert_int_equal(op.insn->width, 16);
    assert_int_equal(op.insn->dst, REG_NONE);
}

/* Lanes' words are neighbours; each warp has a frame of what all of them use: here bytes 0x10 to
 * 0x38, that is 0x30 in whole units of 16. */
TEST(local_memory_is_interleaved) {
    const uint64_t base = UINT64_C(1) << 44, low = 0xfffd10, frame = 0x30 * WARP_SIZE;
    LINES(l, HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"
                  "0000 ffffffff 0 STL 2 R1 R6 4 1 0xfffd10 0 0\n"
                  "0004 3 1 R2 IADD 2 R2 R6 0 0\n"
                  "0008 f 1 R3 LDL.64 1 R1 8 1 0xfffd30 0 0\n"
                  "0010 2 1 R3 LDL.U8 1 R1 1 0 0x7f3001fffd17 0\n"
                  "warp = 1\ninsts = 1\n0000 1 0 STL 2 R1 R6 4 0 0xfffd14 0\n#END_TB\n");
    struct warp_op op = next_wanted_op(&l, OP_STORE, UINT32_MAX);
    want_address(&op, SPACE_LOCAL, 0, base);
    want_address(&op, SPACE_LOCAL, 31, base + 31 * 4);
    (void)next_wanted_op(&l, OP_INT_ADD, 3);
    op = next_wanted_op(&l, OP_LOAD, 0xf);
    want_address(&op, SPACE_LOCAL, 3, base + (0xfffd30 - low) * WARP_SIZE + 3 * 8);
    op = next_wanted_op(&l, OP_LOAD, 2);
    want_address(&op, SPACE_LOCAL, 1, base + 4 * WARP_SIZE + 1 * 4 + 3);
    struct warp_cursor second;
    warp_cursor_open(&second, &l.trace->warp[1], l.cursor.code);
    assert_true(warp_cursor_next(&second, &op));
    want_address(&op, SPACE_LOCAL, 0, base + frame + 4 * WARP_SIZE);
}

TEST(a_line_without_lanes_is_left_out) {
    LINES(l, HEAD BLOCK("3", "0000 00000000 1 R3 LDG.E 1 R4 4 1 0x0 0 0\n"
                             "0008 1 0 BRA 0 0 5\n0010 0 0 EXIT 0 0 0\n"));
    next_wanted_op(&l, OP_BRANCH, 1);
    assert_int_equal(l.b.notes.no_lane, 2);
}

TEST(a_memory_instruction_without_addresses_runs_as_an_addition) {
    LINES(l, HEAD BLOCK("2", "0000 1 1 R3 TEX.SCR.LL 2 R4 R5 0 0\n"
                             "0008 1 1 R3 LDG.E.ENL2.256 1 R4 32 0 0x100 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_INT_ADD, 1);
    assert_int_equal(op.insn->dst, 3);
    assert_int_equal(l.b.notes.without_addresses, 1);
    op = next_wanted_op(&l, OP_LOAD, 1);
    assert_int_equal(op.insn->width, 16);
    assert_int_equal(l.b.notes.cut, 1);
}

/* Offsets of called functions begin at 0 again. */
TEST(instructions_of_one_pc_stay_apart) {
    LINES(l, HEAD BLOCK("4", "0010 1 1 R3 FADD 2 R4 R5 0 0\n0010 1 1 R3 FMUL 2 R4 R5 0 0\n"
                             "0010 1 1 R9 FADD 2 R4 R5 0 0\n0010 1 1 R3 FADD 2 R4 R5 0 0\n"));
    assert_int_equal(next_wanted_op(&l, OP_FP_ADD, 1).insn->pc, 0x10);
    assert_int_equal(next_wanted_op(&l, OP_FP_MUL, 1).insn->pc, 0x01000010);
    assert_int_equal(next_wanted_op(&l, OP_FP_ADD, 1).insn->pc, 0x02000010);
    assert_int_equal(next_wanted_op(&l, OP_FP_ADD, 1).insn->pc, 0x10);
    assert_int_equal(l.b.notes.same_pc, 2);
}

/* As many different registers as an instruction of the model reads; RZ is none. */
TEST(a_register_is_a_source_once) {
    static const uint8_t sources[] = {4, 5, 6, 7};
    LINES(l, HEAD BLOCK("1", "0 1 1 R3 FFMA 8 R4 R4 R255 R5 R4 R6 R7 R8 0 0\n"));
    assert_memory_equal(next_wanted_op(&l, OP_FP_MAD, 1).insn->src, sources, sizeof sources);
}

/* Tracers of version 5 for Hopper: registers of every kind, two immediates, places in clusters. */
TEST(later_tracers_name_registers_that_are_not_modelled) {
    LINES(l, HEAD_OF("5") "#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = 0,0,0\n"
                          "cluster cta = 0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = 4\n"
                          "0000 f 1 UR4 S2UR 0 0 0 0 \n0010 f 1 R10 IMAD 3 R9 UR4 R3 0 0 -1 \n"
                          "0020 f 1 P0 ISETP.GE.AND 3 R5 UP1 UR63 0 1 0 \n"
                          "0030 f 1 R11 LDG.E 2 R2 UR8 4 1 0x7fc267c40800 4 0 0 \n#END_TB\n");
    assert_int_equal(next_wanted_op(&l, OP_INT_ADD, 0xf).insn->dst, REG_NONE);
    struct warp_op op = next_wanted_op(&l, OP_INT_MAD, 0xf);
    assert_int_equal(op.insn->dst, 10);
    assert_memory_equal(op.insn->src, ((uint8_t[]){9, 3, REG_NONE, REG_NONE}), INSN_SOURCES_MAX);
    op = next_wanted_op(&l, OP_INT_ADD, 0xf);
    assert_int_equal(op.insn->dst, REG_NONE);
    assert_memory_equal(op.insn->src, ((uint8_t[]){5, REG_NONE}), 2);
    op = next_wanted_op(&l, OP_LOAD, 0xf);
    want_address(&op, SPACE_GLOBAL, 3, UINT64_C(0x7fc267c4080c));
}

/* SHFL PT, R2, R3, ...: the tracer calls R2 a source. */
TEST(the_result_lies_behind_a_predicate) {
    LINES(l, HEAD BLOCK("5", "0 1 0 SHFL.IDX 4 R2 R3 R255 R4 0 0\n8 1 1 R5 SHFL.BFLY 1 R6 0 0\n"
                             "10 1 0 LOP3.LUT 3 R255 R7 R8 0 0\n"
                             "18 1 0 ATOMG.E.ADD.STRONG.GPU 3 R9 R4 R6 4 0 0x5000 0\n"
                             "20 1 0 FADD 2 R7 R8 0 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_INT_ADD, 1);
    assert_int_equal(op.insn->dst, 2);
    assert_memory_equal(op.insn->src, ((uint8_t[]){3, 4, REG_NONE}), 3);
    op = next_wanted_op(&l, OP_INT_ADD, 1);
    assert_int_equal(op.insn->dst, 5);
    assert_int_equal(op.insn->src[0], 6);
    op = next_wanted_op(&l, OP_INT_ADD, 1);
    assert_int_equal(op.insn->dst, REG_NONE);
    assert_memory_equal(op.insn->src, ((uint8_t[]){7, 8, REG_NONE}), 3);
    op = next_wanted_op(&l, OP_ATOMIC, 1);
    assert_int_equal(op.insn->dst, 9);
    assert_memory_equal(op.insn->src, ((uint8_t[]){4, 6, REG_NONE}), 3);
    op = next_wanted_op(&l, OP_FP_ADD, 1);
    assert_int_equal(op.insn->dst, REG_NONE);
    assert_int_equal(op.insn->src[0], 7);
}

/* Behind their registers stands whether a group ends; bulk copies have lists of their own. */
TEST(lines_of_other_formats_are_read_up_to_their_registers) {
    LINES(l, HEAD_OF("5") BLOCK("2", "0000 f 1 R24 HGMMA.64x128x16.F32 1 R24 1 0 0 0 \n"
                                     "0010 1 0 UTMALDG.2D 0 4 0x400 0 8192 0 3 0x7f00 1 0 \n"));
    assert_int_equal(next_wanted_op(&l, OP_FP_MAD, 0xf).insn->dst, 24);
    next_wanted_op(&l, OP_INT_ADD, 1);
    assert_int_equal(l.b.notes.unknown_count, 0);
}

/* After the tracer's own processing the shared operand's line is gone. */
TEST(a_copy_to_shared_memory_can_be_its_load_alone) {
    LINES(l, HEAD_OF("5") BLOCK(
                 "1", "0 3 0 LDGSTS.E.BYPASS.LTC128B.128 2 R4 R6 16 1 0x7f5000000000 16 0\n"));
    struct warp_op op = next_wanted_op(&l, OP_LOAD, 3);
    want_address(&op, SPACE_GLOBAL, 1, UINT64_C(0x7f5000000010));
    assert_int_equal(op.insn->width, 16);
}

TEST(a_list_can_have_comments) {
    struct import_bench b;
    import_bench_open(&b);
    bench_file(&b, "kernel-2.traceg", HEAD BLOCK("1", "0000 1 0 EXIT 0 0 0\n"));
    bench_list(&b, "#kernel-1.traceg\nMemcpyDtoH,0x1000,4\nkernel-2.traceg\n# done\n");
    assert_int_equal(bench_import(&b), IMPORT_GOOD);
    bench_close(&b);
}

TEST(barriers_wait_and_arrivals_do_not) {
    LINES(l, HEAD BLOCK("4", "0000 1 0 BAR.SYNC.DEFER_BLOCKING 1 R7 0 0\n0008 1 0 BAR.ARV 0 0 0\n"
                             "0010 1 0 MEMBAR.SC.GPU 0 0 0\n0018 1 1 R6 BRX 0 0 0\n"));
    assert_int_equal(next_wanted_op(&l, OP_BARRIER, 1).insn->src[0], 7);
    next_wanted_op(&l, OP_INT_ADD, 1);
    next_wanted_op(&l, OP_FENCE, 1);
    struct warp_op op = next_wanted_op(&l, OP_BRANCH, 1);
    assert_int_equal(op.insn->dst,
                     REG_NONE); /* its first operand is read, whatever the line says */
    assert_int_equal(op.insn->src[0], 6);
}

TEST(the_table_of_opcodes_is_good) {
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
        {"WARPGROUP.DEPBAR", OP_INT_ADD, 0, 0},
        {"QGMMA.64x64x32.F32", OP_FP_MAD, 0, 0},
        {"UI2FP.F32.S32", OP_INT_ADD, 0, 0},
        {"UTCHMMA.2CTA", OP_FP_MAD, 0, 0},
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
    assert_true(opcode_uncached("LDG.E.64.STRONG.GPU") && opcode_uncached("LD.E.STRONG.SYS") &&
                opcode_uncached("LD.E.CG.128") && opcode_uncached("LD.CV"));
    assert_false(opcode_uncached("LDG.E.64") || opcode_uncached("LDG.E.STRONG.CTA") ||
                 opcode_uncached("LDG.E.CONSTANT") || opcode_uncached("LDG.CGX"));
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
