/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/reduce.h"

/* Places of the framework's instructions: those of the heads in the kernel's code, those behind the
 * program's part from the end of the code. */
/* clang-format off */
enum { MARS_REDUCE_COUNT(INSN_INDEX) };
enum { MARS_REDUCE_HEAD(INSN_INDEX) };
enum { MARS_REDUCE_EMIT_BEGIN(INSN_INDEX) BEGIN_COUNT };
enum { MARS_REDUCE_PART(INSN_INDEX, PART, 0) PART_COUNT };
enum { MARS_REDUCE_PART_END(INSN_INDEX, PART_END) PART_END_COUNT };
enum { MARS_REDUCE_EMIT_END(INSN_INDEX) END_COUNT };
enum { MARS_REDUCE_GROUP(INSN_INDEX, GROUP) };
/* clang-format on */

/* The place of the group's first record. @at: of MARS_REDUCE_GROUP. */
static void find_group(struct simt *s, const struct mars_group *g, unsigned at,
                       struct mars_entry *entry) {
    const int64_t first = mars_thread(s);
    const struct buffer range = mars_words(&g->range), entries = mars_words(&g->sorted.entries);
    int32_t from[SIMT_THREADS], to[SIMT_THREADS], size[SIMT_THREADS], key[SIMT_THREADS],
        value[SIMT_THREADS];
    simt_alu(s, at + GROUP_RANGE_ADDRESS);
    simt_load(s, at + GROUP_LOAD_FROM, from, &range, element_x(2 * first, 2));
    simt_load(s, at + GROUP_LOAD_TO, to, &range, element_x(2 * first + 1, 2));
    simt_load(s, at + GROUP_RELOAD_FROM, from, &range, element_x(2 * first, 2));
    simt_alu(s, at + GROUP_ENTRY_ADDRESS);
    struct element word = {.base = 1, .scale = 4, .lane = from};
    simt_load(s, at + GROUP_LOAD_KEY_SIZE, size, &entries, word);
    word.base = 0;
    simt_load(s, at + GROUP_LOAD_KEY_AT, key, &entries, word);
    word.base = 2;
    simt_load(s, at + GROUP_LOAD_VALUE_AT, value, &entries, word);
    SIMT_EACH(s, t) {
        entry[t] = (struct mars_entry){.key_at = key[t], .key_size = size[t], .value_at = value[t]};
    }
}

static void count(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_call *c = mars_now(m);
    const int64_t first = mars_thread(s);
    struct mars_entry entry[SIMT_THREADS];
    int32_t value_size[SIMT_THREADS];
    struct simt_mask inside;
    simt_alus(s, RCOUNT_ID, RCOUNT_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < c->group.count);
    SIMT_IF(s, RCOUNT_GUARD, &inside) {
        find_group(s, &c->group, RCOUNT_RANGE_ADDRESS, entry);
        SIMT_EACH(s, t) {
            value_size[t] = (int32_t)m->app->reduced[MARS_VALUES];
        }
        mars_count_emit(s, &c->out[MARS_REDUCE], RCOUNT_EMIT_KEYS_ADDRESS,
                        (int32_t)m->app->reduced[MARS_KEYS], value_size);
    }
}

/* The start of the thread's output, into the directory. */
static void place_first(struct simt *s, const struct mars_output *out) {
    const int64_t first = mars_thread(s);
    const struct buffer entries = mars_words(&out->records.entries);
    int32_t record[SIMT_THREADS], keys[SIMT_THREADS], values[SIMT_THREADS];
    struct element word = {.scale = 4, .lane = record};
    simt_alu(s, REDUCE_SUM_ADDRESS);
    simt_load(s, REDUCE_LOAD_RECORD, record, &out->sum[MARS_RECORDS], element_x(first, 1));
    simt_load(s, REDUCE_LOAD_SUM_KEYS, keys, &out->sum[MARS_KEYS], element_x(first, 1));
    simt_alu(s, REDUCE_FIRST_ADDRESS);
    simt_store(s, REDUCE_STORE_KEY_AT, keys, &entries, word);
    simt_load(s, REDUCE_RELOAD_RECORD, record, &out->sum[MARS_RECORDS], element_x(first, 1));
    simt_load(s, REDUCE_LOAD_SUM_VALUES, values, &out->sum[MARS_VALUES], element_x(first, 1));
    simt_alu(s, REDUCE_VALUE_ADDRESS);
    word.base = 2;
    simt_store(s, REDUCE_STORE_VALUE_AT, values, &entries, word);
}

/* The key or the value to its place, behind what the thread has written. Return: the instruction
 * behind. */
static unsigned copy_part(struct simt *s, const struct mars_output *out, unsigned at, unsigned part,
                          const struct mars_source *from) {
    const struct buffer written = mars_words(&out->written);
    const struct element mine = element_x(2 * mars_thread(s) + part, 2);
    const unsigned end = at + PART_COUNT + 2 * from->size;
    int32_t done[SIMT_THREADS], to[SIMT_THREADS];
    simt_load(s, at + PART_LOAD_WRITTEN, done, &written, mine);
    simt_load(s, at + PART_LOAD_SUM, to, &out->sum[part], element_x(mars_thread(s), 1));
    SIMT_ALU(s, at + PART_TO, t) {
        to[t] += done[t];
    }
    mars_copy_bytes(s, at + PART_COUNT, from,
                    part == MARS_KEYS ? &out->records.keys : &out->records.values, to);
    SIMT_ALU(s, end + PART_END_WRITE, t) {
        done[t] += (int32_t)from->size;
    }
    simt_store(s, end + PART_END_STORE_WRITTEN, done, &written, mine);
    return end + PART_END_COUNT;
}

static void emit(struct simt *s, const struct mars *m, unsigned at,
                 const struct mars_entry *entry) {
    const struct mars_call *c = mars_now(m);
    const struct mars_output *out = &c->out[MARS_REDUCE];
    const struct buffer entries = mars_words(&out->records.entries);
    const int64_t first = mars_thread(s);
    int32_t key[SIMT_THREADS], value[SIMT_THREADS], emitted[SIMT_THREADS], record[SIMT_THREADS],
        size[2][SIMT_THREADS];
    SIMT_EACH(s, t) {
        key[t] = entry[t].key_at;
        value[t] = entry[t].value_at;
        size[MARS_KEYS][t] = (int32_t)m->app->reduced[MARS_KEYS];
        size[MARS_VALUES][t] = (int32_t)m->app->reduced[MARS_VALUES];
    }
    simt_barrier(s, at + REDUCE_BARRIER);
    simt_alu(s, at + REDUCE_EMIT_ADDRESS);
    at = copy_part(s, out, at + BEGIN_COUNT, MARS_KEYS,
                   &(struct mars_source){&c->group.sorted.keys, key, m->app->reduced[MARS_KEYS]});
    at = copy_part(
        s, out, at, MARS_VALUES,
        &(struct mars_source){&c->group.sorted.values, value, m->app->reduced[MARS_VALUES]});
    simt_load(s, at + REDUCE_LOAD_EMITTED, emitted, &out->emitted, element_x(first, 1));
    simt_load(s, at + REDUCE_LOAD_OUT, record, &out->sum[MARS_RECORDS], element_x(first, 1));
    SIMT_ALU(s, at + REDUCE_OUT_ADDRESS, t) {
        record[t] += emitted[t];
    }
    struct element word = {.base = 1, .scale = 4, .lane = record};
    simt_store(s, at + REDUCE_STORE_KEY_SIZE, size[MARS_KEYS], &entries, word);
    word.base = 3;
    simt_store(s, at + REDUCE_STORE_VALUE_SIZE, size[MARS_VALUES], &entries, word);
    SIMT_ALU(s, at + REDUCE_EMITTED, t) {
        emitted[t]++;
    }
    simt_store(s, at + REDUCE_STORE_EMITTED, emitted, &out->emitted, element_x(first, 1));
}

static void reduce(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_call *c = mars_now(m);
    const int64_t first = mars_thread(s);
    const unsigned bytes = m->app->reduced[MARS_KEYS] + m->app->reduced[MARS_VALUES];
    const unsigned tail = s->launch->code->insn_count -
                          (BEGIN_COUNT + 2 * (PART_COUNT + bytes + PART_END_COUNT) + END_COUNT);
    struct mars_entry entry[SIMT_THREADS];
    struct simt_mask inside;
    simt_alus(s, REDUCE_ID, REDUCE_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < c->group.count);
    SIMT_IF(s, REDUCE_GUARD, &inside) {
        place_first(s, &c->out[MARS_REDUCE]);
        find_group(s, &c->group, REDUCE_GROUP_RANGE_ADDRESS, entry);
        m->app->reduce(s, m, entry);
        emit(s, m, tail, entry);
    }
}

static bool launch_groups(const struct mars *m, unsigned i, const struct kernel_code *code,
                          simt_kernel *kernel, struct host_launch *out) {
    *out = (struct host_launch){
        {code, {mars_now(m)->out[MARS_REDUCE].threads / MARS_BLOCK, 1, 1}, {MARS_BLOCK, 1, 1}},
        kernel};
    return i == 0;
}

bool mars_launch_reduce_count(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return launch_groups(m, i, m->app->reduce_count_code, count, out);
}

bool mars_launch_reduce(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    (void)what;
    return launch_groups(m, i, m->app->reduce_code, reduce, out);
}
