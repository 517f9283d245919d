/* SPDX-License-Identifier: Apache-2.0 */
#include "config/keys.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "config/derived.h"

/* clang-format off */
#define NUMBER(key, least, most, of, power, ...) \
    {.name = #key, .kind = CONFIG_NUMBER, .min = least, .max = most, .unit = of, \
     .power_of_two = power, .meaning = __VA_ARGS__},
#define CHOICE(key, list, ...) \
    {.name = #key, .kind = CONFIG_CHOICE, .words = list, .max = sizeof list / sizeof(char *) - 1, \
     .meaning = __VA_ARGS__},
#define WORDS(...) ((const char *const[]){__VA_ARGS__})
static const struct config_key keys[] = {
#define U(key, least, most, of, ...) NUMBER(key, least, most, of, false, __VA_ARGS__)
#define P(key, least, most, of, ...) NUMBER(key, least, most, of, true, __VA_ARGS__)
#define E(key, values, ...) CHOICE(key, WORDS(values), __VA_ARGS__)
#define S(key, values, ...) CHOICE(key, WORDS(values), __VA_ARGS__)
#define T(key, ...) {.name = #key, .kind = CONFIG_WORD, .meaning = __VA_ARGS__},
#define V(constant, word) [constant] = word,
#define D(word, from) .default_value = #word, .source = from /* behind the meaning */
#include "config/keys/sections.h"
};

static const struct section {
    const char *name;
    unsigned keys;
} sections[] = {
#define SECTION(name) {#name, 0
#define ROW(...) +1
#define END(name) },
#include "config/keys/sections.h"
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* The members are in the order of the keys, without gaps: numbers and choices are an unsigned,
 * words a char[CONFIG_TEXT]. */
enum {
    CONFIG_SIZE = 0
#define ROW(...) +sizeof(unsigned)
#define T(...) +CONFIG_TEXT
#include "config/keys/sections.h"
};
/* clang-format on */
static_assert(sizeof(struct config) == CONFIG_SIZE, "config has gaps");
static_assert(sizeof keys / sizeof *keys == CONFIG_KEYS, "the table misses a key");

bool config_fail(struct config_error *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

static size_t key_size(const struct config_key *k) {
    return k->kind == CONFIG_WORD ? CONFIG_TEXT : sizeof(unsigned);
}

static size_t key_offset(unsigned i) {
    size_t offset = 0;
    for (unsigned before = 0; before < i; before++) {
        offset += key_size(&keys[before]);
    }
    return offset;
}

const struct config_key *config_key_at(unsigned i) {
    assert(i < CONFIG_KEYS);
    return &keys[i];
}

const char *config_key_section(unsigned i) {
    unsigned s = 0;
    assert(i < CONFIG_KEYS);
    while (sections[s].keys <= i) {
        i -= sections[s++].keys;
    }
    return sections[s].name;
}

const char *config_section_at(unsigned i) {
    return i < SECTIONS ? sections[i].name : NULL;
}

int config_key_find(const char *section, const char *name) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!strcmp(keys[i].name, name) && !strcmp(config_key_section(i), section)) {
            return (int)i;
        }
    }
    return -1;
}

/* Keys that had another name before. */
static const char *const renamed[][2] = {
    {"issue.plugin", "issue.policy"}, {"l2.plugin", "l2.policy"}, {"l1.mrpb", "l1.front"}};

int config_key_named(const char *section, const char *name, struct config_error *e) {
    char shown[2 * TEXT_SHOWN], wanted[2 * TEXT_SHOWN], key[CONFIG_KEYS][CONFIG_KEY_TEXT];
    struct text_nearest near;
    int found = config_key_find(section, name);
    if (found >= 0) {
        return found;
    }
    snprintf(wanted, sizeof wanted, "%.60s.%.60s", section, name);
    text_nearest_init(&near, wanted);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        text_nearest_offer(&near, config_key_text(i, key[i]));
    }
    for (unsigned i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        near.best = strcmp(wanted, renamed[i][0]) ? near.best : renamed[i][1];
    }
    /* The key that was probably meant: the same name in another section, or a similar one. */
    for (unsigned i = 0; i < CONFIG_KEYS && !near.best; i++) {
        if (!strcmp(keys[i].name, name)) {
            near.best = key[i];
        }
    }
    text_shown(shown, sizeof shown, wanted);
    if (near.best) {
        config_fail(e, "%s: no such key; did you mean %s?", shown, near.best);
    } else {
        config_fail(e, "%s: no such key; `warpmem config show PRESET` lists them", shown);
    }
    return -1;
}

unsigned config_key_at_offset(size_t offset) {
    unsigned i = 0;
    for (size_t at = 0; at < offset; i++) {
        at += key_size(&keys[i]);
    }
    return i;
}

unsigned config_key_number(const struct config *c, unsigned i) {
    unsigned value;
    assert(config_key_at(i)->kind != CONFIG_WORD);
    memcpy(&value, (const char *)c + key_offset(i), sizeof value);
    return value;
}

void config_key_copy(struct config *to, const struct config *from, unsigned i) {
    size_t at = key_offset(i);
    assert(i < CONFIG_KEYS);
    memcpy((char *)to + at, (const char *)from + at, key_size(&keys[i]));
}

bool config_key_same(const struct config *a, const struct config *b, unsigned i) {
    size_t at = key_offset(i);
    assert(i < CONFIG_KEYS);
    return !memcmp((const char *)a + at, (const char *)b + at, key_size(&keys[i]));
}

const char *config_key_idle(const struct config *c, unsigned i) {
    const char *reasons[CONFIG_KEYS], *reason = NULL;
    unsigned n = 0;
    assert(i < CONFIG_KEYS);
#define ROW(...) reasons[n++] = reason;
#define IDLE_WHILE(condition, why) reason = (condition) ? (why) : NULL;
#define IDLE_END reason = NULL;
#include "config/keys/sections.h"
    return reasons[i];
}

const char *config_key_text(unsigned i, char buf[CONFIG_KEY_TEXT]) {
    snprintf(buf, CONFIG_KEY_TEXT, "%s.%s", config_key_section(i), config_key_at(i)->name);
    return buf;
}

const char *config_value_text(const struct config *c, unsigned i, char buf[CONFIG_KEY_TEXT]) {
    const struct config_key *k = config_key_at(i);
    if (k->kind == CONFIG_WORD) {
        snprintf(buf, CONFIG_KEY_TEXT, "%s", (const char *)c + key_offset(i));
        return buf;
    }
    unsigned value = config_key_number(c, i);
    if (k->kind == CONFIG_NUMBER) {
        snprintf(buf, CONFIG_KEY_TEXT, "%u", value);
    } else {
        assert(value <= k->max); /* else it is none of the choices */
        snprintf(buf, CONFIG_KEY_TEXT, "%s", k->words[value]);
    }
    return buf;
}

const char *config_allowed_text(unsigned i, char buf[CONFIG_ALLOWED_TEXT]) {
    const struct config_key *k = config_key_at(i);
    size_t n = 0;
    switch (k->kind) {
    case CONFIG_WORD:
        snprintf(buf, CONFIG_ALLOWED_TEXT, "a word of 1..%u characters", CONFIG_TEXT - 1);
        break;
    case CONFIG_NUMBER:
        if (k->min == k->max) {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u %s", k->min, k->unit);
        } else {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u..%u %s", k->min, k->max, k->unit);
        }
        break;
    case CONFIG_CHOICE:
        for (unsigned v = 0; v <= k->max && n < CONFIG_ALLOWED_TEXT; v++) {
            n += (size_t)snprintf(buf + n, CONFIG_ALLOWED_TEXT - n, "%s%s", v ? " or " : "",
                                  k->words[v]);
        }
    }
    return buf;
}

static bool parse_key_number(const struct config_key *k, const char *text, unsigned *value) {
    unsigned long long n = 0;
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        n = n * 10 + (unsigned)(*text - '0');
        if (n > k->max) {
            return false;
        }
    }
    *value = (unsigned)n;
    return n >= k->min;
}

static bool parse_key_choice(const struct config_key *k, const char *text, unsigned *value) {
    for (unsigned v = 0; v <= k->max; v++) {
        if (!strcmp(text, k->words[v])) {
            *value = v;
            return true;
        }
    }
    return false;
}

/* One word of what can be printed. */
static bool is_word(const char *text) {
    size_t length = strlen(text);
    for (const char *c = text; *c; c++) {
        if (*c <= ' ' || *c > '~') {
            return false;
        }
    }
    return length && length < CONFIG_TEXT;
}

bool config_value_put(struct config *c, unsigned i, const char *text) {
    const struct config_key *k = config_key_at(i);
    char *member = (char *)c + key_offset(i);
    unsigned value = 0; /* gcc -O1 does not see that true implies a new value */
    if (k->kind == CONFIG_WORD) {
        if (!is_word(text)) {
            return false;
        }
        memset(member, 0, CONFIG_TEXT);
        memcpy(member, text, strlen(text));
        return true;
    }
    if (!(k->kind == CONFIG_CHOICE ? parse_key_choice(k, text, &value)
                                   : parse_key_number(k, text, &value))) {
        return false;
    }
    memcpy(member, &value, sizeof value);
    return true;
}

bool config_value_assign(struct config *c, unsigned i, const char *text, struct config_error *e) {
    char key[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT], shown[TEXT_SHOWN];
    return config_value_put(c, i, text) ||
           config_fail(e, "%s = %s: must be %s", config_key_text(i, key),
                       *text ? text_shown(shown, sizeof shown, text) : "(nothing)",
                       config_allowed_text(i, allowed));
}
