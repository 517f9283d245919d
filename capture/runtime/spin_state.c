/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/spin_state.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unwind.h>

#include "runtime/capture.h"
#include "runtime/recording_now.h"

/* The registers that a call preserves, by their DWARF numbers: others are dead, or on the stack.
 * ARM preserves parts of vectors, too, of which the unwinder does not tell. */
#if defined(__x86_64__)
static const int preserved[] = {3, 6, 12, 13, 14, 15};
#define STATE_IS_KNOWN true
#else
static const int preserved[] = {0};
#define STATE_IS_KNOWN false
#endif

#define KNOWN_PLACES 256

static uint64_t mix_state(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/* The stack is the fibre's, from the function's frame up. */
static uint64_t hash_of_frame(struct _Unwind_Context *frame) {
    const struct recording_now *n = &recording_now;
    uint64_t hash = mix_state((uint64_t)device_clock, _Unwind_GetIP(frame));
    const char *at = (const char *)_Unwind_GetCFA(frame);
    if ((size_t)(at - n->stack) >= n->stack_bytes) {
        return 0;
    }
    for (size_t i = 0; i < sizeof preserved / sizeof *preserved; i++) {
        hash = mix_state(hash, _Unwind_GetGR(frame, preserved[i]));
    }
    for (size_t left = (size_t)(n->stack + n->stack_bytes - at) / sizeof hash; left; left--) {
        uint64_t value;
        memcpy(&value, at, sizeof value);
        hash = mix_state(hash, value);
        at += sizeof value;
    }
    return hash ? hash : 1;
}

/* Return addresses, and whether they are in the object that the runtime is in: dladdr() takes long,
 * and there are few. */
static struct known_place {
    uintptr_t at;
    bool of_runtime;
} known[KNOWN_PLACES];

static bool is_of_runtime(uintptr_t at) {
    struct known_place *k = &known[at / 4 % KNOWN_PLACES];
    if (k->at != at) {
        Dl_info own, other;
        k->at = at;
        k->of_runtime = dladdr((const void *)&recording_now, &own) &&
                        dladdr((const void *)at, &other) && own.dli_fbase == other.dli_fbase;
    }
    return k->of_runtime;
}

/* Frames of the runtime come first, and the kernel is in an object of its own. */
static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *frame, void *hash) {
    if (is_of_runtime(_Unwind_GetIP(frame))) {
        return _URC_NO_REASON;
    }
    *(uint64_t *)hash = hash_of_frame(frame);
    return _URC_END_OF_STACK;
}

uint64_t spin_state_hash(void) {
    uint64_t hash = 0;
    if (STATE_IS_KNOWN) {
        _Unwind_Backtrace(visit_frame, &hash);
    }
    return hash;
}
