/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/characterize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

/* One core in one order, with its own L1. */
struct view {
    struct characterize *owner;
    unsigned core;
    struct order order;
    struct replay replay;
    struct stack_distance stack; /* of the first order alone */
};

struct characterize {
    const struct config *config;
    const struct launch *launch;
    struct kernel_counts **kernel, *total;
    struct kernel_counts *now; /* of the launch */
    unsigned kernels, cores;
    struct view *view;               /* [core][order] */
    struct resident_cta *all, *next; /* all kernels; the one that is counted */
    uint32_t cta;                    /* of the launch: the next one */
    unsigned next_core;              /* its core */
    unsigned resident;               /* CTAs of the launch that a core holds at once */
    bool out_of_memory;
    /* State of the warp that is read. */
    struct stack_distance own;
    struct line_map own_lines;
    struct loop_walk walk;
    struct launch_lines lines;
    struct rows rows;
    char message[256];
};

static unsigned on_access(void *user, const struct warp_op *op, uint32_t owner) {
    struct view *v = user;
    struct characterize *c = v->owner;
    struct accesses a;
    lines_of(c->config, op, &a);
    if (v->order.kind == ORDER_ROUND_ROBIN && access_is_line(op->insn)) {
        for (unsigned i = 0; i < a.count; i++) {
            uint64_t line = a.list[i].line;
            bool seen = launch_lines_seen(&c->lines, line, v->core);
            if (!reuse_touch(&v->stack, &c->now->core, line, seen, owner)) {
                c->out_of_memory = true;
            }
        }
    }
    return replay_access(&v->replay, &c->now->replay[v->order.kind], op->insn, &a);
}

static bool make_views(struct characterize *c) {
    c->cores = c->config->core.count;
    c->view = calloc((size_t)c->cores * ORDER_COUNT, sizeof *c->view);
    for (unsigned i = 0; c->view && i < c->cores * ORDER_COUNT; i++) {
        struct view *v = &c->view[i];
        v->owner = c;
        v->core = i / ORDER_COUNT;
        if (!order_init(&v->order, (enum order_kind)(i % ORDER_COUNT), c->config->core.ctas) ||
            !replay_init(&v->replay, c->config)) {
            return false;
        }
        v->order.access = on_access;
        v->order.user = v;
        v->order.mshrs = c->config->l1.mshrs;
    }
    return c->view;
}

struct characterize *characterize_create(const struct config *config) {
    struct characterize *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->config = config;
    rows_init(&c->rows, config);
    c->total = kernel_create(NULL);
    if (!c->total || !make_views(c)) {
        characterize_destroy(c);
        return NULL;
    }
    return c;
}

static void free_resident_ctas(struct resident_cta *r) {
    while (r) {
        struct resident_cta *next = r->next;
        cta_trace_destroy(r->trace);
        free(r);
        r = next;
    }
}

void characterize_destroy(struct characterize *c) {
    if (!c) {
        return;
    }
    for (unsigned i = 0; c->view && i < c->cores * ORDER_COUNT; i++) {
        order_destroy(&c->view[i].order);
        replay_destroy(&c->view[i].replay);
        stack_distance_destroy(&c->view[i].stack);
    }
    for (unsigned i = 0; i < c->kernels; i++) {
        kernel_destroy(c->kernel[i]);
    }
    kernel_destroy(c->total);
    free(c->kernel);
    free(c->view);
    free_resident_ctas(c->all);
    stack_distance_destroy(&c->own);
    line_map_destroy(&c->own_lines);
    loop_walk_destroy(&c->walk);
    launch_lines_destroy(&c->lines);
    rows_destroy(&c->rows);
    free(c);
}

static struct kernel_counts *kernel_of(struct characterize *c, const struct kernel_code *code) {
    for (unsigned i = 0; i < c->kernels; i++) {
        if (kernel_is(c->kernel[i], code)) {
            return c->kernel[i];
        }
    }
    struct kernel_counts **more = realloc(c->kernel, (c->kernels + 1) * sizeof *more);
    if (!more) {
        return NULL;
    }
    c->kernel = more;
    c->kernel[c->kernels] = kernel_create(code);
    return c->kernel[c->kernels] ? c->kernel[c->kernels++] : NULL;
}

/* Returns the reason why the machine cannot run it, worded as in a run; NULL: it can. */
static const char *cannot_run(struct characterize *c, const struct launch *l, unsigned fit,
                              const char *limit) {
    unsigned threads = launch_threads(l);
    int used = snprintf(c->message, sizeof c->message, "kernel %.100s: ", l->code->name);
    char *text = c->message + used;
    size_t room = sizeof c->message - (size_t)used;
    if (!threads || !launch_ctas(l)) {
        snprintf(text, room, "launched without a thread");
    } else if (launch_warps(l) > CTA_WARPS_MAX) {
        snprintf(text, room, "a CTA of %u threads: at most %u", threads, CTA_WARPS_MAX * WARP_SIZE);
    } else if (threads > c->config->core.cta_threads) {
        snprintf(text, room, "a CTA of %u threads: at most core.cta_threads = %u", threads,
                 c->config->core.cta_threads);
    } else if (!fit) {
        snprintf(text, room, "a CTA of %u threads needs more than a core has (%s)", threads, limit);
    } else {
        return NULL;
    }
    return c->message;
}

const char *characterize_launch(struct characterize *c, const struct launch *l) {
    const char *limit;
    unsigned threads = launch_threads(l), fit = core_fit(c->config, l, &limit);
    if (cannot_run(c, l, fit, limit)) {
        return c->message;
    }
    c->launch = l;
    c->now = kernel_of(c, l->code);
    if (!c->now) {
        return "";
    }
    unsigned share = (launch_ctas(l) + c->cores - 1) / c->cores;
    c->resident = fit < share ? fit : share;
    c->cta = 0;
    if (!c->now->launches++ || threads < c->now->block_least) {
        c->now->block_least = threads;
    }
    c->now->block_most = threads > c->now->block_most ? threads : c->now->block_most;
    c->now->resident_most = fit > c->now->resident_most ? fit : c->now->resident_most;
    line_map_clear(&c->lines.map);
    for (unsigned i = 0; i < c->cores * ORDER_COUNT; i++) {
        order_launch(&c->view[i].order, l, c->resident);
        replay_launch(&c->view[i].replay);
        stack_distance_clear(&c->view[i].stack);
    }
    return NULL;
}

struct cta_trace *characterize_room(struct characterize *c) {
    for (c->next = c->all; c->next && c->next->users; c->next = c->next->next) {}
    if (!c->next) {
        struct resident_cta *r = calloc(1, sizeof *r);
        if (!r || !(r->trace = cta_trace_create())) {
            free(r);
            return NULL;
        }
        r->next = c->all;
        c->all = c->next = r;
    }
    return c->next->trace;
}

static unsigned insn_index_of(const struct characterize *c, const struct warp_op *op) {
    return (unsigned)(op->insn - c->launch->code->insns);
}

static bool count_lines(struct characterize *c, const struct warp_op *op, const struct accesses *a,
                        uint32_t owner) {
    bool good = true;
    for (unsigned i = 0; good && i < a->count; i++) {
        uint64_t line = a->list[i].line;
        uint32_t number;
        bool fresh, fresh_own;
        good = line_map_put(&c->own_lines, line, &number, &fresh_own) &&
               reuse_touch(&c->own, &c->now->own, line, !fresh_own, owner) &&
               launch_lines_touch(&c->lines, line, &fresh);
        if (good && fresh) { /* rare: once a launch is enough */
            good = footprint_touch(&c->now->footprint, line) &&
                   footprint_touch(&c->total->footprint, line);
        }
    }
    if (good && op->insn->op == OP_LOAD && access_in_l1(op->insn)) {
        good = loops_load(&c->now->loops, &c->walk, op, insn_index_of(c, op), a);
    }
    return good;
}

/* Texture and constant accesses use lines of their own caches. */
static bool count_rows(struct characterize *c, const struct warp_op *op, const struct accesses *a) {
    unsigned bytes = op->insn->space == SPACE_TEXTURE    ? c->config->texture.line_bytes
                     : op->insn->space == SPACE_CONSTANT ? c->config->constant.line_bytes
                                                         : c->config->l1.line_bytes;
    bool good = true;
    for (unsigned i = 0; good && i < a->count; i++) {
        good = rows_touch(&c->rows, a->list[i].line * bytes, c->cta);
    }
    return good;
}

static bool count_memory(struct characterize *c, const struct warp_op *op, uint32_t owner) {
    struct accesses a;
    lines_of(c->config, op, &a);
    lines_count(&c->now->lines, &c->now->insn[insn_index_of(c, op)], op, &a);
    return (!access_is_line(op->insn) || count_lines(c, op, &a, owner)) && count_rows(c, op, &a);
}

static bool count_warp(struct characterize *c, const struct warp_stream *s, unsigned warp) {
    struct warp_cursor cursor;
    struct warp_op op;
    struct lane_watch watch = {0};
    line_map_clear(&c->own_lines);
    stack_distance_clear(&c->own);
    loop_walk_begin(&c->walk);
    warp_cursor_open(&cursor, s, c->launch->code);
    bool good = true;
    while (good && warp_cursor_next(&cursor, &op)) {
        lanes_see(&c->now->lanes, &watch, &op);
        if (insn_is_marker(op.insn)) {
            good = loops_mark(&c->now->loops, &c->walk, &op, insn_index_of(c, &op));
        } else if (insn_is_memory(op.insn)) {
            good = count_memory(c, &op, c->cta * CTA_WARPS_MAX + warp);
        }
    }
    footprint_warp(&c->now->footprint, c->own_lines.count);
    return good;
}

bool characterize_cta(struct characterize *c) {
    struct cta_trace *t = c->next->trace;
    c->now->ctas++;
    c->now->warps += t->warp_count;
    for (unsigned i = 0; i < t->warp_count; i++) {
        if (!count_warp(c, &t->warp[i], i)) {
            return false;
        }
    }
    c->next->number = c->cta++;
    c->next->users = ORDER_COUNT;
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        order_place(&c->view[c->next_core * ORDER_COUNT + i].order, c->launch, c->next);
    }
    c->next_core = c->next_core + 1 < c->cores ? c->next_core + 1 : 0;
    return !c->out_of_memory;
}

bool characterize_end(struct characterize *c) {
    for (unsigned i = 0; i < c->cores * ORDER_COUNT; i++) {
        order_finish(&c->view[i].order);
    }
    rows_end(&c->rows, &c->now->rows);
    return !c->out_of_memory;
}

uint64_t characterize_instructions(const struct characterize *c) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->kernels; i++) {
        sum += c->kernel[i]->lanes.thread_instructions;
    }
    return sum;
}

const struct kernel_counts *characterize_kernel(const struct characterize *c, unsigned i) {
    return i < c->kernels ? c->kernel[i] : NULL;
}

const struct kernel_counts *characterize_total(struct characterize *c) {
    struct line_map lines = c->total->footprint.lines;
    *c->total = (struct kernel_counts){.footprint.lines = lines};
    for (unsigned i = 0; i < c->kernels; i++) {
        kernel_add(c->total, c->kernel[i]);
    }
    return c->total;
}

bool characterize_run_rows(const struct characterize *c, struct row_counts *rows) {
    return rows_run(&c->rows, rows);
}
