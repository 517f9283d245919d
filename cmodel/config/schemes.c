/* SPDX-License-Identifier: Apache-2.0 */
#include "config/schemes.h"

#include <string.h>

#include "base/text.h"
#include "config/keys.h"

/* clang-format off */
#define MRPB_ON "l1.mrpb=on", "mrpb.depth=8", "mrpb.latency=5", "mrpb.bypass=associativity"

static const struct scheme schemes[] = {
    {NULL, "baseline", "no memory request prioritization buffer", {"l1.mrpb=off"}, NULL},
    {NULL, "mrpb", "MRPB as in HPCA 2014, table 4: 8 entries a queue, 5 cycles, bypass on associativity stalls", {MRPB_ON}, NULL},
    {NULL, "gto", "greedy-then-oldest warp schedulers; combines with others: mrpb+gto", {"issue.scheduler=gto"}, NULL},
    {NULL, "best-swl", "static warp limiting: runs every number of warps a scheduler picks from, keeps the fastest; on GTO, or +SCHEDULER (MICRO 2012, DAWS 7.1)", {"?issue.scheduler=gto"}, "issue.warp_limit"},
    {"issue", "lrr", "loose round-robin warp schedulers", {"issue.scheduler=lrr"}, NULL},
    {"issue", "gto", "greedy-then-oldest warp schedulers", {"issue.scheduler=gto"}, NULL},
    {"l1", "baseline", "no buffer before the L1", {"l1.mrpb=off"}, NULL},
    {"l1", "mrpb", "MRPB as in HPCA 2014, table 4", {MRPB_ON}, NULL},
};
/* clang-format on */
enum { SCHEMES = sizeof schemes / sizeof *schemes };

const struct scheme *scheme_at(unsigned i) {
    return i < SCHEMES ? &schemes[i] : NULL;
}

static bool same_place(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

/* How messages name a pick: "scheme mrpb", "--l1 mrpb". */
static const char *title(const struct scheme *s, char buf[CONFIG_KEY_TEXT]) {
    snprintf(buf, CONFIG_KEY_TEXT, s->place ? "--%s %s" : "%sscheme %s", s->place ? s->place : "",
             s->name);
    return buf;
}

static bool unknown(const char *place, const char *name, struct config_error *e) {
    char shown[TEXT_SHOWN], list[200] = "";
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (unsigned i = 0; i < SCHEMES; i++) {
        if (same_place(place, schemes[i].place)) {
            size_t used = strlen(list);
            text_nearest_offer(&near, schemes[i].name);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", schemes[i].name);
        }
    }
    text_shown(shown, sizeof shown, name);
    snprintf(e->text, sizeof e->text, "%s%s %s: there is none of that name; %s%s%s",
             place ? "--" : "", place ? place : "scheme", *shown ? shown : "(nothing)",
             near.best ? "did you mean " : "must be one of ", near.best ? near.best : list,
             near.best ? "?" : "");
    return false;
}

static bool contradicts(const struct scheme *a, const struct scheme *b, struct config_error *e) {
    char first[CONFIG_KEY_TEXT], second[CONFIG_KEY_TEXT];
    for (const char *const *x = a->assignments; *x; x++) {
        for (const char *const *y = b->assignments; *y; y++) {
            size_t key = strcspn(*x, "=");
            if (!strncmp(*x, *y, key + 1) && strcmp(*x, *y)) {
                snprintf(e->text, sizeof e->text, "%s and %s cannot be combined: %s against %s",
                         title(a, first), title(b, second), *x, *y);
                return true;
            }
        }
    }
    return false;
}

static bool pick_one(struct scheme_selection *s, const char *place, const char *name,
                     struct config_error *e) {
    for (unsigned i = 0; i < SCHEMES; i++) {
        const struct scheme *new = &schemes[i];
        if (!same_place(place, new->place) || strcmp(name, new->name)) {
            continue;
        }
        for (unsigned k = 0; k < s->count; k++) {
            if (contradicts(s->pick[k], new, e)) {
                return false;
            }
        }
        if (s->count == SCHEME_PICKS_MAX) {
            snprintf(e->text, sizeof e->text, "%s: at most %d names can be combined", name,
                     SCHEME_PICKS_MAX);
            return false;
        }
        s->pick[s->count++] = new;
        return true;
    }
    return unknown(place, name, e);
}

bool scheme_pick(struct scheme_selection *s, const char *place, const char *names,
                 struct config_error *e) {
    for (;;) {
        char name[TEXT_SHOWN];
        size_t length = strcspn(names, "+");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name),
                 names);
        if (!pick_one(s, place, name, e)) {
            return false;
        }
        if (!names[length]) {
            return true;
        }
        names += length + 1;
    }
}

static bool apply(const struct scheme_selection *s, bool yielding, struct config *c,
                  struct config_error *e) {
    for (unsigned i = 0; i < s->count; i++) {
        for (const char *const *a = s->pick[i]->assignments; *a; a++) {
            if ((**a == '?') == yielding && !config_set(c, *a + yielding, e)) {
                return false;
            }
        }
    }
    return true;
}

bool scheme_apply(const struct scheme_selection *s, struct config *c, struct config_error *e) {
    return apply(s, true, c, e) && apply(s, false, c, e);
}

const char *scheme_sweep(const struct scheme_selection *s) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->pick[i]->sweep) {
            return s->pick[i]->sweep;
        }
    }
    return NULL;
}

const char *scheme_label(const struct scheme_selection *s, char buf[SCHEME_LABEL]) {
    snprintf(buf, SCHEME_LABEL, "baseline");
    for (unsigned i = 0, used = 0; i < s->count && used < SCHEME_LABEL; i++) {
        const struct scheme *p = s->pick[i];
        used += (unsigned)snprintf(buf + used, SCHEME_LABEL - used, "%s%s%s%s", i ? "+" : "",
                                   p->place ? p->place : "", p->place ? ":" : "", p->name);
    }
    return buf;
}

bool scheme_keys_differ(const struct config *a, const struct config *b) {
    char text[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (config_key_same(a, b, i)) {
            continue;
        }
        size_t length = strlen(config_key_text(i, text));
        for (unsigned k = 0; k < SCHEMES; k++) {
            for (const char *const *x = schemes[k].assignments; *x; x++) {
                if (!strncmp(*x, text, length) && (*x)[length] == '=') {
                    return true;
                }
            }
        }
    }
    return false;
}
