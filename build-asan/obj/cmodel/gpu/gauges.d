build-asan/obj/cmodel/gpu/gauges.o: cmodel/gpu/gauges.c \
 cmodel/gpu/gauges.h cmodel/gpu/gpu.h cmodel/base/block.h \
 cmodel/base/stats.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/gpu/machine.h cmodel/base/clock.h cmodel/base/request.h \
 cmodel/dram/channel.h cmodel/base/ring.h cmodel/dram/address.h \
 cmodel/dram/timing.h cmodel/gpu/core.h cmodel/gpu/stall.h \
 cmodel/issue/policy.h cmodel/issue/scheduler.h cmodel/issue/scoreboard.h \
 cmodel/l1/load_store.h cmodel/l1/coalescer.h cmodel/l1/data_cache.h \
 cmodel/base/mshr.h cmodel/base/tag_array.h cmodel/l1/line_owner.h \
 cmodel/l1/mrpb.h cmodel/l1/mrpb_ports.h cmodel/base/ports.h \
 cmodel/l1/texture_cache.h cmodel/gpu/energy.h cmodel/l2/partition.h \
 cmodel/l2/bank.h cmodel/noc/network.h cmodel/noc/crossbar.h \
 cmodel/noc/mesh.h cmodel/config/mesh_map.h
cmodel/gpu/gauges.h:
cmodel/gpu/gpu.h:
cmodel/base/block.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/gpu/machine.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/dram/channel.h:
cmodel/base/ring.h:
cmodel/dram/address.h:
cmodel/dram/timing.h:
cmodel/gpu/core.h:
cmodel/gpu/stall.h:
cmodel/issue/policy.h:
cmodel/issue/scheduler.h:
cmodel/issue/scoreboard.h:
cmodel/l1/load_store.h:
cmodel/l1/coalescer.h:
cmodel/l1/data_cache.h:
cmodel/base/mshr.h:
cmodel/base/tag_array.h:
cmodel/l1/line_owner.h:
cmodel/l1/mrpb.h:
cmodel/l1/mrpb_ports.h:
cmodel/base/ports.h:
cmodel/l1/texture_cache.h:
cmodel/gpu/energy.h:
cmodel/l2/partition.h:
cmodel/l2/bank.h:
cmodel/noc/network.h:
cmodel/noc/crossbar.h:
cmodel/noc/mesh.h:
cmodel/config/mesh_map.h:
