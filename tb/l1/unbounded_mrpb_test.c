/* SPDX-License-Identifier: Apache-2.0
 * MRPB with queues that grow, by itself. */
#include "l1/mrpb_unbounded.h"
