/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's objects. All kinds begin with struct object. Commands run when they are enqueued, one
 * after another; a program calls from one thread at a time.
 */
#ifndef WARPMEM_OPENCL_OBJECTS_H
#define WARPMEM_OPENCL_OBJECTS_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/capture.h"

#define LOCAL_MEMORY_BYTES (48 << 10)

enum object_kind {
    OBJECT_PLATFORM = 0x574d0001,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_BUFFER,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
};

struct object {
    enum object_kind kind;
    unsigned references;
};

struct _cl_platform_id {
    struct object object;
};

struct _cl_device_id {
    struct object object;
};

struct _cl_context {
    struct object object;
    cl_context_properties *properties;
    size_t properties_bytes;
};

struct _cl_command_queue {
    struct object object;
    cl_context context;
    cl_command_queue_properties properties;
};

struct mapping {
    void *pointer;
    size_t offset, bytes;
    cl_map_flags flags;
};

struct _cl_mem {
    struct object object;
    cl_context context;
    cl_mem parent; /* of a sub-buffer */
    cl_mem_flags flags;
    size_t bytes, origin;
    char *at;   /* on the device */
    char *host; /* CL_MEM_USE_HOST_PTR: the program's copy */
    struct mapping *mappings;
    unsigned mapping_count;
    struct destructor *destructors;
};

struct _cl_program {
    struct object object;
    cl_context context;
    char *source, *options, *log;
    struct module *module; /* NULL: not built */
    cl_build_status status;
};

struct argument {
    bool set;
    size_t bytes; /* PARAMETER_LOCAL: of local memory */
    void *value;  /* PARAMETER_VALUE: a copy */
    cl_mem buffer;
};

struct _cl_kernel {
    struct object object;
    cl_program program;
    struct kernel *code;
    const uint32_t *parameters; /* opencl/kernel_parameters.h, without the count */
    unsigned argument_count;
    struct argument *arguments;
};

struct _cl_event {
    struct object object;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    cl_command_type command;
    cl_int status;
    cl_ulong begin, end; /* nanoseconds */
};

/** object_make() - a zeroed object of @bytes bytes, with one reference. NULL: out of memory. */
void *object_make(enum object_kind kind, size_t bytes);
/** object_is() - true if the handle is an object of this kind; false for NULL. */
bool object_is(const void *handle, enum object_kind kind);
/** object_drop() - drop a reference. True: it was the last, and the caller destroys the object. */
bool object_drop(void *handle);
#define OBJECT_KEEP(handle) ((handle)->object.references++)

/** give_info() - return a property from a clGet...Info() function. */
cl_int give_info(const void *from, size_t bytes, size_t room, void *to, size_t *needed);
cl_int give_text(const char *text, size_t room, void *to, size_t *needed);
#define GIVE(type, value) \
    do { \
        const type given = (value); \
        return give_info(&given, sizeof given, room, to, needed); \
    } while (0)

/** set_error() - pass an error to the program, unless @to is NULL. Return: NULL. */
void *set_error(cl_int *to, cl_int error);

/** refuse_call() - print the unsupported feature on stderr. Return: CL_INVALID_OPERATION. */
__attribute__((format(printf, 1, 2))) cl_int refuse_call(const char *format, ...);

extern struct _cl_platform_id the_platform;
extern struct _cl_device_id the_device;

/** begin_command() - check a queue and the events that a command waits for. */
cl_int begin_command(cl_command_queue queue, cl_uint waits, const cl_event *wait_list,
                     cl_ulong *begin);
/** end_command() - make the event of an ended command, if the program wants it. */
cl_int end_command(cl_command_queue queue, cl_command_type type, cl_ulong begin, cl_event *event);

/** dimensions_set() - set the properties of an NDRange that a kernel can read: dimensions, and an
 * offset each or NULL. */
void dimensions_set(unsigned dimensions, const size_t *offset);

#endif
