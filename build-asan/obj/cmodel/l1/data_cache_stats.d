build-asan/obj/cmodel/l1/data_cache_stats.o: cmodel/l1/data_cache_stats.c \
 cmodel/l1/data_cache.h cmodel/base/mshr.h cmodel/base/request.h \
 cmodel/base/ring.h cmodel/base/stats.h cmodel/base/tag_array.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/l1/line_owner.h
cmodel/l1/data_cache.h:
cmodel/base/mshr.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/stats.h:
cmodel/base/tag_array.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/l1/line_owner.h:
