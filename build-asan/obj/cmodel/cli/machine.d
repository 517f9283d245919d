build-asan/obj/cmodel/cli/machine.o: cmodel/cli/machine.c \
 cmodel/cli/machine.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/config/schemes.h cmodel/config/keys.h
cmodel/cli/machine.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/config/schemes.h:
cmodel/config/keys.h:
