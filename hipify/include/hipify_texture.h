// hipify_texture.h - textures, surfaces and CUDA arrays on GPUs with and without image instructions.
//
// HIP's functions for textures do not compile for gfx942 and gfx950 (MI300, MI350), and their arrays and objects
// cannot be made there. With this header the same calls work on all GPUs, in one program: where a GPU has image
// instructions they are HIP's own, where it has none an array is pitched memory, an object is a pointer to its
// description (hipify_texture_objects.h), and texels are read and interpolated by ordinary instructions
// (hipify_texture_sampling.h): the same results, slower. Texture references (hipify_texture_reference.h) work through
// objects on all GPUs.
//
// Not here, so that HIP's own functions are called, which fail on those GPUs: the driver API's texture
// references, arrays of graphics libraries, block-compressed formats, kernels that are compiled at run time.
//
// With HIPIFY_SOFTWARE_TEXTURES defined, every GPU counts as one without image instructions: for tests.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_H
#define HIPIFY_TEXTURE_H

#ifdef __cplusplus

#if defined(__HIP__) || defined(__CUDACC__)
#include <hip/hip_runtime.h>
#else
#include <hip/hip_runtime_api.h>
#endif

#if defined(HIPIFY_SOFTWARE_TEXTURES) || defined(__HIP_NO_IMAGE_SUPPORT) || defined(__gfx940__) || \
    defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__)
#define HIPIFY_NO_IMAGES 1
#endif

#include "hipify_texture_driver.h"
#include "hipify_texture_objects.h"

#if defined(__HIP__) || defined(__CUDACC__)

#include "hipify_texture_reference.h"
#include "hipify_texture_sampling.h"

namespace hipify_textures {
template <typename Object>
HIPIFY_TEXTURE_CODE const Image& image_of(Object object) {
    return *(const Image*)object;
}
}  // namespace hipify_textures

// A function of HIP's under another name: it returns a texel or writes it through a pointer, and takes an object or a
// texture reference. `hip` is what a GPU with images does, `software` what one without does.
#ifdef HIPIFY_NO_IMAGES
#define HIPIFY_TEXTURE_DO(hip, software) software
#else
#define HIPIFY_TEXTURE_DO(hip, software) hip
#endif
#define HIPIFY_UNPACK(...) __VA_ARGS__
#define HIPIFY_TEXTURE_FUNCTION(name, parameters, arguments, software)                                               \
    template <typename T>                                                                                            \
    HIPIFY_TEXTURE_CODE T hipify_##name(hipTextureObject_t object, HIPIFY_UNPACK parameters) {                       \
        HIPIFY_TEXTURE_DO(return name<T>(object, HIPIFY_UNPACK arguments),                                           \
                          const hipify_textures::Image& image = hipify_textures::image_of(object);                   \
                          return hipify_textures::software);                                                         \
    }                                                                                                                \
    template <typename T>                                                                                            \
    HIPIFY_TEXTURE_CODE void hipify_##name(T* texel, hipTextureObject_t object, HIPIFY_UNPACK parameters) {          \
        *texel = hipify_##name<T>(object, HIPIFY_UNPACK arguments);                                                  \
    }                                                                                                                \
    template <typename T, int dimension, hipTextureReadMode mode>                                                    \
    HIPIFY_TEXTURE_CODE typename hipify_textures::Returned<T, mode>::type hipify_##name(                             \
        const hipify_texture<T, dimension, mode>& reference, HIPIFY_UNPACK parameters) {                             \
        return hipify_##name<typename hipify_textures::Returned<T, mode>::type>(reference.textureObject,             \
                                                                                HIPIFY_UNPACK arguments);            \
    }

// A function with its forms at a level of detail and with gradients, of `n` coordinates (cube maps: at level 0).
#define HIPIFY_TEXTURE_FUNCTIONS(name, parameters, arguments, gradient, n, sample, place)                              \
    HIPIFY_TEXTURE_FUNCTION(name, parameters, arguments, sample<T>(image, HIPIFY_UNPACK place))                        \
    HIPIFY_TEXTURE_FUNCTION(name##Lod, (HIPIFY_UNPACK parameters, float level), (HIPIFY_UNPACK arguments, level),      \
                            HIPIFY_AT_LEVEL(level, sample, place))                                                     \
    HIPIFY_TEXTURE_FUNCTION(name##Grad, (HIPIFY_UNPACK parameters, gradient dx, gradient dy),                          \
                            (HIPIFY_UNPACK arguments, dx, dy),                                                         \
                            HIPIFY_AT_LEVEL(hipify_textures::level_for(image, (const float*)&dx, (const float*)&dy, n),\
                                            sample, place))
