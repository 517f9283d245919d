/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes records as Accel-Sim's tracer would: kernel-N.traceg in versions 3, 4 and 5, in each
 * address mode. For tests, and for the kernels that other simulators are compared on.
 */
#ifndef WARPMEM_TB_TRACE_ACCELSIM_WRITER_H
#define WARPMEM_TB_TRACE_ACCELSIM_WRITER_H

#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/launch.h"

enum accelsim_mode {
    ACCELSIM_LIST,   /* every address */
    ACCELSIM_STRIDE, /* base and stride where the lanes allow it, else differences */
    ACCELSIM_DELTA,  /* differences everywhere */
};

struct accelsim_style {
    unsigned version;
    enum accelsim_mode mode;
    bool line_numbers; /* version 5 */
};

#define ACCELSIM_SHARED_BASE UINT64_C(0x7f3000000000)
#define ACCELSIM_LOCAL_BASE UINT64_C(0x7f3001000000)

/* An opcode of real code that is this instruction to the model. */
static inline const char *accelsim_opcode(const struct insn *i, char text[32]) {
    static const char *const alu[OP_ARITHMETIC_COUNT] = {
        [OP_INT_MAX] = "IMNMX", [OP_INT_MUL] = "IMUL", [OP_INT_MAD] = "IMAD.WIDE",
        [OP_FP_ADD] = "FADD",   [OP_FP_MAX] = "FMNMX", [OP_FP_MUL] = "FMUL",
        [OP_FP_MAD] = "FFMA",   [OP_DP_ADD] = "DADD",  [OP_DP_MAX] = "DMNMX",
        [OP_DP_MUL] = "DMUL",   [OP_DP_MAD] = "DFMA",  [OP_SFU] = "MUFU.RCP",
        [OP_BRANCH] = "BRA",
    };
    static const char *const loads[SPACE_COUNT] = {"LDG.E", "LDL", "LDS", "TLD", "LDC"};
    static const char *const stores[SPACE_COUNT] = {"STG.E", "STL", "STS"};
    static const char *const widths[] = {
        [1] = ".U8", [2] = ".U16", [4] = "", [8] = ".64", [16] = ".128"};
    switch (i->op) {
    case OP_LOAD:
        snprintf(text, 32, "%s%s%s", loads[i->space], widths[i->width],
                 i->uncached ? ".STRONG.GPU" : "");
        return text;
    case OP_STORE: snprintf(text, 32, "%s%s", stores[i->space], widths[i->width]); return text;
    case OP_ATOMIC:
        snprintf(text, 32, "%s.E.ADD%s", i->dst == REG_NONE ? "REDG" : "ATOMG",
                 i->width == 8 ? ".64" : "");
        return text;
    case OP_INT_ADD: return i->dst == REG_NONE ? "ISETP.GE.AND" : "IADD3";
    case OP_FENCE: return "MEMBAR.SC.GPU";
    case OP_BARRIER: return "BAR.SYNC";
    default: return alu[i->op];
    }
}

static inline void accelsim_write_head(FILE *f, const struct launch *l,
                                       const struct accelsim_style *s) {
    fprintf(f, "-kernel name = %s\n-kernel id = 1\n-grid dim = (%u,%u,%u)\n", l->code->name,
            l->grid[0], l->grid[1], l->grid[2]);
    fprintf(f, "-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %u\n", l->block[0], l->block[1],
            l->block[2], l->code->shared_bytes, l->code->registers);
    fprintf(f, "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x%016" PRIx64 "\n",
            ACCELSIM_SHARED_BASE);
    fprintf(f, "-local mem base_addr = 0x%016" PRIx64 "\n-nvbit version = 1.5.5\n",
            ACCELSIM_LOCAL_BASE);
    fprintf(f, "-accelsim tracer version = %u\n", s->version);
    if (s->version == 5) {
        fprintf(f, "-enable lineinfo = %d\n", s->line_numbers);
    }
    fprintf(f, "\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
               "mem_width [adrrescompress?] [mem_addresses]\n\n");
}

