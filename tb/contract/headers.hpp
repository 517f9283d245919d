// SPDX-License-Identifier: Apache-2.0
// What every Verilated model includes of the compiler's and of Verilator's headers: precompiled once (tb/rules.mk).
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "verilated.h"
#include "verilated_fst_c.h"
