/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/heap.h"
#include "runtime/memory.h"

/* Memory that a launch may change: what is allocated, and the modules' variables. */
struct region {
    char *at;
    size_t bytes;
    bool result; /* shared memory is none, but a launch may read what is in it */
};

static struct region *regions;
static size_t region_count, region_room;
static char *before, *results; /* copies of all regions, one behind another */
static long long clock_before;
static unsigned long long equal_launches, skipped_launches;

bool check_is_wanted(void) {
    static int wanted = -1;
    if (wanted < 0) {
        const char *text = getenv("WARPMEM_CAPTURE_CHECK");
        wanted = text && *text;
    }
    return wanted;
}

unsigned long long check_launches(void) {
    return equal_launches;
}

unsigned long long check_launches_skipped(void) {
    return skipped_launches;
}

static void add_region(char *at, size_t bytes, bool result) {
    if (region_count == region_room) {
        region_room = region_room ? 2 * region_room : 64;
        struct region *grown = realloc(regions, region_room * sizeof *grown);
        if (!grown) {
            capture_fail("--check: out of memory");
        }
        regions = grown;
    }
    regions[region_count++] = (struct region){at, bytes, result};
}

static void list_regions(void) {
    const struct module *m;
    char *piece;
    size_t bytes;
    region_count = 0;
    for (size_t i = 0; (piece = memory_piece(i, &bytes)); i++) {
        add_region(piece, bytes, true);
    }
    for (size_t i = 0; (piece = memory_registered_piece(i, &bytes)); i++) {
        add_region(piece, bytes, true);
    }
    for (size_t i = 0; (piece = variable_managed(i, &bytes)); i++) {
        add_region(piece, bytes, true);
    }
    for (unsigned i = 0; (m = module_at(i)); i++) {
        add_region(m->ranges.device.at, m->ranges.device.bytes, true);
        add_region(m->ranges.constant.at, m->ranges.constant.bytes, true);
        add_region(m->ranges.shared.at, m->ranges.shared.bytes, false);
        add_region(m->ranges.dynamic.at, m->ranges.dynamic.bytes, false);
    }
}

static char *copy_regions(void) {
    size_t bytes = 0;
    for (size_t i = 0; i < region_count; i++) {
        bytes += regions[i].bytes;
    }
    char *copy = malloc(bytes + 1), *at = copy;
    if (!copy) {
        capture_fail("--check: no memory for a copy of %zu bytes", bytes);
    }
    for (size_t i = 0; i < region_count; at += regions[i].bytes, i++) {
        memcpy(at, regions[i].at, regions[i].bytes);
    }
    return copy;
}

static void return_regions(const char *at) {
    for (size_t i = 0; i < region_count; at += regions[i].bytes, i++) {
        memcpy(regions[i].at, at, regions[i].bytes);
    }
}

void check_begin(void) {
    list_regions();
    before = copy_regions();
    heap_remember();
    clock_before = device_clock;
}

void check_skip(void) {
    free(before);
    skipped_launches++;
}

void check_begin_plain(void) {
    results = copy_regions();
    return_regions(before);
    free(before);
    heap_return();
    device_clock = clock_before;
    device_prints = false;
}

static uint64_t shown_address(const char *p) {
    return memory_is_device(p) ? (uint64_t)(uintptr_t)p - DEVICE_BASE + TRACE_DEVICE
                               : (uint64_t)(uintptr_t)p;
}

void check_end_plain(const struct kernel *k) {
    const char *at = results;
    device_prints = true;
    for (size_t i = 0; i < region_count; at += regions[i].bytes, i++) {
        const struct region *r = &regions[i];
        if (!r->result || !memcmp(r->at, at, r->bytes)) {
            continue;
        }
        size_t byte = 0;
        while (r->at[byte] == at[byte]) {
            byte++;
        }
        capture_fail("--check: kernel %s: byte %zu of the array at 0x%" PRIx64
                     " is 0x%02x, and without recording 0x%02x",
                     k->name, byte, shown_address(r->at), (unsigned char)at[byte],
                     (unsigned char)r->at[byte]);
    }
    free(results);
    equal_launches++;
}
