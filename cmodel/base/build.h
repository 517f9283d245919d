/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_BASE_BUILD_H
#define WARPMEM_BASE_BUILD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct alarm;
struct block_factory;

/**
 * struct build - the means by which a machine's units are made.
 * @factory: makes the hardware blocks (base/block.h); NULL: the C blocks
 * @alarm: a unit that cannot continue rings it (base/alarm.h)
 * @error: @error_size bytes for one line: the reason why a unit was refused
 * @asks_twice: evaluate each policy of a plug-in twice and compare its answers (--poll)
 * @in_time: no request moves through the L2 before its time, as hardware in the L2 or the DRAM
 *           needs it
 */
struct build {
    struct block_factory *factory;
    struct alarm *alarm;
    char *error;
    size_t error_size;
    bool asks_twice;
    bool in_time;
};

/** build_refused() - write why a unit was refused. Return: false. */
__attribute__((format(printf, 2, 3))) static inline bool build_refused(const struct build *b,
                                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(b->error, b->error_size, format, args);
    va_end(args);
    return false;
}

#endif
