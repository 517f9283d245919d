build-asan/obj/cmodel/gpu/dump.o: cmodel/gpu/dump.c \
 cmodel/gpu/core_issue.h cmodel/gpu/core.h cmodel/base/clock.h \
 cmodel/base/request.h cmodel/base/ring.h cmodel/base/stats.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/dram/address.h \
 cmodel/gpu/stall.h cmodel/issue/policy.h cmodel/issue/scheduler.h \
 cmodel/issue/scoreboard.h cmodel/kernel/insn.h cmodel/kernel/launch.h \
 cmodel/kernel/warp_stream.h cmodel/l1/load_store.h cmodel/base/block.h \
 cmodel/l1/coalescer.h cmodel/l1/data_cache.h cmodel/base/mshr.h \
 cmodel/base/tag_array.h cmodel/l1/line_owner.h cmodel/l1/mrpb.h \
 cmodel/l1/mrpb_ports.h cmodel/base/ports.h cmodel/l1/texture_cache.h \
 cmodel/gpu/core_policy.h cmodel/gpu/machine.h cmodel/dram/channel.h \
 cmodel/dram/timing.h cmodel/gpu/energy.h cmodel/gpu/gpu.h \
 cmodel/l2/partition.h cmodel/l2/bank.h cmodel/noc/network.h \
 cmodel/noc/crossbar.h cmodel/noc/mesh.h cmodel/config/mesh_map.h
cmodel/gpu/core_issue.h:
cmodel/gpu/core.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/dram/address.h:
cmodel/gpu/stall.h:
cmodel/issue/policy.h:
cmodel/issue/scheduler.h:
cmodel/issue/scoreboard.h:
cmodel/kernel/insn.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/l1/load_store.h:
cmodel/base/block.h:
cmodel/l1/coalescer.h:
cmodel/l1/data_cache.h:
cmodel/base/mshr.h:
cmodel/base/tag_array.h:
cmodel/l1/line_owner.h:
cmodel/l1/mrpb.h:
cmodel/l1/mrpb_ports.h:
cmodel/base/ports.h:
cmodel/l1/texture_cache.h:
cmodel/gpu/core_policy.h:
cmodel/gpu/machine.h:
cmodel/dram/channel.h:
cmodel/dram/timing.h:
cmodel/gpu/energy.h:
cmodel/gpu/gpu.h:
cmodel/l2/partition.h:
cmodel/l2/bank.h:
cmodel/noc/network.h:
cmodel/noc/crossbar.h:
cmodel/noc/mesh.h:
cmodel/config/mesh_map.h:
