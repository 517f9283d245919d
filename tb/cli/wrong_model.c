/* SPDX-License-Identifier: Apache-2.0
 *
 * A model with an error, for what the program says of it: linked into a program with --wrap
 * (tb/rules.mk), for faults_test.c. WRONG=name says which error.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "workloads/workload.h"

static bool is_wrong_wanted(const char *what) {
    const char *word = getenv("WRONG");
    return word && !strcmp(word, what);
}

/* These are asked by the machine too; only what is asked after the run is wrong. */
static bool after_the_run;

bool __real_core_idle(const struct core *c);
bool __wrap_core_idle(const struct core *c);
bool __wrap_core_idle(const struct core *c) {
    return !(after_the_run && is_wrong_wanted("core")) && __real_core_idle(c);
}

bool __real_l2_partition_idle(const struct l2_partition *p);
bool __wrap_l2_partition_idle(const struct l2_partition *p);
bool __wrap_l2_partition_idle(const struct l2_partition *p) {
    return !(after_the_run && is_wrong_wanted("partition")) && __real_l2_partition_idle(p);
}

unsigned __real_network_packets_inside(const struct network *n);
unsigned __wrap_network_packets_inside(const struct network *n);
unsigned __wrap_network_packets_inside(const struct network *n) {
    return __real_network_packets_inside(n) + (after_the_run && is_wrong_wanted("network"));
}

const char *__real_gpu_conserved(struct gpu *g);
const char *__wrap_gpu_conserved(struct gpu *g);
const char *__wrap_gpu_conserved(struct gpu *g) {
    after_the_run = true;
    g->network[NETWORK_REPLY].stats.packets += is_wrong_wanted("law");
    return __real_gpu_conserved(g);
}

/* The real workload with a wrong result, or a formula that is one off. */
static struct workload workload;
static void (*right)(const void *self, unsigned line_bytes, struct workload_expectation *e);

static const char *planted_difference(void *self) {
    (void)self;
    return "as planted";
}

static void expect_more(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    right(self, line_bytes, e);
    e->thread_instructions++;
}

const struct workload *__real_workload_find(const char *name);
const struct workload *__wrap_workload_find(const char *name);
const struct workload *__wrap_workload_find(const char *name) {
    const struct workload *w = __real_workload_find(name);
    if (!w || !(is_wrong_wanted("check") || is_wrong_wanted("expect"))) {
        return w;
    }
    workload = *w;
    right = w->expect;
    if (is_wrong_wanted("check")) {
        workload.check = planted_difference;
    } else {
        workload.expect = expect_more;
    }
    return &workload;
}
