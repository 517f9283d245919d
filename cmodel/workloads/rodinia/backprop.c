/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia backprop: one training step of a neural network with one hidden layer of 16, as two
 * launches with the host between. CTAs of 16 x 16 threads, one for 16 inputs: the first launch
 * multiplies inputs and weights and adds up 16 rows in a tree, the second adjusts the weights. A
 * warp is two rows of 16 weights, of 17 floats each: 33 floats from anywhere in a line.
 *
 * backprop keeps the tree in shared memory. backprop-unshared keeps it where the results go anyway,
 * in the weights, as a programmer would do without shared memory. This is legal, because a CTA has
 * its rows for itself and the original stores the whole tree there in the end. It reads its inputs
 * where they are used, and needs no arithmetic on shared addresses. (Instead, one could
 * replace each shared array by a global one mechanically.)
 *
 * MeDiC, OWL and DAWS give no input, so theirs is the suite's, which is MRPB's as well.
 *
 * The weights are small enough that the hidden layer is not saturated, and the changes of the step
 * before are not zero as in the suite: otherwise the second launch would change nothing.
 */
#include "workloads/rodinia/backprop.h"

#include <math.h>
#include <string.h>

#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define HIDDEN BACKPROP_HIDDEN
#define ROW BACKPROP_ROW
#define ROWS BACKPROP_ROWS
#define WARPS (ROWS * HIDDEN / WARP_SIZE)

/* Inputs, multiples of ROWS. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 512,          [SIZE_SMALL] = 65536,     [SIZE_PAPER_MRPB] = 65536,
    [SIZE_PAPER_MEDIC] = 65536, [SIZE_PAPER_OWL] = 65536, [SIZE_PAPER_DAWS] = 65536};

/* --- The host side. --- */

static float squash(float x) {
    return 1.0f / (1.0f + expf(-x));
}

/* The errors of the hidden layer, from the partial sums of all CTAs: all of it on the host. */
static void hidden_errors(const struct backprop *k, const float *bias_row, const float *partial,
                          float *delta) {
    float hidden[HIDDEN + 1] = {1.0f}, sum = k->output_weight[0];
    for (unsigned j = 1; j <= HIDDEN; j++) {
        float h = 0;
        for (unsigned cta = 0; cta < k->n / ROWS; cta++) {
            h += partial[cta * HIDDEN + j - 1];
        }
        hidden[j] = squash(h + bias_row[j]);
        sum += k->output_weight[j] * hidden[j];
    }
    const float output = squash(sum), target = 0.1f;
    const float error = output * (1.0f - output) * (target - output);
    delta[0] = 0;
    for (unsigned j = 1; j <= HIDDEN; j++) {
        delta[j] = hidden[j] * (1.0f - hidden[j]) * (error * k->output_weight[j]);
    }
}

/* The inputs. */
struct inputs {
    float *input, *w, *old_w;
};

static void fill(struct backprop *k, const struct inputs *to) {
    uint64_t state = k->seed;
    to->input[0] = 1.0f;
    for (unsigned i = 1; i <= k->n; i++) {
        to->input[i] = host_uniform(&state);
    }
    for (unsigned i = 0; i < (k->n + 1) * ROW; i++) {
        to->w[i] = (host_uniform(&state) - 0.5f) / 16.0f;
        to->old_w[i] = (host_uniform(&state) - 0.5f) / 64.0f;
    }
    for (unsigned j = 0; j <= HIDDEN; j++) {
        k->output_weight[j] = host_uniform(&state) - 0.5f;
    }
}

/* The first launch leaves its products in the weights, so that the host sends them anew. */
static bool backprop_step(void *self, unsigned step, struct host_launch *out) {
    struct backprop *k = self;
    if (step == 0) {
        *out = backprop_forward(k);
    } else if (step == 1) {
        memcpy(k->forward.data, k->w.data, k->w.count * sizeof(float));
        fill(k, &(struct inputs){k->input.data, k->w.data, k->old_w.data});
        hidden_errors(k, k->w.data, k->partial.data, k->delta.data);
        *out = backprop_adjust(k);
    }
    return step < 2;
}

