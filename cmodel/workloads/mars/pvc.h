/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of PVC's two files: its records, and the kernels' part of the program.
 */
#ifndef WARPMEM_WORKLOADS_MARS_PVC_H
#define WARPMEM_WORKLOADS_MARS_PVC_H

#include "workloads/mars/text.h"

#define PVC_VALUE 8      /* bytes of a value of the first call: {length of the line, phase} */
#define PVC_LAST_VALUE 4 /* of the second: offset of the address */

struct pvc {
    struct mars mars;
    struct buffer file;
    uint64_t seed;
};

extern const struct mars_app pvc_app;

#endif
