/* SPDX-License-Identifier: Apache-2.0
 *
 * The matches of mum without its tree: the suffixes of the reference, sorted. A query's neighbours
 * there give its longest match; the suffixes that share it give its node: their common prefix is
 * the string above the node.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/ispass/mum.h"

struct suffixes {
    const char *text; /* ends with 0, which is less than all bases */
    const char **sorted;
    uint32_t count;
};

static int before(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint32_t common(const char *a, const char *b) {
    uint32_t n = 0;
    while (a[n] && a[n] == b[n]) {
        n++;
    }
    return n;
}

/* The first suffix whose @n bases are not less than those of @string (@above: that are greater). */
static uint32_t bound(const struct suffixes *s, const char *string, size_t n, bool above) {
    uint32_t low = 0, high = s->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strncmp(s->sorted[middle], string, n);
        if (order < 0 || (above && order == 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Is @m where the longest match of @string ends? */
static bool right(const struct mum *k, const struct suffixes *s, const char *string,
                  const struct mum_match *m) {
    const uint32_t at = bound(s, string, MUM_QUERY, false);
    const uint32_t below = at > 0 ? common(s->sorted[at - 1], string) : 0;
    const uint32_t above = at < s->count ? common(s->sorted[at], string) : 0;
    const uint32_t longest = below > above ? below : above;
    if (longest < MUM_MATCH_MIN) {
        return !m->node && !m->edge && !m->unused;
    }
    const uint32_t first = bound(s, string, longest, false);
    const uint32_t last = bound(s, string, longest, true) - 1;
    /* A leaf's string has the terminator too. */
    const uint32_t depth = first == last ? (uint32_t)strlen(s->sorted[first]) + 1
                                         : common(s->sorted[first], s->sorted[last]);
    if (m->node < 1 || m->node >= (int32_t)k->nodes || m->unused) {
        return false;
    }
    const struct mum_node *node = (const struct mum_node *)k->node.data + mum_node_at(k, m->node);
    const uint32_t edge = (uint32_t)(node->end - node->start + 1);
    const int64_t begin = (int64_t)node->end + 1 - depth;
    const bool ends =
        m->edge == 0 ? longest == depth : m->edge < edge && longest == depth - edge + m->edge;
    return ends && begin >= 0 && strncmp(s->text + begin, string, longest) == 0;
}

static const char *check_matches(struct mum *k, const struct suffixes *s) {
    const struct mum_match *match = k->match.data;
    const struct mum_match none = {0};
    uint32_t wrong = memcmp(match, &none, sizeof none) == 0 ? UINT32_MAX : 0;
    for (uint32_t q = 0; q < k->queries && wrong == UINT32_MAX; q++) {
        const char *query = (const char *)k->query.data + (size_t)q * MUM_QUERY_BYTES + 1;
        for (uint32_t i = 0; i < MUM_STARTS; i++) {
            const uint32_t at = 1 + q * MUM_STARTS + i;
            wrong = wrong == UINT32_MAX && !right(k, s, query + i, &match[at]) ? at : wrong;
        }
    }
    if (wrong == UINT32_MAX) {
        return NULL;
    }
    snprintf(k->host.message, sizeof k->host.message,
             "match[%u] (node %d, edge %u) is not the longest of query %u", wrong,
             match[wrong].node, match[wrong].edge, (wrong - 1) / MUM_STARTS);
    return k->host.message;
}

const char *mum_check(void *self) {
    struct mum *k = self;
    char *text = malloc(k->length + 1);
    struct suffixes s = {text, malloc(k->length * sizeof *s.sorted), k->length};
    const char *error = "out of memory";
    if (text && s.sorted) {
        for (uint32_t i = 0; i < k->length; i++) {
            text[i] = ((const char *)k->reference.data)[mum_base_at(k, (int32_t)i)];
            s.sorted[i] = text + i;
        }
        text[k->length] = '\0';
        qsort(s.sorted, s.count, sizeof *s.sorted, before);
        error = check_matches(k, &s);
    }
    free(text);
    free(s.sorted);
    return error;
}
