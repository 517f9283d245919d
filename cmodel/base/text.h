/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for messages: user input made safe to print on one line, and a guess at a misspelled word.
 */
#ifndef WARPMEM_BASE_TEXT_H
#define WARPMEM_BASE_TEXT_H

#include <stddef.h>

#define TEXT_SHOWN 80 /* room for a quoted piece of input in a message */

/**
 * text_shown() - copy for a message: control characters become '?', a text that does not fit ends
 * in "...".
 * @size: at least 4
 * Return: buf.
 */
const char *text_shown(char *buf, size_t size, const char *s);

/**
 * text_distance() - number of letters to insert, delete, replace or swap with their neighbour in
 * order to turn a into b. Words of more than 63 letters count as wholly different.
 */
unsigned text_distance(const char *a, const char *b);

/** text_list() - append a name to a list "a, b, ..."; "..." replaces names that do not fit. */
void text_list(char *list, size_t size, const char *name);

/* The best of the candidates offered so far. */
struct text_nearest {
    const char *wanted;
    const char *best; /* NULL: no candidate is near enough */
    unsigned distance, farthest;
};

void text_nearest_init(struct text_nearest *n, const char *wanted);
/** text_nearest_offer() - compare a candidate, which must outlive *n. The first of equals stays. */
void text_nearest_offer(struct text_nearest *n, const char *candidate);

#endif
