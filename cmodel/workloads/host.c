/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/host.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The launch at hand. */
static struct host_launch *current(struct host *h) {
    return &h->launches[h->step ? 0 : h->launched - 1];
}

static bool next_launch(void *self, const struct launch **launch) {
    struct host *h = self;
    if (simt_grid_waits(h->grid)) {
        *launch = &current(h)->launch;
        return true;
    }
    if (h->step) {
        h->launches[0] = (struct host_launch){0};
        h->ended = h->ended || !h->step(self, h->launched, &h->launches[0]);
        if (h->ended) {
            return false;
        }
        h->launched++;
        *launch = &h->launches[0].launch;
        return true;
    }
    if (h->launched == h->launch_count) {
        return false;
    }
    *launch = &h->launches[h->launched++].launch;
    return true;
}

static bool run_cta(void *self, unsigned cta, struct cta_trace *out) {
    struct host *h = self;
    const struct host_launch *l = current(h);
    if (l->launch.code->together) {
        return simt_grid_run(h->grid, &l->launch, cta, out, l->kernel, self);
    }
    return simt_run(h->simt, &l->launch, cta, out, l->kernel, self);
}

void *host_open(struct program *p, size_t bytes) {
    *p = (struct program){.next_launch = next_launch, .run_cta = run_cta};
    struct host *h = calloc(1, bytes);
    if (!h) {
        return NULL;
    }
    p->self = h;
    h->simt = simt_create();
    h->grid = simt_grid_create();
    if (!h->simt || !h->grid) {
        host_close(p);
        return NULL;
    }
    return h;
}

void host_close(struct program *p) {
    struct host *h = p->self;
    if (h) {
        device_memory_free(&h->memory);
        device_memory_free(&h->kept);
        simt_grid_destroy(h->grid);
        simt_destroy(h->simt);
        free(h);
        p->self = NULL;
    }
}

void *host_array(struct host *h, uint64_t count, unsigned width) {
    struct buffer b;
    return device_memory_alloc(&h->kept, &b, count, width) ? b.data : NULL;
}

bool host_alloc(struct device_memory *m, const struct host_buffer *table) {
    bool good = true;
    for (const struct host_buffer *b = table; b->buffer && good; b++) {
        good = device_memory_alloc(m, b->buffer, b->count, b->width);
    }
    return good;
}

void host_add_launch(struct host *h, const struct host_launch *launch) {
    assert(h->launch_count < HOST_LAUNCHES_MAX);
    h->launches[h->launch_count++] = *launch;
}

void host_set_step(struct host *h, host_step *step) {
    h->step = step;
}

uint64_t host_random(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

float host_uniform(uint64_t *state) {
    return (float)(host_random(state) >> 40) / 16777216.0f;
}

const char *host_compare(struct host *h, const char *name, const struct buffer *result,
                         const void *expected) {
    const float *got = result->data, *want = expected;
    for (uint64_t i = 0; i < result->count; i++) {
        uint32_t bits, expected_bits;
        memcpy(&bits, &got[i], sizeof bits);
        memcpy(&expected_bits, &want[i], sizeof expected_bits);
        if (bits != expected_bits) {
            snprintf(h->message, sizeof h->message,
                     "%s[%" PRIu64 "] is %.9g (0x%08" PRIx32 "), plain C has %.9g (0x%08" PRIx32
                     ")",
                     name, i, (double)got[i], bits, (double)want[i], expected_bits);
            return h->message;
        }
    }
    return NULL;
}

const char *host_compare_double(struct host *h, const char *name, const struct buffer *result,
                                const void *expected) {
    const double *got = result->data, *want = expected;
    for (uint64_t i = 0; i < result->count; i++) {
        if (memcmp(&got[i], &want[i], sizeof *got) != 0) {
            snprintf(h->message, sizeof h->message,
                     "%s[%" PRIu64 "] is %.17g (%a), plain C has %.17g (%a)", name, i, got[i],
                     got[i], want[i], want[i]);
            return h->message;
        }
    }
    return NULL;
}

/* An unsigned element of up to 8 bytes; the machines that build this are little endian. */
static uint64_t integer_at(const void *data, uint64_t i, unsigned width) {
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)data + i * width, width);
    return value;
}

const char *host_compare_int(struct host *h, const char *name, const struct buffer *result,
                             const void *expected) {
    /* A vector of 16 bytes is two words. */
    const unsigned word = result->width < sizeof(uint64_t) ? result->width : sizeof(uint64_t),
                   words = result->width / word;
    for (uint64_t i = 0; i < result->count * words; i++) {
        uint64_t got = integer_at(result->data, i, word);
        uint64_t want = integer_at(expected, i, word);
        if (got != want) {
            snprintf(h->message, sizeof h->message,
                     "%s[%" PRIu64 "] is 0x%" PRIx64 ", plain C has 0x%" PRIx64, name, i / words,
                     got, want);
            return h->message;
        }
    }
    return NULL;
}
