build-asan/obj/cmodel/trace/opcodes.o: cmodel/trace/opcodes.c \
 cmodel/trace/opcodes.h cmodel/trace/wtr.h cmodel/kernel/insn.h
cmodel/trace/opcodes.h:
cmodel/trace/wtr.h:
cmodel/kernel/insn.h:
