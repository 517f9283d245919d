/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/kernel_code.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/code_maker.h"
#include "instrument/constants.h"
#include "instrument/predicates.h"
#include "instrument/source_files.h"
#include "instrument/spaces.h"
#include "instrument/values.h"

static char last_error[512];

const char *kernel_code_error(void) {
    return last_error;
}

bool refuse_code(struct kernel_code_maker *k, llvm_value at, const char *format, ...) {
    char what[400];
    va_list args;
    if (k->failed) {
        return false;
    }
    k->failed = true;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const struct source_line line =
        at ? source_files_locate(&k->files, k->l, at) : (struct source_line){0};
    snprintf(last_error, sizeof last_error, "%.100s:%u: %s",
             k->files.count ? k->files.names[line.file] : "", line.line, what);
    return false;
}

static bool code_needs_memory(struct kernel_code_maker *k) {
    return refuse_code(k, NULL, "out of memory");
}

/* Room for one more of @count elements. */
static bool grow_array(struct kernel_code_maker *k, void *array, uint32_t count, uint32_t *room,
                       size_t size) {
    if (count < *room) {
        return true;
    }
    uint32_t more = *room ? 2 * *room : 64;
    void *grown = realloc(*(void **)array, more * size);
    if (!grown) {
        return code_needs_memory(k);
    }
    *(void **)array = grown;
    *room = more;
    return true;
}

/* --- parts of the table --- */

struct table_block *this_block(struct kernel_code_maker *k) {
    return &k->table.blocks[k->table.graph.count - 1];
}

bool add_report(struct kernel_code_maker *k, struct report r) {
    if (!grow_array(k, &k->reports, k->report_count, &k->report_room, sizeof r)) {
        return false;
    }
    k->reports[k->report_count++] = r;
    return true;
}

bool in_kernel(const struct kernel_code_maker *k) {
    return k->function == k->functions[0];
}

/* A block of the table begins before an instruction. */
bool begin_block(struct kernel_code_maker *k, llvm_value before) {
    struct kernel_table *t = &k->table;
    if (t->graph.count == KERNEL_TABLE_BLOCKS_MAX) {
        return refuse_code(k, before, "more than %u blocks: at most that", KERNEL_TABLE_BLOCKS_MAX);
    }
    if (!grow_array(k, &t->blocks, t->graph.count, &k->block_room, sizeof *t->blocks)) {
        return false;
    }
    t->blocks[t->graph.count] = (struct table_block){.first = t->insn_count};
    t->graph.count++;
    const uint32_t last = t->graph.count - 1;
    return add_report(
        k, in_kernel(k) ? (struct report){.kind = REPORT_BLOCK, .before = before, .block = last}
                        : (struct report){.kind = REPORT_FUNCTION_BLOCK,
                                          .before = before,
                                          .block = last - t->function_block});
}

struct table_insn *add_insn(struct kernel_code_maker *k, llvm_value from, unsigned op) {
    struct kernel_table *t = &k->table;
    if (!grow_array(k, &t->insns, t->insn_count, &k->insn_room, sizeof *t->insns)) {
        return NULL;
    }
    struct table_insn *i = &t->insns[t->insn_count++];
    struct source_line line = source_files_locate(&k->files, k->l, from);
    if (!line.line && t->insn_count > 1) { /* an instruction that a pass has made */
        line = (struct source_line){.line = i[-1].line, .file = i[-1].file};
    }
    *i = (struct table_insn){.op = (uint8_t)op,
                             .access = ACCESS_NONE,
                             .dst = VALUE_NONE,
                             .line = line.line,
                             .file = line.file};
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        i->src[s] = VALUE_NONE;
    }
    this_block(k)->count++;
    return i;
}

void add_source(struct kernel_code_maker *k, struct table_insn *i, llvm_value value) {
    uint32_t v = values_number(&k->values, value);
    for (unsigned s = 0; v != VALUE_NONE && s < INSN_SOURCES_MAX; s++) {
        if (i->src[s] == v || i->src[s] == VALUE_NONE) {
            i->src[s] = v;
            return;
        }
    }
}

/* An instruction that writes the value of @from and reads its operands. */
static bool add_plain(struct kernel_code_maker *k, llvm_value from, unsigned op) {
    const struct llvm *l = k->l;
    struct table_insn *i = add_insn(k, from, op);
    if (!i) {
        return false;
    }
    if (values_is_needed(&k->values, from)) {
        i->dst = values_number(&k->values, from);
    }
    int operands = l->GetInstructionOpcode(from) == LLVM_CALL ? (int)l->GetNumArgOperands(from)
                                                              : l->GetNumOperands(from);
    for (int n = 0; n < operands; n++) {
        llvm_value operand = l->GetOperand(from, (unsigned)n);
        if (values_is_folded(&k->values, operand)) { /* the product of a multiply-add */
            for (int m = 0; m < l->GetNumOperands(operand); m++) {
                add_source(k, i, l->GetOperand(operand, (unsigned)m));
            }
        } else {
            add_source(k, i, operand);
        }
    }
    return true;
}

bool add_several(struct kernel_code_maker *k, llvm_value from, unsigned op, unsigned count) {
    bool good = true;
    for (unsigned i = 0; good && i < count; i++) {
        good = add_plain(k, from, op);
    }
    return good;
}

unsigned long long bytes_of(const struct kernel_code_maker *k, llvm_type type) {
    return k->l->StoreSizeOfType(k->layout, type);
}

/* The operations of a vector are those of its elements. */
unsigned lanes_of(const struct kernel_code_maker *k, llvm_value i) {
    llvm_type type = k->l->TypeOf(i);
    if (k->l->GetTypeKind(type) != LLVM_KIND_VECTOR) {
        return 1;
    }
    unsigned long long element = bytes_of(k, k->l->GetElementType(type));
    return element ? (unsigned)(bytes_of(k, type) / element) : 1;
}

/* --- the others --- */

static bool is_double(const struct kernel_code_maker *k, llvm_value v) {
    llvm_type type = k->l->TypeOf(v);
    if (k->l->GetTypeKind(type) == LLVM_KIND_VECTOR) {
        type = k->l->GetElementType(type);
    }
    return k->l->GetTypeKind(type) == LLVM_KIND_DOUBLE;
}

static unsigned float_op(const struct kernel_code_maker *k, llvm_value v, unsigned op) {
    return is_double(k, v) ? op + (OP_DP_ADD - OP_FP_ADD) : op;
}

static bool has_folded_operand(const struct kernel_code_maker *k, llvm_value i) {
    for (int n = 0; n < k->l->GetNumOperands(i); n++) {
        if (values_is_folded(&k->values, k->l->GetOperand(i, (unsigned)n))) {
            return true;
        }
    }
    return false;
}

static bool take_pointer(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    unsigned variable = 0;
    for (int n = 1; n < l->GetNumOperands(i); n++) {
        variable += !l->IsAConstant(l->GetOperand(i, (unsigned)n));
    }
    return !variable || add_several(k, i, OP_INT_MAD, variable); /* base + index * size */
}

static bool take_branch(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    const int opcode = l->GetInstructionOpcode(i);
    /* A constant is moved to the result; other values are computed there. */
    if (opcode == LLVM_RET && l->GetNumOperands(i) &&
        values_number(&k->values, l->GetOperand(i, 0)) == VALUE_NONE &&
        !add_move(k, i, values_result(&k->values))) {
        return false;
    }
    if (opcode == LLVM_BR && predicates_replace(l, i)) {
        this_block(k)->predicated = !l->IsConditional(i);
        return true;
    }
    struct table_insn *insn = add_insn(k, i, OP_BRANCH);
    if (!insn) {
        return false;
    }
    switch (opcode) {
    case LLVM_BR:
        if (l->IsConditional(i)) {
            add_source(k, insn, l->GetOperand(i, 0));
        } else {
            insn->flags = TABLE_JUMP;
        }
        return true;
    case LLVM_SWITCH: add_source(k, insn, l->GetOperand(i, 0)); return true;
    default: return true; /* the thread ends */
    }
}

/* By a constant, as a GPU's compiler makes it: shifts by a power of two, with a correction of
 * negative numbers; else the high half of a product with the reciprocal, and a shift. A remainder
 * takes one product more. */
static bool take_division(struct kernel_code_maker *k, llvm_value i, int opcode) {
    const llvm_value by = k->l->GetOperand(i, 1);
    const bool is_signed = opcode == LLVM_SDIV || opcode == LLVM_SREM,
               rest = opcode == LLVM_UREM || opcode == LLVM_SREM;
    if (!k->l->IsAConstantInt(by)) {
        return add_several(k, i, OP_INT_DIV, lanes_of(k, i));
    }
    const unsigned long long value = k->l->ConstIntGetZExtValue(by);
    if (value & (value - 1)) {
        return add_several(k, i, OP_INT_MAD, 1u + rest) &&
               add_several(k, i, OP_INT_ADD, 1u + is_signed);
    }
    return add_several(k, i, OP_INT_ADD, 1u + is_signed + (is_signed && rest));
}

/* A quotient to the last bit, as a GPU's compiler makes it: the special function unit gives the
 * reciprocal and tests the operands' ranges, products refine it, a branch leads around rare cases.
 */
bool add_quotient(struct kernel_code_maker *k, llvm_value i) {
    const unsigned lanes = lanes_of(k, i);
    return add_several(k, i, OP_SFU, 2 * lanes) &&
           add_several(k, i, float_op(k, i, OP_FP_MAD), 7 * lanes) &&
           add_several(k, i, OP_BRANCH, 3 * lanes);
}

static bool take_arithmetic(struct kernel_code_maker *k, llvm_value i, int opcode) {
    unsigned op = OP_COUNT;
    switch (opcode) {
    case LLVM_ADD:
    case LLVM_SUB: op = has_folded_operand(k, i) ? OP_INT_MAD : OP_INT_ADD; break;
    case LLVM_FADD:
    case LLVM_FSUB: op = float_op(k, i, has_folded_operand(k, i) ? OP_FP_MAD : OP_FP_ADD); break;
    case LLVM_MUL: op = OP_INT_MUL; break;
    case LLVM_FMUL: op = float_op(k, i, OP_FP_MUL); break;
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM: return values_is_folded(&k->values, i) || take_division(k, i, opcode);
    case LLVM_FDIV: return add_quotient(k, i);
    case LLVM_FREM: op = float_op(k, i, OP_FP_DIV); break;
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
    case LLVM_AND:
    case LLVM_OR:
    case LLVM_XOR:
    case LLVM_ICMP:
    case LLVM_SELECT: op = OP_INT_ADD; break;
    case LLVM_FCMP: op = float_op(k, k->l->GetOperand(i, 0), OP_FP_ADD); break;
    /* The unit of transcendental functions converts (Nsight Compute's XU). */
    case LLVM_FPTOUI:
    case LLVM_FPTOSI:
    case LLVM_UITOFP:
    case LLVM_SITOFP:
    case LLVM_FPTRUNC:
    case LLVM_FPEXT: op = OP_SFU; break;
    default: break;
    }
    if (op == OP_COUNT) {
        char *text = k->l->PrintValueToString(i);
        refuse_code(k, i, "an instruction that is not supported:%.200s", text);
        k->l->DisposeMessage(text);
        return false;
    }
    return values_is_folded(&k->values, i) || add_several(k, i, op, lanes_of(k, i));
}

