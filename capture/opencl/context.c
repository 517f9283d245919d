/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts and command queues.
 */
#include <stdlib.h>
#include <string.h>

#include "opencl/objects.h"

static size_t properties_bytes(const cl_context_properties *p) {
    size_t n = 0;
    while (p && p[n]) {
        n += 2;
    }
    return p ? (n + 1) * sizeof *p : 0;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *user, cl_int *error) {
    (void)user;
    if (!count || !devices || (!notify && user)) {
        return set_error(error, CL_INVALID_VALUE);
    }
    for (cl_uint i = 0; i < count; i++) {
        if (!object_is(devices[i], OBJECT_DEVICE)) {
            return set_error(error, CL_INVALID_DEVICE);
        }
    }
    cl_context c = object_make(OBJECT_CONTEXT, sizeof *c);
    const size_t bytes = properties_bytes(properties);
    cl_context_properties *copy = bytes ? malloc(bytes) : NULL;
    if (!c || (bytes && !copy)) {
        free(c);
        free(copy);
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    if (bytes) {
        memcpy(copy, properties, bytes);
    }
    c->properties = copy;
    c->properties_bytes = bytes;
    set_error(error, CL_SUCCESS);
    return c;
}

cl_context clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                                   void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                             void *),
                                   void *user, cl_int *error) {
    cl_device_id device;
    cl_int status = clGetDeviceIDs(NULL, type, 1, &device, NULL);
    return status ? set_error(error, status)
                  : clCreateContext(properties, 1, &device, notify, user, error);
}

cl_int clRetainContext(cl_context context) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return CL_INVALID_CONTEXT;
    }
    OBJECT_KEEP(context);
    return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context context) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return CL_INVALID_CONTEXT;
    }
    if (object_drop(context)) {
        free(context->properties);
        free(context);
    }
    return CL_SUCCESS;
}

cl_int clGetContextInfo(cl_context context, cl_context_info name, size_t room, void *to,
                        size_t *needed) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return CL_INVALID_CONTEXT;
    }
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: GIVE(cl_uint, context->object.references);
    case CL_CONTEXT_NUM_DEVICES: GIVE(cl_uint, 1);
    case CL_CONTEXT_DEVICES: GIVE(cl_device_id, &the_device);
    case CL_CONTEXT_PROPERTIES:
        return give_info(context->properties, context->properties_bytes, room, to, needed);
    default: return CL_INVALID_VALUE;
    }
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *error) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return set_error(error, CL_INVALID_CONTEXT);
    }
    if (!object_is(device, OBJECT_DEVICE)) {
        return set_error(error, CL_INVALID_DEVICE);
    }
    cl_command_queue q = object_make(OBJECT_QUEUE, sizeof *q);
    if (!q) {
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    OBJECT_KEEP(context);
    q->context = context;
    q->properties = properties;
    set_error(error, CL_SUCCESS);
    return q;
}

cl_int clRetainCommandQueue(cl_command_queue queue) {
    if (!object_is(queue, OBJECT_QUEUE)) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    OBJECT_KEEP(queue);
    return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
    if (!object_is(queue, OBJECT_QUEUE)) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    if (object_drop(queue)) {
        clReleaseContext(queue->context);
        free(queue);
    }
    return CL_SUCCESS;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t room,
                             void *to, size_t *needed) {
    if (!object_is(queue, OBJECT_QUEUE)) {
        return CL_INVALID_COMMAND_QUEUE;
    }
    switch (name) {
    case CL_QUEUE_CONTEXT: GIVE(cl_context, queue->context);
    case CL_QUEUE_DEVICE: GIVE(cl_device_id, &the_device);
    case CL_QUEUE_REFERENCE_COUNT: GIVE(cl_uint, queue->object.references);
    case CL_QUEUE_PROPERTIES: GIVE(cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* Commands have ended when they were enqueued. */
cl_int clFlush(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int clFinish(cl_command_queue queue) {
    return clFlush(queue);
}
