/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ring.h"

#include <stdlib.h>

bool ring_init(struct ring *r, uint32_t capacity) {
    uint32_t entries = 1;
    while (entries < capacity) {
        entries *= 2;
    }
    *r = (struct ring){
        .mask = entries - 1, .capacity = capacity, .front_at = NEVER, .freed_at = NEVER};
    r->entries = calloc(entries, sizeof *r->entries);
    return r->entries != NULL;
}

void ring_destroy(struct ring *r) {
    free(r->entries);
    r->entries = NULL;
}
