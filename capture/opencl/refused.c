/* SPDX-License-Identifier: Apache-2.0
 *
 * Unsupported calls, which return an error: images, samplers, extensions.
 */
#include "opencl/objects.h"

#define IMAGES "images are not supported"

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *description, void *host, cl_int *error) {
    (void)context, (void)flags, (void)format, (void)description, (void)host;
    return set_error(error, refuse_call("clCreateImage(): " IMAGES));
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t pitch, void *host, cl_int *error) {
    (void)context, (void)flags, (void)format, (void)width, (void)height, (void)pitch, (void)host;
    return set_error(error, refuse_call("clCreateImage2D(): " IMAGES));
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t depth, size_t row, size_t slice,
                       void *host, cl_int *error) {
    (void)context, (void)flags, (void)format, (void)width, (void)height, (void)depth;
    (void)row, (void)slice, (void)host;
    return set_error(error, refuse_call("clCreateImage3D(): " IMAGES));
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format *formats, cl_uint *count) {
    (void)flags, (void)type, (void)room, (void)formats;
    if (!object_is(context, OBJECT_CONTEXT)) {
        return CL_INVALID_CONTEXT;
    }
    if (count) {
        *count = 0;
    }
    return CL_SUCCESS;
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int *error) {
    (void)context, (void)normalized, (void)addressing, (void)filter;
    return set_error(error, refuse_call("clCreateSampler(): " IMAGES));
}

/* There are no extensions with functions. */
void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    (void)platform, (void)name;
    return NULL;
}

void *clGetExtensionFunctionAddress(const char *name) {
    (void)name;
    return NULL;
}

/* --- of images and samplers, which no program can have --- */

cl_int clGetImageInfo(cl_mem image, cl_image_info name, size_t room, void *to, size_t *needed) {
    (void)image, (void)name, (void)room, (void)to, (void)needed;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clRetainSampler(cl_sampler sampler) {
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int clReleaseSampler(cl_sampler sampler) {
    (void)sampler;
    return CL_INVALID_SAMPLER;
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room, void *to,
                        size_t *needed) {
    (void)sampler, (void)name, (void)room, (void)to, (void)needed;
    return CL_INVALID_SAMPLER;
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                          const size_t *origin, const size_t *region, size_t row, size_t slice,
                          void *to, cl_uint waits, const cl_event *list, cl_event *event) {
    (void)queue, (void)image, (void)blocking, (void)origin, (void)region, (void)row, (void)slice;
    (void)to, (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                           const size_t *origin, const size_t *region, size_t row, size_t slice,
                           const void *from, cl_uint waits, const cl_event *list, cl_event *event) {
    (void)queue, (void)image, (void)blocking, (void)origin, (void)region, (void)row, (void)slice;
    (void)from, (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                          const size_t *origin, const size_t *region, cl_uint waits,
                          const cl_event *list, cl_event *event) {
    (void)queue, (void)image, (void)color, (void)origin, (void)region;
    (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                          const size_t *to_origin, const size_t *region, cl_uint waits,
                          const cl_event *list, cl_event *event) {
    (void)queue, (void)from, (void)to, (void)from_origin, (void)to_origin, (void)region;
    (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                  const size_t *origin, const size_t *region, size_t offset,
                                  cl_uint waits, const cl_event *list, cl_event *event) {
    (void)queue, (void)image, (void)buffer, (void)origin, (void)region, (void)offset;
    (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                  size_t offset, const size_t *origin, const size_t *region,
                                  cl_uint waits, const cl_event *list, cl_event *event) {
    (void)queue, (void)image, (void)buffer, (void)origin, (void)region, (void)offset;
    (void)waits, (void)list, (void)event;
    return CL_INVALID_MEM_OBJECT;
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                        const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                        cl_uint waits, const cl_event *list, cl_event *event, cl_int *error) {
    (void)queue, (void)image, (void)blocking, (void)flags, (void)origin, (void)region, (void)row;
    (void)slice, (void)waits, (void)list, (void)event;
    return set_error(error, CL_INVALID_MEM_OBJECT);
}
