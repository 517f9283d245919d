/* SPDX-License-Identifier: Apache-2.0
 * One of CUDA's headers. */
#include "warpmem_matrix.h"
