/* SPDX-License-Identifier: Apache-2.0
 * Text traces: what a script may write, what comes back, what is refused. */
#include <inttypes.h>
#include <stdio.h>

#include "base/unit_tests.h"
#include "trace/import_bench.h"

#define HEAD "warpmem-trace 1\nkernel registers 8 shared 64 name k\n"
#define LAUNCH HEAD "launch grid 2 block 64\n"
#define WARP LAUNCH "warp 0 0\n"

static enum import_status import_text(struct import_bench *b, const char *text) {
    char path[256];
    bench_file(b, "t.txt", text);
    return bench_import_by(b, bench_path(b, "t.txt", path), true);
}

/* Writes the imported trace as text again. */
static char *text_of(const struct import_bench *b) {
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct text_trace_writer w;
    struct wtr_reader *r = bench_reader(b);
    struct program p = wtr_reader_program(r);
    struct cta_trace *t = cta_trace_create();
    const struct launch *l;
    text_trace_begin(&w, f, wtr_reader_origin(r));
    wtr_reader_tell_copies(r, (void (*)(void *, uint64_t, uint64_t))text_trace_copy, &w);
    while (p.next_launch(p.self, &l)) {
        text_trace_launch(&w, l);
        for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
            assert_true(p.run_cta(p.self, cta, t));
            text_trace_cta(&w, cta, t);
        }
    }
    assert_null(wtr_reader_error(r));
    cta_trace_destroy(t);
    wtr_reader_close(r);
    fclose(f);
    return text;
}

/* In the order and with the words of the writer: each address form, each kind of instruction that
 * has fields of its own, two kernels, the first again, two launches of one, copies. */
static const char whole[] = "warpmem-trace 1\n"
                            "origin seed 7 size paper:mrpb name some program\n"
                            "copy 0x80000000 4096\n"
                            "kernel registers 20 shared 512 name first<int>(float*, int)\n"
                            "source a folder/first.cu\n"
                            "source own.h\n"
                            "insn 0x0 int_mad dst=0 src=0,1,2,254 line=1:12\n"
                            "insn 0x8 load global 4 uncached dst=1 src=0 line=2:4294967295\n"
                            "insn 0x10 loop_begin\n"
                            "insn 0x10 loop_iteration\n"
                            "insn 0x10 loop_end\n"
                            "insn 0x10 load texture 16 dst=2 src=1\n"
                            "insn 0x18 store local 8 src=2,1\n"
                            "insn 0x20 atomic global 4 dst=3 src=2\n"
                            "insn 0x28 barrier\n"
                            "insn 0x30 fence line=1:13\n"
                            "insn 0xfffffff8 branch src=3\n"
                            "launch grid 2,1,1 block 40,1,1\n"
                            "warp 0 0\n"
                            "0x0 ffffffff\n"
                            "0x8 ffffffff @0x80000000\n"
                            "0x10 0000ffff loop_begin\n"
                            "0x10 0000ffff loop_iteration\n"
                            "0x10 0000ffff @0x80000000+4\n"
                            "0x10 0000ffff loop_end\n"
                            "0x18 00000001 @0xffffffffffffff00\n"
                            "0x20 80000001 @0x7f0000000000-9223372036854775807\n"
                            "0x8 00000007 @0x100,0x300,0x104\n"
                            "warp 0 1\n"
                            "0x28 000000ff\n"
                            "warp 1 0\n"
                            "warp 1 1\n"
                            "0xfffffff8 00000080\n"
                            "launch grid 1,1,1 block 8,2,2\n"
                            "warp 0 0\n"
                            "0x30 ffffffff\n"
                            "copy 0x0 0\n"
                            "kernel registers 0 shared 0 name \n"
                            "insn 0x0 sfu\n"
                            "launch grid 1,1,1 block 1,1,1\n"
                            "warp 0 0\n"
                            "kernel registers 20 shared 512 name other\n"
                            "insn 0x4 int_add\n"
                            "launch grid 1,1,1 block 1,1,1\n"
                            "warp 0 0\n"
                            "0x4 00000001\n";

TEST(a_text_comes_back_to_the_byte) {
    struct import_bench b;
    import_bench_open(&b);
    if (import_text(&b, whole) != IMPORT_GOOD) {
        fail_msg("%s", b.import->error);
    }
    char *again = text_of(&b);
    assert_string_equal(again, whole);
    free(again);
    bench_close(&b);
}

