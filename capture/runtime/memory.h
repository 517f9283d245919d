/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory of a captured program: one reservation at a fixed address, so that two
 * captures of a program have the same addresses.
 */
#ifndef WARPMEM_RUNTIME_MEMORY_H
#define WARPMEM_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_BYTES (UINT64_C(3) << 30)
#define DEVICE_BASE UINT64_C(0x200000000) /* here */
/* Readable bytes before it: programs read a bit before their first array, which a GPU allows. */
#define DEVICE_GUARD (UINT64_C(1) << 20)

/* Addresses in a trace. An address below 4 GB takes four bytes of a record. */
#define TRACE_ARGUMENTS UINT64_C(0x02000000)
#define TRACE_CONSTANTS UINT64_C(0x04000000) /* of the modules, one after another */
#define TRACE_VARIABLES UINT64_C(0x08000000)
#define TRACE_DEVICE UINT64_C(0x10000000)
#define TRACE_LOCAL (UINT64_C(1) << 44)

/** memory_take() - allocate, first fit, aligned to 256 bytes. NULL: no room. memory_give(): false:
 * not allocated. */
void *memory_take(size_t bytes);
bool memory_give(void *p);
/** memory_has() - true if the bytes are in an allocated piece. */
bool memory_has(const void *p, size_t bytes);
/** memory_piece() - allocated piece number @i, by address. NULL: there are fewer. */
char *memory_piece(size_t i, size_t *bytes);
/* Whose memory a piece is, for cudaPointerGetAttributes(). */
enum memory_kind { MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED, MEMORY_NONE };

/** memory_set_kind() - of an allocated piece; MEMORY_DEVICE without it. */
void memory_set_kind(void *p, enum memory_kind kind);
/** memory_kind_of() - MEMORY_NONE: not allocated. */
enum memory_kind memory_kind_of(const void *p);

/** memory_register() - let kernels use memory of the host; a trace has it at addresses of a piece
 * of the same size. False: a part is registered already, or no room. */
bool memory_register(const char *p, size_t bytes);
/** memory_unregister() - false: not registered. */
bool memory_unregister(const char *p);
/** memory_registered_piece() - number @i. NULL: there are fewer. */
char *memory_registered_piece(size_t i, size_t *bytes);
/** memory_registered() - the address in a trace; 0: not registered. */
uint64_t memory_registered(const char *p);
/** memory_left() - free bytes. */
size_t memory_left(void);

static inline bool memory_is_device(const void *p) {
    return (uintptr_t)p - (DEVICE_BASE - DEVICE_GUARD) < DEVICE_GUARD + DEVICE_BYTES;
}

#endif
