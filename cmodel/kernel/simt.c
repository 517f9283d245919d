/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/simt_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void simt_bug(const struct simt *s, const struct insn *i, const char *format, ...) {
    fprintf(stderr, "kernel %s, CTA (%u, %u, %u), pc 0x%x: ", s->launch->code->name, s->cta[0],
            s->cta[1], s->cta[2], i ? i->pc : 0);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

struct simt *simt_create(void) {
    return calloc(1, sizeof(struct simt));
}

void simt_destroy(struct simt *s) {
    if (s) {
        free(s->shared);
        free(s->local);
        free(s);
    }
}

const struct insn *simt_insn(const struct simt *s, unsigned index) {
    const struct kernel_code *code = s->launch->code;
    if (index >= code->insn_count) {
        simt_bug(s, NULL, "instruction %u of %u", index, code->insn_count);
    }
    return &code->insns[index];
}

static void record_insn(struct simt *s, unsigned index, const struct simt_mask *lanes) {
    for (unsigned w = 0; w < s->warps; w++) {
        if (lanes->warp[w] && !warp_stream_put(&s->trace->warp[w], index, lanes->warp[w])) {
            s->out_of_memory = true;
        }
    }
}

void simt_alu(struct simt *s, unsigned index) {
    const struct insn *i = simt_insn(s, index);
    if (i->op >= OP_ARITHMETIC_COUNT && i->op != OP_FENCE) {
        simt_bug(s, i, "not an arithmetic instruction");
    }
    record_insn(s, index, &s->active);
}

void simt_barrier(struct simt *s, unsigned index) {
    const struct insn *i = simt_insn(s, index);
    if (i->op != OP_BARRIER) {
        simt_bug(s, i, "not a barrier");
    }
    record_insn(s, index, &s->active);
}

/* --- Masks and control flow. --- */

static void set_active(struct simt *s, const struct simt_mask *lanes) {
    s->active_warps = 0;
    /* Both bounds are needed: from the shift alone some compilers derive that w may reach 32. */
    for (unsigned w = 0; w < s->warps && w < SIMT_WARPS; w++) {
        s->active.warp[w] = lanes->warp[w];
        s->active_warps |= (uint32_t)(lanes->warp[w] != 0) << w;
    }
}

unsigned simt_first(const struct simt *s, unsigned from) {
    while (from < s->threads) {
        uint32_t lanes = s->active.warp[from / WARP_SIZE] >> from % WARP_SIZE;
        if (lanes) {
            return from + (unsigned)__builtin_ctz(lanes);
        }
        from = (from / WARP_SIZE + 1) * WARP_SIZE;
    }
    return s->threads;
}

unsigned simt_end(const struct simt *s, unsigned first) {
    if (first >= s->threads) {
        return 0;
    }
    while (first < s->threads) {
        uint32_t idle = ~s->active.warp[first / WARP_SIZE] >> first % WARP_SIZE;
        if (idle) {
            return first + (unsigned)__builtin_ctz(idle);
        }
        first = (first / WARP_SIZE + 1) * WARP_SIZE;
    }
    return s->threads;
}

static struct simt_frame *push_frame(struct simt *s, int loop) {
    if (s->depth == SIMT_DEPTH) {
        simt_bug(s, NULL, "more than %d ifs and loops inside each other", SIMT_DEPTH);
    }
    struct simt_frame *f = &s->frame[s->depth++];
    f->loop = loop;
    f->outer = s->active;
    return f;
}

static void pop_frame(struct simt *s) {
    s->depth--;
    set_active(s, &s->frame[s->depth].outer);
}

bool simt_if(struct simt *s, unsigned index, const struct simt_mask *mask) {
    simt_alu(s, index);
    struct simt_frame *f = push_frame(s, -1);
    f->inner = (struct simt_mask){{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        f->inner.warp[w] = s->active.warp[w] & mask->warp[w];
    }
    set_active(s, &f->inner);
    return s->active_warps || simt_end_if(s);
}

/* The frame of the preceding if is still there: everything in between was inside it, and above it
 * on the stack. */
bool simt_else(struct simt *s) {
    if (s->depth == SIMT_DEPTH || s->frame[s->depth].loop >= 0) {
        simt_bug(s, NULL, "an else without an if");
    }
    struct simt_frame *f = &s->frame[s->depth++];
    struct simt_mask others = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        others.warp[w] = f->outer.warp[w] & ~f->inner.warp[w];
    }
    set_active(s, &others);
    return s->active_warps || simt_end_if(s);
}

bool simt_end_if(struct simt *s) {
    if (s->depth == 0 || s->frame[s->depth - 1].loop >= 0) {
        simt_bug(s, NULL, "the end of an if, but a loop is open");
    }
    pop_frame(s);
    return false;
}

bool simt_loop(struct simt *s, unsigned index) {
    const struct insn *i = simt_insn(s, index);
    if (i->op != OP_LOOP_BEGIN) {
        simt_bug(s, i, "not the begin of a loop");
    }
    struct simt_frame *f = push_frame(s, (int)index);
    f->inner = s->active;
    f->entered = s->active;
    record_insn(s, index, &s->active);
    return true;
}

static unsigned innermost_loop(const struct simt *s) {
    unsigned d = s->depth;
    while (d > 0 && s->frame[d - 1].loop < 0) {
        d--;
    }
    if (d == 0) {
        simt_bug(s, NULL, "not in a loop");
    }
    return d - 1;
}

bool simt_iteration(struct simt *s, bool again) {
    unsigned loop = innermost_loop(s);
    struct simt_frame *f = &s->frame[loop];
    if (loop != s->depth - 1) {
        simt_bug(s, NULL, "the end of a loop, but an if is open");
    }
    if (again) {
        set_active(s, &f->inner);
        if (s->active_warps) {
            record_insn(s, (unsigned)f->loop + 1, &s->active);
            return true;
        }
    }
    record_insn(s, (unsigned)f->loop + 2, &f->entered);
    pop_frame(s);
    return false;
}

/* The lanes of @gone stay inactive until the frames from @depth on have ended. */
static void deactivate_lanes(struct simt *s, const struct simt_mask *gone, unsigned depth) {
    for (unsigned d = depth; d < s->depth; d++) {
        for (unsigned w = 0; w < s->warps; w++) {
            s->frame[d].outer.warp[w] &= ~gone->warp[w];
        }
    }
    struct simt_mask stay = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        stay.warp[w] = s->active.warp[w] & ~gone->warp[w];
    }
    set_active(s, &stay);
}

static void leave_loop(struct simt *s, const struct simt_mask *gone) {
    unsigned loop = innermost_loop(s);
    for (unsigned w = 0; w < s->warps; w++) {
        s->frame[loop].inner.warp[w] &= ~gone->warp[w];
    }
    deactivate_lanes(s, gone, loop + 1);
}

void simt_while(struct simt *s, unsigned index, const struct simt_mask *mask) {
    simt_alu(s, index);
    struct simt_mask gone = {{0}};
    for (unsigned w = 0; w < s->warps; w++) {
        gone.warp[w] = s->active.warp[w] & ~mask->warp[w];
    }
    leave_loop(s, &gone);
}

void simt_break(struct simt *s) {
    struct simt_mask gone = s->active;
    leave_loop(s, &gone);
}

void simt_continue(struct simt *s) {
    struct simt_mask gone = s->active;
    deactivate_lanes(s, &gone, innermost_loop(s) + 1);
}

void simt_return(struct simt *s) {
    struct simt_mask gone = s->active;
    for (unsigned d = 0; d < s->depth; d++) {
        for (unsigned w = 0; w < s->warps && s->frame[d].loop >= 0; w++) {
            s->frame[d].inner.warp[w] &= ~gone.warp[w];
        }
    }
    deactivate_lanes(s, &gone, 0);
}

/* --- A CTA. --- */

