/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/keys.h"
#include "config/presets.h"

#define FILE_MAX (1u << 20) /* bytes; a file of every key with comments has some ten thousand */

__attribute__((format(printf, 2, 3))) static bool fail(struct config_error *e, const char *format,
                                                       ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

/* One pass over a file's text. */
struct parse {
    struct config *c;
    struct config_error *e;
    const char *origin; /* file name in messages */
    const char *at, *end;
    unsigned line;                /* number of the line that at follows */
    unsigned failed_line;         /* of the first message; 0: none yet */
    unsigned set_in[CONFIG_KEYS]; /* line, 0: not set */
};

/* The first message stays: what follows a mistake is often its consequence. */
__attribute__((format(printf, 2, 3))) static int fail_line(struct parse *p, const char *format,
                                                           ...) {
    char text[sizeof p->e->text / 2], origin[sizeof p->e->text / 2];
    if (!p->failed_line) {
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        p->failed_line = p->line;
        fail(p->e, "%s:%u: %s", text_shown(origin, sizeof origin - 16, p->origin), p->line, text);
    }
    return 0;
}

/*
 * libinih's reader: one line without its indentation, because to libinih indentation continues the
 * value above. Also says what libinih would pass over: text behind a section's bracket, and lines
 * that do not fit into its buffer.
 */
static char *read_line(char *buf, int size, void *stream) {
    struct parse *p = stream;
    if (p->at == p->end || p->failed_line) {
        return NULL;
    }
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    const char *start = p->at, *stop = newline ? newline : p->end;
    p->at = newline ? newline + 1 : p->end;
    p->line++;
    while (start < stop && (*start == ' ' || *start == '\t')) {
        start++;
    }
    int length = (int)(stop - start);
    if (length > size - 2) {
        fail_line(p, "a line of %d characters: must be at most %d", length, size - 2);
        return NULL;
    }
    memcpy(buf, start, (size_t)length);
    buf[length] = '\0';
    char *bracket = *buf == '[' ? strchr(buf, ']') : NULL;
    if (bracket) {
        char *rest = bracket + 1 + strspn(bracket + 1, " \t\r");
        if (*rest && *rest != ';' && *rest != '#') {
            fail_line(p, "text behind [section]: must stand in a line of its own");
            return NULL;
        }
    }
    buf[length] = '\n';
    buf[length + 1] = '\0';
    return buf;
}

/* "no such key", with what was probably meant: the same name elsewhere, or a near one. */
static void unknown_key(const char *section, const char *name, char *text, size_t size) {
    char shown[2 * TEXT_SHOWN], wanted[2 * TEXT_SHOWN], key[CONFIG_KEYS][CONFIG_KEY_TEXT];
    struct text_nearest near;
    snprintf(wanted, sizeof wanted, "%.60s.%.60s", section, name);
    text_nearest_init(&near, wanted);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        text_nearest_offer(&near, config_key_text(i, key[i]));
    }
    for (unsigned i = 0; i < CONFIG_KEYS && !near.best; i++) {
        if (!strcmp(config_key_at(i)->name, name)) {
            near.best = key[i];
        }
    }
    text_shown(shown, sizeof shown, wanted);
    if (near.best) {
        snprintf(text, size, "%s: no such key; did you mean %s?", shown, near.best);
    } else {
        snprintf(text, size, "%s: no such key; `warpmem config show PRESET` lists them", shown);
    }
}

/* Sets key i, or says what it allows. */
static bool assign(struct config *c, unsigned i, const char *value, char *text, size_t size) {
    char key[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT], shown[TEXT_SHOWN];
    if (config_value_put(c, i, value)) {
        return true;
    }
    snprintf(text, size, "%s = %s: must be %s", config_key_text(i, key),
             *value ? text_shown(shown, sizeof shown, value) : "(nothing)",
             config_allowed_text(i, allowed));
    return false;
}

static bool section_exists(const char *section) {
    for (unsigned i = 0; config_section_at(i); i++) {
        if (!strcmp(section, config_section_at(i))) {
            return true;
        }
    }
    return false;
}

static int unknown_section(struct parse *p, const char *section) {
    char shown[TEXT_SHOWN], list[160] = "";
    struct text_nearest near;
    text_nearest_init(&near, section);
    for (unsigned i = 0; config_section_at(i); i++) {
        text_nearest_offer(&near, config_section_at(i));
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", config_section_at(i));
    }
    text_shown(shown, sizeof shown, section);
    if (near.best) {
        return fail_line(p, "[%s]: no such section; did you mean [%s]?", shown, near.best);
    }
    return fail_line(p, "[%s]: no such section; there are %s", shown, list);
}

static int take(void *user, const char *section, const char *name, const char *value) {
    struct parse *p = user;
    char text[sizeof p->e->text / 2], key[CONFIG_KEY_TEXT], shown[TEXT_SHOWN];
    if (!*section) {
        return fail_line(p, "%s: stands before the first [section]",
                         text_shown(shown, sizeof shown, name));
    }
    if (!section_exists(section)) {
        return unknown_section(p, section);
    }
    int i = config_key_find(section, name);
    if (i < 0) {
        unknown_key(section, name, text, sizeof text);
        return fail_line(p, "%s", text);
    }
    if (p->set_in[i]) {
        return fail_line(p, "%s: set twice, first in line %u", config_key_text((unsigned)i, key),
                         p->set_in[i]);
    }
    p->set_in[i] = p->line;
    if (!assign(p->c, (unsigned)i, value, text, sizeof text)) {
        return fail_line(p, "%s", text);
    }
    return 1;
}

