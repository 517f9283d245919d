/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/workload.h"

#include <stddef.h>
#include <string.h>

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
