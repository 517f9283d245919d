/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels read textures, and read and write surfaces, with these. A linear filter makes a load for
 * each texel; filter and format are known only at run time, which takes up to four instructions
 * more.
 */
#ifndef WARPMEM_TEXTURE_DEVICE_H
#define WARPMEM_TEXTURE_DEVICE_H

extern "C" {
__device__ const void *__wm_texture(const void *, int, int);
__device__ const void *__wm_texel(const void *, float, float, float, int, int);
__device__ const void *__wm_texel_cube(const void *, float, float, float, int, int, int);
__device__ float __wm_texture_fraction(const void *, float, int);
__device__ float __wm_texture_cube_fraction(const void *, float, float, float, int);
__device__ int __wm_texture_channels(const void *);
__device__ const void *__wm_texture_level(const void *, float, int);
__device__ float __wm_texture_level_fraction(const void *, float);
__device__ float __wm_texture_lod(const void *, float, float, float, float, float, float);
__device__ void *__wm_surface(const void *, int, int, int, int, int);
}

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

/* A point of a texture, and the texels around it: 1 << AXES of them with a linear filter. */
template <int AXES> struct warpmem_point {
    const void *texture;
    float x, y, z;
    template <class T> WARPMEM_METHOD T texel(int corner) const {
        return warpmem_load_texel<T>(__wm_texel(texture, x, y, z, corner, (int)sizeof(T)));
    }
    WARPMEM_METHOD float fraction(int axis) const {
        return __wm_texture_fraction(texture, axis == 0 ? x : axis == 1 ? y : z, axis);
    }
};
/* The same of a cubemap, by a vector. */
struct warpmem_cube_point {
    const void *texture;
    float x, y, z;
    int layer;
    template <class T> WARPMEM_METHOD T texel(int corner) const {
        return warpmem_load_texel<T>(
            __wm_texel_cube(texture, x, y, z, layer, corner, (int)sizeof(T)));
    }
    WARPMEM_METHOD float fraction(int axis) const {
        return __wm_texture_cube_fraction(texture, x, y, z, axis);
    }
};
template <class P> struct warpmem_axes {};
template <int AXES> struct warpmem_axes<warpmem_point<AXES>> {
    enum { value = AXES };
};
template <> struct warpmem_axes<warpmem_cube_point> {
    enum { value = 2 };
};

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

/* Mixes the texels around a point along its axes, the highest last. */
template <class T, class P, int AXIS> struct warpmem_mixed {
    static WARPMEM_METHOD T at(const P &p, int corner, float fx) {
        const T low = warpmem_mixed<T, P, AXIS - 1>::at(p, corner, fx);
        const T high = warpmem_mixed<T, P, AXIS - 1>::at(p, corner + (1 << (AXIS - 1)), fx);
        return warpmem_mix(low, high, AXIS == 1 ? fx : p.fraction(AXIS - 1));
    }
};
template <class T, class P> struct warpmem_mixed<T, P, 0> {
    static WARPMEM_METHOD T at(const P &p, int corner, float) {
        return p.template texel<T>(corner);
    }
};

/* Channels of 8 or 16 bits as fractions of 1. */
WARPMEM_DEVICE float warpmem_channel(unsigned long long texel, int index, int bytes,
                                     bool is_signed) {
    const int shift = 64 - 8 * bytes, at = shift - 8 * bytes * index;
    if (is_signed) {
        const float most = bytes == 1 ? 127.0f : 32767.0f;
        const float v = (float)((long long)(texel << at) >> shift) / most;
        return v < -1.0f ? -1.0f : v;
    }
    return (float)(texel << at >> shift) / (bytes == 1 ? 255.0f : 65535.0f);
}
template <class P>
WARPMEM_DEVICE unsigned long long warpmem_raw_texel(const P &p, int corner, int bytes) {
    switch (bytes) {
    case 1: return p.template texel<unsigned char>(corner);
    case 2: return p.template texel<unsigned short>(corner);
    case 4: return p.template texel<unsigned>(corner);
    default: return p.template texel<unsigned long long>(corner);
    }
}
template <class P> WARPMEM_DEVICE float4 warpmem_fractions(const P &p, int code) {
    const bool is_signed = code < 0;
    const int channels = (is_signed ? -code : code) / 16, bytes = (is_signed ? -code : code) % 16;
    const float fx = p.fraction(0);
    float4 sum = {0, 0, 0, 0};
    const int corners = fx < 0 ? 1 : 1 << warpmem_axes<P>::value;
    for (int corner = 0; corner < corners; corner++) {
        float share = 1;
        for (int axis = 0; corners > 1 && axis < warpmem_axes<P>::value; axis++) {
            const float f = p.fraction(axis);
            share *= corner >> axis & 1 ? f : 1 - f;
        }
        const unsigned long long texel = warpmem_raw_texel(p, corner, channels * bytes);
        sum.x += share * warpmem_channel(texel, 0, bytes, is_signed);
        sum.y += channels > 1 ? share * warpmem_channel(texel, 1, bytes, is_signed) : 0;
        sum.z += channels > 2 ? share * warpmem_channel(texel, 2, bytes, is_signed) : 0;
        sum.w += channels > 3 ? share * warpmem_channel(texel, 3, bytes, is_signed) : 0;
    }
    return sum;
}
WARPMEM_DEVICE void warpmem_take(float *to, float4 v) {
    *to = v.x;
}
WARPMEM_DEVICE void warpmem_take(float1 *to, float4 v) {
    to->x = v.x;
}
WARPMEM_DEVICE void warpmem_take(float2 *to, float4 v) {
    *to = float2{v.x, v.y};
}
WARPMEM_DEVICE void warpmem_take(float4 *to, float4 v) {
    *to = v;
}

/* Only floats have filters and fractions. */
template <class T> struct warpmem_fetch {
    template <class P> static WARPMEM_METHOD T at(const P &p) {
        return p.template texel<T>(0);
    }
};
template <class T> struct warpmem_fetch_floats {
    template <class P> static WARPMEM_METHOD T at(const P &p) {
        const int code = __wm_texture_channels(p.texture);
        if (code) {
            T whole;
            warpmem_take(&whole, warpmem_fractions(p, code));
            return whole;
        }
        const float fx = p.fraction(0);
        return fx < 0 ? p.template texel<T>(0)
                      : warpmem_mixed<T, P, warpmem_axes<P>::value>::at(p, 0, fx);
    }
};
template <> struct warpmem_fetch<float> : warpmem_fetch_floats<float> {};
template <> struct warpmem_fetch<float2> : warpmem_fetch_floats<float2> {};
template <> struct warpmem_fetch<float4> : warpmem_fetch_floats<float4> {};

/* Between two levels of a mipmapped array, which only floats can be. @p: a point or a cube's. */
template <class T> struct warpmem_levels {
    enum { mixes = false };
};
template <> struct warpmem_levels<float> {
    enum { mixes = true };
};
template <> struct warpmem_levels<float2> {
    enum { mixes = true };
};
template <> struct warpmem_levels<float4> {
    enum { mixes = true };
};
template <class T, class P> WARPMEM_DEVICE T warpmem_fetch_level(P p, float lod) {
    const void *all = p.texture;
    p.texture = __wm_texture_level(all, lod, 0);
    T value = warpmem_fetch<T>::at(p);
    if constexpr (warpmem_levels<T>::mixes) {
        const float f = __wm_texture_level_fraction(all, lod);
        if (f > 0) {
            p.texture = __wm_texture_level(all, lod, 1);
            value = warpmem_mix(value, warpmem_fetch<T>::at(p), f);
        }
    }
    return value;
}

/* --- textures --- */

template <class T>
WARPMEM_DEVICE T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
    return warpmem_load_texel<T>(__wm_texture(&t, i, (int)sizeof(T)));
}
template <class T> WARPMEM_DEVICE T tex1Dfetch(cudaTextureObject_t t, int i) {
    return warpmem_load_texel<T>(__wm_texture((const void *)t, i, (int)sizeof(T)));
}
template <class T> WARPMEM_DEVICE void tex1Dfetch(T *to, cudaTextureObject_t t, int i) {
    *to = tex1Dfetch<T>(t, i);
}
/* Each by reference, by object, and with the result through a pointer: of the first level. */
#define WARPMEM_READ(name, kind, parameters, arguments, axes, x, y, z) \
    template <class T> \
    WARPMEM_DEVICE T name(const texture<T, kind, cudaReadModeElementType> &t, \
                          WARPMEM_LIST parameters) { \
        return warpmem_fetch<T>::at(warpmem_point<axes>{&t, x, y, z}); \
    } \
    template <class T> WARPMEM_DEVICE T name(cudaTextureObject_t t, WARPMEM_LIST parameters) { \
        return warpmem_fetch<T>::at(warpmem_point<axes>{(const void *)t, x, y, z}); \
    } \
    template <class T> \
    WARPMEM_DEVICE void name(T *to, cudaTextureObject_t t, WARPMEM_LIST parameters) { \
        *to = name<T>(t, WARPMEM_LIST arguments); \
    } \
    template <class T> \
    WARPMEM_DEVICE T name##Lod(cudaTextureObject_t t, WARPMEM_LIST parameters, float lod) { \
        return warpmem_fetch_level<T>(warpmem_point<axes>{(const void *)t, x, y, z}, lod); \
    } \
    template <class T> \
    WARPMEM_DEVICE void name##Lod(T *to, cudaTextureObject_t t, WARPMEM_LIST parameters, \
                                  float lod) { \
        *to = name##Lod<T>(t, WARPMEM_LIST arguments, lod); \
    }
/* The level by how far the coordinates are apart in x and y of the screen. */
#define WARPMEM_GRADIENT(name, parameters, arguments, step, xs, ys) \
    template <class T> \
    WARPMEM_DEVICE T name##Grad(cudaTextureObject_t t, WARPMEM_LIST parameters, step dx, \
                                step dy) { \
        return name##Lod<T>(t, WARPMEM_LIST arguments, \
                            __wm_texture_lod((const void *)t, WARPMEM_LIST xs, WARPMEM_LIST ys)); \
    } \
    template <class T> \
    WARPMEM_DEVICE void name##Grad(T *to, cudaTextureObject_t t, WARPMEM_LIST parameters, step dx, \
                                   step dy) { \
        *to = name##Grad<T>(t, WARPMEM_LIST arguments, dx, dy); \
    }
#define WARPMEM_LIST(...) __VA_ARGS__
WARPMEM_READ(tex1D, cudaTextureType1D, (float u), (u), 1, u, 0, 0)
WARPMEM_READ(tex2D, cudaTextureType2D, (float u, float v), (u, v), 2, u, v, 0)
WARPMEM_READ(tex3D, cudaTextureType3D, (float u, float v, float w), (u, v, w), 3, u, v, w)
WARPMEM_READ(tex1DLayered, cudaTextureType1DLayered, (float u, int layer), (u, layer), 1, u, 0,
             (float)layer)
WARPMEM_READ(tex2DLayered, cudaTextureType2DLayered, (float u, float v, int layer), (u, v, layer),
             2, u, v, (float)layer)
WARPMEM_GRADIENT(tex1D, (float u), (u), float, (dx, 0, 0), (dy, 0, 0))
WARPMEM_GRADIENT(tex2D, (float u, float v), (u, v), float2, (dx.x, dx.y, 0), (dy.x, dy.y, 0))
WARPMEM_GRADIENT(tex3D, (float u, float v, float w), (u, v, w), float4, (dx.x, dx.y, dx.z),
                 (dy.x, dy.y, dy.z))
WARPMEM_GRADIENT(tex1DLayered, (float u, int layer), (u, layer), float, (dx, 0, 0), (dy, 0, 0))
WARPMEM_GRADIENT(tex2DLayered, (float u, float v, int layer), (u, v, layer), float2,
                 (dx.x, dx.y, 0), (dy.x, dy.y, 0))
#undef WARPMEM_READ
#undef WARPMEM_GRADIENT
#undef WARPMEM_LIST
template <class T>
WARPMEM_DEVICE T texCubemapLod(cudaTextureObject_t t, float x, float y, float z, float lod) {
    return warpmem_fetch_level<T>(warpmem_cube_point{(const void *)t, x, y, z, 0}, lod);
}
template <class T>
WARPMEM_DEVICE T texCubemapLayeredLod(cudaTextureObject_t t, float x, float y, float z, int layer,
                                      float lod) {
    return warpmem_fetch_level<T>(warpmem_cube_point{(const void *)t, x, y, z, layer}, lod);
}
template <class T>
WARPMEM_DEVICE T texCubemap(const texture<T, cudaTextureTypeCubemap, cudaReadModeElementType> &t,
                            float x, float y, float z) {
    return warpmem_fetch<T>::at(warpmem_cube_point{&t, x, y, z, 0});
}
template <class T>
WARPMEM_DEVICE T
texCubemapLayered(const texture<T, cudaTextureTypeCubemapLayered, cudaReadModeElementType> &t,
                  float x, float y, float z, int layer) {
    return warpmem_fetch<T>::at(warpmem_cube_point{&t, x, y, z, layer});
}
template <class T> WARPMEM_DEVICE T texCubemap(cudaTextureObject_t t, float x, float y, float z) {
    return warpmem_fetch<T>::at(warpmem_cube_point{(const void *)t, x, y, z, 0});
}
template <class T>
WARPMEM_DEVICE T texCubemapLayered(cudaTextureObject_t t, float x, float y, float z, int layer) {
    return warpmem_fetch<T>::at(warpmem_cube_point{(const void *)t, x, y, z, layer});
}
/* References of integers read as fractions of 1: point filter. */
#define WARPMEM_NORMALIZED(T, result, expression) \
    WARPMEM_DEVICE result tex1Dfetch(const texture<T, 1, cudaReadModeNormalizedFloat> &t, int i) { \
        T v = warpmem_load_texel<T>(__wm_texture(&t, i, (int)sizeof(T))); \
        return expression; \
    } \
    WARPMEM_DEVICE result tex2D(const texture<T, 2, cudaReadModeNormalizedFloat> &t, float x, \
                                float y) { \
        T v = warpmem_point<2>{&t, x, y, 0}.texel<T>(0); \
        return expression; \
    } \
    WARPMEM_DEVICE result tex3D(const texture<T, 3, cudaReadModeNormalizedFloat> &t, float x, \
                                float y, float z) { \
        T v = warpmem_point<3>{&t, x, y, z}.texel<T>(0); \
        return expression; \
    }
WARPMEM_NORMALIZED(unsigned char, float, v / 255.0f)
WARPMEM_NORMALIZED(unsigned short, float, v / 65535.0f)
WARPMEM_NORMALIZED(uchar4, float4, (float4{v.x / 255.0f, v.y / 255.0f, v.z / 255.0f, v.w / 255.0f}))

/* --- surfaces: accesses to global memory, x in bytes --- */

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <class T>
WARPMEM_DEVICE T warpmem_read_surface(cudaSurfaceObject_t s, int x, int y, int z, int boundary) {
    typedef typename warpmem_word<sizeof(T)>::type word;
    const void *p = __wm_surface((const void *)s, x, y, z, (int)sizeof(T), boundary);
    return p ? __builtin_bit_cast(T, *(const word *)p) : T{};
}
template <class T>
WARPMEM_DEVICE void warpmem_write_surface(T v, cudaSurfaceObject_t s, int x, int y, int z,
                                          int boundary) {
    typedef typename warpmem_word<sizeof(T)>::type word;
    void *p = __wm_surface((const void *)s, x, y, z, (int)sizeof(T), boundary);
    if (p) {
        *(word *)p = __builtin_bit_cast(word, v);
    }
}
#define WARPMEM_SURFACE(name, parameters, arguments) \
    template <class T> \
    WARPMEM_DEVICE T name##read(cudaSurfaceObject_t s, WARPMEM_LIST parameters, \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        return warpmem_read_surface<T>(s, WARPMEM_LIST arguments, mode); \
    } \
    template <class T> \
    WARPMEM_DEVICE void name##read(T *to, cudaSurfaceObject_t s, WARPMEM_LIST parameters, \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        *to = warpmem_read_surface<T>(s, WARPMEM_LIST arguments, mode); \
    } \
    template <class T> \
    WARPMEM_DEVICE void name##write(T v, cudaSurfaceObject_t s, WARPMEM_LIST parameters, \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        warpmem_write_surface(v, s, WARPMEM_LIST arguments, mode); \
    }
#define WARPMEM_LIST(...) __VA_ARGS__
WARPMEM_SURFACE(surf1D, (int x), (x, 0, 0))
WARPMEM_SURFACE(surf2D, (int x, int y), (x, y, 0))
WARPMEM_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
WARPMEM_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
WARPMEM_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
WARPMEM_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
WARPMEM_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))
#undef WARPMEM_SURFACE
#undef WARPMEM_LIST

#endif
