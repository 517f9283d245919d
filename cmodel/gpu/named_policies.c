/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/named_policies.h"

#include <stdio.h>

const char *policy_place_key(unsigned place) {
#define PLACE_KEY(place, kind) #place ".policy",
    static const char *const keys[] = {POLICY_PLACES(PLACE_KEY)};
#undef PLACE_KEY
    return keys[place];
}

const char *policy_place_word(const struct config *c, unsigned place) {
#define PLACE_WORD(place, kind) c->place.policy,
    const char *const words[] = {POLICY_PLACES(PLACE_WORD)};
#undef PLACE_WORD
    return words[place];
}

void policy_place_fill(struct config *c, unsigned place, const char *name) {
#define PLACE_FIELD(place, kind) c->place.policy,
    char *const words[] = {POLICY_PLACES(PLACE_FIELD)};
#undef PLACE_FIELD
    snprintf(words[place], CONFIG_TEXT, "%s", name);
}

const char *named_policy_name(const struct named_policies *p, unsigned place) {
#define PLACE_NAME(place, kind) p->place ? p->place->name : NULL,
    const char *const names[] = {POLICY_PLACES(PLACE_NAME)};
#undef PLACE_NAME
    return names[place];
}
