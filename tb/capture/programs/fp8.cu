// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 bits: every code, and every rounding, on device and host, against a search among the numbers that there are.
#include <cuda_fp8.h>
#include <cmath>
#include <cstdio>

static int wrong;

__global__ void convert(const float *in, unsigned char *out, float *back, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[4 * i] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
        out[4 * i + 1] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
        out[4 * i + 2] = __nv_fp8_e5m2(in[i]).__x;
        out[4 * i + 3] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
    }
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        __nv_fp8_e4m3 a;
        __nv_fp8x2_e5m2 b;
        a.__x = (unsigned char)i;
        b.__x = (unsigned short)(i | (255 - i) << 8);
        back[3 * i] = (float)a;
        back[3 * i + 1] = ((float2)b).x;
        back[3 * i + 2] = ((float2)b).y;
    }
}

// The number of a code, with the exponent's bits and bias.
static double number(unsigned code, int bits, int bias) {
    const unsigned magnitude = code & 0x7f, fraction = magnitude & ((1u << (7 - bits)) - 1);
    const int exponent = (int)(magnitude >> (7 - bits));
    double value = exponent ? std::ldexp(1 + std::ldexp((double)fraction, bits - 7), exponent - bias) : std::ldexp((double)fraction, bits - 6 - bias);
    if (bits == 4 ? magnitude == 0x7f : magnitude > 0x7c) {
        return NAN;
    }
    value = bits == 5 && magnitude == 0x7c ? INFINITY : value;
    return code & 0x80 ? -value : value;
}
// The nearest, of two as near the even one; beyond the midpoint above the largest: @over.
static unsigned nearest(float x, int bits, int bias, unsigned most, unsigned over) {
    const unsigned sign = std::signbit(x) ? 0x80 : 0;
    const double magnitude = std::fabs((double)x), largest = number(most, bits, bias), step = largest - number(most - 1, bits, bias);
    unsigned best = 0;
    if (x != x) {
        return 0x7f;
    }
    if (magnitude > largest + step / 2 || (magnitude == largest + step / 2 && most % 2)) {
        return sign | over;
    }
    for (unsigned code = 1; code <= most; code++) {
        const double now = std::fabs(number(code, bits, bias) - magnitude), before = std::fabs(number(best, bits, bias) - magnitude);
        best = now < before || (now == before && code % 2 == 0) ? code : best;
    }
    return sign | best;
}

int main() {
    static float in[4096], back[768];
    static unsigned char out[4 * 4096];
    int n = 0;
    for (int code = 0; code < 256; code++) { // each number, the midpoint behind it, and what lies beside that
        for (int bits = 4; bits <= 5; bits++) {
            const int bias = bits == 4 ? 7 : 15;
            const double a = number(code, bits, bias), b = number(code + 1, bits, bias), middle = (a + b) / 2;
            for (double x : {a, middle, middle * (1 + 1e-6), middle * (1 - 1e-6)}) {
                in[n++] = (float)x;
            }
        }
    }
    for (float x : {449.0f, 464.0f, 465.0f, -1e4f, 57344.0f, 61440.0f, 61441.0f, 1e30f, -INFINITY, 1e-20f, -0.0f}) {
        in[n++] = x;
    }
    float *device_in, *device_back;
    unsigned char *device_out;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof out);
    cudaMalloc(&device_back, sizeof back);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    convert<<<1, 128>>>(device_in, device_out, device_back, n);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(back, device_back, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const unsigned want[] = {nearest(in[i], 4, 7, 0x7e, 0x7e), nearest(in[i], 4, 7, 0x7e, 0x7f), nearest(in[i], 5, 15, 0x7b, 0x7b), nearest(in[i], 5, 15, 0x7b, 0x7c)};
        for (int k = 0; k < 4; k++) {
            if (out[4 * i + k] != want[k] && wrong++ < 20) {
                printf("%g (%d): is %#x, must be %#x\n", in[i], k, out[4 * i + k], want[k]);
            }
        }
        wrong += __nv_fp8_e4m3(in[i]).__x != want[0];
    }
    for (int i = 0; i < 256; i++) {
        const float want[] = {(float)number(i, 4, 7), (float)number(i, 5, 15), (float)number(255 - i, 5, 15)};
        for (int k = 0; k < 3; k++) {
            const float got = back[3 * i + k];
            if (!(got == want[k] && std::signbit(got) == std::signbit(want[k])) && (got == got || want[k] == want[k]) && wrong++ < 20) {
                printf("code %#x (%d): is %g, must be %g\n", i, k, got, want[k]);
            }
        }
    }
    const float4 four = (float4)__nv_fp8x4_e4m3(make_float4(1.5f, -2, 1000, 0.001f));
    wrong += four.x != 1.5f || four.y != -2 || four.z != 448 || four.w != 0.001953125f; // the least number
    const float4 halves = (float4)__nv_fp8x4_e5m2(__floats2half2_rn(3, -0.5f), __floats2half2_rn(1e5f, 80));
    wrong += halves.x != 3 || halves.y != -0.5f || halves.z != 57344 || halves.w != 80;
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
