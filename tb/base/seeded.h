/* SPDX-License-Identifier: Apache-2.0
 *
 * Random tests: one seed a program, a constant unless it is given as the first argument, told when
 * a test fails.
 */
#ifndef WARPMEM_TB_SEEDED_H
#define WARPMEM_TB_SEEDED_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "contract/rng.h"

static uint64_t program_seed = UINT64_C(0x5eed0001);

/** seeded() - generator number @stream of the program's seed: tests do not depend on each other's
 * draws. */
static inline struct rng seeded(uint64_t stream) {
    struct rng r;
    rng_seed(&r, program_seed + (stream << 32));
    return r;
}

static inline void seed_from(int argc, char **argv) {
    if (argc > 1) {
        program_seed = strtoull(argv[1], NULL, 0);
    }
}

/** seed_told() - the program's exit code; says how to repeat a failure. */
static inline int seed_told(int failed, char **argv) {
    if (failed) {
        fprintf(stderr, "seed 0x%" PRIx64 "; again: %s 0x%" PRIx64 "\n", program_seed, argv[0],
                program_seed);
    }
    return failed != 0;
}

#define RUN_SEEDED(argc, argv, tests) \
    (seed_from(argc, argv), seed_told(cmocka_run_group_tests(tests, NULL, NULL), argv))

#endif
