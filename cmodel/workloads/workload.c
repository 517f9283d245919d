/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/workload.h"

#include <stddef.h>
#include <string.h>

#include "workloads/workloads.h"

const struct workload *workload_at(unsigned i) {
    static const struct workload *const list[] = {
        &workload_atax,
        &workload_gemm,
        &workload_vecadd,
    };
    return i < sizeof list / sizeof list[0] ? list[i] : NULL;
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
