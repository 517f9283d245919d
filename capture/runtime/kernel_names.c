/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/kernel_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 20 /* names in a message */

static const char **launched;
static size_t launched_count, launched_room;

/* C++'s, where the program is linked with it. */
char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

/* The bracket that opens the list of parameters, which is the last pair: a name may have others, as
 * "(anonymous namespace)" does. NULL: there is none. */
static char *parameters_in(char *text) {
    char *c = strrchr(text, ')');
    for (int depth = 0; c && c >= text; c--) {
        depth += *c == ')' ? 1 : *c == '(' ? -1 : 0;
        if (!depth) {
            return c;
        }
    }
    return NULL;
}

char *kernel_name_of(const char *device_name) {
    static const char result[] = "void ";       /* of an instance of a template */
    static const char of_file[] = "__intern__"; /* behind a static kernel in relocatable code */
    char mangled[8192];
    const char *number = strstr(device_name, of_file);
    int status = 0;
    snprintf(mangled, sizeof mangled, "%.*s",
             number ? (int)(number - device_name) : (int)strlen(device_name), device_name);
    const bool is_mangled = __cxa_demangle && !strncmp(mangled, "_Z", 2); /* "f" is float, too */
    char *text = is_mangled ? __cxa_demangle(mangled, NULL, NULL, &status) : NULL;
    char *parameters = text ? parameters_in(text) : NULL;
    if (!parameters) {
        free(text);
        return strdup(mangled);
    }
    *parameters = '\0';
    const bool has_result = !strncmp(text, result, sizeof result - 1);
    char *name = strdup(text + (has_result ? sizeof result - 1 : 0));
    free(text);
    return name;
}

/* The length of the list's first name. */
static size_t first_name(const char *list) {
    int depth = 0;
    const char *c = list;
    for (; *c && (*c != ',' || depth > 0); c++) {
        depth += strchr("<({[", *c) ? 1 : strchr(">)}]", *c) ? -1 : 0;
    }
    return (size_t)(c - list);
}

static bool is_name(const char *name, const char *word, size_t length) {
    return strlen(name) == length && !memcmp(name, word, length);
}

bool kernel_is_listed(const char *list, const char *name) {
    if (!list || !*list) {
        return true;
    }
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = first_name(list);
        if (is_name(name, list, length)) {
            return true;
        }
    }
    return false;
}

void kernel_names_note(const char *name) {
    for (size_t i = 0; i < launched_count; i++) {
        if (!strcmp(launched[i], name)) {
            return;
        }
    }
    if (launched_count == launched_room) {
        const size_t room = launched_room ? 2 * launched_room : 16;
        const char **grown = realloc(launched, room * sizeof *grown);
        if (!grown) {
            return; /* a message that lacks a name */
        }
        launched = grown;
        launched_room = room;
    }
    launched[launched_count++] = name;
}

static bool was_launched(const char *word, size_t length) {
    for (size_t i = 0; i < launched_count; i++) {
        if (is_name(launched[i], word, length)) {
            return true;
        }
    }
    return false;
}

void kernel_names_report(const char *list) {
    bool missed = false;
    for (size_t length; list && *list; list += length + (list[length] == ',')) {
        length = first_name(list);
        if (!was_launched(list, length)) {
            fprintf(stderr, "warpmem capture: --kernels: %.*s was not launched\n", (int)length,
                    list);
            missed = true;
        }
    }
    if (!missed) {
        return;
    }
    fputs("warpmem capture: kernels that were launched: ", stderr);
    for (size_t i = 0; i < launched_count && i < SHOWN_MAX; i++) {
        fprintf(stderr, "%s%s", i ? "; " : "", launched[i]);
    }
    if (launched_count > SHOWN_MAX) {
        fprintf(stderr, "; and %zu more", launched_count - SHOWN_MAX);
    }
    fputs(launched_count ? "\n" : "none\n", stderr);
}
