// SPDX-License-Identifier: Apache-2.0
// __managed__ variables: the host and kernels use one variable, by its name and its address.
#include <cuda_runtime.h>

#include <cstdio>

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

struct Node {
    int value;
    Node *next;
};
__device__ __managed__ int counter = 5;
__managed__ float values[64];
static __managed__ Node nodes[4];
namespace {
__managed__ Node *head;
}
template <class T> __managed__ T generic = 3;

__global__ void add(int n) {
    atomicAdd(&counter, n);
    values[threadIdx.x] *= 2;
}
__global__ void walk() {
    int sum = 0;
    for (Node *at = head; at; at = at->next) {
        sum += at->value;
    }
    nodes[3].value = sum;
}
__global__ void through(int *p, bool which) {
    int *chosen = which ? &counter : &generic<int>;
    *chosen += 4;
    *p += (int)(&nodes[2] - nodes);
}

int main() {
    CHECK(counter == 5 && generic<int> == 3);
    counter = 7;
    for (int i = 0; i < 64; i++) {
        values[i] = i;
    }
    add<<<1, 64>>>(2);
    cudaDeviceSynchronize();
    CHECK(counter == 7 + 128 && values[63] == 126 && values[1] == 2);
    for (int i = 0; i < 3; i++) {
        nodes[i] = {i + 1, i < 2 ? &nodes[i + 1] : nullptr};
    }
    head = nodes;
    walk<<<1, 1>>>();
    cudaDeviceSynchronize();
    CHECK(nodes[3].value == 6);
    through<<<1, 1>>>(&counter, false);
    through<<<1, 1>>>(&counter, true);
    cudaDeviceSynchronize();
    CHECK(counter == 135 + 2 + 4 + 2 && generic<int> == 7);
    int got = 0;
    CHECK(!cudaMemcpyFromSymbol(&got, counter, sizeof got) && got == 143);
    got = 50;
    CHECK(!cudaMemcpyToSymbol(counter, &got, sizeof got) && counter == 50);
    CHECK(!cudaMemset(values, 0, 8) && values[1] == 0 && values[2] == 4);
    void *at = nullptr;
    cudaPointerAttributes a;
    CHECK(!cudaGetSymbolAddress(&at, values) && at == values);
    CHECK(!cudaPointerGetAttributes(&a, &values[3]) && a.type == cudaMemoryTypeManaged);
    CHECK(!cudaMemPrefetchAsync(values, sizeof values, 0) && !cudaMemAdvise(values, sizeof values, cudaMemAdviseSetReadMostly, 0));
    CHECK(cudaMemPrefetchAsync(values, sizeof values + 64, 0) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
