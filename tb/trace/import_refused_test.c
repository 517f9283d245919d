/* SPDX-License-Identifier: Apache-2.0
 * Text traces that are refused: one line with the file, the line and its first byte. */
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>

#include "base/unit_tests.h"
#include "trace/import_bench.h"

#define HEAD \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 64\n-nregs = 8\n" \
    "-shmem base_addr = 0x7f3000000000\n-local mem base_addr = 0x7f3001000000\n" \
    "-accelsim tracer version = 4\n"
#define HEAD5 \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version = 5\n"
#define BLOCK(insts, lines) \
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " insts "\n" lines "#END_TB\n"

/* A file of the bench, one line that is refused. */
struct bad_file {
    const char *text, *where, *what;
};

static void assert_import_refused(const struct bad_file *bad, const char *list, const char *file) {
    struct import_bench b;
    import_bench_open(&b);
    bench_list(&b, "kernel-1.traceg\n");
    if (file) {
        bench_file(&b, file, bad->text);
    }
    if (list) {
        bench_file(&b, "kernelslist.g", list);
    }
    enum import_status status = bench_import(&b);
    const char *error = b.import->error;
    if (status != IMPORT_BAD_INPUT || !strstr(error, bad->where) || !strstr(error, bad->what) ||
        strchr(error, '\n')) {
        fail_msg("%s\nstatus %d: %s\nwanted %s %s", bad->text, status, error, bad->where,
                 bad->what);
    }
    bench_close(&b);
}

