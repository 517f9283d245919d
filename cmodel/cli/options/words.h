/* SPDX-License-Identifier: Apache-2.0
 *
 * "a,b,c" as a list of names.
 */
#ifndef WARPMEM_CLI_OPTIONS_WORDS_H
#define WARPMEM_CLI_OPTIONS_WORDS_H

#define WORDS_MAX 64

struct words {
    char *word[WORDS_MAX];
    unsigned count;
    char *storage;
};

enum words_result { WORDS_GOOD, WORDS_EMPTY, WORDS_TWICE, WORDS_MANY, WORDS_NO_MEMORY };

/**
 * words_split() - split a text into a list of names, which replaces the list's old contents. No
 * name may be empty.
 * @most: at most WORDS_MAX
 * @twice: set for WORDS_TWICE: the repeated name
 */
enum words_result words_split(struct words *w, const char *text, unsigned most, const char **twice);
void words_free(struct words *w);

#endif
