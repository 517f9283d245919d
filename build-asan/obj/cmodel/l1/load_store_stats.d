build-asan/obj/cmodel/l1/load_store_stats.o: cmodel/l1/load_store_stats.c \
 cmodel/l1/load_store.h cmodel/base/block.h cmodel/l1/coalescer.h \
 cmodel/kernel/warp_stream.h cmodel/kernel/insn.h cmodel/l1/data_cache.h \
 cmodel/base/mshr.h cmodel/base/request.h cmodel/base/ring.h \
 cmodel/base/stats.h cmodel/base/tag_array.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/l1/line_owner.h cmodel/l1/mrpb.h \
 cmodel/l1/mrpb_ports.h cmodel/base/ports.h cmodel/l1/texture_cache.h
cmodel/l1/load_store.h:
cmodel/base/block.h:
cmodel/l1/coalescer.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/l1/data_cache.h:
cmodel/base/mshr.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/stats.h:
cmodel/base/tag_array.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/l1/line_owner.h:
cmodel/l1/mrpb.h:
cmodel/l1/mrpb_ports.h:
cmodel/base/ports.h:
cmodel/l1/texture_cache.h:
