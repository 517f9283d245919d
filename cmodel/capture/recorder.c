/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/recorder.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 256

void recorder_init(struct recorder *r, size_t words_max) {
    memset(r, 0, sizeof *r);
    r->words_max = words_max;
    r->first_limit = SIZE_MAX;
}

void recorder_free(struct recorder *r) {
    for (unsigned t = 0; t < RECORDER_THREADS_MAX; t++) {
        free(r->thread[t].words);
    }
    recorder_init(r, r->words_max);
}

void recorder_clear(struct recorder *r, unsigned first, unsigned count) {
    for (unsigned t = first; t < first + count; t++) {
        struct thread_stream *s = &r->thread[t];
        s->count = 0;
        s->limit = s->room < r->first_limit ? s->room : r->first_limit;
    }
}

bool recorder_grow(struct recorder *r, struct thread_stream *s) {
    if (s->limit < s->room) {
        s->limit = s->room;
        return true;
    }
    size_t room = s->room ? 2 * s->room : ROOM_MIN;
    if (room - s->room > r->words_max - r->words) {
        return false;
    }
    uint64_t *words = realloc(s->words, room * sizeof *words);
    if (!words) {
        return false;
    }
    r->words += room - s->room;
    s->words = words;
    s->room = s->limit = room;
    return true;
}

void recorder_keep(struct recorder *r, struct thread_stream *to, unsigned count) {
    for (unsigned t = 0; t < count; t++) {
        to[t] = (struct thread_stream){0};
        if (r->thread[t].count) {
            to[t] = r->thread[t];
            r->thread[t] = (struct thread_stream){0};
        }
    }
}

void recorder_return(struct recorder *r, struct thread_stream *from, unsigned count) {
    recorder_clear(r, 0, count);
    for (unsigned t = 0; t < count; t++) {
        if (from[t].count) {
            r->words -= r->thread[t].room;
            free(r->thread[t].words);
            r->thread[t] = from[t];
        }
    }
}
