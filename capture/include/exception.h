/* SPDX-License-Identifier: Apache-2.0
 * CUDA's samples include this for the C++ library's exceptions. */
#include <exception>
#include <stdexcept>
