// SPDX-License-Identifier: Apache-2.0
// Textures of one and two dimensions: references and objects, arrays and rows, addresses and filters.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { W = 40, H = 24 };

static int wrong;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            wrong = 1; \
        } \
    } while (0)

texture<float, 2, cudaReadModeElementType> image;
texture<int2, 2, cudaReadModeElementType> pairs;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float4, 1, cudaReadModeElementType> line;

__global__ void sample(float *out, float dx, float dy, float scale) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D(image, (x + dx) * scale, (y + dy) * scale);
}

__global__ void turn(int2 *out) {
    int x = threadIdx.x, y = blockIdx.x;
    out[x * H + y] = tex2D(pairs, x, y);
}

__global__ void shades(float *out) {
    out[blockIdx.x * W + threadIdx.x] = tex2D(bytes, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

__global__ void between(float4 *out) {
    out[threadIdx.x] = tex1D(line, threadIdx.x * 0.25f);
}

__global__ void by_object(cudaTextureObject_t rows, cudaTextureObject_t list, float *out) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * W + x] = tex2D<float>(rows, x - 1, y - 1) + tex1Dfetch<float>(list, x * 7);
}

static float at(int x, int y) {
    return (float)((x * 31 + y * 17) % 64);
}

static int inside(int v, int n) {
    return v < 0 ? 0 : v >= n ? n - 1 : v;
}

template <class T> static T *room(size_t count) {
    T *p;
    CHECK(cudaMalloc((void **)&p, count * sizeof(T)) == cudaSuccess);
    return p;
}

template <class T> static std::vector<T> host_of(const T *p, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return host;
}

static void try_image(const std::vector<float> &host) {
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray *array;
    float *out = room<float>(W * H);
    CHECK(cudaMallocArray(&array, &floats, W, H) == cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host.data(), W * H * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindTextureToArray(image, array, floats) == cudaSuccess);
    sample<<<H, W>>>(out, -2.5f, 3.5f, 1);
    std::vector<float> got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) { // beyond the edges: the texels there
        CHECK(got[i] == at(inside(i % W - 3, W), inside(i / W + 3, H)));
    }
    image.filterMode = cudaFilterModeLinear;
    sample<<<H, W>>>(out, 0.75f, 1.0f, 1);
    got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) { // a quarter further in x, a half in y
        int x = i % W, y = i / W, right = inside(x + 1, W), below = inside(y + 1, H);
        float high = 0.75f * at(x, y) + 0.25f * at(right, y), low = 0.75f * at(x, below) + 0.25f * at(right, below);
        CHECK(std::fabs(got[i] - (high + low) / 2) < 1e-4f);
    }
    image.filterMode = cudaFilterModePoint;
    image.normalized = 1;
    image.addressMode[0] = cudaAddressModeWrap;
    image.addressMode[1] = cudaAddressModeMirror;
    sample<<<H, W>>>(out, 0.25f, 0.25f, 2.0f / W); // no point on an edge of texels
    got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) {
        int x = (2 * (i % W)) % W, y = (int)std::floor((i / W + 0.25f) * (2.0f / W) * H) % (2 * H);
        CHECK(got[i] == at(x, y < H ? y : 2 * H - 1 - y));
    }
    std::vector<float> back(W * H);
    CHECK(cudaMemcpy2DFromArray(back.data(), W * 4, array, 0, 0, W * 4, H, cudaMemcpyDeviceToHost) == cudaSuccess && back == host);
    CHECK(cudaMemcpy2DFromArray(back.data(), W * 4, array, 8, 0, W * 4, H, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaUnbindTexture(image) == cudaSuccess && cudaFreeArray(array) == cudaSuccess);
}

