/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *object_make(enum object_kind kind, size_t bytes) {
    struct object *o = calloc(1, bytes);
    if (o) {
        *o = (struct object){kind, 1};
    }
    return o;
}

bool object_is(const void *handle, enum object_kind kind) {
    const struct object *o = handle;
    return o && o->kind == kind && o->references;
}

bool object_drop(void *handle) {
    struct object *o = handle;
    return --o->references == 0;
}

cl_int give_info(const void *from, size_t bytes, size_t room, void *to, size_t *needed) {
    if (to && room < bytes) {
        return CL_INVALID_VALUE;
    }
    if (to && bytes) {
        memcpy(to, from, bytes);
    }
    if (needed) {
        *needed = bytes;
    }
    return CL_SUCCESS;
}

cl_int give_text(const char *text, size_t room, void *to, size_t *needed) {
    return give_info(text, strlen(text) + 1, room, to, needed);
}

void *set_error(cl_int *to, cl_int error) {
    if (to) {
        *to = error;
    }
    return NULL;
}

cl_int refuse_call(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("warpmem capture: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return CL_INVALID_OPERATION;
}
