// SPDX-License-Identifier: Apache-2.0
// Values of unusual sizes: shuffles of single bytes, local arrays and structs of several kilobytes.
#include <cstdio>

struct large {
    int v[2000];
};

__global__ void sizes(large *to, const large *from, int *result, int n) {
    short table[3000] = {0};
    const bool odd = threadIdx.x & 1;
    for (int i = 0; i < n; i++) {
        table[i * 7 % 3000] += (short)i;
    }
    int sum = 0;
    for (int i = 0; i < 3000; i++) {
        sum += table[i];
    }
    const bool of_third = __shfl_sync(~0u, odd, 3);
    const char letter = __shfl_xor_sync(~0u, (char)('a' + threadIdx.x % 26), 1);
    result[threadIdx.x] = sum + of_third * 1000000 + letter;
    if (threadIdx.x < 2) {
        to[threadIdx.x] = from[threadIdx.x];
    }
}

int main() {
    static large host[2], copy[2];
    large *from, *to;
    int *result, sums[32], bad = 0;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMalloc(&result, sizeof sums);
    for (int i = 0; i < 4000; i++) {
        host[i / 2000].v[i % 2000] = i;
    }
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    sizes<<<1, 32>>>(to, from, result, 100);
    cudaMemcpy(copy, to, sizeof copy, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4000; i++) {
        bad += copy[i / 2000].v[i % 2000] != i;
    }
    for (int i = 0; i < 32; i++) {
        bad += sums[i] != 4950 + 1000000 + 'a' + (i ^ 1) % 26;
    }
    puts(bad ? "wrong" : "right");
    return bad != 0;
}
