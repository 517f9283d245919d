/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia kmeans: points of 34 features to the nearest of 5 centres, which the host then moves to
 * the mean of their points.
 *
 * kmeans, as released: a first launch turns the point-major input feature-major (a load of 32
 * lines, as points are 136 bytes apart, and a coalesced store), so that the launches that follow
 * stream coalesced through the texture cache, with the centres in constant memory.
 *
 * kmeans-global, the variant of Rogers et al. without textures (KMN of CCWS and DAWS, as far as is
 * known): no inversion, point-major features and the centres both in global memory. Each lane
 * walks its own 136 bytes, five times: 34 lines a warp, which only the same lane uses again, and
 * with all warps many times the L1.
 *
 * kmeans-136, the same with 28 Ki points of 136 features: the lineage of the input that CCWS's
 * authors ran has 28 K points with four times the suite's features. 112 CTAs fill the 30 cores of
 * DAWS' GPU once; small has two CTAs a core.
 *
 * The host stops when no point has changed, but after 500 launches at the latest. Addresses do
 * not depend on data, so all launches are alike, and a size bounds their number: 2 as a rule, 1 in
 * small, and 1 for DAWS, whose programs end within 1 G thread instructions.
 *
 * MRPB gives its input; the others have the suite's, kdd_cup's 494,020 points, but MDB: its figure
 * 3 numbers 8 warps, one CTA a core, so it has 3,840 points at most, 15 CTAs (and an empty one in
 * the square grid), and launches to fill some million cycles. OWL's KMN is taken
 * to be kmeans: its CTAs share rows of DRAM as OWL table 4 has it (kmeans-global's hardly do). The
 * papers on contention for the L1's data, MDB and DAWS, are taken to run kmeans-global and
 * kmeans-136: texture fetches do not go there.
 */
#include <float.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define FEATURES 34 /* of the suite's kdd_cup */
#define FEATURES_MAX 136
#define CLUSTERS 5

static const struct size {
    unsigned points;
    unsigned iterations; /* of the host, at most */
} sizes[] =
    {
        [SIZE_TINY] = {992, 2},          [SIZE_SMALL] = {40960, 1},
        [SIZE_PAPER_MRPB] = {204800, 2}, [SIZE_PAPER_MDB] = {3840, 20},
        [SIZE_PAPER_OWL] = {494020, 2},  [SIZE_PAPER_DAWS] = {494020, 1},
},
  sizes_136[] = {
      [SIZE_TINY] = {992, 2},
      [SIZE_SMALL] = {15360, 1},
      [SIZE_PAPER_DAWS] = {28672, 1},
};

struct kmeans {
    struct host host;
    struct size size;
    uint64_t seed;
    unsigned side;            /* of the square grid of blocks */
    bool texture;             /* as released */
    unsigned row;             /* features of a point */
    struct buffer flipped;    /* [feature][point], only as released */
    struct buffer features;   /* [point][feature] */
    struct buffer membership; /* the cluster of each point */
    struct buffer clusters;   /* centres, [cluster][feature] */
    int32_t *before;          /* the membership that the host has seen last, -1 at first */
};

/* --- The inversion, as released only. --- */

enum { I_POINT, I_PREDICATE, I_IN, I_OUT, I_VALUE };

#define INVERT(I) \
    I(ALU, INVERT_POINT, OP_INT_MAD, I_POINT, REG_NONE) \
    I(ALU, INVERT_COMPARE, OP_INT_ADD, I_PREDICATE, I_POINT) \
    I(BRANCH, INVERT_GUARD, I_PREDICATE) \
    I(ALU, INVERT_IN, OP_INT_MAD, I_IN, I_POINT) \
    I(ALU, INVERT_OUT, OP_INT_MAD, I_OUT, I_POINT) \
    I(LOOP, INVERT_LOOP) \
    I(LOAD, INVERT_LOAD, SPACE_GLOBAL, 4, I_VALUE, I_IN) \
    I(STORE, INVERT_STORE, SPACE_GLOBAL, 4, I_VALUE, I_OUT) \
    I(ALU, INVERT_NEXT_IN, OP_INT_ADD, I_IN, I_IN) \
    I(ALU, INVERT_NEXT_OUT, OP_INT_ADD, I_OUT, I_OUT) \
    I(ALU, INVERT_END, OP_INT_ADD, I_PREDICATE, I_IN) \
    I(BRANCH, INVERT_AGAIN, I_PREDICATE)
SIMT_CODE(invert, INVERT, .registers = 12);

/* for (f = 0; f < row; f++) flipped[f * n + p] = features[p * row + f]; */
static void invert(struct simt *s, const void *arguments) {
    const struct kmeans *k = arguments;
    const int64_t n = k->size.points, p = (int64_t)s->cta[0] * BLOCK; /* of thread 0 */
    float value[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, INVERT_POINT, INVERT_COMPARE);
    SIMT_WHERE(s, inside, t, p + t < n);
    SIMT_IF(s, INVERT_GUARD, &inside) {
        simt_alus(s, INVERT_IN, INVERT_OUT);
        SIMT_FOR(s, INVERT_LOOP, f, k->row) {
            simt_load(s, INVERT_LOAD, value, &k->features, element_x(p * k->row + f, k->row));
            simt_store(s, INVERT_STORE, value, &k->flipped, element_x(f * n + p, 1));
            simt_alus(s, INVERT_NEXT_IN, INVERT_AGAIN);
        }
    }
}

/* --- A point to its nearest centre. --- */

enum {
    R_BLOCK,
    R_POINT,
    R_PREDICATE,
    R_NEAREST,
    R_CLUSTER,
    R_CENTRE,
    R_FEATURE,
    R_INDEX,
    R_X_ADDRESS,
    R_C_ADDRESS,
    R_X,
    R_C,
    R_DIFFERENCE,
    R_DISTANCE,
    R_LEAST
};

/* One table for both variants, each with loads of its own. A fetch takes an index and a constant an
 * offset, so the counter of the loop serves; global memory wants addresses. */
#define POINT(I) \
    I(ALU, CTA, OP_INT_MAD, R_BLOCK, REG_NONE) \
    I(ALU, ID, OP_INT_MAD, R_POINT, R_BLOCK) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_POINT) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, FIRST_CLUSTER, OP_INT_ADD, R_CLUSTER, REG_NONE) \
    I(ALU, NO_NEAREST, OP_INT_ADD, R_NEAREST, REG_NONE) \
    I(ALU, FAR, OP_FP_ADD, R_LEAST, REG_NONE) \
    I(LOOP, EACH_CLUSTER) \
    I(ALU, CENTRE, OP_INT_MUL, R_CENTRE, R_CLUSTER) \
    I(ALU, FIRST_FEATURE, OP_INT_ADD, R_FEATURE, R_POINT, R_CENTRE) \
    I(ALU, ZERO, OP_FP_ADD, R_DISTANCE, REG_NONE) \
    I(LOOP, EACH_FEATURE) \
    I(LOAD, FETCH_X, SPACE_TEXTURE, 4, R_X, R_FEATURE) \
    I(LOAD, FETCH_C, SPACE_CONSTANT, 4, R_C, R_FEATURE) \
    I(ALU, X_INDEX, OP_INT_MAD, R_INDEX, R_POINT, R_FEATURE) \
    I(ALU, X_ADDRESS, OP_INT_MAD, R_X_ADDRESS, R_INDEX) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_CENTRE, R_FEATURE) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 4, R_X, R_X_ADDRESS) \
    I(LOAD, LOAD_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS) \
    I(ALU, SUBTRACT, OP_FP_ADD, R_DIFFERENCE, R_X, R_C) \
    I(ALU, FMA, OP_FP_MAD, R_DISTANCE, R_DIFFERENCE, R_DISTANCE) \
    I(ALU, NEXT_FEATURE, OP_INT_ADD, R_FEATURE, R_FEATURE) \
    I(ALU, LAST_FEATURE, OP_INT_ADD, R_PREDICATE, R_FEATURE) \
    I(BRANCH, FEATURE_AGAIN, R_PREDICATE) \
    I(ALU, NEARER, OP_FP_ADD, R_PREDICATE, R_DISTANCE, R_LEAST) \
    I(ALU, SELECT_LEAST, OP_FP_ADD, R_LEAST, R_PREDICATE, R_DISTANCE, R_LEAST) \
    I(ALU, SELECT_NEAREST, OP_INT_ADD, R_NEAREST, R_PREDICATE, R_CLUSTER, R_NEAREST) \
    I(ALU, NEXT_CLUSTER, OP_INT_ADD, R_CLUSTER, R_CLUSTER) \
    I(ALU, LAST_CLUSTER, OP_INT_ADD, R_PREDICATE, R_CLUSTER) \
    I(BRANCH, CLUSTER_AGAIN, R_PREDICATE) \
    I(ALU, MEMBERSHIP_ADDRESS, OP_INT_MAD, R_INDEX, R_POINT) \
    I(STORE, STORE_MEMBERSHIP, SPACE_GLOBAL, 4, R_NEAREST, R_INDEX)
SIMT_CODE(kmeans_point, POINT, .registers = 18);
static const struct kernel_code kmeans_point_global_code = {
    .name = "kmeans_point_global",
    .insns = kmeans_point_insns,
    .insn_count = sizeof kmeans_point_insns / sizeof *kmeans_point_insns,
    .registers = 19};

/* Feature f of the points p .. and of cluster c's centre. */
static void load(struct simt *s, const struct kmeans *k, int64_t p, unsigned c, unsigned f,
                 float *x, float *centre) {
    if (k->texture) {
        simt_load(s, FETCH_X, x, &k->flipped, element_x((int64_t)f * k->size.points + p, 1));
        simt_load(s, FETCH_C, centre, &k->clusters, element_at(c * k->row + f));
    } else {
        simt_alus(s, X_INDEX, C_ADDRESS);
        simt_load(s, LOAD_X, x, &k->features, element_x(p * k->row + f, k->row));
        simt_load(s, LOAD_C, centre, &k->clusters, element_at(c * k->row + f));
    }
}

static void find_nearest(struct simt *s, const struct kmeans *k, int64_t p) {
    float x[SIMT_THREADS], centre[SIMT_THREADS], distance[SIMT_THREADS], least[SIMT_THREADS];
    int32_t nearest[SIMT_THREADS];

    simt_alus(s, FIRST_CLUSTER, NO_NEAREST);
    SIMT_ALU(s, FAR, t) {
        nearest[t] = -1;
        least[t] = FLT_MAX;
    }
    SIMT_FOR(s, EACH_CLUSTER, c, CLUSTERS) {
        simt_alus(s, CENTRE, FIRST_FEATURE);
        SIMT_ALU(s, ZERO, t) {
            distance[t] = 0;
        }
        SIMT_FOR(s, EACH_FEATURE, f, k->row) {
            load(s, k, p, c, f, x, centre);
            simt_alu(s, SUBTRACT);
            SIMT_ALU(s, FMA, t) {
                distance[t] += (x[t] - centre[t]) * (x[t] - centre[t]);
            }
            simt_alus(s, NEXT_FEATURE, FEATURE_AGAIN);
        }
        simt_alus(s, NEARER, SELECT_LEAST);
        SIMT_ALU(s, SELECT_NEAREST, t) {
            if (distance[t] < least[t]) {
                least[t] = distance[t];
                nearest[t] = (int32_t)c;
            }
        }
        simt_alus(s, NEXT_CLUSTER, CLUSTER_AGAIN);
    }
    simt_alu(s, MEMBERSHIP_ADDRESS);
    simt_store(s, STORE_MEMBERSHIP, nearest, &k->membership, element_x(p, 1));
}

