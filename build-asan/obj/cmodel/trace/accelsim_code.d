build-asan/obj/cmodel/trace/accelsim_code.o: cmodel/trace/accelsim_code.c \
 cmodel/trace/accelsim_code.h cmodel/kernel/insn.h cmodel/trace/opcodes.h \
 cmodel/trace/text_lines.h cmodel/base/text.h cmodel/kernel/warp_stream.h
cmodel/trace/accelsim_code.h:
cmodel/kernel/insn.h:
cmodel/trace/opcodes.h:
cmodel/trace/text_lines.h:
cmodel/base/text.h:
cmodel/kernel/warp_stream.h:
