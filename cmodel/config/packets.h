/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of packets on the interconnect: a header, and the data of a write or of a read's reply.
 */
#ifndef WARPMEM_CONFIG_PACKETS_H
#define WARPMEM_CONFIG_PACKETS_H

#include "base/request.h"
#include "config/config.h"

/** packet_flits() - flits of a packet that carries @data_bytes. */
static inline unsigned packet_flits(const struct config *c, unsigned data_bytes) {
    unsigned bytes = c->noc.header_bytes + data_bytes;
    return bytes <= c->noc.flit_bytes ? 1 : (bytes - 1) / c->noc.flit_bytes + 1;
}

/** request_flits() - all but reads carry data. */
static inline unsigned request_flits(const struct config *c, const struct request *r) {
    return packet_flits(c, request_reads(r) ? 0 : r->bytes);
}

/** reply_flits() - of a read's or atomic's data, or of a write's acknowledgement. */
static inline unsigned reply_flits(const struct config *c, const struct request *r) {
    return packet_flits(c, r->kind != REQUEST_WRITE ? r->bytes : 0);
}

#endif
