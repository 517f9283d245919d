/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers and sub-buffers, in the device's memory.
 */
#include <stdlib.h>
#include <string.h>

#include "opencl/objects.h"
#include "runtime/memory.h"

/* To call when a buffer goes, the last one first. */
struct destructor {
    void(CL_CALLBACK *call)(cl_mem, void *);
    void *user;
    struct destructor *next;
};

static bool is_good_flags(cl_mem_flags flags) {
    const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
    const bool uses = flags & CL_MEM_USE_HOST_PTR, copies = flags & CL_MEM_COPY_HOST_PTR;
    return !(access & (access - 1)) && !(uses && (flags & CL_MEM_ALLOC_HOST_PTR)) &&
           !(uses && copies);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                      cl_int *error) {
    const bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (!object_is(context, OBJECT_CONTEXT)) {
        return set_error(error, CL_INVALID_CONTEXT);
    }
    if (!is_good_flags(flags)) {
        return set_error(error, CL_INVALID_VALUE);
    }
    if (!bytes || bytes > DEVICE_BYTES) {
        return set_error(error, CL_INVALID_BUFFER_SIZE);
    }
    if (wants_host != (host != NULL)) {
        return set_error(error, CL_INVALID_HOST_PTR);
    }
    cl_mem m = object_make(OBJECT_BUFFER, sizeof *m);
    char *at = m ? memory_take(bytes) : NULL;
    if (!at) {
        free(m);
        return set_error(error, m ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_HOST_MEMORY);
    }
    OBJECT_KEEP(context);
    m->context = context;
    m->flags = flags & 7 ? flags : flags | CL_MEM_READ_WRITE;
    m->bytes = bytes;
    m->at = at;
    m->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    if (host) {
        memcpy(at, host, bytes);
        recording_copy(at, bytes);
    }
    set_error(error, CL_SUCCESS);
    return m;
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *error) {
    const cl_buffer_region *region = info;
    if (!object_is(buffer, OBJECT_BUFFER) || buffer->parent) {
        return set_error(error, CL_INVALID_MEM_OBJECT);
    }
    if (type != CL_BUFFER_CREATE_TYPE_REGION || !region || region->origin > buffer->bytes ||
        region->size > buffer->bytes - region->origin) {
        return set_error(error, CL_INVALID_VALUE);
    }
    if (!region->size) {
        return set_error(error, CL_INVALID_BUFFER_SIZE);
    }
    cl_mem m = object_make(OBJECT_BUFFER, sizeof *m);
    if (!m) {
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    OBJECT_KEEP(buffer->context);
    OBJECT_KEEP(buffer);
    m->context = buffer->context;
    m->parent = buffer;
    m->flags = flags & 7 ? flags : flags | (buffer->flags & 7);
    m->bytes = region->size;
    m->origin = region->origin;
    m->at = buffer->at + region->origin;
    m->host = buffer->host ? buffer->host + region->origin : NULL;
    set_error(error, CL_SUCCESS);
    return m;
}

cl_int clRetainMemObject(cl_mem buffer) {
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    OBJECT_KEEP(buffer);
    return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem buffer) {
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!object_drop(buffer)) {
        return CL_SUCCESS;
    }
    for (struct destructor *d = buffer->destructors, *next; d; d = next) {
        next = d->next;
        d->call(buffer, d->user);
        free(d);
    }
    if (buffer->parent) {
        clReleaseMemObject(buffer->parent);
    } else {
        memory_give(buffer->at);
    }
    clReleaseContext(buffer->context);
    free(buffer->mappings);
    free(buffer);
    return CL_SUCCESS;
}

cl_int clSetMemObjectDestructorCallback(cl_mem buffer, void(CL_CALLBACK *call)(cl_mem, void *),
                                        void *user) {
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    struct destructor *d = call ? malloc(sizeof *d) : NULL;
    if (!d) {
        return call ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_VALUE;
    }
    *d = (struct destructor){call, user, buffer->destructors};
    buffer->destructors = d;
    return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem buffer, cl_mem_info name, size_t room, void *to, size_t *needed) {
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    switch (name) {
    case CL_MEM_TYPE: GIVE(cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: GIVE(cl_mem_flags, buffer->flags);
    case CL_MEM_SIZE: GIVE(size_t, buffer->bytes);
    case CL_MEM_HOST_PTR: GIVE(void *, buffer->host);
    case CL_MEM_MAP_COUNT: GIVE(cl_uint, buffer->mapping_count);
    case CL_MEM_REFERENCE_COUNT: GIVE(cl_uint, buffer->object.references);
    case CL_MEM_CONTEXT: GIVE(cl_context, buffer->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: GIVE(cl_mem, buffer->parent);
    case CL_MEM_OFFSET: GIVE(size_t, buffer->origin);
    default: return CL_INVALID_VALUE;
    }
}
