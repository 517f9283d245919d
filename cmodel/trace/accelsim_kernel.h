/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel of an Accel-Sim text trace: kernel-N.traceg, of tracer versions 3 to 5. Its thread
 * blocks come in any order and its code is complete only at its end, so records go to a spool file
 * first.
 */
#ifndef WARPMEM_TRACE_ACCELSIM_KERNEL_H
#define WARPMEM_TRACE_ACCELSIM_KERNEL_H

#include <stdatomic.h>
#include <stdio.h>

#include "kernel/launch.h"
#include "trace/accelsim_code.h"
#include "trace/cta_spool.h"
#include "trace/wtr_writer.h"

struct accelsim_header {
    char name[WTR_NAME_MAX + 1];
    unsigned grid[3], block[3], shared_bytes, registers, version, line_numbers;
    uint64_t shared_base, local_base; /* of the windows in generic addresses; 0: unknown */
    bool has_name, has_grid, has_block, has_version;
};

struct accelsim_kernel {
    struct text_lines *lines;
    struct accelsim_header header;
    struct accelsim_code code;
    struct cta_trace *trace; /* the thread block that is being read */
    unsigned warps;
    size_t records; /* its bytes */
    struct cta_spool spool;
    uint64_t local_low, local_high; /* accessed offsets in local memory: low .. high-1 */
    const atomic_int *stop;
    void (*progress)(void *user, uint64_t bytes_of_this_file);
    void *progress_user;
};

/**
 * accelsim_kernel_read() - read the whole file into the spool file.
 * @k: zeroed except lines, spool.file, stop, progress and progress_user
 * Return: false with a message in @lines, or because *stop is set.
 */
bool accelsim_kernel_read(struct accelsim_kernel *k, const struct opcodes *opcodes,
                          struct accelsim_notes *notes);
/** accelsim_kernel_write() - append it to the trace file. False with a message in @lines or in the
 * writer. */
bool accelsim_kernel_write(struct accelsim_kernel *k, struct wtr_writer *w);
void accelsim_kernel_free(struct accelsim_kernel *k);

/** accelsim_header_read() - the lines up to the first thread block. False with a message. */
bool accelsim_header_read(struct accelsim_header *h, struct text_lines *lines);
/** accelsim_instruction() - append the records of a line with a warp's instruction. */
bool accelsim_instruction(struct accelsim_kernel *k, struct warp_stream *s, const char *line);

#endif
