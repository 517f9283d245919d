/* SPDX-License-Identifier: Apache-2.0
 * Programs include this name; warpmem_cuda.h stands in front of each file. */
#include "warpmem_cuda.h"
