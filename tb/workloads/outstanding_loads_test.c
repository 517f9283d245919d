/* SPDX-License-Identifier: Apache-2.0
 *
 * The registers of kernels, as an issue in order with a scoreboard sees them: which loads of a warp
 * can be outstanding together, and which value nobody waits for.
 */
#include "workloads/rodinia_records.h"

#define CODE_MAX 512

/* A warp's loads that no instruction has read yet, and what was seen of one kernel. */
struct flow {
    const char *kernel;
    unsigned most; /* of them in global memory at once */
    bool read[CODE_MAX], executed[CODE_MAX];
    unsigned overwritten; /* an instruction, from 1, that waits for a load which nobody reads */
    /* Private. */
    const struct kernel_code *code;
    struct place last;
    const struct insn *unread[REG_COUNT];
};

static void read_register(struct flow *f, unsigned reg) {
    if (reg != REG_NONE && f->unread[reg]) {
        f->read[f->unread[reg] - f->code->insns] = true;
        f->unread[reg] = NULL;
    }
}

static void follow_outstanding_loads(void *self, const struct place *at) {
    struct flow *f = self;
    const struct insn *i = at->op->insn;
    unsigned outstanding = 0;
    if (strcmp(at->what->code->name, f->kernel) != 0 || insn_is_marker(i)) {
        return;
    }
    if (!f->code || f->last.launch != at->launch || f->last.cta != at->cta ||
        f->last.warp != at->warp) {
        memset(f->unread, 0, sizeof f->unread);
        f->code = at->what->code;
        f->last = *at;
        assert_true(f->code->insn_count <= CODE_MAX);
    }
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        read_register(f, i->src[s]);
    }
    f->executed[i - f->code->insns] = true;
    if (i->dst == REG_NONE) {
        return;
    }
    if (f->unread[i->dst]) {
        f->overwritten = (unsigned)(i - f->code->insns) + 1;
    }
    f->unread[i->dst] = i->op == OP_LOAD ? i : NULL;
    for (unsigned r = 0; r < REG_COUNT; r++) {
        outstanding += f->unread[r] && f->unread[r]->space == SPACE_GLOBAL;
    }
    f->most = outstanding > f->most ? outstanding : f->most;
}

static struct flow flow_of(const char *program, const char *kernel) {
    struct program p;
    struct flow f = {.kernel = kernel};
    records_open(program, &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, follow_outstanding_loads, &f);
    workload_close(workload_find(program), &p);
    assert_non_null(f.code);
    return f;
}

/* Loads that stand side by side in the source, by the names of what they load. */
TEST(independent_loads_are_outstanding_together) {
    static const struct {
        const char *program, *kernel;
        unsigned loads;
    } kernels[] = {
        {"pvr", "scan_prescan", 2}, /* both elements of a thread */
        {"pvc", "pvc_map", 3},      /* file, offset, phase; in EMIT written and two sums */
        {"pvc", "pvc_sort", 4},     /* file and offset of both keys, where hashes are equal */
        {"pvr", "pvr_sort", 2},     /* both entries, then both keys */
        {"ssc", "ssc_map", 4},      /* matrix, documents, features */
        {"iix", "iix_count", 3},    /* offset, file, size */
        {"spmv-scalar", "spmv_scalar", 2},   /* begin and end; column and value */
        {"spmv-vector", "spmv_vector", 2},   /* the same */
        {"parboil-spmv", "parboil_spmv", 2}, /* index and value, then x and value */
        {"memc", "memc_get", 3},             /* three words of the key */
        {"gc", "gc_mark", 1},                /* each leads to the next */
    };
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct flow f = flow_of(kernels[i].program, kernels[i].kernel);
        print_message("%s: %u loads\n", kernels[i].kernel, f.most);
        assert_int_equal(f.most, kernels[i].loads);
    }
}

/* A register that is written while a load to it is outstanding makes the warp wait for nothing. Not
 * in IIX's walk: its automaton loads the byte of each step before it looks at its state, and a link
 * is read from that same byte on. */
TEST(nothing_waits_for_a_load_that_nobody_reads) {
    static const char *const kernels[][2] = {
        {"pvc", "pvc_count"},
        {"pvc", "pvc_map"},
        {"pvc", "pvc_sort"},
        {"pvc", "pvc_boundary"},
        {"pvc", "pvc_reduce"},
        {"pvc", "pvc_reduce_count"},
        {"pvc", "mars_copy_chunks"},
        {"pvr", "pvr_map"},
        {"pvr", "pvr_sort"},
        {"ssc", "ssc_map"},
        {"ssc", "ssc_sort"},
        {"iix", "iix_sort"},
        {"pvr", "scan_prescan"},
        {"pvr", "scan_add"},
        {"memc", "memc_get"},
        {"gc", "gc_mark"},
        {"spmv-vector", "spmv_vector"},
        {"spmv-scalar", "spmv_scalar"},
        {"parboil-spmv", "parboil_spmv"},
    };
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct flow f = flow_of(kernels[i][0], kernels[i][1]);
        if (f.overwritten) {
            fail_msg("%s: instruction %u overwrites a load", f.kernel, f.overwritten - 1);
        }
    }
}

/* Every loaded value is used, but for the Reducer's, which loads a group's range and the key's size
 * and needs neither, as its original does. */
TEST(each_loaded_value_is_read) {
    static const char *const kernels[][2] = {
        {"pvc", "pvc_count"},
        {"pvc", "pvc_map"},
        {"pvc", "pvc_sort"},
        {"pvc", "pvc_boundary"},
        {"pvr", "mars_get_pieces"},
        {"pvr", "mars_get_sizes"},
        {"pvr", "mars_copy_chunks"},
        {"pvr", "mars_set_pieces"},
        {"pvr", "mars_write_boundary"},
        {"pvr", "mars_set_boundary"},
        {"ssc", "ssc_map"},
        {"iix", "iix_count"},
        {"pvr", "scan_prescan"},
        {"pvr", "scan_add"},
        {"memc", "memc_get"},
        {"gc", "gc_mark"},
        {"spmv-vector", "spmv_vector"},
        {"spmv-scalar", "spmv_scalar"},
        {"parboil-spmv", "parboil_spmv"},
    };
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct flow f = flow_of(kernels[i][0], kernels[i][1]);
        for (unsigned n = 0; n < f.code->insn_count; n++) {
            if (f.executed[n] && f.code->insns[n].op == OP_LOAD && !f.read[n]) {
                fail_msg("%s: nobody reads what instruction %u loads", f.kernel, n);
            }
        }
    }
}
