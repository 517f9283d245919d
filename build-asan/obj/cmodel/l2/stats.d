build-asan/obj/cmodel/l2/stats.o: cmodel/l2/stats.c cmodel/l2/partition.h \
 cmodel/base/clock.h cmodel/base/request.h cmodel/base/ring.h \
 cmodel/base/stats.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/l2/bank.h cmodel/base/mshr.h cmodel/base/tag_array.h
cmodel/l2/partition.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/l2/bank.h:
cmodel/base/mshr.h:
cmodel/base/tag_array.h:
