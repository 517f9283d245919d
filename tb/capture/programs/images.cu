// SPDX-License-Identifier: Apache-2.0
// Textures of three dimensions, of layers and of a cube's faces; integers read as fractions; surfaces.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

enum { W = 8, H = 6, D = 4 };

static int wrong;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            wrong = 1; \
        } \
    } while (0)

__global__ void sample_3d(cudaTextureObject_t t, float *out, float shift) {
    out[(blockIdx.y * H + blockIdx.x) * W + threadIdx.x] = tex3D<float>(t, threadIdx.x + shift, blockIdx.x + shift, blockIdx.y + shift);
}

__global__ void sample_layers(cudaTextureObject_t t, float *out, int shift) {
    float v;
    tex2DLayered(&v, t, threadIdx.x + 0.5f, blockIdx.x + 0.5f, (int)blockIdx.y + shift);
    out[(blockIdx.y * H + blockIdx.x) * W + threadIdx.x] = v;
}

__global__ void sample_lines(cudaTextureObject_t t, float *out) {
    out[blockIdx.x * W + threadIdx.x] = tex1DLayered<float>(t, threadIdx.x + 0.5f, blockIdx.x);
}

__global__ void sample_cube(cudaTextureObject_t t, const float3 *to, float *out) {
    const float3 v = to[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, v.x, v.y, v.z);
}

__global__ void sample_shades(cudaTextureObject_t t, float4 *out, float shift) {
    out[blockIdx.x * W + threadIdx.x] = tex2D<float4>(t, threadIdx.x + shift, blockIdx.x + shift);
}

__global__ void sample_signed(cudaTextureObject_t t, float *out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
}

__global__ void write_surface(cudaSurfaceObject_t s, int shift) {
    surf2Dwrite(make_float2(threadIdx.x, blockIdx.x), s, ((int)threadIdx.x + shift) * 8, blockIdx.x, cudaBoundaryModeZero);
}

__global__ void read_surface(cudaSurfaceObject_t s, float2 *out, int shift, cudaSurfaceBoundaryMode mode) {
    out[blockIdx.x * W + threadIdx.x] = surf2Dread<float2>(s, ((int)threadIdx.x + shift) * 8, blockIdx.x, mode);
}

__global__ void fill_volume(cudaSurfaceObject_t s) {
    surf3Dwrite((float)(threadIdx.x + 10 * blockIdx.x + 100 * blockIdx.y), s, threadIdx.x * 4, blockIdx.x, blockIdx.y);
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

template <class T> static cudaArray_t array_of(cudaExtent size, unsigned flags) {
    cudaArray_t array = NULL;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    CHECK(cudaMalloc3DArray(&array, &channels, size, flags) == cudaSuccess);
    return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureReadMode mode) {
    cudaResourceDesc resource = {};
    cudaTextureDesc modes = {};
    cudaTextureObject_t object = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    modes.filterMode = filter;
    modes.readMode = mode;
    modes.addressMode[0] = modes.addressMode[1] = modes.addressMode[2] = cudaAddressModeClamp;
    CHECK(cudaCreateTextureObject(&object, &resource, &modes, NULL) == cudaSuccess);
    return object;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t object = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateSurfaceObject(&object, &resource) == cudaSuccess);
    return object;
}

/* Surfaces fill what textures then read. */
static void try_volume() {
    float *out = room<float>(W * H * D);
    cudaArray_t array = array_of<float>(make_cudaExtent(W, H, D), cudaArraySurfaceLoadStore);
    cudaTextureObject_t point = texture_of(array, cudaFilterModePoint, cudaReadModeElementType);
    cudaTextureObject_t linear = texture_of(array, cudaFilterModeLinear, cudaReadModeElementType);
    fill_volume<<<dim3(H, D), W>>>(surface_of(array));
    sample_3d<<<dim3(H, D), W>>>(point, out, 0.5f);
    std::vector<float> got = host_of(out, W * H * D);
    for (int i = 0; i < W * H * D; i++) {
        CHECK(got[i] == i % W + 10 * (i / W % H) + 100 * (i / W / H));
    }
    sample_3d<<<dim3(H, D), W>>>(linear, out, 0.75f); // a quarter further in each direction
    got = host_of(out, W * H * D);
    for (int i = 0; i < W * H * D; i++) {
        const float x = std::fmin(i % W + 0.25f, W - 1), y = std::fmin(i / W % H + 0.25f, H - 1), z = std::fmin(i / W / H + 0.25f, D - 1);
        CHECK(std::fabs(got[i] - (x + 10 * y + 100 * z)) < 1e-3f);
    }
    cudaExtent size;
    cudaChannelFormatDesc channels;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&channels, &size, &flags, array) == cudaSuccess);
    CHECK(size.width == W && size.height == H && size.depth == D && flags == cudaArraySurfaceLoadStore);
    CHECK(channels.x == 32 && channels.y == 0 && channels.f == cudaChannelFormatKindFloat);
}

