/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of IIX's two files: its records, and the kernels' part of the program.
 */
#ifndef WARPMEM_WORKLOADS_MARS_IIX_H
#define WARPMEM_WORKLOADS_MARS_IIX_H

#include "workloads/mars/text.h"

#define IIX_VALUE 12     /* bytes of a value: {offset, size, file} */
#define IIX_LAST_VALUE 4 /* of an emitted one: the file */

struct iix {
    struct mars mars;
    struct buffer file; /* of bytes, the files one after another */
    char *text;         /* as generated */
};

extern const struct mars_app iix_app;

#endif