static bool take_instruction(struct kernel_code_maker *k, llvm_value i) {
    const int opcode = k->l->GetInstructionOpcode(i);
    switch (opcode) {
    case LLVM_RET:
    case LLVM_BR:
    case LLVM_SWITCH:
    case LLVM_UNREACHABLE: return take_branch(k, i);
    case LLVM_LOAD: return take_load(k, i);
    case LLVM_STORE: return take_store(k, i);
    case LLVM_ATOMICRMW:
    case LLVM_CMPXCHG: return take_atomic(k, i);
    case LLVM_FENCE: return add_insn(k, i, OP_FENCE);
    case LLVM_GEP: return take_pointer(k, i);
    case LLVM_CALL: return take_call(k, i);
    default:
        return values_is_alias(k->l, i) || opcode == LLVM_PHI || opcode == LLVM_ALLOCA ||
               take_arithmetic(k, i, opcode);
    }
}

static llvm_value first_behind_phis(const struct llvm *l, llvm_block b) {
    llvm_value i = l->GetFirstInstruction(b);
    while (l->GetInstructionOpcode(i) == LLVM_PHI) {
        i = l->GetNextInstruction(i);
    }
    return i;
}

static bool take_block(struct kernel_code_maker *k, unsigned n) {
    const struct llvm *l = k->l;
    k->table_block[n] = k->table.graph.count;
    bool good = begin_block(k, first_behind_phis(l, k->llvm_blocks[n]));
    if (good && !in_kernel(k)) {
        this_block(k)->entry = k->llvm_blocks[n] == l->GetFirstBasicBlock(k->function);
    }
    for (llvm_value i = l->GetFirstInstruction(k->llvm_blocks[n]); good && i;
         i = l->GetNextInstruction(i)) {
        good = take_instruction(k, i);
    }
    return good;
}

/* --- the graph --- */

static uint32_t table_block_of(const struct kernel_code_maker *k, llvm_block b) {
    unsigned n = 0;
    while (k->llvm_blocks[n] != b) {
        n++;
    }
    return k->table_block[n];
}

/* The edges of a block of LLVM: from each of its table blocks to the next, and from the last one to
 * the successors. */
static bool take_edges(struct kernel_code_maker *k, unsigned n) {
    const struct llvm *l = k->l;
    struct kernel_table *t = &k->table;
    const uint32_t end = n + 1 < k->llvm_block_count ? k->table_block[n + 1] : k->table.graph.count;
    llvm_value last = l->GetBasicBlockTerminator(k->llvm_blocks[n]);
    for (uint32_t b = k->table_block[n]; b < end; b++) {
        uint32_t *edges = k->first_edge;
        edges[b] = k->edge_count;
        unsigned count = b + 1 < end ? 1 : l->GetNumSuccessors(last);
        for (unsigned s = 0; s < count; s++) {
            if (!grow_array(k, &t->edges, k->edge_count, &k->edge_room, sizeof *t->edges)) {
                return false;
            }
            t->edges[k->edge_count++] =
                b + 1 < end ? b + 1 : table_block_of(k, l->GetSuccessor(last, s));
        }
    }
    return true;
}

static bool take_graph(struct kernel_code_maker *k) {
    bool good = true;
    k->first_edge = calloc((size_t)k->table.graph.count + 1, sizeof *k->first_edge);
    if (!k->first_edge) {
        return code_needs_memory(k);
    }
    for (unsigned n = 0; good && n < k->llvm_block_count; n++) {
        good = take_edges(k, n);
    }
    k->first_edge[k->table.graph.count] = k->edge_count;
    k->table.graph.first = k->first_edge;
    k->table.graph.target = k->table.edges;
    return good;
}

static bool list_blocks(struct kernel_code_maker *k) {
    const struct llvm *l = k->l;
    for (unsigned f = 0; f < k->function_count; f++) {
        k->llvm_block_count += l->CountBasicBlocks(k->functions[f]);
    }
    k->llvm_blocks = calloc(k->llvm_block_count, sizeof *k->llvm_blocks);
    k->table_block = calloc(k->llvm_block_count, sizeof *k->table_block);
    if (!k->llvm_blocks || !k->table_block) {
        return code_needs_memory(k);
    }
    for (unsigned f = 0, n = 0; f < k->function_count; f++) {
        llvm_block b = l->GetFirstBasicBlock(k->functions[f]);
        for (; b; n++, b = l->GetNextBasicBlock(b)) {
            k->llvm_blocks[n] = b;
        }
    }
    return true;
}

