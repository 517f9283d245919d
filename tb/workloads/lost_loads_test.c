/* SPDX-License-Identifier: Apache-2.0
 *
 * The registers of the instruction tables: loads that do not depend on each other must not wait for
 * each other. A register that takes a load's value before anything has read the last load's makes
 * the machine wait for a value that nobody wants, and what should have read it does not wait at
 * all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/workload.h"

#define SEED 1
#define KERNELS_MAX 32
#define NOT_SEEN UINT32_MAX

/* For each instruction of a kernel: how often a load's value was read, how often lost to a load. */
struct kernel_loads {
    const struct kernel_code *code;
    uint64_t *read, *lost;
};

struct run_loads {
    struct kernel_loads kernel[KERNELS_MAX];
    unsigned kernels;
};

/* The program itself loads more than it uses: the third word of an element that it copies whole. */
static bool is_never_used(const struct kernel_code *code, const struct insn *load) {
    return strcmp(code->name, "dmr_refine") == 0 && load->space == SPACE_GLOBAL &&
           load->width == 4 && insn_is_memory(load - 1) && insn_is_memory(load - 2) &&
           !insn_is_memory(load - 3);
}

static struct kernel_loads *loads_of_kernel(struct run_loads *r, const struct kernel_code *code) {
    for (unsigned i = 0; i < r->kernels; i++) {
        if (r->kernel[i].code == code) {
            return &r->kernel[i];
        }
    }
    assert_true(r->kernels < KERNELS_MAX);
    struct kernel_loads *k = &r->kernel[r->kernels++];
    *k = (struct kernel_loads){code, calloc(code->insn_count, sizeof *k->read),
                               calloc(code->insn_count, sizeof *k->lost)};
    assert_true(k->read && k->lost);
    return k;
}

static void follow_warp(const struct warp_stream *s, const struct kernel_loads *k) {
    uint32_t unread[REG_NONE + 1]; /* the load whose value nobody has read yet */
    struct warp_cursor c;
    struct warp_op op;
    memset(unread, 0xff, sizeof unread);
    warp_cursor_open(&c, s, k->code);
    while (warp_cursor_next(&c, &op)) {
        const struct insn *in = op.insn;
        if (insn_is_marker(in)) {
            continue;
        }
        for (unsigned i = 0; i < INSN_SOURCES_MAX; i++) {
            uint32_t *load = &unread[in->src[i]];
            if (*load != NOT_SEEN) {
                k->read[*load]++;
            }
            *load = NOT_SEEN;
        }
        if (in->dst != REG_NONE) {
            if (in->op == OP_LOAD && unread[in->dst] != NOT_SEEN) {
                k->lost[unread[in->dst]]++;
            }
            unread[in->dst] = in->op == OP_LOAD ? (uint32_t)(in - k->code->insns) : NOT_SEEN;
        }
    }
}

static void follow_run(struct program *p, struct run_loads *r) {
    struct cta_trace *t = cta_trace_create();
    const struct launch *l;
    while (p->next_launch(p->self, &l)) {
        const struct kernel_loads *k = loads_of_kernel(r, l->code);
        for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
            assert_true(p->run_cta(p->self, cta, t));
            for (unsigned i = 0; i < t->warp_count; i++) {
                follow_warp(&t->warp[i], k);
            }
        }
    }
    cta_trace_destroy(t);
}

/* A load whose value is only ever lost. */
static unsigned report_lost_loads(const struct workload *w, const struct kernel_loads *k) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < k->code->insn_count; i++) {
        if (k->lost[i] && !k->read[i] && !is_never_used(k->code, &k->code->insns[i])) {
            print_message("%s: %s[%u], register %u: lost %llu times, never read\n", w->name,
                          k->code->name, i, k->code->insns[i].dst, (unsigned long long)k->lost[i]);
            wrong++;
        }
    }
    return wrong;
}

TEST(a_loaded_value_is_read_before_another_load_takes_its_register) {
    unsigned wrong = 0, programs = 0;
    for (unsigned i = 0; workload_at(i); i++) {
        const struct workload *w = workload_at(i);
        struct run_loads r = {.kernels = 0};
        struct program p;
        assert_null(workload_open(w, &p, SIZE_TINY, SEED));
        follow_run(&p, &r);
        for (unsigned j = 0; j < r.kernels; j++) {
            wrong += report_lost_loads(w, &r.kernel[j]);
            free(r.kernel[j].read);
            free(r.kernel[j].lost);
        }
        workload_close(w, &p);
        programs++;
    }
    assert_true(programs >= 20);
    assert_int_equal(wrong, 0);
}
