/* SPDX-License-Identifier: Apache-2.0 */
#include "config/keys.h"

#include <assert.h>
#include <string.h>

#define KEY_U(key, min, max, unit, meaning) {#key, CONFIG_NUMBER, NULL, unit, meaning, min, max},
#define KEY_E(key, choices, meaning) {#key, CONFIG_CHOICE, choices, NULL, meaning, 0, 0},
#define KEY_T(key, meaning) {#key, CONFIG_WORD, NULL, NULL, meaning, 0, 0},
#define KEYS_OF_SECTION(name, KEYS) KEYS(KEY_U, KEY_E, KEY_T)
static const struct config_key keys[] = {CONFIG_SECTIONS(KEYS_OF_SECTION)};

#define SECTION_KEYS(name, KEYS) {#name, 0 KEYS(CONFIG_COUNT_U, CONFIG_COUNT_E, CONFIG_COUNT_T)},
static const struct section {
    const char *name;
    unsigned keys;
} sections[] = {CONFIG_SECTIONS(SECTION_KEYS)};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* The members stand in the order of the keys, without gaps: numbers and choices are an unsigned,
 * words a char[CONFIG_TEXT]. */
#define SIZE_U(key, min, max, unit, meaning) +sizeof(unsigned)
#define SIZE_E(key, choices, meaning) +sizeof(unsigned)
#define SIZE_T(key, meaning) +CONFIG_TEXT
#define SIZE_SECTION(name, KEYS) KEYS(SIZE_U, SIZE_E, SIZE_T)
static_assert(sizeof(struct config) == 0 CONFIG_SECTIONS(SIZE_SECTION), "config has gaps");
static_assert(sizeof keys / sizeof *keys == CONFIG_KEYS, "the table misses a key");

static size_t size_of(const struct config_key *k) {
    return k->kind == CONFIG_WORD ? CONFIG_TEXT : sizeof(unsigned);
}

static size_t offset_of(unsigned i) {
    size_t offset = 0;
    for (unsigned before = 0; before < i; before++) {
        offset += size_of(&keys[before]);
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

static unsigned get_unsigned(const struct config *c, unsigned i) {
    unsigned value;
    memcpy(&value, (const char *)c + offset_of(i), sizeof value);
    return value;
}

bool config_key_same(const struct config *a, const struct config *b, unsigned i) {
    size_t at = offset_of(i);
    assert(i < CONFIG_KEYS);
    return !memcmp((const char *)a + at, (const char *)b + at, size_of(&keys[i]));
}

const char *config_key_text(unsigned i, char buf[CONFIG_KEY_TEXT]) {
    snprintf(buf, CONFIG_KEY_TEXT, "%s.%s", config_key_section(i), config_key_at(i)->name);
    return buf;
}

const char *config_value_text(const struct config *c, unsigned i, char buf[CONFIG_KEY_TEXT]) {
    const char *choice = keys[i].choices;
    if (keys[i].kind == CONFIG_WORD) {
        snprintf(buf, CONFIG_KEY_TEXT, "%s", (const char *)c + offset_of(i));
        return buf;
    }
    unsigned value = get_unsigned(c, i);
    if (!choice) {
        snprintf(buf, CONFIG_KEY_TEXT, "%u", value);
        return buf;
    }
    for (; value; value--) {
        choice = strchr(choice, '|');
        assert(choice); /* the value is none of the choices */
        choice++;
    }
    snprintf(buf, CONFIG_KEY_TEXT, "%.*s", (int)strcspn(choice, "|"), choice);
    return buf;
}

const char *config_allowed_text(unsigned i, char buf[CONFIG_ALLOWED_TEXT]) {
    const struct config_key *k = config_key_at(i);
    if (k->kind == CONFIG_WORD) {
        snprintf(buf, CONFIG_ALLOWED_TEXT, "a word of 1..%u characters", CONFIG_TEXT - 1);
        return buf;
    }
    if (!k->choices) {
        if (k->min == k->max) {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u %s", k->min, k->unit);
        } else {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u..%u %s", k->min, k->max, k->unit);
        }
        return buf;
    }
    size_t n = 0;
    buf[0] = '\0';
    for (const char *c = k->choices; n < CONFIG_ALLOWED_TEXT;) {
        size_t length = strcspn(c, "|");
        n += (size_t)snprintf(buf + n, CONFIG_ALLOWED_TEXT - n, "%s%.*s", n ? " or " : "",
                              (int)length, c);
        if (!c[length]) {
            break;
        }
        c += length + 1;
    }
    return buf;
}

static bool parse_number(const struct config_key *k, const char *text, unsigned *value) {
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

static bool parse_choice(const struct config_key *k, const char *text, unsigned *value) {
    unsigned n = 0;
    for (const char *c = k->choices;; n++) {
        size_t length = strcspn(c, "|");
        if (strlen(text) == length && !memcmp(c, text, length)) {
            *value = n;
            return true;
        }
        if (!c[length]) {
            return false;
        }
        c += length + 1;
    }
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
    char *member = (char *)c + offset_of(i);
    unsigned value = 0; /* at -O1 gcc does not see that who returns true has set it */
    if (k->kind == CONFIG_WORD) {
        if (!is_word(text)) {
            return false;
        }
        memset(member, 0, CONFIG_TEXT);
        memcpy(member, text, strlen(text));
        return true;
    }
    if (!(k->kind == CONFIG_CHOICE ? parse_choice(k, text, &value)
                                   : parse_number(k, text, &value))) {
        return false;
    }
    memcpy(member, &value, sizeof value);
    return true;
}
