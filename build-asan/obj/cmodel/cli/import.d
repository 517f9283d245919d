build-asan/obj/cmodel/cli/import.o: cmodel/cli/import.c \
 cmodel/base/text.h cmodel/cli/cli.h cmodel/base/block.h \
 cmodel/cli/output.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/cli/progress.h cmodel/cli/signals.h \
 cmodel/trace/accelsim_import.h cmodel/trace/accelsim_code.h \
 cmodel/kernel/insn.h cmodel/trace/opcodes.h cmodel/trace/text_lines.h \
 cmodel/trace/wtr_writer.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/trace/wtr.h
cmodel/base/text.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/cli/progress.h:
cmodel/cli/signals.h:
cmodel/trace/accelsim_import.h:
cmodel/trace/accelsim_code.h:
cmodel/kernel/insn.h:
cmodel/trace/opcodes.h:
cmodel/trace/text_lines.h:
cmodel/trace/wtr_writer.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/trace/wtr.h:
