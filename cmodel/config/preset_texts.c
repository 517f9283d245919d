/* SPDX-License-Identifier: Apache-2.0 */
#include "config/preset_texts.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

#define CHAIN_MAX 8 /* files, each inheriting the next */

static const struct preset_text *find_preset_text(const struct preset_text *all, const char *name) {
    for (; all->name; all++) {
        if (!strcmp(all->name, name)) {
            return all;
        }
    }
    return NULL;
}

/* @machines: parents alone do not count. */
static bool unknown_preset(const struct preset_text *all, const char *name, bool machines,
                           struct config_error *e) {
    char shown[TEXT_SHOWN], list[256] = "";
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (; all->name; all++) {
        if (all->machine || !machines) {
            text_nearest_offer(&near, all->name);
            text_list(list, sizeof list, all->name);
        }
    }
    text_shown(shown, sizeof shown, name);
    if (near.best) {
        return config_fail(e, "preset %s: there is none of that name; did you mean %s?", shown,
                           near.best);
    }
    return config_fail(e, "preset %s: there is none of that name; must be one of %s", shown, list);
}

/* A preset's files: the first is its own. */
struct chain {
    const struct preset_text *text[CHAIN_MAX];
    struct config_layer layer[CHAIN_MAX];
    unsigned count;
};

static bool append_preset_text(struct chain *chain, const struct preset_text *t,
                               struct config_error *e) {
    char origin[CONFIG_KEY_TEXT];
    const struct config_layer *child = chain->layer + (chain->count ? chain->count - 1 : 0);
    for (unsigned i = 0; i < chain->count; i++) {
        if (chain->text[i] == t) {
            return config_fail(e, "%s: base = %s: %s inherits this file: must not be a circle",
                               child->base_place, t->name, t->name);
        }
    }
    if (chain->count == CHAIN_MAX) {
        return config_fail(e, "%s: base = %s: must be at most %d files, one upon the other",
                           child->base_place, t->name, CHAIN_MAX);
    }
    snprintf(origin, sizeof origin, "preset %.40s", t->name);
    chain->text[chain->count] = t;
    struct config_layer *l = &chain->layer[chain->count++];
    return config_layer_text(l, origin, (const char *)t->text, t->size, e) &&
           (!*l->name ||
            config_fail(e, "%s: name = %s: a preset has that of its file", origin, l->name));
}

static bool make_preset_chain(struct chain *chain, const struct preset_text *all,
                              const struct preset_text *t, struct config_error *e) {
    for (;;) {
        if (!append_preset_text(chain, t, e)) {
            return false;
        }
        const struct config_layer *l = &chain->layer[chain->count - 1];
        if (!*l->base) {
            return true;
        }
        t = find_preset_text(all, l->base);
        if (!t) {
            struct config_error why;
            unknown_preset(all, l->base, false, &why);
            return config_fail(e, "%s: base: %.180s", l->base_place, why.text);
        }
    }
}

bool preset_parse(struct config *c, struct preset_source source[CONFIG_KEYS],
                  const struct preset_text *all, const char *name, struct config_error *e) {
    struct chain chain = {.count = 0};
    char key[CONFIG_KEY_TEXT];
    const struct preset_text *t = find_preset_text(all, name);
    if (!t || !t->machine) {
        return unknown_preset(all, name, true, e);
    }
    if (!make_preset_chain(&chain, all, t, e)) {
        return false;
    }
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        unsigned from = 0;
        while (from < chain.count && !chain.layer[from].place[i].line) {
            from++;
        }
        if (from < chain.count) {
            config_key_copy(c, &chain.layer[from].values, i);
        } else if (!k->default_value) {
            return config_fail(e, "preset %s: %s is missing: a preset gives or inherits every key",
                               name, config_key_text(i, key));
        } else if (!config_value_assign(c, i, k->default_value, e)) {
            return false;
        }
        if (source && from < chain.count) {
            source[i] = (struct preset_source){chain.text[from]->name, chain.layer[from].place[i]};
        } else if (source) {
            source[i] = (struct preset_source){0};
        }
    }
    return true;
}

bool config_preset(struct config *c, const char *name, struct config_error *e) {
    struct config parsed;
    if (!preset_parse(&parsed, NULL, preset_texts, name, e)) {
        return false;
    }
    *c = parsed;
    return true;
}

bool config_preset_exists(const char *name, struct config_error *e) {
    const struct preset_text *t = find_preset_text(preset_texts, name);
    return (t && t->machine) || unknown_preset(preset_texts, name, true, e);
}

const char *config_preset_name(unsigned i, const char **about) {
    for (const struct preset_text *t = preset_texts; t->name && t->machine; t++) {
        if (!i--) {
            if (about) {
                *about = t->about;
            }
            return t->name;
        }
    }
    return NULL;
}

void preset_print_sources(const struct config *c, const char *preset, FILE *out) {
    struct preset_source source[CONFIG_KEYS];
    struct config base;
    struct config_error e;
    char value[CONFIG_KEY_TEXT];
    bool good = preset_parse(&base, source, preset_texts, preset, &e);
    assert(good); /* @c was made from it */
    (void)good;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct preset_source *s = &source[i];
        config_print_section(i, out);
        fprintf(out, "%-17s = %-13s ; ", config_key_at(i)->name, config_value_text(c, i, value));
        if (!config_key_same(c, &base, i)) {
            fprintf(out, "scheme, part, --config or --set\n");
        } else if (!s->file) {
            fprintf(out, "default: %s\n", config_key_at(i)->source);
        } else {
            fprintf(out, "%s.ini:%u%s%.*s\n", s->file, s->place.line, s->place.note ? ": " : "",
                    s->place.note_length, s->place.note ? s->place.note : "");
        }
    }
}
