build-asan/obj/cmodel/cli/figures.o: cmodel/cli/figures.c \
 cmodel/cli/figures.h cmodel/base/stats.h cmodel/config/config.h \
 cmodel/config/mrpb_modes.h
cmodel/cli/figures.h:
cmodel/base/stats.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
