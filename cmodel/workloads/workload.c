/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/workload.h"

#include <assert.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

const struct workload *workload_at(unsigned i) {
    static const struct workload *const list[] = {
#define WORKLOAD_POINTER(name) &workload_##name,
        WORKLOADS(WORKLOAD_POINTER)
#undef WORKLOAD_POINTER
    };
    return i < sizeof list / sizeof list[0] ? list[i] : NULL;
}

const char *workload_size_name(enum workload_size size) {
    static const char *const names[SIZE_COUNT] = {
        [SIZE_TINY] = "tiny",           [SIZE_SMALL] = "small",
        [SIZE_PAPER] = "paper",         [SIZE_PAPER_MRPB] = "paper:mrpb",
        [SIZE_PAPER_MDB] = "paper:mdb", [SIZE_PAPER_MEDIC] = "paper:medic",
        [SIZE_PAPER_OWL] = "paper:owl", [SIZE_PAPER_DAWS] = "paper:daws",
    };
    return names[size];
}

enum workload_size workload_paper_size(const struct workload *w) {
    enum workload_size only = SIZE_COUNT;
    if (w->size_text[SIZE_PAPER]) {
        return SIZE_PAPER;
    }
    for (unsigned i = SIZE_PAPER + 1; i < SIZE_COUNT; i++) {
        if (!w->size_text[i]) {
            continue;
        }
        if (only != SIZE_COUNT && strcmp(w->size_text[i], w->size_text[only]) != 0) {
            return SIZE_COUNT;
        }
        only = only == SIZE_COUNT ? (enum workload_size)i : only;
    }
    return only;
}

const struct workload *workload_find(const char *name) {
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        if (strcmp(w->name, name) == 0) {
            return w;
        }
    }
    return NULL;
}

const char *workload_open(const struct workload *w, struct program *p, enum workload_size size,
                          uint64_t seed) {
    assert(w->bytes >= sizeof(struct host));
    void *self = host_open(p, w->bytes);
    if (self && w->open(self, size, seed)) {
        return NULL;
    }
    workload_close(w, p);
    return "out of memory";
}

uint64_t workload_input_hash(const struct program *p) {
    const struct device_memory *m = &((const struct host *)p->self)->memory;
    uint64_t hash = 0;
    for (unsigned i = 0; i < m->block_count; i++) {
        hash = lzma_crc64(m->block[i], m->block_bytes[i], hash);
    }
    return hash;
}

void workload_close(const struct workload *w, struct program *p) {
    if (p->self && w->release) {
        w->release(p->self);
    }
    if (w->bytes) {
        host_close(p);
    }
    p->self = NULL;
}

static const struct buffer *result_buffer(const void *self, const struct workload_result *r) {
    return (const struct buffer *)((const char *)self + r->buffer);
}

static const char *compare_results(const struct workload *w, void *self) {
    static host_comparison *const compare[] = {[RESULT_FLOAT] = host_compare,
                                               [RESULT_INT] = host_compare_int,
                                               [RESULT_DOUBLE] = host_compare_double};
    void *expected[WORKLOAD_RESULTS_MAX] = {NULL};
    const struct workload_result *r = w->results;
    const char *error = NULL;
    unsigned count = 0;
    for (; r[count].name && !error; count++) {
        assert(count < WORKLOAD_RESULTS_MAX);
        const struct buffer *b = result_buffer(self, &r[count]);
        expected[count] = calloc(b->count ? b->count : 1, b->width ? b->width : 1);
        error = expected[count] ? NULL : "out of memory";
    }
    if (!error && !w->plain(self, expected)) {
        error = "out of memory";
    }
    for (unsigned i = 0; i < count && !error; i++) {
        error = compare[r[i].type](self, r[i].name, result_buffer(self, &r[i]), expected[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        free(expected[i]);
    }
    return error;
}

const char *workload_check(const struct workload *w, const struct program *p) {
    return w->check ? w->check(p->self) : compare_results(w, p->self);
}

void workload_expect(const struct workload *w, const struct program *p, unsigned line_bytes,
                     struct workload_expectation *e) {
    *e = w->expect ? (struct workload_expectation){0} : WORKLOAD_ALL_UNKNOWN;
    if (w->expect) {
        w->expect(p->self, line_bytes ? line_bytes : 128, e);
    }
    if (!line_bytes) {
        e->global_read_accesses = e->global_write_accesses = WORKLOAD_UNKNOWN;
    }
}
