build-asan/obj/cmodel/common/sram_1r1w_block.o: \
 cmodel/common/sram_1r1w_block.c cmodel/base/block_define.h \
 cmodel/base/block.h cmodel/base/ports.h cmodel/common/sram_1r1w.h \
 cmodel/common/sram_1r1w_ports.h
cmodel/base/block_define.h:
cmodel/base/block.h:
cmodel/base/ports.h:
cmodel/common/sram_1r1w.h:
cmodel/common/sram_1r1w_ports.h:
