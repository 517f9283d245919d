/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/join.h"

#include <stdio.h>
#include <string.h>

#include "instrument/children.h"
#include "instrument/convergent.h"
#include "instrument/gpu_passes.h"
#include "instrument/llvm.h"

static bool refuse_join(const char *input, const char *why) {
    fprintf(stderr, "warpmem-instrument: %s: %s\n", input, why);
    return false;
}

static llvm_module read_part(const struct llvm *l, llvm_context context, const char *input) {
    llvm_buffer buffer;
    llvm_module m;
    char *said = NULL;
    if (l->CreateMemoryBufferWithContentsOfFile(input, &buffer, &said)) {
        refuse_join(input, said ? said : "cannot be read");
        return NULL;
    }
    if (l->ParseBitcodeInContext2(context, buffer, &m)) {
        refuse_join(input, "is no bitcode of this LLVM: all files of a program take one clang");
        return NULL;
    }
    return m;
}

/* A static variable that the host uses is NAME__static__HASH; uses that clang met before the
 * host's have NAME, which nothing defines, or which is a second variable of this file. */
static void settle_static_variables(const struct llvm *l, llvm_module m) {
    static const char mark[] = "__static__";
    for (llvm_value g = l->GetFirstGlobal(m); g; g = l->GetNextGlobal(g)) {
        size_t length;
        const char *name = l->GetValueName2(g, &length), *at = strstr(name, mark);
        for (llvm_value other = at && !l->IsDeclaration(g) ? l->GetFirstGlobal(m) : NULL; other;
             other = l->GetNextGlobal(other)) {
            const char *its = l->GetValueName2(other, &length);
            const bool second =
                l->IsDeclaration(other) || l->GetLinkage(other) == LLVM_LINKAGE_INTERNAL;
            if (second && length == (size_t)(at - name) && !strncmp(its, name, length)) {
                l->ReplaceAllUsesWith(other, l->ConstBitCast(g, l->TypeOf(other)));
            }
        }
    }
}

bool join_modules(unsigned version, const char *output, char *const inputs[], int count) {
    struct llvm l;
    const char *wrong;
    llvm_module joined = NULL;
    if (!llvm_open(&l, version, &wrong)) {
        return refuse_join(output, wrong);
    }
    for (int i = 0; i < count; i++) {
        llvm_module m = read_part(&l, l.GetGlobalContext(), inputs[i]);
        if (!m) {
            return false;
        }
        settle_static_variables(&l, m);
        if (!joined) {
            joined = m;
            continue;
        }
        children_mark(&l, joined, m);
        children_mark(&l, m, joined);
        if (l.LinkModules2(joined, m)) {
            return refuse_join(output, "the files' device code cannot be joined");
        }
    }
    convergent_where_lanes_meet(&l, joined);
    gpu_align_shared(&l, joined);
    return !l.WriteBitcodeToFile(joined, output) || refuse_join(output, "cannot be written");
}

bool join_rename_static(unsigned version, const char *output, const char *input,
                        const char *suffix) {
    struct llvm l;
    const char *wrong;
    if (!llvm_open(&l, version, &wrong)) {
        return refuse_join(output, wrong);
    }
    llvm_module m = read_part(&l, l.GetGlobalContext(), input);
    for (llvm_value f = m ? l.GetFirstFunction(m) : NULL; f; f = l.GetNextFunction(f)) {
        char name[4096];
        size_t length;
        if (children_is_kernel(&l, f) && l.GetLinkage(f) == LLVM_LINKAGE_INTERNAL) {
            const int bytes =
                snprintf(name, sizeof name, "%s%s", l.GetValueName2(f, &length), suffix);
            l.SetValueName2(f, name, (size_t)bytes < sizeof name ? (size_t)bytes : sizeof name - 1);
            l.SetLinkage(f, LLVM_LINKAGE_EXTERNAL);
        }
    }
    return m && (!l.WriteBitcodeToFile(m, output) || refuse_join(output, "cannot be written"));
}
