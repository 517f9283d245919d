/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs: source of OpenCL C, which warpmem-cc compiles into a module when the program is built.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/build.h"
#include "opencl/objects.h"

/* --- source --- */

static char *join_sources(cl_uint count, const char **strings, const size_t *lengths) {
    size_t bytes = 1;
    for (cl_uint i = 0; i < count; i++) {
        bytes += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    }
    char *source = malloc(bytes), *at = source;
    for (cl_uint i = 0; source && i < count; i++) {
        size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(at, strings[i], length);
        at += length;
    }
    if (source) {
        *at = '\0';
    }
    return source;
}

static cl_program make_program(cl_context context, char *source) {
    cl_program p = source ? object_make(OBJECT_PROGRAM, sizeof *p) : NULL;
    if (p) {
        OBJECT_KEEP(context);
        p->context = context;
        p->source = source;
        p->status = CL_BUILD_NONE;
    }
    return p;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *error) {
    if (!object_is(context, OBJECT_CONTEXT)) {
        return set_error(error, CL_INVALID_CONTEXT);
    }
    for (cl_uint i = 0; i < count; i++) {
        if (!strings || !strings[i]) {
            return set_error(error, CL_INVALID_VALUE);
        }
    }
    if (!count) {
        return set_error(error, CL_INVALID_VALUE);
    }
    char *source = join_sources(count, strings, lengths);
    cl_program p = make_program(context, source);
    if (!p) {
        free(source);
    }
    set_error(error, p ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return p;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *status, cl_int *error) {
    (void)context, (void)count, (void)devices, (void)lengths, (void)binaries;
    refuse_call("clCreateProgramWithBinary(): is not supported: a program must come as source");
    set_error(status, CL_INVALID_BINARY);
    return set_error(error, CL_INVALID_BINARY);
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint count,
                                             const cl_device_id *devices, const char *names,
                                             cl_int *error) {
    (void)context, (void)count, (void)devices, (void)names;
    return set_error(error, CL_INVALID_VALUE);
}

cl_int clRetainProgram(cl_program program) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    OBJECT_KEEP(program);
    return CL_SUCCESS;
}

/* Its module stays: kernels that were launched are still in the recording. */
cl_int clReleaseProgram(cl_program program) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    if (object_drop(program)) {
        clReleaseContext(program->context);
        free(program->source);
        free(program->options);
        free(program->log);
        free(program);
    }
    return CL_SUCCESS;
}

/* --- builds --- */

static cl_int check_devices(cl_uint count, const cl_device_id *devices) {
    if (!count != !devices) {
        return CL_INVALID_VALUE;
    }
    for (cl_uint i = 0; i < count; i++) {
        if (!object_is(devices[i], OBJECT_DEVICE)) {
            return CL_INVALID_DEVICE;
        }
    }
    return CL_SUCCESS;
}

static cl_int build(cl_program p, const char *options, const struct build_headers *headers,
                    cl_int failure) {
    free(p->options);
    free(p->log);
    p->options = strdup(options ? options : "");
    p->log = NULL;
    p->module = NULL;
    enum build_result result =
        build_module(p->source, p->options ? p->options : "", headers, &p->module, &p->log);
    p->status = result == BUILD_GOOD ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    switch (result) {
    case BUILD_GOOD: return CL_SUCCESS;
    case BUILD_BAD_OPTIONS: return CL_INVALID_BUILD_OPTIONS;
    case BUILD_NO_COMPILER: return CL_COMPILER_NOT_AVAILABLE;
    default: return failure;
    }
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *user) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    cl_int error = check_devices(count, devices);
    error = error ? error : build(program, options, NULL, CL_BUILD_PROGRAM_FAILURE);
    if (notify) {
        notify(program, user);
    }
    return error;
}

cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                        const char *options, cl_uint headers, const cl_program *header_programs,
                        const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
                        void *user) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    if (!headers != !header_programs || !headers != !names) {
        return CL_INVALID_VALUE;
    }
    cl_int error = check_devices(count, devices);
    const char **texts = calloc(headers + 1, sizeof *texts);
    for (cl_uint i = 0; texts && i < headers; i++) {
        texts[i] = header_programs[i]->source;
    }
    const struct build_headers given = {headers, names, texts};
    error = error    ? error
            : !texts ? CL_OUT_OF_HOST_MEMORY
                     : build(program, options, &given, CL_COMPILE_PROGRAM_FAILURE);
    free(texts);
    if (notify) {
        notify(program, user);
    }
    return error;
}

