/* SPDX-License-Identifier: Apache-2.0
 * One of CUDA's headers. */
#include "cuda_pipeline_primitives.h"
