/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels.
 */
#include <stdlib.h>
#include <string.h>

#include "opencl/kernel_parameters.h"
#include "opencl/objects.h"

#define ITEMS_CHOSEN 256 /* of a work-group whose size the program leaves open */

/* --- what the running kernel reads --- */

static unsigned dimensions;
static size_t offsets[3];

void dimensions_set(unsigned count, const size_t *offset) {
    dimensions = count;
    for (unsigned d = 0; d < 3; d++) {
        offsets[d] = offset && d < count ? offset[d] : 0;
    }
}

unsigned __wm_ndrange_dimensions(void);
unsigned __wm_ndrange_dimensions(void) {
    return dimensions;
}

#define OFFSET(name, d) \
    unsigned __wm_ndrange_offset_##name(void); \
    unsigned __wm_ndrange_offset_##name(void) { \
        return (unsigned)offsets[d]; \
    }
OFFSET(x, 0)
OFFSET(y, 1)
OFFSET(z, 2)

/* --- sizes --- */

static size_t largest_divisor(size_t of, size_t most) {
    size_t d = most < of ? most : of;
    while (of % d) {
        d--;
    }
    return d;
}

/* The work-group's size: the program's, the kernel's, or as large as divides the NDRange. */
static cl_int choose_local(cl_kernel kernel, cl_uint count, const size_t *global,
                           const size_t *given, size_t local[static 3]) {
    const uint32_t *required = kernel->parameters;
    size_t room = ITEMS_CHOSEN;
    for (unsigned d = 0; d < 3; d++) {
        const size_t items = d < count ? global[d] : 1;
        if (required[0]) {
            local[d] = required[d];
        } else {
            local[d] = d >= count ? 1 : given ? given[d] : largest_divisor(items, room);
        }
        if (!local[d] || items % local[d] || (given && d < count && given[d] != local[d])) {
            return CL_INVALID_WORK_GROUP_SIZE;
        }
        room = room / local[d] ? room / local[d] : 1;
    }
    return CL_SUCCESS;
}

/* --- arguments --- */

struct call {
    void *pointers[KERNEL_PARAMETERS_MAX];  /* to each value */
    void *addresses[KERNEL_PARAMETERS_MAX]; /* values that are addresses */
    size_t local_bytes;
};

static cl_int take_arguments(cl_kernel kernel, struct call *c) {
    const struct module_range *local = &kernel->code->module->ranges.dynamic;
    c->local_bytes = 0;
    for (unsigned i = 0; i < kernel->argument_count; i++) {
        const struct argument *a = &kernel->arguments[i];
        if (!a->set) {
            return CL_INVALID_KERNEL_ARGS;
        }
        c->pointers[i] = &c->addresses[i];
        switch ((enum parameter_kind)kernel->parameters[3 + 2 * i]) {
        case PARAMETER_VALUE: c->pointers[i] = a->value; break;
        case PARAMETER_BUFFER: c->addresses[i] = a->buffer ? a->buffer->at : NULL; break;
        case PARAMETER_LOCAL:
            c->addresses[i] = local->at + c->local_bytes;
            c->local_bytes = (c->local_bytes + a->bytes + 15) / 16 * 16;
            break;
        }
    }
    return c->local_bytes + kernel->code->shared_bytes <= LOCAL_MEMORY_BYTES ? CL_SUCCESS
                                                                             : CL_OUT_OF_RESOURCES;
}

static cl_int check_sizes(cl_uint count, const size_t *global) {
    if (count < 1 || count > 3) {
        return CL_INVALID_WORK_DIMENSION;
    }
    for (unsigned d = 0; d < count; d++) {
        if (!global || !global[d] || global[d] > UINT32_MAX) {
            return CL_INVALID_GLOBAL_WORK_SIZE;
        }
    }
    return CL_SUCCESS;
}

static cl_int run_kernel(cl_kernel kernel, cl_uint count, const size_t *offset,
                         const size_t *global, const size_t *given) {
    size_t local[3];
    struct call call;
    cl_int error = check_sizes(count, global);
    error = error ? error : choose_local(kernel, count, global, given, local);
    error = error ? error : take_arguments(kernel, &call);
    if (error) {
        return error;
    }
    const struct size3 block = {(unsigned)local[0], (unsigned)local[1], (unsigned)local[2]},
                       grid = {(unsigned)(global[0] / local[0]),
                               count > 1 ? (unsigned)(global[1] / local[1]) : 1,
                               count > 2 ? (unsigned)(global[2] / local[2]) : 1};
    dimensions_set(count, offset);
    return launch_run(kernel->code, grid, block, call.pointers, call.local_bytes)
               ? CL_SUCCESS
               : CL_INVALID_WORK_GROUP_SIZE;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint waits, const cl_event *list, cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    if (!error && !object_is(kernel, OBJECT_KERNEL)) {
        error = CL_INVALID_KERNEL;
    }
    error = error ? error : run_kernel(kernel, count, offset, global, local);
    return error ? error : end_command(queue, CL_COMMAND_NDRANGE_KERNEL, begin, event);
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *list,
                     cl_event *event) {
    static const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, waits, list, event);
}

cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                             void *arguments, size_t bytes, cl_uint buffers, const cl_mem *list,
                             const void **places, cl_uint waits, const cl_event *wait_list,
                             cl_event *event) {
    (void)queue, (void)function, (void)arguments, (void)bytes, (void)buffers, (void)list;
    (void)places, (void)waits, (void)wait_list, (void)event;
    return CL_INVALID_OPERATION;
}
