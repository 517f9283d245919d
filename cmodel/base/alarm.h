/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_BASE_ALARM_H
#define WARPMEM_BASE_ALARM_H

#include <stdint.h>

/* Why the run cannot go on. */
enum alarm_cause {
    ALARM_NONE,
    ALARM_BLOCK_DIFFERS, /* a hardware block in lockstep: its report is written */
    ALARM_FAR_ADDRESS,   /* an address has no place in a request header before the L1 */
    ALARM_FAR_ROW,       /* a DRAM row's number has no place in the scheduler's queues */
};

/**
 * struct alarm - one a machine; a unit that cannot go on rings it, and the run ends.
 * @cause: of the first that rang
 * @attention: the time at which the machine's loop looks up next
 */
struct alarm {
    enum alarm_cause cause;
    uint64_t *attention;
};

/** alarm_ring() - the loop looks up before it evaluates another edge. */
static inline void alarm_ring(struct alarm *alarm, enum alarm_cause cause) {
    alarm->cause = alarm->cause ? alarm->cause : cause;
    *alarm->attention = 0;
}

#endif
