// hipify_texture_mipmaps.h - mipmapped arrays on GPUs with and without image instructions.
//
// Where the device in use has image instructions these calls are HIP's own. Where it has none (gfx942, gfx950) a
// mipmapped array is a list of arrays, each half as large as the one before it. hipify_texture_objects.h includes this
// file.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_MIPMAPS_H
#define HIPIFY_TEXTURE_MIPMAPS_H

#include <vector>

#include "hipify_texture_arrays.h"

namespace hipify_textures {

typedef std::vector<hipArray_t> Levels;

inline std::map<const void*, Levels>& mipmaps() {
    static std::map<const void*, Levels>* all = new std::map<const void*, Levels>;
    return *all;
}

// A mipmapped array that was made here; false for one of HIP's.
inline bool find_levels(const void* handle, Levels* found) {
    std::lock_guard<std::mutex> guard(registry().lock);
    const std::map<const void*, Levels>::const_iterator place = mipmaps().find(handle);
    if (place == mipmaps().end()) return false;
    *found = place->second;
    return true;
}

inline hipError_t free_levels(const Levels& levels) {
    hipError_t status = hipSuccess;
    for (size_t i = 0; i < levels.size(); ++i) {
        const hipError_t freed = hipify_FreeArray(levels[i]);
        if (status == hipSuccess) status = freed;
    }
    return status;
}

inline size_t halved(size_t size, unsigned int times) { return size ? at_least_one(size >> times) : 0; }

inline hipError_t make_levels(void** handle, const hipChannelFormatDesc* format, const hipExtent& extent,
                              unsigned int count, unsigned int flags) {
    if (!handle || !count) return hipErrorInvalidValue;
    const bool layered = (flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    Levels levels;
    for (unsigned int i = 0; i < count; ++i) {
        const hipExtent size = make_hipExtent(halved(extent.width, i), halved(extent.height, i),
                                              layered ? extent.depth : halved(extent.depth, i));
        hipArray_t array;
        const hipError_t status = make_array(&array, format, size, flags);
        if (status != hipSuccess) {
            (void)free_levels(levels);
            return status;
        }
        levels.push_back(array);
    }
    *handle = new char;  // an address of its own
    std::lock_guard<std::mutex> guard(registry().lock);
    mipmaps()[*handle] = levels;
    return hipSuccess;
}

// Frees a mipmapped array that was made here; false for one of HIP's.
inline bool take_levels(void* handle, hipError_t* status) {
    Levels levels;
    if (!find_levels(handle, &levels)) return false;
    {
        std::lock_guard<std::mutex> guard(registry().lock);
        mipmaps().erase(handle);
    }
    delete (char*)handle;
    *status = free_levels(levels);
    return true;
}

inline hipError_t level_of(hipArray_t* array, const Levels& levels, unsigned int level) {
    if (level >= levels.size()) return hipErrorInvalidValue;
    *array = levels[level];
    return hipSuccess;
}

}  // namespace hipify_textures

inline hipError_t hipify_MallocMipmappedArray(hipMipmappedArray_t* made, const hipChannelFormatDesc* format,
                                              hipExtent extent, unsigned int count, unsigned int flags = 0) {
    if (!hipify_textures::in_software()) return hipMallocMipmappedArray(made, format, extent, count, flags);
    void* handle = nullptr;
    const hipError_t status = hipify_textures::make_levels(&handle, format, extent, count, flags);
    if (status == hipSuccess) *made = (hipMipmappedArray_t)handle;
    return status;
}

inline hipError_t hipify_FreeMipmappedArray(hipMipmappedArray_t array) {
    hipError_t status = hipSuccess;
    return hipify_textures::take_levels((void*)array, &status) ? status : hipFreeMipmappedArray(array);
}

inline hipError_t hipify_GetMipmappedArrayLevel(hipArray_t* found, const void* array, unsigned int level) {
    hipify_textures::Levels levels;
    if (hipify_textures::find_levels(array, &levels)) return hipify_textures::level_of(found, levels, level);
    return hipGetMipmappedArrayLevel(found, (hipMipmappedArray_t)array, level);
}

#define hipMallocMipmappedArray hipify_MallocMipmappedArray
#define hipFreeMipmappedArray hipify_FreeMipmappedArray
#define hipGetMipmappedArrayLevel hipify_GetMipmappedArrayLevel

#endif  // HIPIFY_TEXTURE_MIPMAPS_H
