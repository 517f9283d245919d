build-asan/obj/cmodel/l2/partition.o: cmodel/l2/partition.c \
 cmodel/l2/partition.h cmodel/base/clock.h cmodel/base/request.h \
 cmodel/base/ring.h cmodel/base/stats.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/l2/bank.h cmodel/base/mshr.h \
 cmodel/base/tag_array.h cmodel/config/packets.h
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
cmodel/config/packets.h:
