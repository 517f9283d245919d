build-asan/obj/cmodel/config/config.o: cmodel/config/config.c \
 cmodel/config/config.h cmodel/config/mrpb_modes.h cmodel/base/text.h \
 cmodel/config/keys.h cmodel/config/presets.h
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/base/text.h:
cmodel/config/keys.h:
cmodel/config/presets.h:
