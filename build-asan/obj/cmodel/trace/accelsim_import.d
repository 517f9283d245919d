build-asan/obj/cmodel/trace/accelsim_import.o: \
 cmodel/trace/accelsim_import.c cmodel/trace/accelsim_import.h \
 cmodel/trace/accelsim_code.h cmodel/kernel/insn.h cmodel/trace/opcodes.h \
 cmodel/trace/text_lines.h cmodel/trace/wtr_writer.h \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h cmodel/trace/wtr.h \
 cmodel/base/text.h cmodel/trace/accelsim_kernel.h \
 cmodel/trace/accelsim_list.h
cmodel/trace/accelsim_import.h:
cmodel/trace/accelsim_code.h:
cmodel/kernel/insn.h:
cmodel/trace/opcodes.h:
cmodel/trace/text_lines.h:
cmodel/trace/wtr_writer.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/trace/wtr.h:
cmodel/base/text.h:
cmodel/trace/accelsim_kernel.h:
cmodel/trace/accelsim_list.h:
