/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of LLVM's C interface that the instrumenter uses, from a library that is opened at run
 * time: it comes with clang, so LLVM's headers are not needed. Names, arguments and numbers are
 * those of llvm-c/Core.h, versions 14 to 19, which keep them stable.
 */
#ifndef WARPMEM_CAPTURE_LLVM_H
#define WARPMEM_CAPTURE_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct llvm_context *llvm_context;
typedef struct llvm_module *llvm_module;
typedef struct llvm_type *llvm_type;
typedef struct llvm_value *llvm_value;
typedef struct llvm_block *llvm_block;
typedef struct llvm_builder *llvm_builder;
typedef struct llvm_buffer *llvm_buffer;
typedef struct llvm_layout *llvm_layout;
typedef struct llvm_attribute *llvm_attribute;
typedef struct llvm_use *llvm_use;
typedef struct llvm_target *llvm_target;
typedef struct llvm_machine *llvm_machine;
typedef struct llvm_options *llvm_options;
typedef struct llvm_error *llvm_error;
typedef struct llvm_metadata *llvm_metadata;
typedef struct llvm_metadata_entries *llvm_metadata_entries;

/* F(result, name, arguments) */
#define LLVM_FUNCTIONS(F) \
    F(llvm_context, GetGlobalContext, (void)) \
    F(int, CreateMemoryBufferWithContentsOfFile, (const char *, llvm_buffer *, char **)) \
    F(int, ParseBitcodeInContext2, (llvm_context, llvm_buffer, llvm_module *)) \
    F(int, LinkModules2, (llvm_module, llvm_module)) \
    F(int, WriteBitcodeToFile, (llvm_module, const char *)) \
    F(int, VerifyModule, (llvm_module, int, char **)) \
    F(void, DisposeMessage, (char *)) \
    F(char *, PrintValueToString, (llvm_value)) \
    F(const char *, GetSourceFileName, (llvm_module, size_t *)) \
    F(const char *, GetTarget, (llvm_module)) \
    F(void, SetTarget, (llvm_module, const char *)) \
    F(void, SetModuleDataLayout, (llvm_module, llvm_layout)) \
    F(llvm_layout, GetModuleDataLayout, (llvm_module)) \
    F(char *, GetDefaultTargetTriple, (void)) \
    F(int, GetTargetFromTriple, (const char *, llvm_target *, char **)) \
    F(llvm_machine, CreateTargetMachine, \
      (llvm_target, const char *, const char *, const char *, int, int, int)) \
    F(llvm_layout, CreateTargetDataLayout, (llvm_machine)) \
    F(llvm_options, CreatePassBuilderOptions, (void)) \
    F(void, DisposePassBuilderOptions, (llvm_options)) \
    F(llvm_error, RunPasses, (llvm_module, const char *, llvm_machine, llvm_options)) \
    F(char *, GetErrorMessage, (llvm_error)) \
    F(unsigned long long, StoreSizeOfType, (llvm_layout, llvm_type)) \
    F(unsigned long long, ABISizeOfType, (llvm_layout, llvm_type)) \
    F(unsigned, GetNamedMetadataNumOperands, (llvm_module, const char *)) \
    F(void, GetNamedMetadataOperands, (llvm_module, const char *, llvm_value *)) \
    F(unsigned, GetMDNodeNumOperands, (llvm_value)) \
    F(void, GetMDNodeOperands, (llvm_value, llvm_value *)) \
    F(const char *, GetMDString, (llvm_value, unsigned *)) \
    F(unsigned, GetMDKindIDInContext, (llvm_context, const char *, unsigned)) \
    F(llvm_metadata_entries, GlobalCopyAllMetadata, (llvm_value, size_t *)) \
    F(unsigned, ValueMetadataEntriesGetKind, (llvm_metadata_entries, unsigned)) \
    F(llvm_metadata, ValueMetadataEntriesGetMetadata, (llvm_metadata_entries, unsigned)) \
    F(void, DisposeValueMetadataEntries, (llvm_metadata_entries)) \
    F(llvm_value, MetadataAsValue, (llvm_context, llvm_metadata)) \
    F(llvm_value, GetFirstFunction, (llvm_module)) \
    F(llvm_value, GetNextFunction, (llvm_value)) \
    F(llvm_value, GetFirstGlobal, (llvm_module)) \
    F(llvm_value, GetNextGlobal, (llvm_value)) \
    F(void, DeleteGlobal, (llvm_value)) \
    F(llvm_value, AddGlobal, (llvm_module, llvm_type, const char *)) \
    F(llvm_value, AddGlobalInAddressSpace, (llvm_module, llvm_type, const char *, unsigned)) \
    F(void, SetComdat, (llvm_value, void *)) \
    F(void, SetInitializer, (llvm_value, llvm_value)) \
    F(llvm_value, GetInitializer, (llvm_value)) \
    F(void, SetGlobalConstant, (llvm_value, int)) \
    F(void, SetSection, (llvm_value, const char *)) \
    F(const char *, GetSection, (llvm_value)) \
    F(llvm_value, GetNamedGlobal, (llvm_module, const char *)) \
    F(void, SetLinkage, (llvm_value, int)) \
    F(int, GetLinkage, (llvm_value)) \
    F(void, SetVisibility, (llvm_value, int)) \
    F(void, SetAlignment, (llvm_value, unsigned)) \
    F(unsigned, GetAlignment, (llvm_value)) \
    F(llvm_type, GlobalGetValueType, (llvm_value)) \
    F(llvm_module, GetGlobalParent, (llvm_value)) \
    F(int, IsDeclaration, (llvm_value)) \
    F(const char *, GetValueName2, (llvm_value, size_t *)) \
    F(void, SetValueName2, (llvm_value, const char *, size_t)) \
    F(void, ReplaceAllUsesWith, (llvm_value, llvm_value)) \
    F(llvm_use, GetFirstUse, (llvm_value)) \
    F(llvm_use, GetNextUse, (llvm_use)) \
    F(llvm_value, GetUser, (llvm_use)) \
    F(void, DeleteFunction, (llvm_value)) \
    F(llvm_value, AddFunction, (llvm_module, const char *, llvm_type)) \
    F(unsigned, CountParams, (llvm_value)) \
    F(llvm_value, GetParam, (llvm_value, unsigned)) \
    F(unsigned, CountBasicBlocks, (llvm_value)) \
    F(llvm_block, GetFirstBasicBlock, (llvm_value)) \
    F(llvm_block, GetNextBasicBlock, (llvm_block)) \
    F(llvm_block, AppendBasicBlockInContext, (llvm_context, llvm_value, const char *)) \
    F(llvm_value, GetFirstInstruction, (llvm_block)) \
    F(llvm_value, GetNextInstruction, (llvm_value)) \
    F(llvm_value, GetBasicBlockTerminator, (llvm_block)) \
    F(llvm_value, BasicBlockAsValue, (llvm_block)) \
    F(unsigned, GetNumSuccessors, (llvm_value)) \
    F(llvm_block, GetSuccessor, (llvm_value, unsigned)) \
    F(int, GetInstructionOpcode, (llvm_value)) \
    F(llvm_block, GetInstructionParent, (llvm_value)) \
    F(int, IsConditional, (llvm_value)) \
    F(int, GetICmpPredicate, (llvm_value)) \
    F(int, GetNumOperands, (llvm_value)) \
    F(llvm_value, GetOperand, (llvm_value, unsigned)) \
    F(void, SetOperand, (llvm_value, unsigned, llvm_value)) \
    F(int, GetConstOpcode, (llvm_value)) \
    F(unsigned, CountIncoming, (llvm_value)) \
    F(llvm_value, GetIncomingValue, (llvm_value, unsigned)) \
    F(llvm_block, GetIncomingBlock, (llvm_value, unsigned)) \
    F(llvm_value, GetCalledValue, (llvm_value)) \
    F(unsigned, GetNumArgOperands, (llvm_value)) \
    F(llvm_type, TypeOf, (llvm_value)) \
    F(int, GetTypeKind, (llvm_type)) \
    F(unsigned, GetIntTypeWidth, (llvm_type)) \
    F(llvm_type, GetElementType, (llvm_type)) \
    F(unsigned, GetPointerAddressSpace, (llvm_type)) \
    F(llvm_value, IsAConstant, (llvm_value)) \
    F(llvm_value, IsAConstantInt, (llvm_value)) \
    F(llvm_value, IsAConstantExpr, (llvm_value)) \
    F(llvm_value, IsAInstruction, (llvm_value)) \
    F(llvm_value, IsAArgument, (llvm_value)) \
    F(llvm_value, IsAFunction, (llvm_value)) \
    F(llvm_value, IsAGlobalVariable, (llvm_value)) \
    F(llvm_value, IsAInlineAsm, (llvm_value)) \
    F(unsigned long long, ConstIntGetZExtValue, (llvm_value)) \
    F(int, GetVolatile, (llvm_value)) \
    F(int, GetOrdering, (llvm_value)) \
    F(llvm_metadata, InstructionGetDebugLoc, (llvm_value)) \
    F(unsigned, DILocationGetLine, (llvm_metadata)) \
    F(llvm_metadata, DILocationGetScope, (llvm_metadata)) \
    F(llvm_metadata, DILocationGetInlinedAt, (llvm_metadata)) \
    F(llvm_metadata, DIScopeGetFile, (llvm_metadata)) \
    F(const char *, DIFileGetFilename, (llvm_metadata, unsigned *)) \
    F(llvm_type, Int8TypeInContext, (llvm_context)) \
    F(llvm_type, Int32TypeInContext, (llvm_context)) \
    F(llvm_type, Int64TypeInContext, (llvm_context)) \
    F(llvm_type, VoidTypeInContext, (llvm_context)) \
    F(llvm_type, PointerType, (llvm_type, unsigned)) \
    F(llvm_type, ArrayType, (llvm_type, unsigned)) \
    F(llvm_type, FunctionType, (llvm_type, llvm_type *, unsigned, int)) \
    F(llvm_value, ConstInt, (llvm_type, unsigned long long, int)) \
    F(llvm_value, ConstNull, (llvm_type)) \
    F(llvm_value, ConstArray, (llvm_type, llvm_value *, unsigned)) \
    F(llvm_value, ConstBitCast, (llvm_value, llvm_type)) \
    F(llvm_builder, CreateBuilderInContext, (llvm_context)) \
    F(void, PositionBuilderBefore, (llvm_builder, llvm_value)) \
    F(void, PositionBuilderAtEnd, (llvm_builder, llvm_block)) \
    F(llvm_value, BuildCall2, \
      (llvm_builder, llvm_type, llvm_value, llvm_value *, unsigned, const char *)) \
    F(llvm_value, BuildPointerCast, (llvm_builder, llvm_value, llvm_type, const char *)) \
    F(llvm_value, BuildCast, (llvm_builder, int, llvm_value, llvm_type, const char *)) \
    F(llvm_value, BuildAddrSpaceCast, (llvm_builder, llvm_value, llvm_type, const char *)) \
    F(llvm_value, BuildGEP2, \
      (llvm_builder, llvm_type, llvm_value, llvm_value *, unsigned, const char *)) \
    F(llvm_type, GetGEPSourceElementType, (llvm_value)) \
    F(llvm_value, BuildAlloca, (llvm_builder, llvm_type, const char *)) \
    F(llvm_value, BuildMemCpy, \
      (llvm_builder, llvm_value, unsigned, llvm_value, unsigned, llvm_value)) \
    F(llvm_value, BuildLoad2, (llvm_builder, llvm_type, llvm_value, const char *)) \
    F(llvm_value, BuildPhi, (llvm_builder, llvm_type, const char *)) \
    F(void, AddIncoming, (llvm_value, llvm_value *, llvm_block *, unsigned)) \
    F(llvm_value, BuildStore, (llvm_builder, llvm_value, llvm_value)) \
    F(llvm_value, BuildGlobalStringPtr, (llvm_builder, const char *, const char *)) \
    F(llvm_value, BuildRetVoid, (llvm_builder)) \
    F(llvm_value, BuildICmp, (llvm_builder, int, llvm_value, llvm_value, const char *)) \
    F(llvm_value, BuildFCmp, (llvm_builder, int, llvm_value, llvm_value, const char *)) \
    F(llvm_value, BuildSelect, (llvm_builder, llvm_value, llvm_value, llvm_value, const char *)) \
    F(llvm_value, BuildBinOp, (llvm_builder, int, llvm_value, llvm_value, const char *)) \
    F(void, InstructionEraseFromParent, (llvm_value)) \
    F(void, InstructionRemoveFromParent, (llvm_value)) \
    F(void, InsertIntoBuilder, (llvm_builder, llvm_value)) \
    F(llvm_value, GetNamedFunction, (llvm_module, const char *)) \
    F(unsigned, GetEnumAttributeKindForName, (const char *, size_t)) \
    F(llvm_attribute, GetEnumAttributeAtIndex, (llvm_value, unsigned, unsigned)) \
    F(uint64_t, GetEnumAttributeValue, (llvm_attribute)) \
    F(llvm_attribute, CreateEnumAttribute, (llvm_context, unsigned, uint64_t)) \
    F(void, AddAttributeAtIndex, (llvm_value, unsigned, llvm_attribute)) \
    F(llvm_type, GetTypeAttributeValue, (llvm_attribute)) \
    F(void, RemoveEnumAttributeAtIndex, (llvm_value, unsigned, unsigned)) \
    F(void, RemoveStringAttributeAtIndex, (llvm_value, unsigned, const char *, unsigned)) \
    F(void, AddCallSiteAttribute, (llvm_value, unsigned, llvm_attribute)) \
    F(void, RemoveCallSiteEnumAttribute, (llvm_value, unsigned, unsigned)) \
    F(void, SetCurrentDebugLocation2, (llvm_builder, void *)) \
    F(void, SetFunctionCallConv, (llvm_value, unsigned)) \
    F(unsigned, GetFunctionCallConv, (llvm_value)) \
    F(void, SetInstructionCallConv, (llvm_value, unsigned))

#define LLVM_MEMBER(result, name, arguments) result(*name) arguments;
struct llvm {
    void *library;
    unsigned version; /* of the library: 14, 15, ... */
    LLVM_FUNCTIONS(LLVM_MEMBER)
};
#undef LLVM_MEMBER

/* Numbers of llvm-c/Core.h. */
enum llvm_opcode {
    LLVM_RET = 1,
    LLVM_BR = 2,
    LLVM_SWITCH = 3,
    LLVM_UNREACHABLE = 7,
    LLVM_ADD = 8,
    LLVM_FADD = 9,
    LLVM_SUB = 10,
    LLVM_FSUB = 11,
    LLVM_MUL = 12,
    LLVM_FMUL = 13,
    LLVM_UDIV = 14,
    LLVM_SDIV = 15,
    LLVM_FDIV = 16,
    LLVM_UREM = 17,
    LLVM_SREM = 18,
    LLVM_FREM = 19,
    LLVM_SHL = 20,
    LLVM_LSHR = 21,
    LLVM_ASHR = 22,
    LLVM_AND = 23,
    LLVM_OR = 24,
    LLVM_XOR = 25,
    LLVM_ALLOCA = 26,
    LLVM_LOAD = 27,
    LLVM_STORE = 28,
    LLVM_GEP = 29,
    LLVM_TRUNC = 30,
    LLVM_ZEXT = 31,
    LLVM_SEXT = 32,
    LLVM_FPTOUI = 33,
    LLVM_FPTOSI = 34,
    LLVM_UITOFP = 35,
    LLVM_SITOFP = 36,
    LLVM_FPTRUNC = 37,
    LLVM_FPEXT = 38,
    LLVM_PTRTOINT = 39,
    LLVM_INTTOPTR = 40,
    LLVM_BITCAST = 41,
    LLVM_ICMP = 42,
    LLVM_FCMP = 43,
    LLVM_PHI = 44,
    LLVM_CALL = 45,
    LLVM_SELECT = 46,
    LLVM_EXTRACT_ELEMENT = 50,
    LLVM_INSERT_ELEMENT = 51,
    LLVM_SHUFFLE_VECTOR = 52,
    LLVM_EXTRACT_VALUE = 53,
    LLVM_INSERT_VALUE = 54,
    LLVM_FENCE = 55,
    LLVM_CMPXCHG = 56,
    LLVM_ATOMICRMW = 57,
    LLVM_ADDRSPACECAST = 60,
    LLVM_FNEG = 66,
    LLVM_FREEZE = 68,
};

