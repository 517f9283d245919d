build-asan/obj/cmodel/l1/coalescer.o: cmodel/l1/coalescer.c \
 cmodel/l1/coalescer.h cmodel/kernel/warp_stream.h cmodel/kernel/insn.h \
 cmodel/base/request.h
cmodel/l1/coalescer.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
cmodel/base/request.h:
