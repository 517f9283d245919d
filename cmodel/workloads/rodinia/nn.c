/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia nn: the distance of each record (latitude, longitude) from a point. A thread a record;
 * two loads of 4 bytes, 8 bytes apart from lane to lane: each touches two lines, and the second
 * finds those of the first. (The search for the nearest ones is the host's and left out.)
 *
 * CTAs of 256 threads, as in the suite's release 3.1; release 2 had CTAs of 16.
 */
#include <math.h>

#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define LATITUDE 30.0f
#define LONGITUDE 90.0f

/* Records. The suite has four files of 10691. */
static const unsigned sizes[] = {[SIZE_TINY] = 10691, [SIZE_SMALL] = 42764, [SIZE_PAPER] = 42764};

struct nn {
    struct host host;
    unsigned n;
    uint64_t seed;
    struct buffer location; /* latitude and longitude in turn */
    struct buffer distance;
};

enum { R_ID, R_PREDICATE, R_ADDRESS, R_TO, R_LATITUDE, R_LONGITUDE };

#define NN(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, R_ID) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, LOCATION_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS, R_ID) \
    I(LOAD, LOAD_LATITUDE, SPACE_GLOBAL, 4, R_LATITUDE, R_ADDRESS) \
    I(ALU, LATITUDE_LESS, OP_FP_ADD, R_LATITUDE, R_LATITUDE) \
    I(LOAD, LOAD_LONGITUDE, SPACE_GLOBAL, 4, R_LONGITUDE, R_ADDRESS) \
    I(ALU, LONGITUDE_LESS, OP_FP_ADD, R_LONGITUDE, R_LONGITUDE) \
    I(ALU, SQUARE, OP_FP_MUL, R_LONGITUDE, R_LONGITUDE) \
    I(ALU, SUM, OP_FP_MAD, R_LATITUDE, R_LATITUDE, R_LONGITUDE) \
    I(ALU, ROOT, OP_SFU, R_LATITUDE, R_LATITUDE) \
    I(ALU, TO, OP_INT_MAD, R_TO, R_TO, R_ID) \
    I(STORE, STORE_DISTANCE, SPACE_GLOBAL, 4, R_LATITUDE, R_TO)
SIMT_CODE(nn, NN, .registers = 12);

/* distance[id] = sqrt((latitude - 30)^2 + (longitude - 90)^2) */
static void kernel(struct simt *s, const void *arguments) {
    const struct nn *k = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    float latitude[SIMT_THREADS], longitude[SIMT_THREADS];
    struct simt_mask inside;

    simt_work(s, ID, 4);
    simt_alu(s, GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, id + t < k->n);
    SIMT_IF(s, GUARD, &inside) {
        simt_work(s, LOCATION_ADDRESS, 3);
        simt_load(s, LOAD_LATITUDE, latitude, &k->location, element_x(2 * id, 2));
        simt_load(s, LOAD_LONGITUDE, longitude, &k->location, element_x(2 * id + 1, 2));
        simt_alu(s, LATITUDE_LESS);
        simt_alus(s, LONGITUDE_LESS, ROOT);
        simt_work(s, TO, 3);
        SIMT_EACH(s, t) {
            const float north = LATITUDE - latitude[t], east = LONGITUDE - longitude[t];
            latitude[t] = sqrtf(north * north + east * east);
        }
        simt_store(s, STORE_DISTANCE, latitude, &k->distance, element_x(id, 1));
    }
}

static void fill(const struct nn *k, float *location) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->n; i++) {
        location[2 * i] = 7.0f + 56.0f * host_uniform(&state);
        location[2 * i + 1] = 358.0f * host_uniform(&state);
    }
}

static bool nn_open(void *self, enum workload_size size, uint64_t seed) {
    struct nn *k = self;
    k->n = sizes[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->location, 2 * (uint64_t)k->n, sizeof(float)},
                    {&k->distance, k->n, sizeof(float)})) {
        return false;
    }
    fill(k, k->location.data);
    HOST_ADD_LAUNCH(&k->host, {&nn_code, {(k->n + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                    kernel);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("distance", nn, distance), FLOATS("location", nn, location), {0}};

static bool nn_plain(void *self, void *const expected[]) {
    struct nn *k = self;
    float *distance = expected[0], *location = expected[1];
    fill(k, location);
    for (unsigned i = 0; i < k->n; i++) {
        const float x = LATITUDE - location[2 * i], y = LONGITUDE - location[2 * i + 1];
        distance[i] = sqrtf(x * x + y * y);
    }
    return true;
}

static void nn_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct nn *k = self;
    const uint64_t threads = (k->n + BLOCK - 1) / BLOCK * BLOCK;
    const uint64_t warps = (k->n + WARP_SIZE - 1) / WARP_SIZE;
    const unsigned inside = 3 + 2 + 5 + 3 + 1; /* behind the guard */
    *e =
        (struct workload_expectation){.warp_instructions = threads / WARP_SIZE * 6 + warps * inside,
                                      .thread_instructions = threads * 6 + k->n * inside};
    /* A line holds whole records, and a warp begins at one. */
    e->global_read_accesses = 2 * lines_of_run(0, k->n, 8, line_bytes);
    e->global_write_accesses = lines_of_run(0, k->n, 4, line_bytes);
}

const struct workload workload_nn = {
    .name = "nn",
    .suite = "rodinia",
    .about = "distances from a point: two loads from the same lines, one store",
    .size_text = {[SIZE_TINY] = "10691 records",
                  [SIZE_SMALL] = "42764 records",
                  [SIZE_PAPER] = "42764 records"},
    .bytes = sizeof(struct nn),
    .open = nn_open,
    .results = results,
    .plain = nn_plain,
    .expect = nn_expect,
};
