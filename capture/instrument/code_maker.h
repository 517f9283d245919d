/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's code while it is being made, and its growth by a block, an instruction or an access.
 */
#ifndef WARPMEM_CAPTURE_CODE_MAKER_H
#define WARPMEM_CAPTURE_CODE_MAKER_H

#include "instrument/kernel_code.h"
#include "instrument/source_files.h"
#include "instrument/values.h"

struct kernel_code_maker {
    const struct llvm *l;
    llvm_module module;
    llvm_layout layout;
    enum code_language language;
    struct code_options options;
    llvm_value *functions; /* the kernel, and those that it calls */
    unsigned function_count;
    llvm_value function; /* whose code is being taken */
    struct values values;
    struct source_files files;
    struct kernel_table table;
    uint32_t block_room, insn_room, edge_room, edge_count;
    uint32_t *first_edge;
    struct report *reports;
    unsigned report_count, report_room;
    unsigned kernel_reports; /* before those of functions */
    llvm_block *llvm_blocks; /* of all functions, and the table's first block of each */
    uint32_t *table_block;
    unsigned llvm_block_count;
    bool failed, meets;
};

struct access {
    llvm_value from, pointer, value; /* value: stored, or NULL */
    unsigned op;
    unsigned long long bytes;
    bool uncached;
};

/** refuse_code() - note the fault at @at; always false. */
__attribute__((format(printf, 3, 4))) bool refuse_code(struct kernel_code_maker *k, llvm_value at,
                                                       const char *format, ...);
/** this_block() - the table's last block. in_kernel(): not in a function that the kernel calls. */
struct table_block *this_block(struct kernel_code_maker *k);
bool in_kernel(const struct kernel_code_maker *k);
/** begin_block() - a block of the table begins before an instruction. */
bool begin_block(struct kernel_code_maker *k, llvm_value before);
bool add_report(struct kernel_code_maker *k, struct report r);
/** add_insn() - NULL: no memory is left. add_source(): one more register that it reads. */
struct table_insn *add_insn(struct kernel_code_maker *k, llvm_value from, unsigned op);
void add_source(struct kernel_code_maker *k, struct table_insn *i, llvm_value value);
/** add_several() - instructions that write the value of @from and read its operands. */
bool add_several(struct kernel_code_maker *k, llvm_value from, unsigned op, unsigned count);
/** add_quotient() - of the floats or doubles that @i divides, to the last bit. */
bool add_quotient(struct kernel_code_maker *k, llvm_value i);
unsigned long long bytes_of(const struct kernel_code_maker *k, llvm_type type);
/** lanes_of() - elements of a vector, whose operations are those of its elements; 1 of others. */
unsigned lanes_of(const struct kernel_code_maker *k, llvm_value i);

/* --- memory (code_memory.c) --- */

/** add_access() - the instructions of an access, in each space where it may be. */
bool add_access(struct kernel_code_maker *k, const struct access *a);
bool take_load(struct kernel_code_maker *k, llvm_value i);
bool take_store(struct kernel_code_maker *k, llvm_value i);
bool take_atomic(struct kernel_code_maker *k, llvm_value i);

/* --- calls (code_calls.c) --- */

/** add_move() - between a register of the calls and another one; NULL: no memory is left. */
struct table_insn *add_move(struct kernel_code_maker *k, llvm_value at, uint32_t to);

/** take_call() - the instructions of a call: of a function of the runtime, or of the kernel's. */
bool take_call(struct kernel_code_maker *k, llvm_value i);

#endif