static void set_shape(struct simt *s, const struct launch *l) {
    memcpy(s->block, l->block, sizeof s->block);
    s->threads = launch_threads(l);
    s->warps = launch_warps(l);
    s->one_row = 0;
    s->populated = (struct simt_mask){{0}};
    for (unsigned t = 0; t < s->threads; t++) {
        s->x[t] = (uint16_t)(t % s->block[0]);
        s->y[t] = (uint16_t)(t / s->block[0] % s->block[1]);
        s->z[t] = (uint16_t)(t / s->block[0] / s->block[1]);
        s->populated.warp[t / WARP_SIZE] |= 1u << t % WARP_SIZE;
    }
    for (unsigned w = 0; w < s->warps; w++) {
        unsigned first = w * WARP_SIZE, last = first + WARP_SIZE - 1;
        last = last < s->threads ? last : s->threads - 1;
        s->one_row |= (uint32_t)(s->x[last] - s->x[first] == (int)(last - first)) << w;
    }
}

/* The memory holds garbage, the same in every run: a kernel that reads before it writes fails its
 * check. */
static bool give_garbage_memory(uint8_t **at, size_t *capacity, size_t bytes) {
    if (bytes > *capacity) {
        uint8_t *more = realloc(*at, bytes);
        if (!more) {
            return false;
        }
        *at = more;
        *capacity = bytes;
    }
    if (bytes) {
        memset(*at, 0xa5, bytes);
    }
    return true;
}

static void write_to(struct simt *s, struct cta_trace *out) {
    s->trace = out;
    out->warp_count = s->warps;
    for (unsigned w = 0; w < s->warps; w++) {
        warp_stream_clear(&out->warp[w]);
    }
}

bool simt_begin_cta(struct simt *s, const struct launch *l, unsigned cta, struct cta_trace *out) {
    s->launch = l;
    s->depth = 0;
    s->out_of_memory = false;
    s->number = cta;
    s->cta[0] = cta % l->grid[0];
    s->cta[1] = cta / l->grid[0] % l->grid[1];
    s->cta[2] = cta / l->grid[0] / l->grid[1];
    if (launch_threads(l) == 0 || launch_threads(l) > SIMT_THREADS || cta >= launch_ctas(l)) {
        simt_bug(s, NULL, "CTA %u of %u, of %u threads", cta, launch_ctas(l), launch_threads(l));
    }
    if (memcmp(s->block, l->block, sizeof s->block) != 0) {
        set_shape(s, l);
    }
    if (!give_garbage_memory(&s->shared, &s->shared_capacity, l->code->shared_bytes) ||
        !give_garbage_memory(&s->local, &s->local_capacity,
                             (size_t)l->code->local_bytes * s->threads)) {
        return false;
    }
    write_to(s, out);
    set_active(s, &s->populated);
    return true;
}

bool simt_end_cta(struct simt *s) {
    if (s->depth) {
        simt_bug(s, NULL, "%u ifs or loops are not finished", s->depth);
    }
    return !s->out_of_memory;
}

bool simt_run(struct simt *s, const struct launch *l, unsigned cta, struct cta_trace *out,
              simt_kernel *kernel, const void *arguments) {
    if (!simt_begin_cta(s, l, cta, out)) {
        return false;
    }
    kernel(s, arguments);
    return simt_end_cta(s);
}

void simt_leave_trace(struct simt *s) {
    for (unsigned d = s->depth; d-- > 0;) {
        if (s->frame[d].loop >= 0) {
            record_insn(s, (unsigned)s->frame[d].loop + 2, &s->frame[d].entered);
        }
    }
}

void simt_enter_trace(struct simt *s, struct cta_trace *out) {
    write_to(s, out);
    for (unsigned d = 0; d < s->depth; d++) {
        if (s->frame[d].loop >= 0) {
            s->frame[d].entered = s->frame[d].inner;
            record_insn(s, (unsigned)s->frame[d].loop, &s->frame[d].entered);
            record_insn(s, (unsigned)s->frame[d].loop + 1, &s->frame[d].entered);
        }
    }
}

void simt_turn(struct simt *s) {
    if (!s->wait) {
        simt_bug(s, NULL, "it waits for other CTAs, but is launched without");
    }
    s->wait(s, false);
}

void simt_grid_barrier(struct simt *s) {
    if (!s->wait) {
        simt_bug(s, NULL, "it waits for other CTAs, but is launched without");
    }
    s->wait(s, true);
}
