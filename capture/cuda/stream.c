/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cuda/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/errors.h"
#include "cuda/graph.h"
#include "runtime/hold.h"

#define LEAST_PRIORITY 0
#define GREATEST_PRIORITY (-5)
#define DISABLE_TIMING 2 /* of an event's flags */

struct stream {
    struct stream *next;
    unsigned flags;
    int priority;
    struct graph *graph; /* that it captures */
    bool begins;         /* the capture began here */
    char window[64];     /* cudaAccessPolicyWindow */
};

/* Hints, kept without effect: the window of L2 lines that stay. */
#define ATTRIBUTE_WINDOW 1

struct event {
    struct timespec at;
    bool recorded;
    unsigned flags;
    struct graph *graph; /* in whose capture it was recorded */
};

static struct stream *streams;

/* NULL: one of the three streams without a handle, or none that exists. */
static struct stream *find_stream(const void *handle) {
    HOLD_DEVICE;
    for (struct stream *s = streams; s; s = s->next) {
        if (s == handle) {
            return s;
        }
    }
    return NULL;
}

static bool is_stream(const void *handle) {
    return (uintptr_t)handle <= 2 || find_stream(handle);
}

static int note_stream(const void *handle) {
    return note_error(is_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API(cudaStreamCreateWithPriority, struct stream **stream, unsigned flags, int priority) {
    if (!stream || flags > 1) {
        return note_error(cudaErrorInvalidValue);
    }
    struct stream *s = calloc(1, sizeof *s);
    if (!s) {
        return note_error(cudaErrorMemoryAllocation);
    }
    priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    *s = (struct stream){.flags = flags,
                         .priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority};
    HOLD_DEVICE;
    s->next = streams;
    *stream = streams = s;
    return note_error(cudaSuccess);
}

API(cudaStreamCreateWithFlags, struct stream **stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}

API(cudaStreamCreate, struct stream **stream) {
    return cudaStreamCreateWithPriority(stream, 0, LEAST_PRIORITY);
}

API(cudaStreamDestroy, struct stream *stream) {
    HOLD_DEVICE;
    for (struct stream **at = &streams; *at; at = &(*at)->next) {
        if (*at == stream) {
            *at = stream->next;
            free(stream);
            return note_error(cudaSuccess);
        }
    }
    return note_error(cudaErrorInvalidResourceHandle);
}

API(cudaStreamGetFlags, const void *stream, unsigned *flags) {
    const struct stream *s = find_stream(stream);
    *flags = s ? s->flags : 0;
    return note_stream(stream);
}

API(cudaStreamGetPriority, const void *stream, int *priority) {
    const struct stream *s = find_stream(stream);
    *priority = s ? s->priority : LEAST_PRIORITY;
    return note_stream(stream);
}

API(cudaDeviceGetStreamPriorityRange, int *least, int *greatest) {
    if (least) {
        *least = LEAST_PRIORITY;
    }
    if (greatest) {
        *greatest = GREATEST_PRIORITY;
    }
    return note_error(cudaSuccess);
}

API(cudaStreamSetAttribute, const void *stream, int attribute, const void *value) {
    struct stream *s = find_stream(stream);
    if (!value) {
        return note_error(cudaErrorInvalidValue);
    }
    if (s && attribute == ATTRIBUTE_WINDOW) {
        memcpy(s->window, value, sizeof s->window);
    }
    return note_stream(stream);
}

API(cudaStreamGetAttribute, const void *stream, int attribute, void *value) {
    const struct stream *s = find_stream(stream);
    if (!value) {
        return note_error(cudaErrorInvalidValue);
    }
    memset(value, 0, sizeof s->window);
    if (s && attribute == ATTRIBUTE_WINDOW) {
        memcpy(value, s->window, sizeof s->window);
    }
    return note_stream(stream);
}

API(cudaStreamCopyAttributes, const void *to, const void *from) {
    struct stream *t = find_stream(to);
    const struct stream *f = find_stream(from);
    if (t && f) {
        memcpy(t->window, f->window, sizeof t->window);
    }
    return is_stream(from) ? note_stream(to) : note_stream(from);
}

API(cudaCtxResetPersistingL2Cache, void) {
    return note_error(cudaSuccess);
}

/* A stream that captures cannot be waited for; the capture fails. */
static int wait_for_stream(const void *stream) {
    struct graph *g = stream_graph(stream);
    if (g) {
        graph_invalidate(g);
        return note_error(cudaErrorStreamCaptureUnsupported);
    }
    return note_stream(stream);
}

API(cudaStreamSynchronize, const void *stream) {
    return wait_for_stream(stream);
}

API(cudaStreamQuery, const void *stream) {
    return wait_for_stream(stream);
}

API(cudaStreamWaitEvent, void *stream, const struct event *event, unsigned flags) {
    struct stream *s = find_stream(stream);
    if (!event || flags > 1) {
        return note_error(event ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    }
    if (event->graph && graph_is_captured(event->graph)) {
        if (!s) {
            return note_error(cudaErrorStreamCaptureImplicit);
        }
        s->graph = event->graph;
    }
    return note_stream(stream);
}

API(cudaStreamAttachMemAsync, const void *stream, const void *p, size_t bytes, unsigned flags) {
    (void)bytes, (void)flags;
    return p ? note_stream(stream) : note_error(cudaErrorInvalidValue);
}

API(cudaLaunchHostFunc, void *stream, void (*function)(void *), void *data) {
    struct graph *g = stream_graph(stream);
    if (!function || !is_stream(stream)) {
        return note_error(cudaErrorInvalidValue);
    }
    if (g) {
        return graph_add_function(g, function, data);
    }
    if (!device_is_lost()) {
        function(data);
    }
    return note_error(cudaSuccess);
}

API(cudaStreamAddCallback, void *stream, void (*function)(void *, int, void *), void *data,
    unsigned flags) {
    if (!function || flags || !is_stream(stream)) {
        return note_error(cudaErrorInvalidValue);
    }
    if (stream_graph(stream)) {
        return wait_for_stream(stream);
    }
    function(stream, note_error(cudaSuccess), data);
    return note_error(cudaSuccess);
}

/* --- capture --- */

struct graph *stream_graph(const void *stream) {
    const struct stream *s = find_stream(stream);
    return s ? s->graph : NULL;
}

void stream_end_capture(const struct graph *g) {
    HOLD_DEVICE;
    for (struct stream *s = streams; s; s = s->next) {
        s->begins = s->graph == g ? false : s->begins;
        s->graph = s->graph == g ? NULL : s->graph;
    }
}

API(cudaStreamBeginCapture, void *stream, int mode) {
    struct stream *s = find_stream(stream);
    if (!s || s->graph || mode < 0 || mode > 2) {
        return note_error(!s && is_stream(stream) ? cudaErrorStreamCaptureUnsupported
                          : s && s->graph         ? cudaErrorIllegalState
                                                  : cudaErrorInvalidValue);
    }
    s->graph = graph_begin_capture();
    s->begins = s->graph;
    return note_error(s->graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

API(cudaStreamEndCapture, void *stream, struct graph **graph) {
    struct stream *s = find_stream(stream);
    if (!s || !s->graph || !graph) {
        return note_error(s && graph ? cudaErrorIllegalState : cudaErrorInvalidValue);
    }
    if (!s->begins) {
        return note_error(cudaErrorStreamCaptureUnmatched);
    }
    *graph = s->graph;
    stream_end_capture(*graph);
    if (!graph_end_capture(*graph)) {
        *graph = NULL;
        return note_error(cudaErrorStreamCaptureInvalidated);
    }
    return note_error(cudaSuccess);
}

API(cudaStreamIsCapturing, const void *stream, int *status) {
    const struct graph *g = stream_graph(stream);
    *status = !g ? 0 : graph_is_captured(g) ? 1 : 2;
    return note_stream(stream);
}

API(cudaThreadExchangeStreamCaptureMode, int *mode) {
    static _Thread_local int current;
    int last = current;
    current = *mode;
    *mode = last;
    return note_error(cudaSuccess);
}

/* --- events: the host's clock --- */

API(cudaEventCreateWithFlags, struct event **event, unsigned flags) {
    struct event *e = event && flags < 8 ? calloc(1, sizeof *e) : NULL;
    if (!e) {
        return note_error(event && flags < 8 ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    }
    e->flags = flags;
    *event = e;
    return note_error(cudaSuccess);
}

API(cudaEventCreate, struct event **event) {
    return cudaEventCreateWithFlags(event, 0);
}

static int note_event(const struct event *event) {
    return note_error(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API(cudaEventDestroy, struct event *event) {
    int error = note_event(event);
    free(event);
    return error;
}

API(cudaEventRecord, struct event *event, void *stream) {
    if (event && is_stream(stream)) {
        event->graph = stream_graph(stream);
        event->recorded = !event->graph;
        clock_gettime(CLOCK_MONOTONIC, &event->at);
    }
    return event ? note_stream(stream) : note_event(event);
}

API(cudaEventRecordWithFlags, struct event *event, void *stream, unsigned flags) {
    return flags > 1 ? note_error(cudaErrorInvalidValue) : cudaEventRecord(event, stream);
}

static int wait_for_event(const struct event *event) {
    return event && event->graph ? note_error(cudaErrorCapturedEvent) : note_event(event);
}

API(cudaEventSynchronize, const struct event *event) {
    return wait_for_event(event);
}

API(cudaEventQuery, const struct event *event) {
    return wait_for_event(event);
}

API(cudaEventElapsedTime, float *milliseconds, const struct event *from, const struct event *to) {
    if (!milliseconds) {
        return note_error(cudaErrorInvalidValue);
    }
    if (!from || !to || !from->recorded || !to->recorded ||
        (from->flags | to->flags) & DISABLE_TIMING) {
        return note_error(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = (float)((double)(to->at.tv_sec - from->at.tv_sec) * 1e3 +
                            (double)(to->at.tv_nsec - from->at.tv_nsec) / 1e6);
    return note_error(cudaSuccess);
}
