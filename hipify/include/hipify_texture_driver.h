// hipify_texture_driver.h - arrays and texture objects of the driver API on GPUs with and without image instructions.
//
// The calls of hipify_texture_arrays.h and hipify_texture_objects.h under the names, and with the descriptors, that
// CUDA's driver API has for them. hipify_texture.h includes this file.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_DRIVER_H
#define HIPIFY_TEXTURE_DRIVER_H

#include "hipify_texture_objects.h"

#ifndef __HIP_PLATFORM_NVIDIA__

namespace hipify_textures {

inline hipChannelFormatDesc runtime_format(hipArray_Format format, unsigned int channels) {
    int bits = 32;
    hipChannelFormatKind kind = hipChannelFormatKindUnsigned;
    switch (format) {
    case HIP_AD_FORMAT_UNSIGNED_INT8: bits = 8; break;
    case HIP_AD_FORMAT_UNSIGNED_INT16: bits = 16; break;
    case HIP_AD_FORMAT_UNSIGNED_INT32: break;
    case HIP_AD_FORMAT_SIGNED_INT8: bits = 8, kind = hipChannelFormatKindSigned; break;
    case HIP_AD_FORMAT_SIGNED_INT16: bits = 16, kind = hipChannelFormatKindSigned; break;
    case HIP_AD_FORMAT_SIGNED_INT32: kind = hipChannelFormatKindSigned; break;
    case HIP_AD_FORMAT_HALF: bits = 16, kind = hipChannelFormatKindFloat; break;
    case HIP_AD_FORMAT_FLOAT: kind = hipChannelFormatKindFloat; break;
    default: bits = 0;
    }
    return hipCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind);
}

inline hipArray_Format driver_format(const hipChannelFormatDesc& format) {
    if (format.f == hipChannelFormatKindFloat) return format.x == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
    if (format.f == hipChannelFormatKindSigned)
        return format.x == 8    ? HIP_AD_FORMAT_SIGNED_INT8
               : format.x == 16 ? HIP_AD_FORMAT_SIGNED_INT16
                                : HIP_AD_FORMAT_SIGNED_INT32;
    return format.x == 8    ? HIP_AD_FORMAT_UNSIGNED_INT8
           : format.x == 16 ? HIP_AD_FORMAT_UNSIGNED_INT16
                            : HIP_AD_FORMAT_UNSIGNED_INT32;
}

// Names the memory of an array in place of the array.
template <typename Pointer>
inline void use_memory(const Array& array, hipMemoryType* type, Pointer* memory, hipArray_t* handle) {
    *type = hipMemoryTypeDevice;
    *memory = (Pointer)array.data;
    *handle = nullptr;
}

inline hip_Memcpy2D without_arrays(hip_Memcpy2D copy) {
    Array array;
    if (copy.srcMemoryType == hipMemoryTypeArray && find_array(copy.srcArray, &array)) {
        use_memory(array, &copy.srcMemoryType, &copy.srcDevice, &copy.srcArray);
        copy.srcPitch = array.pitch;
    }
    if (copy.dstMemoryType == hipMemoryTypeArray && find_array(copy.dstArray, &array)) {
        use_memory(array, &copy.dstMemoryType, &copy.dstDevice, &copy.dstArray);
        copy.dstPitch = array.pitch;
    }
    return copy;
}

inline HIP_MEMCPY3D without_arrays(HIP_MEMCPY3D copy) {
    Array array;
    if (copy.srcMemoryType == hipMemoryTypeArray && find_array(copy.srcArray, &array)) {
        use_memory(array, &copy.srcMemoryType, &copy.srcDevice, &copy.srcArray);
        copy.srcPitch = array.pitch;
        copy.srcHeight = at_least_one(array.extent.height);
    }
    if (copy.dstMemoryType == hipMemoryTypeArray && find_array(copy.dstArray, &array)) {
        use_memory(array, &copy.dstMemoryType, &copy.dstDevice, &copy.dstArray);
        copy.dstPitch = array.pitch;
        copy.dstHeight = at_least_one(array.extent.height);
    }
    return copy;
}

}  // namespace hipify_textures

inline hipError_t hipify_Array3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* wanted) {
    if (!hipify_textures::in_software()) return hipArray3DCreate(array, wanted);
    const hipChannelFormatDesc format = hipify_textures::runtime_format(wanted->Format, wanted->NumChannels);
    return hipify_textures::make_array(array, &format, make_hipExtent(wanted->Width, wanted->Height, wanted->Depth),
                                       wanted->Flags);
}

