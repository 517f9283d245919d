/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp streams: the dynamic instructions of one warp, in compact records. The SIMT interface writes
 * them when a CTA is launched (kernel/simt.h), or a trace file contains them (trace/wtr_reader.h);
 * the core reads them one instruction at a time.
 */
#ifndef WARPMEM_KERNEL_WARP_STREAM_H
#define WARPMEM_KERNEL_WARP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/insn.h"

#define CTA_WARPS_MAX 32
#define WARP_STREAM_INSNS_MAX 65536 /* instructions of one kernel that a record can name */

enum address_form {
    ADDRESS_NONE,
    ADDRESS_AFFINE, /* lane l of the active ones: base + l * stride (l is the lane number, 0..31) */
    ADDRESS_LIST,   /* an address a lane, in the stream */
};

/* One dynamic instruction, decoded. A list of addresses stays in the stream: `list` is valid until
 * the stream is rewritten. */
struct warp_op {
    const struct insn *insn;
    uint32_t active; /* lanes; 0: all are predicated off, of an instruction that computes */
    uint8_t form;    /* enum address_form */
    uint64_t base;
    int64_t stride;
    const uint8_t *list;
};

/* The records of one warp: a growing byte buffer, reused from CTA to CTA. */
struct warp_stream {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t last_active; /* writer's state: active lanes of the last record */
};

struct warp_cursor {
    const struct kernel_code *code;
    const uint8_t *at, *end;
    uint32_t last_active;
};

/** warp_stream_clear() - remove the records, keep the memory. */
void warp_stream_clear(struct warp_stream *s);
void warp_stream_free(struct warp_stream *s);

/**
 * warp_stream_put() - append an instruction without addresses.
 * @index: of the instruction in the kernel's table
 * @active: lanes; 0 only of an instruction that computes or branches
 * Return: false when out of memory.
 */
bool warp_stream_put(struct warp_stream *s, unsigned index, uint32_t active);

/**
 * warp_stream_put_memory() - append a load or store.
 * @address: byte address of each lane; those of inactive lanes are not read. Stored as base and
 *           stride if they are affine in the lane number, else as a list.
 * Return: false when out of memory.
 */
bool warp_stream_put_memory(struct warp_stream *s, unsigned index, uint32_t active,
                            const uint64_t address[WARP_SIZE]);

/**
 * warp_stream_put_affine() - the same for a writer that knows base and stride.
 * @base: address of lane 0, active or not
 */
bool warp_stream_put_affine(struct warp_stream *s, unsigned index, uint32_t active, uint64_t base,
                            int64_t stride);

/**
 * warp_stream_extend() - make room for records that the caller copies in. Return: the room; NULL
 * when out of memory, and then only the capacity may have changed.
 */
uint8_t *warp_stream_extend(struct warp_stream *s, size_t bytes);

/* Counts of a stream, without loop markers. */
struct warp_stream_counts {
    uint64_t warp_instructions, thread_instructions, memory_instructions;
};

/**
 * warp_stream_check() - check that a cursor can read these bytes, whoever wrote them: the last
 * record ends with the stream, the code has the instructions, lanes are active, and exactly the
 * memory instructions have addresses.
 * @counts: the stream's counts are added
 * @offset: of the wrong record
 * Return: NULL, or the fault with the allowed values.
 */
const char *warp_stream_check(const struct warp_stream *s, const struct kernel_code *code,
                              struct warp_stream_counts *counts, size_t *offset);

void warp_cursor_open(struct warp_cursor *c, const struct warp_stream *s,
                      const struct kernel_code *code);
/** warp_cursor_next() - decode the next instruction, markers included; false at the end of the
 * warp. */
bool warp_cursor_next(struct warp_cursor *c, struct warp_op *op);
/** warp_op_addresses() - the byte address of each active lane; others keep their value. */
void warp_op_addresses(const struct warp_op *op, uint64_t address[WARP_SIZE]);

#endif
