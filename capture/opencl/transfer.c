/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that read, write, copy, fill and map buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "opencl/objects.h"

static bool is_inside(cl_mem buffer, size_t offset, size_t bytes) {
    return offset <= buffer->bytes && bytes <= buffer->bytes - offset;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t bytes, void *to, cl_uint waits, const cl_event *list,
                           cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    (void)blocking;
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!to || !is_inside(buffer, offset, bytes)) {
        return CL_INVALID_VALUE;
    }
    memmove(to, buffer->at + offset, bytes);
    return end_command(queue, CL_COMMAND_READ_BUFFER, begin, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t bytes, const void *from, cl_uint waits, const cl_event *list,
                            cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    (void)blocking;
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!from || !is_inside(buffer, offset, bytes)) {
        return CL_INVALID_VALUE;
    }
    memmove(buffer->at + offset, from, bytes);
    if (bytes) {
        recording_copy(buffer->at + offset, bytes);
    }
    return end_command(queue, CL_COMMAND_WRITE_BUFFER, begin, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t bytes, cl_uint waits, const cl_event *list,
                           cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    if (error) {
        return error;
    }
    if (!object_is(from, OBJECT_BUFFER) || !object_is(to, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!bytes || !is_inside(from, from_offset, bytes) || !is_inside(to, to_offset, bytes)) {
        return CL_INVALID_VALUE;
    }
    const char *a = from->at + from_offset, *b = to->at + to_offset;
    if ((size_t)(a - b) < bytes || (size_t)(b - a) < bytes) {
        return CL_MEM_COPY_OVERLAP;
    }
    memcpy(to->at + to_offset, a, bytes);
    return end_command(queue, CL_COMMAND_COPY_BUFFER, begin, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits,
                           const cl_event *list, cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!pattern || !pattern_bytes || pattern_bytes > 128 ||
        (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes || bytes % pattern_bytes ||
        !is_inside(buffer, offset, bytes)) {
        return CL_INVALID_VALUE;
    }
    for (size_t done = 0; done < bytes; done += pattern_bytes) {
        memcpy(buffer->at + offset + done, pattern, pattern_bytes);
    }
    return end_command(queue, CL_COMMAND_FILL_BUFFER, begin, event);
}

/* --- boxes --- */

/* A box of bytes in memory: where it begins, and how far its rows and slices are apart. */
struct box {
    char *at;
    size_t row, slice;
};

/* Of a buffer, or of @room bytes (SIZE_MAX: of the host). False: it is none, or leaves them. */
static bool make_box(struct box *b, char *base, size_t room, const size_t *origin,
                     const size_t *region, size_t row, size_t slice) {
    row = row ? row : region[0];
    slice = slice ? slice : row * region[1];
    const size_t first = origin[2] * slice + origin[1] * row + origin[0],
                 last = first + (region[2] - 1) * slice + (region[1] - 1) * row + region[0];
    *b = (struct box){base + first, row, slice};
    return row >= region[0] && slice >= row * region[1] && slice % row == 0 && last <= room;
}

static void copy_box(const struct box *to, const struct box *from, const size_t *region) {
    for (size_t z = 0; z < region[2]; z++) {
        for (size_t y = 0; y < region[1]; y++) {
            memmove(to->at + z * to->slice + y * to->row,
                    from->at + z * from->slice + y * from->row, region[0]);
        }
    }
}

static bool is_region(const size_t *region) {
    return region && region[0] && region[1] && region[2];
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t *buffer_origin, const size_t *host_origin,
                               const size_t *region, size_t buffer_row, size_t buffer_slice,
                               size_t host_row, size_t host_slice, void *host, cl_uint waits,
                               const cl_event *list, cl_event *event) {
    cl_ulong begin;
    struct box from, to;
    cl_int error = begin_command(queue, waits, list, &begin);
    (void)blocking;
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!host || !is_region(region) ||
        !make_box(&from, buffer->at, buffer->bytes, buffer_origin, region, buffer_row,
                  buffer_slice) ||
        !make_box(&to, host, SIZE_MAX, host_origin, region, host_row, host_slice)) {
        return CL_INVALID_VALUE;
    }
    copy_box(&to, &from, region);
    return end_command(queue, CL_COMMAND_READ_BUFFER_RECT, begin, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row, size_t buffer_slice,
                                size_t host_row, size_t host_slice, const void *host, cl_uint waits,
                                const cl_event *list, cl_event *event) {
    cl_ulong begin;
    struct box from, to;
    cl_int error = begin_command(queue, waits, list, &begin);
    (void)blocking;
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!host || !is_region(region) ||
        !make_box(&to, buffer->at, buffer->bytes, buffer_origin, region, buffer_row,
                  buffer_slice) ||
        !make_box(&from, (char *)(uintptr_t)host, SIZE_MAX, host_origin, region, host_row,
                  host_slice)) {
        return CL_INVALID_VALUE;
    }
    copy_box(&to, &from, region);
    recording_copy(to.at, (region[2] - 1) * to.slice + (region[1] - 1) * to.row + region[0]);
    return end_command(queue, CL_COMMAND_WRITE_BUFFER_RECT, begin, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                               const size_t *source_origin, const size_t *target_origin,
                               const size_t *region, size_t source_row, size_t source_slice,
                               size_t target_row, size_t target_slice, cl_uint waits,
                               const cl_event *list, cl_event *event) {
    cl_ulong begin;
    struct box from, to;
    cl_int error = begin_command(queue, waits, list, &begin);
    if (error) {
        return error;
    }
    if (!object_is(source, OBJECT_BUFFER) || !object_is(target, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    if (!is_region(region) ||
        !make_box(&from, source->at, source->bytes, source_origin, region, source_row,
                  source_slice) ||
        !make_box(&to, target->at, target->bytes, target_origin, region, target_row,
                  target_slice)) {
        return CL_INVALID_VALUE;
    }
    copy_box(&to, &from, region);
    return end_command(queue, CL_COMMAND_COPY_BUFFER_RECT, begin, event);
}

/* --- mappings: device memory itself, or the host's copy of CL_MEM_USE_HOST_PTR --- */

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t bytes, cl_uint waits,
                         const cl_event *list, cl_event *event, cl_int *error) {
    cl_ulong begin;
    cl_int wrong = begin_command(queue, waits, list, &begin);
    (void)blocking;
    if (wrong) {
        return set_error(error, wrong);
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return set_error(error, CL_INVALID_MEM_OBJECT);
    }
    if (!bytes || !is_inside(buffer, offset, bytes)) {
        return set_error(error, CL_INVALID_VALUE);
    }
    struct mapping *grown =
        realloc(buffer->mappings, (buffer->mapping_count + 1) * sizeof *buffer->mappings);
    if (!grown) {
        return set_error(error, CL_OUT_OF_HOST_MEMORY);
    }
    char *pointer = (buffer->host ? buffer->host : buffer->at) + offset;
    buffer->mappings = grown;
    grown[buffer->mapping_count++] = (struct mapping){pointer, offset, bytes, flags};
    if (buffer->host && !(flags & CL_MAP_WRITE_INVALIDATE_REGION)) {
        memcpy(pointer, buffer->at + offset, bytes);
    }
    set_error(error, end_command(queue, CL_COMMAND_MAP_BUFFER, begin, event));
    return pointer;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *pointer, cl_uint waits,
                               const cl_event *list, cl_event *event) {
    cl_ulong begin;
    cl_int error = begin_command(queue, waits, list, &begin);
    if (error) {
        return error;
    }
    if (!object_is(buffer, OBJECT_BUFFER)) {
        return CL_INVALID_MEM_OBJECT;
    }
    unsigned i = 0;
    while (i < buffer->mapping_count && buffer->mappings[i].pointer != pointer) {
        i++;
    }
    if (i == buffer->mapping_count) {
        return CL_INVALID_VALUE;
    }
    const struct mapping m = buffer->mappings[i];
    buffer->mappings[i] = buffer->mappings[--buffer->mapping_count];
    if (m.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) {
        if (buffer->host) {
            memcpy(buffer->at + m.offset, m.pointer, m.bytes);
        }
        recording_copy(buffer->at + m.offset, m.bytes);
    }
    return end_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, begin, event);
}
