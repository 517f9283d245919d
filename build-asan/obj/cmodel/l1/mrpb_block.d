build-asan/obj/cmodel/l1/mrpb_block.o: cmodel/l1/mrpb_block.c \
 cmodel/base/block_define.h cmodel/base/block.h cmodel/base/ports.h \
 cmodel/l1/mrpb.h cmodel/l1/mrpb_ports.h cmodel/config/mrpb_modes.h
cmodel/base/block_define.h:
cmodel/base/block.h:
cmodel/base/ports.h:
cmodel/l1/mrpb.h:
cmodel/l1/mrpb_ports.h:
cmodel/config/mrpb_modes.h:
