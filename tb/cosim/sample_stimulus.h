/* SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus for the sample block, shared by the framework's tests.
 */
#ifndef WARPMEM_COSIM_SAMPLE_STIMULUS_H
#define WARPMEM_COSIM_SAMPLE_STIMULUS_H

#include "cosim/lockstep.h"

enum { SAMPLE_ADDED, SAMPLE_TAKEN, SAMPLE_CARRY, SAMPLE_POINTS };

extern const struct stimulus sample_stimulus;

/** sample_rtl() - the Verilated sample block with this set. */
const struct rtl_block *sample_rtl(const char *set);

/** text_of_file() - all that was written to a tmpfile(); the caller frees it. */
char *text_of_file(FILE *file);

#endif