#define HIPIFY_AT_LEVEL(level, sample, place)                                                                          \
    at_level<T>(image, level, [=](const hipify_textures::Image& image, float* sums, int share) {                       \
        return hipify_textures::sample<T>(image, HIPIFY_UNPACK place, sums, share);                                    \
    })

HIPIFY_TEXTURE_FUNCTION(tex1Dfetch, (int x), (x), fetch<T>(image, x))
HIPIFY_TEXTURE_FUNCTIONS(tex1D, (float x), (x), float, 1, sample1, (x, 0))
HIPIFY_TEXTURE_FUNCTIONS(tex1DLayered, (float x, int layer), (x, layer), float, 1, sample1, (x, layer))
HIPIFY_TEXTURE_FUNCTIONS(tex2D, (float x, float y), (x, y), float2, 2, sample2, (x, y, 0))
HIPIFY_TEXTURE_FUNCTIONS(tex2DLayered, (float x, float y, int layer), (x, y, layer), float2, 2, sample2, (x, y, layer))
HIPIFY_TEXTURE_FUNCTIONS(tex3D, (float x, float y, float z), (x, y, z), float4, 3, sample3, (x, y, z))
HIPIFY_TEXTURE_FUNCTIONS(texCubemap, (float x, float y, float z), (x, y, z), float4, 0, sample_cube, (x, y, z, 0))
HIPIFY_TEXTURE_FUNCTIONS(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), float4, 0,
                         sample_cube, (x, y, z, layer))

template <typename T>
HIPIFY_TEXTURE_CODE T hipify_tex2Dgather(hipTextureObject_t object, float x, float y, int component = 0) {
    HIPIFY_TEXTURE_DO(return tex2Dgather<T>(object, x, y, component),
                      return hipify_textures::gather<T>(hipify_textures::image_of(object), x, y, component));
}
template <typename T>
HIPIFY_TEXTURE_CODE void hipify_tex2Dgather(T* texels, hipTextureObject_t object, float x, float y, int component = 0) {
    *texels = hipify_tex2Dgather<T>(object, x, y, component);
}
template <typename T, int dimension, hipTextureReadMode mode>
HIPIFY_TEXTURE_CODE typename hipify_textures::Gathered<T, mode>::type hipify_tex2Dgather(
    const hipify_texture<T, dimension, mode>& reference, float x, float y, int component = 0) {
    return hipify_tex2Dgather<typename hipify_textures::Gathered<T, mode>::type>(reference.textureObject, x, y,
                                                                                 component);
}

// Surfaces: reads return a value or write it through a pointer; `passed` is what HIP's function of the name writes.
#define HIPIFY_SURFACE_FUNCTIONS(name, parameters, arguments, place, passed)                                         \
    template <typename T>                                                                                            \
    HIPIFY_TEXTURE_CODE void hipify_surf##name##read(T* value, hipSurfaceObject_t object, HIPIFY_UNPACK parameters,  \
                                                     int boundary = hipBoundaryModeZero) {                           \
        (void)boundary;                                                                                              \
        HIPIFY_TEXTURE_DO(surf##name##read(value, object, HIPIFY_UNPACK arguments),                                  \
                          hipify_textures::surface_read(value, hipify_textures::image_of(object),                    \
                                                        HIPIFY_UNPACK place, boundary == hipBoundaryModeClamp));     \
    }                                                                                                                \
    template <typename T>                                                                                            \
    HIPIFY_TEXTURE_CODE T hipify_surf##name##read(hipSurfaceObject_t object, HIPIFY_UNPACK parameters,               \
                                                  int boundary = hipBoundaryModeZero) {                              \
        T value;                                                                                                     \
        hipify_surf##name##read(&value, object, HIPIFY_UNPACK arguments, boundary);                                  \
        return value;                                                                                                \
    }                                                                                                                \
    template <typename T>                                                                                            \
    HIPIFY_TEXTURE_CODE void hipify_surf##name##write(T value, hipSurfaceObject_t object, HIPIFY_UNPACK parameters,  \
                                                      int boundary = hipBoundaryModeZero) {                          \
        (void)boundary;                                                                                              \
        HIPIFY_TEXTURE_DO(surf##name##write(passed, object, HIPIFY_UNPACK arguments),                                \
                          hipify_textures::surface_write(value, hipify_textures::image_of(object),                   \
                                                         HIPIFY_UNPACK place, boundary == hipBoundaryModeClamp));    \
    }

HIPIFY_SURFACE_FUNCTIONS(1D, (int x), (x), (x, 0, 0), value)
HIPIFY_SURFACE_FUNCTIONS(2D, (int x, int y), (x, y), (x, y, 0), value)
HIPIFY_SURFACE_FUNCTIONS(3D, (int x, int y, int z), (x, y, z), (x, y, z), value)
HIPIFY_SURFACE_FUNCTIONS(1DLayered, (int x, int layer), (x, layer), (x, 0, layer), value)
HIPIFY_SURFACE_FUNCTIONS(2DLayered, (int x, int y, int layer), (x, y, layer), (x, y, layer), value)
HIPIFY_SURFACE_FUNCTIONS(Cubemap, (int x, int y, int face), (x, y, face), (x, y, face), value)
HIPIFY_SURFACE_FUNCTIONS(CubemapLayered, (int x, int y, int face, int layer), (x, y, face, layer),
                         (x, y, 6 * layer + face), &value)

#undef HIPIFY_SURFACE_FUNCTIONS
#undef HIPIFY_TEXTURE_FUNCTIONS
#undef HIPIFY_TEXTURE_FUNCTION
#undef HIPIFY_AT_LEVEL
#undef HIPIFY_TEXTURE_DO
#undef HIPIFY_UNPACK

// From here on HIP's names are those from above.
#define tex1Dfetch hipify_tex1Dfetch
#define tex1D hipify_tex1D
#define tex1DLod hipify_tex1DLod
#define tex1DGrad hipify_tex1DGrad
#define tex1DLayered hipify_tex1DLayered
#define tex1DLayeredLod hipify_tex1DLayeredLod
#define tex1DLayeredGrad hipify_tex1DLayeredGrad
#define tex2D hipify_tex2D
#define tex2DLod hipify_tex2DLod
#define tex2DGrad hipify_tex2DGrad
#define tex2DLayered hipify_tex2DLayered
#define tex2DLayeredLod hipify_tex2DLayeredLod
#define tex2DLayeredGrad hipify_tex2DLayeredGrad
#define tex2Dgather hipify_tex2Dgather
#define tex3D hipify_tex3D
#define tex3DLod hipify_tex3DLod
#define tex3DGrad hipify_tex3DGrad
#define texCubemap hipify_texCubemap
#define texCubemapLod hipify_texCubemapLod
#define texCubemapGrad hipify_texCubemapGrad
#define texCubemapLayered hipify_texCubemapLayered
#define texCubemapLayeredLod hipify_texCubemapLayeredLod
#define texCubemapLayeredGrad hipify_texCubemapLayeredGrad
#define surf1Dread hipify_surf1Dread
#define surf1Dwrite hipify_surf1Dwrite
#define surf2Dread hipify_surf2Dread
#define surf2Dwrite hipify_surf2Dwrite
#define surf3Dread hipify_surf3Dread
#define surf3Dwrite hipify_surf3Dwrite
#define surf1DLayeredread hipify_surf1DLayeredread
#define surf1DLayeredwrite hipify_surf1DLayeredwrite
#define surf2DLayeredread hipify_surf2DLayeredread
#define surf2DLayeredwrite hipify_surf2DLayeredwrite
#define surfCubemapread hipify_surfCubemapread
#define surfCubemapwrite hipify_surfCubemapwrite
#define surfCubemapLayeredread hipify_surfCubemapLayeredread
#define surfCubemapLayeredwrite hipify_surfCubemapLayeredwrite

#endif  // a compiler of kernels

#endif  // C++

#endif  // HIPIFY_TEXTURE_H
