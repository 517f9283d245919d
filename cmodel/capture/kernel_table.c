/* SPDX-License-Identifier: Apache-2.0
 *
 *     magic, blocks, edges, instructions, values, shared bytes, files
 *     name, each file: bytes, then four characters a number
 *     each block: instructions, accesses, barrier | calls << 1 | entry << 2 |
 *         predicated << 3, edges, the edges'
 *         blocks
 *     each instruction: op | space << 8 | width << 16 | uncached << 24 | flags << 25,
 *         access | file << 16, line, offset, dst, src[4]
 *     each value: its 32-bit registers
 */
#include "capture/kernel_table.h"

#include <stdlib.h>
#include <string.h>

#define INSN_NUMBERS (5 + INSN_SOURCES_MAX)
#define BLOCK_NUMBERS 4
#define HEAD_NUMBERS 7
#define NAME_BYTES_MAX 4096u

/* --- Reading. --- */

struct table_reader {
    const uint32_t *at, *end;
    const char *wrong;
};

static uint32_t next_number(struct table_reader *r) {
    if (r->at == r->end) {
        r->wrong = "the table of a kernel is too short";
        return 0;
    }
    return *r->at++;
}

static char *read_table_text(struct table_reader *r) {
    uint32_t bytes = next_number(r);
    size_t numbers = bytes / 4 + (bytes % 4 != 0);
    if (r->wrong || bytes > NAME_BYTES_MAX || numbers > (size_t)(r->end - r->at)) {
        r->wrong = "a name in the table of a kernel is too long";
        return NULL;
    }
    char *text = malloc(bytes + 1);
    if (!text) {
        r->wrong = "out of memory";
        return NULL;
    }
    for (uint32_t i = 0; i < bytes; i++) {
        text[i] = (char)(r->at[i / 4] >> 8 * (i % 4));
    }
    text[bytes] = '\0';
    r->at += numbers;
    return text;
}

/* Marks of a block: a barrier or call at its end, a function at its begin. */
static void read_block_marks(struct table_reader *r, struct kernel_table *t, uint32_t b) {
    const uint32_t marks = next_number(r);
    struct table_block *block = &t->blocks[b];
    block->barrier = marks & 1;
    block->calls = marks >> 1 & 1;
    block->entry = marks >> 2 & 1;
    block->predicated = marks >> 3 & 1;
    if (block->entry && t->function_block == t->graph.count) {
        t->function_block = b;
    }
    if (!r->wrong && (marks > 15 || (block->barrier && block->calls) || (block->entry && !b) ||
                      (block->predicated && marks != 8))) {
        r->wrong = "a block in the table of a kernel has marks that exclude each other";
    }
}

static void read_table_blocks(struct table_reader *r, struct kernel_table *t, uint32_t edge_count) {
    uint32_t *first = t->edges, *target = t->edges + t->graph.count + 1;
    uint32_t edges = 0, insns = 0;
    t->function_block = t->graph.count;
    for (uint32_t b = 0; b < t->graph.count && !r->wrong; b++) {
        struct table_block *block = &t->blocks[b];
        block->first = insns;
        block->count = next_number(r);
        block->accesses = next_number(r);
        read_block_marks(r, t, b);
        uint32_t successors = next_number(r);
        first[b] = edges;
        if (block->count > t->insn_count - insns || block->accesses >= ACCESS_NONE ||
            successors > edge_count - edges) {
            r->wrong = "a block in the table of a kernel has more than the kernel";
            return;
        }
        if (!r->wrong && block->calls && successors != 1) {
            r->wrong = "a call in the table of a kernel has not one block behind it";
        }
        insns += block->count;
        for (uint32_t i = 0; i < successors; i++) {
            target[edges++] = next_number(r);
            if (target[edges - 1] >= t->graph.count) {
                r->wrong = "an edge in the table of a kernel leads to no block";
                return;
            }
        }
    }
    first[t->graph.count] = edges;
    if (!r->wrong && (insns != t->insn_count || edges != edge_count)) {
        r->wrong = "the blocks in the table of a kernel have less than the kernel";
    }
}

static bool good_table_insn(const struct kernel_table *t, const struct table_block *block,
                            const struct table_insn *i) {
    bool memory = i->op >= OP_LOAD && i->op <= OP_ATOMIC;
    bool good = i->op < OP_LOOP_BEGIN && i->file < t->file_count &&
                (i->dst == VALUE_NONE || i->dst < t->value_count) &&
                (memory ? i->access < block->accesses : i->access == ACCESS_NONE);
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        good = good && (i->src[s] == VALUE_NONE || i->src[s] < t->value_count);
    }
    return good && (!memory || (i->space < SPACE_COUNT && i->width && i->width <= 16 &&
                                !(i->width & (i->width - 1))));
}

static void read_table_insns(struct table_reader *r, struct kernel_table *t) {
    for (uint32_t b = 0; b < t->graph.count; b++) {
        for (uint32_t n = 0; n < t->blocks[b].count && !r->wrong; n++) {
            struct table_insn *i = &t->insns[t->blocks[b].first + n];
            uint32_t packed = next_number(r);
            i->op = (uint8_t)packed;
            i->space = (uint8_t)(packed >> 8);
            i->width = (uint8_t)(packed >> 16);
            i->uncached = packed >> 24 & 1;
            i->flags = (uint8_t)(packed >> 25);
            const uint32_t access_and_file = next_number(r);
            i->access = (uint16_t)access_and_file;
            i->file = (uint16_t)(access_and_file >> 16);
            i->line = next_number(r);
            i->offset = next_number(r);
            i->dst = next_number(r);
            for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
                i->src[s] = next_number(r);
            }
            if (!r->wrong && !good_table_insn(t, &t->blocks[b], i)) {
                r->wrong = "an instruction in the table of a kernel is none that a GPU has";
            }
        }
    }
}

static void read_table_values(struct table_reader *r, struct kernel_table *t) {
    for (uint32_t v = 0; v < t->value_count && !r->wrong; v++) {
        t->value_words[v] = (uint8_t)next_number(r);
    }
}

static void read_table_files(struct table_reader *r, struct kernel_table *t, uint32_t count) {
    if (!r->wrong && (!count || count > KERNEL_TABLE_FILES_MAX)) {
        r->wrong = "the table of a kernel has no source file, or too many";
    }
    t->files = r->wrong ? NULL : calloc(count, sizeof *t->files);
    while (t->files && !r->wrong && t->file_count < count) {
        t->files[t->file_count] = read_table_text(r);
        t->file_count += t->files[t->file_count] != NULL;
    }
}

static void read_table(struct table_reader *r, struct kernel_table *t) {
    uint32_t magic = next_number(r);
    t->graph.count = next_number(r);
    uint32_t edge_count = next_number(r);
    t->insn_count = next_number(r);
    t->value_count = next_number(r);
    t->shared_bytes = next_number(r);
    const uint32_t files = next_number(r);
    if (r->wrong || magic != KERNEL_TABLE_MAGIC) {
        r->wrong = "no table of a kernel: made by another version";
        return;
    }
    size_t left = (size_t)(r->end - r->at);
    if (!t->graph.count || t->graph.count > KERNEL_TABLE_BLOCKS_MAX || edge_count > left ||
        t->insn_count > left || t->value_count > left) {
        r->wrong = "the table of a kernel is too short for its blocks and instructions";
        return;
    }
    t->name = read_table_text(r);
    read_table_files(r, t, files);
    t->blocks = calloc(t->graph.count, sizeof *t->blocks);
    t->insns = calloc(t->insn_count + 1, sizeof *t->insns);
    t->value_words = calloc(t->value_count + 1, 1);
    t->edges = calloc((size_t)t->graph.count + 1 + edge_count, sizeof *t->edges);
    if (!t->files || !t->blocks || !t->insns || !t->value_words || !t->edges) {
        r->wrong = "out of memory";
    }
    if (r->wrong) {
        return;
    }
    t->graph.first = t->edges;
    t->graph.target = t->edges + t->graph.count + 1;
    read_table_blocks(r, t, edge_count);
    if (!r->wrong) {
        read_table_insns(r, t);
        read_table_values(r, t);
    }
}

struct kernel_table *kernel_table_parse(const uint32_t *numbers, size_t count, const char **wrong) {
    struct table_reader r = {.at = numbers, .end = numbers + count};
    struct kernel_table *t = calloc(1, sizeof *t);
    if (!t) {
        *wrong = "out of memory";
        return NULL;
    }
    read_table(&r, t);
    if (r.wrong) {
        *wrong = r.wrong;
        kernel_table_destroy(t);
        return NULL;
    }
    return t;
}

void kernel_table_destroy(struct kernel_table *t) {
    if (t) {
        free(t->name);
        for (uint32_t i = 0; i < t->file_count; i++) {
            free(t->files[i]);
        }
        free(t->files);
        free(t->blocks);
        free(t->insns);
        free(t->value_words);
        free(t->edges);
        free(t);
    }
}

/* --- Writing. --- */

static uint32_t *write_table_text(uint32_t *at, const char *text) {
    uint32_t bytes = (uint32_t)strlen(text);
    *at++ = bytes;
    for (uint32_t i = 0; i < bytes; i += 4, at++) {
        *at = 0;
        for (uint32_t j = i; j < bytes && j < i + 4; j++) {
            *at |= (uint32_t)(uint8_t)text[j] << 8 * (j - i);
        }
    }
    return at;
}

static uint32_t *write_table_insn(uint32_t *at, const struct table_insn *i) {
    *at++ = i->op | (uint32_t)i->space << 8 | (uint32_t)i->width << 16 |
            (uint32_t)i->uncached << 24 | (uint32_t)i->flags << 25;
    *at++ = i->access | (uint32_t)i->file << 16;
    *at++ = i->line;
    *at++ = i->offset;
    *at++ = i->dst;
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        *at++ = i->src[s];
    }
    return at;
}

uint32_t *kernel_table_write(const struct kernel_table *t, size_t *count) {
    const struct block_graph *g = &t->graph;
    const uint32_t edges = g->first[g->count];
    size_t room = HEAD_NUMBERS + 2 + strlen(t->name) / 4 + (size_t)g->count * BLOCK_NUMBERS +
                  edges + (size_t)t->insn_count * INSN_NUMBERS + t->value_count;
    for (uint32_t i = 0; i < t->file_count; i++) {
        room += 2 + strlen(t->files[i]) / 4;
    }
    uint32_t *numbers = malloc(room * sizeof *numbers), *at = numbers;
    if (!numbers) {
        return NULL;
    }
    const uint32_t head[HEAD_NUMBERS] = {KERNEL_TABLE_MAGIC, g->count,       edges,
                                         t->insn_count,      t->value_count, t->shared_bytes,
                                         t->file_count};
    memcpy(at, head, sizeof head);
    at = write_table_text(at + HEAD_NUMBERS, t->name);
    for (uint32_t i = 0; i < t->file_count; i++) {
        at = write_table_text(at, t->files[i]);
    }
    for (uint32_t b = 0; b < g->count; b++) {
        *at++ = t->blocks[b].count;
        *at++ = t->blocks[b].accesses;
        *at++ = t->blocks[b].barrier | (uint32_t)t->blocks[b].calls << 1 |
                (uint32_t)t->blocks[b].entry << 2 | (uint32_t)t->blocks[b].predicated << 3;
        *at++ = g->first[b + 1] - g->first[b];
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            *at++ = g->target[e];
        }
    }
    for (uint32_t i = 0; i < t->insn_count; i++) {
        at = write_table_insn(at, &t->insns[i]);
    }
    for (uint32_t v = 0; v < t->value_count; v++) {
        *at++ = t->value_words[v];
    }
    *count = (size_t)(at - numbers);
    return numbers;
}