inline hipError_t hipify_MipmappedArrayCreate(hipMipmappedArray_t* array, HIP_ARRAY3D_DESCRIPTOR* wanted,
                                              unsigned int count) {
    if (!hipify_textures::in_software()) return hipMipmappedArrayCreate(array, wanted, count);
    const hipChannelFormatDesc format = hipify_textures::runtime_format(wanted->Format, wanted->NumChannels);
    const hipExtent extent = make_hipExtent(wanted->Width, wanted->Height, wanted->Depth);
    return hipify_MallocMipmappedArray(array, &format, extent, count, wanted->Flags);
}

inline hipError_t hipify_MipmappedArrayDestroy(hipMipmappedArray_t array) {
    hipError_t status = hipSuccess;
    return hipify_textures::take_levels(array, &status) ? status : hipMipmappedArrayDestroy(array);
}

inline hipError_t hipify_MipmappedArrayGetLevel(hipArray_t* found, hipMipmappedArray_t array, unsigned int level) {
    hipify_textures::Levels levels;
    if (hipify_textures::find_levels(array, &levels)) return hipify_textures::level_of(found, levels, level);
    return hipMipmappedArrayGetLevel(found, array, level);
}

inline hipError_t hipify_ArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* wanted) {
    if (!hipify_textures::in_software()) return hipArrayCreate(array, wanted);
    const hipChannelFormatDesc format = hipify_textures::runtime_format(wanted->Format, wanted->NumChannels);
    return hipify_textures::make_array(array, &format, make_hipExtent(wanted->Width, wanted->Height, 0), 0);
}

inline hipError_t hipify_ArrayDestroy(hipArray_t array) {
    hipify_textures::Array own;
    return hipify_textures::find_array(array, &own) ? hipify_FreeArray(array) : hipArrayDestroy(array);
}

inline hipError_t hipify_Array3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* found, hipArray_t array) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(array, &own)) return hipArray3DGetDescriptor(found, array);
    found->Width = own.extent.width;
    found->Height = own.extent.height;
    found->Depth = own.extent.depth;
    found->Format = hipify_textures::driver_format(own.format);
    found->NumChannels = (unsigned int)hipify_textures::channels_of(own.format);
    found->Flags = own.flags;
    return hipSuccess;
}

inline hipError_t hipify_ArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* found, hipArray_t array) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(array, &own)) return hipArrayGetDescriptor(found, array);
    found->Width = own.extent.width;
    found->Height = own.extent.height;
    found->Format = hipify_textures::driver_format(own.format);
    found->NumChannels = (unsigned int)hipify_textures::channels_of(own.format);
    return hipSuccess;
}

inline hipError_t hipify_MemcpyParam2D(const hip_Memcpy2D* copy) {
    const hip_Memcpy2D plain = hipify_textures::without_arrays(*copy);
    return hipMemcpyParam2D(&plain);
}

inline hipError_t hipify_MemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream = 0) {
    const hip_Memcpy2D plain = hipify_textures::without_arrays(*copy);
    return hipMemcpyParam2DAsync(&plain, stream);
}

inline hipError_t hipify_DrvMemcpy2DUnaligned(const hip_Memcpy2D* copy) {
    const hip_Memcpy2D plain = hipify_textures::without_arrays(*copy);
    return hipDrvMemcpy2DUnaligned(&plain);
}

inline hipError_t hipify_DrvMemcpy3D(const HIP_MEMCPY3D* copy) {
    const HIP_MEMCPY3D plain = hipify_textures::without_arrays(*copy);
    return hipDrvMemcpy3D(&plain);
}

inline hipError_t hipify_DrvMemcpy3DAsync(const HIP_MEMCPY3D* copy, hipStream_t stream) {
    const HIP_MEMCPY3D plain = hipify_textures::without_arrays(*copy);
    return hipDrvMemcpy3DAsync(&plain, stream);
}

inline hipError_t hipify_MemcpyHtoA(hipArray_t to, size_t offset, const void* from, size_t count) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(to, &own)) return hipMemcpyHtoA(to, offset, from, count);
    const size_t row = own.extent.width * own.texel;
    return hipify_MemcpyToArray(to, offset % row, offset / row, from, count, hipMemcpyHostToDevice);
}

inline hipError_t hipify_MemcpyAtoH(void* to, hipArray_t from, size_t offset, size_t count) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(from, &own)) return hipMemcpyAtoH(to, from, offset, count);
    const size_t row = own.extent.width * own.texel;
    return hipify_MemcpyFromArray(to, from, offset % row, offset / row, count, hipMemcpyDeviceToHost);
}

