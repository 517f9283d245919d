build-asan/obj/cmodel/config/schemes.o: cmodel/config/schemes.c \
 cmodel/config/schemes.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h cmodel/base/text.h cmodel/config/keys.h
cmodel/config/schemes.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/base/text.h:
cmodel/config/keys.h:
