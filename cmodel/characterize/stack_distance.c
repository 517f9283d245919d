/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/stack_distance.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64, WINDOW_FIRST = 1024 };

void stack_distance_destroy(struct stack_distance *s) {
    line_map_destroy(&s->map);
    free(s->line);
    free(s->last);
    free(s->at);
    free(s->tree);
    *s = (struct stack_distance){0};
}

static void forget_times(struct stack_distance *s) {
    uint32_t used = s->now / WORD + 1, words = s->window / WORD;
    memset(s->last, 0, (used < words ? used : words) * sizeof *s->last);
    memset(s->tree, 0, (words + 1) * sizeof *s->tree);
    s->now = s->live = 0;
}

void stack_distance_clear(struct stack_distance *s) {
    line_map_clear(&s->map);
    if (s->window) {
        forget_times(s);
    }
}

static void change_time_count(struct stack_distance *s, uint32_t time, uint32_t change) {
    uint32_t words = s->window / WORD;
    for (uint32_t i = time / WORD + 1; i <= words; i += i & -i) {
        s->tree[i] += change;
    }
}

/* Counts lines whose last touch is at this time or earlier. */
static uint32_t up_to(const struct stack_distance *s, uint32_t time) {
    uint64_t low = UINT64_MAX >> (WORD - 1 - time % WORD);
    uint32_t sum = (uint32_t)__builtin_popcountll(s->last[time / WORD] & low);
    for (uint32_t i = time / WORD; i; i -= i & -i) {
        sum += s->tree[i];
    }
    return sum;
}

/* Drops everything of the old times. */
static bool widen_time_window(struct stack_distance *s, uint32_t window) {
    uint64_t *last = calloc(window / WORD, sizeof *last);
    uint32_t *at = calloc(window, sizeof *at), *tree = calloc(window / WORD + 1, sizeof *tree);
    if (!last || !at || !tree) {
        free(last);
        free(at);
        free(tree);
        return false;
    }
    free(s->last);
    free(s->at);
    free(s->tree);
    s->last = last;
    s->at = at;
    s->tree = tree;
    s->window = window;
    return true;
}

static void stamp_line(struct stack_distance *s, uint32_t number) {
    s->line[number].time = s->now;
    s->at[s->now] = number;
    s->last[s->now / WORD] |= UINT64_C(1) << s->now % WORD;
    change_time_count(s, s->now, 1);
    s->now++;
    s->live++;
}

/* Moves the lines within the limit, oldest first, to a map of their own and drops the others.
 * False: out of memory. */
static bool keep_near(struct stack_distance *s, struct stack_line *kept, uint32_t keep) {
    struct line_map map = {0};
    uint32_t number;
    bool fresh;
    for (uint32_t i = 0; i < keep; i++) {
        if (!line_map_put(&map, kept[i].line, &number, &fresh)) {
            line_map_destroy(&map);
            return false;
        }
    }
    line_map_destroy(&s->map);
    s->map = map;
    memcpy(s->line, kept, keep * sizeof *kept);
    return true;
}

/* Numbers the lines again, in the order of their last touch, because the times have run out. */
static bool renumber_lines(struct stack_distance *s) {
    uint32_t keep = s->live < STACK_DISTANCE_LIMIT ? s->live : STACK_DISTANCE_LIMIT;
    uint32_t drop = s->live - keep, window = s->window, found = 0;
    struct stack_line *kept = malloc((keep + 1) * sizeof *kept);
    if (!kept) {
        return false;
    }
    for (uint32_t word = 0; word < s->window / WORD; word++) {
        for (uint64_t bits = s->last[word]; bits; bits &= bits - 1, found++) {
            if (found >= drop) {
                kept[found - drop] = s->line[s->at[word * WORD + __builtin_ctzll(bits)]];
            }
        }
    }
    bool good = keep_near(s, kept, keep);
    free(kept);
    if (!good || (keep > window / 2 && window < 2 * STACK_DISTANCE_LIMIT &&
                  !widen_time_window(s, 2 * window))) {
        return false;
    }
    forget_times(s);
    for (uint32_t i = 0; i < keep; i++) {
        stamp_line(s, i);
    }
    return true;
}

bool stack_distance_touch(struct stack_distance *s, uint64_t line, uint32_t owner,
                          struct stack_touch *before) {
    uint32_t number;
    bool fresh;
    if (s->now == s->window &&
        !(s->window ? renumber_lines(s) : widen_time_window(s, WINDOW_FIRST))) {
        return false;
    }
    if (!line_map_put(&s->map, line, &number, &fresh) ||
        !line_map_room(&s->map, &s->line, &s->line_room, sizeof *s->line)) {
        return false;
    }
    struct stack_line *l = &s->line[number];
    *before = (struct stack_touch){0};
    if (!fresh) {
        uint32_t distance = s->live - up_to(s, l->time);
        if (distance < STACK_DISTANCE_LIMIT) {
            *before = (struct stack_touch){true, distance, l->owner};
        }
        s->last[l->time / WORD] &= ~(UINT64_C(1) << l->time % WORD);
        change_time_count(s, l->time, UINT32_MAX); /* one fewer */
        s->live--;
    }
    l->line = line;
    l->owner = owner;
    stamp_line(s, number);
    return true;
}
