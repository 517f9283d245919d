/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/copy.h"

#include <stdint.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/graph.h"
#include "cuda/stream.h"
#include "cuda/texture.h"
#include "runtime/capture.h"
#include "runtime/fault.h"
#include "runtime/hold.h"
#include "runtime/memory.h"

/* Numbers of cudaMemcpyKind. */
enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

static bool is_of_device(const void *p) {
    return memory_is_device(p) || variable_at(p);
}

static size_t bytes_of_end(const struct copy *c, const struct copy_end *e) {
    return (c->depth - 1) * e->slice + (c->height - 1) * e->pitch + c->width;
}

/* A pointer of the device must lie in what was allocated, or in a variable. @wanted: only there. */
static bool is_good_end(const struct copy *c, const struct copy_end *e, bool wanted) {
    const bool rows = c->height == 1 || c->width <= e->pitch;
    return e->at && rows &&
           (is_of_device(e->at) ? variable_at(e->at) || memory_has(e->at, bytes_of_end(c, e))
                                : !wanted || memory_registered(e->at));
}

static bool run_row(const struct copy *c, char *to, const char *from) {
    if (from) {
        return fault_move(to, from, c->width);
    }
    if (c->value_bytes == 1) {
        return fault_fill(to, (int)c->value, c->width);
    }
    for (size_t at = 0; at < c->width; at += c->value_bytes) {
        memcpy(to + at, &c->value, c->value_bytes);
    }
    return true;
}

int copy_run(const struct copy *c) {
    HOLD_DEVICE;
    if (c->kind < HOST_TO_HOST || c->kind > BY_ADDRESS) {
        return note_error(cudaErrorInvalidMemcpyDirection);
    }
    if (!c->width || !c->height || !c->depth || device_is_lost()) {
        return note_error(cudaSuccess);
    }
    const bool fills = !c->from.pitch && !c->from.at;
    if (!is_good_end(c, &c->to,
                     fills || c->kind == HOST_TO_DEVICE || c->kind == DEVICE_TO_DEVICE) ||
        (!fills &&
         !is_good_end(c, &c->from, c->kind == DEVICE_TO_HOST || c->kind == DEVICE_TO_DEVICE))) {
        return note_error(cudaErrorInvalidValue);
    }
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++) {
            char *to = c->to.at + z * c->to.slice + y * c->to.pitch;
            const char *from = fills ? NULL : c->from.at + z * c->from.slice + y * c->from.pitch;
            if (!run_row(c, to, from)) {
                return note_error(cudaErrorInvalidValue);
            }
        }
    }
    if (!fills && !memory_is_device(c->from.at)) { /* one record, with the gaps */
        recording_copy(c->to.at, bytes_of_end(c, &c->to));
    }
    return note_error(cudaSuccess);
}

int copy_in_stream(const struct copy *c, void *stream) {
    struct graph *g = stream_graph(stream);
    return g ? graph_add_copy(g, c) : copy_run(c);
}

/* --- copies --- */

static struct copy copy_of_rows(char *to, size_t to_pitch, char *from, size_t from_pitch,
                                size_t width, size_t height, int kind) {
    return (struct copy){.to = {to, to_pitch, 0},
                         .from = {from, from_pitch, 0},
                         .width = width,
                         .height = height,
                         .depth = 1,
                         .kind = kind};
}

/* The pitch tells it from a fill. */
static struct copy copy_of_bytes(char *to, char *from, size_t bytes, int kind) {
    return copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
}

API(cudaMemcpy, char *to, char *from, size_t bytes, int kind) {
    const struct copy c = copy_of_bytes(to, from, bytes, kind);
    return copy_run(&c);
}

API(cudaMemcpyAsync, char *to, char *from, size_t bytes, int kind, void *stream) {
    const struct copy c = copy_of_bytes(to, from, bytes, kind);
    return copy_in_stream(&c, stream);
}

API(cudaMemcpyPeerAsync, char *to, int to_device, char *from, int from_device, size_t bytes,
    void *stream) {
    const struct copy c = copy_of_bytes(to, from, bytes, DEVICE_TO_DEVICE);
    return to_device || from_device ? note_error(cudaErrorInvalidDevice)
                                    : copy_in_stream(&c, stream);
}

