/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/spaces.h"

#include <string.h>

#define DEPTH_MAX 16 /* nested phis and selects */

enum code_language code_language_of(const struct llvm *l, llvm_module m) {
    return strncmp(l->GetTarget(m), "spir", 4) ? CODE_CUDA : CODE_OPENCL;
}

enum code_space code_space_of_number(enum code_language language, unsigned space) {
    static const enum code_space spaces[][6] = {
        [CODE_CUDA] = {CODE_SPACE_GENERIC, CODE_SPACE_GLOBAL, CODE_SPACE_GENERIC, CODE_SPACE_SHARED,
                       CODE_SPACE_CONSTANT, CODE_SPACE_LOCAL},
        [CODE_OPENCL] = {CODE_SPACE_GENERIC, CODE_SPACE_GLOBAL, CODE_SPACE_CONSTANT,
                         CODE_SPACE_SHARED, CODE_SPACE_GENERIC, CODE_SPACE_GENERIC}};
    return space < 6 ? spaces[language][space] : CODE_SPACE_GENERIC;
}

enum code_space code_space_of_variable(const struct llvm *l, llvm_module m, llvm_value variable) {
    return code_space_of_number(code_language_of(l, m),
                                l->GetPointerAddressSpace(l->TypeOf(variable)));
}

/* NULL: no call of a function. */
static const char *name_of_called(const struct llvm *l, llvm_value value) {
    size_t length;
    if (!l->IsAInstruction(value) || l->GetInstructionOpcode(value) != LLVM_CALL) {
        return NULL;
    }
    llvm_value called = l->GetCalledValue(value);
    return l->IsAFunction(called) ? l->GetValueName2(called, &length) : NULL;
}

bool code_is_same(const struct llvm *l, llvm_value value) {
    const char *name = name_of_called(l, value);
    return name && !strncmp(name, "__wm_same_", 10);
}

bool code_is_texture(const struct llvm *l, llvm_value value) {
    const char *name = name_of_called(l, value);
    return name && (!strcmp(name, "__wm_texture") || !strcmp(name, "__wm_texel") ||
                    !strcmp(name, "__wm_texel_cube") || !strcmp(name, "__wm_read_only"));
}

static bool is_by_value(const struct llvm *l, llvm_value function, unsigned parameter) {
    unsigned kind = l->GetEnumAttributeKindForName("byval", 5);
    return l->GetEnumAttributeAtIndex(function, parameter + 1, kind);
}

static bool is_by_value_argument(const struct llvm *l, llvm_value argument, llvm_value function) {
    for (unsigned i = 0; i < l->CountParams(function); i++) {
        if (l->GetParam(function, i) == argument) {
            return is_by_value(l, function, i);
        }
    }
    return false;
}

/* What LLVM finds of a parameter that is `const T *__restrict__`. */
static bool is_read_only_argument(const struct llvm *l, llvm_value argument, llvm_value function) {
    const unsigned alone = l->GetEnumAttributeKindForName("noalias", 7),
                   reads = l->GetEnumAttributeKindForName("readonly", 8);
    for (unsigned i = 0; i < l->CountParams(function); i++) {
        if (l->GetParam(function, i) == argument) {
            return l->GetEnumAttributeAtIndex(function, i + 1, alone) &&
                   l->GetEnumAttributeAtIndex(function, i + 1, reads);
        }
    }
    return false;
}

struct walk {
    const struct llvm *l;
    enum code_language language;
    enum code_space read_only;
    llvm_value function;
    bool is_kernel;
    llvm_value *base;
    bool *constant_offset;
};

static enum code_space walk_pointer(const struct walk *w, llvm_value p, unsigned depth);

/* Where two ways lead; -1: no way so far. */
static int meet(int a, enum code_space b) {
    return a < 0 || a == (int)b ? (int)b : CODE_SPACE_GENERIC;
}

static enum code_space walk_choice(const struct walk *w, llvm_value p, bool phi, unsigned depth) {
    const struct llvm *l = w->l;
    int found = -1;
    unsigned count = phi ? l->CountIncoming(p) : 2;
    *w->constant_offset = false;
    for (unsigned i = 0; i < count; i++) {
        llvm_value way = phi ? l->GetIncomingValue(p, i) : l->GetOperand(p, i + 1);
        if (way != p) {
            found = meet(found, walk_pointer(w, way, depth + 1));
        }
    }
    /* A pointer that may point into either of two parameters has no known base. */
    return found < 0 || found == CODE_SPACE_ARGUMENT ? CODE_SPACE_GENERIC : (enum code_space)found;
}

/* Pointers that the headers make say where they lead. */
static enum code_space walk_call(const struct walk *w, llvm_value p, unsigned depth) {
    static const struct {
        const char *name;
        enum code_space space;
    } known[] = {{"__wm_same_shared", CODE_SPACE_SHARED},
                 {"__wm_same_global", CODE_SPACE_GLOBAL},
                 {"__wm_same_const", CODE_SPACE_CONSTANT},
                 {"__wm_same_local", CODE_SPACE_LOCAL}};
    const char *name = name_of_called(w->l, p);
    for (unsigned i = 0; name && i < sizeof known / sizeof *known; i++) {
        if (!strcmp(name, known[i].name)) {
            return known[i].space;
        }
    }
    if (code_is_same(w->l, p)) {
        *w->constant_offset = false;
        return walk_pointer(w, w->l->GetOperand(p, 0), depth + 1);
    }
    return code_is_texture(w->l, p) ? CODE_SPACE_TEXTURE : CODE_SPACE_GENERIC;
}

static enum code_space walk_instruction(const struct walk *w, llvm_value p, int opcode,
                                        unsigned depth) {
    const struct llvm *l = w->l;
    switch (opcode) {
    case LLVM_GEP:
        for (int n = 1; n < l->GetNumOperands(p); n++) {
            *w->constant_offset &= l->IsAConstant(l->GetOperand(p, (unsigned)n)) != NULL;
        }
        return walk_pointer(w, l->GetOperand(p, 0), depth);
    case LLVM_BITCAST:
    case LLVM_ADDRSPACECAST: return walk_pointer(w, l->GetOperand(p, 0), depth);
    case LLVM_ALLOCA: return CODE_SPACE_LOCAL;
    case LLVM_PHI: return walk_choice(w, p, true, depth);
    case LLVM_SELECT: return walk_choice(w, p, false, depth);
    case LLVM_CALL: return walk_call(w, p, depth);
    default: return CODE_SPACE_GENERIC;
    }
}

static enum code_space walk_pointer(const struct walk *w, llvm_value p, unsigned depth) {
    const struct llvm *l = w->l;
    if (depth > DEPTH_MAX) {
        return CODE_SPACE_GENERIC;
    }
    enum code_space space =
        code_space_of_number(w->language, l->GetPointerAddressSpace(l->TypeOf(p)));
    if (space != CODE_SPACE_GENERIC) {
        return space;
    }
    if (l->IsAArgument(p)) {
        bool by_value = is_by_value_argument(l, p, w->function);
        if (!w->is_kernel) {
            return by_value ? CODE_SPACE_LOCAL : CODE_SPACE_GENERIC;
        }
        *w->base = by_value ? p : NULL;
        return by_value                                   ? CODE_SPACE_ARGUMENT
               : is_read_only_argument(l, p, w->function) ? w->read_only
                                                          : CODE_SPACE_GLOBAL;
    }
    if (l->IsAInstruction(p)) {
        return walk_instruction(w, p, l->GetInstructionOpcode(p), depth);
    }
    if (l->IsAGlobalVariable(p) && w->language == CODE_CUDA) {
        return CODE_SPACE_GLOBAL; /* a string or table of the compiler's */
    }
    return l->IsAConstantExpr(p) ? walk_instruction(w, p, l->GetConstOpcode(p), depth)
                                 : CODE_SPACE_GENERIC;
}

enum code_space code_space_of(const struct llvm *l, enum code_language language,
                              enum code_space read_only, llvm_value function, bool is_kernel,
                              llvm_value pointer, llvm_value *base, bool *constant_offset) {
    const struct walk w = {l, language, read_only, function, is_kernel, base, constant_offset};
    enum code_space space = walk_pointer(&w, pointer, 0);
    bool is_private = language == CODE_OPENCL && !l->GetPointerAddressSpace(l->TypeOf(pointer));
    return is_private && space == CODE_SPACE_GENERIC ? CODE_SPACE_LOCAL : space;
}

/* Is the value in the function, or in a constant that one of its instructions has? */
static bool is_used_in(const struct llvm *l, llvm_value value, llvm_value function,
                       unsigned depth) {
    for (llvm_use u = l->GetFirstUse(value); u && depth <= DEPTH_MAX; u = l->GetNextUse(u)) {
        llvm_value user = l->GetUser(u);
        if (l->IsAInstruction(user)) {
            for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
                if (l->GetInstructionParent(user) == b) {
                    return true;
                }
            }
        } else if (is_used_in(l, user, function, depth + 1)) {
            return true;
        }
    }
    return false;
}

uint32_t code_shared_bytes(const struct llvm *l, llvm_module m, llvm_layout layout,
                           const llvm_value *functions, unsigned count) {
    uint64_t bytes = 0;
    for (llvm_value g = l->GetFirstGlobal(m); g; g = l->GetNextGlobal(g)) {
        bool used = false;
        if (code_space_of_variable(l, m, g) != CODE_SPACE_SHARED || l->IsDeclaration(g)) {
            continue;
        }
        for (unsigned f = 0; !used && f < count; f++) {
            used = is_used_in(l, g, functions[f], 0);
        }
        if (used) {
            bytes = (bytes + 15) / 16 * 16 + l->ABISizeOfType(layout, l->GlobalGetValueType(g));
        }
    }
    return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}
