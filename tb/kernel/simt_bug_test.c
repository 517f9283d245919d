/* SPDX-License-Identifier: Apache-2.0
 *
 * Bugs of a kernel stop the program, with a message.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "kernel/simt.h"

enum {
    LOAD,
    STORE,
    LOAD_SHARED,
    ALU,
    BRANCH,
    INSN_LOOP_NAMES(LOOP),
    CHANGE,
    LOAD_LOCAL,
    INSN_COUNT
};

static const struct insn insns[] = {
    INSN_LOAD(LOAD, SPACE_GLOBAL, 4, 1, 0),
    INSN_STORE(STORE, SPACE_GLOBAL, 4, 1, 0),
    INSN_LOAD(LOAD_SHARED, SPACE_SHARED, 4, 1, 0),
    INSN_ALU(ALU, OP_INT_ADD, 1, 1, 1),
    INSN_BRANCH(BRANCH, 1),
    INSN_LOOP(LOOP),
    INSN_ATOMIC(CHANGE, REG_NONE, 0, 1),
    INSN_LOAD(LOAD_LOCAL, SPACE_LOCAL, 4, 1, 0),
};
static const struct kernel_code code = {.name = "test",
                                        .insns = insns,
                                        .insn_count = INSN_COUNT,
                                        .registers = 8,
                                        .shared_bytes = 1024 * 4,
                                        .local_bytes = 8,
                                        .local_ctas = 1};

#define ELEMENTS 4096

struct bench {
    struct simt *simt;
    struct cta_trace *trace;
    struct device_memory memory;
    struct buffer in;
};

static int setup_bug_bench(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->simt = simt_create();
    b->trace = cta_trace_create();
    assert_true(device_memory_alloc(&b->memory, &b->in, ELEMENTS, 4));
    *state = b;
    return 0;
}

static int teardown_bug_bench(void **state) {
    FREED struct bench *b = *state;
    simt_destroy(b->simt);
    cta_trace_destroy(b->trace);
    device_memory_free(&b->memory);
    return 0;
}

#define BENCH_TEST(name) TEST_OF(name, NULL, NULL, struct bench *b)

static void correct_kernel(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    simt_load(s, LOAD, value, &b->in, element_x(ELEMENTS - 64, 1));
    simt_store(s, STORE, value, &b->in, element_x(63, -1));
}

static void past_the_end(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    simt_load(s, LOAD, value, &b->in, element_x(ELEMENTS - 40, 1)); /* warp 1 lane 8 is outside */
}

static void before_the_start(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS] = {0};
    simt_store(s, STORE, value, &b->in, element_x(5, -1));
}

static void into_the_start(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    simt_load(s, LOAD, value, &b->in, element_x(-5, 1));
}

static void wild_index(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS], index[SIMT_THREADS] = {[45] = ELEMENTS};
    simt_load(s, LOAD, value, &b->in, element_lane(index));
}

static void wrong_width(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    double value[SIMT_THREADS];
    simt_load(s, LOAD, value, &b->in, element_at(0));
}

static void wrong_space(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS];
    simt_load(s, LOAD_SHARED, value, &b->in, element_at(0));
}

static void store_with_a_load(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS] = {0};
    simt_store(s, LOAD, value, &b->in, element_at(0));
}

static void shared_too_large(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_shared(s, 4, 1024, 4);
}

static void unfinished_if(struct simt *s, const void *arguments) {
    (void)arguments;
    struct simt_mask all;
    SIMT_WHERE(s, all, t, true);
    SIMT_IF(s, BRANCH, &all) {
        break;
    }
}

static void else_alone(struct simt *s, const void *arguments) {
    (void)arguments;
    SIMT_FOR(s, LOOP, i, 1) {
        simt_alu(s, ALU);
    }
    SIMT_ELSE(s) {
        simt_alu(s, ALU);
    }
}

static void break_outside(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_break(s);
}

static void too_deep(struct simt *s, const void *arguments) {
    struct simt_mask all;
    SIMT_WHERE(s, all, t, true);
    SIMT_IF(s, BRANCH, &all) {
        too_deep(s, arguments);
    }
}

static void atomic_with_a_load(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS] = {0};
    simt_atomic(s, LOAD, SIMT_ADD, NULL, value, NULL, &b->in, element_at(0));
}

