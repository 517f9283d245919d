/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for messages: user input made safe to print on one line, and the word that the user probably
 * meant.
 */
#ifndef WARPMEM_BASE_TEXT_H
#define WARPMEM_BASE_TEXT_H

#include <stddef.h>

#define TEXT_SHOWN 80 /* room for a quoted piece of input in a message */

/**
 * text_shown() - copy for a message: control characters become '?', what does not fit ends in
 * "...".
 * @size: at least 4
 * Return: buf.
 */
const char *text_shown(char *buf, size_t size, const char *s);

/**
 * text_distance() - letters to insert, delete, replace or swap with their neighbour to make a into
 * b.
 * Words of more than 63 letters count as wholly different.
 */
unsigned text_distance(const char *a, const char *b);

/** text_list() - append a name to a list in words, "a, b, ..."; what does not fit becomes "...". */
void text_list(char *list, size_t size, const char *name);

/* The best of the candidates offered so far. */
struct text_nearest {
    const char *wanted;
    const char *best; /* NULL: nothing is near enough to be meant */
    unsigned distance, farthest;
};

void text_nearest_init(struct text_nearest *n, const char *wanted);
/** text_nearest_offer() - the candidate must outlive *n. The first of equally near ones stays. */
void text_nearest_offer(struct text_nearest *n, const char *candidate);

#endif
