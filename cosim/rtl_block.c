/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/rtl_block.h"

#include <string.h>

const struct rtl_block *rtl_block_find(const char *block, const char *set) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(all[i]->block->name, block) == 0 && strcmp(all[i]->set->name, set) == 0) {
            return all[i];
        }
    }
    return NULL;
}

const struct rtl_block *rtl_block_matching(const struct block *block, const void *params) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(all[i]->block->name, block->name) == 0 &&
            memcmp(all[i]->set->values, params, block->param_count * sizeof(unsigned)) == 0) {
            return all[i];
        }
    }
    return NULL;
}
