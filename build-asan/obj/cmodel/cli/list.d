build-asan/obj/cmodel/cli/list.o: cmodel/cli/list.c cmodel/base/text.h \
 cmodel/cli/cli.h cmodel/base/block.h cmodel/cli/output.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/cli/machine.h \
 cmodel/config/schemes.h cmodel/cli/machine_blocks.h \
 cmodel/l1/mrpb_ports.h cmodel/base/ports.h cmodel/cli/series.h \
 cmodel/cli/figures.h cmodel/base/stats.h cmodel/gpu/gauges.h \
 cmodel/gpu/gpu.h cmodel/kernel/launch.h cmodel/kernel/warp_stream.h \
 cmodel/kernel/insn.h cmodel/workloads/workload.h
cmodel/base/text.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/cli/machine.h:
cmodel/config/schemes.h:
cmodel/cli/machine_blocks.h:
cmodel/l1/mrpb_ports.h:
cmodel/base/ports.h:
cmodel/cli/series.h:
cmodel/cli/figures.h:
cmodel/base/stats.h:
cmodel/gpu/gauges.h:
cmodel/gpu/gpu.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/workloads/workload.h:
