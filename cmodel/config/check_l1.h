/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of config_check() for the L1 data cache and its front and policies.
 */
#ifndef WARPMEM_CONFIG_CHECK_L1_H
#define WARPMEM_CONFIG_CHECK_L1_H

#include "config/config.h"

/** check_l1() - the L1 data cache, MRPB and MDB. False with a message. */
bool check_l1(const struct config *c, struct config_error *e);

#endif