static void try_rows(const std::vector<float> &host) {
    int2 *p, *out = room<int2>(W * H);
    unsigned char *b;
    size_t pitch, byte_pitch;
    std::vector<int2> numbers(W * H);
    std::vector<unsigned char> shade(W * H);
    for (int i = 0; i < W * H; i++) {
        numbers[i] = int2{i, (int)host[i]};
        shade[i] = (unsigned char)(i % 256);
    }
    CHECK(cudaMallocPitch((void **)&p, &pitch, W * sizeof(int2), H) == cudaSuccess);
    CHECK(cudaMemcpy2D(p, pitch, numbers.data(), W * sizeof(int2), W * sizeof(int2), H, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindTexture2D(0, pairs, p, W, H, pitch) == cudaSuccess);
    turn<<<H, W>>>(out);
    std::vector<int2> got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) {
        int2 v = got[(i % W) * H + i / W];
        CHECK(v.x == i && v.y == (int)host[i]);
    }
    float *shaded = room<float>(W * H);
    CHECK(cudaMallocPitch((void **)&b, &byte_pitch, W, H) == cudaSuccess);
    CHECK(cudaMemcpy2D(b, byte_pitch, shade.data(), W, W, H, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindTexture2D(0, bytes, b, cudaCreateChannelDesc<unsigned char>(), W, H, byte_pitch) == cudaSuccess);
    shades<<<H, W>>>(shaded);
    std::vector<float> parts = host_of(shaded, W * H);
    for (int i = 0; i < W * H; i++) {
        CHECK(parts[i] == shade[i] / 255.0f);
    }
}

static void try_line() {
    cudaChannelFormatDesc fours = cudaCreateChannelDesc<float4>();
    cudaArray *array;
    float4 host[8], *out = room<float4>(32);
    for (int i = 0; i < 8; i++) {
        host[i] = float4{(float)i, 2.0f * i, 3.0f * i, 4.0f * i};
    }
    CHECK(cudaMallocArray(&array, &fours, 8) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice) == cudaSuccess);
    line.filterMode = cudaFilterModeLinear;
    CHECK(cudaBindTextureToArray(line, array) == cudaSuccess);
    between<<<1, 32>>>(out);
    std::vector<float4> got = host_of(out, 32);
    for (int i = 0; i < 32; i++) {
        float place = std::fmin(std::fmax(i * 0.25f - 0.5f, 0), 7);
        CHECK(got[i].x == place && got[i].w == 4 * place);
    }
}

static void try_objects(const std::vector<float> &host) {
    float *list = room<float>(W * H), *out = room<float>(W * H);
    cudaArray *array;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaResourceDesc resource = {}, linear = {};
    cudaTextureDesc modes = {};
    cudaTextureObject_t rows, fetches, none;
    CHECK(cudaMallocArray(&array, &floats, W, H) == cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host.data(), W * H * 4, cudaMemcpyHostToDevice) == cudaSuccess);
    cudaMemcpy(list, host.data(), W * H * 4, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    modes.addressMode[0] = modes.addressMode[1] = cudaAddressModeBorder;
    CHECK(cudaCreateTextureObject(&rows, &resource, &modes, NULL) == cudaSuccess);
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = list;
    linear.res.linear.desc = floats;
    linear.res.linear.sizeInBytes = W * H * 4;
    CHECK(cudaCreateTextureObject(&fetches, &linear, &modes, NULL) == cudaSuccess);
    linear.res.linear.devPtr = NULL;
    CHECK(cudaCreateTextureObject(&none, &linear, &modes, NULL) == cudaErrorInvalidValue);
    by_object<<<H, W>>>(rows, fetches, out);
    std::vector<float> got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) {
        int x = i % W, y = i / W;
        CHECK(got[i] == (x && y ? at(x - 1, y - 1) : 0) + host[x * 7]);
    }
    CHECK(cudaDestroyTextureObject(rows) == cudaSuccess && cudaDestroyTextureObject(fetches) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(rows) == cudaErrorInvalidValue);
}

int main() {
    std::vector<float> host(W * H);
    for (int i = 0; i < W * H; i++) {
        host[i] = at(i % W, i / W);
    }
    try_image(host);
    try_rows(host);
    try_line();
    try_objects(host);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
