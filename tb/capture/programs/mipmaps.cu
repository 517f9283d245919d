// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays: the choice of a level by number and by gradient, between levels, their filters and extents.
#include <cmath>
#include <cstdio>
#include <cstring>

enum { W = 16, H = 8, LEVELS = 5 };
static int wrong;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            wrong = 1; \
        } \
    } while (0)

// In texels of a level: its number a thousand times, its row ten times, its column.
static float value_of(int level, int row, int column) { return 1000.0f * level + 10.0f * row + column; }

__global__ void by_level(cudaTextureObject_t t, const float *lod, float *out, float u, float v) { out[threadIdx.x] = tex2DLod<float>(t, u, v, lod[threadIdx.x]); }
__global__ void by_gradient(cudaTextureObject_t t, const float *step, float *out) {
    const float s = step[threadIdx.x];
    out[threadIdx.x] = tex2DGrad<float>(t, 0.01f, 0.01f, make_float2(s / W, 0), make_float2(0, s / H / 2));
}
__global__ void first_level(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex2D<float>(t, 0.99f, 0.99f); }
__global__ void layers(cudaTextureObject_t t, float lod, int *out) {
    tex2DLayeredLod(&out[threadIdx.x], t, 0.99f, 0.99f, (int)threadIdx.x, lod);
}
__global__ void volume(cudaTextureObject_t t, float lod, float *out) { out[threadIdx.x] = tex3DLod<float>(t, 0.99f, 0.99f, 0.99f, lod); }
__global__ void half_level(cudaSurfaceObject_t to, cudaTextureObject_t from, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) {
        surf2Dwrite(tex2D<float>(from, (x + 0.5f) / width, (y + 0.5f) / height), to, x * 4, y);
    }
}

static cudaTextureObject_t texture_of(cudaMipmappedArray_t a, cudaTextureFilterMode between, float bias = 0, float least = 0, float most = 99,
                                      cudaTextureFilterMode filter = cudaFilterModePoint) {
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t = 0;
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = a;
    d.normalizedCoords = 1;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    d.filterMode = filter;
    d.mipmapFilterMode = between;
    d.mipmapLevelBias = bias, d.minMipmapLevelClamp = least, d.maxMipmapLevelClamp = most;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaSuccess);
    return t;
}

#ifndef __CUDA_ARCH__
static const float lods[] = {0, 0.25f, 0.5f, 0.75f, 1, 1.5f, 3.75f, 4, 7, -2};
enum { LODS = sizeof lods / sizeof *lods };
static float *room(const float *from = NULL, int count = 64) {
    float *p;
    cudaMalloc(&p, 4 * count);
    if (from) {
        cudaMemcpy(p, from, 4 * count, cudaMemcpyHostToDevice);
    }
    return p;
}
static float clamp(float x, float least, float most) { return std::fmin(std::fmax(x, least), most); }

static void check_levels(cudaMipmappedArray_t a, cudaTextureFilterMode between, float bias, float least, float most) {
    const cudaTextureObject_t t = texture_of(a, between, bias, least, most);
    float *in = room(lods, LODS), *out = room(), got[LODS];
    by_level<<<1, LODS>>>(t, in, out, 0.99f, 0.99f);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < LODS; i++) {
        auto corner = [](int level) { return value_of(level, (H >> level ? H >> level : 1) - 1, (W >> level) - 1); };
        const float level = clamp(clamp(lods[i] + bias, least, most), 0, LEVELS - 1);
        const int low = (int)level, high = low + 1 < LEVELS ? low + 1 : low;
        const float want = between == cudaFilterModePoint ? corner((int)(level + 0.5f)) : corner(low) + (level - low) * (corner(high) - corner(low));
        if (std::fabs(got[i] - want) > 1e-2f) {
            printf("lod %g: is %g, must be %g\n", lods[i], got[i], want);
            wrong = 1;
        }
    }
    CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(t) == cudaErrorInvalidValue);
}

