build-asan/obj/cmodel/cli/parse.o: cmodel/cli/parse.c cmodel/base/text.h \
 cmodel/cli/cli.h cmodel/base/block.h cmodel/cli/output.h \
 cmodel/config/config.h cmodel/config/mrpb_modes.h
cmodel/base/text.h:
cmodel/cli/cli.h:
cmodel/base/block.h:
cmodel/cli/output.h:
cmodel/config/config.h:
cmodel/config/mrpb_modes.h:
