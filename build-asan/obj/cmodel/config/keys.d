build-asan/obj/cmodel/config/keys.o: cmodel/config/keys.c \
 cmodel/config/keys.h cmodel/config/config.h cmodel/config/mrpb_modes.h
cmodel/config/keys.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