static void check_plane() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t a = NULL, bad;
    CHECK(cudaMallocMipmappedArray(&a, &format, make_cudaExtent(W, H, 0), 99) == cudaSuccess); // as many as there are
    for (int level = 0; level < LEVELS; level++) {
        cudaArray_t array;
        cudaExtent e;
        float texels[W * H];
        CHECK(cudaGetMipmappedArrayLevel(&array, a, level) == cudaSuccess);
        CHECK(cudaArrayGetInfo(NULL, &e, NULL, array) == cudaSuccess);
        CHECK((int)e.width == W >> level && (int)e.height == (H >> level ? H >> level : 1) && e.depth == 0);
        for (unsigned i = 0; i < e.width * e.height; i++) {
            texels[i] = value_of(level, i / e.width, i % e.width);
        }
        CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, e.width * 4, e.width * 4, e.height, cudaMemcpyHostToDevice) == cudaSuccess);
    }
    cudaArray_t none;
    CHECK(cudaGetMipmappedArrayLevel(&none, a, LEVELS) == cudaErrorInvalidValue);
    CHECK(cudaMallocMipmappedArray(&bad, &format, make_cudaExtent(0, 0, 0), 1) == cudaErrorInvalidValue);
    check_levels(a, cudaFilterModePoint, 0, 0, 99);
    check_levels(a, cudaFilterModeLinear, 0, 0, 99);
    check_levels(a, cudaFilterModeLinear, 0.5f, 0.25f, 2);
    check_levels(a, cudaFilterModePoint, -1, 1, 99);

    const cudaTextureObject_t t = texture_of(a, cudaFilterModePoint), linear = texture_of(a, cudaFilterModeLinear, 0, 0, 99, cudaFilterModeLinear);
    const float steps[] = {0.5f, 1, 2, 4, 7, 16, 64};
    float *in = room(steps, 7), *out = room(), got[7];
    by_gradient<<<1, 7>>>(t, in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7; i++) {
        CHECK(got[i] == 1000 * (int)(clamp(std::log2(steps[i]), 0, LEVELS - 1) + 0.5f));
    }
    first_level<<<1, 1>>>(t, out);
    cudaMemcpy(got, out, 4, cudaMemcpyDeviceToHost);
    CHECK(got[0] == value_of(0, H - 1, W - 1));
    const float middle = 0.5f;
    in = room(&middle, 1);
    by_level<<<1, 1>>>(linear, in, out, 0.5f, 0.5f); // between four texels in each of two levels
    cudaMemcpy(got, out, 4, cudaMemcpyDeviceToHost);
    CHECK(std::fabs(got[0] - (10 * 3.5f + 7.5f + 1000 + 10 * 1.5f + 3.5f) / 2) < 1e-3f);
    CHECK(cudaFreeMipmappedArray(a) == cudaSuccess);
}

static void check_layers() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMipmappedArray_t a;
    CHECK(cudaMallocMipmappedArray(&a, &format, make_cudaExtent(4, 4, 3), 2, cudaArrayLayered) == cudaSuccess);
    for (int level = 0; level < 2; level++) {
        int texels[48];
        cudaMemcpy3DParms copy = {};
        cudaExtent e;
        CHECK(cudaGetMipmappedArrayLevel(&copy.dstArray, a, level) == cudaSuccess);
        CHECK(cudaArrayGetInfo(NULL, &e, NULL, copy.dstArray) == cudaSuccess);
        CHECK((int)e.width == 4 >> level && e.depth == 3);
        for (int i = 0; i < 48; i++) {
            texels[i] = 100 * level + i;
        }
        copy.srcPtr = make_cudaPitchedPtr(texels, e.width * 4, e.width, e.height);
        copy.extent = e;
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    }
    int *out = (int *)room(), got[3];
    layers<<<1, 3>>>(texture_of(a, cudaFilterModePoint), 0.75f, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    CHECK(got[0] == 103 && got[1] == 107 && got[2] == 111);
}

// A level made of the one before, as programs do.
static void check_volume_and_surfaces() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t a, v;
    cudaArray_t level[2];
    float texels[16], got[4];
    CHECK(cudaMallocMipmappedArray(&a, &format, make_cudaExtent(4, 4, 0), 2, cudaArraySurfaceLoadStore) == cudaSuccess);
    for (int i = 0; i < 16; i++) {
        texels[i] = i * i;
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGetMipmappedArrayLevel(&level[i], a, i) == cudaSuccess);
    }
    cudaMemcpy2DToArray(level[0], 0, 0, texels, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {}, s = {};
    cudaTextureDesc d = {};
    r.resType = s.resType = cudaResourceTypeArray;
    r.res.array.array = level[0], s.res.array.array = level[1];
    d.normalizedCoords = 1, d.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t from;
    cudaSurfaceObject_t to;
    CHECK(cudaCreateTextureObject(&from, &r, &d, NULL) == cudaSuccess && cudaCreateSurfaceObject(&to, &s) == cudaSuccess);
    half_level<<<2, 2>>>(to, from, 2, 2);
    cudaMemcpy2DFromArray(got, 8, level[1], 0, 0, 8, 2, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) {
        const int at = i / 2 * 8 + i % 2 * 2;
        CHECK(got[i] == (texels[at] + texels[at + 1] + texels[at + 4] + texels[at + 5]) / 4);
    }
    CHECK(cudaMallocMipmappedArray(&v, &format, make_cudaExtent(4, 4, 4), 3) == cudaSuccess);
    for (int i = 0; i < 3; i++) {
        float values[64];
        cudaMemcpy3DParms copy = {};
        cudaExtent e;
        CHECK(cudaGetMipmappedArrayLevel(&copy.dstArray, v, i) == cudaSuccess);
        CHECK(cudaArrayGetInfo(NULL, &e, NULL, copy.dstArray) == cudaSuccess && (int)e.depth == 4 >> i);
        for (int k = 0; k < 64; k++) {
            values[k] = 100 * i + k;
        }
        copy.srcPtr = make_cudaPitchedPtr(values, e.width * 4, e.width, e.height);
        copy.extent = e;
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    }
    float *out = room();
    const float want[] = {63, 107, 200};
    for (int i = 0; i < 3; i++) {
        volume<<<1, 1>>>(texture_of(v, cudaFilterModePoint), i, out);
        cudaMemcpy(got, out, 4, cudaMemcpyDeviceToHost);
        CHECK(got[0] == want[i]);
    }
}

int main() {
    check_plane();
    check_layers();
    check_volume_and_surfaces();
    puts(wrong ? "wrong" : "right");
    return wrong;
}
#endif
