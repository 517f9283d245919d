/* SPDX-License-Identifier: Apache-2.0
 * The checks, timers and start of the samples of CUDA's first versions. */
#ifndef WARPMEM_CUTIL_H
#define WARPMEM_CUTIL_H

#include "helper_cuda.h"
#include "warpmem_timer.h"

#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define CUT_CHECK_ERROR(text) getLastCudaError(text)
#define CUT_DEVICE_INIT(argc, argv) ((void)(argc), (void)(argv))
#define CUT_SAFE_CALL(call) \
    do { \
        if (!(call)) { \
            fprintf(stderr, "%s:%d: %s: failed\n", __FILE__, __LINE__, #call); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)
#define CUT_SAFE_MALLOC(call) CUT_SAFE_CALL((call) != NULL)
#define CUT_EXIT(argc, argv) exit(((void)(argc), (void)(argv), EXIT_SUCCESS))

/* A timer is the number of its place in this table; 0 is none. */
enum { WARPMEM_CUTIL_TIMERS = 64 };
typedef bool CUTBoolean;
#define CUTTrue true
#define CUTFalse false

static inline struct warpmem_timer **warpmem_cutil_timers(void) {
    static struct warpmem_timer *table[WARPMEM_CUTIL_TIMERS];
    return table;
}

static inline struct warpmem_timer *warpmem_cutil_timer(unsigned number) {
    return number && number < WARPMEM_CUTIL_TIMERS ? warpmem_cutil_timers()[number] : NULL;
}

static inline CUTBoolean cutCreateTimer(unsigned *number) {
    for (*number = 1; *number < WARPMEM_CUTIL_TIMERS; ++*number) {
        struct warpmem_timer **place = &warpmem_cutil_timers()[*number];
        if (!*place) {
            *place = warpmem_timer_create();
            return *place != NULL;
        }
    }
    *number = 0;
    return CUTFalse;
}

static inline CUTBoolean cutDeleteTimer(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    if (t) {
        free(t);
        warpmem_cutil_timers()[number] = NULL;
    }
    return t != NULL;
}

static inline CUTBoolean cutStartTimer(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    return t && (warpmem_timer_start(t), true);
}

static inline CUTBoolean cutStopTimer(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    return t && (warpmem_timer_stop(t), true);
}

static inline CUTBoolean cutResetTimer(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    return t && (warpmem_timer_reset(t), true);
}

static inline float cutGetTimerValue(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    return t ? warpmem_timer_value(t) : 0;
}

static inline float cutGetAverageTimerValue(unsigned number) {
    struct warpmem_timer *t = warpmem_cutil_timer(number);
    return t ? warpmem_timer_average(t) : 0;
}

#endif
