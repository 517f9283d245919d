build-asan/obj/cmodel/dram/address.o: cmodel/dram/address.c \
 cmodel/dram/address.h cmodel/base/request.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h
cmodel/dram/address.h:
cmodel/base/request.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
