/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/machine.h"

#define ROOM_FIRST 4

static struct kernel_totals kernel_totals_now(const struct gpu *g, uint64_t cycle) {
    struct kernel_totals t = {.cycles = cycle, .capped = g->capped_launches};
    for (unsigned i = 0; i < g->config.core.count; i++) {
        t.warp_instructions += g->core[i].stats.warp_instructions;
        t.thread_instructions += g->core[i].stats.thread_instructions;
    }
    return t;
}

/* The latest ones first: a program that repeats its kernels has the next one near. */
static struct gpu_kernel *find_kernel(const struct gpu_kernels *k, const char *name) {
    for (unsigned i = k->count; i-- > 0;) {
        if (!strcmp(k->kernel[i].name, name)) {
            return &k->kernel[i];
        }
    }
    return NULL;
}

static struct gpu_kernel *add_kernel(struct gpu_kernels *k, const char *name) {
    if (k->count == k->room) {
        unsigned room = k->room ? 2 * k->room : ROOM_FIRST;
        struct gpu_kernel *grown = realloc(k->kernel, room * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        k->kernel = grown;
        k->room = room;
    }
    char *copy = strdup(name);
    if (!copy) {
        return NULL;
    }
    k->kernel[k->count] = (struct gpu_kernel){.name = copy, .complete = true};
    return &k->kernel[k->count++];
}

/* The launch's loads count in the kernel's rows. */
static bool count_loads_of(struct gpu *g, struct gpu_kernel *kernel,
                           const struct kernel_code *code) {
    uint32_t *rows = realloc(g->load_rows, (code->insn_count + 1) * sizeof *rows);
    if (!rows) {
        return false;
    }
    g->load_rows = rows;
    if (!load_counts_add(&kernel->loads, code, rows)) {
        return false;
    }
    g->load_counter = (struct load_counter){kernel->loads.row, code->insns, rows};
    return true;
}

bool gpu_kernel_begin(struct gpu *g, const struct kernel_code *code) {
    struct gpu_kernel *kernel = find_kernel(&g->kernels, code->name);
    kernel = kernel ? kernel : add_kernel(&g->kernels, code->name);
    if (!kernel || !count_loads_of(g, kernel, code)) {
        return false;
    }
    kernel->launches++;
    g->kernel_running = (unsigned)(kernel - g->kernels.kernel) + 1;
    return true;
}

void gpu_kernel_end(struct gpu *g, uint64_t cycle, bool complete) {
    if (!g->kernel_running) {
        return;
    }
    struct gpu_kernel *kernel = &g->kernels.kernel[g->kernel_running - 1];
    struct kernel_totals now = kernel_totals_now(g, cycle);
    kernel->cycles += now.cycles - g->before_kernel.cycles;
    kernel->capped_launches += now.capped - g->before_kernel.capped;
    kernel->warp_instructions += now.warp_instructions - g->before_kernel.warp_instructions;
    kernel->thread_instructions += now.thread_instructions - g->before_kernel.thread_instructions;
    kernel->complete &= complete;
    g->before_kernel = now;
    g->kernel_running = 0;
}

void gpu_kernels_free(struct gpu_kernels *k) {
    for (unsigned i = 0; i < k->count; i++) {
        free(k->kernel[i].name);
        load_counts_free(&k->kernel[i].loads);
    }
    free(k->kernel);
    *k = (struct gpu_kernels){0};
}

struct gpu_kernels gpu_take_kernels(struct gpu *g) {
    struct gpu_kernels taken = g->kernels;
    g->kernels = (struct gpu_kernels){0};
    return taken;
}
