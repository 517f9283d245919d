/* SPDX-License-Identifier: Apache-2.0
 *
 * warpmem-instrument: rewrites kernels for this computer: the device half of a CUDA program, which
 * is NVPTX bitcode, or OpenCL C as SPIR bitcode. Each kernel reports its blocks and accesses, and
 * has a caller and a table of its code beside it. A second module has the same kernels without
 * reports, on the same variables, for capture --check.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/active.h"
#include "instrument/arithmetic.h"
#include "instrument/children.h"
#include "instrument/constants.h"
#include "instrument/gpu_passes.h"
#include "instrument/instrumenter.h"
#include "instrument/join.h"
#include "instrument/load_order.h"
#include "instrument/managed.h"
#include "instrument/spaces.h"

bool refuse_input(const struct instrumenter *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "warpmem-instrument: %s: ", m->input);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

/* @wrong: "FILE:LINE: what" */
bool refuse_kernel(const char *name, const char *wrong) {
    fprintf(stderr, "%s (kernel %s)\n", wrong, name);
    return false;
}

const char *name_of(const struct instrumenter *m, llvm_value v) {
    size_t length;
    const char *name = m->l.GetValueName2(v, &length);
    return name ? name : "";
}

void rename_value(const struct instrumenter *m, llvm_value v, const char *name) {
    m->l.SetValueName2(v, name, strlen(name));
}

/* --- reading --- */

static bool read_module(struct instrumenter *m, unsigned version) {
    const char *wrong;
    char *said = NULL;
    llvm_buffer buffer;
    if (!llvm_open(&m->l, version, &wrong)) {
        return refuse_input(m, "%s", wrong);
    }
    m->context = m->l.GetGlobalContext();
    if (m->l.CreateMemoryBufferWithContentsOfFile(m->input, &buffer, &said)) {
        return refuse_input(m, "cannot be read: %s", said ? said : "no reason given");
    }
    if (m->l.ParseBitcodeInContext2(m->context, buffer, &m->module)) {
        return refuse_input(m, "is no bitcode of LLVM %u", version);
    }
    m->builder = m->l.CreateBuilderInContext(m->context);
    m->i8 = m->l.Int8TypeInContext(m->context);
    m->i32 = m->l.Int32TypeInContext(m->context);
    m->pointer = m->l.PointerType(m->i8, 0);
    m->nothing = m->l.VoidTypeInContext(m->context);
    return true;
}

static void add_kernel(struct instrumenter *m, llvm_value function) {
    for (unsigned i = 0; i < m->kernels; i++) {
        if (m->kernel[i] == function) {
            return;
        }
    }
    if (m->kernels < KERNELS_MAX && !m->l.IsDeclaration(function)) {
        m->kernel[m->kernels++] = function;
    }
}

/* SPIR's functions have conventions of their own, at each call as well. */
static void set_plain_convention(const struct instrumenter *m, llvm_value f) {
    const struct llvm *l = &m->l;
    l->SetFunctionCallConv(f, 0);
    for (llvm_block b = l->GetFirstBasicBlock(f); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            if (l->GetInstructionOpcode(i) == LLVM_CALL) {
                l->SetInstructionCallConv(i, 0);
            }
        }
    }
}

/* Rows of nvvm.annotations that say "kernel"; later versions have a calling convention instead. */
static void find_kernels(struct instrumenter *m) {
    const struct llvm *l = &m->l;
    const unsigned rows = l->GetNamedMetadataNumOperands(m->module, "nvvm.annotations");
    llvm_value *row = calloc(rows + 1, sizeof *row);
    if (row) {
        l->GetNamedMetadataOperands(m->module, "nvvm.annotations", row);
    }
    for (unsigned i = 0; row && i < rows; i++) {
        llvm_value part[64];
        unsigned length, parts = l->GetMDNodeNumOperands(row[i]);
        if (parts < 2 || parts > 64) {
            continue;
        }
        l->GetMDNodeOperands(row[i], part);
        const char *what = part[1] ? l->GetMDString(part[1], &length) : NULL;
        if (part[0] && what && length == 6 && !memcmp(what, "kernel", 6) &&
            l->IsAFunction(part[0])) {
            add_kernel(m, part[0]);
        }
    }
    free(row);
    for (llvm_value f = l->GetFirstFunction(m->module); f; f = l->GetNextFunction(f)) {
        const unsigned convention = l->GetFunctionCallConv(f);
        if (convention == LLVM_CALL_PTX_KERNEL || convention == LLVM_CALL_SPIR_KERNEL ||
            children_is_kernel(l, f)) {
            add_kernel(m, f);
        }
        set_plain_convention(m, f);
    }
}

/* --- reports --- */

static bool has_second(enum report_kind kind) {
    return kind == REPORT_ARGUMENT || kind == REPORT_LOCAL || kind == REPORT_GENERIC;
}

static bool has_number(enum report_kind kind) {
    return kind == REPORT_BLOCK || kind == REPORT_FUNCTION_BLOCK;
}

static void declare_reports(struct instrumenter *m) {
    static const char *const names[REPORT_KINDS] = {
        [REPORT_BLOCK] = "wm_block",       [REPORT_FUNCTION_BLOCK] = "wm_function_block",
        [REPORT_CALL] = "wm_call",         [REPORT_GLOBAL] = "wm_global",
        [REPORT_LOCAL] = "wm_local",       [REPORT_SHARED] = "wm_shared",
        [REPORT_CONSTANT] = "wm_constant", [REPORT_TEXTURE] = "wm_texture",
        [REPORT_ARGUMENT] = "wm_argument", [REPORT_GENERIC] = "wm_generic"};
    for (unsigned i = 0; i < REPORT_KINDS; i++) {
        llvm_type types[] = {has_number(i) ? m->i32 : m->pointer,
                             i == REPORT_ARGUMENT ? m->pointer : m->i32};
        m->report_type[i] = m->l.FunctionType(m->nothing, types, has_second(i) ? 2 : 1, 0);
        m->report[i] = m->l.AddFunction(m->module, names[i], m->report_type[i]);
    }
}

static llvm_value as_plain_pointer(struct instrumenter *m, llvm_value p) {
    const struct llvm *l = &m->l;
    return l->GetPointerAddressSpace(l->TypeOf(p))
               ? l->BuildAddrSpaceCast(m->builder, p, m->pointer, "")
               : l->BuildPointerCast(m->builder, p, m->pointer, "");
}

static void insert_report(struct instrumenter *m, const struct report *r) {
    const struct llvm *l = &m->l;
    llvm_value arguments[2];
    unsigned count = 1;
    l->PositionBuilderBefore(m->builder, r->before);
    if (has_number(r->kind)) {
        arguments[0] = l->ConstInt(m->i32, r->block, 0);
    } else {
        arguments[0] = as_plain_pointer(m, r->pointer);
    }
    if (has_second(r->kind)) {
        arguments[count++] = r->kind == REPORT_ARGUMENT ? as_plain_pointer(m, r->base)
                                                        : l->ConstInt(m->i32, r->bytes, 0);
    }
    l->BuildCall2(m->builder, m->report_type[r->kind], m->report[r->kind], arguments, count, "");
}

/* A kernel reports, so it reads and writes what only the reports know; likewise what it calls. */
static void forget_effects(const struct instrumenter *m, llvm_value function) {
    static const char *const attributes[] = {"readnone",   "readonly",
                                             "writeonly",  "argmemonly",
                                             "memory",     "inaccessiblememonly",
                                             "nosync",     "inaccessiblemem_or_argmemonly",
                                             "willreturn", "mustprogress",
                                             "nofree",     "speculatable"};
    const struct llvm *l = &m->l;
    for (unsigned n = 0; n < sizeof attributes / sizeof *attributes; n++) {
        unsigned kind = l->GetEnumAttributeKindForName(attributes[n], strlen(attributes[n]));
        if (!kind) { /* this version does not have it */
            continue;
        }
        l->RemoveEnumAttributeAtIndex(function, LLVM_FUNCTION_INDEX, kind);
        for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
            for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
                if (functions_called(l, i) || functions_through_pointer(l, i)) {
                    l->RemoveCallSiteEnumAttribute(i, LLVM_FUNCTION_INDEX, kind);
                }
            }
        }
    }
}

/* In both modules. OpenCL C takes a shift's amount modulo the width, as clang has written. */
static void finish_function(struct instrumenter *m, llvm_value function) {
    if (m->language == CODE_CUDA) {
        arithmetic_of_gpu(&m->l, m->module, m->builder, function);
    }
    forget_effects(m, function);
}

static bool finish_kernel(struct instrumenter *m, llvm_value kernel, const char *name) {
    if (!active_number_places(&m->l, m->module, m->builder, kernel)) {
        return refuse_input(m, "out of memory");
    }
    finish_function(m, kernel);
    add_caller(m, kernel, name);
    return true;
}

static void insert_reports(struct instrumenter *m, const struct report *reports, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        insert_report(m, &reports[i]);
    }
}

static bool rewrite_kernel(struct instrumenter *m, llvm_value kernel) {
    char name[NAME_MAX_];
    unsigned count;
    snprintf(name, sizeof name, "%s", name_of(m, kernel));
    constants_make_local(&m->l, m->builder, kernel);
    if (m->plain) {
        return finish_kernel(m, kernel, name);
    }
    const bool calls = functions_calls_any(&m->l, kernel);
    struct kernel_code_maker *k =
        kernel_code_make(&m->l, m->module, kernel, calls ? &m->functions : NULL, name, &m->options);
    if (!k) {
        return refuse_kernel(name, kernel_code_error());
    }
    const struct report *reports = kernel_code_reports(k, &count);
    insert_reports(m, reports, count);
    bool good = add_table(m, kernel_code_table(k), name);
    if (kernel_code_meets(k)) {
        add_mark(m, name);
    }
    if (calls && !m->with_functions) {
        m->with_functions = k;
    } else {
        kernel_code_free(k);
    }
    if (good) {
        good = m->language == CODE_OPENCL ? add_parameters(m, kernel, name)
                                          : add_sizes(m, kernel, name);
    }
    return finish_kernel(m, kernel, name) && good;
}

/* --- functions that kernels call --- */

static bool find_functions(struct instrumenter *m) {
    if (!functions_find(&m->functions, &m->l, m->module, m->kernel, m->kernels)) {
        return refuse_input(m, "out of memory");
    }
    for (unsigned i = 0; i < m->functions.count; i++) {
        constants_make_local(&m->l, m->builder, m->functions.at[i]);
    }
    return true;
}

/* wm_functions: their addresses. */
static bool list_functions(struct instrumenter *m) {
    const struct llvm *l = &m->l;
    const unsigned count = m->functions.count;
    llvm_value *address = calloc(count, sizeof *address);
    if (!address) {
        return refuse_input(m, "out of memory");
    }
    for (unsigned i = 0; i < count; i++) {
        address[i] = l->ConstBitCast(m->functions.at[i], m->pointer);
    }
    llvm_value g = l->AddGlobal(m->module, l->ArrayType(m->pointer, count), "wm_functions");
    l->SetInitializer(g, l->ConstArray(m->pointer, address, count));
    free(address);
    return add_numbers(m, "wm_function_", "count", &count, 1);
}

/* One function for both modules, so that a kernel may keep its address. All kernels were read
 * before it reports. */
static bool rewrite_functions(struct instrumenter *m) {
    const struct llvm *l = &m->l;
    unsigned count;
    if (m->with_functions) {
        const struct report *reports = kernel_code_function_reports(m->with_functions, &count);
        insert_reports(m, reports, count);
        kernel_code_free(m->with_functions);
    }
    for (unsigned i = 0; i < m->functions.count; i++) {
        llvm_value f = m->functions.at[i];
        finish_function(m, f);
        l->SetComdat(f, NULL);
        l->SetLinkage(f, m->plain ? LLVM_LINKAGE_AVAILABLE : LLVM_LINKAGE_EXTERNAL);
        l->SetVisibility(f, LLVM_VISIBILITY_HIDDEN);
    }
    return !m->functions.count || m->plain || list_functions(m);
}

/* --- functions --- */

static bool is_kernel(const struct instrumenter *m, llvm_value f) {
    for (unsigned i = 0; i < m->kernels; i++) {
        if (m->kernel[i] == f) {
            return true;
        }
    }
    return false;
}

static bool is_called(const struct instrumenter *m, llvm_value f) {
    for (unsigned i = 0; i < m->functions.count; i++) {
        if (m->functions.at[i] == f) {
            return true;
        }
    }
    return false;
}

/* llvm.nvvm.barrier0 becomes wm_nvvm_barrier0, a function of the runtime; functions that were
 * inlined go. */
static void settle_functions(const struct instrumenter *m) {
    const struct llvm *l = &m->l;
    for (llvm_value f = l->GetFirstFunction(m->module); f; f = l->GetNextFunction(f)) {
        char name[NAME_MAX_];
        l->RemoveStringAttributeAtIndex(f, LLVM_FUNCTION_INDEX, "target-cpu", 10);
        l->RemoveStringAttributeAtIndex(f, LLVM_FUNCTION_INDEX, "target-features", 15);
        snprintf(name, sizeof name, "%s", name_of(m, f));
        if (!strncmp(name, "llvm.nvvm.", 10)) {
            memmove(name + 2, name + 4, strlen(name + 4) + 1);
            memcpy(name, "wm", 2);
            for (char *c = name; *c; c++) {
                *c = *c == '.' ? '_' : *c;
            }
            rename_value(m, f, name);
        } else if (!strcmp(name, "printf")) {
            rename_value(m, f, "wm_printf");
        } else if (!strcmp(name, "vprintf")) { /* C's has another second argument */
            rename_value(m, f, "wm_vprintf");
        } else if (!strcmp(name, "__assert_fail")) {
            rename_value(m, f, "__wm_assert");
        } else if (!l->IsDeclaration(f) && !is_kernel(m, f) && !is_called(m, f) &&
                   strncmp(name, "wm_", 3) != 0) {
            l->SetComdat(f, NULL);
            l->SetLinkage(f, LLVM_LINKAGE_INTERNAL);
        }
    }
    for (unsigned i = 0; i < m->kernels; i++) {
        l->SetComdat(m->kernel[i], NULL);
        l->SetLinkage(m->kernel[i], LLVM_LINKAGE_INTERNAL); /* the host's stub has this name */
    }
}

static bool set_host_target(struct instrumenter *m) {
    const struct llvm *l = &m->l;
    llvm_target target;
    char *said = NULL, *triple = l->GetDefaultTargetTriple();
    if (l->GetTargetFromTriple(triple, &target, &said)) {
        return refuse_input(m, "%s: %s", triple, said ? said : "is not supported");
    }
    l->SetTarget(m->module, triple);
    l->SetModuleDataLayout(m->module, l->CreateTargetDataLayout(
                                          l->CreateTargetMachine(target, triple, "", "", 2, 2, 0)));
    return true;
}

static const char *order_loads(const struct instrumenter *m, enum load_order_step step) {
    for (unsigned i = 0; i < m->kernels; i++) {
        if (!load_order_improve(&m->l, m->builder, m->language, m->kernel[i], true, step)) {
            return "out of memory";
        }
    }
    return NULL;
}

static bool prepare_for_gpu(struct instrumenter *m) {
    struct gpu_passes g;
    const char *failed = gpu_passes_open(&g, &m->l, m->module, m->builder);
    failed = failed ? failed : gpu_passes_addresses(&g);
    failed = failed ? failed : order_loads(m, LOAD_ORDER_FAR_FIRST);
    failed = failed ? failed : gpu_passes_merge(&g);
    failed = failed ? failed : order_loads(m, LOAD_ORDER_SHARED_AHEAD);
    return !failed || refuse_input(m, "%s", failed);
}

static bool instrument(struct instrumenter *m) {
    m->language = code_language_of(&m->l, m->module);
    find_kernels(m);
    if (!prepare_for_gpu(m) || !find_functions(m)) {
        return false;
    }
    if (!m->plain) {
        declare_reports(m);
    }
    for (unsigned i = 0; i < m->kernels; i++) {
        if (!rewrite_kernel(m, m->kernel[i]) ||
            (m->language == CODE_OPENCL && !m->plain && !add_kernel_name(m, i))) {
            return false;
        }
    }
    if (!rewrite_functions(m)) {
        return false;
    }
    const char *managed = managed_replace(&m->l, m->module, m->builder, m->plain);
    if (managed) {
        return refuse_input(m, "the address of the __managed__ variable %.200s: is no constant",
                            managed);
    }
    place_variables(m);
    settle_functions(m);
    children_replace(&m->l, m->module, m->builder);
    if (!set_host_target(m)) {
        return false;
    }
    char *said = NULL;
    return !m->l.VerifyModule(m->module, 2, &said) ||
           refuse_input(m, "the rewritten module is wrong, which is an error of warpmem: %.400s",
                        said ? said : "");
}

static bool make_module(struct instrumenter *m, unsigned version, const char *output) {
    if (!read_module(m, version) || !instrument(m)) {
        return false;
    }
    if (m->l.WriteBitcodeToFile(m->module, output)) {
        fprintf(stderr, "warpmem-instrument: %s: cannot be written\n", output);
        return false;
    }
    return true;
}

static int show_usage(bool asked) {
    fprintf(stderr,
            "usage: warpmem-instrument VERSION IN.bc OUT.bc PLAIN.bc [--ldg=texture] "
            "[--fmad=false]\n"
            "           [--source=FILE]\n"
            "       warpmem-instrument --join VERSION OUT.bc IN.bc...\n"
            "       warpmem-instrument --rename-static VERSION OUT.bc IN.bc SUFFIX\n\n"
            "Rewrites kernels that clang VERSION has compiled to bitcode, CUDA's for NVPTX or "
            "OpenCL C for SPIR,\nso that they run on this computer and report accesses; "
            "PLAIN.bc gets the same kernels\nwithout reports. --join makes one file of several. "
            "--rename-static gives static kernels of one\n"
            "name another one in each file. warpmem-cc calls it.\n");
    return asked ? 0 : 2;
}

int main(int argc, char **argv) {
    static struct instrumenter m, plain;
    bool good = argc >= 5;
    if (good && !strcmp(argv[1], "--join")) {
        return join_modules((unsigned)strtoul(argv[2], NULL, 10), argv[3], argv + 4, argc - 4) ? 0
                                                                                               : 1;
    }
    if (argc == 6 && !strcmp(argv[1], "--rename-static")) {
        return !join_rename_static((unsigned)strtoul(argv[2], NULL, 10), argv[3], argv[4], argv[5]);
    }
    m.options = (struct code_options){.read_only = CODE_SPACE_GLOBAL, .fuses = true};
    for (int i = 5; i < argc; i++) {
        if (!strcmp(argv[i], "--ldg=texture")) {
            m.options.read_only = CODE_SPACE_TEXTURE;
        } else if (!strcmp(argv[i], "--fmad=false")) {
            m.options.fuses = false;
        } else if (!strncmp(argv[i], "--source=", 9)) {
            m.options.source = argv[i] + 9;
        } else {
            good = false;
        }
    }
    if (!good) {
        return show_usage(argc == 2 && !strcmp(argv[1], "--help"));
    }
    const unsigned version = (unsigned)strtoul(argv[1], NULL, 10);
    m.input = plain.input = argv[2];
    plain.plain = true;
    return make_module(&m, version, argv[3]) && make_module(&plain, version, argv[4]) ? 0 : 1;
}
