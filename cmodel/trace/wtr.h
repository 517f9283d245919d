/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of trace files (.wtr) that writer and reader share. docs/wtr_format.md has the format.
 */
#ifndef WARPMEM_TRACE_WTR_H
#define WARPMEM_TRACE_WTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/insn.h"

#define WTR_MAGIC "\x89WTR\r\n\x1a\n"
#define WTR_MAGIC_BYTES 8
#define WTR_VERSION 1
#define WTR_HEADER_BYTES 16
#define WTR_BLOCK_HEADER_BYTES 24
#define WTR_SUMMED_BYTES 16 /* bytes of the block header in the checksum, with the payload */

/* Limits; larger values are neither written nor read. */
#define WTR_BLOCK_MAX (1u << 20)       /* bytes of a block, decompressed */
#define WTR_NAME_MAX 4095              /* bytes of a name */
#define WTR_CODE_BYTES_MAX (32u << 20) /* of all code tables, as held in memory */
#define WTR_CTA_BYTES_MAX (64u << 20)  /* of the records of one CTA */
#define WTR_REGISTERS_MAX 65535
#define WTR_SHARED_MAX (1u << 28)
#define WTR_CTAS_MAX 0x7fffffffu /* of a launch */

enum wtr_block {
    WTR_ORIGIN = 1, /* the workload that was recorded; the first block */
    WTR_CODE,       /* a kernel's instructions; numbered from 0 */
    WTR_LAUNCH,     /* number of its code, grid and block */
    WTR_CTAS,       /* records of its CTAs; one stream over all of these blocks of the launch */
    WTR_DONE,       /* totals of the launch */
    WTR_COPY,       /* a copy from host to device memory; takes no time */
    WTR_END,        /* totals of the file; the last block */
    WTR_SOURCE,     /* source lines of the CODE block before */
};

#define WTR_LAUNCH_BYTES 28
#define WTR_DONE_BYTES 40
#define WTR_COPY_BYTES 16
#define WTR_END_BYTES 56
#define WTR_INSN_BYTES 12
#define WTR_CODE_FIXED_BYTES 14 /* without its name and its instructions */

/* Totals of a launch or a file. */
struct wtr_totals {
    uint64_t ctas, warp_instructions, thread_instructions, memory_instructions, record_bytes;
};

/* The origin of a recording, which the reports of a replay repeat. */
struct wtr_origin {
    char workload[WTR_NAME_MAX + 1]; /* a workload's name, or the imported file's */
    char size[WTR_NAME_MAX + 1];     /* "tiny", ...; "-": none */
    uint64_t seed;
};

static inline uint16_t wtr_get16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t wtr_get32(const uint8_t *at) {
    return wtr_get16(at) | (uint32_t)wtr_get16(at + 2) << 16;
}

static inline uint64_t wtr_get64(const uint8_t *at) {
    return wtr_get32(at) | (uint64_t)wtr_get32(at + 4) << 32;
}

static inline uint8_t *wtr_put16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

static inline uint8_t *wtr_put32(uint8_t *at, uint32_t value) {
    return wtr_put16(wtr_put16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint8_t *wtr_put64(uint8_t *at, uint64_t value) {
    return wtr_put32(wtr_put32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

/** wtr_totals_add() - adds in the order in which files hold the totals. */
static inline void wtr_totals_add(struct wtr_totals *to, const struct wtr_totals *t) {
    to->ctas += t->ctas;
    to->warp_instructions += t->warp_instructions;
    to->thread_instructions += t->thread_instructions;
    to->memory_instructions += t->memory_instructions;
    to->record_bytes += t->record_bytes;
}

static inline uint8_t *wtr_put_totals(uint8_t *at, const struct wtr_totals *t) {
    at = wtr_put64(at, t->ctas);
    at = wtr_put64(at, t->warp_instructions);
    at = wtr_put64(at, t->thread_instructions);
    at = wtr_put64(at, t->memory_instructions);
    return wtr_put64(at, t->record_bytes);
}

static inline struct wtr_totals wtr_get_totals(const uint8_t *at) {
    return (struct wtr_totals){wtr_get64(at), wtr_get64(at + 8), wtr_get64(at + 16),
                               wtr_get64(at + 24), wtr_get64(at + 32)};
}

/** wtr_put_insn(), wtr_get_insn() - WTR_INSN_BYTES of a code table. get: NULL, or the fault. */
uint8_t *wtr_put_insn(uint8_t *at, const struct insn *insn);
const char *wtr_get_insn(const uint8_t *at, struct insn *insn);

/** wtr_op_name() - "int_add", "load", ...; NULL when there is no such operation. */
const char *wtr_op_name(unsigned op);
/** wtr_space_name() - "global", ...; NULL when there is no such space. */
const char *wtr_space_name(unsigned space);

/** wtr_checksum() - of the first WTR_SUMMED_BYTES of a block header and the stored payload. */
uint64_t wtr_checksum(const uint8_t *header, const void *payload, size_t bytes);

/** wtr_printable() - true if these bytes are printable ASCII, as names must be so that any report
 * can print them. */
bool wtr_printable(const uint8_t *at, size_t bytes);

#endif
