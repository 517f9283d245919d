/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory space of an address in a kernel, and the address in its space.
 */
#include <stdint.h>

#include "runtime/capture.h"
#include "runtime/memory.h"

/* Dynamic shared memory lies behind the static one. */
static size_t dynamic_begin(const struct module_ranges *r) {
    return (r->shared.bytes + 15) / 16 * 16;
}

static const struct module_ranges *running_ranges(void) {
    return &running_kernel->module->ranges;
}

static bool range_holds(const struct module_range *r, const void *p) {
    return (size_t)((const char *)p - r->at) < r->bytes;
}

unsigned __wm_int1_is_shared(const void *p);
unsigned __wm_int1_is_shared(const void *p) {
    return range_holds(&running_ranges()->shared, p) || range_holds(&running_ranges()->dynamic, p);
}

unsigned __wm_int1_is_constant(const void *p);
unsigned __wm_int1_is_constant(const void *p) {
    return range_holds(&running_ranges()->constant, p);
}

unsigned __wm_int1_is_global(const void *p);
unsigned __wm_int1_is_global(const void *p) {
    return memory_is_device(p) || range_holds(&running_ranges()->device, p);
}

unsigned __wm_int1_is_local(const void *p);
unsigned __wm_int1_is_local(const void *p) {
    return p && !__wm_int1_is_shared(p) && !__wm_int1_is_constant(p) && !__wm_int1_is_global(p);
}

size_t __wm_int1_to_shared(const void *p);
size_t __wm_int1_to_shared(const void *p) {
    const struct module_ranges *r = running_ranges();
    return range_holds(&r->shared, p)
               ? (size_t)((const char *)p - r->shared.at)
               : dynamic_begin(r) + (size_t)((const char *)p - r->dynamic.at);
}

void *__wm_int1_from_shared(size_t at);
void *__wm_int1_from_shared(size_t at) {
    const struct module_ranges *r = running_ranges();
    return at < r->shared.bytes ? r->shared.at + at : r->dynamic.at + (at - dynamic_begin(r));
}

/* The same for the address of an access in PTX. */
void *__wm_same_shared(unsigned at);
void *__wm_same_shared(unsigned at) {
    return __wm_int1_from_shared(at);
}

/* The other spaces are parts of the generic one. */
#define SAME_POINTER(space) \
    void *__wm_same_##space(size_t at); \
    void *__wm_same_##space(size_t at) { \
        return (void *)(uintptr_t)at; \
    }
#define SAME_ADDRESS(space) \
    size_t __wm_int1_to_##space(const void *p); \
    size_t __wm_int1_to_##space(const void *p) { \
        return (uintptr_t)p; \
    } \
    void *__wm_int1_from_##space(size_t at); \
    void *__wm_int1_from_##space(size_t at) { \
        return (void *)(uintptr_t)at; \
    } \
    SAME_POINTER(space)
SAME_ADDRESS(global)
SAME_ADDRESS(constant)
SAME_ADDRESS(local)
SAME_POINTER(const)
SAME_POINTER(generic)