static void point(struct simt *s, const void *arguments) {
    const struct kmeans *k = arguments;
    const int64_t p = ((int64_t)s->cta[1] * k->side + s->cta[0]) * BLOCK; /* of thread 0 */
    struct simt_mask inside;

    simt_alus(s, CTA, COMPARE);
    SIMT_WHERE(s, inside, t, p + t < k->size.points);
    SIMT_IF(s, GUARD, &inside) {
        find_nearest(s, k, p);
    }
}

/* --- The host side. --- */

/* Moves the centres to the mean of their points; false when no point has changed its cluster. */
static bool move_centres(struct kmeans *k) {
    const float *features = k->features.data;
    const int32_t *membership = k->membership.data;
    float *clusters = k->clusters.data;
    float sum[CLUSTERS][FEATURES_MAX] = {{0}};
    unsigned members[CLUSTERS] = {0};
    bool changed = false;
    for (unsigned p = 0; p < k->size.points; p++) {
        const int32_t c = membership[p];
        changed |= c != k->before[p];
        k->before[p] = c;
        members[c]++;
        for (unsigned f = 0; f < k->row; f++) {
            sum[c][f] += features[(size_t)p * k->row + f];
        }
    }
    for (unsigned c = 0; c < CLUSTERS; c++) {
        for (unsigned f = 0; members[c] && f < k->row; f++) {
            clusters[c * k->row + f] = sum[c][f] / (float)members[c];
        }
    }
    return changed;
}

