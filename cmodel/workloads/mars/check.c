/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(m, ...) \
    (snprintf((m)->host.message, sizeof(m)->host.message, __VA_ARGS__), (m)->host.message)

/* Records of fixed sizes, one behind another in the order of the directory. */
static const char *check_directory(struct mars *m, const char *name, const struct mars_records *r,
                                   unsigned n, unsigned key_size, unsigned value_size) {
    if (m->failed) {
        return "out of memory";
    }
    if (r->count != n) {
        return SAY(m, "%s: %u records, plain C has %u", name, r->count, n);
    }
    const struct mars_entry *entry = r->entries.data;
    for (unsigned i = 0; i < n; i++) {
        const struct mars_entry *e = &entry[i];
        if (e->key_at != (int32_t)(i * key_size) || e->key_size != (int32_t)key_size ||
            e->value_at != (int32_t)(i * value_size) || e->value_size != (int32_t)value_size) {
            return SAY(m, "%s: entry %u is {%d, %d, %d, %d}", name, i, (int)e->key_at,
                       (int)e->key_size, (int)e->value_at, (int)e->value_size);
        }
    }
    return NULL;
}

static void take(struct mars_expected *to, const struct mars_records *r, unsigned i,
                 unsigned key_size, unsigned value_size) {
    memcpy(to->bytes, (const uint8_t *)r->keys.data + i * key_size, key_size);
    memcpy(to->bytes + key_size, (const uint8_t *)r->values.data + i * value_size, value_size);
}

const char *mars_check_records(struct mars *m, const char *name, const struct mars_records *r,
                               const struct mars_expected *expected, unsigned n, unsigned key_size,
                               unsigned value_size) {
    const char *error = check_directory(m, name, r, n, key_size, value_size);
    for (unsigned i = 0; i < n && !error; i++) {
        struct mars_expected got;
        take(&got, r, i, key_size, value_size);
        if (memcmp(&got, &expected[i], key_size + value_size) != 0) {
            error = SAY(m, "%s: record %u is not plain C's", name, i);
        }
    }
    return error;
}

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct mars_expected));
}

/* There must be a range for each key that differs from the one before, in its place. */
const char *mars_check_ranges(struct mars *m, const struct mars_group *g, unsigned key_size,
                              mars_order *order, const void *self) {
    const uint8_t *keys = g->sorted.keys.data;
    const struct mars_pair *range = g->range.data;
    unsigned groups = 0, from = 0;
    for (unsigned i = 1; i <= g->sorted.count; i++) {
        const bool ends = i == g->sorted.count ||
                          order(self, keys + (i - 1) * key_size, keys + i * key_size) != 0;
        if (ends && (groups >= g->count || range[groups].x != (int32_t)from ||
                     range[groups].y != (int32_t)i)) {
            return SAY(m, "range[%u] is not {%u, %u}", groups, from, i);
        }
        groups += ends;
        from = ends ? i : from;
    }
    return groups == g->count ? NULL : SAY(m, "%u groups, plain C has %u", g->count, groups);
}

const char *mars_check_sorted(struct mars *m, const struct mars_call *c,
                              struct mars_expected *expected, unsigned n, unsigned key_size,
                              unsigned value_size, mars_order *order, const void *self) {
    const struct mars_group *g = &c->group;
    const uint8_t *keys = g->sorted.keys.data;
    const char *error = check_directory(m, "sorted", &g->sorted, n, key_size, value_size);
    if (error) {
        return error;
    }
    struct mars_expected *got = calloc(n, sizeof *got);
    if (!got) {
        return "out of memory";
    }
    for (unsigned i = 0; i < n; i++) {
        take(&got[i], &g->sorted, i, key_size, value_size);
        memset(expected[i].bytes + key_size + value_size, 0,
               MARS_RECORD_BYTES - key_size - value_size);
    }
    qsort(got, n, sizeof *got, by_bytes);
    qsort(expected, n, sizeof *expected, by_bytes);
    for (unsigned i = 0; i < n && !error; i++) {
        if (by_bytes(&got[i], &expected[i]) != 0) {
            error = SAY(m, "sorted: not the records that plain C has");
        } else if (i > 0 && order(self, keys + (i - 1) * key_size, keys + i * key_size) > 0) {
            error = SAY(m, "sorted: record %u is before a smaller one", i - 1);
        }
    }
    free(got);
    return error ? error : mars_check_ranges(m, g, key_size, order, self);
}