/* *p->c is changed also when this fails: callers parse into a copy. */
static bool parse_text(struct parse *p, const char *text, size_t size) {
    p->at = text;
    p->end = text + size;
    const char *zero = memchr(text, '\0', size);
    if (zero) {
        return fail(p->e, "%s: byte %zu is zero: must be text", p->origin, (size_t)(zero - text));
    }
    int line = ini_parse_stream(read_line, p, take, p);
    if (line < 0) {
        return fail(p->e, "%s: out of memory", p->origin);
    }
    if (line && (!p->failed_line || (unsigned)line < p->failed_line)) {
        p->failed_line = 0;
        p->line = (unsigned)line;
        fail_line(p, "must be [section], key = value, or a comment behind ;");
    }
    return !p->failed_line;
}

bool preset_parse(struct config *c, const struct preset_text *t, struct config_error *e) {
    char origin[CONFIG_KEY_TEXT], key[CONFIG_KEY_TEXT];
    snprintf(origin, sizeof origin, "preset %.40s", t->name);
    struct parse p = {.c = c, .e = e, .origin = origin};
    if (!parse_text(&p, (const char *)t->text, t->size)) {
        return false;
    }
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!p.set_in[i]) {
            return fail(e, "%s: %s is missing: a preset gives every key", origin,
                        config_key_text(i, key));
        }
    }
    return true;
}

bool config_preset(struct config *c, const char *name, struct config_error *e) {
    char shown[TEXT_SHOWN], list[256] = "";
    struct text_nearest near;
    text_nearest_init(&near, name);
    for (const struct preset_text *t = preset_texts; t->name; t++) {
        if (!strcmp(t->name, name)) {
            struct config parsed = {0};
            if (!preset_parse(&parsed, t, e)) {
                return false;
            }
            *c = parsed;
            return true;
        }
        text_nearest_offer(&near, t->name);
        text_list(list, sizeof list, t->name);
    }
    text_shown(shown, sizeof shown, name);
    if (near.best) {
        return fail(e, "preset %s: there is none of that name; did you mean %s?", shown, near.best);
    }
    return fail(e, "preset %s: there is none of that name; must be one of %s", shown, list);
}

const char *config_preset_name(unsigned i, const char **about) {
    for (unsigned k = 0; k < i; k++) {
        if (!preset_texts[k].name) {
            return NULL;
        }
    }
    if (preset_texts[i].name && about) {
        *about = preset_texts[i].about;
    }
    return preset_texts[i].name;
}

bool config_file(struct config *c, const char *path, struct config_error *e) {
    char shown[sizeof e->text / 2];
    text_shown(shown, sizeof shown, path);
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(FILE_MAX + 1) : NULL;
    if (!text) {
        fail(e, "%s: cannot be read: %s", shown, strerror(errno));
        if (f) {
            fclose(f);
        }
        return false;
    }
    errno = 0;
    size_t size = fread(text, 1, FILE_MAX + 1, f);
    bool good = false;
    if (ferror(f)) {
        fail(e, "%s: cannot be read: %s", shown, strerror(errno));
    } else if (size > FILE_MAX) {
        fail(e, "%s: more than %u bytes: must be an INI file of the keys", shown, FILE_MAX);
    } else {
        struct config changed = *c;
        struct parse p = {.c = &changed, .e = e, .origin = shown};
        good = parse_text(&p, text, size);
        if (good) {
            *c = changed;
        }
    }
    fclose(f);
    free(text);
    return good;
}

/* Copies [from, to) without blanks at its ends; false when it does not fit. */
static bool trimmed(char *buf, size_t size, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (from < to && (to[-1] == ' ' || to[-1] == '\t')) {
        to--;
    }
    if ((size_t)(to - from) >= size) {
        return false;
    }
    memcpy(buf, from, (size_t)(to - from));
    buf[to - from] = '\0';
    return true;
}

bool config_set(struct config *c, const char *assignment, struct config_error *e) {
    char section[CONFIG_KEY_TEXT], name[CONFIG_KEY_TEXT], value[2 * TEXT_SHOWN];
    char shown[TEXT_SHOWN];
    const char *equals = strchr(assignment, '=');
    const char *dot = equals ? memchr(assignment, '.', (size_t)(equals - assignment)) : NULL;
    if (!dot || !trimmed(section, sizeof section, assignment, dot) ||
        !trimmed(name, sizeof name, dot + 1, equals) ||
        !trimmed(value, sizeof value, equals + 1, assignment + strlen(assignment))) {
        return fail(e, "%s: must be section.key=value",
                    text_shown(shown, sizeof shown, assignment));
    }
    int i = config_key_find(section, name);
    if (i < 0) {
        unknown_key(section, name, e->text, sizeof e->text);
        return false;
    }
    return assign(c, (unsigned)i, value, e->text, sizeof e->text);
}

void config_print(const struct config *c, FILE *out) {
    char value[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT];
    const char *section = "";
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        if (strcmp(section, config_key_section(i))) {
            section = config_key_section(i);
            fprintf(out, "%s[%s]\n", i ? "\n" : "", section);
        }
        config_value_text(c, i, value);
        config_allowed_text(i, allowed);
        if (k->kind == CONFIG_WORD) { /* both in one line can be more than a file may have */
            fprintf(out, "; %s: %s\n%-17s = %s\n", allowed, k->meaning, k->name, value);
        } else {
            fprintf(out, "%-17s = %-13s ; %s: %s\n", k->name, value, allowed, k->meaning);
        }
    }
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t config_hash(const struct config *c) {
    char text[CONFIG_KEY_TEXT];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        hash = hash_text(hash, config_key_text(i, text));
        hash = hash_text(hash, "=");
        hash = hash_text(hash, config_value_text(c, i, text));
        hash = hash_text(hash, "\n");
    }
    return hash;
}
