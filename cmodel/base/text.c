/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 64
#define PART_MIN 3 /* letters that are enough to match a part of a name */

const char *text_shown(char *buf, size_t size, const char *s) {
    size_t n = 0;
    while (s[n] && n < size - 1) {
        unsigned char c = (unsigned char)s[n];
        buf[n++] = (char)(c < 0x20 || c == 0x7f ? '?' : c);
    }
    if (s[n]) {
        memcpy(buf + size - 4, "...", 3);
    }
    buf[n] = '\0';
    return buf;
}

static unsigned least_of_three(unsigned a, unsigned b, unsigned c) {
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

unsigned text_distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b);
    if (rows >= WORD_MAX || columns >= WORD_MAX) {
        return strcmp(a, b) ? WORD_MAX : 0;
    }
    unsigned d[3][WORD_MAX]; /* the two rows before and this one, in turn */
    for (size_t j = 0; j <= columns; j++) {
        d[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= rows; i++) {
        unsigned *above2 = d[(i + 1) % 3], *above = d[(i - 1) % 3], *row = d[i % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least_of_three(above[j] + 1, row[j - 1] + 1, replace);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < row[j]) {
                row[j] = above2[j - 2] + 1;
            }
        }
    }
    return d[rows % 3][columns];
}

void text_nearest_init(struct text_nearest *n, const char *wanted) {
    size_t length = strlen(wanted);
    /* A third of the letters may be wrong, but at least one; with more errors it is another
     * word. */
    unsigned wrong = (unsigned)(length + 1) / 3;
    *n = (struct text_nearest){.wanted = wanted, .farthest = 2 * (wrong ? wrong : 1)};
    n->distance = length < WORD_MAX ? n->farthest + 1 : 0; /* nothing is near a word that long */
}

/* Twice the wrong letters. What is spelled nearly so is meant first, then the shortest name that
 * begins so, then one with the word in it. */
static unsigned distance_to_candidate(const struct text_nearest *n, const char *candidate) {
    unsigned d = 2 * text_distance(n->wanted, candidate);
    const char *part = strlen(n->wanted) >= PART_MIN ? strstr(candidate, n->wanted) : NULL;
    unsigned as_part = part == candidate ? n->farthest - 1 : n->farthest;
    return part && as_part < d ? as_part : d;
}

void text_nearest_offer(struct text_nearest *n, const char *candidate) {
    unsigned d = distance_to_candidate(n, candidate);
    bool shorter = d == n->farthest - 1 && d == n->distance && strlen(candidate) < strlen(n->best);
    if (d < n->distance || shorter) {
        n->distance = d;
        n->best = candidate;
    }
}

void text_list(char *list, size_t size, const char *name) {
    static const char more[] = ", ...";
    size_t used = strlen(list), room = size - used;
    if (used >= sizeof more - 1 && !strcmp(list + used - sizeof more + 1, more)) {
        return;
    }
    if (used + strlen(name) + 2 + sizeof more > size) {
        snprintf(list + used, room, "%s", more);
    } else {
        snprintf(list + used, room, "%s%s", used ? ", " : "", name);
    }
}
