// hipify_texture_arrays.h - CUDA arrays on GPUs with and without image instructions.
//
// Where the device in use has image instructions these calls are HIP's own. Where it has none (gfx942, gfx950) an array
// is pitched memory, its handle the address of that. Calls that are handed an array know by its handle what it is.
// hipify_texture.h includes this file.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_ARRAYS_H
#define HIPIFY_TEXTURE_ARRAYS_H

#include <hip/hip_runtime_api.h>
#include <limits.h>
#include <string.h>

#include <map>
#include <mutex>

namespace hipify_textures {

struct Array {
    unsigned char* data;
    size_t pitch, slice, texel;
    hipChannelFormatDesc format;
    hipExtent extent;
    unsigned int flags;
};

struct Registry {
    std::mutex lock;
    std::map<const void*, Array> arrays;
};

inline Registry& registry() {
    static Registry* all = new Registry;  // never destroyed: objects of the program may outlive it
    return *all;
}

// Whether the device in use has no image instructions.
inline bool in_software() {
#if defined(HIPIFY_SOFTWARE_TEXTURES)
    return true;
#elif defined(__HIP_PLATFORM_NVIDIA__)
    return false;
#else
    static std::mutex lock;
    static std::map<int, bool> known;
    int device = 0;
    if (hipGetDevice(&device) != hipSuccess) return false;
    std::lock_guard<std::mutex> guard(lock);
    const std::map<int, bool>::const_iterator found = known.find(device);
    if (found != known.end()) return found->second;
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, device) != hipSuccess) return false;
    return known[device] = !strncmp(properties.gcnArchName, "gfx94", 5) || !strncmp(properties.gcnArchName, "gfx95", 5);
#endif
}

// An array that was made here; false for one of HIP's.
inline bool find_array(const void* handle, Array* found) {
    if (!handle) return false;
    std::lock_guard<std::mutex> guard(registry().lock);
    const std::map<const void*, Array>::const_iterator place = registry().arrays.find(handle);
    if (place == registry().arrays.end()) return false;
    *found = place->second;
    return true;
}

inline size_t at_least_one(size_t n) { return n ? n : 1; }

inline int channels_of(const hipChannelFormatDesc& format) {
    return (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
}

inline size_t texel_of(const hipChannelFormatDesc& format) {
    return (size_t)(format.x + format.y + format.z + format.w) / 8;
}

inline hipError_t make_array(hipArray_t* handle, const hipChannelFormatDesc* format, const hipExtent& extent,
                             unsigned int flags) {
    if (!handle || !format || !extent.width) return hipErrorInvalidValue;
    Array array = Array();
    array.texel = texel_of(*format);
    const int bits = format->x, channels = channels_of(*format);
    if ((bits != 8 && bits != 16 && bits != 32) || channels == 3 || array.texel != (size_t)(bits * channels / 8))
        return hipErrorInvalidValue;  // block-compressed formats, too
    array.pitch = (extent.width * array.texel + 255) / 256 * 256;
    array.slice = array.pitch * at_least_one(extent.height);
    array.format = *format;
    array.extent = extent;
    array.flags = flags;
    const hipError_t status = hipMalloc((void**)&array.data, array.slice * at_least_one(extent.depth));
    if (status != hipSuccess) return status;
    *handle = (hipArray_t)array.data;
    std::lock_guard<std::mutex> guard(registry().lock);
    registry().arrays[array.data] = array;
    return hipSuccess;
}

// One end of a copy: memory, or a place in an array.
struct End {
    unsigned char* data;
    size_t pitch;
};

inline End place_in(const Array& array, size_t x, size_t y) {
    const End end = {array.data + y * array.pitch + x, array.pitch};
    return end;
}

inline hipError_t copy_rows(const End& to, const End& from, size_t width, size_t height, hipMemcpyKind kind,
                            const hipStream_t* stream) {
    if (!width || !height) return hipSuccess;
    return stream ? hipMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, width, height, kind, *stream)
                  : hipMemcpy2D(to.data, to.pitch, from.data, from.pitch, width, height, kind);
}

// Bytes in the order of an array's rows, from a place in it on, to memory without gaps or from there.
inline hipError_t copy_bytes(const Array& array, size_t x, size_t y, void* memory, size_t count, bool into,
                             hipMemcpyKind kind) {
    const size_t width = array.extent.width * array.texel;
    unsigned char* bytes = (unsigned char*)memory;
    while (count) {
        if (x >= width) return hipErrorInvalidValue;
        const size_t rows = x ? 1 : count / width;
        const size_t part = rows ? (x ? (count < width - x ? count : width - x) : width) : count;
        const End there = place_in(array, x, y), here = {bytes, part};
        const size_t lines = rows ? rows : 1;
        const hipError_t status = into ? copy_rows(there, here, part, lines, kind, nullptr)
                                       : copy_rows(here, there, part, lines, kind, nullptr);
        if (status != hipSuccess) return status;
        bytes += part * lines;
        count -= part * lines;
        y += lines;
        x = 0;
    }
    return hipSuccess;
}

// The same copy with pitched memory in place of arrays; false when no array of ours takes part.
inline bool without_arrays(const hipMemcpy3DParms& given, hipMemcpy3DParms* made) {
    Array to, from;
    const bool has_to = find_array(given.dstArray, &to), has_from = find_array(given.srcArray, &from);
    if (!has_to && !has_from) return false;
    *made = given;
    made->extent.width *= has_to ? to.texel : from.texel;  // counted in texels, as an array takes part
    if (has_to) {
        made->dstArray = nullptr;
        made->dstPtr = make_hipPitchedPtr(to.data, to.pitch, to.pitch, at_least_one(to.extent.height));
        made->dstPos.x *= to.texel;
    }
    if (has_from) {
        made->srcArray = nullptr;
        made->srcPtr = make_hipPitchedPtr(from.data, from.pitch, from.pitch, at_least_one(from.extent.height));
        made->srcPos.x *= from.texel;
    }
    return true;
}

}  // namespace hipify_textures

inline hipError_t hipify_Malloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format, hipExtent extent,
                                       unsigned int flags = hipArrayDefault) {
    if (!hipify_textures::in_software()) return hipMalloc3DArray(array, format, extent, flags);
    return hipify_textures::make_array(array, format, extent, flags);
}

inline hipError_t hipify_MallocArray(hipArray_t* array, const hipChannelFormatDesc* format, size_t width,
                                     size_t height = 0, unsigned int flags = hipArrayDefault) {
    if (!hipify_textures::in_software()) return hipMallocArray(array, format, width, height, flags);
    return hipify_textures::make_array(array, format, make_hipExtent(width, height, 0), flags);
}

inline hipError_t hipify_FreeArray(hipArray_t array) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(array, &own)) return hipFreeArray(array);
    {
        std::lock_guard<std::mutex> guard(hipify_textures::registry().lock);
        hipify_textures::registry().arrays.erase(array);
    }
    return hipFree(own.data);
}

inline hipError_t hipify_ArrayGetInfo(hipChannelFormatDesc* format, hipExtent* extent, unsigned int* flags,
                                      hipArray_t array) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(array, &own)) return hipArrayGetInfo(format, extent, flags, array);
    if (format) *format = own.format;
    if (extent) *extent = own.extent;
    if (flags) *flags = own.flags;
    return hipSuccess;
}

inline hipError_t hipify_GetChannelDesc(hipChannelFormatDesc* format, hipArray_const_t array) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(array, &own)) return hipGetChannelDesc(format, array);
    *format = own.format;
    return hipSuccess;
}

inline hipError_t hipify_Memcpy2DToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                         size_t width, size_t height, hipMemcpyKind kind) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(to, &own)) return hipMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
    const hipify_textures::End memory = {(unsigned char*)from, pitch};
    return hipify_textures::copy_rows(hipify_textures::place_in(own, x, y), memory, width, height, kind, nullptr);
}

inline hipError_t hipify_Memcpy2DToArrayAsync(hipArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                              size_t width, size_t height, hipMemcpyKind kind,
                                              hipStream_t stream = 0) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(to, &own))
        return hipMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, stream);
    const hipify_textures::End memory = {(unsigned char*)from, pitch};
    return hipify_textures::copy_rows(hipify_textures::place_in(own, x, y), memory, width, height, kind, &stream);
}

inline hipError_t hipify_Memcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
                                           size_t width, size_t height, hipMemcpyKind kind) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(from, &own))
        return hipMemcpy2DFromArray(to, pitch, (hipArray_t)from, x, y, width, height, kind);
    const hipify_textures::End memory = {(unsigned char*)to, pitch};
    return hipify_textures::copy_rows(memory, hipify_textures::place_in(own, x, y), width, height, kind, nullptr);
}

inline hipError_t hipify_Memcpy2DFromArrayAsync(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y,
                                                size_t width, size_t height, hipMemcpyKind kind,
                                                hipStream_t stream = 0) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(from, &own))
        return hipMemcpy2DFromArrayAsync(to, pitch, (hipArray_t)from, x, y, width, height, kind, stream);
    const hipify_textures::End memory = {(unsigned char*)to, pitch};
    return hipify_textures::copy_rows(memory, hipify_textures::place_in(own, x, y), width, height, kind, &stream);
}

