build-asan/obj/cmodel/cli/output.o: cmodel/cli/output.c \
 cmodel/cli/output.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/base/text.h
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/base/text.h:
