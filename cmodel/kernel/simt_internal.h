/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the SIMT interface share (kernel/simt.h).
 */
#ifndef WARPMEM_KERNEL_SIMT_INTERNAL_H
#define WARPMEM_KERNEL_SIMT_INTERNAL_H

#include "kernel/simt.h"

/* A kernel is part of the program: what it does wrong is found in its first test. Says where and
 * stops the program. @i: NULL: no instruction's fault. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void simt_bug(const struct simt *s, const struct insn *i, const char *format, ...);

const struct insn *simt_insn(const struct simt *s, unsigned index);

#endif
