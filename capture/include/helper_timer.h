/* SPDX-License-Identifier: Apache-2.0
 * The timers of CUDA's samples. Each function returns true if it has a timer. */
#ifndef WARPMEM_HELPER_TIMER_H
#define WARPMEM_HELPER_TIMER_H

#include "warpmem_timer.h"

typedef struct warpmem_timer StopWatchInterface;

static inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = warpmem_timer_create();
    return *timer != NULL;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    free(*timer);
    *timer = NULL;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer) {
    return *timer && (warpmem_timer_start(*timer), true);
}

static inline bool sdkStopTimer(StopWatchInterface **timer) {
    return *timer && (warpmem_timer_stop(*timer), true);
}

static inline bool sdkResetTimer(StopWatchInterface **timer) {
    return *timer && (warpmem_timer_reset(*timer), true);
}

static inline float sdkGetTimerValue(StopWatchInterface **timer) {
    return *timer ? warpmem_timer_value(*timer) : 0;
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return *timer ? warpmem_timer_average(*timer) : 0;
}

#endif
