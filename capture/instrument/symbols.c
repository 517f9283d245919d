/* SPDX-License-Identifier: Apache-2.0
 *
 * Symbols beside a kernel that the runtime looks up: its table, its parameters, its caller.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/instrumenter.h"
#include "instrument/parameters.h"

/* A constant array: a count, and as many 32-bit numbers. */
bool add_numbers(struct instrumenter *m, const char *prefix, const char *name,
                 const uint32_t *numbers, size_t count) {
    const struct llvm *l = &m->l;
    char symbol[NAME_MAX_ + 16];
    llvm_value *elements = calloc(count + 1, sizeof *elements);
    if (!elements) {
        return refuse_input(m, "out of memory");
    }
    elements[0] = l->ConstInt(m->i32, count, 0);
    for (size_t i = 0; i < count; i++) {
        elements[i + 1] = l->ConstInt(m->i32, numbers[i], 0);
    }
    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    llvm_value g = l->AddGlobal(m->module, l->ArrayType(m->i32, (unsigned)count + 1), symbol);
    l->SetInitializer(g, l->ConstArray(m->i32, elements, (unsigned)count + 1));
    l->SetGlobalConstant(g, 1);
    free(elements);
    return true;
}

/* wm_table_NAME: the numbers of capture/kernel_table.h. */
bool add_table(struct instrumenter *m, const struct kernel_table *t, const char *name) {
    size_t count;
    uint32_t *numbers = kernel_table_write(t, &count);
    bool good = numbers ? add_numbers(m, "wm_table_", name, numbers, count)
                        : refuse_input(m, "out of memory");
    free(numbers);
    return good;
}

/* wm_parameters_NAME: the numbers of opencl/kernel_parameters.h. */
bool add_parameters(struct instrumenter *m, llvm_value kernel, const char *name) {
    unsigned count;
    char wrong[256];
    uint32_t *numbers = parameters_read(&m->l, m->context, m->module, kernel, &count, wrong);
    if (!numbers) {
        return refuse_kernel(name, wrong);
    }
    bool good = add_numbers(m, "wm_parameters_", name, numbers, count);
    free(numbers);
    return good;
}

/* wm_sizes_NAME: bytes of each parameter, so that a graph can keep a launch's arguments. */
bool add_sizes(struct instrumenter *m, llvm_value kernel, const char *name) {
    const struct llvm *l = &m->l;
    llvm_layout layout = l->GetModuleDataLayout(m->module);
    const unsigned by_value = l->GetEnumAttributeKindForName("byval", 5),
                   count = l->CountParams(kernel);
    uint32_t *sizes = calloc(count + 1, sizeof *sizes);
    for (unsigned i = 0; sizes && i < count; i++) {
        llvm_attribute a = l->GetEnumAttributeAtIndex(kernel, i + 1, by_value);
        llvm_type type = a ? l->GetTypeAttributeValue(a) : l->TypeOf(l->GetParam(kernel, i));
        sizes[i] = (uint32_t)l->ABISizeOfType(layout, type);
    }
    bool good =
        sizes ? add_numbers(m, "wm_sizes_", name, sizes, count) : refuse_input(m, "out of memory");
    free(sizes);
    return good;
}

/* wm_kernel_N, in the order of the source: the letters of the kernel's name. */
bool add_kernel_name(struct instrumenter *m, unsigned n) {
    char number[16];
    uint32_t letters[NAME_MAX_];
    const char *name = name_of(m, m->kernel[n]);
    size_t length = strlen(name) < NAME_MAX_ ? strlen(name) : NAME_MAX_ - 1;
    for (size_t i = 0; i < length; i++) {
        letters[i] = (unsigned char)name[i];
    }
    snprintf(number, sizeof number, "%u", n);
    return add_numbers(m, "wm_kernel_", number, letters, length);
}

/* wm_meets_NAME: lanes of a warp wait for each other. */
void add_mark(struct instrumenter *m, const char *name) {
    char symbol[NAME_MAX_ + 16];
    snprintf(symbol, sizeof symbol, "wm_meets_%s", name);
    llvm_value g = m->l.AddGlobal(m->module, m->i32, symbol);
    m->l.SetInitializer(g, m->l.ConstInt(m->i32, 1, 0));
    m->l.SetGlobalConstant(g, 1);
}

/* void wm_call_NAME(void **arguments), wm_plain_NAME: each points to the argument's value. */
void add_caller(struct instrumenter *m, llvm_value kernel, const char *name) {
    const struct llvm *l = &m->l;
    char symbol[NAME_MAX_ + 16];
    llvm_type pointers = l->PointerType(m->pointer, 0);
    const unsigned by_value = l->GetEnumAttributeKindForName("byval", 5),
                   count = l->CountParams(kernel);
    llvm_value *values = calloc(count + 1, sizeof *values);
    snprintf(symbol, sizeof symbol, "%s%s", m->plain ? "wm_plain_" : "wm_call_", name);
    llvm_value f = l->AddFunction(m->module, symbol, l->FunctionType(m->nothing, &pointers, 1, 0));
    l->PositionBuilderAtEnd(m->builder, l->AppendBasicBlockInContext(m->context, f, ""));
    for (unsigned i = 0; values && i < count; i++) {
        llvm_type type = l->TypeOf(l->GetParam(kernel, i));
        llvm_value at = l->ConstInt(m->i32, i, 0);
        llvm_value slot = l->BuildGEP2(m->builder, m->pointer, l->GetParam(f, 0), &at, 1, "");
        llvm_value address = l->BuildLoad2(m->builder, m->pointer, slot, "");
        values[i] =
            l->GetEnumAttributeAtIndex(kernel, i + 1, by_value)
                ? l->BuildPointerCast(m->builder, address, type, "")
                : l->BuildLoad2(
                      m->builder, type,
                      l->BuildPointerCast(m->builder, address, l->PointerType(type, 0), ""), "");
    }
    llvm_value call =
        l->BuildCall2(m->builder, l->GlobalGetValueType(kernel), kernel, values, count, "");
    for (unsigned i = 0; i < count; i++) {
        llvm_attribute a = l->GetEnumAttributeAtIndex(kernel, i + 1, by_value);
        if (a) {
            l->AddCallSiteAttribute(call, i + 1, a);
        }
    }
    l->BuildRetVoid(m->builder);
    free(values);
}
