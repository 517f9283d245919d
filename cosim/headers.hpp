// SPDX-License-Identifier: Apache-2.0
// Headers of the compiler and of Verilator for every Verilated model: precompiled once (tb/rules.mk).
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "verilated.h"
#include "verilated_fst_c.h"
