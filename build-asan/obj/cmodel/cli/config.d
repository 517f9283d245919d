build-asan/obj/cmodel/cli/config.o: cmodel/cli/config.c \
 cmodel/base/text.h cmodel/cli/cli.h cmodel/base/block.h \
 cmodel/cli/output.h cmodel/config/config.h cmodel/config/mrpb_modes.h \
 cmodel/cli/machine.h cmodel/config/schemes.h cmodel/config/derived.h
cmodel/base/text.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
cmodel/cli/machine.h:
cmodel/config/schemes.h:
cmodel/config/derived.h:
