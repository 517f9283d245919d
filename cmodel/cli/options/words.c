/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum words_result words_split(struct words *w, const char *text, unsigned most,
                              const char **twice) {
    words_free(w);
    w->storage = strdup(text);
    if (!w->storage) {
        return WORDS_NO_MEMORY;
    }
    for (char *at = w->storage;; at++) {
        size_t length = strcspn(at, ",");
        bool last = !at[length];
        at[length] = '\0';
        if (!length) {
            return WORDS_EMPTY;
        }
        for (unsigned i = 0; i < w->count; i++) {
            if (!strcmp(w->word[i], at)) {
                *twice = at;
                return WORDS_TWICE;
            }
        }
        if (w->count == most) {
            return WORDS_MANY;
        }
        w->word[w->count++] = at;
        if (last) {
            return WORDS_GOOD;
        }
        at += length;
    }
}

void words_free(struct words *w) {
    free(w->storage);
    *w = (struct words){0};
}
