build-asan/obj/cmodel/kernel/launch.o: cmodel/kernel/launch.c \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h cmodel/kernel/insn.h
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
cmodel/kernel/insn.h:
