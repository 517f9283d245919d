/* SPDX-License-Identifier: Apache-2.0
 * A target with errors in it, for the test of fuzz.py (tb/scripts/fuzz_test.py): each must be
 * found. Built there, and part of nothing. PLANTED: which. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING, OVERRUN, UNDEFINED, PROMISE, HANG, MEMORY, LEAK };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile int sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || memcmp(data, "bug!", 4)) {
        return 0;
    }
    switch (PLANTED) {
    case OVERRUN: sink = data[size]; break;
    case UNDEFINED: sink = (int)(INT32_MAX - 3 + (int)size); break;
    case PROMISE: abort();
    case HANG:
        while (!sink) {}
        break;
    case MEMORY: sink = *(char *)memset(malloc((size_t)1 << 30), 1, (size_t)1 << 30); break;
    case LEAK: sink = (int)(intptr_t)malloc(100); break;
    default: break;
    }
    return 0;
}
