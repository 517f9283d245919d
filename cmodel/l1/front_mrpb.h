/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_FRONT_MRPB_H
#define WARPMEM_L1_FRONT_MRPB_H

#include "config/config.h"
#include "l1/mrpb.h"

#define FRONT_MRPB_LINE_BITS 44 /* of a line number in a request header of the MRPB */

/** front_mrpb_params() - of the MRPB before a core's L1, with l1.front = mrpb. */
struct mrpb_params front_mrpb_params(const struct config *config);

#endif
