/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 NN: recognition of digits by a neural network of four layers, a launch a layer, a
 * thread a neuron of one picture. Two layers of 5 x 5 filters with a stride of 2: a CTA is a map of
 * 13 x 13 or 5 x 5 neurons, whose threads load the same pixels 25 times at different offsets, as do
 * the other filters' CTAs. Then two fully connected layers: a CTA is one thread, which walks a row
 * of weights and all neurons word by word.
 *
 * The inputs are made: digits drawn with a pen and uniform weights scaled with the fan-in, so the
 * output recognizes nothing, but every value is computed. A row of the second layer's weights has
 * 156 places, of which 1 + 6 * 25 are used: the network's file has them. The sigmoid is LeCun's,
 * 1.7159 tanh(2/3 x), of which 20 instructions are assumed, as are the registers.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/ispass/digits.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define TAPS 25 /* of a filter */
#define TANH_INSNS 18

enum { LAYERS = 4 };

static const unsigned pictures[] = {
    [SIZE_TINY] = 2, [SIZE_SMALL] = 28, [SIZE_PAPER_MEDIC] = 28, [SIZE_PAPER_OWL] = 28};

/* Neurons a picture, in and out; maps and their side of the filter layers; weights an output. */
static const struct layer {
    unsigned in, out;
    unsigned in_maps, in_side, out_maps, out_side;
    unsigned row;
} layers[LAYERS] = {
    {841, 1014, 1, 29, 6, 13, 26},
    {1014, 1250, 6, 13, 50, 5, 156},
    {1250, 100, 0, 0, 100, 1, 1251},
    {100, 10, 0, 0, 10, 1, 101},
};

struct nn {
    struct host host;
    unsigned pictures;
    struct buffer neuron[LAYERS + 1]; /* of each picture */
    struct buffer weight[LAYERS];     /* of each output: a bias, then the inputs' */
    struct buffer table[2];           /* constant: where a filter's taps are */
};

enum { R_OUT, R_IN, R_WEIGHT, R_I, R_PREDICATE, R_TABLE, R_AT, R_X, R_W, R_SUM, R_T };

