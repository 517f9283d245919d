/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and their arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/insn.h"
#include "opencl/kernel_parameters.h"
#include "opencl/objects.h"

/* The code of a module's kernel has an own name for each module: where its parameters lie. */
static struct kernel *find_code(struct module *m, const uint32_t *parameters, const char *name) {
    struct kernel *code = kernel_find(parameters);
    return code ? code : kernel_add(m, parameters, name);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return set_error(error, CL_INVALID_PROGRAM);
    }
    if (!program->module) {
        return set_error(error, CL_INVALID_PROGRAM_EXECUTABLE);
    }
    if (!name) {
        return set_error(error, CL_INVALID_VALUE);
    }
    const uint32_t *row = module_numbers(program->module, "wm_parameters_", name);
    if (!row) {
        return set_error(error, CL_INVALID_KERNEL_NAME);
    }
    cl_kernel k = object_make(OBJECT_KERNEL, sizeof *k);
    const unsigned count = (row[0] - 3) / 2;
    struct argument *arguments = calloc(count + 1, sizeof *arguments);
    if (!k || !arguments) {
        free(k);
        free(arguments);
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    OBJECT_KEEP(program);
    k->program = program;
    k->code = find_code(program->module, row, name);
    kernel_prepare(k->code);
    k->parameters = row + 1;
    k->argument_count = count;
    k->arguments = arguments;
    set_error(error, CL_SUCCESS);
    return k;
}

/* The letters of a module's kernel; NULL: there are fewer kernels. */
static const uint32_t *name_of_kernel(const struct module *m, unsigned n) {
    char number[16];
    snprintf(number, sizeof number, "%u", n);
    return module_numbers(m, "wm_kernel_", number);
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                cl_uint *count) {
    const uint32_t *letters;
    cl_uint n = 0;
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    if (!program->module) {
        return CL_INVALID_PROGRAM_EXECUTABLE;
    }
    for (; (letters = name_of_kernel(program->module, n)); n++) {
        char name[4096];
        cl_int error;
        for (uint32_t i = 0; i < letters[0]; i++) {
            name[i] = (char)letters[i + 1];
        }
        name[letters[0]] = '\0';
        if (kernels && n >= room) {
            return CL_INVALID_VALUE;
        }
        if (kernels && !(kernels[n] = clCreateKernel(program, name, &error))) {
            return error;
        }
    }
    if (count) {
        *count = n;
    }
    return CL_SUCCESS;
}

cl_int clRetainKernel(cl_kernel kernel) {
    if (!object_is(kernel, OBJECT_KERNEL)) {
        return CL_INVALID_KERNEL;
    }
    OBJECT_KEEP(kernel);
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel) {
    if (!object_is(kernel, OBJECT_KERNEL)) {
        return CL_INVALID_KERNEL;
    }
    if (object_drop(kernel)) {
        for (unsigned i = 0; i < kernel->argument_count; i++) {
            free(kernel->arguments[i].value);
        }
        free(kernel->arguments);
        clReleaseProgram(kernel->program);
        free(kernel);
    }
    return CL_SUCCESS;
}

static cl_int set_value(struct argument *a, size_t bytes, size_t wanted, const void *value) {
    if (bytes != wanted) {
        return CL_INVALID_ARG_SIZE;
    }
    if (!value) {
        return CL_INVALID_ARG_VALUE;
    }
    void *copy = a->value ? a->value : aligned_alloc(128, (bytes + 127) / 128 * 128);
    if (!copy) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    memcpy(copy, value, bytes);
    a->value = copy;
    return CL_SUCCESS;
}

static cl_int set_buffer(struct argument *a, size_t bytes, const void *value) {
    if (bytes != sizeof(cl_mem)) {
        return CL_INVALID_ARG_SIZE;
    }
    cl_mem buffer = value ? *(const cl_mem *)value : NULL;
    if (buffer && !object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    a->buffer = buffer;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
    cl_int error = CL_SUCCESS;
    if (!object_is(kernel, OBJECT_KERNEL)) {
        return CL_INVALID_KERNEL;
    }
    if (index >= kernel->argument_count) {
        return CL_INVALID_ARG_INDEX;
    }
    struct argument *a = &kernel->arguments[index];
    const uint32_t *parameter = &kernel->parameters[3 + 2 * index];
    switch ((enum parameter_kind)parameter[0]) {
    case PARAMETER_VALUE: error = set_value(a, bytes, parameter[1], value); break;
    case PARAMETER_BUFFER: error = set_buffer(a, bytes, value); break;
    case PARAMETER_LOCAL:
        error = value ? CL_INVALID_ARG_VALUE : bytes ? CL_SUCCESS : CL_INVALID_ARG_SIZE;
        a->bytes = bytes;
        break;
    }
    a->set |= !error;
    return error;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *to,
                       size_t *needed) {
    if (!object_is(kernel, OBJECT_KERNEL)) {
        return CL_INVALID_KERNEL;
    }
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return give_text(kernel->code->name, room, to, needed);
    case CL_KERNEL_NUM_ARGS: GIVE(cl_uint, kernel->argument_count);
    case CL_KERNEL_REFERENCE_COUNT: GIVE(cl_uint, kernel->object.references);
    case CL_KERNEL_CONTEXT: GIVE(cl_context, kernel->program->context);
    case CL_KERNEL_PROGRAM: GIVE(cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: return give_text("", room, to, needed);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t room,
                          void *to, size_t *needed) {
    (void)name, (void)room, (void)to, (void)needed;
    return !object_is(kernel, OBJECT_KERNEL) ? CL_INVALID_KERNEL
           : index >= kernel->argument_count ? CL_INVALID_ARG_INDEX
                                             : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

static cl_ulong local_bytes(cl_kernel kernel) {
    cl_ulong bytes = kernel->code->shared_bytes;
    for (unsigned i = 0; i < kernel->argument_count; i++) {
        bytes += kernel->arguments[i].bytes;
    }
    return bytes;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t room, void *to,
                                size_t *needed) {
    if (!object_is(kernel, OBJECT_KERNEL)) {
        return CL_INVALID_KERNEL;
    }
    if (device && !object_is(device, OBJECT_DEVICE)) {
        return CL_INVALID_DEVICE;
    }
    const uint32_t *p = kernel->parameters;
    const size_t required[3] = {p[0], p[1], p[2]};
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        GIVE(size_t, p[0] ? (size_t)p[0] * p[1] * p[2] : (size_t)THREADS_MAX);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return give_info(required, sizeof required, room, to, needed);
    case CL_KERNEL_LOCAL_MEM_SIZE: GIVE(cl_ulong, local_bytes(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: GIVE(size_t, WARP_SIZE);
    case CL_KERNEL_PRIVATE_MEM_SIZE: GIVE(cl_ulong, 0);
    default: return CL_INVALID_VALUE;
    }
}
