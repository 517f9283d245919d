/* SPDX-License-Identifier: Apache-2.0
 *
 * The policy of l2/replacement.h as an L2 bank uses it.
 */
#ifndef WARPMEM_L2_REPLACER_H
#define WARPMEM_L2_REPLACER_H

#include "base/alarm.h"
#include "base/build.h"
#include "base/tag_array.h"
#include "l2/replacement.h"

struct l2_replacer {
    const struct l2_replacement_kind *kind;
    struct l2_replacement_view view;
    struct alarm *alarm;
    bool checks; /* each question is put twice */
    size_t state_size;
    uint8_t *state, *copy;
};

/** l2_replacer_create() - for a bank. NULL: out of memory. A wrong answer rings the alarm. */
struct l2_replacer *l2_replacer_create(const struct l2_replacement_kind *kind,
                                       const struct l2_replacement_view *view,
                                       const struct build *build);
void l2_replacer_destroy(struct l2_replacer *p);

/** l2_replacer_victim() - the way for a request that misses: a free one, else the policy's victim;
 * TAG_NO_WAY: none, or the answer was wrong and the alarm rings. */
int l2_replacer_victim(struct l2_replacer *p, const struct tag_array *tags, const struct request *r,
                       uint64_t line, unsigned set);

/** l2_replacer_touch(), l2_replacer_insert() - the access took place. */
void l2_replacer_touch(struct l2_replacer *p, const struct request *r, uint64_t line, unsigned set,
                       int way);
void l2_replacer_insert(struct l2_replacer *p, const struct request *r, uint64_t line, unsigned set,
                        int way);

#endif