static void swap_without_compare(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS] = {0};
    simt_atomic(s, CHANGE, SIMT_CAS, NULL, value, NULL, &b->in, element_at(0));
}

static void change_outside(struct simt *s, const void *arguments) {
    const struct bench *b = arguments;
    int32_t value[SIMT_THREADS] = {0};
    simt_atomic(s, CHANGE, SIMT_ADD, NULL, value, NULL, &b->in, element_x(ELEMENTS - 2, 1));
}

static void local_too_large(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_local(s, 4, 2, 4);
}

static void past_local_memory(struct simt *s, const void *arguments) {
    (void)arguments;
    int32_t value[SIMT_THREADS];
    struct buffer two = simt_local(s, 0, 2, 4);
    simt_load(s, LOAD_LOCAL, value, &two, element_at(2));
}

static void waits_alone(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_grid_barrier(s);
}

static void alu_at_a_load(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_alu(s, LOAD);
}

static void no_such_instruction(struct simt *s, const void *arguments) {
    (void)arguments;
    simt_alu(s, INSN_COUNT);
}

/* Runs the kernel in a child, which must abort; compares what it says with the words expected. */
static void assert_kernel_dies(struct bench *b, simt_kernel *kernel, const char *words) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct launch l = {&code, {1, 1, 1}, {64, 1, 1}};
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        simt_run(b->simt, &l, 0, b->trace, kernel, b);
        _exit(0);
    }
    close(ends[1]);
    char text[1024] = "";
    size_t used = 0;
    ssize_t n;
    while ((n = read(ends[0], text + used, sizeof text - 1 - used)) > 0) {
        used += (size_t)n;
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    if (!strstr(text, words)) {
        print_message("said: %s", text);
        fail();
    }
}

BENCH_TEST(an_access_outside_its_buffer_is_caught) {
    assert_kernel_dies(
        b, past_the_end,
        "kernel test, CTA (0, 0, 0), pc 0x0: warp 1 lane 8 loads address 0x80004000, "
        "outside 0x80000000 .. 0x80003fff");
    assert_kernel_dies(b, before_the_start,
                       "pc 0x8: warp 0 lane 6 stores to address 0x7ffffffc, outside");
    assert_kernel_dies(b, into_the_start,
                       "pc 0x0: warp 0 lane 0 loads address 0x7fffffec, outside");
    assert_kernel_dies(b, wild_index, "pc 0x0: warp 1 lane 13 loads address 0x80004000, outside");
}

BENCH_TEST(a_wrong_instruction_is_caught) {
    assert_kernel_dies(b, wrong_width, "values of 8 bytes, from elements of 4 bytes");
    assert_kernel_dies(b, wrong_space, "another memory space");
    assert_kernel_dies(b, store_with_a_load, "not a store");
    assert_kernel_dies(b, alu_at_a_load, "not an arithmetic instruction");
    assert_kernel_dies(b, atomic_with_a_load, "not an atomic");
    assert_kernel_dies(b, swap_without_compare, "without something to compare with");
    assert_kernel_dies(b, change_outside, "warp 0 lane 2 changes address 0x80004000, outside");
    assert_kernel_dies(b, local_too_large, "local array of 2 x 4 bytes at 4, of 8 bytes");
    assert_kernel_dies(b, past_local_memory, "loads address 0x100000200, outside 0x100000000 .. ");
    assert_kernel_dies(b, waits_alone, "it waits for other CTAs");
    assert_kernel_dies(b, no_such_instruction, "instruction 10 of 10");
    assert_kernel_dies(b, shared_too_large, "shared array of 1024 x 4 bytes at 4, of 4096 bytes");
}

BENCH_TEST(control_flow_out_of_place_is_caught) {
    assert_kernel_dies(b, unfinished_if, "1 ifs or loops are not finished");
    assert_kernel_dies(b, else_alone, "an else without an if");
    assert_kernel_dies(b, break_outside, "not in a loop");
    assert_kernel_dies(b, too_deep, "more than 16 ifs and loops inside each other");
}

BENCH_TEST(accesses_up_to_the_ends_are_not) {
    const struct launch l = {&code, {1, 1, 1}, {64, 1, 1}};
    assert_true(simt_run(b->simt, &l, 0, b->trace, correct_kernel, b));
}

TEST_GROUP(setup_bug_bench, teardown_bug_bench)
