/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/opcodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wtr.h"

enum { FIELDS = 4, FIELD_ROOM = OPCODE_MAX + 1 };

struct opcodes {
    struct opcode *list;
    unsigned count;
};

/* Read the field up to a tab or the end of the line; false: empty or too long. */
static bool copy_field(const char **at, const char *end, char to[FIELD_ROOM]) {
    const char *tab = memchr(*at, '\t', (size_t)(end - *at));
    const char *stop = tab ? tab : end;
    size_t length = (size_t)(stop - *at);
    if (!length || length >= FIELD_ROOM) {
        return false;
    }
    memcpy(to, *at, length);
    to[length] = '\0';
    *at = tab ? tab + 1 : end;
    return true;
}

static bool find_operation(const char *name, struct opcode *o) {
    static const struct {
        const char *name;
        uint8_t kind, op;
    } special[] = {
        {"copy", OPCODE_COPY, OP_LOAD},
        {"tma", OPCODE_TMA, OP_INT_ADD},
        {"fp_gmma", OPCODE_GMMA, OP_FP_MAD},
        {"int_gmma", OPCODE_GMMA, OP_INT_MAD},
    };
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
        if (!strcmp(name, special[i].name)) {
            o->kind = special[i].kind;
            o->op = special[i].op;
            return true;
        }
    }
    while (o->op < OP_LOOP_BEGIN && strcmp(wtr_op_name(o->op), name)) {
        o->op++;
    }
    return o->op < OP_LOOP_BEGIN;
}

static bool find_space(const char *name, struct opcode *o) {
    bool memory = insn_is_memory(&(struct insn){.op = o->op});
    if (!strcmp(name, "-")) {
        return !memory;
    }
    if (!strcmp(name, "generic")) {
        o->space = SPACE_GENERIC;
        return memory;
    }
    while (o->space < SPACE_COUNT && strcmp(wtr_space_name(o->space), name)) {
        o->space++;
    }
    return memory && o->space < SPACE_COUNT;
}

static bool read_opcode_line(const char *at, const char *end, struct opcode *o) {
    char text[FIELDS][FIELD_ROOM];
    *o = (struct opcode){0};
    for (unsigned i = 0; i < FIELDS; i++) {
        if (!copy_field(&at, end, text[i])) {
            return false;
        }
    }
    memcpy(o->name, text[0], sizeof o->name);
    unsigned width = strcmp(text[3], "-") ? (unsigned)strtoul(text[3], NULL, 10) : 0;
    o->width = (uint8_t)width;
    size_t rest = (size_t)(end - at);
    o->predicate = rest == strlen("predicate") && !memcmp(at, "predicate", rest);
    return (!rest || o->predicate) && width <= 16 && !(width & (width - 1)) &&
           find_operation(text[1], o) && find_space(text[2], o);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct opcode *)a)->name, ((const struct opcode *)b)->name);
}

static bool append_opcode(struct opcodes *o, const struct opcode *one) {
    struct opcode *list = realloc(o->list, (o->count + 1) * sizeof *list);
    if (!list) {
        return false;
    }
    list[o->count++] = *one;
    o->list = list;
    return true;
}

struct opcodes *opcodes_create(const char *text, unsigned *line) {
    struct opcodes *o = calloc(1, sizeof *o);
    struct opcode one;
    *line = 0;
    for (unsigned number = 1; o && *text; number++) {
        const char *end = text + strcspn(text, "\n");
        bool comment = *text == '#' || text == end;
        if (!comment && !read_opcode_line(text, end, &one)) {
            *line = number;
            opcodes_destroy(o);
            return NULL;
        }
        if (!comment && !append_opcode(o, &one)) {
            opcodes_destroy(o);
            return NULL;
        }
        text = end + (*end == '\n');
    }
    if (o && o->count) {
        qsort(o->list, o->count, sizeof *o->list, by_name);
    }
    return o;
}

void opcodes_destroy(struct opcodes *o) {
    if (o) {
        free(o->list);
        free(o);
    }
}

const struct opcode *opcodes_at(const struct opcodes *o, unsigned i) {
    return i < o->count ? &o->list[i] : NULL;
}

const struct opcode *opcodes_find(const struct opcodes *o, const char *opcode) {
    struct opcode key;
    size_t length = strlen(opcode);
    if (length > OPCODE_MAX) {
        return NULL;
    }
    memcpy(key.name, opcode, length + 1);
    while (true) {
        const struct opcode *found =
            o->count ? bsearch(&key, o->list, o->count, sizeof key, by_name) : NULL;
        char *dot = strrchr(key.name, '.');
        if (found || !dot) {
            return found;
        }
        *dot = '\0';
    }
}

unsigned opcode_width(const char *opcode) {
    for (const char *word = strchr(opcode, '.'); word; word = strchr(word, '.')) {
        word++;
        const char *digits = word + (*word && strchr("USFB", *word) ? 1 : 0);
        size_t length = strspn(digits, "0123456789");
        if (length && length < 4 && (digits[length] == '.' || !digits[length])) {
            unsigned bits = (unsigned)strtoul(digits, NULL, 10);
            if (bits >= 8 && bits <= 256 && !(bits & (bits - 1))) {
                return bits / 8;
            }
        }
    }
    return 4;
}

static bool has_word(const char *opcode, const char *wanted) {
    size_t length = strlen(wanted);
    for (const char *word = strchr(opcode, '.'); word; word = strchr(word, '.')) {
        word++;
        if (strncmp(word, wanted, length) == 0 && (word[length] == '.' || !word[length])) {
            return true;
        }
    }
    return false;
}

bool opcode_uncached(const char *opcode) {
    return has_word(opcode, "CG") || has_word(opcode, "CV") ||
           (has_word(opcode, "STRONG") && (has_word(opcode, "GPU") || has_word(opcode, "SYS")));
}
