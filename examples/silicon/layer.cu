// SPDX-License-Identifier: Apache-2.0
// A layer of a neural network, 16 outputs wide: the forward pass multiplies in shared memory and adds by halves; the backward pass adjusts the
// weights, whose rows are no multiple of a sector. The first is bound by shared memory, the second by the DRAM.
//     layer [INPUTS, a multiple of 16, default 65536]
#include "example.cuh"

enum { OUT = 16, ROW = OUT + 1 };  // a row of weights: its input's bias, then one for each output

// A CTA of 16 x 16 threads adds 16 inputs for all outputs.
__global__ void layer_forward(const float *input, const float *weight, float *partial) {
    __shared__ float in[OUT], product[OUT][OUT];
    const unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * OUT + y;
    if (x == 0) {
        in[y] = input[row];
    }
    __syncthreads();
    product[y][x] = weight[(size_t)row * ROW + 1 + x] * in[y];
    for (unsigned half = OUT / 2; half; half /= 2) {
        __syncthreads();
        if (y < half) {
            product[y][x] += product[y + half][x];
        }
    }
    if (y == 0) {
        partial[blockIdx.x * OUT + x] = product[0][x];
    }
}

__global__ void layer_adjust(const float *delta, const float *input, float *weight, float *momentum) {
    const unsigned row = blockIdx.x * OUT + threadIdx.y;
    const size_t at = (size_t)row * ROW + 1 + threadIdx.x;
    const float change = 0.3f * delta[threadIdx.x] * input[row] + 0.5f * momentum[at];
    weight[at] += change;
    momentum[at] = change;
}

int main(int argc, char **argv) {
    const unsigned inputs = argument(argc, argv, 1, 65536, OUT, 1u << 22) / OUT * OUT, ctas = inputs / OUT;
    const size_t size = (size_t)inputs * ROW;
    float *input = (float *)malloc(inputs * sizeof *input), *weight = (float *)malloc(size * sizeof *weight);
    float *got = (float *)malloc(size * sizeof *got), *partial = (float *)malloc(ctas * OUT * sizeof *partial), delta[OUT];
    unsigned state = 4;
    unsigned long wrong = 0;
    for (unsigned i = 0; i < inputs; i++) {
        input[i] = draw_unit(&state);
    }
    for (size_t i = 0; i < size; i++) {
        weight[i] = draw_unit(&state);
    }
    for (unsigned i = 0; i < OUT; i++) {
        delta[i] = draw_unit(&state);
    }
    float *d_input = device_copy(input, inputs), *d_weight = device_copy(weight, size), *d_partial = device_array<float>(ctas * OUT);
    float *d_momentum = device_array<float>(size);
    CHECK(cudaMemset(d_momentum, 0, size * sizeof(float)));
    layer_forward<<<ctas, dim3(OUT, OUT)>>>(d_input, d_weight, d_partial);
    CHECK_LAUNCH();
    layer_adjust<<<ctas, dim3(OUT, OUT)>>>(device_copy(delta, OUT), d_input, d_weight, d_momentum);
    CHECK_LAUNCH();
    host_copy(partial, d_partial, ctas * OUT);
    host_copy(got, d_weight, size);
    for (unsigned out = 0; out < OUT; out++) {
        double ours = 0, theirs = 0;
        for (unsigned i = 0; i < inputs; i++) {
            ours += (double)input[i] * weight[(size_t)i * ROW + 1 + out];
            const float want = weight[(size_t)i * ROW + 1 + out] + 0.3f * delta[out] * input[i];
            wrong += !near(got[(size_t)i * ROW + 1 + out], want, 1e-5);
        }
        for (unsigned cta = 0; cta < ctas; cta++) {
            theirs += partial[cta * OUT + out];
        }
        wrong += !near(ours, theirs, 1e-5);
    }
    free(input);
    free(weight);
    free(got);
    free(partial);
    return verdict("layer", wrong);
}
