/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/axes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Splits "section.key"; -1 with a message: there is no such key. */
static int find_axis_key(const char *text, size_t length, struct config_error *e) {
    char key[CONFIG_KEY_TEXT], shown[TEXT_SHOWN];
    snprintf(key, sizeof key, "%.*s", (int)length, text);
    char *dot = strchr(key, '.');
    if (!dot || length >= sizeof key) {
        config_fail(e, "--sweep %s: must be SECTION.KEY=VALUE,VALUE...",
                    text_shown(shown, sizeof shown, text));
        return -1;
    }
    *dot = '\0';
    int number = config_key_named(key, dot + 1, e);
    if (number < 0) {
        struct config_error old = *e;
        config_fail(e, "--sweep %.480s", old.text);
    }
    return number;
}

static bool check_axis_values(const struct axis *x, struct config_error *e) {
    struct config scratch;
    struct config_error old;
    memset(&scratch, 0, sizeof scratch);
    for (unsigned i = 0; i < x->values.count; i++) {
        if (!config_value_assign(&scratch, x->number, x->values.word[i], &old)) {
            return config_fail(e, "--sweep %.480s", old.text);
        }
    }
    return true;
}

bool axes_add(struct axes *a, const char *text, struct config_error *e) {
    struct axis *x = &a->axis[a->count];
    char shown[TEXT_SHOWN];
    const char *twice, *equals = strchr(text, '=');
    text_shown(shown, sizeof shown, text);
    if (a->count == AXES_MAX) {
        return config_fail(e, "--sweep %s: at most %d keys", shown, AXES_MAX);
    }
    int number = find_axis_key(text, equals ? (size_t)(equals - text) : 0, e);
    if (number < 0) {
        return false;
    }
    x->number = (unsigned)number;
    config_key_text(x->number, x->key);
    for (unsigned i = 0; i < a->count; i++) {
        if (a->axis[i].number == x->number) {
            return config_fail(e, "--sweep %s: named twice", x->key);
        }
    }
    switch (words_split(&x->values, equals + 1, WORDS_MAX, &twice)) {
    case WORDS_GOOD: break;
    case WORDS_EMPTY: return config_fail(e, "--sweep %s: a value is missing", shown);
    case WORDS_TWICE: return config_fail(e, "--sweep %s: %.60s occurs twice", x->key, twice);
    case WORDS_MANY: return config_fail(e, "--sweep %s: at most %d values", x->key, WORDS_MAX);
    case WORDS_NO_MEMORY: return config_fail(e, "out of memory");
    }
    a->count++;
    return check_axis_values(x, e);
}

void axes_free(struct axes *a) {
    for (unsigned i = 0; i < AXES_MAX; i++) {
        words_free(&a->axis[i].values);
    }
    a->count = 0;
}

unsigned axes_points(const struct axes *a) {
    unsigned points = 1;
    for (unsigned i = 0; i < a->count; i++) {
        points *= a->axis[i].values.count;
    }
    return points;
}

const char *axes_value(const struct axes *a, unsigned point, unsigned i) {
    for (unsigned last = a->count - 1; last > i; last--) {
        point /= a->axis[last].values.count;
    }
    return a->axis[i].values.word[point % a->axis[i].values.count];
}

const char *axes_assignment(const struct axes *a, unsigned point, unsigned i,
                            char buf[AXIS_ASSIGNMENT]) {
    snprintf(buf, AXIS_ASSIGNMENT, "%s=%s", a->axis[i].key, axes_value(a, point, i));
    return buf;
}
