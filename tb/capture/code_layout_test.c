/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of kernels, the code that is made of them, and random walks through random code.
 */
#include "base/seeded.h"
#include "capture/hand_made.h"

#define BLOCKS 12
#define STEPS_MAX 300

static struct table_insn plain_insn(uint8_t op, uint32_t dst, uint32_t a, uint32_t b) {
    return (struct table_insn){
        .op = op, .access = ACCESS_NONE, .dst = dst, .src = {a, b, VALUE_NONE, VALUE_NONE}};
}

static void assert_same_table(const struct kernel_table *a, const struct kernel_table *b) {
    size_t count_a, count_b;
    uint32_t *x = kernel_table_write(a, &count_a), *y = kernel_table_write(b, &count_b);
    assert_int_equal(count_a, count_b);
    assert_memory_equal(x, y, count_a * sizeof *x);
    free(x);
    free(y);
}

TEST(a_table_is_read_as_it_was_written) {
    const char *const lines[] = {"br > 1 2", "load any bar > 2", "store > 1 3", "call > 4",
                                 "alu",      "f: alu",           NULL};
    struct kernel_table *t = make_hand_made(lines);
    const char *wrong;
    size_t count;
    t->insns[1].line = 0x12345;
    t->insns[1].uncached = 1;
    uint32_t *numbers = kernel_table_write(t, &count);
    struct kernel_table *back = kernel_table_parse(numbers, count, &wrong);
    assert_non_null(back);
    assert_same_table(t, back);
    assert_string_equal(back->name, "hand_made");
    assert_true(back->blocks[3].calls && back->blocks[5].entry);
    assert_int_equal(back->function_block, 5);
    kernel_table_destroy(back);
    for (size_t shorter = 0; shorter < count; shorter++) {
        assert_null(kernel_table_parse(numbers, shorter, &wrong));
    }
    free(numbers);
    kernel_table_destroy(t);
}

TEST(a_table_with_any_changed_number_is_refused_or_makes_code) {
    const char *const lines[] = {"br > 1 2", "load any bar > 2", "store > 1 3", "call > 4",
                                 "alu",      "f: alu",           NULL};
    struct kernel_table *t = make_hand_made(lines);
    struct rng rng = seeded_rng(1);
    const char *wrong;
    size_t count;
    unsigned refused = 0, read = 0;
    uint32_t *numbers = kernel_table_write(t, &count);
    for (unsigned i = 0; i < 20000; i++) {
        const size_t at = rng_below(&rng, (unsigned)count);
        const uint32_t before = numbers[at];
        numbers[at] ^=
            rng_chance(&rng, 1, 2) ? 1u << rng_below(&rng, 32) : (uint32_t)rng_next(&rng);
        struct kernel_table *back = kernel_table_parse(numbers, count, &wrong);
        refused += !back;
        if (back) {
            struct code_layout *l = code_layout_create(back, &wrong);
            read += l != NULL;
            code_layout_destroy(l);
        }
        kernel_table_destroy(back);
        numbers[at] = before;
    }
    assert_true(refused > 1000 && read > 1000);
    free(numbers);
    kernel_table_destroy(t);
}

/* sum = a; for (i) sum += load(i): value 0 is i, 1 the sum, 2 what is loaded, 3 set before the loop
 * and read in it. */
