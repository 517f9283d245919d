/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/host.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool next_launch(void *self, const struct launch **launch) {
    struct host *h = self;
    if (h->launched == h->launch_count) {
        return false;
    }
    *launch = &h->launches[h->launched++].launch;
    return true;
}

static bool run_cta(void *self, unsigned cta, struct cta_trace *out) {
    struct host *h = self;
    const struct host_launch *l = &h->launches[h->launched - 1];
    return simt_run(h->simt, &l->launch, cta, out, l->kernel, self);
}

void *host_open(struct program *p, size_t bytes) {
    *p = (struct program){.next_launch = next_launch, .run_cta = run_cta};
    struct host *h = calloc(1, bytes);
    if (!h) {
        return NULL;
    }
    h->simt = simt_create();
    if (!h->simt) {
        free(h);
        return NULL;
    }
    p->self = h;
    return h;
}

void host_close(struct program *p) {
    struct host *h = p->self;
    if (h) {
        device_memory_free(&h->memory);
        simt_destroy(h->simt);
        free(h);
        p->self = NULL;
    }
}

void host_add_launch(struct host *h, const struct host_launch *launch) {
    assert(h->launch_count < HOST_LAUNCHES_MAX);
    h->launches[h->launch_count++] = *launch;
}

uint64_t host_random(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

const char *host_compare(struct host *h, const char *name, const struct buffer *result,
                         const float *expected) {
    const float *got = result->data;
    for (uint64_t i = 0; i < result->count; i++) {
        uint32_t bits, expected_bits;
        memcpy(&bits, &got[i], sizeof bits);
        memcpy(&expected_bits, &expected[i], sizeof expected_bits);
        if (bits != expected_bits) {
            snprintf(h->message, sizeof h->message,
                     "%s[%" PRIu64 "] is %.9g (0x%08" PRIx32 "), plain C has %.9g (0x%08" PRIx32
                     ")",
                     name, i, (double)got[i], bits, (double)expected[i], expected_bits);
            return h->message;
        }
    }
    return NULL;
}
