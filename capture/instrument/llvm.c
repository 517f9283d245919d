/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/llvm.h"

#include <dlfcn.h>
#include <stdio.h>

static void *open_library(unsigned version) {
    static const char *const names[] = {"libLLVM-%u.so.1", "libLLVM.so.%u.1", "libLLVM-%u.so"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char name[32];
        snprintf(name, sizeof name, names[i], version);
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library) {
            return library;
        }
    }
    return NULL;
}

/* Find the symbol LLVM<name>; a C function has the size of a data pointer here. */
static bool find_function(void *library, const char *name, void **to) {
    char symbol[80];
    snprintf(symbol, sizeof symbol, "LLVM%s", name);
    *to = dlsym(library, symbol);
    return *to;
}

/* Code generators: of this computer's only the data layout is used, of the GPU's what it knows of
 * wide accesses. */
static bool initialize_targets(void *library) {
    static const char *const targets[] = {"X86", "AArch64", "NVPTX"};
    bool any = false;
    for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++) {
        static const char *const parts[] = {"TargetInfo", "Target", "TargetMC"};
        for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++) {
            char name[48];
            union {
                void *symbol;
                void (*function)(void);
            } initialize;
            snprintf(name, sizeof name, "Initialize%s%s", targets[i], parts[k]);
            if (find_function(library, name, &initialize.symbol)) {
                initialize.function();
                any |= i < 2;
            }
        }
    }
    return any;
}

bool llvm_open(struct llvm *l, unsigned version, const char **wrong) {
    *l = (struct llvm){.library = open_library(version), .version = version};
    if (!l->library) {
        *wrong = "LLVM's library of this clang is not there: install clang whole";
        return false;
    }
#define LLVM_FIND(result, name, arguments) \
    if (!find_function(l->library, #name, (void **)&l->name)) { \
        *wrong = "LLVM's library lacks LLVM" #name ": must be of version 14 to 19"; \
        return false; \
    }
    LLVM_FUNCTIONS(LLVM_FIND)
    *wrong = "LLVM's library has no code generator for this computer";
    return initialize_targets(l->library);
}