/* A script may leave things out and write others otherwise; the writer then adds them. */
TEST(a_script_may_write_less) {
    static const char script[] = "# a comment\n"
                                 "warpmem-trace 1\n"
                                 "kernel registers 8 shared 0 name k\n"
                                 "launch grid 2 block 64\n"
                                 "  warp 1 1\n"
                                 "\n"
                                 "  16 FF load global 4 dst=1 src=0 @256+4\n"
                                 "  16 ff @512,516,520,524,528,532,536,540\n"
                                 "  0x10 0xff load global 4 dst=1 src=0 @1\r\n"
                                 "  8 1 fp_add dst=2 src=1\n"
                                 "warp 0 1\n"
                                 "8 1\n"
                                 "8 1 fp_add dst=2 src=1\n"
                                 "8 1 loop_begin";
    static const char same[] = "warpmem-trace 1\n"
                               "origin seed 0 size - name imported\n"
                               "kernel registers 8 shared 0 name k\n"
                               "insn 0x10 load global 4 dst=1 src=0\n"
                               "insn 0x8 fp_add dst=2 src=1\n"
                               "insn 0x8 loop_begin\n"
                               "launch grid 2,1,1 block 64,1,1\n"
                               "warp 0 0\n"
                               "warp 0 1\n"
                               "0x8 00000001\n"
                               "0x8 00000001\n"
                               "0x8 00000001 loop_begin\n"
                               "warp 1 0\n"
                               "warp 1 1\n"
                               "0x10 000000ff @0x100+4\n"
                               "0x10 000000ff @0x200+4\n"
                               "0x10 000000ff @0x1\n"
                               "0x8 00000001\n";
    struct import_bench b;
    import_bench_open(&b);
    if (import_text(&b, script + strlen("# a comment\n")) != IMPORT_GOOD) {
        fail_msg("%s", b.import->error);
    }
    char *again = text_of(&b);
    assert_string_equal(again, same);
    free(again);
    assert_int_equal(import_text(&b, script), IMPORT_BAD_INPUT); /* the first line is the form's */
    bench_close(&b);
}

TEST(a_name_that_the_user_gave_stays) {
    struct import_bench b;
    import_bench_open(&b);
    b.named = true;
    assert_int_equal(import_text(&b, whole), IMPORT_GOOD);
    struct wtr_reader *r = bench_reader(&b);
    assert_string_equal(wtr_reader_origin(r)->workload, "imported");
    wtr_reader_close(r);
    bench_close(&b);
}

TEST(bad_text_is_named_with_line_and_byte) {
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        {"", ":1 (byte 0)", "\"warpmem-trace 1\""},
        {"warpmem-trace 2\n", ":1 (byte 0)", "\"warpmem-trace 1\""},
        {"warpmem-trace 1 x\n", ":1 (byte 0)", "\"warpmem-trace 1\""},
        {"warpmem-trace 1\n", ":2 (byte 16)", "no launch"},
        {HEAD, ":3 ", "no launch"},
        {"warpmem-trace 1\nhello\n", ":2 (byte 16)", "kernel, insn, launch, warp, copy, or a PC"},
        {"warpmem-trace 1\n12x 1\n", ":2 ", "or a PC"},
        {"warpmem-trace 1\n0x 1\n", ":2 ", "or a PC"},
        {"warpmem-trace 1\n0x100000000 1\n", ":2 ", "or a PC"},
        {"warpmem-trace 1\norigin seed 9007199254740992 size - name a\n", ":2 ", "origin seed N"},
        {"warpmem-trace 1\norigin seed 1 size -\n", ":2 ", "name NAME"},
        {"warpmem-trace 1\norigin seed 1 size \x01 name a\n", ":2 ", "printable"},
        {HEAD "origin seed 1 size - name a\n", ":3 ", "before all kernels"},
        {"warpmem-trace 1\ncopy 0\n", ":2 ", "copy ADDRESS BYTES"},
        {"warpmem-trace 1\ncopy 0 1 2\n", ":2 ", "line's end"},
        {"warpmem-trace 1\nkernel registers 65536 shared 0 name k\n", ":2 ", "65535"},
        {"warpmem-trace 1\nkernel registers 1 shared 268435457 name k\n", ":2 ", "268435456"},
        {"warpmem-trace 1\nkernel registers 1 shared 1 k\n", ":2 ", "name NAME"},
        {"warpmem-trace 1\nkernel registers 1 shared 1 name \t\x7f\n", ":2 ", "printable"},
        {"warpmem-trace 1\nlaunch grid 1 block 1\n", ":2 ", "kernel line"},
        {HEAD "launch grid 0 block 1\n", ":3 ", "1..2147483647"},
        {HEAD "launch grid 65536,65536 block 1\n", ":3 ", "1..2147483647"},
        {HEAD "launch grid 1 block 32,32,2\n", ":3 ", "1..1024"},
        {HEAD "launch grid 1,1,1,1 block 1\n", ":3 ", "X,Y,Z"},
        {HEAD "launch grid 1,1 block 1 more\n", ":3 ", "line's end"},
        {HEAD "launch grid 1 block 1\nwarp 0 0\n", ":5 ", "no instruction"},
        {LAUNCH "insn 0 sfu\n", ":4 ", "between kernel and launch"},
        {HEAD "insn x sfu\n", ":3 ", "0..0xffffffff"},
        {HEAD "insn 0 sfu\ninsn 0 sfu\n", ":4 ", "a second time"},
        {HEAD "insn 0\n", ":3 ", "must be followed by what"},
        {WARP "0 1 loop_end\n", ":5 ", "must follow a loop_begin of its warp"},
        {WARP "0 1 loop_begin\n0 1 loop_end\n0 1 loop_iteration\n", ":7 ", "must follow"},
        {"warpmem-trace 1\nsource a.cu\n", ":2 ", "behind the kernel's"},
        {HEAD "insn 0 sfu\nsource a.cu\n", ":4 ", "behind the kernel's"},
        {LAUNCH "source a.cu\n", ":4 ", "behind the kernel's"},
        {HEAD "source\n", ":3 ", "must be \"source FILE\""},
        {HEAD "source a\x01\n", ":3 ", "printable"},
        {HEAD "insn 0 sfu line=1:2\n", ":3 ", "FILE from 1 to 0"},
        {HEAD "source a.cu\ninsn 0 sfu line=2:2\n", ":4 ", "FILE from 1 to 1"},
        {HEAD "source a.cu\ninsn 0 sfu line=0:2\n", ":4 ", "FILE from 1 to 1"},
        {HEAD "source a.cu\ninsn 0 sfu line=1\n", ":4 ", "line=FILE:LINE"},
        {HEAD "source a.cu\ninsn 0 sfu line=1:x\n", ":4 ", "line=FILE:LINE"},
        {HEAD "insn 0 sfu @1\n", ":3 ", "line's end"},
        {HEAD "insn 0 stfu\n", ":3 ", "sfu?"},
        {HEAD "insn 0 qqqqqqqqqqqq\n", ":3 ", "int_add, int_max"},
        {HEAD "insn 0 load\n", ":3 ", "global, local, shared"},
        {HEAD "insn 0 load global\n", ":3 ", "1, 2, 4, 8 or 16"},
        {HEAD "insn 0 load global 3\n", ":3 ", "1, 2, 4, 8 or 16"},
        {HEAD "insn 0 load global 32\n", ":3 ", "1, 2, 4, 8 or 16"},
        {HEAD "insn 0 load shared 4 uncached\n", ":3 ", "uncached"},
        {HEAD "insn 0 store texture 4\n", ":3 ", "read-only"},
        {HEAD "insn 0 atomic shared 4\n", ":3 ", "global"},
        {HEAD "insn 0 store global 4 dst=1\n", ":3 ", "writes none"},
        {HEAD "insn 0 sfu dst=255\n", ":3 ", "0..254"},
        {HEAD "insn 0 sfu src=1,2,3,4,5\n", ":3 ", "at most 4"},
        {HEAD "insn 0 sfu src=\n", ":3 ", "0..254"},
        {"warpmem-trace 1\nwarp 0 0\n", ":2 ", "launch line"},
        {LAUNCH "warp 2 0\n", ":4 ", "at most 1 and 1"},
        {LAUNCH "warp 0 2\n", ":4 ", "at most 1 and 1"},
        {LAUNCH "warp 0 0 0\n", ":4 ", "line's end"},
        {LAUNCH "warp 0 0\nwarp 0 0\n", ":5 ", "a second time"},
        {LAUNCH "0 1 sfu\n", ":4 ", "warp line"},
        {LAUNCH "warp 0 0\n0 1 sfu\n", ":6 ", "CTA 1,0,0 is there never"},
        {LAUNCH "warp 0 0\nwarp 1 0\nwarp 0 1\n0 1 sfu\n", ":8 ", "more CTAs"},
        {HEAD "launch grid 3 block 1\nwarp 0 0\n0 1 sfu\nwarp 1 0\nwarp 0 0\n", ":8 ",
         "CTA 0,0,0 is there twice"},
        {WARP "0\n", ":5 ", "active lanes"},
        {WARP "0 0 load global 4 @0\n", ":5 ", "active lanes: load must have one"},
        {WARP "0 100000000 sfu\n", ":5 ", "active lanes"},
        {WARP "0 -1 sfu\n", ":5 ", "active lanes"},
        {WARP "0 0x sfu\n", ":5 ", "active lanes"},
        {WARP "0 sfu\n", ":5 ", "active lanes"},
        {WARP "0 1\n", ":5 ", "PC 0x0 is new"},
        {WARP "0 1 sfu\n0 1 sfu dst=1\n", ":6 ", "another instruction"},
        {WARP "0 1 sfu @0\n", ":5 ", "no address"},
        {WARP "0 1 load global 4\n", ":5 ", "@ and addresses"},
        {WARP "0 3 load global 4 @\n", ":5 ", "one for each active lane"},
        {WARP "0 3 load global 4 @ 5\n", ":5 ", "one for each active lane"},
        {WARP "0 3 load global 4 @5 + 3\n", ":5 ", "line's end"},
        {WARP "0 3 load global 4 @5+ 3\n", ":5 ", "one for each active lane"},
        {WARP "0 3 load global 4 @5+9223372036854775808\n", ":5 ", "one for each active lane"},
        {WARP "0 3 load global 4 @18446744073709551616\n", ":5 ", "one for each active lane"},
        {WARP "0 7 load global 4 @5,6\n", ":5 ", "one for each active lane"},
        {WARP "0 7 load global 4 @5,6,7,8\n", ":5 ", "one for each active lane"},
        {WARP "0 7 load global 4 @5,6, 7\n", ":5 ", "one for each active lane"},
        {WARP "0 7 load global 4 @5,6,7 8\n", ":5 ", "line's end"},
    };
    struct import_bench b;
    import_bench_open(&b);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        enum import_status status = import_text(&b, bad[i].text);
        const char *error = b.import->error;
        if (status != IMPORT_BAD_INPUT || !strstr(error, bad[i].where) ||
            !strstr(error, bad[i].what) || strchr(error, '\n')) {
            fail_msg("%s\nstatus %d: %s\nwanted %s %s", bad[i].text, status, error, bad[i].where,
                     bad[i].what);
        }
    }
    bench_close(&b);
}

