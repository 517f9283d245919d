/* SPDX-License-Identifier: Apache-2.0
 *
 * One platform with one device, whose properties are those that kernels see.
 */
#include <string.h>

#include "kernel/insn.h"
#include "opencl/objects.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

struct _cl_platform_id the_platform = {{OBJECT_PLATFORM, 1}};
struct _cl_device_id the_device = {{OBJECT_DEVICE, 1}};

static const char extensions[] =
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_byte_addressable_store "
    "cl_khr_fp64";

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
    if ((!room && platforms) || (!platforms && !count)) {
        return CL_INVALID_VALUE;
    }
    if (platforms) {
        platforms[0] = &the_platform;
    }
    if (count) {
        *count = 1;
    }
    return CL_SUCCESS;
}

/* A program may pass NULL for the platform. */
static bool is_platform(cl_platform_id p) {
    return !p || p == &the_platform;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t room, void *to,
                         size_t *needed) {
    if (!is_platform(platform)) {
        return CL_INVALID_PLATFORM;
    }
    switch (name) {
    case CL_PLATFORM_PROFILE: return give_text("FULL_PROFILE", room, to, needed);
    case CL_PLATFORM_VERSION: return give_text("OpenCL 1.2 warpmem", room, to, needed);
    case CL_PLATFORM_NAME: return give_text("warpmem capture", room, to, needed);
    case CL_PLATFORM_VENDOR: return give_text("warpmem", room, to, needed);
    case CL_PLATFORM_EXTENSIONS: return give_text(extensions, room, to, needed);
    default: return CL_INVALID_VALUE;
    }
}

/* Programs ask for a GPU, and some for what there is otherwise. */
cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                      cl_device_id *devices, cl_uint *count) {
    if (!is_platform(platform)) {
        return CL_INVALID_PLATFORM;
    }
    if (!type || (!room && devices) || (!devices && !count)) {
        return CL_INVALID_VALUE;
    }
    const bool has = type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT);
    if (count) {
        *count = has;
    }
    if (has && devices) {
        devices[0] = &the_device;
    }
    return has ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

static cl_int give_limits(cl_device_info name, size_t room, void *to, size_t *needed) {
    static const size_t items[] = {THREADS_MAX, THREADS_MAX, 64};
    switch (name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS: GIVE(cl_uint, recording_cores(16));
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: GIVE(cl_uint, 3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return give_info(items, sizeof items, room, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: GIVE(size_t, THREADS_MAX);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: GIVE(cl_uint, 1000);
    case CL_DEVICE_ADDRESS_BITS: GIVE(cl_uint, 64);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE: GIVE(cl_ulong, DEVICE_BYTES);
    case CL_DEVICE_MAX_PARAMETER_SIZE: GIVE(size_t, 4352);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: GIVE(cl_uint, 2048); /* bits */
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: GIVE(cl_uint, 128);
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: GIVE(cl_device_mem_cache_type, CL_READ_WRITE_CACHE);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: GIVE(cl_uint, 128);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: GIVE(cl_ulong, 2 << 20);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: GIVE(cl_ulong, 64 << 10);
    case CL_DEVICE_MAX_CONSTANT_ARGS: GIVE(cl_uint, 9);
    case CL_DEVICE_LOCAL_MEM_TYPE: GIVE(cl_device_local_mem_type, CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE: GIVE(cl_ulong, LOCAL_MEMORY_BYTES);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: GIVE(size_t, 1);
    case CL_DEVICE_PRINTF_BUFFER_SIZE: GIVE(size_t, 1 << 20);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_SAMPLERS: GIVE(cl_uint, 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: GIVE(size_t, 0);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int give_features(cl_device_info name, size_t room, void *to, size_t *needed) {
    const cl_device_fp_config fp = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                   CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
    switch (name) {
    case CL_DEVICE_TYPE: GIVE(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_VENDOR_ID: GIVE(cl_uint, 0);
    case CL_DEVICE_IMAGE_SUPPORT: GIVE(cl_bool, CL_FALSE);
    case CL_DEVICE_SINGLE_FP_CONFIG:
    case CL_DEVICE_DOUBLE_FP_CONFIG: GIVE(cl_device_fp_config, fp);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT: GIVE(cl_bool, CL_FALSE);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: GIVE(cl_bool, CL_FALSE);
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: GIVE(cl_bool, CL_TRUE);
    case CL_DEVICE_EXECUTION_CAPABILITIES: GIVE(cl_device_exec_capabilities, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_PROPERTIES:
        GIVE(cl_command_queue_properties,
             CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    case CL_DEVICE_PLATFORM: GIVE(cl_platform_id, &the_platform);
    case CL_DEVICE_PARENT_DEVICE: GIVE(cl_device_id, NULL);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: GIVE(cl_uint, 0);
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE: GIVE(cl_device_partition_property, 0);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: GIVE(cl_device_affinity_domain, 0);
    case CL_DEVICE_REFERENCE_COUNT: GIVE(cl_uint, 1);
    default: return give_limits(name, room, to, needed);
    }
}

static cl_int give_vectors(cl_device_info name, size_t room, void *to, size_t *needed) {
    switch (name) {
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: GIVE(cl_uint, 1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: GIVE(cl_uint, 0);
    default: return give_features(name, room, to, needed);
    }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *to,
                       size_t *needed) {
    if (!object_is(device, OBJECT_DEVICE)) {
        return CL_INVALID_DEVICE;
    }
    switch (name) {
    case CL_DEVICE_NAME: return give_text("warpmem capture", room, to, needed);
    case CL_DEVICE_VENDOR: return give_text("warpmem", room, to, needed);
    case CL_DRIVER_VERSION: return give_text("1.2", room, to, needed);
    case CL_DEVICE_PROFILE: return give_text("FULL_PROFILE", room, to, needed);
    case CL_DEVICE_VERSION: return give_text("OpenCL 1.2 warpmem", room, to, needed);
    case CL_DEVICE_OPENCL_C_VERSION: return give_text("OpenCL C 1.2", room, to, needed);
    case CL_DEVICE_EXTENSIONS: return give_text(extensions, room, to, needed);
    case CL_DEVICE_BUILT_IN_KERNELS: return give_text("", room, to, needed);
    default: return give_vectors(name, room, to, needed);
    }
}

cl_int clRetainDevice(cl_device_id device) {
    return object_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device) {
    return clRetainDevice(device);
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                          cl_uint room, cl_device_id *devices, cl_uint *count) {
    (void)properties, (void)room, (void)devices, (void)count;
    return object_is(device, OBJECT_DEVICE) ? CL_DEVICE_PARTITION_FAILED : CL_INVALID_DEVICE;
}
