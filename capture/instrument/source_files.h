/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of instructions in the source: numbered files, and lines.
 */
#ifndef WARPMEM_CAPTURE_SOURCE_FILES_H
#define WARPMEM_CAPTURE_SOURCE_FILES_H

#include "instrument/llvm.h"
#include "kernel/insn.h"

struct source_files {
    char **names; /* printable ASCII; the first is the one that was compiled */
    uint32_t count;
    char *folder; /* "name/", dropped from names of files in it; NULL: none */
};

/** source_files_init() - @moment: the file's folder is temporary. False: out of memory. */
bool source_files_init(struct source_files *f, const char *compiled, bool moment);
void source_files_free(struct source_files *f);

/**
 * source_files_locate() - the program's source line of an instruction. Inside a function of our
 * headers, or the compiler's, it is the line of the call. Line 0: unknown.
 */
struct source_line source_files_locate(struct source_files *f, const struct llvm *l,
                                       llvm_value instruction);

#endif