/* A program that was compiled is whole: nothing of another one may be missing in it. */
cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                         const char *options, cl_uint programs, const cl_program *list,
                         void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *error) {
    (void)options;
    cl_int wrong = check_devices(count, devices);
    if (!object_is(context, OBJECT_CONTEXT) || wrong || !programs || !list) {
        return set_error(error, wrong ? wrong : CL_INVALID_VALUE);
    }
    if (programs > 1) {
        refuse_call("clLinkProgram() of %u programs: is not supported: kernels and all functions "
                    "that they call must stand in one",
                    programs);
        return set_error(error, CL_LINK_PROGRAM_FAILURE);
    }
    if (!object_is(list[0], OBJECT_PROGRAM) || !list[0]->module) {
        return set_error(error, CL_INVALID_PROGRAM);
    }
    char *source = strdup(list[0]->source);
    cl_program p = make_program(context, source);
    if (!p) {
        free(source);
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    p->module = list[0]->module;
    p->status = CL_BUILD_SUCCESS;
    if (notify) {
        notify(p, user);
    }
    set_error(error, CL_SUCCESS);
    return p;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
    return object_is(platform, OBJECT_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int clUnloadCompiler(void) {
    return CL_SUCCESS;
}

/* --- information --- */

/* "a;b;c", for the caller to free, of @count kernels. */
static char *list_kernels(cl_program program, size_t *count) {
    size_t length = 0;
    char number[16], *names = strdup("");
    const uint32_t *letters;
    *count = 0;
    while (names && program->module &&
           (snprintf(number, sizeof number, "%zu", *count),
            letters = module_numbers(program->module, "wm_kernel_", number))) {
        char *grown = realloc(names, length + letters[0] + 2);
        if (!grown) {
            free(names);
            return NULL;
        }
        names = grown;
        if ((*count)++) {
            names[length++] = ';';
        }
        for (uint32_t i = 0; i < letters[0]; i++) {
            names[length++] = (char)letters[i + 1];
        }
        names[length] = '\0';
    }
    return names;
}

static cl_int give_kernels(cl_program program, cl_program_info name, size_t room, void *to,
                           size_t *needed) {
    size_t count;
    if (!program->module) {
        return CL_INVALID_PROGRAM_EXECUTABLE;
    }
    char *names = list_kernels(program, &count);
    if (!names) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int error = name == CL_PROGRAM_NUM_KERNELS
                       ? give_info(&count, sizeof count, room, to, needed)
                       : give_text(names, room, to, needed);
    free(names);
    return error;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *to,
                        size_t *needed) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: GIVE(cl_uint, program->object.references);
    case CL_PROGRAM_CONTEXT: GIVE(cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES: GIVE(cl_uint, 1);
    case CL_PROGRAM_DEVICES: GIVE(cl_device_id, &the_device);
    case CL_PROGRAM_SOURCE: return give_text(program->source, room, to, needed);
    case CL_PROGRAM_BINARY_SIZES: GIVE(size_t, 0); /* there is no binary to keep */
    case CL_PROGRAM_BINARIES: return give_info(NULL, 0, room, to, needed);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES: return give_kernels(program, name, room, to, needed);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t room, void *to, size_t *needed) {
    if (!object_is(program, OBJECT_PROGRAM)) {
        return CL_INVALID_PROGRAM;
    }
    if (!object_is(device, OBJECT_DEVICE)) {
        return CL_INVALID_DEVICE;
    }
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: GIVE(cl_build_status, program->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return give_text(program->options ? program->options : "", room, to, needed);
    case CL_PROGRAM_BUILD_LOG: return give_text(program->log ? program->log : "", room, to, needed);
    case CL_PROGRAM_BINARY_TYPE:
        GIVE(cl_program_binary_type,
             program->module ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_NONE);
    default: return CL_INVALID_VALUE;
    }
}
