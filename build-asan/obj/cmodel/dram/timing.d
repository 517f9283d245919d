build-asan/obj/cmodel/dram/timing.o: cmodel/dram/timing.c \
 cmodel/dram/timing.h cmodel/config/config.h cmodel/config/mrpb_modes.h
cmodel/dram/timing.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
