/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycles of each kernel of a run: launches of one name together; all kernels add up to the run.
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/kernels.h"
#include "gpu/machine_run.h"
#include "workloads/workload.h"

/* Launches of one warp each, of so many instructions: a, b, a. */
enum { FIRST_A = 10, B = 20, SECOND_A = 30 };
static const unsigned length[] = {FIRST_A, B, SECOND_A};
static const struct insn work[] = {ALU(REG_NONE, NO)};

WARP_WRITER(put_work) {
    for (unsigned i = 0; i < length[launch]; i++) {
        put_insn(s, 0);
    }
}

static const struct {
    bool poll, reverse;
} ways[] = {{false, false}, {true, false}, {false, true}, {true, true}};
enum { WAYS = sizeof ways / sizeof *ways };

static struct gpu_kernels run_program(const struct config *c, struct gpu_options o, unsigned way,
                                      struct program *p, enum gpu_status want, uint64_t *cycles) {
    char error[256];
    o.poll = ways[way].poll;
    o.reverse = ways[way].reverse;
    struct gpu *g = gpu_create(c, &o, error, sizeof error);
    assert_non_null(g);
    assert_int_equal(gpu_run(g, p), want);
    *cycles = gpu_cycles(g);
    struct gpu_kernels k = gpu_take_kernels(g);
    gpu_destroy(g);
    return k;
}

static void run_by_hand(struct gpu_kernels *k, struct gpu_options o, unsigned way,
                        enum gpu_status want) {
    struct config c = base_preset(); /* one warp instruction a cycle */
    struct hand_program p;
    struct kernel_code b;
    uint64_t cycles;
    c.core.count = c.core.schedulers = 1;
    hand_open(&p, work, 1, 1, WARP_SIZE);
    b = p.code;
    p.code.name = "a";
    b.name = "b";
    hand_launch(&p, 1, WARP_SIZE);
    hand_launch(&p, 1, WARP_SIZE);
    p.launch[1].code = &b;
    p.warp = put_work;
    *k = run_program(&c, o, way, &p.program, want, &cycles);
}

static void assert_kernel(const struct gpu_kernel *k, const char *name, uint64_t launches,
                          uint64_t capped, bool complete, uint64_t cycles) {
    assert_string_equal(k->name, name);
    assert_true(k->launches == launches && k->capped_launches == capped);
    assert_int_equal(k->complete, complete);
    assert_true(k->cycles == cycles && k->warp_instructions == cycles);
    assert_true(k->thread_instructions == WARP_SIZE * cycles);
}

TEST(launches_of_one_name_are_one_kernel_where_it_first_began) {
    for (unsigned way = 0; way < WAYS; way++) {
        CLOSED_BY(gpu_kernels_free) struct gpu_kernels k;
        run_by_hand(&k, (struct gpu_options){0}, way, GPU_COMPLETE);
        assert_int_equal(k.count, 2);
        assert_kernel(&k.kernel[0], "a", 2, 0, true, FIRST_A + SECOND_A);
        assert_kernel(&k.kernel[1], "b", 1, 0, true, B);
    }
}

TEST(the_kernel_in_which_a_run_is_cut_is_incomplete) {
    for (unsigned way = 0; way < WAYS; way++) {
        CLOSED_BY(gpu_kernels_free) struct gpu_kernels k;
        run_by_hand(&k, (struct gpu_options){.max_cycles = FIRST_A + 1}, way, GPU_LIMIT);
        assert_int_equal(k.count, 2);
        assert_kernel(&k.kernel[0], "a", 1, 0, true, FIRST_A);
        assert_kernel(&k.kernel[1], "b", 1, 0, false, 1);
        gpu_kernels_free(&k);
        run_by_hand(&k, (struct gpu_options){.max_insn = (FIRST_A + B + 2) * WARP_SIZE}, way,
                    GPU_LIMIT);
        assert_kernel(&k.kernel[0], "a", 2, 0, false, FIRST_A + 2);
        assert_kernel(&k.kernel[1], "b", 1, 0, true, B);
    }
}

/* The launch that would begin in the cycle after has not. */
TEST(a_kernel_that_ends_in_the_last_cycle_allowed_is_complete) {
    for (unsigned way = 0; way < WAYS; way++) {
        CLOSED_BY(gpu_kernels_free) struct gpu_kernels k;
        run_by_hand(&k, (struct gpu_options){.max_cycles = FIRST_A}, way, GPU_LIMIT);
        assert_int_equal(k.count, 1);
        assert_kernel(&k.kernel[0], "a", 1, 0, true, FIRST_A);
    }
}

