/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/recorder.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 256

void recorder_init(struct recorder *r, size_t words_max) {
    memset(r, 0, sizeof *r);
    r->words_max = words_max;
}

void recorder_free(struct recorder *r) {
    for (unsigned t = 0; t < RECORDER_THREADS_MAX; t++) {
        free(r->thread[t].words);
    }
    recorder_init(r, r->words_max);
}

void recorder_clear(struct recorder *r, unsigned first, unsigned count) {
    for (unsigned t = first; t < first + count; t++) {
        r->thread[t].count = 0;
    }
}

bool recorder_grow(struct recorder *r, struct thread_stream *s) {
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
    s->room = room;
    return true;
}
