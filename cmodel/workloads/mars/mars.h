/* SPDX-License-Identifier: Apache-2.0
 *
 * The MapReduce framework of MARS (He et al., PACT 2008), which its programs PVC, PVR, SSC and IIX
 * share. A call of it goes over records, a thread a record:
 *
 *   1. MapperCount: how many bytes of keys and values and how many records each thread will emit,
 *   2. prefix sums of the three: where each thread's output starts,
 *   3. Mapper: the same again, and each emitted record is copied byte by byte to its place,
 *   4. the directory of the emitted records (16 bytes each) is sorted by a bitonic network, a
 *      launch a step, whose comparisons look up the keys; then values and keys are gathered in the
 *      directory's order, and the groups of equal keys found,
 *   5. if the program reduces: ReducerCount, prefix sums, Reducer, a thread a group.
 *
 * A program gives the code and the parts of the kernels that are its own: count, map, compare,
 * and reduce. Pointers are 32 bits wide, as in the CUDA of the papers' time.
 *
 * The sizes of the grids of the gather are the suite's: 512 CTAs, however few entries there are.
 * Copies between host and device, and within the device, are not launches. The suite's sort of up
 * to 256 records, in one CTA, is left out: no size here has so few.
 */
#ifndef WARPMEM_WORKLOADS_MARS_MARS_H
#define WARPMEM_WORKLOADS_MARS_MARS_H

#include "workloads/common/scan.h"
#include "workloads/host.h"
#include "workloads/workload.h"

#define MARS_BLOCK 256
#define MARS_SCRATCH_BYTES 20 /* of shared memory a thread, for map's intermediate results */
#define MARS_CALLS_MAX 2
#define MARS_POWER_MIN 512 /* entries that are sorted at least, of which fewer are padded */

/* A record in a directory: byte offsets and sizes of its key and its value. */
struct mars_entry {
    int32_t key_at, key_size, value_at, value_size;
};

/* The directory's sort pads it with entries without key, which come first. */
#define MARS_NO_KEY (-1)

struct mars_pair {
    int32_t x, y;
};

enum { MARS_KEYS, MARS_VALUES, MARS_RECORDS, MARS_COUNTS };

/* Input records, or output. */
struct mars_records {
    struct buffer keys, values; /* bytes */
    struct buffer entries;
    unsigned count;
};

/* The output of the threads of a map or reduce stage. */
struct mars_output {
    struct buffer count[MARS_COUNTS]; /* a thread: bytes of keys, bytes of values, records */
    struct buffer sum[MARS_COUNTS];   /* exclusive prefix sums */
    struct buffer written;            /* struct mars_pair a thread: bytes of keys and values */
    struct buffer emitted;            /* a thread: records */
    /* entries also has one in front of the first, which is read, and one behind the last: a last
     * thread without records writes to it what it thinks is its first. */
    struct mars_records records;
    struct buffer around; /* the directory with MARS_AROUND entries in front */
    unsigned threads;     /* of whole CTAs */
};
#define MARS_AROUND 16 /* whole lines, so that the directory stays aligned */

struct mars_group {
    struct buffer padded;              /* the directory while it is sorted */
    struct buffer padded_keys;         /* the keys it refers to */
    unsigned power;                    /* of two: entries of padded */
    struct buffer pieces, sizes, sums; /* while a gather runs */
    struct mars_records sorted;
    struct buffer start, rank, first; /* of groups: 1 where one starts, which it is; where it is */
    struct buffer range;              /* struct mars_pair a group: [first, last + 1) */
    unsigned count;
};

enum { MARS_MAP, MARS_REDUCE, MARS_STAGES };

struct mars_call {
    struct mars_records in;
    struct mars_output out[MARS_STAGES];
    struct mars_group group;
};

struct mars;

/**
 * struct mars_app - the parts of one program. The callbacks run inside kernels, for the active
 * threads. The code of count and map begins with MARS_COUNT_HEAD and MARS_MAP_HEAD (mars/emit.h),
 * that of the others stands around the program's comparison (mars/sort.h).
 * @count_code, @count: the record's own part of MapperCount; ends with mars_count_emit()
 * @map_code, @map: of Mapper
 * @sort_code: a step of the network
 * @chunk_code: many steps in shared memory
 * @boundary_code: is this key another than the one before
 * @compare: order of the keys of a and b, below, equal or above zero; its instructions are from @at
 * on
 * @calls: 1, or 2: the second reduces the first one's results
 * @reduce_code, @reduce_count_code: NULL: no call reduces, else the first does
 * @reduce: the program's part of Reducer, of a group whose first record is @in
 * @reduced: bytes of the key and the value that the Reducer emits
 */
struct mars_app {
    const struct kernel_code *count_code, *map_code;
    void (*count)(struct simt *s, const struct mars *m, const struct mars_entry *in);
    void (*map)(struct simt *s, const struct mars *m, const struct mars_entry *in);
    const struct kernel_code *sort_code, *chunk_code, *boundary_code;
    void (*compare)(struct simt *s, const struct mars *m, unsigned at, const struct buffer *keys,
                    const struct mars_entry *a, const struct mars_entry *b, int32_t *order);
    unsigned calls;
    const struct kernel_code *reduce_count_code, *reduce_code;
    void (*reduce)(struct simt *s, const struct mars *m, const struct mars_entry *in);
    unsigned reduced[2];
};

/* The first member of a program's structure. */
struct mars {
    struct host host;
    const struct mars_app *app;
    struct mars_call call[MARS_CALLS_MAX];
    unsigned now;         /* which call */
    unsigned phase, step; /* launch @step of what */
    bool failed;          /* out of memory */
    /* State of the current launch. */
    struct scan scan;
    unsigned sort_k, sort_j; /* step of the network */
    unsigned first;          /* entry of the first thread */
};

/** mars_open() - the launches of @app over call[0].in. */
void mars_open(struct mars *m, const struct mars_app *app);

static inline const struct mars_call *mars_now(const struct mars *m) {
    return &m->call[m->now];
}

/** mars_words() - the same memory in words of 4 bytes. */
static inline struct buffer mars_words(const struct buffer *b) {
    return (struct buffer){b->address, b->data, b->count * b->width / 4, 4, b->shared, 0};
}

/** mars_alloc() - device memory; after a failure the program ends and its check reports it. */
bool mars_alloc(struct mars *m, struct buffer *b, uint64_t count, unsigned width);

/** mars_alloc_input() - room for @n records of @key_size and @value_size bytes each, and their
 * directory, filled in. */
bool mars_alloc_input(struct mars *m, unsigned n, unsigned key_size, unsigned value_size);

/* Number of thread 0 of a CTA. */
static inline int64_t mars_thread(const struct simt *s) {
    return (int64_t)s->cta[0] * s->block[0];
}

/* The steps of a call, of which mars/phases.c has the order: launch @i of one, false: there is none
 * (any more). @what: the stage, or the keys or the values. */
typedef bool mars_launch(struct mars *m, unsigned what, unsigned i, struct host_launch *out);
mars_launch mars_launch_count, mars_launch_map;
mars_launch mars_launch_sort, mars_launch_starts;
mars_launch mars_launch_pieces, mars_launch_sizes, mars_launch_copy, mars_launch_set;
mars_launch mars_launch_firsts, mars_launch_ranges;
mars_launch mars_launch_reduce_count, mars_launch_reduce;

/** mars_launch_entries() - a thread for each of @n entries, 512 CTAs of @threads a launch. */
bool mars_launch_entries(struct mars *m, unsigned i, unsigned n, unsigned threads,
                         const struct kernel_code *code, simt_kernel *kernel,
                         struct host_launch *out);

#endif