TEST(launches_cut_at_their_cap_are_counted) {
    enum { CAP = 15 };
    for (unsigned way = 0; way < WAYS; way++) {
        CLOSED_BY(gpu_kernels_free) struct gpu_kernels k;
        run_by_hand(&k, (struct gpu_options){.max_insn_per_kernel = CAP * WARP_SIZE}, way,
                    GPU_COMPLETE);
        assert_kernel(&k.kernel[0], "a", 2, 1, true, FIRST_A + CAP);
        assert_kernel(&k.kernel[1], "b", 1, 1, true, CAP);
    }
}

static void assert_same_kernels(const struct gpu_kernels *a, const struct gpu_kernels *b) {
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++) {
        const struct gpu_kernel *x = &a->kernel[i], *y = &b->kernel[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->launches == y->launches && x->capped_launches == y->capped_launches);
        assert_true(x->complete == y->complete && x->cycles == y->cycles);
        assert_true(x->warp_instructions == y->warp_instructions);
        assert_true(x->thread_instructions == y->thread_instructions);
    }
}

static void run_kernels_of_workload(struct gpu_kernels *k, const char *name, uint64_t max_cycles,
                                    uint64_t max_insn, unsigned way) {
    const struct workload *w = workload_find(name);
    struct config c = base_preset();
    struct program p;
    uint64_t cycles, sum = 0;
    assert_non_null(w);
    assert_null(workload_open(w, &p, SIZE_TINY, 1));
    *k = run_program(&c, (struct gpu_options){.max_cycles = max_cycles, .max_insn = max_insn}, way,
                     &p, max_cycles || max_insn ? GPU_LIMIT : GPU_COMPLETE, &cycles);
    workload_close(w, &p);
    for (unsigned i = 0; i < k->count; i++) {
        sum += k->kernel[i].cycles;
    }
    assert_true(sum == cycles);
}

TEST(kernels_add_up_to_the_run_however_it_is_evaluated_and_cut) {
    static const struct {
        const char *name;
        uint64_t max_cycles, max_insn;
        unsigned kernels;
    } cases[] = {{"ispass-nn", 0, 0, 3}, /* 4 launches */
                 {"sp", 9999, 0, 1},
                 {"sp", 65537, 0, 2},
                 {"sp", 0, 1800000, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_kernels first, other;
        run_kernels_of_workload(&first, cases[i].name, cases[i].max_cycles, cases[i].max_insn, 0);
        assert_true(first.count >= cases[i].kernels);
        for (unsigned way = 1; way < WAYS; way++) {
            run_kernels_of_workload(&other, cases[i].name, cases[i].max_cycles, cases[i].max_insn,
                                    way);
            assert_same_kernels(&first, &other);
            gpu_kernels_free(&other);
        }
        gpu_kernels_free(&first);
    }
}

WARP_WRITER(put_more_each) {
    for (unsigned i = 0; i <= launch; i++) {
        put_insn(s, 0);
    }
}

/* More of them than there is room for at first. */
TEST(a_run_may_have_many_kernels) {
    struct config c = base_preset();
    struct hand_program p;
    struct kernel_code codes[HAND_LAUNCHES_MAX];
    char names[HAND_LAUNCHES_MAX][8];
    uint64_t cycles;
    c.core.count = c.core.schedulers = 1;
    hand_open(&p, work, 1, 1, WARP_SIZE);
    for (unsigned i = 1; i < HAND_LAUNCHES_MAX; i++) {
        hand_launch(&p, 1, WARP_SIZE);
    }
    for (unsigned i = 0; i < HAND_LAUNCHES_MAX; i++) {
        snprintf(names[i], sizeof names[i], "k%u", i);
        codes[i] = p.code;
        codes[i].name = names[i];
        p.launch[i].code = &codes[i];
    }
    p.warp = put_more_each;
    CLOSED_BY(gpu_kernels_free)
    struct gpu_kernels k =
        run_program(&c, (struct gpu_options){0}, 0, &p.program, GPU_COMPLETE, &cycles);
    assert_int_equal(k.count, HAND_LAUNCHES_MAX);
    for (unsigned i = 0; i < HAND_LAUNCHES_MAX; i++) {
        assert_kernel(&k.kernel[i], names[i], 1, 0, true, i + 1);
    }
}