inline hipError_t hipify_TexObjectCreate(hipTextureObject_t* made, const HIP_RESOURCE_DESC* given,
                                         const HIP_TEXTURE_DESC* sampling, const HIP_RESOURCE_VIEW_DESC* view) {
    if (!hipify_textures::in_software()) return hipTexObjectCreate(made, given, sampling, view);
    hipResourceDesc resource = hipResourceDesc();
    resource.resType = (hipResourceType)given->resType;
    if (given->resType == HIP_RESOURCE_TYPE_ARRAY) {
        resource.res.array.array = given->res.array.hArray;
    } else if (given->resType == HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        resource.res.mipmap.mipmap = given->res.mipmap.hMipmappedArray;
    } else if (given->resType == HIP_RESOURCE_TYPE_LINEAR) {
        resource.res.linear.devPtr = (void*)given->res.linear.devPtr;
        resource.res.linear.desc =
            hipify_textures::runtime_format(given->res.linear.format, given->res.linear.numChannels);
        resource.res.linear.sizeInBytes = given->res.linear.sizeInBytes;
    } else if (given->resType == HIP_RESOURCE_TYPE_PITCH2D) {
        resource.res.pitch2D.devPtr = (void*)given->res.pitch2D.devPtr;
        resource.res.pitch2D.desc =
            hipify_textures::runtime_format(given->res.pitch2D.format, given->res.pitch2D.numChannels);
        resource.res.pitch2D.width = given->res.pitch2D.width;
        resource.res.pitch2D.height = given->res.pitch2D.height;
        resource.res.pitch2D.pitchInBytes = given->res.pitch2D.pitchInBytes;
    } else {
        return hipErrorNotSupported;
    }
    hipTextureDesc texture = hipTextureDesc();
    for (int i = 0; i < 3; ++i) texture.addressMode[i] = (hipTextureAddressMode)sampling->addressMode[i];
    for (int i = 0; i < 4; ++i) texture.borderColor[i] = sampling->borderColor[i];
    texture.filterMode = (hipTextureFilterMode)sampling->filterMode;
    texture.mipmapFilterMode = (hipTextureFilterMode)sampling->mipmapFilterMode;
    texture.mipmapLevelBias = sampling->mipmapLevelBias;
    texture.minMipmapLevelClamp = sampling->minMipmapLevelClamp;
    texture.maxMipmapLevelClamp = sampling->maxMipmapLevelClamp;
    texture.readMode = sampling->flags & HIP_TRSF_READ_AS_INTEGER ? hipReadModeElementType : hipReadModeNormalizedFloat;
    texture.normalizedCoords = (sampling->flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
    texture.sRGB = (sampling->flags & HIP_TRSF_SRGB) != 0;
    return hipify_CreateTextureObject(made, &resource, &texture, nullptr);
}

inline hipError_t hipify_TexObjectDestroy(hipTextureObject_t object) {
    hipError_t status = hipSuccess;
    return hipify_textures::free_object((const void*)object, &status) ? status : hipTexObjectDestroy(object);
}

#define hipArrayCreate hipify_ArrayCreate
#define hipArray3DCreate hipify_Array3DCreate
#define hipArrayDestroy hipify_ArrayDestroy
#define hipMipmappedArrayCreate hipify_MipmappedArrayCreate
#define hipMipmappedArrayDestroy hipify_MipmappedArrayDestroy
#define hipMipmappedArrayGetLevel hipify_MipmappedArrayGetLevel
#define hipArrayGetDescriptor hipify_ArrayGetDescriptor
#define hipArray3DGetDescriptor hipify_Array3DGetDescriptor
#define hipMemcpyParam2D hipify_MemcpyParam2D
#define hipMemcpyParam2DAsync hipify_MemcpyParam2DAsync
#define hipDrvMemcpy2DUnaligned hipify_DrvMemcpy2DUnaligned
#define hipDrvMemcpy3D hipify_DrvMemcpy3D
#define hipDrvMemcpy3DAsync hipify_DrvMemcpy3DAsync
#define hipMemcpyHtoA hipify_MemcpyHtoA
#define hipMemcpyAtoH hipify_MemcpyAtoH
#define hipTexObjectCreate hipify_TexObjectCreate
#define hipTexObjectDestroy hipify_TexObjectDestroy

#endif  // AMD GPUs

#endif  // HIPIFY_TEXTURE_DRIVER_H
