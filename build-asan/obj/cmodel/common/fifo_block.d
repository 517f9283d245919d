build-asan/obj/cmodel/common/fifo_block.o: cmodel/common/fifo_block.c \
 cmodel/base/block_define.h cmodel/base/block.h cmodel/base/ports.h \
 cmodel/common/fifo.h cmodel/common/fifo_ports.h
cmodel/base/block_define.h:
cmodel/base/block.h:
cmodel/base/ports.h:
cmodel/common/fifo.h:
cmodel/common/fifo_ports.h:
