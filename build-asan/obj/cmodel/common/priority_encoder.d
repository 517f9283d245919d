build-asan/obj/cmodel/common/priority_encoder.o: \
 cmodel/common/priority_encoder.c cmodel/common/priority_encoder.h \
 cmodel/common/priority_encoder_ports.h cmodel/base/ports.h
cmodel/common/priority_encoder.h:
cmodel/common/priority_encoder_ports.h:
cmodel/base/ports.h:
