build-asan/obj/cmodel/kernel/warp_stream.o: cmodel/kernel/warp_stream.c \
 cmodel/kernel/warp_stream.h cmodel/kernel/insn.h
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
