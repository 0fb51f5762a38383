// hipify_texture_objects.h - texture and surface objects on GPUs with and without image instructions.
//
// Where the device in use has image instructions these calls are HIP's own. Where it has none (gfx942, gfx950) an
// object is the address of an Image in the device's memory, which the functions of hipify_texture.h read.
// hipify_texture.h includes this file; sources without kernels can include it alone.
//
// Written by hipify-py; part of your program from here on: change it as you like.

#ifndef HIPIFY_TEXTURE_OBJECTS_H
#define HIPIFY_TEXTURE_OBJECTS_H

#include "hipify_texture_arrays.h"
#include "hipify_texture_mipmaps.h"
#include "hipify_texture_sampling.h"

namespace hipify_textures {

struct Object {
    hipResourceDesc resource;
    hipTextureDesc texture;
    hipResourceViewDesc view;
};

inline std::map<const void*, Object>& objects() {
    static std::map<const void*, Object>* all = new std::map<const void*, Object>;
    return *all;
}

inline bool find_object(const void* handle, Object* found) {
    std::lock_guard<std::mutex> guard(registry().lock);
    const std::map<const void*, Object>::const_iterator place = objects().find(handle);
    if (place == objects().end()) return false;
    *found = place->second;
    return true;
}

inline void set_format(Image* image, const hipChannelFormatDesc& format) {
    image->bits = format.x;
    image->channels = channels_of(format);
    image->texel = (int)texel_of(format);
    image->kind = format.f == hipChannelFormatKindFloat      ? FLOAT
                  : format.f == hipChannelFormatKindUnsigned ? UNSIGNED
                                                             : SIGNED;
}

// The memory of a resource; an error for what is not done in software.
inline hipError_t set_resource(Image* image, const hipResourceDesc& resource) {
    image->width = image->height = image->depth = 1;
    if (resource.resType == hipResourceTypeArray) {
        Array array;
        if (!find_array(resource.res.array.array, &array)) return hipErrorInvalidValue;
        image->data = array.data;
        image->pitch = array.pitch;
        image->slice = array.slice;
        image->width = (int)array.extent.width;
        image->height = (int)at_least_one(array.extent.height);
        image->depth = (int)at_least_one(array.extent.depth);
        set_format(image, array.format);
    } else if (resource.resType == hipResourceTypeLinear) {
        image->data = (unsigned char*)resource.res.linear.devPtr;
        set_format(image, resource.res.linear.desc);
        if (!image->texel) return hipErrorInvalidValue;
        const size_t texels = resource.res.linear.sizeInBytes / (size_t)image->texel;
        image->width = texels > (size_t)INT_MAX ? INT_MAX : (int)texels;
    } else if (resource.resType == hipResourceTypePitch2D) {
        image->data = (unsigned char*)resource.res.pitch2D.devPtr;
        image->pitch = resource.res.pitch2D.pitchInBytes;
        image->width = (int)resource.res.pitch2D.width;
        image->height = (int)resource.res.pitch2D.height;
        set_format(image, resource.res.pitch2D.desc);
    } else {
        return hipErrorNotSupported;
    }
    return image->bits == 8 || image->bits == 16 || image->bits == 32 ? hipSuccess : hipErrorNotSupported;
}

// An image for each level of a resource; other resources than mipmapped arrays have one.
inline hipError_t make_images(std::vector<Image>* images, const hipResourceDesc& resource) {
    Levels levels;
    if (resource.resType != hipResourceTypeMipmappedArray) {
        images->push_back(Image());
        return set_resource(&images->back(), resource);
    }
    if (!find_levels((const void*)resource.res.mipmap.mipmap, &levels)) return hipErrorInvalidValue;
    for (size_t i = 0; i < levels.size(); ++i) {
        hipResourceDesc level = hipResourceDesc();
        level.resType = hipResourceTypeArray;
        level.res.array.array = levels[i];
        images->push_back(Image());
        const hipError_t status = set_resource(&images->back(), level);
        if (status != hipSuccess) return status;
    }
    images->front().levels = (int)levels.size();
    return hipSuccess;
}

inline void set_sampling(Image* image, const hipTextureDesc& texture) {
    for (int i = 0; i < 3; ++i) image->address[i] = (int)texture.addressMode[i];
    for (int i = 0; i < 4; ++i) image->border[i] = texture.borderColor[i];
    image->linear = texture.filterMode == hipFilterModeLinear;
    image->normalized = texture.normalizedCoords;
    image->as_float = texture.readMode == hipReadModeNormalizedFloat && image->kind != FLOAT && image->bits < 32;
    image->between_levels = texture.mipmapFilterMode == hipFilterModeLinear;
    image->bias = texture.mipmapLevelBias;
    image->least_level = texture.minMipmapLevelClamp;
    image->most_level = texture.maxMipmapLevelClamp;
    image->srgb = texture.sRGB && image->as_float && image->kind == UNSIGNED && image->bits == 8;
}

inline hipError_t make_object(void** handle, const std::vector<Image>& images, const Object& object) {
    void* place = nullptr;
    hipError_t status = hipMalloc(&place, images.size() * sizeof(Image));
    if (status != hipSuccess) return status;
    status = hipMemcpy(place, images.data(), images.size() * sizeof(Image), hipMemcpyHostToDevice);
    if (status != hipSuccess) {
        (void)hipFree(place);
        return status;
    }
    std::lock_guard<std::mutex> guard(registry().lock);
    objects()[place] = object;
    *handle = place;
    return hipSuccess;
}

// Frees an object that was made here; false for one of HIP's.
inline bool free_object(const void* handle, hipError_t* status) {
    Object object;
    if (!find_object(handle, &object)) return false;
    {
        std::lock_guard<std::mutex> guard(registry().lock);
        objects().erase(handle);
    }
    *status = hipFree(const_cast<void*>(handle));
    return true;
}

}  // namespace hipify_textures