/* A text that ends early is refused or, at the end of a launch, whole. */
TEST(no_cut_text_is_taken_for_another_program) {
    struct import_bench b;
    unsigned good = 0;
    import_bench_open(&b);
    for (size_t length = 0; length < sizeof whole; length++) {
        char cut[sizeof whole];
        snprintf(cut, length + 1, "%s", whole);
        enum import_status status = import_text(&b, cut);
        assert_true(status == IMPORT_GOOD || status == IMPORT_BAD_INPUT);
        good += status == IMPORT_GOOD;
    }
    assert_in_range(good, 4, 400);
    bench_close(&b);
}

TEST(a_kernel_of_many_instructions_finds_each) {
    enum { INSNS = 5000 };
    struct import_bench b;
    char *text, *again;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f,
            "warpmem-trace 1\norigin seed 0 size - name x\nkernel registers 8 shared 0 name k\n");
    for (unsigned i = 0; i < INSNS; i++) {
        fprintf(f, "insn 0x%x %s dst=%u\n", 16 * (i * 7919 % INSNS), i % 2 ? "sfu" : "fp_mad",
                i % 200);
    }
    fprintf(f, "launch grid 1,1,1 block 32,1,1\nwarp 0 0\n");
    for (unsigned i = 0; i < INSNS; i++) {
        fprintf(f, "0x%x ffffffff\n", 16 * (i * 3571 % INSNS));
    }
    fclose(f);
    import_bench_open(&b);
    assert_int_equal(import_text(&b, text), IMPORT_GOOD);
    again = text_of(&b);
    assert_string_equal(again, text);
    free(again);
    free(text);
    bench_close(&b);
}

TEST(a_stop_ends_the_reading) {
    struct import_bench b;
    import_bench_open(&b);
    b.stop = 1;
    assert_int_equal(import_text(&b, whole), IMPORT_STOPPED);
    bench_close(&b);
}
