build-asan/obj/cmodel/trace/accelsim_write.o: \
 cmodel/trace/accelsim_write.c cmodel/trace/accelsim_kernel.h \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/trace/accelsim_code.h cmodel/trace/opcodes.h \
 cmodel/trace/text_lines.h cmodel/trace/wtr_writer.h cmodel/trace/wtr.h
cmodel/trace/accelsim_kernel.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/trace/accelsim_code.h:
cmodel/trace/opcodes.h:
cmodel/trace/text_lines.h:
cmodel/trace/wtr_writer.h:
cmodel/trace/wtr.h:
