build-asan/obj/cmodel/cli/compare.o: cmodel/cli/compare.c \
 cmodel/base/text.h cmodel/cli/columns.h cmodel/cli/figures.h \
 cmodel/base/stats.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/cli/sweep.h cmodel/cli/batch.h cmodel/cli/session.h \
 cmodel/cli/cli.h cmodel/base/block.h cmodel/cli/output.h \
 cmodel/cli/machine.h cmodel/config/schemes.h cmodel/cli/series.h \
 cmodel/gpu/gauges.h cmodel/gpu/gpu.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/cli/trace_source.h cmodel/trace/wtr.h cmodel/workloads/workload.h \
 cmodel/cli/words.h cmodel/cli/report.h
cmodel/base/text.h:
cmodel/cli/columns.h:
cmodel/cli/figures.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/cli/sweep.h:
cmodel/cli/batch.h:
cmodel/cli/session.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/cli/machine.h:
cmodel/config/schemes.h:
cmodel/cli/series.h:
cmodel/gpu/gauges.h:
cmodel/gpu/gpu.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/cli/trace_source.h:
cmodel/trace/wtr.h:
cmodel/workloads/workload.h:
cmodel/cli/words.h:
cmodel/cli/report.h:
