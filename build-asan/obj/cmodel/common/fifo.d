build-asan/obj/cmodel/common/fifo.o: cmodel/common/fifo.c \
 cmodel/common/fifo.h cmodel/common/fifo_ports.h cmodel/base/ports.h
cmodel/common/fifo.h:
cmodel/common/fifo_ports.h:
cmodel/base/ports.h:
