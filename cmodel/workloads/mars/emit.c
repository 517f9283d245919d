/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/mars/emit.h"

/* Places of the framework's instructions: of the heads in the kernel's code, of the others behind
 * the first of them. */
/* clang-format off */
enum { MARS_COUNT_HEAD(INSN_INDEX) };
enum { MARS_MAP_HEAD(INSN_INDEX) };
enum { MARS_COUNT_EMIT(INSN_INDEX, COUNTED) };
enum { MARS_EMIT_BEGIN(INSN_INDEX, BEGIN) BEGIN_COUNT };
enum { MARS_EMIT_END(INSN_INDEX, END) };
/* clang-format on */

static void add_to(struct simt *s, unsigned at, const struct buffer *counter, const int32_t *more) {
    const int64_t first = mars_thread(s);
    int32_t count[SIMT_THREADS];
    simt_alu(s, at + COUNTED_KEYS_ADDRESS);
    simt_load(s, at + COUNTED_KEYS_LOAD, count, counter, element_x(first, 1));
    SIMT_ALU(s, at + COUNTED_KEYS_ADD, t) {
        count[t] += more[t];
    }
    simt_store(s, at + COUNTED_KEYS_STORE, count, counter, element_x(first, 1));
}

void mars_count_emit(struct simt *s, const struct mars_output *out, unsigned at, int32_t key_size,
                     const int32_t *value_size) {
    int32_t size[SIMT_THREADS], one[SIMT_THREADS];
    SIMT_EACH(s, t) {
        size[t] = key_size;
        one[t] = 1;
    }
    add_to(s, at + COUNTED_KEYS_ADDRESS, &out->count[MARS_KEYS], size);
    add_to(s, at + COUNTED_VALUES_ADDRESS, &out->count[MARS_VALUES], value_size);
    add_to(s, at + COUNTED_RECORDS_ADDRESS, &out->count[MARS_RECORDS], one);
}

void mars_copy_bytes(struct simt *s, unsigned at, const struct mars_source *from,
                     const struct buffer *to, const int32_t *to_at) {
    uint8_t byte[SIMT_THREADS];
    for (unsigned b = 0; b < from->size; b++) {
        simt_load(s, at + 2 * b, byte, from->bytes,
                  (struct element){.base = b, .scale = 1, .lane = from->at});
        simt_store(s, at + 2 * b + 1, byte, to,
                   (struct element){.base = b, .scale = 1, .lane = to_at});
    }
}

/* The record's place in the directory, behind the thread's record before, or, of the first, where
 * the head of the Mapper has said. */
static void enter(struct simt *s, const struct mars_output *out, unsigned at, int32_t key_size,
                  int32_t value_size) {
    const int64_t first = mars_thread(s);
    int32_t emitted[SIMT_THREADS], record[SIMT_THREADS];
    struct mars_entry entry[SIMT_THREADS], before[SIMT_THREADS];
    simt_load(s, at + END_LOAD_EMITTED, emitted, &out->emitted, element_x(first, 1));
    simt_load(s, at + END_LOAD_RECORD, record, &out->sum[MARS_RECORDS], element_x(first, 1));
    SIMT_ALU(s, at + END_ENTRY_ADDRESS, t) {
        record[t] += emitted[t];
    }
    const struct element here = {.base = MARS_AROUND, .scale = 1, .lane = record};
    simt_load(s, at + END_LOAD_ENTRY, entry, &out->around, here);
    simt_load(s, at + END_LOAD_BEFORE, before, &out->around,
              (struct element){.base = MARS_AROUND - 1, .scale = 1, .lane = record});
    simt_alus(s, at + END_FIRST_COMPARE, at + END_SELECT);
    SIMT_EACH(s, t) {
        if (emitted[t] > 0) {
            entry[t].key_at = before[t].key_at + before[t].key_size;
            entry[t].value_at = before[t].value_at + before[t].value_size;
        }
        entry[t].key_size = key_size;
        entry[t].value_size = value_size;
    }
    simt_store(s, at + END_STORE_ENTRY, entry, &out->around, here);
    SIMT_ALU(s, at + END_EMITTED, t) {
        emitted[t]++;
    }
    simt_store(s, at + END_STORE_EMITTED, emitted, &out->emitted, element_x(first, 1));
}

void mars_emit(struct simt *s, const struct mars *m, unsigned at, const struct mars_source *key,
               const struct mars_source *value) {
    const struct mars_output *out = &mars_now(m)->out[MARS_MAP];
    const int64_t first = mars_thread(s);
    struct mars_pair written[SIMT_THREADS];
    int32_t to_key[SIMT_THREADS], to_value[SIMT_THREADS];
    const unsigned key_at = at + BEGIN_COUNT, value_at = key_at + 2 * key->size,
                   end_at = value_at + 2 * value->size;
    simt_barrier(s, at + BEGIN_BARRIER);
    simt_alu(s, at + BEGIN_ADDRESS);
    simt_load(s, at + BEGIN_LOAD_WRITTEN, written, &out->written, element_x(first, 1));
    simt_load(s, at + BEGIN_LOAD_SUM_KEYS, to_key, &out->sum[MARS_KEYS], element_x(first, 1));
    simt_load(s, at + BEGIN_LOAD_SUM_VALUES, to_value, &out->sum[MARS_VALUES], element_x(first, 1));
    simt_alus(s, at + BEGIN_TO_KEY, at + BEGIN_TO_VALUE);
    SIMT_EACH(s, t) {
        to_key[t] += written[t].x;
        to_value[t] += written[t].y;
        written[t].x += (int32_t)key->size;
        written[t].y += (int32_t)value->size;
    }
    mars_copy_bytes(s, key_at, key, &out->records.keys, to_key);
    mars_copy_bytes(s, value_at, value, &out->records.values, to_value);
    simt_alus(s, end_at + END_WRITE_KEY, end_at + END_WRITE_VALUE);
    simt_store(s, end_at + END_STORE_WRITTEN, written, &out->written, element_x(first, 1));
    enter(s, out, end_at, (int32_t)key->size, (int32_t)value->size);
}

struct buffer mars_scratch(struct simt *s, unsigned width) {
    return simt_shared(s, 0, MARS_BLOCK * MARS_SCRATCH_BYTES / width, width);
}

static void count(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_records *in = &mars_now(m)->in;
    const int64_t first = mars_thread(s);
    struct mars_entry entry[SIMT_THREADS];
    struct simt_mask inside;
    simt_alus(s, COUNT_ID, COUNT_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < in->count);
    SIMT_IF(s, COUNT_GUARD, &inside) {
        simt_alu(s, COUNT_ENTRY_ADDRESS);
        simt_load(s, COUNT_LOAD_ENTRY, entry, &in->entries, element_x(first, 1));
        simt_alus(s, COUNT_KEY, COUNT_VALUE);
        m->app->count(s, m, entry);
    }
}

/* The thread's first record starts where the prefix sums say. */
static void place_first(struct simt *s, const struct mars_output *out) {
    const int64_t first = mars_thread(s);
    struct mars_entry entry[SIMT_THREADS];
    int32_t record[SIMT_THREADS], keys[SIMT_THREADS], values[SIMT_THREADS];
    simt_alu(s, MAP_SUM_ADDRESS);
    simt_load(s, MAP_LOAD_RECORD, record, &out->sum[MARS_RECORDS], element_x(first, 1));
    simt_alu(s, MAP_FIRST_ADDRESS);
    simt_load(s, MAP_LOAD_FIRST, entry, &out->records.entries, element_lane(record));
    simt_load(s, MAP_LOAD_SUM_KEYS, keys, &out->sum[MARS_KEYS], element_x(first, 1));
    simt_load(s, MAP_LOAD_SUM_VALUES, values, &out->sum[MARS_VALUES], element_x(first, 1));
    SIMT_ALU(s, MAP_FIRST, t) {
        entry[t].key_at = keys[t];
        entry[t].value_at = values[t];
    }
    simt_store(s, MAP_STORE_FIRST, entry, &out->records.entries, element_lane(record));
}

static void map(struct simt *s, const void *arguments) {
    const struct mars *m = arguments;
    const struct mars_records *in = &mars_now(m)->in;
    const int64_t first = mars_thread(s);
    struct mars_entry entry[SIMT_THREADS];
    struct simt_mask inside;
    simt_alus(s, MAP_ID, MAP_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < in->count);
    SIMT_IF(s, MAP_GUARD, &inside) {
        place_first(s, &mars_now(m)->out[MARS_MAP]);
        simt_alu(s, MAP_ENTRY_ADDRESS);
        simt_load(s, MAP_LOAD_ENTRY, entry, &in->entries, element_x(first, 1));
        simt_alus(s, MAP_KEY, MAP_VALUE);
        m->app->map(s, m, entry);
    }
}

bool mars_launch_count(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    *out = (struct host_launch){{m->app->count_code,
                                 {mars_now(m)->out[what].threads / MARS_BLOCK, 1, 1},
                                 {MARS_BLOCK, 1, 1}},
                                count};
    return i == 0;
}

bool mars_launch_map(struct mars *m, unsigned what, unsigned i, struct host_launch *out) {
    *out = (struct host_launch){
        {m->app->map_code, {mars_now(m)->out[what].threads / MARS_BLOCK, 1, 1}, {MARS_BLOCK, 1, 1}},
        map};
    return i == 0;
}
