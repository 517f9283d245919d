/* SPDX-License-Identifier: Apache-2.0
 *
 * Random tests: one seed a program, the first argument or a constant, which a failure names.
 */
#ifndef WARPMEM_TB_SEEDED_H
#define WARPMEM_TB_SEEDED_H

#include "base/unit_tests.h"
#include "cosim/rng.h"

/** seeded_rng() - generator number @stream of the program's seed: tests do not depend on each
 * other's draws. */
static inline struct rng seeded_rng(uint64_t stream) {
    struct rng r;
    rng_seed(&r, test_seed() + (stream << 32));
    return r;
}

#endif