API(cudaMemcpyPeer, char *to, int to_device, char *from, int from_device, size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

static int check_pitches(const struct copy *c) {
    return c->width > c->to.pitch || c->width > c->from.pitch
               ? note_error(cudaErrorInvalidPitchValue)
               : cudaSuccess;
}

API(cudaMemcpy2DAsync, char *to, size_t to_pitch, char *from, size_t from_pitch, size_t width,
    size_t height, int kind, void *stream) {
    const struct copy c = copy_of_rows(to, to_pitch, from, from_pitch, width, height, kind);
    int error = check_pitches(&c);
    return error ? error : copy_in_stream(&c, stream);
}

API(cudaMemcpy2D, char *to, size_t to_pitch, char *from, size_t from_pitch, size_t width,
    size_t height, int kind) {
    const struct copy c = copy_of_rows(to, to_pitch, from, from_pitch, width, height, kind);
    int error = check_pitches(&c);
    return error ? error : copy_run(&c);
}

/* @box: the parameters' sizes. */
static bool end_of_box(struct copy_end *end, struct warpmem_array *a, const struct box_position *p,
                       const struct pitched_pointer *q, const struct copy_parameters *box,
                       size_t *unit) {
    if (!a == !q->at) {
        return false;
    }
    if (a) {
        const size_t depth = a->image.depth ? a->image.depth : 1;
        *unit = a->texel_bytes; /* an array's positions and extents are texels */
        *end = (struct copy_end){array_place(a, p->x * *unit, p->y, p->z), a->image.pitch,
                                 a->image.pitch * a->image.height};
        return array_has(a, p->x * *unit, p->y, box->width * *unit, box->height) && p->z <= depth &&
               box->depth <= depth - p->z;
    }
    *end = (struct copy_end){q->at + p->z * q->pitch * q->height + p->y * q->pitch + p->x, q->pitch,
                             q->pitch * q->height};
    return true;
}

int copy_from_parameters(const struct copy_parameters *p, struct copy *c) {
    size_t unit = 1;
    if (!p) {
        return note_error(cudaErrorInvalidValue);
    }
    *c = (struct copy){.height = p->height, .depth = p->depth, .kind = p->kind};
    if (!end_of_box(&c->to, p->to_array, &p->to_position, &p->to, p, &unit) ||
        !end_of_box(&c->from, p->from_array, &p->from_position, &p->from, p, &unit)) {
        return note_error(cudaErrorInvalidValue);
    }
    c->width = p->width * unit;
    return check_pitches(c);
}

API(cudaMemcpy3DAsync, const struct copy_parameters *p, void *stream) {
    struct copy c;
    int error = copy_from_parameters(p, &c);
    return error ? error : copy_in_stream(&c, stream);
}

API(cudaMemcpy3D, const struct copy_parameters *p) {
    struct copy c;
    int error = copy_from_parameters(p, &c);
    return error ? error : copy_run(&c);
}

/* --- fills --- */

static struct copy fill_of_box(char *p, size_t pitch, size_t slice, int value, size_t width,
                               size_t height, size_t depth) {
    return (struct copy){.to = {p, pitch, slice},
                         .width = width,
                         .height = height,
                         .depth = depth,
                         .kind = BY_ADDRESS,
                         .value = (unsigned char)value,
                         .value_bytes = 1};
}

API(cudaMemsetAsync, char *p, int value, size_t bytes, void *stream) {
    const struct copy c = fill_of_box(p, bytes, 0, value, bytes, 1, 1);
    return copy_in_stream(&c, stream);
}

API(cudaMemset, char *p, int value, size_t bytes) {
    const struct copy c = fill_of_box(p, bytes, 0, value, bytes, 1, 1);
    return copy_run(&c);
}

API(cudaMemset2DAsync, char *p, size_t pitch, int value, size_t width, size_t height,
    void *stream) {
    const struct copy c = fill_of_box(p, pitch, 0, value, width, height, 1);
    return copy_in_stream(&c, stream);
}

API(cudaMemset2D, char *p, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(p, pitch, value, width, height, NULL);
}

API(cudaMemset3DAsync, struct pitched_pointer p, int value, struct box_extent e, void *stream) {
    const struct copy c =
        fill_of_box(p.at, p.pitch, p.pitch * p.height, value, e.width, e.height, e.depth);
    return copy_in_stream(&c, stream);
}

API(cudaMemset3D, struct pitched_pointer p, int value, struct box_extent e) {
    return cudaMemset3DAsync(p, value, e, NULL);
}

/* --- variables --- */

/* A variable by the host's name, or an address of the device that stands for it. */
API(warpmem_symbol, const void *host, void **device, size_t *bytes) {
    *device = variable_find(host, bytes);
    return note_error(*device ? cudaSuccess : cudaErrorInvalidSymbol);
}

API(warpmem_copy_symbol, char *to, char *from, size_t bytes, size_t offset, int kind, bool into,
    void *stream) {
    size_t size;
    char *variable = variable_find(into ? to : from, &size);
    if (!variable) {
        return note_error(cudaErrorInvalidSymbol);
    }
    if (bytes > size || offset > size - bytes) {
        return note_error(cudaErrorInvalidValue);
    }
    return into ? cudaMemcpyAsync(variable + offset, from, bytes, kind, stream)
                : cudaMemcpyAsync(to, variable + offset, bytes, kind, stream);
}
