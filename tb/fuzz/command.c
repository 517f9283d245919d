/* SPDX-License-Identifier: Apache-2.0
 * The command line: bytes are its words, a line each; behind a zero, if there is one, come the
 * blocks of the trace a.wtr, which else is a good one. The command is warpmem-rtl's without a block
 * of Verilog in it. It runs in a jail (jail.c): beside small input files, far from everything
 * else. */
#define _XOPEN_SOURCE 700 /* fchdir() */
#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/rtl_options.h"
#include "cosim/rtl_block.h"
#include "fuzz/jail.h"
#include "fuzz/promises.h"
#include "trace/wtr_writer.h"

enum { WORDS_MAX = 24 };

const struct rtl_block *const *rtl_blocks(unsigned *count) {
    static const struct rtl_block *const none[] = {NULL};
    *count = 0;
    return none;
}

/* --- files that the words may name --- */

static const char ini[] = "[core]\ncount = 2\n\n[l1]\nsets = 4\n";
static const char list[] = "MemcpyHtoD,0x7f0000000000,256\nkernel-1.traceg\n";
static const char kernel[] =
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
    "-accelsim tracer version = 4\n\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
    "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f0000000000 4 0\n"
    "0010 ffffffff 1 R3 FADD 2 R1 R1 0 0\n0020 ffffffff 0 EXIT 0 0 0\n#END_TB\n";

static void save_trace(void) {
    static const struct wtr_origin origin = {"small", "tiny", 3};
    static const struct insn insns[] = {
        {.op = OP_LOAD,
         .space = SPACE_GLOBAL,
         .width = 4,
         .dst = 1,
         .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE}},
        {.op = OP_FP_ADD, .dst = 2, .src = {1, REG_NONE, REG_NONE, REG_NONE}, .pc = 8},
    };
    static const struct kernel_code code = {
        .name = "k", .insns = insns, .insn_count = 2, .registers = 8};
    static const struct launch launch = {&code, {1, 1, 1}, {32, 1, 1}};
    FILE *f = fopen(fuzz_path("a.wtr"), "wb");
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    struct cta_trace *t = cta_trace_create();
    t->warp_count = 1;
    warp_stream_clear(&t->warp[0]);
    fuzz_check(warp_stream_put_affine(&t->warp[0], 0, UINT32_MAX, 4096, 4) &&
                   warp_stream_put(&t->warp[0], 1, UINT32_MAX) && wtr_write_launch(w, &launch) &&
                   wtr_write_cta(w, t) && wtr_writer_finish(w),
               "a.wtr cannot be written");
    cta_trace_destroy(t);
    wtr_writer_destroy(w);
    fclose(f);
}

static const char *const files[] = {"a.ini", "k.g", "kernel-1.traceg", "a.wtr", "out", "err"};
enum { FILES = sizeof files / sizeof *files };

static void save_files(struct fuzz_bytes *trace) {
    fuzz_clean();
    fuzz_save("a.ini", ini, strlen(ini));
    fuzz_save("k.g", list, strlen(list));
    fuzz_save("kernel-1.traceg", kernel, strlen(kernel));
    if (trace->left) {
        seal_trace(fuzz_path("a.wtr"), trace);
    } else {
        save_trace();
    }
}

/* --- a command --- */

static int run_words(char *text) {
    char *argv[WORDS_MAX + 2] = {"warpmem"}, *word = text;
    int argc = 1;
    while (word && argc <= WORDS_MAX) {
        char *newline = strchr(word, '\n');
        argv[argc++] = word;
        if (newline) {
            *newline = '\0';
        }
        word = newline ? newline + 1 : NULL;
    }
    return cli_main(argc, argv, cli_rtl_blocks());
}

/* An error has one line; a run that could not be judged also says what the machine was doing. */
static void check_command_said(int status) {
    char *text = fuzz_said();
    fuzz_check(status >= CLI_OK && status <= CLI_BAD_INPUT, "exit status %d: %s", status, text);
    fuzz_check(status != CLI_BAD_INPUT || *text, "refused without a word");
    for (char *line = text, *next; *line && status == CLI_BAD_INPUT; line = next) {
        char *newline = strchr(line, '\n');
        next = newline ? newline + 1 : line + strlen(line);
        if (newline) {
            *newline = '\0';
        }
        fuzz_one_line(line);
        fuzz_check(!strncmp(line, "warpmem", strlen("warpmem")), "said: %s", line);
    }
    free(text);
}

static void run_command_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    char *text = fuzz_text(&b);
    int here = open(".", O_RDONLY);
    save_files(&b);
    fuzz_check(here >= 0 && !chdir(fuzz_folder()), "no folder to run in");
    fuzz_hush();
    jail_close();
    int status = run_words(text);
    jail_open();
    fuzz_speak();
    fuzz_check(!fchdir(here), "no way back");
    close(here);
    check_command_said(status);
    if (status == CLI_BAD_INPUT) {
        fuzz_left(files, FILES);
    }
    fuzz_clean();
    free(text);
}

const struct fuzz_target fuzz_command = {"command", run_command_target};
