build-asan/obj/cmodel/dram/channel.o: cmodel/dram/channel.c \
 cmodel/dram/channel.h cmodel/base/clock.h cmodel/base/request.h \
 cmodel/base/ring.h cmodel/base/stats.h cmodel/dram/address.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/dram/timing.h \
 cmodel/base/events.h
cmodel/dram/channel.h:
cmodel/base/clock.h:
cmodel/base/request.h:
cmodel/base/ring.h:
cmodel/base/stats.h:
cmodel/dram/address.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/dram/timing.h:
cmodel/base/events.h:
