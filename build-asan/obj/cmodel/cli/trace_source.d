build-asan/obj/cmodel/cli/trace_source.o: cmodel/cli/trace_source.c \
 cmodel/cli/trace_source.h cmodel/trace/wtr.h cmodel/kernel/insn.h \
 cmodel/workloads/workload.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/base/text.h cmodel/trace/wtr_reader.h
cmodel/cli/trace_source.h:
cmodel/trace/wtr.h:
cmodel/kernel/insn.h:
cmodel/workloads/workload.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/base/text.h:
cmodel/trace/wtr_reader.h:
