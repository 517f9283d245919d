/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch, CTA and thread that report: recording.c sets them, and reports.c, which kernels call,
 * reads them.
 */
#ifndef WARPMEM_RUNTIME_RECORDING_NOW_H
#define WARPMEM_RUNTIME_RECORDING_NOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/aligner.h"
#include "runtime/capture.h"

/* A kernel's code, from the table that its module has. */
struct kernel_recording {
    struct kernel_table *table;
    struct code_layout *layout;
    struct aligner *aligner;
};

/* A thread without a stream: its block, and the accesses of it so far, for a message. */
struct unrecorded {
    uint32_t block, accesses;
    uint32_t left, gap; /* blocks until it is looked at; and from then to the next time */
};

/* Kernels report often, so this is no library's symbol. */
extern __attribute__((visibility("hidden"))) struct recording_now {
    struct thread_stream *stream; /* NULL: the thread's reports are not kept */
    struct unrecorded *here;
    unsigned thread, cta, warps_of_cta;
    uint32_t function_block; /* the first block of the functions that the kernel calls */
    char *stack;
    size_t stack_bytes;
    struct recorder *recorder;
} recording_now;

/** recording_lay_kernel() - make the layout of its code. */
void recording_lay_kernel(struct kernel *k);
/** recording_fail_full() - end the program: no memory is left for the streams. */
_Noreturn void recording_fail_full(void);
/** recording_begin_look() - keep the running thread's reports for a while, for runtime/spin.h. */
void recording_begin_look(void);
/** recording_end_look() - the thread does not wait; the next look is later. */
void recording_end_look(void);

#endif