TEST(bad_lines_are_named_with_line_and_byte) {
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
        {LINE("0 1 1 UR MOV 0 0"), "R0..R255"},
        {LINE("0 1 1 Q1 MOV 0 0"), "R0..R255"},
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
        assert_import_refused(&bad[i], NULL, "kernel-1.traceg");
    }
    char where[64];
    snprintf(where, sizeof where, ":13 (byte %zu): ",
             strlen(HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"));
    assert_import_refused(&(struct bad_file){HEAD BLOCK("1", "q\n"), where, "PC"}, NULL,
                          "kernel-1.traceg");
    assert_import_refused(&(struct bad_file){HEAD5 BLOCK("1", "0 1 0 EXIT 0 0 0 0 0\n"), ":9 ",
                                             "behind the immediate"},
                          NULL, "kernel-1.traceg");
    assert_import_refused(&(struct bad_file){"no file", "kernel-1.traceg", "No such file"}, NULL,
                          NULL);
    assert_import_refused(
        &(struct bad_file){"bad list", "kernelslist.g:2 (byte 1)", "kernel-N.traceg"}, "\nrm -rf\n",
        NULL);
    assert_import_refused(&(struct bad_file){"bad copy", "kernelslist.g:1 ", "ADDRESS,BYTES"},
                          "MemcpyHtoD,12\n", NULL);
    /* The tracer's own output: each line has the thread block and the warp. */
    assert_import_refused(
        &(struct bad_file){"tracer's list", "kernelslist.g:1 ", "post-traces-processing first"},
        "kernel-1.trace\n", NULL);
    assert_import_refused(&(struct bad_file){HEAD "0 0 0 0 0 ffffffff 0 EXIT 0 0\n",
                                             "kernel-1.traceg:", "post-traces-processing first"},
                          NULL, "kernel-1.traceg");
    assert_import_refused(&(struct bad_file){"bad copy", "kernelslist.g:1 ", "ADDRESS,BYTES"},
                          "MemcpyHtoD,0x12,many\n", NULL);
    assert_import_refused(&(struct bad_file){"no list", "kernelslist.g:3 (byte 2)", "empty list"},
                          "\n\n", NULL);
}

TEST(thread_blocks_must_be_all_there_once) {
#define TWO \
    "-kernel name = k\n-grid dim = (1,2,1)\n-block dim = (1,1,1)\n-accelsim tracer version = 3\n"
#define AT(n) "#BEGIN_TB\nthread block = 0," n ",0\nwarp = 0\ninsts = 1\n0 1 0 EXIT 0 0\n#END_TB\n"
    assert_import_refused(
        &(struct bad_file){TWO AT("1"), "kernel-1.traceg", "thread block 0,0,0 is there never"},
        NULL, "kernel-1.traceg");
    assert_import_refused(
        &(struct bad_file){TWO AT("0"), "kernel-1.traceg", "thread block 0,1,0 is there never"},
        NULL, "kernel-1.traceg");
    assert_import_refused(
        &(struct bad_file){TWO AT("1") AT("1"), "kernel-1.traceg", "0,0,0 is there never"}, NULL,
        "kernel-1.traceg");
    assert_import_refused(
        &(struct bad_file){TWO AT("0") AT("0"), "kernel-1.traceg", "0,0,0 is there twice"}, NULL,
        "kernel-1.traceg");
}

TEST(a_line_has_a_longest_length) {
    FREED char *text = malloc(TEXT_LINE_MAX + 64);
    for (unsigned over = 0; over < 2; over++) {
        size_t length = TEXT_LINE_MAX + over;
        memset(text, 'x', length);
        memcpy(text, "-kernel name = ", 15);
        memcpy(text + length, "\nbad\n", 6);
        assert_import_refused(&(struct bad_file){text, over ? ":1 (byte 0)" : ":2 (byte 65537)",
                                                 over ? "more than 65536" : "-name = value"},
                              NULL, "kernel-1.traceg");
    }
}

/* Far behind what fits in memory at a time. */
TEST(bytes_are_counted_from_the_beginning) {
    static const char line[] = "0 1 0 EXIT 0 0 0\n";
    const unsigned lines = 100000;
    const size_t head = strlen(HEAD BLOCK("100001", "")) - strlen("#END_TB\n");
    char *text = malloc(head + lines * strlen(line) + 16), where[64];
    memcpy(text, HEAD BLOCK("100001", ""), head);
    for (unsigned i = 0; i < lines; i++) {
        memcpy(text + head + i * strlen(line), line, strlen(line));
    }
    memcpy(text + head + lines * strlen(line), "q\n", 3);
    snprintf(where, sizeof where, ":%u (byte %zu): ", 12 + lines + 1, head + lines * strlen(line));
    assert_import_refused(&(struct bad_file){text, where, "PC"}, NULL, "kernel-1.traceg");
    free(text);
}

/* A good kernel as xz, cut and changed at every byte. */
TEST(damaged_xz_is_refused) {
    static const char text[] = HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n");
    uint8_t packed[1024];
    size_t used = 0;
    struct import_bench b;
    char path[256];
    unsigned refused = 0;
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                             sizeof text - 1, packed, &used, sizeof packed),
                     LZMA_OK);
    import_bench_open(&b);
    bench_list(&b, "kernel-1.traceg\n");
    for (size_t i = 0; i <= 2 * used; i++) {
        FILE *f = fopen(bench_path(&b, "kernel-1.traceg", path), "wb");
        packed[i % used] ^= i > used ? 0x55 : 0;
        assert_int_equal(fwrite(packed, 1, i < used ? i : used, f), i < used ? i : used);
        packed[i % used] ^= i > used ? 0x55 : 0;
        fclose(f);
        enum import_status status = bench_import(&b);
        assert_int_equal(status, i == used ? IMPORT_GOOD : IMPORT_BAD_INPUT);
        refused += status == IMPORT_BAD_INPUT;
    }
    assert_int_equal(refused, 2 * used);
    bench_close(&b);
}

TEST(an_import_can_be_stopped) {
    struct import_bench b;
    import_bench_open(&b);
    b.stop = 15;
    bench_file(&b, "kernel-1.traceg", HEAD BLOCK("1", "0 1 0 EXIT 0 0 0\n"));
    bench_list(&b, "kernel-1.traceg\n");
    assert_int_equal(bench_import(&b), IMPORT_STOPPED);
    assert_true(b.progress > 0);
    bench_close(&b);
}
