/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles for Profiled-DAWS (MICRO 2013, 5.1): each kernel's loads in loops with locality, with
 * their classes. A profile is a text file with a line for each load; `warpmem profile` writes it
 * and a user may edit it. docs/daws_profile.md describes it.
 */
#ifndef WARPMEM_ISSUE_DAWS_PROFILE_H
#define WARPMEM_ISSUE_DAWS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/insn.h"

#define DAWS_PROFILE_LOADS 32 /* of a kernel: the entries of the table (DAWS 7.4) */
#define DAWS_PROFILE_LOOPS 8
#define DAWS_PROFILE_FIRST_LINE "daws-profile 1"

/* @line: of the file. @lanes, @lines: mean active lanes and accesses, for the reader of the
 *        file. */
struct daws_profile_load {
    unsigned line;
    uint32_t loop, pc;
    bool diverged;
    unsigned group, lanes, lines;
};

struct daws_profile_kernel {
    char *name;
    uint64_t hash; /* daws_code_hash() */
    unsigned line, loads;
    struct daws_profile_load load[DAWS_PROFILE_LOADS];
};

struct daws_profile {
    char *path;
    struct daws_profile_kernel *kernel;
    unsigned kernels;
};

/** daws_code_hash() - hash of a kernel's instructions and their places. */
uint64_t daws_code_hash(const struct kernel_code *code);

/** daws_profile_read() - NULL: *error (size bytes) has one line with the fault and its place. */
struct daws_profile *daws_profile_read(const char *path, char *error, size_t size);
void daws_profile_destroy(struct daws_profile *p);

/** daws_profile_find() - the profile of the code; NULL: the kernel is not in the profile. */
const struct daws_profile_kernel *daws_profile_find(const struct daws_profile *p,
                                                    const struct kernel_code *code);

/** daws_profile_fits() - true if it is a profile of this code. False: *error has the reason in one
 * line. */
bool daws_profile_fits(const struct daws_profile *p, const struct kernel_code *code, char *error,
                       size_t size);

#endif