static bool next_step(void *self, unsigned step, struct host_launch *out) {
    struct kmeans *k = self;
    const unsigned first = k->texture; /* step that runs the first iteration */
    if (step < first) {
        *out = (struct host_launch){
            .launch = {&invert_code, {k->side * k->side, 1, 1}, {BLOCK, 1, 1}}, .kernel = invert};
        return true;
    }
    if (step > first && !move_centres(k)) {
        return false;
    }
    *out =
        (struct host_launch){.launch = {k->texture ? &kmeans_point_code : &kmeans_point_global_code,
                                        {k->side, k->side, 1},
                                        {BLOCK, 1, 1}},
                             .kernel = point};
    return step - first < k->size.iterations;
}

static void fill(struct kmeans *k) {
    float *features = k->features.data, *clusters = k->clusters.data;
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->size.points * k->row; i++) {
        features[i] = (float)(host_random(&state) >> 56);
    }
    for (unsigned i = 0; i < CLUSTERS * k->row; i++) {
        clusters[i] = features[i]; /* the first points */
    }
    for (unsigned p = 0; p < k->size.points; p++) {
        k->before[p] = -1;
    }
}

static bool open_variant(struct kmeans *k, struct size size, unsigned row, uint64_t seed,
                         bool texture) {
    struct device_memory *m = &k->host.memory;
    const uint64_t n = size.points;
    k->size = size;
    k->row = row;
    k->seed = seed;
    k->texture = texture;
    while (k->side * k->side * BLOCK < n) {
        k->side++;
    }
    k->before = host_array(&k->host, n, sizeof *k->before);
    if (!k->before || (texture && !HOST_ALLOC(m, {&k->flipped, n * k->row, 4})) ||
        !HOST_ALLOC(m, {&k->features, n * k->row, 4}, {&k->membership, n, 4},
                    {&k->clusters, CLUSTERS * k->row, 4})) {
        return false;
    }
    fill(k);
    host_set_step(&k->host, next_step);
    return true;
}

static bool kmeans_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, sizes[size], FEATURES, seed, true);
}

static bool kmeans_global_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, sizes[size], FEATURES, seed, false);
}

static bool kmeans_136_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, sizes_136[size], FEATURES_MAX, seed, false);
}

/* One iteration in plain C: @centre is moved, @member written. */
static void assign_points(const struct kmeans *k, const float *x,
                          float centre[CLUSTERS][FEATURES_MAX], int32_t *member) {
    float mean[CLUSTERS][FEATURES_MAX] = {{0}};
    unsigned count[CLUSTERS] = {0};
    for (unsigned p = 0; p < k->size.points; p++, x += k->row) {
        float least = FLT_MAX;
        for (int32_t c = 0; c < CLUSTERS; c++) {
            float squares = 0;
            for (unsigned f = 0; f < k->row; f++) {
                const float d = x[f] - centre[c][f];
                squares += d * d;
            }
            if (squares < least) {
                least = squares;
                member[p] = c;
            }
        }
        count[member[p]]++;
        for (unsigned f = 0; f < k->row; f++) {
            mean[member[p]][f] += x[f];
        }
    }
    for (unsigned c = 0; c < CLUSTERS; c++) {
        for (unsigned f = 0; count[c] && f < k->row; f++) {
            centre[c][f] = mean[c][f] / (float)count[c];
        }
    }
}

static const struct workload_result results[] = {FLOATS("flipped", kmeans, flipped),
                                                 INTEGERS("membership", kmeans, membership),
                                                 FLOATS("features", kmeans, features),
                                                 {0}};

static bool kmeans_plain(void *self, void *const expected[]) {
    const struct kmeans *k = self;
    const unsigned n = k->size.points;
    float *flipped = expected[0], *x = expected[2], centre[CLUSTERS][FEATURES_MAX];
    uint64_t state = k->seed;
    for (unsigned i = 0; i < n * k->row; i++) {
        x[i] = (float)(host_random(&state) >> 56);
        if (k->texture) {
            flipped[(size_t)(i % k->row) * n + i / k->row] = x[i];
        }
        if (i < CLUSTERS * k->row) {
            centre[i / k->row][i % k->row] = x[i];
        }
    }
    for (unsigned i = 0; i < k->size.iterations; i++) {
        assign_points(k, x, centre, expected[1]);
    }
    return true;
}

/* Accesses of all stores of a value a point, whose array begins @skew bytes behind a line's start.
 * A warp's points are 128 bytes; the last warp may have fewer. */
static uint64_t stores(unsigned points, uint64_t skew, unsigned line_bytes) {
    const unsigned full = points / WARP_SIZE, rest = points % WARP_SIZE;
    const uint64_t before = skew % line_bytes, up = line_bytes - 1;
    return full * ((before + WARP_SIZE * 4 + up) / line_bytes) +
           (rest ? (before + rest * 4 + up) / line_bytes : 0);
}

static void kmeans_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct kmeans *k = self;
    const uint64_t all = k->side * k->side * BLOCK / WARP_SIZE, points = k->size.points;
    const uint64_t warps = (points + WARP_SIZE - 1) / WARP_SIZE; /* with points */
    const uint64_t loops = k->size.iterations, steps = CLUSTERS * k->row;
    /* All warps reach the guard, 4th instruction. Behind it 3, 3 + 6 a cluster, 7 (global 10) a
     * cluster's feature and 2; in the inversion 3, then 2 and 6 a feature. All iterations run:
     * in the first all points have changed, from -1, and no size has more than two. */
    uint64_t guard = 4 * loops, behind = loops * (3 + 2 + CLUSTERS * 9 + steps * 7);
    e->global_write_accesses = loops * stores(k->size.points, 0, line_bytes);
    e->global_read_accesses = 0;
    if (k->texture) {
        guard += 3;
        behind += 2 + k->row * 6;
        for (uint64_t f = 0; f < k->row; f++) {
            e->global_write_accesses += stores(k->size.points, f * points * 4, line_bytes);
        }
        e->global_read_accesses += points * k->row; /* a lane a line: 136 bytes apart */
    } else {
        behind += loops * steps * 3;
        e->global_read_accesses += loops * steps * (points + warps);
    }
    e->warp_instructions = guard * all + behind * warps;
    e->thread_instructions = guard * all * WARP_SIZE + behind * points;
}

#define SIZE_TEXT \
    [SIZE_TINY] = "992 points, 2 iterations", [SIZE_SMALL] = "40960 points, 1 iteration", \
    [SIZE_PAPER_MRPB] = "204800 points, 2 iterations"

const struct workload workload_kmeans = {
    .name = "kmeans",
    .suite = "rodinia",
    .about = "nearest of 5 centres: features through the texture cache, centres constant",
    .size_text = {SIZE_TEXT, [SIZE_PAPER_OWL] =
                                 "494020 points, 2 iterations (suite: till none moves)"},
    .bytes = sizeof(struct kmeans),
    .open = kmeans_open,
    .results = results,
    .plain = kmeans_plain,
    .expect = kmeans_expect,
};

const struct workload workload_kmeans_global = {
    .name = "kmeans-global",
    .suite = "rodinia",
    .about = "kmeans without textures: 32 lines a load, reused by the same lane",
    .size_text =
        {SIZE_TEXT, [SIZE_PAPER_MDB] = "3840 points, 20 iterations (suite: till none moves)",
         [SIZE_PAPER_DAWS] = "494020 points, 1 iteration (suite: till none moves)"},
    .bytes = sizeof(struct kmeans),
    .open = kmeans_global_open,
    .results = results,
    .plain = kmeans_plain,
    .expect = kmeans_expect,
};

const struct workload workload_kmeans_136 = {
    .name = "kmeans-136",
    .suite = "rodinia",
    .about = "kmeans-global with points of 136 features, as many as warps that fill DAWS' GPU",
    .size_text = {[SIZE_TINY] = "992 points, 2 iterations",
                  [SIZE_SMALL] = "15360 points, 1 iteration",
                  [SIZE_PAPER_DAWS] = "28672 points, 1 iteration (CCWS: 28 K points)"},
    .bytes = sizeof(struct kmeans),
    .open = kmeans_136_open,
    .results = results,
    .plain = kmeans_plain,
    .expect = kmeans_expect,
};
