/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/costs.h"

#include <string.h>

const struct workload_cost *workload_cost(const struct workload *w, enum workload_size size) {
    const struct workload_cost *c = workload_costs;
    while (c->workload &&
           (strcmp(c->workload, w->name) != 0 || strcmp(c->size, workload_size_name(size)) != 0)) {
        c++;
    }
    return c->workload ? c : NULL;
}