TEST(a_value_that_a_loop_needs_again_keeps_its_register) {
    const char *const lines[] = {"alu > 1", "alu alu alu br > 1 2", "alu", NULL};
    struct kernel_table *t = make_hand_made(lines);
    const char *wrong;
    t->value_count = 5;
    free(t->value_words);
    t->value_words = calloc(5, 1);
    memset(t->value_words, 1, 5);
    t->value_words[0] = 2;
    t->insns[0] = plain_insn(OP_INT_ADD, 3, VALUE_NONE, VALUE_NONE);
    t->insns[1] = plain_insn(OP_INT_ADD, 2, 0, 3);
    t->insns[2] = plain_insn(OP_FP_ADD, 1, 1, 2);
    t->insns[3] = plain_insn(OP_INT_ADD, 0, 0, VALUE_NONE);
    t->insns[5] = plain_insn(OP_INT_ADD, 4, 1, VALUE_NONE);
    struct code_layout *l = code_layout_create(t, &wrong);
    const struct insn *code = l->code.insns; /* 0: before the loop; 1, 2, 3: its markers */
    assert_int_equal(code[5].src[0], code[5].dst);
    assert_int_equal(code[6].src[0], code[6].dst);
    assert_true(code[4].dst != code[0].dst && code[4].dst != code[5].dst &&
                code[4].dst != code[6].dst && code[0].dst != code[5].dst &&
                code[0].dst != code[6].dst && code[5].dst != code[6].dst);
    assert_int_equal(code[8].src[0], code[5].dst);
    assert_int_equal(l->code.registers, 5); /* i takes two */
    code_layout_destroy(l);
    kernel_table_destroy(t);
}

TEST(values_that_do_not_live_together_share_a_register) {
    struct kernel_table *t = make_hand_made((const char *const[]){"alu alu alu alu", NULL});
    const char *wrong;
    t->value_count = 4;
    free(t->value_words);
    t->value_words = calloc(4, 1);
    memset(t->value_words, 1, 4);
    for (uint32_t v = 0; v < 4; v++) {
        t->insns[v] = plain_insn(OP_INT_ADD, v, v ? v - 1 : VALUE_NONE, VALUE_NONE);
    }
    struct code_layout *l = code_layout_create(t, &wrong);
    assert_int_equal(l->code.registers, 1);
    assert_int_equal(l->code.insns[0].dst, l->code.insns[2].dst);
    assert_int_equal(l->code.insns[3].dst, REG_NONE); /* nothing reads it */
    code_layout_destroy(l);
    kernel_table_destroy(t);
}

/* for (...) { x = sum + 1; y = x + 1; sum = y + 1; }: each is elsewhere while the others live. */
TEST(a_sum_needs_no_register_between_its_use_and_its_next_value) {
    const char *const lines[] = {"alu > 1", "alu alu alu br > 1 2", "alu", NULL};
    struct kernel_table *t = make_hand_made(lines);
    const char *wrong;
    t->value_count = 3;
    free(t->value_words);
    t->value_words = malloc(3);
    memset(t->value_words, 4, 3);
    t->insns[0] = plain_insn(OP_INT_ADD, 0, VALUE_NONE, VALUE_NONE);
    t->insns[1] = plain_insn(OP_INT_ADD, 1, 0, VALUE_NONE);
    t->insns[2] = plain_insn(OP_INT_ADD, 2, 1, VALUE_NONE);
    t->insns[3] = plain_insn(OP_INT_ADD, 0, 2, VALUE_NONE);
    t->insns[5] = plain_insn(OP_INT_ADD, VALUE_NONE, 0, VALUE_NONE);
    struct code_layout *l = code_layout_create(t, &wrong);
    assert_int_equal(l->code.registers, 4);
    code_layout_destroy(l);
    kernel_table_destroy(t);
}

TEST(more_values_than_registers_share_them) {
    struct kernel_table *t = make_hand_made((const char *const[]){"alu", NULL});
    const char *wrong;
    enum { VALUES = 600 };
    free(t->value_words);
    free(t->insns);
    t->value_words = malloc(VALUES);
    t->insns = calloc(2 * VALUES, sizeof *t->insns);
    memset(t->value_words, 1, VALUES);
    t->value_count = VALUES;
    t->insn_count = t->blocks[0].count = 2 * VALUES;
    for (uint32_t v = 0; v < VALUES; v++) {
        t->insns[v] = plain_insn(OP_INT_ADD, v, VALUE_NONE, VALUE_NONE);
        t->insns[VALUES + v] = plain_insn(OP_INT_ADD, VALUE_NONE, v, VALUE_NONE);
    }
    struct code_layout *l = code_layout_create(t, &wrong);
    assert_non_null(l);
    assert_int_equal(l->code.registers, 255);
    for (uint32_t i = 0; i < 2 * VALUES; i++) {
        assert_int_equal(
            i < VALUES ? l->code.insns[i].dst == REG_NONE : l->code.insns[i].src[0] == REG_NONE, 0);
    }
    code_layout_destroy(l);
    kernel_table_destroy(t);
}

