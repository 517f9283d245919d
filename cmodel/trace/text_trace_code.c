/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text_trace_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernel/warp_stream.h"
#include "trace/wtr.h"

const char *text_blanks(const char **at) {
    *at += strspn(*at, " \t");
    return *at;
}

static bool ends_word(char c, const char *ends) {
    return !c || c == ' ' || c == '\t' || strchr(ends, c);
}

bool text_number(const char **at, const char *ends, uint64_t most, uint64_t *value) {
    const char *p = text_blanks(at);
    bool hex = p[0] == '0' && (p[1] | 0x20) == 'x';
    unsigned base = hex ? 16 : 10;
    uint64_t v = 0;
    p += hex ? 2 : 0;
    const char *first = p;
    for (;; p++) {
        unsigned digit = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0')
                         : (*p | 0x20) >= 'a' && (*p | 0x20) <= 'f'
                             ? (unsigned)(*p | 0x20) - 'a' + 10
                             : 16;
        if (digit >= base) {
            break;
        }
        if (digit > most || v > (most - digit) / base) {
            return false;
        }
        v = v * base + digit;
    }
    if (p == first || !ends_word(*p, ends)) {
        return false;
    }
    *at = p;
    *value = v;
    return true;
}

bool text_word(const char **at, const char *word) {
    size_t length = strlen(word);
    text_blanks(at);
    if (strncmp(*at, word, length) || !ends_word((*at)[length], "")) {
        return false;
    }
    *at += length;
    return true;
}

void text_code_clear(struct text_code *c) {
    c->count = 0;
    if (c->slots) {
        memset(c->slots, 0, c->slot_count * sizeof *c->slots);
    }
}

void text_code_free(struct text_code *c) {
    free(c->insns);
    free(c->slots);
    *c = (struct text_code){0};
}

/* A marker's operation, or 0. */
static unsigned marker_of(unsigned op) {
    return op >= OP_LOOP_BEGIN && op <= OP_LOOP_END ? op : 0;
}

static uint32_t *find_slot(const struct text_code *c, uint32_t pc, unsigned marker) {
    unsigned at = (pc * UINT32_C(2654435761) + marker * UINT32_C(40503)) % c->slot_count;
    for (;; at = (at + 1) % c->slot_count) {
        uint32_t place = c->slots[at];
        if (!place ||
            (c->insns[place - 1].pc == pc && marker_of(c->insns[place - 1].op) == marker)) {
            return &c->slots[at];
        }
    }
}

/* Room for one more instruction, and slots of which half are free. */
static bool grow_code(struct text_code *c) {
    if (c->count < c->room) {
        return true;
    }
    unsigned room = c->room ? 2 * c->room : 64;
    struct insn *insns = realloc(c->insns, room * sizeof *insns);
    if (!insns) {
        return false;
    }
    c->insns = insns;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(c->slots);
    c->slots = slots;
    c->slot_count = 2 * room;
    c->room = room;
    for (unsigned i = 0; i < c->count; i++) {
        *find_slot(c, c->insns[i].pc, marker_of(c->insns[i].op)) = i + 1;
    }
    return true;
}

static bool refuse_op(struct text_lines *lines, const char *at) {
    char name[TEXT_SHOWN], shown[TEXT_SHOWN], list[512] = "";
    struct text_nearest near;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " \t"), at);
    text_nearest_init(&near, name);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        text_nearest_offer(&near, wtr_op_name(op));
        text_list(list, sizeof list, wtr_op_name(op));
    }
    text_shown(shown, 40, name);
    return near.best
               ? text_lines_fail(lines, "%s: no such operation: %s?", shown, near.best)
               : text_lines_fail(lines, "%s: no such operation: must be one of %s", shown, list);
}

static bool take_op(struct text_lines *lines, const char **at, struct insn *i) {
    size_t length = strcspn(*at, " \t");
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const char *name = wtr_op_name(op);
        if (!strncmp(name, *at, length) && !name[length]) {
            i->op = (uint8_t)op;
            *at += length;
            return true;
        }
    }
    return refuse_op(lines, *at);
}

static bool take_space(struct text_lines *lines, const char **at, struct insn *i) {
    uint64_t width;
    i->space = 0;
    while (i->space < SPACE_COUNT && !text_word(at, wtr_space_name(i->space))) {
        i->space++;
    }
    if (i->space == SPACE_COUNT) {
        return text_lines_fail(
            lines, "no memory space: must be global, local, shared, texture or constant");
    }
    if (!text_number(at, "", 16, &width)) {
        return text_lines_fail(lines, "bytes a lane: must be 1, 2, 4, 8 or 16");
    }
    i->width = (uint8_t)width;
    i->uncached = text_word(at, "uncached");
    return true;
}

static bool take_register_number(struct text_lines *lines, const char **at, uint8_t *reg) {
    uint64_t number;
    if (!text_number(at, ",", REG_COUNT - 1, &number)) {
        return text_lines_fail(lines, "a register: must be 0..%d", REG_COUNT - 1);
    }
    *reg = (uint8_t)number;
    return true;
}

static bool take_registers(struct text_lines *lines, const char **at, struct insn *i) {
    unsigned sources = 0;
    if (!strncmp(text_blanks(at), "dst=", 4)) {
        *at += 4;
        if (!take_register_number(lines, at, &i->dst)) {
            return false;
        }
    }
    if (strncmp(text_blanks(at), "src=", 4)) {
        return true;
    }
    do {
        *at += sources ? 1 : 4;
        if (sources == INSN_SOURCES_MAX) {
            return text_lines_fail(lines, "registers read: at most %d", INSN_SOURCES_MAX);
        }
        if (!take_register_number(lines, at, &i->src[sources++])) {
            return false;
        }
    } while (**at == ',');
    return true;
}

/* Reads what an instruction is, and checks it as the reader of trace files will. */
static bool take_insn(struct text_lines *lines, const char **at, struct insn *i) {
    uint8_t bytes[WTR_INSN_BYTES];
    i->dst = REG_NONE;
    memset(i->src, REG_NONE, sizeof i->src);
    if (!take_op(lines, at, i) || (insn_is_memory(i) && !take_space(lines, at, i)) ||
        !take_registers(lines, at, i)) {
        return false;
    }
    wtr_put_insn(bytes, i);
    const char *wrong = wtr_get_insn(bytes, i);
    return !wrong || text_lines_fail(lines, "%s", wrong);
}

static bool is_same_insn(const struct insn *a, const struct insn *b) {
    uint8_t x[WTR_INSN_BYTES], y[WTR_INSN_BYTES];
    wtr_put_insn(x, a);
    wtr_put_insn(y, b);
    return !memcmp(x, y, sizeof x);
}

bool text_code_take(struct text_code *c, struct text_lines *lines, uint32_t pc, const char **at,
                    bool declares, unsigned *index) {
    struct insn insn = {.pc = pc};
    char next = *text_blanks(at);
    bool told = next && next != '@';
    if (!grow_code(c)) {
        return text_lines_fail(lines, "out of memory");
    }
    /* A marker may be given by its name alone, too. */
    if (told && !take_insn(lines, at, &insn)) {
        return false;
    }
    uint32_t *slot = find_slot(c, pc, told ? marker_of(insn.op) : 0);
    if (*slot) {
        if (declares || (told && !is_same_insn(&insn, &c->insns[*slot - 1]))) {
            return text_lines_fail(lines,
                                   "PC 0x%" PRIx32 " %s: must be one instruction of the kernel", pc,
                                   declares ? "a second time" : "was another instruction before");
        }
        *index = *slot - 1;
        return true;
    }
    if (!told) {
        return text_lines_fail(
            lines, "PC 0x%" PRIx32 " is new: must be followed by what the instruction is", pc);
    }
    if (c->count == WARP_STREAM_INSNS_MAX) {
        return text_lines_fail(lines, "more than %d instructions in a kernel: at most that",
                               WARP_STREAM_INSNS_MAX);
    }
    c->insns[c->count++] = insn;
    *slot = c->count;
    *index = c->count - 1;
    return true;
}
