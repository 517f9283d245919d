/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/footprint.h"

#include <stdlib.h>

void footprint_destroy(struct footprint *f) {
    line_map_destroy(&f->lines);
}

bool footprint_touch(struct footprint *f, uint64_t line) {
    uint32_t number;
    bool fresh;
    return line_map_put(&f->lines, line, &number, &fresh);
}

void footprint_warp(struct footprint *f, uint32_t lines) {
    f->warps += lines > 0;
    f->warp_lines += lines;
    f->warp_most = lines > f->warp_most ? lines : f->warp_most;
}

void launch_lines_destroy(struct launch_lines *l) {
    line_map_destroy(&l->map);
    free(l->cores);
    *l = (struct launch_lines){0};
}

bool launch_lines_touch(struct launch_lines *l, uint64_t line, bool *fresh) {
    uint32_t number;
    if (!line_map_put(&l->map, line, &number, fresh) ||
        !line_map_room(&l->map, &l->cores, &l->room, sizeof *l->cores)) {
        return false;
    }
    if (*fresh) {
        l->cores[number] = 0;
    }
    return true;
}

bool launch_lines_seen(struct launch_lines *l, uint64_t line, unsigned core) {
    uint32_t number = 0;
    if (!line_map_find(&l->map, line, &number)) {
        return false;
    }
    bool seen = l->cores[number] >> core & 1;
    l->cores[number] |= UINT64_C(1) << core;
    return seen;
}