TEST(code_that_a_trace_cannot_name_is_refused) {
    struct kernel_table *t = make_hand_made((const char *const[]){"alu", NULL});
    const char *wrong;
    enum { INSNS = WARP_STREAM_INSNS_MAX + 1 };
    free(t->insns);
    t->insns = calloc(INSNS, sizeof *t->insns);
    t->insn_count = t->blocks[0].count = INSNS;
    assert_null(code_layout_create(t, &wrong));
    assert_says(wrong, "65536");
    t->insn_count = t->blocks[0].count = 0;
    assert_null(code_layout_create(t, &wrong));
    assert_says(wrong, "must have one");
    kernel_table_destroy(t);
}

/* --- Random walks. --- */

static void draw_lines(struct rng *rng, char lines[BLOCKS + 1][80], const char *at[BLOCKS + 1]) {
    for (unsigned b = 0; b < BLOCKS; b++) {
        size_t used = (size_t)sprintf(lines[b], "alu%s%s", rng_chance(rng, 1, 3) ? " any" : "",
                                      b + 1 < BLOCKS && rng_chance(rng, 1, 6) ? " bar" : "");
        bool barrier = strstr(lines[b], "bar");
        unsigned edges = b + 1 == BLOCKS ? 0 : barrier ? 1 : 1 + rng_below(rng, 3);
        for (unsigned e = 0; e < edges; e++) {
            used +=
                (size_t)sprintf(lines[b] + used, "%s %u", e ? "" : " >", rng_below(rng, BLOCKS));
        }
        at[b] = lines[b];
    }
    at[BLOCKS] = NULL;
}

/* Blocks of a walk, in pieces; false: it does not end soon. */
static bool draw_walk(struct rng *rng, const struct kernel_table *t, uint32_t *walk,
                      unsigned *steps) {
    const struct block_graph *g = &t->graph;
    uint32_t b = 0;
    for (*steps = 0; *steps < STEPS_MAX;) {
        walk[(*steps)++] = b;
        const uint32_t edges = g->first[b + 1] - g->first[b];
        if (!edges) {
            return true;
        }
        b = g->target[g->first[b] + rng_below(rng, edges)];
    }
    return false;
}

/* Records the walk from *at on, to its next barrier or end. */
static void record_walk(struct recorder *r, const struct kernel_table *t, unsigned thread,
                        const uint32_t *walk, unsigned steps, unsigned *at) {
    bool more = *at < steps;
    while (more) {
        const uint32_t b = walk[(*at)++];
        recorder_put_block(r, &r->thread[thread], b);
        for (uint32_t i = 0; i < t->blocks[b].accesses; i++) {
            recorder_put_access(r, &r->thread[thread],
                                (*at + thread) % 3 ? SPACE_GLOBAL : SPACE_SHARED, 4 * *at);
        }
        more = *at < steps && !t->blocks[b].barrier;
    }
}

/* Each lane's records are its own walk, and no more. */
static uint64_t check_records(const struct hand_made *h, uint32_t walks[][STEPS_MAX],
                              const unsigned *steps) {
    unsigned at[WARP_SIZE] = {0};
    uint64_t executed = 0;
    struct warp_cursor c;
    struct warp_op op;
    warp_cursor_open(&c, &h->cta->warp[0], &h->layout->code);
    while (warp_cursor_next(&c, &op)) {
        const uint32_t index = (uint32_t)(op.insn - h->layout->code.insns);
        if (op.insn->op != OP_INT_ADD) {
            continue;
        }
        executed++;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            if (op.active >> lane & 1) {
                assert_true(at[lane] < steps[lane]);
                const struct layout_block *b = &h->layout->blocks[walks[lane][at[lane]++]];
                assert_int_equal(h->layout->items[b->first].index, index);
            }
        }
    }
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        assert_int_equal(at[lane], steps[lane]);
    }
    return executed;
}

