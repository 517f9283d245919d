/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. A command's event has ended when the program gets it; only user events wait.
 */
#include <stdlib.h>
#include <time.h>

#include "opencl/objects.h"

static cl_ulong time_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (cl_ulong)t.tv_sec * 1000000000u + (cl_ulong)t.tv_nsec;
}

static cl_event make_event(cl_context context, cl_command_queue queue, cl_command_type command) {
    cl_event e = object_make(OBJECT_EVENT, sizeof *e);
    if (e) {
        e->context = context;
        e->queue = queue;
        e->command = command;
        OBJECT_KEEP(context);
    }
    return e;
}

static cl_int check_waits(cl_uint count, const cl_event *list, const char *who) {
    if (!count != !list) {
        return CL_INVALID_EVENT_WAIT_LIST;
    }
    for (cl_uint i = 0; i < count; i++) {
        if (!object_is(list[i], OBJECT_EVENT)) {
            return CL_INVALID_EVENT_WAIT_LIST;
        }
        if (list[i]->status < 0) {
            return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        }
        if (list[i]->status != CL_COMPLETE) {
            return refuse_call("%s waits for a user event that the program has not completed: "
                               "commands run when they are enqueued",
                               who);
        }
    }
    return CL_SUCCESS;
}

cl_int begin_command(cl_command_queue queue, cl_uint waits, const cl_event *wait_list,
                     cl_ulong *begin) {
    *begin = time_now();
    return object_is(queue, OBJECT_QUEUE) ? check_waits(waits, wait_list, "a command")
                                          : CL_INVALID_COMMAND_QUEUE;
}

cl_int end_command(cl_command_queue queue, cl_command_type type, cl_ulong begin, cl_event *event) {
    if (!event) {
        return CL_SUCCESS;
    }
    *event = make_event(queue->context, queue, type);
    if (!*event) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    (*event)->begin = begin;
    (*event)->end = time_now();
    return CL_SUCCESS;
}

cl_event clCreateUserEvent(cl_context context, cl_int *error) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return set_error(error, CL_INVALID_CONTEXT);
    }
    cl_event e = make_event(context, NULL, CL_COMMAND_USER);
    if (!e) {
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    e->status = CL_SUBMITTED;
    set_error(error, CL_SUCCESS);
    return e;
}

cl_int clSetUserEventStatus(cl_event event, cl_int status) {
    if (!object_is(event, OBJECT_EVENT) || event->queue) {
        return CL_INVALID_EVENT;
    }
    if (status > CL_COMPLETE) {
        return CL_INVALID_VALUE;
    }
    if (event->status != CL_SUBMITTED) {
        return CL_INVALID_OPERATION;
    }
    event->status = status;
    return CL_SUCCESS;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *list) {
    return count && list ? check_waits(count, list, "clWaitForEvents()") : CL_INVALID_VALUE;
}

cl_int clRetainEvent(cl_event event) {
    if (!object_is(event, OBJECT_EVENT)) {
        return CL_INVALID_EVENT;
    }
    OBJECT_KEEP(event);
    return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event) {
    if (!object_is(event, OBJECT_EVENT)) {
        return CL_INVALID_EVENT;
    }
    if (object_drop(event)) {
        clReleaseContext(event->context);
        free(event);
    }
    return CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *to, size_t *needed) {
    if (!object_is(event, OBJECT_EVENT)) {
        return CL_INVALID_EVENT;
    }
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: GIVE(cl_command_queue, event->queue);
    case CL_EVENT_CONTEXT: GIVE(cl_context, event->context);
    case CL_EVENT_COMMAND_TYPE: GIVE(cl_command_type, event->command);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: GIVE(cl_int, event->status);
    case CL_EVENT_REFERENCE_COUNT: GIVE(cl_uint, event->object.references);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room, void *to,
                               size_t *needed) {
    if (!object_is(event, OBJECT_EVENT)) {
        return CL_INVALID_EVENT;
    }
    if (!event->queue || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE)) {
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
    case CL_PROFILING_COMMAND_SUBMIT:
    case CL_PROFILING_COMMAND_START: GIVE(cl_ulong, event->begin);
    case CL_PROFILING_COMMAND_END: GIVE(cl_ulong, event->end);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clSetEventCallback(cl_event event, cl_int when,
                          void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user) {
    if (!object_is(event, OBJECT_EVENT)) {
        return CL_INVALID_EVENT;
    }
    if (!notify || when < CL_COMPLETE || when > CL_SUBMITTED) {
        return CL_INVALID_VALUE;
    }
    if (event->status > CL_COMPLETE) {
        return refuse_call("clSetEventCallback() on a user event is not supported");
    }
    notify(event, event->status < 0 ? event->status : when, user);
    return CL_SUCCESS;
}

/* --- commands that only order others --- */

static cl_int enqueue_order(cl_command_queue queue, cl_uint waits, const cl_event *list,
                            cl_command_type type, cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    return error ? error : end_command(queue, type, begin, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event *list,
                                   cl_event *event) {
    return enqueue_order(queue, waits, list, CL_COMMAND_MARKER, event);
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint waits, const cl_event *list,
                                    cl_event *event) {
    return enqueue_order(queue, waits, list, CL_COMMAND_BARRIER, event);
}

cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    return event ? enqueue_order(queue, 0, NULL, CL_COMMAND_MARKER, event) : CL_INVALID_VALUE;
}

cl_int clEnqueueBarrier(cl_command_queue queue) {
    return enqueue_order(queue, 0, NULL, CL_COMMAND_BARRIER, NULL);
}

cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint waits, const cl_event *list) {
    return waits && list ? enqueue_order(queue, waits, list, CL_COMMAND_BARRIER, NULL)
                         : CL_INVALID_VALUE;
}

cl_int clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem *buffers,
                                  cl_mem_migration_flags flags, cl_uint waits, const cl_event *list,
                                  cl_event *event) {
    (void)flags;
    for (cl_uint i = 0; i < count; i++) {
        if (!buffers || !object_is(buffers[i], OBJECT_BUFFER)) {
            return CL_INVALID_MEM_OBJECT;
        }
    }
    return enqueue_order(queue, waits, list, CL_COMMAND_MIGRATE_MEM_OBJECTS, event);
}
