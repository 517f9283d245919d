/* SPDX-License-Identifier: Apache-2.0 */
#include "config/layer.h"

#include <ini.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

/* One pass over a file's text. */
struct parse {
    struct config_layer *l;
    struct config_error *e;
    const char *origin; /* file name in messages */
    const char *at, *end;
    const char *start;    /* of the line before at */
    unsigned line;        /* its number */
    unsigned failed_line; /* of the first message; 0: none yet */
};

/* "FILE:LINE" of the current line. */
static const char *config_place_text(const struct parse *p, char buf[CONFIG_PLACE_TEXT]) {
    char origin[CONFIG_PLACE_TEXT - 16];
    snprintf(buf, CONFIG_PLACE_TEXT, "%s:%u", text_shown(origin, sizeof origin, p->origin),
             p->line);
    return buf;
}

/* The first message stays: further errors are often its consequences. */
__attribute__((format(printf, 2, 3))) static int fail_config_line(struct parse *p,
                                                                  const char *format, ...) {
    char text[sizeof p->e->text / 2], place[CONFIG_PLACE_TEXT];
    if (!p->failed_line) {
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        p->failed_line = p->line;
        config_fail(p->e, "%s: %s", config_place_text(p, place), text);
    }
    return 0;
}

/*
 * libinih's reader: one line without its indentation, because to libinih indentation continues the
 * value above. It also refuses what libinih would pass over: text behind a section's bracket, and
 * lines that do not fit into its buffer.
 */
static char *read_config_line(char *buf, int size, void *stream) {
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
    p->start = start;
    int length = (int)(stop - start);
    if (length > size - 2) {
        fail_config_line(p, "a line of %d characters: must be at most %d", length, size - 2);
        return NULL;
    }
    memcpy(buf, start, (size_t)length);
    buf[length] = '\0';
    char *bracket = *buf == '[' ? strchr(buf, ']') : NULL;
    if (bracket) {
        char *rest = bracket + 1 + strspn(bracket + 1, " \t\r");
        if (*rest && *rest != ';' && *rest != '#') {
            fail_config_line(p, "text behind [section]: must stand in a line of its own");
            return NULL;
        }
    }
    buf[length] = '\n';
    buf[length + 1] = '\0';
    return buf;
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
        return fail_config_line(p, "[%s]: no such section; did you mean [%s]?", shown, near.best);
    }
    return fail_config_line(p, "[%s]: no such section; there are %s", shown, list);
}

/* The machine's name is a word in tables, and no preset's. */
static int set_layer_name(struct parse *p, const char *value) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    char shown[TEXT_SHOWN];
    if (*p->l->name) {
        return fail_config_line(p, "name: set twice");
    }
    if (!*value || strlen(value) >= sizeof p->l->name || value[strspn(value, allowed)]) {
        return fail_config_line(p,
                                "name = %s: must be 1..%zu letters, digits, dots, underscores "
                                "or hyphens",
                                *value ? text_shown(shown, sizeof shown, value) : "(nothing)",
                                sizeof p->l->name - 1);
    }
    strcpy(p->l->name, value);
    return 1;
}

/* Reads a line before the first section: base = PRESET and name = NAME, each once. */
static int set_layer_head(struct parse *p, const char *name, const char *value) {
    char shown[TEXT_SHOWN];
    text_shown(shown, sizeof shown, name);
    if (!strcmp(name, "name")) {
        return set_layer_name(p, value);
    }
    if (strcmp(name, "base")) {
        return fail_config_line(p,
                                "%s: stands before the first [section], where only base = "
                                "PRESET and name = NAME may%s",
                                shown,
                                strcmp(name, "inherit") ? "" : "; base has replaced inherit");
    }
    if (*p->l->base) {
        return fail_config_line(p, "base: set twice, first in %s", p->l->base_place);
    }
    if (!*value || strlen(value) >= sizeof p->l->base) {
        return fail_config_line(p, "base = %s: must be a preset's name",
                                *value ? text_shown(shown, sizeof shown, value) : "(nothing)");
    }
    strcpy(p->l->base, value);
    config_place_text(p, p->l->base_place);
    return 1;
}

/* Notes the place of the current line's key, and its comment. */
static struct config_place current_place(const struct parse *p) {
    struct config_place place = {.line = p->line};
    const char *stop = p->at > p->start && p->at[-1] == '\n' ? p->at - 1 : p->at;
    const char *semicolon = memchr(p->start, ';', (size_t)(stop - p->start));
    if (semicolon) {
        for (semicolon++; semicolon < stop && *semicolon == ' '; semicolon++) {}
        place.note = semicolon;
        place.note_length = (int)(stop - semicolon);
    }
    return place;
}

static int set_key_of_line(void *user, const char *section, const char *name, const char *value) {
    struct parse *p = user;
    struct config_error why;
    char key[CONFIG_KEY_TEXT];
    if (!*section) {
        return set_layer_head(p, name, value);
    }
    if (!section_exists(section)) {
        return unknown_section(p, section);
    }
    int i = config_key_named(section, name, &why);
    if (i < 0) {
        return fail_config_line(p, "%s", why.text);
    }
    if (p->l->place[i].line) {
        return fail_config_line(p, "%s: set twice, first in line %u",
                                config_key_text((unsigned)i, key), p->l->place[i].line);
    }
    p->l->place[i] = current_place(p);
    if (!config_value_assign(&p->l->values, (unsigned)i, value, &why)) {
        return fail_config_line(p, "%s%s", why.text,
                                strchr(value, '#') ? "; a comment begins with ;, not #" : "");
    }
    return 1;
}

bool config_layer_text(struct config_layer *l, const char *origin, const char *text, size_t size,
                       struct config_error *e) {
    struct parse p = {.l = l, .e = e, .origin = origin, .at = text, .end = text + size};
    const char *zero = memchr(text, '\0', size);
    if (zero) {
        return config_fail(e, "%s: byte %zu is zero: must be text", origin, (size_t)(zero - text));
    }
    int line = ini_parse_stream(read_config_line, &p, set_key_of_line, &p);
    if (line < 0) {
        return config_fail(e, "%s: out of memory", origin);
    }
    if (line && (!p.failed_line || (unsigned)line < p.failed_line)) {
        p.failed_line = 0;
        p.line = (unsigned)line;
        fail_config_line(&p, "must be [section], key = value, or a comment behind ;");
    }
    return !p.failed_line;
}

void config_layer_apply(const struct config_layer *l, struct config *c) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (l->place[i].line) {
            config_key_copy(c, &l->values, i);
        }
    }
}
