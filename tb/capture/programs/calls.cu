// SPDX-License-Identifier: Apache-2.0
// Functions of the device that stay functions: called through pointers, virtual, called by themselves. Each kernel's result is checked.
#include <cuda_runtime.h>

#include <cstdio>
#include <new>
#include <vector>

static int wrong;

template <class Kernel, class Want, class... More> static void expect(const char *name, Kernel kernel, Want want, More... more) {
    int *p;
    std::vector<int> got(64);
    cudaMalloc(&p, 64 * sizeof(int));
    cudaMemset(p, 0, 64 * sizeof(int));
    kernel<<<1, 64>>>(p, more...);
    cudaMemcpy(got.data(), p, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; t++) {
        if (got[t] != want(t)) {
            printf("%s: thread %d: %d, and not %d\n", name, t, got[t], want(t));
            wrong = 1;
            return;
        }
    }
}

// --- pointers ---

typedef int (*Operation)(int, int);
static __device__ int plus_(int a, int b) { return a + b; }
static __device__ int times(int a, int b) { return a * b; }
static __device__ int looped(int a, int b) {
    int sum = 0;
    for (int i = 0; i < a; i++) {
        sum += sum ^ b;
    }
    return sum;
}
static int looped_want(int a, int b) {
    int sum = 0;
    for (int i = 0; i < a; i++) {
        sum += sum ^ b;
    }
    return sum;
}

__device__ Operation operation = times;
__device__ Operation table[] = {plus_, times, looped};
__constant__ Operation constants[] = {looped, plus_};

__global__ void passed(int *out, Operation f) { out[threadIdx.x] = f(threadIdx.x, 7); }
__global__ void parted(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 5) + 1; }
__global__ void constant(int *out, int n) {
    for (int i = 0; i < n; i++) {
        out[threadIdx.x] += constants[(threadIdx.x + i) % 2](i, threadIdx.x);
    }
}
__global__ void chosen(int *out, int n) {
    Operation f = (int)threadIdx.x < n ? times : plus_;
    out[threadIdx.x] = f(threadIdx.x, n);
}
__global__ void written(Operation *to) { *to = looped; }

struct Pair {
    float x;
    double y[3];
};
typedef Pair (*Maker)(Pair, const float &);
static __device__ Pair made(Pair p, const float &by) { return Pair{p.x * by, {p.y[2], p.y[0], p.y[1] + by}}; }
static __device__ Pair kept(Pair p, const float &) { return p; }
__device__ Maker makers[] = {made, kept};
__global__ void structs(int *out) {
    __shared__ float factors[64];
    const int t = threadIdx.x;
    factors[t] = t;
    Pair p = makers[t % 2](Pair{2, {1, 2, 3}}, factors[t]);
    out[t] = (int)(p.x + 10 * p.y[0] + 100 * p.y[1] + 1000 * p.y[2]);
}

__global__ void lambda(int *out) {
    int (*f)(int) = threadIdx.x % 2 ? +[](int x) { return 3 * x; } : +[](int x) { return x - 9; };
    out[threadIdx.x] = f(threadIdx.x);
}

// --- with all threads of a CTA ---

typedef int (*Stage)(int *);
static __device__ int rotated(int *shared) {
    shared[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    return shared[(threadIdx.x + 1) % 64];
}
static __device__ int summed(int *shared) {
    __syncthreads();
    return __shfl_xor_sync(~0u, (int)threadIdx.x, 1) + (shared == nullptr);
}
__device__ Stage stages[] = {rotated, summed};
__global__ void staged(int *out, int n) {
    __shared__ int shared[64];
    out[threadIdx.x] = stages[n](shared);
}

// --- virtual functions ---

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area(int scale) const = 0;
    __device__ virtual int corners() const { return 4; }
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int side) : side(side) {}
    __device__ int area(int scale) const override { return side * side * scale; }
};
struct Triangle : Shape {
    int base, height, *ended;
    __device__ Triangle(int base, int height, int *ended) : base(base), height(height), ended(ended) {}
    __device__ ~Triangle() override { atomicAdd(ended, 1); }
    __device__ int area(int scale) const override { return base * height / 2 * scale; }
    __device__ int corners() const override { return 3; }
};
__device__ Shape *shapes[64];
__device__ int ended;
__global__ void make_shapes() {
    const int t = threadIdx.x;
    shapes[t] = t % 3 ? (Shape *)new Square(t) : (Shape *)new Triangle(t, 6, &ended);
}
__global__ void use_shapes(int *out, int scale) { out[threadIdx.x] = shapes[threadIdx.x]->area(scale) * 10 + shapes[threadIdx.x]->corners(); }
__global__ void end_shapes() { delete shapes[threadIdx.x]; }

