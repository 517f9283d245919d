/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations that the files of the SIMT interface share (kernel/simt.h).
 */
#ifndef WARPMEM_KERNEL_SIMT_INTERNAL_H
#define WARPMEM_KERNEL_SIMT_INTERNAL_H

#include "kernel/simt.h"

/* Stop the program with a message. A kernel is part of the program, so its first test finds this.
 * @i: NULL: no instruction is at fault. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void simt_bug(const struct simt *s, const struct insn *i, const char *format, ...);

const struct insn *simt_insn(const struct simt *s, unsigned index);

#endif