static void try_layers() {
    float *out = room<float>(W * H * D);
    cudaArray_t array = array_of<float>(make_cudaExtent(W, H, D), cudaArrayLayered | cudaArraySurfaceLoadStore);
    fill_volume<<<dim3(H, D), W>>>(surface_of(array));
    for (int shift = -1; shift <= 1; shift++) { // below the first layer the first, above the last the last
        sample_layers<<<dim3(H, D), W>>>(texture_of(array, cudaFilterModeLinear, cudaReadModeElementType), out, shift);
        std::vector<float> got = host_of(out, W * H * D);
        for (int i = 0; i < W * H * D; i++) {
            const int layer = i / W / H + shift;
            CHECK(got[i] == i % W + 10 * (i / W % H) + 100 * (layer < 0 ? 0 : layer < D ? layer : D - 1));
        }
    }
    array = array_of<float>(make_cudaExtent(W, 0, D), cudaArrayLayered | cudaArraySurfaceLoadStore);
    fill_volume<<<dim3(1, D), W>>>(surface_of(array));
    sample_lines<<<D, W>>>(texture_of(array, cudaFilterModePoint, cudaReadModeElementType), out);
    std::vector<float> got = host_of(out, W * D);
    for (int i = 0; i < W * D; i++) {
        CHECK(got[i] == i % W + 100 * (i / W));
    }
}

/* Each face has a number; x and y within it show how it is turned. */
static void try_cube() {
    static const float3 to[] = {{1, 0.5f, 0.75f}, {-1, 0.5f, 0.75f}, {0.75f, 1, 0.5f}, {0.75f, -1, 0.5f}, {0.75f, 0.5f, 1}, {0.75f, 0.5f, -1},
                                {4, -2, -3}};
    // s and t of each, by the guide's table
    static const float s[] = {-0.75f, 0.75f, 0.75f, 0.75f, 0.75f, -0.75f, 0.75f}, t[] = {-0.5f, -0.5f, 0.5f, -0.5f, -0.5f, -0.5f, 0.5f};
    enum { N = 7, EDGE = 8 };
    float3 *vectors = room<float3>(N);
    float *out = room<float>(N);
    cudaMemcpy(vectors, to, sizeof to, cudaMemcpyHostToDevice);
    cudaArray_t array = array_of<float>(make_cudaExtent(EDGE, EDGE, 6), cudaArrayCubemap | cudaArraySurfaceLoadStore);
    fill_volume<<<dim3(EDGE, 6), EDGE>>>(surface_of(array));
    sample_cube<<<1, N>>>(texture_of(array, cudaFilterModePoint, cudaReadModeElementType), vectors, out);
    std::vector<float> got = host_of(out, N);
    for (int i = 0; i < N; i++) {
        CHECK(got[i] == (int)((s[i] + 1) / 2 * EDGE) + 10 * (int)((t[i] + 1) / 2 * EDGE) + 100 * (i % 6));
    }
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&array, &floats, make_cudaExtent(EDGE, EDGE, 5), cudaArrayCubemap) == cudaErrorInvalidValue);
    CHECK(cudaMalloc3DArray(&array, &floats, make_cudaExtent(EDGE, EDGE + 1, 6), cudaArrayCubemap) == cudaErrorInvalidValue);
}

