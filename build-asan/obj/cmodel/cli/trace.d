build-asan/obj/cmodel/cli/trace.o: cmodel/cli/trace.c cmodel/base/text.h \
 cmodel/cli/output.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/cli/progress.h cmodel/cli/session.h cmodel/base/stats.h \
 cmodel/cli/cli.h cmodel/base/block.h cmodel/cli/machine.h \
 cmodel/config/schemes.h cmodel/cli/series.h cmodel/cli/figures.h \
 cmodel/gpu/gauges.h cmodel/gpu/gpu.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/cli/trace_source.h cmodel/trace/wtr.h cmodel/workloads/workload.h \
 cmodel/cli/signals.h cmodel/trace/wtr_writer.h
cmodel/base/text.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/cli/progress.h:
cmodel/cli/session.h:
cmodel/base/stats.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/machine.h:
cmodel/config/schemes.h:
cmodel/cli/series.h:
cmodel/cli/figures.h:
cmodel/gpu/gauges.h:
cmodel/gpu/gpu.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/cli/trace_source.h:
cmodel/trace/wtr.h:
cmodel/workloads/workload.h:
cmodel/cli/signals.h:
cmodel/trace/wtr_writer.h:
