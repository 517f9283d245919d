/* SPDX-License-Identifier: Apache-2.0
 * Of CUDA's samples: the C++ library's exceptions. */
#include <exception>
#include <stdexcept>
