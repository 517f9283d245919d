/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that kernels call: clocks, fences, printf, assert, and OpenCL C's products.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/capture.h"

unsigned __wm_mulhi(unsigned x, unsigned y);
unsigned __wm_mulhi(unsigned x, unsigned y) {
    return (unsigned)((uint64_t)x * y >> 32);
}

unsigned long long __wm_mulhi64(unsigned long long x, unsigned long long y);
unsigned long long __wm_mulhi64(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

long long device_clock;
bool device_prints = true;

/* A thread's instructions are not counted; each call is later than the one before. */
long long __wm_clock(void);
long long __wm_clock(void) {
    return ++device_clock;
}

void __wm_fence(void);
void __wm_fence(void) {}

/* __ldg() through the texture cache. The pointer is the operand that an index is of a texture. */
const void *__wm_read_only(int none, const void *p);
const void *__wm_read_only(int none, const void *p) {
    (void)none;
    return p;
}

/* These take no time here. */
void __wm_int1_brkpt(void);
void __wm_int1_brkpt(void) {}
void __wm_int1_nanosleep(unsigned nanoseconds);
void __wm_int1_nanosleep(unsigned nanoseconds) {
    (void)nanoseconds;
}
void __wm_int1_prof_trigger(int counter);
void __wm_int1_prof_trigger(int counter) {
    (void)counter;
}

_Noreturn void __wm_int1_trap(void);
_Noreturn void __wm_int1_trap(void) {
    launch_fail(LAUNCH_TRAPPED, "kernel %s: block [%u,%u,%u], thread [%u,%u,%u]: __trap()",
                running_kernel->name, running.cta.x, running.cta.y, running.cta.z, running.thread.x,
                running.thread.y, running.thread.z);
}

_Noreturn void __wm_assert(const char *text, const char *file, unsigned line, const char *function);
_Noreturn void __wm_assert(const char *text, const char *file, unsigned line,
                           const char *function) {
    launch_fail(LAUNCH_ASSERTED,
                "%s:%u: %s: block [%u,%u,%u], thread [%u,%u,%u]: assertion `%s' failed", file, line,
                function, running.cta.x, running.cta.y, running.cta.z, running.thread.x,
                running.thread.y, running.thread.z, text);
}

_Noreturn void __wm_misused(const char *text, const char *file, unsigned line,
                            const char *function);
_Noreturn void __wm_misused(const char *text, const char *file, unsigned line,
                            const char *function) {
    launch_fail(LAUNCH_TRAPPED, "%s:%u: %s: block [%u,%u,%u], thread [%u,%u,%u]: %s", file, line,
                function, running.cta.x, running.cta.y, running.cta.z, running.thread.x,
                running.thread.y, running.thread.z, text);
}

/* The arguments lie in a buffer, each on its own size, as clang packs them for a GPU. */
static const char *next_argument(const char **at, size_t size) {
    uintptr_t p = ((uintptr_t)*at + size - 1) / size * size;
    *at = (const char *)p + size;
    return (const char *)p;
}

static int print_conversion(const char *spec, const char **at) {
    const size_t length = strlen(spec);
    const char kind = spec[length - 1];
    const char *from;
    if (strchr("eEfFgGaA", kind)) {
        double value;
        memcpy(&value, next_argument(at, 8), 8);
        return printf(spec, value);
    }
    if (kind == 's' || kind == 'p') {
        void *value;
        memcpy(&value, next_argument(at, 8), 8);
        return printf(spec, value);
    }
    bool wide = strchr(spec, 'l') || strchr(spec, 'z') || strchr(spec, 'j') || strchr(spec, 't');
    if (wide) {
        long value;
        memcpy(&value, next_argument(at, 8), 8);
        return printf(spec, value);
    }
    int value;
    from = next_argument(at, 4);
    memcpy(&value, from, 4);
    return printf(spec, value);
}

int wm_vprintf(const char *format, const char *arguments);
int wm_vprintf(const char *format, const char *arguments) {
    const char *at = arguments;
    int printed = 0;
    if (!device_prints) {
        return 0;
    }
    for (const char *c = format; *c;) {
        if (*c != '%' || c[1] == '%') {
            putchar(*c);
            printed++;
            c += *c == '%' ? 2 : 1;
            continue;
        }
        size_t length = 1 + strspn(c + 1, "-+ #0123456789.hlLzjt");
        char spec[64];
        if (!c[length] || length + 2 > sizeof spec) {
            break;
        }
        memcpy(spec, c, length + 1);
        spec[length + 1] = '\0';
        printed += print_conversion(spec, &at);
        c += length + 1;
    }
    return printed;
}

/* OpenCL's, which the compiler calls as C's. */
int wm_printf(const char *format, ...);
int wm_printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int printed = device_prints ? vprintf(format, args) : 0;
    va_end(args);
    return printed < 0 ? -1 : 0;
}
