build-asan/obj/cmodel/common/priority_encoder_block.o: \
 cmodel/common/priority_encoder_block.c cmodel/base/block_define.h \
 cmodel/base/block.h cmodel/base/ports.h cmodel/common/priority_encoder.h \
 cmodel/common/priority_encoder_ports.h
cmodel/base/block_define.h:
cmodel/base/block.h:
cmodel/base/ports.h:
cmodel/common/priority_encoder.h:
cmodel/common/priority_encoder_ports.h:
