/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory request on its way from an L1 to the DRAM and back. The reply is the same record, turned
 * round.
 */
#ifndef WARPMEM_BASE_REQUEST_H
#define WARPMEM_BASE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_BYTES 128
#define SECTOR_BYTES 32

/* Simulated time: see base/clock.h. */
#define NEVER UINT64_MAX

enum request_kind {
    REQUEST_READ,
    REQUEST_WRITE,     /* from a core: acknowledged */
    REQUEST_WRITEBACK, /* from an L2: not acknowledged */
};

struct request {
    uint64_t line;          /* byte address / LINE_BYTES */
    uint64_t local;         /* line number within its partition */
    uint64_t born;          /* time at which the L1 sent it */
    uint16_t bytes;         /* data that the write carries, or that the read's reply will carry */
    uint16_t l1_mshr;       /* of a read that is not a bypass */
    uint16_t l2_mshr;       /* of an L2 fetch */
    uint8_t l1_way, l2_way; /* the line that waits for the reply, in its set */
    uint16_t warp;
    uint8_t reg;     /* destination register of a read */
    uint8_t kind;    /* enum request_kind */
    uint8_t sectors; /* 32-byte sectors of the line that are read or written, one bit each */
    uint8_t core;
    uint8_t partition;
    bool full;       /* a write of every byte of the line */
    bool may_bypass; /* a read that needs no line where its set has none to give */
    bool bypasses;   /* it took none: the reply goes to the register and fills no L1 line */
};

#endif
