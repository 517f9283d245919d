build-asan/obj/cmodel/l2/bank.o: cmodel/l2/bank.c cmodel/l2/bank.h \
 cmodel/base/mshr.h cmodel/base/request.h cmodel/base/ring.h \
 cmodel/base/tag_array.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/base/events.h
cmodel/l2/bank.h:
cmodel/base/mshr.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/tag_array.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/base/events.h:
