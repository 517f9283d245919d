/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/address_filter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool address_filter_init(struct address_filter *f, unsigned bits, unsigned hashes,
                         unsigned addresses) {
    assert(bits >= 64 && !(bits & (bits - 1)) && hashes && addresses);
    *f = (struct address_filter){.words = calloc(bits / 64, sizeof(uint64_t)),
                                 .mask = bits - 1,
                                 .hashes = hashes,
                                 .addresses = addresses};
    return f->words;
}

void address_filter_destroy(struct address_filter *f) {
    free(f->words);
}

/* Hash function @i: multiply and fold, so that each bit of the line affects each bit of the result.
 * The constants are the odd ones of the splitmix64 generator. */
static unsigned filter_bit_of(const struct address_filter *f, uint64_t line, unsigned i) {
    uint64_t x = line + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((x ^ (x >> 31)) & f->mask);
}

bool address_filter_knows(const struct address_filter *f, uint64_t line) {
    for (unsigned i = 0; i < f->hashes; i++) {
        unsigned bit = filter_bit_of(f, line, i);
        if (!(f->words[bit / 64] >> bit % 64 & 1)) {
            return false;
        }
    }
    return true;
}

void address_filter_insert(struct address_filter *f, uint64_t line) {
    if (++f->inserted == f->addresses) {
        memset(f->words, 0, (f->mask + UINT64_C(1)) / 8);
        f->inserted = 0;
        return;
    }
    for (unsigned i = 0; i < f->hashes; i++) {
        unsigned bit = filter_bit_of(f, line, i);
        f->words[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}