static bool open_either(struct backprop *k, enum workload_size size, uint64_t seed, bool unshared) {
    k->n = sizes[size];
    k->seed = seed;
    k->unshared = unshared;
    const uint64_t weights = (uint64_t)(k->n + 1) * ROW;
    if (!HOST_ALLOC(&k->host.memory, {&k->input, k->n + 1, sizeof(float)},
                    {&k->hidden, HIDDEN + 1, sizeof(float)}, {&k->w, weights, sizeof(float)},
                    {&k->partial, k->n / ROWS * HIDDEN, sizeof(float)},
                    {&k->delta, HIDDEN + 1, sizeof(float)}, {&k->old_w, weights, sizeof(float)},
                    {&k->forward, weights, sizeof(float)})) {
        return false;
    }
    fill(k, &(struct inputs){k->input.data, k->w.data, k->old_w.data});
    host_set_step(&k->host, backprop_step);
    return true;
}

static bool backprop_open(void *self, enum workload_size size, uint64_t seed) {
    return open_either(self, size, seed, false);
}

static bool backprop_unshared_open(void *self, enum workload_size size, uint64_t seed) {
    return open_either(self, size, seed, true);
}

/* --- The same in plain C. --- */

/* Inputs times weights, 16 rows added up in a tree whose partial sums stay where they were. */
static void forward_in_c(const struct backprop *k, const float *input, const float *w,
                         float *forward, float *partial) {
    memcpy(forward, w, k->w.count * sizeof *w);
    for (unsigned cta = 0; cta < k->n / ROWS; cta++) {
        for (unsigned j = 0; j < HIDDEN; j++) {
            float *m = &forward[BACKPROP_FIRST(cta) + j];
            for (unsigned i = 0; i < ROWS; i++) {
                m[i * ROW] *= input[cta * ROWS + i + 1];
            }
            for (unsigned power = 2; power <= ROWS; power *= 2) {
                for (unsigned i = 0; i < ROWS; i += power) {
                    m[i * ROW] += m[(i + power / 2) * ROW];
                }
            }
            partial[cta * HIDDEN + j] = m[0];
        }
    }
}

static void adjust_in_c(const struct backprop *k, const float *input, const float *delta, float *w,
                        float *old_w) {
    for (unsigned i = 0; i <= k->n; i++) {
        for (unsigned j = 1; j <= HIDDEN; j++) {
            const unsigned at = i * ROW + j;
            const double step = BACKPROP_ETA * delta[j] * input[i] + BACKPROP_MOMENTUM * old_w[at];
            w[at] = (float)(w[at] + step);
            old_w[at] = (float)step;
        }
    }
}

static const struct workload_result results[] = {FLOATS("partial", backprop, partial),
                                                 FLOATS("forward", backprop, forward),
                                                 FLOATS("w", backprop, w),
                                                 FLOATS("old_w", backprop, old_w),
                                                 FLOATS("input", backprop, input),
                                                 {0}};

static bool backprop_plain(void *self, void *const expected[]) {
    struct backprop *k = self;
    float *partial = expected[0], *forward = expected[1];
    const struct inputs in = {.input = expected[4], .w = expected[2], .old_w = expected[3]};
    float delta[HIDDEN + 1];
    fill(k, &in);
    forward_in_c(k, in.input, in.w, forward, partial);
    hidden_errors(k, in.w, partial, delta);
    adjust_in_c(k, in.input, delta, in.w, in.old_w);
    return true;
}

/* --- What must have been counted. --- */

static void add(struct workload_expectation *e, uint64_t instructions, uint64_t lanes) {
    e->warp_instructions += instructions;
    e->thread_instructions += instructions * lanes;
}

