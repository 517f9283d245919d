build-asan/obj/cmodel/common/sram_1r1w.o: cmodel/common/sram_1r1w.c \
 cmodel/common/sram_1r1w.h cmodel/common/sram_1r1w_ports.h \
 cmodel/base/ports.h
cmodel/common/sram_1r1w.h:
cmodel/common/sram_1r1w_ports.h:
cmodel/base/ports.h:
