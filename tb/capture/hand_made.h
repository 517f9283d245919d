/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and threads made by hand. A block is a line of words, "alu load br > 1 2": instructions,
 * then the blocks behind it; "f:" begins a function, "p:" a predicated block. A thread is the
 * numbers of its blocks, "0 1 1 2 | 3", cut at barriers.
 */
#ifndef WARPMEM_TB_CAPTURE_HAND_MADE_H
#define WARPMEM_TB_CAPTURE_HAND_MADE_H

#include <stdio.h>

#include "base/unit_tests.h"
#include "capture/aligner.h"

#define HAND_MADE_TEXT 16384

static inline void add_hand_made_insn(struct kernel_table *t, struct table_block *b,
                                      const char *word) {
    static const struct {
        const char *word;
        uint8_t op, space;
        bool generic;
    } kinds[] = {{"alu", OP_INT_ADD, 0, false},
                 {"br", OP_BRANCH, 0, false},
                 {"jump", OP_BRANCH, 0, false},
                 {"bar", OP_BARRIER, 0, false},
                 {"call", OP_BRANCH, 0, false},
                 {"load", OP_LOAD, SPACE_GLOBAL, false},
                 {"store", OP_STORE, SPACE_GLOBAL, false},
                 {"any", OP_LOAD, SPACE_GLOBAL, true}};
    unsigned k = 0;
    while (strcmp(kinds[k].word, word)) {
        k++;
        assert_true(k < sizeof kinds / sizeof *kinds);
    }
    struct table_insn i = {.op = kinds[k].op,
                           .access = ACCESS_NONE,
                           .dst = VALUE_NONE,
                           .src = {VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE},
                           .line = 1};
    i.flags = strcmp(word, "jump") ? 0 : TABLE_JUMP;
    b->barrier |= i.op == OP_BARRIER;
    b->calls |= !strcmp(word, "call");
    if (i.op >= OP_LOAD && i.op <= OP_ATOMIC) {
        i.access = (uint16_t)b->accesses++;
        i.width = 4;
    }
    t->insns[t->insn_count++] = i;
    b->count++;
    if (kinds[k].generic) {
        t->insns[t->insn_count - 1].flags = TABLE_GENERIC;
        t->insns[t->insn_count] = t->insns[t->insn_count - 1];
        t->insns[t->insn_count++].space = SPACE_SHARED;
        b->count++;
    }
}

static inline void read_hand_made_block(struct kernel_table *t, uint32_t number, const char *line) {
    struct table_block *b = &t->blocks[number];
    uint32_t *first = t->edges, *target = t->edges + t->graph.count + 1;
    char words[256], *rest = words;
    bool edges = false;
    snprintf(words, sizeof words, "%s", line);
    b->first = t->insn_count;
    first[number + 1] = first[number];
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        if (!strcmp(word, "f:")) {
            b->entry = true;
            t->function_block = number < t->function_block ? number : t->function_block;
        } else if (!strcmp(word, "p:")) {
            b->predicated = true;
        } else if (!strcmp(word, ">")) {
            edges = true;
        } else if (edges) {
            target[first[number + 1]++] = (uint32_t)strtoul(word, NULL, 10);
        } else {
            add_hand_made_insn(t, b, word);
        }
    }
}

/* Ends with NULL. */
static inline struct kernel_table *make_hand_made(const char *const *lines) {
    struct kernel_table *t = calloc(1, sizeof *t);
    while (lines[t->graph.count]) {
        t->graph.count++;
    }
    t->name = strdup("hand_made");
    t->files = calloc(1, sizeof *t->files);
    t->files[t->file_count++] = strdup("hand_made.cu");
    t->blocks = calloc(t->graph.count, sizeof *t->blocks);
    t->insns = calloc(16 * t->graph.count, sizeof *t->insns);
    t->value_words = calloc(1, 1);
    t->edges = calloc(9 * t->graph.count + 1, sizeof *t->edges);
    t->function_block = t->graph.count;
    t->graph.first = t->edges;
    t->graph.target = t->edges + t->graph.count + 1;
    for (uint32_t b = 0; b < t->graph.count; b++) {
        read_hand_made_block(t, b, lines[b]);
    }
    return t;
}

/* The address of access @n of a thread: neighbours for lanes. A thread's odd ones are shared if its
 * walk says "s" behind the block. */
static inline void record_hand_made_block(struct recorder *r, const struct kernel_table *t,
                                          unsigned thread, const char *word) {
    struct thread_stream *s = &r->thread[thread];
    char *end;
    uint32_t block = (uint32_t)strtoul(word, &end, 10);
    assert_true(recorder_put_block(r, s, block));
    for (uint32_t i = 0; block < t->graph.count && i < t->blocks[block].accesses; i++) {
        assert_true(recorder_put_access(r, s, *end == 's' ? SPACE_SHARED : SPACE_GLOBAL,
                                        0x1000 + 256 * block + 4 * thread));
    }
}

/* Records piece @piece of a walk. False: the walk has no such piece. */
static inline bool record_hand_made_piece(struct recorder *r, const struct kernel_table *t,
                                          unsigned thread, const char *walk, unsigned piece) {
    char words[4096], *rest = words;
    unsigned at = 0;
    bool any = false;
    snprintf(words, sizeof words, "%s", walk);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        if (!strcmp(word, "|")) {
            at++;
        } else if (at == piece) {
            record_hand_made_block(r, t, thread, word);
            any = true;
        }
    }
    return any;
}

/* "alu f  load f@1000+4  begin f": each record with its lanes; an address is that of lane 0. */
static inline void print_records(const struct cta_trace *cta, const struct kernel_code *code,
                                 unsigned warp, char text[HAND_MADE_TEXT]) {
    static const char *const names[OP_COUNT] = {
        [OP_INT_ADD] = "alu",       [OP_BRANCH] = "br",   [OP_LOAD] = "load",
        [OP_STORE] = "store",       [OP_BARRIER] = "bar", [OP_LOOP_BEGIN] = "begin",
        [OP_LOOP_ITERATION] = "it", [OP_LOOP_END] = "end"};
    struct warp_cursor c;
    struct warp_op op;
    size_t used = 0;
    *text = '\0';
    warp_cursor_open(&c, &cta->warp[warp], code);
    while (warp_cursor_next(&c, &op)) {
        used += (size_t)snprintf(text + used, HAND_MADE_TEXT - used, "%s%s%s %x", used ? " " : "",
                                 names[op.insn->op],
                                 insn_is_memory(op.insn) && op.insn->space ? "s" : "", op.active);
        assert_true(used < HAND_MADE_TEXT);
    }
}

struct hand_made {
    struct kernel_table *table;
    struct code_layout *layout;
    struct aligner *aligner;
    struct recorder *recorder;
    struct cta_trace *cta;
};

static inline void open_hand_made(struct hand_made *h, const char *const *lines,
                                  enum aligner_rule rule) {
    const char *wrong;
    h->table = make_hand_made(lines);
    h->layout = code_layout_create(h->table, &wrong);
    assert_non_null(h->layout);
    h->aligner = aligner_create(h->layout, rule);
    h->recorder = malloc(sizeof *h->recorder);
    h->cta = cta_trace_create();
    assert_true(h->aligner && h->recorder && h->cta);
    recorder_init(h->recorder, RECORDER_WORDS_MAX);
}

static inline void close_hand_made(struct hand_made *h) {
    aligner_destroy(h->aligner);
    code_layout_destroy(h->layout);
    kernel_table_destroy(h->table);
    recorder_free(h->recorder);
    free(h->recorder);
    cta_trace_destroy(h->cta);
}

/* Aligns @count threads. False: refused. */
static inline bool align_hand_made(struct hand_made *h, const char *const *walks, unsigned count) {
    bool any = true;
    aligner_begin_cta(h->aligner, count, h->cta);
    for (unsigned piece = 0; any; piece++) {
        any = false;
        recorder_clear(h->recorder, 0, RECORDER_THREADS_MAX);
        for (unsigned t = 0; t < count; t++) {
            any |= record_hand_made_piece(h->recorder, h->table, t, walks[t], piece);
        }
        for (unsigned w = 0; any && w * WARP_SIZE < count; w++) {
            if (!aligner_run(h->aligner, w, &h->recorder->thread[w * WARP_SIZE])) {
                return false;
            }
        }
    }
    return aligner_end_cta(h->aligner);
}

#endif
