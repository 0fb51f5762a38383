// hipify_texture_reference.h - texture references, which bind a name of the program to memory, by texture objects.
//
// CUDA 12 removed them (`texture<float, 2> image;`) and HIP deprecates them. Here a reference is a constant of the
// device that holds a texture object: binding makes the object and writes it there, kernels read through it.
// hipify_texture.h includes this file.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_REFERENCE_H
#define HIPIFY_TEXTURE_REFERENCE_H

#include <map>
#include <utility>

#include "hipify_texture_objects.h"

#ifdef __HIP_PLATFORM_NVIDIA__
struct textureReference {
    int normalized;
    hipTextureReadMode readMode;
    hipTextureFilterMode filterMode;
    hipTextureAddressMode addressMode[3];
    hipChannelFormatDesc channelDesc;
    int sRGB;
    hipTextureObject_t textureObject;
};
#endif

namespace hipify_textures {

// What a reference's fetches return: texels, or floats in their place.
template <typename T, hipTextureReadMode mode>
struct Returned {
    typedef T type;
};
#define HIPIFY_RETURNED(texel, floats)                     \
    template <>                                            \
    struct Returned<texel, hipReadModeNormalizedFloat> {   \
        typedef floats type;                               \
    };
#define HIPIFY_RETURNED_OF(channel, name)  \
    HIPIFY_RETURNED(channel, float)        \
    HIPIFY_RETURNED(name##1, float1)       \
    HIPIFY_RETURNED(name##2, float2)       \
    HIPIFY_RETURNED(name##4, float4)
HIPIFY_RETURNED(char, float)
HIPIFY_RETURNED_OF(signed char, char)
HIPIFY_RETURNED_OF(unsigned char, uchar)
HIPIFY_RETURNED_OF(short, short)
HIPIFY_RETURNED_OF(unsigned short, ushort)
#undef HIPIFY_RETURNED_OF
#undef HIPIFY_RETURNED

// Four texels of one channel.
template <typename T>
struct Four;
#define HIPIFY_FOUR(channel, name)                                 \
    template <> struct Four<channel> { typedef name##4 type; };    \
    template <> struct Four<name##1> { typedef name##4 type; };    \
    template <> struct Four<name##2> { typedef name##4 type; };    \
    template <> struct Four<name##4> { typedef name##4 type; };
template <> struct Four<char> { typedef char4 type; };
HIPIFY_FOUR(signed char, char)
HIPIFY_FOUR(unsigned char, uchar)
HIPIFY_FOUR(short, short)
HIPIFY_FOUR(unsigned short, ushort)
HIPIFY_FOUR(int, int)
HIPIFY_FOUR(unsigned int, uint)
HIPIFY_FOUR(float, float)
#undef HIPIFY_FOUR

template <typename T, hipTextureReadMode mode>
struct Gathered {
    typedef typename Four<typename Returned<T, mode>::type>::type type;
};

template <typename T>
struct Format;
#define HIPIFY_FORMAT(type, n, kind)                                                                             \
    template <>                                                                                                  \
    struct Format<type> {                                                                                        \
        enum { bits = 8 * (int)sizeof(type) / n, channels = n };                                                 \
        static constexpr hipChannelFormatKind kind_of = kind;                                                    \
    };
#define HIPIFY_FORMATS(channel, name, kind)  \
    HIPIFY_FORMAT(channel, 1, kind)          \
    HIPIFY_FORMAT(name##1, 1, kind)          \
    HIPIFY_FORMAT(name##2, 2, kind)          \
    HIPIFY_FORMAT(name##4, 4, kind)
HIPIFY_FORMAT(char, 1, hipChannelFormatKindSigned)
HIPIFY_FORMATS(signed char, char, hipChannelFormatKindSigned)
HIPIFY_FORMATS(unsigned char, uchar, hipChannelFormatKindUnsigned)
HIPIFY_FORMATS(short, short, hipChannelFormatKindSigned)
HIPIFY_FORMATS(unsigned short, ushort, hipChannelFormatKindUnsigned)
HIPIFY_FORMATS(int, int, hipChannelFormatKindSigned)
HIPIFY_FORMATS(unsigned int, uint, hipChannelFormatKindUnsigned)
HIPIFY_FORMATS(float, float, hipChannelFormatKindFloat)
#undef HIPIFY_FORMATS
#undef HIPIFY_FORMAT

template <typename T>
constexpr hipChannelFormatDesc format_of() {
    return {Format<T>::bits, Format<T>::channels > 1 ? Format<T>::bits : 0,
            Format<T>::channels > 2 ? Format<T>::bits : 0, Format<T>::channels > 2 ? Format<T>::bits : 0,
            Format<T>::kind_of};
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // HIP's structure has more members in some releases
constexpr textureReference reference_of(int normalized, hipTextureReadMode mode, hipTextureFilterMode filter,
                                        hipTextureAddressMode address, hipChannelFormatDesc format) {
    return textureReference{normalized, mode, filter, {address, address, address}, format};
}
#pragma GCC diagnostic pop

}  // namespace hipify_textures

// The type of a reference; declared as a __constant__ variable.
template <typename T, int dimension = hipTextureType1D, hipTextureReadMode mode = hipReadModeElementType>
struct hipify_texture : textureReference {
    constexpr hipify_texture(int normalize = 0, hipTextureFilterMode filter = hipFilterModePoint,
                             hipTextureAddressMode address = hipAddressModeClamp,
                             hipChannelFormatDesc format = hipify_textures::format_of<T>())
        : textureReference(hipify_textures::reference_of(normalize, mode, filter, address, format)) {}
};

namespace hipify_textures {

inline std::map<std::pair<const void*, int>, hipTextureObject_t>& bound() {
    static std::map<std::pair<const void*, int>, hipTextureObject_t> objects;
    return objects;
}

// Gives a reference another object, on the device in use; that of the last binding goes.
inline hipError_t set_object(const textureReference* reference, hipTextureObject_t object) {
    int device = 0;
    hipError_t status = hipGetDevice(&device);
    if (status == hipSuccess) status = hipDeviceSynchronize();  // kernels may still read through the last one
    if (status != hipSuccess) return status;
    status = hipMemcpyToSymbol((const void*)reference, &object, sizeof object,
                               offsetof(textureReference, textureObject), hipMemcpyHostToDevice);
    if (status != hipSuccess) return status;
    hipTextureObject_t last;
    {
        std::lock_guard<std::mutex> guard(registry().lock);
        hipTextureObject_t& current = bound()[std::make_pair((const void*)reference, device)];
        last = current;
        current = object;
    }
    const_cast<textureReference*>(reference)->textureObject = object;
    return last ? hipify_DestroyTextureObject(last) : hipSuccess;
}

inline hipError_t bind(const textureReference* reference, const hipResourceDesc& resource) {
    hipTextureDesc description = hipTextureDesc();
    for (int i = 0; i < 3; ++i) description.addressMode[i] = reference->addressMode[i];
    description.filterMode = reference->filterMode;
    description.readMode = reference->readMode;
    description.sRGB = reference->sRGB;
    description.normalizedCoords = reference->normalized;
    hipTextureObject_t object = hipTextureObject_t();
    const hipError_t status = hipify_CreateTextureObject(&object, &resource, &description, nullptr);
    return status == hipSuccess ? set_object(reference, object) : status;
}

}  // namespace hipify_textures

inline hipError_t hipify_BindTexture(size_t* offset, const textureReference* reference, const void* memory,
                                     const hipChannelFormatDesc* format, size_t size = UINT_MAX) {
    if (offset) *offset = 0;
    hipResourceDesc resource = hipResourceDesc();
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(memory);
    resource.res.linear.desc = *format;
    resource.res.linear.sizeInBytes = size;
    return hipify_textures::bind(reference, resource);
}

inline hipError_t hipify_BindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                                       const hipChannelFormatDesc* format, size_t width, size_t height, size_t pitch) {
    if (offset) *offset = 0;
    hipResourceDesc resource = hipResourceDesc();
    resource.resType = hipResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void*>(memory);
    resource.res.pitch2D.desc = *format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return hipify_textures::bind(reference, resource);
}

inline hipError_t hipify_BindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                            const hipChannelFormatDesc* = nullptr) {
    hipResourceDesc resource = hipResourceDesc();
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = (hipArray_t)array;
    return hipify_textures::bind(reference, resource);
}

inline hipError_t hipify_UnbindTexture(const textureReference* reference) {
    return hipify_textures::set_object(reference, hipTextureObject_t());
}

inline hipError_t hipify_GetTextureAlignmentOffset(size_t* offset, const textureReference*) {
    *offset = 0;
    return hipSuccess;
}

inline hipError_t hipify_GetTextureReference(const textureReference** reference, const void* symbol) {
    *reference = (const textureReference*)symbol;
    return hipSuccess;
}

#define HIPIFY_REFERENCE template <typename T, int dimension, hipTextureReadMode mode> inline hipError_t
#define HIPIFY_BOUND const hipify_texture<T, dimension, mode>& reference

HIPIFY_REFERENCE hipify_BindTexture(size_t* offset, HIPIFY_BOUND, const void* memory, size_t size = UINT_MAX) {
    return hipify_BindTexture(offset, &reference, memory, &reference.channelDesc, size);
}
HIPIFY_REFERENCE hipify_BindTexture(size_t* offset, HIPIFY_BOUND, const void* memory,
                                    const hipChannelFormatDesc& format, size_t size = UINT_MAX) {
    return hipify_BindTexture(offset, &reference, memory, &format, size);
}
HIPIFY_REFERENCE hipify_BindTexture2D(size_t* offset, HIPIFY_BOUND, const void* memory, size_t width, size_t height,
                                      size_t pitch) {
    return hipify_BindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height, pitch);
}
HIPIFY_REFERENCE hipify_BindTexture2D(size_t* offset, HIPIFY_BOUND, const void* memory,
                                      const hipChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
    return hipify_BindTexture2D(offset, &reference, memory, &format, width, height, pitch);
}
HIPIFY_REFERENCE hipify_BindTextureToArray(HIPIFY_BOUND, hipArray_const_t array) {
    return hipify_BindTextureToArray(&reference, array);
}
HIPIFY_REFERENCE hipify_BindTextureToArray(HIPIFY_BOUND, hipArray_const_t array, const hipChannelFormatDesc&) {
    return hipify_BindTextureToArray(&reference, array);
}
HIPIFY_REFERENCE hipify_UnbindTexture(HIPIFY_BOUND) { return hipify_UnbindTexture(&reference); }
HIPIFY_REFERENCE hipify_GetTextureAlignmentOffset(size_t* offset, HIPIFY_BOUND) {
    return hipify_GetTextureAlignmentOffset(offset, &reference);
}
HIPIFY_REFERENCE hipify_GetTextureReference(const textureReference** found, HIPIFY_BOUND) {
    return hipify_GetTextureReference(found, (const void*)&reference);
}
#undef HIPIFY_BOUND
#undef HIPIFY_REFERENCE

#define hipBindTexture hipify_BindTexture
#define hipBindTexture2D hipify_BindTexture2D
#define hipBindTextureToArray hipify_BindTextureToArray
#define hipUnbindTexture hipify_UnbindTexture
#define hipGetTextureAlignmentOffset hipify_GetTextureAlignmentOffset
#define hipGetTextureReference hipify_GetTextureReference

#endif  // HIPIFY_TEXTURE_REFERENCE_H
