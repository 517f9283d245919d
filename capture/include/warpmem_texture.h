/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture references on linear memory: cudaBindTexture() and tex1Dfetch().
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

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void) {
    return cudaChannelFormatDesc{(int)(8 * sizeof(T)), 0, 0, 0, cudaChannelFormatKindNone};
}
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f) {
    return cudaChannelFormatDesc{x, y, z, w, f};
}

#ifdef __CUDA__
/* On the device it is 8 bytes whose address names the texture. */
template <class T, int DIMENSIONS = 1, cudaTextureReadMode MODE = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {};

extern "C" {
__device__ const void *__wm_texture(const void *, int, int);
cudaError_t warpmem_bind_texture(const void *, const void *, size_t);
}

template <class T>
WARPMEM_DEVICE T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
    return *(const T *)__wm_texture(&t, i, (int)sizeof(T));
}
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
