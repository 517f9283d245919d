build-asan/obj/cmodel/kernel/simt.o: cmodel/kernel/simt.c \
 cmodel/kernel/simt_internal.h cmodel/kernel/simt.h \
 cmodel/kernel/device_memory.h cmodel/kernel/insn.h \
 cmodel/kernel/launch.h cmodel/kernel/warp_stream.h
cmodel/kernel/simt_internal.h:
cmodel/kernel/simt.h:
cmodel/kernel/device_memory.h:
cmodel/kernel/insn.h:
cmodel/kernel/launch.h:
cmodel/kernel/warp_stream.h:
