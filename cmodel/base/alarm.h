/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_BASE_ALARM_H
#define WARPMEM_BASE_ALARM_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* The reason why the run cannot continue. */
enum alarm_cause {
    ALARM_NONE,
    ALARM_BLOCK_DIFFERS, /* a hardware block differs in lockstep; its report is written */
    ALARM_FAR_ADDRESS,   /* an address is too long for a unit; @text names both */
    ALARM_PLUGIN,        /* a policy broke a rule of its interface; @text names the rule */
};

/**
 * struct alarm - one per machine; a unit that cannot continue rings it, and the run ends.
 * @cause: reason of the first unit that rang
 * @text: with ALARM_FAR_ADDRESS and ALARM_PLUGIN
 * @attention: time of the main loop's next event that belongs to no unit
 */
struct alarm {
    enum alarm_cause cause;
    char text[240];
    uint64_t *attention;
};

/** alarm_ring() - make the main loop read the alarm before it evaluates another edge. */
static inline void alarm_ring(struct alarm *alarm, enum alarm_cause cause) {
    alarm->cause = alarm->cause ? alarm->cause : cause;
    *alarm->attention = 0;
}

/** alarm_ring_text() - ring with a line of text that describes the fault. */
__attribute__((format(printf, 3, 4))) static inline void alarm_ring_text(struct alarm *alarm,
                                                                         enum alarm_cause cause,
                                                                         const char *format, ...) {
    va_list args;
    if (!alarm->cause) {
        va_start(args, format);
        vsnprintf(alarm->text, sizeof alarm->text, format, args);
        va_end(args);
    }
    alarm_ring(alarm, cause);
}

#endif
