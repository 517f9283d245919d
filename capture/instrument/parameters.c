/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/spaces.h"
#include "opencl/kernel_parameters.h"

/* The node that clang has put on the kernel; NULL: none. */
static llvm_value node_of(const struct llvm *l, llvm_context context, llvm_value kernel,
                          const char *name) {
    const unsigned kind = l->GetMDKindIDInContext(context, name, (unsigned)strlen(name));
    size_t count = 0;
    llvm_value found = NULL;
    llvm_metadata_entries entries = l->GlobalCopyAllMetadata(kernel, &count);
    for (unsigned i = 0; i < count; i++) {
        if (l->ValueMetadataEntriesGetKind(entries, i) == kind) {
            found = l->MetadataAsValue(context, l->ValueMetadataEntriesGetMetadata(entries, i));
        }
    }
    l->DisposeValueMetadataEntries(entries);
    return found;
}

/* The operands of a node, at most @room: their count. */
static unsigned operands_of(const struct llvm *l, llvm_value node, llvm_value *to, unsigned room) {
    unsigned count = node ? l->GetMDNodeNumOperands(node) : 0;
    if (count > room) {
        return 0;
    }
    if (count) {
        l->GetMDNodeOperands(node, to);
    }
    return count;
}

static void read_group_size(const struct llvm *l, llvm_context context, llvm_value kernel,
                            uint32_t size[static 3]) {
    llvm_value parts[3];
    if (operands_of(l, node_of(l, context, kernel, "reqd_work_group_size"), parts, 3) == 3) {
        for (unsigned i = 0; i < 3; i++) {
            size[i] = (uint32_t)l->ConstIntGetZExtValue(parts[i]);
        }
    }
}

/* "image2d_t" and its kin are pointers or numbers in the code: only their names tell. */
static bool is_supported_type(const char *name, unsigned length) {
    static const char *const others[] = {"image", "sampler_t", "pipe", "queue_t", "event_t"};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        size_t n = strlen(others[i]);
        if (length >= n && !memcmp(name, others[i], n) && !memchr(name, '*', length)) {
            return false;
        }
    }
    return true;
}

static bool check_types(const struct llvm *l, llvm_context context, llvm_value kernel,
                        char wrong[static 256]) {
    llvm_value types[KERNEL_PARAMETERS_MAX];
    llvm_value node = node_of(l, context, kernel, "kernel_arg_base_type");
    const unsigned count = operands_of(l, node, types, KERNEL_PARAMETERS_MAX);
    for (unsigned i = 0; i < count; i++) {
        unsigned length;
        const char *name = l->GetMDString(types[i], &length);
        if (name && !is_supported_type(name, length)) {
            snprintf(wrong, 256,
                     "parameter %u, %.*s: images, samplers, pipes, queues and "
                     "events are not supported in a kernel",
                     i, (int)length, name);
            return false;
        }
    }
    return true;
}

static void read_parameter(const struct llvm *l, llvm_module module, llvm_value kernel, unsigned n,
                           uint32_t to[static 2]) {
    llvm_layout layout = l->GetModuleDataLayout(module);
    llvm_type type = l->TypeOf(l->GetParam(kernel, n));
    llvm_attribute by_value =
        l->GetEnumAttributeAtIndex(kernel, n + 1, l->GetEnumAttributeKindForName("byval", 5));
    to[0] = PARAMETER_VALUE;
    if (by_value) {
        to[1] = (uint32_t)l->ABISizeOfType(layout, l->GetTypeAttributeValue(by_value));
    } else if (l->GetTypeKind(type) == LLVM_KIND_POINTER) {
        const unsigned space = l->GetPointerAddressSpace(type);
        bool local = code_space_of_number(CODE_OPENCL, space) == CODE_SPACE_SHARED;
        to[0] = local ? PARAMETER_LOCAL : PARAMETER_BUFFER;
        to[1] = sizeof(void *);
    } else {
        to[1] = (uint32_t)l->ABISizeOfType(layout, type);
    }
}

uint32_t *parameters_read(const struct llvm *l, llvm_context context, llvm_module module,
                          llvm_value kernel, unsigned *count, char wrong[static 256]) {
    const unsigned parameters = l->CountParams(kernel);
    if (parameters > KERNEL_PARAMETERS_MAX) {
        snprintf(wrong, 256, "%u parameters: at most %d", parameters, KERNEL_PARAMETERS_MAX);
        return NULL;
    }
    if (!check_types(l, context, kernel, wrong)) {
        return NULL;
    }
    uint32_t *numbers = calloc(3 + 2 * (size_t)parameters, sizeof *numbers);
    if (!numbers) {
        snprintf(wrong, 256, "out of memory");
        return NULL;
    }
    *count = 3 + 2 * parameters;
    read_group_size(l, context, kernel, numbers);
    for (unsigned i = 0; i < parameters; i++) {
        read_parameter(l, module, kernel, i, &numbers[3 + 2 * i]);
    }
    return numbers;
}
