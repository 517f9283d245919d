/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank_filters.h"

#include <stdlib.h>

#include "l2/bank.h"

static unsigned share_of_bank(unsigned of_partition, unsigned banks, unsigned least) {
    unsigned of_bank = of_partition / banks;
    return of_bank > least ? of_bank : least;
}

struct l2_filters *l2_filters_create(const struct config *config) {
    struct l2_filters *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    f->eaf = config->l2.insertion == L2_INSERTION_EAF;
    f->bimodal = config->eaf.bimodal;
    unsigned banks = config->l2.banks;
    if (f->eaf &&
        !address_filter_init(&f->evicted, share_of_bank(config->eaf.bits, banks, 64),
                             config->eaf.hashes, share_of_bank(config->eaf.addresses, banks, 1))) {
        free(f);
        return NULL;
    }
    return f;
}

void l2_filters_destroy(struct l2_filters *f) {
    if (f) {
        address_filter_destroy(&f->evicted);
        free(f);
    }
}

static bool goes_low(struct l2_filters *f, uint64_t line) {
    if (address_filter_knows(&f->evicted, line)) {
        return false;
    }
    f->unknown = f->unknown + 1 == f->bimodal ? 0 : f->unknown + 1;
    return f->unknown;
}

bool l2_filters_take(struct l2_filters *f, const struct l2_bank *b, uint64_t line, unsigned set,
                     int way) {
    bool low = f->eaf && goes_low(f, line);
    if (tag_is_valid(&b->tags, set, way)) {
        uint64_t victim = tag_line(&b->tags, set, way);
        if (f->eaf) {
            address_filter_insert(&f->evicted, victim);
        }
        if (f->recent) {
            address_filter_insert(f->recent, victim << b->local_shift | b->number);
        }
    }
    return low;
}