static void try_fractions() {
    std::vector<uchar4> host(W * H);
    float4 *out = room<float4>(W * H);
    cudaArray_t array;
    const cudaChannelFormatDesc fours = cudaCreateChannelDesc<uchar4>();
    for (int i = 0; i < W * H; i++) {
        host[i] = make_uchar4(i, 2 * i, 255 - i, 255);
    }
    CHECK(cudaMallocArray(&array, &fours, W, H) == cudaSuccess);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, host.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice) == cudaSuccess);
    sample_shades<<<H, W>>>(texture_of(array, cudaFilterModePoint, cudaReadModeNormalizedFloat), out, 0.5f);
    std::vector<float4> got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) {
        CHECK(got[i].x == i / 255.0f && got[i].y == 2 * i / 255.0f && got[i].z == (255 - i) / 255.0f && got[i].w == 1);
    }
    sample_shades<<<H, W>>>(texture_of(array, cudaFilterModeLinear, cudaReadModeNormalizedFloat), out, 1.0f);
    got = host_of(out, W * H);
    for (int i = 0; i < W * H; i++) { // between four texels
        const float x = std::fmin(i % W + 0.5f, W - 1), y = std::fmin(i / W + 0.5f, H - 1), at = x + W * y;
        CHECK(std::fabs(got[i].x - at / 255) < 1e-5f && std::fabs(got[i].z - (255 - at) / 255) < 1e-5f);
    }
    static const short steps[] = {-32768, -32767, -1, 0, 1, 32767, 16384, 2};
    short *line = room<short>(W);
    float *sums = room<float>(W);
    cudaResourceDesc resource = {};
    cudaTextureDesc modes = {};
    cudaTextureObject_t signs;
    cudaMemcpy(line, steps, sizeof steps, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = line;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = W;
    resource.res.pitch2D.height = 1;
    resource.res.pitch2D.pitchInBytes = sizeof steps;
    modes.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&signs, &resource, &modes, NULL) == cudaErrorInvalidValue); // of floats
    resource.res.pitch2D.desc = cudaCreateChannelDesc<short>();
    CHECK(cudaCreateTextureObject(&signs, &resource, &modes, NULL) == cudaSuccess);
    sample_signed<<<1, W>>>(signs, sums);
    std::vector<float> parts = host_of(sums, W);
    for (int i = 0; i < W; i++) {
        CHECK(parts[i] == std::fmax(steps[i] / 32767.0f, -1.0f));
    }
}

static void try_surface() {
    cudaArray_t array, plain = array_of<float2>(make_cudaExtent(W, H, 0), 0);
    const cudaChannelFormatDesc twos = cudaCreateChannelDesc<float2>();
    float2 *out = room<float2>(W * H);
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t none;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plain;
    CHECK(cudaCreateSurfaceObject(&none, &resource) == cudaErrorInvalidValue); // without cudaArraySurfaceLoadStore
    CHECK(cudaMallocArray(&array, &twos, W, H, cudaArraySurfaceLoadStore) == cudaSuccess);
    cudaSurfaceObject_t surface = surface_of(array);
    write_surface<<<H, W>>>(surface, 0);
    write_surface<<<H, W>>>(surface, W - 1); // all but the first beyond the edge: not written
    for (int mode = cudaBoundaryModeZero; mode <= cudaBoundaryModeClamp; mode++) {
        read_surface<<<H, W>>>(surface, out, -2, (cudaSurfaceBoundaryMode)mode);
        std::vector<float2> got = host_of(out, W * H);
        for (int i = 0; i < W * H; i++) {
            const int x = i % W - 2;
            const bool outside = x < 0 && mode == cudaBoundaryModeZero;
            CHECK(got[i].x == (x < 0 ? 0 : x) && got[i].y == (outside ? 0 : i / W));
        }
    }
    std::vector<float2> last(H);
    CHECK(cudaMemcpy2DFromArray(last.data(), 8, array, (W - 1) * 8, 0, 8, H, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int y = 0; y < H; y++) {
        CHECK(last[y].x == 0 && last[y].y == y); // by the second launch's first thread
    }
    CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess && cudaDestroySurfaceObject(surface) == cudaErrorInvalidValue);
}

int main() {
    try_volume();
    try_layers();
    try_cube();
    try_fractions();
    try_surface();
    puts(wrong ? "wrong" : "right");
    return wrong;
}
