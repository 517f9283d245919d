/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/caps.h"

static uint64_t thread_instructions(const struct gpu *g) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        sum += g->core[i].stats.thread_instructions;
    }
    return sum;
}

bool caps_end_run(const struct gpu *g) {
    return g->options.max_insn_launch && thread_instructions(g) >= g->options.max_insn_launch;
}

void caps_launch(struct gpu *g) {
    g->cap_reached = g->cap_done = false;
    g->insn_at_launch = caps_wanted(g) ? thread_instructions(g) : 0;
}

void caps_look(struct gpu *g, uint64_t now) {
    uint64_t run = g->options.max_insn, kernel = g->options.max_insn_per_kernel;
    if (!g->launch) {
        return;
    }
    uint64_t sum = thread_instructions(g);
    if (run && sum >= run) {
        g->limit_at = earlier_time(g->limit_at, now + 1);
        g->attention = earlier_time(g->attention, g->limit_at);
    }
    if (kernel && !g->cap_reached && sum - g->insn_at_launch >= kernel) {
        g->cap_reached = true;
        g->dispatch_at = g->clock[CLOCK_CORE].edge;
        g->attention = earlier_time(g->attention, g->dispatch_at);
    }
}

bool caps_cut(struct gpu *g) {
    struct clock_domain *clock = &g->clock[CLOCK_CORE];
    unsigned ctas = g->launch ? launch_ctas(g->launch) : 0;
    bool running = g->next_cta < ctas;
    if (!g->launch || !g->cap_reached || g->cap_done) {
        return true;
    }
    g->cap_done = true;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        struct core *c = &g->core[i];
        running |= (c->live & ~c->ended) != 0;
        core_drop(c, clock->cycle);
        clock_ask(clock, clock_unit(i), clock->edge);
    }
    g->capped_launches += running;
    struct cta_trace *unread = g->next_cta < ctas ? cta_trace_create() : NULL;
    for (; g->next_cta < ctas; g->next_cta++) {
        if (!unread || !g->program->run_cta(g->program->self, g->next_cta, unread)) {
            g->status = GPU_OUT_OF_MEMORY;
            break;
        }
    }
    cta_trace_destroy(unread);
    return g->status == GPU_COMPLETE;
}
