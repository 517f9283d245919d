/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces: references and objects, on linear memory, rows and arrays of one to three
 * dimensions, of layers and of a cube's faces. An array is stored in rows.
 */
#ifndef WARPMEM_TEXTURE_H
#define WARPMEM_TEXTURE_H

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
enum {
    cudaTextureType1D = 1,
    cudaTextureType2D = 2,
    cudaTextureType3D = 3,
    cudaTextureTypeCubemap = 12,
    cudaTextureType1DLayered = 241,
    cudaTextureType2DLayered = 242,
    cudaTextureTypeCubemapLayered = 252
};
enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};

struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
};

#ifdef __cplusplus
/* Other types matter by the bytes of a texel alone. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void) {
    return cudaChannelFormatDesc{(int)(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone};
}
#define WARPMEM_CHANNELS(T, part, n, kind) \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>(void) { \
        const int bits = (int)(8 * sizeof(part)); \
        return cudaChannelFormatDesc{bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0, \
                                     cudaChannelFormatKind##kind}; \
    }
#define WARPMEM_CHANNELS_OF(name, part, kind) \
    WARPMEM_CHANNELS(part, part, 1, kind) \
    WARPMEM_CHANNELS(name##1, part, 1, kind) \
    WARPMEM_CHANNELS(name##2, part, 2, kind) \
    WARPMEM_CHANNELS(name##4, part, 4, kind)
WARPMEM_CHANNELS(char, char, 1, Signed)
WARPMEM_CHANNELS_OF(char, signed char, Signed)
WARPMEM_CHANNELS_OF(uchar, unsigned char, Unsigned)
WARPMEM_CHANNELS_OF(short, short, Signed)
WARPMEM_CHANNELS_OF(ushort, unsigned short, Unsigned)
WARPMEM_CHANNELS_OF(int, int, Signed)
WARPMEM_CHANNELS_OF(uint, unsigned, Unsigned)
WARPMEM_CHANNELS_OF(float, float, Float)
#undef WARPMEM_CHANNELS_OF
#undef WARPMEM_CHANNELS
#endif
static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind f) {
    const struct cudaChannelFormatDesc desc = {x, y, z, w, f};
    return desc;
}

typedef struct warpmem_array *cudaArray_t;
typedef struct warpmem_array cudaArray;
typedef const struct warpmem_array *cudaArray_const_t;
typedef struct warpmem_mipmapped_array *cudaMipmappedArray_t;
typedef const struct warpmem_mipmapped_array *cudaMipmappedArray_const_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy; /* has no effect */
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap; /* have no effect */
};
struct cudaResourceViewDesc;

WARPMEM_C_BEGIN
cudaError_t cudaMallocArray(cudaArray_t *, const struct cudaChannelFormatDesc *, size_t,
                            size_t WARPMEM_OR(0), unsigned WARPMEM_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *, const struct cudaChannelFormatDesc *,
                              struct cudaExtent, unsigned WARPMEM_OR(0));
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *, struct cudaExtent *, unsigned *,
                             cudaArray_t);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *, const cudaArray *);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const struct cudaChannelFormatDesc *,
                                     struct cudaExtent, unsigned, unsigned WARPMEM_OR(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_const_t, unsigned);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, const cudaArray *, size_t, size_t, size_t, size_t,
                                  enum cudaMemcpyKind);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, const cudaArray *, size_t, size_t, size_t,
                                enum cudaMemcpyKind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const struct cudaResourceDesc *,
                                    const struct cudaTextureDesc *,
                                    const struct cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const struct cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
WARPMEM_C_END

#ifdef __CUDA__
/* On the device it is 8 bytes whose address identifies the texture. */
template <class T, int DIMENSIONS = 1, cudaTextureReadMode MODE = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp) {
        normalized = is_normalized;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
    }
};

extern "C" {
cudaError_t warpmem_bind_texture(const void *, const void *, size_t);
cudaError_t warpmem_bind_texture_2d(const void *, const void *, size_t, size_t, size_t);
cudaError_t warpmem_bind_array(const void *, const cudaArray *);
}

#include "warpmem_texture_device.h"

/* --- on the host --- */

template <class T, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, 1, MODE> &t,
                                          const void *p, const cudaChannelFormatDesc &,
                                          size_t bytes = UINT_MAX) {
    if (offset) {
        *offset = 0;
    }
    return warpmem_bind_texture(&t, p, bytes);
}
template <class T, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, 1, MODE> &t,
                                          const void *p, size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, t, p, cudaCreateChannelDesc<T>(), bytes);
}
template <class T, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, 2, MODE> &t,
                                            const void *p, const cudaChannelFormatDesc &,
                                            size_t width, size_t height, size_t pitch) {
    if (offset) {
        *offset = 0;
    }
    return warpmem_bind_texture_2d(&t, p, width, height, pitch);
}
template <class T, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, 2, MODE> &t,
                                            const void *p, size_t width, size_t height,
                                            size_t pitch) {
    return cudaBindTexture2D(offset, t, p, cudaCreateChannelDesc<T>(), width, height, pitch);
}
template <class T, int DIMENSIONS, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTextureToArray(const texture<T, DIMENSIONS, MODE> &t,
                                                 const cudaArray *a) {
    return warpmem_bind_array(&t, a);
}
template <class T, int DIMENSIONS, cudaTextureReadMode MODE>
static inline cudaError_t cudaBindTextureToArray(const texture<T, DIMENSIONS, MODE> &t,
                                                 const cudaArray *a,
                                                 const cudaChannelFormatDesc &) {
    return warpmem_bind_array(&t, a);
}
template <class T, int DIMENSIONS, cudaTextureReadMode MODE>
static inline cudaError_t cudaUnbindTexture(const texture<T, DIMENSIONS, MODE> &t) {
    return warpmem_bind_texture(&t, 0, 0);
}
static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *p,
                                          const cudaChannelFormatDesc *, size_t bytes = UINT_MAX) {
    if (offset) {
        *offset = 0;
    }
    return warpmem_bind_texture(t, p, bytes);
}
static inline cudaError_t cudaUnbindTexture(const textureReference *t) {
    return warpmem_bind_texture(t, 0, 0);
}
#endif

#endif
