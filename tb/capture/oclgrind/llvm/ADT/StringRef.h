// SPDX-License-Identifier: Apache-2.0
// The one name of LLVM that Oclgrind's Kernel.h wants: the plug-in needs no headers of LLVM.
#ifndef WARPMEM_STRING_REF_H
#define WARPMEM_STRING_REF_H

namespace llvm {
class StringRef;
}

#endif
