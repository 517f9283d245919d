build-asan/obj/cmodel/cli/info_list.o: cmodel/cli/info_list.c \
 cmodel/cli/info_list.h cmodel/base/text.h cmodel/cli/cli.h \
 cmodel/base/block.h cmodel/cli/output.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/trace/accelsim_kernel.h \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/trace/accelsim_code.h cmodel/trace/opcodes.h \
 cmodel/trace/text_lines.h cmodel/trace/wtr_writer.h cmodel/trace/wtr.h \
 cmodel/trace/accelsim_list.h
cmodel/cli/info_list.h:
cmodel/base/text.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/trace/accelsim_kernel.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/trace/accelsim_code.h:
cmodel/trace/opcodes.h:
cmodel/trace/text_lines.h:
cmodel/trace/wtr_writer.h:
cmodel/trace/wtr.h:
cmodel/trace/accelsim_list.h:
