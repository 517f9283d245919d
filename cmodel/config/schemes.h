/* SPDX-License-Identifier: Apache-2.0
 *
 * Schemes: named changes to a preset. Parts (--issue, --l1, --l2, --dram) are the same for one
 * place of the machine.
 *
 * Names joined by '+' apply together. Two that set one key to different values cannot be combined
 * and are refused. A name may have a number: swl:4.
 */
#ifndef WARPMEM_CONFIG_SCHEMES_H
#define WARPMEM_CONFIG_SCHEMES_H

#include "config/config.h"

#define SCHEME_VALUES_MAX 8
#define SCHEME_VALUE_TEXT (4 * CONFIG_TEXT)
#define SCHEME_PICKS_MAX 16
#define SCHEME_LABEL 256

struct scheme_key {
    const char *text; /* "section.key"; NULL: none */
    size_t offset;    /* in struct config */
    bool needed;      /* a name without its number, or with 0, is refused */
};

/* A key's new value: number * times[0] * times[1] / per, where a missing key counts as 1; for a
 * choice, number is its constant. */
struct scheme_value {
    struct scheme_key key;
    unsigned number;
    struct scheme_key times[2], per;
    bool yields; /* another pick of the same key overrides it */
};

struct scheme {
    const char
        *place; /* NULL: a whole scheme; else the part's option: "issue", "l1", "l2", "dram" */
    const char *name;
    const char *about;                                 /* one line */
    struct scheme_value values[SCHEME_VALUES_MAX + 1]; /* an entry without a key ends the list */
    struct scheme_key number; /* the key that N of name:N sets; none: the name takes no number */
    struct scheme_key sweep;  /* the key whose best value a sweep must find; none: no sweep */
};

/* The picks so far, in order. Zero-initialised: none. */
struct scheme_selection {
    const struct scheme *pick[SCHEME_PICKS_MAX];
    bool numbered[SCHEME_PICKS_MAX];
    unsigned number[SCHEME_PICKS_MAX]; /* where it is numbered */
    unsigned count;
    bool refused_unknown; /* scheme_pick() has refused a name because no scheme has it */
};

/** scheme_at() - the i-th scheme or part in the order of the list; NULL past the end. */
const struct scheme *scheme_at(unsigned i);
/** scheme_value_text() - "l1.ways=l1.sets*l1.ways". Return: buf. */
const char *scheme_value_text(const struct scheme_value *v, char buf[SCHEME_VALUE_TEXT]);

/**
 * scheme_pick() - add names to a selection.
 * @place: as in struct scheme
 * @names: "mrpb", "mrpb+gto", "swl:4"
 * Return: false, with a message, if a name is unknown or contradicts an earlier pick.
 */
bool scheme_pick(struct scheme_selection *s, const char *place, const char *names,
                 struct config_error *e);

/**
 * scheme_apply() - set the keys of the picks.
 * @c: the preset
 * A pick with a sweep leaves its key unchanged.
 */
bool scheme_apply(const struct scheme_selection *s, struct config *c, struct config_error *e);

/** scheme_sweep() - the key that a pick sweeps; NULL: none does. */
const char *scheme_sweep(const struct scheme_selection *s);

/**
 * scheme_number_given() - does each pick that takes a number have one, after its colon or by its
 * key?
 * @c: the whole configuration
 * Return: false with a message.
 */
bool scheme_number_given(const struct scheme_selection *s, const struct config *c,
                         struct config_error *e);

/** scheme_label() - "mrpb+gto", "mrpb+issue:gto", "baseline" without picks. Return: buf. */
const char *scheme_label(const struct scheme_selection *s, char buf[SCHEME_LABEL]);

/** scheme_keys_differ() - do @a and @b differ in a key that some scheme sets? */
bool scheme_keys_differ(const struct config *a, const struct config *b);

#endif
