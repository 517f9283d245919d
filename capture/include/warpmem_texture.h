/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures: references and objects, on linear memory and on arrays of one and two dimensions, with
 * point and linear filters. An array is stored in rows, and a linear filter makes a load for each
 * texel.
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
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };

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

/* For arrays only the bytes of a texel matter. */
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void) {
    return cudaChannelFormatDesc{(int)(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone};
}
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
    return cudaChannelFormatDesc{x, y, z, w, f};
}

typedef struct warpmem_array *cudaArray_t;
typedef struct warpmem_array cudaArray;
typedef unsigned long long cudaTextureObject_t;

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
    unsigned maxAnisotropy;
};
struct cudaResourceViewDesc;

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t = 0,
                            unsigned = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, const cudaArray *, size_t, size_t, size_t, size_t,
                                  enum cudaMemcpyKind);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, const cudaArray *, size_t, size_t, size_t,
                                enum cudaMemcpyKind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *,
                                    const cudaTextureDesc *, const cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
}

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
__device__ const void *__wm_texture(const void *, int, int);
__device__ const void *__wm_texel(const void *, float, float, int, int);
__device__ float __wm_texture_fraction(const void *, float, int);
cudaError_t warpmem_bind_texture(const void *, const void *, size_t);
cudaError_t warpmem_bind_texture_2d(const void *, const void *, size_t, size_t, size_t);
cudaError_t warpmem_bind_array(const void *, const cudaArray *);
}

/* --- on the device --- */

/* A texel is one load, even of a structure, which the compiler would split. */
template <int BYTES> struct warpmem_word {};
template <> struct warpmem_word<1> { typedef char type; };
template <> struct warpmem_word<2> { typedef short type; };
template <> struct warpmem_word<4> { typedef int type; };
template <> struct warpmem_word<8> { typedef int type __attribute__((vector_size(8))); };
template <> struct warpmem_word<16> { typedef int type __attribute__((vector_size(16))); };
template <class T> WARPMEM_DEVICE T warpmem_load_texel(const void *p) {
    typedef typename warpmem_word<sizeof(T)>::type word;
    const word whole = *(const volatile word *)p;
    return __builtin_bit_cast(T, whole);
}
template <class T> WARPMEM_DEVICE T warpmem_texel(const void *t, float x, float y, int corner) {
    return warpmem_load_texel<T>(__wm_texel(t, x, y, corner, (int)sizeof(T)));
}
WARPMEM_DEVICE float warpmem_mix(float a, float b, float f) {
    return a + f * (b - a);
}
WARPMEM_DEVICE float2 warpmem_mix(float2 a, float2 b, float f) {
    return float2{warpmem_mix(a.x, b.x, f), warpmem_mix(a.y, b.y, f)};
}
WARPMEM_DEVICE float4 warpmem_mix(float4 a, float4 b, float f) {
    return float4{warpmem_mix(a.x, b.x, f), warpmem_mix(a.y, b.y, f), warpmem_mix(a.z, b.z, f),
                  warpmem_mix(a.w, b.w, f)};
}
/* A fetch with the texture's filter, which is known only at run time: two more instructions. */
template <class T>
WARPMEM_DEVICE T warpmem_filtered(const void *t, float x, float y, bool two_dimensions) {
    float fx = __wm_texture_fraction(t, x, 0);
    if (fx < 0) {
        return warpmem_texel<T>(t, x, y, 0);
    }
    T low = warpmem_mix(warpmem_texel<T>(t, x, y, 0), warpmem_texel<T>(t, x, y, 1), fx);
    if (!two_dimensions) {
        return low;
    }
    T high = warpmem_mix(warpmem_texel<T>(t, x, y, 2), warpmem_texel<T>(t, x, y, 3), fx);
    return warpmem_mix(low, high, __wm_texture_fraction(t, y, 1));
}
template <class T> struct warpmem_fetch {
    static inline __attribute__((device, always_inline)) T at(const void *t, float x, float y,
                                                              bool) {
        return warpmem_texel<T>(t, x, y, 0);
    }
};
#define WARPMEM_FILTERED(T) \
    template <> struct warpmem_fetch<T> { \
        static inline __attribute__((device, always_inline)) T at(const void *t, float x, float y, \
                                                                  bool two) { \
            return warpmem_filtered<T>(t, x, y, two); \
        } \
    };
WARPMEM_FILTERED(float)
WARPMEM_FILTERED(float2)
WARPMEM_FILTERED(float4)

template <class T>
WARPMEM_DEVICE T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
    return warpmem_load_texel<T>(__wm_texture(&t, i, (int)sizeof(T)));
}
template <class T>
WARPMEM_DEVICE T tex1D(const texture<T, 1, cudaReadModeElementType> &t, float x) {
    return warpmem_fetch<T>::at(&t, x, 0, false);
}
template <class T>
WARPMEM_DEVICE T tex2D(const texture<T, 2, cudaReadModeElementType> &t, float x, float y) {
    return warpmem_fetch<T>::at(&t, x, y, true);
}
template <class T> WARPMEM_DEVICE T tex1Dfetch(cudaTextureObject_t t, int i) {
    return warpmem_load_texel<T>(__wm_texture((const void *)t, i, (int)sizeof(T)));
}
template <class T> WARPMEM_DEVICE T tex1D(cudaTextureObject_t t, float x) {
    return warpmem_fetch<T>::at((const void *)t, x, 0, false);
}
template <class T> WARPMEM_DEVICE T tex2D(cudaTextureObject_t t, float x, float y) {
    return warpmem_fetch<T>::at((const void *)t, x, y, true);
}
/* Integers read as fractions of 1: point filter. */
#define WARPMEM_NORMALIZED(T, result, expression) \
    WARPMEM_DEVICE result tex1Dfetch(const texture<T, 1, cudaReadModeNormalizedFloat> &t, int i) { \
        T v = warpmem_load_texel<T>(__wm_texture(&t, i, (int)sizeof(T))); \
        return expression; \
    } \
    WARPMEM_DEVICE result tex2D(const texture<T, 2, cudaReadModeNormalizedFloat> &t, float x, \
                                float y) { \
        T v = warpmem_texel<T>(&t, x, y, 0); \
        return expression; \
    }
WARPMEM_NORMALIZED(unsigned char, float, v / 255.0f)
WARPMEM_NORMALIZED(unsigned short, float, v / 65535.0f)
WARPMEM_NORMALIZED(uchar4, float4, (float4{v.x / 255.0f, v.y / 255.0f, v.z / 255.0f, v.w / 255.0f}))

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
