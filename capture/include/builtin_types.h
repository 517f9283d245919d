/* SPDX-License-Identifier: Apache-2.0
 * Programs include this name; warpmem-cc includes warpmem_cuda.h before each file. */
#include "warpmem_cuda.h"