static inline bool accelsim_write_stride(FILE *f, uint32_t active, const uint64_t *address) {
    unsigned first = (unsigned)__builtin_ctz(active);
    uint32_t run = active >> first;
    if (run == 1 || (run & (run + 1))) {
        return false;
    }
    int64_t stride = (int64_t)(address[first + 1] - address[first]);
    for (unsigned lane = first + 1; lane < WARP_SIZE && active >> lane; lane++) {
        if ((int64_t)(address[lane] - address[lane - 1]) != stride) {
            return false;
        }
    }
    fprintf(f, "1 0x%" PRIx64 " %" PRId64 " ", address[first], stride);
    return true;
}

static inline void accelsim_write_addresses(FILE *f, const struct accelsim_style *s,
                                            const struct warp_op *op) {
    uint64_t address[WARP_SIZE], last;
    uint32_t active = op->active;
    warp_op_addresses(op, address);
    if (s->mode == ACCELSIM_STRIDE && accelsim_write_stride(f, active, address)) {
        return;
    }
    if (s->mode == ACCELSIM_LIST) {
        fprintf(f, "0 ");
        for (uint32_t m = active; m; m &= m - 1) {
            fprintf(f, "0x%016" PRIx64 " ", address[__builtin_ctz(m)]);
        }
        return;
    }
    last = address[__builtin_ctz(active)];
    fprintf(f, "2 0x%" PRIx64 " ", last);
    for (uint32_t m = active & (active - 1); m; m &= m - 1) {
        uint64_t next = address[__builtin_ctz(m)];
        fprintf(f, "%" PRId64 " ", (int64_t)(next - last));
        last = next;
    }
}

static inline void accelsim_write_op(FILE *f, const struct accelsim_style *s,
                                     const struct warp_op *op) {
    const struct insn *i = op->insn;
    char text[32];
    unsigned sources = 0;
    if (s->line_numbers) {
        fprintf(f, "%u ", i->pc / 16);
    }
    fprintf(f, "%04x %08x ", i->pc, op->active);
    if (i->dst == REG_NONE) {
        fprintf(f, "0 ");
    } else {
        fprintf(f, "1 R%u ", i->dst);
    }
    while (sources < INSN_SOURCES_MAX && i->src[sources] != REG_NONE) {
        sources++;
    }
    fprintf(f, "%s %u ", accelsim_opcode(i, text), sources);
    for (unsigned k = 0; k < sources; k++) {
        fprintf(f, "R%u ", i->src[k]);
    }
    if (op->form == ADDRESS_NONE) {
        fprintf(f, "0 ");
    } else {
        fprintf(f, "%u ", i->width);
        accelsim_write_addresses(f, s, op);
    }
    fprintf(f, s->version > 3 ? "0 \n" : "\n");
}

/* One thread block. */
static inline void accelsim_write_cta(FILE *f, const struct accelsim_style *s,
                                      const struct launch *l, unsigned cta,
                                      const struct cta_trace *t) {
    struct warp_cursor c;
    struct warp_op op;
    fprintf(f, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", cta % l->grid[0],
            cta / l->grid[0] % l->grid[1], cta / l->grid[0] / l->grid[1]);
    for (unsigned w = 0; w < t->warp_count; w++) {
        unsigned count = 0;
        warp_cursor_open(&c, &t->warp[w], l->code);
        while (warp_cursor_next(&c, &op)) {
            count++;
        }
        fprintf(f, "\nwarp = %u\ninsts = %u\n", w, count);
        warp_cursor_open(&c, &t->warp[w], l->code);
        while (warp_cursor_next(&c, &op)) {
            accelsim_write_op(f, s, &op);
        }
    }
    fprintf(f, "\n#END_TB\n");
}

/* A file of this text, or of it compressed. */
static inline bool accelsim_save(const char *path, const char *text, size_t size, bool xz) {
    FILE *f = fopen(path, "wb");
    bool good = f;
    if (f && !xz) {
        good = fwrite(text, 1, size, f) == size;
    } else if (f) {
        size_t room = lzma_stream_buffer_bound(size), used = 0;
        uint8_t *packed = malloc(room);
        good = packed && lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                                 size, packed, &used, room) == LZMA_OK;
        good = good && fwrite(packed, 1, used, f) == used;
        free(packed);
    }
    return f && !fclose(f) && good;
}

#endif
