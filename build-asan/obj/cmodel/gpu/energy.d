build-asan/obj/cmodel/gpu/energy.o: cmodel/gpu/energy.c \
 cmodel/gpu/energy.h cmodel/base/stats.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h
cmodel/gpu/energy.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
