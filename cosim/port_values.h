/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of ports by descriptor: comparing, masking, printing and packing them, for any block.
 */
#ifndef WARPMEM_COSIM_PORT_VALUES_H
#define WARPMEM_COSIM_PORT_VALUES_H

#include "base/block.h"

/** struct port_table - a block's ports for given parameters. */
struct port_table {
    const struct block *block;
    unsigned params[64]; /* a struct X_params */
    unsigned in_count, out_count;
    struct port_desc in[BLOCK_PORTS_MAX];
    struct port_desc out[BLOCK_OUTPUTS_MAX]; /* bit i of a mask of outputs is out[i] */
    unsigned words_max;                      /* 64-bit words of the widest port */
};

/** port_table_init() - false: more than 64 parameters. */
bool port_table_init(struct port_table *t, const struct block *block, const void *params);

/** port_bits() - bits of the whole port in Verilog. */
static inline unsigned port_bits(const struct port_desc *port) {
    return port->bits * port->count;
}

/** ports_differ() - those outputs of mask that are not equal in two struct X_out. */
uint64_t ports_differ(const struct port_table *t, const void *a, const void *b, uint64_t mask);

/**
 * ports_cut() - clear the bits above the ports' widths in a struct X_in; only late ports if late.
 */
void ports_cut(const struct port_table *t, void *in, bool late);

/**
 * port_get() - the port's bits as the Verilog has them, lowest word first: (port_bits + 63) / 64
 * words.
 */
void port_get(const struct port_desc *port, const void *base, uint64_t *words);
/** port_set() - the reverse; bits above the width are ignored. */
void port_set(const struct port_desc *port, void *base, const uint64_t *words);

/** port_find() - the port of this name among count, or NULL. */
const struct port_desc *port_find(const struct port_desc *ports, unsigned count, const char *name);

/**
 * port_text() - "1", "0x1fc0", "{3 0 2}"; returns text. Values beyond the width are printed whole.
 */
const char *port_text(const struct port_desc *port, const void *base, char *text, size_t size);

#endif
