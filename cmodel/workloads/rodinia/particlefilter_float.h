/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a frame of Rodinia particlefilter, float version.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_PARTICLEFILTER_FLOAT_H
#define WARPMEM_WORKLOADS_RODINIA_PARTICLEFILTER_FLOAT_H

#include "workloads/rodinia/particlefilter.h"

#define BLOCK 512
#define PARTICLES 1000
#define CTAS 2
#define LAUNCHES 4 /* a frame */

/* likelihood, sum, normalize, find index */
extern const struct host_launch pf_float_launches[LAUNCHES];

#endif