enum llvm_type_kind {
    LLVM_KIND_VOID = 0,
    LLVM_KIND_HALF = 1,
    LLVM_KIND_FLOAT = 2,
    LLVM_KIND_DOUBLE = 3,
    LLVM_KIND_INTEGER = 8,
    LLVM_KIND_STRUCT = 10,
    LLVM_KIND_ARRAY = 11,
    LLVM_KIND_POINTER = 12,
    LLVM_KIND_VECTOR = 13,
};

#define LLVM_INT_EQ 32 /* predicates of BuildICmp */
#define LLVM_INT_NE 33
#define LLVM_INT_ULT 36
#define LLVM_REAL_UNO 8 /* one of BuildFCmp: an operand is a NaN */
#define LLVM_FUNCTION_INDEX UINT32_MAX
#define LLVM_LINKAGE_EXTERNAL 0
#define LLVM_LINKAGE_AVAILABLE 1 /* a body for the compiler; another module has the function */
#define LLVM_LINKAGE_INTERNAL 8
#define LLVM_VISIBILITY_DEFAULT 0
#define LLVM_VISIBILITY_HIDDEN 1
#define LLVM_CALL_PTX_KERNEL 71
#define LLVM_CALL_SPIR_KERNEL 76

/** llvm_open() - open the library of a clang's version, or the newest known one. False: *wrong has
 * the reason. */
bool llvm_open(struct llvm *l, unsigned version, const char **wrong);

#endif