__global__ void placed(int *out) {
    alignas(16) __shared__ char place[64][32];
    const int t = threadIdx.x;
    Shape *s = t % 2 ? (Shape *)new (place[t]) Square(t) : (Shape *)new (place[t]) Triangle(t, 4, &ended);
    __syncthreads();
    s = (Shape *)place[(t + 1) % 64];
    out[t] = s->area(2);
}

// --- recursion ---

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int fibonacci_want(int n) { return n < 2 ? n : fibonacci_want(n - 1) + fibonacci_want(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 9); }

__device__ int odd(unsigned n, int *count);
__device__ int even(unsigned n, int *count) {
    *count += 1;
    return n ? 2 * odd(n - 1, count) : 1;
}
__device__ int odd(unsigned n, int *count) { return n ? even(n - 1, count) + 1 : 0; }
__global__ void mutual(int *out) {
    int count = 0;
    out[threadIdx.x] = even(threadIdx.x % 5, &count) * 100 + count;
}
static int even_want(int n) { return !n ? 1 : 2 * (n == 1 ? 0 : even_want(n - 2) + 1); }

// Quicksort with its recursion in the smaller part.
__device__ void sort(int *a, int n) {
    while (n > 1) {
        int pivot = a[n / 2], i = 0, j = n - 1;
        while (i <= j) {
            if (a[i] < pivot) {
                i++;
            } else if (a[j] > pivot) {
                j--;
            } else {
                int swapped = a[i];
                a[i++] = a[j];
                a[j--] = swapped;
            }
        }
        sort(a, j + 1);
        a += i;
        n -= i;
    }
}
__global__ void sorted(int *out) {
    int a[16];
    for (int i = 0; i < 16; i++) {
        a[i] = (i * 7 + threadIdx.x) % 16;
    }
    sort(a, 16);
    int good = 1;
    for (int i = 0; i < 16; i++) {
        good &= a[i] == i;
    }
    out[threadIdx.x] = good;
}

__device__ __attribute__((noinline)) float apart(float x) { return x * 2; }
__global__ void not_inlined(int *out) { out[threadIdx.x] = (int)apart(threadIdx.x); }

int main() {
    const Operation want[] = {[](int a, int b) { return a + b; }, [](int a, int b) { return a * b; }, looped_want};
    Operation f, all[3], *made_by_kernel;
    cudaMemcpyFromSymbol(&f, operation, sizeof f);
    cudaMemcpyFromSymbol(all, table, sizeof all);
    expect("passed times", passed, [](int t) { return t * 7; }, f);
    expect("passed looped", passed, [](int t) { return looped_want(t, 7); }, all[2]);
    cudaMalloc(&made_by_kernel, sizeof f);
    written<<<1, 1>>>(made_by_kernel);
    cudaMemcpy(&f, made_by_kernel, sizeof f, cudaMemcpyDeviceToHost);
    wrong |= f != all[2];
    cudaMemcpyToSymbol(operation, &all[0], sizeof f);
    cudaMemcpyFromSymbol(&f, operation, sizeof f);
    expect("passed plus", passed, [](int t) { return t + 7; }, f);
    expect("parted", parted, [&](int t) { return want[t % 3](t, 5) + 1; });
    expect("constant", constant, [](int t) { return t % 2 ? 0 + t + looped_want(1, t) + 2 + t : looped_want(0, t) + 1 + t + looped_want(2, t); }, 3);
    expect("chosen", chosen, [](int t) { return t < 20 ? t * 20 : t + 20; }, 20);
    expect("structs", structs, [](int t) { return t % 2 ? 2 + 10 + 200 + 3000 : 2 * t + 30 + 100 + 1000 * (2 + t); });
    expect("lambda", lambda, [](int t) { return t % 2 ? 3 * t : t - 9; });
    expect("staged 0", staged, [](int t) { return (t + 1) % 64 * 3; }, 0);
    expect("staged 1", staged, [](int t) { return t ^ 1; }, 1);
    make_shapes<<<1, 64>>>();
    expect("use_shapes", use_shapes, [](int t) { return (t % 3 ? t * t : t * 6 / 2) * 50 + (t % 3 ? 4 : 3); }, 5);
    end_shapes<<<1, 64>>>();
    int count;
    cudaMemcpyFromSymbol(&count, ended, sizeof count);
    wrong |= count != 22;
    expect("placed", placed, [](int t) { return (t + 1) % 64 % 2 ? (t + 1) % 64 * ((t + 1) % 64) * 2 : (t + 1) % 64 * 4 / 2 * 2; });
    expect("recursive", recursive, [](int t) { return fibonacci_want(t % 9); });
    expect("mutual", mutual, [](int t) { return even_want(t % 5) * 100 + 1 + t % 5 / 2; });
    expect("sorted", sorted, [](int) { return 1; });
    expect("not_inlined", not_inlined, [](int t) { return 2 * t; });
    wrong |= cudaDeviceSynchronize() != cudaSuccess;
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
