build-asan/obj/cmodel/l1/mrpb.o: cmodel/l1/mrpb.c cmodel/l1/mrpb.h \
 cmodel/l1/mrpb_ports.h cmodel/base/ports.h cmodel/config/mrpb_modes.h
cmodel/l1/mrpb.h:
cmodel/l1/mrpb_ports.h:
cmodel/base/ports.h:
cmodel/config/mrpb_modes.h:
