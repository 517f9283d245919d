/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/named_policies.h"

#include <stdio.h>
#include <string.h>

#include "config/derived.h"

const char *policy_place_key(unsigned place) {
#define PLACE_KEY(place, kind, row_at) #place ".policy",
    static const char *const keys[] = {POLICY_PLACES(PLACE_KEY)};
#undef PLACE_KEY
    return keys[place];
}

const char *policy_place_word(const struct config *c, unsigned place) {
#define PLACE_WORD(place, kind, row_at) c->place.policy,
    const char *const words[] = {POLICY_PLACES(PLACE_WORD)};
#undef PLACE_WORD
    return words[place];
}

void policy_place_fill(struct config *c, unsigned place, const char *name) {
#define PLACE_FIELD(place, kind, row_at) c->place.policy,
    char *const words[] = {POLICY_PLACES(PLACE_FIELD)};
#undef PLACE_FIELD
    snprintf(words[place], CONFIG_TEXT, "%s", name);
}

const char *named_policy_row(unsigned place, unsigned i, const char **about) {
#define NAMED_ROW(where, struct_kind, row_at) \
    case POLICY_PLACE_##where: { \
        const struct_kind *kind; \
        for (unsigned k = 0; (kind = row_at(k)); k++) { \
            if (!kind->wanted && !i--) { \
                *about = kind->about; \
                return kind->name; \
            } \
        } \
        return NULL; \
    }
    switch (place) { POLICY_PLACES(NAMED_ROW) }
#undef NAMED_ROW
    return NULL;
}

bool named_policy_row_exists(unsigned place, const char *name) {
    const char *row, *about;
    for (unsigned i = 0; (row = named_policy_row(place, i, &about)); i++) {
        if (!strcmp(row, name)) {
            return true;
        }
    }
    return false;
}

unsigned named_policies_find(struct named_policies *p, const struct config *c) {
#define FIND_ROW(place, struct_kind, row_at) \
    if (config_names_policy(c->place.policy)) { \
        const struct_kind *kind; \
        for (unsigned k = 0; !p->place && (kind = row_at(k)); k++) { \
            p->place = !kind->wanted && !strcmp(kind->name, c->place.policy) ? kind : NULL; \
        } \
        if (!p->place || strcmp(p->place->name, c->place.policy)) { \
            return POLICY_PLACE_##place; \
        } \
    }
    POLICY_PLACES(FIND_ROW)
#undef FIND_ROW
    return POLICY_PLACE_COUNT;
}
