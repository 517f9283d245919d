build-asan/obj/cmodel/cli/series.o: cmodel/cli/series.c \
 cmodel/cli/series.h cmodel/cli/figures.h cmodel/base/stats.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/gpu/gauges.h \
 cmodel/gpu/gpu.h cmodel/base/block.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/kernel/insn.h
cmodel/cli/series.h:
cmodel/cli/figures.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/gpu/gauges.h:
cmodel/gpu/gpu.h:
cmodel/base/block.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
