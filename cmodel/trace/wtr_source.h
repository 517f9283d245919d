/* SPDX-License-Identifier: Apache-2.0
 *
 * The payload of a SOURCE block of a trace file: the source lines of a code's instructions
 * (docs/wtr_format.md).
 */
#ifndef WARPMEM_TRACE_WTR_SOURCE_H
#define WARPMEM_TRACE_WTR_SOURCE_H

#include "kernel/insn.h"
#include "trace/wtr.h"

#define WTR_SOURCE_FILES_MAX 256
#define WTR_SOURCE_LINE_BYTES 6 /* a line and a file */
#define WTR_SOURCE_WRONG 160

/**
 * wtr_put_source() - write a payload.
 * @to: WTR_BLOCK_MAX bytes
 * @insns: instructions of the code, at most WARP_STREAM_INSNS_MAX
 * Return: its bytes; 0: @wrong has the reason.
 */
size_t wtr_put_source(uint8_t *to, const struct kernel_source *s, unsigned insns,
                      char wrong[static WTR_SOURCE_WRONG]);

/** wtr_get_source() - read a payload. NULL: @wrong has the fault. */
struct kernel_source *wtr_get_source(const uint8_t *at, size_t bytes, unsigned insns,
                                     char wrong[static WTR_SOURCE_WRONG]);
/** wtr_free_source() - free a result of wtr_get_source(), or NULL. */
void wtr_free_source(const struct kernel_source *s);

#endif