inline hipError_t hipify_CreateTextureObject(hipTextureObject_t* made, const hipResourceDesc* resource,
                                             const hipTextureDesc* texture, const hipResourceViewDesc* view) {
    if (!hipify_textures::in_software()) return hipCreateTextureObject(made, resource, texture, view);
    if (!made || !resource || !texture) return hipErrorInvalidValue;
    std::vector<hipify_textures::Image> images;
    hipError_t status = hipify_textures::make_images(&images, *resource);
    if (status != hipSuccess) return status;
    for (size_t i = 0; i < images.size(); ++i) hipify_textures::set_sampling(&images[i], *texture);
    hipify_textures::Object object = {*resource, *texture, view ? *view : hipResourceViewDesc()};
    void* handle = nullptr;
    status = hipify_textures::make_object(&handle, images, object);
    if (status == hipSuccess) *made = (hipTextureObject_t)handle;
    return status;
}

inline hipError_t hipify_DestroyTextureObject(hipTextureObject_t object) {
    hipError_t status = hipSuccess;
    return hipify_textures::free_object((const void*)object, &status) ? status : hipDestroyTextureObject(object);
}

inline hipError_t hipify_GetTextureObjectResourceDesc(hipResourceDesc* resource, hipTextureObject_t object) {
    hipify_textures::Object own;
    if (!hipify_textures::find_object((const void*)object, &own))
        return hipGetTextureObjectResourceDesc(resource, object);
    *resource = own.resource;
    return hipSuccess;
}

#ifndef __HIP_PLATFORM_NVIDIA__  // HIP has these two for AMD's GPUs alone
inline hipError_t hipify_GetTextureObjectTextureDesc(hipTextureDesc* texture, hipTextureObject_t object) {
    hipify_textures::Object own;
    if (!hipify_textures::find_object((const void*)object, &own))
        return hipGetTextureObjectTextureDesc(texture, object);
    *texture = own.texture;
    return hipSuccess;
}

inline hipError_t hipify_GetTextureObjectResourceViewDesc(hipResourceViewDesc* view, hipTextureObject_t object) {
    hipify_textures::Object own;
    if (!hipify_textures::find_object((const void*)object, &own))
        return hipGetTextureObjectResourceViewDesc(view, object);
    *view = own.view;
    return hipSuccess;
}
#define hipGetTextureObjectTextureDesc hipify_GetTextureObjectTextureDesc
#define hipGetTextureObjectResourceViewDesc hipify_GetTextureObjectResourceViewDesc
#endif

inline hipError_t hipify_CreateSurfaceObject(hipSurfaceObject_t* made, const hipResourceDesc* resource) {
    if (!hipify_textures::in_software()) return hipCreateSurfaceObject(made, resource);
    if (!made || !resource || resource->resType != hipResourceTypeArray) return hipErrorInvalidValue;
    std::vector<hipify_textures::Image> images;
    hipError_t status = hipify_textures::make_images(&images, *resource);
    if (status != hipSuccess) return status;
    void* handle = nullptr;
    const hipify_textures::Object object = {*resource, hipTextureDesc(), hipResourceViewDesc()};
    status = hipify_textures::make_object(&handle, images, object);
    if (status == hipSuccess) *made = (hipSurfaceObject_t)handle;
    return status;
}

inline hipError_t hipify_DestroySurfaceObject(hipSurfaceObject_t object) {
    hipError_t status = hipSuccess;
    return hipify_textures::free_object((const void*)object, &status) ? status : hipDestroySurfaceObject(object);
}

#define hipCreateTextureObject hipify_CreateTextureObject
#define hipDestroyTextureObject hipify_DestroyTextureObject
#define hipGetTextureObjectResourceDesc hipify_GetTextureObjectResourceDesc
#define hipCreateSurfaceObject hipify_CreateSurfaceObject
#define hipDestroySurfaceObject hipify_DestroySurfaceObject

#endif  // HIPIFY_TEXTURE_OBJECTS_H