/* Warp @w of a CTA in the first launch, without its accesses of global memory. */
static void expect_forward(bool unshared, unsigned w, struct workload_expectation *e) {
    /* A round of four takes 4 + 2 + 1 + 2 and, where it adds, 4. */
    add(e, unshared ? 14 + 4 * 9 + 2 : 28 + 4 * 9 + 4, WARP_SIZE);
    add(e, unshared ? 2 : 4, 2); /* a lane a row */
    for (unsigned power = 2; power <= ROWS; power *= 2) {
        if (2 * w % power == 0) {
            add(e, 4, HIDDEN);
        }
    }
}

/* Lines of @count weights from that of row @row of a CTA's on. */
static uint64_t weight_lines(unsigned cta, unsigned row, unsigned count, unsigned line_bytes) {
    return lines_of_run(BACKPROP_FIRST(cta) + row * ROW, count, 4, line_bytes);
}

static void expect_lines(const struct backprop *k, unsigned cta, unsigned w, unsigned line_bytes,
                         struct workload_expectation *e) {
    const unsigned row = 2 * w;
    /* The float between two rows of weights is in a line with one of them. */
    const uint64_t both = weight_lines(cta, row, 2 * HIDDEN + 1, line_bytes);
    const uint64_t input = lines_of_run(ROWS * cta + row + 1, 2, 4, line_bytes);
    const uint64_t column = lines_of_run(1, HIDDEN, 4, line_bytes);
    e->global_read_accesses += both + input;
    e->global_write_accesses += both + 1;
    for (unsigned power = 2; k->unshared && power <= ROWS && row % power == 0; power *= 2) {
        const uint64_t sum = weight_lines(cta, row, HIDDEN, line_bytes);
        e->global_read_accesses += sum + weight_lines(cta, row + power / 2, HIDDEN, line_bytes);
        e->global_write_accesses += sum;
    }
    if (k->unshared) { /* the CTA's sums of two columns */
        e->global_read_accesses += lines_of_run(BACKPROP_FIRST(cta) + row, 2, 4, line_bytes);
    }
    /* The second launch. */
    e->global_read_accesses += 2 * column + 2 * input + 3 * both;
    e->global_write_accesses += 2 * both;
    if (cta == 0 && w == 0) {
        e->global_read_accesses += 5 * column;
        e->global_write_accesses += 2 * column;
    }
}

static void backprop_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct backprop *k = self;
    for (unsigned cta = 0; cta < k->n / ROWS; cta++) {
        for (unsigned w = 0; w < WARPS; w++) {
            expect_forward(k->unshared, w, e);
            add(e, 4 + 9 + 9 + 7 + 3, WARP_SIZE);
            expect_lines(k, cta, w, line_bytes, e);
        }
    }
    add(e, 19, HIDDEN); /* the bias */
}

#define SIZE_TEXT \
    [SIZE_TINY] = "512 inputs", [SIZE_SMALL] = "65536 inputs", [SIZE_PAPER_MRPB] = "65536 inputs"

const struct workload workload_backprop = {
    .name = "backprop",
    .suite = "rodinia",
    .about = "training of a layer: tiles streamed into shared memory, a tree of barriers",
    .size_text = {SIZE_TEXT, [SIZE_PAPER_MEDIC] = "65536 inputs", [SIZE_PAPER_OWL] = "65536 inputs",
                  [SIZE_PAPER_DAWS] = "65536 inputs"},
    .bytes = sizeof(struct backprop),
    .open = backprop_open,
    .results = results,
    .plain = backprop_plain,
    .expect = backprop_expect,
};

const struct workload workload_backprop_unshared = {
    .name = "backprop-unshared",
    .suite = "rodinia",
    .about = "the same without shared memory: the tree in the global weights",
    .size_text = {SIZE_TEXT},
    .bytes = sizeof(struct backprop),
    .open = backprop_unshared_open,
    .results = results,
    .plain = backprop_plain,
    .expect = backprop_expect,
};
