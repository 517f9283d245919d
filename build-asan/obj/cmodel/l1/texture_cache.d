build-asan/obj/cmodel/l1/texture_cache.o: cmodel/l1/texture_cache.c \
 cmodel/l1/texture_cache.h cmodel/base/ring.h cmodel/base/request.h \
 cmodel/base/stats.h cmodel/base/tag_array.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h
cmodel/l1/texture_cache.h:
cmodel/base/ring.h:
cmodel/base/request.h:
cmodel/base/stats.h:
cmodel/base/tag_array.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
