build-asan/obj/cmodel/common/round_robin_arbiter_block.o: \
 cmodel/common/round_robin_arbiter_block.c cmodel/base/block_define.h \
 cmodel/base/block.h cmodel/base/ports.h \
 cmodel/common/round_robin_arbiter.h \
 cmodel/common/round_robin_arbiter_ports.h
cmodel/base/block_define.h:
cmodel/base/block.h:
cmodel/base/ports.h:
cmodel/common/round_robin_arbiter.h:
cmodel/common/round_robin_arbiter_ports.h:
