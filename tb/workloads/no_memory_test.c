/* SPDX-License-Identifier: Apache-2.0
 * Every workload, when the system has no memory for its inputs: open says so in one line and keeps
 * nothing. Linked with --wrap for what allocates (tb/rules.mk); the machine around it is in
 * tb/cli/faults_test.c. */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/workload.h"

enum { SEED = 1, EACH = 40 };

static unsigned until_refused; /* calls, this one included; 0: none is */
static long blocks;            /* allocated and not freed */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *old);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void __wrap_free(void *old);

static bool is_allocation_refused(void) {
    return until_refused && --until_refused == 0;
}

void *__wrap_malloc(size_t bytes) {
    void *block = is_allocation_refused() ? NULL : __real_malloc(bytes);
    blocks += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t bytes) {
    void *block = is_allocation_refused() ? NULL : __real_calloc(count, bytes);
    blocks += block != NULL;
    return block;
}

void *__wrap_realloc(void *old, size_t bytes) {
    void *block = is_allocation_refused() ? NULL : __real_realloc(old, bytes);
    blocks += block && !old;
    return block;
}

void __wrap_free(void *old) {
    blocks -= old != NULL;
    __real_free(old);
}

/* Opens and closes it with the call-th allocation refused, 0: with none. True: that call came. */
static bool open_and_close(const struct workload *w, unsigned call) {
    struct program p;
    until_refused = call;
    const char *error = workload_open(w, &p, SIZE_TINY, SEED);
    bool came = call && !until_refused;
    until_refused = 0;
    if (came && (!error || strcmp(error, "out of memory"))) {
        fail_msg("%s: allocation %u is refused: open says %s", w->name, call,
                 error ? error : "yes");
    } else if (!came && error) {
        fail_msg("%s: %s", w->name, error);
    }
    if (!error) {
        workload_close(w, &p);
    }
    return came;
}

/* Each of the first allocations, in which every array has its place; of the others, which loops
 * repeat, ever fewer. */
TEST(a_workload_without_memory_is_refused_and_keeps_nothing) {
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        for (unsigned call = 1; open_and_close(w, call); call += call < EACH ? 1 : call / 4) {
            if (blocks) {
                fail_msg("%s: allocation %u is refused: open keeps %ld blocks", w->name, call,
                         blocks);
            }
        }
        if (blocks) {
            fail_msg("%s: close keeps %ld blocks", w->name, blocks);
        }
    }
}
