/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/warp_stream.h"

#define HEADS 16384u
#define SOURCES_LISTED_MAX 8 /* on a line; an instruction keeps the different ones */
#define NO_GPR 255           /* RZ */

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

static bool at_end_of_word(const char *at) {
    return !*at || *at == ' ' || *at == '\t';
}

bool accelsim_hex(const char **at, uint64_t *value) {
    const char *p = skip_blanks(*at);
    uint64_t v = 0;
    p += p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 2 : 0;
    const char *first = p;
    for (unsigned digit;; p++) {
        if (*p >= '0' && *p <= '9') {
            digit = (unsigned)(*p - '0');
        } else if ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'f') {
            digit = (unsigned)(*p | 0x20) - 'a' + 10;
        } else {
            break;
        }
        if (v >> 60) {
            return false;
        }
        v = v << 4 | digit;
    }
    *value = v;
    *at = p;
    return p > first && at_end_of_word(p);
}

static bool parse_decimal(const char **at, uint64_t most, uint64_t *value) {
    const char *p = *at;
    uint64_t v = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (digit > most || v > (most - digit) / 10) {
            return false;
        }
        v = v * 10 + digit;
    }
    bool good = p > *at && at_end_of_word(p);
    *value = v;
    *at = p;
    return good;
}

bool accelsim_unsigned(const char **at, uint64_t most, uint64_t *value) {
    *at = skip_blanks(*at);
    return parse_decimal(at, most, value);
}

bool accelsim_signed(const char **at, int64_t *value) {
    uint64_t size;
    *at = skip_blanks(*at);
    bool negative = **at == '-';
    *at += negative;
    if (!parse_decimal(at, INT64_MAX, &size)) {
        return false;
    }
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

bool accelsim_code_init(struct accelsim_code *c, const struct opcodes *opcodes,
                        struct accelsim_notes *notes) {
    *c = (struct accelsim_code){.opcodes = opcodes, .notes = notes, .count = 1};
    c->heads = calloc(HEADS, sizeof *c->heads);
    return c->heads;
}

void accelsim_code_free(struct accelsim_code *c) {
    for (unsigned i = 1; i < c->count; i++) {
        free(c->list[i].text);
    }
    free(c->list);
    free(c->heads);
    free(c->insns);
    *c = (struct accelsim_code){0};
}

/* Later tracers also name uniform registers and predicates, which are not modelled. */
static bool is_other_file(const char **at) {
    static const char *const files[] = {"UR", "UP", "P"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        size_t length = strlen(files[i]);
        if (!strncmp(*at, files[i], length)) {
            *at += length;
            return true;
        }
    }
    return false;
}

static bool take_register(struct text_lines *lines, const char **at, uint8_t *reg) {
    uint64_t number;
    *at = skip_blanks(*at);
    bool other = is_other_file(at);
    if (!other && **at != 'R') {
        return text_lines_fail(lines, "a register is missing: must be R0..R255, UR, P or UP");
    }
    *at += !other;
    if (!parse_decimal(at, NO_GPR, &number)) {
        return text_lines_fail(lines, "a register that does not exist: must be R0..R255");
    }
    *reg = other || number == NO_GPR ? REG_NONE : (uint8_t)number;
    return true;
}

static void add_source(struct accelsim_insn *i, uint8_t reg) {
    for (unsigned s = 0; s < INSN_SOURCES_MAX && reg != REG_NONE; s++) {
        if (i->src[s] == reg || i->src[s] == REG_NONE) {
            i->src[s] = reg;
            return;
        }
    }
}

static int unknown_place(struct accelsim_notes *n, const char *opcode) {
    for (unsigned i = 0; i < n->unknown_count; i++) {
        if (!strcmp(n->unknown[i].opcode, opcode)) {
            return (int)i;
        }
    }
    if (n->unknown_count == ACCELSIM_UNKNOWN_MAX) {
        return -1;
    }
    memcpy(n->unknown[n->unknown_count].opcode, opcode, strlen(opcode) + 1);
    return (int)n->unknown_count++;
}

/* Returns whether the operation has a result register. The tracer names the first operand of other
 * operations as one although it is read. */
static bool writes_register(const struct opcode *o) {
    return !o || o->op < OP_BRANCH || o->op == OP_LOAD || o->op == OP_ATOMIC;
}

static bool take_opcode(struct accelsim_code *c, struct text_lines *lines, const char **at,
                        struct accelsim_insn *i) {
    char name[OPCODE_MAX + 1];
    *at = skip_blanks(*at);
    size_t length = strcspn(*at, " \t");
    if (!length || length > OPCODE_MAX) {
        return text_lines_fail(lines, "an opcode of %zu letters: must be 1..%d", length,
                               OPCODE_MAX);
    }
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length;
    i->opcode = opcodes_find(c->opcodes, name);
    i->unknown = -1;
    if (!i->opcode) {
        for (char *p = name; *p; p++) {
            *p = *p > 0x20 && *p < 0x7f ? *p : '?';
        }
        name[strcspn(name, ".")] = '\0';
        i->unknown = unknown_place(c->notes, name);
        return true;
    }
    i->width = i->opcode->width ? i->opcode->width : (uint8_t)opcode_width(name);
    i->uncached = i->opcode->op == OP_LOAD && opcode_uncached(name);
    return true;
}

/* Reads the part between the active lanes and the addresses. */
static bool parse_instruction(struct accelsim_code *c, struct text_lines *lines, const char **at,
                              struct accelsim_insn *i) {
    uint64_t written, read, width;
    uint8_t reg = REG_NONE;
    i->dst = REG_NONE;
    memset(i->src, REG_NONE, sizeof i->src);
    if (!accelsim_unsigned(at, 1, &written)) {
        return text_lines_fail(lines, "number of registers written: must be 0 or 1");
    }
    if ((written && !take_register(lines, at, &i->dst)) || !take_opcode(c, lines, at, i)) {
        return false;
    }
    if (!accelsim_unsigned(at, SOURCES_LISTED_MAX, &read)) {
        return text_lines_fail(lines, "number of registers read: must be 0..%d",
                               SOURCES_LISTED_MAX);
    }
    /* The tracer takes only a first operand for the result. */
    bool result = !written && i->opcode && i->opcode->predicate;
    for (; read; read--, result = false) {
        if (!take_register(lines, at, &reg)) {
            return false;
        }
        if (result) {
            i->dst = reg;
        } else {
            add_source(i, reg);
        }
    }
    if (!writes_register(i->opcode)) {
        add_source(i, i->dst);
        i->dst = REG_NONE;
    }
    if (!accelsim_unsigned(at, 1024, &width)) {
        return text_lines_fail(lines, "memory width: must be a number, 0 without addresses");
    }
    i->addresses = width > 0;
    i->skip = i->opcode && i->opcode->kind != OPCODE_PLAIN && i->opcode->kind != OPCODE_COPY;
    return true;
}

static uint32_t *head_of(struct accelsim_code *c, uint32_t pc) {
    return &c->heads[(pc >> 3) % HEADS];
}

static const struct accelsim_insn *learn_instruction(struct accelsim_code *c,
                                                     struct text_lines *lines, uint32_t pc,
                                                     const char **text) {
    struct accelsim_insn one = {.pc = pc};
    const char *start = *text;
    if (!parse_instruction(c, lines, text, &one)) {
        return NULL;
    }
    if (c->count >= c->room) {
        unsigned room = c->room ? 2 * c->room : 64;
        struct accelsim_insn *list = realloc(c->list, room * sizeof *list);
        if (!list) {
            text_lines_fail(lines, "out of memory");
            return NULL;
        }
        c->list = list;
        c->room = room;
    }
    if (c->count > 2 * WARP_STREAM_INSNS_MAX) {
        text_lines_fail(lines, "more than %d instructions in a kernel: at most that",
                        2 * WARP_STREAM_INSNS_MAX);
        return NULL;
    }
    one.length = (unsigned)(*text - start);
    one.text = malloc(one.length);
    if (!one.text) {
        text_lines_fail(lines, "out of memory");
        return NULL;
    }
    memcpy(one.text, start, one.length);
    uint32_t *head = head_of(c, pc);
    one.next = *head;
    *head = c->count;
    c->list[c->count] = one;
    return &c->list[c->count++];
}

const struct accelsim_insn *accelsim_code_find(struct accelsim_code *c, struct text_lines *lines,
                                               uint32_t pc, const char **text) {
    for (uint32_t i = *head_of(c, pc); i; i = c->list[i].next) {
        const struct accelsim_insn *s = &c->list[i];
        if (s->pc == pc && !strncmp(s->text, *text, s->length) &&
            at_end_of_word(*text + s->length)) {
            *text += s->length;
            return s;
        }
    }
    return learn_instruction(c, lines, pc, text);
}

/* A PC is unique in the code. Where lines have one PC for several instructions, or one instruction
 * for several spaces, the bits above tell them apart. */
static bool unique_pc(struct accelsim_code *c, struct text_lines *lines, uint32_t *pc) {
    uint32_t same = 0;
    for (uint32_t i = *head_of(c, *pc); i; i = c->list[i].next) {
        for (unsigned k = 0; k < 1 + SPACE_COUNT; k++) {
            same += c->list[i].pc == *pc && c->list[i].index[k];
        }
    }
    if (same >> (32 - ACCELSIM_PC_BITS)) {
        return text_lines_fail(lines, "more than %d instructions at one PC: at most that",
                               1 << (32 - ACCELSIM_PC_BITS));
    }
    c->notes->same_pc += same > 0;
    *pc |= same << ACCELSIM_PC_BITS;
    return true;
}

static struct insn model_of(const struct accelsim_insn *s, unsigned space) {
    struct insn i = {.op = OP_INT_ADD, .dst = s->dst};
    memcpy(i.src, s->src, sizeof i.src);
    if (s->opcode && !insn_is_memory(&(struct insn){.op = s->opcode->op})) {
        i.op = s->opcode->op;
    }
    if (space == SPACE_COUNT) {
        return i;
    }
    i.op = s->opcode->op;
    i.space = (uint8_t)space;
    i.width = s->width > 16 ? 16 : s->width;
    i.uncached = s->uncached && space == SPACE_GLOBAL;
    if (s->opcode->kind == OPCODE_COPY) {
        i.op = space == SPACE_SHARED ? OP_STORE : OP_LOAD;
        i.dst = REG_NONE;
    } else if (i.op == OP_ATOMIC && space == SPACE_SHARED) {
        i.op = OP_LOAD;
    }
    return i;
}

bool accelsim_code_index(struct accelsim_code *c, struct text_lines *lines,
                         const struct accelsim_insn *found, unsigned space, unsigned *index) {
    struct accelsim_insn *s = &c->list[found - c->list];
    uint32_t *place = &s->index[space == SPACE_COUNT ? 0 : 1 + space];
    if (*place) {
        *index = *place - 1;
        return true;
    }
    struct insn insn = model_of(s, space);
    insn.pc = s->pc;
    if (c->insn_count == WARP_STREAM_INSNS_MAX) {
        return text_lines_fail(lines, "more than %d instructions in a kernel: at most that",
                               WARP_STREAM_INSNS_MAX);
    }
    if (!unique_pc(c, lines, &insn.pc)) {
        return false;
    }
    if (c->insn_count == c->insn_room) {
        unsigned room = c->insn_room ? 2 * c->insn_room : 64;
        struct insn *insns = realloc(c->insns, room * sizeof *insns);
        if (!insns) {
            return text_lines_fail(lines, "out of memory");
        }
        c->insns = insns;
        c->insn_room = room;
    }
    c->insns[c->insn_count++] = insn;
    *place = c->insn_count;
    *index = *place - 1;
    return true;
}