#define SIGMOID(I, LAYER) \
    I(ALU, LAYER##_TANH, OP_FP_MAD, R_SUM, R_SUM, R_T) \
    I(ALU, LAYER##_EXP, OP_SFU, R_T, R_SUM) \
    I(ALU, LAYER##_DIVIDE, OP_SFU, R_T, R_T) \
    I(STORE, LAYER##_STORE, SPACE_GLOBAL, 4, R_SUM, R_OUT)

#define FIRST(I) \
    I(ALU, L1_IN, OP_INT_MAD, R_IN, REG_NONE) \
    I(ALU, L1_ROW, OP_INT_MAD, R_IN, R_IN) \
    I(ALU, L1_COLUMN, OP_INT_MAD, R_IN, R_IN) \
    I(ALU, L1_WEIGHT, OP_INT_MAD, R_WEIGHT, REG_NONE) \
    I(ALU, L1_ZERO, OP_INT_ADD, R_I, REG_NONE) \
    I(LOAD, L1_LOAD_BIAS, SPACE_GLOBAL, 4, R_SUM, R_WEIGHT) \
    I(LOOP, L1_LOOP) \
    I(LOAD, L1_LOAD_TABLE, SPACE_CONSTANT, 4, R_TABLE, R_I) \
    I(ALU, L1_ADDRESS, OP_INT_MAD, R_AT, R_TABLE, R_IN) \
    I(LOAD, L1_LOAD_NEURON, SPACE_GLOBAL, 4, R_X, R_AT) \
    I(LOAD, L1_LOAD_WEIGHT, SPACE_GLOBAL, 4, R_W, R_WEIGHT) \
    I(ALU, L1_FMA, OP_FP_MAD, R_SUM, R_X, R_W, R_SUM) \
    I(ALU, L1_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, L1_NEXT_WEIGHT, OP_INT_ADD, R_WEIGHT, R_WEIGHT) \
    I(ALU, L1_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, L1_BRANCH, R_PREDICATE) \
    I(ALU, L1_OUT, OP_INT_MAD, R_OUT, REG_NONE) \
    I(ALU, L1_OUT_ROW, OP_INT_MAD, R_OUT, R_OUT) \
    SIGMOID(I, L1)
SIMT_CODE(nn_first, FIRST, .registers = 14);

#define SECOND(I) \
    I(ALU, L2_IN, OP_INT_MAD, R_IN, REG_NONE) \
    I(ALU, L2_ROW, OP_INT_MAD, R_IN, R_IN) \
    I(ALU, L2_COLUMN, OP_INT_MAD, R_IN, R_IN) \
    I(ALU, L2_WEIGHT, OP_INT_MAD, R_WEIGHT, REG_NONE) \
    I(ALU, L2_ZERO, OP_INT_ADD, R_I, REG_NONE) \
    I(LOAD, L2_LOAD_BIAS, SPACE_GLOBAL, 4, R_SUM, R_WEIGHT) \
    I(LOOP, L2_TAPS) \
    I(LOAD, L2_LOAD_TABLE, SPACE_CONSTANT, 4, R_TABLE, R_I) \
    I(ALU, L2_ADDRESS, OP_INT_MAD, R_AT, R_TABLE, R_IN) \
    I(LOOP, L2_MAPS) \
    I(LOAD, L2_LOAD_NEURON, SPACE_GLOBAL, 4, R_X, R_AT) \
    I(LOAD, L2_LOAD_WEIGHT, SPACE_GLOBAL, 4, R_W, R_WEIGHT) \
    I(ALU, L2_FMA, OP_FP_MAD, R_SUM, R_X, R_W, R_SUM) \
    I(ALU, L2_NEXT_MAP, OP_INT_ADD, R_AT, R_AT) \
    I(ALU, L2_NEXT_WEIGHT, OP_INT_ADD, R_WEIGHT, R_WEIGHT) \
    I(ALU, L2_MAP_COMPARE, OP_INT_ADD, R_PREDICATE, R_AT) \
    I(BRANCH, L2_MAP_BRANCH, R_PREDICATE) \
    I(ALU, L2_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, L2_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, L2_BRANCH, R_PREDICATE) \
    I(ALU, L2_OUT, OP_INT_MAD, R_OUT, REG_NONE) \
    I(ALU, L2_OUT_ROW, OP_INT_MAD, R_OUT, R_OUT) \
    SIGMOID(I, L2)
SIMT_CODE(nn_second, SECOND, .registers = 14);

/* The third and the fourth layer. */
#define CONNECTED(I) \
    I(ALU, L3_IN, OP_INT_MAD, R_IN, REG_NONE) \
    I(ALU, L3_WEIGHT, OP_INT_MAD, R_WEIGHT, REG_NONE) \
    I(ALU, L3_ZERO, OP_INT_ADD, R_I, REG_NONE) \
    I(LOAD, L3_LOAD_BIAS, SPACE_GLOBAL, 4, R_SUM, R_WEIGHT) \
    I(LOOP, L3_LOOP) \
    I(LOAD, L3_LOAD_NEURON, SPACE_GLOBAL, 4, R_X, R_IN) \
    I(LOAD, L3_LOAD_WEIGHT, SPACE_GLOBAL, 4, R_W, R_WEIGHT) \
    I(ALU, L3_FMA, OP_FP_MAD, R_SUM, R_X, R_W, R_SUM) \
    I(ALU, L3_NEXT, OP_INT_ADD, R_IN, R_IN) \
    I(ALU, L3_NEXT_WEIGHT, OP_INT_ADD, R_WEIGHT, R_WEIGHT) \
    I(ALU, L3_COMPARE, OP_INT_ADD, R_PREDICATE, R_IN) \
    I(BRANCH, L3_BRANCH, R_PREDICATE) \
    I(ALU, L3_OUT, OP_INT_MAD, R_OUT, REG_NONE) \
    SIGMOID(I, L3)
SIMT_CODE(nn_connected, CONNECTED, .registers = 12);

static float sigmoid(float x) {
    return 1.7159f * tanhf(0.66666667f * x);
}

/* The neurons of a CTA's map: base, and how far those of the next column and row are. */
struct map {
    int64_t base;
    unsigned side;
};

static struct element in_map(struct map m, unsigned stride) {
    return element_xy(m.base, stride, (int64_t)stride * m.side);
}

/* sum = W[26 f]; for (i = 0; i < 25; i++) sum += N[841 p + 58 y + 2 x + T[i]] * W[26 f + 1 + i]; */
static void first_layer(struct simt *s, const void *arguments) {
    const struct nn *k = arguments;
    const struct layer *l = &layers[0];
    const unsigned f = s->cta[0], picture = s->cta[1];
    float sum[SIMT_THREADS], x[SIMT_THREADS], w[SIMT_THREADS];
    int32_t tap[SIMT_THREADS];

    simt_alus(s, L1_IN, L1_ZERO);
    simt_load(s, L1_LOAD_BIAS, sum, &k->weight[0], element_at(l->row * f));
    SIMT_FOR(s, L1_LOOP, i, TAPS) {
        simt_load(s, L1_LOAD_TABLE, tap, &k->table[0], element_at(i));
        simt_alu(s, L1_ADDRESS);
        simt_load(s, L1_LOAD_NEURON, x, &k->neuron[0],
                  in_map((struct map){(int64_t)l->in * picture + tap[0], l->in_side}, 2));
        simt_load(s, L1_LOAD_WEIGHT, w, &k->weight[0], element_at(l->row * f + 1 + i));
        SIMT_ALU(s, L1_FMA, t) {
            sum[t] += x[t] * w[t];
        }
        simt_alus(s, L1_NEXT, L1_BRANCH);
    }
    simt_alus(s, L1_OUT, L1_OUT_ROW);
    simt_work(s, L1_TANH, TANH_INSNS);
    simt_alu(s, L1_EXP);
    SIMT_ALU(s, L1_DIVIDE, t) {
        sum[t] = sigmoid(sum[t]);
    }
    simt_store(s, L1_STORE, sum, &k->neuron[1],
               in_map((struct map){(int64_t)l->out * picture + 169 * f, l->out_side}, 1));
}

/* The same over six maps: for each tap, for each map. */
static void second_layer(struct simt *s, const void *arguments) {
    const struct nn *k = arguments;
    const struct layer *l = &layers[1];
    const unsigned f = s->cta[0], picture = s->cta[1];
    float sum[SIMT_THREADS], x[SIMT_THREADS], w[SIMT_THREADS];
    int32_t tap[SIMT_THREADS];

    simt_alus(s, L2_IN, L2_ZERO);
    simt_load(s, L2_LOAD_BIAS, sum, &k->weight[1], element_at(l->row * f));
    SIMT_FOR(s, L2_TAPS, i, TAPS) {
        simt_load(s, L2_LOAD_TABLE, tap, &k->table[1], element_at(i));
        simt_alu(s, L2_ADDRESS);
        SIMT_FOR(s, L2_MAPS, m, l->in_maps) {
            const int64_t base = (int64_t)l->in * picture + 169 * m + tap[0];
            simt_load(s, L2_LOAD_NEURON, x, &k->neuron[1],
                      in_map((struct map){base, l->in_side}, 2));
            simt_load(s, L2_LOAD_WEIGHT, w, &k->weight[1],
                      element_at(l->row * f + 1 + l->in_maps * i + m));
            SIMT_ALU(s, L2_FMA, t) {
                sum[t] += x[t] * w[t];
            }
            simt_alus(s, L2_NEXT_MAP, L2_MAP_BRANCH);
        }
        simt_alus(s, L2_NEXT, L2_BRANCH);
    }
    simt_alus(s, L2_OUT, L2_OUT_ROW);
    simt_work(s, L2_TANH, TANH_INSNS);
    simt_alu(s, L2_EXP);
    SIMT_ALU(s, L2_DIVIDE, t) {
        sum[t] = sigmoid(sum[t]);
    }
    simt_store(s, L2_STORE, sum, &k->neuron[2],
               in_map((struct map){(int64_t)l->out * picture + 25 * f, l->out_side}, 1));
}

/* sum = W[(n + 1) o]; for (i = 0; i < n; i++) sum += N[n p + i] * W[(n + 1) o + 1 + i]; */
static void connected(struct simt *s, const struct nn *k, unsigned layer) {
    const struct layer *l = &layers[layer];
    const int64_t o = s->cta[0], picture = s->cta[1];
    float sum[SIMT_THREADS], x[SIMT_THREADS], w[SIMT_THREADS];

    simt_alus(s, L3_IN, L3_ZERO);
    simt_load(s, L3_LOAD_BIAS, sum, &k->weight[layer], element_at(l->row * o));
    SIMT_FOR(s, L3_LOOP, i, l->in) {
        simt_load(s, L3_LOAD_NEURON, x, &k->neuron[layer], element_at(l->in * picture + i));
        simt_load(s, L3_LOAD_WEIGHT, w, &k->weight[layer], element_at(l->row * o + 1 + i));
        SIMT_ALU(s, L3_FMA, t) {
            sum[t] += x[t] * w[t];
        }
        simt_alus(s, L3_NEXT, L3_BRANCH);
    }
    simt_alu(s, L3_OUT);
    simt_work(s, L3_TANH, TANH_INSNS);
    simt_alu(s, L3_EXP);
    SIMT_ALU(s, L3_DIVIDE, t) {
        sum[t] = sigmoid(sum[t]);
    }
    simt_store(s, L3_STORE, sum, &k->neuron[layer + 1], element_at(l->out * picture + o));
}

static void third_layer(struct simt *s, const void *arguments) {
    connected(s, arguments, 2);
}

static void fourth_layer(struct simt *s, const void *arguments) {
    connected(s, arguments, 3);
}

static void generate(struct nn *k, uint64_t seed) {
    float *picture = k->neuron[0].data;
    for (unsigned p = 0; p < k->pictures; p++) {
        digits_draw(p % 10, &seed, picture + p * layers[0].in);
    }
    for (unsigned l = 0; l < LAYERS; l++) {
        float *w = k->weight[l].data;
        const float reach = 2.0f / sqrtf((float)layers[l].row);
        for (unsigned i = 0; i < k->weight[l].count; i++) {
            w[i] = reach * (2.0f * host_uniform(&seed) - 1.0f);
        }
    }
    for (unsigned l = 0; l < 2; l++) {
        int32_t *tap = k->table[l].data;
        for (unsigned i = 0; i < TAPS; i++) {
            tap[i] = (int32_t)(layers[l].in_side * (i / 5) + i % 5);
        }
    }
}

static bool nn_open(void *self, enum workload_size size, uint64_t seed) {
    static const struct host_launch kernels[LAYERS] = {
        {.launch = {.code = &nn_first_code}, .kernel = first_layer},
        {.launch = {.code = &nn_second_code}, .kernel = second_layer},
        {.launch = {.code = &nn_connected_code}, .kernel = third_layer},
        {.launch = {.code = &nn_connected_code}, .kernel = fourth_layer},
    };
    struct nn *k = self;
    struct device_memory *m = &k->host.memory;
    k->pictures = pictures[size];
    bool good = device_memory_alloc(m, &k->neuron[0], k->pictures * layers[0].in, 4);
    for (unsigned l = 0; l < LAYERS; l++) {
        good = good && device_memory_alloc(m, &k->neuron[l + 1], k->pictures * layers[l].out, 4) &&
               device_memory_alloc(m, &k->weight[l], layers[l].out_maps * layers[l].row, 4) &&
               (l >= 2 || device_memory_alloc(m, &k->table[l], TAPS, 4));
    }
    if (!good) {
        return false;
    }
    generate(k, seed);
    for (unsigned l = 0; l < LAYERS; l++) {
        const unsigned side = layers[l].out_side;
        struct host_launch h = kernels[l];
        h.launch =
            (struct launch){h.launch.code, {layers[l].out_maps, k->pictures, 1}, {side, side, 1}};
        host_add_launch(&k->host, &h);
    }
    return true;
}

/* Picture by picture, neuron by neuron: the layers' neurons behind one another. */
static void think(const struct nn *k, unsigned picture, float *const *neuron) {
    for (unsigned l = 0; l < LAYERS; l++) {
        const struct layer *at = &layers[l];
        const float *in = neuron[l] + picture * at->in;
        float *out = neuron[l + 1] + picture * at->out;
        for (unsigned o = 0; o < at->out; o++) {
            const unsigned side = at->out_side, map = o / (side * side);
            const unsigned y = o / side % side, x = o % side;
            const float *w = (const float *)k->weight[l].data + map * at->row;
            float sum = *w++;
            for (unsigned i = 0; i < TAPS * at->in_maps; i++) {
                const unsigned tap = i / at->in_maps, from = i % at->in_maps;
                const unsigned row = 2 * y + tap / 5, column = 2 * x + tap % 5;
                sum += in[(from * at->in_side + row) * at->in_side + column] * w[i];
            }
            for (unsigned i = 0; at->in_maps == 0 && i < at->in; i++) {
                sum += in[i] * w[i];
            }
            out[o] = sigmoid(sum);
        }
    }
}

static const struct workload_result results[] = {FLOATS("layer1", nn, neuron[1]),
                                                 FLOATS("layer2", nn, neuron[2]),
                                                 FLOATS("layer3", nn, neuron[3]),
                                                 FLOATS("layer4", nn, neuron[4]),
                                                 {0}};

static bool nn_plain(void *self, void *const expected[]) {
    const struct nn *k = self;
    float *neuron[LAYERS + 1] = {k->neuron[0].data};
    for (unsigned l = 1; l <= LAYERS; l++) {
        neuron[l] = expected[l - 1];
    }
    for (unsigned i = 0; i < k->pictures; i++) {
        think(k, i, neuron);
    }
    return true;
}

/* Lines of one load or store by all threads of a map, warp by warp. */
static uint64_t map_lines(uint64_t base, unsigned in_side, unsigned out_side, unsigned stride,
                          unsigned line_bytes) {
    const unsigned threads = out_side * out_side;
    uint64_t lines = 0;
    for (unsigned first = 0; first < threads; first += WARP_SIZE) {
        struct line_set touched = {.count = 0};
        for (unsigned t = first; t < first + WARP_SIZE && t < threads; t++) {
            const unsigned y = t / out_side, x = t % out_side;
            line_set_add(&touched, base + stride * (y * in_side + x), 4, line_bytes);
        }
        lines += touched.count;
    }
    return lines;
}

/* A filter layer: 6 instructions before and 4 + 20 behind the taps; a tap takes 2 + 7 in the first
 * and 2 + 3 and 7 a map in the second. */
static void expect_filters(const struct nn *k, unsigned layer, unsigned line_bytes,
                           struct workload_expectation *e) {
    const struct layer *l = &layers[layer];
    const unsigned threads = l->out_side * l->out_side;
    const uint64_t warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    const uint64_t ctas = (uint64_t)l->out_maps * k->pictures;
    const uint64_t insns = 6 + 3 + 20 + (layer ? TAPS * (5 + 7 * l->in_maps) : TAPS * 9);
    e->warp_instructions += ctas * warps * insns;
    e->thread_instructions += ctas * threads * insns;
    e->global_read_accesses += ctas * warps * (1 + TAPS * l->in_maps); /* weights */
    for (unsigned p = 0; p < k->pictures; p++) {
        for (unsigned i = 0; i < TAPS * l->in_maps; i++) {
            const unsigned tap = i / l->in_maps, map = i % l->in_maps;
            const unsigned at =
                l->in * p + map * l->in_side * l->in_side + tap / 5 * l->in_side + tap % 5;
            e->global_read_accesses +=
                l->out_maps * map_lines(at, l->in_side, l->out_side, 2, line_bytes);
        }
        for (unsigned f = 0; f < l->out_maps; f++) {
            e->global_write_accesses +=
                map_lines(l->out * p + f * threads, l->out_side, l->out_side, 1, line_bytes);
        }
    }
}

static void nn_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct nn *k = self;
    expect_filters(k, 0, line_bytes, e);
    expect_filters(k, 1, line_bytes, e);
    for (unsigned l = 2; l < LAYERS; l++) {
        /* A thread: 4 instructions, 7 an input, 2 + 20. */
        const uint64_t threads = (uint64_t)layers[l].out * k->pictures;
        const uint64_t insns = threads * (4 + 7 * layers[l].in + 2 + 20);
        e->warp_instructions += insns;
        e->thread_instructions += insns;
        e->global_read_accesses += threads * (1 + 2 * layers[l].in);
        e->global_write_accesses += threads;
    }
}

const struct workload workload_ispass_nn = {
    .name = "ispass-nn",
    .suite = "ispass",
    .about = "neural network: filters with a few lines a warp, then one lane that walks rows",
    .size_text = {[SIZE_TINY] = "2 pictures",
                  [SIZE_SMALL] = "28 pictures",
                  [SIZE_PAPER_MEDIC] = "28 pictures",
                  [SIZE_PAPER_OWL] = "28 pictures"},
    .bytes = sizeof(struct nn),
    .open = nn_open,
    .results = results,
    .plain = nn_plain,
    .expect = nn_expect,
};
