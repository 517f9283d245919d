build-asan/obj/cmodel/kernel/device_memory.o: \
 cmodel/kernel/device_memory.c cmodel/kernel/device_memory.h
cmodel/kernel/device_memory.h:
