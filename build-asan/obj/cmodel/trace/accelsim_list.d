build-asan/obj/cmodel/trace/accelsim_list.o: cmodel/trace/accelsim_list.c \
 cmodel/trace/accelsim_list.h cmodel/trace/text_lines.h \
 cmodel/trace/accelsim_code.h cmodel/kernel/insn.h cmodel/trace/opcodes.h
cmodel/trace/accelsim_list.h:
cmodel/trace/text_lines.h:
cmodel/trace/accelsim_code.h:
cmodel/kernel/insn.h:
cmodel/trace/opcodes.h:
