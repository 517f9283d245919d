/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by the kernel of ISPASS wp and its host side.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_WP_H
#define WARPMEM_WORKLOADS_ISPASS_WP_H

#include "workloads/host.h"

#define WP_SIDE 8    /* of a block in both directions */
#define WP_LEVELS 28 /* from the ground up */

/* Arrays of the whole grid, index i + ni * (k + WP_LEVELS * j). */
enum wp_volume {
    WP_TH,  /* potential temperature */
    WP_PII, /* temperature over that */
    WP_Q,   /* vapour */
    WP_QC,  /* cloud water, cloud ice, rain, snow */
    WP_QI,
    WP_QR,
    WP_QS,
    WP_DEN,  /* density */
    WP_P,    /* pressure */
    WP_DELZ, /* height of a cell */
    WP_VOLUMES
};

/* Arrays of a value a column, index i + ni * j: rain and snow since the beginning, in this step,
 * their ratio. */
enum wp_area { WP_RAIN, WP_RAINNCV, WP_SR, WP_SNOW, WP_SNOWNCV, WP_AREAS };

struct wp {
    struct host host;
    unsigned ni, nj;
    uint64_t seed;
    struct buffer volume[WP_VOLUMES], area[WP_AREAS];
};

extern const struct kernel_code wp_kernel_code;
simt_kernel wp_kernel;

#endif