/* The kernel's code, and behind it that of the functions. */
static bool take_functions(struct kernel_code_maker *k) {
    bool good = true;
    unsigned n = 0;
    for (unsigned f = 0; good && f < k->function_count; f++) {
        const unsigned end = n + k->l->CountBasicBlocks(k->functions[f]);
        k->function = k->functions[f];
        while (good && n < end) {
            good = take_block(k, n++);
        }
        if (!f) {
            k->kernel_reports = k->report_count;
            k->table.function_block = k->table.graph.count;
        }
    }
    return good;
}

static bool make_code(struct kernel_code_maker *k) {
    bool good = list_blocks(k) && (values_init(&k->values, k->l, k->layout, k->functions,
                                               k->function_count, k->options.fuses) ||
                                   code_needs_memory(k));
    if (!good || !take_functions(k) || !take_graph(k)) {
        return false;
    }
    k->table.value_words = values_words(&k->values, &k->table.value_count);
    return k->table.value_words || code_needs_memory(k);
}

static bool list_functions(struct kernel_code_maker *k, llvm_value kernel,
                           const struct functions *called) {
    k->function_count = 1 + (called ? called->count : 0);
    k->functions = calloc(k->function_count, sizeof *k->functions);
    if (!k->functions) {
        return code_needs_memory(k);
    }
    k->functions[0] = kernel;
    for (unsigned f = 1; f < k->function_count; f++) {
        k->functions[f] = called->at[f - 1];
    }
    k->table.shared_bytes =
        code_shared_bytes(k->l, k->module, k->layout, k->functions, k->function_count);
    return true;
}

struct kernel_code_maker *kernel_code_make(const struct llvm *l, llvm_module module,
                                           llvm_value kernel, const struct functions *called,
                                           const char *name, const struct code_options *options) {
    struct kernel_code_maker *k = calloc(1, sizeof *k);
    size_t length;
    if (!k) {
        snprintf(last_error, sizeof last_error, "out of memory");
        return NULL;
    }
    k->l = l;
    k->module = module;
    k->layout = l->GetModuleDataLayout(module);
    k->language = code_language_of(l, module);
    k->options = *options;
    k->table.name = strdup(name);
    /* The source of an OpenCL program lies in a folder that is made for a moment. */
    const bool files = source_files_init(
        &k->files, options->source ? options->source : l->GetSourceFileName(module, &length),
        k->language == CODE_OPENCL);
    if (!k->table.name || !files ? !code_needs_memory(k)
                                 : !list_functions(k, kernel, called) || !make_code(k)) {
        kernel_code_free(k);
        return NULL;
    }
    k->table.files = k->files.names;
    k->table.file_count = k->files.count;
    return k;
}

bool kernel_code_meets(const struct kernel_code_maker *k) {
    return k->meets;
}

const struct kernel_table *kernel_code_table(const struct kernel_code_maker *k) {
    return &k->table;
}

const struct report *kernel_code_reports(const struct kernel_code_maker *k, unsigned *count) {
    *count = k->kernel_reports;
    return k->reports;
}

const struct report *kernel_code_function_reports(const struct kernel_code_maker *k,
                                                  unsigned *count) {
    *count = k->report_count - k->kernel_reports;
    return k->reports + k->kernel_reports;
}

void kernel_code_free(struct kernel_code_maker *k) {
    values_free(&k->values);
    free(k->functions);
    free(k->table.name);
    source_files_free(&k->files);
    free(k->table.blocks);
    free(k->table.insns);
    free(k->table.value_words);
    free(k->table.edges);
    free(k->first_edge);
    free(k->reports);
    free(k->llvm_blocks);
    free(k->table_block);
    free(k);
}
