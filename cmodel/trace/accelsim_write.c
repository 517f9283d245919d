/* SPDX-License-Identifier: Apache-2.0
 * Writes the spool file to the trace file. */
#include <string.h>

#include "trace/accelsim_kernel.h"

/* Local memory begins here, above the arrays of the driver. */
#define LOCAL_BASE (UINT64_C(1) << 44)
#define WORD 4

/* Converts a thread's offset in local memory to an address. The words of a warp's lanes are
 * neighbours, as in the hardware. Each warp of the launch has a frame of its own. */
struct local_map {
    uint64_t low, frame;
};

static struct local_map local_map_of(const struct accelsim_kernel *k) {
    uint64_t low = k->local_low & ~UINT64_C(15);
    return (struct local_map){low, ((k->local_high - low + 15) & ~UINT64_C(15)) * WARP_SIZE};
}

static uint64_t local_address(const struct local_map *m, uint64_t warp, unsigned lane,
                              unsigned width, uint64_t offset) {
    uint64_t unit = width < WORD ? WORD : width, at = offset - m->low;
    return LOCAL_BASE + warp * m->frame + at / unit * unit * WARP_SIZE + lane * unit + at % unit;
}

/* Rewrites the records with addresses in place of offsets. */
static bool translate_addresses(const struct local_map *m, const struct kernel_code *code,
                                uint64_t warp, const struct warp_stream *from,
                                struct warp_stream *to) {
    struct warp_cursor c;
    struct warp_op op;
    uint64_t address[WARP_SIZE];
    bool good = true;
    warp_stream_clear(to);
    warp_cursor_open(&c, from, code);
    while (good && warp_cursor_next(&c, &op)) {
        unsigned index = (unsigned)(op.insn - code->insns);
        if (op.form == ADDRESS_NONE) {
            good = warp_stream_put(to, index, op.active);
            continue;
        }
        warp_op_addresses(&op, address);
        for (uint32_t l = op.insn->space == SPACE_LOCAL ? op.active : 0; l; l &= l - 1) {
            unsigned lane = (unsigned)__builtin_ctz(l);
            address[lane] = local_address(m, warp, lane, op.insn->width, address[lane]);
        }
        good = warp_stream_put_memory(to, index, op.active, address);
    }
    return good;
}

/* Rewrites a CTA with local memory, its offsets replaced. */
static bool write_translated(struct accelsim_kernel *k, struct wtr_writer *w,
                             const struct kernel_code *code, uint64_t cta, struct cta_trace *t) {
    struct local_map map = local_map_of(k);
    t->warp_count = k->warps;
    for (unsigned i = 0; i < k->warps; i++) {
        if (!translate_addresses(&map, code, cta * k->warps + i, &k->trace->warp[i], &t->warp[i])) {
            return text_lines_fail(k->lines, "out of memory");
        }
    }
    return wtr_write_cta(w, t);
}

static bool write_ctas(struct accelsim_kernel *k, struct wtr_writer *w,
                       const struct kernel_code *code, struct cta_trace *translated) {
    bool local = k->local_low != UINT64_MAX;
    for (unsigned i = 0; i < k->spool.count; i++) {
        if (*k->stop || !cta_spool_get(&k->spool, i, k->trace)) {
            return false;
        }
        if (!(local ? write_translated(k, w, code, i, translated) : wtr_write_cta(w, k->trace))) {
            return false;
        }
    }
    return true;
}

bool accelsim_kernel_write(struct accelsim_kernel *k, struct wtr_writer *w) {
    const struct accelsim_header *h = &k->header;
    struct kernel_code code = {.name = h->name,
                               .insns = k->code.insns,
                               .insn_count = k->code.insn_count,
                               .registers = h->registers,
                               .shared_bytes = h->shared_bytes};
    struct launch l = {.code = &code};
    memcpy(l.grid, h->grid, sizeof l.grid);
    memcpy(l.block, h->block, sizeof l.block);
    struct cta_trace *translated = cta_trace_create();
    bool good = translated ? true : text_lines_fail(k->lines, "out of memory");
    good = good && wtr_write_launch(w, &l) && write_ctas(k, w, &code, translated);
    cta_trace_destroy(translated);
    return good;
}
