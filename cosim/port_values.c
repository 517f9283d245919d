/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/port_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool port_table_init(struct port_table *t, const struct block *block, const void *params) {
    memset(t, 0, sizeof *t);
    if (block->param_count > sizeof t->params / sizeof *t->params) {
        return false;
    }
    t->block = block;
    memcpy(t->params, params, block->param_count * sizeof(unsigned));

    struct port_desc all[BLOCK_PORTS_MAX];
    block->describe(params, all);
    for (unsigned i = 0; i < block->port_count; i++) {
        if (all[i].direction == PORT_IN) {
            t->in[t->in_count++] = all[i];
        } else {
            t->out[t->out_count++] = all[i];
        }
        unsigned words = (port_bits(&all[i]) + 63) / 64;
        t->words_max = words > t->words_max ? words : t->words_max;
    }
    return true;
}

static const unsigned char *address_of_element(const struct port_desc *port, const void *base,
                                               unsigned i) {
    return (const unsigned char *)base + port->offset + i * port->type_size;
}

static uint64_t load_value(const unsigned char *from, size_t size) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
    } v;
    switch (size) {
    case 1: memcpy(&v.u8, from, 1); return v.u8;
    case 2: memcpy(&v.u16, from, 2); return v.u16;
    case 4: memcpy(&v.u32, from, 4); return v.u32;
    default: memcpy(&v.u64, from, 8); return v.u64;
    }
}

static void store_value(unsigned char *to, size_t size, uint64_t value) {
    uint8_t u8 = (uint8_t)value;
    uint16_t u16 = (uint16_t)value;
    uint32_t u32 = (uint32_t)value;
    switch (size) {
    case 1: memcpy(to, &u8, 1); break;
    case 2: memcpy(to, &u16, 2); break;
    case 4: memcpy(to, &u32, 4); break;
    default: memcpy(to, &value, 8); break;
    }
}

/* The lowest n bits; n may be 64. */
static uint64_t low_bits(unsigned n) {
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

uint64_t ports_differ(const struct port_table *t, const void *a, const void *b, uint64_t mask) {
    uint64_t differ = 0;
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctzll(mask);
        const struct port_desc *port = &t->out[i];
        const unsigned char *pa = address_of_element(port, a, 0),
                            *pb = address_of_element(port, b, 0);
        bool equal;
        if (port->shape == PORT_SCALAR && port->type_size == 1) {
            equal = *pa == *pb;
        } else if (port->shape == PORT_WIDE) {
            equal = memcmp(pa, pb, (port->bits + 63) / 64 * sizeof(uint64_t)) == 0;
        } else {
            equal = memcmp(pa, pb, port->count * port->type_size) == 0;
        }
        differ |= (uint64_t)!equal << i;
    }
    return differ;
}

void ports_cut(const struct port_table *t, void *in, bool late) {
    for (unsigned i = 0; i < t->in_count; i++) {
        const struct port_desc *port = &t->in[i];
        if (late && !port->late) {
            continue;
        }
        unsigned char *at = (unsigned char *)in + port->offset;
        if (port->shape == PORT_WIDE) {
            unsigned words = (unsigned)(port->type_size / sizeof(uint64_t));
            for (unsigned w = 0; w < words; w++) {
                unsigned bits = port->bits > 64 * w ? port->bits - 64 * w : 0;
                store_value(at + 8 * w, 8, load_value(at + 8 * w, 8) & (bits ? low_bits(bits) : 0));
            }
            continue;
        }
        for (unsigned e = 0; e < port->capacity; e++, at += port->type_size) {
            uint64_t keep = e < port->count ? low_bits(port->bits) : 0;
            store_value(at, port->type_size, load_value(at, port->type_size) & keep);
        }
    }
}

/* Or `bits` bits of value into words at bit `at`. */
static void put_bits(uint64_t *words, unsigned at, unsigned bits, uint64_t value) {
    value &= low_bits(bits);
    words[at / 64] |= value << at % 64;
    if (at % 64 + bits > 64) {
        words[at / 64 + 1] |= value >> (64 - at % 64);
    }
}

static uint64_t take_bits(const uint64_t *words, unsigned at, unsigned bits) {
    uint64_t value = words[at / 64] >> at % 64;
    if (at % 64 + bits > 64) {
        value |= words[at / 64 + 1] << (64 - at % 64);
    }
    return value & low_bits(bits);
}

void port_get(const struct port_desc *port, const void *base, uint64_t *words) {
    unsigned count = (port_bits(port) + 63) / 64;
    memset(words, 0, count * sizeof *words);
    if (port->shape == PORT_WIDE) {
        memcpy(words, address_of_element(port, base, 0), count * sizeof *words);
        words[count - 1] &= low_bits(port->bits - 64 * (count - 1));
        return;
    }
    for (unsigned e = 0; e < port->count; e++) {
        put_bits(words, e * port->bits, port->bits,
                 load_value(address_of_element(port, base, e), port->type_size));
    }
}

void port_set(const struct port_desc *port, void *base, const uint64_t *words) {
    unsigned char *at = (unsigned char *)base + port->offset;
    if (port->shape == PORT_WIDE) {
        unsigned count = (port->bits + 63) / 64;
        memset(at, 0, port->type_size);
        memcpy(at, words, count * sizeof *words);
        uint64_t last = words[count - 1] & low_bits(port->bits - 64 * (count - 1));
        memcpy(at + (count - 1) * sizeof last, &last, sizeof last);
        return;
    }
    for (unsigned e = 0; e < port->count; e++) {
        store_value(at + e * port->type_size, port->type_size,
                    take_bits(words, e * port->bits, port->bits));
    }
}

const struct port_desc *port_find(const struct port_desc *ports, unsigned count, const char *name) {
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            return &ports[i];
        }
    }
    return NULL;
}

static size_t append_number(char *text, size_t size, uint64_t value, unsigned bits) {
    int n = bits == 1 && value <= 1
                ? snprintf(text, size, "%" PRIu64, value)
                : snprintf(text, size, "0x%0*" PRIx64, (int)((bits + 3) / 4), value);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

const char *port_text(const struct port_desc *port, const void *base, char *text, size_t size) {
    size_t used = 0;
    if (port->shape == PORT_WIDE && port->bits > 64) {
        unsigned w = (port->bits + 63) / 64 - 1;
        used += append_number(text, size, load_value(address_of_element(port, base, 0) + 8 * w, 8),
                              port->bits - 64 * w);
        while (w-- && used + 1 < size) {
            int n = snprintf(text + used, size - used, "%016" PRIx64,
                             load_value(address_of_element(port, base, 0) + 8 * w, 8));
            used += n > 0 ? (size_t)n : 0;
        }
        return text;
    }
    if (port->shape != PORT_VECTOR) {
        size_t bytes = port->shape == PORT_WIDE ? 8 : port->type_size;
        append_number(text, size, load_value(address_of_element(port, base, 0), bytes), port->bits);
        return text;
    }
    for (unsigned e = 0; e < port->count && used + 3 < size; e++) {
        int n = snprintf(text + used, size - used, "%s%" PRIu64, e ? " " : "{",
                         load_value(address_of_element(port, base, e), port->type_size));
        used += n > 0 ? (size_t)n : 0;
    }
    if (used + 1 < size) {
        snprintf(text + used, size - used, "}");
    }
    return text;
}