static uint64_t align_walks(const char *const *lines, uint32_t walks[][STEPS_MAX],
                            const unsigned *steps, enum aligner_rule rule) {
    struct hand_made h;
    unsigned at[WARP_SIZE] = {0};
    open_hand_made(&h, lines, rule);
    aligner_begin_cta(h.aligner, WARP_SIZE, h.cta);
    bool more = true;
    while (more) {
        more = false;
        recorder_clear(h.recorder, 0, WARP_SIZE);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            record_walk(h.recorder, h.table, lane, walks[lane], steps[lane], &at[lane]);
            more |= at[lane] < steps[lane];
        }
        if (!aligner_run(h.aligner, 0, h.recorder->thread)) {
            fail_msg("%s", aligner_error(h.aligner));
        }
    }
    assert_true(aligner_end_cta(h.aligner));
    const uint64_t executed = check_records(&h, walks, steps);
    close_hand_made(&h);
    return executed;
}

TEST(each_lane_of_random_code_executes_its_own_walk) {
    struct rng rng = seeded_rng(2);
    static uint32_t walks[WARP_SIZE][STEPS_MAX];
    unsigned steps[WARP_SIZE], tried = 0;
    char text[BLOCKS + 1][80];
    const char *lines[BLOCKS + 1];
    uint64_t smallest = 0, stack = 0;
    for (unsigned i = 0; i < 600; i++) {
        draw_lines(&rng, text, lines);
        struct kernel_table *t = make_hand_made(lines);
        bool ends = true;
        for (unsigned lane = 0; lane < WARP_SIZE && ends; lane++) {
            ends = draw_walk(&rng, t, walks[lane], &steps[lane]);
        }
        kernel_table_destroy(t);
        if (ends) {
            smallest += align_walks(lines, walks, steps, ALIGN_SMALLEST);
            stack += align_walks(lines, walks, steps, ALIGN_STACK);
            tried++;
        }
    }
    assert_true(tried > 100);
    assert_true(smallest && stack);
}

/* Most streams get a word of noise, or lose one. */
static void spoil_stream(struct thread_stream *s, struct rng *rng) {
    const uint64_t kind = rng_chance(rng, 1, 2) ? RECORDER_BLOCK : rng_below(rng, 8);
    const uint64_t value = rng_chance(rng, 3, 4) ? rng_below(rng, BLOCKS + 1) : rng_next(rng) >> 3;
    switch (rng_below(rng, 3)) {
    case 0:
        s->words[rng_below(rng, (uint32_t)s->count)] = kind << RECORDER_KIND_SHIFT | value;
        break;
    case 1: s->count--; break;
    default: break;
    }
}

TEST(streams_with_noise_are_refused_or_a_warp) {
    struct rng rng = seeded_rng(3);
    static uint32_t walk[STEPS_MAX];
    unsigned steps, at, refused = 0, taken = 0;
    char text[BLOCKS + 1][80];
    const char *lines[BLOCKS + 1];
    for (unsigned i = 0; i < 3000; i++) {
        struct hand_made h;
        draw_lines(&rng, text, lines);
        open_hand_made(&h, lines, i & 1 ? ALIGN_STACK : ALIGN_SMALLEST);
        aligner_begin_cta(h.aligner, 2, h.cta);
        for (unsigned lane = 0; lane < 2; lane++) {
            draw_walk(&rng, h.table, walk, &steps);
            at = 0;
            record_walk(h.recorder, h.table, lane, walk, steps, &at);
            spoil_stream(&h.recorder->thread[lane], &rng);
        }
        const bool good = aligner_run(h.aligner, 0, h.recorder->thread);
        assert_true((good && aligner_end_cta(h.aligner)) || *aligner_error(h.aligner));
        refused += !good;
        taken += good;
        close_hand_made(&h);
    }
    assert_true(refused > 500 && taken > 200);
}