inline hipError_t hipify_Memcpy2DArrayToArray(hipArray_t to, size_t to_x, size_t to_y, hipArray_const_t from,
                                              size_t from_x, size_t from_y, size_t width, size_t height,
                                              hipMemcpyKind kind = hipMemcpyDeviceToDevice) {
    hipify_textures::Array target, source;
    if (hipify_textures::find_array(to, &target) && hipify_textures::find_array(from, &source))
        return hipify_textures::copy_rows(hipify_textures::place_in(target, to_x, to_y),
                                          hipify_textures::place_in(source, from_x, from_y), width, height, kind,
                                          nullptr);
#if defined(__HIP_PLATFORM_NVIDIA__) || HIP_VERSION < 60200000
    return hipErrorNotSupported;
#else
    return hipMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, width, height, kind);
#endif
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // HIP has no others for these two

inline hipError_t hipify_MemcpyToArray(hipArray_t to, size_t x, size_t y, const void* from, size_t count,
                                       hipMemcpyKind kind) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(to, &own)) return hipMemcpyToArray(to, x, y, from, count, kind);
    return hipify_textures::copy_bytes(own, x, y, (void*)from, count, true, kind);
}

inline hipError_t hipify_MemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t count,
                                         hipMemcpyKind kind) {
    hipify_textures::Array own;
    if (!hipify_textures::find_array(from, &own)) return hipMemcpyFromArray(to, (hipArray_t)from, x, y, count, kind);
    return hipify_textures::copy_bytes(own, x, y, to, count, false, kind);
}

#pragma GCC diagnostic pop

inline hipError_t hipify_Memcpy3D(const hipMemcpy3DParms* copy) {
    hipMemcpy3DParms plain;
    return hipMemcpy3D(hipify_textures::without_arrays(*copy, &plain) ? &plain : copy);
}

inline hipError_t hipify_Memcpy3DAsync(const hipMemcpy3DParms* copy, hipStream_t stream = 0) {
    hipMemcpy3DParms plain;
    return hipMemcpy3DAsync(hipify_textures::without_arrays(*copy, &plain) ? &plain : copy, stream);
}

inline hipError_t hipify_GraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* behind,
                                            size_t count, const hipMemcpy3DParms* copy) {
    hipMemcpy3DParms plain;
    return hipGraphAddMemcpyNode(node, graph, behind, count,
                                 hipify_textures::without_arrays(*copy, &plain) ? &plain : copy);
}

inline hipError_t hipify_GraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* copy) {
    hipMemcpy3DParms plain;
    return hipGraphMemcpyNodeSetParams(node, hipify_textures::without_arrays(*copy, &plain) ? &plain : copy);
}

inline hipError_t hipify_GraphExecMemcpyNodeSetParams(hipGraphExec_t graph, hipGraphNode_t node,
                                                      hipMemcpy3DParms* copy) {
    hipMemcpy3DParms plain;
    return hipGraphExecMemcpyNodeSetParams(graph, node,
                                           hipify_textures::without_arrays(*copy, &plain) ? &plain : copy);
}

#define hipMalloc3DArray hipify_Malloc3DArray
#define hipMallocArray hipify_MallocArray
#define hipFreeArray hipify_FreeArray
#define hipArrayGetInfo hipify_ArrayGetInfo
#define hipGetChannelDesc hipify_GetChannelDesc
#define hipMemcpy2DToArray hipify_Memcpy2DToArray
#define hipMemcpy2DToArrayAsync hipify_Memcpy2DToArrayAsync
#define hipMemcpy2DFromArray hipify_Memcpy2DFromArray
#define hipMemcpy2DFromArrayAsync hipify_Memcpy2DFromArrayAsync
#define hipMemcpy2DArrayToArray hipify_Memcpy2DArrayToArray
#define hipMemcpyToArray hipify_MemcpyToArray
#define hipMemcpyFromArray hipify_MemcpyFromArray
#define hipMemcpy3D hipify_Memcpy3D
#define hipMemcpy3DAsync hipify_Memcpy3DAsync
#define hipGraphAddMemcpyNode hipify_GraphAddMemcpyNode
#define hipGraphMemcpyNodeSetParams hipify_GraphMemcpyNodeSetParams
#define hipGraphExecMemcpyNodeSetParams hipify_GraphExecMemcpyNodeSetParams

#endif  // HIPIFY_TEXTURE_ARRAYS_H
