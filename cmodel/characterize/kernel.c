/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/kernel.h"

#include <stdlib.h>
#include <string.h>

/* False: out of memory. */
static bool copy_code(struct kernel_counts *k, const struct kernel_code *code) {
    size_t size = code->insn_count * sizeof *code->insns;
    struct insn *insns = malloc(size + 1);
    k->code = *code;
    k->code.insns = insns;
    k->code.name = strdup(code->name);
    k->insn = calloc(code->insn_count + 1, sizeof *k->insn);
    if (!insns || !k->code.name || !k->insn) {
        return false;
    }
    memcpy(insns, code->insns, size);
    return loops_init(&k->loops, code->insn_count);
}

struct kernel_counts *kernel_create(const struct kernel_code *code) {
    struct kernel_counts *k = calloc(1, sizeof *k);
    if (k && code && !copy_code(k, code)) {
        kernel_destroy(k);
        return NULL;
    }
    return k;
}

void kernel_destroy(struct kernel_counts *k) {
    if (!k) {
        return;
    }
    /* Its own copies, so no other thread writes there. */
    free((void *)(uintptr_t)k->code.name);
    free((void *)(uintptr_t)k->code.insns);
    free(k->insn);
    loops_destroy(&k->loops);
    footprint_destroy(&k->footprint);
    free(k);
}

static bool same_insn(const struct insn *a, const struct insn *b) {
    return a->op == b->op && a->space == b->space && a->width == b->width &&
           a->uncached == b->uncached && a->pc == b->pc;
}

bool kernel_is(const struct kernel_counts *k, const struct kernel_code *code) {
    bool is = k->code.insn_count == code->insn_count && !strcmp(k->code.name, code->name);
    for (unsigned i = 0; is && i < code->insn_count; i++) {
        is = same_insn(&k->code.insns[i], &code->insns[i]);
    }
    return is;
}

static unsigned larger_kernel_need(unsigned a, unsigned b) {
    return a > b ? a : b;
}

void kernel_add(struct kernel_counts *to, const struct kernel_counts *k) {
    to->launches += k->launches;
    to->ctas += k->ctas;
    to->warps += k->warps;
    if (!to->block_least || k->block_least < to->block_least) {
        to->block_least = k->block_least;
    }
    to->block_most = larger_kernel_need(to->block_most, k->block_most);
    to->resident_most = larger_kernel_need(to->resident_most, k->resident_most);
    lanes_add(&to->lanes, &k->lanes);
    lines_add(&to->lines, &k->lines);
    to->footprint.warps += k->footprint.warps;
    to->footprint.warp_lines += k->footprint.warp_lines;
    to->footprint.warp_most = larger_kernel_need(to->footprint.warp_most, k->footprint.warp_most);
    reuse_add(&to->own, &k->own);
    reuse_add(&to->core, &k->core);
    rows_add(&to->rows, &k->rows);
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        replay_add(&to->replay[i], &k->replay[i]);
    }
}
