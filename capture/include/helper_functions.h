/* SPDX-License-Identifier: Apache-2.0
 * All helpers of CUDA's samples but those of their checks. */
#ifndef WARPMEM_HELPER_FUNCTIONS_H
#define WARPMEM_HELPER_FUNCTIONS_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
